"""Bullets that are drawn, not written: browsers print the discs and squares of lists so."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from pipeline.records import Box, Run

DOTS_MAX = 300  # on one page; more are a pattern
SMALL, LARGE = 1.5, 8.0  # points across
ROUND = 0.25  # by which width and height may differ, as a share
OF_TYPE = (0.2, 0.65)  # of the type size: how high a bullet is
REACH = 3.0  # of the type size: how far the text may stand behind it
APART = 1.5  # of the type size: how much white there is before it
ICON = 5.0  # of the type size: a larger drawing is a ground or a frame; a dot in a smaller one is a part of it

_BASELINE = attrgetter("baseline")


def drawn_bullets(drawings: Sequence[Any], runs: Sequence[Run]) -> list[Run]:
    """A bullet for every dot that is drawn straight before a line, with nothing in front of it."""
    dots = [drawing.box for drawing in drawings if not drawing.picture and _is_dot(drawing.box)]
    if not dots or len(dots) > DOTS_MAX:
        return []
    lines = sorted((run for run in runs if run.angle == 0), key=_BASELINE)
    small = [drawing.box for drawing in drawings if _is_small(drawing.box)]
    candidates = ((dot, _before_a_line(dot, lines)) for dot in dots)
    return [bullet for dot, bullet in candidates if bullet and not any(_holds(box, dot, bullet.size) for box in small)]


def _is_small(box: Box) -> bool:
    return max(box.x1 - box.x0, box.bottom - box.top) < ICON * LARGE / OF_TYPE[0]


def _holds(box: Box, dot: Box, size: float) -> bool:
    """Is the dot an eye, a spot or the middle of a small picture?"""
    wide, high = box.x1 - box.x0, box.bottom - box.top
    if not OF_TYPE[1] * size < max(wide, high) < ICON * size or min(wide, high) < dot.bottom - dot.top:
        return False
    return box.x0 < dot.x1 and dot.x0 < box.x1 and box.top < dot.bottom and dot.top < box.bottom


def _is_dot(box: Box) -> bool:
    wide, high = box.x1 - box.x0, box.bottom - box.top
    return SMALL <= high <= LARGE and abs(wide - high) <= ROUND * high


def _before_a_line(dot: Box, lines: list[Run]) -> Run | None:
    """The bullet on the line that its middle stands on, if that begins behind it."""
    middle, high = (dot.top + dot.bottom) / 2, dot.bottom - dot.top
    low, far = bisect_left(lines, middle, key=_BASELINE), bisect_right(lines, middle + high / OF_TYPE[0], key=_BASELINE)
    level = [run for run in lines[low:far] if 0.1 < (run.baseline - middle) / run.size < 0.7]
    first = min((run for run in level if run.x0 >= dot.x1), key=lambda run: run.x0, default=None)
    if first is None or first.x0 - dot.x1 > REACH * first.size:
        return None
    if not OF_TYPE[0] <= high / first.size <= OF_TYPE[1]:
        return None
    if any(-APART * first.size < run.x1 - dot.x0 and run.x0 < dot.x1 for run in level):
        return None
    return replace(first, text="•", x0=dot.x0, x1=dot.x1, bold=False, italic=False, icon=None, link=None)
