"""What can be known of each block, computed once and without a decision: its look against its own surroundings, how it
begins and ends, its number, what the file itself says of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from pipeline.classify.blocks import LEADERS, STOPS, ends_sentence, is_contents_line, is_listing, lead, part
from pipeline.classify.grammar import Grammar
from pipeline.classify.numbers import Number, read_number
from pipeline.classify.questions import Markers, marker
from pipeline.quick import quick
from pipeline.records import Block, Bookmark, Box, Role, Structure, Text
from pipeline.text import cut, flat, fold, is_capitals, rich, trim

ENOUGH = 150  # letters of running text that show the body of a page or a box: three or four lines
SENTENCE = 40  # letters: a shorter block may be a heading or a label, and shows no body


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """All that is known of a block."""

    at: int  # its place among the blocks
    block: Block
    size: float  # its type against the text around it
    bold: bool  # where that text is not
    italic: bool  # where that text is not
    capitals: bool
    coloured: bool  # in a colour that no running text has
    underlined: bool
    words: int
    end: str  # its last character
    number: Number | None
    boxed: int  # letters of all that stands in its box
    times: int  # that just these words are a block of their own
    cost: bool  # nothing but numbers of things that have prices here: "1CP", "2CP 1CP"
    key: Number | None  # a word and a number that other lines begin with, too: "Interpretation 2"
    top: bool  # it begins its page
    listed: bool  # a line of the table of contents
    caption: bool  # "Figure 2: …", "Table 3: …": what stands under a picture, or over a table or under it
    marked: bool  # it begins with a marker of questions or answers that the document uses
    lead: int  # where its bold beginning ends, number and all
    depths: tuple[int | None, ...]  # that bookmark, tag and contents line give it; -1: all of that sort have one depth

    @property
    def named(self) -> bool:
        """The file itself calls it a title."""
        return any(depth is not None for depth in self.depths)

    @property
    def look(self) -> tuple[object, ...]:
        """What a person sees at a glance; blocks that look alike have one role."""
        block = self.block
        return (round(block.size * 2) / 2, self.bold, self.italic, self.capitals, self.coloured, self.underlined,
                bool(block.fill), self.number is not None and self.number.whole)  # fmt: skip


UNNAMED = (None, None, None)  # the depths of a block that the file does not call a title
_evidence = quick(Evidence)  # there is one for every block


def gather(blocks: Sequence[Block], structure: Structure, markers: Markers, grammar: Grammar) -> list[Evidence]:
    """The evidence of all blocks."""
    bodies = _bodies(blocks, structure)
    painted = _text_colours(blocks) | {structure.body_colour}
    contents = _contents(blocks, grammar)
    listed = _bookmarks(blocks, _listed_titles(blocks, contents), contents) if contents else {}
    named = (_bookmarks(blocks, structure.bookmarks), _bookmarks(blocks, structure.tags), listed)
    tops = {block.page: at for at, block in reversed(list(enumerate(blocks)))}
    keyed = [_key(block) for block in blocks]
    keys = Counter([key for key in keyed if key and key not in grammar.page_words])
    boxes: Counter[int] = Counter()
    times = Counter([block.text for block in blocks if len(block.text) < SENTENCE])
    priced = [_price(block) for block in blocks]
    prices = Counter(filter(None, priced))
    unnamed = None if any(named) else UNNAMED
    for block in blocks:
        boxes[block.region] += len(block.text)
    known = []
    for at, block in enumerate(blocks):
        size, bold, italic = bodies[at]
        text = block.text
        marked = markers.any and _is_marked(block, size, markers, grammar)
        number = None if marked else _number(block, block.marker.strip(), grammar)
        known.append(
            _evidence(
                at=at,
                block=block,
                size=block.size / size if size else 1.0,
                bold=block.bold and not bold,
                italic=block.italic and not italic,
                capitals=len(text) < LONG and is_capitals(text),
                coloured=block.colour not in painted,
                underlined=bool(text.spans) and text.spans[0].underlined and _is_underlined(text),
                words=text.count(" ") + 1,
                end=text.rstrip()[-1:],
                boxed=boxes[block.region],
                times=times.get(text, 0),
                cost=prices.get(priced[at], 0) >= RETURNS,
                top=tops[block.page] == at,
                listed=at in contents,
                key=_key_number(block) if keyed[at] and keys[keyed[at]] >= RETURNS else None,
                caption=_DIGIT.search(text, 0, SENTENCE) is not None
                and (_is_caption(text, grammar) or _titles_a_table(blocks, at, grammar)),
                marked=marked,
                number=number,
                lead=_lead(text, number) if block.role is not Role.TABLE else 0,
                depths=unnamed or tuple([marks.get(at) for marks in named]),
            )
        )
    return known


def _lead(text: Text, number: Number | None) -> int:
    """Where the bold beginning of a text ends; its number may be set in plain type before it."""
    end = lead(text)
    if end or number is None or not number.end or len(text.spans) < 2:
        return end
    behind = lead(cut(text, number.end))
    return number.end + behind if behind else 0


_DIGIT = re.compile(r"[\dIVX](?:(?<=\d)|(?<=\b[IVX])[IVX]*\b)")  # searched in half the time of a choice


def _is_caption(text: str, grammar: Grammar) -> bool:
    return grammar.caption.match(flat(text[:SENTENCE])) is not None


def _titles_a_table(blocks: Sequence[Block], at: int, grammar: Grammar) -> bool:
    """ "Table 2: Losses" straight over a table, or under it."""
    beside = (*blocks[max(0, at - 1) : at], *blocks[at + 1 : at + 2])
    if not any(block.role is Role.TABLE for block in beside) or len(blocks[at].text) > 2 * SENTENCE:
        return False
    return grammar.table_title.match(flat(blocks[at].text)) is not None


def _is_marked(block: Block, size: float, markers: Markers, grammar: Grammar) -> bool:
    """A marker of questions or answers; "A. General questions" in large type is a heading."""
    mark = marker(block.text, markers, grammar)
    return mark is not None and (mark[0] == "q" or block.size < LARGER * size)


RETURNS = 3  # lines that begin with one word and a number: it is a marker, in any language
KEY = re.compile(r"([^\W\d_][\w-]{2,20})\s(?:#|n[°ºo]\.?\s?)?(\d{1,3})\b")


def _key(block: Block) -> str:
    """The word before a number at the start of a short line that is no sentence."""
    text = block.text
    if block.breaks or len(text) > 2 * SENTENCE or block.role is Role.TABLE or text[-1:] in STOPS:
        return ""
    match = KEY.match(text)
    return flat(match[1]) if match else ""


def _key_number(block: Block) -> Number | None:
    match = KEY.match(block.text)
    return Number(text=match[2], parts=(match[2],), end=0, word=flat(match[1])) if match else None


FRAMED = 40  # letters of all that a frame beside a title holds: a cost, a penalty
BESIDE = 2.0  # lines that such a frame stands above or below its title


def with_badges(blocks: Sequence[Block]) -> list[Block]:
    """What stands in a small frame at the right of a title follows it, as text."""
    frames: dict[int, list[Block]] = {}
    for block in blocks:
        if block.region and block.box is not None:
            frames.setdefault(block.region, []).append(block)
    small = {region: framed for region, framed in frames.items() if sum(len(block.text) for block in framed) <= FRAMED}
    homes: dict[int, list[Block]] = {}
    for framed in small.values():
        if (title := _titled_by(framed, blocks)) is not None:
            homes.setdefault(id(title), []).extend(framed)
    gone = {id(block) for framed in homes.values() for block in framed}
    in_order: list[Block] = []
    for block in blocks:
        if id(block) not in gone:
            in_order.append(block)
            in_order += [replace(each, role=Role.PARAGRAPH, level=0, bold=False, region=0, apart=False, fill=None)
                     for each in homes.get(id(block), ())]  # fmt: skip
    return in_order


SIDE = 60  # letters of a head at the side of its text
LEVEL = 0.8  # of the type size, by which the first lines of both stand apart at most


def with_side_heads(blocks: Sequence[Block]) -> list[Block]:
    """Short lines at the left of the paragraphs that they name, again and again, are heads; the number that begins such
    a paragraph is that of the head."""
    headed = _with_heads_in_place(blocks)
    beside = [at for at, (one, two) in enumerate(pairwise(headed)) if _stands_beside(one, two)]
    if len(beside) < RETURNS:
        return list(blocks)
    blocks = list(headed)
    for at in beside:
        head, text = blocks[at], blocks[at + 1]
        counted = text.marker.strip() if text.role is Role.ITEM and text.marker[:1].isdecimal() else ""
        if counted:
            headed[at + 1] = replace(text, role=Role.PARAGRAPH, marker="", level=0)
        titled = rich(f"{counted} ", head.text) if counted else head.text
        headed[at] = replace(head, role=Role.HEADING, text=titled, level=head.level or SIDE_LEVEL, bold=True, breaks=(),
                           size=max(head.size, text.size))  # fmt: skip
    return headed


def _with_heads_in_place(blocks: Sequence[Block]) -> list[Block]:
    """Heads that were read as a column of their own, each before the paragraph that it stands beside."""
    in_order: list[Block] = []
    for _, page in groupby(blocks, lambda block: block.page):
        on_page = list(page)
        homes = _homes(on_page)
        apart = {id(head) for head in homes.values()}
        for block in on_page:
            if id(block) in homes:
                in_order.append(homes[id(block)])
            if id(block) not in apart:
                in_order.append(block)
    return in_order


def _homes(page: Sequence[Block]) -> dict[int, Block]:
    """The heads in a column of a page, by the identity of the paragraphs that they stand beside: all of that column are
    bold, and each begins level with another paragraph."""
    short = [block for block in page if block.box and block.bold and len(block.text) <= SIDE
             and block.role in (Role.PARAGRAPH, Role.HEADING)]  # fmt: skip
    beside = {id(head): text for head in short if (text := _text_beside(head, page)) is not None}
    for first in short if len(beside) > 1 else ():
        heads = [head for head in short if head is first or _is_over(first, head)]
        column = [(head, beside[id(head)]) for head in heads if id(head) in beside]
        if 1 < len(column) == len(heads) and _is_alone(column, page):
            return {id(text): head for head, text in column}
    return {}


def _text_beside(head: Block, page: Sequence[Block]) -> Block | None:
    """The first text that a head stands beside."""
    return next((block for block in page if head.box and block.box and head.box.x1 < block.box.x0
                 and _stands_beside(head, block)), None)  # fmt: skip


def _is_alone(column: Sequence[tuple[Block, Block]], page: Sequence[Block]) -> bool:
    """Does nothing but these heads stand left of all of their texts, from the first to the last?"""
    heads = [head.box for head, _ in column if head.box]
    right, top, bottom = max(box.x1 for box in heads), heads[0].top, max(box.bottom for box in heads)
    apart = {id(head) for head, _ in column}
    crowded = any(id(block) not in apart and block.box and block.box.x0 < right and top < block.box.bottom
                  and block.box.top < bottom for block in page)  # fmt: skip
    texts = {id(text) for _, text in column if text.box and text.box.x0 >= right}
    return not crowded and len(texts) == len(column)


def _is_over(first: Block, block: Block) -> bool:
    """Do both begin at one edge, the second further down?"""
    one, two = first.box, block.box
    return one is not None and two is not None and abs(one.x0 - two.x0) <= EDGES and one.top < two.top


SIDE_LEVEL = 9  # of a head that no type told from text: under all others


def _stands_beside(head: Block, text: Block) -> bool:
    if head.box is None or text.box is None or head.page != text.page or len(head.text) > SIDE:
        return False
    if head.role not in (Role.PARAGRAPH, Role.HEADING) or text.role not in (Role.PARAGRAPH, Role.ITEM):
        return False
    level = head.box.top - LEVEL * text.size < text.box.top < max(head.box.bottom, head.box.top + LEVEL * text.size)
    is_words = head.text.rstrip()[-1:] not in STOPS and any(map(str.isalpha, head.text))
    return level and is_words and head.box.x1 < text.box.x0 and len(text.text) > len(head.text)


COST = re.compile(r"\s(?P<count>\d{1,2})\s?(?P<of>[A-ZÀ-Þ]{1,3})$")


def with_costs(blocks: Sequence[Block]) -> list[Block]:
    """Bold lines that end with a number of the same thing ("Dash 1AP", "Guard 2AP") or with the same word in a colour
    of its own, again and again: that is no part of the title."""
    ends = [_cost(block) if block.bold and len(block.breaks) < 2 and block.role is not Role.TABLE else None
            for block in blocks]  # fmt: skip
    times = Counter([cost[0] for cost in ends if cost])
    return [replace(block, badge=cost[1]) if cost and times[cost[0]] >= RETURNS else block
            for block, cost in zip(blocks, ends, strict=True)]  # fmt: skip


PRICES = re.compile(r"(?:\d{1,2}\s?(?P<of>[A-ZÀ-Þ]{1,3})\s?)+")


def _price(block: Block) -> str:
    """What a block counts that is nothing but a price."""
    match = PRICES.fullmatch(block.text) if len(block.text) < BADGE else None
    return match["of"] if match else ""


def _cost(block: Block) -> tuple[str, int] | None:
    """What a title ends with that may be its cost, and where it begins."""
    if match := COST.search(block.text):
        return match["of"], match.start() + 1
    spans = block.text.spans
    if len(spans) < 2 or spans[-1].colour in (spans[-2].colour, spans[0].colour) or len(spans[-1].text) > BADGE:
        return None
    return flat(spans[-1].text.strip()), len(block.text) - len(spans[-1].text)


BADGE = 16  # letters of a word in a box behind a title


def _titled_by(framed: Sequence[Block], blocks: Sequence[Block]) -> Block | None:
    """The first bold line beside a frame, or close above it, at its left."""
    box, size = framed[0].box, framed[0].size
    if box is None:
        return None
    reach = BESIDE * size
    near = (block for block in blocks if block.page == framed[0].page and block.box is not None and not block.region
            and block.box.top - reach < box.bottom and block.box.bottom + reach > box.top)  # fmt: skip
    bold = (block for block in near if block.bold and not block.breaks)
    title = next((block for block in bold if block.box and block.box.x1 < box.x0), None)
    return title if title is not None and title.box and _shares_text(title.box, box, framed[0].page, blocks) else None


def _shares_text(title: Box, frame: Box, page: int, blocks: Sequence[Block]) -> bool:
    """Does the text under a frame run under the title, too? Else it is a heading of the next column, in a band."""
    middle = (frame.x0 + frame.x1) / 2
    text = (block for block in blocks if block.page == page and not block.region and len(block.text) > SENTENCE)
    below = [b.box for b in text if b.box and b.box.top > frame.top and b.box.x0 < middle < b.box.x1]
    return bool(below) and min(below, key=lambda box: box.top).x0 < title.x1


SIGNED_PARAGRAPHS = 5  # paragraphs that begin with one sign: it is a bullet, though its font calls it a letter


def with_own_bullets(blocks: Sequence[Block], words: Collection[str]) -> list[Block]:
    """Paragraphs that begin with one and the same sign are items of lists; a word of one letter is none."""
    signs = Counter([block.text[0] for block in blocks if _is_sign(block, words)])
    bullets = {sign for sign, count in signs.items() if count >= SIGNED_PARAGRAPHS}
    return [_as_item(block) if _is_sign(block, words) and block.text[0] in bullets else block for block in blocks]


def _is_sign(block: Block, words: Collection[str]) -> bool:
    sign = block.text[:2]
    if block.role not in (Role.PARAGRAPH, Role.HEADING) or len(sign) < 2 or sign[1] != " " or sign[0] in "§[(“\"«‘'¿¡–":
        return False
    return not sign[0].isascii() and not sign[0].isdecimal() and sign[0].lower() not in words


def _as_item(block: Block) -> Block:
    breaks = tuple(at - 2 for at in block.breaks if at > 2)
    return replace(block, role=Role.ITEM, level=0, marker=block.text[0], text=trim(cut(block.text, 2)), breaks=breaks)


def cut_at_keys(blocks: Sequence[Block]) -> list[Block]:
    """Two headings in one block, where a line begins with a word and a number that return: "Play" over "Step 1"."""
    keys = Counter([key for block in blocks if (key := _key(block))])
    cut_blocks: list[Block] = []
    for block in blocks:
        start = 0
        if block.breaks and len(block.breaks) < HEAD_LINES and block.role in (Role.HEADING, Role.PARAGRAPH) and (
            block.bold or block.role is Role.HEADING
        ):  # fmt: skip
            for at in block.breaks:
                match = KEY.match(block.text, at)
                if match and keys[flat(match[1])] >= RETURNS - 1:
                    cut_blocks.append(replace(part(block, start, at), role=block.role))
                    start = at
        cut_blocks.append(replace(part(block, start), role=block.role) if start else block)
    return cut_blocks


HEAD_LINES = 4


LARGER = 1.1  # times the text around it: no answer is set so


def _number(block: Block, sign: str, grammar: Grammar) -> Number | None:
    """The number before a text, or that of a list item; "4.2" in the margin and "(a)" before the text are one."""
    if block.role is Role.TABLE:
        return None
    if not any(map(str.isalnum, sign)):
        number = read_number(block.text, grammar)
        return None if number and sign and number.depth == 1 else number  # "• G101, …" names it
    whole = read_number(f"{sign} {block.text}", grammar)
    if whole is None:
        return None
    return Number(text=whole.text, parts=whole.parts, end=max(0, whole.end - len(sign) - 1), word=whole.word,
                  stop=whole.stop, margin=sign.isdecimal())  # fmt: skip


LONG = 320  # letters: longer than any heading


def _is_underlined(text: Text) -> bool:
    return all(span.underlined and not span.link for span in text.spans if span.text.strip())


Body = tuple[float, bool, bool]  # the size of running text, and whether it is bold or italic


def _bodies(blocks: Sequence[Block], structure: Structure) -> list[Body]:
    """For each block the running text around it: of its box, else of its page, else of the document."""
    letters: dict[tuple[int, int], Counter[Body]] = defaultdict(Counter)
    for block in blocks:
        titled = block.role is Role.HEADING and not ends_sentence(block.text)
        if block.role is Role.TABLE or len(block.text) < SENTENCE or titled:
            continue
        kind = (round(block.size * 2) / 2, block.bold, block.italic)
        for region in (-1, block.region) if block.region else (-1,):
            counts = letters[block.page, region]
            counts[kind] = counts.get(kind, 0) + len(block.text)
    own = {place: _usual(counts) for place, counts in letters.items() if counts.total() >= ENOUGH}
    every = sum((counts for place, counts in letters.items() if place[1] == -1), Counter())
    if not every:  # no running text at all: what is larger than the rest was told by its type before
        return [(b.size / 2 if b.role is Role.HEADING else b.size, False, False) for b in blocks]
    whole = _usual(every)
    return [own.get((b.page, b.region) if b.region else (b.page, -1)) or own.get((b.page, -1)) or whole for b in blocks]


STYLED = 0.8  # of the letters of running text: less are those of questions, or of examples


def _usual(letters: Counter[Body]) -> Body:
    """The size of most letters, and whether nearly all of that size are bold or italic."""
    sizes: Counter[float] = Counter()
    for (size, _, _), count in letters.items():
        sizes[size] += count
    size = sizes.most_common(1)[0][0]
    least = STYLED * sizes[size]
    bold = sum(count for body, count in letters.items() if body[0] == size and body[1])
    italic = sum(count for body, count in letters.items() if body[0] == size and body[2])
    return size, bold >= least, italic >= least


def _text_colours(blocks: Sequence[Block]) -> set[str]:
    """Colours in which running text is set too: they mark changes, not headings."""
    counts = Counter(b.colour for b in blocks if b.role is not Role.HEADING and len(b.text) > SENTENCE)
    return {colour for colour, count in counts.items() if count >= 2}


LINE = re.compile(r"\s*(?P<title>[^\n]*?[^\W\d_].*?)(?:\s|…|\.\.|__|·)[\s.…_·]*(?P<page>\d{1,3})(?=\s|$)")
EDGES = 4.0  # points by which lines of one depth of a table of contents begin apart


def _listed_titles(blocks: Sequence[Block], contents: Collection[int]) -> list[Bookmark]:
    """The lines of the table of contents as bookmarks, deeper where they are set in; their pages are the book's."""
    lines: list[tuple[str, float]] = []
    for at in sorted(contents):
        block = blocks[at]
        titles = [match["title"] for match in LINE.finditer(f"{block.marker} {block.text}")]
        lines += [(title.strip(), block.box.x0 if block.box and len(titles) == 1 else -1.0) for title in titles]
    edges: list[float] = []
    for _, x0 in sorted(lines, key=lambda line: line[1]):
        if x0 >= 0 and (not edges or x0 - edges[-1] > EDGES):
            edges.append(x0)
    if any(x0 < 0 for _, x0 in lines):
        edges = []  # several lines in one block: how far each is set in cannot be told
    depths = [next((depth for depth, edge in enumerate(edges) if x0 - edge <= EDGES), 0) for _, x0 in lines]
    return [Bookmark(title=title, depth=depth) for (title, _), depth in zip(lines, depths, strict=True)]


def _bookmarks(
    blocks: Sequence[Block], marks: Sequence[Bookmark], apart: Collection[int] = ()
) -> dict[int, int]:
    """The blocks that a bookmark names, with its depth: found in order, on its page or the next."""
    if not marks:
        return {}
    depths: dict[int, int] = {}
    texts: dict[str, list[int]] = {}
    for at, block in enumerate(blocks):
        if block.role is not Role.TABLE and len(block.text) < 200 and at not in apart:
            for name in {fold(f"{block.marker}{block.text}"), _unnumbered(block.text)} - {""}:
                texts.setdefault(name, []).append(at)
    if len({mark.depth for mark in marks}) < 2:
        marks = [replace(mark, depth=-1) for mark in marks]  # a flat list says what is a head, not who stands over whom
    for mark in marks:
        homes = [at for at in texts.get(fold(mark.title), ()) if at not in depths]
        homes = [at for at in homes if mark.page is None or 0 <= blocks[at].page - mark.page <= 1] or []
        if homes:
            depths[homes[0]] = mark.depth
    return depths


def _unnumbered(text: str) -> str:
    """A title without the number before it, which a bookmark may leave out."""
    return fold(re.sub(r"^[\W\d]*(?:\w[.\d]+\s)?", "", text))


ASTRAY = 2  # blocks of a table of contents that are no lines of it: "Page", a letter


def _contents(blocks: Sequence[Block], grammar: Grammar) -> set[int]:
    """The lines of a table of contents: with leaders, or under its heading with a page, or titles that return."""
    lines = {at for at, block in enumerate(blocks) if is_contents_line(block) or _holds_lines(block)}
    lines |= _titles_in_advance(blocks)
    short = ((at, block.text) for at, block in enumerate(blocks) if len(block.text) <= SENTENCE)
    starts = [at for at, text in short if grammar.contents.fullmatch(flat(text.strip()))]
    if not starts:
        return lines
    last = {_listed(block.text): at for at, block in enumerate(blocks) if len(block.text) < 200}
    for start in starts:
        astray, size = 0, 0.0
        skipped: set[int] = set()
        for at in range(start + 1, len(blocks)):
            each = blocks[at]
            listing = is_contents_line(each, listed=True) or LEADERS.search(each.text) or is_listing(each)
            title = size and each.size > LARGER * size  # of what follows the list
            if listing or (last.get(_listed(each.text), 0) > at and not title):
                lines |= skipped | {at}
                astray, skipped, size = 0, set(), each.size
            else:
                astray, skipped = astray + 1, skipped | {at}
                if astray > ASTRAY or len(each.text) > 200:
                    break
    return lines


LEADER = re.compile(r"(?:…|\.{4,}|(?:\. ){4,})\s*\d{1,4}\b")


def _holds_lines(block: Block) -> bool:
    """Several lines of a table of contents in one block: each has a leader and a page."""
    led = len(block.text) > SENTENCE and ("…" in block.text or "..." in block.text)
    return led and len(LEADER.findall(block.text)) > 1


ADVANCE = 5  # titles in a row that all come again, in the same order: they are listed, whatever stands over them
SPREAD = 3  # times as far apart when they come again: with their texts


def _titles_in_advance(blocks: Sequence[Block]) -> set[int]:
    """Short lines, one after the other, that come again in the same order with text between them."""
    first: dict[str, int] = {}
    again: dict[int, int] = {}
    for at, block in enumerate(blocks):
        name = _listed(block.text) if block.role is not Role.TABLE and len(block.text) < 2 * SENTENCE else ""
        if len(name) > 2 and first.setdefault(name, at) < at:
            again.setdefault(first[name], at)
    places: set[int] = set()
    run: list[int] = []
    for at in [*sorted(again), len(blocks) + 2]:
        if run and at - run[-1] > 1:
            places |= _in_advance(run, again)
            run = []
        run.append(at)
    return places


def _in_advance(run: Sequence[int], again: Mapping[int, int]) -> set[int]:
    """The places from the first to the last title of a list, if it is one."""
    later = [again[at] for at in run if again[at] > run[-1]]
    ordered = 1 + sum(one < other for one, other in pairwise(later))
    if len(later) < ADVANCE or ordered < MOST * len(run) or later[-1] - later[0] < SPREAD * (run[-1] - run[0]):
        return set()
    return set(range(run[0], run[-1] + 1))


MOST = 0.8  # of the titles of a list: one may have been misread


def _listed(text: str) -> str:
    """A title as the table of contents and its own page both have it."""
    return fold(_PAGE.sub("", text) if text.rstrip()[-1:].isdecimal() else text)


_PAGE = re.compile(r"[\s.…_]*\d{1,4}\s*$")
