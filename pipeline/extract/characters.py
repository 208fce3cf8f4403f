"""Where each letter of a page stands, measured one by one: for marks that must lie on words and on nothing else.

Reading needs only where a run begins and ends, and a call a letter costs six times as much as plain text: so this is
asked only for lines that get a mark.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any, Self

import pypdfium2.raw as raw

from pipeline.extract.engine import Reader
from pipeline.extract.handles import address, loose_box_of, unicode_of
from pipeline.extract.page_objects import placed
from pipeline.records import Box

_BOX = struct.Struct("=4f")

Letter = tuple[str, Box]


class Characters:
    """The characters of a page (1-based) in the order they are drawn in; each is measured when it is asked for."""

    def __init__(self, document: Any, number: int) -> None:
        self._document, self._number = document, number
        self.text = ""

    def __enter__(self) -> Self:
        self._page = raw.FPDF_LoadPage(self._document, self._number - 1)
        self._text_page = raw.FPDFText_LoadPage(self._page)
        self._shown, self._handle = Reader(self._document)._shown(self._page), address(self._text_page)
        self._box = ctypes.create_string_buffer(_BOX.size)
        count = max(0, raw.FPDFText_CountChars(self._text_page))
        whole = (ctypes.c_ushort * (count + 1))()
        raw.FPDFText_GetText(self._text_page, 0, count, whole)
        self.text = bytes(whole)[:-2].decode("utf-16-le", "replace")
        return self

    def __exit__(self, *_: object) -> None:
        raw.FPDFText_ClosePage(self._text_page)
        raw.FPDF_ClosePage(self._page)

    def letters(self, first: int, last: int) -> list[Letter]:
        """The characters between two places of the text with their boxes as the page is shown."""
        letters: list[Letter] = []
        for at in range(first, last):
            if loose_box_of(self._handle, at, self._box):
                left, top, right, bottom = _BOX.unpack(self._box)
                x0, y0, x1, y1 = placed(left, bottom, right, top, self._shown)
                letters.append((chr(unicode_of(self._handle, at)), Box(x0=x0, top=y0, x1=x1, bottom=y1)))
        return letters
