"""Tables between rules, divided as their text is: rules may be drawn between some of the cells only, and more than once.

gaps      white that runs down through a column is an edge, too
split     a cell over several columns whose text stands apart in each of them is as many cells
merged    columns of which one is empty, or whose texts stand above each other and never side by side, are one
lined     lines between two rules that are read across are rows
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from pipeline.layout.lines import Fragment
from pipeline.layout.tables import PAIRED, ROWS_MIN, SPLIT, Grid, bands_of, cut, cut_at, is_broken, is_item, strips_of
from pipeline.records import Box, RuledTable

INSIDE = 1.0  # points by which text may stick out of its cell

Row = Sequence[Box | None]


def divided(table: RuledTable, pieces: Sequence[Fragment]) -> Grid:
    """The cells of a table between rules, and its pieces, cut at their edges."""
    edges = sorted({cell.x0 for row in table.cells for cell in row if cell is not None})
    apart = [part for piece in pieces for held in _cut(piece, edges) for part in cut(held, SPLIT)]
    white = [x for at in range(len(edges)) for x in _gaps([row[at] for row in table.cells], edges, apart)]
    cells = [{cell.x0: cell for cell in row if cell is not None} for row in table.cells]
    edges = sorted([*edges, *white])
    parts = [part for piece in pieces for part in _cut(piece, edges)]
    rows = _merged([_split(tuple(row.get(x) for x in edges), edges, parts) for row in cells], parts)
    return Grid(set(), parts, replace(table, cells=tuple(part for row in rows for part in _lined(row, parts))))


def _cut(piece: Fragment, edges: Sequence[float]) -> list[Fragment]:
    return cut_at(piece, edges) if len(piece.runs) > 1 else [piece]


def _gaps(column: Row, edges: Sequence[float], pieces: Sequence[Fragment]) -> list[float]:
    """Where white runs down through a column between two rules, with text on both sides in nearly all of its cells."""
    held = [_held(cell, pieces) for cell in column if cell and not any(cell.x0 < x < cell.x1 - INSIDE for x in edges)]
    held = [texts for texts in held if texts]
    found = strips_of([(piece.x0, piece.x1) for texts in held for piece in texts])
    if len(held) < ROWS_MIN or len(found) < 2 or any(is_item(piece) for texts in held for piece in texts):
        return []
    filled = sum(any(x0 <= piece.x0 < x1 for piece in texts) for texts in held for x0, x1 in found)
    size = max(piece.size for texts in held for piece in texts)
    near = any(after[0] - before[1] < SPLIT * size for before, after in pairwise(found))
    if near or filled < PAIRED * len(held) * len(found):
        return []
    return [(before[1] + after[0]) / 2 for before, after in pairwise(found)]


def _held(cell: Box | None, pieces: Sequence[Fragment]) -> list[Fragment]:
    """What stands in a cell."""
    if cell is None:
        return []
    left, right, top, bottom = 2 * (cell.x0 - INSIDE), 2 * (cell.x1 + INSIDE), 2 * cell.top, 2 * cell.bottom
    return [f for f in pieces if left <= f.x0 + f.x1 <= right and top <= f.top + f.bottom <= bottom]


def _split(row: Row, edges: Sequence[float], pieces: Sequence[Fragment]) -> Row:
    """A row whose cells over several columns are split where all their text leaves white."""
    made = list(row)
    for at, cell in enumerate(row):
        inner = [n for n, x in enumerate(edges) if cell is not None and cell.x0 + INSIDE < x < cell.x1 - INSIDE]
        if cell is None or not inner:
            continue
        held = _held(cell, pieces)
        starts = [at, *(n for n in inner if _is_white(edges[n], held))]
        filled = sorted({starts[bisect([edges[n] for n in starts[1:]], (f.x0 + f.x1) / 2)] for f in held})
        if len(filled) > 1:
            made[at] = None
            sides = pairwise([cell.x0, *(edges[n] for n in filled[1:]), cell.x1])
            for start, (x0, x1) in zip(filled, sides, strict=True):
                made[start] = replace(cell, x0=x0, x1=x1)
    return tuple(made)


def _is_white(x: float, pieces: Sequence[Fragment]) -> bool:
    """Does no piece cross this edge, nor come as close to one behind it as words do?"""
    if any(piece.x0 < x < piece.x1 for piece in pieces):
        return False
    sides = (([f.x1 for f in band.pieces if f.x1 <= x], [f.x0 for f in band.pieces if f.x0 >= x], band.size)
             for band in bands_of(pieces))  # fmt: skip
    return all(min(right) - max(left) > SPLIT * size for left, right, size in sides if left and right)


def _merged(rows: Sequence[Row], pieces: Sequence[Fragment]) -> list[Row]:
    """The rows without columns that are too narrow for a letter, and without edges that part no texts."""
    held = [[_held(cell, pieces) for cell in row] for row in rows]
    least = min(piece.size for piece in pieces)
    at = 1
    while at < len(rows[0]):
        left, right = ([piece for row in held for piece in row[n]] for n in (at - 1, at))
        narrow = any(not texts and _wide(rows, n) < least for n, texts in ((at - 1, left), (at, right)))
        above = any(a.x0 < b.x1 and b.x0 < a.x1 for a in left for b in right)
        if any(row[at - 1] and row[at] for row in held) or not (narrow or above):
            at += 1
            continue
        rows = [(*row[: at - 1], _both(row[at - 1], row[at], texts[at]), *row[at + 1 :])
                for row, texts in zip(rows, held, strict=True)]  # fmt: skip
        held = [[*row[: at - 1], [*row[at - 1], *row[at]], *row[at + 1 :]] for row in held]
    return list(rows)


def _wide(rows: Sequence[Row], at: int) -> float:
    """How wide the narrowest cell of a column is."""
    return min([cell.x1 - cell.x0 for row in rows if (cell := row[at])], default=0.0)


def _both(cell: Box | None, other: Box | None, held: Sequence[Fragment]) -> Box | None:
    """Two cells side by side as one, as high as the second if there is text in it, else as the first."""
    if cell is None or other is None:
        return cell or other
    return replace(other if held else cell, x0=cell.x0, x1=other.x1)


def _lined(row: Row, pieces: Sequence[Fragment]) -> Iterator[Row]:
    """The lines of a row, if each begins in the first column and has text in another, and few go on in the next."""
    held = [_held(cell, pieces) for cell in row]
    bands = bands_of([piece for cell in held for piece in cell])
    filled = [cell for cell, inside in zip(row, held, strict=True) if cell and inside]
    if len(bands) < ROWS_MIN or len(filled) < 2 or any(map(is_item, (piece for cell in held for piece in cell))):
        yield row
        return
    first = filled[0].x1
    across = all(min(f.x0 for f in band.pieces) < first < max(f.x1 for f in band.pieces) for band in bands)
    if not across or any(_wraps(cell, inside) for cell, inside in zip(row, held, strict=True) if cell):
        yield row
        return
    ends = [filled[0].top, *((above.bottom + below.top) / 2 for above, below in pairwise(bands)), filled[0].bottom]
    for top, bottom in pairwise(ends):
        yield tuple(cell and replace(cell, top=top, bottom=bottom) for cell in row)


def _wraps(cell: Box, inside: Sequence[Fragment]) -> bool:
    """Do most of its lines go on in the next? White is as wide at the right of a cell as at its left."""
    lines = sorted(inside, key=lambda piece: piece.baseline)
    left = min((piece.x0 for piece in lines), default=cell.x0)
    broken = [is_broken(above, below, (left, cell.x1 + cell.x0 - left)) for above, below in pairwise(lines)]
    return 2 * sum(broken) > len(broken)
