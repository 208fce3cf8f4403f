"""Lines of a column -> paragraphs: where a new one begins, by gap, style, indentation, list marker and short lines."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter

from pipeline.layout import Strip
from pipeline.layout.lines import Fragment, Style, gap_is_space, spell
from pipeline.quick import quickest
from pipeline.records import RuledTable, Run
from pipeline.text import BULLETS, CLOSING, SMALL

GAP = 1.22  # times the usual distance of two lines: more is white space between paragraphs
SMALL_GAP = 1.1  # this much is, where a sentence ends as well
SIZE_CHANGE = 0.08  # a larger difference in type size begins something new
INDENT = 0.7  # of the type size: a first line set in
OUTDENT = 0.2  # the same of a line that begins left of a bullet
FULL = 1.0  # points from the edge: a line that ends there is a full line
JUSTIFIED = 0.6  # of a column's lines are full: its text is justified, and a line that is not full was ended on purpose
LINES_MIN = 6  # in a column before it can be called so
SMALLER = 0.8  # times the type of a title that sticks out of its column: the text in it
SHORT = 0.5  # of the type size that such a line must end before the edge
ROOM = 1.2  # of the type size, left over after the next word would have fitted: the line was ended on purpose
FAR_SHORT = 0.3  # of the column's width left white: the line was ended on purpose, whatever its last sign
NARROW = 0.75  # of the column's width: text that ends before is set narrower
NARROW_LINES = 6  # of it at least
NARROW_FLOWING = 3  # of them that go on in the next
FLOWING = 0.3  # and this share of them
SMALL_CAPITALS = 1.62  # times the size of small capitals, which are as high as small letters: more is a drop cap
WRAPS = 0.9  # of the width of a column: a longer line may have been full
PAGE_MIN = 24  # pairs of lines, those that tell more counted so: a page with as many tells its own distance
WRAPPED = 4  # times that a line in small letters under a full one tells the usual distance
BADGE = 3  # digits of a number in a disc
LED_LINES = 3  # that a sign stands before: it is a bullet
WHITE = "#f4f4f4"
TITLE = 50  # letters of a line in small capitals with one capital
NEARLY_ALL = 0.93  # of a line's letters in a style make the line of that style

BULLET = re.compile(rf"^(?:([{BULLETS}])\s*|([★☆·–—\-*»→⇒oº°¤¬+~])\s+)(?=\S)")
# Not the page of a book: "p. 12" or "S. 26" counts no items.
NUMBER = re.compile(
    r"^(?![pPsS]\.\s\d)(\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,3}\.?)\s+(?=\S)"
)
_NUMERALS = frozenset("ivxIVX")
_SIGNS = frozenset(("Ll", "Lu", "Lo", "Sm"))  # what fonts of signs call theirs; others may mark changes
_IN_SENTENCES = frozenset("\"'“”‘’«»‹›()[]{}<>¿¡.,;:!?…%&/=+±×÷~^`´¨−*#@§©®™€£$№")
_AFTER_SENTENCES = ("", *".,;:!?)")  # what no list item begins with
ENDED = re.compile(rf"[.!?:;…]{CLOSING}$")  # a line with which a sentence may end
_STARTS_LOW = re.compile(rf"^[\"'“„‘‚«‹(\[]*[{SMALL}]")


Line = Fragment  # a printed line, with what is needed to judge it


@dataclass(slots=True, eq=False)
class Paragraph:
    lines: list[Line]
    strip: Strip
    gap: float = 0.0  # white space above, in lines
    marker: str = ""
    table: RuledTable | None = None
    left: float = 0.0
    depth: int = 0  # of a list item
    inner: float | None = None  # left edge of the lines after the first
    # Of a table on the next pages: lines, cells, and whether its header is printed again.
    parts: tuple[tuple[list[Line], RuledTable, bool], ...] = ()
    repeated: tuple[Line, ...] = ()  # titles of a table that are printed again on them
    ends: Strip | None = None  # the column that it ends in, if it goes on in another one


_new_paragraph = quickest(Paragraph)


_LOOK = attrgetter("size", "bold", "italic", "colour", "icon", "link")


def styled(lines: list[Line], page: int) -> list[Line]:
    """The lines, each with its style and its marker."""
    known: dict[tuple[float, bool, bool, str], Style] = {}
    for line in lines:
        runs, line.page = line.runs, page
        begins = line.text[:3]
        word = begins.isalpha() and begins[0] not in _NUMERALS  # as most lines begin with
        line.marker = line.counted if word or line.counted else marker_of(line.text)
        if len(runs) > 1 and len(set(map(_LOOK, runs))) > 1:
            line.style, line.plain = _mixed_style(runs), False
            line.marker = line.marker or _badge(runs)
            if line.style.size > line.size:
                _set_case(line)
            continue
        run = runs[0]
        look = run.size, run.bold, run.italic, run.colour
        style = known.get(look)
        if style is None:
            style = known[look] = _style(*look, run.bold, run.italic)
        line.style = style
        line.plain = run.icon is run.link  # it has neither
    return lines


def set_bullets(strips: Sequence[Sequence[Line]]) -> None:
    """The signs of a font of which nothing is set but one sign before lines, again and again, are bullets: such a font
    calls them letters."""
    led = [line for lines in strips for line in lines if len(line.runs) > 1 and _is_led(*line.runs[:2])]
    counts = Counter([(line.runs[0].font, line.runs[0].text.strip()) for line in led])
    fonts = {font for font, _ in counts}
    if not fonts:
        return
    every = Counter([run.font for lines in strips for line in lines for run in line.runs if run.font in fonts])
    first_ones = Counter([line.runs[0].font for line in led])
    signs = {sign for sign, count in counts.items() if count >= LED_LINES and first_ones[sign[0]] == every[sign[0]]}
    for line in led:
        first = line.runs[0]
        if (first.font, first.text.strip()) in signs:
            line.runs = [replace(first, text=first.text.replace(first.text.strip(), "•")), *line.runs[1:]]
            line.text = spell(line.runs)


def _is_led(sign: Run, text: Run) -> bool:
    """One character in a font of its own before the words of a line, as fonts of signs have it; what numbers, notes,
    brackets and quotations begin with is none."""
    letter = sign.text.strip()
    if len(letter) != 1 or sign.font == text.font or sign.icon is not None or letter == "*":
        return False
    if letter != "§" and unicodedata.category(letter) not in _SIGNS:
        return False
    return sign.text[-1] == " " or gap_is_space(sign, text)


def _badge(runs: Sequence[Run]) -> str:
    """A number in white before dark words, as in a disc: it counts what follows."""
    number = runs[0].text.strip()
    if len(number) > BADGE or not number.isdecimal() or runs[0].colour < WHITE:
        return ""
    return number if runs[1].colour < WHITE else ""


@lru_cache(maxsize=1024)
def _style(size: float, bold: bool, italic: bool, colour: str, some_bold: bool, some_italic: bool) -> Style:
    return Style(size, bold, italic, colour, some_bold, some_italic, round(size * 2) / 2)


def _mixed_style(runs: Sequence[Run]) -> Style:
    """The style of most of a line's letters."""
    sizes: Counter[float] = Counter()
    colours: Counter[str] = Counter()
    total = bold = italic = 0
    for run in runs:
        weight = len(run.text.strip()) if run.icon is None else 0
        sizes[run.size] += weight
        colours[run.colour] += weight
        total += weight
        bold += weight if run.bold else 0
        italic += weight if run.italic else 0
    size = max(sizes, key=lambda s: (sizes[s], s))
    if _in_small_capitals(runs, size, max(sizes)):
        size = max(sizes)
    colour = max(colours, key=lambda c: (colours[c], c))
    enough = NEARLY_ALL * max(total, 1)
    return _style(size, bold >= enough, italic >= enough, colour, bold > 0, italic > 0)


def _in_small_capitals(runs: Sequence[Run], size: float, large: float) -> bool:
    """Most letters smaller than the capitals that begin words: the size of the line is that of its capitals."""
    if not 1.1 * size < large < SMALL_CAPITALS * size:
        return False
    large_runs = (run.text.strip() for run in runs if run.size == large and run.icon is None)
    initials = [text for text in large_runs if text[:1].isalpha()]  # no bullet
    # A lone letter may be told as a small one: fonts have one glyph for both.
    capital = sum(len(text) == 1 or not any(letter.islower() for letter in text) for text in initials)
    if len(initials) == 1:  # one word, or a sentence with one capital; a longer line begins with a drop cap
        return runs[0].size == large and len(initials[0]) == 1 and sum(len(r.text) for r in runs) < TITLE
    return 2 * capital >= max(1, len(initials))


def _set_case(line: Line) -> None:
    """Small capitals, which a font may tell as small letters or as capitals: what is large is a capital, but for
    a letter that ends its word ("Scarred"), and nothing else is."""
    runs, large = line.runs, line.style.size
    apart = [True, *(gap_is_space(before, run) for before, run in pairwise(runs)), True]  # each from the one before
    if all(apart[at] for at in range(1, len(runs)) if runs[at].size < large == runs[at - 1].size):
        return
    last = {at for at, run in enumerate(runs) if len(run.text.strip()) == 1 and not apart[at] and apart[at + 1]}
    line.runs = [
        replace(run, text=run.text.upper() if run.size == large and at not in last else run.text.lower())
        for at, run in enumerate(runs)
    ]
    line.text = spell(line.runs)


def marker_of(text: str) -> str:
    """What a list item begins with."""
    first = text[:3]
    if first.isalpha() and not _NUMERALS.issuperset(first):
        return ""
    match = BULLET.match(text) or NUMBER.match(text)
    if is_ornamented(text):
        return ""
    if match:
        return next(group for group in match.groups() if group)
    return text[0] if is_odd_bullet(text) else ""


def is_ornamented(text: str) -> bool:
    """ "— Cards —": the same sign on both sides of a title."""
    return len(text) > 4 and text[0] == text[-1] and text[1] == text[-2] == " " and not text[0].isalnum()


def is_odd_bullet(text: str) -> bool:
    """A lone sign before a text that is no part of a sentence: some font's picture of a bullet."""
    if text[1:2] != " " or text[2:3] in _AFTER_SENTENCES or text[0] in _IN_SENTENCES:
        return False
    return unicodedata.category(text[0]) in ("Sk", "So", "Sm", "Lm", "Po", "Mn", "Co")


Pitches = dict[float, float]  # by type size


def usual_pitches(strips: Sequence[Sequence[Line]]) -> dict[int, Pitches]:
    """For each page and type size the usual distance between two lines of a paragraph; that of all pages where a page
    has too few lines to tell its own."""
    pages: dict[int, dict[float, dict[int, int]]] = {}  # in quarters of a point
    for lines in strips:
        _count_pitches(lines, pages.setdefault(lines[0].page, {}))
    whole: dict[float, dict[int, int]] = {}
    for sizes in pages.values():
        for size, counts in sizes.items():
            total = whole.setdefault(size, {})
            for pitch, count in counts.items():
                total[pitch] = total.get(pitch, 0) + count
    usual = {size: _usual(counts) / 4 for size, counts in whole.items() if counts}
    return {
        page: usual | {size: _usual(counts) / 4 for size, counts in sizes.items() if sum(counts.values()) >= PAGE_MIN}
        for page, sizes in pages.items()
    }


def _count_pitches(lines: Sequence[Line], pitches: dict[float, dict[int, int]]) -> None:
    """How often two lines are so far apart, by the size of their type; most of all under a line that is full."""
    full = WRAPS * max([line.x1 for line in lines]) + (1 - WRAPS) * min([line.x0 for line in lines])
    above, last, end, low, high = None, 0.0, 0.0, 0.0, 0.0
    counts: dict[int, int] = {}
    for line in lines:
        style, baseline = line.style, line.baseline
        pitch = baseline - last
        if low < pitch < high and (style is above or (above and abs(above.size - style.size) < 0.3)):
            quarters = int(4 * pitch + 0.5)
            counts[quarters] = counts.get(quarters, 0) + (WRAPPED if end > full and line.text[:1].islower() else 1)
        if style is not above:
            low, high, counts = 0.85 * style.about, 1.75 * style.about, pitches.setdefault(style.about, {})
        above, last, end = style, baseline, line.x1


def _usual(counts: dict[int, int]) -> int:
    """The commonest distance; of two common ones the smaller, since paragraphs are set apart."""
    most = max(counts.values())
    return min(pitch for pitch, count in counts.items() if count >= 0.5 * most)


def paragraphs(
    strip: Strip, lines: list[Line], pitches: dict[float, float], bottom: float, reach: Callable[[Strip], float]
) -> list[Paragraph]:
    """The paragraphs of one column. ``bottom`` is where the text above ended, for the first gap; ``reach`` tells how
    far lines go to the right elsewhere, which is asked where none goes on here."""
    if strip.table is not None:
        return [Paragraph(lines, strip, table=strip.table)]
    if strip.mark:
        return [Paragraph(lines, strip, left=lines[0].x0)]
    if strip.listed:
        return [Paragraph([line], strip, marker=line.marker, left=line.x0) for line in lines]
    paras: list[Paragraph] = []
    para: Paragraph | None = None
    above, style, pitch = lines[0], None, 0.0
    ends = [line.x1 for line in lines]
    narrow = _narrow_from(lines, ends)
    right = _right(lines, ends)
    if not any(_STARTS_LOW.match(line.text) for line in lines):
        right = max(right, reach(strip))
    justified = _is_justified(ends[:narrow], right)
    for at, line in enumerate(lines):
        if at == narrow:
            right = max(ends[at:])
            justified = _is_justified(ends[at:], right)
        if line.style is not style:
            style = line.style
            pitch = pitches.get(style.about) or 1.2 * max(style.size, 1.0)
        if para is None:
            gap = (line.top - bottom) / pitch if bottom else 0.0
        else:
            gap = (line.baseline - above.baseline) / pitch - 1
            # A line straight under another one, set like it from the same edge: most are told without more questions.
            alike = style is above.style and -0.05 < gap < 0.05 and not (style.some_bold or line.marker)
            if (alike and _runs_on(para, above, line, right, justified)) or not _begins(
                para, above, line, gap, right, justified
            ):
                para.lines.append(line)
                if para.inner is None or line.x0 < para.inner:
                    para.inner = line.x0
                above = line
                continue
        white = round(gap, 2) if gap > 0 else 0.0
        para = _new_paragraph([line], strip, white, line.marker, None, line.x0)
        paras.append(para)
        above = line
    return paras


def _right(lines: list[Line], ends: list[float]) -> float:
    """How far the lines of a column go; a title in larger type may stick out of it."""
    right = max(ends)
    large = lines[ends.index(right)].style.size
    within = [line.x1 for line in lines if line.style.size < SMALLER * large]
    return max(within) if len(within) >= LINES_MIN else right


def are_sentences(lines: Sequence[Fragment]) -> bool:
    """Does each line in the commonest type begin and end as a sentence does?"""
    alike: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for line in lines:
        alike[_LOOK(line.runs[0])].append(line.text)
    return all(ENDED.search(text) and not _STARTS_LOW.match(text) for text in max(alike.values(), key=len))


def _narrow_from(lines: list[Line], ends: list[float]) -> int:
    """Where running text begins that is set much narrower than the lines above it, as beside a picture or white.

    It is told by lines that fill its own width and go on in the next, in small letters.
    """
    if len(lines) <= NARROW_LINES:
        return len(lines)
    left = min([line.x0 for line in lines])
    edge = left + NARROW * (max(ends) - left)
    start = len(lines)
    while ends[start - 1] < edge:
        start -= 1
    if len(lines) - start < NARROW_LINES:
        return len(lines)
    full = left + NARROW * (max(ends[start:]) - left)
    flowing = sum(
        above.x1 > full and not ENDED.search(above.text) and bool(_STARTS_LOW.match(below.text))
        for above, below in pairwise(lines[start:])
    )
    return start if flowing >= max(NARROW_FLOWING, FLOWING * (len(lines) - start)) else len(lines)


def _runs_on(para: Paragraph, above: Line, line: Line, right: float, justified: bool) -> bool:
    """Does it begin where its paragraph does, under a line that is full, or that had no room for its first word?"""
    if not -1 < line.x0 - (para.left if para.inner is None else para.inner) < 1:
        return False
    if not line.plain and (line.runs[0].icon or line.runs[0].colour != line.style.colour):
        return False
    return right - above.x1 < SHORT * line.style.size or not (justified or _ended(above, line, right))


def _is_justified(ends: list[float], right: float) -> bool:
    edge = right - FULL
    return len([end for end in ends if end > edge]) >= JUSTIFIED * max(len(ends), LINES_MIN)


def _begins(para: Paragraph, above: Line, line: Line, gap: float, right: float, justified: bool) -> bool:
    """Does a new paragraph begin with this line?"""
    if gap > GAP - 1 or gap < -0.6 or line.counted:
        return True
    if gap > SMALL_GAP - 1 and ENDED.search(above.text) and not _STARTS_LOW.match(line.text):
        return True
    if abs(line.style.size - above.style.size) > SIZE_CHANGE * above.style.size:
        return True
    short = _ended(above, line, right) or (justified and _falls_short(above, line, right))
    if line.marker and _is_item(para, above, line, short):
        return True
    if _run_in(para.lines[0]) and _run_in(line) and ENDED.search(above.text):
        return True
    if line.runs[0].icon and para.lines[0].runs[0].icon and ENDED.search(above.text):
        return True  # a picture for a bullet
    if para.marker and _is_under_list(para, above, line):
        return True
    if above.style.bold and short and _run_in(line) and not _STARTS_LOW.match(line.text):
        return True  # a bold heading over "**Q:** …"
    anew = _restyled(above.style, line.style)
    if anew and (
        not _STARTS_LOW.match(line.text) or ENDED.search(above.text) or (short and _starts_anew(above, line))
    ):
        return True
    if _is_centred(para, above, line) or _hangs(para, above, line):
        return False
    if _indented(para, line, short):
        return True
    if not short:
        return False
    if above.style.bold and line.style.bold:  # a heading may be broken where it likes, but not over white space
        apart = gap > SMALL_GAP - 1 or line.text.endswith("?")
        return apart and _ends_early(above, line, right) and not _STARTS_LOW.match(line.text)
    if para.marker and line.x0 > para.left + 0.5 * line.style.size:  # the hanging text of an item
        return bool(ENDED.search(above.text)) and above.text[-1:] != ";"
    return bool(ENDED.search(above.text)) or (_ends_early(above, line, right) and not _STARTS_LOW.match(line.text))


def _is_under_list(para: Paragraph, above: Line, line: Line) -> bool:
    """A sentence that begins left of the bullet of an ended item is none of it."""
    out = para.left - line.x0 > OUTDENT * line.style.size and not para.marker[0].isalnum()
    return out and bool(ENDED.search(above.text)) and not _STARTS_LOW.match(line.text)


def _ends_early(above: Line, line: Line, right: float) -> bool:
    """Does the line above end so far from the edge that nobody would break there?"""
    start = min(above.x0, line.x0)
    return right - above.x1 > FAR_SHORT * (right - start)


def _run_in(line: Line) -> bool:
    """Does it begin with a term in bold or in a colour and go on in plain type?"""
    if line.style.some_bold and not line.style.bold and line.runs[0].bold:
        return True
    return line.runs[0].colour != line.style.colour


def _ended(above: Line, line: Line, right: float) -> bool:
    """Was the line above ended on purpose: would the first word of this one have fitted?"""
    letters = len(line.text)
    space = line.text.find(" ")
    width = (line.x1 - line.x0) * (space if space >= 0 else letters) / (letters or 1)
    return above.x1 + width + ROOM * above.style.size < right


def _falls_short(above: Line, line: Line, right: float) -> bool:
    """In justified text: does the line above end before the edge? Not when this one ends there, too, as in a box."""
    return right - above.x1 > SHORT * above.style.size and abs(above.x1 - line.x1) > FULL


def _is_item(para: Paragraph, above: Line, line: Line, short: bool) -> bool:
    """A marker begins an item, unless the line above runs into it (a number or dash in running text)."""
    bullet = BULLET.match(line.text)
    if (bullet and (bullet[1] or line.marker in "º¤¬")) or is_odd_bullet(line.text):
        return True
    if short or ENDED.search(above.text):
        return True
    return abs(para.left - line.x0) < 2 and _counts_on(para.marker, line.marker)


def _counts_on(before: str, marker: str) -> bool:
    """ "2." after "1.", at one height: no line of running text begins so by chance."""
    number, following = before.strip("()."), marker.strip("().")
    return number.isdecimal() and following.isdecimal() and int(following) == int(number) + 1


def items_of(lines: Sequence[Line]) -> list[int]:
    """The lines of a cell, after the first, with which items of a list begin: each has a bullet, or the next number."""
    marked = [at for at, line in enumerate(lines) if line.marker]
    bulleted = [at for at in marked if (bullet := BULLET.match(lines[at].text)) and (bullet[1] or len(marked) > 1)]
    if bulleted:
        return [at for at in bulleted if at]
    counted = [at for before, at in pairwise(marked) if _counts_on(lines[before].marker, lines[at].marker)]
    return counted if marked and len(counted) == len(marked) - 1 else []


def _restyled(a: Style, b: Style) -> bool:
    """Does the whole of the line differ from the whole of the one above?"""
    if a.bold != b.bold and ((a.bold and not b.some_bold) or (b.bold and not a.some_bold)):
        return True
    if a.italic != b.italic and ((a.italic and not b.some_italic) or (b.italic and not a.some_italic)):
        return True
    return a.colour != b.colour


def _starts_anew(above: Line, line: Line) -> bool:
    """Does it begin in another type than the line above ended in?"""
    last, first = above.runs[-1], line.runs[0]
    return (last.bold, last.italic, last.colour) != (first.bold, first.italic, first.colour)


def _is_centred(para: Paragraph, above: Line, line: Line) -> bool:
    """Does it have the middle of the line above, and another edge? By chance it may, where lines share an edge."""
    if abs((above.x0 + above.x1) - (line.x0 + line.x1)) >= 4 or abs(above.x0 - line.x0) <= 2:
        return False
    return len(para.lines) == 1 or (abs(line.x0 - para.left) > 1 and abs(para.lines[-2].x0 - above.x0) > 1)


def _hangs(para: Paragraph, above: Line, line: Line) -> bool:
    """The second line of a sentence, set in behind the number that the first begins with."""
    inside = para.inner is None and line.x0 > para.left and bool(_STARTS_LOW.match(line.text))
    return inside and not line.marker and not ENDED.search(above.text)


def _indented(para: Paragraph, line: Line, short: bool) -> bool:
    """Set in or out against the paragraph's lines as a new paragraph is."""
    size = line.style.size
    off = line.x0 - (para.left if para.inner is None else para.inner)
    if para.inner is None:  # second line: a first line set in, or an item's hanging text, is no new paragraph
        return off < -6 * size or (off < -INDENT * size and short) or (off > 3 * size and short)
    if off < -INDENT * size and abs(line.x0 - para.left) < FULL and not short:  # back under its drop cap
        return bool(ENDED.search(para.lines[-1].text))
    return off > INDENT * size or off < -INDENT * size
