"""What was open before a block: it decides what the block can be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.classify.blocks import lead
from pipeline.classify.grammar import Grammar
from pipeline.classify.identity import is_front
from pipeline.classify.labels.facts import Facts
from pipeline.classify.labels.labelled_blocks import GOES_ON, Part, Sign
from pipeline.quick import quick, quick_replace
from pipeline.records import Role, Text
from pipeline.text import flat

TITLE_WORDS = 4  # of a numbered heading over terms


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What was open before a block."""

    in_errata: bool = False
    in_glossary: bool = False
    glossary_level: int = 0
    errata_level: int = 0
    above: int = 0  # level of the heading that it stands under
    amended: int = 0  # level of the headings over amendments there
    open: Sign = Sign.BODY  # the entry that would take a paragraph
    in_list: bool = False  # and it began as a list item
    depth: int = 0  # of that item
    paged: bool = False  # an erratum that names its pages: what it amends there may have a line of its own
    run_in: bool = False  # an erratum whose bold head stands in the line of its text
    headed: bool = False  # a definition whose term is bold, or stands in a line of its own
    chapter: str = ""  # the first part of the number of the last rule or heading

    def after(self, parts: Sequence[Part], grammar: Grammar, facts: Facts) -> State:
        state = self
        for each in parts:
            if each.sign not in GOES_ON:
                state = state._after(each, grammar, facts)
            elif each.sign is Sign.ANSWER and state.open is not Sign.QUESTION:
                state = replace(state, open=Sign.QUESTION)
        return state

    def _after(self, one: Part, grammar: Grammar, facts: Facts) -> State:
        if one.sign is Sign.QUESTION and self.in_errata and facts.errata_first:
            return replace(self._inside(one), in_errata=False)
        if one.sign not in (Sign.RULE, Sign.HEADING):
            return self._inside(one)
        inside, level = self._glossary(one, grammar, facts)
        headed = one.sign is Sign.HEADING or one.level
        state = self._under(one, grammar, facts) if headed else self._inside(one)
        chapter = chapter_of(one.number) if one.number else ""
        if (chapter, inside, level) == (state.chapter, state.in_glossary, state.glossary_level):
            return state
        return replace(state, chapter=chapter, in_glossary=inside, glossary_level=level)

    def _glossary(self, one: Part, grammar: Grammar, facts: Facts) -> tuple[bool, int]:
        """Whether terms are listed under this heading, and the level of the heading that says so."""
        if grammar.glossary.search(flat(one.block.text)) and (not one.number or _names_terms(one.text, grammar)):
            return True, one.block.level
        deeper = one.block.level > self.glossary_level
        return (self.in_glossary, self.glossary_level) if deeper or facts.glossary_title else (False, 0)

    def _under(self, one: Part, grammar: Grammar, facts: Facts) -> State:
        """Under a heading."""
        if is_front(one.block, facts.front):
            return replace(self, open=one.sign, above=0)
        level = one.block.level
        if grammar.errata_heading.search(flat(one.block.text)):
            return _state(in_errata=True, errata_level=level, open=one.sign, above=level)
        stays = self.in_errata and (level > self.errata_level or self.errata_level == 0)
        return _state(in_errata=stays, errata_level=self.errata_level if stays else 0, open=one.sign, above=level)

    def _inside(self, one: Part) -> State:
        """In an entry that has just begun."""
        run_in = one.sign is Sign.ERRATUM and one.rest is not None and 0 < lead(one.block.text) < len(one.block.text)
        in_list, depth = one.block.role is Role.ITEM, one.block.level
        headed = one.rest is None or lead(one.block.text) > 0
        amended = one.level if one.sign is Sign.ERRATUM and one.level else self.amended
        paged = bool(one.pages)
        known = (self.open, self.in_list, self.depth, self.run_in, self.amended, self.headed, self.paged)
        if (one.sign, in_list, depth, run_in, amended, headed, paged) == known:
            return self
        return _opened(
            self, open=one.sign, in_list=in_list, depth=depth, run_in=run_in, amended=amended, headed=headed,
            paged=paged,
        )  # fmt: skip


def _names_terms(title: Text, grammar: Grammar) -> bool:
    """ "2.1 Definitions", "VI-D Terms of this chapter"; "4.2 Ways to settle terms" is a rule like any other."""
    return grammar.glossary.match(flat(title)) is not None and len(title.split()) <= TITLE_WORDS


_state = quick(State)
_opened = quick_replace(State, "open", "in_list", "depth", "run_in", "amended", "headed", "paged")


def chapter_of(number: str) -> str:
    """The first part of a number."""
    return re.split(r"[-.]", number)[0]
