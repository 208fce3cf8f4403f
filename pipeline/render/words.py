"""The words that we print, in the book's language: strings, counts, dates, the order of an index."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.language import codes, load, words_file
from pipeline.text import fold, plural

FALLBACK = "en"  # the words for a language that has no file
FIRST = 0xE000  # letters of an alphabet by their rank, after all that is none of them
DIGITS = "0–9"  # what is filed under no letter


def home() -> Path:
    """Where our templates are: beside the package in a checkout, inside it when installed."""
    package = Path(__file__).parent.parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


@cache
def words(language: str | None) -> Mapping[str, Any]:
    """The strings of a language; each that it has not, in English."""
    code = spoken(language)
    strings = _over(_strings(FALLBACK), _strings(code)) if code != FALLBACK else _strings(code)
    strings.setdefault("plural", ["n = 1"])
    strings["changes"].update(plural=strings["plural"], page=strings["page"])  # its words are also given alone
    strings["names"] = _more("names", code)
    return strings


def _strings(code: str) -> dict[str, Any]:
    return load(words_file("strings", home() / "strings", code))


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Tables laid over each other: what stands above counts."""
    both = {name: _over(below[name], value) if isinstance(value, Mapping) and isinstance(below.get(name), Mapping)
            else value for name, value in above.items()}  # fmt: skip
    return {**below, **both}


def _more(folder: str, code: str) -> dict[str, Any]:
    """The words of names and lists; English where a language has none."""
    path = words_file(folder, home() / folder, code)
    return load(path if path.is_file() else home() / folder / f"{FALLBACK}.toml")


def spoken(language: str | None) -> str:
    """The language of the words that we print for a book in ``language``."""
    code = (language or FALLBACK).lower()[:2]
    return code if code in languages() else FALLBACK


@cache
def languages() -> tuple[str, ...]:
    """The languages that we print words of."""
    return codes("strings", home() / "strings")


def counted(number: int, forms: Sequence[str], language: str | None) -> str:
    """ "1 page", "3 pages": as many forms as the language has, and a space that ends no line."""
    return f"{number}\u00a0{plural(number, forms, words(language)['plural'])}"


def counted_things(number: int, forms: Any, language: str | None) -> str:
    """What is counted, in the form that the number asks for: where that stands apart."""
    return counted(number, forms, language).partition("\u00a0")[2]


def date(iso: str | None, language: str | None, *, short: bool = False) -> str:
    """ "2019-06" as it is said: "juin 2019"; as exact as it was printed, "" for none."""
    if not iso or not re.fullmatch(r"\d{4}(-\d\d){0,2}", iso):
        return iso or ""
    year, month, day = (*iso.split("-"), "", "")[:3]
    if not month:
        return year
    ours = words(language)["dates"]
    name = _month(month, ours, short=short, day=bool(day))
    pattern = ours["day"] if day else ours["month"]
    first = ours.get("first_day", "{day}") if day == "01" else "{day}"
    text: str = pattern.format(day=first.format(day=int(day or 0)), month=name, year=year)
    return text


def month(iso: str | None, language: str | None) -> tuple[str, ...]:
    """The month and the year of a day, for where there is room for a word a line."""
    year, name, *_ = *(iso or "").split("-"), ""
    text = _month(name, words(language)["dates"], short=True, day=False) if name else ""
    return tuple(word for word in (text, year) if word)


def _month(number: str, ours: Mapping[str, Any], *, short: bool, day: bool) -> str:
    """The name of a month; after a day it may have another form, and a short one that is no abbreviation has, too."""
    place = int(number) - 1
    if not 0 <= place < 12:
        return number
    name: str = ours["short_months" if short else "months"][place]
    changes = day and "day_months" in ours and not (short and name.endswith("."))
    return str(ours["day_months"][place]) if changes else name


# ---------------------------------------------------------------- the order of an index


@cache
def _alphabet(language: str | None) -> tuple[re.Pattern[str], Mapping[str, int], Sequence[str]]:
    """What finds the next letter of a text, the rank of each, and how each is printed over its lines.

    A dictionary files some letters as one, written with "=" ("ö=ő"), and some pairs as a letter ("ch").
    """
    letters = [entry.split("=") for entry in words(language)["order"]["alphabet"].split()]
    ranks = {letter: rank for rank, alike in enumerate(letters) for letter in alike}
    longest = sorted(ranks, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest))), ranks, [alike[0].capitalize() for alike in letters]


def alphabetic(text: str, language: str | None) -> tuple[str, str]:
    """The key that sorts as the language's dictionaries do: É with E, ñ after n; articles and marks do not count."""
    return re.sub(r"^ +", "", re.sub(r"[^\w\ue000-\uf8ff]+", " ", _ranked(text, language))), text


def _ranked(text: str, language: str | None) -> str:
    """The text with each letter as its rank in the alphabet; one that is not in it counts as the plain letter."""
    finder, ranks, _ = _alphabet(language)
    flat, at, ranked = text.strip().lower(), 0, []
    while at < len(flat):
        match = finder.match(flat, at)
        if match is None:
            plain = fold(flat[at]) or " "
            ranked += [chr(FIRST + ranks[letter]) if letter in ranks else letter for letter in plain]
            at += 1
        else:
            ranked.append(chr(FIRST + ranks[match[0]]))
            at = match.end()
    return "".join(ranked)


def letter(term: str, language: str | None) -> str:
    """The letter over a term in an index."""
    first = alphabetic(term, language)[0][:1]
    if first and ord(first) >= FIRST:
        return _alphabet(language)[2][ord(first) - FIRST]
    return first.upper() if first.isalpha() else DIGITS


def without_article(term: str, language: str | None) -> str:
    """The term without its article: "La Faille" is looked for under F."""
    for article in words(language)["order"]["articles"] if language else ():
        lead = article if article.endswith("’") else article + " "
        if term.lower().replace("'", "’").startswith(lead) and len(term) > len(lead) + 1:
            return term[len(lead) :].lstrip()
    return term
