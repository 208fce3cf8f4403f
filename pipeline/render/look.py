"""Paper, type and colour of a product: what book.toml can change, as the numbers that the style sheets use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.config import BookSettings

SMALLEST = 6.5  # points: below it a cheap printer swallows strokes
LARGE = 1.4  # the large theme, times the usual size
TIGHT = 0.965  # of a line, where that spares a page
NARROW = 100  # millimetres: a page of a zine is no wider
HUNG_GAP = 1.6  # millimetres between the text and what hangs beside it
SHRUNK = 0.95  # of its size, where that spares a page: a sheet's type is 6.8 points at least

SIZES = {"A4": (210.0, 297.0), "A5": (148.0, 210.0), "Letter": (215.9, 279.4)}  # millimetres, upright
HALVES = {"A4": (148.0, 210.0), "A5": (148.0, 210.0), "Letter": (139.7, 215.9)}  # a booklet's page: the sheet, folded
EIGHTHS = {"A4": (74.25, 105.0), "A5": (74.25, 105.0), "Letter": (69.85, 107.95)}  # of a zine


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a product is made for."""

    paper: str
    columns: int
    type_size: float
    leading: float  # of the type size
    inside: float  # margins in millimetres
    outside: float
    top: float
    bottom: float
    hang: float  # millimetres of margin beside the text for verdicts, codes, pages and numbers
    gap: float = 5.0  # between columns


SHAPES = {
    "booklet": Shape(
        paper="A5", columns=1, type_size=8.6, leading=1.3, inside=12, outside=14, top=14, bottom=9.5, hang=13.5
    ),
    "reader": Shape(
        paper="A4", columns=2, type_size=8.8, leading=1.3, inside=15, outside=15, top=17, bottom=13, hang=13, gap=7
    ),
    "sheet": Shape(
        paper="A4", columns=3, type_size=7.2, leading=1.2, inside=8, outside=8, top=13, bottom=8, hang=0, gap=5
    ),
    "cards": Shape(paper="A4", columns=3, type_size=8.4, leading=1.22, inside=0, outside=0, top=0, bottom=0, hang=0),
    "slips": Shape(
        paper="A4", columns=2, type_size=8.2, leading=1.26, inside=12, outside=12, top=15, bottom=12, hang=0, gap=8
    ),
    "zine": Shape(paper="A4", columns=1, type_size=6.8, leading=1.2, inside=4.5, outside=5, top=7.5, bottom=4, hang=0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The numbers and colours of one product in one theme; lengths in millimetres, type in points."""

    product: str
    theme: str
    width: float
    height: float
    columns: int
    size: float
    asked: float  # a shade smaller, for questions
    least: float  # to which type may shrink where that spares a page; as it is where book.toml says a size
    line: float
    small: float
    tiny: float
    inside: float
    outside: float
    top: float
    bottom: float
    hang: float
    gap: float
    accent: str  # the one spot colour
    ink: str = "#000"
    light: str = "#4d4d4d"  # still black enough for a cheap printer
    tint: str = "#f7eaec"
    shade: str = "#f1efec"
    filled: bool = True  # bands and tags in full colour; False saves toner

    @property
    def runs_on(self) -> bool:
        """Whether a question and its answer are one paragraph."""
        return self.product in ("sheet", "zine")

    @property
    def paged(self) -> bool:
        """Whether its pages have numbers that a reference can name."""
        return self.product in ("booklet", "reader", "zine")

    @property
    def room(self) -> float:
        """Millimetres between the margins."""
        return self.width - self.inside - self.outside

    @property
    def heading_room(self) -> float:
        """Millimetres that a heading may take at the head of a page."""
        return self.room * 0.58

    @property
    def title_room(self) -> float:
        """Millimetres that the title of the book may take there."""
        return self.room * 0.38

    @property
    def reader_title_room(self) -> float:
        """The same in a reader, where it has the foot of the page for itself."""
        return self.room * 0.8

    @property
    def sheet_title_room(self) -> float:
        """The same on a sheet, with the date, in larger type: what stands beside it begins with a column."""
        return self.room * (0.98 - self.sheet_head_share / 100)

    @property
    def sheet_head_share(self) -> float:
        """Per cent of the width of a sheet that the number of the page and its chapters have beside the title: all but
        the first column, or half."""
        first = self.measure + self.gap if self.columns > 1 else self.room / 2
        return round(100 - 100 * first / self.room, 2)

    @property
    def sheet_title_size(self) -> float:
        return self.size * 1.3

    @property
    def chapter_room(self) -> float:
        """Millimetres that the title of a chapter may take there; on a sheet its neighbours decide."""
        return self.room * (0.3 if self.product == "reader" else 0.38 if self.width > NARROW else 0.72)

    @property
    def name_room(self) -> float:
        """Millimetres that a name may take there, in a book of names."""
        return self.room * 0.6

    @property
    def bottom_less(self) -> float:
        """The lower margin where each page has a line more."""
        return round(self.bottom - self.line * 25.4 / 72, 2)

    @property
    def tight_line(self) -> float:
        """Points of a line where pages are tried again to spare one."""
        return self.line * TIGHT

    @property
    def small_line(self) -> float:
        """The same in the smallest type."""
        return self.line * TIGHT * self.least / self.size

    @property
    def small_asked(self) -> float:
        """Points of a question in the smallest type."""
        return max(SMALLEST, self.asked * self.least / self.size)

    def after(self, wide: float, more: float = 0) -> float:
        """Millimetres between what hangs from the left edge of the margin, ``wide``, and the text."""
        return round(max(self.hang + more - wide, 1), 2)

    def before(self, wide: float) -> float:
        """Millimetres from the text at which something ``wide`` begins that hangs at the right of the margin."""
        return round(wide + HUNG_GAP, 2)

    @property
    def measure(self) -> float:
        """Millimetres of a line of text."""
        return (self.room - (self.columns - 1) * self.gap) / self.columns - self.hang


def look(product: str, settings: BookSettings | None = None) -> Look:
    """The look of a product: its own shape, changed by what book.toml says."""
    shape = SHAPES[product]
    theme = settings.theme if settings else "red"
    paper = (settings.paper if settings else None) or shape.paper
    size = (settings.type_size if settings else None) or shape.type_size * (LARGE if theme == "large" else 1.0)
    grow = size / shape.type_size
    width, height = _page(product, paper)
    result = Look(
        product=product,
        theme=theme,
        width=width,
        height=height,
        columns=(settings.columns if settings and settings.columns else _columns(product, shape, grow)),
        size=size,
        asked=max(SMALLEST, size * 0.95),
        least=size if settings and settings.type_size else max(SMALLEST, size * SHRUNK),
        line=round(size * shape.leading, 2),
        small=max(SMALLEST, size * 0.86),
        tiny=max(SMALLEST, size * 0.76),
        inside=shape.inside,
        outside=shape.outside,
        top=shape.top,
        bottom=shape.bottom,
        hang=shape.hang * max(1.0, grow),
        gap=shape.gap,
        accent="#a6192e",
    )
    return (
        result
        if theme != "black"
        else replace(result, accent="#000", tint="#fff", shade="#fff", light="#333", filled=False)
    )


def _columns(product: str, shape: Shape, grow: float) -> int:
    """Fewer columns for larger type, so that a line keeps its letters; but slips stay as wide as they are pasted."""
    if product == "slips":
        return shape.columns
    return max(1, int(shape.columns / grow + 0.5)) if shape.columns > 1 else 1


def _page(product: str, paper: str) -> tuple[float, float]:
    if product == "booklet":
        return HALVES[paper]
    if product == "zine":
        return EIGHTHS[paper]
    width, height = SIZES[paper]
    return (height, width) if product == "sheet" else (width, height)


def least(shape: Look) -> float:
    """The smallest type of a card in this theme."""
    return SMALLEST * (LARGE if shape.theme == "large" else 1.0)
