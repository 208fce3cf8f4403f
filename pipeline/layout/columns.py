"""Reading order from geometry alone.

A gutter is a white strip with text on both sides. The page is cut at what crosses it (titles, wide tables and
boxes): between two such spanners the left column comes before the right one, and each part is cut again in the same
way, so three columns, a change of columns within a page and columns inside a box need no rule of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, pairwise
from operator import attrgetter
from typing import ClassVar, NamedTuple

from pipeline.layout.lines import Fragment
from pipeline.layout.tables import Grid, grids
from pipeline.records import RuledTable

GUTTER = 0.9  # of the type size: the narrowest gutter
LINES_MIN = 2  # on each side of a gutter
INDENTED = 10.0  # points by which lines of one column may be set in
SAME_EDGE = 2.0  # points by which a column of another page may begin elsewhere
DEPTH = 8  # cuts inside cuts
THINGS_MAX = 8_000  # on one page; more is no page that a person reads, and looking for gutters is quadratic
CUTTING = 0.05  # of the worth of a gutter is left where another must be cut at first
HEAD = 4  # words of a line of a head at the side, on average
NOTES_MIN = 3  # lines of one of the notes in a margin
NOTE = 0.9  # times the body: the largest type of such notes
NOTE_WIDE = 0.6  # of the longest line: the widest of such notes
CARD = 8.0  # of the type size: the narrowest card without a frame
ROW = 2  # boxes side by side, and rows of them
CELL_LINES, CELL_WORDS = 4, 6  # of a cell that has no frame, and of each of its lines
CELL_WIDE = 2.0  # of the type size: the white between two such cells
CELL_HIGH, CELL_LOOSE = 0.6, 1.4  # of the type size: the white between their rows, and where each is one line
PAIRS = 2  # words in bold, each beside its text
MANY = 10  # lines on each side of a gutter that make it one for the whole document
FEW = 5  # aligned lines on each side: too few to be columns, unless they are long
SHORT = 15.0  # of the type size: shorter lines are cells, longer ones running text
NARROW = 5.0  # of the type size: a narrower strip beside aligned lines is a column of labels, not of text
ALIGNED = 0.75  # share of lines that stand on the baselines of the other side: a table or labels
FILLED = 0.3  # share of lines that nearly fill a column of running text
NEARLY = 0.72  # of a column's width
LARGER = 1.1  # times all that stands beside them: heads at the side of bold and plain text
BIGGER = 1.25  # times the body: a lone heading this large governs all columns beside which it leaves white
PITCH = 1.5  # of the type size: how far apart two lines of one title stand at most
CAPTION = 1.5  # of the type size: how near the title of a table stands above it, and how well it is aligned
NEARER = 0.8  # of the white under a line: with less above, it is the end of what stands there
CENTRED = 8.0  # points by which a heading may be off the middle of lines that end where they like
LEVEL = 0.6  # of the type size: how far apart columns may begin that begin together
WHITE_BESIDE = 1.6  # heights of such a heading that are white in the other columns
LABEL = 2.5  # of the type size: a longer piece is no label
NEAR = 2.0  # of the type size: labels may end so much before the longest of them, or a heading
WIDE = 1.5  # of its own size: the width of two figures in large type
LABELLED = re.compile(r"(?:\(?\w{1,4} ?[.):]|[^\W\d_]|[^\W\d_]{0,2}\.? ?\d{1,3}|\?)$")  # "Q:", "A", "p. 12", "07"
NUMBERED = re.compile(r"[A-Z]?\d{1,3}(?:\.\w{1,3})*\.?")
MARKED = re.compile(r"[^\W\d_]{1,10} ?[:.)] ")
COUNTED = re.compile(r"\(?(?:[0-9]{1,3}|[A-Za-z])[.):](?: |$)")  # an item of a list
ENDED = re.compile(r"[^\W\d_]{2}[.:;,?!]$|:$")  # not "John S."
BULLETED = re.compile(r"\s*[•●○▪▫■□◦‣➢➤►▶✓✔❖◆◇∙]")


@dataclass(slots=True, eq=False)
class Whole:
    """A box or a table with everything in it: it is put in order as a piece of text is, and never cut."""

    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    baseline: float
    pieces: list[Fragment]
    table: RuledTable | None = None
    lists: Sequence[list[Fragment]] = ()  # the columns of a list
    inside: Sequence[Thing] = ()  # of a box: its pieces and tables
    region: int = 0  # of a box
    apart: bool = False  # a box in the margin, or across the columns
    drawing: bool = False  # a box with something drawn in it, and labels
    whole: ClassVar[bool] = True


Thing = Fragment | Whole


class _Edges(set[int]):
    """Left edges of columns that were found: on this page, and those that are lasting for the whole document."""

    def __init__(self, lasting: set[int]) -> None:
        super().__init__(lasting)
        self.lasting = lasting


@dataclass(slots=True, eq=False)
class Column:
    """A strip of the page that is read from top to bottom."""

    things: list[Thing]
    x0: float
    x1: float
    apart: bool = False  # notes in the margin


Sides = tuple[list[Thing], list[Thing]]  # left and right of a gutter
Strips = tuple[Sides | None, list[Thing]]  # its two columns, if it has them; its things


def table_thing(grid: Grid) -> Whole:
    """A table as one thing, or a list in columns."""
    box, size, table = grid.table.box, max(piece.size for piece in grid.pieces), None if grid.lists else grid.table
    return Whole(box.x0, box.top, box.x1, box.bottom, size, box.bottom, grid.pieces, table=table, lists=grid.lists)


def in_order(
    things: Sequence[Thing], body: float, known: set[int] | None = None, walls: Sequence[float] = ()
) -> list[Column]:
    """The columns of a page or box in the order in which a person reads them.

    ``known`` are left edges of columns that other pages have; those found here are added. ``walls`` are the heights of
    pictures across all columns: none runs on below them.
    """
    notes = _margin_notes(things, body) if known is not None else []
    beside = _beside_the_text(things) if not notes else []
    away = [*beside, *(t for note in notes for t in note)]
    rest = [t for t in things if t not in away and not (type(t) is Whole and t.inside and t.inside[0] in away)]
    head = _edge_rows(rest, body, known, top=True) if known is not None else []
    rest = _without(rest, head)
    foot = _edge_rows(rest, body, known, top=False) if known is not None else []
    rest = _without(rest, foot)
    edges = _Edges(known if known is not None else set())
    columns = _cut(rest, body, DEPTH, edges)
    if walls and len(columns) > 1 and any(_runs_across(column, walls) for column in columns):
        rest = _with_tables(rest)
        spans = [(t.top - SAME_EDGE, t.bottom + SAME_EDGE) for t in rest if t.whole]
        free = [wall for wall in walls if not any(top < wall < bottom for top, bottom in spans)]
        free += [top for wall in free if (top := _over_line(rest, wall)) is not None]
        parts = [[t for t in rest if y0 <= t.baseline < y1] for y0, y1 in _between([(wall, wall) for wall in free])]
        columns = [column for part in parts for column in _cut(part, body, DEPTH, edges)]
    ordered = [*map(_column, head), *columns, *map(_column, foot)]
    for box in sorted(beside, key=attrgetter("top")):
        _set_apart([box], box.x0 + 2)
        level = [at for at, column in enumerate(ordered) if any(_level_with(t, box) for t in column.things)]
        ordered.insert(level[-1] + 1, _column([box]))
    return [*ordered, *(replace(_column(note), apart=True) for note in notes)]


def _margin_notes(things: Sequence[Thing], body: float) -> list[list[Thing]]:
    """Notes in small type, some of several lines, in boxes or not, with all of the text at one side of them."""
    small = [t for t in things if t.size <= NOTE * body and (type(t) is not Whole or t.inside)]
    text = [t for t in things if t.size > NOTE * body]
    if not small or len(text) <= LINES_MIN:
        return []
    lines = [line for t in text for line in (t.pieces if type(t) is Whole else (t,))]
    left, right = min([line.x0 for line in lines]), max([line.x1 for line in lines])
    notes: list[list[Thing]] = []
    for t in sorted([t for t in small if t.x0 > right or t.x1 < left], key=attrgetter("top")):
        above = notes[-1][-1] if notes else None
        if type(t) is Whole:
            notes.append(list(t.inside))
        elif above is not None and t.top - above.bottom < t.size and t.x0 < above.x1 and above.x0 < t.x1:
            notes[-1].append(t)
        else:
            notes.append([t])
    wide = max([t.x1 - t.x0 for note in notes for t in note], default=0.0) > NOTE_WIDE * (right - left)
    return notes if not wide and max(map(len, notes), default=0) >= NOTES_MIN else []


def _over_line(things: Sequence[Thing], wall: float) -> float | None:
    """The top of the heading that stands by itself on a line drawn across all columns: it governs them all."""
    above = sorted([t for t in things if t.bottom <= wall + 1], key=attrgetter("bottom"))
    if not above or above[-1].whole or wall - above[-1].bottom > above[-1].size:
        return None
    heading, before = above[-1], max([t.bottom for t in above[:-1]], default=0.0)
    return heading.top - 1 if heading.top - before > wall - heading.bottom else None


def _runs_across(column: Column, walls: Sequence[float]) -> bool:
    first, last = min([t.top for t in column.things]), max([t.bottom for t in column.things])
    return any(first < wall < last for wall in walls)


def _beside_the_text(things: Sequence[Thing]) -> list[Thing]:
    """Boxes in a margin of their own, with lines of text at one side of them and nothing else above or below.

    They are read after the text beside them, which they would cut to pieces.
    """
    boxes: list[Thing] = []
    for box in [t for t in things if type(t) is Whole and t.inside] if Whole in set(map(type, things)) else ():
        top, bottom = 2 * box.top, 2 * box.bottom
        lines = [t for t in things if top < t.top + t.bottom < bottom and t is not box]
        if len(lines) <= LINES_MIN or not (all(t.x1 < box.x0 for t in lines) or all(t.x0 > box.x1 for t in lines)):
            continue
        if all(t.x0 > box.x1 and t.size < box.size for t in lines) and box.size >= max([t.size for t in things]):
            continue  # the title is in it: that is read first
        if all(t.x0 > box.x1 for t in lines) and box.x1 - box.x0 >= NEARLY * _width(lines):
            continue  # the first column is in it
        if not any(t.x0 >= box.x0 - 2 and t.x1 <= box.x1 + 2 and t is not box for t in things):
            boxes.append(box)
    return boxes


def _width(things: Sequence[Thing]) -> float:
    return max([t.x1 for t in things]) - min([t.x0 for t in things])


def _level_with(t: Thing, box: Thing) -> bool:
    return box.top < (t.top + t.bottom) / 2 < box.bottom


def _without(things: list[Thing], rows: list[list[Thing]]) -> list[Thing]:
    return [t for t in things if not any(t in row for row in rows)] if rows else things


def _edge_rows(things: Sequence[Thing], body: float, known: set[int], *, top: bool) -> list[list[Thing]]:
    """Rows at the top or the bottom of a page that belong to no column: white across the page parts them from the rest,
    and what stands in them begins where no column does, nor in its middle. One head or foot over all."""
    rows: list[list[Thing]] = []
    rest = sorted(things, key=attrgetter("top") if top else attrgetter("bottom"), reverse=not top)
    while rest:
        level = [t for t in rest[1:] if (t.top < rest[0].bottom if top else t.bottom > rest[0].top)]
        row, others = [rest[0], *level], [t for t in rest[1:] if t not in level]
        if not others or any(t.whole for t in row) or not _is_apart(row, others, body, known, top=top):
            break
        title = max(row, key=attrgetter("size"))
        large = title.size >= BIGGER * body
        rows += [[title], *([t] for t in row if t is not title)] if large else [row]
        rest = others
    return rows if top else rows[::-1]


def _is_apart(row: list[Thing], others: list[Thing], body: float, known: set[int], *, top: bool) -> bool:
    """Is it a head or foot over all columns, in small type but for a title?"""
    white = others[0].top - max([t.bottom for t in row]) if top else min([t.top for t in row]) - others[0].bottom
    title = max(row, key=attrgetter("size"))
    masthead = top and title.size >= BIGGER * body and all(abs(t.baseline - title.baseline) < LEVEL * body for t in row)
    small = title.size / BIGGER if masthead else body + 0.5
    if white < (0 if masthead else body) or any(t.size > small for t in row if t is not title or not masthead):
        return False
    first = min([t.x0 for t in others])
    inner = [t for t in row if t is not title] if masthead else [t for t in row if t.x0 > first + INDENTED]
    begun = any(abs(t.x0 - edge) < SAME_EDGE for t in inner for edge in known)
    return bool(inner) and not begun and not any(_is_in_column(t, others) for t in inner)


def _is_in_column(t: Thing, others: list[Thing]) -> bool:
    """Does it begin where others do, or stand in the middle of those above or below it?"""
    if any(abs(t.x0 - each.x0) < SAME_EDGE for each in others):
        return True
    near = [each for each in others if each.x0 < t.x1 and t.x0 < each.x1]
    next_ = min(near, key=lambda each: abs(each.baseline - t.baseline), default=None)
    widest = min([each.x0 for each in near], default=0.0) + max([each.x1 for each in near], default=0.0)
    return next_ is not None and min(abs(next_.x0 + next_.x1 - t.x0 - t.x1), abs(widest - t.x0 - t.x1)) < CENTRED


def _cut(things: list[Thing], body: float, depth: int, known: _Edges) -> list[Column]:
    if not things:
        return []
    if len(things) > THINGS_MAX:
        return [_column(things)]
    if depth and (cards := _laid_cards(things, body, depth, known)):
        return cards
    things = _with_tables(things)
    if depth == DEPTH and (cards := _unframed_cards(things, body, depth, known)):
        return cards
    if depth and not _is_one_column(things) and (cells := _loose_cells(things, body, depth, known)):
        return cells
    enough = len(things) > 2 * LINES_MIN or _begins_column(things, known) or _ask_level(things)
    if not enough and depth and (sides := _off_level(things)):
        return [_column(side) for side in sides]
    best = _best_gutter(things, body, known) if depth and enough else None
    if best is None:
        return [_column(things)]
    if halves := _otherwise_below(things, best.gutter, body, known):
        return [column for half in halves for column in _cut(half, body, depth - 1, known)]
    bands = best.bands
    columns: list[Column] = []
    edges = [min([t.x0 for t in sides[1]]) for sides, _ in bands if sides]
    for sides, band in bands:
        if sides is None:
            _set_apart(band, min(edges))
            columns.extend(_cut(band, body, depth - 1, known))
            continue
        left, right = sides
        if across := _laid_cards(band, body, depth - 1, known) or _across(left, right, body):
            columns.extend(across)
            continue
        if (margin := _with_notes(left, right, body)) is not None:
            columns.extend(_cut(margin[0], body, depth - 1, known))
            columns.extend(replace(column, apart=True) for column in _cut(margin[1], body, depth - 1, known))
            continue
        if (lines := min(len(left), len(right))) > LINES_MIN:
            known.add(edge := round(min([t.x0 for t in right])))
            if lines >= MANY:
                known.lasting.add(edge)
        columns.extend(_cut(left, body, depth - 1, known))
        columns.extend(_cut(right, body, depth - 1, known))
    return columns


def _is_one_column(things: list[Thing]) -> bool:
    """Does all of it begin at one edge, or nearly? Then it is one column, or a part of one."""
    starts = [t.x0 for t in things]
    return max(starts) < min(starts) + INDENTED - 1


def _set_apart(things: list[Thing], edge: float) -> None:
    """The boxes among these that reach over the left edge of a column."""
    for t in things:
        if type(t) is Whole and t.x0 < edge - 1 and t.x1 > edge + 1:
            t.apart = True


def _begins_column(things: list[Thing], known: set[int]) -> bool:
    """Does one of a few lines begin where a column of other pages does? Then even so few may stand in columns."""
    return len(things) > LINES_MIN and any(abs(t.x0 - edge) < SAME_EDGE for t in things for edge in known)


def _off_level(things: list[Thing]) -> Sides | None:
    """A few lines with much white between left and right, one beside the other but none level with any: two columns."""
    across = sorted(things, key=attrgetter("x0"))
    if len(across) <= LINES_MIN or any(t.whole for t in across):
        return None
    ends = accumulate([t.x1 for t in across], max)
    at = next((at for at, (end, t) in enumerate(zip(ends, across[1:], strict=False), 1)
               if t.x0 - end > CELL_WIDE * t.size), 0)  # fmt: skip
    left, right = across[:at], across[at:]
    if not left or any(abs(a.baseline - b.baseline) < LEVEL * min(a.size, b.size) / 2 for a in left for b in right):
        return None
    return (left, right) if _beside(left, right) else None


def _ask_level(things: list[Thing]) -> bool:
    """Do the first two of a few lines stand side by side, and both ask? Then each has its answer under it."""
    first = sorted(things, key=attrgetter("top"))[:2]
    level = len(things) == 2 * LINES_MIN and abs(first[0].baseline - first[1].baseline) < 1
    return level and all(type(t) is Fragment and t.text[-1:] == "?" for t in first)


def _across(left: list[Thing], right: list[Thing], body: float) -> list[Column]:
    """Bold words at the left, each beside the text that belongs to them, plain or smaller: read across, not down."""
    enough, first = BIGGER * body, min([t.top for t in right])
    over = [t for t in left if t.bottom <= first]  # a title, and what it heads
    words = [t for t in left if isinstance(t, Fragment) and t.bottom > first]
    lines = [t for t in right if isinstance(t, Fragment)]
    if not words or not lines or len(words) + len(over) < len(left):
        return []
    light = [t for t in words if not t.runs[0].bold and t.size <= enough]
    if light and not _are_heads(light, lines):
        return []
    larger = min([t.size for t in words]) > LARGER * max([t.size for t in right])
    bold = [t for t in lines if t.runs[0].bold and t.size <= enough]
    labels = _are_labels_of(words, lines, bold)
    if not labels and ((not light and not larger and bold) or len(lines) < len(right)):
        return []
    down = sorted(words, key=attrgetter("baseline"))
    starts = [down[0], *(below for above, below in pairwise(down) if not _runs_on(above, below))]
    heads = [t for t in starts if larger or t.size <= enough]
    near = LEVEL * max(body, min([t.size for t in heads], default=0.0))
    level = sum(any(abs(_first_baseline(t) - head.baseline) < near for t in right) for head in heads)
    early = first < min([t.top for t in heads], default=0.0) - body  # text before the first of them
    if len(heads) < PAIRS or level < len(heads) or (early and not labels):
        return []
    edges = [float("-inf"), *(t.baseline - near for t in (starts if early else starts[1:])), float("inf")]
    sides: tuple[Sequence[Thing], ...] = (words, right)
    rows = [[[t for t in side if y0 <= _first_baseline(t) < y1] for side in sides] for y0, y1 in pairwise(edges)]
    return [_column(side) for side in (over, *(side for row in rows for side in row)) if side]


def _first_baseline(t: Thing) -> float:
    return t.top + t.size if t.whole else t.baseline


def _are_heads(left: list[Fragment], right: list[Fragment]) -> bool:
    """Are these few words in a type of their own, none of them a sentence?"""
    if len(left) > len(right) or not _are_short(left):
        return False
    looks = {(t.runs[0].font, t.runs[0].colour) for t in left}
    return len(looks) == 1 and looks.isdisjoint((t.runs[0].font, t.runs[0].colour) for t in right)


def _are_labels_of(left: list[Fragment], right: list[Fragment], bold: list[Fragment]) -> bool:
    """A few heads in a type of their own beside much text, of which some lines begin in bold."""
    sizes = {round(t.size, 1) for t in left}
    return _are_short(left) and len(sizes) == 1 and 3 * len(left) <= len(right) and not any(
        round(t.size, 1) in sizes and t.runs[0].font == left[0].runs[0].font for t in bold)  # fmt: skip


def _are_short(side: list[Fragment]) -> bool:
    """A few words in each line, and no sentence."""
    words = sum([t.text.count(" ") + 1 for t in side])
    return words <= HEAD * len(side) and not any(t.text[-1:] in ".!?" for t in side)


def _with_notes(left: list[Thing], right: list[Thing], body: float) -> Sides | None:
    """The text, and notes in smaller type in a margin at one side of it; None where both sides are columns."""
    for notes, text in ((left, right), (right, left)):
        if not NOTES_MIN <= len(notes) < len(text) or max([t.size for t in notes]) > NOTE * body:
            continue
        if any(t.whole for t in notes) or _usual_size(text) < body - 0.5:
            continue
        if max([t.x1 - t.x0 for t in notes]) < NOTE_WIDE * max([t.x1 - t.x0 for t in text]):
            return text, notes
    return None


def _usual_size(side: list[Thing]) -> float:
    return sorted([t.size for t in side])[len(side) // 2]


def _laid_cards(things: list[Thing], body: float, depth: int, known: _Edges) -> list[Column]:
    """Boxes that begin level with each other, row under row, as cards lie on a table: read row by row, and what stands
    above and below them by itself. Nothing is found where anything but headings stands between the rows."""
    boxes = [t for t in things if type(t) is Whole and t.inside] if Whole in set(map(type, things)) else []
    rows = _rows_of_boxes(boxes) if len(boxes) > ROW else []
    if not rows:
        return []
    tops = [min([t.top for t in row]) for row in rows]
    parts: list[list[Thing]] = [[] for _ in (*rows, None)]
    for t in things:
        if t not in boxes:
            parts[bisect_right(tops, t.top)].append(t)
    ends = [max([t.bottom for t in row]) for row in rows]
    if any(t.top < end for part, end in zip(parts[1:], ends, strict=True) for t in part):
        return []
    if any(t.size < BIGGER * body for part in parts[1:-1] for t in part):
        return []
    columns: list[Column] = []
    for part, row in zip(parts, [*rows, []], strict=True):
        columns.extend(_cut(part, body, depth - 1, known))
        columns.extend(_column([t]) for t in sorted(row, key=attrgetter("x0")))
    return columns


def _unframed_cards(things: list[Thing], body: float, depth: int, known: _Edges) -> list[Column]:
    """The same without boxes: names in bold, level with each other in rows, though the text under them is not as long.

    Where all of it is as long, the names of columns that are read down stand level, too.
    """
    rows = _rows_of_names([t for t in things if type(t) is Fragment and t.runs[0].bold])
    if not rows:
        return []
    edges, levels = [t.x0 - 1 for t in rows[0]], [row[0].baseline - 1 for row in rows]
    steps = [after - before for before, after in pairwise(edges)]
    if min(steps) < CARD * body or max(steps) - min(steps) > SAME_EDGE:
        return []
    ends = [*edges[1:], edges[-1] + steps[-1]]
    above: list[Thing] = []
    below: list[Thing] = []
    cells: list[list[list[Thing]]] = [[[] for _ in edges] for _ in rows]
    for t in sorted(things, key=attrgetter("baseline")):
        row, column = bisect_right(levels, t.baseline), bisect_right(edges, t.x0)
        if not row:
            above.append(t)
        elif below or not column or t.whole or t.x1 > ends[column - 1]:
            below.append(t)
        else:
            cells[row - 1][column - 1].append(t)
    if (below and below[0].baseline < levels[-1]) or _head_columns(above, rows[0]):
        return []
    if any(cells[-1][len(rows[-1]) :]):  # text without a name: a column that runs on beside the last one
        return []
    lengths = [[max([t.bottom for t in cell]) for cell in row if cell] for row in cells[:-1]]
    if not any(max(row) - min(row) > body for row in lengths):
        return []
    columns = _cut(above, body, depth - 1, known)
    columns.extend(_column(cell) for row in cells for cell in row if cell)
    return columns + _cut(below, body, depth - 1, known)


def _loose_cells(things: list[Thing], body: float, depth: int, known: _Edges) -> list[Column]:
    """Names, captions or addresses in rows, with white on all sides of each: read row by row, one cell after the other.

    What stands above and below them is read by itself.
    """
    down = sorted(things, key=attrgetter("top"))
    bands: list[list[Thing]] = []
    bottom = float("-inf")
    for t in down:
        if t.top > bottom and (t.top - bottom > CELL_HIGH * min(t.size, body) or not bands):
            bands.append([])
        bands[-1].append(t)
        if t.bottom > bottom:
            bottom = t.bottom
    rows = [_cells_of(band) for band in bands]
    if sum([len(row) >= ROW for row in rows]) < ROW:
        return []
    for start, end in _runs_of_rows(rows):
        above, below = ([t for band in part for t in band] for part in (bands[:start], bands[end:]))
        columns = _cut(above, body, depth - 1, known)
        columns.extend(_column(cell) for row in rows[start:end] for cell in row)
        return columns + _cut(below, body, depth - 1, known)
    return []


def _cells_of(band: list[Thing]) -> list[list[Thing]]:
    """The cells that a band between two strips of white falls into, from left to right; none where it is running text,
    a list, or a label with its text."""
    for t in band:
        if isinstance(t, Whole) or t.text.count(" ") >= CELL_WORDS or ENDED.search(t.text) or BULLETED.match(t.text):
            return []
    cells: list[list[Thing]] = []
    end = float("-inf")
    for t in sorted(band, key=attrgetter("x0")):
        if t.x0 - end > CELL_WIDE * t.size:
            cells.append([])
        cells[-1].append(t)
        end = max(end, t.x1)
    long = max(map(len, cells)) > CELL_LINES
    return [] if long or any(_is_label(t) for cell in cells for t in cell) else cells


def _runs_of_rows(rows: Sequence[list[list[Thing]]]) -> Iterator[tuple[int, int]]:
    """Where rows of cells follow each other, the first and the one after the last: either each has several cells of
    several lines, or there is much white between them; two rows at least have cells under cells."""
    start = 0
    while start < len(rows):
        end = start + 1
        while end < len(rows) and rows[end - 1] and rows[end] and _follow(rows[end - 1], rows[end]):
            end += 1
        several = [row for row in rows[start:end] if len(row) >= ROW]
        if len(several) >= ROW and all(_stand_under(several[0], row) for row in several[1:]):
            yield start, end
        start = end


def _follow(above: list[list[Thing]], below: list[list[Thing]]) -> bool:
    """Two rows of cells in one type, if they are far enough apart, or have several lines in each of several cells."""
    first, last = ([t for cell in row for t in cell] for row in (above, below))
    size = max([t.size for t in first])
    if abs(max([t.size for t in last]) - size) > 1:
        return False
    if min(len(above), len(below)) >= ROW and all(len(cell) > 1 for row in (above, below) for cell in row):
        return True
    return min([t.top for t in last]) - max([t.bottom for t in first]) > CELL_LOOSE * size


def _stand_under(above: list[list[Thing]], below: list[list[Thing]]) -> bool:
    """Have the cells of two rows an edge or their middles in common, each with the one over it?"""
    if len(above) != len(below):
        return False
    for one, other in zip(above, below, strict=True):
        (x0, x1), (left, right) = ((min([t.x0 for t in cell]), max([t.x1 for t in cell])) for cell in (one, other))
        if min(abs(x0 - left), abs(x1 - right)) > SAME_EDGE and abs(x0 + x1 - left - right) > 2 * CENTRED:
            return False
    return True


def _head_columns(above: Sequence[Thing], names: Sequence[Fragment]) -> bool:
    """Does a heading in larger type stand over each of these names, all level? Then they are read down."""
    over = [t for t in above if t.size > names[0].size and any(abs(t.x0 - name.x0) < SAME_EDGE for name in names)]
    last = max([t.baseline for t in over], default=0.0)
    return sum([abs(t.baseline - last) < 1 for t in over]) == len(names)


def _rows_of_names(bold: Sequence[Fragment]) -> list[list[Fragment]]:
    """Pieces in one type in rows that begin at the same places, the last row perhaps shorter; all that are in it."""
    alike: dict[tuple[float, str], list[Fragment]] = {}
    for t in bold:
        alike.setdefault((t.size, t.runs[0].font), []).append(t)
    for names in alike.values():
        rows: dict[int, list[Fragment]] = {}
        for t in sorted(names, key=attrgetter("x0")):
            rows.setdefault(round(t.baseline), []).append(t)
        lines = [rows[at] for at in sorted(rows)]
        wide = len(lines[0])
        if min(wide, len(lines)) < ROW or any(len(row) != wide for row in lines[:-1]) or len(lines[-1]) > wide:
            continue
        if all(abs(t.x0 - first.x0) < SAME_EDGE for row in lines for t, first in zip(row, lines[0], strict=False)):
            return lines
    return []


def _rows_of_boxes(boxes: Sequence[Thing]) -> list[list[Thing]]:
    """The rows that boxes stand in, each as long as the first but for the last; none where they are no such rows."""
    rows: list[list[Thing]] = []
    for t in sorted(boxes, key=attrgetter("top")):
        if rows and t.top - rows[-1][0].top < SAME_EDGE:
            rows[-1].append(t)
        elif rows and t.top < max([above.bottom for above in rows[-1]]) - 1:
            return []
        else:
            rows.append([t])
    long = len(rows[0])
    even = all(len(row) == long for row in rows[:-1]) and len(rows[-1]) <= long
    return rows if even and min(long, len(rows)) >= ROW else []


def _runs_on(above: Thing, below: Thing) -> bool:
    """The next line of the same words."""
    return below.baseline - above.baseline < PITCH * below.size and abs(below.size - above.size) < 0.1 * below.size


def _sides(things: list[Thing], middle: float) -> Sides:
    """What stands left and right of a line down the page."""
    across = 2.0 * middle
    left: list[Thing] = []
    right: list[Thing] = []
    for t in things:
        if t.x0 + t.x1 < across:
            left.append(t)
        else:
            right.append(t)
    return left, right


def _with_tables(things: list[Thing]) -> list[Thing]:
    """The same things, but those that make a table are one: its columns are not the page's."""
    tables = grids([t for t in things if isinstance(t, Fragment)] if Whole in set(map(type, things)) else things)  # type: ignore[arg-type]
    if not tables:
        return things
    gone = set().union(*(grid.taken for grid in tables))
    left = [t for t in things if isinstance(t, Whole) or id(t.runs[0]) not in gone]
    return [*left, *map(table_thing, tables)]


def _column(things: list[Thing]) -> Column:
    return Column(things, min([t.x0 for t in things]), max([t.x1 for t in things]))


# ---------------------------------------------------------------- gutters


class _Best(NamedTuple):
    """A page as it is cut along a gutter."""

    bands: list[Strips]
    gutter: tuple[float, float]


def _best_gutter(things: list[Thing], body: float, known: set[int]) -> _Best | None:
    """The page as it is cut along the white strip with the most lines beside it."""
    best, most = None, 0.0
    wholes = [t for t in things if t.whole] if Whole in set(map(type, things)) else []
    for left, right in _candidates(things, body, known):
        bands = _bands(things, left, right, body, known)
        worth = sum([min(map(len, sides)) + 0.01 * _white(sides, right) for sides, _ in bands if sides])
        if wholes and _cuts_others(things, wholes, left, right):
            worth *= CUTTING
        if worth > most:
            best, most = _Best(bands, (left, right)), worth
    return best


def _otherwise_below(
    things: list[Thing], gutter: tuple[float, float], body: float, known: set[int]
) -> tuple[list[Thing], list[Thing]] | None:
    """The page cut at a heading over all columns, where those above it are others than those below it: lines of the
    ones run across the gutter of the others, and have text beside them."""
    if not _is_run_over(things, gutter):
        return None
    large = [t for t in things if t.size >= BIGGER * body and not t.whole]
    for heading, level in zip(large, _level(things, large) if large else (), strict=True):
        above, below = [t for t in things if t.top < heading.top], [t for t in things if t.top >= heading.top]
        if level or not above or len(below) < 2:
            continue
        other = [_best_gutter(half, body, known) for half in (above, below)]
        if all(other) and all(
            best and _is_run_over(half, best.gutter) for best, half in zip(other, (below, above), strict=True)
        ):
            return above, below
    return None


def _is_run_over(things: list[Thing], gutter: tuple[float, float]) -> bool:
    """Do lines or a box run across a gutter that have others beside them? One line may be a title at the side of a
    column."""
    left, right = gutter
    across = [t for t in things if t.x0 < left - 0.5 and t.x1 > right - 1]
    beside = (t for t in across if any(_level_with(o, t) and (o.x0 > t.x1 or o.x1 < t.x0) for o in things))
    return sum([LINES_MIN if t.whole else 1 for t in islice(beside, LINES_MIN)]) >= LINES_MIN


def _white(sides: Sides, edge: float) -> float:
    """How much white there is between two columns, the second of which begins at an edge, but for what sticks out."""
    return min(edge, *[t.x0 for t in sides[1]]) - max([t.x1 for t in sides[0]])


def _cuts_others(things: list[Thing], wholes: list[Thing], left: float, right: float) -> bool:
    """Does a box or table cross this gutter that has a column beside it, which it would cut in two?"""
    across = [t for t in wholes if t.x0 < left - 0.5 and t.x1 > right - 1]
    return any(_level_with(t, box) and (t.x0 >= box.x1 or t.x1 <= box.x0) for box in across for t in things)


def _candidates(things: list[Thing], body: float, known: set[int]) -> list[tuple[float, float]]:
    """White strips: each begins where something ends and ends where the next thing to its right begins.

    Where another edge stands between the two, the lines that begin there do: the strip is not white.
    """
    strips = []
    starts = _edges(things, body, known)
    ends = sorted({t.x1 for t in things}) if starts else []
    for before, start in zip([float("-inf"), *starts], starts, strict=False):
        at = bisect_right(ends, start - GUTTER * body, key=_tenth)  # the furthest end that still leaves a gutter
        if at and before <= ends[at - 1] and not _hangs(things, ends[at - 1], body):
            strips.append((_tenth(ends[at - 1]), start))
    return strips


def _hangs(things: list[Thing], end: float, body: float) -> bool:
    """Is all that ends there a label, "Q:" or "12.", from which its text hangs, or a heading over such a text? Then the
    white is no gutter."""
    low, high, narrow = end - NEAR * body, end + 0.1, LABEL * body
    near = [t for t in things if low < t.x1 <= high]
    labels = [t for t in near if t.x1 - t.x0 < max(narrow, WIDE * t.size) and _is_label(t)]
    if not labels:
        return False
    first = min([t.x0 for t in labels])  # what ends before it stands in the column before
    return all(t in labels or t.x1 <= first or not _has_beside(t, things) for t in near)


def _has_beside(t: Thing, things: list[Thing]) -> bool:
    """Does anything stand at the right of it?"""
    return any(o.x0 >= t.x1 and _level_with(o, t) for o in things)


def _tenth(place: float) -> float:
    return round(place, 1)


def _edges(things: list[Thing], body: float, known: set[int]) -> list[float]:
    """Left edges at which at least two things begin, not all of them headings, or where a column of other pages does,
    or that have all white before them: where a column may start."""
    if _is_one_column(things):
        return []
    places = Counter([t.x0 for t in things])  # few are apart: columns have an edge
    counts: Counter[int] = Counter()
    for place, count in places.items():
        counts[round(place)] += count
    first, large = min(counts), BIGGER * body
    heads = Counter([round(t.x0) for t in things if t.size >= large and not _is_label(t)])
    text = counts - heads if 2 * heads.total() < len(things) else counts
    edges: list[float] = []
    for start in sorted(set(map(_tenth, places))):
        if start <= first + INDENTED or (edges and start - edges[-1] <= 1.5):
            continue
        bin_ = round(start)
        near = (bin_ - 1, bin_, bin_ + 1)
        several = sum([counts[at] for at in near]) >= LINES_MIN
        if bin_ in known or (any(text[at] for at in near) and (several or _all_white(things, start))):
            edges.append(start)
    return edges


def _is_number(t: Thing) -> bool:
    return isinstance(t, Fragment) and NUMBERED.fullmatch(t.text) is not None


def _is_label(t: Thing) -> bool:
    return isinstance(t, Fragment) and LABELLED.match(t.text) is not None


def _all_white(things: list[Thing], start: float) -> bool:
    """Does everything that begins further left end before? Then even one line may be a column."""
    before = [t for t in things if t.x0 < start - 1]
    return len(before) > LINES_MIN and max([t.x1 for t in before]) < start


def _bands(things: list[Thing], left: float, right: float, body: float, known: set[int]) -> list[Strips]:
    """Cut a page from top to bottom at what crosses a gutter."""
    crossing = [t for t in things if t.x0 < left - 0.5 and t.x1 > right - 1]
    inside = things
    if crossing:
        inside = [t for t in things if t.x0 >= left - 0.5 or t.x1 <= right - 1]
        crossing += _last_lines(things, crossing) + _labels(inside, crossing)
    middle = (left + right) / 2
    sides = _sides(inside, middle)
    crossing += _headings_across(inside, crossing, sides, (left, right), body)
    crossing += _centred_rows(inside, left, right)
    crossing += _outer_paragraphs(*sides, body) + _over_lists(*sides)
    if not crossing:
        return [(_divided(sides, body, known), things)]
    crossing += _captions(things, crossing, (left, right), body)
    crossing = list(dict.fromkeys(crossing))
    wall = set(crossing)
    others = [t for t in things if t not in wall]
    bands: list[Strips] = []
    spans = _between([(t.top, t.bottom) for t in crossing])
    for above, below in spans:
        inside = [t for t in others if above <= (t.top + t.bottom) / 2 < below]
        bands.append((_divided(_sides(inside, middle), body, known), inside))
    return _joined(bands, crossing, spans)


def _between(walls: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The strips between walls, from top to bottom."""
    edges = [float("-inf"), *sorted({(top + bottom) / 2 for top, bottom in walls}), float("inf")]
    return list(pairwise(edges))


def _joined(bands: list[Strips], crossing: list[Thing], spans: list[tuple[float, float]]) -> list[Strips]:
    """Put what crosses back in its place; neighbours without two columns become one band."""
    joined: list[Strips] = []
    for (sides, inside), (above, _) in zip(bands, spans, strict=True):
        wall = [t for t in crossing if (t.top + t.bottom) / 2 == above]
        if wall:
            _add(joined, None, wall)
        if inside:
            _add(joined, sides, inside)
    return joined


def _add(joined: list[Strips], sides: Sides | None, things: list[Thing]) -> None:
    if joined and not sides and not joined[-1][0]:
        joined[-1][1].extend(things)
    else:
        joined.append((sides, list(things)))


def _divided(sides: Sides, body: float, known: set[int]) -> Sides | None:
    """The two columns of running text beside a strip, if there are two."""
    before, after = sides
    if not before or not after:
        return None
    if len(before) < LINES_MIN and len(after) < LINES_MIN:
        return None
    if _is_sign_beside(before, after, body):
        return None
    if known and _is_known(after, body, known):
        return sides
    return None if not _beside(before, after) or _row_wise(before, after, body) else sides


def _is_sign_beside(before: list[Thing], after: list[Thing], body: float) -> bool:
    """Does nothing but one sign stand at the left of a text, a drawing before a note? What comes below is no column."""
    first, last = min([t.top for t in after]), max([t.bottom for t in after])
    level = [t for t in before if t.bottom > first and t.top < last]
    return len(level) == 1 < len(before) and not level[0].whole and _is_narrow(level, body)


def _is_known(side: list[Thing], body: float, known: set[int]) -> bool:
    """Does it begin where a column of other pages does, or is it a list that is set in there?"""
    start = min([t.x0 for t in side])
    set_in = min([start - edge for edge in known if edge - SAME_EDGE < start], default=body * LABEL)
    if set_in >= SAME_EDGE and (set_in >= body * LABEL or not _is_list(side)):
        return False
    return _usual_width(side) > NARROW * body


def _beside(before: list[Thing], after: list[Thing]) -> bool:
    """Does anything of one side stand beside something of the other? Headings in the middle of a page do not."""
    first, last = min([t.top for t in before]), max([t.bottom for t in before])
    if min([t.top for t in after]) > last or max([t.bottom for t in after]) < first:
        return False
    return any(one.top < other.bottom and other.top < one.bottom for one in before for other in after)


def _row_wise(before: list[Thing], after: list[Thing], body: float) -> bool:
    """Labels and their texts, or a table: to be read across, not down."""
    small, large = sorted((before, after), key=len)
    step = 0.15 * body
    baselines = {round(t.baseline / step) + off for t in large for off in (-1, 0, 1)}
    aligned = sum(1 for t in small if round(t.baseline / step) in baselines)
    if aligned < ALIGNED * len(small):
        return False
    if any(t.whole for t in small):
        return False
    numbers = all(t.x1 - t.x0 < LABEL * max(body, t.size) and _is_number(t) for t in before)  # of headings
    lone = len(small) == 1 and small[0].x1 - small[0].x0 < LABEL * body  # of one that goes on in a second line
    if not (numbers or lone) and _are_headed(before, after, BIGGER * body):
        return False
    if (_is_list(before) and _is_list(after)) or _begin_alike(before, after) or _counts_on(before, after):
        return False
    light = any(isinstance(t, Fragment) and not t.runs[0].bold for t in before)
    if (light or _is_wrapped(before, after)) and _across(before, after, body):
        return False
    usual = min(_usual_width(before), _usual_width(after))
    if usual < NARROW * body or _is_narrow(before, body) or _is_narrow(after, body):
        return True
    short = len(large) < FEW and aligned == len(small) and usual < SHORT * body
    return (short or not (_filled(before) and _filled(after))) and not _across(before, after, body)


def _is_wrapped(side: list[Thing], beside: list[Thing]) -> bool:
    """Have some of these words a second line, while others have none, and does no text end beside their first lines?
    Each stands beside a text of its own."""
    down = sorted(side, key=attrgetter("baseline"))
    first = [above for above, below in pairwise(down) if _runs_on(above, below)]
    if not first or len(first) == len(down) - 1:
        return False
    ended = [t.baseline for t in beside if isinstance(t, Fragment) and t.text[-1:] in ".!?"]
    return not any(abs(baseline - t.baseline) < LEVEL * t.size for t in first for baseline in ended)


def _are_headed(before: list[Thing], after: list[Thing], enough: float) -> bool:
    """Is there a heading over each? Columns of short lines. Something as narrow as the first may stand over its own."""
    heads = [min(side, key=attrgetter("top")) for side in (before, after)]
    if heads[1].size < enough or heads[0].size >= enough:
        return heads[1].size >= enough
    return any(t.size >= enough and abs(t.baseline - heads[1].baseline) < 1 for t in before)


def _begin_alike(before: list[Thing], after: list[Thing]) -> bool:
    """Does the first line of each begin with the same marker, "Q:", or ask? No row of a table does."""
    first = [min(side, key=attrgetter("top")) for side in (before, after)]
    if all(isinstance(t, Fragment) and t.text[-1:] == "?" for t in first):
        return True
    marks = [MARKED.match(t.text) if isinstance(t, Fragment) else None for t in first]
    return marks[0] is not None and marks[1] is not None and marks[0][0] == marks[1][0]


def _over_lists(before: list[Thing], after: list[Thing]) -> list[Thing]:
    """Lines at the left with white at their right, under a list that goes on there, and over another one."""
    over: list[Thing] = []
    for t in before if _marks(after) else ():
        if t.whole or any(_level_with(t, other) for other in after):
            continue
        above, below = ([[o for o in side if (o.top > t.top) is lower and o is not t] for side in (before, after)]
                        for lower in (False, True))  # fmt: skip
        if all(_counts_on(*sides) for sides in (above, below)):
            over.append(t)
    return over


def _counts_on(before: list[Thing], after: list[Thing]) -> bool:
    """Does the list in the one go on in the other: "4." beside "1." to "3."?"""
    edge = min([t.x0 for t in after], default=0.0) + INDENTED
    following = _marks([t for t in after if t.x0 < edge])
    last = _marks(before) if len(following) >= LINES_MIN else []
    marks = [*last[-2:], *following[:2]]  # "O:" beside "P:" goes on nowhere: question follows answer
    return len(last) >= LINES_MIN and all(other == _next(one) for one, other in pairwise(marks))


def _marks(things: list[Thing]) -> list[str]:
    """The numbers or letters of the items of a list, from top to bottom."""
    items = [t for t in things if isinstance(t, Fragment) and COUNTED.match(t.text)]
    return [t.text.strip(".:()").partition(" ")[0].rstrip(".:)") for t in sorted(items, key=attrgetter("baseline"))]


def _next(mark: str) -> str:
    return str(int(mark) + 1) if mark.isdecimal() else chr(ord(mark) + 1)


def _is_list(side: list[Thing]) -> bool:
    """Does every other line begin with a bullet?"""
    first = [(t.pieces[0] if isinstance(t, Whole) else t).runs[0] for t in side]
    return 2 * sum(BULLETED.match(run.text) is not None for run in first) >= len(side) > 1


def _usual_width(side: list[Thing]) -> float:
    return sorted([t.x1 - t.x0 for t in side])[len(side) // 2]


def _is_narrow(side: list[Thing], body: float) -> bool:
    return _width(side) < NARROW * body


def _filled(side: list[Thing]) -> bool:
    """Do lines reach the right edge as running text does?"""
    counts = Counter(round(t.x0) for t in side)
    starts = sorted(start for start, count in counts.items() if count >= LINES_MIN)
    end = max(t.x1 for t in side)
    full = 0
    for t in side:
        edge = next((start for start in starts if start > t.x1), end)  # of a column inside this side
        full += t.x1 - t.x0 >= NEARLY * (edge - t.x0)
    return full >= FILLED * len(side)


def _last_lines(things: list[Thing], crossing: list[Thing]) -> list[Thing]:
    """Short last lines of a title or paragraph over all columns: under it, in its type, nothing beside them."""
    last_lines: list[Thing] = []
    walls = set(crossing)
    for wall in sorted((t for t in crossing if not t.whole), key=lambda t: t.baseline):
        for t in things:
            if t in walls or t.whole or not 0 < t.baseline - wall.baseline < PITCH * wall.size:
                continue
            lined_up = abs(t.x0 - wall.x0) < 2 or abs(t.x0 + t.x1 - wall.x0 - wall.x1) < 4
            if not lined_up or abs(t.size - wall.size) > 0.05 * wall.size:
                continue
            if not any(o is not t and o.top < t.bottom and o.bottom > t.top and o not in walls for o in things):
                last_lines.append(t)
                walls.add(t)
    return last_lines


def _labels(inside: list[Thing], crossing: list[Thing]) -> list[Thing]:
    """Words at the left of a line over all columns, on its baseline: the two are one row."""
    rows = {round(t.baseline): t.x0 for t in crossing if not t.whole}
    return [t for t in inside if t.x1 < rows.get(round(t.baseline), t.x0) and not t.whole]


def _captions(
    things: list[Thing], crossing: list[Thing], gutter: tuple[float, float], body: float
) -> list[Thing]:
    """Lines that stand straight above a box or table over all columns: they are its title; or bold, straight above such
    a text."""
    captions = []
    walls = set(crossing)
    for wall in crossing:
        above = [t for t in things if t.bottom <= wall.top + 1 and t not in walls]
        last = max(above, key=lambda t: t.bottom, default=None)
        if (
            last is None
            or last.whole
            or not (wall.whole or _heads(last, wall, gutter))
            or abs(last.x0 - wall.x0) > CAPTION * body
            or wall.top - last.bottom > CAPTION * max(body, last.size)
        ):
            continue
        rest = [t.bottom for t in above if t is not last]
        left = last.x0 - CAPTION * body  # what it stands under may not be set in as it is
        own = [t.bottom for t in above if t is not last and t.x0 < last.x1 and left < t.x1]
        if own and last.top - max(own) < NEARER * (wall.top - last.bottom):  # it belongs to what stands above it
            continue
        if (not rest or last.top - max(rest) >= 0.3 * body) and not any(_runs_into(t, last) for t in above):
            captions.append(last)
    return captions


def _heads(line: Thing, wall: Thing, gutter: tuple[float, float]) -> bool:
    """Is it bold over a plain line of text that runs across the gutter?"""
    if isinstance(line, Whole) or isinstance(wall, Whole):
        return False
    return line.runs[0].bold and not wall.runs[0].bold and wall.x0 < gutter[0] and wall.x1 > gutter[1]


def _runs_into(line: Thing, last: Thing) -> bool:
    """Is this the line before the last one of a paragraph?"""
    near = 0 < last.baseline - line.baseline < PITCH * last.size and line.x0 < last.x1 and last.x0 < line.x1
    return near and not line.whole and abs(line.size - last.size) < 0.05 * last.size


def _headings_across(
    things: list[Thing], crossing: list[Thing], sides: Sides, gutter: tuple[float, float], body: float
) -> list[Thing]:
    """Large headings that stand in one column but leave the other white beside them: they govern both."""
    enough = BIGGER * body
    large = [t for t in things if t.size >= enough and not t.whole]
    if not large:
        return []
    beside = list(zip(large, _level(things, large), strict=True))
    first = min([t.top for t in things if t.whole or t.size < enough], default=0.0)  # a title above is of no column
    enough = 0.95 * max([t.size for t in large if t.top > first], default=large[0].size)
    headings: list[Thing] = []
    for here, there in (sides, sides[::-1]):
        alone = [t for t, level in beside if t.size >= enough and t in here and not any(o in there for o in level)]
        headings += [t for t in alone if _governs(t, here, there, body)]
    lone = [t for t, level in beside if not level]
    return headings + [t for t in _over_all(lone, things, crossing, gutter) if t not in headings]


def _outer_paragraphs(here: list[Thing], there: list[Thing], body: float) -> list[Thing]:
    """Paragraphs at the outer left edge, further out than what stands above and below them, with white across all
    columns, which go on level with each other below: each ends what stands above it."""
    first = min([t.x0 for t in here], default=0.0)
    if not there or all(t.x0 < first + INDENTED for t in here):  # no lists: all begins at the edge
        return []
    down = sorted(here, key=attrgetter("top"))
    if any(_level_with(below, above) and below.x0 > above.x1 for above, below in pairwise(down)):
        return []  # several columns
    paragraphs: list[Thing] = []
    at = 1
    while at < len(down):
        end = at
        while end < len(down) and down[end].x0 < first + SAME_EDGE and not down[end].whole:
            end += 1
        if at < end < len(down) and down[at - 1].x0 > first + INDENTED and down[end].x0 > first + INDENTED:
            above = [t.bottom for t in there if t.top < down[at].top]
            below = [t.top for t in there if t.bottom > down[at].top]
            white = bool(above and below) and max(above) < down[at].top and min(below) > down[end - 1].bottom
            if white and abs(min(below) - down[end].top) < LEVEL * body:
                paragraphs += down[at:end]
        at = max(end, at + 1)
    return paragraphs


def _centred_rows(things: list[Thing], left: float, right: float) -> list[Thing]:
    """Rows of pieces that stand together in the middle of all columns, none of them at the edge or in the middle of
    one, or where several lines begin: the names under a title."""
    begun = Counter([round(t.x0) for t in things])
    first, last = min([t.x0 for t in things], default=0.0), max([t.x1 for t in things], default=0.0)
    set_in = [t for t in things if t.x0 > first + INDENTED and t.x1 < last - INDENTED and abs(t.x0 - right) > SAME_EDGE]
    rows: dict[int, list[Thing]] = {}
    for t in set_in:
        if abs(t.x0 + t.x1 - first - left) > CENTRED and abs(t.x0 + t.x1 - right - last) > CENTRED and not t.whole:
            rows.setdefault(round(t.baseline), []).append(t)
    centred: list[Thing] = []
    for row in rows.values():
        x0, x1 = min([t.x0 for t in row]), max([t.x1 for t in row])
        alone = all(begun[round(t.x0)] <= LINES_MIN for t in row)
        if alone and x0 < left and x1 > right and abs(x0 + x1 - first - last) < CENTRED:
            level = _level(things, row[:1])[0]
            centred += row if len(level) + 1 == len(row) else []
    return centred


def _over_all(
    lone: list[Thing], things: list[Thing], crossing: list[Thing], gutter: tuple[float, float]
) -> list[Thing]:
    """Headings with nothing beside them: in the middle of all columns, over the gutter, straight above what is as wide
    as all of them, or with no text below but in another one.
    """
    if not lone:
        return []
    left, right = gutter
    middle = (left + right) / 2
    centre = min([t.x0 for t in things]) + max([t.x1 for t in things])
    headings = []
    for heading in lone:
        lower = [t for t in things if t.top >= heading.bottom - 1]
        own = [t for t in lower if (t.x0 + t.x1 < 2 * middle) is (heading.x0 + heading.x1 < 2 * middle)]
        wide = min([t.top for t in crossing if t.top >= heading.bottom - 1], default=None)
        if wide is not None and wide - heading.bottom < CAPTION * heading.size:
            own = [t for t in own if t.top < wide - 1]
        if wide is not None and _runs_into_wide(heading, own, lower, crossing, wide):
            headings.append(heading)
            continue
        off = min(abs(heading.x0 + heading.x1 - both) for both in (centre, 2 * middle))
        begins_between = left < heading.x0 < right - 1 and heading.x1 > right + 1
        if off < 2 * CENTRED or begins_between or (lower and not own):
            headings.append(heading)
    return headings


def _runs_into_wide(
    heading: Thing, own: list[Thing], lower: list[Thing], crossing: list[Thing], wide: float
) -> bool:
    """Does nothing stand at the other side down to a line over all columns, which the text under it runs into?"""
    line = next(t for t in crossing if t.top == wide)
    if line.whole or abs(line.x0 - heading.x0) > 2 or any(t.top < wide - 1 for t in lower if t not in own):
        return False
    stack = sorted([heading, *(t for t in own if t.top < wide), line], key=attrgetter("top"))
    return all(below.top - above.bottom < PITCH * heading.size for above, below in pairwise(stack))


def _level(things: list[Thing], headings: list[Thing]) -> list[list[Thing]]:
    """What stands at the height of each heading."""
    down = sorted(things, key=attrgetter("top"))
    tops, tallest = [t.top for t in down], max([t.bottom - t.top for t in things])
    level = []
    for heading in headings:
        near = down[bisect_left(tops, heading.top - tallest) : bisect_left(tops, heading.bottom)]
        level.append([t for t in near if t.bottom > heading.top and t is not heading])
    return level


def _governs(heading: Thing, here: list[Thing], there: list[Thing], body: float) -> bool:
    """Text above it in both columns, and both go on below it at one height, with white enough beside it?"""
    above = [t.bottom for t in there if t.bottom <= heading.bottom]
    below = [t.top for t in there if t.top >= heading.top]
    own = [t.top for t in here if t.top > heading.bottom - 1]
    if not above or not below or not own or not any(t.bottom <= heading.top for t in here):
        return False
    white = min(below) - max(above)
    level = abs(min(own) - min(below)) < LEVEL * body
    return level and white >= WHITE_BESIDE * (heading.bottom - heading.top) + body
