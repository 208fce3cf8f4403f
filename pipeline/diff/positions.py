"""Where an entry stands: which headings the new release calls otherwise, and what moved."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from pipeline.diff import entry_text
from pipeline.diff.assignment import longest_rising
from pipeline.records import AnyEntry, Prose

RENAMED = 0.5  # of a heading's entries now stand under one new heading: the heading was renamed
SORTED_ANEW = 0.5  # of what stands under a heading is out of its order: it was sorted anew, and nothing of it moved
SEVERAL = 3  # entries that went from one heading to another: fewer moved by themselves
FEW = 4  # entries: fewer that changed their order are no new order

_NUMBER = re.compile(r"^(?:\d+(?:[.-]\w+)*[.):]?|(?:[ivxlcdm]+|[a-z])(?:[.-]\w+)*[.):])\s+(?=\w)")
_SIGNS = re.compile(r"[\W_]+")

Place = tuple[str, ...]  # the headings above an entry, folded, the outermost first


def place(entry: AnyEntry) -> Place:
    """A card's name may be read as a subject here and as the last section there: it is a heading in both."""
    return _place(entry.section, entry.subject or "")


@lru_cache(maxsize=1 << 12)
def _place(section: tuple[str, ...], subject: str) -> Place:
    return tuple([bare(heading) for heading in (*section, subject) if heading])


@lru_cache(maxsize=1 << 12)
def bare(heading: str) -> str:
    """The letters of a heading without its number: one that was only counted, spaced or set again is the same."""
    return _SIGNS.sub("", _NUMBER.sub("", entry_text.folded(heading)))


def is_under(old: AnyEntry, new: AnyEntry) -> bool:
    """Whether the question or title of one is a heading above the other, which has none of its own."""
    texts = [entry for entry in (old, new) if isinstance(entry, Prose)]
    if len(texts) != 1 or not texts[0].section:
        return False
    named = bare(entry_text.head(new if texts[0] is old else old))
    return bool(named) and named in place(texts[0])


class Places:
    """The places of both releases, in the words of the new one."""

    def __init__(self, old: Sequence[AnyEntry], new: Sequence[AnyEntry], pairs: Mapping[int, int]) -> None:
        places = [place(entry) for entry in old]
        self.new = [place(entry) for entry in new]
        self.renamed = _renames(places, self.new, pairs)
        self.old = [called(where, self.renamed) for where in places]
        self._before, self._after = _prefixes(self.old), _prefixes(self.new)
        self._last = {self.old[i]: i for i, j in sorted(pairs.items()) if self.old[i] == self.new[j]}
        self._went = Counter((self.old[i], self.new[j]) for i, j in pairs.items())

    def is_here(self, i: int, j: int) -> bool:
        """Whether both stand under the same headings."""
        return self.old[i] == self.new[j]

    def stays(self, i: int, j: int) -> bool:
        """Whether only the headings around it changed: one was put between, or taken away, or begins earlier."""
        was, now = self.old[i], self.new[j]
        if was == now:
            return True
        gone, come = self._differing(was, now)
        if gone is None or come is None:
            return False
        if not gone or not come:
            return True
        if self._went[was, now] < SEVERAL:
            return False
        return self._after.isdisjoint(gone) or (self._before.isdisjoint(come) and i > self._last.get(was, -1))

    def may_stay(self, i: int, j: int) -> bool:
        """Whether nothing speaks against it: as ``stays``, or one heading is gone and the other new."""
        gone, come = self._differing(self.old[i], self.new[j])
        if gone is None or come is None:
            return False
        return not gone or not come or (self._after.isdisjoint(gone) and self._before.isdisjoint(come))

    def _differing(self, was: Place, now: Place) -> tuple[set[Place] | None, set[Place] | None]:
        """The headings that only one has, with all above each; None where the others are not in the same order."""
        if [heading for heading in was if heading in now] != [heading for heading in now if heading in was]:
            return None, None
        gone = {was[: depth + 1] for depth, heading in enumerate(was) if heading not in now}
        return gone, {now[: depth + 1] for depth, heading in enumerate(now) if heading not in was}


# ---------------------------------------------------------------- renamed


def _renames(old: Sequence[Place], new: Sequence[Place], pairs: Mapping[int, int]) -> dict[Place, Place]:
    """Places of the old release that the new one calls otherwise: most that stood there stands under a heading that
    is new, in the same place, or with a new heading above or one less."""
    went: dict[Place, Counter[Place]] = defaultdict(Counter)
    for i, j in pairs.items():
        was, now = old[i], new[j]
        if len(was) == len(now):
            for depth in range(1, len(was) + 1):
                went[was[:depth]][now[:depth]] += 1
        else:
            went[was][now] += 1
    before, after = _prefixes(old), _prefixes(new)
    known: dict[Place, Place] = {}
    for was in sorted(went, key=len):
        now, count = went[was].most_common(1)[0]
        if was in after or now in before or count < RENAMED * went[was].total():
            continue
        if now[:-1] == called(was[:-1], known) if len(was) == len(now) else _nested(was, now, before, after):
            known[was] = now
    return known


def _prefixes(places: Iterable[Place]) -> set[Place]:
    return {each[:depth] for each in set(places) for depth in range(1, len(each) + 1)}


def _nested(was: Place, now: Place, before: set[Place], after: set[Place]) -> bool:
    """The same headings but for some that only one release has: a part was put above the chapters, or taken away."""
    common = [heading for heading in was if heading in now]
    extra = {heading for heading in (*was, *now) if heading not in common}
    elsewhere = {heading for each in (after if len(was) > len(now) else before) for heading in each}
    return common == [heading for heading in now if heading in was] and bool(common) and not extra & elsewhere


def called(where: Place, renamed: Mapping[Place, Place]) -> Place:
    """The place in the words of the new release."""
    new_path: Place = ()
    for depth, heading in enumerate(where, start=1):
        new_path = renamed.get(where[:depth], (*new_path, heading))
    return new_path


# ---------------------------------------------------------------- moved


def moved(places: Places, pairs: Mapping[int, int]) -> tuple[set[int], set[int]]:
    """Old places of entries that moved, and of those that were only carried along when headings were put in another
    order, or all that stands under one was sorted anew."""
    left = {i for i, j in pairs.items() if not places.stays(i, j)}
    under: dict[Place, list[int]] = defaultdict(list)
    for i in sorted(pairs.keys() - left):
        under[places.new[pairs[i]]].append(i)
    out_of_place = left.union(*(_out_of_order(lefts, pairs) for lefts in under.values()))
    order = sorted(pairs.keys() - out_of_place)
    kept = longest_rising([pairs[i] for i in order])
    return out_of_place, {i for at, i in enumerate(order) if at not in kept}


def _out_of_order(lefts: list[int], pairs: Mapping[int, int]) -> set[int]:
    """Of entries under one heading those that stand before others that they stood behind."""
    kept = longest_rising([pairs[i] for i in lefts])
    out = {i for at, i in enumerate(lefts) if at not in kept}
    return set() if len(out) >= FEW and len(out) > SORTED_ANEW * len(lefts) else out
