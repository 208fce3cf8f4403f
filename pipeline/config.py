"""book.toml and overrides.toml -> frozen records; an unknown key is an error with the nearest known one.

The door is ``read_toml``: it takes the shape of a file from the type hints of a frozen dataclass, so that an
event or a layer needs no more than its record. Keys are the names of the fields. What a hint can say:
``str``, ``int``, ``float``, ``bool``, another record, ``tuple[X, ...]``, ``Mapping[str, X]``, ``X | None``,
``Literal["a", "b"]``; and ``Annotated[X, ...]`` with a Check (``Between``, ``IsoDate``, ``InFolder``, ``FileName``).
"""

from __future__ import annotations

import dataclasses
import datetime
import os
import re
import tomllib
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union

from pipeline.errors import UNFIT, ConfigError, SourceError
from pipeline.paths import below, inside, leaves, plain

PICTURE = 2_000_000  # bytes of an icon, which stands in every page that shows it
LARGEST = 1_000_000  # bytes: a file of settings that is larger was not written by a person
ALIKE = 60.0  # of 100: below it, the nearest known key is not worth naming
NOT_A_KEY: Mapping[str, bool] = types.MappingProxyType(
    {"key": False}
)  # for a field that we set, not the file

R = TypeVar("R")

# ---------------------------------------------------------------- what a hint can say beyond a type


class Check:
    """What a value must hold beyond its type: gives it back, or a ValueError that says what is wrong."""

    def __call__(self, value: Any, folder: Path) -> Any:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Between(Check):
    """A number from ``low`` to ``high``."""

    low: float
    high: float

    def __call__(self, value: Any, folder: Path) -> Any:
        if not self.low <= value <= self.high:
            raise ValueError(f"{value} is not between {self.low:g} and {self.high:g}")
        return value


@dataclass(frozen=True, slots=True)
class IsoDate(Check):
    """A day, month or year that exists, as "2026-07-22", "2026-07" or "2026"."""

    def __call__(self, value: Any, folder: Path) -> Any:
        if not re.fullmatch(r"\d{4}(-\d\d){0,2}", value):
            raise ValueError(f'"{value}" is not a date like "2026-07-22"')
        try:
            datetime.date.fromisoformat((value + "-01-01")[:10])
        except ValueError:
            raise ValueError(f'"{value}" is a day that does not exist') from None
        return value


@dataclass(frozen=True, slots=True)
class Spoken(Check):
    """The code of a language that we have words for: "fr", also as "fr-CH"."""

    def __call__(self, value: Any, folder: Path) -> Any:
        from pipeline.vocab import languages

        if value.lower()[:2] not in languages():
            raise ValueError(f'"{value}" is no language that we have words for: {", ".join(languages())}')
        return value


@dataclass(frozen=True, slots=True)
class InFolder(Check):
    """The name of a regular file in the folder of the file that names it."""

    must_exist: bool = True

    def __call__(self, value: Any, folder: Path) -> Any:
        inside(folder, value, must_exist=self.must_exist)
        return value


@dataclass(frozen=True, slots=True)
class FolderInside(Check):
    """The name of a folder in the folder of the file that names it; nothing in it leads out."""

    def __call__(self, value: Any, folder: Path) -> Any:
        place = below(folder, value)
        if not place.is_dir():
            raise ValueError(f'"{value}" is not a folder in this folder')
        for path in place.rglob("*"):
            if leaves(folder, path):
                raise ValueError(f'"{path.relative_to(folder)}" is a link that leads out of this folder')
        return value


@dataclass(frozen=True, slots=True)
class Picture(InFolder):
    """A picture in the folder, as large as a sign in a line of text can be."""

    def __call__(self, value: Any, folder: Path) -> Any:
        if (size := inside(folder, value).stat().st_size) > PICTURE:
            raise ValueError(f'"{value}" has {size:,} bytes, and {PICTURE:,} are the most for a sign in the text')
        return value


@dataclass(frozen=True, slots=True)
class FileName(Check):
    """The name of a file that we shall write, without its suffix."""

    def __call__(self, value: Any, folder: Path) -> Any:
        return plain(value) if value else value


# ---------------------------------------------------------------- the records

Product = Literal[
    "booklet", "booklet-print", "dossier", "dossier-print", "sheet", "reader", "cards", "slips", "zine", "web", "epub"
]  # fmt: skip
Paper = Literal["A4", "A5", "Letter"]
Theme = Literal["red", "black", "large"]
CardChoice = Literal["new", "all"]
ZineChoice = Literal["book", "sections"]
KindName = Literal["qa", "erratum", "definition", "rule", "table", "text"]
Day = Annotated[str, IsoDate()]
SourceName = Annotated[str, InFolder()]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSettings:
    """What a source says wrongly, or not at all, about itself."""

    title: str | None = None
    game: str | None = None
    version: str | None = None
    date: Day | None = None
    language: str | None = None
    publisher: str | None = None
    leave_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BookSettings:
    """book.toml. Every key has a default: a folder with PDFs is a book."""

    name: str = field(default="", metadata=NOT_A_KEY)  # the folder's name
    folder: Path | None = field(default=None, metadata=NOT_A_KEY)
    title: str | None = None
    game: str | None = None
    language: Annotated[str, Spoken()] | None = None  # of the words that we print; default: of most rulings
    products: tuple[Product, ...] = ("booklet", "sheet", "web")
    paper: Paper | None = None  # default: what the product is made for
    columns: Annotated[int, Between(1, 4)] | None = None
    type_size: Annotated[float, Between(6.5, 24)] | None = None  # points
    theme: Theme = "red"
    order: tuple[SourceName, ...] = ()  # sources, first to last; others follow
    rulebook: SourceName | None = None  # that the errata of this book correct; default: found out
    releases: Mapping[str, tuple[SourceName, ...]] = field(default_factory=dict)  # oldest first
    documents: Mapping[str, DocumentSettings] = field(default_factory=dict)  # file name -> corrections
    prefer: str = "newest"  # the wording that is printed: newest, oldest, or a source's file name
    cards: CardChoice = "new"  # which rulings have cards
    zines: ZineChoice = "book"  # one of the whole book, or one a section
    changed_since: Day | None = None  # mark what changed after this day; default: since the last release
    icons: Mapping[str, str] = field(default_factory=dict)  # glyph ("Font:E003") -> name
    icon_images: Mapping[str, Annotated[str, Picture()]] = field(default_factory=dict)  # name -> picture
    codes: Mapping[str, str] = field(default_factory=dict)  # heading -> letters of its codes ("GEN")
    url: str | None = None  # where the web page of the book will be
    templates: Annotated[str, FolderInside()] | None = None  # a folder of its own templates; ours fill in the others
    logo: Annotated[str, Picture()] | None = None  # a picture on the cover and at the head of handouts


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """These are one ruling, whatever their words."""

    entries: tuple[str, ...] = ()  # each an id, or words that only this entry holds


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepApart:
    """These are never one ruling."""

    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A text, kind or heading that was read or printed wrongly; only the keys that are given change."""

    entry: str = ""
    find: str | None = None  # words of the entry ...
    put: str | None = None  # ... and what stands there instead
    kind: KindName | None = None
    section: tuple[str, ...] | None = None
    subject: str | None = None
    question: str | None = None
    answer: tuple[str, ...] | None = None
    term: str | None = None
    number: str | None = None
    title: str | None = None
    body: tuple[str, ...] | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hide:
    """An entry that is not printed."""

    entry: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Two entries of two releases that are the same entry, for diff."""

    old: str = ""
    new: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """An entry that was read as part of the one above it begins at these words."""

    before: str = ""
    kind: KindName | None = None  # of the new entry; default: as it reads


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinUp:
    """What was read as two entries, or as two headings, is one."""

    above: str = ""
    below: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingSaid:
    """A line that is a heading, and how deep; or that is none."""

    text: str = ""
    level: Annotated[int, Between(0, 8)] = 1  # its place in a path, 1 is outermost; 0: it is no heading
    after: str | None = None  # what stands before it, where the same line stands in several places


@dataclass(frozen=True, slots=True, kw_only=True)
class FurnitureSaid:
    """A running head or the like that was read as text; with ``keep``, a text that was taken for one."""

    text: str = ""
    keep: bool = False
    after: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What was read too late or too early: it stands straight before another text."""

    text: str = ""
    until: str | None = None  # the last text that goes with it; default: it goes alone
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSaid:
    """How a table is divided; columns and rows are counted from 1, as they were read."""

    text: str = ""  # the words that it begins with
    join_columns: tuple[int, ...] = ()  # each belongs to the column at its left
    split_columns: tuple[int, ...] = ()  # the last word of each cell is a column of its own
    join_rows: tuple[int, ...] = ()  # each belongs to the row above it
    header_rows: Annotated[int, Between(0, 20)] | None = None
    rows: tuple[tuple[str, ...], ...] = ()  # all of it, where nothing else helps
    is_text: bool = False  # it is no table


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """What all blocks of a document are that look like one of them."""

    like: str = ""
    heading: Annotated[int, Between(0, 8)] | None = None
    kind: KindName | None = None
    furniture: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mends:
    """The part of overrides.toml that changes the structure of a document, before it is classified and after."""

    split: tuple[Split, ...] = ()
    join: tuple[JoinUp, ...] = ()
    heading: tuple[HeadingSaid, ...] = ()
    furniture: tuple[FurnitureSaid, ...] = ()
    order: tuple[Order, ...] = ()
    table: tuple[TableSaid, ...] = ()
    convention: tuple[Convention, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides(Mends):
    """overrides.toml: what a person decided; replayed on every release."""

    file: str = field(default="overrides.toml", metadata=NOT_A_KEY)
    merge: tuple[Merge, ...] = ()
    keep_apart: tuple[KeepApart, ...] = ()
    correct: tuple[Correction, ...] = ()
    hide: tuple[Hide, ...] = ()
    match: tuple[Match, ...] = ()


# ---------------------------------------------------------------- the files of a book


def load_book(folder: Path) -> BookSettings:
    """The settings of a book: of its book.toml, or the defaults when there is none; also of a PDF that is a book."""
    if folder.is_file():
        return BookSettings(name=folder.stem)
    folder = _folder(folder)
    path = folder / "book.toml"
    settings = _book_of(_table(path), path) if _there(path) else BookSettings()
    return dataclasses.replace(settings, name=folder.resolve().name, folder=folder)


def load_overrides(folder: Path) -> Overrides:
    """What a person decided about the entries of a book; nothing when there is no overrides.toml."""
    if folder.is_file():
        return Overrides()
    path = _folder(folder) / "overrides.toml"
    return _overrides_of(_table(path), path) if _there(path) else Overrides()


def check_text(text: str, path: Path) -> None:
    """A ConfigError where a book.toml or an overrides.toml may not say so: before it is written."""
    (_book_of if path.name == "book.toml" else _overrides_of)(_parsed(text, path), path)


def _book_of(table: Mapping[str, Any], path: Path) -> BookSettings:
    settings = from_table(table, BookSettings, path)
    _check_book(path, settings)
    return settings


def _overrides_of(table: Mapping[str, Any], path: Path) -> Overrides:
    overrides = from_table(table, Overrides, path)
    _check_overrides(path, overrides)
    return overrides


def load_mends(folder: Path) -> Mends | None:
    """What a person decided about the structure of the documents in a folder; None where there is nothing of it."""
    if not _there(folder / "overrides.toml"):
        return None
    overrides = load_overrides(folder)
    mends = Mends(**{each.name: getattr(overrides, each.name) for each in dataclasses.fields(Mends)})
    return mends if mends != Mends() else None


def sources(folder: Path, settings: BookSettings | None = None) -> tuple[Path, ...]:
    """The PDFs of a book, in the order that book.toml says, else by name; a folder without one is no book."""
    if folder.is_file():
        return (folder,)
    paths = sorted(
        (p for p in _folder(folder).iterdir() if p.suffix.lower() == ".pdf" and _is_source(folder, p)),
        key=_by_name,
    )
    if not paths:
        raise SourceError(
            "there is no PDF in this folder", where=str(folder), hint="put the publisher's PDFs there"
        )
    if settings is None:
        return tuple(paths)
    out = {name for name, each in settings.documents.items() if each.leave_out}
    first = {name: place for place, name in enumerate(settings.order)}
    kept = [path for path in paths if path.name not in out]
    if not kept:
        raise ConfigError("every source is left out", where=f"{folder / 'book.toml'}: documents", hint="keep one")
    return tuple(sorted(kept, key=lambda path: first.get(path.name, len(first))))


def _folder(folder: Path) -> Path:
    try:
        os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError("is not a folder", where=str(folder), hint="name a folder that holds a book's PDFs") from None
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", where=str(folder)) from None
    return folder


def _there(path: Path) -> bool:
    return os.path.lexists(path)


def _is_source(folder: Path, path: Path) -> bool:
    """Is it a file? A link that leads out of the folder is said: a source is never left out in silence."""
    if path.is_symlink() and leaves(folder, path):
        raise SourceError("is a link that leads out of this folder", where=str(path), hint="copy the PDF there")
    return path.is_file()


def _by_name(path: Path) -> tuple[list[tuple[int, str]], str]:
    """A sort key for file names: 2 before 10, the same on every machine."""
    parts = re.findall(r"\d+|\D+", path.name.casefold())
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts], path.name


def _check_book(path: Path, settings: BookSettings) -> None:
    _each_once(path, "order", settings.order)
    _each_once(path, "releases", [name for names in settings.releases.values() for name in names])
    if settings.prefer not in ("newest", "oldest"):
        _or_error(
            path, "prefer", lambda: inside(path.parent, settings.prefer), 'say "newest", "oldest" or a file'
        )
    for name in settings.documents:
        _or_error(path, f"documents.{name}", partial(inside, path.parent, name))
    for heading, letters in settings.codes.items():
        if not re.fullmatch(r"[A-Z0-9]{1,5}", letters):
            raise ConfigError(
                f'"{letters}" is not one to five capital letters', where=f"{path}: codes.{heading}"
            )
    if settings.url is not None and not re.match(r"https?://\S+$", settings.url):
        raise ConfigError(
            f'"{settings.url}" is no web address', where=f"{path}: url", hint="begin with https://"
        )


# The words by which each structural override finds its place.
NAMED: Mapping[str, tuple[str, ...]] = {
    "split": ("before",), "join": ("above", "below"), "heading": ("text",), "furniture": ("text",),
    "order": ("text", "before"), "table": ("text",), "convention": ("like",),
}  # fmt: skip


def _check_overrides(path: Path, overrides: Overrides) -> None:
    groups: tuple[tuple[str, Sequence[Merge | KeepApart]], ...] = (
        ("merge", overrides.merge), ("keep_apart", overrides.keep_apart))  # fmt: skip
    for key, group in groups:
        for place, each in enumerate(group, start=1):
            if len(each.entries) < 2 or not all(name.strip() for name in each.entries):
                raise ConfigError("names less than two entries", where=f"{path}: {key} {place}: entries",
                                  hint="give the id, or words of each")  # fmt: skip
    for place, hide in enumerate(overrides.hide, start=1):
        _named(path, f"hide {place}: entry", hide.entry)
    for place, match in enumerate(overrides.match, start=1):
        _named(path, f"match {place}: old", match.old)
        _named(path, f"match {place}: new", match.new)
    for key, names in NAMED.items():
        for place, each in enumerate(getattr(overrides, key), start=1):
            for name in names:
                _named(path, f"{key} {place}: {name}", getattr(each, name))
    for place, convention in enumerate(overrides.convention, start=1):
        if (convention.heading is not None) + (convention.kind is not None) + convention.furniture != 1:
            raise ConfigError("says not one thing", where=f"{path}: convention {place}",
                              hint="give one of heading, kind and furniture")  # fmt: skip
    for place, correction in enumerate(overrides.correct, start=1):
        _named(path, f"correct {place}: entry", correction.entry)
        if (correction.find is None) != (correction.put is None):
            raise ConfigError("find and put belong together", where=f"{path}: correct {place}")
        if correction.find is not None and not correction.find.strip():
            raise ConfigError("is empty", where=f"{path}: correct {place}: find", hint="give the words to be replaced")


def _named(path: Path, key: str, value: str) -> None:
    if not value.strip():
        raise ConfigError(
            "is missing", where=f"{path}: {key}", hint="give the entry's id, or words that only it holds"
        )


def _each_once(path: Path, key: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f'"{name}" stands there twice', where=f"{path}: {key}")


def _or_error(path: Path, key: str, check: Callable[[], object], hint: str = "") -> None:
    try:
        check()
    except ValueError as error:
        raise ConfigError(str(error), where=f"{path}: {key}", hint=hint) from None


# ---------------------------------------------------------------- the door


def read_toml(path: Path, schema: type[R]) -> R:
    """The record that a TOML file describes, or a ConfigError that names file and key."""
    return from_table(_table(path), schema, path)


def from_table(table: Mapping[str, Any], schema: type[R], path: Path, key: str = "") -> R:
    """The record that a table describes; ``path`` and ``key`` say where it stands."""
    hints = typing.get_type_hints(schema, include_extras=True)
    keys = [f.name for f in dataclasses.fields(schema) if f.metadata.get("key", True)]  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for name, value in table.items():
        at = f"{key}.{name}" if key else name
        if name not in keys:
            raise ConfigError("unknown key", where=f"{path}: {at}", hint=nearest(name, keys))
        given[name] = _value(value, hints[name], path, at)
    return schema(**given)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known word, or all of them when none is near."""
    from pipeline import fuzzy

    known = sorted(known)
    place = fuzzy.nearest(name.lower().replace("-", "_"), known, ALIKE, parts=True)
    return f"known are {', '.join(known)}" if place is None else f"did you mean '{known[place]}'?"


def _table(path: Path) -> dict[str, Any]:
    try:
        inside(path.parent, path.name)
        if path.stat().st_size > LARGEST:
            raise ValueError(f"is larger than {LARGEST:,} bytes")
        return _parsed(path.read_bytes().decode("utf-8-sig"), path)
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text", where=str(path), hint="save it as UTF-8") from None
    except ValueError as error:
        raise ConfigError(str(error), where=str(path)) from None
    except OSError as error:
        raise ConfigError(f"cannot be read ({error.strerror})", where=str(path)) from None


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        hint = "look at that line: a text stands in quotes, a list in [ ]"
        raise ConfigError(f"is not TOML: {error}", where=str(path), hint=hint) from None
    except RecursionError:
        raise ConfigError("is nested too deeply", where=str(path)) from None


def _value(value: Any, hint: Any, path: Path, key: str) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return _checked(_value(value, args[0], path, key), args[1:], path, key)
    if origin in (Union, types.UnionType):
        return _value(value, next(arg for arg in args if arg is not types.NoneType), path, key)
    if origin is Literal:
        return _choice(value, args, path, key)
    if origin is tuple:
        return _list(value, args[0], path, key)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        _must(isinstance(value, dict), value, "a table", path, key)
        for name in value:
            _plain(name, str, path, key)
        return {name: _value(each, args[1], path, f"{key}.{name}") for name, each in value.items()}
    if dataclasses.is_dataclass(hint):
        _must(isinstance(value, dict), value, "a table", path, key)
        return from_table(value, typing.cast(type, hint), path, key)
    return _plain(value, hint, path, key)


_WORDS = {str: "a text in quotes", int: "a whole number", float: "a number", bool: "true or false"}


def _plain(value: Any, hint: Any, path: Path, key: str) -> Any:
    if hint is str and type(value) is datetime.date:
        return value.isoformat()  # a day may stand without quotes
    if hint is float and type(value) is int:
        return float(value)
    _must(type(value) is hint, value, _WORDS[hint], path, key)
    if hint is str and (unfit := UNFIT.search(value)):
        what = f"holds U+{ord(unfit[0]):04X}, which cannot be printed"
        raise ConfigError(what, where=f"{path}: {key}", hint="take it out")
    return value


def _list(value: Any, hint: Any, path: Path, key: str) -> tuple[Any, ...]:
    _must(isinstance(value, list), value, "a list", path, key)
    return tuple(_value(each, hint, path, f"{key} {place}") for place, each in enumerate(value, start=1))


def _choice(value: Any, choices: tuple[Any, ...], path: Path, key: str) -> Any:
    if value not in choices:
        hint = (
            nearest(value, choices) if isinstance(value, str) else f"known are {', '.join(map(str, choices))}"
        )
        raise ConfigError(f"{_shown(value)} is not known", where=f"{path}: {key}", hint=hint)
    return value


def _checked(value: Any, checks: Iterable[Check], path: Path, key: str) -> Any:
    for check in checks:
        try:
            value = check(value, path.parent)
        except (ValueError, OSError) as error:
            raise ConfigError(str(error), where=f"{path}: {key}") from None
    return value


def _must(holds: bool, value: Any, wanted: str, path: Path, key: str) -> None:
    if not holds:
        raise ConfigError(f"must be {wanted}, not {_shown(value)}", where=f"{path}: {key}")


def _shown(value: Any) -> str:
    shown = "true" if value is True else "false" if value is False else repr(value)
    return shown if len(shown) <= 40 else shown[:39] + "…"
