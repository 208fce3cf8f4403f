"""Paragraphs -> blocks: text with its style, lines joined, every join recorded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import compress, pairwise

from pipeline.layout.lines import Fragment, into_lines
from pipeline.quick import new_block, quickest
from pipeline.records import Block, Box, Extract, Join, Role, RuledTable, Span, Text
from pipeline.structure.paragraphs import Line, Paragraph, is_ornamented, items_of, styled
from pipeline.structure.spans import Marks, marks, spans
from pipeline.text import JOINING, Lexicon, cut, join, joint, retext, rich, spaced_letters, trim, with_rows

MARGIN = 30.0  # points from the text that a bar in the margin stands at most
CENTRED = 0.06  # of the column's width: how far off its middle a centred line may be
UNDER = 4.0  # points, twice the distance of the middles of two centred lines

_new_box, _new_span = quickest(Box), quickest(Span)  # there are some for every paragraph


BADGED = 2  # lines of a title that has a cost or a penalty beside it
FAR = 3.0  # times the type: wider than any space between words, also in a line that is spread out


class Builder:
    """Makes the blocks of one document and remembers how lines were joined."""

    def __init__(self, extract: Extract, lexicon: Lexicon, size: float, colour: str) -> None:
        self.joins: list[Join] = []
        self._lexicon = lexicon
        self._colour = colour
        self._split = [(a, b, f" {a} {b} ") for a, b in sorted(lexicon.split)]
        self._table_at = ""  # address of the table whose cells are being joined
        self._marks = {page.number: marks(page.shapes) if page.shapes else Marks() for page in extract.pages}

    def block(self, para: Paragraph, level: int) -> Block:
        if para.table is not None:
            return self._table(para, para.table)
        plain = self._is_plain(para.lines)
        joined = self._joined_plain(para.lines) if plain else self._joined(para.lines)
        text, breaks = joined
        if self._split or text.isupper():
            text, breaks = self._mended(text, breaks, para.lines[0].address)
        role = Role.HEADING if level else Role.ITEM if para.marker else Role.PARAGRAPH
        role = Role.NOTE if para.strip.mark else Role.LABEL if para.strip.stands else role
        marker = para.marker if role is Role.ITEM else ""
        if marker:
            text, breaks = _without(text, breaks, len(marker))
        if level and is_ornamented(text):
            text, breaks = _without(trim(cut(text, 0, len(text) - 1)), breaks, 1)
        first = para.lines[0]
        style = first.style
        indent = para.left - para.strip.x0
        bold = style.bold and (plain or all(line.style.bold for line in para.lines))
        italic = style.italic and (plain or all(line.style.italic for line in para.lines))
        colour = style.colour if plain else _commonest(para.lines)
        box = _box(para.lines if plain else [line for line in para.lines if line.page == first.page])
        region = para.strip.region if role is not Role.LABEL else 0
        bar = bool(self._marks[first.page].bars) and not para.strip.region and self._is_barred(para)
        return new_block(
            role=role, text=text, page=first.page, addresses=tuple([line.address for line in para.lines]),
            breaks=breaks, level=level or para.depth, marker=marker, size=style.size, bold=bold, italic=italic,
            colour=colour, centred=_centred(para), indent=round(indent, 1) if indent > 0 else 0.0, gap=para.gap,
            box=box, region=region, bar=bar, apart=para.strip.apart or role is Role.LABEL,
            fill=self._fill(first.page, box) if region else None,
            badge=_badge(first, text) if len(first.runs) > 1 and len(para.lines) <= BADGED else 0,
        )  # fmt: skip

    def _fill(self, page: int, box: Box) -> str | None:
        """The colour of a rectangle behind all its lines."""
        middle = (box.top + box.bottom) / 2
        behind = (fill for lit, fill in self._marks[page].highlights
                  if lit.top < middle < lit.bottom and lit.x0 <= box.x0 + 1 and lit.x1 >= box.x1 - 1)  # fmt: skip
        return next(behind, None)

    def _is_barred(self, para: Paragraph) -> bool:
        """Does a stroke run down beside all its lines on the first page, close to its column but outside its text?"""
        page, strip = para.lines[0].page, para.strip
        lines = [line for line in para.lines if line.page == page]
        left, right, start = strip.x0 - MARGIN, strip.x1 + MARGIN, max(strip.x0 + 1, para.left)
        return any(
            bar.top < lines[0].baseline and bar.bottom > lines[-1].baseline - lines[-1].size / 2
            and (left < bar.x1 <= start or right > bar.x0 >= strip.x1 - 1)
            for bar in self._marks[page].bars
        )  # fmt: skip

    def furniture(self, fragment: Fragment, page: int) -> Block:
        return new_block(
            role=Role.FURNITURE, text=rich(*spans(fragment, self._marks[page], self._colour)), page=page,
            addresses=(fragment.address,), size=fragment.size, box=_box([fragment]),
        )  # fmt: skip

    def _joined(self, lines: Sequence[Line]) -> tuple[Text, tuple[int, ...]]:
        """The lines as one text, and where each line after the first begins in it."""
        pieces: list[Span] = []
        length = 0
        breaks: list[int] = []
        for line in lines:
            more = spans(line, self._marks[line.page], self._colour)
            if pieces and more:
                length += self._join(pieces, more, line)
                breaks.append(length)
            pieces.extend(more)
            length += sum(len(span.text) for span in more)
        return rich(*pieces), tuple(breaks)

    def _is_plain(self, lines: Sequence[Line]) -> bool:
        """Is it all in one style, every line drawn in one go? Most paragraphs are."""
        style, page = lines[0].style, lines[0].page
        for line in lines:
            if not line.plain or line.style is not style or line.page != page:
                return False
        return not self._marks[page].any

    def _joined_plain(self, lines: Sequence[Line]) -> tuple[Text, tuple[int, ...]]:
        text = before = lines[0].text
        breaks: list[int] = []
        for line in lines[1:]:
            after = line.text
            if before[-1:] in JOINING:
                between, drop, how = joint(before, after, self._lexicon)
                text = (text[:-drop] if drop else text) + between
                breaks.append(len(text))
                if how:
                    self._record(before, after, drop, how, line)
            elif text:
                text += " "
                breaks.append(len(text))
            text += after
            before = after
        run = lines[0].runs[0]
        colour = None if run.colour == self._colour else run.colour
        span = _new_span(text, run.bold, run.italic, colour, None, False, False, None, run.link)
        return Text((span,) if text else ()), tuple(breaks)

    def _record(self, before: str, after: str, drop: int, how: str, line: Line) -> None:
        word = before.split(" ")[-1][: -drop or None] + after.split(" ", 1)[0]
        self.joins.append(Join(address=line.address or self._table_at, how=how, text=word))

    def _mended(self, text: Text, breaks: tuple[int, ...], address: str) -> tuple[Text, tuple[int, ...]]:
        """Stray spaces inside words taken out, where that is sure."""
        if text.isupper():
            whole = spaced_letters(text, self._lexicon.words)
            if whole:
                self.joins.append(Join(address=address, how="spaced-letters", text=whole))
                return rich(retext(text.spans[0], whole)), ()
        padded = f" {text} " if self._split else ""
        for a, b, needle in self._split:
            at = padded.find(needle)
            while at >= 0:
                gone = at + len(a)
                text = rich(cut(text, 0, gone), cut(text, gone + 1), level=text.level)
                breaks = tuple(place - 1 if place > gone else place for place in breaks)
                self.joins.append(Join(address=address, how="split-word", text=(a + b).rstrip(".,;:!?…)»”")))
                padded = f" {text} "
                at = padded.find(needle)
        return text, breaks

    def _join(self, pieces: list[Span], more: list[Span], line: Line) -> int:
        """Change the end of ``pieces`` as joining needs; how much longer it became."""
        before = "".join(span.text for span in pieces[-3:])
        after = "".join(span.text for span in more[:3])
        between, drop, how = joint(before, after, self._lexicon)
        if drop:
            pieces[-1] = retext(pieces[-1], pieces[-1].text[:-drop])
        if between:
            pieces[-1] = retext(pieces[-1], pieces[-1].text + between) if not pieces[-1].icon else pieces[-1]
            if pieces[-1].icon:
                pieces.append(Span(text=between))
        if how:
            self._record(before, after, drop, how, line)
        return len(between) - drop

    def _table(self, para: Paragraph, table: RuledTable) -> Block:
        self._table_at = para.lines[0].address
        rows = self._rows(para.lines, table)
        lines = list(para.lines)
        for more, part, headed in para.parts:
            rows = with_rows(rows, self._rows(more, part)[headed:])  # without the header that is printed again
            lines.extend(more)
        lines.extend(para.repeated)
        filled = [any(column) for column in zip(*rows, strict=True)]
        rows = tuple(tuple(compress(row, filled)) for row in rows)
        first = para.lines[0]
        return new_block(
            role=Role.TABLE, text=join((cell for row in rows for cell in row if cell), " "), page=first.page,
            addresses=tuple(line.address for line in lines), rows=rows, header_rows=1, size=first.style.size,
            colour=_commonest(para.lines), gap=para.gap, box=table.box, region=para.strip.region,
        )  # fmt: skip

    def _rows(self, lines: Sequence[Line], table: RuledTable) -> tuple[tuple[Text, ...], ...]:
        """The texts of the cells; every piece of text goes into exactly one of them."""
        inside: dict[int, list[Fragment]] = defaultdict(list)
        boxes = [cell for row in table.cells for cell in row if cell is not None]
        for line in lines:
            for piece in line.cells or [line]:
                home = min(boxes, key=lambda cell, piece=piece: _distance(piece, cell))  # type: ignore[misc]
                inside[id(home)].append(piece)
        page = lines[0].page
        rows = (tuple(self._cell(inside.get(id(cell), []), page) for cell in row) for row in table.cells)
        return tuple(row for row in rows if any(row))

    def _cell(self, inside: list[Fragment], page: int) -> Text:
        """The text of a cell; the items of a list in it are lines of their own."""
        lines = styled(into_lines(inside), page)
        starts = items_of(lines) if len(lines) > 1 else []
        if not starts:
            return self._text_of(lines)
        return join([self._text_of(lines[a:b]) for a, b in pairwise([0, *starts, len(lines)])], "\n")

    def _text_of(self, lines: list[Line]) -> Text:
        return (self._joined_plain(lines) if lines and self._is_plain(lines) else self._joined(lines))[0]


def _distance(piece: Fragment, cell: Box) -> float:
    """How far the middle of a piece is from a cell; 0 inside."""
    x, y = (piece.x0 + piece.x1) / 2, (piece.top + piece.bottom) / 2
    return max(cell.x0 - x, 0.0, x - cell.x1) + max(cell.top - y, 0.0, y - cell.bottom)


def _without(text: Text, breaks: tuple[int, ...], length: int) -> tuple[Text, tuple[int, ...]]:
    """The text after its list marker."""
    rest = trim(cut(text, length))
    lost = len(text) - len(rest)
    return rest, tuple(max(0, at - lost) for at in breaks)


def _commonest(lines: Sequence[Line]) -> str:
    colour = lines[0].style.colour
    if all(line.style.colour == colour for line in lines):
        return colour
    counts: Counter[str] = Counter()
    for line in lines:
        counts[line.style.colour] += len(line.text)
    return max(counts, key=lambda colour: (counts[colour], colour))


def _centred(para: Paragraph) -> bool:
    """Does every line stand in the middle of its column, white on both sides of the last one at least?"""
    strip, first = para.strip, para.lines[0]
    width = strip.x1 - strip.x0
    inset = strip.x0 + 0.05 * width
    if para.lines[-1].x0 <= inset:  # most
        return False
    page, middle, reach = first.page, strip.x0 + strip.x1, 2 * CENTRED * width
    if first.x0 <= inset:  # nearly as wide as the column: the others must stand right under its middle
        if abs(first.x0 + first.x1 - middle) >= reach:
            return False
        middle, reach = first.x0 + first.x1, UNDER
    return all(abs(line.x0 + line.x1 - middle) < reach for line in para.lines if line.page == page)


def _badge(line: Line, text: Text) -> int:
    """Where in the text the words begin that stand far off at the right of its first line."""
    for at in range(len(line.runs) - 1, 0, -1):
        if line.runs[at].x0 - line.runs[at - 1].x1 > FAR * line.size:
            words = "".join(run.text for run in line.runs[at:]).strip()
            start = text.rfind(words) if words else -1
            return max(0, start)
    return 0


def _box(fragments: Sequence[Fragment]) -> Box:
    first = fragments[0]
    x0, top, x1, bottom = first.x0, first.top, first.x1, first.bottom
    for other in fragments[1:]:
        x0 = other.x0 if other.x0 < x0 else x0
        top = other.top if other.top < top else top
        x1 = other.x1 if other.x1 > x1 else x1
        bottom = other.bottom if other.bottom > bottom else bottom
    return _new_box(x0, top, x1, bottom)
