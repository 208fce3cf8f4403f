"""What a document says of itself: its history of revisions, which colour means what. It changes with every release."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter

from pipeline.diff import entry_text
from pipeline.diff.positions import bare
from pipeline.diff.redline import IMPRINT
from pipeline.diff.release_headings import names_version, stamp
from pipeline.records import QA, AnyEntry, Definition, Difference, Document, Erratum, Prose, Rule, Table

STAMPED = 0.6  # of a table's rows begin with a version or a date: it may be a history of revisions
ROWS = 2  # fewer tell no history
FIELDS = 8  # rows of a title page (diff.IMPRINTS): more are a table of the rules
COLOURS = 3  # lines with what colours mean: fewer are no list of them
PAIR = 2  # cells: what, and which
ANNOUNCED = 0.5  # of a text is the sentence that says what a colour means: the text is about the document
LATER = 2  # columns in which a version or a date is looked for
LISTED = 4  # lines that end in a number: fewer are no table of contents
NAMED = 0.6  # of them name a heading that stands on that page, or as many pages after it as all others
SEVERAL = 2  # releases make a history
LOGGED = 0.8  # of what stands between the first and the last line of a list of changes: the rest was read otherwise

_LISTED = re.compile(r"(.*\w.*?)[\s.|(]+(\d{1,3})\)?")
_PAGED = re.compile(r"(?<=\d\))\s+(?=\w)")  # "Rules (1) Tires (3)" is two lines of contents in one
_ADDRESS = re.compile(r"p(\d+)\.c(\d+)\.l(\d+)")
_STAMP = re.compile(
    r"v?\.?\s?\d+(?:\.\d+)+[a-z]?|\d{4}-\d\d(?:-\d\d)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}", re.IGNORECASE
)


class About:
    """Which entries of a release are about the document, not about the game."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.log = _log(document)  # the publisher's own list of changes, in its order
        self._logged = {id(entry) for entry in self.log}
        self._legend = {id(entry) for entry in _legend(document)}
        self._pages = _pages_of_headings(document)

    def is_contents(self, entry: AnyEntry) -> bool:
        """A table of contents: it says so, or most of its lines name headings and the pages that they are on."""
        if entry_text.is_contents(entry):
            return True
        texts = [text.strip() for line in entry_text.whole(entry).split("\n") for text in _PAGED.split(line)]
        lines = [line for text in texts if (line := _LISTED.fullmatch(text))]
        if len(lines) < LISTED or _is_ruling(entry):
            return False
        apart = [page - int(line[2]) for line in lines for page in self._pages.get(bare(line[1].rstrip(" |")), ())]
        return max(map(apart.count, apart), default=0) >= NAMED * len(lines)

    def holds(self, entry: AnyEntry) -> bool:
        """Whether it is the list of changes, or says what a colour means."""
        return self.describes(entry) or id(entry) in self._logged

    def describes(self, entry: AnyEntry) -> bool:
        """Whether it says what a colour means, or on the title page which release this is."""
        if id(entry) in self._legend or _is_legend(entry, self._document) or _is_imprint(entry, self._document):
            return True
        return isinstance(entry, Prose) and _announces(entry.text, self._document)


def _pages_of_headings(document: Document) -> dict[str, set[int]]:
    """On which pages headings, and rules with a title, stand."""
    pages: dict[str, set[int]] = {}
    for heading in document.headings:
        pages.setdefault(bare(heading.text), set()).add(heading.page)
    for entry in document.entries:
        for name in (entry_text.head(entry) if isinstance(entry, Rule) else "", *entry.section[-1:]):
            pages.setdefault(bare(name), set()).add(entry.page)
    return pages


def _log(document: Document) -> tuple[AnyEntry, ...]:
    """The entries that list what the publisher changed: under a heading that says so or in a table of releases; or
    under headings that are releases, with what was read otherwise in their midst."""
    is_history = [_under_history(entry) or _is_history(entry, document) for entry in document.entries]
    printed = _Printed(document)
    dated = [_dated(entry, printed) for entry in document.entries]
    if _are_releases(document, [release for release in dated if release]):
        places = [at for at, release in enumerate(dated) if release]
        run = range(places[0], places[-1] + 1)
        whole = len(places) >= LOGGED * len(run)
        for at in run:
            is_history[at] = is_history[at] or bool(dated[at]) or (whole and not _is_ruling(document.entries[at]))
    return tuple(entry for entry, is_told in zip(document.entries, is_history, strict=True) if is_told)


class _Printed:
    """The headings in the order of the pages: "1.1: Now allowed." below a date is no rule, though it is read as one."""

    def __init__(self, document: Document) -> None:
        headings = [(_at(heading.addresses), str(heading.text)) for heading in document.headings if heading.addresses]
        alone = [(_at(entry.addresses), str(entry.text)) for entry in document.entries
                 if isinstance(entry, Prose) and entry.heading and entry.addresses]  # fmt: skip
        self._headings = sorted(headings + alone)
        self._places = [place for place, _ in self._headings]

    def above(self, entry: AnyEntry) -> str:
        """The heading that is printed above an entry; "" where nobody knows."""
        at = bisect(self._places, _at(entry.addresses)) if entry.addresses else 0
        return self._headings[at - 1][1] if at else ""


def _at(addresses: tuple[str, ...]) -> tuple[int, ...]:
    match = _ADDRESS.match(addresses[0])
    return tuple(map(int, match.groups())) if match else ()


def _dated(entry: AnyEntry, printed: _Printed) -> str:
    """The release that the nearest heading says."""
    headings = [*entry.section, *([str(entry.subject)] if entry.subject else [])]
    near = [*headings[-1:], *([printed.above(entry)] if isinstance(entry, Rule) else [])]
    near += [str(entry.text)] if isinstance(entry, Prose) and entry.heading else []
    return (
        next((stamped for each in near if (stamped := stamp(each, entry.language))), "")
        if not _is_ruling(entry)
        else ""
    )


def _are_releases(document: Document, stamps: list[str]) -> bool:
    """Whether this release is among those said, or they are several before it, one after the other; no calendar."""
    date = document.date or ""
    if document.version in stamps or any(date and each[: len(date)] == date[: len(each)] for each in stamps):
        return True
    order = list(dict.fromkeys(stamps))
    in_turn = order in (sorted(order), sorted(order, reverse=True))
    return len(order) >= SEVERAL and in_turn and bool(date) and max(order) <= date


def _is_ruling(entry: AnyEntry) -> bool:
    return isinstance(entry, (QA, Erratum))  # under whatever heading


def _under_history(entry: AnyEntry) -> bool:
    from pipeline.vocab import vocabulary

    if _is_ruling(entry):
        return False
    named = [f" {' '.join(entry_text.vocables(words))} " for words in vocabulary(entry.language).document.history]
    headings = [*entry.section, entry.subject or "", *([entry.title or ""] if isinstance(entry, Table) else [])]
    headings_above = [f" {' '.join(entry_text.vocables(heading))} " for heading in headings]
    return any(name in heading for heading in headings_above for name in named)


def only_announces(difference: Difference, old: Document, new: Document) -> bool:
    """Whether nothing came or went but the sentence that says what a colour means, or words of it."""
    went, came = ("".join(text for sign, text in difference.words if sign == each) for each in "-+")
    texts = [(text, document) for text, document in ((went, old), (came, new)) if entry_text.vocables(text)]
    if texts and all(_announces(text, document) for text, document in texts):
        return True
    if not (
        isinstance(difference.old, Prose)
        and isinstance(difference.new, Prose)
        and old.change_colours
        and new.change_colours
    ):
        return False
    return _beside_it(difference.old, old) == _beside_it(difference.new, new)


def _beside_it(entry: Prose, document: Document) -> str:
    """What a text says beside what the colours mean."""
    letters = entry_text.letters(entry.text)
    for _, meaning in document.change_colours:
        letters = letters.replace(entry_text.letters(meaning), "")
    return letters


def _announces(text: str, document: Document) -> bool:
    """The sentence that says what a colour means."""
    whole = entry_text.letters(text)
    announcements = [entry_text.letters(words) for _, words in document.change_colours]
    return any(words and words in whole and len(words) > ANNOUNCED * len(whole) for words in announcements)


def _legend(document: Document) -> list[AnyEntry]:
    """The colours and what they mean, set as a list of terms under one heading: one of them is that of changes."""
    keys = {(entry.section, entry.page) for entry in document.entries
            if isinstance(entry, Definition) and _announces(_first_lines(entry), document)}  # fmt: skip
    return [entry for entry in document.entries if (entry.section, entry.page) in keys and not _is_ruling(entry)]


def _is_legend(entry: AnyEntry, document: Document) -> bool:
    """Lines that each say what a colour means, "Pink Text: …": those of changes, and most of the others begin alike."""
    if not document.change_colours or _is_ruling(entry):
        return False
    lines = [line for line in entry_text.whole(entry).split("\n") if ":" in line]
    labels = Counter(word for line in lines for word in set(_label(line)))
    least = max(COLOURS, len(lines) / 2)
    return any(labels[word] >= least for line in lines if _announces(line, document) for word in _label(line))


def _label(line: str) -> tuple[str, ...]:
    return entry_text.vocables(line.partition(":")[0])


def _first_lines(entry: Definition) -> str:
    return "\n".join((entry.term, *entry.body[:1]))


def _is_imprint(entry: AnyEntry, document: Document) -> bool:
    """What the title page says of the version of this release, and little else."""
    if entry.page > 1 or entry.section or _is_ruling(entry) or not document.version:
        return False
    if not isinstance(entry, Table):
        return _says_release(entry_text.body(entry), document)
    if len(entry.rows) > FIELDS:
        return False
    own = entry_text.vocables(document.version)
    return any(names_version(row[0], entry.language) and set(own) <= set(entry_text.vocables(row[-1]))
               for row in entry.rows if len(row) == PAIR)  # fmt: skip


def _says_release(text: str, document: Document) -> bool:
    """A short text with a word for versions, and with version and date of this release."""
    words = entry_text.vocables(text)
    numbers = {word.lstrip("0") for word in words}
    own = {number.lstrip("0") for number in re.findall(r"\d+", f"{document.version} {document.date}")}
    return len(text) <= IMPRINT and bool(document.date) and own <= numbers and any(
        names_version(word, document.language or "") for word in words
    )


def _is_history(entry: AnyEntry, document: Document) -> bool:
    """A table of versions with their dates; or of either, this release among them."""
    if not isinstance(entry, Table) or len(entry.rows) < ROWS:
        return False
    stamps = [{_bare(cell) for cell in row[:LATER] if _STAMP.fullmatch(cell.strip())} for row in entry.rows]
    own = {text for text in (document.version, document.date) if text}
    least = STAMPED * (len(entry.rows) - 1)
    if sum(len(row) == LATER for row in stamps) >= least:
        return True
    return sum(map(bool, stamps)) >= least and any(own & row for row in stamps)


def _bare(stamp: str) -> str:
    return stamp.strip().lstrip("vV. ")
