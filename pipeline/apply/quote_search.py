"""Quoted words in a passage: word for word, else nearly. Quotes, dashes and white space do not matter, signs do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pipeline.apply.slots import Slot
from pipeline.records import Text
from pipeline.text import cut, even, flat, trim

NEARLY = 0.88  # of the words of a quotation, in order: below it, it is another sentence
NEARLY_LEAST = 6  # words: of a shorter quotation one other word is another text
RUNNER_UP = 0.15  # by so much the best place is better than the next, or it is none
OPENING = {
    "«": "»", "“": "”\"", "„": "“”‟", "‘": "’'", '"': '"', "'": "'", "‹": "›", "‚": "‘’", "”": "”", "’": "’", "»": "«",
}  # fmt: skip
_TOKEN = re.compile(r"\w+|[^\w\s]")
_ELISION = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3}|…)\s*")
_STOPS = ".,;:!?…"
_INCHES = re.compile(r"(?<=\d)[”\"″]")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteToken:
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundQuote:
    """Quoted words in a slot."""

    slot: Slot
    start: int
    end: int
    exact: bool = True  # letter for letter, but for kinds of quotes and dashes
    nearly: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        return str(self.slot.text)[self.start : self.end]


def tokens(text: str) -> list[QuoteToken]:
    """Words and signs with their places; hyphens at which a line may end are no sign."""
    return [QuoteToken(text=each[0], start=each.start(), end=each.end()) for each in _TOKEN.finditer(flat(text))]


def words(text: str) -> list[str]:
    """The words alone."""
    return re.findall(r"\w+", flat(text))


def unquoted(text: Text) -> Text:
    """A text without the quotation marks that stand around all of it."""
    bare = trim(text)
    closers = OPENING.get(bare[:1], "") if len(bare) > 2 else ""
    for stop in ("", "."):
        body = bare[: len(bare) - len(stop)] if bare.endswith(stop) else ""
        if closers and body and body[-1] in closers and not _inside(body, bare[0], body[-1]):
            return trim(cut(bare, 1, len(body) - 1))
    return bare


def _inside(body: str, opener: str, closer: str) -> bool:
    """Whether a quotation ends, or another begins, within the marks at the ends; inches and apostrophes do neither."""
    inner = _INCHES.sub("", body[1:-1])
    return any(mark in inner for mark in (opener, closer) if mark in "«»“”„")


def unquoted_all(texts: Sequence[Text]) -> tuple[Text, ...]:
    """Paragraphs of a new text without the marks around the whole, or around each; nor one that is never closed."""
    stripped = [trim(each) for each in texts if each.strip()]
    if not stripped:
        return ()
    each_alone = [unquoted(text) for text in stripped]
    if all(len(one) < len(other) for one, other in zip(each_alone, stripped, strict=True)):
        return tuple(each_alone)
    opener, closers = stripped[0][:1], OPENING.get(stripped[0][:1], "")
    if closers and len(stripped) > 1 and stripped[-1][-1:] in closers and stripped[0][-1:] not in closers:
        return (cut(stripped[0], 1), *stripped[1:-1], cut(stripped[-1], 0, len(stripped[-1]) - 1))
    whole = _INCHES.sub("", " ".join(stripped)[1:])
    if (
        opener in "“«„‘"
        and closers
        and opener not in whole
        and not any(mark in whole for mark in closers if mark not in "’'")
    ):
        return (trim(cut(stripped[0], 1)), *stripped[1:])
    before = _INCHES.sub("", " ".join(stripped))
    if before[-1:] in "»”" and not any(mark in before[:-1] for mark in "«»“”„"):
        return (*stripped[:-1], trim(cut(stripped[-1], 0, len(stripped[-1]) - 1)))
    return tuple(stripped)


def elided(text: str) -> tuple[str, ...]:
    """Where dots stand for words in a quotation: "before", "in" or "after" it; nothing where there are none."""
    spans = [each.span() for each in _ELISION.finditer(text)]
    return tuple("before" if a == 0 else "after" if b == len(text) else "in" for a, b in spans)


def undotted(text: Text) -> Text:
    """A quotation without the dots at its ends."""
    first = _ELISION.match(text)
    start = first.end() if first else 0
    ends = [each.start() for each in _ELISION.finditer(text) if each.end() == len(text)]
    return cut(text, start, ends[0] if ends and ends[0] > start else len(text))


def verbatim(quoted: str, slots: Iterable[Slot]) -> list[FoundQuote]:
    """Every place where the words stand, whole words only; "[…]" in them stands for any words."""
    parts = [[token.text for token in tokens(part)] for part in _ELISION.split(quoted)]
    parts = [part for part in parts if part]
    return [quote for slot in slots for quote in _in_slot(parts, quoted, slot)] if parts else []


def _in_slot(parts: list[list[str]], quoted: str, slot: Slot) -> list[FoundQuote]:
    in_text = tokens(slot.text)
    plain = [token.text for token in in_text]
    quotes: list[FoundQuote] = []
    at = 0
    while (first := _find(plain, parts[0], at)) is not None:
        end = first + len(parts[0])
        for part in parts[1:]:
            after = _find(plain, part, end)
            if after is None:
                return quotes
            end = after + len(part)
        start, stop = in_text[first].start, in_text[end - 1].end
        exact = len(parts) == 1 and _evened(str(slot.text)[start:stop]) == _evened(_ELISION.sub(" ", quoted).strip())
        quotes.append(FoundQuote(slot=slot, start=start, end=stop, exact=exact))
        at = end
    return quotes


def _evened(text: str) -> str:
    return re.sub(r"\s+", "", even(text))


def _find(plain: list[str], part: list[str], start: int) -> int | None:
    for at in range(start, len(plain) - len(part) + 1):
        if plain[at] == part[0] and plain[at : at + len(part)] == part:
            return at
    return None


def without_stop(quoted: Text) -> Text:
    """A quotation without the stop at its end, which may be the stop of the sentence that quotes."""
    return cut(quoted, 0, len(quoted.rstrip(_STOPS + " ")))


def nearly(quoted: str, slots: Sequence[Slot]) -> FoundQuote | None:
    """The one place that says nearly this; None where numbers differ, or two places would do."""
    wanted = [token.text for token in tokens(quoted)]
    if len(words(quoted)) < NEARLY_LEAST:
        return None
    ranked = sorted(((_alike(wanted, slot), number) for number, slot in enumerate(slots)), key=lambda each: -each[0][0])
    if not ranked or ranked[0][0][0] < NEARLY or (len(ranked) > 1 and ranked[1][0][0] > ranked[0][0][0] - RUNNER_UP):
        return None
    (_, first, last), number = ranked[0]
    slot = slots[number]
    passage = tokens(slot.text)[first:last]
    edits = difference(wanted, [token.text for token in passage])
    if any(sign != "=" and _weighs(text) for sign, text in edits):
        return None
    return FoundQuote(slot=slot, start=passage[0].start, end=passage[-1].end, exact=False, nearly=edits)


def _alike(wanted: list[str], slot: Slot) -> tuple[float, int, int]:
    """How much of the quotation stands in a slot, in order, and from which token to which."""
    in_text = [token.text for token in tokens(slot.text)]
    blocks = [b for b in SequenceMatcher(None, wanted, in_text, autojunk=False).get_matching_blocks() if b.size]
    if not blocks:
        return 0.0, 0, 0
    first, last = blocks[0].b, blocks[-1].b + blocks[-1].size
    inside = sum(block.size for block in blocks)
    return 2 * inside / (len(wanted) + last - first), first, last


def difference(old: Sequence[str], new: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Words that stayed ("="), went ("-") and came ("+")."""
    edits: list[tuple[str, str]] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            edits.append(("=", " ".join(old[i:j])))
            continue
        if j > i:
            edits.append(("-", " ".join(old[i:j])))
        if m > k:
            edits.append(("+", " ".join(new[k:m])))
    return tuple(edits)


def _weighs(text: str) -> bool:
    """Whether a difference may change what a rule says: a number, or a short word such as "not" or "or"."""
    return any(char.isdigit() for char in text) or any(word.isalpha() and len(word) <= 4 for word in text.split())


def similarity(one: str, other: str) -> float:
    """How much two texts have in common, word by word in order."""
    return SequenceMatcher(None, words(one), words(other), autojunk=False).ratio()


def holds(new: Sequence[Text], slots: Sequence[Slot]) -> list[FoundQuote]:
    """The places of every paragraph of a new text, where all of them stand in the passage already; else nothing."""
    quotes = []
    for text in new:
        there = verbatim(text, slots)
        if not there:
            return []
        quotes.append(there[0])
    return quotes
