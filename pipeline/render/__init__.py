"""render: a Book -> HTML -> files. The only place that knows Jinja2 and WeasyPrint.

outline   what stands where: chapters, index, glossary, sources      (pure)
page      records and a template -> HTML                             (Jinja2)
paper     HTML -> PDF                                                (WeasyPrint)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import store
from pipeline.errors import OutputError, SourceError, UsageError, counted
from pipeline.records import Book

if TYPE_CHECKING:
    from pipeline.config import BookSettings

PRODUCTS = ("booklet", "booklet-print", "dossier", "dossier-print", "sheet", "reader", "cards", "slips", "zine",
            "zine-print", "web", "epub")  # fmt: skip

LONGEST = 60_000_000  # characters of HTML: some 15,000 pages, which take half an hour
SECONDS = 45  # for a million of them: 21 where nothing else runs (bench/results.md), and most parts twice
BETTER = "so much is better read on a screen, as .html or the web book; or print less at once"

Printer = Callable[[str, Mapping[str, str]], bytes]
Progress = Callable[[str], None]


def print_pdf(html: str, pictures: Mapping[str, str] | None = None) -> bytes:
    """HTML -> PDF in this process; plain arguments, so that a guarded child can be asked for it."""
    from pipeline.render.paper import print_pdf as on_paper

    return on_paper(html, pictures)


def print_guarded(html: str, pictures: Mapping[str, str], progress: Progress | None = None) -> bytes:
    """HTML -> PDF in a child process that can be killed: what the commands use. What is long is printed in parts."""
    from pipeline.render import long_print, paper

    if len(html) > LONGEST:
        raise OutputError(f"{len(html):,} characters are too long to print", hint=BETTER)
    parts = long_print.parted(html)
    if len(parts) > 1:
        if progress:
            progress(f"{len(html) / 1e6:.1f} million characters: printed in {len(parts)} parts, which takes some "
                     f"{counted(round(len(html) * SECONDS / 60e6) or 1, 'minute')}")  # fmt: skip
        mark = paper.identifier(html, pictures)
        return long_print.printed(parts, lambda part: _print_in_child(part, pictures), progress, mark, _join_in_child)
    return _print_in_child(html, pictures)


def _join_in_child(parts: Sequence[bytes], levels: Sequence[Sequence[int]], mark: str) -> bytes:
    import base64

    from pipeline import guard

    asked = {"parts": [base64.b64encode(each).decode("ascii") for each in parts], "levels": levels, "mark": mark}
    try:
        whole: bytes = guard.run("pipeline.render.long_print:join_packed", asked)
    except SourceError as error:
        raise OutputError(f"joining {len(parts)} parts {error.message}", hint=BETTER) from error
    return whole


def _print_in_child(html: str, pictures: Mapping[str, str]) -> bytes:
    from pipeline import guard

    try:
        pdf: bytes = guard.run("pipeline.render:print_pdf", {"html": html, "pictures": dict(pictures)})
    except SourceError as error:
        raise OutputError(f"printing {len(html):,} characters {error.message}", hint=BETTER) from error
    return pdf


def render_template(
    name: str,
    context: Mapping[str, Any],
    out: Path,
    *,
    templates: Path | None = None,
    language: str | None = None,
    pictures: Mapping[str, str] | None = None,
    printer: Printer = print_pdf,
) -> Path:
    """The template ``name`` filled with ``context``, written to ``out``: HTML or PDF by its suffix."""
    from pipeline.render import page

    html = page.html(name, context, templates=templates, language=language, pictures=tuple(pictures or {}))
    if out.suffix.lower() == ".pdf":
        return store.write(out, printer(html, pictures or {}))
    return store.write(out, html)


def render(
    book: Book,
    product: str,
    out: Path,
    *,
    settings: BookSettings | None = None,
    templates: Path | None = None,
    printer: Printer = print_pdf,
) -> Path:
    """One product of a book, written to ``out``."""
    from pipeline.render import products

    if product not in PRODUCTS:
        raise UsageError(f"there is no product {product}", hint=f"choose one of {', '.join(PRODUCTS)}")
    return products.make(book, product, out, settings=settings, templates=templates, printer=printer)


def render_all(
    book: Book,
    settings: BookSettings,
    folder: Path,
    *,
    products: Sequence[str] | None = None,
    templates: Path | None = None,
    jobs: int = 2,
    progress: Progress = lambda line: None,
    printer: Printer = print_guarded,
) -> list[Path]:
    """Every product that book.toml asks for, written to ``folder``; printed in guarded children, only what changed."""
    from functools import partial

    from pipeline.render import products as product_files

    if printer is print_guarded:
        printer = partial(print_guarded, progress=lambda line: progress(f"{book.name}: {line}"))
    return product_files.make_all(
        book,
        products or settings.products,
        folder,
        settings=settings,
        templates=templates,
        printer=printer,
        progress=progress,
    )
