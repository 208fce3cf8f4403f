"""Headings that only say a release: "July 12, 2019", "Version 1.3". Under them a publisher lists what it changed."""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.diff import entry_text

_DAY = re.compile(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})|(\d{1,2})[-./](\d{1,2})[-./](\d{4})")
_VERSION = re.compile(r"v?\.?\s?(\d+(?:\.\d+)+[a-z]?)", re.IGNORECASE)


@lru_cache(maxsize=1 << 12)
def stamp(heading: str, language: str) -> str:
    """The ISO date or the version that a heading says, and says nothing else; "" for any other."""
    bare = heading.strip(" .:()[]–—-")
    if match := _DAY.fullmatch(bare):
        year, month, day = (match[1], match[2], match[3]) if match[1] else (match[6], match[5], match[4])
        return f"{year}-{int(month):02}-{int(day):02}"
    return _written_out(bare, language) or _version(bare, language)


def _written_out(heading: str, language: str) -> str:
    """ "July 12, 2019", "12. Juli 2019", "juin 2019"."""
    from pipeline.language import common, months, ordinal_endings

    known = {entry_text.folded(name): number for name, number in months(language).items()} if language else {}
    words = entry_text.vocables(heading)
    named = [known[word] for word in words if word in known]
    years = [word for word in words if len(word) == 4 and word.isdecimal()]
    rest = [word for word in words if word not in known and word not in years]
    days = [match[1] for word in rest if (match := re.fullmatch(rf"(\d{{1,2}}){ordinal_endings()}?", word))]
    linked = [word for word in rest if word in common(language).words]
    if len(named) != 1 or len(years) != 1 or len(days) > 1 or len(days) + len(linked) != len(rest):
        return ""
    return f"{years[0]}-{named[0]:02}" + (f"-{int(days[0]):02}" if days else "")


def names_version(name: str, language: str) -> bool:
    """Whether a row of a table is called "Version:" and the like."""
    from pipeline.vocab import languages, vocabulary

    known = vocabulary(language).document.version if language in languages() else ()
    return entry_text.vocables(name) in {entry_text.vocables(word) for word in known}


def _version(heading: str, language: str) -> str:
    from pipeline.vocab import languages, vocabulary

    if match := _VERSION.fullmatch(heading):
        return match[1] if heading[0] in "vV" else ""  # "3.2" alone is a number of the document's own
    known = vocabulary(language).document.version if language in languages() else ()
    for word in sorted(known, key=len, reverse=True):
        if heading.lower().startswith(word.lower()):
            match = re.fullmatch(r"\s*(\d[\w.]*)", heading[len(word) :])
            return match[1] if match else ""
    return ""
