"""build: the books of sources/, printed to output/."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cli import command, complain, folder_named, jobs, password, say
from pipeline.errors import MissingPartError, RubricatorError, counted, fit

if TYPE_CHECKING:
    from pipeline.flow import Place
    from pipeline.records import Book


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator build``."""
    parser = command(commands, "build", "print books to output/: those of sources/, or PDFs as they are",
                   "rubricator build brass-orrery")  # fmt: skip
    parser.add_argument(
        "books", nargs="*", metavar="BOOK",
        help="a book of sources/, a folder, or PDFs, which become one book together; default: all of sources/",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("output"), metavar="DIR", help="default: output"
    )
    parser.add_argument("--jobs", type=jobs, default=2, metavar="N", help="processes at once (default 2)")
    password(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Each book by itself: one that fails does not stop the others; the code is that of the first that failed."""
    from pipeline import flow

    folder_named(args.output)
    code, failed, lacks = 0, [], set()
    folders = _places([flow.book_folder(name) for name in args.books]) if args.books else flow.all_books()
    for folder in folders:
        try:
            book, written = flow.build(
                folder, args.output, jobs=args.jobs, progress=lambda line: say(args, line)
            )
        except RubricatorError as error:
            if args.debug:
                raise
            if str(error) not in lacks:
                complain(error)
            if isinstance(error, MissingPartError):  # the others lack it, too: it is said once
                lacks.add(str(error))
            code = code or error.exit_code
            failed.append(_name(folder))
            continue
        say(args, _summary(book, folder, args.output))
        if written and not args.quiet:
            shown = [fit(str(path)) if sys.stdout.isatty() else str(path) for path in written]
            print(*shown, sep="\n", flush=True)
    if failed and len(folders) > 1:
        say(args, f"not built: {', '.join(failed)}")
    return code


def _places(named: list[Path]) -> list[Place]:
    """Books one by one, and PDFs together as one, where the first of them was named."""
    files = tuple(path for path in named if path.is_file())
    places: list[Place] = [path for path in named if path.is_dir()]
    return [*places[: named.index(files[0])], files, *places[named.index(files[0]) :]] if files else places


def _name(place: Place) -> str:
    return ", ".join(path.name for path in place) if isinstance(place, tuple) else place.name


def _summary(book: Book, folder: Place, output: Path) -> str:
    """What was made of what, in a line; findings with the command that lists them."""
    from pipeline.records import Kind

    rulings = sum(ruling.entry.kind is not Kind.TEXT for ruling in book.rulings)  # as the products count them
    older = f" and {counted(len(book.superseded), 'older release')}" if book.superseded else ""
    line = f"{book.title}: {counted(rulings, 'ruling')} from {counted(len(book.documents), 'source')}{older}"
    findings = len(book.findings)
    paths = folder if isinstance(folder, tuple) else (folder,)
    look = f"; {findings} to look at: rubricator check {shlex.join(map(str, paths))}" if findings else ""
    return f"{line}, in {output / book.name}{look}"
