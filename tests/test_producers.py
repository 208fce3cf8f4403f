"""Known texts set by other programs, and changed by others on the way, are read as they were written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import producers, retypeset

HERE = Path(__file__).parent
SET_BY = [
    ("texts/faq-es.md", "reportlab", "encrypted", {"question": "bare bold", "columns": "2"}),
    ("texts/faq-de.md", "reportlab_ttf", "object_streams", {"question": "numbered bold", "align": "left"}),
    ("texts/errata-en.md", "reportlab", "upside_down", {"quotes": "“ ”", "columns": "1"}),
    ("texts/regole-it.md", "fpdf", "cropped", {"rule": "decimal", "columns": "2"}),
    ("texts/glossary-en.md", "fpdf", "linearized", {"term": "dash", "columns": "1"}),
    ("samples/truth/orrery-faq.gold.json", "chromium", "", {"columns": "3", "font": "DejaVu Sans Condensed"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "by", "then", "chosen"), SET_BY, ids=lambda value: str(value)[-40:])
def test_what_another_program_sets_is_read(text: str, by: str, then: str, chosen: dict[str, str], tmp_path: Path) -> None:
    if by == "chromium" and not shutil.which("chromium"):
        pytest.skip("Chromium is not here")
    known = retypeset.truth(HERE / text, most=24)
    made = producers.typeset(known, retypeset.Style(chosen=tuple(chosen.items())), by, then)
    assert retypeset.agreement(made, tmp_path) == 1.0


def test_a_scan_with_a_text_layer_is_read_and_told(tmp_path: Path) -> None:
    from pipeline import flow

    known = retypeset.truth(HERE / "texts" / "faq-it.md", most=12)
    made = producers.typeset(known, retypeset.Style(chosen=(("change", "none"),)), "reportlab", "scanned")
    (tmp_path / "scan.pdf").write_bytes(made.pdf)
    read = flow.read(tmp_path / "scan.pdf")
    assert {finding.code for finding in read.findings} == {"ocr-text"}
    assert [entry.kind for entry in read.entries].count("qa") == len(known.blocks)
