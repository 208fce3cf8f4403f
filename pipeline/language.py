"""The language of a document, and where its words are: the only door to langdetect.

The commonest words decide when they can, since they are quick and sure on a page of text; langdetect decides the
rest, seeded and only among the languages that we have words for.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from pipeline.errors import ConfigError

VOCABULARY = Path(__file__).parent / "vocabulary"
SAMPLE = 16_000  # characters that are looked at
PIECES = 8  # in which they are taken
DECISIVE = 1.6  # times more common words than the second language
COMMON_SHARE = 0.12  # of the words: less is no running text of that language
FOREIGN = 0.1  # of the words: where fewer are common ones, the language is one that we have no words for
WORDS_MIN = 30  # words that are enough to say so
FEW = 3  # common words: fewer say nothing
LIKELY = 4  # languages that langdetect is asked about: those that most words speak for; each costs its profile
DEFAULT = "fr"  # where there is nothing to go by
SHARES = 60  # parts of a word: its weight is a whole number however many languages share it
OTHER_CODES = {"nb": "no"}  # what langdetect calls them
ORDERED = ("months", "months_of")

_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"[a-z]{2}")


@cache
def added() -> Path | None:
    """The folder of languages that a person added: vocabulary/, vocabulary/common/, strings/ and names/, as ours are in
    the checkout. RUBRICATOR_LANGUAGES names it ("off": none); None where there is none."""
    named = os.environ.get("RUBRICATOR_LANGUAGES")
    if named and named != "off" and not Path(named).is_dir():
        raise ConfigError("is not a folder", where=named, hint="RUBRICATOR_LANGUAGES must name one")
    folder = Path(named) if named else usual()
    return folder.absolute() if named != "off" and folder.is_dir() else None


def usual() -> Path:
    """Where languages are added if nothing else is said."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return Path(base, "rubricator", "languages")


def codes(kind: str, ours: Path) -> tuple[str, ...]:
    """The languages that have a file of a kind ("vocabulary"), ours and those that were added."""
    theirs = added()
    extra = sorted((theirs / kind).glob("*.toml")) if theirs else []
    for path in extra:
        if not is_code(path.stem):
            raise ConfigError("is not named after a language", where=str(path), hint="by its two letters: cy.toml")
    return tuple(sorted({path.stem for path in (*ours.glob("*.toml"), *extra)}))


def is_code(name: str) -> bool:
    """Whether it is written as the code of a language is: two small letters."""
    return _CODE.fullmatch(name) is not None


def words_file(kind: str, ours: Path, code: str) -> Path:
    """Where the words of a language are: the file that was added, where there is one."""
    theirs = added()
    path = theirs / kind / f"{code}.toml" if theirs else None
    return path if path and path.is_file() else ours / f"{code}.toml"


def load(path: Path) -> dict[str, Any]:
    """What stands in a file of words; a mistake in it is one line with its place."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(str(error), where=str(path)) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """What joining words and telling a language need."""

    words: frozenset[str] = frozenset()
    tails: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    suspended: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()  # words of one letter
    ordinals: frozenset[str] = frozenset()  # behind a number: "22nd"
    by: frozenset[str] = frozenset()  # before the name of who says so
    untitled: frozenset[str] = frozenset()  # what programs call a document that nobody gave a name
    months: tuple[str, ...] = ()  # here, since a date is looked for in all languages, and these files are small
    months_of: tuple[str, ...] = ()  # their other forms, all twelve of each: "marca", "maaliskuun"


@cache
def common(language: str) -> Common:
    """The common words of a language; nothing for one that we have no words for."""
    path = words_file("vocabulary/common", VOCABULARY / "common", language)
    if not path.is_file():
        return Common()
    words = load(path)
    ordered = {name: tuple(words.pop(name, ())) for name in ORDERED}
    try:
        return Common(months=ordered["months"], months_of=ordered["months_of"], **_sets(words))
    except TypeError as error:
        raise ConfigError(str(error), where=str(path)) from error


def _sets(table: dict[str, list[str]]) -> dict[str, Any]:
    return {name: frozenset(words) for name, words in table.items()}


def months(language: str) -> dict[str, int]:
    """The names of the months of a language, in each of their forms."""
    known = common(language)
    return {name: at % 12 + 1 for at, name in enumerate(known.months + known.months_of)}


@cache
def ordinal_endings() -> str:
    """A pattern for what may stand behind a number, in any language: "22nd", "1er", "3º"."""
    endings = {each for name in languages() for each in common(name).ordinals}
    return "(?:" + "|".join(map(re.escape, sorted(endings, key=lambda each: (-len(each), each)))) + ")"


@cache
def languages() -> tuple[str, ...]:
    """Languages that can be told: those with a vocabulary, or with common words while there is none."""
    return codes("vocabulary", VOCABULARY) or codes("vocabulary/common", VOCABULARY / "common")


def detect(text: str) -> str:
    """The language of a text, among those that we have words for."""
    sample, words = _sample(text), _words(text)
    ranked = _weights(words).most_common(LIKELY)
    if not ranked:
        return _langdetect(sample, languages()) or DEFAULT
    best, weight = ranked[0]
    spoken = _known(words, common(best).words)
    decisive = len(ranked) == 1 or weight >= DECISIVE * ranked[1][1]
    if decisive and spoken >= max(FEW, COMMON_SHARE * len(words)):
        return best
    likely = tuple(sorted(name for name, _ in ranked)) if spoken >= FEW else languages()
    return _langdetect(sample, likely) or best


def _known(words: list[str], common_ones: frozenset[str]) -> int:
    return len([word for word in words if word in common_ones])


def _weights(words: list[str]) -> Counter[str]:
    """How much the words speak for each language: one that three languages share counts a third for each."""
    shared = _shared()
    counts: Counter[str] = Counter()
    for word, times in Counter(words).items():
        for name in shared.get(word, ()):
            counts[name] += SHARES * times // len(shared[word])
    return counts


@cache
def _shared() -> dict[str, list[str]]:
    """The commonest words, each with the languages that have it."""
    by_word: dict[str, list[str]] = {}
    for name in languages():
        for word in common(name).words:
            by_word.setdefault(word, []).append(name)
    return by_word


def is_foreign(text: str, language: str) -> bool:
    """Is it written in none of the languages that we have words for, and ``language`` only the nearest of them?"""
    words = _words(text)
    return len(words) >= WORDS_MIN and _known(words, common(language).words) < FOREIGN * len(words)


@lru_cache(maxsize=1)
def _words(text: str) -> list[str]:
    return _WORD.findall(_sample(text).lower())


def _sample(text: str) -> str:
    """Pieces from all over a long text: its title page, or a licence in it, may be in another language."""
    if len(text) <= SAMPLE:
        return text
    size, step = SAMPLE // PIECES, len(text) // PIECES
    starts = [at * step + (step - size) // 2 for at in range(PIECES)]
    return " ".join([text[start : start + size] for start in starts])


@cache
def _factory(among: tuple[str, ...]) -> object:
    from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory

    DetectorFactory.seed = 0
    factory = DetectorFactory()
    profiles = [Path(PROFILES_DIRECTORY) / OTHER_CODES.get(name, name) for name in among]
    factory.load_json_profile([path.read_text(encoding="utf-8") for path in profiles if path.is_file()])
    return factory


def _langdetect(sample: str, among: tuple[str, ...]) -> str | None:
    from langdetect.lang_detect_exception import LangDetectException

    try:
        detector = _factory(among).create()  # type: ignore[attr-defined]
        detector.seed = 0
        detector.append(sample)
        code: str = detector.detect()
    except LangDetectException:
        return None
    code = next((ours for ours, theirs in OTHER_CODES.items() if theirs == code), code)
    return code if code in languages() else None
