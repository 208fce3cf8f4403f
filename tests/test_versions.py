"""Floors that exclude known holes, and words that have no business in this code."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FLOORS = {
    "pdfminer.six": "20260107",  # CMap pickles: code from a PDF
    "pdfplumber": "0.11.10",
    "pypdfium2": "5.14",
    "pikepdf": "10.17",
    "weasyprint": "70.0",  # stylesheets and metadata that went round the fetcher; EPS
    "jinja2": "3.1.6",  # sandbox escapes
    "pillow": "12.3",  # heap writes
    "fonttools": "4.61",  # files written from a designspace
}


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+")[0]))


@pytest.mark.parametrize("package", FLOORS)
def test_installed_version_is_not_below_its_floor(package: str) -> None:
    assert numbers(metadata.version(package)) >= numbers(FLOORS[package])


@pytest.mark.parametrize("package", FLOORS)
def test_the_floor_is_asked_for_where_it_is_installed_from(package: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {re.split(r"[<>=~!\[]", need)[0].lower(): need for need in project["dependencies"]}
    assert numbers(asked[package].split(">=")[1].split(",")[0]) >= numbers(FLOORS[package])


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_the_lock_is_not_below_the_floors(lock: str) -> None:
    pinned = dict(re.findall(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)", (ROOT / lock).read_text(), re.M))
    pinned = {re.sub(r"[-_.]+", "-", name.lower()): version for name, version in pinned.items()}
    held = {package: pinned[key] for package in FLOORS if (key := package.replace(".", "-")) in pinned}
    assert lock == "requirements-dev.lock" or held.keys() == FLOORS.keys()
    assert all(numbers(version) >= numbers(FLOORS[package]) for package, version in held.items())


BANNED = {
    r"\b(?:c?[Pp]ickle|marshal|shelve|dill)\b": "what a PDF wrote could run",
    r"(?<![\w.])(?:eval|exec)\(": "text is data",
    r"\byaml\.load\b": "it builds objects",
    r"shell\s*=\s*True": "file names are not commands",
    r"\bos\.system\b|\bos\.popen\b": "file names are not commands",
    r"\bMarkup\(": "text from a PDF would become HTML",
    r"select_autoescape": "it leaves *.html.j2 alone: autoescape=True",
    r"autoescape\s*=\s*False": "text from a PDF would become HTML",
    r"\btempfile\.mktemp\b": "another process can be there first",
    r"extractall": "archives write where they like",
}
# The page's own stylesheet, script and fonts are ours, and stand in elements whose text is not HTML.
OUR_OWN = r"\{\{ (?:style|script|faces) \| safe \}\}"
IN_TEMPLATES = {
    r"\|\s*safe\b": "not escaped",
    r"autoescape\s+false": "not escaped",
    r"\bxmlattr\b": "not safe with keys",
}


def code() -> list[Path]:
    return sorted((ROOT / "pipeline").rglob("*.py"))


@pytest.mark.parametrize("banned", BANNED)
def test_no_code_that_turns_text_into_something_else(banned: str) -> None:
    for path in code():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            held = line.split("#")[0]
            if '"""' in line or "#" in line or not re.search(banned, held):
                continue
            pytest.fail(f"{path.name}:{number}: {line.strip()} – {BANNED[banned]}")


@pytest.mark.parametrize("banned", IN_TEMPLATES)
def test_no_template_prints_without_escaping(banned: str) -> None:
    for path in (ROOT / "templates").rglob("*.j2"):
        held = re.sub(r"\{#.*?#\}|" + OUR_OWN, "", path.read_text(encoding="utf-8"), flags=re.S)
        assert not re.search(banned, held), f"{path.name}: {IN_TEMPLATES[banned]}"


def test_the_words_are_found_when_they_are_there() -> None:
    bad = ["import pickle", "eval(x)", "yaml.load(f)", "run(c, shell=True)", "os.system(c)", "Markup(text)"]
    assert all(any(re.search(banned, line) for banned in BANNED) for line in bad)
    assert re.search(next(iter(IN_TEMPLATES)), "{{ text|safe }}")


def test_the_linter_finds_no_security_fault() -> None:
    # S101: asserts tell the type checker what the code knows; S603, S607: no user names our commands
    command = [sys.executable, "-m", "ruff", "check", "--select", "S", "--ignore", "S101,S603,S607", "--quiet"]
    command.append(str(ROOT / "pipeline"))
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
