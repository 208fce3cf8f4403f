"""Icons that a source draws in hairlines -> strokes that a printer keeps.

A ring of a quarter of a point is seen on a large screen; in a line of print, and on every cheap printer, it is a gap in
the sentence.
"""

from __future__ import annotations

import base64
import io
from functools import cache
from typing import Any

INK = 128  # of 255: what is dark and opaque enough to be seen
HAIR = 3  # pixels of 64: a stroke so thin is a hairline
LEFT = 0.1  # of the ink at most is in wider strokes
LIGHT = 0.25  # of the picture at most is ink: what has more is seen, and would become a blot
GROWN = 5  # pixels: each dot of ink becomes so wide, a hairline about .7 points where an icon is as high as a line


@cache
def sturdy(picture: str) -> str:
    """A PNG, in base64, whose strokes can be printed; the same where they can be as they are."""
    from PIL import Image, ImageChops, ImageFilter

    try:
        image = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGBA")
    except OSError:
        return picture
    *bands, alpha = image.split()
    dark = ImageChops.invert(image.convert("L")).point(lambda value: 255 * (value > INK))
    ink = ImageChops.multiply(dark, alpha.point(lambda value: 255 * (value > INK)))
    drawn, wider = _dots(ink), ink.filter(ImageFilter.MinFilter(HAIR))
    if not 0 < drawn < LIGHT * image.width * image.height or _dots(wider) > LEFT * drawn:
        return picture
    colours = [band.filter(ImageFilter.MinFilter(GROWN)) for band in bands]
    thick = Image.merge("RGBA", (*colours, ImageChops.lighter(alpha, ink.filter(ImageFilter.MaxFilter(GROWN)))))
    out = io.BytesIO()
    thick.save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode("ascii")


def _dots(ink: Any) -> int:
    """How many pixels are ink."""
    return int(ink.histogram()[255])
