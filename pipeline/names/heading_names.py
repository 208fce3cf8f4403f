"""Headings, terms, titles and targets of errata -> the names in them, each with the number of its card."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pipeline.names.name_forms import stem, stems_of
from pipeline.vocab import vocabulary

LONGEST = 80  # characters: what is longer is a sentence
MOST = 9  # words

_SIGN = r"(?:#|n\s?[°º]|nos?\.|nr\.?|№)"
NUMBER = re.compile(rf"[(\[]?\s*{_SIGN}\s*(\d+[a-z]?)\s*[)\]]?|\(\s*(\d+)\s*\)", re.IGNORECASE)
SIGNED = re.compile(rf"[(\[]\s*{_SIGN}\s*(\d+[a-z]?)\s*[)\]]", re.IGNORECASE)
_EDGES = " \u00a0:.,;–—-•*/|"
_CUT = re.compile(r"\s*[,;]\s*|\s+[–—-]\s+")
_STROKE = re.compile(r"\s+/\s+|(?<=[)\]])\s*[/,&+]\s*")
_LEVEL = re.compile(r"^(?:[A-Z]|[IVX]{1,5}|\d{1,3})(?:[.-]\w{1,3})*[.)]\s+(?=\w)|^[IVX]{1,5}(?:-\w{1,3})+\.?\s+")
_WORD = re.compile(r"[^\W_]+")


def headed(text: str, language: str) -> Iterator[tuple[str, str]]:
    """The names of a subject or a title, and the number of each: both of "Ebb (#3) / Flow (#4)"."""
    for part in _doubled(text, language):
        number = NUMBER.search(part)
        name = _cleaned(NUMBER.sub(" ", part), language, 2)
        if _is_name(name, language):
            yield name, (number[1] or number[2]) if number else ""


def _doubled(text: str, language: str) -> Iterable[str]:
    joined = "|".join(map(re.escape, vocabulary(language).page.and_))
    apart = re.sub(rf"(?<=[)\]])\s+(?:{joined})\s+", " / ", text, flags=re.IGNORECASE) if joined else text
    return _STROKE.split(" ".join(apart.split()))


def targets(text: str, language: str) -> Iterator[tuple[str, str]]:
    """The names of what an erratum corrects: "Stratagems, Deepest Shadow" has two."""
    whole = " ".join(text.split())
    parts = _CUT.split(whole)
    for part in parts if len(parts) > 1 else [whole]:
        if not is_place(part, language):
            yield from headed(_cleaned(part, language, 1), language)


def is_place(part: str, language: str) -> bool:
    """ "Effect section", "second paragraph": a piece of a text, no name."""
    words = _WORD.findall(part)
    return (
        bool(words)
        and len(words) > 1
        and (stem(words[-1], language),) in stems_of(vocabulary(language).names.places, language)
    )


def _cleaned(text: str, language: str, least: int) -> str:
    """A name without its number in an outline, its cost, and what it is beside it; ``least``: words that stay."""
    name = _LEVEL.sub("", " ".join(text.split()).strip(_EDGES))
    costs = "|".join(map(re.escape, vocabulary(language).names.points))
    name = re.sub(rf"\s+\d+\s?(?:{costs})\b\.?", "", name, flags=re.IGNORECASE) if costs else name
    kinds = stems_of(vocabulary(language).names.kinds, language)
    words = name.split()
    while len(words) > least and (stem(words[-1].strip(_EDGES), language),) in kinds:
        words.pop()
    return " ".join(words).strip(_EDGES)


def _is_name(name: str, language: str) -> bool:
    words = _WORD.findall(name)
    letters = sum(map(str.isalnum, name))
    return (
        letters > 1 and any(map(str.isalpha, name)) and len(name) <= LONGEST and len(words) <= MOST and name[-1:] != "?"
    )
