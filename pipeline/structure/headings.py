"""Heading levels by type: size, weight, capitals, a colour of their own. A first guess, from which classify goes on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from pipeline.structure.paragraphs import Paragraph
from pipeline.text import CLOSING, is_capitals

LARGER = 1.1  # times the body: a heading whatever else it is
SLIGHTLY = 1.03  # times the body: larger, if it is coloured or italic as well
LINES_MAX = 4
LINE_MAX = 60  # letters of a heading that is known by its colour
LETTERS_MAX = 160  # of a heading that is not larger than the body
LEVELS_MAX = 9
CLOSE = 0.25  # lines of white: less is none
SAME_SIZE = 0.04  # sizes closer than this are one level

PULLED = re.compile(r"[«“„\"].*[.!?…]\s?[»”“\"]$")  # a sentence of the text in larger type: no heading
_SENTENCE = re.compile(rf"[.!?;,]{CLOSING}$")

Key = tuple[float, bool, bool, bool, bool]  # size, capitals, bold, coloured, italic


def rank(paras: Sequence[Paragraph], size: float, colour: str, body_bold: bool) -> list[int]:
    """For each paragraph its heading level, 0 for one that is no heading."""
    heads = _painted_heads(paras, size, colour)
    are_heads = [id(para) in heads or _is_heading(para, size, colour, body_bold) for para in paras]
    used = _text_colours(paras, are_heads)
    keys = [_key(para, used | {colour}) if is_one else None for para, is_one in zip(paras, are_heads, strict=True)]
    keys = _without_stray_capitals(keys)
    levels = _levels([key for key in keys if key], _bands(paras, keys))
    return [levels[key] if key else 0 for key in keys]


def _is_heading(para: Paragraph, size: float, colour: str, body_bold: bool) -> bool:
    lines = para.lines
    if not lines or len(lines) > LINES_MAX:
        return False
    style, begins = lines[0].style, lines[0].text[:40]
    plain = style.size < LARGER * size and not style.bold
    if plain and begins.upper() != begins:  # most paragraphs: decided without reading them
        return False
    if para.table is not None or para.strip.mark or para.strip.stands or (para.marker and not _numbered(para)):
        return False
    text = " ".join(line.text for line in para.lines)
    if plain and (not text[:40].isupper() or _SENTENCE.search(text)):
        return False
    letters = sum(map(str.isalpha, text))
    if letters < 2:
        return False
    larger = min(line.style.size for line in para.lines) >= LARGER * size
    if larger:
        sentence = text.endswith(".") and (len(lines) > 2 or (len(lines) > 1 and not style.bold))
        return len(text) < 2 * LETTERS_MAX and not sentence and not PULLED.match(text)
    if len(text) > LETTERS_MAX or style.size < 0.85 * size:
        return False
    bold = all(line.style.bold for line in para.lines) and not body_bold
    if _SENTENCE.search(text):
        return bold and text.endswith("?") and is_capitals(text)
    return bold or (is_capitals(text) and letters >= 4)


def _painted_heads(paras: Sequence[Paragraph], size: float, colour: str) -> set[int]:
    """Short lines over text that differ from it in two ways, by a colour, by italics, by a little more size: nothing
    else is set so.

    A colour alone may mark changes; that a line of text among them ends as a sentence does shows it.
    """
    alike: dict[tuple[float, bool, str], list[int]] = defaultdict(list)
    for at, para in enumerate(paras):
        style = para.lines[0].style
        if not style.bold and (style.colour != colour) + style.italic + (style.size > SLIGHTLY * size) > 1:
            alike[style.about, style.italic, style.colour].append(at)
    return {
        id(paras[at])
        for group in alike.values()
        if len(group) > 1
        and all(_stands_over(paras, at) for at in group)
        and not all(_is_line_of_type(paras, at, size) for at in group)
        for at in group
    }


def _is_line_of_type(paras: Sequence[Paragraph], at: int, size: float) -> bool:
    """Straight under a name in bold or larger type, with no white between: what sort of card it is, no heading."""
    above, style = paras[at - 1], paras[at - 1].lines[0].style
    named = len(above.lines) == 1 and not above.table and (style.bold or style.size >= LARGER * size)
    return at > 0 and named and above.strip is paras[at].strip and paras[at].gap < CLOSE


def _stands_over(paras: Sequence[Paragraph], at: int) -> bool:
    """One short line that is no sentence, with something in other type straight under it."""
    para, text = paras[at], paras[at].lines[0].text
    if para.table is not None or para.marker or len(para.lines) > 1 or len(text) > LINE_MAX or _SENTENCE.search(text):
        return False
    below = paras[at + 1].lines[0].style if at + 1 < len(paras) else None
    style = para.lines[0].style
    return below is not None and text[:1].isupper() and (below.colour, below.italic) != (style.colour, style.italic)


def _numbered(para: Paragraph) -> bool:
    return para.marker[:1].isdigit() or para.marker[:1].isupper()


def _text_colours(paras: Sequence[Paragraph], are_heads: Sequence[bool]) -> set[str]:
    """Colours in which running text is set too: they mark changes, not levels."""
    text = [para.lines for para, is_one in zip(paras, are_heads, strict=True) if not is_one]
    counts = Counter([line.style.colour for lines in text for line in lines if len(line.text) > 20])
    return {colour for colour, lines in counts.items() if lines >= 2}


def _key(para: Paragraph, plain: set[str]) -> Key:
    style = para.lines[0].style
    text = " ".join(line.text for line in para.lines)
    bold = all(line.style.bold for line in para.lines)
    return (round(style.size * 2) / 2, is_capitals(text), bold, style.colour not in plain, style.italic)


def _without_stray_capitals(keys: Sequence[Key | None]) -> list[Key | None]:
    """Capitals make a level of their own only where a heading like them, but without, stands straight under one."""
    nested = {below for above, below in pairwise(keys) if above and below and _same_but_capitals(above, below)}
    return [key and (key[0], key[1] and (key[0], False, *key[2:]) in nested, *key[2:]) for key in keys]


def _same_but_capitals(above: Key, below: Key) -> bool:
    return above[1] and not below[1] and above[0] == below[0] and above[2:] == below[2:]


def _bands(paras: Sequence[Paragraph], keys: Sequence[Key | None]) -> list[tuple[Key, Key]]:
    """Types of headings in bands of colour, each with a larger type that stands straight under them more than once."""
    boxed = [at for at, key in enumerate(keys[:-1]) if key and paras[at].strip.region and keys[at + 1]]
    pairs: Counter[tuple[Key, Key]] = Counter()
    for at in boxed:
        band, below = keys[at], keys[at + 1]
        if band and below and band[0] < below[0] and not paras[at + 1].strip.region:
            pairs[band, below] += 1
    return [pair for pair, count in pairs.items() if count > 1]


def _levels(keys: Sequence[Key], bands: Sequence[tuple[Key, Key]]) -> dict[Key, int]:
    """Levels by rank: size first, then capitals, weight, colour; upright before italic. A band is over its heads."""
    ordered = sorted(set(keys), key=lambda k: (-k[0], not k[1], not k[2], not k[3], k[4]))
    for band, below in bands:
        if ordered.index(band) > ordered.index(below):
            ordered.remove(band)
            ordered.insert(ordered.index(below), band)
    return {key: min(number, LEVELS_MAX) for number, key in enumerate(ordered, 1)}
