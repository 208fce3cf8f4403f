"""A PDF as a file of objects, to mend or to write; the only module that knows pikepdf. Reading is done in extract."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class DamagedPdfError(Exception):
    """The file cannot be opened, or not be followed where it leads."""


class WrongPasswordError(DamagedPdfError):
    """The file can be opened, but not with this password."""


@contextmanager
def opened(pdf: bytes | str | Path, password: str = "") -> Iterator[Any]:
    """A PDF whose objects can be looked at and changed inside the ``with``."""
    import pikepdf

    try:
        try:
            document = pikepdf.open(io.BytesIO(pdf) if isinstance(pdf, bytes) else pdf, password=password)
        except ValueError as error:
            raise DamagedPdfError(str(error)) from error
        with document:
            yield document
    except pikepdf.PasswordError as error:
        raise WrongPasswordError(str(error)) from error
    except pikepdf.PdfError as error:
        raise DamagedPdfError(str(error)) from error


def saved(document: Any, *, same_bytes: bool = True) -> bytes:
    """The file of a PDF, with ``same_bytes`` each time it is written."""
    out = io.BytesIO()
    document.save(out, deterministic_id=same_bytes)
    return out.getvalue()


def is_dictionary(thing: object) -> bool:
    from pikepdf import Dictionary

    return isinstance(thing, Dictionary)


def is_stream(thing: object) -> bool:
    from pikepdf import Stream

    return isinstance(thing, Stream)


def dictionary(**fields: Any) -> Any:
    from pikepdf import Dictionary

    return Dictionary(**fields)


def array(values: Iterable[Any]) -> Any:
    from pikepdf import Array

    return Array(list(values))


def name(text: str) -> Any:
    """A name as PDF knows it: ``/Annot``."""
    from pikepdf import Name

    return Name(text)


def string(text: str) -> Any:
    from pikepdf import String

    return String(text)
