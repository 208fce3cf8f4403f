"""A click -> an override in words that a person can read, and that the next release is found by.

Each act is a function from what was chosen to tables of overrides.toml; it writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.anchors import first_words, places, shortest, words_of
from pipeline.config import Overrides
from pipeline.desk.shelf import Reading
from pipeline.desk.things import Thing, blocks_of, corrections, order_of, owners, things
from pipeline.errors import UsageError
from pipeline.fields import Use, fields
from pipeline.records import AnyEntry, Block, Document, Heading
from pipeline.text import fold

SHORTEST, LONGEST = 3, 24  # words of a name
MOST = 200  # blocks that one click may be about
CONTEXT = 2  # words at each side of a changed one, if it stands in several places

Tables = list[tuple[str, dict[str, Any]]]


class StaleError(UsageError):
    """What was chosen is no longer there: somebody else changed the book."""

    stale = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """What a click is about."""

    reading: Reading
    overrides: Overrides
    thing: Thing | None
    block: int | None
    asked: Mapping[str, Any]
    others: tuple[Document, ...] = ()  # of the book, as far as they are known

    @property
    def blocks(self) -> tuple[Block, ...]:
        return (*self.reading.structure.blocks, *self.reading.structure.furniture)

    def entry(self) -> AnyEntry:
        if self.thing is None or isinstance(self.thing.held, Heading):
            raise UsageError("choose an entry first")
        return self.thing.held

    def at(self) -> int:
        """The number of the block that was chosen, else of the first one of what was."""
        if self.block is not None and 0 <= self.block < len(self.blocks):
            return self.block
        if self.thing is None:
            raise UsageError("choose a block first")
        return first_block(self.reading, self.thing)

    def text(self, name: str, most: int = 20_000) -> str:
        value = self.asked.get(name, "")
        if not isinstance(value, str) or len(value) > most:
            raise UsageError(f"{name} must be a text")
        return value.strip()

    def number(self, name: str) -> int:
        value = self.asked.get(name)
        if type(value) is not int:
            raise UsageError(f"{name} must be a whole number")
        return value


def first_block(reading: Reading, thing: Thing) -> int:
    """The number of the block that a thing begins in."""
    listed = things(reading.document, order_of(reading))
    numbers = blocks_of(listed, reading).get(thing.key)
    if not numbers:
        raise StaleError("is in no block any more", hint="look at the page again")
    return numbers[0]


def chosen(
    reading: Reading, overrides: Overrides, asked: Mapping[str, Any], others: Sequence[Document] = ()
) -> Click:
    """What the page asks about; a StaleError where it is not there."""
    key, block = asked.get("thing"), asked.get("block")
    known = {each.key: each for each in things(reading.document, order_of(reading))}
    if key is not None and key not in known:
        raise StaleError("was read anew in the meantime", hint="look at the page again")
    number = block if type(block) is int else None
    return Click(reading=reading, overrides=overrides, thing=known.get(str(key)), block=number, asked=asked,
                  others=tuple(others))  # fmt: skip


def act(name: str, what: Click) -> Tables:
    """The tables that an act writes; of several blocks, those of each."""
    if name not in ACTS:
        raise UsageError(f"there is no act {name!r}")
    many = what.asked.get("blocks")
    if not isinstance(many, list) or len(many) < 2:
        return ACTS[name](what)
    if name not in ("join", "furniture", "heading"):
        raise UsageError("choose one block for this")
    if not all(type(each) is int and 0 <= each < len(what.blocks) for each in many) or len(many) > MOST:
        raise UsageError("choose blocks of this document")
    tables: Tables = []
    for each in many if name != "join" else _each_once(what, many):
        alone = replace(what, block=each, thing=_owner(what, each))
        tables += [table for table in ACTS[name](alone) if table not in tables]
    return tables


def _owner(what: Click, block: int) -> Thing | None:
    """The thing that a block begins."""
    listed = things(what.reading.document, order_of(what.reading))
    number = owners(listed, what.blocks).get(block)
    return listed[number] if number is not None else None


def _each_once(what: Click, many: Sequence[int]) -> list[int]:
    """Of blocks that are to be joined, those that begin something; the first thing is what the others are joined with,
    if it has the first block."""
    begin: dict[str, int] = {}
    for each in sorted(many):
        if owner := _owner(what, each):
            begin.setdefault(owner.key, each)
    return list(begin.values())[1:]


# ---------------------------------------------------------------- names of blocks


def _texts(what: Click) -> list[str]:
    return [str(block.text) for block in what.reading.structure.blocks]


def _named(what: Click, at: int) -> tuple[str, str | None]:
    """The words that name a block, and what stands before it where they are not enough."""
    texts = _texts(what)
    if at >= len(texts):
        return str(what.blocks[at].text), None
    return shortest(texts, at)


def _alone(what: Click, at: int) -> str:
    """The words that name a block by themselves."""
    name, after = _named(what, at)
    if after is not None:
        raise UsageError("the same words stand in several places", hint="change the text of one first, or move another")
    return name


# ---------------------------------------------------------------- structure


def _split(what: Click) -> Tables:
    at, word = what.at(), what.number("word")
    texts = _texts(what)
    if at >= len(texts):
        raise UsageError("furniture is not split", hint="say that it is text first")
    own = words_of(texts[at])
    if not 0 <= word < len(own.words):
        raise UsageError("choose the word that the new entry begins with")
    known = [words_of(text) for text in texts]
    for many in range(min(SHORTEST, len(own.words) - word), min(LONGEST, len(own.words) - word) + 1):
        name = texts[at][own.spans[word][0] : own.spans[word + many - 1][1]]
        wanted = words_of(name)
        count = sum(1 for each in known for _ in each.find(wanted))
        begin = places(known, name)
        if begin == [at] if word == 0 else not begin and count == 1:
            break
    return [("split", {"before": " ".join(name.split()), "kind": what.asked.get("kind") or None})]


def _join(what: Click) -> Tables:
    below = what.at()
    if what.thing is not None and below != (first := first_block(what.reading, what.thing)) and below > first:
        return [("join", {"above": _alone(what, below - 1), "below": _alone(what, below)})]  # two paragraphs of it
    listed = [each for each in things(what.reading.document, order_of(what.reading)) if each.sort != "furniture"]
    if isinstance(what.asked.get("blocks"), list) and len(what.asked["blocks"]) > 1:
        upper = _owner(what, min(what.asked["blocks"]))
    else:
        own = next((at for at, each in enumerate(listed) if each == what.thing), 0)
        upper = listed[own - 1] if own else None
    if upper is None:
        raise UsageError("there is nothing above it")
    return [("join", {"above": _alone(what, first_block(what.reading, upper)), "below": _alone(what, below)})]


def _heading(what: Click) -> Tables:
    at, level = what.at(), what.number("level")
    if at >= len(_texts(what)):
        raise UsageError("furniture is no heading", hint="say that it is text first")
    name, after = _named(what, at)
    return [("heading", {"text": name, "level": level, "after": None if what.asked.get("all") else after})]


def _furniture(what: Click) -> Tables:
    at = what.at()
    keep = at >= len(_texts(what))
    if keep:
        return [("furniture", {"text": " ".join(str(what.blocks[at].text).split()), "keep": True})]
    name, after = _named(what, at)
    text = " ".join(str(what.blocks[at].text).split())
    return [("furniture", {"text": text if len(text.split()) <= LONGEST else name,
                           "after": None if what.asked.get("all", True) else after})]  # fmt: skip


def _order(what: Click) -> Tables:
    """The blocks of what was chosen go before another block."""
    target = what.number("before")
    listed = things(what.reading.document, order_of(what.reading))
    own = sorted(blocks_of(listed, what.reading)[what.thing.key]) if what.thing else [what.at()]
    if what.block is not None:
        own = [what.block]
    if target in own:
        raise UsageError("it stands there already")
    together = own == list(range(own[0], own[-1] + 1))
    until = _alone(what, own[-1]) if together and len(own) > 1 else None
    return [("order", {"text": _alone(what, own[0]), "until": until, "before": _alone(what, target)})]


def _table(what: Click) -> Tables:
    at = what.at()
    known = ("join_columns", "split_columns", "join_rows", "header_rows", "rows", "is_text")
    values = {name: what.asked[name] for name in known if what.asked.get(name) not in (None, [], False)}
    if not values:
        raise UsageError("say how the table is divided")
    return [("table", {"text": _alone(what, at), **values})]


def _convention(what: Click) -> Tables:
    values = {name: what.asked[name] for name in ("heading", "kind", "furniture") if name in what.asked}
    return [("convention", {"like": _named(what, what.at())[0], **values})]


# ---------------------------------------------------------------- entries


def entry_name(entry: AnyEntry, documents: Sequence[Document]) -> str:
    """The fewest words that only this entry of its document holds; its id where there are none."""
    from pipeline.dedup.decisions import LEAST, Finder
    from pipeline.dedup.occurrences import body, head

    text = head(entry) or body(entry)
    own = words_of(text)
    for many in range(min(SHORTEST, len(own.words)), min(LONGEST, len(own.words)) + 1):
        name = first_words(text, many)
        if len(fold(name)) < LEAST:
            continue
        finder = Finder(documents, Overrides())
        spots = finder.find(name, "")
        entries = [documents[age].entries[position] for age, position in spots]
        if entries and not finder.findings and all(fold(head(each) or body(each)) == fold(text) for each in entries):
            return name
    return entry.id


def _entry_named(what: Click) -> str:
    return entry_name(what.entry(), [what.reading.document, *what.others])


def _kind(what: Click) -> Tables:
    return [("correct", {"entry": _entry_named(what), "kind": what.text("kind", 20)})]


def _place(what: Click) -> Tables:
    """Put the entry into another section or subject."""
    values: dict[str, Any] = {}
    if "section" in what.asked:
        section = what.asked["section"]
        if not isinstance(section, list) or not all(isinstance(part, str) for part in section):
            raise UsageError("section must be a list of headings")
        values["section"] = [part.strip() for part in section if part.strip()]
    if "subject" in what.asked:
        values["subject"] = what.text("subject", 500)
    if not values:
        raise UsageError("give a section or a subject")
    return [("correct", {"entry": _entry_named(what), **values})]


def _field(what: Click) -> Tables:
    """Another text: only the words that change, where they are enough to find the place."""
    entry = corrections(what.reading.document, what.overrides).get(what.thing.place if what.thing else -1, what.entry())
    given = what.asked.get("fields")
    if not isinstance(given, dict) or not given:
        raise UsageError("nothing was changed")
    texts = _strings(entry)
    changes = []
    for name, value in given.items():
        old = texts.get(str(name))
        new = value if isinstance(value, list) else [value]
        if old is None or not all(isinstance(part, str) for part in new):
            raise UsageError(f"this entry has no {name}")
        changes += [(str(name), before, after) for before, after in zip(old, new, strict=False) if before != after]
        if len(old) != len(new):
            return [("correct", {"entry": _entry_named(what), str(name): new})]
    if not changes:
        raise UsageError("nothing was changed")
    name = _entry_named(what)
    whole = [text for several in texts.values() for text in several]
    tables: Tables = []
    for field, before, after in changes:
        pair = changed_words(before, after)
        if pair and sum(pair[0] in text for text in whole) == 1 and before.count(pair[0]) == 1:
            tables.append(("correct", {"entry": name, "find": pair[0], "put": pair[1]}))
        else:
            tables.append(("correct", {"entry": name, **_whole(field, before, after, texts[field])}))
    return tables


def _whole(field: str, before: str, after: str, values: Sequence[str]) -> dict[str, Any]:
    """All of a text, where some words of it do not tell the place."""
    if field in ("changes", "rows", "target"):  # which have no key of their own
        return {"find": before, "put": after}
    if field in ("answer", "body"):
        return {field: [after if each == before else each for each in values]}
    return {field: after}


def _strings(entry: AnyEntry) -> dict[str, list[str]]:
    """The texts of an entry that can be put right, by their field."""
    own = [each for each in fields(entry) if each.use in (Use.HEAD, Use.BODY) or each.name == "number"]
    strings = {each.name: [str(text) for text in each.texts if text or not each.many] for each in own}
    return {name: texts for name, texts in strings.items() if texts or name != "number"}


def changed_words(before: str, after: str) -> tuple[str, str] | None:
    """The words in which two texts differ, with some of their neighbours so that they stand only once; None where no
    words of the old one are left to find the place by."""
    old, new = before.split(" "), after.split(" ")
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    for more in range(CONTEXT, max(len(old), CONTEXT) + 1):
        low, high = max(0, start - more), min(end, max(0, end - more))
        find = " ".join(old[low : len(old) - high])
        if find and (before.count(find) == 1):
            return find, " ".join(new[low : len(new) - high])
    return None


def _hide(what: Click) -> Tables:
    return [("hide", {"entry": _entry_named(what), "why": what.text("why", 500) or "hidden at the desk"})]


ACTS: Mapping[str, Callable[[Click], Tables]] = {
    "split": _split, "join": _join, "heading": _heading, "furniture": _furniture, "order": _order, "table": _table,
    "convention": _convention, "kind": _kind, "place": _place, "field": _field, "hide": _hide,
}  # fmt: skip
