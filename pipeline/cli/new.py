"""new-book, new-event, new-layer: files to start from, with a comment at every key."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from pipeline.blank import book_toml, event_toml, flat
from pipeline.cli import command, say
from pipeline.errors import OutputError, UsageError, counted


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator new-book``, ``new-event`` and ``new-layer``."""
    made = command(
        commands,
        "new-book",
        "a folder in sources/ with a commented book.toml",
        "rubricator new-book 'Mon jeu'",
    )
    made.add_argument("name", metavar="NAME", help="the title of the book")
    made.set_defaults(run=new_book)
    made = command(
        commands, "new-event", "a commented event.toml", "rubricator new-event 'Coupe 2026' --book brass-orrery"
    )
    made.add_argument("name", metavar="NAME", help="the name of the event")
    made.add_argument("--book", help="a folder in sources/; needed when there are several")
    made.add_argument("--date", help="the day, as 2026-12-31")
    made.set_defaults(run=new_event)
    made = command(commands, "new-layer", "a judges' log (CSV) as a layer for the next event",
                   "rubricator new-layer log.csv --by 'Arbitres de la Ligue' -o output/ligue.toml")  # fmt: skip
    made.add_argument(
        "log",
        type=Path,
        metavar="LOG.csv",
        help="columns: no,time,table,subject,question,ruling,judge,overrides, or as our log page calls them",
    )
    made.add_argument("--by", required=True, help="who says so")
    made.add_argument("--date", help="the day of the rulings, as 2026-12-31")
    made.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.toml", help="file to write")
    made.set_defaults(run=new_layer)


def new_book(args: argparse.Namespace) -> int:
    """A folder with a commented book.toml."""
    path = Path("sources") / _folder_name(args.name) / "book.toml"
    _start(path, book_toml(args.name))
    say(args, f"{path} – put the publisher's PDFs beside it and run {_build(path)}")
    return 0


def _build(path: Path) -> str:
    """What prints the book: make where there is our Makefile, else the command."""
    return "make" if Path("Makefile").is_file() else f"rubricator build {path.parent.name}"


def new_event(args: argparse.Namespace) -> int:
    """An event file: event.toml, or one more in events/; a second one of the same name would be refused later."""
    from pipeline import flow
    from pipeline.event import called

    books = [flow.book_folder(args.book)] if args.book else [book for book in flow.all_books() if book.is_dir()]
    if len(books) != 1:
        raise UsageError(
            "which book?", hint=f"add --book and one of {', '.join(book.name for book in books)}"
        )
    [folder] = books
    for other in called(flat(args.name), folder):
        raise OutputError("is an event of this name", where=str(other), hint="choose another name, or edit it")
    first = folder / "event.toml"
    path = folder / "events" / f"{_folder_name(args.name)}.toml" if first.exists() else first
    _start(path, event_toml(args.name, _day(args.date)))
    say(args, f"{path} – then: rubricator handout {shlex.quote(str(path))}")
    return 0


def new_layer(args: argparse.Namespace) -> int:
    """A log of rulings as a layer."""
    from pipeline.event import layer_toml, load_layer, load_log

    _start(args.output, layer_toml(args.by, _day(args.date), load_log(args.log, _printed_heads())))
    made = counted(len(load_layer(args.output).rulings), "ruling")
    say(args, f"{args.output}: {made} – name it under layers in event.toml")
    return 0


def _printed_heads() -> dict[str, str]:
    """The columns of a log by the heads of our log page, in every language that it is printed in."""
    from pipeline.event import LOG_COLUMNS
    from pipeline.render.words import home, words
    from pipeline.text import fold

    heads = [words(path.stem)["handout"]["log_heads"] for path in (home() / "strings").glob("*.toml")]
    return {fold(head): name for each in heads for head, name in zip(each, LOG_COLUMNS, strict=False)}


def _start(path: Path, content: str) -> None:
    from pipeline.store import write

    if path.exists():
        raise OutputError("is there already", where=str(path), hint="choose another name, or edit it")
    write(path, content)


def _folder_name(name: str) -> str:
    from pipeline.text import file_name

    if not (made := file_name(name)):
        hint = "give a name in Latin, Greek or Cyrillic letters"
        raise UsageError(f"{name!r} has no letters to name a folder by", hint=hint)
    return made


def _day(date: str | None) -> str | None:
    from pipeline.config import IsoDate

    try:
        return None if date is None else str(IsoDate()(date, Path()))
    except ValueError as error:
        raise UsageError(str(error), where="--date") from None
