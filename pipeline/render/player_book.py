"""A book for a player's list, with what it says of that: how many rulings are in and out, and what leads to which."""

from __future__ import annotations

from dataclasses import replace

from pipeline.names import Tier
from pipeline.names.player_rulings import Mine, only
from pipeline.records import Book, Note, Ruling
from pipeline.render import words
from pipeline.text import rich

NAMED = 3  # names that lead to a definition and are said there


def told(title: str, names: int, inside: int, outside: int, language: str) -> str:
    """What a page says of the list that it is for."""
    ours = words.words(language)["names"]
    head = ours["for_list"].format(name=title, names=words.counted(names, ours["found"], language))
    counts = ((inside, "inside"), (outside, "outside"))
    return f"{head} {', '.join(words.counted(count, ours[key], language) for count, key in counts)}."


def noted(book: Book, of: Mine) -> Book:
    """The book with what the list asks for; what it only leads to says so."""
    language = words.spoken(book.language)
    notes = {ruling.entry.id: _note(names, language)
             for ruling, tier, names in zip(book.rulings, of.chosen.tiers, of.chosen.by, strict=True)
             if tier is Tier.LED}  # fmt: skip
    kept = only(book, of)
    rulings = tuple(_with_note(ruling, notes.get(ruling.entry.id)) for ruling in kept.rulings)
    line = told(of.title, len(of.names), len(rulings), len(book.rulings) - len(rulings), language)
    return replace(kept, rulings=rulings, notice=(line, *kept.notice))


def _note(names: tuple[str, ...], language: str) -> Note:
    shown = ", ".join(names[:NAMED]) + ("…" if len(names) > NAMED else "")
    return Note(head=rich(words.words(language)["names"]["by_way"].format(names=shown)))


def _with_note(ruling: Ruling, note: Note | None) -> Ruling:
    return replace(ruling, notes=(*ruling.notes, note)) if note else ruling
