"""What is new in a book: the page of releases, the Atom feed, the text for a forum, the card."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image
from test_announcements import NEW, OLD

from pipeline import flow
from pipeline.config import BookSettings
from pipeline.diff import change_formats
from pipeline.records import Book, Document, Prose, Rule
from pipeline.render import news
from pipeline.render.words import home
from pipeline.render.words import words as strings
from pipeline.text import rich

ATOM = "{http://www.w3.org/2005/Atom}"
GRAMMAR = Path(__file__).parent / "atom.rng"
BOOK = Book(name="ferry", title="Ferry <Rules> & more", language="en")


def between(date: str, sha: str) -> Document:
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


def is_atom(feed: bytes) -> bool:
    """Whether a feed is one by the grammar, and by what RFC 4287 asks beyond it."""
    tree = etree.fromstring(feed, etree.XMLParser(resolve_entities=False))
    if not etree.RelaxNG(etree.parse(GRAMMAR)).validate(tree):
        return False
    entries = tree.findall(f"{ATOM}entry")
    authors = all(each.findall(f"{ATOM}author") for each in entries) and entries
    alone = [(each.findtext(f"{ATOM}id"), each.findtext(f"{ATOM}updated")) for each in entries]
    linked = all(each.findall(f"{ATOM}content") or _others(each) for each in entries)
    once = all(len(set(found)) == len(found) for each in (tree, *entries) for found in [_others(each)])
    return bool(authors or tree.findall(f"{ATOM}author")) and linked and once and len(set(alone)) == len(alone)


def _others(each: etree._Element) -> list[tuple[str | None, str | None]]:
    """The links to the same in another form: at most one of a type and language."""
    links = [link for link in each.findall(f"{ATOM}link") if link.get("rel", "alternate") == "alternate"]
    return [(link.get("type"), link.get("hreflang")) for link in links]


def test_the_feed_is_atom(files: dict[str, bytes], tmp_path: Path) -> None:
    assert is_atom(files["feed.xml"])
    assert is_atom(made(tmp_path, OLD, NEW)["feed.xml"])  # nobody said where it will be
    feed = etree.fromstring(files["feed.xml"])
    entries = feed.findall(f"{ATOM}entry")
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == BOOK.title
    assert len({each.findtext(f"{ATOM}id") for each in entries}) == len(entries) == 2
    assert all((each.findtext(f"{ATOM}id") or "").startswith("urn:uuid:") for each in (feed, *entries))
    assert all(link.get("href", "").startswith("https://example.org/ferry/changes/") for link in feed.iter(f"{ATOM}link"))


@pytest.mark.parametrize(("was", "now"), [
    (b"<updated>2026-09-01T00:00:00Z", b"<updated>2026-09-01"), (b"<id>urn:uuid:", b"<ident>urn:uuid:"),
    (b"<author><name>", b"<author><named>"), (b"</feed>", b"<title>again</title></feed>"),
    (b'rel="self"', b'rel="alternate"'), (b'<content type="text">', b'<content type="words">'),
    (b' href="https', b' ref="https'), (b"<summary>", b"<abstract>"),
])  # fmt: skip
def test_what_is_no_atom_is_told(was: bytes, now: bytes, files: dict[str, bytes]) -> None:
    feed = files["feed.xml"]
    assert was in feed
    broken = feed.replace(was, now)
    for name in (b"ident", b"named", b"abstract"):  # closed as it was opened
        old = {b"ident": b"id", b"named": b"name", b"abstract": b"summary"}[name]
        broken = broken.replace(b"</" + old + b">", b"</" + name + b">") if b"<" + name + b">" in broken else broken
    if now == b'rel="alternate"':
        broken = broken.replace(b"application/atom+xml", b"text/html")
    assert not is_atom(broken)


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
    told = change_formats.sheet(flow.compare(OLD, NEW))
    assert len(change_formats.told_briefly(told)) == 3 and len(change_formats.told_briefly(told, 2)) == 2
    assert change_formats.told_briefly(told)[0] == "Warning → Game Loss · 3.1 Foul — Late Boarding"


def test_what_is_told_briefly_is_what_changed_most_and_says_what_it_is() -> None:
    """No bare numbers: "± 1.2" says nothing."""
    def rules(pace: str, *more: Rule) -> Document:
        rule = Rule(id="a", language="en", number="1.1", title=rich(""), body=(rich("The ferry leaves at dawn."),))
        steps = [replace(rule, id=f"b{n}", number=f"1.{n}", body=(rich(f"A rower {pace} pull oar {n} with one hand, at dawn."),))
                 for n in range(2, 7)]  # fmt: skip
        return replace(NEW, entries=(rule, *steps, *more), change_colours=())

    quay = Rule(id="q", language="en", number="2", title=rich("The quay"), body=(rich("Nobody sleeps on the quay while it rains."),))
    whole = change_formats.sheet(flow.compare(rules("can"), rules("will", quay)))
    assert change_formats.told_briefly(whole, 3) == ["± 1.2: can → will", "+ 2 The quay", "… + 4"]
    assert change_formats.told_briefly(whole)[-1] == "+ 2 The quay" and len(change_formats.told_briefly(whole)) == 6
    text = [replace(Prose(id="p", language="en", section=("How to read this",), text=rich(f"Read it {how}, at the quay.")))
            for how in ("twice", "aloud, slowly and twice")]  # fmt: skip
    told = change_formats.sheet(flow.compare(*(replace(NEW, entries=(*NEW.entries, each)) for each in text)))
    assert change_formats.told_briefly(told) == ["± How to read this: aloud, slowly and"]


def test_a_line_of_a_card_ends_with_a_word() -> None:
    long = "± 3.1 Foul — Late Boarding: whoever boards after the bell, by night or by day, waits on the quay"
    [line] = news.Release(name="n", source="n.pdf", sha256="0", title="Ferry", lines=(long,)).short_lines
    assert line == "± 3.1 Foul — Late Boarding: whoever boards after the bell, by night or by day…"


def test_bbcode_holds_the_changes_and_no_marks_of_the_text(files: dict[str, bytes]) -> None:
    said = files["2026-06-01.bbcode.txt"].decode()
    assert "[s]2[/s] [b]5[/b] minutes" in said
    assert change_formats.BBCode().same("a [b] and [/url]") == "a [\u200bb] and [\u200b/url]"
    for mark in ("b", "i", "s", "quote", "size"):
        assert len(re.findall(rf"\[{mark}[\]=]", said)) == said.count(f"[/{mark}]")


NAMES = ("unannounced_count", "unfound", "many_moved", "annotated_moved", "news_first", "news_sheet", "rules")


def test_the_words_are_there_in_every_language() -> None:
    spoken = {path.stem: strings(path.stem)["changes"] for path in (home() / "strings").glob("*.toml")}
    assert len(spoken) == 29
    for name in NAMES:
        assert len({said[name] for said in spoken.values()}) > 25, name  # neighbours may say it in the same words
    for said in spoken.values():
        assert "{n}" in said["many_moved"]
        assert "{n}" in said["unannounced_count"]
        assert "{count}" in said["annotated"]
