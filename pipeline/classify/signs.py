"""What else than a colour marks a change: an underline, a bar in the margin, an asterisk, a word like "NEW".

A word speaks for itself; of the others the document must say that they mark changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter

from pipeline.classify.blocks import SPANS, part
from pipeline.classify.colours import naming, pattern, sentence
from pipeline.classify.grammar import Grammar
from pipeline.records import Block, Role, Span, Text
from pipeline.text import DIGITS, cut, flat, rich, trim

SIGNS = frozenset("*†‡#◊◆►▶▲●■★☆✱✳✶❖➤§+")  # that may stand before or behind what is new
SIGN = re.compile(rf"(?<![^\s(\[«“„\"'‘])([{re.escape(''.join(sorted(SIGNS)))}])(?![^\s)\]»”\"'’.,;:])")
DAY = re.compile(r"\s*(?:\d{1,2}[./-])?\d{1,4}[./-]\d{1,4}\s*")  # in figures: 02/2026, 3.11.25, 2026-02-03
MARKER = 8  # letters of a marker at most: a word like "NEW" may stand between it and its question
BRACKETS = frozenset(")]")  # behind a word
ASTERISK, SYMBOL = "asterisk", "symbol"
UNDERLINE, HIGHLIGHT, BAR = "underline", "highlight", "bar"
_MARKED = {UNDERLINE: attrgetter("underlined"), HIGHLIGHT: attrgetter("highlight"), BAR: attrgetter("bar")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """The marks for changes – a sign, or the name of one – and the blocks that say so (they are no changes)."""

    marks: frozenset[str] = frozenset()
    told_by: frozenset[int] = frozenset()


def find_signs(blocks: Sequence[Block], grammar: Grammar) -> Signs:
    """What the document says about marks that are in it."""
    seen = _seen(blocks)
    if not seen:
        return Signs()
    words = tuple(word for _, words in grammar.words.colour.signs for word in words)
    notices = [
        (at, mark) for at in naming(blocks, words) for mark in announced(blocks[at].text, grammar) if mark in seen
    ]
    return Signs(marks=frozenset(mark for _, mark in notices), told_by=frozenset(at for at, _ in notices))


def _seen(blocks: Sequence[Block]) -> set[str]:
    """The marks that the document has, whatever they mean."""
    spans = list(chain.from_iterable(map(SPANS, blocks)))
    marks = {block.marker or block.text[:1] for block in blocks} | {block.text[-1:] for block in blocks}
    marks &= SIGNS
    for name, marked in ((UNDERLINE, spans), (HIGHLIGHT, spans), (BAR, blocks)):
        if any(map(_MARKED[name], marked)):
            marks.add(name)
    return marks


def announced(text: Text, grammar: Grammar) -> list[str]:
    """The marks of which a sentence says that changes have them."""
    plain, colour = flat(text), grammar.words.colour
    marks = []
    for name, words in colour.signs if pattern(colour.change).search(plain) else ():
        for match in pattern(words).finditer(plain):
            start, end = sentence(text, match.start())
            if not pattern(colour.change).search(plain[start:end]):
                continue
            if name in (ASTERISK, SYMBOL):
                shown = SIGN.findall(text[start:end])
                marks += shown or (["*"] if name == ASTERISK else [])
            else:
                marks.append(name)
    return list(dict.fromkeys(marks))


def signed(blocks: Sequence[Block], signs: Signs, grammar: Grammar) -> list[Block]:
    """The blocks with what is marked as changed, and without signs and words that say no more than that."""
    signed_blocks: list[Block] = []
    tag: Block | None = None  # that stood in a line of its own
    marks, starts = signs.marks, grammar.tag_starts
    for at, block in enumerate(blocks):
        if block.text[:1] in DIGITS:
            block = _undated(block, grammar)
        text, second = block.text, block.text.spans[1:2]
        named = text[:1] in starts or (last := text[-1:]) in BRACKETS or last.isupper()
        named = named or (bool(second) and second[0].highlight is not None)
        if not (named or marks or tag) or at in signs.told_by or block.role is Role.TABLE:
            signed_blocks.append(block)
            continue
        if named and _is_tag(block, grammar):
            tag = block if tag is None else replace(tag, addresses=tag.addresses + block.addresses)
            continue
        changed = _signed(block, marks, grammar)
        if tag is not None:
            changed, tag = replace(_wholly(changed), addresses=tag.addresses + changed.addresses), None
        signed_blocks.append(changed)
    return signed_blocks if tag is None else [*signed_blocks, tag]


def _is_tag(block: Block, grammar: Grammar) -> bool:
    """Nothing but "NEW", in a line of its own over what is new."""
    text = block.text
    if not text.isupper() or (block.role is Role.HEADING and not _is_lit(text.spans[:1])):
        return False
    return grammar.tag.fullmatch(flat(text)) is not None


def _signed(block: Block, marks: frozenset[str], grammar: Grammar) -> Block:
    bare = _without_tag(block, grammar)
    if bare is None and marks:
        bare = _without_sign(block, marks)
    if bare is None and block.bar and BAR in marks:
        bare = block
    if bare is not None:
        return _wholly(bare)
    if UNDERLINE in marks or HIGHLIGHT in marks:
        spans = tuple(replace(span, changed=True) if _is_marked(span, marks) else span for span in block.text.spans)
        return replace(block, text=Text(spans, block.text.level)) if spans != block.text.spans else block
    return block


def _is_marked(span: Span, marks: frozenset[str]) -> bool:
    underlined = UNDERLINE in marks and span.underlined and not span.link
    return underlined or (HIGHLIGHT in marks and span.highlight is not None)


def _wholly(block: Block) -> Block:
    """All of it is marked."""
    spans = tuple(replace(span, changed=True) for span in block.text.spans)
    return replace(block, text=Text(spans, block.text.level))


def _without_sign(block: Block, marks: frozenset[str]) -> Block | None:
    """ "* Q: …", "*Page 12", "The ford*" without the sign; None when there is none."""
    if block.marker in marks:
        return replace(block, role=Role.PARAGRAPH, marker="", level=0)
    if block.text[:1] in marks:
        return _cut(block, 1, len(block.text))
    return _cut(block, 0, len(block.text) - 1) if block.text[-1:] in marks else None


def _without_tag(block: Block, grammar: Grammar) -> Block | None:
    """ "NEW Q: …", "[NEW] May I …?", "May I …? (new)" without the word; None when there is none."""
    text = block.text
    tag = grammar.tag.match(flat(text)) if text[:1] in grammar.tag_starts else None
    if tag and _stands_apart(text, tag, grammar):
        return _cut(block, tag.end(), len(text))
    if _is_lit(text.spans[1:2]) and (bare := _without_second(block, grammar)):
        return bare
    if text[-1:] in BRACKETS and (tag := grammar.tag_behind.search(flat(text))) and tag.start():
        headed = block.role is Role.HEADING or block.bold or text[: tag.start()].endswith("?")
        return _cut(block, 0, tag.start()) if headed else None
    return _cut(block, 0, len(text) - len(text.spans[-1].text)) if _ends_with_tag(text, grammar) else None


def _without_second(block: Block, grammar: Grammar) -> Block | None:
    """ "Q: NEW May I …?" without the word behind the marker; None when it is no such word."""
    text = block.text
    start = len(text.spans[0].text)
    end = start + len(text.spans[1].text)
    if start > MARKER or end == len(text) or not grammar.tag.fullmatch(flat(text[start:end])):
        return None
    breaks = tuple(at - (end - start) for at in block.breaks if at > end)
    return replace(block, text=rich(cut(text, 0, start), cut(text, end)), breaks=breaks)


def _undated(block: Block, grammar: Grammar) -> Block:
    """Without the day of its publication, printed in the margin beside a page or a question in another style."""
    text = block.text
    if len(text.spans) < 2 or not DAY.fullmatch(text.spans[0].text):
        return block
    first, second = text.spans[:2]
    apart = (first.colour, first.bold, first.italic) != (second.colour, second.bold, second.italic)
    end = len(first.text)
    marked = apart and (grammar.question.match(text, end) or grammar.page_head.match(flat(text), end))
    return part(block, end) if marked else block


def _ends_with_tag(text: Text, grammar: Grammar) -> bool:
    """A word by itself behind the text, in capitals, on a colour or in one of its own."""
    last = text.spans[-1] if len(text.spans) > 1 else None
    if last is None or not last.text.strip().isupper() or not (last.highlight or last.colour):
        return False
    apart = (last.colour, last.highlight) != (text.spans[-2].colour, text.spans[-2].highlight)
    return apart and grammar.tag.fullmatch(flat(last.text.strip())) is not None


def _stands_apart(text: Text, tag: re.Match[str], grammar: Grammar) -> bool:
    """In brackets, on a colour of its own, or in capitals before a marker or a page: no word of the sentence."""
    rest = text[tag.end() :]
    if not rest:
        return False
    word = text[tag.start("word") : tag.end("word")]
    if tag["open"] and tag["close"]:
        return True
    first = text.spans[0]
    alone = len(first.text.strip()) <= tag.end() and len(text.spans) > 1
    if alone and (first.highlight or (word.isupper() and first.colour != text.spans[1].colour)):
        return True
    marked = grammar.question.match(text, tag.end()) or grammar.page_head.match(flat(text), tag.end())
    return word.isupper() and not rest.isupper() and marked is not None


def _is_lit(spans: Sequence[Span]) -> bool:
    return bool(spans) and spans[0].highlight is not None


def _cut(block: Block, start: int, end: int) -> Block:
    """The block between two offsets, in its role."""
    text = cut(block.text, start, end)
    lost = start + len(text) - len(text.lstrip())
    breaks = tuple(at - lost for at in block.breaks if lost < at < end)
    return replace(block, text=trim(text), breaks=breaks)
