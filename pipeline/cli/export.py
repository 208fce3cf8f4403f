"""rubricator export: the entries of PDFs, for other programs and for reading."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pipeline import cli
from pipeline.errors import UsageError, counted

FORMATS = ("jsonl", "json", "md", "csv")
VAULT = "vault"  # many files, of all sources together


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = cli.command(
        commands, "export", "the entries of PDFs: questions, errata, definitions, rules, tables",
        "rubricator export sources/brass-orrery/orrery-faq.pdf -o output/orrery.md",
    )  # fmt: skip
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="PDFs, or folders to go through whole")
    parser.add_argument("--format", choices=(*FORMATS, VAULT), help=f"{cli.BY_SUFFIX}; vault: a folder of linked notes")
    parser.add_argument(
        "--semicolons", action="store_true", help="between the columns of a CSV, as French or German Excel wants them",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="a file to write instead of stdout; or a folder (OUT/): one file a PDF, "
        "and the same command again does only what is not done",
    )  # fmt: skip
    parser.add_argument("--for", dest="listed", type=Path, metavar="LIST", help=cli.FOR)
    parser.add_argument("--jobs", type=cli.jobs, metavar="N", help="PDFs to read at a time; default: one a processor")
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="hand the PDFs to the Dask cluster of this scheduler (tcp://host:8786); "
        "its workers need rubricator, and must see the files under the same paths; it can run code here, so trust it",
    )  # fmt: skip
    parser.add_argument(
        "--as-is", action="store_true", help="without what book.toml and overrides.toml beside a PDF correct in it"
    )
    cli.password(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read all, print what could be read; the code is that of the first file that failed."""
    from pipeline import archive, flow
    from pipeline.cli.progress import Progress
    from pipeline.export import SEMICOLONS
    from pipeline.records import Document

    if args.output == "":
        raise UsageError("names no file", where="-o", hint="name a file or a folder, or leave it out")
    cli.list_named(args.listed)
    if args.format == VAULT:
        return _write_vault(args)
    sources = archive.find(args.files)
    if not args.as_is:
        sources = [replace(source, told=flow.decided(source.path.parent)) for source in sources]
    entries = 0
    folder = args.output is not None and (args.output.endswith(("/", os.sep)) or os.path.isdir(args.output))
    file = None if args.output is None or folder else Path(args.output)
    form = cli.chosen(args.format, None if file in args.files else file, FORMATS)  # a source is refused by its own name
    if args.semicolons and form != "csv":
        raise UsageError("--semicolons is for CSV", hint="add --format csv, or -o and a name that ends in .csv")
    form = SEMICOLONS if args.semicolons else form
    if args.listed is not None and folder:
        hint = "name a file after -o, or leave it out"
        raise UsageError("a list goes into one file", where=str(args.output), hint=hint)

    def read(paths: list[Path]) -> Iterator[tuple[Path, archive.Outcome]]:
        read_ones = flow.documents(paths, jobs=args.jobs, scheduler=args.scheduler)
        return read_ones if args.as_is else flow.as_decided(read_ones)

    with Progress(args, len(sources)) as progress:

        def heed(source: archive.ListedSource, outcome: archive.Outcome | None) -> None:
            nonlocal entries
            entries += len(outcome.entries) if isinstance(outcome, Document) else 0
            progress.over(source.name, outcome)

        def documents() -> Iterator[Document]:
            documents_read = archive.documents(sources, read, heed)
            if args.listed is not None and (all_read := list(documents_read)):
                documents_read = iter(flow.only_listed(all_read, args.listed, lambda line: cli.say(args, line)))
            return documents_read

        if file is not None:
            archive.into_file(documents(), form, file)
        elif args.output is None:
            archive.into_stream(documents(), form, sys.stdout)
        else:
            archive.into_folder(sources, form, Path(args.output), read, heed, lambda line: cli.say(args, line))
    if (len(sources) > 1) if progress.failed else (sys.stderr.isatty() or args.output is not None):
        summary = progress.summary(entries)
        cli.say(args, summary if args.output is None else f"{args.output}: {summary}")
    return progress.code


def _write_vault(args: argparse.Namespace) -> int:
    """The rulings of all sources as notes in a folder."""
    from pipeline import vault
    from pipeline.cli.dedup import book_of
    from pipeline.render.words import words

    if args.output is None:
        raise UsageError("a vault is a folder", hint="say where to write it with -o")
    cli.folder_named(Path(args.output))
    book, code = book_of(args)
    if book.rulings:
        ours = words(book.language)
        say = {**ours["web"], "names": ours["index"]}
        written = vault.write(vault.notes(book, say), Path(args.output))
        cli.say(args, f"{args.output}: {counted(len(written), 'note')} of {counted(len(book.rulings), 'ruling')}")
    return code
