"""Rulings -> cards of 63 x 88 mm: all of a ruling on one side, in type that fits, and where each is cut."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import fsum

from pipeline.event import Event
from pipeline.handout import importance
from pipeline.records import EMPTY, QA, Definition, Erratum, Rule, Text
from pipeline.render import fonts, words
from pipeline.render.editions import Edition, Printed
from pipeline.render.paragraph_forms import headlike
from pipeline.render.text_forms import even
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
SIZES = (14.0, 13.0, 12.0, 11.2, 10.4, 9.6, 9.0, 8.4, 7.8, 7.2, 6.8, 6.5)  # points: the largest that fits
VERDICTS = (40.0, 34.0, 28.0, 23.0, 19.0, 16.0, 13.0, 11.0)  # points: the largest that the text leaves room for
AROUND = 4.0  # points around a verdict
MOST = 2  # cards of one ruling: what takes more is read on a page, and is printed where all cards are asked for

_SENTENCE = re.compile(r"(?:[.!?…][»”’\")]*|»)\s")


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

    @property
    def line(self) -> float:
        """Points of a line of the answer; so below of the question and the verdict."""
        return self.size * LEADING

    @property
    def ask_size(self) -> float:
        return self.size * ASKED

    @property
    def ask_line(self) -> float:
        return self.ask_size * LEADING

    @property
    def verdict_line(self) -> float:
        return self.verdict_size * LEADING


@dataclass(frozen=True, slots=True, kw_only=True)
class CardSheet:
    fronts: tuple[Card, ...]
    backs: tuple[Card, ...]  # mirrored, so that they meet their fronts when the sheet is turned on its long edge


def chosen(
    edition: Edition, new: Collection[str], width: float, height: float, smallest: float
) -> tuple[frozenset[str], int]:
    """The ids of the rulings that are printed where not all are asked for, and how many are too long: of those that are
    ``new``, what takes no more than so many cards; then, until a sheet is full, what matters most of the others and has
    room on one side."""
    dealt = {each.entry.id: _dealt_of(edition, each, smallest) for each in edition.rulings if each.entry.id in new}
    kept = {name for name, own in dealt.items() if 0 < len(own) <= MOST}
    across, down = _grid(width, height)
    spare = -sum(len(dealt[name]) for name in kept) % (across * down)
    others = [each for each in edition.rulings if each.entry.id not in new]
    for each in sorted(others, key=lambda each: -importance(each.ruling, Event())):
        own = _dealt_of(edition, each, smallest) if spare else []
        if len(own) == 1 and not own[0].back:
            kept.add(each.entry.id)
            spare -= 1
    return frozenset(kept), len(dealt) - len(kept & dealt.keys())


def sheets(
    edition: Edition, width: float, height: float, smallest: float = 0.0
) -> tuple[list[CardSheet], list[tuple[float, float, str]]]:
    """The cards of an edition on sheets of paper, in type not under ``smallest``, and the cut lines between them. Cards
    that need their backs come last: most sheets have one side."""
    across, down = _grid(width, height)
    left, top = (width - across * WIDTH) / 2, (height - down * HEIGHT) / 2
    cards = [card for each in edition.rulings for card in _dealt_of(edition, each, smallest)]
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


def _grid(width: float, height: float) -> tuple[int, int]:
    """Cards across and down a sheet of paper."""
    return max(1, int(width // WIDTH)), max(1, int(height // HEIGHT))


def _dealt_of(edition: Edition, each: Printed, smallest: float) -> list[Card]:
    """The cards of a ruling, which name the book that it is of."""
    title = next((one.title for one in edition.sources if one.document.source == each.entry.source), edition.title)
    return _cards(each, smallest, words.words(edition.language)["page"], title)


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
    """A long ruling on both sides of one card or more, in the largest type that needs no more of them and cuts no
    question that smaller type has room for."""
    best = _cost(_dealt(card, sizes[-1]))
    size = next(size for size in sizes if _cost(_dealt(card, size)) <= best)
    dealt = _dealt(card, size)
    sides = [*dealt.sides, ()]
    count = len(sides) // 2
    return [
        _with_verdict(
            replace(card, ask=dealt.again if number > 1 else dealt.ask, told=front, back=back, size=size,
                    number=number, of=count, verdict=card.verdict if number == 1 and dealt.whole else "")
        )
        for number, (front, back) in enumerate(zip(sides[:-1:2], sides[1::2], strict=False), start=1)
    ]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dealt:
    """A ruling in portions of a side each."""

    ask: Text
    again: Text  # what the fronts of further cards say of it
    whole: bool  # all that is asked stands on the first side
    sides: list[tuple[Text, ...]]


def _cost(dealt: _Dealt) -> tuple[int, bool]:
    return (len(dealt.sides) + 1) // 2, not dealt.whole


def _dealt(card: Card, size: float) -> _Dealt:
    """What is asked, and the text in portions of a side each; what a long question has no room for begins the text, and
    the verdict then follows it: it never stands in the middle of a question."""
    verdict = next(each for each in reversed(VERDICTS) if each >= size) * LEADING + AROUND if card.verdict else 0.0
    ask, texts = card.ask, card.told
    whole = _asked((ask,), size) + verdict <= _room(card)
    if not whole:
        ask, *rest = _full(card.ask, _room(card) - size * LEADING, size * ASKED, ("Sans", "Semibold"))
        verdict = 0.0
        texts = (*map(_bold, rest), *((_bold(rich(card.verdict)),) if card.verdict else ()), *card.told)
    again = ask if len(ask) <= LONGEST_AGAIN else rich(even(trim(cut(ask, 0, LONGEST_AGAIN))), "…")
    first = _room(card) - _asked((ask,), size) - verdict
    further = _room(card) - _asked((again,), size)
    return _Dealt(ask=ask, again=again, whole=whole, sides=_split(texts, (first, ROOM, further), size))


def _bold(text: Text) -> Text:
    """What is still asked, where the text stands."""
    return Text(tuple(replace(span, bold=True, italic=False) for span in text.spans), text.level)


def _asked(texts: Sequence[Text], size: float) -> float:
    return _tall(texts, size * ASKED, "Sans", "Semibold")


def _tall(texts: Sequence[Text], size: float, family: str = "Serif", style: str = "Regular") -> float:
    """Points of height that paragraphs take."""
    return fsum(fonts.lines(text, MEASURE, size, family, style) * size * LEADING + 1.7 for text in texts)


def _split(texts: tuple[Text, ...], rooms: tuple[float, float, float], size: float) -> list[tuple[Text, ...]]:
    """Paragraphs in portions that a side holds in type of ``size``: the first front, a back, a further front. One is
    cut at the end of the last sentence that a side has room for; inside of a sentence only if no side could hold it."""
    first, back, further = rooms
    sides: list[tuple[Text, ...]] = [()]
    for whole in texts:
        text = whole
        while text:
            room = first if len(sides) == 1 else further if len(sides) % 2 else back
            left = room - _tall(sides[-1], size)
            if _tall((text,), size) <= left:
                sides[-1] = (*sides[-1], text)
                break
            at = _last(text, _sentences(text), left, size, ("Serif", "Regular"))
            if not at and not sides[-1] and room == back:
                at = len(_full(text, left, size, ("Serif", "Regular"))[0])
            if at:
                sides[-1], text = (*sides[-1], trim(cut(text, 0, at))), trim(cut(text, at))
                sides.append(())
            else:
                _turn(sides)
    return sides


def _turn(sides: list[tuple[Text, ...]]) -> None:
    """A new side. What announces the next paragraph ("replace it by:"), or heads it, goes with it."""
    *kept, last = sides[-1] or (EMPTY,)
    if kept and (last.endswith(":") or headlike(last)):
        sides[-1] = tuple(kept)
        sides.append((last,))
    else:
        sides.append(())


def _full(text: Text, room: float, size: float, face: tuple[str, str]) -> list[Text]:
    """A paragraph that is taller than a card, cut where cards are full, at the ends of sentences or else of words."""
    texts: list[Text] = []
    while _tall([text], size, *face) > room:
        at = _last(text, _sentences(text), room, size, face) or _last(text, _spaces(text), room, size, face)
        at = at or max(1, int(len(text) * room / _tall([text], size, *face) / 2))
        texts.append(trim(cut(text, 0, at)))
        text = trim(cut(text, at))
    return [*texts, text]


def _sentences(text: Text) -> list[int]:
    """Where sentences end; the first word of a list's item, "A.", is none."""
    return [match.end() for match in _SENTENCE.finditer(text) if " " in text[: match.start()]]


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
