"""The wheel holds all that printing needs: built, installed beside nothing of ours, and used outside the checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "sources/brass-orrery/orrery-faq.pdf"
CHECKED_OUT = ROOT / ".venv/bin/rubricator"  # an editable install

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


def run(command: list[str], folder: Path, **more: str) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | more
    outcome = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout


def test_the_wheel_holds_every_word_and_template_and_no_test(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"rubricator/{path.relative_to(ROOT)}" for path in files("templates")}
    wanted |= {f"rubricator/{path.relative_to(ROOT / 'pipeline')}" for path in files("pipeline")}
    assert wanted <= held, sorted(wanted - held)
    assert not [name for name in held - wanted if not name.startswith("rubricator-")]


def test_on_an_index_every_link_and_picture_leads_home(tmp_path: Path) -> None:
    """The hook alone: a second wheel would take half a minute."""
    script = "import sys; sys.path.insert(0, '.'); import json, hatch_build; held = {}; hatch_build.CustomMetadataHook('.', {}).update(held); print(json.dumps(held))"
    at_home = json.loads(run([sys.executable, "-c", script], ROOT, RUBRICATOR_URL="https://example.org/ours/"))
    links = re.findall(r"\]\(([^)]+)\)", at_home["readme"]["text"])
    assert len(links) > 10 and all(link.startswith("https://") for link in links)
    assert "https://example.org/ours/raw/HEAD/docs/pages.png" in links
    assert at_home["urls"]["Changelog"] == "https://example.org/ours/blob/HEAD/CHANGELOG.md"
    nowhere = json.loads(run([sys.executable, "-c", script], ROOT))
    assert "urls" not in nowhere and nowhere["readme"]["text"] == (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_wheel_tells_about_itself(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        [name] = [name for name in held.namelist() if name.endswith("dist-info/METADATA")]
        told = held.read(name).decode()
    assert "Description-Content-Type: text/markdown" in told and "# Rubricator" in told
    assert told.count("Classifier: ") > 10 and "Keywords: " in told


def test_no_module_of_the_wheel_calls_another_pipeline(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        modules = {name: held.read(name).decode() for name in held.namelist() if name.endswith(".py")}
    named = [name for name, source in modules.items() if re.search(r"(import|from) pipeline\b|\bpipeline[./\"]", source)]
    assert len(modules) > 100 and not named


def files(folder: str) -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: which files are ours is not known")
    tracked = run(["git", "ls-files", folder], ROOT).splitlines()
    return [ROOT / name for name in tracked if (ROOT / name).exists()]


def test_the_installed_command_prints_a_book_outside_the_checkout(python: Path, tmp_path: Path) -> None:
    command = str(python.parent / "rubricator")
    assert "site-packages" in run([str(python), "-c", "import rubricator; print(rubricator.__file__)"], tmp_path)
    assert "ok      Pango" in run([command, "doctor"], tmp_path)
    run([command, "new-book", "My game"], tmp_path)
    source = tmp_path / "sources/my-game/faq.pdf"
    source.write_bytes((ROOT / "sources/brass-orrery/orrery-faq.pdf").read_bytes())
    run([command, "render", "my-game", "--product", "sheet", "--product", "web"], tmp_path)
    assert (tmp_path / "output/my-game/sheet.pdf").read_bytes().startswith(b"%PDF-")
    assert "<!doctype html>" in (tmp_path / "output/my-game/web.html").read_text(encoding="utf-8").lower()


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A folder with a package of another that is called pipeline."""
    (tmp_path / "pipeline").mkdir()
    (tmp_path / "pipeline/__init__.py").write_text("OURS = False\n")
    return tmp_path


def test_a_package_called_pipeline_is_no_trouble(python: Path, stranger: Path) -> None:
    use = (
        "import pipeline, rubricator; assert not pipeline.OURS\n"
        f"document = rubricator.read({str(SOURCE)!r}); book = rubricator.merge([document])\n"
        "print(len(book.rulings), rubricator.render(book, 'web', 'web.html'))\n"
    )
    assert int(run([str(python), "-c", use], stranger).split()[0]) > 5
    for command in ([str(python), "-m", "rubricator"], [str(python.parent / "rubricator")], [str(CHECKED_OUT)]):
        if Path(command[0]).exists():
            made = run([*command, "export", str(SOURCE), "--quiet"], stranger, PYTHONPATH=str(stranger))
            assert made.startswith('{"kind": "document"'), command


SCRIPT = """
import rubricator
from rubricator import Book, Changes, Document, RubricatorError

def newest(path: str) -> Book:
    document: Document = rubricator.read(path)
    changes: Changes = rubricator.compare(document, document)
    assert len(changes.changes) == 0
    return rubricator.merge([document])

reveal_type(newest("a.pdf").rulings[0].entry.page)
reveal_type(rubricator.render(newest("a.pdf"), "booklet", "a.pdf"))
rubricator.merge(3)
"""


def test_a_script_that_uses_the_package_is_checked_by_its_types(python: Path, tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python), "--cache-dir", "cache"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MYPY"))}
    said = subprocess.run([*command, "use.py"], cwd=tmp_path, env=clean, capture_output=True, text=True).stdout
    told = [line for line in said.splitlines() if line.startswith("use.py")]
    assert [re.sub(r"use.py:\d+: (\w+): ", r"\1: ", line) for line in told if "note" in line] == [
        'note: Revealed type is "int"', 'note: Revealed type is "pathlib.Path"',
    ], said  # fmt: skip
    assert ["arg-type" in line for line in told if "error" in line] == [True], said
