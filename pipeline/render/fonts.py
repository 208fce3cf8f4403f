"""The fonts that we embed: their files, what they can draw, how wide it is, and symbols that they lack."""

from __future__ import annotations

import base64
import html as markup
import mimetypes
import re
import unicodedata
from functools import cache
from importlib import resources
from pathlib import Path

from pipeline.errors import ConfigError, MissingPartError

mimetypes.init()  # reads files of the machine, which a child that prints may no longer

# family -> (package, file stem); each style is one complete file, so that no glyph falls to a font of the machine.
_FAMILIES = {"Serif": ("font_source_serif_pro", "SourceSerifPro"), "Sans": ("font_source_sans_pro", "SourceSansPro")}
_STYLES = (
    ("Regular", 400, "normal"), ("It", 400, "italic"), ("Semibold", 600, "normal"), ("SemiboldIt", 600, "italic"),
    ("Bold", 700, "normal"), ("BoldIt", 700, "italic"),
)  # fmt: skip
SCHEME = "rubricator:"
PNG = "data:image/png;base64,"
UNREADABLE = "[?]"

# Characters that look the same, or do nothing in print, and that the fonts do have.
_SAME = {
    "\u202f": "\u00a0", "\u2007": "\u00a0", "\u2011": "-", "\u2010": "-", "\u2043": "-", "\u2015": "—",
    "►": "▶", "◄": "◀", "‣": "▶", "➤": "▶", "➢": "▶", "⯈": "▶", "✔": "✓", "🗸": "✓", "✕": "×", "✖": "×", "✗": "×",
    "✘": "×", "♦": "◆", "◇": "◊", "▪": "■", "◼": "■", "➔": "→", "➜": "→", "➡": "→", "⇒": "→", "⇨": "→", "⟶": "→",
    "⇐": "←", "⇧": "↑", "⇩": "↓", "▫": "☐", "□": "☐", "◻": "☐", "❑": "☐", "❏": "☐", "⬤": "●", "∙": "·", "⋅": "·",
    "⊳": "▶", "⊲": "◀", "▸": "▶", "▹": "▷", "◂": "◀", "➞": "→", "➝": "→", "⮕": "→", "⟹": "→", "↪": "→", "↳": "→",
    "⤷": "→", "➙": "→", "➧": "→", "⇄": "↔", "❖": "◆", "∅": "Ø", "⁺": "+", "⁻": "−",
    "‛": "‘", "ʼ": "’", "∕": "/", "❝": "“", "❞": "”", "‟": "“", "˝": "″",
}  # fmt: skip
_NOTHING = dict.fromkeys(
    [
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        *range(0xFE00, 0xFE10),
        0xFEFF,
        0x61C,
        *range(0x20),
        *range(0x7F, 0xA0),
    ]
)
_SPACES = dict.fromkeys(
    [9, 10, 13, 0x85, 0x2028, 0x2029, *range(0x2000, 0x2007), *range(0x2008, 0x200B), 0x205F, 0x3000], " "
)
_TIDY = {**_NOTHING, **_SPACES, **{ord(old): new for old, new in _SAME.items()}}

_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_]|$)")  # between letters: elsewhere it may mean feet or minutes
_SPACED = re.compile(r"[ \t\r\n]+")  # where a line may end

# Spaces that no line may end at: before high punctuation, inside quotation marks, between "p." or "n°" and its number,
# in measures ("60 × 60 cm") and times of day ("9 h 30"), between the thousands of a number ("2 000").
_GLUED = re.compile(
    r"(?<=\S) (?=[?!:;»])|^ (?=[?!;»])|(?<=«) |(?<=\bp\.) (?=\d)|(?<=[nN]°) (?=\d)"
    r"|(?<=\d) (?=[×%€])|(?<=×) (?=\d)|(?<=\d) (?=(?:cm|mm|m|h|min|kg|pts?)\b)|(?<=\d h) (?=\d)"
    r"|(?<=(?<![\d.,])\d) (?=\d{3}(?!\d))|(?<=(?<![\d.,])\d\d) (?=\d{3}(?!\d))|(?<=(?<![\d.,])\d{3}) (?=\d{3}(?!\d))"
)

# Symbols that we draw ourselves, on a square of 24: the same on every machine.
_DRAWN = {
    "★": '<path d="M12 2l3 7 7.500.6-5.700 5 1.800 7.400-6.600-4-6.600 4 1.800-7.400-5.700-5 7.500-.6z"/>',
    "☆": '<path fill="none" stroke="#000" stroke-width="1.600" d="M12 3l2.800 6.600 7 .6-5.300 4.700'
    ' 1.600 7-6.100-3.700-6.100 3.700 1.600-7-5.300-4.700 7-.6z"/>',
    "●": '<circle cx="12" cy="13" r="8"/>',
    "○": '<circle cx="12" cy="13" r="7" fill="none" stroke="#000" stroke-width="2"/>',
    "◦": '<circle cx="12" cy="13" r="3.500" fill="none" stroke="#000" stroke-width="1.800"/>',
    "☒": '<path fill="none" stroke="#000" stroke-width="2" d="M4 5h16v16H4zM7 8l10 10M17 8L7 18"/>',
    "↔": '<path d="M1 13l6-5v4h10V8l6 5-6 5v-4H7v4z"/>',
    "♥": '<path d="M12 21C4 15 3 11 3 9a4.600 4.600 0 0 1 9-1.500A4.600 4.600 0 0 1 21 9c0 2-1 6-9 12z"/>',
    "♠": '<path d="M12 2c7 6 9 9 9 12a4 4 0 0 1-8 1.500l1.500 6.500h-5L11 15.500A4 4 0 0 1 3 14c0-3 2-6 9-12z"/>',
    "♣": '<path d="M12 2a4.500 4.500 0 0 1 3.600 7.200A4.500 4.500 0 1 1 13 15l1.500 7h-5L11 15a4.500'
    ' 4.500 0 1 1-2.600-5.800A4.500 4.500 0 0 1 12 2z"/>',
    "✂": '<g fill="none" stroke="#000" stroke-width="2"><circle cx="5" cy="7" r="3"/><circle cx="5"'
    ' cy="18" r="3"/><path d="M7.500 8.500L22 18M7.500 16.500L22 7"/></g>',
    "⚠": '<path d="M12 2l11 20H1zM11 9v7h2V9zm0 9v2h2v-2z" fill-rule="evenodd"/>',
    "✚": '<path d="M9 3h6v6h6v6h-6v6H9v-6H3V9h6z"/>',
    "✦": '<path d="M12 2l3 8 8 3-8 3-3 8-3-8-8-3 8-3z"/>',
}  # fmt: skip
_PIPS = ("4", "28", "248", "0268", "02468", "012678")  # of a die, on a grid of three by three



def picture(place: str) -> tuple[bytes, str]:
    """A picture or a font, and what it is: from its file, or as a source draws it (PNG in base64)."""
    if place.startswith(PNG):
        return base64.b64decode(place.removeprefix(PNG)), "image/png"
    path = Path(place)
    return path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def files() -> dict[str, Path]:
    """The font files by the name under which a style sheet asks for them."""
    return {f"font/{family}-{style}": path for (family, style), path in _paths().items()}


@cache
def _paths() -> dict[tuple[str, str], Path]:
    paths = {}
    for family, (package, stem) in _FAMILIES.items():
        try:
            folder = Path(str(resources.files(package))) / "files"
        except ModuleNotFoundError as error:
            raise MissingPartError(f"the font package {package} is not installed") from error
        for style, _, _ in _STYLES:
            paths[family, style] = folder / f"{stem}-{style}.otf"
    return paths


def faces(prefix: str = SCHEME) -> str:
    """The @font-face rules, without a character that a template would escape.

    ``Rest`` and ``Last`` are upright, serif and sans: they stand in where an italic lacks a letter (Greek, Cyrillic) or
    a symbol.
    """
    rules = [
        _face(family, f"{prefix}font/{family}-{style}", weight, slope)
        for family in _FAMILIES
        for style, weight, slope in _STYLES
    ]
    rules.append(_face("Rest", f"{prefix}font/Serif-Regular", 400, "normal"))
    rules.append(_face("Last", f"{prefix}font/Sans-Regular", 400, "normal"))
    return "\n".join(rules)


def _face(family: str, address: str, weight: int, slope: str) -> str:
    return (
        f"@font-face {{ font-family: Rubricator {family}; src: url({address}); font-weight: {weight}; "
        f"font-style: {slope} }}"
    )


# ---------------------------------------------------------------- what they can draw


@cache
def coverage() -> frozenset[int]:
    """Every character that the fonts have."""
    return frozenset(_widths("Serif", "Regular")[0]) | frozenset(_widths("Sans", "Regular")[0])


@cache
def _widths(family: str, style: str) -> tuple[dict[int, int], int]:
    from fontTools.ttLib import TTFont

    with TTFont(_paths()[family, style], lazy=True) as font:
        widths, names = font["hmtx"].metrics, font.getBestCmap()
        return {code: widths[name][0] for code, name in names.items()}, font["head"].unitsPerEm


def width(text: str, size: float, family: str = "Serif", style: str = "Regular") -> float:
    """How wide ``text`` is in points, kerning aside."""
    advances, units = _widths(family, style)
    usual = advances[ord("n")]
    return sum(advances.get(ord(letter), usual) for letter in text) * size / units


def lines(text: str, measure: float, size: float, family: str = "Serif", style: str = "Regular") -> int:
    """How many lines of ``measure`` points ``text`` takes, unhyphenated: a little more than it will be."""
    if "\n" in text:
        return sum(lines(line, measure, size, family, style) for line in text.split("\n"))
    space, used, count = width(" ", size, family, style), 0.0, 1
    for word in _SPACED.split(text.strip()):
        wide = width(word, size, family, style)
        if used and used + space + wide > measure:
            count, used = count + 1 + int(wide // measure), wide % measure if wide > measure else wide
        else:
            used += wide + (space if used else 0.0)
    return count


def tidy(text: str) -> str:
    """The same words in characters that print: NFC, plain spaces, look-alikes that the fonts have, no controls, and one
    kind of apostrophe: typewritten ones beside others look like misprints."""
    tidied = unicodedata.normalize("NFC", text)
    tidied = _APOSTROPHE.sub("’", tidied) if "'" in tidied else tidied
    return tidied if tidied.isascii() and tidied.isprintable() else tidied.translate(_TIDY)


def glued(text: str) -> str:
    """The same words, with no-break spaces where a line must not end: "marée ?", "« Oui »", "p. 12"."""
    return _GLUED.sub("\u00a0", text)


def split_symbols(text: str) -> list[tuple[str, str]]:
    """``("text", …)``, ``("symbol", "★")`` or ``("icon", "[crossed swords]")`` for what no font here can draw.

    Letters that are missing (a source with a broken encoding has them) become a visible ``[?]``, one for each run.
    """
    if text.isascii():
        return [("text", text)] if text else []
    pieces: list[tuple[str, str]] = []
    for character in text:
        kind, piece = _call(character)
        if kind == "text" and pieces and pieces[-1][0] == "text":
            pieces[-1] = ("text", pieces[-1][1] + piece)
        elif not (piece == UNREADABLE and pieces and pieces[-1][1] == UNREADABLE):
            pieces.append((kind, piece))
    return pieces


def _call(character: str) -> tuple[str, str]:
    code = ord(character)
    if code in coverage():
        return "text", character
    apart = unicodedata.normalize("NFD", character)  # "ḃ" as b and its dot
    if len(apart) > 1 and coverage().issuperset(map(ord, apart)):
        return "text", apart
    if character in _DRAWN or 0x2680 <= code <= 0x2685 or 0x2460 <= code <= 0x2473 or 0x2776 <= code <= 0x277F:
        return "symbol", character
    if unicodedata.category(character) in ("So", "Sm", "Sk", "Co", "Cn", "Cs", "No", "Po"):
        return "icon", f"[{unicodedata.name(character, 'icon').lower()}]"
    return "icon", UNREADABLE


def unprintable(text: str) -> list[str]:
    """The letters of ``text`` that no font here can draw."""
    return [c for c in tidy(text) if not c.isascii() and _call(c)[1] == UNREADABLE]


def drawing(character: str) -> str:
    """The SVG of a symbol."""
    code = ord(character)
    if 0x2680 <= code <= 0x2685:
        shape = _die(_PIPS[code - 0x2680])
    elif character in _DRAWN:
        shape = _DRAWN[character]
    else:
        number, full = (code - 0x245F, False) if code < 0x2776 else (code - 0x2775, True)
        shape = _ring(number, full)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">{shape}</svg>'


def label(text: str, colour: str, height: float = 10.0) -> str:
    """Words as a drawing: what hangs in the margin must not run into the lines of whoever reads the text layer."""
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen
    from fontTools.ttLib import TTFont

    at, shapes = 0, []
    with TTFont(_paths()["Sans", "Semibold"]) as font:
        glyphs, names = font.getGlyphSet(), font.getBestCmap()
        for letter in text:
            name = names.get(ord(letter), ".notdef")
            pen = SVGPathPen(glyphs)
            glyphs[name].draw(TransformPen(pen, (1, 0, 0, -1, at, 760)))
            shapes.append(pen.getCommands())
            at += glyphs[name].width
    wide = at * height / 1000
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {at} 1000" width="{wide:g}" height="{height:g}">'
        f'<path fill="{colour}" d="{"".join(shapes)}"/></svg>'
    )


def _die(pips: str) -> str:
    dots = "".join(f'<circle cx="{6 + 6 * (int(p) % 3)}" cy="{7 + 6 * (int(p) // 3)}" r="2"/>' for p in pips)
    return f'<rect x="2" y="3" width="20" height="20" rx="3" fill="none" stroke="#000" stroke-width="1.600"/>{dots}'


def _ring(number: int, full: bool) -> str:
    ring = f'<circle cx="12" cy="13" r="10" fill="{"#000" if full else "none"}" stroke="#000" stroke-width="1.500"/>'
    return (
        f'{ring}<text x="12" y="18" text-anchor="middle" font-family="Rubricator Sans" font-size="14" '
        f'fill="{"#fff" if full else "#000"}">{number}</text>'
    )


def check(html: str) -> None:
    """Refuse HTML with a character that no font here can draw; the error names it and where it stands."""
    missing = {ord(c) for c in set(html) if not c.isascii()} - coverage()
    if not missing:
        return
    shown = re.sub(r"<(style|script|title)\b.*?</\1>|<[^>]*>", _blank, html, flags=re.DOTALL)
    for at, character in enumerate(shown):
        if ord(character) in missing and not character.isspace():
            name = unicodedata.name(character, "no name")
            words = " ".join(markup.unescape(shown[max(0, at - 20) : at + 20]).split())
            entries = re.findall(r'\bid="r-([^"]+)"', html[:at])
            where = f"entry {entries[-1]}" if entries else "the page"
            raise ConfigError(
                f"no font here has {character!r} (U+{ord(character):04X} {name}), in “{words}”",
                where=where, hint="correct the text in overrides.toml, or hide the entry",
            )  # fmt: skip


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
