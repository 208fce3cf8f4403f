"""The fields of an entry: what each is called, what it is for, and its texts. The one place that tells kinds apart.

Ids, comparing, merging, export, names, cards and the desk derive from this; a new kind is described in ``fields``, made
in ``made`` and set by a template. What one kind has and the others have not (the amendments of an erratum, the rows of
a table) is asked with ``isinstance`` where it matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from enum import Enum, auto
from typing import Any, NamedTuple, get_args

from pipeline.records import (
    EMPTY,
    QA,
    AnyEntry,
    Change,
    Definition,
    Entry,
    Erratum,
    Kind,
    Operation,
    Prose,
    Rule,
    Table,
    Text,
)
from pipeline.text import join


class Use(Enum):
    """What a field is for."""

    LABEL = auto()  # the number of a rule, the pages that an erratum is about
    HEAD = auto()  # what a person calls the entry by
    NAMES = auto()  # other names and references, beside the head
    BODY = auto()  # what it says


class Field(NamedTuple):
    """A field of an entry: its name is that in records and in ``export``."""

    name: str
    use: Use
    texts: tuple[Text | str, ...]
    many: bool = True  # several texts, in the record a tuple; else one


def fields(entry: AnyEntry) -> tuple[Field, ...]:
    """The fields of an entry that are printed, in reading order."""
    match entry:
        case QA():
            return _head("question", entry.question), Field("answer", Use.BODY, entry.answer)
        case Erratum():
            amended = tuple(text for each in entry.changes for text in (each.instruction, each.old or EMPTY, *each.new))
            pages = Field("pages", Use.LABEL, tuple(map(str, entry.pages)))
            return pages, _head("target", entry.target), Field("changes", Use.BODY, amended)
        case Definition():
            aliases, refs = Field("aliases", Use.NAMES, entry.aliases), Field("refs", Use.NAMES, entry.refs)
            return _head("term", entry.term), aliases, refs, Field("body", Use.BODY, entry.body)
        case Rule():
            number = Field("number", Use.LABEL, (entry.number,) if entry.number else (), many=False)
            return number, _head("title", entry.title), Field("body", Use.BODY, entry.body)
        case Table():
            cells = tuple(cell for row in entry.rows for cell in row)
            return _head("title", entry.title or EMPTY), Field("rows", Use.BODY, cells)
        case Prose():
            return (Field("text", Use.BODY, (entry.text,), many=False),)


def _head(name: str, text: Text) -> Field:
    return Field(name, Use.HEAD, (text,), many=False)


def texts(entry: AnyEntry, *uses: Use) -> tuple[Text | str, ...]:
    """The texts of the fields that are for these uses, in reading order; those of a label are one."""
    wanted = [field for field in fields(entry) if field.use in uses]
    return tuple(text for each in wanted for text in ((" ".join(each.texts),) if each.use is Use.LABEL else each.texts))


def printed(entry: AnyEntry) -> tuple[Text, ...]:
    """The styled texts of head and body, in reading order."""
    return tuple(text for text in texts(entry, Use.HEAD, Use.BODY) if isinstance(text, Text))


def head(entry: AnyEntry) -> Text:
    """What a person calls an entry by: its question, target, term or title; nothing where it has none."""
    return next((text for text in texts(entry, Use.HEAD) if isinstance(text, Text)), EMPTY)


def lines(entry: AnyEntry) -> tuple[Text | str, ...]:
    """What an entry says, by paragraphs: of an erratum the new texts, of a table its rows."""
    if isinstance(entry, Erratum):
        return tuple(text for change in entry.changes for text in change.new)
    if isinstance(entry, Table):
        return tuple(" | ".join(row).replace("\n", " ") for row in entry.rows)
    return texts(entry, Use.BODY)


def label(entry: AnyEntry) -> str:
    """The number or pages printed before the head: "3.2", "p. 12, 14"; "" where there are none."""
    for field in fields(entry):
        if field.use is Use.LABEL and field.texts:
            return f"p. {', '.join(field.texts)}" if field.name == "pages" else " ".join(field.texts)
    return ""


_SHARED = {each.name for each in fields_of(Entry)}
_OWN = {record: tuple(each.name for each in fields_of(record) if each.name not in _SHARED)
        for record in get_args(AnyEntry)}  # fmt: skip


def own_names(entry: AnyEntry) -> tuple[str, ...]:
    """The names of the fields that an entry has beside those that all kinds have."""
    return _OWN[type(entry)]


# ---------------------------------------------------------------- the other way: entries from texts


def common(entry: AnyEntry) -> dict[str, Any]:
    """What an entry has in common with those of other kinds."""
    return {each.name: getattr(entry, each.name) for each in fields_of(Entry) if each.name != "kind"}


def made(kind: Kind, shared: Mapping[str, Any], called: Text, body: Sequence[Text]) -> AnyEntry:
    """An entry of a kind from what it is called and what it says."""
    match kind:
        case Kind.QA:
            return QA(**shared, question=called, answer=tuple(body))
        case Kind.DEFINITION:
            return Definition(**shared, term=called, body=tuple(body))
        case Kind.RULE:
            return Rule(**shared, title=called, body=tuple(body))
        case Kind.ERRATUM:
            return Erratum(**shared, target=called, changes=(Change(operation=Operation.CLARIFY, new=tuple(body)),))
        case Kind.TABLE:
            return Table(**shared, title=called or None, rows=tuple((text,) for text in body))
        case Kind.TEXT:
            return Prose(**shared, text=join([text for text in (called, *body) if text]))


def refilled(entry: AnyEntry, called: Text | None, body: Iterable[Text]) -> AnyEntry:
    """The entry with another head (None keeps its own) and another body; not for errata and tables."""
    given: dict[str, Any] = {}
    for field in fields(entry):
        if field.use is Use.HEAD and called is not None:
            given[field.name] = called
        elif field.use is Use.BODY:
            texts_left = tuple(body)
            given[field.name] = (
                texts_left if field.many else texts_left[0] if len(texts_left) == 1 else join(texts_left)
            )
    return replace(entry, **given)
