"""Definitions: "**Term** ("other name") [p. W24, H20] – body"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pipeline.classify.blocks import LEAD_WORDS, lead
from pipeline.classify.errata import verb_at
from pipeline.classify.grammar import Grammar
from pipeline.records import Block, Role, Text
from pipeline.text import cut, flat, fold, join, rich, trim

ALPHABET = 3  # letters in order make one
LETTER = 3  # with white space around it
# ("Name"), (English: "Name"): a word may say in which language
ALIAS = re.compile(r"\s*\((?:[^\W\d_][\w. ]{1,20}:)?\s*[\"“«„‘']\s*(?P<name>[^()]+?)\s*[\"”»“’']\s*\)")
FOREIGN = re.compile(r"\s*\(\s*(?P<name>[^()\d\"“«„]{2,40}?)\s*\)")  # (*Name*), in italics behind a bold term
BETWEEN = re.compile(r"\s*[\"”»“’']\s*[,;/]\s*[\"“«„‘']\s*")  # names in one bracket
SQUARE = re.compile(r"\s*\[(?P<refs>[^\]]{1,60})\]")
ROUND = re.compile(r"\s*\((?P<refs>[^()]{2,40})\)")  # (rule 7.2)
DASHES = re.compile(r"\s*(?:[–—−]|:|-(?=\s))\s*")
BEHIND = re.compile(rf"\s*[(\[]|{DASHES.pattern}")  # what may follow the last name of a term
LISTED = re.compile(r"\s*(?:,|;|&|\bet\b|\band\b|\bund\b|\by\b|\be\b)\s*")


BEFORE_PAGES = 90  # letters that a term and its page reference take at most
FEW = 3  # so many terms make a habit
CLOSE = 0.25  # lines of white between the lines of one paragraph


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """What stands before the body of a definition."""

    name: Text
    aliases: tuple[str, ...]
    refs: tuple[str, ...]
    body: int  # the offset at which the body begins
    dash: bool  # a dash (or colon) divides them


def term(block: Block, grammar: Grammar, *, loose: bool = False, forms: frozenset[str] = frozenset()) -> Term | None:
    """The bold term at the start of a block, with its names and references; None when there is none.

    ``loose``: after its references no dash is needed. ``forms``: what else may divide term and body here.
    """
    text = block.text
    if block.role in (Role.HEADING, Role.TABLE):
        return None
    bold = _beginning(text, grammar) or ("plain" in forms and _before_colon(text)) or 0
    bold = bold or ("italic" in forms and lead(text, "italic")) or ("quoted" in forms and _quoted(text)) or 0
    if not bold or not any(c.isalnum() for c in text[:bold]):
        return None
    name_end, end, refs = _name(text, bold, grammar)
    stop = DASHES.match(text, end)
    inner = DASHES.search(text, 0, bold) if not stop else None
    if inner and not text[inner.end() : bold].strip():  # the dash is bold too
        stop, name_end = inner, min(name_end, inner.start())
    if not stop and bold < len(text.rstrip()):
        name_end, stop = _other_form(text, name_end, end, forms) or (name_end, None)
    if not stop and not (refs and (loose or end >= len(text.rstrip()))) and "quoted" not in forms:
        return None
    body = stop.end() if stop else end
    name, aliases = _aliases(trim(cut(text, 0, name_end)))
    ended = name.endswith(".") or (name.endswith(("!", "?")) and stop is None)
    clause = "," in text[name_end - 1 : name_end + 1] and not refs  # "**When you rest,** roll …"
    clause = clause and "quoted" not in forms  # "“Pit Road”, unless otherwise defined, means …"
    if not name or len(name.split()) > LEAD_WORDS or grammar.aside.match(flat(text)) or ended or clause:
        return None
    return Term(name=name, aliases=aliases, refs=refs, body=body, dash=stop is not None)


def named(text: Text, grammar: Grammar) -> Term | None:
    """A text that is nothing but a term, with its names and references."""
    bare = trim(cut(text, 0, len(text.rstrip(" .:–—-="))))
    name_end, end, refs = _name(bare, len(bare), grammar)
    name, aliases = _aliases(trim(cut(bare, 0, name_end)))
    if not name or len(name.split()) > LEAD_WORDS or name.endswith(("?", "!")):
        return None
    return Term(name=name, aliases=aliases, refs=refs, body=end, dash=False)


def is_alone(text: Text, grammar: Grammar) -> bool:
    """Is it a bold term, with nothing but its names and references behind it?"""
    bold, end = lead(text), len(text.rstrip())
    return bold > 0 and (bold >= end or _name(text, bold, grammar)[1] >= end)


FORMS = {"stop": re.compile(r"(?<=\.)\s*|\.\s+"), "equals": re.compile(r"\s*=\s*"), "bare": re.compile(r"\s+(?=\S)")}


def _begun(blocks: Sequence[Block], grammar: Grammar) -> list[Block]:
    """The paragraphs and items that begin with what may be a term."""
    return [b for b in blocks if b.role in _TEXTS and _beginning(b.text, grammar)]


_TEXTS = (Role.PARAGRAPH, Role.ITEM)


def _other_form(text: Text, name_end: int, end: int, forms: frozenset[str]) -> tuple[int, re.Match[str]] | None:
    for form, pattern in FORMS.items():
        match = pattern.match(text, end) if form in forms else None
        if match and text[match.end() :].strip():
            return (len(text[:name_end].rstrip(" .")), match) if form == "stop" else (name_end, match)
    return None


QUOTED = re.compile(r"[“\"«„‘]\s?[^”\"»“]{2,60}[”\"»“’](?:\s\([^()]{1,40}\))?")


def _quoted(text: Text) -> int:
    """Where a term in quotation marks ends that a text begins with."""
    match = QUOTED.match(text)
    return match.end() if match and text[match.end() :].strip() else 0


def _before_colon(text: Text) -> int:
    match = re.match(r"[^:.!?]{2,60}?(?=\s*:\s+\S|\s+[–—-]\s+\S)", text)
    return match.end() if match and len(match.group().split()) <= LEAD_WORDS // 2 else 0


def join_split_terms(blocks: Sequence[Block], grammar: Grammar) -> Iterator[Block]:
    """A term that fills its line looks like a heading over its own body: joined again where they belong together."""
    if sum(term(block, grammar) is not None for block in _begun(blocks, grammar)) < FEW:
        yield from blocks
        return
    joined: Block | None = None
    for block in blocks:
        if joined is not None and _is_split_term(joined, block) and not _instructs(joined.text, grammar):
            text = rich(joined.text, " ", block.text)
            shift = len(joined.text) + 1
            breaks = (*joined.breaks, shift, *(at + shift for at in block.breaks))
            addresses = joined.addresses + block.addresses
            role = joined.role if joined.marker else Role.PARAGRAPH
            joined = replace(joined, role=role, level=0, bold=False, text=text, breaks=breaks, addresses=addresses)
            continue
        if joined is not None:
            yield joined
        joined = block
    if joined is not None:
        yield joined


def _is_split_term(head: Block, body: Block) -> bool:
    """Straight under it, in the same size: a bracket is still open, or the dash stands on either side of the break."""
    near = body.gap < CLOSE and abs(body.size - head.size) < 0.6 and body.role is Role.PARAGRAPH and not body.bold
    if not near or head.breaks or (head.role is Role.PARAGRAPH and not head.bold) or not lead(head.text):
        return False
    words, below = head.text.strip(), body.text.lstrip()
    if len(words.split()) > LEAD_WORDS:
        return False
    unclosed = words.count("(") > words.count(")") or words.count("[") > words.count("]")
    return unclosed or words.endswith(("–", "—", ":")) or bool(re.match(r"\[|[–—:]\s", below))


def _instructs(text: str, grammar: Grammar) -> bool:
    """ "Add to the end of rule 18:" is over the text that it adds; "Remove:" may be a term."""
    return len(text.split()) > 2 and verb_at(flat(text), 0, grammar) is not None


def with_alphabet(blocks: list[Block], body_size: float) -> list[Block]:
    """The letters of an alphabet, each over its terms, are headings; letters that come back ("Q", "A") are not."""
    letters = [
        at for at, block in enumerate(blocks)
        if len(block.text) <= LETTER and block.role is Role.PARAGRAPH and len(block.text.strip()) == 1
        and block.text.strip().isupper() and (block.bold or block.size > body_size)
    ]  # fmt: skip
    shown = [fold(blocks[at].text) for at in letters]
    if len(shown) < ALPHABET or shown != sorted(set(shown)):
        return blocks
    above = [b for b in blocks[: letters[0]] if b.role is Role.HEADING][-1:]  # however small, it is that of the list
    larger = [b for b in blocks if b.role is Role.HEADING and b.size > blocks[letters[0]].size]
    level = 1 + max((b.level for b in (*larger, *above)), default=0)
    headed = list(blocks)
    for at in letters:
        headed[at] = replace(blocks[at], role=Role.HEADING, level=level)
    return headed


def _beginning(text: Text, grammar: Grammar) -> int:
    """Where the words end that may be a term, and that a text begins with: in bold, or before its pages."""
    plain = len(text.spans) == 1 and not text.spans[0].bold
    return (0 if plain else lead(text)) or _before_pages(text, grammar)


def _before_pages(text: Text, grammar: Grammar) -> int:
    """Where a term that is not bold ends: "Captain levels (p. 22) – …"."""
    start = text[:BEFORE_PAGES]
    if ("(" not in start and "[" not in start) or not start[:1].isupper():
        return 0
    match = grammar.page_reference.search(flat(start))
    if not match or not DASHES.match(text, match.end()):
        return 0
    name = text[: match.start()].rstrip()
    return len(name) if 0 < len(name.split()) <= LEAD_WORDS // 2 and not re.search(r"[.:;!?]", name) else 0


def _name(text: Text, bold: int, grammar: Grammar) -> tuple[int, int, tuple[str, ...]]:
    """Where the name ends, where its names and references end, and the references."""
    end = len(text[:bold].rstrip())
    while alias := ALIAS.match(text, end) or _foreign(text, end):
        end = alias.end()
    name_end = end
    square = SQUARE.match(text, end) or SQUARE.search(text, 0, end)
    if square:
        refs = references(square.group("refs"))
        return min(name_end, square.start()), max(end, square.end()), refs
    plain = flat(text)
    page = grammar.page_reference.match(plain, end + len(plain[end:]) - len(plain[end:].lstrip()))
    page = page or grammar.page_reference.search(plain, 0, end)
    if page:
        return min(name_end, page.start()), max(end, page.end()), references(text[page.start() + 1 : page.end() - 1])
    rule = ROUND.match(text, end)
    if rule and grammar.rule_word.match(flat(rule.group("refs"))) and DASHES.match(text, rule.end()):
        return name_end, rule.end(), references(rule.group("refs"))
    return name_end, end, ()


def _foreign(text: Text, at: int) -> re.Match[str] | None:
    """A name in italics, in brackets of its own behind the term: before its pages, or the dash."""
    match = FOREIGN.match(text, at) if len(text.spans) > 1 else None
    if not match or (match.end() < len(text) and not BEHIND.match(text, match.end())):
        return None
    inside = cut(text, match.start("name"), match.end("name"))
    return match if inside.spans and all(span.italic and not span.bold for span in inside.spans) else None


def references(listed: str) -> tuple[str, ...]:
    """ "p. W24, H20" as its parts."""
    return tuple(one for one in (part.strip() for part in LISTED.split(listed)) if one)


def _aliases(name: Text) -> tuple[Text, tuple[str, ...]]:
    """The name without its names in another language, and those."""
    brackets = list(ALIAS.finditer(name))
    bracket = name.rfind("(") if not brackets and name.endswith(")") else -1
    if bracket > 0 and (foreign := _foreign(name, len(name[:bracket].rstrip()))):
        brackets = [foreign]
    if not brackets:
        return name, ()
    pieces, at = [], 0
    for alias in brackets:
        pieces.append(cut(name, at, alias.start()))
        at = alias.end()
    pieces.append(cut(name, at))
    return trim(join(pieces, "")), tuple(one for alias in brackets for one in BETWEEN.split(alias.group("name")))
