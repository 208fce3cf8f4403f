"""Handouts, from the command to the paper; those of the sample event are printed in tests/test_walks.py."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pdfplumber
import pytest
from pdfs import Paper

from pipeline.cli import main
from pipeline.config import BookSettings
from pipeline.event import Event, ExtraBlock, HandoutSettings, Layer, LayerRuling
from pipeline.handout import Handout, add_layers, prepare
from pipeline.records import QA, Book, Document, Erratum, Rule, Ruling, Since, Table
from pipeline.render import handouts, page_room, print_pdf
from pipeline.render.editions import edition
from pipeline.text import rich
from tests.conftest import ROOT

SAMPLE = ROOT / "sources" / "brumes-d-argance"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "argance"
    shutil.copytree(SAMPLE, made)
    return made


@pytest.mark.slow
def test_the_phone_says_what_the_paper_says(folder: Path, tmp_path: Path) -> None:
    (folder / "event.toml").write_text(re.sub(r"(?s)\[\[handouts\]\].*", "", (folder / "event.toml").read_text("utf-8")) +
                                       '[[handouts]]\nform = "web"\n', "utf-8")  # fmt: skip
    assert main(["handout", str(folder / "event.toml"), "-o", str(tmp_path / "out"), "--quiet"]) == 0
    web = (tmp_path / "out/web.html").read_text("utf-8")
    assert "<h1>Coupe des Trois-Anguilles</h1>" in web and "30\u00a0septembre\u00a02026" in web.replace(" ", "\u00a0")
    [house] = re.findall(r"<article[^>]*>(?:(?!</article>).)*c’est la FAQ qui s’applique.*?</article>", web, re.DOTALL)
    assert 'class="layer"' in house and "Coupe des Trois-Anguilles" in house and 'class="code"' in house
    assert 'class="other' in house  # what it puts aside is behind it, no longer a ruling of its own
    assert web.count("Puis-je dépenser du sel pour un combattant hors de combat ?") < 4
    assert "Le surcoût est payé en entrant" in web and "Aucun verre sur les tables" in web and "Accueil, café" in web
    chapters = re.findall(r"<h2>(.*?)</h2>", web)
    assert len(chapters) == len(set(chapters))  # a ruling of a layer parts no chapter


@pytest.mark.parametrize(("budget", "pages"), [(2, 2), (3, 2), (5, 4)])
def test_cards_keep_an_odd_budget(tmp_path: Path, budget: int, pages: int) -> None:
    held = {"language": "fr", "page": 1, "source": "a.pdf"}
    asked = [QA(id=f"q{n}", question=rich(f"Et la barque {n} ?"), answer=(rich("Non."),), **held) for n in range(60)]
    book = Book(name="x", title="x", language="fr", rulings=tuple(Ruling(entry=each, code=f"GEN-{each.id}") for each in asked))
    made = prepare(book, Event(name="Coupe"), HandoutSettings(form="cards", pages=budget))
    [(_, printed, _)] = handouts.write([made], BookSettings(), tmp_path, lambda line: None)
    assert printed == pages


def test_a_layer_shows_its_sections_and_no_ruling_stands_under_a_foreign_subject() -> None:
    said = (LayerRuling(text=("Une dette.",), section="Cartes", subject="Passeur"), LayerRuling(text=("La cloche.",), section="Tournois"),
            LayerRuling(text=("Sans nom.",), section="Cartes"), LayerRuling(text=("Rien.",), section="Tournois", subject="Passeur"))  # fmt: skip
    book = add_layers(Book(name="x", title="x", language="fr"), [Layer(by="Ligue", rulings=said)])
    seen: list[str] = []
    handouts.paper(prepare(book, Event(name="Coupe"), HandoutSettings()), BookSettings(), lambda html, pictures: seen.append(html) or b"")  # type: ignore[func-returns-value]
    own = seen[0].split('class="own"')[1].split("</section>")[0]
    order = re.findall(r">(Cartes|Tournois|Passeur|Sans nom\.|Une dette\.|La cloche\.|Rien\.)", own)
    assert order == ["Cartes", "Sans nom.", "Passeur", "Une dette.", "Tournois", "La cloche.", "Passeur", "Rien."]


@pytest.mark.parametrize(
    ("find", "put", "says"),
    [
        ('kinds = ["qa", "erratum", "table"]', 'sections = ["Combatt"]', "select.sections"),
        ('date = "2026-11-21"', 'date = "21/11/2026"', "event.toml: date"),
        ("pages = 2", "pages = 0", "handouts 1.pages"),
        ('name = "cards-changed"', "pages = 1", "handouts 4.pages: a sheet of cards has two pages, front and back – say 2"),
        ('freeze = "2026-09-30"', 'freeze = "2001-01-01"', "event.toml: freeze: no source is left"),
        ("layers/communaute.md", "layers/absent.md", "event.toml: layers 1"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], find: str, put: str, says: str
) -> None:
    event = folder / "event.toml"
    text = event.read_text("utf-8")
    assert find in text
    event.write_text(text.replace(find, put, 1), "utf-8")
    assert main(["handout", str(event), "-o", str(tmp_path / "out"), "--quiet"]) == 7
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_running_head_takes_no_room(tmp_path: Path) -> None:
    """It goes over all columns, and one line in the first of three is no page."""
    paper = Paper().page()
    paper.text(20, 25, "The Winter Cup")
    paper.text(450, 25, "Movement")
    paper.text(20, 50, "The one line that was too much.")
    assert 1 < page_room.length(paper.save(tmp_path / "two.pdf").read_bytes(), columns=3, head=11) < 1.1


def test_the_sample_claims_as_changed_what_its_book_marks(folder: Path) -> None:
    """Only one release of three of its documents is here: what is in them is new to the sheet, not changed."""
    from pipeline import flow

    marked = {ruling.code for ruling in flow.open_book(folder, jobs=1)[0].rulings if ruling.since}
    seen: list[Handout] = []

    def keep(prepared: list[Handout], *rest: object) -> list[object]:
        seen.extend(prepared)
        return []

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(handouts, "write", keep)
        flow.handouts(folder / "event.toml", None, jobs=1)
    changed = {ruling.code for ruling in seen[0].book.rulings if ruling.since and not ruling.layer}
    assert changed and changed <= marked
    assert [each.source for each in seen[0].new_here] == ["argance-errata.pdf", "argance-memo.pdf"]


def test_what_changed_says_its_section_and_a_pocket_booklet_has_contents() -> None:
    held = {"language": "fr", "page": 1, "source": "a.pdf"}
    entries = [QA(id=f"q{n}", question=rich("Qui ?"), answer=(rich("Non."),), section=("Livre", f"Partie {n // 2}"), subject=rich(f"Barque {n}"), **held)
               for n in range(8)]  # fmt: skip
    rulings = tuple(Ruling(entry=each, code=f"GEN-{each.id}", since=Since.CHANGED if each.id == "q7" else None) for each in entries)
    made = prepare(Book(name="x", title="x", language="fr", rulings=rulings), Event(name="Coupe", last_event="2026-01-01"), HandoutSettings(form="pocket"))
    seen: list[str] = []
    handouts.paper(made, BookSettings(), lambda html, pictures: seen.append(html) or b"")  # type: ignore[func-returns-value]
    news = seen[0].split('class="news"')[1].split("</section>")[0]
    assert "Partie 3" in news and "Barque 7" in news and "GEN-q7" in news
    assert "Sommaire" in seen[0] and seen[0].split('class="quick"')[1].split("</p>")[0].count("<a ") == 4


def test_what_changed_says_the_chapter_of_its_section_where_it_changes() -> None:
    held = {"language": "fr", "page": 1, "source": "a.pdf", "answer": (rich("Non."),)}
    sections = (("Mer", "Vent"), ("Mer", "Vent"), ("Mer", "Houle"), ("Port", "Vent"), ("Cale", "Vent"))
    entries = [QA(id=f"q{n}", question=rich("Qui ?"), section=section, **held) for n, section in enumerate(sections)]
    rulings = tuple(Ruling(entry=each, code=f"GEN-{each.id}", since=Since.CHANGED) for each in entries)
    made = prepare(Book(name="x", title="x", language="fr", rulings=rulings), Event(name="Coupe", last_event="2026-01-01"), HandoutSettings())
    seen: list[str] = []
    handouts.paper(made, BookSettings(), lambda html, pictures: seen.append(html) or b"")  # type: ignore[func-returns-value]
    heads = re.findall(r'<h3 class="title">(.*?)</h3>', seen[0].split('class="news"')[1].split("</section>")[0])
    assert [re.sub("<[^>]+>", "", head) for head in heads] == ["Mer › Vent", "Houle", "Port › Vent", "Cale › Vent"]


def test_few_chapters_of_a_pocket_booklet_list_what_is_under_them() -> None:
    entries = [QA(id=f"q{n}", question=rich("Qui ?"), answer=(rich("Non."),), section=(("Mer", "Port")[n % 2], f"Partie {n}"), source="a.pdf") for n in (0, 2, 1, 3)]
    made = handouts._contents(edition(Book(name="x", title="x", language="fr", rulings=tuple(Ruling(entry=each) for each in entries))))
    assert [title for _, title in made] == ["Mer", "Partie 0", "Partie 2", "Port", "Partie 1", "Partie 3"]


def test_a_timetable_takes_one_column(tmp_path: Path) -> None:
    block = ExtraBlock(title="Samedi", rows=(("Heure", "Quoi"), ("9:00", "Accueil"), ("9:45", "Ronde 1")))
    rulings = tuple(Ruling(entry=QA(id=f"q{n}", question=rich(f"Et la barque {n} ?"), answer=(rich("Elle coule, puis remonte. " * 4),), source="a.pdf"), code=f"GEN-{n}")
                    for n in range(40))  # fmt: skip
    made = prepare(Book(name="x", title="x", language="fr", rulings=rulings), Event(name="Coupe", blocks=(block,)), HandoutSettings(pages=1))
    (_, _, path), = handouts.write([made], BookSettings(), tmp_path, lambda line: None)
    with pdfplumber.open(path) as pdf:
        words = pdf.pages[0].extract_words()
    [table] = [word for word in words if word["text"] == "Samedi"]
    beside = [word for word in words if abs(word["top"] - table["top"]) < 20 and word["x0"] > table["x1"] + 60]
    assert beside, "rulings stand beside it"


def test_gaps_are_found_where_columns_end_early(tmp_path: Path) -> None:
    held = {"source": "a.pdf", "language": "fr"}
    rulings = tuple(Ruling(entry=QA(id=f"q{n}", question=rich(f"Et la barque {n} ?"), answer=(rich("Elle coule. " * 8),), **held), code=f"GEN-{n}") for n in range(5))
    made = replace(prepare(Book(name="x", title="x", language="fr", rulings=rulings), Event(name="Coupe"), HandoutSettings(pages=1)), columns=2)
    shape = handouts._look(made, BookSettings())
    pdf = handouts.paper(made, BookSettings(), print_pdf)
    [gap] = page_room.gaps(pdf, made, shape, 1)
    assert gap.ids == {f"q{n}" for n in range(5)}
    column = (shape.height - shape.top - shape.bottom) * 72 / 25.4
    assert 1.3 * column < gap.room < 2 * column, "five short rulings leave most of two columns"
    [more] = page_room.gaps(pdf, made, shape, 2)
    assert more.room == pytest.approx(gap.room + 2 * column, abs=9), "a page that would be blank is room, too"
    assert 0.5 < page_room.height(rulings[0], shape) / (4 * shape.line) < 1.5


def test_cards_of_what_changed_are_not_made_where_nothing_did(tmp_path: Path) -> None:
    entry = QA(id="q", question=rich("Qui ?"), answer=(rich("Non."),), language="fr", page=1, source="a.pdf")
    book = Book(name="x", title="x", language="fr", rulings=(Ruling(entry=entry, code="GEN-1"),))
    made = prepare(book, Event(name="Coupe", last_event="2026-01-01"), HandoutSettings(form="cards", changed_only=True))
    said: list[str] = []
    assert handouts.write([made], BookSettings(), tmp_path, said.append) == [] and not list(tmp_path.iterdir())
    assert said == ["cards: not made: nothing changed since the last event"]


HOSTILE = '<script>alert(1)</script>{{7*7}}"><img src=x onerror=y>'


def test_text_of_events_and_layers_is_text() -> None:
    book = Book(name="x", title=HOSTILE, language="fr", documents=(Document(source="a.pdf", sha256="0" * 64, pages=1, title=HOSTILE),))
    layer = Layer(by=HOSTILE, rulings=(LayerRuling(question=HOSTILE, answer=(HOSTILE,), subject=HOSTILE, section=HOSTILE),))
    event = Event(name=HOSTILE, place=HOSTILE, judges=(HOSTILE,), url="https://example.org/?a=<b>",
                  blocks=(ExtraBlock(title=HOSTILE, text=(HOSTILE,), rows=((HOSTILE,),)),))  # fmt: skip
    made = prepare(add_layers(book, [layer]), event, HandoutSettings(audience="judges"))
    seen: list[str] = []
    handouts.paper(replace(made, columns=2), BookSettings(), lambda html, pictures: seen.append(html) or b"")  # type: ignore[func-returns-value]
    assert "<script" not in seen[0] and "<img src=x" not in seen[0] and "49" not in seen[0].split("<body>")[1]
    assert "{{7*7}}" in seen[0]


def test_judges_get_codes_an_index_and_a_log() -> None:
    layer = Layer(by="Ligue", rulings=(LayerRuling(question="Qui ?", answer=("Non.",), subject="Éclaireur"),))
    book = add_layers(Book(name="x", title="x", language="fr"), [layer])
    seen: dict[str, str] = {}
    for audience in ("players", "judges"):
        made = prepare(book, Event(name="Coupe"), HandoutSettings(audience=audience))  # type: ignore[arg-type]

        def keep(html: str, pictures: object, audience: str = audience) -> bytes:
            seen[audience] = html
            return b""

        handouts.paper(made, BookSettings(), keep)
    code = book.rulings[0].code
    assert code in seen["players"] and code in seen["judges"]
    assert 'class="log"' in seen["judges"] and 'class="log"' not in seen["players"]
    assert 'class="finder"' in seen["judges"] and 'class="finder"' not in seen["players"]


def test_the_index_of_judges_names_rules_and_what_is_amended() -> None:
    held = {"language": "fr", "page": 1, "source": "a.pdf"}
    entries = (Rule(id="r", title=rich("Abordage"), body=(rich("Voici."),), **held), Erratum(id="e", target=rich("Harpon"), **held),
               QA(id="q", question=rich("Qui ?"), answer=(rich("Non."),), **held))  # fmt: skip
    book = Book(name="x", title="x", language="fr", rulings=tuple(Ruling(entry=each, code=f"GEN-{each.id}") for each in entries))
    assert [(line.term, line.codes) for line in handouts._index(book)] == [("Abordage", ("GEN-r",)), ("Harpon", ("GEN-e",))]
    seen: list[str] = []
    for pages in (1, 2):
        made = prepare(book, Event(name="Coupe"), HandoutSettings(audience="judges", pages=pages))
        handouts.paper(made, BookSettings(), lambda html, pictures: seen.append(html) or b"")  # type: ignore[func-returns-value]
    assert ['<a href="#r-e"></a>' in html.split('class="finder"')[1] for html in seen] == [False, True], "with pages, where there are several"


def test_cards_fill_their_sheets(tmp_path: Path) -> None:
    """Nine on a sheet, whatever they say; one that is too long for a card takes two, and a table none."""
    held = {"language": "fr", "page": 1, "source": "a.pdf"}
    table = Table(id="t", rows=((rich("1"), rich("2")),), **held)
    asked = [QA(id=f"q{n}", question=rich(f"Et la barque {n} ?"), answer=(rich("Non. " + "Elle coule. " * n * 2),), **held) for n in range(60)]
    book = Book(name="x", title="x", language="fr", rulings=tuple(Ruling(entry=each, code=f"GEN-{each.id}") for each in (table, *asked)))
    made = prepare(book, Event(name="Coupe"), HandoutSettings(form="cards", pages=4))
    (fitted, pages, _), = handouts.write([made], BookSettings(), tmp_path, lambda line: None)
    assert pages == 4 and len(fitted.book.rulings) > 15
    assert all(ruling.entry.kind != "table" for ruling in fitted.book.rulings)


def test_a_qr_code_has_its_quiet_zone() -> None:
    squares = handouts._qr("https://example.org")
    assert squares is not None and squares.path.startswith("M4 4") and handouts._qr(None) is None
