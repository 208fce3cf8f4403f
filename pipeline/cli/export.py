"""rubricator export: the entries of PDFs, for other programs and for reading."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from pipeline import cli
from pipeline.errors import UsageError

FORMATS = ("jsonl", "json", "md", "csv")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    made = cli.command(
        commands, "export", "the entries of PDFs: questions, errata, definitions, rules, tables",
        "rubricator export faq.pdf --format md -o faq.md",
    )  # fmt: skip
    made.add_argument("files", nargs="+", type=Path, metavar="FILE", help="PDFs, or folders to go through whole")
    made.add_argument("--format", choices=FORMATS, help=cli.BY_SUFFIX)
    made.add_argument(
        "--semicolons", action="store_true", help="between the columns of a CSV, as French or German Excel wants them",
    )  # fmt: skip
    made.add_argument(
        "-o", "--output", metavar="OUT", help="a file to write instead of stdout; or a folder (OUT/): one file a PDF, "
        "and the same command again does only what is not done",
    )  # fmt: skip
    made.add_argument("--jobs", type=cli.jobs, metavar="N", help="PDFs to read at a time; default: one a processor")
    made.add_argument(
        "--scheduler", metavar="ADDRESS", help="hand the PDFs to the Dask cluster of this scheduler (tcp://host:8786); "
        "its workers need rubricator, and must see the files under the same paths; it can run code here, so trust it",
    )  # fmt: skip
    made.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read all, print what could be read; the code is that of the first file that failed."""
    from pipeline import archive, flow
    from pipeline.cli.progress import Progress
    from pipeline.export import SEMICOLONS
    from pipeline.records import Document

    if args.output == "":
        raise UsageError("names no file", where="-o", hint="name a file or a folder, or leave it out")
    sources = archive.find(args.files)
    entries = 0
    folder = args.output is not None and (args.output.endswith(("/", os.sep)) or os.path.isdir(args.output))
    file = None if args.output is None or folder else Path(args.output)
    form = cli.chosen(args.format, None if file in args.files else file, FORMATS)  # a source is refused by its own name
    if args.semicolons and form != "csv":
        raise UsageError("--semicolons is for CSV", hint="add --format csv, or -o and a name that ends in .csv")
    form = SEMICOLONS if args.semicolons else form

    def read(paths: list[Path]) -> Iterator[tuple[Path, archive.Outcome]]:
        return flow.documents(paths, jobs=args.jobs, scheduler=args.scheduler)

    with Progress(args, len(sources)) as progress:

        def heed(source: archive.Source, outcome: archive.Outcome | None) -> None:
            nonlocal entries
            entries += len(outcome.entries) if isinstance(outcome, Document) else 0
            progress.over(source.name, outcome)

        if file is not None:
            archive.into_file(archive.documents(sources, read, heed), form, file)
        elif args.output is None:
            archive.into_stream(archive.documents(sources, read, heed), form, sys.stdout)
        else:
            archive.into_folder(sources, form, Path(args.output), read, heed, lambda line: cli.say(args, line))
    if (len(sources) > 1) if progress.failed else (sys.stderr.isatty() or args.output is not None):
        cli.say(args, progress.summary(entries))
    return progress.code
