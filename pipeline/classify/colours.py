"""Which colour means "new in this version": from what the document says, else from how rare it is."""

from __future__ import annotations

import colorsys
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from operator import attrgetter

from pipeline.classify.blocks import ROLE, TEXT
from pipeline.classify.grammar import Grammar
from pipeline.quick import quick_replace
from pipeline.records import Block, Finding, Role, Span, Structure, Text
from pipeline.text import flat
from pipeline.vocab import Words, alternatives, first_words

GREY = 0.18  # saturation below which a colour is ink, not a mark
NEAR = 70.0  # distance in RGB at which a shade is still the sample's
RARE = 0.35  # a mark covers less of the body than this; more is a style
LEADS = 4  # so many short lines alike make a style
PHRASE = 5  # words in a row, on average: marks cover sentences, decoration covers single words
COVERED = 10  # words in all that an unannounced colour must cover, in two blocks or more
WHOLE = 0.7  # of the blocks in that colour are in it from end to end, when they are short
KEY_WORDS = 10  # of a line that says what a colour means
KEY_LINK = re.compile(r"\s+(?:\w{1,3}\s+)?")  # "Changes in red"
BEHIND = 5  # words behind the colour's name
KEY_LEAD = 12  # letters before a colour that begins such a line: "Text in red: …"
KEY_STOP = re.compile(r"\s*(?:[:,=]|[–—-]\s)")
LEGEND = re.compile(r"\s*(?:\w+\s*)?[\])]?\s*[:=]\s*(?:\w+\s+){0,2}")  # "Pink Text: changes relative to Issue 3"
CLAUSE = re.compile(r"[,:(]\s+")
LISTED = re.compile(r"\S\s+\d{1,3}\s*$")  # a line of a table of contents: links, by their nature
HUES = {"red": ((0, 16), (340, 360)), "orange": ((12, 45),), "yellow": ((42, 70),), "green": ((70, 170),),
        "blue": ((165, 258),), "purple": ((250, 300),), "magenta": ((285, 348),), "brown": ((5, 45),)}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeColours:
    """The colours for changes, what each means, and the blocks that say so (they are no changes themselves)."""

    colours: tuple[tuple[str, str], ...] = ()
    told_by: frozenset[int] = frozenset()
    painted: tuple[int, ...] = ()  # the blocks with any colour
    filled: tuple[int, ...] = ()  # the blocks in boxes of such a colour
    used: bool = False  # does any text have one of them?
    findings: tuple[Finding, ...] = ()


def find_colours(structure: Structure, grammar: Grammar) -> ChangeColours:
    """What the document says about its colours; where it says nothing, a colour that is rare in its body."""
    blocks = structure.blocks
    painted = _painted(blocks)
    if not painted and not any(map(_FILL, blocks)):
        return ChangeColours()
    names = tuple(word for _, words in grammar.words.colour.names for word in words)
    namings = [(at, *announcement) for at in naming(blocks, names) for announcement in announced(blocks[at], grammar)]
    if namings:
        marks = _from_words(namings, structure, painted)
        marks = marks if marks.colours else _from_boxes(namings, structure, marks)
        return marks if marks.used else _from_another(namings, structure, marks, grammar)
    return ChangeColours(colours=tuple((colour, "") for colour in _rare(structure, painted, grammar)), painted=painted)


def marked(blocks: Sequence[Block], marks: ChangeColours) -> list[Block]:
    """The blocks with their coloured spans marked as changed; not those that say what the colours mean."""
    colours = {colour for colour, _ in marks.colours}
    if not colours:
        return list(blocks)
    painted = list(blocks)
    for at in marks.filled:
        text = blocks[at].text
        painted[at] = replace(blocks[at], text=Text(tuple(mark(span, changed=True) for span in text.spans), text.level))
    for at in marks.painted:
        if at not in marks.told_by:
            painted[at] = _mark(blocks[at], colours)
    return painted


_COLOUR, _HIGHLIGHT, _CHANGED = attrgetter("colour"), attrgetter("highlight"), attrgetter("changed")
_FILL = attrgetter("fill")
mark, _repainted = quick_replace(Span, "changed"), quick_replace(Block, "text", "rows")


def _mark(block: Block, colours: set[str]) -> Block:
    spans = _spans(block)
    if colours.isdisjoint(map(_COLOUR, spans)) and colours.isdisjoint(map(_HIGHLIGHT, spans)):
        return block
    rows = tuple(tuple(_mark_text(cell, colours) for cell in row) for row in block.rows)
    return _repainted(block, text=_mark_text(block.text, colours), rows=rows)


def _mark_text(text: Text, colours: set[str]) -> Text:
    new = [span.colour in colours or span.highlight in colours for span in text.spans]
    if all(span.link for span, is_new in zip(text.spans, new, strict=True) if is_new):
        return text  # links are set in a colour of their own
    spans = (mark(span, changed=True) if is_new else span for span, is_new in zip(text.spans, new, strict=True))
    return Text(tuple(spans), text.level)


def changed_words(texts: Iterable[Text]) -> tuple[str, ...]:
    """The coloured words of texts, one string for each run of them."""
    strings: list[str] = []
    for text in texts:
        joined = False
        for span in text.spans if any(map(_CHANGED, text.spans)) else ():
            if span.changed:
                strings[-1:] = [strings[-1] + span.text] if joined else [*strings[-1:], span.text]
            joined = span.changed or (joined and not span.text.strip())
    return tuple([words.strip() for words in strings if any(map(str.isalnum, words))])


# ---------------------------------------------------------------- what the document says


def naming(blocks: Sequence[Block], names: Words) -> list[int]:
    """The blocks that may name a colour: looked for in all at once, which costs a tenth of one after the other."""
    texts = list(map(flat, map(TEXT, blocks)))
    whole, starts = "\n".join(texts), list(accumulate([len(text) + 1 for text in texts], initial=0))
    if all(map(str.isascii, sought := _first_words(names))):
        whole = whole.encode("ascii", "replace").decode("ascii")  # letter for letter; searched in a third of the time
    places = set()
    for word in sought:
        at = whole.find(word)
        while at >= 0:
            after = bisect_right(starts, at)
            places.add(after - 1)
            at = whole.find(word, starts[after])
    return sorted(places)


_first_words = cache(first_words)


def announced(block: Block, grammar: Grammar) -> list[tuple[str, str, str | None]]:
    """(colour's name, what it means, the sample's shade) for each colour that a block announces for changes."""
    plain = flat(block.text)
    colour = grammar.words.colour
    changed = pattern(colour.change)
    if not changed.search(plain):
        return []
    announcements = []
    named = sorted((m.span(), name, m) for name, words in colour.names for m in pattern(words).finditer(plain))
    places = [span for span, _, _ in named]
    for (place, name, match), before, after in zip(
        named, [(0, 0), *places], [*places[1:], (len(plain), 0)], strict=False
    ):
        start, end = sentence(block.text, place[0])
        clause = plain[start:end]
        key = _is_key(clause, place[0] - start, place[1] - start, changed)
        if (key or pattern(colour.announce).search(clause)) and changed.search(clause):
            meaning = _meaning(block.text, (max(start, before[1]), min(end, after[0])), place, grammar)
            announcements.append((name, meaning, _shade(block.text, match)))
    return announcements


def _is_key(clause: str, start: int, end: int, changed: re.Pattern[str]) -> bool:
    """ "Changes in magenta", "Red: new text": a change word and the colour, or the colour first, with a stop."""
    legend = LEGEND.match(clause, end) if start <= KEY_LEAD else None
    if legend and any(changed.match(clause, at) for at in _word_starts(clause, end, legend.end())):
        return True
    if start <= KEY_LEAD and KEY_STOP.match(clause, end):
        return len(clause.split()) <= KEY_WORDS
    word = changed.match(clause) if not clause[end:].strip(" .!;)") else None
    return word is not None and KEY_LINK.fullmatch(clause, word.end(), start) is not None


def _word_starts(clause: str, start: int, end: int) -> list[int]:
    """Where words begin behind the stop of a legend."""
    stop = max(clause.find(sign, start, end) for sign in ":=")
    return [word.start() for word in re.finditer(r"\b\w", clause[: end + 1]) if word.start() > stop]


@cache
def pattern(words: Words) -> re.Pattern[str]:
    """Any of these phrases, in a flat text."""
    return re.compile(alternatives(words))


def sentence(text: str, at: int) -> tuple[int, int]:
    """Where the sentence around an offset begins and ends."""
    start = max((m.end() for m in re.finditer(r"[.!?;]\s+", text[:at])), default=0)
    end = re.search(r"[.!?;](?:\s|$)", text[at:])
    return start, at + end.end() if end else len(text)


def _meaning(text: str, within: tuple[int, int], name: tuple[int, int], grammar: Grammar) -> str:
    """The clause around the colour's name that says what has changed, to its last word: "in blauer Schrift"."""
    start, end = within
    linked = "|".join(re.escape(each) for each in grammar.words.page.and_)
    begins = [start + len(re.match(rf"\W*(?:(?:{linked})\s)?", text[start:])[0]) if start else 0]  # type: ignore[index]
    begins += [stop.end() for stop in CLAUSE.finditer(text, start, name[0])]
    changed = pattern(grammar.words.colour.change)
    begin = next((at for at in reversed(begins) if changed.search(flat(text[at : name[1]]))), None)
    if begin is None:  # "Red: what is new"
        return text[begins[0] : end].strip(" .;,")
    behind = re.split(rf"[,;:.!?()]|\s(?:{linked})\s", text[name[1] : end])[0]
    return (text[begin : name[1]] + (behind if len(behind.split()) <= BEHIND else "")).strip()


def _shade(text: Text, match: re.Match[str]) -> str | None:
    at = 0
    for span in text.spans:
        if at <= match.start() < at + len(span.text):
            return span.highlight or span.colour
        at += len(span.text)
    return None


def _from_words(
    namings: list[tuple[int, str, str, str | None]], structure: Structure, painted: tuple[int, ...]
) -> ChangeColours:
    """The colours of the document that its words name."""
    headings = _heading_colours(structure.blocks, painted)
    title = {span.colour for block in structure.blocks[:1] for span in block.text.spans}
    tellers = {at for at, *_ in namings}
    others = [structure.blocks[at] for at in painted if at not in tellers]
    used, text = _letters(others), _letters([block for block in others if block.role in (Role.PARAGRAPH, Role.ITEM)])
    meaning: dict[str, str] = {}
    for _, name, clause, shade in namings:
        sample = shade if shade and hue_is(shade, name) else None
        alike = [c for c in used if (_distance(c, sample) <= NEAR if sample else hue_is(c, name))]
        shades = [c for c in alike if c not in headings] or [c for c in alike if c in text]
        # Of two blues, that of the title is the publisher's own.
        shades = [c for c in shades if c not in title] or shades
        for colour in shades or ([sample] if sample else []):
            meaning.setdefault(colour, clause)
    in_use = any(colour in used for colour in meaning)
    named = tuple(sorted(meaning.items()))
    return ChangeColours(colours=named, told_by=frozenset(tellers), painted=painted, used=in_use)


def _from_another(
    namings: list[tuple[int, str, str, str | None]], structure: Structure, marks: ChangeColours, grammar: Grammar
) -> ChangeColours:
    """Nothing is in the colour that is announced; where just one other is rare, that is meant, and a person is told."""
    tellers = {at for at, *_ in namings}
    others = tuple(block for at, block in enumerate(structure.blocks) if at not in tellers)
    rare = _rare(replace(structure, blocks=others), _painted(others), grammar)
    if len(rare) != 1:
        return marks
    _, name, clause, _ = namings[0]
    message = f"changes are announced in {name}, but none are; what is in {rare[0]} was taken for them"
    finding = Finding(code="colour-differs", message=message, source=structure.source)
    return replace(marks, colours=((rare[0], clause),), findings=(finding,), used=True)


def _from_boxes(
    namings: list[tuple[int, str, str, str | None]], structure: Structure, marks: ChangeColours
) -> ChangeColours:
    """The same of a colour in which nothing is written, but some paragraphs have it behind them."""
    meaning: dict[str, str] = {}
    filled = []
    for at, block in enumerate(structure.blocks):
        clause = next((clause for _, name, clause, _ in namings if block.fill and hue_is(block.fill, name)), None)
        if clause is not None and at not in marks.told_by and block.role is not Role.HEADING:
            meaning.setdefault(str(block.fill), clause)
            filled.append(at)
    return replace(marks, colours=tuple(sorted(meaning.items())), filled=tuple(filled), used=bool(filled))


def hue_is(colour: str, name: str) -> bool:
    """Would a person call this colour so?"""
    hue, saturation, value = _hsv(colour)
    if name == "grey" or saturation < GREY or value < GREY:
        return False
    return any(low <= hue <= high for low, high in HUES.get(name, ()))


def _hsv(colour: str) -> tuple[float, float, float]:
    red, green, blue = _rgb(colour)
    hue, saturation, value = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    return hue * 360, saturation, value


def _rgb(colour: str) -> tuple[int, int, int]:
    try:
        return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
    except ValueError:
        return 0, 0, 0


def _distance(one: str, other: str) -> float:
    return float(sum((a - b) ** 2 for a, b in zip(_rgb(one), _rgb(other), strict=True)) ** 0.5)


# ---------------------------------------------------------------- how often a colour is used


def _spans(block: Block) -> tuple[Span, ...]:
    if not block.rows:
        return block.text.spans
    return (*block.text.spans, *(span for row in block.rows for cell in row for span in cell.spans))


def _painted(blocks: Sequence[Block]) -> tuple[int, ...]:
    """The places of the blocks that have any colour but that of the body."""
    places = [
        at for at, block in enumerate(blocks) for span in (_spans(block) if block.rows else block.text.spans)
        if span.colour or span.highlight
    ]  # fmt: skip
    return tuple(dict.fromkeys(places))


def _letters(blocks: Sequence[Block]) -> Counter[str]:
    """Letters in each colour of text or rectangle, in all that is not a link."""
    counts: Counter[str] = Counter()
    for block in blocks:
        for span in block.text.spans:
            if (span.colour or span.highlight) and not span.link:
                for colour in {span.colour, span.highlight} - {None}:
                    counts[str(colour)] += len(span.text.strip())
    return counts


def _heading_colours(blocks: Sequence[Block], painted: Iterable[int]) -> frozenset[str]:
    """Colours in which headings are usually set: they mark headings, not changes."""
    inked = {at: blocks[at] for at in painted if any(map(_COLOUR, blocks[at].text.spans))}
    headings = [block for block in inked.values() if block.role is Role.HEADING]
    counts = Counter(span.colour for block in headings for span in block.text.spans if span.colour)
    enough = max(2, 0.4 * list(map(ROLE, blocks)).count(Role.HEADING))
    usual = {str(colour) for colour, times in counts.items() if times >= enough}
    return frozenset(usual | _lead_colours(inked, len(blocks) - 1))


def _lead_colours(inked: dict[int, Block], last: int) -> set[str]:
    """Colours of short lines that always stand alone above text in another colour: heads in plain type, not changes."""
    lone: Counter[str] = Counter()
    other: Counter[str] = Counter()
    sole = {at: _sole_colour(block) for at, block in inked.items()}
    for at, block in inked.items():
        colour = sole[at]
        if colour is None:
            other.update({span.colour for span in block.text.spans if span.colour})
            continue
        alone = at < last and sole.get(at + 1) != colour and sole.get(at - 1) != colour
        short = not block.breaks and block.text.rstrip()[-1:] not in ".!?:"
        (lone if alone and short else other)[colour] += 1
    return {colour for colour, times in lone.items() if times >= LEADS and times >= 4 * other[colour]}


def _sole_colour(block: Block) -> str | None:
    """The one colour that a block is set in, if it is not that of the body."""
    colours = {span.colour for span in block.text.spans if span.text.strip()}
    return next(iter(colours)) if len(colours) == 1 else None


def _rare(structure: Structure, painted: tuple[int, ...], grammar: Grammar) -> tuple[str, ...]:
    """The one saturated colour that covers some whole sentences, if there is just one."""
    body = [block for block in structure.blocks if block.role in (Role.PARAGRAPH, Role.ITEM) and not _is_listed(block)]
    total = sum(len(block.text) for block in body) or 1
    candidates = [
        colour for colour, letters in _letters(body).items() if _hsv(colour)[1] >= GREY and letters / total <= RARE
    ]
    if not candidates:
        return ()
    decoration = _heading_colours(structure.blocks, painted) | _link_colours(body)
    candidates = [colour for colour in candidates if colour not in decoration]
    marking = tuple(colour for colour in candidates if _covers_sentences(body, colour, grammar))
    return marking if len(candidates) <= 2 and len(marking) == 1 else ()


def _is_listed(block: Block) -> bool:
    return block.text.rstrip()[-1:].isdigit() and LISTED.search(block.text) is not None


def _link_colours(body: Sequence[Block]) -> frozenset[str]:
    return frozenset(
        span.colour for block in body for span in block.text.spans if span.colour and (span.link or span.underlined)
    )


def _covers_sentences(body: Sequence[Block], colour: str, grammar: Grammar) -> bool:
    """Marks cover sentences in few blocks; a style covers words here and there, every other block, all questions or
    all notes."""
    runs = [span.text for block in body for span in block.text.spans if colour in (span.colour, span.highlight)]
    words = sum(len(run.split()) for run in runs)
    painted = [block for block in body if any(colour in (span.colour, span.highlight) for span in block.text.spans)]
    whole = sum(_wholly(block.text, colour) for block in painted)
    asking = sum(block.text.rstrip().endswith("?") for block in painted)
    noting = sum(grammar.aside.match(flat(block.text)) is not None for block in painted)
    sentences = words >= PHRASE * len(runs) or whole >= WHOLE * len(painted)
    few = 2 <= len(painted) <= max(2, RARE * len(body))
    ended = sum(block.text.rstrip(" »”’\"')").endswith((".", "!", "?", ":", ";", ",")) for block in painted)
    heads = ended * 3 < len(painted)  # lines of their own: a style of heads
    return sentences and words >= COVERED and few and max(asking, noting) < WHOLE * len(painted) and not heads


def _wholly(text: Text, colour: str) -> bool:
    letters = sum(len(span.text.strip()) for span in text.spans)
    coloured = sum(len(span.text.strip()) for span in text.spans if colour in (span.colour, span.highlight))
    return coloured >= 0.95 * letters
