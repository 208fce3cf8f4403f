"""The words that we print, in the book's language: strings, dates, the order of an index."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.errors import ConfigError
from pipeline.text import fold

FALLBACK = "en"  # the words for a language that has no file

# Letters that a dictionary of the language files as letters of their own, after the plain one.
_OWN_LETTERS: Mapping[str, Mapping[str, str]] = {
    "es": {"ñ": "n￿"},
    "sv": {"å": "z￿a", "ä": "z￿b", "ö": "z￿c"},
    "fi": {"å": "z￿a", "ä": "z￿b", "ö": "z￿c"},
    "da": {"æ": "z￿a", "ø": "z￿b", "å": "z￿c"},
    "nb": {"æ": "z￿a", "ø": "z￿b", "å": "z￿c"},
    "cs": {"č": "c￿", "ch": "h￿", "ř": "r￿", "š": "s￿", "ž": "z￿"},
    "hu": {"ö": "o￿", "ő": "o￿", "ü": "u￿", "ű": "u￿"},
    "ro": {"ă": "a￿", "â": "a￿b", "î": "i￿", "ș": "s￿", "ț": "t￿"},
    "pl": {"ą": "a￿", "ć": "c￿", "ę": "e￿", "ł": "l￿", "ń": "n￿", "ó": "o￿", "ś": "s￿", "ź": "z￿", "ż": "z￿b"},
}
_ARTICLES: Mapping[str, tuple[str, ...]] = {
    "fr": ("le", "la", "les", "l'", "un", "une", "des"), "en": ("the", "a", "an"), "de": ("der", "die", "das"),
    "es": ("el", "la", "los", "las"), "nl": ("de", "het", "een"), "pt": ("o", "a", "os", "as"),
    "it": ("il", "lo", "la", "i", "gli", "le", "l'"),
}  # fmt: skip


def home() -> Path:
    """Where our templates are: beside the package in a checkout, inside it when installed."""
    package = Path(__file__).parent.parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


@cache
def words(language: str | None) -> Mapping[str, Any]:
    """The strings of a language, those of English where it has none."""
    code = (language or FALLBACK).lower()[:2]
    path = home() / "strings" / f"{code}.toml"
    if not path.is_file():
        return words(FALLBACK)
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(str(error), where=str(path)) from error


def spoken(language: str | None) -> str:
    """The language of the words that we print for a book in ``language``."""
    code = (language or FALLBACK).lower()[:2]
    return code if (home() / "strings" / f"{code}.toml").is_file() else FALLBACK


def date(iso: str | None, language: str | None, *, short: bool = False) -> str:
    """ "2019-06" as it is said: "juin 2019"; as exact as it was printed, "" for none."""
    if not iso or not re.fullmatch(r"\d{4}(-\d\d){0,2}", iso):
        return iso or ""
    year, month, day = (*iso.split("-"), "", "")[:3]
    if not month:
        return year
    ours = words(language)["dates"]
    months = ours["short_months" if short else "months"]
    name = months[int(month) - 1] if 1 <= int(month) <= 12 else month
    pattern = ours["day"] if day else ours["month"]
    first = ours.get("first_day", "{day}") if day == "01" else "{day}"
    made: str = pattern.format(day=first.format(day=int(day or 0)), month=name, year=year)
    return made


def alphabetic(text: str, language: str | None) -> tuple[str, str]:
    """The key that sorts as the language's dictionaries do: É with E, ñ after n; articles and marks do not count."""
    code = (language or "").lower()[:2]
    flat = text.strip().lower().replace("’", "'")
    for letter, filed in _OWN_LETTERS.get(code, {}).items():
        flat = flat.replace(letter, filed)
    flat = re.sub(r"^[^\w￿]+", "", fold(flat))
    return re.sub(r"[^\w￿]+", " ", flat), text


def without_article(term: str, language: str | None) -> str:
    """The term without its article: "La Faille" is looked for under F."""
    for article in _ARTICLES.get((language or "")[:2], ()):
        lead = article if article.endswith("'") else article + " "
        if term.lower().replace("’", "'").startswith(lead) and len(term) > len(lead) + 1:
            return term[len(lead) :].lstrip()
    return term
