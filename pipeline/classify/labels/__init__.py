"""What each block is, one after the other: the signs that assembling needs. Words and style, no coordinates.

facts            what the document does again and again
false_headings   headings that are none, and lines that are headings
state            what is open before a block
question_labels  questions and answers
erratum_labels   errata
rules_and_terms  rules and definitions
table_rows       tables of questions, errata or terms
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pipeline.classify import errata, questions
from pipeline.classify.blocks import is_contents_line, lead
from pipeline.classify.grammar import Grammar
from pipeline.classify.identity import find_date
from pipeline.classify.labels.erratum_labels import erratum
from pipeline.classify.labels.facts import Facts
from pipeline.classify.labels.labelled_blocks import (
    LABEL_WORDS,
    SIGN,
    SMALL_PRINT,
    Part,
    Sign,
    new_part,
    pages_in,
    rest_of,
)
from pipeline.classify.labels.question_labels import marked, unmarked
from pipeline.classify.labels.rules_and_terms import defined, numbered_rule, numbered_term, term_line
from pipeline.classify.labels.state import State
from pipeline.classify.labels.table_rows import table_of_errata, table_of_questions, table_of_terms
from pipeline.classify.outline import Outline
from pipeline.records import Block, Role
from pipeline.text import DIGITS, cut, flat

PULLED = 1.25  # times the body: a sentence that is printed again to catch the eye
SMALLER = 0.95  # times the body: a note under a table
NOTES = frozenset(("*", "**", "†", "‡"))  # before such a note
APART = 1.3  # lines of white above it
PAGELESS = frozenset(".!?:;,»”)")  # behind which no page stands
ARROWS = frozenset("→➔➜►▶➤⇒▸")  # before an answer
SIGNED = 100  # letters of a place and a date
DATED = re.compile(r"([^\d.;:!?,]{2,60}),\s(?:[^\W\d]{1,10}\.?\s){0,2}(?=\d)")


PRICE = 3  # what a convention costs that nothing but its own entries speaks for: fewer are sentences of another


def label(blocks: Sequence[Block], facts: Facts, grammar: Grammar, plan: Outline) -> list[Part]:
    """The parts of a document in order. Where a convention was assumed that hardly anything follows, all is read again
    without it."""
    parts = _labelled(blocks, facts, grammar, plan)
    signs = Counter(map(SIGN, parts))
    titles = [flat(part.block.text) for part in parts if part.sign is Sign.HEADING]
    paid = replace(facts, unasked=not _asking_pays(signs, titles, facts, grammar),
                   unamended=not _amending_pays(parts, titles, facts, grammar))  # fmt: skip
    return _listed_changes(parts if paid == facts else _labelled(blocks, paid, grammar, plan))


CHANGES = 5  # items of a list that amend: so few may be sentences of another
CHANGED = 0.5  # of the items between headings: where more amend, all do


def _listed_changes(parts: Sequence[Part]) -> list[Part]:
    """A list of changes: where most items amend, each that looks like them does, with what is set in under it."""
    items = [part for part in parts if _is_outer_item(part.block)]
    amended = [part for part in items if part.sign is Sign.ERRATUM]
    if len(amended) < max(CHANGES, CHANGED * len(items)) or any(part.sign in _ASKED for part in parts):
        return list(parts)
    looks = {_item_look(part.block) for part in amended}
    relabelled: list[Part] = []
    listed = False
    for part in parts:
        block = part.block
        if block.role is Role.HEADING:
            listed = False
            relabelled.append(new_part(sign=Sign.HEADING, block=block, text=block.text))
        elif _is_outer_item(block) and _item_look(block) in looks:
            listed = True
            relabelled.append(part if part.sign is Sign.ERRATUM else _change(block))
        elif listed and block.role is not Role.TABLE:
            relabelled.append(new_part(sign=Sign.BODY, block=block, text=block.text))
        else:
            relabelled.append(part)
    return relabelled


def _change(block: Block) -> Part:
    """An item that amends; what it begins with in bold is what it amends."""
    end = lead(block.text)
    target = errata.clean_target(cut(block.text, 0, end))
    goes_on = not end or block.text[end:].lstrip()[:1].islower()  # "**E117** is a new rule": the sentence stays whole
    return Part(sign=Sign.ERRATUM, block=block, text=target, rest=block if goes_on else rest_of(block, end))


def _item_look(block: Block) -> tuple[str, bool]:
    return block.marker, bool(lead(block.text))


def _is_outer_item(block: Block) -> bool:
    return block.role is Role.ITEM and not block.level


def _asking_pays(signs: Counter[Sign], titles: Sequence[str], facts: Facts, grammar: Grammar) -> bool:
    """Are there questions enough without a marker, or headings that speak of them?"""
    asked, others = signs[Sign.QUESTION], signs[Sign.RULE] + signs[Sign.DEFINITION] + signs[Sign.HEADING]
    words = tuple(map(flat, grammar.words.question.words))
    named = any(grammar.section_name.search(title) or title.startswith(words) for title in titles)
    return facts.marks.any or not 0 < asked < PRICE or others < PRICE * asked or named


def _amending_pays(parts: Sequence[Part], titles: Sequence[str], facts: Facts, grammar: Grammar) -> bool:
    """Do headings speak of errata, or do enough amendments name a page, or quote what they amend?"""
    amended = [part for part in parts if part.sign is Sign.ERRATUM]
    promised = facts.errata_title or facts.errata_first or any(map(grammar.errata_heading.search, titles))
    if not amended or promised:
        return True
    below = {id(one): two.block.text for one, two in pairwise(parts)}
    amendments = [(part, f"{part.block.text} {below.get(id(part), '')}") for part in amended]
    sure = sum(bool(part.pages or errata.quotations(text)) for part, text in amendments)
    return len(amended) >= PRICE or sure == len(amended)


def _labelled(blocks: Sequence[Block], facts: Facts, grammar: Grammar, plan: Outline) -> list[Part]:
    parts: list[Part] = []
    state = State(in_errata=facts.errata_title or facts.errata_first, in_glossary=facts.glossary_title)
    waiting = False  # a marker stood alone: the next block is the question or answer
    outside, region = state, 0  # what was open before the box that is being read
    for block, following in zip(blocks, [*blocks[1:], None], strict=False):  # without blocks there is one None
        if block.region != region:
            outside, state = (state, state) if not region else (outside, _out_of_box(state, outside, block))
            region = block.region
        own = _label(block, following, facts, state, grammar, plan)
        sign = own[0].sign
        if state.open is Sign.ERRATUM:
            if sign is Sign.HEADING and _is_inner(block, parts, state.above):
                own = [new_part(sign=Sign.BODY, block=replace(block, role=Role.PARAGRAPH, level=0), text=block.text)]
            elif sign is Sign.ERRATUM and _is_awaited(own[0], parts[-1]):
                own = [new_part(sign=Sign.BODY, block=block, text=block.text)]
            elif sign is Sign.BODY and block.bold and _is_next_target(block, following, parts, grammar):
                pages, target = pages_in(block.text, grammar)
                own = [Part(sign=Sign.ERRATUM, block=block, text=target, pages=pages)]
        if waiting and own[0].sign is Sign.BODY:
            previous = parts.pop()
            joined = replace(block, addresses=previous.block.addresses + block.addresses)
            own = [replace(previous, block=joined, text=block.text)]
        if parts and (own[0].sign not in _ASKED or parts[-1].sign is Sign.RULE):
            own = _after_above(parts, own, block, state)
        waiting = not own[-1].text and own[-1].sign in _ASKED and not own[-1].rest
        if len(own) > 1 or own[0].sign is not Sign.BODY:
            state = state.after(own, grammar, facts)
        parts += own
    return _unswapped(parts)


_ASKED = (Sign.QUESTION, Sign.ANSWER)


def _out_of_box(inside: State, outside: State, block: Block) -> State:
    """A list of terms goes on behind a box as it was before, if it is still one."""
    goes_on = not block.region and outside.open is Sign.DEFINITION and inside.in_glossary == outside.in_glossary
    return outside if goes_on and outside.in_list and block.role is Role.ITEM else inside


def _after_above(parts: list[Part], own: list[Part], block: Block, state: State) -> list[Part]:
    """The parts of a block, changed where the part above it says so; the part above may be changed by them, too."""
    above, sign = parts[-1], own[0].sign
    if above.sign is Sign.QUESTION and sign is Sign.BODY and block.marker.strip() in ARROWS:
        return [Part(sign=Sign.ANSWER, block=replace(block, role=Role.PARAGRAPH, marker=""), text=block.text)]
    if above.sign is Sign.HEADING and sign is Sign.BODY and state.in_errata:
        parts[-1] = replace(above, stated=True)
    if sign is Sign.ERRATUM and block.role is Role.TABLE and _introduces(parts[-2:]):
        parts[-2] = Part(sign=Sign.HEADING, block=parts[-2].block, text=parts[-2].block.text)
    return own


def _is_inner(block: Block, parts: Sequence[Part], above: int) -> bool:
    """A heading inside a new text: the instruction has just ended with a colon, or its quotation goes on."""
    at = max(n for n, each in enumerate(parts) if each.sign is Sign.ERRATUM)
    body = [each for each in (parts[at].rest, *(each.block for each in parts[at + 1 :])) if each is not None]
    if not body or (block.level <= above and not block.region):
        return False
    return body[-1].text.rstrip().endswith(":") or (block.level >= parts[at].level and errata.is_open(body))


def _is_awaited(erratum: Part, above: Part) -> bool:
    """What stands straight under a page and its target, or what an instruction has announced with a colon, belongs
    to it, though it begins like another amendment.
    """
    plain = not erratum.pages and (erratum.block.region or (not erratum.level and not erratum.block.bold))
    headed = above.sign is Sign.ERRATUM and above.rest is None and bool(above.pages and above.text)
    headed = headed and not lead(erratum.block.text)
    return bool(plain) and (headed or (above.rest or above.block).text.rstrip().endswith(":"))


def _is_next_target(block: Block, following: Block | None, parts: Sequence[Part], grammar: Grammar) -> bool:
    """A bold paragraph over an instruction, as that of the open amendment is: what the next one amends, however many
    names it has. Not where the text above announces it.
    """
    if following is None or following.bold or {block.role, following.role} != {Role.PARAGRAPH}:
        return False
    opened = next(each for each in reversed(parts) if each.sign is Sign.ERRATUM)
    announced = (parts[-1].rest or parts[-1].block).text.rstrip().endswith(":")
    targeted = opened.block.bold and opened.rest is None and not announced
    return targeted and errata.amends_outright(following.text, grammar)


def _introduces(last: Sequence[Part]) -> bool:
    """A heading and a sentence over a table of amendments: neither amends anything."""
    signs = [part.sign for part in last]
    return signs == [Sign.ERRATUM, Sign.BODY] and bool(last[0].level) and last[0].rest is None


def _unswapped(parts: list[Part]) -> list[Part]:
    """ "A: May I …?" over "Q: No.": letters that were printed the wrong way round."""
    for at in [at for at, part in enumerate(parts[:-1]) if part.sign is Sign.ANSWER]:
        one, other = parts[at : at + 2]
        if other.sign is not Sign.QUESTION or not questions.asks(one.text):
            continue
        if at > 0 and parts[at - 1].sign in (Sign.ANSWER, Sign.BODY) and "?" not in other.text:
            parts[at : at + 2] = [replace(one, sign=Sign.QUESTION), replace(other, sign=Sign.ANSWER)]
    return parts


def _label(
    block: Block, following: Block | None, facts: Facts, state: State, grammar: Grammar, plan: Outline
) -> list[Part]:
    if block.role is Role.TABLE:
        return (
            table_of_errata(block, state, grammar)
            or table_of_questions(block, state, grammar)
            or table_of_terms(block, state, grammar)
            or [Part(sign=Sign.TABLE, block=block)]
        )
    text = block.text
    if text[-1:] not in PAGELESS and is_contents_line(block):
        return [Part(sign=Sign.BODY, block=block)]
    signed = text[-2:-1] in DIGITS and _is_signed(block, following, grammar)  # of a year, before its stop or end
    body = plan.body_size(block) or facts.body_size
    small = block.size < SMALLER * body or "©" in text
    pulled = block.size > PULLED * body and block.role is Role.PARAGRAPH and text[:1] in errata.OPENERS
    printed = small and _is_imprint(block, body) and not questions.marker(text, facts.marks, grammar)
    if signed or pulled or printed:
        return [Part(sign=Sign.BODY, block=block, imprint=True)]
    return (
        marked(block, facts, state, grammar)
        or erratum(block, following, facts, state, grammar)
        or numbered_term(block, facts, state)
        or numbered_rule(block, facts, state, grammar, plan)
        or unmarked(block, following, facts, state, grammar)
        or defined(block, facts, state, grammar)
        or term_line(block, following, facts, state, grammar)
        or [new_part(sign=Sign.HEADING if block.role is Role.HEADING else Sign.BODY, block=block, text=text)]
    )


def _is_imprint(block: Block, body_size: float) -> bool:
    """Small print or a note at the end, set apart from the text above it, or a line of copyright. The small type of a
    card is its own."""
    noted = block.size < SMALLER * body_size and block.marker in NOTES
    small = noted or (block.size < SMALL_PRINT * body_size and block.role is Role.PARAGRAPH and not block.region)
    begins = noted and block.gap == 0.0  # a column or a page: how far it stands from the text above cannot be told
    return (small and (block.gap >= APART or block.centred or begins)) or (
        "©" in block.text and (block.size < body_size or block.text.lstrip().startswith("©"))
    )


def _is_signed(block: Block, following: Block | None, grammar: Grammar) -> bool:
    """ "Done at Saltmarch, 14 March 2026", with nothing under it but names: the end of what was decided."""
    if len(block.text) > SIGNED or block.role is not Role.PARAGRAPH or not (match := DATED.match(block.text)):
        return False
    dated = find_date(block.text[match.end(1) :], grammar) is not None and block.text.rstrip(" .")[-1:].isdecimal()
    names = following is None or following.role is Role.HEADING or len(following.text.split()) <= LABEL_WORDS
    return dated and names
