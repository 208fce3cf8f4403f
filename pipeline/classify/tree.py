"""Who stands under whom: each head and each numbered unit under the one that the least speaks against."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key
from itertools import pairwise

from pipeline.classify.evidence import UNNAMED, Evidence
from pipeline.classify.grammar import Grammar
from pipeline.classify.heads import INDENTED, LABEL_WORDS, LABELLED, STOPS, TITLE_WORDS
from pipeline.classify.numbers import (
    Counted,
    Number,
    comes_next,
    counted,
    follows,
    is_first,
    is_under,
    runs_through,
)
from pipeline.records import Block, Role, Text
from pipeline.text import cut, flat, fold, trim

# "Placement. The server …": a sentence of capitalised words before the text
RUN_IN = re.compile(
    r"(?P<title>(?:[A-ZÀ-Þ0-9][^\s.:;!?]*|[a-z]{1,3}|[(/&–-][^\s.]*)"
    r"(?:[ /](?:[A-ZÀ-Þ0-9(][^\s.:;!?]*|[a-z]{1,3}|&)){0,5})\.\s+(?=[A-ZÀ-Þ(“\"])"
)


@dataclass(slots=True, eq=False)
class Node:
    """A head, or a paragraph that its number makes a unit."""

    evidence: Evidence
    at: int  # its place, and its block: those of the evidence
    block: Block
    number: Number | None = None
    head: bool = False  # it looks like one: what it says is a title
    over: frozenset[tuple[float, int]] = frozenset()  # larger types straight under its own
    lone: bool = False  # no other head has its type, and no number or bookmark speaks for it
    begun: int = 0  # the place of the first head of its type
    alike: Sequence[int] = ()  # the places of the heads of its type
    until: int = 0  # the last place where a number goes on its sequence, or stands under it
    tops: bool = False  # heads of its type begin pages, each one of its own
    lists: bool | None = False  # "Cards" straight over heads of its type: they stand under it; None: a contents page
    chapter: frozenset[int] = frozenset()  # sources of the file (bookmarks, tags, contents) that list one level, and it
    told: bool = False  # it has text of its own
    preamble: bool = False  # it is called so, or an introduction
    titled: bool = False  # a few words behind its number, with text under them: they are a title, too
    type: tuple[float, int] = (0.0, 0)
    score: float = 0.0  # what speaks for a head
    margin: float | None = None  # how much more speaks against the next best parent
    other: str = ""  # the text of that
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def depth(self) -> int:
        return 1 + (self.parent.depth if self.parent else 0)

    def above(self) -> list[Node]:
        """Its parents, the outermost first."""
        return [*self.parent.above(), self.parent] if self.parent else []


def build(evidence: Sequence[Evidence], heads: set[int], front: Collection[int], grammar: Grammar) -> list[Node]:
    """The nodes in reading order, each with its parent."""
    nodes = _nodes(evidence, heads)
    labels = _labels(nodes) | _examples(nodes, grammar) | _captions(nodes, evidence) | _subtitles(nodes)
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
                led=each.number.end < each.lead < len(each.block.text.rstrip())
                and (each.number.whole or each.block.text.spans[0].bold))
        for each in evidence
        if each.number is not None and not each.listed
    ]
    numbers = [n for n in numbers if n.head or n.number.depth > 1 or not n.number.word or not _begin_anew(n, numbers)]
    numbers = _without_subjects(numbers, evidence)
    whole, single = [n for n in numbers if n.number.whole], [n for n in numbers if not n.number.whole]
    kept = counted([n for n in single if n.head]) | _opened(single, whole)
    kept |= counted(whole, frozenset(n.number.parts for n in numbers if n.at in kept))
    kept |= _opened(whole, [n for n in whole if n.at in kept]) | {n.at for n in numbers if n.head and n.number.word}
    led = [n for n in single if n.led and not n.head and n.number.parts[0].isdecimal()]
    plain = [n for n in single if not n.head and n.number.parts[0].isdecimal()]
    if sum(is_first(each.number) for each in plain) == 1:
        kept |= _titled_items(led, sorted(heads))
    if runs_through(plain, sorted(heads)):
        kept |= counted(plain)
    made = []
    for each in evidence:
        number = each.number if each.at in kept else None
        if each.at in heads or number is not None:
            made.append(Node(evidence=each, at=each.at, block=each.block, number=number, head=each.at in heads))
    for node, below in zip(made, [*made[1:], None], strict=False):
        node.titled = node.head or _is_titled(node, below, evidence)
        node.told = node.at + 1 < (below.at if below is not None else len(evidence))
    return made


def _without_subjects(numbers: Sequence[Counted], evidence: Sequence[Evidence]) -> list[Counted]:
    """The numbers without those that begin a sentence or a line of one ("B2.5 will remain vacant"): in small letters,
    though they are not the next, where the number stood before or the sentence above goes on."""
    seen: set[tuple[str, ...]] = set()
    kept: list[Counted] = []
    for each in numbers:
        behind = evidence[each.at].block.text[each.number.end :][:1]
        small = (behind.islower() or not behind) and each.number.whole and not each.head
        if small and not each.number.word and not (kept and comes_next(kept[-1].number, each.number)):
            above = evidence[each.at - 1] if each.at else None
            broken = bool(behind) and above is not None and above.end.isalnum() and above.block.role is not Role.TABLE
            if broken or each.number.parts in seen:
                continue
        kept.append(each)
        seen.add(each.number.parts)
    return kept


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
    if len(places) < LABELLED:
        return frozenset()
    first, last = min(places), max(places)
    inside = any(first < head < last for head in heads)
    return places if inside or first - 1 in heads or len(heads) < len(places) else frozenset()


def _opened(numbers: Sequence[Counted], whole: Sequence[Counted]) -> frozenset[int]:
    """The headings with a number that a longer one goes on: "2 Racing" or "Section 2" over "2.1"."""
    found = set()
    for each in numbers:
        below = next((n for n in whole if n.at > each.at), None)
        if (each.head or each.led) and below is not None and is_under(below.number, each.number):
            found.add(each.at)
    return frozenset(found)


def _is_titled(node: Node, below: Node | None, evidence: Sequence[Evidence]) -> bool:
    """ "B1.10.1 Reporting": a few words that are no sentence, with text or a deeper number under them."""
    each, number = node.evidence, node.number
    words = each.block.text[number.end :].strip() if number else ""
    told = each.end in STOPS and not each.bold and len(words.split()) > LABEL_WORDS
    if not words or told or (each.end == ":" and not each.bold) or each.block.breaks or not words[:1].isupper():
        return False
    follows_text = each.at + 1 < len(evidence) and (below is None or below.at > each.at + 1)
    under = evidence[each.at + 1].block if follows_text else None
    if under is not None and under.role is Role.PARAGRAPH and under.text[:1].islower():
        return False  # the sentence goes on there
    deeper = below is not None and below.number is not None and number is not None and is_under(below.number, number)
    if deeper and below is not None and below.number and below.block.text[below.number.end :][:1].islower():
        return False  # a sentence that its items end: "Play is stopped for" over "a serious injury;"
    return len(words.split()) <= TITLE_WORDS and (follows_text or deeper)


def _find_chapters(nodes: Sequence[Node]) -> None:
    """A flat list of titles that leaves out as many heads as it names lists one level of them: the looks of which it
    names most."""
    heads = [node for node in nodes if node.head]
    alike = Counter(node.evidence.look for node in heads)
    deep = {node.evidence.look for node in heads if any(depth and depth > 0 for depth in node.evidence.depths)}
    for source in range(len(UNNAMED)):
        listed = [node for node in heads if node.evidence.depths[source] == -1]
        named = Counter(node.evidence.look for node in listed)
        for node in listed if 2 * len(listed) <= len(heads) else ():
            if 2 * named[node.evidence.look] >= alike[node.evidence.look] and node.evidence.look not in deep:
                node.chapter |= {source}


def _nest(nodes: Sequence[Node], titles: Sequence[int]) -> None:
    """Each node under the one that the least speaks against; a number may stand under one that was closed meanwhile.

    A title of the document closes all.
    """
    _find_ends(nodes)
    _find_chapters(nodes)
    lists = [node for node in nodes if node.lists]
    types = _types(nodes)
    least = _place(nodes, titles, types, lists)
    tried = types
    for one, two in pairwise(sorted(set(types.values()))):
        if one[0] == two[0] < 0:
            swap = {one: two, two: one}
            tried = {node: swap.get(own, own) for node, own in types.items()}
            cost = _place(nodes, titles, tried, lists)
            if cost < least - SWAPPED:
                types, least = tried, cost
    if tried is not types:
        _place(nodes, titles, types, lists)


SWAPPED = 1.5  # what the whole outline must cost less where heads of one size rank otherwise than they come


def _place(
    nodes: Sequence[Node], titles: Sequence[int], types: Mapping[Node, HeadType], lists: Collection[Node]
) -> float:
    """Give each node its parent, where heads rank by these types; what all of that costs."""
    total = 0.0
    stack: list[Node] = []
    numbered: dict[tuple[str, ...], Node] = {}
    for node, own in types.items():
        node.type, node.parent, node.children = own, None, []
    for node, below in pairwise(nodes):
        if node in lists:
            node.lists = node.type == below.type
    first = {node.block.page: node.at for node in reversed(nodes)}
    tops = Counter(node.type for node in nodes if node.head and first[node.block.page] == node.at and node.evidence.top)
    times = Counter(node.type for node in nodes if node.head)
    alike: dict[HeadType, list[int]] = defaultdict(list)
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
    over: dict[HeadType, set[HeadType]] = defaultdict(set)
    for (one, two), count in straight.items():
        if two < one and two[0] >= BANNER * one[0] and count > straight.get((two, one), 0):
            over[one].add(two)
    for node in nodes:
        node.over = frozenset(over.get(node.type, ()))
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
        total += min(costs)
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
    return total


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
    below = len(path)  # a path is a beginning of the stack, or another one that was closed
    kept = path == stack[:below]
    closed = stack[below:] if kept else [each for each in stack if each not in path]
    reopened = 0.0 if kept or parent is None or parent in stack else 0.5
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
        broken = [each for each in closed if each.until > node.at and not _outranks(node, each)
                  and not (each.type == node.type and each.number and each.number.word)]  # "Part I" and "Interlude"
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


HeadType = tuple[float, int]  # size, larger first; of one size what comes first: a head stands before those under it
Looks = tuple[float, bool, bool, bool, bool, bool]  # each is False where it raises a head over others of its size


def _types(nodes: Sequence[Node]) -> dict[Node, HeadType]:
    """The type of each head; plain text last.

    Capitals or the middle of the line make a type of their own only where a head like them, but without, stands
    straight under one. Of one size that ranks higher which stands straight over the other more often; else capitals
    and the middle of the line do, else what comes first.
    """
    full = {node: _looks(node) for node in nodes}
    straight = [(one, two) for one, two in pairwise(nodes) if one.at + 1 == two.at and one.head and two.head]
    pairs = [(full[one], full[two]) for one, two in straight]
    raised = {above for above, below in pairs if above[0] == below[0] and above[3:] == below[3:]
              and above != below and above[1] <= below[1] and above[2] <= below[2]}  # fmt: skip
    kinds = {(look[0], *look[3:]) for look in raised}
    own = {node: look if (look[0], *look[3:]) in kinds else (look[0], True, True, *look[3:])
           for node, look in full.items()}  # fmt: skip
    votes = Counter((own[one], own[two]) for one, two in straight)
    order: dict[float, list[Looks]] = defaultdict(list)
    for look in dict.fromkeys(own.values()):
        order[look[0]].append(look)

    def ranks(one: Looks, other: Looks) -> int:
        if over := votes[other, one] - votes[one, other]:
            return over
        if one[3:] == other[3:]:
            return 1 if one > other else -1
        return order[one[0]].index(one) - order[one[0]].index(other)

    ranked = {size: sorted(looks, key=cmp_to_key(ranks)) for size, looks in order.items()}
    places: dict[Looks, list[int]] = defaultdict(list)
    for node, look in own.items():
        places[look].append(node.at)
    levels = {look: level for looks in ranked.values() for level, look in enumerate(looks)}
    for looks in ranked.values():
        for above, below in pairwise(looks):
            ended = len(places[above]) > 1 and places[above][-1] < places[below][0]
            if ended and not votes[above, below]:  # heads that come no more rule no others of their size
                levels[below] = levels[above]
    return {node: (look[0], levels[look]) for node, look in own.items()}


def _looks(node: Node) -> Looks:
    each, block = node.evidence, node.block
    if not node.head or len(block.text) == 1:  # a letter of an alphabet, however large
        return (0.0, True, True, True, True, True)
    return (-round(block.size * 2) / 2, not each.capitals, not block.centred, not each.bold, not each.coloured,
            block.italic)  # fmt: skip


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
        larger = each.block.size >= BANNER * node.block.size and len(each.alike) > 1
        cost += (3.0 if larger else 1.5) if each.head and _outranks(each, node) else 0.0
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
    depths = node.evidence.depths
    if depths == UNNAMED:
        return 0.0
    return _depth_cost(next(at for at, own in enumerate(depths) if own is not None), node, parent, closed)


def _depth_cost(at: int, node: Node, parent: Node | None, closed: Sequence[Node]) -> float:
    own = node.evidence.depths[at]
    if own is None or own < 0:
        return BESIDE if parent is not None and at in node.chapter & parent.chapter else 0.0
    cost, above = 0.0, parent.evidence.depths[at] if parent else -1
    if above is not None:
        cost += 2.0 if above >= own else -1.0 if above == own - 1 else 0.0
    depths = (each.evidence.depths[at] for each in closed)
    return cost + sum(1.5 for depth in depths if depth is not None and depth < own)


BESIDE = 3.0  # what it costs one chapter of a flat list to stand under another: as much as a number that does not fit
TOPS = 0.8  # of the heads of a type begin a page: so does each of them, or nearly
BANNER = 1.5  # times the heads under it: a title in a box that large is no title of a sidebar


def _place_cost(node: Node, parent: Node | None, closed: Sequence[Node]) -> float:
    """The title of a box governs nothing behind it; what is indented under a head stands under it."""
    cost = 0.0
    if parent is not None:
        boxed = parent.block.region if parent.evidence.boxed > len(parent.block.text) else 0  # else a band
        banner = parent.block.size >= BANNER * node.block.size
        counted_on = node.number is not None and parent.number is not None and is_under(node.number, parent.number)
        cost += 4.0 if boxed and node.block.region != boxed and not banner and not counted_on else 0.0
        out = parent.head and node.head and node.block.indent < parent.block.indent - INDENTED
        cost += 1.0 if out and not parent.block.centred else 0.0
    if closed and closed[0].head and node.block.indent > closed[0].block.indent + INDENTED and not node.block.centred:
        cost += 1.0
    return cost


# ---------------------------------------------------------------- labels


def _labels(nodes: Sequence[Node]) -> set[int]:
    """Heads whose words return under many numbers ("Definition", "Examples"): parts of the rules that they stand in."""
    under: dict[str, set[int]] = defaultdict(set)
    over: Counter[str] = Counter()  # heads, not text
    last = -1
    names = [fold(node.block.text) if node.number is None else "" for node in nodes]
    for node, name, below in zip(nodes, names, [*nodes[1:], None], strict=False):
        if node.number is not None:
            last = node.at
        elif node.head and last >= 0:
            under[name].add(last)
            over[name] += below is not None and below.at == node.at + 1
    labels = {text for text, homes in under.items() if len(homes) >= LABELLED and 2 * over[text] < len(homes)}
    labels |= {text for text in under if text[:-1] in labels or text in {label[:-1] for label in labels}}  # "Example"
    lines = Counter([name for one, two, name in zip(nodes, nodes[1:], names[1:], strict=False) if one.head
                     and two.at == one.at + 1 and two.number is None and two.evidence.size < 1])  # fmt: skip
    labels |= {text for text, count in lines.items() if count >= LABELLED}
    return {node.at for node, name in zip(nodes, names, strict=True) if node.number is None and name in labels}


def _examples(nodes: Sequence[Node], grammar: Grammar) -> set[int]:
    """Heads that say "Example" and no more: part of what they stand under, unless other heads stand under them."""
    plain = [(one, two) for one, two in zip(nodes, [*nodes[1:], None], strict=False) if one.head and one.number is None]
    return {one.at for one, two in plain if (two is None or two.at > one.at + 1) and one is not nodes[0]
            and grammar.example.fullmatch(flat(one.block.text))}  # fmt: skip


def _subtitles(nodes: Sequence[Node]) -> set[int]:
    """Small lines that stand straight under heads of one look, one under each, with the next head straight under them:
    they say something of the title, and nothing stands under them."""
    every = Counter(node.evidence.look for node in nodes if node.head)
    held: dict[tuple[object, ...], list[tuple[Node, Node]]] = defaultdict(list)
    for above, node, below in zip(nodes, nodes[1:], nodes[2:], strict=False):
        straight = above.at + 1 == node.at == below.at - 1 and above.head and node.head and below.head
        if straight and node.number is None and not node.evidence.named and node.block.size < below.block.size:
            held[node.evidence.look].append((above, node))
    found: set[int] = set()
    for look, pairs in held.items():
        over = {(above.block.size, above.evidence.bold) for above, _ in pairs}
        if len(pairs) == every[look] > 1 and len(over) == 1 and all(a.block.size > n.block.size for a, n in pairs):
            found.update(node.at for _, node in pairs)
    return found


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
