"""``rubricator apply RULEBOOK ERRATA…``: the rulebook as it now reads."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cli import FORMATS, OTHERS, SUFFIXES, chosen, command, say, steps, tell
from pipeline.errors import RubricatorError, SourceError, UsageError

if TYPE_CHECKING:
    from pipeline.records import Amendment, Consolidation, Document

PRODUCTS = ("booklet", "reader", "web", "patch", "slips")
FILES = ("json", "jsonl", "md", "csv", "html", "pdf")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = command(
        commands, "apply", "the rulebook as it now reads: errata applied and graded; in doubt, not applied",
        "rubricator apply sources/vessmark/vessmark-rules.pdf sources/vessmark/vessmark-errata-1.1.pdf --report",
    )  # fmt: skip
    parser.add_argument("rulebook", type=Path, metavar="RULEBOOK", help="the PDF of the rulebook, as it was printed")
    parser.add_argument("errata", nargs="+", type=Path, metavar="ERRATA", help="PDFs of errata, in any order")
    parser.add_argument(
        "--as-of", metavar="DATE", help="errata after this day do not count: 2026-03-01, 2026-03 or 2026"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT",
        help="a folder for booklet, reader, web book, patch sheet and slips (default: output/RULEBOOK-as-amended); or "
        "a file: .html the web book, .pdf the reader, .json what became of each, .jsonl, .md or .csv the text",
    )  # fmt: skip
    parser.add_argument("--product", metavar="NAME", action="append", choices=PRODUCTS,
                      help="only this: booklet, reader, web, patch or slips")  # fmt: skip
    parser.add_argument("--report", action="store_true", help="list every erratum with its grade, old and new text")
    parser.add_argument("--annotate", type=Path, metavar="OUT.pdf",
                      help="a copy of the rulebook with each erratum as a note on its passage")  # fmt: skip
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read all, apply, tell; nothing is written where the errata are not for this rulebook."""
    from pipeline import flow
    from pipeline.apply import report

    _check(args)
    rulebook, *errata = _read(args)
    consolidation = flow.consolidate(rulebook, errata, args.as_of)
    if args.report:
        tell(report.lines(consolidation, why))
    else:
        say(args, report.summary(consolidation))
        for finding in consolidation.findings:
            say(args, f"to look at: {finding.source}: {finding.message}")
    if args.annotate:
        say(args, str(flow.annotate(args.rulebook, consolidation, args.annotate)))
    if args.output or not (args.report or args.annotate) or args.product:
        for path in _write(args, consolidation):
            say(args, str(path))
    return 0


def why(each: Amendment) -> str:
    """The reason of an amendment, in English."""
    from pipeline.render.consolidated import reason, words_of

    return reason(each, words_of("en"))


def _check(args: argparse.Namespace) -> None:
    """What can be wrong before anything is read."""
    from pipeline.config import IsoDate

    if args.as_of:
        try:
            IsoDate()(args.as_of, Path())
        except ValueError as error:
            raise UsageError(str(error), where="--as-of", hint="write it as 2026-03-01, 2026-03 or 2026") from None
    if args.annotate and args.annotate.suffix.lower() != ".pdf":
        raise UsageError("is no name of a PDF", where=str(args.annotate), hint="name a file that ends in .pdf")
    for path in (args.annotate, args.output):
        sources = [each for each in (args.rulebook, *args.errata) if each.exists()]
        if path and path.exists() and any(path.samefile(each) for each in sources):
            raise UsageError("is a source, and is never written over", where=str(path), hint="name another file")


def _read(args: argparse.Namespace) -> list[Document]:
    from pipeline import flow

    by_hash: dict[str, tuple[Path, Document]] = {}  # the same file twice is one
    for path, outcome in flow.documents([args.rulebook, *args.errata], progress=steps(args)):
        if isinstance(outcome, RubricatorError):
            raise outcome
        by_hash.setdefault(outcome.sha256, (path, outcome))
    rulebook, *errata = flow.told_apart(list(by_hash.values()))
    if not rulebook.entries:
        raise SourceError("has no text to apply errata to", where=str(args.rulebook))
    if not errata:
        raise UsageError("is named twice: as the rulebook and as its errata", where=str(args.rulebook))
    return [rulebook, *errata]


def _write(args: argparse.Namespace, consolidation: Consolidation) -> list[Path]:
    from pipeline import flow, store

    output = args.output or Path("output") / f"{args.rulebook.stem}-as-amended"
    form = _form(output)
    if not form:
        return flow.apply_products(args.rulebook, consolidation, output, args.product or PRODUCTS, progress=steps(args))
    if form in ("html", "pdf"):
        product = "web" if form == "html" else (args.product or ["reader"])[0]
        if (args.product and args.product != [product]) or (product == "web") != (form == "html"):
            hint = "name a folder for several; .html is for the web book, .pdf for the others"
            raise UsageError("cannot hold what was asked for", where=str(output), hint=hint)
        return [flow.apply_product(args.rulebook, consolidation, product, output)]
    return [store.write(output, _told(form, consolidation))]


def _form(output: Path) -> str:
    """What a file is to hold, by its suffix; "" for a folder."""
    suffix = output.suffix.lower().lstrip(".")
    known = {*FORMATS, *SUFFIXES, *OTHERS}
    return "" if output.is_dir() or suffix not in known else chosen(None, output, FILES)


def _told(form: str, consolidation: Consolidation) -> str:
    from pipeline import export
    from pipeline.apply import report

    if form == "json":
        packed: dict[str, Any] = {
            "rulebook": export.document_fields(consolidation.rulebook),
            "errata": [export.document_fields(each) for each in consolidation.errata],
            "as_of": consolidation.as_of,
            "summary": report.summary(consolidation),
            "amendments": report.fields(consolidation, why),
            "entries": [export.entry_fields(entry) for entry in consolidation.text.entries],
        }
        return json.dumps(packed, ensure_ascii=False, indent=1) + "\n"
    return "".join(export.stream(form, [consolidation.text]))
