"""Changes -> what a change sheet says, in its order: counts, highlights, map, groups of entries. No words of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.diff import both, parts, rows, verdicts, words
from pipeline.diff.words import Word
from pipeline.records import QA, AnyEntry, Changes, Difference, Document, Fate, Table

LONG_KEPT = 260  # letters of unchanged text between two edits: more is cut in its middle
CONTEXT = 90  # letters kept on each side of an edit
LINES_AROUND = 2  # lines of a list kept there
BESIDE = 900  # letters: a longer text is not set twice, side by side
LINE, LINES_KEPT = 90, 16  # letters of a line, and lines of an entry that stays on one page
HALF = 430  # letters: two such entries stand side by side
NAMED = 105  # letters of an entry's subject and name in a list of highlights: a line of the sheet
SILENT = 28  # ... that "not marked by the publisher" takes from them
UNIT = 3  # letters of a word that says what there is so many of
PAGE_MARKS = 12  # numbers of pages under the map
PAGE_ROOM = 22.0  # thousandths of the map that a number takes

GROUPS = ("flips", "numbers", "changes", "additions", "removals", "moves", "spellings", "about")
# A number of things: "6", "-2", "1 000", "2D6+1", "½", "two"; no version, hour or checksum.
_COUNT = re.compile(
    r"[+−-]?\d*[dDwWkKtT]?\d+(?:[ \u00a0\u202f]\d{3})*(?:[.,]\d+)?(?:[+−-]\d*)?|[½⅓⅔¼¾⅛]|[^\W\d]+"
)
_PARTED = re.compile(r"[\w.,;:!?…)\]»”][\w(\[«“•]")  # where a word ends and another begins
_NAMES = ("question", "target", "term", "title")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A part of an entry: its old and new words, and both in one line."""

    what: str
    line: tuple[Word, ...]
    old: tuple[Word, ...] = ()
    new: tuple[Word, ...] = ()
    beside: bool = False  # set old and new side by side

    @property
    def same(self) -> bool:
        return all(sign == "=" for sign, _ in self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A difference as it is printed."""

    anchor: str
    difference: Difference
    group: str
    section: str
    subject: str
    number: str
    was: str  # where it stood, when it moved
    rows: tuple[Row, ...]

    @property
    def entry(self) -> AnyEntry:
        found = self.difference.new or self.difference.old
        assert found is not None
        return found

    @property
    def length(self) -> int:
        """Letters that are printed."""
        return sum(len(text) for row in self.rows for _, text in row.line)

    @property
    def short(self) -> bool:
        """Whether it is not parted: some lines, however many paragraphs they are."""
        lines = sum(len(part) // LINE + 1 for row in self.rows for _, text in row.line for part in text.split("\n"))
        return lines <= LINES_KEPT

    @property
    def silent(self) -> bool:
        told = self.difference
        return told.marked is False and told.change in (Fate.ADDED, Fate.CHANGED) and not told.about_document


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A flip or a changed number, in words."""

    anchor: str
    what: str  # "flip" or "number"
    subject: str
    name: str
    old: str
    new: str
    context: str = ""
    silent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A change on the map of the document, ``at`` 0 to 1000."""

    at: float
    what: str  # "flip", "changed", "added", "removed", "moved"
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """All that a change sheet says about two releases."""

    old: Document
    new: Document
    added: int
    changed: int
    removed: int
    moved: int
    silent: int
    highlights: tuple[Highlight, ...]
    marks: tuple[Mark, ...]
    pages: tuple[tuple[float, int], ...]  # (where, number) on the map
    groups: tuple[tuple[str, tuple[Shown, ...]], ...]
    renumbered: tuple[tuple[str, str], ...]
    renamed: tuple[str, ...]
    reordered: tuple[str, ...]
    left_over: tuple[tuple[str, str, int], ...]  # (subject, name, page)
    prefix: str = ""


def sheet(changes: Changes, prefix: str = "c") -> Sheet:
    """What the sheet says; ``prefix`` keeps the anchors of several on one page apart."""
    shown = [_shown(each, f"{prefix}{number}") for number, each in enumerate(changes.changes, start=1)]
    rulings = [each for each in changes.changes if not each.about_document]
    count = {fate: sum(each.change is fate for each in rulings) for fate in Fate}
    moved = count[Fate.MOVED] + sum(each.moved for each in rulings if each.change is Fate.CHANGED)
    first = not changes.old.source  # all of a first release is new: its number says it
    shown = [] if first else shown
    grouped = [(name, tuple(each for each in shown if each.group == name)) for name in GROUPS]
    return Sheet(
        old=_bare(changes.old), new=_bare(changes.new), added=count[Fate.ADDED], changed=count[Fate.CHANGED],
        removed=count[Fate.REMOVED], moved=moved, silent=sum(each.silent for each in shown),
        highlights=tuple(told for each in shown for told in _highlights(each)), marks=_marks(changes, shown),
        pages=_pages(changes.new), groups=tuple((name, some) for name, some in grouped if some),
        renumbered=changes.renumbered,
        renamed=_found(changes, "heading-renamed"), reordered=_found(changes, "headings-reordered"),
        left_over=tuple((str(e.subject or ""), name_of(e), e.page) for e in changes.left_over), prefix=prefix,
    )  # fmt: skip


def _found(changes: Changes, code: str) -> tuple[str, ...]:
    return tuple(found.message for found in changes.findings if found.code == code)


def _bare(document: Document) -> Document:
    return replace(document, entries=(), headings=(), furniture=())


def _group(difference: Difference) -> str:
    if difference.about_document:
        return "about"
    if difference.verdict_flipped:
        return "flips"
    if difference.numbers_changed:
        return "numbers"
    if difference.spelling_only:
        return "spellings"
    return {Fate.CHANGED: "changes", Fate.ADDED: "additions", Fate.REMOVED: "removals", Fate.MOVED: "moves"}[
        difference.change
    ]


def _shown(difference: Difference, anchor: str) -> Shown:
    entry = difference.new or difference.old
    assert entry is not None
    was = _where(difference.old) if difference.moved and difference.old else ""
    return Shown(
        anchor=anchor, difference=difference, group=_group(difference),
        section=" › ".join(entry.section[-1:] if entry.subject else entry.section[-2:]),
        subject=str(entry.subject or ""), number=_number(difference), rows=tuple(_rows(difference)),
        was=was if was != _where(entry) else "",
    )  # fmt: skip


def _where(entry: AnyEntry) -> str:
    return " › ".join([*entry.section, *([str(entry.subject)] if entry.subject else [])])


def _number(difference: Difference) -> str:
    old, new = (parts.number(entry) if entry else None for entry in (difference.old, difference.new))
    return f"{old} → {new}" if old and new and old != new else new or old or ""


def name_of(entry: AnyEntry) -> str:
    """What a person calls an entry, short."""
    return short(parts.head(entry) or parts.whole(entry), NAMED)


def short(text: str, most: int) -> str:
    """The text on one line, cut at a word."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rsplit(' ', 1)[0]} …"


def rows_of(group: str, some: Sequence[Shown]) -> list[tuple[Shown, ...]]:
    """The entries of a group as they are set: two short ones without an older text side by side, others alone."""
    made: list[tuple[Shown, ...]] = []
    for each in some:
        beside = group in ("additions", "removals", "moves") and each.length < HALF
        if beside and made and len(made[-1]) == 1 and made[-1][0].length < HALF:
            made[-1] += (each,)
        else:
            made.append((each,))
    return made


# ---------------------------------------------------------------- rows


def _rows(difference: Difference) -> Iterable[Row]:
    old, new = difference.old, difference.new
    if difference.change is Fate.CHANGED and old is not None and new is not None:
        for what, before, after in both(difference):
            if before.strip() or after.strip():
                yield _row(what, before, after)
        return
    entry = new or old
    assert entry is not None
    if difference.change is Fate.MOVED:
        yield Row(what="question", line=(("=", short(parts.head(entry) or parts.whole(entry), LONG_KEPT)),))
        return
    sign = "+" if difference.change is Fate.ADDED else "-"
    for what, text in parts.parts(entry):
        if text.strip():
            yield Row(what=what, line=((sign, text),))


def _row(what: str, before: str, after: str) -> Row:
    if parts.key(before) == parts.key(after):
        kept = after if what in _NAMES else shortened((("=", after),))[0][1]
        return Row(what=what, line=(("=", kept),))
    line = words.differences(before, after, what)
    small = what not in _NAMES and max(len(before), len(after)) <= BESIDE and before.strip() and after.strip()
    return Row(
        what=what, line=shortened(line), beside=bool(small),
        old=shortened(tuple(word for word in line if word[0] != "+")),
        new=shortened(tuple(word for word in line if word[0] != "-")),
    )  # fmt: skip


def _spaced(line: Sequence[Word]) -> tuple[Word, ...]:
    """Words that ran together: one that stayed is followed by the space that it has in the new release, if any."""
    made: list[Word] = []
    for sign, text in line:
        if made and _PARTED.search(made[-1][1][-1:] + text[:1]):
            made[-1] = (made[-1][0], made[-1][1] + " ")
        made.append((sign, text))
    return tuple(made)


def shortened(line: tuple[Word, ...]) -> tuple[Word, ...]:
    """Long stretches that did not change, cut in their middle."""
    made: list[Word] = []
    for at, (sign, text) in enumerate(line):
        if sign != "=" or (len(text) <= LONG_KEPT and text.count("\n") <= 2 * LINES_AROUND + 1):
            made.append((sign, text))
            continue
        start = _start(text) if at or len(line) == 1 else ""
        end = _end(text) if at < len(line) - 1 else ""
        made.append(("=", f"{start}[…] {end}" if start or end else text))
    return _spaced(made)


def _start(text: str) -> str:
    if len(lines := text[:CONTEXT].split("\n")) > LINES_AROUND:
        return "\n".join(lines[:LINES_AROUND]) + "\n"
    return text[:CONTEXT].rsplit(None, 1)[0] + " "


def _end(text: str) -> str:
    if len(lines := text[-CONTEXT:].split("\n")) > LINES_AROUND:
        return "\n" + "\n".join(lines[-LINES_AROUND:])
    cut = text[-CONTEXT:].split(None, 1)
    return cut[1] if len(cut) > 1 else text[-CONTEXT:]


# ---------------------------------------------------------------- highlights


def _highlights(shown: Shown) -> Iterable[Highlight]:
    difference = shown.difference
    room = NAMED - len(shown.subject) - SILENT * shown.silent
    name = short(parts.head(shown.entry) or parts.whole(shown.entry), max(room, NAMED // 2))
    if difference.verdict_flipped:
        old, new = _verdict(difference.old), _verdict(difference.new)
        if not (old and new):
            old, new = _edit(difference)
        yield Highlight(
            anchor=shown.anchor, what="flip", subject=shown.subject, name=name, old=old, new=new, silent=shown.silent
        )
    for row, old, new in _numbered_rows(difference) or [("", *each) for each in difference.numbers_changed]:
        context = "" if row else _around(shown.entry, new)
        yield Highlight(anchor=shown.anchor, what="number", subject=shown.subject, name=row or name, old=old, new=new,
                        context=context, silent=shown.silent)  # fmt: skip


def _numbered_rows(difference: Difference) -> list[tuple[str, str, str]]:
    """The numbers of a table that changed, each with the name of its row: it says more than the table's title."""
    if not (isinstance(difference.old, Table) and isinstance(difference.new, Table)):
        return []
    said = verdicts.verdicts(difference.new.language)
    return [
        (rows.name(now), *pair) for what, before, after in both(difference) if what == parts.ROWS
        for was, now in rows.rows(before, after) for pair in words.numbers_changed(was, now, said, what)
    ]  # fmt: skip


def _verdict(entry: AnyEntry | None) -> str:
    """The word that opens an answer, as it is printed."""
    if not isinstance(entry, QA) or not entry.answer:
        return ""
    text = str(entry.answer[0])
    if verdicts.opening(text, verdicts.verdicts(entry.language)) is None:
        return ""
    return words.tokens(text)[0].key


def _edit(difference: Difference) -> tuple[str, str]:
    """The first words that went and came, with the word before them: "may" -> "may not"."""
    for at, (sign, _) in enumerate(difference.words):
        if sign == "=":
            continue
        before = difference.words[at - 1][1].split()[-1:] if at else []
        pair = difference.words[at : at + 2]
        old = [text.strip() for s, text in pair if s == "-"]
        new = [text.strip() for s, text in pair if s == "+"]
        return short(" ".join(before + old), 60), short(" ".join(before + new), 60)
    return "", ""


def _around(entry: AnyEntry, number: str) -> str:
    """The words after a number: what there is so many of. Versions, hours and years count nothing."""
    if not _COUNT.fullmatch(number):
        return ""
    for token, after in zip(found := words.tokens(parts.whole(entry)), found[1:], strict=False):
        if token.key == number:
            return after.key if len(after.key) >= UNIT and (after.key.isalpha() or after.key[0] == "[") else ""
    return ""


# ---------------------------------------------------------------- the map


def _marks(changes: Changes, shown: Sequence[Shown]) -> tuple[Mark, ...]:
    new, old = max(1, len(changes.new.entries)), max(1, len(changes.old.entries))
    marks = [
        Mark(at=round(1000 * each.difference.place / (old if each.difference.change is Fate.REMOVED else new), 1),
             what="flip" if each.difference.verdict_flipped else str(each.difference.change), anchor=each.anchor)
        for each in shown
    ]  # fmt: skip
    return tuple(sorted(marks, key=lambda mark: mark.at))


def _pages(document: Document) -> tuple[tuple[float, int], ...]:
    """Where each page begins on the map; every second, fifth ... when there are many."""
    starts: dict[int, float] = {}
    for at, entry in enumerate(document.entries):
        starts.setdefault(entry.page, 1000 * at / len(document.entries))
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000, 10**6) if document.pages / step <= PAGE_MARKS)
    told: list[tuple[float, int]] = []
    for page, where in sorted(starts.items()):
        room = PAGE_ROOM * (2 if len(told) == 1 else 1)  # the first says what they are, and is longer
        if (page == 1 or page % step == 0) and (not told or where - told[-1][0] >= room):
            told.append((round(where, 1), page))
    return tuple(told)
