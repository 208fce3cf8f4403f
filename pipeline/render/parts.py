"""A long page -> parts that are printed one after the other -> one PDF. So much at once would take too much memory.

A template says where it may be parted: ``<!--part …-->``, with the tags that a part which begins there must open.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

PART = 600_000  # characters of HTML: some 500 changes, which take 20 seconds and half a gigabyte
ELSEWHERE = "rubricator:elsewhere#"  # where a link goes whose target is in another part

_MARK = re.compile(r"<!--part (.*?)-->", re.DOTALL)
_ID, _LINK, _HEADING = re.compile(r'\bid="([^"]+)"'), re.compile(r'href="#([^"]+)"'), re.compile(r"<h([1-6])\b")


def parted(html: str, most: int = PART) -> list[str]:
    """The page in parts of about so many characters, each a page of its own; a page without marks stays whole."""
    head, body, rest = html.partition("<body")
    tag, close, rest = rest.partition(">")
    first, *marked = _MARK.split(rest)
    held = [first]
    for again, piece in zip(marked[::2], marked[1::2], strict=True):
        if len(held[-1]) + len(piece) > most:
            held.append(again)
        held[-1] += piece
    return [f"{head}{body}{tag}{close}{_outward(each)}" for each in held] if len(held) > 1 else [html]


def _outward(part: str) -> str:
    """The part with its links to other parts as links to another file: they are turned back when all are joined."""
    known = set(_ID.findall(part))
    return _LINK.sub(lambda link: link[0] if link[1] in known else f'href="{ELSEWHERE}{link[1]}"', part)


def printed(parts: Sequence[str], printer: Callable[[str], bytes]) -> bytes:
    """The parts printed with pages that count on, joined. How many pages there are in all, none of them can say."""
    made: list[bytes] = []
    before = 0
    for part in parts:
        count = "@page { @bottom-right { content: counter(page) } }"
        count += f"@page :first {{ counter-reset: page {before + 1} }}"
        made.append(printer(part.replace("</head>", f"<style>{count}</style></head>", 1)))
        before += _count(made[-1])
    return joined(made, [[int(level) for level in _HEADING.findall(part)] for part in parts])


def _count(pdf: bytes) -> int:
    from pipeline import impose

    return impose.page_count(pdf)


def joined(made: Sequence[bytes], levels: Sequence[Sequence[int]]) -> bytes:
    """One PDF with all pages, targets, links, bookmarks and tags; ``levels``: of the headings of each part."""
    import pikepdf

    whole = pikepdf.open(io.BytesIO(made[0]))
    marks = list(_bookmarks(whole, levels[0], whole.pages))
    targets = dict(_targets(whole))
    for pdf, some in zip(made[1:], levels[1:], strict=True):
        part = pikepdf.open(io.BytesIO(pdf))
        first = len(whole.pages)
        whole.pages.extend(part.pages)
        marks += _bookmarks(part, some, whole.pages[first:])
        targets |= {name: _moved(target, whole.pages[first:]) for name, target in _targets(part)}
        _add_tags(whole, whole.copy_foreign(part.Root.StructTreeRoot), first)
    whole.Root.Names.Dests.Names = pikepdf.Array([each for name in sorted(targets) for each in (name, targets[name])])
    _turn_links(whole)
    _nest(whole, marks)
    out = io.BytesIO()
    whole.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()


def _targets(pdf: Any) -> Iterator[tuple[str, Any]]:
    names = list(pdf.Root.Names.Dests.Names) if "/Names" in pdf.Root else []
    return zip(map(str, names[::2]), names[1::2], strict=True)


def _moved(target: Any, pages: Sequence[Any]) -> Any:
    """A place on a page of a part, as a place on the same page of the whole."""
    import pikepdf

    number = pikepdf.Page(target[0]).index
    return pikepdf.Array([pages[number].obj, *list(target)[1:]])


def _add_tags(whole: Any, tags: Any, first: int) -> None:
    """The tags of a part under those of the whole. Pages and links find theirs by numbers, which go on."""
    known = whole.Root.StructTreeRoot
    after = max(int(key) for key in list(known.ParentTree.Nums)[::2]) + 1
    for page in whole.pages[first:]:
        page.obj.StructParents = int(page.obj.StructParents) + after
        for link in page.obj.get("/Annots", ()):
            link.StructParent = int(link.StructParent) + after
    held = list(tags.ParentTree.Nums)
    for key, found in zip(held[::2], held[1::2], strict=True):
        known.ParentTree.Nums.append(int(key) + after)
        known.ParentTree.Nums.append(found)
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
        found = list(below(outline.root, 1))
        depths = levels if len(levels) == len(found) else [depth for depth, _ in found]
        for level, (_, item) in zip(depths, found, strict=True):
            yield level, item.title, _moved(item.destination, pages)


def _nest(whole: Any, marks: Sequence[tuple[int, str, Any]]) -> None:
    """The bookmarks of all parts as one tree."""
    import pikepdf

    with whole.open_outline() as outline:
        outline.root.clear()
        over: list[tuple[int, Any]] = []
        for level, title, place in marks:
            while over and over[-1][0] >= level:
                over.pop()
            item = pikepdf.OutlineItem(title, place)
            (over[-1][1].children if over else outline.root).append(item)
            over.append((level, item))
