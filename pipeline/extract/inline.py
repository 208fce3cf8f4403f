"""Icons that are drawn in a line, not written: a gap in the words with a small drawing or picture in it."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from pipeline.extract.page_objects import Drawing
from pipeline.records import Box, Run

SMALL, LARGE = 3.0, 40.0  # points across
PARTS_MAX = 400  # small drawings on one page; more are a pattern or a picture
OF_TYPE = (0.5, 2.0)  # of the type size: how high an icon is
WIDE = 3.0  # of the type size: how wide at most
NEAR = 0.8  # of the type size: how near the words before it end, or those behind it begin
LEVEL = (-0.15, 0.9)  # of the type size: how far above the baseline its middle stands
INTO = 0.12  # of the type size: how far letters may reach into its box
OUT = 0.35  # of the type size: how far it may stick out of its line; what is more is taken for its neighbours'
EDGE = 1.5  # points by which a line that begins with it may begin beside the lines above and below
GRAIN = 6  # steps of a drawing's width and height in which its parts are placed
LINE_REACH = 3.0  # of the type size: where the lines above and below are looked for
INVISIBLE = "#ffffff"

_BASELINE = attrgetter("baseline")


def may_be_icon(box: Box) -> bool:
    """Is it as small as an icon, and no line?"""
    wide, high = box.x1 - box.x0, box.bottom - box.top
    return SMALL <= wide <= LARGE and SMALL <= high <= LARGE


def drawn_icons(drawings: Sequence[Drawing], runs: Sequence[Run]) -> list[Run]:
    """An icon for every small drawing that stands among the words of a line, or begins a line as its words would."""
    small = [each for each in drawings if each.shape and (each.picture or each.stroke or each.fill != INVISIBLE)]
    if not small or len(small) > PARTS_MAX:
        return []
    lines = sorted((run for run in runs if run.angle == 0 and not run.icon), key=_BASELINE)
    return [icon for group in _groups(small) if (icon := _in_a_line(group, lines))]


def _groups(small: Sequence[Drawing]) -> list[list[Drawing]]:
    """Drawings that touch each other, as the parts of one picture do."""
    groups: list[list[Drawing]] = []
    for each in small:
        touching = [group for group in groups if any(_touch(each.box, other.box) for other in group)]
        whole = [each, *(part for group in touching for part in group)]
        groups = [group for group in groups if group not in touching]
        groups.append(whole)
    return groups


def _touch(a: Box, b: Box) -> bool:
    return a.x0 < b.x1 and b.x0 < a.x1 and a.top < b.bottom and b.top < a.bottom


def _in_a_line(group: Sequence[Drawing], lines: Sequence[Run]) -> Run | None:
    """The icon as a run of the line that it stands in."""
    box = Box(x0=min(each.box.x0 for each in group), top=min(each.box.top for each in group),
              x1=max(each.box.x1 for each in group), bottom=max(each.box.bottom for each in group))  # fmt: skip
    middle, high = (box.top + box.bottom) / 2, box.bottom - box.top
    reach = high / OF_TYPE[0]
    near = lines[bisect_left(lines, middle - reach, key=_BASELINE) : bisect_right(lines, middle + reach, key=_BASELINE)]
    level = [run for run in near if LEVEL[0] < (run.baseline - middle) / run.size < LEVEL[1]
             and OF_TYPE[0] <= high / run.size <= OF_TYPE[1] and box.x1 - box.x0 <= WIDE * run.size]  # fmt: skip
    if not level or any(_touches(box, run) for run in near):
        return None
    before = max((run for run in level if run.x1 <= box.x0 + INTO * run.size), key=attrgetter("x1"), default=None)
    after = min((run for run in level if run.x0 >= box.x1 - INTO * run.size), key=attrgetter("x0"), default=None)
    beside = before if before and box.x0 - before.x1 < NEAR * before.size else None
    if beside is None and after and after.x0 - box.x1 < NEAR * after.size and _begins_a_line(box, before, after, lines):
        beside = after
    if beside is None:
        return None
    out = OUT * beside.size
    top, bottom = max(box.top, beside.top - out), min(box.bottom, beside.bottom + out)
    return replace(beside, text="[icon]", x0=box.x0, top=top, x1=box.x1, bottom=bottom, bold=False, italic=False,
                   icon=_key(group, box))  # fmt: skip


def _touches(box: Box, run: Run) -> bool:
    """Do words stand on it? Then it is behind or around them."""
    into = INTO * run.size
    return box.x0 < run.x1 - into and run.x0 + into < box.x1 and box.top < run.bottom and run.top < box.bottom


def _begins_a_line(box: Box, before: Run | None, after: Run, lines: Sequence[Run]) -> bool:
    """Does the line above or below begin where it does, in the same type? Then it stands in the place of a word."""
    if before and box.x0 - before.x1 < WIDE * before.size:
        return False
    low, high = after.baseline - LINE_REACH * after.size, after.baseline + LINE_REACH * after.size
    near = lines[bisect_left(lines, low, key=_BASELINE) : bisect_right(lines, high, key=_BASELINE)]
    return any(abs(run.x0 - box.x0) < EDGE and abs(run.size - after.size) < 1 and run.baseline != after.baseline
               for run in near)  # fmt: skip


def _key(group: Sequence[Drawing], box: Box) -> str:
    """The same for what is drawn alike, wherever it stands: the parts, their colours and their places."""
    wide, high = (box.x1 - box.x0) / GRAIN, (box.bottom - box.top) / GRAIN
    parts = sorted(
        f"{each.shape} {each.fill} {each.stroke} {round((each.box.x0 - box.x0) / wide)} "
        f"{round((each.box.top - box.top) / high)} {round((each.box.x1 - box.x0) / wide)}"
        for each in group
    )
    return f"drawn:{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:8]}"
