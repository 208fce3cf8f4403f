"""Many PDFs: which are meant, which are done, and one output, or one file a source, from all of them.

A document is written as it comes and then forgotten, so a thousand PDFs need the memory of a few. An export that was
interrupted goes on where it stopped: into one file from the readings that are kept (store), into a folder from
its manifest, which says of each output what it was made from.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from pipeline import __version__, guard, store
from pipeline.errors import RubricatorError, SourceError
from pipeline.export import SEMICOLONS, stream
from pipeline.records import Document

MANIFEST = "manifest.jsonl"
MADE = "output"  # what we printed is no source; who means it names it
BEHIND = 8  # documents that may wait to be written

Outcome = Document | RubricatorError
Read = Callable[[list[Path]], Iterable[tuple[Path, Outcome]]]
Heed = Callable[["ListedSource", Outcome | None], None]  # told of each source when it is over; None: it was done before


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSource:
    """A PDF that is wanted, and the name that its output gets."""

    path: Path
    name: str
    error: SourceError | None = None  # it is a folder without any, or one that cannot be read
    told: str = ""  # hash of what a person corrects in it


def _untold(line: str) -> None:
    """Progress that is not shown."""


# ---------------------------------------------------------------- which are meant


def find(named: Iterable[Path]) -> list[ListedSource]:
    """The files as they are named, and all PDFs in the folders and theirs, sorted; hidden ones and what we made from
    them (``output``) are left alone."""
    given = list(named)
    folders = [os.path.isdir(path) for path in given]  # also false where it may not be looked into: reading says so
    sources: list[ListedSource] = []
    for path, is_folder in zip(given, folders, strict=True):
        top = f"{path.resolve().name}/" if sum(folders) > 1 else ""
        sources_here = _within(path, top) if is_folder else [ListedSource(path=path, name=path.name)]
        sources.extend(sources_here)
    return _told_apart(sources)


def _told_apart(sources: Iterable[ListedSource]) -> list[ListedSource]:
    """Outputs renamed where two sources have the same name."""
    by_name: dict[str, ListedSource] = {}
    for source in sources:
        name, count = source.name, 1
        while name in by_name:
            count += 1
            name = f"{source.name}-{count}"
        by_name[name] = replace(source, name=name)
    return list(by_name.values())


def _within(folder: Path, top: str) -> list[ListedSource]:
    """Every PDF of a folder with its path in it, then the folders that are closed to us; itself when there is none."""
    sources: list[ListedSource] = []
    closed: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=closed.append):
        folders[:] = [name for name in folders if not name.startswith(".") and name != MADE]
        for name in files:
            path = Path(parent, name)
            if name.lower().endswith(".pdf") and not name.startswith(".") and _stays(path, folder):
                sources.append(ListedSource(path=path, name=top + path.relative_to(folder).as_posix()))
    sources.sort(key=lambda source: source.path.parts)
    sources += [_no_source(Path(error.filename), f"cannot be read ({error.strerror})") for error in closed]
    return sources or [_no_source(folder, "there is no PDF in this folder", "name a folder that has some")]


def _no_source(folder: Path, why: str, hint: str = "") -> ListedSource:
    where = store.printable(str(folder))
    return ListedSource(path=folder, name=folder.name, error=SourceError(why, where=where, hint=hint))


def _stays(path: Path, folder: Path) -> bool:
    """Whether a path stays inside the folder when its links are followed."""
    return not path.is_symlink() or Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


# ---------------------------------------------------------------- reading them


def outcomes(sources: Iterable[ListedSource], read: Read) -> Iterator[tuple[ListedSource, Outcome]]:
    """Each source with its document or its error, in order; none can be written over from now on."""
    given = list(sources)
    wanted = [source for source in given if source.error is None]
    for source in wanted:
        with contextlib.suppress(OSError, ValueError):  # the reader says what is wrong with it
            store.protect(source.path)
    reading = iter(read([source.path for source in wanted]))
    for source in given:
        yield source, source.error if source.error is not None else next(reading)[1]


def documents(sources: Iterable[ListedSource], read: Read, heed: Heed) -> Iterator[Document]:
    """The documents that could be read; failures are reported, not raised."""
    for source, outcome in outcomes(sources, read):
        heed(source, outcome)
        if isinstance(outcome, Document):
            yield outcome


# ---------------------------------------------------------------- into one output


def into_stream(documents_read: Iterator[Document], form: str, out: TextIO) -> None:
    """Each document as soon as it is read; nothing at all when none can be."""
    for piece in _pieces(documents_read, form):
        out.write(piece)


def into_file(documents_read: Iterator[Document], form: str, out: Path) -> None:
    """One file that is whole or not there; readings are kept, so the next try only reads the rest."""
    pieces = _pieces(documents_read, form)
    first = next(pieces, None)
    if first is None:
        return
    with store.replacing(out) as temporary, temporary.open("w", encoding=_encoding(form), newline="") as file:
        for piece in chain([first], pieces):
            file.write(piece)


def _encoding(form: str) -> str:
    """Of a file: a CSV begins with the mark without which Excel takes UTF-8 for something else."""
    return "utf-8-sig" if form in ("csv", SEMICOLONS) else "utf-8"


def _pieces(documents_read: Iterator[Document], form: str) -> Iterator[str]:
    first = next(documents_read, None)
    return iter(()) if first is None else stream(form, chain([first], documents_read))


# ---------------------------------------------------------------- into a folder


def into_folder(
    sources: Iterable[ListedSource],
    form: str,
    out: Path,
    read: Read,
    heed: Heed,
    progress: Callable[[str], None] = _untold,
) -> None:
    """One file a source, and a manifest of them; what it says is done is not done again."""
    with store.locked(out, progress):
        manifest = _load(out)
        wanted = []
        for source in sources:
            if _is_done(manifest.get(_output(source, form)), source, form, out):
                heed(source, None)
            else:
                wanted.append(source)
        _save(out, manifest)
        _sweep(out, wanted, form)
        try:
            _write_each(wanted, form, out, read, heed, manifest)
        finally:
            _save(out, manifest)


def _write_each(
    wanted: list[ListedSource], form: str, out: Path, read: Read, heed: Heed, manifest: dict[str, dict[str, Any]]
) -> None:
    """An output and a line of the manifest for each: an export that is killed knows what it had.

    They are written beside the reading of the next ones: a disk takes its time to say that it has a file.
    """
    waiting: deque[tuple[ListedSource, Outcome, Future[dict[str, Any]]]] = deque()

    def log_first() -> None:
        source, outcome, future = waiting.popleft()
        name = _output(source, form)
        manifest[name] = {"output": name, "source": source.name, **future.result()}
        log.write(json.dumps(manifest[name]) + "\n")
        log.flush()
        heed(source, outcome)

    with (out / MANIFEST).open("a", encoding="ascii") as log, ThreadPoolExecutor(1) as writer:
        try:
            for source, outcome in outcomes(wanted, read):
                future = writer.submit(_made, outcome, form, out, _output(source, form), source.told)
                waiting.append((source, outcome, future))
                while waiting and (len(waiting) > BEHIND or waiting[0][2].done()):
                    log_first()
        finally:
            while waiting:
                log_first()


def _output(source: ListedSource, form: str) -> str:
    return f"{source.name}.{'csv' if form == SEMICOLONS else form}"


def _sweep(out: Path, wanted: Iterable[ListedSource], form: str) -> None:
    """What killed writers left is removed once, not before each of a thousand files."""
    for folder in {(out / _output(source, form)).parent for source in wanted}:
        store.sweep(folder)


def _made(outcome: Outcome, form: str, out: Path, name: str, corrections: str) -> dict[str, Any]:
    """What the manifest says of an output, once it is written."""
    if isinstance(outcome, RubricatorError):
        return _failed(outcome)
    return _written(outcome, form, store.within(out, name), corrections)


def _written(document: Document, form: str, path: Path, corrections: str) -> dict[str, Any]:
    content = "".join(stream(form, [document])).encode(_encoding(form))
    store.write(path, content, swept=True)
    made_by = _made_by(form, corrections)
    return {"sha256": document.sha256, "code": made_by, "size": len(content), "entries": len(document.entries)}


def _failed(error: RubricatorError) -> dict[str, Any]:
    return {"error": str(error), "exit_code": error.exit_code}


def _code() -> str:
    """What decides the bytes of an output, beside its source and its form."""
    return f"{__version__} {store.reading_code()}"


def _made_by(form: str, corrections: str) -> str:
    """The code, what a person corrects, and what the name of an output does not say of its form."""
    return " ".join([_code(), *([corrections] if corrections else []), *([";"] if form == SEMICOLONS else [])])


def _is_done(record: dict[str, Any] | None, source: ListedSource, form: str, out: Path) -> bool:
    """Was it written by this code from this content, and is it still there? A failure is tried again."""
    if record is None or record.get("code") != _made_by(form, source.told):
        return False
    try:
        there = bool((out / str(record["output"])).stat().st_size == record["size"])
        return there and guard.look(source.path) == record["sha256"]
    except (OSError, KeyError, SourceError):
        return False


def _load(out: Path) -> dict[str, dict[str, Any]]:
    """The manifest by output; a line that a killed export tore is left out."""
    records: dict[str, dict[str, Any]] = {}
    with contextlib.suppress(FileNotFoundError):
        for line in (out / MANIFEST).read_text("ascii", errors="replace").splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                record = json.loads(line)
                records[str(record["output"])] = dict(record)
    return records


def _save(out: Path, manifest: dict[str, dict[str, Any]]) -> None:
    store.write(out / MANIFEST, "".join(json.dumps(manifest[name]) + "\n" for name in sorted(manifest)))
