"""Text in style: making, cutting, joining, folding. Pure functions; nothing here knows a page."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pipeline.quick import new_span, quick_replace
from pipeline.records import Span, Text

# ---------------------------------------------------------------- rich text

Row = tuple[Text, ...]  # of a table


def rich(*pieces: str | Span | Text, level: int = 0) -> Text:
    """One text from strings, spans and texts; neighbours in the same style become one span."""
    spans: list[Span] = []
    for piece in pieces:
        if isinstance(piece, Text):
            _extend(spans, piece.spans)
        elif isinstance(piece, Span):
            _extend(spans, (piece,))
        elif piece:
            _extend(spans, (new_span(text=piece),))
    return Text(tuple(spans), level)


def _extend(spans: list[Span], more: Iterable[Span]) -> None:
    for span in more:
        if not span.text:
            continue
        if spans and _alike(spans[-1], span):
            spans[-1] = retext(span, spans[-1].text + span.text)
        else:
            spans.append(span)


def _alike(a: Span, b: Span) -> bool:
    """The same style; two icons never become one."""
    return (
        a.bold == b.bold and a.italic == b.italic and a.colour == b.colour and a.icon is None and b.icon is None
        and a.highlight == b.highlight and a.struck == b.struck and a.underlined == b.underlined
        and a.link == b.link and a.changed == b.changed
    )  # fmt: skip


def retext(span: Span, text: str) -> Span:
    """The span with another text; ``replace`` costs four times as much, and there are many."""
    return _again(span, text=text)


_again = quick_replace(Span, "text")


def cut(text: Text, start: int = 0, end: int | None = None) -> Text:
    """``text[start:end]`` with its style."""
    if end is None and text.spans:
        first, *others = text.spans
        if 0 < start < len(first.text):  # most cuts: a marker off the front
            return Text((_again(first, text=first.text[start:]), *others), text.level)
    start, end, _ = slice(start, end).indices(len(text))
    if start == 0 and end == len(text):
        return text
    if len(text.spans) == 1 and start < end:  # most texts have one style
        return Text((retext(text.spans[0], str(text)[start:end]),), text.level)
    spans, at = [], 0
    for span in text.spans:
        low, high = max(start - at, 0), min(end - at, len(span.text))
        if low < high:
            spans.append(span if high - low == len(span.text) else retext(span, span.text[low:high]))
        at += len(span.text)
    return Text(tuple(spans), text.level)


def trim(text: Text) -> Text:
    """``text.strip()`` with its style."""
    if not text or not (text[0].isspace() or text[-1].isspace()):
        return text
    start = len(text) - len(text.lstrip())
    return cut(text, start, max(start, len(text.rstrip())))


def split_lines(text: Text) -> list[Text]:
    """The lines of a text, as those of a list in a cell, each in its style."""
    if "\n" not in text:
        return [text]
    ends = [at for at, letter in enumerate(text) if letter == "\n"]
    return [cut(text, start, end) for start, end in zip([0, *(at + 1 for at in ends)], [*ends, len(text)], strict=True)]


def in_one_line(text: Text) -> Text:
    """The same without its line ends."""
    return join(split_lines(text)) if "\n" in text else text


def with_rows(rows: tuple[Row, ...], more: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows of a table and those on its next page, where the last row may go on."""
    if not rows or not more or len(rows[-1]) != len(more[0]) or not _row_goes_on(rows[-1], more[0]):
        return rows + more
    row = tuple(join(filter(None, cells)) for cells in zip(rows[-1], more[0], strict=True))
    return (*rows[:-1], row, *more[1:])


def _row_goes_on(row: Row, below: Row) -> bool:
    """Nothing in the first cell, and what is in the others follows no full stop."""
    if below[0]:
        return False
    return all(cell and not cell.endswith((".", "!", "?")) for cell, more in zip(row, below, strict=True) if more)


def join(texts: Iterable[Text], between: str = " ") -> Text:
    """``between.join(texts)`` with their styles."""
    pieces: list[str | Span | Text] = []
    for text in texts:
        if pieces:
            pieces.append(between)
        pieces.append(text)
    return rich(*pieces)


DIGITS = "0123456789"
# Small letters of Latin, Greek and Cyrillic writing, for a class of a regular expression.
SMALL = "a-zß-öø-ÿά-ώа-џґ" + "".join(filter(str.islower, map(chr, (*range(0x100, 0x180), *range(0x218, 0x21C)))))
# Signs that open an item of a list and nothing else; dashes, stars and dots may, too. For a regular expression.
BULLETS = "•●○▪▫■□◦‣➢➤►▶✓✔❖◆◇∙‧⁃"
# What may stand behind the stop of a sentence, the quotation marks of any language; for a regular expression.
CLOSING = r"(?: ?[\"'”’»“‘«›‹)\]])*"
RAISED = str.maketrans(DIGITS, "⁰¹²³⁴⁵⁶⁷⁸⁹")
LOWERED = str.maketrans(DIGITS, "₀₁₂₃₄₅₆₇₈₉")

# ---------------------------------------------------------------- folding

_ALIKE = {
    "’": "'", "‘": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‹": "'", "›": "'",
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "…": "...", "\u00ad": "",
    "œ": "oe", "æ": "ae", "ß": "ss", "ł": "l",
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
}  # fmt: skip
_UNEVEN = re.compile(f"[{''.join(_ALIKE)}]")
_STRANGE = re.compile("[^ -_a-~]")  # all that is not printable ASCII, and the accent that stands alone


class _Folded(dict[str, str]):
    """What becomes of a letter, worked out when it is first met; no letter that it makes becomes another."""

    def __missing__(self, letter: str) -> str:
        apart = unicodedata.normalize("NFKD", _ALIKE.get(letter, letter))
        bare = (each for each in apart if not unicodedata.combining(each))
        self[letter] = folded = "".join(_ALIKE.get(each, each) for each in bare)
        return folded


_FOLDED = _Folded()


def _become(text: str, letters: re.Pattern[str], table: Mapping[str, str]) -> str:
    """Each of the letters as the table has it: several times as fast as ``translate`` on a text that is not ASCII."""
    if text.isascii() and text.isprintable() and "`" not in text:
        return text
    for letter in set(letters.findall(text)):
        text = text.replace(letter, table[letter])
    return text


def fold(text: str) -> str:
    """For comparing: case, accents, quotes, dashes and white space do not matter; ``œ`` is ``oe``."""
    return " ".join(_become(text.lower(), _STRANGE, _FOLDED).split())


def even(text: str) -> str:
    """For telling re-typeset text from changed text: quotes, dashes and white space do not matter; letters do."""
    return " ".join(_become(unicodedata.normalize("NFC", text), _UNEVEN, _ALIKE).split())


def unspaced(text: str) -> str:
    """``even`` without any white space: the same however the lines were broken."""
    return "".join(_become(unicodedata.normalize("NFC", text), _UNEVEN, _ALIKE).replace(" ", "").split())


class _Flat(dict[str, str]):
    """One letter for one letter, worked out when it is first met; no letter that it makes becomes another."""

    def __missing__(self, letter: str) -> str:
        lower = letter if letter == "…" else _one_for(unicodedata.normalize("NFKD", _one_for(letter))[:1]).lower()
        self[letter] = flat_letter = " " if letter.isspace() else lower if len(lower) == 1 else letter
        return flat_letter


def _one_for(letter: str) -> str:
    plain = _ALIKE.get(letter, letter)
    return plain if len(plain) == 1 else letter


_FLAT = _Flat()


@lru_cache(maxsize=4096)
def flat(text: str) -> str:
    """Like ``fold``, but letter for letter, so that an offset in it is an offset in ``text``."""
    return _become(str(text), _STRANGE, _FLAT).lower()


# ---------------------------------------------------------------- joining lines

JOINING = frozenset("-\u2010\u00ad\u2011/")  # what a line may end with that its word goes on after
_AFTER_WORD = ".,;:!?…)»”"
_SIGNS = '“”«»‹›()[]{}.,;:!?…/"&*•–—|<>=+'
_SPACED = bytes(ord(" ") if chr(byte) in _SIGNS and byte < 128 else byte for byte in range(256))
_STRANGE_SIGNS = [sign for sign in _SIGNS if not sign.isascii()]
HYPHENS = "-\u2010\u00ad\u2011"
_CUT = frozenset(HYPHENS)
_WORD_END = re.compile(r"([^\W\d_][\w'’\-\u2010\u2011]*)[-\u2010\u00ad\u2011]$")
_WORD_START = re.compile(r"^[\w'’]+(?:[-\u2010\u2011][\w'’]+)*")
_WORDS = re.compile(r"[^\W_]+(?:[-'’\u2010\u2011][^\W_]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """What tells a hyphen that belongs from one that splits a word: the document's own words, and the language's."""

    words: frozenset[str] = frozenset()  # of the document, folded to lower case, none cut by a line's end
    tails: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    suspended: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()
    split: frozenset[tuple[str, str]] = frozenset()  # neighbours that are one word, for sure


def words_apart(low: str) -> Counter[str]:
    """How often each word stands in a text in lower case, signs not counted. Each sign is made a space in the whole
    text at once: a fifth of the time of looking at one word after the other."""
    low = low.encode().translate(_SPACED).decode()
    for sign in _STRANGE_SIGNS:
        low = low.replace(sign, " ")
    return Counter(low.split())


def split_words(
    text: str, low: str, apart: Container[str], counts: Mapping[str, int], known: frozenset[str]
) -> frozenset[tuple[str, str]]:
    """Neighbours that a stray space made of one word: the whole is used elsewhere, the parts never.

    ``low`` is the text in lower case, ``apart`` the words that stand in it by themselves, ``counts`` how often each is
    used. ``known`` are the language's commonest words and its words of one letter: they are never parts.
    """
    wholes = [whole for whole, count in counts.items() if count >= 2 and len(whole) > 4]
    wholes += [word for word in known if len(word) == 2]
    parts = [
        (whole[:at], whole[at:])
        for whole in wholes
        for at in range(1, len(whole))
        if whole[:at] in counts and whole[at:] in counts and _is_split(whole[:at], whole[at:], counts, known)
    ]
    halves = {a for a, b in parts if a in apart and b in apart and f"{a} {b}" in low}
    words = text.split() if halves else []
    return frozenset(
        (a, b)
        for a, b in pairwise(words)
        if a.lower() in halves and _is_split(a, b.rstrip(_AFTER_WORD), counts, known)
    )


def _is_split(a: str, b: str, counts: Mapping[str, int], known: frozenset[str]) -> bool:
    """Are these parts of one word: never used by themselves, in one case, the whole used elsewhere?"""
    low_a, low_b = a.lower(), b.lower()
    if not a.isalpha() or not b.isalpha() or low_a in known or low_b in known or b[:1].isupper() > a.isupper():
        return False
    if len(a) == 1 and len(b) == 1:
        return low_a + low_b in known
    used = counts.get(low_a, 0) > 1 and counts.get(low_b, 0) > 1 and len(a) > 1
    return not used and len(a + b) > 4 and counts.get(low_a + low_b, 0) >= 2


def spaced_letters(text: str, words: Container[str]) -> str | None:
    """ "A RM Y" is "ARMY" when the document has that word, or when every letter stands alone; else None."""
    parts = text.split(" ")
    if len(parts) < 3 or not text.isupper() or sum(len(part) <= 2 for part in parts) < 0.6 * len(parts):
        return None
    whole = "".join(parts)
    if not whole.isalpha():
        return None
    if whole.lower() in words or (len(parts) >= 4 and all(len(part) == 1 for part in parts)):
        return whole
    return None


def lexicon_counts(lines: Sequence[str], apart: Mapping[str, int]) -> dict[str, int]:
    """Every word that no line's end has cut, and how often it is used. ``apart`` are all words, in lower case."""
    counts = dict(apart)
    for line, below in pairwise(lines):
        if line[-1:] in _CUT:  # what stands before has its hyphen, and is no word
            for word in _WORDS.findall(below.lower())[:1]:
                counts[word] = counts.get(word, 0) - 1
    for word in [word for word in apart if "’" in word or "'" in word]:
        last = word.replace("’", "'").rpartition("'")[2]
        counts[last] = counts.get(last, 0) + counts[word]
    return counts if min(counts.values(), default=1) > 0 else {word: n for word, n in counts.items() if n > 0}


def joint(before: str, after: str, lexicon: Lexicon) -> tuple[str, int, str]:
    """How two lines of one paragraph join: (what stands between, letters to drop before it, how)."""
    if before[-1:] not in JOINING:
        return " ", 0, ""
    ends = _WORD_END.search(before)
    if not ends:
        glued = before[-1:] == "/" and before[-2:-1].isalnum() and after[:1].isalnum()
        return ("", 0, "") if glued else (" ", 0, "")
    begins = _WORD_START.match(after)
    if not begins:
        return " ", 0, ""
    if before[-1] == "\u00ad":
        return "", 1, "hyphen-removed"
    if begins[0].lower() in lexicon.suspended:
        return " ", 0, ""
    return ("", 0, "hyphen-kept") if _belongs(before, ends[1], begins[0], lexicon) else ("", 1, "hyphen-removed")


def _belongs(before: str, head: str, tail: str, lexicon: Lexicon) -> bool:
    """Does the hyphen between head and tail belong to the word?"""
    low_head, low_tail = head.lower(), tail.lower()
    last, first = re.split("['’]", low_head)[-1], low_tail.split("-")[0]
    words = lexicon.words
    joined, hyphened = last + low_tail, f"{last}-{low_tail}"
    if hyphened in words and joined not in words:
        return True
    if joined in words or last.rsplit("-", 1)[-1] + first in words:
        return hyphened in words and joined not in words
    if before[-1] == "\u2011" or (tail[0].isupper() and not head.isupper()) or tail[0].isdigit():
        return True
    if before[-1] == "\u2010":  # typesetters put it in, writers seldom do
        return False
    if low_tail in lexicon.suffixes:
        return False
    if low_tail in lexicon.tails or (first in lexicon.tails and "-" in low_tail):
        return True
    if low_head in lexicon.heads or last in lexicon.heads:
        return True
    if "-" in last:  # "out-of-house": the part before must be a word by itself
        return len(last.rsplit("-", 1)[-1]) == 1 or last.rsplit("-", 1)[-1] in words
    return len(last) > 2 and len(first) > 3 and last in words and first in words


def file_name(words: str) -> str:
    """Words as a name that every file system takes: small letters, digits and hyphens; "" when nothing is left."""
    return re.sub(r"[^a-z0-9]+", "-", fold(words).translate(_LATIN)).strip("-")[:60].rstrip("-")


# Greek and Cyrillic letters as passports write them, after ``fold`` took their accents.
_PAIRS = "αa βv γg δd εe ζz ηi ιi κk λl μm νn ξx οo πp ρr σs τt υy φf ωo ςs θth χch ψps аa бb вv гg дd еe зz иi кk лl "
_PAIRS += "мm нn оo пp рr сs тt уu фf ыy эe іi ґg жzh йy хkh цts чch шsh щshch ъ ь юyu яya ёyo єye їyi ўu ђdj јj љlj "
_PAIRS += "њnj ћc џdz ѓg ќk ѕdz"
_LATIN: dict[int, str] = {ord(pair[0]): pair[1:] for pair in _PAIRS.split()}


_RELATION = re.compile(r"n(?: % (\d+))? (!?=) (\d+)(?:\.\.(\d+))?")


def plural(number: int, forms: Sequence[str], rules: Sequence[str]) -> str:
    """The form of a word after a number. Each rule, as Unicode writes them ("n % 10 = 2..4 and n % 100 != 12..14"),
    says when the form of its place is used; the last form is for all else.
    """
    place = next((place for place, rule in enumerate(rules) if _holds(number, rule)), len(rules))
    return forms[min(place, len(forms) - 1)]


def _holds(number: int, rule: str) -> bool:
    return any(all(_is(number, *match) for match in _RELATION.findall(either)) for either in rule.split(" or "))


def _is(number: int, divisor: str, sign: str, low: str, high: str) -> bool:
    rest = number % int(divisor) if divisor else number
    return (int(low) <= rest <= int(high or low)) == (sign == "=")


# What a note of rights says.
RIGHTS = re.compile(r"©|\(c\)\s*(?:19|20)\d\d|\bcopyright\b", re.IGNORECASE)


def is_capitals(text: str) -> bool:
    """Is it set in capitals?"""
    if sum(map(str.islower, text[: len(text) // 4])) > 0.1 * len(text):
        return False
    lower = sum(map(str.islower, text))
    if lower > 0.1 * len(text):  # most: their capitals need not be counted
        return False
    upper = sum(map(str.isupper, text))
    return upper + lower >= 3 and upper >= 0.9 * (upper + lower)
