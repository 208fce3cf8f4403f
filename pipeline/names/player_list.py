"""A player's list -> its lines, each with the names that it may mean: plain names, a deck, an army, a table.

Nothing is known here of the book: a line that could be read in several ways says them all, the likeliest first.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import SourceError, counted
from pipeline.names.name_forms import stem, stems_of
from pipeline.text import BULLETS
from pipeline.vocab import vocabulary

LARGEST = 1_000_000  # bytes: a longer one was not written for a game
MOST = 2_000  # lines: an army has a hundred, a collection of cards some hundreds
LONGEST = 200  # characters of a line that can still be a name and what belongs to it
PAPER = "a list is text: one name a line, a deck list, an army list, or a CSV"

_BULLET = re.compile(rf"^(?:[\s>|│└├─]+|[{BULLETS}*·–—-]+\s*|\[[ xX]\]\s*)+")
_COUNT = re.compile(r"^(?:\(?\d{1,3}\s?[x×]?\)?\s+|[x×]\s?\d{1,3}\s+|\d{1,3}[x×]\s?)(?=\S)", re.IGNORECASE)
_COUNT_AFTER = re.compile(r"\s+(?:[x×]\s?\d{1,3}|\d{1,3}\s?[x×])\s*$", re.IGNORECASE)
_BRACKET = re.compile(r"\s*[(\[{][^)\]}]*[)\]}]")
_DIGIT = re.compile(r"\d")
_PRINTING = re.compile(r"\s+\([A-Z0-9]{2,6}\)\s+\d+[a-z★]?\s*(?:\*F\*)?\s*$")  # "(M10) 146": the set and its number
_PLACE = re.compile(r"^[A-Za-zÀ-ÿ]{2,14}\s?\d{0,2}\s*:\s+(?=\S)")  # "Char1: …", "SB: …"
_RULED = re.compile(r"^\W*$|^[+=#~*_-]{1,3}.*[+=#~*_-]{1,3}\s*$|^(?://|#|;)\s?")
_WITH = re.compile(r"\s+(?:w/|w\.)\s*|\s*[:;,]\s+|\s+[–—-]\s+|\s*[|\t]\s*|\s*\+\s+|,\s*")
_DOTS = re.compile(r"(?:\s*\.){3,}\s*|\s*…\s*|\s{3,}|\t+")
_NUMBER_ONLY = re.compile(r"^(?:#|n\s?[°º]|nos?\.|nr\.?|№)\s*(\d+[a-z]?)$", re.IGNORECASE)
_CARD = re.compile(r"(?:#|\bn\s?[°º]|\bnos?\.|\bnr\.?|№)\s*\d+[a-z]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A line of a list, and what it may name."""

    line: int  # 1-based
    text: str  # as it was written
    whole: str  # without bullets, counts and costs; "" where nothing is left
    pieces: tuple[str, ...] = ()  # names in it, where the whole is none
    number: str = ""  # of a card, where it says nothing else
    head: bool = False  # it may only say what follows: "Sideboard", "HQ:"
    counted: bool = False  # it says how many


def read_list(path: Path, text: bytes | None = None) -> str:
    """The text of a list, from its file or as it came; a SourceError where it is none."""
    where = str(path)
    if text is None:
        if path.is_dir():
            raise SourceError("is a folder", where=where, hint=PAPER)
        try:
            if path.stat().st_size > LARGEST:
                raise SourceError(f"is larger than {LARGEST:,} bytes", where=where, hint=PAPER)
            text = path.read_bytes()
        except OSError as error:
            raise SourceError(
                f"cannot be read ({error.strerror})", where=where, hint="name the file of your list"
            ) from None
    decoded = _decoded(text, where)
    lines = [line for line in decoded.splitlines() if line.strip()]
    if not lines:
        raise SourceError("is an empty list", where=where, hint="write one name a line")
    if len(lines) > MOST:
        raise SourceError(f"has {counted(len(lines), 'line')}, a list at most {MOST:,}", where=where, hint=PAPER)
    return decoded


def _decoded(text: bytes, where: str) -> str:
    if text.startswith((b"\xff\xfe", b"\xfe\xff")):
        return text.decode("utf-16", "replace")
    if b"\0" in text or text.startswith(b"%PDF") or _is_noise(text):
        raise SourceError("is no text", where=where, hint=PAPER)
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return text.decode("cp1252", "replace")


def _is_noise(text: bytes) -> bool:
    """Whether it holds signs that no text has."""
    return sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in text[:4000]) > 0


def asked(text: str, language: str) -> list[Asked]:
    """The lines of a list that may name something."""
    rows = _table(text)
    if rows:
        return list(_from_table(rows, language))
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            lines.append(_line(number, line, language))
    return lines


# ---------------------------------------------------------------- lines


def _line(number: int, line: str, language: str) -> Asked:
    written = " ".join(line.split())[:LONGEST]
    if only := _NUMBER_ONLY.match(_COUNT.sub("", _BULLET.sub("", written))):
        return Asked(line=number, text=written, whole="", number=only[1])
    bare = _BULLET.sub("", line[:LONGEST]).strip()
    unlabelled = _PLACE.sub("", bare)
    whole = _plain(unlabelled, language)
    pieces = [_plain(piece, language) for piece in _WITH.split(_without_costs(unlabelled))]
    pieces = [_plain(bare, language), *pieces]
    kept = tuple(dict.fromkeys(piece for piece in pieces if piece and piece != whole))
    many = _COUNT.match(unlabelled) or _COUNT_AFTER.search(unlabelled)
    return Asked(line=number, text=written, whole=whole, pieces=kept, head=_is_head(line, whole, language),
                 counted=many is not None)  # fmt: skip


def _plain(text: str, language: str) -> str:
    """A name without its bullet, its count, its printing and its cost."""
    costs = "|".join(re.escape(word) for word in vocabulary(language).names.points)
    cost = rf"(?:\d[\d,. ]*\s?(?:{costs})\b\.?|(?:{costs})\b\.?\s?:?\s?\d+)"
    bare = _BULLET.sub("", text).strip()
    if re.fullmatch(cost, bare, flags=re.IGNORECASE):
        return ""
    name = _without_costs(_COUNT_AFTER.sub("", _COUNT.sub("", _PRINTING.sub("", bare))))
    name = re.sub(rf"\s*[–—:@,-]?\s*{cost}.*$", "", name, flags=re.IGNORECASE)
    name = re.sub(r"\s+[–—@:-]\s*\d+\s*$", "", _DOTS.split(name)[0] if _DIGIT.search(_tail(name)) else name)
    return _COUNT.sub("", name).strip(' \u00a0:;,.–—-+=*#|_"“”«»')


def _tail(name: str) -> str:
    return (_DOTS.split(name)[1:] or [""])[-1]


def _without_costs(name: str) -> str:
    """Without brackets that hold a number, but not that of a card."""
    return _BRACKET.sub(lambda match: "" if _DIGIT.search(match[0]) or _CARD.search(match[0]) else match[0], name)


def _is_head(line: str, whole: str, language: str) -> bool:
    """Whether a line may say only what those below it are, or add something up."""
    if not whole or _RULED.match(_without_costs(line).strip()) or line.rstrip().endswith(":"):
        return True
    stems = tuple(stem(word, language) for word in re.findall(r"[^\W_]+", whole))
    heads = stems_of(vocabulary(language).names.heads, language) | stems_of(vocabulary("en").names.heads, "en")
    return (
        stems in heads or not any(map(str.isalpha, whole)) or all((each,) in heads or each.isdigit() for each in stems)
    )


# ---------------------------------------------------------------- tables


def _table(text: str) -> list[tuple[int, list[str]]]:
    """The rows of a CSV with their lines; none where it is no table: each row has as many cells as the first."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    for sign in (";", "\t", ","):
        rows = [(number, next(csv.reader([line], delimiter=sign))) for number, line in lines]
        width = len(rows[0][1])
        if width > 1 and len(rows) > 1 and all(len(cells) == width for _, cells in rows):
            return rows
    return []


def _from_table(rows: Sequence[tuple[int, list[str]]], language: str) -> Iterator[Asked]:
    """The names in a table: of the column that is headed so, else of every one that holds words."""
    first = rows[0][1]
    column = _named_column(first, language)
    for number, cells in rows[1:] if column is not None else rows:
        names = [cells[column]] if column is not None else cells
        words = [name for cell in names if any(map(str.isalpha, name := _plain(cell, language)))]
        longest = max(words, key=len, default="")
        text = " | ".join(" ".join(cell.split()) for cell in cells)
        yield Asked(line=number, text=text, whole=longest, pieces=tuple(name for name in words if name != longest),
                    head=not longest)  # fmt: skip


def _named_column(first: Sequence[str], language: str) -> int | None:
    """The column whose head says that names stand in it."""
    heads = stems_of(vocabulary(language).names.heads, language) | stems_of(vocabulary("en").names.heads, "en")
    known = [tuple(stem(word, language) for word in re.findall(r"[^\W_]+", cell)) for cell in first]
    if sum(cell in heads for cell in known) * 2 < len(first):
        return None
    named = [at for at, cell in enumerate(known) if cell in _column_heads(language)]
    return named[0] if named else 0


def _column_heads(language: str) -> frozenset[tuple[str, ...]]:
    words = (*vocabulary(language).names.columns, *vocabulary("en").names.columns)
    return stems_of(words, language)
