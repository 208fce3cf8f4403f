"""Whether two questions with the same words ask the same, and whether two answers agree."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from pipeline.dedup import wording
from pipeline.dedup.occurrences import Occurrence
from pipeline.records import QA
from pipeline.text import fold

_START = re.compile(r"[.,;:!?…\n–—-]")
_EDGES = " \n«»“”\"'’-–—•"

Likeness = tuple[object, ...]


def likenesses(occurrence: Occurrence) -> Iterable[Likeness]:
    """What two questions must have in common to be compared: their words, in any order.

    A question about "it" has the words of the heading above it, too.
    """
    tongue = occurrence.entry.language
    keys = [key for key in occurrence.head if key not in wording.pointing(tongue)]
    yield tongue, tuple(sorted(keys)), occurrence.asked
    if occurrence.asked and occurrence.context:
        yield tongue, tuple(sorted([*keys, *occurrence.subject])), ()


def ask_the_same(one: Occurrence, other: Occurrence) -> bool:
    """Whether a name stands in the other clause, or in the heading."""
    tongue = one.entry.language
    if one.asked == other.asked:
        pairs = ((one.head, other.head), (other.head, one.head))
        return any(wording.exchanged(before, after, tongue) for before, after in pairs)
    if one.asked and other.asked:
        return False
    under, naming = (one, other) if one.asked else (other, one)
    return wording.names_it(under.head, naming.head, under.subject, tongue)


def agree(one: Occurrence, other: Occurrence) -> bool:
    """The same answer; or both say yes, or no, and one of them no more than that."""
    if one.body == other.body:
        return True
    verdict = _verdict(one)
    return verdict is not None and verdict == _verdict(other) and (is_bare(one) or is_bare(other))


def is_bare(occurrence: Occurrence) -> bool:
    """Whether an answer is a mere yes or no, or repeats the question with it."""
    verdict = _verdict(occurrence)
    if verdict is None:
        return False
    known = _verdict_keys(occurrence.entry.language, verdict) | wording.pointing(occurrence.entry.language)
    return all(key in known or key in occurrence.head for key in occurrence.body)


def _verdict(occurrence: Occurrence) -> str | None:
    """ "yes" or "no", when the answer opens with words for it that stand by themselves."""
    entry = occurrence.entry
    if not isinstance(entry, QA) or not entry.answer:
        return None
    start = fold(_START.split(entry.answer[0].strip(_EDGES), maxsplit=1)[0]).strip()
    verdicts = _verdicts(entry.language)
    return next((verdict for verdict in verdicts if start in verdicts[verdict]), None)


@cache
def _verdicts(name: str) -> dict[str, frozenset[str]]:
    from pipeline.vocab import languages, vocabulary

    if name not in languages():
        return {}
    words = vocabulary(name)
    return {
        "yes": frozenset(map(fold, (*words.answer.yes, *words.verdict.yes))),
        "no": frozenset(map(fold, (*words.answer.no, *words.verdict.no))),
    }


@cache
def _verdict_keys(name: str, verdict: str) -> frozenset[str]:
    """The keys of words that only say the verdict again: "no, it cannot"."""
    from pipeline.vocab import vocabulary

    words = vocabulary(name)
    negations = words.verdict.negations if verdict == "no" else ()
    phrases = (*_verdicts(name)[verdict], *negations, *words.verdict.may, *wording.language(name).auxiliaries)
    return wording.keys_of(phrases, name)
