"""Records -> the fields that are promised to the world, and their jsonl, json, md and csv."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields as fields_of
from functools import partial
from typing import Any

from pipeline.fields import head, label, lines, own_names
from pipeline.records import (
    AnyEntry,
    Book,
    Change,
    Citation,
    Document,
    Erratum,
    Finding,
    Operation,
    Prose,
    Span,
    Table,
    Text,
)

UNTOLD = ("header_rows",)  # fields that are not promised


def document_fields(document: Document) -> dict[str, Any]:
    """The first line of an export."""
    return {
        "kind": "document", "source": document.source, "sha256": document.sha256, "pages": document.pages,
        "title": document.title, "game": document.game, "version": document.version, "date": document.date,
        "language": document.language, "publisher": document.publisher,
        "change_colours": dict(document.change_colours) or None,
    }  # fmt: skip


def finding_fields(finding: Finding) -> dict[str, Any]:
    """A finding as plain JSON values."""
    return {"code": finding.code, "message": finding.message, "page": finding.page, "source": finding.source}


def entry_fields(entry: AnyEntry, *, styled: bool = False) -> dict[str, Any]:
    """An entry as plain JSON values; ``styled`` keeps bold, italic, icons and colours as spans."""
    text = _styled if styled else str
    packed: dict[str, Any] = {
        "id": entry.id, "kind": str(entry.kind), "section": list(entry.section),
        "subject": None if entry.subject is None else text(entry.subject),
        "language": entry.language, "page": entry.page,
        "changed": entry.changed, "changed_text": list(entry.changed_text), "source": entry.source,
    }  # fmt: skip
    packed.update(_own_fields(entry, text))
    if entry.see:
        packed["see"] = list(entry.see)
    if entry.struck:
        packed["struck"] = list(entry.struck)
    if entry.unread:
        packed["unread"] = True
    return packed


def _own_fields(entry: AnyEntry, text: Any) -> dict[str, Any]:
    own = {name: getattr(entry, name) for name in own_names(entry) if name not in UNTOLD}
    return {name: _plain(value, text) for name, value in own.items() if value is not False}


def _plain(value: Any, text: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Text):
        return text(value)
    if isinstance(value, tuple):
        return [_plain(each, text) for each in value]
    if isinstance(value, Change):
        return {each.name: _plain(getattr(value, each.name), text) for each in fields_of(value)}
    return str(value) if isinstance(value, Operation) else value


def _styled(text: Text) -> list[dict[str, Any]]:
    return [_span_fields(span) for span in text.spans]


def _span_fields(span: Span) -> dict[str, Any]:
    kept = ("bold", "italic", "colour", "highlight", "struck", "underlined", "icon", "link", "changed")
    return {"text": span.text, **{name: value for name in kept if (value := getattr(span, name))}}


# ---------------------------------------------------------------- formats


def jsonl(documents: Iterable[Document]) -> str:
    """One JSON object a line: each document, then its entries in reading order."""
    return "".join(
        _line(document_fields(each)) + "".join(_line(entry_fields(e)) for e in each.entries) for each in documents
    )


def _line(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False) + "\n"


def as_json(documents: Iterable[Document]) -> str:
    """A list of documents, each with its entries; bold, italic, icons and colours are kept as spans."""
    packed = [
        document_fields(each) | {"entries": [entry_fields(e, styled=True) for e in each.entries]} for each in documents
    ]
    return json.dumps(packed, ensure_ascii=False, indent=1) + "\n"


def markdown(documents: Iterable[Document]) -> str:
    """For reading: headings, questions in bold, answers, errata, tables."""
    return "\n".join(line for each in documents for line in _document_lines(each)) + "\n"


def as_csv(documents: Iterable[Document], separator: str = ",") -> str:
    """For a spreadsheet: one row an entry. A cell that looks like a formula begins with an apostrophe."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n", delimiter=separator)
    rows.writerow(COLUMNS)
    for document in documents:
        for entry in document.entries:
            rows.writerow([defused(cell) for cell in _cells(entry)])
    return out.getvalue()


def rulings_csv(book: Book) -> str:
    """The rulings of a book for a spreadsheet: one row a ruling, with its code and all places where it stands."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow(("code", *COLUMNS, "citations", "conflict"))
    for each in book.rulings:
        cells = (each.code, *_cells(each.entry), "; ".join(map(cited, each.citations)), "yes" if each.conflict else "")
        rows.writerow([defused(cell) for cell in cells])
    return out.getvalue()


def rulings_markdown(book: Book) -> str:
    """The rulings of a book for reading: under their headings, each with its code and all places where it stands."""
    lines = [f"# {plain(book.title)}", ""]
    above: tuple[str, ...] = ()
    for each in book.rulings:
        lines += _headings(each.entry, above)
        above = _path(each.entry)
        sources = " · ".join(part for part in (each.code, ", ".join(map(cited, each.citations))) if part)
        lines += [*entry_lines(each.entry), *([f"*{plain(sources)}*", ""] if sources else [])]
    return "\n".join(lines) + "\n"


def cited(place: Citation) -> str:
    """A place where a ruling stands."""
    return f"{place.source}, p. {place.page}"


SEMICOLONS = "csv;"  # a CSV as Excel wants it where numbers have a decimal comma
WRITERS: dict[str, Callable[[Iterable[Document]], str]] = {
    "jsonl": jsonl, "json": as_json, "md": markdown, "csv": as_csv, SEMICOLONS: partial(as_csv, separator=";"),
}  # fmt: skip


def stream(form: str, documents: Iterable[Document]) -> Iterator[str]:
    """What ``WRITERS[form]`` would write, a document at a time: a thousand of them need the memory of one."""
    for number, document in enumerate(documents):
        written = WRITERS[form]([document])
        if form == "json":
            written = ("," if number else "[") + "\n" + written[len("[\n") : -len("\n]\n")]
        elif form in ("csv", SEMICOLONS) and number:
            written = written.split("\r\n", 1)[1]
        yield written
    if form == "json":
        yield "\n]\n"


# ---------------------------------------------------------------- csv

COLUMNS = ("source", "page", "kind", "section", "subject", "heading", "text", "changed", "id")
FORMULA = re.compile(r"[\s\ufeff]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")


def defused(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; a plain number stays what it is."""
    if FORMULA.match(cell) and not re.fullmatch(r"[+-]?\d+(?:[.,]\d+)?", cell):
        return "'" + cell
    return cell


def _cells(entry: AnyEntry) -> Sequence[str]:
    heading, body = heading_and_body(entry)
    return (entry.source, str(entry.page), str(entry.kind), " / ".join(entry.section), str(entry.subject or ""),
            heading, "\n".join(body), "yes" if entry.changed else "", entry.id)  # fmt: skip


def heading_and_body(entry: AnyEntry) -> tuple[str, list[str]]:
    """What an entry is about, and its paragraphs."""
    if isinstance(entry, Erratum):
        heading = " – ".join(filter(None, (label(entry), str(entry.target))))
        return heading, [line for change in entry.changes for line in _change_lines(change)]
    return " ".join(filter(None, (label(entry), str(head(entry))))), [str(line) for line in lines(entry)]


def _change_lines(change: Change) -> list[str]:
    """The instruction, then the new text that is not quoted in it."""
    instruction = str(change.instruction)
    return ([instruction] if instruction else []) + [str(part) for part in change.new if str(part) not in instruction]


# ---------------------------------------------------------------- markdown

SPECIAL = re.compile(r"([\\\\`*_\[\]<>#|])")


def plain(text: str) -> str:
    """A text in one line that Markdown leaves as it is."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _document_lines(document: Document) -> list[str]:
    lines = [f"# {plain(document.title or document.source)}", ""]
    about = [part for part in (document.game, document.version, document.date, document.publisher) if part]
    lines += [f"*{plain(' · '.join([*about, document.source]))}*", ""]
    above: tuple[str, ...] = ()
    for entry in document.entries:
        lines += [*_headings(entry, above), *entry_lines(entry)]
        above = _path(entry)
    return lines


def _path(entry: AnyEntry) -> tuple[str, ...]:
    return (*entry.section, *([str(entry.subject)] if entry.subject else []))


def _headings(entry: AnyEntry, above: tuple[str, ...]) -> list[str]:
    """The headings over an entry that are not those over the one before."""
    here = _path(entry)
    fresh = [depth for depth in range(len(here)) if here[: depth + 1] != above[: depth + 1]]
    return [line for depth in fresh for line in (f"{'#' * min(depth + 2, 6)} {plain(here[depth])}", "")]


def entry_lines(entry: AnyEntry) -> list[str]:
    """An entry as lines of Markdown."""
    heading, body = heading_and_body(entry)
    mark = " ●" if entry.changed else ""
    if isinstance(entry, Table):
        return [f"**{plain(heading)}**{mark}", "", *_table_lines(entry), ""] if heading else [*_table_lines(entry), ""]
    if isinstance(entry, Prose):
        return [*_paragraph(str(entry.text)), ""]
    paragraphs = [line for part in body for line in (*_paragraph(part), "")]
    return [f"**{plain(heading)}**{mark}" if heading else mark.strip(), "", *paragraphs]


def _paragraph(text: str) -> list[str]:
    return [f"- {plain(text[2:])}"] if text.startswith("• ") else [plain(text)]


def _table_lines(table: Table) -> list[str]:
    rows = ["| " + " | ".join("<br>".join(map(plain, cell.split("\n"))) for cell in row) + " |" for row in table.rows]
    width = len(table.rows[0]) if table.rows else 0
    return rows[:1] + (["|" + " --- |" * width] if rows else []) + rows[1:]
