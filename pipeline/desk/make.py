"""What the desk makes: products, change sheets, handouts. Every file stays in the output folder of its book."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from pipeline import flow, store
from pipeline.blank import book_toml
from pipeline.config import BookSettings, Product, Theme
from pipeline.desk.shelf import Opened, Shelf
from pipeline.errors import RubricatorError, SourceError, UsageError
from pipeline.event import event_files, handout_name, load_event
from pipeline.paths import inside
from pipeline.records import Changes, Document
from pipeline.text import file_name

PRODUCTS: tuple[str, ...] = get_args(Product)
THEMES: tuple[str, ...] = get_args(Theme)
SHOWN = (".pdf", ".html")  # what the page can show
LARGEST = 100 << 20  # bytes of a PDF that is dropped in: as the guard has it

Progress = Callable[[str], None]


def place(shelf: Shelf, book: Opened) -> Path:
    """Where the files of a book go."""
    return shelf.output / book.name


def files(shelf: Shelf, book: Opened) -> list[dict[str, Any]]:
    """What was made of a book, the newest first."""
    folder = place(shelf, book)
    paths = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    paths.sort(key=lambda path: (-path.stat().st_mtime, path.name))
    return [{"file": path.relative_to(folder).as_posix(), "size": path.stat().st_size, "pages": _pages(path)}
            for path in paths if path.suffix.lower() in SHOWN]  # fmt: skip


def _pages(path: Path) -> int:
    from pipeline import impose

    try:
        return impose.page_count(path.read_bytes()) if path.suffix.lower() == ".pdf" else 0
    except Exception:  # a file that is being written, or not ours
        return 0


def made(shelf: Shelf, book: Opened, name: str) -> Path:
    """The path of a file that was made; no other file can be named."""
    try:
        return inside(place(shelf, book), name)
    except ValueError as error:
        raise SourceError(str(error), where="output") from None


# ---------------------------------------------------------------- products


def products(shelf: Shelf, book: Opened, asked: Mapping[str, Any], progress: Progress) -> Any:
    """Some products of a book, printed as it is read now."""
    from pipeline.dedup import dedup
    from pipeline.icons import number_icons
    from pipeline.render import render_all
    from pipeline.vocab import languages

    wanted = [name for name in PRODUCTS if name in asked.get("products", ())]
    if not wanted:
        raise UsageError("choose at least one product")
    changes: dict[str, Any] = {}
    if asked.get("theme") in THEMES:
        changes["theme"] = asked["theme"]
    if asked.get("language"):
        if asked["language"] not in languages():
            raise UsageError(f"there are no words for {asked['language']!r}")
        changes["language"] = asked["language"]
    settings: BookSettings = replace(book.settings(), **changes)
    ruled = dedup(number_icons(shelf.documents(book, progress)), settings, book.overrides())
    written = render_all(ruled, settings, place(shelf, book), products=wanted, progress=progress)
    return {"files": [path.relative_to(place(shelf, book)).as_posix() for path in written]}


# ---------------------------------------------------------------- what changed


def change_sheet(shelf: Shelf, book: Opened, asked: Mapping[str, Any], progress: Progress) -> Any:
    """The change sheet of two of the sources, as a page and on paper."""
    from pipeline.diff.change_formats import summary
    from pipeline.diff.change_sheet import sheet
    from pipeline.render.words import words

    old, new = (_one(shelf, book, str(asked.get(side, "")), progress) for side in ("old", "new"))
    forced = [(pair.old, pair.new) for pair in book.overrides().match]
    changes = flow.compare(old, new, forced)
    strange = [each.message for each in changes.findings if each.code == "unrelated"]
    if strange and not asked.get("force"):
        raise UsageError(strange[0], hint="choose two releases of one document")
    folder = place(shelf, book) / "desk"
    name = f"changes-{file_name(Path(old.source).stem)}-{file_name(Path(new.source).stem)}"
    written = [_sheet(changes, folder / f"{name}{suffix}") for suffix in (".html", ".pdf")]
    line = summary(sheet(changes), words("en")["changes"])
    return {"files": [path.relative_to(place(shelf, book)).as_posix() for path in written], "told": line}


def _one(shelf: Shelf, book: Opened, source: str, progress: Progress) -> Document:
    path = book.path(source)
    outcome = dict(flow.documents([path], progress=progress))[path]
    if isinstance(outcome, RubricatorError):
        raise outcome
    return outcome


def _sheet(changes: Changes, out: Path) -> Path:
    from pipeline.diff import change_formats
    from pipeline.diff.change_sheet import sheet
    from pipeline.render import print_guarded, render_template
    from pipeline.render.web import faces
    from pipeline.render.words import words

    paper = out.suffix == ".pdf"
    context: dict[str, Any] = {"sheets": [sheet(changes)], "title": "", "since": "", "paper": paper}
    context["show"] = change_formats
    letters = "".join(sorted({*repr(context), *str(words(changes.new.language)), *flow.LETTERS}))
    context["faces"] = "" if paper else faces(letters)
    return render_template("changes.html.j2", context, out, language=changes.new.language, printer=print_guarded)


# ---------------------------------------------------------------- handouts


def handout(shelf: Shelf, book: Opened, asked: Mapping[str, Any], progress: Progress) -> Any:
    """The handouts of an event: each with its pages, its budget, what is on it and what was left out."""
    event = event_path(book, str(asked.get("event", "")))
    known, _ = load_event(event)
    folder = place(shelf, book) / file_name(known.name)
    written = flow.handouts(event, folder, progress=progress)
    return {"handouts": [
        {
            "file": path.relative_to(place(shelf, book)).as_posix(), "name": handout_name(each.settings),
            "pages": pages, "budget": each.settings.pages, "type_size": each.type_size, "columns": each.columns,
            "in": [_ruling(ruling) for ruling in each.book.rulings],
            "left_out": [_ruling(ruling) for ruling in each.left_out],
        }
        for each, pages, path in written
    ], "told": sorted({finding.message for each, _, _ in written for finding in each.findings})[:20]}  # fmt: skip


def _ruling(ruling: Any) -> dict[str, str]:
    from pipeline.desk.things import head

    return {"code": ruling.code, "id": ruling.entry.id, "head": head(ruling.entry)[:160],
            "subject": str(ruling.entry.subject or ""), "layer": ruling.layer}  # fmt: skip


def event_path(book: Opened, name: str) -> Path:
    """The file of one of the book's events."""
    for path in event_files(book.folder):
        if path.relative_to(book.folder).as_posix() == name:
            return path
    raise SourceError("there is no such event in this book", where=name)


# ---------------------------------------------------------------- new sources


def upload(book: Opened, name: str, content: bytes) -> Path:
    """A PDF that was dropped in, beside the others; never in the place of one that says something else."""
    stem = file_name(Path(name.replace("\\", "/")).stem) or "source"
    if len(content) > LARGEST:
        raise SourceError(f"is larger than {LARGEST >> 20} MB", where=name, hint="split it into parts")
    if b"%PDF-" not in content[:1024]:
        raise SourceError("is not a PDF", where=name, hint="save or print it as PDF first")
    for number in range(1, 100):
        path = book.folder / (f"{stem}.pdf" if number == 1 else f"{stem}-{number}.pdf")
        if not path.exists():
            return store.write(path, content)
        if path.read_bytes() == content:
            return path
    raise SourceError("is there a hundred times", where=name)


def new_book(shelf: Shelf, title: str) -> Opened:
    """A folder with a commented book.toml."""
    name = file_name(title)
    if not name:
        raise UsageError("give the book a name")
    folder = shelf.root / name
    if not (folder / "book.toml").exists():
        store.write(folder / "book.toml", book_toml(title))
    return shelf.open(folder)


