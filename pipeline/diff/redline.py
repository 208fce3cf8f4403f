"""What kind of change: whole words that a person can read, changed numbers, mere spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from pipeline import fuzzy
from pipeline.diff import cell_lists
from pipeline.diff.entry_text import ROWS, alike, folded, vocables
from pipeline.diff.row_pairs import cells
from pipeline.diff.verdicts import Verdicts
from pipeline.records import AnyEntry, Document, Prose

Word = tuple[str, str]  # ("=", "-" or "+", text)

LONG = 4_000_000  # pairs of words: beyond, the quick comparison is good enough (a chapter of 2,000 words each)
ISLAND = 4  # words: five that stayed in their order are read as one, however much went and came around them
TYPO = 5  # letters: in shorter words one other letter is often another word ("may" and "day")
LARGEST_PAIR = 4  # words: in a larger rewording nobody can say which number became which ...
IMPRINT = 200  # letters: a longer text says more than which release this is
SAME_AROUND = 0.5  # ... unless at least half of the words around the numbers are the same

_TOKEN = re.compile(
    r"""\[[^\]\d\n]{1,40}\]|\[icon\ \d+\]                             # an icon
      | (?<!\w)\d*[dDwWkKtT]\d+(?:[+−-]\d+)?(?!\w)                       # dice: 2D6, D3+1, 2W6
      | (?<![\w.,])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\w)                 # 1 000
      | (?<!\w)\d{4}-\d\d-\d\d(?:T\d[\d:.]*\d)?(?!\w)                    # a day, with its time: 2026-11-28T12:30
      | (?<![\w.,])[+−-]?(?:[.,]?\d+(?:[.,/:]\d+|['’]\d{3}(?!\d))*|[½⅓⅔¼¾⅛])(?:\+(?!\w)|\s?%|\w+)?  # 4+, 50 %, ½, 12h30
      | [^\W\d]+\d+(?:[.,:]\d+)+\w*                                     # v1.5
      | \w+['’](?=\w)                                                  # an elision: l’, d’
      | \w+(?:[-‑]\w+)*
      | [^\w\s]""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"[\d½⅓⅔¼¾⅛]")


class Token(NamedTuple):
    """A word or sign with the white space after it; ``key`` is what is compared."""

    text: str
    key: str


@lru_cache(maxsize=1 << 12)
def tokens(text: str) -> tuple[Token, ...]:
    """A text as words and signs; joined again they are the text."""
    starts = [match.start() for match in _TOKEN.finditer(text)]
    pieces = [text[start:end] for start, end in pairwise([*([0] if starts else []), *starts[1:], len(text)])]
    return tuple(Token(piece, _even(piece)) for piece in pieces)


@lru_cache(maxsize=1 << 14)
def _even(piece: str) -> str:
    return alike(piece)


# ---------------------------------------------------------------- words


@dataclass(slots=True)
class _Edit:
    """A stretch of tokens: kept (``old`` and ``new`` alike) or replaced."""

    kept: bool
    old: list[Token]
    new: list[Token]


@lru_cache(maxsize=1 << 10)  # the sheet and the marked copy ask for the same pairs again
def differences(old: str, new: str, what: str = "") -> tuple[Word, ...]:
    """The words that went and came, in groups that read well; ``=`` and ``+`` joined are the new text.

    ``what`` the texts are: those of a table are compared cell by cell.
    """
    if what == ROWS:
        in_cells = [word for pair in cells(old, new) for word in _in_cell(*pair)]
        runs = [(sign, "".join(text for _, text in run)) for sign, run in groupby(in_cells, key=itemgetter(0))]
        replaced = [one[0] == "-" and other[0] == "+" for one, other in pairwise([*runs, ("", "")])]
        runs = [(sign, text.rstrip("\n") if ends else text) for (sign, text), ends in zip(runs, replaced, strict=True)]
        return tuple(runs)
    before, after = tokens(old), tokens(new)
    if not before and not after:
        return (("=", new),) if new else ()
    edits = _tidy(_edits(_low_starts(before), _low_starts(after)))
    if all(edit.kept for edit in edits):
        edits = _tidy(_edits(before, after))
    words: list[Word] = []
    for edit in edits:
        if edit.kept:
            words.append(("=", _text(edit.new)))
            continue
        words += [(sign, _text(side)) for sign, side in (("-", edit.old), ("+", edit.new)) if side]
    return tuple(words)


def _in_cell(old: str, new: str) -> Iterator[Word]:
    """The words of a cell; of one that is a list, item by item."""
    for was, now in cell_lists.beside(old, new):
        yield from differences(was, now) if now else (("-", was),)


def _text(side: Sequence[Token]) -> str:
    return "".join(token.text for token in side)


def _opcodes(old: Sequence[Token], new: Sequence[Token]) -> list[tuple[bool, int, int, int, int]]:
    """(kept, old start and end, new start and end), in order."""
    a, b = [token.key for token in old], [token.key for token in new]
    if len(a) * len(b) > LONG:
        return list(fuzzy.steps(a, b))
    codes = SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    return [(tag == "equal", i1, i2, j1, j2) for tag, i1, i2, j1, j2 in codes]


def _edits(old: Sequence[Token], new: Sequence[Token]) -> list[_Edit]:
    """What was kept and replaced; words that only stand closer together were kept."""
    raw = [_Edit(kept, list(old[i1:i2]), list(new[j1:j2])) for kept, i1, i2, j1, j2 in _opcodes(old, new)]
    edits: list[_Edit] = []
    for edit in raw:
        edit.kept = edit.kept or _unspaced(edit.old) == _unspaced(edit.new) or _printed(edit.old) == _printed(edit.new)
        if edits and edits[-1].kept and edit.kept:
            edits[-1].old += edit.old
            edits[-1].new += edit.new
        else:
            edits.append(edit)
    return edits


def _unspaced(side: Sequence[Token]) -> str:
    return "".join(token.key for token in side)


def _printed(side: Sequence[Token]) -> str:
    """As it stands there, wherever a line begins: "Cup" is the same word at the start of a line and inside of one."""
    return "".join(_even(token.text.strip()) for token in side)


def _low_starts(tokens_of: Sequence[Token]) -> tuple[Token, ...]:
    """The first word of each sentence in small letters: it is no other word when words before it went."""
    starts = [True, *(token.key in ".!?…:" or token.text.endswith("\n") for token in tokens_of)]
    return tuple(Token(t.text, t.key.lower()) if start else t for t, start in zip(tokens_of, starts, strict=False))


def _tidy(edits: list[_Edit]) -> list[_Edit]:
    """Islands of equal words inside a rewording are swallowed, then edits begin where a sentence begins."""
    while True:
        merged = _merge_islands(edits)
        if len(merged) == len(edits):
            return _to_sentences(merged)
        edits = merged


def _merge_islands(edits: list[_Edit]) -> list[_Edit]:
    merged: list[_Edit] = []
    for at, edit in enumerate(edits):
        island = edit.kept and 0 < at < len(edits) - 1 and _is_island(edit, edits[at - 1], edits[at + 1])
        if merged and not merged[-1].kept and (island or not edit.kept):
            merged[-1].old += edit.old
            merged[-1].new += edit.new
        else:
            merged.append(_Edit(edit.kept and not island, list(edit.old), list(edit.new)))
    return merged


def _is_island(kept: _Edit, before: _Edit, after: _Edit) -> bool:
    """A few kept words, fewer than what was replaced on either side: reading them apart is harder."""
    size = _letters(kept.new)
    if sum(token.key[:1].isalnum() for token in kept.new) > ISLAND:
        return False
    return all(size <= max(_letters(edit.old), _letters(edit.new)) and _several(edit) for edit in (before, after))


def _letters(side: Sequence[Token]) -> int:
    return sum(len(token.key) for token in side)


def _several(edit: _Edit) -> bool:
    """Whether an edit replaces more than one word; single words next to each other stay two edits."""
    return max(len(edit.old), len(edit.new)) > 1


def _to_sentences(edits: list[_Edit]) -> list[_Edit]:
    """Shift an insertion or deletion along equal words until it begins and ends with a sentence, if it can."""
    for at in range(1, len(edits) - 1):
        before, edit, after = edits[at - 1 : at + 2]
        if not (before.kept and not edit.kept and after.kept):
            continue
        for name in ("old", "new"):
            if getattr(edit, name) and not getattr(edit, "new" if name == "old" else "old"):
                _shift(before, edit, after, name)
    return [edit for edit in edits if edit.old or edit.new]


def _shift(before: _Edit, edit: _Edit, after: _Edit, name: str) -> None:
    """``name`` is the side that the edit has. Nearest first, back before on."""
    side: list[Token] = getattr(edit, name)
    line = [*getattr(before, name), *side, *getattr(after, name)]
    start, end = len(before.new), len(before.new) + len(side)
    for step in sorted(range(-start + 1, len(after.new)), key=lambda step: (abs(step), step)):
        if abs(step) > len(side):
            return
        if _may_shift(line, start, end, step) and _is_sentence(line, start + step, end + step):
            _rotate(before, edit, after, name, step)
            return


def _may_shift(line: list[Token], start: int, end: int, step: int) -> bool:
    """What leaves the edit at one end is what enters it at the other."""
    places = range(step, 0) if step < 0 else range(step)
    return all(line[start + at].key == line[end + at].key for at in places)


def _is_sentence(line: list[Token], start: int, end: int) -> bool:
    return _ends_sentence(line[start - 1]) and _ends_sentence(line[end - 1])


def _rotate(before: _Edit, edit: _Edit, after: _Edit, name: str, step: int) -> None:
    """Kept tokens enter the edit at one end, and as many leave it at the other."""
    other = "old" if name == "new" else "new"
    side = [*getattr(before, name), *getattr(edit, name), *getattr(after, name)]
    kept = [*getattr(before, other), *getattr(after, other)]
    start, end = len(before.new) + step, len(before.new) + len(getattr(edit, name)) + step
    setattr(before, name, side[:start])
    setattr(edit, name, side[start:end])
    setattr(after, name, side[end:])
    setattr(before, other, kept[:start])
    setattr(after, other, kept[start:])


def _ends_sentence(token: Token) -> bool:
    return token.key in ".!?" or token.text.endswith("\n")


# ---------------------------------------------------------------- numbers


def numbers_changed(old: str, new: str, words: Verdicts, what: str = "") -> tuple[tuple[str, str], ...]:
    """Numbers that became other numbers in the same place; a number in a new sentence is none."""
    if what == ROWS:
        items = (item for pair in cells(old, new) for item in cell_lists.beside(*pair))
        return tuple(pair for was, now in items for pair in numbers_changed(was, now, words))
    before, after = tokens(old), tokens(new)
    if _numbers(before, words) == _numbers(after, words):
        return ()
    pairs: list[tuple[str, str]] = []
    day = 0  # where the day ends that changed last: a year that follows it belongs to it
    for kept, i1, i2, j1, j2 in _opcodes(before, after):
        if kept:
            continue
        was, now = before[i1:i2], after[j1:j2]
        if day and i1 == day + 1 and not before[day].key.isalnum() and _is_year(was) and _is_year(now):
            (first_day, other_day), sign = pairs[-1], before[day].text
            pairs[-1] = (f"{first_day}{sign}{was[0].key}", f"{other_day}{sign}{now[0].key}")
            continue
        day = 0
        if _has_month(was, words) and _has_month(now, words) and max(len(was), len(now)) <= LARGEST_PAIR:
            pairs.append((_text(was).strip(), _text(now).strip()))  # a day: "September 27" became "May 2"
            day = i2
            continue
        first, second = _counts(was, now, words)
        if len(first) == len(second) and _in_place(was, now, words):
            pairs += [(a, b) for a, b in zip(first, second, strict=True) if _value(a, words) != _value(b, words)]
    return tuple(pairs)


def _counts(old: Sequence[Token], new: Sequence[Token], words: Verdicts) -> tuple[list[str], list[str]]:
    """The numbers of both sides; where one side has fewer, "one" and "a" count there: "a lamp" became "two lamps"."""
    first, second = _numbers(old, words), _numbers(new, words)
    if len(first) < len(second):
        first = _numbers(old, words, one=True)
    elif len(second) < len(first):
        second = _numbers(new, words, one=True)
    return first, second


def _value(number: str, words: Verdicts) -> str:
    """ The digits of a number word: "2" for "two"."""
    word = folded(number)
    return "1" if word in words.one else words.numbers.get(word) or word


def _numbers(side: Sequence[Token], words: Verdicts, *, one: bool = False) -> list[str]:
    return [token.key for token in side if _is_number(token, words) or (one and folded(token.key) in words.one)]


def _is_number(token: Token, words: Verdicts) -> bool:
    return bool(_NUMBER.search(token.key)) or folded(token.key) in words.numbers


def _has_month(side: Sequence[Token], words: Verdicts) -> bool:
    return any(folded(token.key) in words.months for token in side)


def _is_year(side: Sequence[Token]) -> bool:
    return len(side) == 1 and len(side[0].key) == 4 and side[0].key.isdecimal()


def _in_place(old: Sequence[Token], new: Sequence[Token], words: Verdicts) -> bool:
    """Whether the numbers of a rewording can be told apart: it is small, or the words around them stayed."""
    if max(len(old), len(new)) <= LARGEST_PAIR:
        return True
    before, after = ([folded(token.key) for token in side if not _is_number(token, words)] for side in (old, new))
    return SequenceMatcher(None, before, after, autojunk=False).ratio() >= SAME_AROUND


# ---------------------------------------------------------------- spelling


def spelling_only(old: str, new: str) -> bool:
    """Only signs, case, accents, or one letter of a long word differ; numbers never count as spelling."""
    if vocables(old) == vocables(new):
        return True
    if len(vocables(old)) != len(vocables(new)):
        return False
    for kept, i1, i2, j1, j2 in _opcodes(before := tokens(folded(old)), after := tokens(folded(new))):
        if kept:
            continue
        was = [token.key for token in before[i1:i2] if token.key[:1].isalnum()]
        now = [token.key for token in after[j1:j2] if token.key[:1].isalnum()]
        if len(was) != len(now) or not all(map(_typo, was, now)):
            return False
    return True


def _typo(old: str, new: str) -> bool:
    if old == new:
        return True
    if _NUMBER.search(old + new) or min(len(old), len(new)) < TYPO or old[0] != new[0]:
        return False
    return fuzzy.is_slip(old, new)


# ---------------------------------------------------------------- imprint


def imprint(document: Document) -> frozenset[str]:
    """The numbers and months with which a release says which one it is."""
    from pipeline.language import months

    numbers = re.findall(r"\d+", f"{document.version or ''} {document.date or ''}")
    named = [folded(month) for month in months(document.language or "en")]
    return frozenset([*(number.lstrip("0") or "0" for number in numbers), *named])


def imprint_only(old: str, new: str, releases: tuple[frozenset[str], frozenset[str]]) -> bool:
    """Only version and date differ, and they are those of the two releases: a title page, no ruling."""
    differing: tuple[list[str], list[str]] = ([], [])
    before, after = vocables(old), vocables(new)
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            differing[0].extend(before[i1:i2])
            differing[1].extend(after[j1:j2])
    return all(_said(word, known) for side, known in zip(differing, releases, strict=True) for word in side)


def is_imprint(entry: AnyEntry, known: frozenset[str]) -> bool:
    """A short text, half of which at least says which release this is."""
    if not isinstance(entry, Prose) or len(entry.text) > IMPRINT:
        return False
    words = vocables(entry.text)
    return 2 * sum(_said(word, known) for word in words) >= len(words)


def _said(word: str, known: frozenset[str]) -> bool:
    """Whether a word is a month or a number of the imprint, also as "22nd"."""
    from pipeline.language import ordinal_endings

    number = re.match(rf"0*(\d+){ordinal_endings()}?$", word)
    return (number[1] if number else word) in known
