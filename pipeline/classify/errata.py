"""The grammar of amendments: where ("Page 12 – The ford"), what to do (replace, insert, delete), old and new text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.classify.blocks import join_where, lead, paragraph, part, table_lines
from pipeline.classify.grammar import ARROW, SIGNS, Grammar
from pipeline.records import Block, Change, Operation, Role, Span, Text
from pipeline.text import cut, flat, join, rich, trim

FAR = 400  # no page range is longer: "12-2019" is no range
LABEL_WORDS = 9  # "Profile:" or "Aura of fear" before an instruction; longer text is a text of its own
HEAD_WORDS = 30  # pages and target together
TARGET_WORDS = 16  # a heading after a page; longer text is a sentence
QUOTED_REACH = 8  # words between a quoted new text and "instead of"
VALUE_REACH = 2  # and between a number and it: "4 points and not 3"
TURNING = 4  # letters: "to" or "in" alone between two quotations turns nothing
PLACE_REACH = 24  # letters before a quotation in which "before" or "after" makes it a place
SEPARATOR = re.compile(r"\s*(?:[-–—−:,.;|]\s*)+")
BRACKETED = re.compile(r"\s*\((?=[^()]{2,60}\)\s*(?:[:.–—-]|\Z))")
CLOSERS = ("»", "”", "“", '"', "’", "«", "›")  # of a quotation
EARLY = 0.8  # of the longest line: one that would be no longer with the next word ended on purpose
HEADS = 2  # blocks that begin with a page: it is how this document names what it amends
ENDS = (".", "!", *CLOSERS)  # of a sentence, so that the next line may begin another erratum
NEXT_SENTENCE = re.compile(r"(?<=[.!»”\"’'])\s+(?=[^\W\d_])")
SENTENCE = re.compile(r"(?:[:;!?]|\.(?!\s+\d)|\s[–—-])\s+")  # "col. 2" goes on
ARROWS = re.compile(ARROW)
OPENERS = {"«": "»", "“": "”", "„": "“”", "‘": "’", '"': '"', "'": "'’", "‹": "›", "”": "”", "’": "’", "»": "«"}
_OPENER = re.compile(f"[{''.join(OPENERS)}]")
_CLOSER = {opener: re.compile(f"[{closers}]") for opener, closers in OPENERS.items()}
QUOTES = re.compile("[«“„‘\"]")
NEARBY = re.compile(r"\s*:?\s*(?:\w{1,3}\s+)?")  # between a link word and a number: "mais de 8"
VALUE = re.compile(
    r"(?<!\w)(?!D\d)[A-Z][A-Za-z]?\d+\+?(?!\w)"  # "T10", "Sv3+"
    r"|[+-]?\d+(?:[.,]\d+)?(?:[\"”″'’%+]|D\d+|\b)|\d*D\d+(?:[+-]\d+)?[\"”″]?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The beginning of an erratum: the pages, and where its target begins."""

    pages: tuple[int, ...]
    target: int


# ---------------------------------------------------------------- where


def page_head(text: str, grammar: Grammar, *, loose: bool = False) -> Head | None:
    """Pages at the start of a text, with a stop or nothing after them; ``loose``: a stop is not needed."""
    match = grammar.page_head.match(flat(text))
    if not match:
        return None
    pages, end = page_numbers(flat(text)[match.start("pages") : match.end("pages")], grammar)
    at = match.start("pages") + end
    bracket = text[at : at + 1] == ")"
    at += bracket
    if on := grammar.page_on.match(flat(text), at):
        at = on.end()
    stop = SEPARATOR.match(text, at)
    if stop:
        return Head(pages=pages, target=stop.end())
    if named := BRACKETED.match(text, at):  # "Page 8 (Set up): …"
        return Head(pages=pages, target=named.end())
    if not text[at:].strip() or ((loose or bracket) and text[at : at + 1].isspace()):
        return Head(pages=pages, target=at + len(text[at:]) - len(text[at:].lstrip()))
    return None


def page_tail(text: str, grammar: Grammar) -> tuple[tuple[int, ...], int] | None:
    """Pages at the end of a head, "The ford, page 12", and where the target before them ends."""
    plain = flat(text)
    for comma in re.finditer(r",\s+|\s-\s+", plain):
        tail = grammar.page_head.match(plain, comma.end())
        if tail and not plain[tail.end() :].strip(" .:"):
            return page_numbers(plain[tail.start("pages") : tail.end("pages")], grammar)[0], comma.start()
    return None


def page_numbers(listed: str, grammar: Grammar) -> tuple[tuple[int, ...], int]:
    """ "204 et 206", "12-15, 20" as numbers that rise, and the offset behind the last of them."""
    pages: list[int] = []
    end = 0
    for figures in re.finditer(r"\d+", listed):
        number = int(figures.group())
        if pages and number <= pages[-1]:
            break
        between = listed[end : figures.start()]
        if pages and grammar.page_to.search(between) and number - pages[-1] < FAR:
            pages.extend(range(pages[-1] + 1, number))
        pages.append(number)
        end = figures.end()
        end += bool(re.match(r"[a-z]\b", listed[end:]))
    return tuple(pages), end


def target_end(
    block: Block, start: int, grammar: Grammar, *, told_below: bool = False, instructed: bool = False
) -> int:
    """Where the target ends and the correction begins, when both stand in one block.

    ``told_below``: a paragraph follows that may hold the correction; ``instructed``: it begins as an instruction, so
    that a short line is all target, even "Ignore the fog".
    """
    text = block.text
    if instructed and not block.breaks and not text.rstrip().endswith((":", *ENDS)):
        return len(text)
    bold = lead(text)
    if block.role is Role.HEADING or block.bold:
        return _after_stop(text, start, grammar) or len(text)
    if start < bold < len(text):
        return bold
    if (at := _before_instruction(text, start, grammar)) is not None:
        return at
    if len(text[start:].split()) <= TARGET_WORDS and not text.rstrip().endswith(ENDS):
        return len(text)
    if told_below and not block.breaks and len(text[start:].split()) <= TARGET_WORDS // 4:
        return len(text)  # "Page 30. The last ferry." over a statement
    stop = SENTENCE.search(text, start)
    return stop.start() if stop and len(text[start : stop.start()].split()) <= TARGET_WORDS // 2 else start


def _before_instruction(text: Text, start: int, grammar: Grammar) -> int | None:
    """Where a sentence begins that begins with a verb of amendment."""
    return start if verb_at(flat(text), start, grammar) else _after_stop(text, start, grammar)


def _after_stop(text: Text, start: int, grammar: Grammar) -> int | None:
    """The stop in front of an instruction, behind a target."""
    plain = flat(text)
    for stop in SENTENCE.finditer(text, start):
        instruction = verb_at(plain, stop.end(), grammar) or stated_operation(text[stop.end() :], grammar)
        if instruction and len(text[start : stop.start()].split()) <= TARGET_WORDS:
            return stop.start()
    return None


def clean_target(text: Text) -> Text:
    """A target without the stop at its end, the bracket that was opened before it, the marks all around it."""
    bare = trim(cut(text, 0, len(text.rstrip(" .:–—-,"))))
    if bare.endswith(")") and "(" not in bare:
        bare = trim(cut(bare, 0, len(bare) - 1))
    return bare


def cut_at_lines(blocks: Sequence[Block], grammar: Grammar) -> Iterator[Block]:
    """A head, its instruction and the new text may have been joined: cut where a printed line begins the next."""
    heads = sum(grammar.page_head.match(flat(each.text)) is not None for each in blocks) >= HEADS
    apart = any(one.text[-1:] == ":" and other.text[:1] in OPENERS for one, other in pairwise(blocks))
    for each in blocks:
        block = _with_page_word(each, grammar) if each.marker else each
        text, start = block.text, 0
        lines = [at for at in block.breaks if not text[at : at + 1].islower()] if block.breaks else []
        if not lines or block.role not in (Role.PARAGRAPH, Role.ITEM):  # nothing begins in small letters
            yield block
            continue
        paged = grammar.page_head.match(flat(text)) is not None
        headed = paged or 0 < lead(text) < len(text)
        if paged or block.role is Role.PARAGRAPH:
            announces = text[-1:] == ":"  # "The ford" over "Change to:", both in plain type
            for at in lines:
                may = headed or announces or text[:at].rstrip()[-1:] in _BEFORE_NEXT
                begins = may and _begins_next(text, start, at, paged, grammar)
                begins = begins and (apart or text[at] not in OPENERS or not _may_run_on(block, at, blocks))
                if begins or (heads and _begins_head(text, at, grammar)):
                    yield part(block, start, at)
                    start = at
        yield part(block, start) if start else block


def _may_run_on(block: Block, at: int, blocks: Sequence[Block]) -> bool:
    """Had the printed line that ends there no room for the next word? Then the text may run on behind its colon, as it
    does where another quotation begins in the line of its instruction."""
    if any(colon.end() not in each.breaks for each in blocks for colon in _RUN_IN.finditer(each.text)):
        return True
    edges = [(0, *each.breaks, len(each.text)) for each in blocks if each.role is block.role]
    longest = max([end - start for lines in edges for start, end in pairwise(lines)])
    start = max([0, *(each for each in block.breaks if each < at)])
    return at - start + len(block.text[at:].split(" ", 1)[0]) > EARLY * longest


_RUN_IN = re.compile(rf":\s+(?=[{''.join(OPENERS)}])")
_BEFORE_NEXT = frozenset(":)]")  # what a line without a head ends with, if the next begins something new


def _begins_next(text: Text, start: int, at: int, paged: bool, grammar: Grammar) -> bool:
    """Does a printed line begin the instruction under a head, the quoted new text, or the next head?"""
    before, plain = text[start:at].rstrip(), flat(text)
    if before.endswith(":") and text[at] in OPENERS and operation_of(before, grammar) is not None:
        return grammar.old_label.match(flat(before)) is None  # "Old: A. New:" goes on
    if paged and _begins_head(text, at, grammar):
        return True
    bold = lead(text)
    headed = paged or 0 < bold < len(text)
    broken_off = before.endswith(":") and 0 < bold < len(text) and not text[bold:at].strip()  # a head in bold lines
    if start or (before.endswith((":", ",")) and not broken_off):
        return False
    ran_in = text[: min(bold, at - 2)].rstrip().endswith((":", "."))
    begins = headed and not ran_in and not before.endswith(".") and verb_at(plain, at, grammar) is not None
    begins = begins or (not 0 < bold < len(text) and _begins_amendment(text, at, before, paged, grammar))
    begins = begins or (not headed and before[-1:].isalnum() and amends_outright(cut(text, at), grammar))
    return begins and _is_short_head(before, grammar)


def _begins_head(text: Text, at: int, grammar: Grammar) -> bool:
    """Does a printed line begin with "Page 12 – The ford", or "* Page 12 The ford", after the end of a sentence?"""
    if not text[:at].rstrip().endswith(ENDS) or not text[at:].lstrip(f"{SIGNS} ")[:1].isupper():
        return False
    head = grammar.page_head.match(flat(text), at)
    return head is not None and not text[head.end() :].lstrip()[:1].islower()


def _begins_amendment(text: Text, at: int, before: str, paged: bool, grammar: Grammar) -> bool:
    """A line under a head without a stop begins a sentence that amends: "The last paragraph is deleted."."""
    if not text[at].isupper() or before.endswith((*ENDS, ":", ",", "-", "–", "—")) or len(before.split()) < 3:
        return False
    head = page_head(before, grammar, loose=True) if paged else None
    if not (head and not re.search(r"[.!?]\s", before[head.target :])) and not ends_with_page(before, grammar):
        return False
    end = re.compile(r"[.:!?](?=\s|\Z)").search(text, at)
    return operation_of(text[at : end.end() if end else len(text)], grammar) is not None


def ends_with_page(text: str, grammar: Grammar) -> bool:
    """ "The ford (p. 12)"."""
    pages = list(grammar.page_reference.finditer(flat(text))) if text.endswith((")", "]")) else []
    return bool(pages) and pages[-1].start() > 0 and pages[-1].end() == len(text)


def _with_page_word(block: Block, grammar: Grammar) -> Block:
    """ "S. 12" or "p. 12" may have been taken for an item of a list, marked "S." or "p."; "12. oldal" as well."""
    sign = block.marker.strip()
    first = sign.lstrip("([")[:1]
    if block.role not in (Role.ITEM, Role.HEADING) or not (
        first.isalpha() or (first.isdigit() and grammar.words.page.behind)
    ):
        return block
    text = rich(sign + " ", block.text)
    if not grammar.page_head.match(flat(text)):
        return block
    moved = tuple(at + len(sign) + 1 for at in block.breaks)
    bold = rich(Span(text=sign + " ", bold=block.text.spans[0].bold, colour=block.text.spans[0].colour), block.text)
    role = Role.PARAGRAPH if block.role is Role.ITEM else block.role
    return replace(block, role=role, marker="", text=bold, breaks=moved)


def _is_short_head(text: str, grammar: Grammar) -> bool:
    return len(text.split()) <= HEAD_WORDS and operation_of(text, grammar) is None


# ---------------------------------------------------------------- what to do


def verb_at(plain: str, at: int, grammar: Grammar) -> Operation | None:
    """The operation of the verb that stands at an offset of a flat text."""
    while at < len(plain) and (plain[at].isspace() or plain[at] in SIGNS):
        at += 1
    return next((operation for operation, pattern in grammar.head if pattern.match(plain, at)), None)


def instruction_start(text: str, grammar: Grammar) -> Operation | None:
    """The operation of a sentence that is an instruction from its start ("Replace …", "Profile: change …")."""
    plain = flat(text)
    if operation := verb_at(plain, 0, grammar):
        return _prefer_replace(operation, plain, grammar)
    for stop in re.finditer(r"[:,]\s*|\s-\s+", plain[:120]):
        if len(plain[: stop.start()].split()) > LABEL_WORDS:
            return None
        if operation := verb_at(plain, stop.end(), grammar):
            return _prefer_replace(operation, plain, grammar)
    return None


def operation_of(text: str, grammar: Grammar) -> Operation | None:
    """The operation that a sentence asks for, in any wording; None when it only says how things are."""
    if operation := instruction_start(text, grammar):
        return operation
    quoted = quotations(text)
    plain = _without(flat(text), quoted)
    if quoted or plain.rstrip().endswith(":") or ": " in plain[:60] or grammar.piece.search(plain):
        verbs = [(m, op) for op, pattern in grammar.head for m in pattern.finditer(plain)]
        loose = bool(quoted) or ":" in plain
        commands = [(m.start(), op) for m, op in verbs if _commands(plain, m, grammar, loose=loose)]
        if commands:
            return _prefer_replace(min(commands)[1], plain, grammar)
    if operation := stated_operation(text, grammar):
        return operation
    plain = flat(text)
    amends = (
        _contrast(text, plain, quoted, grammar)
        or _turns_into(plain, quoted, grammar)
        or grammar.new_label.match(plain)
        or _labelled(plain, grammar)
    )
    return Operation.REPLACE if amends else None


def amends_outright(text: Text, grammar: Grammar) -> bool:
    """Begins with the verb of an amendment, and announces the new text or holds it."""
    operation = verb_at(flat(text), 0, grammar)
    return operation is not None and (text.rstrip().endswith(":") or any(inside(text, operation, grammar)))


def _commands(plain: str, verb: re.Match[str], grammar: Grammar, *, loose: bool) -> bool:
    """A verb commands at the start of a clause or before a quotation; an infinitive does at the end; else it tells."""
    before, after = plain[: verb.start()].rstrip(), plain[verb.end() :].lstrip()
    clause = re.split(r"[.:;,]\s", before)[-1]
    if grammar.may.search(clause):  # "may be added"
        return False
    if not loose:
        return after in ("", ".")
    return (
        not clause
        or ((grammar.place.match(clause) or grammar.piece.search(clause)) and len(clause.split()) <= LABEL_WORDS)
        or before[-1] in ".:;,-–—)"
        or before.endswith(" x")
        or after[:1] in ("", *".:;,")
        or after[:2] == "x "
    )


def stated_operation(text: str, grammar: Grammar) -> Operation | None:
    """The operation of a sentence that says what is amended ("… should read …"), not that tells a player to add."""
    quoted = quotations(text)
    plain = _without(flat(text), quoted)
    phrases = [(m.start(), -m.end(), op) for op, pattern in grammar.anywhere if (m := pattern.search(plain))]
    if turn := grammar.turns.search(plain):
        phrases.append((turn.start(), -turn.end(), Operation.REPLACE))
    if not phrases:
        return None
    start, _, operation = min(phrases)  # the first, and of two at one place the longer
    elliptic = start == 0 and len(plain.split()) < LABEL_WORDS // 2  # "To be deleted."
    of_text = elliptic or bool(quoted) or plain.rstrip().endswith(":") or grammar.piece.search(plain) is not None
    return operation if of_text or operation is Operation.REPLACE else None  # "the boat is removed" is a rule


def _turns_into(plain: str, quoted: list[tuple[int, int]], grammar: Grammar) -> bool:
    """ "‘A’ becomes ‘B’", "A → B"."""
    if len(ARROWS.findall(_without(plain, quoted))) == 1:
        return True
    between = (plain[end:start].strip() for (_, end), (start, _) in pairwise(quoted))
    return any(len(words) > TURNING and grammar.by.fullmatch(words) for words in between)


def _labelled(plain: str, grammar: Grammar) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Where the two texts of "Old: … New: …" stand."""
    old = grammar.old_label.match(plain)
    if not old:
        return None
    for stop in re.finditer(r"(?<=[.;,!?\"'])\s+", plain):
        if stop.start() > old.end() and (new := grammar.new_label.match(plain, stop.end())):
            return (old.end(), stop.start()), (new.end(), len(plain))
    return None


def _around_arrow(plain: str, quoted: list[tuple[int, int]]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """The two sides of an arrow where nothing is quoted; a label and a colon may stand before them."""
    arrows = [m for m in ARROWS.finditer(plain) if not _within(m.start(), quoted)]
    if quoted or len(arrows) != 1:
        return None
    label = plain.rfind(": ", 0, arrows[0].start())
    old, new = (label + 2 if label >= 0 else 0, arrows[0].start()), (arrows[0].end(), len(plain))
    return (old, new) if plain[slice(*old)].strip() and plain[slice(*new)].strip() else None


def _without(plain: str, quoted: list[tuple[int, int]]) -> str:
    """The text with each quotation as one word: what is quoted instructs nobody."""
    pieces, at = [], 0
    for start, end in quoted:
        pieces += [plain[at:start], " x "]
        at = end
    return "".join([*pieces, plain[at:]])


def _prefer_replace(operation: Operation, plain: str, grammar: Grammar) -> Operation:
    """ "Remove the box and replace it with" is a replacement."""
    replacing = grammar.head[0][1]
    return Operation.REPLACE if operation is Operation.DELETE and replacing.search(plain) else operation


# ---------------------------------------------------------------- old and new


def quotations(text: str) -> list[tuple[int, int]]:
    """Quoted passages with their marks, outermost, in order; one that is never closed runs to the end."""
    spans: list[tuple[int, int]] = []
    at = 0
    while opener := _OPENER.search(text, at):
        start = opener.start()
        end = _close(text, start) if _opens(text, start) else None
        if end is not None:
            spans.append((start, end))
        at = end or start + 1
    return spans


def _opens(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if text[at] in "«“„‘‹":
        return bool(after)
    return (not before or before.isspace() or before in "([:–—-") and bool(after) and not after.isspace()


def _close(text: str, at: int) -> int | None:
    for closer in _CLOSER[text[at]].finditer(text, at + 1):
        end = closer.start()
        after = text[end + 1 : end + 2]
        if text[end] in "’'" and after.isalpha():
            continue
        if text[end] == '"' and text[end - 1].isdigit() and '"' in text[end + 1 :]:
            continue
        return end + 1
    return len(text) if text[at] in "«“„" else None


def inside(text: Text, operation: Operation, grammar: Grammar) -> tuple[Text | None, tuple[Text, ...]]:
    """The old and the new text that an instruction quotes."""
    plain = flat(text)
    quoted = quotations(text)
    if operation is Operation.REPLACE:
        return _replaced(text, plain, quoted, grammar)
    if operation is Operation.INSERT:
        new = _not_places(plain, quoted, grammar)
        new = [] if plain.rstrip().endswith(":") else new or quoted[:1]
        return None, tuple(cut(text, *span) for span in new)
    if operation is Operation.DELETE and quoted:
        return cut(text, quoted[0][0], quoted[-1][1]), ()
    return None, ()


def _not_places(plain: str, quoted: list[tuple[int, int]], grammar: Grammar) -> list[tuple[int, int]]:
    """The quotations that name no place: none has "after" before it, nor "and" between it and one that has."""
    spans, end, place = [], 0, False
    for span in quoted:
        before = plain[max(end, span[0] - PLACE_REACH) : span[0]]
        place = bool(grammar.place.search(before)) or (place and before.strip() in grammar.words.page.and_)
        end = span[1]
        if not place:
            spans.append(span)
    return spans


def _replaced(
    text: Text, plain: str, quoted: list[tuple[int, int]], grammar: Grammar
) -> tuple[Text | None, tuple[Text, ...]]:
    """Old before "by", new after it; the other way round with "instead of"."""
    pair = _labelled(plain, grammar) or _contrast(text, plain, quoted, grammar) or _around_arrow(plain, quoted)
    if pair:
        old, new = (trim(cut(text, *_quoted_in(side, quoted, text))) for side in pair)
        return old, (new,)
    links = [m for m in grammar.by.finditer(plain) if not _within(m.start(), quoted)]
    values = sorted(quoted + _values(text, links, quoted))
    if not links:  # "Change the ‘Rope’ of rule 5:" names what it changes
        return None, () if plain.rstrip().endswith(":") else tuple(cut(text, *span) for span in values)
    if plain.rstrip().endswith(":"):  # "Change the sentence that begins with ‘A’ to:" quotes a place
        quoted = [span for span in quoted if not any(NEARBY.fullmatch(plain, link.end(), span[0]) for link in links)]
        values = [span for span in values if span in quoted]
    pivot = _pivot(links, values, text)
    before = [span for span in values if span[1] <= pivot]
    after = [span for span in values if span[0] >= pivot]
    if before and after and grammar.swap.search(_without(plain, quoted)):
        return cut(text, *after[0]), (cut(text, *before[-1]),)
    if not after:  # "Replace step 3 with:" names a place; only what is quoted is old text
        before = [span for span in before if span in quoted and not grammar.piece.match(plain, span[1] + 1)]
    more = [span for (_, end), span in pairwise(after) if not _is_placed(plain[end : span[0]], grammar)]
    return (cut(text, *before[-1]) if before else None), tuple(cut(text, *span) for span in (*after[:1], *more))


def _is_placed(between: str, grammar: Grammar) -> bool:
    """ "Change ‘A’ to ‘B’ in the rule ‘Rope’.": behind the new text, where it stands."""
    if grammar.place.match(between.strip()):
        return True
    return grammar.piece.search(between) is not None and grammar.by.search(between) is None


def _quoted_in(side: tuple[int, int], quoted: list[tuple[int, int]], text: str) -> tuple[int, int]:
    """The quotation that one side of a replacement is, but for the sign behind it: "«A», must be «B»."."""
    start, end = next(((start, end) for start, end in quoted if side[0] <= start and end <= side[1]), side)
    alone = not text[side[0] : start].strip() and not text[end : side[1]].strip(" .,;")
    return (start, end) if alone else side


def _contrast(
    text: str, plain: str, quoted: list[tuple[int, int]], grammar: Grammar
) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Old and new around "instead of": "4 and not 3", "instead of ‘A’ read ‘B’"; None without two of a kind."""
    links = [link for link in grammar.instead.finditer(plain) if not _within(link.start(), quoted)]
    values = [*VALUE.finditer(text), *grammar.counted.finditer(plain)] if links else []
    spans = sorted(quoted + [value.span() for value in values if not _within(value.start(), quoted)])
    for link in links:
        old = next((span for span in spans if NEARBY.fullmatch(text, link.end(), span[0])), None)
        if old is None:
            continue
        before = [span for span in spans if span[1] <= link.start()]
        near = [span for span in before if _close_by(text[span[1] : link.start()], span in quoted)]
        later = [span for span in spans if span[0] >= old[1] and (span in quoted) == (old in quoted)]
        if later and old in quoted and grammar.by.search(plain, old[1], later[0][0]):
            near = []  # "In ‘Set up’, instead of ‘A’ read ‘B’": what stands before is a place
        new = near[-1] if near else next(iter(later), None)
        if new and not (plain[slice(*old)] in grammar.ones and plain[slice(*new)] in grammar.ones):
            return old, new
    return None


def _close_by(between: str, quoted: bool) -> bool:
    """Few words, all of one sentence, stand between the new text and "instead of"."""
    return len(between.split()) <= (QUOTED_REACH if quoted else VALUE_REACH) and not re.search(r"[.;!?]\s", between)


def _pivot(links: list[re.Match[str]], values: list[tuple[int, int]], text: str) -> int:
    """The link word that stands between old and new: straight before a value, or at the end before a colon."""
    first = next((link for link in links if _is_near_value(link, values)), None)
    if first is None:
        return links[-1].end() if text.rstrip().endswith(":") else links[0].end()
    parting = (
        link for link in links if link.group() != first.group() and any(end <= link.start() for _, end in values)
        and any(NEARBY.fullmatch(text, link.end(), start) for start, _ in values if start >= link.end())
    )  # fmt: skip
    leading = not any(end <= first.start() for _, end in values)  # "In the row ‘Cog’ …": a place, no old text
    return (next(parting, first) if leading else first).end()


def _is_near_value(link: re.Match[str], values: list[tuple[int, int]]) -> bool:
    return any(0 <= start - link.end() <= PLACE_REACH for start, _ in values)


def _values(text: str, links: list[re.Match[str]], quoted: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Numbers straight before or after a link word count as quoted: ``Change 3" to 6"``."""
    spans = []
    for value in VALUE.finditer(text):
        if _within(value.start(), quoted):
            continue
        near = any(link.end() <= value.start() and NEARBY.fullmatch(text, link.end(), value.start()) for link in links)
        near = near or any(value.end() <= link.start() and _is_unit(text, value.end(), link) for link in links)
        if near:
            spans.append(value.span())
    return spans


def _is_unit(text: str, start: int, link: re.Match[str]) -> bool:
    """Between a value and a link word: nothing, or what comes back after the next value ("2 points to 3 points")."""
    unit = text[start : link.start()].strip()
    later = VALUE.search(text, link.end())
    return not unit or (unit.isalpha() and later is not None and text.startswith(unit, later.end() + 1))


def _within(at: int, quoted: list[tuple[int, int]]) -> bool:
    return any(start < at < end for start, end in quoted)


# ---------------------------------------------------------------- the changes of one erratum


def changes(body: Sequence[Block], target: str, grammar: Grammar) -> tuple[Change, ...]:
    """The amendments that the paragraphs after a head describe, in order; no word is left out."""
    groups = _groups(body, grammar)
    if len(groups) == 1 and groups[0][0] is None:
        stated = operation_of(target, grammar) if target else None
        return (Change(operation=stated or Operation.CLARIFY, new=_paragraphs(groups[0][1])),)
    amendments: list[Change] = []
    label: Text | None = None
    for operation, blocks in groups:
        if operation is None and _is_label(blocks):
            label = blocks[0].text
        elif operation is None:
            amendments.append(Change(operation=Operation.CLARIFY, new=_paragraphs(blocks)))
        else:
            amendments.append(_change(operation, blocks, label, grammar))
            label = None
    return tuple(amendments)


def _groups(body: Sequence[Block], grammar: Grammar) -> list[tuple[Operation | None, list[Block]]]:
    """Each instruction with what follows it; quoted paragraphs are never instructions."""
    groups: list[tuple[Operation | None, list[Block]]] = []
    closing = ""
    for block in _cut_at_sentences(_joined_labels(body, grammar), grammar):
        text = block.text.strip()
        operation = None if closing or _quoted(text) else operation_of(text, grammar)
        if operation and groups and groups[-1][0] and not _ends_before(block, groups[-1][1], grammar):
            operation = None
        if operation or not groups:
            groups.append((operation, [block]))
        else:
            groups[-1][1].append(block)
        closing = _still_open(text, closing)
    return groups


def _ends_before(block: Block, above: Sequence[Block], grammar: Grammar) -> bool:
    """Is what amends here another instruction, and no part of the new text of the one above? Items of one list are."""
    first = above[0]
    listed = {block.role, first.role} == {Role.ITEM} and block.level == first.level
    if listed and not first.text.rstrip().endswith(":"):
        return True
    return _quotes_all(above) or _is_instruction(block.text.strip(), grammar)


def _cut_at_sentences(body: Iterable[Block], grammar: Grammar) -> Iterator[Block]:
    """ "The second sentence should read “A”. The word “may” is removed." are two amendments in one paragraph."""
    for block in body:
        start = 0
        for at in _sentences(block.text) if block.role is not Role.TABLE else ():
            sentences = block.text[start:at], block.text[at:]
            if all(_amends(each, grammar) for each in sentences) and not _are_labelled(*sentences, grammar):
                yield part(block, start, at)
                start = at
        yield part(block, start) if start else block


def _sentences(text: str) -> list[int]:
    """Where sentences begin, after the first, outside of quotations."""
    if not NEXT_SENTENCE.search(text):
        return []
    quoted = quotations(text)
    return [
        stop.end()
        for stop in NEXT_SENTENCE.finditer(text)
        if text[stop.end()].isupper() and not _within(stop.end() - 1, quoted)
    ]


def _amends(text: str, grammar: Grammar) -> bool:
    """A sentence that quotes what it amends, and says how."""
    quoted = quotations(text)
    if not quoted or quoted[0][0] == 0:
        return False
    end = next((at for at in _sentences(text) if at > quoted[0][1]), len(text))
    return operation_of(text[:end], grammar) is not None


def _joined_labels(body: Sequence[Block], grammar: Grammar) -> Iterator[Block]:
    """ "Old text: …" over "New text: …" is one sentence in two paragraphs."""
    return join_where(body, lambda above, below: _are_labelled(above.text, below.text, grammar))


def _are_labelled(one: str, other: str, grammar: Grammar) -> bool:
    return bool(grammar.old_label.match(flat(one)) and grammar.new_label.match(flat(other)))


def is_open(body: Sequence[Block]) -> bool:
    """Does a quotation that began in these paragraphs still go on?"""
    closing = ""
    for block in body:
        closing = _still_open(block.text.strip(), closing)
    return bool(closing)


def _quoted(text: str) -> bool:
    """Is it a quotation from its first letter (nearly) to its last?"""
    bare = text.lstrip(SIGNS + " ")
    if not bare or bare[0] not in OPENERS:
        return False
    quoted = quotations(bare)
    return not quoted or quoted[0][0] > 0 or quoted[0][1] >= 0.8 * len(bare)


def _quotes_all(blocks: Sequence[Block]) -> bool:
    """Has an instruction quoted its new text, to the end? What comes after is none of it."""
    last = blocks[-1].text.rstrip(" .;")
    return last.endswith(CLOSERS) and any(end >= len(last) for _, end in quotations(last))


def _is_instruction(text: str, grammar: Grammar) -> bool:
    """Is it surely another instruction? The new text behind one may hold verbs, too; an instruction begins with its
    verb, quotes, or ends with a colon."""
    return instruction_start(text, grammar) is not None or bool(quotations(text)) or text.endswith(":")


def _still_open(text: str, closing: str) -> str:
    """The closing marks that are awaited after this paragraph."""
    if closing:
        return "" if text.rstrip(" .;,").endswith(tuple(closing)) else closing
    at = next((n for n, letter in enumerate(text) if letter in OPENERS and _opens(text, n)), None)
    for start in [] if at is None else [n for n in range(at, len(text)) if text[n] in "«“„‘'\""]:
        if text[start] in OPENERS and _opens(text, start) and _ends_open(text, start):
            return OPENERS[text[start]]
    return ""


def _ends_open(text: str, start: int) -> bool:
    ends = [end for begin, end in quotations(text) if begin <= start < end]
    if not ends:
        return text[start] in "‘'\"" and not any(mark in text[start + 1 :] for mark in OPENERS[text[start]])
    return ends[0] == len(text) and text[-1] not in OPENERS[text[start]]


def _is_label(blocks: list[Block]) -> bool:
    text = blocks[0].text.rstrip()
    return len(blocks) == 1 and len(text.split()) <= LABEL_WORDS and not text.endswith(("?", *ENDS))


def _change(operation: Operation, blocks: list[Block], label: Text | None, grammar: Grammar) -> Change:
    instruction = paragraph(blocks[0])
    colon = _unquoted_after_colon(instruction, grammar) or _open_after_colon(instruction)
    if colon:
        old = None
        new: tuple[Text, ...] = (trim(cut(instruction, colon)),)
        instruction = trim(cut(instruction, 0, colon))
    else:
        old, new = inside(instruction, operation, grammar)
    if label is not None:
        instruction = rich(label, " ", instruction)
    more = _paragraphs(blocks[1:])
    if more and old is None and operation is not Operation.INSERT:
        old, more = _struck(more)
    if more and old is None and operation is Operation.DELETE and instruction.endswith(":"):
        old, more = join(more), ()
    return Change(operation=operation, instruction=instruction, old=old, new=new + more)


def _struck(texts: tuple[Text, ...]) -> tuple[Text | None, tuple[Text, ...]]:
    """What is struck through is the old text, the rest of it the new."""
    if not any(span.struck for text in texts for span in text.spans):
        return None, texts
    old, new = ([_only(text, struck=struck) for text in texts] for struck in (True, False))
    return join([text for text in old if text]), tuple(text for text in new if any(map(str.isalnum, text)))


def _only(text: Text, *, struck: bool) -> Text:
    return trim(rich(*(span for span in text.spans if span.struck is struck), level=text.level))


def _unquoted_after_colon(text: Text, grammar: Grammar) -> int | None:
    """ "Add: This order …": the new text follows the colon without quotation marks."""
    for colon in re.finditer(r":\s+(?=\S)", text):
        before, after = text[: colon.start()], text[colon.end() :]
        if quotations(after) or after[:1] in OPENERS:
            return None
        operation = len(after.split()) > 3 and operation_of(before + " :", grammar)
        if operation and not _contrast(after, flat(after), [], grammar):
            return colon.end()
    return None


def _open_after_colon(text: Text) -> int | None:
    """The new text begins in the line of the instruction and goes on in the next paragraphs."""
    colon = re.search(r":\s*(?=[«“„‘'\"])", text)
    return colon.end() if colon and _still_open(text[colon.end() :].strip(), "") else None


def _paragraphs(blocks: Sequence[Block]) -> tuple[Text, ...]:
    texts: list[Text] = []
    for block in blocks:
        texts += table_lines(block) if block.role is Role.TABLE else [paragraph(block)]
    return tuple(text for text in texts if text.strip()) or ()
