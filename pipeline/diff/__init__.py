"""Release x release -> changes: what was added, removed, changed and moved, and what the publisher did not mark.

entry_matching    which entry is which           assignment        the best assignment over all
positions         headings that were renamed     likeness          how alike two texts are
recut_entries     entries cut in another way     exchanged_words   words that a neighbour holds
entry_text        what of an entry is compared   references        to rules and pages
redline           which words changed, and how   redline_style     bold and icons of a redline
inline_lists      what came into a list          row_pairs         rows of two tables side by side
verdicts          what says the contrary         summary_values    what a summary says
self_description  what a document says of itself
announcements     the publisher's own list       release_headings  headings that say a release
rule_paths        under which rule it stands     highlights        notes for the publisher's own PDF
history           many releases: history, since
change_sheet      what a change sheet says       change_formats    text, Markdown, JSON
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from pipeline.diff import entry_text, redline, references, verdicts
from pipeline.diff.entry_matching import match
from pipeline.diff.positions import Place, Places, bare, is_under, moved
from pipeline.diff.recut_entries import Matching
from pipeline.diff.self_description import About, only_announces
from pipeline.records import QA, AnyEntry, Changes, Difference, Document, Fate, Finding, Prose

UNRELATED = 0.15  # of the smaller release's entries found again: below, it is another document
IMPRINTS = 8  # lines that say which release this is; more are a calendar
UNCOLOURED = ("aliases", "refs", "pages")  # parts whose colour is not told: the entry's colour speaks for them

Pair = tuple[AnyEntry, AnyEntry]  # an entry, and what became of it

__all__ = ["apply", "diff", "matched"]


def diff(old: Document, new: Document, forced: Iterable[tuple[str, str]] = ()) -> Changes:
    """What changed between two releases of one document, the most important first."""
    matching = match(old.entries, new.entries, forced)
    return _changes(old, new, matching)


def matched(old: Document, new: Document, forced: Iterable[tuple[str, str]] = ()) -> tuple[Changes, Matching]:
    """The changes with the pairs that they come from: for telling a ruling's story over many releases."""
    matching = match(old.entries, new.entries, forced)
    return _changes(old, new, matching), matching


def apply(entries: Sequence[AnyEntry], changes: Changes) -> tuple[AnyEntry, ...]:
    """The old entries with the changes made: the entries of the new release."""
    gone = {id(d.old) for d in changes.changes if d.old is not None and (d.moved or d.change is Fate.REMOVED)}
    gone |= {id(entry) for d in changes.changes for entry in d.olds if entry is not d.old}
    put = {id(d.old): d.new for d in changes.changes if d.change is Fate.CHANGED}
    now = [put.get(id(entry)) or entry for entry in entries]
    carried = {i for i, _ in changes.carried}
    kept = [now[at] for at, entry in enumerate(entries) if id(entry) not in gone and at not in carried]
    placed = [(d.place, d.new) for d in changes.changes if d.new is not None and (d.moved or d.change is Fate.ADDED)]
    placed += [(place, now[i]) for i, place in changes.carried]
    for d in changes.changes:
        placed += [(at, entry) for at, entry in zip(d.places, d.news, strict=True) if entry is not d.new]
    for place, entry in sorted(placed, key=lambda each: each[0]):
        kept.insert(place, entry)
    return tuple(kept)


# ---------------------------------------------------------------- the changes


def _changes(old: Document, new: Document, matching: Matching) -> Changes:
    places = Places(old.entries, new.entries, matching.pairs)
    elsewhere, carried = moved(places, matching.pairs)
    marks = bool(new.change_colours) or any(entry.changed or entry.struck for entry in new.entries)
    coloured = bool(old.entries) and marks
    stands = _stands(len(new.entries), matching)
    differences: list[Difference] = []
    imprints, about = (redline.imprint(old), redline.imprint(new)), (About(old), About(new))
    pairs = [(old.entries[i], new.entries[j]) for i, j in sorted(matching.pairs.items())]
    numbers = references.renumbering(pairs)
    for i, j in matching.pairs.items():
        joined = _joined(old.entries, new.entries, i, matching, stands)
        each = _difference(joined, numbers, moved=i in elsewhere, apart=matching.is_apart(i))
        if each is not None and not _is_imprint(each, imprints, about[1]) and not only_announces(each, old, new):
            differences.append(replace(each, place=stands[j], marked=_marked(each, coloured)))
    unmatched = _unmatched(old, new, matching, stands, coloured)
    rulings = [each for each in unmatched if not about[each.old is None].is_contents(_entry(each))]
    differences += _without_imprints(rulings, imprints)
    differences = [_told_apart(each, *about) for each in differences]
    touched = {id(entry) for each in differences for entry in (each.new, *each.news)}
    # Where nothing changed it is the same release again, and its colour speaks of the one before.
    kept = [new.entries[j] for j in range(len(new.entries)) if id(new.entries[j]) not in touched]
    return Changes(
        old=old, new=new, changes=tuple(sorted(differences, key=_rank)), renumbered=_renumbered(pairs, differences),
        left_over=tuple(entry for entry in kept if entry.changed and differences),
        carried=tuple((i, stands[matching.pairs[i]]) for i in sorted(carried)),
        findings=(*_unrelated(old, new, matching), *_renamed((old, new), about, places.renamed, imprints),
                  *_reordered(new, matching, carried)),
    )  # fmt: skip


def _joined(
    old: Sequence[AnyEntry], new: Sequence[AnyEntry], i: int, matching: Matching, stands: Sequence[int]
) -> Difference:
    """An entry and what became of it, with those that went into it or came out of it."""
    j = matching.pairs[i]
    difference = Difference(change=Fate.MOVED, kind=new[j].kind, old=old[i], new=new[j])
    if i not in matching.merged and i not in matching.divided:
        return difference
    olds, news = sorted((i, *matching.merged.get(i, ()))), sorted((j, *matching.divided.get(i, ())))
    return replace(difference, olds=tuple(old[at] for at in olds), news=tuple(new[at] for at in news),
                   places=tuple(stands[at] for at in news))  # fmt: skip


def _difference(pair: Difference, numbers: Mapping[str, str], *, moved: bool, apart: bool) -> Difference | None:
    """How entries that belong together differ; nothing when they were only re-typeset. What stood ``apart`` from the
    entry that it is in now moved."""
    assert pair.old is not None
    texts = both(pair)
    same = replace(pair, moved=True, words=(("=", _line(texts, 2)),)) if moved else None
    if not pair.olds and all(before == after for _, before, after in texts):
        return same
    now = entry_text.key(_line(texts, 2))
    if entry_text.key(_line(texts, 1)) == now:
        if apart and not isinstance(pair.old, QA):
            return replace(pair, moved=True, words=(("=", _line(texts, 2)),))
        if not pair.olds:
            return same
    following = [(what, references.followed(before, pair.old, numbers), after) for what, before, after in texts]
    if not pair.olds and entry_text.key(_line(following, 1)) == now:
        return same
    read = [_unpaged(each, pair.old.language) for each in ([texts] if following == texts else [texts, following])]
    spelling = not pair.olds and any(redline.spelling_only(_line(each, 1), _line(each, 2)) for each in read)
    printed = texts if len(pair.news) < 2 else [("text", _all(pair.olds), _all(pair.news))]
    words = _words(printed)
    if not pair.olds and all(sign == "=" for sign, _ in words):
        return same  # a list was set in other columns
    return replace(
        pair, change=Fate.CHANGED, moved=moved, words=words, spelling_only=spelling,
        verdict_flipped=not spelling and _flipped(pair),
        numbers_changed=min((_numbers(pair, each) for each in read), key=len),  # not all references follow
    )  # fmt: skip


def _unpaged(texts: Compared, language: str) -> Compared:
    return [(what, references.unpaged(was, language), references.unpaged(now, language)) for what, was, now in texts]


def _is_imprint(difference: Difference, imprints: tuple[frozenset[str], frozenset[str]], about: About) -> bool:
    """A table of contents, or the line of a title page that says version and date: the documents' fields tell it."""
    if about.is_contents(_entry(difference)):
        return True
    if not (isinstance(difference.old, Prose) and isinstance(difference.new, Prose)) or difference.moved:
        return False
    return len(difference.new.text) <= redline.IMPRINT and redline.imprint_only(
        difference.old.text, difference.new.text, imprints
    )


def _without_imprints(unmatched: list[Difference], imprints: tuple[frozenset[str], frozenset[str]]) -> list[Difference]:
    """Without the lines of two title pages that say version and date, and little else by which they were one."""
    gone, come = (
        [each for each in unmatched if each.change is fate and redline.is_imprint(_entry(each), known)][:IMPRINTS]
        for fate, known in zip((Fate.REMOVED, Fate.ADDED), imprints, strict=True)
    )
    whole = {id(each): entry_text.whole(_entry(each)) for each in (*gone, *come)}
    texts = [(one, other) for one in gone for other in come
             if redline.imprint_only(whole[id(one)], whole[id(other)], imprints)]  # fmt: skip
    dropped = {id(each) for pair in texts for each in pair}
    return [each for each in unmatched if id(each) not in dropped]


def _entry(difference: Difference) -> AnyEntry:
    entry = difference.new or difference.old
    assert entry is not None
    return entry


def _told_apart(difference: Difference, old: About, new: About) -> Difference:
    """A difference that is only in what the document says of itself is marked so; it flips no verdict."""
    sides = [(entry, side) for entry, side in ((difference.old, old), (difference.new, new)) if entry]
    about = all(side.holds(entry) for entry, side in sides) or any(side.describes(entry) for entry, side in sides)
    return replace(difference, about_document=True, verdict_flipped=False, numbers_changed=()) if about else difference


Compared = Sequence[tuple[str, str, str]]  # what, old text, new text


def _line(texts: Compared, side: int) -> str:
    return "\n".join(each[side] for each in texts if each[side])


def both(difference: Difference) -> Compared:
    """(what, old text, new text) of each part; the whole of each where they are of two kinds, or not one and one."""
    old, new = difference.old, difference.new
    assert old is not None
    assert new is not None
    if difference.olds:
        return _side_by_side(difference.olds, difference.news)
    if is_under(old, new):
        return [("text", entry_text.body(old), entry_text.body(new))]
    if old.kind != new.kind:
        return [("text", entry_text.whole(old), entry_text.whole(new))]
    both_parts = zip(entry_text.parts(old), entry_text.parts(new), strict=True)
    return [(what, *_in_one_case(before, after)) for (what, before), (_, after) in both_parts]


def _side_by_side(olds: Sequence[AnyEntry], news: Sequence[AnyEntry]) -> Compared:
    """Questions that became one beside what they were, and answers likewise; all of it, where one is no question."""
    if any(not isinstance(entry, QA) for entry in (*olds, *news)):
        under = any(is_under(old, new) for old in olds for new in news)  # a heading above one is the name of the other
        whole = entry_text.body if under else entry_text.whole
        olds, news = _as_set(olds, news, whole), _as_set(news, olds, whole)
        return [("text", "\n".join(map(whole, olds)), "\n".join(map(whole, news)))]
    sides = [[entry_text.parts(entry) for entry in entries] for entries in (olds, news)]
    was, now = ([_lines(side, 0), _lines(side, 1)] for side in sides)
    return [("question", was[0], now[0]), ("answer", was[1], now[1])]


def _as_set(some: Sequence[AnyEntry], others: Sequence[AnyEntry], text_of: Callable[[AnyEntry], str]) -> list[AnyEntry]:
    """These entries, first the line that the other release prints first: it may stand under its rule in one of them."""
    first = entry_text.key(text_of(others[0]).split("\n")[0])
    return sorted(some, key=lambda entry: not (isinstance(entry, Prose) and entry_text.key(text_of(entry)) == first))


def _lines(entries: Sequence[Sequence[entry_text.NamedText]], at: int) -> str:
    return "\n".join(entry[at][1] for entry in entries)


def _in_one_case(before: str, after: str) -> tuple[str, str]:
    """What is set in capitals in one release alone says the same: nobody wants to read it as changed."""
    if before.isupper() != after.isupper() and before.upper() == after.upper():
        return after, after
    return before, after


def _all(entries: Iterable[AnyEntry]) -> str:
    return "\n".join(entry_text.whole(entry) for entry in entries)


def _words(texts: Compared) -> tuple[redline.Word, ...]:
    """Part by part where both are of one kind, so that a question never runs into its answer."""
    words: list[redline.Word] = []
    for what, before, after in texts:
        if words and (before or after):
            words.append(("=", "\n"))
        words += redline.differences(before, after, what)
    return tuple(words)


def _flipped(pair: Difference) -> bool:
    """A verdict: of an answer, or of what any other entry says. A question that was turned round turns its answer."""
    old, new = pair.old, pair.new
    assert old is not None
    assert new is not None
    words = verdicts.verdicts(new.language)
    if pair.olds:
        return verdicts.negated(_all(pair.olds), _all(pair.news), words)
    if isinstance(old, QA) and isinstance(new, QA):
        asked = verdicts.negated(str(old.question), str(new.question), words)
        return verdicts.flipped("\n".join(old.answer), "\n".join(new.answer), words) != asked
    return verdicts.flipped(entry_text.body(old), entry_text.body(new), words)


def _numbers(pair: Difference, texts: Compared) -> tuple[tuple[str, str], ...]:
    assert pair.new is not None
    words = verdicts.verdicts(pair.new.language)
    return tuple(each for what, was, now in texts for each in redline.numbers_changed(was, now, words, what))


def _unmatched(old: Document, new: Document, matching: Matching, stands: list[int], coloured: bool) -> list[Difference]:
    gone, come = matching.free(len(old.entries), len(new.entries))
    struck = entry_text.letters(" ".join(text for entry in new.entries for text in entry.struck))
    return [
        Difference(change=Fate.REMOVED, kind=old.entries[i].kind, old=old.entries[i], place=i,
                   marked=entry_text.letters(entry_text.whole(old.entries[i])) in struck if coloured else None,
                   words=(("-", entry_text.whole(old.entries[i])),)) for i in gone
    ] + [
        Difference(change=Fate.ADDED, kind=new.entries[j].kind, new=new.entries[j], place=stands[j],
                   marked=new.entries[j].changed if coloured else None,
                   words=(("+", entry_text.whole(new.entries[j])),)) for j in come
    ]  # fmt: skip


def _stands(count: int, matching: Matching) -> list[int]:
    """Where each new entry stands when the changes are made to the old entries: its index, but a text that was
    cut into other entries counts as often as it did in the old release."""
    extra = {run.start: len(left) for left, run in matching.recut}
    inside = {at for _, run in matching.recut for at in run}
    places, place = [], 0
    for at in range(count):
        places.append(place)
        place += extra.get(at, 0) if at in inside else 1
    return places


def _rank(difference: Difference) -> tuple[int, int]:
    """Flips and numbers first, punctuation and spelling last, then the document itself; else as in the document."""
    if difference.about_document:
        return 7, difference.place
    if difference.verdict_flipped:
        return 0, difference.place
    if difference.numbers_changed:
        return 1, difference.place
    if difference.spelling_only:
        return 6, difference.place
    return 2 + [Fate.CHANGED, Fate.ADDED, Fate.REMOVED, Fate.MOVED].index(difference.change), difference.place


# ---------------------------------------------------------------- declared against real


def _marked(difference: Difference, coloured: bool) -> bool | None:
    """Whether the new words are in the publisher's colour, or what went is struck out; words that went otherwise leave
    only the entry to be coloured, and a sign before a name, or a name in colour that stayed, marks all under it."""
    if not coloured or difference.new is None:
        return None
    entries = difference.news or (difference.new,)
    plain = {word for each in entries for what, text in entry_text.parts(each) if what in UNCOLOURED
             for word in entry_text.vocables(text)}  # fmt: skip
    vocables = {
        sign: {word for s, text in difference.words if s == sign for word in entry_text.vocables(text)}
        for sign in "+=-"
    }
    come = (vocables["+"] - vocables["="] or vocables["+"]) - plain
    shown = {word for each in entries for text in each.changed_text for word in entry_text.vocables(text)}
    changed = any(each.changed for each in entries)
    if not come and vocables["-"]:
        struck = {word for each in entries for text in each.struck for word in entry_text.vocables(text)}
        return changed or 2 * len(vocables["-"] & struck) >= len(vocables["-"])
    if not changed or not come or not shown or shown == _kept_name(difference):
        return changed
    return 2 * len(come & shown) >= len(come)


def _kept_name(difference: Difference) -> set[str]:
    """The words of the name that both releases give an entry, or that the new one gives what it put together."""
    assert difference.old is not None
    assert difference.new is not None
    was, now = entry_text.head(difference.old), entry_text.head(difference.new)
    return set(entry_text.vocables(now)) if difference.olds or entry_text.key(was) == entry_text.key(now) else set()


# ---------------------------------------------------------------- moved, renamed, renumbered


def _renumbered(pairs: Iterable[Pair], differences: Iterable[Difference]) -> tuple[tuple[str, str], ...]:
    """Old and new numbers of rules that say the same under another number."""
    changed = {id(each.new) for each in differences if each.change is Fate.CHANGED}
    numbers = ((entry_text.number(was), entry_text.number(now)) for was, now in pairs if id(now) not in changed)
    return tuple((was, now) for was, now in numbers if was and now and was != now)


def _reordered(new: Document, matching: Matching, carried: set[int]) -> list[Finding]:
    """The headings that stand in another order with all that is under them, or under which all was sorted anew."""
    headings = [(*entry.section, *([str(entry.subject)] if entry.subject else [])) for entry in new.entries]
    went = {matching.pairs[i] for i in carried}
    kept = {
        headings[j][:depth] for j in matching.pairs.values() if j not in went for depth in range(len(headings[j]) + 1)
    }
    named: dict[str, None] = {}
    for where in (headings[j] for j in sorted(went)):
        depth = next((depth for depth in range(1, len(where) + 1) if where[:depth] not in kept), len(where))
        named.update(dict.fromkeys(where[depth - 1 : depth]))
    return [Finding(code="headings-reordered", message=heading) for heading in named]


def _renamed(
    releases: tuple[Document, Document], about: tuple[About, About], renamed: dict[Place, Place],
    imprints: tuple[frozenset[str], frozenset[str]],
) -> list[Finding]:  # fmt: skip
    """Headings of rulings that changed their words, once each, as they are printed."""
    if not renamed:
        return []
    pairs = {(was[-1], now[-1]): None for was, now in renamed.items() if len(was) == len(now) and was[-1] != now[-1]}
    before, after = map(_headings, releases, about)
    spelled = [(before[was], after[now]) for was, now in pairs if was in before and now in after]
    return [Finding(code="heading-renamed", message=f"{was} → {now}") for was, now in spelled
            if not redline.imprint_only(was, now, imprints)]  # fmt: skip


def _headings(document: Document, about: About) -> dict[str, str]:
    """The headings above rulings as they are printed; those of a history of revisions or of contents change always."""
    rulings = (entry for entry in document.entries if not about.holds(entry) and not about.is_contents(entry))
    return {bare(heading): str(heading) for entry in rulings for heading in (*entry.section, entry.subject or "")}


def _unrelated(old: Document, new: Document, matching: Matching) -> list[Finding]:
    """A finding where two files are not releases of one document; comparing them would make no sense."""
    why = ""
    if old.language and new.language and old.language != new.language:
        why = f"one is in “{old.language}”, the other in “{new.language}”"
    smaller = min(len(old.entries), len(new.entries))
    same = len(matching.pairs) + len(matching.recut)
    if not why and smaller and same < UNRELATED * smaller:
        why = f"only {same} of {smaller} entries are found again"
    return [Finding(code="unrelated", message=f"these are not releases of one document: {why}")] if why else []
