"""A long book is printed in parts: as one book, whose pages count on and whose contents tell the right page."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pypdf
import pytest

from pipeline.errors import ConfigError, OutputError
from pipeline.records import QA, Book, Citation, Document, Ruling
from pipeline.render import long_print, paper, print_guarded, products
from pipeline.text import rich

WORDS = ["lantern", "ferry", "salt", "warden", "bridge", "tide", "ember", "quarrel", "marsh", "stone"]


def book(count: int) -> Book:
    rulings = []
    for n in range(count):
        section = (f"Chapter of the {WORDS[n * 3 // count]}", f"Part {n * 6 // count}")
        entry = QA(id=f"q{n}", question=rich(f"May number {n} pass the {WORDS[n % 10]}?"), language="en", page=1, section=section,
                   answer=(rich(" ".join(WORDS * 6) + f", says ruling {n}."),), subject=rich(f"{WORDS[n // 4 % 10].title()} {n // 4}"),
                   source="faq.pdf")  # fmt: skip
        rulings.append(Ruling(entry=entry, citations=(Citation(source="faq.pdf", page=1),), code=f"GEN-{n + 1}"))
    source = Document(source="faq.pdf", sha256="0" * 64, pages=9, title="A & B", language="en", entries=tuple(r.entry for r in rulings))
    return Book(name="long", title="The long FAQ", language="en", documents=(source,), rulings=tuple(rulings))


def page(product: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(products, "PARTED", 100)
    return products.Press(book(36), None, None, paper.print_pdf).page(product)


def outline(reader: pypdf.PdfReader) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []

    def below(items: list[object], depth: int) -> None:
        for item in items:
            if isinstance(item, list):
                below(item, depth + 1)
            else:
                found.append((depth, item["/Title"]))  # type: ignore[index]

    below(reader.outline, 0)  # type: ignore[arg-type]
    return found


def text(reader: pypdf.PdfReader) -> str:
    return " ".join(" ".join(each.extract_text() for each in reader.pages).split())


def tags(reader: pypdf.PdfReader) -> int:
    """How many pages and links find their tags, each by a number of its own, on the page that the tags are of."""
    nums = reader.root_object["/StructTreeRoot"]["/ParentTree"]["/Nums"]  # type: ignore[index]
    held, found = dict(zip(nums[::2], nums[1::2], strict=True)), 0
    assert list(held) == sorted(held)
    for each in reader.pages:
        for tag in held[each["/StructParents"]]:
            assert tag.get_object()["/Pg"].indirect_reference == each.indirect_reference
        found += 1
        for link in each.get("/Annots", ()):
            assert link.get_object()["/StructParent"] in held
            found += 1
    return found if found == len(held) else -1


@pytest.mark.parametrize("product", ["booklet", "sheet", "reader"])
def test_parts_are_one_book(product: str, monkeypatch: pytest.MonkeyPatch) -> None:
    html = page(product, monkeypatch)
    held = long_print.parted(html, most=len(html) // 2)
    assert len(held) >= 2 and long_print.parted(html) == [html]
    told: list[str] = []
    made = pypdf.PdfReader(io.BytesIO(long_print.printed(held, paper.print_pdf, told.append)))
    whole = pypdf.PdfReader(io.BytesIO(paper.print_pdf(html)))
    for number in range(36):
        assert text(made).count(f"says ruling {number}.") == 1
    assert outline(made) == outline(whole)
    assert made.named_destinations.keys() == whole.named_destinations.keys()
    assert told[: len(held)] == [f"part {n + 1} of {len(held)}" for n in range(len(held))]
    assert not [link for each in made.pages for link in each.get("/Annots", ()) if long_print.ELSEWHERE in str(link.get_object())]
    assert tags(made) == len(made.pages) + sum(len(each.get("/Annots", ())) for each in made.pages)
    if product == "booklet":
        numbers = [(n, re.sub(r"(?<=FAQ)(?=\d)", " ", " ".join(each.extract_text().split()))) for n, each in enumerate(made.pages, 1)]
        assert all(re.search(rf"\b{number}\b", told) for number, told in numbers[2:]), "its number stands on each page"
        for chapter in range(3):
            title = f"{chapter + 1} Chapter of the {WORDS[chapter]} Part"  # as the band, with what follows it
            number = next(number for number, told in numbers[1:] if title in told)
            listed = f"{numbers[0][1]} {numbers[1][1]}"  # on the cover where they are few
            assert re.search(rf"Chapter of the {WORDS[chapter]}\D*{number}\b|\b{number} (?:{chapter + 1} · )?Chapter of the {WORDS[chapter]}", listed)


def test_an_index_of_few_words_a_line_is_in_smaller_parts() -> None:
    """An element takes the memory of many letters: 20,000 rulings had half a gigabyte more for the part of their index."""
    line, text = "<p><a>x</a></p>", "x" * 1_000
    html = '<html><body data-parted=""><!--part -->' + f"{text}<!--part -->" * 20 + f"{line * 70}<!--part -->" * 20 + "</body></html>"
    held = long_print.parted(html, most=12_000)
    elements, letters = [part.count("</") for part in held], [len(part) for part in held]
    assert max(elements) * long_print.TAG < 13_000 and max(letters) < 13_000 and len(held) > len(html) / 12_000
    assert sum(part.count("x") for part in held) == html.count("x")


def test_a_book_in_parts_carries_the_mark_of_its_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Or it would be printed anew by every build."""
    html = page("sheet", monkeypatch)
    monkeypatch.setattr(long_print, "PART_OF_A_BOOK", len(html) // 2)
    monkeypatch.setattr(render_module(), "_print_in_child", lambda part, pictures: paper.print_pdf(part))
    (tmp_path / "sheet.pdf").write_bytes(print_guarded(html, {}))
    assert products._carries(tmp_path / "sheet.pdf", paper.identifier(html, {}))


def render_module() -> object:
    import importlib

    return importlib.import_module("pipeline.render")


def test_a_short_book_has_no_marks() -> None:
    assert "<!--part" not in products.Press(book(8), None, None, paper.print_pdf).page("booklet")


def test_what_is_too_long_is_said_before_the_work_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "LONGEST", 1_000)
    with pytest.raises(ConfigError, match="too many for one book – split"):
        products.Press(book(8), None, None, paper.print_pdf)
    monkeypatch.setattr(render_module(), "LONGEST", 1_000)
    with pytest.raises(OutputError, match="too long to print"):
        print_guarded("x" * 1_001, {})


def test_how_long_a_long_book_takes_is_said_before_its_first_part(monkeypatch: pytest.MonkeyPatch) -> None:
    module, said = render_module(), []
    monkeypatch.setattr(long_print, "PART_OF_A_BOOK", 4_000)
    monkeypatch.setattr(module, "_print_in_child", lambda html, pictures: said.append("printed") or paper.print_pdf(html, pictures))
    monkeypatch.setattr(module, "_join_in_child", long_print.joined)
    print_guarded(page("booklet", monkeypatch), {}, said.append)
    assert "million characters: printed in" in said[0] and said[0].endswith("some 1 minute")
    assert said.index("printed") > 0
