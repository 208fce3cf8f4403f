"""serve: the web book on the local network, for the phones in the hall."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pipeline.cli import command, say
from pipeline.errors import UsageError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator serve``."""
    parser = command(commands, "serve", "the web book on the local network, for the phones in the hall",
                   "rubricator serve brass-orrery --once")  # fmt: skip
    parser.add_argument(
        "book", metavar="BOOK", help="a book of sources/, a folder, a PDF, an event.toml, or a web.html"
    )
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="default: any that is free")
    parser.add_argument("--address", default="", metavar="HOST", help="of this machine; default: found out")
    parser.add_argument("--once", action="store_true", help="say the address and stop: to try it")
    parser.set_defaults(run=run)


def _port(given: str) -> int:
    if not given.isdigit() or int(given) > 65535:
        raise argparse.ArgumentTypeError(f"{given!r} is not a port")
    return int(given)


def run(args: argparse.Namespace) -> int:
    """Serve that one page, read-only, until Ctrl-C."""
    from pipeline import serve

    page = _page(args)
    with serve.server(page, args.address, args.port) as running:
        code = serve.qr_in_blocks(running.url) if sys.stdout.isatty() or args.once else ""
        print(code, running.url, sep="\n", flush=True)
        say(args, "for everybody on this network; Ctrl-C ends it")
        if not args.once:
            running.serve_forever()
    return 0


def _page(args: argparse.Namespace) -> bytes:
    """The page: a file as it is, or that of a book or an event, made now."""
    from pipeline import flow
    from pipeline.render.products import Press

    path = Path(args.book)
    if path.suffix.lower() in (".html", ".htm") and path.is_file():
        return path.read_bytes()
    if path.suffix.lower() == ".toml" and path.is_file():
        return flow.event_page(path, progress=lambda line: say(args, line)).encode()
    if path.suffix and path.suffix.lower() not in (".pdf",) and path.is_file():
        raise UsageError("is no book", where=str(path), hint="name a book, a PDF, an event.toml or a web.html")
    book, settings = flow.open_book(flow.book_folder(args.book), progress=lambda line: say(args, line))
    return Press(book, settings, None, lambda html, pictures: b"").web().encode()
