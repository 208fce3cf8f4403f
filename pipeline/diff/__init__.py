"""Release x release -> changes: what was added, removed, changed and moved, and what the publisher did not mark.

match   which entry is which          assign  the best assignment over all
places  headings that were renamed    likeness  how alike two texts are
words   what kind of change           parts   what of an entry is compared
about   what a document says of itself    verdicts  what says the contrary
story   many releases: history, since
show    changes -> text, Markdown, JSON and what the change sheet prints
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipeline.diff import parts, verdicts, words
from pipeline.diff.about import is_about
from pipeline.diff.assign import longest_rising
from pipeline.diff.match import Matching, match
from pipeline.diff.places import Place, bare, called, place, renames
from pipeline.records import QA, AnyEntry, Changes, Difference, Document, Fate, Finding, Prose

UNRELATED = 0.15  # of the smaller release's entries found again: below, it is another document
UNCOLOURED = ("aliases", "refs", "pages")  # parts whose colour is not told: the entry's colour speaks for them
IMPRINT = 200  # letters: a longer text says more than which release this is

__all__ = ["apply", "diff", "matched"]


def diff(old: Document, new: Document, forced: Iterable[tuple[str, str]] = ()) -> Changes:
    """What changed between two releases of one document, the most important first."""
    found = match(old.entries, new.entries, forced)
    return _changes(old, new, found)


def matched(old: Document, new: Document, forced: Iterable[tuple[str, str]] = ()) -> tuple[Changes, Matching]:
    """The changes with the pairs that they come from: for telling a ruling's story over many releases."""
    found = match(old.entries, new.entries, forced)
    return _changes(old, new, found), found


def apply(entries: Sequence[AnyEntry], changes: Changes) -> tuple[AnyEntry, ...]:
    """The old entries with the changes made: the entries of the new release."""
    gone = {id(d.old) for d in changes.changes if d.old is not None and (d.moved or d.change is Fate.REMOVED)}
    put = {id(d.old): d.new for d in changes.changes if d.change is Fate.CHANGED}
    made = [put.get(id(entry)) or entry for entry in entries if id(entry) not in gone]
    placed = [d for d in changes.changes if d.new is not None and (d.moved or d.change is Fate.ADDED)]
    for difference in sorted(placed, key=lambda d: d.place):
        assert difference.new is not None
        made.insert(difference.place, difference.new)
    return tuple(made)


# ---------------------------------------------------------------- the changes


def _changes(old: Document, new: Document, found: Matching) -> Changes:
    renamed = renames(old.entries, new.entries, found.pairs)
    moved = _moved(old.entries, new.entries, found, renamed)
    coloured = bool(old.entries) and (bool(new.change_colours) or any(entry.changed for entry in new.entries))
    places = _places(len(new.entries), found)
    made: list[Difference] = []
    imprints = words.imprint(old), words.imprint(new)
    for i, j in found.pairs.items():
        told = _difference(old.entries[i], new.entries[j], i in moved)
        if told is not None and not _is_imprint(told, imprints):
            made.append(replace(told, place=places[j], marked=_marked(told, coloured)))
    made += [told for told in _unmatched(old, new, found, places, coloured) if not _is_imprint(told, imprints)]
    made = [_told_apart(told, old, new) for told in made]
    touched = {id(difference.new) for difference in made}
    # Where nothing changed it is the same release again, and its colour speaks of the one before.
    kept = [new.entries[j] for j in range(len(new.entries)) if id(new.entries[j]) not in touched]
    return Changes(
        old=old, new=new, changes=tuple(sorted(made, key=_rank)), renumbered=_renumbered(old, new, found),
        left_over=tuple(entry for entry in kept if entry.changed and made),
        findings=(*_unrelated(old, new, found), *_renamed(old, new, renamed, imprints)),
    )  # fmt: skip


def _difference(old: AnyEntry, new: AnyEntry, moved: bool) -> Difference | None:
    """How two entries that belong together differ; nothing when they were only re-typeset."""
    before, after = parts.whole(old), parts.whole(new)
    if parts.key(before) == parts.key(after):
        return Difference(change=Fate.MOVED, kind=new.kind, old=old, new=new, moved=True) if moved else None
    spelling = words.spelling_only(before, after)
    return Difference(
        change=Fate.CHANGED, kind=new.kind, old=old, new=new, moved=moved, words=_words(old, new),
        verdict_flipped=not spelling and _flipped(old, new), numbers_changed=_numbers(old, new), spelling_only=spelling,
    )  # fmt: skip


def _is_imprint(told: Difference, imprints: tuple[frozenset[str], frozenset[str]]) -> bool:
    """A table of contents, or the line of a title page that says version and date: the documents' fields tell it."""
    entry = told.new or told.old
    assert entry is not None
    if parts.is_contents(entry):
        return True
    if not (isinstance(told.old, Prose) and isinstance(told.new, Prose)) or told.moved or len(told.new.text) > IMPRINT:
        return False
    return words.imprint_only(told.old.text, told.new.text, imprints)


def _told_apart(told: Difference, old: Document, new: Document) -> Difference:
    """What a document tells about itself is no ruling: nothing in it flips, and nobody marks it."""
    about = all(is_about(entry, document) for entry, document in ((told.old, old), (told.new, new)) if entry)
    return replace(told, about_document=True, verdict_flipped=False, numbers_changed=()) if about else told


def _words(old: AnyEntry, new: AnyEntry) -> tuple[words.Word, ...]:
    """Part by part where both are of one kind, so that a question never runs into its answer."""
    made: list[words.Word] = []
    for _, before, after in both(old, new):
        if made and (before or after):
            made.append(("=", "\n"))
        made += words.differences(before, after)
    return tuple(made)


def both(old: AnyEntry, new: AnyEntry) -> list[tuple[str, str, str]]:
    """(what, old text, new text) of each part; the whole of each when they are of two kinds."""
    if old.kind != new.kind:
        return [("text", parts.whole(old), parts.whole(new))]
    was = parts.parts(old)
    return [(what, before, after) for (what, before), (_, after) in zip(was, parts.parts(new), strict=True)]


def _flipped(old: AnyEntry, new: AnyEntry) -> bool:
    """A verdict: of an answer, or of what any other entry says. A question that was turned round turns its answer."""
    said = verdicts.verdicts(new.language)
    if isinstance(old, QA) and isinstance(new, QA):
        asked = verdicts.negated(str(old.question), str(new.question), said)
        return verdicts.flipped("\n".join(old.answer), "\n".join(new.answer), said) != asked
    return verdicts.flipped(parts.body(old), parts.body(new), said)


def _numbers(old: AnyEntry, new: AnyEntry) -> tuple[tuple[str, str], ...]:
    said = verdicts.verdicts(new.language)
    return tuple(pair for _, before, after in both(old, new) for pair in words.numbers_changed(before, after, said))


def _unmatched(old: Document, new: Document, found: Matching, places: list[int], coloured: bool) -> list[Difference]:
    gone, come = found.free(len(old.entries), len(new.entries))
    silent = False if coloured else None  # what is gone cannot be printed in colour
    return [
        Difference(change=Fate.REMOVED, kind=old.entries[i].kind, old=old.entries[i], place=i, marked=silent,
                   words=(("-", parts.whole(old.entries[i])),)) for i in gone
    ] + [
        Difference(change=Fate.ADDED, kind=new.entries[j].kind, new=new.entries[j], place=places[j],
                   marked=new.entries[j].changed if coloured else None,
                   words=(("+", parts.whole(new.entries[j])),)) for j in come
    ]  # fmt: skip


def _places(count: int, found: Matching) -> list[int]:
    """Where each new entry stands when the changes are made to the old entries: its index, but a text that was
    cut into other entries counts as often as it did in the old release."""
    extra = {run.start: len(left) for left, run in found.recut}
    inside = {at for _, run in found.recut for at in run}
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


def _marked(told: Difference, coloured: bool) -> bool | None:
    """Whether the new words are in the publisher's colour; words that went leave only the entry to be coloured."""
    if not coloured or told.new is None:
        return None
    plain = {word for what, text in parts.parts(told.new) if what in UNCOLOURED for word in parts.vocables(text)}
    said = {sign: {word for s, text in told.words if s == sign for word in parts.vocables(text)} for sign in "+="}
    come = (said["+"] - said["="] or said["+"]) - plain
    shown = {word for text in told.new.changed_text for word in parts.vocables(text)}
    if not told.new.changed or not come or not shown:
        return told.new.changed
    return 2 * len(come & shown) >= len(come)


# ---------------------------------------------------------------- moved, renamed, renumbered


def _moved(old: Sequence[AnyEntry], new: Sequence[AnyEntry], found: Matching, renamed: dict[Place, Place]) -> set[int]:
    """Old places of entries that stand under another heading, or before others that they stood behind."""
    lefts = sorted(found.pairs)
    kept = longest_rising([found.pairs[i] for i in lefts])
    moved = {i for at, i in enumerate(lefts) if at not in kept}
    return moved | {i for i in lefts if called(place(old[i]), renamed) != place(new[found.pairs[i]])}


def _renumbered(old: Document, new: Document, found: Matching) -> tuple[tuple[str, str], ...]:
    """Old and new numbers of rules that say the same under another number."""
    same = [(old.entries[i], new.entries[j]) for i, j in sorted(found.pairs.items())]
    same = [(was, now) for was, now in same if parts.key(parts.whole(was)) == parts.key(parts.whole(now))]
    numbers = ((parts.number(was), parts.number(now)) for was, now in same)
    return tuple((was, now) for was, now in numbers if was and now and was != now)


def _renamed(
    old: Document, new: Document, renamed: dict[Place, Place], imprints: tuple[frozenset[str], frozenset[str]]
) -> list[Finding]:
    """Headings that changed their words, once each, as they are printed."""
    told = {(was[-1], now[-1]): None for was, now in renamed.items() if len(was) == len(now) and was[-1] != now[-1]}
    printed = {bare(heading): heading for each in (old, new) for heading in _headings(each)}
    said = [pair for pair in told if not words.imprint_only(*pair, imprints)]
    return [Finding(code="heading-renamed", message=f"{printed[was]} → {printed[now]}") for was, now in said]


def _headings(document: Document) -> Iterable[str]:
    for entry in document.entries:
        yield from entry.section
        yield str(entry.subject or "")


def _unrelated(old: Document, new: Document, found: Matching) -> list[Finding]:
    """Said, not diffed into nonsense: two files that are not releases of one document."""
    why = ""
    if old.language and new.language and old.language != new.language:
        why = f"one is in “{old.language}”, the other in “{new.language}”"
    smaller = min(len(old.entries), len(new.entries))
    same = len(found.pairs) + len(found.recut)
    if not why and smaller and same < UNRELATED * smaller:
        why = f"only {same} of {smaller} entries are found again"
    return [Finding(code="unrelated", message=f"these are not releases of one document: {why}")] if why else []
