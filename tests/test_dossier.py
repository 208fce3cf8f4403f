"""Dossiers, the index and references: each ruling once under a name, found from every other, by page."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

import pytest
from conftest import ROOT
from pypdf import PdfReader

from pipeline import flow
from pipeline.config import BookSettings
from pipeline.records import (
    QA,
    AnyEntry,
    Book,
    Change,
    Citation,
    Definition,
    Document,
    Erratum,
    Operation,
    Past,
    Prose,
    Rule,
    Ruling,
)
from pipeline.render import dossier, editions
from pipeline.render.look import look
from pipeline.render.paper import print_pdf
from pipeline.render.products import Press
from pipeline.text import rich

COMMON: dict[str, Any] = {"language": "en", "page": 1, "source": "a.pdf"}


def qa(name: str, question: str, answer: str = "No.", subject: str | None = None, section: str = "Cards") -> QA:
    held = rich(subject) if subject else None
    return QA(id=name, question=rich(question), answer=(rich(answer),), subject=held, section=(section,), **COMMON)


def book(*entries: AnyEntry, **more: Any) -> Book:
    rulings = tuple(Ruling(entry=each, code=f"GEN-{place}") for place, each in enumerate(entries, start=1))
    document = Document(source="a.pdf", sha256="0" * 64, pages=3, title="FAQ")
    return Book(name="tide", title="Tide Book", language="en", rulings=rulings, documents=(document,), **more)


HERON = (
    qa("q1", "Can it fly?", "Yes.", "Glass Heron (#7)"), qa("q2", "Does a Glass Heron molt?", section="General"),
    Definition(id="d1", term=rich("Molt"), aliases=("Mue",), body=(rich("Feathers are dropped."),), section=("Glossary",), **COMMON),
    Erratum(id="e1", pages=(4,), target=rich("Stratagems, Deepest Shadow"), section=("Errata",), **COMMON),
    qa("q3", "Do both count?", subject="Ebb (#3) / Long Flow (#4)"), qa("q4", "And then?", section="General"),
    Prose(id="p1", text=rich("Thanks to Marta Lindqvist and Otto Berg."), section=("Glossary",), **COMMON),
)  # fmt: skip


def press(made: Book) -> Press:
    return Press(made, BookSettings(), None, lambda html, pictures: html.encode())


# ---------------------------------------------------------------- dossiers


def held(made: Book) -> dict[str, dossier.Dossier]:
    letters, _ = dossier.lettered(editions.edition(made, cites="name", indexed=False))
    return {each.name: each for _, each_letter in letters for each in each_letter}


def test_every_ruling_stands_once_under_a_name_or_at_the_end() -> None:
    edition = editions.edition(book(*HERON), cites="name", indexed=False)
    letters, rest = dossier.lettered(edition)
    printed = [each.anchor for _, group in letters for one in group for each in one.rulings] + [each.anchor for each in rest]
    assert sorted(printed) == sorted(each.anchor for each in edition.rulings)
    assert [each.entry.id for each in rest] == ["q4", "p1"]


def test_a_sample_book_loses_nothing_in_its_dossiers() -> None:
    made, settings = flow.open_book(ROOT / "sources" / "brumes-d-argance")
    edition = editions.edition(replace(made, language=settings.language or "fr"), cites="name", indexed=False)
    letters, rest = dossier.lettered(edition)
    printed = [each.anchor for _, group in letters for one in group for each in one.rulings] + [each.anchor for each in rest]
    assert sorted(printed) == sorted(each.anchor for each in edition.rulings)
    salicorne = next(one for _, group in letters for one in group if one.name == "Mère Salicorne")
    assert len(salicorne.rulings) == 2 and [each.name for each in salicorne.elsewhere] == ["Cercle de sel"]


def test_what_stands_elsewhere_is_referred_to_by_name_and_page() -> None:
    names = held(book(*HERON))
    [other] = names["Molt"].elsewhere
    assert (other.said, other.verdict, other.name) == ("Does a Glass Heron molt?", "No.", "Glass Heron")
    page = press(book(*HERON)).page("dossier")
    assert re.search(r'Does a Glass Heron molt\? <b>No\.</b> <span class="source see">→&#160;Glass Heron<a href="#r-q2">', page)
    assert "target-counter(attr(href), page)" in page


def test_definition_errata_and_rulings_of_a_name_follow_each_other() -> None:
    entries = (qa("q1", "Can it fly?", subject="Heron"), Erratum(id="e", pages=(3,), target=rich("Heron"), **COMMON),
               Definition(id="d", term=rich("Heron"), body=(rich("A bird."),), **COMMON))  # fmt: skip
    assert [each.entry.id for each in held(book(*entries))["Heron"].rulings] == ["d", "e", "q1"]


def test_what_stands_under_a_name_does_not_say_it_again() -> None:
    """Its page stands beside the name; what has another title, or comes second, keeps its own."""
    entries = (Erratum(id="e", pages=(3,), target=rich("Heron"), changes=(Change(operation=Operation.INSERT, new=(rich("It wades."),)),), **COMMON),
               Definition(id="d", term=rich("Ebb"), aliases=("Reflux",), body=(rich("Water goes."),), **COMMON),
               Erratum(id="f", pages=(9,), target=rich("Ebb"), changes=(Change(operation=Operation.INSERT, new=(rich("It stays."),)),), **COMMON),
               Rule(id="r", number="4", title=rich("Long Flow"), body=(rich("Water comes."),), **COMMON))  # fmt: skip
    names = held(book(*entries))
    assert [each.headed for each in names["Heron"].rulings] == [True] and names["Heron"].pages == (3,)
    assert [each.headed for each in names["Ebb"].rulings] == [True, False] and names["Ebb"].pages == ()
    assert not names["Long Flow"].rulings[0].headed, "its number stands with its title"
    page = press(book(*entries)).page("dossier")
    body = re.sub(r"<[^>]*>", " ", page.partition("<body")[2])
    assert body.count("Heron") == 1 and re.search(r"Heron\s+p\.\s3\s+add\s+It wades\.\s+GEN-1", body)
    assert re.search(r"Ebb\s+GEN-2\s+Reflux\s+Water goes\..*p\.\s9\s+Ebb", body, re.DOTALL)


def test_sources_are_never_alone_on_the_last_page() -> None:
    for lines in range(20, 44, 4):
        entry = replace(qa("q", "Can it fly?", subject="Glass Heron"), answer=tuple(rich(f"It flies {number} times.") for number in range(lines)))
        made = press(book(entry))
        last = PdfReader(io.BytesIO(print_pdf(made.page("dossier"), made.pictures))).pages[-1].extract_text()
        assert "Sources" in last and "It flies" in last, lines


def test_a_dossier_tells_what_earlier_releases_said() -> None:
    past = Past(entry="q1", date="2026-05", words=(("=", "Can it"), ("-", "swim"), ("+", "fly"), ("=", "?")))
    page = press(book(*HERON, past=(past,))).page("dossier")
    assert re.search(r"Changed May 2026.{0,40}Can it.{0,9}<s>swim.{0,9}</s>.{0,9}<u>fly", page, re.DOTALL)
    assert "swim" not in press(book(*HERON, past=(past,))).page("booklet")


def test_the_past_of_a_sample_book_is_told_by_its_releases() -> None:
    made, _ = flow.open_book(ROOT / "sources" / "brumes-d-argance", with_past=True)
    changed = {each.entry for each in made.past}
    told = [ruling for ruling in made.rulings if ruling.entry.id in changed]
    assert len(told) > 5 and all(ruling.since for ruling in told)
    assert all(each.date == "2026-09" and any(sign in "+-" for sign, _ in each.words) for each in made.past)


# ---------------------------------------------------------------- the index


def test_the_index_names_what_questions_are_about_and_no_credits() -> None:
    lines = {line.term: line.anchors for letter in editions.edition(book(*HERON)).index for line in letter.lines}
    assert lines["Deepest Shadow"] == ("r-e1",) and lines["Ebb"] == lines["Long Flow"] == ("r-q3",)
    assert lines["Mue"] == ("r-d1",)
    assert not {"Marta Lindqvist", "Otto Berg", "Stratagems", "General"} & set(lines)


def test_singular_and_plural_are_one_line_and_inverted_names_are_filed_by_their_own_letter() -> None:
    entries = (Definition(id="d", term=rich("Comet"), body=(rich("x"),), **COMMON), Erratum(id="e", pages=(3,), target=rich("Comets"), **COMMON),
               Prose(id="p", text=rich("word " * 500), **COMMON), qa("q", "Do comets sink?", section="General"), HERON[3])  # fmt: skip
    index = editions.edition(book(*entries)).index
    assert {letter.letter: [line.term for line in letter.lines] for letter in index} == {"C": ["Comet"], "D": ["Deepest Shadow"]}
    assert index[0].lines[0].anchors == ("r-d", "r-q")


def test_a_word_that_everything_names_leads_to_what_it_means() -> None:
    asked = [qa(f"q{n}", f"May the crew {n} row?", section="General") for n in range(40)]
    term = Definition(id="d", term=rich("Crew"), body=(rich("x"),), **COMMON)
    [letter] = editions.edition(book(term, *asked)).index
    assert [line.anchors for line in letter.lines] == [("r-d",)]


# ---------------------------------------------------------------- references


def referred(product: str) -> str:
    rulings = book(*HERON[:3], Rule(id="r", number="2.1", title=rich("Wading"), section=("Rules",), **COMMON), HERON[5]).rulings
    linked = replace(rulings[1], see_also=("q1", "d1", "r", "q4"))
    made = replace(book(), rulings=(rulings[0], linked, *rulings[2:]))
    page = press(made).page(product)
    match = re.search(r'<span class="source see">(.*?)</span>', page)
    assert match
    return re.sub(r"\s+", " ", match[1])


def test_a_booklet_refers_by_name_and_page() -> None:
    said = referred("booklet")
    assert said == ('→&#160;Glass Heron<a href="#r-q1"></a> · Molt<a href="#r-d1"></a> · 2.1 Wading<a href="#r-r"></a>'
                    ' · General GEN-5<a href="#r-q4"></a>')  # fmt: skip


def test_a_ruling_says_its_own_source_before_what_it_refers_to() -> None:
    """ "→ Glass Heron, p. 2 p. 7" would be two pages of one thing."""
    linked = replace(book(*HERON).rulings[1], see_also=("q1",), citations=(Citation(source="a.pdf", page=2),))
    page = press(replace(book(*HERON), rulings=(book(*HERON).rulings[0], linked))).page("booklet")
    assert re.search(r'<span class="source">GEN-2\u00a0[^<]*2</span> <span class="source see">→&#160;Glass Heron', page)


def test_what_has_no_pages_refers_by_name_and_code() -> None:
    said = referred("sheet")
    assert '<a href="#r-q1">Glass Heron GEN-1</a>' in said and '<a href="#r-q4">General GEN-5</a>' in said


@pytest.mark.parametrize(("product", "paged"), [("booklet", True), ("reader", True), ("sheet", False), ("zine", True), ("cards", False)])
def test_only_pages_with_numbers_are_referred_to(product: str, paged: bool) -> None:
    assert look(product).paged is paged
