"""How alike two texts of a document are: by letters, by words in their order, and by the words that tell them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import fsum, log

from pipeline.diff import entry_text
from pipeline.fuzzy import similarity
from pipeline.records import AnyEntry


class Likeness:
    """Knows how rare each word is among these entries: "may a figure …" is common to most questions and says little."""

    def __init__(self, entries: Iterable[AnyEntry]) -> None:
        texts = Counter(entry_text.whole(entry) for entry in entries)  # most stand in both releases
        counts: Counter[str] = Counter()
        for text, times in texts.items():
            for word in set(entry_text.words_of(text)):
                counts[word] += times
        total = texts.total()
        self._weights = {word: log(1 + total / count) for word, count in counts.items()}

    def of(self, old: str, new: str) -> float:
        """0 to 1; half of it by what is said (in any order), half by how."""
        if old == new:
            return 1.0
        letters = similarity(entry_text.folded(old), entry_text.folded(new))
        words = similarity(entry_text.vocables(old), entry_text.vocables(new))
        return (letters + words) / 4 + self._said(old, new) / 2

    def _said(self, old: str, new: str) -> float:
        """The weight of the words in common, of all."""
        before, after = set(entry_text.vocables(old)), set(entry_text.vocables(new))
        weight = self._weights
        both = fsum(weight[word] for word in before) + fsum(weight[word] for word in after)
        return 2 * fsum(weight[word] for word in before & after) / both if both else 0.0
