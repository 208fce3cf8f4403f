"""Profiles: a row of short names with a figure under each, as the units of a wargame have.

Two rows are few for a table, and each figure may stand in a box of its own; but nothing else looks like that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from pipeline.layout.lines import Fragment
from pipeline.layout.tables import PITCH, Grid, bands_of, grid_of

LETTERS = 5  # of a name or a figure, at most
NAMES = 4  # side by side, at least
NEAR = 3.0  # times the width of a column
WORDS = 4  # of a cell: what has more is a text in columns
FIGURES = 0.5  # of what stands under them has a digit

Row = list[Fragment]


def profiles(pieces: Sequence[Fragment]) -> list[Grid]:
    """The profiles among these pieces; most pages have so few short ones that there is nothing to look for."""
    levels: defaultdict[int, Row] = defaultdict(list)
    for piece in [piece for piece in pieces if len(piece.text) <= LETTERS]:
        levels[round(piece.baseline)].append(piece)
    rows = [levels[level] for level in sorted(levels) if len(levels[level]) >= NAMES]
    grids: list[Grid] = []
    for at, row in enumerate(rows[:-1]):
        named = [piece for piece in row if piece.text.isalpha() and piece.text.isupper()]
        for names in _apart(named) if len(named) >= NAMES else ():
            grid = _profile(names, rows[at + 1 :]) if len(names) >= NAMES else None
            if grid is not None and not _has_more(grid, pieces):
                grids.append(grid)
    return grids


def framed(pieces: Sequence[Fragment]) -> Grid | None:
    """The rows that are all there is in a frame: a few words under each of three names or more, however far below."""
    rows = [sorted(band.pieces, key=lambda each: each.x0) for band in bands_of(pieces)]
    if len(rows) < 2 or len(rows[0]) < NAMES - 1 or {len(row) for row in rows} != {len(rows[0])}:
        return None
    if any(piece.text.count(" ") >= WORDS for piece in pieces) or not all(each.text[:1].isupper() for each in rows[0]):
        return None
    under = all(it.x0 < name.x1 and name.x0 < it.x1 for row in rows[1:] for name, it in zip(rows[0], row, strict=True))
    figures = any(map(str.isdigit, "".join([each.text for row in rows[1:] for each in row])))
    return grid_of(rows) if under and figures else None


def _apart(named: Row) -> list[Row]:
    """The names of each profile in a row of them: where a name comes back, another unit's begins."""
    rows: list[Row] = [[]]
    for piece in sorted(named, key=lambda each: each.x0):
        if piece.text in [name.text for name in rows[-1]]:
            rows.append([])
        rows[-1].append(piece)
    return rows


def _profile(names: Row, below: Sequence[Row]) -> Grid | None:
    figures = _under(names, below[0])
    if len(figures) < len(names) or sum(any(map(str.isdigit, each.text)) for each in figures) < FIGURES * len(names):
        return None
    if len(below) > 1 and len(_under(figures, below[1])) == len(names):
        return None  # a table of several rows, which is found as such
    return grid_of([names, figures])


def _has_more(grid: Grid, pieces: Sequence[Fragment]) -> bool:
    """Does something else stand level with it, and near: the name of a row, or text that the figures are part of?"""
    box, own = grid.table.box, set(map(id, grid.pieces))
    reach = NEAR * (box.x1 - box.x0) / len(grid.table.cells[0])
    return any(
        box.top < (each.top + each.bottom) / 2 < box.bottom and box.x0 - reach < each.x1 and each.x0 < box.x1 + reach
        for each in pieces
        if id(each) not in own
    )


def _under(row: Row, below: Row) -> Row:
    """What stands straight under each; nothing where one has nothing, or two, under it."""
    cells = []
    for each in row:
        near = [it for it in below if it.x0 < each.x1 and each.x0 < it.x1]
        if len(near) != 1 or not 0 < near[0].baseline - each.baseline < PITCH * near[0].size:
            return []
        cells += near
    return cells

