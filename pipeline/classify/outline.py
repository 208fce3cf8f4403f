"""The outline of a document: which blocks are heads, who stands under whom, and which heads are only labels.

One place makes headings. Looks, numbers, bookmarks and what stands under a block speak for it; none decides alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pipeline.classify.blocks import part
from pipeline.classify.evidence import ENOUGH, Evidence
from pipeline.classify.grammar import Grammar
from pipeline.classify.numbers import (
    Counted,
    Number,
    counted,
    follows,
    is_first,
    is_under,
    may_begin,
    read_number,
    runs_through,
)
from pipeline.records import Block, Role, Text
from pipeline.text import cut, flat, fold, trim

LINES_MAX = 4  # of a head
LONG = 160  # letters: what is longer than two lines of a page is a sentence
TITLE_WORDS = 12  # of a title that only its number tells from text
STOPS = frozenset(".;,")
ASKING = frozenset("?!")
BADGE = 12  # letters of all that stands in the box of a cost (“1CP”, “2 gold”)
CLOSE = 0.25  # lines of white: less is none
PULLED = re.compile(r"[«“„\"].*[.!?…]\s?[»”“\"]$")  # a sentence of the text, printed again in larger type
# "Placement. The server …": a sentence of capitalised words before the text
RUN_IN = re.compile(
    r"(?P<title>(?:[A-ZÀ-Þ0-9][^\s.:;!?]*|[a-z]{1,3}|[(/&–-][^\s.]*)"
    r"(?:[ /](?:[A-ZÀ-Þ0-9(][^\s.:;!?]*|[a-z]{1,3}|&)){0,5})\.\s+(?=[A-ZÀ-Þ(“\"])"
)
LABEL_WORDS = 2  # of what stands before a colon in a line of its own
LABELLED = 3  # heads under which a label returns


@dataclass(slots=True, eq=False)
class Node:
    """A head, or a paragraph that its number makes a unit."""

    evidence: Evidence
    number: Number | None = None
    head: bool = False  # it looks like one: what it says is a title
    over: frozenset[tuple[float, bool, bool, bool, bool]] = frozenset()  # larger types straight under its own
    lone: bool = False  # no other head has its type, and no number or bookmark speaks for it
    begun: int = 0  # the place of the first head of its type
    alike: Sequence[int] = ()  # the places of the heads of its type
    until: int = 0  # the last place where a number goes on its sequence, or stands under it
    tops: bool = False  # heads of its type begin pages, each one of its own
    lists: bool | None = False  # "Cards" straight over heads of its type: they stand under it; None: a contents page
    told: bool = False  # it has text of its own
    preamble: bool = False  # it is called so, or an introduction
    titled: bool = False  # a few words behind its number, with text under them: they are a title, too
    type: tuple[float, bool, bool, bool, bool] = (0.0, True, True, True, True)
    score: float = 0.0  # what speaks for a head
    margin: float | None = None  # how much more speaks against the next best parent
    other: str = ""  # the text of that
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def at(self) -> int:
        return self.evidence.at

    @property
    def block(self) -> Block:
        return self.evidence.block

    @property
    def depth(self) -> int:
        return 1 + (self.parent.depth if self.parent else 0)

    def above(self) -> list[Node]:
        """Its parents, the outermost first."""
        return [*self.parent.above(), self.parent] if self.parent else []


# ---------------------------------------------------------------- heads by their look


def head_places(evidence: Sequence[Evidence]) -> set[int]:
    """The blocks that look like heads: those of one look are judged together, and one of them leaves the others only
    against strong evidence."""
    scores = {each.at: _score(each, evidence) for each in evidence if _may_be_head(each)}
    classes: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for at in scores:
        if evidence[at].end not in ASKING or scores[at] > 0.5:  # a sentence that asks has another role than its look
            classes[evidence[at].look].append(at)
    found: set[int] = set()
    for members in classes.values():
        likely = [at for at in members if scores[at] > 0.5]
        mean = sum(scores[at] for at in likely) / max(1, len(likely))
        least = 2.0 if 3 * len(likely) >= len(members) else 4.0
        found.update(at for at in likely if scores[at] >= least or scores[at] + mean >= 2 * least)
    weak = {at for at in found if _is_weak(evidence[at])}
    return found - weak if len(found) - len(weak) >= LABELLED else found


def _is_weak(each: Evidence) -> bool:
    """Nothing but its capitals speaks for it: no head where others are bold or larger."""
    painted = each.bold or each.coloured or each.underlined or each.block.italic or each.block.fill
    named = each.named or each.number is not None or each.key is not None
    return not painted and not named and each.size < 1.03


def _may_be_head(each: Evidence) -> bool:
    block = each.block
    if block.role in (Role.TABLE, Role.NOTE) or (block.role is Role.ITEM and each.number is None):
        return False
    costs = block.region and each.boxed <= BADGE and each.times >= LABELLED and any(map(str.isdecimal, block.text))
    if each.marked or each.listed or each.caption or PULLED.match(block.text) or costs:
        return False
    lettered = sum(map(str.isalpha, block.text)) >= 2 or block.role is Role.HEADING  # a letter of an alphabet
    return len(block.breaks) < LINES_MAX and len(block.text) <= 2 * LONG and lettered


def _score(each: Evidence, evidence: Sequence[Evidence]) -> float:
    """How much speaks for a head: two and more is one."""
    block, score = each.block, 0.0
    score += 3.0 if each.size >= 1.3 else 2.5 if each.size >= 1.1 else 0.5 if each.size >= 1.03 else 0.0
    score -= 2.0 if each.size < 0.9 else 0.0
    score += 2.0 if each.bold else 0.0
    score += 2.0 if each.capitals and sum(map(str.isalpha, block.text)) >= 4 else 0.0
    score += 1.0 if each.coloured else 0.0
    score += 1.0 if block.italic else 0.0
    score += 2.0 if each.underlined else 0.0
    score += 2.0 if each.depths[0] is not None or each.depths[2] is not None else 1.0 if each.named else 0.0
    score += 0.5 if block.fill else 0.0
    score += 2.0 if each.key is not None else 0.0
    score -= 2.5 if each.end in STOPS or (each.end in ASKING and each.size < 1.1) else 0.0
    if each.end == ":" and not each.bold:
        score -= 0.5 if each.words > LABEL_WORDS or each.size >= 1.1 else 1.5  # "QUESTION:", "ACTION:"
    score -= 2.0 if block.text[:1].islower() else 0.0
    score -= 1.5 if each.at and _is_line_of_type(each, evidence[each.at - 1]) else 0.0
    score -= 2.0 if each.at and each.size < 1.1 and _announces(evidence[each.at - 1], each) else 0.0
    long = each.words > TITLE_WORDS
    shouted = long and each.capitals and each.size < 1.1
    score -= 3.0 if len(block.text) > LONG else 2.0 if shouted else 1.0 if long else 0.0
    return score


def _announces(above: Evidence, each: Evidence) -> bool:
    """A sentence that ends with a colon, over a line that is set in: what it announces is no heading."""
    inside = above.block.page == each.block.page and each.block.indent > above.block.indent + INDENTED
    return inside and above.end == ":" and above.words > LABEL_WORDS and each.number is None


def _is_line_of_type(each: Evidence, above: Evidence) -> bool:
    """Straight under a name in bold or larger type, with no white between: what sort of card it is, no heading."""
    named = not above.block.breaks and (above.bold or above.size >= 1.1) and above.block.page == each.block.page
    return named and not each.bold and each.size < 1.03 and each.block.gap < CLOSE


# ---------------------------------------------------------------- blocks that hold several units


def cut_at_numbers(blocks: Sequence[Block], grammar: Grammar) -> list[Block]:
    """Units that were joined to one paragraph are cut apart where a line begins with the number that comes next."""
    made: list[Block] = []
    last: Number | None = None
    for block in blocks:
        number = read_number(block.text, grammar) if block.role in TEXTS and not block.marker else None
        last = number if number is not None and number.whole else last
        start = 0
        for at in block.breaks if block.role in TEXTS else ():
            found = read_number(block.text[at:], grammar) if may_begin(block.text, at) else None
            if last is None or found is None or not found.whole or not _comes_next(last, found):
                continue
            made.append(part(block, start, at))
            start, last = at, found
        made.append(part(block, start) if start else block)
    return made


TEXTS = (Role.PARAGRAPH, Role.ITEM)


def _comes_next(last: Number, number: Number) -> bool:
    """The next of the same depth, the first under it, or the next after one that it stands under; printed alike."""
    if number.word != last.word or number.stop != last.stop:
        return False
    up = (replace(last, parts=last.parts[:depth]) for depth in range(last.depth, 1, -1))
    return any(follows(each, number, 1) for each in up) or (is_under(number, last) and is_first(number))


# ---------------------------------------------------------------- the tree


def build(evidence: Sequence[Evidence], heads: set[int], front: Collection[int], grammar: Grammar) -> list[Node]:
    """The nodes in reading order, each with its parent."""
    nodes = _nodes(evidence, heads)
    labels = _labels(nodes) | _captions(nodes, evidence)
    nodes = [node for node in nodes if node.at not in labels]
    for node, below in pairwise(nodes):
        named = grammar.subjects.fullmatch(flat(node.block.text.strip())) is not None
        node.lists = named and node.head and below.at == node.at + 1
    for node in nodes:
        title = flat(node.block.text.strip())
        node.preamble = grammar.introduction.fullmatch(title) is not None
        if grammar.contents.fullmatch(title):
            node.lists = None  # a table of contents: nothing stands under it
    _nest(nodes, sorted(front))
    return nodes


def _nodes(evidence: Sequence[Evidence], heads: set[int]) -> list[Node]:
    numbers = [
        Counted(at=each.at, number=each.number, look=each.look, head=each.at in heads,
                led=each.number.end < each.lead < len(each.block.text.rstrip()))
        for each in evidence
        if each.number is not None and not each.listed
    ]
    numbers = [n for n in numbers if n.head or n.number.depth > 1 or not n.number.word or not _begin_anew(n, numbers)]
    whole, single = [n for n in numbers if n.number.whole], [n for n in numbers if not n.number.whole]
    kept = counted([n for n in single if n.head]) | _opened(single, whole)
    kept |= counted(whole, frozenset(n.number.parts for n in numbers if n.at in kept))
    kept |= _opened(whole, [n for n in whole if n.at in kept]) | {n.at for n in numbers if n.head and n.number.word}
    led = [n for n in single if n.led and not n.head and n.number.parts[0].isdecimal()]
    kept |= _titled_items(led, sorted(heads))
    plain = [n for n in single if not n.head and n.number.parts[0].isdecimal()]
    if runs_through(plain, sorted(heads)):
        kept |= counted(plain)
    made = []
    for each in evidence:
        number = each.number if each.at in kept else None
        if each.at in heads or number is not None:
            made.append(Node(evidence=each, number=number, head=each.at in heads))
    for node, below in zip(made, [*made[1:], None], strict=False):
        node.titled = node.head or _is_titled(node, below, evidence)
        node.told = node.at + 1 < (below.at if below is not None else len(evidence))
    return made


def _begin_anew(one: Counted, numbers: Sequence[Counted]) -> bool:
    """ "§ 1" under "Article 4", in plain type: a paragraph of it, unless its numbers run on through the others."""
    own = [n for n in numbers if n.number.word == one.number.word and not n.head and n.number.depth == 1]
    others = [n.at for n in numbers if n.head and n.number.word and n.number.word != one.number.word]
    titled = any(n.head for n in numbers if n.number.word == one.number.word and n.number.depth == 1)
    return not titled and any(at < one.at for at in others) and not runs_through(own, others, 1)


def _titled_items(items: Sequence[Counted], heads: Sequence[int]) -> frozenset[int]:
    """ "1. **Entry.** …", "2. **Gear.** …": rules where there is but one such list, straight under its head or as most
    of the document; steps begin anew each time, or stand under one head among others, behind a text that names them."""
    places = counted(items)
    begun = sum(is_first(each.number) for each in items)
    if len(places) < LABELLED or begun != 1:
        return frozenset()
    first, last = min(places), max(places)
    inside = any(first < head < last for head in heads)
    return places if inside or first - 1 in heads or len(heads) < len(places) else frozenset()


def _opened(numbers: Sequence[Counted], whole: Sequence[Counted]) -> frozenset[int]:
    """The headings with one number that a longer one goes on: "2 Racing" or "Section 2" over "2.1"."""
    found = set()
    for each in numbers:
        below = next((n for n in whole if n.at > each.at), None)
        opens = (each.head or each.led) and each.number.depth == 1
        if opens and below is not None and is_under(below.number, each.number):
            found.add(each.at)
    return frozenset(found)


def _is_titled(node: Node, below: Node | None, evidence: Sequence[Evidence]) -> bool:
    """ "B1.10.1 Reporting": a few words that are no sentence, with text or a deeper number under them."""
    each, number = node.evidence, node.number
    words = each.block.text[number.end :].strip() if number else ""
    told = each.end in STOPS and not each.bold and len(words.split()) > LABEL_WORDS
    if not words or told or each.end == ":" or each.block.breaks or not words[:1].isupper():
        return False
    follows_text = each.at + 1 < len(evidence) and (below is None or below.at > each.at + 1)
    deeper = below is not None and below.number is not None and number is not None and is_under(below.number, number)
    return len(words.split()) <= TITLE_WORDS and (follows_text or deeper)


def _nest(nodes: Sequence[Node], titles: Sequence[int]) -> None:
    """Each node under the one that the least speaks against; a number may stand under one that was closed meanwhile.

    A title of the document closes all.
    """
    stack: list[Node] = []
    numbered: dict[tuple[str, ...], Node] = {}
    for node, own in _types(nodes).items():
        node.type = own
    for node, below in pairwise(nodes):
        if node.lists:
            node.lists = node.type == below.type
    _find_ends(nodes)
    first = {node.block.page: node.at for node in reversed(nodes)}
    tops = Counter(node.type for node in nodes if node.head and first[node.block.page] == node.at and node.evidence.top)
    times = Counter(node.type for node in nodes if node.head)
    alike: dict[_Type, list[int]] = defaultdict(list)
    for node in nodes:
        alike[node.type].append(node.at)
    for node in nodes:
        node.alike = alike[node.type]
        node.begun = node.alike[0]
        inside = first[node.block.page] != node.at  # what begins a page may begin a part
        node.lone = inside and times[node.type] == 1 and node.number is None and not node.evidence.named
        node.tops = tops[node.type] >= LABELLED and tops[node.type] >= TOPS * times[node.type]
    straight = Counter((one.type, two.type) for one, two in pairwise(nodes) if one.head and two.head
                       and one.at + 1 == two.at and one.number is two.number is None and one.block.region)  # fmt: skip
    for node in nodes:
        node.over = frozenset(two for (one, two), count in straight.items() if one == node.type and two < one
                              and two[0] >= BANNER * one[0] and count > straight[two, one])  # fmt: skip
    for before, node in zip([None, *nodes], nodes, strict=False):
        if before is not None and any(before.at < at < node.at for at in titles):
            stack = []
        if stack and stack[-1].lists is None:
            stack.pop()
        paths = [stack[:depth] for depth in range(len(stack), -1, -1)]
        above = numbered.get(node.number.parts[:-1]) if node.number is not None and node.number.depth > 1 else None
        if above is not None and above not in stack:
            paths.append([*above.above(), above])
        costs = [_cost(node, path, stack) for path in paths]
        path = paths[costs.index(min(costs))]
        if len(paths) > 1:
            cost, other = sorted(zip(costs, range(len(paths)), strict=True))[1]
            node.margin, node.other = cost - min(costs), str(paths[other][-1].block.text) if paths[other] else ""
        node.parent = path[-1] if path else None
        if node.parent:
            node.parent.children.append(node)
        stack = [*path, node]
        if node.number is not None:
            numbered[node.number.parts] = node


def _find_ends(nodes: Sequence[Node]) -> None:
    """For each number where its sequence ends."""
    last: dict[tuple[str, tuple[str, ...]], int] = {}
    for node in reversed(nodes):
        if node.number is None:
            continue
        parts = node.number.parts
        node.until = last.get((node.number.word, parts[:-1]), node.at)
        last.setdefault((node.number.word, parts[:-1]), node.at)


def _cost(node: Node, path: Sequence[Node], stack: Sequence[Node]) -> float:
    """What speaks against this path; the nodes of the stack that are not in it would be closed."""
    parent = path[-1] if path else None
    closed = [each for each in stack if each not in path]
    reopened = 0.5 if parent is not None and parent not in stack else 0.0
    return (
        reopened
        + _number_cost(node, parent, closed)
        + _type_cost(node, parent, closed)
        + _declared_cost(node, parent, closed)
        + _place_cost(node, parent, closed)
    )


RESUMED = 3.0  # what it costs to close a number that others of its sequence go on behind: what has none stands under it


def _number_cost(node: Node, parent: Node | None, closed: Sequence[Node]) -> float:
    number, cost = node.number, 0.0
    if number is None:
        broken = [each for each in closed if each.until > node.at and not _outranks(node, each)]
        return RESUMED * len(broken)
    if parent is not None and parent.number is not None:
        if is_under(number, parent.number) and number.inserted and node.head and node.type == parent.type:
            cost += 4.0  # "§ 6a" in the type of "§ 6" stands beside it
        elif is_under(number, parent.number):
            cost -= 3.0 if number.depth == parent.number.depth + 1 else 2.0
        elif number.depth > 1 and parent.number.depth > 1 and not number.word:
            cost += 3.0
        elif follows(parent.number, number):
            cost += 4.0
    if _opens(node, number, parent):
        cost += OPENING
    if _goes_deeper(node, number, parent):
        cost -= 3.0
    others = closed[1:] if number.inserted else closed  # "6a" may close "6", which it then stands beside
    if any(each.number is not None and is_under(number, each.number) for each in others):
        cost += 3.0
    if closed and closed[0].number is not None and follows(closed[0].number, number):
        cost -= 3.0
    return cost


OPENING = 3.0  # what it costs to stand under a preamble: a head with text of its own before the first number


def _opens(node: Node, number: Number, parent: Node | None) -> bool:
    """Would the first of a sequence stand under the text before it, though no head like that comes among the others?"""
    if parent is None or parent.number is not None or not parent.told or number.depth > 1 or not is_first(number):
        return False
    return parent.preamble and not any(node.at < at < node.until for at in parent.alike)


def _goes_deeper(node: Node, number: Number, parent: Node | None) -> bool:
    """ "1." in the type of "A." before it begins what stands under that: it goes on no other sequence."""
    if parent is None or parent.number is None or not (node.head and parent.head) or number.depth > 1:
        return False
    above = parent.number
    alike = above.depth == 1 and above.word == number.word and above.text.isalpha() != number.text.isalpha()
    return alike and is_first(number) and node.type == parent.type and node.until < parent.until


_Type = tuple[float, bool, bool, bool, bool]


def _types(nodes: Sequence[Node]) -> dict[Node, _Type]:
    """The type of each head, larger first, then capitals, weight, colour; upright before italic; plain text last.

    Capitals make a type of their own only where a head like them, but without, stands straight under one.
    """
    full = {node: _type(node) for node in nodes}
    nested = {below for (one, above), (two, below) in pairwise(full.items()) if one.at + 1 == two.at
              and (above[0], above[2:]) == (below[0], below[2:]) and (above[1], below[1]) == (False, True)}  # fmt: skip
    return {node: own if (own[0], True, *own[2:]) in nested else (own[0], True, *own[2:]) for node, own in full.items()}


def _type(node: Node) -> _Type:
    each, block = node.evidence, node.block
    if not node.head or len(block.text) == 1:  # a letter of an alphabet, however large
        return (0.0, True, True, True, True)
    return (-round(block.size * 2) / 2, not each.capitals, not each.bold, not each.coloured, block.italic)


def _type_cost(node: Node, parent: Node | None, closed: Sequence[Node]) -> float:
    if not node.head:
        return 0.5 * len([each for each in closed if each.head]) if node.number is None else 0.0
    own, cost = node.type, 0.0
    key = node.evidence.key if node.number is None else None
    if key is not None:
        if closed and (before := closed[0].evidence.key) is not None and follows(before, key):
            return -2.0  # "Step 2" beside "Step 1"
        if parent is not None and parent.head and parent.type == own and is_first(key) and parent.evidence.key is None:
            return 0.0 if not closed else 1.0  # "Step 1" under the head before it, though in the same type
    if node.tops and not node.evidence.named and node.number is None:
        cost += 3.0 if parent is not None else 0.0
        closed = [each for each in closed if each.block.page == node.block.page]
    if parent is not None and parent.head:
        cost += 0.0 if _outranks(parent, node) else 1.5 if parent.type == own else 2.5
        cost += STRAY if parent.lone and node.begun < parent.at else 0.0
    elif parent is not None:
        cost += 3.0
    for each in closed:
        cost += 1.5 if each.head and _outranks(each, node) else 0.0
        straight = each.head and each.at + 1 == node.at and each.number is None
        cost += EMPTY if straight and node.block.size < KICKER * each.block.size else 0.0
    if closed and closed[0].head and closed[0].type == own:
        cost -= 1.0
    return cost


STRAY = 2.0  # what it costs to stand under the only head of its type, where heads of one's own stood before it
KICKER = 1.25  # times the small line over a title: it is no head over it
EMPTY = 1.5  # what a head costs that has nothing under it: it is over the head that follows


def _outranks(above: Node, below: Node) -> bool:
    """In larger type, or over such heads elsewhere: in a band, or where a list of cards has the type of the cards."""
    if above.type == below.type:
        return bool(above.lists)
    return (above.type < below.type or below.type in above.over) and above.type not in below.over


def _declared_cost(node: Node, parent: Node | None, closed: Sequence[Node]) -> float:
    """What the bookmarks say of who stands under whom; of what they do not name the tags, else the contents page."""
    at = next((at for at, own in enumerate(node.evidence.depths) if own is not None), None)
    return _depth_cost(at, node, parent, closed) if at is not None else 0.0


def _depth_cost(at: int, node: Node, parent: Node | None, closed: Sequence[Node]) -> float:
    own = node.evidence.depths[at]
    if own is None or own < 0:
        return 0.0
    cost, above = 0.0, parent.evidence.depths[at] if parent else -1
    if above is not None:
        cost += 2.0 if above >= own else -1.0 if above == own - 1 else 0.0
    depths = (each.evidence.depths[at] for each in closed)
    return cost + sum(1.5 for depth in depths if depth is not None and depth < own)


TOPS = 0.8  # of the heads of a type begin a page: so does each of them, or nearly
BANNER = 1.5  # times the heads under it: a title in a box that large is no title of a sidebar
INDENTED = 9.0  # points: an indentation that the eye takes for one


def _place_cost(node: Node, parent: Node | None, closed: Sequence[Node]) -> float:
    """The title of a box governs nothing behind it; what is indented under a head stands under it."""
    cost = 0.0
    if parent is not None:
        boxed = parent.block.region if parent.evidence.boxed > len(parent.block.text) else 0  # else a band
        banner = parent.block.size >= BANNER * node.block.size
        counted_on = node.number is not None and parent.number is not None and is_under(node.number, parent.number)
        cost += 4.0 if boxed and node.block.region != boxed and not banner and not counted_on else 0.0
        cost += 1.0 if parent.head and node.head and node.block.indent < parent.block.indent - INDENTED else 0.0
    if closed and closed[0].head and node.block.indent > closed[0].block.indent + INDENTED and not node.block.centred:
        cost += 1.0
    return cost


# ---------------------------------------------------------------- labels


def _labels(nodes: Sequence[Node]) -> set[int]:
    """Heads whose words return under many numbers ("Definition", "Examples"): parts of the rules that they stand in."""
    under: dict[str, set[int]] = defaultdict(set)
    over: Counter[str] = Counter()  # heads, not text
    last = -1
    for node, below in zip(nodes, [*nodes[1:], None], strict=False):
        if node.number is not None:
            last = node.at
        elif node.head and last >= 0:
            under[fold(node.block.text)].add(last)
            over[fold(node.block.text)] += below is not None and below.at == node.at + 1
    labels = {text for text, homes in under.items() if len(homes) >= LABELLED and 2 * over[text] < len(homes)}
    labels |= {text for text in under if text[:-1] in labels or text in {label[:-1] for label in labels}}  # "Example"
    lines = Counter(fold(two.block.text) for one, two in pairwise(nodes) if two.at == one.at + 1 and two.number is None
                    and two.evidence.size < 1)  # fmt: skip
    labels |= {text for text, count in lines.items() if count >= LABELLED}
    return {node.at for node in nodes if node.number is None and fold(node.block.text) in labels}


TOLD = 12  # letters: what has less under it, and no sentence, is a label in a diagram


def _captions(nodes: Sequence[Node], evidence: Sequence[Evidence]) -> set[int]:
    """Small heads with next to nothing under them: labels in a diagram, not titles."""
    found = set()
    ends = [node.at for node in nodes[1:]] + [len(evidence)]
    for node, end in zip(nodes, ends, strict=False):
        below = [each.block for each in evidence[node.at + 1 : end]]
        letters = sum(len(block.text) for block in below)
        small = node.head and node.number is None and not node.evidence.named and node.evidence.size < 1.25
        said = any(block.role is not Role.PARAGRAPH or block.text.rstrip()[-1:] in ".!?:" for block in below)
        if small and below and letters < TOLD and not said:
            found.add(node.at)
    return found


def _goes_on(text: str, end: int) -> bool:
    """Does the sentence that began in bold go on behind it? "**A strike** is called when …" has no title."""
    return text[end:].lstrip()[:1].islower() and text[:end].rstrip()[-1:].isalnum()


def title_and_body(node: Node, text: Text) -> tuple[Text, Text]:
    """What of a numbered unit is its title, and what of its body stands in the same block."""
    number, each = node.number, node.evidence
    start = number.end if number else 0
    if node.head:
        return trim(cut(text, start)), Text()
    if start < each.lead < len(text.rstrip()) and not _goes_on(text, each.lead):
        return trim(cut(text, start, each.lead)), trim(cut(text, each.lead))
    if node.titled:
        return trim(cut(text, start)), Text()
    if found := RUN_IN.match(text, start):
        return trim(cut(text, start, found.end("title"))), trim(cut(text, found.end()))
    return Text(), trim(cut(text, start))


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


def _cover(nodes: Sequence[Node], grammar: Grammar, told: Counter[int], front: Collection[int]) -> set[int]:
    """Heads over most of the others, in a type that no other has: the title of the document, or lines of its cover.

    Where the title is known, such a head is one only over numbers that begin with the first, or on a page without text.
    """
    kinds: dict[_Type, list[int]] = defaultdict(list)
    for node in nodes:
        kinds[node.type].append(node.at)
    under = Counter(above for node in nodes for above in node.above())
    found = set()
    for node, count in under.items():
        places = kinds[node.type]
        alone = places[-1] - places[0] < len(places)
        named = grammar.section_name.search(flat(node.block.text)) or grammar.glossary.search(flat(node.block.text))
        numbered = any(each.number is not None and each.number.depth == 1 for each in node.children)
        bare = told[node.block.page] < ENOUGH
        if count < COVERED * len(nodes) or (front and not numbered and not bare):
            continue
        if node.head and node.number is None and alone and not named:
            found.add(node.at)
    return found


TITLED = 1.1  # times the text around it: a title whatever stands over it
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


YEAR = 4  # figures: "2026 Open" numbers nothing
LARGE = 1.3  # times the text around it: a title, and no label
RUNNING = 4  # pages that begin with the same words, which are a third of all: they are a running head
HEADS = 3  # blocks of a page among which a running head stands


def _running(
    evidence: Sequence[Evidence], titles: set[str], furniture: Collection[str], heads: Collection[int]
) -> set[int]:
    """What stands at the head of page after page, or says there the title of the document again, a numbered section
    that has begun before, or what is furniture on other pages."""
    known = {_unfigured(text) for text in furniture} - {""}
    edges = _edges(evidence)
    seen: set[str] = set()
    open_: dict[tuple[object, ...], str] = {}  # the last title of each large look
    again = set()
    for each in evidence:
        text = fold(each.block.text) if each.words <= TITLE_WORDS else ""
        outside = each.at in edges and each.at not in heads and _unfigured(each.block.text) in known
        begun = each.top and each.number is not None and text in seen
        if each.size >= LARGE and text and each.at in heads:
            begun = begun or (each.top and open_.get(each.look) == text)  # the title of the page before: it goes on
            open_[each.look] = text
        if outside or begun:
            again.add(each.at)
        if each.number is not None and text and not each.listed:
            seen.add(text)
    begins: dict[int, list[Evidence]] = defaultdict(list)
    for each in evidence:
        if len(begins[each.block.page]) < HEADS:
            begins[each.block.page].append(each)
    pages: dict[str, list[int]] = defaultdict(list)
    for held in begins.values():
        for each in held:
            if each.words <= TITLE_WORDS and each.block.role is not Role.TABLE and each.number is None:
                pages[fold(each.block.text)].append(each.at)
    counts = [(each, int(each.block.text) - each.block.page) for each in evidence if _is_page_number(each)]
    offsets = {(offset, each.block.page) for each, offset in counts}
    numbered = {each.at for each, offset in counts
                if {(offset, each.block.page - 1), (offset, each.block.page + 1)} & offsets}  # fmt: skip
    least = max(RUNNING, len(begins) / 3)
    found = {at for text, places in pages.items() if len(places) >= least and text for at in places}
    return found | numbered | again | {held[0].at for held in begins.values() if fold(held[0].block.text) in titles}


def _edges(evidence: Sequence[Evidence]) -> set[int]:
    """The first two and the last two blocks of each page."""
    pages: dict[int, list[int]] = defaultdict(list)
    for each in evidence:
        pages[each.block.page].append(each.at)
    return {at for places in pages.values() for at in (*places[:2], *places[-2:])}


def _unfigured(text: str) -> str:
    """A line of furniture without its figures: those of pages differ."""
    return re.sub(r"\d+", "#", fold(text)) if len(text) < LONG else ""


def _is_page_number(each: Evidence) -> bool:
    """A figure alone: it counts the pages where it goes on with them."""
    return each.block.text.isdecimal() and len(each.block.text) < 4 and each.block.role is not Role.TABLE


def outline(
    evidence: Sequence[Evidence], front: set[int], names: Collection[str], furniture: Collection[str], grammar: Grammar
) -> Outline:
    """The heads with their depth as level; what only looked like one is a paragraph. The title page is no part."""
    heads = head_places(evidence)
    numbers = {at: number for at in heads if (number := evidence[at].number) is not None}
    counted_from = min((at for at, number in numbers.items() if len(number.text) < YEAR), default=len(evidence))
    front = {at for at in front if at < counted_from}  # a title page has no numbers before it
    titles = {fold(evidence[at].block.text) for at in front} | {fold(name) for name in names}
    running = _running(evidence, titles, furniture, heads) - front
    above = 1 if front else 0
    made_of = build(evidence, heads - front - running, front, grammar)
    told: Counter[int] = Counter()  # letters of text on each page
    for each in evidence:
        told[each.block.page] += len(each.block.text) * (each.at not in heads)
    while cover := _cover(made_of, grammar, told, front):
        front = front | cover
        made_of = build(evidence, heads - front - running, front, grammar)
    if parts := _unnumbered_parts(made_of):
        heads = heads - parts
        made_of = build(evidence, heads - front - running, front, grammar)
    nodes = {node.at: node for node in made_of}
    for unit in made_of:
        unit.score = _score(unit.evidence, evidence)
    made: list[Block] = []
    found: dict[int, Node] = {}
    sizes: dict[int, float] = {}
    marked: set[int] = set()
    captions: set[int] = set()
    listed: set[int] = set()
    for each in evidence:
        block, node, badge = each.block, nodes.get(each.at), each.block.badge
        badge = badge if badge > (each.number.end if each.number else 0) else 0  # a title far behind its number
        if each.at in running:
            continue
        if each.at not in front:
            if node is not None and node.head:
                title = part(block, 0, badge) if badge else block
                block = replace(title, role=Role.HEADING, level=above + node.depth)
            elif block.role is Role.HEADING:
                block = replace(block, role=Role.PARAGRAPH, level=0)
        if node is not None:
            found[id(block)] = node
        made.append(block)
        if each.marked:
            marked.add(id(block))
        if each.caption:
            captions.add(id(block))
        if each.listed:
            listed.add(id(block))
        sizes[id(block)] = block.size / each.size if each.size else 0.0
        if badge and block.role is Role.HEADING and node is not None:
            made.append(part(each.block, badge))
    heads_running = tuple(evidence[at].block for at in sorted(running))
    return Outline(blocks=made, nodes=found, sizes=sizes, marked=frozenset(marked), captions=frozenset(captions),
                   listed=frozenset(listed), furniture=heads_running)
