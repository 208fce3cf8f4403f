"""Text in style: making, cutting, joining, folding. Pure functions; nothing here knows a page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from pipeline.records import Span, Text

# ---------------------------------------------------------------- rich text


def rich(*pieces: str | Span | Text, level: int = 0) -> Text:
    """One text from strings, spans and texts; neighbours in the same style become one span."""
    spans: list[Span] = []
    for piece in pieces:
        if isinstance(piece, Text):
            _extend(spans, piece.spans)
        elif isinstance(piece, Span):
            _extend(spans, (piece,))
        elif piece:
            _extend(spans, (Span(text=piece),))
    return Text(tuple(spans), level)


def _extend(spans: list[Span], more: Iterable[Span]) -> None:
    for span in more:
        if not span.text:
            continue
        if spans and spans[-1].icon is None and replace(spans[-1], text=span.text) == span:
            spans[-1] = replace(spans[-1], text=spans[-1].text + span.text)
        else:
            spans.append(span)


def cut(text: Text, start: int = 0, end: int | None = None) -> Text:
    """``text[start:end]`` with its style."""
    start, end, _ = slice(start, end).indices(len(text))
    spans, at = [], 0
    for span in text.spans:
        low, high = max(start - at, 0), min(end - at, len(span.text))
        if low < high:
            spans.append(span if high - low == len(span.text) else replace(span, text=span.text[low:high]))
        at += len(span.text)
    return Text(tuple(spans), text.level)


def trim(text: Text) -> Text:
    """``text.strip()`` with its style."""
    start = len(text) - len(text.lstrip())
    return cut(text, start, max(start, len(text.rstrip())))


def join(texts: Iterable[Text], between: str = " ") -> Text:
    """``between.join(texts)`` with their styles."""
    pieces: list[str | Span | Text] = []
    for text in texts:
        if pieces:
            pieces.append(between)
        pieces.append(text)
    return rich(*pieces)


# ---------------------------------------------------------------- folding

_ALIKE = str.maketrans(
    {"’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‹": "'", "›": "'",
     "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "…": "...", "\u00ad": None, "œ": "oe", "æ": "ae", "ß": "ss", "ł": "l"}
)  # fmt: skip
_SPACE = re.compile(r"\s+")


def fold(text: str) -> str:
    """For comparing: case, accents, quotes, dashes and white space do not matter; ``œ`` is ``oe``."""
    flat = unicodedata.normalize("NFKD", text.lower().translate(_ALIKE))
    return _SPACE.sub(" ", "".join(c for c in flat if not unicodedata.combining(c))).strip()


def even(text: str) -> str:
    """For telling re-typeset text from changed text: quotes, dashes and white space do not matter; letters do."""
    return _SPACE.sub(" ", unicodedata.normalize("NFC", text).translate(_ALIKE)).strip()


class _Flat(dict[int, str]):
    """One letter for one letter, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        plain = _ALIKE.get(code)
        if not (isinstance(plain, str) and len(plain) == 1):
            plain = unicodedata.normalize("NFKD", letter)[:1] if letter != "…" else letter
        lower = plain.lower()
        self[code] = made = " " if letter.isspace() else lower if len(lower) == 1 else letter
        return made


_FLAT = _Flat()


def flat(text: str) -> str:
    """Like ``fold``, but letter for letter, so that an offset in it is an offset in ``text``."""
    return str(text).translate(_FLAT)
