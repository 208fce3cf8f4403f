"""Which looks of heads stand over which: one level for each look of a document, weighed from all that speaks for it.

Heads that look alike have one level. For each two looks what speaks for one over the other, or for both beside each
other, is added up once: numbers, what the file itself lists, type, what stands straight under what. Those levels win
that the least speaks against.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log, log2
from typing import TYPE_CHECKING, NamedTuple

from pipeline.classify.numbers import Number, follows, is_under

if TYPE_CHECKING:
    from pipeline.classify.tree import Node

OVER, BESIDE, UNDER = 0, 1, 2  # what one look may be to another
Votes = list[float]  # what speaks for each of these

# What evidence weighs, each about twice the next. Tried on 91 marked stretches of real publications: none changes more
# than a document or two there when it is halved or half as much again.
SURE, STRONG, FAIR, SLIGHT = 6.0, 3.0, 1.5, 0.6
MOST = 3.0  # times its weight that evidence counts however often it is seen: seven times is as good as seventy
STEP = 1.2  # times larger: a step of type
EQUAL = 0.12  # steps: type that differs less is of one size
SIZE_MOST = 3.0  # times FAIR: the most that a difference of size weighs
NEARLY = 0.7  # of the heads of one look begin pages: each has a page of its own, and some were misread
SEVERAL = 3  # heads that make a habit
RAISED = ("capitals", "centred")  # what sets heads of one type apart where one stands straight over another without it


class Form(NamedTuple):
    """How a head is numbered."""

    word: str
    depth: int
    sort: str  # of its last part: "1", "A" or "a"
    bracket: bool  # behind it: "1)"


class Look(NamedTuple):
    """How a head is set, and how it is numbered. Text that only its number makes a unit has no size."""

    size: float = 0.0
    bold: bool = False
    italic: bool = False
    coloured: bool = False
    capitals: bool = False
    centred: bool = False
    form: Form | None = None
    band: bool = False  # alone in a drawn box
    listed: int | None = None  # how deep the file's own lists have it

    @property
    def type(self) -> tuple[object, ...]:
        """How it is set, whatever its number."""
        return self[:6]


PLAIN = Look()


@dataclass(slots=True)
class Ranks:
    """The level of each look, and what speaks for each two of them."""

    votes: dict[tuple[Look, Look], Votes]
    levels: dict[Look, int] = field(default_factory=dict)

    def cost(self, one: Look, other: Look, relation: int) -> float:
        """What speaks against one look standing so to another."""
        weights = self.votes.get((one, other)) or self.votes.get((other, one), [0.0, 0.0, 0.0])[::-1]
        return sum(weights) - weights[relation]

    def relation(self, one: Node, other: Node) -> int:
        """How the looks of two nodes stand to each other."""
        step = self.levels[one.look] - self.levels[other.look]
        return OVER if step < 0 else BESIDE if step == 0 else UNDER


def rank(nodes: Sequence[Node]) -> Ranks:
    """The levels of all looks; each node gets its look."""
    raised = _raised(nodes)
    for node in nodes:
        node.look = _look(node, raised)
    if len({node.look for node in nodes}) > LOOKS_MAX:
        for node in nodes:
            node.look = _coarse(node.look)
    ranks = Ranks(votes=_weigh(nodes))
    looks = dict.fromkeys(node.look for node in nodes)
    ranks.levels = _best(sorted(looks, key=lambda look: (-look.size, look.form.depth if look.form else 0)), ranks)
    return ranks


def _look(node: Node, raised: Collection[str]) -> Look:
    form = _form(node.number, node.head) if node.number is not None else None
    if not node.head or len(node.block.text) == 1:  # a letter of an alphabet, however large
        return Look(form=form)
    each, block = node.evidence, node.block
    return Look(
        size=round(block.size * 2) / 2, bold=each.bold, italic=block.italic, coloured=each.coloured,
        capitals=each.capitals and "capitals" in raised, centred=block.centred and "centred" in raised,
        form=form, band=_is_band(node), listed=next((d for d in each.depths if d is not None and d >= 0), None),
    )  # fmt: skip


LOOKS_MAX = 60  # twice as many as any of 160 real publications has; what follows costs the cube of it


def _coarse(look: Look) -> Look:
    """Size, weight and depth alone: for documents that set nothing twice alike."""
    form = Form("", look.form.depth, "", False) if look.form else None
    return Look(size=float(round(look.size / 2) * 2), bold=look.bold, form=form)


def _is_band(node: Node) -> bool:
    return bool(node.block.region) and node.evidence.boxed <= len(node.block.text)


def _form(number: Number, head: bool) -> Form:
    """ "6a" is as deep as "6" where both are heads."""
    last = number.parts[-2 if number.inserted else -1]
    sort = "1" if last.isdecimal() else "A" if last.isupper() else "a"
    return Form(number.word, number.depth - (head and number.inserted), sort, ")" in number.stop)


def _raised(nodes: Sequence[Node]) -> set[str]:
    """What sets heads of one size apart here."""
    raising: set[str] = set()
    for one, two in pairwise(nodes):
        if one.at + 1 == two.at and one.head and two.head and abs(one.block.size - two.block.size) < 0.5:
            above = (one.evidence.capitals, one.block.centred)
            below = (two.evidence.capitals, two.block.centred)
            raising.update(name for name, has, lacks in zip(RAISED, above, below, strict=True) if has and not lacks)
    return raising


# ---------------------------------------------------------------- what speaks for each two looks


def _weigh(nodes: Sequence[Node]) -> dict[tuple[Look, Look], Votes]:
    places: dict[Look, list[Node]] = defaultdict(list)
    first: dict[tuple[object, ...], int] = {}  # where each type begins, whatever its numbers
    for node in nodes:
        places[node.look].append(node)
        first.setdefault(node.look.type, node.at)
    seen = _seen(nodes)
    looks = list(places)
    votes: dict[tuple[Look, Look], Votes] = {}
    for at, one in enumerate(looks):
        for other in looks[at + 1 :]:
            ones, others = places[one], places[other]
            pair = votes[one, other] = [0.0, 0.0, 0.0]
            _weigh_seen(pair, seen, one, other)
            _weigh_type(pair, one, other)
            _weigh_listed(pair, ones, others)
            _weigh_order(pair, ones, others)
            _weigh_habits(pair, ones, others, first)
    return votes


Seen = dict[str, dict[tuple[Look, Look], float]]  # how often one look was seen so to another
WEIGHTS = {"titles": STRONG, "numbers": STRONG, "holds": STRONG, "straight": FAIR}  # each speaks for one over the other


def _weigh_seen(pair: Votes, seen: Seen, one: Look, other: Look) -> None:
    """What was seen more often counts in proportion."""
    for name, weight in WEIGHTS.items():
        over, under = seen[name][one, other], seen[name][other, one]
        for at, count in ((OVER, over), (UNDER, under)):
            pair[at] += weight * _many(count) * count / (over + under) if count else 0.0
    pair[BESIDE] += STRONG * _many(seen["next"][one, other] + seen["next"][other, one])


def _many(count: float) -> float:
    """How many times its weight something counts that was seen so often."""
    return min(MOST, log2(1 + count))


def _seen(nodes: Sequence[Node]) -> Seen:
    """How often one look begins with the number of another ("numbers") or goes on its sequence ("next"), holds another
    between two numbers, titles a box with another in it, or stands straight over another."""
    seen: Seen = defaultdict(lambda: defaultdict(float))
    titles: dict[int, Node] = {}
    for one, two in pairwise(nodes):
        together = one.block.region == two.block.region or _is_band(one)
        if one.head and two.head and one.at + 1 == two.at and together:
            seen["straight"][one.look, two.look] += 1
    for node in nodes:
        if node.head and node.block.region:
            seen["titles"][titles.setdefault(node.block.region, node).look, node.look] += 1
    _see_numbers(nodes, seen)
    return seen


def _see_numbers(nodes: Sequence[Node], seen: Seen) -> None:
    last: dict[tuple[str, ...], Node] = {}  # of each number
    ends: dict[tuple[str, tuple[str, ...], bool], tuple[int, Node, Number]] = {}  # of each sequence
    for place, node in enumerate(nodes):
        own = node.number
        if own is None:
            continue
        above = last.get(own.parts[:-1]) if own.depth > 1 else None
        if above is not None:
            seen["numbers"][above.look, node.look] += 1
        sequence = (own.word, own.parts[:-1], ")" in own.stop)
        start, before, number = ends.get(sequence, (place, node, own))
        if follows(number, own):
            seen["next"][before.look, node.look] += 1
            _see_between(nodes[start + 1 : place + 1], before, number, above, seen)
        ends[sequence] = (place, node, own)
        last[own.parts] = node


def _see_between(
    nodes: Sequence[Node], before: Node, number: Number, above: Node | None, seen: Seen
) -> None:
    """What stands between two numbers that follow each other, the second of which comes last: a head with text of its
    own is part of the first, and of what both stand under. Single numbers may run on through chapters."""
    through = OFTEN if number.depth == 1 and number.word else 1
    for between, below in pairwise(nodes):
        if between.number is None and between.head:
            if above is not None:
                seen["holds"][above.look, between.look] += 1
            if below.at > between.at + 1:
                seen["holds"][before.look, between.look] += through
        elif between.number is not None and not is_under(between.number, number):
            seen["holds"][between.look, before.look] += OFTEN


OFTEN = 0.4  # of such numbers do run on through chapters, in the publications that have both


def _weigh_type(pair: Votes, one: Look, other: Look) -> None:
    """Size first; at one size weight, capitals, the middle of the line, colour. Deeper numbers stand under others."""
    if one.form and other.form and one.form.depth != other.form.depth and one.form.bracket == other.form.bracket:
        unit = not one.size and not other.size
        pair[OVER if one.form.depth < other.form.depth else UNDER] += STRONG if unit else FAIR
    if not one.size or not other.size:
        if one.size or other.size:
            pair[OVER if one.size else UNDER] += STRONG
        return
    steps = log(one.size / other.size, STEP)
    if abs(steps) > EQUAL:
        pair[OVER if steps > 0 else UNDER] += FAIR * min(SIZE_MOST, abs(steps) + 0.5)
    elif one.type == other.type:
        pair[BESIDE] += FAIR
    signs = ((one.band, other.band, FAIR), (one.bold, other.bold, FAIR), (other.italic, one.italic, SLIGHT),
             (one.coloured, other.coloured, SLIGHT), (one.capitals, other.capitals, SLIGHT),
             (one.centred, other.centred, SLIGHT))  # fmt: skip
    for has, lacks, weight in signs:
        if has != lacks:
            pair[OVER if has else UNDER] += weight


def _weigh_listed(pair: Votes, ones: Sequence[Node], others: Sequence[Node]) -> None:
    """How deep the first list of the file has both that names both; chapters of a flat list stand beside each other."""
    for source in range(len(ones[0].evidence.depths)):
        a, b = _depths(ones, source), _depths(others, source)
        if a and b:
            depth = sum(b) / len(b) - sum(a) / len(a)
            at = BESIDE if abs(depth) < 0.5 else OVER if depth > 0 else UNDER
            pair[at] += STRONG * _many(min(len(a), len(b)))
            return
        if all(any(source in node.chapter for node in nodes) for nodes in (ones, others)):
            pair[BESIDE] += SURE
            return


def _depths(nodes: Sequence[Node], source: int) -> list[int]:
    depths = (node.evidence.depths[source] for node in nodes)
    return [depth for depth in depths if depth is not None and depth >= 0]


def _weigh_order(pair: Votes, ones: Sequence[Node], others: Sequence[Node]) -> None:
    """What comes first is not under what comes later; of what there is more stands under what there is less of."""
    pair[OVER if ones[0].at < others[0].at else UNDER] += 2 * SLIGHT
    pair[BESIDE] += 2 * SLIGHT
    more = log2(len(others) / len(ones))
    pair[OVER if more > 0 else UNDER] += SLIGHT / 2 * min(MOST, abs(more))


def _weigh_habits(
    pair: Votes, ones: Sequence[Node], others: Sequence[Node], first: Mapping[tuple[object, ...], int]
) -> None:
    """Heads that each begin a page stand under none; a lone head that comes late, and heads that come no more, rule
    none of those that stand before them, or behind."""
    for over, under, nodes, beneath in ((OVER, UNDER, ones, others), (UNDER, OVER, others, ones)):
        plain = nodes[0].number is None and not nodes[0].evidence.named
        if plain and len(nodes) >= SEVERAL and sum(node.evidence.top for node in nodes) >= NEARLY * len(nodes):
            pair[over] += SURE
            pair[BESIDE] += SURE
        late = len(nodes) == 1 and first[beneath[0].look.type] < nodes[0].at < beneath[-1].at
        ended = len(nodes) > 1 and nodes[-1].at < beneath[0].at and nodes[0].look.size == beneath[0].look.size > 0
        if (late and plain) or (ended and nodes[-1].at + 1 < beneath[0].at):
            pair[under] += STRONG
            pair[BESIDE] += STRONG


# ---------------------------------------------------------------- the levels


def _best(order: Sequence[Look], ranks: Ranks) -> dict[Look, int]:
    """The levels that least speaks against: from a first guess one look at a time moves where that costs less."""
    costs = [[[ranks.cost(one, other, relation) for other in order] for relation in (OVER, BESIDE, UNDER)]
             for one in order]  # fmt: skip
    levels = [float(at) for at in range(len(order))]
    for _ in range(MOVES * len(order)):
        gain, look, spot = max((_gain(at, own, levels) for at, own in enumerate(costs)), default=(0.0, 0, 0.0))
        if gain <= LEAST:
            break
        levels[-look] = spot
    ranked = {value: at for at, value in enumerate(sorted(set(levels)))}
    return {look: ranked[value] for look, value in zip(order, levels, strict=True)}


MOVES = 4  # for each look at most: where they end sooner they have ended by themselves
LEAST = 1e-6  # a gain that is smaller comes from adding up in another order


def _gain(at: int, costs: Sequence[Sequence[float]], levels: Sequence[float]) -> tuple[float, int, float]:
    """How much less it costs to move a look to its best level, the look (negative: of equal gains the first counts) and
    the level. What each level costs follows from the one before: those that it passes stand over it from there on."""
    others: dict[float, list[int]] = defaultdict(list)
    for other, level in enumerate(levels):
        if other != at:
            others[level].append(other)
    values = sorted(others)
    over, beside, under = costs
    cost = now = sum(over[other] for places in others.values() for other in places)
    spots = [(cost, values[0] - 1.0 if values else 0.0)]
    for value, above in zip(values, [*values[1:], None], strict=False):  # of no values there is one None
        same = cost + sum(beside[other] - over[other] for other in others[value])
        cost += sum(under[other] - over[other] for other in others[value])
        spots += [(same, value), (cost, value + 1.0 if above is None else (value + above) / 2)]
        now = same if value == levels[at] else cost if value < levels[at] else now
    least, spot = min(spots)
    return now - least, -at, spot
