"""build: each book by itself, in its own folder; what it wrote on stdout, all else on stderr."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline import guard
from pipeline.cli import main

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "sources/brass-orrery/orrery-faq.pdf"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two books that are only web pages, which take moments."""
    monkeypatch.chdir(tmp_path)
    for name in ("My game", "other"):
        folder = tmp_path / "sources" / name
        folder.mkdir(parents=True)
        shutil.copy(SOURCE, folder / "FAQ of May.pdf")
        (folder / "book.toml").write_text('products = ["web"]\n')
    return tmp_path


def test_every_book_of_sources(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == ["output/My game/web.html", "output/other/web.html"]
    assert all((here / line).is_file() for line in said.out.splitlines())
    assert "rulings from 1 source," in said.err


def test_quiet_is_quiet(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "other", "--quiet", "-o", "elsewhere"]) == 0
    assert capsys.readouterr() == ("", "")
    assert [path.name for path in here.glob("*/*/web.html")] == ["web.html"]


def test_a_book_that_fails_does_not_stop_the_others(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "sources/My game/damaged.pdf").write_bytes(b"%PDF-1.7\nno more of it")
    assert main(["build"]) == 3
    said = capsys.readouterr()
    assert said.out.splitlines() == ["output/other/web.html"]
    assert "rubricator: " in said.err and "damaged.pdf" in said.err and "not built: My game" in said.err
    assert not (here / "output/My game").exists()


@pytest.mark.parametrize(
    ("toml", "code", "says"),
    [("titel = 'x'\n", 7, "title"), ("products = ['bocklet']\n", 7, "booklet"), ("title = \n", 7, "book.toml")],
)
def test_a_mistake_in_book_toml(
    here: Path, capsys: pytest.CaptureFixture[str], toml: str, code: int, says: str
) -> None:
    (here / "sources/other/book.toml").write_text(toml)
    assert main(["build", "other"]) == code
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1


def test_a_book_that_is_not_there_names_those_that_are(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "another"]) == 3
    assert "My game, other" in capsys.readouterr().err


def test_no_books_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["build"]) == 3
    assert "new-book" in capsys.readouterr().err


def test_a_changed_template_prints_without_reading_again(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "other"]) == 0
    own = here / "mine"
    own.mkdir()
    (own / "web.css").write_text("body { color: teal }")
    monkeypatch.setattr(guard, "_hire", lambda *args: pytest.fail("a child was asked to read"))
    assert main(["render", "other", "--templates", "mine"]) == 0
    assert "color: teal" in (here / "output/other/web.html").read_text(encoding="utf-8")
