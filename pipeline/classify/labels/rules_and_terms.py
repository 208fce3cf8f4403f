"""Rules and definitions: by number, by title, by term."""

from __future__ import annotations

from dataclasses import replace

from pipeline.classify import definitions, questions, rules
from pipeline.classify.blocks import part
from pipeline.classify.grammar import Grammar
from pipeline.classify.identity import is_front
from pipeline.classify.labels.facts import Facts
from pipeline.classify.labels.labelled_blocks import HEADING_WORDS, Part, Sign, level_of
from pipeline.classify.labels.state import State
from pipeline.classify.outline import Outline
from pipeline.classify.tree import Node, title_and_body
from pipeline.records import Block, Role
from pipeline.text import flat


def numbered_rule(block: Block, facts: Facts, state: State, grammar: Grammar, plan: Outline) -> list[Part]:
    """A rule by its number, in a heading or before its text."""
    node = plan.node(block)
    if node is None or node.number is None or questions.asks(block.text) or id(block) in facts.asking:
        return []
    if facts.asks_by_number and not node.head:
        return []
    title, rest = title_and_body(node, block.text)
    if grammar.section_name.fullmatch(flat(title.strip())) and not _is_one_of_many(node, plan):  # "Section 1: Errata"
        return []
    body = replace(block, text=rest, role=Role.PARAGRAPH, marker="", breaks=()) if rest.strip() else None
    return [Part(sign=Sign.RULE, block=block, text=rules.clean_title(title), rest=body, number=node.number.text,
                 depth=node.depth, level=node.depth if node.head else 0)]  # fmt: skip


MANY = 5  # numbers beside each other: those of rules, whatever one of them is called ("Article 121 Amendments")


def _is_one_of_many(node: Node, plan: Outline) -> bool:
    return sum(each.number is not None and each.parent is node.parent for each in plan.nodes.values()) >= MANY


def numbered_term(block: Block, facts: Facts, state: State) -> list[Part]:
    """ "3.1 Carry – …" where terms are listed: a definition, though it has a number."""
    term = facts.terms.get(id(block)) if state.in_glossary else None
    if term is None:
        return []
    rest = part(block, term.body) if block.text[term.body :].strip() else None
    return [Part(sign=Sign.DEFINITION, block=block, text=term.name, rest=rest, term=term)]


def term_line(block: Block, following: Block | None, facts: Facts, state: State, grammar: Grammar) -> list[Part]:
    """In a glossary: a term on a bold line of its own, its meaning under it."""
    headed = block.role is Role.HEADING
    apart = block.level > state.glossary_level if headed else block.bold or definitions.is_alone(block.text, grammar)
    apart = apart and not grammar.glossary.search(flat(block.text))  # its own title is no term of it
    if (
        not (state.in_glossary and apart)
        or following is None
        or following.bold
        or following.role not in (Role.PARAGRAPH, Role.ITEM)
    ):
        return []
    if len(block.text.strip()) < 2 or len(block.text.split()) > HEADING_WORDS // 2 or is_front(block, facts.front):
        return []
    named = definitions.named(block.text, grammar)
    level = level_of(block)
    return [Part(sign=Sign.DEFINITION, block=block, text=named.name, term=named, level=level)] if named else []


def defined(block: Block, facts: Facts, state: State, grammar: Grammar) -> list[Part]:
    """A term and what is said of it."""
    term = facts.terms.get(id(block))
    if term is None or state.open in (Sign.QUESTION, Sign.ERRATUM):
        return []
    inner = block.role is Role.ITEM and (not state.in_list or block.level > state.depth)
    if state.open is Sign.DEFINITION and inner:
        return []
    rest = part(block, term.body) if block.text[term.body :].strip() else None
    return [Part(sign=Sign.DEFINITION, block=block, text=term.name, rest=rest, term=term)]
