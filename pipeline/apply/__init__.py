"""apply: a rulebook and its errata -> the rulebook as it now reads. Every amendment graded, and reversible.

page_numbers    printed on pages -> pages of the PDF
passages        headings, numbers, terms -> passages      target_search: those that an erratum names
instructions    "the last sentence of …" -> an order      counted_pieces: what it counts; values: what it names
quote_search    quoted words in a passage                 splice: other words in their place; slots: paragraphs
amendments      one change -> edits and a grade           case: its doubts; quoting_changes: changes that quote
rulebook_fit    is it the right rulebook at all

A stage: a function from record to record. In doubt nothing is changed, and the reason is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pipeline.apply.amendments import amend
from pipeline.apply.case import Grading
from pipeline.apply.page_numbers import paging
from pipeline.apply.passages import Rulebook
from pipeline.apply.quote_search import words
from pipeline.apply.rulebook_fit import errata_of, misfit
from pipeline.apply.slots import put, take_back
from pipeline.apply.target_search import where
from pipeline.records import (
    Amendment,
    Change,
    Consolidation,
    Document,
    Edit,
    Erratum,
    Finding,
    Grade,
    Outcome,
)

__all__ = ["apply", "misfits", "undo"]

_Key = tuple[str, str, int]  # document, erratum, its change
_Aside = dict[_Key, tuple[str, str]]  # amendments that are not made, with the reason and what it is about

IN_ALREADY = 2  # errata of a document that the rulebook has: with more of them than are made, it is a later printing
COUNTED = ("inferred", "counted")  # reasons of those that no quoted word vouches for


def apply(rulebook: Document, errata: Sequence[Document], as_of: str | None = None) -> Consolidation:
    """The rulebook with all errata up to a day, in the order of their release."""
    counted, later, findings = _in_force(errata, as_of)
    ordered = in_order(counted)
    aside: _Aside = {}
    while True:
        text, amendments, more = _run(rulebook, ordered, aside)
        more = more or _of_later_printing(amendments)
        if not more:
            break
        aside.update(more)
    return Consolidation(
        rulebook=rulebook, text=text, errata=tuple(replace(each, entries=()) for each in ordered), as_of=as_of,
        amendments=tuple(amendments), later=tuple(replace(each, entries=()) for each in later), findings=findings,
        numbers=paging(rulebook).numbers,
    )  # fmt: skip


def undo(consolidation: Consolidation) -> Document:
    """The rulebook as it was printed, word for word."""
    return take_back(consolidation.text, edits_of(consolidation.amendments))


def misfits(rulebook: Document, errata: Iterable[Document]) -> dict[str, str]:
    """The documents that are not for this rulebook, and why."""
    shelf = Rulebook(document=rulebook, paging=paging(rulebook))
    reasons = {each.source: misfit(shelf, each) for each in errata}
    return {source: why for source, why in reasons.items() if why}


def edits_of(amendments: Iterable[Amendment]) -> list[Edit]:
    """All edits that were made, in order."""
    return [edit for each in amendments if each.outcome is Outcome.APPLIED for edit in each.edits]


# ---------------------------------------------------------------- which count, and in which order


def _in_force(
    errata: Sequence[Document], as_of: str | None
) -> tuple[list[Document], list[Document], tuple[Finding, ...]]:
    """Those up to the day; one without a date counts, and is told."""
    if as_of is None:
        return list(errata), [], ()
    later = [each for each in errata if each.date and each.date[: len(as_of)] > as_of[: len(each.date)]]
    undated = [each for each in errata if not each.date]
    findings = tuple(
        Finding(code="no-date", message=f"has no date, so {as_of} cannot be checked: it counts", source=each.source)
        for each in undated
    )
    return [each for each in errata if each not in later], later, findings


def in_order(errata: Sequence[Document]) -> list[Document]:
    """Oldest first: by date, where all have one; else by version; else as they were given."""
    if all(each.date for each in errata):
        return sorted(errata, key=lambda each: (each.date or "", _version(each)))
    if all(each.version for each in errata):
        return sorted(errata, key=_version)
    return list(errata)


def _version(document: Document) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", document.version or ""))


# ---------------------------------------------------------------- one run over all


def _run(
    rulebook: Document, errata: Sequence[Document], aside: _Aside
) -> tuple[Document, list[Amendment], _Aside]:
    """Every amendment in order; the third result are those that must stand aside, then all is done anew."""
    printed = Rulebook(document=rulebook, paging=paging(rulebook))
    shelf = printed
    amendments: list[Amendment] = []
    for document in errata:
        language = (document.language or rulebook.language or "")[:2]
        for erratum in errata_of(document):
            for number, change in enumerate(erratum.changes):
                base = _amendment(document, erratum, change)
                if why := aside.get((document.source, erratum.id, number)):
                    amendments.append(_placed(base, printed, language, erratum, why))
                    continue
                if twin := _repeated(base, amendments):
                    amendments.append(replace(base, grade=twin.grade, outcome=Outcome.PRESENT, reason="repeated",
                                        about=twin.source, passage=twin.passage, sheet=twin.sheet))  # fmt: skip
                    continue
                verdict = amend(shelf, printed, erratum, change, where(shelf, erratum, language), language)
                if verdict.reason == "old-text-not-found":
                    overtaken = _overtaken(base, printed, erratum, amendments, language)
                    if overtaken:
                        return shelf.document, amendments, {**overtaken}
                amendments.append(_with(base, verdict))
                shelf = replace(shelf, document=put(shelf.document, verdict.edits))
    return shelf.document, amendments, {}


def _amendment(document: Document, erratum: Erratum, change: Change) -> Amendment:
    return Amendment(
        source=document.source, version=document.version, date=document.date, page=erratum.page, erratum=erratum.id,
        pages=erratum.pages, target=erratum.target, change=change,
    )  # fmt: skip


def _with(base: Amendment, verdict: Grading) -> Amendment:
    return replace(
        base, grade=verdict.grade, outcome=verdict.outcome, reason=verdict.reason, about=verdict.about,
        passage=verdict.passage, sheet=verdict.sheet, edits=verdict.edits, seen=verdict.seen, nearly=verdict.nearly,
    )  # fmt: skip


def _placed(base: Amendment, printed: Rulebook, language: str, erratum: Erratum, why: tuple[str, str]) -> Amendment:
    """One that stands aside, beside the passage it spoke of."""
    location = where(printed, erratum, language)
    outcome = Outcome.SUPERSEDED if why[0] == "superseded" else Outcome.REFUSED
    return replace(base, grade=Grade.C, outcome=outcome, reason=why[0], about=why[1],
                   passage=location.passage, sheet=location.sheets[0] if location.sheets else None)  # fmt: skip


def _repeated(base: Amendment, earlier: Sequence[Amendment]) -> Amendment | None:
    """The same amendment of an earlier release, where it is in the text."""
    for other in reversed(earlier):
        if (
            other.source != base.source
            and _key(other) == _key(base)
            and other.outcome in (Outcome.APPLIED, Outcome.PRESENT)
        ):
            return other
    return None


def _key(each: Amendment) -> tuple[object, ...]:
    change = each.change
    return (change.operation, words(change.instruction), words(change.old or ""), words(" ".join(change.new)),
            words(each.target), each.pages)  # fmt: skip


def _overtaken(
    base: Amendment, printed: Rulebook, erratum: Erratum, earlier: Sequence[Amendment], language: str
) -> _Aside:
    """Amendments of earlier releases of the very words that this one quotes as they were printed."""
    verdict = amend(printed, printed, erratum, base.change, where(printed, erratum, language), language)
    if verdict.outcome is not Outcome.APPLIED:
        return {}
    touched = {(edit.entry, edit.field, edit.row, edit.at) for edit in verdict.edits}
    aside: _Aside = {}
    for key, other in _numbered(earlier):
        places = {(edit.entry, edit.field, edit.row, edit.at) for edit in other.edits}
        if other.outcome is Outcome.APPLIED and other.source != base.source and places & touched:
            aside[key] = ("superseded", base.source)
    return aside


def _numbered(amendments: Iterable[Amendment]) -> Iterator[tuple[_Key, Amendment]]:
    """Each amendment with its key."""
    seen: dict[tuple[str, str], int] = {}
    for each in amendments:
        number = seen.get((each.source, each.erratum), 0)
        seen[each.source, each.erratum] = number + 1
        yield (each.source, each.erratum, number), each


def _of_later_printing(amendments: Sequence[Amendment]) -> _Aside:
    """Where the rulebook has most errata of a document already, "delete the last sentence" would take another one."""
    aside: _Aside = {}
    for source in {each.source for each in amendments}:
        mine = [(key, each) for key, each in _numbered(amendments) if each.source == source]
        inside = sum(each.reason == "says-so" for _, each in mine)
        fresh = sum(each.outcome is Outcome.APPLIED for _, each in mine)
        if inside >= IN_ALREADY and inside > fresh:
            aside |= {key: ("later-printing", "") for key, each in mine
                      if each.outcome is Outcome.APPLIED and each.reason in COUNTED}  # fmt: skip
    return aside
