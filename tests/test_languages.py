"""Whole documents in five languages, set and read: every entry, target, old and new text as a person reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from languages import CASES, load, misses, typeset

import pipeline


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*.md")))
def test_document(name: str, tmp_path: Path) -> None:
    case = load(name)
    document = pipeline.read(typeset(case, tmp_path / f"{name}.pdf"))
    assert not misses(case, document)
