"""Icons get the names that book.toml gives them, everywhere and only there."""

from __future__ import annotations

import base64
from dataclasses import replace
from pathlib import Path
from typing import Any

from pdfs import Paper

from pipeline import flow
from pipeline.icons import name_icons, number_icons, numbered_alike, unnamed
from pipeline.records import QA, Change, Document, Erratum, Icon, Operation, Rule, Span, Table
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


def drawn() -> Document:
    icons = (Icon(glyph="Runes:E001", picture="QQ=="), Icon(glyph="Runes:E002", picture="Qg=="))
    return replace(document(), icons=icons)


def test_icons_without_a_name_are_numbered_where_there_are_several() -> None:
    [made] = number_icons([drawn()])
    assert made.entries[0].question == "Un [icon 1] ?"  # type: ignore[union-attr]
    assert made.entries[0].answer == ("[icon 2] ou rien",)  # type: ignore[union-attr]
    assert unnamed(made) == {"Runes:E001": 3, "Runes:E002": 1}
    [named] = number_icons([name_icons(made, {"Runes:E001": "dé"})])
    assert named.entries[0].question == "Un [dé] ?"  # type: ignore[union-attr]
    assert named.entries[0].answer == ("[icon] ou rien",)  # type: ignore[union-attr]


def test_the_same_icon_has_the_same_number_in_all_documents_of_a_book() -> None:
    other = Document(source="b.pdf", sha256="1", pages=1, icons=drawn().icons[1:],
                     entries=(QA(id="r", question=rich("Et ", SHIELD, " ?")),))  # fmt: skip
    _, made = number_icons([drawn(), *number_icons([other])])
    assert made.entries[0].question == "Et [icon 2] ?"  # type: ignore[union-attr]


def test_releases_whose_font_was_made_anew_are_compared_without_numbers() -> None:
    anew = Document(source="b.pdf", sha256="1", pages=1, icons=(Icon(glyph="Runes2:F1", picture="QQ=="),),
                    entries=(QA(id="r", question=rich("Et ", Span(text="[icon]", icon="Runes2:F1"), " ?")),))  # fmt: skip
    old, new = numbered_alike(*number_icons([drawn()]), anew)
    assert old.entries[0].question == "Un [icon] ?"  # type: ignore[union-attr]
    assert new.entries[0].question == "Et [icon] ?"  # type: ignore[union-attr]


def _triangle(paper: Paper, x: float, y: float, colour: str) -> None:
    def draw(board: Any) -> None:
        board.setFillColor(colour)
        path = board.beginPath()
        path.moveTo(x, paper.height - y)
        path.lineTo(x + 7, paper.height - y)
        path.lineTo(x + 3.5, paper.height - y + 7)
        path.close()
        board.drawPath(path, stroke=0, fill=1)

    paper.pages[-1].append(draw)


def test_a_product_shows_an_icon_as_its_source_draws_it(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(50, 60, "Rules of the Lamp", size=18, bold=True)
    for line, colour in enumerate(("#204060", "#a03020")):
        paper.text(50, 100 + 60 * line, f"{line + 1}. Moving {line}", size=12, bold=True)
        end = paper.text(50, 120 + 60 * line, "A figure may move by up to")
        _triangle(paper, end + 2, 120 + 60 * line, colour)
        paper.text(end + 11, 120 + 60 * line, "towards the lamp, and stops beside it.")
    read = flow.read(paper.save(tmp_path / "lamp.pdf"))
    assert [str(entry.body[0])[:37] for entry in read.entries if isinstance(entry, Rule)] == [
        "A figure may move by up to [icon 1] t", "A figure may move by up to [icon 2] t"
    ]  # fmt: skip
    first, second = read.icons
    assert base64.b64decode(first.picture).startswith(b"\x89PNG") and first.picture != second.picture
    page = flow.render(flow.merge([read]), "web", tmp_path / "web.html").read_text("utf-8")
    assert page.count("data:image/png;base64,") >= 2
    assert '<span class="icon drawn icon-1">[icon 1]</span>' in page
