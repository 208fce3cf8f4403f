"""Who a document is: title, game, version, date, publisher, as printed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, takewhile

from pipeline.classify.blocks import lead
from pipeline.classify.grammar import Grammar
from pipeline.classify.rules import rule_number, with_number
from pipeline.language import common, languages, months
from pipeline.records import Block, Role, Structure
from pipeline.text import flat, fold
from pipeline.vocab import Words, alternatives, vocabulary

FRONT_WORDS = 40  # a longer text is no line of a title page
FRONT_BLOCKS = 25  # a title page and an introduction; a date further down is about something else
TITLE_GAP = 0.5  # lines of white between the lines of one title
SENTENCES = 3  # short ones that make a text
TITLE_WORDS = 14
LONG_TITLE = 2 * TITLE_WORDS  # of the first line of all, in the largest type
HEAD_LINES = 3  # of a running head in the margin
NAME_WORDS = 6  # of a line that says what a document is
SMALL = 0.85  # times the body: type of running heads
SMALLER = 0.95  # the same of the first line of a page
THROUGHOUT = 0.3  # of the pages: left and right pages may have heads of their own
TITLE_BLOCKS = 6  # a game, a kind of document, a version, a date
LABEL_WORDS = 2  # what a part is called, and its number
LINE_WORDS = 6  # a line of a title page between two headings
PARTS = re.compile(r"\s+[–—-]\s+|\s*[|•]\s*|:\s+")
VERSION_NUMBER = r"(?P<version>20\d\d\.\d{1,2}\b|\d{1,3}(?:\.\d{1,3}){0,3}[a-z]?)\b(?!\s*[/.]\d)"
DIGIT = re.compile(r"\d")
DATED_BY = re.compile(r"(?:19|20)\d\d|\d[/.]\d{1,2}[/.]\d\d")  # every date has one of these
WORD = re.compile(r"[^\W\d_]+")
DIGITS = re.compile(r"(\d+)")
ALONE = re.compile(r"\d{1,3}(?:\.\d{1,3})*[a-z]?")  # a number and nothing else
OUTER = 2  # pages at the front and at the end: there a publisher is named
SHORTEST = 3  # letters of a month's name, and of a title
DATED = 3  # lines that begin with a date and make a list
SAYING = 100  # words of a text that would say its own title: a leaflet of a few lines need not
PROGRAM = re.compile(
    r"^(?:microsoft|openoffice|libreoffice)\b[\w .]*?\s-\s|\s-\s(?:google \w+|canva|notion)$", re.IGNORECASE
)
FILE_NAME = re.compile(
    r"\.(?:docx?|odt|rtf|pdf|indd|qxp|pptx?|xlsx?|tex|pages|html?|md|txt|afpub|sla)\b", re.IGNORECASE
)
PAGE_NUMBER = re.compile(r"^\W*\d+\s+|(?:\s[^\W\d_])?\s*\W*\d+\W*$")  # at either end; "B12", too
YEAR = r"(?P<year>(?:19|20)\d\d)\b"
DAY = r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.?[o°]|\.)?\s+(?:de\s+|d'|of\s+)?)?"
LATE = r"(?:(?P<late>\d{1,2})(?:st|nd|rd|th)?,\s+)?"
IN_WORDS = re.compile(rf"{DAY}\b(?P<month>[^\W\d_]{{3,}})\b\.?,?\s+(?:de\s+|del\s+)?{LATE}{YEAR}")
# "2024. június 3.", "2024 m. birželio 3 d."
YEAR_FIRST = re.compile(
    r"\b(?P<year>(?:19|20)\d\d)(?:\.|\s?[^\W\d_]\.)\s+(?P<month>[^\W\d_]{3,})\s+(?P<day>[0-2]?\d|3[01])\b"
)
# "2024. gada 3. jūnijs"
YEAR_AND_DAY = re.compile(
    r"\b(?P<year>(?:19|20)\d\d)\.\s+(?:[^\W\d_]{3,5}\s+)?(?P<day>[0-2]?\d|3[01])\.\s+(?P<month>[^\W\d_]{3,})\b"
)
OTHER_MONTHS = {"janner": 1, "feber": 2, "setiembre": 9}  # of Austria and of America
COPYRIGHT = re.compile(
    r"(?:(?:©|\(c\)(?=\s*(?:19|20)\d\d)|copyright)[\s©,]*)+(?:(?:\d{4}(?:\s*[-–,]\s*\d{4})*)[\s,]*)?(?:by\s+)?(?:the\s+)?"
    r"(?P<name>[^\W\d_][^\d,.;©®™|]{2,50}"
    r"(?:,? (?:Ltd|Inc|LLC|GmbH|S\.A\.)\.?|(?<=\sS)\.\s?(?:r\.\s?l|p\.\s?A|L|A)\.)?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    title: str | None = None
    game: str | None = None
    version: str | None = None
    date: str | None = None
    publisher: str | None = None
    front: frozenset[tuple[int, str]] = frozenset()  # level and folded words of the title page's headings
    defines: bool = False  # a line under the title says that this is a glossary, and nothing else
    amends: bool = False  # a line under the title says that this is a list of errata, and nothing else


def identify(structure: Structure, grammar: Grammar) -> Identity:
    """What the first page, the running heads and the last lines say about the document."""
    front = [block for block in structure.blocks[:FRONT_BLOCKS] if block.page <= 2]
    heads = _running_heads(structure.furniture, structure.pages, grammar)
    in_file = _title_in_file(structure.title)
    titles = _titles(front, structure.blocks, grammar)
    agreed = next((head for head in heads if _letters(head) == _letters(in_file or "")), None)
    if agreed and _begins_text(front[1:2]) and not any(_letters(title) in _letters(agreed) for title in titles):
        titles = [agreed]  # the file and every page say so, and what stands over the text is its first head
    title = titles[0] if titles else _first_line(front, grammar)
    title = title or (_undated(heads[0]) if heads else _unless_foreign(in_file, structure))
    title = title or _in_first_box(front, grammar)
    lines = [block.text for block in front[:TITLE_BLOCKS] if len(block.text.split()) <= TITLE_WORDS]
    title, game = _title_and_game(title, titles[1:], lines, heads, grammar)
    title = title if game else _with_line_above(title, front, grammar)
    stated, prose = _stated(front)
    texts = [*stated, *heads, *prose]
    undated = _without_dated_list(texts, grammar)
    version = _behind_kind(title, grammar) or _first(
        [*stated, *heads], lambda text: find_version(text, grammar)
    ) or _first(prose, lambda text: find_version(text, grammar, whole=True))  # fmt: skip
    return Identity(
        title=title, game=game, version=version,
        date=_first(undated, lambda text: find_date(text, grammar)), publisher=_publisher(structure, grammar),
        front=_front(front, title, game, titles if title not in titles else (), grammar),
        amends=any(_only_amends(flat(line), grammar) for line in lines[1:]),
        defines=any(_only_defines(flat(line), grammar) for line in lines[1:2]),
    )  # fmt: skip


def _stated(front: Sequence[Block]) -> tuple[list[str], list[str]]:
    """What is said in short lines, headings and tables at the front, and what in its sentences: a running foot tells
    more about the document than those. A number under the line that names it is in one line with it."""
    stated, prose = [], []
    for above, block in zip((None, *front), front, strict=False):
        text = str(with_number(block)[0])
        words = len(text.split())
        if above is not None and ALONE.fullmatch(text) and len(above.text.split()) <= LINE_WORDS:
            stated.append(f"{above.text} {text}")
        if words <= TITLE_WORDS or (words <= FRONT_WORDS and block.role in (Role.HEADING, Role.TABLE)):
            stated.append(text)
        elif words <= FRONT_WORDS:
            prose.append(text)
    return stated, prose


def _in_first_box(front: Sequence[Block], grammar: Grammar) -> str | None:
    """The largest of the headings that a page begins with, all in one box."""
    heads = list(takewhile(lambda block: block.role is Role.HEADING and block.page == 1, front))
    boxed = [block for block in heads if block.region and block.region == heads[0].region]
    named = [block for block in boxed if len(block.text.split()) <= TITLE_WORDS and not _is_numbered(block, grammar)]
    return str(max(named, key=lambda block: block.size).text) if named else None


def _with_line_above(title: str | None, front: Sequence[Block], grammar: Grammar) -> str | None:
    """ "Rulebook" straight under a line in other type that says of what: they are one title."""
    if not title or re.sub(_kinds(grammar), "", flat(title)).strip():
        return title
    for above, block in pairwise(front[:TITLE_BLOCKS]):
        near = above.role is Role.HEADING and above.page == block.page and block.gap < TITLE_GAP
        if near and fold(block.text) == fold(title):
            return f"{above.text} {title}"
    return title


def _undated(head: str) -> str:
    """A running head without what a program put behind its words: the end of a file's name, a date or a year."""
    return FILE_NAME.sub("", re.sub(r"[\s(\[]*(?:\d[\d./-]*\d)?[)\]]*$", "", head))


def _behind_kind(title: str | None, grammar: Grammar) -> str | None:
    """The number at the end of a title, behind what the document is: "Errata 3.01", "Règles abrégées 1.0"."""
    match = re.search(
        rf"{_kinds(grammar)}(?:\s[^\W\d_]+)?\s(?P<version>\d{{1,2}}(?:\.\d{{1,3}})+[a-z]?)$", flat(title or "")
    )
    return match["version"] if match else None


def _first_line(front: Sequence[Block], grammar: Grammar) -> str | None:
    """A short line in plain type over all else that says what the document is: "Saltmarsh FAQ, version 3"."""
    first = next((str(block.text) for block in front[:1] if block.role is Role.PARAGRAPH and not block.breaks), "")
    stated = len(first.split()) <= NAME_WORDS and first[-1:].isalnum() and re.search(_kinds(grammar), flat(first))
    return first if stated else None


def _title_in_file(title: str | None) -> str | None:
    """The title that the file itself tells; not where a program named it after a file, or nobody did."""
    bare = PROGRAM.sub("", title or "").strip(" -–—")
    words = " ".join(WORD.findall(flat(bare)))
    if FILE_NAME.search(bare) or ("_" in bare and " " not in bare) or len(words) < SHORTEST:
        return None
    return bare if all(words not in map(flat, common(code).untitled) for code in languages()) else None


def _unless_foreign(title: str | None, structure: Structure) -> str | None:
    """The title that the file tells, unless a text of some length has few of its words: then it is of another."""
    words = WORD.findall(flat(title or ""))
    in_text = WORD.findall(" ".join([flat(block.text) for block in structure.blocks]))
    return title if len(in_text) < SAYING or 2 * sum(word in set(in_text) for word in words) >= len(words) else None


def _without_dated_list(texts: Sequence[str], grammar: Grammar) -> list[str]:
    """Without the lines that begin with a date each, where there are several: they date what they tell."""
    language = grammar.words.language
    listed = [
        text for text in texts if any(not at and text[end:].strip() for _, at, end in _dates(flat(text), language))
    ]
    return [text for text in texts if text not in listed] if len(listed) >= DATED else list(texts)


def _only_defines(line: str, grammar: Grammar) -> bool:
    """Does it name a glossary and no other kind of document?"""
    if len(line.split()) > NAME_WORDS or line[-1:].isdigit() or not (glossary := grammar.glossary.search(line)):
        return False
    return re.search(_kinds(grammar), line[: glossary.start()] + line[glossary.end() :]) is None


def _only_amends(line: str, grammar: Grammar) -> bool:
    """Is "errata" the only kind of document that it names, or those of another: "Corrections to the rulebook"?"""
    kinds = list(re.finditer(_kinds(grammar), line))
    if not kinds or not grammar.errata_heading.search(kinds[0][0]):
        return False
    linked = {*map(flat, grammar.words.page.and_), ",", "/", "+", "|", "-", ""}
    behind = [(line[one.end() : other.start()].strip(), other[0]) for one, other in pairwise(kinds)]
    return all(grammar.errata_heading.search(kind) or between not in linked for between, kind in behind)


def without_running_head(
    blocks: list[Block], who: Identity, body_size: float, grammar: Grammar
) -> tuple[list[Block], tuple[Block, ...]]:
    """A line of small type that says the title or a section again is furniture, even on the only page."""
    limit = SMALL * body_size
    small = [b for b in blocks if b.size < limit and b.role is Role.PARAGRAPH and len(b.breaks) < HEAD_LINES]
    over = [b for b in blocks[:1] if b.role is Role.PARAGRAPH and b.size < SMALLER * body_size and not b.breaks]
    if not small and not over:
        return blocks, ()
    named = {_letters(b.text) for b in blocks if b.role is Role.HEADING}
    named |= {_letters(f"{who.game}{who.title}"), _letters(f"{who.title}"), _letters(f"{who.game}")}
    title_letters = "".join(_letters(b.text) for b in blocks[1:TITLE_BLOCKS])
    heads = tuple(b for b in small if _letters(b.text) in named or _says_kind(_letters(b.text), who, grammar))
    heads += tuple(b for b in over if b not in heads and _says_again(_letters(b.text), who, title_letters))
    return [b for b in blocks if b not in heads], heads


def _says_kind(letters: str, who: Identity, grammar: Grammar) -> bool:
    """The title or the game, and behind it what the document is."""
    names = [_letters(name) for name in (who.title, who.game) if name]
    rests = [letters[len(name) :] for name in names if name and letters.startswith(name)]
    kinds = grammar.words.document.kinds + vocabulary("en").document.kinds if rests else ()
    return any(_letters(kind) in rests for kind in kinds)


def _says_again(letters: str, who: Identity, title_letters: str) -> bool:
    """The title or the game, and behind it what the title page says as well."""
    names = [_letters(name) for name in (who.title, who.game) if name]
    return any(name and letters.startswith(name) and letters[len(name) :] in title_letters for name in names)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, fold(text)))


def _first(texts: Sequence[str], find: object) -> str | None:
    for text in texts:
        if value := find(text):  # type: ignore[operator]
            return str(value)
    return None


def _titles(front: Sequence[Block], blocks: Sequence[Block], grammar: Grammar) -> list[str]:
    """The headings before the first paragraph of the first page that head no section, the largest first."""
    headings: list[Block] = []
    largest = max([block.size for block in blocks if block.role is Role.HEADING], default=0.0)
    text = False  # a title under a text is at least the largest heading
    for block in front[:TITLE_BLOCKS]:
        words = len(block.text.split())
        between = words <= LINE_WORDS or (words <= TITLE_WORDS and not _is_name(block.text, grammar))
        if block.page > 1 or (headings and block.role is not Role.HEADING and not between):
            break
        text = text or block.role is Role.TABLE or (block.role is not Role.HEADING and words > TITLE_WORDS)
        if text and block.size < largest:
            continue
        most = LONG_TITLE if block is front[0] and _is_largest(block, blocks) else TITLE_WORDS
        named = block.role is Role.HEADING and words <= most and not COPYRIGHT.match(block.text)
        over = block is front[0] and not _begins_text(front[1:2]) and _is_largest(block, blocks)
        if named and (over or not _is_numbered(block, grammar)):
            headings.append(block)
    sections = {id(block) for block, below in pairwise(front) if _begins_entries(below, grammar)}
    alone = [
        block for at, block in enumerate(headings)
        if (at == 0 and _is_dated(block, grammar))
        or (_stands_alone(block, blocks) and (at == 0 or id(block) not in sections))
    ]  # fmt: skip
    return [title for block in sorted(alone, key=lambda block: -block.size) for title in _title_lines(block, grammar)]


def _is_largest(title: Block, blocks: Sequence[Block]) -> bool:
    return all(block.size < title.size for block in blocks if block.role is Role.HEADING and block is not title)


def _begins_text(following: Sequence[Block]) -> bool:
    """Does prose follow at once? Then a number before it is that of a chapter."""
    return any(block.role is not Role.TABLE and len(block.text.split()) > TITLE_WORDS for block in following)


def _title_lines(block: Block, grammar: Grammar) -> list[str]:
    """A title may have the game in bold and the kind of document, version and date after it in one line."""
    end = lead(block.text)
    end = end if 0 < end < len(block.text.rstrip()) else _kind_line(block, grammar)
    pieces = [block.text[:end], block.text[end:]] if end else [str(block.text)]
    words = alternatives(grammar.words.document.version)
    lines = []
    for piece in pieces:
        stated = re.search(rf"{words}.*$", flat(piece)) if not _is_name(piece, grammar) else None
        if stated and _is_name_of_kind(stated[0], piece[: stated.start()], grammar):
            stated = re.compile(rf"{words}.*$").search(flat(piece), stated.start() + 1)
        lines.append(" ".join((piece[: stated.start()] if stated and stated.start() > 3 else piece).split()))
    return [piece.strip(" ,:(–—-|·•") for piece in lines if piece]


def _is_name_of_kind(stated: str, before: str, grammar: Grammar) -> bool:
    """ "Team Update 4": the word for a version says what the document is, and nothing before it does."""
    word = WORD.match(stated)
    several = word is not None and re.fullmatch(_kinds(grammar), f"{word[0]}s")
    return bool(several) and not re.search(_kinds(grammar), flat(before))


def _is_dated(block: Block, grammar: Grammar) -> bool:
    """ "Errata v2.1 (12/04/2025)": a kind of document with a version or a date is a title, whatever is set like it."""
    return bool(re.search(_kinds(grammar), flat(block.text))) and not _is_name(block.text, grammar)


def _kinds(grammar: Grammar) -> str:
    """What documents call themselves, in this language and in English."""
    return alternatives(grammar.words.document.kinds + vocabulary("en").document.kinds)


def _kind_line(block: Block, grammar: Grammar) -> int:
    """Where a line of a title begins that says what the document is, under the lines that name the game; else 0."""
    if not block.breaks:
        return 0
    kinds, plain = re.compile(_kinds(grammar)), flat(block.text)
    named = kinds.search(plain[: block.breaks[0]]) is None
    return next((at for at in block.breaks if named and kinds.match(plain, at)), 0)


def _begins_entries(block: Block, grammar: Grammar) -> bool:
    """What stands straight above an erratum or a question heads a section."""
    return bool(grammar.page_head.match(flat(block.text)) or grammar.question.match(block.text))


def _stands_alone(title: Block, blocks: Sequence[Block]) -> bool:
    """No heading further down, after text, is of the same level with other words."""
    text = 0  # sentences: a title page has names and dates
    for block in blocks:
        if block.role is not Role.HEADING:
            text += SENTENCES if len(block.text.split()) > TITLE_WORDS else block.text.endswith((".", "?", ":"))
        elif text >= SENTENCES and block.level == title.level and fold(block.text) != fold(title.text):
            return False
    return True


def _is_numbered(block: Block, grammar: Grammar) -> bool:
    """ "1. Set up" is a section; "7 Wonders" may be a title."""
    text, _ = with_number(block)
    number = rule_number(text, grammar)
    return number is not None and (number.sure or text[len(number.number) :].lstrip()[:1] in (".", ")", ":"))


def _running_heads(furniture: Sequence[Block], pages: int, grammar: Grammar) -> list[str]:
    """Running heads and feet of the whole document without their page numbers, the most frequent first."""
    alike: dict[str, list[str]] = {}
    for block in furniture:
        alike.setdefault(DIGITS.sub("#", block.text), []).append(str(block.text))
    counts: Counter[str] = Counter()
    for texts in alike.values():
        counts[_without_page(texts, grammar)] += len(texts)
    often = [text for text, times in counts.most_common() if len(text) > 3 and times >= THROUGHOUT * pages]
    return [text for text in often if not COPYRIGHT.match(text)]


def _without_page(texts: Sequence[str], grammar: Grammar) -> str:
    """What is the same on all pages: a number that changes is the page's, and one that does not is a date's."""
    if len(texts) == 1:
        dated = [end for _, _, end in _dates(flat(texts[0]), grammar.words.language)]
        return (texts[0] if len(texts[0]) in dated else PAGE_NUMBER.sub("", texts[0])).strip(" |–—-")
    parts = [DIGITS.split(text) for text in texts]
    run, longest = "", ""
    for same, part in zip((len(set(column)) == 1 for column in zip(*parts, strict=True)), parts[0], strict=True):
        run = run + part if same else ""
        longest = max(longest, run, key=len)
    words = "|".join(re.escape(word) for word in grammar.words.page.words)
    bare = re.sub(rf"(?:\s(?:{words}|[^\W\d_]))?[\s|/,–—-]*$", "", longest, flags=re.IGNORECASE).strip(" |–—-")
    return bare if WORD.search(bare) else ""


def _front(
    front: Sequence[Block], title: str | None, game: str | None, lines: Sequence[str], grammar: Grammar
) -> frozenset[tuple[int, str]]:
    """The headings that belong to the title: it or its lines, the game, a version or date, what stands in its box.

    Each with its level: a section may be called as the document is.
    """
    both = fold(f"{game} {title}")  # in one heading: then "Errata" below it is a section
    joined = any(block.role is Role.HEADING and fold(block.text) == both for block in front)
    names = {both} if joined else {fold(name) for name in (title, game, *lines) if name}
    levels: dict[str, int] = {}
    stamps = Counter(b.level for b in front if b.role is Role.HEADING and not _is_name(b.text, grammar))
    for at, block in enumerate(front):
        # "Changes from version 6" may head a section, and so do dates or versions of which there are several
        dated = at < TITLE_BLOCKS and not _is_name(block.text, grammar) and stamps[block.level] < DATED
        if block.role is Role.HEADING and (dated or fold(block.text) in names):
            levels |= {words: block.level for words in _whole_and_lines(block) if words not in levels}
    sentences_in = Counter(b.region for b in front if b.role is not Role.HEADING and b.text.rstrip().endswith("."))
    boxes = {block.region for block in front if block.region and fold(block.text) in names & set(levels)}
    boxes = {region for region in boxes if sentences_in[region] < 2}  # in a panel with rules its headings are theirs
    for above, block in zip((None, *front), front, strict=False):
        under = above is not None and _is_title_line(above, block) and fold(above.text) in levels
        if block.role is Role.HEADING and (under or block.region in boxes):
            levels.setdefault(fold(block.text), block.level)
    return frozenset((level, words) for words, level in levels.items())


def _whole_and_lines(block: Block) -> list[str]:
    """The folded words of a title and of each of its lines, which may be told apart as headings of their own."""
    lines = pairwise((0, *block.breaks, len(block.text)))
    return [fold(block.text), *(fold(block.text[start:end]) for start, end in lines)]


def _is_title_line(above: Block, block: Block) -> bool:
    """The next line of the same title: in the same type, and on the same page straight under it."""
    return above.level == block.level and above.page == block.page and block.gap < TITLE_GAP


def is_front(heading: Block, front: frozenset[tuple[int, str]]) -> bool:
    """Does a heading belong to the title page? Its level is looked at first, as it tells most others apart."""
    for level, _ in front:
        if level == heading.level:
            return (level, fold(heading.text)) in front
    return False


def _title_and_game(
    title: str | None, others: Sequence[str], lines: Sequence[str], heads: list[str], grammar: Grammar
) -> tuple[str | None, str | None]:
    """A title page may name the game first and the kind of document under it; else the game is part of the title."""
    kinds = _kinds(grammar)
    if title and _is_division(title, grammar):
        return (f"{title} – {others[0]}" if others else title), _game(None, heads, kinds, grammar)
    if title and not re.search(kinds, flat(title)) and _is_name(title, grammar):
        under = next((other for other in others if re.search(kinds, flat(other))), None)
        if under and _only_qualifies(title, grammar):  # "CORE" over "RULES"
            return f"{title} {under}", _game(None, heads, kinds, grammar)
        if under:
            return under, title
        if any(re.search(kinds, flat(line)) for line in lines):
            return title, title
        if others and title in heads:
            return title, title
    return title, _game(title, heads, kinds, grammar)


def _game(title: str | None, heads: list[str], kinds: str, grammar: Grammar) -> str | None:
    """What is left of the title or a running head without the words for a kind of document, a date or a version."""
    if title and (first := re.search(kinds, flat(title))) and first.start() > 2:
        name = title[: first.start()].rstrip(" :–—-,&|·")
        rest = re.sub(kinds, " ", flat(title)[first.start() :]).split()
        certain = " " in name or " " in first.group() or re.match(r"(?:faqs?|errata)\b", first.group())
        dashed = re.search(r"\s[–—-]\s", name)
        if certain and sum(len(word) > 3 for word in rest) == 0 and not dashed and not _only_qualifies(name, grammar):
            return _unqualified(name, grammar)
    for text in (*heads[:3], title or ""):
        parts = [part.strip(" ,.") for part in PARTS.split(text)]
        if len(parts) == 1 or any(_is_division(part, grammar) for part in parts):
            continue
        for part in parts:
            named = len(part) > 2 and not re.search(kinds, flat(part)) and _is_name(part, grammar)
            if named and not _only_qualifies(part, grammar) and not _says_version(part, grammar):
                return part
    return None


def _says_version(name: str, grammar: Grammar) -> bool:
    """Does it end with a word for a version? Its number followed."""
    return flat(name).split()[-1] in {*map(flat, grammar.words.document.version), "version"}


def _is_division(name: str, grammar: Grammar) -> bool:
    """ "Section B", "Part 1"."""
    words = flat(name).split()
    return len(words) == LABEL_WORDS and words[0] in map(flat, grammar.words.rule.words)


def _unqualified(name: str, grammar: Grammar) -> str:
    """ "Marrowdeep community" of a "Marrowdeep community FAQ"."""
    before, _, last = name.rpartition(" ")
    return _unqualified(before, grammar) if before and _only_qualifies(last, grammar) else name


def _only_qualifies(name: str, grammar: Grammar) -> bool:
    """ "Universal", "Core": no game is called so."""
    qualities = re.compile(alternatives(grammar.words.document.qualities + vocabulary("en").document.qualities))
    name_words = WORD.findall(flat(name))
    return bool(name_words) and all(map(qualities.fullmatch, name_words))


def _is_name(text: str, grammar: Grammar) -> bool:
    if find_date(text, grammar) or find_version(text, grammar):
        return False
    return _month(flat(text), grammar.words.language) is None


# ---------------------------------------------------------------- version and date


def find_version(text: str, grammar: Grammar, *, whole: bool = False) -> str | None:
    """ "Version 1.6", "v1.1a", "2.8.3" after a word for version; "Stand: 12. März 2026" is a date. In a sentence the
    word is ``whole``: "ver 1.10" may say where to look."""
    plain = flat(text)
    if not DIGIT.search(plain):
        return None
    for _, start, end in _dates(plain, grammar.words.language):
        plain = plain[:start] + " " * (end - start) + plain[end:]
    before, after = _versions(grammar.words.document.version, whole)
    match = before.search(plain) or after.search(plain)
    return text[match.start("version") : match.end("version")] if match else None


@cache
def _versions(words: Words, whole: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The number behind the word for a version; before it ("1.2. verzió") with a stop in it."""
    known = [word for word in (*words, "version", "v.") if not whole or word[-1] != "."]
    version_words = "|".join(re.escape(flat(word).rstrip(".")) for word in known)
    before = re.compile(rf"\b(?:{version_words})\.?\s*:?\s*(?:n°\s*)?{VERSION_NUMBER}")
    return before, re.compile(rf"\b(?P<version>\d{{1,3}}(?:\.\d{{1,3}})+[a-z]?)(?:\.|-\w+)?\s+(?:{version_words})\b")


def find_date(text: str, grammar: Grammar) -> str | None:
    """A printed date as ISO, as exact as it is printed: "2019-06", "2026-07-22"."""
    return next((date for date, _, _ in _dates(flat(text), grammar.words.language)), None)


def _dates(plain: str, language: str) -> Iterator[tuple[str, int, int]]:
    """The dates of a flat text with their places: the exact ones first."""
    if not DATED_BY.search(plain):
        return
    for match in re.finditer(r"\b(20\d\d|19\d\d)([-./])(0?[1-9]|1[0-2])\2([0-2]?\d|3[01])\b", plain):
        yield f"{match[1]}-{int(match[3]):02d}-{int(match[4]):02d}", *match.span()
    for match in re.finditer(r"\b(\d{1,2})([/.-])(\d{1,2})\2(20\d\d|19\d\d|\d\d(?<=[/.]\d\d))\b", plain):
        if date := _numeric(int(match[1]), int(match[3]), int(match[4])):
            yield date, *match.span()
    for match in IN_WORDS.finditer(plain):
        if (month := _month(match["month"], language)) is None:
            continue
        stated = match["late"] or match["day"]  # "Update 00 January 10, 2026"
        year_month = f"{match['year']}-{month:02d}"
        exact = f"{year_month}-{int(stated):02d}" if stated and 1 <= int(stated) <= 31 else year_month
        yield exact, *match.span()
    for match in (*YEAR_FIRST.finditer(plain), *YEAR_AND_DAY.finditer(plain)):
        if month := _month(match["month"], language):
            yield f"{match['year']}-{month:02d}-{int(match['day']):02d}", *match.span()
    for match in re.finditer(r"(?<![\d/.])(0?[1-9]|1[0-2])/(20\d\d)\b", plain):
        yield f"{match[2]}-{int(match[1]):02d}", *match.span()


def _numeric(first: int, second: int, year: int) -> str | None:
    """Day before month, as all of Europe writes; the other way round only where it must be."""
    year = year + 2000 if year < 100 else year
    day, month = (first, second) if second <= 12 else (second, first)
    return f"{year}-{month:02d}-{day:02d}" if 1 <= month <= 12 and 1 <= day <= 31 else None


def _month(name: str, language: str) -> int | None:
    """The month of a flat name: short or whole in the document's language or in English, else whole in any."""
    return _shortened(language).get(name) or _shortened("en").get(name) or _any_month().get(name)


@cache
def _any_month() -> dict[str, int]:
    return {flat(name): at for code in languages() for name, at in months(code).items()} | OTHER_MONTHS


@cache
def _shortened(language: str) -> dict[str, int]:
    """The names of months, and what is short for just one of them: "sept", "juil", "oct"."""
    whole = {flat(name): at for name, at in months(language).items()}
    short: dict[str, set[int]] = {}
    for name, at in whole.items():
        for end in range(SHORTEST, len(name)):
            short.setdefault(name[:end], set()).add(at)
    return {name: min(at) for name, at in short.items() if len(at) == 1} | whole


def _publisher(structure: Structure, grammar: Grammar) -> str | None:
    """The name after © or after "published by", at the edges of pages or on the first and last ones. It begins with a
    capital: "copyright notice" names nobody."""
    words = [word for word in grammar.words.document.publisher if len(word) > 3 and word.lower() != "copyright"]
    published_by = re.compile(
        rf"(?:{'|'.join(map(re.escape, words))})\s*:?\s+(?P<name>[^\W\d_][\w&’' .-]{{2,50}}?)(?=[,.;(\n]|\s*$)",
        re.IGNORECASE,
    )
    signs = ("©", "copyright", "(c)", *(word.lower() for word in words))
    last = structure.pages - OUTER
    outer = [block for block in structure.blocks if not OUTER < block.page <= last]
    blocks = (*structure.furniture, *reversed(outer))
    whole = "\n".join([block.text for block in blocks]).lower()  # most documents name nobody
    for block in blocks if any(sign in whole for sign in signs) else ():
        low = block.text.lower()
        if not any(sign in low for sign in signs):
            continue
        for pattern in (COPYRIGHT, published_by):
            if "©" not in block.text and len(block.text.split()) >= 60:
                continue
            match = next((each for each in pattern.finditer(block.text) if each["name"][0].isupper()), None)
            if match is not None and (name := _unnumbered(match["name"], block.text[match.end() :])):
                return name
    return None


def _unnumbered(name: str, behind: str) -> str:
    """The name of a publisher, without "Issue" or "Version" where a number follows that is no year, and without the
    next one's."""
    words = re.split(r"\bcopyright\b", name, flags=re.IGNORECASE)[0].rstrip(" .-–").split(" ")
    counted = behind[:1].isdecimal() and name[-1] == " " and not re.match(YEAR, behind)
    return " ".join(words[: len(words) - counted]).strip(" .-–")
