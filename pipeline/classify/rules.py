"""Numbered rules ("V-A-1. Reserve", "2.3 Players", "Article 5 – Clocks", "§ 4") and cross-references."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.classify.blocks import MARKER, TEXT, join_where, lead, part
from pipeline.classify.grammar import LATER, Grammar, with_brackets, with_dashes, with_letters
from pipeline.records import Block, Role, Span, Text
from pipeline.text import cut, flat, rich, trim

ONE = re.compile(rf"(?P<number>[IVXL]{{1,6}}|\d{{1,3}}{LATER}?|[A-Z])\s*(?:[.):]\s*|[–—-]\s+)(?=\S)")
BARE = re.compile(r"(?P<number>[IVXL]{1,6}|\d{1,2})\s+(?=[^\W\d_])")
BRACKETED = re.compile(r"\([^()]+\)")
ORDINAL = re.compile(r"\.?[ºª°]")
STOP = re.compile(r"(?:\.?[ºª°]|er(?=\s))?\s*[.:)–—-]*\s*")  # after the number
REFERRED = re.compile(r"[0-9‐‑–—−-](?:(?<=[0-9])|(?<=[IVXLivxl].))")  # "4", "VII-": most texts refer to no number

IN_BRACKETS = re.compile(r"[\[(](\d{1,3})\.(\d{1,3})[\])]\s+\S")
LETTERED = re.compile(r"([A-Z])(\d{1,2})[.):–—-]*\s+\S")
DASHED = re.compile(r"(\d{1,3})-(\d{1,2})(?=[\s.):]+[^\W\d_])")

HABIT = 3  # so many numbers that follow each other make a habit
MARGIN = "margin"  # what stands for a word before a number in the margin: it needs none
NUMBERED = 60  # letters that "Article 5.1.2 bis" takes at most
SIGN_LEVEL = 3  # of a heading that was taken for a list item: under a title and a part


def with_habits(blocks: Sequence[Block], grammar: Grammar) -> Grammar:
    """The grammar for a document in which "12-1" is followed by "12-2" again and again, or "[5.1]" by "[5.2]", or in
    bold "A1" by "A2": its rules are numbered so."""
    texts = list(map(TEXT, blocks))
    if _counted(DASHED, texts) >= HABIT:
        return with_dashes(grammar)
    if _counted(IN_BRACKETS, texts) >= HABIT:
        return with_brackets(grammar)
    lettered = [text for text in texts if LETTERED.match(text) and text.spans[0].bold]
    if _counted(LETTERED, lettered) < HABIT or _are_markers({text[0] for text in lettered}, grammar):
        return grammar
    return with_letters(grammar)


def _are_markers(letters: set[str], grammar: Grammar) -> bool:
    """Are they those of questions and answers, and no others?"""
    asking = set(grammar.words.question.letters)
    return not letters.isdisjoint(asking) and letters <= asking.union(grammar.words.answer.letters)


def _counted(form: re.Pattern[str], texts: Iterable[Text]) -> int:
    """How often a number of this form follows the one before it in the document."""
    counted = [(match[1], int(match[2])) for match in filter(None, map(form.match, texts))]
    return sum(other == (one[0], one[1] + 1) for one, other in pairwise(counted))


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleNumber:
    """The number at the start of a rule, and where its title begins."""

    number: str
    end: int
    depth: int
    sure: bool  # of several parts, or after a word such as "Article"
    word: str = ""  # that word, flat; articles are counted through all chapters


def margin_number(block: Block) -> RuleNumber | None:
    """The number that stood beside a paragraph in the margin: no stop follows it, as one does in a list."""
    sign = block.marker.strip()
    if block.role is not Role.ITEM or not sign.isdecimal():
        return None
    return RuleNumber(number=sign, end=len(sign) + 1, depth=1, sure=True, word=MARGIN)


def rule_number(text: str, grammar: Grammar) -> RuleNumber | None:
    """The number that a text begins with."""
    if number := sure_number(text, grammar):
        return number
    match = ONE.match(text) or BARE.match(text)
    return _number(match, sure=False) if match else None


def sure_number(text: str, grammar: Grammar) -> RuleNumber | None:
    """The number that a text begins with, when it is surely that of a rule."""
    word = grammar.rule_word.match(flat(text), 0, NUMBERED)
    if not word:
        match = grammar.many.match(text)
        return _number(match, sure=True) if match else None
    stop = STOP.match(text, word.end())
    label = ORDINAL.sub("", text[word.start("number") : word.end("number")]).rstrip(".")
    label = f"§ {label}" if text[:1] == "§" else label  # the sign is said with the number; "Article" is not
    end = stop.end() if stop else word.end()
    return RuleNumber(number=label, end=end, depth=_depth(label), sure=True, word=word.group("word"))


def _number(match: re.Match[str], *, sure: bool) -> RuleNumber:
    number = match.group("number")
    return RuleNumber(number=number, end=match.end(), depth=_depth(number), sure=sure)


def _depth(number: str) -> int:
    return 1 + len(re.findall(rf"(?!{LATER})[-.]", number))


def with_number(block: Block) -> tuple[Text, int]:
    """The text with its printed number in front (a list item has it as its marker), and the length added."""
    sign = block.marker.strip() if block.marker else ""
    if sign and sign[0].isalnum() and block.role in (Role.ITEM, Role.HEADING):
        first = block.text.spans[0] if block.text.spans else Span(text="")
        return rich(Span(text=sign + " ", bold=first.bold, italic=first.italic), block.text), len(sign) + 1
    return block.text, 0


def with_section_signs(blocks: Sequence[Block]) -> Iterator[Block]:
    """ "§ 4 Time" is no item of a list with a bullet "§"; in bold it is a heading."""
    if "§" not in "".join(map(MARKER, blocks)):
        yield from blocks
        return
    for block in blocks:
        if block.role is not Role.ITEM or block.marker.strip() != "§" or not block.text[:1].isdigit():
            yield block
            continue
        text = rich(replace(block.text.spans[0], text="§ "), block.text)
        role = Role.HEADING if block.bold else Role.PARAGRAPH
        moved = tuple(at + 2 for at in block.breaks)
        yield replace(block, role=role, level=SIGN_LEVEL if block.bold else 0, marker="", text=text, breaks=moved)


def join_numbers(blocks: Iterable[Block], grammar: Grammar) -> list[Block]:
    """ "CHAPTER II", "ANNEX" or a word with a number that others have, too, alone in a line: one heading with the title
    under it."""
    whole = list(blocks)
    ordinals = {block.text: word for block in whole if (word := _ordinal(block, grammar))}
    returning = {word for word, times in Counter(ordinals.values()).items() if times > 1}
    alone = [_alone(block) or (word if (word := ordinals.get(block.text, "")) in returning else "") for block in whole]
    words = Counter([word for word in alone if word])
    for at in range(len(whole) - 2, -1, -1):
        number, title = whole[at : at + 2]
        if alone[at]:
            known = alone[at] == "§" or alone[at] in grammar.rule_words
            if alone[at].isdecimal():  # the large number of a chapter
                known = number.size >= title.size and title.role is Role.HEADING
            elif number.role is title.role is Role.HEADING and title.size >= number.size:
                known = known or words[alone[at]] >= RETURNS
            joined = known and not alone[at + 1] and _is_title_under(number, title, grammar)
        else:
            joined = number.role is title.role is Role.HEADING and _is_number_of(number, title, grammar)
        if joined:
            size, bold, italic = max(number.size, title.size), number.bold or title.bold, number.italic and title.italic
            above = replace(number, level=title.level or number.level, size=size, bold=bold, italic=italic)
            whole[at : at + 2] = join_where([above, title], lambda *_: True)
    return whole


RETURNS = 2  # lines of one word and a number: they count something, whatever the word is
TITLE = 120  # letters of a title under such a line
_ALONE = re.compile(
    r"(?P<word>§|[^\W\d_][\w-]{2,20}\.?)\s+(?:n[°ºo.]\s*)?(?:\d{1,3}[a-z]?|[IVXLC]{1,6}|[A-Z])(?:[°ºª]|er)?\s*[.:–—-]?\s*"
)


def _alone(block: Block) -> str:
    """The word of a line that is nothing but a word and a number, set as a title is; else nothing."""
    if len(block.text) > 30 or block.marker or not (block.role is Role.HEADING or block.bold or block.centred):
        return ""
    match = _ALONE.fullmatch(block.text)
    return flat(match["word"]) if match else block.text if block.text.isdecimal() else ""


def _ordinal(block: Block, grammar: Grammar) -> str:
    """The word of a title that is nothing but it and another, which counts: "PART ONE"."""
    words = flat(block.text).split() if len(block.text) <= 30 and block.role is Role.HEADING else []
    return words[0] if len(words) == 2 and words[0] in grammar.rule_words else ""


def _is_title_under(number: Block, title: Block, grammar: Grammar) -> bool:
    """Words in a style of their own that are no sentence, straight under the line with the number."""
    if number.page != title.page or len(title.text) > TITLE or title.text.rstrip()[-1:] in ".;,:":
        return False
    plain = title.role is Role.PARAGRAPH and not (title.bold or title.italic or title.centred)
    numbered = rule_number(title.text, grammar) is not None or grammar.page_head.match(flat(title.text)) is not None
    return title.role in (Role.HEADING, Role.PARAGRAPH) and not plain and not numbered


def _is_number_of(above: Block, below: Block, grammar: Grammar) -> bool:
    if above.page != below.page or above.level < below.level:
        return False
    number = sure_number(above.text, grammar)
    alone = number.end == len(above.text) if number else flat(above.text.strip()) in grammar.rule_words
    return alone and rule_number(below.text, grammar) is None


def cut_at_lines(blocks: Iterable[Block], grammar: Grammar) -> list[Block]:
    """A numbered title in a line of its own, joined to bold words under it, is cut off again."""
    cut_blocks = list(blocks)
    stopped = [at for at, b in enumerate(cut_blocks) if b.breaks and b.text[: b.breaks[0]].rstrip()[-1:] == "."]
    for at in reversed(stopped):
        block, end = cut_blocks[at], cut_blocks[at].breaks[0]
        if block.role is Role.PARAGRAPH and lead(block.text) > end and sure_number(block.text, grammar):
            cut_blocks[at : at + 1] = replace(part(block, 0, end), bold=True), part(block, end)
    return cut_blocks


def clean_title(text: Text) -> Text:
    """A title without the stop, colon or dash at its end, or the brackets all around it."""
    bare = trim(cut(text, 0, len(text.rstrip(" .:–—-"))))
    return trim(cut(bare, 1, len(bare) - 1)) if BRACKETED.fullmatch(bare) else bare


def references(texts: Iterable[Text], grammar: Grammar) -> tuple[str, ...]:
    """What texts refer to: "VII-A-4", "p. 12"; each once, in order."""
    places: dict[str, None] = {}
    for text in filter(REFERRED.search, texts):
        for match in grammar.see.finditer(flat(text)):
            number = text[match.start("number") : match.end("number")]
            places["p. " + number if match.group("page") else number] = None
    return tuple(places)
