"""docs/pictures/: a page of every product of the sample book, for the manual.

First build them: ``.venv/bin/rubricator render brumes-d-argance`` with every ``--product``, ``make diff`` and ``make handout``
as the README shows them; then ``.venv/bin/python -m docs.shown``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from docs.picture import page, spread

HOUSE = Path(__file__).parent.parent
HEIGHT = 640  # pixels
COLOURS = 64  # of the palette: type, red and grey
SHOWN = {  # name -> its file in the folder of the book, and the page; below 0: that page and the next
    "booklet": ("booklet.pdf", -4), "booklet-print": ("booklet-print.pdf", 3), "sheet": ("sheet.pdf", 1),
    "dossier": ("dossier.pdf", -4),
    "reader": ("reader.pdf", 2), "cards": ("cards.pdf", 2), "slips": ("slips.pdf", 1), "zine": ("zine-print.pdf", 1),
    "handout": ("coupe-des-trois-anguilles/table.pdf", 1), "changes": ("changes.pdf", 1),
}  # fmt: skip


def main(folder: Path) -> None:
    """Every picture whose file is there."""
    for name, (file, number) in SHOWN.items():
        path = folder / file
        if path.is_file():
            made = spread(path, -number, HEIGHT) if number < 0 else page(path, number, HEIGHT)
            out = HOUSE / "docs/pictures" / f"{name}.png"
            made.quantize(COLOURS, Image.Quantize.MEDIANCUT).save(out, optimize=True)
            print(out)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HOUSE / "output/brumes-d-argance")
