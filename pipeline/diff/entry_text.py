"""What of an entry is compared: its printed parts in order, and the keys that tell the same text again."""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.fields import Field, Use, fields, lines
from pipeline.records import QA, AnyEntry, Erratum, Rule, Table, Text
from pipeline.text import BULLETS, even, fold, unspaced

NamedText = tuple[str, str]  # (what it is, its text; paragraphs end in a newline)

_SPACE = re.compile(r"\s+")
_LEADER = re.compile(r"(?:[.…_·]\s?){3,}\s*\d+")
CONTENTS = 2  # such lines make a table of contents
ROWS, CELL = "rows", " | "  # the part that is a table, and what stands between its cells

_WORD = re.compile(r"\w+")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")  # between letters: "2-3" is not "23"
_TRADE = re.compile("[™®©]")
_BULLET = re.compile(rf"^[{BULLETS}·*–—-]\s+", re.MULTILINE)


def parts(entry: AnyEntry) -> tuple[NamedText, ...]:
    """The printed parts of an entry, the head first; the number of a rule is no part (it may be renumbered)."""
    return tuple(_part(entry, field) for field in fields(entry) if field.name != "number")


def _part(entry: AnyEntry, field: Field) -> NamedText:
    if isinstance(entry, Erratum) and field.use is Use.BODY:
        return "body", "\n".join(_amendments(entry))
    if field.use is Use.HEAD:
        return field.name, str(field.texts[0]) if isinstance(entry, QA | Table) else _name(field.texts[0])
    if isinstance(entry, Table) and field.use is Use.BODY:
        return field.name, "\n".join(CELL.join(row).replace("\n", " ") for row in _rows(entry))
    if field.use is Use.BODY:
        return field.name, "\n".join(lines(entry))
    return field.name, ", ".join(field.texts)


def _rows(table: Table) -> list[list[str]]:
    """The rows; a column of lists without a head goes on with the lists at its left, and is no column of its own."""
    columns = range(max(map(len, table.rows), default=0))
    on = {at for at in columns if at and _goes_on([row[at] for row in table.rows if at < len(row)])}
    rows: list[list[str]] = []
    for row in table.rows:
        rows.append([])
        for at, cell in enumerate(row):
            if at in on:
                rows[-1][-1] = f"{rows[-1][-1]} {cell}".strip()
            else:
                rows[-1].append(str(cell))
    return rows


def _goes_on(column: list[Text]) -> bool:
    below = [cell for cell in column[1:] if cell.strip()]
    return bool(below) and not column[0].strip() and all(_BULLET.match(cell) for cell in below)


def _name(text: str) -> str:
    """Without the stop after which the text may run on in the same line."""
    return text.rstrip(" .:–—-") or text


def _amendments(entry: Erratum) -> list[str]:
    """The instructions and the texts, once: what is quoted inside the instruction stands there already."""
    lines: list[str] = []
    for change in entry.changes:
        lines.append(str(change.instruction))
        within = unspaced(change.instruction)
        texts = (() if change.old is None else (change.old,)) + change.new
        lines += [str(text) for text in texts if unspaced(text) not in within]
    return [line for line in lines if line.strip()]


def number(entry: AnyEntry) -> str | None:
    """The printed number of a rule."""
    return entry.number if isinstance(entry, Rule) else None


def head(entry: AnyEntry) -> str:
    """What a person calls the entry by: its question, target, term or title."""
    named = [text for what, text in parts(entry) if what in ("question", "target", "term", "title")]
    return named[0] if named else ""


def body(entry: AnyEntry) -> str:
    """All but the head."""
    return "\n".join(text for what, text in parts(entry) if what not in ("question", "target", "term", "title"))


def whole(entry: AnyEntry) -> str:
    """All the printed text of an entry, a part a line."""
    return "\n".join(text for _, text in parts(entry) if text)


@lru_cache(maxsize=1 << 14)
def key(text: str) -> str:
    """The same for re-wrapped and re-typeset text: no white space, bullets, kinds of quotes and dashes."""
    return _SPACE.sub("", alike(_BULLET.sub("• ", text)))


def is_listed(line: str) -> bool:
    """Whether a line is an item of a list."""
    return bool(_BULLET.match(line))


def alike(text: str) -> str:
    """For comparing: one house quotes ‘so’, another “so”, and a hyphen at the end of a line may be a word’s or not."""
    return _HYPHEN.sub("", even(text).replace('"', "'"))


@lru_cache(maxsize=1 << 14)
def folded(text: str) -> str:
    """For likeness: lower case, no accents, no marks of a trade."""
    return fold(_TRADE.sub("", text))


def words_of(text: str) -> list[str]:
    """The words of a text, folded: for one that is not looked at again."""
    return _WORD.findall(fold(_TRADE.sub("", text)))


@lru_cache(maxsize=1 << 14)
def vocables(text: str) -> tuple[str, ...]:
    """The words of a text, folded."""
    return tuple(_WORD.findall(folded(text)))


def letters(text: str) -> str:
    """Letters and digits alone, folded: what stays when a text is set and cut in another way."""
    return "".join(vocables(text))


def is_contents(entry: AnyEntry) -> bool:
    """A table of contents that was read as text: it only repeats headings and says pages, which always change."""
    from pipeline.vocab import vocabulary

    if isinstance(entry, (QA, Erratum)):  # rulings, even on the index of a book
        return False
    if any(len(_LEADER.findall(text)) >= CONTENTS for _, text in parts(entry)):
        return True
    named = {vocables(word) for word in vocabulary(entry.language).document.contents}
    return any(vocables(heading) in named for heading in (*entry.section, entry.subject or "", head(entry)))
