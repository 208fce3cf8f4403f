"""Known texts set in other ways are read as they were written: other marks, layouts, colours, languages, programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import retypeset

pytest.importorskip("weasyprint")
pytest.importorskip("pikepdf")

HERE = Path(__file__).parent

# What must be read of each: 1.0 where nothing may be missed or invented.
SET_AGAIN = [
    ("texts/faq-es.md", {"question": "cell", "columns": "3", "align": "left"}, 1.0),
    ("texts/faq-es.md", {"question": "boxed", "subject": "centred", "section": "band", "extra": "contents"}, 1.0),
    ("texts/faq-it.md", {"question": "bare bold", "columns": "1", "extra": "sideways"}, 1.0),
    ("texts/faq-it.md", {"question": "hanging", "columns": "3", "section": "spanning", "page": "Letter", "draw": "letters",
                         "align": "left", "font": "Liberation Sans Narrow", "space": "indent", "subject": "centred"}, 1.0),
    ("texts/faq-de.md", {"question": "number)", "change": "highlight", "running": "side", "page": "A5"}, 1.0),
    ("texts/errata-it.md", {"head": "• Page 1 – X", "lead": "plain run in", "columns": "1"}, 0.9),
    ("texts/errata-es.md", {"head": "Page 1 : X", "lead": "coloured line", "change": "red", "boxes": "new"}, 1.0),
    ("texts/errata-es.md", {"section": "spanning", "columns": "3", "page": "Letter", "lead": "bold run in", "align": "left",
                            "font": "Liberation Sans Narrow", "space": "indent", "head": "Page 1 X"}, 1.0),
    ("texts/errata-en.md", {"head": "X (p. 1)", "quotes": "' '", "extra": "watermark"}, 0.9),
    ("texts/reglas-es.md", {"rule": "article", "running": "mirrored"}, 1.0),
    ("texts/regeln-de.md", {"rule": "decimal", "columns": "1"}, 1.0),
    ("texts/glossary-en.md", {"term": "item", "columns": "1"}, 1.0),
    ("samples/truth/orrery-faq.gold.json", {"draw": "letters", "font": "Source Sans"}, 1.0),
    ("samples/truth/tannengrund-faq.gold.json", {"draw": "words", "question": "run in", "extra": "rotated"}, 0.95),
]  # fmt: skip
FROM_SHARED = [
    ("underworlds-fr-2019-06", {"columns": "3", "subject": "small caps", "change": "silent blue"}, 84, 0.99),
    ("wh40k-fr-1.6", {"question": "hanging", "lead": "bold run in", "extra": "drop cap", "draw": "words"}, 15, 0.97),
    ("confrontation-fr", {"rule": "dash", "columns": "1", "font": "Liberation Sans"}, 0, 0.99),
]  # fmt: skip


def style(chosen: dict[str, str]) -> retypeset.Style:
    return retypeset.Style(chosen=tuple(chosen.items()))


@pytest.mark.parametrize(("text", "chosen", "floor"), SET_AGAIN, ids=lambda value: str(value)[-60:])
def test_what_is_set_again_is_read_again(text: str, chosen: dict[str, str], floor: float, tmp_path: Path) -> None:
    made = retypeset.typeset(retypeset.truth(HERE / text, most=28), style(chosen))
    assert retypeset.agreement(made, tmp_path) >= floor


@pytest.mark.parametrize(("name", "chosen", "start", "floor"), FROM_SHARED, ids=lambda value: str(value)[-60:])
def test_other_peoples_texts_too(
    name: str, chosen: dict[str, str], start: int, floor: float, tmp_path: Path, shared: Path
) -> None:
    known = retypeset.truth(shared / "corpus" / f"{name}.gold.json", most=24, start=start)
    result = retypeset.figures(retypeset.typeset(known, style(chosen)), tmp_path)
    assert retypeset.mean(result) >= floor, result


def test_a_style_drawn_by_chance_is_drawn_again() -> None:
    assert retypeset.by_chance(7) == retypeset.by_chance(7)
    assert retypeset.by_chance(7) != retypeset.by_chance(8)
