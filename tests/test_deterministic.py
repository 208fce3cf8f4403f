"""The same sources give the same bytes: with other hash seeds, time zones, locales, days and directories."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import hostile

ROOT = Path(__file__).parent.parent
LINES = """\
FREQUENTLY ASKED QUESTIONS
Q: May the lantern be lit twice in one turn?
A: No. It is lit once, and it burns to the end of the round.
Q: Does the tide carry models that hold an anchor?
A: Yes, unless the anchor is heavy.
Page 12 - The Ferry
Replace the second sentence by: "The ferry carries three models."
"""
BOOK = 'title = "Tides"\nproducts = ["booklet", "sheet", "reader", "cards", "slips", "zine", "web"]\n'
EVENT = 'name = "Winter Cup"\ndate = "2026-12-12"\n[[handouts]]\nform = "table"\npages = 2\n'
ELSEWHERE = (
    {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "4711", "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "86400"},
)

pytestmark = pytest.mark.slow


def files(folder: Path, environment: dict[str, str]) -> dict[str, str]:
    """Everything that a book, an event and an export write, by content."""
    sources = folder / "sources/tides"
    sources.mkdir(parents=True)
    [faq] = hostile.write(sources, {"faq": hostile.words(LINES)})
    os.utime(faq, (len(str(folder)), len(str(folder))))
    (sources / "book.toml").write_text(BOOK)
    (sources / "event.toml").write_text(EVENT)
    clean = {"PATH": os.environ["PATH"], "HOME": str(folder), "RUBRICATOR_CACHE": "off", **environment}
    for command in (["build"], ["handout", "sources/tides/event.toml"], ["export", str(faq), "-o", "output/faq.jsonl"]):
        subprocess.run(
            [sys.executable, "-m", "pipeline.cli", *command, "--quiet"],
            cwd=folder,
            env={**clean, "PYTHONPATH": str(ROOT)},
            check=True,
        )
    made = [path for path in (folder / "output").rglob("*") if path.is_file() and not path.name.startswith(".")]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in made}


def test_two_runs_in_two_worlds_write_the_same_bytes(tmp_path: Path) -> None:
    one = files(tmp_path / "one", ELSEWHERE[0])
    other = files(tmp_path / "a longer way" / "to go", ELSEWHERE[1])
    assert one == other
    assert len(one) >= 11, sorted(one)
    shutil.rmtree(tmp_path)
