"""The ledger: every word that a second reader sees on a page is exported, furniture or hidden, or it is named here."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from pipeline.export import document_fields, entry_fields
from pipeline.extract.clean import accented
from pipeline.records import AnyEntry, Document, Finding, Heading
from pipeline.vocab import vocabulary

SHOWN = 8  # words of a page that a finding names; the others are counted
SHORT = 2  # letters: shorter words are figures in formulas and cells, which readers cut differently

_SOFT = re.compile("[\u00ad\ufffe\x02]\\s*(?=[^\\W\\d_])")
_WORD = re.compile(r"[^\W_]+")
_PAGE = re.compile(r"p(\d+)\.")
_OWN = ("subject", "question", "answer", "pages", "target", "changes", "term", "aliases", "refs", "body", "number",
        "title", "rows", "text", "struck")  # fmt: skip


def lost_words(pages: Sequence[str], document: Document, hidden: Sequence[str] = ()) -> list[Finding]:
    """A finding for each page of the second reader (its plain text) with words that are nowhere in the document."""
    ours, labels = _by_page(document), _labels(document.language or "en")
    struck = {word for entry in document.entries for words in entry.struck for word in _words(words)}
    findings = []
    for number, plain in enumerate(pages, 1):
        beside = hidden[number - 1] if number <= len(hidden) else ""
        known = " ".join([*ours[number], beside])
        readings = [plain, accented(plain, tex=True)]  # nobody says which letters had their accents drawn before them
        fewest = min([list(_missing(each, known)) for each in dict.fromkeys(readings)], key=len)
        lost = [word for word in fewest if word not in labels and not _is_cut_off(word, struck, known)]
        if lost:
            more = f" and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
            message = f"a second reader sees words that are exported nowhere: {' '.join(lost[:SHOWN])}{more}"
            findings.append(Finding(code="words-lost", message=message, page=number, source=document.source))
    return findings


def _by_page(document: Document) -> defaultdict[int, list[str]]:
    """What is exported or furniture, by the pages that it stands on; each heading once, where a path has it."""
    by_page: defaultdict[int, list[str]] = defaultdict(list)
    paths: set[str] = set()
    for entry in document.entries:
        values = entry_fields(entry)
        paths.update(map(_letters, values["section"]))
        _put(by_page, entry, " ".join(_strings([values.get(name) for name in _OWN])))
    who = [text for text in document_fields(document).values() if isinstance(text, str)]
    paths.update(map(_letters, who))
    by_page[1] += who
    for heading in document.headings:
        letters = _letters(heading.text)
        if letters in paths or any(letters in path for path in paths):
            _put(by_page, heading, heading.text)
    for line in document.furniture:
        _put(by_page, line, line.text)
    return by_page


def _put(by_page: defaultdict[int, list[str]], record: AnyEntry | Heading, text: str) -> None:
    for page in {int(match[1]) for address in record.addresses if (match := _PAGE.match(address))} or {record.page}:
        by_page[page].append(text)


@cache
def _labels(language: str) -> frozenset[str]:
    """Words that say what a field is, which is told by its name: "page 12", "Question 3", "Article 5"."""
    known = [vocabulary(code) for code in dict.fromkeys((language, "en"))]
    phrases = [(*each.page.words, *each.page.and_, *each.page.to, *each.page.on, *each.rule.words, *each.question.words,
                *each.answer.words) for each in known]  # fmt: skip
    return frozenset(word for group in phrases for phrase in group for word in _words(phrase))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str | int):
        yield str(value)
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(part)


def _missing(theirs: str, ours: str) -> Iterator[str]:
    """Words that stand in the one text more often than in the other, as words or across spaces and ends of lines."""
    words, known = Counter(_words(theirs)), Counter(_words(ours))
    short = words - known
    if not short:
        return
    stream, known_stream = "".join(_words(theirs)), "".join(_words(ours))
    for word in short:
        if len(word) > SHORT and known_stream.count(word) < stream.count(word):
            yield word


def _is_cut_off(word: str, struck: set[str], known: str) -> bool:
    """Was a part of the word struck out, and the rest kept: "deem(s)"?"""
    ends = [word[: -len(part)] for part in struck if word.endswith(part)]
    ends += [word[len(part) :] for part in struck if word.startswith(part)]
    return bool(ends) and not set(ends).isdisjoint(_words(known))


def _words(text: str) -> list[str]:
    return _WORD.findall(_plain(text))


def _letters(text: str) -> str:
    return "".join(_words(text))


def _plain(text: str) -> str:
    """Without the hyphens at the ends of lines, which pdfium gives as signs of their own."""
    return unicodedata.normalize("NFKC", _SOFT.sub("", text)).casefold()


__all__ = ["lost_words"]
