"""The names of a list -> which entries: those about them, those that name them, what they lead to, the general ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from pipeline.names.register import Name, Origin, Register
from pipeline.records import QA, AnyEntry, Erratum, Rule, Table

GAME_TERM = 5  # places: a word in capitals that more entries hold is one of the game, no card's or unit's


class Tier(IntEnum):
    """Why an entry is in, or that it is not."""

    OUT = 0  # of other names
    GENERAL = 1  # of no name
    LED = 2  # says what a word in the entries of the names means
    NAMING = 3  # names one of them
    OF = 4  # is about one of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """For each entry why it is in, and by which names."""

    tiers: tuple[Tier, ...]
    by: tuple[tuple[str, ...], ...]

    def count(self, *tiers: Tier) -> int:
        return sum(each in tiers for each in self.tiers)


def choose(register: Register, names: Iterable[Name]) -> Selection:
    """Why each entry is in, for the names of a list."""
    asked = list(dict.fromkeys(names))
    tiers = [Tier.GENERAL if is_general else Tier.OUT for is_general in _general(register)]
    by: list[dict[str, None]] = [{} for _ in tiers]
    standing: defaultdict[int, list[Name]] = defaultdict(list)
    for name in register.names:
        for place in name.places:
            standing[place].append(name)
    of = {(place, name.name) for name in asked for place in _own(name, asked)}
    steps = {(place, word.name) for start, _ in of for word in standing[start] for place in word.defined}
    ranked = [(Tier.LED, steps)]
    ranked.append((Tier.NAMING, {(place, name.name) for name in asked for place in name.named}))
    ranked.append((Tier.OF, of))
    for tier, places in ranked:
        for place, called in sorted(places):
            if tiers[place] < tier:
                tiers[place], by[place] = tier, {}
            by[place][called] = None
    return Selection(tiers=tuple(tiers), by=tuple(map(tuple, by)))


def _own(name: Name, asked: Iterable[Name]) -> Iterable[int]:
    """What is about a name: of a faction that is named alone, all that stands under its heading."""
    others = {place for other in asked if other is not name for place in other.own}
    return name.own if others.intersection(name.under) else (*name.own, *name.under)


def _general(register: Register) -> list[bool]:
    """For each entry whether it is a ruling about no card, unit or faction."""
    particular: set[int] = set()
    for name in register.names:
        if name.origin is Origin.SUBJECT or (name.origin is Origin.TEXT and len(name.places) <= GAME_TERM):
            particular.update((*name.own, *name.asked))
    return [_may_be_general(entry) and place not in particular for place, entry in enumerate(register.entries)]


def _may_be_general(entry: AnyEntry) -> bool:
    if isinstance(entry, Erratum):
        return bool(entry.pages) and "," not in entry.target
    return isinstance(entry, QA | Rule | Table) and entry.subject is None
