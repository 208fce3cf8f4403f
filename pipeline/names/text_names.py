"""Running text -> the names in it: capitals inside a sentence, quotation marks, numbers of cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.names.heading_names import NUMBER, SIGNED, is_place
from pipeline.names.name_forms import Word, common_stems, joining, stem, stems_of, words
from pipeline.text import is_capitals
from pipeline.vocab import vocabulary

NUMBERED = 5  # words of a name before its number
QUOTED = 5  # words: a longer quotation is a sentence
CAPITALS = 6  # words with a capital in one name
SMALL_RUN = 3  # small words between two capitals: "Vivre par et pour le Code"

_QUOTES = re.compile(r"“([^“”]{2,60})”|«\s*([^«»]{2,60}?)\s*»|„([^„“”]{2,60})[“”]|‘([^‘’]{2,60})’(?!\w)")


@dataclass(frozen=True, slots=True)
class Seen:
    """A name as it stands in a text."""

    text: str
    start: int
    end: int
    sure: bool  # quoted, or with the number of its card
    number: str = ""
    opens: bool = False  # a sentence begins with it


def seen(text: str, text_words: Sequence[Word], language: str) -> Iterator[Seen]:
    """What looks like a name in a text; nothing by capitals where every noun has one, or all are capitals."""
    yield from _quoted(text, language)
    yield from _numbered(text, text_words, language)
    if vocabulary(language).capital_nouns or is_capitals(text):
        return
    at = 0
    while at < len(text_words):
        end = _run(text_words, at, language) if text_words[at].capital else at
        if end > at:
            yield from _named(text, text_words[at:end], language)
        at = max(end, at + 1)


def _run(text_words: Sequence[Word], at: int, language: str) -> int:
    """Where the name that begins here ends: words with a capital, and small ones between two of them."""
    end, capitals = at + 1, 1
    while end < len(text_words) and capitals < CAPITALS:
        step = end
        while (
            step < len(text_words)
            and step - end < SMALL_RUN
            and not text_words[step].apart
            and not text_words[step].capital
        ):
            if text_words[step].stem not in joining(language):
                return end
            step += 1
        if step >= len(text_words) or text_words[step].apart or not text_words[step].capital:
            return end
        end, capitals = step + 1, capitals + 1
    return end


def _named(text: str, run: Sequence[Word], language: str) -> Iterator[Seen]:
    kinds = stems_of(vocabulary(language).names.kinds, language)
    opens = run[0].opens
    while run and (
        run[0].stem in common_stems(language) or (len(run) > 1 and run[1].capital and (run[0].stem,) in kinds)
    ):
        run, opens = run[1:], False
        while run and not run[0].capital:
            run = run[1:]
    idle = common_stems(language)
    while len(run) > 1 and (
        (run[-1].stem,) in kinds or run[-1].stem in idle or len(run[-1].stem) < 2 or not run[-1].capital
    ):
        run = run[:-1]
    if not run or len(text[run[0].start : run[-1].end]) < 3:
        return
    start, end = run[0].start, run[-1].end
    if is_place(text[start:end], language):
        return
    number = NUMBER.match(text, end + 1) if text[end : end + 1] == " " else None
    yield Seen(text[start:end], start, end, number is not None, (number[1] or number[2]) if number else "", opens)


def _numbered(text: str, text_words: Sequence[Word], language: str) -> Iterator[Seen]:
    """What stands before the number of a card, from its capital on: "the Ragged king (#58)"."""
    for match in SIGNED.finditer(text):
        before = [at for at, word in enumerate(text_words) if word.end <= match.start()][-NUMBERED:]
        if not before or text[text_words[before[-1]].end : match.start()].strip():
            continue
        first = next((at for at in reversed(before) if text_words[at].capital), None)
        while (
            first is not None and first > before[0] and _goes_before(text_words[first - 1], text_words[first], language)
        ):
            first -= 1
        if first is not None and not any(text_words[at].apart for at in range(first + 1, before[-1] + 1)):
            start, end = text_words[first].start, text_words[before[-1]].end
            yield Seen(text[start:end], start, end, True, match[1])


def _goes_before(word: Word, following: Word, language: str) -> bool:
    return word.capital and not following.apart and word.stem not in common_stems(language)


def _quoted(text: str, language: str) -> Iterator[Seen]:
    for match in _QUOTES.finditer(text):
        quotation = next(filter(None, match.groups())).strip()
        inside = words(quotation, language)
        if (
            inside
            and len(inside) <= QUOTED
            and inside[0].capital
            and not quotation[-1:].isdigit()
            and quotation[-1:] not in ".,;:"
            and stem(quotation, language)
        ):
            telling = [word for word in inside if word.stem not in common_stems(language)]
            if telling and not inside[0].stem.isdigit():
                start = match.start() + match[0].index(quotation)
                yield Seen(quotation.rstrip(" !?\u00a0"), start, start + len(quotation), True)
