"""Lists inside the cells of a table, "• a • b • c": set in columns, their order says nothing, and one new item moves
all behind it. So each item is looked for anywhere in the cell, and meets the one that it was."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipeline.diff.entry_text import CELL, key
from pipeline.fuzzy import similarity

ITEMS = 2  # a single item is a text with a bullet
SAME = 0.6  # of the letters of two items: one became the other; "Nitto NT01" and "Nitto NT05" are both there

_BULLET = re.compile(r"(?=• )")
_END = re.compile(rf"(?:{re.escape(CELL)}|\s)*$")


def beside(old: str, new: str) -> list[tuple[str, str]]:
    """The items of two such lists as ``pairs``; of any other cell the whole beside the whole."""
    was, now = items(old), items(new)
    return pairs(was, now) if was and now else [(old, new)]


def items(cell: str) -> list[str]:
    """The items of a cell that is a list and nothing else, each with its bullet and the space behind it."""
    listed = [item for item in _BULLET.split(cell) if item]
    return listed if len(listed) >= ITEMS and all(item.startswith("• ") for item in listed) else []


def pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """(was, is) of the items in the order of the new list; "" for one that came, or that went: it stands behind the
    one that it followed."""
    became = _became([_bare(item) for item in old], [_bare(item) for item in new])
    went: dict[int, list[int]] = {}  # behind which of the new ones
    now = {was: at for at, was in became.items()}
    before = -1
    for was in range(len(old)):
        before = now.get(was, before)
        if was not in now:
            went.setdefault(before, []).append(was)
    listed = [(old[was], "") for was in went.get(-1, ())]
    for at, item in enumerate(new):
        end = _END.search(item)
        listed.append((f"{_END.sub('', old[became[at]])}{end[0] if end else ''}" if at in became else "", item))
        listed += [(f"{_END.sub('', old[was])} ", "") for was in went.get(at, ())]
    return listed


def _became(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Which old item each of the new ones was: the same, else one much like it."""
    left = list(range(len(old)))
    became: dict[int, int] = {}
    for least in (1.0, SAME):
        for at in range(len(new)):
            alike = [(similarity(old[was], new[at], least), -was) for was in left if at not in became]
            likeness, nearest = max(alike, default=(0.0, 0))
            if likeness >= least:
                became[at] = -nearest
                left.remove(-nearest)
    return became


def _bare(item: str) -> str:
    return key(_END.sub("", item))
