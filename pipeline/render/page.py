"""Records -> HTML: the only file that knows Jinja2. Text is always escaped; a mistake in a template is one line."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any

import jinja2
import jinja2.sandbox

from pipeline.errors import ConfigError
from pipeline.records import Span, Text
from pipeline.render import entry_forms, fonts, line_columns, paragraph_forms, table_layout, text_forms, titles, words

UNDERLINED = 90  # letters: a longer text is harder to read with a line below it
LOGO = "@logo"  # the picture of a club, beside those of icons


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
    def long(self) -> bool:
        """Whether it is too long to be underlined."""
        return len(self.text) > UNDERLINED

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
    environment.filters["counted_things"] = lambda number, forms: words.counted_things(number, forms, language)
    environment.filters["paged"] = lambda number: words.words(language)["page"].format(n=number)
    environment.filters["printable"] = text_forms.printable
    environment.filters["numbered"] = text_forms.numbered
    environment.filters["calm"] = titles.calm
    environment.filters["ended"] = text_forms.ended
    environment.filters["even"] = text_forms.even
    environment.filters["items"] = text_forms.items
    environment.filters["wide"] = text_forms.wide
    environment.filters["lines"] = text_forms.lines
    environment.filters["fitting"] = text_forms.fitting
    environment.filters["opening"] = paragraph_forms.opening
    environment.filters["paragraph_groups"] = paragraph_forms.groups
    environment.filters["tag"] = paragraph_forms.tag
    environment.filters["listed"] = paragraph_forms.listed
    environment.filters["glued"] = fonts.glued
    environment.filters["last_word"] = text_forms.last_word
    environment.filters["heading_mark"] = text_forms.heading_mark
    environment.filters["legend"] = text_forms.legend
    environment.filters["classes"] = entry_forms.classes
    environment.filters["decision"] = entry_forms.decision
    environment.filters["is_dated_before"] = entry_forms.is_dated_before
    environment.filters["lines_kept"] = entry_forms.lines_kept
    environment.filters["page_name"] = lambda each: entry_forms.page_name(each, words.words(language)["page"])
    environment.filters["reference_name"] = entry_forms.reference_name
    environment.filters["source_line"] = entry_forms.source_line
    environment.globals["logo"] = f"{fonts.SCHEME}picture/{LOGO}" if LOGO in pictures else ""
    environment.globals["font_faces"] = fonts.faces
    environment.globals["columns"] = line_columns
    environment.globals["tables"] = table_layout
    return environment


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
