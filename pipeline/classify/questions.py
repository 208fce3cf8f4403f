"""Questions and answers: markers of every sort, boxed letters, questions that are headings or bold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from pipeline.classify.blocks import lead, part, sole_letter
from pipeline.classify.grammar import Grammar, with_markers
from pipeline.records import Block, Role, Text
from pipeline.text import flat, rich

LONGEST = 120  # words of a question without a marker; a longer bold paragraph is no question
ASKING = 3  # of so many questions, one at least has a question mark; "D. Rossi" and "R. Bianchi" have none
TURNS = 2  # once may be chance
LABEL = re.compile(
    r"\s*(?P<name>[^\W\d_a-z]|[^\W\d_a-z][^\W\d_]{2,13}(?=\s?\d{0,3}\s?:))\s?\d{0,3}\s?(?P<stop>[:.)])\s+(?=\S)"
)
DASHES = " \t\n\u00a0\u2009\u202f–—-"  # and spaces: between a question and the answer in its line
LED = re.compile(r"\s*[–—-]\s+")
QUESTION_ENDS = ("?", "?)", "?”", "?»", "? »", '?"', "?’", "?…")


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """Which markers a document uses: a letter counts only where questions so marked are answered."""

    asked: bool  # "Q:" and the like
    boxed: bool  # a letter set apart without a stop
    counted: bool  # "Question 1" without a stop
    replies: bool  # "A:" after questions that have no marker, but a number or a type of their own
    alone: bool  # "Question:" and "Answer:" in lines of their own
    lines: tuple[list[int], ...]  # for each block where printed lines begin, after the first, that may begin with one

    @property
    def any(self) -> bool:
        return self.asked or self.boxed or self.counted or self.alone


def find_markers(blocks: Sequence[Block], grammar: Grammar) -> Markers:
    """Trust markers when most questions that they mark are followed by a marked answer, or end as questions do."""
    lines = tuple([_marked_lines(block, grammar) if block.breaks else [] for block in blocks])
    starts = list(_starts(blocks, lines, grammar))
    asked = _trusted(
        starts, grammar.question.match, _answers(grammar), grammar.answer_within.search, grammar.asking.search
    )
    boxed = _trusted(
        [(text, at) for text, at in starts if len(text.spans) > 1 and sole_letter(text, at)],
        lambda text, at: _boxed(text, at, grammar.letters),
        lambda text, at: _boxed(text, at, grammar.answer_letters),
        lambda text, at: None,
        grammar.asking.search,
    )
    counted = not asked and not boxed and _counts_unstopped(blocks, starts, grammar)
    replies = not (asked or boxed or counted) and _replied(blocks, grammar)
    alone = not (asked or boxed or counted or replies) and _stand_alone(blocks, grammar)
    return Markers(lines=lines, asked=asked, boxed=boxed, counted=counted, replies=replies, alone=alone)


def _stand_alone(blocks: Sequence[Block], grammar: Grammar) -> bool:
    """Do "Question:" and "Answer:" stand in lines of their own, one after the other, again and again?"""
    short = [block.text for block in blocks if len(block.text) < ALONE]
    signs = "".join("q" if grammar.question_alone.match(text) else "a" for text in short
                    if grammar.question_alone.match(text) or grammar.answer_alone.match(text))  # fmt: skip
    return signs.count("qa") >= TURNS and 2 * signs.count("qa") >= signs.count("q")


ALONE = 20  # letters of a marker in a line of its own


def _replied(blocks: Sequence[Block], grammar: Grammar) -> bool:
    """Does the marker of an answer stand straight behind most of what asks?"""
    behind = [other.text for one, other in pairwise(blocks) if asks(one.text)]
    return sum(grammar.answer.match(text) is not None for text in behind) >= max(TURNS, len(behind) // 2)


def _answers(grammar: Grammar) -> Finder:
    """An answer's marker, with a stop or in a line of its own."""
    return lambda text, at: grammar.answer.match(text, at) or grammar.answer_alone.match(text, at)


def _counts_unstopped(blocks: Sequence[Block], starts: Sequence[tuple[Text, int]], grammar: Grammar) -> bool:
    """Are there questions and answers whose markers have no stop? What is asked may stand in the next block."""
    counted = grammar.question_counted.match
    if sum(counted(text, at) is not None for text, at in starts) < TURNS:
        return False
    below = {id(one.text): other.text for one, other in pairwise(blocks)}

    def asks_below(text: Text, at: int) -> object:
        alone = grammar.question_counted.fullmatch(text, at)
        return grammar.asking.search(below.get(id(text), "") if alone else text, 0 if alone else at)

    return _trusted(starts, counted, grammar.answer_counted.match, lambda text, at: None, asks_below) or _are_lone(
        [(text, below.get(id(text), "")) for text, at in starts if not at], grammar
    )


def _are_lone(pairs: Sequence[tuple[str, str]], grammar: Grammar) -> bool:
    """Does "Question no. 1" stand alone over what asks, again and again? Then its answers need no marker."""
    below = [other for one, other in pairs if grammar.question_counted.fullmatch(one)]
    return len(below) >= ASKING and sum(map(asks, below)) * 2 > len(below)


Finder = Callable[[Text, int], object]  # what stands at an offset of a text, or behind it


def _trusted(
    starts: Sequence[tuple[Text, int]], question: Finder, answer: Finder, answer_within: Finder, asks: Finder
) -> bool:
    asked = answered = asking = 0
    waiting: tuple[Text, int] | None = None  # a question that no marked answer has followed yet
    for text, at in starts:
        if question(text, at):
            asked += 1
            asking += asks(text, at) is not None
            answered += waiting is not None and bool(answer_within(*waiting))
            waiting = text, at
        elif waiting and answer(text, at):
            answered += 1
            waiting = None
    answered += waiting is not None and bool(answer_within(*waiting))
    return asked > 0 and answered * 2 >= asked and asking * ASKING >= asked


def own_markers(blocks: Sequence[Block], grammar: Grammar) -> Grammar | None:
    """Markers of no language that we know: two labels that take turns, where what stands behind the first asks.

    "S: Hver byrjar? – S: Yngsti.", "Klausimas: … Atsakymas: …"; asked only of a document without known markers.
    """
    labels = list(_labels(blocks))
    turns = Counter((a.name, b.name) for a, b in pairwise(labels) if a.asks and not b.asks and _may_answer(a, b))
    for (asked, answered), times in turns.most_common(1):
        firsts = [each for each in labels if each.name == asked and (asked != answered or each.asks)]
        if times >= TURNS and times * 2 >= len(firsts) and sum(each.asks for each in firsts) * 2 >= len(firsts):
            return with_markers(grammar, asked, answered)
    return None


class _Label(NamedTuple):
    """A capital, or a word with a colon, at the start of a printed line."""

    name: str
    stop: str
    asks: bool


def _labels(blocks: Sequence[Block]) -> Iterator[_Label]:
    for block in blocks:
        if block.role is Role.TABLE:
            continue
        text = _with_sign(block) or block.text
        shift = len(text) - len(block.text)
        starts = [0, *(at + shift for at in block.breaks if text[at + shift : at + shift + 1].isupper())]
        labels = [match for at in starts if (match := LABEL.match(text, at)) and match["name"][0].isupper()]
        ends = [*(match.start() for match in labels[1:]), len(text)]
        for match, end in zip(labels, ends, strict=False):  # no label, one end
            yield _Label(match["name"], match["stop"], "?" in text[match.end() : end])


def _may_answer(asked: _Label, answer: _Label) -> bool:
    """ "A. …? B. …" is a list."""
    return asked.stop == answer.stop and (asked.stop == ":" or ord(answer.name[0]) - ord(asked.name[0]) != 1)


def _starts(blocks: Sequence[Block], lines: Sequence[list[int]], grammar: Grammar) -> Iterator[tuple[Text, int]]:
    """Where printed lines begin that may begin with a marker, each in its text."""
    for block, starts in zip(blocks, lines, strict=True):
        if block.role is Role.TABLE:
            continue
        first = (_with_sign(block) or block.text) if block.marker else block.text
        if grammar.begins.match(first):
            yield first, 0
        for at in starts:
            yield block.text, at


def _marked_lines(block: Block, grammar: Grammar) -> list[int]:
    """The offsets of the printed lines, after the first, that may begin with a marker."""
    text, starts = block.text, grammar.starts
    near = [at for at in block.breaks if text[at : at + 1] in starts]
    return [at for at in near if not text[at : at + 1].islower() and grammar.begins.match(text, at)]


def with_marker(block: Block) -> Block:
    """A list item whose "number" is a question's marker ("Q1)"), as a paragraph with it."""
    text = _with_sign(block)
    if text is None:
        return block
    shift = len(text) - len(block.text)
    return replace(block, role=Role.PARAGRAPH, text=text, marker="", breaks=tuple(at + shift for at in block.breaks))


def _with_sign(block: Block) -> Text | None:
    """The text of a list item whose "number" may be a question's marker, with it."""
    if block.role is not Role.ITEM:
        return None
    sign = block.marker.strip()
    return rich(sign + " ", block.text) if sign[:1].isalpha() and sign[:1].isupper() else None


def _boxed(text: Text, at: int, letters: frozenset[str]) -> int:
    """The length of a marker that is one of these letters, set apart; 0 when there is none."""
    letter = sole_letter(text, at)
    return letter[1] if letter and letter[0] in letters else 0


def marker(text: Text, marks: Markers, grammar: Grammar, at: int = 0) -> tuple[str, int] | None:
    """``("q", length)`` or ``("a", length)`` when a marker that this document uses stands at an offset of a text."""
    if not grammar.begins.match(text, at):
        return None
    if marks.asked and (match := grammar.question.match(text, at)):
        return "q", match.end() - at
    if marks.asked and (match := grammar.answer.match(text, at)):
        return "a", match.end() - at
    if marks.replies and (match := grammar.answer.match(text, at)):
        return "a", match.end() - at
    if marks.boxed and (length := _boxed(text, at, grammar.letters)):
        return "q", length
    if marks.boxed and (length := _boxed(text, at, grammar.answer_letters)):
        return "a", length
    if marks.counted and (match := grammar.question_counted.match(text, at)):
        return "q", match.end() - at
    if marks.counted and (match := grammar.answer_counted.match(text, at)):
        return "a", match.end() - at
    if marks.any and grammar.question_alone.match(text, at):
        return "q", len(text) - at
    if marks.any and grammar.answer_alone.match(text, at):
        return "a", len(text) - at
    return None


def cut_at_markers(blocks: Sequence[Block], marks: Markers, grammar: Grammar) -> Iterator[Block]:
    """Blocks that begin with their marker: cut at line starts and before an answer in the same line."""
    for block, lines in zip(blocks, marks.lines, strict=True):
        if block.role is Role.TABLE:
            yield block
            continue
        whole = with_marker(block) if block.marker else block
        first = marker(whole.text, marks, grammar)
        if not first and whole is not block:
            whole, first = block, marker(block.text, marks, grammar)
        cuts = []
        if lines:
            shift = len(whole.text) - len(block.text)
            cuts = [at + shift for at in lines if marker(block.text, marks, grammar, at)]
        if first and first[0] == "q" and marks.asked and (answer := grammar.answer_within.search(whole.text, first[1])):
            cuts = sorted({*cuts, answer.end()})
        if cuts:
            yield from _cut(whole, cuts)
        else:
            yield whole


def _cut(block: Block, cuts: list[int]) -> Iterator[Block]:
    edges = [0, *cuts, len(block.text)]
    for start, end in pairwise(edges):
        piece = part(block, start, end)
        if piece.text.strip():
            yield piece


# ---------------------------------------------------------------- without markers


def cut_answers(blocks: Sequence[Block]) -> list[Block]:
    """Questions that have a number, over answers in the same type: where a question fills its line, the answer was
    joined to it."""
    counted = [at for at, b in enumerate(blocks) if b.role is Role.ITEM and b.marker.strip("().").isdecimal()]
    cut_blocks = list(blocks)
    if len(counted) < TURNS or 2 * sum(asks(blocks[at].text) for at in counted) < len(counted):
        return cut_blocks
    for at in reversed(counted):
        block, text = blocks[at], blocks[at].text
        asked = (end for end in block.breaks if text[:end].rstrip().endswith(QUESTION_ENDS))
        end = next((end for end in asked if not text[end : end + 1].islower()), 0)
        if end and not asks(text):
            cut_blocks[at : at + 1] = part(block, 0, end), part(block, end)
    return cut_blocks


REMARK = re.compile(r"(?<=[?])\s*\([^()?]{1,80}\)[.!]?$")


def asks(text: str) -> bool:
    """Does it end as a question does? Behind that, in brackets, may stand where the rule is."""
    asked = REMARK.sub("", text.rstrip(DASHES))
    return asked.endswith(QUESTION_ENDS) and len(text.split()) <= LONGEST


def asked_end(text: str) -> int:
    """Where a question ends, without the dash that leads to its answer."""
    return len(text.rstrip(DASHES)) if text.rstrip()[-1:] in DASHES else len(text)


def answer_start(text: str, end: int) -> int:
    """Where an answer begins behind a question that ends there: behind the dash between them, if there is one."""
    dash = LED.match(text, end)
    return dash.end() if dash else end


def question_lead(block: Block) -> int:
    """Where a bold or italic question ends and its answer goes on in the same paragraph; 0 when it does not."""
    for style in ("bold", "italic"):
        end = lead(block.text, style)
        if 0 < end < len(block.text.rstrip()) and asks(block.text[:end]) and len(block.text[:end].split()) > 2:
            return end
    return 0


def is_unmarked_question(block: Block, following: Block | None, body_colour: str, grammar: Grammar) -> bool:
    """A paragraph of its own that asks: set apart by its type, by a number, or by the yes or no after it."""
    if following is None or not asks(block.text) or following.role is Role.HEADING or asks(following.text):
        return False
    if len(block.text.split()) + block.marker[:1].isdigit() < 3:  # "Really?" is no question; "2. Who begins?" is
        return False
    apart = (block.bold and not following.bold) or (block.italic and not following.italic)
    apart = apart or (block.colour != following.colour and block.colour != body_colour)
    numbered = block.role is Role.ITEM and block.marker[:1].isdigit() and following.role is not Role.ITEM
    verdict = bool(grammar.verdict.match(flat(following.text)))
    return apart or numbered or (verdict and block.role is not Role.ITEM)
