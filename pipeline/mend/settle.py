"""The document as a person said that it is: what classify made of it otherwise is put right here.

Nothing in it knows how classify works: only what entries and headings are. Every word stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.anchors import Words, words_of
from pipeline.classify import ids
from pipeline.mend.shape import Shaped
from pipeline.mend.splitting import fresh, likely, page_of, printed, since, texts, together, upto
from pipeline.records import AnyEntry, Block, Document, Heading, Kind, Prose, Role, Rule, Text

Path = tuple[str, ...]
KNOWN = 6  # words by which a paragraph of an entry is known to be of a block
LEAST = 3  # words that are known again where a text ends with them
MARKERS = 2  # words of a marker that may stand before a question: "Question 12"


def settle(document: Document, shaped: Shaped) -> Document:
    """With every split, join, heading, furniture and kind that the document still has otherwise."""
    desk = _Desk(document, shaped)
    desk.keep()
    for block, level in shaped.headings:
        if level:
            desk.head(block, level)
    for addresses, words, kind in shaped.splits:
        desk.split(addresses, words, kind)
    for above, below in shaped.joins:
        desk.join(above, below)
    for block, level in shaped.headings:
        if not level:
            desk.behead(block)
    for address, kind in shaped.kinds:
        desk.call(address, kind)
    entries = named(desk.entries)
    return replace(document, entries=entries, headings=tuple(desk.headings), furniture=tuple(desk.furniture),
                   replays=shaped.replays)  # fmt: skip


def named(entries: Sequence[AnyEntry]) -> tuple[AnyEntry, ...]:
    """Entries with the ids of their words."""
    name_texts = [ids.words_of(entry) for entry in entries]
    return tuple(replace(entry, id=name) for entry, name in zip(entries, ids.ids_of(entries, name_texts), strict=True))


class _Desk:
    """The parts of a document while they are put right."""

    def __init__(self, document: Document, shaped: Shaped) -> None:
        self.entries = list(document.entries)
        self.headings = list(document.headings)
        self.furniture = list(document.furniture)
        self._document, self._shaped = document, shaped
        lines = [line for block in shaped.structure.blocks for line in block.addresses]
        self._order = {line: at for at, line in reversed(list(enumerate(lines)))}

    def _at(self, addresses: Sequence[str]) -> int:
        """Where in the reading order something begins."""
        return self._order.get(addresses[0], 0) if addresses else 0

    def _entry_at(self, place: int) -> int:
        """The number of the first entry that begins there or later."""
        return next((n for n, each in enumerate(self.entries) if self._at(each.addresses) >= place), len(self.entries))

    # ------------------------------------------------------------ text that was taken for furniture

    def keep(self) -> None:
        kept = {line for addresses in self._shaped.kept for line in addresses}
        for line in [each for each in self.furniture if kept.intersection(each.addresses)]:
            self.furniture.remove(line)
            at = self._entry_at(self._at(line.addresses))
            self._insert_prose(at, line.text, line.addresses, line.page)

    def _insert_prose(self, at: int, text: Text, addresses: tuple[str, ...], page: int) -> None:
        beside = self.entries[at - 1] if at else self.entries[0] if self.entries else None
        section = beside.section if beside else ()
        self.entries.insert(at, Prose(id="", section=section, language=self._document.language or "", page=page,
                                      source=self._document.source, text=text, addresses=addresses))  # fmt: skip

    # ------------------------------------------------------------ where entries begin and end

    def split(self, addresses: tuple[str, ...], words: tuple[str, ...], kind: Kind | None) -> None:
        """An entry begins with these words of a block. A marker before them may be in no text of the entry."""
        for number, entry in enumerate(self.entries):
            if not set(addresses).intersection(entry.addresses):
                continue
            for bare in range(min(MARKERS, len(words) - 1) + 1):
                if place := _found(entry, words[bare:]):
                    at, offset = place
                    if offset or (any(text.strip() for text in texts(entry)[:at]) and not self._is_body(entry, at)):
                        self._split(number, at, offset, self._at(addresses), kind)
                    elif kind:
                        self._as_kind(number, kind)
                    return

    def _is_body(self, entry: AnyEntry, at: int) -> bool:
        """Does the text stand straight under the heading that the entry has for its title?"""
        heads = (block for block in self._shaped.structure.blocks if block.role is Role.HEADING)
        return at == 1 and any(entry.addresses[:1] == block.addresses[:1] for block in heads)

    def _split(self, number: int, at: int, offset: int, start: int, kind: Kind | None) -> None:
        entry = self.entries[number]
        rest = since(entry, at, offset)
        first = upto(entry, at, offset)
        if not rest:
            return
        later = tuple(line for line in entry.addresses if self._order.get(line, 0) >= start) or entry.addresses[-1:]
        early = tuple(line for line in entry.addresses if self._order.get(line, 0) < start) or entry.addresses[:1]
        second = fresh(rest, kind or likely(entry, rest), entry)
        second = replace(second, addresses=later, page=page_of(later, entry.page))
        self.entries[number : number + 1] = [replace(first, addresses=early), second] if first else [second]

    def _as_kind(self, number: int, kind: Kind) -> None:
        entry = self.entries[number]
        body = printed(entry)
        if entry.kind is not kind and body:
            self.entries[number] = fresh(body, kind, replace(entry, subject=None))

    def call(self, address: str, kind: Kind) -> None:
        """What begins there is of this kind."""
        for number, entry in enumerate(self.entries):
            if entry.addresses and entry.addresses[0] == address:
                self._as_kind(number, kind)

    def join(self, above: str, below: str) -> None:
        """What begins at the second address is part of what has the first one."""
        upper, lower = self._having(above), self._having(below)
        if upper is None or lower is None or lower == upper:
            return
        one, other = self.entries[upper], self.entries[lower]
        lines = sorted({*one.addresses, *other.addresses}, key=lambda line: self._order.get(line, 0))
        before = self._before(one, self._at(other.addresses))
        self.entries[upper] = replace(together(one, other, before), addresses=tuple(lines))
        del self.entries[lower]

    def _before(self, entry: AnyEntry, place: int) -> int | None:
        """The first paragraph of an entry, behind its head, that is read later than a place; None where none is."""
        own = set(entry.addresses)
        blocks = [block for block in self._shaped.structure.blocks if own.intersection(block.addresses)]
        later = [words_of(block.text) for block in blocks if self._at(block.addresses) > place]
        for number, text in enumerate(texts(entry)[1:]):
            words = words_of(text).words
            for known in later:
                many = min(KNOWN, len(known.words))
                if known.words and known.words[:many] in (words[:many], words[1 : many + 1]):  # behind "3." of an item
                    return number
        return None

    def _having(self, address: str) -> int | None:
        return next((number for number, entry in enumerate(self.entries) if address in entry.addresses), None)

    # ------------------------------------------------------------ headings

    def head(self, block: Block, level: int) -> None:
        """This block is a heading, so deep in the path of what follows it."""
        place = self._at(block.addresses)
        was = self._heading(block)
        if was is None and self._headed(block) is None and (was := self._carve(block)) is not None:
            self.headings.append(was)
            self.headings.sort(key=lambda each: self._at(each.addresses))
        number = self._headed(block) if was is None else None
        if number is not None:
            self._put_rule(number, level)
        elif was is not None and not self._stands(was, level):
            self._put(was, place, level)

    def _headed(self, block: Block) -> int | None:
        """The rule that this block is the title of: in a document of rules, that is what a heading is."""
        for number, entry in enumerate(self.entries):
            if isinstance(entry, Rule) and entry.title and set(block.addresses).intersection(entry.addresses[:1]):
                block_words = words_of(block.text).words
                for words in (words_of(texts(entry)[0]).words, words_of(entry.title).words):  # with its number, or not
                    if words == block_words[: len(words)]:
                        return number
        return None

    def _put_rule(self, number: int, level: int) -> None:
        """A rule, and all that has its title in the path, under what is open before it."""
        entry = self.entries[number]
        assert isinstance(entry, Rule)
        before = self._path_of(number - 1) if number else ()
        parents = entry.section if len(entry.section) == level - 1 else before[: level - 1]
        depth, title = len(entry.section), words_of(entry.title).words
        for at, each in enumerate(self.entries[number:], start=number):
            if at > number and (len(each.section) <= depth or words_of(each.section[depth]).words != title):
                break
            self.entries[at] = replace(each, section=parents + each.section[depth:])

    def _path_of(self, number: int) -> Path:
        """The path that is open behind an entry: a rule with a title is part of it."""
        entry = self.entries[number]
        return (*entry.section, str(entry.title)) if isinstance(entry, Rule) and entry.title else entry.section

    def _heading(self, block: Block) -> Heading | None:
        own = set(block.addresses)
        return next((each for each in self.headings if own.intersection(each.addresses)), None)

    def _stands(self, heading: Heading, level: int) -> bool:
        """Whether the path of what follows is as it should be."""
        at = self._entry_at(self._at(heading.addresses))
        path = self.entries[at].section if at < len(self.entries) else ()
        return len(path) >= level and words_of(path[level - 1]).words == words_of(heading.text).words

    def _carve(self, block: Block) -> Heading | None:
        """The heading out of the entry that it was read into; what stood behind it is an entry of its own. None where
        that is a rule, which has the heading for its title."""
        reading = self._reading(block)
        if reading is None:
            return _as_heading(block)
        number, at, start, end = reading
        entry = self.entries[number]
        first, rest = upto(entry, at, start), since(entry, at, end)
        place, last = self._at(block.addresses), self._at(block.addresses[-1:])
        parts: list[AnyEntry] = []
        if first is not None:
            early = tuple(line for line in entry.addresses if self._order.get(line, 0) < place)
            parts.append(replace(first, addresses=early or entry.addresses[:1]))
        ruled = isinstance(entry, Rule) and bool(at and rest)
        if rest:
            if isinstance(entry, Rule) and at:
                carved: AnyEntry = replace(entry, number=None, title=block.text, body=tuple(rest))
            else:
                carved = fresh(rest, likely(entry, rest) if at else Kind.TEXT, entry)
            after = place if ruled else last + 1
            later = tuple(line for line in entry.addresses if self._order.get(line, 0) >= after)
            parts.append(replace(carved, addresses=later or entry.addresses[-1:], page=page_of(later, entry.page)))
        self.entries[number : number + 1] = parts
        return None if ruled else _as_heading(block)

    def _reading(self, block: Block) -> tuple[int, int, int, int] | None:
        """Where a block stands in an entry: the number of the entry, of its text, and from where to where; best as a
        whole text, else at the beginning of one."""
        wanted, own = words_of(block.text), set(block.addresses)
        readings: list[tuple[bool, bool, tuple[int, int, int, int]]] = []
        for number, entry in enumerate(self.entries):
            for at, text in enumerate(texts(entry) if own.intersection(entry.addresses) else ()):
                words = words_of(text)
                if not at and words.words and words.words == wanted.words[: len(words.words)]:
                    readings.append((True, True, (number, 0, 0, len(text))))  # it may have more beside its words
                for place in words.find(wanted):
                    last = place + len(wanted.words)
                    end = words.start(last, text) if last < len(words.words) else len(text)
                    spot = (number, at, words.start(place, text) if place else 0, end)
                    readings.append((not place and last == len(words.words), not place, spot))
        return max(readings, key=lambda each: each[:2])[2] if readings else None

    def behead(self, block: Block) -> None:
        """This block is no heading: its words are a text, and in no path."""
        was = self._heading(block)
        if was is None:
            return
        self.headings.remove(was)
        first = self._entry_at(self._at(was.addresses))
        above = self.entries[first - 1].section if first else ()
        for number, at in enumerate(self._places(was, first), start=first):
            path = self.entries[number].section
            parents, own = path[:at], path[at + 1 :]
            if above[:at] == parents:  # what was open before it goes on
                parents = above[: at + 1] if own else above
            self.entries[number] = replace(self.entries[number], section=parents + own)
        self._insert_prose(first, was.text, was.addresses, was.page)

    def _places(self, heading: Heading, first: int) -> list[int]:
        """Where a heading is in the paths of the entries under it, of which the first is given."""
        words = words_of(heading.text).words
        spots = []
        for entry in self.entries[first:]:
            places = [at for at, each in enumerate(entry.section) if words_of(each).words == words]
            if not places:
                break
            spots.append(places[-1])
        return spots

    def _put(self, heading: Heading, place: int, level: int) -> None:
        """The heading into the path of all that stands under it, until one as high as it follows."""
        first = self._entry_at(place)
        paths = [entry.section for entry in self.entries[first:]]
        for number, at in enumerate(self._places(heading, first)):
            paths[number] = paths[number][:at] + paths[number][at + 1 :]
        if not paths:
            return
        open_ones = self._open_before(paths[0], place)
        above = self._path_of(first - 1) if first else ()
        parents = open_ones[: level - 1]
        if len(parents) < level - 1 and above[: len(parents)] == parents:
            parents = above[: level - 1]
        depth = len(parents) + 1
        for number, path in enumerate(paths, start=first):
            common = _common(path, open_ones)
            if common < min(len(open_ones), depth - 1) or (common < len(path) and common < depth):
                paths = paths[: number - first]
                break
        for number, path in enumerate(paths, start=first):
            own = path[_common(path, open_ones) :]
            self.entries[number] = replace(self.entries[number], section=(*parents, str(heading.text), *own))
        at = self.headings.index(heading)
        self.headings[at] = replace(heading, level=level)

    def _open_before(self, path: Path, place: int) -> Path:
        """Of a path, the headings that stand before a place."""
        later = {words_of(each.text).words for each in self.headings if self._at(each.addresses) > place}
        early = {words_of(each.text).words for each in self.headings if self._at(each.addresses) < place}
        for at, title in enumerate(path):
            words = words_of(title).words
            if words in later and words not in early:
                return path[:at]
        return path


def _as_heading(block: Block) -> Heading:
    return Heading(text=block.text, level=max(1, block.level), page=block.page, addresses=block.addresses)


def _found(entry: AnyEntry, words: tuple[str, ...]) -> tuple[int, int] | None:
    """Where these words stand in an entry: the number of the text, and the offset in it."""
    spots: list[tuple[int, int]] = []
    for at, text in enumerate(texts(entry)):
        text_words = words_of(text)
        for many in range(len(words), min(LEAST, len(words)) - 1, -1):  # an entry may end before the words do
            places = text_words.find(Words(words[:many], ()))
            spots += [(at, text_words.start(place, text) if place else 0) for place in places
                      if many == len(words) or place + many == len(text_words.words)]  # fmt: skip
    return next((spot for spot in spots if not spot[1]), spots[0] if spots else None)


def _common(one: Path, other: Path) -> int:
    """How many headings two paths begin with alike."""
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    return at
