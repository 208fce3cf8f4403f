"""Printing: ours against bare WeasyPrint on the same HTML, and how the cost grows with pages."""

from __future__ import annotations

import gc
import time
from dataclasses import replace

from bench.entries import release
from bench.measure import Row, growth, memory, table
from pipeline import merge
from pipeline.records import Book
from pipeline.render import page, print_pdf, products
from pipeline.render.editions import edition
from pipeline.render.look import look

RULINGS_A_PAGE = {"booklet": 7, "reader": 15}  # about, for rulings as long as an FAQ's
PAGES = (10, 30, 100, 300)


def book(rulings: int) -> Book:
    made = merge([replace(release(rulings), title="FAQ")])
    return replace(made, name="bench", title="Bench", language="fr")


def html_of(product: str, pages: int) -> str:
    made = products.Press(book(pages * RULINGS_A_PAGE[product]), None, None, lambda html, pictures: html.encode())
    return made.pdf(product).decode()


def bare(html: str) -> bytes:
    """What a plain script would do: WeasyPrint with our fonts, and nothing of ours around it."""
    import weasyprint

    from pipeline.render.paper import _fetcher

    made: bytes = weasyprint.HTML(string=html, base_url="rubricator:/", url_fetcher=_fetcher(weasyprint, {})).write_pdf(
        pdf_variant="pdf/ua-1"
    )
    return made


def against_bare(product: str, pages: int = 30) -> list[Row]:
    """Filling the template and printing, against printing the filled template."""
    made = book(pages * RULINGS_A_PAGE[product])
    html = html_of(product, pages)

    def ours() -> bytes:
        shape = look(product, None)
        press = products.Press(made, None, None, print_pdf)
        return print_pdf(page.html(f"{product}.html.j2", products._context(edition(made), shape), language=press.language))

    return table({"bare WeasyPrint, same HTML": lambda: bare(html), "rubricator, from rulings": ours}, 5)


def growing(product: str, counts: tuple[int, ...] = PAGES) -> list[Row]:
    """Seconds by pages; the ratio is the cost of a page against the cost of one of the smallest."""
    from pipeline.impose import page_count

    print_pdf(html_of(product, 2))
    taken = []
    for count in counts:
        html = html_of(product, count)
        gc.collect()
        start = time.perf_counter()
        made = print_pdf(html)
        seconds = time.perf_counter() - start
        call = f"from bench import printing; printing.print_pdf(printing.html_of({product!r}, {count}))"
        taken.append((page_count(made), seconds, memory(call)))
    return growth(taken, "pages")
