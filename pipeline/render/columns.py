"""Short lines in columns: contents, index, glossary, dealt out here and only drawn by WeasyPrint.

Its own columns are laid out again and again until they are level, and all of that once more for each pass in which a
page number changes: half of the cost of a booklet. Lines so short can be measured beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.render import fonts
from pipeline.render.look import Look
from pipeline.render.outline import Chapter, GlossaryLine, IndexLetter

MM = 72 / 25.4  # points in a millimetre
GAP = 4.0  # millimetres between columns
INDENT = 2.0  # millimetres by which a line that goes on is moved in
CONTENTS_INDENT = 9.0  # the same in contents, with the page number before it
BAND = 2.6  # lines of text that the heading above the columns takes
SPARE = 1.0  # lines left free in a column, should a line be wider in print than it was measured
NUMBER = "\u00a0000"  # as wide as a page number


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What is not parted: a line of an index, or the letter above some."""

    content: Any
    height: float  # points
    head: bool = False  # never the last in its column


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    left: float  # millimetres
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The columns of one page."""

    columns: tuple[Column, ...]
    width: float  # millimetres of a column
    height: float  # points


def index(letters: Iterable[IndexLetter], look: Look, count: int) -> list[Spread]:
    """An index in columns of one page after the other."""
    line, measure = look.line * 0.88, _measure(look, count, INDENT)
    rows: list[Row] = []
    for group in letters:
        rows.append(Row(content=group.letter, height=line * 1.5, head=True))
        for each in group.lines:
            said = each.term + NUMBER * len(each.anchors)
            rows.append(Row(content=each, height=line * fonts.lines(said, measure, look.small)))
    return _deal(rows, look, count, line)


def glossary(lines: Iterable[GlossaryLine], reverse: Iterable[GlossaryLine], look: Look, count: int) -> list[Spread]:
    """A glossary in columns: one language, a head, the other; content is the line and whether it is reversed."""
    line, measure = look.line * 0.88, _measure(look, count, INDENT)

    def row(each: GlossaryLine, turned: bool) -> Row:
        said = f"{each.term} {each.other}{NUMBER}"
        return Row(content=(each, turned), height=line * fonts.lines(said, measure, look.small, style="Bold"))

    head = Row(content=(None, True), height=line * 1.5, head=True)
    rows = [*(row(each, False) for each in lines), head, *(row(each, True) for each in reverse)]
    return _deal(rows, look, count, line)


def contents(chapters: Iterable[Chapter], back: Iterable[tuple[str, str]], look: Look, *, deep: bool) -> list[Spread]:
    """Contents in two columns; content is (anchor, number, title, whether it is a chapter). ``back``: what follows."""
    measure = _measure(look, 2, CONTENTS_INDENT)

    def main(anchor: str, number: str, title: str, over: bool) -> Row:
        said = f"{number} · {title}" if number else title
        height = look.line * (0.4 + fonts.lines(said, measure, look.size, "Sans", "Bold"))
        return Row(content=(anchor, number, title, True), height=height, head=over)

    rows: list[Row] = []
    for chapter in chapters:
        titles = chapter.titles if deep else ()
        rows.append(main(chapter.anchor, chapter.number, chapter.title, bool(titles)))
        for title in titles:
            height = look.line * 0.94 * fonts.lines(title.text, measure, look.small, "Sans")
            rows.append(Row(content=(title.anchor, "", title.text, False), height=height))
    rows += [main(anchor, "", title, False) for anchor, title in back]
    return _deal(rows, look, 2, look.line)


def is_long(chapters: Iterable[Chapter], back: int, look: Look, *, deep: bool) -> bool:
    """Whether contents of one column would not fit their page."""
    titles = [chapter.titles if deep else () for chapter in chapters]
    taken = look.line * (1.4 * (len(titles) + back) + 0.94 * sum(map(len, titles)) + BAND + SPARE)
    return taken > (look.height - look.top - look.bottom) * MM


def _width(look: Look, count: int) -> float:
    return (look.width - look.inside - look.outside - (count - 1) * GAP) / count


def _measure(look: Look, count: int, indent: float) -> float:
    return (_width(look, count) - indent) * MM


def _deal(rows: Sequence[Row], look: Look, count: int, line: float) -> list[Spread]:
    """Rows in columns, page after page; those of the last page are level."""
    full = (look.height - look.top - look.bottom) * MM - SPARE * line
    width = _width(look, count)
    made: list[Spread] = []
    while rows:
        room = full if made else full - BAND * look.line
        columns, rest = _fill(rows, room, count)
        if not rest:
            columns = _level(rows, room, count, line / 2)
        tallest = max(sum(row.height for row in column) for column in columns)
        placed = tuple(Column(left=round(at * (width + GAP), 2), rows=column) for at, column in enumerate(columns))
        made.append(Spread(columns=placed, width=round(width, 2), height=round(tallest + 1, 2)))
        rows = rest
    return made


def _level(rows: Sequence[Row], room: float, count: int, step: float) -> list[tuple[Row, ...]]:
    """The columns of the least height that holds all."""
    height = sum(row.height for row in rows) / count
    while height < room:
        columns, rest = _fill(rows, height, count)
        if not rest:
            return columns
        height += step
    return _fill(rows, room, count)[0]


def _fill(rows: Sequence[Row], room: float, count: int) -> tuple[list[tuple[Row, ...]], Sequence[Row]]:
    """Columns filled to ``room`` one after the other, and what is left over."""
    columns = []
    for _ in range(count):
        end, used = 0, 0.0
        while end < len(rows) and (not end or used + rows[end].height <= room):
            used += rows[end].height
            end += 1
        while 1 < end < len(rows) and rows[end - 1].head:
            end -= 1
        columns.append(tuple(rows[:end]))
        rows = rows[end:]
    return columns, rows
