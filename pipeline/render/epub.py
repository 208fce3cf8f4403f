"""An edition -> EPUB 3: the text of the reader, for e-readers and screen readers.

The forms are those of print, so nothing can be said here that is not said there; a page of HTML is cut into one file a
chapter, links between them are turned, and what is drawn (symbols, icons) becomes files of its own. No clock is asked:
two builds give the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import re
import uuid
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from xml.etree import ElementTree

from pipeline.render import fonts, page, paper
from pipeline.render.editions import Chapter, Edition, edition
from pipeline.render.look import Look, look

if TYPE_CHECKING:
    from pipeline.config import BookSettings
    from pipeline.records import Book

XHTML = "http://www.w3.org/1999/xhtml"
DAY = (1980, 1, 1, 0, 0, 0)  # of every file in the archive: the first that it can say
UNDATED = "2000-01-01"  # of a book whose sources have no date: there must be one
COVER = (1200, 1600)  # pixels
KINDS = {"image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}
TITLE_SIZES = (110, 92, 76, 62, 50)  # pixels, until the title has room on the cover
LINES = 6  # of a title on the cover


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A file of the book."""

    name: str
    content: bytes
    kind: str
    properties: str = ""
    title: str = ""  # of a page that is read in order
    matter: str = ""  # "bodymatter", "index", "backmatter"
    chapter: Chapter | None = None

    @property
    def id(self) -> str:
        return re.sub(r"\W+", "-", self.name)


def made(
    book: Book, *, settings: BookSettings | None, templates: Path | None, pictures: Mapping[str, str]
) -> bytes:
    """The whole file."""
    whole = edition(book, cites="name")
    shape = replace(look("reader", settings), product="epub", hang=0.0, columns=1)
    body = _filled("epub/body.html.j2", whole, shape, templates, pictures, names=_names(whole))
    pages, drawn = _pages(body, whole, pictures)
    cover = Item(name="cover.png", content=_cover(whole), kind="image/png", properties="cover-image")
    css = _filled("epub/style.css", whole, shape, templates, pictures)
    style = Item(name="style.css", content=css.encode(), kind="text/css")
    shown = _filled("epub/cover.xhtml.j2", whole, shape, templates, pictures)
    front = Item(name="cover.xhtml", content=shown.encode(), kind="application/xhtml+xml", title=whole.title)
    contents = _filled("epub/nav.xhtml.j2", whole, shape, templates, pictures, pages=pages)
    nav = Item(name="nav.xhtml", content=contents.encode(), kind="application/xhtml+xml", properties="nav")
    items = [nav, front, *pages, cover, style, *drawn]
    name = uuid.UUID(bytes=hashlib.sha256(b"\0".join(each.content for each in items)).digest()[:16], version=5)
    modified = f"{(book.date or UNDATED) + '-01-01':.10}T00:00:00Z"
    package = _filled("epub/package.opf.j2", whole, shape, templates, pictures, items=items, pages=[front, nav, *pages],
                      identifier=f"urn:uuid:{name}", modified=modified)  # fmt: skip
    return _archive([Item(name="package.opf", content=package.encode(), kind=""), *items])


def _names(whole: Edition) -> dict[str, str]:
    """What a link to a ruling says, where print has its page: its code, or else its chapter's title."""
    named = {each.anchor: each.ruling.code for each in whole.rulings if each.ruling.code}
    placed: dict[str, str] = {}
    for chapter in whole.chapters:
        anchors = [each.anchor for part in chapter.parts for each in part.rulings]
        heads = [part.anchor for part in chapter.parts] + [title.anchor for title in chapter.titles]
        placed |= dict.fromkeys([chapter.anchor, *heads, *anchors], chapter.title)
    return placed | named


def _filled(
    name: str, whole: Edition, shape: Look, templates: Path | None, pictures: Mapping[str, str], **more: Any
) -> str:
    context = {"edition": whole, "look": shape, "tab_height": 0, **more}
    return page.html(name, context, templates=templates, language=whole.language, pictures=tuple(pictures))


def _archive(items: Iterable[Item]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype", DAY), b"application/epub+zip", zipfile.ZIP_STORED)
        archive.writestr(zipfile.ZipInfo("META-INF/container.xml", DAY), CONTAINER, zipfile.ZIP_DEFLATED)
        for item in items:
            archive.writestr(zipfile.ZipInfo(f"EPUB/{item.name}", DAY), item.content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
"""

# ---------------------------------------------------------------- pages


def _pages(body: str, whole: Edition, pictures: Mapping[str, str]) -> tuple[list[Item], list[Item]]:
    """The files that are read, in order, and those that are shown in them."""
    import tinyhtml5

    tree = tinyhtml5.parse(body)
    sections = [each for each in tree.iter(f"{{{XHTML}}}section") if each.get("id")]
    chapters = {chapter.anchor: chapter for chapter in whole.chapters}
    homes: dict[str, str] = {}  # anchor -> its file
    for section in sections:
        homes |= dict.fromkeys((str(each.get("id")) for each in section.iter() if each.get("id")), _file(section))
    drawn: dict[str, Item] = {}
    pages = []
    for section in sections:
        name = _file(section)
        _turn_links(section, name, homes)
        _draw(section, pictures, drawn)
        _sort_attributes(section)
        chapter = chapters.get(str(section.get("id")))
        heading = section.find(f".//{{{XHTML}}}h2")
        title = chapter.title if chapter else "".join(heading.itertext()) if heading is not None else name
        svg = any(each.tag.endswith("}svg") for each in section.iter())
        pages.append(Item(name=name, kind="application/xhtml+xml", title=title, chapter=chapter,
                         matter="bodymatter" if chapter else str(section.get("id")), properties="svg" if svg else "",
                         content=_page(section, title, whole)))  # fmt: skip
    return pages, list(drawn.values())


def _file(section: ElementTree.Element) -> str:
    return f"{section.get('id')}.xhtml"


def _page(section: ElementTree.Element, title: str, whole: Edition) -> bytes:
    """A section as a file of its own."""
    html = ElementTree.Element(f"{{{XHTML}}}html", {"lang": whole.language, "xml:lang": whole.language})
    head = ElementTree.SubElement(html, f"{{{XHTML}}}head")
    ElementTree.SubElement(head, f"{{{XHTML}}}title").text = title
    ElementTree.SubElement(head, f"{{{XHTML}}}link", {"rel": "stylesheet", "type": "text/css", "href": "style.css"})
    body = ElementTree.SubElement(html, f"{{{XHTML}}}body")
    section.tail = None
    body.append(section)
    ElementTree.register_namespace("", XHTML)
    written = ElementTree.tostring(html, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n{written}\n'.encode()


def _turn_links(section: ElementTree.Element, here: str, homes: Mapping[str, str]) -> None:
    """A link goes to the file that its target is in; one that leads nowhere is plain text."""
    for link in section.iter(f"{{{XHTML}}}a"):
        target = str(link.get("href") or "")
        if target.startswith("#"):
            home = homes.get(target[1:])
            if home is None:
                del link.attrib["href"]
            elif home != here:
                link.set("href", home + target)


def _draw(section: ElementTree.Element, pictures: Mapping[str, str], drawn: dict[str, Item]) -> None:
    """What is drawn, as files beside the text."""
    allowed = {f"picture/{name}": place for name, place in pictures.items()}
    for image in section.iter(f"{{{XHTML}}}img"):
        address = str(image.get("src"))
        if address not in drawn:
            content, kind = paper.asset(unquote(address), allowed)
            number = hashlib.sha256(content).hexdigest()[:12]
            drawn[address] = Item(name=f"drawn-{number}.{KINDS[kind]}", content=content, kind=kind)
        image.set("src", drawn[address].name)


def _sort_attributes(section: ElementTree.Element) -> None:
    """Without what only a printed page needs."""
    for element in section.iter():
        for name in [name for name in element.attrib if str(name).startswith("data-") or name == "style"]:
            if element.tag != f"{{{XHTML}}}col":
                del element.attrib[name]


# ---------------------------------------------------------------- the cover


def _cover(whole: Edition) -> bytes:
    """A band with the title, the game over it, the date under it: a picture that a shelf can show small."""
    from PIL import Image, ImageDraw, ImageFont

    width, _ = COVER
    sheet = Image.new("RGB", COVER, "#fffdf8")
    draw = ImageDraw.Draw(sheet)
    faces = fonts.files()
    lines, size = _fitted(whole.title, width - 200, str(faces["font/Sans-Bold"]))
    top, step = 420, round(size * 1.18)
    draw.rectangle((0, top - 70, width, top + step * len(lines) + 70), fill="#a6192e")
    title = ImageFont.truetype(str(faces["font/Sans-Bold"]), size)
    for number, line in enumerate(lines):
        draw.text((100, top + number * step), line, fill="#fff", font=title)
    small = ImageFont.truetype(str(faces["font/Sans-Semibold"]), 48)
    if whole.game:
        draw.text((100, 230), whole.game, fill="#a6192e", font=small)
    under = top + step * len(lines) + 110
    for number, line in enumerate(line for line in (whole.date, *whole.counted) if line):
        draw.text((100, under + number * 66), line.replace("\u00a0", " "), fill="#222", font=small)
    out = io.BytesIO()
    sheet.save(out, "PNG", optimize=False)
    return out.getvalue()


def _fitted(title: str, room: int, path: str) -> tuple[list[str], int]:
    """The title in lines, in the largest type that holds it."""
    from PIL import ImageFont

    for size in TITLE_SIZES:
        face = ImageFont.truetype(path, size)
        lines = list(_broken(title.split(), lambda text, face=face: face.getlength(text) <= room))
        if len(lines) <= LINES:
            break
    return lines[:LINES], size


def _broken(words: list[str], fits: Any) -> Iterator[str]:
    line = ""
    for word in words:
        longer = f"{line} {word}".strip()
        if line and not fits(longer):
            yield line
            longer = word
        line = longer
    yield line
