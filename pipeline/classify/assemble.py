"""Parts -> entries: an entry that has begun takes the paragraphs that follow, up to the next beginning or heading."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, repeat
from operator import attrgetter, is_
from typing import Any, NamedTuple

from pipeline.classify import definitions, errata, rules
from pipeline.classify.blocks import ends_sentence, is_contents_line, is_listing, paragraph, places, table_lines
from pipeline.classify.grammar import Grammar
from pipeline.classify.heads import BADGE
from pipeline.classify.identity import find_date
from pipeline.classify.labels.labelled_blocks import GOES_ON, SIGN, SMALL_PRINT, Part, Sign
from pipeline.classify.outline import Outline
from pipeline.classify.terms import alphabetical_heads, heads_of_abilities
from pipeline.classify.tree import Node
from pipeline.errors import counted
from pipeline.quick import quick, quick_replace
from pipeline.records import (
    QA,
    AnyEntry,
    Block,
    Definition,
    Erratum,
    Finding,
    Heading,
    Prose,
    Reason,
    Role,
    Rule,
    Table,
    Text,
)  # fmt: skip
from pipeline.text import cut, flat, fold, trim

CARD_NUMBER = re.compile(r"\((?:n\s?\.?\s?[°ºo]?\s?\.?|n\s?r\s?\.?|num\.?|núm\.?|č\.?|#)\s*\d+\)", re.IGNORECASE)
OUTLINE_NUMBER = re.compile(r"\d+(?:\.\d+)+\.?\s")  # "2.1 The wire"
SUBJECT_QUESTIONS = 4.0  # a card or unit has few questions; a section has many
SHORTEST = 3  # letters; a shorter name may be any word
LISTING_WORDS = 7  # of a heading over cards or units
SUBJECTS = 4  # so many headings make a habit
TERMS = 6  # times as many terms as headings with text: a list of terms, whose headings introduce them
STATED = 3  # so many statements under headings make a habit
CAPTION = 100  # letters; what is longer over a table, or in a table of contents, is text
SHOWN = 60  # letters of a question in a finding


@dataclass(slots=True, kw_only=True)
class _Open:
    """An entry that is being read."""

    part: Part
    section: tuple[str, ...]
    subject: Text | None
    body: list[tuple[Block, Text]] = field(default_factory=list)  # each with those of its words that count

    def take(self, block: Block) -> None:
        self.body.append((block, block.text))

    def blocks(self) -> list[Block]:
        return [block for block, _ in self.body]

    def addresses(self) -> tuple[str, ...]:
        listed = list(self.part.block.addresses)
        for block, _ in self.body:
            listed += block.addresses
        return tuple(dict.fromkeys(listed))


class _Above(NamedTuple):
    """A heading over what the walk has come to."""

    level: int
    text: Text
    card: bool  # a card, unit or ability: no section


@dataclass(slots=True, kw_only=True)
class _Walk:
    """Where the walk through the document stands: the headings above, the entry that is open, what was made."""

    grammar: Grammar
    plan: Outline
    subjects: frozenset[int]
    cards: frozenset[int]  # headings (ids of blocks) with the number of a card, or like those
    telling: frozenset[int]  # headings (ids of blocks) with text under them, or under the tables that come first
    headed: frozenset[int]  # headings (ids of blocks) that are rules without a number
    listed: frozenset[int]  # headings (ids of blocks) that are terms, if they are no questions
    clarified: frozenset[int] = frozenset()  # levels of headings with statements that amend
    path: list[_Above] = field(default_factory=list)
    known: dict[int, _Above] = field(default_factory=dict)  # headings so far, by the identity of their node's block
    region: int = 0  # of the box that the walk is in
    outside: list[_Above] = field(default_factory=list)  # the headings above that box
    boxed_text: bool = False  # there was more than headings in it
    open: _Open | None = None
    fresh: bool = False  # nothing stands under the last heading yet
    entries: list[AnyEntry] = field(default_factory=list)
    after: list[AnyEntry] = field(default_factory=list)  # tables that stand inside the open entry: printed after it
    headings: list[Heading] = field(default_factory=list)
    above: list[tuple[Heading, int, tuple[str, ...]]] = field(default_factory=list)  # with the next entry, the section
    furniture: list[Heading] = field(default_factory=list)  # a table of contents
    caption: Block | None = None  # of the table that comes next
    tabled: bool = False  # the last part was a table
    contents: int | None = None  # the box of the table of contents that the walk is in; 0: it has none
    titles: frozenset[str] = frozenset()  # that may be listed there
    findings: list[Finding] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)

    def section(self) -> tuple[str, ...]:
        return tuple([str(above.text) for above in self.path if not above.card])

    def subject(self) -> Text | None:
        return next((above.text for above in reversed(self.path) if above.card), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    entries: tuple[AnyEntry, ...]
    headings: tuple[Heading, ...]
    furniture: tuple[Heading, ...]
    findings: tuple[Finding, ...]
    reasons: tuple[Reason, ...]


def assemble(parts: Sequence[Part], grammar: Grammar, plan: Outline, game: str = "") -> Assembled:
    """The entries of a document in reading order; every block is in one of them or is a heading."""
    stated, heads = _stated(parts), _places_of(Sign.HEADING, parts)
    walk = _Walk(
        grammar=grammar,
        plan=plan,
        clarified=clarified_levels(stated),
        subjects=subject_levels(parts, heads, plan.front),
        cards=numbered_cards(parts, heads, plan),
        telling=_over_text(parts, plan),
        headed=headed_rules(parts, plan, stated),
        listed=alphabetical_heads(plan.blocks, plan) | heads_of_abilities(plan.blocks, plan, grammar),
        titles=_listed_titles([parts[at].block for at in heads], grammar),
    )
    parts = _with_cards(parts, heads, grammar, fold(game))
    for part, following in zip(parts, [*parts[1:], None], strict=False):  # without parts there is one None
        if walk.region or part.block.region:
            _leave_box(walk, part)
        _take(walk, part, following)
    _close(walk)
    _keep_bare_headings(walk)
    return Assembled(
        entries=tuple(walk.entries), headings=tuple(walk.headings), furniture=tuple(walk.furniture),
        findings=tuple(walk.findings), reasons=tuple(walk.reasons),
    )  # fmt: skip


def _keep_bare_headings(walk: _Walk) -> None:
    """A heading with nothing under it is in no path: it is an entry of its own, where it stands."""
    ends: dict[str, int] = {}
    for heading, at, section in reversed(walk.above):
        text = str(heading.text)
        under = walk.entries[at : ends.get(text, len(walk.entries))]
        if not any(text in each.section or str(each.subject) == text or _is_titled(each, text) for each in under):
            entry = Prose(id="", text=heading.text, heading=True, section=section, page=heading.page,
                         addresses=heading.addresses)  # fmt: skip
            walk.entries.insert(at, entry)
            walk.headings.remove(heading)
        ends[text] = at


def _is_titled(entry: AnyEntry, text: str) -> bool:
    return isinstance(entry, Table) and str(entry.title) == text


def _places_of(sign: Sign, parts: Sequence[Part]) -> list[int]:
    """The places of the parts with a sign."""
    return places(map(is_, map(SIGN, parts), repeat(sign)))


def _listed_titles(heads: Sequence[Block], grammar: Grammar) -> frozenset[str]:
    """The headings of a document that has a table of contents."""
    titles = [block.text for block in heads]
    return frozenset(map(fold, titles)) if any(map(grammar.contents.fullmatch, map(flat, titles))) else frozenset()


def subject_levels(parts: Sequence[Part], heads: Sequence[int], front: frozenset[int]) -> frozenset[int]:
    """The heading level of cards, units and abilities without numbers: the deepest with few questions each.

    It takes a section that has questions of its own beside those of its cards, or questions elsewhere
    and the name of a card in one of its own: else they are sections.
    """
    blocks = [parts[at].block for at in heads if id(parts[at].block) not in front]
    headings = Counter(block.level for block in blocks)
    if any(CARD_NUMBER.search(block.text) for block in blocks):
        return frozenset()  # cards are told by their numbers
    asked = _asked(parts, heads)
    deepest = max(asked, default=0)
    under = _under_questions(parts, deepest, front)
    enough = headings[deepest] >= SUBJECTS or (headings[deepest] > 1 and all(under))
    few = enough and asked[deepest] <= SUBJECT_QUESTIONS * headings[deepest]
    sections = sum(_names_section(block.text) for block in blocks if block.level == deepest)
    above = any(asked[level] for level in headings if level < deepest)
    above = above and (any(under) or _asked_by_name(parts, deepest))
    return frozenset({deepest} if few and above and sections * 2 < headings[deepest] else ())


def numbered_cards(parts: Sequence[Part], heads: Sequence[int], plan: Outline) -> frozenset[int]:
    """The headings (ids of blocks) that are numbered like cards, and those of their type."""
    types = {id(parts[at].block): node.type for at in heads if (node := plan.node(parts[at].block)) is not None}
    numbered = [id(parts[at].block) for at in heads if CARD_NUMBER.search(parts[at].block.text)]
    every, cards = Counter(types.values()), Counter(types[one] for one in numbered if one in types)
    alike = {kind for kind, count in cards.items() if 3 * count >= every[kind]}
    return frozenset([*numbered, *(one for one, kind in types.items() if kind in alike)])


def _names_section(title: str) -> bool:
    """In capitals, or with the number of its section: no card is named so."""
    return title.isupper() or OUTLINE_NUMBER.match(title) is not None


def _under_questions(parts: Sequence[Part], level: int, front: frozenset[int]) -> list[bool]:
    """For each heading of this level: does its section have questions of its own, before the first such heading?"""
    asked: list[bool] = []
    own = inside = False
    for part in parts:
        if part.sign is Sign.QUESTION:
            own = own or inside
        elif part.sign is Sign.HEADING and part.block.level == level:
            asked.append(own)
            inside = False
        elif part.sign is Sign.HEADING and part.block.level < level:
            own, inside = False, id(part.block) not in front
    return asked


def _asked_by_name(parts: Sequence[Part], level: int) -> bool:
    """Has a question, inside its sentence, a word with a capital of the heading of this level that it stands under?"""
    words: list[str] = []
    for part in parts:
        if part.sign is Sign.HEADING:
            names = part.block.text.split() if part.block.level == level else ()
            words = [word for name in names if len(word := name.strip(",.:;()")) > SHORTEST and word[0].isupper()]
        elif part.sign is Sign.QUESTION and any(part.text.find(word) > 0 for word in words):
            return True
    return False


def _with_cards(parts: Sequence[Part], heads: Sequence[int], grammar: Grammar, game: str) -> list[Part]:
    """The headings straight under "Units" or "Cards", or named as cards are, where each has few questions.

    The name of a game may have such a word in it and says nothing.
    """
    changed = list(parts)
    # A page has the headings of a book; what is amended without one is a card.
    amended = {fold(parts[at].text) for at in _places_of(Sign.ERRATUM, parts) if not parts[at].pages}
    asking = _places_of(Sign.QUESTION, parts)
    texts = [parts[at].text for at in asking]
    for place, at in enumerate(heads):
        if not (below := _cards_below(parts, heads[place:], asking)):
            continue
        if any(grammar.section_name.fullmatch(flat(parts[number].block.text.strip())) for number in below):
            continue  # "Errata" is no card, nor is what stands beside it
        title = parts[at].block.text
        listing = len(title.split()) <= LISTING_WORDS and grammar.subjects.search(flat(title)) and fold(title) != game
        if listing or _are_named(parts, below, (asking, texts), amended, grammar):
            for number in below:
                changed[number] = _with_card(parts[number], card=True)
    return changed


def _are_named(
    parts: Sequence[Part], below: Sequence[int], questions: tuple[Sequence[int], Sequence[Text]], amended: set[str],
    grammar: Grammar,
) -> bool:  # fmt: skip
    """Are most of these headings amended elsewhere, or named inside a sentence of a question that stands under them?

    With its capitals: at the start of a question a name may be a word, and where nouns have capitals anywhere.
    """
    known, (asking, texts) = 0, questions
    for number, end in zip(below, [*below[1:], len(parts)], strict=True):
        name = str(parts[number].block.text).strip()
        distinct = len(name) > SHORTEST and (" " in name or not grammar.words.capital_nouns)
        asked = texts[bisect(asking, number) : bisect(asking, end)] if distinct else []
        within = any(_is_within(each, asked) for each in (name, _behind_kind(name, grammar)) if each)
        known += within or fold(name) in amended
    return known > 1 and 2 * known >= len(below)


def _behind_kind(name: str, grammar: Grammar) -> str:
    """The name of a card or tile behind the word for it: "Tuile Atelier"."""
    kind, _, rest = name.partition(" ")
    return rest if rest[:1].isupper() and grammar.subjects.fullmatch(flat(kind)) else ""


def _is_within(name: str, asked: Sequence[str]) -> bool:
    return name in "\n".join(asked) and any(text.find(name) > 0 for text in asked)


_with_card = quick_replace(Part, "card")


def _cards_below(parts: Sequence[Part], heads: Sequence[int], asking: Sequence[int]) -> list[int]:
    """The headings under the first one, which lists them, if they are all of one level and have few questions each."""
    level, cards, end = parts[heads[0]].block.level, [], len(parts)
    for at in heads[1:]:
        if parts[at].block.level <= level:
            end = at
            break
        cards.append(at)
    if len(cards) < 2 or len({parts[at].block.level for at in cards}) > 1:
        return []
    asked = bisect(asking, end) - bisect(asking, cards[0])
    return cards if 0 < asked <= SUBJECT_QUESTIONS * len(cards) else []


def _asked(parts: Sequence[Part], heads: Sequence[int]) -> Counter[int]:
    """How many questions stand straight under headings of each level."""
    levels = [0, *(parts[at].block.level for at in heads)]
    return Counter([levels[bisect(heads, at)] for at in _places_of(Sign.QUESTION, parts) if not parts[at].level])


def headed_rules(parts: Sequence[Part], plan: Outline, stated: _Stated) -> frozenset[int]:
    """The headings (ids of blocks) that are rules without a number: with text straight under them, in a document of
    rules, or where those of their look that stand beside them have no questions or amendments either."""
    answered: set[int] = set()  # nodes with questions or amendments somewhere under them
    current: list[Node] = []
    for part in parts:
        node = plan.node(part.block)
        if node is not None:
            current = [*node.above(), node]
        if part.sign in (Sign.QUESTION, Sign.ERRATUM):
            answered.update(id(each) for each in current)
    nodes = [(plan.node(one.block), one) for one, two in pairwise(parts) if one.sign is Sign.HEADING
            and two.sign in (Sign.BODY, Sign.TABLE)]  # fmt: skip
    stating = [(node, part) for node, part in nodes if node is not None]
    signs = Counter(map(SIGN, parts))
    if signs[Sign.DEFINITION] >= TERMS * (len(stating) + signs[Sign.RULE]):
        return frozenset()
    if not answered:
        return frozenset(id(part.block) for _, part in stating)
    beside: dict[tuple[int, object], list[bool]] = {}
    for each in plan.nodes.values():
        beside.setdefault((id(each.parent), each.evidence.look), []).append(id(each) in answered)
    alike = [beside[id(node.parent), node.evidence.look] for node, _ in stating]
    free = [(node, part) for (node, part), others in zip(stating, alike, strict=True)
            if id(node) not in answered and 2 * sum(others) < len(others)]  # fmt: skip
    numbered = signs[Sign.RULE]
    plain, amended = stated
    levels = {level for level, count in plain.items() if count >= STATED and count > amended[level]}
    free = free if len(free) + numbered >= STATED else []
    return frozenset(id(part.block) for node, part in stating if (node, part) in free or part.block.level in levels)


def _over_text(parts: Sequence[Part], plan: Outline) -> frozenset[int]:
    """The headings (ids of blocks) whose first part that is no table is text, and no small print under the table."""
    untabled = [(at, part) for at, part in enumerate(parts) if part.sign is not Sign.TABLE]
    return frozenset(id(one.block) for (at, one), (to, two) in pairwise(untabled)
                     if one.sign is Sign.HEADING and two.sign is Sign.BODY
                     and (to == at + 1 or two.block.size >= SMALL_PRINT * plan.body_size(one.block)))  # fmt: skip


def clarified_levels(stated: _Stated) -> frozenset[int]:
    """The levels of headings whose plain statements are amendments too: most of their like are."""
    plain, amended = stated
    return frozenset(level for level, count in plain.items() if count <= amended[level])


_Stated = tuple[Counter[int], Counter[int]]


def _stated(parts: Sequence[Part]) -> _Stated:
    """Headings with plain statements among amendments, and headings of amendments, by level."""
    amended = Counter([level for at in _places_of(Sign.ERRATUM, parts) if (level := parts[at].level)])
    return Counter([parts[at].block.level for at in places(map(attrgetter("stated"), parts))]), amended


def _is_dateline(block: Block, grammar: Grammar) -> bool:
    """ "Legal from 22nd July 2026" is no rule."""
    return find_date(block.text, grammar) is not None


def _clarifying(part: Part) -> Part:
    target = rules.clean_title(part.block.text)
    return replace(part, sign=Sign.ERRATUM, text=target, level=part.block.level, stated=False)


# ---------------------------------------------------------------- the walk


def _leave_box(walk: _Walk, part: Part) -> None:
    """The title of a sidebar governs nothing after it. A box of headings alone is a band over what follows."""
    region = part.block.region
    if region and not walk.region:
        walk.outside, walk.boxed_text = list(walk.path), False
    elif walk.region and not region and walk.boxed_text:
        deeper = len(walk.path) > len(walk.outside) and walk.path[: len(walk.outside)] == walk.outside
        if deeper and walk.outside:
            _close(walk)
            walk.path = walk.outside
    if region not in (0, walk.region) and _titles_a_box(walk, part):
        _close(walk)
    walk.region = region
    is_text = part.sign is not Sign.HEADING and not part.level and len(part.block.text) > BADGE
    walk.boxed_text = walk.boxed_text or is_text


def _titles_a_box(walk: _Walk, part: Part) -> bool:
    """A bold line over the text of a box, beside an answer: a sidebar, unless it is called an example."""
    if walk.open is None or walk.open.part.sign is not Sign.QUESTION or part.sign is not Sign.BODY:
        return False
    aside = walk.grammar.aside.match(flat(part.block.text))
    return part.block.bold and not aside and not _announced(walk.open)


def _take(walk: _Walk, part: Part, following: Part | None) -> None:
    if walk.contents is not None and part.sign is not Sign.BODY and is_contents_line(part.block, listed=True):
        walk.furniture.append(_as_heading(part.block))
        return
    sign = part.sign
    if sign is Sign.HEADING:
        _heading(walk, part)
    elif sign not in GOES_ON:
        _begin(walk, part)
    elif sign is Sign.ANSWER and walk.open and walk.open.part.sign is Sign.QUESTION:
        walk.open.body.append((part.block, part.text))
    elif sign is Sign.TABLE:
        _table(walk, part)
    elif following is not None and following.sign is Sign.TABLE and _is_caption(walk, part.block):
        walk.caption = part.block
    elif not (walk.tabled and _titles_the_last(walk, part.block)):
        _body(walk, part)
    walk.tabled = sign is Sign.TABLE


def _heading(walk: _Walk, part: Part) -> None:
    block = part.block
    if _is_inner(walk, block):
        walk.open.take(replace(block, role=Role.PARAGRAPH))  # type: ignore[union-attr]
        return
    if part.stated and block.level in walk.clarified:
        _begin(walk, _clarifying(part))
        return
    _close(walk)
    walk.headings.append(_as_heading(block))
    if id(block) in walk.plan.front:  # the title of the document is no section of it
        walk.path.clear()
        return
    _climb(walk, block)
    listing = walk.grammar.contents.fullmatch(flat(block.text.strip())) is not None
    walk.contents = block.region if listing else None
    if listing:  # governs its list only
        return
    card = part.card or block.level in walk.subjects or id(block) in walk.cards
    walk.above.append((walk.headings[-1], len(walk.entries), walk.section()))
    walk.path.append(_above(walk, block, card))
    walk.fresh = True
    states = id(block) in walk.telling and not _is_dateline(block, walk.grammar)
    node = walk.plan.node(block)
    titles = [block.text, *(each.block.text for each in node.above()[-1:])] if node else [block.text]
    states = states and not walk.grammar.introduction.fullmatch(flat(block.text))
    states = states and not any(walk.grammar.history.match(flat(title)) for title in titles)
    states = states and not walk.grammar.section_name.fullmatch(flat(block.text.strip()))
    if id(block) in walk.headed and states:
        _begin_headed(walk, part)


def _without_body(part: Part) -> Block:
    """A unit without what of its body stands in the same block: its number and title, as printed."""
    if part.rest is None:
        return part.block
    whole = rules.with_number(part.block)[0]
    return replace(part.block, text=trim(cut(whole, 0, len(whole) - len(part.rest.text))))


def _above(walk: _Walk, block: Block, card: bool, of: Block | None = None) -> _Above:
    above = _Above(block.level, block.text, card)
    if node := walk.plan.node(of or block):
        walk.known[id(node.block)] = above
    return above


def _begin_headed(walk: _Walk, part: Part) -> None:
    """A headed rule without a number: its heading is its title. Or a term among others."""
    walk.headings.pop()
    walk.above.pop()
    titled = replace(part, sign=Sign.RULE, text=rules.clean_title(part.block.text))
    if id(part.block) in walk.listed and (term := definitions.named(part.block.text, walk.grammar)):
        titled = replace(part, sign=Sign.DEFINITION, text=term.name, term=term)
    section = walk.section() if walk.path[-1].card else walk.section()[:-1]
    walk.open = _Open(part=titled, section=section, subject=None)


def _is_inner(walk: _Walk, block: Block) -> bool:
    """A smaller heading inside the answer to a question that is itself a heading."""
    opened = walk.open.part if walk.open else None
    return opened is not None and opened.sign is Sign.QUESTION and 0 < opened.level < block.level


def _climb(walk: _Walk, block: Block) -> None:
    """The headings above a block are those that the outline has over it."""
    node = walk.plan.node(block)
    if node is None:
        while walk.path and walk.path[-1].level >= block.level:
            walk.path.pop()
        return
    over = (walk.known.get(id(each.block)) for each in node.above())
    walk.path = [above for above in over if above is not None]


def _begin(walk: _Walk, part: Part) -> None:
    _close(walk)
    walk.fresh, walk.contents = False, None
    if part.level or part.number:
        _climb(walk, part.block)
    walk.open = _Open(part=part, section=walk.section(), subject=walk.subject())
    if part.rest is not None:
        walk.open.take(part.rest)
    node = walk.plan.node(part.block) if part.sign is Sign.QUESTION and part.level else None
    if node is not None and any(each.head for each in node.children):
        walk.path.append(_above(walk, part.block, card=False))
    if part.sign is Sign.RULE and part.number is not None and (part.text or part.level):
        walk.path.append(_above(walk, _without_body(part), part.level in walk.subjects, part.block))


def _body(walk: _Walk, part: Part) -> None:
    walk.fresh = False
    block = part.block
    announced = block.region and walk.open is not None and _has_ended(walk.open, block.region)
    if announced or (part.imprint and not block.apart):
        _close(walk)
    if _is_listed(walk, block):
        walk.furniture.append(Heading(text=paragraph(block), level=0, page=block.page, addresses=block.addresses))
        return
    apart = walk.open is not None and block.apart and _stands_apart(walk.open, block, walk.grammar)
    apart = apart or (id(block) in walk.plan.captions and (block.role is Role.PARAGRAPH or block.centred))
    if walk.open is not None and not apart:
        walk.open.take(block)
        return
    entries = walk.entries if walk.open is None else walk.after
    entries.append(
        Prose(id="", text=paragraph(block), section=walk.section(), subject=walk.subject(), page=block.page,
              addresses=block.addresses, unread=_is_garbage(block))
    )  # fmt: skip


def _stands_apart(opened: _Open, block: Block, grammar: Grammar) -> bool:
    """A box is no part of what is open outside it, unless it is announced, or an example, or all that answers.

    A note in the margin never is: it may stand beside something else.
    """
    if not block.region:
        return True
    last = opened.body[-1][0] if opened.body else opened.part.block
    if opened.part.sign is Sign.ERRATUM or last.region or _announced(opened):
        return False
    story = opened.part.sign is Sign.RULE and block.role is Role.PARAGRAPH and ends_sentence(block.text)
    if not opened.body and (opened.part.sign is Sign.QUESTION or story):
        return False
    return grammar.aside.match(flat(block.text)) is None


def _is_listed(walk: _Walk, block: Block) -> bool:
    """A line of a table of contents: with a page number, or in its box, or a title that stands in the document."""
    if id(block) in walk.plan.listed and len(block.text) <= CAPTION and walk.open is None:
        return True
    if walk.contents is None or walk.open is not None:
        return is_contents_line(block)
    if is_contents_line(block, listed=True) or block.region == walk.contents != 0:
        return True
    return fold(block.text) in walk.titles


def _has_ended(opened: _Open, region: int) -> bool:
    """Is it an erratum whose new text was quoted to its end? What stands behind it in a box is a note beside it."""
    if opened.part.sign is not Sign.ERRATUM or not opened.body:
        return False
    last = opened.body[-1][0]
    quoted = last.text.rstrip(" .").endswith(errata.CLOSERS) and not errata.is_open(opened.blocks())
    return quoted and last.region != region


def _is_garbage(block: Block) -> bool:
    """No letter, or hardly any letters and figures: what it means was not understood."""
    text = block.text.replace(" ", "")
    meant = 3 * sum(map(str.isalnum, text)) >= len(text) and any(map(str.isalpha, text))
    return len(block.text) > 3 and not meant


def _table(walk: _Walk, part: Part) -> None:
    """A table that a paragraph announces belongs to it; any other stands for itself."""
    block, caption, walk.caption = part.block, walk.caption, None
    whole = [caption, block] if caption else [block]
    if walk.open is not None and walk.open.part.sign is not Sign.RULE and _announced(walk.open):
        for each in whole:
            walk.open.take(each)
        return
    if walk.contents is not None and is_listing(block):
        walk.furniture += [Heading(text=each.text, level=0, page=each.page, addresses=each.addresses) for each in whole]
        return
    titled = walk.open is None and walk.fresh and bool(walk.path) and caption is None
    section = walk.section()[:-1] if titled and walk.subject() is None else walk.section()
    entries = walk.entries if walk.open is None else walk.after
    title = caption.text if caption else walk.path[-1].text if titled else None
    addresses = tuple(address for each in whole for address in each.addresses)
    entries.append(
        Table(id="", title=title, rows=block.rows, header_rows=block.header_rows, section=section,
              subject=walk.subject(), page=block.page, addresses=addresses)
    )  # fmt: skip
    walk.fresh = False


def _is_caption(walk: _Walk, block: Block) -> bool:
    """The title of a table, over it: "Table 2: Losses", or a few words in a type of their own, inside a rule."""
    inside = walk.open is not None and walk.open.part.sign is Sign.RULE and bool(walk.open.body)
    words = block.text.rstrip()[-1:].isalnum() and len(block.text) <= CAPTION and block.role is Role.PARAGRAPH
    return _is_numbered(block, walk.grammar) or (inside and words and (block.bold or block.italic))


def _titles_the_last(walk: _Walk, block: Block) -> bool:
    """The same under a table that has no title yet, which gets it."""
    entries = walk.entries if walk.open is None else walk.after
    table = entries[-1] if entries else None
    if not isinstance(table, Table) or table.title is not None or not _is_numbered(block, walk.grammar):
        return False
    entries[-1] = replace(table, title=block.text, addresses=(*table.addresses, *block.addresses))
    return True


def _is_numbered(block: Block, grammar: Grammar) -> bool:
    """ "Table 2: Losses", "Table 2. Losses."; "Table 2 shows losses." and "Table 2 shows:" are text."""
    text = block.text.rstrip()
    title = grammar.table_title.match(flat(text)) if len(text) <= CAPTION and block.role is Role.PARAGRAPH else None
    if title is None or text.endswith(":"):
        return False
    return not text.endswith(".") or not title.group().rstrip()[-1:].isalnum()


def _announced(open_: _Open) -> bool:
    last = open_.body[-1][1] if open_.body else open_.part.text
    return last.rstrip().endswith(":")


# ---------------------------------------------------------------- closing


def _close(walk: _Walk) -> None:
    if walk.open is None:
        return
    if _heads_a_table(walk.open):
        walk.headings.append(_as_heading(walk.open.part.block))
        walk.above.append((walk.headings[-1], len(walk.entries), walk.open.section))
    else:
        walk.entries.append(_entry(walk, walk.open))
    walk.entries += walk.after
    walk.after.clear()
    walk.open = None


def _heads_a_table(done: _Open) -> bool:
    """A numbered heading with nothing of its own under it is a heading, no rule."""
    return done.part.sign is Sign.RULE and not done.body and bool(done.part.text or done.part.level)


def _as_heading(block: Block) -> Heading:
    return _new_heading(text=block.text, level=block.level, page=block.page, addresses=block.addresses)


def _entry(walk: _Walk, done: _Open) -> AnyEntry:
    part = done.part
    where: dict[str, Any] = {
        "id": "", "section": done.section, "subject": done.subject, "page": part.block.page,
        "addresses": done.addresses(),
    }  # fmt: skip
    body = _paragraphs(done.body)
    walk.reasons.append(_reason(part, walk.plan))
    if part.sign is Sign.QUESTION:
        if not body:
            walk.findings.append(_unanswered(part))
        return _qa(question=part.text, answer=body, **where)
    if part.sign is Sign.ERRATUM:
        amendments = (part.change,) if part.change else errata.changes(done.blocks(), part.text, walk.grammar)
        return Erratum(target=part.text, pages=part.pages, changes=amendments, **where)
    if part.sign is Sign.DEFINITION and part.term:
        return Definition(term=part.text, aliases=part.term.aliases, refs=part.term.refs, body=body, **where)
    return Rule(number=part.number, title=part.text, body=body, **where)


UNSURE = 0.5  # the least that evidence weighs in the outline: a margin under it hangs on nothing


def unsure(reasons: Sequence[Reason], pages: Mapping[str, int]) -> tuple[Finding, ...]:
    """One finding for all entries that might as well stand elsewhere."""
    doubtful = [reason for reason in reasons if reason.unsure]
    if not doubtful:
        return ()
    message = f"{counted(len(doubtful), 'entry', 'entries')} might as well stand under another heading: see check --why"
    return (Finding(code="unsure-place", message=message, page=pages.get(doubtful[0].address)),)


def _reason(part: Part, plan: Outline) -> Reason:
    node = plan.node(part.block)
    address = part.block.addresses[0] if part.block.addresses else ""
    if node is None:
        return _new_reason(address=address, convention=_convention(part, plan))
    return _new_reason(address=address, convention=_convention(part, plan), score=node.score if node.head else None,
                       margin=node.margin, other=node.other, unsure=node.margin is not None and node.margin < UNSURE)


def _convention(part: Part, plan: Outline) -> str:
    """In which way of the document's this entry begins."""
    if part.sign is Sign.QUESTION:
        unmarked = "heading that asks" if part.level else "asking text"
        return "marked question" if id(part.block) in plan.marked else unmarked
    if part.sign is Sign.ERRATUM:
        return "page and target" if part.pages else "amended heading" if part.level else "amending text"
    if part.sign is Sign.DEFINITION:
        return "term as heading" if part.level else "term"
    return "numbered rule" if part.number is not None else "headed rule"


_qa, _new_reason, _new_heading = quick(QA), quick(Reason), quick(Heading)


def _unanswered(part: Part) -> Finding:
    shown = " ".join(part.text.split())
    shown = shown if len(shown) <= SHOWN else shown[:SHOWN] + "…"
    return Finding(code="question-without-answer", message=f"no answer was found to “{shown}”", page=part.block.page)


def _paragraphs(body: Sequence[tuple[Block, Text]]) -> tuple[Text, ...]:
    texts: list[Text] = []
    for block, words in body:
        texts += table_lines(block) if block.role is Role.TABLE else [paragraph(block, words)]
    return tuple([text for text in texts if text.strip()])
