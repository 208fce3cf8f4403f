"""The rows of two tables side by side: a row is known by its first cell, so that each value meets its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from pipeline.diff.entry_text import CELL, folded

_ENDS = re.compile(rf"(?<={re.escape(CELL)})")


def rows(old: str, new: str) -> Iterator[tuple[str, str]]:
    """Rows that are found again, each beside what it was; what went and came between them beside each other."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    was, now = ([folded(name(row)) for row in side] for side in (before, after))
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from zip(before[i1:i2], after[j1:j2], strict=True)
        else:
            yield "".join(before[i1:i2]), "".join(after[j1:j2])


def cells(old: str, new: str) -> Iterator[tuple[str, str]]:
    """The cells of such rows side by side, where they are as many: 140 | 150 did not lose its 140."""
    for was, now in rows(old, new):
        before, after = _ENDS.split(was), _ENDS.split(now)
        if len(before) == len(after) and name(was) == name(now):
            yield from zip(before, after, strict=True)
        else:
            yield was, now


def name(row: str) -> str:
    """The first cell of a row: what its values are about."""
    return row.split(CELL)[0].strip()
