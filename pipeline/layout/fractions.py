"""Fractions that are set with small figures, one over the other or around a slash: one sign each, as they are read."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from pipeline.records import Run
from pipeline.text import DIGITS, LOWERED, RAISED

SMALL = 0.8  # times the type beside it
STACKED = (0.75, 1.6)  # times their own size: how far a figure may stand under another
CENTRED = 0.4  # of their size: how far the middle of one may be from that of the other
BESIDE = 0.5  # of the type size between a fraction and the words of its line
FIGURES_MAX = 400  # on one page; more are a table

_SLASHES = ("/", "⁄")
_KNOWN = {unicodedata.normalize("NFKC", sign): sign for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"}


def fractions(runs: list[Run], body: float) -> list[Run]:
    """The runs of a page with every fraction as one run; most pages have none."""
    small = [run for run in runs if run.size < SMALL * body and run.text[:1] in DIGITS]
    small = [run for run in small if run.text.strip().isdecimal()]
    if len(small) < 2 or len(small) > FIGURES_MAX:
        return runs
    joined: list[Run] = []
    gone: set[int] = set()
    for above, below in [(one, other) for one in small for other in small if _may_be_one(one, other, body)]:
        line = _line_of(above, below, runs) if gone.isdisjoint((id(above), id(below))) else None
        if line is not None:
            gone |= {id(above), id(below)} | ({id(line)} if line.text.strip() in _SLASHES else set())
            joined.append(_fraction(above, below, line))
    return [*(run for run in runs if id(run) not in gone), *joined] if joined else runs


def _may_be_one(above: Run, below: Run, body: float) -> bool:
    return 0 < below.baseline - above.baseline < body and abs(below.x0 - above.x0) < 2 * body


def _line_of(above: Run, below: Run, runs: Sequence[Run]) -> Run | None:
    """The slash between two figures, or words beside figures that stand one over the other."""
    size = above.size
    if abs(below.size - size) > 0.1 * size:
        return None
    high = below.baseline + size
    larger = [run for run in runs if run.size * SMALL >= size and above.baseline < run.baseline + 1 < high]
    if above.x1 <= below.x0 + size / 2 and above.x0 < below.x0:
        slashes = [run for run in larger if run.text.strip() in _SLASHES]
        return next((run for run in slashes if _is_between(run, above, below)), None)
    middle = (above.x0 + above.x1 - below.x0 - below.x1) / 2
    apart = (below.baseline - above.baseline) / size
    if abs(middle) > CENTRED * size or not STACKED[0] < apart < STACKED[1]:
        return None
    return next((run for run in larger if _is_beside(run, above, below)), None)


def _is_between(slash: Run, above: Run, below: Run) -> bool:
    near = BESIDE * slash.size
    return -near < slash.x0 - above.x1 < near and -near < below.x0 - slash.x1 < near


def _is_beside(run: Run, above: Run, below: Run) -> bool:
    """Words straight before or behind, on a baseline between the two."""
    left, right = min(above.x0, below.x0), max(above.x1, below.x1)
    near = BESIDE * run.size
    beside = -1 < left - run.x1 < near or -1 < run.x0 - right < near
    return beside and above.baseline < run.baseline < below.baseline + 1


def _fraction(above: Run, below: Run, line: Run) -> Run:
    upper, lower = above.text.strip(), below.text.strip()
    sign = _KNOWN.get(f"{upper}⁄{lower}") or f"{upper.translate(RAISED)}⁄{lower.translate(LOWERED)}"
    x0, x1 = min(above.x0, below.x0), max(above.x1, below.x1)
    return replace(
        above, text=sign, x0=x0, top=line.top, x1=x1, bottom=line.bottom, baseline=line.baseline, size=line.size
    )
