"""The register of names as the web book holds it: each name with the places of its rulings on the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.names import Name, Origin, register
from pipeline.names.name_forms import common_stems, key, small, stem, stems_of
from pipeline.render import words
from pipeline.render.editions import Printed
from pipeline.vocab import vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class WebName:
    """A name; places are counted from 0 as the rulings follow each other on the page, written as text."""

    name: str
    key: str
    also: str  # keys of its other names, with "|" between
    numbers: str
    own: str
    named: str
    defined: str
    under: str
    first: int  # what says most about it
    count: int
    origin: int
    shown: bool  # among the names: a section has its place in the contents

    @property
    def attributes(self) -> dict[str, str | int | None]:
        """What the script reads of it; an attribute that is None is not written."""
        return {
            "data-k": self.key, "data-a": self.also or None, "data-c": self.numbers or None, "data-r": self.origin,
            "data-o": self.own, "data-n": self.named, "data-d": self.defined or None, "data-u": self.under or None,
        }  # fmt: skip


def names(printed: Sequence[Printed], language: str, game: str) -> tuple[WebName, ...]:
    """The names of a page, in alphabetic order."""
    subjects = [tuple(each.subject for each in one.ruling.citations if each.subject) for one in printed]
    known = register((each.entry for each in printed), language, subjects=subjects, game=game)
    packed = [
        WebName(
            name=name.name, key=" ".join(name.key), also="|".join(map(" ".join, _forms(name, language))),
            numbers=" ".join(name.numbers), own=_listed(name.own),
            named=_listed(name.named), defined=_listed(name.defined), under=_listed(name.under),
            first=(name.defined or name.own or name.named or name.under)[0], count=len(name.places),
            origin=int(name.origin),
            shown=name.origin is not Origin.SECTION and bool(name.places),
        )
        for name in known.names
    ]  # fmt: skip
    return tuple(
        sorted(packed, key=lambda each: words.alphabetic(words.without_article(each.name, language), language))
    )


def _forms(name: Name, language: str) -> Iterable[tuple[str, ...]]:
    return (*(key(each, language) for each in name.also), *name.forms)


def _listed(places: Iterable[int]) -> str:
    return " ".join(map(str, places))


def _columns(language: str) -> frozenset[tuple[str, ...]]:
    return stems_of((*vocabulary(language).names.columns, *vocabulary("en").names.columns), language)


def forms(language: str) -> dict[str, str]:
    """What the page needs to look names up as we do, as attributes: endings, small words, kinds, heads and costs."""
    known = vocabulary(language).names
    heads = stems_of(known.heads, language) | stems_of(vocabulary("en").names.heads, "en")
    return {
        "data-endings": " ".join(known.endings), "data-small": " ".join(sorted(small(language))),
        "data-common": " ".join(sorted(common_stems(language))),
        "data-kinds": " ".join(sorted(stem(word, language) for word in known.kinds)),
        "data-heads": "|".join(sorted(" ".join(each) for each in heads)),
        "data-columns": "|".join(sorted(" ".join(each) for each in _columns(language))),
        "data-points": "|".join(known.points),
    }  # fmt: skip
