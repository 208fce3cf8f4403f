"""doctor: is everything here that printing needs?"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from pipeline.cli import command
from pipeline.errors import MissingPartError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator doctor``."""
    parser = command(commands, "doctor", "is everything here that printing needs", "rubricator doctor")
    parser.add_argument("--json", action="store_true", help="for programs, and to paste into a report")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """A line a part; exit code 6 when one that is needed is missing."""
    from pipeline.doctor import examine

    parts = examine()
    if args.json:
        print(json.dumps([asdict(part) for part in parts], ensure_ascii=False, indent=1))
    for part in () if args.json else parts:
        if not args.quiet or not part.well:
            print(
                f"{'ok     ' if part.well else 'MISSING' if part.needed else 'absent '} {part.name}: {part.says}"
            )
    sys.stdout.flush()
    return 0 if all(part.well or not part.needed for part in parts) else MissingPartError.exit_code
