"""What is new in a book -> a page of all releases, an Atom feed, a picture of each to post in a chat."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline import store

CARD = 84  # letters of a line on a card: what its width holds
TAKEN = ("index", "feed")  # names of our own files
UNDATED = "1970-01-01"  # a feed wants a day for everything
_UNFIT = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML
_SPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://rubricator.invalid/")  # of our names; "invalid" is nobody's


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A release of a document of the book, with what is new in it."""

    name: str  # of its files, without a suffix
    source: str
    sha256: str
    title: str
    date: str | None = None
    version: str | None = None
    summary: str = ""  # empty: there is none before it
    lines: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The same however many releases come after it."""
        return f"urn:uuid:{uuid.uuid5(_SPACE, f'release {self.sha256}')}"

    @property
    def updated(self) -> str:
        return f"{((self.date or UNDATED) + '-01-01')[:10]}T00:00:00Z"

    @property
    def short_lines(self) -> list[str]:
        cut = [line[:CARD].rsplit(" ", 1)[0].rstrip(" ,;:—–-") for line in self.lines]
        return [line if len(line) <= CARD else f"{start}…" for line, start in zip(self.lines, cut, strict=True)]


def write(
    releases: Sequence[Release], title: str, out: Path, *, url: str = "", language: str | None = None, author: str = ""
) -> list[Path]:
    """The page, the feed and the cards, the newest release first; ``url`` is where the folder will be."""
    from pipeline.render import page, print_guarded
    from pipeline.render.web import faces

    newest = sorted(releases, key=lambda each: (each.updated, each.name), reverse=True)
    base = f"{url.rstrip('/')}/{out.name}/" if url else ""
    worth_telling = [each for each in newest if each.summary]
    context = {"releases": newest, "title": title, "base": base}
    feed = {**context, "id": f"urn:uuid:{uuid.uuid5(_SPACE, f'book {title}')}", "author": author or title,
            "updated": worth_telling[0].updated if worth_telling else f"{UNDATED}T00:00:00Z"}  # fmt: skip
    letters = "".join(sorted(set(page.html("news.html.j2", {**context, "faces": ""}, language=language))))
    index = page.html("news.html.j2", {**context, "faces": faces(letters)}, language=language)
    written = [store.write(out / "index.html", index)]
    written.append(store.write(out / "feed.xml", _UNFIT.sub("", page.html("feed.xml.j2", feed, language=language))))
    for each in worth_telling:
        card = print_guarded(page.html("card.html.j2", {"each": each}, language=language), {})
        written.append(store.write(out / f"{each.name}.png", _picture(card)))
    return written


def _picture(pdf: bytes) -> bytes:
    from pipeline.picture import first_page

    return first_page(pdf)
