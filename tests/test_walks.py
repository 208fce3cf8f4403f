"""Every command that the README, the manual and the help show runs, as somebody types it; what several show runs once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pipeline.impose import page_count
from tests.test_cli import commands

ROOT = Path(__file__).parent.parent
WHOLE = ("make", "make test")  # set everything up, build every book, run this: continuous integration does them
LOG = "subject,question,ruling\nOrrery,May it be turned twice?,No.\n"

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Walk:
    """A copy of the checkout whose set-up is done, with what a user has at home, and what was typed there."""

    place: Path
    typed: dict[str, str] = field(default_factory=dict)  # and what came on stdout

    def type(self, command: str) -> str:
        """What the README calls .venv/bin/rubricator is the same as rubricator after its activation."""
        command = command.replace(".venv/bin/rubricator", "rubricator")
        if command in self.typed:
            return self.typed[command]
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "PYTEST"))}
        clean |= {"HOME": str(self.place.parent), "PYTHONPATH": str(self.place), "PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"}
        done = subprocess.run(["sh", "-c", command], cwd=self.place, env=clean, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        self.typed[command] = done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Walk:
    if not (ROOT / ".venv/bin/rubricator").exists():
        pytest.skip("rubricator is not installed in .venv")
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
    return Walk(copy)


def shown(path: Path) -> Iterator[str]:
    """Every command of the blocks that are for a shell."""
    for block in re.findall(r"^```sh\n(.*?)^```", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if (command := re.sub(r"\s+# .*", "", line).strip()) and command not in WHOLE:
                yield command


def test_every_command_of_the_readme_runs(walk: Walk) -> None:
    ran = list(shown(ROOT / "README.md"))
    for command in ran:
        walk.type(command)
    made = {path.name for path in (walk.place / "output").rglob("*.*")}
    assert {"changes-argance-faq-1.2.pdf", "changes-argance-faq-1.2.html", "sheet.pdf", "web.html"} <= made
    assert len(ran) >= 6


def test_the_tutorial_runs(walk: Walk) -> None:
    for command in shown(ROOT / "docs/tutorial.md"):
        walk.type(command)
    for made in ("tutorial/argance-faq-1.2/booklet-print.pdf", "tides-of-argance/changes", "tides-of-argance/winter-cup/web.html"):
        assert (walk.place / "output" / made).exists(), made


@pytest.mark.parametrize("path", sorted((ROOT / "docs/how-to").glob("*.md")), ids=lambda path: path.stem)
def test_every_how_to_runs(walk: Walk, path: Path) -> None:
    for command in shown(path):
        walk.type(command)


@pytest.mark.parametrize("name", sorted(commands().keys() - {"desk"}))  # it answers until Ctrl-C: tests/test_desk.py
def test_every_example_of_help_runs(walk: Walk, name: str) -> None:
    walk.type(example(name))


def example(name: str) -> str:
    return (commands()[name].epilog or "").removeprefix("example: ")


def test_every_handout_of_the_sample_keeps_its_budget(walk: Walk) -> None:
    assert example("handout") == "rubricator handout sources/brumes-d-argance/event.toml --report"
    said = walk.type(example("handout"))
    [table] = [line for line in said.splitlines() if "table.pdf" in line]
    out = (walk.place / table.partition(":")[0]).parent
    pages = {path.stem: page_count(path.read_bytes()) for path in out.glob("*.pdf")}
    assert pages["table"] == 2
    assert pages["zine"] == 8 and pages["zine-print"] == 1
    assert pages["pocket-judges"] <= 16 and pages["pocket-judges-print"] * 4 >= pages["pocket-judges"]
    assert pages["cards-changed"] > 2
    left_out = int(table.split(";")[1].split()[0])
    after = said[said.index("table.pdf") : said.index("pocket-judges.pdf")]
    assert after.count("left out: ") == left_out > 0
