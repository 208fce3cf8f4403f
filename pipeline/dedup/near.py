"""Texts that are alike and not the same: found by an index of rare pairs of words, then measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

RARE = 8  # texts: a pair of words in more than this many is a way of speaking; it also keeps the work linear
LEAST = 6  # words: shorter texts are alike by chance
SHARED = 0.2  # of the shorter text's rare pairs that two texts must have in common to be measured
PARTNERS = 3  # that a text is shown with
SHOWN = 3  # differing words that a message names

Keys = tuple[str, ...]


def pairs(texts: Sequence[Keys], least: float) -> list[tuple[int, int, float]]:
    """Numbers of texts that are alike to ``least`` (0 to 1) and not equal, with how much, in order."""
    from rapidfuzz.distance import Indel

    found = []
    for one, other in sorted(set(_candidates(texts))):
        if texts[one] != texts[other]:
            alike = Indel.normalized_similarity(texts[one], texts[other], score_cutoff=least)
            if alike >= least:
                found.append((one, other, alike))
    return _best(found)


def _best(found: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """The most alike first, and no text more than a few times: a family of ten would give 45 pairs."""
    times: Counter[int] = Counter()
    kept = []
    for one, other, alike in sorted(found, key=lambda pair: (-pair[2], pair[0], pair[1])):
        if times[one] < PARTNERS and times[other] < PARTNERS:
            times.update((one, other))
            kept.append((one, other, alike))
    return sorted(kept)


def _candidates(texts: Sequence[Keys]) -> Iterator[tuple[int, int]]:
    """Pairs of texts that share enough rare pairs of neighbouring words, or stand beside each other in order."""
    yield from _beside(texts)
    holds = [_couples(text) if len(text) >= LEAST else set() for text in texts]
    places: dict[tuple[str, str], list[int]] = {}
    for number, couples in enumerate(holds):
        for couple in couples:
            places.setdefault(couple, []).append(number)
    rare = [numbers for numbers in places.values() if 1 < len(numbers) <= RARE]
    shared = Counter(pair for numbers in rare for pair in combinations(numbers, 2))
    common = {couple for couple, numbers in places.items() if len(numbers) > RARE}
    telling = [len(couples) - len(couples & common) for couples in holds]
    for (one, other), count in shared.items():
        if count >= SHARED * min(telling[one], telling[other]):
            yield one, other


def _beside(texts: Sequence[Keys]) -> Iterator[tuple[int, int]]:
    """Neighbours in the order of their words, read from either end: in a large family no pair of words is rare."""
    long = [number for number, text in enumerate(texts) if len(text) >= LEAST]
    for key in (lambda number: texts[number], lambda number: texts[number][::-1]):
        order = sorted(long, key=key)
        yield from ((one, other) if one < other else (other, one) for one, other in pairwise(order))


def _couples(text: Keys) -> set[tuple[str, str]]:
    return set(pairwise(text))


def difference(one: Sequence[str], other: Sequence[str]) -> str:
    """The first words that differ, for a message: "12 / 18"."""
    from rapidfuzz.distance import Levenshtein

    parts: list[tuple[list[str], list[str]]] = []
    last = (-1, -1)
    for step in Levenshtein.opcodes(one, other):
        if step.tag == "equal":
            continue
        if last == (step.src_start, step.dest_start):  # goes on where the last one ended: one difference
            parts[-1] = (parts[-1][0] + list(one[step.src_start : step.src_end]),
                         parts[-1][1] + list(other[step.dest_start : step.dest_end]))  # fmt: skip
        else:
            parts.append((list(one[step.src_start : step.src_end]), list(other[step.dest_start : step.dest_end])))
        last = (step.src_end, step.dest_end)
    shown = "; ".join(f"{_shown(old)} / {_shown(new)}" for old, new in parts[:SHOWN])
    return shown + ("; …" if len(parts) > SHOWN else "")


def only_names(one: Keys, other: Keys) -> bool:
    """Two that differ in names alone are two rules of one pattern: nobody needs to look."""
    from rapidfuzz.distance import Indel

    for step in Indel.opcodes(one, other):
        changed = one[step.src_start : step.src_end] + other[step.dest_start : step.dest_end]
        if step.tag != "equal" and not all(key.startswith("=") for key in changed):
            return False
    return True


def _shown(words: Sequence[str]) -> str:
    return " ".join(words[:5]) + (" …" if len(words) > 5 else "") if words else "–"
