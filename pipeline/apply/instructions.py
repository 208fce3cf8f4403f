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
    held: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
    return held


def table_words(language: str) -> tuple[str, ...]:
    """Words for a table, which a target may have behind its name."""
    held = _held(language) or {}
    return tuple(held.get("table", ()))


def link_words(language: str, name: str) -> tuple[str, ...]:
    """ "to", "from": what stands between a thing and its new value."""
    held = _held(language) or {}
    return tuple(held.get(name, ()))


def order(change: Change, target: str, language: str) -> Instruction:
    """The order of an amendment."""
    held = _held(language)
    said, quoted = apart(change.instruction)
    anchors = tuple(each for each in quoted if not _told(each, change))
    if held is None:
        return Instruction(anchors=anchors, known=False)
    plain = flat(said)
    where = tuple(sorted((_where(plain, held)), key=lambda each: each[1]))
    pieces = tuple(_pieces(plain, held))
    beyond = _first(held["beyond"], plain)
    condition = _first(held["conditions"], f"{plain} {flat(target)}")
    unknown = _unknown(plain, held, target, change)
    return Instruction(pieces=pieces, where=where, anchors=anchors, beyond=beyond, condition=condition, unknown=unknown)


def _first(phrases: Iterable[str], plain: str) -> str:
    """The first of the phrases that a text has."""
    return next((found[0] for phrase in phrases if (found := _phrase(phrase).search(plain))), "")


def piece_only(text: str, language: str) -> bool:
    """Whether words name a piece and nothing else: "second paragraph"."""
    held, plain = _held(language), flat(text)
    if held is None:
        return False
    return any(_pieces(plain, held)) and not _unknown(plain, held, "", Change(operation=_ANY))


def ends_with_quotation(instruction: str) -> bool:
    """Whether what is quoted ends the instruction, as a new text does; True where nothing is quoted."""
    said, quoted = apart(instruction)
    return not quoted or (said.count(QUOTED) == 1 and not words(said[said.index(QUOTED) :]))


def apart(instruction: str) -> tuple[str, list[str]]:
    """An instruction with a sign for each quotation, and the quotations."""
    made, quoted, at = "", [], 0
    while at < len(instruction):
        closers = OPENING.get(instruction[at], "")
        opens = closers and (at == 0 or not instruction[at - 1].isalnum()) and instruction[at + 1 : at + 2].strip()
        end = _closing(instruction, at + 1, closers) if opens or instruction[at] in "«„" else -1
        if end < 0:
            made += instruction[at]
            at += 1
            continue
        quoted.append(instruction[at + 1 : end].strip())
        made += f" {QUOTED} "
        at = end + 1
    return made, quoted


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


def _where(plain: str, held: dict[str, Any]) -> Iterable[tuple[str, int]]:
    for name in WHERE:
        found = [match.start() for phrase in held[name] if (match := _phrase(phrase).search(plain))]
        if name == "after" and found:  # "the following sentence" is no place
            found = [at for at in found if not re.match(r"following(?!\s+(?:the\b|" + QUOTED + "))", plain[at:])]
        if found:
            yield name, min(found)


def _pieces(plain: str, held: dict[str, Any]) -> Iterable[Piece]:
    """Every piece that is named, in order, with its ordinal before or its number behind."""
    found: list[Piece] = []
    taken: list[tuple[int, int]] = []
    phrases = sorted(((phrase, kind) for kind in PIECES for phrase in held[kind]), key=lambda each: -len(each[0]))
    for phrase, kind in phrases:
        for match in _phrase(phrase).finditer(plain):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            taken.append(match.span())
            found.append(_with_ordinal(plain, match, kind, held))
    return sorted(found, key=lambda piece: piece.at)


def _with_ordinal(plain: str, match: re.Match[str], kind: str, held: dict[str, Any]) -> Piece:
    before = re.findall(r"[^\s']+", plain[: match.start()])[-3:]
    after = re.match(r"\s*(\d{1,2})(?![\w.,]*\w)", plain[match.end() :])
    if after:
        return Piece(kind=kind, ordinal=int(after[1]), at=match.start(), numbered=True)
    count = 1
    for word in reversed(before):
        bare = word.strip(",;:()")
        if any(bare in held[kind] for kind in PIECES):
            break  # what stands before is of that piece
        if bare in held["numbers"][1:] or (bare.isdigit() and len(bare) < 3):
            count = held["numbers"].index(bare) + 1 if bare in held["numbers"] else int(bare)
            continue
        ordinal = next((n for n, forms in enumerate(held["ordinals"], 1) if bare in forms or word in forms), 0)
        if ordinal:
            return Piece(kind=kind, ordinal=ordinal, count=count, at=match.start())
        if bare in held["last"] or bare in held["last_but_one"]:
            return Piece(kind=kind, ordinal=-1 if bare in held["last"] else -2, count=count, at=match.start())
    return Piece(kind=kind, count=count, at=match.start())


def _unknown(plain: str, held: dict[str, Any], target: str, change: Change) -> tuple[str, ...]:
    """Words that neither we know nor the target has."""
    rest = plain
    named = [phrase for name in (*PIECES, *WHERE) for phrase in held[name]]
    for phrase in sorted(named, key=len, reverse=True):
        rest = _phrase(phrase).sub(" ", rest)
    known = {flat(word) for word in (*held["filler"], *held["numbers"], *held["last"], *held["last_but_one"])}
    known |= (
        {word for forms in held["ordinals"] for word in forms} | set(words(target)) | set(words(" ".join(change.new)))
    )
    return tuple(word for word in words(rest) if word not in known and not word.isdigit())
