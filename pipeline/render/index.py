"""Printed entries -> the index: names and game terms, in alphabetic order, with every place that a searcher wants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.names import Name, Origin, register
from pipeline.records import AnyEntry, Prose
from pipeline.render import words

NEAR = 1500  # characters between two places of a term that an index names once: they stand on one page or open at it
EVERY = 8  # places: a name that more rulings hold is listed where it is asked about, not in every answer
MANY = 20  # places: a word that so many ask about leads only to what it means

_EDGES = " :.,;–-!?\u00a0"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexLine:
    term: str
    anchors: tuple[str, ...]
    alias: bool = False  # a name in another language


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexLetter:
    letter: str
    lines: tuple[IndexLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An entry where it is printed."""

    entry: AnyEntry
    anchor: str
    size: int  # characters


def index(
    printed: Sequence[Placed], language: str, game: str = "", *, near: int = NEAR
) -> tuple[IndexLetter, ...]:
    """Every name of the entries, each once, with its places; those closer than ``near`` characters count as one."""
    known = register((each.entry for each in printed), language, game=game)
    at, starts = 0, []
    for each in printed:
        starts.append(at)
        at += each.size
    prose = {place for place, each in enumerate(printed) if isinstance(each.entry, Prose)}
    lines: dict[tuple[str, bool], IndexLine] = {}
    for name in known.names:
        for line in _lines(name, prose, printed, starts, near):
            lines.setdefault((words.alphabetic(line.term, language)[0], line.alias), line)
    ordered = sorted(lines.values(), key=lambda line: words.alphabetic(_filed(line, language), language))
    grouped = groupby(ordered, key=lambda line: words.letter(_filed(line, language), language))
    return tuple(IndexLetter(letter=letter, lines=tuple(group)) for letter, group in grouped)


def _filed(line: IndexLine, language: str) -> str:
    return words.without_article(line.term, language)


def _lines(
    name: Name, prose: set[int], printed: Sequence[Placed], starts: Sequence[int], near: int
) -> Iterable[IndexLine]:
    places = wanted(name, prose)
    if name.origin is Origin.SECTION or not places:
        return
    yield IndexLine(term=name.name.strip(_EDGES) or name.name, anchors=_apart(places, printed, starts, near))
    for other in name.also:
        yield IndexLine(term=other, anchors=_apart(name.defined or name.own, printed, starts, near), alias=True)


def wanted(name: Name, prose: Iterable[int] = ()) -> tuple[int, ...]:
    """The places of a name that are worth looking up: all, while they are few; else where it is asked about; else what
    it means. Running text is none: it holds credits, too."""
    every = [place for place in name.places if place in name.own or place not in prose]
    asked = [place for place in every if place in name.own or place in name.asked]
    for group, most in ((every, EVERY), (asked, MANY)):
        if group and len(group) <= most:
            return tuple(group)
    return name.defined or (name.own if len(name.own) <= MANY else ())


def _apart(places: Iterable[int], printed: Sequence[Placed], starts: Sequence[int], near: int) -> tuple[str, ...]:
    """The anchors of places, those close by left out."""
    kept: list[int] = []
    for place in places:
        if not kept or starts[place] - starts[kept[-1]] >= near:
            kept.append(place)
    return tuple(printed[place].anchor for place in kept)
