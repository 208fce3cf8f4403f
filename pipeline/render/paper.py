"""HTML -> PDF: the only file that knows WeasyPrint. It reads nothing but our fonts, symbols and the given pictures."""

from __future__ import annotations

import hashlib
import logging
import mimetypes
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pipeline.errors import ConfigError, MissingPartError
from pipeline.render import fonts

LONGEST = 30_000_000  # characters of HTML: 5,000 rulings have 6 million
SETTING = "3"  # of this file: raised when it sets the same HTML in another way, so that files are printed again
_RULED = "new"  # class of what has a rule at its left, which ends with the text
_SHIFTED = "bar outer"  # class of what hangs in the outer margin, and is set for right-hand pages

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
        page = weasyprint.HTML(string=_spaces_apart(html), base_url="rubricator:/", url_fetcher=fetcher)
        document = page.render()
        _to_the_outside(document.pages)
        _end_with_the_text(document.pages)
        made: bytes = document.write_pdf(
            pdf_identifier=identifier(html, pictures).encode("ascii"), pdf_variant="pdf/ua-1"
        )
    finally:
        log.removeHandler(complaints)
    complaints.raise_first()
    return made


def identifier(html: str, pictures: Mapping[str, str] | None = None) -> str:
    """The same for the same page, pictures and WeasyPrint: a file that carries it needs no printing again."""
    digest = hashlib.sha256(f"{version('weasyprint')} {SETTING}\n{html}".encode("utf-8", "replace"))
    for name, path in sorted((pictures or {}).items()):
        digest.update(name.encode() + Path(path).read_bytes())
    return digest.hexdigest()[:32]


def _spaces_apart(html: str) -> str:
    """The same page with the spaces at the edges of inline elements in elements of their own."""
    head, tag, body = html.partition("<body")
    body = _GLUED_TO_INLINE.sub(rf"{_SPACE}<span>\1</span>", body)
    return head + tag + _AFTER_INLINE.sub(rf"\1{_SPACE}", _BEFORE_INLINE.sub(_SPACE, body))


@cache
def _weasyprint() -> Any:
    try:
        import weasyprint
    except (ImportError, OSError) as error:
        raise MissingPartError(
            f"printing needs Pango, and it cannot be loaded ({str(error).splitlines()[0]})"
        ) from error
    return weasyprint


def _fetcher(weasyprint: Any, pictures: Mapping[str, str]) -> Any:
    """One that refuses everything but what we name: no file, no network, no redirect."""
    allowed: dict[str, Path] = {**fonts.files(), **{f"picture/{name}": Path(path) for name, path in pictures.items()}}

    class Denying(weasyprint.urls.URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            body, kind = _asset(unquote(url), allowed)
            return weasyprint.urls.URLFetcherResponse(url, body, {"Content-Type": kind})

    return Denying(allow_redirects=False)


def _asset(url: str, allowed: Mapping[str, Path]) -> tuple[bytes, str]:
    name = url.removeprefix(fonts.SCHEME).lstrip("/")
    if not url.startswith(fonts.SCHEME):
        raise ValueError("only our own fonts and pictures are read")
    if name.startswith("symbol/"):
        return fonts.drawing(chr(int(name.removeprefix("symbol/"), 16))).encode(), "image/svg+xml"
    if name.startswith("label/"):
        _, colour, text = name.split("/", 2)
        return fonts.label(text, f"#{colour}").encode(), "image/svg+xml"
    if name not in allowed:
        raise ValueError("no such font or picture")
    path = allowed[name]
    return path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def _to_the_outside(pages: list[Any]) -> None:
    """Marks hang at the right of the text; on left-hand pages they belong at the left, which CSS cannot say.

    This moves boxes of WeasyPrint's own, which another release may shape otherwise: then marks stay where they are,
    and a page is printed all the same.
    """
    try:
        moves = [(box, shift) for page in pages[1::2] for box, shift in _shifts(page._page_box)]
        for box, shift in moves:
            box.translate(shift, 0)
    except (AttributeError, TypeError, IndexError):
        return


def _shifts(page: Any) -> list[tuple[Any, float]]:
    """The marks of a page, and how far each goes to stand as far to the left of the text as it does to the right."""
    text_left, text_right = page.margin_left, page.margin_left + page.width
    marks = [box for box in page.descendants() if box.element is not None and _is_mark(box)]
    return [(box, text_left - (box.position_x - text_right) - box.margin_width() - box.position_x) for box in marks]


def _is_mark(box: Any) -> bool:
    return bool(box.element.get("class") == _SHIFTED and not box.element_tag.endswith("::before"))


def _end_with_the_text(pages: list[Any]) -> None:
    """A paragraph that goes on overleaf is stretched to the foot of its page, and its rule with it: shorten both.

    Boxes of WeasyPrint's own again: should they be other ones, rules stay as long as they are.
    """
    try:
        for box in [box for page in pages for box in page._page_box.descendants() if _is_ruled(box)]:
            last = box.children[-1]
            box.height = min(box.height, last.position_y + last.height - box.content_box_y())
    except (AttributeError, TypeError, IndexError):
        return


def _is_ruled(box: Any) -> bool:
    named = box.element is not None and (box.element.get("class") or "").split(" ")[0] == _RULED
    return bool(named and type(box).__name__ == "BlockBox" and box.children)


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
