"""Imposition, folded on paper numbers: the reader who turns the leaves meets 1, 2, 3 …"""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    TextStringObject,
)

from pipeline import impose


def fold_and_stitch(sheets: list[tuple[tuple[int, int], tuple[int, int]]]) -> list[int]:
    """Lay the sheets on each other, the outermost below, fold them once, and turn the leaves."""
    first_half = [page for (_, right), (left, _) in sheets for page in (right, left)]
    second_half = [page for (left, _), (_, right) in reversed(sheets) for page in (right, left)]
    return first_half + second_half


def fold_zine(cells: list[impose.Cell]) -> list[int]:
    """Fold one sheet in eight, cut along the middle, and open the cross to a booklet.

    Lengthwise first, so that the rows lie back to back; the slit opens, the four middle cells become two leaves, and
    the outer cells close around them. Leaves run clockwise around the sheet from the second cell of the lower row.
    """
    at = {(cell.row, cell.column): cell.page for cell in cells}
    around = [(1, 1), (1, 2), (1, 3), (0, 3), (0, 2), (0, 1), (0, 0), (1, 0)]
    return [at[place] for place in around]


@given(st.integers(1, 400))
def test_a_stitched_booklet_reads_from_first_to_last(pages: int) -> None:
    order = fold_and_stitch(impose.stitched(pages))
    assert len(order) % 4 == 0
    assert [page for page in order if page != impose.BLANK] == list(range(1, pages + 1))
    assert len(order) - pages < 4


@pytest.mark.parametrize(("pages", "sheet"), [(8, 0), (5, 0), (16, 1), (11, 1)])
def test_a_folded_zine_reads_from_first_to_last(pages: int, sheet: int) -> None:
    order = fold_zine(impose.zine(pages, sheet))
    assert order == [page if page <= pages else impose.BLANK for page in range(8 * sheet + 1, 8 * sheet + 9)]


def test_the_upper_row_of_a_zine_stands_on_its_head() -> None:
    assert {cell.row for cell in impose.zine(8) if cell.turned} == {0}
    assert {cell.row for cell in impose.zine(8) if not cell.turned} == {1}


def numbered(pages: int) -> bytes:
    """A PDF whose pages say their numbers."""
    writer = PdfWriter()
    names = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    font = DictionaryObject({NameObject(key): NameObject(value) for key, value in names.items()})
    for number in range(1, pages + 1):
        made = writer.add_page(PageObject.create_blank_page(width=200, height=300))
        drawn = DecodedStreamObject()
        drawn.set_data(f"BT /F1 12 Tf 10 10 Td (page {number}) Tj ET".encode())
        made[NameObject("/Contents")] = writer._add_object(drawn)
        fonts = DictionaryObject({NameObject("/F1"): font})
        made[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def numbers_on(page: PageObject) -> set[str]:
    return set(page.extract_text().split("page ")) - {""}


def test_sheets_hold_the_pages_of_their_order() -> None:
    sheets = PdfReader(io.BytesIO(impose.booklet_sheets(numbered(8)))).pages
    assert [{n.strip() for n in numbers_on(side)} for side in sheets] == [
        {"8", "1"},
        {"2", "7"},
        {"6", "3"},
        {"4", "5"},
    ]
    assert float(sheets[0].mediabox.width) == 400


def linked(pdf: bytes, **places: tuple[int, float]) -> bytes:
    """The same pages with anchors: page from 1, and how far up it."""
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    for name, (number, top) in places.items():
        page = writer.pages[number - 1]
        where = [page.indirect_reference, NameObject("/XYZ"), FloatObject(0), FloatObject(top * page.mediabox.height), FloatObject(0)]
        writer.add_named_destination_array(TextStringObject(name), ArrayObject(where))
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("pages", "places", "last"),
    [
        (6, {"index": (6, 0.95)}, "6"),  # it begins the last page, which is the back cover
        (6, {"index": (5, 0.95), "sources": (6, 0.4)}, "6"),  # nor is the index parted
        (6, {"index": (6, 0.6)}, ""),  # text goes on above it
        (5, {"index": (4, 0.95)}, ""),  # left pages would be right ones
        (7, {"sources": (7, 0.95)}, ""),  # its folio would stand in the spine
        (6, {}, ""),
    ],
)
def test_pages_for_notes_part_nothing_that_is_read_on(pages: int, places: dict[str, tuple[int, float]], last: str) -> None:
    sheets = PdfReader(io.BytesIO(impose.booklet_sheets(linked(numbered(pages), **places), linked(numbered(3))))).pages
    assert len(sheets) == 4 and {n.strip() for n in numbers_on(sheets[0])} >= ({last} if last else {"1"})
    assert impose._with_filler(linked(numbered(pages), **places), ["note"] * 3).index("note") == (
        min(number for number, _ in places.values()) - 1 if last else pages
    )


def test_a_zine_is_one_side_of_one_sheet_for_every_eight_pages() -> None:
    assert len(PdfReader(io.BytesIO(impose.zine_sheets(numbered(8)))).pages) == 1
    assert len(PdfReader(io.BytesIO(impose.zine_sheets(numbered(9)))).pages) == 2


def test_the_same_pages_give_the_same_bytes() -> None:
    assert impose.booklet_sheets(numbered(5)) == impose.booklet_sheets(numbered(5))
    assert impose.zine_sheets(numbered(5)) == impose.zine_sheets(numbered(5))
