"""Is this the rulebook that the errata correct? Another game, edition or language is said, and nothing is applied."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.apply.passages import Rulebook, at_page
from pipeline.apply.quote_search import unquoted, verbatim
from pipeline.apply.target_search import where
from pipeline.records import Document, Erratum

FEW = 0.34  # of the errata find their place: below it, this is another book
PRESENT_LEAST = 3  # words of a quotation that stand on a page by no chance
JUDGED = 3  # errata that name a place, before a share of them says anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How many errata of a document find what they speak of."""

    named: int = 0  # that name a page or a heading
    there: int = 0  # and it is there
    moved: int = 0  # whose heading is on another page


def errata_of(document: Document) -> tuple[Erratum, ...]:
    """The errata among the entries."""
    return tuple(entry for entry in document.entries if isinstance(entry, Erratum))


def fit(shelf: Rulebook, document: Document) -> Fit:
    """Look for the place of every erratum."""
    named = there = moved = 0
    for erratum in errata_of(document):
        if not erratum.pages and not erratum.target:
            continue
        location = where(shelf, erratum, document.language or "")
        named += 1
        headed = location.certain and location.place is not None and bool(erratum.target)
        if headed or location.reason == "which-place" or _quotes(shelf, erratum, location.sheets):
            there += 1
        elif location.reason == "other-page":
            moved += 1
    return Fit(named=named, there=there, moved=moved)


def _quotes(shelf: Rulebook, erratum: Erratum, sheets: tuple[int, ...]) -> bool:
    """Whether old or new words of it stand on the page that it names."""
    candidates = at_page(shelf, sheets).slots if sheets else ()
    texts = [text for change in erratum.changes for text in (change.old, *change.new) if text]
    return any(len(text.split()) >= PRESENT_LEAST and verbatim(unquoted(text), candidates) for text in texts)


def misfit(shelf: Rulebook, document: Document) -> str:
    """Why a document of errata is not for this rulebook; "" when it is."""
    if not errata_of(document):
        return "holds no errata"
    mine, theirs = shelf.document.language, document.language
    if mine and theirs and mine[:2] != theirs[:2]:
        return f"is in another language ({theirs}) than the rulebook ({mine})"
    fits = fit(shelf, document)
    if fits.moved >= JUDGED and fits.moved > fits.there:
        return f"names other pages for {fits.moved} of its headings: this is another edition of the rulebook"
    if fits.named and not fits.there:
        return "corrects nothing that is in this rulebook: it is another game or edition"
    if fits.named >= JUDGED and fits.there < FEW * fits.named:
        return f"corrects another rulebook: {fits.there} of its {fits.named} passages are in this one"
    return ""
