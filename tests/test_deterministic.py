"""The same sources give the same bytes: with other hash seeds, time zones, locales, days and directories."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from pipeline import flow, store
from pipeline.render import print_pdf
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


def test_fonts_have_no_date_where_harfbuzz_does_not_cut_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from weasyprint.pdf import fonts

    page = '<html lang="en"><head><title>t</title></head><body>The lantern is lit once.</body></html>'
    monkeypatch.setattr(fonts, "harfbuzz_subset", None)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    made = []
    for day in (1, 2):
        monkeypatch.setattr("time.time", lambda day=day: 86400.0 * 20000 * day)
        made.append(print_pdf(page))
    assert made[0] == made[1]


# ---------------------------------------------------------------- other Pythons

ON_PAPER = """
import hashlib, sys
sys.path[:0] = sys.argv[1:3]
from pathlib import Path
from pipeline import store
from pipeline.config import load_book
from pipeline.records import Book
from pipeline.render import products
from pipeline.render.products import Press
products.sturdy = str  # pictures are Pillow's, which is compiled for one Python
folder = Path(sys.argv[3])
book = store.from_json(Book, __import__("json").loads((folder / "book.json").read_text(encoding="utf-8")))
press = Press(book, load_book(folder), None, None)
for product in ("booklet", "sheet", "reader", "cards", "slips", "zine"):
    print(product, hashlib.sha256(press.page(product).encode()).hexdigest())
"""


def pythons() -> list[str]:
    """Other Pythons at hand: what they print cannot need their packages, so pages are compared before they are set."""
    known = [f"python3.{minor}" for minor in range(11, 16) if minor != sys.version_info[1]]
    found = [path for name in known if (path := shutil.which(name))]
    found += map(str, (Path.home() / ".pyenv/versions").glob("3.1[1-9].*/bin/python"))
    said = {path: subprocess.run([path, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True) for path in found}
    versions = {each.stdout: path for path, each in said.items() if each.returncode == 0}
    return [path for version, path in versions.items() if version.split() != list(map(str, sys.version_info[:2]))]


def test_another_python_sets_the_same_pages(tmp_path: Path) -> None:
    """Python 3.12 adds floats up in another way than 3.11."""
    others = pythons()
    if not others:
        pytest.skip("there is no other Python from 3.11 up")
    shutil.copytree(ROOT / "sources/brumes-d-argance", tmp_path / "book")
    book, _ = flow.open_book(tmp_path / "book", jobs=1)
    (tmp_path / "book/book.json").write_text(json.dumps(store.to_json(book)), encoding="utf-8")
    paths = [str(ROOT), sysconfig.get_path("purelib"), str(tmp_path / "book")]
    said = {}
    for python in (sys.executable, *others):
        done = subprocess.run([python, "-S", "-c", ON_PAPER, *paths], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        said[python] = done.stdout
    assert len(set(said.values())) == 1, said
