"""How the icons of a document look: each is painted once, from where it stands first, without its ground."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import Any

from pipeline.records import Icon, Page, Run

ICONS_MAX = 100  # of one document; more are letters of a font that says nothing
HIGH = 64  # pixels: an icon of 8 points in print at 570 to the inch
PAD = 0.06  # of its height: white around it
STRENGTH = 3  # times its distance from the ground: how much of a colour is ink
PALE = 200  # of 255: ink that would not be seen on paper is black


def icon_pictures(document: Any, pages: Sequence[Page]) -> tuple[Icon, ...]:
    """The icons in the order in which they come, as far as they can be painted."""
    first: dict[str, tuple[int, Run]] = {}
    for page in pages:
        for run in page.runs:
            if run.icon and run.icon not in first:
                first[run.icon] = (page.number - 1, run)
    if not 0 < len(first) <= ICONS_MAX:
        return ()
    icons: list[Icon] = []
    opened: tuple[int, Any] | None = None
    for glyph, (index, run) in first.items():
        if opened is None or opened[0] != index:
            opened = index, document[index]
        if picture := _painted(opened[1], run):
            icons.append(Icon(glyph=glyph, picture=picture))
    return tuple(icons)


def _painted(page: Any, run: Run) -> str:
    """The picture of an icon; nothing where it cannot be seen."""
    from PIL import Image, ImageChops

    wide, high = page.get_size()
    pad = PAD * (run.bottom - run.top)
    crop = run.x0 - pad, high - run.bottom - pad, wide - run.x1 - pad, run.top - pad
    if run.bottom - run.top < 1 or run.x1 - run.x0 < 1 or min(crop) < 0:
        return ""
    image = page.render(scale=HIGH / (run.bottom - run.top), crop=crop).to_pil().convert("RGB")
    ground = image.getpixel((0, 0))
    apart = ImageChops.difference(image, Image.new("RGB", image.size, ground))
    red, green, blue = apart.split()
    ink = ImageChops.lighter(ImageChops.lighter(red, green), blue).point(lambda value: min(255, STRENGTH * value))
    if ink.getbbox() is None:
        return ""
    image = Image.new("RGB", image.size) if _is_pale(image, ink) else image
    image.putalpha(ink)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode("ascii")


def _is_pale(image: Any, ink: Any) -> bool:
    """Is what is drawn so light that it is not seen on paper?"""
    from PIL import ImageStat

    return bool(ImageStat.Stat(image.convert("L"), mask=ink.point(lambda value: 255 * (value > 128))).mean[0] > PALE)
