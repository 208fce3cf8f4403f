"""Which blocks are heads, by their look: those of one look are judged together."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice, pairwise

from pipeline.classify.blocks import STOPS
from pipeline.classify.evidence import Evidence
from pipeline.classify.numbers import Number, comes_next, is_first, is_under
from pipeline.records import Role

LINES_MAX = 4  # of a head
LONG = 160  # letters: what is longer than two lines of a page is a sentence
TITLE_WORDS = 12  # of a title that only its number tells from text
ASKING = frozenset("?!")
BADGE = 12  # letters of all that stands in the box of a cost (“1CP”, “2 gold”)
CLOSE = 0.25  # lines of white: less is none
APART = 0.5  # lines of white: between two paragraphs there is less, as a rule
SMALL = 0.9  # times the text around it: no title is so small
LARGE = 1.3  # times the text around it: a title, and no label
INDENTED = 9.0  # points: an indentation that the eye takes for one
PULLED = re.compile(r"[«“„\"].*[.!?…]\s?[»”“\"]$")  # a sentence of the text, printed again in larger type
IMPRINT = re.compile(r"(?:©|\(c\)|copyright)\W*(?:19|20)\d\d", re.IGNORECASE)  # whose it is, since when
WORD = re.compile(r"[^\W\d_]{2}")  # "A > K > Q > J" has none
SHOUTED = re.compile(r"[^\W\d_]{4}|[^\W\d_]{2}.*\s[^\W\d_]{2}")  # "A6 - 2" shouts nothing
ALPHABET = 8  # letters of a heading over the terms that begin with them: "A", "X-Z", "P – Q"
TITLED = 1.1  # times the text around it: a title whatever stands over it
LABEL_WORDS = 2  # of what stands before a colon in a line of its own
LABELLED = 3  # heads under which a label returns


def head_places(evidence: Sequence[Evidence]) -> set[int]:
    """The blocks that look like heads. Those of one look are judged together: one of them is judged otherwise than the
    rest only on strong evidence."""
    scores = {each.at: score(each, evidence) for each in evidence if may_be_head(each)}
    classes: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for at in scores:
        if evidence[at].end not in ASKING or scores[at] > 0.5:  # a sentence that asks has another role than its look
            classes[evidence[at].look].append(at)
    heads: set[int] = set()
    for members in classes.values():
        likely = [at for at in members if scores[at] > 0.5]
        mean = sum(scores[at] for at in likely) / max(1, len(likely))
        least = 2.0 if 3 * len(likely) >= len(members) else 4.0
        heads.update(at for at in likely if scores[at] >= least or scores[at] + mean >= 2 * least)
    heads -= _listed(evidence, heads)
    weak = {at for at in heads if _is_weak(evidence[at])}
    return (heads - weak if len(heads) - len(weak) >= LABELLED else heads) | _dividers(evidence)


def _listed(evidence: Sequence[Evidence], heads: set[int]) -> set[int]:
    """The heads that are items of a list: in the type of the text, with a single number. In such a document longer
    numbers count the rules, and items in plain type are numbered alike and set in as far, again and again."""
    if sum(each.number is not None and each.number.depth > 1 for each in evidence) < LABELLED:
        return set()
    begun = Counter(_item_form(each) for each in evidence if each.at not in heads and each.number is not None
                    and is_first(each.number))  # fmt: skip
    over = {_item_form(evidence[at]) for at in heads if _opens(evidence, at)}
    return {at for at in heads if evidence[at].size < TITLED and not evidence[at].named
            and (form := _item_form(evidence[at])) is not None and form not in over and begun[form] >= LABELLED}


def _opens(evidence: Sequence[Evidence], at: int) -> bool:
    """Is the next longer number the first under that of a head: "2.1" under "2."?"""
    number = evidence[at].number
    longer = (each.number for each in islice(evidence, at + 1, None) if each.number and each.number.depth > 1)
    below = next(longer, None)
    return number is not None and below is not None and is_under(below, number) and is_first(below)


def _item_form(each: Evidence) -> tuple[str, bool, int] | None:
    """The sign behind a single number, whether it is a figure, and how far it is set in."""
    number = each.number
    if number is None or number.whole or not number.stop:
        return None
    return number.stop, number.parts[0].isdecimal(), round(each.block.indent / INDENTED)


def _dividers(evidence: Sequence[Evidence]) -> set[int]:
    """Lines of a few words and a colon, each with words of its own, between a number and the one that comes next: they
    say what the numbers behind them are about."""
    places_of: dict[str, list[int]] = defaultdict(list)
    last: Number | None = None
    for each, below in pairwise(evidence):
        if each.number is not None and each.number.whole:
            last = each.number
        plain = each.block.role is Role.PARAGRAPH and each.end == ":" and each.words <= TITLE_WORDS / 2
        if plain and each.number is None and last and below.number and comes_next(last, below.number):
            places_of[each.block.text].append(each.at)
    own = [places for places in places_of.values() if len(places) < LABELLED]
    return {at for places in own for at in places} if len(own) >= LABELLED and 2 * len(own) > len(places_of) else set()


def _is_weak(each: Evidence) -> bool:
    """Nothing but its capitals speaks for it: no head where others are bold or larger."""
    painted = each.bold or each.coloured or each.underlined or each.italic or each.block.fill
    named = each.named or each.number is not None or each.key is not None
    return not painted and not named and each.size < 1.03


def may_be_head(each: Evidence) -> bool:
    block = each.block
    ornamented = each.size >= LARGE and not block.marker[:1].isalnum()  # "▾ Rules": no item of a list is so large
    if block.role in (Role.TABLE, Role.NOTE) or (block.role is Role.ITEM and each.number is None and not ornamented):
        return False
    costs = each.cost or (block.region and each.boxed <= BADGE and each.times >= LABELLED
                          and any(map(str.isdecimal, block.text)))  # fmt: skip
    if each.marked or each.listed or each.caption or PULLED.match(block.text) or IMPRINT.match(block.text) or costs:
        return False
    letters = "".join(span.text for span in block.text.spans if not span.icon)
    lettered = bool(WORD.search(letters)) or (block.role is Role.HEADING and len(block.text) < ALPHABET)
    return len(block.breaks) < LINES_MAX and len(block.text) <= 2 * LONG and lettered


def score(each: Evidence, evidence: Sequence[Evidence]) -> float:
    """How much speaks for a head: two and more is one."""
    block, score = each.block, 0.0
    score += 3.0 if each.size >= 1.3 else 2.5 if each.size >= 1.1 else 0.5 if each.size >= 1.03 else 0.0
    score -= 2.0 if each.size < SMALL else 0.0
    score += 2.0 if each.bold else 0.0
    score += 2.0 if each.capitals and SHOUTED.search(block.text) else 0.0
    score += 1.0 if each.coloured else 0.0
    score += 0.0 if not each.italic else 2.0 if _stands_apart(each, evidence) else 1.0
    score += 2.0 if each.underlined else 0.0
    score += 2.0 if each.depths[0] is not None or each.depths[2] is not None else 1.0 if each.named else 0.0
    score += 0.5 if block.fill else 0.0
    score += 2.0 if each.key is not None else 0.0
    score -= 2.5 if each.end in STOPS or (each.end in ASKING and each.size < 1.1) else 0.0
    if each.end == ":" and not each.bold:
        score -= 0.5 if each.words > LABEL_WORDS or each.size >= 1.1 else 1.5  # "QUESTION:", "ACTION:"
    score -= 2.0 if block.text[:1].islower() else 0.0
    score -= 1.5 if each.at and _is_line_of_type(each, evidence[each.at - 1]) else 0.0
    score -= 2.0 if each.at and each.size < 1.1 and _announces(evidence[each.at - 1], each) else 0.0
    long = each.words > TITLE_WORDS
    shouted = long and each.capitals and each.size < 1.1
    score -= 3.0 if len(block.text) > LONG else 2.0 if shouted else 1.0 if long else 0.0
    return score


def _stands_apart(each: Evidence, evidence: Sequence[Evidence]) -> bool:
    """With white above and none below, straight over a longer text in upright type."""
    below = evidence[each.at + 1].block if each.at + 1 < len(evidence) else None
    if below is None or below.italic or below.page != each.block.page or len(below.text) < len(each.block.text):
        return False
    return each.block.gap >= APART and below.gap < CLOSE and each.block.region == below.region


def _announces(above: Evidence, each: Evidence) -> bool:
    """A sentence that ends with a colon, over a line that is set in: what it announces is no heading."""
    inside = above.block.page == each.block.page and each.block.indent > above.block.indent + INDENTED
    return inside and above.end == ":" and above.words > LABEL_WORDS and each.number is None


def _is_line_of_type(each: Evidence, above: Evidence) -> bool:
    """Straight under a name in bold or larger type, with no white between: what sort of card it is, no heading."""
    named = not above.block.breaks and (above.bold or above.size >= 1.1) and above.block.page == each.block.page
    small = each.size < SMALL and each.block.size < above.block.size  # in bold capitals, but smaller than the text
    return named and (small or not each.bold) and each.size < 1.03 and each.block.gap < CLOSE
