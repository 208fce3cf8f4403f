"""A change with all that is known about it; the doubts that every kind of change shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.apply.counted_pieces import CannotCountError, CountedPiece, choose, ended, heading_like, sentences
from pipeline.apply.instructions import Instruction, Piece
from pipeline.apply.passages import Passage, Rulebook, lead, prose_of, real
from pipeline.apply.quote_search import holds, words
from pipeline.apply.slots import Slot, edit_of, slots
from pipeline.apply.target_search import Where
from pipeline.records import Change, Edit, Grade, Outcome, Text
from pipeline.text import cut, even, fold, rich

PRESENT_LEAST = 3  # words of a new text: fewer may stand there by chance
UNNAMED_LEAST = 4  # words of a quotation that tells its place alone, where the heading was not found
PAGE_LEAST = 2  # ... where no heading is named, only a page
MIXED = 3  # paragraphs, before some that open in bold after others that do not may be of another rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Grading:
    """What becomes of a change."""

    grade: Grade = Grade.C
    outcome: Outcome = Outcome.REFUSED
    reason: str = ""
    about: str = ""
    passage: int | None = None
    sheet: int | None = None
    edits: tuple[Edit, ...] = ()
    seen: tuple[Edit, ...] = ()
    nearly: tuple[tuple[str, str], ...] = ()


class InDoubtError(Exception):
    """Nothing is applied."""

    def __init__(self, reason: str, about: str = "") -> None:
        super().__init__(reason)
        self.reason, self.about = reason, about


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A change with all that is known about it."""

    shelf: Rulebook  # the text as it stands
    printed: Rulebook  # the text as it was printed
    where: Where
    place: Passage
    change: Change
    order: Instruction
    old: Text | None
    new: tuple[Text, ...]
    language: str
    target: str


def graded(case: Case, old: str, *, exact: bool) -> tuple[Grade, str]:
    """A where place and words are certain; B where the words alone tell the place, if they are enough."""
    if not case.where.certain or case.place.how == "heading":
        if len(words(old)) < UNNAMED_LEAST:
            raise InDoubtError(case.where.reason or "which-place", case.where.about)
        return Grade.B, case.where.reason or "heading-only"
    if case.place.how == "page" and len(words(old)) < UNNAMED_LEAST:
        if len(words(old)) < PAGE_LEAST:
            raise InDoubtError("which-place", case.target or shortened(old))
        return Grade.B, "heading-only"
    return (Grade.A, "") if exact else (Grade.B, "letters-differ")


def applied(edits: Sequence[Edit], grade: Grade, reason: str) -> Grading:
    """The verdict of edits that were found; where they change nothing, the text reads so already."""
    effective = tuple(edit for edit in edits if edit.old != edit.new)
    if not effective:
        return Grading(
            grade=Grade.A, outcome=Outcome.PRESENT, reason="says-so", passage=edits[0].entry if edits else None
        )
    return Grading(grade=grade, outcome=Outcome.APPLIED, reason=reason, edits=effective)


def already(case: Case) -> Grading | None:
    """The passage has the new text already."""
    if len(words(" ".join(case.new))) < PRESENT_LEAST:
        return None
    there = holds(case.new, case.place.slots)
    sure = case.where.certain or len(words(" ".join(case.new))) > UNNAMED_LEAST
    if not there or not sure:
        return None
    grading = as_it_is(Grade.A, there[0].slot, there[0].start, there[0].end)
    return replace(grading, seen=tuple(_seen(each.slot, each.start, each.end) for each in there))


def as_it_is(grade: Grade, slot: Slot, start: int, end: int) -> Grading:
    """The rulebook says so already; nothing is changed."""
    return Grading(grade=grade, outcome=Outcome.PRESENT, reason="says-so", passage=slot.entry,
                   seen=(_seen(slot, start, end),))  # fmt: skip


def _seen(slot: Slot, start: int, end: int) -> Edit:
    return edit_of(slot, (rich(cut(slot.text, 0, start), cut(slot.text, end)),))


def be_understood(case: Case) -> None:
    """Whether all words of the instruction are known, and the passage is one rule for sure."""
    if not case.order.known:
        raise InDoubtError("language")
    if case.order.beyond:
        raise InDoubtError("picture", case.order.beyond)
    if case.order.anchors:
        raise InDoubtError("more-is-quoted", str(case.order.anchors[0]))
    if case.order.unknown:
        raise InDoubtError("not-understood", " ".join(case.order.unknown))
    if not case.where.certain:
        raise InDoubtError(case.where.reason or "which-place", case.where.about)
    if not (case.place.exact or (case.place.how == "section" and len(prose_of(case.place).entries) == 1)):
        raise InDoubtError("no-bounds", case.target)
    if not case.place.slots:
        raise InDoubtError("empty")


def be_one_rule(case: Case) -> None:
    """The end of a rule that has others below it is not clear; nor of a table, or where columns may be mixed."""
    if case.place.parent or any(slot.is_cell for slot in case.place.slots):
        raise InDoubtError("has-parts", case.target)
    if any(heading_like(slot) for slot in case.place.slots) or not ended(case.place.slots[-1]):
        raise InDoubtError("no-bounds", case.target)
    entry = case.shelf.document.entries[case.place.entries[0]]
    columns = {address.rpartition(".")[0] for address in entry.addresses}
    opened = [_opens_in_bold(slot) for slot in case.place.slots]
    turns = sum(one != other for one, other in pairwise(opened))
    if len(columns) > 1 and len(opened) > MIXED and turns == 1 and opened[-2:] == [True, True]:
        raise InDoubtError("no-bounds", case.target)  # a list of terms in the next column need not be of this rule


def _opens_in_bold(slot: Slot) -> bool:
    first = next((span for span in slot.text.spans if span.text.strip()), None)
    return bool(first and first.bold)


def count_out(case: Case, pieces: Sequence[Piece]) -> CountedPiece:
    """A piece, counted in the text as it stands and as it was printed: both must mean the same words."""
    case = replace(case, place=prose_of(case.place))
    if len(case.place.entries) != 1:
        raise CannotCountError("which-one")
    if any(heading_like(slot) for slot in case.place.slots):
        raise CannotCountError("broken-paragraphs")
    chosen = choose(pieces, case.place.slots)
    before = _as_printed(case)
    if [slot.text for slot in before] == [slot.text for slot in case.place.slots]:
        return chosen
    printed = choose(pieces, before)
    if said_by(chosen) == said_by(printed):
        return chosen
    same = len(before) == len(case.place.slots) and [s.at for s in chosen.slots] == [s.at for s in printed.slots]
    if not same or sentences(chosen.slots[0].text) != sentences(printed.slots[0].text):
        raise CannotCountError("counted-otherwise")
    return chosen


def _as_printed(case: Case) -> tuple[Slot, ...]:
    """The passage before any erratum."""
    [n] = case.place.entries
    printed_slots = real(slots(case.printed.document.entries[n], n))
    if case.place.how == "lead":
        return tuple(
            slot for slot in printed_slots if lead(slot) and fold(lead(slot)) == fold(lead(case.place.slots[0]))
        )
    skipped = case.place.slots[0].at
    return (
        tuple(slot for slot in printed_slots if slot.at >= skipped)
        if case.place.name and _headless(case, n)
        else printed_slots
    )


def _headless(case: Case, n: int) -> bool:
    return not str(getattr(case.shelf.document.entries[n], "title", "x") or "")


def said_by(chosen: CountedPiece) -> list[str]:
    """The words of a piece."""
    return [str(slot.text)[chosen.start : chosen.end] for slot in chosen.slots]


def shortened(text: str) -> str:
    """The beginning of a text, for a message."""
    short = even(text)
    return short if len(short) <= 60 else short[:60].rpartition(" ")[0] + " …"
