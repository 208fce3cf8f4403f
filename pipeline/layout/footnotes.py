"""Footnotes: small type at the bottom of a page that begins with a mark, where the mark stands in the text above."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.layout.lines import Fragment, downwards
from pipeline.records import Run
from pipeline.text import DIGITS, RAISED

SMALL = 0.95  # times the body: type of notes
LOWER = 0.85  # times the type of its line: what is raised is smaller
MARK = 0.92  # the same of figures and signs alone
HIGHER = 0.15  # of the type size: how far above the baseline a mark stands at least
HIGHEST = 0.5  # and at most
PITCH = 1.7  # times the type size: lines of one note are no further apart
TAB = 4.0  # times the type size between a mark and its note

GOES_ON = "…"  # the mark of what goes on from the page before
_ENDS = re.compile(r"[.!?…][\"'”’»)\]]*$")
_SIGNS = "*†‡"
_RAISED_DIGITS = DIGITS.translate(RAISED)
_FIRST = f"{_SIGNS}{DIGITS}{_RAISED_DIGITS} (["
_SUPER = str.maketrans(_RAISED_DIGITS, DIGITS)
_MARKS = re.compile(rf"\d{{1,2}}|[{_SIGNS}]{{1,3}}")
_BEGINS = re.compile(rf"[(\[]?(\d{{1,2}}|[{_SIGNS}]{{1,3}})[.)\]]?(?=\s*[^\W\d_]|\s*[«“\"'‘(]|\Z)")
_WRITTEN = re.compile(rf"(?<=[\w.,;:!?)»”’])[{_SIGNS}]{{1,3}}(?!\w)|[{_RAISED_DIGITS}]+")  # with signs of their own


@dataclass(slots=True, eq=False)
class Note:
    """One footnote: its mark and its pieces."""

    mark: str
    pieces: list[Fragment]


def notes(pieces: Sequence[Fragment], body: float) -> list[Note]:
    """What may be footnotes on a page: each begins with a mark that the text has too."""
    large = SMALL * body
    small = [piece for piece in pieces if piece.size < large]
    marked = [piece for piece in small if piece.runs[0].text[:1] in _FIRST]
    if not marked:
        return []
    begun = {id(piece): match[1] for piece in marked if (match := _BEGINS.match(_plain(piece.text)))}
    marks = {mark for piece in pieces if piece.runs[1:] for mark in _raised(piece)} if begun else set()
    if [piece for piece in marked if piece.text[:1] not in DIGITS]:  # signs are not always raised
        rest = [piece.text for piece in pieces if id(piece) not in begun]
        marks.update(mark.translate(_SUPER) for text in rest for mark in _WRITTEN.findall(text))
    first = [piece for piece in marked if begun.get(id(piece)) in marks]
    ordered = sorted(small, key=downwards) if first else []
    starts = {id(piece) for piece in first}
    candidates = [Note(begun[id(piece)], _gathered(piece, ordered, starts)) for piece in first]
    return [note for note in candidates if len(note.pieces) > 1 or note.pieces[0].text.strip("()[].") != note.mark]


def _plain(text: str) -> str:
    return text.translate(_SUPER) if not text[:1].isascii() else text


def _raised(line: Fragment) -> list[str]:
    """The marks that are raised above the other words of a line."""
    smaller, higher = MARK * line.size, line.baseline - HIGHER * line.size
    runs = [run for run in line.runs[1:] if run.size < smaller and run.baseline < higher]
    return [mark for run in runs for mark in _MARKS.findall(run.text)]


def has_mark(line: Fragment, mark: str) -> bool:
    """Does a line of text have the mark of a footnote?"""
    return mark in _raised(line) or mark in (each.translate(_SUPER) for each in _WRITTEN.findall(line.text))


def is_raised(run: Run, line: Fragment) -> bool:
    """Smaller than its line, and above its baseline."""
    return run.size < LOWER * line.size and run.baseline < line.baseline - HIGHER * line.size


def _gathered(first: Fragment, ordered: Sequence[Fragment], starts: set[int]) -> list[Fragment]:
    """The pieces of one note, from its mark to the next note or to white."""
    gathered, left, right = [first], first.x0, first.x1
    alone = _MARKS.fullmatch(_plain(first.text)) is not None  # a raised mark, set far from its note
    for piece in ordered:
        below = piece.baseline - gathered[-1].baseline
        level = HIGHEST * piece.size if alone else 1.0
        beside = abs(piece.baseline - first.baseline) < level and -1 < piece.x0 - right < TAB * piece.size
        if piece is first or below < -1 or not (beside or (piece.x0 < right and piece.x1 > left)):
            continue
        apart = abs(piece.size - gathered[-1].size) > 0.1 * piece.size and not (alone and gathered[-1] is first)
        if id(piece) in starts or below > PITCH * piece.size or apart:
            break
        gathered.append(piece)
        right = max(right, piece.x1)
    return gathered


def at_bottom(notes_here: Sequence[Note], pieces: Sequence[Fragment], body: float) -> list[Note]:
    """Those under which nothing stands but notes, each with the further paragraphs that it has, in small type too;
    ``pieces`` are those of the page without its furniture."""
    taken = {id(piece) for note in notes_here for piece in note.pieces}
    rest = [piece for piece in pieces if id(piece) not in taken]
    lowest = []
    for note in sorted(notes_here, key=lambda note: downwards(note.pieces[0])):
        under = [piece for piece in rest if _is_under(piece, note)]
        if all(piece.size < SMALL * body for piece in under):
            lowest.append(note)
    ends = [*(note.pieces[0].baseline for note in lowest[1:]), float("inf")]
    for note, end in zip(lowest, ends, strict=False):
        note.pieces += [piece for piece in rest if _is_under(piece, note) and piece.baseline < end]
    return lowest


def go_on(before: Sequence[Note], pieces: Sequence[Fragment], body: float) -> list[Note]:
    """What the last footnote of the page before goes on with: the small type at the foot of this one, white above it,
    where the note ends within a sentence."""
    if not before or _ENDS.search(max(before[-1].pieces, key=downwards).text):
        return []
    down = sorted(pieces, key=downwards)
    large = max([at for at, piece in enumerate(down) if piece.size >= SMALL * body], default=-1)
    foot = down[large + 1 :]
    if not foot or large < 0 or foot[0].baseline - down[large].baseline < PITCH * foot[0].size:
        return []
    return [Note(GOES_ON, foot)]


def _is_under(piece: Fragment, note: Note) -> bool:
    x0, x1 = min(each.x0 for each in note.pieces), max(each.x1 for each in note.pieces)
    return piece.baseline > note.pieces[0].baseline and piece.x0 < x1 and piece.x1 > x0


__all__ = ["GOES_ON", "Note", "at_bottom", "go_on", "has_mark", "is_raised", "notes"]
