"""Decision tables: what a judge looks up first, an infraction and its penalty, with what makes it graver.

Many sources have one, and say elsewhere, in the rule of each infraction, that its penalty can be another: both are put
into one table here, with the number of the rule that says when. Words are the source's own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.records import EMPTY, Book, Rule, Ruling, Table, Text
from pipeline.text import fold, rich

ROWS = 5  # of a decision table: fewer are seen at a glance
PENALTY = 24  # letters of a penalty: longer ones are rules
REPEATED = 0.5  # of the rows: a column with fewer different cells than this holds penalties
ARROW = " → "

_LABEL = re.compile(r"(\w+)\s?:\s")  # "Upgrade: If the player …"
_SENTENCE = re.compile(r"[.!?](?=\s|$)")


def decides(table: Table) -> int | None:
    """The column in which a table has penalties: few short words, again and again, beside a name; else None."""
    rows = [row for row in table.rows[table.header_rows :] if len(row) > 1]
    for at in range(1, max(map(len, rows), default=0)):
        cells = [fold(row[at]) for row in rows if at < len(row) and row[at].strip()]
        words = all(len(cell) <= PENALTY and not any(map(str.isdigit, cell)) for cell in cells)
        if table.header_rows and len(cells) >= ROWS and words and 1 < len(set(cells)) <= REPEATED * len(cells):
            return at
    return None


def decided(book: Book) -> Book:
    """The book with what penalties can become in its decision tables; those stand first in their documents."""
    rulings = list(book.rulings)
    for ruling in book.rulings:
        entry = ruling.entry
        column = decides(entry) if isinstance(entry, Table) else None
        if not isinstance(entry, Table) or column is None:
            continue
        others = (each.entry for each in book.rulings if each.entry.source == entry.source)
        if raised := _raised(entry, column, [each for each in others if isinstance(each, Rule)]):
            first = next(at for at, each in enumerate(rulings) if each.entry.source == entry.source)
            rulings.remove(ruling)
            rulings.insert(first, replace(ruling, entry=raised))
    return replace(book, rulings=tuple(rulings)) if rulings != list(book.rulings) else book


def _raised(table: Table, column: int, rules: Sequence[Rule]) -> Table | None:
    """The table with a column more, the penalty that the rule of each infraction gives it in another case, and with the
    numbers of those rules; None where none does."""
    below = table.rows[table.header_rows :]
    names = {fold(row[column]): row[column] for row in below if column < len(row) and row[column].strip()}
    raised = [(rule, _others(rule, {key: name for key, name in names.items() if key != fold(row[column])}))
            if column < len(row) and row[column].strip() and (rule := _of(row[0], rules)) else (None, [])
            for row in below]  # fmt: skip
    labels = Counter(label for _, penalties in raised for label, _ in penalties)
    if not labels:
        return None
    label = labels.most_common(1)[0][0]
    title = ARROW.join(str(cell) for cell in (*table.rows[0], label) if cell.strip())
    above = tuple((*row, rich(label) if not at else EMPTY) for at, row in enumerate(table.rows[: table.header_rows]))
    rows = tuple(
        (rich(f"{rule.number} ", row[0]) if rule and rule.number else row[0], *row[1:], _cell(penalties, label))
        for row, (rule, penalties) in zip(below, raised, strict=True)
    )
    return replace(table, title=None, section=(title,), subject=None, rows=above + rows)


def _cell(penalties: Sequence[tuple[str, str]], usual: str) -> Text:
    """The other penalties of an infraction; one of another sort than most says which."""
    lines = dict.fromkeys(name if label == usual else f"{label}: {name}" for label, name in penalties)
    return rich("\n".join(lines))


def _of(name: str, rules: Sequence[Rule]) -> Rule | None:
    """The rule of an infraction: its title is the name, or ends in it."""
    return next((rule for rule in rules if fold(rule.title).endswith(fold(name)) and rule.body), None)


def _others(rule: Rule, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """The labels under which a rule gives another penalty, and what its first sentence ends in there."""
    penalties: list[tuple[str, str]] = []
    for text in rule.body:
        label, end = _LABEL.match(text), _SENTENCE.search(text)
        sentence = fold(text[: end.end() if end else None])
        places = {at: name for key, name in names.items() if (at := sentence.rfind(key)) >= 0}
        if label and places:
            penalties.append((label[1], str(places[max(places)])))
    return penalties


def is_decision(ruling: Ruling) -> bool:
    return isinstance(ruling.entry, Table) and decides(ruling.entry) is not None
