"""Rulings and an event -> what goes on the table: which releases count, who overrides whom, what fits the pages.

The steps: ``in_force`` (freeze date), ``add_layers`` (community, then the event's own), ``prepare`` (what is asked
for), ``fit`` (columns, then type size, then leaving out what matters least, and saying so).
"""

from __future__ import annotations

import calendar
import hashlib
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from pipeline import fields
from pipeline.config import nearest
from pipeline.errors import ConfigError, counted
from pipeline.event import Choice, Event, Form, HandoutSettings, Layer, LayerRuling, handout_name
from pipeline.names import Tier
from pipeline.names.player_rulings import Mine, tiers
from pipeline.penalties import decided, is_decision
from pipeline.records import QA, AnyEntry, Book, Citation, Document, Finding, Kind, Prose, Ruling, Table
from pipeline.text import file_name, fold, rich

# A render a try: how much of the room that the last one showed is used by the next.
CAUTION = (0.98, 0.95, 0.9, 0.8)

# Of a gap: what is measured is a little less than what is printed. Then, whether what fits no gap may push the others
# on, into what is left on the last page, in which it is less sure where they will stand.
FILLED_TO = ((0.95, False), (0.8, True), (0.5, True))
TOPPED, TOP = 4, 0.9  # tries of one ruling more, each of so much of the last gap
NEW_SECTION = 1.6  # times its height: what a ruling takes that opens a section of its own, with its headings

# Type sizes in points, smallest to largest: below the first a cheap printer at arm's length is not readable.
SIZES: dict[Form, tuple[float, float]] = {
    "table": (7.5, 10.5), "pocket": (7.2, 9.5), "zine": (6.5, 8.5), "cards": (7.0, 8.0), "large": (16.0, 20.0),
}  # fmt: skip
# Points that carry text on a page, width x height, after margins, head and foot.
AREAS: dict[Form, tuple[float, float]] = {
    "table": (545.0, 770.0), "pocket": (346.0, 510.0), "zine": (178.0, 268.0),
    "cards": (160.0, 230.0), "large": (510.0, 740.0),
}  # fmt: skip
LETTER_WIDTH = 0.46  # of the type size: the mean of a line of Source Serif, spaces counted
LINE_HEIGHT = 1.27  # of the type size
FILLED = 0.72  # of the lines: the rest is ends of paragraphs, heads and gaps
FULL = 0.97  # of the pages: nearer is not worth another render
OVERHEAD = 70  # letters that a ruling costs beside its words: code, source, gap
CARDS_A_PAGE = 9.0  # sides of cards
CARD_LETTERS = 1200  # that one side holds in the smallest type
ON_CARDS = frozenset({Kind.QA, Kind.ERRATUM, Kind.DEFINITION, Kind.RULE})  # tables and running text are none
GREEDY = 0.25  # of the room: what alone takes more, two pages of a zine, goes behind all that is not new, either
LETTERS_A_LINE = 46  # a column narrower than this hyphenates too much
STEP = 0.25  # points between two type sizes
ALONE_MATTERS = 10**6  # importance of what is never left out
NOWHERE = Citation(source="", page=0)  # of what no source says
CHANGED = 200  # importance of what is new or changed
DECIDES = 300  # importance of a decision table: a judge looks there first, before what changed
TIER_MATTERS = 10**3  # times its tier: what is on a player's list goes before all that matters otherwise
LIST_SIZES = (9.0, 8.5, 8.0, 7.5, 7.2)  # points: of a player's own sheet, the largest that holds what is on the list
LIST_SIZE = 8.0  # where as many pages as needed may be taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A table that the event asked for, or its own block."""

    title: str
    text: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    heads: int = 0  # rows that say what stands below them
    entry: str = ""  # id of the table that it shows: it is not printed twice


@dataclass(frozen=True, slots=True, kw_only=True)
class Handout:
    """What one sheet, booklet, zine or set of cards holds."""

    event: Event
    settings: HandoutSettings
    name: str
    book: Book  # with its layers; rulings are those chosen, in reading order
    blocks: tuple[Shown, ...] = ()
    new_here: tuple[Document, ...] = ()  # younger than the last event, with no release before to compare
    left_out: tuple[Ruling, ...] = ()  # that were asked for but had no room
    type_size: float = 8.0
    columns: int = 2
    index: bool = False
    log: bool = False
    findings: tuple[Finding, ...] = ()
    tiers: Mapping[str, Tier] = field(default_factory=dict)  # of a player's list: why each ruling is in, by its id
    others: int = 0  # rulings that are about none of its names
    names: int = 0  # that it has
    listed: str = ""  # what it is called


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Room at the foot of a column, or on the last page."""

    ids: frozenset[str]  # of the rulings behind which it is
    room: float  # points


Gaps = Callable[[Handout], tuple[Sequence[Gap], Callable[[Ruling], float]]]  # and the points that a ruling takes


# ---------------------------------------------------------------- which releases count


def in_force(documents: Sequence[Document], event: Event) -> tuple[tuple[Document, ...], tuple[Finding, ...]]:
    """The releases that count on the day: dated up to the freeze, in the event's languages."""
    kept, findings = [], []
    for document in documents:
        if event.languages and document.language not in event.languages:
            continue
        if event.freeze and document.date and document.date > event.freeze[: len(document.date)]:
            findings.append(_finding("after-freeze", f"is of {document.date}, after the freeze ({event.freeze})",
                                     document))  # fmt: skip
            continue
        if event.freeze and not document.date:
            findings.append(_finding("no-date", "has no date, so the freeze cannot be checked: it counts", document))
        elif event.freeze and document.date and document.date < event.freeze < _last_day(document.date):
            message = f"is dated {document.date}, frozen on {event.freeze}: it counts"
            findings.append(_finding("near-freeze", message, document))
        kept.append(document)
    if not kept:
        raise ConfigError("no source is left", where=f"{event.path}: {'freeze' if event.freeze else 'languages'}",
                          hint="choose a later day, or other languages")  # fmt: skip
    return tuple(kept), tuple(findings)


def _last_day(date: str) -> str:
    """The last day of a month or a year that is printed without one."""
    year, month = int(date[:4]), int(date[5:7] or 12)
    return date if len(date) == 10 else f"{year:04d}-{month:02d}-{calendar.monthrange(year, month)[1]}"


def _finding(code: str, message: str, document: Document) -> Finding:
    return Finding(code=code, message=message, source=document.source)


# ---------------------------------------------------------------- layers


def add_layers(book: Book, layers: Iterable[Layer]) -> Book:
    """The book with what others say, later layers over earlier ones; what is put aside is kept beside it."""
    for layer in layers:
        for place, own in enumerate(layer.rulings, start=1):
            book = _add(book, layer, own, place)
    return book


def _add(book: Book, layer: Layer, own: LayerRuling, place: int) -> Book:
    entry = _entry(layer, own, book.language)
    aside = _overridden(book, own)
    if own.overrides and aside is None:
        missing = Finding(code="layer-fits-nothing", source=str(layer.path.name),
                          message=f"ruling {place} overrides “{own.overrides}”, which is not in the book")  # fmt: skip
        book = replace(book, findings=(*book.findings, missing))
    if aside is None:
        ruling = Ruling(entry=entry, code=_layer_code(book, layer, entry), layer=layer.by)
        return replace(book, rulings=(*book.rulings, ruling))
    old = book.rulings[aside]
    if finding := _older_than(layer, old, place):
        book = replace(book, findings=(*book.findings, finding))
    entry = replace(entry, section=entry.section or old.entry.section, subject=entry.subject or old.entry.subject)
    new = replace(old, entry=entry, layer=layer.by, variants=(), overrides=(old.entry, *old.overrides))
    return replace(book, rulings=(*book.rulings[:aside], new, *book.rulings[aside + 1 :]))


def _older_than(layer: Layer, old: Ruling, place: int) -> Finding | None:
    """The publisher spoke after the layer: somebody must decide again."""
    if not layer.date or old.layer or not old.since_date or old.since_date <= layer.date[: len(old.since_date)]:
        return None
    return Finding(code="layer-older", source=layer.path.name,
                   message=f"ruling {place} ({layer.date}) overrides {old.code}, which the publisher changed later"
                           f" ({old.since_date})")  # fmt: skip


def _entry(layer: Layer, own: LayerRuling, language: str) -> AnyEntry:
    words = "\n".join((own.question, *own.answer, *own.text, *(cell for row in own.rows for cell in row)))
    name = "layer-" + hashlib.sha256(fold(words).encode()).hexdigest()[:12]
    subject = rich(own.subject) if own.subject else None
    section = (own.section,) if own.section else ()
    if own.question:
        return QA(id=name, section=section, subject=subject, language=language, source=layer.path.name,
                  question=rich(own.question), answer=tuple(map(rich, own.answer)))  # fmt: skip
    if own.rows:
        return Table(id=name, section=section, subject=subject, language=language, source=layer.path.name,
                     rows=tuple(tuple(map(rich, row)) for row in own.rows))  # fmt: skip
    return Prose(id=name, section=section, subject=subject, language=language, source=layer.path.name,
                 text=rich(" ".join(own.text)))  # fmt: skip


def _layer_code(book: Book, layer: Layer, entry: AnyEntry) -> str:
    """Letters of who says so, and a number from the words, so that adding a ruling renames none."""
    letters = "".join(word[0] for word in fold(layer.by).split() if word[0].isalpha()).upper()[:3] or "EV"
    taken = {ruling.code for ruling in book.rulings}
    number = int(hashlib.sha256(entry.id.encode()).hexdigest(), 16) % 90 + 10
    while f"{letters}-{number}" in taken:
        number += 1
    return f"{letters}-{number}"


def _overridden(book: Book, own: LayerRuling) -> int | None:
    """The place of the ruling that is put aside: named by code, id or words, or asked in the same words."""
    wanted = fold(own.overrides or "")
    for place, ruling in enumerate(book.rulings):
        if own.overrides in (ruling.code, ruling.entry.id):
            return place
        if (
            not own.overrides
            and isinstance(ruling.entry, QA)
            and fold(ruling.entry.question) == fold(own.question) != ""
        ):
            return place
    return next((place for place, ruling in enumerate(book.rulings) if wanted and _holds(ruling, wanted)), None)


# ---------------------------------------------------------------- what is asked for


def words_of(entry: AnyEntry) -> str:
    """All the words of an entry, headings first, for searching and counting."""
    texts = [*entry.section, str(entry.subject or ""), *fields.texts(entry, *fields.Use)]
    return "\n".join(texts)


def prepare(book: Book, event: Event, settings: HandoutSettings) -> Handout:
    """One handout of an event, before it is fitted to its pages."""
    _check_choice(book, event.select, event, "select")
    _check_choice(book, event.leave_out, event, "leave_out")
    blocks = tuple(_blocks(book, event, settings))
    if settings.form == "web":
        return _on_a_screen(book, event, settings, blocks)
    book = decided(book)
    shown = {block.entry for block in blocks}
    chosen = [ruling for ruling in book.rulings if ruling.entry.id not in shown and _wanted(ruling, event, settings)]
    if event.select != Choice() and not chosen and not blocks and not settings.changed_only:
        raise ConfigError("chooses no ruling of this book", where=f"{event.path}: select", hint="choose by other words")
    judges = settings.audience == "judges"
    low, high = SIZES[settings.form]
    return Handout(
        event=event, settings=settings, name=handout_name(settings), book=replace(book, rulings=tuple(chosen)),
        blocks=blocks, new_here=_new_here(book, event), type_size=settings.type_size or (low + high) / 2,
        columns=settings.columns or 1, index=judges if settings.index is None else settings.index,
        log=judges if settings.log is None else settings.log, findings=(*_fits_nothing(book, event), *book.findings),
    )  # fmt: skip


def _new_here(book: Book, event: Event) -> tuple[Document, ...]:
    """Documents of which the last event could not know, and nothing tells what is new in them."""
    since = event.last_event
    return tuple(each for each in book.documents if since and each.source in book.alone and (each.date or "") > since)


def _on_a_screen(book: Book, event: Event, settings: HandoutSettings, blocks: Sequence[Shown]) -> Handout:
    """The web book of an event: all that holds there, the same words as on paper. There is room, so only what is left
    out by name is missing."""
    kept = [ruling for ruling in in_place(book.rulings)
            if ruling.layer or _is_first(ruling, event) or not _fits(ruling.entry, event.leave_out)]  # fmt: skip
    own = [ruling for block in blocks if not block.entry for ruling in _as_rulings(block, event, book.language)]
    return Handout(
        event=event, settings=settings, name=handout_name(settings),
        findings=(*_fits_nothing(book, event), *book.findings),
        book=replace(book, title=event.name, game=book.game or book.title, rulings=(*own, *kept)),
    )  # fmt: skip


def _as_rulings(block: Shown, event: Event, language: str) -> Iterable[Ruling]:
    """One of the event's own blocks as text and a table in a chapter of the event."""
    section = tuple(part for part in (event.name, block.title) if part)

    def common(words: str) -> dict[str, Any]:
        name = "event-" + hashlib.sha256(fold(f"{block.title} {words}").encode()).hexdigest()[:12]
        return {"id": name, "section": section, "language": language, "source": event.path.name}

    for text in block.text:
        yield Ruling(entry=Prose(**common(text), text=rich(text)), citations=(NOWHERE,))
    if block.rows:
        rows = tuple(tuple(map(rich, row)) for row in block.rows)
        table = Table(**common("\n".join(cell for row in rows for cell in row)), rows=rows, header_rows=block.heads)
        yield Ruling(entry=table, citations=(NOWHERE,))


def in_place(rulings: Sequence[Ruling]) -> list[Ruling]:
    """The rulings of layers where the publisher's stand that they put aside, or at those of their section and subject;
    what fits no section comes last."""
    placed = [_instead(each) if each.overrides else each for each in rulings if each.overrides or not each.layer]
    for ruling in (each for each in rulings if each.layer and not each.overrides):
        entry = ruling.entry
        wanted = fold(entry.section[-1]) if entry.section else ""
        near = [at for at, each in enumerate(placed) if wanted in map(fold, each.entry.section)]
        if not near:
            section = entry.section or (ruling.layer,)
            placed.append(replace(ruling, entry=replace(entry, section=section), citations=(NOWHERE,)))
            continue
        like = [at for at in near if fold(placed[at].entry.subject or "") == fold(entry.subject or "")]
        at = like[-1] + 1 if like else near[-1] + 1 if entry.subject else near[0]
        beside = placed[(like or near)[-1]].entry
        path = beside.section[: [fold(part) for part in beside.section].index(wanted) + 1]
        placed.insert(
            at, replace(ruling, entry=replace(entry, section=path, source=beside.source), citations=(NOWHERE,))
        )
    return placed


def _instead(ruling: Ruling) -> Ruling:
    """A ruling of a layer at the place of what it puts aside."""
    first = ruling.overrides[-1]
    return replace(ruling, entry=replace(ruling.entry, source=first.source, page=first.page, section=first.section))


def _wanted(ruling: Ruling, event: Event, settings: HandoutSettings) -> bool:
    if ruling.layer or _is_first(ruling, event):
        return True
    if settings.changed_only and ruling.since is None:
        return False
    if settings.form == "cards" and ruling.entry.kind not in ON_CARDS:
        return False
    chooses = event.select != Choice()
    if not chooses and ruling.entry.kind is Kind.TEXT:
        return False  # introductions stay in the booklet
    return (not chooses or _fits(ruling.entry, event.select)) and not _fits(ruling.entry, event.leave_out)


def _fits(entry: AnyEntry, choice: Choice) -> bool:
    sections = [fold(part) for part in entry.section]
    subject = fold(entry.subject or getattr(entry, "term", "") or "")
    return (
        str(entry.kind) in choice.kinds
        or any(fold(wanted) in sections for wanted in choice.sections)
        or any(fold(wanted) in subject for wanted in choice.subjects)
        or any(fold(wanted) in part for wanted in choice.factions for part in (*sections, subject))
        or any(fold(wanted) in fold(words_of(entry)) for wanted in choice.words)
    )


def _is_first(ruling: Ruling, event: Event) -> bool:
    return any(wanted in (ruling.code, ruling.entry.id) or _holds(ruling, fold(wanted)) for wanted in event.first)


def _holds(ruling: Ruling, wanted: str) -> bool:
    """Are these words in it, in any of its wordings? A person copies them from the source that is at hand."""
    return any(wanted in fold(words_of(entry)) for entry in (ruling.entry, *ruling.variants))


def _check_choice(book: Book, choice: Choice, event: Event, key: str) -> None:
    """A section or subject that is not in the book is a slip of the pen, and said."""
    sections = {fold(part): part for ruling in book.rulings for part in ruling.entry.section}
    subjects = {fold(str(name)): str(name) for ruling in book.rulings
                if (name := ruling.entry.subject or getattr(ruling.entry, "term", None))}  # fmt: skip
    for wanted in choice.sections:
        if fold(wanted) not in sections:
            raise ConfigError(f'there is no section "{wanted}" in this book', where=f"{event.path}: {key}.sections",
                              hint=nearest(wanted, sections.values()))  # fmt: skip
    for wanted in choice.subjects:
        if not any(fold(wanted) in subject for subject in subjects):
            raise ConfigError(f'there is no subject "{wanted}" in this book', where=f"{event.path}: {key}.subjects",
                              hint=nearest(wanted, subjects.values()))  # fmt: skip


def _fits_nothing(book: Book, event: Event) -> Iterable[Finding]:
    """What the event asks for and no ruling answers to: nobody would miss it on the sheet."""
    asked = [("first", wanted, replace(event, first=(wanted,)), Choice()) for wanted in event.first]
    none = replace(event, first=())
    asked += [("select.factions", wanted, none, Choice(factions=(wanted,))) for wanted in event.select.factions]
    asked += [("select.words", wanted, none, Choice(words=(wanted,))) for wanted in event.select.words]
    for key, wanted, alone, choice in asked:
        if not any(_is_first(ruling, alone) or _fits(ruling.entry, choice) for ruling in book.rulings):
            yield Finding(code="fits-nothing", source=event.path.name,
                          message=f"{key}: no ruling of this book fits “{wanted}”")  # fmt: skip


def _blocks(book: Book, event: Event, settings: HandoutSettings) -> Iterable[Shown]:
    for place, block in enumerate(event.blocks, start=1):
        if block.audience not in (None, settings.audience):
            continue
        rows, heads, entry = block.rows, _heads(block.rows), ""
        if block.table is not None:
            table = _table(book, block.table)
            if table is None:
                raise ConfigError(
                    f'there is no table "{block.table}" in this book',
                    where=f"{event.path}: blocks {place}.table",
                )
            rows, entry = tuple(tuple(map(str, row)) for row in table.rows), table.id
            heads = table.header_rows if len(rows) > table.header_rows else 0
        yield Shown(title=block.title or block.table or "", text=block.text, rows=rows, heads=heads, entry=entry)


def _heads(rows: Sequence[Sequence[str]]) -> int:
    """One, where the first row names columns: it has no figure where all below it have one."""
    first, *below = [[any(map(str.isdigit, cell)) for cell in row] for row in rows] or [[]]
    return int(bool(below) and any(all(under) and not over for over, *under in zip(first, *below, strict=False)))


def _table(book: Book, words: str) -> Table | None:
    tables = [ruling.entry for ruling in book.rulings if isinstance(ruling.entry, Table)]
    return next(
        (table for table in tables if fold(words) in fold(f"{table.title or ''} {' '.join(table.section)}")),
        None,
    )


# ---------------------------------------------------------------- the budget


def importance(ruling: Ruling, event: Event) -> int:
    """How much it matters on the day: the event's own word first, then what changed, then what is often met. Rules and
    definitions weigh the same, so that those that a book begins with go first: one plays with them."""
    if ruling.layer or _is_first(ruling, event):
        return ALONE_MATTERS
    changed = (CHANGED if ruling.since is not None else 0) + (DECIDES if is_decision(ruling) else 0)
    kind = {Kind.ERRATUM: 30, Kind.QA: 20, Kind.TABLE: 15, Kind.DEFINITION: 10, Kind.RULE: 10, Kind.TEXT: 0}
    met = 12 * (len(ruling.citations) - 1) + 6 * len(ruling.see_also) + (40 if ruling.conflict else 0)
    return changed + kind[ruling.entry.kind] + met


def fit(handout: Handout, measure: Callable[[Handout], float], gaps: Gaps | None = None) -> Handout:
    """The handout within its pages: at most four renders, the largest type that fits, then what matters most; where
    something has no room, small rulings fill the gaps that ``gaps`` finds in what was printed, in three renders more
    and at most four that try one ruling each.

    ``measure`` prints it and tells how many pages it takes, the last one as a part.
    """
    budget = handout.settings.pages or (8 if handout.settings.form == "zine" else None)
    if budget is None:
        return _planned(handout, None, 1.0)
    if handout.settings.form == "cards":
        budget -= budget % 2  # a sheet has a front and a back
    trust, best = 1.0, None
    fits, fails = 0.0, float("inf")  # the trust of the longest that fits, and of the shortest that does not
    for caution in CAUTION:
        plan = _planned(handout, budget, trust)
        if best is not None and not _better(plan, best):
            break
        pages = measure(plan)
        if pages > budget:
            fails = min(fails, trust)
        else:
            best, fits = plan, trust
            whole = not plan.left_out and plan.type_size >= SIZES[plan.settings.form][1]
            if not pages or pages > FULL * budget or whole:
                break
        trust = (_content(plan) + _fixed(plan)) / (pages * _room(plan)) * (1.0 if pages <= budget else caution)
        if trust >= fails and fits:
            trust = (fits + fails) / 2
    if best is None:
        raise ConfigError(
            f"does not fit into {counted(budget, 'page')}",
            where=f"{handout.event.path}: {handout.name}.pages",
            hint="raise pages, or choose fewer blocks, layers and rulings that must stay",
        )
    for share, pushing in FILLED_TO if gaps else ():
        plan = _filled(handout, best, share, pushing, *gaps(best)) if gaps and best.left_out else best
        if len(plan.left_out) < len(best.left_out) and measure(plan) <= budget:
            best = plan
    return _topped(handout, best, lambda plan: measure(plan) <= budget, gaps) if gaps and best.left_out else best


def _topped(handout: Handout, plan: Handout, fits: Callable[[Handout], bool], gaps: Gaps) -> Handout:
    """The plan with more rulings, one by one, where its last gap has room for them: what several pushed out together
    may have room alone, and a page with one line on it has room for much."""
    tried: set[str] = set()
    places, height = gaps(plan)
    for _ in range(TOPPED):
        room = TOP * places[-1].room if places else 0.0
        rest = [ruling for ruling in plan.left_out if ruling.entry.id not in tried and ruling.entry.kind in ON_CARDS]
        small = [ruling for ruling in rest if height(ruling) * NEW_SECTION <= room]
        if not small:
            break
        chosen = max(small, key=partial(_weight, plan)).entry.id
        tried.add(chosen)
        more = _only(handout, plan, {chosen, *(ruling.entry.id for ruling in plan.book.rulings)})
        if fits(more):
            plan = more
            places, height = gaps(plan)
    return plan


def _only(handout: Handout, plan: Handout, kept: Collection[str]) -> Handout:
    """The plan with the rulings of these ids, in the order of the book."""
    rulings = handout.book.rulings
    stay = tuple(ruling for ruling in rulings if ruling.entry.id in kept)
    left = tuple(ruling for ruling in rulings if ruling.entry.id not in kept)
    return replace(plan, book=replace(plan.book, rulings=stay), left_out=left)


def _filled(
    handout: Handout, plan: Handout, share: float, pushing: bool, gaps: Sequence[Gap],
    height: Callable[[Ruling], float],
) -> Handout:  # fmt: skip
    """The plan with small rulings in its gaps, what matters most first: each behind the one that it follows in the
    book, so that what stands on other pages stays there; ``pushing``: or in the last gap, wherever they stand."""
    rulings = handout.book.rulings
    kept = {ruling.entry.id for ruling in plan.book.rulings}
    rooms = [share * gap.room for gap in gaps]
    behind = {name: number for number, gap in enumerate(gaps) for name in gap.ids}
    for place in sorted(range(len(rulings)), key=lambda place: (-_weight(plan, rulings[place]), place)):
        ruling = rulings[place]
        if ruling.entry.id in kept or ruling.entry.kind not in ON_CARDS:
            continue
        before = next((each for each in reversed(rulings[:place]) if each.entry.id in kept), None)
        number = behind.get(before.entry.id) if before and _beside(before, ruling, plan.event) else None
        needed = height(ruling) * (1.0 if before and before.entry.section == ruling.entry.section else NEW_SECTION)
        if pushing and (number is None or needed > rooms[number]):
            number = len(rooms) - 1 if rooms else None
        if number is not None and needed <= rooms[number]:
            kept.add(ruling.entry.id)
            behind[ruling.entry.id] = number
            rooms[number] -= needed
    return _only(handout, plan, kept)


def _beside(one: Ruling, other: Ruling, event: Event) -> bool:
    """Whether both stand in the same part of a sheet: among what changed, in the event's own words, or in chapters."""
    return bool(one.layer) == bool(other.layer) and (not event.last_event or bool(one.since) == bool(other.since))


def _better(plan: Handout, best: Handout) -> bool:
    return (-len(plan.left_out), plan.type_size) > (-len(best.left_out), best.type_size)


def _planned(handout: Handout, budget: int | None, trust: float) -> Handout:
    """The largest type at which everything should fit, or the smallest and what matters most."""
    low, high = SIZES[handout.settings.form]
    sizes = [handout.settings.type_size] if handout.settings.type_size else _steps(high, low)
    letters = _content(handout) + _fixed(handout)
    for size in sizes:
        plan = replace(
            handout, type_size=size, columns=handout.settings.columns or _columns(handout.settings.form, size)
        )
        if (budget is None and size <= (low + high) / 2) or (budget and letters <= budget * _room(plan) * trust):
            return plan
    return plan if budget is None else _shortened(plan, budget * _room(plan) * trust - _fixed(handout))


def _steps(high: float, low: float) -> list[float]:
    return [high - STEP * step for step in range(int((high - low) / STEP + 0.5) + 1)]


def _columns(form: Form, size: float) -> int:
    """As many as leave a line its letters."""
    return max(1, min(4, int(AREAS[form][0] / (size * LETTER_WIDTH * LETTERS_A_LINE))))


def _room(handout: Handout) -> float:
    """Letters that a page should carry; of cards, the rulings."""
    if handout.settings.form == "cards":
        return CARDS_A_PAGE
    width, height = AREAS[handout.settings.form]
    return width * height / (handout.type_size**2 * LETTER_WIDTH * LINE_HEIGHT) * FILLED


def _content(handout: Handout) -> int:
    return sum(_cost(handout, ruling) for ruling in handout.book.rulings)


def _cost(handout: Handout, ruling: Ruling) -> int:
    """What a ruling takes of the room: its letters, or the sides of its cards."""
    if handout.settings.form == "cards":
        return 1 + len(words_of(ruling.entry)) // CARD_LETTERS
    return (
        len(words_of(ruling.entry))
        - len(str(ruling.entry.section))
        + OVERHEAD
        + sum(len(words_of(e)) for e in ruling.overrides)
    )


def _fixed(handout: Handout) -> float:
    """Letters that head, blocks, index and log cost."""
    if handout.settings.form == "cards":
        return 0.0
    blocks = sum(
        len(" ".join(block.text)) + sum(len(" ".join(row)) for row in block.rows) + OVERHEAD for block in handout.blocks
    )
    subjects = {str(ruling.entry.subject) for ruling in handout.book.rulings if ruling.entry.subject}
    index = sum(map(len, subjects)) + 12 * len(subjects) if handout.index else 0
    return 500 + blocks + index + (_room(handout) if handout.log else 0)


def _shortened(plan: Handout, room: float) -> Handout:
    """Without what matters least: of what is not new, first what takes much of the room; among equals the last."""
    rulings, most = plan.book.rulings, GREEDY * room

    def place_in_line(place: int) -> tuple[bool, int, int]:
        weight = _weight(plan, rulings[place])
        return weight < CHANGED and _cost(plan, rulings[place]) > most, -weight, place

    by_weight = sorted(range(len(rulings)), key=place_in_line)
    kept: set[int] = set()
    for place in by_weight:
        needed = importance(rulings[place], plan.event) >= ALONE_MATTERS
        cost = _cost(plan, rulings[place])
        if needed or cost <= room:
            kept.add(place)
            room -= cost
    kept -= _stranded(plan, kept)
    left = tuple(ruling for place, ruling in enumerate(rulings) if place not in kept)
    stay = tuple(ruling for place, ruling in enumerate(rulings) if place in kept)
    return replace(plan, book=replace(plan.book, rulings=stay), left_out=left)


def _stranded(plan: Handout, kept: Collection[int]) -> set[int]:
    """The places of running text whose ruling, the one before it, is left out: alone it says nothing."""
    over: int | None = None
    stranded = set[int]()
    for place, ruling in enumerate(plan.book.rulings):
        if ruling.entry.kind is not Kind.TEXT:
            over = place
        elif over is not None and over not in kept and _weight(plan, ruling) < CHANGED:
            stranded.add(place)
    return stranded


def _weight(plan: Handout, ruling: Ruling) -> int:
    return importance(ruling, plan.event) + TIER_MATTERS * plan.tiers.get(ruling.entry.id, 0)


def narrowed(handout: Handout, of: Mine, ranked: Mapping[str, Tier]) -> Handout:
    """A handout for a player's list: what is about other names stays out and is counted."""
    kept = tuple(each for each in handout.book.rulings if each.layer or ranked.get(each.entry.id, Tier.OUT) > Tier.OUT)
    others = len(handout.book.rulings) - len(kept)
    return replace(handout, book=replace(handout.book, rulings=kept), tiers=ranked, others=others, names=len(of.names),
                   listed=of.title)  # fmt: skip


def for_list(book: Book, of: Mine, pages: int | None = None) -> Handout:
    """A player's own sheet, A5: what is on the list, then the general rulings that its pages have room for.

    The pages are those that are given, else as many as the list takes.
    """
    event, ranked = Event(name=of.title), tiers(book, of)
    pocket = HandoutSettings(form="pocket", name=file_name(of.title) or "list")
    handout = narrowed(prepare(book, event, pocket), of, ranked)
    rulings = tuple(ruling for ruling in handout.book.rulings if ranked.get(ruling.entry.id, Tier.OUT) >= Tier.LED)
    asked = replace(handout, book=replace(book, rulings=rulings), type_size=LIST_SIZE)
    letters = _content(asked) + _fixed(asked)
    pages = pages or math.ceil(letters / _room(asked))
    sizes = [size for size in LIST_SIZES if letters <= pages * _room(replace(asked, type_size=size))]
    settings = replace(handout.settings, pages=pages, type_size=(sizes or LIST_SIZES[-1:])[0])
    return replace(handout, settings=settings, type_size=settings.type_size or LIST_SIZE)


def report(handout: Handout, pages: int, path: Path) -> str:
    """What was printed and what was left out, ruling by ruling."""
    rulings = counted(sum(ruling.entry.kind is not Kind.TEXT for ruling in handout.book.rulings), "ruling")
    if handout.settings.form == "web":
        return f"{path}: {rulings}"
    printed = f"{counted(pages, 'page')}, {counted(len(handout.book.rulings), 'ruling')}"
    look = f"{handout.type_size:g} pt in {counted(handout.columns, 'column')}"
    lines = [f"{path}: {printed} at {look}; {len(handout.left_out)} left out"]
    return "\n".join(lines + [f"  left out: {ruling.code} {_called(ruling.entry)}" for ruling in handout.left_out])


def _called(entry: AnyEntry) -> str:
    first = next((str(text) for text in fields.printed(entry) if text), "")
    name = f"{entry.subject} – {first}" if entry.subject else first
    return name if len(name) <= 90 else name[:89] + "…"
