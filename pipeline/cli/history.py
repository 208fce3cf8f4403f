"""``rubricator history FILE…`` and ``rubricator since DATE BOOK``: many releases."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cli import command, say
from pipeline.cli.diff import FORMATS, as_amended, forced, form_of, is_terminal, print_sheet, read, write
from pipeline.errors import SourceError, UsageError

if TYPE_CHECKING:
    from pipeline.config import BookSettings
    from pipeline.records import Changes, Document, History

HISTORY_FORMATS = ("text", "json", "html", "pdf")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare both commands."""
    parser = command(commands, "history", "when each ruling came, changed and went, over many releases",
                   "rubricator history sources/brumes-d-argance/argance-faq-*.pdf --entry canal")  # fmt: skip
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="the PDFs of the releases, in any order; or a book's folder"
    )
    parser.add_argument("--entry", metavar="WORDS", help="only the entry with this id, or those that hold these words")
    parser.add_argument(
        "--rulebook", type=Path, metavar="PDF", help="FILES are errata: the life of the rules they amend"
    )
    parser.add_argument("--all", action="store_true", help="list also what never changed")
    parser.add_argument("--format", choices=HISTORY_FORMATS, help="default: by the suffix of OUT, else text")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="file to write; default: standard output")
    parser.add_argument("--force", action="store_true", help="take also what is not releases of one document")
    parser.set_defaults(run=run_history)
    later = command(commands, "since", "all that changed in a book since a day, over all its sources, as one sheet",
                    "rubricator since 2026-03-01 brumes-d-argance -o output/since.pdf")  # fmt: skip
    later.add_argument("date", metavar="DATE", help="2026-03-01, 2026-03 or 2026")
    later.add_argument("book", metavar="BOOK", help="a folder in sources/, or the path of one")
    later.add_argument("--format", choices=FORMATS, help="default: by the suffix of OUT, else text")
    later.add_argument("-o", "--output", type=Path, metavar="OUT", help="file to write; default: standard output")
    later.set_defaults(run=run_since)


# ---------------------------------------------------------------- history


def run_history(args: argparse.Namespace) -> int:
    """Read all, put them in order, tell the lives."""
    from pipeline.diff.history import chronological, history, within

    form = form_of(args, HISTORY_FORMATS)
    paths = _pdfs(args.files, args.rulebook)
    releases = chronological(read(paths, args))
    if args.rulebook:
        releases = as_amended(args.rulebook, releases, args)
    elif len(args.files) == 1 and not args.force:
        releases = _of_one(releases, args)
    past = history(releases, forced(paths[0].parent))
    if past.findings and not args.force:
        raise UsageError(past.findings[0].message, where=", ".join(each.source for each in releases),
                         hint="name the releases of one document, or use --force")  # fmt: skip
    if args.entry:
        past = within(past, args.entry)
        if not past.lives:
            raise UsageError("no entry holds these words", where=args.entry, hint="try fewer words")
    _write_history(args, form, past)
    return 0


def _of_one(documents: list[Document], args: argparse.Namespace) -> list[Document]:
    """Of a book's folder, the document that has releases; which it is must be said where several have."""
    from pipeline.config import load_book
    from pipeline.diff.history import families

    folder = args.files[0]
    groups = [group for group in families(documents, load_book(folder).releases) if len(group) > 1]
    if len(groups) != 1:
        named = "; ".join(" ".join(shlex.quote(str(folder / each.source)) for each in group) for group in groups)
        raise UsageError("several documents have releases here" if groups else "no document has releases here",
                         where=str(folder), hint=f"name those of one: {named}" if groups else
                         "name the PDFs, or use --force")  # fmt: skip
    aside = [each.source for each in documents if each not in groups[0]]
    if aside:
        say(args, f"not releases of it, and left aside: {', '.join(aside)}")
    return groups[0]


def _pdfs(files: list[Path], rulebook: Path | None) -> list[Path]:
    from pipeline.config import sources

    paths = [path for file in files for path in (sources(file) if file.is_dir() else (file,))]
    if len(paths) < (1 if rulebook else 2):
        raise UsageError("one release has no history", where=str(paths[0]), hint="name two or more")
    return paths


def _write_history(args: argparse.Namespace, form: str, past: History) -> None:
    from pipeline import store
    from pipeline.diff import change_formats
    from pipeline.render.words import words

    if form in ("html", "pdf"):
        print_sheet(
            args,
            form,
            "history.html.j2",
            {"told": past, "every": args.all or bool(args.entry)},
            past.releases[-1].language,
        )
        return
    if form == "json":
        text = json.dumps(change_formats.history_fields(past), ensure_ascii=False, indent=1) + "\n"
    else:
        colour = is_terminal() and not args.output
        labels, every = words("en")["changes"], args.all or bool(args.entry)
        text = change_formats.history_text(past, labels, colour=colour, every=every)
    if args.output:
        store.write(args.output, text)
    else:
        sys.stdout.write(text)


# ---------------------------------------------------------------- since


def run_since(args: argparse.Namespace) -> int:
    """For each source of a book what changed since the day."""
    from pipeline import flow
    from pipeline.config import load_book, sources
    from pipeline.diff.history import families, since

    form = form_of(args, FORMATS)
    if not re.fullmatch(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", args.date):
        raise UsageError("is not a date", where=args.date, hint="write it as 2026-03-01, 2026-03 or 2026")
    folder = flow.book_folder(args.book)
    settings = load_book(folder)
    documents = [flow.corrected(each, settings) for each in read(sources(folder, settings), args)]
    undated = [each.source for each in documents if not each.date]
    if len(undated) == len(documents):
        raise SourceError(
            "no source says its date",
            where=str(folder),
            hint='give it in book.toml: [documents."x.pdf"] date = "2026-03-01"',
        )
    if undated:
        say(args, f"{', '.join(undated)}: without a date, and so left out – give it in book.toml (documents)")
    many = since(families(documents, settings.releases), args.date, forced(folder))
    if rules := _rules_since(documents, settings, args.date):
        many = [*many, rules]
    if not many:
        say(args, f"no source of this book is newer than {args.date}")
    write(args, form, many, settings.title or settings.name, args.date)
    return 0


def _rules_since(documents: list[Document], settings: BookSettings, date: str) -> Changes | None:
    """What the errata since the day did to the text of the rulebook."""
    from pipeline import flow

    before, after = (flow.as_amended(documents, settings, day) for day in (date, None))
    if not before or not after or before.text == after.text:
        return None
    return flow.compare(flow.released(before), flow.released(after))
