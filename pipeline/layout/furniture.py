"""Running heads, footers and page numbers: what comes back at the same height on page after page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import attrgetter

from pipeline.layout.lines import Fragment, merge, on_lines

EDGE_ROWS = 4  # rows from the top and the bottom of a page that may be furniture
EDGE_PIECES = 24  # pieces of lines that are looked at for them
SAME_HEIGHT = 9.0  # points
MARGIN = 0.12  # of the page's height: a lone page number stands no further in
PROVEN = 3  # pages with their numbers at one height: two may have a number there by chance
SHARE = 0.2  # of the pages: what comes back less often is text that happens to be alike
FEW = 5  # pages: in a shorter document two times are enough
SMALL = 0.92  # times the body: type of furniture that is known by its place alone
SMALLER = 0.97  # the same far from all text
FAR_AWAY = 3.0  # times the body from the next line: it belongs to the margin
APART = 1.45  # times the type size between the baselines of furniture and text
NAME_APART = 1.8  # times the body between a running head that names the section and the text
NAME_MAX = 60  # letters of such a head
NAMED = 0.4  # of the pages that have one: it may stand on left or right pages only
AT_EDGE = 3.0  # points
COLUMNS_MIN = 3  # of a table whose header alone stands on the page before
LARGE = 1.3  # times the body: a title, unless it comes back on most pages

_WORDS = re.compile(r"\w+")
_FIGURES = re.compile(r"[\d_]+")
_NUMERALS = frozenset("ivxlc")
SAME_SIZE = 0.02  # by which the type of text differs at most, as a share
_AT_AN_END = re.compile(r"^\d+\b(?![.,:]\d)|(?<!\d[.,:])\b\d+$")  # "3.2" is the number of a rule
_NOTE = re.compile(r"^\(?\d{1,2}[.):]? ?[^\W\d_].*[.!?…][\"'”’»)]*$")
_ROMAN = re.compile(r"^[ivxlc]{1,7}$", re.I)
_PAGE_NUMBER = re.compile(
    r"^\W*(?:(?:page|seite|pagina|página|pag\.?|p\.|s\.)\s*)?(\d{1,4})(?:\s*(?:/|of|sur|von|de|di|-|–)\s*\d{1,4})?\W*$",
    re.I,
)

Row = tuple[int, Fragment, Sequence[Fragment], bool]  # page index, the row as one line, its fragments, at the top?


def furniture(
    pages: Sequence[list[Fragment]], heights: Sequence[float], body: float, fixed: frozenset[int] = frozenset()
) -> list[set[Fragment]]:
    """For each page the fragments that are furniture; never those of ``fixed`` (their ids), which stand in tables."""
    rows = [_edge_rows(index, pieces, heights[index]) for index, pieces in enumerate(pages)]
    repeated = _repeated([row for page in rows for row in page], pages, body)
    numbers, proven = _numbered([row for page in rows for row in page], heights)
    proven |= _counting([row for page in rows for row in page], body) | _far_off(rows, body)
    numbers |= proven
    slots = _in_slots([row for page in rows for row in page], heights, body, repeated | numbers)
    slots |= _naming(rows, pages, body) | _over_title(rows, pages, body)
    known = repeated | numbers | (slots - _listed_once(rows, pages, slots))
    by_page: list[set[Fragment]] = [set() for _ in pages]
    for page in rows:
        for from_top in (True, False):
            edge = [row for row in page if row[3] is from_top]
            count = 0
            while count < min(len(edge), EDGE_ROWS) and id(edge[count][1]) in known:
                if any(id(piece) in fixed for piece in edge[count][2]):
                    break
                count += 1
            sure = sum((id(row[1]) in repeated and _has_own_number(row)) or id(row[1]) in proven for row in edge[:1])
            for index, _, pieces, _ in edge[: max(sure, _set_apart(edge, count))]:
                by_page[index].update(pieces)
    return by_page


TITLE = 12  # letters of a title that stands in a table of contents, too: a shorter one may be there by chance


def _listed_once(rows: Sequence[list[Row]], pages: Sequence[list[Fragment]], slots: set[int]) -> set[int]:
    """Rows at the head of one page whose words stand in the text of an earlier one: titles that a contents page has."""
    heads = [row for page in rows for row in page if row[3] and id(row[1]) in slots and row[1].text[:1].isalpha()]
    keys = Counter(_key(row[1]) for row in heads)
    titles = {key: row for row in heads if len(key := _key(row[1])) >= TITLE and keys[key] == 1}
    before = pages[: max((row[0] for row in titles.values()), default=0)]
    long = [(at, piece) for at, pieces in enumerate(before) for piece in pieces if len(piece.text) >= TITLE]
    listed = {(at, _key(piece)) for at, piece in long}
    return {id(row[1]) for key, row in titles.items() if any((index, key) in listed for index in range(row[0]))}


def _set_apart(edge: list[Row], count: int) -> int:
    """How many of these rows are set apart from the text: rows that run on into it belong to it."""
    while 0 < count < len(edge):
        last, inner = edge[count - 1][1], edge[count][1]
        if abs(inner.baseline - last.baseline) > APART * max(last.size, inner.size):
            break
        count -= 1
    return count


def _edge_rows(index: int, pieces: list[Fragment], height: float) -> list[Row]:
    """The outermost rows of a page, from the edge inwards."""
    ordered = sorted(pieces, key=attrgetter("baseline"))
    if len(ordered) > 2 * EDGE_PIECES:  # the middle of a page has no furniture
        ordered = ordered[:EDGE_PIECES] + ordered[-EDGE_PIECES:]
    rows = on_lines(ordered)
    top: list[Row] = [(index, merge(row), row, True) for row in rows[: EDGE_ROWS + 1]]
    bottom: list[Row] = [(index, merge(row), row, False) for row in rows[: -EDGE_ROWS - 2 : -1]]
    return [row for row in top if row[1].bottom < height / 2] + [row for row in bottom if row[1].top > height / 2]


def _key(line: Fragment) -> str:
    """Its letters, without the numbers of pages and chapters."""
    words = [word for word in _WORDS.findall(line.text.lower()) if not _NUMERALS.issuperset(word)]
    text = "".join(words)
    return text if text.isalpha() else _FIGURES.sub("", text)


def _mark(text: str) -> tuple[int, ...]:
    """How often some letters stand in it that no number has: the same for rows of the same key, and quickly told."""
    low = text.lower()
    return low.count("e"), low.count("a"), low.count("s"), low.count("t"), low.count("n")


def _repeated(rows: list[Row], pages: Sequence[list[Fragment]], body: float) -> set[int]:
    """Rows whose words come back at the same height on other pages, and are no answer that stands everywhere."""
    marked: dict[tuple[bool, tuple[int, ...]], list[Row]] = defaultdict(list)
    for row in rows:
        marked[row[3], _mark(row[1].text)].append(row)
    alike: dict[tuple[bool, str], list[Row]] = defaultdict(list)
    for (top, _), group in marked.items():
        for row in group if len(group) > 1 else ():
            key = _key(row[1])
            if key:
                alike[top, key].append(row)
    ids: set[int] = set()
    for (_, key), group in alike.items():
        same = set()
        for row in group:
            large = row[1].size > LARGE * body  # "Chapter 2" in large type at the top of a page is no running head
            at = {other[0] for other in group if abs(other[1].baseline - row[1].baseline) < SAME_HEIGHT
                  and (not large or other[1].text == row[1].text)}  # fmt: skip
            if len(at) >= _enough(len(pages), large):
                same.add(id(row[1]))
        set_as_text = abs(group[0][1].size - body) < SAME_SIZE * body
        if same and not (set_as_text and _is_everywhere(key, group, pages)):
            ids |= same
    return ids


def _is_everywhere(key: str, group: Sequence[Row], pages: Sequence[list[Fragment]]) -> bool:
    """Do these words stand among the text, too, more often than at the edge of pages? "R3: No." is an answer."""
    edge = {id(piece) for row in group for piece in row[2]}
    longest = max(len(row[1].text) for row in group)
    short = [piece for page in pages for piece in page if len(key) <= len(piece.text) <= longest + 2]
    return sum(id(piece) not in edge and _key(piece) == key for piece in short) > len(group)


def _enough(pages: int, large: bool) -> float:
    """On how many pages a row must come back to be furniture."""
    if large:
        return max(2, 0.6 * pages)
    return 2 if pages < FEW else max(3, min(SHARE * pages, 6))


def _in_slots(rows: list[Row], heights: Sequence[float], body: float, known: set[int]) -> set[int]:
    """Small type in the margin at the height of other pages' furniture, whatever it says; or far from all text."""
    outermost: dict[tuple[int, bool], list[Row]] = defaultdict(list)
    for row in rows:
        outermost[(row[0], row[3])].append(row)
    candidates = []
    for edge in outermost.values():
        for place, row in enumerate(edge[:2]):
            large = row[1].size > (1.0 if _has_own_number(row) else SMALLER) * body
            if not _is_in_margin(row, heights) or large or len(row[1].text) > 100:
                break
            inner = edge[place + 1][1] if place + 1 < len(edge) else None
            away = abs(inner.baseline - row[1].baseline) if inner else body * FAR_AWAY
            if inner or outermost.get((row[0], not row[3])):  # all that is on its page is no furniture
                candidates.append((row, away))
    ids: set[int] = set()
    for row, away in candidates:
        alike = {
            other[0]
            for other, _ in candidates
            if other[0] != row[0] and other[3] is row[3] and abs(other[1].baseline - row[1].baseline) < 2
            and abs(other[1].size - row[1].size) < 0.3
        }  # fmt: skip
        alone = away >= FAR_AWAY * body and (row[0] > 0 or _ends_with_number(row))
        alike = alike if row[1].size <= SMALL * body else set()
        if (
            id(row[1]) not in known
            and away > 1.8 * body
            and not _heads_next(row, outermost[row[0] + 1, True])
            and not _ends_last(row, outermost[row[0] - 1, False])
            and (len(alike) >= 2 or (alike and away >= 2.5 * body) or alone or _has_own_number(row))
        ):
            ids.add(id(row[1]))
    return ids


def _heads_next(row: Row, following: Sequence[Row]) -> bool:
    """The header of a table that stands on the next page: it begins where the cells there do."""
    if row[3] or len(row[2]) < COLUMNS_MIN:
        return False
    starts = [piece.x0 for other in following[:EDGE_ROWS] for piece in other[2]]
    return all(any(abs(piece.x0 - start) < AT_EDGE for start in starts) for piece in row[2])


def _ends_last(row: Row, before: Sequence[Row]) -> bool:
    """The last row of a table that stands on the page before: its cells are as far apart as those of a row there."""
    return row[3] and len(row[2]) > 1 and any(_are_as_far_apart(row[2], other[2]) for other in before[: EDGE_ROWS + 1])


def _are_as_far_apart(pieces: Sequence[Fragment], others: Sequence[Fragment]) -> bool:
    if len(pieces) != len(others):
        return False
    steps = [[piece.x0 for piece in sorted(row, key=attrgetter("x0"))] for row in (pieces, others)]
    return all(abs(a - steps[0][0] - b + steps[1][0]) < AT_EDGE for a, b in zip(*steps, strict=True))


def _naming(rows: Sequence[Sequence[Row]], pages: Sequence[list[Fragment]], body: float) -> set[int]:
    """Running heads and feet that name the chapter or section of their page: apart, in one look at one height on most
    pages. Half of them come back on other pages, or are printed in larger type as headings, or on their own page."""
    ids: set[int] = set()
    for from_top in (True, False):
        outer = [next((row for row in page if row[3] is from_top), None) for page in rows]
        inner = [[row for row in page if row[3] is from_top][1:2] for page in rows]
        level: dict[tuple[int, float, str, bool], list[Row]] = defaultdict(list)
        for row, after in zip(outer, inner, strict=True):
            if row is None or not after or len(row[1].text) >= NAME_MAX or row[1].size > LARGE * body:
                continue
            if abs(after[0][1].baseline - row[1].baseline) > NAME_APART * body:
                first = row[1].runs[0]
                level[round(row[1].baseline / 2), row[1].size, first.font, first.bold].append(row)
        for group in level.values():
            if len(group) > max(1, NAMED * len(pages)) and _name_their_pages(group, pages):
                ids |= {id(row[1]) for row in group}
    return ids


def _name_their_pages(group: Sequence[Row], pages: Sequence[list[Fragment]]) -> bool:
    named = Counter(_key(row[1]) for row in group)
    alone = [row for row in group if named[_key(row[1])] == 1]
    again = len(group) - len(alone)
    if not alone or 2 * again > len(group):
        return 2 * again > len(group)
    size = group[0][1].size
    own = {id(piece) for row in group for piece in row[2]}
    printed = {_key(piece) for page in pages for piece in page
               if piece.size > size + 0.4 and id(piece) not in own and len(piece.text) < NAME_MAX}  # fmt: skip
    for row in alone:
        on_page = {_key(piece) for piece in pages[row[0]] if id(piece) not in own and len(piece.text) < NAME_MAX}
        again += all(_key(piece) in printed or _key(piece) in on_page for piece in row[2])
    return 2 * again > len(group)


def _over_title(rows: Sequence[Sequence[Row]], pages: Sequence[list[Fragment]], body: float) -> set[int]:
    """A line over the title of the first page that ends at the right edge, or in small type: a running head."""
    top = [row for row in rows[0] if row[3]] if rows else []
    if len(top) < 2 or top[0][1].size > body + 1 or top[1][1].size < LARGE * body:
        return set()
    left, right = min(piece.x0 for piece in pages[0]), max(piece.x1 for piece in pages[0])
    last = max(top[0][2], key=attrgetter("x1"))
    at_edge = right - last.x1 < AT_EDGE and last.x0 > (left + right) / 2
    small = top[0][1].size < SMALL * body and top[1][1].top - top[0][1].bottom > body
    return {id(top[0][1])} if at_edge or small else set()


def _has_own_number(row: Row) -> bool:
    """Does it begin or end with the number of its page, or does that stand in it by itself?

    Then it need not come back: the document may have one page. A sentence after a number is a note.
    """
    text, number = row[1].text, str(row[0] + 1)
    if number not in text or _NOTE.match(text):
        return False
    alone = any(piece.text.strip(" –—-|") == number for piece in row[2])
    return (alone or number in _AT_AN_END.findall(text)) and len(text) > len(number)


def _ends_with_number(row: Row) -> bool:
    """Does a number of up to three figures stand at one end of it by itself, as that of a page of a book does?"""
    ends = min(row[2], key=lambda piece: piece.x0).text, max(row[2], key=lambda piece: piece.x1).text
    return len(row[2]) > 1 and any(end.isdecimal() and len(end) < 4 for end in ends)


def _numbered(rows: list[Row], heights: Sequence[float]) -> tuple[set[int], set[int]]:
    """Lone page numbers: a number in the margin that grows with the pages, or is the page's own. And those of them that
    are proven: at one height on several pages, wherever on them that is."""
    steps: dict[int, list[Row]] = defaultdict(list)
    roman: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        match = _PAGE_NUMBER.match(row[1].text)
        if match:
            steps[int(match[1]) - row[0]].append(row)
        elif _ROMAN.match(row[1].text) and _is_in_margin(row, heights):
            roman[round(row[1].baseline / SAME_HEIGHT)].append(row)
    ids = {id(row[1]) for group in roman.values() if len(group) > 1 for row in group}
    proven: set[int] = set()
    for step, group in steps.items():
        places = Counter(round(row[1].baseline) for row in group)
        proven |= {id(row[1]) for row in group if places[round(row[1].baseline)] >= PROVEN}
        outer = [row for row in group if _is_in_margin(row, heights)]
        if len({row[0] for row in outer}) >= 2 or step == 1:
            ids.update(id(row[1]) for row in outer)
    return ids | proven, proven


def _counting(rows: list[Row], body: float) -> set[int]:
    """Rows that begin or end with a number which grows with the pages, at one height: it counts them, from any page
    on, and what else the row says is the name of the chapter or the document."""
    groups: dict[tuple[int, bool, int], list[Row]] = defaultdict(list)
    for row in rows:
        words = row[1].text.split()
        numbers = {words[0], words[-1]} if 1 < len(words) < COUNTED_WORDS and not _is_title(row[1], body) else set()
        for number in numbers:
            if number.isdecimal() and len(number) < 4:
                groups[int(number) - row[0], row[3], round(row[1].baseline / AT_EDGE)].append(row)
    return {id(row[1]) for group in groups.values() if len({row[0] for row in group}) >= PROVEN for row in group}


def _far_off(rows: Sequence[Sequence[Row]], body: float) -> set[int]:
    """The outermost rows that stand at one height on a third of the pages, far from all text, in no larger type:
    running heads and feet whatever they say."""
    groups: dict[tuple[bool, int], list[Row]] = defaultdict(list)
    for page in rows:
        for from_top in (True, False):
            edge = [row for row in page if row[3] is from_top]
            away = abs(edge[1][1].baseline - edge[0][1].baseline) if len(edge) > 1 else 0.0
            if away > FAR_AWAY * body and not _is_title(edge[0][1], body):
                groups[from_top, round(edge[0][1].baseline / AT_EDGE)].append(edge[0])
    least = max(FEW, sum(map(bool, rows)) / 3)
    return {id(row[1]) for group in groups.values() if len(group) >= least for row in group}


LEVEL = 1.05  # times the body: no title


def _is_title(line: Fragment, body: float) -> bool:
    """Larger than the text, or bold from end to end."""
    return line.size > LEVEL * body or all(run.bold for run in line.runs)


COUNTED_WORDS = 20  # of a row with the number of its page: a line of text has hardly more


def _is_in_margin(row: Row, heights: Sequence[float]) -> bool:
    deep = row[1].bottom if row[3] else heights[row[0]] - row[1].top
    return deep < MARGIN * heights[row[0]]
