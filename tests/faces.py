"""The fonts that test documents are set in: the same ones on every machine, whatever else is installed there.

A document in another font breaks its lines elsewhere, and is another document. Each family below is a Debian package
that `make test` installs; a document that names a font which is not among them is set in the serifs of the first.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

FONTS = Path("/usr/share/fonts")
FOLDERS = {
    "dejavu": FONTS / "truetype/dejavu",
    "liberation": FONTS / "truetype/liberation",
    "urw": FONTS / "opentype/urw-base35",
}
SANS = {"dejavu": "DejaVu Sans", "liberation": "Liberation Sans", "urw": "Nimbus Sans"}
SERIF = {"dejavu": "DejaVu Serif", "liberation": "Liberation Serif", "urw": "P052"}
KNOWN = (("Arial", "Liberation Sans"), ("Helvetica", "Liberation Sans"), ("Times New Roman", "Liberation Serif"), ("Courier New", "Liberation Mono"))


def missing() -> list[str]:
    """Families that this machine has not."""
    return [name for name, folder in FOLDERS.items() if not folder.is_dir()]


_used: list[str] = []


def used() -> str:
    """The families that this process sees, and when they were installed; "" where it sees all of the machine."""
    return " ".join(_used)


def use(names: Sequence[str] = tuple(FOLDERS)) -> None:
    """From now on this process and its children see these families only; to be called before anything is set."""
    folder = Path(tempfile.mkdtemp(prefix="faces-"))
    dirs = "".join(f"<dir>{escape(str(FOLDERS[name]))}</dir>" for name in names)
    generic = [("sans-serif", SANS[names[0]]), ("serif", SERIF[names[0]])]
    aliases = "".join(
        f"<alias binding='same'><family>{family}</family><prefer><family>{other}</family></prefer></alias>"
        for family, other in (*KNOWN, *generic)
    )
    last = f"<match><edit name='family' mode='append_last'><string>{SERIF[names[0]]}</string></edit></match>"
    path = folder / "fonts.conf"
    path.write_text(f"<?xml version='1.0'?><fontconfig>{dirs}{aliases}{last}<cachedir>{folder}</cachedir></fontconfig>")
    os.environ["FONTCONFIG_FILE"] = str(path)
    _used[:] = [f"{name} {(FOLDERS[name].stat()).st_mtime_ns}" for name in names]
