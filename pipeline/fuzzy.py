"""How near two texts are, letter by letter or word by word; the only file that knows rapidfuzz."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

Side = Sequence[str]  # a text (its letters are compared), or words


class Stretch(NamedTuple):
    """A stretch that two sides have in common, or that one has instead of the other's."""

    kept: bool
    old_start: int
    old_end: int
    new_start: int
    new_end: int


def similarity(one: Side, other: Side, least: float = 0.0) -> float:
    """0 to 1: what both have in common, in its order; 0 where that is less than ``least``."""
    from rapidfuzz.distance import Indel

    return float(Indel.normalized_similarity(one, other, score_cutoff=least))


def steps(old: Side, new: Side) -> list[Stretch]:
    """The way from old to new with the fewest words taken out and put in."""
    from rapidfuzz.distance import Indel

    opcodes = Indel.opcodes(old, new)
    return [Stretch(s.tag == "equal", s.src_start, s.src_end, s.dest_start, s.dest_end) for s in opcodes]


def substitutions(old: Side, new: Side) -> list[Stretch]:
    """The way from old to new with the fewest words taken out, put in or put for another."""
    from rapidfuzz.distance import Levenshtein

    opcodes = Levenshtein.opcodes(old, new)
    return [Stretch(s.tag == "equal", s.src_start, s.src_end, s.dest_start, s.dest_end) for s in opcodes]


def share_within(inner: Side, within: Side) -> float:
    """How much of some words stands within others, in their order, 0 to 1."""
    from rapidfuzz.distance import LCSseq

    return LCSseq.similarity(inner, within) / len(inner) if inner else 0.0


def is_slip(old: str, new: str) -> bool:
    """One letter more, less, another, or two in the other order."""
    from rapidfuzz.distance import OSA

    return OSA.distance(old, new) == 1


def within_slips(text: str, known: Iterable[str], most: int) -> list[tuple[str, int]]:
    """The two nearest texts that are so many slips of the pen away, at most, and how many; the nearest first."""
    from rapidfuzz import process
    from rapidfuzz.distance import DamerauLevenshtein

    distance: Any = DamerauLevenshtein.distance
    matches = process.extract(text, known, scorer=distance, score_cutoff=most, limit=2)
    return [(each[0], int(each[1])) for each in matches]


def nearest(text: str, known: Sequence[str], least: float, *, parts: bool = False) -> int | None:
    """Which text is most like this one, if one is so by ``least`` of 100; ``parts``: also where one holds the other."""
    from rapidfuzz import fuzz, process

    match = process.extractOne(text, known, scorer=fuzz.WRatio if parts else fuzz.ratio, score_cutoff=least)
    return None if match is None else int(match[2])
