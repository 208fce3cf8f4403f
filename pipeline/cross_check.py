"""Compares what we read with what a second reader sees in the same PDF, so that nothing is lost in silence."""

from __future__ import annotations

import contextlib
import io
import re

from pipeline import pdf_objects
from pipeline.extract.opened import plain_texts
from pipeline.ledger import lost_words
from pipeline.records import Document, Extract, Finding

FEWER = 0.8  # of the other reader's characters; ligatures and odd spaces explain a few per cent, not a fifth
_DOTS = re.compile("[.·_…\ufffd]+")
ENOUGH = 50  # characters: below it a fifth is one or two words
LONGEST = 32_767  # characters that pdfium takes of one string; no line of a rulebook has a hundredth of it
SLOW_PAGES = 20  # pages given to the slow reader when the quick ones leave a doubt


def cross_check(content: bytes, extract: Extract, document: Document) -> list[Finding]:
    """A finding for every difference between our reading and that of a second reader."""
    if any(finding.code == "repaired" for finding in extract.findings):
        return []  # there is no second opinion on a file of which only the mended copy can be read
    plain = plain_texts(content)
    hidden = [" ".join([run.text for run in page.hidden]) for page in extract.pages]
    agree = [*_pages_agree(content, extract), *_text_agrees(content, extract, plain), *_cut(extract)]
    return agree + lost_words(plain, document, hidden)


def _pages_agree(content: bytes, extract: Extract) -> list[Finding]:
    try:
        with pdf_objects.opened(content) as opened:
            pages = len(opened.pages)
    except (pdf_objects.DamagedPdfError, ValueError, RuntimeError, RecursionError):
        message = "a second reader could not open it"
        return [Finding(code="second-reader-failed", message=message, source=extract.source)]
    if pages == len(extract.pages):
        return []
    message = f"{len(extract.pages)} pages were read, a second reader counts {pages}"
    return [Finding(code="pages-disagree", message=message, source=extract.source)]


def _text_agrees(content: bytes, extract: Extract, texts: list[str]) -> list[Finding]:
    """Compared with the plain text of each page; the slow reader is asked where there is none."""
    findings = []
    drawn = [sum(_characters(run.text) for run in (*page.runs, *page.hidden)) for page in extract.pages]
    plain = [_characters(text) for text in texts]
    empty = [number for number, characters in enumerate(plain, 1) if characters == 0]
    plain = [max(one, other) for one, other in zip(plain, _slow(content, empty[:SLOW_PAGES], len(plain)), strict=True)]
    for number, (ours, theirs) in enumerate(zip(drawn, plain, strict=False), 1):
        if theirs >= ENOUGH and ours < FEWER * theirs:
            message = f"{ours:,} characters were read on this page, a second reader finds {theirs:,}"
            findings.append(Finding(code="text-disagrees", message=message, page=number, source=extract.source))
    return findings


def _cut(extract: Extract) -> list[Finding]:
    """Pages with a string that the engine cut short, whichever way it is asked."""
    cut = [page.number for page in extract.pages if any(len(run.text) >= LONGEST for run in page.runs)]
    message = f"a piece of text is longer than {LONGEST:,} characters, and the rest of it was not read"
    return [Finding(code="text-cut", message=message, page=number, source=extract.source) for number in cut]


def _characters(text: str) -> int:
    """Printed signs, but for the dots that lead to page numbers: our reading shortens rows of them."""
    return sum(map(len, _DOTS.sub("", text).split()))


def _slow(content: bytes, numbers: list[int], pages: int) -> list[int]:
    """Characters that pdfminer sees on these pages; 0 on the others and where it is no help."""
    counts = [0] * pages
    for number in numbers:
        from pdfminer.high_level import extract_text

        with contextlib.suppress(Exception):  # of many kinds, and any of them only means that it cannot help
            counts[number - 1] = _characters(extract_text(io.BytesIO(content), page_numbers=[number - 1]))
    return counts
