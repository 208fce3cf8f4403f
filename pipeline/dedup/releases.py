"""Which documents are releases of one document, and in which order they came out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from pipeline.config import BookSettings
from pipeline.dedup import wording
from pipeline.dedup.occurrences import Occurrence
from pipeline.records import Document, Finding

SHARED = 0.2  # of the shorter release's entries: with less in common two documents only share a title ("FAQ")
UNDATED = ""  # sorts before every date


def version_key(version: str | None) -> tuple[tuple[int, str], ...]:
    """ "1.10" after "1.9"."""
    return tuple(
        (int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|[a-z]+", (version or "").lower())
    )


def age_key(document: Document) -> tuple[object, ...]:
    """Oldest first; the same order on every machine and for every order of arguments."""
    return (
        document.date or UNDATED,
        version_key(document.version),
        version_key(document.source),
        document.source,
        document.sha256,
    )


def chains(
    documents: Sequence[Document], placed: Sequence[Occurrence], settings: BookSettings
) -> tuple[list[list[int]], list[Finding]]:
    """Groups of documents (numbers, oldest first) that are releases of one; those that stand alone are no group."""
    declared = _told(documents, settings.releases)
    taken = {number for chain in declared for number in chain}
    by_title: dict[tuple[str, ...], list[int]] = {}
    for number, document in enumerate(documents):
        if number not in taken:
            by_title.setdefault(_name(document), []).append(number)
    texts = _texts(placed)
    chain_list, findings = [], []
    for group in by_title.values():
        chain = _alike(group, texts)
        past = [one for place, one in enumerate(chain) if _has_newer(documents[one], chain[place + 1 :], documents)]
        newest = [number for number in chain if number not in past]
        findings += [
            _unclear(documents[one], documents[other])
            for one, other in pairwise(newest)
            if texts.get(one) != texts.get(other)
        ]
        if past:
            chain_list.append([*past, newest[-1]])
    return declared + chain_list, findings


def _told(documents: Sequence[Document], releases: Mapping[str, Sequence[str]]) -> list[list[int]]:
    numbers = {document.source: number for number, document in enumerate(documents)}
    chains = [[numbers[name] for name in names if name in numbers] for names in releases.values()]
    return [chain for chain in chains if len(chain) > 1]


def _name(document: Document) -> tuple[str, ...]:
    """Game, title without version and date, language."""
    title = document.title or document.source.rsplit(".", 1)[0].replace("_", " ")
    words = [wording.bare(word.lower()) for _, word in wording.tokens(title.replace("-", " "))]
    kept = tuple(word for word in words if word not in _release_words() and not re.search(r"\d", word))
    game = wording.bare((document.game or "").lower())
    return document.language or "", game, *(kept or tuple(words))


@cache
def _release_words() -> frozenset[str]:
    return frozenset(wording.bare(word) for word in wording.release_words())


def _texts(placed: Sequence[Occurrence]) -> dict[int, set[tuple[str, ...]]]:
    texts: dict[int, set[tuple[str, ...]]] = {}
    for occurrence in placed:
        texts.setdefault(occurrence.age, set()).add(occurrence.keys)
    return texts


def _alike(group: list[int], texts: Mapping[int, set[tuple[str, ...]]]) -> list[int]:
    """Of documents with one name, those that share entries with their neighbour in time."""
    chain: list[int] = []
    for number in sorted(group):
        if not chain or _share(texts.get(chain[-1], set()), texts.get(number, set())):
            chain.append(number)
    return chain


def _share(one: set[tuple[str, ...]], other: set[tuple[str, ...]]) -> bool:
    return len(one & other) >= SHARED * max(1, min(len(one), len(other)))


def _has_newer(old: Document, later: Sequence[int], documents: Sequence[Document]) -> bool:
    """Whether a date, a version or a number says that one of these came out after it."""
    return any(_is_newer(old, documents[number]) for number in later)


def _is_newer(old: Document, new: Document) -> bool:
    dated = bool(old.date and new.date) and not str(new.date).startswith(str(old.date)) and old.date != new.date
    versioned = bool(old.version and new.version) and version_key(old.version) < version_key(new.version)
    return dated or versioned or _numbered(old.source, new.source) or old.sha256 == new.sha256


def _unclear(one: Document, other: Document) -> Finding:
    """When neither date nor version says which of two is newer, both count."""
    return Finding(
        code="release-order-unknown", source=other.source,
        message=f"{one.source} and {other.source} look like releases of one document, but neither date nor "
        "version says which is newer: both count; say it in book.toml (releases)",
    )  # fmt: skip


def _numbered(old: str, new: str) -> bool:
    """File names that differ in numbers alone ("faq_2.8.2.pdf", "faq_2.8.3.pdf") say the order too."""
    return old != new and re.sub(r"\d+", "", old) == re.sub(r"\d+", "", new)
