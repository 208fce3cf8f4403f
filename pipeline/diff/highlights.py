"""Changes -> notes for the publisher's own PDF: changed words to highlight, and what they were (see pdf_notes.py).

The notes are for the newer release; with ``older`` for the one before, where what went is highlighted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.diff import both, entry_text, redline
from pipeline.diff.announcements import announced
from pipeline.diff.change_sheet import name_of, short
from pipeline.diff.rule_paths import head
from pipeline.records import AnyEntry, Changes, Difference, Fate

AROUND = 60  # letters on each side of changed words by which their place is found
ENOUGH = 24  # letters of a paragraph that stand nowhere else near
TITLE = 80  # letters of a bookmark
QUOTED = 1200  # letters of an older text in a note
SIGNS = {Fate.CHANGED: "A", Fate.ADDED: "=", Fate.REMOVED: "B", Fate.MOVED: "C"}  # of pin's colours

Note = dict[str, Any]
Pages = Callable[[AnyEntry], Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Edited:
    """A paragraph with words that only this release has, and the same in the other release."""

    runs: tuple[tuple[int, int], ...]  # of the words, in all of the text around
    gaps: tuple[int, ...]  # where words of the other release stood
    other: str
    start: int
    end: int


def pins(changes: Changes, labels: dict[str, Any], pages_of: Pages, *, older: bool = False) -> list[Note]:
    """A note for each paragraph that changed; the first of each change has a bookmark."""
    announcements = announced(changes)
    notes: list[Note] = []
    for difference in sorted(changes.changes, key=lambda each: each.place):
        if difference.about_document:
            continue
        own = list(_notes(difference, changes, labels, pages_of, older=older))
        lines = [f"{labels['announced']} {line}" for line in announcements.of(difference)] if not older else []
        for number, note in enumerate(own):
            text = "\n".join([*(lines if number == 0 else []), note["text"]])
            notes.append({**note, "text": text, "title": _title(difference), "listed": number == 0})
    return sorted(notes, key=lambda note: note["pages"][:1])


def _title(difference: Difference) -> str:
    entry = difference.new or difference.old
    assert entry is not None
    under = head(entry)
    name = " ".join(part for part in (under.number, under.title) if part) if under.number or under.own else ""
    return short(f"{_SIGN[difference.change]} {name or name_of(entry)}", TITLE)


_SIGN = {Fate.CHANGED: "±", Fate.ADDED: "+", Fate.REMOVED: "−", Fate.MOVED: "›"}


def _notes(
    difference: Difference, changes: Changes, labels: dict[str, Any], pages_of: Pages, *, older: bool
) -> Iterator[Note]:
    here = Fate.REMOVED if older else Fate.ADDED
    mine = (difference.olds or (difference.old,)) if older else (difference.news or (difference.new,))
    entries = [entry for entry in mine if entry is not None]
    pages = list(dict.fromkeys(page for entry in entries for page in pages_of(entry)))
    if difference.change is Fate.CHANGED:
        yield from _edits(difference, pages, labels, older=older)
    elif difference.change is Fate.MOVED:
        other = difference.new if older else difference.old
        where = " › ".join((*other.section, *([str(other.subject)] if other.subject else []))) if other else ""
        text = entry_text.whole(entries[0])
        yield _note("C", pages, [_passage(text, 0, len(text), row=False)], f"{labels['annotated_moved']} {where}", True)
    elif difference.change is here:
        texts = entry_text.parts(entries[0])
        lines = [(line, what == entry_text.ROWS) for what, text in texts for line in text.split("\n")]
        passages = [_passage(line, 0, len(line), row=row) for line, row in lines if line.strip()]
        yield _note(SIGNS[here], pages, passages, labels["annotated_gone" if older else "annotated_new"], False)
    else:
        yield _elsewhere(difference, changes, labels, pages_of, older=older)


def _note(sign: str, pages: list[int], passages: list[Note], text: str, again: bool) -> Note:
    """``again``: the place gets a note, and is not highlighted."""
    return {"sign": sign, "pages": pages, "passages": passages, "text": text, "again": again}


def _elsewhere(change: Difference, changes: Changes, labels: dict[str, Any], pages_of: Pages, *, older: bool) -> Note:
    """What stands only in the other release, as a note behind what stood before it."""
    entries, others = (changes.old, changes.new) if older else (changes.new, changes.old)
    gone = change.new if older else change.old
    assert gone is not None
    at = next((n for n, entry in enumerate(others.entries) if entry is gone), 0)
    known = {entry_text.key(entry_text.whole(entry)): entry for entry in reversed(entries.entries)}
    partner = {id(d.new if older else d.old): (d.old if older else d.new) for d in changes.changes if d.old and d.new}
    above = reversed(others.entries[:at])
    before = (partner.get(id(each)) or known.get(entry_text.key(entry_text.whole(each))) for each in above)
    other = next((entry for entry in before if entry is not None), None)
    text = entry_text.whole(other) if other else ""
    passages = [_passage(text, max(0, len(text) - AROUND), len(text), row=False)] if text else []
    pages = list(pages_of(other)) if other else [1]
    says = labels["annotated_new" if older else "annotated_gone"]
    return _note("C", pages, passages, f"{says}\n{_quoted(entry_text.whole(gone))}", True)


def _quoted(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[:QUOTED].rsplit(' ', 1)[0]} …"


# ---------------------------------------------------------------- edits inside a text


def _edits(difference: Difference, pages: list[int], labels: dict[str, Any], *, older: bool) -> Iterator[Note]:
    for what, before, after in both(difference):
        if before == after:
            continue
        whole = before if older else after
        for edit in _paragraphs(redline.differences(before, after, what), "-" if older else "+"):
            row = what == entry_text.ROWS
            places = [_passage(whole, *run, row=row, within=(edit.start, edit.end)) for run in edit.runs]
            gaps = [_passage(whole, max(edit.start, gap - AROUND), min(edit.end, gap + 1), row=row,
                             within=(edit.start, edit.end)) for gap in edit.gaps]  # fmt: skip
            says = labels["annotated_later" if older else "annotated_before"]
            text = f"{says} {_quoted(edit.other.strip()) or '–'}"
            yield _note("B" if older else "A", pages, places or gaps, text, not places)


def _paragraphs(line: Sequence[redline.Word], mine: str) -> Iterator[_Edited]:
    """The paragraphs of one side that differ; ``mine`` is the sign of the words that only it has."""
    at, start, other = 0, 0, ""
    runs: list[tuple[int, int]] = []
    gaps: list[int] = []
    edited = ""
    for sign, words in [*line, ("=", "\n")]:
        if sign not in ("=", mine):
            other += words.replace("\n", " ")
            edited += words
            gaps.append(at)
            continue
        for piece in words.splitlines(keepends=True):
            bare = piece.strip()
            if sign == mine and bare:
                begin = at + piece.index(bare)
                runs.append((begin, begin + len(bare)))
                edited += bare
            other += piece.rstrip("\n") if sign == "=" else ""
            at += len(piece)
            if piece.endswith("\n"):
                if entry_text.letters(edited):  # a comma needs no note
                    yield _Edited(runs=tuple(runs), gaps=tuple(gaps), other=other, start=start, end=at - 1)
                start, other, edited, runs, gaps = at, "", "", [], []


def _passage(
    whole: str, start: int, end: int, *, row: bool, within: tuple[int, int] | None = None
) -> Note:
    """Words with as much around them as tells their place: of their paragraph, or where that is short, of the text."""
    low, high = within or (0, len(whole))
    wide = (max(0, start - AROUND), min(len(whole), end + AROUND))
    near = (max(low, wide[0]), min(high, wide[1]))
    tries = [near, wide] if near[1] - near[0] >= ENOUGH or row else [wide, near]
    tries.append((start, end))
    windows = [{"text": whole[a:b], "start": start - a, "end": end - a, "row": row, "alone": (a, b) == (start, end)}
               for a, b in dict.fromkeys(tries)]  # fmt: skip
    return {**windows[0], "or": windows[1:]}
