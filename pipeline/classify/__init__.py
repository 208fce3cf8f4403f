"""Blocks -> entries: what each block is, by its words and its style; no coordinates.

colours        which colour means "new"; the coloured words are marked
signs          what else marks a change: a word, a sign, an underline, a bar
questions      which markers the document uses; blocks are cut at them
labels         what each block is: heading, question, answer, erratum, definition, rule, table, body
notes          footnotes, at the end of what has their mark
assemble       what is open takes the paragraphs that follow
identity, ids  who the document is, and names that last
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import get_args

from pipeline.classify import (
    assemble,
    colours,
    definitions,
    errata,
    identity,
    ids,
    labels,
    notes,
    questions,
    rules,
    signs,
)  # fmt: skip
from pipeline.classify.blocks import cut_headings
from pipeline.classify.grammar import Grammar, grammar
from pipeline.classify.labels.facts import find_facts
from pipeline.classify.labels.heads import (
    cut_titled_questions,
    with_named_sections,
    with_underlined_headings,
    without_weak_headings,
)
from pipeline.quick import quick_replace
from pipeline.records import AnyEntry, Block, Document, Erratum, Heading, Structure, Text

__all__ = ["classify"]


def classify(structure: Structure) -> Document:
    """The typed entries of a document in reading order; every block is in an entry or is a heading."""
    words = grammar(structure.language)
    marks = colours.find_marks(structure, words)
    blocks, footnotes = notes.apart(colours.marked(structure.blocks, marks))
    blocks = signs.signed(blocks, signs.find_signs(blocks, words), words)
    words = rules.with_habits(blocks, words)
    blocks = definitions.with_alphabet(_mended(blocks, words), structure.body_size)
    markers = questions.find_marks(blocks, words)
    if not markers.any and (own := questions.own_markers(blocks, words)):
        words, markers = own, questions.find_marks(blocks, own)
    blocks = list(questions.cut_at_markers(blocks, markers, words)) if markers.any else questions.cut_answers(blocks)
    blocks = rules.cut_at_lines(errata.cut_at_lines(blocks, words), words)
    who = identity.identify(structure, words)
    blocks, heads = identity.without_running_head(blocks, who, structure.body_size, words)
    facts = find_facts(blocks, markers, words, who, structure.body_size, structure.body_colour)
    blocks = without_weak_headings(blocks, facts, structure.body_size, structure.body_colour)
    parts = notes.back(labels.label(blocks, facts, words), footnotes)
    made = assemble.assemble(parts, words, who.front, who.game or "")
    told = [ids.words_of(entry) for entry in made.entries]
    named = zip(made.entries, told, ids.ids_of(made.entries, told), strict=True)
    entries = tuple([_finish(entry, said, name, structure, words) for entry, said, name in named])
    return Document(
        source=structure.source, sha256=structure.sha256, pages=structure.pages, title=who.title, game=who.game,
        version=who.version, date=who.date, language=structure.language, publisher=who.publisher,
        change_colours=marks.colours, entries=entries, headings=made.headings,
        furniture=_furniture(structure.furniture + heads) + made.furniture,
        words=structure.words, hidden=structure.hidden, joins=len(structure.joins), columns=structure.columns,
        findings=structure.findings + made.findings,
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


def _finish(entry: AnyEntry, told: tuple[Text | str, ...], name: str, structure: Structure, words: Grammar) -> AnyEntry:
    """What every entry has: its id, its source, its language, its coloured words, its references."""
    texts = [text for text in told if isinstance(text, Text)]
    changed = colours.changed_words(_printed_once(entry) if isinstance(entry, Erratum) else texts)
    return _with[type(entry)](
        entry, id=name, source=structure.source, language=structure.language, changed=bool(changed),
        changed_text=changed, see=rules.references(texts, words),
    )  # fmt: skip
