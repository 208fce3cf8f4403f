"""doctor: every part is named, and what is missing is said with what to do."""

from __future__ import annotations

import importlib.metadata
import json
import sys

import pytest

from pipeline import doctor
from pipeline.cli import main


@pytest.fixture
def pango() -> None:
    if not any(part.well for part in doctor.examine() if part.name == "Pango"):
        pytest.skip("Pango is not installed")


def test_all_is_well_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    for part in ("Python", "weasyprint", "pypdfium2", "Pango", "font_source_serif_pro"):
        assert f"ok      {part}: " in said
    assert "MISSING" not in said


def test_quiet_says_nothing_when_all_is_well(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(doctor, "_guard", lambda: doctor.Part(name="Guard", well=True, says="locked in"))
    assert main(["doctor", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_package_that_is_not_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: ["nothing-of-this-name>=1.0", "pytest>=1; extra == 'dev'"])
    assert main(["doctor"]) == 6
    said = capsys.readouterr().out
    assert "MISSING nothing-of-this-name: not installed" in said and "pytest" not in said


def test_a_package_that_is_too_old(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.0.1")
    assert main(["doctor"]) == 6
    assert "or newer is needed" in capsys.readouterr().out


def test_pango_that_is_not_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint.text.ffi", None)
    assert main(["doctor"]) == 6
    assert "libpango-1.0-0" in capsys.readouterr().out


@pytest.mark.usefixtures("pango")
def test_without_what_cuts_fonts_bytes_differ(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from weasyprint.text import ffi

    monkeypatch.setattr(ffi, "harfbuzz_subset", None)
    assert main(["doctor"]) == 6
    assert "MISSING HarfBuzz-Subset: what is printed here has other bytes" in capsys.readouterr().out


def test_an_old_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "OLDEST_PYTHON", (99, 0))
    assert not doctor.examine()[0].well


def test_a_browser_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    assert main(["doctor"]) == 0


@pytest.mark.usefixtures("pango")
def test_it_is_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    parts = {part["name"]: part for part in json.loads(capsys.readouterr().out)}
    assert parts["Pango"]["well"] and parts["Chromium"]["needed"] is False
