"""The names that a book gives to the icons of its sources, and the numbers of those that have none."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import is_
from typing import Any, TypeVar

from pipeline.records import Document, Span, Text

R = TypeVar("R")
NAMELESS = re.compile(r"\[icon(?: \d+)?\]")  # and with a number, where there are several


def name_icons(document: Document, names: Mapping[str, str]) -> Document:
    """The document with ``[name]`` instead of ``[icon]`` wherever a glyph has a name."""
    return _rewritten(document, lambda text: _named(text, names)) if names else document


def number_icons(documents: Sequence[Document]) -> list[Document]:
    """The documents with ``[icon 1]``, ``[icon 2]`` for the icons without a name, the same in all of them; ``[icon]``
    where there is only one."""
    glyphs = list(dict.fromkeys(glyph for document in documents if document.icons for glyph in unnamed(document)))
    if not glyphs:
        return list(documents)
    one = len(glyphs) == 1
    names = {glyph: "icon" if one else f"icon {number}" for number, glyph in enumerate(glyphs, 1)}
    return [_rewritten(document, lambda text: _numbered(text, names)) if document.icons else document
            for document in documents]  # fmt: skip


def numbered_alike(old: Document, new: Document) -> tuple[Document, Document]:
    """Two releases with the same numbers for the same icons; with none where they have no icon in common, as where a
    font was made anew."""
    before, after = ({icon.glyph for icon in document.icons} for document in (old, new))
    if not before or not after or before & after:
        first, second = number_icons((old, new))
        return first, second
    plain = dict.fromkeys(before | after, "icon")
    first, second = (_rewritten(each, lambda text: _numbered(text, plain)) for each in (old, new))
    return first, second


def _numbered(text: Text, names: Mapping[str, str]) -> Text:
    if not any(_is_nameless(span) for span in text.spans):
        return text
    spans = (_with_name(span, names.get(span.icon or "")) if _is_nameless(span) else span for span in text.spans)
    return Text(tuple(spans), text.level)


def _is_nameless(span: Span) -> bool:
    return span.icon is not None and NAMELESS.fullmatch(span.text) is not None


def unnamed(document: Document) -> Counter[str]:
    """The glyphs ("Font:E003") of the document that nobody has named, and how often they stand there."""
    counts: Counter[str] = Counter()

    def collect(text: Text) -> Text:
        counts.update(span.icon for span in text.spans if span.icon and _is_nameless(span))
        return text

    _rewritten(document.entries, collect)
    return counts


def _named(text: Text, names: Mapping[str, str]) -> Text:
    if not any(span.icon in names for span in text.spans):
        return text
    return Text(tuple(_with_name(span, names.get(span.icon or "")) for span in text.spans), text.level)


def _with_name(span: Span, name: str | None) -> Span:
    return span if name is None else dataclasses.replace(span, text=f"[{name}]")


def _rewritten(value: R, change: Callable[[Text], Text]) -> R:
    """A record with every text in it changed; the same record where nothing changes."""
    changed: Any = value
    kind = type(value)
    if kind is Text:
        changed = change(value) if "[" in value else value  # type: ignore[arg-type, operator]
    elif kind is tuple:
        parts = [part if type(part) in _PLAIN else _rewritten(part, change) for part in value]  # type: ignore[attr-defined]
        changed = value if all(map(is_, parts, value)) else tuple(parts)  # type: ignore[call-overload]
    elif names := _field_names(kind):  # type: ignore[arg-type]
        values = [getattr(value, name) for name in names]
        parts = [each if type(each) in _PLAIN or not each else _rewritten(each, change) for each in values]
        if not all(map(is_, parts, values)):
            changed = dataclasses.replace(value, **dict(zip(names, parts, strict=True)))  # type: ignore[type-var]
    return changed  # type: ignore[no-any-return]


_PLAIN = frozenset((str, int, float, bool, bytes, type(None)))  # most of what a record holds: no text is in it


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """Of a record; nothing else has any."""
    return tuple(f.name for f in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()
