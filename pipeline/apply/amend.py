"""One change of an erratum, and the passage it speaks of -> edits with their grade, or the reason why there are none.

A wrong application is the worst result there is: each function here gives up at the first doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.apply import values
from pipeline.apply.find import Where, named
from pipeline.apply.instruct import Order, Piece, apart, order
from pipeline.apply.match import (
    Found,
    elided,
    holds,
    nearly,
    similarity,
    undotted,
    unquoted,
    unquoted_all,
    verbatim,
    without_stop,
    words,
)
from pipeline.apply.passage import FEW, Slot, edit_of, insertion, pages_of, slots
from pipeline.apply.pieces import CannotCountError, Chosen, choose, ended, heading_like, is_item, only_list, sentences
from pipeline.apply.places import Place, Shelf, lead, prose_of, real
from pipeline.records import EMPTY, Change, Edit, Erratum, Grade, Operation, Outcome, Span, Text
from pipeline.text import cut, even, fold, rich, trim

PRESENT_LEAST = 3  # words of a new text: fewer may stand there by chance
UNNAMED_LEAST = 4  # words of a quotation that tells its place alone, where the heading was not found
PAGE_LEAST = 2  # ... where no heading is named, only a page
BETTER = 0.25  # more like the new text than the chosen piece: then another one is meant
LIKE = 0.5  # and so much like it
BARE = 2  # words: a shorter old text that no marks set apart is looked for by its row and column only
MIXED = 3  # paragraphs, before some that open in bold after others that do not may be of another rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
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

    shelf: Shelf  # the text as it stands
    printed: Shelf  # the text as it was printed
    where: Where
    place: Place
    change: Change
    order: Order
    old: Text | None
    new: tuple[Text, ...]
    language: str
    target: str


def amend(
    shelf: Shelf, printed: Shelf, erratum: Erratum, change: Change, where: Where, language: str, *, forced: bool = False
) -> Verdict:
    """The edits of one change; ``where`` is the place of its erratum."""
    refused = Verdict(passage=where.passage, sheet=where.sheets[0] if where.sheets else None)
    try:
        if change.operation is Operation.CLARIFY:
            raise InDoubtError("clarifies")
        if where.place is None:
            raise InDoubtError(where.reason, where.about)
        case = _case(shelf, printed, erratum, change, where, where.place, language)
        made = _decide(case)
    except InDoubtError as doubt:
        return replace(refused, reason=doubt.reason, about=doubt.about)
    except CannotCountError as doubt:
        return replace(refused, reason=doubt.reason)
    return _located(made, shelf, where)


def _located(made: Verdict, shelf: Shelf, where: Where) -> Verdict:
    entry = made.edits[0].entry if made.edits else made.passage
    sheets = list(pages_of(shelf.document.entries[entry])) if entry is not None else []
    sheet = next((each for each in where.sheets if each in sheets), sheets[0] if sheets else None)
    return replace(made, passage=entry, sheet=sheet)


def _case(
    shelf: Shelf, printed: Shelf, erratum: Erratum, change: Change, where: Where, place: Place, language: str
) -> Case:
    target, piece = named(erratum, language)
    told = replace(change, instruction=rich(change.instruction, f", {piece}")) if piece else change
    said = order(told, target, language)
    if said.condition:
        raise InDoubtError("conditional", said.condition)
    old = unquoted(change.old) if change.old else None
    new = tuple(_plain(text) for text in unquoted_all(change.new))
    old, new = _without_dots(old, new)
    return Case(shelf=shelf, printed=printed, where=where, place=place, change=change, order=said, old=old, new=new,
                language=language, target=target)  # fmt: skip


def _without_dots(old: Text | None, new: tuple[Text, ...]) -> tuple[Text | None, tuple[Text, ...]]:
    """Old and new text without the dots around both; dots in the new text alone stand for unknown words."""
    if not any(elided(text) for text in new):
        return old, new
    if old is None or len(new) != 1 or elided(old) != elided(new[0]) or elided(bare := undotted(new[0])):
        raise InDoubtError("not-understood", "…")
    return undotted(old), (bare,)


def _plain(text: Text) -> Text:
    """A new text without the colours of its document, nor a style that all of it has: that is the document's."""
    spoken = [span for span in text.spans if span.text.strip() and not span.icon]
    bold, italic = not all(span.bold for span in spoken), not all(span.italic for span in spoken)
    spans = (
        Span(text=span.text, bold=span.bold and bold, italic=span.italic and italic, icon=span.icon, link=span.link)
        for span in text.spans
    )
    return rich(*spans, level=text.level)


def _decide(case: Case) -> Verdict:
    if case.order.says("everywhere"):
        return _everywhere(case)
    if case.change.operation is Operation.REPLACE:
        return _replace(case)
    if case.change.operation is Operation.INSERT:
        return _insert(case)
    return _delete(case)


# ---------------------------------------------------------------- replace


def _replace(case: Case) -> Verdict:
    if made := _value(case):
        return made
    if case.old is not None:
        if _is_bare(case, case.old):
            raise InDoubtError("which-one")
        return _quoted(case, case.old)
    if not case.new:
        raise InDoubtError("picture" if case.order.beyond else "no-new-text", case.order.beyond)
    _understood(case)
    if present := _present(case):
        return present
    pieces = case.order.only("paragraph", "item", "step", "sentence", "word")
    if not pieces:
        return _whole(case)
    chosen = _chosen(case, pieces)
    _nothing_fits_better(case, pieces, chosen)
    return _applied(case, _put(chosen, case.new), Grade.B, "inferred")


def _whole(case: Case) -> Verdict:
    """The whole text of a rule."""
    if not case.order.only("whole") and len(case.place.slots) != 1:
        raise InDoubtError("which-one")
    _one_rule(case)
    slots = case.place.slots
    if case.place.how == "lead":
        return _applied(case, _put(Chosen(slots=slots, start=_lead_end(case, slots[0]), end=len(slots[0].text)),
                                   _without_name(case, case.new)), Grade.B, "inferred")  # fmt: skip
    if [slot.at for slot in slots] != list(range(slots[0].at, slots[0].at + len(slots))):
        raise InDoubtError("broken-paragraphs")
    new = _without_name(case, case.new)
    first = slots[0]
    if first.field in FEW:
        new = (rich(*[part for text in new for part in (text, " ")][:-1]),)
    return _applied(case, (replace(edit_of(first, new), old=tuple(slot.text for slot in slots)),), Grade.B, "inferred")


def _without_name(case: Case, new: tuple[Text, ...]) -> tuple[Text, ...]:
    """A new text without the name of the rule that opens it: the heading says it."""
    opened = lead(Slot(entry=0, field="", at=0, text=new[0]))
    if opened and fold(opened) == fold(case.place.name):
        behind = str(new[0])[len(opened) :]
        return (cut(new[0], len(opened) + len(behind) - len(behind.lstrip(" .:–—-"))), *new[1:])
    if len(new) > 1 and fold(new[0]).strip(" .:") == fold(case.place.name):
        return new[1:]
    return new


def _lead_end(case: Case, slot: Slot) -> int:
    opened = len(lead(slot))
    behind = str(slot.text)[opened:]
    return opened + len(behind) - len(behind.lstrip(" .:–—-"))


def _quoted(case: Case, old: Text) -> Verdict:
    """Quoted words by others, or by none."""
    deletes = case.change.operation is Operation.DELETE
    if not deletes and not case.new:
        raise InDoubtError("no-new-text")
    if deletes and case.new:
        raise InDoubtError("not-understood")
    if case.order.anchors and not _anchors_are_near(case):
        raise InDoubtError("more-is-quoted", str(case.order.anchors[0]))
    new = case.new
    found = verbatim(old, case.place.slots)
    if not found and (bare := without_stop(old)) != old and bare:
        found = verbatim(bare, case.place.slots)
        new = (*new[:-1], without_stop(new[-1])) if new else new
    if not deletes and (present := _said_already(case, found)):
        return present
    if not found:
        return _not_verbatim(case, old, new)
    if edits := _once_a_page(case, found, new):
        return _applied(case, edits, Grade.A if all(one.exact for one in found) else Grade.B, "")
    if len(found) > 1:
        found = _narrowed(case, found)
    elif not _agrees(case, found[0]):
        raise InDoubtError("which-one")
    one = found[0]
    grade, reason = _grade(case, old, exact=one.exact)
    return _applied(case, (_changed(one.slot, one.start, one.end, new),), grade, reason)


def _once_a_page(case: Case, found: Sequence[Found], new: tuple[Text, ...]) -> tuple[Edit, ...]:
    """ "Pages 8, 10 and 12 – Setting up": the words stand once on each page, under a heading of that name."""
    homes = [set(pages_of(case.shelf.document.entries[one.slot.entry])) & set(case.where.sheets) for one in found]
    if len(case.where.sheets) < 2 or case.where.reason not in ("", "which-place"):
        return ()
    alone = all(len(home) == 1 for home in homes) and set().union(*homes) == set(case.where.sheets)
    if not alone or len(found) != len(case.where.sheets):
        return ()
    return tuple(_changed(one.slot, one.start, one.end, new) for one in found)


def _grade(case: Case, old: str, *, exact: bool) -> tuple[Grade, str]:
    if not case.where.certain or case.place.how == "heading":
        if len(words(old)) < UNNAMED_LEAST:
            raise InDoubtError(case.where.reason or "which-place", case.where.about)
        return Grade.B, case.where.reason or "heading-only"
    if case.place.how == "page" and len(words(old)) < UNNAMED_LEAST:
        if len(words(old)) < PAGE_LEAST:
            raise InDoubtError("which-place", case.target or _short(old))
        return Grade.B, "heading-only"
    return (Grade.A, "") if exact else (Grade.B, "letters-differ")


def _anchors_are_near(case: Case) -> bool:
    """What else is quoted only names the passage again."""
    return all(fold(each) in fold(case.target) for each in case.order.anchors)


def _narrowed(case: Case, found: list[Found]) -> list[Found]:
    """Of several places the one in the piece that is named."""
    pieces = case.order.only("paragraph", "item", "step", "sentence")
    pages = len(case.where.sheets)
    if not pieces or pages > 1:
        raise InDoubtError("several-times", str(len(found)))
    inside = [each for each in found if _inside(each, _chosen(case, pieces))]
    if len(inside) != 1:
        raise InDoubtError("several-times", str(len(found)))
    return inside


def _agrees(case: Case, one: Found) -> bool:
    """Whether the piece that is named, if it can be told, is where the words were found."""
    pieces = [piece for piece in case.order.only("paragraph", "item", "step", "sentence") if piece.ordinal]
    if not pieces:
        return True
    try:
        return _inside(one, _chosen(case, pieces))
    except CannotCountError:
        return True


def _inside(found: Found, chosen: Chosen) -> bool:
    return any(
        found.slot == slot and (chosen.end is None or (chosen.start <= found.start and found.end <= chosen.end))
        for slot in chosen.slots
    )


def _not_verbatim(case: Case, old: Text, new: tuple[Text, ...]) -> Verdict:
    if across := _across(case, old):
        grade, reason = _grade(case, old, exact=True)
        return _applied(case, (replace(edit_of(across[0], new), old=tuple(s.text for s in across)),), grade, reason)
    near = nearly(old, case.place.slots)
    if near is None or not case.where.certain:
        raise InDoubtError("old-text-not-found", _short(old))
    made = _applied(case, (_changed(near.slot, near.start, near.end, new),), Grade.B, "nearly")
    return replace(made, nearly=near.nearly)


def _across(case: Case, old: Text) -> tuple[Slot, ...]:
    """Whole paragraphs that follow each other and say together what is quoted."""
    wanted = words(old)
    slots = case.place.slots
    for first in range(len(slots)):
        held: list[str] = []
        for last in range(first, len(slots)):
            if slots[last].is_cell or (slots[last].entry, slots[last].field) != (
                slots[first].entry,
                slots[first].field,
            ):
                break
            held += words(slots[last].text)
            if held == wanted and last > first and slots[first].field not in FEW:
                return slots[first : last + 1]
            if len(held) >= len(wanted):
                break
    return ()


def _said_already(case: Case, found: Sequence[Found]) -> Verdict | None:
    """The rulebook reads so already: the new text is there, and the old one only inside it."""
    there = [each for text in case.new for each in verbatim(text, case.place.slots)]
    if not there or len(words(" ".join(case.new))) < PRESENT_LEAST:
        return None
    inside = all(
        any(one.slot == each.slot and each.start <= one.start and one.end <= each.end for each in there)
        for one in found
    )
    if not inside or not (case.where.certain or len(words(case.new[0])) > UNNAMED_LEAST):
        return None
    return _as_it_is(Grade.A, there[0].slot, there[0].start, there[0].end)


def _is_bare(case: Case, old: Text) -> bool:
    """A number that is named without marks: alone it may stand anywhere."""
    return len(words(old)) < BARE and not apart(str(case.change.instruction))[1]


def _value(case: Case) -> Verdict | None:
    """A value that is named: of a row and a column, or behind a label."""
    if case.order.beyond or case.order.anchors or not case.where.certain:
        return None
    entries = [
        (case.shelf.document.entries[n], tuple(slot for slot in case.place.slots if slot.entry == n))
        for n in case.place.entries
    ]
    found = values.value(str(case.change.instruction), case.target, case.language, entries)
    if found is None:
        return None
    if case.new and (len(case.new) > 1 or fold(found.new) not in fold(case.new[0])):
        return None
    bounded = case.place.exact or case.place.how == "section"
    if found.same:
        return _as_it_is(Grade.A if bounded else Grade.B, found.slot, found.start, found.end)
    if not bounded and not found.told:
        raise InDoubtError("no-bounds", case.target)
    edit = _changed(found.slot, found.start, found.end, (rich(found.new),))
    return _applied(case, (edit,), Grade.A if found.told else Grade.B, "" if found.told else "inferred")


# ---------------------------------------------------------------- everywhere


def _everywhere(case: Case) -> Verdict:
    """Each place of a word on the pages that are named."""
    if case.old is None or len(case.new) > 1 or (case.change.operation is Operation.REPLACE and not case.new):
        raise InDoubtError("not-understood")
    if case.change.operation is Operation.INSERT or case.order.beyond:
        raise InDoubtError("not-understood", case.order.beyond)
    if not case.where.certain:
        raise InDoubtError(case.where.reason, case.where.about)
    found = verbatim(case.old, case.place.slots)
    if not found:
        raise InDoubtError("old-text-not-found", _short(case.old))
    edits: dict[Slot, list[Found]] = {}
    for one in found:
        edits.setdefault(one.slot, []).append(one)
    made = [_changed_often(slot, each, case.new) for slot, each in edits.items()]
    return _applied(case, made, Grade.A if case.place.how != "heading" else Grade.B, "")


def _changed_often(slot: Slot, found: Sequence[Found], new: tuple[Text, ...]) -> Edit:
    text = slot.text
    for one in sorted(found, key=lambda each: -each.start):
        text = _spliced(text, one.start, one.end, _cased(new[0], one.text) if new else EMPTY)
    return edit_of(slot, (text,))


def _cased(new: Text, old: str) -> Text:
    """With a capital where the old word begins a sentence with one."""
    if old[:1].isupper() and new[:1].islower():
        return rich(replace(new.spans[0], text=new.spans[0].text[:1].upper() + new.spans[0].text[1:]), *new.spans[1:])
    return new


# ---------------------------------------------------------------- insert


def _insert(case: Case) -> Verdict:
    if not case.new:
        raise InDoubtError("picture" if case.order.beyond else "no-new-text", case.order.beyond)
    if not case.order.known:
        raise InDoubtError("language")
    if present := _present(case):
        return present
    places = [(name, at) for name, at in case.order.where if name != "everywhere"]
    if len(places) != 1:
        raise InDoubtError("not-understood")
    name, at = places[0]
    if case.order.anchors or case.old is not None:
        return _beside_quoted(case, name)
    _understood(case)
    container = next((piece for piece in case.order.pieces if piece.at >= at), None)
    things = [piece for piece in case.order.pieces if piece is not container and not piece.ordinal]
    if any(piece.ordinal for piece in case.order.pieces if piece is not container and piece.at < at):
        raise InDoubtError("not-understood")
    if name in ("after", "before"):
        return _beside_piece(case, name, container)
    return _at_the_edge(case, name, container, things)


def _beside_quoted(case: Case, name: str) -> Verdict:
    """Words after or before quoted ones."""
    anchors = [case.old] if case.old is not None else [rich(str(each)) for each in case.order.anchors]
    if name not in ("after", "before") or len(anchors) != 1 or len(case.new) != 1 or case.order.beyond:
        raise InDoubtError("not-understood")
    found = verbatim(anchors[0], case.place.slots)
    if not found:
        raise InDoubtError("old-text-not-found", _short(anchors[0]))
    if len(found) > 1:
        found = _narrowed(case, found)
    elif not _agrees(case, found[0]):
        raise InDoubtError("which-one")
    one = found[0]
    if not one.exact:  # before a word that opens a sentence, another must open it
        raise InDoubtError("letters-differ")
    at = one.end if name == "after" else one.start
    if sentences(case.new[0]) and _is_sentence(case.new[0]) and not _is_edge(one.slot.text, at, name):
        raise InDoubtError("which-one")
    grade, reason = _grade(case, anchors[0], exact=one.exact)
    return _applied(case, (_inserted(one.slot, at, case.new[0], after=name == "after"),), grade, reason)


def _is_sentence(text: str) -> bool:
    return text[:1].isupper() and text.rstrip('»”"’ ')[-1:] in ".!?"


def _is_edge(text: str, at: int, name: str) -> bool:
    """Whether a sentence ends, or begins, there."""
    behind = text[:at].rstrip(' »”"’')
    return not behind or behind[-1:] in ".!?:" if name == "before" else behind[-1:] in ".!?" or not text[at:].strip()


def _beside_piece(case: Case, name: str, piece: Piece | None) -> Verdict:
    if piece is None or piece.kind not in ("paragraph", "item", "step", "sentence") or not piece.ordinal:
        raise InDoubtError("not-understood")
    pieces = [each for each in case.order.only("paragraph", "item", "step", "sentence") if each.ordinal]
    chosen = _chosen(case, pieces)
    slot = chosen.slots[0]
    if chosen.end is not None:
        at = chosen.end if name == "after" else chosen.start
        return _applied(case, (_inserted(slot, at, _run_on(case.new), after=name == "after"),), Grade.B, "counted")
    if slot.field in FEW:
        raise InDoubtError("which-one")
    new = _as_items(case.new, slot) if piece.kind in ("item", "step") else case.new
    return _applied(case, (insertion(slot, new, before=name == "before"),), Grade.B, "counted")


def _at_the_edge(case: Case, name: str, container: Piece | None, things: Sequence[Piece]) -> Verdict:
    """At the end or the start of a rule, a list, a paragraph."""
    kind = container.kind if container else "whole"
    if kind in ("title", "table", "word"):
        raise InDoubtError("not-understood")
    if kind == "list":
        items = only_list(case.place.slots)
        slot = items[-1] if name == "end" else items[0]
        return _applied(case, (insertion(slot, _as_items(case.new, slot), before=name == "start"),), Grade.B, "counted")
    if kind == "whole":
        return _at_the_edge_of_all(case, name, things)
    assert container is not None
    pieces = [each for each in case.order.only("paragraph", "item", "step", "sentence") if each.at >= container.at
              and (each.ordinal or each is container)]  # fmt: skip
    chosen = _chosen(case, pieces)
    slot = chosen.slots[0]
    end = len(slot.text.rstrip()) if chosen.end is None else chosen.end
    at = end if name == "end" else chosen.start
    return _applied(case, (_inserted(slot, at, _run_on(case.new), after=name == "end"),), Grade.B, "counted")


def _at_the_edge_of_all(case: Case, name: str, things: Sequence[Piece]) -> Verdict:
    _one_rule(case)
    slot = case.place.slots[-1 if name == "end" else 0]
    sentence = any(piece.kind == "sentence" for piece in things) and not is_item(slot)
    if sentence or case.place.how == "lead" or slot.field in FEW:
        at = len(slot.text.rstrip()) if name == "end" else _lead_end(case, slot) if case.place.how == "lead" else 0
        return _applied(case, (_inserted(slot, at, _run_on(case.new), after=name == "end"),), Grade.B, "counted")
    new = _as_items(case.new, slot) if any(piece.kind == "item" for piece in things) else case.new
    return _applied(case, (insertion(slot, new, before=name == "start"),), Grade.B, "counted")


def _run_on(new: Sequence[Text]) -> Text:
    if len(new) != 1:
        raise InDoubtError("not-understood")
    return new[0]


def _as_items(new: Sequence[Text], beside: Slot) -> tuple[Text, ...]:
    """Items with the point that their neighbours have."""
    point = "• " if beside.text.startswith("• ") else ""
    return tuple(
        rich(point, each, level=beside.text.level) if point and not is_item(_loose(each)) else each for each in new
    )


def _loose(text: Text) -> Slot:
    return Slot(entry=0, field="", at=0, text=text)


# ---------------------------------------------------------------- delete


def _delete(case: Case) -> Verdict:
    quoted = case.old or (rich(str(case.order.anchors[0])) if len(case.order.anchors) == 1 else None)
    if quoted is not None:
        held = replace(case, old=quoted, order=replace(case.order, anchors=()))
        if any(name in ("after", "before") for name, _ in case.order.where) and case.old is None:
            raise InDoubtError("not-understood")
        return _quoted(held, quoted)
    _understood(case)
    if case.new:
        raise InDoubtError("not-understood")
    pieces = case.order.only("paragraph", "item", "step", "sentence", "word")
    if pieces:
        return _applied(case, _put(_chosen(case, pieces), ()), Grade.B, "inferred")
    if not case.order.only("whole"):
        raise InDoubtError("not-understood")
    _one_rule(case)
    slots = case.place.slots
    if slots[0].field in FEW or case.place.how == "lead":
        return _applied(case, tuple(_emptied(slot) for slot in slots), Grade.B, "inferred")
    return _applied(case, (replace(edit_of(slots[0], ()), old=tuple(s.text for s in slots)),), Grade.B, "inferred")


def _emptied(slot: Slot) -> Edit:
    return edit_of(slot, (EMPTY,)) if slot.field in FEW or slot.is_cell else edit_of(slot, ())


# ---------------------------------------------------------------- what they share


def _applied(case: Case, edits: Sequence[Edit], grade: Grade, reason: str) -> Verdict:
    held = tuple(edit for edit in edits if edit.old != edit.new)
    if not held:
        return Verdict(
            grade=Grade.A, outcome=Outcome.PRESENT, reason="says-so", passage=edits[0].entry if edits else None
        )
    return Verdict(grade=grade, outcome=Outcome.APPLIED, reason=reason, edits=held)


def _present(case: Case) -> Verdict | None:
    """The passage has the new text already."""
    if len(words(" ".join(case.new))) < PRESENT_LEAST:
        return None
    there = holds(case.new, case.place.slots)
    sure = case.where.certain or len(words(" ".join(case.new))) > UNNAMED_LEAST
    if not there or not sure:
        return None
    made = _as_it_is(Grade.A, there[0].slot, there[0].start, there[0].end)
    return replace(made, seen=tuple(_seen(each.slot, each.start, each.end) for each in there))


def _as_it_is(grade: Grade, slot: Slot, start: int, end: int) -> Verdict:
    """The rulebook says so already; nothing is changed."""
    return Verdict(grade=grade, outcome=Outcome.PRESENT, reason="says-so", passage=slot.entry,
                   seen=(_seen(slot, start, end),))  # fmt: skip


def _seen(slot: Slot, start: int, end: int) -> Edit:
    return edit_of(slot, (rich(cut(slot.text, 0, start), cut(slot.text, end)),))


def _understood(case: Case) -> None:
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


def _one_rule(case: Case) -> None:
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


def _chosen(case: Case, pieces: Sequence[Piece]) -> Chosen:
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
    if _said(chosen) == _said(printed):
        return chosen
    same = len(before) == len(case.place.slots) and [s.at for s in chosen.slots] == [s.at for s in printed.slots]
    if not same or sentences(chosen.slots[0].text) != sentences(printed.slots[0].text):
        raise CannotCountError("counted-otherwise")
    return chosen


def _as_printed(case: Case) -> tuple[Slot, ...]:
    """The passage before any erratum."""
    [n] = case.place.entries
    held = real(slots(case.printed.document.entries[n], n))
    if case.place.how == "lead":
        return tuple(slot for slot in held if lead(slot) and fold(lead(slot)) == fold(lead(case.place.slots[0])))
    skipped = case.place.slots[0].at
    return tuple(slot for slot in held if slot.at >= skipped) if case.place.name and _headless(case, n) else held


def _headless(case: Case, n: int) -> bool:
    return not str(getattr(case.shelf.document.entries[n], "title", "x") or "")


def _said(chosen: Chosen) -> list[str]:
    return [str(slot.text)[chosen.start : chosen.end] for slot in chosen.slots]


def _nothing_fits_better(case: Case, pieces: Sequence[Piece], chosen: Chosen) -> None:
    """A new text is mostly like the one it replaces: where it is like another piece, that one may be meant."""
    new = " ".join(case.new)
    mine = max(similarity(new, text) for text in _said(chosen))
    others = [slot for slot in case.place.slots if slot not in chosen.slots]
    best = max((similarity(new, slot.text) for slot in others), default=0.0)
    if best > LIKE and best > mine + BETTER:
        raise InDoubtError("another-fits-better")


def _put(chosen: Chosen, new: Sequence[Text]) -> tuple[Edit, ...]:
    """Other words, or paragraphs, in the place of a piece; of a list's item the mark stays."""
    slot = chosen.slots[0]
    if chosen.end is not None:
        return (_changed(slot, chosen.start, chosen.end, new),)
    if not new:
        return tuple(_emptied(each) for each in chosen.slots)
    return (edit_of(slot, _as_items(new, slot)),)


def _changed(slot: Slot, start: int, end: int, new: Sequence[Text]) -> Edit:
    if len(new) > 1:
        if start or end < len(slot.text.rstrip()) or slot.field in FEW or slot.is_cell:
            raise InDoubtError("not-understood")
        return edit_of(slot, new)
    if not new and start == 0 and end >= len(slot.text.rstrip()):
        return _emptied(slot)
    return edit_of(slot, (_spliced(slot.text, start, end, new[0] if new else EMPTY),))


def _spliced(text: Text, start: int, end: int, new: Text) -> Text:
    """``text`` with other words from ``start`` to ``end``, in the style of those; no double space is left."""
    before, gone, after = cut(text, 0, start), cut(text, start, end), cut(text, end)
    if not new:
        if after[:1].isspace() or after[:1] in ",.;:!?)" or not before:
            loose = len(before) - len(before.rstrip()) if after[:1] in ",.;:!?)" or after[:1].isspace() else 0
            before = cut(before, 0, len(before) - loose)
        after = after if before else trim(after)
        return rich(before, after, level=text.level)
    if gone[-1:] in ".!?" and new[-1:] in ".!?" and after[:1] in ".!?":
        after = cut(after, 1)
    return rich(before, _styled(new, gone), after, level=text.level)


def _styled(new: Text, like: Text) -> Text:
    """Words without a style of their own take that of the words they replace."""
    spoken = [span for span in like.spans if span.text.strip() and not span.icon]
    if not spoken or any(span.bold or span.italic for span in new.spans):
        return new
    bold, italic = all(span.bold for span in spoken), all(span.italic for span in spoken)
    return rich(*(replace(span, bold=bold, italic=italic) for span in new.spans))


def _inserted(slot: Slot, at: int, new: Text, *, after: bool) -> Edit:
    before, behind = cut(slot.text, 0, at), cut(slot.text, at)
    left = "" if not before or before[-1:].isspace() else " "
    right = "" if not behind or behind[:1].isspace() or behind[:1] in ",.;:!?)" else " "
    return edit_of(slot, (rich(before, left, new, right, behind, level=slot.text.level),))


def _short(text: str) -> str:
    said = even(text)
    return said if len(said) <= 60 else said[:60].rpartition(" ")[0] + " …"
