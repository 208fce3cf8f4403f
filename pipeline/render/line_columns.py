"""Short lines in columns: contents, index, glossary, dealt out here and only drawn by WeasyPrint.

Its own columns are laid out again and again until they are level, and all of that once more for each pass in which a
page number changes: half of the cost of a booklet. Lines so short can be measured beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

from pipeline.render import fonts
from pipeline.render.editions import Chapter, Edition, GlossaryLine
from pipeline.render.index import IndexLetter
from pipeline.render.look import Look

MM = 72 / 25.4  # points in a millimetre
GAP = 4.0  # millimetres between columns
INDENT = 2.0  # millimetres by which a line that goes on is moved in
CONTENTS_INDENT = 9.0  # the same in contents, with the page number before it
BAND = 3.8  # lines of text that the heading above the columns takes
LEAST = 6.0  # lines of text under a heading, else it stands on the next page
REST = 4.0  # lines of each column on the last page at least
SPARE = 1.0  # lines left free in a column, should a line be wider in print than it was measured
SOURCE = 3.2  # lines of text that a source takes
EARLY = (0.7, 0.5, 0.3)  # of a page: a text that ends above leaves room for the beginning of an index
NUMBER = "\u00a0000"  # as wide as a page number


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What is not parted: a line of an index, or the letter above some."""

    content: Any
    height: float  # points
    head: bool = False  # never the last in its column
    under: Row | None = None  # its head, which is said again where a page begins


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
    breaks: bool = False  # begins a page


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """What follows the chapters: a glossary or an index."""

    spreads: tuple[Spread, ...]
    breaks: bool  # its heading begins a page
    loose: bool  # it stands on one page, wherever there is room
    above: float = 0.0  # of the page: where the text has to end for it to begin below; else it begins anywhere

    @property
    def classes(self) -> str:
        """Of its element, behind its name."""
        return (" long" if not self.loose else "") + (" breaks" if self.breaks else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Back:
    """All that follows the chapters."""

    glossary: Matter
    index: Matter
    early: Matter | None = None  # the index, dealt out to begin under the text, where that would spare a page


def back(edition: Edition, look: Look, count: int) -> Back:
    """Glossary and index. What is longer than a page begins one, and the index goes on where the glossary ends. Its
    last page leaves room for the sources: they would be alone on one. Where the text ends is known when it is printed:
    an index that would spare a page by beginning there is dealt out for that, too."""
    line = look.line * 0.88
    glossary = _deal(_glossary_rows(edition, look, count), look, count, line)
    used = _end(glossary, look) if len(glossary) > 1 else 0.0
    sources = _sources(edition, look)
    below = sources if sources < _page(look) / 2 else 0.0
    rows = _index_rows(edition.index, look, count)
    index = _deal(rows, look, count, line, used, below)
    usual = Back(glossary=_matter(glossary, 0.0), index=_matter(index, used))
    for share in EARLY if rows and not glossary else ():
        early = _deal(rows, look, count, line, share * _page(look), below)
        if len(early) > 1 and not early[0].breaks and _pages(early, sources, look) <= _pages(index, sources, look):
            return replace(usual, early=replace(_matter(early, share * _page(look)), above=share))
    return usual


def index(letters: Iterable[IndexLetter], look: Look, count: int) -> Matter:
    """An index that stands by itself."""
    return _matter(_deal(_index_rows(letters, look, count), look, count, look.line * 0.88), 0.0)


def back_titles(edition: Edition, words: Mapping[str, str]) -> list[tuple[str, str]]:
    """Anchors and titles of what follows the chapters, in its order."""
    names = (*(["glossary"] if edition.glossary else []), *(["index"] if edition.index else []), "sources")
    return [(name, words[name]) for name in names]


def _sources(edition: Edition, look: Look) -> float:
    """Points that the sources take."""
    notes = sum(SOURCE + len(each.imprint) for each in edition.sources)
    return look.line * (BAND + SOURCE + notes)


def _pages(spreads: Sequence[Spread], sources: float, look: Look) -> int:
    """Pages of an index that begins one, with the sources."""
    return len(spreads) + (_end(spreads, look) + sources > _page(look))


def _matter(spreads: Sequence[Spread], used: float) -> Matter:
    """``used``: points of a page on which it goes on; where there are none, it begins a page or stands on one."""
    loose = len(spreads) <= 1 and not used
    breaks = bool(spreads) and not loose and (not used or spreads[0].breaks)
    first = tuple(replace(each, breaks=False) for each in spreads[:1])
    return Matter(spreads=(*first, *spreads[1:]), breaks=breaks, loose=loose)


def _end(spreads: Sequence[Spread], look: Look) -> float:
    """Points of the last page that are taken."""
    return spreads[-1].height + (BAND * look.line if len(spreads) == 1 else 0.0)


def _index_rows(letters: Iterable[IndexLetter], look: Look, count: int) -> list[Row]:
    line, measure = look.line * 0.88, _measure(look, count, INDENT)
    rows: list[Row] = []
    for group in letters:
        head = Row(content=group.letter, height=line * 1.5, head=True)
        rows.append(head)
        for each in group.lines:
            entry = fonts.glued(each.term) + NUMBER * len(each.anchors)
            rows.append(Row(content=each, height=line * fonts.lines(entry, measure, look.small), under=head))
    return rows


def _glossary_rows(edition: Edition, look: Look, count: int) -> list[Row]:
    """One language, a head, the other; content is the line and whether it is reversed."""
    line, measure = look.line * 0.88, _measure(look, count, INDENT)

    def row(each: GlossaryLine, turned: bool) -> Row:
        entry = f"{each.term} {each.other}{NUMBER}"
        return Row(content=(each, turned), height=line * fonts.lines(entry, measure, look.small, style="Bold"))

    if not edition.glossary:
        return []
    head = Row(content=(None, True), height=line * 1.5, head=True)
    return [*(row(each, False) for each in edition.glossary), head, *(row(each, True) for each in edition.reverse)]


def contents(chapters: Iterable[Chapter], back: Iterable[tuple[str, str]], look: Look, *, deep: bool) -> list[Spread]:
    """Contents in two columns; content is (anchor, number, title, whether it is a chapter, the document).
    ``back``: what follows."""
    measure = _measure(look, 2, CONTENTS_INDENT)

    def main(anchor: str, number: str, title: str, over: bool, of: str = "") -> Row:
        line = f"{number} · {title}" if number else title
        height = look.line * (0.4 + fonts.lines(f"{line} {of}", measure, look.size, "Sans", "Bold"))
        return Row(content=(anchor, number, title, True, of), height=height, head=over)

    rows: list[Row] = []
    for chapter in chapters:
        titles = chapter.titles if deep else ()
        rows.append(main(chapter.anchor, chapter.number, chapter.title, bool(titles), chapter.of))
        for title in titles:
            height = look.line * 0.94 * fonts.lines(title.text, measure, look.small, "Sans")
            rows.append(Row(content=(title.anchor, "", title.text, False, ""), height=height))
    rows += [main(anchor, "", title, False) for anchor, title in back]
    return _deal(rows, look, 2, look.line)


def is_long(chapters: Iterable[Chapter], back: int, look: Look, *, deep: bool) -> bool:
    """Whether contents of one column would not fit their page."""
    return _single(chapters, back, look, deep=deep) > _page(look)


def contents_end(chapters: Sequence[Chapter], back: int, look: Look, *, deep: bool) -> float:
    """Where contents end, of the height of their last page."""
    if not is_long(chapters, back, look, deep=deep):
        return _single(chapters, back, look, deep=deep) / _page(look)
    return _end(contents(chapters, [("", "")] * back, look, deep=deep), look) / _page(look)


def _single(chapters: Iterable[Chapter], back: int, look: Look, *, deep: bool) -> float:
    """Points of contents in one column."""
    titles = [chapter.titles if deep else () for chapter in chapters]
    return look.line * (1.4 * (len(titles) + back) + 0.94 * sum(map(len, titles)) + BAND + SPARE)


def _page(look: Look) -> float:
    """Points between the head and the foot of a page."""
    return (look.height - look.top - look.bottom) * MM


def _width(look: Look, count: int) -> float:
    return (look.width - look.inside - look.outside - (count - 1) * GAP) / count


def _measure(look: Look, count: int, indent: float) -> float:
    return (_width(look, count) - indent) * MM


def _deal(
    rows: Sequence[Row], look: Look, count: int, line: float, used: float = 0.0, below: float = 0.0
) -> list[Spread]:
    """Rows in columns, page after page; those of the last page are level. ``used``: points of the first page;
    ``below``: points that the last one leaves free, for which some rows go on to a page more."""
    full = _page(look) - SPARE * line
    width = _width(look, count)
    fresh = used + (BAND + LEAST) * look.line > full  # too little room under what is there: a new page
    spreads: list[Spread] = []
    while rows:
        room = full if spreads else full - BAND * look.line - (0.0 if fresh else used)
        if spreads and rows[0].under:
            rows = [rows[0].under, *rows]
        columns, rest = _fill(rows, room, count)
        if rest and fsum(row.height for row in rest) < REST * line * count:  # a page of a few lines: give it more
            columns, rest = _fill(rows, room - REST * line, count)
        if not rest:
            columns = _level(rows, room, count, line / 2)
            if below and max(fsum(row.height for row in column) for column in columns) + below > room:
                columns, rest = _with_rest(rows, room, count, line)
        tallest = max(fsum(row.height for row in column) for column in columns)
        placed = tuple(Column(left=round(at * (width + GAP), 2), rows=column) for at, column in enumerate(columns))
        spreads.append(
            Spread(columns=placed, width=round(width, 2), height=round(tallest + 1, 2), breaks=bool(spreads) or fresh)
        )
        rows = rest
    return spreads


def _with_rest(
    rows: Sequence[Row], room: float, count: int, line: float
) -> tuple[list[tuple[Row, ...]], Sequence[Row]]:
    """Columns that leave some rows for a page more."""
    height = min(room, fsum(row.height for row in rows) / count)
    columns, rest = _fill(rows, height, count)
    while height > line and fsum(row.height for row in rest) < REST * line * count:
        height -= line
        columns, rest = _fill(rows, height, count)
    return columns, rest


def _level(rows: Sequence[Row], room: float, count: int, step: float) -> list[tuple[Row, ...]]:
    """The columns of the least height that holds all."""
    height = fsum(row.height for row in rows) / count
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
