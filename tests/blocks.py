"""Structures made from a few lines of text, so that a case of classify can be read like the page it stands for.

lang: fr                   the language; then paragraphs, divided by empty lines
# Heading  ## Smaller      headings by level
- item  1. item            list items
| a | b |                  rows of a table
**bold** *italic* {#ec008c|coloured}
A line end inside a paragraph is a printed line end.
"""

from __future__ import annotations

import re

from pipeline.records import Block, Role, Span, Structure, Text
from pipeline.text import rich

STYLES = re.compile(r"\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|\{(?P<colour>#\w{6})\|(?P<painted>.+?)\}", re.DOTALL)
SIZES = {1: 20.0, 2: 15.0, 3: 12.0, 4: 10.0}
BODY = 9.0


def structure(page: str, source: str = "case.pdf") -> Structure:
    """The structure that a reader would make of such a page."""
    head, _, body = page.lstrip().partition("\n")
    blocks: list[Block] = []
    for number, chunk in enumerate(re.split(r"\n\s*\n", body.strip("\n"))):
        blocks += _blocks(chunk.strip(), number)
    return Structure(
        source=source, sha256="0" * 64, pages=1, language=head.removeprefix("lang:").strip(), blocks=tuple(blocks),
        body_size=BODY, columns=(1,),
    )  # fmt: skip


def _blocks(chunk: str, number: int) -> list[Block]:
    if chunk.startswith("|"):
        return [_table(chunk, number)]
    lines = chunk.split("\n")
    if all(re.match(r"\s*(?:[-•]|\d+[.)]) ", line) for line in lines):
        return [_item(line, number, at) for at, line in enumerate(lines)]
    if found := re.match(r"(#+) (.*)", chunk, re.DOTALL):
        level = len(found.group(1))
        return [_block(found.group(2), number, role=Role.HEADING, level=level, size=SIZES.get(level, BODY), bold=True)]
    return [_block(chunk, number)]


def _block(text: str, number: int, **fields: object) -> Block:
    styled = _styled(text)
    breaks = tuple(at + 1 for at, letter in enumerate(styled) if letter == "\n")
    plain = Text(tuple(Span(**{**_as_dict(span), "text": span.text.replace("\n", " ")}) for span in styled.spans))
    made: dict[str, object] = {
        "role": Role.PARAGRAPH, "text": plain, "page": 1, "size": BODY, "breaks": breaks,
        "addresses": tuple(f"p1.c1.l{number * 100 + at}" for at in range(len(breaks) + 1)),
        "bold": _all(plain, "bold"), "italic": _all(plain, "italic"), "colour": _colour(plain),
    }  # fmt: skip
    made.update(fields)
    if fields.get("bold"):
        made["text"] = Text(tuple(Span(**{**_as_dict(span), "bold": True}) for span in plain.spans))
    return Block(**made)  # type: ignore[arg-type]


def _item(line: str, number: int, at: int) -> Block:
    found = re.match(r"(\s*)([-•]|\d+[.)]) (.*)", line)
    assert found
    marker = "•" if found.group(2) == "-" else found.group(2)
    return _block(
        found.group(3), number * 10 + at + 1000, role=Role.ITEM, marker=marker, level=len(found.group(1)) // 2
    )


def _table(chunk: str, number: int) -> Block:
    rows = tuple(tuple(_styled(cell.strip()) for cell in line.strip("|").split("|")) for line in chunk.split("\n"))
    text = rich(" ".join(" ".join(row) for row in rows))
    return Block(role=Role.TABLE, text=text, page=1, addresses=(f"p1.c1.l{number * 100}",), rows=rows, header_rows=1)


def _styled(text: str) -> Text:
    spans, at = [], 0
    for found in STYLES.finditer(text):
        spans += [Span(text=text[at : found.start()])] if found.start() > at else []
        if found.group("painted"):
            inner = _styled(found.group("painted"))
            spans += [Span(**{**_as_dict(span), "colour": found.group("colour")}) for span in inner.spans]
        else:
            spans.append(Span(text=found.group("bold") or found.group("italic"), bold=bool(found.group("bold")),
                              italic=bool(found.group("italic"))))  # fmt: skip
        at = found.end()
    spans += [Span(text=text[at:])] if at < len(text) else []
    return Text(tuple(spans))


def _as_dict(span: Span) -> dict[str, object]:
    return {name: getattr(span, name) for name in ("text", "bold", "italic", "colour")}


def _colour(text: Text) -> str:
    """The most common one."""
    return max(text.spans, key=lambda span: len(span.text)).colour or "#000000" if text.spans else "#000000"


def _all(text: Text, style: str) -> bool:
    return bool(text.spans) and all(getattr(span, style) for span in text.spans if span.text.strip())
