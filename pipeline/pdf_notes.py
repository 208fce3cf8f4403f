"""Errata pinned to the reader's own PDF: a highlight on each passage, a note, a mark in the margin, a bookmark.

The pages are not set again. Where a passage stands is found by its letters among the runs on its page, so that it needs
nothing but what extract gives. Done in a guarded child.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import pdf_objects
from pipeline.errors import SourceError
from pipeline.records import Box, Extract, Page, Run
from pipeline.text import fold

if TYPE_CHECKING:
    from pipeline.extract.characters import Characters

BASELINE = 0.35  # of the type size: runs whose baselines are nearer stand in one line
GAP = 0.8  # of the type size: a wider space may part two columns
SURE = 3  # letters of a passage at the end of the line it begins in; the lines below tell whether it does
COVERED = 0.6  # of a passage: with less of it found, its page alone is marked
EDGE = 14.0  # points: lines of one column begin so near each other, with an indent or the mark of a list
ROW = 4.0  # points: the cells of a row stand on lines so near each other
STROKE = 2.0  # points: a thinner rectangle is a line ...
THROUGH = (0.12, 0.5)  # of the type size over the baseline: ... through letters, as structure/spans takes it
BAR = 3.5  # points between the edge of the page and the bar in the margin
COLOURS = {"A": (1.0, 0.83, 0.30), "B": (1.0, 0.70, 0.45), "C": (0.80, 0.80, 0.84), "=": (0.72, 0.88, 0.70)}
RED, WHITE = (0.65, 0.098, 0.18), (1.0, 1.0, 1.0)
NOTE, LEAST = 15.0, 8.0  # points: the picture of a note; where the margin is narrow
AUTHOR = "Rubricator"
Letter = tuple[str, Box]  # a character of a page, where it stands
_LETTERS = re.compile(r"[^\W_]")
_ICON = re.compile(r"\[[^\]]*\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A printed line of one column: its letters, each with its place."""

    page: int
    letters: str
    edges: tuple[tuple[float, float], ...]  # of each letter, from left to right
    top: float
    bottom: float
    size: float
    measured: bool = False  # else the edges are reckoned from where its runs begin and end


Measure = Callable[[Segment], Segment]  # a line with the edges that its letters have on the page


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a passage stands: a box a line."""

    page: int
    box: Box


# ---------------------------------------------------------------- finding


def _as_reckoned(segment: Segment) -> Segment:
    return segment


def segments(page: Page, measure: Measure = _as_reckoned) -> list[Segment]:
    """The lines of a page, cut at columns, from top to bottom, without what is struck out: nobody reads it."""
    strokes = [shape.box for shape in page.shapes if 0 <= shape.box.bottom - shape.box.top < STROKE]
    runs = sorted((run for run in page.runs if run.text.strip() and not run.icon and run.angle == 0),
                  key=lambda run: (round(run.baseline, 1), run.x0))  # fmt: skip
    lines: list[list[Run]] = []
    for run in runs:
        line = next((each for each in reversed(lines[-12:]) if _goes_on(each[-1], run)), None)
        if line is None:
            lines.append([run])
        else:
            line.append(run)
    read = [(segment, line[0].baseline) for line in lines if (segment := _segment(page.number, line)).letters]
    whole = [_unstruck(segment, baseline, strokes, measure) for segment, baseline in read]
    return [each for each in whole if each.letters]


def _unstruck(segment: Segment, baseline: float, strokes: Sequence[Box], measure: Measure) -> Segment:
    """A line without the letters that a stroke goes through."""
    high, low = (baseline - share * segment.size for share in reversed(THROUGH))
    left, right = segment.edges[0][0], segment.edges[-1][1]
    through = [box for box in strokes if high < box.top < low and box.x0 < right and left < box.x1]
    if not through:
        return segment
    line = measure(segment)
    kept = [at for at, (x0, x1) in enumerate(line.edges)
            if not any(box.x0 <= (x0 + x1) / 2 <= box.x1 for box in through)]  # fmt: skip
    return replace(line, letters="".join(line.letters[at] for at in kept), edges=tuple(line.edges[at] for at in kept))


def measured_on(page: Characters, segment: Segment) -> Segment:
    """A line of a page as its letters stand there. They are looked for in the text of the page, which nearly always
    has a line in one piece; else among all that is on the page."""
    if segment.measured:
        return segment
    plain, places = _plain_text(page.text)
    at = plain.find(segment.letters)
    while at >= 0:
        first, last = places[at], places[at + len(segment.letters) - 1]
        if any(_stands_in(letter, segment) for letter in page.letters(first, first + 1)):
            exact = _exact(segment, page.letters(first, last + 1))
            if exact.measured:
                return exact
        at = plain.find(segment.letters, at + 1)
    return _exact(segment, page.letters(0, len(page.text)))


@lru_cache(maxsize=4)
def _plain_text(text: str) -> tuple[str, Sequence[int]]:
    """What is compared of a text, and where in it each of these letters stands."""
    plain = [(letter, at) for at, char in enumerate(text) for letter in _plain(char)]
    return "".join(letter for letter, _ in plain), [at for _, at in plain]


def _stands_in(letter: Letter, segment: Segment) -> bool:
    middle = (letter[1].top + letter[1].bottom) / 2
    left, right = segment.edges[0][0] - segment.size, segment.edges[-1][1] + segment.size
    return segment.top <= middle <= segment.bottom and left <= letter[1].x0 <= right


def _exact(segment: Segment, letters: Iterable[Letter]) -> Segment:
    """A line with the measured edges of its letters, where they are those that were read."""
    here = sorted((each for each in letters if _stands_in(each, segment)), key=lambda each: each[1].x0)
    plain = [(letter, box) for char, box in here for letter in _plain(char)]
    at = "".join(letter for letter, _ in plain).find(segment.letters)
    if at < 0:
        return segment
    edges = tuple((box.x0, box.x1) for _, box in plain[at : at + len(segment.letters)])
    return replace(segment, edges=edges, measured=True)


def _goes_on(last: Run, run: Run) -> bool:
    size = max(last.size, run.size)
    return abs(last.baseline - run.baseline) < BASELINE * size and -size < run.x0 - last.x1 < GAP * size


def _segment(page: int, line: Sequence[Run]) -> Segment:
    letters: list[str] = []
    edges: list[tuple[float, float]] = []
    for run in line:
        wide = (run.x1 - run.x0) / sum(map(_weight, run.text))
        x = run.x0
        for char in run.text:
            end = x + wide * _weight(char)
            for plain in _plain(char):
                letters.append(plain)
                edges.append((x, end))
            x = end
    return Segment(page=page, letters="".join(letters), edges=tuple(edges), top=min(run.top for run in line),
                   bottom=max(run.bottom for run in line), size=max(run.size for run in line))  # fmt: skip


@lru_cache(maxsize=1 << 12)
def _plain(char: str) -> str:
    """What is compared of a character; a page has thousands, and few of them are different."""
    return "".join(_LETTERS.findall(fold(char)))


@lru_cache(maxsize=1 << 12)
def _weight(char: str) -> float:
    """How wide a letter is, roughly: a run tells only where it begins and ends."""
    if char in "iljftrI.,;:!'’()[]| ":
        return 0.55
    return 1.5 if char in "mwMW—" else 1.25 if char.isupper() else 1.0


def letters(text: str) -> str:
    """The letters and digits of a text, as they are compared."""
    return "".join(_LETTERS.findall(fold(_ICON.sub(" ", text))))


def spots(
    text: str, start: int, end: int, lines: Sequence[Segment], *, row: bool = False, measure: Measure = _as_reckoned
) -> list[Spot]:  # fmt: skip
    """The boxes of ``text[start:end]`` where the whole text stands among the lines; nothing where it is not found.

    ``row``: it is the row of a table, and stands on one line.
    """
    wanted = letters(text)
    first, last = len(letters(text[:start])), len(letters(text[:end]))
    best: list[tuple[Segment, int, int]] = []
    for chain in _chains(wanted, lines, row):
        if _length(chain) > _length(best):
            best = chain
    if not best or _length(best) < COVERED * len(wanted):
        return []
    boxes: list[Spot] = []
    at = 0
    for segment, begin, count in best:
        low, high = max(first, at) - at, min(last, at + count) - at
        if low < high:
            boxes += _boxes(measure(segment), begin + low, begin + high)
        at += count
    return boxes


def _boxes(segment: Segment, low: int, high: int) -> Iterator[Spot]:
    """The box of some letters of a line; several, where words between them were struck out."""
    edges = segment.edges[low:high]
    gaps = [at for at, (one, other) in enumerate(pairwise(edges), 1) if other[0] - one[1] > GAP * segment.size]
    for first, last in pairwise([0, *gaps, len(edges)]):
        box = Box(x0=edges[first][0], top=segment.top, x1=edges[last - 1][1], bottom=segment.bottom)
        yield Spot(page=segment.page, box=box)


def _length(chain: Sequence[tuple[Segment, int, int]]) -> int:
    return sum(count for _, _, count in chain)


def _chains(wanted: str, lines: Sequence[Segment], row: bool) -> Iterable[list[tuple[Segment, int, int]]]:
    """Lines that say the text one after the other; the first may begin, and the last end, with other words."""
    for number, line in enumerate(lines):
        begin = _begins(wanted, line.letters)
        if begin is None:
            continue
        chain = [(line, begin, min(len(wanted), len(line.letters) - begin))]
        used = {number}
        while (done := _length(chain)) < len(wanted):
            following = _next(wanted[done:], chain[-1][0], lines, used, row)
            if following is None:
                break
            used.add(following)
            chain.append((lines[following], 0, min(len(wanted) - done, len(lines[following].letters))))
        yield chain


def _begins(wanted: str, line: str) -> int | None:
    """Where in a line the text begins: it may go on in the next line. None: nowhere."""
    at = line.find(wanted)
    if at >= 0:
        return at
    for begin in range(len(line)):
        rest = line[begin:]
        if wanted.startswith(rest):
            return begin if len(rest) >= min(SURE, len(wanted)) or begin == 0 else None
    return None


def _next(rest: str, before: Segment, lines: Sequence[Segment], used: set[int], row: bool) -> int | None:
    """The nearest line that goes on: below the one before, else at the head of another column or page."""
    fits = [
        n for n, line in enumerate(lines)
        if n not in used and (rest.startswith(line.letters) or line.letters.startswith(rest))
        and (not row or (line.page == before.page and abs(line.bottom - before.bottom) < ROW))
    ]  # fmt: skip
    return min(fits, key=lambda n: _distance(before, lines[n]), default=None)


def _distance(one: Segment, other: Segment) -> tuple[int, float]:
    """How far a line is from the one before: in the same line, below it, at the head of a column, on another page."""
    between = other.edges[0][0] - one.edges[-1][1]
    if one.page == other.page and abs(other.bottom - one.bottom) < 1 and 0 <= between < 3 * one.size:
        return 0, 0.0
    if one.page == other.page and other.top > one.top - 1 and _overlap(one, other):
        return 0, other.top - one.top
    return (1, abs(other.top)) if one.page == other.page else (2, (other.page - one.page) * 1e4 + other.top)


def _overlap(one: Segment, other: Segment) -> bool:
    return one.edges[0][0] < other.edges[-1][1] and other.edges[0][0] < one.edges[-1][1]


# ---------------------------------------------------------------- asked for in a guarded child


def measured(path: str, passages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The width of the column that each passage stands in, and its type size, in points; 0 where it is not found."""
    from pipeline.extract import extract

    drawn = extract(Path(path))
    return [_measure(drawn, each) for each in passages]


def _measure(drawn: Extract, passage: dict[str, Any]) -> dict[str, Any]:
    lines = [line for page in _pages(drawn, passage["pages"]) for line in segments(page)]
    boxes = [spot.box for spot in spots(passage["text"], 0, len(passage["text"]), lines, row=passage["row"])]
    if not boxes:
        return {"width": 0.0, "size": 0.0}
    left = min(box.x0 for box in boxes)
    lines_of = [line for line in lines if any(line.top == box.top and line.edges[0][0] - 1 <= box.x0 for box in boxes)]
    sizes = sorted(line.size for line in lines_of) or [0.0]
    size = sizes[len(sizes) // 2]
    beside = sorted(line.edges[-1][1] - left for line in lines
                    if abs(line.edges[0][0] - left) < EDGE and abs(line.size - size) < 0.6)  # fmt: skip
    own = max(box.x1 for box in boxes if abs(box.x0 - left) < EDGE) - left
    full = beside[len(beside) * 3 // 4] if beside else own
    return {"width": round(max(own, full), 1), "size": round(size, 1)}


def _pages(drawn: Extract, numbers: Sequence[int]) -> list[Page]:
    return [page for page in drawn.pages if page.number in numbers]


def pinned(path: str, notes: list[dict[str, Any]], heading: str) -> bytes:
    """The PDF with all notes on it. A note has ``pages``, ``passages``, ``sign``, ``title`` and ``text``.

    A passage may say in ``or`` by which other texts it is looked for; a note may be not ``listed`` as a bookmark.
    """
    from pipeline.extract import some_pages
    from pipeline.extract.characters import Characters
    from pipeline.extract.opened import opened as open_to_read

    pages = some_pages(Path(path), {number for note in notes for number in note["pages"] or [1]})
    try:
        with pdf_objects.opened(path) as pdf, open_to_read(path) as shown, ExitStack() as looked_at:
            characters = cache(lambda number: looked_at.enter_context(Characters(shown, number)))
            return _written(pdf, pages, notes, heading, lambda line: measured_on(characters(line.page), line))
    except pdf_objects.DamagedPdfError as error:
        raise SourceError("is damaged, and cannot be written on", hint="download it again") from error


def _written(pdf: Any, pages: dict[int, Page], notes: list[dict[str, Any]], heading: str, measure: Measure) -> bytes:
    marks = []
    taken: dict[tuple[int, bool], list[float]] = {}  # where notes lie already, down the margins of each page
    measure = cache(measure)
    lines = cache(lambda number: segments(pages[number], measure) if number in pages else [])
    for note in notes:
        spots_of = _find([line for number in note["pages"] for line in lines(number)], note, measure)
        sheet = spots_of[0].page if spots_of else (note["pages"] or [1])[0]
        if sheet > len(pdf.pages):
            continue
        for number in dict.fromkeys([spot.page for spot in spots_of] or [sheet]):
            here = [spot.box for spot in spots_of if spot.page == number]
            _annotate(pdf, number, pages.get(number), here, note, taken)
        if note.get("listed", True):
            marks.append((note, sheet, spots_of))
    _bookmark(pdf, heading, marks)
    return pdf_objects.saved(pdf)


def _find(lines: Sequence[Segment], note: dict[str, Any], measure: Measure = _as_reckoned) -> list[Spot]:
    all_spots: list[Spot] = []
    for each in note["passages"]:
        for one in (each, *each.get("or", ())):
            if one.get("alone") and sum(line.letters.count(letters(one["text"])) for line in lines) > 1:
                continue  # the words alone do not say which of them are meant
            if these := spots(one["text"], one["start"], one["end"], lines, row=one["row"], measure=measure):
                all_spots += these
                break
    return all_spots


# ---------------------------------------------------------------- writing


def _annotate(
    pdf: Any, number: int, page: Page | None, boxes: list[Box], note: dict[str, Any],
    taken: dict[tuple[int, bool], list[float]],
) -> None:  # fmt: skip
    """The highlight, the bar beside it, and the note; one that would lie on another goes below it."""
    target = pdf.pages[number - 1]
    place = _Place(target)
    annotations = target.obj.get("/Annots")
    before = list(annotations) if annotations is not None else []
    wide = page.width if page else 400.0
    left = not boxes or (boxes[0].x0 + boxes[0].x1) / 2 < wide / 2
    bar_top = boxes[0].top if boxes else 24.0
    bar_bottom = max((box.bottom for box in boxes), default=24.0 + NOTE)
    size = min(NOTE, max(LEAST, _margin(page, left) - BAR - 3))
    x = BAR if left else wide - BAR
    added = [_highlight(pdf, target, place, boxes, note)] if boxes and not note["again"] else []
    added.append(_bar(pdf, target, place, Box(x0=x - 1, top=bar_top, x1=x + 1, bottom=bar_bottom), note))
    top = bar_top - size * 0.2
    beside = taken.setdefault((number, left), [])
    while any(abs(top - other) < size for other in beside):
        top += size
    beside.append(top)
    x = BAR + 2 if left else wide - BAR - 2 - size
    added.append(_sticker(pdf, target, place, Box(x0=x, top=top, x1=x + size, bottom=top + size), note))
    target.obj["/Annots"] = pdf.make_indirect(pdf_objects.array([*before, *added]))


def _margin(page: Page | None, left: bool) -> float:
    """The white beside the text of a page."""
    edges = sorted(run.x0 if left else run.x1 for run in page.runs if run.text.strip()) if page else []
    if not page or not edges:
        return 2 * NOTE
    few = len(edges) // 20  # a page number or a tab may stand in the margin
    return edges[few] if left else page.width - edges[-1 - few]


class _Place:
    """From points as the page is shown to the page's own: it may be cropped and turned."""

    def __init__(self, target: Any) -> None:
        box = [float(each) for each in target.cropbox]
        self.x0, self.y0 = min(box[0], box[2]), min(box[1], box[3])
        self.x1, self.y1 = max(box[0], box[2]), max(box[1], box[3])
        node = target.obj
        while "/Rotate" not in node and "/Parent" in node:
            node = node.Parent
        self.turn = int(node.get("/Rotate", 0)) % 360

    def point(self, x: float, y: float) -> tuple[float, float]:
        if self.turn == 90:
            return self.x0 + y, self.y0 + x
        if self.turn == 180:
            return self.x1 - x, self.y0 + y
        if self.turn == 270:
            return self.x1 - y, self.y1 - x
        return self.x0 + x, self.y1 - y

    def rect(self, box: Box) -> tuple[float, float, float, float]:
        (ax, ay), (bx, by) = self.point(box.x0, box.top), self.point(box.x1, box.bottom)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def quad(self, box: Box) -> list[float]:
        corners = ((box.x0, box.top), (box.x1, box.top), (box.x0, box.bottom), (box.x1, box.bottom))
        return [round(value, 2) for corner in corners for value in self.point(*corner)]


def _base(
    pdf: Any, target: Any, kind: str, rect: Sequence[float], note: dict[str, Any], colour: Sequence[float]
) -> Any:
    return pdf_objects.dictionary(
        Type=pdf_objects.name("/Annot"), Subtype=pdf_objects.name(kind), Rect=_numbers(rect), P=target.obj, F=4,
        C=_numbers(colour), T=pdf_objects.string(AUTHOR), Subj=pdf_objects.string(note["title"]),
        Contents=pdf_objects.string(f"{note['title']}\n{note['text']}"),
    )  # fmt: skip


def _numbers(values: Iterable[float]) -> Any:
    return pdf_objects.array([round(float(value), 3) for value in values])


def _drawn(pdf: Any, rect: Sequence[float], content: str, *, multiply: bool = False) -> Any:
    """How an annotation looks, so that every reader shows it alike."""
    form = pdf.make_stream(content.encode())
    form.Type, form.Subtype = pdf_objects.name("/XObject"), pdf_objects.name("/Form")
    form.BBox = _numbers(rect)
    form.Resources = pdf_objects.dictionary()
    if multiply:
        form.Group = pdf_objects.dictionary(S=pdf_objects.name("/Transparency"))
        form.Resources = pdf_objects.dictionary(
            ExtGState=pdf_objects.dictionary(M=pdf_objects.dictionary(BM=pdf_objects.name("/Multiply")))
        )
    return pdf_objects.dictionary(N=form)


def _highlight(pdf: Any, target: Any, place: _Place, boxes: list[Box], note: dict[str, Any]) -> Any:
    rects = [place.rect(box) for box in boxes]
    whole = (min(r[0] for r in rects), min(r[1] for r in rects), max(r[2] for r in rects), max(r[3] for r in rects))
    colour = COLOURS[note["sign"]]
    annotation = _base(pdf, target, "/Highlight", whole, note, colour)
    annotation["/QuadPoints"] = _numbers(value for box in boxes for value in place.quad(box))
    boxed = " ".join(f"{a:.2f} {b:.2f} {c - a:.2f} {d - b:.2f} re" for a, b, c, d in rects)
    annotation["/AP"] = _drawn(pdf, whole, f"/M gs {_rgb(colour)} rg {boxed} f", multiply=True)
    return pdf.make_indirect(annotation)


def _bar(pdf: Any, target: Any, place: _Place, box: Box, note: dict[str, Any]) -> Any:
    """A bar in the margin beside the passage."""
    rect = place.rect(box)
    annotation = _base(pdf, target, "/Square", rect, note, RED)
    annotation["/IC"] = _numbers(RED)
    a, b, c, d = rect
    annotation["/AP"] = _drawn(pdf, rect, f"{_rgb(RED)} rg {a:.2f} {b:.2f} {c - a:.2f} {d - b:.2f} re f")
    return pdf.make_indirect(annotation)


def _sticker(pdf: Any, target: Any, place: _Place, box: Box, note: dict[str, Any]) -> Any:
    """A note that opens: a small leaf with lines on it, red; empty where nothing was applied."""
    rect = place.rect(box)
    annotation = _base(pdf, target, "/Text", rect, note, RED)
    annotation["/Name"], annotation["/Open"] = pdf_objects.name("/Comment"), False
    a, b = rect[0], rect[1]
    wide, high = rect[2] - a, rect[3] - b
    leaf = f"{a + wide * 0.12:.2f} {b + high * 0.1:.2f} {wide * 0.76:.2f} {high * 0.8:.2f} re"
    first, last = a + wide * 0.28, a + wide * 0.72
    heights = [b + high * share for share in (0.68, 0.5, 0.32)]
    rules = " ".join(f"{first:.2f} {y:.2f} m {last:.2f} {y:.2f} l S" for y in heights)
    filled = note["sign"] != "C"
    inside, ink = (RED, WHITE) if filled else (WHITE, RED)
    look = f"{_rgb(inside)} rg {_rgb(RED)} RG 0.8 w {leaf} B {_rgb(ink)} RG 1 w {rules}"
    annotation["/AP"] = _drawn(pdf, rect, look)
    return pdf.make_indirect(annotation)


def _rgb(colour: Sequence[float]) -> str:
    return " ".join(f"{part:.3f}" for part in colour)


def _bookmark(pdf: Any, heading: str, marks: Sequence[tuple[dict[str, Any], int, list[Spot]]]) -> None:
    """A list of all errata behind the bookmarks that are there; those are not touched."""
    root = pdf.Root
    if "/Outlines" not in root or not pdf_objects.is_dictionary(root.Outlines):
        root.Outlines = pdf.make_indirect(pdf_objects.dictionary(Type=pdf_objects.name("/Outlines")))
    top = pdf.make_indirect(pdf_objects.dictionary(Title=pdf_objects.string(heading), Parent=root.Outlines))
    items = [_item(pdf, top, mark) for mark in marks]
    _chain(items)
    if items:
        top.First, top.Last, top.Count = items[0], items[-1], len(items)
        top.Dest = items[0].Dest
    last = root.Outlines.get("/Last")
    if last is not None:
        last.Next, top.Prev = top, last
    else:
        root.Outlines.First = top
    root.Outlines.Last = top
    root.Outlines.Count = max(0, int(root.Outlines.get("/Count", 0))) + 1 + len(items)


def _item(pdf: Any, top: Any, mark: tuple[dict[str, Any], int, list[Spot]]) -> Any:
    note, sheet, spots_of = mark
    page = pdf.pages[sheet - 1]
    y = _Place(page).point(0, max(0.0, spots_of[0].box.top - 20) if spots_of else 0)[1]
    dest = pdf_objects.array([page.obj, pdf_objects.name("/XYZ"), None, round(y, 1), None])
    return pdf.make_indirect(pdf_objects.dictionary(Title=pdf_objects.string(note["title"]), Parent=top, Dest=dest))


def _chain(items: Sequence[Any]) -> None:
    for one, other in pairwise(items):
        one.Next, other.Prev = other, one
