"""Weight and names that a font has, but does not tell where the engine looks: in its descriptor, or in its own file."""

from __future__ import annotations

import contextlib
import ctypes
import re
import struct
from typing import Any

import pypdfium2.raw as raw

from pipeline import pdf_objects

DRAWN = b"/Type3"  # fonts whose glyphs are drawings, as Chromium writes those of many formats
THOUSANDTHS = 0.0011  # the measure of a glyph in a font that is like others; one with another is left as it is
HEAVY = 600  # the least weight that is called bold
FILE_MAX = 20_000_000
_BARE = re.compile(r"(?:CIDFont\+)?[A-Z][A-Za-z]{0,2}_?\d{1,3}$")  # "F1", "TT2", "T1_0": nobody's name of a font
_HEAD, _OS2 = b"head", b"OS/2"


def named(content: bytes) -> bytes:
    """The file, its drawn fonts called by the names that their descriptors give them; the same when there are none."""
    if DRAWN not in content:
        return content
    with contextlib.suppress(pdf_objects.DamagedPdfError, ValueError, TypeError), pdf_objects.opened(content) as pdf:
        if sum(_name(each) for each in pdf.objects if pdf_objects.is_dictionary(each)):
            return pdf_objects.saved(pdf, same_bytes=False)
    return content


def _name(font: Any) -> bool:
    """Name one drawn font after its descriptor; False where there is nothing to do."""
    about = font.get("/FontDescriptor")
    if font.get("/Subtype") != "/Type3" or "/BaseFont" in font or "/ToUnicode" not in font:
        return False
    if not pdf_objects.is_dictionary(about) or abs(float(font.FontMatrix[0])) > THOUSANDTHS:
        return False
    name = str(about.get("/FontName", "/"))
    heavy = int(about.get("/FontWeight", 0)) >= HEAVY and "bold" not in name.lower()
    font["/BaseFont"] = pdf_objects.name(f"{name}-Bold" if heavy else name)
    return len(name) > 1


def is_heavy(handle: int, name: str) -> bool:
    """Does the file of a font that has no name of its own say that it is bold?"""
    return _BARE.match(name) is not None and _weighs(_file(handle))


def _file(handle: int) -> bytes:
    font, length = ctypes.cast(handle, raw.FPDF_FONT), ctypes.c_size_t()
    if not raw.FPDFFont_GetFontData(font, None, 0, length) or not 0 < length.value < FILE_MAX:
        return b""
    buffer = (ctypes.c_uint8 * length.value)()
    return bytes(buffer) if raw.FPDFFont_GetFontData(font, buffer, length.value, length) else b""


def _weighs(file: bytes) -> bool:
    """Bold by the tables of a TrueType or OpenType font, or by the name in one that is bare outlines."""
    if file[:1] == b"\x01":  # the name comes first in it
        return b"Bold" in file[:100]
    try:
        (count,) = struct.unpack_from(">H", file, 4)
        tables = {tag: at for tag, _, at, _ in struct.iter_unpack(">4sIII", file[12 : 12 + 16 * count])}
        if _OS2 in tables and struct.unpack_from(">H", file, tables[_OS2] + 4)[0] >= HEAVY:
            return True
        return _HEAD in tables and bool(struct.unpack_from(">H", file, tables[_HEAD] + 44)[0] & 1)
    except struct.error:  # no font that we know
        return False
