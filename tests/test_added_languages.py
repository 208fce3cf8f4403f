"""A language from a folder of the user's: read, merged and printed as one of ours, without a line of Python."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pdfs import Paper

from tests.conftest import ROOT

QUESTIONS = (
    ("A gaiff chwaraewr symud ei ddarn ar ôl y gloch?", "Caiff. Mae pob darn yn cael symud unwaith pan mae y gloch wedi canu."),
    ("A oes rhaid i bawb dalu am y cwch?", "Nac oes. Dim ond y chwaraewr sydd ar y bont sydd yn talu am ei gwch."),
    ("Pwy sydd yn dewis y llwybr dros yr afon?", "Yr ieuengaf. Mae hi neu ef yn dewis pan nid oes neb arall ar yr afon."),
)  # fmt: skip
COMMON = ["y", "yr", "yn", "a", "ar", "ei", "mae", "pan", "oes", "nid", "sydd", "i", "am", "pob", "dim", "ond", "neb", "dros", "neu", "ef", "hi"]


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Two Welsh documents, and the files that ``new-language`` starts, with some words put in."""
    for name in ("cwch", "pont"):
        paper = Paper()
        paper.text(50, 60, f"Cwestiynau am y {name}", size=20, bold=True)
        for number, (question, answer) in enumerate(QUESTIONS):
            paper.text(50, 120 + 60 * number, f"Cwestiwn: {question}", size=10, bold=True)
            paper.text(50, 140 + 60 * number, f"Ateb: {answer}", size=10)
        paper.text(50, 320, "Tudalen 12 – Y Bont", size=10, bold=True)
        paper.text(50, 340, "Disodler y frawddeg gyntaf gan: “Mae y bont yn cau pan mae y gloch yn canu.”", size=10)
        paper.save(tmp_path / f"{name}.pdf")
    assert run(tmp_path, "new-language", "cy", "-o", "words").returncode == 0
    put(tmp_path / "words/vocabulary/cy.toml", r'(?s)(\[question\]\nletters = )\[.*?\](\nwords = )\[.*?\]', r'\1["C"]\2["Cwestiwn"]')
    put(tmp_path / "words/vocabulary/cy.toml", r'(\[answer\]\nletters = )\[.*?\](\nwords = )\[.*?\]', r'\1["A"]\2["Ateb"]')
    put(tmp_path / "words/vocabulary/cy.toml", r'(\[errata\]\nheadings = \[.*\]\nreplace = )\[.*?\]', r'\1["disodler"]')
    put(tmp_path / "words/vocabulary/cy.toml", r'(\[page\]\nwords = )\[.*?\]', r'\1["tudalen"]')
    put(tmp_path / "words/strings/cy.toml", r'(?m)^search = .*$', 'search = "Chwilio am air"')
    put(tmp_path / "words/strings/cy.toml", r'(?m)^none = .*$', "")  # what is missing is printed in English
    (tmp_path / "words/vocabulary/common/cy.toml").write_text(f"words = {json.dumps(COMMON)}\n", encoding="utf-8")
    return tmp_path


def put(path: Path, pattern: str, by: str) -> None:
    changed, count = re.subn(pattern, by, path.read_text(encoding="utf-8"), count=1)
    assert count == 1
    path.write_text(changed, encoding="utf-8")


def run(house: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": str(house / "home"), "RUBRICATOR_CACHE": str(house / "kept")}
    return subprocess.run([sys.executable, "-m", "pipeline.cli", *arguments], cwd=house, env=known | environment, capture_output=True, text=True)


def exported(house: Path, **environment: str) -> list[dict[str, object]]:
    done = run(house, "export", "cwch.pdf", **environment)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("named", [True, False], ids=["named", "in its usual place"])
def test_it_is_told_and_read(house: Path, named: bool) -> None:
    before = exported(house)
    assert before[0]["language"] != "cy" and all(entry["kind"] != "erratum" for entry in before)
    if not named:
        (house / "home/.config/rubricator").mkdir(parents=True)
        (house / "words").rename(house / "home/.config/rubricator/languages")
    document, *entries = exported(house, **({"RUBRICATOR_LANGUAGES": "words"} if named else {}))  # not what was kept without it
    assert document["language"] == "cy"
    assert [entry["question"] for entry in entries if entry["kind"] == "qa"] == [question for question, _ in QUESTIONS]
    assert [(entry["pages"], entry["target"]) for entry in entries if entry["kind"] == "erratum"] == [([12], "Y Bont")]
    assert exported(house, RUBRICATOR_LANGUAGES="off") == before


def test_its_words_are_printed_and_the_rest_is_english(house: Path) -> None:
    done = run(house, "build", "cwch.pdf", "pont.pdf", "-o", "made", "--quiet", RUBRICATOR_LANGUAGES=str(house / "words"))
    assert done.returncode == 0, done.stderr
    [page] = (house / "made").rglob("web.html")
    assert 'lang="cy"' in page.read_text(encoding="utf-8")
    assert "Chwilio am air" in page.read_text(encoding="utf-8") and "No ruling matches" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("vocabulary/cy.toml", "name = 'Cymraeg'\n[question]\nletters = 3\n", "cy.toml"),
        ("vocabulary/cy.toml", "name = \n", "cy.toml: Invalid value"),
        ("vocabulary/common/cy.toml", "wards = ['y']\n", "wards"),
        ("vocabulary/welsh.toml", "", "is not named after a language – by its two letters"),
    ],
)
def test_a_mistake_is_one_line_whatever_the_number_of_sources(house: Path, file: str, content: str, says: str) -> None:
    (house / "words" / file).write_text(content, encoding="utf-8")
    done = run(house, "export", "cwch.pdf", "pont.pdf", RUBRICATOR_LANGUAGES="words")
    assert (done.returncode, len(done.stderr.splitlines())) == (7, 1), done.stderr
    assert says in done.stderr


def test_a_folder_that_is_not_there_is_said(house: Path) -> None:
    done = run(house, "export", "cwch.pdf", RUBRICATOR_LANGUAGES="wrods")
    assert (done.returncode, done.stderr) == (7, "rubricator: wrods: is not a folder – RUBRICATOR_LANGUAGES must name one\n")


def test_words_that_are_there_are_not_written_over(house: Path) -> None:
    done = run(house, "new-language", "cy", "-o", "words")
    assert (done.returncode, "is there already" in done.stderr) == (5, True)
    assert "Cwestiwn" in (house / "words/vocabulary/cy.toml").read_text(encoding="utf-8")
