"""What is new in a book: the page of releases, the Atom feed, the text for a forum, the card."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET  # of our own making: nothing from outside is read
from pathlib import Path

import pytest
from PIL import Image
from test_announced import NEW, OLD

from pipeline import flow
from pipeline.config import BookSettings
from pipeline.diff import show
from pipeline.records import Book, Document
from pipeline.render.words import words as strings

ATOM = "{http://www.w3.org/2005/Atom}"
DAY = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
BOOK = Book(name="ferry", title="Ferry <Rules> & more", language="en")


def between(date: str, sha: str) -> Document:
    from dataclasses import replace

    return replace(NEW, source=f"{date}.pdf", sha256=sha * 64, date=date, entries=NEW.entries[:8] + OLD.entries[8:])


def made(place: Path, *found: Document, url: str | None = None) -> dict[str, bytes]:
    written = flow.tell_news(found, BOOK, BookSettings(url=url), place / "changes")
    assert len(written) == len(set(written))
    return {path.name: path.read_bytes() for path in written}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return made(tmp_path_factory.mktemp("news"), OLD, between("2026-06-01", "1"), NEW, url="https://example.org/ferry")


def test_a_book_without_releases_has_no_news(tmp_path: Path) -> None:
    assert made(tmp_path, OLD) == {}


def test_every_release_has_its_sheet_its_texts_and_its_card(files: dict[str, bytes]) -> None:
    names = {f"{name}{suffix}" for name in ("2026-06-01", "2026-09-01") for suffix in (".html", ".md", ".bbcode.txt", ".png")}
    assert set(files) == {"index.html", "feed.xml", *names}
    page = files["index.html"].decode()
    assert page.index('id="2026-09-01"') < page.index('id="2026-06-01"') < page.index('id="2026-03-01"')
    assert all(href in files for href in re.findall(r'href="([^"#:]+)"', page))
    assert "Ferry &lt;Rules&gt; &amp; more" in page


def test_the_feed_is_atom(files: dict[str, bytes]) -> None:
    """What RFC 4287 asks of a feed and of its entries."""
    feed = ET.fromstring(files["feed.xml"])
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    for each in (feed, *entries):
        assert [len(each.findall(f"{ATOM}{name}")) for name in ("id", "title", "updated")] == [1, 1, 1]
        assert DAY.fullmatch(each.findtext(f"{ATOM}updated") or "")
        assert (each.findtext(f"{ATOM}id") or "").startswith("urn:uuid:")
        assert len([link for link in each.findall(f"{ATOM}link") if link.get("rel") == "alternate"]) == 1
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == BOOK.title
    assert len({each.findtext(f"{ATOM}id") for each in entries}) == len(entries) == 2
    assert all(len(each.findall(f"{ATOM}{name}")) <= 1 for each in entries for name in ("summary", "content"))
    known = {"id", "title", "updated", "author", "link", "summary", "content", "generator", "entry"}
    assert {each.tag.removeprefix(ATOM) for each in feed.iter()} - {"feed", "name"} <= known
    hrefs = [link.get("href") or "" for link in feed.iter(f"{ATOM}link")]
    assert all(href.startswith("https://example.org/ferry/changes/") for href in hrefs)


def test_entries_keep_their_ids_when_a_release_is_added(files: dict[str, bytes], tmp_path: Path) -> None:
    before = made(tmp_path, OLD, between("2026-06-01", "1"))["feed.xml"].decode()
    ids = re.findall(r"<entry>\s*<id>([^<]+)", before)
    assert len(ids) == 1 and ids[0] in files["feed.xml"].decode()
    assert re.search(r"<id>([^<]+)", before)[1] in files["feed.xml"].decode()  # type: ignore[index]


def test_two_builds_are_the_same_to_the_byte(files: dict[str, bytes], tmp_path: Path) -> None:
    again = made(tmp_path, NEW, OLD, between("2026-06-01", "1"), url="https://example.org/ferry/")
    assert again == files


def test_the_card_is_a_picture_with_at_most_eight_changes(files: dict[str, bytes]) -> None:
    with Image.open(io.BytesIO(files["2026-09-01.png"])) as card:
        assert (card.format, card.size) == ("PNG", (1280, 720))
    told = show.sheet(flow.compare(OLD, NEW))
    assert len(show.told_briefly(told)) == 3 and len(show.told_briefly(told, 2)) == 2
    assert show.told_briefly(told)[0] == "Warning → Game Loss · 3.1 Foul — Late Boarding"


def test_bbcode_holds_the_changes_and_no_marks_of_the_text(files: dict[str, bytes]) -> None:
    said = files["2026-06-01.bbcode.txt"].decode()
    assert "[s]2[/s] [b]5[/b] minutes" in said
    assert show.BBCode().same("a [b] and [/url]") == "a [\u200bb] and [\u200b/url]"
    for mark in ("b", "i", "s", "quote", "size"):
        assert len(re.findall(rf"\[{mark}[\]=]", said)) == said.count(f"[/{mark}]")


@pytest.mark.parametrize("language", ["fr", "de", "es", "it"])
def test_the_words_are_there_in_every_language(language: str) -> None:
    assert set(strings(language)["changes"]) == set(strings("en")["changes"])
    assert strings("pl")["changes"]["news"] == strings("en")["changes"]["news"]
