"""From runs to printed lines: what stands on one baseline, close together, is one line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import attrgetter
from typing import ClassVar

from pipeline.quick import quickest
from pipeline.records import Run

SAME_BASELINE = 0.3  # of the type size: two runs that differ less stand on one line
SMALLER = 0.96  # times the type size: raised and lowered type is at most so large; browsers take 0.83 and more
RAISED = 0.5  # of the type size: a smaller run this far above the baseline is a superscript
LOWERED = 0.4  # and this far below it a subscript
SPACE = 0.13  # of the type size: a wider gap between two runs is a space
SPACE_THIN = 0.2  # the same beside a letter that has much white of its own, drawn by itself, and between two stems
SPACE_IN_NUMBER = 0.27  # and where both have, in a number: "11", ".1"
SPACE_BESIDE_ONE, SPACE_IN_ELEVEN = 0.3, 0.43  # in "10" and "31", and in "11": figures are all set as wide as a "0"
SPACE_BEFORE_THIN = 0.16  # where such a letter follows: its white is at its left, too, but less of it is measured
SPACE_RAISED = 0.22  # the same before small raised figures, which are often set off a little
SPACE_OVERHUNG = 0.03  # behind an "f" in italics, which reaches over the space: less than none is inside a word
SPACE_ORDINAL = 0.5  # and before raised letters behind a number: the ending of an ordinal is no word
BESIDE = 0.5  # of the type size: what is raised stands no further from its word; fonts have spaces of 0.25 to 0.35
TRACKED = 5  # letters set apart that make a word
TRACKING = 0.6  # of the type size: the most white between them
SPACE_MARKED = -0.2  # the same, where the file draws a space there as well: it may be part of the run's box
CAPS_MAX = 50  # large letters on a page; more are a display of them
CLOSE = 1.0  # of the type size: twice what a run may be shifted by, and more
NEAR = 3  # rows above and below that a shifted run may belong to
DROPPED = 1.9  # times the body: a single letter this large begins a paragraph
OVER = 1.8  # times the type size of what stands behind it on its line: a title
HEADS = 1.25  # times the type size of what stands before it on its line: a heading of the next column
FAR = 0.95  # of the type size: runs further apart may belong to different columns
STRETCHED = 3.0  # of the type size: the widest space of a justified line in a narrow column
EVEN = 0.2  # by which the spaces of one line may differ, as a share: they are stretched alike, unlike those of a table
ALIKE, ALIKE_MIN = 0.1, 2  # more spaces than so many that differ by no more: no row of cells has that, at any edge
LINES_MIN = 3  # that end at an edge, or begin at it, before it is one
MISSED = 8  # times as many lines begin where this one does: words that stand under each other by chance are no column
FAR_FROM_MARKER = 4.0  # the same after a list marker: its text may be set in by a tab
OVERLAP = 0.5  # share of the smaller height that two runs on one line have in common
DASHES = "–—-"
_MARKER = re.compile(r"^\s*(?:[•●○▪▫■□◦‣➢➤►▶✓✔❖◆◇∙‧⁃·–—\-*»→oº]|\(?(?:\d{1,3}|\w)[.):]|[A-Z] ?\d{0,3} ?[:.)])\s*$")
IN_NUMBER = frozenset("1.,")
THIN = frozenset("1ilj.,:;'’|!)]I/-")
OPENS = frozenset("„‚([¿¡")  # before which no word ends
CLOSES = frozenset(",.;:!?)]}…%’'\"”»")  # behind which one does
DRAWN = "drawn:"  # an icon that is no glyph of a font
ENDS_UPRIGHT, BEGINS_UPRIGHT = frozenset("HMNUadhmnqu"), frozenset("BDEFHKLMNPRUbhkmnpru")  # with a stem


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """How most of a line is set; lines set alike may share one."""

    size: float
    bold: bool
    italic: bool
    colour: str
    some_bold: bool
    some_italic: bool
    about: float  # its size to half a point


@dataclass(slots=True, eq=False, init=False)
class Fragment:
    """Runs on one baseline with no gap wide enough to be a gutter. Lines are fragments put together."""

    runs: list[Run]
    x0: float
    top: float
    x1: float
    bottom: float
    baseline: float
    size: float
    text: str
    address: str = ""
    cells: Sequence[Fragment] = ()
    counted: str = ""  # the number that stood beside it in the margin: it begins a paragraph
    # Of a line, once it is judged by ``structure``
    page: int = field(init=False)
    style: Style = field(init=False)
    marker: str = field(init=False)
    plain: bool = field(init=False)  # all in one look, no icon and no link
    whole: ClassVar[bool] = False  # unlike a box or a table


_new_fragment = quickest(Fragment)
_baseline = attrgetter("baseline", "size")  # of two at one height the smaller first, whichever was drawn first
downwards = attrgetter("baseline", "x0")


def fragment(runs: list[Run]) -> Fragment:
    """One fragment from runs that are already in order."""
    big = runs[0]
    x0, top, x1, bottom = big.x0, big.top, big.x1, big.bottom
    if len(runs) > 1:
        widths = [run.x1 - run.x0 for run in runs]
        big = runs[widths.index(max(widths))] if len({run.size for run in runs}) == 1 else _prevailing(runs, widths)
        x0, top = min([run.x0 for run in runs]), min([run.top for run in runs])
        x1, bottom = max([run.x1 for run in runs]), max([run.bottom for run in runs])
    return _new_fragment(runs, x0, top, x1, bottom, big.baseline, big.size, spell(runs))


def _prevailing(runs: list[Run], widths: list[float]) -> Run:
    """The widest run in the size that most of a line is set in, however many runs it is drawn in."""
    wide: dict[float, float] = {}
    for run, width in zip(runs, widths, strict=True):
        wide[run.size] = wide.get(run.size, 0.0) + width
    size = max(wide, key=lambda each: wide[each])
    return max([run for run in runs if run.size == size], key=lambda run: run.x1 - run.x0)


_from_the_left = attrgetter("x0", "x1")


def drop_caps(runs: list[Run], body: float) -> list[Run]:
    """Large initials put on the line that they begin."""
    caps = [
        run for run in runs if run.size >= DROPPED * body and len(run.text.strip()) <= 2 and run.text.strip().isupper()
    ]
    if not caps or len(caps) > CAPS_MAX:
        return runs
    gone = {id(run) for run in caps}
    kept = [run for run in runs if id(run) not in gone]
    for cap in caps:
        beside = [
            run
            for run in kept
            if -1 < run.x0 - cap.x1 < 1.5 * body
            and cap.top < run.baseline < cap.baseline + 0.5 * body  # not a heading above it
            and run.size < 0.7 * cap.size
        ]
        first = min(beside, key=lambda run: run.baseline, default=None)
        kept.append(_set_small(cap, first) if first and cap.baseline - first.baseline > 0.5 * body else cap)
    return kept


def _set_small(cap: Run, first: Run) -> Run:
    return replace(
        cap, text=cap.text.strip(), top=first.top, x1=first.x0, bottom=first.bottom, baseline=first.baseline,
        size=first.size,
    )  # fmt: skip


def _leads(text: str, after: str) -> bool:
    """Is it a marker of what stands after it? A dash before a figure is a cell without one."""
    return is_marker(text) and not (text.strip() in DASHES and after.strip().isdecimal())


def is_marker(text: str) -> bool:
    """A bullet, a number or a letter that stands before a text."""
    return len(text) < 8 and bool(_MARKER.match(text))


def fragments(runs: Sequence[Run]) -> list[Fragment]:
    """All fragments of a page, in no order that matters."""
    pieces_of_page: list[Fragment] = []
    cuts: list[tuple[int, int]] = []  # where the pieces of a row begin and end, if it has several
    text = "|".join([run.text for run in runs])
    tidy = "  " not in text and text.isprintable()  # most pages: what ``spell`` asks of each run
    for row in _rows(runs):
        pieces = [row] if len(row) == 1 else _cut_at_gaps(row)
        if len(pieces) > 1:
            cuts.append((len(pieces_of_page), len(pieces_of_page) + len(pieces)))
        for cluster in pieces:
            if len(cluster) > 1 or not tidy:
                pieces_of_page.append(fragment(_words(cluster) if len(cluster) >= TRACKED else cluster))
                continue
            run = cluster[0]  # what ``fragment`` makes of it
            pieces_of_page.append(
                _new_fragment(cluster, run.x0, run.top, run.x1, run.bottom, run.baseline, run.size, run.text.strip())
            )
    inner = {round(piece.x0) for start, end in cuts for piece in pieces_of_page[start + 1 : end]}
    if not inner:
        return pieces_of_page
    starts = _places([piece.x0 for piece in pieces_of_page])
    if all(_is_edge(x, starts, 1) for x in inner):  # every gap is a gutter
        return pieces_of_page
    ends = _places([piece.x1 for piece in pieces_of_page])
    for start, end in reversed(cuts):
        pieces_of_page[start:end] = _healed(pieces_of_page[start:end], starts, ends)
    return pieces_of_page


def _words(runs: list[Run]) -> list[Run]:
    """Letters that are set apart, each drawn by itself, as words: these stand further apart still."""
    letters = "".join([run.text for run in runs])
    if letters.count(" ") > len(runs) / 2:
        return _without_spaces(runs, letters)
    if len(letters) > len(runs) or not letters.isalpha():
        return runs
    size, gaps = runs[0].size, [after.x0 - before.x1 for before, after in pairwise(runs)]
    usual = sorted(gaps)[len(gaps) // 2]
    if not SPACE * size < usual < TRACKING * size:
        return runs
    words = [[runs[0]]]
    for gap, run in zip(gaps, runs[1:], strict=True):
        if gap > usual + SPACE_THIN * size:
            words.append([])
        words[-1].append(run)
    return [replace(word[0], text="".join([run.text for run in word]), x1=word[-1].x1) for word in words]


PIECES = 2.5  # letters of the pieces, on average, in which a line with white between its letters is drawn
NARROW = 0.18  # of the type size: less white than any space between words has


def _without_spaces(runs: list[Run], letters: str) -> list[Run]:
    """The same where each piece of a few letters has a space written behind it: it is none where there is no white."""
    narrow = [after.x0 - before.x1 < NARROW * before.size for before, after in pairwise(runs)]
    if len(letters.replace(" ", "")) > PIECES * len(runs) or 2 * sum(narrow) < len(narrow):
        return runs
    words = [[runs[0]]]
    for near, run in zip(narrow, runs[1:], strict=True):
        if not near:
            words.append([])
        words[-1].append(run)
    return [replace(word[0], text="".join([run.text.rstrip() for run in word]), x1=word[-1].x1) for word in words]


def _places(edges: list[float]) -> Counter[int]:
    """How many edges there are at each point; few are apart."""
    places: Counter[int] = Counter()
    for edge, count in Counter(edges).items():
        places[round(edge)] += count
    return places


def _cut_at_gaps(row: list[Run]) -> list[list[Run]]:
    """The runs of a row, cut at gaps that may be gutters."""
    pieces: list[list[Run]] = []
    row.sort(key=_from_the_left)
    piece = [row[0]]
    end = row[0].x1
    for run in row[1:]:
        gap = run.x0 - end
        marker = len(piece) == 1 and len(piece[0].text) <= 7 and _leads(piece[0].text, run.text)
        reach = FAR_FROM_MARKER if marker else FAR
        size, before = run.size, piece[-1].size
        if gap > reach * (size if size < before else before):
            pieces.append(piece)
            piece = [run]
            end = run.x1
        else:
            piece.append(run)
            end = run.x1 if run.x1 > end else end
    pieces.append(piece)
    return pieces


def _healed(row: list[Fragment], starts: Counter[int], ends: Counter[int]) -> list[Fragment]:
    """Put together again the words of justified lines whose spaces were stretched until they looked like gutters."""
    healed: list[Fragment] = []
    at = 0
    while at < len(row):
        end = _end_of_line(row, at, starts, ends)
        healed.append(fragment([run for piece in row[at:end] for run in piece.runs]) if end - at > 1 else row[at])
        at = end
    return healed


def _end_of_line(row: list[Fragment], at: int, starts: Counter[int], ends: Counter[int]) -> int:
    """Behind the last piece of the justified line that begins here; behind this piece when there is none."""
    gaps: list[float] = []
    sure = at + 1
    for end in range(at + 1, len(row)):
        piece = row[end]
        if _is_edge(piece.x0, starts, 1) and MISSED * _near(piece.x0, starts, 1) > _near(row[at].x0, starts, 1):
            break
        if sure == end and _is_near(row[end - 1].runs[-1], piece.runs[0]):
            sure = end + 1
            continue
        gaps = gaps or _wide_gaps(row[at])
        gaps += [piece.x0 - row[end - 1].x1, *_wide_gaps(piece)]
        widest = max(gaps)
        if widest > STRETCHED * piece.size or widest - min(gaps) > EVEN * widest:
            break
        at_edge = len(gaps) > 1 and _is_edge(piece.x1, ends, 2) and starts[round(row[at].x0)] > 1
        if at_edge or (len(gaps) > ALIKE_MIN and widest - min(gaps) < ALIKE * widest):
            sure = end + 1
    return sure


def _is_near(before: Run, after: Run) -> bool:
    """Is the white between two runs of different sizes a space of the larger one?"""
    gap = after.x0 - before.x1
    is_title = before.size > OVER * after.size or after.size > HEADS * before.size
    return not is_title and gap <= FAR * max(before.size, after.size)


def _wide_gaps(piece: Fragment) -> list[float]:
    """Gaps between its runs that are nearly as wide as a gutter."""
    gaps = (after.x0 - before.x1 for before, after in pairwise(piece.runs))
    return [gap for gap in gaps if gap > FAR / 2 * piece.size]


def _is_edge(x: float, known: Counter[int], reach: int) -> bool:
    """Do lines enough begin (or end) within so many points?"""
    return _near(x, known, reach) >= LINES_MIN


def _near(x: float, known: Counter[int], reach: int) -> int:
    """How many begin (or end) there."""
    place = round(x)
    return sum([known[place + off] for off in range(-reach, reach + 1)])


def _rows(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs that share a baseline; superscripts and subscripts join the line that they touch."""
    rows: list[list[Run]] = []
    sizes: list[float] = []  # of each row the largest
    mixed: set[int] = set()  # rows in several sizes
    at = size = float("-inf")
    for run in sorted(runs, key=_baseline):
        own = run.size
        if run.baseline - at <= SAME_BASELINE * (size if size < own else own):
            rows[-1].append(run)
            if own != size:
                mixed.add(len(rows) - 1)
            if own > size and own > sizes[-1]:
                sizes[-1] = own
        else:
            rows.append([run])
            sizes.append(own)
            at, size = run.baseline, own
    for number in mixed:
        _give_strays(rows, sizes, number)
    return _with_shifted(rows, sizes)


def _give_strays(rows: list[list[Run]], sizes: list[float], number: int) -> None:
    """What is raised in one column may be level with a line of another: give it to the line that it stands beside."""
    row, size = rows[number], sizes[number]
    for run in [run for run in row if run.size < SMALLER * size]:
        others = [other for other in row if other is not run]
        near = [near_row for near_row in rows[max(0, number - NEAR) : number + NEAR + 1] if near_row is not row]
        if not _touches(run, others) and _given(run, near):
            row.remove(run)


def _with_shifted(rows: list[list[Run]], sizes: list[float]) -> list[list[Run]]:
    """Give superscripts and subscripts to the line that they stand beside."""
    if not sizes or min(sizes) >= SMALLER * max(sizes):
        return rows
    gone: set[int] = set()
    for number in _may_be_shifted(rows, sizes):
        row, size = rows[number], sizes[number]
        first, last = max(0, number - NEAR), number + NEAR + 1
        near = [line for line, other in zip(rows[first:last], sizes[first:last], strict=True) if size < SMALLER * other]
        stay = [run for run in row if not _given(run, near)]
        if stay:
            row[:] = stay
        else:
            gone.add(number)
    return [row for number, row in enumerate(rows) if number not in gone] if gone else rows


def _may_be_shifted(rows: list[list[Run]], sizes: list[float]) -> list[int]:
    """The rows that stand so close to one in larger type that a run of theirs may belong to it; most pages have none.

    ``CLOSE`` is what a run may be shifted by, and as much again, since a row may itself have been given a run.
    """
    numbers: set[int] = set()
    steps = [at for at, (above, below) in enumerate(pairwise(sizes)) if above != below]
    for at in {at if sizes[at] > sizes[at + 1] else at + 1 for at in steps}:  # larger than a neighbour
        large = sizes[at]
        top, bottom, reach = rows[at][0].baseline, rows[at][-1].baseline, CLOSE * large
        for number in range(max(0, at - NEAR), min(len(rows), at + NEAR + 1)):
            row = rows[number]
            if sizes[number] < large and top - row[-1].baseline <= reach and row[0].baseline - bottom <= reach:
                numbers.add(number)
    return sorted(numbers)


def _given(run: Run, near: list[list[Run]]) -> bool:
    for row in near:
        first = max(row, key=lambda r: r.size)
        if run.size < SMALLER * first.size and _shifted(run, first) and _touches(run, row):
            row.append(run)
            return True
    return False


def _shifted(run: Run, first: Run) -> bool:
    up = first.baseline - run.baseline
    return -LOWERED * first.size <= up <= RAISED * first.size


def _touches(run: Run, row: Sequence[Run]) -> bool:
    """Beside a larger run of the row or one that is shifted alike, no further than a space, or between two of them, no
    further than one that is stretched; not under or over one of the row, though it may begin under its overhang."""
    main = max(row, key=attrgetter("size"))
    left = right = float("inf")
    for other in row:
        shared = min(run.x1, other.x1) - max(run.x0, other.x0)
        if shared > 0.3 * (run.x1 - run.x0):
            if (run.baseline - main.baseline) * (main.baseline - other.baseline) > 0:
                continue  # raised and lowered figures may stand over each other
            if not other.x0 < run.x0 < other.x1 < run.x1 or shared > SPACE_THIN * other.size:
                return False
        if run.size >= SMALLER * other.size and run.baseline != other.baseline:
            continue
        if other.x0 + other.x1 < run.x0 + run.x1:
            left = min(left, run.x0 - other.x1)
        else:
            right = min(right, other.x0 - run.x1)
    return min(left, right) < BESIDE * row[0].size or max(left, right) < FAR * row[0].size


def gap_is_space(before: Run, after: Run) -> bool:
    """Is there a space between two runs of one line?"""
    gap = after.x0 - before.x1
    size = max(min(before.size, after.size), 0.6 * max(before.size, after.size))
    if before.icon and after.text[0] in ",.)]" and gap < 0.6 * size:
        return False
    if before.icon and before.icon.startswith(DRAWN):  # its box may reach over the space
        return after.text[0] not in CLOSES
    if before.text[-1] == " " or after.text[0] == " ":
        return gap > SPACE_MARKED * size
    if before.text[-1].isdigit() and after.size < 0.8 * before.size and after.baseline < before.baseline - 0.1 * size:
        return gap > (SPACE_ORDINAL if after.text.strip().isalpha() else SPACE_RAISED) * size
    if len(before.text) > 1:
        if _is_in_number(before.text, after.text[0]):
            return gap > SPACE_IN_NUMBER * size
        return gap > (SPACE_OVERHUNG if before.italic and before.text[-1] == "f" else SPACE) * size
    if before.text.isupper() and after.text[0].isalpha() and after.size < before.size:
        return gap > SPACE * before.size  # "D" and "EFINITIONS" in small capitals, set wide
    if before.text.isdecimal() and after.text[0].isdecimal() and "1" in (before.text, after.text[0]):
        return gap > (SPACE_IN_ELEVEN if before.text == after.text[0] else SPACE_BESIDE_ONE) * size
    if before.text in OPENS:
        return gap > SPACE_BESIDE_ONE * size
    if before.text in THIN:
        return gap > (SPACE_IN_NUMBER if before.text in IN_NUMBER and after.text == "1" else SPACE_THIN) * size
    if before.text in ENDS_UPRIGHT:
        return gap > (SPACE_THIN if after.text[0] in BEGINS_UPRIGHT else SPACE_BEFORE_THIN) * size
    return gap > (SPACE_BEFORE_THIN if after.text[0] in THIN else SPACE) * size


def _is_in_number(before: str, after: str) -> bool:
    """Is a number cut beside a "1", which has much white of its own: "B1" and ".6", "201" and "2"?"""
    last = before[-1]
    if last == "." and before[-2].isdecimal():
        return after == "1"
    return last.isdecimal() and "1" in (last, after) and (after.isdecimal() or after in IN_NUMBER or after == "/")


def spell(runs: Sequence[Run]) -> str:
    """The text of runs on one line."""
    if len(runs) == 1:
        text = runs[0].text.strip()
        return text if "  " not in text and text.isprintable() else " ".join(text.split())
    pieces: list[str] = []
    for index, run in enumerate(runs):
        if index and gap_is_space(runs[index - 1], run):
            pieces.append(" ")
        pieces.append(run.text.strip())
    return " ".join("".join(pieces).split())


def merge(pieces: Sequence[Fragment]) -> Fragment:
    """Fragments of one line as one, from left to right."""
    if len(pieces) == 1:
        return pieces[0]
    ordered = sorted(pieces, key=attrgetter("x0"))
    merged = fragment([run for piece in ordered for run in piece.runs])
    merged.counted = ordered[0].counted
    merged.cells = ordered
    return merged


def into_lines(pieces: Iterable[Fragment]) -> list[Fragment]:
    """Fragments of one column, put together to lines from top to bottom."""
    ordered = sorted(pieces, key=downwards)
    if _are_lines(ordered):
        return ordered
    return [row[0] if len(row) == 1 else merge(row) for row in on_lines(ordered)]


def _are_lines(ordered: list[Fragment]) -> bool:
    """Is each of them a line of its own? Most often: what ``on_lines`` would find, with one piece in each row."""
    bottom = level = float("-inf")
    for at, piece in enumerate(ordered):
        baseline, reach = piece.baseline, SAME_BASELINE * piece.size
        if (piece.top < bottom or baseline - level <= reach) and _same_line([ordered[at - 1]], piece):
            return False
        bottom, level = piece.bottom, baseline + reach
    return True


def on_lines(pieces: Iterable[Fragment]) -> list[list[Fragment]]:
    """Fragments of one column, line by line from top to bottom."""
    rows: list[list[Fragment]] = []
    bottom = level = float("-inf")  # what lies below both stands in another line
    for piece in sorted(pieces, key=downwards):
        baseline, reach = piece.baseline, SAME_BASELINE * piece.size
        if (piece.top < bottom or baseline - level <= reach) and _same_line(rows[-1], piece):
            rows[-1].append(piece)
            bottom = piece.bottom if piece.bottom > bottom else bottom
            level = baseline + reach if baseline + reach > level else level
        else:
            rows.append([piece])
            bottom, level = piece.bottom, baseline + reach
    return rows


def _same_line(row: list[Fragment], piece: Fragment) -> bool:
    first = row[0] if len(row) == 1 else max(row, key=attrgetter("size"))
    large = first.size if first.size > piece.size else piece.size
    level = abs(first.baseline - piece.baseline) <= SAME_BASELINE * large
    if level and len(row) > 1 and any(_is_under(piece, other) for other in row):
        return False  # a large number at the side may be level with two lines
    if level or piece.top >= first.bottom:
        return level
    shared = min(first.bottom, piece.bottom) - max(first.top, piece.top)
    beside = all(piece.x0 >= other.x1 or piece.x1 <= other.x0 for other in row)
    return beside and shared > OVERLAP * min(first.bottom - first.top, piece.bottom - piece.top)


def _is_under(piece: Fragment, other: Fragment) -> bool:
    """Does it stand straight below, and not on the same line by its own type?"""
    apart = piece.baseline - other.baseline > SAME_BASELINE * max(piece.size, other.size)
    return apart and piece.x0 < other.x1 and other.x0 < piece.x1
