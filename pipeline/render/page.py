"""Records -> HTML: the only file that knows Jinja2. Text is always escaped; a mistake in a template is one line."""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from math import ceil
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any

import jinja2
import jinja2.sandbox

from pipeline.errors import ConfigError
from pipeline.records import Span, Text
from pipeline.render import fonts, line_columns, table_layout, titles, words
from pipeline.render.look import Look
from pipeline.text import cut, rich, split_lines, trim

MANY_ITEMS, SHORT_ITEM = 8, 44  # items of a list, and letters of each: more of them, and no longer, go into columns
SLACK = 1.08  # times its measured width: what an item of a list may take, with the white after it
LONGER = 0.1  # of the items of such a list: so many may be longer, and take two lines
LONE = 0.5  # of a line: two last words that are wider than this are not kept together
LOGO = "@logo"  # the picture of a club, beside those of icons
HEADING = 90  # letters: a longer paragraph is no heading, though it be bold
BRIEF = 30  # letters of a line that says what follows: "1AP", "Game Loss"

_ENDS = (".", "!", "?")  # of a sentence

_SIGN = r"(?:#|n[°ºor]\.?\s*|№\s*)"
_NUMBER = re.compile(rf"\s*(?:\(\s*{_SIGN}?\d+\s*\)|{_SIGN}\d+)\s*$", re.IGNORECASE)  # "(#42)", "n° 7", "(Nr. 8)"
# "3. Roll again", "B. So", "iv) then", "(c) or"
_ITEM = re.compile(r"(?:\d{1,2}|[A-Za-z]|[ivx]{2,4})[.)] \S|\((?:\d{1,2}|[a-z]{1,3})\) \S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of text in one style, as a template sets it."""

    text: str
    what: str = "text"  # "text", "symbol" or "icon"
    bold: bool = False
    italic: bool = False
    struck: bool = False
    underlined: bool = False
    link: str | None = None
    picture: str | None = None  # address of an icon's picture
    code: str = ""  # of a symbol, in hexadecimal

    @property
    def plain(self) -> bool:
        return self.what == "text" and not (self.bold or self.italic or self.struck or self.underlined or self.link)


def html(name: str, context: Mapping[str, Any], *, templates: Path | None = None, language: str | None = None,
         pictures: Sequence[str] = ()) -> str:  # fmt: skip
    """The page that the template ``name`` makes of ``context``, with the words of ``language``."""
    environment = _environment(templates, tuple(pictures), language)
    try:
        return environment.get_template(name).render(
            {"words": words.words(language), "lang": words.spoken(language), **context}
        )
    except jinja2.TemplateSyntaxError as error:
        where = f"{error.filename or error.name}:{error.lineno}"
        raise ConfigError(f"the template has a mistake: {error.message}", where=where) from error
    except jinja2.TemplateNotFound as error:
        raise ConfigError(
            f"there is no template {error.name}", where=_place(error) or str(templates or words.home())
        ) from error
    except Exception as error:
        place = _place(error)
        if not place:
            raise
        raise ConfigError(f"the template has a mistake: {error or type(error).__name__}", where=place) from error


def _place(error: BaseException) -> str:
    """File and line of the innermost template in a traceback; "" when no template is in it."""
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if f.filename.endswith((".j2", ".html", ".css", ".js", ".svg"))
    ]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


class _Strangers(jinja2.sandbox.ImmutableSandboxedEnvironment):
    """For templates that may have come with somebody else's book: they reach nothing but what they are given."""

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, PurePath):
            return False
        if isinstance(obj, ModuleType) and getattr(value, "__module__", "") != obj.__name__:
            return False
        return super().is_safe_attribute(obj, attr, value)


@lru_cache(maxsize=8)
def _environment(templates: Path | None, pictures: tuple[str, ...], language: str | None) -> jinja2.Environment:
    """Kept, for a template is compiled once in it; one that was changed meanwhile is compiled again."""
    folders = [folder for folder in (templates, words.home()) if folder is not None]
    environment = (jinja2.Environment if templates is None else _Strangers)(
        loader=jinja2.FileSystemLoader(folders), autoescape=True, undefined=jinja2.StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=False,
    )  # fmt: skip
    environment.filters["pieces"] = lambda text: pieces(text, pictures)
    environment.filters["date"] = lambda iso, short=False: words.date(iso, language, short=short)
    environment.filters["month"] = lambda iso: words.month(iso, language)
    environment.filters["counted"] = lambda number, forms: words.counted(number, forms, language)
    environment.filters["paged"] = lambda number: words.words(language)["page"].format(n=number)
    environment.filters["printable"] = printable
    environment.filters["numbered"] = numbered
    environment.filters["calm"] = titles.calm
    environment.filters["ended"] = ended
    environment.filters["even"] = even
    environment.filters["items"] = items
    environment.filters["wide"] = wide
    environment.filters["lines"] = lines
    environment.filters["fitting"] = fitting
    environment.filters["leads"] = leads
    environment.filters["headlike"] = headlike
    environment.filters["opens"] = opens
    environment.filters["tag"] = tag
    environment.filters["listed"] = listed
    environment.filters["grouped"] = grouped
    environment.filters["abreast"] = abreast
    environment.filters["glued"] = fonts.glued
    environment.globals["logo"] = f"{fonts.SCHEME}picture/{LOGO}" if LOGO in pictures else ""
    environment.globals["font_faces"] = fonts.faces
    environment.globals["columns"] = line_columns
    environment.globals["tables"] = table_layout
    return environment


def even(text: Text) -> Text:
    """A text without the bold or italic that all of it has: the form says what it is, style marks words in it."""
    spoken = [span for span in text.spans if span.text.strip() and not span.icon]
    bold, italic = all(span.bold for span in spoken), all(span.italic for span in spoken)
    if not spoken or not (bold or italic):
        return text
    return Text(
        tuple(replace(span, bold=span.bold and not bold, italic=span.italic and not italic) for span in text.spans)
    )


def ended(text: Text, measure: float, size: float) -> Text:
    """A text whose last word does not stand on a line of its own: it is glued to the one before, unless both would take
    half a line of ``measure`` millimetres."""
    before, _, last = str(text).rstrip(" ?!.\u00a0").rpartition(" ")
    both = f"{before.rpartition(' ')[2]} {last}"
    if not before or "\n" in text or wide(both, size, "Semibold") > LONE * measure:
        return text
    return rich(cut(text, 0, len(before)), "\u00a0", cut(text, len(before) + 1))


def items(cell: str) -> Sequence[str]:
    """The lines of a cell, one for each item of a list in it."""
    return split_lines(cell) if isinstance(cell, Text) else cell.split("\n")


def wide(text: str, size: float, style: str = "Bold") -> float:
    """Millimetres that ``text`` takes in sans of ``size`` points: what hangs in a margin is placed by it."""
    return fonts.width(str(text), size, "Sans", style) * 25.4 / 72


def lines(text: str, measure: float, size: float) -> int:
    """Lines of ``measure`` millimetres that a question takes."""
    return fonts.lines(str(text), measure * 72 / 25.4, size, "Sans", "Semibold")


def fitting(text: str, room: float, size: float) -> str:
    """The text, cut at a word where it has no room at the head of a page."""
    line = " ".join(str(text).split())
    if wide(line, size) <= room:
        return line
    words_left = line.split(" ")
    while len(words_left) > 1 and wide(" ".join(words_left) + " …", size) > room:
        words_left.pop()
    while len(words_left[0]) > 1 and wide(words_left[0] + " …", size) > room:
        words_left[0] = words_left[0][:-1]
    return " ".join(words_left) + " …"


def leads(text: Text, following: Text | None) -> bool:
    """Whether a paragraph belongs to the next: a heading of its own, a cost or a penalty under one, or words that
    announce a list."""
    if following is None:
        return False
    is_brief = len(text) <= BRIEF and text.rstrip()[-1:] not in _ENDS and not listed(text)
    return headlike(text) or is_brief or bool(listed(following) and not listed(text))


def headlike(text: Text) -> bool:
    """Whether a paragraph is a heading among others: bold, short, no sentence."""
    spoken = [span for span in text.spans if span.text.strip()]
    return len(text) <= HEADING and all(span.bold for span in spoken) and text.rstrip()[-1:] not in _ENDS


def opens(text: Text, following: Text | None) -> bool:
    """Whether a heading among paragraphs can stand on the first line of the one under it: no list, no other heading."""
    return following is not None and not (listed(text) or listed(following) or headlike(following))


def tag(texts: Sequence[Text]) -> Text | None:
    """What a rule says in a word before its first heading, a penalty or a cost: it stands beside the rule's name."""
    if len(texts) < 3 or len(texts[0]) > BRIEF or not (headlike(texts[0]) and headlike(texts[1])):
        return None
    return None if headlike(texts[2]) else texts[0]


def listed(text: Text) -> str:
    """The classes of a paragraph that is an item of a list, by its point or number; "" of any other."""
    if text.startswith(("• ", "→ ")):
        return " li deeper" if text.level else " li"
    return " li numbered" if _ITEM.match(text) else ""


def grouped(texts: Sequence[Text], columns: int) -> list[tuple[int, Sequence[Text]]]:
    """Paragraphs in runs, each with its columns: many short items of a list stand in two or three."""
    groups: list[tuple[int, Sequence[Text]]] = []
    for is_list, group in _lists(texts):
        lengths = sorted(map(len, group), reverse=True)
        longest = lengths[int(LONGER * len(group))]
        fits = is_list and columns == 1 and len(group) > MANY_ITEMS and longest <= SHORT_ITEM
        groups.append(((3 if lengths[0] <= SHORT_ITEM / 2 else 2) if fits else 1, group))
    return groups


def abreast(texts: Sequence[Text], shape: Look) -> tuple[int, list[list[tuple[int, Text]]]]:
    """How many cells a line has in which many short items of a list stand side by side, and the lines: each item with
    the cells that it takes. None where they are few, long or nested. Where the page has columns, no list has any."""
    if shape.columns == 1 or len(texts) <= MANY_ITEMS or {listed(text) for text in texts} != {" li"}:
        return 1, []
    widths = [fonts.width(str(text), shape.size) * SLACK for text in texts]
    measure = shape.measure * 72 / 25.4
    count = min(3, int(measure // sorted(widths, reverse=True)[int(LONGER * len(texts))]))
    if count < 2:
        return 1, []
    rows: list[list[tuple[int, Text]]] = [[]]
    for text, width in zip(texts, widths, strict=True):
        cells = min(count, ceil(width * count / measure))
        if sum(taken for taken, _ in rows[-1]) + cells > count:
            rows.append([])
        rows[-1].append((cells, text))
    return count, rows


def _lists(texts: Sequence[Text]) -> list[tuple[bool, list[Text]]]:
    return [(is_list, list(group)) for is_list, group in groupby(texts, key=lambda text: bool(listed(text)))]


def numbered(subject: Text) -> tuple[Text, str]:
    """A subject and the number that follows its name: "Avance Rapide" and "(#42)"."""
    match = _NUMBER.search(str(subject))
    return (trim(cut(subject, 0, match.start())), match[0].strip()) if match and match.start() else (subject, "")


def printable(text: str) -> str:
    """A plain string in characters that the fonts have; for names, where a drawn symbol would be too much."""
    return "".join(piece if what == "text" else "" for what, piece in fonts.split_symbols(fonts.tidy(str(text))))


def pieces(text: str | Text, pictures: Sequence[str] = ()) -> list[Piece]:
    """A text as the pieces that are set one by one: styles kept, icons and symbols apart, every character printable."""
    spans = text.spans if isinstance(text, Text) else (Span(text=str(text)),)
    return [piece for span in spans for piece in _span_pieces(span, pictures)]


def _span_pieces(span: Span, pictures: Sequence[str]) -> list[Piece]:
    if span.icon:
        name = span.text.strip().strip("[]")
        address = f"{fonts.SCHEME}picture/{name}" if name in pictures else None
        return [Piece(text=fonts.tidy(span.text), what="icon", picture=address)]
    return [
        Piece(text=text, what=what, bold=span.bold, italic=span.italic, struck=span.struck, underlined=span.underlined,
              link=span.link if span.link and span.link.startswith(("https://", "http://", "mailto:")) else None,
              code=f"{ord(text):x}" if what == "symbol" else "")
        for what, text in fonts.split_symbols(fonts.glued(fonts.tidy(span.text)))
    ]  # fmt: skip
