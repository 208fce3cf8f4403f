"""A long page -> parts that are printed one after the other -> one PDF. So much at once would take too much memory.

A template says where it may be parted: ``<!--part …-->``, with the tags that a part which begins there must open. A
book (its body has ``data-parted``, with the style that its parts have) is printed whole as long as that can be: page
numbers in its contents are known when all is printed, so the parts that tell them are printed again.
"""

from __future__ import annotations

import base64
import hashlib
import html as markup
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline import pdf_objects
from pipeline.pdf_writer import Copy, PdfWriter

Join = Callable[[Sequence[bytes], Sequence[Sequence[int]], str], bytes]

PART = 600_000  # characters of HTML: some 500 changes, which take 20 seconds and half a gigabyte
PART_OF_A_BOOK = 1_500_000  # 340 pages of a booklet, which take 800 megabytes
TAG = 85  # characters that take the memory of an element: an index of few words a line has more than its length says
ELSEWHERE = "rubricator:elsewhere#"  # where a link goes whose target is in another part
ROUNDS = 4  # numbers of pages change the pages that they stand on once, and hardly ever twice
UNKNOWN = "0000"  # the number of a page that is not printed yet, as wide as most

_MARK = re.compile(r"<!--part (.*?)-->", re.DOTALL)
_ID, _LINK, _HEADING = re.compile(r'\bid="([^"]+)"'), re.compile(r'href="#([^"]+)"'), re.compile(r"<h([1-6])\b")
_OF_A_BOOK = re.compile(r'<body[^>]*? data-parted="([^"]*)"')
_HEADING_OF_A_BOOK = re.compile(r'<h[1-6] class="(band|title depth-\d|subject)\b')
_TELLS_PAGES = re.compile(r'class="(?:contents-line|line|quick|list|source see)\b')
_NUMBERED = """.contents-line a[data-page]::before, .list a[data-page]::before { content: attr(data-page) }
.quick a[data-page]::after { content: "\\a0" attr(data-page) } .line a[data-page]::after { content: attr(data-page) }"""
_ABOUT = ("/Lang", "/Metadata", "/MarkInfo", "/ViewerPreferences")  # of a whole PDF, the same in all parts
_COUNTED = "@page { @bottom-right { content: counter(page) } }"


def parted(html: str, most: int | None = None) -> list[str]:
    """The page in parts of about so many characters, each a page of its own; a page without marks stays whole."""
    head, body, rest = html.partition("<body")
    tag, close, rest = rest.partition(">")
    first, *marked = _MARK.split(rest)
    of_a_book = _OF_A_BOOK.search(html) is not None
    most = most or (PART_OF_A_BOOK if of_a_book else PART)
    if len(html) <= most:
        return [html]
    parts, pieces, extent = [], [first], len(first)
    for again, piece in zip(marked[::2], marked[1::2], strict=True):
        more = max(len(piece), TAG * piece.count("</")) if of_a_book else len(piece)
        if extent + more > most:
            parts.append("".join(pieces))
            pieces, extent = [again], len(again)
        pieces.append(piece)
        extent += more
    parts.append("".join(pieces))
    return [f"{head}{body}{tag}{close}{_outward(each)}" for each in parts] if len(parts) > 1 else [html]


def _outward(part: str) -> str:
    """The part with its links to other parts as links to another file: they are turned back when all are joined."""
    known = set(_ID.findall(part))
    return _LINK.sub(lambda link: link[0] if link[1] in known else f'href="{ELSEWHERE}{link[1]}"', part)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Printed:
    """A part as it came from the printer, and of what page; a long book has too many to keep them."""

    digest: bytes
    pdf: bytes
    pages: int
    targets: Mapping[str, int]  # names and the pages of this part, from 0, that they are on


def printed(
    parts: Sequence[str], printer: Callable[[str], bytes], progress: Callable[[str], None] | None = None,
    mark: str = "", join: Join | None = None,
) -> bytes:  # fmt: skip
    """The parts printed with pages that count on, joined. How many pages there are in all, none of them can say.

    ``mark`` says of which page the PDF was made; ``join`` puts the parts together somewhere else than here.
    """
    results: list[_Printed | None] = [None] * len(parts)
    numbers: dict[str, int] = {}
    for _ in range(ROUNDS):
        before, again = 0, False
        for place, part in enumerate(parts):
            html = _set(part, before, numbers, is_first=place == 0)
            result = results[place]
            if result is None or result.digest != _digest(html):
                if progress:
                    progress(f"part {place + 1} of {len(parts)}")
                result = results[place] = _print(html, printer)
                again = True
            numbers.update((name, before + page + 1) for name, page in result.targets.items())
            before += result.pages
        if not again:
            break
    whole = [each.pdf for each in results if each is not None]
    return (join or joined)(whole, [_levels(part) for part in parts], mark)


def _levels(part: str) -> list[int]:
    """How deep each bookmark of a part is; of a book, as its style says it."""
    if not _OF_A_BOOK.search(part):
        return [int(level) for level in _HEADING.findall(part)]
    return [1 if kind == "band" else 4 if kind == "subject" else 2 if kind.endswith("1") else 3
            for kind in _HEADING_OF_A_BOOK.findall(part)]  # fmt: skip


def _print(html: str, printer: Callable[[str], bytes]) -> _Printed:
    pdf = printer(html)
    with pdf_objects.opened(pdf) as opened:
        numbers = {page.obj.objgen: number for number, page in enumerate(opened.pages)}
        targets = {name: numbers[target[0].objgen] for name, target in _targets(opened)}
        return _Printed(digest=_digest(html), pdf=pdf, pages=len(opened.pages), targets=targets)


def _digest(html: str) -> bytes:
    return hashlib.sha256(html.encode("utf-8", "replace")).digest()


def _set(part: str, before: int, numbers: Mapping[str, int], *, is_first: bool) -> str:
    """A part whose pages count on from those before it: left and right, too, and no cover but the first."""
    of_a_book = _OF_A_BOOK.search(part)
    style = markup.unescape(of_a_book[1]) + _NUMBERED if of_a_book else _COUNTED
    style += f"@page :first {{ counter-reset: page {before + 1} }}"
    if before % 2:
        style += "html { break-before: left }"
    if not is_first:
        part = part.replace("@page :first", "@page cover:first").replace("<body", f'<body data-before="{before}"', 1)
    if of_a_book and _TELLS_PAGES.search(part):
        number = re.compile(f'href="{re.escape(ELSEWHERE)}([^"]+)"')
        part = number.sub(lambda link: f'{link[0]} data-page="{numbers.get(link[1], UNKNOWN)}"', part)
    return part.replace("</head>", f"<style>{style}</style></head>", 1)


def join_packed(parts: Sequence[str], levels: Sequence[Sequence[int]], mark: str) -> bytes:
    """The same as ``joined``, of parts in base64: what a guarded child can be asked for."""
    return joined([base64.b64decode(each) for each in parts], levels, mark)


def joined(parts: Sequence[bytes], levels: Sequence[Sequence[int]], mark: str = "") -> bytes:
    """One PDF with all pages, targets, links, bookmarks and tags; ``levels``: of the headings of each part."""
    whole = _Whole()
    for pdf, some in zip(parts, levels, strict=True):
        with pdf_objects.opened(pdf) as part:
            whole.take(part, some)
    return whole.finished(mark)


class _Whole:
    """A PDF that is written part by part: only what leads into the parts is held to the end."""

    def __init__(self) -> None:
        self._out = PdfWriter()
        self._pages, self._tags, self._info = self._out.number(), self._out.number(), self._out.number()
        self._about: list[bytes] = []  # what the first part says of itself
        self._each_page: list[bytes] = []
        self._each_tree: list[bytes] = []
        self._tagged: list[bytes] = []  # numbers of pages and links, and their tags
        self._numbers = 0  # of pages and links so far
        self._targets: dict[str, bytes] = {}
        self._bookmarks: list[_Bookmark] = []

    def take(self, part: Any, levels: Sequence[int]) -> None:
        """All of a part, behind those before it; its bookmarks as deep as these."""
        tags = part.Root.StructTreeRoot
        ours = {part.Root.Pages.objgen[0]: self._pages, tags.objgen[0]: self._tags}
        copy = Copy(part, self._out, ours)
        self._count_on(part)
        _turn_links(part)
        if not self._each_page:
            self._about = [name.encode() + b" " + copy.value(part.Root[name]) for name in _ABOUT if name in part.Root]
            self._out.put(self._info, copy.contents(part.trailer.Info))
        self._each_page += [copy.value(page.obj) for page in part.pages]
        self._each_tree += [copy.value(each) for each in tags.K]
        self._targets |= {name: copy.value(place) for name, place in _targets(part)}
        marks = list(_outline(part.Root.get("/Outlines")))
        depths = levels if len(levels) == len(marks) else [depth for depth, _ in marks]
        self._bookmarks += [_Bookmark(level=level, title=copy.value(item.Title), place=copy.value(item.Dest))
                            for level, (_, item) in zip(depths, marks, strict=True)]  # fmt: skip
        pairs = list(tags.ParentTree.Nums)
        self._tagged += [b"%d %s" % (int(key) + self._numbers, copy.value(tag))
                         for key, tag in zip(pairs[::2], pairs[1::2], strict=True)]  # fmt: skip
        self._numbers += max(map(int, pairs[::2])) + 1
        copy.finish()

    def _count_on(self, part: Any) -> None:
        """Pages and links find their tags by numbers, which go on."""
        for page in part.pages:
            page.obj.StructParents = int(page.obj.StructParents) + self._numbers
            for link in page.obj.get("/Annots", ()):
                link.StructParent = int(link.StructParent) + self._numbers

    def finished(self, mark: str) -> bytes:
        """The file. ``mark`` is what it can be known by."""
        put, root, outline = self._out.put, self._out.number(), self._out.number()
        kids = b" ".join(self._each_page)
        put(self._pages, b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(self._each_page), kids))
        numbered = b"<< /Nums [%s] >>" % b" ".join(self._tagged)
        put(self._tags, b"<< /Type /StructTreeRoot /K [%s] /ParentTree %s >>" % (b" ".join(self._each_tree), numbered))
        named = [pdf_objects.string(name).unparse() + b" " + self._targets[name] for name in sorted(self._targets)]
        targets = b"<< /Dests << /Names [%s] >> >>" % b" ".join(named)
        trees = b"/Pages %d 0 R /StructTreeRoot %d 0 R /Outlines %d 0 R" % (self._pages, self._tags, outline)
        put(root, b"<< /Type /Catalog %s %s /Names %s >>" % (b" ".join(self._about), trees, targets))
        put(outline, b"<< /Type /Outlines %s >>" % self._put_below(outline, _nested(self._bookmarks)))
        return self._out.finished(root, self._info, mark.encode())

    def _put_below(self, parent: int, marks: Sequence[_Bookmark]) -> bytes:
        """Bookmarks under another one or the outline; what that says of them."""
        if not marks:
            return b""
        numbers = [self._out.number() for _ in marks]
        for at, each in enumerate(marks):
            before = b"/Prev %d 0 R " % numbers[at - 1] if at else b""
            after = b"/Next %d 0 R " % numbers[at + 1] if each is not marks[-1] else b""
            below = self._put_below(numbers[at], each.below)
            about = b"/Title %s /Dest %s /Parent %d 0 R " % (each.title, each.place, parent)
            self._out.put(numbers[at], b"<< %s%s%s%s >>" % (about, before, after, below))
        return b"/First %d 0 R /Last %d 0 R /Count %d" % (numbers[0], numbers[-1], sum(each.extent for each in marks))


def _targets(pdf: Any) -> Iterator[tuple[str, Any]]:
    names = list(pdf.Root.Names.Dests.Names) if "/Names" in pdf.Root else []
    return zip(map(str, names[::2]), names[1::2], strict=True)


def _turn_links(part: Any) -> None:
    """Links that go to another part go to their target."""
    for page in part.pages:
        for link in page.obj.get("/Annots", ()):
            name = str(link.A.get("/URI", "")) if "/A" in link else ""
            if name.startswith(ELSEWHERE):
                link.Dest = link.Contents = name.removeprefix(ELSEWHERE)
                del link.A


@dataclass(slots=True, kw_only=True)
class _Bookmark:
    """A line of the outline as it stands in the whole."""

    level: int
    title: bytes
    place: bytes
    below: list[_Bookmark] = field(default_factory=list)

    @property
    def extent(self) -> int:
        """With all that is under it."""
        return 1 + sum(each.extent for each in self.below)


def _outline(over: Any, depth: int = 1) -> Iterator[tuple[int, Any]]:
    """The bookmarks under one, or all of a file, and how deep they are."""
    item = over.get("/First") if over is not None else None
    while item is not None:
        yield depth, item
        yield from _outline(item, depth + 1)
        item = item.get("/Next")


def _nested(marks: Sequence[_Bookmark]) -> list[_Bookmark]:
    """The bookmarks of all parts as one tree, as deep as their headings were, not as they stand in a part alone."""
    roots: list[_Bookmark] = []
    over: list[_Bookmark] = []
    for mark in marks:
        while over and over[-1].level >= mark.level:
            over.pop()
        (over[-1].below if over else roots).append(mark)
        over.append(mark)
    return roots
