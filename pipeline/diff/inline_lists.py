"""Lists inside a sentence, "Banned: a, b, c": what came and what went is said, not the whole list again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pipeline.diff import entry_text
from pipeline.diff.redline import Word

ITEMS = 6  # a shorter list is read at a glance
KEPT = 0.5  # of the longer list that stays: else it is another list

_INTRO = re.compile(r"[^:,]{1,80}:\s+")  # "Banned cards: "
_BETWEEN = re.compile(r"\s*[,;]\s+|\s+•\s+")


def listed(before: str, after: str) -> tuple[Word, ...]:
    """The line that says how a list changed: its name, "+ a, b", "− c"; nothing where these are no two lists."""
    name, came, went = changed(before, after)
    if not came and not went:
        return ()
    words: list[Word] = [("=", f"{name}[…] ")]
    words += [("+", f"+\xa0{', '.join(came)}")] if came else []
    words += [("=", " ")] if came and went else []
    words += [("-", f"−\xa0{', '.join(went)}")] if went else []
    return tuple(words)


def changed(before: str, after: str) -> tuple[str, list[str], list[str]]:
    """(name, what came, what went) of a list; nothing came or went where these are no two lists."""
    (old_name, old), (new_name, new) = _items(before), _items(after)
    if old_name != new_name or min(len(old), len(new)) < ITEMS:
        return "", [], []
    came, went = _without(new, old), _without(old, new)
    longer = max(len(old), len(new))
    return (new_name, came, went) if longer - max(len(came), len(went)) >= KEPT * longer else ("", [], [])


def _items(text: str) -> tuple[str, list[str]]:
    """The name and the items of a list in one line; a sentence with commas is none."""
    intro = _INTRO.match(text)
    if not intro or "\n" in text.strip():
        return "", []
    items = _BETWEEN.split(text[intro.end() :].strip().rstrip("."))
    return intro[0], items if not any(". " in item for item in items) else []


def _without(some: Sequence[str], others: Sequence[str]) -> list[str]:
    left = Counter(entry_text.key(item) for item in others)
    items = []
    for item in some:
        if left[entry_text.key(item)] > 0:
            left[entry_text.key(item)] -= 1
        else:
            items.append(item)
    return items
