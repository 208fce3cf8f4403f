"""Records <-> JSON with a schema number; files that are whole or not there; what was read before."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import errno
import hashlib
import json
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import threading
import types
import typing
import unicodedata
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar, Union, cast

from pipeline import records
from pipeline.errors import OutputError, fit
from pipeline.language import added
from pipeline.paths import below
from pipeline.records import Document, Label, Span, Text

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SCHEMA = 1  # raise it when a record changes: what was kept under another number is read anew

R = TypeVar("R")

# ---------------------------------------------------------------- records <-> JSON


def to_json(value: Any) -> Any:
    """A record as JSON values, without the fields that have their default."""
    if isinstance(value, Text):
        return _text_to_json(value)
    if isinstance(value, (str, int, float, bool)) or value is None:
        return str(value) if isinstance(value, (StrEnum, Label)) else value
    if isinstance(value, tuple):
        return [to_json(each) for each in value]
    packed = {
        name: to_json(field)
        for name, default in _defaults(cast(Any, type(value)))
        if (field := getattr(value, name)) != default or (isinstance(field, Text) and field.spans)
    }
    return {"is": type(value).__name__, **packed} if isinstance(value, records.Entry) else packed


def _text_to_json(text: Text) -> Any:
    spans = [span.text if span == Span(text=span.text) else _span_to_json(span) for span in text.spans]
    if text.level == 0 and len(spans) <= 1 and all(isinstance(span, str) for span in spans):
        return spans[0] if spans else ""
    return {"spans": spans, "level": text.level}


def _span_to_json(span: Span) -> dict[str, Any]:
    return {name: field for name, default in _defaults(Span) if (field := getattr(span, name)) != default}


@cache
def _defaults(record: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((f.name, f.default) for f in dataclasses.fields(record))


def from_json(kind: type[R], value: Any) -> R:
    """The record that ``to_json`` wrote; anything else is a ValueError."""
    try:
        record: R = _reader(cast(Any, kind))(value)
        return record
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
    if origin is typing.Literal:
        return _one_of(typing.get_args(kind))
    return kind if isinstance(kind, type) and issubclass(kind, (StrEnum, Label)) else _exactly(kind)


def _exactly(kind: Any) -> Any:
    allowed = (float, int) if kind is float else (kind,)

    def read(value: Any) -> Any:
        if not isinstance(value, allowed) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{value!r} is not {kind}")
        return value

    return read


def _one_of(known: tuple[Any, ...]) -> Any:
    def read(value: Any) -> Any:
        if value not in known:
            raise ValueError(f"{value!r} is none of {known}")
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
        return kind(**{name: _reader(hints[name])(field) for name, field in value.items() if name != "is"})

    return read


def _entry_from_json(value: dict[str, Any]) -> Any:
    return _reader(getattr(records, value["is"]))(value)


def _text_from_json(value: Any) -> Text:
    if isinstance(value, str):
        return Text((Span(text=value),)) if value else records.EMPTY
    spans = tuple(Span(text=span) if isinstance(span, str) else Span(**span) for span in value["spans"])
    return Text(spans, value["level"])


# What is unfit for a text, as JSON in ASCII writes it; one half of a pair is found with those that stand alone.
_UNFIT_JSON = re.compile(rb"\\u(?:00[01]|007f|00[89]|d[89a-f]|202[a-e]|206[6-9]|fff[ef])", re.IGNORECASE)


def loaded(line: bytes) -> Any:
    """The values of a line of JSON from a process that may not be trusted; what is unfit for a text is replaced."""
    value = json.loads(line)
    return _scrubbed(value) if not line.isascii() or _UNFIT_JSON.search(line) else value


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return fit(value)
    if isinstance(value, list):
        return [_scrubbed(each) for each in value]
    if isinstance(value, dict):
        return {_scrubbed(key): _scrubbed(each) for key, each in value.items()}
    return value


def be_of(document: Document, sha256: str, name: str) -> None:
    """A ValueError where a document says that it, or an entry in it, is of another file than it was read from."""
    source = printable(name)
    if (document.sha256, document.source) != (sha256, source):
        raise ValueError("a document of another file")
    if any(each.source and each.source != source for each in (*document.entries, *document.findings)):
        raise ValueError("an entry of another file")


# ---------------------------------------------------------------- files


def write(path: Path, content: bytes | str, *, lasting: bool = True, swept: bool = False) -> Path:
    """Write a whole file or none: a temporary name beside it, synced, then renamed."""
    with replacing(path, lasting=lasting, swept=swept) as temporary:
        temporary.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


@contextlib.contextmanager
def replacing(path: Path, *, lasting: bool = True, swept: bool = False) -> Iterator[Path]:
    """A temporary path that becomes ``path`` when the block ends well, and vanishes when it does not.

    What need not outlive a power cut (not ``lasting``) is not synced: that would take as long as reading a page. Nor is
    a folder looked through for what killed writers left, if it was ``swept`` before.
    """
    where, trace = printable(str(path)), None
    try:
        _make_folder(path.parent, lasting=lasting)
        _refuse(path, where)
        if lasting and not swept:
            sweep(path.parent)
        trace = _temporary(path.parent)
        temporary = trace.path
        yield temporary
        os.chmod(temporary, (0o666 if lasting else 0o600) & ~_umask())
        if lasting:
            _sync(temporary)
        os.replace(temporary, path)
        if lasting:
            _sync(path.parent)
    except (OSError, ValueError) as error:
        if trace is not None and not isinstance(error, OSError):  # of whoever fills the file
            raise
        raise OutputError(f"cannot be written ({_reason(error)})", where=where) from error
    finally:
        if trace is not None:
            trace.remove()


def _make_folder(folder: Path, *, lasting: bool) -> None:
    """The folder, and those above it; each is synced in the one above, or a power cut would take what is in it."""
    if folder.is_dir():
        return
    _make_folder(folder.parent, lasting=lasting)
    folder.mkdir(exist_ok=True)
    if lasting:
        _sync(folder.parent)


def within(root: Path, *names: str) -> Path:
    """A file or folder in ``root`` to write; an OutputError where a name or a link would lead the writing out of it."""
    try:
        return below(root, *names)
    except ValueError as error:
        raise OutputError(str(error), hint="take it away, or name another folder with -o") from None


def _refuse(path: Path, where: str) -> None:
    """An output is never a folder, never a device, and never one of the sources."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return
    if stat.S_ISDIR(status.st_mode):
        raise OutputError("is a folder", where=where, hint="name a file")
    if not stat.S_ISREG(status.st_mode):
        raise OutputError("is no ordinary file", where=where, hint="name a file")
    if _is_source(status):
        raise OutputError("is the source itself", where=where, hint="give the output another name")


_sources: dict[tuple[int, int], Path] = {}


def protect(source: Path) -> None:
    """From now on this file cannot be written over by this process."""
    status = source.stat()
    _sources[status.st_dev, status.st_ino] = source.absolute()


def _is_source(status: os.stat_result) -> bool:
    """Is it a source, by whatever name? One that is gone may have left its number to another file."""
    source = _sources.get((status.st_dev, status.st_ino))
    try:
        return source is not None and os.path.samestat(source.stat(), status)
    except OSError:
        return False


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


# A writer holds a lock on its temporary file while it lives: what can be locked was left by one that died.
_TEMPORARY = ".rubricator-"


@dataclasses.dataclass(eq=False, slots=True)
class _Trace:
    """A temporary file or a lock of this process."""

    path: Path
    handle: int = -1  # none yet

    def open(self, flags: int, mode: int) -> None:
        flags |= os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        with _opening:
            if _ending.is_set():
                raise OSError(errno.ECANCELED, os.strerror(errno.ECANCELED))
            _traces.add(self)
            try:
                self.handle = os.open(self.path, flags, mode)
            except OSError:
                _traces.discard(self)
                raise

    def remove(self) -> None:
        """Remove it if it is ours and still there; where that fails, the next one in this folder sweeps it."""
        with contextlib.suppress(OSError):
            if self.path.suffix == ".part" or (self.handle >= 0 and _lock(self.handle, wait=False) and self.is_there()):
                self.path.unlink(missing_ok=True)
        handle, self.handle = self.handle, -1
        if handle >= 0:
            os.close(handle)
        _traces.discard(self)

    def is_there(self) -> bool:
        return os.fstat(self.handle).st_nlink > 0


# From before they are there until they are gone: whatever interrupts us, also in a thread that the end of the process
# does not wait for, they go with the process.
_traces: set[_Trace] = set()
_ending, _opening = threading.Event(), threading.Lock()


def leave_nothing() -> None:
    """Remove all traces, and let no thread leave another: the process ends."""
    with _opening:
        _ending.set()
    for trace in list(_traces):
        trace.remove()


atexit.register(leave_nothing)


def _temporary(folder: Path) -> _Trace:
    while True:
        trace = _Trace(folder / f"{_TEMPORARY}{secrets.token_hex(8)}.part")
        trace.open(os.O_EXCL, 0o600)
        _lock(trace.handle, wait=True)
        if trace.is_there():
            return trace
        trace.remove()  # swept by another process before we had locked it


def sweep(folder: Path) -> None:
    """Remove what a killed writer left in this folder; what is being written now stays."""
    for stale in (*folder.glob(f"{_TEMPORARY}*.part"), *folder.glob(f"{_TEMPORARY}*.lock")):
        try:
            handle = os.open(stale, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            continue
        try:
            with contextlib.suppress(OSError):
                if _lock(handle, wait=False):
                    stale.unlink(missing_ok=True)
        finally:
            os.close(handle)


def _lock(handle: int, *, wait: bool) -> bool:
    """Lock an open file for this process; False when another has it. Goes when the process goes."""
    if fcntl is None:
        return wait  # Windows cannot unlink an open file: there nothing is swept
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return True
    except OSError:
        return wait


@contextlib.contextmanager
def locked(folder: Path, say: Callable[[str], None]) -> Iterator[None]:
    """One process at a time at work on this folder; a second one says that it waits for the first."""
    where, trace = printable(str(folder)), _Trace(folder.parent / f"{_TEMPORARY}{folder.name[:60]}.lock")
    try:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            _take(trace, lambda: say(f"{where}: another run is at work there; waiting for it"))
        except OSError as error:
            raise OutputError(f"cannot be written ({_reason(error)})", where=where) from error
        yield
    finally:
        trace.remove()


def _take(lock: _Trace, wait: Callable[[], None]) -> None:
    while True:
        lock.open(0, 0o666)
        if not _lock(lock.handle, wait=False):
            wait()
            _lock(lock.handle, wait=True)
        if lock.is_there():
            return
        lock.remove()  # its last owner took it away while we waited


class Scratch:
    """A folder for temporary files. It is locked while its process lives: what can be locked was left by one that died,
    and is removed when the next one is made."""

    def __init__(self) -> None:
        _sweep_scratch()
        while True:
            self.path = tempfile.mkdtemp(prefix=_SCRATCH)
            self._handle = os.open(self.path, os.O_RDONLY)
            _lock(self._handle, wait=True)
            if os.fstat(self._handle).st_nlink:
                return
            os.close(self._handle)  # swept by another process before we had locked it

    def remove(self) -> None:
        if self._handle >= 0:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._handle)
            self._handle = -1


_SCRATCH = "rubricator-child-"


@cache
def _sweep_scratch() -> None:
    """Once in each process; only folders of this user's."""
    if fcntl is None:
        return
    for stale in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*"):
        with contextlib.suppress(OSError):
            handle = os.open(stale, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                if os.fstat(handle).st_uid == os.geteuid() and _lock(handle, wait=False):
                    shutil.rmtree(stale, ignore_errors=True)
            finally:
                os.close(handle)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@cache
def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def pack(record: Any) -> str:
    """A record as one line of JSON that says which schema it has."""
    return _packed(to_json(record))


def _packed(value: Any) -> str:
    return json.dumps({"schema": SCHEMA, "record": value}, ensure_ascii=False, separators=(",", ":"))


def unpack(kind: type[R], packed: str) -> R:
    """What ``pack`` wrote; a ValueError when it is of another schema or damaged."""
    return _unpacked(kind, json.loads(packed))


def unpack_strangers(kind: type[R], packed: str) -> R:
    """The same, from a process that may not be trusted."""
    return _unpacked(kind, loaded(packed.encode("utf-8", "surrogatepass")))


def _unpacked(kind: type[R], packed: Any) -> R:
    if not isinstance(packed, dict) or packed.get("schema") != SCHEMA:
        raise ValueError("another schema")
    return from_json(kind, packed.get("record"))


# ---------------------------------------------------------------- what was read before


def _cache_folder() -> Path | None:
    named = os.environ.get("RUBRICATOR_CACHE")
    if named:
        return None if named == "off" else Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "rubricator"


CACHE = _cache_folder()
KEPT = 1 << 30  # bytes: some five thousand documents; the oldest go first
# Modules that a document does not depend on once it is read.
_AFTER_READING = {
    "archive",
    "blank",
    "cli",
    "cluster",
    "config",
    "dedup",
    "desk",
    "diff",
    "export",
    "guard",
    "handout",
    "impose",
    "paths",
    "render",
    "sandbox",
    "templates",
}


def recall(cache: Path | None, sha256: str, name: str, mends: str = "") -> Document | None:
    """The document that was read from this content by this code, with what a person said of it; None when it must
    be read.

    Only what this user kept is believed: a cache may be in a folder where others write, too.
    """
    if cache is None:
        return None
    try:
        check, _, packed = _own_file(_place(cache, sha256, name, mends)).partition(b"\n")
        if hashlib.sha256(packed).hexdigest().encode("ascii") != check:
            return None
        document = unpack(Document, packed.decode("utf-8"))
        be_of(document, sha256, name)
        return document
    except (OSError, ValueError, RecursionError):
        return None


def _own_file(path: Path) -> bytes:
    """The content of a regular file, no link, that is this user's and that nobody else may write."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or (hasattr(os, "geteuid") and status.st_uid != os.geteuid()):
            raise OSError(f"{path} is somebody else's")
        if status.st_mode & 0o022 and os.name == "posix":
            raise OSError(f"{path} can be written by others")
        return file.read()


def keep(cache: Path | None, sha256: str, name: str, document: Any, mends: str = "") -> None:
    """Keep a document, as ``to_json`` makes it, for the next time; where nothing can be written, nothing is kept.

    It has a checksum: one that a power cut tore is read again. Nobody else may read it, nor what comes later.
    """
    if cache is None:
        return
    packed = _packed(document).encode("utf-8", errors="surrogatepass")
    check = hashlib.sha256(packed).hexdigest().encode("ascii")
    with contextlib.suppress(OutputError, OSError):
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = _place(cache, sha256, name, mends)
        write(place, check + b"\n" + packed, lasting=False)
        if place.name[0] == "0":  # one time in sixteen
            sweep(cache)
            _thin_out(cache)


def _place(cache: Path, sha256: str, name: str, mends: str) -> Path:
    user = str(os.geteuid()) if hasattr(os, "geteuid") else ""  # two who share a folder keep each their own
    key = "\0".join((sha256, printable(name), reading_code(), user, *([mends] if mends else [])))
    return cache / f"{hashlib.sha256(key.encode('utf-8')).hexdigest()}.json"


def _thin_out(cache: Path) -> None:
    kept = sorted(((status := path.stat()).st_mtime, status.st_size, path) for path in cache.glob("*.json"))
    over = sum(size for _, size, _ in kept) - KEPT
    for _, size, old in kept:
        if over <= 0:
            return
        old.unlink(missing_ok=True)
        over -= size


@cache
def reading_code() -> str:
    """A hash of everything that decides how a PDF is read: our modules, the vocabulary, also added, the engines."""
    here = Path(__file__).parent
    digest = hashlib.sha256(f"{SCHEMA} {sys.version_info[:2]}".encode())
    for path in sorted((*here.rglob("*.py"), *here.rglob("*.toml"))):
        relative = path.relative_to(here)
        if relative.parts[0].removesuffix(".py") not in _AFTER_READING:
            digest.update(f"\0{relative.as_posix()}\0".encode() + path.read_bytes())
    theirs = added()
    for path in sorted((theirs / "vocabulary").rglob("*.toml")) if theirs else ():
        digest.update(f"\0{path.relative_to(theirs or path)}\0".encode() + path.read_bytes())
    for engine in ("pypdfium2", "pdfplumber", "pdfminer.six", "pikepdf", "langdetect"):
        digest.update(f"\0{engine} {metadata.version(engine)}".encode())
    return digest.hexdigest()


def printable(name: str) -> str:
    """A name as it may be shown: what cannot be printed or encoded becomes a replacement character."""
    return "".join(c if c.isprintable() else "\ufffd" for c in unicodedata.normalize("NFC", name))
