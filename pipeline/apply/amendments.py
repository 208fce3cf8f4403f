"""One change of an erratum, and the passage it speaks of -> edits with their grade, or the reason why there are none.

A wrong application is the worst result there is: each function here gives up at the first doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.apply import values
from pipeline.apply.case import (
    Case,
    Grading,
    InDoubtError,
    already,
    applied,
    as_it_is,
    be_one_rule,
    be_understood,
    count_out,
    said_by,
)
from pipeline.apply.counted_pieces import CannotCountError, CountedPiece, is_item, only_list
from pipeline.apply.instructions import Piece, ends_with_quotation, order
from pipeline.apply.passages import Passage, Rulebook, lead
from pipeline.apply.quote_search import elided, similarity, undotted, unquoted, unquoted_all
from pipeline.apply.quoting_changes import at_every_place, beside_quotation, by_quotation, is_bare
from pipeline.apply.slots import FEW, Slot, edit_of, insertion, pages_of
from pipeline.apply.splice import as_items, changed, emptied, inserted, put_in, run_on
from pipeline.apply.target_search import Where, named
from pipeline.records import Change, Erratum, Grade, Operation, Span, Text
from pipeline.text import cut, fold, rich

BETTER = 0.25  # more like the new text than the chosen piece: then another one is meant
LIKE = 0.5  # and so much like it


def amend(shelf: Rulebook, printed: Rulebook, erratum: Erratum, change: Change, where: Where, language: str) -> Grading:
    """The edits of one change; ``where`` is the place of its erratum."""
    refused = Grading(passage=where.passage, sheet=where.sheets[0] if where.sheets else None)
    try:
        if change.operation is Operation.CLARIFY:
            raise InDoubtError("clarifies")
        if where.place is None:
            raise InDoubtError(where.reason, where.about)
        case = _case(shelf, printed, erratum, change, where, where.place, language)
        grading = _decide(case)
    except InDoubtError as doubt:
        return replace(refused, reason=doubt.reason, about=doubt.about)
    except CannotCountError as doubt:
        return replace(refused, reason=doubt.reason)
    return _located(grading, shelf, where)


def _located(grading: Grading, shelf: Rulebook, where: Where) -> Grading:
    entry = grading.edits[0].entry if grading.edits else grading.passage
    sheets = list(pages_of(shelf.document.entries[entry])) if entry is not None else []
    sheet = next((each for each in where.sheets if each in sheets), sheets[0] if sheets else None)
    return replace(grading, passage=entry, sheet=sheet)


def _case(
    shelf: Rulebook, printed: Rulebook, erratum: Erratum, change: Change, where: Where, place: Passage, language: str
) -> Case:
    target, piece = named(erratum, language)
    narrowed = replace(change, instruction=rich(change.instruction, f", {piece}")) if piece else change
    order_of = order(narrowed, target, language)
    if order_of.condition:
        raise InDoubtError("conditional", order_of.condition)
    old = unquoted(change.old) if change.old else None
    new = tuple(_plain(text) for text in unquoted_all(change.new))
    old, new = _without_dots(old, new)
    return Case(shelf=shelf, printed=printed, where=where, place=place, change=change, order=order_of, old=old, new=new,
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


def _decide(case: Case) -> Grading:
    if case.order.says("everywhere"):
        return at_every_place(case)
    if case.change.operation is Operation.REPLACE:
        return _replace(case)
    if case.change.operation is Operation.INSERT:
        return _insert(case)
    return _delete(case)


def _replace(case: Case) -> Grading:
    if grading := _value(case):
        return grading
    if case.old is not None:
        if is_bare(case, case.old):
            raise InDoubtError("which-one")
        return by_quotation(case, case.old)
    if not case.new:
        raise InDoubtError("picture" if case.order.beyond else "no-new-text", case.order.beyond)
    be_understood(case)
    if not ends_with_quotation(str(case.change.instruction)) or any(text[:1] in "«“„" for text in case.new):
        raise InDoubtError("not-understood")  # what is quoted may be the old text
    if present := already(case):
        return present
    pieces = case.order.only("paragraph", "item", "step", "sentence", "word")
    if not pieces:
        return _whole(case)
    chosen = count_out(case, pieces)
    _nothing_fits_better(case, pieces, chosen)
    return applied(put_in(chosen, case.new), Grade.B, "inferred")


def _whole(case: Case) -> Grading:
    """The whole text of a rule."""
    if not case.order.only("whole") and len(case.place.slots) != 1:
        raise InDoubtError("which-one")
    be_one_rule(case)
    slots = case.place.slots
    if case.place.how == "lead":
        return applied(put_in(CountedPiece(slots=slots, start=_lead_end(slots[0]), end=len(slots[0].text)),
                                   _without_name(case, case.new)), Grade.B, "inferred")  # fmt: skip
    if [slot.at for slot in slots] != list(range(slots[0].at, slots[0].at + len(slots))):
        raise InDoubtError("broken-paragraphs")
    new = _without_name(case, case.new)
    first = slots[0]
    if first.field in FEW:
        new = (rich(*[part for text in new for part in (text, " ")][:-1]),)
    return applied((replace(edit_of(first, new), old=tuple(slot.text for slot in slots)),), Grade.B, "inferred")


def _without_name(case: Case, new: tuple[Text, ...]) -> tuple[Text, ...]:
    """A new text without the name of the rule that opens it: the heading says it."""
    opened = lead(Slot(entry=0, field="", at=0, text=new[0]))
    if opened and fold(opened) == fold(case.place.name):
        behind = str(new[0])[len(opened) :]
        return (cut(new[0], len(opened) + len(behind) - len(behind.lstrip(" .:–—-"))), *new[1:])
    if len(new) > 1 and fold(new[0]).strip(" .:") == fold(case.place.name):
        return new[1:]
    return new


def _lead_end(slot: Slot) -> int:
    """Where the text begins behind the words that open a paragraph as its heading."""
    opened = len(lead(slot))
    behind = str(slot.text)[opened:]
    return opened + len(behind) - len(behind.lstrip(" .:–—-"))


def _value(case: Case) -> Grading | None:
    """A value that is named: of a row and a column, or behind a label."""
    if case.order.beyond or case.order.anchors or not case.where.certain:
        return None
    entries = [
        (case.shelf.document.entries[n], tuple(slot for slot in case.place.slots if slot.entry == n))
        for n in case.place.entries
    ]
    value = values.value(str(case.change.instruction), case.target, case.language, entries)
    if value is None:
        return None
    if case.new and (len(case.new) > 1 or fold(value.new) not in fold(case.new[0])):
        return None
    bounded = case.place.exact or case.place.how == "section"
    if value.same:
        return as_it_is(Grade.A if bounded else Grade.B, value.slot, value.start, value.end)
    if not bounded and not value.told:
        raise InDoubtError("no-bounds", case.target)
    edit = changed(value.slot, value.start, value.end, (rich(value.new),))
    return applied((edit,), Grade.A if value.told else Grade.B, "" if value.told else "inferred")


def _insert(case: Case) -> Grading:
    if not case.new:
        raise InDoubtError("picture" if case.order.beyond else "no-new-text", case.order.beyond)
    if not case.order.known:
        raise InDoubtError("language")
    if present := already(case):
        return present
    places = [(name, at) for name, at in case.order.where if name != "everywhere"]
    if len(places) != 1:
        raise InDoubtError("not-understood")
    name, at = places[0]
    if case.order.anchors or case.old is not None:
        return beside_quotation(case, name)
    be_understood(case)
    container = next((piece for piece in case.order.pieces if piece.at >= at), None)
    things = [piece for piece in case.order.pieces if piece is not container and not piece.ordinal]
    if any(piece.ordinal for piece in case.order.pieces if piece is not container and piece.at < at):
        raise InDoubtError("not-understood")
    if name in ("after", "before"):
        return _beside_piece(case, name, container)
    return _at_the_edge(case, name, container, things)


def _beside_piece(case: Case, name: str, piece: Piece | None) -> Grading:
    if piece is None or piece.kind not in ("paragraph", "item", "step", "sentence") or not piece.ordinal:
        raise InDoubtError("not-understood")
    pieces = [each for each in case.order.only("paragraph", "item", "step", "sentence") if each.ordinal]
    chosen = count_out(case, pieces)
    slot = chosen.slots[0]
    if chosen.end is not None:
        at = chosen.end if name == "after" else chosen.start
        return applied((inserted(slot, at, run_on(case.new)),), Grade.B, "counted")
    if slot.field in FEW:
        raise InDoubtError("which-one")
    new = as_items(case.new, slot) if piece.kind in ("item", "step") else case.new
    return applied((insertion(slot, new, before=name == "before"),), Grade.B, "counted")


def _at_the_edge(case: Case, name: str, container: Piece | None, things: Sequence[Piece]) -> Grading:
    """At the end or the start of a rule, a list, a paragraph."""
    kind = container.kind if container else "whole"
    if kind in ("title", "table", "word"):
        raise InDoubtError("not-understood")
    if kind == "list":
        items = only_list(case.place.slots)
        slot = items[-1] if name == "end" else items[0]
        return applied((insertion(slot, as_items(case.new, slot), before=name == "start"),), Grade.B, "counted")
    if kind == "whole":
        return _at_the_edge_of_all(case, name, things)
    assert container is not None
    pieces = [each for each in case.order.only("paragraph", "item", "step", "sentence") if each.at >= container.at
              and (each.ordinal or each is container)]  # fmt: skip
    chosen = count_out(case, pieces)
    slot = chosen.slots[0]
    end = len(slot.text.rstrip()) if chosen.end is None else chosen.end
    at = end if name == "end" else chosen.start
    return applied((inserted(slot, at, run_on(case.new)),), Grade.B, "counted")


def _at_the_edge_of_all(case: Case, name: str, things: Sequence[Piece]) -> Grading:
    be_one_rule(case)
    slot = case.place.slots[-1 if name == "end" else 0]
    sentence = any(piece.kind == "sentence" for piece in things) and not is_item(slot)
    if sentence or case.place.how == "lead" or slot.field in FEW:
        at = len(slot.text.rstrip()) if name == "end" else _lead_end(slot) if case.place.how == "lead" else 0
        return applied((inserted(slot, at, run_on(case.new)),), Grade.B, "counted")
    new = as_items(case.new, slot) if any(piece.kind == "item" for piece in things) else case.new
    return applied((insertion(slot, new, before=name == "start"),), Grade.B, "counted")


def _delete(case: Case) -> Grading:
    quoted = case.old or (rich(str(case.order.anchors[0])) if len(case.order.anchors) == 1 else None)
    if quoted is not None:
        by_quotation_only = replace(case, old=quoted, order=replace(case.order, anchors=()))
        if any(name in ("after", "before") for name, _ in case.order.where) and case.old is None:
            raise InDoubtError("not-understood")
        return by_quotation(by_quotation_only, quoted)
    be_understood(case)
    if case.new:
        raise InDoubtError("not-understood")
    pieces = case.order.only("paragraph", "item", "step", "sentence", "word")
    if pieces:
        return applied(put_in(count_out(case, pieces), ()), Grade.B, "inferred")
    if not case.order.only("whole"):
        raise InDoubtError("not-understood")
    be_one_rule(case)
    slots = case.place.slots
    if slots[0].field in FEW or case.place.how == "lead":
        return applied(tuple(emptied(slot) for slot in slots), Grade.B, "inferred")
    return applied((replace(edit_of(slots[0], ()), old=tuple(s.text for s in slots)),), Grade.B, "inferred")


def _nothing_fits_better(case: Case, pieces: Sequence[Piece], chosen: CountedPiece) -> None:
    """A new text is mostly like the one it replaces: where it is like another piece, that one may be meant."""
    new = " ".join(case.new)
    mine = max(similarity(new, text) for text in said_by(chosen))
    others = [slot for slot in case.place.slots if slot not in chosen.slots]
    best = max((similarity(new, slot.text) for slot in others), default=0.0)
    if best > LIKE and best > mine + BETTER:
        raise InDoubtError("another-fits-better")
