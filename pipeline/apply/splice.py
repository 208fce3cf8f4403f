"""Other words in a paragraph: cutting, putting in, taking out; the style of the old ones, no double spaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.apply.case import InDoubtError
from pipeline.apply.counted_pieces import CountedPiece, is_item
from pipeline.apply.quote_search import FoundQuote
from pipeline.apply.slots import FEW, Slot, edit_of
from pipeline.records import EMPTY, Edit, Text
from pipeline.text import cut, rich, trim


def changed_often(slot: Slot, quotes: Sequence[FoundQuote], new: tuple[Text, ...]) -> Edit:
    """The same words by others wherever they stand in a paragraph."""
    text = slot.text
    for one in sorted(quotes, key=lambda each: -each.start):
        text = _spliced(text, one.start, one.end, _cased(new[0], one.text) if new else EMPTY)
    return edit_of(slot, (text,))


def _cased(new: Text, old: str) -> Text:
    """With a capital where the old word begins a sentence with one."""
    if old[:1].isupper() and new[:1].islower():
        return rich(replace(new.spans[0], text=new.spans[0].text[:1].upper() + new.spans[0].text[1:]), *new.spans[1:])
    return new


def run_on(new: Sequence[Text]) -> Text:
    """The one paragraph of a new text that goes on in another."""
    if len(new) != 1:
        raise InDoubtError("not-understood")
    return new[0]


def as_items(new: Sequence[Text], beside: Slot) -> tuple[Text, ...]:
    """Items with the point that their neighbours have."""
    point = "• " if beside.text.startswith("• ") else ""
    return tuple(
        rich(point, each, level=beside.text.level) if point and not is_item(_loose(each)) else each for each in new
    )


def _loose(text: Text) -> Slot:
    return Slot(entry=0, field="", at=0, text=text)


def emptied(slot: Slot) -> Edit:
    """A paragraph taken out; of a field that holds one, its words."""
    return edit_of(slot, (EMPTY,)) if slot.field in FEW or slot.is_cell else edit_of(slot, ())


def put_in(chosen: CountedPiece, new: Sequence[Text]) -> tuple[Edit, ...]:
    """Other words, or paragraphs, in the place of a piece; of a list's item the mark stays."""
    slot = chosen.slots[0]
    if chosen.end is not None:
        return (changed(slot, chosen.start, chosen.end, new),)
    if not new:
        return tuple(emptied(each) for each in chosen.slots)
    return (edit_of(slot, as_items(new, slot)),)


def changed(slot: Slot, start: int, end: int, new: Sequence[Text]) -> Edit:
    """Words of a paragraph by others, or by none; all of it by several paragraphs."""
    if len(new) > 1:
        if start or end < len(slot.text.rstrip()) or slot.field in FEW or slot.is_cell:
            raise InDoubtError("not-understood")
        return edit_of(slot, new)
    if not new and start == 0 and end >= len(slot.text.rstrip()):
        return emptied(slot)
    return edit_of(slot, (_spliced(slot.text, start, end, new[0] if new else EMPTY),))


def _spliced(text: Text, start: int, end: int, new: Text) -> Text:
    """``text`` with other words from ``start`` to ``end``, in the style of those; no double space is left."""
    before, gone, after = cut(text, 0, start), cut(text, start, end), cut(text, end)
    if not new:
        if after[:1].isspace() or after[:1] in ",.;:!?)" or not before:
            loose = len(before) - len(before.rstrip()) if after[:1] in ",.;:!?)" or after[:1].isspace() else 0
            before = cut(before, 0, len(before) - loose)
        after = after if before else trim(after)
        return rich(before, after, level=text.level)
    if gone[-1:] in ".!?" and new[-1:] in ".!?" and after[:1] in ".!?":
        after = cut(after, 1)
    return rich(before, _styled(new, gone), after, level=text.level)


def _styled(new: Text, like: Text) -> Text:
    """Words without a style of their own take that of the words they replace."""
    spoken = [span for span in like.spans if span.text.strip() and not span.icon]
    if not spoken or any(span.bold or span.italic for span in new.spans):
        return new
    bold, italic = all(span.bold for span in spoken), all(span.italic for span in spoken)
    return rich(*(replace(span, bold=bold, italic=italic) for span in new.spans))


def inserted(slot: Slot, at: int, new: Text) -> Edit:
    """Words put into a paragraph, with the spaces that they need."""
    before, behind = cut(slot.text, 0, at), cut(slot.text, at)
    left = "" if not before or before[-1:].isspace() else " "
    right = "" if not behind or behind[:1].isspace() or behind[:1] in ",.;:!?)" else " "
    return edit_of(slot, (rich(before, left, new, right, behind, level=slot.text.level),))
