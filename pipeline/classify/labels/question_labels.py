"""Questions and answers, with markers of their own or without."""

from __future__ import annotations

import re
from dataclasses import replace

from pipeline.classify import questions, rules
from pipeline.classify.blocks import part
from pipeline.classify.grammar import Grammar
from pipeline.classify.labels.facts import Facts, asks_in_bold, asks_plainly, plain_number
from pipeline.classify.labels.labelled_blocks import Part, Sign, new_part
from pipeline.classify.labels.state import State
from pipeline.records import Block, Role, Text
from pipeline.text import cut, flat, trim

ASKED = re.compile(r"(?:\?\s+)?")


def marked(block: Block, facts: Facts, state: State, grammar: Grammar) -> list[Part]:
    """A marker of this document; an answer's counts only after a question, a heading "A" is of an alphabet."""
    marker = questions.marker(block.text, facts.marks, grammar)
    if marker is None:
        return []
    which, end = marker
    lone = block.role is Role.HEADING and len(block.text.strip()) == 1
    if lone or (which == "a" and state.open is not Sign.QUESTION):
        return []
    block = replace(block, role=Role.PARAGRAPH, marker="") if block.marker else block  # "1. A: No." is no list item
    return [new_part(sign=Sign.QUESTION if which == "q" else Sign.ANSWER, block=block, text=trim(cut(block.text, end)))]


def unmarked(block: Block, following: Block | None, facts: Facts, state: State, grammar: Grammar) -> list[Part]:
    """Questions without a marker: headings, bold or numbered paragraphs, the bold beginning of a paragraph."""
    if facts.unasked:
        return []
    if block.role is Role.HEADING:
        asking = (questions.asks(block.text) and not facts.marks.any) or id(block) in facts.asking
        asking = asking and not facts.marks.any  # "What's new?" above marked questions is a heading
        asking = asking and (id(block) in facts.asking or _may_ask_there(block, following, facts))
        asking = asking and id(block) not in facts.titled
        asking = asking and not grammar.contents.fullmatch(flat(block.text.strip()))
        if not asking or following is None or (following.role is Role.HEADING and following.level <= block.level):
            return []
        answered = grammar.answer_alone.match(following.text)  # "Answer 1"
        if not questions.asks(block.text) and following.role is Role.HEADING and not answered:
            return []
        return [Part(sign=Sign.QUESTION, block=block, text=_unnumbered(block.text, grammar), level=block.level)]
    numbered = facts.asks_by_number and plain_number(block, grammar) is not None and questions.asks(block.text)
    inner = state.open in (Sign.DEFINITION, Sign.RULE) and not block.bold and not numbered
    if facts.marks.any or state.open is Sign.ERRATUM or inner or not _may_ask_there(block, following, facts):
        return []
    if end := questions.question_lead(block):
        rest = part(block, questions.answer_start(block.text, end))
        asked = replace(part(block, 0, end), role=Role.PARAGRAPH)
        return [Part(sign=Sign.QUESTION, block=asked, text=_unnumbered(asked.text, grammar)),
                Part(sign=Sign.ANSWER, block=rest, text=rest.text)]  # fmt: skip
    if (
        numbered
        or questions.is_unmarked_question(block, following, facts.body_colour, grammar)
        or asks_plainly(block, following, facts)
        or asks_in_bold(block, following, facts)
    ):
        return [Part(sign=Sign.QUESTION, block=block, text=_unnumbered(block.text, grammar))]
    return []


def _may_ask_there(block: Block, following: Block | None, facts: Facts) -> bool:
    """Not in a box beside the text, of which it is the title: that has its text in it."""
    if not block.region or facts.asks_in_boxes:
        return True
    return following is not None and following.region not in (0, block.region)


def _unnumbered(text: Text, grammar: Grammar) -> Text:
    """A question without its number, a question mark in a disc before it, or a dash that leads to its answer."""
    text = cut(text, ASKED.match(text).end(), questions.asked_end(text))  # type: ignore[union-attr]
    number = rules.rule_number(text, grammar)
    return trim(cut(text, number.end)) if number and number.number[0].isdigit() else text
