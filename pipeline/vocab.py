"""Loads vocabulary/*.toml: the words of each language, as phrases. Adding a language is adding a file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from pipeline.errors import ConfigError
from pipeline.language import VOCABULARY, added, common, load, words_file
from pipeline.language import languages as languages  # those that there are words for
from pipeline.text import flat

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """How a question is announced."""

    letters: Words  # "Q": with a stop, colon or bracket after it
    words: Words  # "Question"
    openers: Words  # "puis-je": words that a question begins with
    ends: Words = ("?",)  # what a question ends with


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How an answer is announced, and the two verdicts."""

    letters: Words
    words: Words
    yes: Words
    no: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Errata:
    """The verbs of amendments: at the head of a sentence (replace), or anywhere in it (replaces)."""

    headings: Words
    replace: Words
    insert: Words
    delete: Words
    replaces: Words
    inserts: Words
    deletes: Words
    by: Words  # between the old text and the new
    instead: Words  # between the new text and the old
    announce: Words  # before a colon: the new text follows
    places: Words  # where in a text
    pieces: Words  # of a text: what may be added or taken out of one
    old: Words  # heads of columns: the text as it was
    new: Words  # ... and as it shall be
    turns: Words = ()  # amend with a quotation, a number or a colon straight behind: "passe de 3 à 4"
    swap: Words = ()  # "substitute … for": the new text stands before the link, the old behind it


@dataclass(frozen=True, slots=True, kw_only=True)
class Paging:
    """Words around page numbers."""

    words: Words
    and_: Words
    to: Words
    on: Words  # "and the following"
    behind: Words = ()  # words that stand behind the numbers: "12. oldal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refer:
    """Words of cross-references."""

    see: Words
    parts: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered:
    """Words before the number of a rule, and headings of lists of terms."""

    words: Words
    headings: Words
    abilities: Words  # headings of lists of traits, abilities, special rules: each head under them is a term


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """Words that begin an example or a note: it belongs to what it follows."""

    example: Words
    note: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """Words of a title page."""

    version: Words
    kinds: Words  # what a document may call itself: "FAQ", "errata"
    publisher: Words
    contents: Words
    tables: Words  # before the number of a table, in its title
    figures: Words  # before the number of a picture, in its caption
    subjects: Words  # headings over cards, units or abilities, each with a heading of its own
    introduction: Words  # headings under which there is prose, no rule
    history: Words = ()  # headings under which a document tells its own story
    qualities: Words = ()  # "core", "official": what rules are called beside a game's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Colour:
    """How a document says that changes are printed in a colour, or marked in another way."""

    announce: Words
    change: Words
    names: tuple[tuple[str, Words], ...]
    tags: Words  # "NEW": printed beside what is
    signs: tuple[tuple[str, Words], ...]  # how changes are marked where no colour does it: an underline, a bar


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Words that turn a ruling round."""

    negations: Words
    may: Words
    half: Words = ()  # negations that say no unless ...
    restricts: Words = ()  # ... one of these follows: "ne … que"
    allows: Words = ()  # "possible", "legal"
    yes: Words = ()  # what an answer opens with beside the plain words: "exactly"
    no: Words = ()  # "under no circumstances"
    prefixes: Words = ()  # negations that are written together with their verb
    limits: Words = ()  # "no more than" is no negation
    counted: Words = ()  # negations that are also the name of a thing: "deux pas"
    one: Words = ()  # also an article: a number only where another number came or went
    numbers: Words = ()  # as words, in order from two to twenty; "dois/duas" are forms of one
    tens: Words = ()  # in order from thirty to a hundred
    ordinals: Words = ()  # "first", "once"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """How names change their form, and what stands beside them."""

    endings: Words  # of other forms, to be dropped ("s") or to become another ("ies/y")
    small: Words  # inside a name, in small letters: "of"
    kinds: Words  # what a thing is called beside its name: "Blade Storm stratagem"
    places: Words  # pieces of a text: "effect section" is no name
    heads: Words  # over the lines of a player's list: "sideboard"
    columns: Words  # over the names, where it is a table
    points: Words  # what things cost there: "pts"
    of: Words = ()  # between the two words of a term: "line of sight"
    idle: Words = ()  # words that keep company with any other and make no term: "each", "counts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The words of one language."""

    language: str
    name: str
    question: Question
    answer: Answer
    errata: Errata
    page: Paging
    refer: Refer
    rule: Numbered
    note: Aside
    document: Front
    colour: Colour
    verdict: Verdict
    names: Named
    capital_nouns: bool = False  # every noun is written with a capital: one in a sentence is no name
    examples: tuple[dict[str, Any], ...] = ()


@cache
def vocabulary(language: str) -> Vocabulary:
    """The words of a language; English where there are none."""
    code = language if language in languages() else "en"
    path = words_file("vocabulary", VOCABULARY, code)
    return parse(code, load(path), str(path))


def check_added() -> Words:
    """The languages that a person added, each read once: a mistake in one is told before any PDF is read."""
    theirs = added()
    codes_added = [path.stem for path in sorted((theirs / "vocabulary").glob("*.toml"))] if theirs else []
    return tuple(vocabulary(code).language for code in codes_added if code in languages() and common(code))


def parse(language: str, table: dict[str, Any], where: str = "") -> Vocabulary:
    """A vocabulary from its TOML; a key that is missing, unknown or of the wrong kind is a ConfigError."""
    try:
        return Vocabulary(language=language, **{name: _part(name, value) for name, value in table.items()})
    except (TypeError, AttributeError) as error:
        raise ConfigError(str(error), where=where or f"vocabulary/{language}.toml") from error


_PARTS = {
    "question": Question, "answer": Answer, "errata": Errata, "page": Paging, "refer": Refer, "rule": Numbered,
    "note": Aside, "document": Front, "colour": Colour, "verdict": Verdict,
    "names": Named,
}  # fmt: skip


def _part(name: str, table: Any) -> Any:
    if name == "examples":
        return tuple(table)
    if name not in _PARTS:
        return table
    values = {("and_" if key == "and" else key): _words(value) for key, value in table.items()}
    return _PARTS[name](**values)


def _words(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((key, _words(each)) for key, each in value.items())
    if not all(isinstance(word, str) for word in value):
        raise TypeError(f"{value!r} is not a list of phrases")
    return tuple(value)


# ---------------------------------------------------------------- phrases -> patterns

GAP = 60  # letters that "…" may stand for, within one clause; a quotation counts as one word
BORDER = r"\b"  # of a word


@cache
def alternatives(phrases: Words) -> str:
    """A pattern over flat text (``text.flat``) for any of the phrases, the longest first, at word borders.

    "*" stands for any ending, and before a phrase for any beginning. Phrases stand by their first letter, and those
    that begin at a border after one look at it: searched for one by one they take up to twenty times as long.
    """
    groups: dict[str, list[str]] = {}
    for phrase in map(flat, sorted(phrases, key=len, reverse=True)):
        groups.setdefault(phrase.removeprefix("*")[:1], []).append(_phrase(phrase))
    bound = {first for first, group in groups.items() if all(each.startswith(BORDER) for each in group)}
    apart = [_either(group) for first, group in groups.items() if first not in bound]
    after = [_either([each.removeprefix(BORDER) for each in groups[first]]) for first in groups if first in bound]
    return _either(apart + ([BORDER + _either(after)] if after else []))


def _either(patterns: list[str]) -> str:
    return f"(?:{'|'.join(patterns)})"


def _phrase(phrase: str) -> str:
    start = BORDER if phrase[:1].isalnum() else ""
    phrase = phrase.removeprefix("*")
    gaps = [re.escape(part.strip()).replace(r"\ ", r"\s+").replace(r"\*", r"\w*\b") for part in phrase.split("…")]
    body = rf"\b[^,.;:]{{1,{GAP}}}?".join(gaps)
    end = BORDER if phrase[-1:].isalnum() else ""
    return f"{start}{body}{end}"


@cache
def first_words(phrases: Words) -> Words:
    """The words that phrases begin with, flat: a text that holds none of them holds none of the phrases.

    One that itself begins with another is left out.
    """
    first = dict.fromkeys(re.split(r"[\s…*]", flat(phrase))[0] for phrase in phrases)
    return tuple(word for word in first if not any(word != other and word.startswith(other) for other in first))
