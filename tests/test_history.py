"""history and since: many releases of one document, many documents of one book."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import cli
from pipeline.diff import change_formats
from pipeline.diff.history import chronological, families, history, since, within
from pipeline.records import QA, AnyEntry, Document, Fate, History
from pipeline.render.words import words as strings
from pipeline.text import rich

SAMPLE = Path(__file__).parent.parent / "sources" / "brumes-d-argance"


def qa(question: str, answer: str) -> QA:
    return QA(id=question, language="fr", section=("Général",), question=rich(question), answer=(rich(answer),))


def release(date: str | None, *entries: AnyEntry, source: str = "faq.pdf", version: str | None = None) -> Document:
    return Document(source=source, sha256="0", pages=1, language="fr", date=date, version=version, entries=entries)


PONT, GUE, TOUR = (
    qa("Le pont tient-il ?", "Oui."),
    qa("Et le gué, la nuit ?", "Il monte."),
    qa("Que vaut la tour ?", "Deux."),
)
FLIPPED = replace(PONT, answer=(rich("Non."),))
MARCH, JUNE, MAY = (
    release("2026-03", PONT, GUE),
    release("2026-06-12", FLIPPED, TOUR),
    release("2026-05", FLIPPED, GUE, TOUR),
)


def steps(told: History) -> dict[str, list[tuple[int, str]]]:
    return {str(life.entry.question): [(step.release, str(step.change)) for step in life.steps] for life in told.lives}  # type: ignore[union-attr]


def test_releases_are_put_in_order() -> None:
    one, two, ten = (release(None, source=f"faq-{n}.pdf", version=v) for n, v in ((3, "1.2"), (1, "1.10"), (2, "1.9")))
    assert chronological([two, ten, one]) == [one, ten, two]
    assert chronological([JUNE, MARCH, MAY]) == [MARCH, MAY, JUNE]


def test_when_it_came_changed_and_went() -> None:
    told = history([MARCH, MAY, JUNE])
    assert steps(told) == {
        "Le pont tient-il ?": [(1, "changed")], "Que vaut la tour ?": [(1, "added")], "Et le gué, la nuit ?": [(2, "removed")],
    }  # fmt: skip
    assert [(life.first, life.last) for life in told.lives] == [(0, 2), (1, 2), (0, 1)]
    assert told.lives[0].steps[0].difference.verdict_flipped


def test_what_comes_back_is_the_same_ruling() -> None:
    told = history([MARCH, JUNE, replace(MARCH, date="2026-09")])
    assert steps(told)["Et le gué, la nuit ?"] == [(1, "removed"), (2, "added")]


def test_no_ruling_is_lost_when_it_goes_into_another() -> None:
    asked = "Le pont tient-il ? Et le gué, la nuit, que fait-il donc ?"
    long = replace(GUE, question=rich("Et le gué, la nuit, que fait-il donc ?"))
    both = QA(id="b", language="fr", section=("Général",), question=rich(asked), answer=(rich("Oui."), rich("Il monte.")))
    told = history([release("2026-01", PONT, long), release("2026-02", both), release("2026-03", PONT, long)])
    assert [(life.first, life.last, len(life.steps)) for life in told.lives] == [(0, 2, 2), (0, 2, 2)]


def test_one_entry_by_its_words() -> None:
    told = within(history([MARCH, MAY, JUNE]), "GUE")
    assert list(steps(told)) == ["Et le gué, la nuit ?"]


def test_the_text_says_when() -> None:
    made = change_formats.history_text(history([MARCH, MAY, JUNE]), strings("en")["changes"])
    assert "2026-05  changed (verdict flipped)\n      Le pont tient-il ? / [-Oui-] {+Non+}." in made
    assert "2026-06-12  went" in made
    assert json.dumps(change_formats.history_fields(history([MARCH, MAY, JUNE])))


def test_since_a_day_over_all_sources() -> None:
    errata = release("2026-04", qa("Page 3 ?", "Lisez six."), source="errata.pdf")
    groups = families([JUNE, MARCH, MAY, errata])
    assert sorted(len(group) for group in groups) == [1, 3]
    [faq, new] = since(groups, "2026-03-15")
    assert (faq.old.date, faq.new.date) == ("2026-03", "2026-06-12")
    assert [each.change for each in new.changes] == [Fate.ADDED]
    assert [each.new.source for each in since(groups, "2026-05-20")] == ["faq.pdf"]
    assert since(groups, "2026-07") == []


def test_what_the_book_tells_wins() -> None:
    other = release("2026-01", qa("Tout autre chose ?", "Oui."), source="old.pdf")
    new = replace(JUNE, source="new.pdf")
    assert families([new, other], {"FAQ": ("old.pdf", "new.pdf")}) == [[other, new]]


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = str(SAMPLE / "argance-faq-1.1.pdf"), str(SAMPLE / "argance-faq-1.2.pdf")
    assert cli.main(["history", new, old, "--quiet", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["source"] for each in told["releases"]] == ["argance-faq-1.1.pdf", "argance-faq-1.2.pdf"]
    assert cli.main(["history", old, new, "--quiet", "-o", str(tmp_path / "h.html")]) == 0
    assert "Histoire des décisions" in (tmp_path / "h.html").read_text()
    assert cli.main(["history", old, "--quiet"]) == 2
    assert cli.main(["since", "2026-04-01", str(SAMPLE), "--quiet", "-o", str(tmp_path / "s.html")]) == 0
    assert "verdict inversé" in (tmp_path / "s.html").read_text()
    assert cli.main(["since", "tomorrow", str(SAMPLE), "--quiet"]) == 2


def test_since_takes_the_pairs_that_a_person_matched() -> None:
    other = qa("Peut-on franchir la chaussée relevée ?", "Jamais.")
    new = release("2026-06", GUE, other)
    [apart] = since([[MARCH, new]], "2026-04")
    assert {each.change for each in apart.changes} == {Fate.ADDED, Fate.REMOVED}
    [told] = since([[MARCH, new]], "2026-04", [(PONT.id, other.id)])
    assert Fate.CHANGED in {each.change for each in told.changes}


def test_of_a_book_the_document_that_has_releases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["history", str(SAMPLE), "--format", "json"]) == 0
    said = capsys.readouterr()
    assert [each["source"] for each in json.loads(said.out)["releases"]] == ["argance-faq-1.1.pdf", "argance-faq-1.2.pdf"]
    assert "left aside: " in said.err and "argance-memo.pdf" in said.err
    for name in ("argance-memo.pdf", "argance-regles.pdf"):
        (tmp_path / name).write_bytes((SAMPLE / name).read_bytes())
    assert cli.main(["history", str(tmp_path)]) == 2
    assert "no document has releases here" in capsys.readouterr().err
