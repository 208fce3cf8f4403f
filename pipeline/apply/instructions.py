"""An instruction -> an order: which piece of a passage, where at it, everywhere or once. Words are in words/*.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.apply.quote_search import OPENING, words
from pipeline.records import Change, Operation, Text
from pipeline.text import flat

HOME = Path(__file__).parent / "words"
PIECES = ("sentence", "paragraph", "item", "step", "word", "whole", "list", "table", "title")
WHERE = ("everywhere", "end", "start", "after", "before")
ENGLISH = "en"
LONG = 40  # words of an instruction without what it quotes: a longer one says more than we understand
QUOTED = "\x01"  # stands for a quotation
_ANY = Operation.REPLACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """ "the second sentence", "the first three words", "step 3", "this rule"."""

    kind: str  # of PIECES
    ordinal: int = 0  # from 1; -1 is the last; 0: none is said
    count: int = 1
    at: int = 0  # where in the instruction
    numbered: bool = False  # "step 3": by the number that is printed


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """What an instruction says beside what it quotes."""

    pieces: tuple[Piece, ...] = ()
    where: tuple[tuple[str, int], ...] = ()  # "end", "start", "after", "before", "everywhere", and where it is said
    anchors: tuple[Text | str, ...] = ()  # quoted, but neither old nor new text
    beyond: str = ""  # a word for what is not in the text of a page
    condition: str = ""  # a word for a condition: an edition, an exception
    unknown: tuple[str, ...] = ()  # words that were not understood
    known: bool = True  # whether we have words for the language

    def says(self, where: str) -> bool:
        return any(each == where for each, _ in self.where)

    def only(self, *kinds: str) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.kind in kinds)


@cache
def _held(language: str) -> dict[str, Any] | None:
    path = HOME / f"{language}.toml"
    if not path.is_file():
        return None
    phrases: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    return phrases


def table_words(language: str) -> tuple[str, ...]:
    """Words for a table, which a target may have behind its name."""
    phrases = _held(language) or {}
    return tuple(phrases.get("table", ()))


def link_words(language: str, name: str) -> tuple[str, ...]:
    """ "to", "from": what stands between a thing and its new value."""
    phrases = _held(language) or {}
    return tuple(phrases.get(name, ()))


def order(change: Change, target: str, language: str) -> Instruction:
    """The order of an amendment."""
    phrases = _held(language)
    wording, quoted = apart(change.instruction)
    anchors = tuple(each for each in quoted if not _told(each, change))
    if phrases is None:
        return Instruction(anchors=anchors, known=False)
    plain = flat(wording)
    where = tuple(sorted((_where(plain, phrases)), key=lambda each: each[1]))
    pieces = tuple(_pieces(plain, phrases))
    beyond = _first(phrases["beyond"], plain)
    condition = _first(phrases["conditions"], f"{plain} {flat(target)}")
    unknown = _unknown(plain, phrases, target, change)
    return Instruction(pieces=pieces, where=where, anchors=anchors, beyond=beyond, condition=condition, unknown=unknown)


def _first(phrases: Iterable[str], plain: str) -> str:
    """The first of the phrases that a text has."""
    return next((match[0] for phrase in phrases if (match := _phrase(phrase).search(plain))), "")


def piece_only(text: str, language: str) -> bool:
    """Whether words name a piece and nothing else: "second paragraph"."""
    phrases, plain = _held(language), flat(text)
    if phrases is None:
        return False
    return any(_pieces(plain, phrases)) and not _unknown(plain, phrases, "", Change(operation=_ANY))


def ends_with_quotation(instruction: str) -> bool:
    """Whether what is quoted ends the instruction, as a new text does; True where nothing is quoted."""
    wording, quoted = apart(instruction)
    return not quoted or (wording.count(QUOTED) == 1 and not words(wording[wording.index(QUOTED) :]))


def apart(instruction: str) -> tuple[str, list[str]]:
    """An instruction with a sign for each quotation, and the quotations."""
    wording, quoted, at = "", [], 0
    while at < len(instruction):
        closers = OPENING.get(instruction[at], "")
        opens = closers and (at == 0 or not instruction[at - 1].isalnum()) and instruction[at + 1 : at + 2].strip()
        end = _closing(instruction, at + 1, closers) if opens or instruction[at] in "«„" else -1
        if end < 0:
            wording += instruction[at]
            at += 1
            continue
        quoted.append(instruction[at + 1 : end].strip())
        wording += f" {QUOTED} "
        at = end + 1
    return wording, quoted


def _closing(text: str, start: int, closers: str) -> int:
    """The mark that closes a quotation; an apostrophe inside a word closes nothing, nor do inches behind a number."""
    for at in range(start, len(text)):
        inside = text[at] in "’'" and at + 1 < len(text) and text[at + 1].isalnum()
        inches = text[at] in '”"' and text[at - 1].isdigit() and any(mark in text[at + 1 :] for mark in closers)
        if text[at] in closers and not inside and not inches:
            return at
    return -1


def _told(quoted: str, change: Change) -> bool:
    """Whether a quotation is the old or the new text."""
    mine = words(quoted)
    old = [words(change.old)] if change.old else []
    return not mine or mine in [*old, *(words(text) for text in change.new), words(" ".join(change.new))]


@cache
def _phrase(phrase: str) -> re.Pattern[str]:
    plain = flat(phrase)
    bare = re.escape(plain.rstrip("*")).replace(r"\ ", r"\s+")
    ending = r"\w*" if plain.endswith("*") else ""
    return re.compile(rf"(?<!\w){bare}{ending}(?!\w)")


def _where(plain: str, phrases: dict[str, Any]) -> Iterable[tuple[str, int]]:
    for name in WHERE:
        starts = [match.start() for phrase in phrases[name] if (match := _phrase(phrase).search(plain))]
        if name == "after" and starts:  # "the following sentence" is no place
            starts = [at for at in starts if not re.match(r"following(?!\s+(?:the\b|" + QUOTED + "))", plain[at:])]
        if starts:
            yield name, min(starts)


def _pieces(plain: str, words_of: dict[str, Any]) -> Iterable[Piece]:
    """Every piece that is named, in order, with its ordinal before or its number behind."""
    pieces: list[Piece] = []
    taken: list[tuple[int, int]] = []
    phrases = sorted(((phrase, kind) for kind in PIECES for phrase in words_of[kind]), key=lambda each: -len(each[0]))
    for phrase, kind in phrases:
        for match in _phrase(phrase).finditer(plain):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            taken.append(match.span())
            pieces.append(_with_ordinal(plain, match, kind, words_of))
    return sorted(pieces, key=lambda piece: piece.at)


def _with_ordinal(plain: str, match: re.Match[str], kind: str, phrases: dict[str, Any]) -> Piece:
    before = re.findall(r"[^\s']+", plain[: match.start()])[-3:]
    after = re.match(r"\s*(\d{1,2})(?![\w.,]*\w)", plain[match.end() :])
    if after:
        return Piece(kind=kind, ordinal=int(after[1]), at=match.start(), numbered=True)
    count = 1
    for word in reversed(before):
        bare = word.strip(",;:()")
        if any(bare in phrases[kind] for kind in PIECES):
            break  # what stands before is of that piece
        if bare in phrases["numbers"][1:] or (bare.isdigit() and len(bare) < 3):
            count = phrases["numbers"].index(bare) + 1 if bare in phrases["numbers"] else int(bare)
            continue
        ordinal = next((n for n, forms in enumerate(phrases["ordinals"], 1) if bare in forms or word in forms), 0)
        if ordinal:
            return Piece(kind=kind, ordinal=ordinal, count=count, at=match.start())
        if bare in phrases["last"] or bare in phrases["last_but_one"]:
            return Piece(kind=kind, ordinal=-1 if bare in phrases["last"] else -2, count=count, at=match.start())
    return Piece(kind=kind, count=count, at=match.start())


def _unknown(plain: str, phrases: dict[str, Any], target: str, change: Change) -> tuple[str, ...]:
    """Words that neither we know nor the target has."""
    rest = plain
    named = [phrase for name in (*PIECES, *WHERE) for phrase in phrases[name]]
    for phrase in sorted(named, key=len, reverse=True):
        rest = _phrase(phrase).sub(" ", rest)
    known = {
        flat(word) for word in (*phrases["filler"], *phrases["numbers"], *phrases["last"], *phrases["last_but_one"])
    }
    known |= (
        {word for forms in phrases["ordinals"] for word in forms}
        | set(words(target))
        | set(words(" ".join(change.new)))
    )
    return tuple(word for word in words(rest) if word not in known and not word.isdigit())
