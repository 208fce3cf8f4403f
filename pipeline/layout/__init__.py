"""Columns, bands, boxes, furniture: pure geometry over one page, shared by structure and the picture of ``check``."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, pairwise
from operator import attrgetter

from pipeline.layout.bars import barred
from pipeline.layout.boards import boards
from pipeline.layout.columns import Column, Thing, Whole, in_order, table_thing
from pipeline.layout.footnotes import Note, at_bottom, go_on, notes
from pipeline.layout.fractions import SMALL as FIGURES
from pipeline.layout.fractions import fractions
from pipeline.layout.furniture import furniture
from pipeline.layout.lines import DROPPED, Fragment, downwards, drop_caps, fragment, fragments, into_lines, is_marker
from pipeline.layout.margin import line_numbers, with_numbers
from pipeline.layout.profiles import framed, profiles
from pipeline.layout.ruled_cells import apart, divided, reaching
from pipeline.layout.tables import Grid, grids
from pipeline.records import Box, Page, RuledTable, Run, Shape

BOX_MIN = 8.0  # points; a lower rectangle is a rule or a highlight
HUGS = 4.0  # points by which a highlight sticks out of its words
HIGHLIGHT = 2.0  # times the type size: a higher rectangle is no highlight
BADGE = 6  # letters: "p. 112"
BADGE_WIDE, BADGE_HIGH = 5.0, 3.0  # times the type size
BOX_SHARE = 0.8  # of the page's text: a box around more is the page's own frame
ASLANT = 4  # the angle of writing that is no quarter turn
LOW = 0.75  # of the page's height: a table that ends above may not go on overleaf
TABLE_MIN = 0.1  # of the page's height: a lower table may be a running head with a frame
WATERMARK = 3.0  # times the body: words this large may be printed behind the text
PALE = 190  # of 255: the darkest part of a colour that a word is printed in to be printed over
MOSTLY = 0.7  # of a page's letters turned: the page is
BOXES_MAX = 5_000_000  # shapes x pieces of text on a page: more is an illustration, or an attack
IN_CELLS = 0.8  # of the text between the lines of a table stands in its cells
FRAMED = 6  # pieces in one cell that may be a table of their own
WALL_WIDE = 0.9  # of the width of a page's text: a picture as wide as all columns
APART = 1.5  # of the type size: the white between two lines of one text that is written sideways
LABELS_MIN = 3  # words in a drawing, and parts of it
LINES_MIN = 10  # lines and boxes of a diagram: fewer are those of a form or a table
SMALLER = 0.9  # times the body: the words of a diagram
SCATTERED = 0.6  # edges at which the words of a diagram begin, for each word; 0.75 and more in those of the shared PDFs
FIGURES_MAX = 3000  # parts of drawings on a page; more are not put together: each is compared with the others
LABEL_WORDS = 4  # of a label: what has more is a text
DRAWING_HIGH = 6.0  # times the body: a lower box is a line with an ornament
HEADING = 1.25  # times the body: larger type is a heading's
TINY = 0.6  # times the body: smaller words on a picture are a part of it
SPARSE = 0.2  # of a box that its words take up at most, where it is a drawing
STRIPED = 2.0  # of the type size: the white between a text with a shade behind it and the next without
INSIDE = 2.0  # points by which text may stick out of its box
LABELLED = re.compile(r"\W*[^\W\d_]+(?: [^\W\d_]+)? ?:")


@dataclass(slots=True, eq=False)
class Strip:
    """One column of one page: its lines from top to bottom, or one table."""

    page: int
    number: int  # of the column on its page, from 1
    lines: list[Fragment]
    x0: float
    x1: float
    region: int = 0
    table: RuledTable | None = None
    beside: bool = False  # what belongs to the nearest text: written sideways, on a picture or in the margin
    stands: Box | None = None  # where on the page that, or a label in a drawing, stands
    margin: bool = False  # beside all that is written upright
    mark: str = ""  # of a footnote
    apart: bool = False  # in a box in the margin, or across the columns
    listed: bool = False  # a column of a list: each line is an item


@dataclass(slots=True, eq=False)
class Laid:
    """A page in reading order."""

    page: int
    strips: list[Strip]
    furniture: list[Fragment] = field(default_factory=list)
    columns: int = 1


def lay_out(pages: Sequence[Page]) -> list[Laid]:
    """Every page in reading order, furniture apart, each line with its address."""
    level = list(map(_is_level, pages))
    if not all(level):
        pages = [page if is_level else _upright(page) for page, is_level in zip(pages, level, strict=True)]
        level = list(map(_is_level, pages))
    body = body_size(pages)
    behind = _watermarks(pages, body)
    drawn = zip(pages, level, behind, strict=True)
    pieces = [_pieces(page, is_level, under, body) for page, is_level, under in drawn]
    counted = line_numbers(pieces)
    if any(counted):
        gone = {id(number) for numbers in counted for number in numbers}
        pieces = [[piece for piece in on_page if id(piece) not in gone] for on_page in pieces]
    pieces = with_numbers(pieces)
    noted = [notes(on_page, body) for on_page in pieces]
    fixed = _in_tables(pages, pieces).union(id(piece) for on_page in noted for note in on_page for piece in note.pieces)
    fixed |= _last_rows(pages, pieces)
    apart = furniture(pieces, [page.height for page in pages], body, fixed)
    laid = []
    regions = 0
    known = _known_columns(pages, pieces, apart, body)
    standing_before: list[Note] = []
    turned = [[] if is_level else _sideways(page) for page, is_level in zip(pages, level, strict=True)]
    parts = zip(pages, pieces, apart, turned, behind, noted, counted, strict=True)
    for page, on_page, out, beside, under, below, numbers in parts:
        rest = [f for f in on_page if f not in out]
        standing = at_bottom(below, rest, body) if below else []
        first = min([piece.baseline for note in standing for piece in note.pieces], default=float("inf"))
        standing = go_on(standing_before, [piece for piece in rest if piece.baseline < first], body) + standing
        at_foot, standing_before = [_foot(note, page.number) for note in standing], standing
        if at_foot:
            gone = {id(run) for strip in at_foot for line in strip.lines for run in line.runs}
            rest = [f for f in rest if id(f.runs[0]) not in gone]
        laid_page, regions = _lay_page(page, rest, body, regions, known)
        laid_page.strips += at_foot
        laid_page.furniture = into_lines(sorted([*out, *numbers], key=downwards))
        laid_page.furniture += into_lines(fragments([run for run in page.runs if id(run) in under])) if under else []
        for strip in beside:
            if strip.margin or _comes_back(strip, turned):
                laid_page.furniture.extend(strip.lines)
            else:
                laid_page.strips.append(strip)
        _address(laid_page)
        laid.append(laid_page)
    _join_boxes(pages, laid)
    return laid


def _join_boxes(pages: Sequence[Page], laid: Sequence[Laid]) -> None:
    """A box that goes on at the top of the next column or page, as wide and in the same colour, with nothing between
    the two, is one region."""
    before: tuple[Strip, Shape] | None = None
    regions: dict[int, int] = {}  # each with the one that it continues
    for page, laid_page in zip(pages, laid, strict=True):
        first = min([line.top for strip in laid_page.strips for line in strip.lines], default=0.0)
        for strip in [strip for strip in laid_page.strips if not strip.stands and not strip.mark]:
            shape = _behind_strip(page, strip) if strip.region else None
            if before and shape and before[0].region != strip.region not in regions:
                new = strip.page > before[0].page or strip.lines[0].top < before[0].lines[-1].top
                if new and strip.lines[0].top - first < strip.lines[0].size and _is_alike(before[1], shape):
                    regions[strip.region] = regions.get(before[0].region, before[0].region)
            before = (strip, shape) if shape else None
    for strip in [strip for laid_page in laid for strip in laid_page.strips] if regions else ():
        strip.region = regions.get(strip.region, strip.region)


def _behind_strip(page: Page, strip: Strip) -> Shape | None:
    """The smallest coloured box that holds a strip."""
    middle = _middle(strip)
    behind = [shape for shape in page.shapes if shape.fill and _is_box(shape, page)
              and shape.box.x0 <= strip.x0 + INSIDE and strip.x1 <= shape.box.x1 + INSIDE
              and shape.box.top < middle < shape.box.bottom]  # fmt: skip
    return min(behind, key=lambda shape: _area(shape.box), default=None)


def _is_alike(one: Shape, other: Shape) -> bool:
    wide = one.box.x1 - one.box.x0 - other.box.x1 + other.box.x0
    return one.fill == other.fill and abs(wide) < INSIDE


def _is_level(page: Page) -> bool:
    """Does all writing on it run from left to right?"""
    return set(map(attrgetter("angle"), page.runs)) <= {0}


def _pieces(page: Page, is_level: bool, under: set[int], body: float) -> list[Fragment]:
    """The pieces of lines of all that is upright, but for what is printed under the text."""
    runs = list(page.runs) if is_level else [run for run in page.runs if run.angle == 0]
    if under:
        runs = [run for run in runs if id(run) not in under]
    sizes = [run.size for run in runs] or [body]
    if min(sizes) < FIGURES * body:
        runs = fractions(runs, body)
    if max(sizes) >= DROPPED * body:
        runs = drop_caps(runs, body)
    return fragments(runs)


def _foot(note: Note, page: int) -> Strip:
    """A footnote as a column of its own, after the rest of its page."""
    lines = into_lines(note.pieces)
    return Strip(page, 0, lines, min(line.x0 for line in lines), max(line.x1 for line in lines), mark=note.mark)


def _watermarks(pages: Sequence[Page], body: float) -> list[set[int]]:
    """The runs (by id) of what is printed behind the text; on a short page nothing may be printed over it."""
    behind = [_behind(page, body) for page in pages]
    if not any(behind):
        return behind
    drawn = zip(pages, behind, strict=True)
    words = {(run.text, run.size) for page, under in drawn for run in page.runs if id(run) in under}
    return [{id(run) for run in page.runs if (run.text, run.size) in words} for page in pages]


def _behind(page: Page, body: float) -> set[int]:
    """Large words that other text is printed over (the ids of their runs): a watermark."""
    least = WATERMARK * body
    large = [run for run in page.runs if run.size > least and run.angle == 0 and len(run.text.strip()) > 2]
    ids: set[int] = set()
    for run in large:
        over = [other for other in page.runs if other.size < run.size / 2 and _over(other, run)]
        if len(over) > (0 if _is_pale(run.colour) else 2):
            ids.add(id(run))
    return ids


def _is_pale(colour: str) -> bool:
    """So light that text on it can be read?"""
    return min(int(colour[at : at + 2], 16) for at in (1, 3, 5)) >= PALE


def _over(box: Run, under: Run) -> bool:
    return box.x0 < under.x1 and under.x0 < box.x1 and under.top < (box.top + box.bottom) / 2 < under.bottom


_SIZE_AND_TEXT = attrgetter("size", "text")
_TYPE = attrgetter("size", "font", "colour")
_BOX = attrgetter("box")


def body_size(pages: Sequence[Page]) -> float:
    """The type size in which most of the document is set."""
    sizes: Counter[float] = Counter()
    letters: defaultdict[float, int] = defaultdict(int)
    for page in pages:
        for size, text in map(_SIZE_AND_TEXT, page.runs):
            letters[size] += len(text)
    for size, count in letters.items():
        sizes[round(size * 2) / 2] += count
    return max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 10.0


def _in_tables(pages: Sequence[Page], pieces: Sequence[list[Fragment]]) -> frozenset[int]:
    """What stands in a table of some height: its header comes back on every page, and is no running head."""
    return frozenset(
        id(piece)
        for page, on_page in zip(pages, pieces, strict=True)
        for table in page.tables
        if table.box.bottom - table.box.top > TABLE_MIN * page.height
        for piece in _split(on_page, table.box)[0]
    )


def _last_rows(pages: Sequence[Page], pieces: Sequence[list[Fragment]]) -> set[int]:
    """The last row of a table (ids of its pieces) that stands alone at the top of the next page, between its lines."""
    ids: set[int] = set()
    for before, page, on_page in zip(pages, pages[1:], pieces[1:], strict=False):
        if not before.tables or not on_page:
            continue
        table = max(before.tables, key=lambda each: each.box.bottom)
        first = min(on_page, key=attrgetter("top"))
        row = [piece for piece in on_page if abs(piece.baseline - first.baseline) < piece.size / 2]
        cells = [next((cell for cell in table.cells[-1] if cell and _in_column(piece, cell)), None) for piece in row]
        drawn = any(_in_cell(first, shape.box) for shape in page.shapes)
        if table.box.bottom > LOW * before.height and drawn and None not in cells and len(set(cells)) > 1:
            ids.update(map(id, row))
    return ids


def _in_column(piece: Fragment, cell: Box) -> bool:
    return cell.x0 - INSIDE <= piece.x0 and piece.x1 <= cell.x1 + INSIDE


def _known_columns(
    pages: Sequence[Page], pieces: Sequence[list[Fragment]], apart: Sequence[set[Fragment]], body: float
) -> set[int]:
    """Left edges of columns, from the fullest page: a short last page is set in the same ones."""
    known: set[int] = set()
    fullest = max(range(len(pages)), key=lambda index: (len(pieces[index]), -index), default=None)
    if fullest is not None and len(pages) > 1:
        in_order([piece for piece in pieces[fullest] if piece not in apart[fullest]], body, known)
    return known


def _lay_page(page: Page, pieces: list[Fragment], body: float, regions: int, known: set[int]) -> tuple[Laid, int]:
    drawn: list[Thing] = []
    for box, signs in boards(page, pieces) if page.shapes else ():
        regions, pieces = regions + 1, [piece for piece in pieces if piece not in signs]
        drawn.append(_whole(signs, box, [], regions, drawing=True))
    for box in _unframed(page, pieces, body) if page.figures else ():
        inside, others = _split(pieces, box)
        labels = _is_drawing(page, box, inside, body, framed=False) or _is_diagram(page, box, inside, body)
        if labels and not _crossed(box, pieces):
            regions, pieces = regions + 1, others
            drawn.append(_whole(inside, box, [], regions, drawing=True))
    pictured, pieces = _on_pictures(page, pieces, body) if page.figures else ([], pieces)
    tables, rest = _tables(page, pieces)
    rest = _with_badges(page, rest) if page.shapes else rest
    things: list[Thing] = [*tables]
    for box in _boxes(page, rest):
        inside, rest = _split(rest, box)
        if inside:
            regions += 1
            wholes = [t for t in things if _within(Box(x0=t.x0, top=t.top, x1=t.x1, bottom=t.bottom), box)]
            things = [t for t in things if t not in wholes]
            if not wholes and (grid := framed(inside)) is not None:
                things.append(table_thing(grid))
                continue
            drawing = not wholes and _is_drawing(page, box, inside, body)
            things.append(_whole(inside, box, wholes, regions, drawing))
    things += [*drawn, *rest]
    laid = Laid(page.number, [])
    for column in in_order(things, body, known, _walls(page, things) if page.figures or page.shapes else ()):
        start = len(laid.strips)
        _add_column(laid, column, body)
        for strip in laid.strips[start:] if column.apart else ():
            strip.beside, strip.stands = True, _around(strip.lines)
    laid.columns = _count_columns(laid)
    laid.strips += pictured
    return laid, regions


def _on_pictures(page: Page, pieces: list[Fragment], body: float) -> tuple[list[Strip], list[Fragment]]:
    """The words that are printed on pictures, as on one of a card, and the pieces that are not."""
    strips: list[Strip] = []
    small = [piece for piece in pieces if piece.size < SMALLER * body]
    for box in sorted(set(page.figures), key=_area) if small else ():
        inside = _inside(pieces, box) if 2 * _area(box) < page.width * page.height else []
        if inside and _is_pictured(box, inside, body):
            lines = into_lines(inside)
            strips.append(Strip(page.number, 0, lines, box.x0, box.x1, stands=box, beside=True))
            gone = set(map(id, inside))
            pieces = [piece for piece in pieces if id(piece) not in gone]
    return strips, pieces


def _is_pictured(box: Box, inside: Sequence[Fragment], body: float) -> bool:
    """Are these words in type that nobody sets to be read, or a few in a high picture, all smaller than the text?"""
    if all(piece.size < TINY * body for piece in inside):
        return True
    few = all(piece.size < SMALLER * body and piece.text.count(" ") < LABEL_WORDS for piece in inside)
    return few and box.bottom - box.top > DRAWING_HIGH * body and _is_sparse(box, inside)


def _is_sparse(box: Box, inside: Sequence[Fragment]) -> bool:
    return sum([(piece.x1 - piece.x0) * piece.size for piece in inside]) <= SPARSE * _area(box)


def _walls(page: Page, things: Sequence[Thing]) -> list[float]:
    """The heights of pictures, fills and lines as wide as all text, with none in them: no column runs across them."""
    if not things:
        return []
    left, right = min([t.x0 for t in things]), max([t.x1 for t in things])
    least = WALL_WIDE * (right - left)
    drawn = [shape.box for shape in page.shapes if shape.fill or shape.stroke]
    wide = [box for box in (*page.figures, *drawn) if min(box.x1, right) - max(box.x0, left) > least]
    low = [box for box in wide if box.bottom - box.top < page.height / 2]
    empty = [b for b in low if not any(t.top < b.bottom - 1 and t.bottom > b.top + 1 for t in things)]
    return [(box.top + box.bottom) / 2 for box in empty]


def _tables(page: Page, pieces: list[Fragment]) -> tuple[list[Whole], list[Fragment]]:
    """Tables with anything drawn, and the pieces that stand in none."""
    grids_here: list[Grid] = []
    rest = pieces
    boxes = [shape.box for shape in page.shapes if _is_box(shape, page)] if len(page.shapes) <= FRAMES_MAX else []
    for table in page.tables:
        inside, outside = _split(rest, table.box)
        if not _is_filled(table, inside) or _goes_on(table, inside, outside):
            continue
        grid = divided(*reaching(table, inside, outside))
        if not _frames_tables(grid):
            rest = [piece for piece in outside if id(piece.runs[0]) not in grid.taken]
            grids_here.append(grid)
    for find in (profiles, partial(barred, page.shapes)) if page.shapes else (profiles,):
        more = [grid for grid in find(rest) if not any(_tears(grid, _inside(rest, box)) for box in boxes)]
        gone = set().union(*(grid.taken for grid in more))
        rest = [piece for piece in rest if id(piece.runs[0]) not in gone] if gone else rest
        grids_here.extend(more)
    return [table_thing(part) for grid in grids_here for part in apart(grid)], rest


def _tears(grid: Grid, inside: Sequence[Fragment]) -> bool:
    """Does it take some of what stands in a box, and something outside of it, and leave the rest there?"""
    taken = [id(piece.runs[0]) in grid.taken for piece in inside]
    return any(taken) and not all(taken) and len(grid.pieces) > sum(taken)


def _is_filled(table: RuledTable, inside: list[Fragment]) -> bool:
    """Is there text in two rows and two columns at least, and little outside the cells? Else it is a box or a frame."""
    columns: Counter[int] = Counter()
    rows: set[int] = set()
    in_cells: set[int] = set()
    for number, row in enumerate(table.cells):
        for column, cell in enumerate(row):
            pieces = [id(piece) for piece in inside if _in_cell(piece, cell)] if cell is not None else ()
            if pieces:
                in_cells.update(pieces)
                columns[column] += 1
                rows.add(number)
    if len(in_cells) < IN_CELLS * len(inside):
        return False
    return len(rows) >= 2 and sum(columns.values()) - max(columns.values()) >= 2


def _goes_on(table: RuledTable, inside: list[Fragment], outside: list[Fragment]) -> bool:
    """Does a row without lines stand straight above or below it, each piece level with one of its own? Then only some
    of the rows are filled, cell by cell, and it is more than what stands between their edges."""
    box, size = table.box, max(piece.size for piece in inside)
    near = [each for each in outside if box.x0 <= each.x0 and each.x1 <= box.x1
            and (0 <= each.top - box.bottom < size or 0 <= box.top - each.bottom < size)]  # fmt: skip
    starts = {round(piece.x0) for piece in inside}
    columns = {round(each.x0) for each in near}
    return len(columns) > 1 and columns <= starts


def _frames_tables(grid: Grid) -> bool:
    """Does one of its cells hold a table? Then the lines are a frame, not those of the table."""
    for cell in (cell for row in grid.table.cells for cell in row if cell is not None):
        in_cell = [piece for piece in grid.pieces if _in_cell(piece, cell)]
        if len(in_cell) >= FRAMED and not all(grid.lists for grid in grids(in_cell)):
            return True
    return False


def _in_cell(piece: Fragment, cell: Box) -> bool:
    return (
        cell.x0 - 1 <= (piece.x0 + piece.x1) / 2 <= cell.x1 + 1
        and cell.top <= (piece.top + piece.bottom) / 2 <= cell.bottom
    )


def _split(pieces: list[Fragment], box: Box) -> tuple[list[Fragment], list[Fragment]]:
    """The pieces in a box, and the others."""
    inside = _inside(pieces, box)
    gone = set(map(id, inside))
    return inside, [piece for piece in pieces if id(piece) not in gone]


def _inside(pieces: list[Fragment], box: Box) -> list[Fragment]:
    left, right, top, bottom = box.x0 - INSIDE, box.x1 + INSIDE, 2 * box.top, 2 * box.bottom
    return [each for each in pieces if left <= each.x0 and top <= each.top + each.bottom <= bottom and each.x1 <= right]


def _whole(inside: list[Fragment], box: Box, tables: list[Thing], region: int, drawing: bool) -> Whole:
    last = max(inside, key=lambda f: f.size)
    return Whole(box.x0, box.top, box.x1, box.bottom, last.size, last.baseline, inside, inside=[*inside, *tables],
                 region=region, drawing=drawing)  # fmt: skip


def _is_drawing(page: Page, box: Box, inside: Sequence[Fragment], body: float, framed: bool = True) -> bool:
    """A high box with something drawn in it, and here and there a few words, or one line: they are labels. Without a
    frame there are more pictures than lines and boxes in it, which may be those of a table."""
    if box.bottom - box.top < DRAWING_HIGH * body or any(piece.size > HEADING * body for piece in inside):
        return False
    alone = framed and len(inside) == 1
    if not alone and (len(inside) < LABELS_MIN or any(piece.text.count(" ") >= LABEL_WORDS for piece in inside)):
        return False
    if not _is_sparse(box, inside):
        return False
    figures = sum([_within(figure, box) for figure in page.figures])
    shapes = sum([_within(shape.box, box) for shape in page.shapes])
    return (figures > 0 and (alone or figures + shapes > LABELS_MIN)) if framed else figures >= max(1, shapes)


def _is_diagram(page: Page, box: Box, inside: Sequence[Fragment], body: float) -> bool:
    """Many lines and boxes with something else among them, and words in smaller type than the text here and there:
    hardly two begin at one edge, as the cells of a table do."""
    if len(inside) < LABELS_MIN or box.bottom - box.top < DRAWING_HIGH * body:
        return False
    shapes, figures = ([_within(each, box) for each in drawn] for drawn in (map(_BOX, page.shapes), page.figures))
    if sum(shapes) <= LINES_MIN or not any(figures):
        return False
    small = all(piece.size < SMALLER * body for piece in inside)
    edges = len({round(piece.x0) for piece in inside})
    return small and _is_sparse(box, inside) and edges > SCATTERED * len(inside)


def _unframed(page: Page, pieces: Sequence[Fragment], body: float) -> list[Box]:
    """Pictures and parts of drawings that stand together, each group as one box; what is behind the page is none, nor
    is what stands in a line of text."""
    groups: list[Box] = []
    ruled = [table.box for table in page.tables]
    lines = [line for line in pieces if line.size > SMALLER * body]
    parts = [box for box in (*page.figures, *map(_BOX, page.shapes)) if 2 * _area(box) < page.width * page.height
             and not any(_within(box, table) for table in ruled)
             and not any(_is_in_line(box, line) for line in lines)]  # fmt: skip
    for part in parts if len(parts) <= FIGURES_MAX else ():
        box, before = part, -1
        while len(groups) != before:
            before = len(groups)
            near = [each for each in groups if _is_near(each, box, body)]
            groups = [each for each in groups if each not in near]
            box = _around([box, *near])
        groups.append(box)
    return groups


def _is_in_line(box: Box, line: Fragment) -> bool:
    """Is it no higher than a sign in this line?"""
    return (line.x0 < box.x1 and box.x0 < line.x1 and box.bottom - box.top < HIGHLIGHT * line.size
            and line.top < (box.top + box.bottom) / 2 < line.bottom)  # fmt: skip


def _is_near(one: Box, other: Box, reach: float) -> bool:
    return (one.x0 - reach < other.x1 and other.x0 - reach < one.x1
            and one.top - reach < other.bottom and other.top - reach < one.bottom)  # fmt: skip


def _around(boxes: Sequence[Box | Fragment]) -> Box:
    return Box(x0=min([box.x0 for box in boxes]), top=min([box.top for box in boxes]),
               x1=max([box.x1 for box in boxes]), bottom=max([box.bottom for box in boxes]))  # fmt: skip


def _boxes(page: Page, pieces: list[Fragment]) -> list[Box]:
    """Drawn boxes that hold some of the page's text, outermost first, none inside another."""
    outer: list[Box] = []
    if len(page.shapes) * len(pieces) > BOXES_MAX:
        return outer
    drawn = [shape.box for shape in page.shapes if _is_box(shape, page)]
    striped = _stripes([shape for shape in page.shapes if shape.fill and _is_box(shape, page)], pieces)
    drawn = [box for box in drawn if box not in striped] if striped else drawn
    for box in sorted((*drawn, *_frames(page)), key=lambda box: -_area(box)):
        if any(_within(box, other) for other in outer):
            continue
        inside = _inside(pieces, box)
        if 0 < len(inside) < BOX_SHARE * len(pieces) and not _is_highlight(box, inside) and not _crossed(box, pieces):
            outer.append(box)
    return outer


CROSSED = 2  # lines that run over the sides of a box: one may stick out


def _crossed(box: Box, pieces: list[Fragment]) -> bool:
    """Does the text run over its sides? Then it is drawn behind the page, as a watermark is."""
    level = [each for each in pieces if box.top < (each.top + each.bottom) / 2 < box.bottom]
    over = [each for each in level if any(each.x0 + INSIDE < edge < each.x1 - INSIDE for edge in (box.x0, box.x1))]
    return len(over) >= CROSSED


def _stripes(filled: Sequence[Shape], pieces: Sequence[Fragment]) -> list[Box]:
    """Shades behind every other paragraph or row of a text: alike, one under the other, with text between them that
    begins where theirs does. They are no boxes."""
    alike: defaultdict[tuple[int, int, str | None], list[Box]] = defaultdict(list)
    for shape in filled:
        alike[round(shape.box.x0), round(shape.box.x1), shape.fill].append(shape.box)
    stripes: list[Box] = []
    for boxes in alike.values():
        down = sorted(set(boxes), key=attrgetter("top"))
        for above, below in pairwise(down):
            between = [piece for piece in pieces if above.x0 - INSIDE <= piece.x0 and piece.x1 <= above.x1 + INSIDE
                       and above.bottom < (piece.top + piece.bottom) / 2 < below.top]  # fmt: skip
            shaded = [_inside(list(pieces), box) for box in (above, below)]
            touching = below.top <= above.bottom and above in stripes  # a shade that is drawn in parts
            if touching or (between and all(shaded) and _is_one_text(shaded[0], between, shaded[1])):
                stripes += [box for box in (above, below) if box not in stripes]
    return stripes


def _is_one_text(*parts: Sequence[Fragment]) -> bool:
    """Do these parts of a column begin at the same edge, in the same type (as list items in bold and plain letters do
    behind their numbers), with no more white between than a line?"""
    lefts = [min([piece.x0 for piece in part]) for part in parts]
    looks = {Counter([_TYPE(run) for piece in part for run in piece.runs]).most_common(1)[0][0] for part in parts}
    firsts = [min(part, key=downwards).runs[0] for part in parts]
    if all(is_marker(run.text) for run in firsts):
        looks = set(map(_TYPE, firsts))
    white = [min([piece.top for piece in below]) - max([piece.bottom for piece in above])
             for above, below in pairwise(parts)]  # fmt: skip
    return max(lefts) - min(lefts) < INSIDE and len(looks) == 1 and max(white) < STRIPED * parts[0][0].size


FRAME_HIGH = 80.0  # points: a higher frame of thin rectangles is a table
FRAMES_MAX = 300  # thin rectangles on a page; more are a drawing
THIN = 2.0  # points: a lower or narrower rectangle is a line
JOINED = 0.9  # of a side that its lines must cover


def _frames(page: Page) -> list[Box]:
    """Frames that are drawn as thin rectangles, side by side: the outer edges of each."""
    thin = [s.box for s in page.shapes if s.fill and min(s.box.x1 - s.box.x0, s.box.bottom - s.box.top) < THIN]
    if len(thin) > FRAMES_MAX:
        return []
    level = [box for box in thin if box.x1 - box.x0 > 4 * THIN]
    upright = [box for box in thin if box.bottom - box.top > 4 * THIN]
    frames = []
    for upper, lower in combinations(sorted(level, key=lambda box: box.top), 2):
        alike = abs(upper.x0 - lower.x0) < THIN and abs(upper.x1 - lower.x1) < THIN
        if alike and 4 * THIN < lower.top - upper.top < FRAME_HIGH and _has_sides(upper, lower, upright):
            frames.append(Box(x0=upper.x0, top=upper.top, x1=upper.x1, bottom=lower.bottom))
    return frames


def _has_sides(upper: Box, lower: Box, upright: Sequence[Box]) -> bool:
    high = lower.top - upper.top
    for edge in (upper.x0, upper.x1):
        sides = [box for box in upright if abs(box.x0 - edge) < THIN or abs(box.x1 - edge) < THIN]
        covered = sum(max(0.0, min(box.bottom, lower.bottom) - max(box.top, upper.top)) for box in sides)
        if covered < JOINED * high:
            return False
    return True


def _is_highlight(box: Box, inside: list[Fragment]) -> bool:
    """A rectangle as wide and high as one line of text: a marker pen, no box around something. Nor is a badge, with a
    number or a letter."""
    lines = into_lines(inside)
    line = lines[0]
    hugs = line.x0 - box.x0 < HUGS and box.x1 - line.x1 < HUGS
    badge = len(line.text) <= BADGE and box.x1 - box.x0 < BADGE_WIDE * line.size
    high = box.bottom - box.top < (BADGE_HIGH if badge else HIGHLIGHT) * line.size
    return len(lines) == 1 and (hugs or badge) and high


def _with_badges(page: Page, pieces: list[Fragment]) -> list[Fragment]:
    """Badges at the left of a text put on its first line: what is in them stands in their middle, and may be lower."""
    short = [piece for piece in pieces if len(piece.text) <= BADGE and len(piece.runs) == 1]
    most = BADGE_WIDE * max([piece.size for piece in short], default=0.0)
    boxes = [s.box for s in page.shapes if s.box.x1 - s.box.x0 < most and _is_box(s, page)]
    if not boxes or len(boxes) * len(pieces) > BOXES_MAX:
        return pieces
    in_boxes = ((piece, next((box for box in boxes if _is_badge(box, piece)), None)) for piece in short)
    raised = {id(piece): line for piece, box in in_boxes if box and (line := _raised(piece, box, pieces))}
    return [raised.get(id(piece), piece) for piece in pieces] if raised else pieces


def _is_badge(box: Box, piece: Fragment) -> bool:
    """Is it a small box around this, but too high for a marker pen?"""
    small = box.x1 - box.x0 < BADGE_WIDE * piece.size and box.bottom - box.top < BADGE_HIGH * piece.size
    return small and box.bottom - box.top > HIGHLIGHT * piece.size and bool(_inside([piece], box))


def _raised(piece: Fragment, box: Box, pieces: list[Fragment]) -> Fragment | None:
    """The same, level with the first line at the right of its box, if that begins higher."""
    near = [each for each in pieces if 0 <= each.x0 - box.x1 < box.x1 - box.x0]
    beside = [each for each in near if box.top < (each.top + each.bottom) / 2 < box.bottom]
    first = min(beside, key=downwards, default=None)
    if first is None or first.baseline >= piece.baseline:
        return None
    return fragment([replace(piece.runs[0], top=first.top, bottom=first.bottom, baseline=first.baseline)])


def _is_box(shape: Shape, page: Page) -> bool:
    box = shape.box
    wide, high = box.x1 - box.x0, box.bottom - box.top
    white = shape.fill in ("#ffffff", None) and not shape.stroke
    return high >= BOX_MIN and wide >= 4 * BOX_MIN and not white and wide * high < 0.9 * page.width * page.height


def _area(box: Box) -> float:
    return (box.x1 - box.x0) * (box.bottom - box.top)


def _within(box: Box, other: Box) -> bool:
    return (
        box.x0 >= other.x0 - 1
        and box.x1 <= other.x1 + 1
        and box.top >= other.top - 1
        and box.bottom <= other.bottom + 1
    )


def _add_column(laid: Laid, column: Column, body: float, region: int = 0) -> None:
    """The lines of a column; tables and boxes in it are strips of their own. A box may stick out of its column."""
    plain = [thing for thing in column.things if type(thing) is Fragment]
    if len(plain) == len(column.things):  # most: no table and no box among them
        _flush(laid, plain, column, region)
        return
    plain, within = [], column.things[:0]
    if any(isinstance(thing, Whole) and thing.inside for thing in column.things):
        within = [thing for thing in column.things if isinstance(thing, Fragment) or not thing.inside]
        column = replace(column, x0=min(t.x0 for t in within), x1=max(t.x1 for t in within)) if within else column
    for thing in sorted(column.things, key=lambda t: (t.baseline if not t.whole else t.top, t.x0)):
        if isinstance(thing, Fragment):
            plain.append(thing)
            continue
        _flush(laid, plain, column, region)
        plain = []
        if thing.table is not None:
            lines = into_lines(thing.pieces)
            laid.strips.append(Strip(laid.page, 0, lines, thing.x0, thing.x1, region=region, table=thing.table))
            continue
        start = len(laid.strips)
        for items in thing.lists:
            x0, x1 = min(item.x0 for item in items), max(item.x1 for item in items)
            laid.strips.append(Strip(laid.page, 0, into_lines(items), x0, x1, region=region, listed=True))
        if thing.drawing:  # words here and there, in no columns
            laid.strips.append(Strip(laid.page, 0, into_lines(thing.pieces), thing.x0, thing.x1, region=thing.region))
        for inner in in_order(thing.inside, body) if not thing.drawing else ():
            _add_column(laid, inner, body, thing.region)
        for strip in laid.strips[start:]:
            strip.apart = thing.apart or (bool(within) and _is_set_in(thing, column))
            strip.stands = Box(x0=thing.x0, top=thing.top, x1=thing.x1, bottom=thing.bottom) if thing.drawing else None
    _flush(laid, plain, column, region)


def _is_set_in(box: Whole, column: Column) -> bool:
    """Does its text begin further right than the box, and than the text of the column? A marker pen's does not, and
    what begins with a label, as "Penalty:", belongs to what stands above it."""
    left = min([piece.x0 for piece in box.pieces])
    if not box.region or left < max(box.x0, column.x0) + INSIDE:
        return False
    return LABELLED.match(min(box.pieces, key=downwards).text) is None


def _flush(laid: Laid, plain: list[Fragment], column: Column, region: int) -> None:
    if plain:
        lines = into_lines(plain)
        laid.strips.append(Strip(laid.page, 0, lines, column.x0, column.x1, region=region, apart=column.apart))


def _count_columns(laid: Laid) -> int:
    """The most columns side by side anywhere on the page."""
    most = 1
    for strip in laid.strips:
        middle = _middle(strip)
        beside = [o for o in laid.strips if o is not strip and _spans(o, middle) and not o.region and not o.table]
        edges = sorted({round(o.x0 / 8) for o in beside if o.x1 <= strip.x0 + 2 or o.x0 >= strip.x1 - 2})
        if not strip.region and not strip.table:
            most = max(most, 1 + len(edges))
    return min(most, 9)


def _middle(strip: Strip) -> float:
    return (strip.lines[0].top + strip.lines[-1].bottom) / 2


def _spans(strip: Strip, y: float) -> bool:
    return strip.lines[0].top <= y <= strip.lines[-1].bottom


def _sideways(page: Page) -> list[Strip]:
    """Writing that runs up, down, upside down or aslant: read in its own direction, lines that stand close together as
    one."""
    strips: list[Strip] = []
    for angle in (1, 2, 3, ASLANT):
        turned = [_turned(run, angle, page) for run in page.runs if run.angle == angle]
        if not turned:
            continue
        margin = _in_margin(page, angle)
        lines = into_lines(fragments(turned))
        block = lines[:1]
        for line in (*lines[1:], None):
            if line is not None and (margin or _goes_below(block[-1], line)):
                block.append(line)
                continue
            x0, x1 = min(f.x0 for f in block), max(f.x1 for f in block)
            stands = _upright_box(block[0], angle, page)
            strips.append(Strip(page.number, 0, block, x0, x1, beside=True, stands=stands, margin=margin))
            block = [line] if line is not None else []
    return strips


def _goes_below(above: Fragment, line: Fragment) -> bool:
    """Does a line stand straight under another, as the next one of a text does?"""
    near = line.top - above.bottom < APART * line.size
    return near and line.x0 < above.x1 and above.x0 < line.x1


def _upright_box(line: Fragment, angle: int, page: Page) -> Box:
    """Where a line stands on the page that was turned so that it can be read."""
    box = Box(x0=line.x0, top=line.top, x1=line.x1, bottom=line.bottom)
    if angle == ASLANT:
        return box
    turned = page if angle == 2 else replace(page, width=page.height, height=page.width)
    return _turned_box(box, (4 - angle) % 4, turned)


def _in_margin(page: Page, angle: int) -> bool:
    """Does writing that runs up or down stand beside all text of the page?"""
    upright = [run for run in page.runs if run.angle == 0]
    turned = [run for run in page.runs if run.angle == angle]
    if angle not in (1, 3) or not upright:
        return False
    left, right = min(run.x0 for run in upright), max(run.x1 for run in upright)
    return all(run.x1 <= left or run.x0 >= right for run in turned)


def _comes_back(strip: Strip, turned: Sequence[list[Strip]]) -> bool:
    """A title in the margin or a watermark: the same words stand on other pages too, but for a number."""
    words = _wording(strip)
    return sum(any(_wording(other) == words for other in page) for page in turned) >= 2


def _wording(strip: Strip) -> str:
    return "".join(letter for line in strip.lines for letter in line.text if letter.isalpha())


def _upright(page: Page) -> Page:
    """A page that is set sideways, as it looks when a reader has turned it."""
    letters: Counter[int] = Counter()
    for run in page.runs:
        letters[run.angle] += len(run.text)
    angle = max(letters, key=lambda each: (letters[each], -each), default=0)
    if angle in (0, ASLANT) or letters[angle] < MOSTLY * sum(letters.values()):
        return page
    wide, high = (page.width, page.height) if angle == 2 else (page.height, page.width)
    runs = tuple(_turned(run, angle, page) for run in page.runs)
    shapes = tuple(replace(shape, box=_turned_box(shape.box, angle, page)) for shape in page.shapes)
    return replace(page, width=wide, height=high, runs=runs, shapes=shapes, tables=(), figures=())


def _turned(run: Run, angle: int, page: Page) -> Run:
    """A run in coordinates in which writing of that angle runs from left to right."""
    if angle == ASLANT:
        return replace(run, angle=0)
    box = _turned_box(run, angle, page)
    run = replace(run, x0=box.x0, top=box.top, x1=box.x1, bottom=box.bottom)
    if run.angle != angle:
        return replace(run, baseline=box.bottom, angle=(run.angle - angle) % 4 if run.angle < 4 else 4)
    baseline = {1: page.width - run.baseline, 2: page.height - run.baseline, 3: run.baseline}[angle]
    return replace(run, baseline=baseline, angle=0)


def _turned_box(b: Box | Run, angle: int, page: Page) -> Box:
    if angle == 1:  # runs down: its left is our top
        return Box(x0=b.top, top=page.width - b.x1, x1=b.bottom, bottom=page.width - b.x0)
    if angle == 3:  # runs up
        return Box(x0=page.height - b.bottom, top=b.x0, x1=page.height - b.top, bottom=b.x1)
    return Box(x0=page.width - b.x1, top=page.height - b.bottom, x1=page.width - b.x0, bottom=page.height - b.top)


def _address(laid: Laid) -> None:
    """Number columns and lines: "p3.c2.l14"; furniture is column 0."""
    for number, strip in enumerate(laid.strips, 1):
        strip.number = number
        place = f"p{laid.page}.c{number}.l"
        for at, line in enumerate(strip.lines, 1):
            line.address = f"{place}{at}"
    for at, line in enumerate(laid.furniture, 1):
        line.address = f"p{laid.page}.c0.l{at}"


__all__ = ["Column", "Fragment", "Laid", "Strip", "body_size", "fragment", "lay_out"]
