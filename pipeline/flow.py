"""THE PIPELINE: read this first. Each function is a recipe of stages; no stage knows another.

    extract  -> structure -> classify          a PDF becomes a Document            (read)
    dedup                                      Documents become a Book             (merge)
    diff                                       two Documents become Changes        (compare)
    handout                                    a Book and an event become a Book   (prepare)
    render   -> impose                         a Book becomes files                (render)

``read``, ``merge``, ``compare`` and ``render`` do the work in this process, for sources that you trust. The
commands call ``documents``, ``open_book`` and ``build``, which read and print in guarded child processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import RubricatorError, SourceError
from pipeline.records import Book, Changes, Document, Extract

if TYPE_CHECKING:
    from pipeline.config import BookSettings

Progress = Callable[[str], None]


def _silent(line: str) -> None:
    """No progress."""


# ---------------------------------------------------------------- in this process


def read(path: str | Path) -> Document:
    """The whole reading of one PDF, in this process and without the guard: for sources you trust."""
    from pipeline.extract import extract

    return understand(extract(Path(path)))


def understand(extract: Extract) -> Document:
    """What is drawn on the pages, in reading order and called by its name."""
    from pipeline.classify import classify
    from pipeline.structure import structure

    return classify(structure(extract))


def merge(documents: Sequence[Document]) -> Book:
    """The rulings of several documents, each once, with all its citations."""
    from pipeline.dedup import dedup

    return dedup(documents)


def compare(old: Document, new: Document) -> Changes:
    """What changed between two releases of one document."""
    from pipeline.diff import diff

    return diff(old, new)


def render(book: Book, product: str, out: str | Path) -> Path:
    """One product of a book, written to ``out``."""
    from pipeline.render import render as to_file

    return to_file(book, product, Path(out))


# ---------------------------------------------------------------- in guarded children: what the commands do


def documents(
    paths: Sequence[Path], *, jobs: int = 2, progress: Progress = _silent
) -> Iterator[tuple[Path, Document | RubricatorError]]:
    """Each PDF read in a guarded child; one that fails costs only itself."""
    from pipeline import guard

    yield from guard.read_all(paths, jobs=jobs, progress=progress)


def open_book(folder: Path, *, jobs: int = 2, progress: Progress = _silent) -> tuple[Book, BookSettings]:
    """A folder of sources as a book. A source that cannot be read stops it: half a rulebook is never printed."""
    from pipeline.config import load_book, load_overrides, sources
    from pipeline.dedup import dedup

    settings, overrides = load_book(folder), load_overrides(folder)
    read_ones: list[Document] = []
    for _, document in documents(sources(folder, settings), jobs=jobs, progress=progress):
        if isinstance(document, RubricatorError):
            raise document
        read_ones.append(document)
    return dedup(read_ones, settings, overrides), settings


def build(
    folder: Path, output: Path, *, jobs: int = 2, progress: Progress = _silent
) -> tuple[Book, list[Path]]:
    """Every product of a book, written to its own folder in ``output``."""
    from pipeline.render import render_all

    book, settings = open_book(folder, jobs=jobs, progress=progress)
    return book, render_all(book, settings, output / book.name, jobs=jobs, progress=progress)


def book_folder(name: str, root: Path = Path("sources")) -> Path:
    """The folder of a book, named by its path or by its name in sources/."""
    for folder in (Path(name), root / name):
        if folder.is_dir():
            return folder
    known = sorted(path.name for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    raise SourceError("there is no such book", where=name, hint=f"known are {', '.join(known)}" if known else
                      "make a folder in sources/ and put the publisher's PDFs there")  # fmt: skip


def all_books(root: Path = Path("sources")) -> list[Path]:
    """Every folder in sources/."""
    found = sorted(path for path in root.iterdir() if path.is_dir()) if root.is_dir() else []
    if not found:
        raise SourceError(
            "there is no book here", where=str(root), hint="make one with 'rubricator new-book NAME'"
        )
    return found


def named(document: Document, source: str) -> Document:
    """The document under another file name: two sources of one name are told apart by it."""
    return replace(
        document, source=source, entries=tuple(replace(entry, source=source) for entry in document.entries)
    )
