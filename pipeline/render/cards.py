"""Rulings -> cards of 63 x 88 mm: what stands on the front and the back, in type that fits, and where each is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.records import EMPTY, QA, Definition, Erratum, Rule, Text
from pipeline.render import fonts
from pipeline.render.outline import Edition, Printed
from pipeline.text import cut, rich, trim

WIDTH, HEIGHT = 63.0, 88.0  # millimetres: a playing card
MEASURE = 54.5 * 72 / 25.4  # points of a line: a little less than the card allows, for words that do not break
FRONT_ROOM = 56.0 * 72 / 25.4  # points of height for the question, under two lines of subject
BACK_ROOM = 70.0 * 72 / 25.4  # points of height for the verdict and the answer
LEADING = 1.22
FRONT_SIZES = (11.0, 10.0, 9.2, 8.4, 7.8, 7.2, 6.8, 6.5)  # points, the largest that fits is taken
BACK_SIZES = (10.5, 9.6, 8.8, 8.2, 7.6, 7.0, 6.5)
VERDICTS = ((26.0, 0.45), (20.0, 0.6), (15.0, 0.8), (11.0, 1.0))  # size, and how full the answer may leave the card


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    each: Printed
    over: Text
    front: Text
    back: tuple[Text, ...]
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


def sheets(edition: Edition, width: float, height: float) -> tuple[list[CardSheet], list[tuple[float, float, str]]]:
    """The cards of an edition on sheets of paper, and the crop marks around them."""
    across, down = max(1, int(width // WIDTH)), max(1, int(height // HEIGHT))
    left, top = (width - across * WIDTH) / 2, (height - down * HEIGHT) / 2
    cards = [card for each in edition.rulings for card in _cards(each)]
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


def _cards(each: Printed) -> list[Card]:
    """One card, or several when even the smallest type cannot hold the answer."""
    sides = _sides(each)
    if sides is None:
        return []
    over, front, back = sides
    parts = _split(back)
    return [
        _sized(
            Card(
                each=each,
                over=over,
                front=front,
                back=part,
                verdict=each.verdict if place == 1 else "",
                number=place,
                of=len(parts),
            )
        )
        for place, part in enumerate(parts, start=1)
    ]


def _sides(each: Printed) -> tuple[Text, Text, tuple[Text, ...]] | None:
    """What stands on top, in front and behind; None for what is no card (tables, prose)."""
    entry = each.entry
    over = entry.subject or rich(entry.section[-1] if entry.section else "")
    match entry:
        case QA():
            return over, entry.question, each.answer
        case Definition():
            return over, rich(entry.term, *(f" ({name})" for name in entry.aliases)), entry.body
        case Rule():
            return over, rich(f"{entry.number} " if entry.number else "", entry.title), entry.body
        case Erratum():
            pages = "p. " + ", ".join(map(str, entry.pages)) + " " if entry.pages else ""
            said = [text for c in each.changes for text in (c.instruction, c.old or EMPTY, *c.new) if text]
            return over, rich(pages, entry.target), tuple(said)
    return None


def _tall(texts: Sequence[Text], size: float, family: str, style: str) -> float:
    """Points of height that paragraphs take."""
    return sum(fonts.lines(text, MEASURE, size, family, style) * size * LEADING + 1.7 for text in texts)


def _sized(card: Card) -> Card:
    front = next((s for s in FRONT_SIZES if _tall([card.front], s, "Sans", "Semibold") <= FRONT_ROOM), FRONT_SIZES[-1])
    for verdict, share in VERDICTS if card.verdict else VERDICTS[-1:]:
        room = BACK_ROOM - (verdict * 1.15 + 3 if card.verdict else 0)
        for size in BACK_SIZES:
            if _tall(card.back, size, "Serif", "Regular") <= room * share or (verdict, size) == (
                VERDICTS[-1][0],
                BACK_SIZES[-1],
            ):
                return replace(card, front_size=front, back_size=size, verdict_size=verdict)
    return card


def _split(texts: tuple[Text, ...]) -> list[tuple[Text, ...]]:
    """Paragraphs in portions that a back holds in the smallest type."""
    room = BACK_ROOM - VERDICTS[-1][0] * 1.15 - 3
    portions: list[tuple[Text, ...]] = [()]
    for text in (piece for whole in texts for piece in _halves(whole, room)):
        if portions[-1] and _tall((*portions[-1], text), BACK_SIZES[-1], "Serif", "Regular") > room:
            portions.append(())
        portions[-1] = (*portions[-1], text)
    return portions


def _halves(text: Text, room: float) -> list[Text]:
    """A paragraph that is taller than a card, cut at the ends of sentences or words."""
    if _tall([text], BACK_SIZES[-1], "Serif", "Regular") <= room:
        return [text]
    middle = len(text) // 2
    at = str(text).find(". ", middle) + 1 or str(text).find(" ", middle)
    if at <= 0 or at >= len(text) - 1:
        at = middle
    return [half for part in (cut(text, 0, at), cut(text, at)) for half in _halves(trim(part), room)]
