"""The books on the desk: what is read of each, and read again where a person changed it.

Sources are read in the same guarded children as everywhere, all from one thread: children die with the thread that
started them. The blocks of a source stay in memory, so that a click costs classifying and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from pipeline import flow, guard, store
from pipeline.config import BookSettings, Overrides, load_book, load_mends, load_overrides, sources
from pipeline.desk.toml_edits import FileChange
from pipeline.errors import RubricatorError, SourceError
from pipeline.paths import inside
from pipeline.records import Book, Document, Finding, Structure
from pipeline.tasks import LAID_OUT, REREAD

PICTURES = 64  # pages kept as pictures: about 20 MB
OPENED = 12  # sources whose blocks are kept
AHEAD = ".desk.json"  # in a book's folder: how far its review is
# Findings of the second reader, which is not asked again.
SECOND = ("pages-disagree", "text-disagrees", "text-cut", "words-lost", "second-reader-failed")

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOut:
    """A source before it is understood."""

    path: Path
    sha256: str
    packed: Any  # its blocks, as JSON
    structure: Structure
    sizes: tuple[tuple[float, float], ...]  # of its pages, in points
    findings: tuple[Finding, ...] = ()  # of the second reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A source as it is read now."""

    laid: LaidOut
    document: Document
    structure: Structure  # as it was shaped


@dataclass(slots=True)
class Opened:
    """A book on the desk."""

    name: str
    folder: Path
    only: str = ""  # the one source that was asked for, where a file was
    done: list[list[FileChange]] = field(default_factory=list)  # what can be taken back: the marks of each click
    undone: list[list[FileChange]] = field(default_factory=list)

    def paths(self) -> tuple[Path, ...]:
        """The sources, in the order that book.toml says."""
        if self.only:
            return (self.folder / self.only,)
        try:
            return sources(self.folder, self.settings())
        except SourceError:  # a book that has no PDF yet
            return ()

    def path(self, source: str) -> Path:
        """The path of one of the sources: nothing else can be named."""
        for path in self.paths():
            if path.name == source:
                return inside(self.folder, path.name)
        raise SourceError("there is no such source in this book", where=source)

    def settings(self) -> BookSettings:
        return load_book(self.folder)

    def overrides(self) -> Overrides:
        return load_overrides(self.folder)

    def version(self) -> str:
        """Changes when anything in the folder does: by this desk, another, or a text editor."""
        names = [*self.folder.glob("*.toml"), *self.folder.glob("events/*.toml"), *self.folder.glob("*.pdf")]
        files = [(path.name, (status := path.stat()).st_mtime_ns, status.st_size) for path in sorted(names)]
        return hashlib.sha256(repr(files).encode()).hexdigest()[:16]


class Shelf:
    """Every book that may be opened, and what was read of them."""

    def __init__(self, root: Path, output: Path) -> None:
        self.root, self.output = root, output
        self.lock = threading.RLock()
        self._books: dict[str, Opened] = {}
        self._reader = ThreadPoolExecutor(1, "reader")
        self._closed = False
        self._laid: OrderedDict[Path, LaidOut] = OrderedDict()
        self._readings: dict[tuple[Path, str], Reading] = {}
        self._digests: dict[Path, tuple[tuple[int, ...], str]] = {}
        self._known: dict[str, list[Document]] = {}
        self._merged: dict[str, tuple[str, Book]] = {}
        self._pictures: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()

    # ------------------------------------------------------------ books

    def open(self, folder: Path, only: str = "") -> Opened:
        """A folder as a book of this desk."""
        with self.lock:
            name = folder.resolve().name
            book = self._books.get(name)
            if book is None or book.folder.resolve() != folder.resolve():
                book = self._books[name] = Opened(name, folder, only)
            return book

    def names(self) -> list[str]:
        """The books that were opened, and all of sources/."""
        folders = [path.name for path in sorted(self.root.glob("[!.]*")) if path.is_dir()]
        return list(dict.fromkeys([*self._books, *folders]))

    def book(self, name: str) -> Opened:
        """A book by its name; nothing that is not in the list."""
        with self.lock:
            if name in self._books:
                return self._books[name]
            if name in self.names():
                return self.open(self.root / name)
        raise SourceError("there is no such book", where=name, hint=f"known are {', '.join(self.names())}")

    # ------------------------------------------------------------ reading

    def in_turn(self, work: Callable[[], R]) -> R:
        """Run something in the thread that owns the child processes."""
        try:
            return self._reader.submit(work).result()
        except (CancelledError, RuntimeError) as error:
            if self._closed:
                raise SourceError("the desk was closed") from None
            raise error

    def reading(self, book: Opened, source: str) -> Reading:
        """A source as it is read with what a person said of it up to now."""
        path = book.path(source)
        return self.in_turn(lambda: self._reading(book, path))

    def _reading(self, book: Opened, path: Path) -> Reading:
        laid = self._lay(path)
        mends, icons = load_mends(book.folder), book.settings().icons
        packed = store.to_json(mends) if mends else None
        key = hashlib.sha256(json.dumps([packed, dict(icons)], sort_keys=True).encode()).hexdigest()
        reading = self._readings.get((path, key))
        if reading is None or reading.laid is not laid:
            reading = self._readings[path, key] = _reread(laid, packed, icons)
        for other in [each for each in self._readings if each[0] == path and each[1] != key]:
            del self._readings[other]
        return reading

    def _lay(self, path: Path) -> LaidOut:
        sha256 = self._digest(path)
        laid = self._laid.get(path)
        if laid is None or laid.sha256 != sha256:
            outcome = next(iter(guard.read_all([path], jobs=1)))[1]
            if isinstance(outcome, RubricatorError):
                raise outcome
            asked = {"path": str(path.resolve()), "sha256": sha256}
            answer = guard.run(LAID_OUT, asked, limits=guard.READING, where=path.name)
            sizes = tuple((float(wide), float(high)) for wide, high in answer["sizes"])
            findings = tuple(each for each in outcome.findings if each.code in SECOND)
            laid = LaidOut(path=path, sha256=sha256, packed=answer["structure"], sizes=sizes, findings=findings,
                        structure=store.from_json(Structure, answer["structure"]))  # fmt: skip
        self._laid[path] = laid
        self._laid.move_to_end(path)
        while len(self._laid) > OPENED:
            self._laid.popitem(last=False)
        return laid

    def _digest(self, path: Path) -> str:
        """The hash of a file, taken again when the file changed."""
        status = path.stat()
        key = (status.st_mtime_ns, status.st_size)
        if self._digests.get(path, ((), ""))[0] != key:
            self._digests[path] = (key, guard.look(path))
        return self._digests[path][1]

    def documents(self, book: Opened, progress: Callable[[str], None] = lambda line: None) -> list[Document]:
        """Every source of a book that can be read, as it is read now."""
        return self.in_turn(lambda: self._documents(book, progress))

    def _documents(self, book: Opened, progress: Callable[[str], None]) -> list[Document]:
        paths = book.paths()
        known = {path: self._reading(book, path).document for path in paths if path in self._laid}
        others = [path for path in paths if path not in known]
        for path, outcome in flow.documents(others, progress=progress):
            if isinstance(outcome, RubricatorError):
                raise outcome
            known[path] = outcome
        self._known[book.name] = [known[path] for path in paths]
        return self._known[book.name]

    def known(self, book: Opened) -> list[Document]:
        """The documents of a book as they were last read together; none before that."""
        return self._known.get(book.name, [])

    def merged(self, book: Opened) -> Book:
        """The rulings of a book, from what was read now."""
        documents = self.documents(book)
        key = book.version()
        cached = self._merged.get(book.name)
        if cached is None or cached[0] != key:
            from pipeline.dedup import dedup
            from pipeline.icons import number_icons

            merged = dedup(number_icons(documents), book.settings(), book.overrides())
            cached = self._merged[book.name] = (key, merged)
        return cached[1]

    # ------------------------------------------------------------ pictures

    def picture(self, path: Path, page: int, wide: int) -> bytes:
        """A page as PNG, drawn by a guarded child."""
        sha256 = self._digest(path)
        key = (sha256, page, wide)
        if key not in self._pictures:
            asked = {"path": str(path.resolve()), "number": page, "wide": wide}
            png: bytes = self.in_turn(
                lambda: guard.run("pipeline.picture:one_page", asked, limits=guard.READING, where=path.name)
            )
            self._pictures[key] = png
        self._pictures.move_to_end(key)
        while len(self._pictures) > PICTURES:
            self._pictures.popitem(last=False)
        return self._pictures[key]

    def close(self) -> None:
        """Stop reading; the child processes end with their thread."""
        self._closed = True
        self._reader.shutdown(wait=False, cancel_futures=True)


def _reread(laid: LaidOut, mends: Any, icons: Mapping[str, str]) -> Reading:
    from pipeline.icons import name_icons, number_icons

    asked = {"structure": laid.packed, "mends": mends}
    answer = guard.run(REREAD, asked, limits=guard.READING, where=laid.path.name)
    document = store.from_json(Document, answer["document"])
    document = replace(document, findings=(*document.findings, *laid.findings))
    shaped = store.from_json(Structure, answer["structure"]) if answer["structure"] else laid.structure
    return Reading(laid=laid, document=number_icons([name_icons(document, icons)])[0], structure=shaped)




# ---------------------------------------------------------------- how far a review is


def seen(folder: Path) -> dict[str, list[str]]:
    """The keys of what was looked at, by source."""
    try:
        marks = json.loads((folder / AHEAD).read_text("utf-8"))["seen"]
        return {str(source): [str(key) for key in keys] for source, keys in marks.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def see(folder: Path, source: str, keys: list[str], *, looked: bool) -> None:
    """Remember that something was looked at, or is to be looked at again."""
    with store.locked(folder / AHEAD, lambda line: None):
        marks = seen(folder)
        own = dict.fromkeys(marks.get(source, []))
        for key in keys:
            own.pop(key, None)
            if looked:
                own[key] = None
        store.write(folder / AHEAD, json.dumps({"seen": {**marks, source: [*own]}}, ensure_ascii=False, indent=1))
