"""Known texts set in other ways are read as they were written: other marks, layouts, colours, languages, programs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pipeline import flow
from pipeline.export import entry_fields
from pipeline.text import fold
from tests import retypeset

pytest.importorskip("weasyprint")
pytest.importorskip("pikepdf")

HERE = Path(__file__).parent
KINDS = ("qa", "erratum", "definition", "rule", "table")

# What must be read of each: 1.0 where nothing may be missed or invented.
SET_AGAIN = [
    ("texts/faq-es.md", {"question": "cell", "columns": "3", "align": "left"}, 1.0),
    ("texts/faq-es.md", {"question": "boxed", "subject": "centred", "section": "band", "extra": "contents"}, 1.0),
    ("texts/faq-it.md", {"question": "bare bold", "columns": "1", "extra": "sideways"}, 1.0),
    ("texts/faq-de.md", {"question": "number)", "change": "highlight", "running": "side", "page": "A5"}, 1.0),
    ("texts/errata-it.md", {"head": "• Page 1 – X", "lead": "plain run in", "columns": "1"}, 0.9),
    ("texts/errata-es.md", {"head": "Page 1 : X", "lead": "coloured line", "change": "red", "boxes": "new"}, 1.0),
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


def words(value: Any) -> str:
    """Letters and digits of a value and of all that is in it."""
    if isinstance(value, (list, tuple)):
        return "".join(words(each) for each in value)
    return re.sub(r"[\W_]|icon", "", fold(str(value or "").replace("‐", "-")))


def essence(entry: dict[str, Any]) -> tuple[str, ...]:
    """What a reader must be told by an entry, whatever it looks like."""
    kind = entry["kind"]
    where = words(entry.get("section") or []), words(entry.get("subject"))
    if kind == "qa":
        return kind, *where, words(entry["question"]), words(entry["answer"])
    if kind == "erratum":
        told = "".join(sorted(words([c["operation"], c["instruction"]]) for c in entry["changes"]))
        return kind, words(entry["target"]), words(entry.get("pages")), told
    if kind == "definition":
        return kind, words(entry["term"]), words(entry["body"])
    if kind == "rule":
        return kind, words(entry["number"]), words(entry["title"]), words(entry["body"])
    return kind, words(entry["rows"])


def agreement(made: retypeset.Made, folder: Path) -> float:
    """Of all entries written or read, the share that was both."""
    path = folder / "set.pdf"
    path.write_bytes(made.pdf)
    read = [entry_fields(entry) for entry in flow.read(path).entries]
    written = sorted(essence(block) for block in made.blocks if block["kind"] in KINDS)
    found = sorted(essence(entry) for entry in read if entry["kind"] in KINDS)
    both = 0
    for each in written:
        if each in found:
            found.remove(each)
            both += 1
    return 2 * both / (len(written) + both + len(found)) if written else 1.0


@pytest.mark.parametrize(("text", "chosen", "floor"), SET_AGAIN, ids=lambda value: str(value)[-60:])
def test_what_is_set_again_is_read_again(text: str, chosen: dict[str, str], floor: float, tmp_path: Path) -> None:
    made = retypeset.typeset(retypeset.truth(HERE / text, most=28), style(chosen))
    assert agreement(made, tmp_path) >= floor


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
