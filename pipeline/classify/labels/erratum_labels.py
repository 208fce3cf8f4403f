"""Errata: headed by a page or a target, run in, or loose sentences that amend."""

from __future__ import annotations

import re
from dataclasses import replace

from pipeline.classify import definitions, errata, questions, rules
from pipeline.classify.blocks import is_lead, lead, part
from pipeline.classify.grammar import Grammar
from pipeline.classify.labels.facts import Facts, is_bare_page
from pipeline.classify.labels.labelled_blocks import (
    FEW,
    HEADING_WORDS,
    LABEL_WORDS,
    NAME,
    Part,
    Sign,
    level_of,
    pages_in,
    rest_of,
)
from pipeline.classify.labels.state import State
from pipeline.records import Block, Operation, Role, Text
from pipeline.text import cut, flat

QUOTED_NAME = re.compile(r"[^\W\d_][^:.!?]{1,60}?\s?:\s+(?=\S)")  # "Card “Mirage”: "
NO_NAME = re.compile(r"[:!?«“„\"]")
ARTICLE_REACH = 60  # letters within which a sentence names the rule that it amends


def erratum(block: Block, following: Block | None, facts: Facts, state: State, grammar: Grammar) -> list[Part]:
    """An erratum: headed, with its target in the line, or amending by its words alone."""
    if facts.unamended:
        return []
    apart = block.role is Role.HEADING or block.bold
    if not apart and state.in_errata:
        apart = _ends_with_pages(block, grammar)
        apart = apart or (not state.paged and _is_over_instruction(block, following, grammar))
    bare = facts.bare_pages and state.in_errata and is_bare_page(block, grammar)
    head = errata.page_head(block.text, grammar, loose=apart or bare or (state.in_errata and lead(block.text) > 0))
    if head and _is_head(block, following, head, apart, facts, state, grammar):
        instructed = following is not None and errata.instruction_start(following.text, grammar) is not None
        below = _may_correct(following, grammar)
        end = errata.target_end(block, head.target, grammar, told_below=below, instructed=instructed)
        target = errata.clean_target(cut(block.text, head.target, end))
        rest = rest_of(block, end)
        return [Part(sign=Sign.ERRATUM, block=block, text=target, rest=rest, pages=head.pages, level=level_of(block))]
    if id(block) in facts.targets and following is not None:
        pages, target = pages_in(block.text, grammar)
        return [Part(sign=Sign.ERRATUM, block=block, text=target, pages=pages, level=level_of(block))]
    if apart and following is not None and len(block.text.split()) <= HEADING_WORDS:
        return _headed_erratum(block, following, facts, state, grammar)
    return _loose_erratum(block, facts, state, grammar)


def _headed_erratum(block: Block, following: Block, facts: Facts, state: State, grammar: Grammar) -> list[Part]:
    """A heading (or bold line) that is an instruction, that has pages, or that has an instruction under it."""
    told_below = _is_target(block, following, facts, state, grammar)
    if not state.in_errata and not told_below:
        return []
    if state.in_errata and block.text.rstrip().endswith(":") and errata.instruction_start(block.text, grammar):
        instruction = replace(block, role=Role.PARAGRAPH)
        return [Part(sign=Sign.ERRATUM, block=block, rest=instruction, level=level_of(block))]
    pages, target = pages_in(block.text, grammar)
    paged = bool(pages) and state.in_errata and following.role is not Role.HEADING and not questions.asks(block.text)
    asked = questions.marker(following.text, facts.marks, grammar) is not None
    if told_below or (paged and not asked):
        return [Part(sign=Sign.ERRATUM, block=block, text=target, pages=pages, level=level_of(block))]
    return []


def _ends_with_pages(block: Block, grammar: Grammar) -> bool:
    """ "The ford (p. 12)" or "The ford, page 12", whatever its type."""
    if block.role is not Role.PARAGRAPH or len(block.text.split()) > HEADING_WORDS:
        return False
    return errata.ends_with_page(block.text.rstrip(), grammar) or errata.page_tail(block.text, grammar) is not None


def _is_over_instruction(block: Block, following: Block | None, grammar: Grammar) -> bool:
    """A line that is no sentence, in any type, straight over an instruction."""
    text = block.text.rstrip()
    if following is None or block.role is not Role.PARAGRAPH or not text[:1].isupper() or not text[-1:].isalnum():
        return False
    if len(block.breaks) > 1 or errata.instruction_start(text, grammar) or following.role is Role.HEADING:
        return False
    return len(text.split()) <= HEADING_WORDS and errata.amends_outright(following.text, grammar)


def _may_correct(block: Block | None, grammar: Grammar) -> bool:
    """A plain paragraph that is no head itself."""
    if block is None or block.role is not Role.PARAGRAPH or block.bold:
        return False
    return grammar.page_head.match(flat(block.text)) is None


def _is_head(
    block: Block, following: Block | None, head: errata.Head, apart: bool, facts: Facts, state: State, grammar: Grammar
) -> bool:
    """Pages at the start of a block are a head unless questions follow, or it is a sentence about a page."""
    if following is not None and questions.marker(following.text, facts.marks, grammar):
        return False
    if apart or state.in_errata or _leads(block, head):
        return True
    if following is not None and errata.instruction_start(following.text, grammar) is not None:
        return True
    rest = rest_of(block, errata.target_end(block, head.target, grammar, told_below=False, instructed=False))
    return any(errata.operation_of(text, grammar) is not None for text in (block.text, rest.text if rest else ""))


def _leads(block: Block, head: errata.Head) -> bool:
    """ "**Page 6, Roads:** A road may …": the bold beginning is pages and a target."""
    end = lead(block.text)
    return head.target <= end and is_lead(block.text, end) and not questions.asks(block.text)


def _is_target(block: Block, following: Block, facts: Facts, state: State, grammar: Grammar) -> bool:
    """A heading (or bold line) with an instruction under it, where amendments are expected."""
    known = block.role is Role.HEADING and (block.level == state.amended or block.level in facts.amended_levels)
    expected = state.in_errata or known
    quotes = not expected and _quotes_what_it_amends(following, grammar)
    if not expected and not quotes and not following.text.rstrip().endswith(":"):
        return False
    if following.role in (Role.HEADING, Role.TABLE) or following.bold or questions.asks(block.text):
        return False
    if not known and (_named_item(following, facts, grammar) or _amended(following, grammar)):
        return False  # the heading is a section over amended cards
    if expected and _run_in(following, grammar):
        return False
    if grammar.errata_heading.fullmatch(flat(block.text.strip())) or errata.page_head(following.text, grammar):
        return False
    operation = errata.instruction_start(following.text, grammar)
    short = len(following.text.split()) <= 2 * HEADING_WORDS
    if operation is None and expected and short:
        operation = errata.stated_operation(following.text, grammar)
        if operation is None and grammar.old_label.match(flat(following.text)):  # "Old: …" over "New: …"
            operation = Operation.REPLACE
        if operation is None and following.role is Role.ITEM:  # "• Cost: 3 → 4"
            operation = errata.operation_of(following.text, grammar)
    instructs = errata.instruction_start(block.text, grammar) and block.text.rstrip().endswith((":", "."))
    if operation is None or instructs:
        return False
    return expected or quotes or (short and bool(grammar.announce.search(flat(following.text))))


def _quotes_what_it_amends(block: Block, grammar: Grammar) -> bool:
    """ "Replace ‘A’ with ‘B’.": an amendment wherever it stands."""
    if not errata.QUOTES.search(block.text) or not errata.verb_at(flat(block.text), 0, grammar):
        return False
    return bool(errata.quotations(block.text))


def _loose_erratum(block: Block, facts: Facts, state: State, grammar: Grammar) -> list[Part]:
    """Among errata: "**Robe (p. 96)** – should read …", or an instruction without any head."""
    if facts.amended_terms and state.open is not Sign.QUESTION and (term := definitions.term(block, grammar)):
        pages, _ = pages_in(cut(block.text, 0, term.body), grammar)
        return [Part(sign=Sign.ERRATUM, block=block, text=term.name, rest=rest_of(block, term.body), pages=pages)]
    inside = state.open is Sign.ERRATUM and not state.in_list
    if not state.in_errata or state.open is Sign.QUESTION or (inside and block.role is Role.ITEM):
        return []
    term = definitions.term(block, grammar, loose=True)
    if term and (state.open is not Sign.ERRATUM or term.refs or block.role is Role.ITEM or state.run_in):
        pages, _ = pages_in(cut(block.text, 0, term.body), grammar)
        if pages or errata.operation_of(block.text[term.body :], grammar):
            rest = part(block, term.body) if block.text[term.body :].strip() else None
            return [Part(sign=Sign.ERRATUM, block=block, text=term.name, rest=rest, pages=pages)]
    if begins := _run_in(block, grammar, inside=state.open is Sign.ERRATUM and not state.run_in):
        target = errata.clean_target(cut(block.text, 0, begins))
        return [Part(sign=Sign.ERRATUM, block=block, text=target, rest=rest_of(block, begins))]
    if named := _named_item(block, facts, grammar):
        target = rules.clean_title(cut(block.text, 0, named))
        return [Part(sign=Sign.ERRATUM, block=block, text=target, rest=part(block, named))]
    if state.open is not Sign.ERRATUM and errata.instruction_start(block.text, grammar):
        return [Part(sign=Sign.ERRATUM, block=block, rest=block)]
    beside = state.open is not Sign.ERRATUM or (state.in_list and block.role is Role.ITEM)
    if beside and _amends_an_article(block.text, grammar):
        return [Part(sign=Sign.ERRATUM, block=block, rest=block)]
    return []


def _amends_an_article(text: Text, grammar: Grammar) -> bool:
    """ "In rule 7.2, the words “A” are replaced by “B”.": a sentence that amends, and says which rule."""
    plain = flat(text[:ARTICLE_REACH]).replace(",", " ")
    return grammar.rule_word.search(plain) is not None and errata.operation_of(text, grammar) is not None


def _amended(block: Block, grammar: Grammar) -> definitions.Term | None:
    """ "**Mirage (card 8):** the cost should be 2": what is amended, in bold before it; no piece of a text."""
    term = definitions.term(block, grammar, loose=True) if lead(block.text) else None
    if term is None or grammar.piece.search(flat(term.name)) or grammar.place.search(flat(term.name)):
        return None
    return term if errata.operation_of(block.text[term.body :], grammar) else None


def _run_in(block: Block, grammar: Grammar, *, inside: bool = False) -> int:
    """ "**Robe.** Change to: …", "Robe. Change 3 to 4.": where the head of an amendment ends; 0 when there is none.

    ``inside`` another amendment, whose new text it may be, it must begin with the verb.
    """
    text, end = block.text, lead(block.text)
    if is_lead(text, end) and not text[:end].rstrip().endswith(":"):
        stop = errata.SEPARATOR.match(text, end)
        rest = text[stop.end() if stop else end :]
        instructs = errata.verb_at(flat(rest), 0, grammar) if inside else errata.instruction_start(rest, grammar)
        return end if instructs else 0
    plain = re.search(r"\.\s+", text) if not end and text[:1].isupper() else None
    if plain is None or len(text[: plain.start()].split()) > LABEL_WORDS or NO_NAME.search(text, 0, plain.start()):
        return 0
    return plain.start() if errata.amends_outright(cut(text, plain.end()), grammar) else 0


def _named_item(block: Block, facts: Facts, grammar: Grammar) -> int:
    """ "• Mirage: the cost should be 2, not 3.": where the amendment begins behind what it amends; else 0.

    Without a bullet it takes a name in italics, or a quotation of what is amended.
    """
    item = block.role is Role.ITEM
    name_match = (NAME if item else QUOTED_NAME).match(block.text) if item or block.role is Role.PARAGRAPH else None
    if not name_match or len(name_match[0].split()) > LABEL_WORDS:
        return 0
    named = item or name_match.end() - lead(block.text, "italic") < FEW
    if not named and not errata.quotations(block.text[name_match.end() :]):
        return 0
    name = flat(name_match[0])
    if name in facts.values:
        return 0
    piece = grammar.piece.search(name) and not (named and errata.quotations(name_match[0]))  # a *card “Mirage”* is none
    no_name = piece or grammar.place.search(name) or errata.operation_of(name_match[0], grammar)
    return name_match.end() if not no_name and errata.operation_of(block.text[name_match.end() :], grammar) else 0
