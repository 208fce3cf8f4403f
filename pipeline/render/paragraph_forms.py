"""Paragraphs -> how they are set: items of lists, headings among them, short items in columns or side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from pipeline.records import Text
from pipeline.render import fonts
from pipeline.render.look import Look

MANY_ITEMS, SHORT_ITEM = 8, 44  # items of a list, and letters of each: more of them, and no longer, go into columns
SLACK = 1.08  # times its measured width: what an item of a list may take, with the white after it
FULL = 99.6  # per cent of a line that cells side by side take: with all of it, rounding would break the line
LONGER = 0.1  # of the items of such a list: so many may be longer, and take two lines
HEADING = 90  # letters: a longer paragraph is no heading, though it be bold
BRIEF = 30  # letters of a line that says what follows: "1AP", "Game Loss"
_ENDS = (".", "!", "?")  # of a sentence

# "3. Roll again", "B. So", "iv) then", "(c) or"
_COST = re.compile(r"\d{1,2}\s?[^\W\d]{1,4}")  # "1AP", "2 CP"
_ITEM = re.compile(r"(?:\d{1,2}|[A-Za-z]|[ivx]{2,4})[.)] \S|\((?:\d{1,2}|[a-z]{1,3})\) \S")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetParagraph:
    """A paragraph among others."""

    text: Text
    classes: str = ""
    opens: bool = False  # a heading that stands on the first line of the next
    opened: bool = False  # the one before is such a heading
    last: bool = False  # of all


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """Short items of a list side by side, each with its share of the line in per cent."""

    cells: tuple[tuple[float, Text], ...]
    last: bool = False  # of all


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphGroup:
    """Paragraphs that are set alike: in columns, as rows of short items, or one below the other."""

    columns: int
    rows: tuple[ItemRow, ...] = ()
    paragraphs: tuple[SetParagraph, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Paragraphs of which the first runs on in the line of a verdict or term, unless it is an item of a list."""

    first: Text | None
    rest: Sequence[Text]
    leads: bool  # what stands on that line belongs to the first of the rest


def opening(texts: Sequence[Text]) -> Opening:
    """What runs on in the line before it, and what stands below."""
    if not texts or texts[0].startswith("• "):
        return Opening(first=None, rest=texts, leads=False)
    return Opening(first=texts[0], rest=texts[1:], leads=bool(texts[1:]) and leads(texts[0], texts[1]))


def groups(texts: Sequence[Text], look: Look) -> Iterator[ParagraphGroup]:
    """Paragraphs as they are set in a product."""
    runs = grouped(texts, look.columns)
    for place, (columns, run) in enumerate(runs):
        is_last = place == len(runs) - 1
        following = None if is_last else runs[place + 1][1][0]
        side, rows = abreast(run, look)
        if rows:
            yield ParagraphGroup(columns=columns, rows=tuple(_rows(side, rows, is_last)))
        else:
            yield ParagraphGroup(columns=columns, paragraphs=tuple(_paragraphs(run, following, look)))


def _rows(side: int, rows: Sequence[Sequence[tuple[int, Text]]], is_last: bool) -> Iterator[ItemRow]:
    for row in rows:
        cells = tuple((round(FULL * cells / side, 2), text) for cells, text in row)
        yield ItemRow(cells=cells, last=is_last and row is rows[-1])


def _paragraphs(run: Sequence[Text], following: Text | None, look: Look) -> Iterator[SetParagraph]:
    """``following``: the first paragraph of the next run; there is none after the last of all."""
    opened = False
    rows = _rows_of_brief(run)
    for place, (text, after) in enumerate(zip(run, (*run[1:], following), strict=True)):
        leading = leads(text, after)
        headed = leading and headlike(text)
        opening = headed and look.runs_on and opens(text, after)
        classes = listed(text) + (" leads" if leading else "") + (" label" if headed else "")
        classes += " brief" if place in rows else ""
        yield SetParagraph(text=text, classes=classes, opens=opening, opened=opened, last=after is None)
        opened = opening


def leads(text: Text, following: Text | None) -> bool:
    """Whether a paragraph belongs to the next: a heading of its own, a cost or a penalty under one, or words that
    announce a list. Of brief lines in a row none does: they are a list, however long."""
    if following is None:
        return False
    is_over = _is_brief(text) and (headlike(following) or not _is_brief(following))
    announces = listed(following) or (_is_brief(following) and text.rstrip().endswith(":"))
    return headlike(text) or is_over or bool(announces and not listed(text))


def _is_brief(text: Text) -> bool:
    return len(text) <= BRIEF and text.rstrip()[-1:] not in _ENDS and not listed(text)


def headlike(text: Text) -> bool:
    """Whether a paragraph is a heading among others: bold, short, no sentence."""
    spoken = [span for span in text.spans if span.text.strip()]
    return len(text) <= HEADING and all(span.bold for span in spoken) and text.rstrip()[-1:] not in _ENDS


def _rows_of_brief(run: Sequence[Text]) -> set[int]:
    """The places of brief lines that stand in a row: they are set as a list, no paragraphs."""
    plain = [_is_brief(text) and not headlike(text) and not text.rstrip().endswith(":") for text in run]
    around = [False, *plain, False]
    return {place for place, is_so in enumerate(plain) if is_so and (around[place] or around[place + 2])}


def opens(text: Text, following: Text | None) -> bool:
    """Whether a heading among paragraphs can stand on the first line of the one under it: no list, no other heading."""
    return following is not None and not (listed(text) or listed(following) or headlike(following))


def tag(texts: Sequence[Text]) -> Text | None:
    """What a rule says in a word before its first heading or its text, a penalty or a cost: it stands beside the rule's
    name."""
    if len(texts) > 1 and _COST.fullmatch(texts[0].strip()):
        return texts[0]
    if len(texts) < 3 or len(texts[0]) > BRIEF or not (headlike(texts[0]) and headlike(texts[1])):
        return None
    return None if headlike(texts[2]) else texts[0]


def listed(text: Text) -> str:
    """The classes of a paragraph that is an item of a list, by its point or number; "" of any other."""
    if text.startswith(("• ", "→ ")):
        return " li deeper" if text.level else " li"
    return " li numbered" if _ITEM.match(text) else ""


def grouped(texts: Sequence[Text], columns: int) -> list[tuple[int, Sequence[Text]]]:
    """Paragraphs in runs, each with its columns: many short items of a list stand in two or three."""
    groups: list[tuple[int, Sequence[Text]]] = []
    for is_list, group in _lists(texts):
        lengths = sorted(map(len, group), reverse=True)
        longest = lengths[int(LONGER * len(group))]
        fits = is_list and columns == 1 and len(group) > MANY_ITEMS and longest <= SHORT_ITEM
        groups.append(((3 if lengths[0] <= SHORT_ITEM / 2 else 2) if fits else 1, group))
    return groups


def abreast(texts: Sequence[Text], shape: Look) -> tuple[int, list[list[tuple[int, Text]]]]:
    """How many cells a line has in which many short items of a list stand side by side, and the lines: each item with
    the cells that it takes. None where they are few, long or nested. Where the page has columns, no list has any."""
    if shape.columns == 1 or len(texts) <= MANY_ITEMS or {listed(text) for text in texts} != {" li"}:
        return 1, []
    widths = [fonts.width(str(text), shape.size) * SLACK for text in texts]
    measure = shape.measure * 72 / 25.4
    count = min(3, int(measure // sorted(widths, reverse=True)[int(LONGER * len(texts))]))
    if count < 2:
        return 1, []
    rows: list[list[tuple[int, Text]]] = [[]]
    for text, width in zip(texts, widths, strict=True):
        cells = min(count, ceil(width * count / measure))
        if sum(taken for taken, _ in rows[-1]) + cells > count:
            rows.append([])
        rows[-1].append((cells, text))
    return count, rows


def _lists(texts: Sequence[Text]) -> list[tuple[bool, list[Text]]]:
    """Runs of paragraphs, and whether each is a list: by the points or numbers of its items, or by many brief lines."""
    rows = _rows_of_brief(texts)
    runs = [(marked, brief, [text for _, text in group]) for (marked, brief), group in groupby(
        enumerate(texts), key=lambda placed: (bool(listed(placed[1])), placed[0] in rows)
    )]  # fmt: skip
    return [(marked or (brief and len(group) > MANY_ITEMS), group) for marked, brief, group in runs]
