"""The paragraphs of an entry: where each stands, and putting others in their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.fields import Use, fields
from pipeline.records import QA, AnyEntry, Document, Edit, Erratum, Table, Text

FEW = ("question", "text", "title", "term")  # fields that hold one paragraph


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A paragraph or a cell of an entry."""

    entry: int
    field: str
    at: int
    text: Text
    row: int = -1

    @property
    def is_cell(self) -> bool:
        return self.row >= 0


def slots(entry: AnyEntry, number: int) -> tuple[Slot, ...]:
    """The paragraphs of an entry, in reading order; of a table its cells."""
    if isinstance(entry, Table):
        return tuple(
            Slot(entry=number, field="rows", row=row, at=at, text=cell)
            for row, cells in enumerate(entry.rows)
            for at, cell in enumerate(cells)
        )
    return tuple(
        Slot(entry=number, field=field.name, at=at, text=text)
        for field in fields(entry)
        if (field.use is Use.BODY or isinstance(entry, QA)) and not isinstance(entry, Erratum)
        for at, text in enumerate(field.texts)
        if isinstance(text, Text)
    )


def put(document: Document, edits: Iterable[Edit]) -> Document:
    """The document with the edits made, one after the other; a ValueError where one does not fit."""
    entries = list(document.entries)
    for edit in edits:
        entries[edit.entry] = _spliced(entries[edit.entry], edit)
    return replace(document, entries=tuple(entries))


def take_back(document: Document, edits: Sequence[Edit]) -> Document:
    """The document as it was before the edits."""
    return put(document, [replace(edit, old=edit.new, new=edit.old) for edit in reversed(edits)])


def _spliced(entry: AnyEntry, edit: Edit) -> AnyEntry:
    value: Any = getattr(entry, edit.field)
    spliced: Any
    if edit.row >= 0:
        rows = list(value)
        rows[edit.row] = _replaced(rows[edit.row], edit)
        spliced = tuple(rows)
    elif edit.field not in FEW:
        spliced = _replaced(value, edit)
    else:
        [spliced] = _replaced((value,), edit)
    return replace(entry, **{edit.field: spliced})


def _replaced(texts: tuple[Text, ...], edit: Edit) -> tuple[Text, ...]:
    end = edit.at + len(edit.old)
    if texts[edit.at : end] != edit.old or [each.spans for each in texts[edit.at : end]] != [e.spans for e in edit.old]:
        raise ValueError(f"entry {edit.entry} does not hold what is to be replaced")
    return (*texts[: edit.at], *edit.new, *texts[end:])


def edit_of(slot: Slot, new: Sequence[Text]) -> Edit:
    """Other paragraphs in the place of one."""
    return Edit(entry=slot.entry, field=slot.field, row=slot.row, at=slot.at, old=(slot.text,), new=tuple(new))


def insertion(slot: Slot, new: Sequence[Text], *, before: bool = False) -> Edit:
    """Paragraphs after one, or before it."""
    at = slot.at if before else slot.at + 1
    return Edit(entry=slot.entry, field=slot.field, row=slot.row, at=at, new=tuple(new))


def pages_of(entry: AnyEntry) -> range:
    """The pages of the PDF that an entry stands on."""
    pages = [
        int(address[1 : address.index(".")]) for address in entry.addresses if address[:1] == "p" and "." in address
    ]
    return range(min([entry.page, *pages]), max([entry.page, *pages]) + 1)
