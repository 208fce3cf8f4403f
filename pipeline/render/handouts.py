"""A handout -> PDF: its look, its order, and how many pages it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import store
from pipeline.event import Form
from pipeline.handout import Gap, fit
from pipeline.names import Tier
from pipeline.records import Book, Document, Ruling, Text
from pipeline.render import cards, fonts, line_columns, products, table_layout
from pipeline.render.editions import TABS_LEAST, Edition, Printed, anchor, edition, paths, size
from pipeline.render.index import Placed, index
from pipeline.render.line_columns import Matter
from pipeline.render.look import SIZES, SMALLEST, Look, least, look
from pipeline.render.page_room import MM, gaps, height, length
from pipeline.render.player_book import told
from pipeline.render.words import date, spoken, words

if TYPE_CHECKING:
    from pipeline.config import BookSettings
    from pipeline.event import Event
    from pipeline.handout import Handout, Shown
    from pipeline.render import Printer

BASED_ON: Mapping[Form, str] = {
    "table": "reader", "large": "reader", "pocket": "booklet", "zine": "zine", "cards": "cards",
}  # fmt: skip
# Millimetres of a row of the log: two lines of handwriting.
LOG_ROW: Mapping[Form, float] = {"table": 11.0, "large": 13.0, "pocket": 9.5, "zine": 8.0}
LOG_RULE = 0.6  # millimetres between two rows
BESIDE = 160.0  # millimetres: on a narrower page the event's blocks stand under each other
LARGE_TYPE = 11.0  # points: so do they in type of this size
TEXT_LEAST, TEXT_MOST = 35.0, 75.0  # millimetres of a block of text
PAGE = 3000  # characters that a page of a handout holds at least: places nearer are named once
LEAFED: Mapping[Form, int] = {"pocket": 3, "zine": 2}  # forms of many pages: columns of an index that names them
CONTENTS_LEAST, CONTENTS_MOST = 3, 40  # lines of contents: fewer are seen at once, more are a page of their own
FOOT = 11.0  # millimetres below the text: two lines of sources and their hashes


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoutLook(Look):
    first_top: float  # margin above the first page, which has no running head
    leafed: bool  # of so many pages that a reference names one

    @property
    def paged(self) -> bool:
        return self.leafed


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A subject, the codes of its rulings, and where they stand."""

    term: str
    codes: tuple[str, ...]
    anchors: tuple[str, ...]

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """Each code with its anchor."""
        return tuple(zip(self.codes, self.anchors, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A ruling out of its chapter, under the headings that tell where it is from; "" where the one before told them."""

    each: Printed
    chapter: str
    title: str
    subject: Text | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One of the event's own blocks: beside the others, or under them where lines would be too short."""

    shown: Shown
    share: float  # of the width of all, in per cent
    shape: table_layout.Shape | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Squares:
    """A QR code as one path on a grid."""

    size: int
    path: str


def paper(handout: Handout, settings: BookSettings, printer: Printer) -> bytes:
    """The PDF of a handout, as it is now fitted."""
    press = products.Press(handout.book, replace(settings, cards="all"), None, printer)
    if handout.settings.form == "cards":
        return press.pdf("cards")
    return printer(press.html("handout.html.j2", _context(handout, settings, press.language)), press.pictures)


def write(
    prepared: Sequence[Handout], settings: BookSettings, folder: Path, progress: Callable[[str], None]
) -> list[tuple[Handout, int, Path]]:
    """Fit each handout to its pages, then write them all; a pocket booklet and a zine come ready to fold, too."""
    from pipeline import impose
    from pipeline.render import print_guarded

    fitting: list[tuple[Handout, bytes]] = []
    screens = [(each, screen(each, settings)) for each in prepared if each.settings.form == "web"]
    for each in (each for each in prepared if each.settings.form != "web"):
        if why := _lacks(each):
            progress(f"{each.name}: not made: {why}")
            continue
        printed: dict[int, bytes] = {}

        def measure(plan: Handout, printed: dict[int, bytes] = printed) -> float:
            if plan.settings.form == "cards":
                taken = _card_pages(plan, settings)
            else:
                printed[id(plan)] = paper(plan, settings, print_guarded)
                taken = length(printed[id(plan)], plan.columns, _look(plan, settings).top, int(plan.log))
            progress(f"{plan.name}: {plan.type_size:g} pt, {len(plan.left_out)} left out: {taken:.2f} pages")
            return taken

        def found(plan: Handout, printed: dict[int, bytes] = printed) -> tuple[list[Gap], Callable[[Ruling], float]]:
            shape = _look(plan, settings)
            pdf = printed.get(id(plan)) or paper(plan, settings, print_guarded)
            return gaps(pdf, plan, shape, plan.settings.pages), lambda ruling: height(ruling, shape)

        fitted = fit(each, measure, None if each.settings.form == "cards" else found)
        fitting.append((fitted, printed.get(id(fitted)) or paper(fitted, settings, print_guarded)))
    places = [store.within(folder, f"{each.name}.pdf") for each, _ in fitting]
    written = [
        (each, impose.page_count(pdf), store.write(path, pdf))
        for (each, pdf), path in zip(fitting, places, strict=True)
    ]
    for each, pdf in fitting:
        _to_fold(each, pdf, folder)
    return written + [
        (each, 0, store.write(store.within(folder, f"{each.name}.html"), html)) for each, html in screens
    ]


def screen(handout: Handout, settings: BookSettings) -> str:
    """The web book of an event: what the code on the paper leads to. It says first which rules are in force."""
    from pipeline.render import print_guarded

    event, language = handout.event, settings.language or handout.book.language
    say = words(language)["handout"]
    days = " – ".join(date(day, language) for day in (event.date, event.until) if day)
    frozen = f" {say['frozen']} {date(event.freeze, language)}" if event.freeze else ""
    known = ", ".join(_release_name(document) for document in handout.book.documents)
    notice = (" · ".join(part for part in (days, event.place, event.system) if part),
              f"{say['in_force']}{frozen}{words(language)['colon']} {known}")  # fmt: skip
    book = replace(handout.book, notice=tuple(line for line in notice if line))
    return products.Press(book, settings, None, print_guarded).web()


def _release_name(document: Document) -> str:
    version = f" v{document.version}" if document.version else ""
    return f"{document.title or document.source}{version} [{document.sha256[:8]}]"


def _lacks(handout: Handout) -> str:
    """Why there is nothing to print; "" where there is something."""
    if handout.book.rulings or handout.blocks or (handout.settings.form != "cards" and handout.log):
        return ""
    return "nothing changed since the last event" if handout.settings.changed_only else "no ruling was chosen"


def _card_pages(handout: Handout, settings: BookSettings) -> float:
    """Pages that cards take, fronts and backs; the last sheet by how many there are. Nothing is printed."""
    shape = look("cards", settings)
    sheets, _ = cards.sheets(edition(handout.book, indexed=False), shape.width, shape.height, least(shape))
    full = len(sheets[0].fronts) if sheets else 1
    return sum(len(sheet.fronts) for sheet in sheets) / full + sum(bool(sheet.backs) for sheet in sheets)


def _to_fold(handout: Handout, pdf: bytes, folder: Path) -> None:
    from pipeline import impose

    if handout.settings.form == "pocket":
        store.write(store.within(folder, f"{handout.name}-print.pdf"), impose.booklet_sheets(pdf))
    elif handout.settings.form == "zine":
        store.write(store.within(folder, f"{handout.name}-print.pdf"), impose.zine_sheets(pdf))


def _context(handout: Handout, settings: BookSettings, language: str) -> dict[str, Any]:
    book = replace(handout.book, language=language)
    whole = edition(book, cites="letter", indexed=False)
    printed = {each.entry.id: each for each in whole.rulings}
    own = [each for each in handout.book.rulings if each.layer]
    groups = _groups(handout, language) if handout.tiers else []
    listed = [each for _, group in groups for each in group]
    grouped = {each.entry.id for each in listed}
    since = [each for each in handout.book.rulings if each.since and not each.layer and handout.event.last_event]
    changed = [each for each in since if each.entry.id not in grouped]
    taken = {each.entry.id for each in (*own, *changed)} | grouped
    rest = tuple(each for each in handout.book.rulings if each.entry.id not in taken)
    shape, known = _look(handout, settings), paths(whole)
    this_edition = edition(replace(book, rulings=rest), cites="letter", indexed=False)
    return {
        "handout": handout, "look": shape, "edition": this_edition,
        "contents": _contents(this_edition) if handout.settings.form == "pocket" else [],
        "blocks": _blocks(handout.blocks, shape), "in_column": _in_column(handout.blocks, shape),
        "own": _moved(_grouped(own, printed), known), "changed": _moved(_grouped(changed, printed), known),
        "days": _days(handout.event, language), "new_here": _called(handout, language),
        "groups": [(title, _moved(_in_order(group, printed), known)) for title, group in groups],
        "listed": _listed(handout, language),
        "index": _index(handout.book) if handout.index and handout.settings.form not in LEAFED else [],
        "paged_index": _paged_index(handout, [*changed, *listed, *own, *rest], shape), "qr": _qr(handout.event.url),
        "several": handout.settings.pages != 1,
        "log_row": LOG_ROW[handout.settings.form],
        "log_lines": _log_lines(handout.settings.form, shape),
        "tab_height": 0,
    }  # fmt: skip


def _days(event: Event, language: str) -> str:
    """When it is: "21–22 November 2026"."""
    if not event.date:
        return ""
    if event.until and event.until[:7] == event.date[:7]:
        return f"{int(event.date[8:])}–{date(event.until, language)}"
    return " – ".join(date(day, language) for day in (event.date, event.until) if day)


def _moved(printed: Sequence[Printed], known: Mapping[str, tuple[str, ...]]) -> list[Moved]:
    """Rulings that stand out of their chapters, each with the headings that the one before has not."""
    moved: list[Moved] = []
    before: tuple[str, ...] = ()
    for place, each in enumerate(printed):
        path, subject = known.get(each.anchor, ()), each.entry.subject
        begins = not place or before != path
        chapter = path[-2] if len(path) > 1 and (not before or before[:-1] != path[:-1]) else ""
        again = bool(place) and not begins and printed[place - 1].entry.subject == subject
        moved.append(Moved(each=each, chapter=chapter if begins else "", title=path[-1] if begins and path else "",
                           subject=None if again else subject))  # fmt: skip
        before = path
    return moved


def _contents(this_edition: Edition) -> list[tuple[str, str]]:
    """Anchors and titles of what a booklet is thumbed by: its chapters, or what is right under them where those are
    few; nothing where there is little to choose from."""
    chapters = [(each.anchor, each.title) for each in this_edition.chapters]
    deeper = [line for (anchor, title), chapter in zip(chapters, this_edition.chapters, strict=True)
              for line in ((anchor, title), *((each.anchor, each.text) for each in chapter.titles))]  # fmt: skip
    lines = chapters if len(chapters) >= TABS_LEAST or len(deeper) > CONTENTS_MOST else deeper
    return lines if len(lines) >= CONTENTS_LEAST else []


def _called(handout: Handout, language: str) -> list[str]:
    """What documents are called that are new to the sheet, with their letters."""
    known = {each.source for each in handout.new_here}
    sources = edition(replace(handout.book, language=language), cites="letter").sources
    return [f"{each.letter} = {each.short}" for each in sources if each.document.source in known]


def _grouped(rulings: Sequence[Ruling], printed: Mapping[str, Printed]) -> list[Printed]:
    """By sections in the order in which they are met; what has no subject before what has one, under which it would
    stand, and each subject once."""
    sections = list(dict.fromkeys(each.entry.section for each in rulings))
    subjects = list(dict.fromkeys(str(each.entry.subject or "") for each in rulings))

    def place(ruling: Ruling) -> tuple[int, bool, int]:
        entry = ruling.entry
        subject = str(entry.subject or "")
        return sections.index(entry.section), bool(subject), subjects.index(subject)

    return [printed[each.entry.id] for each in sorted(rulings, key=place)]


def _groups(handout: Handout, language: str) -> list[tuple[str, list[Ruling]]]:
    """What a player's list asks for, by how it comes to it; the general rulings stand in their chapters."""
    ours = words(language)["names"]
    groups = [(ours[tier.name.lower()], [each for each in handout.book.rulings
                                       if handout.tiers.get(each.entry.id) == tier and not each.layer])
            for tier in (Tier.OF, Tier.NAMING, Tier.LED)]  # fmt: skip
    return [(title, rulings) for title, rulings in groups if rulings]


def _listed(handout: Handout, language: str) -> str:
    """What the sheet says of the list that it is for."""
    if not handout.tiers:
        return ""
    outside = handout.others + len(handout.left_out)
    return told(handout.listed, handout.names, len(handout.book.rulings), outside, language)


def _in_order(rulings: list[Ruling], printed: Mapping[str, Printed]) -> list[Printed]:
    return [printed[each.entry.id] for each in rulings]


def _look(handout: Handout, settings: BookSettings) -> HandoutLook:
    form, size = handout.settings.form, handout.type_size
    theme = settings.theme if settings.theme != "large" else "red"
    based = look(BASED_ON[form], replace(settings, type_size=size, theme=theme, columns=handout.columns,
                                         paper=handout.settings.paper or settings.paper))  # fmt: skip
    width, height = (based.width, based.height) if form in ("pocket", "zine") else SIZES[handout.settings.paper or "A4"]
    small = form == "zine"
    fields = {name: getattr(based, name) for name in Look.__dataclass_fields__}
    fields.update(product="handout", width=width, height=height, columns=handout.columns, size=size,
                  line=round(size * 1.22, 2), hang=0, asked=max(SMALLEST, size * 0.95),
                  small=max(SMALLEST, size * 0.88), tiny=max(SMALLEST, size * 0.8), gap=4 if small else 5.5,
                  inside=5 if small else 9, outside=5 if small else 9, top=7 if small else 11,
                  bottom=4 if small else FOOT)  # fmt: skip
    return HandoutLook(first_top=4 if small else 8, leafed=form in LEAFED, **fields)


def _blocks(blocks: Sequence[Shown], shape: Look) -> list[Block]:
    """Blocks with their shares of the page: each as much as its words and columns want."""
    if _in_column(blocks, shape):
        return [Block(shown=each, share=100.0, shape=_shaped(each, shape.measure, shape)) for each in blocks]
    if shape.width <= BESIDE or shape.size >= LARGE_TYPE:
        return [Block(shown=each, share=100.0, shape=_shaped(each, shape.room, shape)) for each in blocks]
    wanted = [_extent(each, shape) for each in blocks]
    whole = (shape.room - shape.gap * (len(blocks) - 1)) * MM
    widths = table_layout.shared([least for least, _ in wanted], [full for _, full in wanted], whole)
    return [
        Block(shown=each, share=round(100 * (width / MM + (shape.gap if place else 0.0)) / shape.room, 2),
              shape=_shaped(each, width / MM, shape))
        for place, (each, width) in enumerate(zip(blocks, widths, strict=True))
    ]  # fmt: skip


def _in_column(blocks: Sequence[Shown], shape: Look) -> bool:
    """Whether blocks are so narrow that they begin the first column: beside them the page would be empty."""
    wanted = [_extent(each, shape)[1] for each in blocks]
    return shape.columns > 1 and bool(blocks) and fsum(wanted) <= shape.measure * MM


def _shaped(shown: Shown, measure: float, shape: Look) -> table_layout.Shape | None:
    return table_layout.shape(shown.rows, shown.heads, measure, shape.small) if shown.rows else None


def _extent(shown: Shown, shape: Look) -> tuple[float, float]:
    """The points that a block needs at least, and those that it would like."""
    least, full = table_layout.extent(shown.rows, shown.heads, shape.small) if shown.rows else (0.0, 0.0)
    texts = [fonts.width(text, shape.size) for text in shown.text]
    title = fonts.width(shown.title, shape.size * 1.12, "Sans", "Bold") + 3 * MM
    liked = min(max(texts, default=0.0), TEXT_MOST * MM)
    return max(least, title, TEXT_LEAST * MM if texts else 0.0), max(full, title, liked)


def _log_lines(form: Form, shape: Look) -> int:
    """Rows that fill the page under the heading, three lines of words and the heads of the columns."""
    above = shape.line * 6.6 / MM
    return int((shape.height - shape.top - shape.bottom - above) / (LOG_ROW[form] + LOG_RULE))


def _index(book: Book) -> list[Found]:
    """What a judge looks for, in alphabetic order, with the codes: names, terms, titles, what is amended."""
    codes = {anchor(ruling.entry): ruling.code for ruling in book.rulings}
    letters = index(_placed(book.rulings), spoken(book.language), book.game or "", near=0)
    lines = [line for letter in letters for line in letter.lines]
    terms = [(line, [each for each in line.anchors if codes[each]]) for line in lines if not line.alias]
    return [Found(term=line.term, codes=tuple(codes[each] for each in anchors), anchors=tuple(anchors))
            for line, anchors in terms if anchors]  # fmt: skip


def _paged_index(handout: Handout, rulings: Sequence[Ruling], shape: Look) -> Matter | None:
    """The index of what is a booklet: with pages, in columns; of the rulings in the order of print."""
    if not handout.index or handout.settings.form not in LEAFED:
        return None
    count = LEAFED[handout.settings.form]
    language, game = spoken(handout.book.language), handout.book.game or ""
    letters = index(_placed(rulings), language, game, near=PAGE)
    return line_columns.index(letters, shape, count)


def _placed(rulings: Iterable[Ruling]) -> list[Placed]:
    return [Placed(entry=each.entry, anchor=anchor(each.entry), size=size(each.entry)) for each in rulings]


def _qr(url: str | None) -> Squares | None:
    if url is None:
        return None
    from pipeline.qr import squares

    rows = squares(url, error="m")
    path = "".join(f"M{x + 4} {y + 4}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return Squares(size=len(rows) + 8, path=path)
