"""No word of a real page is lost: what another reader sees is exported, furniture or hidden, or ``check`` names it."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from pipeline import cross_check, ledger
from pipeline.extract import extract
from pipeline.flow import understand
from pipeline.records import Document, Finding, Heading, Kind, Prose
from pipeline.text import rich

SHARED = Path(__file__).parents[2] / "shared"
PAGES_MAX = 178  # of all real publications; it only falls. Most are headings with nothing under them
PARTS = ("real", "corpus", "bench")
CUT_OTHERWISE = 4  # words of a page that two readers cut differently: raised figures, initials, letters on letters


def sources() -> list[Path]:
    found = (path for part in PARTS for path in (SHARED / part).rglob("*.pdf"))
    return sorted(path for path in found if "sealed" not in path.parts)


def document(text: str, *furniture: str, headings: tuple[str, ...] = ()) -> Document:
    entry = Prose(id="1", kind=Kind.TEXT, page=1, text=rich(text), addresses=("p1.c1.l1",))
    return Document(
        source="a.pdf", sha256="", pages=1, language="en", entries=(entry,),
        headings=tuple(Heading(text=rich(line), level=1, page=1) for line in headings),
        furniture=tuple(Heading(text=rich(line), level=0, page=1) for line in furniture),
    )  # fmt: skip


def lost(seen: str, made: Document, hidden: str = "") -> list[str]:
    return [finding.message.rpartition(": ")[2] for finding in ledger.lost_words([seen], made, [hidden])]


def test_a_word_that_is_exported_nowhere_is_named_with_its_page() -> None:
    made = ledger.lost_words(["Move the model twice."], document("Move the model."))
    assert [(each.code, each.page) for each in made] == [("words-lost", 1)]
    assert made[0].message.endswith(": twice")


def test_furniture_and_hidden_words_are_not_lost() -> None:
    assert lost("Rules v2 Move now. secret", document("Move now.", "Rules v2"), "secret") == []


def test_a_heading_counts_where_a_path_has_it() -> None:
    assert lost("Deployment Move now.", document("Move now.", headings=("Deployment",))) == ["deployment"]


def test_words_that_a_line_cuts_are_not_lost() -> None:
    assert lost("the second move-\nment of a model, an\u00adother", document("the second movement of a model, another")) == []


@cache
def read(path: Path) -> tuple[Document, tuple[str, ...], tuple[Finding, ...]]:
    drawn = extract(path)
    hidden = tuple(" ".join(run.text for run in page.hidden) for page in drawn.pages)
    made = understand(drawn)
    return made, hidden, tuple(cross_check.cross_check(path.read_bytes(), drawn, made))


real = pytest.mark.skipif(not SHARED.is_dir(), reason="the real publications are not beside this checkout")


@pytest.mark.slow
@real
@pytest.mark.skipif(not shutil.which("pdftotext"), reason="poppler, the other reader, is not installed")
@pytest.mark.parametrize("path", sources(), ids=lambda path: path.stem)
def test_no_word_of_a_real_page_is_lost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "SHOWN", 100_000)
    made, hidden, findings = read(path)
    named = {(each.page, word) for each in findings if each.code == "words-lost" for word in each.message.split()}
    pages = {each.page for each in findings if each.code in ("text-disagrees", "damaged-text", "too-complex")}
    told = subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True).stdout.decode("utf-8", "replace")
    for finding in ledger.lost_words(told.split("\f")[:-1], made, hidden):
        words = finding.message.rpartition(": ")[2].split()
        unnamed = [word for word in words if (finding.page, word) not in named]
        assert len(unnamed) <= CUT_OTHERWISE or finding.page in pages, (finding.page, unnamed)


@pytest.mark.slow
@real
def test_ever_fewer_pages_have_words_that_are_only_named() -> None:
    pages = sum(each.code == "words-lost" for path in sources() for each in read(path)[2])
    assert pages <= PAGES_MAX
