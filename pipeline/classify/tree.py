"""Who stands under whom. A head stands under the last one before it whose look has a higher level (``ranks`` finds the
levels), unless its number or the box around it says something else. Numbered paragraphs stand there as heads do."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pipeline.classify.blocks import STOPS, ends_sentence
from pipeline.classify.evidence import UNNAMED, Evidence
from pipeline.classify.grammar import Grammar
from pipeline.classify.heads import LABEL_WORDS, LABELLED, TITLE_WORDS
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
from pipeline.classify.ranks import BESIDE, OVER, PLAIN, UNDER, Look, Ranks, rank
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
    look: Look = PLAIN  # how it is set and numbered
    level: int = 0  # of its look
    lists: bool | None = False  # "Cards" straight over heads of its type: they stand under it; None: a contents page
    chapter: frozenset[int] = frozenset()  # sources of the file (bookmarks, tags, contents) that list one level, and it
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
    firm = counted([n for n in single if n.head]) | _opened(single, whole)
    firm |= counted(whole, frozenset(n.number.parts for n in numbers if n.at in firm))
    firm |= _opened(whole, [n for n in whole if n.at in firm]) | {n.at for n in numbers if n.head and n.number.word}
    led = [n for n in single if n.led and not n.head and n.number.parts[0].isdecimal()]
    plain = [n for n in single if not n.head and n.number.parts[0].isdecimal()]
    if sum(is_first(each.number) for each in plain) == 1:
        firm |= _titled_items(led, sorted(heads))
    if runs_through(plain, sorted(heads)):
        firm |= counted(plain)
    nodes = []
    for each in evidence:
        number = each.number if each.at in firm else None
        if each.at in heads or number is not None:
            nodes.append(Node(evidence=each, at=each.at, block=each.block, number=number, head=each.at in heads))
    for node, below in zip(nodes, [*nodes[1:], None], strict=False):
        node.titled = node.head or _is_titled(node, below, evidence)
    return nodes


def _without_subjects(numbers: Sequence[Counted], evidence: Sequence[Evidence]) -> list[Counted]:
    """The numbers without those that begin a sentence or a line of one ("B2.5 will remain vacant"): in small letters,
    though they are not the next, where the number stood before or the sentence above goes on."""
    seen: set[tuple[str, ...]] = set()
    firm: list[Counted] = []
    for each in numbers:
        behind = evidence[each.at].block.text[each.number.end :][:1]
        small = (behind.islower() or not behind) and each.number.whole and not each.head
        if small and behind and each.number.word and not each.number.stop:
            continue  # "Article 11 of the treaty states"
        if small and not each.number.word and not (firm and comes_next(firm[-1].number, each.number)):
            above = evidence[each.at - 1] if each.at else None
            broken = bool(behind) and above is not None and above.end.isalnum() and above.block.role is not Role.TABLE
            if broken or each.number.parts in seen:
                continue
        firm.append(each)
        seen.add(each.number.parts)
    return firm


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
    places = set()
    for each in numbers:
        below = next((n for n in whole if n.at > each.at), None)
        if (each.head or each.led) and below is not None and is_under(below.number, each.number):
            places.add(each.at)
    return frozenset(places)


def _is_titled(node: Node, below: Node | None, evidence: Sequence[Evidence]) -> bool:
    """ "B1.10.1 Reporting": a few words that are no sentence, with text or a deeper number under them."""
    each, number = node.evidence, node.number
    words = each.block.text[number.end :].strip() if number else ""
    is_sentence = each.end in STOPS and not each.bold and len(words.split()) > LABEL_WORDS
    if not words or is_sentence or (each.end == ":" and not each.bold) or each.block.breaks or not words[:1].isupper():
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
    """Each node under the last one whose look stands over its own, unless its number or its box says else.

    A title of the document closes all.
    """
    _find_chapters(nodes)
    ranks = rank(nodes)
    numbered: dict[tuple[str, ...], Node] = {}
    kinds: dict[tuple[object, ...], int] = {}
    stack: list[Node] = []
    for before, node in zip([None, *nodes], nodes, strict=False):
        node.level = ranks.levels[node.look]
        node.type, node.parent, node.children = (node.level, kinds.setdefault(node.look.type, len(kinds))), None, []
        if before is not None and any(before.at < at < node.at for at in titles):
            stack = []
        if stack and stack[-1].lists is None:
            stack.pop()
        if before is not None and before.lists:
            before.lists = before.look == node.look
        path = _path(node, stack, numbered)
        node.parent = path[-1] if path else None
        _judge(node, stack, path, ranks)
        if node.parent is not None:
            node.parent.children.append(node)
        stack = [*path, node]
        if node.number is not None:
            numbered[node.number.parts] = numbered[*node.number.parts[:-1], ""] = node


def _path(node: Node, stack: Sequence[Node], numbered: Mapping[tuple[str, ...], Node]) -> list[Node]:
    """The nodes that a node stands under."""
    path: list[Node] = []
    for above in stack:
        if above.level >= node.level and not (above.lists and above.level == node.level):
            break
        path.append(above)
    number = node.number
    if number is not None:
        path = _by_number(node, number, path, stack, numbered)
    return [above for above in path if not _is_left(above, node)]


def _by_number(
    node: Node, number: Number, path: list[Node], stack: Sequence[Node], numbered: Mapping[tuple[str, ...], Node]
) -> list[Node]:
    """The nodes above a numbered one: it stands under the number that its own begins with, beside the one before it."""
    above = _numbered_above(node, number, numbered)
    if above is not None and above not in stack and not _continues(number, numbered):
        above = None  # closed, and not the next under it: an item of a list, or named again
    if above is not None and not (number.inserted and node.head and above.level == node.level):
        above_it = [*above.above(), above]
        behind = stack[stack.index(above) + 1 :] if above in stack else []
        return above_it + _between(node, behind)
    beside = next((each for each in stack if each.number is not None and follows(each.number, number)), None)
    if beside is None and number.inserted and above is not None:
        beside = above
    if beside is not None and beside in path:
        path = path[: path.index(beside)]
    elif beside is not None and beside.look == node.look:
        path = beside.above()
    return [each for each in path if each.number is None or number.depth == 1 or each.number.depth == 1
            or bool(number.word) or is_under(number, each.number)]  # fmt: skip


def _continues(number: Number, numbered: Mapping[tuple[str, ...], Node]) -> bool:
    """Is it the one after the last number of its sequence?"""
    before = numbered.get((*number.parts[:-1], ""))
    return before is not None and before.number is not None and follows(before.number, number)


def _numbered_above(node: Node, number: Number, numbered: Mapping[tuple[str, ...], Node]) -> Node | None:
    """The node whose number a number begins with: the last one; or that of the number before it, where the last is set
    as nothing over it is: an item of a list."""
    if number.depth < 2:
        return None
    above, before = numbered.get(number.parts[:-1]), numbered.get((*number.parts[:-1], ""))
    if above is None or above.level < node.level or before is None:
        return above
    return next((each for each in before.above() if each.number and each.number.parts == number.parts[:-1]), above)


def _between(node: Node, behind: Sequence[Node]) -> list[Node]:
    """The heads without a number that stand between a number and the one above it: "Settings" over "8.1.a"."""
    between: list[Node] = []
    for each in behind:
        if each.number is not None or each.level >= node.level:
            break
        between.append(each)
    return between


def _is_left(above: Node, node: Node) -> bool:
    """The title of a box governs nothing behind it, unless it is a band over what follows; a preamble no number."""
    boxed = above.block.region if above.evidence.boxed > len(above.block.text) else 0
    banner = above.block.size >= BANNER * node.block.size
    counted_on = node.number is not None and above.number is not None and is_under(node.number, above.number)
    left = bool(boxed) and node.block.region != boxed and not banner and not counted_on
    return left or (above.preamble and above.number is None and node.number is not None)


def _judge(node: Node, stack: Sequence[Node], path: Sequence[Node], ranks: Ranks) -> None:
    """Sets how much more speaks for the parent of a node than for the next best one, and which that is."""
    rivals: list[tuple[float, str]] = []
    deeper = [each for each in stack if each not in path]
    if deeper:
        rival = deeper[0]
        speaks = ranks.cost(rival.look, node.look, OVER)
        speaks -= ranks.cost(rival.look, node.look, ranks.relation(rival, node))
        own = SAME if rival.look == node.look else 0.0
        rivals.append((max(speaks, own), str(rival.block.text)))
    if path:
        rival = path[-1]
        speaks = min(ranks.cost(rival.look, node.look, BESIDE), ranks.cost(rival.look, node.look, UNDER))
        speaks -= ranks.cost(rival.look, node.look, OVER)
        counted_on = node.number is not None and rival.number is not None and is_under(node.number, rival.number)
        rivals.append((max(speaks, SAME if counted_on else 0.0), str(path[-2].block.text) if len(path) > 1 else ""))
    if rivals:
        node.margin, node.other = min(rivals)


SAME = 3.0  # what speaks for one level of heads that look alike, or for a number under the one that it begins with
BANNER = 1.5  # times the heads under it: a title in a box that large is no title of a sidebar
HeadType = tuple[float, int]


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
    pairs_of: dict[tuple[object, ...], list[tuple[Node, Node]]] = defaultdict(list)
    for above, node, below in zip(nodes, nodes[1:], nodes[2:], strict=False):
        straight = above.at + 1 == node.at == below.at - 1 and above.head and node.head and below.head
        if straight and node.number is None and not node.evidence.named and node.block.size < below.block.size:
            pairs_of[node.evidence.look].append((above, node))
    places: set[int] = set()
    for look, pairs in pairs_of.items():
        over = {(above.block.size, above.evidence.bold) for above, _ in pairs}
        if len(pairs) == every[look] > 1 and len(over) == 1 and all(a.block.size > n.block.size for a, n in pairs):
            places.update(node.at for _, node in pairs)
    return places


TOLD = 12  # letters: what has less under it, and no sentence, is a label in a diagram


def _captions(nodes: Sequence[Node], evidence: Sequence[Evidence]) -> set[int]:
    """Small heads with next to nothing under them: labels in a diagram, not titles."""
    places = set()
    ends = [node.at for node in nodes[1:]] + [len(evidence)]
    for node, end in zip(nodes, ends, strict=False):
        below = [each.block for each in evidence[node.at + 1 : end]]
        letters = sum(len(block.text) for block in below)
        small = node.head and node.number is None and not node.evidence.named and node.evidence.size < 1.25
        tells = any(block.role is not Role.PARAGRAPH or ends_sentence(block.text) for block in below)
        if small and below and letters < TOLD and not tells:
            places.add(node.at)
    return places


def _is_sentence(text: str, end: int) -> bool:
    """Does the sentence that began in bold go on behind it? "**A strike** is called when …" has no title."""
    return text[end:].lstrip()[:1].islower() and text[:end].rstrip()[-1:].isalnum()


def title_and_body(node: Node, text: Text) -> tuple[Text, Text]:
    """What of a numbered unit is its title, and what of its body stands in the same block."""
    number, each = node.number, node.evidence
    start = number.end if number else 0
    if node.head:
        return trim(cut(text, start)), Text()
    if start < each.lead < len(text.rstrip()) and not _is_sentence(text, each.lead):
        return trim(cut(text, start, each.lead)), trim(cut(text, each.lead))
    if node.titled:
        return trim(cut(text, start)), Text()
    if title := RUN_IN.match(text, start):
        return trim(cut(text, start, title.end("title"))), trim(cut(text, title.end()))
    return Text(), trim(cut(text, start))
