"""Values that are named, not quoted: "Flak Turret should have Att 6", "Change M to 12”", "Amend Attrition to 2 VP"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.apply.instructions import link_words
from pipeline.apply.quote_search import words
from pipeline.apply.slots import Slot
from pipeline.records import AnyEntry, Table
from pipeline.text import flat

REACH = 3  # words between a label and its value: "Attrition for 2 VP"
MOST = 14  # words of an instruction that only names a value
VALUE = re.compile(
    r"(?<![\w.,/])[+-]?\d+(?:[.,/]\d+)*(?:d\d+)?(?:[\"”″'’]|cm\b|mm\b|%|\+)?(?![\w/])|(?<!\w)\d*d\d+(?:[+-]\d+)?(?!\w)",
    re.IGNORECASE,
)
_UNIT = re.compile(r"\s*([^\W\d_]+)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value in the text, and the one that takes its place."""

    slot: Slot
    start: int
    end: int
    new: str
    told: bool = False  # the old value was named, and is the one that stands there

    @property
    def same(self) -> bool:
        return flat(str(self.slot.text)[self.start : self.end]) == flat(self.new)


def value(
    instruction: str, target: str, language: str, entries: Sequence[tuple[AnyEntry, tuple[Slot, ...]]]
) -> Value | None:
    """The one value that an instruction names, in the cells of tables or behind a label; None where it is not sure."""
    if len(words(instruction)) > MOST:
        return None
    named = _values(instruction, language)
    if named is None:
        return None
    old, new, label, unit = named
    cells = [values for entry, slots in entries if isinstance(entry, Table)
             for values in _cells(entry, slots, instruction, target, new)]  # fmt: skip
    values = cells or [each for _, slots in entries for each in _labelled(slots, label, unit, new)]
    if len(values) != 1:
        return None
    [one] = values
    here = flat(str(one.slot.text)[one.start : one.end])
    if old and here not in (flat(old), flat(new)):
        return None
    return Value(slot=one.slot, start=one.start, end=one.end, new=one.new, told=bool(old) and here == flat(old))


def _values(instruction: str, language: str) -> tuple[str, str, str, str] | None:
    """The old value (or ""), the new one, the words of the label, and the unit behind the value."""
    matches = list(VALUE.finditer(instruction))
    if not matches or len(matches) > 2:
        return None
    plain = flat(instruction)
    old = ""
    if len(matches) == 2:
        between = plain[matches[0].end() : matches[1].start()].split()
        before = plain[: matches[0].start()].split()
        if not (
            between
            and before
            and between[-1] in link_words(language, "to")
            and before[-1] in link_words(language, "from")
        ):
            return None
        old = matches[0][0]
    last = matches[-1]
    behind = instruction[last.end() :].strip(" .")
    unit = _UNIT.match(instruction[last.end() :])
    if len(behind.split()) > 1 or (behind and not unit):
        return None
    head = instruction[: matches[0].start()]
    links = sorted({*link_words(language, "to"), *link_words(language, "from")}, key=len, reverse=True)
    link = "|".join(map(re.escape, links))
    label = re.sub(rf"\s+(?:{link})\s*$", "", flat(head).rstrip()) if links else ""
    name = label.split(maxsplit=1)[1] if len(label.split()) > 1 else ""  # without the verb
    first, _, rest = name.partition(" ")
    name = rest.lstrip() if first in link_words(language, "articles") else name
    return old, last[0], name, unit[1] if unit else ""


def _cells(table: Table, slots: tuple[Slot, ...], instruction: str, target: str, new: str) -> list[Value]:
    """The cell where a row and a column meet that are both named."""
    if len(table.rows) < 2:
        return []
    heads = [slot for slot in slots if slot.row < max(1, table.header_rows)]
    columns = {slot.at for slot in heads if _names(slot.text, instruction)}
    names = [slot for slot in slots if slot.row >= max(1, table.header_rows) and _is_name(slot)]
    rows = {slot.row for slot in names if _names(slot.text, instruction) or _names(slot.text, target)}
    if not rows and len(table.rows) == max(1, table.header_rows) + 1:
        rows = {len(table.rows) - 1}  # a profile of one line
    if len(columns) != 1 or len(rows) != 1:
        return []
    [column], [row] = columns, rows
    return [
        Value(slot=slot, start=0, end=len(slot.text), new=_as_in(slot.text, new))
        for slot in slots if slot.row == row and slot.at == column
    ]  # fmt: skip


def _as_in(cell: str, new: str) -> str:
    """The value with the mark behind it that the old one has: 12 in a column of inches is 12”."""
    mark = cell.strip()[-1:]
    return new + mark if mark in '"”″' and mark and new[-1:].isdigit() and cell.strip()[:1].isdigit() else new


def _is_name(slot: Slot) -> bool:
    return slot.at <= 1 and any(char.isalpha() for char in slot.text) and len(slot.text.strip()) > 2


def _names(name: str, text: str) -> bool:
    """Whether a text has the name, as it is written: "Att" is not "attack"."""
    bare = name.strip()
    return bool(bare) and re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", text) is not None


def _labelled(slots: Sequence[Slot], label: str, unit: str, new: str) -> list[Value]:
    """Numbers that follow the label within a few words, with the same unit behind them."""
    if not label or not words(label):
        return []
    between = rf"(?:\W+[^\W\d]+){{0,{REACH}}}\W+?"
    behind = rf"(?=\s*{re.escape(flat(unit))}\b)" if unit else ""
    pattern = re.compile(rf"(?<!\w){re.escape(label)}{between}(?P<value>{VALUE.pattern}){behind}")
    return [
        Value(slot=slot, start=match.start("value"), end=match.end("value"), new=new)
        for slot in slots if not slot.is_cell
        for match in pattern.finditer(flat(slot.text))
    ]  # fmt: skip
