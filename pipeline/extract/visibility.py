"""What a reader sees of what is drawn: layers that are switched off, clips, boxes filled with a gradient."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as raw

from pipeline.extract.page_objects import UNSEEN, WHITE, Drawing, Drawn, Plain, Sheet, decode, hexadecimal

SAMPLE = 6  # texts of a page that are asked for their layer
PIXELS_MAX = 4_000_000  # of a page that is painted; a larger one is a poster
COMPARED_MAX = 1_000_000  # white words x drawings; more is an attack


def has_layers(texts: list[Plain]) -> bool:
    """Asked of a few texts of a page, the first and the last among them: where there are layers, most stand in one."""
    return any(_layer(drawn[10]) for drawn in [*texts[:: len(texts) // SAMPLE + 1], *texts[-1:]])


def _layer(handle: int) -> str:
    """The name of the layer that an object is in, if it is in one."""
    drawn = ctypes.cast(handle, raw.FPDF_PAGEOBJECT)
    for at in range(raw.FPDFPageObj_CountMarks(drawn)):
        mark = raw.FPDFPageObj_GetMark(drawn, at)
        if _written(raw.FPDFPageObjMark_GetName, mark) == "OC":
            return _written(raw.FPDFPageObjMark_GetParamStringValue, mark, b"Name")
    return ""


def _written(get: Any, *of: Any) -> str:
    """What the engine writes into a buffer, in UTF-16."""
    buffer, length = ctypes.create_string_buffer(512), ctypes.c_ulong()
    get(*of, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), 512, length)
    return decode(buffer.raw[: min(512, length.value)]).rstrip("\0")


def clips(handle: int) -> Iterator[tuple[float, float, float, float]]:
    """The boxes around the paths that an object is clipped to, in its own coordinates."""
    clip = raw.FPDFPageObj_GetClipPath(ctypes.cast(handle, raw.FPDF_PAGEOBJECT))
    x, y = ctypes.c_float(), ctypes.c_float()
    for path in range(raw.FPDFClipPath_CountPaths(clip)):
        points = []
        for at in range(raw.FPDFClipPath_CountPathSegments(clip, path)):
            raw.FPDFPathSegment_GetPoint(raw.FPDFClipPath_GetPathSegment(clip, path, at), x, y)
            points.append((x.value, y.value))
        if points:
            across, up = zip(*points, strict=True)
            yield min(across), min(up), max(across), max(up)


def in_layer(drawn: Plain, off: set[str]) -> Plain:
    """The text, invisible where its layer is switched off."""
    return Drawn._make(drawn)._replace(mode=UNSEEN[0])[:] if _layer(drawn[10]) in off else drawn


def tell_gradients(sheet: Sheet, page: Any) -> None:
    """The engine says that what is filled with a gradient is white. Where white words stand on such a box, and on
    nothing darker, the page is painted: the box has the colour that is seen between their letters.
    """
    on_white, wide, high = _on_white(sheet), int(sheet.width), int(sheet.height)
    if not on_white or not 0 < wide * high < PIXELS_MAX:
        return
    bitmap = raw.FPDFBitmap_Create(wide, high, 0)
    raw.FPDFBitmap_FillRect(bitmap, 0, 0, wide, high, 0xFFFFFFFF)
    raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, wide, high, 0, 0)
    row = raw.FPDFBitmap_GetStride(bitmap)
    pixels = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), row * high)
    raw.FPDFBitmap_Destroy(bitmap)
    for drawn, drawing in on_white:
        start = row * min(high - 1, max(0, int((drawn.top + drawn.bottom) / 2)))
        across = range(max(0, int(drawn.x0)), min(wide, int(drawn.x1)))
        seen = [pixels[start + 4 * x : start + 4 * x + 3] for x in across]
        blue, green, red = min(seen, key=sum, default=b"\xff\xff\xff")
        drawing.fill = hexadecimal(red, green, blue) if drawing.fill == WHITE else drawing.fill


def _on_white(sheet: Sheet) -> list[tuple[Drawn, Drawing]]:
    """White words with the white box that they stand on, where nothing darker is under them."""
    words = [drawn for drawn in map(Drawn._make, sheet.texts) if drawn.look.colour == WHITE]
    if len(words) * len(sheet.drawings) > COMPARED_MAX:
        return []
    pairs = []
    for drawn in words:
        x, y = (drawn.x0 + drawn.x1) / 2, (drawn.top + drawn.bottom) / 2
        under = [d for d in sheet.drawings if d.box.x0 < x < d.box.x1 and d.box.top < y < d.box.bottom]
        if under and all(drawing.fill == WHITE and drawing.simple for drawing in under):
            pairs.append((drawn, under[-1]))
    return pairs
