"""Texts that are alike and not the same: found by an index of rare pairs of words, then measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from pipeline.fuzzy import similarity, steps, substitutions

RARE = 8  # texts: a pair of words in more than this many is a way of speaking; it also keeps the work linear
LEAST = 6  # words: shorter texts are alike by chance
SHARED = 0.2  # of the shorter text's rare pairs that two texts must have in common to be measured
PARTNERS = 3  # that a text is shown with
SHOWN = 3  # differing words that a message names

Keys = tuple[str, ...]


def pairs(texts: Sequence[Keys], least: float) -> list[tuple[int, int, float]]:
    """Numbers of texts that are alike to ``least`` (0 to 1) and not equal, with how much, in order."""
    scored = []
    for one, other in sorted(set(_candidates(texts))):
        if texts[one] != texts[other]:
            alike = similarity(texts[one], texts[other], least)
            if alike >= least:
                scored.append((one, other, alike))
    return _best(scored)


def _best(scored: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """The most alike first, and no text more than a few times: a family of ten would give 45 pairs."""
    times: Counter[int] = Counter()
    kept = []
    for one, other, alike in sorted(scored, key=lambda pair: (-pair[2], pair[0], pair[1])):
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
    parts: list[tuple[list[str], list[str]]] = []
    last = (-1, -1)
    for step in substitutions(one, other):
        if step.kept:
            continue
        if last == (step.old_start, step.new_start):  # goes on where the last one ended: one difference
            parts[-1] = (parts[-1][0] + list(one[step.old_start : step.old_end]),
                         parts[-1][1] + list(other[step.new_start : step.new_end]))  # fmt: skip
        else:
            parts.append((list(one[step.old_start : step.old_end]), list(other[step.new_start : step.new_end])))
        last = (step.old_end, step.new_end)
    shown = "; ".join(f"{_shown(old)} / {_shown(new)}" for old, new in parts[:SHOWN])
    return shown + ("; …" if len(parts) > SHOWN else "")


def only_names(one: Keys, other: Keys) -> bool:
    """Two that differ in names alone are two rules of one pattern: nobody needs to look."""
    for step in steps(one, other):
        changed = one[step.old_start : step.old_end] + other[step.new_start : step.new_end]
        if not step.kept and not all(key.startswith("=") for key in changed):
            return False
    return True


def _shown(words: Sequence[str]) -> str:
    return " ".join(words[:5]) + (" …" if len(words) > 5 else "") if words else "–"
