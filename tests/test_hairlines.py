"""Icons drawn in hairlines are printed in strokes that are seen; all others as they are."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pipeline.records import Book, Document, Icon, Prose, Ruling, Span
from pipeline.render import fonts
from pipeline.render.hairlines import sturdy
from pipeline.render.products import Press
from pipeline.text import rich


def picture(draw: Callable[[Any], object]) -> str:
    image = Image.new("RGBA", (64, 64), (255, 255, 255, 0))
    draw(ImageDraw.Draw(image))
    out = io.BytesIO()
    image.save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def ink(made: str) -> int:
    alpha = Image.open(io.BytesIO(base64.b64decode(made))).convert("RGBA").getchannel("A")
    return sum(alpha.histogram()[129:])


RING = picture(lambda pen: pen.ellipse((3, 3, 60, 60), outline="#222", width=2))


def test_a_ring_of_a_hairline_is_drawn_with_a_stroke() -> None:
    made = sturdy(RING)
    assert 2 * ink(RING) < ink(made) < 4 * ink(RING)
    middle = Image.open(io.BytesIO(base64.b64decode(made))).getpixel((32, 32))
    assert isinstance(middle, tuple) and middle[3] == 0, "it is no disc"


@pytest.mark.parametrize("draw", [
    lambda pen: pen.ellipse((3, 3, 60, 60), fill="#06a"), lambda pen: pen.ellipse((3, 3, 60, 60), outline="#222", width=8),
    lambda pen: [pen.line((0, y, 63, y), fill="#000", width=2) for y in range(0, 64, 5)], lambda pen: None,
])  # fmt: skip
def test_what_is_seen_or_would_become_a_blot_stays_as_it_is(draw: Callable[[Any], object]) -> None:
    made = picture(draw)
    assert sturdy(made) == made


def test_products_show_icons_in_strokes_that_are_seen() -> None:
    circle = Span(text="[icon 1]", icon="Runes:E001")
    entry = Prose(id="p", text=rich("Up to ", circle, "."), language="en", page=1, source="a.pdf")
    document = Document(source="a.pdf", sha256="0" * 64, pages=1, icons=(Icon(glyph="Runes:E001", picture=RING),))
    made = Book(name="b", title="B", language="en", rulings=(Ruling(entry=entry),), documents=(document,))
    assert Press(made, None, None, lambda html, pictures: b"").pictures == {"icon 1": f"{fonts.PNG}{sturdy(RING)}"}
    assert sturdy("QQ==") == "QQ==", "what is no picture is left alone"
