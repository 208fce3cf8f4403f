"""The EPUB: valid, whole, the text of the reader, and the same bytes each time."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
import tinyhtml5

from pipeline import flow
from pipeline.config import BookSettings
from pipeline.errors import RubricatorError
from pipeline.records import Book
from pipeline.render import render
from pipeline.render.editions import edition
from pipeline.render.products import Press
from pipeline.text import rich
from tests.test_render import every_kind

ROOT = Path(__file__).parent.parent
BOOKS = sorted(path.name for path in (ROOT / "sources").iterdir() if path.is_dir())
XHTML = "{http://www.w3.org/1999/xhtml}"
CHECKER = shutil.which("epubcheck")
BRIEF = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")  # it lives for seconds: most of them went into compiling itself


def complaints(path: Path) -> str:
    """What epubcheck has against it; "" is nothing."""
    if CHECKER is None or shutil.which("java") is None:
        pytest.skip("epubcheck is not installed")
    done = subprocess.run(["java", *BRIEF, "-jar", CHECKER, str(path)], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 and "0 errors / 0 warnings" in done.stdout + done.stderr else done.stdout + done.stderr


def opened(path: Path) -> dict[str, ElementTree.Element]:
    """The pages of a book by their names."""
    with zipfile.ZipFile(path) as held:
        return {name.removeprefix("EPUB/"): ElementTree.fromstring(held.read(name)) for name in held.namelist() if name.endswith(".xhtml")}


def flat(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.fixture(scope="module", params=BOOKS)
def sample(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Book, BookSettings, Path]:
    book, settings = flow.open_book(ROOT / "sources" / request.param, jobs=1)
    out = tmp_path_factory.mktemp("epub") / "book.epub"
    return book, settings, render(book, "epub", out, settings=settings)


@pytest.mark.slow
def test_epubcheck_finds_nothing(sample: tuple[Book, BookSettings, Path]) -> None:
    assert complaints(sample[2]) == ""


def letters(said: dict[str, str]) -> dict[str, list[str]]:
    """In no order: a bare verdict is set before its question, to stand beside it in print."""
    return {name: sorted(text) for name, text in said.items()}


def entries(pages: Iterable[ElementTree.Element], codes: dict[str, str]) -> dict[str, str]:
    """What each ruling says, without codes, which references have only where there are no pages, and without the letters
    that hang beside it in print."""
    every = re.compile("|".join(sorted((re.escape(code) for code in codes.values() if code), key=len, reverse=True)))
    made = {}
    for entry in (each for page in pages for each in page.iter(f"{XHTML}div") if "entry" in (each.get("class") or "").split()):
        name = str(entry.get("id"))
        said = "".join(_said(entry))
        made[name] = flat(every.sub("", said))
    return made


def _said(element: ElementTree.Element) -> Iterator[str]:
    if "mark" not in (element.get("class") or "").split():
        yield element.text or ""
        for inner in element:
            yield from _said(inner)
    yield element.tail or ""


def test_it_says_what_the_reader_says(sample: tuple[Book, BookSettings, Path]) -> None:
    book, settings, path = sample
    codes = {each.anchor: each.ruling.code for each in edition(book, cites="name").rulings}
    reader = Press(book, settings, None, lambda html, pictures: b"").page("reader")
    printed = entries([tinyhtml5.parse(reader)], codes)
    read = entries(opened(path).values(), codes)
    assert len(printed) > 20 and letters(printed) == letters(read)


def test_every_link_leads_somewhere_and_the_contents_name_every_chapter(sample: tuple[Book, BookSettings, Path]) -> None:
    book, _, path = sample
    pages = opened(path)
    anchors = {name: {each.get("id") for each in page.iter() if each.get("id")} for name, page in pages.items()}
    for name, page in pages.items():
        for link in page.iter(f"{XHTML}a"):
            target, _, anchor = str(link.get("href")).partition("#")
            if ":" not in target:
                assert target in ("", *pages) and (not anchor or anchor in anchors[target or name]), (name, link.get("href"))
    nav = " ".join("".join(each.itertext()) for each in pages["nav.xhtml"].iter(f"{XHTML}a"))
    for chapter in edition(book, cites="name").chapters:
        assert chapter.title in nav


@pytest.mark.shared
@pytest.mark.slow
def test_a_book_of_real_publications_is_valid(real_book: tuple[Path, ...], tmp_path: Path) -> None:
    readable = tuple(path for path, read in flow.documents(real_book, jobs=1) if not isinstance(read, RubricatorError))
    book, settings = flow.open_book(readable, jobs=1)
    made = render(book, "epub", tmp_path / "book.epub", settings=settings)
    assert complaints(made) == ""


def test_it_has_a_cover_change_marks_an_index_and_says_what_it_is(tmp_path: Path) -> None:
    path = render(every_kind(), "epub", tmp_path / "book.epub")
    with zipfile.ZipFile(path) as held:
        assert held.namelist()[0] == "mimetype" and held.read("mimetype") == b"application/epub+zip"
        package = held.read("EPUB/package.opf").decode()
        assert held.read("EPUB/cover.png").startswith(b"\x89PNG")
    for wanted in ('properties="cover-image"', 'properties="nav"', "schema:accessMode", "schema:accessibilityHazard", "dcterms:modified"):
        assert wanted in package
    pages = opened(path)
    text = ElementTree.tostring(pages["c-1.xhtml"], encoding="unicode") + "".join(ElementTree.tostring(page, encoding="unicode") for page in pages.values())
    assert "▲" in text and "changed" in text
    assert complaints(path) == ""
    assert render(every_kind(), "epub", tmp_path / "again.epub").read_bytes() == path.read_bytes()


def test_text_of_a_pdf_is_text(tmp_path: Path) -> None:
    book = every_kind()
    hostile = "<script>alert(1)</script> & ]]> {{ 7*7 }}"
    first = replace(book.rulings[0], entry=replace(book.rulings[0].entry, section=(hostile,), subject=rich(hostile)))
    path = render(replace(book, title=hostile, rulings=(first, *book.rulings[1:])), "epub", tmp_path / "book.epub")
    whole = b"".join(zipfile.ZipFile(io.BytesIO(path.read_bytes())).read(name) for name in zipfile.ZipFile(path).namelist())
    assert b"<script" not in whole and complaints(path) == ""
