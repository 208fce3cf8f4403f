"""Blocks -> entries: what each block is, by its words, its style and its place among the others.

colours        which colour means "new"; the coloured words are marked
signs          what else marks a change: a word, a sign, an underline, a bar
questions      which markers the document uses; blocks are cut at them
identity       the title, game, version, date and publisher of the document
evidence       what can be known of each block: look, number, bookmark, contents line; decides nothing
outline        which blocks are heads and how deep they stand:
  heads        which blocks look like heads
  numbers      which numbers count, and which only name something
  ranks        which looks of heads stand over which: one level for each look of the document
  tree         which head stands under which, by the levels of their looks and by their numbers
labels         what each block is: heading, question, answer, erratum, definition, rule, table, body
  terms        lists of terms, section by section
  definitions, rules, errata   how each of these is worded and set
notes          footnotes and labels are taken out first, and put behind what they belong to
assemble       blocks -> entries: an entry that has begun takes the paragraphs that follow
struck         words that were struck out are kept apart from the text in force
ids            names of entries, the same while their words are the same

grammar holds the words of the language as patterns; blocks cuts and joins blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import get_args

from pipeline.classify import (
    assemble,
    colours,
    definitions,
    errata,
    evidence,
    identity,
    ids,
    labels,
    notes,
    outline,
    questions,
    rules,
    signs,
    struck,
)  # fmt: skip
from pipeline.classify.blocks import cut_headings
from pipeline.classify.grammar import Grammar, grammar
from pipeline.classify.identity import is_front
from pipeline.classify.labels.facts import find_facts
from pipeline.classify.labels.false_headings import (
    cut_titled_questions,
    with_named_sections,
    with_underlined_headings,
)
from pipeline.language import common
from pipeline.quick import quick_replace
from pipeline.records import AnyEntry, Block, Document, Erratum, Heading, Structure, Text

__all__ = ["classify"]


def classify(structure: Structure) -> Document:
    """The typed entries of a document in reading order; every block is in an entry or is a heading."""
    words = grammar(structure.language)
    marks = colours.find_colours(structure, words)
    blocks, footnotes = notes.apart(colours.marked(structure.blocks, marks))
    blocks = signs.signed(blocks, signs.find_signs(blocks, words), words)
    blocks = evidence.with_costs(evidence.with_side_heads(evidence.with_badges(blocks)))
    blocks = evidence.with_own_bullets(blocks, common(structure.language).letters)
    words = rules.with_habits(blocks, words)
    blocks = definitions.with_alphabet(_mended(blocks, words), structure.body_size)
    markers = questions.find_markers(blocks, words)
    if not markers.any and (own := questions.own_markers(blocks, words)):
        words, markers = own, questions.find_markers(blocks, own)
    blocks = list(questions.cut_at_markers(blocks, markers, words)) if markers.any else questions.cut_answers(blocks)
    blocks = evidence.cut_at_keys(blocks)
    blocks = outline.cut_at_numbers(rules.cut_at_lines(errata.cut_at_lines(blocks, words), words), words)
    who = identity.identify(structure, words)
    blocks, heads = identity.without_running_head(blocks, who, structure.body_size, words)
    known = evidence.gather(blocks, structure, markers, words)
    front = {each.at for each in known if is_front(each.block, who.front)}
    names = [name for name in (who.title, who.game) if name]
    plan = outline.outline(known, front, names, [(str(block.text), block.page) for block in structure.furniture], words)
    blocks = plan.blocks
    facts = find_facts(blocks, markers, words, who, structure.body_size, structure.body_colour, plan)
    parts = notes.back(labels.label(blocks, facts, words, plan), footnotes)
    assembled = assemble.assemble(parts, words, plan, who.game or "")
    cut_out = any(span.struck for block in structure.blocks for span in block.text.spans)
    unfinished = struck.apart(assembled.entries) if cut_out else assembled.entries
    doubts = assemble.unsure(assembled.reasons, {each.addresses[0]: each.page for each in unfinished if each.addresses})
    wordings = [ids.words_of(entry) for entry in unfinished]
    named = zip(unfinished, wordings, ids.ids_of(unfinished, wordings), strict=True)
    entries = tuple([_finish(entry, wording, name, structure, words) for entry, wording, name in named])
    return Document(
        source=structure.source, sha256=structure.sha256, pages=structure.pages, title=who.title, game=who.game,
        version=who.version, date=who.date, language=structure.language, publisher=who.publisher,
        change_colours=marks.colours, entries=entries, headings=assembled.headings,
        furniture=_furniture(structure.furniture + heads + plan.furniture) + assembled.furniture,
        words=structure.words, hidden=structure.hidden, joins=len(structure.joins), columns=structure.columns,
        icons=structure.icons,
        findings=structure.findings + marks.findings + assembled.findings + doubts, reasons=assembled.reasons,
    )  # fmt: skip


def _mended(blocks: Sequence[Block], words: Grammar) -> list[Block]:
    """Blocks whose shape misled: tables over a page break, "§ 4" as a bullet, a term as a heading, "FAQ" as a text."""
    whole = list(rules.with_section_signs(list(blocks)))
    terms = list(definitions.join_split_terms(whole, words))
    lined = with_underlined_headings(terms)
    headed = rules.join_numbers(cut_headings(with_named_sections(lined, words)), words)
    return cut_titled_questions(headed)


def _furniture(blocks: Iterable[Block]) -> tuple[Heading, ...]:
    return tuple(Heading(text=b.text, level=0, page=b.page, addresses=b.addresses) for b in blocks)


_FINISHED = ("id", "source", "language", "changed", "changed_text", "see")
_with: dict[type[AnyEntry], Callable[..., AnyEntry]] = {
    kind: quick_replace(kind, *_FINISHED) for kind in get_args(AnyEntry)
}


def _printed_once(entry: Erratum) -> Iterator[Text]:
    """The texts of an erratum; what its instruction quotes is printed there."""
    yield entry.target
    for change in entry.changes:
        yield change.instruction
        yield from (text for text in (change.old, *change.new) if text and text not in change.instruction)


def _finish(
    entry: AnyEntry, wording: tuple[Text | str, ...], name: str, structure: Structure, words: Grammar
) -> AnyEntry:
    """What every entry has: its id, its source, its language, its coloured words, its references."""
    texts = [text for text in wording if isinstance(text, Text)]
    changed = colours.changed_words(_printed_once(entry) if isinstance(entry, Erratum) else texts)
    return _with[type(entry)](
        entry, id=name, source=structure.source, language=structure.language, changed=bool(changed),
        changed_text=changed, see=rules.references(texts, words),
    )  # fmt: skip
