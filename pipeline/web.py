"""A book -> what the web page is made of: its rulings in sections, its words, its style, script and type.

The page is one file that asks nothing of anybody, so everything is put inside it here: the modules of
``templates/web`` become one script, the type is cut down to the letters that are used, and a policy in its head
names the script and the style by their hashes, so that nothing else can ever run in it.
"""

from __future__ import annotations

import base64
import hashlib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any

from pipeline.records import QA, AnyEntry, Book, Citation, Document, Kind, Ruling, Text
from pipeline.text import cut, fold

MODULES = ("fold", "query", "near", "index", "mark", "address", "rulings", "page")  # each imports only earlier ones
ALWAYS = "".join(map(chr, range(0x20, 0x7F))) + "àâäæçéèêëîïôöœùûüÿñßíóúáìòÀÂÆÇÉÈÊËÎÏÔŒÙÛÜÄÖÑÍÓÚÁÌÒ«»“”„’‘–—…•·›▲×− "
FACES = (
    ("Rubric Sans", 400, "normal", "source-sans-pro", "SourceSansPro-Regular"),
    ("Rubric Sans", 600, "normal", "source-sans-pro", "SourceSansPro-Semibold"),
    ("Rubric Serif", 400, "normal", "source-serif-pro", "SourceSerifPro-Regular"),
    ("Rubric Serif", 400, "italic", "source-serif-pro", "SourceSerifPro-It"),
    ("Rubric Serif", 700, "normal", "source-serif-pro", "SourceSerifPro-Bold"),
)
SAFE_LINKS = ("https://", "http://", "mailto:")
NOT_IN_ANCHOR = re.compile(r"[^\w.-]+")
OPENING_WORD = re.compile(r"\W*(\w+)\W*")


# ---------------------------------------------------------------- what the template walks through


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A citation, short: where to look it up."""

    source: str  # "FAQ juin 2019"
    page: int
    anchor: str  # of the source in the list of sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An entry as it is shown, its opening verdict cut off so that it can hang in the margin."""

    entry: AnyEntry
    verdict: str = ""  # "yes", "no"
    opening: Text | None = None  # "Oui."
    answer: tuple[Text, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A ruling on the page."""

    ruling: Ruling
    said: Said
    anchor: str
    sources: str  # numbers of its sources, for the filter
    places: tuple[Place, ...]
    see_also: tuple[tuple[str, str], ...]  # (anchor, how it is called)
    variants: tuple[Said, ...]
    disputed: tuple[Said, ...]
    overrides: tuple[Said, ...]
    original: Said | None
    changed: bool
    since: str  # "juin 2019"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    subject: Text | None
    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    title: str
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    title: str
    anchor: str
    count: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    document: Document
    anchor: str
    number: str
    name: str
    date: str


def context(book: Book, folder: Path) -> dict[str, Any]:
    """All that ``web.html.j2`` needs, from a book and the folder of templates."""
    words = words_of(book.language, folder)
    sources = tuple(_sources(book.documents, words))
    sections = tuple(_sections(book, sources, words, folder))
    style, script = stylesheet(folder) + faces(_letters(book, words)), module(folder)
    leaves = [leaf for section in sections for part in section.parts for group in part.groups for leaf in group.leaves]
    return {
        "book": book,
        "words": words,
        "sections": sections,
        "sources": sources,
        "superseded": tuple(_sources(book.superseded, words, "o")),
        "kinds": [kind for kind in Kind if any(leaf.ruling.entry.kind == kind for leaf in leaves)],
        "verdicts": [verdict for verdict in ("yes", "no") if any(leaf.said.verdict == verdict for leaf in leaves)],
        "any_changed": any(leaf.changed for leaf in leaves),
        "date": day(book.date, words),
        "style": style,
        "script": script,
        "policy": policy(style, script),
        "safe": lambda link: link.startswith(SAFE_LINKS),
    }


# ---------------------------------------------------------------- words


def words_of(language: str, folder: Path) -> dict[str, Any]:
    """The words that we print on the page; English where we have none in the book's language."""
    files = [folder / "strings" / f"{name}.toml" for name in ("en", language)]
    made: dict[str, Any] = {}
    for file in files:
        if file.is_file():
            made.update(tomllib.loads(file.read_text("utf-8")).get("web", {}))
    return made


def day(date: str | None, words: dict[str, Any]) -> str:
    """ "2019-06" as people write it: "juin 2019"."""
    year, month, number = [*(date or "").split("-"), "", ""][:3]
    if not (month.isdigit() and 1 <= int(month) <= 12):
        return year
    return f"{int(number)} {words['months'][int(month) - 1]} {year}" if number.isdigit() else f"{words['months'][int(month) - 1]} {year}"


def short_name(document: Document, words: dict[str, Any]) -> str:
    """What a source is called at the end of a ruling: title without the game, and its date."""
    title = document.title or Path(document.source).stem
    if document.game and fold(title).startswith(fold(document.game)) and len(title) > len(document.game) + 2:
        title = title[len(document.game) :].lstrip(" :–—-,.")
    date = day(document.date, words)
    return title if not date or fold(date) in fold(title) else f"{title} {date}"


# ---------------------------------------------------------------- rulings


def _sources(documents: Iterable[Document], words: dict[str, Any], letter: str = "s") -> Iterator[Source]:
    for number, document in enumerate(documents, 1):
        name = short_name(document, words)
        yield Source(
            document=document, anchor=f"{letter}-{number}", number=str(number), name=name, date=day(document.date, words)
        )


def _sections(book: Book, sources: tuple[Source, ...], words: dict[str, Any], folder: Path) -> Iterator[Section]:
    leaf = _leaf_maker(book, sources, words, folder)
    runs = groupby(book.rulings, key=lambda ruling: ruling.entry.section[:1])
    for number, (path, rulings) in enumerate(runs, 1):
        parts = tuple(_parts(rulings, leaf))
        count = sum(len(group.leaves) for part in parts for group in part.groups)
        title = path[0] if path else words["general"]
        yield Section(title=title, anchor=f"section-{number}", count=count, parts=parts)


def _parts(rulings: Iterable[Ruling], leaf: Callable[[Ruling], Leaf]) -> Iterator[Part]:
    for path, there in groupby(rulings, key=lambda ruling: ruling.entry.section[1:]):
        by_subject = groupby(there, key=_subject)
        groups = (Group(subject=subject, leaves=tuple(map(leaf, under))) for subject, under in by_subject)
        yield Part(title=" › ".join(path), groups=tuple(groups))


def _subject(ruling: Ruling) -> Text | None:
    return ruling.entry.subject


def _leaf_maker(
    book: Book, sources: tuple[Source, ...], words: dict[str, Any], folder: Path
) -> Callable[[Ruling], Leaf]:
    """What every leaf needs to know of the whole book: anchors, names of sources, verdict words."""
    anchors = _anchors(book.rulings)
    calls = {ruling.entry.id: _call(ruling) for ruling in book.rulings}
    by_file = {source.document.source: source for source in sources}

    def said(entry: AnyEntry) -> Said:
        source = by_file.get(entry.source)
        return _said(entry, source.name if source else entry.source, verdict_words(entry.language or book.language, folder))

    def leaf(ruling: Ruling) -> Leaf:
        citations = ruling.citations or (Citation(source=ruling.entry.source, page=ruling.entry.page),)
        cited = {by_file[citation.source].number: None for citation in citations if citation.source in by_file}
        return Leaf(
            ruling=ruling,
            said=said(ruling.entry),
            anchor=anchors[ruling.entry.id],
            sources=" ".join(cited),
            places=tuple(dict.fromkeys(_place(citation, by_file) for citation in citations)),
            see_also=tuple((anchors[to], calls[to]) for to in ruling.see_also if to in anchors),
            variants=tuple(map(said, ruling.variants)),
            disputed=tuple(map(said, ruling.disputed)),
            overrides=tuple(map(said, ruling.overrides)),
            original=said(ruling.original) if ruling.original else None,
            changed=ruling.since is not None or ruling.entry.changed,
            since=day(ruling.since_date, words),
        )

    return leaf


def _place(citation: Citation, by_file: dict[str, Source]) -> Place:
    source = by_file.get(citation.source)
    name, anchor = (source.name, source.anchor) if source else (citation.source, "sources")
    return Place(source=name, page=citation.page, anchor=anchor)


def _anchors(rulings: Iterable[Ruling]) -> dict[str, str]:
    """The address of each ruling: its code, else its id; never the same twice, never like another address of ours."""
    taken: set[str] = set()
    made: dict[str, str] = {}
    for ruling in rulings:
        anchor = base = NOT_IN_ANCHOR.sub("-", ruling.code or f"r-{ruling.entry.id}").strip("-") or "r"
        number = 1
        while anchor in taken:
            number += 1
            anchor = f"{base}-{number}"
        taken.add(anchor)
        made[ruling.entry.id] = anchor
    return made


def _call(ruling: Ruling) -> str:
    """How one ruling calls another: code and subject."""
    entry = ruling.entry
    name = entry.subject or getattr(entry, "term", None) or getattr(entry, "target", None) or getattr(entry, "title", None)
    return " ".join(part for part in (ruling.code, str(name or "")) if part) or entry.id


# ---------------------------------------------------------------- verdicts


@lru_cache(maxsize=16)
def verdict_words(language: str, folder: Path) -> dict[str, str]:
    """The words that open an answer as a verdict, folded: {"oui": "yes", "non": "no"}."""
    words = words_of(language, folder)
    return {fold(words["yes"]): "yes", fold(words["no"]): "no"}


def _said(entry: AnyEntry, source: str, verdicts: dict[str, str]) -> Said:
    if not isinstance(entry, QA) or not entry.answer:
        return Said(entry=entry, source=source)
    first = entry.answer[0]
    opening = OPENING_WORD.match(first)
    verdict = verdicts.get(fold(opening[1])) if opening else None
    if opening is None or verdict is None or not _stands_alone(first, opening):
        return Said(entry=entry, answer=entry.answer, source=source)
    rest = cut(first, opening.end())
    answer = (rest, *entry.answer[1:]) if rest else entry.answer[1:]
    return Said(entry=entry, verdict=verdict, opening=cut(first, 0, opening.end()), answer=answer, source=source)


def _stands_alone(answer: str, opening: re.Match[str]) -> bool:
    """ "Oui." and "Non, mais" are verdicts; "No model can" is not."""
    after = answer[opening.end(1) :].lstrip()
    return not after or not after[0].isalnum()


# ---------------------------------------------------------------- style, script, type


def stylesheet(folder: Path) -> str:
    return (folder / "web.css").read_text("utf-8")


def module(folder: Path) -> str:
    """The modules of templates/web as one: each imports only earlier ones, so imports and exports fall away."""
    made = []
    for name in MODULES:
        source = (folder / "web" / f"{name}.js").read_text("utf-8")
        source = re.sub(r"^import .*?;\n", "", source, flags=re.MULTILINE)
        made.append(re.sub(r"^export ", "", source, flags=re.MULTILINE))
    return "\n".join(made)


def policy(style: str, script: str) -> str:
    """What the page may do: show its own style, run its own script, use the type inside it; ask nobody anything."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _letters(book: Book, words: dict[str, Any]) -> str:
    """Every letter of the book and of our own words, once, in order."""
    held: set[str] = set(ALWAYS) | set(repr(words))
    _collect(book, held)
    return "".join(sorted(letter for letter in held if letter.isprintable()))


def _collect(record: Any, held: set[str]) -> None:
    """Letters of any record: every string in it, however deep."""
    if isinstance(record, str):
        held.update(record)
    elif isinstance(record, tuple):
        for part in record:
            _collect(part, held)
    elif hasattr(record, "__dataclass_fields__"):
        for name in record.__dataclass_fields__:
            _collect(getattr(record, name), held)


def faces(letters: str) -> str:
    """The type as @font-face rules, cut down to these letters and held in the style itself."""
    return "".join(
        f"@font-face{{font-family:'{family}';font-weight:{weight};font-style:{slant};font-display:block;"
        f"src:url(data:font/woff2;base64,{base64.b64encode(_subset(package, file, letters)).decode()}) format('woff2')}}\n"
        for family, weight, slant, package, file in FACES
    )


@lru_cache(maxsize=16)
def _subset(package: str, file: str, letters: str) -> bytes:
    from fontTools import subset

    options = subset.Options(flavor="woff2", hinting=False, layout_features=["kern", "liga", "mark", "locl"])
    options.recalc_timestamp = False  # two builds give the same bytes
    options.name_IDs = []
    font = subset.load_font(str(_font_file(package, file)), options)
    cutter = subset.Subsetter(options)
    cutter.populate(text=letters)
    cutter.subset(font)
    made = BytesIO()
    font.flavor = "woff2"
    font.save(made)
    return made.getvalue()


def _font_file(package: str, file: str) -> Path:
    folder = Path(str(resources.files(f"font_{package.replace('-', '_')}")))
    return next(folder.rglob(f"{file}.ttf"))
