"""HTML -> PDF: the only file that knows WeasyPrint. It reads nothing but our fonts, symbols and the given pictures."""

from __future__ import annotations

import gc
import hashlib
import io
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from copy import deepcopy
from functools import cache, partial
from importlib.metadata import version
from itertools import pairwise
from math import fsum
from typing import Any
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from pipeline.errors import PANGO, ConfigError, MissingPartError
from pipeline.render import fonts

LONGEST = 30_000_000  # characters of HTML: 5,000 rulings have 6 million
# What spares a last page: so many of the lines, and at most so many, have room when pages have a line more, when the
# leading is as tight as it may be, and when the type is as small, too. A last page of more is worth its paper.
RESCUES = (("data-longer", 0.02, 12), ("data-tight", 0.04, 24), ("data-small", 0.13, 60))
TWICE = 20  # pages: a longer book is not laid out twice to spare one
BLANK = 1 / 3  # of a page or column: more than that before a datasheet is not left for its sake
TEARS = 3  # rounds: what is torn moves what follows, and that may leave another page so
ROOMS = (1.02, 1.07, 1.13, 1.2, 1.3)  # of the mean height of the columns, one after the other until all fits
SHORT = 75.0  # pixels: columns of a few lines each look worse than a single one
EVEN = 0.9  # of the tallest column: columns that would become only so much shorter are level enough
SETTING = "13"  # of this file: raised when it sets the same HTML in another way, so that files are printed again
SELDOM = (20_000, 20, 20)  # new objects, and rounds, before the collector looks: 700, 10 and 10 are usual
MM = 96 / 25.4  # WeasyPrint's pixels in a millimetre

# WeasyPrint 70 breaks a line far too early where a text ends or begins with a space at an inline element and that
# space alone does not fit; and where its last word is glued to the element. Elements of their own do not have this.
_INLINE = "a|b|i|s|u|em|strong|ins|del|span|img|small|sub|sup|code|mark"
_BEFORE_INLINE = re.compile(rf"(?<=[^ \t\r\n>])[ \t\r\n]+(?=</?(?:{_INLINE})\b)")
_GLUED_TO_INLINE = re.compile(rf"[ \t\r\n]+([^ \t\r\n<>]*\u00a0)(?=</?(?:{_INLINE})\b)")
_AFTER_INLINE = re.compile(rf"(</?(?:{_INLINE})\b[^>]*>)[ \t\r\n]+(?=[^ \t\r\n<])")
_SPACE = "<span> </span>"


def print_pdf(html: str, pictures: Mapping[str, str] | None = None) -> bytes:
    """A PDF of ``html``: tagged, with bookmarks, the same bytes each time. ``pictures``: name -> path of icons.

    Plain arguments on purpose: a guarded child can be asked for it in JSON.
    """
    if len(html) > LONGEST:
        raise ConfigError(f"is too long to print ({len(html):,} characters)", hint="split the book in two")
    fonts.check(html)
    weasyprint = _weasyprint()
    complaints = _Complaints()
    log = logging.getLogger("weasyprint")
    log.addHandler(complaints)
    try:
        fetcher = _fetcher(weasyprint, pictures or {})
        with _seldom_collected():
            page = weasyprint.HTML(string=_spaces_apart(html), base_url="rubricator:/", url_fetcher=fetcher)
            _keep_one_index(page.etree_element.find("body"))
            document = _without_a_rest(page, _without_blanks(page))
            _finish(document.pages, page.etree_element.find("body"))
            pdf: bytes = document.write_pdf(
                pdf_identifier=identifier(html, pictures).encode("ascii"), pdf_variant="pdf/ua-1"
            )
    finally:
        log.removeHandler(complaints)
    complaints.raise_first()
    return pdf


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Looking for garbage in circles less often: pages are many boxes and few circles, and the search takes a quarter
    of the time of a long book; what is freed is nearly the same.
    """
    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def identifier(html: str, pictures: Mapping[str, str] | None = None) -> str:
    """The same for the same page, pictures and WeasyPrint: a file that carries it needs no printing again."""
    digest = hashlib.sha256(f"{version('weasyprint')} {SETTING}\n{html}".encode("utf-8", "replace"))
    for name, place in sorted((pictures or {}).items()):
        digest.update(name.encode() + fonts.picture(place)[0])
    return digest.hexdigest()[:32]


def _spaces_apart(html: str) -> str:
    """The same page with the spaces at the edges of inline elements in elements of their own."""
    head, tag, body = html.partition("<body")
    body = _GLUED_TO_INLINE.sub(rf"{_SPACE}<span>\1</span>", body)
    return head + tag + _AFTER_INLINE.sub(rf"\1{_SPACE}", _BEFORE_INLINE.sub(_SPACE, body))


@cache
def _weasyprint() -> Any:
    try:
        with redirect_stdout(io.StringIO()):  # it prints a page of advice there
            import weasyprint
    except (ImportError, OSError) as error:
        raise MissingPartError("printing needs Pango, and it cannot be loaded", hint=PANGO) from error
    _name_pages_once()
    _level_last_pages()
    _date_no_fonts()
    return weasyprint


def _date_no_fonts() -> None:
    """Where HarfBuzz-Subset is missing, WeasyPrint has fontTools cut the fonts, which writes the time into each."""
    from fontTools.ttLib import TTFont
    from weasyprint.pdf import fonts as cut

    if hasattr(cut, "TTFont"):
        cut.TTFont = partial(TTFont, recalcTimestamp=False)


def _name_pages_once() -> None:
    """pydyf makes the names of all pages anew for each tagged box, which is quadratic in pages: a tenth of the time of
    a book of 300. Where another release has no such property, there is nothing to spare.
    """
    import pydyf

    names = getattr(getattr(pydyf.PDF, "page_references", None), "fget", None)
    if names is None:
        return
    known: WeakKeyDictionary[Any, tuple[int, Any]] = WeakKeyDictionary()

    def remembered(pdf: Any) -> Any:
        pages = len(pdf.pages["Kids"])
        if known.get(pdf, (-1,))[0] != pages:
            known[pdf] = (pages, names(pdf))
        return known[pdf][1]

    pydyf.PDF.page_references = property(remembered)


def _level_last_pages() -> None:
    """Where the body asks for it (``data-level``), the columns of the last page end about level: a full one beside an
    empty one looks like a mistake. WeasyPrint can balance columns, but tries dozens of heights on each page. Only the
    last page is made again; where another release makes pages otherwise, it stays as it is.
    """
    from weasyprint import layout

    usual = getattr(layout, "make_all_pages", None)
    if usual is None:
        return

    def levelled(context: Any, root: Any, html: Any, pages: Any) -> list[Any]:
        laid_out = _with_index(partial(usual, context, root, html), pages, context, root)
        count = int(html.etree_element.find("body").get("data-level", 1))
        with suppress(AttributeError, TypeError, ValueError, KeyError, IndexError, ImportError):
            laid_out[-1] = _level(laid_out[-1], len(laid_out), count, context, root) if count > 1 else laid_out[-1]
        return laid_out

    layout.make_all_pages = levelled


def _with_index(make: Callable[[Any], Any], pages: list[Any], context: Any, root: Any) -> list[Any]:
    """The pages with one of two indexes (``data-above``): the one that begins a page, or the one that begins under the
    text where that ends above the given share of its page. WeasyPrint makes pages until they say each other's numbers:
    the first time they have the index that begins a page, the second time the other, and if that spares no page, from
    the third time on the first again.
    """
    body = next(box for box in root.children if box.element_tag == "body")
    if not pages:
        early = next((box for box in body.children if box.element.get("data-above")), None)
        root.indexes = (body.children[body.children.index(early) - 1], early) if early else None
        body.children = [box for box in body.children if box is not early]
        root.pages_before = None
    laid_out = list(make(pages))
    if root.indexes and (not pages or root.pages_before):
        late, early = root.indexes
        begun = next((at for at, page in enumerate(laid_out) if _begins_with(page, late.element)), 0)
        before = laid_out[begun - 1]
        if not pages and begun and _text_end(before, before) <= float(early.element.get("data-above")):
            early.style["anchor"] = late.style["anchor"]
            root.pages_before = (begun, len(laid_out))
            _exchange(body, late, early, context.page_maker[begun - 1])
        elif pages:
            (begun, count), root.pages_before = root.pages_before, None
            if len(laid_out) >= count:
                _exchange(body, early, late, context.page_maker[begun - 1])
    return laid_out


def _exchange(body: Any, was: Any, chosen: Any, begun: Any) -> None:
    """One box for another, from a page on."""
    body.children = [chosen if box is was else box for box in body.children]
    begun[-1]["content_changed"] = True


def _keep_one_index(body: Any) -> None:
    """Where another release of WeasyPrint makes pages otherwise, nothing chooses between two indexes."""
    from weasyprint import layout

    for section in [] if hasattr(layout, "make_all_pages") else body.findall("section[@data-above]"):
        body.remove(section)


def _begins_with(page: Any, section: Any) -> bool:
    """Whether a section is the first on a page, and begins there."""
    return next((box.element for box in _blocks(page) if box.element.tag == "section"), None) is section


def _text_end(frame: Any, page: Any) -> float:
    """How far down a page the last line of it, or of a column on it, stands, of the height between its margins."""
    ends = [box.position_y + box.height for box in frame.descendants() if type(box).__name__ == "LineBox"]
    return float((max(ends, default=0.0) - page.content_box_y()) / page.height)


def _level(page: Any, number: int, count: int, context: Any, root: Any) -> Any:
    """The page made again in less and less room, from what the columns have on the average upwards; or as it was."""
    from weasyprint.css.properties import Dimension
    from weasyprint.layout.page import make_page

    heights = _columns(page)
    begun_at, *_, state, remade = context.page_maker[number - 1]
    kept, style = deepcopy(remade), context.style_for(page.page_type)
    for room in ROOMS if fsum(heights) > SHORT * count else ():
        height = fsum(heights) / count * room
        if height > EVEN * max(heights):
            break
        style["padding_bottom"] = Dimension(page.height - height, "px")
        new_page, rest, _ = make_page(context, root, page.page_type, begun_at, number, deepcopy(state))
        if rest is None and len(_columns(new_page)) <= count:
            page = new_page
            break
    remade.clear()
    remade.update(kept)
    return page


def _columns(page: Any) -> list[float]:
    """How far down each column of a page is filled."""
    columns = [box for box in page.descendants() if box.is_column and box.children]
    return [box.children[-1].position_y + box.children[-1].margin_height() - box.position_y for box in columns]


def _fetcher(weasyprint: Any, pictures: Mapping[str, str]) -> Any:
    """One that refuses everything but what we name: no file, no network, no redirect."""
    allowed = {name: str(path) for name, path in fonts.files().items()}
    allowed |= {f"picture/{name}": place for name, place in pictures.items()}

    class Denying(weasyprint.urls.URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            body, kind = asset(unquote(url), allowed)
            return weasyprint.urls.URLFetcherResponse(url, body, {"Content-Type": kind})

    return Denying(allow_redirects=False)


def asset(url: str, allowed: Mapping[str, str]) -> tuple[bytes, str]:
    """What an address of ours names, and its kind: a symbol, words as a drawing, a font or a picture."""
    name = url.removeprefix(fonts.SCHEME).lstrip("/")
    if not url.startswith(fonts.SCHEME):
        raise ValueError("only our own fonts and pictures are read")
    if name.startswith("symbol/"):
        return fonts.drawing(chr(int(name.removeprefix("symbol/"), 16))).encode(), "image/svg+xml"
    if name.startswith("label/"):
        _, colour, height, text = name.split("/", 3)
        return fonts.label(text, f"#{colour}", float(height)).encode(), "image/svg+xml"
    if name not in allowed:
        raise ValueError("no such font or picture")
    return fonts.picture(allowed[name])


def _finish(pages: list[Any], body: Any) -> None:
    """What CSS cannot say: where tabs stand, that marks hang outside on left-hand pages, too, and that a rule ends with
    the text where a page ends in the middle of it.

    This moves boxes of WeasyPrint's own, which another release may shape otherwise: then they stay where they are, and
    a page is printed all the same.
    """
    resumed = body.find(".//div[@class='resumed']")  # of a book that is printed in parts
    tab = resumed.get("data-tab", "") if resumed is not None else ""
    for number, page in enumerate(pages, int(body.get("data-before", 0))):
        try:
            boxes = [(box.element.get("class", "").split(" "), box) for box in _blocks(page._page_box)]
            bands = [box for classes, box in boxes if classes[0] == "band" or box.element.get("data-tab")]
            begun = [each for box in bands if (each := box.element.get("data-tab", ""))]
            goes_on = not bands or bands[0].position_y > page._page_box.content_box_y() + MM
            _put_tab(page._page_box, begun[0] if begun else tab if goes_on else "")
            tab = bands[-1].element.get("data-tab", "") if bands else tab
            for classes, box in boxes:
                if "ruled" in classes:
                    _end_with_the_text(box)
                elif "outer" in classes and number % 2:
                    _to_the_left(box, page._page_box)
        except (AttributeError, TypeError, IndexError, ValueError):
            continue


def _without_blanks(page: Any) -> Any:
    """The pages; laid out again with a datasheet torn between its entries where, kept whole, it leaves much of the page
    or column before it blank, and then with its tables torn, whose heads are said again. What an entry announces stays
    with it."""
    document = page.render()
    entries = [each for each in page.etree_element.iter("div") if "entry" in _classes(each)]
    for _ in range(TEARS if any("whole" in _classes(each) for each in entries) else 0):
        torn = _behind_blanks(document.pages, entries)
        if not torn:
            break
        for each in torn:
            each.set("class", " ".join(name for name in _classes(each) if name not in ("held", "whole")))
        document = page.render()
    return document


def _behind_blanks(pages: list[Any], entries: list[Any]) -> list[Any]:
    """The entries that are held together, else the tables, that stand behind a page or column that ends early."""
    torn: list[Any] = []
    try:
        frames = [frame for page in pages for frame in _frames(page._page_box)]
        for (room, before), (_, after) in pairwise(frames):
            first, last = next(_entries_in(after), None), [*_entries_in(before)][-1:]
            if room > BLANK and first is not None and last and last[0] is not first:
                start = next(at for at, each in enumerate(entries) if each is first)
                end = next(at for at, each in enumerate(entries[start:], start) if "held" not in _classes(each))
                tables = [each for each in first.iter("table") if "whole" in _classes(each)]
                torn += entries[start : end + 1] if "whole" in _classes(first) else tables
    except (AttributeError, TypeError, IndexError, ValueError, StopIteration):
        return []  # of another release of WeasyPrint: the datasheets stay whole
    return torn


def _frames(page: Any) -> Iterator[tuple[float, Any]]:
    """The columns of a page, or the page itself where it has none, each with the share of it that is blank below."""
    root = page.children[0]
    for frame in [box for box in root.descendants() if box.is_column and box.children] or [root]:
        yield 1 - _text_end(frame, page), frame


def _entries_in(frame: Any) -> Iterator[Any]:
    return (box.element for box in _blocks(frame) if "entry" in _classes(box.element))


def _classes(element: Any) -> list[str]:
    return (element.get("class") or "").split()


def _without_a_rest(page: Any, document: Any) -> Any:
    """The pages; laid out again in a tighter style of the body where that spares a last page of a few lines."""
    body = page.etree_element.find("body")
    for name, share, few in RESCUES if len(document.pages) <= TWICE else ():
        if (style := body.get(name)) and _has_rest(document.pages, share, few):
            tighter = page.render(stylesheets=[_weasyprint().CSS(string=style)])
            if len(tighter.pages) < len(document.pages):
                return tighter
    return document


def _has_rest(pages: list[Any], share: float, few: int) -> bool:
    """Whether the last page, or the last before what begins a page of its own, holds so little."""
    try:
        lines = [sum(type(box).__name__ == "LineBox" for box in each._page_box.descendants()) for each in pages]
        ends = [at for at, each in enumerate(pages) if at > 1 and _breaks(each)]
    except AttributeError:
        return False
    return any(end > 1 and lines[end - 1] <= min(few, share * sum(lines[: end - 1])) for end in (*ends[:1], len(pages)))


def _breaks(page: Any) -> bool:
    """Whether a page begins with a section that always begins one."""
    sections = (box for box in _blocks(page._page_box) if box.element.tag == "section")
    first = next(sections, None)
    return first is not None and "breaks" in first.element.get("class", "").split(" ")


def _blocks(page: Any) -> list[Any]:
    """The blocks of a page that are elements, or parts of some."""
    return [box for box in page.descendants() if box.element is not None and not _is_inline(box)]


def _is_inline(box: Any) -> bool:
    return type(box).__name__ in ("LineBox", "InlineBox", "TextBox") or "::" in box.element_tag


def _put_tab(page: Any, tab: str) -> None:
    """The tab goes down to the place of its chapter and keeps only its sign; where there is none, it goes away."""
    for box in page.children:
        if getattr(box, "at_keyword", "") not in ("@right-top", "@left-top"):
            continue
        place, down = tab.split(" ") if tab else ("0", "-1000")
        [line] = box.children
        sign = line.children[int(place)]
        line.children = [sign]
        sign.translate(box.content_box_x() + (box.width - sign.margin_width()) / 2 - sign.position_x, 0)
        box.translate(0, float(down) * MM)


def _to_the_left(mark: Any, page: Any) -> None:
    """As far to the left of the text as it stands to the right of it."""
    text_left, text_right = page.margin_left, page.margin_left + page.width
    mark.translate(text_left - (mark.position_x - text_right) - mark.margin_width() - mark.position_x, 0)


def _end_with_the_text(box: Any) -> None:
    """A paragraph that goes on overleaf is stretched to the foot of its page, and its rule with it: shorten both."""
    last = box.children[-1]
    while type(last).__name__ == "BlockBox":
        last = last.children[-1]
    if type(last).__name__ == "LineBox":
        box.height = min(box.height, last.position_y + last.height - box.content_box_y())


class _Complaints(logging.Handler):
    """What WeasyPrint says went wrong: a picture that failed or a glyph that is missing is no print."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())

    def raise_first(self) -> None:
        for line in self.lines:
            if "Failed to load" in line or "notdef" in line or "glyph" in line:
                raise ConfigError(
                    line.splitlines()[0], where="a template", hint="templates can use our own fonts and icons"
                )
