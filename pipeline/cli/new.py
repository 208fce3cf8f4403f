"""new-book, new-event, new-layer, new-language: files to start from."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from pipeline.blank import book_toml, event_toml, flat
from pipeline.cli import command, say
from pipeline.errors import OutputError, UsageError, counted


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator new-book``, ``new-event``, ``new-layer`` and ``new-language``."""
    parser = command(
        commands,
        "new-book",
        "a folder in sources/ with a commented book.toml",
        "rubricator new-book 'Mon jeu'",
    )
    parser.add_argument("name", metavar="NAME", help="the title of the book")
    parser.set_defaults(run=new_book)
    parser = command(
        commands, "new-event", "a commented event.toml", "rubricator new-event 'Coupe 2026' --book brass-orrery"
    )
    parser.add_argument("name", metavar="NAME", help="the name of the event")
    parser.add_argument("--book", help="a folder in sources/; needed when there are several")
    parser.add_argument("--date", help="the day, as 2026-12-31")
    parser.set_defaults(run=new_event)
    parser = command(commands, "new-layer", "a judges' log (CSV) as a layer for the next event",
                   "rubricator new-layer log.csv --by 'Arbitres de la Ligue' -o output/ligue.toml")  # fmt: skip
    parser.add_argument(
        "log",
        type=Path,
        metavar="LOG.csv",
        help="columns: no,time,table,subject,question,ruling,judge,overrides, or as our log page calls them",
    )
    parser.add_argument("--by", required=True, help="who says so")
    parser.add_argument("--date", help="the day of the rulings, as 2026-12-31")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.toml", help="file to write")
    parser.set_defaults(run=new_layer)
    parser = command(commands, "new-language", "the words of a language to translate, from English; no Python in it",
                   "rubricator new-language cy -o output/languages")  # fmt: skip
    parser.add_argument("code", metavar="CODE", help="its two letters: cy")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR",
                      help="default: ~/.config/rubricator/languages; RUBRICATOR_LANGUAGES names another")  # fmt: skip
    parser.set_defaults(run=new_language)


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
    rulings = counted(len(load_layer(args.output).rulings), "ruling")
    say(args, f"{args.output}: {rulings} – name it under layers in event.toml")
    return 0


def new_language(args: argparse.Namespace) -> int:
    """The files of a language, as English has them; its common words are off until there are its own."""
    from pipeline import language, vocab
    from pipeline.render.words import FALLBACK, home

    if not language.is_code(args.code):
        raise UsageError(f"{args.code!r} is not the code of a language", hint="give its two letters, as cy for Welsh")
    if args.code in vocab.languages():
        raise UsageError(f"there are words for {args.code} already", hint=", ".join(vocab.languages()))
    folder, common = args.output or language.added() or language.usual(), "vocabulary/common"
    for kind, ours in (("vocabulary", language.VOCABULARY), (common, language.VOCABULARY / "common"),
                       ("strings", home() / "strings"), ("names", home() / "names")):  # fmt: skip
        english = (ours / f"{FALLBACK}.toml").read_text(encoding="utf-8")
        off = "".join(f"# {line}\n" for line in english.splitlines())
        _start(folder / kind / f"{args.code}.toml", off if kind == common else english)
    named = "" if folder.absolute() in (language.added(), language.usual().absolute()) else (
        f", then: export RUBRICATOR_LANGUAGES={shlex.quote(str(folder.absolute()))}")  # fmt: skip
    say(args, f"{folder}: vocabulary/, strings/ and names/{args.code}.toml – translate them{named}; doctor reads them")
    return 0


def _printed_heads() -> dict[str, str]:
    """The columns of a log by the heads of our log page, in every language that it is printed in."""
    from pipeline.event import LOG_COLUMNS
    from pipeline.render.words import languages, words
    from pipeline.text import fold

    heads = [words(code)["handout"]["log_heads"] for code in languages()]
    return {fold(head): name for each in heads for head, name in zip(each, LOG_COLUMNS, strict=False)}


def _start(path: Path, content: str) -> None:
    from pipeline.store import write

    if path.exists():
        raise OutputError("is there already", where=str(path), hint="choose another name, or edit it")
    write(path, content)


def _folder_name(name: str) -> str:
    from pipeline.text import file_name

    if not (folder := file_name(name)):
        hint = "give a name in Latin, Greek or Cyrillic letters"
        raise UsageError(f"{name!r} has no letters to name a folder by", hint=hint)
    return folder


def _day(date: str | None) -> str | None:
    from pipeline.config import IsoDate

    try:
        return None if date is None else str(IsoDate()(date, Path()))
    except ValueError as error:
        raise UsageError(str(error), where="--date") from None
