"""Changes that quote: the old words by others, by none, everywhere, or with some put in beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.apply.case import (
    PRESENT_LEAST,
    UNNAMED_LEAST,
    Case,
    Grading,
    InDoubtError,
    applied,
    as_it_is,
    count_out,
    graded,
    shortened,
)
from pipeline.apply.counted_pieces import CannotCountError, CountedPiece, sentences
from pipeline.apply.instructions import apart
from pipeline.apply.quote_search import FoundQuote, nearly, verbatim, without_stop, words
from pipeline.apply.slots import FEW, Slot, edit_of, pages_of
from pipeline.apply.splice import changed, changed_often, inserted
from pipeline.records import Edit, Grade, Operation, Text
from pipeline.text import fold, rich

BARE = 2  # words: a shorter old text that no marks set apart is looked for by its row and column only


def by_quotation(case: Case, old: Text) -> Grading:
    """Quoted words by others, or by none."""
    deletes = case.change.operation is Operation.DELETE
    if not deletes and not case.new:
        raise InDoubtError("no-new-text")
    if deletes and case.new:
        raise InDoubtError("not-understood")
    if case.order.anchors and not _anchors_are_near(case):
        raise InDoubtError("more-is-quoted", str(case.order.anchors[0]))
    new = case.new
    quotes = verbatim(old, case.place.slots)
    if not quotes and (bare := without_stop(old)) != old and bare:
        quotes = verbatim(bare, case.place.slots)
        new = (*new[:-1], without_stop(new[-1])) if new else new
    if not deletes and (present := _said_already(case, quotes)):
        return present
    if not quotes:
        return _not_verbatim(case, old, new)
    if edits := _once_a_page(case, quotes, new):
        return applied(edits, Grade.A if all(one.exact for one in quotes) else Grade.B, "")
    if len(quotes) > 1:
        quotes = _narrowed(case, quotes)
    elif not _agrees(case, quotes[0]):
        raise InDoubtError("which-one")
    one = quotes[0]
    grade, reason = graded(case, old, exact=one.exact)
    return applied((changed(one.slot, one.start, one.end, new),), grade, reason)


def _once_a_page(case: Case, quotes: Sequence[FoundQuote], new: tuple[Text, ...]) -> tuple[Edit, ...]:
    """ "Pages 8, 10 and 12 – Setting up": the words stand once on each page, under a heading of that name."""
    homes = [set(pages_of(case.shelf.document.entries[one.slot.entry])) & set(case.where.sheets) for one in quotes]
    if len(case.where.sheets) < 2 or case.where.reason not in ("", "which-place"):
        return ()
    alone = all(len(home) == 1 for home in homes) and set().union(*homes) == set(case.where.sheets)
    if not alone or len(quotes) != len(case.where.sheets):
        return ()
    return tuple(changed(one.slot, one.start, one.end, new) for one in quotes)


def _anchors_are_near(case: Case) -> bool:
    """What else is quoted only names the passage again."""
    return all(fold(each) in fold(case.target) for each in case.order.anchors)


def _narrowed(case: Case, quotes: list[FoundQuote]) -> list[FoundQuote]:
    """Of several places the one in the piece that is named."""
    pieces = case.order.only("paragraph", "item", "step", "sentence")
    pages = len(case.where.sheets)
    if not pieces or pages > 1:
        raise InDoubtError("several-times", str(len(quotes)))
    inside = [each for each in quotes if _inside(each, count_out(case, pieces))]
    if len(inside) != 1:
        raise InDoubtError("several-times", str(len(quotes)))
    return inside


def _agrees(case: Case, one: FoundQuote) -> bool:
    """Whether the piece that is named, if it can be told, is where the words were found."""
    pieces = [piece for piece in case.order.only("paragraph", "item", "step", "sentence") if piece.ordinal]
    if not pieces:
        return True
    try:
        return _inside(one, count_out(case, pieces))
    except CannotCountError:
        return True


def _inside(quote: FoundQuote, chosen: CountedPiece) -> bool:
    return any(
        quote.slot == slot and (chosen.end is None or (chosen.start <= quote.start and quote.end <= chosen.end))
        for slot in chosen.slots
    )


def _not_verbatim(case: Case, old: Text, new: tuple[Text, ...]) -> Grading:
    if across := _across(case, old):
        grade, reason = graded(case, old, exact=True)
        return applied((replace(edit_of(across[0], new), old=tuple(s.text for s in across)),), grade, reason)
    near = nearly(old, case.place.slots)
    if near is None or not case.where.certain:
        raise InDoubtError("old-text-not-found", shortened(old))
    grading = applied((changed(near.slot, near.start, near.end, new),), Grade.B, "nearly")
    return replace(grading, nearly=near.nearly)


def _across(case: Case, old: Text) -> tuple[Slot, ...]:
    """Whole paragraphs that follow each other and say together what is quoted."""
    wanted = words(old)
    slots = case.place.slots
    for first in range(len(slots)):
        joined: list[str] = []
        for last in range(first, len(slots)):
            if slots[last].is_cell or (slots[last].entry, slots[last].field) != (
                slots[first].entry,
                slots[first].field,
            ):
                break
            joined += words(slots[last].text)
            if joined == wanted and last > first and slots[first].field not in FEW:
                return slots[first : last + 1]
            if len(joined) >= len(wanted):
                break
    return ()


def _said_already(case: Case, quotes: Sequence[FoundQuote]) -> Grading | None:
    """The rulebook reads so already: the new text is there, and the old one only inside it."""
    there = [each for text in case.new for each in verbatim(text, case.place.slots)]
    if not there or len(words(" ".join(case.new))) < PRESENT_LEAST:
        return None
    inside = all(
        any(one.slot == each.slot and each.start <= one.start and one.end <= each.end for each in there)
        for one in quotes
    )
    if not inside or not (case.where.certain or len(words(case.new[0])) > UNNAMED_LEAST):
        return None
    return as_it_is(Grade.A, there[0].slot, there[0].start, there[0].end)


def is_bare(case: Case, old: Text) -> bool:
    """A number that is named without marks: alone it may stand anywhere."""
    return len(words(old)) < BARE and not apart(str(case.change.instruction))[1]


def at_every_place(case: Case) -> Grading:
    """Each place of a word on the pages that are named."""
    if case.old is None or len(case.new) > 1 or (case.change.operation is Operation.REPLACE and not case.new):
        raise InDoubtError("not-understood")
    if case.change.operation is Operation.INSERT or case.order.beyond:
        raise InDoubtError("not-understood", case.order.beyond)
    if not case.where.certain:
        raise InDoubtError(case.where.reason, case.where.about)
    quotes = verbatim(case.old, case.place.slots)
    if not quotes:
        raise InDoubtError("old-text-not-found", shortened(case.old))
    edits: dict[Slot, list[FoundQuote]] = {}
    for one in quotes:
        edits.setdefault(one.slot, []).append(one)
    changes = [changed_often(slot, each, case.new) for slot, each in edits.items()]
    return applied(changes, Grade.A if case.place.how != "heading" else Grade.B, "")


def beside_quotation(case: Case, name: str) -> Grading:
    """Words after or before quoted ones."""
    anchors = [case.old] if case.old is not None else [rich(str(each)) for each in case.order.anchors]
    if case.order.only("whole", "title", "table", "list"):  # "a section before ‘Fords’": that is a heading
        raise InDoubtError("not-understood")
    if name not in ("after", "before") or len(anchors) != 1 or len(case.new) != 1 or case.order.beyond:
        raise InDoubtError("not-understood")
    quotes = verbatim(anchors[0], case.place.slots)
    if not quotes:
        raise InDoubtError("old-text-not-found", shortened(anchors[0]))
    if len(quotes) > 1:
        quotes = _narrowed(case, quotes)
    elif not _agrees(case, quotes[0]):
        raise InDoubtError("which-one")
    one = quotes[0]
    if not one.exact:  # before a word that opens a sentence, another must open it
        raise InDoubtError("letters-differ")
    at = one.end if name == "after" else one.start
    if sentences(case.new[0]) and _is_sentence(case.new[0]) and not _is_edge(one.slot.text, at, name):
        raise InDoubtError("which-one")
    grade, reason = graded(case, anchors[0], exact=one.exact)
    return applied((inserted(one.slot, at, case.new[0]),), grade, reason)


def _is_sentence(text: str) -> bool:
    return text[:1].isupper() and text.rstrip('»”"’ ')[-1:] in ".!?"


def _is_edge(text: str, at: int, name: str) -> bool:
    """Whether a sentence ends, or begins, there."""
    behind = text[:at].rstrip(' »”"’')
    return not behind or behind[-1:] in ".!?:" if name == "before" else behind[-1:] in ".!?" or not text[at:].strip()
