"""What the publisher says that it changed, beside what it did change.

The lines of its own list (an appendix, "What's new", a table of releases) that the older release does not have. Each is
joined to the changes of the rule that it names by number, else by name, else by the words that came and went.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pipeline.diff import both, entry_text, row_pairs
from pipeline.diff.release_headings import stamp
from pipeline.diff.rule_paths import bare_number, head, numbers
from pipeline.diff.self_description import About
from pipeline.records import AnyEntry, Changes, Difference, Prose, Rule, Table

NAMED = 6  # letters of a name: a shorter one stands in many sentences
TELLING = 4  # letters of a word by which a sentence is found again
SHARED = 0.5  # of these words are in what came, went, or is the rule's name
LEAST = 2  # such words at least

_LEADING = re.compile(r"(?:[^\W\d_]{3,12}\.?\s+)?([A-Z]{0,3}-?\d+(?:[.-]\w+)*|[A-Z](?:[.-]\d+)+)\s*(?:[:.)–—-]|,|&|$)")
_DASH = re.compile(r"\s+[–—-]\s+|:\s+")
_DEEP = re.compile(r"(?<![\w.-])[A-Z]{0,3}\d+(?:[.-]\d+)+(?![\w-]|\.\w)")  # "3.2" inside a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """The publisher's sentences: beside which change each stands, and those of which nothing is found."""

    lines: tuple[str, ...] = ()
    beside: dict[int, tuple[str, ...]] = field(default_factory=dict)  # id of a difference -> sentences
    unfound: tuple[str, ...] = ()
    summed_up: frozenset[int] = frozenset()  # ids of tables that only repeat what is announced of their rules

    def of(self, difference: Difference) -> tuple[str, ...]:
        """What is said of a change."""
        return self.beside.get(id(difference), ())

    def silent_on(self, difference: Difference) -> bool:
        """Whether there is a list, and it does not mention the change; nobody announces a comma."""
        spoken_of = (
            difference.about_document
            or difference.spelling_only
            or id(difference) in self.summed_up
            or self.of(difference)
        )
        return bool(self.lines) and not spoken_of


def announced(changes: Changes) -> Announced:
    """The sentences of the newer release's list of changes that the older one does not have."""
    known = {entry_text.letters(line.strip().removeprefix("• "))
             for entry in changes.old.entries for line in _said(entry)}  # fmt: skip
    new = [line for line in _lines(About(changes.new).log) if entry_text.letters(line) not in known]
    lines = tuple(dict.fromkeys(new))
    rulings = [each for each in changes.changes if not each.about_document]
    beside: dict[int, tuple[str, ...]] = {}
    unfound: list[str] = []
    for line in lines:
        homes = _homes(line, rulings)
        for each in homes:
            beside[id(each)] = (*beside.get(id(each), ()), line)
        if not homes:
            unfound.append(line)
    mentioned = {entry_text.letters(entry_text.head(each.new)) for each in rulings if id(each) in beside and each.new}
    summed_up = frozenset(id(each) for each in rulings if _sums_up(each, mentioned))
    return Announced(lines=lines, beside=beside, unfound=tuple(unfound), summed_up=summed_up)


def _lines(log: Iterable[AnyEntry]) -> Iterator[str]:
    for entry in log:
        for line in _said(entry):
            bare = " ".join(line.split()).removeprefix("• ")
            if entry_text.letters(bare) and not stamp(bare, entry.language) and "©" not in bare:
                yield bare


def _said(entry: AnyEntry) -> Iterable[str]:
    match entry:
        case Prose():
            return str(entry.text).split("\n")
        case Table():
            rows_below = entry.rows[entry.header_rows :]
            cells = [[cell for cell in row if cell.strip() and not stamp(cell, entry.language)] for row in rows_below]
            return [" – ".join(row) for row in cells]
        case Rule():
            title, *body = [*([str(entry.title)] if entry.title else []), *map(str, entry.body), ""]
            return [f"{entry.number}: {title}" if entry.number else title, *body]
        case _:
            return entry_text.whole(entry).split("\n")


# ---------------------------------------------------------------- beside which change


def _homes(line: str, rulings: Sequence[Difference]) -> list[Difference]:
    """The changes that a sentence is about."""
    for number in _numbers(line):
        if differences := _numbered(number, rulings):
            return _likeliest(line, differences)
    return _named(line, rulings) or _worded(line, rulings)


def _numbers(line: str) -> list[str]:
    leading = _LEADING.match(line)
    named = ([leading[1]] if leading else []) + _DEEP.findall(line)
    return [bare_number(number) for number in dict.fromkeys(named)]


def _numbered(number: str, rulings: Sequence[Difference]) -> list[Difference]:
    """The changes of the rule with this number; else of what is below it; else of the rule that it is in."""
    goes_by = [(each, [name for entry in (each.new, each.old) if entry for name in numbers(entry)]) for each in rulings]
    while number:
        nearest = [each for each, names in goes_by if number in names[:1]]
        if matching := nearest or [each for each, names in goes_by if number in names]:
            return matching
        number = re.sub(r"[.-]?[^.-]+$", "", number)
    return []


def _likeliest(line: str, candidates: list[Difference]) -> list[Difference]:
    """Of several changes in one rule those that share words with the sentence; all, where none does."""
    shares = [_share(line, each) for each in candidates]
    return [each for each, share in zip(candidates, shares, strict=True) if share >= SHARED] or candidates


def _named(line: str, rulings: Sequence[Difference]) -> list[Difference]:
    """The changes of the rule whose title or subject the sentence says, the longest that it does."""
    spoken = f" {' '.join(entry_text.vocables(line))} "
    names: dict[str, list[Difference]] = {}
    for each in rulings:
        for entry in (each.new, each.old):
            for name in _names(entry) if entry else ():
                bare = " ".join(entry_text.vocables(name))
                if len(bare) >= NAMED and f" {bare} " in spoken and each not in names.setdefault(bare, []):
                    names[bare].append(each)
    return names[max(names, key=len)] if names else []


def _names(entry: AnyEntry) -> set[str]:
    """What an entry may be called by; of "Tournament Error — Tardiness" also the end."""
    whole = {head(entry).title, entry_text.head(entry), str(entry.subject or "")}
    return whole | {_DASH.split(name)[-1] for name in whole}


def _worded(line: str, rulings: Sequence[Difference]) -> list[Difference]:
    shares = [(share, each) for each in rulings if (share := _share(line, each)) >= SHARED]
    best = max((share for share, _ in shares), default=0.0)
    return [each for share, each in shares if share == best]


def _sums_up(table: Difference, mentioned: set[str]) -> bool:
    """Whether all rows of a table that changed are named like rules of which something is said."""
    if not (isinstance(table.old, Table) and isinstance(table.new, Table)):
        return False
    texts = [(was, now) for what, was, now in both(table) if what == entry_text.ROWS]
    pairs = [pair for was, now in texts for pair in row_pairs.rows(was, now) if pair[0] != pair[1]]
    names = {entry_text.letters(row_pairs.name(now)) for _, now in pairs}
    return all(name and any(title.endswith(name) for title in mentioned) for name in names)


def _share(line: str, difference: Difference) -> float:
    """How many of a sentence's words came or went with a change, or are its name."""
    entry = difference.new or difference.old
    assert entry is not None
    wanted = {word for word in entry_text.vocables(line) if len(word) >= TELLING}
    edited = {word for sign, text in difference.words if sign != "=" for word in entry_text.vocables(text)}
    shared = wanted & (edited | set(entry_text.vocables(head(entry).title)))
    return len(shared) / len(wanted) if len(shared) >= LEAST else 0.0
