"""Two releases with known differences: each is found, and nothing else; in five languages and for all kinds of entries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.diff import apply, diff, entry_text
from tests import releases, retypeset
from tests.retypeset import Style

pytest.importorskip("weasyprint")
pytest.importorskip("pikepdf")

HERE = Path(__file__).parent
TEXTS = sorted((HERE / "texts").glob("*.md"))
SAMPLES = [
    HERE / "samples" / "truth" / f"{name}.gold.json"
    for name in ("argance-faq-1.2", "argance-errata", "argance-regles", "orrery-faq")
]
SEEDS = (3, 4, 5)
# What is printed in one way and printed again in another.
PRINTED = [
    ("texts/faq-es.md", 1, {"question": "cell"}, {"question": "cell", "columns": "3", "font": "Liberation Sans", "align": "left"}),
    ("texts/errata-de.md", 2, {"change": "blue"}, {"change": "blue", "page": "A5", "columns": "1", "size": "11pt"}),
    ("texts/regole-it.md", 1, {}, {"columns": "1", "draw": "words", "font": "Source Sans", "change": "red"}),
    ("texts/glossary-en.md", 1, {}, {"columns": "3", "size": "7.5pt", "term": "colon", "change": "highlight"}),
    ("samples/truth/argance-faq-1.2.gold.json", 1, {"section": "band"}, {"section": "capitals", "subject": "capitals", "page": "Letter"}),
]  # fmt: skip


@pytest.mark.parametrize("path", [*TEXTS, *SAMPLES], ids=lambda path: path.stem)
def test_every_difference_is_found_and_no_other(path: Path, shared: Path) -> None:
    known = retypeset.truth(path)
    for seed in SEEDS:
        pair = releases.pair_of(known, seed)
        result, notes = releases.figures(pair, *releases.documents(pair))
        assert min(result.values()) == 1.0, (seed, result, notes)


@pytest.mark.parametrize(("name", "seed", "before", "after"), PRINTED, ids=lambda value: str(value)[-40:])
def test_another_page_is_no_difference(
    name: str, seed: int, before: dict[str, str], after: dict[str, str], tmp_path: Path, shared: Path
) -> None:
    known = retypeset.truth(HERE / name, most=24)
    pair = releases.pair_of(known, seed)
    styles = Style(chosen=tuple(before.items())), Style(chosen=tuple(after.items()))
    result, notes = releases.figures(pair, *releases.printed(pair, known, styles, tmp_path), styles)
    assert min(result.values()) == 1.0, (result, notes)


@pytest.mark.parametrize("path", [*TEXTS, *SAMPLES], ids=lambda path: path.stem)
def test_the_laws_of_a_difference(path: Path) -> None:
    """There and back again, from the end to the start, made to the old release: it is one difference."""
    known = retypeset.truth(path)
    for seed in range(20, 26):
        old, new = releases.documents(releases.pair_of(known, seed))
        there, back = diff(old, new), diff(new, old)
        assert releases.said(there) == releases.said(back, turned=True)
        mirrored = [replace(each, entries=each.entries[::-1]) for each in (old, new)]
        assert releases.said(diff(*mirrored)) == releases.said(there)
        assert releases.letters(*apply(old.entries, there)) == releases.letters(*new.entries)
        for each in there.changes:
            kept = "".join(text for sign, text in each.words if sign != "-")
            assert entry_text.key(kept) == releases.letters(*(each.news or ([each.new] if each.new else [])))


def test_a_pair_is_made_again() -> None:
    known = retypeset.truth(TEXTS[0])
    assert releases.pair_of(known, 7).truth == releases.pair_of(known, 7).truth
