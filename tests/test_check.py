"""The check command: what it says, what it draws, how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from pdfs import Paper, typeset
from PIL import Image

from pipeline.cli import main

FAQ = [("title", "Brumes du Nord"), ("section", "GÉNÉRALITÉS"), ("question", "Q : Peut-on relancer un dé déjà relancé par un autre joueur ?"),
       ("answer", "R : Non, jamais plus d’une fois.")] * 4  # fmt: skip


@pytest.fixture
def faq(tmp_path: Path) -> Path:
    return typeset(FAQ * 6, footer="Brumes, FAQ").save(tmp_path / "faq.pdf")


def test_it_says_what_was_read(faq: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(faq)]) == 0
    said = capsys.readouterr().out
    for words in ("faq.pdf: ", "2 columns", "words", "fr", "Brumes, FAQ", "joins", "icons", "findings   none"):
        assert words in said


def test_it_says_how_the_publisher_marks_what_is_new(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(Path(__file__).parent.parent / "sources/brass-orrery/orrery-faq.pdf")]) == 0
    meaning = "Text printed in blue is new or has changed since version 2.0"
    assert f"  new        4 entries marked by the publisher: #0072bc (“{meaning}”)\n" in capsys.readouterr().out


def test_strict_fails_on_findings(faq: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paper = typeset(FAQ, columns=1)
    paper.text(50, 600, "un mot invisible", mode=3)
    hidden = paper.save(tmp_path / "hidden.pdf")
    assert main(["check", "--strict", str(faq)]) == 0
    assert main(["check", str(hidden)]) == 0
    assert main(["check", "--strict", str(hidden), str(faq)]) == 10
    assert "p. 1   hidden-text: 3 words" in capsys.readouterr().out


def test_a_bad_file_does_not_stop_the_others(faq: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"no PDF at all")
    assert main(["check", str(bad), str(faq)]) == 3
    said = capsys.readouterr()
    assert "faq.pdf: " in said.out
    assert said.err.count("\n") == 1
    assert "bad.pdf" in said.err


def test_a_scan_and_a_password_have_their_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scan = Paper()
    scan.box(0, 0, 500, 500, fill="#dddddd")
    assert main(["check", str(scan.save(tmp_path / "scan.pdf"))]) == 4
    locked = Paper()
    locked.text(50, 100, "secret")
    assert main(["check", str(locked.save(tmp_path / "locked.pdf", encrypt="secret"))]) == 8
    assert capsys.readouterr().err.count("\n") == 2


def test_pictures_show_every_page(faq: Path, tmp_path: Path) -> None:
    assert main(["check", "--quiet", str(faq), "--picture", str(tmp_path / "pictures")]) == 0
    made = sorted((tmp_path / "pictures").glob("*.png"))
    assert [path.name for path in made] == [f"faq-{n:03}.png" for n in range(1, len(made) + 1)]
    with Image.open(made[0]) as picture:
        colours = picture.convert("RGB").getcolors(1 << 24) or []
        assert picture.width > 800
        assert len(colours) > 10


def test_a_language_that_is_not_known_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ("A all carafán groesi twyni a ddelir gan wrthwynebydd?", "Gall, os yw hi'n talu dau halen i'r perchennog.",
             "A yw'r gwynt yn symud carafanau sy'n sefyll yn llonydd?", "Nac ydy, dim ond y rhai a symudodd y tro hwn.",
             "Faint o warchodwyr sydd yn gallu sefyll mewn un tŵr?", "Tri ar y mwyaf, faint bynnag o chwaraewyr sydd.")  # fmt: skip
    paper = Paper()
    for number, line in enumerate(lines):
        paper.text(50, 100 + 14 * number, line)
    assert main(["check", str(paper.save(tmp_path / "cy.pdf"))]) == 0
    said = capsys.readouterr().out
    assert "cy.pdf: 1 page, 1 column" in said
    assert "language-unknown: in none of the languages that are known here" in said


def test_a_folder_is_gone_through_as_books_whatever_the_case_of_a_suffix(
    faq: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        (tmp_path / "all" / name).mkdir(parents=True)
        (tmp_path / "all" / name / "FAQ.PDF").write_bytes(faq.read_bytes())
    pictures = tmp_path / "pictures"
    assert main(["check", str(tmp_path / "all"), "--picture", str(pictures)]) == 0
    assert {path.parent.name for path in pictures.rglob("FAQ-001.png")} == {"one", "two"}
    said = capsys.readouterr().out
    assert said.count("FAQ.PDF: ") == 2 and "\none, merged: " in said and "\ntwo, merged: " in said


def test_a_folder_without_a_pdf_is_no_good_news(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path)]) == 3
    assert "there is no PDF in this folder" in capsys.readouterr().err


def test_icons_without_a_name_are_listed_as_book_toml_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = Path(__file__).parent.parent / "sources/brumes-d-argance/argance-memo.pdf"
    (tmp_path / "memo.pdf").write_bytes(sample.read_bytes())
    assert main(["check", str(tmp_path)]) == 0
    [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  no name")]
    glyphs = [part.split('"')[1] for part in line.split(", ")]
    named = "".join(f'"{glyph}" = "picture"\n' for glyph in glyphs)
    (tmp_path / "book.toml").write_text(f"[icons]\n{named}")
    assert main(["check", str(tmp_path)]) == 0
    assert "  no name" not in capsys.readouterr().out
