"""What a person looks at first: the least sure, then the rest in order."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pipeline.desk.shelf import Reading
from pipeline.desk.things import Thing, head, order_of, things
from pipeline.records import AnyEntry, Book, Document, Entry, Finding, Heading, Ruling

SHOWN = 140  # letters of an entry in a line
LINKED = 40  # letters of a finding's quotation by which its entry is known

# In the order in which they are looked at.
REASONS = ("override", "margin", "finding", "unread", "conflict", "near", "icon")

_SAID = re.compile(r'(\w+) (\d+): "(.*?)" (.*)', re.DOTALL)
_QUOTED = re.compile(r"“(.+?)[…”]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Concern:
    """One thing to look at."""

    key: str
    why: str
    text: str
    thing: str | None = None  # the key of what it is about
    page: int | None = None
    more: dict[str, Any]


def looks(reading: Reading, book: Book) -> list[Concern]:
    """All that is worth a look in a source, the least sure first; without what is simply in order."""
    document = reading.document
    listed = things(document, order_of(reading))
    concerns = [*_overrides(book), *_margins(document, listed), *_findings(document, listed), *_unread(listed),
            *_conflicts(book, document, listed), *_near(book, document, listed), *_icons(document, listed)]  # fmt: skip
    return sorted(concerns, key=lambda each: REASONS.index(each.why))


def _look(why: str, text: str, thing: Thing | None = None, page: int | None = None, **more: Any) -> Concern:
    words = f"{why}\0{text}\0{thing.held.page if thing else page}"
    key = hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:12]
    at = thing.held.page if thing else page
    return Concern(key=key, why=why, text=text, thing=thing.key if thing else None, page=at, more=more)


def _overrides(book: Book) -> Iterator[Concern]:
    """What no longer fits, with both texts."""
    for finding in book.findings:
        if finding.code.startswith("override-") and (match := _SAID.match(finding.message)):
            near = _QUOTED.search(match[4])
            yield _look("override", finding.message, table=match[1], number=int(match[2]), said=match[3],
                        near=near[1] if near else "")  # fmt: skip


def _margins(document: Document, listed: list[Thing]) -> Iterator[Concern]:
    """Where another place was nearly as good, the smallest margin first."""
    first = {each.addresses[0]: each for each in reversed(listed) if each.addresses and each.sort == "entry"}
    for reason in sorted(document.reasons, key=lambda each: each.margin or 0.0):
        thing = first.get(reason.address)
        if reason.unsure and thing is not None and not isinstance(thing.held, Heading):
            here, there = (thing.held.section or ("",))[-1], reason.other or ""
            line = f"under {_called(here)}, or under {_called(there)}: {head(thing.held)[:SHOWN]}"
            yield _look("margin", line, thing)


def _called(title: str) -> str:
    return f"“{title}”" if title else "no heading"


def _findings(document: Document, listed: list[Thing]) -> Iterator[Concern]:
    from pipeline.render.editions import missing_glyphs

    findings = [each for each in document.findings if each.code != "unsure-place"]  # its entries are listed one by one
    for finding in (*findings, *missing_glyphs(document.entries)):
        yield _look("finding", finding.message, _about(finding, listed), finding.page, code=finding.code)


def _about(finding: Finding, listed: list[Thing]) -> Thing | None:
    """The entry on its page that a finding quotes, or else the first one there."""
    here = [each for each in listed if each.held.page == finding.page and each.sort != "furniture"]
    quoted = _QUOTED.search(finding.message)
    words = quoted[1][:LINKED] if quoted else ""
    named = [each for each in here if words and isinstance(each.held, Entry) and words in str(each.held)]
    return next(iter(named or here), None)


def _unread(listed: list[Thing]) -> Iterator[Concern]:
    for each in listed:
        if not isinstance(each.held, Heading) and each.held.unread:
            yield _look("unread", f"not understood: {head(each.held)[:SHOWN]}", each)


def _conflicts(book: Book, document: Document, listed: list[Thing]) -> Iterator[Concern]:
    for ruling in book.rulings:
        for other in ruling.disputed:
            if ruling.conflict and document.source in (ruling.entry.source, other.source):
                yield from _pair("conflict", "two answers", ruling.entry, other, listed)


def _near(book: Book, document: Document, listed: list[Thing]) -> Iterator[Concern]:
    by_id: dict[str, Ruling] = {ruling.entry.id: ruling for ruling in book.rulings}
    for one, other in book.near:
        first, second = by_id.get(one), by_id.get(other)
        if first and second and document.source in (first.entry.source, second.entry.source):
            yield from _pair("near", "alike, and not the same", first.entry, second.entry, listed)


def _pair(why: str, line: str, one: AnyEntry, other: AnyEntry, listed: list[Thing]) -> Iterator[Concern]:
    known = {each.held.id: each for each in listed if not isinstance(each.held, Heading)}
    thing = known.get(one.id) or known.get(other.id)
    text = f"{line}: {head(one)[:SHOWN]} · {head(other)[:SHOWN]}"
    sides = [{"id": each.id, "source": each.source, "page": each.page, "head": head(each)[:SHOWN], "says": _says(each)}
             for each in (one, other)]  # fmt: skip
    yield _look(why, text, thing, pair=sides)


def _says(entry: AnyEntry) -> str:
    from pipeline.dedup.occurrences import body

    return body(entry)[: 3 * SHOWN]


def _icons(document: Document, listed: list[Thing]) -> Iterator[Concern]:
    from pipeline.icons import unnamed

    for glyph, count in unnamed(document).most_common():
        having = [each for each in listed if isinstance(each.held, Entry)
                  and glyph in unnamed(replace(document, entries=(each.held,)))]  # fmt: skip
        thing = having[0] if having else None
        yield _look("icon", f"an icon without a name, {count} times: {glyph}", thing, glyph=glyph, count=count)


def packed(look: Concern, seen: set[str]) -> dict[str, Any]:
    """As JSON for the page."""
    return {"key": look.key, "why": look.why, "text": look.text, "thing": look.thing, "page": look.page,
            "seen": look.key in seen, **look.more}  # fmt: skip
