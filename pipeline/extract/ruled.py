"""pdfplumber, for ruled tables only: it is the best at them, and slow, so it is asked only where rules are."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from dataclasses import replace

from pipeline.records import Box, Page, RuledTable

THIN = 2.5  # points; a thinner rectangle is a ruling line
LONG = 15.0  # points; shorter strokes are underlines of a word, ticks, decoration
RULES_MIN = 4  # ruling lines that make a table thinkable
SHAPES_MAX = 2_500  # on a page; more are an illustration
RUNS_MAX = 20_000  # on a page; more would take pdfplumber too long
PAGES_MAX = 60  # pages of one document that are worth the time


def looks_ruled(page: Page) -> bool:
    """Enough lines across and down, or enough cells, that a table may be there."""
    if len(page.shapes) > SHAPES_MAX or len(page.runs) > RUNS_MAX:
        return False
    across = down = cells = 0
    for shape in page.shapes:
        wide, high = shape.box.x1 - shape.box.x0, shape.box.bottom - shape.box.top
        if high <= THIN and wide >= LONG:
            across += 1
        elif wide <= THIN and high >= LONG / 2:
            down += 1
        elif shape.stroke and wide >= LONG and high >= LONG / 2:
            cells += 1
    return (across >= 2 and down >= 2 and across + down >= RULES_MIN) or cells >= RULES_MIN


def ruled_tables(content: bytes, pages: Sequence[Page]) -> dict[int, tuple[RuledTable, ...]]:
    """The ruled tables of these pages; a page on which pdfplumber fails has none."""
    import pdfplumber
    from pdfminer.pdfinterp import PDFResourceManager

    class Fontless(PDFResourceManager):
        """Without fonts no letters are made: lines are all that we ask for, and letters are two thirds of the work."""

        def get_font(self, objid: object, spec: object) -> None:  # type: ignore[override]
            return None

    logging.getLogger("pdfminer").setLevel(logging.ERROR)  # its warnings are about fonts that we do not ask it for
    found: dict[int, tuple[RuledTable, ...]] = {}
    try:
        with pdfplumber.open(io.BytesIO(content)) as document:
            document.rsrcmgr = Fontless()
            for page in pages[:PAGES_MAX]:
                held = document.pages[page.number - 1]
                tables = tuple(_table(table, held) for table in held.find_tables())
                found[page.number] = tuple(table for table in tables if _is_table(table))
                held.close()
    except Exception:  # a second opinion only: without it the text is read as lines
        return found
    return found


def _table(table: object, held: object) -> RuledTable:
    rows = tuple(tuple(_box(cell, held) if cell else None for cell in row.cells) for row in table.rows)  # type: ignore[attr-defined]
    return _untitled(RuledTable(box=_box(table.bbox, held), cells=rows))  # type: ignore[attr-defined]


def _untitled(table: RuledTable) -> RuledTable:
    """Without rows above it that are one cell over its whole width: a bar with the heading of what follows."""
    rows = table.cells
    while len(rows) > 2 and len(rows[0]) > 1 and rows[0][0] and not any(rows[0][1:]):
        rows = rows[1:]
    top = min((cell.top for cell in rows[0] if cell), default=table.box.top)
    return replace(table, box=replace(table.box, top=top), cells=rows)


def _box(bounds: tuple[float, float, float, float], held: object) -> Box:
    left, top = (max(sides) for sides in zip(held.bbox[:2], held.cropbox[:2], strict=True))  # type: ignore[attr-defined]
    return Box(x0=bounds[0] - left, top=bounds[1] - top, x1=bounds[2] - left, bottom=bounds[3] - top)


def _is_table(table: RuledTable) -> bool:
    """Two rows and two columns at least: one cell is a box, one row is a bar."""
    return len(table.cells) >= 2 and max(len(row) for row in table.cells) >= 2
