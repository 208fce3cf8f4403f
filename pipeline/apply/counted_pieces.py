"""Pieces of a passage that an instruction counts: paragraphs, items of a list, steps, sentences, words.

Where a count can be taken in two ways and they do not agree, nothing is chosen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.apply.instructions import Piece
from pipeline.apply.passages import lead
from pipeline.apply.slots import Slot
from pipeline.text import BULLETS

HEADING = 6  # words
_ITEM = re.compile(rf"^\s*(?:[{BULLETS}→*–-]\s+|\(?(\d{{1,2}}|[a-z])[.)]\s+)")
_LOOSE = re.compile(r"(?<=[.!?…])[»”\"’)\]]*\s+")
_CAPITAL = r"(?=[«“„\"‘(]*[^\W\d_a-zà-ÿ])"
_STRICT = re.compile(rf"(?<=[^\W\d_]{{3}}[.!?…])[»”\"’)\]]*\s+{_CAPITAL}|(?<=[\d%”\"»)][.!?])\s+{_CAPITAL}")
_ENDED = re.compile(r"[.!?:;…][»”\"’)\]\s]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedPiece:
    """Paragraphs, or words within one."""

    slots: tuple[Slot, ...]
    start: int = 0
    end: int | None = None  # of the only slot; None: whole paragraphs


class CannotCountError(Exception):
    """The piece is not there, or there is more than one way to count; the word says which."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def choose(pieces: Sequence[Piece], slots: Sequence[Slot]) -> CountedPiece:
    """What "the last sentence of the second paragraph" is, the larger piece first."""
    candidates = tuple(slots)
    if not candidates:
        raise CannotCountError("empty")
    coarse = [piece for piece in pieces if piece.kind in ("paragraph", "item", "step")]
    fine = [piece for piece in pieces if piece.kind in ("sentence", "word")]
    if len(coarse) > 1 or len({piece.kind for piece in fine}) < len(fine):
        raise CannotCountError("not-understood")
    if coarse:
        candidates = _counted(coarse[0], candidates)
    if not fine:
        return CountedPiece(slots=candidates)
    sentence = next((piece for piece in fine if piece.kind == "sentence"), None)
    word = next((piece for piece in fine if piece.kind == "word"), None)
    if not coarse and is_item(candidates[0]):
        raise CannotCountError("which-one")  # the first sentence of a list need not be its first item
    chosen = _sentence(sentence, candidates) if sentence else _all_of(candidates[0])
    return _words(word, chosen) if word else chosen


def _all_of(slot: Slot) -> CountedPiece:
    return CountedPiece(slots=(slot,), start=_behind_lead(slot), end=len(slot.text))


def is_item(slot: Slot) -> bool:
    return _ITEM.match(slot.text) is not None


def heading_like(slot: Slot) -> bool:
    """A few words without a stop: a heading that was not told from the text, so that another rule may begin there."""
    stripped = slot.text.strip()
    return (
        not is_item(slot)
        and 0 < len(stripped.split()) <= HEADING
        and stripped[:1].isupper()
        and stripped[-1:].isalnum()
    )


# ---------------------------------------------------------------- paragraphs


def _counted(piece: Piece, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    if piece.count > 1:
        raise CannotCountError("not-understood")
    if piece.kind == "paragraph":
        return (_paragraph(piece, slots),)
    return (_item(piece, slots),)


def _paragraph(piece: Piece, slots: tuple[Slot, ...]) -> Slot:
    if piece.ordinal == 0:
        if len(slots) == 1:
            return slots[0]
        raise CannotCountError("which-one")
    plain = [slot for slot in slots if not is_item(slot)]
    both = _nth(plain, piece.ordinal), _nth(slots, piece.ordinal)
    if both[0] is None and both[1] is None:
        raise CannotCountError("no-such-piece")
    if both[0] is not both[1] or both[0] is None:
        raise CannotCountError("which-one")
    if not sound(slots, piece.ordinal):
        raise CannotCountError("broken-paragraphs")
    return both[0]


def _item(piece: Piece, slots: tuple[Slot, ...]) -> Slot:
    items = [slot for slot in slots if is_item(slot)]
    if not items:
        raise CannotCountError("no-such-piece")
    if not _one_list(items, slots):
        raise CannotCountError("which-one")
    printed = [slot for slot in items if (match := _ITEM.match(slot.text)) and match[1] == str(piece.ordinal)]
    chosen = _nth(items, piece.ordinal) if piece.ordinal else items[0] if len(items) == 1 else None
    if printed and (len(printed) > 1 or printed[0] is not chosen):
        raise CannotCountError("which-one")
    if chosen is None:
        raise CannotCountError("no-such-piece")
    return chosen


def _one_list(items: Sequence[Slot], slots: Sequence[Slot]) -> bool:
    """Whether the items follow each other: two lists are counted apart."""
    places = [number for number, slot in enumerate(slots) if slot in items]
    return places[-1] - places[0] == len(items) - 1


def only_list(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """The items of the one list of a passage."""
    items = [slot for slot in slots if is_item(slot)]
    if not items:
        raise CannotCountError("no-such-piece")
    if not _one_list(items, slots):
        raise CannotCountError("which-one")
    return tuple(items)


def _nth(slots: Sequence[Slot], ordinal: int) -> Slot | None:
    place = ordinal - 1 if ordinal > 0 else len(slots) + ordinal
    return slots[place] if 0 <= place < len(slots) else None


def sound(slots: Sequence[Slot], ordinal: int) -> bool:
    """Whether the paragraphs up to the one that is counted are whole: each ends as a sentence does."""
    return all(ended(slot) for slot in (slots[:ordinal] if ordinal > 0 else slots))


def ended(slot: Slot) -> bool:
    """Whether a paragraph ends with a stop; one that does not may go on elsewhere. Items of lists need none."""
    return is_item(slot) or _ENDED.search(slot.text) is not None


# ---------------------------------------------------------------- sentences and words


def _sentence(piece: Piece, slots: tuple[Slot, ...]) -> CountedPiece:
    if piece.count > 1:
        raise CannotCountError("not-understood")
    if piece.ordinal == 0 or (piece.ordinal < 0 and len(slots) > 1):
        raise CannotCountError("which-one")
    slot = slots[0]
    begin = _behind_lead(slot)
    loose, strict = (_spans(slot.text, begin, how) for how in (_LOOSE, _STRICT))
    place = piece.ordinal - 1 if piece.ordinal > 0 else piece.ordinal
    if abs(piece.ordinal) > len(strict):
        raise CannotCountError("no-such-piece")
    if abs(piece.ordinal) > len(loose) or loose[place] != strict[place]:
        raise CannotCountError("which-one")
    start, end = strict[place]
    return CountedPiece(slots=(slot,), start=start, end=end)


def _behind_lead(slot: Slot) -> int:
    """Where the text begins behind a mark of a list, or behind words in bold that are its heading."""
    item = _ITEM.match(slot.text)
    start = item.end() if item else 0
    opened = lead(slot)
    if opened and slot.text.spans[0].bold and str(slot.text).startswith(opened):
        behind = re.compile(r"[\s.:–—-]*").match(slot.text, len(opened))
        start = max(start, behind.end() if behind else 0)
    return start


def _spans(text: str, begin: int, cut: re.Pattern[str]) -> list[tuple[int, int]]:
    spans, start = [], begin
    for match in cut.finditer(text, begin):
        end = match.start() + len(match[0].rstrip())
        spans.append((start, end))
        start = match.end()
    if text[start:].strip():
        spans.append((start, len(text.rstrip())))
    return spans


def sentences(text: str) -> int:
    """How many sentences a text has."""
    return len(_spans(text, 0, _STRICT))


def _words(piece: Piece, chosen: CountedPiece) -> CountedPiece:
    if piece.ordinal == 0:
        raise CannotCountError("which-one")
    [slot] = chosen.slots
    spans = [match.span() for match in re.finditer(r"\S+", str(slot.text)[chosen.start : chosen.end])]
    count = piece.count
    place = piece.ordinal - 1 if piece.ordinal > 0 else len(spans) - count
    if place < 0 or place + count > len(spans):
        raise CannotCountError("no-such-piece")
    start, end = chosen.start + spans[place][0], chosen.start + spans[place + count - 1][1]
    end -= len(slot.text[start:end]) - len(slot.text[start:end].rstrip(".,;:!?"))
    return CountedPiece(slots=(slot,), start=start, end=end)
