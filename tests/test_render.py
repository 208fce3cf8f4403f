"""Printing: what stands in a product, how it is set, and what is refused."""

from __future__ import annotations

import builtins
import ctypes
import io
import logging
import math
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree.ElementTree import Element

import pdfplumber
import pikepdf
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from pypdfium2 import raw

from pipeline import flow
from pipeline.config import BookSettings, load_book
from pipeline.errors import ConfigError, MissingPartError, OutputError, SourceError, UsageError
from pipeline.printed_pages import printed_pages
from pipeline.records import (
    QA,
    Book,
    Change,
    Citation,
    Definition,
    Document,
    Erratum,
    Operation,
    Prose,
    Rule,
    Ruling,
    Since,
    Span,
    Table,
    Text,
)  # fmt: skip
from pipeline.render import (
    PRODUCTS,
    datasheets,
    editions,
    fonts,
    line_columns,
    page,
    paper,
    paragraph_forms,
    print_guarded,
    print_pdf,
    products,
    render,
    render_all,
    render_template,
    table_layout,
    text_forms,
    web,
    words,
)
from pipeline.render.cards import sheets
from pipeline.render.look import SMALLEST, Look, look
from pipeline.text import rich

ROOT = Path(__file__).parent.parent
LANGUAGES = tuple(sorted(path.stem for path in (ROOT / "templates/strings").glob("*.toml")))
PRINTED = ("booklet", "booklet-print", "sheet", "reader", "cards", "slips", "zine", "zine-print")
SENTENCES = (
    "Le passeur pose sa lanterne avant de compter les pas qui le séparent de la rive.",
    "Aucun jeton ne quitte la réserve tant que la marée monte.",
    "Le joueur qui tient le gouvernail choisit l’ordre des effets, puis les annonce à voix haute.",
    "Un combattant trempé avance de deux pas au plus, même sur un ponton.",
)


def question(number: int, **more: Any) -> QA:
    """A question that can be found again: its words hold its number."""
    asked = f"La situation numéro {number} permet-elle au passeur de jouer avant la marée ?"
    told = " ".join(SENTENCES[(number + each) % 4] for each in range(1 + number % 4)) + " Voir ici." * (number % 5)
    held: dict[str, Any] = {
        "id": f"q{number}", "question": rich(asked), "answer": (rich(("Oui. ", "Non. ", "")[number % 3] + told),),
        "section": ("FAQ", f"Partie {number // 40}"), "subject": rich(f"Carte {number // 3} (n° {number // 3})"),
        "language": "fr", "page": 1 + number // 9, "source": "faq.pdf",
    }  # fmt: skip
    return QA(**{**held, **more})


def ruled(entry: Any, number: int = 1, **more: Any) -> Ruling:
    return Ruling(
        entry=entry, code=f"GEN-{number}", citations=(Citation(source=entry.source, page=entry.page),), **more
    )


FAQ = Document(source="faq.pdf", sha256="0f" * 32, pages=14, title="Brumes : FAQ", game="Brumes", version="1.2", date="2026-09",
               language="fr")  # fmt: skip
COMMON = {"section": ("FAQ",), "language": "fr", "page": 3, "source": "faq.pdf"}


def book(*rulings: Ruling, **more: Any) -> Book:
    return Book(**{"name": "brumes", "title": "L’aide du passeur", "game": "Brumes", "language": "fr", "date": "2026-09",
                   "documents": (FAQ,), "rulings": rulings, **more})  # fmt: skip


def every_kind() -> Book:
    """One of each form, with everything that can stand around it."""
    styled = Text((Span(text="Un "), Span(text="dé", bold=True), Span(text=" ★ ou "), Span(text="[griffe]", icon="Mist:E001"),
                   Span(text=" <b>&amp; {{ 7*7 }}</b>")))  # fmt: skip
    old = question(900, answer=(rich("Non."),))
    return book(
        ruled(question(1, answer=(rich("Oui. "), rich("• d’abord"), Text((Span(text="• ensuite"),), 1))), 1,
              since=Since.CHANGED, since_date="2026-09", see_also=("d1",)),
        ruled(question(2), 2, conflict=True, disputed=(old,), variants=(question(3, question=rich("Et autrement ?")),)),
        ruled(Erratum(id="e1", pages=(177,), target=rich("Riposte"), changes=(
            Change(operation=Operation.REPLACE, instruction=rich("Remplacez « 10 pas » par « 12 pas »."),
                   old=rich("10 pas"), new=(rich("12 pas"),)),
            Change(operation=Operation.CLARIFY, new=(rich("La riposte suit toujours l’attaque."),))), **COMMON), 3),
        ruled(Erratum(id="e2", pages=(12,), target=rich("Marée"), changes=(
            Change(operation=Operation.DELETE, instruction=rich("Supprimez la phrase.")),), **COMMON), 4),
        ruled(Definition(id="d1", term=rich("Étal"), aliases=("Stall",), refs=("p. 12",), body=(rich("Table basse."),), **COMMON), 5),
        ruled(Rule(id="u1", number="V-A-1", title=rich("Courir"), body=(rich("On court."), rich("• vite")), **COMMON), 6),
        ruled(Table(id="t1", title=rich("Effets"), rows=((rich("Jet"), rich("Effet")), (rich("1"), rich("Rien"))), **COMMON), 7),
        ruled(Prose(id="p1", text=styled, **COMMON), 8),
        ruled(Prose(id="p2", text=rich("Reste à lire."), unread=True, **COMMON), 9),
    )  # fmt: skip


@pytest.fixture(scope="module")
def long_book() -> Book:
    return book(*(ruled(question(number), number) for number in range(1, 91)))


@pytest.fixture(scope="module")
def booklet(long_book: Book, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(long_book, "booklet", tmp_path_factory.mktemp("booklet") / "booklet.pdf")


def pages_of(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as pdf:
        texts = [each.get_textpage().get_text_bounded() for each in pdf]
    return [re.sub(r"\s+", " ", re.sub(r"[-\ufffe]\r?\n", "", text)) for text in texts]


# ---------------------------------------------------------------- products


class Overheard(logging.Handler):
    """What WeasyPrint says while it prints."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Every product of the book of every kind, printed once, and what was said meanwhile."""
    folder, ear = tmp_path_factory.mktemp("printed"), Overheard()
    logging.getLogger("weasyprint").addHandler(ear)
    render_all(every_kind(), BookSettings(), folder, products=PRINTED, printer=print_pdf)
    logging.getLogger("weasyprint").removeHandler(ear)
    return folder, ear.said


def test_nothing_is_printed_with_a_warning(printed: tuple[Path, list[str]]) -> None:
    folder, said = printed
    assert said == []
    assert sorted(path.stem for path in folder.iterdir()) == sorted(PRINTED)


@pytest.mark.parametrize("product", PRINTED)
def test_every_product_holds_every_kind(product: str, printed: tuple[Path, list[str]]) -> None:
    text = " ".join(each.extract_text() for each in PdfReader(printed[0] / f"{product}.pdf").pages)
    assert "177" in text
    if product != "slips":
        assert "numéro 1" in text


@pytest.mark.parametrize("theme", ["red", "black", "large"])
def test_themes_keep_type_readable_and_black_is_black(
    theme: str, tmp_path: Path, printed: tuple[Path, list[str]]
) -> None:
    settings = BookSettings(theme=theme)  # type: ignore[arg-type]
    red = printed[0] / "sheet.pdf"
    path = red if theme == "red" else render(every_kind(), "sheet", tmp_path / "out.pdf", settings=settings)
    chars = [char for each in pdfplumber.open(path).pages for char in each.chars if char["size"] > 0]
    assert min(char["size"] for char in chars) >= SMALLEST - 0.01
    if theme == "black":
        assert all(len(set(char["non_stroking_color"])) == 1 for char in chars)


@pytest.mark.parametrize(("paper_name", "width"), [("A4", 420), ("Letter", 396)])
def test_a_booklet_is_its_paper_folded(paper_name: str, width: int) -> None:
    shape = look("booklet", BookSettings(paper=paper_name))  # type: ignore[arg-type]
    assert round(shape.width * 72 / 25.4) == width


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_in_the_books_language(language: str) -> None:
    made = page.html("booklet.html.j2", booklet_context(replace(every_kind(), language=language)), language=language)
    ours = words.words(language)
    assert ours["unofficial"] in made.replace("&#39;", "'")
    assert ours["operations"]["replace"] in made


def booklet_context(of: Book) -> Mapping[str, Any]:
    from pipeline.render.products import _context

    return _context(editions.edition(of), look("booklet"))


def test_an_unknown_product_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="booklet"):
        render(every_kind(), "poster", tmp_path / "x.pdf")


# ---------------------------------------------------------------- the booklet, as a reader holds it


def test_a_question_stands_with_its_subject_and_its_answer(booklet: Path, long_book: Book) -> None:
    pages = pages_of(booklet)
    for ruling in long_book.rulings:
        entry = ruling.entry
        assert isinstance(entry, QA)
        start, end = (
            f"numéro {entry.id[1:]} permet",
            str(entry.answer[0]).removeprefix("Oui. ").removeprefix("Non. ")[:30],
        )
        [where] = [text for text in pages if start in text]
        assert end in where[where.index(start) :]


def test_pages_are_full_and_none_is_empty(booklet: Path) -> None:
    pages = pages_of(booklet)
    body = pages[3:-2]
    assert sum(map(len, body)) / len(body) >= 2000
    assert min(map(len, pages)) > 120


def hard_book() -> Book:
    """What real sources hold and samples do not: endless entries, bold headings in texts, lists, wide tables, long names."""
    long = tuple(rich(" ".join(SENTENCES * (2 + n % 3))) for n in range(6))
    boxed = (Text((Span(text="Plouf", bold=True),)), *long[:2], rich("On choisit :"), rich("• l’eau"), rich("• la rive"))
    cells = tuple(tuple(rich(f"{'Recommandation ' * (1 + (row + column) % 3)}{row}{column}") for column in range(8)) for row in range(9))
    change = Change(operation=Operation.INSERT, instruction=rich("Ajoutez l’encadré suivant :"), new=boxed)
    rulings = []
    for n in range(1, 25):
        section = (f"PARTIE {n // 5} QUI PORTE UN NOM BIEN TROP LONG POUR LA TÊTE D’UNE PAGE", f"Titre {n // 4}")
        common = {**COMMON, "section": section}
        rulings += [
            question(n, section=section, subject=rich(f"Sujet {n // 2} dont le nom ne tient pas sur une ligne, ni sur deux" * (n % 2 + 1))),
            Rule(id=f"u{n}", number=f"{n}.1", title=rich(f"Règle {n}"), body=(*boxed, *long[: n % 4]), **common),
            Definition(id=f"d{n}", term=rich(f"Terme {n}"), body=(rich("Voici :"), rich("• un"), rich("• deux")), **common),
            Erratum(id=f"e{n}", pages=(n, n + 1, n + 2), target=rich(f"Cible {n}"), changes=(change,), **common),
        ]
        rulings += [Table(id=f"t{n}", title=rich(f"Table {n}"), rows=cells, header_rows=1, **common)] if n % 9 == 0 else []
        rulings += [question(1000 + n, section=section, subject=None, question=rich(" ".join(SENTENCES * 2)))]
    return book(*(ruled(entry, n, since=Since.CHANGED if n % 5 == 0 else None, since_date="2026-09") for n, entry in enumerate(rulings)))


def column_ends(page_: Any, shape: Look) -> list[list[dict[str, Any]]]:
    """The letters of the last line of each column."""
    left, step = shape.inside * 72 / 25.4, (shape.room + shape.gap) / shape.columns * 72 / 25.4
    ends = []
    for at in range(shape.columns):
        held = [char for char in page_.chars if char["top"] > shape.top * 2.6 and left <= char["x0"] + 12 - at * step < left + step]
        lowest = max((char["bottom"] for char in held), default=0)
        ends.append([char for char in held if char["bottom"] > lowest - 3])
    return ends


@pytest.fixture(scope="module", params=["booklet", "sheet", "reader", "zine"])
def hard(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Look, list[Any]]:
    out = render(hard_book(), request.param, tmp_path_factory.mktemp("hard") / f"{request.param}.pdf")
    return look(request.param), letters_of(out)


def letters_of(path: Path) -> list[Any]:
    """The letters of each page, as pdfplumber has them, by pdfium: a long book takes it a tenth of the time."""
    sheets = []
    box, shape, name, flags = raw.FS_RECTF(), raw.FS_MATRIX(), ctypes.create_string_buffer(128), ctypes.c_int()
    for sheet in pypdfium2.PdfDocument(path):
        (width, height), text, chars = sheet.get_size(), sheet.get_textpage(), []
        for at in range(text.count_chars()):
            if raw.FPDFText_IsGenerated(text, at):  # a space or the end of a line that nobody printed
                continue
            raw.FPDFText_GetLooseCharBox(text, at, box)
            raw.FPDFText_GetMatrix(text, at, shape)
            raw.FPDFText_GetFontInfo(text, at, name, len(name), flags)
            chars.append({"text": chr(raw.FPDFText_GetUnicode(text, at)), "fontname": name.value.decode(),
                          "size": raw.FPDFText_GetFontSize(text, at) * math.hypot(shape.c, shape.d),
                          "x0": box.left, "x1": box.right, "top": height - box.top, "bottom": height - box.bottom})  # fmt: skip
        sheets.append(SimpleNamespace(chars=chars, width=width, height=height))
    return sheets


@pytest.mark.slow
def test_no_heading_and_no_question_ends_a_column(hard: tuple[Look, list[Any]]) -> None:
    shape, pages = hard
    for number, each in enumerate(pages[2:-4], start=3):
        for line in column_ends(each, shape):
            said = "".join(char["text"] for char in line)
            styles = {char["fontname"].split("-", 1)[-1] for char in line if char["text"].strip()}
            assert not styles <= {"Sans-Bold", "Sans-Semi-Bold", "Serif-Bold"}, (number, said)
            assert not said.endswith(":"), (number, said)


@pytest.mark.slow
def test_nothing_is_too_small_or_off_its_page_and_no_page_is_nearly_empty(hard: tuple[Look, list[Any]]) -> None:
    for number, each in enumerate(hard[1], start=1):
        held = [char for char in each.chars if char["size"] > 0 and char["text"].strip()]
        assert min(char["size"] for char in held) >= SMALLEST - 0.01
        assert min(char["x0"] for char in held) > 0 and max(char["x1"] for char in held) < each.width, number
        assert max(char["bottom"] for char in held) < each.height, number
        assert len(held) > 100, number


@pytest.mark.parametrize("size", [6.5, 9.0])
@pytest.mark.parametrize("product", ["sheet", "zine", "cards", "booklet"])
def test_no_type_size_makes_any_type_too_small(product: str, size: float, tmp_path: Path) -> None:
    chosen = BookSettings(type_size=size)
    path = render(every_kind(), product, tmp_path / "x.pdf", settings=chosen)
    with pdfplumber.open(path) as pdf:
        assert min(char["size"] for each in pdf.pages for char in each.chars if char["size"] > 0) >= SMALLEST - 0.01


def test_tabs_stand_at_the_places_of_the_chapters_on_the_page(tmp_path: Path) -> None:
    """WeasyPrint leaves running elements behind on a page whose end a heading is moved away from."""
    many = book(*(ruled(question(n, section=(f"Section {n // 7}",), subject=None), n) for n in range(90)))
    with pdfplumber.open(render(many, "booklet", tmp_path / "b.pdf")) as pdf:
        chapter, tops = "", {}
        for each in pdf.pages[2:-1]:
            begun = re.findall(r"^(\d+) Section", each.crop((0, 60, each.width, each.height)).extract_text(), re.MULTILINE)
            chapter = begun[0] if begun else chapter
            edges = [drawn for drawn in (*each.rects, *each.curves) if drawn["x1"] < 15 or drawn["x0"] > each.width - 15]
            assert len({chapter, tops.setdefault(round(min(drawn["top"] for drawn in edges)), chapter)}) == 1, each.page_number
    assert len(tops) > 5 and list(tops) == sorted(tops)


@pytest.mark.parametrize(("lines", "pages"), [(40, 1), (41, 1), (44, 1), (47, 2), (90, 3)])
def test_a_last_page_of_a_few_lines_is_spared(lines: int, pages: int) -> None:
    style = f"{fonts.faces()} @page {{ size: 60mm 400pt; margin: 0 }} html {{ font: 8pt/10pt Rubricator Serif }} p {{ margin: 0 }}"
    body = "".join(f"<p>Ligne {number}</p>" for number in range(lines))
    head = f'<html lang="fr"><head><title>t</title><style>{style}</style></head>'
    tight, small = (f"html {{ line-height: {height}pt !important }}" for height in (9.65, 9))
    body = f'<body data-tight="{tight}" data-small="{small}" style="margin: 0">{body}</body>'
    made = PdfReader(io.BytesIO(print_pdf(f"{head}{body}</html>")))
    assert len(made.pages) == pages
    assert "Ligne 39" in made.pages[0].extract_text()


@pytest.mark.parametrize(("lines", "pages"), [(120, 4), (122, 4), (124, 5)])
def test_so_is_one_before_an_index_that_begins_a_page(lines: int, pages: int) -> None:
    style = f"{fonts.faces()} @page {{ size: 60mm 410pt; margin: 0 0 10pt }} html {{ font: 8pt/10pt Rubricator Serif }} p {{ margin: 0 }}"
    text = "".join(f"<p>Ligne {number}</p>" for number in range(lines)) + '<section class="index breaks" style="break-before: page"><p>Index</p></section>'
    body = f'<body data-longer="@page {{ margin-bottom: 0 !important }}" style="margin: 0">{text}</body>'
    made = PdfReader(io.BytesIO(print_pdf(f'<html lang="fr"><head><title>t</title><style>{style}</style></head>{body}</html>')))
    assert len(made.pages) == pages


@pytest.mark.parametrize(("count", "pages", "columns"), [(2, 1, 1), (22, 1, 3), (150, 4, 3)])
def test_the_columns_of_a_last_page_are_level_unless_one_is_enough(
    count: int, pages: int, columns: int, tmp_path: Path
) -> None:
    with pdfplumber.open(render(book(*(ruled(question(n), n) for n in range(count))), "sheet", tmp_path / "s.pdf")) as pdf:
        *before, page = pdf.pages
        words = [word for word in page.extract_words() if 60 < word["top"] < page.height - 40]
        feet = {at: max(word["bottom"] for word in words if int(word["x0"] / page.width * 3) == at)
                for at in {int(word["x0"] / page.width * 3) for word in words}}  # fmt: skip
    assert (len(before) + 1, len(feet)) == (pages, columns)
    assert min(feet.values()) > 0.75 * max(feet.values())


def test_a_short_reader_has_no_page_for_its_sources_alone(tmp_path: Path) -> None:
    few = book(*(ruled(question(n, subject=None), n) for n in range(12)))
    [page] = pages_of(render(few, "reader", tmp_path / "r.pdf"))
    assert "situation numéro 11" in page and "0f0f" in page


@pytest.mark.parametrize(("title", "name"), [
    ("Die Salzkarawanen im Nebel", "Die Salzkarawanen"), ("FAQ und Berichtigungen", "FAQ"), ("Holds of the Under-King", "Holds"),
])  # fmt: skip
def test_a_source_is_never_cited_by_an_article(title: str, name: str) -> None:
    made = editions.edition(book(ruled(question(1)), documents=(replace(FAQ, title=title, game=None),), game=None))
    assert [each.name for each in made.sources] == [name]


@pytest.mark.parametrize("others", [0, 3])
def test_the_letters_of_an_alphabet_are_no_chapters(others: int) -> None:
    terms = [ruled(Definition(id=term, term=rich(term), body=(rich("Un mot."),), **{**COMMON, "section": (term[0],)}))
             for term in ("Allié", "Arme", "Bord", "Canal", "Digue")]  # fmt: skip
    found = editions.edition(book(*(ruled(question(n), n) for n in range(others)), *terms)).chapters
    assert [chapter.title for chapter in found][bool(others) :] == ["Brumes : FAQ"]
    assert [title.text for title in found[-1].titles] == ["A", "B", "C", "D"]


def test_contents_of_many_chapters_stand_under_their_heading(tmp_path: Path) -> None:
    many = book(*(ruled(question(n, section=(f"Section {n}",), subject=None), n) for n in range(1, 49)))
    contents = pages_of(render(many, "booklet", tmp_path / "b.pdf"))[1]
    assert contents.index("Sommaire") < contents.index("Section 1") < contents.index("Section 48")


def test_a_sheet_is_dense(long_book: Book, tmp_path: Path) -> None:
    pages = pages_of(render(long_book, "sheet", tmp_path / "sheet.pdf"))
    assert sum(map(len, pages[:-1])) / len(pages[:-1]) >= 8000


def test_our_own_reader_reads_our_booklet_back(booklet: Path, long_book: Book) -> None:
    asked = {str(ruling.entry.question) for ruling in long_book.rulings if isinstance(ruling.entry, QA)}
    found = {str(entry.question) for entry in flow.read(booklet).entries if isinstance(entry, QA)}
    assert len(asked & found) >= 0.98 * len(asked)


def test_the_pdf_is_tagged_with_bookmarks_links_and_a_title(booklet: Path) -> None:
    with pikepdf.open(booklet) as pdf:
        assert pdf.Root.MarkInfo.Marked
        assert str(pdf.Root.Lang) == "fr"
        assert str(pdf.docinfo["/Title"]) == "L’aide du passeur"
        assert "/StructTreeRoot" in pdf.Root
        with pdf.open_outline() as outline_:
            assert len(outline_.root) >= 3
        assert any("/Annots" in each for each in pdf.pages)
        assert "/JavaScript" not in pdf.Root.get("/Names", {})


def test_the_same_book_gives_the_same_bytes_in_another_process(tmp_path: Path, printed: tuple[Path, list[str]]) -> None:
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, 'tests'); from test_render import every_kind; "
        "from pipeline.render import render; [render(every_kind(), p, Path(sys.argv[1], p)) for p in ('zine', 'slips')]"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=True,
                   env={"PYTHONHASHSEED": "7", "PATH": "/usr/bin:/bin", "TZ": "UTC+7"})  # fmt: skip
    for product in ("zine", "slips"):
        assert (tmp_path / product).read_bytes() == (printed[0] / f"{product}.pdf").read_bytes()


def test_a_space_beside_an_inline_element_never_ends_a_line_early() -> None:
    """WeasyPrint 70 left one word on the first line where the space before an element did not fit."""
    said = "Dans le deuxième paragraphe, remplacez «\u00a0<s>dix pas</s>\u00a0» par <b>« douze pas »</b>, puis lancez"
    widths = [40 + place / 2 for place in range(60)]
    body = "".join(f'<p style="width: {width}mm; hyphens: auto">{said} un dé.</p>' for width in widths)
    style = f"{fonts.faces()} @page {{ size: 90mm 2000mm; margin: 5mm }} p {{ margin: 0; font: 8pt Rubricator Serif }}"
    made = print_pdf(f'<html lang="fr"><head><title>t</title><style>{style}</style></head><body>{body}</body></html>')
    with pdfplumber.open(io.BytesIO(made)) as pdf:
        lines = [line for each in pdf.pages for line in each.extract_text_lines()]
    firsts = [place for place, line in enumerate(lines) if line["text"].startswith("Dans")]
    assert len(firsts) == len(widths)
    for width, first in zip(widths, firsts, strict=True):
        taken = (lines[first]["x1"] - lines[first]["x0"]) * 25.4 / 72
        assert taken > 0.7 * width, lines[first]["text"]


@pytest.mark.parametrize("box", [object(), None])
def test_marks_stay_where_they_are_when_boxes_are_shaped_otherwise(box: Any) -> None:
    class Page:
        _page_box = box

    paper._finish([Page(), Page(), object()], Element("body"))


def test_marks_stand_as_far_outside_on_left_pages_as_on_right_ones() -> None:
    moved: list[float] = []
    mark = SimpleNamespace(element={"class": "bar outer"}, element_tag="div", position_x=452, margin_width=lambda: 20,
                           translate=lambda x, y: moved.append(x))  # fmt: skip
    other = SimpleNamespace(element={"class": "entry"}, element_tag="div")
    box = SimpleNamespace(margin_left=50, width=400, children=[],
                          descendants=lambda: [mark, other, SimpleNamespace(element=None)])  # fmt: skip
    paper._finish([SimpleNamespace(_page_box=box)] * 2, Element("body"))
    assert moved == [28 - 452]


def test_the_rule_of_new_text_ends_with_it_on_a_page_that_it_leaves(tmp_path: Path) -> None:
    said = tuple(rich(" ".join(SENTENCES * 3)) for _ in range(12))
    change = Change(operation=Operation.INSERT, instruction=rich("Ajoutez :"), new=said)
    out = render(book(ruled(Erratum(id="e1", pages=(3,), target=rich("Marée"), changes=(change,), **COMMON))), "zine", tmp_path / "z.pdf")
    with pdfplumber.open(out) as pdf:
        for each in pdf.pages[2:-1]:
            assert max(drawn["bottom"] for drawn in each.rects) < max(word["bottom"] for word in each.extract_words()) + 1


def test_what_the_head_of_a_page_says_is_escaped_once() -> None:
    rule = Rule(id="u1", number="4.8", title=rich("Ombre & lumière d'été"), body=(rich("On dort."),), **COMMON)
    html = products.Press(book(ruled(rule, 6)), None, None, print_pdf).page("booklet")
    assert 'data-mark="4.8 Ombre &amp; lumière' in html and "&amp;amp;" not in html and "&amp;#39;" not in html


def test_a_head_without_room_is_the_shorter_name_or_ends_with_a_word_that_says_something() -> None:
    name, own = "Brumes d’Argance – Livre de Règles", "Livre de Règles"
    for room, said in ((90, name), (40, own), (20, "Livre …"), (2, "L …")):
        assert text_forms.fitting(name, room, 9.15, own) == said
    assert text_forms.fitting("Commentaires des Designers, Juin 2019", 50, 9.15) == "Commentaires des Designers …"
    assert text_forms.fitting("", 50, 9.15) == ""
    assert text_forms.fitting("2.1 Faute de jeu — Effet oublié", 35, 9.15) == "2.1 … Effet oublié"
    for text in (name, own):
        going = text_forms.fitting(text, 48, 9.15, tail=" (suite)")
        assert going.endswith(" (suite)") and text_forms.wide(going, 9.15) <= 48


def test_lines_do_not_end_inside_quotes_or_before_marks() -> None:
    said = fonts.glued("« Oui » : vraiment ? Voir p. 12 et n° 7.")
    assert said == "«\u00a0Oui\u00a0»\u00a0: vraiment\u00a0? Voir p.\u00a012 et n°\u00a07."
    assert fonts.glued("Un : deux") == "Un\u00a0: deux"
    assert fonts.glued("1 000 à 12 500 000 pas en 2019 300 fois") == "1\u00a0000 à 12\u00a0500\u00a0000 pas en 2019 300 fois"
    assert (
        fonts.glued("60 × 90 cm dès 9 h 30 et 2 hommes") == "60\u00a0×\u00a090\u00a0cm dès 9\u00a0h\u00a030 et 2 hommes"
    )


def test_an_index_names_a_page_once() -> None:
    same = [ruled(Definition(id=f"d{n}", term=rich("Étal"), body=(rich("x" * 20),), **COMMON), n) for n in (1, 2)]
    far = ruled(Prose(id="p", text=rich("mot " * 400), **COMMON), 3)
    again = ruled(Definition(id="d9", term=rich("Étal"), body=(rich("x"),), **COMMON), 4)
    [letter] = editions.edition(book(*same, far, again)).index
    assert [line.anchors for line in letter.lines] == [("r-d1", "r-d9")]


def terms(number: int, wide: int = 20) -> Book:
    """A book of so many terms, each with a name in another language."""
    return book(*(ruled(Definition(id=f"d{n}", term=rich(f"{chr(97 + n % 26)}{'erme ' * (n % wide // 4)}{n}"),
                                   aliases=(f"word {n}",), body=(rich("Rien de plus. " * 9),), **COMMON), n) for n in range(number)))  # fmt: skip


@given(st.integers(0, 400), st.integers(4, 60), st.integers(2, 4))
@settings(max_examples=40)
def test_what_follows_the_chapters_is_dealt_into_level_columns_and_loses_no_line(number: int, wide: int, count: int) -> None:
    made, shape = editions.edition(terms(number, wide)), look("booklet")
    back = line_columns.back(made, shape, count)
    glossary, index = back.glossary, back.index
    room = (shape.height - shape.top - shape.bottom) * 72 / 25.4
    for matter, lines in ((glossary, 2 * number), (index, sum(len(letter.lines) for letter in made.index))):
        dealt = [column.rows for spread in matter.spreads for column in spread.columns]
        assert sum(not row.head for rows in dealt for row in rows) == lines
        assert not any(rows[-1].head for rows in dealt if len(rows) > 1)
        assert all(spread.height <= room for spread in matter.spreads)
        heights = [sum(row.height for row in column.rows) for spread in matter.spreads[-1:] for column in spread.columns]
        assert max(heights, default=0.0) <= sum(heights) / count + 5 * shape.line
    if not glossary.loose:  # the index goes on under it, or begins a page where there is no room
        end = glossary.spreads[-1].height
        assert index.breaks or end + index.spreads[0].height + line_columns.BAND * shape.line <= room


@pytest.mark.parametrize("number", [60, 150])
def test_no_heading_of_an_index_stands_alone(number: int, tmp_path: Path) -> None:
    pages = list(pypdfium2.PdfDocument(render(terms(number), "booklet", tmp_path / "b.pdf")))[2:]
    under_heads = [each.get_textpage().get_text_bounded(top=each.get_height() - 40) for each in pages]
    texts = [text.replace("\r\n", "\n") for text in under_heads]
    for title in ("Lexique bilingue", "Index"):
        [text] = [text for text in texts if re.search(rf"^{title}$", text, re.MULTILINE)]
        assert len(text) - text.index(title) > 200, text


# The last page of an index of so many terms is too full for the sources.
@pytest.mark.parametrize(("product", "counts"), [("booklet", (40, 80)), ("reader", (105,))])
def test_sources_are_never_alone_on_a_page_behind_an_index(product: str, counts: tuple[int, ...], tmp_path: Path) -> None:
    for count in counts:
        texts = pages_of(render(terms(count), product, tmp_path / "b.pdf"))
        [page] = [text for text in texts[1:] if re.search("SHA-256", text)]
        assert page is texts[-1] and "Index" in page, (count, page)


def test_an_index_begins_under_a_short_text_where_that_spares_a_page(caplog: pytest.LogCaptureFixture) -> None:
    """Of two indexes one is printed, whole; the one under the text only if the book has a page less with it."""
    spared = []
    for words_more in (100, 420):  # on the last pages of the text
        defined = [replace(each.entry, aliases=(), section=(f"Livre {n // 20}",)) for n, each in enumerate(terms(100).rulings)]
        text = ruled(Prose(id="p", text=rich("mot " * words_more), **COMMON))
        press = products.Press(book(*map(ruled, defined), text), None, None, print_pdf)
        html = press.page("booklet")
        one = re.sub(r'<section class="index[^>]*data-above.*?</section>', "", html, flags=re.DOTALL)
        assert one != html
        texts, usual = ([each.get_textpage().get_text_bounded() for each in pypdfium2.PdfDocument(print_pdf(each))] for each in (html, one))
        [place] = [at for at, each in enumerate(texts, 1) if re.search(r"^Index\s*$", each, re.MULTILINE)]
        assert re.search(rf"^{place}\s+Index", texts[0], re.MULTILINE)
        named = [set(re.findall(r"^\w*erme[^\n]*\d", "\n".join(each), re.MULTILINE)) for each in (texts, usual)]
        assert len(texts) <= len(usual) and len(named[0]) == len(named[1])
        spared.append(len(usual) - len(texts))
        assert not spared[-1] or any("mot mot" in each and re.search(r"^Index", each, re.MULTILINE) for each in texts)
    assert 1 in spared and not caplog.records


def test_a_page_that_an_index_begins_says_its_letter_again() -> None:
    index = line_columns.back(editions.edition(terms(300)), look("booklet"), 3).index
    assert all(spread.columns[0].rows[0].head for spread in index.spreads)


def test_a_book_of_one_document_cites_pages_unless_pages_of_another_are_named() -> None:
    asked = ruled(question(1, page=7))
    fixed = ruled(Erratum(id="e1", target=rich("Barque"), pages=(12,), **COMMON))
    cited = [[each.cited for each in editions.edition(book(*held), cites="name").rulings] for held in ((asked,), (asked, fixed))]
    assert cited == [[("p.\u00a07",)], [("FAQ\u00a0·\u00a07",), ("FAQ\u00a0·\u00a03",)]]


def test_what_an_appendix_says_first_stands_under_its_heading() -> None:
    held = {**COMMON, "section": ()}
    opening = (Rule(id=f"r{n}", number=n, title=rich(title), body=(rich("Voici."),), **held) for n, title in (("A", "Durées"), ("B", "Barques")))
    rulings = [question(1), *opening, question(2, section=("Annexe B – Barques",)), question(3, section=("Fin :",))]
    made = editions.edition(book(*map(ruled, rulings)))
    assert [chapter.title for chapter in made.chapters] == ["FAQ", "A Durées", "Annexe B – Barques", "Fin"]
    assert [len(chapter.parts) for chapter in made.chapters][2] == 2


def test_titled_rules_beside_the_only_section_are_chapters_of_their_own() -> None:
    titled = (Rule(id=f"r{n}", title=rich(title), body=(rich("Voici."),), **{**COMMON, "section": ()})
              for n, title in enumerate(("Objet", "Arbitrage")))  # fmt: skip
    first, last = titled
    rulings = [first, *(question(n, section=("Le gué",)) for n in range(3)), last]
    made = editions.edition(book(*map(ruled, rulings))).chapters
    assert [chapter.title for chapter in made] == ["Objet", "Le gué", "Arbitrage"]


def test_a_document_without_headings_is_one_chapter_beside_others_that_have_some() -> None:
    """Its titled rules are no chapters, and what another document says next is not under the last of them."""
    bare, last = (replace(FAQ, source=f"{name}.pdf", title=name) for name in ("Règles universelles", "Codex"))
    rules = [Rule(id=f"r{n}", title=rich(f"Ordre {n}"), body=(rich("Voici."),), **{**COMMON, "section": (), "source": bare.source}) for n in range(2)]
    told = Prose(id="p", text=rich("Ce document réunit les errata."), **{**COMMON, "section": (), "source": last.source})
    rulings = [*(question(n, section=("FAQ",)) for n in range(9)), *rules, told, *(question(n, section=(("FAQ", "Cartes")[n % 2],), source=last.source) for n in (10, 11))]
    made = editions.edition(book(*map(ruled, rulings), documents=(FAQ, bare, last))).chapters
    assert [(chapter.title, chapter.of) for chapter in made] == [("FAQ", ""), ("Règles universelles", ""), ("Codex", ""), ("FAQ", "Codex"), ("Cartes", "")]
    assert not any(each.headed for chapter in made for part in chapter.parts for each in part.rulings)


def test_chapters_of_one_title_say_their_document(tmp_path: Path) -> None:
    other = replace(FAQ, source="b.pdf", title="Annales de la Garde")
    rulings = [question(n, subject=None, section=("Cartes",), source=("faq.pdf", "b.pdf")[n // 20]) for n in range(40)]
    path = render(book(*map(ruled, rulings), documents=(FAQ, other)), "booklet", tmp_path / "b.pdf")
    assert "2 · Cartes Annales de la Garde" in pages_of(path)[0], "in the contents, which are short and stand on the cover"
    assert sum("2 Cartes Annales de la Garde" in each for each in pages_of(path)[1:]) == 1, "at its head"


def test_a_rule_stands_under_the_heading_that_says_its_number_and_title() -> None:
    def rule(number: str, title: str, *section: str, body: str = "Voici.") -> Ruling:
        return ruled(Rule(id=number, number=number, title=rich(title), body=(rich(body),), **{**COMMON, "section": section}))

    over = ("V. Phase d’Activation.", "V-A – Tirage")
    rulings = [rule("V", "Phase d’Activation", "Règles"), rule("V-A", "Tirage", "Règles", over[0]), rule("V-A-1", "Réserve", "Règles", *over),
               rule("VI", "Marée", "Règles"), ruled(question(1, section=("Règles", "Marée haute")))]  # fmt: skip
    parts = [part for chapter in editions.edition(book(*rulings, ruled(question(2, section=("Fin",))))).chapters for part in chapter.parts]
    assert [[title.text for title in part.titles] for part in parts[:3]] == [[over[0]], [over[1]], []]
    headed = {each.entry.id: each.headed for part in parts for each in part.rulings}
    assert headed == {"V": True, "V-A": True, "V-A-1": False, "VI": False, "q1": False, "q2": False}


@pytest.mark.parametrize("product", ["booklet", "sheet"])
def test_an_erratum_without_page_and_passage_has_no_empty_head(product: str, tmp_path: Path) -> None:
    change = Change(operation=Operation.INSERT, instruction=rich("Ajoutez à la fin de 18.01 :"), new=(rich("Une barque pleine coule."),))
    bare = ruled(Erratum(id="e", target=rich(""), pages=(), changes=(change,), **COMMON), 77)
    text = "\n".join(pages_of(render(book(bare), product, tmp_path / "p.pdf")))
    assert "GEN-77" in text and not re.search(r"^GEN-77$", text, re.MULTILINE), "its code stands in a line of its words"


@pytest.mark.parametrize(("count", "indexed"), [(30, False), (90, True)])
def test_a_reader_of_two_pages_needs_no_index(count: int, indexed: bool) -> None:
    """On a page of its own, an index of what lies open would be nearly all there is."""
    press = products.Press(book(*(ruled(question(number), number) for number in range(count))), None, None, lambda html, pictures: b"")
    assert ('<section class="index' in press.page("reader")) is indexed


def test_readers_may_be_set_tighter_where_that_spares_a_last_page_of_a_few_lines() -> None:
    press = products.Press(book(*(ruled(question(number), number) for number in range(9))), None, None, lambda html, pictures: b"")
    assert re.search(r"<body data-tight=.* data-small=", press.page("reader"))


def test_strips_to_paste_in_stand_closer_where_that_spares_a_page_of_one() -> None:
    press = products.Press(every_kind(), None, None, lambda html, pictures: b"")
    assert re.search(r'<body data-tight="[^"]*\.slip { padding[^"]*" data-small="[^"]*\.slip { padding', press.page("slips"))


def test_items_of_lists_hang_by_point_or_number() -> None:
    kinds = {"• un dé": " li", "→ Oui : deux dés": " li", "3. Lancez": " li numbered", "12) Lancez": " li numbered", "3 dés": "", "2026. Un an": ""}
    assert {text: paragraph_forms.listed(rich(text)) for text in kinds} == kinds


def test_no_card_has_an_empty_front_or_band() -> None:
    change = Change(operation=Operation.INSERT, instruction=rich("Ajoutez à la fin :"), new=(rich("Une barque coule."),))
    held = {**COMMON, "section": ()}
    rulings = (ruled(Erratum(id="e", target=rich(""), pages=(), changes=(change,), **held)), ruled(question(1, section=(), subject=None)))
    made, _ = sheets(editions.edition(book(*rulings)), 210, 297)
    assert [(str(card.over), bool(card.told), card.back) for card in made[0].fronts] == [("FAQ", True, ())] * 2


def test_a_place_does_not_say_again_what_the_one_before_says() -> None:
    twin = replace(FAQ, source="b.pdf", version=None, title="Brumes : FAQ")
    places = [("faq.pdf", 3), ("faq.pdf", 7), ("b.pdf", 4), ("faq.pdf", 9)]
    said = Ruling(entry=question(1), code="GEN-1", citations=tuple(Citation(source=source, page=page) for source, page in places))
    made = editions.edition(book(said, documents=(replace(FAQ, version=None), twin))).rulings[0].cited
    assert [each.replace("\u00a0", " ") for each in made] == ["FAQ sept. 2026 (1) · 3", "7", "(2) · 4", "(1) · 9"]


def test_the_cover_of_a_large_book_is_large_and_has_less_room() -> None:
    held = book(*(ruled(replace(question(number), section=(f"Partie {number // 6}",)), number) for number in range(72)))

    def made(theme: str) -> str:
        return products.Press(held, BookSettings(theme=theme), None, lambda html, pictures: b"").page("booklet")  # type: ignore[arg-type]

    assert 'class="cover-contents"' in made("red") and 'class="cover-contents"' not in made("large")
    assert re.search(r"\.cover-legend {[^}]*font-size: 8\.4pt", made("black")) and re.search(r"\.cover-legend {[^}]*font-size: 10\.5pt", made("large"))


def test_a_cover_says_a_date_once(tmp_path: Path) -> None:
    dated = replace(FAQ, title="Commentaires, septembre 2026")
    front = pages_of(render(book(*(ruled(question(n), n) for n in range(3)), documents=(dated,), date=None), "booklet", tmp_path / "b.pdf"))[0]
    assert front.lower().count("septembre 2026") == 1


def test_a_rule_that_is_too_long_for_one_side_takes_both_and_loses_nothing() -> None:
    body = tuple(rich(f"Le passeur numéro {number} pose sa lanterne avant de compter les pas qui le séparent de la rive.") for number in range(60))
    for entry in (Rule(id="u", number="4", title=rich("Lanternes"), body=body, **COMMON), question(1, answer=body)):
        made, _ = sheets(editions.edition(book(ruled(entry))), 210, 297)
        cards = made[0].fronts
        assert [text for card in cards for text in (*card.told, *card.back)] == list(body)
        assert all(card.told and card.ask for card in cards) and len({card.size for card in cards}) == 1
        assert len(cards) == cards[0].of < 5


def test_what_a_layer_says_is_cited_by_who_says_so() -> None:
    said = replace(ruled(question(1)), layer="Ligue du Nord", overrides=(question(2),))
    assert [each.cited for each in editions.edition(book(said)).rulings] == [("Ligue du Nord",)]


def test_a_sheet_names_the_chapter_that_goes_on_from_the_page_before(tmp_path: Path) -> None:
    rulings = [ruled(question(n, section=("Le gué" if n < 170 else "La rive",)), n) for n in range(200)]
    with pdfplumber.open(render(book(*rulings), "sheet", tmp_path / "s.pdf")) as pdf:
        heads = [each.crop((each.width / 3, 0, each.width, 36)).extract_text() for each in pdf.pages]
    assert heads[0].endswith(" · 1 Le gué") and any(head.endswith(" · 1 Le gué (suite) · 2 La rive") for head in heads[1:])
    assert not any(re.search(r"Le gué.*Le gué", head) for head in heads)


def test_the_head_of_a_sheet_cuts_no_name_that_has_room(tmp_path: Path) -> None:
    names = [f"Des manœuvres de nuit dans les chenaux {n}" for n in "abcdef"]
    rulings = [ruled(question(n, section=(names[min(n // 45, 5)],)), n) for n in range(240)]
    with pdfplumber.open(render(book(*rulings), "sheet", tmp_path / "s.pdf")) as pdf:
        heads = [each.crop((each.width / 3, 0, each.width, 36)).extract_text() for each in pdf.pages]
    assert f"· 1 {names[0]}" in heads[0] and all(any(name in head for head in heads) for name in names), heads
    crowd = [ruled(question(n, section=(f"{names[0]} {n}",)), n) for n in range(12)]
    with pdfplumber.open(render(book(*crowd), "sheet", tmp_path / "c.pdf")) as pdf:
        first = pdf.pages[0]
        [line] = first.crop((first.width / 3, 0, first.width, 36)).extract_text_lines()
    assert f"1 {names[0]} 0 · 2 {names[0]} 1 ·" in line["text"] and line["x1"] < first.width - 8 * 72 / 25.4 + 1


def test_a_page_names_its_first_or_last_subject_at_its_head(booklet: Path) -> None:
    texts = pages_of(booklet)
    left, right = texts[3], texts[4]
    subjects = [re.findall(r"Carte \d+ \(n° \d+\)", each) for each in (left, right)]
    first, last = (Counter(each).most_common(1)[0] for each in subjects)
    assert (first[1], last[1]) == (2, 2), "the subject in its place, and at the head"
    heads = [page_.crop((0, 0, page_.width, 35)).extract_text() for page_ in pdfplumber.open(booklet).pages[3:5]]
    assert heads[0].startswith(f"4 {first[0]}") and heads[1].endswith(f"{last[0]} 5")


def test_running_text_is_no_ruling_and_rights_stand_with_their_source() -> None:
    opening = Prose(id="v", text=rich("Version 1.2 – septembre 2026"), **COMMON)
    rights = Prose(id="c", text=rich("© 2026, Éditions du Héron."), **COMMON)
    new: dict[str, Any] = {"since": Since.ADDED, "since_date": "2026-09"}
    made = editions.edition(book(ruled(opening, 1, **new), ruled(question(1), 2, **new), ruled(rights, 3, **new)))
    assert [(each.ruling.code, each.ruling.since) for each in made.rulings] == [("", None), ("GEN-2", Since.ADDED)]
    assert [str(text) for text in made.sources[0].imprint] == ["© 2026, Éditions du Héron."]


@pytest.mark.parametrize(
    ("titles", "signs"),
    [(["Combat", "III. Magie", "Tir"], ["C", "III", "T"]), (["Combat", "Magie", "Tir"], ["1", "2", "3"]),
     (["1 MISE EN PLACE", "2 TIR"], ["1", "2"]), (["Preamble", "1. Rules", "2. Cards"], ["P", "1", "2"]),
     (["1. Rules", "2. Cards", "Appendix B – Time"], ["1", "2", "B"])],
)
def test_chapters_keep_numbers_of_their_own(titles: list[str], signs: list[str]) -> None:
    made = editions.edition(book(*(ruled(question(n, section=(title,)), n) for n, title in enumerate(titles))))
    assert [chapter.sign for chapter in made.chapters] == signs
    assert [chapter.number for chapter in made.chapters] == (signs if "Magie" in titles else [""] * len(titles))


def test_tabs_go_deeper_where_chapters_are_few() -> None:
    """Six to fourteen of them, whatever the level of the headings that gives so many."""
    for chapters, inside, slots in ((1, 9, 9), (2, 30, 14), (8, 3, 8), (3, 1, 3)):
        titles = [(f"Chapitre {c}", f"Titre {t}") for c in range(chapters) for t in range(inside)]
        made = editions.edition(book(*(ruled(question(n, section=("Livre", *path))) for n, path in enumerate(titles))))
        assert made.tabs == slots
        deep = [title.tab for chapter in made.chapters for title in chapter.titles]
        assert all(deep) is (slots != chapters) and deep == sorted(deep)
        assert {each.sign for chapter in made.chapters for each in (chapter, *chapter.titles) if each.tab} == set(made.signs)


@pytest.mark.parametrize(("chapters", "ends", "shared"), [(22, 1, False), (30, 1, True), (60, 2, True)])
def test_the_text_begins_under_contents_that_leave_half_a_page(tmp_path: Path, chapters: int, ends: int, shared: bool) -> None:
    """In one column that fills its page, in two, and in two that go on."""
    held = book(*(ruled(question(n, section=(f"Section {n // 3}",)), n) for n in range(3 * chapters)))
    contents = pages_of(render(held, "booklet", tmp_path / "b.pdf"))[ends].replace("\n", " ")
    assert "Sources" in contents and (str(question(0).question)[:30] in contents) is shared


def test_titles_that_shout_are_calm_in_the_contents(tmp_path: Path) -> None:
    spoken = (rich("Oui. Le Héron suit la FAQ de la marée."),)
    sections = ("RÈGLES DU HÉRON", "LA MARÉE : AU PORT", "Pontons", "FAQ")
    rulings = [ruled(question(n, section=(sections[n % 4],), answer=spoken), n) for n in range(80)]
    front = pages_of(render(book(*sorted(rulings, key=lambda each: each.entry.section)), "booklet", tmp_path / "b.pdf"))[0]
    for title in ("Règles du Héron", "La marée : Au port", "Pontons", "FAQ"):
        assert f"· {title}" in front


def test_nor_do_they_shout_in_zine_reader_and_index() -> None:
    names = ("LE PORT", "FAQS", "Pontons")
    entries = [Rule(id=f"r{n}", title=rich(f"JETÉE {n}"), body=(rich(SENTENCES[0]),), **{**COMMON, "section": (names[n // 20],)}) for n in range(60)]
    press = products.Press(book(*(ruled(each, n) for n, each in enumerate(entries))), None, None, lambda html, pictures: b"")
    for product, place in (("reader", '<p class="quick">'), ("zine", '<div class="list">')):
        listed = press.page(product).partition(place)[2].partition("&#160;Pontons" if product == "reader" else "Pontons")[0]
        assert "Le port" in listed and "FAQs" in listed and "LE PORT" not in listed, product
    assert {line.term for group in editions.edition(press.book).index for line in group.lines} >= {"Jetée 1", "Jetée 59"}


def test_only_what_changed_is_printed_again(tmp_path: Path) -> None:
    printed: list[int] = []

    def printer(html: str, pictures: Mapping[str, str]) -> bytes:
        printed.append(len(html))
        return print_pdf(html, pictures)

    settings = BookSettings(products=("slips",))
    for of in (every_kind(), every_kind(), replace(every_kind(), title="Autre titre")):
        render_all(of, settings, tmp_path, printer=printer)
    assert len(printed) == 2


# ---------------------------------------------------------------- the outline


@pytest.mark.parametrize(("written", "printed"), [
    ("l'eau d’un quai", "l’eau d’un quai"), ("don't", "don’t"), ("l'", "l’"), ("un mur de 5' ou 6'", "un mur de 5' ou 6'"), ("dit 'oui' ici", "dit 'oui' ici"),
])  # fmt: skip
def test_apostrophes_are_of_one_kind(written: str, printed: str) -> None:
    assert fonts.tidy(written) == printed


def test_errata_quoted_in_their_instruction_are_not_printed_twice() -> None:
    [each] = [e for e in editions.edition(every_kind()).rulings if e.entry.id == "e1"]
    first = each.changes[0]
    assert (first.old, first.new) == (None, ())
    assert [(s.text, s.struck, s.underlined) for s in first.instruction.spans if s.struck or s.underlined] == [
        ("10 pas", True, False), ("12 pas", False, True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "answer", "verdict"),
    [("fr", "Oui. Toujours.", "Oui."), ("fr", "Non, sauf en mer.", "Non,"), ("fr", "Oui si la marée monte.", "Oui"),
     ("fr", "Nonobstant la règle, on tire.", ""), ("en", "No model may do so.", ""), ("en", "No. It may not.", "No."),
     ("es", "No se puede.", ""), ("es", "No, nunca.", "No,"), ("de", "Ja.", "Ja."), ("it", "Sì, ma una volta.", "Sì,")],
)  # fmt: skip
def test_the_word_that_decides_is_found(language: str, answer: str, verdict: str) -> None:
    entry = question(1, answer=(rich(answer),), language=language)
    [made] = editions.edition(book(ruled(entry))).rulings
    assert made.verdict == verdict
    assert " ".join(filter(None, [made.verdict, *made.answer])) == answer


def test_a_bare_verdict_takes_no_line_of_its_own(tmp_path: Path) -> None:
    """It stands on the first line of its question."""
    many = [ruled(question(n, answer=(rich("Non."),), question=rich(f"Question {n} ?")), n) for n in range(3)]
    with pdfplumber.open(render(book(*many), "booklet", tmp_path / "b.pdf")) as pdf:
        lines = [line["text"] for each in pdf.pages for line in each.extract_text_lines()]
    assert [line for line in lines if "Non." in line] == [line for line in lines if "Question" in line] != []


@pytest.mark.parametrize(
    ("instruction", "old", "new", "said", "struck", "left"),
    [
        ("Lisez « deux pas » au lieu de « trois pas ».", "trois pas", "deux pas", "Lisez « deux pas » au lieu de « trois pas ».", "trois pas", ()),
        (f"Remplacez la phrase par : “{SENTENCES[0]} {SENTENCES[1]}”.", None, f"{SENTENCES[0]} {SENTENCES[1]}", "Remplacez la phrase par :", "",
         (f"{SENTENCES[0]} {SENTENCES[1]}",)),
        ("Supprimez la seconde phrase.", "Supprimez la seconde phrase.", "", "Supprimez la seconde phrase.", "", ()),
        (f"Ajoutez « {SENTENCES[0]} {SENTENCES[1]} » à la fin du paragraphe.", None, f"{SENTENCES[0]} {SENTENCES[1]}",
         "Ajoutez … à la fin du paragraphe.", "", (f"{SENTENCES[0]} {SENTENCES[1]}",)),
    ],
)  # fmt: skip
def test_long_new_text_is_a_block_and_no_instruction_is_struck(
    instruction: str, old: str | None, new: str, said: str, struck: str, left: tuple[str, ...]
) -> None:
    change = Change(operation=Operation.REPLACE, instruction=rich(instruction), old=rich(old) if old else None, new=(rich(new),) if new else ())
    [made] = editions.edition(book(ruled(Erratum(id="e", target=rich("Marée"), changes=(change,), **COMMON)))).rulings
    [told] = made.changes
    assert (str(told.instruction), told.old, tuple(map(str, told.new))) == (said, None, left)
    assert "".join(span.text for span in told.instruction.spans if span.struck) == struck


def test_slips_in_large_type_are_as_wide_as_the_column_that_they_are_pasted_into() -> None:
    assert look("slips", BookSettings(theme="large")).columns == 2 and look("sheet", BookSettings(theme="large")).columns == 2


def test_a_page_for_notes_has_no_folio(tmp_path: Path) -> None:
    """Which side of a sheet it comes to is known when the booklet is folded: a number could stand in the spine."""
    seen: list[str] = []

    def printer(html: str, pictures: Mapping[str, str]) -> bytes:
        seen.append(html)
        return print_pdf(html, pictures)

    press = products.Press(book(*(ruled(question(n), n) for n in range(3))), None, None, printer)
    press.stitched(press.pdf("booklet"))
    notes = print_pdf(seen[-1])
    (tmp_path / "n.pdf").write_bytes(notes)
    assert {re.sub(r"\s", "", text) for text in pages_of(tmp_path / "n.pdf")} == {"Notes"} and "counter(page)" not in seen[-1]


def test_a_cost_under_a_title_stays_with_what_it_is_for() -> None:
    assert paragraph_forms.leads(rich("1PA"), rich(SENTENCES[0])) and not paragraph_forms.leads(rich("1PA"), None)
    assert not paragraph_forms.leads(rich("Elle coule."), rich(SENTENCES[0])) and not paragraph_forms.leads(rich("• une rame"), rich(SENTENCES[0]))
    assert paragraph_forms.tag((rich("1PA"), rich(SENTENCES[0]))) == "1PA", "and it stands beside the name"
    assert paragraph_forms.tag((rich("2D6"), rich(SENTENCES[0]))) is paragraph_forms.tag((rich("1PA"),)) is None


def test_brief_lines_in_a_row_are_a_list_that_a_page_may_end_in(tmp_path: Path) -> None:
    turns = tuple(rich(f"Passeur {n} – barque {n}") for n in range(60))
    body = (rich("L'ordre est le suivant :"), *turns, rich(SENTENCES[0]))
    assert [(columns, len(run)) for columns, run in paragraph_forms.grouped(body, 1)] == [(1, 1), (3, 60), (1, 1)]
    few = list(paragraph_forms.groups(body[:5] + body[-1:], look("booklet")))
    assert [one.classes for group in few for one in group.paragraphs] == [" leads", *[" brief"] * 3, " leads brief", ""]
    many = [Rule(id=f"r{n}", title=rich(f"Tour {n}"), body=body, **COMMON) for n in range(6)]
    with pdfplumber.open(render(book(*(ruled(each, n) for n, each in enumerate(many))), "booklet", tmp_path / "b.pdf")) as pdf:
        lowest = [max(word["bottom"] for word in each.extract_words()) / each.height for each in pdf.pages[2:-2]]
    assert min(lowest, default=1) > 0.85


def test_each_document_of_a_book_of_two_games_is_a_chapter() -> None:
    mine, other = replace(FAQ, source="a.pdf", title="Codex : Sel", game="Sel"), replace(FAQ, source="b.pdf", title="Errata", game=None)
    rulings = [ruled(question(n, section=(f"Partie {n}",), source=source), n) for n, source in enumerate(("a.pdf", "a.pdf", "b.pdf", "b.pdf"))]
    for game, wanted in ((None, 2), ("Sel", 4)):
        made = editions.edition(book(*rulings, documents=(mine, other), game=game))
        assert len(made.chapters) == wanted
    assert [title.text for title in editions.edition(book(*rulings, documents=(mine, other), game=None)).chapters[1].titles] == ["Partie 2", "Partie 3"]


def test_no_word_between_the_parts_of_a_long_quotation_is_lost() -> None:
    said = f"Remplacez le texte suivant « {SENTENCES[0]} » par « {SENTENCES[2]} »."
    change = Change(operation=Operation.REPLACE, instruction=rich(said), new=(rich(f"« {SENTENCES[0]} »"), rich(f"« {SENTENCES[2]} »")))
    told = editions._without_twice(change)
    assert str(told.instruction) == "Remplacez le texte suivant"
    assert [str(text) for text in told.new] == [f"« {SENTENCES[0]} » par", f"« {SENTENCES[2]} »"]


def test_a_table_without_a_title_is_called_by_what_stands_above_it(tmp_path: Path) -> None:
    rows = tuple((rich(str(n)), rich(f"Barque {n}")) for n in range(3))
    table = Table(id="t", rows=rows, **{**COMMON, "section": ("FAQ", "Barques du port")})
    made = editions.edition(book(ruled(question(1)), ruled(table)))
    assert made.rulings[1].above == "Barques du port"
    assert editions.edition(book(ruled(replace(table, title=rich("Tailles"))))).rulings[0].above == ""


@pytest.mark.parametrize("item", ["a) Le port", "B. Le port", "(c) Le port", "12. Le port", "• Le port"])
def test_lettered_lists_hang(item: str) -> None:
    assert paragraph_forms.listed(rich(item)) and not paragraph_forms.listed(rich("Le port (a) est plein."))


def test_many_short_items_stand_in_columns(tmp_path: Path) -> None:
    few, many = (tuple(rich(f"• Barque numéro {n}") for n in range(count)) for count in (8, 12))
    long = tuple(rich(f"• {SENTENCES[0]}") for _ in range(12))
    for items, wanted in ((few, 1), (many, 3), (long, 1)):
        made = paragraph_forms.grouped((rich("Voici :"), *items, rich("Fin.")), 1)
        assert [(count, len(held)) for count, held in made] == [(1, 1), (wanted, len(items)), (1, 1)]
        assert all(count == 1 for count, _ in paragraph_forms.grouped(items, 2)), "not inside columns"
    entry = Rule(id="r", title=rich("Barques"), body=(rich("Voici :"), *many), **COMMON)
    with pdfplumber.open(render(book(ruled(entry)), "booklet", tmp_path / "b.pdf")) as pdf:
        lines = [line["text"] for line in pdf.pages[1].extract_text_lines()]
    assert any(line.count("Barque numéro") == 3 for line in lines)


def test_many_short_items_stand_side_by_side_where_the_page_has_columns(tmp_path: Path) -> None:
    many = tuple(rich(f"• Barque numéro {n}") for n in range(12))
    long = rich("• Une barque dont le nom prend deux tiers")
    sheet = look("sheet")
    assert paragraph_forms.abreast((*many[:4], long, *many[4:]), sheet)[1][1:3] == [[(1, many[3]), (2, long)], [(1, text) for text in many[4:7]]]
    assert paragraph_forms.abreast(many[:8], sheet) == paragraph_forms.abreast((*many, rich("12. Une barque")), sheet) == (1, [])
    assert paragraph_forms.abreast(tuple(rich(f"• {SENTENCES[0]}") for _ in range(12)), sheet) == (1, []) and paragraph_forms.abreast(many, look("booklet")) == (1, [])
    entry = Rule(id="r", title=rich("Barques"), body=(rich("Voici :"), *many, rich("Fin.")), **COMMON)
    with pdfplumber.open(render(book(ruled(entry)), "sheet", tmp_path / "s.pdf")) as pdf:
        lines = [line["text"] for line in pdf.pages[0].extract_text_lines()]
    assert sum(line.count("Barque numéro") == 3 for line in lines) == 4 and any(line.startswith("Fin.") for line in lines)


def test_a_question_does_not_end_in_one_word(tmp_path: Path) -> None:
    assert text_forms.ended(rich("Peut-on tirer sur un mort ?"), 108, 8).endswith("un\u00a0mort ?")
    assert text_forms.ended(rich("Mort ?"), 108, 8) == "Mort ?"
    assert text_forms.ended(rich("extraordinairement incompréhensible ?"), 40, 8).count(" ") == 2, "not where both are half a line"
    asked = [" ".join(["Le passeur", *["rame"] * n, "vers des caractéristiques ?"]) for n in range(10, 40)]
    rulings = [ruled(question(n, question=rich(each), subject=None), n) for n, each in enumerate(asked)]
    with pdfplumber.open(render(book(*rulings), "booklet", tmp_path / "b.pdf")) as pdf:
        ends = [line["text"] for each in pdf.pages for line in each.extract_text_lines() if line["text"].rstrip().endswith("caractéristiques ?")]
    assert len(ends) == len(asked) and all(" des caractéristiques" in f" {line}" for line in ends)


def test_a_page_says_what_goes_on_there(tmp_path: Path) -> None:
    """The head of a left page names what its first lines belong to, and that they go on from the page before."""
    rules = [ruled(Rule(id=f"r{n}", number=f"2.{n}", title=rich(f"Passage {n}"), body=(rich(" ".join(SENTENCES * 2)),) * 5, **COMMON), n) for n in range(1, 20)]
    with pdfplumber.open(render(book(*rules), "booklet", tmp_path / "b.pdf")) as pdf:
        for left in pdf.pages[3::2]:
            head, first = (line["text"] for line in left.extract_text_lines()[:2])
            if opened := re.search(r"\b(2\.\d+) Passage", first):
                assert f"{opened[1]} Passage" in head and "(suite)" not in head
            else:
                named, following = (re.search(r"2\.(\d+) Passage", text) for text in (head, left.extract_text().partition("\n")[2]))
                assert named and "(suite)" in head
                assert following is None or int(following[1]) == int(named[1]) + 1


def test_a_datasheet_is_not_torn(tmp_path: Path) -> None:
    """What stands under one heading with a profile is on one page, while it has room on one."""
    def sheet(n: int) -> list[Ruling]:
        held = {**COMMON, "section": ("Unités", f"Galion {n}")}
        profile = Table(id=f"t{n}", title=rich(f"Profil {n}"), rows=(tuple(map(rich, ("Nom", "M", "F"))), (rich(f"Galion {n}"), rich('6"'), rich("4"))), header_rows=1, **held)
        texts = [Rule(id=f"u{n}-{k}", title=rich(f"Don {n}.{k}"), body=(rich(SENTENCES[k]),), **held) for k in range(4)]
        return [ruled(each, 10 * n + k) for k, each in enumerate((profile, *texts))]

    rulings = [each for n in range(1, 30) for each in sheet(n)]
    texts = pages_of(render(book(*rulings), "booklet", tmp_path / "b.pdf"))
    for n in range(1, 30):
        assert len([text for text in texts[1:] if any(f"GEN-{10 * n + k} " in text for k in range(5))]) == 1, n


def test_a_datasheet_is_torn_between_its_entries_rather_than_leaving_much_of_a_page_blank(tmp_path: Path) -> None:
    def sheet(n: int) -> list[Ruling]:
        held = {**COMMON, "section": ("Unités", f"Galion {n}")}
        profile = Table(id=f"t{n}", rows=(tuple(map(rich, ("M", "F"))), (rich('6"'), rich("4"))), header_rows=1, **held)
        texts = [Rule(id=f"u{n}-{k}", title=rich(f"Don {n}.{k}"), body=(rich(" ".join(SENTENCES)),), **held) for k in range(6)]
        return [ruled(each, 10 * n + k) for k, each in enumerate((profile, *texts))]

    made = book(*(each for n in range(1, 10) for each in sheet(n)))
    shape = look("booklet")
    assert len(datasheets.kept(editions.edition(made), shape)) == 63, "each has room on one page"
    printed = render(made, "booklet", tmp_path / "b.pdf")
    with printed_pages(printed.read_bytes()) as pages:
        lowest = [min(box[1] for box in page.boxes()) / page.height for page in pages if "GEN-" in page.text_in((0, 0, page.width, page.height))]
    assert len(lowest) > 4 and all(low < 0.45 for low in lowest[:-1])


def test_the_tables_of_a_datasheet_that_is_longer_than_a_page_stay_together(tmp_path: Path) -> None:
    """A profile stood at the foot of a page, its weapons on the next."""
    def sheet(n: int) -> list[Ruling]:
        held = {**COMMON, "section": ("Unités", f"Galion {n}")}
        profile = Table(id=f"t{n}", rows=(tuple(map(rich, ("M", "F"))), (rich('6"'), rich("4"))), header_rows=1, **held)
        held["section"] = (*held["section"], "Armes")
        arms = Table(id=f"a{n}", rows=(tuple(map(rich, ("Arme", "F"))), *((rich(f"Canon {k}"), rich("4")) for k in range(12))), header_rows=1, **held)
        held["section"] = (*held["section"][:-1], "Dons")
        texts = [Rule(id=f"u{n}-{k}", title=rich(f"Don {n}.{k}"), body=(rich(" ".join(SENTENCES * 2)),), **held) for k in range(8)]
        return [ruled(each, 10 * n + k) for k, each in enumerate((profile, arms, *texts))]

    texts = pages_of(render(book(*(each for n in range(1, 7) for each in sheet(n))), "booklet", tmp_path / "b.pdf"))
    for n in range(1, 7):
        assert len([text for text in texts[1:] if any(f"GEN-{10 * n + k} " in text for k in range(2))]) == 1, n


def test_figures_stand_in_the_middle_under_their_heads() -> None:
    rows = [[rich(cell) for cell in row] for row in (("Arme", "Portée", "F", "Note"), ("Arc", '24"', "4", "bruyant"), ("Pique", "–", "3+1", "longue"))]
    assert table_layout.shape(rows, 1, 100, 8).figures == {1, 2}
    assert table_layout.shape([["M", "T"], ['14"', "11"]], 1, 100, 8).figures == {0, 1}, "a profile has no names"
    html = products.Press(book(ruled(Table(id="t", rows=tuple(map(tuple, rows)), header_rows=1, **COMMON))), None, None, lambda html, _: html.encode()).pdf("booklet").decode()
    assert html.count('class="figure"') == 6 and re.search(r'<th scope=col class="figure">F</th>', html)


def test_a_table_under_its_own_heading_is_not_named_twice() -> None:
    table = Table(id="t", rows=((rich("1"), rich("Barque")),), **{**COMMON, "section": ("FAQ", "Durées")})
    rule = Rule(id="r", title=rich("Durées"), body=(rich("Voici les durées :"),), **COMMON)
    made = editions.edition(book(ruled(question(1, section=("FAQ",))), ruled(rule, 2), ruled(table, 3)))
    [part] = [part for chapter in made.chapters for part in chapter.parts if any(title.text == "Durées" for title in part.titles)]
    assert [each.anchor for each in part.rulings] == ["r-r", "r-t"] and part.rulings[0].headed and not part.rulings[1].above


def test_a_sheet_says_names_first_and_no_preamble(tmp_path: Path) -> None:
    opening = Prose(id="o", text=rich("Ce document répond aux questions des passeurs."), **COMMON)
    term = Definition(id="d", term=rich("Étale"), body=(rich("La mer ne bouge pas."),), **COMMON)
    [text] = pages_of(render(book(ruled(opening, 1), ruled(term, 2), ruled(question(1), 3)), "sheet", tmp_path / "s.pdf"))
    assert "répond aux questions" not in text
    assert text.index("Étale") < text.index("GEN-2") and text.index("La situation") < text.index("GEN-3")


def test_headings_in_a_rule_of_a_sheet_open_their_text_and_its_penalty_stands_beside_its_name(tmp_path: Path) -> None:
    bold = [Text((Span(text=each, bold=True),)) for each in ("Partie perdue", "Principe", "Exemples", "Remède")]
    body = (bold[0], bold[1], rich("Un passeur oublie son dû."), bold[2], rich("A. Il dort."), rich("B. Il rit."), bold[3], rich("On attend la marée."), bold[1], rich("Puis on part."))
    of = book(ruled(Rule(id="r", number="2.1", title=rich("Oubli"), body=body, **COMMON), 1))
    with pdfplumber.open(render(of, "sheet", tmp_path / "s.pdf")) as pdf:
        lines = [each["text"] for each in pdf.pages[0].extract_text_lines()]
    assert any(re.match(r"2\.1 ?Oubli Partie perdue\b", line) for line in lines), lines
    assert any(re.match("Principe ?Un passeur", line) for line in lines) and any(re.match("Remède ?On attend", line) for line in lines)
    assert any(re.match("Principe ?Puis on part", line) for line in lines), "each begins a line"
    assert "Exemples" in lines, "a heading over a list keeps its line"
    with pdfplumber.open(render(of, "booklet", tmp_path / "b.pdf")) as pdf:
        lines = [each["text"] for page_ in pdf.pages for each in page_.extract_text_lines()]
    assert any("Oubli Partie perdue" in line for line in lines) and "Principe" in lines


def test_a_heading_of_a_rule_is_no_penalty() -> None:
    bold = [Text((Span(text=each, bold=True),)) for each in ("Principe", "Partie perdue", "Exemples")]
    assert paragraph_forms.tag((bold[1], bold[0], rich("On dort."))) == bold[1]
    assert paragraph_forms.tag((bold[0], rich("On dort."), bold[2])) is None, "it has a text of its own"
    assert paragraph_forms.tag((rich("On dort."), bold[0], rich("On rit."))) is None
    assert paragraph_forms.tag((bold[0], bold[1], bold[2])) is None, "a list of names"


def test_a_sheet_of_less_than_a_page_grows(tmp_path: Path) -> None:
    made = render(book(*(ruled(question(n), n) for n in range(12))), "sheet", tmp_path / "s.pdf")
    with pdfplumber.open(made) as pdf:
        [only] = pdf.pages
        sizes = Counter(round(char["size"], 1) for char in only.chars if "Serif" in char["fontname"])
    assert sizes.most_common(1)[0][0] > 8


def test_a_sheet_whose_last_page_has_room_grows_into_it(tmp_path: Path) -> None:
    """Two pages and a third of one were three pages of small type."""
    made = render(book(*(ruled(question(n), n) for n in range(88))), "sheet", tmp_path / "s.pdf")
    with pdfplumber.open(made) as pdf:
        assert len(pdf.pages) in (2, 3)
        lowest = max(word["bottom"] for word in pdf.pages[-1].extract_words() if word["bottom"] < pdf.pages[-1].height - 30)
        sizes = Counter(round(char["size"], 1) for char in pdf.pages[0].chars if "Serif" in char["fontname"])
    assert lowest > 0.75 * float(pdf.pages[-1].height) and sizes.most_common(1)[0][0] > 7.2


def test_nothing_refers_to_what_is_called_like_the_book() -> None:
    """It is named on every page: "→ Brumes" says nothing, and neither does all that names it."""
    held = [ruled(question(1), 1, see_also=("d1", "d2")), ruled(Definition(id="d1", term=rich("Brumes"), body=(rich("Un jeu."),), **COMMON), 2, see_also=("q1",)),
            ruled(Definition(id="d2", term=rich("Marée"), body=(rich("Elle monte."),), **COMMON), 3, see_also=("q1", "d1"))]  # fmt: skip
    assert [[name for each in printed.see for name in each.anchors] for printed in editions.edition(book(*held)).rulings] == [["r-d2"], [], ["r-q1"]]


def test_slips_follow_the_pages_of_the_rulebook(tmp_path: Path) -> None:
    [first] = pages_of(render(every_kind(), "slips", tmp_path / "slips.pdf"))
    assert first.index("p. 12") < first.index("p. 177")


def test_a_strip_as_tall_as_a_page_leaves_none_empty(tmp_path: Path) -> None:
    def erratum(n: int, count: int) -> Ruling:
        change = Change(operation=Operation.INSERT, instruction=rich("Ajoutez l'encadré suivant :"), new=tuple(rich(f"{SENTENCES[0]} {SENTENCES[1]}") for _ in range(count)))
        return ruled(Erratum(id=f"e{n}", pages=(n,), target=rich(f"Encadré {n}"), changes=(change,), **COMMON), n)

    for count in range(10, 34, 4):
        texts = pages_of(render(book(erratum(1, 2), erratum(2, count), erratum(3, 2)), "slips", tmp_path / "s.pdf"))
        assert "Encadré 1" in texts[0] and all(len(text) > 300 for text in texts), count


def test_slips_of_two_books_are_not_mixed_and_name_theirs(tmp_path: Path) -> None:
    titles = {"a.pdf": "Codex : Marins", "b.pdf": "Codex : Brumes"}
    documents = tuple(Document(source=name, sha256="0" * 64, pages=2, title=title, version="1.0") for name, title in titles.items())
    errata = [Erratum(id=f"{source}{n}", pages=(n,), target=rich(f"Cible {source} {n}"), **{**COMMON, "source": source})
              for n in range(10, 14) for source in titles]  # fmt: skip
    made = book(*(ruled(each, n) for n, each in enumerate(errata)), documents=documents, game=None)
    [text] = pages_of(render(made, "slips", tmp_path / "slips.pdf"))
    places = [text.index(f"Cible {source} {n}") for source in titles for n in range(10, 14)]
    assert places == sorted(places)
    assert all(text.count(title) >= 5 for title in titles.values()), "over its slips, and on each of them"


def test_slips_without_a_page_promise_none(tmp_path: Path) -> None:
    said = words.words("fr")
    for pages, told, not_told in (((), "slips_anywhere", "slips_about"), ((3,), "slips_about", "slips_anywhere")):
        entry = Erratum(id="e", pages=pages, target=rich("Marée"), **COMMON)
        [text] = pages_of(render(book(ruled(entry)), "slips", tmp_path / "slips.pdf"))
        assert said[told] in " ".join(text.split()) and said[not_told] not in " ".join(text.split())


def test_a_product_with_nothing_to_print_is_not_made_and_that_is_said(tmp_path: Path) -> None:
    many = book(*(ruled(question(n), n) for n in range(60)))
    (tmp_path / "slips.pdf").write_bytes(b"of an older book")
    said: list[str] = []
    written = render_all(many, BookSettings(), tmp_path, products=("slips", "cards"), progress=said.append, printer=no_print)
    assert not written and not list(tmp_path.iterdir())
    assert "no slips: these sources correct nothing" in said[0]
    assert 'no cards: nothing is new; cards = "all" in book.toml prints all 60' in said[1]
    with pytest.raises(UsageError, match="there are no slips to print"):
        render(many, "slips", tmp_path / "slips.pdf")


def no_print(html: str, pictures: Mapping[str, str]) -> bytes:
    raise AssertionError("nothing is to be printed")


def test_cards_are_of_what_is_new() -> None:
    many = [ruled(question(n), n, since=Since.ADDED if n % 20 == 0 else None) for n in range(60)]
    for told, count in ((BookSettings(), 9), (BookSettings(cards="all"), 60)):
        assert len(products.Press(book(*many), told, None, no_print).chosen("cards").rulings) == count
    chosen = products.Press(book(*many), None, None, no_print).chosen("cards").rulings
    assert sum(bool(each.since) for each in chosen) == 3, "the others fill the sheet"
    few = [ruled(question(n), n) for n in range(9)]
    assert len(products.Press(book(*few), BookSettings(), None, no_print).chosen("cards").rulings) == 9


def test_a_ruling_of_many_cards_is_left_out_and_counted() -> None:
    body = tuple(rich(" ".join(SENTENCES * 3)) for _ in range(12))
    long = ruled(Rule(id="u", number="4", title=rich("Lanternes"), body=body, **COMMON), 90, since=Since.ADDED)
    new = [ruled(question(n), n, since=Since.ADDED) for n in range(3)]

    def page_of(told: BookSettings, *rulings: Ruling) -> str:
        return products.Press(book(*rulings), told, None, no_print).page("cards")

    assert "GEN-90" not in page_of(BookSettings(), long, *new) and words.words("fr")["handout"]["left_out"][0] in page_of(BookSettings(), long, *new)
    assert "GEN-90" in page_of(BookSettings(cards="all"), long, *new)
    lacks = products.Press(book(long, *(ruled(question(n), n) for n in range(60))), BookSettings(), None, no_print).lacks("cards")
    assert lacks.startswith("what is new takes too many cards")


def source(file: str, title: str | None, **more: Any) -> Document:
    return Document(source=file, sha256="0" * 64, pages=1, title=title, **more)


@pytest.mark.parametrize(
    ("documents", "names"),
    [
        ((source("a.pdf", "Codex: Marins", version="1.0"), source("b.pdf", "Codex: Brumes", version="1.0")), ["Codex: Marins", "Codex: Brumes"]),
        ((source("a.pdf", "Le livre de l’armée des Marins", version="1"), source("b.pdf", "Le livre de l’armée des Brumes", version="1")), ["Marins", "Brumes"]),
        ((source("rpg-2026.pdf", "Reef Penalty Guide"), source("rtr-2026-02.pdf", "Reef Tournament Rules")), ["RPG", "RTR"]),
        ((source("lantern_errata.pdf", "FAQ & Errata"), source("b.pdf", "© Copyright Ferry Press 2026", version="1")), ["Lantern errata", "FAQ"]),
        ((source("a.pdf", "Faction Pack", game="Marins"), source("b.pdf", "Faction Pack", game="Brumes")), ["Marins", "Brumes"]),
        ((source("a.pdf", "FAQ", version="1.0"), source("b.pdf", "FAQ", version="2.0")), ["FAQ 1.0", "FAQ 2.0"]),
        (
            (
                source("reef-fr.pdf", "Commentaires des Pilotes, juin 2026", game="Reef", date="2026-06"),
                source("reef-fr-new.pdf", "Commentaires des Pilotes, juin 2026", game="Reef", date="2026-06"),
                source("reef-fr-old.pdf", "Commentaires des Pilotes, mai 2026", game="Reef", date="2026-05"),
            ),
            ["Commentaires (1)", "Commentaires (2)", "Commentaires"],
        ),
    ],
)  # fmt: skip
def test_short_names_tell_sources_apart(documents: tuple[Document, ...], names: list[str]) -> None:
    rulings = [ruled(question(n, source=each.source)) for n, each in enumerate(documents)]
    made = editions.edition(book(*rulings, documents=documents, game=None))
    assert [each.name for each in made.sources] == names


def test_web_and_booklet_mark_the_same_as_changed() -> None:
    rulings = (ruled(question(1, changed=True), 1), ruled(question(2), 2, since=Since.CHANGED))
    made = editions.edition(book(*rulings))
    leaves = web.context(made)["leaves"]
    assert [leaf.changed for leaf in leaves.values()] == [bool(each.ruling.since) for each in made.rulings] == [False, True]


def test_sources_are_cited_in_short() -> None:
    made = editions.edition(every_kind())
    assert {cite.replace("\u00a0", " ") for each in made.rulings for cite in each.cited} >= {"FAQ sept. 2026 · 3"}


@pytest.mark.parametrize(
    ("language", "terms"),
    [
        ("fr", "Elfe Étal Fer Obus Œuf Offre Zone"), ("es", "nácar nube ñandú oso"), ("de", "Ofen Öl Ort Zug"),
        ("pl", "Luk Lza Łódź Mgła Ziele Źródło Żaba"), ("sv", "Ask Zon Ås Ärla Ö"), ("da", "Aks Zone Æble Øl Ål"),
        ("nb", "Aks Sone Æra Øl Ål"), ("fi", "Aasi Zombi Åbo Äiti Öljy"), ("ca", "Càstig Cel Çurt Drac"),
        ("cs", "Cena Člun Duch Hora Chata Ilona Rys Řeka Sova Šíp Zub Žába"),
        ("hu", "Ágy Cukor Csata Ég Orr Öböl Őr Út Űr Üst Zokni Zseb"), ("ro", "Apă Ăla Înger Sare Șarpe Tun Țară"),
        ("ru", "Еда Ёж Жук Игра Йод Кот Яма"), ("uk", "Герб Ґанок Дім Ель Єнот Игрек Ім’я Їжак Йод"),
        ("el", "Άλμα Βέλος Έλα Ήλιος Ίσκιος Όπλο Σώμα Ύλη Φως Ώρα"),
    ],
)  # fmt: skip
def test_the_index_sorts_as_the_language_does(language: str, terms: str) -> None:
    names = terms.split()
    jumbled = names[::-1]
    assert sorted(jumbled, key=lambda term: words.alphabetic(term, language)) == names


@pytest.mark.parametrize(
    ("language", "term", "letter"),
    [("fr", "Étal", "E"), ("es", "ñandú", "Ñ"), ("sv", "ås", "Å"), ("cs", "chata", "Ch"), ("hu", "Őr", "Ö"), ("pl", "Łódź", "Ł"),
     ("ru", "Ёж", "Е"), ("uk", "їжак", "Ї"), ("el", "Άλμα", "Α"), ("ru", "Zombie", "Z"), ("en", "62 hits", "0–9"), ("de", "„Übel“", "U")],
)  # fmt: skip
def test_a_term_stands_under_its_letter(language: str, term: str, letter: str) -> None:
    assert words.letter(term, language) == letter


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "0 pages 1 page 2 pages"), ("fr", "0 page 1 page 2 pages"), ("de", "1 Seite 2 Seiten"), ("hu", "1 oldal 5 oldal"),
     ("pl", "1 strona 2 strony 5 stron 12 stron 22 strony"), ("cs", "1 strana 4 strany 5 stran 22 stran"),
     ("ru", "1 страница 3 страницы 11 страниц 21 страница 112 страниц"), ("uk", "2 сторінки 5 сторінок 101 сторінка"),
     ("ro", "1 pagină 2 pagini 19 pagini 20 de pagini 101 pagini"), ("fi", "1 sivu 2 sivua"), ("el", "1 σελίδα 2 σελίδες")],
)  # fmt: skip
def test_counts_take_the_form_of_the_language(language: str, said: str) -> None:
    numbers = [int(number) for number in re.findall(r"\d+", said)]
    forms = words.words(language)["pages"]
    assert " ".join(words.counted(number, forms, language) for number in numbers).replace("\u00a0", " ") == said


@pytest.mark.parametrize(
    ("iso", "language", "said"),
    [("2019-06", "fr", "juin 2019"), ("2026-09-01", "fr", "1er septembre 2026"), ("2026-07-22", "de", "22. Juli 2026"),
     ("2026-07-22", "es", "22 de julio de 2026"), ("2019", "it", "2019"), (None, "en", ""), ("2019-06", "eo", "June 2019"), ("2019-06-02", "hr", "2. lipnja 2019."),
     ("2026-09-15", "pl", "15 września 2026"), ("2026-09", "pl", "wrzesień 2026"), ("2026-06-01", "el", "1η Ιουνίου 2026"),
     ("2026-04-02", "ca", "2 d’abril de 2026"), ("2026-06", "hu", "2026. június"), ("2026-06-02", "fi", "2. kesäkuuta 2026")],
)  # fmt: skip
def test_dates_are_said_in_the_language(iso: str | None, language: str, said: str) -> None:
    assert words.date(iso, language) == said


def test_short_dates_bend_what_is_not_abbreviated() -> None:
    assert words.date("2026-03-03", "ru", short=True) == "3 марта 2026"
    assert words.date("2026-03", "ru", short=True) == "март 2026"
    assert words.date("2026-02-03", "ru", short=True) == "3 февр. 2026"
    assert words.month("2026-03-03", "es") == ("marzo", "2026") and words.month("2026", "es") == ("2026",) and words.month(None, "es") == ()


def test_every_language_has_every_word() -> None:
    def keys(table: Mapping[str, Any], lead: str = "") -> set[str]:
        return {f"{lead}{name}{key}" for name, value in table.items()
                for key in (keys(value, ".") if isinstance(value, dict) else {""})}  # fmt: skip

    strings = {
        path.stem: tomllib.loads(path.read_text("utf-8")) for path in (ROOT / "templates/strings").glob("*.toml")
    }
    optional = {"plural", "dates.first_day", "dates.day_months"}
    for language, table in strings.items():
        assert keys(table) - optional == keys(strings["en"]) - optional, language
        assert fonts.unprintable("".join(re.findall(r"\w", str(table)))) == [], language


def test_every_list_of_forms_fits_the_rules_of_its_language() -> None:
    names = ("pages", "questions", "errata", "definitions", "rules", "tables")
    for path in sorted((ROOT / "templates/strings").glob("*.toml")):
        ours = words.words(path.stem)
        told = {name: each for name, each in ours["changes"].items() if isinstance(each, list) and name != "plural"}
        lists = [ours[name] for name in names] + list(told.values())
        for forms in (*lists, ours["web"]["rulings"], ours["handout"]["left_out"]):
            assert len(forms) in (1, 2, len(ours["plural"]) + 1), (path.stem, forms)


# ---------------------------------------------------------------- cards


LONG = tuple(rich(" ".join(SENTENCES * 3)) for _ in range(2))


def test_a_card_has_all_on_one_side() -> None:
    made, cuts = sheets(editions.edition(book(*(ruled(question(n), n) for n in range(1, 12)))), 210, 297)
    assert [(len(sheet.fronts), len(sheet.backs)) for sheet in made] == [(9, 0), (2, 0)]
    for card in (card for sheet in made for card in sheet.fronts):
        assert card.over and card.ask and [*filter(None, [card.verdict]), *card.told]
    assert len(cuts) == 8


def test_backs_meet_their_fronts_when_the_sheet_is_turned() -> None:
    made, _ = sheets(editions.edition(book(*(ruled(question(n, answer=LONG if n % 3 else (rich("Oui."),)), n) for n in range(1, 12)))), 210, 297)
    assert [len(sheet.fronts) for sheet in made] == [9, 2]
    assert [bool(card.back) for sheet in made for card in sheet.fronts] == [False] * 3 + [True] * 8, "those with backs come last"
    for sheet in made:
        fronts = [card for card in sheet.fronts if card.back]
        for front, back in zip(fronts, sheet.backs, strict=True):
            assert front.each is back.each
            assert front.left + back.left + 63 == pytest.approx(210, abs=0.05)
            assert front.top == back.top


def test_a_sheet_with_backs_says_how_it_is_turned(tmp_path: Path) -> None:
    for answer, count in (((rich("Oui."),), 1), (LONG, 2)):
        pages = pages_of(render(book(ruled(question(1, answer=answer))), "cards", tmp_path / "c.pdf"))
        assert len(pages) == count
        assert (words.words("fr")["cards_duplex"].split("\u00a0")[0] in pages[0]) is (count == 2)


def test_a_long_answer_goes_on_behind_and_on_the_next_card() -> None:
    entry = question(1, answer=(rich(" ".join(SENTENCES * 22)),))
    [sheet] = sheets(editions.edition(book(ruled(entry))), 210, 297)[0]
    assert len(sheet.fronts) > 1
    assert " ".join(text for card in sheet.fronts for text in (*card.told, *card.back)) == str(entry.answer[0])


def test_a_verdict_is_as_large_as_its_card_allows() -> None:
    told = ("Oui.", "Tout à fait.", "Non. " + " ".join(SENTENCES * 4))
    rulings = [ruled(question(n, answer=(rich(said),)), n) for n, said in enumerate(told)]
    [sheet] = sheets(editions.edition(book(*rulings)), 210, 297)[0]
    sizes = [card.verdict_size for card in sheet.fronts]
    assert sizes[0] > sizes[1] > 20 and sizes[0] > sizes[2] >= 11
    assert all(fonts.width(card.verdict, card.verdict_size, "Sans", "Bold") < 56 * 72 / 25.4 for card in sheet.fronts)


def test_a_card_names_page_and_book_of_an_erratum() -> None:
    erratum = Erratum(id="e", pages=(7,), target=rich("Angriff"), **{**COMMON, "language": "de"})
    [sheet] = sheets(editions.edition(book(ruled(erratum), language="de")), 210, 297)[0]
    [card] = sheet.fronts
    assert (str(card.ask), card.of_book) == ("S.\u00a07 Angriff", "FAQ")


def test_a_long_question_goes_on_in_the_text_and_large_type_is_large() -> None:
    asked = " ".join(SENTENCES * 9)
    edition = editions.edition(book(ruled(question(1, question=rich(asked), subject=rich("Très long sujet " * 30)))))
    [sheet] = sheets(edition, 210, 297)[0]
    whole = " ".join(text for card in sheet.fronts for text in ((card.ask,) if card.number == 1 else ()) + card.told + card.back)
    assert whole.startswith(asked) and "[" not in whole
    assert all(len(card.over) <= 121 for card in sheet.fronts)
    assert {card.of for card in sheet.fronts} == {len(sheet.fronts)}
    large = [card for each in sheets(edition, 210, 297, smallest=9.1)[0] for card in each.fronts]
    assert len(large) > len(sheet.fronts) and min(card.size for card in large) >= 9.1


def test_a_card_with_a_back_cuts_no_question_and_no_sentence() -> None:
    """In large type most rulings take both sides: the question in front, what follows at the ends of sentences, what
    announces a text with it, and no verdict in the middle of a question."""
    asked = rich(Span(text=f"{' '.join(SENTENCES * 2)[:400]} ?", italic=True))
    told = (rich("Oui. " + " ".join(SENTENCES)), rich("Remplacez la suite par :"), rich(f"« {SENTENCES[0]} »"))
    [sheet] = sheets(editions.edition(book(ruled(question(1, question=asked, answer=told)))), 210, 297, smallest=9.1)[0]
    [card] = sheet.fronts
    assert card.ask == asked and card.verdict == "Oui." and card.verdict_size >= card.size
    sides = [side for side in (card.told, card.back) if side]
    assert all(side[-1].rstrip("» ").endswith((".", "!", "?")) for side in sides), sides
    assert [text for side in sides for text in side if text.endswith(":")] == ["Remplacez la suite par :"]
    longer = rich(" ".join(SENTENCES * 5))
    [sheet] = sheets(editions.edition(book(ruled(question(1, question=longer, answer=told)))), 210, 297, smallest=9.1)[0]
    rest = [text for card in sheet.fronts for text in (*card.told, *card.back)]
    assert not any(card.verdict for card in sheet.fronts)
    assert " ".join((sheet.fronts[0].ask, *rest)).startswith(f"{longer} Oui.")
    assert all(span.bold for span in rest[0].spans), "what is still asked is bold"


def test_no_side_of_a_card_ends_in_a_heading_or_the_letter_of_an_item() -> None:
    """A side ended in "Philosophy", and another in "A."."""
    head, item = rich(Span(text="Conseil", bold=True)), f"A. {SENTENCES[2][:-1]} et ne regarde jamais en arrière."
    for count in range(4, 16):
        told = (rich(" ".join(SENTENCES[each % 4] for each in range(count))), head, rich(item))
        [sheet] = sheets(editions.edition(book(ruled(question(1, answer=told)))), 210, 297, smallest=12)[0]
        sides = [side for card in sheet.fronts for side in (card.told, card.back) if side]
        assert not any(side[-1] in (head, "A.") for side in sides), sides
        assert " ".join(text for side in sides for text in side).endswith(f"Conseil {item}")


def test_words_without_a_space_are_cut_rather_than_lost() -> None:
    entry = question(1, answer=(rich("x" * 9000),))
    made = [card for each in sheets(editions.edition(book(ruled(entry))), 210, 297)[0] for card in each.fronts]
    assert sum(len(text) for card in made for text in (*card.told, *card.back)) == 9000


# ---------------------------------------------------------------- characters


@given(st.text())
def test_text_is_always_escaped_and_never_lost(text: str) -> None:
    made = page.pieces(text)
    whole = "".join(piece.text for piece in made if piece.what == "text")
    assert not set(whole) - {chr(code) for code in fonts.coverage()} - set("\x00")
    if text.isascii() and text.isprintable() and "'" not in text:
        assert whole.replace("\xa0", " ") == text  # before a "?" a line is not broken


def test_payloads_stay_words() -> None:
    made = page.html("booklet.html.j2", booklet_context(every_kind()), language="fr")
    assert "&lt;b&gt;&amp;amp; {{ 7*7 }}&lt;/b&gt;" in made


def test_symbols_are_drawn_icons_are_shown_and_stray_letters_are_marked() -> None:
    what = [(piece.what, piece.text) for piece in page.pieces("a ★ ⚔ ① Ƴƛǎ ok")]
    assert ("symbol", "★") in what
    assert ("icon", "[crossed swords]") in what
    assert ("icon", fonts.UNREADABLE) in what
    assert fonts.drawing("★") != fonts.drawing("①")


def test_an_icon_is_drawn_as_book_toml_gives_it(tmp_path: Path, printed: tuple[Path, list[str]]) -> None:
    (tmp_path / "griffe.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    )
    settings = BookSettings(folder=tmp_path, icon_images={"griffe": "griffe.svg"})
    with_picture = " ".join(pages_of(render(every_kind(), "zine", tmp_path / "a.pdf", settings=settings)))
    without = " ".join(pages_of(printed[0] / "zine.pdf"))
    assert "[griffe]" in without
    assert "[griffe]" not in with_picture


def test_a_missing_glyph_fails_the_build_and_is_named() -> None:
    with pytest.raises(ConfigError, match=r"entry q7.*漢.*U\+6F22"):
        print_pdf('<html lang="fr"><body><p id="r-q7">Le mot 漢 manque</p></body></html>')


EUROPE = (
    "ąćęłńóśźż áčďéěíňóřšťúůýž ľĺŕôä őűáéíóöúü ăâîșțşţ βγδζηθκλξπσφψως άέήίόύώϊϋΐΰ ἀᾶὸ бгджзийлфцчшщъыьэюя ґєії ў ђљњћџ ѓќѕ "
    "ðþæ ċġħż ğışİ āēģīķļņū ėįųū õ ŵŷ ĉĝĥĵŝŭ ŋđŧ ŀ ḃḋḟṁṗṡṫ ẞß ĳ åø œæ ñ ¿¡ ãõ „“”‚‘’«»‹›…–—§¶№€₺₽°′″−×÷≠≤≥½¼¾⅓⅔"
)


def test_every_letter_of_europe_prints_upright_and_italic(tmp_path: Path) -> None:
    letters = EUROPE + EUROPE.upper()
    assert fonts.unprintable(letters) == []
    shown = "".join(piece.text for piece in page.pieces(letters))
    print_pdf(f'<html lang="el"><head><style>{fonts.faces()} body {{ font-family: Rubricator Serif, Rubricator Rest, '
              f'Rubricator Last }}</style></head><body><p>{shown}</p><i>{shown}</i></body></html>')  # fmt: skip


def test_a_letter_that_no_font_has_is_a_finding_with_its_ruling() -> None:
    [found] = editions.missing_glyphs([question(1), question(2, answer=(rich("Oui, ꙮ."),))])
    assert (found.code, found.page, found.source) == ("missing-glyph", 1, "faq.pdf")
    assert "'ꙮ' (U+A66E cyrillic letter multiocular o)" in found.message and "q2" in found.message


def test_a_book_in_a_script_that_we_lack_is_refused(tmp_path: Path) -> None:
    entry = question(1, question=rich("漢字漢字漢字?"), answer=(rich("漢字漢字漢字漢字"),))
    with pytest.raises(ConfigError, match="page 1"):
        render(book(ruled(entry)), "zine", tmp_path / "x.pdf")


# ---------------------------------------------------------------- templates


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("<p>\n{% if %}\n</p>", 2),
        ("<p>\n\n{{ nobody }}</p>", 3),
        ("{{ 1 / 0 }}", 1),
        ("\n{{ words.contents.nothing }}", 2),
    ],
)
def test_a_mistake_in_a_template_is_one_line_with_file_and_line(source: str, line: int, tmp_path: Path) -> None:
    (tmp_path / "mine.html.j2").write_text(source)
    with pytest.raises(ConfigError) as caught:
        render_template("mine.html.j2", {}, tmp_path / "out.html", templates=tmp_path)
    assert f"mine.html.j2:{line}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_users_template_comes_before_ours(tmp_path: Path) -> None:
    (tmp_path / "slips.html.j2").write_text('{% extends "page.html.j2" %}{% block body %}<p>À moi</p>{% endblock %}')
    [text] = pages_of(render(every_kind(), "slips", tmp_path / "out.pdf", templates=tmp_path))
    assert text == "À moi"


@pytest.mark.parametrize(
    "vector",
    ['<img src="http://127.0.0.1:9/a.png" alt="a">', '<img src="file:///etc/passwd" alt="a">',
     '<link rel="stylesheet" href="http://127.0.0.1:9/a.css">', '<style>@import url(file:///etc/hosts);</style>',
     '<link rel="attachment" href="file:///etc/passwd">', '<img src="rubricator:font/../../secret" alt="a">'],
)  # fmt: skip
def test_nothing_but_our_own_assets_is_read(vector: str) -> None:
    try:
        made = print_pdf(f'<html lang="fr"><head><title>t</title></head><body><p>x</p>{vector}</body></html>')
    except ConfigError:
        return
    with pikepdf.open(io.BytesIO(made)) as pdf:
        assert not pdf.attachments


def test_without_pango_the_missing_part_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "weasyprint":
            raise OSError("cannot load library 'libpango-1.0-0'")
        return real(name, *args, **kwargs)

    paper._weasyprint.cache_clear()
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingPartError, match="Pango"):
        paper._weasyprint()


def test_the_names_of_pages_are_made_once_for_each_page_not_for_each_box_on_one() -> None:
    paper._weasyprint()
    import pydyf

    pdf, other = pydyf.PDF(), pydyf.PDF()
    for _ in range(2):
        pdf.add_page(pydyf.Dictionary({"Type": "/Page"}))
    names = pdf.page_references
    assert names == tuple(b"%d 0 R" % number for number in pdf.pages["Kids"][::3])
    assert pdf.page_references is names
    assert other.page_references == ()
    pdf.add_page(pydyf.Dictionary({"Type": "/Page"}))
    assert len(pdf.page_references) == 3


def test_what_is_too_much_to_print_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: Any, **__: Any) -> bytes:
        raise SourceError("used up its memory")

    monkeypatch.setattr("pipeline.guard.run", run)
    with pytest.raises(OutputError, match=r"printing 4 characters used up its memory – .*\.html"):
        print_guarded("<p/>", {})


def test_products_are_those_of_book_toml() -> None:
    from typing import get_args

    from pipeline.config import Product

    assert set(get_args(Product)) <= set(PRODUCTS)


def test_an_hour_stands_beside_what_it_is_the_hour_of() -> None:
    first, last = table_layout.shape((("9:00", "Accueil des équipages"), ("14:30", "Ronde 2")), 0, 90, 8).shares
    assert first < 20 and first + last == pytest.approx(100, abs=0.1)
    figures = table_layout.shape((("M", "T", "SV"), ("14", "11", "3+")), 1, 90, 8).shares
    assert max(figures) < 50, "figures under figures stay spread out"


def test_the_column_that_holds_the_text_of_a_table_gets_the_room() -> None:
    said = "\n".join(f"• Manche {n} : deux gués et une digue (trois points)" for n in range(4))
    rows = [["Parties de la manche", "Points de manche", "Parties jouées", "Part des parties"], [said, "21", "10", "21/30, soit 0,70"]]
    made = table_layout.shape(rows, 1, 75, 7.4)
    assert made.lines <= 11 and not made.broken


def test_long_heads_over_figures_are_turned_before_a_word_is_broken(tmp_path: Path) -> None:
    heads = ("Unité", "Mouvement", "Combat rapproché", "Tir", "Endurance", "Commandement", "Sauvegarde", "Initiative", "Règles")
    rows = (heads, *((f"Grenadier {n}", "6", "4", "3", "3", "7", "4+", "2", "Porteur de lanterne") for n in range(4)))
    made = table_layout.shape(rows, 1, 50, 8)
    assert (made.turned, made.broken) == (frozenset(range(1, 8)), False)
    assert table_layout.shape(rows, 1, 300, 8).turned == frozenset()
    table = Table(id="t1", title=None, rows=tuple(tuple(map(rich, row)) for row in rows), header_rows=1, **COMMON)
    with pdfplumber.open(render(book(ruled(table)), "zine", tmp_path / "z.pdf")) as pdf:
        turned = {"".join(c["text"] for c in sorted(column, key=lambda c: -c["bottom"])) for column in
                  (list(group) for _, group in groupby((c for c in pdf.pages[-1].chars if not c["upright"]), key=lambda c: round(c["x0"])))}  # fmt: skip
    assert "Commandement" in turned


def test_the_items_of_a_list_in_a_cell_are_lines() -> None:
    cell = rich(Span(text="• un quai\n• deux "), Span(text="barques", bold=True))
    table = Table(id="t1", title=rich("Cales"), rows=((rich("Cale"), rich("Contenu")), (rich("Haute"), cell)), header_rows=1, **COMMON)
    made = page.html("booklet.html.j2", booklet_context(book(ruled(table))), language="fr")
    assert "<td>• un quai<br>• deux <b>barques</b></td>" in made
    assert "• un quai<br>• deux <b>barques</b></td>" in web.html(book(ruled(table)))
    assert table_layout.shape(table.rows, 1, 100, 8).lines == 3


LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="10" height="10"><rect width="10" height="10" fill="#00f"/></svg>'


def test_a_book_brings_its_logo_and_templates(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/slips.html.j2").write_text('{% extends "page.html.j2" %}{% block body %}<p>À moi</p>{% endblock %}')
    (tmp_path / "logo.svg").write_text(LOGO)
    (tmp_path / "book.toml").write_text('logo = "logo.svg"\ntemplates = "mine"\n')
    settings = load_book(tmp_path)
    [text] = pages_of(render(every_kind(), "slips", tmp_path / "slips.pdf", settings=settings))
    assert "À moi" in text
    seen: list[str] = []

    def printer(html: str, pictures: Mapping[str, str]) -> bytes:
        seen.append(html)
        assert pictures["@logo"] == str((tmp_path / "logo.svg").resolve())
        return print_pdf(html, pictures)

    render(every_kind(), "booklet", tmp_path / "booklet.pdf", settings=settings, printer=printer)
    assert 'class="logo" src="rubricator:picture/@logo"' in seen[0]


@pytest.mark.parametrize("code", ["{{ ''.__class__.__mro__ }}", "{{ edition.__class__.__init__.__globals__ }}", "{{ font_faces.__globals__ }}"])
def test_templates_of_a_book_can_only_look_at_it(tmp_path: Path, code: str) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/slips.html.j2").write_text('{% extends "page.html.j2" %}{% block body %}<p>' + code + "</p>{% endblock %}")
    (tmp_path / "book.toml").write_text('templates = "mine"\n')
    with pytest.raises(ConfigError):
        render(every_kind(), "slips", tmp_path / "slips.pdf", settings=load_book(tmp_path))


def test_templates_and_logo_stay_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "out").mkdir()
    for line in ('templates = "../out"', 'templates = "none"', 'logo = "../x.svg"', 'logo = "none.svg"'):
        (tmp_path / "book/book.toml").write_text(line + "\n")
        with pytest.raises(ConfigError):
            load_book(tmp_path / "book")
    (tmp_path / "book/mine").mkdir()
    (tmp_path / "book/mine/slips.html.j2").symlink_to("/etc/hostname")
    (tmp_path / "book/book.toml").write_text('templates = "mine"\n')
    with pytest.raises(ConfigError, match="leads out of this folder"):
        load_book(tmp_path / "book")
