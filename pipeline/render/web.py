"""An edition -> the web book: one file that asks nothing of anybody.

Everything is put inside it here: the modules of ``templates/web`` become one script, the type is cut down to the
letters that are used, and a policy in its head names the script and the style by their hashes, so that nothing else can
ever run in it, whatever the text of a PDF says.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pipeline.errors import ConfigError
from pipeline.records import QA, AnyEntry, Book, Change, Citation, Erratum, Kind, Ruling, Text
from pipeline.render import editions, fonts, page, webnames, words
from pipeline.render.editions import Edition, Printed, Source
from pipeline.text import fold

TEMPLATE = "web.html.j2"
# Each imports only earlier ones.
MODULES = ("fold", "query", "near", "index", "mark", "address", "rulings", "names", "page")
FACES = ("Sans-Regular", "Sans-Semibold", "Serif-Regular", "Serif-It", "Serif-Bold")  # what the style asks for
STYLES = {"Regular": (400, "normal"), "Semibold": (600, "normal"), "It": (400, "italic"), "Bold": (700, "normal")}
# What people type and what we print, though no source may have it.
ALWAYS = "".join(map(chr, range(0x20, 0x7F))) + "àâäæçéèêëîïôöœùûüÿñßíóúáìòÀÂÄÆÇÉÈÊËÎÏÔÖŒÙÛÜÑÍÓÚÁÌÒ«»“”„’‘–—…•·›▲▼×− "
PICTURES = {".svg": "svg+xml", ".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".gif": "gif"}
CONTENTS_MOST = 120  # headings: above it the contents name chapters only
BRIEF_CELL = 14  # characters of a cell in which no line ends
DEEPEST = 3  # level of a list that the style still sets further in
ANNOUNCED = 90  # characters of a ruling in the list of what is new: two lines on a telephone
SAFE_LINKS = ("https://", "http://", "mailto:")
NOT_IN_ANCHOR = re.compile(r"[^\w.-]+")
LOOSE_MARK = re.compile(r"(?<=\S) (?=[?!:;»])|(?<=«) ")  # a space that must not end a line
ASSET = re.compile(r"</(?=script|style)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An entry as it is shown, its opening verdict cut off so that it can hang in the margin."""

    entry: AnyEntry
    verdict: str = ""  # "Oui."
    yes: bool = False
    answer: tuple[Text, ...] = ()
    changes: tuple[Change, ...] = ()  # of an erratum
    cited: str = ""  # where it stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A citation, short, and where its source is in the list of sources."""

    name: str
    page: int
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What came or changed with the releases of one day."""

    when: str  # in words, "" for what its source only marks
    leaves: tuple[tuple[Leaf, str], ...]  # a ruling and how it is announced


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A ruling on the page."""

    ruling: Ruling
    said: Said
    anchor: str
    sources: str  # numbers of its sources, for the filter
    places: tuple[Place, ...]
    see: tuple[tuple[str, str], ...]  # (anchor, how it is called)
    variants: tuple[Said, ...]
    disputed: tuple[Said, ...]
    overrides: tuple[Said, ...]
    original: tuple[Said, ...]
    changed: bool
    anew: bool  # all of it is printed as changed: marking its words would say nothing more
    headed: bool  # the heading above it says its title
    goes_on: bool  # running text whose next paragraph names the source for both

    @property
    def classes(self) -> str:
        """Of its element: its kind, and what the style tells apart."""
        signs = {"changed": self.changed, "anew": self.anew, "conflict": self.ruling.conflict, "headed": self.headed}
        return " ".join((self.ruling.entry.kind, *(name for name, holds in signs.items() if holds)))

    @property
    def fate(self) -> str:
        """The word that says what became of it."""
        return "added" if self.ruling.since == "added" else "altered"


def html(book: Book, *, templates: Path | None = None, pictures: Mapping[str, str] | None = None) -> str:
    """The page of a book, whole."""
    edition = editions.edition(book, indexed=False)
    return page.html(TEMPLATE, context(edition, templates, pictures), templates=templates, language=edition.language)


def context(
    edition: Edition, templates: Path | None = None, pictures: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """All that the template needs."""
    ours = words.words(edition.language)
    leaves = _leaves(edition)
    icons = {f"[{name}]": f"icon-{number}" for number, name in enumerate(sorted(pictures or {}), 1)}
    style = _asset("web.css", templates) + drawings(pictures or {}) + faces(_letters(edition.book, ours))
    script = module(templates)
    all_leaves, paths = leaves.values(), _paths(edition)
    shown = [each for chapter in edition.chapters for part in chapter.parts for each in part.rulings]
    return {
        "edition": edition,
        "book": edition.book,
        "words": SimpleNamespace(**{**ours["operations"], **ours["web"], "pages": ours["pages"]}),
        "leaves": leaves,
        "icons": icons,
        "paths": paths,
        "contents_deep": len(paths) <= CONTENTS_MOST,
        "documents": {document.title for document in edition.book.documents},
        "parents": _parents(edition),
        "kinds": [kind for kind in Kind if any(leaf.ruling.entry.kind == kind for leaf in all_leaves)],
        "verdicts": [
            name for name, yes in (("yes", True), ("no", False)) if any(_is(leaf.said, yes) for leaf in all_leaves)
        ],
        "any_changed": any(leaf.changed for leaf in all_leaves),
        "count": sum(1 for leaf in all_leaves if leaf.ruling.entry.kind != Kind.TEXT),
        "names": webnames.names(shown, edition.language, edition.book.game or ""),
        "places": [leaf.anchor for leaf in all_leaves],
        "name_forms": webnames.forms(edition.language),
        "listing": ours["names"],
        "labels": _labels(ours["web"], ours["names"]),
        "count_labels": _count_labels(ours["web"]),
        "news": _news(leaves.values(), edition.language),
        "style": style,
        "script": script,
        "policy": policy(style, script),
        "safe": lambda link: link.lower().startswith(SAFE_LINKS),
        "tied": lambda text: LOOSE_MARK.sub("\u00a0", text),
        "drawn": lambda span: f" drawn {icons[span.text.strip()]}" if span.text.strip() in icons else "",
        "item_class": _item_class,
        "is_brief": lambda cell: len(cell) <= BRIEF_CELL,
    }


def _item_class(text: Text) -> str | None:
    """Of an item of a list, by its depth; None of any other paragraph."""
    if not text.startswith("• "):
        return None
    return f"li l{min(text.level, DEEPEST)}" if text.level else "li"


def _labels(ours: Mapping[str, Any], listing: Mapping[str, Any]) -> dict[str, str]:
    """The words that the script says, as attributes of its form."""
    names = listing["web"]
    return {
        **{f"data-{name}": ours[name] for name in ("copy", "copied", "failed", "pin", "unpin")},
        "data-names": names["names"], "data-mine": names["my_list"], "data-about": names["about"],
        **{f"data-{name}": listing[name] for name in ("of", "naming", "led")},
        "data-rest": "|".join(names["not_here"]), "data-no-names": names["no_names"],
        **{f"data-{name}": names[name] for name in ("nothing", "nearest", "could")},
    }  # fmt: skip


def _count_labels(ours: Mapping[str, Any]) -> dict[str, str]:
    """The words with which it counts what was found."""
    return {"data-none": ours["none"], "data-rulings": "|".join(ours["rulings"]), "data-near": ours["near"],
            "data-partly": ours["nearest"]}  # fmt: skip


def _news(leaves: Iterable[Leaf], language: str) -> tuple[News, ...]:
    """What is new, the newest release first."""
    by_release: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        if leaf.ruling.since:
            by_release.setdefault(leaf.ruling.since_date or "", []).append(leaf)
    return tuple(
        News(
            when=words.date(day, language),
            leaves=tuple((leaf, _announced(leaf.ruling.entry)) for leaf in by_release[day]),
        )
        for day in sorted(by_release, reverse=True)
    )


def _announced(entry: AnyEntry) -> str:
    """A ruling in a line: its subject, and the beginning of what it says."""
    line = " – ".join(part for part in (str(entry.subject or ""), " ".join(editions.asked(entry).split())) if part)
    return line if len(line) <= ANNOUNCED else line[:ANNOUNCED].rpartition(" ")[0] + "…"


def _paths(edition: Edition) -> list[tuple[str, ...]]:
    """What can be chosen as a section: each chapter, and each heading right under it."""
    by_anchor: dict[str, dict[str, None]] = {}
    for chapter in edition.chapters:
        by_anchor.setdefault(chapter.title, {}).update((title.text, None) for title in chapter.titles)
    return [
        path for chapter, titles in by_anchor.items() for path in ((chapter,), *((chapter, title) for title in titles))
    ]


def _parents(edition: Edition) -> dict[str, str]:
    """The document of each chapter, where there are several and its title does not say it: the first of a path."""
    named = {source.document.source: source.title for source in edition.sources if not source.superseded}
    name_of = {each.anchor: named.get(each.parts[0].rulings[0].entry.source, "") for each in edition.chapters}
    return {each.anchor: "" if len(named) < 2 or fold(name_of[each.anchor]) in fold(each.title)
            else name_of[each.anchor]
            for each in edition.chapters}  # fmt: skip


def _is(answer: Said, yes: bool) -> bool:
    return bool(answer.verdict) and answer.yes is yes


# ---------------------------------------------------------------- rulings


def _leaves(edition: Edition) -> dict[str, Leaf]:
    """The leaf of every ruling, by its anchor in print."""
    anchors = _anchors(edition.rulings)
    named = {each.entry.id: (anchors[each.anchor], _call(each.ruling)) for each in edition.rulings}
    sources = {source.document.source: source for source in reversed(edition.sources)}
    shown = (each for chapter in edition.chapters for part in chapter.parts for each in part.rulings)
    leaves = {each.anchor: _leaf(each, anchors[each.anchor], named, sources) for each in shown}
    if len(edition.book.documents) > 1 or edition.has_errata:
        return leaves
    page_word = words.words(edition.language)["page"]
    return {anchor: replace(leaf, places=_by_page(leaf.places, page_word)) for anchor, leaf in leaves.items()}


def _by_page(places: Iterable[Place], word: str) -> tuple[Place, ...]:
    """Places of the only document: its name says nothing, as in print."""
    return tuple(replace(each, name=word.format(n=each.page), page=0) if each.page and each.anchor else each
                 for each in places)  # fmt: skip


def _leaf(each: Printed, anchor: str, named: dict[str, tuple[str, str]], sources: dict[str, Source]) -> Leaf:
    ruling, entry = each.ruling, each.entry
    places = _places(ruling.citations or (Citation(source=entry.source, page=entry.page),), sources)

    def said(entries: Iterable[AnyEntry]) -> tuple[Said, ...]:
        return tuple(_said(other, sources) for other in entries)

    return Leaf(
        ruling=ruling,
        said=replace(said((entry,))[0], changes=each.changes),
        anchor=anchor,
        sources=" ".join(dict.fromkeys(place.anchor.rpartition("-")[2] for place in places if place.anchor)),
        places=places,
        see=tuple(named[other] for other in ruling.see_also if other in named and other != entry.id),
        variants=said(ruling.variants),
        disputed=said(ruling.disputed),
        overrides=said(ruling.overrides),
        original=said((ruling.original,) if ruling.original else ()),
        changed=ruling.since is not None,
        anew=all(span.changed for text in editions.every_text(entry) for span in text.spans if span.text.strip()),
        headed=each.headed,
        goes_on=entry.kind == Kind.TEXT and not each.cited,
    )


def _said(entry: AnyEntry, sources: dict[str, Source]) -> Said:
    verdict, yes, answer = editions._verdict(entry) if isinstance(entry, QA) else ("", False, ())
    name = sources[entry.source].short if entry.source in sources else entry.source.removesuffix(".pdf")
    cited = f"{name} · {entry.page}" if entry.page else name
    changes = entry.changes if isinstance(entry, Erratum) else ()
    return Said(entry=entry, verdict=verdict, yes=yes, answer=answer, changes=changes, cited=cited)


def _places(citations: Sequence[Citation], sources: dict[str, Source]) -> tuple[Place, ...]:
    """Where a ruling stands, each place once; a release that another took the place of only where no other has it."""
    places = {}
    current = [each for each in citations if each.source not in sources or not sources[each.source].superseded]
    for citation in current or citations:
        source = sources.get(citation.source)
        name = source.short if source else citation.source.removesuffix(".pdf")
        places[name, citation.page] = Place(name=name, page=citation.page, anchor=source.anchor if source else "")
    return tuple(place for place in places.values() if place.name)


def _anchors(rulings: Iterable[Printed]) -> dict[str, str]:
    """The address of each ruling: its code, to be called across the hall; never the same twice."""
    taken: set[str] = set()
    by_id: dict[str, str] = {}
    for each in rulings:
        anchor = base = NOT_IN_ANCHOR.sub("-", each.ruling.code).strip("-.") or each.anchor
        number = 1
        while anchor in taken:
            number += 1
            anchor = f"{base}-{number}"
        taken.add(anchor)
        by_id[each.anchor] = anchor
    return by_id


def _call(ruling: Ruling) -> str:
    """How one ruling calls another: code and subject."""
    entry = ruling.entry
    fields = (getattr(entry, field, None) for field in ("subject", "term", "target", "title"))
    name = next((str(value) for value in fields if value), "")
    return " ".join(part for part in (ruling.code, name) if part) or entry.id


# ---------------------------------------------------------------- style, script, type


def _asset(name: str, templates: Path | None) -> str:
    """A file of ours, or the user's own in its place; it cannot close the element that it is put into."""
    folders = [folder for folder in (templates, words.home()) if folder is not None]
    path = next((folder / name for folder in folders if (folder / name).is_file()), words.home() / name)
    return ASSET.sub(r"<\\/", path.read_text("utf-8"))


def drawings(pictures: Mapping[str, str]) -> str:
    """Icons as rules of style: each picture is held once, its name stays in the text for searching."""
    symbols = []
    for number, name in enumerate(sorted(pictures), 1):
        if pictures[name].startswith(fonts.PNG):
            symbols.append(f".icon-{number}{{background-image:url({pictures[name]})}}\n")
            continue
        path = Path(pictures[name])
        kind = PICTURES.get(path.suffix.lower())
        if kind is None:
            raise ConfigError("is no picture that a page can show", where=str(path), hint="use .svg, .png or .jpg")
        try:
            encoded = base64.b64encode(path.read_bytes()).decode()
        except OSError as error:
            raise ConfigError(f"cannot be read ({error.strerror})", where=str(path)) from error
        symbols.append(f".icon-{number}{{background-image:url(data:image/{kind};base64,{encoded})}}\n")
    return "".join(symbols)


def module(templates: Path | None = None) -> str:
    """The modules of templates/web as one: each imports only earlier ones, so imports and exports fall away."""
    sources = []
    for name in MODULES:
        source = re.sub(r"^import .*?;\n", "", _asset(f"web/{name}.js", templates), flags=re.MULTILINE)
        sources.append(re.sub(r"^export ", "", source, flags=re.MULTILINE))
    return "\n".join(sources)


def policy(style: str, script: str) -> str:
    """What the page may do: show its own style, run its own script, use the type inside it; ask nobody anything."""
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; font-src data:; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _letters(book: Book, ours: Any) -> str:
    """Every letter of the book and of our own words, once, in order."""
    letters: set[str] = set(ALWAYS) | set(repr(ours))
    _collect(book, letters)
    return "".join(sorted(letter for letter in letters if letter.isprintable()))


def _collect(record: Any, letters: set[str]) -> None:
    """Letters of any record: every string in it, however deep."""
    if isinstance(record, str):
        letters.update(record)
    elif isinstance(record, tuple):
        for part in record:
            _collect(part, letters)
    elif hasattr(record, "__dataclass_fields__"):
        for name in record.__dataclass_fields__:
            _collect(getattr(record, name), letters)


def faces(letters: str) -> str:
    """The type as @font-face rules, cut down to these letters and held in the style itself."""
    return "".join(_face(name, letters) for name in FACES)


def _face(name: str, letters: str) -> str:
    family, style = name.split("-")
    weight, slope = STYLES[style]
    encoded = base64.b64encode(_subset(fonts.files()[f"font/{name}"], letters)).decode()
    return (
        f'@font-face{{font-family:"Rubricator {family}";font-weight:{weight};font-style:{slope};'
        f'src:url(data:font/woff2;base64,{encoded}) format("woff2")}}\n'
    )


@lru_cache(maxsize=16)
def _subset(path: Path, letters: str) -> bytes:
    from fontTools import subset

    path = path.with_suffix(".ttf") if path.with_suffix(".ttf").is_file() else path  # half the size of its .otf
    options = subset.Options(hinting=False, layout_features=["kern", "liga", "mark", "locl"], name_IDs=[])
    options.recalc_timestamp = False  # two builds give the same bytes
    font = subset.load_font(str(path), options)
    cutter = subset.Subsetter(options)
    cutter.populate(text=letters)
    cutter.subset(font)
    font.flavor = "woff2"
    out = BytesIO()
    font.save(out)
    font.close()
    return out.getvalue()
