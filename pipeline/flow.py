"""THE PIPELINE: read this first. Each function is a recipe of stages; no stage knows another.

    extract  -> structure -> classify          a PDF becomes a Document            (read)
    mend                                       what a person said of its structure (reread)
    dedup                                      Documents become a Book             (merge)
    diff                                       two Documents become Changes        (compare)
    apply                                      a rulebook and errata, consolidated (consolidate)
    follow                                     a download becomes a release        (follow)
    names                                      a Book and a list become a Book     (mine)
    handout                                    a Book and an event become a Book   (prepare)
    render   -> impose                         a Book becomes files                (render)

``read``, ``merge``, ``compare`` and ``render`` do the work in this process, for sources that you trust. The
commands call ``documents``, ``open_book`` and ``build``, which read and print in guarded child processes.
"""

from __future__ import annotations

import gc
import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import ConfigError, MissingPartError, RubricatorError, SourceError, UsageError
from pipeline.records import Book, Changes, Consolidation, Document, Extract, Fate, Past, Structure

if TYPE_CHECKING:
    from pipeline.config import BookSettings, Mends, Overrides
    from pipeline.event import Event
    from pipeline.follow import Known
    from pipeline.handout import Handout
    from pipeline.names import Register
    from pipeline.names.player_rulings import Mine
    from pipeline.render.news import Release

Progress = Callable[[str], None]
Place = Path | tuple[Path, ...]  # of a book: its folder, a PDF that is one by itself, or several that are one together
AMENDED = "as-amended"  # the folder of a rulebook with its errata in, beside the products of its book
DOSSIER = "dossier"  # the product that tells what earlier releases said
NEWS = "changes"  # the folder of what is new in each release
LETTERS = "\xa0…→–›·?!:;«»“”’"  # that a page may need beside those of its texts
APPLIED = ("booklet", "web", "patch", "slips")


def _silent(line: str) -> None:
    """No progress."""


# ---------------------------------------------------------------- in this process


def read(path: str | Path) -> Document:
    """The whole reading of one PDF, in this process and without the guard: for sources you trust."""
    from pipeline.extract import extract

    with _no_collector():
        return understand(extract(Path(path)))


def understand(extract: Extract, mends: Mends | None = None) -> Document:
    """What is drawn on the pages, in reading order and called by its name; as a person said where one did."""
    from pipeline.icons import number_icons
    from pipeline.structure import structure

    with _no_collector():
        document = reread(structure(extract), mends)
        glyphs = {run.icon for page in extract.pages for run in page.runs} - {None}
        return number_icons([document])[0] if len(glyphs) > 1 else document  # a single one is "[icon]" as it is


def reread(structure: Structure, mends: Mends | None = None) -> Document:
    """A document from its blocks, which are what a person said they are."""
    from pipeline.classify import classify
    from pipeline.mend.settle import settle
    from pipeline.mend.shape import shape

    if mends is None:
        return classify(structure)
    shaped = shape(structure, mends)
    return settle(classify(shaped.structure), shaped)


@contextmanager
def _no_collector() -> Iterator[None]:
    """Without looking for garbage in circles: a document makes none, and the search costs a tenth of reading it, a
    sixth of merging, and half of comparing twenty thousand entries. What was made is put among what has long been
    there, or it would all be looked at as soon as the search is on again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def merge(documents: Sequence[Document]) -> Book:
    """The rulings of several documents, each once, with all its citations."""
    return _merged(documents)


def _merged(
    documents: Sequence[Document], settings: BookSettings | None = None, overrides: Overrides | None = None
) -> Book:
    from pipeline.dedup import dedup
    from pipeline.icons import number_icons

    with _no_collector():
        return dedup(number_icons(documents), settings, overrides)


def compare(old: Document, new: Document, forced: Iterable[tuple[str, str]] = ()) -> Changes:
    """What changed between two releases of one document; ``forced`` are entries that a person said are one."""
    from pipeline.diff import diff
    from pipeline.icons import numbered_alike

    with _no_collector():
        return diff(*numbered_alike(old, new), forced)


def consolidate(rulebook: Document, errata: Sequence[Document], as_of: str | None = None) -> Consolidation:
    """The rulebook as it reads with its errata in; a UsageError where they are not for this rulebook."""
    from pipeline.apply import apply, misfits
    from pipeline.icons import number_icons

    with _no_collector():
        for source, why in misfits(rulebook, errata).items():
            raise UsageError(why, where=source, hint=f"nothing was applied to {rulebook.source}")
        rulebook, *errata = number_icons([rulebook, *errata])
        return apply(rulebook, errata, as_of)


def released(consolidation: Consolidation) -> Document:
    """The text of a rulebook as a release of its own: dated and numbered by the newest errata in it."""
    newest = consolidation.errata[-1] if consolidation.errata else consolidation.rulebook
    date = max((each.date for each in (consolidation.rulebook, *consolidation.errata) if each.date), default=None)
    return replace(consolidation.text, date=date, version=newest.version or consolidation.rulebook.version)


def render(book: Book, product: str, out: str | Path) -> Path:
    """One product of a book, written to ``out``."""
    from pipeline.render import render as to_file

    return to_file(book, product, Path(out))


# ---------------------------------------------------------------- in guarded children: what the commands do


def documents(
    paths: Sequence[Path], *, jobs: int | None = 2, scheduler: str | None = None, progress: Progress = _silent
) -> Iterator[tuple[Path, Document | RubricatorError]]:
    """Each PDF read in a guarded child, here or on the cluster of a scheduler; one that fails costs only itself.

    Icons have the names that the book.toml beside the PDF gives them, and blocks are what its overrides.toml says.
    """
    from pipeline import cluster, guard
    from pipeline.config import load_mends
    from pipeline.icons import name_icons, number_icons

    if scheduler is not None:
        outcomes = cluster.read_all(paths, scheduler, cache(load_mends))
    else:
        outcomes = guard.read_all(paths, jobs=jobs, progress=progress, mends=cache(load_mends))
    names = cache(_icon_names)
    for path, outcome in outcomes:
        icons = names(path.parent) if isinstance(outcome, Document) else {}
        if isinstance(icons, ConfigError):
            yield path, icons
        elif isinstance(outcome, Document) and icons:
            yield path, number_icons([name_icons(outcome, icons)])[0]
        else:
            yield path, outcome


def as_decided(
    read_ones: Iterable[tuple[Path, Document | RubricatorError]],
) -> Iterator[tuple[Path, Document | RubricatorError]]:
    """Documents as the book.toml and overrides.toml beside each PDF correct them: what they say of themselves, and
    entries that were misread."""
    from pipeline.config import load_book, load_overrides
    from pipeline.dedup import decisions

    @cache
    def files(folder: Path) -> tuple[BookSettings, Overrides]:
        return load_book(folder), load_overrides(folder)

    for path, outcome in read_ones:
        if isinstance(outcome, Document) and decided(path.parent):
            try:
                settings, overrides = files(path.parent)
            except ConfigError as error:
                yield path, error
                continue
            document = corrected(outcome, settings)
            changed = decisions.corrected([document], overrides, decisions.Finder([document], overrides))
            entries = tuple(changed.get((0, at), entry) for at, entry in enumerate(document.entries))
            yield path, replace(document, entries=entries)
        else:
            yield path, outcome


def decided(folder: Path) -> str:
    """A hash of what a person corrects in the PDFs of a folder; "" where there is nothing."""
    files = [path for name in ("book.toml", "overrides.toml") if (path := folder / name).is_file()]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest() if files else ""


def _icon_names(folder: Path) -> Mapping[str, str] | ConfigError:
    """The names of a folder's icons, or the mistake in its book.toml: one for all of its PDFs."""
    from pipeline.config import load_book

    try:
        return load_book(folder).icons if (folder / "book.toml").is_file() else {}
    except ConfigError as error:
        return error


def open_book(
    place: Place, *, with_past: bool = False, jobs: int = 2, progress: Progress = _silent
) -> tuple[Book, BookSettings]:
    """A folder of sources as a book. A source that cannot be read stops it: half a rulebook is never printed.
    ``with_past``: also what earlier releases said."""
    read_ones, settings, overrides = _sources_of(place, jobs=jobs, progress=progress)
    readings = told_apart(read_ones)
    book = _merged(readings, settings, overrides)
    return replace(book, past=past(readings, settings, overrides)) if with_past else book, settings


def past(readings: Sequence[Document], settings: BookSettings, overrides: Overrides | None = None) -> tuple[Past, ...]:
    """How the releases of a book's documents changed what they still say."""
    from pipeline.diff.history import families, history

    forced = [(pair.old, pair.new) for pair in overrides.match] if overrides else []
    steps: list[Past] = []
    with _no_collector():
        for group in families([corrected(each, settings) for each in readings], settings.releases):
            group_history = history(group, forced)
            lives = (life for life in group_history.lives if life.last == len(group) - 1)
            steps += [Past(entry=life.entry.id, date=group[step.release].date, words=step.difference.words)
                     for life in lives for step in life.steps if step.change is Fate.CHANGED]  # fmt: skip
    return tuple(steps)


def _sources_of(
    place: Place, *, jobs: int, progress: Progress
) -> tuple[list[tuple[Path, Document]], BookSettings, Overrides]:
    """The documents of a book, or what is wrong with all that cannot be read."""
    from pipeline.config import BookSettings, Overrides, load_book, load_overrides, sources

    if isinstance(place, tuple):
        paths, settings, overrides = place, BookSettings(name=place[0].stem), Overrides()
    else:
        settings, overrides = load_book(_own(place)), load_overrides(place)
        paths = sources(place, settings)
    pairs: list[tuple[Path, Document]] = []
    bad: list[RubricatorError] = []
    for path, outcome in documents(paths, jobs=jobs, progress=progress):
        if isinstance(outcome, Document):
            pairs.append((path, outcome))
        else:
            bad.append(_or_left_out(outcome, path, settings))
    if bad:
        first, *others = dict.fromkeys(bad)  # a mistake in book.toml is one for all of them
        first.also = tuple(others)
        raise first
    return pairs, settings, overrides


def _or_left_out(error: RubricatorError, path: Path, settings: BookSettings) -> RubricatorError:
    """The error with the lines that build the book without this source."""
    if settings.folder is None or isinstance(error, ConfigError):
        return error
    line = f'documents."{path.name}".leave_out = true'
    hint = f"{error.hint}; or " if error.hint else ""
    hint += f"leave it out with {line} in {settings.folder / 'book.toml'}"
    return type(error)(error.message, where=error.where, hint=hint)


def _own(folder: Path) -> Path:
    """A book in sources/ is a folder there: a link out of it may have come with somebody else's books."""
    from pipeline.paths import leaves

    if not folder.resolve().name:
        raise SourceError("is no book", where=str(folder), hint="name a folder that holds a book's PDFs")
    if folder.is_symlink() and folder.parent.name == "sources" and leaves(folder.parent, folder):
        hint = f"name the folder itself: rubricator build {folder.resolve()}"
        raise SourceError(f"is a link that leads out of {folder.parent}", where=str(folder), hint=hint)
    return folder


def build(
    place: Place, output: Path, *, jobs: int = 2, progress: Progress = _silent
) -> tuple[Book, list[Path]]:
    """Every product of a book, written to its own folder in ``output``; a second build of it waits for the first."""
    from pipeline import store
    from pipeline.render import render_all
    from pipeline.render.editions import missing_glyphs
    from pipeline.render.products import SCREEN

    read_ones, settings, overrides = _sources_of(place, jobs=jobs, progress=progress)
    readings = told_apart(read_ones)
    book = _merged(readings, settings, overrides)
    if DOSSIER in settings.products:
        book = replace(book, past=past(readings, settings, overrides))
    book = replace(book, findings=(*book.findings, *missing_glyphs(ruling.entry for ruling in book.rulings)))
    made_in = store.within(output, book.name)
    with store.locked(made_in, progress):
        try:
            written = render_all(book, settings, made_in, jobs=jobs, progress=progress)
        except MissingPartError:
            if SCREEN.keys() & {*settings.products}:
                progress(f"{book.name}: what needs no printing is in {made_in}")
            raise
        if whole := as_amended([corrected(each, settings) for each in readings], settings):
            places = {each.source: path for (path, _), each in zip(read_ones, readings, strict=True)}
            amended = store.within(output, book.name, AMENDED)
            rulebook = places[whole.rulebook.source]
            written += apply_products(rulebook, whole, amended, APPLIED, settings, progress=progress)
        news = store.within(output, book.name, NEWS)
        written += tell_news([corrected(each, settings) for each in readings], book, settings, news, overrides,
                             progress=progress)  # fmt: skip
        return book, written


def tell_news(
    readings: Sequence[Document], book: Book, settings: BookSettings, place: Path, overrides: Overrides | None = None,
    *, progress: Progress = _silent,
) -> list[Path]:  # fmt: skip
    """What is new in each release of a book's documents: a page, a feed, and for each release its sheet, the text for
    a forum and a picture; nothing where no document has two."""
    from itertools import pairwise

    from pipeline import store
    from pipeline.diff import change_formats
    from pipeline.diff.change_sheet import sheet
    from pipeline.diff.history import families
    from pipeline.render import news, render_template
    from pipeline.render.web import faces
    from pipeline.render.words import words
    from pipeline.text import file_name

    groups = [group for group in families(readings, settings.releases) if len(group) > 1]
    if not groups:
        return []
    progress(f"{book.name}: {NEWS}")
    forced = [(pair.old, pair.new) for pair in overrides.match] if overrides else []
    named = Counter(file_name(Path(each.source).stem) for group in groups for each in group)
    releases = [_release(group[0], named) for group in groups]
    written: list[Path] = []
    for old, new in (pair for group in groups for pair in pairwise(group)):
        changes = compare(old, new, forced)
        change_sheet, labels = sheet(changes), words(new.language)["changes"]
        summary, lines = change_formats.summary(change_sheet, labels), tuple(change_formats.told_briefly(change_sheet))
        each = replace(_release(new, named), summary=summary, lines=lines)
        context = {"sheets": [change_sheet], "title": "", "since": "", "paper": False, "show": change_formats}
        letters = "".join(sorted({*repr(change_sheet), *str(words(new.language)), *LETTERS}))
        written += [
            render_template("changes.html.j2", {**context, "faces": faces(letters)}, place / f"{each.name}.html",
                            language=new.language),
            store.write(place / f"{each.name}.md", change_formats.markdown(changes, labels)),
            store.write(place / f"{each.name}.bbcode.txt", change_formats.bbcode(changes, labels)),
        ]  # fmt: skip
        releases.append(each)
    author = next((each.publisher for group in groups for each in group if each.publisher), "")
    return written + news.write(releases, book.title, place, url=settings.url or "", language=book.language,
                                author=author or "")  # fmt: skip


def _release(document: Document, named: Counter[str]) -> Release:
    from pipeline.render.news import TAKEN, Release
    from pipeline.text import file_name

    name = file_name(Path(document.source).stem)
    if not name or name in TAKEN or named[name] > 1:
        name = f"{name or 'release'}-{document.sha256[:8]}"
    return Release(name=name, source=document.source, sha256=document.sha256, title=document.title or document.source,
                   date=document.date, version=document.version)  # fmt: skip


def corrected(document: Document, settings: BookSettings) -> Document:
    """With what book.toml knows better about the source."""
    asked = settings.documents.get(document.source)
    names = ("title", "game", "version", "date", "language", "publisher")
    known = {name: value for name in names if (value := getattr(asked, name, None))}
    return replace(document, **known)


def as_amended(readings: Sequence[Document], settings: BookSettings, as_of: str | None = None) -> Consolidation | None:
    """The rulebook of a book with its errata in: the one that book.toml names, or the only one that they fit."""
    from pipeline.apply import apply, misfits
    from pipeline.records import Erratum

    errata = [each for each in readings if any(isinstance(entry, Erratum) and entry.pages for entry in each.entries)]
    for rulebook in readings:
        if rulebook.source == settings.rulebook:
            return consolidate(rulebook, [each for each in errata if each is not rulebook], as_of)
    plain = [each for each in readings if each not in errata]
    fits = [(one, kept) for one in plain if (kept := [e for e in errata if e.source not in misfits(one, errata)])]
    if settings.rulebook or len(fits) != 1:
        return None
    return apply(*fits[0], as_of)


def handouts(
    path: Path, output: Path | None, *, listed: Path | None = None, jobs: int = 2, progress: Progress = _silent
) -> list[tuple[Handout, int, Path]]:
    """The handouts of an event: which releases count, who overrides whom, what fits; all made before one is written.
    ``listed``: for a player's list."""
    from pipeline import handout as stage
    from pipeline import store
    from pipeline.event import folder_name
    from pipeline.names.player_rulings import tiers
    from pipeline.render import handouts as paper
    from pipeline.text import file_name

    event, book, settings = _event(path, jobs=jobs, progress=progress)
    prepared = [stage.prepare(book, event, each) for each in event.handouts]
    called = folder_name(event.name)
    called = f"event-{called}" if called in (AMENDED, NEWS) else called
    place = output or store.within(Path("output"), book.name, called)
    if listed is not None:
        of = mine(book, listed, progress)
        prepared = [stage.narrowed(each, of, tiers(book, of)) for each in prepared]
        place = output or store.within(Path("output"), book.name, called, f"for-{file_name(of.title) or 'list'}")
    return paper.write(prepared, settings, place, progress)


def event_page(path: Path, *, progress: Progress = _silent) -> str:
    """The web book of an event."""
    from pipeline import handout as stage
    from pipeline.event import WEB
    from pipeline.render import handouts as paper

    event, book, settings = _event(path, jobs=2, progress=progress)
    return paper.screen(stage.prepare(book, event, WEB), settings)


def _event(path: Path, *, jobs: int, progress: Progress) -> tuple[Event, Book, BookSettings]:
    """An event and its book: what is in force there, with what others say."""
    from pipeline import handout as stage
    from pipeline.event import load_event, load_layer

    event, folder = load_event(path)
    layers = [load_layer(folder / name) for name in event.layers]
    read_ones, settings, overrides = _sources_of(folder, jobs=jobs, progress=progress)
    kept, findings = stage.in_force([document for _, document in read_ones], event)
    settings = replace(settings, changed_since=event.last_event or settings.changed_since)
    book = stage.add_layers(_merged(kept, settings, overrides), layers)
    return event, replace(book, findings=(*findings, *book.findings)), settings


def mine(book: Book, listed: Path, progress: Progress = _silent) -> Mine:
    """What a player's list asks of a book; says what each line of it matched. "-" is what comes in on stdin."""
    from pipeline.names.player_rulings import names_of

    return _asked_of(names_of(book), listed, progress)


def only_listed(readings: Sequence[Document], listed: Path, progress: Progress = _silent) -> list[Document]:
    """Documents with the entries that a player's list asks for; says what each line of it matched."""
    from pipeline.names.player_rulings import names_in, only_in

    return only_in(readings, _asked_of(names_in(readings), listed, progress))


def _asked_of(register: Register, listed: Path, progress: Progress) -> Mine:
    from pipeline import names
    from pipeline.names import player_rulings

    piped = str(listed) == "-"
    text = names.read_list(listed, sys.stdin.buffer.read() if piped else None)
    asked = player_rulings.mine(register, text, Path("list") if piped else listed)
    progress(f"{listed}: {asked.summary}")
    for line in names.told(asked.matches):
        progress(line)
    return asked


def list_sheet(
    book: Book, settings: BookSettings, of: Mine, folder: Path, *, pages: int | None = None,
    progress: Progress = _silent,
) -> list[Path]:  # fmt: skip
    """A player's own sheet, A5: what is on the list, then general rulings while there is room."""
    from pipeline import handout as stage
    from pipeline.names import Tier
    from pipeline.render import handouts as paper

    written = paper.write([stage.for_list(book, of, pages)], settings, folder, progress)
    for handout, count, path in written:
        progress(stage.report(handout, count, path).split("\n", 1)[0])
        if missed := sum(handout.tiers.get(each.entry.id, Tier.OUT) >= Tier.NAMING for each in handout.left_out):
            progress(f"{missed} of those left out are on the list or name what is: --pages gives them room")
    return [path for _, _, path in written]


def apply_products(
    path: Path, whole: Consolidation, output: Path, products: Sequence[str], settings: BookSettings | None = None,
    *, progress: Progress = _silent,
) -> list[Path]:  # fmt: skip
    """The products of a consolidated rulebook, each written to its own file in ``output``."""
    from pipeline.config import BookSettings
    from pipeline.render import consolidated, render_all

    settings = settings or BookSettings()
    written: list[Path] = []
    if like_any := [product for product in products if product not in ("patch", "slips")]:
        book = consolidated.book(whole, path.stem)
        written += render_all(book, settings, output, products=like_any, progress=progress)
    for product in products:
        if product not in like_any:
            progress(f"{path.stem}: {product}")
            written.append(apply_product(path, whole, product, output / f"{product}.pdf", settings))
    return written


def apply_product(
    path: Path, whole: Consolidation, product: str, out: Path, settings: BookSettings | None = None
) -> Path:
    """One product of a consolidated rulebook: one like any other, the patch sheet of what changed, or slips."""
    from pipeline.render import consolidated, print_guarded, render_template
    from pipeline.render import render as to_file

    if product == "slips":
        say = consolidated.words_of(whole.text.language)
        context = {"slips": consolidated.slips(whole, _measured(path, whole)), "made": whole, "say": say}
        return render_template("pasteins.html.j2", context, out, language=whole.text.language, printer=print_guarded)
    book = consolidated.book(whole, path.stem, changed_only=product == "patch")
    shape = "reader" if product == "patch" else product
    return to_file(book, shape, out, settings=settings, printer=print_guarded)


def _measured(path: Path, consolidation: Consolidation) -> list[dict[str, float]]:
    """The width of the column of every passage that was changed, as it is printed in the rulebook."""
    from pipeline import guard
    from pipeline.apply.slots import pages_of
    from pipeline.records import Outcome
    from pipeline.render.consolidated import passages

    asked = []
    for each in consolidation.amendments:
        if each.outcome is Outcome.APPLIED:
            entry = consolidation.rulebook.entries[each.edits[0].entry]
            [first, *_] = passages(consolidation, each)
            asked.append({"pages": list(pages_of(entry)), "text": first["text"], "row": first["row"]})
    request = {"path": str(path.resolve()), "passages": asked}
    measures: list[dict[str, float]] = guard.run("pipeline.pdf_notes:measured", request, where=str(path))
    return measures


def annotate(path: Path, consolidation: Consolidation, out: Path) -> Path:
    """A copy of the rulebook's PDF with every erratum pinned to its passage."""
    from pipeline import guard, store
    from pipeline.apply.slots import pages_of
    from pipeline.render.consolidated import pins, words_of

    notes = pins(consolidation, pages_of)
    heading = words_of(consolidation.rulebook.language)["bookmarks"].format(count=len(notes))
    asked = {"path": str(path.resolve()), "notes": notes, "heading": heading}
    return store.write(out, guard.run("pipeline.pdf_notes:pinned", asked, where=str(path)))


def annotate_changes(path: Path, changes: Changes, out: Path, *, older: bool = False) -> Path:
    """A copy of a release's PDF with its changes highlighted; ``older``: of the release before."""
    from pipeline import guard, store
    from pipeline.apply.slots import pages_of
    from pipeline.diff.highlights import pins
    from pipeline.render.words import words

    labels = words(changes.new.language)["changes"]
    notes = pins(changes, labels, pages_of, older=older)
    heading = labels["annotated"].format(count=sum(note["listed"] for note in notes))
    asked = {"path": str(path.resolve()), "notes": notes, "heading": heading}
    return store.write(out, guard.run("pipeline.pdf_notes:pinned", asked, where=str(path)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What became of a file in a folder of downloads."""

    path: Path
    outcome: Document | RubricatorError
    filed: Path | None = None  # the copy in its book
    stranger: bool = False  # it fits nothing, so far
    why: str = ""  # it was not taken; or what is still to do
    changes: Changes | None = None  # since the release before


def follow(
    folder: Path, books: Sequence[Path], *, keep: bool = True, progress: Progress = _silent
) -> list[Followed]:
    """The new releases in a folder copied to their books; nothing is removed or written over. The oldest are filed
    first, and what fits only what was just filed is looked at again."""
    from pipeline import store
    from pipeline.diff.history import chronological

    for place in {book.parent for book in books}:
        store.sweep(place)
    known = _known(books, progress)
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".pdf" and path.is_file())
    read_ones = list(documents(paths, progress=progress))
    followed = [Followed(path=path, outcome=each) for path, each in read_ones if isinstance(each, RubricatorError)]
    path_of = {id(each): path for path, each in read_ones}
    left = chronological(each for _, each in read_ones if isinstance(each, Document))
    filed: list[Followed] = []
    while left:
        looked = [_filed(path_of[id(each)], each, known, books, keep=keep) for each in left]
        followed += [each for each in looked if not each.filed and not each.stranger]
        filed += [each for each in looked if each.filed]
        strangers = [each for each in looked if each.stranger]
        if len(strangers) == len(looked):
            followed += strangers
            break
        left = [each.outcome for each in strangers if isinstance(each.outcome, Document)]
    followed += [_with_changes(each, known) for each in filed]
    return sorted(followed, key=lambda each: each.path.name)


def _known(books: Sequence[Path], progress: Progress) -> list[Known]:
    from pipeline.config import load_book
    from pipeline.follow import Known

    known = []
    for book in books:
        settings = load_book(_own(book))
        paths = sorted(path for path in book.iterdir() if path.suffix.lower() == ".pdf")
        for _, outcome in documents(paths, progress=progress):
            if isinstance(outcome, Document):
                known.append(Known(book=str(book), document=corrected(outcome, settings)))
    return known


def _filed(
    path: Path, document: Document, known: list[Known], books: Sequence[Path], *, keep: bool
) -> Followed:
    """One file: copied to the book whose document it is a release of, and known from now on; or why not."""
    from pipeline import follow as stage
    from pipeline import store

    judgement = stage.judge(document, known)
    near = judgement.nearest
    if near is None or judgement.relation is stage.Relation.STRANGER:
        where = ", ".join(book.name for book in books)
        why = f"fits no document of {where}; not taken"
        return Followed(path=path, outcome=document, why=why, stranger=True)
    place = Path(near.book) / near.document.source
    if judgement.relation is stage.Relation.SAME:
        return Followed(path=path, outcome=document, why=f"is the same as {place}; not taken")
    if judgement.relation is stage.Relation.LANGUAGE:
        why = f"is in “{document.language}”, {place} in “{near.document.language}”; not taken"
        return Followed(path=path, outcome=document, why=why)
    folder = Path(near.book)
    with store.locked(folder, _silent):
        family = [each.document for each in known if each.book == near.book and _is_of(each.document, near.document)]
        taken = {*(each.name for each in folder.iterdir()), *(each.document.source for each in known)}
        target = folder / stage.filed_as(document, family, taken)
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != document.sha256:
            return Followed(path=path, outcome=document, why="changed while it was read; not taken")
        if keep:
            store.write(target, content)
    known.append(stage.Known(book=near.book, document=replace(document, source=target.name)))
    return Followed(path=path, outcome=document, filed=target)


def _is_of(one: Document, other: Document) -> bool:
    from pipeline.follow import base

    return base(one.source) == base(other.source)


def _with_changes(followed: Followed, known: Sequence[Known]) -> Followed:
    """A filed release with what is new in it since the one before."""
    from pipeline.config import load_book
    from pipeline.diff.history import families

    target = followed.filed
    assert target is not None
    settings = load_book(target.parent)
    releases = [each.document for each in known if each.book == str(target.parent)]
    own = next(each for each in releases if each.source == target.name)
    family = next(group for group in families(releases) if own in group)
    before = family[: family.index(own)]
    listed = [name for name, names in settings.releases.items() if any(each.source in names for each in family)]
    why = f"book.toml lists the releases of {listed[0]}: add {target.name} there" if listed else ""
    return replace(followed, why=why, changes=compare(before[-1], own) if before else None)


def book_folder(name: str, root: Path = Path("sources")) -> Path:
    """The folder of a book, or the PDF that is one: named by its name in sources/, or by its path (``./name``)."""
    plain = name not in ("", ".", "..") and Path(name).name == name
    for place in (root / name, root / f"{name}.pdf", Path(name)) if plain else (Path(name), root / name):
        if place.is_dir() or (place.suffix.lower() == ".pdf" and place.is_file()):
            return place
    known = [path.name for path in _books(root)]
    raise SourceError("there is no such book", where=name, hint=f"known are {', '.join(known)}" if known else
                      "make a folder in sources/ and put the publisher's PDFs there")  # fmt: skip


def all_books(root: Path = Path("sources")) -> list[Path]:
    """Every folder in sources/, and every PDF that lies there by itself."""
    if not (books := _books(root)):
        raise SourceError(
            "there is no book here", where=str(root), hint="make one with 'rubricator new-book NAME'"
        )
    stems = [path.stem if path.is_file() else path.name for path in books]
    for path, stem in zip(books, stems, strict=True):
        if path.is_file() and stems.count(stem) > 1:
            raise SourceError("has the name of another book", where=str(path), hint="rename it, or move it there")
    return books


def _books(root: Path) -> list[Path]:
    """Folders and PDFs. What a ``build`` that was run in there made (``output``) is none."""
    output = root / "output"
    empty = not any(each.suffix in (".pdf", ".toml") for each in output.glob("*"))
    paths = [path for path in sorted(root.glob("[!.]*")) if path != output or not empty]
    return [path for path in paths if path.is_dir() or (path.suffix.lower() == ".pdf" and path.is_file())]


def told_apart(read_ones: Sequence[tuple[Path, Document]]) -> list[Document]:
    """Documents of several folders: those whose files have one name are called by their folder, too."""
    names = [path.name for path, _ in read_ones]
    return [_called(document, f"{path.parent.name}/{path.name}") if names.count(path.name) > 1 else document
            for path, document in read_ones]  # fmt: skip


def _called(document: Document, source: str) -> Document:
    return replace(document, source=source, entries=tuple(replace(entry, source=source) for entry in document.entries))
