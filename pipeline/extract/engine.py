"""pdfium, through its raw interface: this file and handles.py are the only ones that know it.

Text is read object by object (text, bounds, font, size, colour in a few calls), never character by character:
that costs about twice the plain text of the page instead of seven times. Coordinates leave this file measured
from the top left of the page as it is shown, whatever the page's rotation and crop box.
"""

from __future__ import annotations

import ctypes
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as raw

from pipeline.extract.handles import (
    address,
    bounds_of,
    clip_of,
    clips_of,
    closes,
    draw_mode_of,
    fill_of,
    font_flags_of,
    font_name_of,
    font_of,
    kind_of,
    letter_at,
    letter_in,
    loose_box_of,
    matrix_of,
    mode_of,
    object_of_form,
    object_of_page,
    objects_of_form,
    owner_of,
    page_text_of,
    place,
    point_of,
    reference,
    segment_kind_of,
    segment_of,
    segments_of,
    size_of,
    stroke_of,
    text_of,
    unicode_of,
)  # fmt: skip
from pipeline.records import Box

Matrix = tuple[float, float, float, float, float, float]
Point = tuple[float, float]
Edge = tuple[Point, Point]

UPRIGHT = (1.0, 0.0, 0.0, -1.0)  # the way from nearly every page to what is shown, but for the origin
TEXT, PATH, IMAGE, SHADING, FORM = 1, 2, 3, 4, 5
FILL_STROKE, UNSEEN = 2, (3, 7)  # text render modes: with an edge; invisible, clip only
FORM_DEPTH = 12  # forms inside forms; deeper is an attack
OBJECTS_MAX = 200_000  # on one page; more is an attack
BUFFER = 16_384  # UTF-16 units of one text object
SEGMENTS_MAX = 12  # of a path that is a line or a box; more is a drawing
ROUNDED_MAX = 120  # the same of a box whose corners are round, drawn as a ring
ROUNDED_MIN = 18.0  # points: a smaller thing with round corners is a drawing
EDGES_MAX = 4_000  # of all paths of a page; more are an illustration
CURVE, MOVE = 1, 2  # kinds of segments of a path
ONE_LINE = 2  # segments
PARTS_MAX = 2_000  # segments of a path that are looked at for the rules of a table
RULE_MAX = 2.5  # points: a filled box that is thicker is no rule
EVEN_ODD = 1  # the way to fill a path that leaves out what lies inside it twice
TWO_BOXES = 10  # segments
THICK_MIN = 0.01  # of a border
WHITE = "#ffffff"
PIXELS_MAX = 4_000_000  # of a page that is painted; a larger one is a poster
COMPARED_MAX = 1_000_000  # white words x drawings; more is an attack
CORNER = 0.1  # of a box's smaller side: how far inside it its corners may lead
BESIDE = 2.0  # points by which two objects may overlap that stand side by side
TWICE = 0.12  # of the type size: the same words drawn again this close are a shadow, or bold made by hand
ASIDE = 0.004  # of the type size: closer than this they only lie above each other
SAMPLE = 6  # texts of a page that are asked for their layer
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
_BOX = struct.Struct("=4f")
_FLAG_ITALIC, _FLAG_SYMBOLIC, _FLAG_FORCE_BOLD = 1 << 6, 1 << 2, 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    name: str
    bold: bool
    italic: bool
    symbol: bool  # its name says that its glyphs are pictures


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How a text is set, but for its font: the objects of a document share a few of these."""

    size: float
    rounded: float  # the size, to a hundredth of a point
    colour: str
    angle: int  # quarter turns clockwise as shown; 4: aslant
    slant: float  # of letters that the matrix slants: how far to the right for each point upwards; else 0


class Drawn(NamedTuple):
    """One text object as the engine draws it. Those of a page are kept as plain tuples of the same values, which the
    interpreter takes apart at once; where they are asked for by name, ``Drawn._make`` gives them their names.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    baseline: float
    origin: float  # where the pen starts
    font: Font
    look: Look
    mode: int
    handle: int  # of the engine, while the page is open


Plain = tuple[str, float, float, float, float, float, float, Font, Look, int, int]  # a Drawn


@dataclass(slots=True, eq=False)
class Drawing:
    """A path or a picture."""

    box: Box
    fill: str | None
    stroke: str | None
    picture: bool = False
    simple: bool = True  # a line or a box, not an illustration


@dataclass(slots=True, eq=False)
class Sheet:
    """A page as the engine gives it."""

    width: float
    height: float
    texts: list[Plain] = field(default_factory=list)
    drawings: list[Drawing] = field(default_factory=list)
    links: list[tuple[Box, str]] = field(default_factory=list)
    characters: int = 0
    unmapped: int = 0  # characters whose letter the file does not give; asked for in fonts without a name only
    truncated: bool = False
    objects: int = 0


class Reader:
    """Reads the pages of one open document; remembers its fonts."""

    def __init__(self, document: pypdfium2.PdfDocument, layers_off: Callable[[], set[str]] = set) -> None:
        self._document = document
        self._layers_off = layers_off  # their names; asked for when a page has layers
        self._off: set[str] | None = None
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
        if self._off is None and any(_layer(drawn[10]) for drawn in _sample(sheet.texts)):
            self._off = self._layers_off()
        if self._off:
            sheet.texts = [_in_layer(drawn, self._off) for drawn in sheet.texts]
        if self._clipped:
            sheet.texts = [self._unless_outside(each) if each[10] in self._clipped else each for each in sheet.texts]
        unnamed = any(font.name == UNNAMED for font in self._fonts.values())
        if unnamed or self._has_tiny_type():
            sheet.texts = _resized(sheet.texts)
        if unnamed and any(drawn[7].name == UNNAMED for drawn in sheet.texts):
            sheet.unmapped = _unmapped(text_page, sheet.characters)
        tangled = _tangled(sheet)
        tangled.update([drawn[10] for drawn in sheet.texts if drawn[0].isupper() and _letter_spaced(drawn[0])])
        wide = [drawn[0] for drawn in sheet.texts if drawn[3] - drawn[1] > WIDE * drawn[8].size * len(drawn[0])]
        if wide and any(" " in text.strip() and not text.isupper() and not _SIGNS.fullmatch(text) for text in wide):
            tangled.update([drawn[10] for drawn in sheet.texts if " " in drawn[0]])
        if tangled:
            self._untangle(sheet, tangled, text_page, shown)
        if self._has_white_type():
            _tell_gradients(sheet, page)
        if raw.FPDFPage_GetAnnotCount(page):
            sheet.links.extend(_links(self._document, page, shown))
        return sheet

    def edges(self, index: int) -> list[Edge]:
        """The straight edges of every path of a page, for the tables between them. More than ``EDGES_MAX`` are none."""
        page = raw.FPDF_LoadPage(self._document, index)
        if not page:
            return []
        try:
            found: list[Edge] = []
            for each in self._paths(place(address(page)), raw.FPDFPage_CountObjects(page), self._shown(page)):
                found += _edges(*each)
                if len(found) > EDGES_MAX:
                    return []
            return found
        finally:
            raw.FPDF_ClosePage(page)

    def _paths(self, parent: Any, count: int, way: Matrix, depth: int = 0) -> Iterator[tuple[int, Matrix]]:
        """The paths of a page or form, each with the way from its measure to what is shown."""
        get = object_of_form if depth else object_of_page
        for held in (get(parent, at) for at in range(min(count, OBJECTS_MAX))):
            kind = kind_of(held)
            if kind == PATH:
                yield held, _times(self._matrix(held), way)
            elif kind == FORM and depth < FORM_DEPTH:
                yield from self._paths(held, objects_of_form(held), _times(self._matrix(held), way), depth + 1)

    def _unless_outside(self, drawn: Plain) -> Plain:
        """The text, invisible where it is wholly outside of what it is clipped to."""
        bounds_of(place(drawn[10]), *self._edges)
        x0, bottom, x1, top = _MEASURES.unpack(self._measures)[3:]
        for left, low, right, high in _clips(drawn[10]):
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
            held = get(parent, at)
            text = known.get(held)
            if text is None:
                text = self._unknown(sheet, held, way, depth)
                if text is None:
                    return False
            if not text or text.isspace():
                continue
            here = reference(letter_at(held))  # its ``place``
            bounds_of(here, edge, edge_2, edge_3, edge_4)
            matrix_of(here, six)
            size_of(here, size_at)
            coloured = fill_of(here, part, part_2, part_3, part_4)
            told, e, f, x0, bottom, x1, top = unpack(measures)
            if not coloured:
                told = _BLACK + told[len(_BLACK) :]
            look = looks.get(told)
            if look is None:
                look = looks[told] = _look(told, way)
            if upright:
                top, bottom, f = down - top, down - bottom, down - f
                if across:
                    x0, x1, e = x0 + across, x1 + across, e + across
            else:
                x0, top, x1, bottom = _placed(x0, bottom, x1, top, way)
                e, f = e * way[0] + f * way[2] + across, e * way[1] + f * way[3] + down
            handle = font_of(here)
            font = fonts.get(handle) or self._font(handle)
            take((text, x0, top, x1, bottom, f, e, font, look, mode_of(here), held))
            if clips_of(clip_of(here)) > 0:  # the engine has forgotten those that all of a text is inside of
                self._clipped.add(held)
        return True

    def _unknown(self, sheet: Sheet, held: int, way: Matrix, depth: int) -> str | None:
        """Take in an object that is not known to be text. Its text, if it has some; None where that proves us wrong."""
        kind = TEXT if held in self._texts else kind_of(held)
        if kind == TEXT:
            if held not in self._texts and not self._is_wide(held):
                return ""  # a space; to ask for its text, the engine looks through the whole page
            text = "" if self._crowded else self._text_of(held, self._characters)
            wrong = bool(self._texts) and held not in self._texts and text and not text.isspace()
            if not text and sheet.texts:
                self._drawn_again(sheet, held, way)
            return None if wrong else text
        if kind != FORM:
            self._drawing(sheet, held, kind, way)
        elif depth < FORM_DEPTH:
            inner = _times(self._matrix(held), way)
            return "" if self._draw(sheet, held, objects_of_form(held), inner, depth + 1) else None
        else:
            sheet.truncated = True
        return ""

    def _is_wide(self, held: int) -> bool:
        """Is anything of it seen? Its measures are taken on the way."""
        bounds_of(place(held), *self._edges)
        left, _, right, _ = _MEASURES.unpack(self._measures)[3:]
        return bool(right - left >= THICK_MIN)

    def _drawn_again(self, sheet: Sheet, held: int, way: Matrix) -> None:
        """The engine leaves out words that it takes for drawn twice: bold made by hand, what is seen at last, or an "f"
        after an "f". They are those of an object just before, in the same font and as wide.
        """
        if not self._is_wide(held):  # a space
            return
        left, bottom, right, top = _MEASURES.unpack(self._measures)[3:]
        x0, _, x1, bottom = _placed(left, bottom, right, top, way)
        font, first = self._fonts.get(font_of(place(held))), max(0, len(sheet.texts) - AGAIN)
        for at in range(len(sheet.texts) - 1, first - 1, -1):
            drawn = Drawn._make(sheet.texts[at])
            near, by, down = ASIDE * drawn.look.size, x0 - drawn.x0, abs(bottom - drawn.bottom)
            if drawn.font is not font or abs(x1 - drawn.x1 - by) > near:
                continue
            look = replace(drawn.look, colour=self._colour(held, fill_of) or drawn.look.colour)
            again = drawn._replace(look=look, mode=mode_of(place(held)), x0=x0, x1=x1, origin=drawn.origin + by)
            if max(abs(by), down) < TWICE * look.size:
                sheet.texts[at] = _seen_of(drawn, again)[:]
            elif down < near:
                sheet.texts.append(again._replace(handle=held)[:])
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

    def _untangle(self, sheet: Sheet, tangled: set[int], text_page: Any, shown: Matrix) -> None:
        """Cut objects that others are drawn into at their words, each measured by its letters."""
        whole = (ctypes.c_ushort * (sheet.characters + 1))()
        raw.FPDFText_GetText(text_page, 0, sheet.characters, whole)
        page_text = _decode(ctypes.string_at(whole, 2 * sheet.characters))
        made: list[Plain] = []
        for drawn in map(Drawn._make, sheet.texts):
            found = _letters(drawn, page_text, text_page, shown) if drawn.handle in tangled else None
            made.extend([piece[:] for piece in (_pieces(drawn, found) if found else [drawn])])
        sheet.texts = made

    def _text_of(self, held: int, characters: int) -> str:
        length = text_of(held, characters, self._buffer, BUFFER * 2)
        if length <= 2:
            return ""
        if length > BUFFER * 2:
            grown = (ctypes.c_ushort * (length // 2 + 1))()
            text_of(held, characters, grown, length)
            return _decode(ctypes.string_at(grown, length - 2))
        return _decode(ctypes.string_at(self._buffer, length - 2))

    def _colour(self, held: int, get: Any) -> str | None:
        if not get(place(held), *self._parts):
            return None
        red, green, blue, alpha = _LOOK.unpack_from(self._measures)[:4]
        return _hexadecimal(red, green, blue) if alpha else None

    def _matrix(self, held: int) -> Matrix:
        matrix_of(place(held), self._six)
        a, b, c, d, e, f = _SIX.unpack_from(self._measures, _LOOK.size - 16)
        return a, b, c, d, e, f

    def _font(self, handle: int) -> Font:
        found = self._fonts[handle] = _font(handle)
        return found

    def _drawing(self, sheet: Sheet, held: int, kind: int, way: Matrix) -> None:
        bounds_of(place(held), *self._edges)
        left, bottom, right, top = _MEASURES.unpack(self._measures)[3:]
        x0, top, x1, bottom = _placed(left, bottom, right, top, way)
        box = Box(x0=x0, top=top, x1=x1, bottom=bottom)
        if kind != PATH:
            sheet.drawings.append(Drawing(box, None, None, picture=True))
            return
        mode, stroked = ctypes.c_int(), ctypes.c_int()
        draw_mode_of(held, ctypes.byref(mode), ctypes.byref(stroked))
        fill = self._colour(held, fill_of) if mode.value else None
        stroke = self._colour(held, stroke_of) if stroked.value else None
        segments = segments_of(held)
        large = min(x1 - x0, bottom - top) >= ROUNDED_MIN
        simple = segments <= SEGMENTS_MAX or (large and segments <= ROUNDED_MAX and _is_frame(held, segments))
        sides = self._sides(held, way) if mode.value == EVEN_ODD and segments == TWO_BOXES else []
        if not sides and segments > ONE_LINE:
            sides = self._rules(held, segments, way, thin=bool(fill))
            simple = simple or bool(sides)
        if fill or stroke:
            sheet.drawings += [Drawing(each, fill, stroke, simple=simple) for each in sides or [box]]

    def _rules(self, held: int, segments: int, way: Matrix, *, thin: bool) -> list[Box]:
        """The lines and boxes of a path that is made of several, as where all rules of a table are drawn in one go.

        Boxes that are filled are taken apart only where they are rules themselves: one in another may be a hole.
        """
        spans = _level_parts(held, segments)
        if len(spans) < 2:
            return []
        matrix = _times(self._matrix(held), way)
        placed = (_placed(*span, matrix) for span in spans)
        made = [Box(x0=x0, top=top, x1=x1, bottom=bottom) for x0, top, x1, bottom in placed]
        return [] if thin and any(min(box.x1 - box.x0, box.bottom - box.top) > RULE_MAX for box in made) else made

    def _sides(self, held: int, way: Matrix) -> list[Box]:
        """A border that is not on all sides, drawn as what lies between two boxes: the sides that it has."""
        points = _points(held, TWO_BOXES)
        spans = [span for half in (points[:5], points[5:]) if (span := _rectangle(half))]
        if len(spans) < 2:
            return []
        outer, inner = sorted(spans, key=lambda box: (box[0] - box[2]) * (box[3] - box[1]))
        wide = [abs(a - b) > THICK_MIN for a, b in zip(outer, inner, strict=True)]
        if all(wide):
            return []
        left, low, right, high = outer
        strips = (
            (left, low, inner[0], high), (left, low, right, inner[1]),
            (inner[2], low, right, high), (left, inner[3], right, high),
        )  # fmt: skip
        matrix = _times(self._matrix(held), way)
        placed = (_placed(*strip, matrix) for strip, is_one in zip(strips, wide, strict=True) if is_one)
        return [Box(x0=x0, top=top, x1=x1, bottom=bottom) for x0, top, x1, bottom in placed]


def _edges(held: int, way: Matrix) -> Iterator[Edge]:
    """The edges of a path from corner to corner, as shown: a curve is one, too, from where it starts to its end."""
    x, y = ctypes.c_float(), ctypes.c_float()
    start = last = (0.0, 0.0)
    curved = 0
    for at in range(min(segments_of(held), EDGES_MAX)):
        segment = segment_of(held, at)
        kind = segment_kind_of(segment)
        curved = (curved + 1) % 3 if kind == CURVE else 0
        if curved or not point_of(segment, ctypes.byref(x), ctypes.byref(y)):  # a point that a curve only bends to
            continue
        here = (x.value * way[0] + y.value * way[2] + way[4], x.value * way[1] + y.value * way[3] + way[5])
        if kind == MOVE:
            start = here
        else:
            yield last, here
            if closes(segment) and here != start:
                yield here, start
        last = here


def _points(held: int, segments: int) -> list[Point]:
    """The points of a path, in its own measure."""
    x, y = ctypes.c_float(), ctypes.c_float()
    found = []
    for at in range(segments):
        if point_of(segment_of(held, at), ctypes.byref(x), ctypes.byref(y)):
            found.append((x.value, y.value))
    return found


def _rectangle(points: list[Point]) -> tuple[float, float, float, float] | None:
    """Left, low, right and high of points that are the corners of a rectangle."""
    across, along = {x for x, _ in points}, {y for _, y in points}
    return (min(across), min(along), max(across), max(along)) if len(across) == len(along) == 2 else None


def _level_parts(held: int, segments: int) -> list[tuple[float, float, float, float]]:
    """What the parts of a path span, if each is a level or upright line, or a box; else nothing."""
    x, y = ctypes.c_float(), ctypes.c_float()
    parts: list[list[Point]] = []
    for at in range(min(segments, PARTS_MAX)):
        segment = segment_of(held, at)
        kind = segment_kind_of(segment)
        point_of(segment, ctypes.byref(x), ctypes.byref(y))
        here = (x.value, y.value)
        if kind == MOVE:
            parts.append([here])
        elif kind == CURVE or not parts or (here[0] != parts[-1][-1][0] and here[1] != parts[-1][-1][1]):
            return []
        else:
            parts[-1].append(here)
    spans = [_line(part) if len(part) == 2 else _rectangle(part) for part in parts if len(part) > 1]
    return [span for span in spans if span] if None not in spans else []


def _line(ends: list[Point]) -> tuple[float, float, float, float]:
    (x0, x1), (y0, y1) = (sorted(pair) for pair in zip(*ends, strict=True))
    return x0, y0, x1, y1


def _is_frame(held: int, segments: int) -> bool:
    """A box with round or cut corners: all its points lie near the edges of what they span."""
    points = _points(held, segments)
    if not points:
        return False
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    near = CORNER * min(right - left, high - low)
    return all(min(x - left, right - x, y - low, high - y) <= near for x, y in points)


def _look(told: bytes, way: Matrix) -> Look:
    """What the engine told of colour, size and matrix."""
    red, green, blue, alpha, size, a, b, c, d = _LOOK.unpack(told)
    a, b, c, d, _, _ = _times((a, b, c, d, 0.0, 0.0), way)
    angle = _angle(a, b)
    skewed = angle == 0 and d != 0 and abs(c) > SLANTED * abs(d) and abs(b) < 0.02 * abs(a)
    size *= abs(a * d - b * c) / ((a * a + b * b) ** 0.5 or 1.0)  # its height: letters may be made narrow or wide
    return Look(
        size=size,
        rounded=round(size, 2),
        colour=_hexadecimal(red, green, blue) if alpha else "#000000",
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


def _sample(texts: list[Plain]) -> list[Plain]:
    """A few texts of a page, the first and the last among them: where it has layers, most things are in one."""
    return [*texts[:: len(texts) // SAMPLE + 1], *texts[-1:]]


def _layer(held: int) -> str:
    """The name of the layer that an object is in, if it is in one."""
    drawn = ctypes.cast(held, raw.FPDF_PAGEOBJECT)
    for at in range(raw.FPDFPageObj_CountMarks(drawn)):
        mark = raw.FPDFPageObj_GetMark(drawn, at)
        if _written(raw.FPDFPageObjMark_GetName, mark) == "OC":
            return _written(raw.FPDFPageObjMark_GetParamStringValue, mark, b"Name")
    return ""


def _written(get: Any, *of: Any) -> str:
    """What the engine writes into a buffer, in UTF-16."""
    buffer, length = ctypes.create_string_buffer(512), ctypes.c_ulong()
    get(*of, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), 512, length)
    return _decode(buffer.raw[: min(512, length.value)]).rstrip("\0")


def _clips(held: int) -> Iterator[tuple[float, float, float, float]]:
    """The boxes around the paths that an object is clipped to, in its own coordinates."""
    clip, x, y = raw.FPDFPageObj_GetClipPath(ctypes.cast(held, raw.FPDF_PAGEOBJECT)), ctypes.c_float(), ctypes.c_float()
    for path in range(raw.FPDFClipPath_CountPaths(clip)):
        points = []
        for at in range(raw.FPDFClipPath_CountPathSegments(clip, path)):
            raw.FPDFPathSegment_GetPoint(raw.FPDFClipPath_GetPathSegment(clip, path, at), x, y)
            points.append((x.value, y.value))
        if points:
            across, up = zip(*points, strict=True)
            yield min(across), min(up), max(across), max(up)


def _in_layer(drawn: Plain, off: set[str]) -> Plain:
    """The text, invisible where its layer is switched off."""
    return Drawn._make(drawn)._replace(mode=UNSEEN[0])[:] if _layer(drawn[10]) in off else drawn


def _tell_gradients(sheet: Sheet, page: Any) -> None:
    """The engine says that what is filled with a gradient is white. Where white words stand on such a box, and on
    nothing darker, the page is painted: the box has the colour that is seen between their letters.
    """
    found, wide, high = _on_white(sheet), int(sheet.width), int(sheet.height)
    if not found or not 0 < wide * high < PIXELS_MAX:
        return
    bitmap = raw.FPDFBitmap_Create(wide, high, 0)
    raw.FPDFBitmap_FillRect(bitmap, 0, 0, wide, high, 0xFFFFFFFF)
    raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, wide, high, 0, 0)
    row = raw.FPDFBitmap_GetStride(bitmap)
    pixels = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), row * high)
    raw.FPDFBitmap_Destroy(bitmap)
    for drawn, drawing in found:
        start = row * min(high - 1, max(0, int((drawn.top + drawn.bottom) / 2)))
        across = range(max(0, int(drawn.x0)), min(wide, int(drawn.x1)))
        seen = [pixels[start + 4 * x : start + 4 * x + 3] for x in across]
        blue, green, red = min(seen, key=sum, default=b"\xff\xff\xff")
        drawing.fill = _hexadecimal(red, green, blue) if drawing.fill == WHITE else drawing.fill


def _on_white(sheet: Sheet) -> list[tuple[Drawn, Drawing]]:
    """White words with the white box that they stand on, where nothing darker is under them."""
    words = [drawn for drawn in map(Drawn._make, sheet.texts) if drawn.look.colour == WHITE]
    if len(words) * len(sheet.drawings) > COMPARED_MAX:
        return []
    found = []
    for drawn in words:
        x, y = (drawn.x0 + drawn.x1) / 2, (drawn.top + drawn.bottom) / 2
        under = [d for d in sheet.drawings if d.box.x0 < x < d.box.x1 and d.box.top < y < d.box.bottom]
        if under and all(drawing.fill == WHITE and drawing.simple for drawing in under):
            found.append((drawn, under[-1]))
    return found


def _tangled(sheet: Sheet) -> set[int]:
    """Objects into whose gaps others are drawn; what is drawn twice in one place is dropped on the way."""
    found: set[int] = set()
    if _all_beside(sheet.texts):
        return found
    twice: dict[int, Drawn | None] = {}
    levels: dict[int, list[Drawn]] = {}
    named = list(map(Drawn._make, sheet.texts))
    for drawn in named:
        levels.setdefault(int(drawn.baseline + 0.5), []).append(drawn)
    for level in levels.values():
        if len(level) > 1:
            _tangled_on(level, found, twice)
    if twice:
        sheet.texts = [kept[:] for drawn in named if (kept := twice.get(id(drawn), drawn))]
    return found


def _all_beside(texts: list[Plain]) -> bool:
    """Does every object stand left or right of all others at its height? So it is on most pages."""
    left = right = last = float("-inf")
    for _, x0, _, x1, _, baseline, _, _, _, _, _ in sorted(texts, key=_at_height):
        if baseline - last >= 1:
            left, right = x0, x1
        elif x0 >= right - BESIDE:
            right = x1 if x1 > right else right
        elif x1 <= left + BESIDE:
            left = x0
        else:
            return False
        last = baseline
    return True


_at_height = itemgetter(5)  # Drawn.baseline


def _tangled_on(level: list[Drawn], found: set[int], twice: dict[int, Drawn | None]) -> None:
    """The same of what stands at one height; ``twice`` says what is left of what is drawn twice."""
    level.sort(key=_from_left)
    before = level[0]
    for drawn in level[1:]:
        apart = drawn.look.angle or abs(before.baseline - drawn.baseline) > 1
        if not apart and drawn.x0 - before.x0 < TWICE * drawn.look.size and drawn.text.strip() == before.text.strip():
            twice |= {id(before): _seen_of(twice.get(id(before)) or before, drawn), id(drawn): None}
        elif apart or drawn.x0 >= before.x1 - BESIDE or drawn.x1 <= before.x0 + BESIDE:
            before = drawn
        else:
            found |= {before.handle, drawn.handle}
            before = before if before.x1 > drawn.x1 else drawn


def _seen_of(before: Drawn, again: Drawn) -> Drawn:
    """What a reader sees of words that are drawn twice: those that are visible, bold where both are, side by side."""
    if before.mode in UNSEEN:
        return again
    aside = abs(again.x0 - before.x0) > ASIDE * before.look.size
    bold = aside and again.mode not in UNSEEN and again.look.colour == before.look.colour
    return before._replace(mode=FILL_STROKE) if bold else before


def _from_left(drawn: Drawn) -> tuple[float, float]:
    return drawn.x0, -drawn.x1


def _letter_spaced(text: str) -> bool:
    """ "C H A R G E" or "CHA R GE": capitals so far apart that the engine takes the gaps for spaces."""
    if not text.isupper() or " " not in text or 3 * text.count(" ") < len(text.strip()) - 1:
        return False
    return sum(map(str.isalpha, text)) > 1  # "Q :" is none


def _letters(drawn: Drawn, page_text: str, text_page: Any, shown: Matrix) -> list[tuple[str, float, float]]:
    """The letters of an object with their left and right edges; none when it cannot be found again."""
    characters, text = address(text_page), drawn.text.strip()
    at = page_text.find(text)
    while at >= 0 and owner_of(place(characters), at) != drawn.handle:
        at = page_text.find(text, at + 1)
    if at < 0:
        return []
    box, found = ctypes.create_string_buffer(_BOX.size), []
    spaced = _letter_spaced(text)
    for offset, letter in enumerate(text):
        if spaced and letter == " " and raw.FPDFText_IsGenerated(text_page, at + offset) == 1:
            continue
        if loose_box_of(characters, at + offset, box):
            left, top, right, bottom = _BOX.unpack(box)
            x0, _, x1, _ = _placed(left, bottom, right, top, shown)
            found.append((letter, x0, x1))
    return found


def _usual_gap(letters: list[tuple[str, float, float]]) -> float:
    gaps = sorted(b[1] - a[2] for a, b in pairwise(letters))
    return gaps[len(gaps) // 2] if gaps else 0.0


def _pieces(drawn: Drawn, letters: list[tuple[str, float, float]]) -> list[Drawn]:
    """An object as its words, each in its own place."""
    made: list[Drawn] = []
    word: list[tuple[str, float, float]] = []
    reach = max(0.25 * drawn.look.size, 1.8 * _usual_gap(letters) if _letter_spaced(drawn.text) else 0.0)
    for at, (letter, x0, x1) in enumerate([*letters, (" ", 0.0, 0.0)]):
        apart = bool(word) and (x0 - word[-1][2] > reach or x0 < word[0][1])
        if word and (letter.isspace() or apart):
            text = "".join(held[0] for held in word) + (" " if letter.isspace() and at < len(letters) else "")
            left = word[0][1]
            made.append(drawn._replace(text=text, x0=left, x1=word[-1][2], origin=left))
            word = []
        if not letter.isspace():
            word.append((letter, x0, x1))
    return made or [drawn]


def _texts_by_place(text_page: Any, count: int) -> dict[int, str | None]:
    """The text of each object, cut out of the page's: the engine itself looks through the whole page for each.

    An object's characters follow each other, so the owner is asked for at their ends only. One that comes back in a
    second place is None, to be asked for by itself; nothing is known where characters and text do not fit together.
    """
    page, buffer = place(address(text_page)), bytearray(2 * count + 2)
    written = page_text_of(page, 0, count, reference(letter_in(buffer))) - 1
    text = _decode(buffer[: 2 * count]).replace("\ufffe", "\x02")
    if written != count:  # glyphs without a meaning are left out, and what follows is shifted
        text = "".join(chr(raw.FPDFText_GetUnicode(text_page, index)) for index in range(count))
    if len(text) != count:
        return {}
    at, odd = 0, "\0" in text
    found: dict[int, str | None] = {}
    for line in text.split("\r\n"):  # the engine's own; a space before one is its guess, too
        end = at + len(line)
        if line:
            owner = None if odd else owner_of(page, at)
            if owner and owner not in found and owner_of(page, end - 1) == owner:  # most: drawn in one go
                found[owner] = line
            else:
                _find_parts(line, at, page, found)
        at = end + 2
    return found


def _find_parts(line: str, start: int, page: Any, found: dict[int, str | None]) -> None:
    """The same of the objects of one line, which begins at ``start``."""
    at, end = start, start + len(line)
    while at < end:
        owner = owner_of(page, at)
        if not owner:
            at += 1
            continue
        last = end if end - at < 2 or owner_of(page, end - 1) == owner else _end_of(owner, page, at, end)
        found[owner] = None if owner in found else line[at - start : last - start].replace("\0", "")
        at = last


def _end_of(owner: int, page: Any, at: int, end: int) -> int:
    """Where the characters of an object end that begins at ``at``, before the end of its line."""
    last = at  # the last that is known to be its own; ``end`` is known not to be
    end -= 1
    while end - last > 1:
        middle = (last + end) // 2
        place = middle
        while place < end and not (held := owner_of(page, place)):
            place += 1  # a space that the engine put in belongs to nobody
        if place < end and held == owner:
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
        held = owner_of(owners, index)
        if held:
            pieces.setdefault(held, []).append(chr(unicode_of(page, index) or 32))
    return {key: "".join(letters) for key, letters in pieces.items()}


def _decode(units: bytes | bytearray) -> str:
    return units.decode("utf-16-le", "replace")


def _times(six: Any, b: Matrix) -> Matrix:
    """One matrix after another; the first as any six numbers."""
    a = tuple(six)
    if b[0] == 1 and b[3] == -1 and b[1] == 0 and b[2] == 0:  # nearly every page
        return (a[0], -a[1], a[2], -a[3], a[4] + b[4], b[5] - a[5])
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def _placed(x0: float, y0: float, x1: float, y1: float, m: Matrix) -> tuple[float, float, float, float]:
    if m[0] == 1 and m[3] == -1 and m[1] == 0 and m[2] == 0:  # nearly every page
        return x0 + m[4], m[5] - y1, x1 + m[4], m[5] - y0
    if m[1] == 0 and m[2] == 0:
        xs = (x0 * m[0] + m[4], x1 * m[0] + m[4])
        ys = (y0 * m[3] + m[5], y1 * m[3] + m[5])
    else:
        xs = tuple(x * m[0] + y * m[2] + m[4] for x in (x0, x1) for y in (y0, y1))  # type: ignore[assignment]
        ys = tuple(x * m[1] + y * m[3] + m[5] for x in (x0, x1) for y in (y0, y1))  # type: ignore[assignment]
    return min(xs), min(ys), max(xs), max(ys)


def _angle(a: float, b: float) -> int:
    """Quarter turns clockwise of the writing direction, as shown (y grows downwards); 4 is aslant."""
    if b == 0 and a > 0:
        return 0
    if min(abs(a), abs(b)) > ASLANT * max(abs(a), abs(b)):
        return 4
    if abs(b) <= abs(a):
        return 0 if a >= 0 else 2
    return 1 if b > 0 else 3


@lru_cache(maxsize=4096)
def _hexadecimal(red: int, green: int, blue: int) -> str:
    return f"#{red:02x}{green:02x}{blue:02x}"


def _font(handle: int) -> Font:
    buffer = ctypes.create_string_buffer(256)
    font_name_of(handle, buffer, 256)
    name = _SUBSET.sub("", buffer.value.decode("utf-8", "replace"))
    flags = font_flags_of(handle)
    flags = 0 if flags < 0 else flags
    return Font(
        name=name or UNNAMED,
        bold=bool(_BOLD.search(name)) or bool(flags & _FLAG_FORCE_BOLD),
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
                x0, top, x1, bottom = _placed(box.left, box.bottom, box.right, box.top, shown)
                yield Box(x0=x0, top=top, x1=x1, bottom=bottom), address
