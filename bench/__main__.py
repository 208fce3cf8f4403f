"""``make bench``: every table on the screen, and in bench/results.md with the date and the machine.

Name parts to run only those: ``python -m bench reading scaling``.
"""

from __future__ import annotations

import datetime
import os
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import building, plot, printing, reading, scaling
from bench.measure import Row, peak

HERE = Path(__file__).parent
ROOT = HERE.parent
Table = tuple[str, list[Row]]


def sample() -> Path:
    """A two-column FAQ: of the shared corpus where it is there (17 pages), else our own."""
    shared = ROOT.parent / "shared" / "corpus" / "underworlds-fr-2019-06.pdf"
    return shared if shared.is_file() else ROOT / "sources" / "brumes-d-argance" / "argance-faq-1.2.pdf"


def read_tables() -> Iterator[Table]:
    against, stages = reading.run(sample())
    yield "Reading a two-column FAQ, against the fastest plain text", against
    yield "Reading, stage by stage, against the fastest plain text", stages


def print_tables() -> Iterator[Table]:
    for product, columns in (("booklet", "one column"), ("reader", "two columns")):
        yield f"Printing a {product} ({columns}), 30 pages, against bare WeasyPrint", printing.against_bare(product)
        yield f"Printing a {product} ({columns}): cost of a page as the book grows", printing.growth(product)


def scale_tables() -> Iterator[Table]:
    yield "Merging: cost of an entry as the book grows", scaling.merging()
    yield "Comparing two releases: cost of an entry as they grow", scaling.comparing()


def build_tables() -> Iterator[Table]:
    yield "Starting", building.start()
    yield "make, against building from nothing", building.builds()
    yield "An archive", building.archive()


def web_tables() -> Iterator[Table]:
    from bench import web_search

    yield "The web book with 3,000 rulings, in Chromium", web_search.rows()


PARTS: dict[str, Callable[[], Iterator[Table]]] = {
    "reading": read_tables, "printing": print_tables, "scaling": scale_tables, "web": web_tables, "building": build_tables,
}  # fmt: skip


def main(wanted: list[str]) -> int:
    tables: list[Table] = []
    for name, part in PARTS.items():
        if wanted and name not in wanted:
            continue
        for title, rows in part():
            tables.append((title, rows))
            print(as_text(title, rows), flush=True)
    if not wanted:
        write(tables)
    return 0


def write(tables: list[Table]) -> None:
    day = datetime.date.today().isoformat()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    body = "\n".join(as_markdown(title, rows) for title, rows in tables)
    (HERE / "results.md").write_text(
        f"# Benchmarks\n\n{day}, {machine}. Medians; ratios are of one run, seconds are this machine's. Peak memory of the"
        f" measuring process: {peak():.0f} MB.\n\n![Reading](reading.svg)\n\n{body}", "utf-8")  # fmt: skip
    (HERE / "reading.svg").write_text(plot.bars(*tables[0]), "utf-8")


def as_text(title: str, rows: list[Row]) -> str:
    lines = [f"{row.name:44s} {row.seconds * 1000:12.1f} ms {'' if row.ratio is None else f'{row.ratio:8.2f}'}  {row.note}"
             for row in rows]  # fmt: skip
    return "\n".join([title, *("  " + line for line in lines), ""])


def as_markdown(title: str, rows: list[Row]) -> str:
    lines = [f"| {row.name} | {row.seconds * 1000:,.1f} | {'' if row.ratio is None else f'{row.ratio:.2f}'} | {row.note} |"
             for row in rows]  # fmt: skip
    return "\n".join([f"## {title}\n", "| | ms | ratio | |", "|---|---:|---:|---|", *lines, ""])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
