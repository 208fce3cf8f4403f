"""Ids: the same while the text is the same, wherever the entry moved and however it was set."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pipeline.fields import Use, texts
from pipeline.records import AnyEntry, Kind, Text
from pipeline.text import unspaced

_ALL = tuple(Use)
LENGTH = 12  # hex digits: among a million entries, a collision is one in five hundred


def words_of(entry: AnyEntry) -> tuple[Text | str, ...]:
    """Every text of an entry, in reading order."""
    return texts(entry, *_ALL)


def ids_of(entries: Sequence[AnyEntry], word_lists: Iterable[tuple[Text | str, ...]]) -> Iterator[str]:
    """The ids of entries, by their kinds and words, in their order; identical ones end in -1, -2."""
    words = unspaced("\1".join(map("\0".join, word_lists))).replace("\0", "\n").split("\1")
    ids = [_fingerprint(entry.kind, text) for entry, text in zip(entries, words, strict=bool(entries))]
    count, seen = Counter(ids), Counter[str]()
    for name in ids:
        seen[name] += 1
        yield f"{name}-{seen[name]}" if count[name] > 1 else name


def _fingerprint(kind: Kind, text: str) -> str:
    return hashlib.sha256(f"{kind}\n{text}".encode()).hexdigest()[:LENGTH]
