"""Text of a PDF is data: whatever it says, it adds no element, no attribute and no live link to what we print."""

from __future__ import annotations

import contextlib
import csv
import html
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pipeline import cli, export, flow, guard
from pipeline.records import QA, AnyEntry, Book, Change, Document, Erratum, Operation, Span, Text
from pipeline.render.editions import asked, every_text
from tests import hostile

PAYLOADS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)' x='",
    "{{ 7*7 }} {% include '/etc/passwd' %} {{ cycler.__init__.__globals__ }}",
    "</style><link rel=attachment href=file:///etc/passwd>",
    '</title></textarea></template></script><img src="http://127.0.0.1:9/x.png">',
    'url(file:///etc/passwd) @import "http://127.0.0.1:9/a.css"; } body { display: none }',
    "[x](javascript:alert(1)) ![x](file:///etc/passwd) <javascript:alert(1)>",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;b&#62; &amp;nbsp;",
    "<!-- --> ]]> <![CDATA[ <?xml version='1.0'?> <!DOCTYPE x>",
    '<svg><use href="data:image/svg+xml;base64,AAAA"/></svg>',
    "../../../../etc/passwd",
    '=HYPERLINK("http://evil.example","x") +cmd|\'/c calc\'!A0',
    "</script><script type=module>import('http://127.0.0.1:9/')</script>",
    "\\u003cscript\\u003e ${7*7} #{7*7} <%= 7*7 %>",
]
PLAIN = "A quiet text of the same length, with nothing in it that means anything to a browser"
SCHEMES = ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,<script>alert(1)</script>", "vbscript:x",
           "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "//evil.example/x", "smb://x/y"]  # fmt: skip
ALLOWED = {"http", "https", "mailto", ""}
DRAWN = re.compile(r"rubricator:(symbol/[0-9a-f]+|label/[0-9a-f]{3,6}/[^/]*)", re.IGNORECASE)  # what our own fetcher draws


class Skeleton(HTMLParser):
    """The elements, attributes and addresses of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: set[tuple[str, str]] = set()
        self.scripts: list[str] = []
        self.addresses: list[str] = []
        self.text: list[str] = []
        self.inside = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        self.parts |= {(tag, "")} | {(tag, name) for name, _ in attrs}
        for name, address in attrs:
            if name in ("href", "src", "action", "formaction", "poster", "srcset", "xlink:href"):
                self.addresses.append(address or "")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "script":
            self.scripts.append(data)
        self.text.append(data)


def source(texts: list[str]) -> bytes:
    """A PDF with a question and an answer for each text."""
    lines = ["FAQ", "Version 1.0", ""]
    for number, text in enumerate(texts, 1):
        lines += [f"Q: Does rule {number} say {text}?", f"A: Yes, rule {number} says {text}.", ""]
    return hostile.words("\n".join(lines))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("injection")
    plain = [PLAIN + (" http www example" if "http" in payload else "") for payload in PAYLOADS]
    return hostile.write(made, {"evil": source(PAYLOADS), "quiet": source(plain), "empty": source(plain[:3])})[0].parent


@pytest.fixture(scope="module")
def evil(folder: Path) -> Document:
    return with_links(guard.read(folder / "evil.pdf", cache=None), SCHEMES)


@pytest.fixture(scope="module")
def quiet(folder: Path) -> Document:
    return with_links(guard.read(folder / "quiet.pdf", cache=None), ["https://example.org/"] * len(SCHEMES))


def with_links(document: Document, links: list[str]) -> Document:
    """The document with a linked word for each address, and metadata that are payloads too when it is evil."""
    made = tuple(
        QA(id=f"link-{number}", question=Text((Span(text=f"Where is {number}?"),)), language="en", page=1, section=("Links",),
           answer=(Text((Span(text="here", link=link, bold=True), Span(text=" is the place."))),), source=document.source)
        for number, link in enumerate(links)
    )  # fmt: skip
    title = PAYLOADS[0] + "{{7*7}}" if links is SCHEMES else "A title"
    entries = tuple(replace(entry, language="en") for entry in (*document.entries, *made))
    return replace(document, language="en", entries=entries, title=title, publisher=title, version=title, game=title)


# ---------------------------------------------------------------- every page that we make

Printed = Callable[[Document], str]


def product(name: str) -> Printed:
    def make(document: Document) -> str:
        from pipeline.render import render

        pages: list[str] = []

        def printer(page: str, pictures: Mapping[str, str]) -> bytes:
            pages.append(page)
            raise StopIteration  # the HTML is what we look at

        if name == "slips":  # which print errata alone
            document = replace(document, entries=tuple(map(_as_erratum, document.entries)))
        book: Book = replace(flow.merge([document]), name="injection", title=document.title or "")
        out = Path("/nonexistent/never-written.html")
        with pytest.raises((StopIteration, RuntimeError)):
            render(book, name, out.with_suffix(".pdf"), printer=printer)
        return pages[0]

    return make


def _as_erratum(entry: AnyEntry) -> Erratum:
    shared = {name: getattr(entry, name) for name in ("id", "section", "subject", "language", "page", "source")}
    return Erratum(target=asked(entry), changes=(Change(operation=Operation.INSERT, new=every_text(entry)),), **shared)


def web(document: Document) -> str:
    import tempfile

    from pipeline.render import render

    with tempfile.TemporaryDirectory() as folder:
        book = replace(flow.merge([document]), name="injection", title=document.title or "")
        return render(book, "web", Path(folder) / "web.html").read_text(encoding="utf-8")


PAGES: dict[str, Printed] = {
    "web": web,
    **{name: product(name) for name in ("booklet", "sheet", "reader", "cards", "slips")},
}


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_added_to_a_page(page: str, evil: Document, quiet: Document) -> None:
    ours, theirs = Skeleton(PAGES[page](quiet)), Skeleton(PAGES[page](evil))
    assert theirs.parts - ours.parts == set()
    assert not [name for _, name in theirs.parts if name.startswith("on")]
    addresses = [address for address in theirs.addresses if page == "web" or not DRAWN.fullmatch(address)]
    assert {urlsplit(address.strip()).scheme for address in addresses} <= ALLOWED | {"data"}
    assert not [address for address in theirs.addresses if address.startswith(("data:text", "data:image/svg", "//"))]
    assert len(theirs.scripts) == len(ours.scripts)


@pytest.mark.parametrize("page", ["web", "booklet", "reader"])
def test_template_syntax_is_printed_and_not_run(page: str, evil: Document) -> None:
    made = PAGES[page](evil)
    shown = " ".join("".join(Skeleton(made).text).split())
    assert "{{ 7*7 }}" in shown or "{{ 7*7 }}" in html.unescape(made)
    assert "root:x:" not in made
    assert not re.search(r"rule 4 say[s]? 49", shown)


# ---------------------------------------------------------------- export and diff


def test_markdown_holds_no_html_and_no_live_link(evil: Document) -> None:
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(export.WRITERS["md"]([evil]))
    inline = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in [*tokens, *inline]}
    assert not kinds & {"html_block", "html_inline", "image"}
    for token in inline:
        if token.type == "link_open":
            assert urlsplit(str(token.attrs["href"])).scheme in {"http", "https", "mailto"}


def test_no_cell_of_a_table_is_a_formula(evil: Document) -> None:
    formulas = ["=1+1", "+1", "-1+cmd|x", "@SUM(1)", "\t=1", "\r=1", "＝1"]
    entries = tuple(
        QA(id=text, question=Text((Span(text=text),)), answer=(Text((Span(text=text),)),)) for text in formulas
    )
    rows = list(csv.reader(io.StringIO(export.WRITERS["csv"]([replace(evil, entries=evil.entries + entries)]))))
    alive = [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert all(re.fullmatch(r"[+-]\d+", cell) for cell in alive)  # a number is no formula


def test_a_change_sheet_shows_what_it_is_given(folder: Path, tmp_path: Path) -> None:
    made = {}
    for name in ("evil", "quiet"):
        out = tmp_path / f"{name}.html"
        code = cli.main(
            ["diff", str(folder / "empty.pdf"), str(folder / f"{name}.pdf"), "--force", "-o", str(out), "--quiet"]
        )
        assert code == 0
        made[name] = Skeleton(out.read_text(encoding="utf-8"))
    assert made["evil"].parts - made["quiet"].parts <= {("del", ""), ("ins", ""), ("mark", "")}
    assert {urlsplit(address).scheme for address in made["evil"].addresses} <= ALLOWED


def test_links_of_a_pdf_are_kept_only_when_they_are_safe(tmp_path: Path) -> None:
    links = [*SCHEMES, "https://ok.example/page", "mailto:a@ok.example"]
    marks = b"".join(
        b"<</Type/Annot/Subtype/Link/Rect[30 %d 400 %d]/A<</S/URI/URI(%s)>>>>" % (705 - 14 * n, 718 - 14 * n, hostile._escaped(link))
        for n, link in enumerate(links)
    )  # fmt: skip
    text = b" ".join(b"(line %d of the text is long enough) Tj T*" % number for number in range(len(links)))
    page = hostile.PAGE.replace(b"/Contents", b"/Annots[" + marks + b"]/Contents") % b""
    content = hostile.stream(b"BT /F1 12 Tf 14 TL 40 708 Td " + text + b" ET")
    made = hostile.pdf(hostile.CATALOG, hostile.PAGES, page, content, hostile.FONT)
    [path] = hostile.write(tmp_path, {"links": made})
    printed = export.WRITERS["json"]([guard.read(path, cache=None)])
    found = set(re.findall(r'"link": ?"([^"]*)"', printed))
    assert {urlsplit(link).scheme for link in found} <= {"http", "https", "mailto"}
    assert "https://ok.example/page" in found


# ---------------------------------------------------------------- any text at all


@settings(
    max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(st.text(st.sampled_from("<>\"'&;={}%#/\\![]() aé"), min_size=1, max_size=60))
def test_no_text_at_all_adds_anything(quiet: Document, text: str) -> None:
    held = Text((Span(text=f"x{text}x", bold=True, colour="#ec008c"),))
    entry = QA(
        id="q", question=held, answer=(held,), subject=held, language="en", page=1, section=("Links", f"x{text}x")
    )
    quiet = replace(quiet, title="A title", entries=(*quiet.entries[:2], replace(entry, section=("Links", "More"))))
    plain = Text((Span(text="x", bold=True, colour="#ec008c"),))
    shown = replace(entry, question=plain, answer=(plain,), subject=plain, section=("Links", "More"))
    ours = Skeleton(PAGES["booklet"](replace(quiet, entries=(*quiet.entries[:2], shown))))
    theirs = Skeleton(PAGES["booklet"](replace(quiet, entries=(*quiet.entries[:2], entry))))
    assert {tag for tag, _ in theirs.parts} - {tag for tag, _ in ours.parts} <= {"img", "svg", "span"}  # drawn symbols
    assert not [name for _, name in theirs.parts if name.startswith("on")]


# ---------------------------------------------------------------- the terminal, and what comes with a folder


ESCAPES = "\x1b]0;owned\x07\x1b[2J\u202e"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


@pytest.mark.parametrize(
    "command",
    [["check", "BOOK"], ["history", "BOOK"], ["since", "2020", "BOOK"], ["render", f"no{ESCAPES}book"], ["export", f"no{ESCAPES}.pdf"],
     ["dedup", "BOOK"], [f"no{ESCAPES}command"], ["build", f"--no{ESCAPES}"], ["handout", f"no{ESCAPES}.toml"], ["render", "BOOK", "--product", ESCAPES]],
)  # fmt: skip
def test_no_name_speaks_to_the_terminal(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    book = tmp_path / f"bo{ESCAPES}ok"
    book.mkdir()
    hostile.write(book, {f"faq{ESCAPES}": source(["it"])})
    monkeypatch.chdir(tmp_path)
    with contextlib.suppress(SystemExit):
        cli.main([str(book) if each == "BOOK" else each for each in command])
    said = capsys.readouterr()
    assert said.out + said.err
    assert not CONTROLS.search(said.out) and not CONTROLS.search(said.err)


@pytest.mark.parametrize("key", ["title", "game", "icons.x", "documents.faq", "codes"])
def test_no_value_of_a_folder_speaks_to_the_terminal(tmp_path: Path, key: str, capsys: pytest.CaptureFixture[str]) -> None:
    hostile.write(tmp_path, {"faq": source(["it"])})
    written = "[icons]\nx = \"\\u001b[2J\"" if key == "icons.x" else '[codes]\n"\\u001b[2J" = "GEN"' if key == "codes" else (
        '[documents."faq.pdf"]\ntitle = "\\u202e"' if key == "documents.faq" else f'{key} = "\\u001b[2J"')  # fmt: skip
    (tmp_path / "book.toml").write_text(written)
    assert cli.main(["check", str(tmp_path)]) == 7
    said = capsys.readouterr()
    assert "cannot be printed" in said.err and not CONTROLS.search(said.out + said.err)


TEMPLATES = [
    "{{ ''.__class__.__mro__ }}",
    "{{ columns.fonts.Path('/etc/passwd').read_text() }}",
    "{{ columns.__builtins__ }}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{{ edition.book.rulings.append(1) }}{{ look.__init__ }}",
    "{% include '../../../../etc/passwd' %}",
    "{{ font_faces.__globals__ }}",
]


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_of_somebody_else_reaches_nothing(tmp_path: Path, quiet: Document, template: str) -> None:
    from pipeline.errors import ConfigError
    from pipeline.render import page, products
    from pipeline.render.editions import edition
    from pipeline.render.look import look

    (tmp_path / "sheet.html.j2").write_text(template)
    context = products._context(edition(flow.merge([quiet])), look("sheet", None))
    with pytest.raises(ConfigError, match="template"):
        page.html("sheet.html.j2", context, templates=tmp_path, language="en")


def test_a_picture_of_somebody_else_fetches_nothing(tmp_path: Path) -> None:
    """An SVG may name other files and addresses: none of them is asked for, and the page is printed or refused."""
    from pipeline.errors import ConfigError
    from pipeline.render import paper

    (tmp_path / "evil.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><script>x()</script>'
        '<image xlink:href="file:///etc/passwd" width="9" height="9"/><image href="http://127.0.0.1:9/x.png" width="9" height="9"/></svg>'
    )
    html = '<html><head></head><body><p>sign <img src="rubricator:picture/evil"></p></body></html>'
    with contextlib.suppress(ConfigError):
        made = paper.print_pdf(html, {"evil": str(tmp_path / "evil.svg")})
        assert b"root:" not in made and b"/JavaScript" not in made and b"/EmbeddedFile" not in made


def test_a_picture_is_no_larger_than_a_sign(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile.write(tmp_path, {"faq": source(["it"])})
    (tmp_path / "large.svg").write_bytes(b" " * 2_000_001)
    (tmp_path / "book.toml").write_text('[icon_images]\nhammer = "large.svg"\n')
    assert cli.main(["check", str(tmp_path)]) == 7
    assert "are the most for a sign" in capsys.readouterr().err
