"""What make promises: only what changed is built, again and again, whatever folders are called.

A stand-in for the command writes down what it was asked for, so that these tests take moments.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

STAND_IN = """#!/bin/sh
echo "$*" >>asked
[ "$1" = build ] || exit 0
[ ! -e "$2/broken" ] || { echo "rubricator: broken" >&2; exit 3; }
mkdir -p "output/${2#sources/}"
echo made >"output/${2#sources/}/booklet.pdf"
echo "output/${2#sources/}/booklet.pdf"
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A checkout with two books whose set-up is done and whose command is the stand-in."""
    home = tmp_path / "my house"
    home.mkdir()
    for name in ("Makefile", ".ci", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        place = home / name
        shutil.copytree(ROOT / name, place) if (ROOT / name).is_dir() else shutil.copy(ROOT / name, place)
    for path in ("pipeline/flow.py", "templates/booklet.html.j2", "sources/a/a.pdf", "sources/b/b.pdf"):
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text("1")
    command = home / ".venv/bin/rubricator"
    command.parent.mkdir(parents=True)
    command.write_text(STAND_IN)
    command.chmod(0o755)
    (home / ".venv/.ready").touch()
    return home


def make(house: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", *arguments], cwd=house, env=clean, capture_output=True, text=True, check=False
    )


def built(house: Path, *arguments: str) -> list[str]:
    """The books that this make builds."""
    (house / "asked").write_text("")
    outcome = make(house, *arguments)
    assert outcome.returncode == 0, outcome.stderr
    return sorted(line.removeprefix("build sources/") for line in (house / "asked").read_text().splitlines())


def change(path: Path) -> None:
    time.sleep(0.02)  # the clock of the file system ticks every few milliseconds
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write("2")


def test_the_first_make_builds_every_book_and_says_where(house: Path) -> None:
    outcome = make(house)
    assert outcome.returncode == 0, outcome.stderr
    assert outcome.stdout.split() == ["output/a/", "booklet.pdf", "output/b/", "booklet.pdf"]


def test_the_second_make_starts_nothing(house: Path) -> None:
    assert built(house) == ["a", "b"]
    assert built(house) == []


def test_a_pdf_that_lies_in_sources_is_a_book_and_what_was_made_there_is_none(house: Path) -> None:
    (house / "sources/my faq.pdf").write_text("1")
    (house / "sources/output/a").mkdir(parents=True)
    (house / "sources/output/a/booklet.pdf").write_text("1")
    assert built(house) == ["a", "b", "my faq.pdf"]
    assert built(house) == []
    change(house / "sources/my faq.pdf")
    assert built(house) == ["my faq.pdf"]


def test_one_touched_source_builds_one_book(house: Path) -> None:
    built(house)
    change(house / "sources/b/b.pdf")
    assert built(house) == ["b"]
    assert built(house) == []


def test_a_source_replaced_by_an_older_file_counts_as_changed(house: Path) -> None:
    built(house)
    change(house / "sources/a/a.pdf")
    os.utime(house / "sources/a/a.pdf", (0, 0))
    assert built(house) == ["a"]


@pytest.mark.parametrize("path", ["sources/a/book.toml", "sources/a/layers/own.toml", "sources/a/new.pdf"])
def test_whatever_is_new_in_a_folder_builds_its_book(house: Path, path: str) -> None:
    built(house)
    change(house / path)
    assert built(house) == ["a"]


def test_a_source_taken_away_builds_its_book(house: Path) -> None:
    change(house / "sources/a/second.pdf")
    built(house)
    (house / "sources/a/second.pdf").unlink()
    assert built(house) == ["a"]


def test_templates_and_code_concern_every_book(house: Path) -> None:
    for path in ("templates/booklet.html.j2", "pipeline/flow.py", "templates/css/new.css"):
        built(house)
        change(house / path)
        assert built(house) == ["a", "b"], path


def test_what_python_compiles_concerns_no_book(house: Path) -> None:
    built(house)
    change(house / "pipeline/__pycache__/flow.pyc")
    assert built(house) == []


def test_an_output_taken_away_is_made_again(house: Path) -> None:
    built(house)
    (house / "output/a/booklet.pdf").unlink()
    assert built(house) == ["a"]


@pytest.mark.parametrize("name", ["My own game", "Spiel: Teil 2", "50% (neu) #1", "l'été $HOME", "Ω", "code", "_code"])
def test_a_new_folder_needs_no_edit_whatever_it_is_called(house: Path, name: str) -> None:
    built(house)
    change(house / "sources" / name / "FAQ of May.pdf")
    assert built(house) == [name]
    assert built(house) == []
    assert (house / "output" / name / "booklet.pdf").is_file()


def test_two_books_are_built_side_by_side(house: Path) -> None:
    assert built(house, "-j2") == ["a", "b"]
    assert built(house, "-j2") == []


def test_a_book_that_fails_leaves_no_target_and_the_others_are_built(house: Path) -> None:
    change(house / "sources/a/broken")
    outcome = make(house)
    assert outcome.returncode == 2 and "rubricator: broken" in outcome.stderr
    last = outcome.stderr.splitlines()[-1]
    assert "not built: sources/a – mend what is said above" in last and "Error 3" not in outcome.stderr
    assert "output/b/" in outcome.stdout
    assert (house / "output/b/booklet.pdf").is_file()
    assert {path.name[0] for path in (house / "output/.stamps").glob("*.built")} == {"b"}
    (house / "sources/a/broken").unlink()
    assert built(house) == ["a"]


def test_without_books_it_says_what_to_do(house: Path) -> None:
    shutil.rmtree(house / "sources")
    outcome = make(house)
    assert outcome.returncode == 2 and "new-book" in outcome.stderr


def test_clean_takes_away_all_that_was_made_and_nothing_else(house: Path) -> None:
    built(house)
    (house / "output/.gitkeep").touch()
    make(house, "clean")
    assert [path.name for path in (house / "output").iterdir()] == [".gitkeep"]
    assert built(house) == ["a", "b"]


def test_diff_and_handout_take_names_with_spaces(house: Path) -> None:
    make(house, "diff", "OLD=FAQ of May.pdf", "NEW=new/FAQ (l'été) of June.pdf")
    make(house, "handout", "EVENT=sources/My game/event.toml")
    asked = (house / "asked").read_text()
    assert "diff FAQ of May.pdf new/FAQ (l'été) of June.pdf" in asked
    assert "-o output/changes-FAQ (l'été) of June.pdf" in asked
    assert "handout sources/My game/event.toml" in asked


@pytest.mark.parametrize("target", ["diff", "handout"])
def test_a_target_without_its_argument_says_how(house: Path, target: str) -> None:
    outcome = make(house, target)
    assert outcome.returncode == 2 and f"usage: make {target}" in outcome.stderr


def test_help_lists_every_target_and_builds_nothing(house: Path) -> None:
    said = make(house, "help").stdout
    for target in ("books", "test", "diff", "handout", "check", "bench", "fuzz", "clean", "help", "setup", "lock"):
        assert f"make {target} " in said
    assert not (house / "output").exists()


def test_a_python_that_is_too_old_is_said(house: Path, old_python: str) -> None:
    shutil.rmtree(house / ".venv")
    clean = {"PATH": old_python, "HOME": str(house)}
    outcome = subprocess.run(["sh", ".ci/setup", "run"], cwd=house, env=clean, capture_output=True, text=True, check=False)
    assert outcome.returncode == 6
    assert "Python 3.11 or newer is needed" in outcome.stderr and len(outcome.stderr.splitlines()) == 1


@pytest.fixture
def old_python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A PATH with nothing but the shell's tools and a python3 that says no."""
    folder = tmp_path_factory.mktemp("bin")
    for tool in ("sh", "dirname", "rm", "id", "cat"):
        (folder / tool).symlink_to(shutil.which(tool) or f"/bin/{tool}")
    (folder / "python3").write_text("#!/bin/sh\nexit 1\n")
    (folder / "python3").chmod(0o755)
    return str(folder)


PYTHON = """#!/bin/sh
case "$*" in *weasyprint*) [ -e has-pango ] ;; esac
"""
APT = """#!/bin/sh
echo "$*" >>apt
case "$*" in *install*libpango*) touch has-pango ;; esac
"""


@pytest.mark.parametrize("user", ["1000", "0"])
def test_pango_is_installed_by_root_and_named_to_others_who_go_on_without(
    house: Path, tmp_path_factory: pytest.TempPathFactory, user: str
) -> None:
    folder = tmp_path_factory.mktemp("bin")
    for name, script in (("id", f"#!/bin/sh\necho {user}\n"), ("apt-get", APT)):
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)
    (house / ".venv/bin/python").write_text(PYTHON)
    (house / ".venv/bin/python").chmod(0o755)
    clean = {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(house)}
    outcome = subprocess.run(["sh", ".ci/setup", "run"], cwd=house, env=clean, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    assert ("sudo apt-get install libpango-1.0-0" in outcome.stderr) == (user != "0")
    assert (house / "apt").exists() == (user == "0")


# ---------------------------------------------------------------- lock files


def test_the_locks_hold_all_that_pyproject_asks_for(tmp_path: Path) -> None:
    """A package that brings another one must not be met for the first time on somebody else's machine."""
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for extra, module in (("bench", "pdf_oxide"), ("docs", "mkdocs")):
        if not importlib.util.find_spec(module):
            wanted = (tmp_path / "pyproject.toml").read_text(encoding="utf-8")
            wanted = re.sub(rf"^{extra} = \[.*\]$", f"{extra} = []", wanted, flags=re.MULTILINE)
            (tmp_path / "pyproject.toml").write_text(wanted, encoding="utf-8")
    subprocess.run([sys.executable, ".ci/lock.py", "--without-hashes"], cwd=tmp_path, check=True)
    for name in ("requirements.lock", "requirements-dev.lock"):
        made, held = packages(tmp_path / name), packages(ROOT / name)
        assert made <= held, f"run make lock: {sorted(made - held)}"


def packages(lock: Path) -> set[str]:
    return {line.split("==")[0] for line in lock.read_text(encoding="utf-8").splitlines() if "==" in line}


def test_every_module_that_we_import_is_asked_for() -> None:
    """Each is brought by a package that is locked; nothing is there by chance."""
    locked = packages(ROOT / "requirements.lock")
    brought = {
        module
        for module, names in importlib.metadata.packages_distributions().items()
        for name in names
        if re.sub(r"[-_.]+", "-", name).lower() in locked
    }
    for path in sorted((ROOT / "pipeline").rglob("*.py")):
        if path.name == "cluster.py":
            continue  # Dask is an extra, and the module says so when it is missing
        imported = re.findall(r"^\s*(?:import|from) (\w+)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        strangers = set(imported) - brought - set(sys.stdlib_module_names) - {"pipeline"}
        strangers = {name for name in strangers if importlib.util.find_spec(name)}  # a line of prose is no import
        assert not strangers, f"{path}: {strangers}"
