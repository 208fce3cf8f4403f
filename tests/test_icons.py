"""Icons get the names that book.toml gives them, everywhere and only there."""

from __future__ import annotations

from pipeline.icons import name_icons, unnamed
from pipeline.records import QA, Change, Document, Erratum, Operation, Span, Table
from pipeline.text import rich

DIE, SHIELD = Span(text="[icon]", icon="Runes:E001"), Span(text="[icon]", icon="Runes:E002")


def document() -> Document:
    change = Change(operation=Operation.INSERT, new=(rich("Lancez ", DIE),))
    return Document(
        source="a.pdf", sha256="0", pages=1,
        entries=(QA(id="q", question=rich("Un ", DIE, " ?"), answer=(rich(SHIELD, " ou rien"),)),
                 Erratum(id="e", changes=(change,)), Table(id="t", rows=((rich(DIE), rich("2")),))),
    )  # fmt: skip


def test_every_icon_with_a_name_gets_it() -> None:
    question, erratum, table = name_icons(document(), {"Runes:E001": "dé"}).entries
    assert question.question == "Un [dé] ?" and question.answer == ("[icon] ou rien",)  # type: ignore[union-attr]
    assert erratum.changes[0].new == ("Lancez [dé]",)  # type: ignore[union-attr]
    assert table.rows == (("[dé]", "2"),)  # type: ignore[union-attr]


def test_a_document_without_names_is_the_same() -> None:
    before = document()
    assert name_icons(before, {}) is before
    assert name_icons(before, {"Other:E001": "x"}) is before


def test_the_glyphs_without_a_name_are_counted() -> None:
    assert unnamed(document()) == {"Runes:E001": 3, "Runes:E002": 1}
    assert unnamed(name_icons(document(), {"Runes:E001": "dé"})) == {"Runes:E002": 1}
