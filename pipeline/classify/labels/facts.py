"""What a document does again and again: looked for once, before its blocks are labelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from pipeline.classify import definitions, errata, questions, rules
from pipeline.classify.blocks import MARKER, TEXT, headings, lead, places
from pipeline.classify.grammar import Grammar
from pipeline.classify.identity import Identity, is_front
from pipeline.classify.labels.labelled_blocks import FEW, NAME
from pipeline.classify.outline import Outline
from pipeline.classify.terms import find_terms
from pipeline.classify.tree import Node
from pipeline.records import Block, Role
from pipeline.text import flat

MOSTLY = 0.7  # of the bold paragraphs ask: they are questions
SAMPLE = 12  # terms that tell what a list is
PLAIN_RULES = 5  # numbered paragraphs without titles make a rule book when there are so many


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is true of the document as a whole."""

    marks: questions.Markers
    terms: dict[int, definitions.Term]  # by the identity of the blocks that define them
    targets: frozenset[int]  # blocks (ids) of a look that mostly stands over what was amended
    unasked: bool  # what asks here is no question of its own: there are too few
    unamended: bool  # what seems to amend is a rule: there are too few
    asking: frozenset[int]  # headings (ids of blocks) of a look that mostly asks
    titled: frozenset[int]  # headings (ids of blocks) over text, of a look of which few ask
    amended_levels: frozenset[int]  # heading levels that mostly stand over amendments, whatever section they are in
    values: frozenset[str]  # "Cost: ", "Range: " before what is listed, again and again: no names
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


def find_facts(
    blocks: Sequence[Block], marks: questions.Markers, grammar: Grammar, who: Identity, body_size: float,
    body_colour: str, plan: Outline,
) -> Facts:  # fmt: skip
    """Look over the whole document once."""
    heads = [blocks[at] for at in headings(blocks)]
    listed = any(grammar.errata_heading.search(flat(b.text)) and not is_front(b, who.front) for b in heads)
    glossary = any(grammar.glossary.search(flat(block.text)) for block in heads)
    plain = _plain_numbers(blocks, grammar)
    asking, titled = _asking_heads(blocks, plan)
    glossary_title = (
        not listed
        and not marks.any
        and not any(grammar.glossary.fullmatch(flat(b.text.strip())) for b in heads if not is_front(b, who.front))
        and (who.defines or bool(who.title and grammar.glossary.search(flat(who.title))))
    )
    terms = find_terms(blocks, plan, grammar, glossary_title)
    amends = bool(who.title and grammar.errata_heading.search(flat(who.title)))
    return Facts(
        marks=marks,
        terms=terms,
        targets=_targets(blocks, plan, grammar),
        unasked=False,
        unamended=False,
        asking=asking,
        titled=titled,
        amended_levels=_amended_levels(blocks, grammar),
        values=_values(blocks),
        front=who.front,
        body_size=body_size,
        body_colour=body_colour,
        asks_in_bold=not marks.any and _bold_questions(blocks),
        asks_in_boxes=_ask_in_boxes(blocks),
        asks_by_number=not marks.any and (_mostly_ask([block for block, _ in plain]) or _numbers_ask(plan)),
        asks_in_items=not marks.any and _bulleted_questions(blocks),
        asks_plainly=not marks.any and _plain_questions(blocks, grammar),
        glossary_title=glossary_title,
        bare_pages=_has_bare_pages(blocks, grammar),
        errata_first=not listed and who.amends and marks.any,
        errata_title=not listed
        and ((who.amends and not marks.any) or bool(who.title and grammar.errata_heading.search(flat(who.title)))),
        amended_terms=(not (listed or glossary) and _terms_are_amended(blocks, plan, grammar))
        or (amends and not glossary and _terms_have_pages(terms)),
    )


def _terms_are_amended(blocks: Sequence[Block], plan: Outline, grammar: Grammar) -> bool:
    """What looks like terms is amended, one after the other: a list of changes, whatever its headings say."""
    begun = (block for block in blocks if block.role in _TEXT and lead(block.text) and id(block) not in plan.marked)
    terms = ((block, term) for block in begun if (term := definitions.term(block, grammar)) and not term.refs)
    bodies = [str(block.text[term.body :]) for block, term in islice(terms, SAMPLE)]
    return len(bodies) >= FEW and sum(_amends_text(body, grammar) for body in bodies) >= MOSTLY * len(bodies)


def _terms_have_pages(terms: dict[int, definitions.Term]) -> bool:
    """Do most terms name pages of the book that they speak of? Under a title that promises errata they clarify it."""
    return len(terms) >= PLAIN_RULES and 2 * sum(bool(term.refs) for term in terms.values()) > len(terms)


def _amends_text(body: str, grammar: Grammar) -> bool:
    """ "the last sentence now reads …"; a keyword may well say "Remove a wound"."""
    plain = flat(body)
    of_text = errata.verb_at(plain, 0, grammar) is None or errata.quotations(body) or grammar.piece.search(plain)
    return bool(of_text) and errata.operation_of(body, grammar) is not None


def _has_bare_pages(blocks: Sequence[Block], grammar: Grammar) -> bool:
    paged = places(map(grammar.page_head.match, map(flat, map(TEXT, blocks))))
    return sum(is_bare_page(blocks[at], grammar) for at in paged) >= FEW


def is_bare_page(block: Block, grammar: Grammar) -> bool:
    """ "Page 12 The ford" as a plain paragraph, with a capital behind the page."""
    if block.role is not Role.PARAGRAPH or block.bold or not block.text[:1].isupper():
        return False
    head = grammar.page_head.match(flat(block.text))
    return head is not None and block.text[head.end() :].lstrip()[:1].isupper()


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


def _numbers_ask(plan: Outline) -> bool:
    """Do most paragraphs ask whose numbers run through the document?"""
    counted = [node.block for node in plan.nodes.values() if node.number and not node.head and node.number.depth == 1]
    return _mostly_ask(counted)


def _is_bold_over(block: Block, following: Block | None) -> bool:
    if following is None or not block.bold or following.bold:
        return False
    return block.role in (Role.PARAGRAPH, Role.ITEM) and following.role in (Role.PARAGRAPH, Role.ITEM)


def asks_in_bold(block: Block, following: Block | None, facts: Facts) -> bool:
    """Where questions are bold: one that goes on behind its question mark, or that has a number like the others."""
    bold = facts.asks_in_bold and _is_bold_over(block, following)
    return bold and ("?" in block.text or block.marker[:1].isdigit()) and len(block.text.split()) <= questions.LONGEST


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


def asks_plainly(block: Block, following: Block | None, facts: Facts) -> bool:
    """A question in plain type, in a document that asks so."""
    expected = facts.asks_in_items if block.role is Role.ITEM else facts.asks_plainly
    return expected and _asks_over(block, following)


def _asking_heads(blocks: Sequence[Block], plan: Outline) -> tuple[frozenset[int], frozenset[int]]:
    """The headings (ids of blocks) whose like mostly ask, and those over text whose like do not: "Who begins?" is the
    title of a rule among others."""
    alike: dict[object, list[tuple[Block, bool]]] = {}
    for block, below in zip(blocks, [*blocks[1:], None], strict=False):
        node = plan.node(block)
        if node is not None and node.head:
            over_text = below is not None and below.role is not Role.HEADING
            alike.setdefault((id(node.parent), node.type), []).append((block, over_text))
    asking: set[int] = set()
    titled: set[int] = set()
    for like_heads in alike.values():
        asked = sum(questions.asks(block.text) for block, _ in like_heads)
        over = [block for block, over_text in like_heads if over_text]
        if asked >= 2 and 2 * asked >= len(like_heads):
            asking.update(id(block) for block, _ in like_heads)
        elif len(over) - sum(questions.asks(block.text) for block in over) >= 2 * asked:
            titled.update(map(id, over))
    return frozenset(asking), frozenset(titled)


AMENDED = 0.6  # of the blocks of one look stand over amendments: all of them do


def _targets(blocks: Sequence[Block], plan: Outline, grammar: Grammar) -> frozenset[int]:
    """Bold lines, items or headings of one look over sentences that tell of amendments, again and again."""
    alike: dict[object, list[tuple[Block, bool]]] = {}
    for at, block in enumerate(blocks[:-1]):
        node = plan.node(block)
        if block.role is Role.TABLE or not (block.bold or (node is not None and node.head)) or node_number(node):
            continue
        look = (node.type if node is not None else None, block.role, block.level, block.size, block.colour)
        below = blocks[at + 1]
        if below.bold or below.role not in _TEXT or id(below) in plan.marked or id(block) in plan.marked:
            continue
        alike.setdefault(look, []).append((block, _amends_text(below.text, grammar)))
    targets: set[int] = set()
    for like_blocks in alike.values():
        if len(like_blocks) >= PLAIN_RULES and sum(amended for _, amended in like_blocks) >= AMENDED * len(like_blocks):
            targets.update(id(block) for block, _ in like_blocks)
    return frozenset(targets)


def node_number(node: Node | None) -> bool:
    return node is not None and node.number is not None and node.number.whole


def _values(blocks: Sequence[Block]) -> frozenset[str]:
    items = [blocks[at].text for at in places(map(MARKER, blocks))]
    names = Counter(flat(match[0]) for text in items if (match := NAME.match(text)))
    return frozenset(name for name, count in names.items() if count > 1)


def _amended_levels(blocks: Sequence[Block], grammar: Grammar) -> frozenset[int]:
    over = [(blocks[at].level, blocks[at + 1]) for at in headings(blocks[:-1])]
    of = Counter(level for level, _ in over)
    amended = Counter(level for level, below in over if errata.amends_outright(below.text, grammar)
                      and _amends_text(below.text, grammar))  # fmt: skip
    return frozenset(level for level, count in amended.items() if count >= FEW and count * 2 > of[level])


def _plain_numbers(blocks: Sequence[Block], grammar: Grammar) -> list[tuple[Block, rules.RuleNumber]]:
    """The paragraphs that begin with the number of a rule; most documents have none."""
    texts = list(map(TEXT, blocks))
    marked, many = places(map(MARKER, blocks)), places(map(grammar.many.match, texts))
    numbered = sorted({*marked, *many, *places(map(grammar.rule_word.match, map(flat, texts)))})
    return [(blocks[at], number) for at in numbered if (number := plain_number(blocks[at], grammar))]


def plain_number(block: Block, grammar: Grammar) -> rules.RuleNumber | None:
    """The number of a rule at the start of a paragraph: of several parts only, as "1." is a list."""
    if block.role not in (Role.PARAGRAPH, Role.ITEM):
        return None
    text = rules.with_number(block)[0] if block.marker else block.text
    number = (block.marker and rules.margin_number(block)) or rules.sure_number(text, grammar)
    return number if number and number.end < len(text) else None


