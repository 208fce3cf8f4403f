"""Ruled tables, as pdfplumber finds them among edges that our own engine gives it: its own reading of a page takes
longer than all of ours, and it is asked only where rules are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, permutations
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from pipeline.records import Box, Page, RuledTable

if TYPE_CHECKING:
    from pdfplumber.table import Table, TableFinder

    from pipeline.extract.page_objects import Edge, Point

THIN = 2.5  # points; a thinner rectangle is a ruling line
LONG = 15.0  # points; shorter strokes are underlines of a word, ticks, decoration
JOINT = 5.0  # points: a smaller gap is none between two tables; a line of small type has no room in it
RULES_MIN = 4  # ruling lines that make a table thinkable
LEVEL = 0.05  # points by which the ends of a level or upright edge differ at most
SHAPES_MAX = 2_500  # on a page; more are an illustration

Rule = dict[str, Any]  # an edge as pdfplumber knows it


def looks_ruled(page: Page) -> bool:
    """Enough lines across and down, or enough cells, that a table may be there."""
    if len(page.shapes) > SHAPES_MAX:
        return False
    across = down = cells = 0
    for shape in page.shapes:
        wide, high = shape.box.x1 - shape.box.x0, shape.box.bottom - shape.box.top
        if high <= THIN and wide >= LONG:
            across += 1
        elif wide <= THIN and high >= LONG / 2:
            down += 1
        elif shape.stroke and wide >= LONG and high >= LONG / 2:
            cells += 1
    return (across >= 2 and down >= 1 and across + down >= RULES_MIN) or cells >= RULES_MIN


def ruled_tables(edges: Sequence[Edge]) -> tuple[RuledTable, ...]:
    """The tables between these edges, as pdfplumber finds them, once shading is left out and open sides are closed."""
    straight = [(_edge(start, end), shade) for start, end, shade in edges if _is_straight(start, end)]
    drawn = [edge for edge, shade in straight if not shade]
    finder = _found(drawn)
    if sides := list(_sides(finder)):
        finder = _found(drawn := [*drawn, *sides])
    if shades := _outside([edge for edge, shade in straight if shade], finder.cells):
        finder = _found(drawn := [*drawn, *shades])
    if joints := list(_joints(finder)):
        finder = _found([*drawn, *joints])
    return tuple(table for each in finder.tables if _is_table(table := _table(each)))


def _sides(finder: TableFinder) -> Iterator[Rule]:
    """The sides of tables that are open: at the ends that two rules or more have in common, none may be drawn."""
    for rules in _crossing(finder):
        level = [rule for rule in rules if rule["orientation"] == "h"]
        upright = [rule for rule in rules if rule["orientation"] == "v"]
        left, right = _first([rule["x0"] for rule in level]), -_first([-rule["x1"] for rule in level])
        top, bottom = _first([rule["top"] for rule in upright]), -_first([-rule["bottom"] for rule in upright])
        if len(level) > 1:
            yield from (_edge((x, top), (x, bottom)) for x in (left, right))
        yield from (_edge((left, y), (right, y)) for y in (top, bottom))


def _joints(finder: TableFinder) -> Iterator[Rule]:
    """Edges across the white between two tables, which hardly parts them, where the columns of one are columns of the
    other: a header that is drawn apart."""
    for above, below in permutations(finder.tables, 2):
        (*_, bottom), (_, top, *_) = above.bbox, below.bbox
        one, two = ({round(x) for cell in table.cells for x in cell[::2]} for table in (above, below))
        if THIN < top - bottom < JOINT and len(one & two) > 2 and (one <= two or two <= one):
            yield from (_edge((x, bottom), (x, top)) for x in sorted(one & two))


def _first(ends: list[float]) -> float:
    """The first end that another shares."""
    ends.sort()
    return next((end for end, other in pairwise(ends) if other - end <= THIN), ends[0])


def _crossing(finder: TableFinder) -> list[list[Rule]]:
    """Edges that hang together."""
    groups: list[dict[int, Rule]] = []
    for crossing in finder.intersections.values():
        group = {id(edge): edge for edge in (*crossing["h"], *crossing["v"])}
        for other in [each for each in groups if each.keys() & group.keys()]:
            groups.remove(other)
            group |= other
        groups.append(group)
    return [list(group.values()) for group in groups]


def _found(edges: list[Rule]) -> TableFinder:
    from pdfplumber.table import TableFinder

    return TableFinder(SimpleNamespace(edges=edges))


def _outside(shades: list[Rule], cells: Sequence[tuple[float, float, float, float]]) -> list[Rule]:
    """The edges of fills but for those in a cell between rules, one under the other: what is shaded in a cell divides
    it only where fills stand side by side."""
    gone: set[int] = set()
    for x0, top, x1, bottom in cells:
        inside = [edge for edge in shades if edge["x0"] >= x0 - THIN and edge["x1"] <= x1 + THIN
                  and edge["top"] >= top - THIN and edge["bottom"] <= bottom + THIN]  # fmt: skip
        wide = [edge for edge in inside if edge["orientation"] == "h" and edge["width"] >= LONG]
        if wide and max(edge["x0"] for edge in wide) < min(edge["x1"] for edge in wide):
            gone.update(map(id, inside))
    return [edge for edge in shades if id(edge) not in gone]


def _is_straight(start: Point, end: Point) -> bool:
    return abs(start[0] - end[0]) < LEVEL or abs(start[1] - end[1]) < LEVEL


def _edge(start: Point, end: Point) -> Rule:
    (x0, x1), (top, bottom) = (sorted(pair) for pair in zip(start, end, strict=True))
    wide, high = x1 - x0, bottom - top
    down = wide < high
    return {"x0": x0, "x1": x0 if down else x1, "top": top, "bottom": bottom if down else top,
            "width": wide, "height": high, "orientation": "v" if down else "h"}  # fmt: skip


def _table(table: Table) -> RuledTable:
    rows = tuple(tuple(_box(cell) if cell else None for cell in row.cells) for row in table.rows)
    return _untitled(RuledTable(box=_box(table.bbox), cells=rows))


def _box(bounds: tuple[float, float, float, float]) -> Box:
    x0, top, x1, bottom = bounds
    return Box(x0=x0, top=top, x1=x1, bottom=bottom)


def _untitled(table: RuledTable) -> RuledTable:
    """Without rows above it that are one cell over its whole width: a bar with the heading of what follows."""
    rows = table.cells
    while len(rows) > 2 and len(rows[0]) > 1 and rows[0][0] and not any(rows[0][1:]):
        rows = rows[1:]
    top = min((cell.top for cell in rows[0] if cell), default=table.box.top)
    return replace(table, box=replace(table.box, top=top), cells=rows)


def _is_table(table: RuledTable) -> bool:
    """Two rows and two columns at least: one cell is a box, one row is a bar."""
    return len(table.cells) >= 2 and max(len(row) for row in table.cells) >= 2
