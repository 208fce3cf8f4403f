"""Rules and fills that are drawn across a table: between which edges it stands, and where its rows end.

barred    tables with bars somewhere: the text tells the rows
rows      tables with a bar between any two rows, under a header: what stands between two bars is a row, whatever it is
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.layout.lines import Fragment, downwards
from pipeline.layout.ruled_cells import lined
from pipeline.layout.tables import (
    BULLETS,
    HEADER_MAX,
    PAIRED,
    SHORT,
    SPLIT,
    Grid,
    Interval,
    at_edges,
    by_column,
    cut,
    grid_of_rows,
    grids,
    has_letter,
    is_broken,
    look_of,
    side_by_side,
    strips_of,
)
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
        headed = _headed(inside, heights)
        taken = set().union(*(grid.taken for grid in headed))
        rest = [piece for piece in inside if id(piece.runs[0]) not in taken]
        for grid in (*headed, *(grids(rest, heights) if rest and heights else ())):
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


# ---------------------------------------------------------------- a bar between any two rows


def _headed(pieces: Sequence[Fragment], heights: Sequence[float]) -> list[Grid]:
    """The tables whose rows are what stands between two bars, from a header down as far as the rows keep its columns
    apart. A header of several rows is left to others."""
    slots = _slots(pieces, heights)
    tables: list[Grid] = []
    start = 0
    while start < len(slots):
        end = start if start and _set(slots[start - 1]) == _set(slots[start]) else _end(slots, start)
        if end - start > 1 and (grid := _of_slots(slots[start:end])):
            tables.append(grid)
            start = end
        else:
            start += 1
    return tables


def _slots(pieces: Sequence[Fragment], heights: Sequence[float]) -> list[list[Fragment]]:
    """What stands between two bars, from top to bottom, and the row under the last, which may have none under it."""
    ends = sorted(heights)
    ends = [y for before, y in pairwise([float("-inf"), *ends]) if y - before > TOUCH]
    if len(ends) > 2:  # two may be those of the header
        below = 2 * ends[-1] - ends[-2]
        last = [piece for piece in pieces if ends[-1] < piece.baseline <= below]
        if len(_strips(last)) > 1 and max(p.baseline for p in last) - min(p.baseline for p in last) < last[0].size:
            ends.append(below)
    slots: list[list[Fragment]] = [[] for _ in ends]
    for piece in pieces:
        home = bisect(ends, piece.baseline - piece.size / 3)  # the middle of its small letters
        if 0 < home < len(ends):
            slots[home] += cut(piece, SPLIT)
    return at_edges([slot for slot in slots if slot])


def _end(slots: Sequence[list[Fragment]], start: int) -> int:
    """The slot after the last row under this header; the same slot where it is none."""
    columns = _strips(slots[start])
    if len(columns) < 2 or not all(len(piece.text) <= SHORT and has_letter(piece) for piece in slots[start]):
        return start
    header = {look_of(piece) for piece in slots[start]}
    end = last = start + 1
    while end < len(slots) and {look_of(piece) for piece in slots[end]} != header:
        if end == start + 1 and min(p.size for p in slots[start]) > HEADER_MAX * max(p.size for p in slots[end]):
            break  # headings over columns of text
        strips = strips_of([*columns, *_strips(slots[end])])
        if len(strips) < len(columns):
            break
        columns, end = strips, end + 1
        last = end if len(_strips(slots[end - 1])) > 1 else last  # a heading behind the last row may bridge none
    return last


def _set(slot: Sequence[Fragment]) -> set[tuple[tuple[str, bool, str], float]]:
    return {(look_of(piece), piece.size) for piece in slot}


def _strips(slot: Sequence[Fragment]) -> list[Interval]:
    return strips_of([(piece.x0, piece.x1) for piece in slot])


def _of_slots(slots: Sequence[list[Fragment]]) -> Grid | None:
    """The table of these rows; none where a good part of its cells is empty, or several rows stand between two bars."""
    lines = [_strips(slot) for slot in slots]
    columns = _with_lists(side_by_side(strips_of([edge for line in lines for edge in line]), lines), slots)
    filled = sum(len(by_column(slot, columns, spans=False)) for slot in slots)
    if filled < PAIRED * len(columns) * len(slots) or not all(_is_one_row(slot, columns[0]) for slot in slots[1:]):
        return None
    grid = grid_of_rows(slots, columns)
    return grid if all(len(lined(row, grid.pieces)) == 1 for row in grid.table.cells[1:]) else None


def _with_lists(columns: Sequence[Interval], slots: Sequence[list[Fragment]]) -> list[Interval]:
    """The columns; one without a head, in which nothing but items of a list stands, as in the one before it, is part of
    that: a list in several columns is one cell."""
    header, *rows = (by_column(slot, columns, spans=False) for slot in slots)
    items = [[piece for row in rows for piece in row.get(at, ())] for at in range(len(columns))]
    lists = [sum(piece.text[:1] in BULLETS for piece in column) > PAIRED * len(column) for column in items]
    merged: list[Interval] = []
    for at, (x0, x1) in enumerate(columns):
        if at and at not in header and lists[at - 1] and lists[at]:
            merged[-1] = (merged[-1][0], x1)
        else:
            merged.append((x0, x1))
    return merged


def _is_one_row(slot: Sequence[Fragment], first: Interval) -> bool:
    """Do the lines of its first cell go on, each in the next? Not where line after line begins in all cells."""
    lines = sorted([piece for piece in slot if piece.x0 < first[1]], key=downwards)
    level = Counter(round(piece.baseline) for piece in slot)
    if len(level) > RULES_MIN and min(level.values()) == max(level.values()) > 1:
        return False
    return all(is_broken(above, below, first) for above, below in pairwise(lines))
