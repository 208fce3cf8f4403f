"""What a person said about the structure of a document, replayed: found again by its words, never by its page.

anchors   words -> the places that they name, in this release or the next
shape     blocks as they were said to be, before they are classified
settle    the document as it was said to be, whatever classify made of those blocks
pieces    entries as the texts that they are made of
"""

from __future__ import annotations

from typing import Any

from pipeline.config import Mends
from pipeline.records import Document, Structure


def reread(structure: Structure, mends: Mends | None) -> Document:
    """A document from its blocks, as they were said to be."""
    from pipeline.classify import classify
    from pipeline.mend.settle import settle
    from pipeline.mend.shape import shape

    if mends is None:
        return classify(structure)
    shaped = shape(structure, mends)
    return settle(classify(shaped.structure), shaped)


def reread_packed(structure: Any, mends: Any) -> Any:
    """``reread`` with JSON values, so that a guarded child can be asked for it; and the blocks as they were shaped."""
    from pipeline import store
    from pipeline.mend.shape import shape

    held = store.from_json(Structure, structure)
    said = store.from_json(Mends, mends) if mends else None
    shaped = store.to_json(shape(held, said).structure) if said else None
    return {"document": store.to_json(reread(held, said)), "structure": shaped}
