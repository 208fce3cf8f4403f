"""build: each book by itself, in its own folder; what it wrote on stdout, all else on stderr."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pipeline import flow, guard
from pipeline.cli import main
from tests import hostile

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


def test_one_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    hostile.write(tmp_path, {"faq": hostile.words("Q: May the lantern pass the ferry?\nA: Yes, when the bell has rung.")})
    assert main(["render", "faq.pdf", "--product", "web"]) == 0
    page = (tmp_path / "output/faq/web.html").read_text(encoding="utf-8").replace("\u00a0", " ")
    assert "1 ruling" in page and "1 rulings" not in page + capsys.readouterr().err


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


def test_pdfs_are_a_book_without_a_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = ROOT / "sources/tannengrund/tannengrund-faq.pdf"
    assert main(["render", str(SOURCE), "--product", "web", "-o", "one"]) == 0
    assert "47 rulings" in (here / "one/orrery-faq/web.html").read_text(encoding="utf-8").replace("\u00a0", " ")
    assert main(["build", str(SOURCE), str(other), "-o", "both", "-q"]) == 0
    assert {path.name for path in (here / "both/orrery-faq").iterdir()} == {"booklet.pdf", "booklet-print.pdf", "sheet.pdf", "web.html"}
    web = (here / "both/orrery-faq/web.html").read_text(encoding="utf-8")
    assert "<title>Orrery faq</title>" in web  # the title of neither


def test_a_pdf_in_sources_is_a_book_of_its_own(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(SOURCE, here / "sources/loose.pdf")
    (here / "sources/output/other").mkdir(parents=True)  # of a build that was run in there
    assert [path.name for path in flow.all_books()] == ["My game", "loose.pdf", "other"]
    assert flow.book_folder("loose") == Path("sources/loose.pdf")
    shutil.copy(SOURCE, here / "sources/other.pdf")
    assert main(["build"]) == 3
    assert "sources/other.pdf: has the name of another book" in capsys.readouterr().err


def test_all_that_is_wrong_with_the_sources_is_said_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "sources/other/a.pdf").write_bytes(b"%PDF-1.7\nno more of it")
    (here / "sources/other/b.pdf").write_bytes(b"no PDF")
    assert main(["build", "other", "-q"]) == 3
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    for name, line in zip(("a.pdf", "b.pdf"), lines, strict=True):
        assert line.endswith(f'leave it out with documents."{name}".leave_out = true in sources/other/book.toml')
    with (here / "sources/other/book.toml").open("a") as file:
        file.write("".join(f'documents."{name}".leave_out = true\n' for name in ("a.pdf", "b.pdf")))
    assert main(["build", "other", "-q"]) == 0


def test_a_mistake_in_book_toml_is_told_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b.pdf", "c.pdf"):
        shutil.copy(SOURCE, here / "sources/other" / name)
    (here / "sources/other/book.toml").write_text("titel = 'x'\n")
    for command in (["export", "sources/other", "-q"], ["check", "sources/other"], ["build", "other", "-q"]):
        assert main(command) == 7
        assert capsys.readouterr().err.count("unknown key") == 1, command


def test_a_folder_here_does_not_hide_a_book(here: Path) -> None:
    (here / "other").mkdir()
    assert flow.book_folder("other") == Path("sources/other")
    assert flow.book_folder("./other") == Path("other")


def test_what_we_made_is_no_source(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(here / "sources/other", here / "mine")
    (here / "mine/output/mine").mkdir(parents=True)
    shutil.copy(SOURCE, here / "mine/output/mine/booklet.pdf")
    assert main(["export", "mine", "-q"]) == 0
    assert capsys.readouterr().out.count('"kind": "document"') == 1


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
