"""What came or changed with the last release of each source: for the mark in the margin, and for codes that stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline import records
from pipeline.config import BookSettings
from pipeline.dedup import near
from pipeline.dedup.stands import Stand
from pipeline.records import Document, Rule

ALIKE = 0.55  # of all words in common: below it, an entry was replaced by another, not changed
SUBJECT = 0.25  # is enough under the same heading, when only these two are left there

Spot = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """What happened to an entry; ``before`` is what it was in the release before."""

    what: records.Since | None = None
    date: str | None = None
    before: Stand | None = None


def marks(
    documents: Sequence[Document], standing: Sequence[Stand], chains: Sequence[Sequence[int]], settings: BookSettings
) -> dict[Spot, Since]:
    """For each entry that is not as it was: what happened, when, and what it was before. Where no release before is
    known, only what the publisher marked: that a document is young says nothing of its rulings."""
    held: dict[int, list[Stand]] = {}
    for stand in standing:
        held.setdefault(stand.age, []).append(stand)
    made: dict[Spot, Since] = {}
    for number, document in enumerate(documents):
        if _counts(document, settings):
            made.update(_printed_marks(document, held.get(number, [])))
    for chain in chains:
        for old, new in pairwise(chain):
            made.update(_between(held.get(old, []), held.get(new, []), documents[new], settings, made))
    return {spot: mark for spot, mark in made.items() if mark.what or mark.before}


def _counts(document: Document, settings: BookSettings) -> bool:
    return settings.changed_since is None or (document.date or "") > settings.changed_since


def _printed_marks(document: Document, stands: Sequence[Stand]) -> dict[Spot, Since]:
    """Without the release before, the publisher's colour says it."""
    return {
        (stand.age, stand.position): Since(what=records.Since.CHANGED, date=document.date)
        for stand in stands
        if stand.entry.changed
    }


def _between(
    old: Sequence[Stand], new: Sequence[Stand], document: Document, settings: BookSettings,
    known: Mapping[Spot, Since],
) -> dict[Spot, Since]:  # fmt: skip
    """Every entry of the new release: nothing, added or changed; this outweighs what its colour says. With a day to
    count from, what an earlier release of that time changed stays marked."""
    before = _before(old, new)
    same = {stand.keys: (stand.age, stand.position) for stand in reversed(old)}
    counts = _counts(document, settings)
    made = {}
    for stand in new:
        spot = (stand.age, stand.position)
        was = before.get(spot)
        if (kept := same.get(stand.keys)) is not None:
            earlier = known.get(kept) if settings.changed_since else None
            made[spot] = replace(earlier, before=None) if earlier else Since()
        elif counts:
            what = records.Since.CHANGED if was else records.Since.ADDED
            made[spot] = Since(what=what, date=document.date, before=was)
        else:
            made[spot] = Since(before=was)
    return made


def _before(old: Sequence[Stand], new: Sequence[Stand]) -> dict[Spot, Stand]:
    """What each changed entry was: the one with the same head, the most alike, or the only one left of its subject."""
    kept = {stand.keys for stand in old} & {stand.keys for stand in new}
    was = [stand for stand in old if stand.keys not in kept]
    now = [stand for stand in new if stand.keys not in kept]
    found: dict[Spot, Stand] = {}
    for rule in (_same_heads, _most_alike, _last_of_subject):
        used = {id(stand) for stand in found.values()}
        left = [stand for stand in was if id(stand) not in used]
        found.update(rule(left, [stand for stand in now if (stand.age, stand.position) not in found]))
    return found


def _same_heads(was: Sequence[Stand], now: Sequence[Stand]) -> dict[Spot, Stand]:
    return _by_key({_heading(s): s for s in reversed(was) if s.head}, {_heading(s): s for s in reversed(now) if s.head})


def _heading(stand: Stand) -> tuple[object, ...]:
    number = stand.entry.number if isinstance(stand.entry, Rule) else None
    return stand.entry.kind, stand.head, stand.subject, number


def _last_of_subject(was: Sequence[Stand], now: Sequence[Stand]) -> dict[Spot, Stand]:
    found = _by_key(_only(was), _only(now))
    return {spot: old for spot, old in found.items() if old.subject}


def _only(stands: Sequence[Stand]) -> dict[tuple[object, ...], Stand]:
    groups: dict[tuple[object, ...], list[Stand]] = {}
    for stand in stands:
        groups.setdefault((stand.entry.kind, stand.subject), []).append(stand)
    return {key: group[0] for key, group in groups.items() if len(group) == 1}


def _by_key(was: Mapping[tuple[object, ...], Stand], now: Mapping[tuple[object, ...], Stand]) -> dict[Spot, Stand]:
    return {(stand.age, stand.position): was[key] for key, stand in now.items() if key in was}


def _most_alike(was: Sequence[Stand], now: Sequence[Stand]) -> dict[Spot, Stand]:
    """The best pairs first; each entry once."""
    everyone = [*was, *now]
    pairs = near.pairs([stand.keys for stand in everyone], ALIKE)
    across = [(one, other, alike) for one, other, alike in pairs if one < len(was) <= other]
    found: dict[Spot, Stand] = {}
    used: set[int] = set()
    for one, other, _ in sorted(across, key=lambda pair: (-pair[2], pair[0], pair[1])):
        stand = everyone[other]
        if one not in used and (stand.age, stand.position) not in found and stand.entry.kind == was[one].entry.kind:
            used.add(one)
            found[stand.age, stand.position] = was[one]
    return found
