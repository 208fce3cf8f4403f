"""``rubricator diff OLD NEW``: what changed between two releases."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cli import chosen, command, password, say, steps
from pipeline.errors import DIFFERENCES_FOUND, RubricatorError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.records import Changes, Document

ALWAYS = "\xa0…→–›·?!:;«»“”’"  # letters that a page may need beside those of its texts
FORMATS = ("text", "json", "md", "html", "pdf")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = command(commands, "diff", "what changed between two releases of one document",
                   "rubricator diff sources/vessmark/vessmark-errata-1.0.pdf sources/vessmark/vessmark-errata-1.1.pdf "
                   "-o output/new.pdf")  # fmt: skip
    parser.add_argument("old", type=Path, metavar="OLD", help="the PDF of the older release")
    parser.add_argument("new", type=Path, metavar="NEW", help="the PDF of the newer release")
    parser.add_argument("--format", choices=FORMATS, help="default: by the suffix of OUT, else text")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="file to write; default: standard output")
    parser.add_argument(
        "--exit-code", action="store_true", help=f"exit with {DIFFERENCES_FOUND} when there are differences"
    )
    parser.add_argument(
        "--rulebook", type=Path, metavar="PDF", help="OLD and NEW are its errata: what the newer ones did to the rules"
    )
    parser.add_argument("--annotate", type=Path, metavar="OUT.pdf", help="a copy of NEW with its changes highlighted")
    parser.add_argument("--annotate-old", type=Path, metavar="OUT.pdf", help="a copy of OLD with what changed since")
    parser.add_argument("--force", action="store_true", help="compare also what is not two releases of one document")
    password(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read both, compare, write."""
    from pipeline import flow

    form = form_of(args, FORMATS)
    _check_copies(args)
    old, new = read([args.old, args.new], args)
    if args.rulebook:
        [_, old, new] = as_amended(args.rulebook, [old, new], args)
    if old.date and new.date and old.date[: len(new.date)] > new.date:
        say(args, f"{args.old} ({old.date}) is newer than {args.new} ({new.date}): the older release comes first")
    changes = flow.compare(old, new, forced(args.new.parent))
    refuse_strangers(changes, args)
    copies = _annotate(args, changes)
    if args.output or args.format or not copies:
        write(args, form, [changes])
    if form != "text" or args.output or copies:
        say(args, counts(changes))
    for path in copies:
        say(args, str(path))
    return DIFFERENCES_FOUND if args.exit_code and (changes.changes or changes.renumbered) else 0


def _check_copies(args: argparse.Namespace) -> None:
    """What can be wrong with the highlighted copies, before anything is read."""
    for path in (args.annotate, args.annotate_old):
        if path and path.suffix.lower() != ".pdf":
            raise UsageError("is no name of a PDF", where=str(path), hint="name a file that ends in .pdf")
        if path and args.rulebook:
            raise UsageError("highlights a release, not a rulebook", where="--annotate", hint="use 'rubricator apply'")
        if path and path.exists() and any(path.samefile(each) for each in (args.old, args.new) if each.exists()):
            raise UsageError("is a source, and is never written over", where=str(path), hint="name another file")


def _annotate(args: argparse.Namespace, changes: Changes) -> list[Path]:
    """The highlighted copies that are asked for."""
    from pipeline import flow

    asked = [(args.new, args.annotate, False), (args.old, args.annotate_old, True)]
    return [flow.annotate_changes(path, changes, out, older=older) for path, out, older in asked if out]


def form_of(args: argparse.Namespace, formats: Sequence[str]) -> str:
    """The format that is asked for; a PDF needs a file."""
    form = chosen(args.format, args.output, formats)
    if form == "pdf" and not args.output and sys.stdout.isatty():
        raise UsageError("a PDF cannot be shown on a terminal", hint="say where to write it with -o")
    return form


def read(paths: Sequence[Path], args: argparse.Namespace) -> list[Document]:
    """Every PDF, each in a guarded child; the first that fails ends it."""
    from pipeline import flow

    documents: list[Document] = []
    for _, outcome in flow.documents(paths, progress=steps(args)):
        if isinstance(outcome, RubricatorError):
            raise outcome
        documents.append(outcome)
    return documents


def as_amended(rulebook: Path, errata: Sequence[Document], args: argparse.Namespace) -> list[Document]:
    """The rulebook as it was printed, then as it read after each release of its errata."""
    from pipeline import flow

    [printed] = read([rulebook], args)
    return [printed, *(flow.released(flow.consolidate(printed, errata[:n])) for n in range(1, len(errata) + 1))]


def forced(folder: Path) -> tuple[tuple[str, str], ...]:
    """The pairs that overrides.toml beside the newer release matches."""
    from pipeline.config import load_overrides

    return tuple((pair.old, pair.new) for pair in load_overrides(folder).match)


def refuse_strangers(changes: Changes, args: argparse.Namespace) -> None:
    """Two documents that are not releases of one are said, not diffed into nonsense."""
    for finding in changes.findings:
        if finding.code == "unrelated" and not args.force:
            raise UsageError(finding.message, where=f"{args.old} and {args.new}", hint="--force compares them anyway")


def counts(changes: Changes) -> str:
    """The summary, for stderr."""
    from pipeline.diff.change_formats import summary
    from pipeline.diff.change_sheet import sheet
    from pipeline.render.words import words

    return summary(sheet(changes), words("en")["changes"])


# ---------------------------------------------------------------- writing, for since too


def write(args: argparse.Namespace, form: str, many: Sequence[Changes], title: str = "", date: str = "") -> None:
    """The changes in their format, to the file or to standard output."""
    if form in ("html", "pdf"):
        write_sheet(args, form, many, title, date)
    elif args.output:
        from pipeline import store

        store.write(args.output, told(form, many, coloured=False))
    else:
        sys.stdout.write(told(form, many, coloured=is_terminal()))


def is_terminal() -> bool:
    """Whether colours help: a terminal, and nobody said NO_COLOR."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def told(form: str, many: Sequence[Changes], *, coloured: bool) -> str:
    """Text, Markdown or JSON."""
    from pipeline.diff import change_formats
    from pipeline.render.words import words

    if form == "json":
        packed = [change_formats.fields(changes) for changes in many]
        return json.dumps(packed[0] if len(packed) == 1 else packed, ensure_ascii=False, indent=1) + "\n"
    if form == "md":
        return "\n".join(change_formats.markdown(each, words(each.new.language)["changes"]) for each in many)
    return "\n".join(change_formats.text(each, words("en")["changes"], colour=coloured) for each in many)


def write_sheet(args: argparse.Namespace, form: str, many: Sequence[Changes], title: str, date: str) -> None:
    """The change sheet, in the language of the newest release."""
    from pipeline.diff.change_sheet import sheet

    language = next((each.new.language for each in many if each.new.language), None)
    sheets = [sheet(each, f"c{number}-" if len(many) > 1 else "c") for number, each in enumerate(many)]
    print_sheet(args, form, "changes.html.j2", {"sheets": sheets, "title": title, "since": date}, language)


def print_sheet(
    args: argparse.Namespace, form: str, template: str, context: dict[str, object], language: str | None
) -> None:
    """A page of ours to its file, or to standard output."""
    import tempfile

    from pipeline.diff import change_formats
    from pipeline.render import print_guarded, render_template

    type_inside = "" if form == "pdf" else _type_for(context, language)
    context = {"paper": form == "pdf", "show": change_formats, "faces": type_inside, **context}
    if args.output:
        out = args.output.with_suffix(args.output.suffix or f".{form}")
        render_template(template, context, out, language=language, printer=print_guarded)
        return
    with tempfile.TemporaryDirectory() as folder:
        written = render_template(template, context, Path(folder) / f"sheet.{form}", language=language,
                                      printer=print_guarded)  # fmt: skip
        sys.stdout.buffer.write(written.read_bytes())


def _type_for(context: dict[str, object], language: str | None) -> str:
    """Our type, cut down to the letters of the page and held in it: a page to pass on is one file."""
    from pipeline.render import words
    from pipeline.render.web import faces

    return faces("".join(sorted({*repr(context), *str(words.words(language)), *ALWAYS})))
