"""pdfium, through its raw interface, which only this file knows, and those beside it that look closer at what is rare:
vector_paths.py at what is drawn, overlaps.py at words drawn into each other, visibility.py at what a reader does not
see of a page.

Text is read object by object (text, bounds, font, size, colour in a few calls), never character by character:
that costs about twice the plain text of the page instead of seven times. Coordinates leave this file measured
from the top left of the page as it is shown, whatever the page's rotation and crop box.
"""

from __future__ import annotations

import ctypes
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pypdfium2
import pypdfium2.raw as raw

from pipeline.extract import fontnames, inline, overlaps, tags, vector_paths, visibility
from pipeline.extract.handles import (
    address,
    bounds_of,
    clip_of,
    clips_of,
    draw_mode_of,
    fill_of,
    font_flags_of,
    font_name_of,
    font_of,
    kind_of,
    letter_at,
    letter_in,
    matrix_of,
    mode_of,
    object_of_form,
    object_of_page,
    objects_of_form,
    owner_of,
    page_text_of,
    place,
    reference,
    segments_of,
    size_of,
    stroke_of,
    text_of,
    unicode_of,
)  # fmt: skip
from pipeline.extract.page_objects import (
    UNSEEN,
    WHITE,
    Drawing,
    Drawn,
    Edge,
    Font,
    Look,
    Matrix,
    Plain,
    Sheet,
    decode,
    hexadecimal,
    placed,
    times,
)
from pipeline.records import Box

UPRIGHT = (1.0, 0.0, 0.0, -1.0)  # the way from nearly every page to what is shown, but for the origin
TEXT, PATH, IMAGE, FORM = 1, 2, 3, 5
FORM_DEPTH = 12  # forms inside forms; deeper is an attack
OBJECTS_MAX = 200_000  # on one page; more is an attack
BUFFER = 16_384  # UTF-16 units of one text object
IMAGE_BYTES = 1 << 20  # of a small picture; a larger one is known by its length alone
AGAIN = 5  # objects before it among which the engine looks for the words of one
WIDE = 0.62  # of the type size for each letter: what is wider has gaps in it, such as those between the cells of a row
TALL = 2.5  # times the type size: letters that high are in a font that measures by itself, and the size means nothing
EM = 0.92  # of the type size, from the foot of a "p" to the head of a "d"
SLANTED = 0.12  # the least slant of an italic that is made of upright letters
ASLANT = 0.2  # of its run that writing may rise and still be called level
CHARACTER_ROUTE = 30_000_000  # objects x characters: above it, asking each object for its text is quadratic

# Names in full, then as URW (NimbusRomNo9L-Medi) and TeX (CMBX10, SFTI1000) shorten them.
_BOLD = re.compile(
    r"bold|black|heavy|demi(?!gr)|poster|-bd|bd$|-blk|-medi(?!um)|^(?:cm|sf)(?:ss)?(?:b|bx|sx|so|rb|bi|bl)(?:ti|sl)?\d",
    re.I,
)
_ITALIC = re.compile(
    r"ital|obli|kursiv|slanted|-it$|[-_](?:bd|bold|semi|med)it|^(?:cm|sf)(?:bx)?(?:ti|sl|bi|bl|si|so|ssi)\d", re.I
)
_SYMBOL = re.compile(r"symbol|dingbat|icon|wingding|webding|glyphs|pictos?|awesome|emoji", re.I)
_SIGNS = re.compile(r"[\W_]*")
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_MEASURES = struct.Struct("=36s2f4f")  # colour, type size and matrix, as they are; its origin, the bounds
_LOOK = struct.Struct("=4If4f")  # the first of these
_SIX = struct.Struct("=6f")  # the matrix, which ends the one and begins the other
_BLACK = struct.pack("=4I", 0, 0, 0, 255)  # the first of those, where no colour is told
UNNAMED = "unnamed"
_FLAG_ITALIC, _FLAG_FORCE_BOLD = 1 << 6, 1 << 18


class Reader:
    """Reads the pages of one open document; remembers its fonts."""

    def __init__(self, document: pypdfium2.PdfDocument, layers_off: Callable[[], set[str]] = set) -> None:
        self._document = document
        self._layers_off = layers_off  # their names; asked for when a page has layers
        self._off: set[str] | None = None
        self._tagged = tags.is_tagged(document)
        self._fonts: dict[int, Font] = {}
        self._looks: dict[tuple[float, ...], dict[bytes, Look]] = {}  # by the way from the page to what is shown
        self._buffer = (ctypes.c_ushort * BUFFER)()
        # What the engine writes into, one value after the other, so that all are read in one go.
        self._measures = ctypes.create_string_buffer(_MEASURES.size)
        places = [place(ctypes.addressof(self._measures) + at) for at in range(0, _MEASURES.size, 4)]
        self._parts, self._size, self._six, self._edges = places[:4], places[4], places[5], places[11:]

    def sheet(self, index: int) -> Sheet:
        """Everything drawn on a page."""
        page = raw.FPDF_LoadPage(self._document, index)
        if not page:
            raise ValueError("page cannot be loaded")
        text_page = raw.FPDFText_LoadPage(page)
        try:
            return self._read(page, text_page, address(text_page))
        finally:
            raw.FPDFText_ClosePage(text_page)
            raw.FPDF_ClosePage(page)

    def _read(self, page: Any, text_page: Any, characters: int) -> Sheet:
        sheet = Sheet(raw.FPDF_GetPageWidthF(page), raw.FPDF_GetPageHeightF(page))
        shown, count = self._shown(page), raw.FPDFPage_CountObjects(page)
        sheet.characters = raw.FPDFText_CountChars(text_page)
        self._crowded = sheet.characters * count > CHARACTER_ROUTE
        find = _texts_by_character if self._crowded else _texts_by_place
        self._texts = find(text_page, sheet.characters)
        self._characters = characters
        self._clipped: set[int] = set()
        if not self._draw(sheet, place(address(page)), count, shown):
            sheet = replace(sheet, texts=[], drawings=[])
            self._texts = {}
            self._draw(sheet, place(address(page)), count, shown)
        if self._off is None and visibility.has_layers(sheet.texts):
            self._off = self._layers_off()
        if self._off:
            sheet.texts = [visibility.in_layer(drawn, self._off) for drawn in sheet.texts]
        if self._clipped:
            sheet.texts = [self._unless_outside(each) if each[10] in self._clipped else each for each in sheet.texts]
        unnamed = any(font.name == UNNAMED for font in self._fonts.values())
        if unnamed or self._has_tiny_type():
            sheet.texts = _resized(sheet.texts)
        if unnamed and any(drawn[7].name == UNNAMED for drawn in sheet.texts):
            sheet.unmapped = _unmapped(text_page, sheet.characters)
        mixed = overlaps.tangled(sheet)
        mixed.update([drawn[10] for drawn in sheet.texts if drawn[0].isupper() and overlaps.letter_spaced(drawn[0])])
        wide = [drawn[0] for drawn in sheet.texts if drawn[3] - drawn[1] > WIDE * drawn[8].size * len(drawn[0])]
        if wide and any(" " in text.strip() and not text.isupper() and not _SIGNS.fullmatch(text) for text in wide):
            mixed.update([drawn[10] for drawn in sheet.texts if " " in drawn[0]])
        if mixed:
            overlaps.untangle(sheet, mixed, text_page, shown)
        if self._has_white_type():
            visibility.tell_gradients(sheet, page)
        if self._tagged:
            sheet.titles = tags.titles(page, sheet.texts)
        if raw.FPDFPage_GetAnnotCount(page):
            sheet.links.extend(_links(self._document, page, shown))
        return sheet

    def edges(self, index: int) -> list[Edge]:
        """The straight edges of every path of a page, for the tables between them; too many are those of a picture."""
        page = raw.FPDF_LoadPage(self._document, index)
        if not page:
            return []
        try:
            edges: list[Edge] = []
            for each in self._paths(place(address(page)), raw.FPDFPage_CountObjects(page), self._shown(page)):
                edges += vector_paths.edges(*each)
                if len(edges) > vector_paths.EDGES_MAX:
                    return []
            return edges
        finally:
            raw.FPDF_ClosePage(page)

    def _paths(self, parent: Any, count: int, way: Matrix, depth: int = 0) -> Iterator[tuple[int, Matrix]]:
        """The paths of a page or form, each with the way from its measure to what is shown."""
        get = object_of_form if depth else object_of_page
        for handle in (get(parent, at) for at in range(min(count, OBJECTS_MAX))):
            kind = kind_of(handle)
            if kind == PATH:
                yield handle, times(self._matrix(handle), way)
            elif kind == FORM and depth < FORM_DEPTH:
                yield from self._paths(handle, objects_of_form(handle), times(self._matrix(handle), way), depth + 1)

    def _unless_outside(self, drawn: Plain) -> Plain:
        """The text, invisible where it is wholly outside of what it is clipped to."""
        bounds_of(place(drawn[10]), *self._edges)
        x0, bottom, x1, top = _MEASURES.unpack(self._measures)[3:]
        for left, low, right, high in visibility.clips(drawn[10]):
            x0, bottom, x1, top = max(x0, left), max(bottom, low), min(x1, right), min(top, high)
        return Drawn._make(drawn)._replace(mode=UNSEEN[0])[:] if x0 >= x1 or bottom >= top else drawn

    def _has_tiny_type(self) -> bool:
        return any(look.size < 1 for looks in self._looks.values() for look in looks.values())

    def _has_white_type(self) -> bool:
        return any(look.colour == WHITE for looks in self._looks.values() for look in looks.values())

    def _draw(self, sheet: Sheet, parent: Any, count: int, way: Matrix, depth: int = 0) -> bool:
        """Take in every object of a page or form; False when one has text, and should have none by what is known.

        This is done for every line of a document: what it asks for again and again is at hand. ``parent`` is the place
        of a page, or the address of a form.
        """
        sheet.objects += count
        if sheet.objects > OBJECTS_MAX:
            sheet.truncated = True
            count -= sheet.objects - OBJECTS_MAX
        get = object_of_form if depth else object_of_page
        known, fonts, measures, unpack = self._texts, self._fonts, self._measures, _MEASURES.unpack
        edge, edge_2, edge_3, edge_4 = self._edges
        part, part_2, part_3, part_4 = self._parts
        six, size_at, take = self._six, self._size, sheet.texts.append
        upright, across, down = way[:4] == UPRIGHT, way[4], way[5]
        looks = self._looks.setdefault(way[:4], {})
        for at in range(count):
            handle = get(parent, at)
            text = known.get(handle)
            if text is None:
                text = self._unknown(sheet, handle, way, depth)
                if text is None:
                    return False
            if not text or text.isspace():
                continue
            here = reference(letter_at(handle))  # its ``place``
            bounds_of(here, edge, edge_2, edge_3, edge_4)
            matrix_of(here, six)
            size_of(here, size_at)
            coloured = fill_of(here, part, part_2, part_3, part_4)
            measured, e, f, x0, bottom, x1, top = unpack(measures)
            if not coloured:
                measured = _BLACK + measured[len(_BLACK) :]
            look = looks.get(measured)
            if look is None:
                look = looks[measured] = _look(measured, way)
            if upright:
                top, bottom, f = down - top, down - bottom, down - f
                if across:
                    x0, x1, e = x0 + across, x1 + across, e + across
            else:
                x0, top, x1, bottom = placed(x0, bottom, x1, top, way)
                e, f = e * way[0] + f * way[2] + across, e * way[1] + f * way[3] + down
            font_handle = font_of(here)
            font = fonts.get(font_handle) or self._font(font_handle)
            take((text, x0, top, x1, bottom, f, e, font, look, mode_of(here), handle))
            if clips_of(clip_of(here)) > 0:  # the engine has forgotten those that all of a text is inside of
                self._clipped.add(handle)
        return True

    def _unknown(self, sheet: Sheet, handle: int, way: Matrix, depth: int) -> str | None:
        """Take in an object that is not known to be text. Its text, if it has some; None where that proves us wrong."""
        kind = TEXT if handle in self._texts else kind_of(handle)
        if kind == TEXT:
            if handle not in self._texts and not self._is_wide(handle):
                return ""  # a space; to ask for its text, the engine looks through the whole page
            text = "" if self._crowded else self._text_of(handle, self._characters)
            wrong = bool(self._texts) and handle not in self._texts and text and not text.isspace()
            if not text and sheet.texts:
                self._drawn_again(sheet, handle, way)
            return None if wrong else text
        if kind != FORM:
            self._drawing(sheet, handle, kind, way)
        elif depth < FORM_DEPTH:
            inner = times(self._matrix(handle), way)
            return "" if self._draw(sheet, handle, objects_of_form(handle), inner, depth + 1) else None
        else:
            sheet.truncated = True
        return ""

    def _is_wide(self, handle: int) -> bool:
        """Is anything of it seen? Its measures are taken on the way."""
        bounds_of(place(handle), *self._edges)
        left, _, right, _ = _MEASURES.unpack(self._measures)[3:]
        return bool(right - left >= vector_paths.THICK_MIN)

    def _drawn_again(self, sheet: Sheet, handle: int, way: Matrix) -> None:
        """The engine leaves out words that it takes for drawn twice: bold made by hand, what is seen at last, or an "f"
        after an "f". They are those of an object just before, in the same font and as wide.
        """
        if not self._is_wide(handle):  # a space
            return
        left, bottom, right, top = _MEASURES.unpack(self._measures)[3:]
        x0, _, x1, bottom = placed(left, bottom, right, top, way)
        font, first = self._fonts.get(font_of(place(handle))), max(0, len(sheet.texts) - AGAIN)
        for at in range(len(sheet.texts) - 1, first - 1, -1):
            drawn = Drawn._make(sheet.texts[at])
            near, by, down = overlaps.ASIDE * drawn.look.size, x0 - drawn.x0, abs(bottom - drawn.bottom)
            if drawn.font is not font or abs(x1 - drawn.x1 - by) > near:
                continue
            look = replace(drawn.look, colour=self._colour(handle, fill_of) or drawn.look.colour)
            again = drawn._replace(look=look, mode=mode_of(place(handle)), x0=x0, x1=x1, origin=drawn.origin + by)
            if max(abs(by), down) < overlaps.TWICE * look.size:
                sheet.texts[at] = overlaps.seen_of(drawn, again)[:]
            elif down < near:
                sheet.texts.append(again._replace(handle=handle)[:])
            return

    def _shown(self, page: Any) -> Matrix:
        """From the page's own coordinates to points from the top left of the page as it is shown."""
        box = raw.FS_RECTF()
        if not raw.FPDF_GetPageBoundingBox(page, box):
            return (1.0, 0.0, 0.0, -1.0, 0.0, raw.FPDF_GetPageHeightF(page))
        turn = raw.FPDFPage_GetRotation(page)
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        return (
            (1.0, 0.0, 0.0, -1.0, -left, top),
            (0.0, 1.0, 1.0, 0.0, -bottom, -left),
            (-1.0, 0.0, 0.0, 1.0, right, -bottom),
            (0.0, -1.0, -1.0, 0.0, top, right),
        )[turn]

    def _text_of(self, handle: int, characters: int) -> str:
        length = text_of(handle, characters, self._buffer, BUFFER * 2)
        if length <= 2:
            return ""
        if length > BUFFER * 2:
            grown = (ctypes.c_ushort * (length // 2 + 1))()
            text_of(handle, characters, grown, length)
            return decode(ctypes.string_at(grown, length - 2))
        return decode(ctypes.string_at(self._buffer, length - 2))

    def _colour(self, handle: int, get: Any) -> str | None:
        if not get(place(handle), *self._parts):
            return None
        red, green, blue, alpha = _LOOK.unpack_from(self._measures)[:4]
        return hexadecimal(red, green, blue) if alpha else None

    def _matrix(self, handle: int) -> Matrix:
        matrix_of(place(handle), self._six)
        a, b, c, d, e, f = _SIX.unpack_from(self._measures, _LOOK.size - 16)
        return a, b, c, d, e, f

    def _font(self, handle: int) -> Font:
        font = self._fonts[handle] = _font(handle)
        return font

    def _drawing(self, sheet: Sheet, handle: int, kind: int, way: Matrix) -> None:
        bounds_of(place(handle), *self._edges)
        left, bottom, right, top = _MEASURES.unpack(self._measures)[3:]
        x0, top, x1, bottom = placed(left, bottom, right, top, way)
        box = Box(x0=x0, top=top, x1=x1, bottom=bottom)
        small = inline.may_be_icon(box)
        if kind != PATH:
            shape = _image_shape(handle) if small and kind == IMAGE else ""
            sheet.drawings.append(Drawing(box, None, None, picture=True, shape=shape))
            return
        mode, stroked = ctypes.c_int(), ctypes.c_int()
        draw_mode_of(handle, ctypes.byref(mode), ctypes.byref(stroked))
        fill = self._colour(handle, fill_of) if mode.value else None
        stroke = self._colour(handle, stroke_of) if stroked.value else None
        segments, matrix = segments_of(handle), times(self._matrix(handle), way)
        framed = mode.value == vector_paths.EVEN_ODD and segments == vector_paths.TWO_BOXES
        sides = vector_paths.sides(handle, matrix) if framed else []
        sides = sides or vector_paths.rules(handle, segments, matrix, thin=bool(fill))
        simple = bool(sides) or vector_paths.is_simple(handle, segments, box)
        if stroke and not fill and segments == vector_paths.ONE_LINE and (pen := vector_paths.thick(handle, matrix)):
            box, fill, stroke = pen, stroke, None
        shape = str(segments) if small and not sides else ""
        if fill or stroke:
            sheet.drawings += [Drawing(each, fill, stroke, simple=simple, shape=shape) for each in sides or [box]]


def _image_shape(handle: int) -> str:
    """The content of a small picture."""
    drawn = ctypes.cast(handle, raw.FPDF_PAGEOBJECT)
    length = raw.FPDFImageObj_GetImageDataRaw(drawn, None, 0)
    if not 0 < length <= IMAGE_BYTES:
        return f"{length}"
    buffer = ctypes.create_string_buffer(length)
    raw.FPDFImageObj_GetImageDataRaw(drawn, buffer, length)
    return f"{length}:{zlib.crc32(buffer.raw):08x}"


def _look(measured: bytes, way: Matrix) -> Look:
    """What the engine told of colour, size and matrix."""
    red, green, blue, alpha, size, a, b, c, d = _LOOK.unpack(measured)
    a, b, c, d, _, _ = times((a, b, c, d, 0.0, 0.0), way)
    angle = _angle(a, b)
    skewed = angle == 0 and d != 0 and abs(c) > SLANTED * abs(d) and abs(b) < 0.02 * abs(a)
    size *= abs(a * d - b * c) / ((a * a + b * b) ** 0.5 or 1.0)  # its height: letters may be made narrow or wide
    return Look(
        size=size,
        rounded=round(size, 2),
        colour=hexadecimal(red, green, blue) if alpha else "#000000",
        angle=angle,
        slant=c / abs(d) if skewed else 0.0,
    )


def _resized(texts: list[Plain]) -> list[Plain]:
    """Fonts drawn by hand (Type 3) may measure in any unit: their size is taken from the tallest of their letters."""
    tallest: dict[tuple[int, float], float] = {}
    named = list(map(Drawn._make, texts))
    for drawn in named:
        if (drawn.font.name == UNNAMED or drawn.look.size < 1) and drawn.look.angle == 0:
            key = id(drawn.font), round(drawn.look.size, 3)
            tallest[key] = max(tallest.get(key, 0.0), drawn.bottom - drawn.top)
    odd = {key: high / EM for key, high in tallest.items() if high > TALL * key[1]}
    return [_in_size(drawn, odd.get((id(drawn.font), round(drawn.look.size, 3)))) for drawn in named] if odd else texts


def _in_size(drawn: Drawn, size: float | None) -> Plain:
    look = drawn.look if size is None else replace(drawn.look, size=size, rounded=round(size, 2))
    return drawn._replace(look=look)[:]


def _unmapped(text_page: Any, count: int) -> int:
    """How many characters have no meaning in the file: letters that are drawings, in fonts made for one document."""
    return sum(raw.FPDFText_HasUnicodeMapError(text_page, at) == 1 for at in range(count))


def _texts_by_place(text_page: Any, count: int) -> dict[int, str | None]:
    """The text of each object, cut out of the page's: the engine itself looks through the whole page for each.

    An object's characters follow each other, so the owner is asked for at their ends only. One that comes back in a
    second place is None, to be asked for by itself; nothing is known where characters and text do not fit together.
    """
    page, buffer = place(address(text_page)), bytearray(2 * count + 2)
    written = page_text_of(page, 0, count, reference(letter_in(buffer))) - 1
    text = decode(buffer[: 2 * count]).replace("\ufffe", "\x02")
    if written != count:  # glyphs without a meaning are left out, and what follows is shifted
        text = "".join(chr(raw.FPDFText_GetUnicode(text_page, index)) for index in range(count))
    if len(text) != count:
        return {}
    at, odd = 0, "\0" in text
    texts: dict[int, str | None] = {}
    for line in text.split("\r\n"):  # the engine's own; a space before one is its guess, too
        end = at + len(line)
        if line:
            owner = None if odd else owner_of(page, at)
            if owner and owner not in texts and owner_of(page, end - 1) == owner:  # most: drawn in one go
                texts[owner] = line
            else:
                _find_parts(line, at, page, texts)
        at = end + 2
    return texts


def _find_parts(line: str, start: int, page: Any, texts: dict[int, str | None]) -> None:
    """The same of the objects of one line, which begins at ``start``."""
    at, end = start, start + len(line)
    while at < end:
        owner = owner_of(page, at)
        if not owner:
            at += 1
            continue
        last = end if end - at < 2 or owner_of(page, end - 1) == owner else _end_of(owner, page, at, end)
        texts[owner] = None if owner in texts else line[at - start : last - start].replace("\0", "")
        at = last


def _end_of(owner: int, page: Any, at: int, end: int) -> int:
    """Where the characters of an object end that begins at ``at``, before the end of its line."""
    last = at  # the last that is known to be its own; ``end`` is known not to be
    end -= 1
    while end - last > 1:
        middle = (last + end) // 2
        place = middle
        while place < end and not (other := owner_of(page, place)):
            place += 1  # a space that the engine put in belongs to nobody
        if place < end and other == owner:
            last = place
        else:
            end = middle
    return last + 1


def _texts_by_character(text_page: Any, count: int) -> dict[int, str | None]:
    """The text of each object of a crowded page, from one pass over its characters."""
    pieces: dict[int, list[str]] = {}
    page = address(text_page)
    owners = place(page)
    for index in range(count):
        owner = owner_of(owners, index)
        if owner:
            pieces.setdefault(owner, []).append(chr(unicode_of(page, index) or 32))
    return {key: "".join(letters) for key, letters in pieces.items()}


def _angle(a: float, b: float) -> int:
    """Quarter turns clockwise of the writing direction, as shown (y grows downwards); 4 is aslant."""
    if b == 0 and a > 0:
        return 0
    if min(abs(a), abs(b)) > ASLANT * max(abs(a), abs(b)):
        return 4
    if abs(b) <= abs(a):
        return 0 if a >= 0 else 2
    return 1 if b > 0 else 3


def _font(handle: int) -> Font:
    buffer = ctypes.create_string_buffer(256)
    font_name_of(handle, buffer, 256)
    name = _SUBSET.sub("", buffer.value.decode("utf-8", "replace"))
    flags = font_flags_of(handle)
    flags = 0 if flags < 0 else flags
    return Font(
        name=name or UNNAMED,
        bold=bool(_BOLD.search(name)) or bool(flags & _FLAG_FORCE_BOLD) or fontnames.is_heavy(handle, name),
        italic=bool(_ITALIC.search(name)) or bool(flags & _FLAG_ITALIC),
        symbol=bool(_SYMBOL.search(name)),
    )


def _links(document: Any, page: Any, shown: Matrix) -> Iterator[tuple[Box, str]]:
    position, link, box = ctypes.c_int(0), raw.FPDF_LINK(), raw.FS_RECTF()
    while raw.FPDFLink_Enumerate(page, position, link):
        action = raw.FPDFLink_GetAction(link)
        length = raw.FPDFAction_GetURIPath(document, action, None, 0) if action else 0
        if length > 1 and raw.FPDFLink_GetAnnotRect(link, box):
            buffer = ctypes.create_string_buffer(length)
            raw.FPDFAction_GetURIPath(document, action, buffer, length)
            address = buffer.value.decode("utf-8", "replace").strip()
            if address.lower().startswith(("http://", "https://", "mailto:")):
                x0, top, x1, bottom = placed(box.left, box.bottom, box.right, box.top, shown)
                yield Box(x0=x0, top=top, x1=x1, bottom=bottom), address
