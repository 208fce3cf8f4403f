"""Each product: its template, what the template needs, and how its pages are put on sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import impose, store
from pipeline.errors import ConfigError
from pipeline.records import Book, Erratum
from pipeline.render import cards, fonts, page, words
from pipeline.render.look import Look, look
from pipeline.render.outline import Edition, Printed, edition, every_text

if TYPE_CHECKING:
    from pipeline.config import BookSettings

Printer = Callable[[str, Mapping[str, str]], bytes]

FOREIGN = 0.02  # of its letters: more than that, and the book is in a script that we cannot print
CONTENTS_LINES = 44  # of one column of contents on an A5 page
CONTENTS_MOST = 150  # lines that two columns on a spread hold: above it only chapters are listed


def make(
    book: Book, product: str, out: Path, *, settings: BookSettings | None, templates: Path | None, printer: Printer
) -> Path:
    """Write one product to ``out``; what is imposed is printed from its reading file."""
    press = _Press(book, settings, templates, printer)
    if product == "web":
        return store.write(out, press.web())
    if product == "booklet-print":
        return store.write(out, press.stitched(press.pdf("booklet")))
    if product == "zine":
        return store.write(out, impose.zine_sheets(press.pdf("zine")))
    return store.write(out, press.pdf(product))


class _Press:
    """A book with the settings, templates and printer of one run; the outline is made once."""

    def __init__(self, book: Book, settings: BookSettings | None, templates: Path | None, printer: Printer) -> None:
        self.book, self.settings, self.templates, self.printer = book, settings, templates, printer
        self.language = (settings.language if settings else None) or book.language
        self.pictures = _pictures(settings)
        _refuse_foreign(book)
        self.edition = edition(replace(book, language=self.language))

    def pdf(self, product: str) -> bytes:
        """The reading file of a product."""
        return self.printer(self.html(f"{product}.html.j2", _context(self.edition, look(product, self.settings))), self.pictures)

    def html(self, template: str, context: Mapping[str, Any]) -> str:
        return page.html(template, context, templates=self.templates, language=self.language, pictures=tuple(self.pictures))

    def stitched(self, pdf: bytes) -> bytes:
        """The printing file of a booklet: whole sheets, filled up with pages for notes."""
        lacking = impose.missing(impose.page_count(pdf))
        shape = look("booklet", self.settings)
        filler = self.html("notes.html.j2", {"look": shape, "count": lacking, "rules": _rules(shape)})
        return impose.booklet_sheets(pdf, self.printer(filler, {}) if lacking else None)

    def web(self) -> str:
        """The web page: one file with its search inside."""
        from pipeline.render import web

        return self.html(web.TEMPLATE, web.context(self.edition, self.templates, self.pictures))


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


def _rules(shape: Look) -> int:
    """Lines to write on that fit a page of notes."""
    return int(((shape.height - shape.top - shape.bottom) * 72 / 25.4 - shape.line * 1.6) / (shape.line * 1.9 + 0.5))


def _pictures(settings: BookSettings | None) -> dict[str, str]:
    if settings is None or settings.folder is None:
        return {}
    return {name: str((settings.folder / path).resolve()) for name, path in settings.icon_images.items()}


def _context(made: Edition, shape: Look) -> dict[str, Any]:
    lines = len(made.chapters) + sum(len(chapter.titles) for chapter in made.chapters) + 3
    more: dict[str, Any] = {}
    if shape.product == "cards":
        more["sheets"], more["marks"] = cards.sheets(made, shape.width, shape.height)
    if shape.product == "slips":
        more["slips"] = sorted((e for e in made.rulings if isinstance(e.entry, Erratum)), key=_rulebook_page)
    return {
        **more,
        "edition": made,
        "look": shape,
        "tab_height": min(16.0, (shape.height - shape.top - shape.bottom - 6) / max(1, made.tabs)),
        "contents_deep": lines <= CONTENTS_MOST,
        "contents_long": CONTENTS_LINES < lines <= CONTENTS_MOST or len(made.chapters) > CONTENTS_LINES,
    }


def _rulebook_page(each: Printed) -> tuple[float, int]:
    """Errata in the order of the book that they correct; those without a page come last."""
    pages = each.entry.pages if isinstance(each.entry, Erratum) else ()
    return (pages[0] if pages else float("inf"), each.entry.page)
