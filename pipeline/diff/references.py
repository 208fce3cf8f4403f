"""References in a text, to rules and to pages: they follow when rules are counted and pages are set anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from pipeline.diff import entry_text
from pipeline.records import AnyEntry

_MANY = re.compile(r"[^\W_]+[.-][^\W_]")  # "3.2", "V-A-1": no number of points or dice


def renumbering(pairs: Iterable[tuple[AnyEntry, AnyEntry]]) -> dict[str, str]:
    """Old -> new number of every rule that has another one."""
    both = ((entry_text.number(old), entry_text.number(new)) for old, new in pairs)
    return {was: now for was, now in both if was and now and was != now}


def followed(text: str, entry: AnyEntry, numbers: Mapping[str, str]) -> str:
    """The text with the references to rules that have another number now."""
    named = {number for number in numbers if number in entry.see or _MANY.match(number)}
    if not any(number in text for number in named):
        return text
    known = "|".join(re.escape(number) for number in sorted(named, key=len, reverse=True))
    return re.sub(rf"(?<![\w.-])(?:{known})(?![\w-]|\.\w)", lambda match: numbers[match[0]], text)


def unpaged(text: str, language: str) -> str:
    """The text without the numbers after "page" and its like."""
    pattern = _paged(language)
    return text if pattern is None else pattern.sub(r"\1 #", text)


@cache
def _paged(language: str) -> re.Pattern[str] | None:
    from pipeline.vocab import languages, vocabulary

    if language not in languages():
        return None
    page_words = vocabulary(language).page
    words = "|".join(sorted((re.escape(word.rstrip(".")) for word in page_words.words), key=len, reverse=True))
    links = "|".join(re.escape(word) for word in (*page_words.and_, *page_words.to))
    return re.compile(rf"(?i)\b({words})\.?\s*\d+(?:\s*(?:[,–-]|\b(?:{links})\b)\s*\d+)*")
