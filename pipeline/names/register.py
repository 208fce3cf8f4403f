"""Entries -> the register of names: each with all that is about it and all that names it.

Names come from subjects, terms, titles and the targets of errata, from headings of sections, and from the texts
themselves. Forms of one name are one ("Zahnräder", "Zahnrad"); a part of a name stands for it where nothing else is
called so.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache

from pipeline import fields
from pipeline.names import heading_names
from pipeline.names.name_forms import Word, common_stems, key, stems_of, telling, words
from pipeline.names.name_forms import small as small_words
from pipeline.names.phrases import phrases
from pipeline.names.text_names import Seen, seen
from pipeline.records import QA, AnyEntry, Definition, Prose, Rule, Table
from pipeline.text import RIGHTS, fold, is_capitals
from pipeline.vocab import vocabulary

LABEL = 3  # places: a title that returns under so many headings is a label, no name
QUOTED = 4  # entries: a single word in small letters that a question quotes, and more hold, is any word
SEEN = 2  # entries: one word with a capital that fewer hold is no name
PART = 4  # letters of a part that may stand for the whole
TERM_PART = 5  # letters of the first word of a term that may stand for it in small letters: "grain" for "grain of salt"
AT_HOME = 0.5  # of its places: a part that stands elsewhere more often is a word of its own
IN_SMALL = 0.25  # of all: a word that is written small more often than this has its capital from its sentence

Key = tuple[str, ...]


class Origin(IntEnum):
    """Where a name comes from; the first there is has the spelling."""

    TERM = 0
    SUBJECT = 1
    TITLE = 2
    TARGET = 3
    SECTION = 4
    TEXT = 5
    PHRASE = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name, and the places (among the entries) where it stands."""

    name: str
    key: Key
    origin: Origin
    own: tuple[int, ...] = ()  # entries about it: definition, errata, rulings under its heading
    defined: tuple[int, ...] = ()  # of those, the ones that say what it is
    under: tuple[int, ...] = ()  # all that stands under its heading, also under subjects of their own
    asked: tuple[int, ...] = ()  # entries that name it in their question, title or target
    named: tuple[int, ...] = ()  # entries that name it anywhere and are not its own
    also: tuple[str, ...] = ()  # in another language
    numbers: tuple[str, ...] = ()  # of its card
    parts: tuple[str, ...] = ()  # stems of its words that stand for it
    forms: tuple[Key, ...] = ()  # longer ways to say it: "Odile Grey", "Odile the Lost"

    @property
    def places(self) -> tuple[int, ...]:
        return tuple(sorted({*self.own, *self.named}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """The names of a book, by the order of where they first stand."""

    names: tuple[Name, ...]
    language: str
    entries: tuple[AnyEntry, ...]
    called: frozenset[str] = frozenset()  # stems of what the game and the book are called


@dataclass(slots=True)
class _Draft:
    key: Key
    spelled: Counter[tuple[int, str]] = field(default_factory=Counter)
    own: dict[int, None] = field(default_factory=dict)
    defined: dict[int, None] = field(default_factory=dict)
    under: dict[int, None] = field(default_factory=dict)
    asked: dict[int, None] = field(default_factory=dict)
    named: dict[int, None] = field(default_factory=dict)
    also: dict[str, None] = field(default_factory=dict)
    numbers: dict[str, None] = field(default_factory=dict)
    parts: set[str] = field(default_factory=set)
    forms: dict[Key, None] = field(default_factory=dict)
    in_small: bool = False  # also written in small letters it is meant

    @property
    def origin(self) -> Origin:
        return Origin(min(origin for origin, _ in self.spelled))

    @property
    def spelling(self) -> str:
        """As its best place has it; not in capitals where there is another way, nor with a small letter first."""
        best = min(self.spelled, key=lambda each: (is_capitals(each[1]) and len(each[1]) > 4, each[0],
                                                   each[1][:1].islower(), -self.spelled[each], each[1]))  # fmt: skip
        return best[1]


@dataclass(frozen=True, slots=True)
class _Said:
    """The words of an entry, the ones that say what it is about apart."""

    asked: tuple[tuple[str, list[Word]], ...]
    said: tuple[tuple[str, list[Word]], ...]


def register(
    entries: Iterable[AnyEntry],
    language: str,
    *,
    subjects: Sequence[Iterable[str]] = (),
    game: str = "",
    title: str = "",
) -> Register:
    """The names of some entries. ``subjects``: others that each stands under, where it is cited from several places;
    ``game``, ``title``: its own name, which tells nothing apart, and the book's."""
    all_entries = tuple(entries)
    drafts: dict[Key, _Draft] = {}
    _add_headings(drafts, all_entries, subjects, language)
    texts = [words_of(entry, entry.language or language) for entry in all_entries]
    small = _in_small(texts)
    _add_texts(drafts, all_entries, texts, small, language)
    _add_phrases(drafts, all_entries, texts, language)
    _find(drafts, all_entries, texts, small, language)
    _call_by_first_name(drafts, small, language)
    ours = set(key(game, language))
    kept = [draft for draft in drafts.values() if draft.origin < Origin.SECTION or not ours.issuperset(draft.key)]
    kept = [draft for draft in kept if not _is_phrase(draft) or len(draft.key) > 1 or len(draft.named) <= QUOTED]
    names = [_finished(draft) for draft in kept if draft.own or draft.named or draft.under]
    names.sort(key=lambda name: (min((*name.places, *name.under)), name.key))
    called = frozenset((*ours, *key(title, language)))
    return Register(names=tuple(names), language=language, entries=all_entries, called=called)


def _finished(draft: _Draft) -> Name:
    named = sorted(place for place in draft.named if place not in draft.own)
    return Name(
        name=draft.spelling, key=draft.key, origin=draft.origin, own=tuple(sorted(draft.own)),
        defined=tuple(sorted(draft.defined)), under=tuple(sorted(draft.under)), asked=tuple(sorted(draft.asked)),
        named=tuple(named), also=tuple(draft.also), numbers=tuple(draft.numbers), parts=tuple(sorted(draft.parts)),
        forms=tuple(draft.forms),
    )  # fmt: skip


# ---------------------------------------------------------------- headings, terms, titles, targets


def _add_headings(
    drafts: dict[Key, _Draft], entries: Sequence[AnyEntry], subjects: Sequence[Iterable[str]], language: str
) -> None:
    labels = _labels(entries)
    for place, entry in enumerate(entries):
        if isinstance(entry, Prose) and RIGHTS.search(entry.text):
            continue
        tongue = entry.language or language
        more = subjects[place] if subjects else ()
        for name, number, origin in _names_of(entry, more, tongue, labels):
            if origin in (Origin.TITLE, Origin.TARGET) and _is_structural(key(name, tongue), tongue):
                continue
            draft = _own(drafts, name, origin, place, tongue)
            if number:
                draft.numbers[number] = None
            if isinstance(entry, Definition) and origin is Origin.TERM:
                draft.also.update(dict.fromkeys(entry.aliases))
            if origin in (Origin.TERM, Origin.TITLE):
                draft.defined[place] = None
            draft.in_small = draft.in_small or origin in (Origin.TERM, Origin.TITLE, Origin.TARGET)
        for heading in entry.section:
            _add_section(drafts, heading, entry, place, tongue)


def _own(drafts: dict[Key, _Draft], name: str, origin: Origin, place: int, language: str) -> _Draft:
    stems = key(name, language)
    draft = drafts.setdefault(stems, _Draft(key=stems))
    draft.spelled[origin, name] += 1
    draft.own[place] = None
    return draft


# What an entry is called by that is a name; a question is none.
HEADS = {"term": Origin.TERM, "target": Origin.TARGET, "title": Origin.TITLE}


def _names_of(
    entry: AnyEntry, subjects: Iterable[str], language: str, labels: frozenset[tuple[str, str]]
) -> Iterator[tuple[str, str, Origin]]:
    """The names that an entry is about, the number of each, and where they come from."""
    for subject in dict.fromkeys([*([str(entry.subject)] if entry.subject else []), *subjects]):
        yield from ((name, number, Origin.SUBJECT) for name, number in heading_names.headed(subject, language))
    for each in fields.fields(entry):
        origin, name = HEADS.get(each.name), str(each.texts[0]) if each.texts else ""
        if origin is not None and (origin is not Origin.TITLE or (name and (entry.source, fold(name)) not in labels)):
            read = heading_names.targets if origin is Origin.TARGET else heading_names.headed
            yield from ((stems, number, origin) for stems, number in read(name, language))


def _labels(entries: Iterable[AnyEntry]) -> frozenset[tuple[str, str]]:
    """Titles that return under many headings of a source: "Abilities"."""
    under: defaultdict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
    for entry in entries:
        if isinstance(entry, Rule | Table) and entry.title:
            under[entry.source, fold(entry.title)].add(entry.section)
    return frozenset(title for title, sections in under.items() if len(sections) >= LABEL)


def _is_structural(stems: Key, language: str, *, section: bool = False) -> bool:
    """A heading that every such document has: "Errata", "Weapon abilities"; over a section also "General"."""
    known = _structural(language, section)
    return stems in known or all((each,) in known for each in stems)


@cache
def _structural(language: str, section: bool) -> frozenset[Key]:
    known = vocabulary(language)
    phrases = (*known.errata.headings, *known.rule.headings, *known.document.kinds, *known.document.contents,
               *known.document.subjects, *known.document.introduction, *known.document.history, *known.question.words,
               *known.names.kinds, *(known.names.heads if section else ()))  # fmt: skip
    return stems_of(phrases, language)


def _add_section(drafts: dict[Key, _Draft], heading: str, entry: AnyEntry, place: int, language: str) -> None:
    """A heading over entries is the name of a faction or a phase: those are its own that stand under no subject."""
    for part in heading_names.targets(heading, language):
        stems = key(part[0], language)
        if _is_structural(stems, language, section=True):
            continue
        draft = drafts.setdefault(stems, _Draft(key=stems))
        draft.spelled[Origin.SECTION, part[0]] += 1
        draft.under[place] = None
        if entry.subject is None and heading == entry.section[-1]:
            draft.own[place] = None


# ---------------------------------------------------------------- texts


def words_of(entry: AnyEntry, language: str) -> _Said:
    """What an entry says, word by word."""
    def found(texts: Iterable[str]) -> tuple[tuple[str, list[Word]], ...]:
        return tuple((str(text), words(str(text), language)) for text in texts if text)

    if isinstance(entry, Prose) and RIGHTS.search(entry.text):
        return _Said((), ())
    return _Said(found(fields.texts(entry, fields.Use.HEAD)), found(fields.texts(entry, fields.Use.BODY)))


def _in_small(texts: Iterable[_Said]) -> dict[str, float]:
    """How much of its places each word is written small."""
    small: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for each in texts:
        for _, words_in in (*each.asked, *each.said):
            whole.update(word.stem for word in words_in if not word.capital or not word.opens)
            small.update(word.stem for word in words_in if not word.capital)
    return {word: small[word] / count for word, count in whole.items()}


def _add_texts(
    drafts: dict[Key, _Draft],
    entries: Sequence[AnyEntry],
    texts: Sequence[_Said],
    small: dict[str, float],
    language: str,
) -> None:
    """Names that have no heading of their own. Running text is left out: credits are no names of the game."""
    sightings: dict[Key, list[tuple[int, Seen]]] = {}
    for place, (entry, each) in enumerate(zip(entries, texts, strict=True)):
        if isinstance(entry, Prose | Table):
            continue
        tongue = entry.language or language
        for text, inside in (*each.asked, *each.said):
            for one in seen(text, inside, tongue):
                one_key = key(one.text, tongue)
                if one_key and telling(one_key, tongue):
                    sightings.setdefault(one_key, []).append((place, one))
    for one_key, places in list(sightings.items()):
        for shorter, moved in _cut(one_key, places, sightings, drafts, language):
            sightings.setdefault(shorter, []).extend(moved)
    for one_key, places in sightings.items():
        if not _is_name(one_key, places, small):
            continue
        draft = drafts.setdefault(one_key, _Draft(key=one_key))
        for place, one in places:
            if one_key == key(one.text, entries[place].language or language):
                draft.spelled[Origin.TEXT, one.text] += 1
            if one.number:
                draft.numbers[one.number] = None


def _add_phrases(drafts: dict[Key, _Draft], entries: Sequence[AnyEntry], texts: Sequence[_Said], language: str) -> None:
    """Terms that questions ask about and that nobody wrote with a capital."""
    asked = [text for entry, each in zip(entries, texts, strict=True) if isinstance(entry, QA) for text in each.asked]
    alone = {draft.key[0] for draft in drafts.values() if len(draft.key) == 1 and draft.origin is Origin.TEXT}
    kinds = stems_of(vocabulary(language).names.kinds, language)
    for stems, spelled in phrases(asked, language).items():
        called = stems[:1] in kinds and spelled.split()[-1][:1].isupper()  # "the card Heron"
        if stems not in drafts and alone.isdisjoint(stems) and not called:
            drafts[stems] = _Draft(key=stems, in_small=True)
            drafts[stems].spelled[Origin.PHRASE, spelled[:1].upper() + spelled[1:]] += 1


_Places = list[tuple[int, Seen]]


def _cut(
    stems: Key, places: _Places, known: dict[Key, _Places], drafts: dict[Key, _Draft], language: str
) -> Iterator[tuple[Key, _Places]]:
    """A run of capitals that is two names with "of" between them, and stands once: the one before, with its places.
    The other is known, and the run is no name any more."""
    if stems in drafts or any(one.sure for _, one in places):
        return
    for at in range(1, len(stems) - 1):
        if stems[at] not in small_words(language):
            continue
        tail = stems[at + 1 :] if stems[at + 1] not in small_words(language) else stems[at + 2 :]
        alone = {place for place, _ in known.get(tail, ())}
        if not tail or not (tail in drafts or len(alone) >= SEEN) or len({place for place, _ in places}) >= SEEN:
            continue
        moved, head = list(places), stems[:at]
        places.clear()
        if len(telling(head, language)) > 1 and head not in drafts:
            yield head, [(place, _before(one, at)) for place, one in moved]
        return


def _before(one: Seen, count: int) -> Seen:
    """The first words of a name as one."""
    text = "".join(re.findall(r"\W*[^\W_]+", one.text)[:count])
    return Seen(text, one.start, one.start + len(text), one.sure, "", one.opens)


def _is_name(stems: Key, places: Sequence[tuple[int, Seen]], small: dict[str, float]) -> bool:
    """Several words with capitals, one that keeps its capital inside sentences, or what is quoted or numbered."""
    if not places or all(len(each) < PART or not each.isalpha() for each in stems):
        return False
    if any(one.sure for _, one in places):
        return True
    inside = [place for place, one in places if not one.opens]
    if len(stems) == 1:
        return len(set(inside)) >= SEEN and small.get(stems[0], 0.0) <= IN_SMALL and len(stems[0]) >= PART - 1
    if not inside and small.get(stems[0], 0.0) > 0:
        return False  # "Each Captain": its first word is written small elsewhere
    return bool(inside) or (len(stems) > 1 and small.get(stems[0], 1.0) == 0)


def _find(
    drafts: dict[Key, _Draft],
    entries: Sequence[AnyEntry],
    all_texts: Sequence[_Said],
    small: dict[str, float],
    language: str,
) -> None:
    """Every name in every text, the longest at each place."""
    by_first: dict[str, list[_Draft]] = {}
    for draft in sorted(drafts.values(), key=lambda draft: (_is_phrase(draft), -len(draft.key), draft.key)):
        by_first.setdefault(draft.key[0], []).append(draft)
    parts: defaultdict[str, dict[int, bool]] = defaultdict(dict)
    wholes = _wholes(drafts, language)
    terms = {word for word, whole in wholes.items() if whole.origin is Origin.TERM}
    for place, (entry, each) in enumerate(zip(entries, all_texts, strict=True)):
        tongue = entry.language or language
        for asked, texts in ((True, each.asked), (False, each.said)):
            for _, text_words in texts:
                for draft in _inside(text_words, by_first, small, tongue):
                    draft.named[place] = None
                    if asked:
                        draft.asked[place] = None
                for word in text_words:
                    if word.stem not in wholes:
                        continue
                    proper = word.capital and (not word.opens or small.get(word.stem, 0.0) == 0)
                    if proper or word.stem in terms:
                        parts[word.stem][place] = parts[word.stem].get(place, False) or asked
    _add_parts(drafts, parts, wholes, entries)


def _inside(
    text_words: Sequence[Word], by_first: dict[str, list[_Draft]], small: dict[str, float], language: str
) -> Iterator[_Draft]:
    at = 0
    while at < len(text_words):
        draft = next(
            (each for each in by_first.get(text_words[at].stem, ())
             if _stands(each, text_words, at, small, language)), None
        )
        if draft is not None:
            yield draft
        at += len(draft.key) if draft and not _is_phrase(draft) else 1


def _is_phrase(draft: _Draft) -> bool:
    return draft.origin is Origin.PHRASE


def _stands(draft: _Draft, text_words: Sequence[Word], at: int, small: dict[str, float], language: str) -> bool:
    """Whether a name stands here: its words in their order, with its capital unless it is a term of the game."""
    run = text_words[at : at + len(draft.key)]
    if len(run) < len(draft.key) or any(word.stem != each for word, each in zip(run, draft.key, strict=True)):
        return False
    if any(word.apart for word in run[1:]):
        return False
    plain = all(word.stem in common_stems(language) for word in run)
    if not plain and (draft.in_small or len(telling(draft.key, language)) > 1):
        return True
    return run[0].capital and (not run[0].opens or (not plain and small.get(run[0].stem, 0.0) <= IN_SMALL))


def _wholes(drafts: dict[Key, _Draft], language: str) -> dict[str, _Draft]:
    """Words that are in one name only, and that name; of a term its first word, which people say for it."""
    holders: defaultdict[str, list[_Draft]] = defaultdict(list)
    for draft in drafts.values():
        for each in set(draft.key) if not _is_phrase(draft) else ():
            holders[each].append(draft)
    wholes: dict[str, _Draft] = {}
    for word, drafts_of in holders.items():
        longer = [draft for draft in drafts_of if len(draft.key) > 1]
        alone = [draft for draft in drafts_of if len(draft.key) == 1]
        if (
            len(longer) != 1
            or any(draft.origin is not Origin.TEXT for draft in alone)
            or not telling((word,), language)
        ):
            continue
        [whole] = longer
        short = TERM_PART if whole.origin is Origin.TERM else PART
        headed = whole.origin is not Origin.TERM or (whole.key[0] == word and len(telling(whole.key, language)) > 1)
        if whole.origin in (Origin.SUBJECT, Origin.TEXT, Origin.TERM) and headed and len(word) >= short:
            wholes[word] = whole
    return wholes


def _add_parts(
    drafts: dict[Key, _Draft], parts: dict[str, dict[int, bool]], wholes: dict[str, _Draft], entries: Sequence[AnyEntry]
) -> None:
    """A part that mostly stands where its whole name does is that name."""
    for word, places in parts.items():
        whole = wholes[word]
        home = {entries[place].section for place in (*whole.own, *whole.named)}
        alone = [place for place in places if place not in whole.named]
        if alone and sum(entries[place].section in home for place in alone) < AT_HOME * len(alone):
            continue
        whole.parts.add(word)
        whole.named.update(dict.fromkeys(places))
        whole.asked.update(dict.fromkeys(place for place, asked in places.items() if asked))
        drafts.pop((word,), None)


def _call_by_first_name(drafts: dict[Key, _Draft], small: dict[str, float], language: str) -> None:
    """A person who is called by one name alone, never in small letters, is the same with another behind it."""
    longer: defaultdict[str, list[_Draft]] = defaultdict(list)
    for draft in drafts.values():
        for word in set(draft.key) if len(draft.key) > 1 else ():
            longer[word].append(draft)
    for first in [draft for draft in drafts.values() if len(draft.key) == 1 and draft.origin is Origin.TEXT]:
        [word] = first.key
        longer_ones = longer[word]
        if small.get(word, 0.0) > 0 or any(not _begins_with(each, word, language) for each in longer_ones):
            continue
        for each in longer_ones:
            first.forms[each.key] = None
            first.named.update(each.named)
            first.asked.update(each.asked)
            first.numbers.update(each.numbers)
            del drafts[each.key]


def _begins_with(draft: _Draft, word: str, language: str) -> bool:
    return draft.origin is Origin.TEXT and draft.key[0] == word and draft.key[1] not in small_words(language)
