"""Text that was cut into entries in another way: two questions became one, or a column was read as one entry here and
as two there. It neither came nor went."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pipeline.diff import entry_text, redline
from pipeline.diff.positions import is_under
from pipeline.fuzzy import share_within
from pipeline.records import AnyEntry, Table

HELD = 0.75  # of the words of an entry are found in what its neighbour gained: it went in there
GAP = 400  # pairs of entries between two neighbours: with more, a chapter was rewritten, and looking takes long
MOST = 0.6  # of an entry are the several that stand in it
TELLING = 4  # words: fewer are found anywhere, unless they stand under the name of the neighbour


@dataclass(slots=True)
class Matching:
    """Pairs of places; what is in none of these was added or removed."""

    pairs: dict[int, int] = field(default_factory=dict)
    recut: list[tuple[range, range]] = field(default_factory=list)  # the same text, cut into other entries
    merged: dict[int, list[int]] = field(default_factory=dict)  # old entries that went into the pair of another
    divided: dict[int, list[int]] = field(default_factory=dict)  # new entries that came out of an old one's pair

    def free(self, old: int, new: int) -> tuple[list[int], list[int]]:
        """The places of ``old`` and ``new`` entries that have no partner."""
        taken_old = {*self.pairs, *(at for run, _ in self.recut for at in run), *_all(self.merged)}
        taken_new = {*self.pairs.values(), *(at for _, run in self.recut for at in run), *_all(self.divided)}
        return [at for at in range(old) if at not in taken_old], [at for at in range(new) if at not in taken_new]


    def is_apart(self, home: int) -> bool:
        """Whether what went into a pair, or came out of it, did not stand beside it: something is between them."""
        sides = ((home, self.merged.get(home, ())), (self.pairs[home], self.divided.get(home, ())))
        return any(len(_run(at, others)) > 1 + len(others) for at, others in sides)


def _all(lists: dict[int, list[int]]) -> Iterable[int]:
    return (at for some in lists.values() for at in some)


# ---------------------------------------------------------------- word for word


def recut(old: Sequence[AnyEntry], new: Sequence[AnyEntry], matching: Matching) -> None:
    """Between two matched neighbours: the same words, cut into entries elsewhere (another column, another page)."""
    for left, right in _gaps(len(old), len(new), matching.pairs):
        if left and right and _text(old, left) == _text(new, right):
            matching.recut.append((left, right))


def _text(entries: Sequence[AnyEntry], run: Iterable[int]) -> str:
    texts = [f"{entry_text.number(entries[at]) or ''} {entry_text.whole(entries[at])}" for at in run]
    return "".join(map(entry_text.key, texts)).replace("•", "")


def _gaps(old: int, new: int, pairs: dict[int, int]) -> list[tuple[range, range]]:
    """The runs without a partner on both sides of which the same neighbours stand."""
    gaps: list[tuple[range, range]] = []
    taken = set(pairs.values())
    start = 0
    while start < old:
        if start in pairs:
            start += 1
            continue
        end = start
        while end < old and end not in pairs:
            end += 1
        first = pairs[start - 1] + 1 if start else 0
        last = pairs[end] if end < old else new
        if first < last and not any(at in taken for at in range(first, last)):
            gaps.append((range(start, end), range(first, last)))
        start = end
    return gaps


# ---------------------------------------------------------------- into a neighbour that changed


def join(old: Sequence[AnyEntry], new: Sequence[AnyEntry], matching: Matching) -> None:
    """What has no partner, but stands in what its neighbour gained or lost."""
    free_old, free_new = matching.free(len(old), len(new))
    partners = {j: i for i, j in matching.pairs.items()}
    moves = _Moves(old, new, matching.pairs, partners)
    for at, home in _homes(old, free_old, matching.pairs, moves.gained):
        matching.merged.setdefault(home, []).append(at)
    for at, home in _homes(new, free_new, partners, moves.lost):
        matching.divided.setdefault(partners[home], []).append(at)
    for home in {*matching.merged, *matching.divided}:
        settle(old, new, matching, home)


def settle(old: Sequence[AnyEntry], new: Sequence[AnyEntry], matching: Matching, home: int) -> None:
    """A pair with all that went into it and came out of it is the same text, where no word is another."""
    left = _run(home, matching.merged.get(home, ()))
    right = _run(matching.pairs[home], matching.divided.get(home, ()))
    if _text(old, left) == _text(new, right):
        matching.recut.append((left, right))
        del matching.pairs[home]
        matching.merged.pop(home, None)
        matching.divided.pop(home, None)


def gather(old: Sequence[AnyEntry], new: Sequence[AnyEntry], matching: Matching) -> None:
    """Between two matched neighbours: several entries that stand nearly whole in one, whatever it was read as; or one
    that stands in several."""
    for left, right in _gaps(len(old), len(new), matching.pairs):
        for j, within in _held_in(old, left, new, right):
            matching.pairs[within[0]] = j
            matching.merged[within[0]] = within[1:]
    for left, right in _gaps(len(old), len(new), matching.pairs):
        for i, within in _held_in(new, right, old, left):
            matching.pairs[i] = within[0]
            matching.divided[i] = within[1:]


def _held_in(
    some: Sequence[AnyEntry], run: Iterable[int], others: Sequence[AnyEntry], homes: Sequence[int]
) -> list[tuple[int, list[int]]]:
    """(home, entries) where entries of a run stand one after the other in one of the homes, and are most of it."""
    left, parts = list(run), []
    if len(left) * len(homes) > GAP:
        return []
    words = {at: entry_text.vocables(entry_text.whole(some[at])) for at in left}
    for home in homes:
        words_of = entry_text.vocables(entry_text.whole(others[home]))
        within = [at for at in left if len(words[at]) >= TELLING and share_within(words[at], words_of) >= HELD]
        if len(within) > 1 and sum(len(words[at]) for at in within) >= MOST * len(words_of):
            parts.append((home, within))
            left = [at for at in left if at not in within]
    return parts


def _run(at: int, others: Sequence[int]) -> range:
    return range(min((at, *others)), max((at, *others)) + 1)


class _Moves:
    """What each pair gained and lost, found out once."""

    def __init__(
        self, old: Sequence[AnyEntry], new: Sequence[AnyEntry], pairs: dict[int, int], partners: dict[int, int]
    ) -> None:
        self._old, self._new, self._pairs, self._partners = old, new, pairs, partners
        self._known: dict[int, dict[str, tuple[str, ...]]] = {}

    def gained(self, at: int, home: int) -> bool:
        """Whether the pair of the old entry ``home`` gained the words of the one ``at`` a place of the old release."""
        return self._held(self._old[at], self._old[home], home, "+")

    def lost(self, at: int, home: int) -> bool:
        """Whether the pair of the new entry ``home`` lost the words of the one ``at`` a place of the new release."""
        return self._held(self._new[at], self._new[home], self._partners[home], "-")

    def _held(self, entry: AnyEntry, beside: AnyEntry, home: int, sign: str) -> bool:
        """Whether nearly all words of an entry are in what the pair of ``home`` beside it gained (+) or lost (-)."""
        words = entry_text.vocables(entry_text.whole(entry))
        if not words or (len(words) < TELLING and not is_under(entry, beside)):
            return False
        return share_within(words, self._of(home)[sign]) >= HELD

    def _of(self, home: int) -> dict[str, tuple[str, ...]]:
        if home not in self._known:
            old, new = self._old[home], self._new[self._pairs[home]]
            words = redline.differences(entry_text.whole(old), entry_text.whole(new))
            self._known[home] = {
                sign: entry_text.vocables(" ".join(text for each, text in words if each == sign)) for sign in "+-"
            }
        return self._known[home]


def _homes(
    entries: Sequence[AnyEntry], free: Sequence[int], pairs: dict[int, int], goes: Callable[[int, int], bool]
) -> Iterable[tuple[int, int]]:
    """Free places with the neighbour of their run that took each in, or the one behind a table between them."""
    left = set(free)
    for step in (1, -1):
        for start in [at - step for at in sorted(left, reverse=step < 0) if at - step in pairs]:
            at = start + step
            while at in left:
                if goes(at, start):
                    left.discard(at)
                    yield at, start
                at += step
    for at in sorted(left):
        behind = (at + 2 * step for step in (-1, 1) if at + step in pairs and isinstance(entries[at + step], Table))
        home = next((each for each in behind if each in pairs and goes(at, each)), None)
        if home is not None:
            yield at, home
