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
        made = LineMatch(asked=asked)
        if asked.number:
            found = self.by_number.get(asked.number, [])
            return replace(made, names=tuple(found), how=How.NUMBER) if len(found) == 1 else _unclear(made, found)
        for find in (self._exact, self._listed, self._part, self._inside, self._literal, self._near):
            if find != self._exact and self.called.issuperset(key(asked.whole, self.language)):
                return replace(made, asked=replace(asked, head=True))
            if asked.head and find not in (self._exact, self._listed):
                break
            if (held := find(asked, made)) is not None:
                return made if asked.head and all(name.origin is Origin.TEXT for name in held.names) else held
        return made

    def _exact(self, asked: Asked, made: LineMatch) -> LineMatch | None:
        held = self._same(asked.whole)
        return replace(made, names=(held[0],), how=held[1]) if held else None

    def _same(self, text: str) -> tuple[Name, How] | None:
        """The name that a text is, in any form, also with its words in another order or with what it is."""
        found = key(NUMBER.sub(" ", text), self.language)
        while found:
            if found in self.by_key:
                return self.by_key[found], How.EXACT
            if found in self.also:
                return self.also[found], How.OTHER
            turned = self.by_words.get(tuple(sorted(telling(found, self.language))), [])
            if len(turned) == 1 and len(telling(found, self.language)) > 1:
                return turned[0], How.EXACT
            if (found[-1],) not in self.kinds or len(found) == 1:
                return None
            found = found[:-1]
        return None

    def _listed(self, asked: Asked, made: LineMatch) -> LineMatch | None:
        """Several names in one line, each by itself."""
        held: dict[Name, How] = {}
        for piece in asked.pieces:
            if found := self._same(piece) or self._nearly(piece):
                held.setdefault(*found)
        worst = next((how for how in held.values() if how is not How.EXACT), How.EXACT)
        return replace(made, names=tuple(held), how=worst) if held else None

    def _part(self, asked: Asked, made: LineMatch) -> LineMatch | None:
        """Some words of one name only; of several, where only one has rulings of its own."""
        said = telling(key(asked.whole, self.language), self.language)
        if not said or any(word not in self.holding for word in said):
            return None
        held = [
            name for name in self.holding[said[0]] if any(set(said) <= set(form) for form in (name.key, *name.forms))
        ]
        for fits in (
            held,
            [name for name in held if name.own],
            [name for name in held if name.origin is Origin.SUBJECT],
        ):
            if len(fits) == 1:
                return replace(made, names=(fits[0],), how=How.PART)
        return _unclear(made, [name for name in held if name.own] or held) if held else None

    def _inside(self, asked: Asked, made: LineMatch) -> LineMatch | None:
        """The longest names that stand whole in a longer line."""
        said = [stem(word, self.language) for word in re.findall(r"[^\W_]+", asked.whole)]
        held: list[Name] = []
        at = 0
        while at < len(said):
            ends = range(len(said), at, -1)
            name = next((found for end in ends if (found := self.by_key.get(tuple(said[at:end])))), None)
            if name and (len(telling(name.key, self.language)) > 1 or 2 * len(name.key) >= len(said)):
                held.append(name)
            at += len(name.key) if name else 1
        return replace(made, names=tuple(dict.fromkeys(held)), how=How.INSIDE) if held else None

    def _literal(self, asked: Asked, made: LineMatch) -> LineMatch | None:
        """Words that are no name in the register and yet stand in some entries: what they name is named there."""
        found = [name for text in (asked.whole, *asked.pieces) if (name := self._written(text))]
        return replace(made, names=tuple(found), how=How.LITERAL) if found else None

    def _written(self, text: str) -> Name | None:
        said = [stem(word, self.language) for word in re.findall(r"[^\W_]+", text)]
        if not any(len(word) >= LITERAL for word in telling(said, self.language)):
            return None
        sought = f" {' '.join(said)} "
        places = tuple(place for place, text in enumerate(self._texts()) if sought in text)
        if not 0 < len(places) <= FEW:
            return None
        return Name(name=text, key=tuple(said), origin=Origin.TEXT, named=places)

    def _texts(self) -> list[str]:
        """The words of each entry, made when first needed."""
        if self._read is None:
            said = [words_of(entry, entry.language or self.language) for entry in self.entries]
            texts = [[word.stem for _, found in (*each.asked, *each.said) for word in found] for each in said]
            self._read = [f" {' '.join(stems)} " for stems in texts]
        return self._read

    def _near(self, asked: Asked, made: LineMatch) -> LineMatch | None:
        held = self._nearly(asked.whole)
        return replace(made, names=(held[0],), how=held[1]) if held else None

    def _nearly(self, text: str) -> tuple[Name, How] | None:
        """The one name that is a slip or two away."""
        said = " ".join(key(NUMBER.sub(" ", text), self.language))
        most = slips(said)
        if not most:
            return None
        found = fuzzy.within_slips(said, self.joined.keys(), most)
        if not found or (
            len(found) > 1 and found[0][1] == found[1][1] and self.joined[found[0][0]] is not self.joined[found[1][0]]
        ):
            return None
        return self.joined[found[0][0]], How.NEAR

    def nearest(self, text: str) -> str:
        """The name that a text is most like; "" where none is like it."""
        said = " ".join(key(text, self.language))
        known = [*self.joined]
        found = fuzzy.nearest(said, known, LIKE)
        return "" if found is None else self.joined[known[found]].name


def slips(text: str) -> int:
    """How many typing errors are forgiven in a name of this length; a number is never guessed."""
    if len(text) < 4 or any(map(str.isdigit, text)):
        return 0
    return 1 if len(text) < 8 else 2 if len(text) < 16 else 3


def _unclear(made: LineMatch, found: Sequence[Name]) -> LineMatch:
    return replace(made, several=tuple(sorted(name.name for name in found)))


def matches(lines: Iterable[Asked], register: Register) -> tuple[LineMatch, ...]:
    """What each line of a list means; those that only say what follows are left out."""
    matcher = Matcher(register)
    held = list(lines)
    deck = sum(line.counted for line in held) > COUNTED * len(held)
    made = [matcher.match(line) for line in held]
    kept = [each for each in made if (each.names or not each.asked.head) and not (deck and _is_heading(each))]
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


def told(found: Iterable[LineMatch]) -> Iterator[str]:
    """A line for each line of a list: what it matched."""
    for each in found:
        if each.names:
            said = ", ".join(f"{name.name} ({counted(len(name.places), 'ruling')})" for name in each.names)
            yield f"  {each.asked.text} → {said}{f': {each.how}' if each.how else ''}"
        elif each.several:
            more = f" or {len(each.several) - LIST} more" if len(each.several) > LIST else ""
            yield f"  {each.asked.text} → could be {', '.join(each.several[:LIST])}{more}: write it whole"
        else:
            near = f"the nearest is {each.nearest}" if each.nearest else "no name is like it"
            yield f"  {each.asked.text} → nothing; {near}"
