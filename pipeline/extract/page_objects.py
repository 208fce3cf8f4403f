"""A page as the engine gives it, and the ways from what is drawn to what is shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from pipeline.records import Box

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Edge = tuple[Point, Point, bool]  # its ends; is it the side of a fill?
WHITE = "#ffffff"
FILL_STROKE, UNSEEN = 2, (3, 7)  # text render modes: with an edge; invisible, clip only


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    name: str
    bold: bool
    italic: bool
    symbol: bool  # its name says that its glyphs are pictures


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How a text is set, but for its font: the objects of a document share a few of these."""

    size: float
    rounded: float  # the size, to a hundredth of a point
    colour: str
    angle: int  # quarter turns clockwise as shown; 4: aslant
    slant: float  # of letters that the matrix slants: how far to the right for each point upwards; else 0


class Drawn(NamedTuple):
    """One text object as the engine draws it. Those of a page are kept as plain tuples of the same values, which the
    interpreter takes apart at once; where they are asked for by name, ``Drawn._make`` gives them their names.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    baseline: float
    origin: float  # where the pen starts
    font: Font
    look: Look
    mode: int
    handle: int  # of the engine, while the page is open


Plain = tuple[str, float, float, float, float, float, float, Font, Look, int, int]  # a Drawn


@dataclass(slots=True, eq=False)
class Drawing:
    """A path or a picture."""

    box: Box
    fill: str | None
    stroke: str | None
    picture: bool = False
    simple: bool = True  # a line or a box, not an illustration
    shape: str = ""  # of what may be an icon in a line: the same for what is drawn alike


@dataclass(slots=True, eq=False)
class Sheet:
    """A page as the engine gives it."""

    width: float
    height: float
    texts: list[Plain] = field(default_factory=list)
    drawings: list[Drawing] = field(default_factory=list)
    links: list[tuple[Box, str]] = field(default_factory=list)
    titles: list[tuple[int, str]] = field(default_factory=list)  # that the file's tags name, with their levels
    characters: int = 0
    unmapped: int = 0  # characters whose letter the file does not give; asked for in fonts without a name only
    truncated: bool = False
    objects: int = 0


def times(six: Any, b: Matrix) -> Matrix:
    """One matrix after another; the first as any six numbers."""
    a = tuple(six)
    if b[0] == 1 and b[3] == -1 and b[1] == 0 and b[2] == 0:  # nearly every page
        return (a[0], -a[1], a[2], -a[3], a[4] + b[4], b[5] - a[5])
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def placed(x0: float, y0: float, x1: float, y1: float, m: Matrix) -> tuple[float, float, float, float]:
    if m[0] == 1 and m[3] == -1 and m[1] == 0 and m[2] == 0:  # nearly every page
        return x0 + m[4], m[5] - y1, x1 + m[4], m[5] - y0
    if m[1] == 0 and m[2] == 0:
        xs = (x0 * m[0] + m[4], x1 * m[0] + m[4])
        ys = (y0 * m[3] + m[5], y1 * m[3] + m[5])
    else:
        xs = tuple(x * m[0] + y * m[2] + m[4] for x in (x0, x1) for y in (y0, y1))  # type: ignore[assignment]
        ys = tuple(x * m[1] + y * m[3] + m[5] for x in (x0, x1) for y in (y0, y1))  # type: ignore[assignment]
    return min(xs), min(ys), max(xs), max(ys)


@lru_cache(maxsize=4096)
def hexadecimal(red: int, green: int, blue: int) -> str:
    return f"#{red:02x}{green:02x}{blue:02x}"


def decode(units: bytes | bytearray) -> str:
    return units.decode("utf-16-le", "replace")
