"""Entries -> rulings: one ruling, all its citations.

The steps, in order:

1. documents are put in order of age, as book.toml corrects them;      ``releases``
2. corrections of overrides.toml are made;                             ``decisions``
3. every entry gets the keys of its words;                             ``wording``, ``occurrences``
4. releases of one document are recognised: only the newest counts;    ``releases``
5. entries with the same keys are one ruling;                          here
6. the same question, term or passage with another ruling is a conflict;  here, ``question_forms``
7. what came or changed with the last release is marked;               ``release_marks``
8. codes, cross-references, and what is alike but not the same.        ``codes``, ``see_also``, ``near_duplicates``
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from pipeline.config import BookSettings, Overrides
from pipeline.dedup import codes, decisions, near_duplicates, question_forms, releases, see_also, wording
from pipeline.dedup.occurrences import Occurrence, body, head, occurrences, replaced
from pipeline.dedup.release_marks import ReleaseMark, marks
from pipeline.records import QA, AnyEntry, Book, Citation, Definition, Document, Erratum, Finding, Kind, Rule, Ruling
from pipeline.text import even, fold

ALIKE = 0.8  # of all words in common: below it, two rulings are not worth a person's eye
ASKED = 3  # words: a shorter question ("Why?") is not the same question elsewhere
FAMILY = 12  # questions of the same words that are compared with each other
TELLING = 4  # letters of a word of a game's name: shorter ones are in any title
QUOTED = 60  # letters of an entry in a message

Signature = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """The places of one ruling: where it counts, and where it stood in older releases."""

    current: tuple[Occurrence, ...]
    past: tuple[Occurrence, ...] = ()
    apart: tuple[object, ...] = ()
    disputed: tuple[Group, ...] = ()

    @property
    def all(self) -> tuple[Occurrence, ...]:
        return self.current + self.past


def dedup(
    documents: Sequence[Document], settings: BookSettings | None = None, overrides: Overrides | None = None
) -> Book:
    """The rulings of several documents, each once, with every citation; independent of the order of the documents."""
    settings, overrides = settings or BookSettings(), overrides or Overrides()
    known = sorted(_as_told(documents, settings), key=releases.age_key)
    finder = decisions.Finder(known, overrides)
    corrected = decisions.corrected(known, overrides, finder)
    standing = occurrences(list(zip(_order(known, settings), known, strict=True)), corrected)
    chains, findings = releases.chains(known, standing, settings)
    past = {number for chain in chains for number in chain[:-1]}
    marked = marks(known, standing, chains, settings)
    groups = _groups(standing, past, overrides, finder)
    groups = _conflicts(groups, lambda occurrence: _rank(occurrence, known, settings))
    pairs = [(group, _ruling(group, known, settings, marked)) for group in groups]
    pairs.sort(key=lambda pair: (_chosen(pair[0], known, settings).place, pair[1].entry.id))
    rulings = _finished(pairs, known, settings, marked)
    alike = _near([group for group, _ in pairs], rulings)
    finder.gone(past)
    all_findings = [*finder.findings, *decisions.replayed(known, past, overrides.file)]
    book = _book(known, past, settings, rulings, alike, [*findings, *all_findings, *_disputes(rulings)])
    followed = {known[chain[-1]].source for chain in chains}
    return replace(book, alone=tuple(each.source for each in book.documents if each.source not in followed))


# ---------------------------------------------------------------- documents


def _as_told(documents: Sequence[Document], settings: BookSettings) -> Iterable[Document]:
    """The documents that count, with what book.toml says about each; the same file twice is one."""
    unique = {(document.source, document.sha256, document.entries): document for document in documents}
    for document in unique.values():
        asked = settings.documents.get(document.source)
        if asked is None:
            yield document
        elif not asked.leave_out:
            names = ("title", "game", "version", "date", "language", "publisher")
            yield replace(document, **{name: value for name in names if (value := getattr(asked, name)) is not None})


def _order(documents: Sequence[Document], settings: BookSettings) -> list[int]:
    """The place of each document in the book: as book.toml says, then by name ("2" before "10")."""
    first = {name: place for place, name in enumerate(settings.order)}

    def key(number: int) -> tuple[object, ...]:
        source = documents[number].source
        parts = [
            (int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|\D+", source.casefold())
        ]
        return first.get(source, len(first)), parts, number

    places = {number: place for place, number in enumerate(sorted(range(len(documents)), key=key))}
    return [places[number] for number in range(len(documents))]


# ---------------------------------------------------------------- the same ruling


def _groups(
    standing: Sequence[Occurrence], past: set[int], overrides: Overrides, finder: decisions.Finder
) -> list[Group]:
    """Entries with the same keys together; what only older releases hold, or is hidden, is left out."""
    apart = _kept_apart(overrides, finder)
    hidden = {
        spot for place, hide in enumerate(overrides.hide, start=1) for spot in finder.find(hide.entry, f"hide {place}")
    }
    together = _Union()
    titled: set[Signature] = {
        (occurrence.entry.language, occurrence.head, occurrence.body)
        for occurrence in standing
        if occurrence.head and _states(occurrence.entry)
    }
    signatures = {
        (occurrence.age, occurrence.position): _signature(occurrence, titled, apart) for occurrence in standing
    }
    for place, merge in enumerate(overrides.merge, start=1):
        spots_of = [spots for name in merge.entries if (spots := finder.find(name, f"merge {place}"))]
        together.join(signatures[spot] for spots in spots_of for spot in sorted(spots))
    gathered: dict[Signature, list[Occurrence]] = {}
    out = set()
    for occurrence in standing:
        spot = (occurrence.age, occurrence.position)
        home = together.root(signatures[spot])
        gathered.setdefault(home, []).append(occurrence)
        if spot in hidden:
            out.add(home)
    return [
        Group(
            current=tuple(occurrence for occurrence in group if occurrence.age not in past),
            past=tuple(occurrence for occurrence in group if occurrence.age in past),
            apart=apart.get((group[0].age, group[0].position), ()),
        )
        for home, group in gathered.items()
        if home not in out and any(occurrence.age not in past for occurrence in group)
    ]


def _signature(
    occurrence: Occurrence, titled: set[Signature], apart: Mapping[decisions.Spot, tuple[object, ...]]
) -> Signature:
    """What must be equal. A rule here may be a plain text under the same heading there: that is one ruling too."""
    entry = occurrence.entry
    spot = (occurrence.age, occurrence.position)
    if not occurrence.keys:
        return (entry.kind, "empty", spot)
    about = occurrence.heading if (entry.language, occurrence.heading, occurrence.body) in titled else occurrence.head
    kind = Kind.RULE if _states(entry) else entry.kind
    return kind, entry.language, about, occurrence.body, occurrence.context, apart.get(spot, ())


def _states(entry: AnyEntry) -> bool:
    return entry.kind in (Kind.RULE, Kind.DEFINITION, Kind.TEXT)


def _kept_apart(overrides: Overrides, finder: decisions.Finder) -> dict[decisions.Spot, tuple[object, ...]]:
    """A mark for each place that must not be merged: the name it goes by."""
    marked: dict[decisions.Spot, tuple[object, ...]] = {}
    for place, rule in enumerate(overrides.keep_apart, start=1):
        for name in rule.entries:
            for spot in finder.find(name, f"keep_apart {place}"):
                marked[spot] = (*marked.get(spot, ()), (place, name))
    return marked


class _Union:
    """Signatures that a person said are one."""

    def __init__(self) -> None:
        self._parent: dict[Signature, Signature] = {}

    def root(self, one: Signature) -> Signature:
        while one in self._parent:
            one = self._parent[one]
        return one

    def join(self, signatures: Iterable[Signature]) -> None:
        roots = list(dict.fromkeys(self.root(each) for each in signatures))
        for other in roots[1:]:
            self._parent[other] = roots[0]


# ---------------------------------------------------------------- conflicts


def _conflicts(groups: list[Group], rank: _Rank) -> list[Group]:
    """One matter, and another ruling on it: the newest ruling, with the others beside it."""
    settled: list[Group] = []
    for same in _by_matter(groups):
        same = _agreed(same)
        if not _may_dispute(same):
            settled += same
            continue
        same.sort(key=lambda group: max(rank(occurrence) for occurrence in group.current), reverse=True)
        settled.append(replace(same[0], disputed=tuple(same[1:])))
    return settled


def _by_matter(groups: Sequence[Group]) -> list[list[Group]]:
    """The groups that decide one matter, together; a question may be asked in other words."""
    matters = [_matter(group) for group in groups]
    alike: dict[Signature, dict[Signature, Occurrence]] = {}
    for group, matter in zip(groups, matters, strict=True):
        occurrence = _first(group)
        for likeness in question_forms.likenesses(occurrence) if occurrence.entry.kind is Kind.QA else ():
            alike.setdefault((*likeness, group.apart), {}).setdefault(matter, occurrence)
    together = _Union()
    for asked in alike.values():
        for one, other in combinations(list(asked)[:FAMILY], 2):
            if question_forms.ask_the_same(asked[one], asked[other]):
                together.join((one, other))
    by_matter: dict[Signature, list[Group]] = {}
    for group, matter in zip(groups, matters, strict=True):
        by_matter.setdefault(together.root(matter), []).append(group)
    return list(by_matter.values())


def _agreed(same: list[Group]) -> list[Group]:
    """One group of those whose answers agree: a mere "yes" says what a yes with its reasons says."""
    if len(same) == 1 or _first(same[0]).entry.kind is not Kind.QA:
        return same
    merged: list[Group] = []
    for group in sorted(same, key=lambda group: question_forms.is_bare(_first(group))):
        at = next((at for at, each in enumerate(merged) if question_forms.agree(_first(each), _first(group))), None)
        if at is None:
            merged.append(group)
        else:
            twin = merged[at]
            merged[at] = replace(twin, current=twin.current + group.current, past=twin.past + group.past)
    return merged


def _first(group: Group) -> Occurrence:
    return min(group.current, key=lambda each: each.place)


def _matter(group: Group) -> Signature:
    """What a ruling decides: a question; a passage of a page; a term, title or target with all but numbers and
    negations."""
    occurrence = _first(group)
    entry, alone = occurrence.entry, ("alone", occurrence.age, occurrence.position)
    if not occurrence.body and not isinstance(entry, Erratum):
        return alone
    match entry:
        case QA() if len(occurrence.head) >= ASKED:
            return entry.language, occurrence.head, occurrence.asked, group.apart
        case Erratum() if (passage := replaced(entry)) is not None:
            return "passage", entry.language, *passage, group.apart
        case Erratum() if occurrence.head and len(bones := wording.skeleton(occurrence.body, entry.language)) >= ASKED:
            return "amended", entry.language, entry.pages, occurrence.head, occurrence.subject, bones, group.apart
        case Definition() | Rule() if occurrence.head:
            bones = wording.skeleton(occurrence.body, entry.language)
            return "term", entry.language, occurrence.head, occurrence.context, bones, group.apart
    return alone


def _may_dispute(groups: Sequence[Group]) -> bool:
    """Sources dispute with each other; one that says two things by itself means two things. Questions are one thing."""
    if len(groups) == 1 or groups[0].current[0].entry.kind is Kind.QA:
        return True
    sources = [{occurrence.age for occurrence in group.current} for group in groups]
    return len(set().union(*sources)) == sum(map(len, sources))


def _disputes(rulings: Sequence[Ruling]) -> list[Finding]:
    return [
        Finding(
            code="conflict", source=ruling.entry.source, page=ruling.entry.page,
            message=f"{ruling.code}: {_quoted(ruling.entry)} is {_told(ruling.entry)} differently in "
            + ", ".join(f"{entry.source} (page {entry.page})" for entry in ruling.disputed),
        )
        for ruling in rulings
        if ruling.conflict
    ]  # fmt: skip


def _told(entry: AnyEntry) -> str:
    return {Kind.QA: "answered", Kind.ERRATUM: "corrected"}.get(entry.kind, "told")


# ---------------------------------------------------------------- rulings

_Rank = Callable[[Occurrence], tuple[int, int, int]]


def _rank(occurrence: Occurrence, documents: Sequence[Document], settings: BookSettings) -> tuple[int, int, int]:
    """Which wording is printed: the highest."""
    preferred = int(documents[occurrence.age].source == settings.prefer)
    age = -occurrence.age if settings.prefer == "oldest" else occurrence.age
    return preferred, age, -occurrence.position


def _chosen(group: Group, documents: Sequence[Document], settings: BookSettings) -> Occurrence:
    """The wording that is printed; a mere "yes" gives way to one with its reasons, where nobody prefers its source."""

    def key(occurrence: Occurrence) -> tuple[int, ...]:
        preferred, *rest = _rank(occurrence, documents, settings)
        return preferred, not question_forms.is_bare(occurrence), *rest

    return max(group.current, key=key)


def _ruling(
    group: Group, documents: Sequence[Document], settings: BookSettings, marked: Mapping[decisions.Spot, ReleaseMark]
) -> Ruling:
    chosen = _chosen(group, documents, settings)
    others = sorted(
        (occurrence for occurrence in group.all if occurrence is not chosen), key=lambda s: (-s.age, s.position)
    )
    disputed = sorted(
        (_chosen(each, documents, settings) for each in group.disputed), key=lambda s: (-s.age, s.position)
    )
    cited = [occurrence for each in (group, *group.disputed) for occurrence in each.all]
    mark = marked.get((chosen.age, chosen.position))
    return Ruling(
        entry=chosen.entry,
        citations=tuple(_citation(occurrence) for occurrence in sorted(cited, key=lambda s: (-s.age, s.position))),
        variants=_wordings(chosen.entry, [occurrence.entry for occurrence in others]),
        conflict=bool(disputed), disputed=tuple(occurrence.entry for occurrence in disputed),
        since=mark.what if mark else None, since_date=mark.date if mark else None, original=chosen.original,
    )  # fmt: skip


def _citation(occurrence: Occurrence) -> Citation:
    entry = occurrence.entry
    subject = None if entry.subject is None else str(entry.subject)
    return Citation(source=entry.source, page=entry.page, section=entry.section, subject=subject)


def _wordings(chosen: AnyEntry, others: Iterable[AnyEntry]) -> tuple[AnyEntry, ...]:
    """The other wordings, each once: what differs in more than quotes and dashes."""
    seen = {_words(chosen)}
    wordings = []
    for entry in others:
        if (words := _words(entry)) not in seen:
            seen.add(words)
            wordings.append(entry)
    return tuple(wordings)


def _words(entry: AnyEntry) -> tuple[str, str]:
    return even(head(entry)), even(body(entry))


def _finished(
    pairs: Sequence[tuple[Group, Ruling]],
    documents: Sequence[Document],
    settings: BookSettings,
    marked: Mapping[decisions.Spot, ReleaseMark],
) -> tuple[Ruling, ...]:
    """With ids that are one ruling's alone, codes and cross-references."""
    origins = [_origin(group, documents, marked) for group, _ in pairs]
    given = codes.codes(origins, settings.codes)
    rulings = [replace(ruling, code=code) for ruling, code in zip(_own_ids([r for _, r in pairs]), given, strict=True)]
    linked = see_also.see_also(rulings)
    return tuple(replace(ruling, see_also=also) for ruling, also in zip(rulings, linked, strict=True))


def _own_ids(rulings: Sequence[Ruling]) -> list[Ruling]:
    """Two rulings with the same words (kept apart by their headings) may bring one id: the later gets a number."""
    times: Counter[str] = Counter()
    renamed = []
    for ruling in rulings:
        times[ruling.entry.id] += 1
        number = times[ruling.entry.id]
        entry = ruling.entry if number == 1 else replace(ruling.entry, id=f"{ruling.entry.id}~{number}")
        renamed.append(replace(ruling, entry=entry))
    return renamed


def _origin(
    group: Group, documents: Sequence[Document], marked: Mapping[decisions.Spot, ReleaseMark]
) -> codes.FirstEntry:
    """The first form of a ruling, through all releases that are there."""
    oldest = min(group.all, key=lambda occurrence: (occurrence.age, occurrence.position))
    while (mark := marked.get((oldest.age, oldest.position))) is not None and mark.before is not None:
        oldest = mark.before
    return codes.FirstEntry(entry=oldest.entry, date=documents[oldest.age].date)


# ---------------------------------------------------------------- alike, not the same


def _near(groups: Sequence[Group], rulings: Sequence[Ruling]) -> list[tuple[Ruling, Ruling, str]]:
    keys = [_compared(group) for group in groups]
    return [
        (rulings[one], rulings[other], near_duplicates.difference(_said(rulings[one]), _said(rulings[other])))
        for one, other, _ in near_duplicates.pairs(keys, ALIKE)
        if not near_duplicates.only_names(keys[one], keys[other])
        and _comparable(rulings[one].entry, rulings[other].entry)
    ]


def _compared(group: Group) -> tuple[str, ...]:
    """Of a question only the question: "yes" and "no" make two of them no less alike."""
    occurrence = _first(group)
    return occurrence.head if occurrence.entry.kind is Kind.QA else occurrence.keys


def _comparable(one: AnyEntry, other: AnyEntry) -> bool:
    return one.language == other.language and (one.kind == other.kind or (_states(one) and _states(other)))


def _said(ruling: Ruling) -> list[str]:
    return [word.lower() for _, word in wording.tokens(f"{head(ruling.entry)} {body(ruling.entry)}")]


def _alike_findings(alike: Iterable[tuple[Ruling, Ruling, str]]) -> Iterable[Finding]:
    for one, other, differs in alike:
        yield Finding(
            code="near", source=one.entry.source, page=one.entry.page,
            message=f"{one.code} {_quoted(one.entry)} and {other.code} {_quoted(other.entry)} "
            f"({other.entry.source}, page {other.entry.page}) are alike, not the same: {differs}",
        )  # fmt: skip


def _quoted(entry: AnyEntry) -> str:
    quotation = even(head(entry) or body(entry))
    return f'"{quotation}"' if len(quotation) <= QUOTED else f'"{quotation[: QUOTED - 1]}…"'


# ---------------------------------------------------------------- the book


def _book(
    documents: Sequence[Document],
    past: set[int],
    settings: BookSettings,
    rulings: tuple[Ruling, ...],
    alike: Sequence[tuple[Ruling, Ruling, str]],
    findings: Iterable[Finding],
) -> Book:
    order = _order(documents, settings)
    placed = sorted(range(len(documents)), key=order.__getitem__)
    light = [replace(document, entries=(), headings=(), furniture=()) for document in documents]
    current = tuple(light[number] for number in placed if number not in past)
    dates = [document.date for document in current if document.date]
    language = settings.language or _most([ruling.entry.language for ruling in rulings]) or "en"
    game = settings.game or _game(current)
    title = settings.title or _title(current, game) or _called(settings.name) or next(
        (document.title for document in current if document.title), ""
    )
    return Book(
        name=settings.name, title=title, game=game, language=language, date=max(dates, default=None),
        documents=current, superseded=tuple(light[number] for number in placed if number in past), rulings=rulings,
        near=tuple((one.entry.id, other.entry.id) for one, other, _ in alike),
        findings=(*findings, *_alike_findings(alike)),
    )  # fmt: skip


def _title(documents: Sequence[Document], game: str | None) -> str:
    """The title of the only source; of several, the game they are for. That of one of them would be wrong of the
    others."""
    titles = list(dict.fromkeys(document.title for document in documents if document.title))
    return titles[0] if len(titles) == 1 else game or ""


def _game(documents: Sequence[Document]) -> str | None:
    """The game of the sources; none where one of them names no game, and nothing in its title or file is of that one:
    it may be for another."""
    game = _shared([document.game for document in documents])
    known = {word for word in re.findall(r"\w+", fold(game or "")) if len(word) >= TELLING}
    others = [fold(f"{document.title or ''} {document.source}") for document in documents if not document.game]
    return game if all(any(word in title for word in known) for title in others) or not known else None


def _called(folder: str) -> str:
    """A folder's name as a title: "my-game" is "My game"."""
    spaced = re.sub(r"[-_\s]+", " ", folder).strip()
    return spaced[:1].upper() + spaced[1:]


def _shared(values: Sequence[str | None]) -> str | None:
    """What most of those say that say anything: of three games none is the one."""
    most = _most(values)
    return most if 2 * values.count(most) > sum(value is not None for value in values) else None


def _most(values: Iterable[str | None]) -> str | None:
    counts = Counter(value for value in values if value)
    return min(counts, key=lambda value: (-counts[value], value)) if counts else None
