"""Rules and fills that are drawn across a table: between which edges it stands, and where its rows end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.layout.lines import Fragment
from pipeline.layout.tables import Grid, grids
from pipeline.records import Box, Shape

THIN = 2.5  # points; a lower rectangle is a rule
ROW_MAX = 120.0  # points; a higher rectangle is a box, not a row
LONG = 30.0  # points; a shorter bar is an underline or a highlight
TOUCH = 3.0  # points between the pieces of a bar that is drawn cell by cell
SAME_EDGE = 3.0  # points by which the bars of one table may differ in their ends
RULES_MIN = 2  # one rule may stand anywhere; one fill may be that of a header
BARS_MAX = 400  # on one page; more are a drawing
BESIDE = 4.0  # points by which text may stick out of the bars
NARROWER = 0.7  # of the width of a table: a box around one of its columns
REACH = 60.0  # points above the first bar in which a header may stand
PADDING = 12.0  # points between the first or last line of a table and the bar over or under it
REACH_DOWN = 300.0  # points below the last bar in which rows may stand: it may be that of the header


@dataclass(slots=True, eq=False)
class Bar:
    """A rule, or the fill of a row, over all its cells."""

    x0: float
    x1: float
    top: float
    bottom: float


def barred(shapes: Sequence[Shape], pieces: Sequence[Fragment]) -> list[Grid]:
    """The tables that have bars across: each is looked for between the edges that its bars have in common."""
    tables: list[Grid] = []
    gone: set[int] = set()
    for group in _groups(_bars(shapes)):
        x0, x1 = min(bar.x0 for bar in group), max(bar.x1 for bar in group)
        top, bottom = min(bar.top for bar in group) - REACH, max(bar.bottom for bar in group) + REACH_DOWN
        inside = [
            f
            for f in pieces
            if f.x0 >= x0 - BESIDE and f.x1 <= x1 + BESIDE and top < f.baseline < bottom and id(f.runs[0]) not in gone
        ]
        drawn = [bar for bar in group if bar.bottom - bar.top <= THIN or _is_fill(bar, inside)]
        heights = [y for bar in drawn for y in _heights(bar)]
        for grid in grids(inside, heights) if inside and heights else ():
            if _is_drawn(grid, heights) and not _is_in_boxes(grid, shapes):
                tables.append(grid)
                gone |= grid.taken
    return tables


def _is_fill(bar: Bar, pieces: Sequence[Fragment]) -> bool:
    """Is it the fill of a row? There is no text in a picture."""
    return any(bar.top < piece.baseline < bar.bottom for piece in pieces)


def _is_in_boxes(grid: Grid, shapes: Sequence[Shape]) -> bool:
    """Has each of its columns a box of its own, apart from the next, with several lines in it? They are texts side by
    side."""
    whole = grid.table.box
    near = [shape.box for shape in shapes if shape.fill != "#ffffff" and _is_column(shape.box, whole)]
    boxes: list[Box] = []
    for box in sorted(near, key=lambda b: b.x0 - b.x1):
        if all(box.x0 > other.x1 + TOUCH or box.x1 < other.x0 - TOUCH for other in boxes):
            boxes.append(box)
    texts = [[f.baseline for f in grid.pieces if _holds(box, f)] for box in boxes]
    return len(boxes) > 1 and sum(map(len, texts)) == len(grid.pieces) and all(len(set(lines)) > 1 for lines in texts)


def _is_column(box: Box, table: Box) -> bool:
    """High enough for several lines of the table, and narrower than it."""
    high = min(box.bottom, table.bottom) - max(box.top, table.top) > LONG / 2
    beside = table.x0 - LONG < box.x0 and box.x1 < table.x1 + LONG
    return high and beside and box.x1 - box.x0 < NARROWER * (table.x1 - table.x0)


def _holds(box: Box, piece: Fragment) -> bool:
    return box.x0 <= piece.x0 and piece.x1 <= box.x1 and box.top <= (piece.top + piece.bottom) / 2 <= box.bottom


def _is_drawn(grid: Grid, heights: Sequence[float]) -> bool:
    """Does one of the bars touch it? Those of what stands above, with the same ends, are none of its own."""
    top, bottom = grid.table.box.top - PADDING, grid.table.box.bottom + PADDING
    return any(top < y < bottom for y in heights)


def _heights(bar: Bar) -> tuple[float, ...]:
    return ((bar.top + bar.bottom) / 2,) if bar.bottom - bar.top <= THIN else (bar.top, bar.bottom)


def _bars(shapes: Sequence[Shape]) -> list[Bar]:
    """Rules and rows; those drawn cell by cell are put together."""
    flat = sorted((shape.box for shape in shapes if _is_flat(shape)), key=lambda b: (round(b.top), b.x0))
    rows: dict[tuple[int, int], list[Box]] = defaultdict(list)
    for box in flat:
        rows[(round(box.top), round(box.bottom))].append(box)
    bars = [bar for row in rows.values() for bar in _joined(row) if bar.x1 - bar.x0 >= max(LONG, bar.bottom - bar.top)]
    return bars if len(bars) <= BARS_MAX else []


def _is_flat(shape: Shape) -> bool:
    box = shape.box
    high = box.bottom - box.top
    if high > ROW_MAX:
        return False
    return high <= THIN or (shape.fill not in (None, "#ffffff") and high > 2 * THIN)


def _joined(row: Sequence[Box]) -> Iterator[Bar]:
    bar: Bar | None = None
    for box in row:
        if bar is not None and box.x0 <= bar.x1 + TOUCH:
            bar.x1 = max(bar.x1, box.x1)
            continue
        if bar is not None:
            yield bar
        bar = Bar(box.x0, box.x1, box.top, box.bottom)
    if bar is not None:
        yield bar


def _groups(bars: Sequence[Bar]) -> list[list[Bar]]:
    """Bars with the same ends, the shortest first: a rule over the whole page is no part of a table in a column."""
    groups: list[list[Bar]] = []
    for bar in sorted(bars, key=lambda b: (b.x1 - b.x0, b.x0, b.top)):
        home = next((g for g in groups if _same_edges(g[0], bar)), None)
        if home is None:
            groups.append([bar])
        else:
            home.append(bar)
    return [group for group in groups if len(group) >= RULES_MIN or group[0].bottom - group[0].top > THIN]


def _same_edges(a: Bar, b: Bar) -> bool:
    return abs(a.x0 - b.x0) < SAME_EDGE and abs(a.x1 - b.x1) < SAME_EDGE
