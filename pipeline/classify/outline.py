"""The outline of a document: which blocks are heads, who stands under whom, and which heads are only labels.

One place makes headings. Looks (heads), numbers, bookmarks and what stands under a block (tree) speak for it; none
decides alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pipeline.classify.blocks import STOPS, part
from pipeline.classify.evidence import ENOUGH, SENTENCE, UNNAMED, Evidence
from pipeline.classify.grammar import Grammar
from pipeline.classify.heads import LABELLED, LARGE, LONG, TITLE_WORDS, TITLED, head_places, score
from pipeline.classify.numbers import Number, comes_next, may_begin, read_number
from pipeline.classify.tree import HeadType, Node, build
from pipeline.quick import quick_replace
from pipeline.records import Block, Role
from pipeline.text import flat, fold

# ---------------------------------------------------------------- blocks that hold several units


def cut_at_numbers(blocks: Sequence[Block], grammar: Grammar) -> list[Block]:
    """Units that were joined to one paragraph are cut apart where a line begins with the number that comes next."""
    cut_blocks: list[Block] = []
    last: Number | None = None
    unread: list[Block] = []  # that may begin with the last number: most are never asked
    for block in blocks:
        start = 0
        if block.role in TEXTS:
            unread.append(block)
        for at in block.breaks if block.role in TEXTS else ():
            number = read_number(block.text[at:], grammar) if may_begin(block.text, at) else None
            if number is None or not number.whole:
                continue
            last, unread = _last_number(unread, grammar) or last, []
            if last is None or not _is_next(last, number):
                continue
            cut_blocks.append(part(block, start, at))
            start, last = at, number
        cut_blocks.append(part(block, start) if start else block)
    return cut_blocks


def _last_number(blocks: Sequence[Block], grammar: Grammar) -> Number | None:
    numbers = (read_number(block.text, grammar) for block in reversed(blocks) if not block.marker)
    return next((number for number in numbers if number is not None and number.whole), None)


TEXTS = (Role.PARAGRAPH, Role.ITEM)


def _is_next(last: Number, number: Number) -> bool:
    """The one that comes next, printed alike."""
    return number.word == last.word and number.stop == last.stop and comes_next(last, number)


# ---------------------------------------------------------------- what it says of the blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The blocks as the outline sees them, and the nodes by the identity of their blocks."""

    blocks: list[Block]
    nodes: dict[int, Node]
    sizes: dict[int, float]  # of the text around each block
    marked: frozenset[int]  # blocks (ids) that begin with a marker of questions or answers
    captions: frozenset[int]  # blocks (ids) under pictures
    listed: frozenset[int]  # blocks (ids) of a table of contents
    front: frozenset[int]  # blocks (ids) of the title page
    furniture: tuple[Block, ...]  # running heads that only their words give away

    def node(self, block: Block) -> Node | None:
        return self.nodes.get(id(block))

    def body_size(self, block: Block) -> float:
        """The type size of the text around a block; 0 for what was made of several."""
        return self.sizes.get(id(block), 0.0)

    def number_end(self, block: Block) -> int:
        """Where the text behind the number of a unit begins; 0 for what has none."""
        node = self.node(block)
        return node.number.end if node is not None and node.number is not None else 0


COVERED = 0.6  # of all heads: what stands over most of them says what the document is, not where in it one is


def _cover(
    nodes: Sequence[Node], evidence: Sequence[Evidence], grammar: Grammar, text_on: Counter[int],
    front: Collection[int], promised: bool,
) -> set[int]:
    """Heads over most of the others, in a type that no other has: the title of the document, or lines of its cover.

    Where the title is known, such a head is one only straight under it, over numbers that begin with the first, on a
    page without text, or where heads before it do without one.
    """
    kinds: dict[HeadType, list[int]] = defaultdict(list)
    for node in nodes:
        kinds[node.type].append(node.at)
    under = Counter(above for node in nodes for above in node.above())
    lines = set()
    for node, count in under.items():
        places = kinds[node.type]
        alone = {*range(places[0], places[-1] + 1)} <= {*places, *front}
        named = grammar.section_name.search(flat(node.block.text)) or grammar.glossary.search(flat(node.block.text))
        numbered = any(each.number is not None and each.number.depth == 1 for each in node.children)
        bare = text_on[node.block.page] < ENOUGH
        stray = node.parent is None and node not in nodes[:LABELLED]  # it comes late: the heads before do without it
        beneath = _is_beneath(node, front, evidence) and not node.evidence.top and not promised
        covered = bare and node.block.page == 1 < nodes[-1].block.page  # the first page is a cover
        if not covered and (count < COVERED * len(nodes) or (front and not (numbered or bare or stray or beneath))):
            continue
        listed = node.evidence.depths[2] is not None  # a contents page does not list the title of its document
        if node.head and node.number is None and alone and not named and not listed:
            lines.add(node.at)
    return lines


def _cover_page(evidence: Sequence[Evidence], heads: Collection[int], text_on: Counter[int]) -> set[int]:
    """The heads of a first page that has next to no text: lines of a cover, unless a number or the file says else."""
    first = {at for at in heads if evidence[at].block.page == 1}
    if text_on[1] >= ENOUGH or not any(text_on[page] >= ENOUGH for page in text_on):
        return set()
    return {at for at in first if evidence[at].number is None and not evidence[at].named}


def _is_beneath(node: Node, front: Collection[int], evidence: Sequence[Evidence]) -> bool:
    """Does it stand straight under the title of the document; or in no larger type than the heads below it, with next
    to nothing between it and the title ("by", a day)?"""
    title = max((each for each in front if each < node.at), default=None)
    if title is None:
        return False
    between = sum(len(each.block.text) for each in evidence[title + 1 : node.at])
    small = all(each.block.size >= node.block.size for each in node.children)
    return title == node.at - 1 or (between < SENTENCE and small)


TWINS = 2  # other heads that look like the title of the document, each at the head of a page, over heads like its own


def _first_of_many(evidence: Sequence[Evidence], heads: Collection[int], front: set[int]) -> set[int]:
    """The title on the first page where it is the title of the first part alone: those of the others look like it."""
    tops: dict[tuple[float, bool], list[int]] = defaultdict(list)
    for at in sorted({*heads, *front}):
        tops[_size_and_weight(evidence[at])].append(at)
    for look, places in tops.items():
        twins = all(evidence[at].top for at in places) and len(places) > TWINS and places[0] in front
        if twins and not front & set(places[1:]) and evidence[places[0]].size >= LARGE:
            ends = (*places[1:], len(evidence))
            under = [{_size_and_weight(evidence[at]) for at in heads if start < at < end}
                     for start, end in zip(places, ends, strict=True)]  # fmt: skip
            if set.intersection(*under) and max(set.union(*under)) < look:
                return {places[0]}
    return set()


def _size_and_weight(each: Evidence) -> tuple[float, bool]:
    return round(each.block.size * 2) / 2, each.bold


PARTS = 3  # heads in one numbered unit: more are a list of their own, such as that of the terms of a glossary
DIVIDED = 1 / 3  # of the smallest numbered units: where more have heads in them, those are units, too


def _unnumbered_parts(nodes: Sequence[Node]) -> set[int]:
    """Heads without a number inside the smallest numbered units, where few of these have any: parts of the unit."""
    leaves = [node for node in nodes if node.number is not None and all(each.number is None for each in node.children)]
    divided = [node for node in leaves if any(each.head for each in node.children)]
    if len(leaves) < LABELLED or len(divided) > DIVIDED * len(leaves):
        return set()
    inside = {id(node) for node in divided if sum(each.head for each in node.children) <= PARTS}
    plain = [node for node in nodes if node.number is None and node.evidence.key is None]
    small = [node for node in plain if node.evidence.size < TITLED]
    return {node.at for node in small if not node.evidence.named
            and any(id(each) in inside and each.type < node.type for each in node.above())}  # fmt: skip


BARE = 5  # heads with nothing under them, one straight behind the other: as many levels no outline has


def _bare(evidence: Sequence[Evidence], heads: Collection[int]) -> set[int]:
    """Lines that look like heads in rows of many with no text between them: a title page, credits, a list of names.

    Those that stand over the text behind the row, each in larger type than the next, are heads.
    """
    bare: set[int] = set()
    row: list[Evidence] = []
    for each in evidence:
        if each.at in heads:
            row.append(each)
        elif row and not (each.block.centred and each.words <= 2 * TITLE_WORDS and each.end not in STOPS):
            while len(row) > 1 and row[-2].block.size > row[-1].block.size:
                row.pop()
            bare |= _plain(row[:-1])
            row = []
        below = evidence[each.at + 1 : each.at + 2]
        if not below or below[0].block.page != each.block.page:
            bare |= _plain(row)
            row = []
    return bare


def _plain(row: Sequence[Evidence]) -> set[int]:
    """What neither a number nor the file speaks for, if there is much of it in a row."""
    plain = {each.at for each in row if each.number is None and each.depths == UNNAMED}
    return plain if len(plain) >= BARE else set()


YEAR = 4  # figures: "2026 Open" numbers nothing
RUNNING = 4  # pages that begin with the same words, which are a third of all: they are a running head
HEADS = 3  # blocks of a page among which a running head stands


def _running(
    evidence: Sequence[Evidence], titles: set[str], furniture: Collection[tuple[str, int]], heads: Collection[int]
) -> set[int]:
    """What stands at the head of page after page, or says there the title of the document again, a numbered section
    that has begun before, or what is furniture on other pages."""
    known = {_unfigured(text) for text, _ in furniture} - {""}
    folios = {(_unfigured(text), number - page) for text, page in furniture for number in _figures(text)}
    edges = _edges(evidence)
    titled: dict[str, float] = defaultdict(float)  # the largest type of each title
    for at in heads:
        words, size = evidence[at].block.text, evidence[at].block.size
        both = [f"{words} {evidence[at + 1].block.text}"] if at + 1 in heads else []  # "Chapter 1" over its title
        for title in map(_bare_words, (words, *both)):
            titled[title] = max(titled[title], size)
    seen: set[str] = set()
    open_: dict[tuple[object, ...], str] = {}  # the last title of each large look
    again = set()
    for each in evidence:
        large = each.size >= LARGE and each.at in heads
        asked = (large or each.number is not None) and each.words <= TITLE_WORDS
        text = fold(each.block.text) if asked else ""
        outside = each.at in edges and each.at not in heads and _unfigured(each.block.text) in known
        outside = outside or (each.at in edges and any((_unfigured(each.block.text), number - each.block.page) in folios
                                                       for number in _figures(each.block.text)))  # fmt: skip
        begun = each.top and each.number is not None and text in seen
        if large and text:
            begun = begun or (each.top and open_.get(each.look) == text)  # the title of the page before: it goes on
            open_[each.look] = text
        forms = _unpaged(each.block.text) if each.top else ()
        again_small = any(titled.get(form, 0.0) > each.block.size for form in forms)
        if outside or begun or again_small:  # "1.6 A NEW TURN   3" over the title itself
            again.add(each.at)
        if each.number is not None and text and not each.listed:
            seen.add(text)
    begins: dict[int, list[Evidence]] = defaultdict(list)
    for each in evidence:
        if len(begins[each.block.page]) < HEADS:
            begins[each.block.page].append(each)
    pages: dict[str, list[int]] = defaultdict(list)
    for alike in begins.values():
        for each in alike:
            if each.words <= TITLE_WORDS and each.block.role is not Role.TABLE and each.number is None:
                pages[fold(each.block.text)].append(each.at)
    counts = [(each, int(each.block.text) - each.block.page) for each in evidence if _is_page_number(each)]
    offsets = {(offset, each.block.page) for each, offset in counts}
    numbered = {each.at for each, offset in counts
                if {(offset, each.block.page - 1), (offset, each.block.page + 1)} & offsets}  # fmt: skip
    least = max(RUNNING, len(begins) / 3)
    returning = {at for text, places in pages.items() if len(places) >= least and text for at in places}
    own = {alike[0].at for alike in begins.values() if alike[0].number is None and fold(alike[0].block.text) in titles}
    return returning | numbered | again | own


def _edges(evidence: Sequence[Evidence]) -> set[int]:
    """The first two and the last two blocks of each page."""
    pages: dict[int, list[int]] = defaultdict(list)
    for each in evidence:
        pages[each.block.page].append(each.at)
    return {at for places in pages.values() for at in (*places[:2], *places[-2:])}


def _unfigured(text: str) -> str:
    """A line of furniture without its figures: those of pages differ."""
    return re.sub(r"\d+", "#", fold(text)) if len(text) < LONG else ""


def _unpaged(text: str) -> tuple[str, ...]:
    """A short line, with and without the number of its page before or behind it, and a word before a number."""
    forms = [_bare_words(page.sub("", text, count=1)) for page in PAGES] if len(text) < LONG else []
    return (*forms, *(form.partition(" ")[2] for form in forms if form.partition(" ")[2][:1].isdecimal()))


def _bare_words(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))


PAGES = (re.compile("$"), re.compile(r"^\d{1,3}\s+"), re.compile(r"\s+\d{1,3}$"))


def _figures(text: str) -> list[int]:
    """The numbers that a short line begins and ends with: one of them may be that of its page."""
    figures = [word for word in (text.split() or [""])[:: max(1, len(text.split()) - 1)] if word.isdecimal()]
    return [int(word) for word in figures if len(word) < 4] if len(text) < LONG else []


def _is_page_number(each: Evidence) -> bool:
    """A figure alone: it counts the pages where it goes on with them."""
    return each.block.text.isdecimal() and len(each.block.text) < 4 and each.block.role is not Role.TABLE


_as = quick_replace(Block, "role", "level")


def outline(
    evidence: Sequence[Evidence], front: set[int], names: Collection[str], furniture: Collection[tuple[str, int]],
    grammar: Grammar,
) -> Outline:
    """The heads with their depth as level; what only looked like one is a paragraph. The title page is no part."""
    heads = head_places(evidence)
    numbers = {at: number for at in heads if (number := evidence[at].number) is not None}
    counted_from = min((at for at, number in numbers.items() if len(number.text) < YEAR), default=len(evidence))
    front = {at for at in front if at < counted_from}  # a title page has no numbers before it
    parted = _first_of_many(evidence, heads, front)
    front = title_page = front - parted
    titles = {fold(evidence[at].block.text) for at in front} | {fold(name) for name in names}
    titles -= {fold(evidence[at].block.text) for at in parted}
    text_on: Counter[int] = Counter()  # letters of text on each page
    for each in evidence:
        text_on[each.block.page] += len(each.block.text) * (each.at not in heads)
    front = title_page = front | _cover_page(evidence, heads, text_on)
    running = _running(evidence, titles, furniture, heads) - front
    heads = heads - _bare(evidence, heads - running)
    if running:  # what they are numbered with counts nothing
        evidence = [replace(each, number=None) if each.at in running else each for each in evidence]
    above = 1 if front else 0
    made_of = build(evidence, heads - front - running, front, grammar)
    promised = any(grammar.section_name.search(title) for title in map(flat, names))  # "Errata": under it stands a book
    while cover := _cover(made_of, evidence, grammar, text_on, front, promised):
        front = front | cover
        made_of = build(evidence, heads - front - running, front, grammar)
    if parts := _unnumbered_parts(made_of):
        heads = heads - parts
        made_of = build(evidence, heads - front - running, front, grammar)
    nodes = {node.at: node for node in made_of}
    for unit in made_of:
        unit.score = score(unit.evidence, evidence)
    outlined: list[Block] = []
    nodes_of: dict[int, Node] = {}
    sizes: dict[int, float] = {}
    marked: set[int] = set()
    captions: set[int] = set()
    listed: set[int] = set()
    titled: set[int] = set()
    for each in evidence:
        block, node, badge = each.block, nodes.get(each.at), each.block.badge
        behind = each.number.end if each.number else 0  # a title may stand far behind its number
        badge = badge if behind < badge < len(block.text) else 0
        if each.at in running:
            continue
        if each.at not in front:
            if node is not None and node.head:
                title = part(block, 0, badge) if badge else block
                block = _as(title, role=Role.HEADING, level=above + node.depth)
            elif block.role is Role.HEADING:
                block = _as(block, role=Role.PARAGRAPH, level=0)
        if node is not None:
            nodes_of[id(block)] = node
        outlined.append(block)
        if each.marked:
            marked.add(id(block))
        if each.caption:
            captions.add(id(block))
        if each.listed:
            listed.add(id(block))
        if each.at in title_page:
            titled.add(id(block))
        sizes[id(block)] = block.size / each.size if each.size else 0.0
        if badge and block.role is Role.HEADING and node is not None:
            outlined.append(part(each.block, badge))
    heads_running = tuple(evidence[at].block for at in sorted(running))
    return Outline(blocks=outlined, nodes=nodes_of, sizes=sizes, marked=frozenset(marked), captions=frozenset(captions),
                   listed=frozenset(listed), front=frozenset(titled), furniture=heads_running)
