"""Blocks as a person said that they are, before they are classified."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.anchors import Words, nearest, places, same_but_figures, words_of
from pipeline.classify.blocks import join_where, part
from pipeline.config import Convention, FurnitureSaid, HeadingSaid, JoinUp, Mends, Order, Split, TableSaid
from pipeline.mend.splitting import ENDS, goes_on
from pipeline.records import Block, Kind, Replay, Role, Structure, Text
from pipeline.text import cut, join, rich, trim

KNOWN = 8  # words by which the beginning of a block is known again in an entry
SIZE = 0.3  # points by which the type of two lines of one look differs at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """A structure as it was said to be, what became of each override, and what classify must not undo."""

    structure: Structure
    replays: tuple[Replay, ...] = ()
    headings: tuple[tuple[Block, int], ...] = ()  # in reading order, with their level; 0: it is none
    splits: tuple[tuple[tuple[str, ...], tuple[str, ...], Kind | None], ...] = ()  # where, with which words, as what
    joins: tuple[tuple[str, str], ...] = ()  # first addresses of two blocks that are of one entry
    kept: tuple[tuple[str, ...], ...] = ()  # addresses that are no furniture
    kinds: tuple[tuple[str, Kind], ...] = ()  # first address of an entry, its kind


@dataclass(slots=True)
class _Bench:
    """The blocks of a document while overrides are applied to them."""

    blocks: list[Block]
    furniture: list[Block]
    replays: list[Replay] = field(default_factory=list)
    headings: dict[tuple[tuple[str, ...], str], int] = field(default_factory=dict)  # by the lines and words of a block
    splits: list[tuple[tuple[str, ...], tuple[str, ...], Kind | None]] = field(default_factory=list)
    joins: list[tuple[str, str]] = field(default_factory=list)
    kept: list[tuple[str, ...]] = field(default_factory=list)
    kinds: dict[str, Kind] = field(default_factory=dict)

    def texts(self) -> list[Words]:
        return [words_of(block.text) for block in self.blocks]

    def tell(self, what: str, text: str, count: int, among: Iterable[Block] | None = None) -> None:
        near = "" if count else nearest([str(b.text) for b in (self.blocks if among is None else among)], text)
        self.replays.append(Replay(what=what, text=text, found=count, near=near))

    def one(self, what: str, name: str) -> int | None:
        """The only block that a name fits."""
        spots = places(self.texts(), name)
        if len(spots) == 1:
            return spots[0]
        self.tell(what, name, 0)
        if spots:
            self.replays[-1] = Replay(what=what, text=name, ambiguous=True)
        return None


def shape(structure: Structure, mends: Mends) -> Shaped:
    """The structure with every override that finds its words in it; later kinds see what earlier ones made."""
    bench = _Bench(list(structure.blocks), list(structure.furniture))
    steps: Sequence[tuple[str, Callable[[_Bench, str, Any], None]]] = (
        ("convention", _convention), ("furniture", _furniture), ("table", _table), ("split", _split),
        ("join", _join), ("order", _order), ("heading", _heading),
    )  # fmt: skip
    for name, step in steps:
        for number, each in enumerate(getattr(mends, name), start=1):
            step(bench, f"{name} {number}", each)
    shaped = replace(structure, blocks=tuple(bench.blocks), furniture=tuple(bench.furniture))
    keys = [(block.addresses, str(block.text)) for block in bench.blocks]
    headings = [(block, bench.headings[key]) for block, key in zip(bench.blocks, keys, strict=True)
            if key in bench.headings]  # fmt: skip
    return Shaped(structure=shaped, replays=tuple(bench.replays), headings=tuple(headings),
                  splits=tuple(bench.splits), joins=tuple(bench.joins), kept=tuple(bench.kept),
                  kinds=tuple(bench.kinds.items()))  # fmt: skip


# ---------------------------------------------------------------- headings and conventions


def _heading(bench: _Bench, what: str, heading: HeadingSaid) -> None:
    spots = places(bench.texts(), heading.text, heading.after) or _cut_out(bench, heading.text)
    for at in spots:
        _make_heading(bench, at, heading.level)
    bench.tell(what, heading.text, len(spots))


def _make_heading(bench: _Bench, at: int, level: int) -> None:
    block = bench.blocks[at]
    if level:
        bench.blocks[at] = replace(block, role=Role.HEADING, level=level, marker="")
    elif block.role is Role.HEADING:
        bench.blocks[at] = replace(block, role=Role.PARAGRAPH, level=0)
    bench.headings[block.addresses, str(block.text)] = level


def _cut_out(bench: _Bench, name: str) -> list[int]:
    """A heading that was read as a printed line of a paragraph: it is cut out."""
    wanted = words_of(name)
    lines = [(at, start) for at, block in enumerate(bench.blocks) for start in (0, *block.breaks)
             if wanted.words and words_of(block.text[start:]).begins(wanted)]  # fmt: skip
    if len(lines) != 1:
        return []
    at, start = lines[0]
    block = bench.blocks[at]
    last = words_of(block.text[start:]).spans[len(wanted.words) - 1][1] + start
    end = next((line for line in block.breaks if line >= last), len(block.text))
    parts = [(0, start), (start, end), (end, len(block.text))]
    pieces = [part(block, low, high) for low, high in parts if block.text[low:high].strip()]
    bench.blocks[at : at + 1] = pieces
    return [at + int(bool(block.text[:start].strip()))]


def _convention(bench: _Bench, what: str, convention: Convention) -> None:
    spots = places(bench.texts(), convention.like)
    if not spots:
        bench.tell(what, convention.like, 0)
        return
    look = bench.blocks[spots[0]]
    alike = [at for at, block in enumerate(bench.blocks) if is_alike(block, look)]
    bench.tell(what, convention.like, len(alike))
    for at in reversed(alike):
        if convention.heading is not None:
            _make_heading(bench, at, convention.heading)
        elif convention.kind is not None:
            bench.kinds[bench.blocks[at].addresses[0]] = Kind(convention.kind)
        else:
            bench.furniture.append(replace(bench.blocks.pop(at), role=Role.FURNITURE))


def is_alike(one: Block, other: Block) -> bool:
    """The same type: what a reader takes for the same thing."""
    return (
        abs(one.size - other.size) <= SIZE
        and (one.bold, one.italic, one.colour) == (other.bold, other.italic, other.colour)
        and (one.role is Role.TABLE) == (other.role is Role.TABLE)
        and (one.fill is None) == (other.fill is None)
    )


# ---------------------------------------------------------------- furniture, order


def _furniture(bench: _Bench, what: str, furniture: FurnitureSaid) -> None:
    blocks = bench.furniture if furniture.keep else bench.blocks
    texts = [words_of(block.text) for block in blocks]
    wanted = words_of(furniture.text)
    spots = places(texts, furniture.text, furniture.after)
    if furniture.after is None:  # a running head is on many pages
        like = same_but_figures(wanted)
        spots = [at for at, text in enumerate(texts) if same_but_figures(text) == like] or spots
    bench.tell(what, furniture.text, len(spots), blocks)
    for at in reversed(spots):
        block = blocks.pop(at)
        if furniture.keep:
            kept = replace(block, role=Role.PARAGRAPH)
            bench.blocks.insert(_reading_place(bench.blocks, kept), kept)
            bench.kept.append(block.addresses)
        else:
            bench.furniture.append(replace(block, role=Role.FURNITURE))


def _reading_place(blocks: Sequence[Block], block: Block) -> int:
    """Where a line at the head or foot of a page is read: before, or behind, all else on it."""
    here = [at for at, other in enumerate(blocks) if other.page == block.page]
    if not here:
        return next((at for at, other in enumerate(blocks) if other.page > block.page), len(blocks))
    tops = [box.top for at in here if (box := blocks[at].box)]
    first = block.box is None or not tops or block.box.top <= min(tops)
    return here[0] if first else here[-1] + 1


def _order(bench: _Bench, what: str, order: Order) -> None:
    start, target = bench.one(what, order.text), bench.one(what, order.before)
    end = bench.one(what, order.until) if order.until is not None else start
    if start is None or target is None or end is None:
        return
    if start <= target <= end or end < start:
        bench.replays.append(Replay(what=what, text=order.text, ambiguous=True))
        return
    moved = bench.blocks[start : end + 1]
    rest = bench.blocks[:start] + bench.blocks[end + 1 :]
    place = target if target < start else target - len(moved)
    bench.blocks[:] = rest[:place] + moved + rest[place:]
    bench.tell(what, order.text, 1)


# ---------------------------------------------------------------- where blocks begin and end


def _split(bench: _Bench, what: str, split: Split) -> None:
    wanted = words_of(split.before)
    texts = bench.texts()
    begin = places(texts, split.before)
    inner = [(at, place) for at, text in enumerate(texts) for place in text.find(wanted) if place]
    if not begin and len(inner) == 1:
        [(at, place)] = inner
        block = bench.blocks[at]
        start = texts[at].start(place, block.text)
        bench.blocks[at : at + 1] = [part(block, 0, start), part(block, start)]
        begin = [at + 1]
    if not begin and inner:
        bench.replays.append(Replay(what=what, text=split.before, ambiguous=True))
        return
    for at in begin:
        block = bench.blocks[at]
        kind = Kind(split.kind) if split.kind else None
        bench.splits.append((block.addresses, words_of(block.text).words[:KNOWN], kind))
    bench.tell(what, split.before, len(begin))


def _join(bench: _Bench, what: str, wanted: JoinUp) -> None:
    """Two headings, or two halves of a paragraph, become one block; entries are joined when they are there."""
    above, below = _holding(bench, wanted.above), bench.one(what, wanted.below)
    if below is None:
        return
    if above is None:
        bench.tell(what, wanted.above, 0)
        return
    bench.joins.append((bench.blocks[above].addresses[0], bench.blocks[below].addresses[0]))
    one, other = bench.blocks[max(above, below - 1)], bench.blocks[below]
    if above < below and _is_one(one, other, named=above == below - 1):
        bench.blocks[below - 1 : below + 1] = join_where([one, other], lambda *_: True)
    elif other.role is Role.HEADING:
        bench.blocks[below] = replace(other, role=Role.PARAGRAPH, level=0)
    bench.tell(what, wanted.below, 1)


def _is_one(one: Block, other: Block, *, named: bool) -> bool:
    """Two lines of one heading, or a sentence that was cut; where both were named, one without a stop was."""
    if one.role is Role.HEADING:
        return other.role is Role.HEADING
    cut_off = goes_on(one.text, other.text) or (named and one.text.rstrip()[-1:] not in ENDS)
    return Role.TABLE not in (one.role, other.role) and cut_off


def _holding(bench: _Bench, name: str) -> int | None:
    """The block that these words are in."""
    wanted = words_of(name)
    spots = places(bench.texts(), name) or [
        at for at, text in enumerate(bench.texts()) if next(text.find(wanted), None) is not None
    ]
    return spots[0] if spots else None


# ---------------------------------------------------------------- tables


def _table(bench: _Bench, what: str, table: TableSaid) -> None:
    at = bench.one(what, table.text)
    if at is None:
        return
    block = bench.blocks[at]
    if not block.rows and not table.rows:  # there is nothing to divide
        bench.tell(what, table.text, 0, [])
        return
    if table.is_text:
        bench.blocks[at : at + 1] = [_as_paragraph(block, row) for row in block.rows] or [block]
    else:
        rows = tuple(tuple(rich(cell) for cell in row) for row in table.rows) or divided(block.rows, table)
        heads = block.header_rows if table.header_rows is None else table.header_rows
        text = join([cell for row in rows for cell in row if cell]) if rows else block.text
        bench.blocks[at] = replace(
            block, role=Role.TABLE, rows=rows, header_rows=min(heads, len(rows)), text=text, marker="",
            breaks=() if rows != block.rows else block.breaks,
        )  # fmt: skip
    bench.tell(what, table.text, 1)


def _as_paragraph(block: Block, row: Sequence[Text]) -> Block:
    text = join([cell for cell in row if cell.strip()])
    return replace(block, role=Role.PARAGRAPH, rows=(), header_rows=0, text=text, breaks=())


def divided(rows: tuple[tuple[Text, ...], ...], table: TableSaid) -> tuple[tuple[Text, ...], ...]:
    """The rows of a table as its columns and rows were said to be."""
    divided_rows: list[tuple[Text, ...]] = []
    for number, row in enumerate(rows, start=1):
        if number in table.join_rows and divided_rows:
            wide = max(len(row), len(divided_rows[-1]))
            pairs = zip(_filled(divided_rows[-1], wide), _filled(row, wide), strict=True)
            divided_rows[-1] = tuple(_together(pair) for pair in pairs)
        else:
            divided_rows.append(row)
    return tuple(_columns(row, table) for row in divided_rows)


def _filled(row: Sequence[Text], wide: int) -> list[Text]:
    return [*row, *[rich("")] * (wide - len(row))]


def _columns(row: Sequence[Text], table: TableSaid) -> tuple[Text, ...]:
    cells: list[Text] = []
    for number, cell in enumerate(row, start=1):
        if number in table.join_columns and cells:
            cells[-1] = _together((cells[-1], cell))
        elif number in table.split_columns:
            at = cell.rstrip().rfind(" ")
            cells += [trim(cut(cell, 0, at)), trim(cut(cell, at))] if at > 0 else [cell, rich("")]
        else:
            cells.append(cell)
    return tuple(cells)


def _together(cells: Iterable[Text]) -> Text:
    return join([cell for cell in cells if cell.strip()])
