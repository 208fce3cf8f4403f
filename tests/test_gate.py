"""The gate: the figures of the shared corpus have floors in floors.toml. A floor may rise; it never falls."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = Path(__file__).parent / "floors.toml"
floors: dict[str, dict[str, float]] = tomllib.loads(FLOORS.read_text("utf-8"))
READINGS = [name for name in floors if "/" in name]


@pytest.fixture(scope="module")
def accept_py(shared: Path) -> Any:
    """The shared script as a module: the same figures as on its screen."""
    spec = importlib.util.spec_from_file_location("accept_script", shared / "accept.py")
    assert spec
    assert spec.loader
    made = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(shared / "corpus"))
    try:
        spec.loader.exec_module(made)
    except SystemExit as error:  # it needs rapidfuzz
        pytest.skip(str(error))
    finally:
        sys.path.remove(str(shared / "corpus"))
    return made


@pytest.fixture(scope="module")
def rubricator() -> str:
    command = Path(sys.executable).parent / "rubricator"
    if not command.exists():
        pytest.skip("the command is not installed")
    return str(command)


def hold(name: str, figures: dict[str, Any]) -> None:
    """No figure is under its floor, and none has vanished."""
    assert "failed" not in figures, figures["failed"]
    fallen = {
        key: (figures.get(key, 0.0), floor)
        for key, floor in floors[name].items()
        if figures.get(key, 0.0) < floor - 1e-9
    }
    assert not fallen, f"{name}: (figure, floor) {fallen}"


@pytest.mark.shared
@pytest.mark.parametrize("name", READINGS)
def test_reading(name: str, accept_py: Any, rubricator: str, tmp_path: Path) -> None:
    hold(name, accept_py.reading(rubricator, name, str(tmp_path)))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "pdf", "pairs"),
    [("duplicates underworlds", "underworlds-fr-2019-06.pdf", "underworlds-fr.duplicates.json"),
     ("duplicates lookalikes", "lookalikes-fr.pdf", "lookalikes-fr.duplicates.json")],
)  # fmt: skip
def test_duplicates(name: str, pdf: str, pairs: str, accept_py: Any, rubricator: str) -> None:
    hold(name, accept_py.duplicates(rubricator, pdf, pairs))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "old", "new", "truth"),
    [("diff underworlds", "corpus/underworlds-fr-old.pdf", "corpus/underworlds-fr-new.pdf", "corpus/underworlds-fr.diff.json"),
     ("diff world eaters", "real/faction_pack_world_eaters_2026-06-10.pdf", "real/faction_pack_world_eaters_2026-07-22.pdf",
      "real/faction_pack_world_eaters.diff.json")],
)  # fmt: skip
def test_differences(
    name: str, old: str, new: str, truth: str, accept_py: Any, rubricator: str, tmp_path: Path
) -> None:
    hold(name, accept_py.diffs(rubricator, old, new, truth, str(tmp_path)))


@pytest.mark.shared
@pytest.mark.parametrize(
    "name", ["real/kt_core_reference_sheet_fan.pdf", "real/nut_faq_2.8.2.pdf", "real/nut_faq_2.8.3.pdf"]
)
def test_a_decorated_document_marks_nothing_as_changed(name: str, shared: Path) -> None:
    from pipeline import guard

    assert not [entry for entry in guard.read(shared / name).entries if entry.changed]


def test_floors_never_fall() -> None:
    """Every floor is at least what it was in any earlier commit."""
    log = subprocess.run(
        ["git", "log", "--format=%H", "--", "tests/floors.toml"], cwd=ROOT, capture_output=True, text=True
    )
    if log.returncode:
        pytest.skip("not a git checkout")
    for commit in log.stdout.split():
        shown = subprocess.run(["git", "show", f"{commit}:tests/floors.toml"], cwd=ROOT, capture_output=True, text=True)
        for name, earlier in tomllib.loads(shown.stdout).items():
            for key, floor in earlier.items():
                assert floors.get(name, {}).get(key, 0.0) >= floor, f"{name} {key} was {floor} in {commit[:9]}"
