"""An address as a QR code; the only file that knows segno."""

from __future__ import annotations


def squares(url: str, error: str) -> list[list[bool]]:
    """The rows of the code without its quiet zone, dark is true; ``error`` says how much may be dirty: l, m, q or h."""
    import segno

    return [[bool(dark) for dark in row] for row in segno.make(url, error=error, micro=False).matrix]
