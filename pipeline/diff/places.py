"""Where an entry stands, and which headings of the old release the new one calls otherwise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from pipeline.diff import parts
from pipeline.records import AnyEntry

RENAMED = 0.5  # of a heading's entries now stand under one new heading: the heading was renamed

_NUMBER = re.compile(r"^(?:\d+(?:[.-]\w+)*[.):]?|(?:[ivxlcdm]+|[a-z])(?:[.-]\w+)*[.):])\s+(?=\w)")

Place = tuple[str, ...]  # the headings above an entry, folded, the outermost first


def place(entry: AnyEntry) -> Place:
    """A card's name may be read as a subject here and as the last section there: it is a heading in both."""
    return tuple(bare(heading) for heading in (*entry.section, entry.subject or "") if heading)


def bare(heading: str) -> str:
    """A heading, folded, without its number: one that was only counted again is the same."""
    return _NUMBER.sub("", parts.folded(heading))


def renames(old: Sequence[AnyEntry], new: Sequence[AnyEntry], pairs: Mapping[int, int]) -> dict[Place, Place]:
    """Places of the old release that the new one calls otherwise: most that stood there stands under a heading that
    is new, in the same place, or with a new heading above or one less."""
    went: dict[Place, Counter[Place]] = {}
    for i, j in pairs.items():
        was, now = place(old[i]), place(new[j])
        if len(was) == len(now):
            for depth in range(1, len(was) + 1):
                went.setdefault(was[:depth], Counter())[now[:depth]] += 1
        else:
            went.setdefault(was, Counter())[now] += 1
    before, after = _prefixes(old), _prefixes(new)
    known: dict[Place, Place] = {}
    for was in sorted(went, key=len):
        now, count = went[was].most_common(1)[0]
        if was in after or now in before or count < RENAMED * went[was].total():
            continue
        if now[:-1] == called(was[:-1], known) if len(was) == len(now) else _nested(was, now, before, after):
            known[was] = now
    return known


def _prefixes(entries: Sequence[AnyEntry]) -> set[Place]:
    places = {place(entry) for entry in entries}
    return {each[:depth] for each in places for depth in range(1, len(each) + 1)}


def _nested(was: Place, now: Place, before: set[Place], after: set[Place]) -> bool:
    """The same headings but for some that only one release has: a part was put above the chapters, or taken away."""
    common = [heading for heading in was if heading in now]
    extra = {heading for heading in (*was, *now) if heading not in common}
    elsewhere = {heading for each in (after if len(was) > len(now) else before) for heading in each}
    return common == [heading for heading in now if heading in was] and bool(common) and not extra & elsewhere


def called(where: Place, renamed: Mapping[Place, Place]) -> Place:
    """The place in the words of the new release."""
    made: Place = ()
    for depth, heading in enumerate(where, start=1):
        made = renamed.get(where[:depth], (*made, heading))
    return made
