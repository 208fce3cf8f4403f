"""Words that are drawn into each other, twice, or with white inside: each is put in its own place."""

from __future__ import annotations

import ctypes
import struct
from itertools import pairwise
from operator import itemgetter
from typing import Any

import pypdfium2.raw as raw

from pipeline.extract.handles import address, loose_box_of, owner_of, place
from pipeline.extract.page_objects import FILL_STROKE, UNSEEN, Drawn, Matrix, Plain, Sheet, decode, placed

BESIDE = 2.0  # points by which two objects may overlap that stand side by side
TWICE = 0.12  # of the type size: the same words drawn again this close are a shadow, or bold made by hand
ASIDE = 0.004  # of the type size: closer than this they only lie above each other
_BOX = struct.Struct("=4f")


def tangled(sheet: Sheet) -> set[int]:
    """Objects into whose gaps others are drawn; what is drawn twice in one place is dropped on the way."""
    handles: set[int] = set()
    if _all_beside(sheet.texts):
        return handles
    twice: dict[int, Drawn | None] = {}
    levels: dict[int, list[Drawn]] = {}
    named = list(map(Drawn._make, sheet.texts))
    for drawn in named:
        levels.setdefault(int(drawn.baseline + 0.5), []).append(drawn)
    for level in levels.values():
        if len(level) > 1:
            _tangled_on(level, handles, twice)
    if twice:
        sheet.texts = [kept[:] for drawn in named if (kept := twice.get(id(drawn), drawn))]
    return handles


def _all_beside(texts: list[Plain]) -> bool:
    """Does every object stand left or right of all others at its height? So it is on most pages."""
    left = right = last = float("-inf")
    for _, x0, _, x1, _, baseline, _, _, _, _, _ in sorted(texts, key=_at_height):
        if baseline - last >= 1:
            left, right = x0, x1
        elif x0 >= right - BESIDE:
            right = x1 if x1 > right else right
        elif x1 <= left + BESIDE:
            left = x0
        else:
            return False
        last = baseline
    return True


_at_height = itemgetter(5)  # Drawn.baseline


def _tangled_on(level: list[Drawn], handles: set[int], twice: dict[int, Drawn | None]) -> None:
    """The same of what stands at one height; ``twice`` says what is left of what is drawn twice."""
    level.sort(key=_from_left)
    before = level[0]
    for drawn in level[1:]:
        apart = drawn.look.angle or abs(before.baseline - drawn.baseline) > 1
        if not apart and drawn.x0 - before.x0 < TWICE * drawn.look.size and drawn.text.strip() == before.text.strip():
            twice |= {id(before): seen_of(twice.get(id(before)) or before, drawn), id(drawn): None}
        elif apart or drawn.x0 >= before.x1 - BESIDE or drawn.x1 <= before.x0 + BESIDE:
            before = drawn
        else:
            handles |= {before.handle, drawn.handle}
            before = before if before.x1 > drawn.x1 else drawn


def seen_of(before: Drawn, again: Drawn) -> Drawn:
    """What a reader sees of words that are drawn twice: those that are visible, bold where both are, side by side."""
    if before.mode in UNSEEN:
        return again
    aside = abs(again.x0 - before.x0) > ASIDE * before.look.size
    bold = aside and again.mode not in UNSEEN and again.look.colour == before.look.colour
    return before._replace(mode=FILL_STROKE) if bold else before


def _from_left(drawn: Drawn) -> tuple[float, float]:
    return drawn.x0, -drawn.x1


def letter_spaced(text: str) -> bool:
    """ "C H A R G E" or "CHA R GE": capitals so far apart that the engine takes the gaps for spaces."""
    if not text.isupper() or " " not in text or 3 * text.count(" ") < len(text.strip()) - 1:
        return False
    return sum(map(str.isalpha, text)) > 1  # "Q :" is none


def untangle(sheet: Sheet, tangled: set[int], text_page: Any, shown: Matrix) -> None:
    """Cut objects that others are drawn into at their words, each measured by its letters."""
    whole = (ctypes.c_ushort * (sheet.characters + 1))()
    raw.FPDFText_GetText(text_page, 0, sheet.characters, whole)
    page_text = decode(ctypes.string_at(whole, 2 * sheet.characters))
    pieces: list[Plain] = []
    for drawn in map(Drawn._make, sheet.texts):
        letters = _letters(drawn, page_text, text_page, shown) if drawn.handle in tangled else None
        pieces.extend([piece[:] for piece in (_pieces(drawn, letters) if letters else [drawn])])
    sheet.texts = pieces


def _letters(drawn: Drawn, page_text: str, text_page: Any, shown: Matrix) -> list[tuple[str, float, float]]:
    """The letters of an object with their left and right edges; none when it cannot be found again."""
    characters, text = address(text_page), drawn.text.strip()
    at = page_text.find(text)
    while at >= 0 and owner_of(place(characters), at) != drawn.handle:
        at = page_text.find(text, at + 1)
    if at < 0:
        return []
    box, letters = ctypes.create_string_buffer(_BOX.size), []
    spaced = letter_spaced(text)
    for offset, letter in enumerate(text):
        if spaced and letter == " " and raw.FPDFText_IsGenerated(text_page, at + offset) == 1:
            continue
        if loose_box_of(characters, at + offset, box):
            left, top, right, bottom = _BOX.unpack(box)
            x0, _, x1, _ = placed(left, bottom, right, top, shown)
            letters.append((letter, x0, x1))
    return letters


def _usual_gap(letters: list[tuple[str, float, float]]) -> float:
    gaps = sorted(b[1] - a[2] for a, b in pairwise(letters))
    return gaps[len(gaps) // 2] if gaps else 0.0


def _pieces(drawn: Drawn, letters: list[tuple[str, float, float]]) -> list[Drawn]:
    """An object as its words, each in its own place."""
    words: list[Drawn] = []
    word: list[tuple[str, float, float]] = []
    reach = max(0.25 * drawn.look.size, 1.8 * _usual_gap(letters) if letter_spaced(drawn.text) else 0.0)
    for at, (letter, x0, x1) in enumerate([*letters, (" ", 0.0, 0.0)]):
        apart = bool(word) and (x0 - word[-1][2] > reach or x0 < word[0][1])
        if word and (letter.isspace() or apart):
            text = "".join(each[0] for each in word) + (" " if letter.isspace() and at < len(letters) else "")
            left = word[0][1]
            words.append(drawn._replace(text=text, x0=left, x1=word[-1][2], origin=left))
            word = []
        if not letter.isspace():
            word.append((letter, x0, x1))
    return words or [drawn]
