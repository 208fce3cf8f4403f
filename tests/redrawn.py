"""The same pages written as other programs write them: every glyph where it was, drawn in another way.

The text of a page is taken out of its drawing glyph by glyph and put back word by word, letter by letter, without spaces,
in another order, inside forms, turned, doubled …; boxes, lines and pictures stay. What a person sees does not change, so what
is read of a document of ``invented`` must not, either. Text inside forms, which our typesetters use for little else than
transparency, stays as it is.

Run it: python -m tests.redrawn [NAME...] [--as PASS...] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from tests import invented, producers, retypeset

Matrix = tuple[float, float, float, float, float, float]
NEAR = 0.7  # of the type size: glyphs of one line are no further apart, when nothing but a space is between them
COLOURS = {"g", "rg", "k", "cs", "sc", "scn"}
STROKES = {"G", "RG", "K", "CS", "SC", "SCN"}


def times(a: Matrix, b: Matrix) -> Matrix:
    return (a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
            a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Face:
    """A font of a page: how long its codes are, what they mean and how far each moves the pen."""

    name: str
    held: Any
    wide: int  # bytes of a code
    letters: dict[int, str]
    widths: dict[int, float]
    usual: float

    def advance(self, code: int) -> float:
        return self.widths.get(code, self.usual)


@dataclass(frozen=True, slots=True)
class Glyph:
    code: bytes
    text: str
    face: Face
    matrix: Matrix  # from one em of type to the page
    advance: float  # in ems
    paint: tuple[bytes, ...]  # what sets its colour and transparency
    mode: int = 0

    @property
    def x(self) -> float:
        return self.matrix[4]

    @property
    def y(self) -> float:
        return self.matrix[5]

    @property
    def size(self) -> float:
        return abs(self.matrix[0] * self.matrix[3] - self.matrix[1] * self.matrix[2]) ** 0.5

    @property
    def end(self) -> tuple[float, float]:
        return self.x + self.matrix[0] * self.advance, self.y + self.matrix[1] * self.advance

    @property
    def look(self) -> tuple[Any, ...]:
        return self.face.name, tuple(round(part, 3) for part in self.matrix[:4]), self.paint, self.mode

    @property
    def blank(self) -> bool:
        return not self.text.strip()


Line = list[Glyph]


# ---------------------------------------------------------------- read


def face(name: str, held: Any) -> Face:
    kind = str(held.get("/Subtype"))
    letters = _meanings(held.ToUnicode.read_bytes()) if "/ToUnicode" in held else {}
    if kind == "/Type0":
        inner = held.DescendantFonts[0]
        return Face(name, held, 2, letters, _spans(inner.get("/W", [])), float(inner.get("/DW", 1000)) / 1000)
    scale = float(held.FontMatrix[0]) if kind == "/Type3" else 0.001
    first = int(held.get("/FirstChar", 0))
    widths = {first + at: float(width) * scale for at, width in enumerate(held.get("/Widths", []))}
    return Face(name, held, 1, letters, widths, 0.0)


def _spans(listed: Any) -> dict[int, float]:
    made: dict[int, float] = {}
    given, at = list(listed), 0
    while at < len(given):
        first, second = int(given[at]), given[at + 1]
        if hasattr(second, "__iter__") and not isinstance(second, (int, float)):
            made |= {first + n: float(width) / 1000 for n, width in enumerate(second)}
            at += 2
        else:
            made |= dict.fromkeys(range(first, int(second) + 1), float(given[at + 2]) / 1000)
            at += 3
    return made


def _meanings(table: bytes) -> dict[int, str]:
    """What a ToUnicode table says."""
    text, made = table.decode("latin-1"), {}

    def told(code: str) -> str:
        return bytes.fromhex(code).decode("utf-16-be", "replace")

    for part in re.findall(r"beginbfchar(.*?)endbfchar", text, re.S):
        made |= {int(code, 16): told(letter) for code, letter in re.findall(r"<(\w+)>\s*<(\w*)>", part)}
    for part in re.findall(r"beginbfrange(.*?)endbfrange", text, re.S):
        for first, last, start, listed in re.findall(r"<(\w+)>\s*<(\w+)>\s*(?:<(\w+)>|\[(.*?)\])", part, re.S):
            codes = range(int(first, 16), int(last, 16) + 1)
            letters = [told(each) for each in re.findall(r"<(\w+)>", listed)] or [
                told(start)[:-1] + chr(ord(told(start)[-1]) + n) for n in range(len(codes))]  # fmt: skip
            made |= dict(zip(codes, letters, strict=False))
    return made


@dataclass
class _State:
    matrix: Matrix = (1, 0, 0, 1, 0, 0)
    fill: bytes = b"0 g"
    stroke: bytes = b"0 G"
    space: bytes = b""  # the colour space before a colour that needs one
    line_space: bytes = b""
    gs: bytes = b""
    width: bytes = b""
    face: Face | None = None
    size: float = 1.0
    letter: float = 0.0
    word: float = 0.0
    across: float = 1.0
    rise: float = 0.0
    leading: float = 0.0
    mode: int = 0

    def copy(self) -> _State:
        return _State(**{name: getattr(self, name) for name in self.__dataclass_fields__})


@dataclass
class _Walk:
    """Goes through the content of a page: glyphs in one heap, everything else in the other."""

    faces: dict[str, Face]
    state: _State = field(default_factory=_State)
    kept: list[Any] = field(default_factory=list)
    glyphs: list[list[Glyph]] = field(default_factory=list)
    below: list[_State] = field(default_factory=list)
    text: Matrix = (1, 0, 0, 1, 0, 0)
    line: Matrix = (1, 0, 0, 1, 0, 0)

    def step(self, instruction: Any) -> None:
        import pikepdf

        operands, name = instruction.operands, str(instruction.operator)
        state = self.state
        if name == "q":
            self.below.append(state.copy())
        elif name == "Q" and self.below:
            self.state = self.below.pop()
        elif name == "cm":
            state.matrix = times(tuple(map(float, operands)), state.matrix)  # type: ignore[arg-type]
        elif name in COLOURS | STROKES | {"gs", "w"}:
            self._painted(name, pikepdf.unparse_content_stream([instruction]))
        elif self._written(name, operands):
            return
        self.kept.append(instruction)

    def _painted(self, name: str, written: bytes) -> None:
        state = self.state
        if name in ("cs", "CS"):
            state.space, state.line_space = (written, state.line_space) if name == "cs" else (state.space, written)
        elif name in COLOURS:
            state.fill = (state.space + b"\n" if name.startswith("sc") else b"") + written
        elif name in STROKES:
            state.stroke = (state.line_space + b"\n" if name.startswith("SC") else b"") + written
        elif name == "gs":
            state.gs = written
        else:
            state.width = written

    def _written(self, name: str, operands: Any) -> bool:
        """A text operator: taken out of the drawing."""
        state = self.state
        if name == "BT":
            self.text = self.line = (1, 0, 0, 1, 0, 0)
        elif name == "Tf":
            state.face, state.size = self.faces[str(operands[0])], float(operands[1])
        elif name in ("Tc", "Tw", "TL", "Ts"):
            setattr(state, {"Tc": "letter", "Tw": "word", "TL": "leading", "Ts": "rise"}[name], float(operands[0]))
        elif name == "Tz":
            state.across = float(operands[0]) / 100
        elif name == "Tr":
            state.mode = int(operands[0])
        elif name in ("Td", "TD"):
            if name == "TD":
                state.leading = -float(operands[1])
            self._move(float(operands[0]), float(operands[1]))
        elif name == "T*":
            self._move(0, -state.leading)
        elif name == "Tm":
            self.text = self.line = tuple(map(float, operands))  # type: ignore[assignment]
        elif name in ("Tj", "TJ", "'"):
            if name == "'":
                self._move(0, -state.leading)
            self._show(operands[0] if name == "TJ" else [operands[0]])
        else:
            return name == "ET"
        return True

    def _move(self, x: float, y: float) -> None:
        self.text = self.line = times((1, 0, 0, 1, x, y), self.line)

    def _show(self, pieces: Any) -> None:
        state, made = self.state, []
        assert state.face
        paint = tuple(each for each in (state.gs, state.fill, state.stroke if state.mode in (1, 2) else b"",
                                        self._thickness() if state.mode in (1, 2) else b"") if each)  # fmt: skip
        for piece in pieces:
            if isinstance(piece, (int, float)) or type(piece).__name__ == "Decimal":
                self._advance(-float(piece) / 1000 * state.size * state.across)
                continue
            raw = bytes(piece)
            for at in range(0, len(raw), state.face.wide):
                code = int.from_bytes(raw[at : at + state.face.wide], "big")
                advance = state.face.advance(code)
                own = (state.size * state.across, 0, 0, state.size, 0, state.rise)
                matrix = times(own, times(self.text, state.matrix))  # type: ignore[arg-type]
                text = state.face.letters.get(code, "")
                made.append(Glyph(raw[at : at + state.face.wide], text, state.face, matrix, advance, paint, state.mode))
                word = state.word if state.face.wide == 1 and code == 32 else 0
                self._advance((advance * state.size + state.letter + word) * state.across)
        self.glyphs.append(made)

    def _thickness(self) -> bytes:
        """The width of strokes as it is on the page: the text is drawn there without the matrix it had."""
        a, b, *_ = self.state.matrix
        return f"{float(self.state.width.split()[0] if self.state.width else 1) * (a * a + b * b) ** 0.5:.4f} w".encode()

    def _advance(self, by: float) -> None:
        self.text = times((1, 0, 0, 1, by, 0), self.text)


# ---------------------------------------------------------------- lines and runs


def lines(shows: Sequence[Sequence[Glyph]]) -> list[Line]:
    """What is drawn on one baseline, one after the other, as a typesetting program has it: by line."""
    made: list[Line] = []
    for glyphs in shows:
        for glyph in glyphs:
            if made and _goes_on(made[-1][-1], glyph):
                made[-1].append(glyph)
            else:
                made.append([glyph])
    return [line for line in made if any(not glyph.blank for glyph in line)]


def _goes_on(before: Glyph, glyph: Glyph) -> bool:
    x, y = before.end
    a, b, size = glyph.matrix[0], glyph.matrix[1], max(glyph.size, before.size)
    along = ((glyph.x - x) * a + (glyph.y - y) * b) / ((a * a + b * b) ** 0.5 or 1)
    aside = abs((glyph.y - y) * a - (glyph.x - x) * b) / ((a * a + b * b) ** 0.5 or 1)
    reach = NEAR if not before.blank and not glyph.blank else 1.5
    return aside < 0.45 * size and -0.3 * size < along < reach * size and before.matrix[1] * a == before.matrix[0] * b


def runs(line: Sequence[Glyph]) -> Iterator[Line]:
    """The parts of a line that are set alike, on one baseline."""
    for _, held in groupby(line, key=lambda glyph: (glyph.look, round(glyph.y if glyph.matrix[1] == 0 else glyph.x, 2))):
        yield list(held)


def words(line: Sequence[Glyph]) -> Iterator[Line]:
    for run in runs(line):
        for blank, held in groupby(run, key=lambda glyph: glyph.blank):
            if not blank:
                yield list(held)


def number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) > 1e-5 else "0"


def show(glyphs: Sequence[Glyph], *, spaces: bool = True, per: float = 1.0) -> bytes:
    """One text object; what is not where the pen would be is moved by numbers. ``per`` is the size given to Tf."""
    first = glyphs[0]
    a, b, c, d, e, f = first.matrix
    placed = " ".join(number(part / per) for part in (a, b, c, d)) + f" {number(e)} {number(f)} Tm"
    parts: list[str] = []
    pen, held = 0.0, b""
    for glyph in glyphs:
        if not spaces and glyph.blank:
            continue
        at = ((glyph.x - e) * a + (glyph.y - f) * b) / (a * a + b * b)
        if abs(at - pen) > 0.0004:
            parts += [f"<{held.hex()}>"] if held else []
            parts.append(number((pen - at) * 1000))
            held, pen = b"", at
        held += glyph.code
        pen += glyph.advance
    parts += [f"<{held.hex()}>"] if held else []
    return f"{first.face.name} {number(per)} Tf {first.mode} Tr {placed} [{' '.join(parts)}] TJ\n".encode()


def painted(glyphs: Sequence[Glyph], written: bytes) -> bytes:
    """A text object in its colour, with nothing left over for the next."""
    return b"q " + b" ".join(glyphs[0].paint) + b" BT " + written + b"ET Q\n"


# ---------------------------------------------------------------- written


@dataclass
class Page:
    """A page that is drawn anew."""

    file: Any
    page: Any
    fonts: dict[str, Any] = field(default_factory=dict)

    def font(self, name: str, make: Callable[[], Any]) -> str:
        """A font of its own, made when it is first asked for."""
        if name not in self.fonts:
            self.fonts[name] = self.file.make_indirect(make())
        return name

    @staticmethod
    def dictionary(given: dict[str, Any]) -> Any:
        import pikepdf

        return pikepdf.Dictionary(given)

    def form(self, content: bytes, matrix: str = "1 0 0 1 0 0", inner: dict[str, Any] | None = None) -> Any:
        """What is drawn, as a form of its own."""
        import pikepdf

        held = self.file.make_stream(content)
        held.Type, held.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        held.BBox, held.Matrix = [-2000, -2000, 4000, 4000], [float(part) for part in matrix.split()]
        held.Resources = pikepdf.Dictionary({**dict(self.page.Resources.items()), "/XObject": pikepdf.Dictionary(inner or {})})
        return held


Drawing = Callable[[list[Line], Page], bytes]


def redraw(pdf: bytes, drawing: Drawing) -> bytes:
    """Every page with its text drawn by ``drawing``."""
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf)) as file:
        for page in file.pages:
            held = Page(file, page)
            page.Resources = pikepdf.Dictionary(dict(page.Resources.items()))  # pages may share theirs
            page.Resources.Font = pikepdf.Dictionary(dict(page.Resources.get("/Font", {}).items()))
            walk = _Walk({name: face(name, font) for name, font in page.Resources.Font.items()})
            for instruction in pikepdf.parse_content_stream(page):
                walk.step(instruction)
            shapes = b"q\n" + pikepdf.unparse_content_stream(walk.kept) + b"\n" + b"Q\n" * (1 + len(walk.below))
            text = drawing(lines(walk.glyphs), held)
            for name, font in held.fonts.items():
                page.Resources.Font[name] = font
            page.Contents = file.make_stream(shapes + text)
        return _saved(file)


def _saved(file: Any) -> bytes:
    out = io.BytesIO()
    file.save(out, deterministic_id=True)
    return out.getvalue()


def each(parts: Callable[[Line], Iterator[Line]], lines: list[Line], **how: Any) -> bytes:
    return b"".join(painted(part, show(part, **how)) for line in lines for part in parts(line))


# ---------------------------------------------------------------- passes


def as_it_was(lines: list[Line], page: Page) -> bytes:
    """Drawn again with nothing changed: what this module itself may lose."""
    return each(runs, lines)


def by_word(lines: list[Line], page: Page) -> bytes:
    return each(words, lines)


def by_letter(lines: list[Line], page: Page) -> bytes:
    return each(lambda line: iter([glyph] for glyph in line if not glyph.blank), lines, per=10)


def without_spaces(lines: list[Line], page: Page) -> bytes:
    """As TeX and InDesign do: a space is a number."""
    return each(lambda line: (run for run in runs(line) if not all(glyph.blank for glyph in run)), lines, spaces=False, per=10)


def rows_in_one_go(lines: list[Line], page: Page) -> bytes:
    """The cells of a row, one after the other in one object, as Ghostscript and TeX write them."""
    held = [glyph for line in lines for glyph in line if not glyph.blank]
    level = groupby(_increasing(held), key=lambda placed: (placed[0], placed[1].look, round(placed[1].y, 2)))
    return each(lambda run: iter([run]), [[glyph for _, glyph in row] for _, row in level], spaces=False)


def _increasing(glyphs: Sequence[Glyph]) -> Iterator[tuple[int, Glyph]]:
    """Each with the number of times that the pen went back."""
    turns, last = 0, float("-inf")
    for glyph in glyphs:
        turns += glyph.x < last
        last = glyph.x
        yield turns, glyph


def spaces_apart(lines: list[Line], page: Page) -> bytes:
    """Every space an object of its own."""
    return each(lambda line: (list(held) for run in runs(line) for _, held in groupby(run, key=lambda glyph: glyph.blank)), lines)


def trailing_spaces(lines: list[Line], page: Page) -> bytes:
    """Every word with the space behind it, as word processors do; the last of a line has one, too."""
    return b"".join(painted(word, show(word)) for line in lines for word in _with_space(line))


def _with_space(line: Line) -> Iterator[Line]:
    for run in runs(line):
        space = next((glyph for glyph in run if glyph.text == " "), None)
        if run[-1] is line[-1] and space and not run[-1].blank:
            run = [*run, _moved(space, run[-1].end)]
        held: Line = []
        for glyph in run:
            held.append(glyph)
            if glyph.blank:
                yield held
                held = []
        if held:
            yield held


def _moved(glyph: Glyph, to: tuple[float, float]) -> Glyph:
    return replace(glyph, matrix=(*glyph.matrix[:4], *to))


def bold_first(lines: list[Line], page: Page) -> bytes:
    """A program that sets all text of a font in one go."""
    held = [run for line in lines for run in runs(line)]
    return each(lambda run: iter([run]), sorted(held, key=lambda run: run[0].face.name))


def across(lines: list[Line], page: Page) -> bytes:
    """Line by line over all columns, from the top of the page to its foot."""
    return each(runs, sorted(lines, key=lambda line: (-line[0].y, line[0].x)))


def backwards(lines: list[Line], page: Page) -> bytes:
    return each(words, [list(line) for line in reversed(lines)])


def in_forms(lines: list[Line], page: Page) -> bytes:
    """Each twelve lines in a form in a form, moved there and back."""
    made = {}
    for at in range(0, len(lines), 12):
        inner = page.form(each(runs, lines[at : at + 12]), "0.5 0 0 0.5 30 -40")
        made[f"/T{at}"] = page.form(b"q 2 0 0 2 0 0 cm /In Do Q", "1 0 0 1 -60 80", {"/In": inner})
    held = dict(page.page.Resources.get("/XObject", {}).items()) | made
    page.page.Resources.XObject = page.dictionary(held)
    return "".join(f"{name} Do\n" for name in made).encode()


def turned(pdf: bytes) -> bytes:
    """Drawn sideways at half its size, in the midst of a larger sheet, and turned, cut and enlarged by what the page says."""
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf)) as file:
        for page in file.pages:
            x0, y0, x1, y1 = (float(part) / 2 for part in page.MediaBox)
            for name in ("/TrimBox", "/BleedBox", "/ArtBox"):
                if name in page:
                    del page[name]
            page.MediaBox = [-50, -70, y1 - y0 + 90, x1 - x0 + 80]
            page.CropBox, page.Rotate, page.UserUnit = [20, 30, 20 + y1 - y0, 30 + x1 - x0], 90, 2
            turn = f"q 0 0.5 -0.5 0 {20 + y1} {30 - x0} cm"
            page.contents_add(file.make_stream(turn.encode()), prepend=True)
            page.contents_add(file.make_stream(b"Q"))
        return _saved(file)


LIGATURES = {"ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02", "ffi": "\ufb03", "ffl": "\ufb04"}


def ligatures(lines: list[Line], page: Page) -> bytes:
    """Glyphs that are two letters, named by the sign that Unicode has for them."""
    return each(runs, [[_meaning(glyph, LIGATURES.get(glyph.text, ""), page) for glyph in line] for line in lines])


def soft_hyphens(lines: list[Line], page: Page) -> bytes:
    """The hyphen of a word that is cut is another sign than that of a word that has one."""
    cut = [[*line[:-1], _meaning(line[-1], "\u00ad" if line[-1].text in "-\u2010" else "", page)] for line in lines]
    return each(runs, cut)


def _meaning(glyph: Glyph, text: str, page: Page) -> Glyph:
    """The glyph in a font that gives it another meaning, if there is one."""
    if not text:
        return glyph

    def make() -> Any:
        made = page.dictionary(dict(glyph.face.held.items()))
        meant = glyph.face.letters | {int.from_bytes(glyph.code, "big"): text}
        made.ToUnicode = page.file.make_stream(_table(meant, 2 * glyph.face.wide))
        return made

    name = page.font(f"{glyph.face.name}m{glyph.code.hex()}{ord(text):x}", make)
    return replace(glyph, face=replace(glyph.face, name=name), text=text)


def _table(meant: dict[int, str], digits: int) -> bytes:
    rows = "\n".join(f"<{code:0{digits}x}> <{text.encode('utf-16-be').hex()}>" for code, text in meant.items())
    return (f"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n1 begincodespacerange <{'0' * digits}> <{'f' * digits}> "
            f"endcodespacerange\n{len(meant)} beginbfchar\n{rows}\nendbfchar endcmap end end").encode()  # fmt: skip


def bold_twice(lines: list[Line], page: Page) -> bytes:
    """What is bold is drawn twice in the upright font, one a little to the right of the other."""
    return each(_doubled, [run for line in lines for run in runs(_in_regular(line, page))])


def bold_letters_twice(lines: list[Line], page: Page) -> bytes:
    return each(_doubled, [[glyph] for line in lines for glyph in _in_regular(line, page) if not glyph.blank])


def _doubled(run: Line) -> Iterator[Line]:
    yield run
    if run[0].face.name.endswith("plain"):
        yield [_moved(glyph, (glyph.x + 0.03 * glyph.size, glyph.y)) for glyph in run]


def bold_outlined(lines: list[Line], page: Page) -> bytes:
    """What is bold is filled in the upright font, and its edges are drawn."""
    return each(runs, [[_outlined(glyph) if glyph.face.name.endswith("plain") else glyph for glyph in _in_regular(line, page)] for line in lines])


def _outlined(glyph: Glyph) -> Glyph:
    edges = re.sub(rb"\b(rg|g|k|cs|scn?)$", lambda found: found[1].upper(), glyph.paint[-1], flags=re.M)
    return replace(glyph, mode=2, paint=(*glyph.paint, edges, f"{number(0.03 * glyph.size)} w".encode()))


def _in_regular(line: Line, page: Page) -> Line:
    """What is bold in it, in a font that does not say so."""
    return [_in_plain(glyph, page) if "Bold" in str(glyph.face.held.get("/BaseFont")) else glyph for glyph in line]


def _in_plain(glyph: Glyph, page: Page) -> Glyph:
    name = page.font(f"{glyph.face.name}plain", lambda: _renamed(glyph.face.held, page))
    return replace(glyph, face=replace(glyph.face, name=name))


def _renamed(font: Any, page: Page) -> Any:
    """The font under a name that does not say that it is bold."""
    import pikepdf

    made = page.dictionary(dict(font.items()))
    for key in ("/BaseFont", "/FontName"):
        if key in made:
            made[key] = pikepdf.Name(re.sub("-?(Semi)?Bold", "", str(made[key])))
    if "/Flags" in made:
        made.Flags = int(made.Flags) & ~(1 << 18)
    for key in ("/FontDescriptor", "/StemV", "/FontWeight"):
        if key in made and key == "/FontDescriptor":
            made[key] = page.file.make_indirect(_renamed(made[key], page))
        elif key in made:
            del made[key]
    if "/DescendantFonts" in made:
        made.DescendantFonts = [page.file.make_indirect(_renamed(made.DescendantFonts[0], page))]
    return made


def standard_fonts(lines: list[Line], page: Page) -> bytes:
    """In the fonts that every viewer has, their letters named by an encoding; each word as wide as it was."""
    letters = sorted({letter for line in lines for glyph in line for letter in glyph.text if letter.strip()})
    return b"".join(painted(word, _in_standard(word, letters, page)) for line in lines for word in words(line))


def _in_standard(word: Line, letters: list[str], page: Page) -> bytes:
    text, first = "".join(glyph.text for glyph in word), word[0]
    name = _standard(str(first.face.held.get("/BaseFont")))
    if not name or not text or not all(_width(letter, name) for letter in text):
        return show(word)
    widths = [_width(letter, name) for letter in letters]
    font = page.font(f"/{name}", lambda: _encoded(name, letters, widths))
    a, b, *_ = first.matrix
    size, (x, y) = (a * a + b * b) ** 0.5, word[-1].end
    wide = ((x - first.x) ** 2 + (y - first.y) ** 2) ** 0.5
    codes = [letters.index(letter) for letter in text]
    stretched = 100_000 * wide / (size * sum(widths[code] for code in codes))
    placed = " ".join(number(part / size) for part in first.matrix[:4]) + f" {number(first.x)} {number(first.y)}"
    drawn = bytes(code + 33 for code in codes).hex()
    return f"{font} {number(size)} Tf {number(stretched)} Tz {first.mode} Tr {placed} Tm <{drawn}> Tj\n".encode()


def _standard(name: str) -> str:
    if re.search("symbol|icon|dingbat", name, re.I):
        return ""
    bold, italic = "Bold" in name, re.search("Ital|Obli|It$", name)
    if "Serif" in name:
        return "Times-" + ("Bold" * bold + ("Italic" if italic else "") or "Roman")
    return "Helvetica" + ("-" if bold or italic else "") + "Bold" * bold + ("Oblique" if italic else "")


def _called(letter: str) -> str:
    from fontTools.agl import UV2AGL

    return UV2AGL.get(ord(letter), f"uni{ord(letter):04X}")


def _width(letter: str, name: str) -> int:
    """As the font has it; a letter that it lacks is as wide as the one that it is made of."""
    from reportlab.pdfbase import _fontdata

    known = _fontdata.widthsByFontGlyph[name]
    return known.get(_called(letter)) or known.get(_called(unicodedata.normalize("NFD", letter)[0])) or 0


def _encoded(name: str, letters: list[str], widths: list[int]) -> Any:
    from pikepdf import Dictionary, Name

    named = [33, *(Name(f"/{_called(letter)}") for letter in letters)]
    encoding = Dictionary(Type=Name.Encoding, BaseEncoding=Name.WinAnsiEncoding, Differences=named)
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{name}"), Encoding=encoding,
                      FirstChar=33, LastChar=32 + len(letters), Widths=widths)  # fmt: skip


UNSEEN = b"q BT /Helvetica 9 Tf 1 0 0 1 %d %d Tm (Proof 4711, page 12, not for print) Tj ET Q\n"


def read_twice(lines: list[Line], page: Page) -> bytes:
    """All text a second time, invisible, for those who search; and what the printer's people wrote beside the page."""
    low = int(page.page.MediaBox[1])
    page.font("/Helvetica", lambda: _encoded("Helvetica", list("Prof4711"), [500] * 8))
    again = [[replace(glyph, mode=3) for glyph in line] for line in lines]
    return each(runs, again) + each(runs, lines) + UNSEEN % (60, low - 30)


def clipped(lines: list[Line], page: Page) -> bytes:
    """Text that runs on behind the edge of its frame."""
    left, low, right, high = (int(part) for part in page.page.MediaBox)
    outside = [[_moved(glyph, (glyph.x + 7, glyph.y - 11)) for glyph in line] for line in lines[:: max(2, len(lines) // 8)]]
    frame = f"q {left} {low} {right - left} {high - low} re W n {left + 5} {low + 5} 8 8 re W n\n".encode()
    return frame + each(runs, outside) + b"Q\n" + each(runs, lines)


def layers(lines: list[Line], page: Page) -> bytes:
    """A layer that is switched off lies above: another language, or what the editors wrote."""
    from pikepdf import Dictionary, Name

    file = page.file
    if "/OCProperties" not in file.Root:
        group = file.make_indirect(Dictionary(Type=Name.OCG, Name="Notes"))
        file.Root.OCProperties = Dictionary(OCGs=[group], D=Dictionary(OFF=[group], Order=[group]))
    page.page.Resources.Properties = Dictionary(Off=file.Root.OCProperties.OCGs[0])
    outside = [[_moved(glyph, (glyph.x + 7, glyph.y - 11)) for glyph in line] for line in lines[:: max(2, len(lines) // 8)]]
    return b"/OC /Off BDC\n" + each(runs, outside) + b"EMC\n" + each(runs, lines)


def _pass(drawing: Drawing) -> Callable[[bytes], bytes]:
    return lambda pdf: redraw(pdf, drawing)


DRAWINGS: list[Drawing] = [
    as_it_was, by_word, by_letter, without_spaces, rows_in_one_go, spaces_apart, trailing_spaces, bold_first, across, backwards, in_forms, ligatures,
    soft_hyphens, bold_twice, bold_letters_twice, bold_outlined, standard_fonts, read_twice, clipped, layers,
]  # fmt: skip
PASSES: dict[str, Callable[[bytes], bytes]] = {
    **{drawing.__name__: _pass(drawing) for drawing in DRAWINGS}, "turned": turned,
    "ghostscript": producers.ghostscript,
}  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--as", nargs="*", dest="passes", default=list(PASSES))
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args(arguments)
    for path in invented.documents(asked.names):
        known = invented.invented(path)
        with tempfile.TemporaryDirectory() as scratch:
            folder = asked.keep / known.name if asked.keep else Path(scratch)
            folder.mkdir(parents=True, exist_ok=True)
            made = invented.typeset(known, folder)
            for name in asked.passes:
                agreed = retypeset.agreement(replace(made, pdf=PASSES[name](made.pdf)), folder)
                print(f"{agreed:.3f}  {known.name}  {name}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
