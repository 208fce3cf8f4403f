"""Documents that were written without looking at the code are read as their authors meant them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import export, flow
from tests import browser, faces, invented, retypeset

pytest.importorskip("weasyprint")
SPREAD = 6  # of so many documents one is set in fewer fonts


MEAN = 0.985  # of all documents: one of them may be read worse where many real ones are read better
FONTS = 0.97  # of a sixth of them, in one family of fonts


def settable() -> list[invented.Invented]:
    """The documents that can be set here."""
    if faces.missing():
        pytest.skip(f"not all fonts are installed that the documents are set in: {', '.join(faces.missing())}")
    known = [invented.invented(path) for path in invented.documents()]
    return [each for each in known if each.by != "chromium" or browser.there()]


def test_they_are_read_as_they_were_written(tmp_path: Path) -> None:
    agreed: dict[str, float] = {}
    marked: list[str] = []
    for known in settable():
        folder = tmp_path / known.name
        folder.mkdir()
        agreed[known.name] = retypeset.agreement(invented.typeset(known, folder), folder)
        if known.marked:
            read = flow.read(folder / "set.pdf").entries
            if invented.changed(map(export.entry_fields, read)) != invented.changed(known.blocks):
                marked.append(known.name)
    worst = sorted(agreed.items(), key=lambda each: each[1])[:10]
    assert sum(agreed.values()) / len(agreed) >= MEAN, worst
    assert marked == []


@pytest.mark.parametrize(("first", "family"), list(enumerate(faces.FOLDERS)), ids=faces.FOLDERS)
def test_is_read_the_same_in_other_fonts(first: int, family: str) -> None:
    """Lines break elsewhere and columns end elsewhere; the fonts of a process cannot be changed, so another sets them."""
    if faces.missing() or not browser.there():
        pytest.skip("not all fonts are installed, or Chromium is not")
    spread = list(invented.documents())[first * SPREAD :: len(faces.FOLDERS) * SPREAD]
    command = [sys.executable, "-m", "tests.invented", *(path.stem for path in spread), "--faces", family]
    told = subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=True).stdout
    agreed = {name: float(agreement) for agreement, name in (line.split()[:2] for line in told.splitlines())}
    assert agreed.keys() == {path.stem for path in spread}
    assert sum(agreed.values()) / len(agreed) >= FONTS, sorted(agreed.items(), key=lambda each: each[1])[:5]


def test_a_document_tells_its_own_truth(tmp_path: Path) -> None:
    page = tmp_path / "small.html"
    page.write_text(
        '<html><h1 data-is="section">Sea</h1><div data-kind="qa"><i data-not>Q</i><p data-as="question">Who\n rows?</p>'
        '<p data-as="answer">I.</p><p data-as="answer">You.</p></div></html>'
    )
    assert invented.invented(page).blocks == [
        {"kind": "qa", "section": ["Sea"], "subject": None, "question": "Who rows?", "answer": ["I.", "You."]}
    ]


def test_the_index_tells_every_document() -> None:
    assert invented.INDEX.read_text(encoding="utf-8") == invented.index(), "python -m tests.invented --index"
    assert {path.stem.split("-")[0] for path in invented.documents()} == {*invented.BATCHES, "lanterns"}
