"""The numbers of rules, read whole ("2.1.3", "4.2 (a)", "A.5.11.d", "B1.10.2", "§ 4", "Article 9", "III"), and which of
them count: a number counts where it goes on a sequence or begins a deeper one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.classify.grammar import LATER, Grammar
from pipeline.quick import quick
from pipeline.text import flat

_FIRST = r"(?:[A-Z]{1,3}\d{1,4}|\d{1,4}|[IVXLC]{1,6}|[A-Z])"
_MORE = r"(?:[.\-‐‑](?:\d{1,3}[a-z]?|[A-Z]|[ivx]{1,5}|[a-z]{1,2})(?![^\W_]))"
_ITEM = r"(?:\.?\s?\((?:[a-z]{1,2}|[ivx]{1,5}|[A-Z]|\d{1,2})\))"
_LAST = r"(?:(?<=\d)(?:[a-z]|er|re|ère|º)(?![^\W_])|[.\-]?[ºª°](?:-[A-Z]\b)?|-[A-Z](?![^\W_]))"
WHOLE = re.compile(
    rf"(?P<open>[\[(<])?(?P<number>{_FIRST}(?![^\W_]|[ºª°])(?:{_MORE})*{_LAST}?{LATER}?(?:{_ITEM})*|{_FIRST}{_LAST}{LATER}?(?:{_ITEM})*"
    rf"|{_FIRST}(?:{_MORE})+{_LAST}?)(?(open)[\])>])(?P<stop>\s*[.):–—-]*)(?:(?=\s|$)|(?<=[A-Z\d]\.)(?=[A-ZÀ-Þ][a-zà-þ]))\s*"
)
ALONE = re.compile(r"\(?(?P<number>\d{1,3}|[a-zA-Z]|[ivxl]{1,6}|[IVXL]{1,6})(?P<stop>[.)\]:]+)(?=\s|$)\s*")
UNRAISED = str.maketrans(dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹", " "))  # "5¹" has a footnote
_CODE = re.compile(r"[A-Z]{1,3}\d{1,4}")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_BEGINS = re.compile(
    r"[\[(<]?(?:\d|[a-zA-Z]{1,6}[\d.)\-:]|[A-Z]{1,6}\b|[a-z]\b)|§|[^\W\d_]{2,20}\.?\s*\(?(?:[A-Z]{0,3}\d|[IVXLC]+\b|[A-Z]\b)"
)
_ORDINAL = re.compile(r"[.\-]?[ºª°]|(?<=\d)(?:er|re|ère)$")
SKIPPED = 3  # numbers that may be missing between two that follow each other: repealed, or misread


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """The number that a text begins with."""

    text: str  # as printed, without its word and the stop behind it
    parts: tuple[str, ...]  # "4.2 (a)" is 4, 2, a; "B1.10" is B1, 10
    end: int  # where the title or the text begins
    word: str = ""  # "article" before it, flat
    stop: str = ""  # what is printed behind it
    margin: bool = False  # it stands in the margin beside its paragraph

    @property
    def depth(self) -> int:
        return len(self.parts)

    @property
    def inserted(self) -> bool:
        """ "6a": printed beside "6" when it came later, or under it."""
        return self.text[-1:].islower() and self.text[-2:-1].isdecimal()

    @property
    def whole(self) -> bool:
        """Of several parts, with its word, or with letters of its own ("G101"): no item of a list is numbered so."""
        return len(self.parts) > 1 or bool(self.word) or _CODE.fullmatch(self.text) is not None


_number = quick(Number)


def may_begin(text: str, at: int) -> bool:
    """Could a number stand there? Most lines begin with none."""
    return _BEGINS.match(text, at) is not None


def read_number(text: str, grammar: Grammar) -> Number | None:
    """The number at the start of a text, as long as it goes."""
    if not _BEGINS.match(text):
        return None
    text = text if text.isascii() else text.translate(UNRAISED)
    plain = flat(text[:80])
    word = grammar.rule_word.match(plain)
    start = word.start("number") if word else 0
    match = WHOLE.match(text, start) or (None if word else ALONE.match(text))
    if word and not match:
        label = text[word.start("number") : word.end("number")]
        return _number(text=label, parts=_parts(label), end=word.end(), word=word.group("word"))
    if not match or not text[match.start() : match.end()].strip():
        return None
    label, stop = match["number"], match["stop"].strip()
    if label.isalpha() and not (word or stop or text[:1] == "("):
        return None  # "A player", "I am"
    name = word.group("word") if word else ""
    if name == "§":
        label, name = f"§ {label}", "§"
    label = _ORDINAL.sub("", label)
    return _number(text=label, parts=_parts(label), end=match.end(), word=name, stop=stop)


_BETWEEN, _LETTERED = re.compile(r"[.\-‐‑()\s§ºª°]+"), re.compile(r"(\d+)([a-z])")


def _parts(label: str) -> tuple[str, ...]:
    """The parts of a number; letters stay with the figures behind them ("B1"), not with those before ("12a")."""
    parts: list[str] = []
    for piece in [label] if label.isascii() and label.isalnum() else _BETWEEN.split(label):
        match = _LETTERED.fullmatch(piece)
        parts += match.groups() if match else [piece] if piece else []
    return tuple(parts[:-1] if len(parts) > 1 and parts[-1] == "0" else parts)  # "2.0" is the head of "2.1"


def _values(part: str) -> tuple[tuple[str, int], ...]:
    """What a part may count: a figure, a letter, a Roman figure; the "B" of "B12" goes with its figure."""
    if part.isdecimal():
        return (("1", int(part)),)
    match = re.fullmatch(r"([A-Z]+)(\d+)", part)
    if match:
        return ((match[1], int(match[2])),)
    kind = "I" if part.isupper() else "i"
    values = [("A" if part.isupper() else "a", ord(part.lower()) - 96)] if len(part) == 1 else []
    if all(letter in _ROMAN for letter in part.lower()):
        values.append((kind, _roman(part.lower())))
    return tuple(values)


def _roman(text: str) -> int:
    values = [_ROMAN[letter] for letter in text]
    return sum(-one if one < other else one for one, other in zip(values, [*values[1:], 0], strict=True))


_LATER = frozenset(("bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "novies", "nonies", "decies"))


def _base(number: Number) -> tuple[str, ...]:
    """The parts of a number without "bis" or "ter"."""
    return number.parts[:-1] if number.parts[-1] in _LATER else number.parts


def follows(one: Number, other: Number, skipped: int = SKIPPED) -> bool:
    """Is the other the next one after this, at the same depth?"""
    if other.parts[-1] in _LATER:
        return one.word == other.word and _base(one) == _base(other) and one.parts != other.parts
    if one.parts[-1] in _LATER:
        one = replace(one, parts=_base(one))
    if one.depth != other.depth or one.word != other.word or one.parts[:-1] != other.parts[:-1]:
        return False
    return any(kind == other_kind and 0 < at - before <= skipped
               for kind, before in _values(one.parts[-1]) for other_kind, at in _values(other.parts[-1]))  # fmt: skip


def is_first(number: Number) -> bool:
    """ "1", "a", "i" – also "0", and the first hundred of "601"."""
    return any(value in (0, 1) or value % 100 in (0, 1) for _, value in _values(number.parts[-1]))


def is_under(number: Number, above: Number) -> bool:
    """Does it begin with the number above: "2.1" under "2", "4.2 (a)" under "Rule 4.2", "B2.1" under "Article B2"?"""
    size = above.depth
    return number.depth > size and number.parts[:size] == above.parts


def comes_next(last: Number, number: Number) -> bool:
    """The next of the same depth, the first under it, or the next after one that it stands under."""
    up = (replace(last, parts=last.parts[:depth]) for depth in range(last.depth, 0, -1))
    return any(follows(each, number, 1) for each in up) or (is_under(number, last) and is_first(number))


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A number at its place in a document."""

    at: int
    number: Number
    look: object  # of its block: the numbers of one sequence are set alike
    head: bool
    led: bool = False  # words in bold stand behind it, in the line of its text


def counted(numbers: Sequence[Counted], above: frozenset[tuple[str, ...]] = frozenset()) -> frozenset[int]:
    """The places whose number goes on a sequence, is gone on from, or begins a deeper one under a number that counts.

    Where a sequence comes twice (a list of changes names "2.1", "2.2" again), that of headings is that of the rules.
    """
    sequences = _sequences(_without_references(numbers))
    counting = {each.at for sequence in sequences for each in sequence if len(sequence) > 1 and _counts_on(sequence)}
    counting -= _named_again(sequences)
    series = {(_letters(each.number), each.look) for each in numbers if each.at in counting} - {("", None)}
    counting |= {each.at for each in numbers if _letters(each.number) and (_letters(each.number), each.look) in series}
    known = above | {each.number.parts for each in numbers if each.at in counting}
    for sequence in sequences:
        first = sequence[0]
        over = first.number.parts[:-1]
        over = over[:-1] if over[-1:] == ("0",) else over  # "6.0.1" stands under "6"
        if len(sequence) == 1 and first.number.depth > 1 and over in known and is_first(first.number):
            counting.add(first.at)
    return frozenset(counting)


def _letters(number: Number) -> str:
    """The letters of a number such as "G101"; nothing of any other."""
    return re.sub(r"\d", "", number.text) if _CODE.fullmatch(number.text) else ""


def _counts_on(sequence: Sequence[Counted]) -> bool:
    """ "G101", "G102", "G104" count on; "U8", "U10", "U12" are names."""
    steps = [follows(one.number, two.number, 1) for one, two in pairwise(sequence)]
    return not _letters(sequence[0].number) or 2 * sum(steps) >= len(steps)


def _without_references(numbers: Sequence[Counted]) -> list[Counted]:
    """The numbers without those that only name something: behind a word that names the same one again and again
    ("Section 1.4: moved"), or with letters of which the same come back ("A8", "A9", "A8": players)."""
    parts_of: dict[str, list[tuple[str, ...]]] = {}
    for each in numbers:
        if name := _naming(each):
            parts_of.setdefault(name, []).append(each.number.parts)
    named = {name for name, parts in parts_of.items() if len(set(parts)) < ONCE * len(parts)}
    return [each for each in numbers if _naming(each) not in named]


def _naming(each: Counted) -> str:
    """The word or the letters before a number that may name what stands elsewhere; a title behind a word does not."""
    return (each.number.word if each.number.depth > 1 and not each.head else "") or _letters(each.number)


ONCE = 0.9  # of the numbers behind a word that come once: one may have been misread


def _sequences(numbers: Sequence[Counted]) -> list[list[Counted]]:
    """The numbers of one prefix, as far as each goes on the one before."""
    open_: dict[tuple[str, tuple[str, ...]], list[list[Counted]]] = {}
    for each in numbers:
        siblings = open_.setdefault((each.number.word, _base(each.number)[:-1]), [])
        home = next((one for one in reversed(siblings) if follows(one[-1].number, each.number)
                     and (one[-1].look == each.look or not (one[-1].head or each.head))), None)  # fmt: skip
        home = home or next((one for one in reversed(siblings) if follows(one[-1].number, each.number)), None)
        if home is not None:
            home.append(each)
        else:
            siblings.append([each])
    return [one for siblings in open_.values() for one in siblings]


def _named_again(sequences: Sequence[Sequence[Counted]]) -> set[int]:
    """The places of numbers of several parts that only name a rule which stands elsewhere: as a heading, or printed
    with the stop that the numbers of rules have here."""
    listed = [each for sequence in sequences if len(sequence) > 1 for each in sequence if each.number.depth > 1]
    titled = {(each.number.word, each.number.parts) for each in listed if each.head}
    stops = Counter(each.number.stop for each in listed if not each.head)
    usual = stops.most_common(1)[0][0] if stops else ""
    printed = {(each.number.word, each.number.parts) for each in listed if each.number.stop == usual}
    return {each.at for each in listed if not each.head and (
        (each.number.word, each.number.parts) in titled
        or (each.number.stop != usual and (each.number.word, each.number.parts) in printed))}  # fmt: skip


def runs_through(numbers: Iterable[Counted], heads: Sequence[int], least: int = 2) -> bool:
    """Do single numbers go on over headings instead of beginning anew under each?"""
    over = again = 0
    before: Counted | None = None
    for each in numbers:
        if before is not None and any(before.at < head < each.at for head in heads):
            goes_on = follows(before.number, each.number, 1)
            over, again = over + goes_on, again + (not goes_on)
        before = each
    return over >= least and over > 2 * again
