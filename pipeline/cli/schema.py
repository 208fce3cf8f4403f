"""schema: what our JSON holds, for programs that check it or are written against it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from pipeline.cli import command, say
from pipeline.errors import UsageError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator schema``."""
    parser = command(commands, "schema", "JSON Schemas of what we write for other programs", "rubricator schema export")
    parser.add_argument("name", nargs="?", metavar="NAME", help="default: list the names")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="write all of them to this folder")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """One schema to stdout, all to a folder, or their names."""
    from pipeline import store
    from pipeline.config import nearest
    from pipeline.schema import schemas

    known = schemas()
    if args.output is not None:
        for name, schema in known.items():
            say(args, str(store.write(args.output / f"{name}.schema.json", _json(schema))))
    elif args.name is None:
        print(*known, sep="\n")
    elif args.name in known:
        sys.stdout.write(_json(known[args.name]))
    else:
        raise UsageError(f"there is no schema {args.name!r}", hint=nearest(args.name, known))
    return 0


def _json(schema: dict[str, object]) -> str:
    return json.dumps(schema, ensure_ascii=False, indent=1) + "\n"
