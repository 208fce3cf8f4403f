"""The README is true: every key and exit code is in it, every file that it names is there; tests/test_walks.py runs its
commands."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from pipeline import config, errors, event
from tests.test_cli import commands

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str, text: str = README) -> str:
    """What stands under a heading."""
    [found] = re.findall(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    return str(found)


def test_every_command_is_explained() -> None:
    table = section("Commands")
    for name in commands():  # their options are in the reference of the manual: tests/test_manual.py
        assert re.search(rf"`{name}\b", table), name


def test_it_is_short_and_the_manual_has_the_rest() -> None:
    assert len(README.splitlines()) < 165  # half of it the keys, which it promises
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
    told = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    for line in section("The listing", told).splitlines():
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
