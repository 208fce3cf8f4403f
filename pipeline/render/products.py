"""Each product: its template, what the template needs, and how its pages are put on sheets."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import impose, store
from pipeline.errors import ConfigError, UsageError
from pipeline.handout import ON_CARDS
from pipeline.penalties import decided
from pipeline.records import Book, Erratum, Text
from pipeline.render import cards, datasheets, dossier, fonts, line_columns, long_print, page, paper
from pipeline.render.editions import Cites, Edition, Printed, edition, every_text, opening, size
from pipeline.render.hairlines import sturdy
from pipeline.render.look import Look, least, look

if TYPE_CHECKING:
    from pipeline.config import BookSettings

Printer = Callable[[str, Mapping[str, str]], bytes]

# Printing file -> the reading file that it is made of.
IMPOSED = {"booklet-print": "booklet", "dossier-print": "dossier", "zine-print": "zine"}
STITCHED = {name: source for name, source in IMPOSED.items() if source != "zine"}
SCREEN = {"web": "web.html", "epub": "book.epub"}  # what is not printed, and the names of its files
CITES: Mapping[str, Cites] = {"sheet": "letter", "zine": "letter", "booklet": "name", "reader": "name"}
TERSE = ("sheet", "zine")  # where room is scarce
GROWN = 10.5  # points: type of a sheet that has a page to fill
GROWING = (1500, 27_000)  # characters: three pages of 9,000; fewer are no page however large
FILLED = 0.97  # of its pages: nearer is not worth another try
TRIES = 3
INDEXED = ("booklet", "reader")
TORN = ("booklet", "reader", "sheet")  # of pages on which a datasheet has room
FOREIGN = 0.02  # of its letters: more than that, and the book is in a script that we cannot print
CARDS = 54  # six sheets: so many are printed though none of them is new
BACK_MATTER = 3  # lines of contents for what follows the chapters: glossary, index, sources
TURNED = {"reader": 11_000}  # characters: what is shorter stands on two pages, and needs no contents or index
TURNED_SMALL = 4000  # the same in a booklet
COVER_LINES = 20  # contents so short stand on the cover, beside what it says anyway
COVER_LINES_LARGE = 12  # the same in large type
COVER_COLUMN = 11  # lines of them in one column
COVER_SOURCES = 5  # lines of sources that leave room for them
LONGEST = 25_000_000  # characters: 50,000 rulings; the page of so many is as long as can be printed
PARTED = 500_000  # characters: a book of 200 pages and more says where it may be printed in parts
CONTENTS_FULL = 0.6  # of a page: contents that end above share it with the beginning of the text
CONTENTS_MOST = 150  # lines that two columns on a spread hold: above it only chapters are listed


def make(
    book: Book, product: str, out: Path, *, settings: BookSettings | None, templates: Path | None, printer: Printer
) -> Path:
    """Write one product to ``out``; what is imposed is printed from its reading file."""
    press = Press(book, settings, templates, printer)
    if why := press.lacks(IMPOSED.get(product, product)):
        raise UsageError(f"there are no {product} to print: {why}", where=book.title)
    if product in SCREEN:
        return store.write(out, press.on_screen(product))
    reading = press.pdf(IMPOSED.get(product, product))
    return store.write(out, press.imposed(product, reading) if product in IMPOSED else reading)


def make_all(
    book: Book, products: Sequence[str], folder: Path, *, settings: BookSettings | None, templates: Path | None,
    printer: Printer, progress: Callable[[str], None],
) -> list[Path]:  # fmt: skip
    """Write products to ``folder``, the reading and the printing file of each; what is there already is left alone. One
    that has nothing to print is not made, and an older file of its name goes. First what is for a screen: it needs no
    Pango."""
    press = Press(book, settings, templates, printer)
    wanted = sorted(dict.fromkeys(IMPOSED.get(name, name) for name in products), key=lambda name: name not in SCREEN)
    written: list[Path] = []
    for place, product in enumerate(wanted, start=1):
        if why := press.lacks(product):
            progress(f"{book.name}: no {product}: {why}")
            (folder / f"{product}.pdf").unlink(missing_ok=True)
            continue
        progress(f"{book.name}: {product} ({place}/{len(wanted)})")
        if product in SCREEN:
            written.append(store.write(folder / SCREEN[product], press.on_screen(product)))
        elif product == "zine":
            written += _print_zines(press, folder)
        else:
            written += _print_once(press, product, folder)
    return written


def _print_once(press: Press, product: str, folder: Path) -> list[Path]:
    """A product's files: printed when they do not carry the mark of this very page."""
    html = press.page(product)
    mark = paper.identifier(html, press.pictures)
    folded = len(html) <= long_print.PART_OF_A_BOOK  # what is longer no stapler holds
    printing = [name for name, source in IMPOSED.items() if source == product and folded]
    paths = [folder / f"{name}.pdf" for name in (product, *printing)]
    if all(_carries(path, mark) for path in paths):
        return paths
    pdf = press.printer(html, press.pictures)
    store.write(paths[0], pdf)
    for name, path in zip(printing, paths[1:], strict=True):
        store.write(path, press.imposed(name, pdf, mark))
    return paths


def _print_zines(press: Press, folder: Path) -> list[Path]:
    """Each zine, to read and to fold: the folded one carries the mark of all that it was chosen from."""
    from pipeline.render import zine

    written: list[Path] = []
    for name, book in zine.books(press):
        mark = paper.identifier(zine.whole(press, book), press.pictures)
        reading, printing = folder / f"{name}.pdf", folder / f"{name}-print.pdf"
        if not (reading.is_file() and _carries(printing, mark)):
            pdf = zine.fitted(press, book)
            store.write(reading, pdf)
            store.write(printing, press.imposed("zine-print", pdf, mark))
        written += [reading, printing]
    return written


def _carries(path: Path, mark: str) -> bool:
    """Whether a whole PDF of this mark is there."""
    if not path.is_file():
        return False
    content = path.read_bytes()
    return content.rstrip().endswith(b"%%EOF") and (
        mark.encode() in content or mark.encode().hex().encode() in content.lower()
    )


class Press:
    """A book with the settings, templates and printer of one run."""

    def __init__(self, book: Book, settings: BookSettings | None, templates: Path | None, printer: Printer) -> None:
        self.language = (settings.language if settings else None) or book.language
        self.book = replace(book, language=self.language)
        self.settings, self.templates, self.printer = settings, templates or _own_templates(settings), printer
        self.pictures = _pictures(book, settings)
        _refuse_foreign(book)
        _refuse_endless(book)

    def lacks(self, product: str) -> str:
        """Why there is nothing to print of a product; "" where there is something."""
        if product == "slips" and not any(isinstance(each.entry, Erratum) for each in self.book.rulings):
            return "these sources correct nothing"
        if product == "cards" and not self.chosen(product).rulings:
            count = sum(each.entry.kind in ON_CARDS for each in self.book.rulings)
            why = "what is new takes too many cards" if self.too_long else "nothing is new"
            return f'{why}; cards = "all" in book.toml prints all {count}' if count else "nothing fits a card"
        return ""

    def chosen(self, product: str) -> Book:
        """The book as a product prints it: a sheet without what its publisher says beforehand, cards of some."""
        if product in TERSE:
            begins = opening(self.book)
            return replace(self.book, rulings=tuple(each for each in self.book.rulings if each.entry.id not in begins))
        return self._of_cards[0] if product == "cards" else self.book

    @property
    def too_long(self) -> int:
        """Rulings that are on no card because they take too many."""
        return self._of_cards[1]

    @cached_property
    def _of_cards(self) -> tuple[Book, int]:
        """The book of the cards: of what is new, on full sheets; where nothing is new and they are few, of all; neither
        with what takes many cards, unless book.toml asks for all. And how many rulings are too long."""
        fit = tuple(each for each in self.book.rulings if each.entry.kind in ON_CARDS)
        book = replace(self.book, rulings=fit)
        if self.settings is not None and self.settings.cards == "all":
            return book, 0
        asked = [each for each in fit if each.since] or (fit if len(fit) <= CARDS else ())
        if not asked:
            return replace(book, rulings=()), 0
        new = {each.entry.id for each in asked}
        shape = look("cards", self.settings)
        kept, left = cards.chosen(edition(book, indexed=False), new, shape.width, shape.height, least(shape))
        kept = kept if kept & new else frozenset()
        return replace(book, rulings=tuple(each for each in fit if each.entry.id in kept)), left

    def pdf(self, product: str) -> bytes:
        """The reading file of a product."""
        if product == "zine":
            from pipeline.render import zine

            return zine.fitted(self, decided(self.chosen(product)))
        return self.printer(self.page(product), self.pictures)

    def imposed(self, product: str, pdf: bytes, mark: str = "") -> bytes:
        """The printing file of a product."""
        return self.stitched(pdf, mark) if product in STITCHED else impose.zine_sheets(pdf, mark)

    def page(self, product: str) -> str:
        """The HTML of a printed product."""
        if product == "dossier":
            return self.html("dossier.html.j2", dossier.context(self.book, look("booklet", self.settings), PARTED))
        this_edition = edition(self.chosen(product), cites=CITES.get(product, "short"), indexed=product in INDEXED)
        shape = look(product, self.settings)
        few, many = GROWING
        if product == "sheet" and few < sum(size(each.entry) for each in this_edition.rulings) < many:
            shape = self._grown(this_edition, shape)
        context = _context(this_edition, shape)
        if product == "cards":
            context["left_out"] = self.too_long
        return self.html(f"{product}.html.j2", context)

    def _grown(self, this_edition: Edition, shape: Look) -> Look:
        """The look of a sheet whose type is as large as its pages allow: a last page of a few lines is no use."""
        from pipeline.config import BookSettings
        from pipeline.render.page_room import length

        settings = self.settings or BookSettings()
        if settings.type_size:
            return shape
        best, tried, pages = shape, shape, 0
        for _ in range(TRIES):
            pdf = self.printer(
                self.html("sheet.html.j2", {**_context(this_edition, tried), "level": False}), self.pictures
            )
            taken = length(pdf, tried.columns, tried.top)
            pages = pages or math.ceil(taken)
            best = tried if taken <= pages else best
            if FILLED * pages < taken <= pages or tried.size >= GROWN:
                break
            larger = min(GROWN, tried.size * (FILLED * pages / max(0.1, taken)) ** 0.5)
            tried = replace(look("sheet", replace(settings, type_size=round(larger, 2))), theme=shape.theme)
        return best

    def html(self, template: str, context: Mapping[str, Any]) -> str:
        return page.html(
            template, context, templates=self.templates, language=self.language, pictures=tuple(self.pictures)
        )

    def stitched(self, pdf: bytes, mark: str = "") -> bytes:
        """The printing file of a booklet: whole sheets, filled up with pages for notes."""
        lacking = impose.missing(impose.page_count(pdf))
        shape = look("booklet", self.settings)
        filler = self.html("notes.html.j2", {"look": shape, "count": lacking, "rules": _rules(shape)})
        return impose.booklet_sheets(pdf, self.printer(filler, {}) if lacking else None, mark)

    def on_screen(self, product: str) -> str | bytes:
        """A product that is not printed."""
        return self.web() if product == "web" else self.epub()

    def epub(self) -> bytes:
        """The book for e-readers."""
        from pipeline.render import epub

        return epub.made(self.book, settings=self.settings, templates=self.templates, pictures=self.pictures)

    def web(self) -> str:
        """The web page: one file with its search inside."""
        from pipeline.render import web

        return self.html(web.TEMPLATE, web.context(edition(self.book, indexed=False), self.templates, self.pictures))


def _refuse_foreign(book: Book) -> None:
    """A book in letters that our fonts do not have is not printed full of holes; a stray one is shown as [?]."""
    texts = [(str(text), ruling) for ruling in book.rulings for text in every_text(ruling.entry)]
    lost = [(letter, ruling) for text, ruling in texts for letter in fonts.unprintable(text)]
    if len(lost) > FOREIGN * sum(len(text) for text, _ in texts):
        letter, ruling = lost[0]
        raise ConfigError(
            f"our fonts lack {len(lost)} letters of this book, first {letter!r} (U+{ord(letter):04X})",
            where=f"{ruling.code or ruling.entry.id} ({ruling.entry.source}, page {ruling.entry.page})",
            hint="they have Latin, Greek and Cyrillic",
        )  # fmt: skip


def _refuse_endless(book: Book) -> None:
    """What cannot be printed is said before the work begins."""
    extent = sum(size(ruling.entry) for ruling in book.rulings)
    if extent > LONGEST:
        hint = "split the book in two, or leave sources out (book.toml: documents, leave_out)"
        raise ConfigError(f"{extent:,} characters are too many for one book", where=book.name or book.title, hint=hint)


def _rules(shape: Look) -> int:
    """Lines to write on that fit a page of notes."""
    return int(((shape.height - shape.top - shape.bottom) * 72 / 25.4 - shape.line * 1.6) / (shape.line * 1.9 + 0.5))


def _pictures(book: Book, settings: BookSettings | None) -> dict[str, str]:
    """Pictures by the names of icons: those of book.toml, and where it has none, as the sources draw them."""
    drawn = {icon.glyph: sturdy(icon.picture) for document in book.documents for icon in document.icons}
    pictures: dict[str, str] = {}
    for ruling in book.rulings if drawn else ():
        for text in every_text(ruling.entry):
            spans = text.spans if isinstance(text, Text) else ()
            pictures |= {
                span.text.strip("[] "): f"{fonts.PNG}{drawn[span.icon]}" for span in spans if span.icon in drawn
            }
    if settings is not None and settings.folder is not None:
        named = {**settings.icon_images, **({page.LOGO: settings.logo} if settings.logo else {})}
        pictures |= {name: str((settings.folder / path).resolve()) for name, path in named.items()}
    return pictures


def _own_templates(settings: BookSettings | None) -> Path | None:
    """The templates that a book brings along."""
    if settings is None or settings.folder is None or settings.templates is None:
        return None
    return settings.folder / settings.templates


def _context(this_edition: Edition, shape: Look) -> dict[str, Any]:
    extent = sum(size(each.entry) for each in this_edition.rulings)
    long = extent > TURNED.get(shape.product, TURNED_SMALL)
    this_edition = this_edition if long else replace(this_edition, index=())
    lines = len(this_edition.chapters) + sum(len(chapter.titles) for chapter in this_edition.chapters) + BACK_MATTER
    deep = lines <= CONTENTS_MOST
    ends = line_columns.contents_end(this_edition.chapters, BACK_MATTER, shape, deep=deep)
    covered = COVER_LINES_LARGE if shape.theme == "large" else COVER_LINES
    more: dict[str, Any] = {"level": True}
    if shape.product == "cards":
        more["sheets"], more["cuts"] = cards.sheets(this_edition, shape.width, shape.height, least(shape))
    if shape.product == "slips":
        more["slips"] = _slips(this_edition)
        more["tall"] = datasheets.tall(this_edition.rulings, shape)
    if shape.product in TORN:
        more["kept"] = datasheets.kept(this_edition, shape)
    return {
        **more,
        "edition": this_edition,
        "look": shape,
        "parted": extent > PARTED,
        "tab_height": min(16.0, (shape.height - shape.top - shape.bottom - 6) / max(1, this_edition.tabs)),
        "contents": long and lines > BACK_MATTER + 1,
        "contents_on_cover": lines <= covered
        and not this_edition.book.notice
        and len(this_edition.sources) <= COVER_SOURCES,
        "cover_columns": 2 if lines > COVER_COLUMN else 1,
        "contents_alone": ends > CONTENTS_FULL,
        "contents_deep": deep,
        "contents_long": line_columns.is_long(this_edition.chapters, BACK_MATTER, shape, deep=deep),
    }


def _slips(this_edition: Edition) -> list[tuple[str, list[Printed]]]:
    """The errata by the book that they correct, in the order of its pages: strips of two books are never mixed."""
    errata = [each for each in this_edition.rulings if isinstance(each.entry, Erratum)]
    titles = {each.document.source: each.title for each in this_edition.sources}
    grouped: dict[str, list[Printed]] = {}
    for each in errata:
        grouped.setdefault(titles.get(each.entry.source, this_edition.title), []).append(each)
    return [(title, sorted(group, key=_rulebook_page)) for title, group in grouped.items()]


def _rulebook_page(each: Printed) -> tuple[float, int]:
    """Errata in the order of the book that they correct; those without a page come last."""
    pages = each.entry.pages if isinstance(each.entry, Erratum) else ()
    return (pages[0] if pages else float("inf"), each.entry.page)
