"""The samples of sources/: made again they are the same, and what we read in them is what was written."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pipeline import text
from pipeline.export import entry_fields
from pipeline.records import QA, Document, Kind

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "tests" / "samples"
TRUTH = SAMPLES / "truth"
LARGEST = 300_000  # bytes of a sample: the checkout stays small
NAMES = sorted(path.name.removesuffix(".gold.json") for path in TRUTH.glob("*.gold.json"))


def typesetter() -> Any:
    """The script that makes the samples, as a module."""
    spec = importlib.util.spec_from_file_location("typeset", SAMPLES / "typeset.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["typeset"] = module
    spec.loader.exec_module(module)
    return module


def truth(name: str) -> Any:
    return json.loads((TRUTH / f"{name}.json").read_text(encoding="utf-8"))


def pdf_of(name: str) -> Path:
    return next((ROOT / "sources").glob(f"*/{name}.pdf"))


# ---------------------------------------------------------------- made again


MAKE = """
import importlib.util, sys
from pathlib import Path
spec = importlib.util.spec_from_file_location("typeset", sys.argv[1]); module = importlib.util.module_from_spec(spec)
sys.modules["typeset"] = module; spec.loader.exec_module(module)
module.SOURCES = Path(sys.argv[2]); here = module.HERE; dump = module.dump
module.dump = lambda path, value: dump(Path(sys.argv[2]) / path.relative_to(here), value)
module.main([])
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All samples made again: elsewhere, in another time zone, with other hashes."""
    pytest.importorskip("weasyprint")
    folder = tmp_path_factory.mktemp("made")
    surroundings = {**os.environ, "PYTHONHASHSEED": "4711", "TZ": "Pacific/Apia", "LC_ALL": "C"}
    subprocess.run([sys.executable, "-c", MAKE, str(SAMPLES / "typeset.py"), str(folder)], check=True, cwd=folder,
                   env=surroundings, capture_output=True)  # fmt: skip
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_made_again_is_the_same(made: Path, name: str) -> None:
    shipped, again = pdf_of(name), next(made.glob(f"*/{name}.pdf"))
    if json.loads((made / "truth" / "made-with.json").read_text()) == truth("made-with"):
        assert again.read_bytes() == shipped.read_bytes()
    assert letters(again) == letters(shipped)
    assert shipped.stat().st_size < LARGEST


def test_the_truth_made_again_is_the_same(made: Path) -> None:
    if json.loads((made / "truth" / "made-with.json").read_text()) != truth("made-with"):
        pytest.skip("another Pango may begin a page elsewhere")
    for path in (made / "truth").iterdir():
        assert path.read_text(encoding="utf-8") == (TRUTH / path.name).read_text(encoding="utf-8"), path.name


def letters(path: Path) -> dict[str, int]:
    """How often each letter is on the pages: whatever the line breaks are."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    written = "".join(page.get_textpage().get_text_bounded() for page in document)
    return {letter: written.count(letter) for letter in set(written) if letter.isalnum()}


def test_the_quantity_that_the_books_promise() -> None:
    def count(name: str, kind: str) -> int:
        return sum(block["kind"] == kind for block in truth(f"{name}.gold")["blocks"])

    assert count("argance-faq-1.2", "qa") >= 60
    assert count("argance-errata", "erratum") >= 30
    assert count("argance-memo", "definition") >= 30
    assert count("argance-regles", "rule") >= 15
    assert count("orrery-faq", "qa") >= 25


def test_french_is_set_as_french_is_set() -> None:
    """An ordinary space before a high mark, or a typewriter's apostrophe, is a mistake."""
    for path in TRUTH.glob("argance*.gold.json"):
        for line in strings(json.loads(path.read_text(encoding="utf-8"))):
            assert not re.search(r"\w'\w| [?!;:»]|« |\"", line), line


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [each for part in value for each in strings(part)]
    return [value] if isinstance(value, str) else []


# ---------------------------------------------------------------- read


@cache
def reading(name: str) -> Document:
    if not (ROOT / "pipeline" / "classify" / "__init__.py").exists():
        pytest.skip("no classify yet")
    import pipeline

    return pipeline.read(pdf_of(name))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read_is_what_was_written(name: str) -> None:
    """Every entry, in order; lines of the title block and the imprint may be prose, but never part of an entry."""
    gold = truth(f"{name}.gold")
    aside = {folded(gold[key]) for key in ("game", "title", "version", "imprint")}
    got = [told(entry_fields(entry)) for entry in reading(name).entries]
    wanted = [told(block) for block in gold["blocks"] if block["kind"] not in ("section", "subject")]
    assert [entry for entry in got if entry.get("text") not in aside] == wanted


@pytest.mark.parametrize("name", NAMES)
def test_the_title_block_is_read(name: str) -> None:
    wanted, got = truth(f"{name}.gold"), reading(name)
    assert got.language == wanted["language"]
    assert got.date == wanted["date"]
    assert text.fold(got.game or "") == text.fold(wanted["game"])


def told(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry without what a compositor may change: letter case, kinds of quotes and spaces, names of icons."""
    kept = {key: entry.get(key) for key in ("kind", "page", *FIELDS[entry["kind"]])}
    kept["changed"] = bool(entry.get("changed"))
    if entry["kind"] not in ("text", "rule"):  # a rule has its number, and an introduction stands under a title
        kept["section"] = entry["section"]
    if entry["kind"] == "definition":
        refs = entry.get("refs") or [entry.get("ref", "")]
        kept["refs"] = re.findall(r"\d+", " ".join(refs))
    return {key: folded(value) for key, value in kept.items()}


FIELDS = {"qa": ("subject", "question", "answer"), "erratum": ("pages", "target", "changes"), "table": ("title", "rows"),
          "definition": ("term", "aliases", "body"), "rule": ("number", "title", "body"), "text": ("text",)}  # fmt: skip


def folded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: folded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [folded(each) for each in value]
    if isinstance(value, str):
        plain = re.sub(r"\[icon \d+\]", "[icon]", text.fold(value))
        flat = re.sub(r" (?=[,.:;?!])", "", plain)  # an icon's white edge may look like a space
        return re.sub(r"^['\" .]+|['\" .]+$", "", flat)
    return value


# ---------------------------------------------------------------- merged and compared, from the truth itself


def written(name: str) -> Document:
    """A document as a perfect reader would give it: diff and dedup are judged on their own."""
    gold = truth(f"{name}.gold")
    entries = tuple(
        QA(id=f"{name}-{at}", kind=Kind.QA, section=tuple(block["section"]), language=gold["language"], page=block["page"],
           subject=text.rich(block["subject"]) if block["subject"] else None, source=f"{name}.pdf",
           changed=bool(block.get("changed")), question=text.rich(block["question"]),
           answer=tuple(text.rich(part) for part in block["answer"]))
        for at, block in enumerate(gold["blocks"]) if block["kind"] == "qa"
    )  # fmt: skip
    return Document(source=f"{name}.pdf", sha256=name, pages=4, title=gold["title"], game=gold["game"], date=gold["date"],
                    version=gold["version"], language=gold["language"], entries=entries,
                    change_colours=(("#d6007f", "changes"),))  # fmt: skip


@pytest.mark.parametrize("read", [written, reading], ids=["written", "read"])
def test_the_two_releases_differ_as_they_were_written(read: Any) -> None:
    import pipeline

    changes = pipeline.compare(read("argance-faq-1.1"), read("argance-faq-1.2"))
    got = {(str(each.change), name_of(each.new or each.old)) for each in changes.changes if each.kind is Kind.QA}
    got |= {("left_over", name_of(entry)) for entry in changes.left_over}
    wanted = truth("argance-faq-1.1.diff")
    assert got == {(each["change"], text.fold(each["question"])) for each in wanted}
    flips = {name_of(each.new) for each in changes.changes if each.verdict_flipped}
    assert flips == {text.fold(each["question"]) for each in wanted if each.get("flip")}
    marked = {name_of(each.new) for each in changes.changes if each.marked}
    assert marked == {text.fold(each["question"]) for each in wanted if each.get("marked")}


def name_of(entry: Any) -> str:
    return text.fold(entry.question if isinstance(entry, QA) else "")


@pytest.mark.parametrize("read", [written, reading], ids=["written", "read"])
def test_the_faq_and_the_errata_share_what_they_share(read: Any) -> None:
    from pipeline.config import load_overrides
    from pipeline.dedup import dedup

    wanted = truth("argance.duplicates")
    overrides = load_overrides(ROOT / "sources" / "brumes-d-argance")
    book = dedup([read(name) for name in wanted["files"]], None, overrides)
    homes = [(ruling, wordings(ruling)) for ruling in book.rulings if ruling.entry.kind is Kind.QA]

    def home(question: str) -> int:
        return next(at for at, (_, words) in enumerate(homes) if text.fold(question) in words)

    for one, other in wanted["duplicates"] + wanted["by_hand"]:
        ruling = homes[home(one)][0]
        assert home(one) == home(other)
        assert {cite.source for cite in ruling.citations} == {f"{name}.pdf" for name in wanted["files"]}, one
    for one, other in wanted["not_duplicates"]:
        assert home(one) != home(other)
    conflicts = {wording for ruling, words in homes if ruling.conflict for wording in words}
    assert conflicts == {text.fold(question) for pair in wanted["conflicts"] for question in pair}


def wordings(ruling: Any) -> set[str]:
    return {name_of(entry) for entry in (ruling.entry, *ruling.variants, *ruling.disputed)}


# ---------------------------------------------------------------- the files beside the PDFs


@pytest.mark.parametrize("folder", sorted((ROOT / "sources").iterdir()), ids=lambda path: path.name)
def test_every_file_of_a_book_is_understood(folder: Path) -> None:
    from pipeline.config import load_book, load_overrides, sources
    from pipeline.event import event_files, load_event, load_layer

    assert sources(folder, load_book(folder))
    load_overrides(folder)
    for path in event_files(folder):
        event, home = load_event(path)
        assert all(load_layer(home / name).rulings for name in event.layers)
