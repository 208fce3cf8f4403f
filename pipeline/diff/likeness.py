"""How alike two texts of a document are: by letters, by words in their order, and by the words that tell them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum, log

from pipeline.diff import parts
from pipeline.records import AnyEntry


class Likeness:
    """Knows how rare each word is among these entries: "may a figure …" is common to most questions and says little."""

    def __init__(self, entries: Iterable[AnyEntry]) -> None:
        texts = Counter(parts.whole(entry) for entry in entries)  # most stand in both releases
        counts: Counter[str] = Counter()
        for text, times in texts.items():
            for word in set(parts.words_of(text)):
                counts[word] += times
        total = texts.total()
        self._weights = {word: log(1 + total / count) for word, count in counts.items()}

    def of(self, old: str, new: str) -> float:
        """0 to 1; half of it by what is said (in any order), half by how."""
        from rapidfuzz.distance import Indel

        if old == new:
            return 1.0
        letters = Indel.normalized_similarity(parts.folded(old), parts.folded(new))
        words = Indel.normalized_similarity(parts.vocables(old), parts.vocables(new))
        return float(letters + words) / 4 + self._said(old, new) / 2

    def _said(self, old: str, new: str) -> float:
        """The weight of the words in common, of all."""
        before, after = set(parts.vocables(old)), set(parts.vocables(new))
        weight = self._weights
        both = fsum(weight[word] for word in before) + fsum(weight[word] for word in after)
        return 2 * fsum(weight[word] for word in before & after) / both if both else 0.0


def held(said: Sequence[str], within: Sequence[str]) -> float:
    """How much of some words stands within others, in their order, 0 to 1."""
    from rapidfuzz.distance import LCSseq

    return LCSseq.similarity(said, within) / len(said) if said else 0.0
