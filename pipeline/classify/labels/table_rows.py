"""Tables whose rows are questions, errata or terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.classify import definitions, errata, questions, rules
from pipeline.classify.blocks import lead
from pipeline.classify.grammar import Grammar
from pipeline.classify.labels.labelled_blocks import LABEL_WORDS, Part, Sign
from pipeline.classify.labels.state import State
from pipeline.records import Block, Change, Operation, Role, Text
from pipeline.text import DIGITS, flat, in_one_line, join, split_lines
from pipeline.vocab import Answer, Question

SHORT_WORD = 4  # letters; a shorter word heads no column


def table_of_errata(block: Block, state: State, grammar: Grammar) -> list[Part]:
    """A table with the old text and the new in columns of their own: each row is an erratum.

    One with a column of pages among errata is one, too; the last cell may say what to do instead. Articles may stand
    for pages where both texts are there.
    """
    header = [flat(cell.strip()) for cell in block.rows[0]] if block.rows else []
    column = next((at for at, cell in enumerate(header) if cell in grammar.page_words), None)
    if len(header) < 2:
        return []
    old = _column_of(header, grammar.old_heads)
    new = _column_of(header, grammar.new_heads, old)
    amends = column is not None or _names_articles(block, (old, new), state, grammar)
    rows = _with_pages(block.rows[1:], column)
    if old is not None and new is not None and amends:
        return [_old_and_new(block, row, (column, old, new), grammar) for row in rows]
    if column is None:
        return []
    parts = []
    for row in rows if state.in_errata else ():
        pages, _ = errata.page_numbers(flat(row[column]), grammar)
        others = [cell for at, cell in enumerate(row) if at != column and cell.strip()]
        if others:
            target = rules.clean_title(join(map(in_one_line, others[:-1]), ", "))
            parts.append(Part(sign=Sign.ERRATUM, block=block, text=target, pages=pages, rest=_cell(block, others[-1])))
    return parts


def _with_pages(rows: Sequence[tuple[Text, ...]], column: int | None) -> list[tuple[Text, ...]]:
    """The rows of a table, each with the page that it stands under: one cell may be that of several."""
    if column is None:
        return list(rows)
    paged: list[tuple[Text, ...]] = []
    for row in rows:
        pages = row[column] if row[column].strip() or not paged else paged[-1][column]
        paged.append((*row[:column], pages, *row[column + 1 :]))
    return paged


def _column_of(header: Sequence[str], heads: frozenset[str], taken: int | None = None) -> int | None:
    """The column with one of these heads, or with a word of one in its own: "Texte correct", "Version corrigée"."""
    exact = [at for at, cell in enumerate(header) if cell in heads and at != taken]
    if exact:
        return exact[0]
    long = tuple(head for head in heads if len(head) > SHORT_WORD)
    near = ((at, word) for at, cell in enumerate(header) if at != taken for word in cell.split())
    return next((at for at, word in near if word.startswith(long) and heads & {word, word[:-1], word[:-2]}), None)


def _names_articles(block: Block, texts: tuple[int | None, ...], state: State, grammar: Grammar) -> bool:
    """Does every row say what it amends? Where no amendments are expected, most of them by the number of a rule."""
    others = [[cell for at, cell in enumerate(row) if at not in texts and cell.strip()] for row in block.rows[1:]]
    numbered = sum(bool(cells) and rules.rule_number(f"{cells[0]} x", grammar) is not None for cells in others)
    return all(others) and (state.in_errata or 2 * numbered > len(others))


def _cell(block: Block, cell: Text) -> Block:
    """A cell as a paragraph."""
    return replace(block, role=Role.PARAGRAPH, text=in_one_line(cell), rows=(), breaks=())


def table_of_questions(block: Block, state: State, grammar: Grammar) -> list[Part]:
    """A table with a column of questions and one of answers, and none besides but numbers, or cards."""
    if asking := _asking_rows(block):
        return [Part(sign=Sign.QUESTION, block=block, text=row[0], rest=_cell(block, row[1])) for row in asking]
    header = [flat(cell.strip()) for cell in block.rows[0]] if block.rows else []
    asked = next((at for at, cell in enumerate(header) if _heads(cell, grammar.words.question)), None)
    answered = next((at for at, cell in enumerate(header) if at != asked and _heads(cell, grammar.words.answer)), None)
    if asked is None or answered is None or any(not row[asked].strip() for row in block.rows[1:2]):
        return []
    parts = []
    for row in block.rows[1:]:
        names = [at for at, cell in enumerate(row) if at not in (asked, answered) and any(map(str.isalpha, cell))]
        if len(names) > 1 or any(at > asked or len(row[at].split()) > LABEL_WORDS for at in names):
            return []
        parts += [_card(block, row[at], state.above + 1) for at in names]
        first, *more = split_lines(row[answered])
        if row[asked].strip():
            parts.append(Part(sign=Sign.QUESTION, block=block, text=in_one_line(row[asked]), rest=_cell(block, first)))
        else:  # the cell above goes on
            more = [first, *more]
        parts += [_next_paragraph(block, text) for text in more]
    return parts


def _next_paragraph(block: Block, text: Text) -> Part:
    """Another paragraph of what a row of a table began."""
    return Part(sign=Sign.BODY, block=_cell(block, text), text=text)


def _asking_rows(block: Block) -> list[tuple[Text, ...]]:
    """The rows of two columns without a header, before which numbers may stand: every cell of the first asks, and none
    of the second. None where it is another table."""
    rows = [row[1:] if len(row) > 2 and row[0].strip(" .)").isdecimal() else row for row in block.rows]
    if len(rows) < 2 or any(len(row) != 2 for row in rows):
        return []
    asks = [(questions.asks(row[0]), questions.asks(row[1]) or not row[1].strip()) for row in rows]
    return rows if asks == [(True, False)] * len(asks) else []


def _card(block: Block, name: Text, level: int) -> Part:
    """The card, unit or ability that a row of a table is about, as a heading over it."""
    head = replace(_cell(block, name), role=Role.HEADING, level=level, addresses=())  # its words are the row's
    return Part(sign=Sign.HEADING, block=head, card=True)


def _heads(cell: str, words: Question | Answer) -> bool:
    """Does it head a column of questions or of answers: "Q", "Question", "Questions des joueurs"?"""
    stems = tuple(flat(word)[:-1] for word in words.words if len(word) > SHORT_WORD)
    return cell.startswith(stems) or cell.upper() in words.letters


def table_of_terms(block: Block, state: State, grammar: Grammar) -> list[Part]:
    """A table in a glossary: terms, what they mean, and between them perhaps their names in another language."""
    if not state.in_glossary or not block.rows or any(len(row) not in (2, 3) for row in block.rows):
        return []
    if 2 * sum(row[-1].count(" ") > 1 for row in block.rows) < len(block.rows):
        return []  # prices and the like, no meanings
    parts = []
    for row in block.rows[_has_header(block.rows) :]:
        named = definitions.named(row[0], grammar)
        if named and row[-1].strip():
            named = _with_name(named, row[1:-1])
            first, *more = split_lines(row[-1])
            parts.append(Part(sign=Sign.DEFINITION, block=block, text=named.name, rest=_cell(block, first), term=named))
            parts += [_next_paragraph(block, text) for text in more]
        elif parts:  # another paragraph of the cell above
            parts.append(_next_paragraph(block, join([cell for cell in row if cell])))
    return parts


def _with_name(term: definitions.Term, cells: Sequence[Text]) -> definitions.Term:
    """A term with what a column of its own says of it: its pages, or its name elsewhere."""
    texts = tuple(str(cell).strip() for cell in cells if cell.strip())
    if any(cell[-1:] in DIGITS for cell in texts):
        return replace(term, refs=term.refs + tuple(ref for cell in texts for ref in definitions.references(cell)))
    return replace(term, aliases=term.aliases + texts)


def _has_header(rows: Sequence[tuple[Text, ...]]) -> bool:
    """Is the last cell of the first row bold, and no other under it?"""
    first, *others = (lead(row[-1]) >= len(row[-1].rstrip()) > 0 for row in rows)
    return first and not any(others)


def _old_and_new(block: Block, row: tuple[Text, ...], columns: tuple[int | None, int, int], grammar: Grammar) -> Part:
    """A row that has the old text and the new in columns of their own; without an old text the new one is added."""
    column, *texts = columns
    cell = flat(row[column]).strip() if column is not None else ""
    paged = cell[:1].isdigit() or grammar.page_head.match(cell) is not None  # not "Card 27"
    pages = errata.page_numbers(cell, grammar)[0] if paged else ()
    old, new = (row[at] if any(map(str.isalnum, row[at])) else None for at in texts)
    old = in_one_line(old) if old else None
    named = [in_one_line(cell) for at, cell in enumerate(row) if at not in texts and not (paged and at == column)]
    target = join([cell for cell in named if cell.strip()], ", ")
    erratum = Part(sign=Sign.ERRATUM, block=block, text=rules.clean_title(target), pages=pages)
    if new is not None and old is None and errata.operation_of(new, grammar):
        return replace(erratum, rest=_cell(block, new))
    operation = Operation.INSERT if old is None else Operation.DELETE if new is None else Operation.REPLACE
    return replace(erratum, change=Change(operation=operation, old=old, new=tuple(split_lines(new)) if new else ()))
