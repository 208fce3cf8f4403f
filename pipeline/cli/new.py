"""new-book, new-event, new-layer: files to start from, with a comment at every key."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from pipeline.cli import command, say
from pipeline.errors import OutputError, UsageError, counted

BOOK = """\
# {title}: the settings of this book. Every line is optional; one that begins with # is off.
# Put the publisher's PDFs into this folder, then run make (or: rubricator build).

title = {quoted}
# game = "…"                           # on the cover; default: what the sources say
# language = "fr"                      # of what we print: fr, en, de … ; default: of the sources

products = ["booklet", "sheet", "web"] # also: reader, cards, slips, zine, epub
# paper = "A4"                         # A4, A5 or Letter; default: what each product is made for
# theme = "red"                        # red, black (saves toner) or large
# type_size = 8.6                      # points
# columns = 2

# order = ["faq-2.pdf", "errata.pdf"]  # sources, first to last
# rulebook = "rules.pdf"               # what the errata correct; default: found out
# prefer = "newest"                    # the wording that is printed: newest, oldest, or a source's file name
# cards = "all"                        # cards of all rulings; default: of what is new
# zines = "sections"                   # a zine a section; default: one of the whole book
# changed_since = "2026-01-01"         # mark what changed after this day; default: since the last release
# url = "https://example.org/rulings"  # where the web book will be
# logo = "logo.svg"                    # of your club, in this folder: on the cover and on handouts
# templates = "templates"              # a folder of your own templates here; ours fill in what is not there

# [releases]                           # files that are releases of one document, oldest first; else found out
# faq = ["faq-1.pdf", "faq-2.pdf"]

# [documents."faq-1.pdf"]              # what a source says wrongly about itself
# date = "2025-11"                     # also: title, game, version, language, publisher, leave_out = true

# [icons]                              # names of glyphs; 'rubricator check' lists those that have none
# "Runes:E003" = "hammer"

# [icon_images]                        # pictures of them, in this folder
# hammer = "hammer.svg"

# [codes]                              # letters of the codes of a section
# "General rules" = "GEN"
"""

EVENT = """\
# {title}: an event. A line that begins with # is off.
name = {quoted}
{date}
# until = "2026-12-31"                 # last day
# place = "Town hall"
# organiser = "…"
# judges = ["…"]
# contact = "…"
# system = "1500 points"

# freeze = "2026-12-01"                # releases after this day do not count
# last_event = "2026-01-31"            # what changed since comes first
# languages = ["fr"]                   # of the sources that count
# url = "https://example.org/rulings"  # for the QR code
# layers = ["layers/exceptions.toml"]  # who speaks after the publisher, first to last
# first = ["GEN-12"]                   # rulings that never stay out: codes, ids or words

# [select]                             # which rulings go in; nothing here: all
# sections = ["…"]
# subjects = ["…"]
# factions = ["…"]
# kinds = ["qa", "erratum"]
# words = ["charge"]

# [leave_out]                          # the same keys: these stay out
# sections = ["…"]

# [[blocks]]                           # what else is on the sheet: a timetable, house rules, a table of the sources
# title = "Timetable"
# rows = [["9:00", "Doors open"], ["9:30", "Round 1"]]
# audience = "players"                 # also: text = ["…"], or table = "words of its title"

[[handouts]]
form = "table"                         # table (A4), pocket (A5), zine (one A4, folded), cards, large (large print), web
pages = 2                              # the budget: it is kept

# [[handouts]]
# form = "pocket"
# audience = "judges"                  # with codes, index and a page to log rulings
# changed_only = false                 # also: name, paper, columns, type_size, index, log

[[handouts]]
form = "web"                           # for phones, with your layers: put it at url; made anyway where there is a url
"""


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
    _start(path, BOOK.format(title=_flat(args.name), quoted=_quoted(args.name)))
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
    for other in called(_flat(args.name), folder):
        raise OutputError("is an event of this name", where=str(other), hint="choose another name, or edit it")
    first = folder / "event.toml"
    path = folder / "events" / f"{_folder_name(args.name)}.toml" if first.exists() else first
    date = f'date = "{_day(args.date)}"' if args.date else '# date = "2026-12-31"'
    _start(path, EVENT.format(title=_flat(args.name), quoted=_quoted(args.name), date=date))
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


def _flat(name: str) -> str:
    """A name in one line, without what neither a comment nor a string of TOML may hold."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())


def _quoted(name: str) -> str:
    flat = _flat(name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{flat}"'
