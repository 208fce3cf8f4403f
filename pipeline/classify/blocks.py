"""Looking at blocks and cutting them: what every kind of entry needs. Nothing here knows a language."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress, count, pairwise, repeat
from operator import attrgetter, is_

from pipeline.records import Block, Role, Span, Text
from pipeline.text import BULLETS, cut, in_one_line, rich, trim

BULLET_SIGNS = frozenset(BULLETS + "▸·ˏo-–—*➔")
BULLET = "• "
SENTENCE_ENDS = frozenset(".!?…:;’”»\"")  # no bracket: what ends with one may be a heading
STOPS = frozenset(".;,")  # what no title ends with
LEAD_WORDS = 14  # a bold beginning longer than this is a sentence, not a term or a title
ALNUM = re.compile(r"[^\W_]")
PAGE_AT_END = re.compile(r"[\s.…_](?:\d{1,3}|[ivxl]{1,6})\s*$")
ROMAN = frozenset("ivxl")
_CAPITALS = re.compile(r"\W*[^\W\d_a-z]{3,}\b(?!:)")  # a word in capitals
# Of blocks, for ``map``: what is asked of all of them at once costs a tenth
BOLD, MARKER, ROLE, SPANS, TEXT = map(attrgetter, ("bold", "marker", "role", "text.spans", "text"))
LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|(?:…\s*){2,}|_{4,}|…\s*\d{1,3}\s*$")


def part(block: Block, start: int, end: int | None = None) -> Block:
    """The block between two offsets of its text, with the lines that it stands on."""
    stop = len(block.text) if end is None else end
    first, last = bisect_right(block.breaks, start), bisect_right(block.breaks, max(start, stop - 1))
    text = trim(cut(block.text, start, stop))
    moved = tuple(at - start for at in block.breaks if start < at < stop)
    addresses = block.addresses[first : last + 1] if len(block.addresses) == len(block.breaks) + 1 else block.addresses
    keep = {} if start == 0 else {"marker": "", "role": Role.PARAGRAPH, "gap": 0.0}
    page = _page(addresses) or block.page
    return replace(block, text=text, breaks=moved, addresses=addresses, page=page, bold=_all(text, "bold"),
                   italic=_all(text, "italic"), **keep)  # type: ignore[arg-type]  # fmt: skip


def _page(addresses: tuple[str, ...]) -> int | None:
    match = re.match(r"p(\d+)\.", addresses[0]) if addresses else None
    return int(match.group(1)) if match else None


def _all(text: Text, style: str) -> bool:
    """Nearly all letters are in that style."""
    of = sum(len(span.text.strip()) for span in text.spans)
    return of > 0 and sum(len(span.text.strip()) for span in text.spans if getattr(span, style)) >= 0.9 * of


def headings(blocks: Sequence[Block]) -> list[int]:
    """The places of the headings."""
    return places(map(is_, map(ROLE, blocks), repeat(Role.HEADING)))


def ends_sentence(text: str) -> bool:
    """Does it end as running text does?"""
    return text.rstrip()[-1:] in SENTENCE_ENDS


def places(truths: Iterable[object]) -> list[int]:
    """The places of the values that are true."""
    return list(compress(count(), truths))


def cut_headings(blocks: Sequence[Block]) -> list[Block]:
    """Two headings in one block: a line in capitals over lines that are not. One heading in two blocks: joined."""
    cut_blocks = list(join_where(blocks, _is_one_heading))
    for at in reversed(headings(cut_blocks)):
        block = cut_blocks[at]
        end = block.breaks[0] if block.breaks else 0
        if end and _is_capitals_over_others(block.text[:end].strip(), block.text[end:]):
            cut_blocks[at : at + 1] = part(block, 0, end), replace(part(block, end), role=Role.HEADING)
    return cut_blocks


def _is_capitals_over_others(line: str, below: str) -> bool:
    """A line in capitals over one that begins with a word that is not: "MODELS (e.g. the Dray)" goes on with it."""
    return line.isupper() and len(line) > 3 and not below.isupper() and not _CAPITALS.match(below)


def join_where(blocks: Iterable[Block], belong: Callable[[Block, Block], bool]) -> Iterator[Block]:
    """Neighbours that belong together as one block, with a space between them."""
    joined: Block | None = None
    for block in blocks:
        if joined and belong(joined, block):
            shift = len(joined.text) + 1
            breaks = (*joined.breaks, shift, *(at + shift for at in block.breaks))
            text, addresses = rich(joined.text, " ", block.text), joined.addresses + block.addresses
            joined = replace(joined, text=text, breaks=breaks, addresses=addresses)
            continue
        if joined:
            yield joined
        joined = block
    if joined:
        yield joined


def _is_one_heading(above: Block, below: Block) -> bool:
    """A heading that goes on, in small letters, in another style; or under its middle, in the same."""
    if below.role is not Role.HEADING or above.role is not Role.HEADING:
        return False
    return _continues(above, below) or _stands_under_middle(above, below)


UNDER = 2.0  # points by which the middles of the lines of a centred title differ at most
BELOW = 0.5  # lines of white between them at most: between two titles there is more


def _stands_under_middle(above: Block, below: Block) -> bool:
    """The next line of a title that is centred, which the first did not end."""
    one, two = above.box, below.box
    if one is None or two is None or above.page != below.page or above.region != below.region or below.marker:
        return False
    alike = (above.size, above.bold, above.italic, above.colour) == (below.size, below.bold, below.italic, below.colour)
    if not alike or not 0 < below.gap < BELOW or above.text.rstrip()[-1:] in ".:;!?" or below.text[:1].isdecimal():
        return False
    return abs(one.x0 + one.x1 - two.x0 - two.x1) < 2 * UNDER and one.x1 - one.x0 > two.x1 - two.x0 + UNDER


def _continues(heading: Block, block: Block) -> bool:
    """In small letters, on the same page; but "p. 8, Ford" is a heading of its own."""
    return block.text[:1].islower() and block.page == heading.page and not re.match(r"\w+\.?\s*\d", block.text)


def lead(text: Text, style: str = "bold") -> int:
    """The offset at which a beginning in bold (or another style) ends; 0 when there is none."""
    at = end = 0
    if len(text.spans) == 1:
        return len(text) if getattr(text.spans[0], style) else 0
    for span in text.spans:
        if getattr(span, style):
            end = at + len(span.text)
        elif span.text[:1].isalnum() or ALNUM.search(span.text):
            break
        at += len(span.text)
    return _at_word(text, end) if text[end : end + 1].isalnum() and text[end - 1 : end].isalnum() else end


def _at_word(text: str, end: int) -> int:
    """The nearer end of the word in which a style ends: an editor missed it by a letter or two."""
    start, stop = end, end
    while start and text[start - 1].isalnum():
        start -= 1
    while stop < len(text) and text[stop].isalnum():
        stop += 1
    return start if end - start < stop - end else stop


def is_lead(text: Text, end: int) -> bool:
    """Is ``text[:end]`` a short beginning, with something after it?"""
    return 0 < end < len(text.rstrip()) and len(text[:end].split()) <= LEAD_WORDS


def paragraph(block: Block, words: Text | None = None) -> Text:
    """A block, or some words of it, as a paragraph of an entry: list items begin with their bullet or number."""
    text = block.text if words is None else words
    return rich(item_sign(block), text, level=block.level) if block.role is Role.ITEM else text


def item_sign(block: Block) -> str:
    """``• `` for any bullet; a number or an arrow as it is printed."""
    sign = block.marker.strip()
    return BULLET if not sign or sign in BULLET_SIGNS or not sign.isprintable() or _private(sign) else f"{sign} "


def _private(sign: str) -> bool:
    return len(sign) == 1 and "\ue000" <= sign <= "\uf8ff"


def is_contents_line(block: Block, *, listed: bool = False) -> bool:
    """A line of a table of contents: dots that lead to a page number; under its heading the number is enough."""
    last = block.text.rstrip()[-1:]
    if not last.isdecimal() and last not in ROMAN:
        return False
    return bool(PAGE_AT_END.search(block.text)) and (listed or bool(LEADERS.search(block.text)))


def is_listing(block: Block) -> bool:
    """A table most of whose cells end with a page number: an index in columns."""
    cells = [cell for row in block.rows for cell in row if cell.strip()]
    return bool(cells) and sum(PAGE_AT_END.search(cell) is not None for cell in cells) * 3 >= 2 * len(cells)


def table_lines(block: Block) -> tuple[Text, ...]:
    """A table inside an answer or a new text: one paragraph a row."""
    return tuple(_row(row) for row in block.rows)


def _row(row: tuple[Text, ...]) -> Text:
    pieces: list[str | Span | Text] = []
    for cell in row:
        pieces += [" | ", in_one_line(cell)] if pieces else [in_one_line(cell)]
    return rich(*pieces)


def sole_letter(text: Text, at: int = 0) -> tuple[str, int] | None:
    """A capital set apart at an offset – boxed, bold or coloured – and the length to what follows."""
    start = 0
    for first, second in pairwise(text.spans):
        end = start + len(first.text)
        if at < end:
            letter = first.text[at - start :].strip()
            apart = (first.bold, first.colour, first.highlight) != (second.bold, second.colour, second.highlight)
            return (letter, end - at) if len(letter) == 1 and apart else None
        start = end
    return None
