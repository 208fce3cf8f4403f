"""Records -> the fields that are promised to the world, and their jsonl, json, md and csv."""

from __future__ import annotations

from typing import Any

from pipeline.records import AnyEntry, Change, Definition, Document, Erratum, Prose, QA, Rule, Span, Table, Text


def document_fields(document: Document) -> dict[str, Any]:
    """The first line of an export."""
    return {
        "kind": "document", "source": document.source, "sha256": document.sha256, "pages": document.pages,
        "title": document.title, "game": document.game, "version": document.version, "date": document.date,
        "language": document.language, "publisher": document.publisher,
        "change_colours": dict(document.change_colours) or None,
    }  # fmt: skip


def entry_fields(entry: AnyEntry, *, styled: bool = False) -> dict[str, Any]:
    """An entry as plain JSON values; ``styled`` keeps bold, italic, icons and colours as spans."""
    text = _styled if styled else str
    made: dict[str, Any] = {
        "id": entry.id, "kind": str(entry.kind), "section": list(entry.section),
        "subject": None if entry.subject is None else text(entry.subject), "language": entry.language, "page": entry.page,
        "changed": entry.changed, "changed_text": list(entry.changed_text), "source": entry.source,
    }  # fmt: skip
    made.update(_own_fields(entry, text))
    if entry.see:
        made["see"] = list(entry.see)
    if entry.unread:
        made["unread"] = True
    return made


def _own_fields(entry: AnyEntry, text: Any) -> dict[str, Any]:
    match entry:
        case QA():
            return {"question": text(entry.question), "answer": [text(part) for part in entry.answer]}
        case Erratum():
            return {"pages": list(entry.pages), "target": text(entry.target),
                    "changes": [_change_fields(change, text) for change in entry.changes]}  # fmt: skip
        case Definition():
            return {"term": text(entry.term), "aliases": list(entry.aliases), "refs": list(entry.refs),
                    "body": [text(part) for part in entry.body]}  # fmt: skip
        case Rule():
            return {"number": entry.number, "title": text(entry.title), "body": [text(part) for part in entry.body]}
        case Table():
            return {"title": None if entry.title is None else text(entry.title),
                    "rows": [[text(cell) for cell in row] for row in entry.rows]}  # fmt: skip
        case Prose():
            return {"text": text(entry.text)}


def _change_fields(change: Change, text: Any) -> dict[str, Any]:
    return {
        "operation": str(change.operation), "instruction": text(change.instruction),
        "old": None if change.old is None else text(change.old), "new": [text(part) for part in change.new],
    }  # fmt: skip


def _styled(text: Text) -> list[dict[str, Any]]:
    return [_span_fields(span) for span in text.spans]


def _span_fields(span: Span) -> dict[str, Any]:
    kept = ("bold", "italic", "colour", "highlight", "struck", "underlined", "icon", "link", "changed")
    return {"text": span.text, **{name: held for name in kept if (held := getattr(span, name))}}
