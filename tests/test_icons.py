"""Icons get the names that book.toml gives them, everywhere and only there."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from pipeline import flow
from pipeline.icons import name_icons, unnamed
from pipeline.records import QA, Change, Document, Erratum, Operation, Span, Table
from pipeline.render import products
from pipeline.text import rich
from tests.conftest import ROOT

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


def test_different_icons_without_a_name_are_different() -> None:
    for names in ({}, {"Other:E001": "x"}):
        question, erratum, _ = name_icons(document(), names).entries
        assert (question.question, question.answer) == ("Un [icon] ?", ("[icon 2] ou rien",))  # type: ignore[union-attr]
        assert erratum.changes[0].new == ("Lancez [icon]",)  # type: ignore[union-attr]


def test_a_document_with_one_icon_or_none_is_the_same() -> None:
    before = document()
    before = replace(before, entries=before.entries[1:])
    assert name_icons(before, {}) is before
    assert name_icons(before, {"Other:E001": "x"}) is before


def test_the_glyphs_without_a_name_are_counted() -> None:
    assert unnamed(document()) == {"Runes:E001": 3, "Runes:E002": 1}
    assert unnamed(name_icons(document(), {"Runes:E001": "dé"})) == {"Runes:E002": 1}


def test_a_nameless_icon_is_drawn_as_its_source_draws_it(tmp_path: Path) -> None:
    folder = tmp_path / "orrery"
    folder.mkdir()
    for path in (ROOT / "sources" / "brass-orrery").glob("*.pdf"):
        shutil.copy(path, folder)
    book, _ = flow.open_book(folder, jobs=1)
    drawn = dict(book.drawings)
    assert {"HeronSymboles:E001", "HeronSymboles:E002"} <= set(drawn)
    assert len(set(drawn.values())) == len(drawn) and all(ElementTree.fromstring(svg) is not None for svg in drawn.values())
    press = products.Press(book, None, None, lambda html, pictures: b"")
    html = press.page("sheet")
    assert "rubricator:picture/HeronSymboles:E001" in html and ">[icon" not in html
    assert "rubricator:picture/HeronSymboles:E002" in html
    assert press.web().count("drawn icon-") > 4
