"""Documents that were written without looking at the code are read as their authors meant them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline import export, flow
from tests import faces, retypeset, unseen

pytest.importorskip("weasyprint")


@pytest.mark.parametrize("path", list(unseen.documents()), ids=lambda path: path.stem)
def test_is_read_as_it_was_written(path: Path, tmp_path: Path) -> None:
    known = unseen.unseen(path)
    if faces.missing():
        pytest.skip(f"not all fonts are installed that the documents are set in: {', '.join(faces.missing())}")
    if known.by == "chromium" and not shutil.which("chromium"):
        pytest.skip("Chromium is not installed")
    assert retypeset.agreement(unseen.typeset(known, tmp_path), tmp_path) >= known.floor
    if known.marked:
        read = flow.read(tmp_path / "set.pdf").entries
        assert unseen.changed(map(export.entry_fields, read)) == unseen.changed(known.blocks)


def test_a_document_tells_its_own_truth(tmp_path: Path) -> None:
    page = tmp_path / "small.html"
    page.write_text(
        '<html><h1 data-is="section">Sea</h1><div data-kind="qa"><i data-not>Q</i><p data-as="question">Who\n rows?</p>'
        '<p data-as="answer">I.</p><p data-as="answer">You.</p></div></html>'
    )
    assert unseen.unseen(page).blocks == [
        {"kind": "qa", "section": ["Sea"], "subject": None, "question": "Who rows?", "answer": ["I.", "You."]}
    ]
