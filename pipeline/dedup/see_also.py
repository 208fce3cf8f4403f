"""See also: where the text of one ruling names the subject of another, or the number of a rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pipeline.dedup import wording
from pipeline.dedup.occurrences import body, head, index, name_of, named, plain
from pipeline.records import Definition, Rule, Ruling
from pipeline.text import fold

MOST = 6  # links of one ruling: more are a list of everything
TARGETS = 2  # rulings of one subject that a name leads to: the others stand beside them
COMMON = 25  # rulings: a name that more of them hold leads nowhere in particular


def see_also(rulings: Sequence[Ruling]) -> list[tuple[str, ...]]:
    """For each ruling the ids of those that it names, then of those that name it."""
    homes = _homes(rulings)
    names = index(homes)
    numbers = _numbers(rulings)
    naming: list[list[int]] = []
    for place, ruling in enumerate(rulings):
        others_named = [name for name in dict.fromkeys(named(_words(ruling), names)) if place not in homes[name]]
        by_name = [target for name in others_named for target in homes[name][:TARGETS]]
        naming.append(list(dict.fromkeys([*_by_number(ruling, numbers), *by_name])))
    return _both_ways(rulings, _without_common(naming))


def _words(ruling: Ruling) -> list[wording.Token]:
    return wording.tokens(f"{head(ruling.entry)} {body(ruling.entry)}")


def _homes(rulings: Sequence[Ruling]) -> dict[tuple[str, ...], list[int]]:
    """Names -> the rulings that stand under them, or define them."""
    homes: dict[tuple[str, ...], list[int]] = {}
    for place, ruling in enumerate(rulings):
        for name in dict.fromkeys(tuple(plain(each)) for each in _own_names(ruling)):
            if name:
                homes.setdefault(name, []).append(place)
    return homes


def _own_names(ruling: Ruling) -> Iterable[str]:
    yield from (name_of(citation.subject) for citation in ruling.citations if citation.subject)
    if isinstance(ruling.entry, Definition):
        yield from (ruling.entry.term, *ruling.entry.aliases)


def _numbers(rulings: Sequence[Ruling]) -> dict[tuple[str, str], list[int]]:
    """Numbers of rules, in their source and ("") anywhere."""
    numbers: dict[tuple[str, str], list[int]] = {}
    for place, ruling in enumerate(rulings):
        if isinstance(ruling.entry, Rule) and ruling.entry.number:
            number = fold(ruling.entry.number).strip(".")
            for source in {"", *(citation.source for citation in ruling.citations)}:
                numbers.setdefault((source, number), []).append(place)
    return numbers


def _by_number(ruling: Ruling, numbers: Mapping[tuple[str, str], list[int]]) -> Iterable[int]:
    for reference in ruling.entry.see:
        number = fold(reference).strip(".")
        places = numbers.get((ruling.entry.source, number)) or numbers.get(("", number), [])
        if len(places) == 1:
            yield places[0]


def _without_common(naming: list[list[int]]) -> list[list[int]]:
    times: dict[int, int] = {}
    for targets in naming:
        for target in targets:
            times[target] = times.get(target, 0) + 1
    return [[target for target in targets if times[target] <= COMMON] for targets in naming]


def _both_ways(rulings: Sequence[Ruling], naming: list[list[int]]) -> list[tuple[str, ...]]:
    back: list[list[int]] = [[] for _ in rulings]
    for place, targets in enumerate(naming):
        for target in targets:
            back[target].append(place)
    rewritten = []
    for place, targets in enumerate(naming):
        linked = [
            each for each in dict.fromkeys([*targets, *back[place]]) if each != place and _apart(rulings, place, each)
        ]
        rewritten.append(tuple(rulings[each].entry.id for each in linked[:MOST]))
    return rewritten


def _apart(rulings: Sequence[Ruling], one: int, other: int) -> bool:
    """Not under one heading, where they stand together anyway."""
    subjects = rulings[one].entry.subject, rulings[other].entry.subject
    return subjects[0] is None or subjects[1] is None or fold(name_of(subjects[0])) != fold(name_of(subjects[1]))
