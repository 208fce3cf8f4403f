"""``diff --annotate``: the publisher's PDF with what changed on it, read back from the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from rapidfuzz.fuzz import partial_ratio

from pipeline import flow
from pipeline.cli import main
from pipeline.diff import parts
from pipeline.diff.pins import pins
from pipeline.pin import letters
from pipeline.records import Changes
from pipeline.render.words import words as strings

BOOK = Path(__file__).parent.parent / "sources" / "brumes-d-argance"
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


def under(path: Path) -> list[str]:
    """The words under every highlight."""
    found = []
    with pikepdf.open(path) as pdf, pypdfium2.PdfDocument(path) as drawn:
        for number, page in enumerate(pdf.pages):
            text = drawn[number].get_textpage()
            for each in annotations(page, "/Highlight"):
                quads = [float(value) for value in each.QuadPoints]
                lines = [quads[at : at + 8] for at in range(0, len(quads), 8)]
                boxes = [(min(line[::2]), min(line[1::2]), max(line[::2]), max(line[1::2])) for line in lines]
                found.append(" ".join(text.get_text_bounded(*box) for box in boxes))
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
    # The edge of a highlight may take half a letter more, or leave one.
    assert all(text[1:-1] in edited or partial_ratio(text, edited) > 95 for text in found)


def test_all_that_changed_is_highlighted(copies: tuple[Path, Path], changes: Changes) -> None:
    said = letters(" ".join(under(copies[0])))
    come = [text for told in changes.changes for sign, text in told.words if sign == "+" and len(letters(text)) > 20]
    assert len(come) > 4
    assert all(letters(line)[3:20] in said for text in come for line in text.split("\n") if len(letters(line)) > 22)


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
    removed = [parts.whole(told.old) for told in changes.changes if told.new is None and told.old]
    assert removed and all(any(text[:60] in note for note in notes) for text in removed)
    below = PdfReader(copies[0]).outline[-1]
    assert isinstance(below, list) and len(below) == sum(not told.about_document for told in changes.changes)


def test_two_copies_are_the_same_to_the_byte(copies: tuple[Path, Path], changes: Changes, tmp_path: Path) -> None:
    again = flow.annotate_changes(NEW, changes, tmp_path / "again.pdf")
    assert again.read_bytes() == copies[0].read_bytes()


def test_a_note_says_what_the_publisher_says() -> None:
    from test_announced import NEW as LATER
    from test_announced import OLD as EARLIER

    notes = pins(flow.compare(EARLIER, LATER), dict(strings("en")["changes"]), lambda entry: [entry.page])
    assert any("Late passengers now lose the game." in note["text"] for note in notes)
    assert [note["title"] for note in notes if note["listed"]][:2] == ["± 3.1 Foul — Late Boarding", "± 3.2 Foul — Loose Ropes"]


@pytest.mark.parametrize("more", [["--annotate", str(NEW)], ["--annotate", "x.txt"], ["--annotate-old", str(OLD)],
                                  ["--annotate", "x.pdf", "--rulebook", str(OLD)]])  # fmt: skip
def test_a_source_is_never_written_over(more: list[str]) -> None:
    before = NEW.read_bytes(), OLD.read_bytes()
    assert main(["diff", str(OLD), str(NEW), *more]) == 2
    assert (NEW.read_bytes(), OLD.read_bytes()) == before
