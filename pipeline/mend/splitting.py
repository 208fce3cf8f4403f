"""Entries as the texts that they are made of: cut in two, put together, made into another kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline import fields
from pipeline.classify.blocks import is_lead, lead
from pipeline.fields import Use
from pipeline.records import EMPTY, AnyEntry, Change, Definition, Erratum, Kind, Operation, Prose, Rule, Table, Text
from pipeline.text import cut, join, rich, trim

ENDS = frozenset(".!?:;»”\"')]")  # behind which a sentence does not go on

_ASKED = re.compile(r".+?\?(?=\s|$)", re.DOTALL)
_TERM = re.compile(r"(.{2,60}?)\s*(?::|\s[–—-]\s)\s*", re.DOTALL)
_PAGE = re.compile(r"p(\d+)\.")


def texts(entry: AnyEntry) -> list[Text]:
    """Every text of an entry in reading order, its head first; of a table none: it is no text to cut."""
    if isinstance(entry, Table):
        return []
    if isinstance(entry, Erratum):
        return [entry.target, *(text for each in entry.changes for text in _told(each))]
    return [_numbered(entry), *entry.body] if isinstance(entry, Rule) else list(fields.printed(entry))


def _told(change: Change) -> list[Text]:
    """The texts of an amendment as they are printed: what its instruction quotes stands there."""
    apart = [change.old] if change.old and change.old not in change.instruction else []
    return [change.instruction, *apart, *change.new]


def printed(entry: AnyEntry) -> list[Text]:
    """The texts of an entry, its head with other names, references and pages; a table by its rows."""
    texts_of = texts(entry)
    if isinstance(entry, Definition):
        aside = [f"({name})" for name in entry.aliases] + [f"[{name}]" for name in entry.refs]
        texts_of[0] = join([entry.term, *map(rich, aside)])
    elif isinstance(entry, Erratum) and entry.pages:
        texts_of[0] = join([rich(fields.label(entry)), *([entry.target] if entry.target else [])])
    elif isinstance(entry, Table):
        texts_of = [*([entry.title] if entry.title else []), *(join(list(row), " | ") for row in entry.rows)]
    subject = [entry.subject] if entry.subject and entry.subject not in texts_of else []
    return [text for text in (*subject, *texts_of) if text.strip()]


def _numbered(entry: Rule) -> Text:
    return rich(f"{entry.number} " if entry.number and entry.title else entry.number or "", entry.title)


def upto(entry: AnyEntry, at: int, offset: int) -> AnyEntry | None:
    """The entry up to an offset of its text number ``at``; None where nothing is left."""
    texts_of = texts(entry)
    kept = [*texts_of[:at], trim(cut(texts_of[at], 0, offset))]
    if not any(text.strip() for text in kept):
        return None
    if isinstance(entry, Table):
        return entry
    if isinstance(entry, Erratum):
        return replace(entry, target=kept[0], changes=_changes_upto(entry, kept[1:]))
    if not fields.texts(entry, Use.HEAD):
        return fields.refilled(entry, None, kept)
    called = kept[0]
    if isinstance(entry, Rule):
        called = entry.title if at else trim(cut(entry.title, 0, max(0, offset - len(texts_of[0]) + len(entry.title))))
    return fields.refilled(entry, called, _full(kept[1:]))


def _full(texts_of: Sequence[Text]) -> tuple[Text, ...]:
    return tuple(text for text in texts_of if text.strip())


def _changes_upto(entry: Erratum, kept: Sequence[Text]) -> tuple[Change, ...]:
    changes: list[Change] = []
    left = list(kept)
    for change in entry.changes:
        if not left:
            break
        many = len(_told(change))
        here, left = left[:many], left[many:]
        apart = many - 1 - len(change.new)
        old = here[1] if apart and len(here) > 1 else None if apart else change.old
        changes.append(replace(change, instruction=here[0], old=old, new=_full(here[1 + apart :])))
    return tuple(changes)


def since(entry: AnyEntry, at: int, offset: int) -> list[Text]:
    """The texts of an entry from that offset on."""
    texts_of = texts(entry)
    return [text for text in (trim(cut(texts_of[at], offset)), *texts_of[at + 1 :]) if text.strip()]


def fresh(body: Sequence[Text], kind: Kind, like: AnyEntry) -> AnyEntry:
    """A new entry of these texts, in the place of another."""
    shared = fields.common(like) | {"id": "", "unread": False, "struck": (), "changed_text": ()}
    head, *rest = body
    end = _head_ends(head, kind)
    if end is None:
        return fields.made(kind, shared, EMPTY, body)
    called, more = _parted(head, end)
    return fields.made(kind, shared, called if kind is Kind.QA else _bare(called), (*more, *rest))


def _head_ends(text: Text, kind: Kind) -> int | None:
    """Where the head of an entry of this kind ends in its first text; None where it has no head of its own."""
    led = lead(text) if is_lead(text, lead(text)) else 0
    if kind is Kind.QA:
        asked = _ASKED.match(text)
        return asked.end() if asked else len(text)
    if kind is Kind.DEFINITION:
        named = _TERM.match(text)
        return led or (named.end() if named and named.end() < len(text) else len(text))
    return led or None if kind is Kind.RULE else None


def _parted(text: Text, at: int) -> tuple[Text, tuple[Text, ...]]:
    rest = trim(cut(text, at))
    return trim(cut(text, 0, at)), (rest,) if rest else ()


def _bare(head: Text) -> Text:
    """Without the colon or dash between a term and what is said of it."""
    return trim(cut(head, 0, len(head.rstrip(" :–—-"))))


def likely(entry: AnyEntry, body: Sequence[Text]) -> Kind:
    """What a part of an entry is, by itself: what the whole was, if it has the look of one."""
    if entry.kind is Kind.QA and "?" not in body[0]:
        return Kind.TEXT
    return entry.kind if entry.kind is not Kind.TABLE else Kind.TEXT


def together(above: AnyEntry, below: AnyEntry, before: int | None = None) -> AnyEntry:
    """Two entries as one: what the second says is the end of the first, or stands before a paragraph of it."""
    more = printed(below)
    if isinstance(above, Erratum):
        return replace(above, changes=_with_more(above.changes, more))
    if isinstance(above, Prose):
        return replace(above, text=join([above.text, *more]), heading=False)
    if isinstance(above, Table):
        rows = below.rows if isinstance(below, Table) else tuple((text,) for text in more)
        return replace(above, rows=above.rows + rows)
    body = tuple(text for text in fields.texts(above, Use.BODY) if isinstance(text, Text))
    return fields.refilled(above, None, _run_on(body[:before], more) + _from(body, before))


def _from(paragraphs: tuple[Text, ...], at: int | None) -> tuple[Text, ...]:
    return () if at is None else paragraphs[at:]


def _with_more(changes: tuple[Change, ...], more: list[Text]) -> tuple[Change, ...]:
    if not changes:
        return (Change(operation=Operation.CLARIFY, new=tuple(more)),)
    return (*changes[:-1], replace(changes[-1], new=_run_on(changes[-1].new, more)))


def _run_on(paragraphs: Sequence[Text], more: list[Text]) -> tuple[Text, ...]:
    """A sentence that was cut goes on in its paragraph."""
    if paragraphs and more and goes_on(paragraphs[-1], more[0]):
        return (*paragraphs[:-1], join([paragraphs[-1], more[0]]), *more[1:])
    return (*paragraphs, *more)


def goes_on(above: str, below: str) -> bool:
    """A sentence that was cut: no stop, and then a small letter."""
    return above.rstrip()[-1:] not in ENDS and below.lstrip()[:1].islower()


def page_of(addresses: Sequence[str], otherwise: int) -> int:
    """The page that an address is on."""
    match = _PAGE.match(addresses[0]) if addresses else None
    return int(match[1]) if match else otherwise
