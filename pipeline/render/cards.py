"""Rulings -> cards of 63 x 88 mm: all of a ruling on one side, in type that fits, and where each is cut."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum

from pipeline.records import EMPTY, QA, Definition, Erratum, Rule, Text
from pipeline.render import fonts, words
from pipeline.render.editions import Edition, Printed
from pipeline.text import cut, rich, trim

WIDTH, HEIGHT = 63.0, 88.0  # millimetres: a playing card
MEASURE = 54.5 * 72 / 25.4  # points of a line: a little less than the card allows, for words that do not break
ROOM = 76.0 * 72 / 25.4  # points of height between the edge and the foot
OVER = (8.6, 10.4, 19.0)  # points: size and line of the subject, and the room around it
LONGEST_OVER = 120  # characters of a subject on a card: three lines
LONGEST_AGAIN = 60  # characters of a question that is said again on its second card
OF_BOOK = 11.0  # points of the line that names the corrected book
LEADING = 1.22
ASKED = 0.96  # of the size of the answer
QUESTION = 0.6  # of a card: a longer question goes on in the text
SIZES = (14.0, 13.0, 12.0, 11.2, 10.4, 9.6, 9.0, 8.4, 7.8, 7.2, 6.8, 6.5)  # points: the largest that fits
VERDICTS = (40.0, 34.0, 28.0, 23.0, 19.0, 16.0, 13.0, 11.0)  # points: the largest that the text leaves room for
AROUND = 4.0  # points around a verdict

_SENTENCE = re.compile(r"[.!?…»]\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    each: Printed
    over: Text
    ask: Text
    told: tuple[Text, ...]
    back: tuple[Text, ...] = ()  # what a card has no room for in front
    of_book: str = ""  # the book that an erratum corrects
    verdict: str = ""
    number: int = 1
    of: int = 1
    size: float = SIZES[-1]
    verdict_size: float = VERDICTS[-1]
    left: float = 0.0
    top: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSheet:
    fronts: tuple[Card, ...]
    backs: tuple[Card, ...]  # mirrored, so that they meet their fronts when the sheet is turned on its long edge


def sheets(
    edition: Edition, width: float, height: float, smallest: float = 0.0
) -> tuple[list[CardSheet], list[tuple[float, float, str]]]:
    """The cards of an edition on sheets of paper, in type not under ``smallest``, and the cut lines between them. Cards
    that need their backs come last: most sheets have one side."""
    across, down = max(1, int(width // WIDTH)), max(1, int(height // HEIGHT))
    left, top = (width - across * WIDTH) / 2, (height - down * HEIGHT) / 2
    page = words.words(edition.language)["page"]
    named = {source.document.source: source.title for source in edition.sources}
    cards = [
        card
        for each in edition.rulings
        for card in _cards(each, smallest, page, named.get(each.entry.source, edition.title))
    ]
    cards.sort(key=lambda card: bool(card.back) or card.of > 1)
    all_sheets = []
    for start in range(0, len(cards), across * down):
        placed = [
            (card, place % across, place // across) for place, card in enumerate(cards[start : start + across * down])
        ]
        all_sheets.append(
            CardSheet(
                fronts=tuple(
                    replace(c, left=round(left + x * WIDTH, 2), top=round(top + y * HEIGHT, 2)) for c, x, y in placed
                ),
                backs=tuple(
                    replace(c, left=round(left + (across - 1 - x) * WIDTH, 2), top=round(top + y * HEIGHT, 2))
                    for c, x, y in placed
                    if c.back
                ),
            )
        )
    return all_sheets, _cuts(across, down, left, top)


def _cuts(across: int, down: int, left: float, top: float) -> list[tuple[float, float, str]]:
    """A line at every cut, from edge to edge of the paper: where it begins, and "h" or "v"."""
    rows = [(0.0, round(top + y * HEIGHT, 2), "h") for y in range(down + 1)]
    return rows + [(round(left + x * WIDTH, 2), 0.0, "v") for x in range(across + 1)]


def _cards(each: Printed, smallest: float, page: str, document: str) -> list[Card]:
    """One card; several when even the smallest type and both sides cannot hold what is asked and told."""
    if (card := _content(each, page, document)) is None:
        return []
    sizes = tuple(size for size in SIZES if size >= smallest)
    size = next((size for size in sizes if _height(card, size) <= _room(card)), None)
    if size is not None:
        return [_with_verdict(replace(card, size=size))]
    return _several(card, sizes)


def _content(each: Printed, page: str, document: str) -> Card | None:
    """What stands on top, what is asked and what is told; None for what is no card (tables, prose)."""
    entry, of_book = each.entry, ""
    over = entry.subject or rich(entry.section[-1] if entry.section else document)
    match entry:
        case QA():
            ask, answer = entry.question, each.answer
        case Definition():
            ask, answer = rich(entry.term, *(f" ({name})" for name in entry.aliases)), entry.body
        case Rule():
            ask, answer = rich(f"{entry.number} " if entry.number else "", entry.title), entry.body
        case Erratum():
            pages = page.format(n=", ".join(map(str, entry.pages))) + " " if entry.pages else ""
            answer = tuple(text for c in each.changes for text in (c.instruction, c.old or EMPTY, *c.new) if text)
            ask, of_book = rich(pages, entry.target), document
        case _:
            return None
    over = over if len(over) <= LONGEST_OVER else rich(trim(cut(over, 0, LONGEST_OVER)), "…")
    return Card(each=each, over=over, ask=ask, told=answer, of_book=of_book, verdict=each.verdict)


def _room(card: Card) -> float:
    """Points between the subject and the foot."""
    over = fonts.lines(card.over, MEASURE, OVER[0], "Sans", "Bold") * OVER[1] + OVER[2]
    return ROOM - over - (OF_BOOK if card.of_book else 0.0)


def _height(card: Card, size: float) -> float:
    """Points that a card takes in type of ``size``, its verdict no larger than needs be."""
    verdict = VERDICTS[-1] * LEADING + AROUND if card.verdict else 0.0
    return _asked((card.ask,), size) + verdict + _tall(card.told, size)


def _with_verdict(card: Card) -> Card:
    """The card with its verdict as large as the text leaves room for."""
    if not card.verdict:
        return card
    spare = _room(card) - _height(card, card.size) + VERDICTS[-1] * LEADING
    fits = (size for size in VERDICTS if size * LEADING <= spare and _is_short(card.verdict, size))
    return replace(card, verdict_size=next(fits, VERDICTS[-1]))


def _is_short(verdict: str, size: float) -> bool:
    return fonts.width(verdict, size, "Sans", "Bold") <= MEASURE


def _several(card: Card, sizes: tuple[float, ...]) -> list[Card]:
    """A long ruling on both sides of one card or more, in the largest type that needs no more of them."""

    def dealt(size: float) -> list[tuple[Text, ...]]:
        return _dealt(card, size)[1]

    count = (len(dealt(sizes[-1])) + 1) // 2
    size = next(size for size in sizes if (len(dealt(size)) + 1) // 2 <= count)
    ask, portions = _dealt(card, size)
    sides = [*portions, ()]
    again = ask if len(ask) <= LONGEST_AGAIN else rich(trim(cut(ask, 0, LONGEST_AGAIN)), "…")
    return [
        replace(card, ask=again if number > 1 else ask, told=front, back=back, size=size, number=number, of=count,
                verdict=card.verdict if number == 1 else "")
        for number, (front, back) in enumerate(zip(sides[:-1:2], sides[1::2], strict=False), start=1)
    ]  # fmt: skip


def _dealt(card: Card, size: float) -> tuple[Text, list[tuple[Text, ...]]]:
    """What is asked, and the text in portions of a side each; what a long question has no room for begins the text."""
    ask, *rest = _full(card.ask, QUESTION * _room(card) / ASKED, size * ASKED, ("Sans", "Semibold"))
    verdict = VERDICTS[-1] * LEADING + AROUND if card.verdict else 0.0
    below = _room(card) - _asked((ask,), size) - verdict
    return ask, _split((*rest, *card.told), (below, ROOM), size)


def _asked(texts: Sequence[Text], size: float) -> float:
    return _tall(texts, size * ASKED, "Sans", "Semibold")


def _tall(texts: Sequence[Text], size: float, family: str = "Serif", style: str = "Regular") -> float:
    """Points of height that paragraphs take."""
    return fsum(fonts.lines(text, MEASURE, size, family, style) * size * LEADING + 1.7 for text in texts)


def _split(texts: tuple[Text, ...], rooms: Sequence[float], size: float) -> list[tuple[Text, ...]]:
    """Paragraphs in portions that a side holds in type of ``size``, the rooms of the sides in turn."""
    portions: list[tuple[Text, ...]] = [()]
    for text in (piece for whole in texts for piece in _full(whole, min(rooms), size, ("Serif", "Regular"))):
        room = rooms[(len(portions) - 1) % len(rooms)]
        if portions[-1] and _tall((*portions[-1], text), size) > room:
            portions.append(())
        portions[-1] = (*portions[-1], text)
    return portions


def _full(text: Text, room: float, size: float, face: tuple[str, str]) -> list[Text]:
    """A paragraph that is taller than a card, cut where cards are full, at the ends of sentences or else of words."""
    texts: list[Text] = []
    while _tall([text], size, *face) > room:
        ends = [match.end() for match in _SENTENCE.finditer(text)]
        at = _last(text, ends, room, size, face) or _last(text, _spaces(text), room, size, face)
        at = at or max(1, int(len(text) * room / _tall([text], size, *face) / 2))
        texts.append(trim(cut(text, 0, at)))
        text = trim(cut(text, at))
    return [*texts, text]


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
