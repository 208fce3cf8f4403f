"""Which looks of heads stand over which: one level for each look of a document, weighed from all that speaks for it.

Heads that look alike have one level. For every two looks what speaks for one over the other, or beside it, is added
up once (numbers, what the file lists, type, what stands straight under what); the levels that least speaks against win.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log, log2
from typing import TYPE_CHECKING

from pipeline.classify.numbers import Number, follows, is_under

if TYPE_CHECKING:
    from pipeline.classify.tree import Node

Look = Hashable
OVER, BESIDE, UNDER = 0, 1, 2  # what one look is to another
Votes = list[float]  # what speaks for each of these

W = dict(titled=4.5, number=3.0, beside=3.0, inside=2.0, straight=1.5, listed=3.0, chapter=3.0, size=1.5, capsize=4.5, bold=1.0, paint=0.5,
         caps=0.7, italic=0.5, same=1.5, unit=3.0, order=1.0, tops=6.0, late=3.0, ended=3.0, band=1.5, rare=0.3, cap=3.0, own=0.7)


@dataclass(slots=True)
class Ranks:
    """The level of each look, and what speaks for each two of them."""

    votes: dict[tuple[Look, Look], Votes]
    levels: dict[Look, int] = field(default_factory=dict)

    def cost(self, one: Look, other: Look, relation: int) -> float:
        """What speaks against one look standing so to another."""
        if (one, other) in self.votes:
            held = self.votes[one, other]
        elif (other, one) in self.votes:
            held = self.votes[other, one][::-1]
        else:
            return 0.0
        return held[0] + held[1] + held[2] - held[relation]


def look_of(node: Node, marks: frozenset[str]) -> Look:
    """How a head is set, and how it is numbered."""
    number = node.number
    form = (number.word, _depth(number, node.head), _form(number), ")" in number.stop) if number is not None else ()
    if not node.head or len(node.block.text) == 1:  # a letter of an alphabet, however large
        return ("unit", form)
    each, block = node.evidence, node.block
    return (round(block.size * 2) / 2, each.bold, block.italic, each.coloured, each.capitals and "capitals" in marks,
            block.centred and "centred" in marks, form, _is_band(node))  # fmt: skip


def _is_band(node: Node) -> bool:
    """Does it stand in a drawn box alone?"""
    return bool(node.block.region) and node.evidence.boxed <= len(node.block.text)


def _depth(number: Number, head: bool) -> int:
    """"6a" is as deep as "6", where both are heads."""
    return number.depth - (head and number.inserted)


def _form(number: Number) -> str:
    last = number.parts[-2 if number.inserted else -1]
    return "1" if last.isdecimal() else "A" if last.isupper() else "a"


def rank(nodes: Sequence[Node]) -> Ranks:
    """The levels of all looks."""
    marks = frozenset(_raising(nodes))
    for node in nodes:
        node.look = look_of(node, marks)
    ranks = Ranks(votes=_weigh(nodes))
    order = sorted({node.look: None for node in nodes}, key=lambda look: _first_guess(look))
    ranks.levels = _best(order, ranks)
    return ranks


def _raising(nodes: Sequence[Node]) -> Iterable[str]:
    """Do capitals, or the middle of the line, set heads of one type apart? Only where one stands straight over another
    without them."""
    for one, two in pairwise(nodes):
        if one.at + 1 == two.at and one.head and two.head and abs(one.block.size - two.block.size) < 0.5:
            if one.evidence.capitals and not two.evidence.capitals:
                yield "capitals"
            if one.block.centred and not two.block.centred:
                yield "centred"


def _first_guess(look: Look) -> tuple[float, int]:
    if look[0] == "unit":  # type: ignore[index]
        return (0.0, look[1][1] if look[1] else 0)  # type: ignore[index]
    form = look[6]  # type: ignore[index]
    return (-look[0], form[1] if form else 0)  # type: ignore[index]


def _many(count: float) -> float:
    """What so many voices weigh: the first most, and never more than a few."""
    return min(W["cap"], log2(1 + count)) if count > 0 else 0.0


def _weigh(nodes: Sequence[Node]) -> dict[tuple[Look, Look], Votes]:
    """What speaks for each two looks."""
    looks = list(dict.fromkeys(node.look for node in nodes))
    places: dict[Look, list[Node]] = defaultdict(list)
    for node in nodes:
        places[node.look].append(node)
    voices = _voices(nodes)
    families: dict[Look, int] = {}
    for node in nodes:
        families.setdefault(node.look[:6], node.at)
    votes: dict[tuple[Look, Look], Votes] = {}
    for at, one in enumerate(looks):
        for other in looks[at + 1 :]:
            held = [0.0, 0.0, 0.0]
            for name, counts in voices.items():
                if name == "beside":
                    held[BESIDE] += W[name] * _many(counts[one, other] + counts[other, one])
                else:
                    a, b = counts[one, other], counts[other, one]
                    held[OVER] += W[name] * _many(a) * (a / (a + b) if a else 0)
                    held[UNDER] += W[name] * _many(b) * (b / (a + b) if b else 0)
            _weigh_type(held, one, other)
            _weigh_listed(held, places[one], places[other])
            _weigh_order(held, places[one], places[other], families)
            if _ends_before(places[one], places[other], one, other) and not voices["straight"][one, other]:
                held[BESIDE] += W["ended"]
                held[UNDER] += W["ended"]
            if _ends_before(places[other], places[one], other, one) and not voices["straight"][other, one]:
                held[BESIDE] += W["ended"]
                held[OVER] += W["ended"]
            votes[one, other] = held
    return votes


def _voices(nodes: Sequence[Node]) -> Mapping[str, Counter[tuple[Look, Look]]]:
    """How often one look is over another by its number, straight above it, around it between two numbers that follow
    each other, or beside it as the next number."""
    number: Counter[tuple[Look, Look]] = Counter()
    beside: Counter[tuple[Look, Look]] = Counter()
    inside: Counter[tuple[Look, Look]] = Counter()
    straight: Counter[tuple[Look, Look]] = Counter()
    last: dict[tuple[str, ...], Node] = {}
    chain: dict[tuple[str, tuple[str, ...], bool], tuple[int, Node]] = {}
    for place, node in enumerate(nodes):
        own = node.number
        if own is not None:
            above = last.get(own.parts[:-1]) if own.depth > 1 else None
            if above is not None and above.look != node.look:
                number[above.look, node.look] += 1
            key = (own.word, own.parts[:-1], ")" in own.stop)
            if key in chain and follows(chain[key][1].number, own):  # type: ignore[arg-type]
                start, before = chain[key]
                if before.look != node.look:
                    beside[before.look, node.look] += 1
                for between, below in zip(nodes[start + 1 : place], nodes[start + 2 : place + 1], strict=True):
                    if above is not None and between.number is None and between.head:
                        inside[above.look, between.look] += 1
                    if between.number is None and between.head and between.look != before.look:
                        if below.at > between.at + 1:
                            inside[before.look, between.look] += 1 if own.depth > 1 or own.word == "" else 0.4
                    elif between.number is not None and not is_under(between.number, before.number) and between.look != before.look:  # type: ignore[arg-type]
                        inside[between.look, before.look] += 0.3
            chain[key] = (place, node)
            last[own.parts] = node
    for one, two in pairwise(nodes):
        if one.head and two.head and one.at + 1 == two.at and one.look != two.look and (one.block.region == two.block.region or _is_band(one)):
            straight[one.look, two.look] += 1
    titled: Counter[tuple[Look, Look]] = Counter()
    first: dict[int, Node] = {}
    for node in nodes:
        if node.head and node.block.region:
            title = first.setdefault(node.block.region, node)
            if title.look != node.look:
                titled[title.look, node.look] += 1
    return {"titled": titled, "number": number, "beside": beside, "inside": inside, "straight": straight}


def _weigh_type(held: Votes, one: Look, other: Look) -> None:
    if one[0] == "unit" or other[0] == "unit":  # type: ignore[index]
        if one[0] != other[0]:  # type: ignore[index]
            held[UNDER if one[0] == "unit" else OVER] += W["unit"]  # type: ignore[index]
        elif one[1] and other[1] and one[1][1] != other[1][1]:  # type: ignore[index]
            held[OVER if one[1][1] < other[1][1] else UNDER] += W["number"]  # type: ignore[index]
        return
    ratio = log(one[0] / other[0]) / log(1.2) if one[0] and other[0] else 0.0  # type: ignore[index]
    if abs(ratio) > 0.12:
        held[OVER if ratio > 0 else UNDER] += min(W["capsize"], W["size"] * abs(ratio) + W["own"])
    elif one[:6] == other[:6]:  # type: ignore[index]
        held[BESIDE] += W["same"]
    if one[7] != other[7]:  # type: ignore[index]
        held[OVER if one[7] else UNDER] += W["band"]  # type: ignore[index]
    for at, weight in ((1, W["bold"]), (2, -W["italic"]), (3, W["paint"]), (4, W["caps"]), (5, W["caps"])):
        if one[at] != other[at]:  # type: ignore[index]
            held[OVER if bool(one[at]) == (weight > 0) else UNDER] += abs(weight)  # type: ignore[index]
    if one[6] and other[6] and one[6][1] != other[6][1] and one[6][3] == other[6][3]:  # type: ignore[index]
        held[OVER if one[6][1] < other[6][1] else UNDER] += W["number"] / 2  # type: ignore[index]


def _weigh_listed(held: Votes, ones: Sequence[Node], others: Sequence[Node]) -> None:
    """How deep the file's own lists have both."""
    for source in range(3):
        a = [d for node in ones if (d := node.evidence.depths[source]) is not None and d >= 0]
        b = [d for node in others if (d := node.evidence.depths[source]) is not None and d >= 0]
        if a and b:
            depth = sum(b) / len(b) - sum(a) / len(a)
            at = BESIDE if abs(depth) < 0.5 else OVER if depth > 0 else UNDER
            held[at] += W["listed"] * _many(min(len(a), len(b)))
            return
        if any(source in node.chapter for node in ones) and any(source in node.chapter for node in others):
            held[BESIDE] += W["chapter"]
            return


def _weigh_order(held: Votes, ones: Sequence[Node], others: Sequence[Node], families: Mapping[Look, int]) -> None:
    """What comes first is over what comes later; what nothing stands before cannot be under it."""
    if ones[0].at < others[0].at:
        held[OVER] += W["order"]
        held[BESIDE] += W["order"]
    else:
        held[UNDER] += W["order"]
        held[BESIDE] += W["order"]
    few, many = (ones, others) if len(ones) < len(others) else (others, ones)
    if len(few) == 1 and families[many[0].look[:6]] < few[0].at < many[-1].at and not few[0].evidence.named and few[0].number is None:
        held[OVER if few is others else UNDER] += W["late"]
        held[BESIDE] += W["late"]
    difference = log2(len(others) / len(ones))
    held[OVER if difference > 0 else UNDER] += W["rare"] * min(3.0, abs(difference))
    for nodes, at in ((ones, OVER), (others, UNDER)):
        plain = nodes[0].number is None and not nodes[0].evidence.named
        if plain and len(nodes) > 2 and sum(node.evidence.top for node in nodes) >= 0.7 * len(nodes):
            held[at] += W["tops"]
            held[BESIDE] += W["tops"]


def _ends_before(ones: Sequence[Node], others: Sequence[Node], one: Look, other: Look) -> bool:
    """Do heads come no more before the first of these, which is set no smaller? They rule none of them."""
    if one[0] == "unit" or other[0] == "unit" or one[0] != other[0]:  # type: ignore[index]
        return False
    return len(ones) > 1 and ones[-1].at < others[0].at


def _best(order: Sequence[Look], ranks: Ranks) -> dict[Look, int]:
    """The levels that least speaks against: from a first guess one look at a time moves where that costs less."""
    levels = {look: float(at) for at, look in enumerate(order)}
    for _ in range(4 * len(order)):
        best = (1e-9, None, 0.0)
        values = sorted(set(levels.values()))
        spots = [values[0] - 1.0, *values, *((a + b) / 2 for a, b in pairwise(values)), values[-1] + 1.0]
        for look in order:
            now = _cost_at(look, levels[look], levels, ranks)
            for spot in spots:
                gain = now - _cost_at(look, spot, levels, ranks)
                if gain > best[0]:
                    best = (gain, look, spot)
        if best[1] is None:
            break
        levels[best[1]] = best[2]
    ranked = {value: at for at, value in enumerate(sorted(set(levels.values())))}
    return {look: ranked[value] for look, value in levels.items()}


def _cost_at(look: Look, spot: float, levels: Mapping[Look, float], ranks: Ranks) -> float:
    return sum(ranks.cost(look, other, OVER if spot < level else BESIDE if spot == level else UNDER)
               for other, level in levels.items() if other != look)  # fmt: skip
