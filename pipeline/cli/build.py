"""build: the books of sources/, printed to output/."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.cli import command, complain, say
from pipeline.errors import RubricatorError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator build``."""
    made = command(commands, "build", "print the books of sources/ to output/", "rubricator build argance")
    made.add_argument(
        "books", nargs="*", metavar="BOOK", help="a folder in sources/ or a path; default: all of sources/"
    )
    made.add_argument(
        "-o", "--output", type=Path, default=Path("output"), metavar="DIR", help="default: output"
    )
    made.add_argument("--jobs", type=int, default=2, metavar="N", help="processes at once (default 2)")
    made.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Each book by itself: one that fails does not stop the others; the code is that of the first that failed."""
    from pipeline import flow

    code, failed = 0, []
    folders = [flow.book_folder(name) for name in args.books] if args.books else flow.all_books()
    for folder in folders:
        try:
            book, written = flow.build(
                folder, args.output, jobs=args.jobs, progress=lambda line: say(args, line)
            )
        except RubricatorError as error:
            if args.debug:
                raise
            code = code or complain(error)
            failed.append(folder.name)
            continue
        say(args, f"{book.title}: {len(book.rulings)} rulings from {len(book.documents)} sources, {len(written)} files"
                  f" in {args.output / book.name}" + (f"; {len(book.findings)} findings (rubricator check {folder})"
                                                      if book.findings else ""))  # fmt: skip
    if failed and len(folders) > 1:
        say(args, f"not built: {', '.join(failed)}")
    return code
