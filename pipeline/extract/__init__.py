"""PDF -> styled runs on pages. The only stage that knows the PDF engine.

What is drawn, where and how; nothing is understood here. Text that a reader of the page cannot see (invisible,
white on white, off the page, clipped away, microscopic) is kept apart and reported.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import string
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import pdf_objects
from pipeline.errors import NoTextError, PasswordError, SourceError
from pipeline.extract.bookmarks import bookmarks
from pipeline.extract.clean import ACCENTS, DAMAGED, accented, clean, leaders, unclean
from pipeline.extract.drawn_bullets import drawn_bullets
from pipeline.extract.inline import drawn_icons
from pipeline.extract.pictures import icon_pictures
from pipeline.quick import quickest
from pipeline.records import Bookmark, Box, Extract, Finding, Page, Run, Shape

if TYPE_CHECKING:
    from pipeline.extract.engine import Reader

OVER_CAPITAL = 0.35  # of the type size: TeX raises an accent by what capitals are higher than small letters, a quarter
FILE_MAX = 100 * 1024 * 1024
PAGES_MAX = 2_000
CHARACTERS_MAX = 4_000_000
SHAPES_MAX = 4_000  # on one page; more is an illustration
SIZE_MIN = 2.0  # points; smaller type is not meant to be read
WHITE = 0xF4  # a colour whose three parts are above this is white on paper
COVERED = 0.6  # share of the text's box that something dark must cover for white text to be read
BEARING = 0.12  # of the type size: white that a letter has at its left
SIGNS, SIGN_BEARING = frozenset("?!“”„‘’\"'"), 0.19  # that may have more of it, in bold and in italics, drawn alone
DAMAGE_SHARE = 0.02  # of a page's characters
MEANT = 0.5  # of a document's characters that must be letters or digits; in none that can be read are they fewer
SIGNS_MIN = 40  # characters; a page with less on it may well be icons
ODD_FEW = 5  # letters of a page that need a closer look; with more, as in Greek, every text gets one
OCR_SHARE = 0.9  # of a page's characters invisible, over a picture: a scan with its text layer

_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
# In a font of pictures a character is a letter or a sign where Unicode calls it one that no such font is drawn for:
# Greek, formulas, fractions; in one that is called Symbol, arrows, figures and stops too.
_LETTERS = "\u0370-\u03ff\u2200-\u22ff×÷±½¼¾°µ¬∂ "
_NO_LETTER = re.compile(f"[^{_LETTERS}]")
_NO_SIGN = re.compile(f"[^{_LETTERS}\u2190-\u21ff0-9().,;:+=<>/%\\[\\]{{}}|−-]")
_SYMBOL = re.compile(r"^Symbol(?:MT|PS|Std|Neu)?(?:$|[-,])")
_BULLETS = frozenset(
    "\uf0b7\uf0a7\uf0d8\uf0fc\uf0a8\uf076\uf02d\uf06f\uf0e0\uf0b0\uf0be\uf09f"
)  # Symbol, Wingdings: bullets of word processors
_PLAIN_LETTERS = (string.ascii_letters + string.digits).encode()
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")
_LETTER = re.compile(r"[^\W\d_]")
_REAL_WORD = re.compile(r"[^\W\d_]{3}")
_HYPHENED = re.compile("[^\\W\\d_]\u2010[^\\W\\d_]")


def extract(path: Path, content: bytes | None = None) -> Extract:
    """Everything that is drawn in a PDF, page by page; ``content``: what is in the file, if it was read before."""
    content = _content(path) if content is None else content
    document, findings = _open(content, path.name)
    try:
        return _extract(document, content, path.name, findings)
    finally:
        document.close()


def some_pages(path: Path, numbers: Iterable[int]) -> dict[int, Page]:
    """What is drawn on some pages (1-based), and nothing of the document around them."""
    from pipeline.extract.engine import Reader

    content = _content(path)
    document, _ = _open(content, path.name)
    pages: dict[int, Page] = {}
    try:
        reader = Reader(document, partial(_layers_off, content))
        for number in sorted(numbers):
            with contextlib.suppress(ValueError):  # a page that was not read either
                pages[number] = _page(reader.sheet(number - 1), number, path.name)[0]
    finally:
        document.close()
    return pages


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > FILE_MAX:
            raise SourceError(f"larger than {FILE_MAX >> 20} MB", where=path.name, hint="split it")
        content = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", where=str(path)) from error
    if not content:
        raise SourceError("the file is empty", where=path.name, hint="download it again")
    if b"%PDF" not in content[:4096]:
        raise SourceError("not a PDF", where=path.name, hint="give PDF files")
    return content


def _open(content: bytes, name: str) -> tuple[Any, list[Finding]]:
    """The open document; a damaged one is repaired first if that helps."""
    import pypdfium2

    from pipeline.extract.fontnames import named

    content = named(content)
    try:
        document = pypdfium2.PdfDocument(content)
        if len(document):
            return document, []
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise PasswordError("a password is needed to open it", where=name) from error
    repaired = _repaired(content, name)
    try:
        document = pypdfium2.PdfDocument(repaired)
    except pypdfium2.PdfiumError as error:
        raise SourceError("damaged, no page can be read", where=name, hint="download it again") from error
    if not len(document):
        raise SourceError("has no pages", where=name, hint="download it again")
    return document, [
        Finding(code="repaired", message="the file was damaged and was repaired for reading", source=name)
    ]


def _repaired(content: bytes, name: str) -> bytes:
    try:
        with pdf_objects.opened(content) as damaged:
            return pdf_objects.saved(damaged, same_bytes=False)
    except Exception as error:  # many kinds; all mean that there is nothing to read
        raise SourceError("damaged, no page can be read", where=name, hint="download it again") from error


def _layers_off(content: bytes) -> set[str]:
    """The names of the layers that are switched off when the file is opened; none when that cannot be told."""
    try:
        with pdf_objects.opened(content) as pdf:
            layers = pdf.Root.OCProperties
            shown = layers.D
            off = layers.OCGs if shown.get("/BaseState") == "/OFF" else shown.get("/OFF", [])
            on = {str(each.Name) for each in shown.get("/ON", [])}
            return {str(each.Name) for each in off} - on
    except Exception:  # many kinds; what is in them is then read
        return set()


def _extract(document: Any, content: bytes, name: str, findings: list[Finding]) -> Extract:
    from pipeline.extract.engine import Reader

    count = len(document)
    if count > PAGES_MAX:
        raise SourceError(f"{count} pages; at most {PAGES_MAX} are read", where=name, hint="split it")
    reader, pages, pictures, characters = Reader(document, partial(_layers_off, content)), [], 0, 0
    tagged: list[Bookmark] = []
    for index in range(count):
        try:
            sheet = reader.sheet(index)
        except ValueError:
            findings.append(_finding("unreadable-page", "this page is damaged and was not read", index + 1, name))
            pages.append(Page(number=index + 1, width=1.0, height=1.0, runs=()))
            continue
        page, about = _page(sheet, index + 1, name)
        characters += sheet.characters
        if characters > CHARACTERS_MAX:
            raise SourceError(f"more than {CHARACTERS_MAX:,} characters", where=name, hint="split it")
        pictures += any(drawing.picture for drawing in sheet.drawings)
        pages.append(page)
        tagged += [Bookmark(title=clean(title), depth=level - 1, page=index + 1) for level, title in sheet.titles]
        findings.extend(about)
    findings.extend(_empty_pages(pages, name, pictures))
    drawn = [run for page in pages for run in page.runs]
    text = "\n".join([run.text for run in drawn if not run.icon])
    _refuse_riddles(drawn, text, name)
    if "\u2010" in text and _HYPHENED.search(text):
        pages = _with_plain_hyphens(pages)
    meta = _metadata(document)
    return Extract(
        source=name, sha256=hashlib.sha256(content).hexdigest(), pages=_with_tables(tuple(pages), reader),
        title=clean(meta.get("Title", "")).strip() or None, author=clean(meta.get("Author", "")).strip() or None,
        created=_date(meta.get("CreationDate", "")), bookmarks=bookmarks(document), tags=tuple(tagged),
        icons=icon_pictures(document, pages), findings=tuple(findings),
    )  # fmt: skip


def _mostly_letters(text: str, more: int) -> bool:
    """Are there plain letters enough to ask no further? Nearly always; asking every letter would cost much more."""
    plain = text.encode("utf-8", "ignore")
    return len(plain) - len(plain.translate(None, _PLAIN_LETTERS)) >= MEANT * (len(text) + more)


def _with_plain_hyphens(pages: list[Page]) -> list[Page]:
    """Some fonts call their ordinary hyphen U+2010. Where it stands inside words, it is no sign that a line was cut."""
    return [
        replace(page, runs=tuple(replace(run, text=run.text.replace("\u2010", "-")) for run in page.runs))
        for page in pages
    ]


def _empty_pages(pages: list[Page], name: str, pictures: int) -> list[Finding]:
    """Pages without text beside pages with; no text at all is an error."""
    if not any(page.runs for page in pages):
        if any(page.hidden for page in pages):
            raise NoTextError("all its text is hidden; there is nothing that a reader sees", where=name)
        what = "no text layer, pictures only" if pictures else "no text"
        where = f"pages 1-{len(pages)}" if len(pages) > 1 else "page 1"
        raise NoTextError(f"{what} ({where})", where=name)
    return [
        _finding("no-text", "no text on this page", page.number, name)
        for page in pages
        if not page.runs and page.width > 1
    ]


def _refuse_riddles(drawn: list[Run], text: str, name: str) -> None:
    """Fonts that do not say what their glyphs mean give signs for letters: better nothing than a riddle."""
    if _mostly_letters(text, len(drawn)):
        return
    dots = sum(run.text.count(" ") + run.text.count(".") for run in drawn if not run.icon)  # that lead to page numbers
    signs = sum(len(run.text) if not run.icon else 1 for run in drawn) - dots
    meant = sum(map(str.isalnum, text))
    if signs >= SIGNS_MIN and meant < MEANT * signs:
        raise NoTextError(
            "its letters cannot be known: the fonts in it do not say what their glyphs mean",
            where=name, hint="run it through OCR first (for example ocrmypdf --force-ocr) and try again",
        )  # fmt: skip


def _finding(code: str, message: str, page: int, name: str) -> Finding:
    return Finding(code=code, message=message, page=page, source=name)


def _date(stamp: str) -> str | None:
    match = _DATE.match(stamp)
    return "-".join(part for part in match.groups() if part) if match else None


def _metadata(document: Any) -> dict[str, str]:
    values = {}
    for key in ("Title", "Author", "CreationDate"):
        with contextlib.suppress(ValueError):  # half a character in it: as good as none
            values[key] = document.get_metadata_value(key)
    return values


# ---------------------------------------------------------------- one page


def _page(sheet: Any, number: int, name: str) -> tuple[Page, list[Finding]]:
    from pipeline.extract.page_objects import Drawn

    findings: list[Finding] = []
    if sheet.truncated:
        findings.append(_finding("too-complex", "drawn with too many objects; part of it was not read", number, name))
    # Value by value: all their texts, all their left edges …
    every: Any = Drawn._make(zip(*sheet.texts, strict=True) if sheet.texts else [()] * len(Drawn._fields))
    whole = " ".join(every.text)
    symbols = _picture_fonts(sheet.texts, every.font)
    dark = [d.box for d in sheet.drawings if d.picture or (d.fill and not _white(d.fill))]
    scanned = 3 in every.mode and _is_ocr(sheet)
    damaged, letters = sheet.unmapped, max(0, len(whole) - len(sheet.texts) + 1)
    odd, clear = unclean(whole), _clear(every.look)
    plain = not odd and not symbols and _all_seen(every, clear, sheet)
    runs: list[Run] = list(map(_ordinary, sheet.texts)) if plain else []
    hidden: list[Run] = []
    wide, high = sheet.width, sheet.height
    clear = clear if len(odd) <= ODD_FEW else set()
    for drawn in sheet.texts if not plain else ():
        text, x0, top, x1, bottom, _, _, font, look, mode, _ = drawn
        seen = look in clear and mode < 3 and x1 > 0.0 and x0 < wide and bottom > 0.0 and top < high
        if seen and font.name not in symbols and not (odd and [each for each in odd if each in text]):  # most
            runs.append(_ordinary(drawn))
            continue
        home = runs if seen or _visible(Drawn._make(drawn), sheet, dark, scanned) else hidden
        if "\ufffd" in text or not text.replace("\u00a0", " ").isprintable():
            damaged += len(DAMAGED.findall(leaders(text.rstrip("\x02\ufffe"))))
        home.extend(_runs(Drawn._make(drawn), symbols))
    if scanned:
        findings.append(
            _finding("ocr-text", "a scan: the text was recognised by a machine and may be wrong", number, name)
        )
    if hidden:
        findings.append(_hidden(hidden, number, name))
    if damaged > DAMAGE_SHARE * letters:
        findings.append(
            _finding("damaged-text", f"{damaged} of {letters} characters have no meaning in the file", number, name)
        )
    shapes = tuple(
        Shape(box=d.box, fill=d.fill, stroke=d.stroke)
        for d in sheet.drawings[:SHAPES_MAX]
        if d.simple and not d.picture
    )
    if any(sign in odd for sign in ACCENTS):
        runs = _with_accents(runs)
    dots = drawn_bullets(sheet.drawings[:SHAPES_MAX], runs)
    icons = [] if scanned else drawn_icons(sheet.drawings[:SHAPES_MAX], runs + dots)
    runs += dots + icons
    linked = _linked(runs, sheet.links) if sheet.links else runs
    figures = tuple([d.box for d in sheet.drawings[:SHAPES_MAX] if d.picture or not d.simple])
    return Page(
        number=number, width=wide, height=high, runs=tuple(linked), shapes=shapes, hidden=tuple(hidden),
        figures=figures,
    ), findings  # fmt: skip


def _hidden(hidden: list[Run], number: int, name: str) -> Finding:
    words = " ".join(run.text.strip() for run in hidden).split()
    excerpt = " ".join(words[:8]) + (" …" if len(words) > 8 else "")
    return _finding("hidden-text", f"{len(words)} words that a reader cannot see: “{excerpt}”", number, name)


def _is_ocr(sheet: Any) -> bool:
    """Nearly all text invisible, and most of it over the pictures of a scan, one or many: recognised text."""
    unseen = [drawn for drawn in sheet.texts if drawn[9] == 3]
    letters = sum(len(drawn[0]) for drawn in unseen)
    if letters < OCR_SHARE * sum(len(drawn[0]) for drawn in sheet.texts):
        return False
    pictures = [d.box for d in sheet.drawings if d.picture][:SHAPES_MAX]
    over = sum(len(drawn[0]) for drawn in unseen if _is_over(drawn, pictures))
    return 2 * over > letters


def _is_over(drawn: Any, pictures: list[Box]) -> bool:
    _, x0, top, x1, bottom, *_ = drawn
    x, y = (x0 + x1) / 2, (top + bottom) / 2
    return any(box.x0 <= x <= box.x1 and box.top <= y <= box.bottom for box in pictures)


def _clear(looks: Iterable[Any]) -> set[Any]:
    """The looks in which a text that is drawn is upright, and is seen wherever it stands on the page."""
    upright = [look for look in set(looks) if look.angle == 0 and look.slant == 0.0]
    return {look for look in upright if look.size >= SIZE_MIN and not _white(look.colour)}


def _all_seen(every: Any, clear: set[Any], sheet: Any) -> bool:
    """Is all of it upright, drawn, and on the page? So it is on most pages."""
    if not every.text or max(every.mode) > 2 or not clear.issuperset(every.look):
        return False
    across = min(every.x1) > 0.0 and max(every.x0) < sheet.width
    return bool(across and min(every.bottom) > 0.0 and max(every.top) < sheet.height)


def _visible(drawn: Any, sheet: Any, dark: list[Box], scanned: bool) -> bool:
    if drawn.mode == 3 or drawn.mode == 7:
        return scanned
    if drawn.look.size < SIZE_MIN and drawn.bottom - drawn.top < SIZE_MIN:
        return False
    if drawn.x1 <= 0 or drawn.x0 >= sheet.width or drawn.bottom <= 0 or drawn.top >= sheet.height:
        return False
    if not _white(drawn.look.colour):
        return True
    return any(_covers(box, drawn) for box in dark)


@cache
def _white(colour: str) -> bool:
    return all(int(colour[i : i + 2], 16) >= WHITE for i in (1, 3, 5))


def _covers(box: Box, drawn: Any) -> bool:
    wide = min(box.x1, drawn.x1) - max(box.x0, drawn.x0)
    high = min(box.bottom, drawn.bottom) - max(box.top, drawn.top)
    return bool(wide > COVERED * (drawn.x1 - drawn.x0) - 0.1 and high > COVERED * (drawn.bottom - drawn.top) - 0.1)


def _picture_fonts(texts: list[Any], fonts: Iterable[Any]) -> set[str]:
    """Fonts whose glyphs are pictures: named so, and never used for words."""
    named = {font.name for font in set(fonts) if font.symbol}
    if not named:
        return named
    worded = {drawn[7].name for drawn in texts if drawn[7].name in named and _REAL_WORD.search(drawn[0])}
    return named - worded


def _runs(drawn: Any, symbols: set[str]) -> list[Run]:
    text = accented(clean(drawn.text), tex=drawn.font.name.startswith("CM"))
    if not text or text.isspace():
        return [] if text == drawn.text or not drawn.text.strip() or drawn.text.isspace() else _no_unicode(drawn)
    if symbols and drawn.font.name in symbols:
        return _with_icons(drawn, text, _NO_SIGN if _SYMBOL.search(drawn.font.name) else _NO_LETTER)
    if not text.isprintable() and _PRIVATE.search(text):
        return _with_icons(drawn, text, _PRIVATE)
    return [_run(drawn, text)]


def _is_bullet(text: str) -> bool:
    """A lone glyph of a symbol font that marks a list: the codes word processors use, or a printed bullet."""
    return text.strip() in _BULLETS or text.strip() in "•·●○▪■□➢➤✓–-o§" or text.strip() == "l"


def _no_unicode(drawn: Any) -> list[Run]:
    """Glyphs that the file gives no meaning: pictures, as far as we can know."""
    code = ord(drawn.text.strip()[:1] or "\0")
    return [_run(drawn, "[icon]", icon=f"{drawn.font.name}:{code:04X}")]


def _with_icons(drawn: Any, text: str, pictures: re.Pattern[str]) -> list[Run]:
    """Split at the characters that are pictures; their places are measured by their share of the text."""
    if _is_bullet(text):
        return [_run(drawn, "•")]
    cuts: list[tuple[str, str | None, int, int]] = []
    at = 0
    for match in pictures.finditer(text):
        cuts.append((text[at : match.start()], None, at, match.start()))
        cuts.append(("[icon]", f"{drawn.font.name}:{ord(match[0]):04X}", match.start(), match.end()))
        at = match.end()
    cuts.append((text[at:], None, at, len(text)))
    step = (drawn.x1 - drawn.x0) / len(text)
    runs = []
    for piece, icon, start, end in cuts:
        if piece.strip():
            run = _run(drawn, piece, icon=icon)
            part = start > 0 or end < len(text)
            runs.append(replace(run, x0=drawn.x0 + step * start, x1=drawn.x0 + step * end) if part else run)
    return runs


_new_run = quickest(Run)


def _ordinary(drawn: Any) -> Run:
    """What ``_run`` makes of upright text that has nothing to be cleaned but spaces that do not break."""
    text, x0, top, x1, bottom, baseline, origin, font, look, mode, _ = drawn
    near = BEARING * look.size
    return _new_run(
        text.replace("\u00a0", " "), origin if -near < x0 - origin < near else _start(text, x0, origin, look.size),
        top, x1, bottom, baseline, font.name, look.rounded, font.bold or mode == 2, font.italic, look.colour,
        None, None, 0,
    )  # fmt: skip


def _with_accents(runs: list[Run]) -> list[Run]:
    """Accents that are drawn by themselves, put on the letter under them, which is drawn next; over a capital they are
    raised."""
    joined: list[Run] = []
    for run in runs:
        over = joined[-1] if joined else None
        if over and over.text.strip() in ACCENTS and 0 <= run.baseline - over.baseline < OVER_CAPITAL * run.size:
            whole = accented(over.text.strip() + run.text, tex=True)
            if over.x0 < run.x0 + run.size and run.x0 < over.x1 and len(whole) == len(run.text):
                joined[-1] = replace(run, text=whole)
                continue
        joined.append(run)
    return joined


def _start(text: str, start: float, origin: float, size: float, leans: float = 0.0) -> float:
    """Where a text begins. White before it that is more than a letter's own is a space that the engine swallowed."""
    reach = (SIGN_BEARING if len(text) == 1 and text in SIGNS else BEARING) * size + leans
    return origin if -reach < start - origin < reach else start


def _run(drawn: Any, text: str, icon: str | None = None) -> Run:
    written, start, top, end, bottom, baseline, origin, font, look, mode, _ = drawn
    angle = look.angle
    if angle == 0:
        leans = look.slant * (baseline - top)  # how far a slanted letter leans out of its place
        start = _start(written, start, origin, look.size, leans)
        end = max(start, end - leans) if leans > 0.0 else end
    elif angle != 2 and angle != 4:
        baseline = origin
    return _new_run(
        text, start, top, end, bottom, baseline, font.name, look.rounded, font.bold or mode == 2,
        font.italic or look.slant != 0.0, look.colour, icon, None, angle,
    )  # fmt: skip


def _linked(runs: list[Run], links: list[tuple[Box, str]]) -> list[Run]:
    """Runs under a link know where it goes."""
    linked = []
    for run in runs:
        x, y = (run.x0 + run.x1) / 2, (run.top + run.bottom) / 2
        goes = next((to for box, to in links if box.x0 <= x <= box.x1 and box.top <= y <= box.bottom), None)
        linked.append(replace(run, link=goes) if goes else run)
    return linked


def _with_tables(pages: tuple[Page, ...], reader: Reader) -> tuple[Page, ...]:
    """Look for ruled tables, only where there are enough ruling lines."""
    from pipeline.extract.ruled import looks_ruled, ruled_tables

    wanted = [page for page in pages if looks_ruled(page)]
    tables = {page.number: ruled_tables(reader.edges(page.number - 1)) for page in wanted}
    return tuple(replace(page, tables=tables[page.number]) if tables.get(page.number) else page for page in pages)
