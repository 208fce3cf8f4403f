"""Pages with what was understood drawn over them, so that a person sees it at a glance.

Each block has a frame in the colour of what it was called, its number in reading order, and a line to the next one. The
first block of an entry says its kind and the end of its path; notes in the margin have a double frame.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from pipeline.records import Block, Box, Document, Kind, Role, Structure

SCALE = 1.5  # pixels a point: type of 8 points can still be read
LARGEST = 6000  # pixels: a page may be a strip of any height
PATH = 24  # letters of a path that are drawn
HEADING, FURNITURE = (176, 32, 48), (140, 140, 140)
COLOURS: dict[str, tuple[int, int, int]] = {
    Kind.QA: (32, 96, 176), Kind.ERRATUM: (200, 96, 0), Kind.DEFINITION: (16, 128, 96), Kind.RULE: (64, 64, 64),
    Kind.TABLE: (128, 64, 160), Kind.TEXT: (110, 140, 60),
}  # fmt: skip

Called = dict[str, tuple[str, str]]  # by address: a kind, and what is written beside it


def draw(path: Path, understood: Structure, document: Document) -> list[bytes]:
    """Every page as PNG with its blocks, their order and what they were called."""
    from pipeline.extract.opened import opened

    called = _called(document)
    with opened(path) as pdf:
        return [_page(pdf, number, understood, called) for number in range(1, understood.pages + 1)]


def one_page(path: str, number: int, wide: int) -> bytes:
    """One page of a PDF as PNG, so many pixels wide, with nothing drawn over it."""
    from pipeline.extract.opened import opened

    with opened(path) as pdf:
        page = pdf[number - 1]
        image = page.render(scale=min(wide / page.get_width(), LARGEST / page.get_height())).to_pil().convert("RGB")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def first_page(pdf: bytes, wide: int = 1280) -> bytes:
    """The first page of a PDF of our own as PNG, so many pixels wide."""
    from pipeline.extract.opened import opened

    with opened(pdf) as shown:
        page = shown[0]
        image = page.render(scale=wide / page.get_width()).to_pil().convert("RGB")
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _called(document: Document) -> Called:
    by_address: Called = {line: (Role.FURNITURE, "F") for each in document.furniture for line in each.addresses}
    by_address |= {line: (Role.HEADING, f"H{each.level}") for each in document.headings for line in each.addresses}
    for entry in document.entries:
        path = entry.section[-1][:PATH] if entry.section else ""
        by_address |= {line: (entry.kind, str(entry.kind)) for line in entry.addresses if line not in by_address}
        if entry.addresses:
            by_address[entry.addresses[0]] = (entry.kind, f"{entry.kind} {path}".strip())
    return by_address


def _page(pdf: Any, number: int, understood: Structure, called: Called) -> bytes:
    from PIL import ImageDraw

    image = pdf[number - 1].render(scale=SCALE).to_pil().convert("RGB")
    pen = ImageDraw.Draw(image, "RGBA")
    before: tuple[float, float] | None = None
    for at, block in enumerate(understood.blocks, 1):
        if block.page == number:
            before = _frame(pen, block, called, str(at), before)
    for block in understood.furniture:
        if block.page == number:
            _frame(pen, block, called, "", None)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _frame(
    pen: Any, block: Block, called: Called, number: str, before: tuple[float, float] | None
) -> tuple[float, float] | None:
    if block.box is None:
        return before
    kind, name = next((called[line] for line in block.addresses if line in called), (Role.FURNITURE, "?"))
    colour = HEADING if kind == Role.HEADING else COLOURS.get(kind, FURNITURE)
    x0, top, x1, bottom = _pixels(block.box)
    for out in (2, 5) if block.apart else (2,):
        pen.rectangle((x0 - out, top - out, x1 + out, bottom + out), outline=(*colour, 255), fill=(*colour, 22))
    label = f"{number} {name}{' note' if block.role is Role.NOTE else ''}{' box' if block.region else ''}".strip()
    wide = 4 + 6 * len(label)
    left = max(0.0, x0 - 2 - wide)
    pen.rectangle((left, top - 2, left + wide, top + 9), fill=(*colour, 170))
    pen.text((left + 2, top - 3), label.encode("latin-1", "replace"), fill=(255, 255, 255, 255))
    if before is not None:
        pen.line((*before, x0, top), fill=(*colour, 90), width=1)
    return (x0, bottom)


def _pixels(box: Box) -> tuple[float, float, float, float]:
    return box.x0 * SCALE, box.top * SCALE, box.x1 * SCALE, box.bottom * SCALE
