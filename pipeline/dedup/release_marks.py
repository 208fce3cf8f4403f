"""What came or changed with the last release of each source: for the mark in the margin, and for codes that stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline import records
from pipeline.config import BookSettings
from pipeline.dedup import near_duplicates
from pipeline.dedup.occurrences import Occurrence
from pipeline.records import Document, Rule

ALIKE = 0.55  # of all words in common: below it, an entry was replaced by another, not changed
SUBJECT = 0.25  # is enough under the same heading, when only these two are left there

Spot = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseMark:
    """What happened to an entry; ``before`` is what it was in the release before."""

    what: records.Since | None = None
    date: str | None = None
    before: Occurrence | None = None


def marks(
    documents: Sequence[Document],
    standing: Sequence[Occurrence],
    chains: Sequence[Sequence[int]],
    settings: BookSettings,
) -> dict[Spot, ReleaseMark]:
    """For each entry that is not as it was: what happened, when, and what it was before. Where no release before is
    known, only what the publisher marked: that a document is young says nothing of its rulings."""
    by_release: dict[int, list[Occurrence]] = {}
    for occurrence in standing:
        by_release.setdefault(occurrence.age, []).append(occurrence)
    by_spot: dict[Spot, ReleaseMark] = {}
    for number, document in enumerate(documents):
        if _counts(document, settings):
            by_spot.update(_printed_marks(document, by_release.get(number, [])))
    for chain in chains:
        for old, new in pairwise(chain):
            by_spot.update(
                _between(by_release.get(old, []), by_release.get(new, []), documents[new], settings, by_spot)
            )
    return {spot: mark for spot, mark in by_spot.items() if mark.what or mark.before}


def _counts(document: Document, settings: BookSettings) -> bool:
    return settings.changed_since is None or (document.date or "") > settings.changed_since


def _printed_marks(document: Document, placed: Sequence[Occurrence]) -> dict[Spot, ReleaseMark]:
    """Without the release before, the publisher's colour says it."""
    return {
        (occurrence.age, occurrence.position): ReleaseMark(what=records.Since.CHANGED, date=document.date)
        for occurrence in placed
        if occurrence.entry.changed
    }


def _between(
    old: Sequence[Occurrence], new: Sequence[Occurrence], document: Document, settings: BookSettings,
    known: Mapping[Spot, ReleaseMark],
) -> dict[Spot, ReleaseMark]:  # fmt: skip
    """Every entry of the new release: nothing, added or changed; this outweighs what its colour says. With a day to
    count from, what an earlier release of that time changed stays marked."""
    before = _before(old, new)
    same = {occurrence.keys: (occurrence.age, occurrence.position) for occurrence in reversed(old)}
    counts = _counts(document, settings)
    by_spot = {}
    for occurrence in new:
        spot = (occurrence.age, occurrence.position)
        was = before.get(spot)
        if (kept := same.get(occurrence.keys)) is not None:
            earlier = known.get(kept) if settings.changed_since else None
            by_spot[spot] = replace(earlier, before=None) if earlier else ReleaseMark()
        elif counts:
            what = records.Since.CHANGED if was else records.Since.ADDED
            by_spot[spot] = ReleaseMark(what=what, date=document.date, before=was)
        else:
            by_spot[spot] = ReleaseMark(before=was)
    return by_spot


def _before(old: Sequence[Occurrence], new: Sequence[Occurrence]) -> dict[Spot, Occurrence]:
    """What each changed entry was: the one with the same head, the most alike, or the only one left of its subject."""
    kept = {occurrence.keys for occurrence in old} & {occurrence.keys for occurrence in new}
    was = [occurrence for occurrence in old if occurrence.keys not in kept]
    now = [occurrence for occurrence in new if occurrence.keys not in kept]
    earlier: dict[Spot, Occurrence] = {}
    for rule in (_same_heads, _most_alike, _last_of_subject):
        used = {id(occurrence) for occurrence in earlier.values()}
        left = [occurrence for occurrence in was if id(occurrence) not in used]
        earlier.update(
            rule(left, [occurrence for occurrence in now if (occurrence.age, occurrence.position) not in earlier])
        )
    return earlier


def _same_heads(was: Sequence[Occurrence], now: Sequence[Occurrence]) -> dict[Spot, Occurrence]:
    return _by_key({_heading(s): s for s in reversed(was) if s.head}, {_heading(s): s for s in reversed(now) if s.head})


def _heading(occurrence: Occurrence) -> tuple[object, ...]:
    number = occurrence.entry.number if isinstance(occurrence.entry, Rule) else None
    return occurrence.entry.kind, occurrence.head, occurrence.subject, number


def _last_of_subject(was: Sequence[Occurrence], now: Sequence[Occurrence]) -> dict[Spot, Occurrence]:
    pairs = _by_key(_only(was), _only(now))
    return {spot: old for spot, old in pairs.items() if old.subject}


def _only(placed: Sequence[Occurrence]) -> dict[tuple[object, ...], Occurrence]:
    groups: dict[tuple[object, ...], list[Occurrence]] = {}
    for occurrence in placed:
        groups.setdefault((occurrence.entry.kind, occurrence.subject), []).append(occurrence)
    return {key: group[0] for key, group in groups.items() if len(group) == 1}


def _by_key(
    was: Mapping[tuple[object, ...], Occurrence], now: Mapping[tuple[object, ...], Occurrence]
) -> dict[Spot, Occurrence]:
    return {(occurrence.age, occurrence.position): was[key] for key, occurrence in now.items() if key in was}


def _most_alike(was: Sequence[Occurrence], now: Sequence[Occurrence]) -> dict[Spot, Occurrence]:
    """The best pairs first; each entry once."""
    everyone = [*was, *now]
    pairs = near_duplicates.pairs([occurrence.keys for occurrence in everyone], ALIKE)
    across = [(one, other, alike) for one, other, alike in pairs if one < len(was) <= other]
    earlier: dict[Spot, Occurrence] = {}
    used: set[int] = set()
    for one, other, _ in sorted(across, key=lambda pair: (-pair[2], pair[0], pair[1])):
        occurrence = everyone[other]
        if (
            one not in used
            and (occurrence.age, occurrence.position) not in earlier
            and occurrence.entry.kind == was[one].entry.kind
        ):
            used.add(one)
            earlier[occurrence.age, occurrence.position] = was[one]
    return earlier
