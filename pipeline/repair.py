"""The second engine: mends a damaged copy, and says when two readers do not see the same document."""

from __future__ import annotations

from pathlib import Path

from pipeline.errors import PasswordError, SourceError
from pipeline.records import Document, Finding

FEWER = 0.8  # of the words of the other engine; ligatures and split words explain a few per cent, not a fifth
ENOUGH = 20  # words: below it a fifth is one or two words


def count_pages(path: Path) -> int:
    """How many pages pdfium sees; a PasswordError or SourceError when it cannot open the file."""
    import pypdfium2

    try:
        opened = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise PasswordError("needs a password") from error
        raise SourceError("is damaged or no PDF") from error
    try:
        return len(opened)
    finally:
        opened.close()


def mend(path: Path, copy: Path) -> Path | None:
    """A repaired copy, or None when there is nothing left to repair. The source is never touched."""
    import pikepdf

    try:
        with pikepdf.open(path) as damaged:
            if len(damaged.pages) == 0:
                return None
            damaged.save(copy)
        return copy
    except pikepdf.PasswordError as error:
        raise PasswordError("needs a password") from error
    except (pikepdf.PdfError, OSError, ValueError, RuntimeError):
        return None


def cross_check(path: Path, document: Document, *, damaged: bool) -> list[Finding]:
    """Where a second reader sees another document: never silent, never fatal."""
    return [*_pages_agree(path, document, damaged), *_words_agree(path, document)]


def _pages_agree(path: Path, document: Document, damaged: bool) -> list[Finding]:
    import pikepdf

    try:
        with pikepdf.open(path) as opened:
            pages = len(opened.pages)
    except (pikepdf.PdfError, ValueError, RuntimeError) as error:
        if damaged:
            return []
        return [
            Finding(
                code="second-reader-failed",
                message=f"a second reader could not open it: {_first_line(error)}",
            )
        ]
    if pages == document.pages:
        return []
    message = f"{document.pages} pages were read, a second reader counts {pages}"
    return [Finding(code="pages-disagree", message=message, source=document.source)]


def _words_agree(path: Path, document: Document) -> list[Finding]:
    """Compared with the plain text of the page; the slow reader is asked only when that is suspicious."""
    found = _plain_words(path)
    if found is None or document.words >= FEWER * found or found < ENOUGH:
        return []
    message = f"{document.words} words were read, a second reader finds {found}"
    return [Finding(code="words-disagree", message=message, source=document.source)]


def _plain_words(path: Path) -> int | None:
    import pypdfium2

    try:
        opened = pypdfium2.PdfDocument(path)
        return sum(len(page.get_textpage().get_text_bounded().split()) for page in opened)
    except pypdfium2.PdfiumError:
        return None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
