"""Tables between rules, divided as their text is: rules may be drawn between some cells only, and more than once.

reaching  rows straight above and below the rules that stand in the table's columns belong to it
gaps      white that runs down through a column is an edge, too
split     a cell over several columns whose text stands apart in each of them is as many cells
merged    columns of which one is too narrow for text, or whose texts stand above each other and never side by side
lined     lines between two rules that are read across are rows, unless they are the header's
apart     a row like the header begins another table
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

from pipeline.layout.lines import Fragment
from pipeline.layout.tables import (
    PAIRED,
    ROWS_MIN,
    SHORT,
    SPLIT,
    Band,
    Grid,
    Interval,
    bands_of,
    by_column,
    cut,
    cut_at,
    has_letter,
    is_broken,
    is_item,
    look_of,
    rows_of,
    strips_of,
)
from pipeline.records import Box, RuledTable

INSIDE = 1.0  # points by which text may stick out of its cell

Row = Sequence[Box | None]
_left = attrgetter("x0")


def divided(table: RuledTable, pieces: Sequence[Fragment]) -> Grid:
    """The cells of a table between rules, and its pieces, cut at their edges."""
    edges = sorted({cell.x0 for row in table.cells for cell in row if cell is not None})
    apart = [part for piece in pieces for part_piece in _cut(piece, edges) for part in cut(part_piece, SPLIT)]
    white = [x for at in range(len(edges)) for x in _gaps([row[at] for row in table.cells], edges, apart)]
    cells = [{cell.x0: cell for cell in row if cell is not None} for row in table.cells]
    edges = sorted([*edges, *white])
    parts = [part for piece in pieces for part in _cut(piece, edges)]
    rows = _merged([_split(tuple(row.get(x) for x in edges), edges, parts) for row in cells], parts)
    rows[1:] = [part for row in rows[1:] for part in lined(row, parts)]  # a header may have several lines
    taken = {id(run) for piece in parts for run in piece.runs}
    return Grid(taken, parts, replace(table, cells=tuple(map(tuple, rows))))


def reaching(
    table: RuledTable, inside: Sequence[Fragment], outside: Sequence[Fragment]
) -> tuple[RuledTable, list[Fragment]]:
    """The table and what stands in it, with the rows straight above and below it, which may have no rules."""
    box, cells = table.box, table.cells
    edges = sorted({cell.x0 for row in cells for cell in row if cell is not None})
    near = [piece for piece in outside if box.x0 <= piece.x0 and piece.x1 <= box.x1]
    over = _open(reversed(bands_of([piece for piece in near if piece.bottom <= box.top])), box.top, edges)
    under = _open(bands_of([piece for piece in near if piece.top >= box.bottom]), box.bottom, edges)
    top = min([piece.top for piece in over], default=box.top)
    bottom = max([piece.bottom for piece in under], default=box.bottom)
    sides = list(pairwise([*edges, box.x1]))
    if over:
        cells = (tuple(Box(x0=x0, top=top, x1=x1, bottom=box.top) for x0, x1 in sides), *cells)
    if under:
        cells = (*cells, tuple(Box(x0=x0, top=box.bottom, x1=x1, bottom=bottom) for x0, x1 in sides))
    return replace(table, box=replace(box, top=top, bottom=bottom), cells=cells), [*inside, *over, *under]


def _open(bands: Iterable[Band], end: float, edges: Sequence[float]) -> list[Fragment]:
    """The lines of several short pieces, each in a column, less than a line from each other and from ``end``."""
    short: list[Fragment] = []
    for band in bands:
        columns = {bisect(edges, piece.x0 + INSIDE) for piece in band.pieces}
        crosses = any(bisect(edges, f.x0 + INSIDE) < bisect(edges, f.x1 - INSIDE) for f in band.pieces)
        long = sum(len(piece.text) for piece in band.pieces) > SHORT * len(band.pieces)
        if crosses or long or len(columns) < 2 or min(abs(band.top - end), abs(band.bottom - end)) >= band.size:
            break
        short += band.pieces
        end = band.bottom if band.top > end else band.top
    return short


def _cut(piece: Fragment, edges: Sequence[float]) -> list[Fragment]:
    return cut_at(piece, edges) if len(piece.runs) > 1 else [piece]


def _gaps(column: Row, edges: Sequence[float], pieces: Sequence[Fragment]) -> list[float]:
    """Where white runs down through a column between two rules, with text on both sides in nearly all of its lines."""
    cells = [cell for cell in column if cell and not any(cell.x0 < x < cell.x1 - INSIDE for x in edges)]
    lines = [band for cell in cells for band in bands_of(_held(cell, pieces))]
    strips = strips_of([(piece.x0, piece.x1) for line in lines for piece in line.pieces])
    items = sum(is_item(min(line.pieces, key=_left)) for line in lines)
    if len(lines) < ROWS_MIN or len(strips) < 2 or 2 * items > len(lines):
        return []
    filled = sum(any(x0 <= piece.x0 < x1 for piece in line.pieces) for line in lines for x0, x1 in strips)
    least = SPLIT * max(line.size for line in lines)
    near = any(after[0] - before[1] < least for before, after in pairwise(strips))
    if near or filled < PAIRED * len(lines) * len(strips):
        return []
    return [(before[1] + after[0]) / 2 for before, after in pairwise(strips)]


def _texts(row: Row, pieces: Sequence[Fragment]) -> list[list[Fragment]]:
    """What stands in each cell of a row."""
    high, low = min([cell.top for cell in row if cell]), max([cell.bottom for cell in row if cell])
    near = [piece for piece in pieces if piece.top < low and piece.bottom > high]
    return [_held(cell, near) if cell else [] for cell in row]


def _held(cell: Box, pieces: Sequence[Fragment]) -> list[Fragment]:
    left, right, top, bottom = 2 * (cell.x0 - INSIDE), 2 * (cell.x1 + INSIDE), 2 * cell.top, 2 * cell.bottom
    return [f for f in pieces if left <= f.x0 + f.x1 <= right and top <= f.top + f.bottom <= bottom]


def _split(row: Row, edges: Sequence[float], pieces: Sequence[Fragment]) -> Row:
    """A row whose cells over several columns are split where all their text leaves white."""
    cells = list(row)
    for at, cell in enumerate(row):
        inner = [n for n, x in enumerate(edges) if cell is not None and cell.x0 + INSIDE < x < cell.x1 - INSIDE]
        if cell is None or not inner:
            continue
        texts = _held(cell, pieces)
        starts = [at, *(n for n in inner if _is_white(edges[n], texts))]
        filled = sorted({starts[bisect([edges[n] for n in starts[1:]], (f.x0 + f.x1) / 2)] for f in texts})
        if len(filled) > 1:
            cells[at] = None
            sides = pairwise([cell.x0, *(edges[n] for n in filled[1:]), cell.x1])
            for start, (x0, x1) in zip(filled, sides, strict=True):
                cells[start] = replace(cell, x0=x0, x1=x1)
    return tuple(cells)


def _is_white(x: float, pieces: Sequence[Fragment]) -> bool:
    """Does no piece cross this edge, nor come as close to one behind it as words do?"""
    if any(piece.x0 < x < piece.x1 for piece in pieces):
        return False
    sides = (([f.x1 for f in band.pieces if f.x1 <= x], [f.x0 for f in band.pieces if f.x0 >= x], band.size)
             for band in bands_of(pieces))  # fmt: skip
    return all(min(right) - max(left) > SPLIT * size for left, right, size in sides if left and right)


def _merged(rows: Sequence[Row], pieces: Sequence[Fragment]) -> list[Row]:
    """The rows without columns that are too narrow for a letter, and without edges that part no texts."""
    by_row = [_texts(row, pieces) for row in rows]
    least = min(piece.size for piece in pieces)
    at = 1
    while at < len(rows[0]):
        left, right = ([piece for row in by_row for piece in row[n]] for n in (at - 1, at))
        narrow = any(not texts and _wide(rows, n) < least for n, texts in ((at - 1, left), (at, right)))
        above = any(a.x0 < b.x1 and b.x0 < a.x1 for a in left for b in right)
        if any(row[at - 1] and row[at] for row in by_row) or not (narrow or above):
            at += 1
            continue
        rows = [(*row[: at - 1], _both(row[at - 1], row[at], texts[at]), *row[at + 1 :])
                for row, texts in zip(rows, by_row, strict=True)]  # fmt: skip
        by_row = [[*row[: at - 1], [*row[at - 1], *row[at]], *row[at + 1 :]] for row in by_row]
    return list(rows)


def _wide(rows: Sequence[Row], at: int) -> float:
    """How wide the narrowest cell of a column is."""
    return min([cell.x1 - cell.x0 for row in rows if (cell := row[at])], default=0.0)


def _both(cell: Box | None, other: Box | None, texts: Sequence[Fragment]) -> Box | None:
    """Two cells side by side as one, as high as the second if there is text in it, else as the first."""
    if cell is None or other is None:
        return cell or other
    return replace(other if texts else cell, x0=cell.x0, x1=other.x1)


def lined(row: Row, pieces: Sequence[Fragment]) -> list[Row]:
    """The rows between two rules: their lines, if they are read across, with the lines in which one of them goes on."""
    columns = [(cell, texts) for cell, texts in zip(row, _texts(row, pieces), strict=True) if cell and texts]
    bands = bands_of([piece for _, texts in columns for piece in texts])
    if len(bands) < 2 or len(columns) < 2 or any(sum(map(is_item, texts)) > 1 for _, texts in columns):
        return [row]  # a list in a cell is read down
    top, bottom = max(cell.top for cell, _ in columns), min(cell.bottom for cell, _ in columns)
    if any(cell.bottom > bottom + INSIDE for cell, _ in columns):
        return [row]  # beside a cell over several rows
    inner = [_inner(cell, texts) for cell, texts in columns]
    cells = [by_column(band.pieces, inner, spans=False) for band in bands]
    full = sum(len(line) >= PAIRED * len(columns) for line in cells)
    figures = any(len(texts) > 1 and not any(map(has_letter, texts)) for _, texts in columns)
    going_on = sum(_wraps(texts, inside) for (_, texts), inside in zip(columns, inner, strict=True))
    if full < (2 if figures else ROWS_MIN) or 2 * going_on >= len(columns):
        return [row]
    rows = rows_of(bands, cells, inner, [False] * (len(bands) - 1), set())
    ends = [top, *((bands[a[-1]].bottom + bands[b[0]].top) / 2 for a, b in pairwise(rows)), bottom]
    return [[cell and replace(cell, top=y0, bottom=y1) for cell in row] for y0, y1 in pairwise(ends)]


def _inner(cell: Box, texts: Sequence[Fragment]) -> Interval:
    """What a cell leaves its text: white is as wide at its right as at its left."""
    left = min(piece.x0 for piece in texts)
    return left, max(cell.x1 + cell.x0 - left, max(piece.x1 for piece in texts))


def _wraps(texts: Sequence[Fragment], column: Interval) -> bool:
    """Do most lines of a cell go on in the next?"""
    lines = sorted(texts, key=lambda piece: piece.baseline)
    broken = [is_broken(above, below, column) for above, below in pairwise(lines)]
    return 2 * sum(broken) > len(broken)


def apart(grid: Grid) -> list[Grid]:
    """Tables under each other, each with a header of its own: a row like the first, in type and in most of its words,
    begins another."""
    rows, box = grid.table.cells, grid.table.box
    by_row = [_texts(row, grid.pieces) for row in rows]
    starts = [at for at in range(2, len(rows)) if _heads(by_row[0], by_row[at - 1], by_row[at])]
    if not starts or grid.lists:
        return [grid]
    tops = [min(piece.top for cell in by_row[at] for piece in cell) for at in starts]
    numbers = [bisect(tops, piece.top) for piece in grid.pieces]
    parts = []
    for number, (start, end) in enumerate(pairwise([0, *starts, len(rows)])):
        inside = [piece for piece, home in zip(grid.pieces, numbers, strict=True) if home == number]
        part = replace(box, top=[box.top, *tops][number], bottom=[*tops, box.bottom][number])
        taken = {id(run) for piece in inside for run in piece.runs}
        parts.append(Grid(taken, inside, replace(grid.table, box=part, cells=rows[start:end])))
    return parts


def _heads(header: Sequence[list[Fragment]], above: Sequence[list[Fragment]], row: Sequence[list[Fragment]]) -> bool:
    """Is a row set as the header is, and the one above it not, with the words of most of the header's cells?"""
    first, before, this = ({look_of(piece) for cell in cells for piece in cell} for cells in (header, above, row))
    texts = [[" ".join(piece.text for piece in cell) for cell in cells] for cells in (header, row)]
    same = sum(one == two != "" for one, two in zip(*texts, strict=True))
    return first == this != before and 2 * same >= len([text for text in texts[0] if text]) > 2
