"""What an erratum speaks of: the entries and paragraphs under a heading, a number, a term, on a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.apply.page_numbers import PageNumbers
from pipeline.apply.slots import Slot, pages_of, slots
from pipeline.records import AnyEntry, Definition, Document, Rule, Table
from pipeline.text import fold

HEAD_WORDS = 8  # a paragraph that is a heading, or the words before a stop that open one
_NUMBER = re.compile(r"^\(?((?:[a-z]{1,4}[-.])?\d+(?:[-.]\w+)*|[ivxlc]+(?:[-.]\w+)+)[.):]?(?:\s+|$)")
_CITED = re.compile(r"[^\W\d]+\.?\s+(\d+(?:[.-]\w+)+)[\s:,.–—-]*(.*)")  # "Rule 3.2 – Haul"
_BETWEEN = re.compile(r"\s*(?:,|;|:|>|›|»|/|\s[-–—]\s)\s*")
_LEAD = re.compile(r"\s*(?:[:.]|\s[-–—]|[–—])\s*(?=\S)")
_STRAY = re.compile(r"[\W_]*\d{0,4}[\W_]*")  # a page number, dots of a drawing


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage of the rulebook."""

    slots: tuple[Slot, ...]
    entries: tuple[int, ...]  # in order
    # "entry": a heading over one entry; "lead": words that open a paragraph; "section": a heading over several entries;
    # "heading": it is on this page, but what it is over was not told apart; "page": all that stands on it
    how: str
    parent: bool = False  # other headings stand below its own
    name: str = ""

    @property
    def exact(self) -> bool:
        return self.how in ("entry", "lead")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """A rulebook, ready to be looked through."""

    document: Document
    paging: PageNumbers

    def on(self, sheets: Iterable[int]) -> tuple[int, ...]:
        """The entries that stand on some sheets of the PDF."""
        wanted = set(sheets)
        return tuple(n for n, entry in enumerate(self.document.entries) if wanted & set(pages_of(entry)))


def said(text: str) -> str:
    """A name for comparing: no number in front, no stop behind, no marks around it."""
    return fold(_NUMBER.sub("", fold(text).strip())).strip(" .:;,-\"'()[]")


def number_of(text: str) -> str:
    """The number that a heading begins with; "" where it has none."""
    match = _NUMBER.match(fold(text))
    return match[1].strip(".") if match else ""


def at_page(shelf: Rulebook, sheets: Sequence[int]) -> Passage:
    """All that stands on some sheets."""
    entries = shelf.on(sheets)
    on_page = tuple(slot for n in entries for slot in real(slots(shelf.document.entries[n], n)))
    return Passage(slots=on_page, entries=entries, how="page")


def places(shelf: Rulebook, target: str, sheets: Sequence[int]) -> list[Passage]:
    """Every passage of that name on the sheets, or in the whole book when none are named; the surest kind only."""
    among = shelf.on(sheets) if sheets else tuple(range(len(shelf.document.entries)))
    for name, above in _readings(target):
        for look in (_entries, _leads, _sections, _headings):
            passages = look(shelf, among, name, above)
            if passages:
                return passages
    return []


def _readings(target: str) -> list[tuple[str, str]]:
    """A target as a name, or as a name behind those of what it is in: "Characters, Nerve"."""
    parts = [part for part in _BETWEEN.split(target) if part.strip()]
    readings = [(target, "")]
    if match := _CITED.match(target):
        readings.append((f"{match[1]} {match[2]}".strip(), ""))
    if len(parts) > 1:
        readings.append((parts[-1], parts[0]))
    return readings


# ---------------------------------------------------------------- kinds of places


def _entries(shelf: Rulebook, among: Sequence[int], name: str, above: str) -> list[Passage]:
    passages: list[Passage] = []
    for n in among:
        entry = shelf.document.entries[n]
        if not any(_same(each, name) for each in names(entry)) or not _under(entry, above):
            continue
        own_slots = real(slots(entry, n))
        if own_slots and not _title(entry) and _same(own_slots[0].text, name):
            own_slots = own_slots[1:]  # its heading was read as a paragraph
        if passages and passages[-1].entries[-1] == n - 1 and isinstance(entry, Table) and not entry.title:
            whole = (*passages[-1].entries, n)  # its heading is that of the rule before it
            passages[-1] = Passage(
                slots=(*passages[-1].slots, *own_slots), entries=whole, how="entry", parent=True, name=name
            )
            continue
        passages.append(
            Passage(slots=own_slots, entries=(n,), how="entry", parent=_is_parent(shelf.document, n), name=name)
        )
    return passages


def tables_of(shelf: Rulebook, place: Passage) -> Passage:
    """Only the tables of a passage, where it has any."""
    entries = tuple(n for n in place.entries if isinstance(shelf.document.entries[n], Table))
    in_tables = tuple(slot for slot in place.slots if slot.entry in entries)
    return Passage(slots=in_tables, entries=entries, how=place.how, parent=True, name=place.name) if entries else place


def prose_of(place: Passage) -> Passage:
    """A passage without its tables."""
    in_prose = tuple(slot for slot in place.slots if not slot.is_cell)
    entries = tuple(dict.fromkeys(slot.entry for slot in in_prose))
    return Passage(slots=in_prose, entries=entries, how=place.how, parent=place.parent, name=place.name)


def _leads(shelf: Rulebook, among: Sequence[int], name: str, above: str) -> list[Passage]:
    """Paragraphs that begin with the name, "Nerve: …" or "Nerve" in bold; one paragraph each."""
    passages = []
    for n in among:
        entry = shelf.document.entries[n]
        if not _under(entry, above):
            continue
        for slot in real(slots(entry, n)):
            if not slot.is_cell and _same(lead(slot), name):
                passages.append(Passage(slots=(slot,), entries=(n,), how="lead", name=name))
    return passages


def _sections(shelf: Rulebook, among: Sequence[int], name: str, above: str) -> list[Passage]:
    """The entries under a heading that is none of an entry; each run of them is one place."""
    runs: list[list[int]] = []
    for n in among:
        entry = shelf.document.entries[n]
        if not any(_same(each, name) for each in (*entry.section, entry.subject or "")) or not _under(entry, above):
            continue
        if runs and runs[-1][-1] == n - 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    return [
        Passage(slots=tuple(slot for n in run for slot in real(slots(shelf.document.entries[n], n))),
                entries=tuple(run),
              how="section", parent=len(run) > 1, name=name)
        for run in runs
    ]  # fmt: skip


def _headings(shelf: Rulebook, among: Sequence[int], name: str, above: str) -> list[Passage]:
    """A heading on one of the sheets: what stands there may be under it."""
    if above:
        return []
    sheets = {page for n in among for page in pages_of(shelf.document.entries[n])}
    pages = {each.page for each in shelf.document.headings if each.page in sheets and _same(each.text, name)}
    if len(pages) != 1:
        return []
    [page] = pages
    entries = tuple(n for n in among if page in pages_of(shelf.document.entries[n]))
    texts = tuple(slot for n in entries for slot in real(slots(shelf.document.entries[n], n)))
    return [Passage(slots=texts, entries=entries, how="heading", parent=True, name=name)]


# ---------------------------------------------------------------- names


def names(entry: AnyEntry) -> list[str]:
    """What an entry is called by."""
    all_names = [_title(entry)]
    if isinstance(entry, Rule) and entry.number:
        all_names += [entry.number, f"{entry.number} {entry.title}"]
        if not entry.title and entry.body and len(entry.body[0].split()) <= HEAD_WORDS:
            all_names.append(str(entry.body[0]))
    if isinstance(entry, Definition):
        all_names += entry.aliases
    if isinstance(entry, Table) and not entry.title and entry.section:
        all_names.append(entry.section[-1])
    return [each for each in all_names if each.strip()]


def _title(entry: AnyEntry) -> str:
    title = entry.title if isinstance(entry, (Rule, Table)) else entry.term if isinstance(entry, Definition) else None
    return str(title or "")


def lead(slot: Slot) -> str:
    """The words that open a paragraph as its heading: in bold, or few before a colon or a dash; "" of any other."""
    text = slot.text
    bold = 0
    for span in text.spans:
        if not span.bold and span.text.strip():
            break
        bold += len(span.text)
    opened = str(text)[:bold].strip().rstrip(".:–—- ") if 0 < bold < len(text) else ""
    if opened:
        return opened
    match = _LEAD.search(text)
    return str(text)[: match.start()] if match and len(str(text)[: match.start()].split()) <= HEAD_WORDS else ""


def _same(one: str, name: str) -> bool:
    """The same name; a number in front must agree where both have one. "Table" behind a name does not count."""
    if not one:
        return False
    mine, theirs = number_of(one), number_of(name)
    bare, wanted = said(one), said(name)
    if mine and theirs and mine != theirs:
        return False
    if mine and theirs and not (bare and wanted):
        return True
    return bool(wanted) and bare == wanted


def _under(entry: AnyEntry, above: str) -> bool:
    return not above or any(_same(each, above) for each in (*entry.section, entry.subject or "", *names(entry)))


def _is_parent(document: Document, n: int) -> bool:
    """Whether the entry after it stands below its heading: the end of one is not the end of both."""
    entry, following = document.entries[n], document.entries[n + 1 : n + 2]
    if not following or not isinstance(entry, Rule):
        return False
    after = following[0]
    number = getattr(after, "number", None)
    if entry.number and number:
        return re.match(rf"{re.escape(entry.number)}[-.]\w", number) is not None
    title = said(_title(entry))
    return bool(title) and any(said(each) == title for each in after.section) and title not in map(said, entry.section)


def real(candidates: Iterable[Slot]) -> tuple[Slot, ...]:
    """Slots without stray page numbers and the dots of drawings; the cells of a table all."""
    return tuple(slot for slot in candidates if slot.is_cell or not _STRAY.fullmatch(slot.text))
