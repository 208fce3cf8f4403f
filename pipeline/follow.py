"""A new PDF x the books -> of which document it is a release, and under which name it is filed. Nothing is read or
written here.

Content decides: releases of one document share paragraphs, word for word. Name and title only tell what a file that
shares none may be: the same document in another language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import lru_cache

from pipeline.records import AnyEntry, Change, Document, Text
from pipeline.text import file_name, fold

SHARED = 0.2  # of the shorter one's paragraphs word for word in both: they are releases of one document
FEW = 3  # paragraphs: fewer in common may be a note of rights and an address
LONGEST = 60  # letters of a file's name: a version that is a page long is no version
TELLING = 5  # words of a paragraph that does not stand in just any document

_STAMP = re.compile(r"[-_. ]*(?:\(\d+\)|copy|final|[vV]?\d[\d._-]*)$", re.IGNORECASE)  # at the end of a file's name
_PARTING = re.compile(r"([-_.]*)[vV]?(?=\d)")
_WORD = re.compile(r"\w+")
_UNFIT = re.compile(r"[^0-9A-Za-z.]+")  # in a version that becomes part of a file's name


class Relation(StrEnum):
    """How a new file relates to the documents that are known."""

    RELEASE = "release"
    SAME = "same"  # that content is there already
    LANGUAGE = "language"  # the document is there, in another language
    STRANGER = "stranger"  # a release of nothing here


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A document of a book."""

    book: str
    document: Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinship:
    """The relation of a file, and the known document that is nearest to it."""

    relation: Relation
    nearest: Known | None = None


def judge(incoming: Document, known: Sequence[Known]) -> Kinship:
    """How a document relates to those of the books: a release of one, the same, another language, or none of them."""
    for each in known:
        if each.document.sha256 == incoming.sha256:
            return Kinship(relation=Relation.SAME, nearest=each)
    shares = [(_share(incoming, each.document), each) for each in known if each.document.language == incoming.language]
    share, nearest = max(shares, key=lambda pair: pair[0], default=(0.0, None))
    if nearest and share == 1.0 and _imprint(incoming) == _imprint(nearest.document):
        return Kinship(relation=Relation.SAME, nearest=nearest)
    if nearest and share >= SHARED:
        return Kinship(relation=Relation.RELEASE, nearest=nearest)
    foreign = [each for each in known if each.document.language != incoming.language and _is_named(incoming, each)]
    return Kinship(relation=Relation.LANGUAGE, nearest=foreign[0]) if foreign else Kinship(relation=Relation.STRANGER)


def _imprint(document: Document) -> tuple[str | None, str | None]:
    return document.date, document.version


def _share(one: Document, other: Document) -> float:
    """How much of the shorter one is in the other; 1 only where both say the same."""
    first, second = _paragraphs(one), _paragraphs(other)
    if first == second:
        return 1.0 if first else 0.0
    common = len(first & second)
    return min(0.99, common / min(len(first), len(second))) if common >= FEW else 0.0


@lru_cache(maxsize=256)
def _paragraphs(document: Document) -> frozenset[str]:
    words = (_WORD.findall(fold(text)) for entry in document.entries for text in _texts(entry))
    return frozenset("".join(some) for some in words if len(some) >= TELLING)


def _texts(value: AnyEntry | Change) -> Iterator[str]:
    """Every paragraph of an entry, whatever its kind."""
    for each in fields(value):
        field = getattr(value, each.name)
        if each.name not in ("section", "changed_text", "struck", "addresses", "see"):
            yield from _within(field)


def _within(value: object) -> Iterator[str]:
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Change):
        yield from _texts(value)
    elif isinstance(value, tuple):
        for one in value:
            yield from _within(one)


def _is_named(incoming: Document, known: Known) -> bool:
    """Whether a document in another language goes by the name of a known one: its game, or its file."""
    other = known.document
    if incoming.game and other.game and fold(incoming.game) == fold(other.game):
        return True
    first, second = (_bare(document) for document in (incoming, other))
    return len(first & second) >= 2 or (bool(first) and first == second)


def _bare(document: Document) -> frozenset[str]:
    """The words of a file's name without version, date and language."""
    return frozenset(word for word in _WORD.findall(fold(base(document.source)).replace("_", " ")) if len(word) > 2)


# ---------------------------------------------------------------- names


def base(source: str) -> str:
    """The name of a file without its suffix, version and date: "ipg-2019-05-03.pdf" is "ipg"."""
    name = re.sub(r"\.pdf$", "", source, flags=re.IGNORECASE)
    while (cut := _STAMP.sub("", name)) and cut != name:
        name = cut
    return name


def _parting(source: str, *, by_version: bool) -> str:
    """What stands between the name of a file and its version or date, "_v" of "faq_v1.pdf": with the same its releases
    stand in their order in a folder."""
    match = _PARTING.match(source[len(base(source)) :])
    if not match:
        return "-"
    return match[0] if by_version else match[1] or "-"


def filed_as(incoming: Document, family: Sequence[Document], taken: Iterable[str]) -> str:
    """The name of a release among those of its document: theirs, and its date or version; one that is not taken."""
    stem = base(family[-1].source)
    by_version = all(each.version and each.source.endswith(f"{each.version}.pdf") for each in family)
    stamp = incoming.version if by_version and incoming.version else incoming.date or incoming.version
    parting = _parting(family[-1].source, by_version=by_version and bool(incoming.version))
    given = re.sub(r"\.pdf$", "", incoming.source, flags=re.IGNORECASE)
    name = f"{stem}{parting}{_UNFIT.sub('-', stamp).strip('-.')}" if stamp else file_name(given) or stem
    name = name[:LONGEST].lstrip(".-") or "release"
    names = {each.casefold() for each in taken}
    for number in range(1, len(names) + 2):
        candidate = f"{name}.pdf" if number == 1 else f"{name}-{number}.pdf"
        if candidate.casefold() not in names:
            return candidate
    raise AssertionError("there is always another number")
