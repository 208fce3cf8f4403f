"""Where each letter of a page stands, measured one by one: for marks that must lie on words and on nothing else.

Reading needs only where a run begins and ends, and a call a letter costs six times as much as plain text: so this is
asked only for pages that get a mark.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import pypdfium2.raw as raw

from pipeline.extract.engine import Reader
from pipeline.extract.handles import address, loose_box_of, unicode_of
from pipeline.extract.page_objects import placed
from pipeline.records import Box

_BOX = struct.Struct("=4f")

Letter = tuple[str, Box]


def characters(document: Any, number: int) -> list[Letter]:
    """The characters of a page (1-based) with their boxes as the page is shown, in the order they are drawn in."""
    page = raw.FPDF_LoadPage(document, number - 1)
    if not page:
        return []
    text_page = raw.FPDFText_LoadPage(page)
    try:
        shown, handle, box = Reader(document)._shown(page), address(text_page), ctypes.create_string_buffer(_BOX.size)
        letters: list[Letter] = []
        for at in range(max(0, raw.FPDFText_CountChars(text_page))):
            if loose_box_of(handle, at, box):
                left, top, right, bottom = _BOX.unpack(box)
                x0, y0, x1, y1 = placed(left, bottom, right, top, shown)
                letters.append((chr(unicode_of(handle, at)), Box(x0=x0, top=y0, x1=x1, bottom=y1)))
        return letters
    finally:
        raw.FPDFText_ClosePage(text_page)
        raw.FPDF_ClosePage(page)
