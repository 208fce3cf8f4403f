"""Records <-> JSON with a schema number, and files that are either whole or not there."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import tempfile
import types
import typing
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, Union

from pipeline import records
from pipeline.errors import OutputError
from pipeline.records import Span, Text

SCHEMA = 1  # raise it when a record changes: what was kept under another number is read anew

R = TypeVar("R")

# ---------------------------------------------------------------- records <-> JSON


def to_json(value: Any) -> Any:
    """A record as JSON values, without the fields that have their default."""
    if isinstance(value, Text):
        return _text_to_json(value)
    if isinstance(value, (str, int, float, bool)) or value is None:
        return str(value) if isinstance(value, StrEnum) else value
    if isinstance(value, tuple):
        return [to_json(each) for each in value]
    made = {name: to_json(held) for name, default in _defaults(type(value)) if (held := getattr(value, name)) != default
            or (isinstance(held, Text) and held.spans)}  # fmt: skip
    return {"is": type(value).__name__, **made} if isinstance(value, records.Entry) else made


def _text_to_json(text: Text) -> Any:
    spans = [
        span.text if span == Span(text=span.text) else {n: v for n, d in _defaults(Span) if (v := getattr(span, n)) != d}
        for span in text.spans
    ]
    if text.level == 0 and len(spans) <= 1 and all(isinstance(span, str) for span in spans):
        return spans[0] if spans else ""
    return {"spans": spans, "level": text.level}


@cache
def _defaults(record: type) -> tuple[tuple[str, Any], ...]:
    return tuple((f.name, f.default) for f in dataclasses.fields(record))


def from_json(kind: type[R], value: Any) -> R:
    """The record that ``to_json`` wrote; anything else is a ValueError."""
    try:
        made: R = _reader(kind)(value)
        return made
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"not a {kind.__name__}: {error}") from error


@cache
def _reader(kind: Any) -> Any:
    """A function from JSON values to ``kind``."""
    if kind is Text:
        return _text_from_json
    origin = typing.get_origin(kind)
    if origin is tuple:
        return _tuple_reader(typing.get_args(kind))
    if origin in (Union, types.UnionType):
        parts = [part for part in typing.get_args(kind) if part is not type(None)]
        if all(isinstance(part, type) and issubclass(part, records.Entry) for part in parts):
            return lambda value: None if value is None else _entry_from_json(value)
        read = _reader(parts[0])
        return lambda value: None if value is None else read(value)
    if dataclasses.is_dataclass(kind):
        return _record_reader(kind)
    return kind if isinstance(kind, type) and issubclass(kind, StrEnum) else _exactly(kind)


def _exactly(kind: Any) -> Any:
    allowed = (float, int) if kind is float else (kind,)

    def read(value: Any) -> Any:
        if not isinstance(value, allowed) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{value!r} is not {kind}")
        return value

    return read


def _tuple_reader(args: tuple[Any, ...]) -> Any:
    if len(args) == 2 and args[1] is Ellipsis:
        each = _reader(args[0])
        return lambda value: tuple(each(part) for part in value)
    readers = [_reader(arg) for arg in args]
    return lambda value: tuple(read(part) for read, part in zip(readers, value, strict=True))


def _record_reader(kind: Any) -> Any:
    hints = typing.get_type_hints(kind)

    def read(value: dict[str, Any]) -> Any:
        return kind(**{name: _reader(hints[name])(held) for name, held in value.items() if name != "is"})

    return read


def _entry_from_json(value: dict[str, Any]) -> Any:
    return _reader(getattr(records, value["is"]))(value)


def _text_from_json(value: Any) -> Text:
    if isinstance(value, str):
        return Text((Span(text=value),)) if value else records.EMPTY
    spans = tuple(Span(text=span) if isinstance(span, str) else Span(**span) for span in value["spans"])
    return Text(spans, value["level"])


# ---------------------------------------------------------------- files


def write(path: Path, content: bytes | str) -> Path:
    """Write a whole file or none: a temporary name beside it, synced, then renamed."""
    with replacing(path) as temporary:
        temporary.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path that becomes ``path`` when the block ends well, and vanishes when it does not."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise OutputError("is a folder", where=str(path), hint="name a file")
        handle, name = tempfile.mkstemp(prefix=".rubricator-", suffix=".part", dir=path.parent)
    except OSError as error:
        raise OutputError(f"cannot be written ({error.strerror})", where=str(path)) from error
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _sync(temporary)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
        _sync(path.parent)
    except OSError as error:
        raise OutputError(f"cannot be written ({error.strerror})", where=str(path)) from error
    finally:
        temporary.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def pack(record: Any) -> str:
    """A record as one line of JSON that says which schema it has."""
    return json.dumps({"schema": SCHEMA, "record": to_json(record)}, ensure_ascii=False, separators=(",", ":"))


def unpack(kind: type[R], packed: str) -> R:
    """What ``pack`` wrote; a ValueError when it is of another schema or damaged."""
    held = json.loads(packed)
    if not isinstance(held, dict) or held.get("schema") != SCHEMA:
        raise ValueError("another schema")
    return from_json(kind, held["record"])
