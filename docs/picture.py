"""docs/pages.png: real pages of the sample book on one picture.

First ``make``, ``make diff`` and ``make handout`` as the README shows them, then ``.venv/bin/python -m docs.picture``.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import pypdfium2
from PIL import Image, ImageDraw, ImageFilter

from tests import browser

HOUSE = Path(__file__).parent.parent
SIZE = (2000, 1260)
GROUND = "#f3f0ec"
SHADOW, BLUR = (40, 20, 20, 90), 14
PHONE = (412, 892)  # CSS pixels
SEARCH = "parade"
COLOURS = 200  # of the palette: enough for type, and half the bytes


def page(pdf: Path, number: int, height: int) -> Image.Image:
    """A page of a PDF, so many pixels high."""
    shown = pypdfium2.PdfDocument(pdf)[number - 1]
    return shown.render(scale=height / shown.get_height()).to_pil().convert("RGB")


def spread(pdf: Path, left: int, height: int) -> Image.Image:
    """Two pages as they lie open."""
    one, other = page(pdf, left, height), page(pdf, left + 1, height)
    both = Image.new("RGB", (one.width + other.width, height), "white")
    both.paste(one, (0, 0))
    both.paste(other, (one.width, 0))
    ImageDraw.Draw(both).line([(one.width, 0), (one.width, height)], fill="#d8d2cc", width=2)
    return both


def phone(html: Path, height: int) -> Image.Image:
    """The web book on a phone, with round corners."""
    with tempfile.TemporaryDirectory() as folder, browser.chromium(Path(folder) / "profile") as window:
        window.size(*PHONE, phone=True)
        window.open(html.resolve())
        window.type(SEARCH)
        time.sleep(1)
        window.picture(Path(folder) / "shot.png")
        screen = Image.open(Path(folder) / "shot.png").convert("RGB")
    screen = screen.resize((height * screen.width // screen.height, height), Image.Resampling.LANCZOS)
    made = Image.new("RGBA", (screen.width + 24, screen.height + 24), (0, 0, 0, 0))
    ImageDraw.Draw(made).rounded_rectangle((0, 0, made.width - 1, made.height - 1), 34, fill="#2b2523")
    mask = Image.new("L", screen.size, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, screen.width - 1, screen.height - 1), 24, fill=255)
    made.paste(screen, (12, 12), mask)
    return made


def lay(ground: Image.Image, sheet: Image.Image, left: int, top: int) -> None:
    """Put a sheet down with its shadow."""
    sheet = sheet.convert("RGBA")
    shadow = Image.new("RGBA", ground.size, (0, 0, 0, 0))
    shadow.paste(Image.new("RGBA", sheet.size, SHADOW), (left, top + 8), sheet.getchannel("A"))
    ground.alpha_composite(shadow.filter(ImageFilter.GaussianBlur(BLUR)))
    ground.alpha_composite(sheet, (left, top))


def main(made: Path, out: Path) -> None:
    book = made / "brumes-d-argance"
    ground = Image.new("RGBA", SIZE, GROUND)
    event = next(path for path in sorted(book.iterdir()) if path.is_dir())
    lay(ground, page(book / "booklet.pdf", 1, 560), 60, 60)
    lay(ground, spread(book / "booklet.pdf", 6, 560), 500, 60)
    lay(ground, page(made / "changes-argance-faq-1.2.pdf", 1, 560), 60, 660)
    lay(ground, page(book / "sheet.pdf", 1, 520), 500, 680)
    lay(ground, page(event / "table.pdf", 1, 560), 1260, 640)
    lay(ground, phone(book / "web.html", 800), 1560, 60)
    ground.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(out, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HOUSE / "output", HOUSE / "docs/pages.png")
