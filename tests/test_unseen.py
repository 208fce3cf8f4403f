"""Documents that were written without looking at the code are read as their authors meant them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import export, flow
from tests import faces, retypeset, unseen

pytest.importorskip("weasyprint")
SPREAD = 6  # of so many documents one is set in fewer fonts


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


@pytest.mark.parametrize(("first", "family"), list(enumerate(faces.FOLDERS)), ids=faces.FOLDERS)
def test_is_read_the_same_in_other_fonts(first: int, family: str) -> None:
    """Lines break elsewhere and columns end elsewhere; the fonts of a process cannot be changed, so another sets them."""
    if faces.missing() or not shutil.which("chromium"):
        pytest.skip("not all fonts are installed, or Chromium is not")
    spread = list(unseen.documents())[first * SPREAD :: len(faces.FOLDERS) * SPREAD]
    command = [sys.executable, "-m", "tests.unseen", *(path.stem for path in spread), "--faces", family]
    told = subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=True).stdout
    agreed = {name: float(agreement) for agreement, name in (line.split()[:2] for line in told.splitlines())}
    floors = {path.stem: unseen.unseen(path).floor for path in spread}
    assert agreed.keys() == floors.keys()
    assert [name for name, floor in floors.items() if agreed[name] < floor] == []


def test_a_document_tells_its_own_truth(tmp_path: Path) -> None:
    page = tmp_path / "small.html"
    page.write_text(
        '<html><h1 data-is="section">Sea</h1><div data-kind="qa"><i data-not>Q</i><p data-as="question">Who\n rows?</p>'
        '<p data-as="answer">I.</p><p data-as="answer">You.</p></div></html>'
    )
    assert unseen.unseen(page).blocks == [
        {"kind": "qa", "section": ["Sea"], "subject": None, "question": "Who rows?", "answer": ["I.", "You."]}
    ]
