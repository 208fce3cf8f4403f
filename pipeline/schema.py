"""JSON Schemas of what we write for other programs, made from the records: a field that is added there is added here.

Each says of every field what it is and whether it is always there. More fields may come with any release, so unknown
ones are allowed; when one goes or changes its meaning, ``VERSION`` is raised.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, Union

from pipeline import records
from pipeline.export import document_fields, entry_fields
from pipeline.records import Text

VERSION = 1
DRAFT = "https://json-schema.org/draft/2020-12/schema"
ENTRIES: tuple[type[records.Entry], ...] = (
    records.QA, records.Erratum, records.Definition, records.Rule, records.Table, records.Prose,
)  # fmt: skip
SELDOM = {"see", "struck", "unread", "heading"}  # fields that are there only where they say something
SPAN = ("text", "bold", "italic", "colour", "highlight", "struck", "underlined", "icon", "link", "changed")
WORD = {"type": "array", "prefixItems": [{"enum": ["=", "-", "+"]}, {"type": "string"}], "items": False, "minItems": 2}
PAIR = {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}

Schema = dict[str, Any]


def schemas() -> Mapping[str, Schema]:
    """Every schema by its name."""
    return {
        "export": _named("export", "a line of export --format jsonl", {"oneOf": [_document(), *_entries()]}),
        "export-json": _named("export-json", "export --format json", _many(_with_entries())),
        "dedup": _named("dedup", "a line of dedup --format jsonl", {"oneOf": list(_rulings())}),
        "dedup-json": _named("dedup-json", "dedup --format json", _object({
            "rulings": _many({"oneOf": list(_rulings(styled=True))}), "near": _many(PAIR),
            "findings": _many(_finding()),
        })),
        "diff": _named("diff", "diff --format json", _changes()),
        "check": _named("check", "check --format json", _checked()),
    }  # fmt: skip


def _named(name: str, about: str, schema: Schema) -> Schema:
    return {"$schema": DRAFT, "$id": f"urn:rubricator:schema:{name}:{VERSION}", "title": f"rubricator {about}",
            "version": VERSION, **schema}  # fmt: skip


def _object(fields: Mapping[str, Schema], optional: Iterable[str] = ()) -> Schema:
    seldom = set(optional)
    return {"type": "object", "properties": dict(fields), "required": [name for name in fields if name not in seldom]}


def _many(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


# ---------------------------------------------------------------- from the type of a field


def _typed(hint: Any, *, styled: bool = False) -> Schema:
    """What a value of this type is in JSON."""
    if hint is Text:
        return _spans() if styled else {"type": "string"}
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        [kept] = [part for part in args if part is not type(None)]
        return _or_null(_typed(kept, styled=styled))
    if origin is tuple:
        return _many(_typed(args[0], styled=styled))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"enum": [str(each) for each in hint]}
    if dataclasses.is_dataclass(hint):
        return _object(_fields(typing.cast(type, hint), styled=styled))
    return {"type": {str: "string", int: "integer", float: "number", bool: "boolean"}[hint]}


def _fields(record: type, *, styled: bool = False) -> dict[str, Schema]:
    hints = typing.get_type_hints(record)
    return {each.name: _typed(hints[each.name], styled=styled) for each in dataclasses.fields(record)}


def _spans() -> Schema:
    """A text with its styles: what is not said of a span, it is not."""
    hints = typing.get_type_hints(records.Span)
    kept = {name: {"type": "boolean" if hints[name] is bool else "string"} for name in SPAN}
    return _many(_object(kept, SPAN[1:]))


# ---------------------------------------------------------------- what is written


def _document() -> Schema:
    example = document_fields(records.Document(source="", sha256="", pages=0))
    hints = typing.get_type_hints(records.Document)
    properties = {name: _typed(hints[name]) if name in hints else {"const": value} for name, value in example.items()
            if name != "change_colours"}  # fmt: skip
    properties["change_colours"] = _or_null({"type": "object", "additionalProperties": {"type": "string"}})
    return _object(properties)


def _with_entries() -> Schema:
    document = _document()
    document["properties"]["entries"] = _many({"oneOf": list(_entries(styled=True))})
    document["required"].append("entries")
    return document


def _entry(record: type[records.Entry], *, styled: bool = False) -> Schema:
    example = entry_fields(typing.cast(records.AnyEntry, record(id="", kind=_kind(record))))
    properties = {
        name: value for name, value in _fields(record, styled=styled).items() if name in example or name in SELDOM
    }
    return _object(properties | {"kind": {"const": example["kind"]}}, SELDOM)


def _kind(record: type[records.Entry]) -> records.Kind:
    [kind] = [each.default for each in dataclasses.fields(record) if each.name == "kind"]
    return typing.cast(records.Kind, kind)


def _entries(*, styled: bool = False) -> Iterable[Schema]:
    return (_entry(record, styled=styled) for record in ENTRIES)


def _rulings(*, styled: bool = False) -> Iterable[Schema]:
    """An entry of each kind, and what merging adds."""
    any_entry = {"oneOf": list(_entries(styled=styled))}
    others = _many(any_entry)
    hints = typing.get_type_hints(records.Ruling)
    more = {name: _typed(hints[name]) for name in ("code", "citations", "conflict", "see_also", "since", "since_date")}
    more |= {"variants": others, "disputed": others, "original": any_entry}
    for record in ENTRIES:
        ruling = _entry(record, styled=styled)
        yield _object(ruling["properties"] | more, {*SELDOM, "disputed", "original"})


def _changes() -> Schema:
    entry = {"oneOf": list(_entries())}
    hints = typing.get_type_hints(records.Difference)
    plain = ("change", "moved", "kind", "verdict_flipped", "marked", "spelling_only", "about_document", "place")
    change = {name: _typed(hints[name]) for name in plain}
    change |= {"old": _or_null(entry), "new": _or_null(entry), "olds": _many(entry), "news": _many(entry),
               "words": _many(WORD), "numbers_changed": _many(PAIR),
               "announced": _or_null(_many({"type": "string"}))}  # fmt: skip
    finding = _object({name: each for name, each in _finding()["properties"].items() if name in ("code", "message")})
    return _object({
        "old": _document(), "new": _document(), "changes": _many(_object(change)), "renumbered": _many(PAIR),
        "left_over": _many(entry), "announced_not_found": _many({"type": "string"}), "findings": _many(finding),
    })  # fmt: skip


def _finding() -> Schema:
    schema = _object(_fields(records.Finding))
    schema["properties"]["code"] |= {"pattern": "^[a-z]+(-[a-z]+)*$"}
    return schema


def _checked() -> Schema:
    counts = {"type": "object", "additionalProperties": {"type": "integer"}}
    document = _document()
    document["properties"] |= {"entries": counts, "words": {"type": "integer"}, "hidden": {"type": "integer"},
                               "findings": _many(_finding())}  # fmt: skip
    document["required"] += ["entries", "words", "hidden", "findings"]
    book = _object({"name": {"type": "string"}, "rulings": {"type": "integer"}, "findings": _many(_finding())})
    return _object({"documents": _many(document), "books": _many(book)})
