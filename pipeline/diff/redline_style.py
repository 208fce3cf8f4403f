"""The words of a redline as they are printed: bold, italics and icons of the release that each comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pipeline.diff.redline import Word
from pipeline.fields import printed
from pipeline.records import AnyEntry, Table, Text
from pipeline.text import cut, rich, split_lines

SLACK = 20  # letters by which white space may have moved what stayed


def styled(text: str, entries: Iterable[AnyEntry]) -> Text:
    """The text of a part with the style of its paragraphs; one that is all bold says nothing by it."""
    paragraphs = [paragraph for entry in entries for paragraph in _paragraphs(entry)]
    known = {str(line): line for paragraph in paragraphs for line in split_lines(paragraph)}
    text_of = rich(*(piece for line in text.split("\n") for piece in ("\n", known.get(line, line))))
    whole = cut(text_of, 1)  # without the line end before the first
    if all(span.bold for span in whole.spans if span.text.strip() and not span.icon):
        return rich(str(whole)) if not any(span.icon or span.italic for span in whole.spans) else whole
    return whole


def _paragraphs(entry: AnyEntry) -> Iterator[Text]:
    if not isinstance(entry, Table):
        yield from printed(entry)


def dressed(line: Sequence[Word], before: Text, after: Text) -> tuple[Word, ...]:
    """A redline with the style of both texts: what stayed and came as in the new one, what went as it was."""
    words: list[Word] = []
    old = new = 0
    for sign, text in line:
        source, at = (before, str(before).find(text, max(0, old - SLACK))) if sign == "-" else (after, new)
        fits = at >= 0 and str(source)[at : at + len(text)] == text
        words.append((sign, cut(source, at, at + len(text)) if fits and text else text))
        new += len(text) if sign != "-" else 0
        old = at + len(text) if sign == "-" and fits else old + len(text) * (sign == "=")
    return tuple(words)


def shorter(text: str, start: str, between: str, end: str) -> Text:
    """The start and the end of a text with what is set between them; they may have other white space at the cut."""
    whole = text if isinstance(text, Text) else rich(text)
    first, last = len(start.rstrip()), len(end.lstrip())
    return rich(cut(whole, 0, first), start[first:], between, end[: len(end) - last], cut(whole, len(whole) - last))
