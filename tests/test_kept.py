"""kept: a test document is set once, and again when it is another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests import invented

pytest.importorskip("weasyprint")


def test_a_document_is_set_once_and_again_when_it_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUBRICATOR_SET", str(tmp_path / "kept"))
    page = invented.Invented(name="small", page="<p>Who rows?</p>", by="weasyprint", marked=False, blocks=[])
    first = invented.typeset(page, tmp_path).pdf
    with monkeypatch.context() as nobody:
        nobody.setattr(invented, "_by_weasyprint", lambda *given: pytest.fail("was set again"))
        assert invented.typeset(page, tmp_path).pdf == first
    assert invented.typeset(replace(page, page="<p>Who sails?</p>"), tmp_path).pdf != first
    assert len(list((tmp_path / "kept").iterdir())) == 2
