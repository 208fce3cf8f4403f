"""What a document says of itself: its history of revisions, which colour means what. It changes with every release."""

from __future__ import annotations

import re

from pipeline.diff import parts
from pipeline.records import QA, AnyEntry, Difference, Document, Erratum, Prose, Table

STAMPED = 0.6  # of a table's rows begin with a version or a date: it may be a history of revisions
ROWS = 2  # fewer tell no history
ANNOUNCED = 0.5  # of a text is the sentence that says what a colour means: the text is about the document
LATER = 2  # columns in which a version or a date is looked for

_STAMP = re.compile(
    r"v?\.?\s?\d+(?:\.\d+)+[a-z]?|\d{4}-\d\d(?:-\d\d)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}", re.IGNORECASE
)


def is_about(entry: AnyEntry, document: Document) -> bool:
    """Whether an entry is about its document, not about the game."""
    if isinstance(entry, Prose) and _announces(entry.text, document):
        return True
    return _under_history(entry) or _is_history(entry, document)


def _under_history(entry: AnyEntry) -> bool:
    from pipeline.vocab import vocabulary

    if isinstance(entry, (QA, Erratum)):  # rulings, under whatever heading
        return False
    named = [f" {' '.join(parts.vocables(words))} " for words in vocabulary(entry.language).document.history]
    headings = [*entry.section, entry.subject or "", *([entry.title or ""] if isinstance(entry, Table) else [])]
    said = [f" {' '.join(parts.vocables(heading))} " for heading in headings]
    return any(name in heading for heading in said for name in named)


def only_announces(told: Difference, old: Document, new: Document) -> bool:
    """Whether nothing came or went but the sentence that says what a colour means, or words of it."""
    went, came = ("".join(text for sign, text in told.words if sign == each) for each in "-+")
    texts = [(text, document) for text, document in ((went, old), (came, new)) if parts.vocables(text)]
    if texts and all(_announces(text, document) for text, document in texts):
        return True
    if not (isinstance(told.old, Prose) and isinstance(told.new, Prose) and old.change_colours and new.change_colours):
        return False
    return _beside_it(told.old, old) == _beside_it(told.new, new)


def _beside_it(entry: Prose, document: Document) -> str:
    """What a text says beside what the colours mean."""
    said = parts.letters(entry.text)
    for _, meaning in document.change_colours:
        said = said.replace(parts.letters(meaning), "")
    return said


def _announces(text: str, document: Document) -> bool:
    """The sentence that says what a colour means."""
    whole = parts.letters(text)
    said = [parts.letters(told) for _, told in document.change_colours]
    return any(told and told in whole and len(told) > ANNOUNCED * len(whole) for told in said)


def _is_history(entry: AnyEntry, document: Document) -> bool:
    """A table of versions with their dates; or of either, this release among them."""
    if not isinstance(entry, Table) or len(entry.rows) < ROWS:
        return False
    stamps = [{_bare(cell) for cell in row[:LATER] if _STAMP.fullmatch(cell.strip())} for row in entry.rows]
    own = {text for text in (document.version, document.date) if text}
    least = STAMPED * (len(entry.rows) - 1)
    if sum(len(row) == LATER for row in stamps) >= least:
        return True
    return sum(map(bool, stamps)) >= least and any(own & row for row in stamps)


def _bare(stamp: str) -> str:
    return stamp.strip().lstrip("vV. ")
