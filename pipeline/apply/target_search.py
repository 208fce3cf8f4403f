"""Where an erratum applies: its pages and its target, found in the rulebook."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.apply.instructions import piece_only, table_words
from pipeline.apply.passages import Passage, Rulebook, at_page, places, tables_of
from pipeline.apply.slots import pages_of
from pipeline.records import Erratum
from pipeline.text import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """A place, or why there is none."""

    place: Passage | None = None
    certain: bool = False  # the page and the heading agree
    reason: str = ""
    about: str = ""
    sheets: tuple[int, ...] = ()

    @property
    def passage(self) -> int | None:
        """The entry that is spoken of, where it is one."""
        return self.place.entries[0] if self.place and self.place.how in ("entry", "lead", "section") else None


def named(erratum: Erratum, language: str) -> tuple[str, str]:
    """What an erratum calls its passage, and the piece of it that is named with it: "Haul", "second paragraph"."""
    target = str(erratum.target).strip() or str(erratum.subject or "").strip()
    head, comma, tail = target.rpartition(",")
    if comma and head.strip() and piece_only(tail, language):
        return head.strip(), tail.strip()
    return target, ""


def where(shelf: Rulebook, erratum: Erratum, language: str) -> Where:
    """The passage that an erratum names. Nothing is certain that has two readings."""
    target = named(erratum, language)[0]
    sheets = tuple(sheet for page in erratum.pages if (sheet := shelf.paging.sheet(page)) is not None)
    if not erratum.pages and not target:
        return Where(reason="no-place")
    if erratum.pages and not sheets and shelf.paging.known:
        return Where(reason="no-such-page", about=_listed(erratum.pages))
    if not shelf.paging.known or not erratum.pages:
        return _in_the_book(shelf, target, language, sheets)
    passages = _named(shelf, target, language, sheets) if target else []
    if len(passages) == 1:
        return Where(place=passages[0], certain=True, sheets=sheets)
    if len(passages) > 1:
        merged = Passage(slots=tuple(s for each in passages for s in each.slots), how="page",
                       entries=tuple(dict.fromkeys(n for each in passages for n in each.entries)))  # fmt: skip
        return Where(place=merged, reason="which-place", about=target, sheets=sheets)
    whole = at_page(shelf, sheets)
    if not target:
        return Where(place=whole, certain=True, sheets=sheets)
    return Where(place=whole, reason=_elsewhere(shelf, target, language), about=target, sheets=sheets)


def _in_the_book(shelf: Rulebook, target: str, language: str, sheets: tuple[int, ...]) -> Where:
    """Without a page the heading alone must do: it must be there, and once."""
    if not target:
        return Where(reason="pages-not-known")
    passages = _named(shelf, target, language, ())
    if len(passages) == 1:
        pages = tuple(pages_of(shelf.document.entries[passages[0].entries[0]]))
        return Where(place=passages[0], certain=True, sheets=pages[:1])
    return Where(reason="which-place" if passages else "no-such-heading", about=target, sheets=sheets)


def _named(shelf: Rulebook, target: str, language: str, sheets: tuple[int, ...]) -> list[Passage]:
    """By its name; else by its name without the word "table" behind it."""
    if passages := places(shelf, target, sheets):
        return passages
    *first, last = target.split()
    if not first or fold(last) not in table_words(language):
        return []
    return [tables_of(shelf, each) for each in places(shelf, " ".join(first), sheets)]


def _elsewhere(shelf: Rulebook, target: str, language: str) -> str:
    return "other-page" if _named(shelf, target, language, ()) else "no-such-heading"


def _listed(pages: tuple[int, ...]) -> str:
    return ", ".join(map(str, pages))
