"""What the page may ask for: each answer is JSON, a picture or a file of the book's output."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

from pipeline import flow
from pipeline.desk import acts, forms, make, review, shelf, things, toml_edits
from pipeline.desk.jobs import Jobs
from pipeline.desk.shelf import Opened, Shelf
from pipeline.desk.toml_edits import FileChange
from pipeline.errors import RubricatorError, UsageError
from pipeline.event import event_files

WIDTHS = (200, 2400)  # pixels of a page picture, least and most

Asked = Mapping[str, Any]


class RefusedError(Exception):
    """A request that is not answered, and how the browser is told."""

    def __init__(self, why: str, status: HTTPStatus = HTTPStatus.FORBIDDEN) -> None:
        super().__init__(why)
        self.status = status


class Api:
    """Everything behind the door. Nothing here takes a path: only names that are looked up in lists."""

    def __init__(self, books: Shelf, start: Opened | None = None) -> None:
        self.shelf, self.start = books, start
        self.jobs = Jobs()
        self.gets: Mapping[str, Callable[[Asked], Any]] = {
            "api/desk": self.desk, "api/book": self.book, "api/source": self.source, "api/review": self.review,
            "api/job": self.job, "api/state": self.state, "api/event": self.event,
        }  # fmt: skip
        self.posts: Mapping[str, Callable[[Asked], Any]] = {
            "api/mend": self.mend, "api/undo": self.undo, "api/redo": self.redo, "api/drop": self.drop,
            "api/fit": self.fit, "api/icon": self.icon, "api/pair": self.pair, "api/seen": self.seen,
            "api/about": self.about, "api/new-book": self.new_book, "api/build": self.build,
            "api/changes": self.changes, "api/new-event": self.new_event, "api/save-event": self.save_event,
            "api/handout": self.handout,
        }  # fmt: skip
        self.pictures: Mapping[str, Callable[[Asked], bytes]] = {"page": self.page, "made": self.made}

    # ------------------------------------------------------------ looking

    def _book(self, asked: Asked) -> Opened:
        return self.shelf.book(str(asked.get("book", "")))

    def desk(self, asked: Asked) -> Any:
        """The books, and which one is open."""
        from pipeline.vocab import languages

        start = {"book": self.start.name, "source": self.start.only} if self.start else None
        return {"books": self.shelf.names(), "start": start, "products": make.PRODUCTS, "themes": make.THEMES,
                "languages": languages(), "event": forms.schema()}  # fmt: skip

    def book(self, asked: Asked) -> Any:
        """A book: its sources, settings, events, overrides, and what was made of it."""
        book = self._book(asked)
        settings = book.settings()
        seen = shelf.seen(book.folder)
        return {
            "name": book.name, "title": settings.title or book.name, "version": book.version(), "only": book.only,
            "sources": [{"name": path.name, "seen": len(seen.get(path.name, ()))} for path in book.paths()],
            "settings": {"products": settings.products, "theme": settings.theme, "language": settings.language or ""},
            "events": [path.relative_to(book.folder).as_posix() for path in event_files(book.folder)],
            "files": make.files(self.shelf, book), **self._said(book),
        }  # fmt: skip

    def _said(self, book: Opened) -> dict[str, Any]:
        """The overrides of a book, and what can be taken back."""
        file = toml_edits.read(book.folder)
        overrides = [{"table": table, "number": number, "values": values,
                 "told": FileChange(table=table, values=values).told}
                for table, many in file.items() if isinstance(many, list)
                for number, values in enumerate(many) if isinstance(values, dict)]  # fmt: skip
        return {
            "overrides": overrides,
            "undo": "; ".join(mark.told for mark in book.done[-1]) if book.done else "",
            "redo": "; ".join(mark.told for mark in book.undone[-1]) if book.undone else "",
        }

    def source(self, asked: Asked) -> Any:
        """A source as it is read now."""
        return self._source(self._book(asked), str(asked.get("source", "")))

    def _source(self, book: Opened, source: str) -> dict[str, Any]:
        reading = self.shelf.reading(book, source)
        known = flow.corrected(reading.document, book.settings())
        about = {"title": known.title, "version": known.version, "date": known.date, "language": known.language}
        return {**things.view(reading, book.overrides()), **about, "state": book.version(), **self._said(book)}

    def review(self, asked: Asked) -> Any:
        """What is worth a look in a source, the least sure first."""
        book = self._book(asked)
        source = str(asked.get("source", ""))
        reading = self.shelf.reading(book, source)
        concerns = review.looks(reading, self.shelf.merged(book))
        seen = set(shelf.seen(book.folder).get(source, ()))
        return {"looks": [review.packed(each, seen) for each in concerns], "state": book.version()}

    def state(self, asked: Asked) -> Any:
        """Has anything changed, by whomever?"""
        return {"state": self._book(asked).version()}

    def page(self, asked: Asked) -> bytes:
        """A page of a source as a picture."""
        book = self._book(asked)
        return self._picture(book.path(str(asked.get("source", ""))), asked)

    def made(self, asked: Asked) -> bytes:
        """A page of something that was made, as a picture."""
        path = self.file(asked)
        if path.suffix.lower() != ".pdf":
            raise RefusedError("is no PDF", HTTPStatus.NOT_FOUND)
        return self._picture(path, asked)

    def _picture(self, path: Path, asked: Asked) -> bytes:
        try:
            page, wide = int(asked.get("page", 1)), int(asked.get("wide", 1000))
        except (TypeError, ValueError):
            raise RefusedError("which page?", HTTPStatus.BAD_REQUEST) from None
        if page < 1:
            raise RefusedError("there is no such page", HTTPStatus.NOT_FOUND)
        return self.shelf.picture(path, page, min(max(wide, WIDTHS[0]), WIDTHS[1]))

    def file(self, asked: Asked) -> Path:
        """A file of a book's output."""
        return make.made(self.shelf, self._book(asked), str(asked.get("file", "")))

    def job(self, asked: Asked) -> Any:
        """How far a piece of work is."""
        number = str(asked.get("job", ""))
        job = self.jobs.job(int(number)) if number.isdigit() else None
        if job is None:
            raise RefusedError("there is no such work", HTTPStatus.NOT_FOUND)
        return job.packed()

    # ------------------------------------------------------------ mending

    def mend(self, asked: Asked) -> Any:
        """A click on something: the override is written, and the source read again."""
        book, source = self._book(asked), str(asked.get("source", ""))
        with self.shelf.lock:
            reading = self.shelf.reading(book, source)
            others = [each for each in self.shelf.known(book) if each.source != reading.document.source]
            what = acts.chosen(reading, book.overrides(), asked, others)
            tables = acts.act(str(asked.get("act", "")), what)
            self._write(book, tables)
        return self._source(book, source)

    def _write(self, book: Opened, tables: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        self._done(book, toml_edits.append(book.folder, *tables))

    @staticmethod
    def _done(book: Opened, marks: list[FileChange]) -> None:
        book.done.append(marks)
        book.undone.clear()

    def pair(self, asked: Asked) -> Any:
        """Two entries are one ruling, or never are."""
        book, table = self._book(asked), str(asked.get("table", ""))
        wanted = asked.get("entries")
        if table not in ("merge", "keep_apart") or not isinstance(wanted, list) or len(wanted) < 2:
            raise UsageError("choose two entries")
        documents = self.shelf.documents(book)
        by_id = {entry.id: entry for document in documents for entry in document.entries}
        missing = [name for name in wanted if name not in by_id]
        if missing:
            raise acts.StaleError("was read anew in the meantime", hint="look at the page again")
        names = [acts.entry_name(by_id[name], documents) for name in wanted]
        if len(set(names)) < len(names):  # the same question, answered in two ways
            names = [str(name) for name in wanted]
        with self.shelf.lock:
            self._write(book, [(table, {"entries": names})])
        return self._after(book, asked)

    def icon(self, asked: Asked) -> Any:
        """The name of a glyph, in book.toml."""
        name, glyph = str(asked.get("name", "")).strip(), str(asked.get("glyph", ""))
        if not glyph or not name or any(sign in name for sign in "[]\n"):
            raise UsageError("give the icon a name", hint="a word or two, without brackets")
        return self._set(asked, ("icons", glyph), name)

    def about(self, asked: Asked) -> Any:
        """What a source says wrongly about itself, in book.toml."""
        key, value = str(asked.get("key", "")), str(asked.get("value", "")).strip()
        if key not in ("title", "game", "version", "date", "language", "publisher"):
            raise UsageError("nothing of the kind is told about a source")
        book = self._book(asked)
        return self._set(asked, ("documents", book.path(str(asked.get("source", ""))).name, key), value or None)

    def _set(self, asked: Asked, keys: Sequence[str], value: Any) -> Any:
        book = self._book(asked)
        with self.shelf.lock:
            self._done(book, [toml_edits.put(book.folder, keys, value)])
        return self._after(book, asked)

    def undo(self, asked: Asked) -> Any:
        """Take the last click back."""
        book = self._book(asked)
        with self.shelf.lock:
            if not book.done:
                raise UsageError("there is nothing to take back")
            marks = book.done.pop()
            there = [toml_edits.take_back(book.folder, mark) for mark in reversed(marks)]
            if not all(there):
                raise UsageError("somebody took it out already")
            book.undone.append(marks)
        return self._after(book, asked)

    def redo(self, asked: Asked) -> Any:
        """Do again what was taken back."""
        book = self._book(asked)
        with self.shelf.lock:
            if not book.undone:
                raise UsageError("there is nothing to do again")
            marks = book.undone.pop()
            there = [toml_edits.do_again(book.folder, mark) for mark in marks]
            if not all(there):
                raise UsageError("somebody took it out already")
            book.done.append(marks)
        return self._after(book, asked)

    def drop(self, asked: Asked) -> Any:
        """Take any override out of the file."""
        book, table, values = self._book(asked), str(asked.get("table", "")), asked.get("values")
        with self.shelf.lock:
            if not isinstance(values, dict) or not toml_edits.remove(book.folder, table, values):
                raise acts.StaleError("is no longer in overrides.toml", hint="look at the list again")
            self._done(book, [FileChange(table=table, values=values, removed=True)])
        return self._after(book, asked)

    def fit(self, asked: Asked) -> Any:
        """Point an override that no longer fits at another text."""
        book, table = self._book(asked), str(asked.get("table", ""))
        number, old, new = asked.get("number"), str(asked.get("said", "")), str(asked.get("near", "")).rstrip("…")
        tables = toml_edits.read(book.folder).get(table, [])
        if type(number) is not int or not 1 <= number <= len(tables) or not new.strip():
            raise acts.StaleError("is no longer in overrides.toml", hint="look at the list again")
        before = tables[number - 1]
        after = {name: new if value == old else [new if each == old else each for each in value]
                 if isinstance(value, list) and old in value else value for name, value in before.items()}  # fmt: skip
        with self.shelf.lock:
            [written] = toml_edits.append(book.folder, (table, after))
            toml_edits.remove(book.folder, table, before)
            self._done(book, [FileChange(table=table, values=before, removed=True), written])
        return self._after(book, asked)

    def _after(self, book: Opened, asked: Asked) -> Any:
        """The source that is looked at, read again."""
        source = str(asked.get("source", ""))
        return self._source(book, source) if source else {"state": book.version(), **self._said(book)}

    def seen(self, asked: Asked) -> Any:
        """What was looked at."""
        book, keys = self._book(asked), asked.get("keys")
        if not isinstance(keys, list) or not all(isinstance(key, str) and len(key) < 40 for key in keys):
            raise UsageError("what was looked at?")
        source = book.path(str(asked.get("source", ""))).name
        shelf.see(book.folder, source, keys, looked=bool(asked.get("looked", True)))
        return {"seen": shelf.seen(book.folder).get(source, [])}

    # ------------------------------------------------------------ making

    def new_book(self, asked: Asked) -> Any:
        """Make a new book."""
        return {"book": make.new_book(self.shelf, str(asked.get("title", ""))[:200]).name}

    def upload(self, asked: Asked, content: bytes) -> Any:
        """A PDF dropped into a book; it is read, or taken out again and said why not."""
        book = self._book(asked)
        if book.only:
            raise UsageError("one file is open, no book", hint="begin a book first")
        path = make.upload(book, str(asked.get("name", ""))[:200], content)
        try:
            self.shelf.reading(book, path.name)
        except RubricatorError:
            path.unlink()
            raise
        return {"source": path.name}

    def build(self, asked: Asked) -> Any:
        """Products of a book."""
        book = self._book(asked)
        wanted = [name for name in make.PRODUCTS if name in (asked.get("products") or ())]
        if asked.get("keep"):
            for key in ("products", "theme", "language"):
                if value := wanted if key == "products" else asked.get(key):
                    toml_edits.put(book.folder, (key,), value)
        return self.jobs.start("products", lambda progress: make.products(self.shelf, book, asked, progress)).packed()

    def changes(self, asked: Asked) -> Any:
        """The change sheet of two sources."""
        book = self._book(asked)
        return self.jobs.start(
            "changes", lambda progress: make.change_sheet(self.shelf, book, asked, progress)
        ).packed()

    def event(self, asked: Asked) -> Any:
        """What an event's file says."""
        book = self._book(asked)
        return {"values": forms.values(make.event_path(book, str(asked.get("event", ""))))}

    def new_event(self, asked: Asked) -> Any:
        """Make a new event."""
        book = self._book(asked)
        path = forms.new_event(book, str(asked.get("name", ""))[:200].strip(), str(asked.get("date") or "") or None)
        return {"event": path.relative_to(book.folder).as_posix()}

    def save_event(self, asked: Asked) -> Any:
        """Write the form of an event back to its file."""
        book, given = self._book(asked), asked.get("values")
        if not isinstance(given, dict):
            raise UsageError("the form is empty")
        path = make.event_path(book, str(asked.get("event", "")))
        forms.save(path, given)
        return {"values": forms.values(path)}

    def handout(self, asked: Asked) -> Any:
        """The handouts of an event."""
        book = self._book(asked)
        return self.jobs.start("handout", lambda progress: make.handout(self.shelf, book, asked, progress)).packed()

    def close(self) -> None:
        self.jobs.close()
        self.shelf.close()
