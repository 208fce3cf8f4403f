"""Ids: the same while the text is the same, wherever the entry moved and however it was set."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pipeline.records import QA, AnyEntry, Definition, Erratum, Kind, Prose, Rule, Table, Text
from pipeline.text import unspaced

LENGTH = 12  # hex digits: among a million entries, a collision is one in five hundred


def words_of(entry: AnyEntry) -> tuple[Text | str, ...]:
    """Every text of an entry, in reading order."""
    match entry:
        case QA():
            return entry.question, *entry.answer
        case Erratum():
            told = (text for each in entry.changes for text in (each.instruction, each.old or "", *each.new))
            return " ".join(map(str, entry.pages)), entry.target, *told
        case Definition():
            return entry.term, *entry.aliases, *entry.refs, *entry.body
        case Rule():
            return entry.number or "", entry.title, *entry.body
        case Table():
            return entry.title or "", *(cell for row in entry.rows for cell in row)
        case Prose():
            return (entry.text,)


def ids_of(entries: Sequence[AnyEntry], told: Iterable[tuple[Text | str, ...]]) -> Iterator[str]:
    """The ids of entries, by their kinds and words, in their order; identical ones end in -1, -2."""
    texts = unspaced("\1".join(map("\0".join, told))).replace("\0", "\n").split("\1")
    ids = [_fingerprint(entry.kind, text) for entry, text in zip(entries, texts, strict=bool(entries))]
    count, seen = Counter(ids), Counter[str]()
    for name in ids:
        seen[name] += 1
        yield f"{name}-{seen[name]}" if count[name] > 1 else name


def _fingerprint(kind: Kind, text: str) -> str:
    return hashlib.sha256(f"{kind}\n{text}".encode()).hexdigest()[:LENGTH]
