"""Paths: what is a line, a box or the rules of a table, and what an illustration.

``way`` leads from the measure of a path to what is shown.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pypdfium2.raw as raw

from pipeline.extract.handles import closes, draw_mode_of, point_of, segment_kind_of, segment_of, segments_of
from pipeline.extract.page_objects import Edge, Matrix, Point, placed
from pipeline.records import Box

Span = tuple[float, float, float, float]  # left, low, right and high
SEGMENTS_MAX = 12  # of a path that is a line or a box; more is a drawing
ROUNDED_MAX = 120  # the same of a box whose corners are round, drawn as a ring
ROUNDED_MIN = 18.0  # points: a smaller thing with round corners is a drawing
EDGES_MAX = 4_000  # of all paths of a page; more are an illustration
CURVE, MOVE = 1, 2  # kinds of segments of a path
ONE_LINE = 2  # segments
PARTS_MAX = 2_000  # segments of a path that are looked at for the rules of a table
RULE_MAX = 2.5  # points: a filled box that is thicker is no rule
PEN_MAX = 40.0  # points: a thicker one is a bar
EVEN_ODD = 1  # the way to fill a path that leaves out what lies inside it twice
TWO_BOXES = 10  # segments
THICK_MIN = 0.01  # of a border
CORNER = 0.1  # of a box's smaller side: how far inside it its corners may lead


def edges(handle: int, way: Matrix) -> Iterator[Edge]:
    """The edges of a path from corner to corner, as shown: a curve is one, too, from where it starts to its end."""
    x, y = ctypes.c_float(), ctypes.c_float()
    mode, stroked = ctypes.c_int(), ctypes.c_int()
    draw_mode_of(handle, ctypes.byref(mode), ctypes.byref(stroked))
    parts: list[list[Point]] = []
    curved = 0
    for at in range(min(segments_of(handle), EDGES_MAX)):
        segment = segment_of(handle, at)
        kind = segment_kind_of(segment)
        curved = (curved + 1) % 3 if kind == CURVE else 0
        if curved or not point_of(segment, ctypes.byref(x), ctypes.byref(y)):  # a point that a curve only bends to
            continue
        here = (x.value * way[0] + y.value * way[2] + way[4], x.value * way[1] + y.value * way[3] + way[5])
        if kind == MOVE or not parts:
            parts.append([here])
        else:
            parts[-1].append(here)
            if closes(segment) and here != parts[-1][0]:
                parts[-1].append(parts[-1][0])
    filled = bool(mode.value) and not stroked.value and not (mode.value == EVEN_ODD and len(parts) > 1)
    for part in parts:
        shade = filled and min(max(along) - min(along) for along in zip(*part, strict=True)) > RULE_MAX
        yield from ((start, end, shade) for start, end in pairwise(part))


def rules(handle: int, segments: int, way: Matrix, *, thin: bool) -> list[Box]:
    """The lines and boxes of a path that is made of several, as where all rules of a table are drawn in one go, or a
    line that turns corners.

    Boxes that are filled are taken apart only where they are rules themselves: one in another may be a hole.
    """
    spans = _level_parts(handle, segments, bent=not thin and segments <= SEGMENTS_MAX) if segments > ONE_LINE else []
    if len(spans) < 2:
        return []
    boxes = [_box(span, way) for span in spans]
    return [] if thin and any(min(box.x1 - box.x0, box.bottom - box.top) > RULE_MAX for box in boxes) else boxes


def sides(handle: int, way: Matrix) -> list[Box]:
    """A border that is not on all sides, drawn as what lies between two boxes: the sides that it has."""
    points = _points(handle, TWO_BOXES)
    spans = [span for half in (points[:5], points[5:]) if (span := _rectangle(half))]
    if len(spans) < 2:
        return []
    outer, inner = sorted(spans, key=lambda box: (box[0] - box[2]) * (box[3] - box[1]))
    wide = [abs(a - b) > THICK_MIN for a, b in zip(outer, inner, strict=True)]
    if all(wide):
        return []
    left, low, right, high = outer
    strips = (
        (left, low, inner[0], high), (left, low, right, inner[1]),
        (inner[2], low, right, high), (left, inner[3], right, high),
    )  # fmt: skip
    return [_box(strip, way) for strip, is_one in zip(strips, wide, strict=True) if is_one]


def thick(handle: int, way: Matrix) -> Box | None:
    """What a level stroke covers that is as thick as a marker pen's; a stroke is round or square beyond its ends."""
    wide = ctypes.c_float()
    raw.FPDFPageObj_GetStrokeWidth(ctypes.cast(handle, raw.FPDF_PAGEOBJECT), wide)
    x0, top, x1, bottom = placed(*_line(_points(handle, ONE_LINE)), way)
    half = wide.value * (way[0] ** 2 + way[1] ** 2) ** 0.5 / 2
    if not RULE_MAX < 2 * half < PEN_MAX or bottom - top > half or x1 - x0 < 2 * half:
        return None
    return Box(x0=x0, top=top - half, x1=x1, bottom=bottom + half)


def _box(span: Span, way: Matrix) -> Box:
    x0, top, x1, bottom = placed(*span, way)
    return Box(x0=x0, top=top, x1=x1, bottom=bottom)


def is_simple(handle: int, segments: int, box: Box) -> bool:
    """A line or a box, be its corners round."""
    if segments <= SEGMENTS_MAX:
        return True
    large = min(box.x1 - box.x0, box.bottom - box.top) >= ROUNDED_MIN
    return large and segments <= ROUNDED_MAX and _is_frame(handle, segments)


def _points(handle: int, segments: int) -> list[Point]:
    """The points of a path, in its own measure."""
    x, y = ctypes.c_float(), ctypes.c_float()
    points = []
    for at in range(segments):
        if point_of(segment_of(handle, at), ctypes.byref(x), ctypes.byref(y)):
            points.append((x.value, y.value))
    return points


def _rectangle(points: Sequence[Point]) -> Span | None:
    """Left, low, right and high of points that are the corners of a rectangle."""
    across, along = {x for x, _ in points}, {y for _, y in points}
    return (min(across), min(along), max(across), max(along)) if len(across) == len(along) == 2 else None


def _level_parts(handle: int, segments: int, *, bent: bool) -> list[Span]:
    """What the parts of a path span, if each is a level or upright line, or a box; else nothing. A line that turns
    corners is as many lines."""
    x, y = ctypes.c_float(), ctypes.c_float()
    parts: list[list[Point]] = []
    for at in range(min(segments, PARTS_MAX)):
        segment = segment_of(handle, at)
        kind = segment_kind_of(segment)
        point_of(segment, ctypes.byref(x), ctypes.byref(y))
        here = (x.value, y.value)
        if kind == MOVE:
            parts.append([here])
        elif kind == CURVE or not parts or (here[0] != parts[-1][-1][0] and here[1] != parts[-1][-1][1]):
            return []
        else:
            parts[-1].append(here)
    drawn = [each for part in parts for each in (pairwise(part) if bent and _turns(part) else (part,))]
    spans = [_line(each) if len(each) == 2 else _rectangle(each) for each in drawn if len(each) > 1]
    return [span for span in spans if span] if None not in spans else []


def _turns(part: Sequence[Point]) -> bool:
    """Does it lead from one corner of what it spans to the opposite one?"""
    return len(part) > ONE_LINE and _line(part) == _line((part[0], part[-1]))


def _line(points: Sequence[Point]) -> Span:
    across, along = zip(*points, strict=True)
    return min(across), min(along), max(across), max(along)


def _is_frame(handle: int, segments: int) -> bool:
    """A box with round or cut corners: all its points lie near the edges of what they span."""
    points = _points(handle, segments)
    if not points:
        return False
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    near = CORNER * min(right - left, high - low)
    return all(min(x - left, right - x, y - low, high - y) <= near for x, y in points)
