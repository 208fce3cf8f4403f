"""The words of a text as they count for "is it the same ruling": two wordings are one when these are equal.

A threshold cannot tell a misprint from another rule: one letter can be both. So nothing is measured here. Each
word becomes a key that forgets what makes no other rule (capitals, accents inside a word, doubled letters, the ending
of a plural, how a number or "for example" is written) and keeps all else: names letter by letter, numbers with
their sign, the doer apart from the one it is done to. Texts are the same when their keys are, in their order.
"""

from __future__ import annotations

import re
import threading
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

STEM = 4  # letters: a shorter stem says too little, "cas" is in "case" and "casser"
ENDING = 3  # letters: a longer ending makes another word ("seul", "seulement")
PLURAL = {"fr": "s", "en": "s", "es": "s", "pt": "s"}  # what may go from a word that is too short for a stem
SPELLED = 5  # letters: two spellings of one sound ("armour") are looked for in words as long as this
CLAUSE = 2  # words: fewer after a comma are no clause
PRELUDE = 8  # words: more before a colon are no mere announcement of a question
OWN = "own"  # what belongs to the player that a question is asked for, in every language
NAMED = 4  # words: a longer name is not put in the place of a pronoun
MISPRINT = 8  # letters: in shorter words one letter too many or too few is usually another word
STEMMERS = {"fr": "french", "en": "english", "de": "german", "es": "spanish", "it": "italian",
            "pt": "portuguese", "nl": "dutch", "sv": "swedish"}  # fmt: skip

_TOKEN = re.compile(r"((?<=\w)-)?((?<![\w.])[+\-]?\d+(?:[.,/]\d+)*\+?|[^\W_]+|[<>=≤≥×%])")
_FLAT = str.maketrans(
    {"’": "'", "‘": "'", "´": "'", "`": "'", "−": "-", "–": " - ", "—": " - ", "‐": "-", "‑": "-", "\u00ad": None,
     "œ": "oe", "æ": "ae", "Œ": "OE", "Æ": "AE", "№": "no", "ß": "ss",
     "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl"})  # fmt: skip
_SENTENCE = re.compile(r"(?<=[!?])\s+|(?<=\.)\s+(?=[^\W\d_a-zß-ÿ])")  # "e.g. so" goes on
_DIGIT = re.compile(r"[+\-]?\d")
_FIRST = re.compile(r"[^\w]*(\w+)")
_DOUBLED = re.compile(r"([^\W\d])\1+")


Phrase = tuple[tuple[str, ...], tuple[str, ...]]  # what is found, what is put instead


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """wording.toml of one language, ready to use."""

    dropped: frozenset[str] = frozenset()
    inverted: frozenset[str] = frozenset()
    inverting: frozenset[str] = frozenset()
    phrases: Mapping[str, list[Phrase]]  # by their first word, the longest first
    numbers: Mapping[str, str]
    agent: tuple[str, ...] = ()
    patient: tuple[str, ...] = ()
    spelling: tuple[tuple[str, str], ...] = ()
    conditions: frozenset[str] = frozenset()
    modals: frozenset[str] = frozenset()
    here: frozenset[str] = frozenset()
    copulas: frozenset[str] = frozenset()
    polite: frozenset[str] = frozenset()  # first words of formulas
    auxiliaries: frozenset[str] = frozenset()
    players: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = ()  # who, and the words for what is theirs
    announce: frozenset[str] = frozenset()
    then: frozenset[str] = frozenset()
    pronouns: frozenset[str] = frozenset()
    infinitives: tuple[str, ...] = ()
    plurals: tuple[tuple[str, str], ...] = ()
    nouns_capitalised: bool = False


Token = tuple[str, str]  # the hyphen that ties it to the word before, or nothing; the word as it is printed


@cache
def language(name: str) -> Language:
    """The words of a language; of one that we do not know, none."""
    table = _tables().get(name, {})
    phrases = [(tuple(other.split()), tuple(same[0].split())) for same in table.get("same", ()) for other in same]
    formulas = [tuple(formula.split()) for formula in table.get("formulas", ())]
    phrases += [(formula, ()) for formula in formulas]
    return Language(
        dropped=_set(table, "dropped"), inverted=_set(table, "inverted"), inverting=_set(table, "inverting"),
        here=_set(table, "here"), conditions=_set(table, "conditions"), modals=_set(table, "modals"),
        copulas=_set(table, "copulas"), nouns_capitalised=table.get("nouns_capitalised", False),
        polite=frozenset(formula[0] for formula in formulas), announce=_set(table, "announce"),
        then=_set(table, "then"), auxiliaries=_set(table, "auxiliaries"), pronouns=_set(table, "pronouns"),
        infinitives=_longest_first(table, "infinitives"),
        players=tuple((tuple(who.split()), frozenset(theirs.split())) for who, theirs in table.get("players", ())),
        phrases=_by_first_word(sorted(phrases, key=lambda each: (-len(each[0]), each))),
        numbers={word: str(number) for word, number in table.get("numbers", {}).items()},
        agent=_longest_first(table, "agent"), patient=_longest_first(table, "patient"),
        spelling=tuple((a, b) for a, b in table.get("spelling", ())),
        plurals=tuple((a, b) for a, b in table.get("plurals", ())),
    )  # fmt: skip


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resources.files("pipeline.dedup").joinpath("wording.toml").read_text(encoding="utf-8"))


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
    return _TOKEN.findall(unicodedata.normalize("NFC", text.translate(_FLAT)))


def asked(text: str, name: str) -> str:
    """A question in one order: "if it sinks, do I lose my lamps?" asks what "do I lose my lamps if it sinks?" asks."""
    words = language(name)
    sentences = _SENTENCE.split(_without_prelude(text, words))
    asking = [sentence for sentence in sentences if len(sentences) == 1 or not _is_polite(sentence, words)]
    return " ".join(_in_order(sentence, words) for sentence in asking)


def _is_polite(sentence: str, words: Language) -> bool:
    """ "Hello everybody!" beside the question."""
    words_of = tokens(sentence)
    return "?" not in sentence and 0 < len(words_of) <= PRELUDE and words_of[0][1].lower() in words.polite


def _without_prelude(text: str, words: Language) -> str:
    """Without "hello all, a quick question:"."""
    prelude, colon, rest = text.partition(":")
    spoken = prelude.split() if colon else []
    if not 0 < len(spoken) <= PRELUDE or len(rest.split()) <= CLAUSE:
        return text
    return rest.strip() if any(word.lower().strip(",.!") in words.announce for word in spoken) else text


def _in_order(sentence: str, words: Language) -> str:
    first = _FIRST.match(sentence)
    clause, comma, rest = sentence.partition(",")
    if first and comma and first[1].lower() in words.conditions and len(rest.split()) >= CLAUSE:
        return f"{_modal_first(_without_then(rest, words), words).rstrip('?!. ')} {clause.strip()}"
    return _modal_first(sentence, words) if "?" in sentence else sentence


def _without_then(clause: str, words: Language) -> str:
    spoken = clause.split()
    at = next((at for at, word in enumerate(spoken) if word.lower() in words.then), None)
    return " ".join(spoken if at is None else [*spoken[:at], *spoken[at + 1 :]])


def _modal_first(sentence: str, words: Language) -> str:
    if not words.modals:
        return sentence
    spoken = sentence.split()
    at = next((at for at, word in enumerate(spoken) if word.lower().strip("¿?,") in words.modals), 0)
    return " ".join([spoken[at], *spoken[:at], *spoken[at + 1 :]])


def impersonal(tokens_of: list[Token], name: str) -> list[Token]:
    """A question for any player, whoever asks it: "can I play my card" and "can a player play their card"."""
    words = language(name)
    lower = [word.lower() for _, word in tokens_of]
    for who, theirs in words.players:
        if (at := _asked_for(who, lower, words.auxiliaries)) is not None:
            out = () if who[0] in words.auxiliaries else range(at, at + len(who))
            left = [word for n, word in enumerate(tokens_of) if n not in out]
            return [("", OWN) if word.lower() in theirs and not hyphen else (hyphen, word) for hyphen, word in left]
    return tokens_of


def _asked_for(who: tuple[str, ...], lower: list[str], auxiliaries: frozenset[str]) -> int | None:
    """Where these words stand beside a verb that goes with them, or are one."""
    for at in range(len(lower) - len(who) + 1):
        if tuple(lower[at : at + len(who)]) == who:
            beside = {*lower[max(at - 1, 0) : at], *lower[at + len(who) : at + len(who) + 1], who[0]}
            if not beside.isdisjoint(auxiliaries):
                return at
    return None


def small_words(tokens_of: Iterable[Token]) -> Counter[str]:
    """How often each word stands there in small letters: what never does is a name."""
    return Counter([word for _, word in tokens_of if word.islower()])


class Keys:
    """Texts -> keys, for the texts of one book: it knows which words are names there, and which are misprints."""

    def __init__(self, small: Mapping[str, Counter[str]]) -> None:
        self._small = small
        self._right = {name: _misprints(counts) for name, counts in small.items()}
        self._known: dict[tuple[str, str], str] = {}

    def of(self, tokens_of: Sequence[Token], name: str) -> tuple[str, ...]:
        """The keys of a text in the language ``name``."""
        words = language(name)
        spoken = _spoken(tokens_of, words)
        return tuple([self._key(word, name) for word in spoken if word.lower() not in words.dropped])

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
        return _stemmed(self._of_one(self._right.get(name, {}).get(lower, lower), name), name, words)

    def _of_one(self, word: str, name: str) -> str:
        """What several do as what one does, where the book has both: "bloquent" as "bloque"."""
        for several, one in language(name).plurals:
            single = word.removesuffix(several) + one
            if word.endswith(several) and len(single) > STEM and self._small[name][single]:
                return single
        return word

    def _is_name(self, word: str, name: str) -> bool:
        if language(name).nouns_capitalised or not word[0].isupper() or word.lower() in _common(name):
            return False
        return not self._small.get(name, Counter())[word.lower()]


@cache
def _common(name: str) -> frozenset[str]:
    """Words that are no names though they open a sentence with a capital letter."""
    from pipeline.language import common
    from pipeline.vocab import languages, vocabulary

    words = language(name)
    openers = vocabulary(name).question.openers if name in languages() else ()
    ours = words.dropped | words.here | words.pronouns | words.auxiliaries | words.conditions | words.numbers.keys()
    return frozenset([*common(name).words, *openers, *ours])


def _spoken(tokens_of: Sequence[Token], words: Language) -> list[str]:
    """Numbers as digits, one phrase for those that say the same, question formulas and their like left out."""
    spoken = [word for _, word in tokens_of]
    small = {word.lower() for word in spoken}
    if not words.inverted.isdisjoint(small):
        spoken = [word for place, (_, word) in enumerate(tokens_of) if not _is_inverted(tokens_of, place, words)]
    if not words.phrases.keys().isdisjoint(small):
        spoken = _rephrased(spoken, words)
    spoken = [words.numbers.get(word.lower(), word) for word in spoken]
    if "1" in spoken:
        spoken = [word for place, word in enumerate(spoken) if word != "1" or not _is_article(spoken, place, words)]
    if words.copulas.isdisjoint(spoken):
        return spoken
    return [word for place, word in enumerate(spoken) if not _is_light(spoken, place, words)]


def _is_inverted(tokens_of: Sequence[Token], place: int, words: Language) -> bool:
    hyphen, word = tokens_of[place]
    if word.lower() not in words.inverted or place == 0:
        return False
    return bool(hyphen) or tokens_of[place - 1][1].lower() in words.inverting


def _is_light(spoken: list[str], place: int, words: Language) -> bool:
    """ "is" before an article: "is a success" says what "succeeds" says; but not where it opens a question."""
    after = spoken[place + 1].lower() if place + 1 < len(spoken) else ""
    return place > 0 and spoken[place].lower() in words.copulas and after in words.dropped and after[:1] in "uaei"


def _is_article(spoken: list[str], place: int, words: Language) -> bool:
    """ "1 space" says what "a space" says; "on a 1 it fails" does not."""
    after = spoken[place + 1] if place + 1 < len(spoken) else ""
    small = words.dropped | words.pronouns | words.auxiliaries | words.conditions | words.copulas | words.here
    return after.isalpha() and after.islower() and after not in small


def _rephrased(spoken: list[str], words: Language) -> list[str]:
    rephrased: list[str] = []
    place = 0
    while place < len(spoken):
        for phrase, put in words.phrases.get(spoken[place].lower(), ()):
            if tuple(word.lower() for word in spoken[place : place + len(phrase)]) == phrase:
                rephrased.extend(put)
                place += len(phrase)
                break
        else:
            rephrased.append(spoken[place])
            place += 1
    return rephrased


def _by_first_word(phrases: Iterable[Phrase]) -> dict[str, list[Phrase]]:
    by_first: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        by_first.setdefault(phrase[0][0], []).append(phrase)
    return by_first


def skeleton(keys: Sequence[str], name: str) -> tuple[str, ...]:
    """The keys without numbers and negations: two rulings that differ in nothing else contradict each other."""
    return tuple(key for key in keys if key not in _aside(name) and not _DIGIT.match(key))


@cache
def _aside(name: str) -> frozenset[str]:
    from pipeline.vocab import vocabulary

    verdict = vocabulary(name).verdict
    return keys_of((*verdict.negations, *verdict.one), name)


def keys_of(phrases: Iterable[str], name: str) -> frozenset[str]:
    """The keys of the words of some phrases, none of which is a name."""
    spoken = (word for phrase in phrases for word in _spoken(tokens(phrase), language(name)))
    return frozenset(_stemmed(word.lower(), name, language(name)) for word in spoken)


# ---------------------------------------------------------------- keys


@lru_cache(maxsize=100_000)
def bare(word: str) -> str:
    """Without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word.replace("ß", "ss")) if not unicodedata.combining(c))


def _stemmed(word: str, name: str, words: Language) -> str:
    """The stem and which side of the deed it is on; an accent on the last letter counts ("disparo", "disparó")."""
    spelled = _spelled(word, words)
    side = _side(spelled, words)
    ending = max((len(end) for end in (*words.agent, *words.patient) if spelled.endswith(end)), default=0)
    last = "'" if not side and bare(word[-1]) != word[-1] and len(word) > 2 else ""
    return _undoubled(_plain_stem(spelled, name, max(ENDING, ending)), word) + side + last + _dots(spelled, words)


def _dots(word: str, words: Language) -> str:
    """ "würde", also written "wuerde", is not "wurde", though the stem is one."""
    return "".join(to for one, to in words.spelling if not one.isascii() and to in word)


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
def _plain_stem(word: str, name: str, ending: int) -> str:
    """The stem of the stem, so that "réussite" and "réussit" meet, but never far from the word itself.

    A stem is marked: "pourra" has the stem "pour", and is not that word.
    """
    stemmer, stem, shortest = _stemmer(name), word, max(STEM, len(word) - ending)
    while stemmer is not None and (shorter := stemmer.stemWord(stem)) != stem and len(shorter) >= shortest:
        stem = shorter
    if stem != word:
        return bare(stem) + "~"
    alone = word[:-1] if len(word) >= STEM and word[-1] in PLURAL.get(name, "") else word
    return bare(alone) + ("~" if len(alone) > STEM else "")


class _Stemmers(threading.local):
    """A stemmer keeps the word that it is at: each thread has its own."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}


_stemmers = _Stemmers()


def _stemmer(name: str) -> Any:
    import snowballstemmer

    if name not in _stemmers.known:
        _stemmers.known[name] = snowballstemmer.stemmer(STEMMERS[name]) if name in STEMMERS else None
    return _stemmers.known[name]


# ---------------------------------------------------------------- the same question


def is_nameless(tokens_of: Sequence[Token], name: str) -> bool:
    """ "¿Puede usar ...?": nobody is named as the one who does it."""
    words = language(name)
    first_two = [word.lower() for _, word in tokens_of[:2]]
    if len(first_two) < 2 or not words.infinitives:
        return False
    return first_two[0] in words.modals and first_two[1].endswith(words.infinitives)


@cache
def _conditions(name: str) -> frozenset[str]:
    return keys_of(language(name).conditions, name)


@cache
def pronouns(name: str) -> frozenset[str]:
    """The keys of words that occurrence for a name."""
    return keys_of(language(name).pronouns, name)


@cache
def pointing(name: str) -> frozenset[str]:
    """The keys of words that occurrence for the heading above."""
    return pronouns(name) | keys_of(language(name).here, name)


def exchanged(one: Sequence[str], other: Sequence[str], name: str) -> bool:
    """Whether the name that opens the condition of ``one`` stands in the question of ``other``, and a pronoun where it
    is not: "if a ferry sinks, is it lost" and "is a ferry lost if it sinks"."""
    opening, small = _conditions(name), pronouns(name)
    before, after = (["*" if key in small else key for key in keys] for keys in (one, other))
    for start in [at + 1 for at, key in enumerate(before) if key in opening]:
        for end in range(start + 1, min(start + NAMED, len(before)) + 1):
            if after in _with_name(before, start, end, name):
                return True
    return False


def _with_name(keys: list[str], start: int, end: int, name: str) -> list[list[str]]:
    """The ways to ask with the keys from ``start`` to ``end`` in the main clause: for its pronoun, or at its start with
    a pronoun left behind. Some languages need none."""
    named = keys[start:end]
    if any(key == "*" or key in _aside(name) or _DIGIT.match(key) for key in named):
        return []
    main, rest = keys[: start - 1], [keys[start - 1], "*", *keys[end:]]
    variants = [[*main[:gap], *named, *main[gap + 1 :], *rest] for gap, key in enumerate(main) if key == "*"]
    variants += [[*main[:at], *named, *main[at:], *rest] for at in (0, 1)]
    if language(name).infinitives:
        variants.append([*named, *main, keys[start - 1], *keys[end:]])
    return variants


def names_it(one: Sequence[str], other: Sequence[str], subject: Sequence[str], name: str) -> bool:
    """Whether ``one``, which stands under ``subject``, asks what ``other`` asks, which names it."""
    bare_one = [key for key in one if key not in pointing(name)]
    size = len(subject)
    return any(
        list(other[at : at + size]) == list(subject)
        and [key for key in (*other[:at], *other[at + size :]) if key not in pointing(name)] == bare_one
        for at in range(len(other) - size + 1)
    )


# ---------------------------------------------------------------- misprints


def _misprints(counts: Counter[str]) -> dict[str, str]:
    """Words that are another, more common one with a letter lost or added or two letters swapped -> that one.

    Never a letter replaced by another: that is how one word becomes another ("défense", "dépense"). Of 2,700 long words
    in real documents three pairs are both right ("atteindre", "attendre"), and all else must be equal to count.
    """
    lost: dict[str, list[str]] = {}
    for word in counts:
        if len(word) > MISPRINT:
            for at in _inner(word):
                lost.setdefault(word[:at] + word[at + 1 :], []).append(word)
    better: dict[str, str] = {}
    for word, count in counts.items():
        if len(word) >= MISPRINT:
            near = [each for each in (*lost.get(word, ()), *_neighbours(word)) if len(each) >= MISPRINT]
            best = max(((counts[each], each) for each in near if each in counts), default=(0, ""))
            if best > (count, word):
                better[word] = best[1]
    return {word: _followed(right, better) for word, right in better.items()}


def _followed(word: str, better: Mapping[str, str]) -> str:
    """Each step leads to a more common word: it ends."""
    while word in better:
        word = better[word]
    return word


def _inner(word: str) -> range:
    """Not the first letters, where prefixes are, nor the last, where endings are."""
    return range(3, len(word) - 3)


def _neighbours(word: str) -> Iterable[str]:
    for at in _inner(word):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
