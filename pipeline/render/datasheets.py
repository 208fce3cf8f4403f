"""Datasheets and profiles: which entries stay together, for a card that is torn over two pages is read on neither."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import fsum

from pipeline.records import Table
from pipeline.render import fonts, table_layout
from pipeline.render.editions import Chapter, Edition, Part, Printed, every_text
from pipeline.render.look import Look

MM = 72 / 25.4  # points in a millimetre
FULL = 0.9  # of a page: what is measured as taller may take more than one
TALL = 0.8  # of a page: with its own head and the one of the first page, what is measured as taller may fill it
INDENTED = 4.5  # millimetres: the rule beside new text, and the indent of its paragraphs
AROUND = 0.6  # lines between two entries
HEADING = 1.8  # lines of a heading and the room around it


def kept(edition: Edition, look: Look) -> dict[str, bool]:
    """The entries that no page ends in, by their anchors; True: nor behind them.

    They are what stands under one heading and has a profile, a table among other things, if a column holds all of it;
    else what stands under each heading in it, with the tables that follow its own.
    """
    room = FULL * (look.height - look.top - look.bottom) * MM
    by_anchor: dict[str, bool] = {}
    for group in (group for chapter in edition.chapters for group in _groups(chapter)):
        for parts in [group] if _height(group, look) <= room else _tables_together(group, look, room):
            rulings = [each for part in parts for each in part.rulings]
            is_profile = len(rulings) > 1 and any(isinstance(each.entry, Table) for each in rulings)
            if is_profile and _height(parts, look) <= room:
                by_anchor |= {each.anchor: each is not rulings[-1] for each in rulings}
    return by_anchor


def _tables_together(group: Sequence[Part], look: Look, room: float) -> list[list[Part]]:
    """The parts of a group one by one; those that are tables with the one behind them that begins with a table."""
    together: list[list[Part]] = []
    for part in group:
        before = [each for one in together[-1:] for own in one for each in own.rulings]
        is_profile = bool(before) and all(isinstance(each.entry, Table) for each in (*before, part.rulings[0]))
        if is_profile and _height([*together[-1], part], look) <= room:
            together[-1].append(part)
        else:
            together.append([part])
    return together


def tall(rulings: Iterable[Printed], look: Look) -> frozenset[str]:
    """The anchors of what may not have room in a column, under the head of the first page: whole, it would leave that
    page empty."""
    room = TALL * (look.height - look.top - look.bottom) * MM
    inner = replace(look, hang=look.hang + INDENTED)
    return frozenset(each.anchor for each in rulings if look.line * _lines(each, inner) > room)


def _groups(chapter: Chapter) -> Iterator[list[Part]]:
    """The parts of a chapter by the headings right under it, those before the first together."""
    begun = 0

    def place(part: Part) -> int:
        nonlocal begun
        begun += any(title.depth == 1 for title in part.titles)
        return begun

    for _, parts in groupby(chapter.parts, key=place):
        yield list(parts)


def _height(parts: Sequence[Part], look: Look) -> float:
    """Points that parts take, headings counted."""
    heads = sum(len(part.titles) + bool(part.subject) for part in parts)
    lines = fsum(_lines(each, look) + AROUND for part in parts for each in part.rulings)
    return look.line * (lines + HEADING * heads)


def _lines(each: Printed, look: Look) -> float:
    if isinstance(each.entry, Table):
        return 1.0 + table_layout.shape(each.entry.rows, each.entry.header_rows, look.measure, look.small).lines
    return sum(fonts.lines(str(text), look.measure * MM, look.size) for text in every_text(each.entry) if text)
