"""pdfium's functions that are called for every object, with handles as plain numbers.

The raw interface makes a pointer for each handle that comes back and lets go of the interpreter for each call:
together that costs as much again as reading the page's text. What is called for every line has no list of types,
either, by which each argument is looked at: its places are those of ``place``, made once, and its numbers are small.
"""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2.raw as raw

_HANDLE, _NUMBER, _PLACE = ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
letter_at, letter_in, reference = ctypes.c_char.from_address, ctypes.c_char.from_buffer, ctypes.byref


def _plain(function: Any, gives: Any, *takes: Any) -> Any:
    return ctypes.PYFUNCTYPE(gives, *takes)(ctypes.cast(function, ctypes.c_void_p).value or 0)


def place(address: int) -> Any:
    """An address as it is handed over, without looking at it again."""
    return reference(letter_at(address))


def address(handle: Any) -> int:
    """A handle of the raw interface as a number; a cast would cost five times as much."""
    return int.from_bytes(handle, "little") if handle else 0


# Each with places (and small numbers) only
object_of_page = _plain(raw.FPDFPage_GetObject, _HANDLE)
owner_of = _plain(raw.FPDFText_GetTextObject, _HANDLE)  # of a character on a page of text
page_text_of = _plain(raw.FPDFText_GetText, _NUMBER)
bounds_of = _plain(raw.FPDFPageObj_GetBounds, None)
matrix_of = _plain(raw.FPDFPageObj_GetMatrix, None)
size_of = _plain(raw.FPDFTextObj_GetFontSize, None)
fill_of = _plain(raw.FPDFPageObj_GetFillColor, _NUMBER)
stroke_of = _plain(raw.FPDFPageObj_GetStrokeColor, _NUMBER)
mode_of = _plain(raw.FPDFTextObj_GetTextRenderMode, _NUMBER)
font_of = _plain(raw.FPDFTextObj_GetFont, _HANDLE)
clip_of = _plain(raw.FPDFPageObj_GetClipPath, _HANDLE)

# Each with addresses
clips_of = _plain(raw.FPDFClipPath_CountPaths, _NUMBER, _HANDLE)
object_of_form = _plain(raw.FPDFFormObj_GetObject, _HANDLE, _HANDLE, ctypes.c_ulong)
objects_of_form = _plain(raw.FPDFFormObj_CountObjects, _NUMBER, _HANDLE)
kind_of = _plain(raw.FPDFPageObj_GetType, _NUMBER, _HANDLE)
text_of = _plain(raw.FPDFTextObj_GetText, ctypes.c_ulong, _HANDLE, _HANDLE, _PLACE, ctypes.c_ulong)
unicode_of = _plain(raw.FPDFText_GetUnicode, ctypes.c_uint, _HANDLE, _NUMBER)
draw_mode_of = _plain(raw.FPDFPath_GetDrawMode, _NUMBER, _HANDLE, _PLACE, _PLACE)
segments_of = _plain(raw.FPDFPath_CountSegments, _NUMBER, _HANDLE)
segment_of = _plain(raw.FPDFPath_GetPathSegment, _HANDLE, _HANDLE, _NUMBER)
segment_kind_of = _plain(raw.FPDFPathSegment_GetType, _NUMBER, _HANDLE)
closes = _plain(raw.FPDFPathSegment_GetClose, _NUMBER, _HANDLE)
point_of = _plain(raw.FPDFPathSegment_GetPoint, _NUMBER, _HANDLE, _PLACE, _PLACE)
font_name_of = _plain(raw.FPDFFont_GetBaseFontName, ctypes.c_size_t, _HANDLE, _PLACE, ctypes.c_size_t)
font_flags_of = _plain(raw.FPDFFont_GetFlags, _NUMBER, _HANDLE)
loose_box_of = _plain(raw.FPDFText_GetLooseCharBox, _NUMBER, _HANDLE, _NUMBER, _PLACE)
