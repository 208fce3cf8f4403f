"""rubricator dedup: the rulings of several sources after merging."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import cli
from pipeline.errors import counted

if TYPE_CHECKING:
    from pipeline.records import AnyEntry, Book, Ruling

FORMATS = ("jsonl", "json", "md", "csv")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = cli.command(
        commands, "dedup", "the rulings of several sources after merging, each once with all its citations",
        "rubricator dedup sources/brumes-d-argance/*.pdf --format csv -o output/argance.csv",
    )  # fmt: skip
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="PDFs, or the folder of a book")
    parser.add_argument("--format", choices=FORMATS, help=cli.BY_SUFFIX)
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="a file to write instead of stdout")
    cli.password(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read, merge, print; a file that fails costs only itself, and its code is the exit code."""
    from pipeline import store
    from pipeline.export import rulings_csv, rulings_markdown

    form = cli.chosen(args.format, args.output, FORMATS)
    book, code = book_of(args)
    written = {"jsonl": _jsonl, "json": _json, "md": rulings_markdown, "csv": rulings_csv}[form](book)
    if args.output is None:
        sys.stdout.write(written)
    else:
        store.write(args.output, written.encode("utf-8-sig") if form == "csv" else written)  # Excel wants the mark
    cited = sum(len(ruling.citations) for ruling in book.rulings)
    disputed = sum(ruling.conflict for ruling in book.rulings)
    if not code or book.documents:
        counts = {"ruling": len(book.rulings), "citation": cited, "conflict": disputed, "alike pair": len(book.near)}
        summary = ", ".join(counted(count, name) for name, count in counts.items())
        cli.say(args, f"{args.output}: {summary}" if args.output else summary)
    return code


def book_of(args: argparse.Namespace) -> tuple[Book, int]:
    """The files together, or the book of a folder; and the code of the first that failed."""
    from pipeline import flow
    from pipeline.errors import RubricatorError

    if len(args.files) == 1 and args.files[0].is_dir():
        return flow.open_book(args.files[0], progress=cli.steps(args))[0], 0
    code, read = 0, []
    for path, document in flow.documents(_all_files(args.files), progress=cli.steps(args)):
        if isinstance(document, RubricatorError):
            cli.complain(document)
            code = code or document.exit_code
            continue
        read.append((path, document))
    return flow.merge(flow.told_apart(read)), code


def _all_files(named: list[Path]) -> list[Path]:
    from pipeline.config import sources

    return [path for each in named for path in (sources(each) if each.is_dir() else (each,))]


def _jsonl(book: Book) -> str:
    return "".join(json.dumps(fields(ruling), ensure_ascii=False) + "\n" for ruling in book.rulings)


def _json(book: Book) -> str:
    from pipeline.export import finding_fields

    packed = {
        "rulings": [fields(ruling, styled=True) for ruling in book.rulings], "near": [list(pair) for pair in book.near],
        "findings": [finding_fields(finding) for finding in book.findings],
    }  # fmt: skip
    return json.dumps(packed, ensure_ascii=False, indent=1) + "\n"


def fields(ruling: Ruling, *, styled: bool = False) -> dict[str, Any]:
    """A ruling as the promised JSON: the chosen entry's fields, and what merging adds."""
    from pipeline.export import entry_fields

    def shown(entries: tuple[AnyEntry, ...]) -> list[dict[str, Any]]:
        return [entry_fields(entry, styled=styled) for entry in entries]

    packed = entry_fields(ruling.entry, styled=styled)
    packed["code"] = ruling.code
    packed["citations"] = [
        {"source": cited.source, "page": cited.page, "section": list(cited.section), "subject": cited.subject}
        for cited in ruling.citations
    ]
    packed["variants"] = shown(ruling.variants)
    packed["conflict"] = ruling.conflict
    if ruling.disputed:
        packed["disputed"] = shown(ruling.disputed)
    packed["see_also"] = list(ruling.see_also)
    packed["since"] = None if ruling.since is None else str(ruling.since)
    packed["since_date"] = ruling.since_date
    if ruling.original is not None:
        packed["original"] = entry_fields(ruling.original, styled=styled)
    return packed
