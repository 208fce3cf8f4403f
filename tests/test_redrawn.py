"""The same page is read the same, whichever program wrote it."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests import invented, redrawn, retypeset

pytest.importorskip("weasyprint")
pytest.importorskip("pikepdf")

DOCUMENTS = ("wg-eisenmark", "cb-siege-de-nacrebourg-lexique", "fd-dossier-nuits-de-verrefort")
AGAIN = [name for name in redrawn.PASSES if name not in ("clipped", "ghostscript")]
ALL = [(name, again) for name in DOCUMENTS for again in AGAIN]
ALL += [("fd-modifications-pentalion", "turned"), ("wg-dossier-de-tournoi", "bold_outlined")]  # tables with and without rules


@cache
def typeset(name: str) -> retypeset.Made:
    with tempfile.TemporaryDirectory() as folder:
        return invented.typeset(invented.invented(invented.FOLDER / f"{name}.html"), Path(folder))


@pytest.mark.parametrize(("name", "again"), ALL)
def test_what_is_drawn_in_another_way_is_read_the_same(name: str, again: str, tmp_path: Path) -> None:
    made = typeset(name)
    assert retypeset.agreement(replace(made, pdf=redrawn.PASSES[again](made.pdf)), tmp_path) == 1.0
