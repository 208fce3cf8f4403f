"""THE PIPELINE: read this first. Each function is a recipe of stages; no stage knows another.

    extract  -> structure -> classify          a PDF becomes a Document            (read)
    dedup                                      Documents become a Book             (merge)
    diff                                       two Documents become Changes        (compare)
    handout                                    a Book and an event become a Book   (prepare)
    render   -> impose                         a Book becomes files                (render)
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipeline.records import Book, Changes, Document


def read(path: str | Path) -> Document:
    """The whole reading of one PDF, in this process and without the guard: for sources you trust."""
    from pipeline.classify import classify
    from pipeline.extract import extract
    from pipeline.structure import structure

    return classify(structure(extract(Path(path))))


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
