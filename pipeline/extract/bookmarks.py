"""The bookmarks of a PDF: the outline that the file brings along."""

from __future__ import annotations

from itertools import islice
from typing import Any

from pipeline.extract.clean import clean
from pipeline.records import Bookmark

BOOKMARKS_MAX = 5_000  # more is an attack; the largest rulebooks have some hundreds
BOOKMARKS_DEEP = 8


def bookmarks(document: Any) -> tuple[Bookmark, ...]:
    """The outline that the file brings along, as far as it can be read."""
    from pypdfium2 import PdfiumError

    marks = []
    try:
        for mark in islice(document.get_toc(max_depth=BOOKMARKS_DEEP), BOOKMARKS_MAX):
            title, target = clean(mark.get_title()).strip(), mark.get_dest()
            page = target.get_index() if target else None
            marks.append(Bookmark(title=title, depth=mark.level, page=None if page is None else page + 1))
    except (PdfiumError, ValueError, RecursionError):
        return ()
    return tuple(mark for mark in marks if mark.title)
