"""Rulings -> cards of 63 x 88 mm: what stands on the front and the back, in type that fits, and where each is cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum

from pipeline.records import EMPTY, QA, Definition, Erratum, Rule, Text
from pipeline.render import fonts, words
from pipeline.render.outline import Edition, Printed
from pipeline.text import cut, rich, trim

WIDTH, HEIGHT = 63.0, 88.0  # millimetres: a playing card
MEASURE = 54.5 * 72 / 25.4  # points of a line: a little less than the card allows, for words that do not break
FRONT_ROOM = 76.0 * 72 / 25.4  # points of height for the subject and the question, above the foot
OVER = (8.6, 10.4, 19.0)  # points: size and line of the subject, and the room around it
LONGEST_OVER = 120  # characters of a subject on a card: three lines
BACK_ROOM = 70.0 * 72 / 25.4  # points of height for the verdict and the answer
TITLE = 11.0  # points: the name over text that begins in front
LEADING = 1.22
FRONT_SIZES = (19.0, 16.5, 14.0, 12.5, 11.0, 10.0, 9.2, 8.4, 7.8, 7.2, 6.8, 6.5)  # points: the largest that fits
BACK_SIZES = (14.5, 13.5, 12.5, 11.5, 10.5, 9.6, 8.8, 8.2, 7.6, 7.0, 6.5)
# Size of a verdict, and how full the answer may leave the card.
VERDICTS = ((44.0, 0.5), (34.0, 0.5), (26.0, 0.55), (20.0, 0.7), (15.0, 0.8), (11.0, 1.0))

_SENTENCE = re.compile(r"[.!?…»]\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    each: Printed
    over: Text
    front: Text
    back: tuple[Text, ...]
    told: tuple[Text, ...] = ()  # under the name in front, where the text needs both sides
    verdict: str = ""
    number: int = 1
    of: int = 1
    front_size: float = FRONT_SIZES[-1]
    back_size: float = BACK_SIZES[-1]
    verdict_size: float = VERDICTS[-1][0]
    left: float = 0.0
    top: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSheet:
    fronts: tuple[Card, ...]
    backs: tuple[Card, ...]  # mirrored, so that they meet their fronts when the sheet is turned on its long edge


def sheets(
    edition: Edition, width: float, height: float, smallest: float = 0.0
) -> tuple[list[CardSheet], list[tuple[float, float, str]]]:
    """The cards of an edition on sheets of paper, in type not under ``smallest``, and the crop marks around them."""
    across, down = max(1, int(width // WIDTH)), max(1, int(height // HEIGHT))
    left, top = (width - across * WIDTH) / 2, (height - down * HEIGHT) / 2
    page = words.words(edition.language)["page"]
    named = {source.document.source: source.document.title or source.name for source in edition.sources}
    cards = [
        card
        for each in edition.rulings
        for card in _cards(each, smallest, page, named.get(each.entry.source, edition.title))
    ]
    made = []
    for start in range(0, len(cards), across * down):
        placed = [
            (card, place % across, place // across) for place, card in enumerate(cards[start : start + across * down])
        ]
        made.append(
            CardSheet(
                fronts=tuple(
                    replace(c, left=round(left + x * WIDTH, 2), top=round(top + y * HEIGHT, 2)) for c, x, y in placed
                ),
                backs=tuple(
                    replace(c, left=round(left + (across - 1 - x) * WIDTH, 2), top=round(top + y * HEIGHT, 2))
                    for c, x, y in placed
                ),
            )
        )
    return made, _marks(across, down, left, top)


def _marks(across: int, down: int, left: float, top: float) -> list[tuple[float, float, str]]:
    """Short lines outside the cards, at every cut: (left, top, "h" or "v")."""
    right, bottom = left + across * WIDTH, top + down * HEIGHT
    rows = [
        (x, round(top + y * HEIGHT, 2), "h") for y in range(down + 1) for x in (round(left - 5, 2), round(right + 1, 2))
    ]
    columns = [
        (round(left + x * WIDTH, 2), y, "v")
        for x in range(across + 1)
        for y in (round(top - 5, 2), round(bottom + 1, 2))
    ]
    return rows + columns


def _cards(each: Printed, smallest: float, page: str, document: str) -> list[Card]:
    """One card, or several when even the smallest type cannot hold the question or the answer."""
    sides = _sides(each, page, document)
    if sides is None:
        return []
    over, front, back = sides
    over = over if len(over) <= LONGEST_OVER else rich(trim(cut(over, 0, LONGEST_OVER)), "…")
    front_sizes, back_sizes = _sizes(FRONT_SIZES, smallest), _sizes(BACK_SIZES, smallest)
    room = FRONT_ROOM - fonts.lines(over, MEASURE, OVER[0], "Sans", "Bold") * OVER[1] - OVER[2]
    fronts = [part[0] for part in _split((front,), (room,), front_sizes[-1], ("Sans", "Semibold"), together=False)]
    backs = _split(back, (BACK_ROOM - VERDICTS[-1][0] * 1.15 - 3,), back_sizes[-1], ("Serif", "Regular"))
    below = room - _tall((front,), TITLE, "Sans", "Semibold") - OVER[1]
    if len(backs) > 1 and not isinstance(each.entry, QA) and below > room / 2:
        return _both_sides(Card(each=each, over=over, front=front, back=(), front_size=TITLE), back, below, back_sizes)
    count = max(len(fronts), len(backs))
    size = next((s for s in front_sizes if _tall(fronts[:1], s, "Sans", "Semibold") <= room), front_sizes[-1])
    made = [
        Card(each=each, over=over, front=fronts[place] if place < len(fronts) else fronts[0],
             back=backs[place] if place < len(backs) else (), verdict=each.verdict if place == 0 else "",
             number=place + 1, of=count, front_size=size)
        for place in range(count)
    ]  # fmt: skip
    return [_sized(card, back_sizes) for card in made]


def _both_sides(card: Card, texts: tuple[Text, ...], below: float, sizes: tuple[float, ...]) -> list[Card]:
    """A long text under a name, which asks nothing: it begins in front and goes on behind, on half as many cards."""

    def sides(size: float) -> list[tuple[Text, ...]]:
        return _split(texts, (below, BACK_ROOM), size, ("Serif", "Regular"))

    count = (len(sides(sizes[-1])) + 1) // 2
    size = next(size for size in sizes if len(sides(size)) <= 2 * count)
    dealt = [*sides(size), ()]
    pairs = zip(dealt[:-1:2], dealt[1::2], strict=False)
    return [
        replace(card, told=told, back=back, number=number, of=count, back_size=size)
        for number, (told, back) in enumerate(pairs, start=1)
    ]


def _sizes(sizes: tuple[float, ...], smallest: float) -> tuple[float, ...]:
    return tuple(size for size in sizes if size >= smallest)


def _sides(each: Printed, page: str, document: str) -> tuple[Text, Text, tuple[Text, ...]] | None:
    """What stands on top, in front and behind; None for what is no card (tables, prose)."""
    entry = each.entry
    over = entry.subject or rich(entry.section[-1] if entry.section else document)
    match entry:
        case QA():
            return over, entry.question, each.answer
        case Definition():
            return over, rich(entry.term, *(f" ({name})" for name in entry.aliases)), entry.body
        case Rule():
            return over, rich(f"{entry.number} " if entry.number else "", entry.title), entry.body
        case Erratum():
            pages = page.format(n=", ".join(map(str, entry.pages))) + " " if entry.pages else ""
            said = [text for c in each.changes for text in (c.instruction, c.old or EMPTY, *c.new) if text]
            if each.bare:  # it has no name: what is to be done is in front, the new text behind
                return over, said[0] if said else EMPTY, tuple(said[1:])
            return over, rich(pages, entry.target), tuple(said)
    return None


def _tall(texts: Sequence[Text], size: float, family: str, style: str) -> float:
    """Points of height that paragraphs take."""
    return fsum(fonts.lines(text, MEASURE, size, family, style) * size * LEADING + 1.7 for text in texts)


def _sized(card: Card, sizes: tuple[float, ...]) -> Card:
    """The card in the largest type that its back holds, the verdict first."""
    for verdict, share in VERDICTS if card.verdict else VERDICTS[-1:]:
        if fonts.width(card.verdict, verdict, "Sans", "Bold") > MEASURE:
            continue
        room = BACK_ROOM - (verdict * 1.15 + 3 if card.verdict else 0)
        for size in sizes:
            if _tall(card.back, size, "Serif", "Regular") <= room * share:
                return replace(card, back_size=size, verdict_size=verdict)
    return replace(card, back_size=sizes[-1])


def _split(
    texts: tuple[Text, ...], rooms: Sequence[float], size: float, face: tuple[str, str], *, together: bool = True
) -> list[tuple[Text, ...]]:
    """Paragraphs in portions that a side holds in type of ``size``, the rooms of the sides in turn; ``together``: as
    many in one as there is room."""
    portions: list[tuple[Text, ...]] = [()]
    for text in (piece for whole in texts for piece in _full(whole, min(rooms), size, face)):
        room = rooms[(len(portions) - 1) % len(rooms)]
        if portions[-1] and (not together or _tall((*portions[-1], text), size, *face) > room):
            portions.append(())
        portions[-1] = (*portions[-1], text)
    return portions


def _full(text: Text, room: float, size: float, face: tuple[str, str]) -> list[Text]:
    """A paragraph that is taller than a card, cut where cards are full, at the ends of sentences or else of words."""
    made: list[Text] = []
    while _tall([text], size, *face) > room:
        ends = [match.end() for match in _SENTENCE.finditer(text)]
        at = _last(text, ends, room, size, face) or _last(text, _spaces(text), room, size, face)
        at = at or max(1, int(len(text) * room / _tall([text], size, *face) / 2))
        made.append(trim(cut(text, 0, at)))
        text = trim(cut(text, at))
    return [*made, text]


def _spaces(text: Text) -> list[int]:
    return [place for place, letter in enumerate(text) if letter == " " and place]


def _last(text: Text, ends: Sequence[int], room: float, size: float, face: tuple[str, str]) -> int:
    """The last of ``ends`` up to which the text has room; 0 when there is none."""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if _tall([trim(cut(text, 0, ends[middle]))], size, *face) <= room:
            low = middle + 1
        else:
            high = middle
    return ends[low - 1] if low else 0
