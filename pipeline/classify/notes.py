"""Footnotes: the last words of the entry that has their mark, wherever on the page they are printed. Labels: what
stands sideways or in a drawing is a text of its own behind the entry that it is printed in."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.classify.blocks import ROLE
from pipeline.classify.labels.labelled_blocks import GOES_ON, Part, Sign
from pipeline.records import Block, Role

ASIDE = {Role.NOTE, Role.LABEL}
Notes = dict[str, list[Block]]  # by the address of the line that they stand behind


def apart(blocks: Sequence[Block]) -> tuple[list[Block], Notes]:
    """The blocks without footnotes and labels, and those."""
    others: list[Block] = []
    notes: Notes = {}
    if ASIDE.isdisjoint(map(ROLE, blocks)):
        return list(blocks), notes
    for block in blocks:
        if block.role in ASIDE:
            notes.setdefault(others[-1].addresses[-1] if others else "", []).append(block)
        else:
            others.append(block)
    return others, notes


def back(parts: list[Part], notes: Notes) -> list[Part]:
    """The parts of a document with its footnotes, each at the end of its entry."""
    if not notes:
        return parts
    with_notes: list[Part] = []
    waiting = [_part(block) for block in notes.get("", ())]
    for part in parts:
        if part.sign not in GOES_ON:
            with_notes += waiting
            waiting = []
        with_notes.append(part)
        waiting += [_part(note) for at in part.block.addresses for note in notes.pop(at, ())]
    return with_notes + waiting


def _part(note: Block) -> Part:
    return Part(sign=Sign.BODY, block=note, text=note.text)
