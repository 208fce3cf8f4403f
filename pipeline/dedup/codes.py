"""Short codes to call a ruling by across the hall ("GEN-412").

No file keeps them. The letters come from the nearest heading, the number from the words of the head (the question,
the term), both as they were when the ruling first came: so an answer that changes, a new release, or another order of
the sources leaves a code alone. Where two would get one number, the one that came first keeps it; a source that is
added later, with a later date, therefore never takes a number away.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.dedup import wording
from pipeline.dedup.occurrences import body, head, name_of
from pipeline.records import AnyEntry
from pipeline.text import fold

NUMBERS = 999  # three digits can be called across a hall
LETTERS = 4  # at most, of a heading with several words; three of a single word
NAMELESS = "R"  # where there is no heading at all
LATEST = "9999"  # an undated source counts as newest


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstEntry:
    """How a ruling first came: its oldest entry and the date of that source."""

    entry: AnyEntry
    date: str | None


def codes(origins: Sequence[FirstEntry], letters: Mapping[str, str]) -> list[str]:
    """A code for each ruling, no two the same."""
    by_heading = {fold(heading): code for heading, code in letters.items()}
    seeds = [_seed(origin.entry) for origin in origins]
    claims = sorted(range(len(origins)), key=lambda n: (origins[n].date or LATEST, seeds[n], origins[n].entry.source))
    taken: dict[str, set[int]] = {}
    assigned = [""] * len(origins)
    for number in claims:
        prefix = _prefix(origins[number].entry, by_heading)
        wanted = _free(int(seeds[number][:12], 16) % NUMBERS + 1, taken.setdefault(prefix, set()))
        taken[prefix].add(wanted)
        assigned[number] = f"{prefix}-{wanted}"
    return assigned


def _seed(entry: AnyEntry) -> str:
    parts = [str(entry.kind), name_of(entry.subject or ""), head(entry) or body(entry)]
    return hashlib.sha256("\n".join(re.sub(r"\W+", " ", fold(part)) for part in parts).encode()).hexdigest()


def _free(wanted: int, taken: set[int]) -> int:
    """The wanted number, or the next free one; above 999 when all are taken."""
    if len(taken) >= NUMBERS:
        return len(taken) + 1
    while wanted in taken:
        wanted = wanted % NUMBERS + 1
    return wanted


def _prefix(entry: AnyEntry, by_heading: Mapping[str, str]) -> str:
    headings = [*((entry.subject,) if entry.subject else ()), *reversed(entry.section)]
    for heading in headings:
        if (given := by_heading.get(fold(heading)) or by_heading.get(fold(name_of(heading)))) is not None:
            return given
    nearest = [*reversed(entry.section), *((name_of(entry.subject),) if entry.subject else ())]
    return next((initials for heading in nearest if (initials := _initials(heading, entry.language))), NAMELESS)


def _initials(heading: str, language: str) -> str:
    dropped = wording.language(language).dropped
    words = [word for _, word in wording.tokens(heading) if word.lower() not in dropped and len(word) > 1]
    plain = [letters for word in words if (letters := re.sub(r"[^A-Z]", "", wording.bare(word).upper()))]
    if len(plain) == 1:
        return plain[0][:3]
    return "".join(word[0] for word in plain)[:LETTERS]
