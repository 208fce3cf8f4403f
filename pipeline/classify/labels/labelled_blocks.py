"""What a block is: a sign, and the words that count. One block may be several parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import attrgetter
from typing import ClassVar

from pipeline.classify import definitions, errata, rules
from pipeline.classify.blocks import part
from pipeline.classify.grammar import Grammar
from pipeline.quick import quick
from pipeline.records import EMPTY, Block, Change, Label, Role, Text
from pipeline.text import cut, flat

NAME = re.compile(r"[^\W\d_][^:.!?«“„\"]{1,60}?\s?:\s+(?=\S)")
LABEL_WORDS = 7  # of the name of a card or unit before a colon
FEW = 3  # a style that occurs less often is no style
HEADING_WORDS = 20  # a bold line before an instruction; a longer one is a sentence
LARGER = 1.05  # times the body
SMALL_PRINT = 0.85  # times the body


class Sign(Label):
    """What a part is."""

    __slots__ = ()

    HEADING: ClassVar[Sign]
    QUESTION: ClassVar[Sign]
    ANSWER: ClassVar[Sign]
    ERRATUM: ClassVar[Sign]
    DEFINITION: ClassVar[Sign]
    RULE: ClassVar[Sign]
    TABLE: ClassVar[Sign]
    BODY: ClassVar[Sign]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A block (or a piece of one) and what it is."""

    sign: Sign
    block: Block
    text: Text = EMPTY  # question, answer, target, title, term: without its marker
    rest: Block | None = None  # what of its body stands in the same block
    pages: tuple[int, ...] = ()
    number: str | None = None
    depth: int = 0
    term: definitions.Term | None = None
    level: int = 0  # of a heading that is also a question, target or rule; 0: it was no heading
    imprint: bool = False  # small print at the end of a document or a page, or a sentence in large type
    card: bool = False  # a heading that is a card, unit or ability, whatever others of its level are
    stated: bool = False  # a heading among amendments with a plain statement under it
    change: Change | None = None  # that a row of a table tells


new_part = quick(Part)  # there is one for every block
SIGN = attrgetter("sign")
GOES_ON = (Sign.BODY, Sign.ANSWER, Sign.TABLE)  # what an open entry takes


def rest_of(block: Block, end: int) -> Block | None:
    """The block behind this place of its text, if there is more of it."""
    stop = errata.SEPARATOR.match(block.text, end)
    start = stop.end() if stop else end
    return part(block, start) if block.text[start:].strip() else None


def level_of(block: Block) -> int:
    """Of a heading; 0 of anything else."""
    return block.level if block.role is Role.HEADING else 0


def pages_in(text: Text, grammar: Grammar) -> tuple[tuple[int, ...], Text]:
    """The pages in brackets after a target, and the target without them."""
    pages_at = grammar.page_reference.search(flat(text))
    if not pages_at:
        tail = errata.page_tail(text, grammar)
        return (tail[0], rules.clean_title(cut(text, 0, tail[1]))) if tail else ((), rules.clean_title(text))
    pages, _ = errata.page_numbers(flat(text)[pages_at.start("pages") : pages_at.end("pages")], grammar)
    if text[pages_at.end() :].strip():
        return pages, rules.clean_title(text)
    return pages, rules.clean_title(cut(text, 0, pages_at.start()))
