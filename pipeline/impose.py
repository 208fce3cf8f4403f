"""PDF -> sheets to print and fold: a stitched booklet and a zine of eight pages. The only door to pypdf.

The order of pages is pure arithmetic, apart from the drawing, so that a test can fold it on paper numbers.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

POINTS = 72 / 25.4  # in a millimetre
BLANK = 0  # the number of a page that is not there
BACK = ("glossary", "index", "sources")  # anchors of what follows the text of a booklet
HEAD = 0.9  # of its height: what is linked to higher up begins a page

# ---------------------------------------------------------------- the order


def stitched(pages: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """For each sheet from the outermost: (left, right) of its front and of its back, pages from 1, padded to 4.

    Printed on both sides, turned on the short edge, laid on each other and folded once.
    """
    whole = -(-pages // 4) * 4

    def number(page: int) -> int:
        return page if page <= pages else BLANK

    return [
        ((number(whole - 2 * sheet), number(2 * sheet + 1)), (number(2 * sheet + 2), number(whole - 2 * sheet - 1)))
        for sheet in range(whole // 4)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A page on a zine's sheet: column and row of four by two, seen landscape; turned when it stands on its head."""

    page: int
    column: int
    row: int
    turned: bool


def zine(pages: int, sheet: int = 0) -> list[Cell]:
    """Eight pages on one side of one sheet; the upper row stands on its head. Folded in eight, cut in the middle.

    Upper row, left to right: 7 6 5 4, turned. Lower row: 8 1 2 3.
    """
    first = sheet * 8
    upper = [Cell(page=first + page, column=column, row=0, turned=True) for column, page in enumerate((7, 6, 5, 4))]
    lower = [Cell(page=first + page, column=column, row=1, turned=False) for column, page in enumerate((8, 1, 2, 3))]
    return [Cell(page=c.page if c.page <= pages else BLANK, column=c.column, row=c.row, turned=c.turned)
            for c in upper + lower]  # fmt: skip


# ---------------------------------------------------------------- the sheets


def booklet_sheets(pdf: bytes, filler: bytes | None = None, mark: str = "") -> bytes:
    """The pages of a booklet two by two, in the order in which sheets are folded and stitched.

    ``filler``: pages for notes where the count is no multiple of four.
    """
    pages = _with_filler(pdf, _pages(filler) if filler else [])
    wide, high = _size(pages[0])
    writer = _writer()
    for sheet in stitched(len(pages)):
        for left, right in sheet:
            target = writer.add_blank_page(width=2 * wide, height=high)
            for number, x in ((left, 0.0), (right, wide)):
                if number != BLANK:
                    _lay(target, pages[number - 1], x, 0.0, turned=False)
    return _written(writer, mark)


def missing(pages: int) -> int:
    """How many pages a booklet lacks to be whole sheets."""
    return -pages % 4


def page_count(pdf: bytes) -> int:
    """The number of pages of a PDF."""
    return len(_pages(pdf))


def zine_sheets(pdf: bytes, mark: str = "") -> bytes:
    """Every eight pages on one sheet, with marks where to fold and the line to cut."""
    pages = _pages(pdf)
    wide, high = _size(pages[0])
    writer = _writer()
    for sheet in range(-(-len(pages) // 8)):
        target = writer.add_blank_page(width=4 * wide, height=2 * high)
        for cell in zine(len(pages), sheet):
            if cell.page != BLANK:
                _lay(target, pages[cell.page - 1], cell.column * wide, (1 - cell.row) * high, turned=cell.turned)
        _draw(target, _zine_marks(wide, high))
    return _written(writer, mark)


def _with_filler(pdf: bytes, filler: Sequence[Any]) -> list[Any]:
    """Pages for notes before what follows the text, else at the end: nothing that is read on is parted by them."""
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(pdf))
    pages = list(reader.pages)
    lacking = missing(len(pages))
    if not filler or not lacking:
        return pages
    named = [reader.named_destinations[name] for name in BACK if name in reader.named_destinations]
    heads = sorted(
        reader.get_destination_page_number(each) or 0
        for each in named
        if float(each.top or 0) > HEAD * float(pages[0].mediabox.height)
    )
    # An odd number of pages would turn left into right, and put the folios of all that follow into the spine.
    place = next(iter(heads), len(pages)) if lacking % 2 == 0 else len(pages)
    return [*pages[:place], *filler[:lacking], *pages[place:]]


def _pages(pdf: bytes) -> list[Any]:
    from pypdf import PdfReader

    return list(PdfReader(io.BytesIO(pdf)).pages)


def _size(page: Any) -> tuple[float, float]:
    return float(page.mediabox.width), float(page.mediabox.height)


def _writer() -> Any:
    from pypdf import PdfWriter

    return PdfWriter()


def _lay(target: Any, page: Any, x: float, y: float, *, turned: bool) -> None:
    from pypdf import Transformation

    wide, high = _size(page)
    move = Transformation().rotate(180).translate(wide, high) if turned else Transformation()
    for name in ("/Annots", "/StructParents", "/Tabs"):  # links and tags belong to the reading file
        if name in page:
            del page[name]
    target.merge_transformed_page(page, move.translate(x, y), over=True, expand=False)


def _zine_marks(wide: float, high: float) -> bytes:
    """The cut as dashes between the rows, over the two middle columns; folds as ticks at the edges."""
    tick = 3 * POINTS
    lines = [f"{column * wide:.2f} {y:.2f} m {column * wide:.2f} {y + tick:.2f} l S"
             for column in (1, 2, 3) for y in (0.0, 2 * high - tick)]  # fmt: skip
    lines += [f"{x:.2f} {high:.2f} m {x + tick:.2f} {high:.2f} l S" for x in (0.0, 4 * wide - tick)]
    cut = f"[4 3] 0 d {wide:.2f} {high:.2f} m {3 * wide:.2f} {high:.2f} l S"
    return f"q 0.4 w 0.3 G {' '.join(lines)} {cut} Q".encode()


def _draw(target: Any, operators: bytes) -> None:
    from pypdf.generic import DecodedStreamObject, NameObject

    content = target.get_contents()
    stream = DecodedStreamObject()
    stream.set_data((content.get_data() if content is not None else b"") + b"\n" + operators)
    target[NameObject("/Contents")] = target.indirect_reference.pdf._add_object(stream)


def _written(writer: Any, mark: str) -> bytes:
    """The bytes of the sheets; ``mark`` says of which reading file they were made."""
    writer.metadata = {"/Producer": "Rubricator", **({"/Rubricator": mark} if mark else {})}
    for page in writer.pages:
        page.compress_content_streams()
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
