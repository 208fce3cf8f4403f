"""The web book: what is in the file, and what it does in a real browser."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import Browser, chromium, missing

from pipeline import flow
from pipeline.errors import ConfigError
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
)  # fmt: skip
from pipeline.render import editions, web
from pipeline.text import rich

FAQ, ERRATA = "faq.pdf", "errata.pdf"
PAYLOADS = (
    '<script>document.title="hacked"</script>', "<img src=x onerror=\"document.title='hacked'\">", "{{ 7 * 7 }}",
    "{% for a in b %}", '"><svg onload=alert(1)>', "</style><script>alert(1)</script>", "${alert(1)}", "&lt;b&gt;", "]]>-->",
)  # fmt: skip


# ---------------------------------------------------------------- a book, made by hand


def book() -> Book:
    """A small French book of an invented game, with one of everything."""
    rulings = (*_questions(), *_others())
    documents = (
        Document(
            source=FAQ, sha256="1f" * 32, pages=9, title="FAQ", game="Sel et Cendre", version="2.1", date="2024-06"
        ),
        Document(source=ERRATA, sha256="2e" * 32, pages=3, title="Errata", game="Sel et Cendre", date="2024-03-12"),
    )
    old = Document(source="faq-1.pdf", sha256="3d" * 32, pages=8, title="FAQ", game="Sel et Cendre", date="2023-01")
    return Book(name="sel", title="Sel et Cendre : décisions", game="Sel et Cendre", language="fr", date="2024-06",
                documents=documents, superseded=(old,), rulings=rulings)  # fmt: skip


def _questions() -> Iterator[Ruling]:
    duel = QA(id="q1", section=("Combat",), subject=rich("Duel à l’aube"), page=2, source=FAQ, language="fr",
              question=rich("Un pion épuisé peut-il accepter un duel ?"),
              answer=(rich("Oui. Il perd seulement son ", Span(text="jet de garde", bold=True), "."),))  # fmt: skip
    variant = replace(
        duel, id="q1b", question=rich("Est-ce qu’un pion épuisé accepte un duel ?"), source=ERRATA, page=3
    )
    yield Ruling(
        entry=duel, code="COM-1", citations=(_at(FAQ, 2), _at(ERRATA, 3)), variants=(variant,), see_also=("q3",)
    )
    heart = QA(id="q2", section=("Combat",), subject=rich("Cœur de braise"), page=3, source=FAQ, language="fr",
               question=rich("Le bonus s’ajoute-t-il à une attaque gratuite ?"),
               answer=(rich("Non. L’attaque gratuite ne reçoit aucun bonus."),))  # fmt: skip
    said = replace(heart, id="q2b", answer=(rich("Oui, s’il est déclaré avant le jet."),), source=ERRATA, page=1)
    yield Ruling(entry=heart, code="COM-2", citations=(_at(FAQ, 3),), conflict=True, disputed=(said,),
                 since=Since.CHANGED, since_date="2024-06")  # fmt: skip
    guard = QA(id="q3", section=("Combat",), subject=rich("Garde"), page=4, source=FAQ, language="fr",
               question=rich("Quand relance-t-on le jet de garde ?"),
               answer=(rich("Juste après le duel, avant les dégâts :"), rich("• une seule fois,"), rich("• jamais de nuit.")))  # fmt: skip
    yield Ruling(entry=guard, code="COM-3", citations=(_at(FAQ, 4),), see_also=("q1",))


def _others() -> Iterator[Ruling]:
    erratum = Erratum(id="e1", section=("Livret",), page=1, source=ERRATA, language="fr", pages=(17,),
                      target=rich("Marée noire"), changes=(Change(operation=Operation.REPLACE,
                      instruction=rich("Remplacez la phrase par :"), new=(rich("Défaussez deux coquillages."),)),))  # fmt: skip
    yield Ruling(entry=erratum, code="LIV-1", citations=(_at(ERRATA, 1),), since=Since.ADDED, since_date="2024-03-12")
    term = Definition(id="d1", section=("Livret",), page=2, source=ERRATA, language="fr", term=rich("Sillage"),
                      aliases=("Wake",), refs=("12",), body=(rich("Les trois cases derrière un navire."),))  # fmt: skip
    yield Ruling(entry=term, code="LIV-2", citations=(_at(ERRATA, 2),))
    rule = Rule(id="u1", section=("Livret", "Vent"), page=2, source=ERRATA, language="fr", number="IV-B-2",
                title=rich("Virer de bord"), body=(rich("Un navire vire d’un quart de tour par point de vent."),))  # fmt: skip
    yield Ruling(entry=rule, code="LIV-3", citations=(_at(ERRATA, 2),))
    table = Table(id="t1", section=("Livret", "Vent"), page=3, source=ERRATA, language="fr", title=rich("Rose des vents"),
                  rows=((rich("Dé"), rich("Vent")), (rich("1–2"), rich("Nord")), (rich("3–6"), rich("Ouest"))))  # fmt: skip
    yield Ruling(entry=table, code="LIV-4", citations=(_at(ERRATA, 3),))
    prose = Prose(
        id="x1", section=("Livret", "Vent"), page=3, source=ERRATA, language="fr", text=rich(" ".join(PAYLOADS))
    )
    yield Ruling(entry=prose, code="LIV-5", citations=(_at(ERRATA, 3),))


def _at(source: str, page: int) -> Citation:
    return Citation(source=source, page=page)


@pytest.fixture(scope="module")
def html() -> str:
    return web.html(book())


class Reader(HTMLParser):
    """The page as a browser without scripts has it: text, ids, links, elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self._inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        self._inside = tag
        self.tags.append(tag)
        self.ids += [held["id"] or ""] if "id" in held else []
        self.links += [held["href"] or ""] if "href" in held else []
        assert not [name for name in held if name.startswith("on") or name == "style"]

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, text: str) -> None:
        if self._inside not in ("script", "style"):
            self.text += text


# ---------------------------------------------------------------- the file


def test_what_is_new_is_told_by_release_and_introductions_are_not(html: str) -> None:
    told = html[(news := html.index('<details id="news">')) : html.index("</details>", html.rindex("<h3>", news, html.index('<details id="contents">')))]
    assert re.findall(r"<h3>(.*?) <span|href=\"#([^\"]+)\"", told) == [
        ("juin 2024", ""), ("", "COM-2"), ("12 mars 2024", ""), ("", "LIV-1")]  # fmt: skip
    opening = Prose(id="v", section=("Avant",), page=1, source=FAQ, language="fr", text=rich("Version 2 – juin 2024"))
    rights = replace(opening, id="c", text=rich("© 2026, Les Trois Phares."))
    intro = tuple(Ruling(entry=each, code=f"AV-{each.id}", since=Since.ADDED, since_date="2024-06") for each in (opening, rights))
    made = web.html(replace(book(), rulings=(*intro, *book().rulings)))
    before = made[made.index('<div id="book">') : made.index('<section id="sources">')]
    assert "Version 2" in before and "AV-" not in made
    assert "Trois Phares" not in before and "Trois Phares" in made


def test_everything_is_readable_and_linked_without_scripts(html: str) -> None:
    read = Reader(html)
    words = " ".join(read.text.split())
    for shown in ("Duel à l’aube", "Oui.", "jet de garde", "Défaussez deux coquillages.", "Wake", "IV-B-2", "Ouest",
                  "FAQ juin 2024", "1f" * 32, "3d" * 32, "non officiel", "Les sources se contredisent"):  # fmt: skip
        assert shown in words
    assert len(read.ids) == len(set(read.ids))
    assert {"COM-1", "LIV-4", "sources"} <= set(read.ids)
    assert "LIV-5" not in read.ids and "LIV-5" not in words, "running text is no ruling that could be called"
    assert {link.removeprefix("#") for link in read.links if link.startswith("#")} <= set(read.ids)


def test_nothing_in_it_points_outside(html: str) -> None:
    assert not [link for link in Reader(html).links if not link.startswith("#")]
    assert not re.search(r"url\((?!data:font/woff2;base64,)", html)
    assert not re.search(
        r"\bsrc=", html.split("<script")[0].replace("&#34;", '"').split("</style>")[0].split("src:")[0]
    )
    assert "import " not in web.module()


def test_the_policy_names_the_script_and_the_style(html: str) -> None:
    for tag in ("script", "style"):
        held = re.search(rf"<{tag}[^>]*>(.*?)</{tag}>", html, re.DOTALL)
        assert held
        assert base64.b64encode(hashlib.sha256(held[1].encode()).digest()).decode() in html.split("<title>")[0]
    assert "default-src &#39;none&#39;" in html


def test_markup_in_a_source_stays_text(html: str) -> None:
    read = Reader(html)
    for payload in PAYLOADS:
        assert payload in read.text
    assert read.tags.count("script") == 1
    assert not {"img", "svg", "iframe", "object", "link"} & set(read.tags)


def test_a_link_of_a_source_is_kept_only_when_it_is_harmless() -> None:
    said = rich(Span(text="ici", link="https://example.org/x"), " et ", Span(text="là", link="JavaScript:alert(1)"))
    prose = Prose(id="x", section=("A",), source=FAQ, language="fr", text=said)
    read = Reader(web.html(replace(book(), rulings=(Ruling(entry=prose, code="A-1"),))))
    assert [link for link in read.links if not link.startswith("#")] == ["https://example.org/x"]
    assert "ici et là" in read.text


def test_icons_are_drawn_from_inside_the_file_and_keep_their_names(tmp_path: Path) -> None:
    (tmp_path / "sword.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>')
    said = rich("Jetez ", Span(text="[épée]", icon="Symbols:E003"), " puis ", Span(text="[icon]", icon="Symbols:E004"))
    prose = Prose(id="x", section=("A",), source=FAQ, language="fr", text=said)
    drawn = web.html(
        replace(book(), rulings=(Ruling(entry=prose, code="A-1"),)), pictures={"épée": str(tmp_path / "sword.svg")}
    )
    assert '<span class="icon drawn icon-1">[épée]</span> puis <span class="icon">[icon]</span>' in drawn
    assert ".icon-1{background-image:url(data:image/svg+xml;base64," in drawn
    with pytest.raises(ConfigError, match="cannot be read"):
        web.html(book(), pictures={"épée": str(tmp_path / "none.svg")})


@pytest.mark.shared
def test_the_hostile_document_is_shown_as_text(shared: Path, tmp_path: Path) -> None:
    maker = (shared / "hostile" / "make_synthetic.py").read_text("utf-8")
    setting, _, rest = maker.partition("def raw_stream")
    injection = rest[rest.index("# injection text") : rest.index("# ToUnicode nasties")]
    subprocess.run([sys.executable, "-c", setting + injection, str(tmp_path)], check=True)
    read = Reader(web.html(flow.merge([flow.read(tmp_path / "injection_text.pdf")])))
    shown = " ".join(read.text.split())
    for payload in ("<script>alert(1)</script>", "onerror=alert(1)", "{{ 7*7 }}", "cycler.__init__", "<svg><use"):
        assert payload in shown
    assert read.tags.count("script") == 1
    assert not {"img", "svg", "iframe", "object", "link", "use"} & set(read.tags)
    assert not [link for link in read.links if not link.startswith(("#", "https://", "http://"))]


@pytest.mark.parametrize("language", ["fr", "en", "de", "es", "it", "pl", "el", "eo"])
def test_it_speaks_the_language_of_the_book(language: str) -> None:
    read = web.html(replace(book(), language=language))
    searching = {"fr": "Chercher", "de": "suchen", "es": "Buscar", "it": "Cerca", "pl": "Szukaj", "el": "Βρείτε"}
    assert searching.get(language, "Find") in read


def test_two_builds_give_the_same_bytes(html: str) -> None:
    web._subset.cache_clear()
    assert web.html(book()) == html


def test_type_is_cut_to_the_letters_in_use(html: str) -> None:
    assert len(html.encode()) < 250_000


def test_codes_that_collide_get_addresses_of_their_own() -> None:
    rulings = tuple(replace(ruling, code="Gén 1") for ruling in book().rulings)
    read = Reader(web.html(replace(book(), rulings=rulings)))
    assert len(read.ids) == len(set(read.ids))
    assert {"Gén-1", "Gén-1-2"} <= set(read.ids)


def test_the_only_document_is_cited_by_its_page() -> None:
    held = [ruling for ruling in book().rulings if ruling.entry.source == FAQ]
    one = replace(book(), documents=book().documents[:1], superseded=(), rulings=tuple(held))
    places = [[place.name for place in leaf.places if place.anchor] for leaf in web._leaves(editions.edition(one)).values()]
    assert places == [["p.\u00a02"], ["p.\u00a03"], ["p.\u00a04"]]


def test_what_a_heading_says_is_not_said_again_in_the_book_but_among_results() -> None:
    rule = Rule(id="u0", section=("Livret",), page=2, source=ERRATA, language="fr", number="IV", title=rich("Vent"), body=(rich("Il souffle."),))
    below = replace(rule, id="u2", section=("Livret", "IV. Vent"), number="IV-A", title=rich("Brise"))
    point = Prose(id="x2", section=("Livret",), page=3, source=ERRATA, language="fr", text=rich("• une brise"))
    rulings = tuple(Ruling(entry=entry, code=f"V-{n}", citations=(_at(ERRATA, 2),)) for n, entry in enumerate((point, rule, below)))
    page = web.html(replace(book(), rulings=rulings))
    assert page.count(' headed" data-s=') == 1 and page.index("IV. Vent</h") < page.index('<p class="number">IV</p>')
    assert '<p class="li">• une brise</p>' in page


def test_an_empty_book_is_still_a_page() -> None:
    assert "Aucune" in web.html(replace(book(), rulings=(), documents=(), superseded=()))


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_modules_by_themselves() -> None:
    cases = Path(__file__).parent / "web_search.mjs"
    done = subprocess.run(["node", "--test", str(cases)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# ---------------------------------------------------------------- in the browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if reason := missing():
        pytest.skip(reason)
    with chromium(tmp_path_factory.mktemp("browser") / "profile") as window:
        yield window


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, html: str) -> Path:
    made = tmp_path_factory.mktemp("web") / "sel.html"
    made.write_text(html, "utf-8")
    return made


@pytest.fixture
def window(browser: Browser, file: Path) -> Browser:
    browser.open("about:blank")
    browser.requests()
    browser.complaints()
    browser.size(1280, 900)
    browser.open(file)
    return browser


@pytest.fixture
def same(browser: Browser, file: Path) -> Browser:
    """The page as the test before left it: for tests that only ask."""
    if browser.run("return location.protocol + location.pathname") != file.as_uri().replace("//", ""):
        browser.open(file)
    return browser


def found(window: Browser) -> list[str]:
    """The codes of the results, best first."""
    codes: list[str] = window.run("return [...document.querySelectorAll('#results article')].map((a) => a.dataset.of)")
    return codes


def said(window: Browser) -> str:
    return str(window.run("return document.querySelector('#count').textContent"))


def ask(window: Browser, query: str) -> list[str]:
    window.run("const q = document.querySelector('#q'); q.value = ''; q.dispatchEvent(new Event('input'))")
    window.type(query)
    return found(window)


@pytest.mark.browser
@pytest.mark.parametrize(("query", "codes"), [
    ("coeur", ["COM-2"]), ("CŒUR", ["COM-2"]), ("epuise", ["COM-1"]), ("Épuisé", ["COM-1"]), ("attaq grat", ["COM-2"]),
    ("gratuite attaque", ["COM-2"]), ('"jet de garde"', ["COM-3", "COM-1"]), ('"garde de jet"', []), ("garde", ["COM-3", "COM-1"]),
    ("sillaeg", ["LIV-2"]), ("coquilages", ["LIV-1"]), ("wake", ["LIV-2"]), ("IV-B-2", ["LIV-3"]), ("liv-3", ["LIV-3"]), ("liv3", ["LIV-3"]),
    ("l’attaque", ["COM-2"]), ("duel", ["COM-1", "COM-3"]), ("zzzz", []), ("ouest", ["LIV-4"]), ("7 * 7", ["r-x1"]),
])  # fmt: skip
def test_search_finds(same: Browser, query: str, codes: list[str]) -> None:
    assert ask(same, query) == codes


@pytest.mark.browser
def test_a_ruling_is_pinned_and_stays_so(window: Browser, file: Path) -> None:
    ask(window, "wake")
    assert window.run("return document.querySelector('#pinned').hidden") is True
    window.run("document.querySelector('#results .pin').click()")
    for again in (False, True):
        if again:
            window.open(file)
        assert window.run("return [...document.querySelectorAll('#pinned a')].map((link) => link.hash)") == ["#LIV-2"]
    window.run("localStorage.clear()")


@pytest.mark.browser
def test_a_long_result_is_short_until_it_is_touched(window: Browser) -> None:
    ask(window, "duel")
    limit = "return getComputedStyle(document.querySelector('#results .answer, #results .body')).maxHeight"
    assert window.run(limit) != "none"
    window.run("document.querySelector('#results .answer, #results .body').click()")
    assert window.run(limit) == "none"


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 900])
def test_the_verdict_of_a_shortened_result_is_in_sight(window: Browser, width: int) -> None:
    """It hangs beside the answer, where what is too long was cut off, and the verdict with it."""
    window.size(width, 900)
    ask(window, "garde")
    shown = window.run("""return [...document.querySelectorAll('#results article > .answer .verdict')].map((verdict) => {
        verdict.scrollIntoView({block: 'center'});
        const box = verdict.getBoundingClientRect();
        return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === verdict; })""")
    assert shown and all(shown)


@pytest.mark.browser
def test_head_and_filters_leave_a_small_screen_while_one_types(window: Browser) -> None:
    window.size(360, 640)
    shown = "return ['.head', '.filters'].map((name) => getComputedStyle(document.querySelector(name)).display !== 'none')"
    assert window.run(shown) == [True, True]
    window.run("document.querySelector('#q').focus()")
    ask(window, "duel")
    assert window.run(shown) == [False, False]
    window.run("document.querySelector('#q').blur()")
    assert window.run(shown) == [False, True]


@pytest.mark.browser
def test_matches_are_marked_and_counted_aloud(window: Browser) -> None:
    ask(window, "epui duel")
    marks = window.run("return [...document.querySelectorAll('#results mark')].map((m) => m.textContent)")
    assert {"épuisé", "duel", "Duel"} <= set(marks)
    assert said(window) == "1 décision"
    ask(window, "sillaeg")
    assert said(window) == "1 décision · mots proches\u00a0: sillage"
    ask(window, "zzzz")
    assert said(window) == "Aucune décision ne correspond"


@pytest.mark.browser
def test_filters_and_the_address(window: Browser, file: Path) -> None:
    window.click("[data-name=verdict][value=no]")
    assert found(window) == ["COM-2"]
    window.click("[data-name=verdict][value=no]")
    window.click("[data-name=changed]")
    assert found(window) == ["COM-2", "LIV-1"]
    window.click("[data-name=kind][value=erratum]")
    assert found(window) == ["LIV-1"]
    window.type("marée")
    window.run("return new Promise((done) => setTimeout(done, 350))")
    shared = window.run("return location.href")
    assert shared.endswith("#q=mar%C3%A9e&kind=erratum&changed=1")
    window.open("about:blank")
    window.open(shared)
    assert found(window) == ["LIV-1"]
    assert window.run("return document.querySelector('#q').value") == "marée"
    window.run(
        "const s = document.querySelector('#source'); s.value = '1'; s.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    assert found(window) == []


@pytest.mark.browser
def test_sections_and_sources_can_be_chosen(window: Browser) -> None:
    for name, title, count in (
        ("section", "Combat", 3),
        ("section", "Vent", 3),
        ("source", "Errata 12\N{NO-BREAK SPACE}mars\N{NO-BREAK SPACE}2024", 6),
    ):
        window.run(
            "const s = document.getElementById(arguments[0]);"
            "s.value = [...s.options].find((o) => o.text.endsWith(arguments[1])).value;"
            "s.dispatchEvent(new Event('change', {bubbles: true}))", name, title,
        )  # fmt: skip
        assert len(found(window)) == count
        window.click("#clear")


@pytest.mark.browser
def test_a_link_is_followed_and_the_way_back_is_the_search(window: Browser) -> None:
    ask(window, "aube")
    window.run("return new Promise((done) => setTimeout(done, 350))")
    window.click("#results .see a")
    assert window.run("return location.hash") == "#COM-3"
    assert window.run("return document.querySelector(':target').id") == "COM-3"
    assert window.run("return [document.documentElement.matches('.asked'), results.hidden]") == [False, True]
    window.call("POST", "/back")
    window.run("return new Promise((done) => setTimeout(done, 150))")
    assert found(window) == ["COM-1", "COM-3"]


@pytest.mark.browser
def test_keys_are_enough(window: Browser) -> None:
    assert window.run("return document.activeElement.id") == "q"
    for key in "garde":
        window.press(key)
    window.press("Down")
    window.press("Down")
    assert window.run("return document.activeElement.dataset.of") == "COM-1"
    window.press("Up")
    window.press("Up")
    assert window.run("return document.activeElement.id") == "q"
    window.press("Down")
    window.press("Enter")
    assert window.run("return location.hash") == "#COM-3"
    window.run("return new Promise((done) => setTimeout(done, 350))")  # the page hears of it a moment later
    window.press("/")
    assert window.run("return [document.activeElement.id, document.activeElement.value]") == ["q", ""]
    window.press("x")
    window.press("Escape")
    assert window.run("return document.querySelector('#q').value + document.querySelector('#count').textContent") == ""


@pytest.mark.browser
@pytest.mark.parametrize("modern", [True, False], ids=["clipboard", "old way"])
def test_a_ruling_is_copied_with_its_text_and_source(window: Browser, modern: bool) -> None:
    if not modern:
        window.run("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    ask(window, "coquillages")
    window.click("#results .copy")
    window.run("return new Promise((done) => setTimeout(done, 100))")
    assert window.run("return document.querySelector('#results .copy').textContent") == "Copié"
    assert window.run("return document.querySelector('#said[role=status]').textContent") == "Copié"
    window.run(
        "const t = document.createElement('textarea'); t.id = 'paste'; document.querySelector('main').prepend(t); t.focus()"
    )
    window.press("Control", "v")
    pasted = window.run("return document.querySelector('#paste').value")
    assert pasted.splitlines() == [
        "p. 17", "Marée noire", "Remplacer Remplacez la phrase par :", "Défaussez deux coquillages.",
        "— Errata 12 mars 2024 · 1 · Sel et Cendre : décisions · LIV-1",
    ]  # fmt: skip


@pytest.mark.browser
def test_markup_in_a_source_does_nothing(window: Browser) -> None:
    ask(window, "alert")
    assert found(window) == ["r-x1"]
    assert window.run("return document.title") == "Sel et Cendre : décisions"
    assert window.run("return document.querySelectorAll('#results img, #results svg, #results script').length") == 0
    assert PAYLOADS[0] in window.run("return document.querySelector('#results article').textContent")


@pytest.mark.browser
def test_no_request_is_ever_made(window: Browser, file: Path) -> None:
    ask(window, "duel")
    window.click("[data-name=changed]")
    window.click("#clear")
    asked = [address for address in window.requests() if not address.startswith(("data:font/", "about:", "chrome"))]
    assert set(asked) == {file.as_uri()}
    assert window.complaints() == []


@pytest.mark.browser
def test_printed_it_is_the_whole_book_without_the_search(window: Browser) -> None:
    import pypdfium2

    with pypdfium2.PdfDocument(io.BytesIO(window.pdf())) as printed:
        assert printed[0].get_size() == pytest.approx((595, 842), abs=2)
        text = " ".join(" ".join(page.get_textpage().get_text_range() for page in printed).split())
    for shown in ("Duel à l’aube", "Virer de bord", "Ouest", "1f1f1f"):
        assert shown in text
    assert "Copier" not in text
    assert "Toutes les sections" not in text


@pytest.mark.browser
def test_every_path_begins_with_its_document_and_what_was_asked_is_in_sight(browser: Browser, tmp_path: Path) -> None:
    """A rule is found by its title and a word deep in it; its shortened result shows where that stands."""
    body = tuple(rich(f"Paragraphe {n} : le pion reste en place et rien ne bouge, ni la mer ni le vent, jusqu’à la marée suivante.") for n in range(9))
    rule = Rule(id="m", section=("Livret", "Fautes"), page=2, source=ERRATA, language="fr", number="2.1", title=rich("Déclenchement manqué"),
                body=(*body, rich("Remède : on reprend à la marée."), *body))  # fmt: skip
    held = book()
    made = tmp_path / "m.html"
    made.write_text(web.html(replace(held, rulings=(*held.rulings, Ruling(entry=rule, code="LIV-9", citations=(_at(ERRATA, 2),))))), "utf-8")
    browser.size(1280, 900)
    browser.open(made)
    assert ask(browser, "déclenchement manqué remède") == ["LIV-9"]
    in_sight = """const body = document.querySelector('#results .body').getBoundingClientRect();
        const word = [...document.querySelectorAll('#results mark')].find((mark) => mark.textContent === 'Remède').getBoundingClientRect();
        return word.top >= body.top - 1 && word.bottom <= body.bottom + 1"""
    due = time.monotonic() + 30
    while not (shown := browser.run(in_sight)) and time.monotonic() < due:
        time.sleep(0.03)
    assert shown
    title = {document.source: document.title for document in held.documents}[ERRATA]
    assert browser.run("return document.querySelector('#results .path').textContent") == f"{title} › Livret › Fautes"
    assert ask(browser, "manqué remède zèbre") == ["LIV-9"], "the nearest, where none has all words"


@pytest.mark.browser
@pytest.mark.parametrize("width", [700, 900, 1280])
def test_filters_are_no_wider_than_the_text(window: Browser, width: int) -> None:
    window.size(width, 740)
    right = "return Math.max(...[...document.querySelectorAll(arguments[0])].map((each) => each.getBoundingClientRect().right))"
    assert window.run(right, ".filters > *") <= window.run(right, "#book") + 1


@pytest.mark.browser
@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_nothing_is_wider_than_the_screen(window: Browser, width: int) -> None:
    window.size(width, 740, phone=width < 700)
    assert window.run("return document.documentElement.scrollWidth") <= width
    ask(window, "vent")
    assert window.run("return document.documentElement.scrollWidth") <= width


@pytest.mark.browser
def test_whoever_searches_far_down_in_the_book_sees_the_first_result(window: Browser) -> None:
    window.size(360, 320, phone=True)
    window.run("document.querySelector('#sources').scrollIntoView()")
    assert window.run("return scrollY") > 1000
    ask(window, "vent")
    top = window.run("return document.querySelector('#results article').getBoundingClientRect().top")
    assert 0 < top < 320


@pytest.mark.browser
def test_thumbs_find_their_targets(window: Browser) -> None:
    window.size(360, 740, phone=True)
    ask(window, "duel")
    low = window.run(
        "return [...document.querySelectorAll('#search button, #search select, #q, .copy')]"
        ".map((e) => e.getBoundingClientRect()).filter((b) => b.width && b.height < 36).length"
    )
    assert low == 0


@pytest.mark.browser
def test_a_screen_reader_finds_its_way(window: Browser) -> None:
    tree = window.devtools("Accessibility.getFullAXTree")["nodes"]
    roles = {node["role"]["value"] for node in tree if "role" in node and not node.get("ignored")}
    assert {"main", "navigation", "search", "searchbox", "banner", "heading", "article", "status"} <= roles
    unnamed = [node for node in tree if node.get("role", {}).get("value") in ("button", "searchbox", "combobox", "link")
               and not node.get("ignored") and not node.get("name", {}).get("value")]  # fmt: skip
    assert unnamed == []


@pytest.mark.browser
@pytest.mark.slow
def test_three_thousand_rulings_stay_light_and_quick(browser: Browser, tmp_path: Path) -> None:
    """Floors that any machine keeps; the figures themselves are made by bench/web_search.py."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
    import web_search

    made = web_search.made_book(3000)
    file = tmp_path / "large.html"
    file.write_text(web.html(made), "utf-8")
    assert file.stat().st_size < web_search.BUDGET["bytes"]
    figures = web_search._in_browser(browser, file, web_search._queries(made))
    assert figures["usable_ms"] < 4 * web_search.BUDGET["usable_ms"]
    assert figures["keystroke_ms"]["median"] < web_search.BUDGET["keystroke_ms"]
