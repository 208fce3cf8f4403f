"""Which paragraphs define a term: lists of them, found section by section, where each begins in the same form."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

from pipeline.classify import definitions
from pipeline.classify.blocks import ends_sentence, part
from pipeline.classify.definitions import Term
from pipeline.classify.grammar import Grammar
from pipeline.classify.outline import Outline
from pipeline.classify.tree import Node
from pipeline.records import Block, Role
from pipeline.text import flat, fold

FORMS: tuple[tuple[str, frozenset[str]], ...] = (
    ("dash", frozenset()),
    ("stop", frozenset({"stop"})),
    ("equals", frozenset({"equals"})),
    ("italic", frozenset({"italic", "dash"})),
    ("italic stop", frozenset({"italic", "stop"})),
    ("bare", frozenset({"bare"})),
    ("quoted", frozenset({"quoted"})),
    ("plain", frozenset({"plain"})),
)
# How the beginning of each form looks: terms of one list look alike, whatever stands behind them.
STYLES = {"italic": "italic", "italic stop": "italic", "quoted": "quoted", "plain": "plain"}
RETURNS = 3  # sections in which a name stands: it is a label ("Penalty:", "Set-up:"), and defines nothing
LOOSE = 0.5  # what a paragraph between two terms costs: it may be the second one of a body
LIST = 2.0  # two terms one after the other are a list, where they are bold and nothing stands between them
WEAK = 3.0  # in another form they could be sentences: it takes three
SHARE = 0.5  # of a section that a list in a weak form fills


SENTENCE = 8  # spaces: what is longer says something, though no stop ends it
MOST = 0.9  # of the items of a list that begin with a term
NAMED_ONCE = 0.75  # of the terms of a list: what is named again and again plays a part in an example
HABIT = 5  # terms in one form, which fill half of the sections that they stand in: the document defines so


@dataclass(frozen=True, slots=True)
class _Proposed:
    block: Block
    term: Term
    place: int  # in its section


_Proposals = dict[str, list[_Proposed]]
# terms are listed straight here, or somewhere under a head that says so; or the section is that of a numbered rule
HERE, UNDER, NUMBERED = 1, 2, 3
FILLED = 0.7  # of the paragraphs of a numbered section that begin with a bold term: some terms take two


def find_terms(blocks: Sequence[Block], plan: Outline, grammar: Grammar, glossary: bool) -> dict[int, Term]:
    """The terms by the identity of their blocks."""
    sections = _may_define(list(_sections(blocks, plan, grammar, glossary)), grammar)
    proposed = [_proposals(section, plan, grammar, listed) for section, listed in sections]
    labels = _labels(proposed)
    habits = _habits(sections, proposed, labels)
    forms = Counter({form: 0 for form, _ in FORMS})
    for (_, listed), proposals in zip(sections, proposed, strict=True):
        forms.update({form: len(likely) for form, likely in proposals.items() if listed})
    strong = next((form for form in _STRONG if forms[form]), forms.most_common(1)[0][0])
    usual = tuple(form for form, _ in FORMS if STYLES.get(form) == STYLES.get(strong))
    terms: dict[int, Term] = {}
    for (section, listed), proposals in zip(sections, proposed, strict=True):
        if not proposals or (listed == UNDER and _is_headed_term(section, proposals, plan)):
            continue
        for form, _ in FORMS:
            if form not in proposals:
                continue
            likely = proposals[form]
            if listed and form not in usual:  # "See also: …" behind a term is none
                first = min((each.place for name in usual for each in proposals.get(name, ())), default=0)
                likely = [each for each in likely if each.place < first]
            returns = sum(flat(each.term.name) in labels for each in likely)
            names = {flat(each.term.name) for each in likely}
            again = len(names) < NAMED_ONCE * len(likely) and not listed
            if 2 * returns > len(likely) or not _explain(likely) or again:
                continue
            alone = len(likely) == 1 and not listed and not likely[0].term.refs and any(
                len(block.text) > OPENING for block in section[: likely[0].place])  # behind a text: a remark
            at_all = form in _STRONG or _is_list(likely, section, form, labels, listed, least=1.0)
            habitual = form in habits and at_all and not alone
            if likely and (habitual or _is_list(likely, section, form, labels, listed)):
                terms.update({id(each.block): each.term for each in likely})
        terms.update(_that_look_alike(section, proposals, labels, terms))
    return terms


def _that_look_alike(
    section: Sequence[Block], proposals: _Proposals, labels: frozenset[str], terms: dict[int, Term]
) -> dict[int, Term]:
    """The terms of a section that begin like those of its list, though something else stands behind them."""
    more: dict[int, Term] = {}
    for style in (None, *dict.fromkeys(STYLES.values())):
        alike = [each for form, likely in proposals.items() if STYLES.get(form) == style for each in likely
                 if flat(each.term.name) not in labels]  # fmt: skip
        listed = [each for each in alike if id(each.block) in terms]
        if len(listed) < LIST or len(listed) == len(alike):
            continue
        first = min(listed, key=lambda each: each.place)
        late = [each for each in alike if each.place > first.place and each.block.role is first.block.role]
        if len(late) + 1 >= MOST * sum(block.role is first.block.role for block in section[first.place :]):
            more.update({id(each.block): each.term for each in late})
    return more


ALPHABET = 8  # heads of one look in the order of the alphabet: by chance one list in 40,000 is
NAMED = 0.5  # of them are named again by what stands under them: it says what they are, as few rulings on cards do
OPENING = 80  # letters in which it does


def alphabetical_heads(blocks: Sequence[Block], plan: Outline) -> frozenset[int]:
    """The heads (ids of blocks) of one look that stand in the order of the alphabet, each over a text that says what it
    is: terms, whatever the heading over them says."""
    runs: dict[object, list[list[tuple[Block, Block]]]] = defaultdict(lambda: [[]])
    last: dict[object, str] = {}
    for block, below in pairwise(blocks):
        node = plan.node(block)
        if node is None or not node.head or node.number is not None or plan.node(below) or len(block.text) < 2:
            continue
        look, name = node.evidence.look, fold(block.text)
        stretches = runs[look]
        if name < last.get(look, ""):
            stretches.append([])
        last[look] = name
        stretches[-1].append((block, below))
    return frozenset(id(block) for stretches in runs.values() for run in stretches
                     if len(run) >= ALPHABET and sum(map(_is_named, run)) >= NAMED * len(run) for block, _ in run)


ABILITIES = 3  # heads of one look under a heading that names abilities


def heads_of_abilities(blocks: Sequence[Block], plan: Outline, grammar: Grammar) -> frozenset[int]:
    """The heads (ids of blocks) straight under "Special rules" or "Traits", each over nothing but its text: terms."""
    under: dict[Node, list[tuple[Block, Node]]] = defaultdict(list)
    for block in blocks:
        node = plan.node(block)
        if node is not None and node.parent is not None and node.parent.head:
            under[node.parent].append((block, node))
    abilities: set[int] = set()
    for parent, below in under.items():
        title = parent.block.text
        listed = len(title.split()) <= LISTING_WORDS and grammar.abilities.search(flat(title))
        alike = {(node.evidence.look, node.head, node.number is None, bool(node.children)) for _, node in below}
        if listed and len(below) >= ABILITIES and len(alike) == 1 and next(iter(alike))[1:] == (True, True, False):
            abilities.update(id(block) for block, _ in below)
    return frozenset(abilities)


LISTING_WORDS = 10  # of a heading over abilities


def _is_named(pair: tuple[Block, Block]) -> bool:
    """Does what stands under a head have its longest word among its first?"""
    word = max(pair[0].text.split(), key=len)
    return fold(word) in fold(pair[1].text[:OPENING])


_STRONG = ("dash", "equals")


def _explain(likely: Sequence[_Proposed]) -> bool:
    """Does a sentence explain most of them? Credits and prices have none. A term without a body goes on below."""
    bodies = [str(each.block.text[each.term.body :]).rstrip() for each in likely]
    closed = [not text or text.endswith(")") or ends_sentence(text) for text in bodies]
    return 2 * sum(end or text.count(" ") >= SENTENCE for end, text in zip(closed, bodies, strict=True)) >= len(likely)


def _is_headed_term(section: Sequence[Block], proposals: _Proposals, plan: Outline) -> bool:
    """In a glossary whose terms are headings, what stands under one of them begins with its meaning."""
    begins = any(each.place == 0 for likely in proposals.values() for each in likely)
    numbered = any(plan.number_end(block) for block in section[:1])
    return not begins and not numbered and any(block.role is Role.ITEM for block in section)


def _habits(
    sections: Sequence[tuple[list[Block], int]], proposed: Sequence[_Proposals], labels: frozenset[str]
) -> frozenset[str]:
    """The forms in which the document defines wherever it does: many, with hardly any other text among them."""
    forms = set()
    for form, _ in FORMS:
        terms = paragraphs = 0
        for (section, _), proposals in zip(sections, proposed, strict=True):
            if form not in proposals:
                continue
            likely = [each for each in proposals[form] if flat(each.term.name) not in labels]
            if form not in _STRONG and (len(likely) < 2 or not _is_list(likely, section, form, labels, 0, least=1.0)):
                continue
            terms += len(likely)
            paragraphs += sum(b.role is likely[0].block.role for b in section[likely[0].place :]) if likely else 0
        if terms >= HABIT and terms >= SHARE * paragraphs:
            forms.add(form)
    return frozenset(forms)


def _sections(
    blocks: Sequence[Block], plan: Outline, grammar: Grammar, glossary: bool
) -> Iterator[tuple[list[Block], int]]:
    """The blocks between two heads or numbers, and whether terms are expected there, or under a head of a glossary."""
    section: list[Block] = []
    listed = HERE if glossary else 0
    numbered = False
    for block in blocks:
        node = plan.node(block)
        if node is None and block.role is not Role.HEADING:
            section.append(block)
            continue
        if section:
            yield section, NUMBERED if numbered and not listed else listed
        numbered = node is not None and node.number is not None
        section = [block] if node is not None and not node.titled else []
        above = [*node.above(), node] if node is not None else []
        named = [each for each in above if each.titled and grammar.glossary.search(flat(each.block.text[:60]))]
        listed = HERE if glossary or (named and named[-1] is node) else UNDER if named else 0
    if section:
        yield section, NUMBERED if numbered and not listed else listed


def _may_define(sections: Sequence[tuple[list[Block], int]], grammar: Grammar) -> list[tuple[list[Block], int]]:
    """Those in which terms may stand: what a numbered rule says of its terms is part of it, unless the document fills
    such rules with lists of bold terms."""
    filled = {place: _bold_terms(section, grammar) for place, (section, at) in enumerate(sections) if at == NUMBERED}
    least = WEAK if max(filled.values(), default=0) >= HABIT else inf
    return [(section, 0 if at == NUMBERED else at) for place, (section, at) in enumerate(sections)
            if filled.get(place, least) >= least]


def _bold_terms(section: Sequence[Block], grammar: Grammar) -> int:
    """How many bold terms a section lists, from its first term on; 0 where much else stands there."""
    text = [block for block in section if block.role in (Role.PARAGRAPH, Role.ITEM) and not block.indent]
    terms = [block.role is Role.PARAGRAPH and block.text.spans[0].bold and any(
        definitions.term(block, grammar, forms=forms) is not None for _, forms in FORMS)
        for block in text if block.text.spans]  # fmt: skip
    listed = terms[terms.index(True) :] if True in terms else []
    return sum(listed) if sum(listed) > FILLED * len(listed) else 0


def _proposals(section: Sequence[Block], plan: Outline, grammar: Grammar, listed: int) -> _Proposals:
    proposals: _Proposals = defaultdict(list)
    items = [block for block in section if block.role is Role.ITEM]
    terms = sum([definitions.term(block, grammar) is not None for block in items])
    many = terms >= HABIT and terms >= MOST * len(items)
    first = next((place for place, block in enumerate(section) if block.role is Role.ITEM), 0)
    announced = first > 0 and section[first - 1].text.rstrip().endswith(":")
    all_items = (many and not announced) or (section[0].role is Role.ITEM and terms == len(items))
    for place, block in enumerate(section):
        if block.role not in (Role.PARAGRAPH, Role.ITEM) or (block.marker[:1].isalnum() and not listed):
            continue
        if block.role is Role.ITEM and not listed and not all_items:
            continue  # the items of a list that a paragraph announces
        if id(block) in plan.marked or not _may_begin(block):
            continue
        start = plan.number_end(block)
        for form, forms in FORMS:
            term = definitions.term(part(block, start) if start else block, grammar, forms=forms)
            if term is not None and _names(term, grammar):
                proposals[form].append(_Proposed(block, replace(term, body=term.body + start), place))
                break
    return proposals


BEGINS = 90  # letters that a term, its names and its references take at most
SIGNS = re.compile(r"[:–—=“\"«„‘]|-\s")


def _may_begin(block: Block) -> bool:
    """In another style than its body, or with a sign that sets it off: most paragraphs have neither."""
    first = block.text.spans[0] if block.text.spans else None
    return first is not None and (first.bold or first.italic or SIGNS.search(block.text, 0, BEGINS) is not None)


def _names(term: Term, grammar: Grammar) -> bool:
    """A word, not a date, and not "Article 5"."""
    return any(map(str.isalpha, term.name)) and not grammar.rule_word.fullmatch(flat(term.name))


def _labels(proposed: Sequence[_Proposals]) -> frozenset[str]:
    """Names that return in section after section."""
    times: Counter[str] = Counter()
    for proposals in proposed:
        times.update({flat(each.term.name) for likely in proposals.values() for each in likely})
    return frozenset(name for name, count in times.items() if count >= RETURNS)


def _is_list(
    likely: Sequence[_Proposed], section: Sequence[Block], form: str, labels: frozenset[str], listed: int,
    least: float = 0.0,
) -> bool:
    """Are there enough of them, close enough together?"""
    if not likely:
        return False
    if listed:
        return True
    inside = section[likely[0].place : likely[-1].place]
    loose = sum(b.role is Role.PARAGRAPH and not b.indent for b in inside) - (len(likely) - 1)
    weak = form not in _STRONG
    first = next((b for b in section if b.role is not Role.TABLE), None)
    rest = sum(b.role is likely[0].block.role for b in section[likely[0].place :])
    if weak and first is not likely[0].block and (len(likely) < WEAK or len(likely) < rest):
        return False  # what stands under the heading first is no term: then all that follows must be
    if weak and len(likely) < SHARE * rest:
        return False
    return len(likely) - LOOSE * max(0, loose) >= (least or (WEAK if weak else LIST))
