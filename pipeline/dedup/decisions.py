"""overrides.toml, replayed: what a person decided about entries, named by their id or by words that only they hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from pipeline.anchors import nearest
from pipeline.config import Correction, Overrides
from pipeline.dedup.occurrences import body, head
from pipeline.fields import common, lines, made
from pipeline.fields import head as head_of
from pipeline.records import (
    AnyEntry,
    Change,
    Document,
    Finding,
    Kind,
    Replay,
    Text,
)
from pipeline.text import cut, flat, fold, rich

LEAST = 6  # letters: fewer name nothing
NAMED = 4  # entries that a message names by their ids; more are counted

Spot = tuple[int, int]  # number of the document, number of the entry in it


class Finder:
    """Names of entries -> where they are; what fits nothing, or several texts, becomes a finding."""

    def __init__(self, documents: Sequence[Document], overrides: Overrides) -> None:
        self._file = overrides.file
        self._entries = {
            (age, position): entry
            for age, document in enumerate(documents)
            for position, entry in enumerate(document.entries)
        }
        self._texts: dict[Spot, str] = {}
        self._found: list[tuple[str, str, frozenset[Spot]]] = []
        self.findings: list[Finding] = []

    def find(self, name: str, what: str) -> frozenset[Spot]:
        """Every place of the entry that ``name`` names: the same text may stand in several releases."""
        spots = self._find(name, what)
        if spots:
            self._found.append((what, name, spots))
        return spots

    def gone(self, past: set[int]) -> None:
        """Report what fits only a release that another has taken the place of."""
        if not past:
            return
        for what, name, spots in self._found:
            if all(age in past for age, _ in spots):
                here = [self._text(spot) for spot in self._entries if spot[0] not in past]
                self.report("override-unmatched", f'{what}: "{name}" fits only an older release{_nearest(here, name)}')

    def _find(self, name: str, what: str) -> frozenset[Spot]:
        named = {spot for spot, entry in self._entries.items() if entry.id == name}
        spots = named or self._by_words(fold(name))
        near = "" if spots else _nearest([self._text(spot) for spot in self._entries], name)
        if not spots and len(fold(name)) < LEAST:
            short = "is too short to name an entry; give more words, or the id"
            self.report("override-unmatched", f'{what}: "{name}" {short}')
        elif not spots:
            self.report("override-unmatched", f'{what}: "{name}" fits no entry any more{near}')
        elif (
            not named
            and len({self._text(spot) for spot in spots}) > 1
            and len({spot[0] for spot in spots}) < len(spots)
        ):
            ids = list(dict.fromkeys(self._entries[spot].id for spot in sorted(spots)))
            several = f"{len(ids)} entries ({', '.join(ids[:NAMED])}{' …' if len(ids) > NAMED else ''})"
            self.report("override-ambiguous", f'{what}: "{name}" fits {several}; give more words, or the id')
            return frozenset()
        return frozenset(spots)

    def _by_words(self, words: str) -> set[Spot]:
        if len(words) < LEAST:
            return set()
        return {spot for spot in self._entries if words in self._text(spot)}

    def _text(self, spot: Spot) -> str:
        if spot not in self._texts:
            entry = self._entries[spot]
            self._texts[spot] = fold(f"{head(entry)} {body(entry)}")
        return self._texts[spot]

    def report(self, code: str, message: str) -> None:
        """What a person decided and nothing came of."""
        self.findings.append(Finding(code=code, message=message, source=self._file))


def _nearest(texts: Sequence[str], name: str) -> str:
    near = nearest(texts, name)
    return f"; the nearest is “{near}”" if near else ""


def replayed(documents: Sequence[Document], past: set[int], file: str) -> list[Finding]:
    """What overrides.toml says about the structure and no document that counts has any more."""
    by_table: dict[tuple[str, str], list[tuple[bool, Replay]]] = {}
    for age, document in enumerate(documents):
        for each in document.replays:
            by_table.setdefault((each.what, each.text), []).append((age in past, each))
    findings = []
    for (what, text), replays in by_table.items():
        here = [each for old, each in replays if not old]
        if any(each.found for each in here):
            continue
        if any(each.ambiguous for each in here):
            message = f'{what}: "{text}" fits several places; give more words'
            findings.append(Finding(code="override-ambiguous", message=message, source=file))
            continue
        near = next((f"; the nearest is “{each.near}”" for each in here if each.near), "")
        where = "fits only an older release" if any(each.found for _, each in replays) else "fits no text any more"
        findings.append(Finding(code="override-unmatched", message=f'{what}: "{text}" {where}{near}', source=file))
    return findings


def corrected(documents: Sequence[Document], overrides: Overrides, finder: Finder) -> dict[Spot, AnyEntry]:
    """The entries that a person corrected, as they are now."""
    entries: dict[Spot, AnyEntry] = {}
    for place, correction in enumerate(overrides.correct, start=1):
        spots = sorted(finder.find(correction.entry, f"correct {place}"))
        before = [entries.get((age, position), documents[age].entries[position]) for age, position in spots]
        after = [correct(entry, correction) for entry in before]
        if correction.find and spots and not any(_reworded(each, correction.find, "") != each for each in before):
            where = f"{before[0].id} ({before[0].source}, page {before[0].page})"
            finder.report("override-unmatched", f'correct {place}: find = "{correction.find}" is not in {where}')
        entries.update(zip(spots, after, strict=True))
    return entries


def correct(entry: AnyEntry, correction: Correction) -> AnyEntry:
    """One entry, corrected: its kind first, then what is in it."""
    if correction.kind is not None and correction.kind != entry.kind:
        entry = _as_kind(entry, Kind(correction.kind))
    if correction.find is not None and correction.put is not None:
        entry = _reworded(entry, correction.find, correction.put)
    known = {f.name for f in fields(entry)}
    given: dict[str, Any] = {}
    for name in ("subject", "question", "term", "title", "text"):
        if (value := getattr(correction, name)) is not None and name in known:
            given[name] = rich(value)
    for name in ("answer", "body"):
        if (value := getattr(correction, name)) is not None and name in known:
            given[name] = tuple(rich(part) for part in value)
    for name in ("section", "number"):
        if (value := getattr(correction, name)) is not None and name in known:
            given[name] = value
    return replace(entry, **given)


def _as_kind(entry: AnyEntry, kind: Kind) -> AnyEntry:
    """The same words as another kind: the first paragraph is its head where it had none."""
    called = head_of(entry)
    body = [line if isinstance(line, Text) else rich(line) for line in lines(entry)]
    if not called and body:
        called, *body = body
    return made(kind, common(entry), called, body)


def _reworded(entry: AnyEntry, find: str, put: str) -> AnyEntry:
    """``find`` replaced in every text of the entry, its style kept."""
    given = {
        f.name: _replaced(getattr(entry, f.name), find, put) for f in fields(entry) if f.name not in ("id", "source")
    }
    return replace(entry, **given)


def _found(text: Text, words: str) -> int:
    """Where words stand first, whatever the spaces, quotes and dashes between their letters. -1: nowhere."""
    for match in re.finditer(re.escape(flat(words)), flat(text)):
        letters = zip(text[match.start() :], words, strict=False)
        if all(one == other for one, other in letters if other.isalnum()):
            return match.start()
    return -1


def _replaced(value: Any, find: str, put: str) -> Any:
    if isinstance(value, Text):
        at = _found(value, find)
        if at < 0:
            return value
        rest = _replaced(cut(value, at + len(find)), find, put)
        return rich(cut(value, 0, at), put, rest, level=value.level)
    if isinstance(value, tuple):
        return tuple(_replaced(each, find, put) for each in value)
    if isinstance(value, Change):
        changed = {f.name: _replaced(getattr(value, f.name), find, put) for f in fields(value)}
        return replace(value, **changed)
    return value
