"""Which changes a summary says: numbers that count something, values that became others. No dates, versions, hashes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from pipeline.diff import both, entry_text, row_pairs
from pipeline.diff.verdicts import verdicts
from pipeline.records import Difference, Fate

VALUE = 4  # words of a value: "Match Loss", "once per battle round"
VALUES = 4  # of one entry: with more, it was rewritten

# 2019, 2019-07, 12/07/2019, 1.2.3, v1.2, 3f9a01bc: they say which release, not how many.
_RELEASE = re.compile(
    r"(?:19|20)\d\d(?:[-./]\d\d?){0,2}(?:T[\d:.]+)?|\d\d?[./-]\d\d?[./-]\d{2,4}|\d+(?:\.\d+){2,}\w*|[vV]\.?\d[\w.]*"
    r"|(?=\w*\d)(?=\w*[a-f])[0-9a-f]{6,}"
)


# B5.14.4, Iss01: they name a rule or a release, and count nothing; D6+1 and T4 do.
_NAME = re.compile(r"[^\W\d_]+\d+(?:\.\d+)+|[^\W\d_]{2,}\d+")


def telling(pairs: Iterable[tuple[str, str]], language: str) -> tuple[tuple[str, str], ...]:
    """The changed numbers that say something about the game, each once: "four (4)" is one number."""
    from pipeline.language import ordinal_endings

    words, ordinal = verdicts(language), re.compile(rf"(\d+)(?:{ordinal_endings()}|\.)?")
    kept: dict[tuple[str, ...], tuple[str, str]] = {}
    for old, new in pairs:
        values = tuple(words.numbers.get(entry_text.folded(each)) or ordinal.sub(r"\1", each) for each in (old, new))
        named = any(_NAME.fullmatch(each) for each in (old, new))
        if values[0] != values[1] and not named and not all(_is_release(each, words.months) for each in (old, new)):
            kept.setdefault(values, (old, new))
    return tuple(kept.values())


def _is_release(number: str, months: frozenset[str]) -> bool:
    return bool(_RELEASE.fullmatch(number.strip())) or any(word in months for word in entry_text.vocables(number))


def values(difference: Difference) -> list[tuple[str, str, str]]:
    """(row, old, new) of a cell or a line of few words that became another: "Disqualification" is now "Match Loss"."""
    if (
        difference.change is not Fate.CHANGED
        or difference.spelling_only
        or difference.old is None
        or difference.new is None
    ):
        return []
    if difference.old.kind != difference.new.kind:  # read in another way: nothing stands beside what it was
        return []
    cells = [each for what, before, after in both(difference) if what in (entry_text.ROWS, "body", "text")
             for each in (_cells if what == entry_text.ROWS else _lines)(before, after)]  # fmt: skip
    kept = [each for each in cells if _is_value(each[1]) and _is_value(each[2])]
    return kept if len(kept) <= VALUES else []


def _cells(before: str, after: str) -> list[tuple[str, str, str]]:
    """The cells that are others; none of a table that says which release this is."""
    pairs = [
        (row_pairs.name(now), _cell(old), _cell(new))
        for was, now in row_pairs.rows(before, after) if row_pairs.name(was) == row_pairs.name(now)
        for old, new in row_pairs.cells(was, now) if entry_text.key(old) != entry_text.key(new)
    ]  # fmt: skip
    return [] if any(_RELEASE.fullmatch(old) and _RELEASE.fullmatch(new) for _, old, new in pairs) else pairs


def _cell(text: str) -> str:
    return text.strip().removesuffix(entry_text.CELL.strip()).strip()


def _lines(before: str, after: str) -> Iterable[tuple[str, str, str]]:
    old, new = before.split("\n"), after.split("\n")
    was, now = ([entry_text.key(line) for line in side] for side in (old, new))
    for tag, at, _, to, _ in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag == "replace" and not entry_text.is_listed(old[at]):  # an item in other words is no value
            yield "", old[at].strip(), new[to].strip()


def _is_value(text: str) -> bool:
    words = entry_text.vocables(text)
    return 0 < len(words) <= VALUE and not any(word[:1].isdigit() for word in words) and text[-1:] not in ".:;,?!"
