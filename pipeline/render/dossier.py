"""A book -> its dossiers: A to Z, under each name all that is about it, and where else it is named.

Each ruling is printed once, under the name that it is most about; the others refer to it by name and page. What names
nothing stands at the end: nothing is lost.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from pipeline.names import Name, Origin, Register, register
from pipeline.records import Book, Definition, Erratum, Kind, Note, Past, Prose, Rule, Ruling, Span
from pipeline.render import editions, words
from pipeline.render.editions import Chapter, Edition, Part, Printed
from pipeline.render.index import MANY, wanted
from pipeline.render.look import Look
from pipeline.text import fold, rich

TOLD = 110  # characters of a ruling that is only referred to: two lines of a page
PAST = 700  # characters of an earlier wording: what is longer shows what changed only
ORDER = {Kind.DEFINITION: 0, Kind.ERRATUM: 1, Kind.RULE: 2, Kind.QA: 3, Kind.TABLE: 4, Kind.TEXT: 5}
_NO_WORD = re.compile(r"\W+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A ruling that names something and stands under another name."""

    said: str  # its question, in a line
    verdict: str
    yes: bool
    name: str  # under which it stands
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """A name with all that there is about it."""

    name: str
    anchor: str
    number: str
    also: tuple[str, ...]  # in another language, where no definition below says it
    rulings: tuple[Printed, ...]
    elsewhere: tuple[Elsewhere, ...]
    pages: tuple[int, ...] = ()  # that an erratum corrects which has no head but the name


def context(book: Book, shape: Look, parted: int) -> dict[str, Any]:
    """All that the template of dossiers needs; ``parted``: characters above which it may be printed in parts."""
    whole = editions.edition(with_past(book), cites="name", indexed=False)
    letters, rest = lettered(whole)
    chapters = [Chapter(title=letter, anchor=f"l-{place}", place=place, tab=0, sign=letter, parts=_parts(group))
                for place, (letter, group) in enumerate(letters, start=1)]  # fmt: skip
    if rest:
        title = words.words(whole.language)["names"]["unnamed"]
        part = Part(titles=(), subject=None, subject_level=3, anchor="s-rest", rulings=rest)
        chapters.append(Chapter(title=title, anchor="l-rest", place=len(chapters) + 1, tab=0, sign="–", parts=(part,)))
    sizes = [
        sum(editions.size(each.entry) for part in chapter.parts for each in part.rulings) + 1 for chapter in chapters
    ]
    tabbed = tuple(replace(each, tab=tab) for each, tab in zip(chapters, editions.tab_slots(sizes), strict=True))
    tabs = max((chapter.tab for chapter in tabbed), default=0)
    title = words.words(whole.language)["names"]["dossier"]
    return {
        "edition": replace(whole, title=f"{whole.title} – {title}", chapters=tabbed, glossary=(), reverse=(), tabs=tabs,
                           signs=tuple(dict.fromkeys(chapter.sign for chapter in tabbed))),
        "look": shape,
        "dossiers": {chapter.anchor: group for chapter, (_, group) in zip(tabbed, letters, strict=False)},
        "contents_on_cover": False, "cover_columns": 1,
        "tab_height": min(16.0, (shape.height - shape.top - shape.bottom - 6) / max(1, tabs)),
        "parted": sum(sizes) > parted, "contents": False, "contents_alone": False,
    }  # fmt: skip


def _parts(dossiers: Iterable[Dossier]) -> tuple[Part, ...]:
    return tuple(Part(titles=(), subject=rich(each.name), subject_level=3, anchor=each.anchor, rulings=each.rulings)
                 for each in dossiers)  # fmt: skip


def lettered(this_edition: Edition) -> tuple[list[tuple[str, tuple[Dossier, ...]]], tuple[Printed, ...]]:
    """The dossiers under their letters, and the rulings that name nothing."""
    printed = this_edition.rulings
    known = register((each.entry for each in printed), this_edition.language, game=this_edition.book.game or "",
                     subjects=[_subjects(each.ruling) for each in printed])  # fmt: skip
    homes = _homes(known)
    dossiers = _dossiers(known, homes, printed)

    def filed(each: Dossier) -> str:
        return words.without_article(each.name, this_edition.language)

    dossiers.sort(key=lambda each: words.alphabetic(filed(each), this_edition.language))
    letters = [
        (letter, tuple(group))
        for letter, group in groupby(dossiers, lambda each: words.letter(filed(each), this_edition.language))
    ]
    return letters, tuple(each for place, each in enumerate(printed) if place not in homes)


def _subjects(ruling: Ruling) -> tuple[str, ...]:
    return tuple(each.subject for each in ruling.citations if each.subject)


def _homes(known: Register) -> dict[int, Name]:
    """The name under which each entry is printed: its own; else the rarest that it asks about, or that it names."""
    own: defaultdict[int, list[Name]] = defaultdict(list)
    asked: defaultdict[int, list[Name]] = defaultdict(list)
    named: defaultdict[int, list[Name]] = defaultdict(list)
    for name in known.names:
        for place in name.own:
            own[place].append(name)
        for place in name.asked if name.origin is not Origin.SECTION else ():
            asked[place].append(name)
        for place in name.named if len(name.places) <= MANY and name.origin is not Origin.SECTION else ():
            named[place].append(name)
    homes: dict[int, Name] = {}
    for place, entry in enumerate(known.entries):
        if isinstance(entry, Prose) and entry.subject is None:
            continue
        proper = [name for name in own[place] if name.origin is not Origin.SECTION]
        if proper:
            target = fold(entry.target) if isinstance(entry, Erratum) else ""
            homes[place] = min(proper, key=lambda name: (name.origin, target.find(fold(name.name)), name.key))
        elif candidates := asked[place] or named[place] or own[place]:
            homes[place] = min(candidates, key=lambda name: (len(name.places), name.key))
    return homes


def _dossiers(known: Register, homes: Mapping[int, Name], printed: Sequence[Printed]) -> list[Dossier]:
    prose = {place for place, each in enumerate(printed) if isinstance(each.entry, Prose)}
    dossiers = []
    for number, name in enumerate(known.names, start=1):
        own = [place for place in (*name.own, *name.named) if homes.get(place) is name]
        others = [place for place in wanted(name, prose) if place in homes and homes[place] is not name]
        if not own and (not others or name.origin is Origin.SECTION):
            continue
        shown = sorted((printed[place] for place in sorted(own)), key=lambda each: ORDER[each.entry.kind])
        mentions = [_elsewhere(printed[place], homes[place]) for place in others]
        elsewhere = tuple({(each.said, each.name): each for each in reversed(mentions)}.values())[::-1]
        also = () if any(isinstance(each.entry, Definition) for each in shown) else name.also
        rulings = tuple(_under(name, each, first=not place) for place, each in enumerate(shown))
        pages = [each.entry.pages for each in rulings if isinstance(each.entry, Erratum) and each.headed]
        dossiers.append(Dossier(name=name.name, anchor=f"n-{number}", number=", ".join(name.numbers), also=also,
                            rulings=rulings, elsewhere=elsewhere, pages=pages[0] if pages else ()))  # fmt: skip
    return dossiers


def _under(name: Name, each: Printed, *, first: bool) -> Printed:
    """A ruling under a name: without what it refers to, which is told below all of them, and the first without a head
    that would say the name once more."""
    entry = each.entry
    numbered = isinstance(entry, Rule) and (entry.number or not entry.body)
    called = (getattr(entry, field, None) for field in ("target", "term", "title"))
    is_called = any(_plain(str(text)) == _plain(name.name) for text in called if text)
    return replace(each, headed=first and is_called and not numbered, see=())


def _plain(name: str) -> str:
    return " ".join(_NO_WORD.sub(" ", fold(name)).split())


def _elsewhere(each: Printed, home: Name) -> Elsewhere:
    """A ruling in a line; one that is called as the name under which it stands needs no more than that."""
    entry = each.entry
    called = getattr(entry, "question", None) or getattr(entry, "target", None) or getattr(entry, "term", None)
    question = " ".join(str(called or getattr(entry, "title", None) or entry.subject or "").split())
    question = "" if fold(question) == fold(home.name) else question
    if len(question) > TOLD:
        question = question[:TOLD].rpartition(" ")[0] + "…"
    return Elsewhere(said=question, verdict=each.verdict, yes=each.yes, name=home.name, anchor=each.anchor)


# ---------------------------------------------------------------- what earlier releases said


def with_past(book: Book) -> Book:
    """The book with a note under each ruling that a release changed: when, and which words came and went."""
    language = words.spoken(book.language)
    notes: defaultdict[str, list[Note]] = defaultdict(list)
    for each in reversed(book.past):
        notes[each.entry].append(_note(each, language))
    rulings = tuple(replace(ruling, notes=(*ruling.notes, *notes[ruling.entry.id])) for ruling in book.rulings)
    return replace(book, rulings=rulings) if notes else book


def _note(each: Past, language: str) -> Note:
    """The change with what went struck and what came underlined; of a long text the changed words only."""
    head = words.words(language)["names"]["history"].format(date=words.date(each.date, language)).strip()
    long = sum(len(text) for _, text in each.words) > PAST
    spans = [Span(text=f"{text.strip()} ", struck=sign == "-", underlined=sign == "+") if sign != "=" or not long
             else Span(text="… ") for sign, text in each.words]  # fmt: skip
    return Note(head=rich(head), body=rich(*spans))
