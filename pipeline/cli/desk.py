"""desk: the tool in a browser on this machine."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.cli import command, say
from pipeline.errors import INTERRUPTED, SourceError, UsageError

PORTS = 65_536


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``desk [BOOK|FILE.pdf]``."""
    parser = command(commands, "desk", "the tool in a browser on this machine: look, mend, make",
                   "rubricator desk brumes-d-argance")  # fmt: skip
    parser.add_argument("book", nargs="?", metavar="BOOK|FILE.pdf", help="a folder in sources/, a path, or one PDF")
    parser.add_argument("--no-browser", action="store_true", help="print the address and open nothing")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="default: any that is free")
    parser.add_argument("-o", "--output", type=Path, default=Path("output"), metavar="DIR", help="default: output")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C. The address is the result: it goes to stdout."""
    import webbrowser

    from pipeline.desk import desk

    if not 0 <= args.port < PORTS:
        raise UsageError(f"{args.port} is no port", where="--port", hint="a number up to 65535")
    folder, only = _what(args.book)

    def opened(address: str) -> None:
        print(address, flush=True)
        say(args, "the desk is open; Ctrl-C closes it")
        if not args.no_browser:
            webbrowser.open(address)

    try:
        desk(folder, only, root=Path("sources"), output=args.output, port=args.port, opened=opened)
    except KeyboardInterrupt:
        say(args, "closed")
        return INTERRUPTED
    return 0


def _what(name: str | None) -> tuple[Path | None, str]:
    """The folder of the book, and the file where only one was asked for."""
    from pipeline import flow

    if name is None:
        return None, ""
    path = Path(name)
    if path.suffix.lower() == ".pdf" and not path.is_dir():
        if not path.is_file():
            raise SourceError("there is no such file", where=name)
        return path.resolve().parent, path.name
    return flow.book_folder(name), ""
