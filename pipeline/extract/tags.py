"""The titles that the tags of a page name: H1 to H6 in the tree that the file brings along for readers aloud."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2.raw as raw

from pipeline.extract.handles import place
from pipeline.extract.page_objects import Plain

ELEMENTS_MAX = 20_000  # on one page; more is an attack
DEEPEST = 40  # elements inside each other
_HEAD = re.compile(r"H([1-6])$")
_NAME = 64  # bytes of the name of a tag, in UTF-16; a longer one is none of H1 to H6


def is_tagged(document: Any) -> bool:
    """Does the file say that it has tags?"""
    return bool(raw.FPDFCatalog_IsTagged(document))


def titles(page: Any, texts: Sequence[Plain]) -> list[tuple[int, str]]:
    """The titles on a page with their levels, in the order of the tree."""
    tree = raw.FPDF_StructTree_GetForPage(page)
    if not tree:
        return []
    try:
        heads = list(_heads(tree))
    finally:
        raw.FPDF_StructTree_Close(tree)
    if not heads:
        return []
    by_mark: dict[int, list[str]] = {}
    for drawn in texts:
        by_mark.setdefault(raw.FPDFPageObj_GetMarkedContentID(_handle(drawn[10])), []).append(drawn[0])
    tagged_titles = ((level, " ".join(" ".join(text for mark in marks for text in by_mark.get(mark, ())).split()))
            for level, marks in heads)  # fmt: skip
    return [(level, title) for level, title in tagged_titles if title]


def _handle(address: int) -> Any:
    return ctypes.cast(place(address), raw.FPDF_PAGEOBJECT)


def _heads(tree: Any) -> Iterator[tuple[int, list[int]]]:
    """Each element that is tagged as a title: its level and the marked contents in it."""
    count = raw.FPDF_StructTree_CountChildren(tree)
    waiting = [(raw.FPDF_StructTree_GetChildAtIndex(tree, at), 0) for at in reversed(range(count))]
    for _ in range(ELEMENTS_MAX):
        if not waiting:
            return
        element, depth = waiting.pop()
        if not element or depth > DEEPEST:
            continue
        if match := _HEAD.match(_type(element)):
            yield int(match[1]), list(_contents(element))
        else:
            waiting += [(child, depth + 1) for child in reversed(_children(element))]


def _type(element: Any) -> str:
    buffer = ctypes.create_string_buffer(_NAME)
    size = raw.FPDF_StructElement_GetType(element, buffer, _NAME)
    return buffer.raw[: size - 2].decode("utf-16-le", "ignore") if 2 < size <= _NAME else ""


def _children(element: Any) -> list[Any]:
    count = raw.FPDF_StructElement_CountChildren(element)
    children = (raw.FPDF_StructElement_GetChildAtIndex(element, at) for at in range(min(count, ELEMENTS_MAX)))
    return [child for child in children if child]


def _contents(element: Any, depth: int = 0) -> Iterator[int]:
    """The marked contents of an element and of those in it, in order."""
    for at in range(min(max(0, raw.FPDF_StructElement_CountChildren(element)), ELEMENTS_MAX)):
        mark = raw.FPDF_StructElement_GetChildMarkedContentID(element, at)
        if mark >= 0:
            yield mark
        elif depth < DEEPEST and (child := raw.FPDF_StructElement_GetChildAtIndex(element, at)):
            yield from _contents(child, depth + 1)
