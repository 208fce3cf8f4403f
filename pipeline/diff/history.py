"""Many releases: which belong together, in what order they came out, and the life of every entry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from pipeline.diff import diff, entry_text, matched
from pipeline.records import AnyEntry, Changes, Document, History, Life, Step

SHARED = 0.2  # of the shorter one's entries word for word in both: they are releases of one document


def chronological(documents: Iterable[Document]) -> list[Document]:
    """Oldest first: by date, then version, then file name (2 before 10)."""
    return sorted(documents, key=lambda document: (day(document.date), _version(document), _counted(document.source)))


def day(date: str | None) -> str:
    """A date to sort by: a month or a year that is not said exactly is its beginning; none is before all."""
    return ((date or "0000") + "-01-01")[:10]


def _version(document: Document) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", document.version or "")]


def _counted(name: str) -> list[tuple[int, str]]:
    pieces = re.findall(r"\d+|\D+", name.casefold())
    return [(int(piece), "") if piece.isdigit() else (-1, piece) for piece in pieces]


def families(
    documents: Sequence[Document], declared: Mapping[str, Sequence[str]] | None = None
) -> list[list[Document]]:
    """The documents in groups of releases, oldest first: as book.toml tells (oldest first), else by what they share."""
    named = {document.source: document for document in documents}
    groups = [[named[name] for name in names if name in named] for names in (declared or {}).values()]
    grouped = {document.source for group in groups for document in group}
    chains: list[list[Document]] = []
    for document in chronological(documents):
        if document.source in grouped:
            continue
        home = next((group for group in chains if any(_shares(other, document) for other in group)), None)
        if home is None:
            chains.append([document])
        else:
            home.append(document)
    return [group for group in groups if group] + chains


def _shares(one: Document, other: Document) -> bool:
    if one.language != other.language:
        return False
    texts = [{entry_text.key(entry_text.whole(entry)) for entry in document.entries} for document in (one, other)]
    smaller = min(len(side) for side in texts)
    return bool(smaller) and len(texts[0] & texts[1]) >= SHARED * smaller


# ---------------------------------------------------------------- since a day


def since(families: Iterable[Sequence[Document]], date: str, forced: Iterable[tuple[str, str]] = ()) -> list[Changes]:
    """For each group of releases what changed from the one in force on that day to the newest.

    A document whose first release is younger than the day is all new; one without a newer release is left out.
    """
    changes: list[Changes] = []
    forced = tuple(forced)
    for releases in families:
        newest = releases[-1]
        if day(newest.date) <= day(date):
            continue
        before = [release for release in releases if day(release.date) <= day(date)]
        changes.append(diff(before[-1] if before else _nothing(newest), newest, forced))
    return changes


def _nothing(document: Document) -> Document:
    """An empty document, to compare the first release with."""
    return replace(document, source="", sha256="", pages=0, version=None, date=None, entries=(), headings=())


# ---------------------------------------------------------------- history


class _Alive:
    """A life that is still being put together."""

    def __init__(self, entry: AnyEntry, release: int) -> None:
        self.entry, self.first, self.last = entry, release, release
        self.steps: list[Step] = []

    def told(self) -> Life:
        return Life(entry=self.entry, first=self.first, last=self.last, steps=tuple(self.steps))


def history(releases: Sequence[Document], forced: Iterable[tuple[str, str]] = ()) -> History:
    """The life of every entry over releases that are given oldest first; in the order of the newest, then the gone."""
    forced = tuple(forced)
    alive = {at: _Alive(entry, 0) for at, entry in enumerate(releases[0].entries)} if releases else {}
    gone: list[_Alive] = []
    findings = []
    for number, (old, new) in enumerate(pairwise(releases), start=1):
        changes, matching = matched(old, new, forced)
        findings += [finding for finding in changes.findings if finding.code == "unrelated"]
        steps = {id(entry): Step(release=number, change=d.change, difference=d) for d in changes.changes
                 for entry in (d.new or d.old, *d.news, *(old for old in d.olds if old is not d.old))}  # fmt: skip
        carried = {**matching.pairs, **{left[0]: right[0] for left, right in matching.recut}}
        alive, ended = _carry(alive, carried, new, number, steps, gone)
        gone = [life for life in gone if life not in alive.values()] + ended
    lives = [alive[at] for at in sorted(alive)] + gone
    return History(releases=tuple(releases), lives=tuple(life.told() for life in lives), findings=tuple(findings))


def _carry(
    alive: dict[int, _Alive], pairs: Mapping[int, int], new: Document, number: int, steps: Mapping[int, Step],
    gone: Sequence[_Alive],
) -> tuple[dict[int, _Alive], list[_Alive]]:  # fmt: skip
    """The lives one release on: those that go on, those that come (or come back), those that end or go into others."""
    back = {entry_text.key(entry_text.whole(life.entry)): life for life in gone}
    now: dict[int, _Alive] = {}
    for left, right in pairs.items():
        if left in alive:
            now[right] = alive[left]
    ended = [life for at, life in alive.items() if at not in pairs]
    for life in ended:
        if (step := steps.get(id(life.entry))) is not None:
            life.steps.append(step)
    for at, entry in enumerate(new.entries):
        if at not in now:
            key = entry_text.key(entry_text.whole(entry))
            now[at] = back.pop(key) if key in back else _Alive(entry, number)
        life = now[at]
        life.entry, life.last = entry, number
        if (step := steps.get(id(entry))) is not None:
            life.steps.append(step)
    return now, ended


def within(past: History, words: str) -> History:
    """Only the lives of the entry with this id, or of those that hold these words."""
    wanted = entry_text.folded(words)
    kept = [life for life in past.lives if life.entry.id == words
            or wanted in entry_text.folded(entry_text.whole(life.entry))
            or wanted in entry_text.folded(life.entry.subject or "")]  # fmt: skip
    return replace(past, lives=tuple(kept))
