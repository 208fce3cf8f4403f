"""``make bench``: every table on the screen, and in bench/results.md with the date and the machine.

Name parts to run only those (``python -m bench reading scaling``): their tables replace the ones in the results.
``--small`` tries everything at small sizes, and writes nothing.
"""

from __future__ import annotations

import datetime
import os
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import building, plot, printing, reading, scaling
from bench.measure import Row

HERE = Path(__file__).parent
ROOT = HERE.parent
Table = tuple[str, list[Row]]
LOAD = "Load: what a person sees who gives it too much"
GROWING = ("Merging", "Comparing two releases", "Printing a booklet", "Printing a reader")


def sample() -> Path:
    """A two-column FAQ: of the shared corpus where it is there (17 pages), else our own."""
    shared = ROOT.parent / "shared" / "corpus" / "underworlds-fr-2019-06.pdf"
    return shared if shared.is_file() else ROOT / "sources" / "brumes-d-argance" / "argance-faq-1.2.pdf"


def read_tables(small: bool) -> Iterator[Table]:
    against, stages = reading.run(sample(), 1 if small else 9)
    yield "Reading a two-column FAQ, against the fastest plain text", against
    yield "Reading, stage by stage, against the fastest plain text", stages
    samples = sorted((ROOT / "sources").glob("*/*.pdf"))
    yield "Reading our samples, each against its own plain text", reading.kinds(samples, 1 if small else 9)


def print_tables(small: bool) -> Iterator[Table]:
    counts = (3, 6) if small else printing.PAGES
    for product, columns in (("booklet", "one column"), ("reader", "two columns")):
        pages = 3 if small else 30
        yield f"Printing about {pages} pages of a {product} ({columns})", printing.against_bare(product, pages)
        yield f"Printing a {product}: cost of a page as the book grows", printing.growing(product, counts)


def scale_tables(small: bool) -> Iterator[Table]:
    counts = (300, 1000) if small else scaling.COUNTS
    yield "Merging: cost of an entry as the book grows", scaling.merging(counts)
    yield "Comparing two releases: cost of an entry as they grow", scaling.comparing(counts)


def web_tables(small: bool) -> Iterator[Table]:
    from bench import web_search

    count = 1300 if small else 3000
    yield f"The web book with {count:,} rulings, in Chromium", web_search.rows(count)


def build_tables(small: bool) -> Iterator[Table]:
    yield "Starting", building.start()
    yield "Building the samples from nothing", building.samples()
    yield "Building again, against building from nothing", building.builds(3 if small else 20)
    yield "An archive", building.archive(20 if small else 1000)


def load_tables(small: bool) -> Iterator[Table]:
    from bench import load

    yield LOAD, load.run(small)


PARTS: dict[str, Callable[[bool], Iterator[Table]]] = {
    "reading": read_tables, "printing": print_tables, "scaling": scale_tables, "web": web_tables, "building": build_tables,
    "load": load_tables,
}  # fmt: skip
ONLY_NAMED = ("load",)  # it takes half an hour


def main(wanted: list[str]) -> int:
    small = "--small" in wanted
    named = [name for name in wanted if name != "--small"]
    unknown = sorted(set(named) - set(PARTS))
    if unknown:
        print(f"bench: there is no part {', '.join(unknown)}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    tables: list[Table] = []
    for name, part in PARTS.items():
        if name not in (named or PARTS.keys() - ONLY_NAMED):
            continue
        for title, rows in part(small):
            tables.append((title, rows))
            print(as_text(title, rows), flush=True)
    if not small:
        write_again(tables) if named else write(tables)
    return 0


def write_again(tables: list[Table]) -> None:
    """Parts that were measured again, in the place of what stood there."""
    path = HERE / "results.md"
    text = path.read_text("utf-8")
    for title, rows in tables:
        head, _, rest = text.partition(f"## {title}\n")
        _, behind, others = rest.partition("\n## ")
        text = f"{head.rstrip()}\n\n" + as_markdown(title, rows) + (f"\n## {others}" if behind else "")
    path.write_text(text, "utf-8")
    draw(tables)


def write(tables: list[Table]) -> None:
    day = datetime.date.today().isoformat()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    body = "\n".join(as_markdown(title, rows) for title, rows in tables)
    loaded = (HERE / "results.md").read_text("utf-8").partition(f"## {LOAD}\n")
    body += "\n" + "".join(loaded[1:]) if loaded[1] else ""
    (HERE / "results.md").write_text(
        f"# Benchmarks\n\n{day}, {machine}. Written by `make bench`. Medians, warm, readers each in a process of its own; ratios are of one run of their table, milliseconds are this"
        " machine's; megabytes are the peak of the largest process.\n\n![Reading](reading.svg)\n\n![Growth](growth.svg)\n\n"
        f"{body}", "utf-8")  # fmt: skip
    draw(tables)


def draw(tables: list[Table]) -> None:
    """The plots of what was measured."""
    if tables[0][0].startswith("Reading"):
        (HERE / "reading.svg").write_text(plot.bars(*tables[0]), "utf-8")
    grown = {title.partition(":")[0]: rows for title, rows in tables if title.partition(":")[0] in GROWING}
    if len(grown) == len(GROWING):
        (HERE / "growth.svg").write_text(plot.lines("Seconds as books grow; the thin line is linear", grown), "utf-8")


def as_text(title: str, rows: list[Row]) -> str:
    lines = [f"{row.name:44s} {row.seconds * 1000:12,.1f} ms {_number(row.ratio, '.2f'):>8s} {_number(row.megabytes, '.0f'):>6s}"
             f"{' MB' if row.megabytes else '   '}  {row.note}".rstrip() for row in rows]  # fmt: skip
    return "\n".join([title, *("  " + line for line in lines), ""])


def as_markdown(title: str, rows: list[Row]) -> str:
    lines = [f"| {row.name} | {row.seconds * 1000:,.1f} | {_number(row.ratio, '.2f')} | {_number(row.megabytes, '.0f')} | {row.note} |"
             for row in rows]  # fmt: skip
    return "\n".join([f"## {title}\n", "| | ms | ratio | MB | |", "|---|---:|---:|---:|---|", *lines, ""])


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
