"""The form for an event: every key of event.toml with its help, filled in and written back.

The keys, their order and what they may hold come from the records of ``event``; only the help is written here.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline import store
from pipeline.blank import event_toml
from pipeline.config import IsoDate, from_table
from pipeline.desk.shelf import Opened
from pipeline.errors import RubricatorError, UsageError
from pipeline.event import Event, load_event
from pipeline.text import file_name

HELP: Mapping[str, str] = {
    "name": "What the event is called; it stands at the head of every sheet.",
    "date": "The first day.", "until": "The last day, if there are several.", "place": "Where it is.",
    "organiser": "Who holds it.", "judges": "Who decides, one to a line.", "contact": "How to reach them.",
    "system": "Format and points, in a few words.", "freeze": "Releases after this day do not count.",
    "last_event": "What changed since this day comes first.",
    "languages": "Of the sources that count, as codes (fr, en); none: all of them.",
    "select": "Which rulings go in. Nothing here: all of them.", "leave_out": "Which rulings stay out.",
    "first": "Rulings that never stay out: their codes, ids or words, one to a line.",
    "layers": "Files in the book's folder that speak after the publisher, first to last.",
    "blocks": "What else is on the sheet: a timetable, house rules, a table of the sources.",
    "handouts": "What is printed. Nothing here: a sheet of two pages and a booklet for judges.",
    "url": "Where the rulings are on the web; it becomes a QR code.",
    "sections": "Headings, one to a line.", "subjects": "Cards, units or terms, one to a line.",
    "factions": "Words of a section or a subject.", "kinds": "qa, erratum, definition, rule, table, text.",
    "words": "Words anywhere in a ruling, one to a line.",
    "form": "table (A4), pocket (A5), zine (one A4, folded), cards, large (large print).",
    "audience": "For players or for judges, who get codes, an index and a log.",
    "pages": "The budget: it is kept. Nothing here: as many as it takes.", "paper": "A4, A5 or Letter.",
    "columns": "Nothing here: as many as fit.", "type_size": "In points. Nothing here: the largest that fits.",
    "index": "Of subjects.", "log": "A page to log rulings on.", "changed_only": "Only what changed.",
    "title": "Over the block.", "text": "Paragraphs, one to a line; “• ” begins an item.",
    "rows": "Of a table: a row to a line, cells apart by |.", "table": "Words of the title of a table in the sources.",
}  # fmt: skip


def schema() -> list[dict[str, Any]]:
    """The fields of an event, in order."""
    return _fields(Event)


def _fields(record: type) -> list[dict[str, Any]]:
    hints = typing.get_type_hints(record, include_extras=True)
    return [{"name": each.name, "help": HELP[each.name], **_shape(hints[each.name])}
            for each in dataclasses.fields(record) if each.metadata.get("key", True)]  # fmt: skip


def _shape(hint: Any) -> dict[str, Any]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        day = any(isinstance(each, IsoDate) for each in args[1:])
        return {"is": "day"} if day else _shape(args[0])
    if origin in (typing.Union, types.UnionType):
        return _shape(next(each for each in args if each is not types.NoneType))
    if origin is typing.Literal:
        return {"is": "choice", "choices": list(args)}
    if origin is tuple:
        inner = args[0]
        if dataclasses.is_dataclass(inner):
            return {"is": "tables", "fields": _fields(typing.cast(type, inner))}
        return {"is": "rows" if typing.get_origin(inner) is tuple else "list"}
    if dataclasses.is_dataclass(hint):
        return {"is": "table", "fields": _fields(typing.cast(type, hint))}
    return {"is": {bool: "yes", int: "number", float: "number"}.get(hint, "text")}


def values(path: Path) -> dict[str, Any]:
    """What an event's file says, key by key."""
    import tomllib

    load_event(path)
    return tomllib.loads(path.read_text("utf-8-sig"))


def save(path: Path, given: Mapping[str, Any]) -> None:
    """Write a form back: keys that did not change stay as they are, comments too; a ConfigError, and nothing written,
    where a value may not be so."""
    import tomlkit

    filled = {name: cleaned for name, value in given.items() if (cleaned := _clean(value)) not in (None, "", [], {})}
    from_table(filled, Event, path)
    with store.locked(path, lambda line: None):
        before = path.read_text("utf-8-sig") if path.exists() else ""
        file: Any = tomlkit.parse(before)
        for name in [each.name for each in dataclasses.fields(Event) if each.metadata.get("key", True)]:
            now = file[name].unwrap() if name in file else None
            if filled.get(name) == now:
                continue
            if name not in filled:
                file.remove(name)
            else:
                file[name] = filled[name]
        try:
            store.write(path, tomlkit.dumps(file))
            load_event(path)
        except RubricatorError:
            store.write(path, before) if before else path.unlink(missing_ok=True)
            raise


def _clean(value: Any) -> Any:
    """The values of a form without those left empty."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, dict):
        return {
            str(name): cleaned for name, each in value.items() if (cleaned := _clean(each)) not in (None, "", [], {})
        }
    if isinstance(value, list):
        return [cleaned for each in value if (cleaned := _clean(each)) not in (None, "", [], {})]
    return value


def new_event(book: Opened, name: str, date: str | None) -> Path:
    """A commented event file: event.toml, or one more in events/."""
    from pipeline.event import called

    if not (short := file_name(name)):
        raise UsageError("give the event a name")
    for other in called(name, book.folder):
        raise UsageError("there is an event of this name", where=other.name)
    first = book.folder / "event.toml"
    path = book.folder / "events" / f"{short}.toml" if first.exists() else first
    if path.exists():
        raise UsageError("there is an event of this name", where=path.name)
    store.write(path, event_toml(name, date))
    try:
        load_event(path)
    except RubricatorError:
        path.unlink()
        raise
    return path
