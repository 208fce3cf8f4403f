"""Tables that pdfplumber does not see: cells that stand under each other, with rules across, fills or nothing at all.

bands     pieces of text that overlap in height; between two bands the whole width is white
stack     bands of several pieces, one under the other, whose columns are kept apart by white
rows      bands that belong together: a cell may wrap over several lines
judged    is it a table, or text in columns? A drawn bar, a header in a type of its own, or short cells tell
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from operator import attrgetter

from pipeline.layout.lines import Fragment, downwards, fragment
from pipeline.quick import quickest
from pipeline.records import Box, RuledTable, Run

ROWS_MIN = 3
ROWS_OF_TWO = 4  # with two columns only, more rows are needed to be sure
PITCH = 3.2  # times the type size: rows further apart are not one table
FULL = 0.6  # share of cells that must hold something
LONG = 20  # letters on both sides of a gap, on average: two columns of text
SHORT = 30  # letters of a cell, on average: more need a header or a bar to be a table
PAIRED = 0.8  # of the rows of two columns have both cells
PAIRED_DRAWN = 0.5  # the same between bars
HEADER_MAX = 1.2  # times the type size of the next row: larger type is that of headings over columns of text
CELL_MAX = 90  # letters in one line of a cell; longer ones are lines of text, unless something is drawn
CELL_WIDE = 140  # letters in one line of a cell between bars, on a wide page in small type
ASCENT, DESCENT = 0.7, 0.15  # of the type size: what a line takes up above and below its baseline
LEVEL, UNLIKE = 0.12, 0.25  # of the type size: how far apart the baselines of a row are, in one size and in several
LEADING = 0.12  # of the type size: gaps that differ by less are one kind of gap
ROW_HIGH = 5.0  # times the type size: a higher row, its cells centred on each other, is text in columns
PARAGRAPH = 1.5  # of the type size: the widest gap between two paragraphs of one cell, where bars tell the rows
FURTHER = 0.5  # of the type size: what stands so much further under the last bar than rows do is none
WRAPPED = 0.75  # of the type size: the widest gap between two lines of one cell
SPLIT = 0.65  # of the type size: two runs this far apart may stand in two cells
SPLIT_EDGE = 0.42  # the same where other pieces begin at the edge of the second
SPLIT_TYPED = 0.95  # the same in the type of a typewriter, whose spaces are 0.6 wide
SPLIT_SHORT = 0.28  # the same in a table of many columns, where both are as short as the figures of a profile
MANY = 5  # columns of a profile
FIGURES = 14  # letters; longer pieces are words
EVEN = 0.15  # by which the stretched spaces of one line differ at most, as a share
ITEMS_MIN = 6  # of a list in columns
WORD_MIN = 2  # letters of its shortest item, and more: shorter ones are the heads of a profile
EVENLY = 0.03  # by which the distances of its columns differ at most, as a share
NEARLY = 0.8  # of that distance: what is wider may be running text
LABEL_MAX = 8  # letters of a bullet, a number or a letter before a text
WORD = 3.5  # letters of a word, on average: less are the figures of a table
SPACE = 0.25  # of the type size: a space, as wide as it usually is

CLOSING = frozenset("»”?!")  # the end of a cell's words, in a line of its own
BULLETS = frozenset("•●○▪▫■□◦‣➢➤►▶✓✔❖◆◇∙")

Interval = tuple[float, float]
Bars = Sequence[float]  # heights at which something is drawn across the table
Cells = dict[int, list[Fragment]]  # of one line: its pieces by column
Look = frozenset[tuple[str, bool, str]]

_LABEL = re.compile(r"^(?:[^\w\s]{1,2}|o|\(?\w{1,3}[.):]|[A-Za-z]\d{0,2} ?[:.)])$")
_NUMBER = re.compile(r"^\d{1,3}(?:\.\d{1,3}){1,3}[a-z]?\.?$")  # of a rule, where a text follows; else a time or a value
_TURN = re.compile(r"^([^\W\d_])(\d{1,3})[.:)]?$")
_MARKED = re.compile(r"^(?:[•●○▪▫■□◦‣➢➤►▶✓✔❖◆◇∙] ?\w|[–—-] \w|\(?\w{1,3} ?[.):] \w)")
_COUNTED = re.compile(r"^\d{1,3}[.)] ([^\W\d_].*)")
_PAGE = re.compile(r"^[\d\s.,…-]+$")
_TYPED = re.compile(r"mono|monl|courier|typewriter|consol|code|fixed|cmtt|sftt", re.I)
_FIGURE = re.compile(r"\d|^\W+$")
_LETTER = re.compile(r"[^\W\d_]")
_NAME = re.compile(r"[^\W\d_][^:.!?]+$")
_left = attrgetter("x0")


@dataclass(slots=True, eq=False)
class Grid:
    """A table that was found: the runs that it takes (by id), the same as pieces of cells, and where the cells are."""

    taken: set[int]
    pieces: list[Fragment]
    table: RuledTable
    lists: Sequence[list[Fragment]] = ()  # of a list in columns, which is no table: its columns


@dataclass(slots=True, eq=False, init=False)
class Band:
    """Pieces side by side, from left to right."""

    pieces: list[Fragment]
    top: float
    bottom: float
    size: float
    cells: bool | None = None  # may they be cells of one row? Once somebody asked


_new_band = quickest(Band)
_RUNS, _BASELINE = attrgetter("runs"), attrgetter("baseline")


def grids(pieces: Sequence[Fragment], bars: Bars = ()) -> list[Grid]:
    """The tables among these pieces, which are a page, a column, or what stands between two edges of drawn bars."""
    parts = pieces
    if max(map(len, map(_RUNS, pieces)), default=0) > 1:
        parts = [part for piece in pieces for part in (cut(piece, SPLIT) if len(piece.runs) > 1 else (piece,))]
    if not _are_beside(parts):
        return []
    bands = bands_of(parts)
    tables: list[Grid] = []
    start = 0
    while start < len(bands):
        if len(bands[start].pieces) == 1:
            start += 1
            continue
        if not bars and start and bands[start - 1].pieces[-1].text[-1:] == ":" and (listed := _announced(bands, start)):
            tables.append(listed[1])
            start = listed[0]
            continue
        end, columns = _stack(bands, start, bars)
        grid = _grid(bands, start, end, columns, bars) if end - start >= 2 else None
        if grid is not None:
            tables.append(grid)
        start = max(end, start + 1)
    return tables


def _are_beside(pieces: Sequence[Fragment]) -> bool:
    """Do two pieces and two more stand on one baseline each, to the nearest point? In most columns none do."""
    return len(pieces) - len(set(map(round, map(_BASELINE, pieces)))) > 1


# ---------------------------------------------------------------- bands and stacks


def bands_of(pieces: Sequence[Fragment]) -> list[Band]:
    bands: list[Band] = []
    tops = [(piece.baseline - ASCENT * piece.size, piece.x0, at) for at, piece in enumerate(pieces)]
    end = float("-inf")  # of the last band
    for top, _, at in sorted(tops):
        piece = pieces[at]
        size = piece.size
        bottom = piece.baseline + DESCENT * size
        if top < end:
            band = bands[-1]
            band.pieces.append(piece)
            if bottom > end:
                band.bottom = end = bottom
            if size > band.size:
                band.size = size
        else:
            bands.append(_new_band([piece], top, bottom, size))
            end = bottom
    return bands


def _stack(bands: Sequence[Band], start: int, bars: Bars) -> tuple[int, list[Interval]]:
    """The band after the last one that may stand in one table with the first, and the strips that they all leave."""
    drawn = bool(bars)
    first = bands[start].pieces
    if not drawn and len(first) == 2 and len(first[0].text) > SHORT and len(first[1].text) > SHORT:
        return start, []  # two columns of text: most of what is looked at
    if not _has_cells(bands[start], drawn) or (drawn and _titles(bands, start)):
        return start, []
    columns = strips_of(_edges(bands[start]))
    end = start + 1
    while end < len(bands):
        band = bands[end]
        if band.top - bands[end - 1].bottom > (PITCH - 1) * band.size:
            break
        cells = len(band.pieces) > 1 and _has_cells(band, drawn)
        if not cells and (len(band.pieces) > 1 or _heads_another(bands, start, end)):
            break
        after = _merged(columns, band)
        if end - start > 1 and (
            _is_under(band, bands[start:end], len(after) < len(columns), bars)
            or (bars and _is_over(bands, start, end, len(columns), bars))
        ):
            break
        alone = not cells and (_fits(band, bands, end, columns, bars) or _groups(bands, start, end, columns))
        if len(after) < 2 or not (cells or alone):
            if end - start == 1 and cells and len(strips_of(_edges(band))) > 2:
                after = strips_of(_edges(band))  # what was above spans several columns
            else:
                break
        columns = after
        end += 1
    return end, columns


def _titles(bands: Sequence[Band], at: int) -> bool:
    """Larger type over a row of more pieces: the name of a unit and what it costs, in a bar over its profile."""
    if at + 1 == len(bands) or len(bands[at + 1].pieces) <= len(bands[at].pieces):
        return False
    return min([piece.size for piece in bands[at].pieces]) > HEADER_MAX * bands[at + 1].size


def _is_under(band: Band, table: Sequence[Band], bridges: bool, bars: Bars) -> bool:
    """Headings over columns of text under a table; behind the last bar, what bridges its columns, or stands further
    from the bar than any row."""
    if band.size > HEADER_MAX * table[0].size and all(p.size > HEADER_MAX * table[-1].size for p in band.pieces):
        return True
    if not bars or len(table) < ROWS_MIN or band.top < (last := max(bars)):
        return False
    white = [below.top - max([bar for bar in bars if bar < below.top], default=last)
             for above, below in pairwise(table) if _bar_between(above, below, bars)]  # fmt: skip
    if bridges or len(white) < 2 or band.top - last <= max(white) + FURTHER * table[0].size:
        return bridges
    return not _ends_row(band, table[-1])


def _ends_row(band: Band, above: Band) -> bool:
    """The next line of one of the cells above, but for those of the first column."""
    if len(band.pieces) > 1 or not _is_close(band, above):
        return False
    piece, over = band.pieces[0], sorted(above.pieces, key=_left)[1:]
    return any(abs(piece.x0 - cell.x0) < 1 and piece.runs[0].font == cell.runs[0].font for cell in over)


def _is_close(band: Band, above: Band) -> bool:
    return band.top - above.bottom <= WRAPPED * band.size


def _is_over(bands: Sequence[Band], start: int, at: int, columns: int, bars: Bars) -> bool:
    """Is what stands above the first bar text in columns, and what begins there a table of more of them?"""
    if not bands[at - 1].top < min(bars) < bands[at].bottom:
        return False
    texts = [piece.text for band in bands[start:at] for piece in band.pieces]
    lines = at - start >= ROWS_MIN or sum(map(len, texts)) > LONG * len(texts)
    return lines and columns < len(strips_of(_edges(bands[at])))


def _heads_another(bands: Sequence[Band], start: int, at: int) -> bool:
    """A lone piece over a row in the type of the first one, which no row above it is in: another table's title, unless
    it ends a cell of that row."""
    if at + 1 == len(bands) or len(bands[at + 1].pieces) == 1 or _ends_row(bands[at], bands[at - 1]):
        return False
    if bands[at].pieces[0].x0 > sorted(bands[start].pieces, key=_left)[0].x1 and _is_close(bands[at], bands[at - 1]):
        return False  # a line more of a cell
    header, *rows, below = (look_of(bands[n].pieces[0]) for n in (*range(start, at), at + 1))
    return bool(rows) and header == below and header not in rows


def _has_cells(band: Band, drawn: bool) -> bool:
    """May its pieces be cells of one row?"""
    if band.cells is None:
        band.cells = _are_cells(band, drawn)
    return band.cells


def _are_cells(band: Band, drawn: bool) -> bool:
    pieces = band.pieces
    if len(pieces) < 2:
        return False
    if len(pieces) == 2:
        return _are_two_cells(band, pieces[0], pieces[1], drawn)
    texts = [piece.text for piece in pieces]
    lengths = sorted(map(len, texts))
    bullets = 0 if drawn else sum(text[:1] in BULLETS for text in texts)
    if _too_long(lengths[-1], lengths[-2], drawn):
        return False
    if 0 < bullets < len(texts) - 1:  # but for a name before cells that are lists
        return False
    strips = len(strips_of(_edges(band)))  # where one stands under another: columns of text, or cells that are centred
    if not drawn and strips == len(pieces) and len({piece.size for piece in pieces}) == 1:
        lines = [piece.baseline for piece in pieces]
        return max(lines) - min(lines) <= LEVEL * band.size
    return strips == len(pieces) or ((drawn or strips > 2) and band.bottom - band.top < ROW_HIGH * band.size)


def _too_long(longest: int, next_longest: int, drawn: bool) -> bool:
    return longest > (CELL_MAX if next_longest > SHORT and not drawn else CELL_WIDE)


def _are_two_cells(band: Band, one: Fragment, other: Fragment, drawn: bool) -> bool:
    """The same of two pieces; most bands that are asked about are lines of two columns of text."""
    first, second = (one, other) if one.x0 <= other.x0 else (other, one)
    if first.x1 > second.x0 and not (drawn and band.bottom - band.top < ROW_HIGH * band.size):
        return False
    if not drawn and abs(one.baseline - other.baseline) > (LEVEL if one.size == other.size else UNLIKE) * band.size:
        return False  # lines of two columns
    text, beside = first.text, second.text
    length, longest = len(text), len(beside)
    short, longest = (length, longest) if length < longest else (longest, length)
    if longest > CELL_MAX and _too_long(longest, short, drawn):
        return False
    if not drawn and (text[:1] in BULLETS) != (beside[:1] in BULLETS):
        return False
    if length < LABEL_MAX and _LABEL.match(text) and not (drawn and text in CLOSING):
        return False
    return longest <= SHORT or text[:1] not in "0123456789" or not _NUMBER.match(text)


def _fits(band: Band, bands: Sequence[Band], at: int, columns: Sequence[Interval], bars: Bars) -> bool:
    """A lone piece under one column: a cell's next line, or a row whose other cells are empty."""
    piece = band.pieces[0]
    over = sum(x0 < piece.x1 and piece.x0 < x1 for x0, x1 in columns)
    if len(band.pieces) > 1 or over > 1 or (over == 0 and not (bars and piece.x1 < columns[0][0])):
        return False  # the first column may have no head
    if band.size > HEADER_MAX * bands[at - 1].size:
        return False  # the heading of what follows
    gap = band.top - bands[at - 1].bottom
    if gap < WRAPPED * band.size:
        return True
    follows = at + 1 < len(bands) and len(bands[at + 1].pieces) > 1
    if bars and gap < PARAGRAPH * band.size and min(bars) < bands[at - 1].top:
        alike = not piece.runs[0].bold and abs(band.size - bands[at - 1].size) < LEADING
        below = any(abs(piece.x0 - x0) < WRAPPED * band.size for x0, _ in columns[1:])
        if alike and (below or (max(bars) > band.bottom and not _bar_between(bands[at - 1], band, bars))):
            return True
    if follows and _bar_between(bands[at - 1], band, bars) and max(bars) > band.bottom:
        return True
    return follows and not piece.runs[0].bold and abs(bands[at + 1].top - band.bottom - gap) < LEADING * band.size


def _groups(bands: Sequence[Band], start: int, at: int, columns: Sequence[Interval]) -> bool:
    """The name of a group of rows, in bold over the first column, inside a table whose header is in another type."""
    if at + 1 == len(bands) or len(bands[at + 1].pieces) < 2 or len(columns) < 2:
        return False
    above, band, below = bands[at - 1 : at + 2]
    piece, most = band.pieces[0], PARAGRAPH * band.size
    if not piece.runs[0].bold or abs(piece.x0 - columns[0][0]) > 1 or band.size > HEADER_MAX * below.size:
        return False
    near = max(band.top - above.bottom, below.top - band.bottom) <= most
    if not near or len(_merged(list(columns), below)) < len(columns):
        return False
    header, rows = (look_of(min(some.pieces, key=_left)) for some in (bands[start], below))
    return header != rows and (at == start + 1 or look_of(min(above.pieces, key=_left)) == rows)


def _merged(columns: list[Interval], band: Band) -> list[Interval]:
    """Strips with white between them, once this band's pieces are in them."""
    for piece in band.pieces:
        x0, x1 = piece.x0, piece.x1
        for start, end in columns:
            if start <= x0 and x1 <= end:
                break
        else:
            return strips_of([*columns, *_edges(band)])
    return columns  # most lines are no wider than those above


def _edges(band: Band) -> list[Interval]:
    return [(piece.x0, piece.x1) for piece in band.pieces]


def strips_of(edges: Sequence[Interval]) -> list[Interval]:
    strips: list[Interval] = []
    start = end = float("-inf")
    for x0, x1 in sorted(edges):
        if x0 >= end:
            start, end = x0, x1
            strips.append((x0, x1))
        elif x1 > end:
            end = x1
            strips[-1] = (start, end)
    return strips


# ---------------------------------------------------------------- columns and rows


def _grid(bands: Sequence[Band], start: int, end: int, strips: list[Interval], bars: Bars) -> Grid | None:
    inside = list(bands[start:end])
    if not bars and (_are_few(inside) or _is_text(inside, strips)):
        return None
    reach = _reach(inside)
    lines = at_edges([_in_cells(band, reach) for band in inside])
    columns, spanning = _columns(lines)
    if any(len(piece.runs) > 1 for at in spanning for piece in lines[at]):
        lines = [[part for piece in line for part in _cut_over(piece, columns)] if at in spanning else line
                 for at, line in enumerate(lines)]  # fmt: skip
        columns, spanning = _columns(lines)
    if len(columns) < 2:
        return None
    gutters = set() if bars else _goes_beyond(bands, start, end, columns)
    if not bars and not gutters and (listed := _list(inside, lines, strips)):
        return listed
    if len(inside) >= ROWS_MIN or bars:
        start -= _has_span_above(bands, start, columns)
    if start + len(inside) < end:
        inside = list(bands[start:end])
        lines = [_in_cells(band, reach) for band in inside]
        spanning = {0, *(at + 1 for at in spanning)}
    cells = [by_column(line, columns, spans=at in spanning) for at, line in enumerate(lines)]
    if not bars and _take_turns(cells):
        return None
    crossed = [_bar_between(above, below, bars) for above, below in pairwise(inside)]
    rows = rows_of(inside, cells, columns, crossed, spanning)
    if not _is_table(rows, cells, columns, sum(crossed)):
        return None
    if gutters and _is_of_page(gutters, rows, cells, len(columns)):
        return None
    if not bars and _all_long(cells, len(columns)) and (gutters or not _is_headed(rows, cells)):
        return None
    spans = {number: sorted(cells[row[0]]) for number, row in enumerate(rows) if row[0] in spanning}
    table = _boxes(rows, inside, columns, spans)
    runs = {id(run) for line in lines for piece in line for run in piece.runs}
    return Grid(runs, [piece for line in lines for piece in line], table)


def _take_turns(cells: Sequence[Cells]) -> bool:
    """ "Q1", "A1", "Q2", "A2" down the first column: questions, with their answers."""
    first = [line[0][0].text for line in cells if 0 in line]
    turns = [match for text in first if (match := _TURN.match(text))]
    letters = {match[1] for match in turns}
    return len(turns) == len(first) and len(letters) == 2 and 2 * len({match[2] for match in turns}) <= len(turns) + 1


def grid_of(rows: Sequence[list[Fragment]]) -> Grid | None:
    """A table of these rows, if they leave as much white between columns as the first has pieces."""
    pieces = [piece for row in rows for piece in row]
    columns = strips_of([(piece.x0, piece.x1) for piece in pieces])
    return grid_of_rows(rows, columns) if len(columns) == len(rows[0]) else None


def grid_of_rows(rows: Sequence[list[Fragment]], columns: Sequence[Interval]) -> Grid:
    """The table of these rows, each of one line or more, and columns."""
    pieces = [piece for row in rows for piece in row]
    bands = [band for row in rows for band in bands_of(row)]
    ends = [0, *accumulate(len(bands_of(row)) for row in rows)]
    table = _boxes([list(range(*each)) for each in pairwise(ends)], bands, columns, {})
    return Grid({id(run) for piece in pieces for run in piece.runs}, pieces, table)


def _are_few(bands: Sequence[Band]) -> bool:
    """Two lines of two pieces each: too little for a table, of which most columns of text have some."""
    return len(bands) == 2 and sum([len(piece.runs) for band in bands for piece in band.pieces]) <= 4


def _is_text(bands: Sequence[Band], columns: list[Interval]) -> bool:
    """Two columns of long lines."""
    if len(columns) != 2:
        return False
    first, start = columns[0][1], columns[1][0]
    sides = ([piece.text for band in bands for piece in band.pieces if piece.x1 <= first],
             [piece.text for band in bands for piece in band.pieces if piece.x0 >= start])  # fmt: skip
    return all(sum(map(len, side)) > LONG * len(side) for side in sides)


def _goes_beyond(bands: Sequence[Band], start: int, end: int, columns: Sequence[Interval]) -> set[int]:
    """The columns after which white goes on above or below, with text on both sides: gutters of the page."""
    numbers: set[int] = set()
    for at in (start - 2, start - 1, end, end + 1):
        if not 0 <= at < len(bands) or len(bands[at].pieces) < 2:
            continue
        edges = [(piece.x0, piece.x1) for piece in bands[at].pieces]
        for number, ((_, left), (right, _)) in enumerate(pairwise(columns)):
            if any(x1 <= right for _, x1 in edges) and any(x0 >= left for x0, _ in edges):
                crossed = any(x0 < left - 1 and x1 > right + 1 for x0, x1 in edges)
                numbers |= set() if crossed else {number}
    return numbers


def _is_of_page(gutters: set[int], rows: Sequence[list[int]], cells: Sequence[Cells], columns: int) -> bool:
    """Are the columns the page's, or is it a table at one side of a gutter and running text at the other?"""
    if columns == 2:
        return True
    if _is_headed(rows, cells):
        return False
    if len(gutters) == columns - 1:
        return True
    alone = [at for at, lone in ((0, 0 in gutters), (columns - 1, columns - 2 in gutters)) if lone]
    lines = [len(piece.text) for line in cells for at in alone for piece in line.get(at, ())]
    return sum(lines) > SHORT * len(lines)


def _all_long(cells: Sequence[Cells], columns: int) -> bool:
    """Are the lines of every column as long as those of running text?"""
    lengths = [[len(piece.text) for line in cells for piece in line.get(at, ())] for at in range(columns)]
    return all(lines and sum(lines) > LONG * len(lines) for lines in lengths)


def cut(piece: Fragment, reach: float) -> list[Fragment]:
    """A piece, cut wherever two of its runs stand far enough apart to be in two cells."""
    if _is_stretched(piece):
        return [piece]
    parts = [[piece.runs[0]]]
    for before, run in pairwise(piece.runs):
        gap = run.x0 - before.x1
        if gap > reach * run.size and gap > _apart(before, run, reach) * run.size:
            parts.append([run])
        else:
            parts[-1].append(run)
    return [piece] if len(parts) == 1 else [fragment(part) for part in parts]


def _is_stretched(piece: Fragment) -> bool:
    """A justified line of words: its spaces are wide, and all alike."""
    gaps = [run.x0 - before.x1 for before, run in pairwise(piece.runs)]
    wide = [gap for gap in gaps if gap > SPACE * piece.size]
    letters = sum(len(run.text.strip()) for run in piece.runs)
    even = len(wide) > 1 and max(wide) - min(wide) < EVEN * max(wide)
    return even and letters > WORD * (len(wide) + 1)


def cut_at(piece: Fragment, edges: Sequence[float]) -> list[Fragment]:
    """A piece, cut where an edge of a cell lies between two of its runs."""
    parts: dict[int, list[Run]] = {}
    for run in piece.runs:
        parts.setdefault(bisect(edges, (run.x0 + run.x1) / 2), []).append(run)
    return [piece] if len(parts) == 1 else [fragment(part) for part in parts.values()]


def at_edges(lines: list[list[Fragment]]) -> list[list[Fragment]]:
    """Pieces cut where a run begins at an edge at which others begin, with more than a space before it: short figures
    at the right of their column stand close to the text beside them."""
    starts = Counter([round(x) for line in lines for piece in line for x in _starts(piece, marks=False)])
    edges = {start for start, count in starts.items() if count >= ROWS_MIN}
    return [[part for piece in line for part in _cut_at_edges(piece, edges)] for line in lines] if edges else lines


def _cut_at_edges(piece: Fragment, edges: set[int]) -> list[Fragment]:
    if len(piece.runs) == 1 or _is_stretched(piece):
        return [piece]
    cuts = [x - 0.1 for x in _starts(piece, marks=True)[1:] if round(x) in edges]
    return cut_at(piece, cuts) if cuts else [piece]


def _starts(piece: Fragment, *, marks: bool) -> list[float]:
    """Where it begins, and where a run of it does with more than a space before it; without ``marks`` not behind the
    mark of a list."""
    return [piece.x0, *(run.x0 for before, run in pairwise(piece.runs) if run.x0 - before.x1 > SPLIT_EDGE * run.size
                        and (marks or not _LABEL.match(before.text.strip())))]  # fmt: skip


def _cut_over(piece: Fragment, columns: Sequence[Interval]) -> list[Fragment]:
    """A piece over several columns, cut where a run begins that stands over the edge of one: heads may nearly touch."""
    starts = [start for start, _ in columns[1:]]
    return cut_at(piece, [run.x0 for run in piece.runs[1:] if any(abs(run.x0 - x) < 1 for x in starts)])


def _apart(before: Run, run: Run, reach: float) -> float:
    if _TYPED.search(run.font):
        return SPLIT_TYPED
    short = max(len(before.text), len(run.text)) <= FIGURES and before.text[-1] != " " and run.text[0] != " "
    return reach if short else SPLIT


def _reach(bands: Sequence[Band]) -> float:
    """How far apart cells stand here: closer in a profile, many columns of figures after a name."""
    finest = [_in_cells(band, SPLIT_SHORT) for band in bands]
    columns, _ = _columns(finest)
    if len(columns) < MANY or len(bands) < ROWS_MIN:
        return SPLIT
    values = [piece.text for line in finest[1:] for piece in line if piece.x0 > columns[0][1]]
    figures = sum(len(text) < 3 or bool(_FIGURE.search(text)) for text in values)
    return SPLIT_SHORT if figures > FULL * len(values) else SPLIT


def _in_cells(band: Band, reach: float) -> list[Fragment]:
    parts = [part for piece in band.pieces for part in (cut(piece, reach) if len(piece.runs) > 1 else (piece,))]
    return sorted(parts, key=lambda f: f.x0)


def _columns(lines: Sequence[list[Fragment]]) -> tuple[list[Interval], set[int]]:
    """The columns, and the lines that span several of them: one or two at the top, and any that have few pieces."""
    edges = [[(piece.x0, piece.x1) for piece in line] for line in lines]
    best, spanning = strips_of([edge for line in edges for edge in line]), 0
    for skipped in (1, 2):
        if len(lines) - skipped < 2 or any(len(piece.text) > SHORT for piece in lines[skipped - 1]):
            break
        strips = strips_of([edge for line in edges[skipped:] for edge in line])
        between = any(not any(x0 < strip[1] and strip[0] < x1 for strip in strips) for x0, x1 in edges[skipped - 1])
        if len(strips) > len(best) or (between and len(strips) > max(2, len(edges[skipped - 1]))):
            best, spanning = strips, skipped
    spans, most = set(range(spanning)), max(map(len, lines))
    few = {at for at, line in enumerate(lines) if 2 * len(line) <= most and all(len(f.text) <= SHORT for f in line)}
    strips = strips_of([edge for at, line in enumerate(edges) if at not in few | spans for edge in line])
    if len(strips) > len(best) and len(lines) >= ROWS_MIN * len(few) and len(lines) - len(few) >= ROWS_MIN:
        best, spans = strips, spans | {at for at in few if any(map(partial(_bridges, strips), edges[at]))}
    return side_by_side(best, [line for at, line in enumerate(edges) if at not in spans]), spans


def _bridges(columns: Sequence[Interval], edge: Interval) -> bool:
    return sum(x0 < edge[1] and edge[0] < x1 for x0, x1 in columns) > 1


def side_by_side(columns: list[Interval], lines: Sequence[list[Interval]]) -> list[Interval]:
    """The columns; those that no line has text in both of are one: its cells are set to the left, the right or the
    middle."""
    merged = columns[:1]
    for column in columns[1:]:
        (x0, x1), (start, end) = merged[-1], column
        if any(any(x0 <= a < x1 for a, _ in line) and any(start <= a < end for a, _ in line) for line in lines):
            merged.append(column)
        else:
            merged[-1] = (x0, end)
    return merged


def _has_span_above(bands: Sequence[Band], start: int, columns: Sequence[Interval]) -> bool:
    """A lone piece straight above some of the columns, but not the first: their common header."""
    if not start or len(bands[start - 1].pieces) != 1 or len(columns) < 3:
        return False
    above, first, below = bands[start - 1 : start + 2]
    piece, gap = above.pieces[0], first.top - above.bottom
    if len(piece.text) > SHORT or piece.x0 <= columns[0][1] or piece.x1 > columns[-1][1] + first.size:
        return False
    as_rows = gap < below.top - first.bottom + LEADING * first.size and _is_over_some(piece, columns)
    heads = piece.runs[0].bold and not first.pieces[0].runs[0].bold  # a heading over the table
    return (gap < WRAPPED * first.size and not heads) or (as_rows and look_of(piece) == look_of(first.pieces[0]))


def _is_over_some(piece: Fragment, columns: Sequence[Interval]) -> bool:
    """Is it centred over two columns or more, but not over all?"""
    spans = [(columns[a][0], columns[b][1]) for a in range(1, len(columns)) for b in range(a + 1, len(columns))]
    return any(abs(piece.x0 + piece.x1 - x0 - x1) < 2 * piece.size and x0 <= piece.x0 for x0, x1 in spans)


def look_of(piece: Fragment) -> tuple[str, bool, str]:
    return piece.runs[0].font, piece.runs[0].bold, piece.runs[0].colour


def by_column(line: Sequence[Fragment], columns: Sequence[Interval], *, spans: bool) -> Cells:
    """The pieces of a line by the column that they stand in; one that spans several, by the first of them."""
    cells: Cells = {}
    for piece in sorted(line, key=downwards):
        shared = [min(piece.x1, x1) - max(piece.x0, x0) for x0, x1 in columns]
        at = max(range(len(columns)), key=lambda n: shared[n])
        if spans and not columns[at][0] - 1 < piece.x0 < piece.x1 < columns[at][1] + 1:
            middle = piece.x0 + piece.x1
            touched = next((n for n, wide in enumerate(shared) if wide > 0), at)
            at = min(touched, max((n for n, (x0, x1) in enumerate(columns) if x0 + x1 < middle), default=touched))
        cells.setdefault(at, []).append(piece)
    return cells


def _bar_between(above: Band, below: Band, bars: Bars) -> bool:
    return any((above.top + above.bottom) / 2 < bar < (below.top + below.bottom) / 2 for bar in bars)


def rows_of(
    bands: Sequence[Band], cells: Sequence[Cells], columns: Sequence[Interval], crossed: Sequence[bool],
    spanning: set[int],
) -> list[list[int]]:  # fmt: skip
    """The bands of each row, by their numbers."""
    gaps = [below.top - above.bottom for above, below in pairwise(bands)]
    least = min(gaps) + LEADING * bands[0].size
    has_gaps = sum(gap > least for gap in gaps) + sum(crossed) > 1  # do gaps tell lines of a cell from rows?
    wraps = [_wraps(above, below, columns) for above, below in pairwise(cells)]
    going = [wrap or _goes_on(*pair, columns) for wrap, pair in zip(wraps, pairwise(cells), strict=True)]
    barred = sum(crossed) > 1 and all(on for on, bar in zip(going, crossed, strict=True) if not bar)
    framed = sum(crossed) > 1 and all(bar for bar, below in zip(crossed, cells[1:], strict=True) if 0 in below)
    rows = [[0]]
    for at, gap in enumerate(gaps):
        above, below = cells[at], cells[at + 1]
        close = gap <= min(least, WRAPPED * bands[at].size) and (
            below.keys() <= above.keys() or (len(rows) == 1 and above.keys() <= below.keys() and _alike(above, below))
        )
        goes_on = framed or barred or (wraps[at] and close and (has_gaps or _hangs(above, below)))
        if goes_on and not crossed[at] and spanning.isdisjoint((at, at + 1)):
            rows[-1].append(at + 1)
        else:
            rows.append([at + 1])
    return [part for row in rows for part in _unless_full(row, cells, len(columns))]


def _wraps(above: Cells, below: Cells, columns: Sequence[Interval]) -> bool:
    """May this be the next line of the cells above?"""
    if 0 not in below and all(pieces[0].text[:1] in BULLETS for pieces in below.values()):
        return below.keys() <= above.keys()
    return all(is_broken(above[at][-1], below[at][0], columns[at]) for at in below if at in above)


def _goes_on(above: Cells, below: Cells, columns: Sequence[Interval]) -> bool:
    """Does one of the cells go on in small letters, though another begins a paragraph beside it?"""
    both = [(above[at][-1], below[at][0], columns[at]) for at in below if at in above]
    return any(two.text[:1].islower() and is_broken(one, two, column) for one, two, column in both)


def _alike(above: Cells, below: Cells) -> bool:
    """Two lines of a header that stands on its last line."""
    return _look([0], [above]) == _look([0], [below])


def is_broken(above: Fragment, below: Fragment, column: Interval) -> bool:
    """May the second be the next line of the first? Not where its first word would have fitted, nor where it is
    set in bold and the other not, nor with numbers."""
    text = below.text
    if above.runs[-1].bold != below.runs[0].bold or not (has_letter(below) or has_letter(above)):
        return False
    first = text.split(" ", 1)[0]
    wide = (below.x1 - below.x0) * len(first) / max(1, len(text)) + SPACE * below.size
    return above.x1 - above.x0 + wide > column[1] - column[0] - SPACE * below.size


def _hangs(above: Cells, below: Cells) -> bool:
    """Does a cell go on in small letters, or are there fewer cells and none of the first column?"""
    if any(pieces[0].text[:1].islower() for pieces in below.values()):
        return True
    return 0 not in below and len(below) < len(above)


def _unless_full(row: list[int], cells: Sequence[Cells], columns: int) -> Sequence[list[int]]:
    """Three lines or more that all fill every column are rows, whatever the white between them."""
    return [[at] for at in row] if len(row) > 2 and all(len(cells[at]) == columns for at in row) else [row]


def _boxes(
    rows: Sequence[list[int]], bands: Sequence[Band], columns: Sequence[Interval], spans: dict[int, list[int]]
) -> RuledTable:
    """The boxes of the cells; in rows that span columns a cell reaches to where the next one begins."""
    edges = [columns[0][0] - 2, *((a[1] + b[0]) / 2 for a, b in pairwise(columns)), columns[-1][1] + 2]
    tops = [bands[0].top - 2, *((bands[a[-1]].bottom + bands[b[0]].top) / 2 for a, b in pairwise(rows)),
            bands[-1].bottom + 2]  # fmt: skip
    cells = tuple(
        _row_boxes(edges, top, bottom, spans.get(number, range(len(columns))))
        for number, (top, bottom) in enumerate(pairwise(tops))
    )
    return RuledTable(box=Box(x0=edges[0], top=tops[0], x1=edges[-1], bottom=tops[-1]), cells=cells)


def _row_boxes(edges: Sequence[float], top: float, bottom: float, starts: Sequence[int]) -> tuple[Box | None, ...]:
    ends = dict(pairwise([*starts, len(edges) - 1]))
    return tuple(
        Box(x0=edges[at], top=top, x1=edges[ends[at]], bottom=bottom) if at in ends else None
        for at in range(len(edges) - 1)
    )


# ---------------------------------------------------------------- lists in columns


def _list(bands: Sequence[Band], lines: Sequence[list[Fragment]], columns: Sequence[Interval]) -> Grid | None:
    """A list of names or words, to be read column by column, if it is one."""
    lists = _lists([by_column(line, columns, spans=False) for line in lines], columns)
    if not lists:
        return None
    runs = {id(run) for line in lines for piece in line for run in piece.runs}
    table = _boxes([[at] for at in range(len(bands))], bands, columns, {})
    return Grid(runs, [piece for line in lines for piece in line], table, lists)


def _announced(bands: Sequence[Band], start: int) -> tuple[int, Grid] | None:
    """A list of names in columns, which the line above announces, and the band after it; None where it may be a table.

    Each row begins where the first does, all is in one type, and no column is longer than the one before it.
    """
    if len(bands[start - 1].pieces) > 1:
        return None
    edges = sorted(piece.x0 for piece in bands[start].pieces)
    end = start
    while end < len(bands) and _begins_at(edges, bands[end], bands[max(start, end - 1)]):
        end += 1
    rows = [sorted(band.pieces, key=_left) for band in bands[start:end]]
    full = [len(row) for row in rows]
    pieces = [piece for row in rows for piece in row]
    if len(pieces) < ITEMS_MIN or full != sorted(full, reverse=True):
        return None
    looks = {(run.font, run.bold, run.colour) for piece in pieces for run in piece.runs}
    if len(looks) > 1 or not all(_NAME.match(piece.text) and len(piece.text) <= SHORT for piece in pieces):
        return None
    lists = [[row[at] for row in rows if at < len(row)] for at in range(len(edges))]
    table = _boxes([[at] for at in range(len(rows))], bands[start:end], strips_of([(p.x0, p.x1) for p in pieces]), {})
    return end, Grid({id(run) for piece in pieces for run in piece.runs}, pieces, table, lists)


def _begins_at(edges: Sequence[float], band: Band, above: Band) -> bool:
    """Do the pieces of a band begin at the first of these edges, close under the band above?"""
    pieces = sorted(band.pieces, key=_left)
    close = band.top - above.bottom < WRAPPED * band.size
    return close and len(pieces) <= len(edges) and all(abs(p.x0 - x) < 1 for p, x in zip(pieces, edges, strict=False))


def _lists(cells: Sequence[Cells], columns: Sequence[Interval]) -> list[list[Fragment]]:
    """The columns of such a list; none where it may be a table.

    Every column is full but for the end of the last ones, and all are of one kind: all items have a bullet, or they are
    in order from the first column to the last, or short, in columns that stand equally far apart.
    """
    column_cells = [[line[at] for line in cells if at in line] for at in range(len(columns))]
    full = [len(column) for column in column_cells]
    gaps = any(at in below and at not in above for above, below in pairwise(cells) for at in range(len(columns)))
    if len(cells) < ROWS_MIN or full != sorted(full, reverse=True) or gaps or full[-1] == 0:
        return []
    if any(len(pieces) > 1 for column in column_cells for pieces in column):
        return []
    items = [[pieces[0] for pieces in column] for column in column_cells]
    texts = [piece.text for column in items for piece in column]
    bulleted = sum(text[:1] in BULLETS for text in texts)
    if bulleted or sum(map(len, texts)) > LONG * len(texts) or len(texts) < ITEMS_MIN:
        return items if bulleted == len(texts) else []
    return items if _in_order(texts) or _are_even(items, columns) else []


def _in_order(texts: Sequence[str]) -> bool:
    """Do they follow the alphabet?"""
    first = [text.casefold() for text in texts]
    return texts[0][:1].isalpha() and first == sorted(first)


def _are_even(items: Sequence[list[Fragment]], columns: Sequence[Interval]) -> bool:
    """Names in three columns or more, set alike, each column as far from the next, none with nothing but figures."""
    steps = [after[0] - before[0] for before, after in pairwise(columns)]
    if len(steps) < 2 or max(steps) - min(steps) > EVENLY * max(steps):
        return False
    looks = {frozenset((run.font, run.bold, run.colour) for piece in column for run in piece.runs) for column in items}
    words = all(piece.text[:1].isupper() and len(piece.text) > WORD_MIN for column in items for piece in column)
    return words and len(looks) == 1 and max(end - start for start, end in columns) < NEARLY * max(steps)


# ---------------------------------------------------------------- judged


def _is_table(rows: Sequence[list[int]], cells: Sequence[Cells], columns: Sequence[Interval], bars: int) -> bool:
    """Is it a table? ``bars`` are the places between its lines at which something is drawn."""
    texts = [_texts(row, cells) for row in rows]
    filled = sum(len(row) for row in texts)
    if filled < FULL * len(columns) * len(rows) or _is_contents(texts):
        return False
    headed = _is_headed(rows, cells)
    if 2 * bars < len(rows) - 1 and _is_lists(texts, len(columns)) and not headed:
        return False
    if not bars and (_are_cards(rows, cells) if headed else not _is_full(texts, cells, len(columns))):
        return False
    letters = sum(len(text) for row in texts for text in row.values()) / filled
    asking = sum("?" in text for text in texts[0].values())
    if not bars and (2 * asking > len(texts[0]) or _are_counted(list(texts[0].values()))):
        return False  # questions over their answers, or numbered headings over their text, in columns
    paired = sum(len(row) == 2 for row in texts) / len(texts) if len(columns) == 2 else 1.0
    if bars and len(rows) + len(columns) > 4:
        return paired > PAIRED_DRAWN and (headed or letters <= SHORT or 2 * bars >= len(rows) - 1)
    if len(rows) < ROWS_MIN:
        profile = len(rows) == 2 and len(columns) >= MANY and filled == 2 * len(columns)
        return profile and letters <= FIGURES
    if len(columns) > 2:
        return letters <= SHORT if not headed else letters <= SHORT or filled >= PAIRED * len(columns) * len(rows)
    return len(rows) >= ROWS_OF_TWO and not _is_long(texts) and paired >= PAIRED


def _is_full(texts: Sequence[dict[int, str]], cells: Sequence[Cells], columns: int) -> bool:
    """Has each row one line, with one piece in every column, and no mark of a list before it? Of two columns the second
    must hold texts. Else it is text with tabs, or contents with pages that count up, where there is neither a header
    nor anything drawn."""
    full = all(len(line) == columns and max(map(len, line.values())) == 1 for line in cells)
    if not full or len(texts) < len(cells):
        return False
    last = [row[columns - 1] for row in texts]
    if all(map(str.isdecimal, last)) and sorted(last, key=int) == last:
        return False
    if any(all(row[at][:1].islower() for at in range(columns)) for row in texts[1:]):
        return False  # lines of running text in columns go on in small letters
    wide = columns > 2 or sum(len(row[1]) for row in texts) > LONG * len(texts)
    return wide and not all(_LABEL.match(row[0]) for row in texts)


def _are_counted(heads: Sequence[str]) -> bool:
    """ "4. Rest", "7. Capture"; "1. round", "2. round" may head a table."""
    names = [match[1] for head in heads if (match := _COUNTED.match(head))]
    return len(names) == len(heads) and len(set(names)) > 1


def _are_cards(rows: Sequence[list[int]], cells: Sequence[Cells]) -> bool:
    """Is a row of names followed by one that is all in italics, and by text that is not? Each column is a card."""
    if len(rows) < ROWS_MIN:
        return False
    slanted = [[run.italic for at in row for pieces in cells[at].values() for piece in pieces for run in piece.runs]
               for row in rows[:3]]  # fmt: skip
    return all(slanted[1]) and not any(slanted[0]) and not any(slanted[2])


def _texts(row: Sequence[int], cells: Sequence[Cells]) -> dict[int, str]:
    texts: dict[int, str] = {}
    for at in row:
        for column, pieces in cells[at].items():
            texts[column] = " ".join([texts.get(column, ""), *(piece.text for piece in pieces)]).strip()
    return texts


def _is_contents(texts: Sequence[dict[int, str]]) -> bool:
    """Titles with page numbers."""
    numbered = all(_PAGE.match(row.get(1, "1")) for row in texts)
    return len(texts[0]) == 2 and max(len(row) for row in texts) == 2 and numbered


def has_letter(piece: Fragment) -> bool:
    return bool(_LETTER.search(piece.text))


def is_item(piece: Fragment) -> bool:
    """Does it begin with the mark of a list?"""
    return bool(_MARKED.match(piece.text) or _LABEL.match(piece.text))


def _is_lists(texts: Sequence[dict[int, str]], columns: int) -> bool:
    """A list or questions in columns: every other cell of two columns begins with a mark, or with one word."""
    if columns % 2 == 0 and _are_letters(texts, range(0, columns, 2)):
        return True
    marked = 0
    words: Counter[str] = Counter()
    for at in range(columns):
        column = [row[at] for row in texts if row.get(at)]
        if not column:
            continue
        marked += 2 * sum(bool(_MARKED.match(text) or _LABEL.match(text)) for text in column) >= len(texts)
        first, count = Counter(text.split(" ", 1)[0] for text in column).most_common(1)[0]
        words[first] += 2 * count > len(texts) > ROWS_MIN and len(first) > 2 and first.isalpha()
    return max(marked, *words.values(), 0) >= 2


def _are_letters(texts: Sequence[dict[int, str]], columns: Sequence[int]) -> bool:
    """ "Q" and "A" in boxes, and nothing else."""
    letters = {row[at] for row in texts for at in columns if at in row}
    return len(letters) == 2 and all(len(text) == 1 for text in letters)


def _is_long(texts: Sequence[dict[int, str]]) -> bool:
    """Are the pieces on both sides as long as lines of running text?"""
    sides = ([len(row[0]) for row in texts if 0 in row], [len(row[1]) for row in texts if 1 in row])
    return all(sum(side) > LONG * len(side) for side in sides)


def _is_headed(rows: Sequence[list[int]], cells: Sequence[Cells]) -> bool:
    """Is the first row, and no other, set in one type of its own, and no larger than a header is?"""
    first = _look(rows[0], cells)
    while len(rows) > ROWS_MIN and _look(rows[1], cells) == first:
        rows = rows[1:]  # a header of several rows
    sizes = [max(piece.size for pieces in cells[row[0]].values() for piece in pieces) for row in rows[:2]]
    if sizes[0] > HEADER_MAX * sizes[-1]:
        return False
    others = [_look(row, cells) for row in rows[1:]]
    if len(first) != 1 or first in others:
        return False
    bold = next(iter(first))[1]
    return bold or all(first.isdisjoint(other) for other in others)


def _look(row: Sequence[int], cells: Sequence[Cells]) -> Look:
    return frozenset(
        (run.font, run.bold, run.colour)
        for at in row
        for pieces in cells[at].values()
        for piece in pieces
        for run in piece.runs
    )
