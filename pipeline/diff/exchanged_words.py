"""Words that a neighbour holds in the other release: a rule that was read as part of the table above it, or a list that
went on in the next rule. They stand where they stood, between the same entries, so they neither came nor went."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from pipeline.diff import entry_text
from pipeline.diff.recut_entries import Matching, settle
from pipeline.records import QA, AnyEntry

RUN = 8  # words in a row that say that it is the same text: as many as a question needs to be found again (match.WHOLE)
WHOLE = 4_000_000  # pairs of words in a zone: beyond, a chapter was rewritten (as words.LONG)

Zone = tuple[Sequence[int], Sequence[int]]  # entries of the old and the new release between two that stayed


def exchange(old: Sequence[AnyEntry], new: Sequence[AnyEntry], matching: Matching) -> None:
    """Join what has no partner to the entries that hold its words at the same place of the other release."""
    free_old, free_new = (set(some) for some in matching.free(len(old), len(new)))
    bonds = _Bonds(matching)
    for zone in _zones(old, new, matching.pairs):
        if not free_old.isdisjoint(zone[0]) or not free_new.isdisjoint(zone[1]):
            inside = bonds.settled(zone)
            read_in_order = _shared(old, new, inside)
            links = [(i, j) for i, j in read_in_order if i in free_old or j in free_new]
            joined = _groups(links, bonds.within(inside))
            left = _without(zone[0], free_old, joined, 0), _without(zone[1], free_new, joined, 1)
            read_elsewhere = _shared(old, new, left)
            for lefts, rights in (*joined, *_groups(list(read_elsewhere), ())):
                home = _join(lefts, rights, read_in_order + read_elsewhere, matching)
                settle(old, new, matching, home)


def _without(run: Sequence[int], free: set[int], joined: Sequence[tuple[list[int], list[int]]], side: int) -> list[int]:
    """What still has no partner on one side of a zone."""
    taken = {at for group in joined for at in group[side]}
    return [at for at in run if at in free and at not in taken]


class _Bonds:
    """What is one already: pairs, and what went into them or came out of them."""

    def __init__(self, matching: Matching) -> None:
        self._of_old: dict[int, list[int]] = defaultdict(list)
        self._of_new: dict[int, list[int]] = defaultdict(list)
        for i, j in _together(matching):
            self._of_old[i].append(j)
            self._of_new[j].append(i)
        self._told = tuple({at for pair in matching.recut for at in pair[side]} for side in (0, 1))

    def settled(self, zone: Zone) -> Zone:
        """A zone without what belongs to an entry elsewhere, or was found to be the same text."""
        lefts, rights = ({at for at in zone[side] if at not in self._told[side]} for side in (0, 1))
        kept_old = sorted(i for i in lefts if rights.issuperset(self._of_old.get(i, ())))
        kept_new = sorted(j for j in rights if lefts.issuperset(self._of_new.get(j, ())))
        return kept_old, kept_new

    def within(self, zone: Zone) -> list[tuple[int, int]]:
        """The bonds of such a zone."""
        return [(i, j) for i in zone[0] for j in self._of_old.get(i, ())]


def _zones(old: Sequence[AnyEntry], new: Sequence[AnyEntry], pairs: dict[int, int]) -> Iterator[Zone]:
    """The runs between entries that stayed as they were, in their order."""
    kept = [(i, j) for i, j in sorted(pairs.items())
            if entry_text.key(entry_text.whole(old[i])) == entry_text.key(entry_text.whole(new[j]))]  # fmt: skip
    for (i, j), (k, m) in pairwise([(-1, -1), *_in_order(kept), (len(old), len(new))]):
        if k - i > 1 and m - j > 1:
            yield range(i + 1, k), range(j + 1, m)


def _in_order(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """As many of the pairs as rise on both sides."""
    ends: list[int] = []  # the lowest end of a rising run, by its length
    runs: list[int] = []
    for _, j in pairs:
        at = bisect_left(ends, j)
        ends[at : at + 1] = [j]
        runs.append(at)
    matched: list[tuple[int, int]] = []
    wanted = len(ends) - 1
    for pair, length in zip(reversed(pairs), reversed(runs), strict=True):
        if length == wanted and (not matched or pair[1] < matched[-1][1]):
            matched.append(pair)
            wanted -= 1
    return matched[::-1]


def _shared(old: Sequence[AnyEntry], new: Sequence[AnyEntry], zone: Zone) -> Counter[tuple[int, int]]:
    """How many words two entries share in runs, where the zone is read as one text in both releases."""
    (before, lefts), (after, rights) = _read(old, zone[0]), _read(new, zone[1])
    shared: Counter[tuple[int, int]] = Counter()
    if len(before) * len(after) > WHOLE:
        return shared
    for start, to, size in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        together = Counter((lefts[start + at], rights[to + at]) for at in range(size))
        shared.update({pair: count for pair, count in together.items() if count >= RUN})
    return shared


def _read(entries: Sequence[AnyEntry], run: Sequence[int]) -> tuple[list[str], list[int]]:
    """The words of a run, and the entry of each. A question is never part of what stands beside it."""
    read = {at: entry_text.vocables(entry_text.whole(entries[at])) for at in run if not isinstance(entries[at], QA)}
    return [word for words in read.values() for word in words], [at for at, words in read.items() for _ in words]


def _groups(links: Sequence[tuple[int, int]], known: Sequence[tuple[int, int]]) -> list[tuple[list[int], list[int]]]:
    """Entries of both sides that the links hold together, with what each of them is joined to already."""
    touched = {*(("old", i) for i, _ in links), *(("new", j) for _, j in links)}
    homes: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for i, j in (*links, *known):
        one = homes.get(("old", i), {("old", i)}) | homes.get(("new", j), {("new", j)})
        homes.update(dict.fromkeys(one, one))
    groups = {id(group): group for group in homes.values() if group & touched}
    return [(sorted(at for side, at in group if side == "old"), sorted(at for side, at in group if side == "new"))
            for group in groups.values()]  # fmt: skip


def _together(matching: Matching) -> Iterable[tuple[int, int]]:
    """All that is one already: pairs, and what went into them or came out of them."""
    for i, j in matching.pairs.items():
        yield from ((left, j) for left in (i, *matching.merged.get(i, ())))
        yield from ((i, right) for right in matching.divided.get(i, ()))


def _join(lefts: list[int], rights: list[int], shared: Counter[tuple[int, int]], matching: Matching) -> int:
    """The place of one pair of a group, with all others in it: a pair that was, or else the two that share most."""
    were = [(i, matching.pairs[i]) for i in lefts if i in matching.pairs]
    within = were or [pair for pair in shared if pair[0] in lefts and pair[1] in rights]
    home, partner = min(within, key=lambda pair: (-shared[pair], pair))
    for i in lefts:
        matching.pairs.pop(i, None)
        matching.merged.pop(i, None)
        matching.divided.pop(i, None)
    matching.pairs[home] = partner
    if len(lefts) > 1:
        matching.merged[home] = [i for i in lefts if i != home]
    if len(rights) > 1:
        matching.divided[home] = [j for j in rights if j != partner]
    return home
