"""A table -> how wide its columns are and how tall it is: measured here and fixed in print.

Left to itself, WeasyPrint breaks "1 heure" in two beside a column that is half empty, and lays each table out twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from pipeline.render import fonts
from pipeline.render.look import SMALLEST, Look

MM = 72 / 25.4  # points in a millimetre
PADDING = 1.6  # millimetres at the right of a cell
SPARE = 1.03  # of a width: kerning, and letters that fall to another font
UPRIGHT = 14  # times the size of type: longer heads are not turned
ROOMY = 1.5  # of what columns want before a last one of text, which takes the rest: the eye goes along short gaps
WIDER = 1.5  # times as wide as any other: a column of text beside figures
HYPHENED = 8  # letters of a word that stay together when it must be broken
LEADING = 1.2  # of the size of type that is smaller than elsewhere
WHOLE = 2  # points of lines for a millimetre of the page: some 0.7 of it
FIGURE = 8  # characters of a figure, its unit counted: '24"', "2D6+1", "Melee" is none

# What stands for a figure, or for none.
_FIGURE = re.compile(rf"(?=.*\d)\S{{1,{FIGURE}}}|[-–—*/×✓✗•]|N/?A", re.IGNORECASE)

Cells = Sequence[Sequence[str]]
Columns = Sequence[Sequence[tuple[str, str]]]  # cells with their style


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How a table is set."""

    shares: tuple[float, ...]  # of its width, a hundred in all
    size: float  # points
    lines: int  # that its rows take
    broken: bool  # words that are wider than their column are broken
    turned: frozenset[int] = frozenset()  # columns whose heads stand upright, as they are wider than all below them
    head: float = 0.0  # points that the turned heads need above their line
    figures: frozenset[int] = frozenset()  # columns of figures: in the middle, under heads that stand there, too

    @property
    def line(self) -> float:
        """Points of a line."""
        return self.size * LEADING

    def lacking(self, cells: Sequence[str]) -> int:
        """Cells that a row has fewer than there are columns."""
        return max(0, len(self.shares) - len(cells))


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace:
    """How a table stands on the page of a product."""

    shape: Shape
    heads: int  # rows
    out: bool  # it takes the margin, too: beside it, it would be cramped
    whole: bool  # it stands on one page: a longer one would leave too much of the page before it empty


def place(rows: Cells, heads: int, look: Look) -> TablePlace:
    """How a table stands in a product."""
    form = shape(rows, heads, look.measure, look.small)
    out = look.hang > 0 and (form.broken or form.size < look.small)
    form = shape(rows, heads, look.measure + look.hang, look.small) if out else form
    whole = form.lines * look.line < (look.height - look.top - look.bottom) * WHOLE
    return TablePlace(shape=form, heads=heads if len(rows) > heads else 0, out=out, whole=whole)


def shape(rows: Cells, heads: int, measure: float, size: float) -> Shape:
    """Columns that keep short cells on one line and break no word, unless it is too long in the smallest type, too."""
    columns = _columns(rows, heads)
    least, full = _wanted(columns, size)
    if fsum(least) > measure * MM and size > SMALLEST:
        size = SMALLEST
        least, full = _wanted(columns, size)
    turned, head = frozenset[int](), 0.0
    if fsum(least) > measure * MM and heads == 1:
        turned, head = _turned(columns, size)
        columns = [_headless(column) if at in turned else column for at, column in enumerate(columns)]
        least, full = _wanted(columns, size)
    if broken := fsum(least) > measure * MM:
        least, _ = _wanted(columns, size, broken=True)
    room = measure * MM
    ways = [_to_the_last(full, room) or shared(least, full, room), _by_words(columns, least, full, room, size)]
    lines, shares = min(((_lines(columns, way, size), way) for way in ways), key=lambda each: each[0])
    whole = fsum(shares)
    return Shape(
        shares=tuple(round(100 * share / whole, 2) for share in shares), size=size, lines=lines + int(head / size),
        broken=broken, turned=turned, head=round(max(0.0, head - size), 1), figures=_figures(rows, heads),
    )  # fmt: skip


def _figures(rows: Cells, heads: int) -> frozenset[int]:
    """The columns of figures only; the first, which says what each row is, is one only where all are."""
    below = [[str(cell).strip() for cell in row] for row in rows[heads:]]
    count = max(map(len, rows), default=0)
    columns = [[row[at] for row in below if at < len(row) and row[at]] for at in range(count)]
    figures = frozenset(at for at, column in enumerate(columns) if column and all(map(_FIGURE.fullmatch, column)))
    return figures if len(figures) == count else figures - {0}


def _lines(columns: Columns, shares: Sequence[float], size: float) -> int:
    """The lines that all rows take in columns of such widths."""
    return sum(
        max(
            fonts.lines(cell, max(1.0, share - PADDING * MM), size, "Sans", style)
            for (cell, style), share in zip(row, shares, strict=True)
        )
        for row in zip(*columns, strict=True)
    )


def _to_the_last(full: Sequence[float], room: float) -> list[float]:
    """Where there is more room than all want, and the last column is by far the widest: it takes what is over."""
    before = [ROOMY * each for each in full[:-1]]
    fits = before and full[-1] > WIDER * max(full[:-1]) and fsum(before) + full[-1] <= room
    return [*before, room - fsum(before)] if fits else []


def _by_words(columns: Columns, least: Sequence[float], full: Sequence[float], room: float, size: float) -> list[float]:
    """The room that is over, given by how much there is to say in each column: one that holds all the text gets it."""
    widths = [fsum(fonts.width(cell, size, "Sans", style) for cell, style in column) for column in columns]
    wants = [amount if most > need else 0.0 for need, most, amount in zip(least, full, widths, strict=True)]
    spare = room - fsum(least)
    if spare <= 0 or fsum(full) <= room or not fsum(wants):
        return shared(least, full, room)
    return [min(most, need + spare * each / fsum(wants)) for need, most, each in zip(least, full, wants, strict=True)]


def _turned(columns: Columns, size: float) -> tuple[frozenset[int], float]:
    """The columns of figures under longer words, and how long the longest head of them is."""
    heads, below = _wanted([column[:1] for column in columns], size), _wanted([column[1:] for column in columns], size)
    upright = [at for at in range(len(columns)) if below[1][at] < heads[0][at] and heads[1][at] <= UPRIGHT * size]
    return frozenset(upright), max((heads[1][at] for at in upright), default=0.0)


def _headless(column: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """A column whose head takes no more than the height of a line."""
    return [("M", "Bold"), *column[1:]]


def extent(rows: Cells, heads: int, size: float) -> tuple[float, float]:
    """The points that a table needs at least, and those that it would like."""
    least, full = _wanted(_columns(rows, heads), size)
    return fsum(least), fsum(full)


def shared(least: Sequence[float], full: Sequence[float], room: float) -> list[float]:
    """The room, given to each by what it wants: the modest are served first, all else in equal parts."""
    if fsum(full) <= room or fsum(least) >= room:
        wanted = full if fsum(full) <= room else least
        return [room * each / fsum(wanted) for each in wanted]
    given = list(least)
    open_ones = sorted(range(len(least)), key=lambda at: full[at] - least[at])
    spare = room - fsum(least)
    for left, at in enumerate(open_ones):
        part = min(full[at] - least[at], spare / (len(open_ones) - left))
        given[at] += part
        spare -= part
    return given


def _columns(rows: Cells, heads: int) -> list[list[tuple[str, str]]]:
    """Each column: its cells, filled up where rows are short, and the style of each."""
    count = max(map(len, rows), default=0)
    filled = [(*row, *[""] * (count - len(row))) for row in rows]
    styles = ["Bold" if place < heads else "Regular" for place in range(len(rows))]
    return [
        [(fonts.glued(str(cell)), style) for cell, style in zip(column, styles, strict=True)]
        for column in zip(*filled, strict=True)
    ]


def _wanted(columns: Columns, size: float, *, broken: bool = False) -> tuple[list[float], list[float]]:
    """Points of each column: of its longest word, long ones ``broken`` or whole, and of its longest cell."""
    pad = PADDING * MM

    def wide(text: str, style: str) -> float:
        return fonts.width(text, size, "Sans", style) * SPARE

    least = [
        pad + max(wide(word, style) for text, style in column for word in _words(text, broken)) for column in columns
    ]
    full = [pad + max(wide(line, style) for text, style in column for line in text.split("\n")) for column in columns]
    return least, full


def _words(text: str, broken: bool) -> list[str]:
    """What no line ends in; words of many letters can be hyphened, figures and measures cannot."""
    pieces = re.split(r"[ \t\r\n]+|(?<=-)", text)
    return [word[:HYPHENED] if broken and word.isalpha() else word for word in pieces]
