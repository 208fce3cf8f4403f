"""Boards of games: squares of one size, side by side in rows, with a sign in some of them, and what names the rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from pipeline.layout.lines import Fragment
from pipeline.records import Box, Page

SIDE_MIN = 6.0  # points: hardly a sign fits into a smaller square
EVEN = 1.0  # points by which squares and their distances may differ
ROWS_MIN = 3  # and columns: noughts and crosses
DRAWN = 0.4  # of the squares of a board: of every other one only the dark ones may be drawn
SIGNS = 2  # letters or figures in a square, and of the name of a row

Square = tuple[float, float, float]  # left, top and side


def boards(page: Page, pieces: Sequence[Fragment]) -> list[tuple[Box, list[Fragment]]]:
    """The boards that are drawn on a page, each with all that stands in it and around it; none where a word does."""
    drawn = [shape.box for shape in page.shapes]
    ruled = [cell for table in page.tables for row in table.cells for cell in row if cell]
    on_page: list[tuple[Box, list[Fragment]]] = []
    for squares in (*_alike(drawn), *_alike(ruled)) if len(drawn) >= ROWS_MIN**2 else ():
        box, side = _around(squares), squares[0][2]
        inside = [each for each in pieces if _is_in(each, box, 0.0)]
        near = [each for each in pieces if _is_in(each, box, side) and _is_sign(each, side)]
        if near and all(_is_sign(each, side) for each in inside):
            on_page.append((box, near))
            pieces = [each for each in pieces if each not in near]
    return on_page


def _alike(boxes: Iterable[Box]) -> list[list[Square]]:
    """Squares of one size that stand in rows and columns, with no more left out than a board does."""
    sizes: defaultdict[int, set[Square]] = defaultdict(set)
    for box in boxes:
        side = box.x1 - box.x0
        if side >= SIDE_MIN and abs(box.bottom - box.top - side) < EVEN:
            sizes[round(side)].add((box.x0, box.top, side))
    return [sorted(squares) for squares in sizes.values() if len(squares) >= DRAWN * ROWS_MIN**2 and _in_rows(squares)]


def _in_rows(squares: Collection[Square]) -> bool:
    left, top = min(x for x, _, _ in squares), min(y for _, y, _ in squares)
    side = min(wide for _, _, wide in squares)
    places = [((x - left) / side, (y - top) / side) for x, y, _ in squares]
    if any(abs(at - round(at)) * side > EVEN for place in places for at in place):
        return False
    filled = {(round(x), round(y)) for x, y in places}
    columns, rows = (1 + max(place[along] for place in filled) for along in (0, 1))
    return min(columns, rows) >= ROWS_MIN and len(filled) >= DRAWN * columns * rows


def _around(squares: Sequence[Square]) -> Box:
    return Box(x0=min(x for x, _, _ in squares), top=min(y for _, y, _ in squares),
               x1=max(x + side for x, _, side in squares), bottom=max(y + side for _, y, side in squares))  # fmt: skip


def _is_in(piece: Fragment, box: Box, reach: float) -> bool:
    x, y = (piece.x0 + piece.x1) / 2, (piece.top + piece.bottom) / 2
    return box.x0 - reach < x < box.x1 + reach and box.top - reach < y < box.bottom + reach


def _is_sign(piece: Fragment, side: float) -> bool:
    """Has it no more letters than its squares may have? Those of small squares are one piece."""
    letters = sum(len(run.text.strip()) for run in piece.runs if not run.icon)
    return letters <= SIGNS * max(1, round((piece.x1 - piece.x0) / side))
