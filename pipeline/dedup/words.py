"""The words of a text as they count for "is it the same ruling": two wordings are one when these are equal.

A threshold cannot tell a misprint from another rule: one letter can be both. So nothing is measured here. Each
word becomes a key that forgets what makes no other rule (capitals, accents inside a word, doubled letters, the ending
of a plural, how a number or "for example" is written) and keeps all else: names letter by letter, numbers with
their sign, the doer apart from the one it is done to. Texts are the same when their keys are, in their order.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

STEM = 4  # letters: a shorter stem says too little, "cas" is in "case" and "casser"
ENDING = 3  # letters: a longer ending makes another word ("seul", "seulement")
PLURAL = {"fr": "sx", "en": "s", "es": "s"}  # what may go from a word that is too short for a stem
SPELLED = 5  # letters: two spellings of one sound ("armour") are looked for in words as long as this
MISPRINT = 8  # letters: in shorter words one letter too many or too few is usually another word
COMMON = 5  # a misprint is believed when the right word is this many times as common, and stands this often
STEMMERS = {"fr": "french", "en": "english", "de": "german", "es": "spanish", "it": "italian"}

_TOKEN = re.compile(r"(?<![\w.])[+\-]?\d+(?:[.,/]\d+)*\+?|[^\W_]+|[<>=≤≥×%]")
_FLAT = str.maketrans(
    {"’": "'", "‘": "'", "´": "'", "`": "'", "−": "-", "–": " - ", "—": " - ", "‐": "-", "‑": "-", "\u00ad": None,
     "œ": "oe", "æ": "ae", "Œ": "OE", "Æ": "AE", "ﬁ": "fi", "ﬂ": "fl", "№": "no"})  # fmt: skip
_DOUBLED = re.compile(r"([^\W\d])\1+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """words.toml of one language, ready to use."""

    dropped: frozenset[str] = frozenset()
    inverted: frozenset[str] = frozenset()
    phrases: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()  # found -> put instead, longest first
    numbers: Mapping[str, str]
    agent: tuple[str, ...] = ()
    patient: tuple[str, ...] = ()
    spelling: tuple[tuple[str, str], ...] = ()
    here: frozenset[str] = frozenset()
    copulas: frozenset[str] = frozenset()
    nouns_capitalised: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it is printed, and what stands before it."""

    text: str
    hyphened: bool = False  # a hyphen stands before it, without a space


@cache
def language(name: str) -> Language:
    """The words of a language; of one that we do not know, none."""
    table = _tables().get(name, {})
    phrases = [(tuple(other.split()), tuple(same[0].split())) for same in table.get("same", ()) for other in same[1:]]
    phrases += [(tuple(formula.split()), ()) for formula in table.get("formulas", ())]
    return Language(
        dropped=_set(table, "dropped"), inverted=_set(table, "inverted"), here=_set(table, "here"),
        copulas=_set(table, "copulas"), nouns_capitalised=table.get("nouns_capitalised", False),
        phrases=tuple(sorted(phrases, key=lambda each: (-len(each[0]), each))),
        numbers={word: str(number) for word, number in table.get("numbers", {}).items()},
        agent=_longest_first(table, "agent"), patient=_longest_first(table, "patient"),
        spelling=tuple((a, b) for a, b in table.get("spelling", ())),
    )  # fmt: skip


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resources.files("pipeline.dedup").joinpath("words.toml").read_text(encoding="utf-8"))


def release_words() -> frozenset[str]:
    """What a title says about the release: "version", the months."""
    return _set(_tables()["release"], "words")


def _set(table: Mapping[str, Any], key: str) -> frozenset[str]:
    return frozenset(str(table.get(key, "")).split())


def _longest_first(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(sorted(_set(table, key), key=lambda ending: (-len(ending), ending)))


# ---------------------------------------------------------------- words


def tokens(text: str) -> list[Token]:
    """The words, numbers and signs of a text, in order; punctuation is not one."""
    flat = unicodedata.normalize("NFC", text.translate(_FLAT))
    return [Token(m.group(), flat[m.start() - 1 : m.start()] == "-" and m.start() > 1) for m in _TOKEN.finditer(flat)]


def small_words(found: Iterable[Token]) -> Counter[str]:
    """How often each word stands there in small letters: what never does is a name."""
    return Counter(token.text for token in found if token.text.islower())


class Keys:
    """Texts -> keys, for the texts of one book: it knows which words are names there, and which are misprints."""

    def __init__(self, small: Mapping[str, Counter[str]]) -> None:
        self._small = small
        self._right = {name: _misprints(counts) for name, counts in small.items()}
        self._known: dict[tuple[str, str], str] = {}

    def of(self, text: str, name: str) -> tuple[str, ...]:
        """The keys of a text in the language ``name``."""
        words = language(name)
        spoken = _spoken(tokens(text), words)
        return tuple(self._key(word, name) for word in spoken if word.lower() not in words.dropped)

    def _key(self, word: str, name: str) -> str:
        known = self._known.get((word, name))
        if known is None:
            known = self._known[word, name] = self._make(word, name)
        return known

    def _make(self, word: str, name: str) -> str:
        lower, words = word.lower(), language(name)
        if not word[0].isalpha():
            return lower
        if self._is_name(word, name):
            return "=" + bare(lower) + _side(lower, words)
        return _stemmed(self._right.get(name, {}).get(lower, lower), name, words)

    def _is_name(self, word: str, name: str) -> bool:
        if language(name).nouns_capitalised or not word[0].isupper():
            return False
        return not self._small.get(name, Counter())[word.lower()]


def _spoken(found: list[Token], words: Language) -> list[str]:
    """Numbers as digits, one phrase for those that say the same, question formulas and their like left out."""
    kept = [token.text for token in found if not (token.hyphened and token.text.lower() in words.inverted)]
    said = _rephrased(kept, words)
    said = [words.numbers.get(word.lower(), word) for word in said]
    return [word for place, word in enumerate(said) if not _is_light(said, place, words)]


def _is_light(said: list[str], place: int, words: Language) -> bool:
    """ "is" before an article: "is a success" says what "succeeds" says."""
    after = said[place + 1].lower() if place + 1 < len(said) else ""
    return said[place].lower() in words.copulas and after in words.dropped and after[:1] in "uaei"


def _rephrased(said: list[str], words: Language) -> list[str]:
    starts = _starts(words)
    made: list[str] = []
    place = 0
    while place < len(said):
        for found, put in starts.get(said[place].lower(), ()):
            if tuple(word.lower() for word in said[place : place + len(found)]) == found:
                made.extend(put)
                place += len(found)
                break
        else:
            made.append(said[place])
            place += 1
    return made


@cache
def _starts_of(
    phrases: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...],
) -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    made: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for found, put in phrases:
        made.setdefault(found[0], []).append((found, put))
    return made


def _starts(words: Language) -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    return _starts_of(words.phrases)


# ---------------------------------------------------------------- keys


def bare(word: str) -> str:
    """Without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word.replace("ß", "ss")) if not unicodedata.combining(c))


def _stemmed(word: str, name: str, words: Language) -> str:
    """The stem and which side of the deed it is on; an accent on the last letter counts ("disparo", "disparó")."""
    side = _side(word, words)
    last = word[-1] if not side and bare(word[-1]) != word[-1] and len(word) > 2 else ""
    return _undoubled(_plain_stem(_spelled(word, words), name), word) + side + last


def _undoubled(stem: str, word: str) -> str:
    """ "combatant" is a misprint of "combattant"; "son" is none of "soon"."""
    return _DOUBLED.sub(r"\1", stem) if len(word) > STEM else stem


def _side(word: str, words: Language) -> str:
    if word.endswith(words.patient) and words.patient:
        return "<"
    return ">" if words.agent and word.endswith(words.agent) else ""


def _spelled(word: str, words: Language) -> str:
    if len(word) >= SPELLED:
        for one, other in words.spelling:
            word = word.replace(one, other)
    return word


@cache
def _plain_stem(word: str, name: str) -> str:
    """The stem of the stem, so that "réussite" and "réussit" meet, but never far from the word itself.

    A stem is marked: "pourra" has the stem "pour", and is not that word.
    """
    stemmer, stem, shortest = _stemmer(name), word, max(STEM, len(word) - ENDING)
    while stemmer is not None and (shorter := stemmer.stemWord(stem)) != stem and len(shorter) >= shortest:
        stem = shorter
    if stem != word:
        return bare(stem) + "~"
    alone = word[:-1] if len(word) >= STEM and word[-1] in PLURAL.get(name, "") else word
    return bare(alone) + ("~" if len(alone) > STEM else "")


@cache
def _stemmer(name: str):  # type: ignore[no-untyped-def]
    import snowballstemmer

    return snowballstemmer.stemmer(STEMMERS[name]) if name in STEMMERS else None


# ---------------------------------------------------------------- misprints


def _misprints(counts: Counter[str]) -> dict[str, str]:
    """Rare words that are a common one with a letter lost, doubled or two letters swapped -> the common one.

    Never a letter replaced by another: that is how one word becomes another ("défense", "dépense")."""
    common = {word for word, count in counts.items() if count >= COMMON and len(word) >= MISPRINT}
    lost = {word[:at] + word[at + 1 :]: word for word in sorted(common) for at in _inner(word)}
    found: dict[str, str] = {}
    for word, count in counts.items():
        if len(word) >= MISPRINT and word not in common:
            right = lost.get(word) or next((each for each in _neighbours(word) if each in common), None)
            if right is not None and counts[right] >= COMMON * count:
                found[word] = right
    return found


def _inner(word: str) -> range:
    """Not the first letters, where prefixes are, nor the last, where endings are."""
    return range(3, len(word) - 3)


def _neighbours(word: str) -> Iterable[str]:
    for at in _inner(word):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
