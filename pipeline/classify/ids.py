"""Ids: the same while the text is the same, wherever the entry moved and however it was set."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pipeline.records import QA, AnyEntry, Definition, Erratum, Prose, Rule, Table, Text
from pipeline.text import even

LENGTH = 12  # hex digits: among a million entries, a collision is one in five hundred


def words_of(entry: AnyEntry) -> Iterator[Text | str]:
    """Every text of an entry, in reading order."""
    match entry:
        case QA():
            yield from (entry.question, *entry.answer)
        case Erratum():
            yield from (" ".join(map(str, entry.pages)), entry.target)
            for change in entry.changes:
                yield from (change.instruction, change.old or "", *change.new)
        case Definition():
            yield from (entry.term, *entry.aliases, *entry.refs, *entry.body)
        case Rule():
            yield from (entry.number or "", entry.title, *entry.body)
        case Table():
            yield entry.title or ""
            yield from (cell for row in entry.rows for cell in row)
        case Prose():
            yield entry.text


def with_ids(entries: Iterable[AnyEntry]) -> tuple[AnyEntry, ...]:
    """The entries with their ids; identical ones end in -1, -2."""
    listed = list(entries)
    ids = [_fingerprint(entry) for entry in listed]
    count, seen = Counter(ids), Counter[str]()
    made = []
    for entry, name in zip(listed, ids, strict=True):
        seen[name] += 1
        made.append(replace(entry, id=f"{name}-{seen[name]}" if count[name] > 1 else name))
    return tuple(made)


def _fingerprint(entry: AnyEntry) -> str:
    text = "\n".join("".join(even(words).split()) for words in words_of(entry))
    return hashlib.sha256(f"{entry.kind}\n{text}".encode()).hexdigest()[:LENGTH]
