"""A Book -> an Edition: what stands where in print. Pure; knows no template and no page.

Chapters carry the tabs, parts are the headings and subjects in them, and beside the body an edition has an index,
a bilingual glossary and the list of sources.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from typing import Literal

from pipeline import fields
from pipeline.names.heading_names import NUMBER
from pipeline.records import (
    QA,
    AnyEntry,
    Book,
    Change,
    Definition,
    Document,
    Erratum,
    Finding,
    Kind,
    Prose,
    Rule,
    Ruling,
    Table,
    Text,
)  # fmt: skip
from pipeline.render import fonts, titles, words
from pipeline.render.index import IndexLetter, Placed, index
from pipeline.text import cut, fold, rich, trim

MAIN_SHARE = 0.8  # a heading over more of the book than this is its title, not a chapter
CHAPTERS = 24  # of a book of several documents: with more, each document is one chapter
TERMS = 4  # under their initials: fewer are no alphabet
TABS_LEAST, TABS = 6, 14  # with fewer a thumb finds little; more do not fit down the edge of an A5 page
QUOTED = 90  # characters of a quoted new text: underlined, a longer one is harder to read than a block
MOST = 0.8  # of an instruction: an old text that is more of it than this is all of it
INTRO = 400  # characters before the first ruling of a chapter: it does not stay behind at the foot of a page
REFERRED = 40  # characters of a name that a reference shows
COVER_SOURCES = 12  # that a cover names
PAGE_TAB = 6  # characters of the pages beside an erratum
IMPRINT = 400  # characters of a note of rights: a longer text that names them says more than that

# How rulings cite their source: by its name, where a cover tells its date; with its date, on what is cut out and goes
# its own way; by a letter, where room is scarce and the last lines tell which it is.
Cites = Literal["name", "short", "letter"]

_AT = "\u00a0·\u00a0"  # between a source and its page
_COUNTED = re.compile(r"\(\d+\)")  # behind a name that several sources have
_QUOTES = " \u00a0«“„\"'‘’‚‹"  # that open a quotation
_CLOSED = "»”›.,;"  # that close one
_NO_WORD = re.compile(r"\W+")
# "1. Movement", "III – Magic", "A) Setup", "2.1 Shooting", "10 Scoring"
_OWN_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2})*|[IVX]{1,5}|[A-Z])\s?[.:)–—-]\s|(\d{1,2}(?:\.\d{1,2})*)\s+(?=[^\W\d])")
_OWN_LETTER = re.compile(r"\w+\s([A-Z]|\d{1,2}|[IVX]{1,5})(?:\s?[.:)–—-]|$)")  # "Appendix B – Times"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document, with the short name by which rulings cite it."""

    document: Document
    name: str  # "FAQ"; no two that count are called the same
    short: str  # "FAQ juin 2019"
    title: str  # whole, with the game where others are of another
    letter: str  # "A"
    anchor: str
    superseded: bool = False
    imprint: tuple[Text, ...] = ()  # what it says of its rights: no ruling, and told with the source

    @property
    def named(self) -> str:
        """Its own title; with what it is called here, where that says more."""
        own = self.document.title or self.document.source
        return own if fold(self.title) in fold(own) or not self.document.title else f"{self.title} – {own}"

    def says(self, day: str) -> bool:
        """Whether its own title says its date."""
        return day.lower() in (self.document.title or "").lower()

    @property
    def checksum(self) -> str:
        """Of the file, in two halves between which a line may end."""
        return f"{self.document.sha256[:32]} {self.document.sha256[32:]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Rulings that another one names, under the name that they have in common."""

    name: str
    anchors: tuple[str, ...]
    codes: tuple[str, ...] = ()
    told: bool = True  # the name is their own; else that of the section in which they stand


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A ruling, ready for a template."""

    ruling: Ruling
    entry: AnyEntry
    anchor: str
    cited: tuple[str, ...] = ()  # "FAQ · 7"
    see: tuple[Reference, ...] = ()
    verdict: str = ""  # the opening word of the answer, "Oui."
    yes: bool = False
    answer: tuple[Text, ...] = ()  # after the verdict
    changes: tuple[Change, ...] = ()  # of an erratum, without what its instruction quotes already
    disputed: tuple[Other, ...] = ()  # what other sources say instead
    worded: tuple[Other, ...] = ()  # the same ruling in other words
    headed: bool = False  # the heading above it says its title already
    above: str = ""  # what stands above a table that has no title

    @property
    def bare(self) -> bool:
        """Whether it is an erratum without a head of its own: it names neither page nor passage, or a heading does."""
        entry = self.entry
        return isinstance(entry, Erratum) and (self.headed or (not entry.pages and not entry.target))


    @property
    def pages(self) -> str:
        """The pages that an erratum corrects."""
        return ", ".join(map(str, self.entry.pages)) if isinstance(self.entry, Erratum) else ""

    @property
    def page_tab(self) -> str:
        """The same where little fits."""
        if isinstance(self.entry, Erratum) and len(self.pages) > PAGE_TAB:
            return f"{self.entry.pages[0]}…"
        return self.pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """Another source's entry, with the name of that source."""

    entry: AnyEntry
    text: Text
    cited: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Title:
    text: str
    level: int  # of HTML: 3, 4 …
    depth: int  # in the chapter: 1, 2 …
    anchor: str
    tab: int = 0  # slot down the outer edge, where chapters are too few to thumb by
    sign: str = ""  # on the tab


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Rulings under one subject, and the headings that open before them."""

    titles: tuple[Title, ...]
    subject: Text | None
    subject_level: int
    anchor: str
    rulings: tuple[Printed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    title: str
    anchor: str
    place: int  # 1, 2 …
    tab: int  # slot down the outer edge
    parts: tuple[Part, ...]
    number: str = ""  # before the title; "" where titles bring their own
    intro: frozenset[str] = frozenset()  # anchors of the few words before its rulings, which do not stay behind
    sign: str = ""  # on the tab: its number, or its first letter where others have numbers of their own
    of: str = ""  # the document that it is in, where its title alone does not tell

    @property
    def titles(self) -> tuple[Title, ...]:
        return tuple(title for part in self.parts for title in part.titles if title.depth == 1)

    @property
    def marked(self) -> bool:
        """Whether it begins with what a page can be called by: a heading, a subject, a term, a number, a page."""
        part, first = self.parts[0], self.parts[0].rulings[0]
        number = None if first.headed else getattr(first.entry, "number", None)
        return bool(part.titles or part.subject or number or getattr(first.entry, "pages", ())) or (
            isinstance(first.entry, Definition)
        )

    @property
    def count(self) -> int:
        """Of its rulings."""
        return sum(len(part.rulings) for part in self.parts)

    @property
    def numbered_title(self) -> str:
        return f"{self.number} {self.title}" if self.number else self.title

    def leads(self, each: Printed) -> bool:
        """Whether a ruling stays with what follows it: the few words before all others, a rule that is only a title."""
        return each.anchor in self.intro or (isinstance(each.entry, Rule) and not each.entry.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryLine:
    term: str
    other: str
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """What a template prints."""

    book: Book
    title: str  # of the book, as it stands under the name of its game
    game: str  # "" where the title says it
    language: str  # of the words that we print
    date: str  # of the newest source, in words; "" where the title says it
    chapters: tuple[Chapter, ...]
    sources: tuple[Source, ...]
    index: tuple[IndexLetter, ...]
    glossary: tuple[GlossaryLine, ...]
    reverse: tuple[GlossaryLine, ...]  # the glossary from the other language
    casing: Mapping[str, str]  # how running text writes each word, for titles that shout
    since: str = ""  # the newest date of what is marked as changed, in words
    any_changed: bool = False
    tabs: int = 0  # slots
    signs: tuple[str, ...] = ()  # all that stand on tabs, each once
    rulings: tuple[Printed, ...] = ()
    counted: tuple[str, ...] = ()  # "431 questions", "32 errata"
    has_verdicts: bool = False
    has_errata: bool = False
    some_code: str = ""  # for the legend

    @property
    def current(self) -> tuple[Source, ...]:
        """The sources that count."""
        return tuple(each for each in self.sources if not each.superseded)

    @property
    def on_cover(self) -> tuple[Source, ...]:
        """The sources that the cover names: not one that is called like the book, and says no more."""
        telling = (each for each in self.current if each.document.title != self.book.title or each.document.version)
        return tuple(telling)[:COVER_SOURCES]

    @property
    def has_legend(self) -> bool:
        """Whether there are signs that the cover explains."""
        return self.has_verdicts or self.has_errata or bool(self.some_code) or self.any_changed

    @property
    def other_game(self) -> str:
        """The name of the game, as the book has it; "" where the title says it."""
        game = self.book.game or ""
        return game if game not in self.book.title else ""

    @property
    def dated_title(self) -> str:
        return f"{self.book.title} · {self.date}" if self.date else self.book.title

    def tab_mark(self, each: Chapter | Title, height: float) -> str:
        """Which of the signs the tab of a chapter or heading has, and where it stands; "" without tabs."""
        if not each.tab or self.tabs < 2:
            return ""
        return f"{self.signs.index(each.sign)} {round((each.tab - 1) * height, 2)}"


def edition(book: Book, *, cites: Cites = "short", indexed: bool = True) -> Edition:
    """Everything that a product of the book needs, in order; ``indexed``: it has an index."""
    language = words.spoken(book.language)
    sources = _sources(book, language)
    imprints = [ruling.entry for ruling in book.rulings if _is_imprint(ruling.entry)]
    sources = tuple(replace(each, imprint=_texts_of(imprints, each.document.source)) for each in sources)
    book = replace(book, rulings=tuple(ruling for ruling in book.rulings if not _is_imprint(ruling.entry)))
    printed = _printed(book, {each.document.source: (each, getattr(each, cites)) for each in reversed(sources)})
    if cites == "name" and len(book.documents) == 1 and not any(map(_corrects_page, printed)):
        printed = [_by_page(each, words.words(language)["page"]) for each in printed]
    chapters = _chapters(book, printed)
    glossary = [line for each in printed for line in _glossary_lines(each)]
    game, day = book.game or "", words.date(book.date, language)
    casing = titles.casing(str(text) for each in printed for text in every_text(each.entry))
    title = titles.without(book.title, game) or book.title
    title = title[:1].upper() + title[1:]
    return Edition(
        book=book,
        title=title,
        game=game if fold(game) not in fold(title) else "",
        language=language,
        date=day if fold(day) not in fold(book.title) else "",
        chapters=chapters,
        sources=sources,
        index=_calm(index(_placed(chapters), language, book.game or ""), casing) if indexed else (),
        glossary=_sorted_lines(glossary, language),
        reverse=_sorted_lines([replace(line, term=line.other, other=line.term) for line in glossary], language),
        since=words.date(_newest_change(printed), language),
        any_changed=any(each.ruling.since for each in printed),
        tabs=max((each.tab for each in _tabbed(chapters)), default=0),
        signs=tuple(dict.fromkeys(each.sign for each in _tabbed(chapters))),
        casing=casing,
        rulings=tuple(printed),
        counted=_counted(book, language),
        has_verdicts=any(each.verdict for each in printed),
        has_errata=any(map(_corrects_page, printed)),
        some_code=next((each.ruling.code for each in printed if each.ruling.code), ""),
    )


def _newest_change(printed: Iterable[Printed]) -> str:
    return max((each.ruling.since_date or "" for each in printed if each.ruling.since), default="")


def _corrects_page(each: Printed) -> bool:
    return isinstance(each.entry, Erratum) and bool(each.entry.pages)


def _by_page(each: Printed, page: str) -> Printed:
    """Cited by the page alone: where there is one document, and no page of another is named, its name says nothing."""
    places = (place.rpartition(_AT) for place in each.cited)
    return replace(each, cited=tuple(page.format(n=number) if name else number for name, _, number in places))


def _is_imprint(entry: AnyEntry) -> bool:
    if not isinstance(entry, Prose) or entry.unread or len(entry.text) > IMPRINT:
        return False
    return titles.is_rights(entry.text)


def _texts_of(imprints: Iterable[AnyEntry], source: str) -> tuple[Text, ...]:
    return tuple(text for entry in imprints if entry.source == source for text in every_text(entry))


def _counted(book: Book, language: str) -> tuple[str, ...]:
    names = {"qa": "questions", "erratum": "errata", "definition": "definitions", "rule": "rules", "table": "tables"}
    counts = Counter(str(ruling.entry.kind) for ruling in book.rulings)
    ours = words.words(language)
    return tuple(words.counted(counts[kind], ours[name], language) for kind, name in names.items() if counts[kind])


# ---------------------------------------------------------------- sources


def _sources(book: Book, language: str) -> tuple[Source, ...]:
    documents = [(each, False) for each in book.documents] + [(each, True) for each in book.superseded]
    sources = []
    for place, ((document, old), name) in enumerate(zip(documents, titles.short_names(book), strict=True)):
        letter = chr(ord("A") + place % 26)
        sources.append(Source(document=document, name=name, short=titles.dated(name, document.date, language),
                           title=titles.label(document, book), letter=letter, anchor=f"source-{place + 1}",
                           superseded=old))  # fmt: skip
    return tuple(sources)


# ---------------------------------------------------------------- rulings

_Named = dict[str, tuple[Source, str]]  # file -> its source, and how it is cited


def _printed(book: Book, sources: _Named) -> list[Printed]:
    by_id = {ruling.entry.id: ruling for ruling in book.rulings if ruling.entry.kind != Kind.TEXT}
    begins, by_title = opening(book), _called_like_the_book(book)
    rulings = [_telling(_plain(ruling, ruling.entry.id in begins), by_title) for ruling in book.rulings]
    return _cited_once([_print(ruling, sources, by_id) for ruling in rulings])


def opening(book: Book) -> set[str]:
    """Entries before the first ruling of each source: its introduction, which is no ruling that could be new."""
    begun: set[str] = set()
    ids: set[str] = set()
    for entry in (ruling.entry for ruling in book.rulings):
        if not isinstance(entry, Prose) or entry.unread:
            begun.add(entry.source)
        elif entry.source not in begun:
            ids.add(entry.id)
    return ids


def _called_like_the_book(book: Book) -> set[str]:
    """Rulings that have the name of the book, its game or a document: all that is in it names them."""
    titles_ = {fold(title) for each in book.documents for title in (each.title or "", each.game or "")}
    own = (titles_ | {fold(book.title), fold(book.game or "")}) - {""}
    known = ((ruling.entry.id, _known_as(ruling.entry)) for ruling in book.rulings)
    return {name for name, (called, is_own) in known if is_own and fold(called) in own}


def _telling(ruling: Ruling, by_title: Collection[str]) -> Ruling:
    """A ruling without references that say nothing, from and to those that are called like the book."""
    see = () if ruling.entry.id in by_title else tuple(each for each in ruling.see_also if each not in by_title)
    return ruling if see == ruling.see_also else replace(ruling, see_also=see)


def _plain(ruling: Ruling, opening: bool) -> Ruling:
    """Running text is nobody's to call: it has no code and names no other; in an introduction nothing is new."""
    if ruling.entry.kind != Kind.TEXT:
        return ruling
    bare = replace(ruling, code="", see_also=())
    return replace(bare, since=None, since_date=None) if opening else bare


def _cited_once(printed: Sequence[Printed]) -> list[Printed]:
    """Paragraphs of running text that come from one page name it once, at the last of them."""
    goes_on = [_goes_on(each, following) for each, following in pairwise(printed)]
    return [replace(each, cited=()) if on else each for each, on in zip(printed, (*goes_on, False), strict=False)]


def _goes_on(each: Printed, following: Printed) -> bool:
    both = each.entry.kind == following.entry.kind == Kind.TEXT and each.entry.section == following.entry.section
    return both and each.entry.subject == following.entry.subject and each.cited == following.cited


def _print(ruling: Ruling, sources: _Named, by_id: dict[str, Ruling]) -> Printed:
    entry = ruling.entry
    verdict, yes, answer = _verdict(entry) if isinstance(entry, QA) else ("", False, ())
    places = [(c.source, c.page) for c in ruling.citations if _current(c.source, sources)] or [
        (entry.source, entry.page)
    ]
    return Printed(
        ruling=ruling, entry=entry, anchor=anchor(entry), verdict=verdict, yes=yes, answer=answer,
        cited=(ruling.layer,) if ruling.layer else _cites(places, sources),
        see=_refer([by_id[each] for each in ruling.see_also if each in by_id and each != entry.id]),
        changes=tuple(map(_without_twice, entry.changes)) if isinstance(entry, Erratum) else (),
        disputed=_others(ruling.disputed, sources),
        above=_above(entry) if isinstance(entry, Table) else "",
        headed=isinstance(entry, Table) and fold(entry.title or "") in map(fold, entry.section[-1:]),
        worded=tuple(each for each in _others(ruling.variants, sources) if fold(each.text) not in fold(asked(entry))),
    )  # fmt: skip


def _above(table: Table) -> str:
    """What a table without a title is called by: the subject or heading that it stands under."""
    return "" if table.title else str(table.subject or "") or (table.section[-1] if table.section else "")


def _current(source: str, sources: _Named) -> bool:
    return source not in sources or not sources[source][0].superseded


def _others(entries: Iterable[AnyEntry], sources: _Named) -> tuple[Other, ...]:
    return tuple(Other(entry=each, text=asked(each), cited=_cite(each.source, each.page, sources)) for each in entries)


def asked(entry: AnyEntry) -> Text:
    """What an entry is about, in its own words."""
    if isinstance(entry, QA | Erratum | Table):
        return fields.head(entry)
    return next((text for text in fields.texts(entry, fields.Use.BODY) if isinstance(text, Text)), fields.head(entry))


def _without_twice(change: Change) -> Change:
    """Old and new text that the instruction quotes are marked in it, struck and underlined, and not printed again. A
    long new text is a block of its own, as where it is not quoted; an instruction as a whole is never struck."""
    instruction, old, new = change.instruction, change.old, change.new
    if old and str(old) in str(instruction):
        is_long = len(old) > MOST * len(instruction)
        instruction, old = instruction if is_long else _marked(instruction, str(old), struck=True), None
    if new and (parted := _around_quotation(instruction, new)):
        return replace(change, instruction=parted[0], old=old, new=parted[1])
    if new and all(str(part) in str(instruction) for part in new):
        for part in new:
            instruction = _marked(instruction, str(part), underlined=True)
        new = ()
    return replace(change, instruction=instruction, old=old, new=new)


def _around_quotation(instruction: Text, new: Sequence[Text]) -> tuple[Text, tuple[Text, ...]] | None:
    """An instruction without the long text that it quotes, and that text, with the words that stand between its parts;
    None where it quotes no long text."""
    whole, at, starts = str(instruction), str(instruction).rfind(str(new[0])), list[int]()
    for part in new:
        if (at := whole.find(str(part), max(0, at))) <= 0:
            return None
        starts.append(at)
        at += len(part)
    if at - starts[0] < QUOTED:
        return None
    before = trim(cut(instruction, 0, len(whole[: starts[0]].rstrip(_QUOTES))))
    after = trim(cut(instruction, len(whole) - len(whole[at:].lstrip(_QUOTES + _CLOSED))))
    blocks = tuple(trim(cut(instruction, start, end)) for start, end in pairwise((*starts, at)))
    return rich(before, " … ", after) if _NO_WORD.sub("", str(after)) else before, blocks


def _marked(text: Text, words_: str, *, struck: bool = False, underlined: bool = False) -> Text:
    at = str(text).rfind(words_) if underlined else str(text).find(words_)
    end = at + len(words_)
    middle = tuple(replace(span, struck=span.struck or struck, underlined=span.underlined or underlined)
                   for span in cut(text, at, end).spans)  # fmt: skip
    return rich(cut(text, 0, at), Text(middle), cut(text, end))


def anchor(entry: AnyEntry) -> str:
    """Where an entry stands in a product; never a word of the source that could break an address."""
    return "r-" + re.sub(r"[^A-Za-z0-9-]", "-", entry.id)


def _cites(places: Iterable[tuple[str, int]], sources: _Named) -> tuple[str, ...]:
    """Where an entry stands; what the place before says already is not said again: "FAQ (1) · 3, 7, (2) · 4"."""
    citations: list[str] = []
    before = ""
    for cited in dict.fromkeys(_cite(source, page, sources) for source, page in places if page or source):
        name, parted, page = cited.rpartition(_AT)
        stem, _, number = name.rpartition(" ")
        if parted and name == before:
            cited = page
        elif parted and _COUNTED.fullmatch(number) and stem == before.rpartition(" ")[0]:
            cited = f"{number}{_AT}{page}"
        citations.append(cited)
        before = name
    return tuple(citations)


def _cite(source: str, page: int, sources: _Named) -> str:
    name = sources[source][1] if source in sources else source.removesuffix(".pdf")
    return f"{name}{_AT}{page}" if page else name


def _refer(rulings: Sequence[Ruling]) -> tuple[Reference, ...]:
    """The rulings by their names, each name once: so that a reader knows what is there, and where to look."""
    references: dict[str, Reference] = {}
    for each in rulings:
        name, own_name = _known_as(each.entry)
        reference = references.setdefault(fold(name), Reference(name=name, anchors=(), told=own_name))
        codes = (*reference.codes, *([each.code] if each.code else []))
        references[fold(name)] = replace(reference, anchors=(*reference.anchors, anchor(each.entry)), codes=codes)
    return tuple(references.values())


def _known_as(entry: AnyEntry) -> tuple[str, bool]:
    """What an entry is called where it is referred to, and whether that is its own name."""
    own = str(entry.subject or getattr(entry, "term", None) or getattr(entry, "target", None) or "")
    if isinstance(entry, Rule | Table) and entry.title:
        own = own or " ".join(filter(None, (getattr(entry, "number", None), str(entry.title))))
    name = NUMBER.sub("", own).strip(titles.LOOSE) or own
    if len(name) > REFERRED:
        name = name[:REFERRED].rpartition(" ")[0].rstrip(titles.LOOSE) + "…"
    return (name, True) if name else (entry.section[-1].strip(titles.LOOSE) if entry.section else "", False)


def _called(entry: AnyEntry) -> str:
    names = (entry.subject, *(getattr(entry, field, None) for field in ("term", "number", "target")))
    return next((str(name) for name in names if name), entry.id)


def _verdict(entry: QA) -> tuple[str, bool, tuple[Text, ...]]:
    """The yes or no that opens the answer, which one it is, and the answer without it."""
    if not entry.answer:
        return "", False, ()
    first = entry.answer[0]
    ours = words.words(entry.language)["verdicts"]
    for yes, openers in ((True, ours["yes"]), (False, ours["no"])):
        for opener in sorted(openers, key=len, reverse=True):
            stop = r"(?!\w)\s?[.,;:!]*" if opener in ours["bare"] else r"\s?(?:[.,;:!]+|$)"
            match = re.match(re.escape(opener) + stop, str(first), re.IGNORECASE)
            if match:
                rest = trim(cut(first, match.end()))
                return match[0].strip(), yes, ((rest, *entry.answer[1:]) if rest else entry.answer[1:])
    return "", False, entry.answer


def every_text(entry: AnyEntry) -> tuple[Text, ...]:
    """Every text that an entry prints."""
    return fields.printed(entry)


def missing_glyphs(entries: Iterable[AnyEntry]) -> tuple[Finding, ...]:
    """A finding for each entry with letters that no font here has: they are printed as [?], and should be looked at."""
    return tuple(_missing(entry, lost) for entry in entries if (lost := _lost(entry)))


def _lost(entry: AnyEntry) -> list[str]:
    return list(dict.fromkeys(letter for text in every_text(entry) for letter in fonts.unprintable(text)))


def _missing(entry: AnyEntry, lost: Sequence[str]) -> Finding:
    names = ((letter, unicodedata.name(letter, "no name").lower()) for letter in lost[:3])
    named = ", ".join(f"{letter!r} (U+{ord(letter):04X} {name})" for letter, name in names)
    more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
    return Finding(
        code="missing-glyph",
        message=f"no font here has {named}{more}; printed as {fonts.UNREADABLE} in {entry.id}",
        page=entry.page,
        source=entry.source,
    )


def size(entry: AnyEntry) -> int:
    """About how many characters an entry prints."""
    return sum(map(len, every_text(entry)))


# ---------------------------------------------------------------- chapters


def _chapters(book: Book, printed: Sequence[Printed]) -> tuple[Chapter, ...]:
    paths = _paths(book, printed)
    skip = _shared_depth(paths)
    rows = _under_headings(book, _no_letters(book, [path[skip:] or path[-1:] for path in paths], printed), printed)
    rows = _under_their_own(rows)
    groups = [
        (title, list(group)) for (title, _), group in groupby(rows, key=lambda row: (row[0][0], row[1].entry.source))
    ]
    tabs = tab_slots([sum(size(each.entry) for _, each in group) for _, group in groups])
    signs = _signs([title for title, _ in groups])
    named = _named(book, [(title, group[0][1].entry.source) for title, group in groups])
    return _with_deeper_tabs(
        Chapter(
            title=title, anchor=f"c-{place}", place=place, tab=tab, number=number, sign=sign,
            parts=_parts(group, place), intro=_intro([each for _, each in group]),
            of=of,
        )
        for place, ((title, group), tab, (number, sign), of) in enumerate(
            zip(groups, tabs, signs, named, strict=True), start=1
        )
    )


def _tabbed(chapters: Iterable[Chapter]) -> Iterable[Chapter | Title]:
    """What has a tab: chapters, or the headings in them."""
    for chapter in chapters:
        headings: tuple[Chapter | Title, ...] = (chapter, *chapter.titles)
        yield from (each for each in headings if each.tab)


def _with_deeper_tabs(all_chapters: Iterable[Chapter]) -> tuple[Chapter, ...]:
    """Where chapters are too few for tabs to help, the headings right under them have the tabs."""
    chapters = tuple(all_chapters)
    if len(chapters) >= TABS_LEAST:
        return chapters
    runs = [(chapter, title, sum(size(each.entry) for part in parts for each in part.rulings))
            for chapter in chapters for title, parts in _by_title(chapter)]  # fmt: skip
    if len(runs) < TABS_LEAST:
        return chapters
    tabs = tab_slots([extent for *_, extent in runs])
    slots = {(chapter.anchor, title.anchor if title else ""): slot
             for (chapter, title, _), slot in zip(runs, tabs, strict=True)}  # fmt: skip

    def tabbed(chapter: Chapter, title: Title) -> Title:
        slot = slots.get((chapter.anchor, title.anchor), 0) if title.depth == 1 else 0
        return replace(title, tab=slot, sign=_letter(title.text) if slot else "")

    return tuple(
        replace(
            chapter, tab=slots.get((chapter.anchor, ""), 0), sign=_letter(chapter.title),
            parts=tuple(replace(part, titles=tuple(tabbed(chapter, each) for each in part.titles))
                        for part in chapter.parts),
        )
        for chapter in chapters
    )  # fmt: skip


def paths(edition: Edition) -> dict[str, tuple[str, ...]]:
    """The headings over each ruling, as they are printed, by its anchor."""
    by_anchor: dict[str, tuple[str, ...]] = {}
    for chapter in edition.chapters:
        path: tuple[str, ...] = (chapter.title,)
        for part in chapter.parts:
            for title in part.titles:
                path = (*path[: title.depth], title.text)
            by_anchor |= dict.fromkeys((each.anchor for each in part.rulings), path)
    return by_anchor


def _by_title(chapter: Chapter) -> list[tuple[Title | None, list[Part]]]:
    """The parts of a chapter by the heading right under it; those before the first under none."""
    groups: list[tuple[Title | None, list[Part]]] = []
    for part in chapter.parts:
        opened = next((title for title in part.titles if title.depth == 1), None)
        if opened or not groups:
            groups.append((opened, []))
        groups[-1][1].append(part)
    return groups


def _named(book: Book, chapters: Sequence[tuple[str, str]]) -> list[str]:
    """The document's name beside each title: where a document begins and the title does not say it, and where another
    chapter has the same title. A name that is the book's or the game's tells nothing apart."""
    labels, titles = _labels(book), Counter(fold(title) for title, _ in chapters)
    own = {fold(book.title), fold(book.game or "")}
    names: list[str] = []
    before = ""
    for title, source in chapters:
        name = labels.get(source, "")
        clear = len(labels) < 2 or fold(name) in own or fold(name) in fold(title) or fold(name).startswith(fold(title))
        names.append("" if clear or (source == before and titles[fold(title)] == 1) else name)
        before = source
    return names


def _intro(printed: Sequence[Printed]) -> frozenset[str]:
    """The running text with which a chapter begins, where it is short and something follows."""
    opening = list(takewhile(lambda each: isinstance(each.entry, Prose), printed))
    short = sum(size(each.entry) for each in opening) <= INTRO
    return frozenset(each.anchor for each in opening) if short and len(opening) < len(printed) else frozenset()


def _under_headings(
    book: Book, paths: Sequence[tuple[str, ...]], printed: Sequence[Printed]
) -> list[tuple[tuple[str, ...], Printed]]:
    """Each entry with the headings over it. What stands under none: a titled rule among sections as one of them, all
    else in the only section of its document, in a preamble where it introduces it, or under the document's name."""
    opening, several = words.words(book.language)["opening"], len(book.documents) > 1
    labels = _labels(book)
    only = _only_sections(paths, printed)
    sectioned = _sectioned(paths, printed)
    rows: list[tuple[tuple[str, ...], Printed]] = []
    begun: set[str] = set()  # sources that are past their introduction
    over = ""  # the titled rule that we are under
    opened = _opened(paths, printed)
    for place, (path, each) in enumerate(zip(paths, printed, strict=True)):
        entry = each.entry
        if path or (place and printed[place - 1].entry.source != entry.source):
            over = ""
        if place in opened:
            path, each = (opened[place],), replace(each, headed=True)
        if not path and entry.source in sectioned and isinstance(entry, Rule) and entry.title and not entry.number:
            over, each = str(entry.title), replace(each, headed=True)
        path = path or (() if over else only.get(entry.source, ()))
        if path or over or not isinstance(entry, Prose):
            begun.add(entry.source)
        label = labels.get(entry.source, "") if several or entry.source in begun else ""
        rows.append((path or (over or label or opening,), each))
    return rows


def _sectioned(paths: Sequence[tuple[str, ...]], printed: Sequence[Printed]) -> set[str]:
    """The sources in which more stands under headings than under none."""
    counts: Counter[str] = Counter()
    for path, each in zip(paths, printed, strict=True):
        counts[each.entry.source] += 1 if path else -1
    return {source for source, more in counts.items() if more > 0}


def _under_their_own(rows: Sequence[tuple[tuple[str, ...], Printed]]) -> list[tuple[tuple[str, ...], Printed]]:
    """A rule or a table over which others are grouped stands under the heading that says its number and title, not
    before it: both would be read twice."""
    regrouped = list(rows)
    for place in range(len(regrouped) - 2, -1, -1):
        (path, each), (below, following) = regrouped[place], regrouped[place + 1]
        entry, deeper = each.entry, below[len(path) : len(path) + 1]
        if not (isinstance(entry, Rule | Table) and entry.title and getattr(entry, "body", True) and deeper):
            continue
        if below[: len(path)] == path and entry.source == following.entry.source and _says(deeper[0], entry):
            regrouped[place] = (path + deeper, replace(each, headed=True))
    return regrouped


def _says(heading: str, entry: Rule | Table) -> bool:
    """Whether a heading is a rule's number and title, however they are parted, or the title of a table."""
    number = getattr(entry, "number", None) or ""
    return _NO_WORD.sub(" ", fold(heading)).split() == _NO_WORD.sub(" ", fold(f"{number} {entry.title}")).split()


def _named_once(rulings: Sequence[Printed], over: str) -> tuple[Printed, ...]:
    """Rulings under what stands over them: a table that would be called by it is not, where nothing but its rule stands
    between them."""
    near = {each.anchor for place, each in enumerate(rulings[:2]) if not place or rulings[0].headed}
    return tuple(replace(each, above="") if each.above == over and each.anchor in near else each for each in rulings)


def _labels(book: Book) -> dict[str, str]:
    """What each document is called as a chapter."""
    several = len(book.documents) > 1
    return {each.source: titles.label(each, book) if several else each.title or book.title for each in book.documents}


def _no_letters(
    book: Book, paths: Sequence[tuple[str, ...]], printed: Sequence[Printed]
) -> Sequence[tuple[str, ...]]:
    """The letters of an alphabet are no chapters: terms under their initials stand under their document."""
    initials = [len(path[0]) == 1 and fold(_called(each.entry))[:1] == fold(path[0]) if path else False
                for path, each in zip(paths, printed, strict=True)]  # fmt: skip
    if sum(initials) < TERMS:
        return paths
    labels = _labels(book)
    return [_under(labels.get(each.entry.source, ""), path) if initial else path
            for path, each, initial in zip(paths, printed, initials, strict=True)]  # fmt: skip


def _opened(paths: Sequence[tuple[str, ...]], printed: Sequence[Printed]) -> dict[int, str]:
    """The chapter of each numbered rule that stands between sections: the one that follows and says its title, as an
    appendix does under its heading, or else one of its own."""
    opened: dict[int, str] = {}
    around = [(), *paths, ()]
    for place in range(len(printed) - 1, -1, -1):
        rule, before, after = printed[place].entry, around[place], around[place + 2]
        opens = after or place + 1 in opened
        if paths[place] or not (isinstance(rule, Rule) and rule.number and rule.title and opens):
            continue
        if rule.source != printed[place + 1].entry.source:
            continue
        if after and fold(rule.title) in fold(after[0]):
            opened[place] = after[0]
        elif before:
            opened[place] = f"{rule.number} {rule.title}"
    return opened


def _only_sections(paths: Sequence[tuple[str, ...]], printed: Sequence[Printed]) -> dict[str, tuple[str, ...]]:
    """The sources that have one section, and its heading."""
    by_name: dict[str, set[tuple[str, ...]]] = {}
    for path, each in zip(paths, printed, strict=True):
        if path:
            by_name.setdefault(each.entry.source, set()).add(path[:1])
    return {source: next(iter(heads)) for source, heads in by_name.items() if len(heads) == 1}


def _signs(titles: Sequence[str]) -> list[tuple[str, str]]:
    """What stands before each title and on its tab. Where titles have numbers, ours beside them would only confuse."""
    own = [_OWN_NUMBER.match(title) for title in titles]
    if not any(own):
        return [(str(place), str(place)) for place in range(1, len(titles) + 1)]
    return [("", match[1] or match[2] if match else _letter(title)) for title, match in zip(titles, own, strict=True)]


def _letter(title: str) -> str:
    """The letter of an appendix, else the first of the title."""
    match = _OWN_LETTER.match(title)
    return match[1] if match else title.lstrip("«“„\"' ")[:1].upper()


def _paths(book: Book, printed: Sequence[Printed]) -> list[tuple[str, ...]]:
    """The headings over each entry. Where several documents make the book, and they are not all for one game, or their
    sections would be too many chapters, each document is one."""
    paths = [tuple(filter(None, (heading.strip(" \u00a0:") for heading in each.entry.section))) for each in printed]
    sections = {(each.entry.source, path[:1]) for path, each in zip(paths, printed, strict=True)}
    of_several_games = not book.game and any(document.game for document in book.documents)
    if len(book.documents) < 2 or (len(sections) <= CHAPTERS and not of_several_games):
        return paths
    labels = {document.source: titles.label(document, book) for document in book.documents}
    return [_under(labels.get(each.entry.source, ""), path) for path, each in zip(paths, printed, strict=True)]


def _under(label: str, path: tuple[str, ...]) -> tuple[str, ...]:
    return path if not label or (path and fold(path[0]) == fold(label)) else (label, *path)


def _shared_depth(paths: Sequence[tuple[str, ...]]) -> int:
    """How many outer headings stand over nearly the whole book: they are its title, not chapters."""
    depth = 0
    while paths:
        heads = Counter(path[: depth + 1] for path in paths)
        head, count = heads.most_common(1)[0]
        deeper = sum(1 for path in paths if path[: depth + 1] == head and len(path) > depth + 1)
        if len(head) <= depth or count < MAIN_SHARE * len(paths) or deeper < MAIN_SHARE * count or count < len(paths):
            return depth
        depth += 1
    return depth


def tab_slots(sizes: Sequence[int]) -> list[int]:
    """The slot of each chapter down the edge; small neighbours share one when there are too many."""
    if len(sizes) <= TABS:
        return list(range(1, len(sizes) + 1))
    share, slot, taken, slots = sum(sizes) / TABS, 1, 0.0, []
    for each in sizes:
        if taken and taken + each / 2 > share and slot < TABS:
            slot, taken = slot + 1, 0.0
        taken += each
        slots.append(slot)
    return slots


def _parts(rows: Sequence[tuple[tuple[str, ...], Printed]], place: int) -> tuple[Part, ...]:
    parts: list[Part] = []
    open_titles: tuple[str, ...] = ()
    runs = groupby(rows, key=lambda row: (row[0], str(row[1].entry.subject or "")))
    for number, ((path, _), group) in enumerate(runs, start=1):
        rulings = tuple(each for _, each in group)
        inner = path[1:]
        same = 0
        while same < min(len(inner), len(open_titles)) and inner[same] == open_titles[same]:
            same += 1
        titles = tuple(
            Title(text=text, level=min(6, 3 + depth), depth=depth + 1, anchor=f"t-{place}-{number}-{depth}")
            for depth, text in enumerate(inner) if depth >= same
        )  # fmt: skip
        open_titles = inner
        subject = rulings[0].entry.subject
        over = str(subject or "") or (titles[-1].text if titles else path[0] if number == 1 else "")
        parts.append(Part(titles=titles, subject=subject, subject_level=min(6, 3 + len(inner)),
                         anchor=f"s-{place}-{number}", rulings=_named_once(rulings, over)))  # fmt: skip
    return tuple(parts)


# ---------------------------------------------------------------- index and glossary


def _placed(chapters: Sequence[Chapter]) -> list[Placed]:
    printed = (each for chapter in chapters for part in chapter.parts for each in part.rulings)
    return [Placed(entry=each.entry, anchor=each.anchor, size=size(each.entry)) for each in printed]


def _calm(letters: Iterable[IndexLetter], casing: Mapping[str, str]) -> tuple[IndexLetter, ...]:
    """The index in sentence case where a publisher shouts: beside names in small letters capitals seem to say more."""
    return tuple(
        replace(group, lines=tuple(replace(line, term=titles.calm(line.term, casing)) for line in group.lines))
        for group in letters
    )


def _glossary_lines(each: Printed) -> list[GlossaryLine]:
    entry = each.entry
    if not isinstance(entry, Definition):
        return []
    return [GlossaryLine(term=str(entry.term), other=name, anchor=each.anchor) for name in entry.aliases]


def _sorted_lines(lines: Iterable[GlossaryLine], language: str) -> tuple[GlossaryLine, ...]:
    return tuple(sorted(lines, key=lambda line: words.alphabetic(line.term, language)))
