"""The numbers printed on the pages against the pages of the PDF: front matter, extracts, two pages on a sheet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.records import Document

AGREE = 0.6  # of the pages that print a number: as many must follow one count, or the numbers are no page numbers
FEWEST = 2  # pages that print a number, before they are believed
_NUMBER = re.compile(r"(?<![\d.,/:-])(\d{1,4})(?![\d.,/:-]*\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNumbers:
    """Which sheet of the PDF a printed page is on."""

    sheets: int
    a_sheet: int = 1  # printed pages on one sheet
    first: int = 1  # the number printed on the first sheet, if it had one
    known: bool = False  # by printed numbers; else sheets are counted

    def sheet(self, printed: int) -> int | None:
        """The sheet of a printed page; None where the PDF has no such page."""
        number = (printed - self.first) // self.a_sheet + 1
        return number if 1 <= number <= self.sheets else None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of each sheet, of the first page on it; none where they are not known."""
        return tuple(self.first + self.a_sheet * sheet for sheet in range(self.sheets)) if self.known else ()


def paging(document: Document) -> PageNumbers:
    """How the pages are counted, by the numbers at their heads and feet."""
    by_page = _numbers(document)
    double = _doubled(by_page)
    if double is not None:
        return PageNumbers(sheets=document.pages, a_sheet=2, first=double, known=True)
    votes = Counter(number - sheet for sheet, numbers in by_page.items() for number in numbers)
    if votes:
        offset, count = votes.most_common(1)[0]
        tied = [other for other, many in votes.items() if many == count]
        if count >= FEWEST and count >= AGREE * len(by_page) and len(tied) == 1:
            return PageNumbers(sheets=document.pages, first=offset + 1, known=True)
    return PageNumbers(sheets=document.pages)


def _doubled(by_page: dict[int, set[int]]) -> int | None:
    """The first number, where sheets carry two pages that follow each other."""
    votes: Counter[int] = Counter()
    for sheet, numbers in by_page.items():
        votes.update({left - 2 * (sheet - 1) for left in numbers if left + 1 in numbers})
    if not votes:
        return None
    first, count = votes.most_common(1)[0]
    return first if count >= FEWEST and count >= AGREE * len(by_page) else None


def _numbers(document: Document) -> dict[int, set[int]]:
    """The numbers in the furniture of each page, and those that stand alone in a paragraph."""
    by_page: dict[int, set[int]] = {}
    for piece in document.furniture:
        _add(by_page, piece.page, (int(each) for each in _NUMBER.findall(piece.text)))
    for entry in document.entries:
        alone = [text for text in getattr(entry, "body", ()) if text.strip().isdecimal() and len(text.strip()) < 5]
        _add(by_page, entry.page, (int(text) for text in alone))
    return by_page


def _add(by_page: dict[int, set[int]], page: int, numbers: Iterable[int]) -> None:
    seen = set(numbers)
    if seen:
        by_page.setdefault(page, set()).update(seen)
