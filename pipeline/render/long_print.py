"""A long page -> parts that are printed one after the other -> one PDF. So much at once would take too much memory.

A template says where it may be parted: ``<!--part …-->``, with the tags that a part which begins there must open. A
book (its body has ``data-parted``, with the style that its parts have) is printed whole as long as that can be: page
numbers in its contents are known when all is printed, so the parts that tell them are printed again.
"""

from __future__ import annotations

import base64
import html as markup
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from pipeline import pdf_objects

Join = Callable[[Sequence[bytes], Sequence[Sequence[int]], str], bytes]

PART = 600_000  # characters of HTML: some 500 changes, which take 20 seconds and half a gigabyte
PART_OF_A_BOOK = 1_500_000  # 340 pages of a booklet, which take 800 megabytes
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
_COUNTED = "@page { @bottom-right { content: counter(page) } }"


def parted(html: str, most: int | None = None) -> list[str]:
    """The page in parts of about so many characters, each a page of its own; a page without marks stays whole."""
    head, body, rest = html.partition("<body")
    tag, close, rest = rest.partition(">")
    first, *marked = _MARK.split(rest)
    most = most or (PART_OF_A_BOOK if _OF_A_BOOK.search(html) else PART)
    if len(html) <= most:
        return [html]
    parts, pieces, extent = [], [first], len(first)
    for again, piece in zip(marked[::2], marked[1::2], strict=True):
        if extent + len(piece) > most:
            parts.append("".join(pieces))
            pieces, extent = [again], len(again)
        pieces.append(piece)
        extent += len(piece)
    parts.append("".join(pieces))
    return [f"{head}{body}{tag}{close}{_outward(each)}" for each in parts] if len(parts) > 1 else [html]


def _outward(part: str) -> str:
    """The part with its links to other parts as links to another file: they are turned back when all are joined."""
    known = set(_ID.findall(part))
    return _LINK.sub(lambda link: link[0] if link[1] in known else f'href="{ELSEWHERE}{link[1]}"', part)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Printed:
    """A part, as it was sent to the printer and came from there."""

    html: str
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
            if result is None or result.html != html:
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
        return _Printed(html=html, pdf=pdf, pages=len(opened.pages), targets=targets)


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
    with ExitStack() as open_files:
        whole = open_files.enter_context(pdf_objects.opened(parts[0]))
        marks = list(_bookmarks(whole, levels[0], whole.pages))
        targets = dict(_targets(whole))
        for pdf, some in zip(parts[1:], levels[1:], strict=True):
            part = open_files.enter_context(pdf_objects.opened(pdf))
            first = len(whole.pages)
            with warnings.catch_warnings():  # what it warns of, targets and links, is done here
                warnings.simplefilter("ignore")
                whole.pages.extend(part.pages)
            marks += _bookmarks(part, some, whole.pages[first:])
            targets |= {name: _moved(target, whole.pages[first:]) for name, target in _targets(part)}
            _add_tags(whole, whole.copy_foreign(part.Root.StructTreeRoot), first)
        named = [each for name in sorted(targets) for each in (name, targets[name])]
        whole.Root.Names.Dests.Names = pdf_objects.array(named)
        _turn_links(whole)
        _nest(whole, marks)
        if mark:
            whole.trailer.ID = pdf_objects.array([pdf_objects.string(mark), pdf_objects.string(mark)])
        return pdf_objects.saved(whole, packed=True)


def _targets(pdf: Any) -> Iterator[tuple[str, Any]]:
    names = list(pdf.Root.Names.Dests.Names) if "/Names" in pdf.Root else []
    return zip(map(str, names[::2]), names[1::2], strict=True)


def _moved(target: Any, pages: Sequence[Any]) -> Any:
    """A place on a page of a part, as a place on the same page of the whole."""
    number = pdf_objects.page_index(target[0])
    return pdf_objects.array([pages[number].obj, *list(target)[1:]])


def _add_tags(whole: Any, tags: Any, first: int) -> None:
    """The tags of a part under those of the whole. Pages and links find theirs by numbers, which go on."""
    known = whole.Root.StructTreeRoot
    after = max(int(key) for key in list(known.ParentTree.Nums)[::2]) + 1
    for page in whole.pages[first:]:
        page.obj.StructParents = int(page.obj.StructParents) + after
        for link in page.obj.get("/Annots", ()):
            link.StructParent = int(link.StructParent) + after
    pairs = list(tags.ParentTree.Nums)
    for key, tag in zip(pairs[::2], pairs[1::2], strict=True):
        known.ParentTree.Nums.append(int(key) + after)
        known.ParentTree.Nums.append(tag)
    for element in tags.K:
        element.P = known
        known.K.append(element)


def _turn_links(whole: Any) -> None:
    """Links that went to another part go to their target."""
    for page in whole.pages:
        for link in page.obj.get("/Annots", ()):
            name = str(link.A.get("/URI", "")) if "/A" in link else ""
            if name.startswith(ELSEWHERE):
                link.Dest = link.Contents = name.removeprefix(ELSEWHERE)
                del link.A


def _bookmarks(pdf: Any, levels: Sequence[int], pages: Sequence[Any]) -> Iterator[tuple[int, str, Any]]:
    """Level, title and place of each bookmark, as deep as its heading was, not as it stands in this part alone."""

    def below(items: Sequence[Any], depth: int) -> Iterator[tuple[int, Any]]:
        for item in items:
            yield depth, item
            yield from below(item.children, depth + 1)

    with pdf.open_outline() as outline:
        items_at = list(below(outline.root, 1))
        depths = levels if len(levels) == len(items_at) else [depth for depth, _ in items_at]
        for level, (_, item) in zip(depths, items_at, strict=True):
            yield level, item.title, _moved(item.destination, pages)


def _nest(whole: Any, marks: Sequence[tuple[int, str, Any]]) -> None:
    """The bookmarks of all parts as one tree."""
    with whole.open_outline() as outline:
        outline.root.clear()
        over: list[tuple[int, Any]] = []
        for level, title, place in marks:
            while over and over[-1][0] >= level:
                over.pop()
            item = pdf_objects.bookmark(title, place)
            (over[-1][1].children if over else outline.root).append(item)
            over.append((level, item))
