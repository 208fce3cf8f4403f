"""How many pages a printed handout or zine takes, and how much room is left at the foot of each column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING

from pipeline.handout import Gap
from pipeline.printed_pages import printed_pages
from pipeline.records import Ruling
from pipeline.render import fonts
from pipeline.render.editions import every_text
from pipeline.render.look import Look

if TYPE_CHECKING:
    from pipeline.handout import Handout

MM = 72 / 25.4
EDGE = 10.0  # millimetres at the foot of a page that carry no rulings
ROUGH = 3.0  # points: accents of a page's first line reach above its top


def length(pdf: bytes, columns: int, head: float, after: int = 0) -> float:
    """Pages, the last one by how far down its columns the text goes, so that a line too much weighs a line.

    ``head``: millimetres of the running head, which goes over all columns. ``after``: pages that follow the text and
    are always full, like the log.
    """
    with printed_pages(pdf) as pages:
        last = pages[max(0, len(pages) - 1 - after)]
        boxes = last.boxes()
    top = last.height - head * MM + ROUGH
    inside = [(left, low) for left, low, _, high in boxes if low > EDGE * MM and high < top]
    column = last.width / columns
    reached = max((int((left + 4) / column) for left, _ in inside), default=0)
    lowest = min((low for left, low in inside if int((left + 4) / column) == reached), default=last.height)
    return float(len(pages) - 1 + (reached + max(0.02, (last.height - lowest) / last.height)) / columns)


def gaps(pdf: bytes, plan: Handout, shape: Look, pages: int | None) -> list[Gap]:
    """The room at the foot of each column, with the rulings that end in it, known by their codes. On the last page that
    has rulings all columns are one: what is pushed out of one goes on in the next, and on the pages that are left of
    ``pages``."""
    wanted = [(ruling.entry.id, ruling.code) for ruling in plan.book.rulings if ruling.code]
    low, width = shape.bottom * MM, (shape.room + shape.gap) / shape.columns * MM
    columns: list[tuple[int, str, float]] = []  # page, text, room
    with printed_pages(pdf) as printed:
        for number, page in enumerate(printed):
            boxes, high = page.boxes(), page.height - shape.top * MM + ROUGH
            for column in range(shape.columns):
                left = (shape.outside if number % 2 else shape.inside) * MM + column * width
                inside = [box[1] for box in boxes if left - ROUGH <= box[0] < left + width - ROUGH and box[1] > low]
                text = page.text_in((left - ROUGH, low, left + width - ROUGH, high))
                columns.append((number, text, min(inside, default=high) - low))
        blank = max(0, (pages or 0) - len(printed)) * shape.columns * (high - low)
    ends = _ends(wanted, [text for _, text, _ in columns])
    last = max((columns[place][0] for place in ends.values()), default=0)
    groups: dict[tuple[int, int], list[int]] = {}
    for place, (number, *_) in enumerate(columns):
        if number <= last:
            groups.setdefault((number, 0 if number == last else place), []).append(place)
    return [
        Gap(ids=frozenset(name for name, place in ends.items() if place in places),
            room=fsum(columns[place][2] for place in places) - shape.line + (blank if number == last else 0.0))
        for (number, _), places in groups.items()
    ]  # fmt: skip


def _ends(wanted: Sequence[tuple[str, str]], columns: Sequence[str]) -> dict[str, int]:
    """The column that each ruling ends in: the first that has its code, and not as a reference."""
    ends: dict[str, int] = {}
    for name, code in wanted:
        as_code = re.compile(rf"(?<!\w){re.escape(code)}(?![\w-])")
        as_reference = re.compile(rf"→[^\n]*{re.escape(code)}(?![\w-])")
        place = next((at for at, text in enumerate(columns) if as_code.search(as_reference.sub("", text))), None)
        if place is not None:
            ends[name] = place
    return ends


def height(ruling: Ruling, shape: Look) -> float:
    """Points that a ruling takes in a column, its subject, code and source counted."""
    entry = ruling.entry
    texts = [str(text) for text in every_text(entry) if text]
    lines = sum(fonts.lines(text, shape.measure * MM, shape.size) for text in texts)
    return shape.line * (lines + 1 + bool(entry.subject))
