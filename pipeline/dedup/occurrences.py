"""An entry where it stands: the record that dedup works on, and what each kind of entry says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline import fields
from pipeline.dedup import wording
from pipeline.records import QA, AnyEntry, Document, Erratum, Operation, Prose
from pipeline.text import BULLETS, fold

_ITEM = re.compile(rf"\s*(?:[{BULLETS}–-]\s|\d{{1,2}}[.)]\s)")
_TAIL = re.compile(r"\s*[(\[][^)\]]*[)\]]\s*$|\s*(?:n\s*°|№|#)\s*\d+\s*$")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Occurrence:
    """One entry in one release, with the keys of its words."""

    entry: AnyEntry
    age: int  # of its document: 0 is the oldest
    order: int  # of its document in the book
    position: int  # in its document
    head: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()  # keys of the heading it stands under
    heading: tuple[str, ...] = ()  # keys of the nearest section heading, for a text without a head of its own
    context: tuple[str, ...] = ()  # of the heading, when the text is about "this one"
    asked: tuple[str, ...] = ()  # of the heading, when the question names nothing that has a heading
    original: AnyEntry | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        return self.head + self.body

    @property
    def place(self) -> tuple[int, int]:
        return self.order, self.position


def head(entry: AnyEntry) -> str:
    """What an entry is about: question, corrected place, term, title."""
    if isinstance(entry, Erratum):
        asked = [part for change in entry.changes for part in (change.instruction, change.old or "")]
        return " ".join([*(f"p{page}" for page in entry.pages), entry.target, *asked])
    return fields.head(entry)


def replaced(entry: Erratum) -> tuple[object, ...] | None:
    """The passage that an erratum gives another text: page, target and what was said of the place; None if unsure.

    A card has no page: there it is the text that is replaced."""
    if len(entry.changes) != 1 or not entry.target:
        return None
    [change] = entry.changes
    if change.operation is not Operation.REPLACE or not change.new or not (entry.pages or change.old):
        return None
    instruction = fold(change.instruction)
    for text in change.new:
        instruction = re.sub(rf"(?<!\w){re.escape(fold(text))}(?!\w)", "", instruction)
    signs = re.sub(r"[\W_]+", " ", f"{fold(entry.target)} {fold(change.old or '')} {instruction}")
    return entry.pages or (fold(entry.subject or ""),), signs.strip()


def body(entry: AnyEntry) -> str:
    """What an entry says about it."""
    return "\n".join(fields.lines(entry))


def name_of(subject: str) -> str:
    """A heading without the number of its card: "Fog Bank (#12)" is "Fog Bank"."""
    short = _TAIL.sub("", subject)
    return short if short.strip() else subject


def occurrences(
    documents: Sequence[tuple[int, Document]], corrected: dict[tuple[int, int], AnyEntry]
) -> tuple[Occurrence, ...]:
    """Every entry of the documents, given with the place of each in the book, from the oldest to the newest."""
    by_spot = {
        (age, position): _Said.of(corrected.get((age, position), entry))
        for age, (_, document) in enumerate(documents)
        for position, entry in enumerate(document.entries)
    }
    keys = wording.Keys(_small_words(by_spot.values()))
    names = subject_names(entry for _, document in documents for entry in document.entries)
    finished = []
    for age, (order, document) in enumerate(documents):
        times: Counter[tuple[object, ...]] = Counter()
        for position, printed in enumerate(document.entries):
            entry = corrected.get((age, position), printed)
            original = printed if entry is not printed else None
            bare = Occurrence(entry=entry, original=original, age=age, order=order, position=position)
            finished.append(_in_its_list(_with_keys(bare, by_spot[age, position], keys, names), times))
    return tuple(finished)


def _in_its_list(occurrence: Occurrence, times: Counter[tuple[object, ...]]) -> Occurrence:
    """An item of a list says something about what stands above it: the same words in the next list are another item."""
    entry = occurrence.entry
    if not isinstance(entry, Prose) or not _ITEM.match(entry.text):
        return occurrence
    times[entry.section, occurrence.body] += 1
    place = (
        *(wording.bare(heading.lower()) for heading in entry.section),
        f"item {times[entry.section, occurrence.body]}",
    )
    return replace(occurrence, context=occurrence.context + place)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """The words of an entry, found once."""

    language: str
    head: list[wording.Token]
    body: list[wording.Token]

    @classmethod
    def of(cls, entry: AnyEntry) -> _Said:
        about = wording.tokens(wording.asked(head(entry), entry.language) if isinstance(entry, QA) else head(entry))
        if isinstance(entry, QA):
            about = wording.impersonal(about, entry.language)
        return cls(language=entry.language, head=about, body=wording.tokens(body(entry)))


def _small_words(words: Iterable[_Said]) -> dict[str, Counter[str]]:
    small: dict[str, Counter[str]] = {}
    for each in words:
        counts = small.setdefault(each.language, Counter())
        counts.update(wording.small_words(each.head))
        counts.update(wording.small_words(each.body))
    return small


def _with_keys(occurrence: Occurrence, own: _Said, keys: wording.Keys, names: Names) -> Occurrence:
    entry, tongue = occurrence.entry, occurrence.entry.language
    subject = keys.of(wording.tokens(name_of(entry.subject)), tongue) if entry.subject else ()
    heading = () if own.head or not entry.section else keys.of(wording.tokens(entry.section[-1]), tongue)
    about = bool(subject) and not named(own.head, names)
    here = wording.language(tongue).here | wording.language(tongue).pronouns
    points = about and (any(word.lower() in here for _, word in (*own.head, *own.body))
                        or wording.is_nameless(own.head, tongue)) and not named(own.body, names)  # fmt: skip
    return replace(
        occurrence, subject=subject, heading=heading, head=keys.of(own.head, tongue), body=keys.of(own.body, tongue),
        context=subject if points else (), asked=subject if about else (),
    )  # fmt: skip


# ---------------------------------------------------------------- names

Names = dict[str, tuple[tuple[str, ...], ...]]  # first word -> the names that begin with it, the longest first


def subject_names(entries: Iterable[AnyEntry]) -> Names:
    """The names of all headings, to be found in texts."""
    return index({tuple(plain(name_of(entry.subject))) for entry in entries if entry.subject})


def index(names: Iterable[tuple[str, ...]]) -> Names:
    """Names by their first word, the longest first: a text is gone through once."""
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for name in sorted(names, key=lambda each: (-len(each), each)):
        if name and len("".join(name)) > 2:
            by_first.setdefault(name[0], []).append(name)
    return {first: tuple(group) for first, group in by_first.items()}


def plain(text: str) -> list[str]:
    """The words of a name or text, for looking one up in the other."""
    return [wording.bare(word.lower()) for _, word in wording.tokens(text)]


def named(tokens: Sequence[wording.Token], names: Names) -> list[tuple[str, ...]]:
    """The names that stand in a text with a capital letter, the longest at each place."""
    known, place = [], 0
    while place < len(tokens):
        name = None if tokens[place][1][0].islower() else _longest(tokens, place, names)
        if name:
            known.append(name)
        place += len(name) if name else 1
    return known


def _longest(tokens: Sequence[wording.Token], place: int, names: Names) -> tuple[str, ...] | None:
    group = names.get(wording.bare(tokens[place][1].lower()), ())
    if not group:
        return None
    flat = tuple([wording.bare(word.lower()) for _, word in tokens[place : place + len(group[0])]])
    return next((name for name in group if flat[: len(name)] == name), None)
