"""Under which rule a change stands: its path, number and title, whatever depth it was read at."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from pipeline.diff import entry_text
from pipeline.diff.positions import bare
from pipeline.records import AnyEntry, Kind, Rule

# "2.1. Missed Trigger", "Article 5 – Points", "B1.3.2 Weight": a number, then its title.
_NUMBERED = re.compile(
    r"(?:(?:[^\W\d_]{3,12}\.?)\s+)?([A-Z]{0,3}-?\d+(?:[.-]\w+)*|[IVX]+(?:[.-]\w+)+|[A-Z](?:[.-]\d+)+)[.):]?(?:\s*[–—:-])?\s+(?=\S)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePath:
    """The rule that a change belongs to, and which part of it changed."""

    path: tuple[str, ...] = ()  # the headings above, the outermost first
    number: str = ""
    title: str = ""
    part: str = ""  # "Definition": the heading inside the rule under which the change stands
    own: bool = False  # whether the entry itself is the rule, not something in it


def head(entry: AnyEntry) -> RulePath:
    """The innermost rule with a number; where there is none, the entry by its own name, or the nearest heading."""
    headings = [*entry.section, *([str(entry.subject)] if entry.subject else [])]
    if isinstance(entry, Rule) and entry.number:
        return RulePath(path=tuple(headings), number=entry.number, title=entry_text.head(entry), own=True)
    inside = [entry_text.head(entry)] if entry.kind not in (Kind.QA, Kind.ERRATUM, Kind.TEXT) else []
    for depth in range(len(headings) - 1, -1, -1):
        if entry.subject is None and (match := _NUMBERED.match(headings[depth])):
            below = " › ".join([*headings[depth + 1 :], *(text for text in inside if text)])
            title = headings[depth][match.end() :]
            return RulePath(path=tuple(headings[:depth]), number=match[1], title=title, part=below)
    if any(inside):
        return RulePath(path=tuple(headings), title=inside[0], own=True)
    return RulePath(path=tuple(headings[:-1]), title=headings[-1] if headings else "")


def below(path: RulePath, titles: frozenset[str]) -> RulePath:
    """The path below the document's own title: it stands above every rule, and on the sheet already."""
    return replace(path, path=path.path[1:]) if path.path and bare(path.path[0]) in titles else path


def numbers(entry: AnyEntry) -> list[str]:
    """The numbers that an entry goes by: its own, then those of the headings above, the nearest first."""
    own = [entry.number] if isinstance(entry, Rule) and entry.number else []
    above = [match[1] for heading in reversed(entry.section) if (match := _NUMBERED.match(heading))]
    return [bare_number(number) for number in (*own, *above)]


def bare_number(number: str) -> str:
    """ A number without its final stop: "2.1" for "2.1."."""
    return number.strip(" .):").casefold()
