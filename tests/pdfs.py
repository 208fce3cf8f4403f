"""A small PDF writer for test cases made from text. Everything is measured from the top left, in points.

    paper = Paper()
    paper.text(50, 60, "Titre", size=20, bold=True)
    path = paper.save(tmp_path / "case.pdf")

``typeset`` flows paragraphs into columns, hyphenated or not; ``save(shuffle=7)`` draws in another order.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pikepdf
import pyphen
from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen import canvas

FAMILIES = {
    "serif": ("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic"),
    "sans": ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique"),
    "mono": ("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique"),
}


def font_name(family: str = "serif", bold: bool = False, italic: bool = False) -> str:
    return FAMILIES[family][bold + 2 * italic] if family in FAMILIES else family


@dataclass
class Paper:
    """Pages on which text, lines and boxes are drawn."""

    width: float = 595.0
    height: float = 842.0
    pages: list[list[Callable[[Any], None]]] = field(default_factory=lambda: [[]])
    rotations: dict[int, int] = field(default_factory=dict)
    title: str = ""

    def page(self, rotate: int = 0) -> Paper:
        """Begin a page."""
        self.pages.append([])
        if rotate:
            self.rotations[len(self.pages) - 1] = rotate
        return self

    def text(
        self, x: float, y: float, words: str, *, size: float = 9.0, bold: bool = False, italic: bool = False,
        family: str = "serif", colour: str = "#000000", mode: int = 0, spacing: float = 0.0, turn: float = 0.0,
        slant: float = 0.0,
    ) -> float:  # fmt: skip
        """Draw words with their baseline at ``y``; where they end."""
        name = font_name(family, bold, italic)

        def draw(board: Any) -> None:
            board.saveState()
            board.translate(x, self.height - y)
            board.rotate(-turn)
            board.skew(0, slant)
            held = board.beginText(0, 0)
            held.setFont(name, size)
            held.setFillColor(HexColor(colour))
            held.setTextRenderMode(mode)
            held.setCharSpace(spacing)
            held.textOut(words)
            board.drawText(held)
            board.restoreState()

        self.pages[-1].append(draw)
        return x + stringWidth(words, name, size) + spacing * len(words)

    def words(self, x: float, y: float, words: str, **style: Any) -> float:
        """Draw each word by itself, as many programs do."""
        name = font_name(style.get("family", "serif"), style.get("bold", False), style.get("italic", False))
        for word in words.split(" "):
            end = self.text(x, y, word, **style)
            x = end + stringWidth(" ", name, style.get("size", 9.0))
        return x

    def letters(self, x: float, y: float, words: str, **style: Any) -> float:
        """Draw each letter by itself."""
        name = font_name(style.get("family", "serif"), style.get("bold", False), style.get("italic", False))
        for letter in words:
            if letter == " ":
                x += stringWidth(" ", name, style.get("size", 9.0))
            else:
                x = self.text(x, y, letter, **style)
        return x

    def box(
        self, x0: float, top: float, x1: float, bottom: float, fill: str | None = None, stroke: str | None = None
    ) -> None:
        def draw(board: Any) -> None:
            board.saveState()
            board.setLineWidth(0.6)
            if fill:
                board.setFillColor(HexColor(fill))
            if stroke:
                board.setStrokeColor(HexColor(stroke))
            board.rect(x0, self.height - bottom, x1 - x0, bottom - top, fill=int(bool(fill)), stroke=int(bool(stroke)))
            board.restoreState()

        self.pages[-1].insert(0, draw)

    def rule(self, x0: float, y0: float, x1: float, y1: float, colour: str = "#000000") -> None:
        def draw(board: Any) -> None:
            board.saveState()
            board.setLineWidth(0.5)
            board.setStrokeColor(HexColor(colour))
            board.line(x0, self.height - y0, x1, self.height - y1)
            board.restoreState()

        self.pages[-1].append(draw)

    def link(self, x0: float, top: float, x1: float, bottom: float, address: str) -> None:
        self.pages[-1].append(
            lambda board: board.linkURL(address, (x0, self.height - bottom, x1, self.height - top), relative=0)
        )

    def save(self, path: Path, shuffle: int | None = None, encrypt: str | None = None) -> Path:
        """Write the file; ``shuffle`` is the seed of another drawing order."""
        board = canvas.Canvas(str(path), pagesize=(self.width, self.height), invariant=1, encrypt=encrypt)
        if self.title:
            board.setTitle(self.title)
        for number, page in enumerate(self.pages):
            drawn = list(page)
            if shuffle is not None:
                random.Random(shuffle + number).shuffle(drawn)
            for draw in drawn:
                draw(board)
            board.showPage()
        board.save()
        if self.rotations:
            with pikepdf.open(path, allow_overwriting_input=True) as held:
                for number, degrees in self.rotations.items():
                    held.pages[number].rotate(degrees, relative=False)
                held.save(path, deterministic_id=True)
        return path


# ---------------------------------------------------------------- typesetting

STYLES: dict[str, dict[str, Any]] = {
    "title": {"size": 20.0, "bold": True, "colour": "#7a1f2b"},
    "section": {"size": 13.0, "bold": True},
    "heading": {"size": 9.0, "bold": True},
    "question": {"size": 9.0, "italic": True},
    "answer": {"size": 9.0},
    "text": {"size": 9.0},
    "item": {"size": 9.0},
}
SPACE_ABOVE = {"title": 0.0, "section": 14.0, "heading": 9.0, "question": 9.0, "answer": 0.0, "text": 7.0, "item": 2.0}


def wrap(words: str, width: float, name: str, size: float, language: str | None = None) -> list[str]:
    """Break into lines; with a language words are hyphenated."""
    dictionary = pyphen.Pyphen(lang=language) if language else None
    lines: list[str] = []
    line = ""
    for word in words.split(" "):
        while True:
            tried = f"{line} {word}" if line else word
            if stringWidth(tried, name, size) <= width:
                line = tried
                break
            head, tail = _split(line, word, width, name, size, dictionary)
            if head:
                lines.append(f"{line} {head}".strip())
                line, word = "", tail
            elif line:
                lines.append(line)
                line = ""
            else:
                line = word
                break
    return [*lines, line] if line else lines


def _split(line: str, word: str, width: float, name: str, size: float, dictionary: Any) -> tuple[str, str]:
    hard = [(word[: found.end()], word[found.end() :]) for found in re.finditer(r"(?<=\w)-(?=\w)", word)]
    soft = []
    if dictionary and word.isalpha():
        soft = [(head + "-", tail) for head, tail in dictionary.iterate(word) if len(head) > 2 and len(tail) > 2]
    for head, tail in sorted([*hard, *soft], key=lambda pair: -len(pair[0])):
        if stringWidth(f"{line} {head}".strip(), name, size) <= width:
            return head, tail
    return "", word


def typeset(
    paragraphs: Sequence[tuple[str, str]], *, columns: int = 2, language: str | None = None, footer: str = "",
    family: str = "serif", left: float = 45.0, gutter: float = 18.0, foot: float = 780.0, scale: float = 1.0,
) -> Paper:  # fmt: skip
    """Flow (style, text) pairs into columns over pages; a title goes over all columns."""
    paper = Paper()
    width = (paper.width - 2 * left - (columns - 1) * gutter) / columns
    top = y = 60.0
    column = 0
    _footer(paper, footer, 1)
    for style, words in paragraphs:
        look = {**STYLES[style], "family": family}
        look["size"] *= scale
        name = font_name(family, look.get("bold", False), look.get("italic", False))
        across = style == "title" and column == 0
        room = paper.width - 2 * left if across else width
        inset = 14.0 if style == "item" else 0.0
        lines = wrap(words, room - inset, name, look["size"], language if style not in ("title", "section") else None)
        y += SPACE_ABOVE[style] if y > top else 0.0
        for number, line in enumerate(lines):
            if y + look["size"] > foot:
                column, y = column + 1, top
                if column == columns:
                    paper.page()
                    _footer(paper, footer, len(paper.pages))
                    column, top, y = 0, 60.0, 60.0
            x = left + column * (width + gutter)
            if style == "item" and number == 0:
                paper.text(x + 2, y + look["size"], "•", **look)
            paper.text(x + inset, y + look["size"], line, **look)
            y += 1.22 * look["size"]
        if across:
            top = y = y + 12.0
    return paper


def _footer(paper: Paper, footer: str, number: int) -> None:
    if footer:
        paper.text(45 if number % 2 else 400, 815, f"{footer} {number}", size=7)
