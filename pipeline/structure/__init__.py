"""Lines -> blocks in reading order: headings, paragraphs, list items, tables. Shapes and type, no meaning of words.

lay out     pages in reading order, furniture apart          (layout)
language    of the whole, since joining a hyphen needs it
gather      lines to paragraphs, over columns and pages
rank        headings by their type
build       the blocks, every join recorded
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from pipeline.language import common, detect, is_foreign, languages
from pipeline.layout import Laid, Strip, lay_out
from pipeline.layout.lines import Style
from pipeline.records import Extract, Finding, Structure
from pipeline.structure.build import Builder
from pipeline.structure.headings import rank
from pipeline.structure.paragraph_joining import flowed, nested
from pipeline.structure.paragraphs import Line, Paragraph, are_sentences, paragraphs, set_bullets, styled, usual_pitches
from pipeline.text import Lexicon, lexicon_counts, split_words, words_apart

SAME_EDGE = 2.0  # points by which the left edges of one column differ at most
LINES_MIN = 6  # sentences of one line each: where they are broken over lines, one would be by now
INK = 0.2  # of the letters are black or grey: they are the body, though more of them are in a colour
DARK, PALE = 100, 215  # of 255: the lightest part of a dark colour, and of a grey that is not nearly white
GREY = 0.18  # by which the parts of a grey differ, as a share of the largest


def structure(extract: Extract) -> Structure:
    """A document in reading order."""
    laid = lay_out(extract.pages)
    set_bullets([strip.lines for page in laid for strip in page.strips])
    lines = [styled(strip.lines, page.page) for page in laid for strip in page.strips]
    texts = [line.text for column in lines for line in column if line.text]
    text = " ".join(texts)
    language = detect(text)
    gathered = flowed(_gather(laid, lines))
    nested(gathered)
    size, colour, bold = _body(lines)
    ranks = rank(gathered, size, colour, bold)
    builder = Builder(extract, _lexicon(texts, text, language), size, colour)
    blocks = tuple(builder.block(para, level) for para, level in zip(gathered, ranks, strict=True))
    furniture = tuple(builder.furniture(line, page.page) for page in laid for line in page.furniture)
    return Structure(
        source=extract.source, sha256=extract.sha256, pages=len(extract.pages), language=language, blocks=blocks,
        furniture=furniture, columns=tuple(page.columns for page in laid), body_size=size, body_colour=colour,
        joins=tuple(builder.joins), words=_words(text, laid), hidden=_hidden(extract), title=extract.title,
        author=extract.author, created=extract.created, bookmarks=extract.bookmarks, tags=extract.tags,
        icons=extract.icons,
        findings=extract.findings + _foreign(text, language, extract.source),
    )  # fmt: skip


def _foreign(text: str, language: str, source: str) -> tuple[Finding, ...]:
    if not is_foreign(text, language):
        return ()
    message = (
        f"in none of the languages that are known here ({', '.join(languages())}), and read as {language}: "
        "its questions, errata and rules may not be told apart"
    )
    return (Finding(code="language-unknown", message=message, source=source),)


def _gather(laid: Sequence[Laid], lines: list[list[Line]]) -> list[Paragraph]:
    """Every paragraph of every column, in order."""
    pitches, reach = usual_pitches([column for column in lines if column]), partial(_reach, laid)
    paras: list[Paragraph] = []
    at = 0
    for page in laid:
        bottom = 0.0
        for strip in page.strips:
            if strip.lines and bottom > strip.lines[0].top:
                bottom = 0.0
            paras.extend(paragraphs(strip, lines[at], pitches.get(page.page, {}), bottom, reach))
            bottom = strip.lines[-1].bottom if strip.lines else bottom
            at += 1
    return paras


def _reach(laid: Sequence[Laid], strip: Strip) -> float:
    """How far lines go that begin at the same edge and, like those of this column, have nothing at their right. If each
    of many is a sentence, they all end before the edge."""
    alone = [each for page in laid for each in page.strips if abs(each.x0 - strip.x0) < SAME_EDGE
             and each.table is None and each.region == strip.region and not _is_beside(each, page)]  # fmt: skip
    if strip not in alone:
        return 0.0
    right, lines = max([each.x1 for each in alone]), [line for each in alone for line in each.lines]
    return 2 * right - strip.x0 if len(lines) >= LINES_MIN and are_sentences(lines) else right


def _is_beside(strip: Strip, page: Laid) -> bool:
    """Does other text stand at the right of it?"""
    top, bottom = strip.lines[0].top, strip.lines[-1].bottom
    right = [line for other in page.strips if other.x0 > strip.x1 for line in other.lines]
    return any(top < line.baseline < bottom for line in right)


def _body(lines: list[list[Line]]) -> tuple[float, str, bool]:
    """Size, colour and weight of most of the text; ink where there is some, though more may be marked in colour."""
    letters: dict[Style, int] = {}
    for column in lines:
        for line in column:
            letters[line.style] = letters.get(line.style, 0) + len(line.text)
    sizes: Counter[float] = Counter()
    colours: Counter[str] = Counter()
    bold: Counter[bool] = Counter()
    for style, count in letters.items():
        sizes[style.about] += count
        colours[style.colour] += count
        bold[style.bold] += count
    if not sizes:
        return 10.0, "#000000", False
    size = max(sizes, key=lambda s: (sizes[s], -s))
    colour = max(colours, key=lambda c: (colours[c], c))
    inks = [] if _is_ink(colour) else [c for c in colours if _is_ink(c) and colours[c] > INK * sizes.total()]
    return size, max(inks, key=lambda c: (colours[c], c), default=colour), bold[True] > 0.6 * sum(bold.values())


def _is_ink(colour: str) -> bool:
    """Black, a dark colour or a grey."""
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return max(parts) < DARK or (max(parts) < PALE and max(parts) - min(parts) < GREY * max(parts))


def _lexicon(texts: list[str], text: str, language: str) -> Lexicon:
    low = text.lower()
    apart = words_apart(low)
    counts = lexicon_counts(texts, apart)
    known = common(language)
    return Lexicon(
        words=frozenset(counts), tails=known.tails, heads=known.heads, suspended=known.suspended,
        suffixes=known.suffixes, split=split_words(text, low, apart, counts, known.words | known.letters),
    )  # fmt: skip


def _words(text: str, laid: Sequence[Laid]) -> int:
    """Words of the text layer as it is printed, furniture too."""
    every = " ".join(filter(None, [text, *(line.text for page in laid for line in page.furniture)]))
    return every.count(" ") + 1 if every else 0  # a line has no other white space


def _hidden(extract: Extract) -> int:
    return sum(len(run.text.split()) for page in extract.pages for run in page.hidden)
