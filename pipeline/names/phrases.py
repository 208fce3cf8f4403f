"""Questions -> the terms of a game that nobody wrote with a capital: words that keep company, and what is asked about.

"Line of sight" is a term where its words stand together again and again and seldom apart; "hull" is one where a
question quotes it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from pipeline.names.name_forms import Word, common_stems, stem, words
from pipeline.vocab import vocabulary

TOGETHER = 3  # questions that hold a phrase: fewer are chance
FAITHFUL = 0.5  # of the places of its rarer word: less often together, and they are two words
LONG = 4  # letters of each of its words
QUOTED = 3  # words that a question quotes: more are a sentence

_QUOTES = re.compile(r"“([^“”]{4,40})”|«\s*([^«»]{4,40}?)\s*»|„([^„“”]{4,40})[“”]|‘([^‘’]{4,40})’(?!\w)")


def phrases(asked: Sequence[tuple[str, list[Word]]], language: str) -> dict[tuple[str, ...], str]:
    """The phrases of questions, by their stems, as they are mostly written."""
    alone: Counter[str] = Counter()
    spelled: dict[tuple[str, ...], Counter[str]] = {}
    counts: Counter[tuple[str, ...]] = Counter()
    for text, text_words in asked:
        alone.update({word.stem for word in text_words})
        pairs = list(_pairs(text_words, language))
        counts.update({tuple(word.stem for word in run) for run in pairs})
        for run in pairs:
            stems = tuple(word.stem for word in run)
            spelled.setdefault(stems, Counter())[text[run[0].start : run[-1].end]] += 1
    spellings = {stems: spelled[stems].most_common(1)[0][0] for stems, count in counts.items()
            if count >= TOGETHER and count >= FAITHFUL * min(alone[stems[0]], alone[stems[-1]])}  # fmt: skip
    return spellings | dict(_quoted((text for text, _ in asked), language))


def _pairs(text_words: Sequence[Word], language: str) -> Iterator[Sequence[Word]]:
    """Two telling words beside each other, or with one small word between."""
    for at, word in enumerate(text_words):
        if not _tells(word, language):
            continue
        for end in (at + 1, at + 2):
            run = text_words[at : end + 1]
            if len(run) <= end - at or any(each.apart for each in run[1:]):
                break
            if end == at + 2 and run[1].stem not in _of(language):
                break
            if _tells(run[-1], language):
                yield run
                break


def _tells(word: Word, language: str) -> bool:
    return len(word.stem) >= LONG and word.stem.isalpha() and word.stem not in _idle(language)


@cache
def _of(language: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in vocabulary(language).names.of)


@cache
def _idle(language: str) -> frozenset[str]:
    return common_stems(language) | {stem(word, language) for word in vocabulary(language).names.idle}


def _quoted(texts: Iterable[str], language: str) -> Iterator[tuple[tuple[str, ...], str]]:
    for text in texts:
        for match in _QUOTES.finditer(text):
            quotation = next(filter(None, match.groups())).strip()
            text_words = words(quotation, language)
            plain = not any(word.stem.isdigit() for word in text_words) and quotation[-1:].isalpha()
            if (
                plain
                and 0 < len(text_words) <= QUOTED
                and text_words[0].stem not in common_stems(language)
                and _any(text_words, language)
            ):
                yield tuple(word.stem for word in text_words), quotation


def _any(text_words: Iterable[Word], language: str) -> bool:
    return any(_tells(word, language) for word in text_words)
