"""render: the products of one book."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.cli import command, folder_named, jobs, say
from pipeline.errors import ConfigError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator render``."""
    made = command(
        commands, "render", "print one product of a book, or all", "rubricator render argance --product booklet"
    )
    made.add_argument("book", metavar="BOOK", help="a folder in sources/ or a path")
    made.add_argument(
        "--product",
        metavar="NAME",
        action="append",
        help="booklet, sheet, reader, cards, slips, zine or web; default: what book.toml says",
    )
    made.add_argument(
        "--templates", type=Path, metavar="DIR", help="your own templates; ours fill in what is not there"
    )
    made.add_argument("-o", "--output", type=Path, default=Path("output"), metavar="DIR", help="default: output")
    made.add_argument("--jobs", type=jobs, default=2, metavar="N", help="processes at once (default 2)")
    made.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Open the book in guarded children and print it."""
    from pipeline import flow, store
    from pipeline.errors import UsageError
    from pipeline.render import PRODUCTS, render_all

    folder_named(args.output)
    for name in args.product or ():
        if name not in PRODUCTS:
            raise UsageError(f"there is no product {name}", hint=f"choose one of {', '.join(PRODUCTS)}")
    if args.templates is not None and not args.templates.is_dir():
        raise ConfigError("is not a folder", where=str(args.templates), hint="name the folder of your templates")
    book, settings = flow.open_book(flow.book_folder(args.book), jobs=args.jobs, progress=lambda line: say(args, line))
    written = render_all(
        book,
        settings,
        store.within(args.output, book.name),
        products=args.product,
        templates=args.templates,
        jobs=args.jobs,
        progress=lambda line: say(args, line),
    )
    for path in written:
        say(args, str(path))
    return 0
