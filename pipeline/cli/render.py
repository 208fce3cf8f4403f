"""render: the products of one book."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.cli import FOR, command, folder_named, jobs, list_named, say
from pipeline.errors import ConfigError, UsageError

MOST_PAGES = 400  # as in event.toml


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator render``."""
    parser = command(
        commands, "render", "print one product of a book, or all", "rubricator render brass-orrery --product sheet"
    )
    parser.add_argument("book", metavar="BOOK", help="a folder in sources/ or a path")
    parser.add_argument(
        "--product",
        metavar="NAME",
        action="append",
        help="booklet, dossier, sheet, reader, cards, slips, zine, web or epub; default: what book.toml says, "
        "of a list its own sheet (A5)",
    )
    parser.add_argument("--for", dest="listed", type=Path, metavar="LIST", help=FOR)
    parser.add_argument("--pages", type=pages, metavar="N", help="of the sheet of a list; default: as many as it takes")
    parser.add_argument(
        "--templates", type=Path, metavar="DIR", help="your own templates; ours fill in what is not there"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("output"), metavar="DIR", help="default: output")
    parser.add_argument("--jobs", type=jobs, default=2, metavar="N", help="processes at once (default 2)")
    parser.set_defaults(run=run)


def pages(given: str) -> int:
    """The number after --pages."""
    if not given.isdigit() or not 1 <= int(given) <= MOST_PAGES:
        raise argparse.ArgumentTypeError(f"{given!r} is not a number of pages from 1 to {MOST_PAGES}")
    return int(given)


def run(args: argparse.Namespace) -> int:
    """Open the book in guarded children and print it."""
    from pipeline import flow, store
    from pipeline.config import load_book
    from pipeline.render import PRODUCTS, render_all

    folder_named(args.output)
    for name in args.product or ():
        if name not in PRODUCTS:
            raise UsageError(f"there is no product {name}", hint=f"choose one of {', '.join(PRODUCTS)}")
    if args.templates is not None and not args.templates.is_dir():
        raise ConfigError("is not a folder", where=str(args.templates), hint="name the folder of your templates")
    if args.pages and (args.listed is None or args.product):
        raise UsageError("--pages is for the sheet of a list", hint="add --for LIST, and no --product")

    list_named(args.listed)
    source = flow.book_folder(args.book)

    def progress(line: str) -> None:
        say(args, line)

    asked = args.product or load_book(source).products
    book, settings = flow.open_book(source, with_past=flow.DOSSIER in asked, jobs=args.jobs, progress=progress)
    folder = store.within(args.output, book.name)
    if args.listed is not None:
        from pipeline.render.player_book import noted
        from pipeline.text import file_name

        of = flow.mine(book, args.listed, progress)
        folder = store.within(args.output, book.name, f"for-{file_name(of.title) or 'list'}")
        if not args.product:
            flow.list_sheet(book, settings, of, folder, pages=args.pages, progress=progress)
            return 0
        book = noted(book, of)
    written = render_all(book, settings, folder, products=args.product, templates=args.templates, jobs=args.jobs,
                         progress=progress)  # fmt: skip
    for path in written:
        say(args, str(path))
    return 0
