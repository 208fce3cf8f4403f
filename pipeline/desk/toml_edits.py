"""The hand that writes overrides.toml and book.toml: what a person wrote there stays as it is, comments and all.

An override goes to the end of the file, in words that tomlkit sets: put into the list of its kind, it would come
between a comment and what the comment is about. Every change is made on the file as it is now, under a lock, and read
again before it is written: two desks on one book do not lose each other's changes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import store
from pipeline.config import Overrides, check_text, from_table
from pipeline.errors import ConfigError

OVERRIDES, BOOK = "overrides.toml", "book.toml"
LAST = 40  # letters of a value in a line that names an override

_HEADER = re.compile(r"^[ \t]*\[\[?[^\[\]\n]+\]\]?[ \t]*(?:#.*)?$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One change to a file, so that it can be taken back."""

    table: str  # of overrides.toml; or the path of a key of book.toml, with dots
    values: Mapping[str, Any]
    before: Any = None  # of a key of book.toml: what it was
    removed: bool = False  # it was taken out, not written

    @property
    def told(self) -> str:
        """The change in a line."""
        values = ", ".join(f"{name} {_short(value)}" for name, value in self.values.items())
        return f"{'without ' if self.removed else ''}{self.table}: {values}"


def _short(value: Any) -> str:
    shown = f"“{value}”" if isinstance(value, str) else str(value)
    return shown if len(shown) <= LAST else f"{shown[: LAST - 1]}…"


# ---------------------------------------------------------------- overrides.toml


def append(folder: Path, *tables: tuple[str, Mapping[str, Any]]) -> list[FileChange]:
    """More overrides at the end of the file; a ConfigError, and nothing written, where one would be none."""
    marks = [FileChange(table=table, values={name: value for name, value in values.items() if value is not None})
             for table, values in tables]  # fmt: skip
    blocks = [_block(mark, folder / OVERRIDES) for mark in marks]
    _rewrite(folder, lambda text: "\n".join([f"{text.rstrip()}\n", *blocks] if text.strip() else blocks))
    return marks


def _block(mark: FileChange, path: Path) -> str:
    import tomlkit

    from_table({mark.table: [mark.values]}, Overrides, path)
    tables = tomlkit.aot()
    tables.append(tomlkit.item(dict(mark.values)))
    return tomlkit.dumps({mark.table: tables}).strip() + "\n"


def take_back(folder: Path, mark: FileChange) -> bool:
    """As it was before a change; False where somebody else has changed it since."""
    if mark.table == BOOK:
        put(folder, mark.values["keys"], mark.before)
    elif mark.removed:
        append(folder, (mark.table, mark.values))
    else:
        return remove(folder, mark.table, mark.values)
    return True


def do_again(folder: Path, mark: FileChange) -> bool:
    """As it was after a change that was taken back."""
    if mark.table == BOOK:
        keys = mark.values["keys"]
        put(folder, keys, mark.values[".".join(keys)])
    elif mark.removed:
        return remove(folder, mark.table, mark.values)
    else:
        append(folder, (mark.table, mark.values))
    return True


def remove(folder: Path, table: str, values: Mapping[str, Any]) -> bool:
    """Take the last override out that says just this; False where none does any more."""
    done = False

    def take(text: str) -> str:
        nonlocal done
        tables = tomllib.loads(text).get(table, [])
        numbers = [number for number, each in enumerate(tables) if each == _plain(values)]
        if not numbers:
            return text
        done = True
        return _without(text, table, numbers[-1])

    _rewrite(folder, take)
    return done


def read(folder: Path) -> dict[str, Any]:
    """overrides.toml as it is; nothing where there is none, or where it is broken."""
    try:
        return tomllib.loads((folder / OVERRIDES).read_text("utf-8-sig"))
    except (OSError, ValueError):
        return {}


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _without(text: str, table: str, number: int) -> str:
    """The text without one block; what stands between it and the next header is the next one's."""
    headers = [*_HEADER.finditer(text)]
    own = [at for at, each in enumerate(headers) if re.match(rf"\s*\[\[\s*{table}\s*\]\]", each[0])]
    expected = tomllib.loads(text)
    del expected[table][number]
    if not expected[table]:
        del expected[table]
    if number < len(own):
        start = headers[own[number]].start()
        end = headers[own[number] + 1].start() if own[number] + 1 < len(headers) else len(text)
        body = re.split(r"(?m)^(?=[ \t]*(?:#|$))", text[start:end])
        above, below = text[:start].rstrip("\n"), "".join(body[_last_value(body) + 1 :]).lstrip("\n") + text[end:]
        kept = "\n\n".join(part for part in (above, below.rstrip("\n")) if part.strip())
        if _parsed(kept) == expected:
            return f"{kept}\n" if kept else ""
    raise ConfigError("cannot be taken out", where=f"{OVERRIDES}: {table} {number + 1}", hint="edit the file by hand")


def _last_value(body: Sequence[str]) -> int:
    """The last piece that holds more than white space and a comment."""
    return max(at for at, each in enumerate(body) if re.search(r"(?m)^[ \t]*[^#\s]", each))


def _parsed(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _rewrite(folder: Path, change: Callable[[str], str]) -> None:
    """The file as ``change`` makes it; a ConfigError, and nothing written, where that is no overrides.toml."""
    path = folder / OVERRIDES
    with store.locked(path, lambda line: None):
        before = path.read_text("utf-8-sig") if path.exists() else ""
        after = change(before)
        if after == before:
            return
        check_text(after, path)
        store.write(path, after)


# ---------------------------------------------------------------- book.toml


def put(folder: Path, keys: Sequence[str], value: Any) -> FileChange:
    """A key of book.toml set, or taken out where the value is None; a ConfigError, and nothing changed, where it may
    not be so."""
    import tomlkit

    path = folder / BOOK
    with store.locked(path, lambda line: None):
        before = path.read_text("utf-8-sig") if path.exists() else ""
        file: Any = tomlkit.parse(before)
        table = file
        for name in keys[:-1]:
            if name not in table:
                table[name] = tomlkit.table()
            table = table[name]
        old = table.get(keys[-1])
        if value is None:
            table.pop(keys[-1], None)
        else:
            table[keys[-1]] = value
        after = tomlkit.dumps(file)
        check_text(after, path)
        store.write(path, after)
    was = old.unwrap() if hasattr(old, "unwrap") else old
    return FileChange(table=BOOK, values={".".join(keys): value, "keys": list(keys)}, before=was)
