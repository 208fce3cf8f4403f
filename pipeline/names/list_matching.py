"""The lines of a list x the register -> what each line means, and how sure that is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pipeline import fuzzy
from pipeline.errors import counted
from pipeline.names.heading_names import NUMBER
from pipeline.names.name_forms import key, stem, stems_of, telling
from pipeline.names.player_list import Asked
from pipeline.names.register import Key, Name, Origin, Register, words_of
from pipeline.vocab import vocabulary

LIKE = 70  # of 100: a name less alike is no help
LITERAL = 4  # letters of a word that is looked for in all texts
FEW = 8  # entries: words that more hold name nothing
COUNTED = 0.5  # of the lines say how many: the others are headings
SHOWN = 200  # lines without a match for which the nearest name is looked for
LIST = 3  # names that a line which could mean several shows


class How(StrEnum):
    """How a line was matched to its names; the values are what is printed about it."""

    EXACT = ""
    NUMBER = "by its number"
    OTHER = "its name in another language"
    PART = "a part of the name"
    INSIDE = "named in the line"
    LITERAL = "in their words"
    NEAR = "spelled otherwise"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineMatch:
    """What a line of a list means."""

    asked: Asked
    names: tuple[Name, ...] = ()
    how: How = How.EXACT
    several: tuple[str, ...] = ()  # what it could mean, where that is not clear
    nearest: str = ""  # the name most like it, where it means none


class Matcher:
    """The names of a register, ready to be looked up."""

    def __init__(self, register: Register) -> None:
        self.language, self.entries = register.language, register.entries
        self.called = register.called
        self._read: list[str] | None = None
        self.by_key = {form: name for name in register.names for form in (*name.forms, name.key)}
        self.also = {key(other, self.language): name for name in register.names for other in name.also}
        self.by_words: dict[Key, list[Name]] = defaultdict(list)
        self.holding: dict[str, list[Name]] = defaultdict(list)
        self.by_number: dict[str, list[Name]] = defaultdict(list)
        self.kinds = stems_of(vocabulary(self.language).names.kinds, self.language)
        for name in register.names:
            self.by_words[tuple(sorted(telling(name.key, self.language)))].append(name)
            for word in {word for form in (name.key, *name.forms) for word in telling(form, self.language)}:
                self.holding[word].append(name)
            for number in name.numbers:
                self.by_number[number].append(name)
        self.joined = {" ".join(each): name for each, name in (*self.also.items(), *self.by_key.items())}

    def match(self, asked: Asked) -> LineMatch:
        """What a line means."""
        empty = LineMatch(asked=asked)
        if asked.number:
            names = self.by_number.get(asked.number, [])
            return replace(empty, names=tuple(names), how=How.NUMBER) if len(names) == 1 else _unclear(empty, names)
        for find in (self._exact, self._listed, self._part, self._inside, self._literal, self._near):
            if find != self._exact and self.called.issuperset(key(asked.whole, self.language)):
                return replace(empty, asked=replace(asked, head=True))
            if asked.head and find not in (self._exact, self._listed):
                break
            if (result := find(asked, empty)) is not None:
                return empty if asked.head and all(name.origin is Origin.TEXT for name in result.names) else result
        return empty

    def _exact(self, asked: Asked, empty: LineMatch) -> LineMatch | None:
        known = self._same(asked.whole)
        return replace(empty, names=(known[0],), how=known[1]) if known else None

    def _same(self, text: str) -> tuple[Name, How] | None:
        """The name that a text is, in any form, also with its words in another order or with what it is."""
        stems = key(NUMBER.sub(" ", text), self.language)
        while stems:
            if stems in self.by_key:
                return self.by_key[stems], How.EXACT
            if stems in self.also:
                return self.also[stems], How.OTHER
            turned = self.by_words.get(tuple(sorted(telling(stems, self.language))), [])
            if len(turned) == 1 and len(telling(stems, self.language)) > 1:
                return turned[0], How.EXACT
            if (stems[-1],) not in self.kinds or len(stems) == 1:
                return None
            stems = stems[:-1]
        return None

    def _listed(self, asked: Asked, empty: LineMatch) -> LineMatch | None:
        """Several names in one line, each by itself."""
        by_name: dict[Name, How] = {}
        for piece in asked.pieces:
            if known := self._same(piece) or self._nearly(piece):
                by_name.setdefault(*known)
        worst = next((how for how in by_name.values() if how is not How.EXACT), How.EXACT)
        return replace(empty, names=tuple(by_name), how=worst) if by_name else None

    def _part(self, asked: Asked, empty: LineMatch) -> LineMatch | None:
        """Some words of one name only; of several, where only one has rulings of its own."""
        stems = telling(key(asked.whole, self.language), self.language)
        if not stems or any(word not in self.holding for word in stems):
            return None
        names = [
            name for name in self.holding[stems[0]] if any(set(stems) <= set(form) for form in (name.key, *name.forms))
        ]
        for fits in (
            names,
            [name for name in names if name.own],
            [name for name in names if name.origin is Origin.SUBJECT],
        ):
            if len(fits) == 1:
                return replace(empty, names=(fits[0],), how=How.PART)
        return _unclear(empty, [name for name in names if name.own] or names) if names else None

    def _inside(self, asked: Asked, empty: LineMatch) -> LineMatch | None:
        """The longest names that stand whole in a longer line."""
        stems = [stem(word, self.language) for word in re.findall(r"[^\W_]+", asked.whole)]
        names: list[Name] = []
        at = 0
        while at < len(stems):
            ends = range(len(stems), at, -1)
            name = next((match for end in ends if (match := self.by_key.get(tuple(stems[at:end])))), None)
            if name and (len(telling(name.key, self.language)) > 1 or 2 * len(name.key) >= len(stems)):
                names.append(name)
            at += len(name.key) if name else 1
        return replace(empty, names=tuple(dict.fromkeys(names)), how=How.INSIDE) if names else None

    def _literal(self, asked: Asked, empty: LineMatch) -> LineMatch | None:
        """Words that are no name in the register and yet stand in some entries: what they name is named there."""
        names = [name for text in (asked.whole, *asked.pieces) if (name := self._written(text))]
        return replace(empty, names=tuple(names), how=How.LITERAL) if names else None

    def _written(self, text: str) -> Name | None:
        stems = [stem(word, self.language) for word in re.findall(r"[^\W_]+", text)]
        if not any(len(word) >= LITERAL for word in telling(stems, self.language)):
            return None
        sought = f" {' '.join(stems)} "
        places = tuple(place for place, text in enumerate(self._texts()) if sought in text)
        if not 0 < len(places) <= FEW:
            return None
        return Name(name=text, key=tuple(stems), origin=Origin.TEXT, named=places)

    def _texts(self) -> list[str]:
        """The words of each entry, made when first needed."""
        if self._read is None:
            spoken = [words_of(entry, entry.language or self.language) for entry in self.entries]
            texts = [[word.stem for _, words in (*each.asked, *each.said) for word in words] for each in spoken]
            self._read = [f" {' '.join(stems)} " for stems in texts]
        return self._read

    def _near(self, asked: Asked, empty: LineMatch) -> LineMatch | None:
        known = self._nearly(asked.whole)
        return replace(empty, names=(known[0],), how=known[1]) if known else None

    def _nearly(self, text: str) -> tuple[Name, How] | None:
        """The one name that is a slip or two away."""
        text_key = " ".join(key(NUMBER.sub(" ", text), self.language))
        most = slips(text_key)
        if not most:
            return None
        near = fuzzy.within_slips(text_key, self.joined.keys(), most)
        if not near or (
            len(near) > 1 and near[0][1] == near[1][1] and self.joined[near[0][0]] is not self.joined[near[1][0]]
        ):
            return None
        return self.joined[near[0][0]], How.NEAR

    def nearest(self, text: str) -> str:
        """The name that a text is most like; "" where none is like it."""
        text_key = " ".join(key(text, self.language))
        known = [*self.joined]
        place = fuzzy.nearest(text_key, known, LIKE)
        return "" if place is None else self.joined[known[place]].name


def slips(text: str) -> int:
    """How many typing errors are forgiven in a name of this length; a number is never guessed."""
    if len(text) < 4 or any(map(str.isdigit, text)):
        return 0
    return 1 if len(text) < 8 else 2 if len(text) < 16 else 3


def _unclear(empty: LineMatch, names: Sequence[Name]) -> LineMatch:
    return replace(empty, several=tuple(sorted(name.name for name in names)))


def matches(lines: Iterable[Asked], register: Register) -> tuple[LineMatch, ...]:
    """What each line of a list means; those that only say what follows are left out."""
    matcher = Matcher(register)
    all_lines = list(lines)
    deck = sum(line.counted for line in all_lines) > COUNTED * len(all_lines)
    matched = [matcher.match(line) for line in all_lines]
    kept = [each for each in matched if (each.names or not each.asked.head) and not (deck and _is_heading(each))]
    missing = 0
    for at, each in enumerate(kept):
        if not each.names and not each.several and missing < SHOWN:
            missing += 1
            kept[at] = replace(each, nearest=matcher.nearest(each.asked.whole or each.asked.text))
    return tuple(kept)


def _is_heading(each: LineMatch) -> bool:
    """Whether a line without a count, in a list of counts, is a word of the game and no card: "Oaths"."""
    words = (Origin.TERM, Origin.TITLE, Origin.TARGET)
    return not each.asked.counted and bool(each.names) and all(name.origin in words for name in each.names)


def told(line_matches: Iterable[LineMatch]) -> Iterator[str]:
    """A line for each line of a list: what it matched."""
    for each in line_matches:
        if each.names:
            names = ", ".join(f"{name.name} ({counted(len(name.places), 'ruling')})" for name in each.names)
            yield f"  {each.asked.text} → {names}{f': {each.how}' if each.how else ''}"
        elif each.several:
            more = f" or {len(each.several) - LIST} more" if len(each.several) > LIST else ""
            yield f"  {each.asked.text} → could be {', '.join(each.several[:LIST])}{more}: write it whole"
        else:
            near = f"the nearest is {each.nearest}" if each.nearest else "no name is like it"
            yield f"  {each.asked.text} → nothing; {near}"
