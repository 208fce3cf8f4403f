"""A consolidation -> a book like any other: each changed rule with its source, grade and what it said before."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from pipeline.records import (
    Amendment,
    AnyEntry,
    Book,
    Citation,
    Consolidation,
    Document,
    Edit,
    Erratum,
    Grade,
    Note,
    Operation,
    Outcome,
    Ruling,
    Since,
    Span,
    Table,
    Text,
)
from pipeline.render import words as printed
from pipeline.text import cut, fold, join, rich

LABEL = 44  # letters of the name of a document of errata
AROUND = 6  # words shown before and behind those that changed
REWRITTEN = 0.6  # of the words of a paragraph: with more of them new, all of it is
ENGLISH = "en"
SLIP_LEAST, SLIP_WIDTH = 20, 70  # millimetres: a narrower column was not measured well, and what it gets instead
SLIP_SIZES = 6.5, 12.0  # points of running text
PARAGRAPHS = ("body", "answer", "text")
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


@cache
def words_of(language: str | None) -> dict[str, Any]:
    """The words for this in a language; English where there are none."""
    home = printed.home() / "apply"
    path = home / f"{(language or ENGLISH)[:2]}.toml"
    words: dict[str, Any] = tomllib.loads((path if path.is_file() else home / f"{ENGLISH}.toml").read_text("utf-8"))
    return words


def reason(each: Amendment, words: dict[str, Any], errata: Iterable[Document] = ()) -> str:
    """Why an amendment is not simply A, in words."""
    text: str = words["reasons"].get(each.reason, each.reason)
    named = {document.source: label(document) for document in errata}
    return text.format(about=named.get(each.about, each.about))


# ---------------------------------------------------------------- the book


def book(consolidation: Consolidation, name: str, *, changed_only: bool = False) -> Book:
    """The rulebook as it now reads; or only the rules that changed, and what is not in them."""
    language = (consolidation.rulebook.language or ENGLISH)[:2]
    words = words_of(language)
    beside: dict[int, list[Amendment]] = {}
    for each in consolidation.amendments:
        if each.passage is not None:
            beside.setdefault(each.passage, []).append(each)
    shown = set(range(len(consolidation.text.entries)))
    rulings = [
        _ruling(consolidation, n, beside.get(n, []), words, language) for n in range(len(consolidation.text.entries))
    ]
    if changed_only:
        shown = {edit.entry for each in consolidation.amendments for edit in each.edits}
        rulings = [ruling for n, ruling in enumerate(rulings) if n in shown]
    beyond = [each for each in consolidation.amendments if _open(each) and each.passage not in shown]
    loose = [_unplaced(consolidation, each, words, language) for each in beyond]
    title = consolidation.rulebook.title or consolidation.rulebook.source.removesuffix(".pdf")
    return Book(
        name=name,
        title=words["patch" if changed_only else "title"].format(title=title),
        game=consolidation.rulebook.game,
        language=language,
        date=max((each.date for each in (consolidation.rulebook, *consolidation.errata) if each.date), default=None),
        documents=(replace(consolidation.rulebook, entries=()), *consolidation.errata),
        rulings=(*rulings, *loose),
        notice=notice(consolidation, language),
        findings=consolidation.findings,
    )


def _open(each: Amendment) -> bool:
    return each.outcome in (Outcome.REFUSED, Outcome.SUPERSEDED)


def notice(consolidation: Consolidation, language: str) -> tuple[str, ...]:
    """What the first page says: which errata are in, how many are not, and what the grades mean."""
    words = words_of(language)
    inside = [each for each in consolidation.amendments if each.outcome is Outcome.APPLIED]
    already = [each for each in consolidation.amendments if each.outcome is Outcome.PRESENT]
    outside = [each for each in consolidation.amendments if _open(each)]
    grades = ", ".join(f"{sum(e.grade is grade for e in inside)} {grade}" for grade in (Grade.A, Grade.B))
    errata = "; ".join(f"{label(each)}{_dated(each, language)}" for each in consolidation.errata)
    lines = [
        words["in_force"].format(errata=errata, count=len(inside), all=len(consolidation.amendments), grades=grades)
    ]
    if already:
        lines.append(words["already"].format(count=len(already)))
    lines.append(words["not_in"].format(count=len(outside)) if outside else words["all_in"])
    if consolidation.as_of:
        later = "; ".join(map(label, consolidation.later)) or "–"
        lines.append(words["as_of"].format(date=printed.date(consolidation.as_of, language), later=later))
    return (*lines, words["grades"])


def _dated(document: Document, language: str) -> str:
    return f" ({printed.date(document.date, language)})" if document.date else ""


def label(document: Document) -> str:
    """The name of a document of errata, short, with its version."""
    title = document.title or document.source.removesuffix(".pdf")
    game = document.game or ""
    if game and fold(title).startswith(fold(game)) and len(title) > len(game) + 3:
        title = title[len(game) :].strip(" -–—:·")
    if len(title) > LABEL:
        title = title[-LABEL:].partition(" ")[2]
    version = document.version or ""
    return f"{title} {version}" if version and version not in title else title


# ---------------------------------------------------------------- a ruling and its notes


def _ruling(
    consolidation: Consolidation, n: int, beside: Sequence[Amendment], words: dict[str, Any], language: str
) -> Ruling:
    before, after = consolidation.rulebook.entries[n], consolidation.text.entries[n]
    applied = [each for each in beside if each.outcome is Outcome.APPLIED]
    page = consolidation.numbers[after.page - 1] if 0 < after.page <= len(consolidation.numbers) else after.page
    citations = (Citation(source=after.source, page=max(page, 0), section=after.section),)
    notes = tuple(_note(consolidation, each, words, language) for each in beside)
    if not applied:
        return Ruling(entry=after, citations=citations, notes=notes)
    return Ruling(
        entry=_marked(before, after), citations=citations, notes=notes, since=Since.CHANGED, original=before,
        since_date=max((each.date for each in applied if each.date), default=None),
    )  # fmt: skip


def _unplaced(consolidation: Consolidation, each: Amendment, words: dict[str, Any], language: str) -> Ruling:
    """An erratum whose passage is not known, in the list at the end."""
    document = next(d for d in consolidation.errata if d.source == each.source)
    place = consolidation.amendments.index(each)
    entry = Erratum(
        id=f"{each.erratum}-{place}", section=(words["list"],), pages=each.pages, target=each.target,
        changes=(each.change,), page=each.page, source=each.source, language=document.language or language,
    )  # fmt: skip
    return Ruling(entry=entry, citations=(Citation(source=each.source, page=each.page),),
                  notes=(Note(head=_head(consolidation, each, words)),))  # fmt: skip


def _note(consolidation: Consolidation, each: Amendment, words: dict[str, Any], language: str) -> Note:
    head = _head(consolidation, each, words)
    if each.outcome is Outcome.APPLIED:
        old = [text for edit in each.edits for text in _old(edit, consolidation.rulebook.entries[edit.entry])]
        body = rich(words["before"], " ", join(old, " ¶ ")) if old else Text()
        return Note(head=head, body=body)
    if each.outcome is Outcome.PRESENT:
        return Note(head=head)
    return Note(head=head, body=join([part for part in (each.change.instruction, *_untold(each)) if part]))


def _untold(each: Amendment) -> list[Text]:
    """The new texts that the instruction does not quote."""
    return [text for text in each.change.new if str(text) not in str(each.change.instruction)]


def _head(consolidation: Consolidation, each: Amendment, words: dict[str, Any]) -> Text:
    document = next(d for d in consolidation.errata if d.source == each.source)
    place = f"{label(document)}, {words['page'].format(n=each.page)}"
    what = {
        Outcome.APPLIED: words["operations"][each.change.operation],
        Outcome.PRESENT: words["present"],
        Outcome.SUPERSEDED: words["superseded"],
        Outcome.REFUSED: words["not_applied"],
    }[each.outcome]
    why = reason(each, words, consolidation.errata) if each.reason and each.outcome is not Outcome.PRESENT else ""
    if each.reason == "repeated":
        what = reason(each, words, consolidation.errata)
    grade = Span(text=f"{each.grade}", bold=True)
    return rich(
        grade, f" {place} · ", Span(text=what, bold=each.outcome is not Outcome.APPLIED), f" – {why}" if why else ""
    )


def _old(edit: Edit, entry: AnyEntry) -> list[Text]:
    """What an edit took away: of a paragraph that stayed its changed words, with those around them; else all of it."""
    if not edit.old:
        return []
    if isinstance(entry, Table):
        named = [cell for cell in entry.rows[edit.row] if any(map(str.isalpha, cell))][:1]
        return [join([*named, *(_struck(text) for text in edit.old)])]
    if len(edit.old) != 1 or len(edit.new) != 1:
        return [_struck(text) for text in edit.old]
    old, new = edit.old[0], edit.new[0]
    gone = list(_changed_words(new, old))
    if not gone:  # words were only added: those around them
        return [_cut_around(old, *_where_added(old, new), struck=False)]
    if gone[0][0] == 0 and gone[-1][1] >= len(old.rstrip()) and len(gone) == 1:
        return [_struck(old)]
    return [_cut_around(old, gone[0][0], gone[-1][1], struck=True, inside=gone)]


def _struck(text: Text) -> Text:
    return rich(*(replace(span, struck=True, changed=False) for span in text.spans))


def _cut_around(text: Text, start: int, end: int, *, struck: bool, inside: Sequence[tuple[int, int]] = ()) -> Text:
    """Some words of a text with those around them, and dots where more stands."""
    low = _words_back(text, start)
    high = _words_on(text, end)
    pieces: list[Text | str] = ["… "] if low else []
    at = low
    for begin, stop in inside if struck else ():
        pieces += [cut(text, at, begin), _struck(cut(text, begin, stop))]
        at = stop
    pieces.append(cut(text, at, high))
    return rich(*pieces, " …" if high < len(text.rstrip()) else "")


def _words_back(text: str, at: int) -> int:
    starts = [n for n in range(at) if (n == 0 or text[n - 1].isspace()) and not text[n].isspace()]
    return starts[-AROUND] if len(starts) > AROUND else 0


def _words_on(text: str, at: int) -> int:
    ends = [n for n in range(at + 1, len(text) + 1) if n == len(text) or text[n].isspace()]
    return ends[AROUND - 1] if len(ends) > AROUND else len(text)


def _where_added(old: str, new: str) -> tuple[int, int]:
    """Where in the old text something was put in."""
    at = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return at, at


# ---------------------------------------------------------------- marking what is new


def _words_at(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _WORD.finditer(text)]


def _changed_words(old: str, new: str) -> Iterator[tuple[int, int]]:
    """Stretches of ``new`` that ``old`` does not have."""
    mine, theirs = _words_at(old), _words_at(new)
    matcher = SequenceMatcher(None, [old[a:b] for a, b in mine], [new[a:b] for a, b in theirs], autojunk=False)
    for tag, _, _, first, last in matcher.get_opcodes():
        if tag != "equal" and last > first:
            yield theirs[first][0], theirs[last - 1][1]


def _marked(before: AnyEntry, after: AnyEntry) -> AnyEntry:
    """The new entry with its new words underlined; a paragraph that is all new is only told as changed."""
    if isinstance(after, Table) and isinstance(before, Table):
        rows = tuple(
            tuple(new if new == old else _underlined(new, [(0, len(new))]) for old, new in zip(one, other, strict=True))
            for one, other in zip(before.rows, after.rows, strict=True)
        )
        return replace(after, rows=rows)
    for field in PARAGRAPHS:
        value: Any = getattr(after, field, None)
        if isinstance(value, Text):
            value = _marked_all((getattr(before, field),), (value,))[0]
        elif value is not None:
            value = _marked_all(getattr(before, field), value)
        after = replace(after, **{field: value}) if value is not None else after
    return after


def _marked_all(old: tuple[Text, ...], new: tuple[Text, ...]) -> tuple[Text, ...]:
    marked: list[Text] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            marked += new[k:m]
            continue
        for at, text in enumerate(new[k:m]):
            marked.append(_compared(old[i + at], text) if i + at < j else _all_new(text))
    return tuple(marked)


def _compared(old: Text, new: Text) -> Text:
    stretches = list(_changed_words(old, new))
    share = sum(b - a for a, b in stretches) / max(1, len(new))
    return _all_new(new) if share > REWRITTEN else _underlined(new, stretches)


def _underlined(text: Text, stretches: Iterable[tuple[int, int]]) -> Text:
    pieces: list[Text | Span] = []
    at = 0
    for start, end in stretches:
        pieces.append(cut(text, at, start))
        pieces += [replace(span, underlined=True, changed=True) for span in cut(text, start, end).spans]
        at = end
    return rich(*pieces, cut(text, at), level=text.level)


def _all_new(text: Text) -> Text:
    return rich(*(replace(span, changed=True) for span in text.spans), level=text.level)


# ---------------------------------------------------------------- slips


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A new text to paste in."""

    page: str  # printed in the rulebook
    name: str
    grade: Grade
    what: Operation
    texts: tuple[Text, ...]
    source: str
    width: float = 0.0  # millimetres
    size: float = 0.0  # points

    @property
    def set_width(self) -> float:
        """That of the column in the rulebook, where it was measured."""
        return round(self.width if self.width > SLIP_LEAST else SLIP_WIDTH, 1)

    @property
    def has_text_size(self) -> bool:
        """Whether its size is one of running text; else it is not that of the passage."""
        least, most = SLIP_SIZES
        return least <= self.size <= most


def slips(consolidation: Consolidation, measures: Sequence[dict[str, float]]) -> list[Slip]:
    """The paragraphs that changed, once each, in the order of the book; as they finally read."""
    language = consolidation.rulebook.language
    words = words_of(language)
    all_slips: list[Slip] = []
    applied = [each for each in consolidation.amendments if each.outcome is Outcome.APPLIED]
    for each, measure in zip(applied, measures, strict=True):
        document = next(d for d in consolidation.errata if d.source == each.source)
        texts = tuple(text for edit in each.edits for text in _final(consolidation, edit))
        if not texts:
            continue
        all_slips.append(Slip(
            page=words["page"].format(n=", ".join(map(str, each.pages)) or each.sheet),
            name=_name(consolidation, each), grade=each.grade,
            what=each.change.operation, texts=texts, source=f"{label(document)}, {words['page'].format(n=each.page)}",
            width=measure["width"] * 25.4 / 72, size=measure["size"],
        ))  # fmt: skip
    return sorted(_once(all_slips), key=lambda slip: int("".join(filter(str.isdigit, slip.page.split(",")[0])) or 0))


def _once(all_slips: Iterable[Slip]) -> list[Slip]:
    by_words: dict[tuple[str, ...], Slip] = {}
    for slip in all_slips:
        by_words.setdefault(tuple(map(str, slip.texts)), slip)
    return list(by_words.values())


def _final(consolidation: Consolidation, edit: Edit) -> tuple[Text, ...]:
    """The paragraphs of an edit as they read in the end: a later one may have changed them again."""
    after = consolidation.text.entries[edit.entry]
    if isinstance(after, Table):
        return (join([cell for cell in after.rows[edit.row] if cell.strip()], " · "),)
    field: Any = getattr(after, edit.field)
    texts = field if isinstance(field, tuple) else (field,)
    return tuple(_best(text, texts) for text in edit.new if text)


def _best(text: Text, texts: Sequence[Text]) -> Text:
    if text in texts or not texts:
        return text
    return max(texts, key=lambda other: SequenceMatcher(None, text.split(), other.split(), autojunk=False).ratio())


def _name(consolidation: Consolidation, each: Amendment) -> str:
    entry = consolidation.text.entries[each.edits[0].entry]
    name = getattr(entry, "title", None) or getattr(entry, "term", None) or each.target
    number = getattr(entry, "number", None)
    return f"{number} {name}".strip() if number else str(name)


# ---------------------------------------------------------------- for the reader's own PDF


def passages(consolidation: Consolidation, each: Amendment) -> list[dict[str, Any]]:
    """The printed texts that an amendment speaks of, and which words of them."""
    if each.passage is None:
        return []
    if each.reason == "repeated":
        twin = next((other for other in consolidation.amendments if other.passage == each.passage
                     and other.change.new == each.change.new and other.outcome is Outcome.APPLIED), None)  # fmt: skip
        return passages(consolidation, twin) if twin else []
    entry = consolidation.rulebook.entries[each.passage]
    texts = _texts(entry)
    if each.outcome is Outcome.APPLIED:
        return [
            passage for edit in each.edits for passage in _passages(edit, consolidation.rulebook.entries[edit.entry])
        ]
    if each.outcome is Outcome.PRESENT:
        return [passage for edit in each.seen for passage in _passages(edit, entry)]
    heading = _heading(entry) or (texts[0] if texts else "")
    return [_whole(heading, False)] if heading else []


def _whole(text: str, row: bool) -> dict[str, Any]:
    return {"text": text, "start": 0, "end": len(text), "row": row}


def _heading(entry: AnyEntry) -> str:
    number = getattr(entry, "number", None) or ""
    name = getattr(entry, "title", None) or getattr(entry, "term", None) or ""
    return f"{number} {name}".strip()


def _texts(entry: AnyEntry) -> list[str]:
    if isinstance(entry, Table):
        return [" ".join(cell for cell in row if cell.strip()) for row in entry.rows]
    texts: list[str] = [*getattr(entry, "body", ()), *getattr(entry, "answer", ())]
    return texts or [text for text in (getattr(entry, "text", ""), getattr(entry, "question", "")) if text]


def _passages(edit: Edit, entry: AnyEntry) -> list[dict[str, Any]]:
    """The words that an edit took away, where they are printed; of words put in, those before them."""
    texts = _texts(entry)
    if isinstance(entry, Table):
        row = texts[edit.row]
        before = len(" ".join(cell for cell in entry.rows[edit.row][: edit.at] if cell.strip()))
        start = before + 1 if before else 0
        return [{"text": row, "start": start, "end": start + len(entry.rows[edit.row][edit.at]), "row": True}]
    if not edit.old:
        at = min(edit.at, len(texts))
        beside = texts[at - 1] if at else (texts or [""])[0]
        start, end = (_words_back(beside, len(beside.rstrip())), len(beside)) if at else (0, _words_on(beside, 0))
        return [{"text": beside, "start": start, "end": end, "row": False}]
    sought = [max(texts, key=lambda text, old=old: _alike(old, text), default=str(old)) for old in edit.old]  # type: ignore[misc]
    if len(edit.old) > 1 or len(edit.new) != 1:
        return [_whole(text, False) for text in dict.fromkeys(sought)]
    [best] = sought
    gone = list(_changed_words(edit.new[0], best))
    if not gone:
        at = _where_added(best, edit.new[0])[0]
        return [{"text": best, "start": _words_back(best, at), "end": max(at, 1), "row": False}]
    return [{"text": best, "start": gone[0][0], "end": gone[-1][1], "row": False}]


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio()


def pins(consolidation: Consolidation, pages_of: Any) -> list[dict[str, Any]]:
    """Every amendment as a note for the PDF."""
    words = words_of(consolidation.rulebook.language)
    notes = []
    for each in consolidation.amendments:
        pages = list(pages_of(consolidation.rulebook.entries[each.passage])) if each.passage is not None else []
        sign = "=" if each.outcome is Outcome.PRESENT else str(each.grade)
        notes.append({
            "pages": pages or ([each.sheet] if each.sheet else []),
            "passages": passages(consolidation, each),
            "sign": sign,
            "again": each.reason == "repeated",  # what it is on is highlighted already
            "title": _pin_title(consolidation, each, words),
            "text": _pin_text(consolidation, each, words),
        })  # fmt: skip
    return notes


def _pin_title(consolidation: Consolidation, each: Amendment, words: dict[str, Any]) -> str:
    place = words["page"].format(n=", ".join(map(str, each.pages))) if each.pages else ""
    sign = "=" if each.outcome is Outcome.PRESENT else str(each.grade)
    return " · ".join(part for part in (sign, place, str(each.target)) if part)


def _pin_text(consolidation: Consolidation, each: Amendment, words: dict[str, Any]) -> str:
    lines = [str(_head(consolidation, each, words))]
    if each.change.instruction:
        lines.append(str(each.change.instruction))
    lines += map(str, _untold(each))
    if each.outcome is Outcome.APPLIED:
        for edit in each.edits:
            if edit.new and edit.old:
                lines.append("→ " + " ".join(map(str, edit.new)))
    return "\n".join(lines)
