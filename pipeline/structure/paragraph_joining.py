"""Paragraphs that a column or a page cuts are put together again."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from operator import itemgetter

from pipeline.layout import Strip
from pipeline.layout.footnotes import GOES_ON, has_mark
from pipeline.layout.lines import Style
from pipeline.records import Box, RuledTable
from pipeline.structure.paragraphs import ENDED, Line, Paragraph
from pipeline.text import SMALL

_LOW = re.compile(rf"^[\"'“„‘‚«‹(\[]*[{SMALL}0-9]")
_LEADERS = re.compile(r"(?:[.…·_] ?){4}\W*\d*$|… \d+$")
_HYPHEN = re.compile(r"[^\W\d_][-\u2010\u00ad]$")
_COST = re.compile(r"\d{1,4} ?[^\W\d_]{1,4}\.?$")
_CAPTION = re.compile(r"[^\W\d_]{3,12}\.? ?\d{1,3}[a-z]?(?:[.:|]|$)")  # "Table 4:", "Fig. 2."
COST = 9  # letters
LEVEL = 0.5  # of the type size: how far off the line of its name a cost may stand
COLUMN = 20.0  # points by which the columns of a table may shift on the next page
STEP = 4.0  # points by which a nested list is set in at least
ALIKE = 0.3  # of its width by which a column may differ from the one that it goes on in
WORDS_MIN = 4  # in a line of running text; shorter ones are a list
OPEN_LINES = 3  # at the end of a paragraph, in which a bracket may have been opened that is closed in the next column
SAME_SIZE = 0.02  # by which the type of text differs at most, as a share
REACHES = 0.82  # of the column's width: a shorter last line ended its paragraph


Placed = tuple[int, Paragraph]  # where it belongs among the others


def flowed(paras: Sequence[Paragraph]) -> list[Paragraph]:
    """Paragraphs in order, those that go on in the next column or page joined, footnotes behind what has their mark,
    what is written sideways or on a picture behind what it stands beside, and no drawing with its labels between two
    parts of one."""
    joined: list[Paragraph] = []
    notes: list[Paragraph] = []
    beside: list[Paragraph] = []
    drawn: list[Placed] = []
    for para in paras:
        if para.strip.mark:
            notes.append(para)
            continue
        if para.strip.beside:
            beside.append(para)
            continue
        if para.strip.stands:
            drawn.append((len(joined), para))
            continue
        if para.table is not None:
            _add_table(joined, para)
            continue
        if joined and joined[-1].table is not None and (row := _last_row(joined[-1], para)):
            joined[-1].parts += ((para.lines, row, False),)
            continue
        before = _priced(joined, para) or _continued(joined, para)
        if before is not None:
            before.lines.extend(para.lines)
            before.ends = para.strip
        else:
            joined.append(para)
    places: list[int] = []
    for note in notes:  # what goes on from the page before stands where it began
        begins = note.strip.mark != GOES_ON or not places
        places.append(_behind_mark(joined, note) if begins else places[-1])
    drawn += _beside(joined, beside) if beside else ()
    for place, note in sorted([*drawn, *zip(places, notes, strict=True)], key=itemgetter(0))[::-1]:
        joined.insert(place, note)
    return joined


def _behind_mark(paras: Sequence[Paragraph], note: Paragraph) -> int:
    """The place behind the paragraph that has the mark of a footnote; behind the last of its page when none has."""
    last = 0
    for at, para in enumerate(paras):
        here = [line for line in para.lines if line.page == note.strip.page]
        last = at + 1 if here else last
        if any(has_mark(line, note.strip.mark) for line in here):
            return at + 1
    return last


def _beside(paras: Sequence[Paragraph], labels: Sequence[Paragraph]) -> list[Placed]:
    """Each behind the paragraph of its page that stands nearest to it; behind the page before where there is none."""
    lines: dict[int, list[tuple[int, Line]]] = {}
    for at, para in enumerate(paras, 1):
        for line in para.lines:
            lines.setdefault(line.page, []).append((at, line))
    homes = []
    for label in labels:
        stands, page = label.strip.stands, label.strip.page
        assert stands is not None
        near = [(_distance(line, stands), at) for at, line in lines.get(page, ())]
        before = (lines[number][-1][0] for number in sorted(lines, reverse=True) if number < page)
        homes.append((min(near)[1] if near else next(before, 0), label))
    return homes


def _distance(line: Line, box: Box) -> float:
    across = max(line.x0 - box.x1, box.x0 - line.x1, 0.0)
    return across + max(line.top - box.bottom, box.top - line.bottom, 0.0)


def _add_table(paras: list[Paragraph], para: Paragraph) -> None:
    """A table; one that goes on from the page or column before (the same header, or the same columns) is joined, and
    one whose header alone stands there gets it."""
    if (count := _at_foot(paras, para)) and (row := _head(paras[-count:], para)):
        paras[-count:] = [row]
        return
    last = paras[-1] if paras else None
    title = None
    if last is not None and last.table is None and len(paras) > 1 and paras[-2].table is not None:
        title, last = last, paras[-2]  # its title may be printed again
    if last is None or last.table is None or not _follows(last, para):
        paras.append(para)
        return
    assert para.table is not None
    head, again = _header(last), _header(para)
    headed = bool(head) and head == again and (title is None or _printed_before(paras[:-2], title))
    if not headed and (title is not None or not _same_columns(last, para)):
        paras.append(para)
        return
    last.parts = (*last.parts, (para.lines, para.table, headed))
    if title is not None:
        last.repeated = (*last.repeated, *title.lines)
        paras.pop()


def _last_row(table: Paragraph, para: Paragraph) -> RuledTable | None:
    """A row that stands alone on the next page: its pieces begin where the columns of the table do, in its type."""
    assert table.table is not None
    first = para.lines[0]
    if not first.cells or not _follows(table, para) or _differs(table.lines[-1].style, first.style):
        return None
    edge, box = min(line.x0 for line in para.lines), table.table.box
    starts = _widths(table.table)
    pieces = [piece for line in para.lines for piece in line.cells or (line,)]
    if any(min(abs(piece.x0 - edge - start) for start in starts) > COLUMN / 2 for piece in pieces):
        return None
    return _row(para.lines, [edge + start - 2 for start in (*starts, box.x1 - box.x0)])


def _row(lines: Sequence[Line], edges: Sequence[float]) -> RuledTable:
    """Lines as a table of one row, with the edges of its columns."""
    top, bottom = min(line.top for line in lines), max(line.bottom for line in lines)
    cells = [Box(x0=a, top=top, x1=b, bottom=bottom) for a, b in pairwise(edges)]
    return RuledTable(box=Box(x0=edges[0], top=top, x1=edges[-1], bottom=bottom), cells=(tuple(cells),))


def _at_foot(paras: Sequence[Paragraph], table: Paragraph) -> int:
    """How many paragraphs make the last row of the page or column before: one, or one for each of its cells."""
    if not paras or paras[-1].table is not None or not _follows(paras[-1], table):
        return 0
    foot, count = paras[-1].lines[-1], 0
    for para in reversed(paras):
        last = para.lines[-1]
        if para.table is not None or last.page != foot.page or abs(last.baseline - foot.baseline) > 1:
            break
        count += 1
    return count


def _head(row: Sequence[Paragraph], para: Paragraph) -> Paragraph | None:
    """The table with the row above it as its first, where each piece of that stands over a column, in another type than
    the first row has."""
    assert para.table is not None
    lines = [line for each in row for line in each.lines]
    if not _differs(lines[0].style, para.lines[0].style) and lines[0].style.colour == para.lines[0].style.colour:
        return None
    if len(row) == 1 and not any(line.cells for line in lines):
        return None  # nothing stands beside anything: a text
    starts, box = _widths(para.table), para.table.box
    pieces = [piece for line in lines for piece in line.cells or (line,)]
    for left in (box.x0, box.x0 + lines[0].x0 - min(line.x0 for line in para.lines)):
        edges = [left + start for start in (*starts, box.x1 - box.x0)]
        over = {bisect(edges, (piece.x0 + piece.x1) / 2, 1, len(starts)) for piece in pieces}
        inside = all(piece.x1 > edges[0] and piece.x0 < edges[-1] for piece in pieces)
        if inside and len(over) > max(1, len(starts) - 2) and len(pieces) <= len(over) * len(row[0].lines):
            part = para.lines, para.table, False
            return replace(row[0], lines=lines, table=_row(lines, edges), parts=(part, *para.parts))
    return None


def _follows(last: Paragraph, para: Paragraph) -> bool:
    """Does it stand on the next page, or at the top of the next column?"""
    end, start = _last_line(last), para.lines[0]
    return start.page == end.page + 1 or (start.page == end.page and start.top < end.top)


def _last_line(para: Paragraph) -> Line:
    return para.parts[-1][0][-1] if para.parts else para.lines[-1]


def _same_columns(last: Paragraph, para: Paragraph) -> bool:
    """As many columns, as wide, and the first row in the type of the rows above, not of their header."""
    assert last.table is not None
    assert para.table is not None
    wide, again = _widths(last.table), _widths(para.table)
    if len(wide) != len(again) or any(abs(a - b) > COLUMN for a, b in zip(wide, again, strict=True)):
        return False
    return not _differs(_last_line(last).style, para.lines[0].style)


def _widths(table: RuledTable) -> list[float]:
    """Where the columns of a table begin, from its left edge."""
    full = max(table.cells, key=lambda row: sum(cell is not None for cell in row))
    return [cell.x0 - table.box.x0 for cell in full if cell is not None]


def _header(para: Paragraph) -> tuple[str, ...]:
    """The words of a table's first row."""
    assert para.table is not None
    bottom = min((cell.bottom for cell in para.table.cells[0] if cell), default=0.0)
    return tuple(line.text for line in para.lines if line.baseline <= bottom and line.page == para.lines[0].page)


def _printed_before(paras: Sequence[Paragraph], title: Paragraph) -> bool:
    words = [line.text for line in title.lines]
    return any([line.text for line in para.lines] == words for para in paras[-2:])


def _priced(paras: Sequence[Paragraph], para: Paragraph) -> Paragraph | None:
    """The bold name that "1CP" or "75 pts" stands beside, at the far end of its line: that is no heading itself."""
    line = para.lines[0]
    if len(line.text) > COST or len(para.lines) > 1 or para.marker or not _COST.match(line.text):
        return None
    for before in reversed(paras):
        name = before.lines[-1]
        if name.page != line.page:
            return None
        level = abs(line.baseline - name.baseline) < LEVEL * line.size and line.x0 > name.x1
        if level and name.style.bold and not before.table and before.strip is not para.strip:
            return before
    return None


def _continued(paras: list[Paragraph], para: Paragraph) -> Paragraph | None:
    """The paragraph that this one continues, if it does."""
    if not paras:
        return None
    last = paras[-1]
    word = para.marker == "o" and last.marker != "o"  # in some languages
    if para.marker and not word and not (para.marker[1:] == ")" and not last.table and _is_open(last)):
        return None
    if not last.table and _end(last) is para.strip:  # most: one under the other
        if last.ends is not None and _is_cut(last, para):
            return last
    elif not last.table and _is_next(last, para) and _continues(last, para):
        return last
    return _over_float(paras, para)


def _is_next(last: Paragraph, para: Paragraph) -> bool:
    """May it go on there? Not from a box to the text beside it, nor in a box under another."""
    if bool(_end(last).region) != bool(para.strip.region):
        return False
    below = _end(last).page == para.strip.page and _below(last, para)
    return _end(last).region == para.strip.region or not below


def _over_float(paras: Sequence[Paragraph], para: Paragraph) -> Paragraph | None:
    """The paragraph that breaks off before a table, a figure or its caption, and goes on behind it in small letters."""
    if not para.lines[0].text[0].islower():
        return None
    for last in reversed(paras):
        if last.lines[-1].page < para.lines[0].page - 1:
            return None
        text = not last.table and len(last.lines) > 1 and not last.lines[-1].style.bold
        if text and _end(last) is not para.strip and _is_full(last) and _is_cut(last, para):
            return last if _is_next(last, para) and not _is_unlike(last, para) else None
        if not _floats(last, para):
            return None
    return None


def _floats(other: Paragraph, para: Paragraph) -> bool:
    """Does it stand among the text, and is none of it? A table, a caption, labels, a formula."""
    first = other.lines[0]
    if other.table or other.strip.mark or other.strip.region or _is_unlike(other, para) or _CAPTION.match(first.text):
        return True
    return len(other.lines) == 1 and not _is_full(other) and not ENDED.search(first.text)


def _is_unlike(one: Paragraph, other: Paragraph) -> bool:
    """Is it in another type, as captions and labels are?"""
    a, b = one.lines[-1].style, other.lines[0].style
    return abs(a.size - b.size) > SAME_SIZE * a.size or _differs(a, b)


def _is_full(last: Paragraph) -> bool:
    column, line = _end(last), last.lines[-1]
    return line.x1 - column.x0 > REACHES * (column.x1 - column.x0) or _HYPHEN.search(line.text) is not None


def _below(last: Paragraph, para: Paragraph) -> bool:
    return para.lines[0].top >= last.lines[-1].top and abs(para.strip.x0 - _end(last).x0) < 40


def _end(para: Paragraph) -> Strip:
    """The column that it ends in."""
    return para.ends or para.strip


def _continues(last: Paragraph, para: Paragraph) -> bool:
    if (cut := _is_cut(last, para)) is not None:
        return cut
    above, below, column = last.lines[-1], para.lines[0], _end(last)
    width = column.x1 - column.x0
    if abs(para.strip.x1 - para.strip.x0 - width) > ALIKE * width or len(above.text.split()) < WORDS_MIN:
        return False
    if not _is_full(last):
        return False
    # A heading may be bold and as wide, but what goes on below it in its own type is no question.
    return not above.style.bold or (above.style == below.style and para.lines[-1].text.endswith("?"))


def _is_cut(last: Paragraph, para: Paragraph) -> bool | None:
    """Is it one sentence, by its words and type? None where they do not tell."""
    above, below = last.lines[-1], para.lines[0]
    if _LEADERS.search(above.text):  # a line of a table of contents
        return False
    if abs(above.style.size - below.style.size) > 0.08 * above.style.size:
        return False
    if _HYPHEN.search(above.text) and _LOW.match(below.text):
        return True
    if _differs(above.style, below.style):
        return False
    if _is_open(last) and ")" in below.text.partition("(")[0]:
        return True
    if ENDED.search(above.text):
        return False
    return True if _LOW.match(below.text) else None


def _is_open(para: Paragraph) -> bool:
    """Does it end inside brackets?"""
    return "(" in " ".join([line.text for line in para.lines[-OPEN_LINES:]]).rpartition(")")[2]


def _differs(a: Style, b: Style) -> bool:
    return (
        (a.bold and not b.some_bold)
        or (b.bold and not a.some_bold)
        or (a.italic and not b.some_italic)
        or (b.italic and not a.some_italic)
    )


def nested(paras: Sequence[Paragraph]) -> None:
    """Give every list item its depth: how many items it stands in, by indentation. Plain text ends a list."""
    lefts: list[float] = []
    strip = None
    for para in paras:
        if not para.marker:
            inside = lefts and para.left > lefts[-1] + STEP
            lefts = lefts if inside and strip is para.strip else []
            continue
        if strip is not para.strip:
            lefts = []
        strip = para.strip
        while lefts and para.left < lefts[-1] - STEP:
            lefts.pop()
        if not lefts or para.left > lefts[-1] + STEP:
            lefts.append(para.left)
        para.depth = len(lefts) - 1
