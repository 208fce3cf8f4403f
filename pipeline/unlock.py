"""A PDF that a password opens -> the same PDF without one; in a guarded child, like all that touches a PDF."""

from __future__ import annotations

import io

from pipeline.errors import PasswordError, SourceError


def unlocked(path: str, password: str) -> bytes:
    """The content of a PDF, opened with ``password``; one that needs none is given back as it is."""
    import pikepdf

    try:
        with pikepdf.open(path, password=password) as pdf:
            if not pdf.is_encrypted:
                with open(path, "rb") as file:
                    return file.read()
            made = io.BytesIO()
            pdf.save(made, deterministic_id=True)
            return made.getvalue()
    except pikepdf.PasswordError:
        raise PasswordError("this password does not open it", hint="look for a slip; capitals count") from None
    except pikepdf.PdfError as error:
        raise SourceError(f"cannot be opened ({error})") from None
