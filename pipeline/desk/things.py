"""What was read, as the page shows it: things (entries, headings, furniture) and the blocks that they stand in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.anchors import Words, words_of
from pipeline.config import Overrides
from pipeline.desk.shelf import Reading
from pipeline.export import entry_fields
from pipeline.fields import Use, label, lines, own_names
from pipeline.fields import head as head_of
from pipeline.fields import texts as texts_for
from pipeline.mend.splitting import texts
from pipeline.records import AnyEntry, Block, Document, Heading, Kind, Table

LETTERS: dict[str, str] = {
    Kind.QA: "Q", Kind.ERRATUM: "E", Kind.DEFINITION: "D", Kind.RULE: "R", Kind.TABLE: "T", Kind.TEXT: "P"
}  # fmt: skip
KNOWN = 5  # words by which a block is known to be of a thing
HEAD = 160  # letters of an entry in the list


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """What can be chosen at the desk."""

    key: str  # lasts as long as it is read like this
    sort: str  # entry, heading, furniture
    place: int  # its number among those of its sort
    addresses: tuple[str, ...]
    held: AnyEntry | Heading


def things(document: Document, structure_order: Mapping[str, int]) -> list[Thing]:
    """All of a document in reading order, furniture last."""
    listed = [_thing("entry", at, each) for at, each in enumerate(document.entries)]
    listed += [_thing("heading", at, each) for at, each in enumerate(document.headings)]
    listed.sort(key=lambda each: (_first(each.addresses, structure_order), each.sort == "entry", each.place))
    return listed + [_thing("furniture", at, each) for at, each in enumerate(document.furniture)]


def _thing(sort: str, place: int, record: AnyEntry | Heading) -> Thing:
    name = record.text if isinstance(record, Heading) else record.id
    words = "\0".join((sort, str(name), *record.addresses[:1], str(place) if sort == "furniture" else ""))
    key = hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:12]
    return Thing(key=key, sort=sort, place=place, addresses=record.addresses, held=record)


def _first(addresses: Iterable[str], order: Mapping[str, int]) -> int:
    return min((order[line] for line in addresses if line in order), default=0)


def order_of(reading: Reading) -> dict[str, int]:
    """The number of the block that each line is in."""
    blocks = (*reading.structure.blocks, *reading.structure.furniture)
    return {line: at for at, block in reversed(list(enumerate(blocks))) for line in block.addresses}


def view(reading: Reading, overrides: Overrides) -> dict[str, Any]:
    """A source as JSON for the page."""
    order = order_of(reading)
    corrected = corrections(reading.document, overrides)
    hidden = _hidden(reading.document, overrides)
    listed = things(reading.document, order)
    blocks = (*reading.structure.blocks, *reading.structure.furniture)
    owned, placed = owners(listed, blocks), blocks_of(listed, reading)
    return {
        "source": reading.document.source, "pages": [list(size) for size in reading.laid.sizes],
        "things": [_shown(each, placed[each.key], corrected, hidden) for each in listed],
        "blocks": [_block(block, at, owned.get(at), listed) for at, block in enumerate(blocks)],
        "text_blocks": len(reading.structure.blocks),
    }  # fmt: skip


def corrections(document: Document, overrides: Overrides) -> dict[int, AnyEntry]:
    """The entries that overrides.toml corrects, by their number."""
    from pipeline.dedup.decisions import Finder, corrected

    if not overrides.correct:
        return {}
    finder = Finder([document], overrides)
    return {position: entry for (_, position), entry in corrected([document], overrides, finder).items()}


def owners(listed: list[Thing], blocks: Iterable[Block]) -> dict[int, int]:
    """By the number of a block, the number of the thing that its first line belongs to; where a line was divided
    between several, the one that has its words."""
    lines: dict[str, list[int]] = {}
    for number, each in enumerate(listed):
        for line in each.addresses:
            lines.setdefault(line, []).append(number)
    by_block = {}
    for at, block in enumerate(blocks):
        numbers = next((lines[line] for line in block.addresses if line in lines), [])
        if len(numbers) > 1:
            words = words_of(block.text).words[:KNOWN]
            numbers = [number for number in numbers if _has(listed[number], words)] or numbers
        if numbers:
            by_block[at] = numbers[0]
    return by_block


def _has(thing: Thing, words: tuple[str, ...]) -> bool:
    """Does a thing have these words, but for a marker before them?"""
    own_texts = [thing.held.text] if isinstance(thing.held, Heading) else texts(thing.held)
    own_words = words_of(" ".join(own_texts))
    return any(next(own_words.find(Words(words[at:], ())), None) is not None for at in range(min(2, len(words))))


def blocks_of(listed: list[Thing], reading: Reading) -> dict[str, list[int]]:
    """By the key of a thing, the numbers of its blocks; of one that begins inside a block, that block."""
    order = order_of(reading)
    owned = owners(listed, (*reading.structure.blocks, *reading.structure.furniture))
    by_key: dict[str, list[int]] = {each.key: [] for each in listed}
    for at, number in owned.items():
        by_key[listed[number].key].append(at)
    for each in listed:
        if not by_key[each.key]:
            by_key[each.key] = list(dict.fromkeys(order[line] for line in each.addresses if line in order))
    return by_key


def _hidden(document: Document, overrides: Overrides) -> frozenset[int]:
    """The entries that are not printed, by their number."""
    from pipeline.dedup.decisions import Finder

    if not overrides.hide:
        return frozenset()
    finder = Finder([document], overrides)
    return frozenset(position for hide in overrides.hide for _, position in finder.find(hide.entry, "hide"))


def _shown(
    thing: Thing, blocks: list[int], corrected: Mapping[int, AnyEntry], hidden: frozenset[int]
) -> dict[str, Any]:
    shown: dict[str, Any] = {"key": thing.key, "sort": thing.sort, "blocks": blocks, "page": thing.held.page}
    if isinstance(thing.held, Heading):
        return shown | {"kind": thing.sort, "head": str(thing.held.text), "level": thing.held.level}
    entry = corrected.get(thing.place, thing.held)
    fields = entry_fields(entry)
    return shown | {
        "kind": str(entry.kind), "id": entry.id, "section": list(entry.section),
        "subject": str(entry.subject) if entry.subject else "", "head": head(entry)[:HEAD],
        "unread": entry.unread, "corrected": thing.place in corrected, "hidden": thing.place in hidden,
        "changed": entry.changed,
        "fields": {name: fields[name] for name in own_names(entry) if fields.get(name) not in (None, "")},
    }  # fmt: skip


def head(entry: AnyEntry) -> str:
    """An entry in a line: its head, else the beginning of its text."""
    body = lines(entry) if isinstance(entry, Table) else texts_for(entry, Use.BODY)
    return f"{label(entry)} {head_of(entry) or next(filter(None, body), '')}".strip()


def _block(block: Block, at: int, owner: int | None, listed: list[Thing]) -> dict[str, Any]:
    thing = listed[owner] if owner is not None else None
    kind = str(thing.held.kind) if thing and not isinstance(thing.held, Heading) else thing.sort if thing else "unread"
    box = block.box
    return {
        "n": at, "address": block.addresses[0] if block.addresses else "", "page": block.page,
        "role": str(block.role), "text": str(block.text), "kind": kind,
        "letter": _letter(kind, thing), "thing": thing.key if thing else None,
        "box": [round(v, 1) for v in (box.x0, box.top, box.x1, box.bottom)] if box else None,
        "rows": [[str(cell) for cell in row] for row in block.rows], "header_rows": block.header_rows,
        "table": bool(block.rows),
    }  # fmt: skip


def _letter(kind: str, thing: Thing | None) -> str:
    if kind == "heading" and thing is not None and isinstance(thing.held, Heading):
        return f"H{thing.held.level}"
    return LETTERS.get(kind, "F" if kind == "furniture" else "?")
