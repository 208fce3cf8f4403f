"""What each block is, one after the other: the signs that assembling needs. Words and style, no coordinates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from operator import attrgetter
from typing import ClassVar

from pipeline.classify import definitions, errata, questions, rules
from pipeline.classify.blocks import (
    BOLD,
    MARKER,
    SPANS,
    TEXT,
    headings,
    is_contents_line,
    is_lead,
    lead,
    part,
    places,
)  # fmt: skip
from pipeline.classify.grammar import Grammar
from pipeline.classify.identity import Identity, find_date, is_front
from pipeline.quick import quick, quick_replace, quickest
from pipeline.records import EMPTY, Block, Change, Label, Operation, Role, Text
from pipeline.text import DIGITS, cut, flat, in_one_line, join, split_lines, trim
from pipeline.vocab import Answer, Question

ASKED = re.compile(r"(?:\?\s+)?")
NAME = re.compile(r"[^\W\d_][^:.!?«“„\"]{1,60}?\s?:\s+(?=\S)")
QUOTED_NAME = re.compile(r"[^\W\d_][^:.!?]{1,60}?\s?:\s+(?=\S)")  # "Card “Mirage”: "
NO_NAME = re.compile(r"[:!?«“„\"]")
LABEL_WORDS = 7  # of the name of a card or unit before a colon
MOSTLY = 0.7  # of the bold paragraphs ask: they are questions
FEW = 3  # a style that occurs less often is no style
TITLED = 5  # headings over plain text that make a habit
HEADING_WORDS = 20  # a bold line before an instruction; a longer one is a sentence
LARGER = 1.05  # times the body
PULLED = 1.25  # times the body: a sentence that is printed again to catch the eye
SMALL = 0.85  # times the body: small print
SMALLER = 0.95  # times the body: a note under a table
NOTES = frozenset(("*", "**", "†", "‡"))  # before such a note
APART = 1.3  # lines of white above it
NAMED = 40  # letters of a line that names a section
EARLY = 0.8  # of the longest line: a line that would have held the next word and be no longer ended on purpose
SAME_SIZE = 0.3  # points
STOPS = frozenset(".!?:;,»”)")  # behind which no page stands
ARROWS = frozenset("→➔➜►▶➤⇒▸")  # before an answer
SHORT_WORD = 4  # letters; a shorter word heads no column
ONCE = 0.9  # of the numbers of articles: one may have been misread
ARTICLE_REACH = 60  # letters within which a sentence names the rule that it amends
TITLE_WORDS = 4  # of a numbered heading over terms
SIGNED = 100  # letters of a place and a date
DATED = re.compile(r"([^\d.;:!?,]{2,60}),\s(?:[^\W\d]{1,10}\.?\s){0,2}(?=\d)")
PLAIN_RULES = 5  # numbered paragraphs without titles make a rule book when there are so many


class Sign(Label):
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


_part = quickest(Part)  # there is one for every block
SIGN = attrgetter("sign")
GOES_ON = (Sign.BODY, Sign.ANSWER, Sign.TABLE)  # what an open entry takes


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is true of the document as a whole, found before its blocks are told apart."""

    marks: questions.Marks
    habits: definitions.Habits
    asking_levels: frozenset[int]  # heading levels that are mostly questions
    titled_levels: frozenset[int]  # levels of headings over text, of which few ask
    amended_levels: frozenset[int]  # heading levels that mostly stand over amendments, whatever section they are in
    values: frozenset[str]  # "Cost: ", "Range: " before what is listed, again and again: no names
    numbered: bool  # headings carry numbers of rules
    plain_numbered: bool  # paragraphs do
    counted_through: bool  # paragraphs have numbers that run on from section to section
    run_in_rules: bool  # numbers with bold titles in the line of their text
    numbers: frozenset[tuple[str, str]]  # of headings, with their words: a paragraph that begins so speaks of that rule
    counted: frozenset[str]  # words before numbers of paragraphs that are counted through all chapters: "article"
    errata_title: bool
    amended_terms: bool  # what looks like a glossary is a list of changes
    errata_first: bool  # a line under the title promises errata; there are marked questions, too, behind them
    front: frozenset[tuple[int, str]]
    body_size: float
    body_colour: str
    asks_in_bold: bool  # questions are bold paragraphs; some may have a word more behind the question mark
    asks_in_boxes: bool  # most questions stand in boxes: else what asks in one is the title of a sidebar
    asks_by_number: bool  # paragraphs with numbers like those of rules mostly ask
    asks_in_items: bool  # questions have a bullet or a picture before them, and answers have none
    asks_plainly: bool  # questions are paragraphs like any other, and many answers begin with yes or no
    glossary_title: bool
    bare_pages: bool  # nothing stands between the page and its target: "Page 12 The ford"
    strong_headings: bool  # most headings are bold or larger, so a plain line in capitals is none


def find_facts(
    blocks: Sequence[Block], marks: questions.Marks, grammar: Grammar, who: Identity, body_size: float, body_colour: str
) -> Facts:
    """Look over the whole document once."""
    heads = [blocks[at] for at in headings(blocks)]
    listed = any(grammar.errata_heading.search(flat(b.text)) and not is_front(b, who.front) for b in heads)
    glossary = any(grammar.glossary.search(flat(block.text)) for block in heads)
    habits = definitions.find_habits(blocks, grammar, glossary)
    numbers = [number for block in heads if (number := rules.rule_number(rules.with_number(block)[0], grammar))]
    plain = _plain_numbers(blocks, grammar)
    return Facts(
        marks=marks,
        habits=habits,
        asking_levels=_asking_levels(heads),
        titled_levels=_titled_levels(blocks),
        amended_levels=_amended_levels(blocks, grammar),
        values=_values(blocks),
        numbered=sum(number.sure for number in numbers) >= 2 or len(numbers) >= max(FEW, len(heads) // 2),
        plain_numbered=len(plain) >= PLAIN_RULES,
        counted_through=_are_counted_through(blocks),
        run_in_rules=sum(_is_run_in_rule(block, number) for block, number in plain) >= FEW or _counts_titles(blocks),
        numbers=frozenset((number.word, number.number) for number in numbers),
        counted=_counted([number for _, number in plain]),
        strong_headings=sum(block.bold or block.size > LARGER * body_size for block in heads) >= FEW,
        front=who.front,
        body_size=body_size,
        body_colour=body_colour,
        asks_in_bold=not marks.any and _bold_questions(blocks),
        asks_in_boxes=_ask_in_boxes(blocks),
        asks_by_number=not marks.any and _mostly_ask([block for block, _ in plain]),
        asks_in_items=not marks.any and _bulleted_questions(blocks),
        asks_plainly=not marks.any and _plain_questions(blocks, grammar),
        glossary_title=not listed
        and not marks.any
        and not any(grammar.glossary.fullmatch(flat(b.text.strip())) for b in heads if not is_front(b, who.front))
        and (who.defines or bool(who.title and grammar.glossary.search(flat(who.title)))),
        bare_pages=_has_bare_pages(blocks, grammar),
        errata_first=not listed and who.amends and marks.any,
        errata_title=not listed
        and ((who.amends and not marks.any) or bool(who.title and grammar.errata_heading.search(flat(who.title)))),
        amended_terms=not (listed or glossary) and _terms_are_amended(habits, grammar),
    )


def _terms_are_amended(habits: definitions.Habits, grammar: Grammar) -> bool:
    """What looks like terms is amended, one after the other: a list of changes, whatever its headings say."""
    told = habits.bodies if habits.dashes or habits.forms else ()
    return len(told) >= FEW and sum(_amends_text(body, grammar) for body in told) >= MOSTLY * len(told)


def _amends_text(body: str, grammar: Grammar) -> bool:
    """ "the last sentence now reads …"; a keyword may well say "Remove a wound"."""
    plain = flat(body)
    of_text = errata.verb_at(plain, 0, grammar) is None or errata.quotations(body) or grammar.piece.search(plain)
    return bool(of_text) and errata.operation_of(body, grammar) is not None


def _counted(numbers: Sequence[rules.Number]) -> frozenset[str]:
    """The words whose numbers do not come back; in a list of changes "Section 2.3" does."""
    held: dict[str, list[str]] = {}
    for number in numbers:
        held.setdefault(number.word, []).append(number.number)
    return frozenset(word for word, each in held.items() if word and len(set(each)) >= max(FEW, ONCE * len(each)))


ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def _counted_as(sign: str) -> int:
    """ "3", "III": a number; 0 for anything else."""
    return int(sign) if sign.isdecimal() else ROMAN.index(sign) + 1 if sign in ROMAN else 0


def _counts_titles(blocks: Sequence[Block]) -> bool:
    """ "1. **Entry.** …", "2. **Gear.** …" from the first line under a heading on: rules, not the steps of a list. One
    that was repealed may be missing."""
    if not any(map(str.isalnum, "".join(map(MARKER, blocks)))):
        return False
    last, count, above = 0, 0, None
    for block in blocks:
        number = _counted_as(block.marker.strip(" .)")) if block.role is Role.ITEM else 0
        if last < number <= last + 2:
            begun = count or (above is not None and above.role is Role.HEADING)
            last, count = (number, count + 1) if begun and is_lead(block.text, lead(block.text)) else (0, 0)
            if count == FEW:
                return True
        elif block.role is Role.HEADING:
            last, count = 0, 0
        above = block
    return False


def _has_bare_pages(blocks: Sequence[Block], grammar: Grammar) -> bool:
    paged = places(map(grammar.page_head.match, map(flat, map(TEXT, blocks))))
    return sum(_is_bare_page(blocks[at], grammar) for at in paged) >= FEW


def _is_bare_page(block: Block, grammar: Grammar) -> bool:
    """ "Page 12 The ford" as a plain paragraph, with a capital behind the page."""
    if block.role is not Role.PARAGRAPH or block.bold or not block.text[:1].isupper():
        return False
    found = grammar.page_head.match(flat(block.text))
    return found is not None and block.text[found.end() :].lstrip()[:1].isupper()


def _plain_questions(blocks: Sequence[Block], grammar: Grammar) -> bool:
    """Some paragraphs ask, a paragraph that does not follows each, and a third of those begin with yes or no; half,
    where there are few."""
    pairs = [(one, other) for one, other in pairwise(blocks) if one.role is Role.PARAGRAPH and _asks_over(one, other)]
    verdicts = sum(grammar.verdict.match(flat(other.text)) is not None for _, other in pairs)
    return len(pairs) >= FEW and verdicts * (3 if len(pairs) >= PLAIN_RULES else 2) >= len(pairs)


def _bulleted_questions(blocks: Sequence[Block]) -> bool:
    """Items over paragraphs that nearly all ask, where hardly one that asks stands over another item."""
    if not any(map(MARKER, blocks)):
        return False
    pairs = [(one, other) for one, other in pairwise(blocks) if one.role is Role.ITEM]
    over = [one for one, other in pairs if other.role is Role.PARAGRAPH]
    return _mostly_ask(over) and len(over) > MOSTLY * sum(questions.asks(one.text) for one, _ in pairs)


def _bold_questions(blocks: Sequence[Block]) -> bool:
    """Bold paragraphs over plain ones that nearly all ask."""
    bold = [block for block, following in pairwise(blocks) if _is_bold_over(block, following)]
    return _mostly_ask(bold)


def _mostly_ask(blocks: Sequence[Block]) -> bool:
    return len(blocks) >= FEW and sum(questions.asks(block.text) for block in blocks) > MOSTLY * len(blocks)


def _is_bold_over(block: Block, following: Block | None) -> bool:
    if following is None or not block.bold or following.bold:
        return False
    return block.role in (Role.PARAGRAPH, Role.ITEM) and following.role in (Role.PARAGRAPH, Role.ITEM)


def _asks_in_bold(block: Block, following: Block | None, facts: Facts) -> bool:
    """Where questions are bold: one that goes on behind its question mark, or that has a number like the others."""
    told = facts.asks_in_bold and _is_bold_over(block, following)
    return told and ("?" in block.text or block.marker[:1].isdigit()) and len(block.text.split()) <= questions.LONGEST


def _ask_in_boxes(blocks: Sequence[Block]) -> bool:
    boxed = [block for block in blocks if block.region and block.role in _TEXT and questions.asks(block.text)]
    if len(boxed) < 2:
        return False
    asking = sum(block.role in _TEXT and questions.asks(block.text) for block in blocks)
    return 2 * len(boxed) >= asking


def _asks_over(block: Block, following: Block | None) -> bool:
    if following is None or block.role not in _TEXT or following.role is not Role.PARAGRAPH:
        return False
    return questions.asks(block.text) and not questions.asks(following.text) and len(block.text.split()) > 3


_TEXT = (Role.PARAGRAPH, Role.ITEM)


def _asks_plainly(block: Block, following: Block | None, facts: Facts) -> bool:
    told = facts.asks_in_items if block.role is Role.ITEM else facts.asks_plainly
    return told and _asks_over(block, following)


def _asking_levels(headings: Sequence[Block]) -> frozenset[int]:
    of = Counter(block.level for block in headings)
    asking = Counter(block.level for block in headings if questions.asks(block.text))
    return frozenset(level for level, count in asking.items() if count >= 2 and count * 2 >= of[level])


def _values(blocks: Sequence[Block]) -> frozenset[str]:
    items = [blocks[at].text for at in places(map(MARKER, blocks))]
    names = Counter(flat(found[0]) for text in items if (found := NAME.match(text)))
    return frozenset(name for name, count in names.items() if count > 1)


def _titled_levels(blocks: Sequence[Block]) -> frozenset[int]:
    """The levels of headings over plain text of which few ask: "Who begins?" is the title of a rule among others."""
    over = [blocks[at] for at in headings(blocks[:-1]) if blocks[at + 1].role is not Role.HEADING]
    of = Counter(block.level for block in over)
    asking = Counter(block.level for block in over if questions.asks(block.text))
    return frozenset(level for level, count in of.items() if count - asking[level] >= max(TITLED, 2 * asking[level]))


def _are_counted_through(blocks: Sequence[Block]) -> bool:
    """Do paragraphs have numbers that run on under the next heading, and the one after it? A list begins anew."""
    last = following = over = others = 0
    fresh = False
    for block in blocks:
        if block.role is Role.HEADING:
            fresh = last > 0
        elif block.role is Role.ITEM and (sign := block.marker.strip(" .)")).isdecimal():
            number = int(sign)
            follows = number == last + 1
            following, others, over = following + follows, others + (not follows), over + (follows and fresh)
            last, fresh = number, False
    return over > 1 and following >= PLAIN_RULES and others * PLAIN_RULES <= following


def _amended_levels(blocks: Sequence[Block], grammar: Grammar) -> frozenset[int]:
    over = [(blocks[at].level, blocks[at + 1]) for at in headings(blocks[:-1])]
    of = Counter(level for level, _ in over)
    amended = Counter(level for level, below in over if errata.amends_outright(below.text, grammar))
    return frozenset(level for level, count in amended.items() if count >= FEW and count * 2 > of[level])


def _plain_numbers(blocks: Sequence[Block], grammar: Grammar) -> list[tuple[Block, rules.Number]]:
    """The paragraphs that begin with the number of a rule; most documents have none."""
    texts = list(map(TEXT, blocks))
    marked, many = places(map(MARKER, blocks)), places(map(grammar.many.match, texts))
    told = sorted({*marked, *many, *places(map(grammar.rule_word.match, map(flat, texts)))})
    return [(blocks[at], number) for at in told if (number := _plain_number(blocks[at], grammar))]


def _plain_number(block: Block, grammar: Grammar) -> rules.Number | None:
    """The number of a rule at the start of a paragraph: of several parts only, as "1." is a list."""
    if block.role not in (Role.PARAGRAPH, Role.ITEM):
        return None
    text = rules.with_number(block)[0] if block.marker else block.text
    number = (block.marker and rules.margin_number(block)) or rules.sure_number(text, grammar)
    return number if number and number.end < len(text) else None


# ---------------------------------------------------------------- one block after the other


def label(blocks: Sequence[Block], facts: Facts, grammar: Grammar) -> list[Part]:
    """The parts of a document in order."""
    parts: list[Part] = []
    state = _State(in_errata=facts.errata_title or facts.errata_first, in_glossary=facts.glossary_title)
    waiting = False  # a marker stood alone: the next block is the question or answer
    outside, region = state, 0  # what was open before the box that is being read
    for block, following in zip(blocks, [*blocks[1:], None], strict=False):  # without blocks there is one None
        if block.region != region:
            outside, state = (state, state) if not region else (outside, _out_of_box(state, outside, block))
            region = block.region
        made = _label(block, following, facts, state, grammar)
        sign = made[0].sign
        if state.open is Sign.ERRATUM:
            if sign is Sign.HEADING and _is_inner(block, parts, state.above):
                made = [_part(Sign.BODY, replace(block, role=Role.PARAGRAPH, level=0), block.text)]
            elif sign is Sign.ERRATUM and _is_awaited(made[0], parts[-1]):
                made = [_part(Sign.BODY, block, block.text)]
            elif sign is Sign.BODY and block.bold and _is_next_target(block, following, parts, grammar):
                pages, target = _pages_in(block.text, grammar)
                made = [Part(sign=Sign.ERRATUM, block=block, text=target, pages=pages)]
        if waiting and made[0].sign is Sign.BODY:
            previous = parts.pop()
            joined = replace(block, addresses=previous.block.addresses + block.addresses)
            made = [replace(previous, block=joined, text=block.text)]
        if parts and (made[0].sign not in _ASKED or parts[-1].sign is Sign.RULE):
            made = _beside(parts, made, block, state)
        waiting = not made[-1].text and made[-1].sign in _ASKED and not made[-1].rest
        state = state.after(made, grammar, facts)
        parts += made
    return _unswapped(parts)


_ASKED = (Sign.QUESTION, Sign.ANSWER)


def _out_of_box(inside: _State, outside: _State, block: Block) -> _State:
    """A list of terms goes on behind a box as it was before, if it is still one."""
    goes_on = not block.region and outside.open is Sign.DEFINITION and inside.in_glossary == outside.in_glossary
    return outside if goes_on and outside.in_list and block.role is Role.ITEM else inside


def _beside(parts: list[Part], made: list[Part], block: Block, state: _State) -> list[Part]:
    """What was made of a block, as the part above it has it; that one may itself turn out to be something else."""
    above, sign = parts[-1], made[0].sign
    if above.sign is Sign.QUESTION and sign is Sign.BODY and block.marker.strip() in ARROWS:
        return [Part(sign=Sign.ANSWER, block=replace(block, role=Role.PARAGRAPH, marker=""), text=block.text)]
    if above.sign is Sign.RULE and above.level and _numbers_a_section(above, made[0]):
        parts[-1] = Part(sign=Sign.HEADING, block=above.block, text=above.block.text)
    elif above.sign is Sign.HEADING and sign is Sign.BODY and state.in_errata:
        parts[-1] = replace(above, stated=True)
    if sign is Sign.ERRATUM and block.role is Role.TABLE and _introduces(parts[-2:]):
        parts[-2] = Part(sign=Sign.HEADING, block=parts[-2].block, text=parts[-2].block.text)
    return made


def _is_inner(block: Block, parts: Sequence[Part], above: int) -> bool:
    """A heading inside a new text: the instruction has just ended with a colon, or its quotation goes on."""
    at = max(n for n, each in enumerate(parts) if each.sign is Sign.ERRATUM)
    body = [each for each in (parts[at].rest, *(each.block for each in parts[at + 1 :])) if each is not None]
    if not body or block.level <= above:
        return False
    return body[-1].text.rstrip().endswith(":") or (block.level >= parts[at].level and errata.is_open(body))


def _is_awaited(erratum: Part, above: Part) -> bool:
    """What stands straight under a page and its target, or what an instruction has announced with a colon, belongs
    to it, though it begins like another amendment.
    """
    plain = not erratum.pages and not erratum.level and not erratum.block.bold
    headed = above.sign is Sign.ERRATUM and above.rest is None and bool(above.pages and above.text)
    headed = headed and not lead(erratum.block.text)
    return plain and (headed or (above.rest or above.block).text.rstrip().endswith(":"))


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
    for at in [at for at, held in enumerate(parts[:-1]) if held.sign is Sign.ANSWER]:
        one, other = parts[at : at + 2]
        if other.sign is not Sign.QUESTION or not questions.asks(one.text):
            continue
        if at > 0 and parts[at - 1].sign in (Sign.ANSWER, Sign.BODY) and "?" not in other.text:
            parts[at : at + 2] = [replace(one, sign=Sign.QUESTION), replace(other, sign=Sign.ANSWER)]
    return parts


def _numbers_a_section(above: Part, below: Part) -> bool:
    """A numbered heading straight over another kind of entry, over its own first rule ("2 Turns", "2.1 Set up"),
    or over a smaller heading.
    """
    if below.sign is Sign.HEADING:
        return below.block.level > above.level
    own = below.sign is Sign.RULE and bool(re.match(re.escape(f"{above.number}") + r"[-.]\w", below.number or ""))
    deeper = below.sign is Sign.RULE and (below.level > above.level or not below.level)  # "Chapter I" over "Article 1"
    titled = below.sign is Sign.HEADING and below.block.level > above.level  # "Appendix C" over "Match points"
    return below.sign in _OTHERS or own or deeper or titled


_OTHERS = (Sign.QUESTION, Sign.ERRATUM, Sign.DEFINITION)  # a number above one of these numbers a section


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
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

    def after(self, parts: Sequence[Part], grammar: Grammar, facts: Facts) -> _State:
        state = self
        for each in parts:
            if each.sign not in GOES_ON:
                state = state._after(each, grammar, facts)
            elif each.sign is Sign.ANSWER and state.open is not Sign.QUESTION:
                state = replace(state, open=Sign.QUESTION)
        return state

    def _after(self, one: Part, grammar: Grammar, facts: Facts) -> _State:
        if one.sign is Sign.QUESTION and self.in_errata and facts.errata_first:
            return replace(self._inside(one), in_errata=False)
        if one.sign not in (Sign.RULE, Sign.HEADING):
            return self._inside(one)
        inside, level = self._glossary(one, grammar, facts)
        headed = one.sign is Sign.HEADING or one.level
        state = self._under(one, grammar, facts) if headed else self._inside(one)
        chapter = _chapter(one.number) if one.number else ""
        if (chapter, inside, level) == (state.chapter, state.in_glossary, state.glossary_level):
            return state
        return replace(state, chapter=chapter, in_glossary=inside, glossary_level=level)

    def _glossary(self, one: Part, grammar: Grammar, facts: Facts) -> tuple[bool, int]:
        """Whether terms are listed under this heading, and the level of the heading that says so."""
        if grammar.glossary.search(flat(one.block.text)) and (not one.number or _names_terms(one.text, grammar)):
            return True, one.block.level
        deeper = one.block.level > self.glossary_level
        return (self.in_glossary, self.glossary_level) if deeper or facts.glossary_title else (False, 0)

    def _under(self, one: Part, grammar: Grammar, facts: Facts) -> _State:
        """Under a heading."""
        if is_front(one.block, facts.front):
            return replace(self, open=one.sign, above=0)
        level = one.block.level
        if grammar.errata_heading.search(flat(one.block.text)):
            return _state(in_errata=True, errata_level=level, open=one.sign, above=level)
        stays = self.in_errata and (level > self.errata_level or self.errata_level == 0)
        return _state(in_errata=stays, errata_level=self.errata_level if stays else 0, open=one.sign, above=level)

    def _inside(self, one: Part) -> _State:
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


_state = quick(_State)
_opened = quick_replace(_State, "open", "in_list", "depth", "run_in", "amended", "headed", "paged")


def _label(block: Block, following: Block | None, facts: Facts, state: _State, grammar: Grammar) -> list[Part]:
    if block.role is Role.TABLE:
        return (
            _table_of_errata(block, state, grammar)
            or _table_of_questions(block, state, grammar)
            or _table_of_terms(block, state, grammar)
            or [Part(sign=Sign.TABLE, block=block)]
        )
    text = block.text
    if text[-1:] not in STOPS and is_contents_line(block):
        return [Part(sign=Sign.BODY, block=block)]
    signed = text[-2:-1] in DIGITS and _is_signed(block, following, grammar)  # of a year, before its stop or end
    small = block.size < SMALLER * facts.body_size or "©" in text
    pulled = block.size > PULLED * facts.body_size and block.role is Role.PARAGRAPH and text[:1] in errata.OPENERS
    printed = small and _is_imprint(block, facts.body_size) and not questions.marker(text, facts.marks, grammar)
    if signed or pulled or printed:
        return [Part(sign=Sign.BODY, block=block, imprint=True)]
    return (
        _marked(block, facts, state, grammar)
        or _erratum(block, following, facts, state, grammar)
        or _rule(block, facts, state, grammar)
        or _unmarked(block, following, facts, state, grammar)
        or _definition(block, facts, state, grammar)
        or _term_line(block, following, facts, state, grammar)
        or [_part(Sign.HEADING if block.role is Role.HEADING else Sign.BODY, block, text)]
    )


def _is_imprint(block: Block, body_size: float) -> bool:
    """Small print or a note at the end, set apart from the text above it, or a line of copyright."""
    noted = block.size < SMALLER * body_size and block.marker in NOTES
    small = noted or (block.size < SMALL * body_size and block.role is Role.PARAGRAPH)
    begins = noted and block.gap == 0.0  # a column or a page: how far it stands from the text above cannot be told
    return (small and (block.gap >= APART or block.centred or begins)) or (
        "©" in block.text and (block.size < body_size or block.text.lstrip().startswith("©"))
    )


def _is_signed(block: Block, following: Block | None, grammar: Grammar) -> bool:
    """ "Done at Saltmarch, 14 March 2026", with nothing under it but names: the end of what was decided."""
    if len(block.text) > SIGNED or block.role is not Role.PARAGRAPH or not (found := DATED.match(block.text)):
        return False
    dated = find_date(block.text[found.end(1) :], grammar) is not None and block.text.rstrip(" .")[-1:].isdecimal()
    names = following is None or following.role is Role.HEADING or len(following.text.split()) <= LABEL_WORDS
    return dated and names


def without_weak_headings(blocks: Sequence[Block], facts: Facts, body_size: float, colour: str) -> list[Block]:
    """A plain line in capitals, or one that announces with a colon, is no heading where others are bold or larger."""
    if not facts.strong_headings:
        return list(blocks)
    made = list(blocks)
    for at in headings(blocks):
        if _is_weak(blocks[at], body_size, colour):
            made[at] = replace(blocks[at], role=Role.PARAGRAPH)
    return made


def with_named_sections(blocks: Sequence[Block], grammar: Grammar) -> list[Block]:
    """A line that is nothing but "FAQ" or "Errata" heads a section, whatever its type."""
    made = list(blocks)
    if not (found := [at for at, b in enumerate(blocks) if len(b.text) <= NAMED and _names_a_section(b, grammar)]):
        return made
    levels = [blocks[at].level for at in headings(blocks)]
    level = Counter(levels[1:] or levels).most_common(1)[0][0] if levels else 1
    for at in found:
        below = blocks[at + 1] if at + 1 < len(blocks) else blocks[at]
        if at == 1 and below.role is Role.HEADING and below.level < level:
            continue  # under the title, and over larger headings: it says what the document is
        made[at] = replace(blocks[at], role=Role.HEADING, level=level)
    return made


def with_underlined_headings(blocks: list[Block]) -> list[Block]:
    """Short lines that are underlined from end to end are headings under all others, where there are some of them."""
    if not any(map(_UNDERLINED, chain.from_iterable(map(SPANS, blocks)))):
        return blocks
    lined = [at for at, block in enumerate(blocks) if block.text.spans and block.text.spans[0].underlined]
    found = [at for at in lined if _is_underlined_line(blocks[at])]
    if len(found) < FEW:
        return blocks
    level = 1 + max((block.level for block in blocks if block.role is Role.HEADING), default=0)
    for at in found:
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
    made = list(blocks)
    for at in reversed(places(map(BOLD, blocks))):
        block, end = blocks[at], _title_line(blocks[at])
        if end and (level := _level_alike(block, blocks)):
            made[at : at + 1] = replace(part(block, 0, end), role=Role.HEADING, level=level), part(block, end)
    return made


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


def _is_weak(block: Block, body_size: float, colour: str) -> bool:
    plain = not block.bold and not block.italic and block.colour == colour and block.size <= LARGER * body_size
    return plain and not block.text.spans[0].underlined


def _marked(block: Block, facts: Facts, state: _State, grammar: Grammar) -> list[Part]:
    """A marker of this document; an answer's counts only after a question, a heading "A" is of an alphabet."""
    found = questions.marker(block.text, facts.marks, grammar)
    if found is None:
        return []
    which, end = found
    lone = block.role is Role.HEADING and len(block.text.strip()) == 1
    if lone or (which == "a" and state.open is not Sign.QUESTION):
        return []
    block = replace(block, role=Role.PARAGRAPH, marker="") if block.marker else block  # "1. A: No." is no list item
    return [_part(Sign.QUESTION if which == "q" else Sign.ANSWER, block, trim(cut(block.text, end)))]


def _unmarked(block: Block, following: Block | None, facts: Facts, state: _State, grammar: Grammar) -> list[Part]:
    """Questions without a marker: headings, bold or numbered paragraphs, the bold beginning of a paragraph."""
    if block.role is Role.HEADING:
        asking = (questions.asks(block.text) and not facts.marks.any) or block.level in facts.asking_levels
        asking = asking and not facts.marks.any  # "What's new?" above marked questions is a heading
        asking = asking and (block.level in facts.asking_levels or _may_ask_there(block, following, facts))
        asking = asking and block.level not in facts.titled_levels
        asking = asking and not grammar.contents.fullmatch(flat(block.text.strip()))
        if not asking or following is None or (following.role is Role.HEADING and following.level <= block.level):
            return []
        answered = grammar.answer_alone.match(following.text)  # "Answer 1"
        if not questions.asks(block.text) and following.role is Role.HEADING and not answered:
            return []
        return [Part(sign=Sign.QUESTION, block=block, text=_unnumbered(block.text, grammar), level=block.level)]
    numbered = facts.asks_by_number and _plain_number(block, grammar) is not None and questions.asks(block.text)
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
        or _asks_plainly(block, following, facts)
        or _asks_in_bold(block, following, facts)
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


def _erratum(block: Block, following: Block | None, facts: Facts, state: _State, grammar: Grammar) -> list[Part]:
    apart = block.role is Role.HEADING or block.bold
    if not apart and state.in_errata:
        apart = _ends_with_pages(block, grammar)
        apart = apart or (not state.paged and _is_over_instruction(block, following, grammar))
    bare = facts.bare_pages and state.in_errata and _is_bare_page(block, grammar)
    head = errata.page_head(block.text, grammar, loose=apart or bare or (state.in_errata and lead(block.text) > 0))
    if head and _is_head(block, following, head, apart, facts, state, grammar):
        instructed = following is not None and errata.instruction_start(following.text, grammar) is not None
        below = _may_correct(following, grammar)
        end = errata.target_end(block, head.target, grammar, told_below=below, instructed=instructed)
        target = errata.clean_target(cut(block.text, head.target, end))
        rest = _rest(block, end)
        return [Part(sign=Sign.ERRATUM, block=block, text=target, rest=rest, pages=head.pages, level=_level(block))]
    if apart and following is not None and len(block.text.split()) <= HEADING_WORDS:
        return _headed_erratum(block, following, facts, state, grammar)
    return _loose_erratum(block, facts, state, grammar)


def _headed_erratum(block: Block, following: Block, facts: Facts, state: _State, grammar: Grammar) -> list[Part]:
    """A heading (or bold line) that is an instruction, that has pages, or that has an instruction under it."""
    told_below = _is_target(block, following, facts, state, grammar)
    if not state.in_errata and not told_below:
        return []
    if state.in_errata and block.text.rstrip().endswith(":") and errata.instruction_start(block.text, grammar):
        told = replace(block, role=Role.PARAGRAPH)
        return [Part(sign=Sign.ERRATUM, block=block, rest=told, level=_level(block))]
    pages, target = _pages_in(block.text, grammar)
    paged = bool(pages) and state.in_errata and following.role is not Role.HEADING and not questions.asks(block.text)
    asked = questions.marker(following.text, facts.marks, grammar) is not None
    if told_below or (paged and not asked):
        return [Part(sign=Sign.ERRATUM, block=block, text=target, pages=pages, level=_level(block))]
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
    block: Block, following: Block | None, head: errata.Head, apart: bool, facts: Facts, state: _State, grammar: Grammar
) -> bool:
    """Pages at the start of a block are a head unless questions follow, or it is a sentence about a page."""
    if following is not None and questions.marker(following.text, facts.marks, grammar):
        return False
    if apart or state.in_errata or _leads(block, head):
        return True
    if following is not None and errata.instruction_start(following.text, grammar) is not None:
        return True
    rest = _rest(block, errata.target_end(block, head.target, grammar, told_below=False, instructed=False))
    return any(errata.operation_of(text, grammar) is not None for text in (block.text, rest.text if rest else ""))


def _leads(block: Block, head: errata.Head) -> bool:
    """ "**Page 6, Roads:** A road may …": the bold beginning is pages and a target."""
    end = lead(block.text)
    return head.target <= end and is_lead(block.text, end) and not questions.asks(block.text)


def _rest(block: Block, end: int) -> Block | None:
    stop = errata.SEPARATOR.match(block.text, end)
    start = stop.end() if stop else end
    return part(block, start) if block.text[start:].strip() else None


def _level(block: Block) -> int:
    return block.level if block.role is Role.HEADING else 0


def _is_target(block: Block, following: Block, facts: Facts, state: _State, grammar: Grammar) -> bool:
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
    told = errata.instruction_start(block.text, grammar) and block.text.rstrip().endswith((":", "."))
    if operation is None or told:
        return False
    return expected or quotes or (short and bool(grammar.announce.search(flat(following.text))))


def _quotes_what_it_amends(block: Block, grammar: Grammar) -> bool:
    """ "Replace ‘A’ with ‘B’.": an amendment wherever it stands."""
    if not errata.QUOTES.search(block.text) or not errata.verb_at(flat(block.text), 0, grammar):
        return False
    return bool(errata.quotations(block.text))


def _pages_in(text: Text, grammar: Grammar) -> tuple[tuple[int, ...], Text]:
    """The pages in brackets after a target, and the target without them."""
    found = grammar.page_reference.search(flat(text))
    if not found:
        tail = errata.page_tail(text, grammar)
        return (tail[0], rules.clean_title(cut(text, 0, tail[1]))) if tail else ((), rules.clean_title(text))
    pages, _ = errata.page_numbers(flat(text)[found.start("pages") : found.end("pages")], grammar)
    if text[found.end() :].strip():
        return pages, rules.clean_title(text)
    return pages, rules.clean_title(cut(text, 0, found.start()))


def _loose_erratum(block: Block, facts: Facts, state: _State, grammar: Grammar) -> list[Part]:
    """Among errata: "**Robe (p. 96)** – should read …", or an instruction without any head."""
    if facts.amended_terms and state.open is not Sign.QUESTION and (term := definitions.term(block, grammar)):
        return [Part(sign=Sign.ERRATUM, block=block, text=term.name, rest=_rest(block, term.body))]
    inside = state.open is Sign.ERRATUM and not state.in_list
    if not state.in_errata or state.open is Sign.QUESTION or (inside and block.role is Role.ITEM):
        return []
    term = definitions.term(block, grammar, loose=True)
    if term and (state.open is not Sign.ERRATUM or term.refs or block.role is Role.ITEM or state.run_in):
        pages, _ = _pages_in(cut(block.text, 0, term.body), grammar)
        if pages or errata.operation_of(block.text[term.body :], grammar):
            rest = part(block, term.body) if block.text[term.body :].strip() else None
            return [Part(sign=Sign.ERRATUM, block=block, text=term.name, rest=rest, pages=pages)]
    if begins := _run_in(block, grammar, inside=state.open is Sign.ERRATUM and not state.run_in):
        target = errata.clean_target(cut(block.text, 0, begins))
        return [Part(sign=Sign.ERRATUM, block=block, text=target, rest=_rest(block, begins))]
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
        told = errata.verb_at(flat(rest), 0, grammar) if inside else errata.instruction_start(rest, grammar)
        return end if told else 0
    plain = re.search(r"\.\s+", text) if not end and text[:1].isupper() else None
    if plain is None or len(text[: plain.start()].split()) > LABEL_WORDS or NO_NAME.search(text, 0, plain.start()):
        return 0
    return plain.start() if errata.amends_outright(cut(text, plain.end()), grammar) else 0


def _named_item(block: Block, facts: Facts, grammar: Grammar) -> int:
    """ "• Mirage: the cost should be 2, not 3.": where the amendment begins behind what it amends; else 0.

    Without a bullet it takes a name in italics, or a quotation of what is amended.
    """
    item = block.role is Role.ITEM
    found = (NAME if item else QUOTED_NAME).match(block.text) if item or block.role is Role.PARAGRAPH else None
    if not found or len(found[0].split()) > LABEL_WORDS:
        return 0
    named = item or found.end() - lead(block.text, "italic") < FEW
    if not named and not errata.quotations(block.text[found.end() :]):
        return 0
    name = flat(found[0])
    if name in facts.values:
        return 0
    piece = grammar.piece.search(name) and not (named and errata.quotations(found[0]))  # a *card “Mirage”* is none
    told = piece or grammar.place.search(name) or errata.operation_of(found[0], grammar)
    return found.end() if not told and errata.operation_of(block.text[found.end() :], grammar) else 0


def _table_of_errata(block: Block, state: _State, grammar: Grammar) -> list[Part]:
    """A table with the old text and the new in columns of their own: each row is an erratum.

    One with a column of pages among errata is one, too; the last cell may say what to do instead. Articles may stand
    for pages where both texts are there.
    """
    header = [flat(cell.strip()) for cell in block.rows[0]] if block.rows else []
    column = next((at for at, cell in enumerate(header) if cell in grammar.page_words), None)
    if len(header) < 2:
        return []
    old = _column_of(header, grammar.old_heads)
    new = _column_of(header, grammar.new_heads, old)
    told = column is not None or _names_articles(block, (old, new), state, grammar)
    rows = _with_pages(block.rows[1:], column)
    if old is not None and new is not None and told:
        return [_old_and_new(block, row, (column, old, new), grammar) for row in rows]
    if column is None:
        return []
    made = []
    for row in rows if state.in_errata else ():
        pages, _ = errata.page_numbers(flat(row[column]), grammar)
        others = [cell for at, cell in enumerate(row) if at != column and cell.strip()]
        if others:
            target = rules.clean_title(join(map(in_one_line, others[:-1]), ", "))
            made.append(Part(sign=Sign.ERRATUM, block=block, text=target, pages=pages, rest=_told(block, others[-1])))
    return made


def _with_pages(rows: Sequence[tuple[Text, ...]], column: int | None) -> list[tuple[Text, ...]]:
    """The rows of a table, each with the page that it stands under: one cell may be that of several."""
    if column is None:
        return list(rows)
    made: list[tuple[Text, ...]] = []
    for row in rows:
        told = row[column] if row[column].strip() or not made else made[-1][column]
        made.append((*row[:column], told, *row[column + 1 :]))
    return made


def _column_of(header: Sequence[str], heads: frozenset[str], taken: int | None = None) -> int | None:
    """The column with one of these heads, or with a word of one in its own: "Texte correct", "Version corrigée"."""
    exact = [at for at, cell in enumerate(header) if cell in heads and at != taken]
    if exact:
        return exact[0]
    long = tuple(head for head in heads if len(head) > SHORT_WORD)
    near = ((at, word) for at, cell in enumerate(header) if at != taken for word in cell.split())
    return next((at for at, word in near if word.startswith(long) and heads & {word, word[:-1], word[:-2]}), None)


def _names_articles(block: Block, texts: tuple[int | None, ...], state: _State, grammar: Grammar) -> bool:
    """Does every row say what it amends? Where no amendments are expected, most of them by the number of a rule."""
    others = [[cell for at, cell in enumerate(row) if at not in texts and cell.strip()] for row in block.rows[1:]]
    numbered = sum(bool(cells) and rules.rule_number(f"{cells[0]} x", grammar) is not None for cells in others)
    return all(others) and (state.in_errata or 2 * numbered > len(others))


def _told(block: Block, cell: Text) -> Block:
    """A cell as a paragraph."""
    return replace(block, role=Role.PARAGRAPH, text=in_one_line(cell), rows=(), breaks=())


def _table_of_questions(block: Block, state: _State, grammar: Grammar) -> list[Part]:
    """A table with a column of questions and one of answers, and none besides but numbers, or cards."""
    if asking := _asking_rows(block):
        return [Part(sign=Sign.QUESTION, block=block, text=row[0], rest=_told(block, row[1])) for row in asking]
    header = [flat(cell.strip()) for cell in block.rows[0]] if block.rows else []
    asked = next((at for at, cell in enumerate(header) if _heads(cell, grammar.words.question)), None)
    answered = next((at for at, cell in enumerate(header) if at != asked and _heads(cell, grammar.words.answer)), None)
    if asked is None or answered is None or any(not row[asked].strip() for row in block.rows[1:2]):
        return []
    made = []
    for row in block.rows[1:]:
        names = [at for at, cell in enumerate(row) if at not in (asked, answered) and any(map(str.isalpha, cell))]
        if len(names) > 1 or any(at > asked or len(row[at].split()) > LABEL_WORDS for at in names):
            return []
        made += [_card(block, row[at], state.above + 1) for at in names]
        first, *more = split_lines(row[answered])
        if row[asked].strip():
            made.append(Part(sign=Sign.QUESTION, block=block, text=in_one_line(row[asked]), rest=_told(block, first)))
        else:  # the cell above goes on
            more = [first, *more]
        made += [_goes_on(block, text) for text in more]
    return made


def _goes_on(block: Block, text: Text) -> Part:
    """Another paragraph of what a row of a table began."""
    return Part(sign=Sign.BODY, block=_told(block, text), text=text)


def _asking_rows(block: Block) -> list[tuple[Text, ...]]:
    """The rows of two columns without a header, before which numbers may stand: every cell of the first asks, and none
    of the second. None where it is another table."""
    rows = [row[1:] if len(row) > 2 and row[0].strip(" .)").isdecimal() else row for row in block.rows]
    if len(rows) < 2 or any(len(row) != 2 for row in rows):
        return []
    asks = [(questions.asks(row[0]), questions.asks(row[1]) or not row[1].strip()) for row in rows]
    return rows if asks == [(True, False)] * len(asks) else []


def _card(block: Block, name: Text, level: int) -> Part:
    """The card, unit or ability that a row of a table is about, as a heading over it."""
    head = replace(_told(block, name), role=Role.HEADING, level=level, addresses=())  # its words are the row's
    return Part(sign=Sign.HEADING, block=head, card=True)


def _heads(cell: str, words: Question | Answer) -> bool:
    """Does it head a column of questions or of answers: "Q", "Question", "Questions des joueurs"?"""
    stems = tuple(flat(word)[:-1] for word in words.words if len(word) > SHORT_WORD)
    return cell.startswith(stems) or cell.upper() in words.letters


def _table_of_terms(block: Block, state: _State, grammar: Grammar) -> list[Part]:
    """A table in a glossary: terms, what they mean, and between them perhaps their names in another language."""
    if not state.in_glossary or not block.rows or any(len(row) not in (2, 3) for row in block.rows):
        return []
    if 2 * sum(row[-1].count(" ") > 1 for row in block.rows) < len(block.rows):
        return []  # prices and the like, no meanings
    made = []
    for row in block.rows[_has_header(block.rows) :]:
        named = definitions.named(row[0], grammar)
        if named and row[-1].strip():
            named = _with_name(named, row[1:-1])
            first, *more = split_lines(row[-1])
            made.append(Part(sign=Sign.DEFINITION, block=block, text=named.name, rest=_told(block, first), term=named))
            made += [_goes_on(block, text) for text in more]
        elif made:  # another paragraph of the cell above
            made.append(_goes_on(block, join([cell for cell in row if cell])))
    return made


def _with_name(term: definitions.Term, cells: Sequence[Text]) -> definitions.Term:
    """A term with what a column of its own says of it: its pages, or its name elsewhere."""
    told = tuple(str(cell).strip() for cell in cells if cell.strip())
    if any(cell[-1:] in DIGITS for cell in told):
        return replace(term, refs=term.refs + tuple(ref for cell in told for ref in definitions.references(cell)))
    return replace(term, aliases=term.aliases + told)


def _has_header(rows: Sequence[tuple[Text, ...]]) -> bool:
    """Is the last cell of the first row bold, and no other under it?"""
    first, *others = (lead(row[-1]) >= len(row[-1].rstrip()) > 0 for row in rows)
    return first and not any(others)


def _old_and_new(block: Block, row: tuple[Text, ...], columns: tuple[int | None, int, int], grammar: Grammar) -> Part:
    """A row that has the old text and the new in columns of their own; without an old text the new one is added."""
    column, *texts = columns
    cell = flat(row[column]).strip() if column is not None else ""
    paged = cell[:1].isdigit() or grammar.page_head.match(cell) is not None  # not "Card 27"
    pages = errata.page_numbers(cell, grammar)[0] if paged else ()
    old, new = (row[at] if any(map(str.isalnum, row[at])) else None for at in texts)
    old = in_one_line(old) if old else None
    named = [in_one_line(cell) for at, cell in enumerate(row) if at not in texts and not (paged and at == column)]
    target = join([cell for cell in named if cell.strip()], ", ")
    erratum = Part(sign=Sign.ERRATUM, block=block, text=rules.clean_title(target), pages=pages)
    if new is not None and old is None and errata.operation_of(new, grammar):
        return replace(erratum, rest=_told(block, new))
    operation = Operation.INSERT if old is None else Operation.DELETE if new is None else Operation.REPLACE
    return replace(erratum, change=Change(operation=operation, old=old, new=tuple(split_lines(new)) if new else ()))


def _rule(block: Block, facts: Facts, state: _State, grammar: Grammar) -> list[Part]:
    text, _ = rules.with_number(block)
    number = (block.marker and rules.margin_number(block)) or rules.rule_number(text, grammar)
    if number is None:
        return []
    heading = block.role is Role.HEADING or (block.bold and block.role is Role.PARAGRAPH and number.sure)
    asking = block.role is Role.HEADING and block.level in facts.asking_levels
    if asking or questions.asks(text):
        return []
    if heading and facts.numbered:
        title, _ = rules.title_and_rest(block, text, number.end)
        if grammar.section_name.fullmatch(flat(title.strip())):  # "Section 1: Errata"
            return []
        return [Part(sign=Sign.RULE, block=block, text=title, number=number.number, depth=number.depth,
                     level=block.level or 50 + number.depth)]  # fmt: skip
    if not heading and not _is_paragraph_number(text, number, facts, state):
        return []
    bold_title = (number.sure or facts.run_in_rules) and _has_bold_title(text, number.end)
    plain = (number.sure and facts.plain_numbered) or (facts.counted_through and number.number.isdecimal())
    if heading or not (plain or bold_title) or state.open in (Sign.QUESTION, Sign.ERRATUM):
        return []
    title, rest = rules.title_and_rest(block, text, number.end)
    body = replace(block, text=rest, role=Role.PARAGRAPH, marker="", breaks=()) if rest.strip() else None
    return [Part(sign=Sign.RULE, block=block, text=title, rest=body, number=number.number, depth=number.depth)]


def _chapter(number: str) -> str:
    return re.split(r"[-.]", number)[0]


def _is_paragraph_number(text: Text, number: rules.Number, facts: Facts, state: _State) -> bool:
    """Not "0.50 + 0.88", not a word about a rule ("Section 2.3: updated"), and of the chapter that it stands in."""
    begins = text[number.end : number.end + 1]
    if (
        not facts.numbers.isdisjoint([("", number.number), (number.word, number.number)])
        or number.number.startswith("0")
        or not (begins.isalpha() or begins in "«“\"‘'([¿¡")
    ):
        return False
    return not facts.numbered or number.word in facts.counted or state.chapter == _chapter(number.number)


def _is_run_in_rule(block: Block, number: rules.Number) -> bool:
    return _has_bold_title(rules.with_number(block)[0], number.end)


def _has_bold_title(text: Text, start: int) -> bool:
    end = lead(text)
    return start < end and is_lead(text, end)


def _term_line(block: Block, following: Block | None, facts: Facts, state: _State, grammar: Grammar) -> list[Part]:
    """In a glossary: a term on a bold line of its own, its meaning under it."""
    apart = block.role is not Role.HEADING or block.level > state.glossary_level
    apart = apart and (block.bold or (state.in_glossary and definitions.is_alone(block.text, grammar)))
    apart = apart and not grammar.glossary.search(flat(block.text))  # its own title is no term of it
    if (
        not state.in_glossary
        or not apart
        or following is None
        or following.bold
        or following.role not in (Role.PARAGRAPH, Role.ITEM)
    ):
        return []
    if len(block.text.strip()) < 2 or len(block.text.split()) > HEADING_WORDS // 2 or is_front(block, facts.front):
        return []
    named = definitions.named(block.text, grammar)
    return [Part(sign=Sign.DEFINITION, block=block, text=named.name, term=named)] if named else []


def _definition(block: Block, facts: Facts, state: _State, grammar: Grammar) -> list[Part]:
    habits, ruled = facts.habits, facts.numbered or facts.plain_numbered or facts.run_in_rules
    forms = habits.forms if state.in_glossary or not habits.listed else frozenset()
    if (
        not (habits.dashes or forms or state.in_glossary)
        or state.open in (Sign.QUESTION, Sign.ERRATUM)
        or (state.open is Sign.RULE and ruled and not (state.in_glossary and not block.marker[:1].isdecimal()))
    ):
        return []
    inside = state.open is Sign.DEFINITION and state.headed  # where terms are set apart, "See also: …" is none
    plain = definitions.PLAIN if state.in_glossary and not inside else frozenset()
    term = definitions.term(block, grammar, forms=forms | plain)
    inner = block.role is Role.ITEM and (not state.in_list or block.level > state.depth)
    if term is None or (state.open is Sign.DEFINITION and inner):
        return []
    if flat(term.name) in habits.labels or grammar.rule_word.fullmatch(flat(term.name)):
        return []
    rest = part(block, term.body) if block.text[term.body :].strip() else None
    return [Part(sign=Sign.DEFINITION, block=block, text=term.name, rest=rest, term=term)]
