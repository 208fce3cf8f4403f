"""A book -> zines: one A4 sheet each, folded to eight pages. What matters most is in, the rest is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pipeline.event import Event, HandoutSettings
from pipeline.handout import Gap, Handout, fit
from pipeline.penalties import decided
from pipeline.records import Book, Kind, Ruling
from pipeline.render import editions
from pipeline.render.look import Look, look
from pipeline.render.page_room import gaps, height, length
from pipeline.text import file_name

if TYPE_CHECKING:
    from pipeline.render.products import Press

PAGES = 8  # of a folded sheet, the cover among them
SLUG = 24  # characters of a section in the name of its file


def books(press: Press) -> Iterator[tuple[str, Book]]:
    """The zines of a book, each with the name of its file: one of the whole, or one a section where book.toml asks."""
    if press.settings is None or press.settings.zines == "book":
        yield "zine", decided(press.chosen("zine"))
        return
    for chapter in editions.edition(press.book).chapters:
        kept = {each.entry.id for part in chapter.parts for each in part.rulings}
        rulings = tuple(each for each in press.book.rulings if each.entry.id in kept)
        name = f"zine-{chapter.place:02}-{file_name(chapter.title)[:SLUG]}".strip("-")
        yield name, replace(press.book, title=chapter.title, rulings=rulings)


def fitted(press: Press, book: Book) -> bytes:
    """The zine of a book: the largest type in which all has room, or the smallest and what matters most."""
    printed: dict[int, bytes] = {}
    shape = look("zine", press.settings)
    own_size = press.settings is not None and (press.settings.type_size or press.settings.theme == "large")
    settings = HandoutSettings(form="zine", pages=PAGES - 1, columns=1, type_size=shape.size if own_size else None)
    plan = Handout(event=Event(name=book.title), settings=settings, name="zine", book=book, columns=1)

    def measure(plan: Handout) -> float:
        printed[id(plan)] = press.printer(_page(press, plan), press.pictures)
        return length(printed[id(plan)], 1, shape.top) - 1

    def found(plan: Handout) -> tuple[list[Gap], Callable[[Ruling], float]]:
        shape = _look(press, plan)
        pdf = printed.get(id(plan)) or press.printer(_page(press, plan), press.pictures)
        return gaps(pdf, plan, shape, PAGES), lambda ruling: height(ruling, shape)

    chosen = fit(plan, measure, found)
    return printed.get(id(chosen)) or press.printer(_page(press, chosen), press.pictures)


def whole(press: Press, book: Book) -> str:
    """The page with everything in it: what a zine is made of, to know it again."""
    return _page(press, Handout(event=Event(), settings=HandoutSettings(form="zine"), name="zine", book=book))


def _page(press: Press, plan: Handout) -> str:
    this_edition = editions.edition(plan.book, cites="letter")
    left = sum(ruling.entry.kind is not Kind.TEXT for ruling in plan.left_out)
    context: dict[str, Any] = {"edition": this_edition, "look": _look(press, plan), "left_out": left, "tab_height": 0}
    return press.html("zine.html.j2", context)


def _look(press: Press, plan: Handout) -> Look:
    from pipeline.config import BookSettings

    return look("zine", replace(press.settings or BookSettings(), type_size=plan.type_size))
