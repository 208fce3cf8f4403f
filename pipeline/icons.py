"""The names that a book gives to the icons of its sources."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pipeline.records import Document, Span, Text

R = TypeVar("R")


UNNAMED = re.compile(r"\[icon(?: \d+)?\]")


def name_icons(document: Document, names: Mapping[str, str]) -> Document:
    """The document with ``[name]`` instead of ``[icon]`` wherever a glyph has a name. Those that have none are numbered
    where there are several, in the order in which they come: different ones never look the same."""
    nameless = [glyph for glyph in unnamed(document) if glyph not in names]
    numbered = {glyph: f"icon {number}" for number, glyph in enumerate(nameless, start=1) if number > 1}
    told = {**numbered, **names}
    return _rewritten(document, lambda text: _named(text, told)) if told else document


def unnamed(document: Document) -> Counter[str]:
    """The glyphs ("Font:E003") of the document that nobody has named, and how often they stand there."""
    found: Counter[str] = Counter()

    def collect(text: Text) -> Text:
        found.update(span.icon for span in text.spans if span.icon and UNNAMED.fullmatch(span.text))
        return text

    _rewritten(document.entries, collect)
    return found


def _named(text: Text, names: Mapping[str, str]) -> Text:
    if not any(span.icon in names for span in text.spans):
        return text
    return Text(tuple(_with_name(span, names.get(span.icon or "")) for span in text.spans), text.level)


def _with_name(span: Span, name: str | None) -> Span:
    return span if name is None else dataclasses.replace(span, text=f"[{name}]")


def _rewritten(value: R, change: Callable[[Text], Text]) -> R:
    """A record with every text in it changed; the same record where nothing changes."""
    made: Any = value
    if isinstance(value, Text):
        made = change(value)
    elif isinstance(value, tuple):
        parts = [_rewritten(part, change) for part in value]
        made = value if all(new is old for new, old in zip(parts, value, strict=True)) else tuple(parts)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        changed = {name: new for name, old in fields.items() if (new := _rewritten(old, change)) is not old}
        made = dataclasses.replace(value, **changed) if changed else value
    return made  # type: ignore[no-any-return]
