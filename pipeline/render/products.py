"""Each product: its template, what the template needs, and how its pages are put on sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import impose, store
from pipeline.errors import ConfigError
from pipeline.records import Book, Erratum, Text
from pipeline.render import cards, columns, fonts, page, paper, parts
from pipeline.render.look import LARGE, SMALLEST, Look, look
from pipeline.render.outline import Cites, Edition, Printed, edition, every_text, size

if TYPE_CHECKING:
    from pipeline.config import BookSettings

Printer = Callable[[str, Mapping[str, str]], bytes]

IMPOSED = {"booklet-print": "booklet", "zine-print": "zine"}  # printing file -> the reading file that it is made of
CITES: Mapping[str, Cites] = {"sheet": "letter", "zine": "letter", "booklet": "name", "reader": "name"}
FOREIGN = 0.02  # of its letters: more than that, and the book is in a script that we cannot print
BACK_MATTER = 3  # lines of contents for what follows the chapters: glossary, index, sources
TURNED = {"reader": 11_000}  # characters: what is shorter stands on two pages, and needs no contents or index
TURNED_SMALL = 4000  # the same in a booklet
LONGEST = 25_000_000  # characters: 50,000 rulings; the page of so many is as long as can be printed
PARTED = 500_000  # characters: a book of 200 pages and more says where it may be printed in parts
CONTENTS_SHORT = 16  # lines: contents so short share their page with the beginning of the text
CONTENTS_MOST = 150  # lines that two columns on a spread hold: above it only chapters are listed


def make(
    book: Book, product: str, out: Path, *, settings: BookSettings | None, templates: Path | None, printer: Printer
) -> Path:
    """Write one product to ``out``; what is imposed is printed from its reading file."""
    press = Press(book, settings, templates, printer)
    if product == "web":
        return store.write(out, press.web())
    if product in IMPOSED:
        reading = press.pdf(IMPOSED[product])
        return store.write(out, press.stitched(reading) if product == "booklet-print" else impose.zine_sheets(reading))
    return store.write(out, press.pdf(product))


def make_all(
    book: Book, products: Sequence[str], folder: Path, *, settings: BookSettings | None, templates: Path | None,
    printer: Printer, progress: Callable[[str], None],
) -> list[Path]:  # fmt: skip
    """Write products to ``folder``, the reading and the printing file of each; what is there already is left alone."""
    press = Press(book, settings, templates, printer)
    wanted = list(dict.fromkeys(IMPOSED.get(name, name) for name in products))
    written: list[Path] = []
    for place, product in enumerate(wanted, start=1):
        progress(f"{book.name}: {product} ({place}/{len(wanted)})")
        if product == "web":
            written.append(store.write(folder / "web.html", press.web()))
        else:
            written += _print_once(press, product, folder)
    return written


def _print_once(press: Press, product: str, folder: Path) -> list[Path]:
    """A product's files: printed when they do not carry the mark of this very page."""
    html = press.page(product)
    mark = paper.identifier(html, press.pictures)
    folded = len(html) <= parts.PART_OF_A_BOOK  # what is longer no stapler holds
    printing = [folder / f"{name}.pdf" for name, source in IMPOSED.items() if source == product and folded]
    paths = [folder / f"{product}.pdf", *printing]
    if all(_carries(path, mark) for path in paths):
        return paths
    pdf = press.printer(html, press.pictures)
    store.write(paths[0], pdf)
    for path in printing:
        store.write(path, press.stitched(pdf, mark) if product == "booklet" else impose.zine_sheets(pdf, mark))
    return paths


def _carries(path: Path, mark: str) -> bool:
    """Whether a whole PDF of this mark is there."""
    if not path.is_file():
        return False
    held = path.read_bytes()
    return held.rstrip().endswith(b"%%EOF") and (mark.encode() in held or mark.encode().hex().encode() in held.lower())


class Press:
    """A book with the settings, templates and printer of one run."""

    def __init__(self, book: Book, settings: BookSettings | None, templates: Path | None, printer: Printer) -> None:
        self.language = (settings.language if settings else None) or book.language
        self.book = replace(book, language=self.language)
        self.settings, self.templates, self.printer = settings, templates, printer
        self.pictures = _pictures(book, settings)
        _refuse_foreign(book)
        _refuse_endless(book)

    def pdf(self, product: str) -> bytes:
        """The reading file of a product."""
        return self.printer(self.page(product), self.pictures)

    def page(self, product: str) -> str:
        """The HTML of a printed product."""
        made = edition(self.book, cites=CITES.get(product, "short"))
        return self.html(f"{product}.html.j2", _context(made, look(product, self.settings)))

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

    def web(self) -> str:
        """The web page: one file with its search inside."""
        from pipeline.render import web

        return self.html(web.TEMPLATE, web.context(edition(self.book), self.templates, self.pictures))


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
    drawn = {icon.glyph: icon.picture for document in book.documents for icon in document.icons}
    made: dict[str, str] = {}
    for ruling in book.rulings if drawn else ():
        for text in every_text(ruling.entry):
            spans = text.spans if isinstance(text, Text) else ()
            made |= {span.text.strip("[] "): f"{fonts.PNG}{drawn[span.icon]}" for span in spans if span.icon in drawn}
    if settings is not None and settings.folder is not None:
        made |= {name: str((settings.folder / path).resolve()) for name, path in settings.icon_images.items()}
    return made


def _context(made: Edition, shape: Look) -> dict[str, Any]:
    extent = sum(size(each.entry) for each in made.rulings)
    long = extent > TURNED.get(shape.product, TURNED_SMALL)
    made = made if long else replace(made, index=())
    lines = len(made.chapters) + sum(len(chapter.titles) for chapter in made.chapters) + BACK_MATTER
    more: dict[str, Any] = {}
    if shape.product == "cards":
        more["sheets"], more["marks"] = cards.sheets(made, shape.width, shape.height, least(shape))
    if shape.product == "slips":
        more["slips"] = sorted((e for e in made.rulings if isinstance(e.entry, Erratum)), key=_rulebook_page)
    return {
        **more,
        "edition": made,
        "look": shape,
        "parted": extent > PARTED,
        "tab_height": min(16.0, (shape.height - shape.top - shape.bottom - 6) / max(1, made.tabs)),
        "contents": long and lines > BACK_MATTER + 1,
        "contents_alone": lines > CONTENTS_SHORT,
        "contents_deep": lines <= CONTENTS_MOST,
        "contents_long": columns.is_long(made.chapters, BACK_MATTER, shape, deep=lines <= CONTENTS_MOST),
    }


def least(shape: Look) -> float:
    """The smallest type of a card in this theme."""
    return SMALLEST * (LARGE if shape.theme == "large" else 1.0)


def _rulebook_page(each: Printed) -> tuple[float, int]:
    """Errata in the order of the book that they correct; those without a page come last."""
    pages = each.entry.pages if isinstance(each.entry, Erratum) else ()
    return (pages[0] if pages else float("inf"), each.entry.page)
