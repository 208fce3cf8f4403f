"""Whether a ruling says the contrary of what it said: yes became no, may became may not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pipeline.diff.entry_text import folded, vocables
from pipeline.fuzzy import similarity, steps

if TYPE_CHECKING:
    from pipeline.vocab import Verdict

SAME_SENTENCE = 0.75  # of its words, negations aside: it says the same of the same
MANY_SENTENCES = 12  # in a text that was rewritten further than that, no sentence is its own negation
AROUND = 3  # words on each side of a negation: what it negates
STAYED = 0.6  # of them, at least: "not developed before" and "unexplored" are no contraries, and share half of them
STEM = 4  # letters of a word that are compared: "counts" and "does not count"

_SENTENCE = re.compile(r"(?<=[.!?…:;])\s+|\n+")

Phrase = tuple[str, ...]


class Verdicts(NamedTuple):
    """The words of a language that say yes, no, and turn a sentence round."""

    yes: frozenset[Phrase] = frozenset()
    no: frozenset[Phrase] = frozenset()
    negations: frozenset[str] = frozenset()
    half: frozenset[str] = frozenset()  # no negation where one that restricts is near
    restricts: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()
    limits: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    counted: frozenset[str] = frozenset()
    months: frozenset[str] = frozenset()
    one: frozenset[str] = frozenset()
    numbers: Mapping[str, str] = MappingProxyType({})  # two, three, first, once ... as words -> their digits, if any


NONE = Verdicts()


@cache
def verdicts(language: str | None) -> Verdicts:
    """From the language's vocabulary; nothing for a language that has none."""
    from pipeline.language import months
    from pipeline.vocab import languages, vocabulary

    if not language or language not in languages():
        return NONE
    words = vocabulary(language)
    answer, verdict = words.answer, words.verdict
    return Verdicts(
        yes=_phrases((*answer.yes, *verdict.yes)), no=_phrases((*answer.no, *verdict.no)),
        negations=_last_words(verdict.negations), half=_last_words(verdict.half),
        restricts=_last_words(verdict.restricts), may=_last_words((*verdict.may, *verdict.allows)),
        limits=tuple(" ".join(vocables(phrase)) for phrase in verdict.limits),
        prefixes=tuple(folded(prefix) for prefix in verdict.prefixes),
        counted=_last_words(verdict.counted), months=_last_words(tuple(months(language))), one=_last_words(verdict.one),
        numbers=MappingProxyType(_counted(verdict)),
    )  # fmt: skip


def _phrases(phrases: Sequence[str]) -> frozenset[Phrase]:
    return frozenset(vocables(phrase) for phrase in phrases)


def _last_words(phrases: Sequence[str]) -> frozenset[str]:
    return frozenset(word for phrase in phrases for word in vocables(_apart(phrase))[-1:])


def _counted(verdict: Verdict) -> dict[str, str]:
    """The number words of a language with their digits; an ordinal has none of its own."""
    counted = {folded(word): "" for word in verdict.ordinals}
    valued = (*enumerate(verdict.numbers, start=2), *zip(range(30, 110, 10), verdict.tens, strict=False))
    return counted | {folded(word): str(value) for value, words in valued for word in words.split("/")}


# ---------------------------------------------------------------- yes and no


def flipped(old: str, new: str, words: Verdicts) -> bool:
    """Yes became no, or one sentence its own negation: "Yes, if it is lit", "Yes, if it is not lit"."""
    was, now = opening(old, words), opening(new, words)
    if was and now and was != now:
        return True
    if bool(was) != bool(now):
        answers = was or now, _implied(new if was else old, words)
        if answers[1]:
            return answers[0] != answers[1]
    return negated(old, new, words)


def opening(text: str, words: Verdicts) -> str | None:
    """ "yes" or "no" when the text opens with words for it that stand by themselves."""
    start = re.split(r"[.,;:!?…\n–—-]", text.strip(" \n«»“”\"'’-–—•"), maxsplit=1)[0]
    spoken = vocables(start)
    if spoken in words.yes:
        return "yes"
    return "no" if spoken in words.no else None


def _implied(text: str, words: Verdicts) -> str | None:
    """What the first sentence says to "may I?" without a yes or a no: "You cannot." """
    first = next(iter(_sentences(text, words)), ())
    if _turned(first, words):
        return "no"
    return "yes" if any(word in words.may for word in first) else None


# ---------------------------------------------------------------- negation


def negated(old: str, new: str, words: Verdicts) -> bool:
    """Whether a sentence became its own negation."""
    if not words.negations:
        return False
    before, after = _sentences(old, words), _sentences(new, words)
    gone = [s for s in before if s not in after]
    come = [s for s in after if s not in before]
    if max(len(gone), len(come)) > MANY_SENTENCES:
        return False
    return any(_opposed(a, b, words) for a in gone for b in come)


def _sentences(text: str, words: Verdicts) -> list[Phrase]:
    """Each sentence as its folded words, elisions apart, without what only looks like a negation."""
    sentences = []
    for part in _SENTENCE.split(text):
        sentence = f" {' '.join(vocables(_apart(part)))} "
        for limit in words.limits:
            sentence = sentence.replace(f" {limit} ", " ")
        if sentence.strip():
            sentences.append(tuple(sentence.split()))
    return sentences


def _apart(sentence: str) -> str:
    """ "can't" and "cannot" as their negation beside their verb, for every language that writes them together."""
    whole = re.sub(r"(?i)\bcan(?:not|['’]t)\b", "can not", sentence)
    return re.sub(r"(?i)(\w)n['’]t\b", r"\1 not", whole)


def _turned(sentence: Phrase, words: Verdicts) -> bool:
    """Whether a sentence says no; what is counted is no negation ("deux pas")."""
    negations = {word for word in sentence if word in words.negations}
    if not words.counted.isdisjoint(negations):
        pairs = zip(("", *sentence), sentence, strict=False)
        negations -= words.counted
        negations |= {word for before, word in pairs if word in words.counted and not _counts(before, words)}
    return bool(negations - words.half) or (bool(negations) and words.restricts.isdisjoint(sentence))


def _counts(word: str, words: Verdicts) -> bool:
    return word.isdigit() or bool(words.numbers.get(word)) or word in words.one


def _parted(sentence: Phrase, other: Phrase, words: Verdicts) -> Phrase:
    """ "neplatí" as "ne platí" where the other sentence has "platí": beside it, it is a negation."""
    parts: list[str] = []
    for word in sentence:
        prefix = next((each for each in words.prefixes if word.startswith(each) and word[len(each) :] in other), "")
        parts += [prefix, word[len(prefix) :]] if prefix else [word]
    return tuple(parts)


def _opposed(old: Phrase, new: Phrase, words: Verdicts) -> bool:
    old, new = _parted(old, new, words), _parted(new, old, words)
    if _turned(old, words) == _turned(new, words):
        return False
    aside = words.negations | words.may
    bare = [tuple(word[:STEM] for word in side if word not in aside) for side in (old, new)]
    if bare[0] == bare[1]:
        return True
    if min(map(len, bare)) <= 1 or similarity(bare[0], bare[1]) < SAME_SENTENCE:
        return False
    turned, other = (old, bare[1]) if _turned(old, words) else (new, bare[0])
    return _negates_the_same(turned, other, aside, words)


def _negates_the_same(turned: Phrase, other: Phrase, aside: frozenset[str], words: Verdicts) -> bool:
    """Whether what stands around a negation stayed: it is said of the same, not of words that went with it."""
    bare = [word[:STEM] for word in turned if word not in aside]
    stayed = {at for kept, i, k, _, _ in steps(bare, other) if kept for at in range(i, k)}
    for place, word in enumerate(turned):
        if word in words.negations:
            at = sum(before not in aside for before in turned[:place])
            near = range(max(0, at - AROUND), min(len(bare), at + AROUND))
            if sum(each in stayed for each in near) >= STAYED * len(near):
                return True
    return False
