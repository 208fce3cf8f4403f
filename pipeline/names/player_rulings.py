"""A book x a player's list -> what of it is the player's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.errors import SourceError, counted
from pipeline.names.list_matching import LineMatch, matches
from pipeline.names.player_list import asked
from pipeline.names.register import Name, Register, register
from pipeline.names.selection import Selection, Tier, choose
from pipeline.records import Book, Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Mine:
    """A list, what its lines mean, and which rulings of a book it asks for."""

    title: str  # of the list
    register: Register
    matches: tuple[LineMatch, ...]
    chosen: Selection

    @property
    def names(self) -> tuple[Name, ...]:
        return tuple(dict.fromkeys(name for each in self.matches for name in each.names))

    @property
    def summary(self) -> str:
        """What came of the list, in a line."""
        missed = sum(not each.names for each in self.matches)
        count = self.chosen.count
        rulings = (
            f"{count(Tier.OF)} about them",
            f"{count(Tier.NAMING)} that name them",
            f"{count(Tier.LED)} they lead to",
        )
        names = f"{counted(len(self.names), 'name')} of {counted(len(self.matches), 'line')}"
        return f"{names}: {', '.join(rulings)}; {count(Tier.GENERAL)} general, {count(Tier.OUT)} of others" + (
            f"; {counted(missed, 'line')} matched nothing" if missed else "")  # fmt: skip


def names_of(book: Book) -> Register:
    """The register of a book; a ruling is of every subject that it is cited from."""
    subjects = [tuple(each.subject for each in ruling.citations if each.subject) for ruling in book.rulings]
    entries = (ruling.entry for ruling in book.rulings)
    return register(entries, book.language, subjects=subjects, game=book.game or "", title=book.title)


def names_in(documents: Iterable[Document]) -> Register:
    """The register of documents as they were read, in the language of most entries."""
    all_documents = list(documents)
    entries = [entry for document in all_documents for entry in document.entries]
    spoken = Counter(entry.language for entry in entries if entry.language).most_common(1)
    games = {document.game for document in all_documents if document.game}
    return register(entries, spoken[0][0] if spoken else "en", game=games.pop() if len(games) == 1 else "")


def mine(known: Register, text: str, path: Path) -> Mine:
    """What a list asks of a book; a SourceError where no line of it names anything there."""
    lines = asked(text, known.language)
    line_matches = matches(lines, known)
    names = [name for each in line_matches for name in each.names]
    if not names:
        near = next(
            (f"; the nearest to “{each.asked.whole}” is {each.nearest}" for each in line_matches if each.nearest), ""
        )
        raise SourceError(f"none of its {counted(len(lines), 'line')} names anything here", where=str(path),
                          hint=f"is it a list of another game?{near}")  # fmt: skip
    return Mine(
        title=" ".join(re.split(r"[-_\s]+", path.stem)).strip() or path.stem,
        register=known,
        matches=line_matches,
        chosen=choose(known, names),
    )


def only(book: Book, of: Mine, least: Tier = Tier.LED) -> Book:
    """The book with what the list asks for, and what an event rules itself."""
    kept = [each for each, tier in zip(book.rulings, of.chosen.tiers, strict=True) if tier >= least or each.layer]
    return replace(book, rulings=tuple(kept))


def tiers(book: Book, of: Mine) -> dict[str, Tier]:
    """Why each ruling is in, by the id of its entry."""
    return {each.entry.id: tier for each, tier in zip(book.rulings, of.chosen.tiers, strict=True)}


def only_in(documents: Iterable[Document], of: Mine) -> list[Document]:
    """Documents with the entries that the list asks for; they are those of ``names_in``, in the same order."""
    tiers = iter(of.chosen.tiers)
    return [
        replace(each, entries=tuple(entry for entry in each.entries if next(tiers) >= Tier.LED)) for each in documents
    ]
