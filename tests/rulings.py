"""Rulings in the words of two sources, written without looking at the code: which are one, and which only look alike.

Each file of tests/rulings holds pairs of one language: ``same`` (one ruling, worded by a publisher and by players),
``apart`` (another rule, by one word) and ``conflict`` (one question, two answers). ``how`` names what differs.

Run it: python -m tests.rulings [NAME...]
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline.dedup import dedup
from pipeline.dedup.occurrences import body, head
from pipeline.records import AnyEntry, Book, Document, Ruling
from tests import releases

FOLDER = Path(__file__).parent / "rulings"
SOURCES = ("publisher.pdf", "players.pdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One ruling of each source, and what is to become of them: same, apart, conflict."""

    name: str
    become: str
    entries: tuple[AnyEntry, AnyEntry]


def pairs(names: Sequence[str] = ()) -> Iterator[Pair]:
    """All pairs of the files."""
    for path in sorted(FOLDER.glob("*.toml")):
        if names and path.stem not in names:
            continue
        for become, told in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for at, each in enumerate(told, 1):
                both = (_entry(each["one"], path.stem[:2], 2 * at), _entry(each["other"], path.stem[:2], 2 * at + 1))
                yield Pair(name=f"{path.stem} {become} {at} {each['how']}", become=become, entries=both)


def _entry(told: dict[str, Any], language: str, at: int) -> AnyEntry:
    """An entry from the few words that a file says of it."""
    made = {**told, "section": ["General"]}
    if "question" in told:
        made |= {"kind": "qa", "answer": [told["answer"]]}
    elif "term" in told:
        made |= {"kind": "definition", "body": [told["body"]]}
    elif "title" in told:
        made |= {"kind": "rule", "body": [told["body"]]}
    else:
        change = {"operation": "replace", "instruction": told["instruction"], "new": [told["new"]]}
        made |= {"kind": "erratum", "changes": [change]}
    return releases.entry(made, told.get("language", language), at)


def book(several: Sequence[Pair]) -> Book:
    """The rulings of two sources: the first entry of each pair, and the second."""
    return dedup([_document(source, [pair.entries[at] for pair in several]) for at, source in enumerate(SOURCES)])


def _document(source: str, entries: Sequence[AnyEntry]) -> Document:
    placed = tuple(replace(each, id=f"{source[:3]}{at}", source=source) for at, each in enumerate(entries))
    languages = [each.language for each in entries]
    most = max(sorted(set(languages)), key=languages.count)
    return Document(source=source, sha256=source, pages=1, title=source, language=most, date="2026-01", entries=placed)


def became(pair: Pair) -> str:
    """What became of a pair by itself."""
    rulings = book([pair]).rulings
    conflict = any(ruling.conflict for ruling in rulings)
    return "conflict" if conflict else "same" if len(rulings) == 1 else "apart"


def texts(rulings: Sequence[Ruling]) -> list[frozenset[str]]:
    """The texts of each ruling, in all its wordings and disputes."""
    return [frozenset(map(_text, (each.entry, *each.variants, *each.disputed))) for each in rulings]


def _text(entry: AnyEntry) -> str:
    return f"{entry.subject}: {head(entry)} {body(entry)}"


def main(names: Sequence[str]) -> None:
    wrong, total = [], 0
    for pair in pairs(names):
        total += 1
        if (got := became(pair)) != pair.become:
            wrong.append(f"{got:9} {pair.name}")
    print(*wrong, f"{total - len(wrong)} of {total}", sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
