"""An open PDF for those who do not read it: its pages to draw or to measure, their plain text, their number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pypdfium2


@contextmanager
def opened(pdf: bytes | str | Path) -> Iterator[Any]:
    """A PDF as the engine has it, closed again afterwards."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        yield document
    finally:
        document.close()


def count_pages(content: bytes) -> int:
    """How many pages there are before anything is read; 0 when the file cannot be opened."""
    try:
        with opened(content) as document:
            return len(document)
    except pypdfium2.PdfiumError:
        return 0


def plain_texts(content: bytes) -> list[str]:
    """Each page as the engine's own plain text; nothing where it gives none."""
    texts = []
    with opened(content) as document:
        for index in range(len(document)):
            try:
                texts.append(document[index].get_textpage().get_text_range())
            except pypdfium2.PdfiumError:
                texts.append("")
    return texts
