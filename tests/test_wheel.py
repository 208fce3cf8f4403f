"""The wheel holds all that printing needs: built, installed beside nothing of ours, and used outside the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    run([*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)], folder)
    [made] = folder.glob("rubricator-*.whl")
    return made


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with the wheel in it and the packages of this one beside it, but not our checkout."""
    home = tmp_path_factory.mktemp("elsewhere") / "venv"
    run([sys.executable, "-m", "venv", "--without-pip", str(home)], ROOT.parent)
    [site] = home.glob("lib/python*/site-packages")
    # A line of a .pth file is a folder to import from; .pth files inside that folder (our checkout) are not followed.
    (site / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(home)]
    run([*pip, "install", "--quiet", "--no-deps", "--no-index", "--force-reinstall", str(wheel)], ROOT.parent)
    return home / "bin/python"


def run(command: list[str], folder: Path) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    outcome = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout


def test_the_wheel_holds_every_word_and_template_and_no_test(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"pipeline/{path.relative_to(ROOT)}" for path in files("templates")}
    wanted |= {str(path.relative_to(ROOT)) for path in files("pipeline")}
    assert wanted <= held, sorted(wanted - held)
    assert not [name for name in held - wanted if not name.startswith("rubricator-")]


def files(folder: str) -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: which files are ours is not known")
    tracked = run(["git", "ls-files", folder], ROOT).splitlines()
    return [ROOT / name for name in tracked if (ROOT / name).exists()]


def test_the_installed_command_prints_a_book_outside_the_checkout(python: Path, tmp_path: Path) -> None:
    command = str(python.parent / "rubricator")
    assert "site-packages" in run([str(python), "-c", "import pipeline; print(pipeline.__file__)"], tmp_path)
    assert "ok      Pango" in run([command, "doctor"], tmp_path)
    run([command, "new-book", "My game"], tmp_path)
    source = tmp_path / "sources/my-game/faq.pdf"
    source.write_bytes((ROOT / "sources/brass-orrery/orrery-faq.pdf").read_bytes())
    run([command, "render", "my-game", "--product", "sheet", "--product", "web"], tmp_path)
    assert (tmp_path / "output/my-game/sheet.pdf").read_bytes().startswith(b"%PDF-")
    assert "<!doctype html>" in (tmp_path / "output/my-game/web.html").read_text(encoding="utf-8").lower()
