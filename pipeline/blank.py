"""Files to start from, with a comment at every key: a book.toml, an event.toml."""

from __future__ import annotations

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


def book_toml(title: str) -> str:
    """A commented book.toml."""
    return BOOK.format(title=flat(title), quoted=_quoted(title))


def event_toml(name: str, date: str | None = None) -> str:
    """A commented event.toml."""
    day = f'date = "{date}"' if date else '# date = "2026-12-31"'
    return EVENT.format(title=flat(name), quoted=_quoted(name), date=day)


def flat(name: str) -> str:
    """A name in one line, without what neither a comment nor a string of TOML may hold."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())


def _quoted(name: str) -> str:
    escaped = flat(name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
