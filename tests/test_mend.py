"""What a person said about the structure: applied, found again in the next release, reported where it fits nothing."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import flow, store, worker
from pipeline.anchors import nearest, places, shortest, words_of
from pipeline.cli import main
from pipeline.config import (
    Convention,
    FurnitureSaid,
    HeadingSaid,
    JoinUp,
    Mends,
    Order,
    Split,
    TableSaid,
    load_mends,
    load_overrides,
)  # fmt: skip
from pipeline.dedup import dedup
from pipeline.errors import ConfigError
from pipeline.export import entry_fields
from pipeline.extract import extract
from pipeline.flow import reread
from pipeline.records import QA, Definition, Document, Prose, Rule, Structure, Table
from pipeline.structure import structure
from tests import quay
from tests.blocks import structure as case

PORTER = "Can a porter swim the canal"
ROPES = "Ropes and ladders"
PROOF = "Proof copy of the harbour league"


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> list[Structure]:
    folder = tmp_path_factory.mktemp("quay")
    return [structure(extract(quay.write(folder / f"quay-{number}.pdf", release=number))) for number in (1, 2)]


def asked(document: Document, words: str) -> QA:
    [found] = [each for each in document.entries if isinstance(each, QA) and words in each.question]
    return found


def all_words(document: Document) -> Counter[str]:
    """Every word of a document, wherever it is; a heading counts once."""
    told: list[str] = [each.text for each in (*document.headings, *document.furniture)]
    for entry in document.entries:
        told += [text for name, value in entry_fields(entry).items() if name not in OURS for text in strings(value)]
    return Counter(re.findall(r"[^\W\d_]{2,}", " ".join(told)))


def strings(value: Any) -> Iterator[str]:
    """Every text in the values of an entry."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from strings(part)


OURS = ("id", "kind", "source", "language", "section", "changed_text", "operation")  # not words of the page, or twice


# ---------------------------------------------------------------- each sort, in both releases

BOTH = pytest.mark.parametrize("release", [0, 1])


@BOTH
def test_an_answer_is_split_where_another_question_begins(releases: list[Structure], release: int) -> None:
    made = reread(releases[release], Mends(split=(Split(before=PORTER),)))
    assert asked(made, "porter").question == "Can a porter swim the canal?"
    assert asked(made, "porter").answer[0].startswith("He can, if he drops")
    assert asked(made, "lamplighter").answer == ("Yes, but only one rung for each action that is left.",)
    assert asked(made, "porter").section == ("Moving about",)


def test_the_kind_of_what_was_split_off_can_be_said(releases: list[Structure]) -> None:
    made = reread(releases[0], Mends(split=(Split(before=ROPES, kind="definition"),)))
    assert [each.term for each in made.entries if isinstance(each, Definition)] == [ROPES]


@BOTH
def test_a_line_becomes_a_heading_of_its_level(releases: list[Structure], release: int) -> None:
    made = reread(releases[release], Mends(heading=(HeadingSaid(text=ROPES, level=2),)))
    assert asked(made, "rope be cut").section == ("Moving about", ROPES)
    assert asked(made, "How many may climb").section == ("Moving about", ROPES)
    assert asked(made, "lantern shine").section == ("Fog and light",)
    assert asked(made, "quay wall").answer == ("It is, for every rule that speaks of walls.",)
    assert ROPES in [each.text for each in made.headings]


def test_a_heading_of_the_first_level_closes_the_one_before(releases: list[Structure]) -> None:
    made = reread(releases[0], Mends(heading=(HeadingSaid(text=ROPES, level=1),)))
    assert asked(made, "rope be cut").section == (ROPES,)
    assert asked(made, "lantern shine").section == ("Fog and light",)


def test_a_heading_goes_deeper_under_the_one_before(releases: list[Structure]) -> None:
    made = reread(releases[0], Mends(heading=(HeadingSaid(text="Fog and light", level=2),)))
    assert asked(made, "lantern shine").section == ("Moving about", "Fog and light")
    assert asked(made, "dogs").section == ("Moving about", "Fog and light")


@BOTH
def test_a_heading_that_is_none_is_in_no_path_and_not_lost(releases: list[Structure], release: int) -> None:
    made = reread(releases[release], Mends(heading=(HeadingSaid(text="Fog and light", level=0),)))
    assert asked(made, "lantern shine").section == ("Moving about",)
    assert "Fog and light" not in [each.text for each in made.headings]
    assert all_words(made) == all_words(reread(releases[release], None))


@BOTH
def test_a_line_that_returns_is_furniture_everywhere(releases: list[Structure], release: int) -> None:
    made = reread(releases[release], Mends(furniture=(FurnitureSaid(text=PROOF),)))
    assert [each.text for each in made.furniture].count(PROOF) == 2
    assert not any(PROOF in str(entry_fields(each)) for each in made.entries)
    assert made.replays[0].found == 2


def test_furniture_that_is_text_is_an_entry(releases: list[Structure]) -> None:
    made = reread(releases[0], Mends(furniture=(FurnitureSaid(text="Lamplight Quay – page 1", keep=True),)))
    assert not [each for each in made.furniture if "page" in each.text]
    assert any("Lamplight Quay – page 1" in str(entry_fields(each)) for each in made.entries)


@BOTH
def test_two_entries_are_joined(releases: list[Structure], release: int) -> None:
    said = JoinUp(above="Are dogs part of a crew", below="A price is paid before")
    made = reread(releases[release], Mends(join=(said,)))
    assert asked(made, "dogs").answer[-1] == "A price is paid before the ware is used."
    assert not [each for each in made.entries if isinstance(each, Prose)]


def test_a_sentence_that_was_cut_goes_on_in_its_paragraph(releases: list[Structure]) -> None:
    said = JoinUp(above="How many may climb", below="else that the map shows")
    made = reread(releases[0], Mends(join=(said,)))
    assert asked(made, "How many may climb").answer[-1].endswith("against anything else that the map shows.")


@BOTH
def test_the_order_of_two_blocks_is_changed(releases: list[Structure], release: int) -> None:
    said = Order(text="Q: May two crews", until="A: No. Each boat", before="Q: How far does a lantern")
    made = reread(releases[release], Mends(order=(said,)))
    questions = [each.question for each in made.entries if isinstance(each, QA)]
    at = questions.index("May two crews share a boat?")
    assert questions[at + 1].startswith("How far does a lantern")
    assert asked(made, "two crews").answer[0].startswith("No. Each boat")


TABLES = {
    "columns are joined": (TableSaid(text="Ware Price", join_columns=(3,)), ("Tallow candle", "2 1")),
    "a column is cut": (TableSaid(text="Ware Price", split_columns=(1,)), ("Tallow", "candle", "2", "1")),
    "rows are joined": (TableSaid(text="Ware Price", join_rows=(3,)), ("Tallow candle Storm lantern", "2 7", "1 3")),
    "it is all said": (TableSaid(text="Ware Price", rows=(("A", "B"), ("Candle", "2"))), ("Candle", "2")),
}


@pytest.mark.parametrize("case", TABLES)
def test_a_table_is_divided_as_it_was_said(releases: list[Structure], case: str) -> None:
    said, row = TABLES[case]
    made = reread(releases[0], Mends(table=(said,)))
    [table] = [each for each in made.entries if isinstance(each, Table)]
    assert table.rows[1] == row


def test_a_table_that_is_none_is_text(releases: list[Structure]) -> None:
    made = reread(releases[0], Mends(table=(TableSaid(text="Ware Price", is_text=True),)))
    assert not [each for each in made.entries if isinstance(each, Table)]
    assert any("Storm lantern 7 3" in str(entry_fields(each)) for each in made.entries)


def test_what_looks_alike_is_alike(releases: list[Structure]) -> None:
    made = reread(releases[0], Mends(convention=(Convention(like="Fog and light", heading=0),)))
    assert not {"Fog and light", "Moving about", "Prices at the chandler"} & {each.text for each in made.headings}
    assert made.replays[0].found == 3


# ---------------------------------------------------------------- nothing is lost, whatever is said

EVERYTHING = Mends(
    split=(Split(before=PORTER), Split(before="A candle in a lantern")), join=(JoinUp(above="quay wall", below="A price is paid"),),
    heading=(HeadingSaid(text=ROPES, level=2), HeadingSaid(text="Fog and light", level=3), HeadingSaid(text="Moving about", level=0)),
    furniture=(FurnitureSaid(text=PROOF), FurnitureSaid(text="Lamplight Quay – page 1", keep=True)),
    order=(Order(text="Q: May two crews", before="Moving about"),), table=(TableSaid(text="Ware", split_columns=(1,)),),
    convention=(Convention(like="Q: Is a quay wall", kind="text"),),
)  # fmt: skip


@pytest.mark.parametrize("kind", ["", *(each.name for each in dataclasses.fields(Mends))])
@BOTH
def test_no_word_is_lost(releases: list[Structure], release: int, kind: str) -> None:
    said = Mends(**{kind: getattr(EVERYTHING, kind)}) if kind else EVERYTHING
    made = reread(releases[release], said)
    before, after = all_words(reread(releases[release], None)), all_words(made)
    assert not before - after
    assert len({each.id for each in made.entries}) == len(made.entries)
    assert all(each.found for each in made.replays), made.replays


def test_nothing_said_changes_nothing(releases: list[Structure]) -> None:
    assert reread(releases[0], Mends()) == reread(releases[0], None)


def test_a_guarded_child_gives_the_same(releases: list[Structure]) -> None:
    packed = worker.reread(store.to_json(releases[0]), store.to_json(EVERYTHING))
    assert store.from_json(Document, packed["document"]) == reread(releases[0], EVERYTHING)


# ---------------------------------------------------------------- found again, or reported


def test_what_fits_no_longer_is_told_with_the_nearest_text(releases: list[Structure]) -> None:
    made = reread(releases[1], Mends(heading=(HeadingSaid(text="Ropes and leaders", level=2),)))
    assert not made.replays[0].found
    assert made.replays[0].near == ROPES
    [told] = [each for each in dedup([made]).findings if each.code == "override-unmatched"]
    assert "heading 1" in told.message and "Ropes and leaders" in told.message and f"“{ROPES}”" in told.message


def test_what_fits_another_document_of_the_book_is_no_finding(releases: list[Structure]) -> None:
    said = Mends(heading=(HeadingSaid(text=ROPES, level=2),))
    other = structure(extract(Path(__file__).parent.parent / "sources/brass-orrery/orrery-faq.pdf"))
    book = dedup([reread(releases[0], said), reread(other, said)])
    assert not [each for each in book.findings if each.code.startswith("override")]


def test_words_that_fit_several_places_are_reported(releases: list[Structure]) -> None:
    made = reread(releases[0], Mends(order=(Order(text="A: Yes", before="Moving about"),)))
    assert made.replays[0].ambiguous
    assert [each.code for each in dedup([made]).findings if each.code.startswith("override")] == ["override-ambiguous"]


def test_of_lines_that_read_the_same_one_can_be_meant(releases: list[Structure]) -> None:
    said = HeadingSaid(text=PROOF, level=2, after="A: Four steps")
    made = reread(releases[0], Mends(heading=(said,)))
    assert made.replays[0].found == 1
    assert asked(made, "lit from another").section == ("Fog and light", PROOF)


def test_overrides_beside_a_pdf_count_for_every_command(tmp_path: Path) -> None:
    path = quay.write(tmp_path / "quay.pdf")
    plain = dict(flow.documents([path]))[path]
    (tmp_path / "overrides.toml").write_text(f'[[heading]]\ntext = "{ROPES}"\nlevel = 2\n', encoding="utf-8")
    mended = dict(flow.documents([path]))[path]
    assert isinstance(plain, Document) and isinstance(mended, Document)
    assert asked(plain, "rope be cut").section == ("Moving about",)
    assert asked(mended, "rope be cut").section == ("Moving about", ROPES)
    (tmp_path / "overrides.toml").unlink()
    assert dict(flow.documents([path]))[path] == plain


WRONG = {
    "[[heading]]\nlevel = 2\n": "heading 1: text",
    '[[split]]\nbefor = "x"\n': "before",
    '[[convention]]\nlike = "Some words"\n': "one of heading, kind and furniture",
    '[[heading]]\ntext = "Some words"\nlevel = 40\n': "between 0 and 8",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_mistake_is_said_with_its_place(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "overrides.toml").write_text(wrong, encoding="utf-8")
    with pytest.raises(ConfigError) as said:
        load_overrides(tmp_path)
    assert WRONG[wrong] in str(said.value)


def test_a_file_without_structure_says_nothing_of_it(tmp_path: Path) -> None:
    assert load_mends(tmp_path) is None
    (tmp_path / "overrides.toml").write_text('[[hide]]\nentry = "some words"\n', encoding="utf-8")
    assert load_mends(tmp_path) is None


# ---------------------------------------------------------------- anchors


def test_signs_accents_and_line_ends_do_not_matter() -> None:
    texts = [words_of("Règle – « l’Écluse »,\nfermée"), words_of("Another text")]
    assert places(texts, "regle l'ecluse fermee") == [0]


def test_the_shortest_words_that_name_one_text() -> None:
    texts = ["May a crew rest here at night?", "May a crew rest here by day?", "Yes.", "No.", "Yes."]
    assert shortest(texts, 0) == ("May a crew rest here at", None)
    assert shortest(texts, 3) == ("No.", None)
    assert shortest(texts, 4) == ("Yes.", "No.")
    for at, _ in enumerate(texts):
        name, after = shortest(texts, at)
        assert places([words_of(text) for text in texts], name, after) == [at]


def test_nothing_is_near_what_is_not_like_it() -> None:
    assert nearest(["Alpha beta gamma", "Delta"], "zzzz qqqq") == ""




# ---------------------------------------------------------------- whatever is said, of any block

KINDS = ("qa", "erratum", "definition", "rule", "table", "text")


@st.composite
def mends(draw: st.DrawFn, texts: list[str]) -> Mends:
    """Up to three things that a person may say of some blocks."""
    made: dict[str, list[Any]] = {}
    for _ in range(draw(st.integers(1, 3))):
        at, other = draw(st.integers(0, len(texts) - 1)), draw(st.integers(0, len(texts) - 1))
        (name, after), words = shortest(texts, at), words_of(texts[at])
        place = draw(st.integers(0, max(0, len(words.words) - 1)))
        level = draw(st.integers(0, 4))
        said: dict[str, Any] = {
            "split": Split(before=" ".join(words.words[place : place + 6]) or name, kind=draw(st.sampled_from((None, *KINDS)))),
            "join": JoinUp(above=shortest(texts, other)[0], below=name), "heading": HeadingSaid(text=name, after=after, level=level),
            "furniture": FurnitureSaid(text=name, after=after), "order": Order(text=name, before=shortest(texts, other)[0]),
            "table": TableSaid(text=name, join_columns=(level,), join_rows=(2,), is_text=draw(st.booleans())),
            "convention": Convention(like=name, heading=level),
        }  # fmt: skip
        kind = draw(st.sampled_from(sorted(said)))
        made.setdefault(kind, []).append(said[kind])
    return Mends(**{kind: tuple(each) for kind, each in made.items()})


@settings(max_examples=60)
@given(st.data())
def test_no_word_is_lost_whatever_is_said(releases: list[Structure], data: st.DataObject) -> None:
    said = data.draw(mends([str(block.text) for block in releases[0].blocks]))
    made = reread(releases[0], said)
    assert set(all_words(reread(releases[0], None))) <= set(all_words(made)) | {"Q", "A"}
    assert len({each.id for each in made.entries}) == len(made.entries)


def test_check_lists_what_fits_no_longer_with_both_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quay.write(tmp_path / "quay.pdf")
    (tmp_path / "overrides.toml").write_text('[[heading]]\ntext = "Ropes and leaders"\nlevel = 2\n', encoding="utf-8")
    assert main(["check", str(tmp_path), "--strict"]) == 10
    told = capsys.readouterr().out
    assert 'override-unmatched: heading 1: "Ropes and leaders" fits no text any more; the nearest is “Ropes and ladders”' in told


# ---------------------------------------------------------------- a document of rules

WATCHES = """
lang: en
# Keepers of the Weir

## Setting out

Each crew lays its boats on the bank and lights one lamp for each of them.

## The night

A night has three watches, first the early watch, then the late one, and each crew acts in all of them.

EARLY WATCHThe crews wake their keepers and count the lamps that are still lit.

A crew without a lamp stays where it is.

LATE WATCHThe crews move, the one with the fewest lamps first.

## The weir

A weir is crossed by night alone, and only by a crew that has a lamp.

## The end

The crew with the most lamps wins.
"""


def test_words_that_were_set_together_are_split_and_a_heading_is_the_title_of_a_rule() -> None:
    page = case(WATCHES)
    said = Mends(
        split=(Split(before="The crews wake"), Split(before="The crews move")),
        heading=(HeadingSaid(text="LATE WATCH", level=2), HeadingSaid(text="EARLY WATCH", level=2)),
    )
    made = reread(page, said)
    assert all(each.found for each in made.replays)
    ruled = {str(each.title): each for each in made.entries if isinstance(each, Rule)}
    assert [len(ruled[name].body) for name in ("The night", "EARLY WATCH", "LATE WATCH")] == [1, 2, 1]
    assert ruled["EARLY WATCH"].section == ruled["LATE WATCH"].section == ("The night",)
    assert ruled["EARLY WATCH"].body[0].startswith("The crews wake")
    assert ruled["The weir"].section == ()
    assert ruled["The night"].body[0].startswith("A night has three watches, first the early watch")


def test_what_is_joined_stands_where_it_is_read() -> None:
    page = case(WATCHES)
    parted = reread(page, Mends(split=(Split(before="A crew without a lamp", kind="text"),)))
    assert any(isinstance(each, Prose) and each.text.startswith("A crew without") for each in parted.entries)
    said = Mends(split=(Split(before="A crew without a lamp", kind="text"), Split(before="LATE WATCH", kind="text")),
                 join=(JoinUp(above="A night has three", below="LATE WATCH"), JoinUp(above="A night has three", below="A crew without")))  # fmt: skip
    [night] = [each for each in reread(page, said).entries if isinstance(each, Rule) and each.title == "The night"]
    assert [each.split()[0] for each in night.body] == ["A", "EARLY", "A", "LATE"]


def test_two_paragraphs_of_an_entry_are_one_where_the_first_has_no_stop() -> None:
    page = case(WATCHES.replace("still lit.", "still with"))
    said = JoinUp(above="EARLY WATCHThe crews", below="A crew without")
    found = [each for made in (reread(page, None), reread(page, Mends(join=(said,)))) for each in made.entries
             if isinstance(each, Rule) and each.title == "The night"]  # fmt: skip
    assert [len(each.body) for each in found] == [4, 3]
    assert "still with A crew without a lamp stays" in found[1].body[1]


def test_a_numbered_rule_goes_under_the_heading_that_was_said() -> None:
    page = case("lang: en\n# Keepers of the Weir\n\n## The night\n\nA night has three watches.\n\n## 1. Early watch\n\nKeepers wake.\n\n"
                "## 2. Late watch\n\nKeepers move.\n\n## The weir\n\nIt is crossed by night alone.")  # fmt: skip
    said = Mends(heading=(HeadingSaid(text="1. Early watch", level=2), HeadingSaid(text="2. Late watch", level=2)))
    sections = {str(each.title): each.section for each in reread(page, said).entries if isinstance(each, Rule)}
    assert sections["Early watch"] == sections["Late watch"] == ("The night",)
    assert sections["The weir"] == ()


def test_a_text_is_found_behind_a_number_that_was_not_read_before() -> None:
    texts = [words_of(text) for text in ("1 EARLY WATCH", "Q: May a crew rest?", "The early watch", "EARLY")]
    assert places(texts, "Early watch") == [0]
    assert places(texts, "May a crew rest") == [1]
    assert places(texts, "1 Early watch") == [0]
