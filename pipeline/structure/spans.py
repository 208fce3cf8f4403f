"""Runs of one line -> spans in style, with what is drawn over and under them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from pipeline.layout.footnotes import is_raised
from pipeline.layout.lines import Fragment, gap_is_space
from pipeline.quick import new_span
from pipeline.records import Box, Run, Shape, Span
from pipeline.text import RAISED, retext

THIN = 2.5  # points; higher rectangles are no strokes
BAR = 4.0  # points; a wider rectangle is no stroke that runs down
MARKS_MAX = 1_500  # on one page; more are a drawing
COVER = 0.6  # share of a word that a stroke must cover to count
HIGHLIGHT = 2.2  # times the type size: a higher rectangle is a box, not a highlight
STICK_OUT = 4.0  # points by which a highlight may stick out of its line; more is a bar or a cell


@dataclass(frozen=True, slots=True)
class Marks:
    """Strokes and coloured rectangles of a page that may belong to words."""

    strokes: tuple[Box, ...] = ()
    bars: tuple[Box, ...] = ()  # that run down
    highlights: tuple[tuple[Box, str], ...] = ()
    any: bool = False


def marks(shapes: Sequence[Shape]) -> Marks:
    strokes, bars, highlights = [], [], []
    for shape in shapes:
        high = shape.box.bottom - shape.box.top
        if high <= THIN:
            strokes.append(shape.box)
        elif shape.box.x1 - shape.box.x0 <= BAR:
            bars.append(shape.box)
        elif shape.fill and shape.fill not in ("#ffffff", "#000000") and high < 60:
            highlights.append((shape.box, shape.fill))
    if len(strokes) + len(bars) + len(highlights) > MARKS_MAX:
        return Marks()
    return Marks(tuple(strokes), tuple(bars), tuple(highlights), bool(strokes or highlights))


def spans(line: Fragment, page_marks: Marks, body_colour: str) -> list[Span]:
    """The spans of a line, spaces between runs put in."""
    strokes = [s for s in page_marks.strokes if line.top - 2 < s.top < line.bottom + 4 and _hugs(s, line)]
    level = line.baseline - 0.2 * line.size
    lights = [h for h in page_marks.highlights if h[0].top < level < h[0].bottom and _lights(h[0], line)]
    line_spans: list[Span] = []
    words: list[str] = []  # more of the last span, from runs that are set like it
    before: Run | None = None
    for run in line.runs:
        if run.size < line.size and run.text.strip().isdecimal() and is_raised(run, line):
            run = replace(run, text=run.text.translate(RAISED))  # "2026¹" is a year and a mark, not "20261"
        apart = before is not None and gap_is_space(before, run)
        if before is not None and run.icon is None and not strokes and not lights and _LOOK(run) == _LOOK(before):
            words.append(" " + run.text.strip() if apart else run.text.strip())
            before = run
            continue
        if words:
            line_spans[-1], words = _with_words(line_spans[-1], words), []
        pieces = _marked(run, strokes, lights, body_colour) if strokes or lights else [_span(run, body_colour)]
        if apart and not line_spans[-1].text.endswith(" "):
            line_spans[-1] = _spaced(line_spans[-1], line_spans, pieces[0])
        line_spans.extend(pieces)
        before = run
    if words:
        line_spans[-1] = _with_words(line_spans[-1], words)
    return _squeezed(line_spans)


_LOOK = attrgetter("bold", "italic", "colour", "icon", "link")


def _with_words(span: Span, words: list[str]) -> Span:
    return retext(span, " ".join((span.text + "".join(words)).split()))


def _spaced(last: Span, line_spans: list[Span], following: Span) -> Span:
    """A space after a span; after an icon it is a span of its own."""
    if last.icon is None:
        return retext(last, last.text + " ")
    line_spans.append(replace(following, text="", icon=None))
    line_spans[-1], line_spans[-2] = replace(line_spans[-1], text=" "), last
    return line_spans[-1]


def _span(run: Run, body_colour: str) -> Span:
    return new_span(
        text=run.text if run.icon else " ".join(run.text.split()), bold=run.bold, italic=run.italic,
        colour=None if run.colour == body_colour else run.colour, icon=run.icon, link=run.link,
    )  # fmt: skip


def _squeezed(line_spans: list[Span]) -> list[Span]:
    """No empty span, no space at either end, none doubled."""
    squeezed: list[Span] = []
    for span in line_spans:
        text = span.text
        if text[:1] == " " and (not squeezed or squeezed[-1].text[-1] == " "):
            text = text.lstrip()
        if text:
            squeezed.append(span if text is span.text else retext(span, text))
    while squeezed and not squeezed[-1].text.rstrip():
        squeezed.pop()
    if squeezed and squeezed[-1].text[-1] == " ":
        squeezed[-1] = retext(squeezed[-1], squeezed[-1].text.rstrip())
    return squeezed


def _lights(box: Box, line: Fragment) -> bool:
    """Is a rectangle at the height of a line no larger than words of it are?"""
    return box.bottom - box.top < HIGHLIGHT * line.size and _hugs(box, line)


def _hugs(box: Box, line: Fragment) -> bool:
    """Over or under words of this line, and hardly wider than it is; a rule over a column is none of its words'."""
    return box.x0 < line.x1 and box.x1 > line.x0 and box.x0 > line.x0 - STICK_OUT and box.x1 < line.x1 + STICK_OUT


def _marked(run: Run, strokes: list[Box], lights: list[tuple[Box, str]], body_colour: str) -> list[Span]:
    """A run cut where a stroke or highlight begins or ends, word by word."""
    plain = _span(run, body_colour)
    if run.icon or not plain.text:
        return [plain]
    step = (run.x1 - run.x0) / len(plain.text)
    cut_spans: list[Span] = []
    at = 0
    for word in plain.text.split(" "):
        x0, x1 = run.x0 + at * step, run.x0 + (at + len(word)) * step
        under = any(
            _along(s, x0, x1) and run.baseline - 0.05 * run.size < s.top < run.baseline + 0.35 * run.size
            for s in strokes
        )
        struck = any(
            _along(s, x0, x1) and run.baseline - 0.5 * run.size < s.top < run.baseline - 0.12 * run.size
            for s in strokes
        )
        light = next((fill for box, fill in lights if _along(box, x0, x1)), None)
        piece = replace(plain, text=word, underlined=under, struck=struck, highlight=light)
        if cut_spans and replace(cut_spans[-1], text="") == replace(piece, text=""):
            cut_spans[-1] = replace(piece, text=f"{cut_spans[-1].text} {word}")
        else:
            if cut_spans:
                cut_spans[-1] = replace(cut_spans[-1], text=cut_spans[-1].text + " ")
            cut_spans.append(piece)
        at += len(word) + 1
    return cut_spans


def _along(box: Box, x0: float, x1: float) -> bool:
    return min(box.x1, x1) - max(box.x0, x0) > COVER * (x1 - x0)
