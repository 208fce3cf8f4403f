"""A text -> as it is printed: measured in millimetres, cut to its room, glued where no line may end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline.records import Text
from pipeline.render import fonts
from pipeline.render.editions import Edition
from pipeline.render.look import Look
from pipeline.text import cut, rich, split_lines, trim

LONE = 0.5  # of a line: two last words that are wider than this are not kept together
SMALL_WORD = 3  # letters: "de", "the", "und"

_PAUSES = " ,;:–—-·"
_NUMBERED = re.compile(r"^(\d[\d.]*) .+ [–—] (.+)$")  # "2.1 Game Play Error — Missed Trigger"
_SIGN = r"(?:#|n[°ºor]\.?\s*|№\s*)"
_NUMBER = re.compile(rf"\s*(?:\(\s*{_SIGN}?\d+\s*\)|{_SIGN}\d+)\s*$", re.IGNORECASE)  # "(#42)", "n° 7", "(Nr. 8)"


def even(text: Text) -> Text:
    """A text without the bold or italic that all of it has: the form says what it is, style marks words in it."""
    spoken = [span for span in text.spans if span.text.strip() and not span.icon]
    bold, italic = all(span.bold for span in spoken), all(span.italic for span in spoken)
    if not spoken or not (bold or italic):
        return text
    return Text(
        tuple(replace(span, bold=span.bold and not bold, italic=span.italic and not italic) for span in text.spans)
    )


def ended(text: Text, measure: float, size: float) -> Text:
    """A text whose last word does not stand on a line of its own: it is glued to the one before, unless both would take
    half a line of ``measure`` millimetres."""
    before, _, last = str(text).rstrip(" ?!.\u00a0").rpartition(" ")
    both = f"{before.rpartition(' ')[2]} {last}"
    if not before or "\n" in text or wide(both, size, "Semibold") > LONE * measure:
        return text
    return rich(cut(text, 0, len(before)), "\u00a0", cut(text, len(before) + 1))


def items(cell: str) -> Sequence[str]:
    """The lines of a cell, one for each item of a list in it."""
    return split_lines(cell) if isinstance(cell, Text) else cell.split("\n")


def wide(text: str, size: float, style: str = "Bold") -> float:
    """Millimetres that ``text`` takes in sans of ``size`` points: what hangs in a margin is placed by it."""
    return fonts.width(str(text), size, "Sans", style) * 25.4 / 72


def lines(text: str, measure: float, size: float) -> int:
    """Lines of ``measure`` millimetres that a question takes."""
    return fonts.lines(str(text), measure * 72 / 25.4, size, "Sans", "Semibold")


def fitting(text: str, room: float, size: float, *shorter: str, tail: str = "") -> str:
    """The text with its ``tail``, or the first that is ``shorter`` and has room at the head of a page, or what its
    number stands for ("2.1 … Missed Trigger"); else it is cut at a word that says something: "Rules …", not "Rules of
    the …"."""
    lines = [" ".join(str(each).split()) for each in (text, *shorter) if each]
    room -= wide(tail, size) if tail else 0.0
    named = [_NUMBERED.sub(r"\1 … \2", line) for line in lines[-1:]]
    whole = next((line for line in (*lines, *named) if wide(line, size) <= room), None)
    if whole is not None or not lines:
        return (whole or "") + tail
    words_left = lines[-1].split(" ")
    while len(words_left) > 1 and (wide(" ".join(words_left) + " …", size) > room or _is_small(words_left[-1])):
        words_left.pop()
    while len(words_left[0]) > 1 and wide(words_left[0] + " …", size) > room:
        words_left[0] = words_left[0][:-1]
    return " ".join(words_left).rstrip(_PAUSES) + " …" + tail


def _is_small(word: str) -> bool:
    """An article, a preposition, a dash: nothing to end a head with."""
    bare = word.strip(_PAUSES)
    return not bare or (len(bare) <= SMALL_WORD and bare.islower())


def numbered(subject: Text) -> tuple[Text, str]:
    """A subject and the number that follows its name: "Avance Rapide" and "(#42)"."""
    match = _NUMBER.search(str(subject))
    return (trim(cut(subject, 0, match.start())), match[0].strip()) if match and match.start() else (subject, "")


def printable(text: str) -> str:
    """A plain string in characters that the fonts have; for names, where a drawn symbol would be too much."""
    return "".join(piece if what == "text" else "" for what, piece in fonts.split_symbols(fonts.tidy(str(text))))


def last_word(text: str) -> tuple[str, str]:
    """A text before its last word, and that: a number that follows is kept with it."""
    before, _, last = fonts.glued(text).rpartition(" ")
    return before, last


def heading_mark(text: str, look: Look, continued: str = "") -> str:
    """What the head of a page says of a heading: all of it, or as much as it has room for; and that it goes on."""
    return fitting(printable(text), look.heading_room, look.small, tail=f" ({continued})" if continued else "")


def legend(edition: Edition, look: Look) -> str:
    """The letters of the sources, at the foot of a sheet."""
    named = " · ".join(f"{each.letter} = {printable(each.short)}" for each in edition.current)
    return fitting(named, look.room, look.tiny)
