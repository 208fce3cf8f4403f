"""handout: what goes on the tables of one event."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.cli import FOR, command, folder_named, jobs, list_named, say, tell

OF_THE_BOOK = ("conflict", "near")  # findings of merging: many, and the same for every event


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator handout``."""
    parser = command(commands, "handout", "the handouts of one event, each within its page budget",
                   "rubricator handout sources/brumes-d-argance/event.toml --report")  # fmt: skip
    parser.add_argument(
        "event", type=Path, metavar="EVENT.toml", help="event.toml or events/NAME.toml in a book's folder"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="default: output/BOOK/EVENT")
    parser.add_argument("--for", dest="listed", type=Path, metavar="LIST", help=FOR)
    parser.add_argument("--report", action="store_true", help="list what was left out, and what needs an eye")
    parser.add_argument("--jobs", type=jobs, default=2, metavar="N", help="processes at once (default 2)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Fit and print every handout of the event; nothing is written when one cannot be made."""
    from pipeline import flow
    from pipeline.handout import report

    folder_named(args.output)
    list_named(args.listed)
    written = flow.handouts(args.event, args.output, listed=args.listed, jobs=args.jobs,
                         progress=lambda line: say(args, line))  # fmt: skip
    for handout, pages, path in written:
        summary = report(handout, pages, path)
        if args.report:
            tell(summary)
        else:
            say(args, summary.split("\n", 1)[0])
    findings = list(dict.fromkeys(finding for handout, _, _ in written for finding in handout.findings))
    shown = [finding for finding in findings if args.report or finding.code not in OF_THE_BOOK]
    for finding in shown:
        say(args, f"to look at: {finding.source}: {finding.message}")
    if len(shown) < len(findings):
        say(args, f"{len(findings) - len(shown)} more to look at in the book: --report lists them")
    return 0
