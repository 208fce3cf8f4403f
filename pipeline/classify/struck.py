"""Words that the publisher struck out are not in force: they stand in no text, but beside their entry."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from typing import Any

from pipeline.records import AnyEntry, Change, Span, Text
from pipeline.text import retext, rich, trim

_BEFORE = re.compile(r"\s+(?=[,.;:!?)\]])|(?<=[(\[])\s+")


def apart(entries: Sequence[AnyEntry]) -> tuple[AnyEntry, ...]:
    """The entries without what is struck out in them, which each keeps as ``struck``. One of which nothing is left goes
    to the entry before it: it is no entry any more, and its lines are accounted for."""
    if not any(span.struck for entry in entries for text in _texts(entry) for span in text.spans):
        return tuple(entries)
    unstruck: list[AnyEntry] = []
    for entry in entries:
        words = tuple(_struck(_texts(entry)))
        left = _without(entry) if words else entry
        if words and unstruck and not any(_texts(left)):
            before = unstruck[-1]
            unstruck[-1] = dataclasses.replace(
                before, struck=(*before.struck, *words), addresses=(*before.addresses, *entry.addresses)
            )
        else:
            unstruck.append(dataclasses.replace(left, struck=words) if words else entry)
    return tuple(unstruck)


def _texts(value: Any) -> Iterable[Text]:
    """Every text in a record, but the old text of an erratum, which its publisher quotes."""
    if isinstance(value, Text):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
    elif dataclasses.is_dataclass(value):
        for each in dataclasses.fields(value):
            if each.name != "old":
                yield from _texts(getattr(value, each.name))


def _struck(texts: Iterable[Text]) -> Iterable[str]:
    for text in texts:
        for span in text.spans:
            if span.struck and span.text.strip():
                yield span.text.strip()


def _without(value: Any) -> Any:
    if isinstance(value, Text):
        return _in_force(value)
    if isinstance(value, tuple):
        parts = tuple(map(_without, value))
        return parts if any(isinstance(part, tuple) for part in parts) else _filled(value, parts)
    if isinstance(value, Change | AnyEntry):
        names = [each.name for each in dataclasses.fields(value) if each.name != "old"]
        return dataclasses.replace(value, **{name: _without(getattr(value, name)) for name in names})
    return value


def _filled(before: tuple[Any, ...], after: tuple[Any, ...]) -> tuple[Any, ...]:
    """Without the paragraphs of which nothing is left."""
    return tuple(new for old, new in zip(before, after, strict=True) if new or not isinstance(old, Text) or not old)


def _in_force(text: Text) -> Text:
    if not any(span.struck for span in text.spans):
        return text
    spans: list[Span] = []
    space = False  # that a struck word had around it: the words beside it stay apart
    for span in text.spans:
        if span.struck:
            space = space or span.text[:1].isspace() or span.text[-1:].isspace()
            continue
        words = span.text.lstrip() if spans and (space or spans[-1].text[-1:].isspace()) else span.text
        if space and spans and not spans[-1].text[-1:].isspace():
            spans[-1] = retext(spans[-1], spans[-1].text + " ")
        spans.append(retext(span, words))
        space = False
    joined = rich(*spans, level=text.level)
    return trim(rich(*(retext(span, _BEFORE.sub("", span.text)) for span in joined.spans), level=text.level))


__all__ = ["apart"]
