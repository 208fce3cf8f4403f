"""rubricator export: the entries of PDFs, for other programs and for reading."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from pipeline import cli


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    made = cli.command(
        commands, "export", "the entries of PDFs: questions, errata, definitions, rules, tables",
        "rubricator export faq.pdf --format md -o faq.md",
    )  # fmt: skip
    made.add_argument("files", nargs="+", type=Path, metavar="FILE", help="PDFs, or folders to go through whole")
    made.add_argument(
        "--format",
        choices=("jsonl", "json", "md", "csv"),
        default="jsonl",
        help="json keeps bold, italic, icons and colours",
    )
    made.add_argument("-o", "--output", type=Path, metavar="OUT", help="a file to write instead of stdout")
    made.add_argument("--jobs", type=_jobs, default=None, metavar="N", help="how many PDFs to read at a time")
    made.set_defaults(run=run)


def _jobs(given: str) -> int:
    if not given.isdigit() or int(given) < 1:
        raise argparse.ArgumentTypeError(f"{given!r} is not a number of jobs")
    return int(given)


def run(args: argparse.Namespace) -> int:
    """Read all, print what could be read; the code is that of the first file that failed."""
    from pipeline import guard, store
    from pipeline.errors import RubricatorError
    from pipeline.export import WRITERS

    paths = list(_all(args.files))
    code, read = 0, []
    for _, outcome in guard.read_all(paths, jobs=args.jobs, progress=lambda line: _progress(args, line)):
        if isinstance(outcome, RubricatorError):
            code = code or outcome.exit_code
            cli.complain(outcome)
        else:
            read.append(outcome)
    if read and args.output is not None:
        store.write(args.output, WRITERS[args.format](read))
    elif read:
        sys.stdout.write(WRITERS[args.format](read))
    _count(args, sum(len(each.entries) for each in read), len(read), len(paths))
    return code


def _progress(args: argparse.Namespace, line: str) -> None:
    """For a person at a terminal only."""
    if sys.stderr.isatty():
        cli.say(args, line)


def _count(args: argparse.Namespace, entries: int, done: int, of: int) -> None:
    if done < of or sys.stderr.isatty() or args.output is not None:
        cli.say(args, f"{entries} entries from {done} of {of} {'file' if of == 1 else 'files'}")


def _all(named: list[Path]) -> Iterator[Path]:
    """The files, and all PDFs in the folders and theirs; hidden ones are left alone."""
    from pipeline.errors import SourceError

    for path in named:
        if not path.is_dir():
            yield path
            continue
        found = sorted(
            each for each in path.rglob("*")
            if each.suffix.lower() == ".pdf" and not any(part.startswith(".") for part in each.relative_to(path).parts)
        )  # fmt: skip
        if not found:
            raise SourceError("there is no PDF in this folder", where=str(path), hint="name a folder that has some")
        yield from found
