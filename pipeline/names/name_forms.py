"""The words of names: where they stand in a text, and what they have in common in all their forms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pipeline.language import common
from pipeline.text import fold
from pipeline.vocab import vocabulary

STEM = 3  # letters that stay at least: "bus" is no plural
WHOLE = 4  # letters: a shorter word has no ending that could go

_WORD = re.compile(r"[^\W_]+")
_OPENS = frozenset('.!?…:•«»“”„‹›"|\n')  # between two words: the second has its capital from here
PARTS = frozenset('.;:!?…,()[]<>«»“”„‹›"|/\n•')  # between two words: they are of two names


@dataclass(frozen=True, slots=True)
class Word:
    """A word in a text."""

    stem: str
    start: int
    end: int
    capital: bool
    opens: bool  # a sentence or a quotation begins with it, so that its capital says nothing
    apart: bool  # what stands before it ends a name


def words(text: str, language: str) -> list[Word]:
    """The words of a text, in order."""
    all_words: list[Word] = []
    at = 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        between = text[at:start]
        opens = not all_words or not _OPENS.isdisjoint(between)
        apart = not all_words or not PARTS.isdisjoint(between) or " - " in between or "–" in between
        capital = match[0][0].isalpha() and not match[0][0].islower()
        all_words.append(Word(stem(match[0], language), start, end, capital, opens, apart))
        at = end
    return all_words


@lru_cache(maxsize=65_536)
def stem(word: str, language: str) -> str:
    """A word without the ending of its form: "Zahnräder" and "Zahnrad" are one; case and accents do not count."""
    flat = fold(word)
    if len(flat) < WHOLE or not flat.isalpha():
        return flat
    for ending, put in _endings(language):
        if flat.endswith(ending) and len(flat) - len(ending) >= STEM:
            return flat[: -len(ending)] + put
    return flat


@cache
def _endings(language: str) -> Sequence[tuple[str, str]]:
    pairs = [fold(each).partition("/") for each in vocabulary(language).names.endings]
    return sorted(((ending, put) for ending, _, put in pairs), key=lambda pair: (-len(pair[0]), pair))


@cache
def small(language: str) -> frozenset[str]:
    """Stems of the words that stand inside names in small letters."""
    return frozenset(stem(word, language) for word in vocabulary(language).names.small)


@cache
def joining(language: str) -> frozenset[str]:
    """Those of them that make no two names one, as "and" would."""
    return small(language) - {stem(word, language) for word in vocabulary(language).page.and_}


@cache
def common_stems(language: str) -> frozenset[str]:
    """Stems of words so common that in small letters they name nothing: "pas" is a measure and a negation."""
    known = vocabulary(language)
    frequent = (
        *common(language).words,
        *known.answer.yes,
        *known.answer.no,
        *known.names.small,
        *known.verdict.negations,
    )
    asked = (word for opener in known.question.openers for word in _WORD.findall(opener))
    return frozenset(stem(word, language) for word in (*frequent, *asked))


@cache
def stems_of(phrases: tuple[str, ...], language: str) -> frozenset[tuple[str, ...]]:
    """Phrases of the vocabulary as stems."""
    return frozenset(tuple(stem(word, language) for word in _WORD.findall(phrase)) for phrase in phrases)


def key(name: str, language: str) -> tuple[str, ...]:
    """What a name is looked up by: the stems of its words, without an article before them."""
    stems = [stem(word, language) for word in _WORD.findall(name)]
    while len(stems) > 1 and stems[0] in small(language):
        stems.pop(0)
    return tuple(stems)


def telling(stems: Sequence[str], language: str) -> list[str]:
    """The words of a key that say something alone."""
    return [each for each in stems if each not in small(language) and each not in common_stems(language)]
