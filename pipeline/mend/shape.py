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

    def tell(self, what: str, text: str, found: int, among: Iterable[Block] | None = None) -> None:
        near = "" if found else nearest([str(b.text) for b in (self.blocks if among is None else among)], text)
        self.replays.append(Replay(what=what, text=text, found=found, near=near))

    def one(self, what: str, name: str) -> int | None:
        """The only block that a name fits."""
        found = places(self.texts(), name)
        if len(found) == 1:
            return found[0]
        self.tell(what, name, 0)
        if found:
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
    made = replace(structure, blocks=tuple(bench.blocks), furniture=tuple(bench.furniture))
    keys = [(block.addresses, str(block.text)) for block in bench.blocks]
    said = [(block, bench.headings[key]) for block, key in zip(bench.blocks, keys, strict=True)
            if key in bench.headings]  # fmt: skip
    return Shaped(structure=made, replays=tuple(bench.replays), headings=tuple(said),
                  splits=tuple(bench.splits), joins=tuple(bench.joins), kept=tuple(bench.kept),
                  kinds=tuple(bench.kinds.items()))  # fmt: skip


# ---------------------------------------------------------------- headings and conventions


def _heading(bench: _Bench, what: str, said: HeadingSaid) -> None:
    found = places(bench.texts(), said.text, said.after) or _cut_out(bench, said.text)
    for at in found:
        _make_heading(bench, at, said.level)
    bench.tell(what, said.text, len(found))


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


def _convention(bench: _Bench, what: str, said: Convention) -> None:
    found = places(bench.texts(), said.like)
    if not found:
        bench.tell(what, said.like, 0)
        return
    look = bench.blocks[found[0]]
    alike = [at for at, block in enumerate(bench.blocks) if is_alike(block, look)]
    bench.tell(what, said.like, len(alike))
    for at in reversed(alike):
        if said.heading is not None:
            _make_heading(bench, at, said.heading)
        elif said.kind is not None:
            bench.kinds[bench.blocks[at].addresses[0]] = Kind(said.kind)
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


def _furniture(bench: _Bench, what: str, said: FurnitureSaid) -> None:
    held = bench.furniture if said.keep else bench.blocks
    texts = [words_of(block.text) for block in held]
    wanted = words_of(said.text)
    found = places(texts, said.text, said.after)
    if said.after is None:  # a running head is on many pages
        like = same_but_figures(wanted)
        found = [at for at, text in enumerate(texts) if same_but_figures(text) == like] or found
    bench.tell(what, said.text, len(found), held)
    for at in reversed(found):
        block = held.pop(at)
        if said.keep:
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


def _order(bench: _Bench, what: str, said: Order) -> None:
    start, target = bench.one(what, said.text), bench.one(what, said.before)
    end = bench.one(what, said.until) if said.until is not None else start
    if start is None or target is None or end is None:
        return
    if start <= target <= end or end < start:
        bench.replays.append(Replay(what=what, text=said.text, ambiguous=True))
        return
    moved = bench.blocks[start : end + 1]
    rest = bench.blocks[:start] + bench.blocks[end + 1 :]
    place = target if target < start else target - len(moved)
    bench.blocks[:] = rest[:place] + moved + rest[place:]
    bench.tell(what, said.text, 1)


# ---------------------------------------------------------------- where blocks begin and end


def _split(bench: _Bench, what: str, said: Split) -> None:
    wanted = words_of(said.before)
    texts = bench.texts()
    begin = places(texts, said.before)
    inner = [(at, place) for at, text in enumerate(texts) for place in text.find(wanted) if place]
    if not begin and len(inner) == 1:
        [(at, place)] = inner
        block = bench.blocks[at]
        start = texts[at].start(place, block.text)
        bench.blocks[at : at + 1] = [part(block, 0, start), part(block, start)]
        begin = [at + 1]
    if not begin and inner:
        bench.replays.append(Replay(what=what, text=said.before, ambiguous=True))
        return
    for at in begin:
        block = bench.blocks[at]
        kind = Kind(said.kind) if said.kind else None
        bench.splits.append((block.addresses, words_of(block.text).words[:KNOWN], kind))
    bench.tell(what, said.before, len(begin))


def _join(bench: _Bench, what: str, said: JoinUp) -> None:
    """Two headings, or two halves of a paragraph, become one block; entries are joined when they are there."""
    above, below = _holding(bench, said.above), bench.one(what, said.below)
    if below is None:
        return
    if above is None:
        bench.tell(what, said.above, 0)
        return
    bench.joins.append((bench.blocks[above].addresses[0], bench.blocks[below].addresses[0]))
    one, other = bench.blocks[max(above, below - 1)], bench.blocks[below]
    if above < below and _is_one(one, other, named=above == below - 1):
        bench.blocks[below - 1 : below + 1] = join_where([one, other], lambda *_: True)
    elif other.role is Role.HEADING:
        bench.blocks[below] = replace(other, role=Role.PARAGRAPH, level=0)
    bench.tell(what, said.below, 1)


def _is_one(one: Block, other: Block, *, named: bool) -> bool:
    """Two lines of one heading, or a sentence that was cut; where both were named, one without a stop was."""
    if one.role is Role.HEADING:
        return other.role is Role.HEADING
    cut_off = goes_on(one.text, other.text) or (named and one.text.rstrip()[-1:] not in ENDS)
    return Role.TABLE not in (one.role, other.role) and cut_off


def _holding(bench: _Bench, name: str) -> int | None:
    """The block that these words are in."""
    wanted = words_of(name)
    found = places(bench.texts(), name) or [
        at for at, text in enumerate(bench.texts()) if next(text.find(wanted), None) is not None
    ]
    return found[0] if found else None


# ---------------------------------------------------------------- tables


def _table(bench: _Bench, what: str, said: TableSaid) -> None:
    at = bench.one(what, said.text)
    if at is None:
        return
    block = bench.blocks[at]
    if not block.rows and not said.rows:  # there is nothing to divide
        bench.tell(what, said.text, 0, [])
        return
    if said.is_text:
        bench.blocks[at : at + 1] = [_as_paragraph(block, row) for row in block.rows] or [block]
    else:
        rows = tuple(tuple(rich(cell) for cell in row) for row in said.rows) or divided(block.rows, said)
        heads = block.header_rows if said.header_rows is None else said.header_rows
        text = join([cell for row in rows for cell in row if cell]) if rows else block.text
        bench.blocks[at] = replace(
            block, role=Role.TABLE, rows=rows, header_rows=min(heads, len(rows)), text=text, marker="",
            breaks=() if rows != block.rows else block.breaks,
        )  # fmt: skip
    bench.tell(what, said.text, 1)


def _as_paragraph(block: Block, row: Sequence[Text]) -> Block:
    text = join([cell for cell in row if cell.strip()])
    return replace(block, role=Role.PARAGRAPH, rows=(), header_rows=0, text=text, breaks=())


def divided(rows: tuple[tuple[Text, ...], ...], said: TableSaid) -> tuple[tuple[Text, ...], ...]:
    """The rows of a table as its columns and rows were said to be."""
    held: list[tuple[Text, ...]] = []
    for number, row in enumerate(rows, start=1):
        if number in said.join_rows and held:
            wide = max(len(row), len(held[-1]))
            pairs = zip(_filled(held[-1], wide), _filled(row, wide), strict=True)
            held[-1] = tuple(_together(pair) for pair in pairs)
        else:
            held.append(row)
    return tuple(_columns(row, said) for row in held)


def _filled(row: Sequence[Text], wide: int) -> list[Text]:
    return [*row, *[rich("")] * (wide - len(row))]


def _columns(row: Sequence[Text], said: TableSaid) -> tuple[Text, ...]:
    made: list[Text] = []
    for number, cell in enumerate(row, start=1):
        if number in said.join_columns and made:
            made[-1] = _together((made[-1], cell))
        elif number in said.split_columns:
            at = cell.rstrip().rfind(" ")
            made += [trim(cut(cell, 0, at)), trim(cut(cell, at))] if at > 0 else [cell, rich("")]
        else:
            made.append(cell)
    return tuple(made)


def _together(cells: Iterable[Text]) -> Text:
    return join([cell for cell in cells if cell.strip()])
