"""A PDF that a password opens -> the same PDF without one; in a guarded child, like all that touches a PDF."""

from __future__ import annotations

from pipeline import pdf_objects
from pipeline.errors import PasswordError, SourceError


def unlocked(path: str, password: str) -> bytes:
    """The content of a PDF, opened with ``password``; one that needs none is given back as it is."""
    try:
        with pdf_objects.opened(path, password) as pdf:
            if not pdf.is_encrypted:
                with open(path, "rb") as file:
                    return file.read()
            return pdf_objects.saved(pdf)
    except pdf_objects.WrongPasswordError:
        raise PasswordError("this password does not open it", hint="look for a slip; capitals count") from None
    except pdf_objects.DamagedPdfError as error:
        raise SourceError(f"cannot be opened ({error})") from None
