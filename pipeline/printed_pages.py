"""The pages of a PDF that we printed ourselves, to measure them: where text stands, and what it says there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Rect = tuple[float, float, float, float]  # points from the lower left corner: left, bottom, right, top


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """One page: its size in points and its text, as long as the file is open."""

    width: float
    height: float
    _text: Any  # of the engine

    def boxes(self) -> list[Rect]:
        """The rectangles of its text, in the order in which it was drawn."""
        return [self._text.get_rect(place) for place in range(self._text.count_rects())]

    def text_in(self, area: Rect) -> str:
        """The words inside ``area``."""
        return str(self._text.get_text_bounded(*area))


@contextmanager
def printed_pages(pdf: bytes) -> Iterator[list[PrintedPage]]:
    """Every page of a PDF, which stays open inside the ``with``."""
    from pipeline.extract.opened import opened

    with opened(pdf) as document:
        yield [PrintedPage(page.get_width(), page.get_height(), page.get_textpage()) for page in document]
