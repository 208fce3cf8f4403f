"""Changes -> what a change sheet says, in its order: counts, highlights, map, groups of entries. No words of ours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.diff import both, entry_text, redline, row_pairs, verdicts
from pipeline.diff.announcements import Announced, announced
from pipeline.diff.inline_lists import changed, listed
from pipeline.diff.positions import bare, is_under
from pipeline.diff.redline import Word
from pipeline.diff.redline_style import dressed, shorter, styled
from pipeline.diff.release_headings import names_version
from pipeline.diff.rule_paths import RulePath, below, head
from pipeline.diff.summary_values import telling, values
from pipeline.records import QA, AnyEntry, Changes, Difference, Document, Fate, Kind, Table
from pipeline.text import rich

LONG_KEPT = 260  # letters of unchanged text between two edits: more is cut in its middle
CONTEXT = 90  # letters kept on each side of an edit, in a line that is longer
WORTH = 60  # letters: less is not cut, "[…]" would be in its place
HEADING = 40  # letters of a line that is a small heading in a text
LINE_END = "\n"
BESIDE = 900  # letters: a longer text is not set twice, side by side
REDLINE = 0.4  # of a text that stayed: the changes are shown inside of it, not beside the old text
BY_RULE = 0.5  # of the changes stand under a number: they are told rule by rule
CLUSTER = 8  # changes under one heading, before it is said again: a long sheet is printed in parts
MANY_MOVED = 3  # entries that went from one heading to another: they are one line
LINE, LINES_KEPT = 90, 16  # letters of a line, and lines of an entry that stays on one page
HALF = 430  # letters: two such entries stand side by side
NAMED = 105  # letters of an entry's subject and name in a list of highlights: a line of the sheet
SILENT = 28  # ... that "not marked by the publisher" takes from them
TURN = 20  # letters of old and new in a list of highlights that stand beside the name
ITEMS = 60  # letters of what went from a list, or came, in the summary
UNIT = 3  # letters of a word that says what there is so many of
PAGE_MARKS = 12  # numbers of pages under the map

GROUPS = ("rules", "flips", "numbers", "changes", "additions", "removals", "moves", "spellings", "about")
# A number of things: "6", "-2", "1 000", "2D6+1", "½", "two"; no version, hour or checksum.
_COUNT = re.compile(
    r"[+−-]?\d*[dDwWkKtT]?\d+(?:[ \u00a0\u202f]\d{3})*(?:[.,]\d+)?(?:[+−-]\d*)?|[½⅓⅔¼¾⅛]|[^\W\d]+"
)
_PARTED = re.compile(r"[\w.,;:!?…)\]»”][\w(\[«“•]")  # where a word ends and another begins
_QUOTES = " \"'“”„«»‘’"
_NAMES = ("question", "target", "term", "title")
_UNMARKED = (*_NAMES, "pages", "refs", "aliases")


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """A part of an entry: its old and new words, and both in one line."""

    what: str
    line: tuple[Word, ...]
    old: tuple[Word, ...] = ()
    new: tuple[Word, ...] = ()
    beside: bool = False  # set old and new side by side

    @property
    def same(self) -> bool:
        return all(sign == "=" for sign, _ in self.line)

    @property
    def is_marked(self) -> bool:
        """Whether a bar beside it says that words in it are new: not where it is a name or a place."""
        return not self.same and self.what not in _UNMARKED


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownChange:
    """A difference as it is printed."""

    anchor: str
    difference: Difference
    group: str
    section: str
    subject: str
    number: str
    was: str  # where it stood, when it moved
    rows: tuple[SheetRow, ...]
    head: RulePath
    announced: tuple[str, ...] = ()  # what the publisher says of it
    unannounced: bool = False  # it lists its changes, and this is none of them
    numbers: tuple[tuple[str, str], ...] = ()  # that changed, without dates, versions and pages

    @property
    def merged(self) -> bool:
        """Whether several became one; a line that was read apart from its rule is no other entry."""
        change = self.difference
        return len(change.olds) > 1 and not any(is_under(one, other) for one in change.olds for other in change.olds)

    @property
    def divided(self) -> bool:
        change = self.difference
        return len(change.news) > 1 and not any(is_under(one, other) for one in change.news for other in change.news)

    @property
    def entry(self) -> AnyEntry:
        shown = self.difference.new or self.difference.old
        assert shown is not None
        return shown

    @property
    def length(self) -> int:
        """How many letters are printed."""
        return sum(len(text) for row in self.rows for _, text in row.line)

    @property
    def short(self) -> bool:
        """Whether it is not parted: some lines, however many paragraphs they are."""
        lines = sum(len(part) // LINE + 1 for row in self.rows for _, text in row.line for part in text.split("\n"))
        return lines <= LINES_KEPT

    @property
    def silent(self) -> bool:
        change = self.difference
        return change.marked is False and change.change in (Fate.ADDED, Fate.CHANGED) and not change.about_document


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Changes under one rule or heading: its path, number and title are said once."""

    head: RulePath
    shown: tuple[ShownChange, ...]
    new_path: bool = True  # another than that of the one before

    @property
    def alone(self) -> bool:
        return len(self.shown) == 1

    @property
    def opens_path(self) -> bool:
        """Whether the headings above it are said before it."""
        return self._by_rule and self.new_path and bool(self.head.path)

    @property
    def above(self) -> str:
        """The heading above it, where no path is said."""
        return "" if self._by_rule else "".join(self.head.path[-1:])

    @property
    def classes(self) -> str:
        """Of its element: what became of it, and what the style tells apart."""
        first = self.shown[0]
        fate = first.difference.change
        signs = {"compact": fate is Fate.MOVED, "short": self.alone and first.short}
        return " ".join((str(fate) if self.alone else "many", *(name for name, holds in signs.items() if holds)))

    @property
    def _by_rule(self) -> bool:
        return self.shown[0].group == "rules"

    @property
    def announced(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line for each in self.shown for line in each.announced))

    @property
    def length(self) -> int:
        return sum(each.length for each in self.shown)


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A flip, a changed number or another value, in words."""

    anchor: str
    what: str  # "flip", "list", "value" or "number"
    subject: str
    name: str
    old: str
    new: str
    context: str = ""
    silent: bool = False
    also: tuple[tuple[str, str], ...] = ()  # further numbers of the same rule

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return (self.old, self.new), *self.also

    @property
    def is_long(self) -> bool:
        return sum(len(text) for pair in self.pairs for text in pair) + len(self.context) > TURN


@dataclass(frozen=True, slots=True, kw_only=True)
class MapMark:
    """A change on the map of the document, ``at`` 0 to 1000."""

    at: float
    what: str  # "flip", "changed", "added", "removed", "moved"
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSheet:
    """All that a change sheet says about two releases."""

    old: Document
    new: Document
    added: int
    changed: int
    removed: int
    moved: int
    silent: int
    highlights: tuple[Highlight, ...]
    marks: tuple[MapMark, ...]
    pages: tuple[tuple[float, int], ...]  # (where, number) on the map
    groups: tuple[tuple[str, tuple[ShownChange, ...]], ...]
    renumbered: tuple[tuple[str, str], ...]
    renamed: tuple[str, ...]
    reordered: tuple[str, ...]
    left_over: tuple[tuple[str, str, int], ...]  # (subject, name, page)
    prefix: str = ""
    unannounced: int = 0
    unfound: tuple[str, ...] = ()  # what the publisher says that it changed, and nothing is found of it

    @property
    def game(self) -> str:
        """The name of the game; "" where the title says it."""
        game = self.new.game or ""
        return game if game not in (self.new.title or "") else ""

    @property
    def is_empty(self) -> bool:
        listed = (self.groups, self.unfound, self.renumbered, self.left_over, self.renamed, self.reordered)
        return not self.added and not any(listed)


def sheet(changes: Changes, prefix: str = "c") -> ChangeSheet:
    """What the sheet says; ``prefix`` keeps the anchors of several on one page apart."""
    announcements = announced(changes)
    rulings = [each for each in changes.changes if not each.about_document]
    by_rule = _is_by_rule(rulings)
    listed = [*rulings, *(each for each in changes.changes if each.about_document and not announcements.lines)]
    titles = frozenset(bare(document.title) for document in (changes.old, changes.new) if document.title)
    numbered = enumerate(listed, start=1)
    shown = [_shown(each, f"{prefix}{number}", announcements, titles, by_rule) for number, each in numbered]
    count = {fate: sum(each.change is fate for each in rulings) for fate in Fate}
    moved = count[Fate.MOVED] + sum(each.moved for each in rulings if each.change is Fate.CHANGED)
    first = not changes.old.source  # all of a first release is new: its number says it
    shown = [] if first else shown
    if by_rule:
        shown.sort(key=lambda each: _at(each.difference, changes))
    grouped = [(name, tuple(each for each in shown if each.group == name)) for name in GROUPS]
    return ChangeSheet(
        old=_bare(changes.old), new=_bare(changes.new), added=count[Fate.ADDED], changed=count[Fate.CHANGED],
        removed=count[Fate.REMOVED], moved=moved, silent=sum(each.silent for each in shown),
        highlights=_by_importance(highlight for each in shown for highlight in _highlights(each)),
        marks=_marks(changes, [each for each in shown if not each.difference.about_document]),
        pages=_pages(changes.new), groups=tuple((name, some) for name, some in grouped if some),
        renumbered=changes.renumbered,
        renamed=_found(changes, "heading-renamed"), reordered=_found(changes, "headings-reordered"),
        left_over=tuple((str(e.subject or ""), name_of(e), e.page) for e in changes.left_over), prefix=prefix,
        unannounced=sum(each.unannounced for each in shown), unfound=() if first else announcements.unfound,
    )  # fmt: skip


def _is_by_rule(rulings: Sequence[Difference]) -> bool:
    """Whether most of what changed stands under a number: such a document is read by its rules."""
    heads = [head(entry) for one in rulings if (entry := one.new or one.old) and one.change is not Fate.MOVED]
    return bool(heads) and sum(bool(each.number) for each in heads) >= BY_RULE * len(heads)


def _at(difference: Difference, changes: Changes) -> float:
    """Where a change stands in the document, 0 to 1; what is gone where it stood."""
    entries = changes.old.entries if difference.change is Fate.REMOVED else changes.new.entries
    return difference.place / max(1, len(entries))


def _found(changes: Changes, code: str) -> tuple[str, ...]:
    return tuple(finding.message for finding in changes.findings if finding.code == code)


def _bare(document: Document) -> Document:
    return replace(document, entries=(), headings=(), furniture=())


def _group(difference: Difference, numbers: object, by_rule: bool) -> str:
    if difference.about_document:
        return "about"
    if by_rule and difference.change is not Fate.MOVED and not difference.spelling_only:
        return "rules"
    if difference.verdict_flipped:
        return "flips"
    if numbers:
        return "numbers"
    if difference.spelling_only:
        return "spellings"
    return {Fate.CHANGED: "changes", Fate.ADDED: "additions", Fate.REMOVED: "removals", Fate.MOVED: "moves"}[
        difference.change
    ]


def _shown(
    difference: Difference, anchor: str, announcements: Announced, titles: frozenset[str], by_rule: bool
) -> ShownChange:
    entry = difference.new or difference.old
    assert entry is not None
    was = _where(difference.old) if difference.moved and difference.old else ""
    path, numbers = below(head(entry), titles), telling(difference.numbers_changed, entry.language)
    named = (path.own or bool(path.part)) and entry.kind not in (Kind.QA, Kind.ERRATUM)  # the heading says its name
    lines = [row for row in _rows(difference) if not (named and row.what in _NAMES and _is_said(row, difference))]
    return ShownChange(
        anchor=anchor, difference=difference, group=_group(difference, numbers, by_rule),
        section=" › ".join(entry.section[-1:] if entry.subject else entry.section[-2:]),
        subject=str(entry.subject or ""), number=_number(difference), rows=tuple(lines),
        was=was if was != _where(entry) else "", head=replace(path, number=_number(difference) or path.number),
        announced=tuple(_unnumbered(line, path.number) for line in announcements.of(difference)),
        unannounced=announcements.silent_on(difference), numbers=numbers,
    )  # fmt: skip


def _unnumbered(line: str, number: str) -> str:
    """A sentence of the publisher without the number of the rule under which it stands."""
    rest = line.removeprefix(number)
    bare = rest.lstrip(" .:–—-")
    return bare if number and bare and rest != line and rest[0] in " .:–—-" else line


def _is_said(row: SheetRow, difference: Difference) -> bool:
    """Whether the heading of a change says this part of it already."""
    return row.same or difference.change in (Fate.ADDED, Fate.REMOVED)


def _where(entry: AnyEntry) -> str:
    return " › ".join(_headings(entry))


def _headings(entry: AnyEntry) -> tuple[str, ...]:
    return *entry.section, *([str(entry.subject)] if entry.subject else [])


def _number(difference: Difference) -> str:
    old, new = (entry_text.number(entry) if entry else None for entry in (difference.old, difference.new))
    return f"{old} → {new}" if old and new and old != new else new or old or ""


def name_of(entry: AnyEntry) -> str:
    """What a person calls an entry, short."""
    return short(entry_text.head(entry) or entry_text.whole(entry), NAMED)


def short(text: str, most: int) -> str:
    """The text on one line, cut at a word."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rsplit(' ', 1)[0]} …"


def clusters(some: Sequence[ShownChange]) -> list[Cluster]:
    """The changes of a group under their rules and headings, each of which is named once."""
    by_path: dict[tuple[RulePath, int], list[ShownChange]] = {}
    before, run = None, 0
    for each in some:
        path = replace(each.head, part="", own=False)
        run += path != before
        # What stands under no heading belongs to its neighbours, not to all others without one.
        by_path.setdefault((path, run if path == RulePath() else 0), []).append(each)
        before = path
    result: list[Cluster] = []
    for (path, _), under in by_path.items():
        for start in range(0, len(under), CLUSTER):
            new_path = not result or result[-1].head.path != path.path
            result.append(Cluster(head=path, shown=tuple(under[start : start + CLUSTER]), new_path=new_path))
    return result


def rows_of(group: str, some: Sequence[ShownChange]) -> list[tuple[Cluster, ...]]:
    """The clusters of a group as they are set: two short ones without an older text side by side, others alone."""
    rows: list[tuple[Cluster, ...]] = []
    for each in clusters(some):
        beside = group in ("additions", "removals", "moves") and each.length < HALF and len(each.shown) == 1
        if beside and rows and len(rows[-1]) == 1 and rows[-1][0].length < HALF and len(rows[-1][0].shown) == 1:
            rows[-1] += (each,)
        else:
            rows.append((each,))
    return rows


def moves(
    some: Sequence[ShownChange],
) -> tuple[list[tuple[str, str, tuple[ShownChange, ...]]], tuple[ShownChange, ...]]:
    """(from, to, entries) where many went the same way: one line; and those that moved by themselves."""
    ways: dict[tuple[str, str], list[ShownChange]] = {}
    for each in some:
        ways.setdefault(_way(each), []).append(each)
    many = [(was, now, tuple(went)) for (was, now), went in ways.items() if len(went) >= MANY_MOVED and was]
    anchors = {each.anchor for _, _, went in many for each in went}
    return many, tuple(each for each in some if each.anchor not in anchors)


def _way(each: ShownChange) -> tuple[str, str]:
    """From which heading to which an entry went; those under it that went with it are not said."""
    old = each.difference.old
    was, now = list(_headings(old)) if old else [], list(_headings(each.entry))
    while len(was) > 1 and len(now) > 1 and bare(was[-1]) == bare(now[-1]):
        was.pop()
        now.pop()
    return " › ".join(was), " › ".join(now)


# ---------------------------------------------------------------- rows


def _rows(difference: Difference) -> Iterable[SheetRow]:
    old, new = difference.old, difference.new
    if difference.change is Fate.CHANGED and old is not None and new is not None:
        for what, before, after in both(difference):
            if before.strip() or after.strip():
                yield _row(what, before, after, difference)
        return
    entry = new or old
    assert entry is not None
    if difference.change is Fate.MOVED:
        asked = entry_text.head(entry) or entry_text.whole(entry)
        yield SheetRow(what="question", line=(("=", short(asked, LONG_KEPT)),))
        return
    sign = "+" if difference.change is Fate.ADDED else "-"
    for what, text in entry_text.parts(entry):
        if text.strip():
            yield SheetRow(what=what, line=((sign, text if what in _NAMES else styled(text, [entry])),))


def _row(what: str, before: str, after: str, difference: Difference) -> SheetRow:
    assert difference.old is not None
    assert difference.new is not None
    was, now = styled(before, difference.olds or (difference.old,)), styled(after, difference.news or (difference.new,))
    if entry_text.key(before) == entry_text.key(after):
        kept = after if what in _NAMES else shortened((("=", now),))[0][1]
        return SheetRow(what=what, line=(("=", kept),))
    if what not in _NAMES and (inline := listed(before, after)):
        return SheetRow(what=what, line=inline)
    line = redline.differences(before, after, what)
    line = line if what in _NAMES else dressed(line, was, now)
    stays = sum(len(text) for sign, text in line if sign == "=") >= REDLINE * max(len(before), len(after))
    small = what not in _NAMES and max(len(before), len(after)) <= BESIDE and before.strip() and after.strip()
    return SheetRow(
        what=what, line=shortened(line, rows=what == entry_text.ROWS), beside=bool(small) and not stays,
        old=shortened(tuple(word for word in line if word[0] != "+")),
        new=shortened(tuple(word for word in line if word[0] != "-")),
    )  # fmt: skip


def _spaced(line: Sequence[Word]) -> tuple[Word, ...]:
    """Words that ran together: one that stayed is followed by the space that it has in the new release, if any."""
    spaced: list[Word] = []
    for sign, text in line:
        if spaced and _PARTED.search(spaced[-1][1][-1:] + text[:1]):
            spaced[-1] = (spaced[-1][0], rich(spaced[-1][1], " "))
        spaced.append((sign, text))
    return tuple(spaced)


def shortened(line: tuple[Word, ...], *, rows: bool = False) -> tuple[Word, ...]:
    """Long stretches that did not change, cut in their middle; of ``rows`` the first, their header, is always there."""
    brief: list[Word] = []
    for at, (sign, text) in enumerate(line):
        if sign != "=" or (len(text) <= LONG_KEPT and "\n" not in text.strip("\n")):
            brief.append((sign, text))
            continue
        is_first, is_last = at == 0, at == len(line) - 1
        header = f"{text.partition(LINE_END)[0]}\n" if rows and is_first else ""
        start = header if is_first and not is_last else _start(text)
        end = _end(text[len(start) :]) if not is_last else ""
        cut_away = text[len(start) : len(text) - len(end)]
        if len(cut_away.strip()) < WORTH or not (start or end):
            brief.append((sign, text))
        else:
            cut_line = (start + cut_away).split(LINE_END)[-1] if rows and end else ""
            row = row_pairs.name(cut_line) if entry_text.CELL in cut_line else ""
            parted = start.strip() and not start.endswith(LINE_END) and cut_away.endswith(LINE_END)
            apart = LINE_END if parted else " "
            between = f"[…]{LINE_END}{row}{entry_text.CELL}[…] " if row else f"[…]{apart}" if end else " […]"
            brief.append(("=", shorter(text, start if end else start.rstrip(), between, end)))
    return _spaced(brief)


def _start(text: str) -> str:
    """What follows an edit: the rest of its line, or where that ended, the next one."""
    first, end, rest = text.partition(LINE_END)
    if not first.strip() and end:
        following = rest.partition(LINE_END)
        first, end = first + end + following[0], following[1]
    return first[:CONTEXT].rsplit(None, 1)[0] + " " if len(first) > LONG_KEPT // 2 else first + end


def _end(text: str) -> str:
    """What stands before an edit: its line so far, or where that only begins, the one before; and what leads to it."""
    lines = text.split(LINE_END)
    kept = 1 if lines[-1].strip() else 2
    if len(lines[-kept :][0]) > LONG_KEPT // 2:
        tail = LINE_END.join(lines[-kept:])[-CONTEXT - len(lines[-1]) * (kept > 1) :]
        return (tail.split(None, 1)[1:] or [tail])[0]  # an address has no space
    while kept < len(lines) and _leads(lines[-kept - 1]):
        kept += 1
    return LINE_END.join(lines[-kept:])


def _leads(line: str) -> bool:
    """Whether a line is there for those that follow: a small heading, or one that ends in a colon."""
    bare = line.strip()
    return bare.endswith(":") or (0 < len(bare) <= HEADING and bare[-1].isalnum() and not entry_text.is_listed(bare))


# ---------------------------------------------------------------- highlights


def _by_importance(highlights: Iterable[Highlight]) -> tuple[Highlight, ...]:
    """A verdict first, then a list (what is banned now), a value, a number; what a table repeats is said once."""
    order = ("flip", "list", "value", "number")
    kept: list[Highlight] = []
    for one in sorted(highlights, key=lambda each: order.index(each.what)):
        again = [each for each in kept if (each.what, each.old, each.new) == (one.what, one.old, one.new)]
        if one.what == "number" and kept and _goes_on(kept[-1], one):
            kept[-1] = replace(kept[-1], also=(*kept[-1].also, (one.old, one.new)))
        elif one.what != "value" or not any(each.name.endswith(one.name) for each in again):
            kept.append(one)
    return tuple(kept)


def _goes_on(before: Highlight, one: Highlight) -> bool:
    """Whether two numbers are those of one rule, and neither says what there is so many of."""
    named = [(each.what, each.anchor, each.name, each.context) for each in (before, one)]
    return named[0] == named[1] and not one.context


def _highlights(shown: ShownChange) -> Iterable[Highlight]:
    difference = shown.difference
    room = NAMED - len(shown.subject) - SILENT * shown.silent
    named = " ".join(part for part in (shown.head.number, shown.head.title) if part) if shown.head.number else ""
    name = short(named or entry_text.head(shown.entry) or entry_text.whole(shown.entry), max(room, NAMED // 2))
    under = short(" · ".join(part for part in (named, shown.head.part) if part) or name, max(room, NAMED // 2))
    if difference.verdict_flipped:
        old, new = _verdict(difference.old), _verdict(difference.new)
        if not (old and new):
            old, new = _edit(difference)
        yield Highlight(
            anchor=shown.anchor, what="flip", subject=shown.subject, name=name, old=old, new=new, silent=shown.silent
        )
    elif not difference.about_document:
        for listing, old, new in _lists(difference):
            yield Highlight(anchor=shown.anchor, what="list", subject=shown.subject, name=listing or name, old=old,
                            new=new, silent=shown.silent)  # fmt: skip
        for row, old, new in values(difference):
            yield Highlight(anchor=shown.anchor, what="value", subject=shown.subject,
                            name=_row_name(row, under) or name, old=old, new=new, silent=shown.silent)  # fmt: skip
    for row, old, new in _numbered(difference, shown.numbers):
        context = "" if row else _around(shown.entry, new)
        yield Highlight(anchor=shown.anchor, what="number", subject=shown.subject, name=_row_name(row, under) or name,
                        old=old, new=new, context=context, silent=shown.silent)  # fmt: skip


def _row_name(row: str, under: str) -> str:
    """What a row is called; one that is only a number says nothing without the table's name."""
    return f"{under} · {row}" if row and not any(letter.isalpha() for letter in row) else row


def _lists(difference: Difference) -> list[tuple[str, str, str]]:
    """(its name, what went, what came) of a list of names; a dash for nothing."""
    if difference.change is not Fate.CHANGED or difference.spelling_only:
        return []
    lists = [changed(before, after) for what, before, after in both(difference) if what not in _NAMES]
    return [(short(name.strip(" :"), NAMED), short(", ".join(went) or "–", ITEMS), short(", ".join(came) or "–", ITEMS))
            for name, came, went in lists if came or went]  # fmt: skip


def _numbered(difference: Difference, numbers: Iterable[tuple[str, str]]) -> list[tuple[str, str, str]]:
    """(row of a table or "", old, new) of the numbers that a summary says."""
    if isinstance(difference.old, Table) and isinstance(difference.new, Table):
        return _numbered_rows(difference)
    return [("", *each) for each in numbers]


def _numbered_rows(difference: Difference) -> list[tuple[str, str, str]]:
    """The numbers of a table that changed, each with the name of its row: it says more than the table's title."""
    if not (isinstance(difference.old, Table) and isinstance(difference.new, Table)):
        return []
    language = difference.new.language
    words = verdicts.verdicts(language)
    return [
        (row_pairs.name(now), *pair) for what, before, after in both(difference) if what == entry_text.ROWS
        for was, now in row_pairs.rows(before, after) if not names_version(row_pairs.name(now), language)
        for pair in telling(redline.numbers_changed(was, now, words, what), language)
    ]  # fmt: skip


def _verdict(entry: AnyEntry | None) -> str:
    """The word that opens an answer, as it is printed."""
    if not isinstance(entry, QA) or not entry.answer:
        return ""
    text = str(entry.answer[0])
    if verdicts.opening(text, verdicts.verdicts(entry.language)) is None:
        return ""
    return redline.tokens(text)[0].key


def _edit(difference: Difference) -> tuple[str, str]:
    """The first words that went and came, with the word before them: "may" -> "may not"."""
    words = verdicts.verdicts(_language(difference))
    edits = [at for at, (sign, _) in enumerate(difference.words) if sign != "="]
    turning = [at for at in edits if words.negations.intersection(entry_text.vocables(difference.words[at][1]))]
    for at in (*turning, *edits):
        at -= at > 0 and (difference.words[at - 1][0], difference.words[at][0]) == ("-", "+")
        before = difference.words[at - 1][1].split()[-1:] if at else []
        pair = difference.words[at : at + 2]
        old = [text.strip() for s, text in pair if s == "-"]
        new = [text.strip() for s, text in pair if s == "+"]
        return _unquoted(" ".join(before + old)), _unquoted(" ".join(before + new))
    return "", ""


def _language(difference: Difference) -> str | None:
    entry = difference.new or difference.old
    return entry.language if entry else None


def _unquoted(text: str) -> str:
    return short(text.strip(_QUOTES), 60)


def _around(entry: AnyEntry, number: str) -> str:
    """The words after a number: what there is so many of. Versions, hours and years count nothing."""
    if not _COUNT.fullmatch(number):
        return ""
    for token, after in zip(tokens := redline.tokens(entry_text.whole(entry)), tokens[1:], strict=False):
        if token.key == number:
            spelt = number.isalpha() and entry_text.folded(after.key) in _common(entry.language)  # "two and a half"
            unit = after.key.isalpha() and not spelt
            return after.key if len(after.key) >= UNIT and (unit or after.key[0] == "[") else ""
    return ""


def _common(language: str) -> frozenset[str]:
    """Words that are too common to name anything."""
    from pipeline.language import common

    return common(language).words if language else frozenset()


# ---------------------------------------------------------------- the map


def _marks(changes: Changes, shown: Sequence[ShownChange]) -> tuple[MapMark, ...]:
    places = _on_map(changes.old) | _on_map(changes.new)
    marks = [
        MapMark(at=places[id(each.entry)], anchor=each.anchor,
                what="flip" if each.difference.verdict_flipped else str(each.difference.change))
        for each in shown
    ]  # fmt: skip
    return tuple(sorted(marks, key=lambda mark: mark.at))


def _on_map(document: Document) -> dict[int, float]:
    """Where each entry stands: its page, and on it as far down as it is among the entries there."""
    on_page = Counter(entry.page for entry in document.entries)
    before: Counter[int] = Counter()
    places: dict[int, float] = {}
    for entry in document.entries:
        where = entry.page - 1 + before[entry.page] / on_page[entry.page]
        places[id(entry)] = round(1000 * where / max(1, document.pages), 1)
        before[entry.page] += 1
    return places


def _pages(document: Document) -> tuple[tuple[float, int], ...]:
    """Where each page begins on the map; every second, fifth ... when there are many."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000, 10**6) if document.pages / step <= PAGE_MARKS)
    numbers = [page for page in range(1, document.pages + 1) if page % step == 0 or page == 1]
    return tuple((round(1000 * (page - 1) / document.pages, 1), page) for page in numbers)
