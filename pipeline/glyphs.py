"""The pictures of a publisher's own symbol font as drawings: an icon without a name looks as in its source."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

EM = 1000  # units of a drawing in the height of the type
FONT_NAME = 256  # bytes: longer names are none that we asked for
SEGMENTS = 4000  # of one glyph: more is a drawing that no line of text needs
DEEP = 8  # forms within forms


def drawn(path: str, glyphs: Sequence[str]) -> dict[str, str]:
    """The glyphs ("Font:E003") of a PDF as SVG, as many as have an outline; plain arguments and results, so that a
    guarded child can be asked for them."""
    import pypdfium2

    wanted, made = set(glyphs), dict[str, str]()
    with pypdfium2.PdfDocument(path) as opened:
        for number in range(len(opened)):
            if not wanted:
                break
            page = opened[number]
            for glyph, font, code in _letters(page, wanted):
                wanted.discard(glyph)
                if svg := _svg(font, code):
                    made[glyph] = svg
            page.close()
    return made


def _letters(page: Any, wanted: set[str]) -> Iterator[tuple[str, Any, int]]:
    """Each wanted glyph where the page first draws it: its name, its font and its code."""
    import pypdfium2.raw as engine

    names = {glyph.rpartition(":")[0] for glyph in wanted}
    text = page.get_textpage()
    for each in page.get_objects(filter=[engine.FPDF_PAGEOBJ_TEXT], max_depth=DEEP):
        font = engine.FPDFTextObj_GetFont(each.raw)
        if (name := _name(font)) not in names:
            continue
        for letter in _text(each.raw, text.raw):
            glyph = f"{name}:{ord(letter):04X}"
            if glyph in wanted:
                yield glyph, font, ord(letter)
    text.close()


def _name(font: Any) -> str:
    """As the reader calls it: without the letters before "+"."""
    import pypdfium2.raw as engine

    held = ctypes.create_string_buffer(FONT_NAME)
    engine.FPDFFont_GetBaseFontName(font, held, FONT_NAME)
    name = held.value.decode("utf-8", "replace")
    return name[7:] if name[6:7] == "+" else name


def _text(drawn_one: Any, page: Any) -> str:
    import pypdfium2.raw as engine

    size = engine.FPDFTextObj_GetText(drawn_one, page, None, 0)
    held = ctypes.create_string_buffer(max(2, size))
    engine.FPDFTextObj_GetText(drawn_one, page, ctypes.cast(held, ctypes.POINTER(ctypes.c_ushort)), size)
    return held.raw[: max(0, size - 2)].decode("utf-16-le", "surrogatepass")


def _svg(font: Any, code: int) -> str:
    """A glyph as a picture that is just as large as it; "" for one that draws nothing."""
    import pypdfium2.raw as engine

    outline = engine.FPDFFont_GetGlyphPath(font, code, ctypes.c_float(EM))
    count = engine.FPDFGlyphPath_CountGlyphSegments(outline) if outline else 0
    if not 0 < count <= SEGMENTS:
        return ""
    pieces, points = [], []
    curve: list[str] = []
    for number in range(count):
        segment = engine.FPDFGlyphPath_GetGlyphPathSegment(outline, number)
        across, up = ctypes.c_float(), ctypes.c_float()
        engine.FPDFPathSegment_GetPoint(segment, across, up)
        x, y = round(across.value * EM), round(-up.value * EM)
        points.append((x, y))
        what = engine.FPDFPathSegment_GetType(segment)
        if what == engine.FPDF_SEGMENT_BEZIERTO:
            curve.append(f"{x} {y}")
            if len(curve) == 3:
                pieces.append("C" + " ".join(curve))
                curve.clear()
        else:
            pieces.append(f"{'M' if what == engine.FPDF_SEGMENT_MOVETO else 'L'}{x} {y}")
        if engine.FPDFPathSegment_GetClose(segment):
            pieces.append("Z")
    left, top = min(x for x, _ in points), min(y for _, y in points)
    wide, high = max(x for x, _ in points) - left, max(y for _, y in points) - top
    if not wide or not high:
        return ""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {wide} {high}" width="{wide}" '
            f'height="{high}"><path d="{"".join(pieces)}"/></svg>')  # fmt: skip
