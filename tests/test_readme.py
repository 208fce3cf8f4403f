"""The README is true: every command in it runs, every key and exit code is in it, every file that it names is there."""

from __future__ import annotations

import dataclasses
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline import config, errors, event
from tests.test_cli import commands

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
WHOLE = ("make", "make test")  # set everything up, build every book, run this: continuous integration does them
LOG = "subject,question,ruling\nOrrery,May it be turned twice?,No.\n"


def section(title: str) -> str:
    """What stands under a heading."""
    [found] = re.findall(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", README, flags=re.MULTILINE | re.DOTALL)
    return str(found)


def shown() -> Iterator[str]:
    """Every command of the blocks that are for a shell."""
    for block in re.findall(r"^```sh\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if command := re.sub(r"\s+# .*", "", line).strip():
                yield command


# ---------------------------------------------------------------- commands


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout whose set-up is done, with what a user has at home."""
    home = tmp_path_factory.mktemp("home")
    copy = home / "rubricator"
    copy.mkdir()
    for name in ("Makefile", "pyproject.toml", "requirements.lock", ".ci", "pipeline", "templates", "sources"):
        place = ROOT / name
        if place.is_dir():
            shutil.copytree(place, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(place, copy / name)
    (copy / ".venv").mkdir()
    (copy / ".venv/bin").symlink_to(ROOT / ".venv/bin")
    (copy / ".venv/.ready").touch()
    (copy / "log.csv").write_text(LOG)
    (home / "Downloads").mkdir()
    shutil.copy(ROOT / "sources/brass-orrery/orrery-faq.pdf", home / "Downloads/their faq.pdf")
    return copy


@pytest.mark.slow
def test_every_command_runs(checkout: Path) -> None:
    if not (ROOT / ".venv/bin/rubricator").exists():
        pytest.skip("rubricator is not installed in .venv")
    ran = [command for command in shown() if command not in WHOLE]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "PYTEST"))}
    clean |= {"HOME": str(checkout.parent), "PYTHONPATH": str(checkout)}
    for command in ran:
        outcome = subprocess.run(
            ["sh", "-c", command], cwd=checkout, env=clean, capture_output=True, text=True, check=False
        )
        assert outcome.returncode == 0, f"{command}\n{outcome.stderr}"
    made = {path.name for path in (checkout / "output").rglob("*.*")}
    assert {"changes-argance-faq-1.2.pdf", "changes-argance-faq-1.2.html", "sheet.pdf", "web.html"} <= made
    assert len(ran) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(commands().keys() - {"desk"}))  # it answers until Ctrl-C: tests/test_desk.py
def test_every_example_of_help_runs(checkout: Path, name: str) -> None:
    example = (commands()[name].epilog or "").removeprefix("example: ")
    command = example.replace("rubricator", ".venv/bin/rubricator", 1)
    if name == "new-book":
        shutil.rmtree(checkout / "sources/mon-jeu", ignore_errors=True)
    clean = {**os.environ, "HOME": str(checkout.parent), "PYTHONPATH": str(checkout)}
    outcome = subprocess.run(["sh", "-c", command], cwd=checkout, env=clean, capture_output=True, text=True, timeout=300, check=False)
    assert outcome.returncode == 0, outcome.stderr


def test_every_command_is_explained() -> None:
    table = section("Commands")
    for name in commands():  # their options are in the reference of the manual: tests/test_manual.py
        assert re.search(rf"`{name}\b", table), name


def test_it_is_short_and_the_manual_has_the_rest() -> None:
    assert len(README.splitlines()) < 230
    for page in (ROOT / "docs/how-to").glob("*.md"):
        assert f"(docs/how-to/{page.name})" in README, page.name


def test_every_target_of_make_is_named() -> None:
    targets = re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(targets) > 8
    for target in set(targets) - {"books"}:
        assert f"make {target}" in README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), target


def test_every_exit_code_is_explained() -> None:
    said = section("Commands").partition("Exit codes:")[2].partition("\n\n")[0]
    codes = {0, 1, *errors.BY_EXIT_CODE, errors.DIFFERENCES_FOUND, errors.FINDINGS_FOUND, errors.INTERRUPTED,
             errors.TERMINATED, errors.HUNG_UP}  # fmt: skip
    assert {int(code) for code in re.findall(r"(?:^|·)\s*(\d+)\s", said)} == codes


# ---------------------------------------------------------------- keys

RECORDS = [
    ("book.toml", config.BookSettings),
    ("book.toml", config.DocumentSettings),
    ("overrides.toml", config.Overrides),
    ("overrides.toml", config.Merge),
    ("overrides.toml", config.Correction),
    ("overrides.toml", config.Hide),
    ("overrides.toml", config.Match),
    ("overrides.toml", config.Split),
    ("overrides.toml", config.JoinUp),
    ("overrides.toml", config.HeadingSaid),
    ("overrides.toml", config.FurnitureSaid),
    ("overrides.toml", config.Order),
    ("overrides.toml", config.TableSaid),
    ("overrides.toml", config.Convention),
    ("event.toml", event.Event),
    ("event.toml", event.Choice),
    ("event.toml", event.ExtraBlock),
    ("event.toml", event.HandoutSettings),
    ("event.toml", event.Layer),
    ("event.toml", event.LayerRuling),
]


@pytest.mark.parametrize(("file", "record"), RECORDS, ids=[record.__name__ for _, record in RECORDS])
def test_every_key_is_explained(file: str, record: type) -> None:
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", section(file)))))
    keys = {field.name for field in dataclasses.fields(record) if field.metadata.get("key", True)}
    assert keys <= words, sorted(keys - words)


# ---------------------------------------------------------------- what it names


def test_every_file_of_the_listing_is_there() -> None:
    folder, found = ROOT, 0
    for line in section("The house").splitlines():
        if match := re.match(r"( *)([\w.]+/?)(?:  ([\w.]+/))? ", line):
            depth, name, second = len(match[1]), match[2], match[3]
            folder = ROOT / "pipeline" if depth else ROOT
            assert (folder / name).exists(), name
            assert not second or (folder / second).exists(), second
            found += 1
    assert found > 12


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_link_leads_somewhere(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_every_promise_of_security_has_its_test() -> None:
    said = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:tests|pipeline|\.ci)/[\w./]+)`", said))
    assert len(named) > 10
    assert not [name for name in named if not (ROOT / name).exists()]
    promises = [line for line in said.partition("## By which locks")[0].splitlines() if line.startswith("| ") and "---" not in line][1:]
    assert len(promises) >= 10 and all("`tests/" in line for line in promises)
