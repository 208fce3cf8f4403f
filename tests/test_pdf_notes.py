"""``diff --annotate``: the publisher's PDF with what changed on it, read back from the file."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from browser import Browser, chromium, missing
from lxml import etree
from PIL import Image

from pipeline import flow, pdf_notes
from pipeline.cli import main
from pipeline.diff import entry_text
from pipeline.diff.highlights import pins
from pipeline.extract import extract, some_pages
from pipeline.extract.characters import Characters
from pipeline.pdf_notes import COLOURS, letters, segments, spots
from pipeline.records import Box, Changes, Page, Run, Shape
from pipeline.render.words import words as strings

BOOK = Path(__file__).parent.parent / "sources" / "brumes-d-argance"
NEAR = 6  # of 255: two ways of drawing the same colour
LOOKS, FLAT = 60, 20  # times a page is looked at until it is there; colours of a window in which nothing is drawn yet
OLD, NEW = BOOK / "argance-faq-1.1.pdf", BOOK / "argance-faq-1.2.pdf"


@pytest.fixture(scope="module")
def changes() -> Changes:
    return flow.compare(flow.read(OLD), flow.read(NEW))


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("copies")
    made = folder / "new.pdf", folder / "old.pdf"
    assert main(["diff", str(OLD), str(NEW), "--annotate", str(made[0]), "--annotate-old", str(made[1]), "--quiet"]) == 0
    return made


def boxes(path: Path) -> list[tuple[int, list[tuple[float, float, float, float]]]]:
    """The page of every highlight, and its boxes: left, bottom, right, top."""
    found = []
    with pikepdf.open(path) as pdf:
        for number, page in enumerate(pdf.pages):
            for each in annotations(page, "/Highlight"):
                quads = [float(value) for value in each.QuadPoints]
                lines = [quads[at : at + 8] for at in range(0, len(quads), 8)]
                found.append((number, [(min(q[::2]), min(q[1::2]), max(q[::2]), max(q[1::2])) for q in lines]))
    return found


def under(path: Path) -> list[str]:
    """The words under every highlight, as pdfium finds them, which is Chromium's reader, too."""
    with pypdfium2.PdfDocument(path) as drawn:
        pages = [drawn[number].get_textpage() for number in range(len(drawn))]
        return [" ".join(pages[number].get_text_bounded(*box) for box in held) for number, held in boxes(path)]


def under_in_poppler(path: Path) -> list[str]:
    """The words whose middle lies under every highlight, as poppler finds them."""
    told = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, check=True).stdout
    pages = etree.fromstring(told).findall(".//{*}page")
    found = []
    for number, held in boxes(path):
        high = float(pages[number].get("height"))
        words = [(each.text, *(float(each.get(name)) for name in ("xMin", "yMin", "xMax", "yMax")))
                 for each in pages[number].findall("{*}word")]  # fmt: skip
        found += [" ".join(word for word, x0, top, x1, bottom in words
                           if a <= (x0 + x1) / 2 <= c and b <= high - (top + bottom) / 2 <= d)
                  for a, b, c, d in held]  # fmt: skip
    return found


def annotations(page: Any, kind: str) -> list[Any]:
    return [each for each in page.obj.get("/Annots", []) if each.Subtype == kind]


@pytest.mark.parametrize(("at", "sign"), [(0, "+"), (1, "-")])
def test_every_highlight_lies_on_words_that_changed(
    at: int, sign: str, copies: tuple[Path, Path], changes: Changes
) -> None:
    edited = letters(" ".join(text for told in changes.changes for each, text in told.words if each == sign))
    found = [letters(text) for text in under(copies[at])]
    assert len(found) >= 6
    assert [text for text in found if text not in edited] == []


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler, the other reader, is not installed")
@pytest.mark.parametrize(("at", "sign"), [(0, "+"), (1, "-")])
def test_poppler_finds_the_same_words_under_the_highlights(
    at: int, sign: str, copies: tuple[Path, Path], changes: Changes
) -> None:
    edited = letters(" ".join(text for told in changes.changes for each, text in told.words if each == sign))
    found = [letters(text) for text in under_in_poppler(copies[at])]
    assert sum(map(len, found)) > 100
    assert [text for text in found if text not in edited] == []


ASTRAY = 0.06  # of the highlights: one that goes over two stretches of changed words is not one of them


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [("releases/ipg-2019-05-03", "releases/ipg-2019-07-12"),
                                          ("releases/86challenge_rules_2024-12-18", "marks/86challenge_2025"),
                                          ("releases/onstage_rules_2025", "marks/rcj_onstage_2026")])  # fmt: skip
def test_highlights_in_real_publications_lie_on_changed_words(shared: Path, old: str, new: str, tmp_path: Path) -> None:
    before, after = (shared / "real" / f"{name}.pdf" for name in (old, new))
    if not before.is_file() or not after.is_file():
        pytest.skip("these releases are not beside this checkout")
    told = flow.compare(flow.read(before), flow.read(after))
    made = {"+": tmp_path / "new.pdf", "-": tmp_path / "old.pdf"}
    asked = ["--annotate", str(made["+"]), "--annotate-old", str(made["-"]), "-o", str(tmp_path / "sheet.html"), "-q"]
    assert main(["diff", str(before), str(after), *asked]) == 0
    for sign, copy in made.items():
        edited = letters(" ".join(text for each in told.changes for kind, text in each.words if kind == sign))
        for reader in (under, under_in_poppler) if shutil.which("pdftotext") else (under,):
            found = [letters(text) for text in reader(copy)]
            astray = [text for text in found if text not in edited]
            assert len(found) > 10 and len(astray) <= max(1, ASTRAY * len(found)), astray


def _line(*pieces: tuple[str, float, float], baseline: float = 100.0) -> tuple[Run, ...]:
    return tuple(Run(text=text, x0=x0, x1=x1, top=baseline - 8, bottom=baseline + 2, baseline=baseline, font="F", size=10.0)
                 for text, x0, x1 in pieces)  # fmt: skip


def test_struck_words_are_passed_over() -> None:
    """The publisher left "he" on the page, with a stroke through it: the text reads on behind it."""
    runs = _line(("The pilot moors the boat if", 50, 170), ("he", 173, 183), ("they deem it fit.", 186, 260))
    through = Shape(box=Box(x0=172.5, top=97.0, x1=183.5, bottom=97.6), fill="#ff00ff")
    page = Page(number=1, width=400, height=600, runs=runs, shapes=(through,))
    text = "The pilot moors the boat if they deem it fit."
    [spot] = spots(text, text.index("they"), text.index(" deem"), segments(page))
    assert 185 < spot.box.x0 < 187
    [first, second] = spots(text, 0, len(text), segments(page))
    assert first.box.x1 < 172 < 184 < second.box.x0


class _Drawn(Characters):
    """A page whose characters were measured already: (character, left, right, baseline)."""

    def __init__(self, drawn: list[tuple[str, float, float, float]]) -> None:
        self.text = "".join(char for char, *_ in drawn)
        self._boxes = [(char, Box(x0=x0, top=y - 8, x1=x1, bottom=y + 2)) for char, x0, x1, y in drawn]

    def letters(self, first: int, last: int) -> list[tuple[str, Box]]:
        return self._boxes[first:last]


def _measured_word(drawn: list[tuple[str, float, float, float]]) -> tuple[float, float]:
    """Where "mow" of "ill mow" is found, on the second of two lines that say the same."""
    runs = (*_line(("ill mow", 50, 110)), *_line(("ill mow", 50, 110), baseline=140.0))
    page = Page(number=1, width=400, height=600, runs=runs)
    second = segments(page)[1:]
    [spot] = spots("ill mow", 4, 7, second, measure=partial(pdf_notes.measured_on, _Drawn(drawn)))
    return spot.box.x0, spot.box.x1


def test_letters_are_where_they_were_measured() -> None:
    edges = [(50, 53), (53, 56), (56, 59), (60, 61), (62, 80), (80, 90), (90, 110)]
    lines = [[(char, x0, x1, y) for char, (x0, x1) in zip("ill mow", edges, strict=True)] for y in (100.0, 140.0)]
    assert _measured_word([*lines[0], *lines[1]]) == (62, 110)
    [shifted, last] = [[(char, x0 + 2, x1 + 2, y) for char, x0, x1, y in line] for line in lines]
    assert _measured_word([*lines[0], *last]) == (64, 112)  # not where the other line has them
    assert _measured_word([*last[4:], *shifted, *last[:4]]) == (64, 112)  # drawn in pieces
    reckoned = _measured_word(lines[0])  # a line that is not there as it was read
    assert reckoned not in ((62, 110), (64, 112))


def test_pages_are_the_same_when_they_are_read_alone() -> None:
    whole = {page.number: page for page in extract(NEW).pages}
    assert {number: page.runs for number, page in some_pages(NEW, {2, 1}).items()} == {1: whole[1].runs, 2: whole[2].runs}
    assert some_pages(NEW, {len(whole) + 1}) == {}


def test_words_that_stand_there_twice_are_not_marked_by_chance() -> None:
    page = Page(number=1, width=400, height=600,
                runs=(*_line(("The boat leaks.", 50, 110)), *_line(("Sell the boat.", 50, 110), baseline=140.0)))  # fmt: skip
    lines = segments(page)
    lost = {"text": "row the boat home now", "start": 4, "end": 12, "row": False}
    alone = {"text": "the boat", "start": 0, "end": 8, "row": False, "alone": True}
    assert pdf_notes._find(lines, {"passages": [{**lost, "or": [alone]}]}) == []
    once = {**alone, "text": "leaks", "end": 5}
    assert len(pdf_notes._find(lines, {"passages": [{**lost, "or": [once]}]})) == 1


def test_all_that_changed_is_highlighted(copies: tuple[Path, Path], changes: Changes) -> None:
    said = letters(" ".join(under(copies[0])))
    come = [text for told in changes.changes for sign, text in told.words if sign == "+" and len(letters(text)) > 20]
    assert len(come) > 4
    assert all(letters(line)[3:20] in said for text in come for line in text.split("\n") if len(letters(line)) > 22)


def _marked_in(picture: Image.Image) -> int:
    """How many points of a picture have the colour of a highlight."""
    sure = [tuple(round(255 * part) for part in colour) for colour in COLOURS.values()]
    counts: Counter[tuple[int, ...]] = Counter(
        {point: count for count, point in picture.convert("RGB").getcolors(1 << 24) if len(set(point)) > 1}
    )
    return sum(count for point, count in counts.items()
               if any(max(abs(a - b) for a, b in zip(point, each, strict=True)) <= NEAR for each in sure))  # fmt: skip


def _shown(browser: Browser, file: Path, page: int, out: Path) -> Image.Image:
    """A page as the browser's own viewer shows it, when it has come to rest."""
    browser.open("about:blank")
    browser.open(f"{file.as_uri()}#toolbar=0&view=Fit&page={page}")
    before = b""
    for _ in range(LOOKS):
        time.sleep(0.5)
        browser.picture(out)
        picture = out.read_bytes()
        if picture == before and len(Image.open(out).getcolors(1 << 24)) > FLAT:
            break
        before = picture
    return Image.open(out)


@pytest.mark.browser
def test_chromium_shows_the_highlights(copies: tuple[Path, Path], tmp_path: Path) -> None:
    if why := missing():
        pytest.skip(why)
    page = boxes(copies[0])[0][0]
    drawn = []
    for path in (NEW, copies[0]):
        with pypdfium2.PdfDocument(path) as pdf:
            drawn.append(_marked_in(pdf[page].render(scale=1.0).to_pil()))
    with chromium(tmp_path / "profile") as browser:
        browser.size(1000, 1200)
        without = _marked_in(_shown(browser, NEW, page + 1, tmp_path / "without.png"))
        marked = _marked_in(_shown(browser, copies[0], page + 1, tmp_path / "marked.png"))
    assert 0 < drawn[1] - drawn[0] <= marked - without  # it is shown larger


def test_nothing_but_notes_is_added(copies: tuple[Path, Path]) -> None:
    with pikepdf.open(NEW) as before, pikepdf.open(copies[0]) as after:
        for was, now in zip(before.pages, after.pages, strict=True):
            assert was.Contents.read_bytes() == now.Contents.read_bytes()
            assert len(annotations(was, "/Link")) == len(annotations(now, "/Link"))


def test_the_old_wording_is_in_the_note_and_every_change_has_a_bookmark(
    copies: tuple[Path, Path], changes: Changes
) -> None:
    from pypdf import PdfReader

    with pikepdf.open(copies[0]) as pdf:
        notes = [str(each.Contents) for page in pdf.pages for each in annotations(page, "/Text")]
    gone = next(text for told in changes.changes if told.verdict_flipped for sign, text in told.words if sign == "-")
    assert any(gone.strip() in note for note in notes)
    removed = [entry_text.whole(told.old) for told in changes.changes if told.new is None and told.old]
    assert removed and all(any(text[:60] in note for note in notes) for text in removed)
    below = PdfReader(copies[0]).outline[-1]
    assert isinstance(below, list) and len(below) == sum(not told.about_document for told in changes.changes)


def test_two_copies_are_the_same_to_the_byte(copies: tuple[Path, Path], changes: Changes, tmp_path: Path) -> None:
    again = flow.annotate_changes(NEW, changes, tmp_path / "again.pdf")
    assert again.read_bytes() == copies[0].read_bytes()


def test_a_note_says_what_the_publisher_says() -> None:
    from test_announcements import NEW as LATER
    from test_announcements import OLD as EARLIER

    notes = pins(flow.compare(EARLIER, LATER), dict(strings("en")["changes"]), lambda entry: [entry.page])
    assert any("Late passengers now lose the game." in note["text"] for note in notes)
    assert [note["title"] for note in notes if note["listed"]][:2] == ["± 3.1 Foul — Late Boarding", "± 3.2 Foul — Loose Ropes"]


@pytest.mark.parametrize("more", [["--annotate", str(NEW)], ["--annotate", "x.txt"], ["--annotate-old", str(OLD)],
                                  ["--annotate", "x.pdf", "--rulebook", str(OLD)]])  # fmt: skip
def test_a_source_is_never_written_over(more: list[str]) -> None:
    before = NEW.read_bytes(), OLD.read_bytes()
    assert main(["diff", str(OLD), str(NEW), *more]) == 2
    assert (NEW.read_bytes(), OLD.read_bytes()) == before
