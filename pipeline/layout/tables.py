"""Tables without ruling lines: rows of short cells that stand under each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pipeline.layout.lines import Fragment
from pipeline.records import Box, RuledTable

ROWS_MIN = 3
ROWS_OF_TWO = 4  # with two columns only, more rows are needed to be sure
PITCH = 3.2  # times the type size: rows further apart are not one table
FULL = 0.6  # share of cells that must hold something
LONG = 20  # letters on both sides of a gap, on average: two columns of text
CELL_MAX = 60  # letters; longer pieces are columns of text, not cells

_LABEL = re.compile(r"^(?:[^\w\s]{1,2}|o|\(?\w{1,3}[.):]|[A-Za-z]\d{0,2} ?[:.)])$")
_PAGE = re.compile(r"^[\d\s.,…-]+$")


def unruled(lines: Sequence[Fragment]) -> list[tuple[int, int, RuledTable]]:
    """Runs of lines that are a table: (first line, line after the last, its cells)."""
    found: list[tuple[int, int, RuledTable]] = []
    start = 0
    while start < len(lines):
        end = _run(lines, start)
        table = _table(lines[start:end]) if end - start >= ROWS_MIN else None
        if table is not None:
            found.append((start, end, table))
        start = max(end, start + 1)
    return found


def _run(lines: Sequence[Fragment], start: int) -> int:
    """The line after the last one in a row that has cells."""
    end = start
    while end < len(lines) and _has_cells(lines[end]):
        if end > start and lines[end].baseline - lines[end - 1].baseline > PITCH * max(
            lines[end].size, lines[end - 1].size
        ):
            break
        end += 1
    return end


def _has_cells(line: Fragment) -> bool:
    cells = line.cells
    if len(cells) < 2 or _LABEL.match(cells[0].text):
        return False
    if len(cells) == 2 and "…" in cells[0].text + cells[1].text:
        return False
    return all(len(cell.text) <= CELL_MAX for cell in cells)


def _table(lines: Sequence[Fragment]) -> RuledTable | None:
    columns = _columns(lines)
    if len(columns) < 2 or (len(columns) == 2 and (len(lines) < ROWS_OF_TWO or _contents(lines) or _long(lines))):
        return None
    filled = sum(len(line.cells) for line in lines)
    if filled < FULL * len(columns) * len(lines):
        return None
    edges = [columns[0][0] - 2, *((a[1] + b[0]) / 2 for a, b in pairwise(columns)), columns[-1][1] + 2]
    tops = [lines[0].top - 2, *((a.bottom + b.top) / 2 for a, b in pairwise(lines)), lines[-1].bottom + 2]
    cells = tuple(
        tuple(Box(x0=x0, top=top, x1=x1, bottom=bottom) for x0, x1 in pairwise(edges)) for top, bottom in pairwise(tops)
    )
    return RuledTable(box=Box(x0=edges[0], top=tops[0], x1=edges[-1], bottom=tops[-1]), cells=cells)


def _long(lines: Sequence[Fragment]) -> bool:
    """Are the pieces on both sides as long as lines of running text?"""
    sides = ([len(line.cells[0].text) for line in lines], [len(line.cells[-1].text) for line in lines])
    return all(sum(side) > LONG * len(side) for side in sides)


def _contents(lines: Sequence[Fragment]) -> bool:
    """A table of contents: titles with page numbers."""
    return all(_PAGE.match(line.cells[-1].text) for line in lines) and len(lines[0].cells[0].text) > 3


def _columns(lines: Sequence[Fragment]) -> list[tuple[float, float]]:
    """Where the cells of all rows stand: strips with white between them."""
    edges = sorted((cell.x0, cell.x1) for line in lines for cell in line.cells)
    columns: list[tuple[float, float]] = []
    for x0, x1 in edges:
        if columns and x0 < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns
