"""``rubricator follow``: downloads land in their books, and nothing is lost."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from pdfs import Paper

from pipeline.cli import main
from pipeline.follow import Known, Relation, base, filed_as, judge
from pipeline.records import Document, Prose
from pipeline.text import rich

SUBJECTS = {
    "ferry": "ferry crosses the river before the bell has rung for the third time",
    "tower": "watchman counts the lamps along the wall when the night has begun",
    "market": "seller weighs the salt on an open scale while the buyer looks on",
}
MONTHS = ("March", "May", "July", "September")


def printed(path: Path, name: str, release: int, words: str = "") -> Path:
    """A FAQ of eight questions; each release changes one of them."""
    paper = Paper()
    paper.text(50, 60, f"The {name.title()} FAQ", size=20, bold=True)
    paper.text(50, 80, f"{MONTHS[release]} 2026", size=10)
    for n in range(8):
        y = 120 + 50 * n
        more = f" and then {release + 2} more" if n == release else ""
        paper.text(50, y, words or f"Q: May player number {n} move when the {SUBJECTS[name]}?", size=10, bold=True)
        paper.text(50, y + 15, words or f"A: Yes. The {SUBJECTS[name]}, {n} steps{more}.", size=10)
    return paper.save(path)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in SUBJECTS:
        book = tmp_path / "sources" / name
        book.mkdir(parents=True)
        printed(book / f"{name}-faq-2026-03.pdf", name, 0)
    (tmp_path / "in").mkdir()
    return tmp_path


def shelves(house: Path) -> dict[str, list[str]]:
    return {name: sorted(path.name for path in (house / "sources" / name).iterdir()) for name in SUBJECTS}


def test_twelve_shuffled_files_of_three_documents_land_right(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = list(range(12))
    random.Random(7).shuffle(places)
    for at, (name, release) in enumerate((name, release) for name in SUBJECTS for release in range(4)):
        printed(house / "in" / f"download ({places[at]}).pdf", name, release)
    before = {path.name: path.read_bytes() for path in (house / "in").iterdir()}
    assert main(["follow", "in"]) == 0
    months = ("03", "05", "07", "09")
    assert shelves(house) == {name: [f"{name}-faq-2026-{month}.pdf" for month in months] for name in SUBJECTS}
    assert {path.name: path.read_bytes() for path in (house / "in").iterdir()} == before
    told = capsys.readouterr()
    assert told.out.count(" -> ") == 9 and told.err.count("is the same as") == 3
    assert "since ferry-faq-2026-07.pdf: 0 added · 2 changed" in told.out

    assert main(["follow", "in"]) == 0  # again: all is there
    assert capsys.readouterr().err.count("is the same as") == 12


def test_what_does_not_belong_is_told_and_not_taken(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    held = shelves(house)
    shutil.copy(house / "sources" / "ferry" / "ferry-faq-2026-03.pdf", house / "in" / "renamed.pdf")
    (house / "in" / "torn.pdf").write_bytes((house / "in" / "renamed.pdf").read_bytes()[:400])
    other = "A knight that stands on a square of its own colour gives check to the queen of the other side."
    printed(house / "in" / "chess.pdf", "tower", 1, other)
    german = "Die Fähre überquert den Fluss nicht, bevor die Glocke zum dritten Mal in der Nacht geläutet hat."
    printed(house / "in" / "ferry_faq_de.pdf", "ferry", 1, german)
    (house / "in" / "notes.txt").write_text("no PDF")
    before = {path.name: path.read_bytes() for path in (house / "in").iterdir()}
    assert main(["follow", "in", "--book", "ferry"]) == 3
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 4 and shelves(house) == held
    assert {path.name: path.read_bytes() for path in (house / "in").iterdir()} == before
    assert any("ferry_faq_de.pdf: is in “de”, sources/ferry/ferry-faq-2026-03.pdf in “en”; not taken" in line for line in told), told
    assert any("renamed.pdf: is the same as" in line for line in told) and any("torn.pdf" in line for line in told)
    assert any("chess.pdf: fits no document of ferry; not taken" in line for line in told)


def test_a_name_that_is_taken_is_not_written_over(house: Path) -> None:
    taken = house / "sources" / "ferry" / "ferry-faq-2026-05.pdf"
    taken.write_bytes(b"not a PDF, but somebody's")
    printed(house / "in" / "a.pdf", "ferry", 1)
    assert main(["follow", "in", "--quiet"]) == 0
    assert taken.read_bytes() == b"not a PDF, but somebody's"
    assert (house / "sources" / "ferry" / "ferry-faq-2026-05-2.pdf").is_file()


def test_a_dry_run_files_nothing(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed(house / "in" / "a.pdf", "ferry", 1)
    held = shelves(house)
    assert main(["follow", "in", "--dry-run"]) == 0
    assert shelves(house) == held and "a.pdf -> sources/ferry/ferry-faq-2026-05.pdf" in capsys.readouterr().out


def test_a_folder_that_is_none_is_said(house: Path) -> None:
    assert main(["follow", "elsewhere"]) == 3


# ---------------------------------------------------------------- the stage


def document(source: str, language: str, *texts: str, sha: str = "0", **more: str) -> Document:
    entries = tuple(Prose(id=text, language=language, text=rich(text)) for text in texts)
    return Document(source=source, sha256=sha, pages=1, language=language, entries=entries, **more)  # type: ignore[arg-type]


ENGLISH = [f"The ferry number {n} crosses the river at night." for n in range(9)]
GERMAN = [f"Die Fähre Nummer {n} überquert bei Nacht den Fluss." for n in range(9)]
KNOWN = [Known(book="b", document=document("ferry-rules-1.0.pdf", "en", *ENGLISH, sha="1", game="Ferry", version="1.0"))]


def test_content_decides() -> None:
    assert judge(document("x.pdf", "en", *ENGLISH[:7], sha="2"), KNOWN).relation is Relation.RELEASE
    assert judge(document("x.pdf", "en", *ENGLISH, sha="1"), KNOWN).relation is Relation.SAME
    assert judge(document("x.pdf", "en", *ENGLISH, sha="2", version="1.0"), KNOWN).relation is Relation.SAME  # only saved anew
    assert judge(document("x.pdf", "en", *ENGLISH, sha="2", version="1.1"), KNOWN).relation is Relation.RELEASE
    assert judge(document("ferry-rules-1.1.pdf", "en", "The queen may never leave her own square."), KNOWN).relation is Relation.STRANGER


def test_another_language_is_told_by_name() -> None:
    assert judge(document("ferry_rules_de_1.1.pdf", "de", *GERMAN), KNOWN).relation is Relation.LANGUAGE
    assert judge(document("x.pdf", "de", *GERMAN, game="Ferry"), KNOWN).relation is Relation.LANGUAGE
    assert judge(document("schach.pdf", "de", *GERMAN), KNOWN).relation is Relation.STRANGER


def test_names_are_those_of_the_family_with_version_or_date() -> None:
    family = [each.document for each in KNOWN]
    assert base("ipg-2019-05-03.pdf") == "ipg" and base("FAQ v1.2 (3).pdf") == "FAQ"
    assert filed_as(document("x.pdf", "en", version="1.1"), family, []) == "ferry-rules-1.1.pdf"
    assert filed_as(document("x.pdf", "en", date="2026-05"), family, []) == "ferry-rules-2026-05.pdf"
    assert filed_as(document("New Rules.PDF", "en"), family, ["new-rules.pdf"]) == "new-rules-2.pdf"
    assert "/" not in filed_as(document("x.pdf", "en", version="../../1"), family, [])


@pytest.mark.parametrize(("before", "version", "name"), [
    ("ferry_rules_v1.pdf", "1", "ferry_rules_v2.pdf"), ("ferry_rules_2024-12-18.pdf", "1.0", "ferry_rules_2026-05-01.pdf"),
    ("ferry.rules.1.pdf", "1", "ferry.rules.2.pdf"), ("FAQ v1.pdf", "1", "FAQ-2.pdf"), ("ferry.pdf", "1", "ferry-2026-05-01.pdf"),
])  # fmt: skip
def test_a_release_is_listed_behind_the_one_before(before: str, version: str, name: str) -> None:
    """A folder is sorted by the letters of its names: "-" stands before "_"."""
    family = [document(before, "en", version=version)]
    filed = filed_as(document("x.pdf", "en", version="2", date="2026-05-01"), family, [before])
    assert filed == name and (sorted([filed, before]) == [before, filed] or not any(char.isdigit() for char in before))
