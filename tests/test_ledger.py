"""No word is lost: what the text layer has is in a block or in furniture, each line exactly once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pdfs import STYLES, typeset

from pipeline.classify import classify
from pipeline.extract import extract
from pipeline.records import Block, Document, Extract, Structure
from pipeline.structure import structure

LETTERS = re.compile(r"[^\W_]")


def letters(text: str) -> Counter[str]:
    """Letters and figures: joining lines changes spaces and hyphens, and small capitals are read as small letters."""
    return Counter(LETTERS.findall(text.lower()))


def drawn(held: Extract) -> Counter[str]:
    return letters("".join(run.text for page in held.pages for run in page.runs))


def kept(made: Structure) -> Counter[str]:
    blocks = [*made.blocks, *made.furniture]
    return letters("".join(f"{block.marker} {block.text}" for block in blocks))


def addresses(made: Structure) -> list[str]:
    return [address for block in [*made.blocks, *made.furniture] for address in block.addresses]


def balanced(held: Extract, made: Structure) -> None:
    """Every letter that is drawn is in a block or in furniture; every line is in one."""
    assert kept(made) - drawn(held) == Counter(), "invented"
    lost = drawn(held) - kept(made)
    assert not lost or any(_goes_over_pages(block) for block in made.blocks), lost
    every = addresses(made)
    assert len(every) == len(set(every)), "a line twice"


def _goes_over_pages(block: Block) -> bool:
    """A table on several pages: its header, printed again, is kept once."""
    return bool(block.rows) and len({address.split(".")[0] for address in block.addresses}) > 1


def settled(made: Structure, document: Document) -> None:
    """Every line ends in an entry, a heading or furniture. A quotation may be listed twice."""
    ends = {address for entry in document.entries for address in entry.addresses}
    ends |= {address for heading in [*document.headings, *document.furniture] for address in heading.addresses}
    assert set(addresses(made)) == ends


WORDS = st.text("abcdeéfghilmnopqrstuvœ’-.,:;?!0123456789", min_size=1, max_size=14)
PARAGRAPHS = st.lists(
    st.tuples(st.sampled_from(sorted(STYLES)), st.lists(WORDS, min_size=1, max_size=40).map(" ".join)),
    min_size=1,
    max_size=30,
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(paragraphs=PARAGRAPHS, columns=st.integers(1, 3), language=st.sampled_from([None, "fr"]))
def test_no_word_of_a_made_page_is_lost(
    paragraphs: list[tuple[str, str]], columns: int, language: str | None, tmp_path: Path
) -> None:
    paper = typeset(paragraphs, columns=columns, language=language, footer="Pied de page")
    held = extract(paper.save(tmp_path / "case.pdf"))
    made = structure(held)
    balanced(held, made)
    settled(made, classify(made))


SHARED = Path(__file__).parent.parent.parent / "shared"


@pytest.mark.shared
@pytest.mark.parametrize(
    "path", sorted([*SHARED.glob("corpus/*.pdf"), *SHARED.glob("real/*.pdf")]), ids=lambda p: p.stem
)
def test_no_word_of_a_published_page_is_lost(path: Path) -> None:
    held = extract(path)
    made = structure(held)
    balanced(held, made)
    settled(made, classify(made))
