"""``rubricator follow FOLDER``: new releases from a folder of downloads into their books, and what is new in them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cli import command, complain, say, steps, tell
from pipeline.errors import RubricatorError, SourceError

if TYPE_CHECKING:
    from pipeline.flow import Followed


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = command(
        commands, "follow", "file new releases from a folder of downloads in their books, and say what is new",
        "rubricator follow ~/Downloads --dry-run --book brumes-d-argance",
    )  # fmt: skip
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the downloads are; they stay there")
    parser.add_argument("--book", metavar="BOOK", help="a folder in sources/ or a path; default: all of sources/")
    parser.add_argument("--dry-run", action="store_true", help="say what would be filed, and file nothing")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """A line for each file; what cannot be read does not stop the others."""
    from pipeline import flow

    if not args.folder.is_dir():
        raise SourceError("is not a folder", where=str(args.folder), hint="name the folder of your downloads")
    folders = [flow.book_folder(args.book)] if args.book else [book for book in flow.all_books() if book.is_dir()]
    code = 0
    for followed in flow.follow(args.folder, folders, keep=not args.dry_run, progress=steps(args)):
        if isinstance(followed.outcome, RubricatorError):
            complain(followed.outcome)
            code = code or followed.outcome.exit_code
        else:
            _tell(args, followed)
    return code


def _tell(args: argparse.Namespace, followed: Followed) -> None:
    from pipeline.diff import change_formats
    from pipeline.diff.change_sheet import sheet
    from pipeline.render.words import words

    if followed.filed is None:
        say(args, f"{followed.path.name}: {followed.why}")
        return
    tell(f"{followed.path.name} -> {followed.filed}")
    if followed.changes is None:
        tell("  the oldest release here")
        return
    labels, change_sheet = words("en")["changes"], sheet(followed.changes)
    tell(f"  since {followed.changes.old.source}: {change_formats.summary(change_sheet, labels)}")
    for line in change_formats.told_briefly(change_sheet):
        tell(f"  {line}")
    if followed.why:
        say(args, f"  {followed.why}")
