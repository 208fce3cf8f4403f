"""Pages with what was understood drawn over them, so that a person sees it at a glance.

Each block has a frame in the colour of its role, its number in reading order, and a line to the next one.
"""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

from pipeline.records import Block, Box, Role, Structure

SCALE = 1.5  # pixels a point: type of 8 points can still be read
COLOURS: dict[str, tuple[int, int, int]] = {
    Role.HEADING: (176, 32, 48),
    Role.PARAGRAPH: (32, 96, 176),
    Role.ITEM: (16, 128, 96),
    Role.TABLE: (128, 64, 160),
    Role.FURNITURE: (140, 140, 140),
}


def pictures(path: str) -> list[str]:
    """Every page of a PDF as PNG in base64, so that it can come out of a guarded child."""
    from pipeline.extract import extract
    from pipeline.structure import structure

    held = Path(path)
    understood = structure(extract(held))
    return [base64.b64encode(page).decode("ascii") for page in draw(held, understood)]


def draw(path: Path, understood: Structure) -> list[bytes]:
    """Every page as PNG with its blocks, their order and kind."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    try:
        return [_page(document, number, understood) for number in range(1, understood.pages + 1)]
    finally:
        document.close()


def _page(document: Any, number: int, understood: Structure) -> bytes:
    from PIL import ImageDraw

    image = document[number - 1].render(scale=SCALE).to_pil().convert("RGB")
    pen = ImageDraw.Draw(image, "RGBA")
    before: tuple[float, float] | None = None
    blocks = [(at, block) for at, block in enumerate(understood.blocks, 1) if block.page == number]
    for at, block in blocks:
        before = _frame(pen, block, f"{at} {_name(block)}", before)
    for block in understood.furniture:
        if block.page == number:
            _frame(pen, block, "F", None)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _name(block: Block) -> str:
    level = str(block.level) if block.role is Role.HEADING or block.level else ""
    return f"{block.role[0].upper()}{level}{'b' if block.region else ''}"


def _frame(pen: Any, block: Block, label: str, before: tuple[float, float] | None) -> tuple[float, float] | None:
    if block.box is None:
        return before
    colour = COLOURS[block.role]
    x0, top, x1, bottom = _pixels(block.box)
    pen.rectangle((x0 - 2, top - 2, x1 + 2, bottom + 2), outline=(*colour, 255), fill=(*colour, 22))
    wide = 4 + 6 * len(label)
    pen.rectangle((x0 - 2 - wide, top - 2, x0 - 2, top + 9), fill=(*colour, 170))
    pen.text((x0 - wide, top - 3), label, fill=(255, 255, 255, 255))
    if before is not None:
        pen.line((*before, x0, top), fill=(*colour, 90), width=1)
    return (x0, bottom)


def _pixels(box: Box) -> tuple[float, float, float, float]:
    return box.x0 * SCALE, box.top * SCALE, box.x1 * SCALE, box.bottom * SCALE
