"""Numbers in the margin that count the paragraphs of a document: each is put before the line that it stands beside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pipeline.layout.lines import Fragment, downwards, fragment
from pipeline.text import DIGITS

COUNTED = 5  # numbers that follow each other before they count anything
FOLLOWING = 0.8  # of them, each a little more than the one before
HOLE = 4  # the most that one may be above the one before, where rules between them were repealed
NEXT = 0.5  # of them, each one more: those of lines are counted by fives
LINES = 0.7  # of the lines of a page: more numbers are those of its lines
LINE_FIGURES = 4  # of the number of a line: no document has more than 9,999
WITHIN = 0.25  # of them stand beside the middle of a sentence: no item and no row begins there
LINES_MIN = 8  # numbers of lines on one page: fewer may be those of paragraphs
REACH = 60.0  # points between a number and its line
LEVEL = 0.6  # of the type size: how far above or below its line a number may stand
HUNG = 0.5  # of the type size between a number and its line: more than a space
TEXT = 30  # letters beside such a number, on average: fewer are the cells of a table
STRAY = 2  # pieces of a page that stick out into the margin, as running heads do

PARTED = re.compile(r"[A-Z]{0,2}\d{1,3}(?:\.(?:\d{1,3}|[A-Za-z])){1,5}[a-z]?[.)]?")  # "100.2a", "B1.11.2"
PARTED_MAX = 16  # letters: the longest that is looked at

Beside = list[tuple[Fragment, Fragment]]  # a number and the piece that it stands beside


def with_numbers(pages: list[list[Fragment]]) -> list[list[Fragment]]:
    """The pieces of all pages, numbers in the margin joined to their lines; most documents have none."""
    digits = [[each for each in pieces if each.text[:1] in DIGITS] for pieces in pages]
    pages = _with_parted(pages)
    numbers = [list(filter(_is_number, on_page)) for on_page in digits]
    if sum([len(on_page) for on_page in numbers]) < COUNTED:
        hung = {id(each) for on_page in digits for each in on_page if len(each.runs) > 1 and _hangs(each)}
        return pages if len(hung) < COUNTED else _with_hung(pages, hung)
    beside = [_beside(on_page, pieces) if on_page else [] for on_page, pieces in zip(numbers, pages, strict=True)]
    counted = [int(number.text) for on_page in beside for number, _ in on_page]
    steps = [after - before for before, after in pairwise(counted)]
    following = sum(0 < step <= HOLE for step in steps)
    if len(counted) < COUNTED or following < FOLLOWING * len(steps) or steps.count(1) < NEXT * len(steps):
        return pages
    return [_joined(pieces, on_page) if on_page else pieces for pieces, on_page in zip(pages, beside, strict=True)]


def line_numbers(pages: Sequence[Sequence[Fragment]]) -> list[list[Fragment]]:
    """The numbers in the margin of each page that count its lines, one by one or by fives: they number no rule."""
    return [_counting_lines(pieces) for pieces in pages]


def _counting_lines(pieces: Sequence[Fragment]) -> list[Fragment]:
    figures = [piece for piece in pieces if piece.text.isdecimal() and len(piece.text) <= LINE_FIGURES]
    if len(figures) < LINES_MIN:
        return []
    apart = set(map(id, figures))
    rest = [piece for piece in pieces if id(piece) not in apart]
    numbers = sorted((number for number in figures if _is_outside(number, rest)), key=downwards)
    steps = [int(after.text) - int(before.text) for before, after in pairwise(numbers)]
    lines = len({round(piece.baseline) for piece in rest})
    if len(numbers) < LINES_MIN or steps.count(steps[0]) < FOLLOWING * len(steps) or steps[0] < 1:
        return []
    inner = {round(piece.baseline) for piece in rest if piece.text[:1].islower()}  # of sentences that go on
    within = sum(round(number.baseline) in inner for number in numbers)
    return numbers if steps[0] * len(numbers) >= LINES * lines and within >= WITHIN * len(numbers) else []


def _with_parted(pages: list[list[Fragment]]) -> list[list[Fragment]]:
    """The same of numbers of several parts, "100.2a", each before the lines of a text, however far that is set in."""
    numbers = [[e for e in on_page if not e.text[PARTED_MAX:] and PARTED.fullmatch(e.text)] for on_page in pages]
    if sum([len(on_page) for on_page in numbers]) < COUNTED:
        return pages
    before = [_before(on_page, pieces) if on_page else [] for on_page, pieces in zip(numbers, pages, strict=True)]
    letters = [len(piece.text) for on_page in before for _, piece in on_page]
    if len(letters) < COUNTED or sum(letters) < TEXT * len(letters):
        return pages
    return [_joined(pieces, on_page) if on_page else pieces for pieces, on_page in zip(pages, before, strict=True)]


def _before(numbers: Sequence[Fragment], pieces: Sequence[Fragment]) -> Beside:
    """Numbers with nothing at their right but one piece of text; before two it is a cell of a table."""
    pairs: Beside = []
    for number in numbers:
        right = [piece for piece in pieces if abs(piece.baseline - number.baseline) < 1 and piece.x0 > number.x1]
        right.sort(key=lambda piece: piece.x0)
        if right and right[0].x0 - number.x1 < REACH and right[0].text[:1] not in DIGITS and not _in_row(right):
            pairs.append((number, right[0]))
    return pairs


def _in_row(right: Sequence[Fragment]) -> bool:
    return len(right) > 1 and not PARTED.fullmatch(right[1].text)


def _hangs(piece: Fragment) -> bool:
    """A number that stands before its line, but so near that the two are one piece."""
    number, first = piece.runs[:2]
    wide = first.x0 - number.x1 > HUNG * first.size
    return wide and number.text.strip().isdecimal() and len(number.text.strip()) < 4


def _with_hung(pages: list[list[Fragment]], hung: set[int]) -> list[list[Fragment]]:
    """The same of pages whose numbers are cut off first, where that makes them numbers in a margin."""
    cut = [[part for piece in pieces for part in (_in_two(piece) if id(piece) in hung else (piece,))]
           for pieces in pages]  # fmt: skip
    joined = with_numbers(cut)
    return pages if joined is cut else joined


def _in_two(piece: Fragment) -> tuple[Fragment, Fragment]:
    return fragment(piece.runs[:1]), fragment(piece.runs[1:])


def _is_number(piece: Fragment) -> bool:
    return not piece.text[3:] and piece.text.isdecimal()


def _beside(numbers: Sequence[Fragment], pieces: Sequence[Fragment]) -> Beside:
    """The numbers of a page that stand in its margin, from top to bottom, each with the piece beside it."""
    apart = {id(number) for number in numbers}
    rest = [piece for piece in pieces if id(piece) not in apart]
    pairs: Beside = []
    for number in sorted(numbers, key=downwards):
        level = [piece for piece in rest if abs(piece.baseline - number.baseline) < LEVEL * piece.size]
        nearest = min(level, key=lambda piece: piece.x0, default=None)
        if nearest is not None and _is_outside(number, rest) and _is_near(number, nearest):
            pairs.append((number, nearest))
    return pairs if len(pairs) < LINES * len(rest) else []


def _is_outside(number: Fragment, rest: Sequence[Fragment]) -> bool:
    """Does it stand left or right of all text?"""
    left, right = number.x1, number.x0
    return min(sum(piece.x0 < left for piece in rest), sum(piece.x1 > right for piece in rest)) <= STRAY


def _is_near(number: Fragment, piece: Fragment) -> bool:
    return piece.x0 - number.x1 < REACH if number.x1 <= piece.x0 else number.x0 - piece.x1 > 0


def _joined(pieces: Sequence[Fragment], pairs: Beside) -> list[Fragment]:
    """The pieces with each number before its line, on the same baseline."""
    homes = {id(piece): number for number, piece in pairs}
    gone = {id(number) for number, _ in pairs}
    return [_numbered(piece, homes.get(id(piece))) for piece in pieces if id(piece) not in gone]


def _numbered(piece: Fragment, number: Fragment | None) -> Fragment:
    if number is None:
        return piece
    end = piece.x0 - piece.size / 2
    end = min(number.x1, end) if number.text.isdecimal() else end
    moved = replace(
        number.runs[0], text=number.text, x0=end - (number.x1 - number.x0), top=number.top, x1=end,
        bottom=number.bottom, baseline=piece.baseline,
    )  # fmt: skip
    joined = fragment([moved, *piece.runs])
    joined.counted = number.text if number.text.isdecimal() else ""
    return joined
