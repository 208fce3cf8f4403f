"""Headings that are none, and lines that are headings: found before anything else is classified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, pairwise
from operator import attrgetter

from pipeline.classify import questions
from pipeline.classify.blocks import BOLD, SPANS, headings, part, places
from pipeline.classify.grammar import Grammar
from pipeline.classify.labels.labelled_blocks import FEW, HEADING_WORDS
from pipeline.records import Block, Role
from pipeline.text import flat

NAMED = 40  # letters of a line that names a section
EARLY = 0.8  # of the longest line: a line that would have held the next word and be no longer ended on purpose
SAME_SIZE = 0.3  # points


def with_named_sections(blocks: Sequence[Block], grammar: Grammar) -> list[Block]:
    """A line that is nothing but "FAQ" or "Errata" heads a section, whatever its type."""
    headed = list(blocks)
    if not (sections := [at for at, b in enumerate(blocks) if len(b.text) <= NAMED and _names_a_section(b, grammar)]):
        return headed
    levels = [blocks[at].level for at in headings(blocks)]
    level = Counter(levels[1:] or levels).most_common(1)[0][0] if levels else 1
    for at in sections:
        below = blocks[at + 1] if at + 1 < len(blocks) else blocks[at]
        if at == 1 and below.role is Role.HEADING and below.level < level:
            continue  # under the title, and over larger headings: it says what the document is
        headed[at] = replace(blocks[at], role=Role.HEADING, level=level)
    return headed


def with_underlined_headings(blocks: list[Block]) -> list[Block]:
    """Short lines that are underlined from end to end are headings under all others, where there are some of them."""
    if not any(map(_UNDERLINED, chain.from_iterable(map(SPANS, blocks)))):
        return blocks
    lined = [at for at, block in enumerate(blocks) if block.text.spans and block.text.spans[0].underlined]
    underlined = [at for at in lined if _is_underlined_line(blocks[at])]
    if len(underlined) < FEW:
        return blocks
    level = 1 + max((block.level for block in blocks if block.role is Role.HEADING), default=0)
    for at in underlined:
        blocks[at] = replace(blocks[at], role=Role.HEADING, level=level)
    return blocks


_UNDERLINED = attrgetter("underlined")


def _is_underlined_line(block: Block) -> bool:
    if block.role is not Role.PARAGRAPH or block.breaks:
        return False
    whole = all(span.underlined and not span.link for span in block.text.spans if span.text.strip())
    return whole and len(block.text.split()) <= HEADING_WORDS and block.text.rstrip()[-1:] not in ".!?;,:"


def cut_titled_questions(blocks: Sequence[Block]) -> list[Block]:
    """A card's name and the question under it, both bold, may be one block: cut where the name's line ends early."""
    cut_blocks = list(blocks)
    for at in reversed(places(map(BOLD, blocks))):
        block, end = blocks[at], _title_line(blocks[at])
        if end and (level := _level_alike(block, blocks)):
            cut_blocks[at : at + 1] = replace(part(block, 0, end), role=Role.HEADING, level=level), part(block, end)
    return cut_blocks


def _title_line(block: Block) -> int:
    """Where a first line ends that had room for the next word, over a bold question; 0 when there is none."""
    if not (block.breaks and block.role is Role.PARAGRAPH and questions.asks(block.text)):
        return 0
    starts = (0, *block.breaks, len(block.text))
    lines = [block.text[start:end].rstrip() for start, end in pairwise(starts)]
    early = len(lines[0]) + len(lines[1].split()[0]) < EARLY * max(map(len, lines[1:]))
    ended = lines[0].endswith((".", ",", ":", ";", "?", "!", "-", "–"))
    opens = lines[1][:1].isupper() or lines[1][:1].isdigit() or lines[1][:1] in '¿«“"'
    return block.breaks[0] if early and opens and not ended and len(lines[0]) > 2 else 0


def _level_alike(block: Block, blocks: Sequence[Block]) -> int:
    """The level of headings in the same type."""
    alike = (b.level for b in blocks if b.role is Role.HEADING and b.bold and abs(b.size - block.size) < SAME_SIZE)
    return next(alike, 0)


def _names_a_section(block: Block, grammar: Grammar) -> bool:
    if block.role is not Role.PARAGRAPH:
        return False
    return grammar.section_name.fullmatch(flat(block.text.strip())) is not None


