"""The strict door of book.toml and overrides.toml."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.config import (
    BookSettings,
    DocumentSettings,
    Overrides,
    from_table,
    load_book,
    load_overrides,
    sources,
)  # fmt: skip
from pipeline.errors import ConfigError, SourceError

FULL = """
title = "Brumes d'Argance"
language = "fr"
products = ["booklet", "sheet"]
paper = "A5"
columns = 2
type_size = 9
theme = "black"
order = ["b.pdf"]
prefer = "oldest"
changed_since = 2026-03-01

[releases]
faq = ["a.pdf", "b.pdf"]

[documents."a.pdf"]
date = "2025-11"

[icons]
"Runes:E003" = "marteau"

[codes]
"Règles générales" = "GEN"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(b"%PDF-1.7")
    return tmp_path


def test_a_folder_with_pdfs_is_a_book(folder: Path) -> None:
    settings = load_book(folder)
    assert settings == BookSettings(name=folder.name, folder=folder)
    assert load_overrides(folder) == Overrides()
    assert [path.name for path in sources(folder, settings)] == ["a.pdf", "b.pdf"]


def test_every_key_is_read(folder: Path) -> None:
    (folder / "book.toml").write_text(FULL, encoding="utf-8")
    settings = load_book(folder)
    assert (settings.paper, settings.columns, settings.type_size, settings.theme) == ("A5", 2, 9.0, "black")
    assert settings.changed_since == "2026-03-01"
    assert settings.releases == {"faq": ("a.pdf", "b.pdf")}
    assert settings.documents == {"a.pdf": DocumentSettings(date="2025-11")}
    assert settings.icons == {"Runes:E003": "marteau"}
    assert [path.name for path in sources(folder, settings)] == ["b.pdf", "a.pdf"]


@pytest.mark.parametrize(
    ("toml", "key", "says"),
    [
        ('papre = "A4"', "papre", "did you mean 'paper'?"),
        ("keep = 1", "keep", "known are"),
        ('paper = "A6"', "paper", "'A6' is not known"),
        ("columns = true", "columns", "must be a whole number, not true"),
        ("columns = 9", "columns", "9 is not between 1 and 4"),
        ("title = 3", "title", "must be a text in quotes"),
        ('order = "a.pdf"', "order", "must be a list"),
        ('order = ["a.pdf", "a.pdf"]', "order", "twice"),
        ('order = ["c.pdf"]', "order 1", "not in this folder"),
        ('order = ["/etc/passwd"]', "order 1", "must be a file in this folder"),
        ('icon_images = { skull = "../x.svg" }', "icon_images.skull", "must be a file in this folder"),
        ('icon_images = { skull = "link.svg" }', "icon_images.skull", "leads out of this folder"),
        ('icon_images = { skull = "pipe" }', "icon_images.skull", "not a regular file"),
        ('documents."a.pdf".dat = "2020"', "documents.a.pdf.dat", "did you mean 'date'?"),
        ('documents."a.pdf".date = "2026-02-30"', "documents.a.pdf.date", "does not exist"),
        ('documents."z.pdf".date = "2026"', "documents.z.pdf", "not in this folder"),
        ('language = "xx"', "language", "no language that we have words for: bg, "),
        ('prefer = "newset"', "prefer", "newest"),
        ('codes = { Faq = "faq" }', "codes.Faq", "capital letters"),
        ('url = "javascript:x"', "url", "no web address"),
        ("title = My game", "", "is not TOML: Invalid value (at line 1, column 9) – look at that line: a text stands in quotes"),
        ('name = "x"', "name", "unknown key"),
    ],
)
def test_a_mistake_is_one_line_with_file_and_key(folder: Path, toml: str, key: str, says: str) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "link.svg").symlink_to("/etc/hostname")
    (folder / "book.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_book(folder)
    message = str(caught.value)
    assert message.startswith(f"{folder / 'book.toml'}: {key}")
    assert says in message
    assert "\n" not in message
    assert caught.value.exit_code == 7


def test_settings_that_are_no_regular_file(folder: Path) -> None:
    os.mkfifo(folder / "book.toml")
    with pytest.raises(ConfigError, match="not a regular file"):
        load_book(folder)
    (folder / "overrides.toml").symlink_to(folder.parent / "elsewhere.toml")
    with pytest.raises(ConfigError, match="leads out"):
        load_overrides(folder)


def test_settings_in_another_encoding(folder: Path) -> None:
    (folder / "book.toml").write_bytes('title = "Règles"'.encode("latin-1"))
    with pytest.raises(ConfigError, match="UTF-8"):
        load_book(folder)


@pytest.mark.parametrize(
    ("toml", "says"),
    [
        ('[[merge]]\nentries = ["a"]', "merge 1: entries: names less than two"),
        ('[[hide]]\nwhy = "x"', "hide 1: entry: is missing"),
        ('[[correct]]\nentry = "a"\nfind = "b"', "correct 1: find and put"),
        ('[[corect]]\nentry = "a"', "did you mean 'correct'?"),
        ('[[correct]]\nentry = "a"\nkind = "question"', "'question' is not known"),
        ('[[match]]\nold = "a"', "match 1: new: is missing"),
    ],
)
def test_overrides_are_read_strictly(folder: Path, toml: str, says: str) -> None:
    (folder / "overrides.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_overrides(folder)
    assert says in str(caught.value)


def test_a_folder_without_a_pdf_is_no_book(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no PDF"):
        sources(tmp_path)
    with pytest.raises(SourceError, match="not a folder"):
        load_book(tmp_path / "absent")


def test_a_book_of_nothing_is_a_mistake(folder: Path) -> None:
    (folder / "book.toml").write_text('[documents]\n"a.pdf".leave_out = true\n"b.pdf".leave_out = true\n')
    with pytest.raises(ConfigError, match="every source is left out"):
        sources(folder, load_book(folder))


def test_a_link_out_of_the_folder_is_no_source_and_said(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "c.pdf"
    other.write_bytes(b"%PDF-1.7")
    (folder / "c.pdf").symlink_to(other)
    with pytest.raises(SourceError, match=r"c\.pdf: is a link that leads out of this folder – copy the PDF there"):
        sources(folder)


def test_the_door_serves_other_records(tmp_path: Path) -> None:
    made = from_table({"date": "2020", "leave_out": True}, DocumentSettings, tmp_path / "x.toml")
    assert made == DocumentSettings(date="2020", leave_out=True)
