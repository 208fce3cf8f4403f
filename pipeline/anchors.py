"""Words that name a place: how they are compared, found again, and chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline import fuzzy
from pipeline.text import flat

SHORTEST = 3  # words of an anchor, if the text has as many: fewer are found again by chance
LONGEST = 24  # words of an anchor: more are changed by the next release
REMEMBERED = 1 << 14  # texts whose words are known: each override looks at every block of a document
ALIKE = 60.0  # of 100: below it, the nearest text is no help
SHOWN = 120  # letters of the nearest text

_WORD = re.compile(r"[^\W_]+")
_ANY = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text as they are compared, and where each begins and ends in it."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def find(self, wanted: Words) -> Iterator[int]:
        """The places, counted in words, where these words stand."""
        many, own = len(wanted.words), self.words
        for at in range(len(own) - many + 1) if many else ():
            if own[at] == wanted.words[0] and own[at : at + many] == wanted.words:
                yield at

    def begins(self, wanted: Words) -> bool:
        return self.words[: len(wanted.words)] == wanted.words

    def start(self, at: int, text: str) -> int:
        """The offset of a word in its text; quotes and brackets straight before it belong to it."""
        start = self.spans[at][0]
        while start and not text[start - 1].isspace() and not text[start - 1].isalnum():
            start -= 1
        return start


def words_of(text: str) -> Words:
    """Words in small letters without accents; signs count only where there is nothing else. Words that a typesetter
    put together ("MOVINGThe") are two."""
    return _words_of(str(text))


@lru_cache(maxsize=REMEMBERED)
def _words_of(plain: str) -> Words:
    even = flat(plain)
    word_spans = [each.span() for each in _WORD.finditer(even)] or [each.span() for each in _ANY.finditer(even)]
    spans = [part for start, end in word_spans for part in _parts(plain, start, end)]
    return Words(tuple(even[start:end] for start, end in spans), tuple(spans))


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    word = text[start:end]
    if not (word[1:].islower() or word.islower() or word.isupper()):
        for at in range(1, len(word)):
            small = word[at - 1].islower() and word[at].isupper()
            if small or (word[:at].isupper() and at > 1 and word[at].isupper() and word[at + 1 : at + 2].islower()):
                yield start, start + at
                yield from _parts(text, start + at, end)
                return
    yield start, end


def same_but_figures(words: Words) -> tuple[str, ...]:
    """The words of a running head, in which only the number of the page changes."""
    return tuple(word for word in words.words if not word.isdigit()) or words.words


def places(texts: Sequence[Words], name: str, after: str | None = None) -> list[int]:
    """The texts that ``name`` names: those that it is the whole of, else those that begin with it, else those that
    begin with it behind a number or a letter, as a marker is read here and left out there."""
    wanted = words_of(name)
    if not wanted.words:
        return []
    begin = [at for at, text in enumerate(texts) if text.begins(wanted)]
    starts = [at for at in begin if len(texts[at].words) == len(wanted.words)] or begin
    starts = starts or [at for at, text in enumerate(texts) if _is_marked(text, wanted)]
    if after is None:
        return starts
    before = words_of(after)
    return [at for at in starts if at and texts[at - 1].begins(before)] or (starts if len(starts) == 1 else [])


def _is_marked(text: Words, wanted: Words) -> bool:
    first = text.words[:1]
    marked = bool(first) and (first[0].isdigit() or len(first[0]) == 1)
    return marked and text.words[1 : 1 + len(wanted.words)] == wanted.words


def nearest(texts: Sequence[str], name: str) -> str:
    """The text that is most like ``name`` at its beginning; "" where none is."""
    wanted = flat(name)
    starts = [flat(text)[: len(wanted) + 10] for text in texts]
    place = fuzzy.nearest(wanted, starts, ALIKE)
    if place is None:
        return ""
    text = str(texts[place])
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def shortest(texts: Sequence[str], at: int) -> tuple[str, str | None]:
    """The fewest words that name a text alone, and what stands before it where no words of its own do."""
    known = [words_of(text) for text in texts]
    own, text = known[at], str(texts[at])
    if not own.words:
        return text.strip(), None
    for many in range(min(SHORTEST, len(own.words)), min(LONGEST, len(own.words)) + 1):
        name = _first(text, own, many)
        if places(known, name) == [at]:
            return name, None
    name = _first(text, own, min(LONGEST, len(own.words)))
    if not at:
        return name, None
    above = known[at - 1]
    return name, _first(str(texts[at - 1]), above, min(SHORTEST * 2, len(above.words))) if above.words else None


def first_words(text: str, many: int) -> str:
    """The first words of a text, as printed."""
    own = words_of(text)
    return _first(text, own, min(many, len(own.words))) if own.words else text.strip()


def _first(text: str, words: Words, many: int) -> str:
    end = words.spans[many - 1][1]
    whole = many == len(words.words)
    return " ".join((text.strip() if whole else text[words.spans[0][0] : end]).split())
