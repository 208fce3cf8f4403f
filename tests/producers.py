"""Sets a known text with other programs than ours: word processors, browsers, TeX, troff, PDF libraries.

A text of ``retypeset`` in one of its styles becomes plain paragraphs, and each producer here sets those in its own way. What
a pass over the finished file does (compressed, encrypted, cropped, a scan with a text layer …) is tried on top. A producer
that is not installed is left out.

Run it: python -m tests.producers TRUTH... [--by NAME...] [--then PASS...] [--seed N] [--count K] [--keep FOLDER] [--show N]
"""

from __future__ import annotations

import argparse
import contextlib
import html
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from tests import retypeset
from tests.retypeset import Block, Made, Style, Truth

MARGIN = 51.0  # points on each side
GAP = 20.0  # points between columns
LEADING = 1.28
SIZES = {"h1": 1.6, "h2": 1.3, "h3": 1.15, "h4": 1.05, "game": 2.0, "title": 1.5, "d1": 1.4, "d2": 1.2}
PAPER = {"A4": (595.0, 842.0), "Letter": (612.0, 792.0), "A5": (420.0, 595.0), "A4 landscape": (842.0, 595.0)}
ICON = "\u2694"


# ---------------------------------------------------------------- what is set


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    text: str
    bold: bool = False
    italic: bool = False
    colour: str = ""
    icon: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Para:
    """A paragraph with the look that the style gives it; a table has rows instead of spans."""

    spans: tuple[Span, ...] = ()
    size: float = 1.0
    heading: int = 0
    centred: bool = False
    item: bool = False
    band: bool = False
    hanging: bool = False
    before: float = 0.0
    after: float = 0.5
    rows: tuple[tuple[str, ...], ...] = ()

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A whole document, ready for any producer."""

    title: str
    game: str
    language: str
    style: Style
    front: tuple[Para, ...]
    body: tuple[Para, ...]
    markup: str

    @property
    def size(self) -> float:
        return float(self.style["size"].removesuffix("pt"))

    @property
    def columns(self) -> int:
        return int(self.style["columns"])

    @property
    def paper(self) -> tuple[float, float]:
        return PAPER[self.style["page"]]

    @property
    def foot(self) -> str:
        return f"{self.game} – {self.title}"


@dataclass
class _Walk(HTMLParser):
    """Markup of ``retypeset`` as paragraphs."""

    style: Style
    made: list[Para] = field(default_factory=list)
    main: int = -1
    spans: list[Span] = field(default_factory=list)
    look: dict[str, Any] = field(default_factory=dict)
    marks: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    open: bool = False
    kind: str = ""
    new: bool = False

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = dict(attrs).get("class") or ""
        if tag == "main":
            self.main = len(self.made)
        elif tag == "section":
            self.kind, self.new = name.split()[0], "new" in name.split()
        elif tag == "table":
            self.rows = []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag in ("p", "h1", "h2", "h3", "h4", "h5", "h6"):
            self.open, self.spans, self.look = True, [], _look(tag, name, self.kind, self.style)
            self.look["new"] = self.new and (self.style["change"] != "words" or name == "a")
        elif tag in ("b", "i", "span", "mark"):
            self.marks.append("span" if name == "icon" else tag)

    def handle_data(self, text: str) -> None:
        if self.rows and self.rows[-1] and not self.open:
            self.rows[-1][-1] += text
        elif self.open:
            for piece in re.split("([\ue000-\uf8ff])", text):
                self._span(piece)

    def _span(self, text: str) -> None:
        icon = "\ue000" <= text[:1] <= "\uf8ff"
        if text:
            self.spans.append(Span(
                text=ICON if icon else text, icon=icon, bold=self.look["bold"] or "b" in self.marks,
                italic=self.look["italic"] or ("i" in self.marks),
                colour=_colour(self.style) if self.look["new"] else self.look["colour"]))  # fmt: skip

    def handle_endtag(self, tag: str) -> None:
        if tag in ("b", "i", "span", "mark"):
            self.marks.pop()
        elif tag == "section":
            self.new = False
        elif tag == "table":
            self.made.append(Para(rows=tuple(tuple(row) for row in self.rows)))
            self.rows = []
        elif self.open and tag in ("p", "h1", "h2", "h3", "h4", "h5", "h6"):
            shown = {key: value for key, value in self.look.items() if key not in ("bold", "italic", "colour", "new")}
            self.made.append(Para(spans=tuple(self.spans), **shown))
            self.open = False


def _colour(style: Style) -> str:
    change = style["change"].removeprefix("silent ")
    return "" if change in ("none", "bar") else retypeset.COLOURS.get(change, retypeset.COLOURS["magenta"])


def _look(tag: str, name: str, kind: str, style: Style) -> dict[str, Any]:
    """What the style sheet of ``retypeset`` says, as far as every producer can do it."""
    names = name.split()
    heading = int(tag[1]) if tag != "p" else 0
    question = "q" in names and style["question"] in ("bold all", "bare bold", "arrow", "numbered bold")
    head = "head" in names and not (kind == "erratum" and style["lead"].startswith(("plain", "coloured", "underlined")))
    size = SIZES.get(tag, 1.0) * max((SIZES.get(each, 1.0) for each in names), default=1.0)
    colour = {"h5": {"coloured": "#1d6b2f"}.get(style["subject"], "")}.get(tag, "")
    if heading in (1, 2) and style["section"] in ("centred", "coloured"):
        colour = "#7a1010"
    band = heading in (1, 2, 3) and style["section"] == "band"
    return {
        "bold": (bool(heading) and (heading > 3 or style["section"] != "coloured")) or question or head or "game" in names,
        "italic": "version" in names or ("q" in names and style["question"] == "bare italic") or (heading == 5 and style["subject"] == "italic"),
        "colour": "#ffffff" if band else colour, "size": size, "heading": heading, "band": band,
        "centred": (heading in (1, 2) and style["section"] == "centred") or (heading == 5 and style["subject"] == "centred"),
        "item": "item" in names, "hanging": bool({"q", "a"} & set(names)) and style["question"] == "hanging",
        "before": 0.8 if heading else 0.5 if "head" in names else 0.0,
        "after": 0.3 if heading else 0.2 if "head" in names else float(style["space"].removesuffix("em")) if style["space"] != "indent" else 0.0,
    }  # fmt: skip


def sheet(known: Truth, style: Style, blocks: list[Block]) -> Sheet:
    markup = retypeset.document(known, blocks, style)
    walk = _Walk(style=style)
    walk.feed(markup.partition("<body>")[2])
    return Sheet(title=known.title, game=known.game, language=known.language, style=style, markup=markup,
                 front=tuple(walk.made[: walk.main]), body=tuple(walk.made[walk.main :]))  # fmt: skip


# ---------------------------------------------------------------- producers


def run(*command: str, folder: Path, given: bytes | None = None, seconds: int = 180) -> bytes:
    done = subprocess.run(command, cwd=folder, input=given, capture_output=True, timeout=seconds)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {(done.stderr or done.stdout)[-600:].decode('utf-8', 'replace')}")
    return done.stdout


def chromium(made: Sheet, folder: Path) -> bytes:
    page = made.markup
    for name in ("Serif", "Sans"):
        with contextlib.suppress(ImportError):
            package = __import__(f"font_source_{name.lower()}_pro")
            page = page.replace(f"$FONTS_{name}", (Path(package.__file__).parent / "files").as_uri())
    retypeset.typesetter().symbols(folder / "symbols.ttf")
    page = page.replace("$SYMBOLS", folder.as_uri())
    (folder / "set.html").write_text(page.replace("<head>", "<head><meta charset=utf-8>"), encoding="utf-8")
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--allow-file-access-from-files",
        f"--user-data-dir={folder}/profile", f"--print-to-pdf={folder}/set.pdf", (folder / "set.html").as_uri(), folder=folder)  # fmt: skip
    return (folder / "set.pdf").read_bytes()


def wkhtmltopdf(made: Sheet, folder: Path) -> bytes:
    page = re.sub(r"main\{[^}]*\}|@font-face\{[^}]*\}", "", made.markup).replace("SourceSerif", "Liberation Serif").replace("SourceSans", "Liberation Sans")
    page = page.replace("\ue001", ICON)
    (folder / "set.html").write_text(page.replace("<head>", "<head><meta charset=utf-8>"), encoding="utf-8")
    foot = ["--footer-center", made.foot, "--footer-font-size", "7"] if made.style["running"] != "none" else []
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(folder)}
    done = subprocess.run(["wkhtmltopdf", "--quiet", "--disable-javascript", *foot, "set.html", "set.pdf"], cwd=folder, capture_output=True, env=environment, timeout=120)
    assert (folder / "set.pdf").exists(), done.stderr
    return (folder / "set.pdf").read_bytes()


# -- LibreOffice

_FONTS = {"Source Serif": "Liberation Serif", "Source Sans": "Liberation Sans"}


def libreoffice(made: Sheet, folder: Path, through: str = "") -> bytes:
    """A flat ODF text; ``through`` saves it in another format first, as people do."""
    (folder / "set.fodt").write_text(_fodt(made), encoding="utf-8")
    profile = f"-env:UserInstallation=file://{tempfile.gettempdir()}/producers-office"
    name = "set.fodt"
    if through:
        run("soffice", profile, "--headless", "--convert-to", through, name, folder=folder)
        name = f"set.{through}"
    run("soffice", profile, "--headless", "--convert-to", "pdf", name, folder=folder)
    return (folder / "set.pdf").read_bytes()


def docx(made: Sheet, folder: Path) -> bytes:
    return libreoffice(made, folder, "docx")


def _fodt(made: Sheet) -> str:
    wide, high = made.paper
    font = _FONTS.get(made.style["font"], made.style["font"])
    looks: dict[str, str] = {}
    front = "".join(_odf_para(para, made, looks) for para in made.front)
    body = "".join(_odf_para(para, made, looks) for para in made.body)
    columns = f'<style:columns fo:column-count="{made.columns}" fo:column-gap="{GAP}pt"/>' if made.columns > 1 else ""
    justify = "justify" if made.style["align"] == "justify" else "start"
    country = {"en": "GB"}.get(made.language, made.language.upper())
    foot = f'<style:footer><text:p text:style-name="Foot">{html.escape(made.foot)} – <text:page-number>1</text:page-number></text:p></style:footer>' if made.style["running"] != "none" else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:font-face-decls><style:font-face style:name="F" svg:font-family="'{font}'"/><style:font-face style:name="S" svg:font-family="OpenSymbol"/></office:font-face-decls>
<office:styles><style:default-style style:family="paragraph"><style:paragraph-properties fo:text-align="{justify}" fo:orphans="2" fo:widows="2"/>
<style:text-properties style:font-name="F" fo:font-size="{made.size}pt" fo:language="{made.language}" fo:country="{country}"/></style:default-style>
<style:style style:name="Foot" style:family="paragraph"><style:paragraph-properties fo:text-align="center"/><style:text-properties fo:font-size="7pt"/></style:style>
<text:list-style style:name="L"><text:list-level-style-bullet text:level="1" text:bullet-char="•"><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-0.5cm" fo:margin-left="0.8cm"/></style:list-level-properties></text:list-level-style-bullet></text:list-style>
</office:styles>
<office:automatic-styles><style:page-layout style:name="pm"><style:page-layout-properties fo:page-width="{wide}pt" fo:page-height="{high}pt" fo:margin-top="40pt" fo:margin-bottom="40pt" fo:margin-left="{MARGIN}pt" fo:margin-right="{MARGIN}pt"/></style:page-layout>
<style:style style:name="Cols" style:family="section"><style:section-properties text:dont-balance-text-columns="true">{columns}</style:section-properties></style:style>
<style:style style:name="T" style:family="table"><style:table-properties table:align="margins"/></style:style>
<style:style style:name="C" style:family="table-cell"><style:table-cell-properties fo:padding="2pt" fo:border="{'0.5pt solid #000000' if made.style['table'] == 'ruled' else 'none'}"/></style:style>
{"".join(looks.values())}</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="pm">{foot}</style:master-page></office:master-styles>
<office:body><office:text>{front}<text:section text:style-name="Cols" text:name="main">{body}</text:section></office:text></office:body></office:document>"""


def _odf_para(para: Para, made: Sheet, looks: dict[str, str]) -> str:
    if para.rows:
        rows = "".join("<table:table-row>" + "".join(f'<table:table-cell table:style-name="C" office:value-type="string"><text:p>{html.escape(cell)}</text:p></table:table-cell>' for cell in row) + "</table:table-row>" for row in para.rows)
        return f'<table:table table:style-name="T"><table:table-column table:number-columns-repeated="{max(map(len, para.rows))}"/>{rows}</table:table><text:p/>'
    size = made.size * para.size
    look = (f'<style:paragraph-properties fo:margin-top="{para.before * size:.1f}pt" fo:margin-bottom="{para.after * size:.1f}pt" fo:line-height="118%" '
            + (f'fo:keep-with-next="always" fo:text-align="{"center" if para.centred else "start"}" ' if para.heading else "")
            + ('fo:background-color="#14365c" ' if para.band else "")
            + ('fo:margin-left="16pt" fo:text-indent="-16pt"' if para.hanging else "") + "/>"
            f'<style:text-properties fo:font-size="{size:.1f}pt"/>')  # fmt: skip
    name = _odf_style("paragraph", look, looks)
    spans = "".join(_odf_span(span, looks) for span in para.spans)
    if para.item:
        spans = spans.replace("•", "", 1)
        return f'<text:list text:style-name="L"><text:list-item><text:p text:style-name="{name}">{spans}</text:p></text:list-item></text:list>'
    if para.heading:
        return f'<text:h text:outline-level="{para.heading}" text:style-name="{name}">{spans}</text:h>'
    return f'<text:p text:style-name="{name}">{spans}</text:p>'


def _odf_span(span: Span, looks: dict[str, str]) -> str:
    look = "<style:text-properties " + ('fo:font-weight="bold" ' if span.bold else "") + ('fo:font-style="italic" ' if span.italic else "")
    look += (f'fo:color="{span.colour}" ' if span.colour else "") + ('style:font-name="S" ' if span.icon else "") + "/>"
    return f'<text:span text:style-name="{_odf_style("text", look, looks)}">{html.escape(span.text)}</text:span>'


def _odf_style(family: str, look: str, looks: dict[str, str]) -> str:
    if look not in looks:
        looks[look] = f'<style:style style:name="A{len(looks)}" style:family="{family}">{look}</style:style>'
    return re.search(r'name="(\w+)"', looks[look])[1]  # type: ignore[index]


# -- Typst


def typst(made: Sheet, folder: Path) -> bytes:
    import typst as compiler

    wide, high = made.paper
    font = {"Source Serif": "Libertinus Serif", "Source Sans": "Liberation Sans"}.get(made.style["font"], made.style["font"])
    foot = f'footer: align(center, text(7pt)[{_typ(made.foot)} – #context counter(page).display()])' if made.style["running"] != "none" else ""
    justify = "true" if made.style["align"] == "justify" else "false"
    text = (f'#set page(width: {wide}pt, height: {high}pt, margin: {MARGIN}pt, columns: {made.columns}, {foot})\n'
            f'#set columns(gutter: {GAP}pt)\n#set text(font: "{font}", size: {made.size}pt, lang: "{made.language}")\n'
            f"#set par(justify: {justify}, leading: 0.55em, spacing: 0.8em)\n#set list(indent: 4pt)\n"
            "#show heading: set block(above: 1em, below: 0.5em)\n")  # fmt: skip
    front = "\n\n".join(_typ_para(para, made) for para in made.front)
    text += f"#place(top, scope: \"parent\", float: true)[\n{front}\n]\n" if made.columns > 1 else front + "\n\n"
    text += "\n\n".join(_typ_para(para, made) for para in made.body)
    (folder / "set.typ").write_text(text, encoding="utf-8")
    pdf: bytes = compiler.compile(str(folder / "set.typ"))
    return pdf


def _typ(text: str) -> str:
    return re.sub(r"([\\#$*_`<>@\[\]=~/'\"+\-])", r"\\\1", text)


def _typ_para(para: Para, made: Sheet) -> str:
    if para.rows:
        cells = ", ".join(f"[{_typ(cell)}]" for row in para.rows for cell in row)
        stroke = "0.5pt" if made.style["table"] == "ruled" else "none"
        return f"#table(columns: {max(map(len, para.rows))}, stroke: {stroke}, {cells})"
    spans = "".join(_typ_span(span) for span in para.spans)
    if para.item:
        return "- " + spans.replace("•", "", 1)
    if para.heading:
        inside = f"#text(size: {para.size * made.size}pt, weight: \"regular\")[{spans}]"
        inside = f"#block(fill: rgb(\"#14365c\"), inset: 3pt, width: 100%)[{inside}]" if para.band else inside
        inside = f"#align(center)[{inside}]" if para.centred else inside
        return f"#heading(level: {para.heading})[{inside}]"
    sized = f"#text(size: {para.size * made.size}pt)[{spans}]" if para.size != 1 else spans
    return f"#par(hanging-indent: 16pt)[{sized}]" if para.hanging else sized


def _typ_span(span: Span) -> str:
    given = ([f'fill: rgb("{span.colour}")'] if span.colour else []) + (['weight: "bold"'] if span.bold else []) + (['style: "italic"'] if span.italic else [])
    return f"#text({', '.join(given)})[{_typ(span.text)}]" if given else _typ(span.text)


# -- LaTeX


def latex(made: Sheet, folder: Path, fonts: str = "\\usepackage{lmodern,microtype}") -> bytes:
    wide, high = made.paper
    foot = f"\\cfoot{{\\scriptsize {_tex(made.foot)} -- \\thepage}}" if made.style["running"] != "none" else "\\cfoot{}"
    language = {"fr": "french", "en": "english", "de": "ngerman", "es": "spanish", "it": "italian", "pl": "polish"}[made.language]
    ragged = "" if made.style["align"] == "justify" else "\\raggedright"
    front = "\n\n".join(_tex_para(para, made) for para in made.front)
    body = "\n\n".join(_tex_para(para, made) for para in made.body)
    opened, closed = (f"\\begin{{multicols*}}{{{made.columns}}}", "\\end{multicols*}") if made.columns > 1 else ("", "")
    text = (f"\\documentclass{{article}}\\usepackage[T1]{{fontenc}}\\usepackage[utf8]{{inputenc}}{fonts}\\usepackage[{language}]{{babel}}"
            f"\\usepackage{{multicol,fancyhdr,xcolor,pifont,textcomp}}\\usepackage[paperwidth={wide}bp,paperheight={high}bp,margin={MARGIN}bp]{{geometry}}"
            f"\\setlength\\columnsep{{{GAP}bp}}\\pagestyle{{fancy}}\\fancyhead{{}}\\renewcommand\\headrulewidth{{0pt}}{foot}"
            f"\\setlength\\parindent{{0pt}}\\setlength\\parskip{{{made.size / 2}bp}}\\begin{{document}}"
            f"\\fontsize{{{made.size}}}{{{made.size * LEADING:.1f}}}\\selectfont{ragged}\n{front}\n\n{opened}\n{body}\n{closed}\\end{{document}}")  # fmt: skip
    (folder / "set.tex").write_text(text, encoding="utf-8")
    run("pdflatex", "-interaction=batchmode", "-halt-on-error", "set.tex", folder=folder)
    return (folder / "set.pdf").read_bytes()


def latex_bitmap(made: Sheet, folder: Path) -> bytes:
    """European Computer Modern as bitmaps: Type 3 fonts."""
    return latex(made, folder, "\\pdfmapfile{}")


def latex_times(made: Sheet, folder: Path) -> bytes:
    return latex(made, folder, "\\usepackage{times}")


_TEX = {"\\": "\\textbackslash{}", "«": "\\guillemotleft{}", "»": "\\guillemotright{}", "’": "'", "“": "\\textquotedblleft{}", "”": "\\textquotedblright{}",
        "„": "\\quotedblbase{}", "–": "--", "—": "---", "…": "\\dots{}", "•": "\\textbullet{}", "\u00a0": "~", "\u202f": "~", "½": "\\textonehalf{}", "™": "\\texttrademark{}",
        "‘": "`", "→": "$\\rightarrow$", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\"": "\\textquotedbl{}", "≤": "$\\leq$", "≥": "$\\geq$", "×": "$\\times$", "−": "$-$", "●": "\\textbullet{}", "▪": "\\textbullet{}", "\ufffd": "", "\u2011": "-",
        "′": "'", "″": "\\textquotedbl{}", "¼": "1/4", "¾": "3/4", "±": "$\\pm$", "®": "\\textregistered{}", "°": "\\textdegree{}", "º": "\\textordmasculine{}", "ª": "\\textordfeminine{}"}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter) or ("\\" + letter if letter in "#$%&_{}" else letter) for letter in text)


def _tex_para(para: Para, made: Sheet) -> str:
    if para.rows:
        count = max(map(len, para.rows))
        bar = "|" if made.style["table"] == "ruled" else ""
        wide = (made.paper[0] - 2 * MARGIN - (made.columns - 1) * GAP) / made.columns / count - 14
        rows = " \\\\\\hline ".join(" & ".join(_tex(cell) for cell in row) for row in para.rows) if bar else " \\\\ ".join(" & ".join(_tex(cell) for cell in row) for row in para.rows)
        line = "\\hline" if bar else ""
        return f"\\begin{{tabular}}{{{bar}{bar.join([f'p{{{wide:.1f}bp}}'] * count)}{bar}}}{line} {rows} \\\\{line}\\end{{tabular}}"
    spans = "".join(_tex_span(span) for span in para.spans)
    if para.item:
        return "\\hangindent=12pt " + spans.replace("\\textbullet{}", "\\makebox[12pt][l]{\\textbullet}", 1)
    size = made.size * para.size
    spans = f"{{\\fontsize{{{size:.1f}}}{{{size * 1.15:.1f}}}\\selectfont {spans}\\par}}" if para.size != 1 else spans
    if para.heading:
        spans = f"\\colorbox[HTML]{{14365C}}{{\\parbox{{\\dimexpr\\linewidth-8pt}}{{\\raggedright {spans}}}}}" if para.band else spans
        spans = f"{{\\centering {spans}\\par}}" if para.centred else f"{{\\raggedright {spans}\\par}}"
        return f"\\vspace{{{para.before * size:.1f}bp}}{spans}\\nobreak"
    return f"\\hangindent=16pt {spans}" if para.hanging else spans


def _tex_span(span: Span) -> str:
    if span.icon:
        return "\\ding{43}"
    text = _tex(span.text)
    text = f"\\textbf{{{text}}}" if span.bold else text
    text = f"\\textit{{{text}}}" if span.italic else text
    return f"\\textcolor[HTML]{{{span.colour[1:].upper()}}}{{{text}}}" if span.colour else text


# -- groff


def groff(made: Sheet, folder: Path, device: str = "pdf") -> bytes:
    """The mom macros are made for columns; ms would do as well. Plain requests keep what is set under our hand."""
    wide, high = made.paper
    inner = wide - 2 * MARGIN
    column = (inner - (made.columns - 1) * GAP) / made.columns
    family = "T" if "Serif" in made.style["font"] else "H"
    foot = f".tl ''\\s7{_roff(made.foot)} \\[en] \\\\n%\\s0''\n" if made.style["running"] != "none" else ""
    head = (f".pl {high}p\n.po {MARGIN}p\n.ll {column:.1f}p\n.lt {inner}p\n.fam {family}\n.ps {made.size}\n.vs {made.size * LEADING:.1f}p\n"
            f".nr CO 0 1\n.ad {'b' if made.style['align'] == 'justify' else 'l'}\n.hy 0\n"
            ".de HD\n'sp |51p\n.mk TOPP\n..\n.wh 0 HD\n"
            f".de FO\n.ie \\\\n+[CO]<{made.columns} \\{{\\\n.po +{column + GAP:.1f}p\n'sp |\\\\n[FRONT]u\n.\\}}\n"
            f".el \\{{\\\n.po {MARGIN}p\n.nr CO 0 1\n.nr FRONT 51p\n'sp |{high - 36}p\n{foot}'bp\n.\\}}\n..\n.wh -{MARGIN}p FO\n.nr FRONT 51p\n")  # fmt: skip
    front = f".ll {inner}p\n" + "".join(_roff_para(para, made) for para in made.front) + f".ll {column:.1f}p\n.br\n.nr FRONT \\n(nlu+{made.size}p\n.sp {made.size}p\n"
    body = "".join(_roff_para(para, made) for para in made.body)
    colours = {span.colour for para in (*made.front, *made.body) for span in para.spans if span.colour}
    head += "".join(f".defcolor {colour[1:]} rgb {colour}\n" for colour in sorted(colours))
    (folder / "set.roff").write_text(head + front + body, encoding="utf-8")
    return run("groff", "-t", "-k", "-Kutf8", f"-T{device}", f"-P-p{high / 72}i,{wide / 72}i", "set.roff", folder=folder)


def _roff(text: str) -> str:
    text = text.replace("\\", "\\[rs]")
    return re.sub(r"^([.'])", r"\\&\1", text).replace("-", "\\-").replace("•", "\\[bu]").replace("'", "\\[aq]")


def _roff_para(para: Para, made: Sheet) -> str:
    if para.rows:
        count = max(map(len, para.rows))
        ruled = "allbox;" if made.style["table"] == "ruled" else ""
        wide = (made.paper[0] - 2 * MARGIN - (made.columns - 1) * GAP) / made.columns / count - 16
        rows = "\n".join("@".join(f"T{{\n{_roff(cell)}\nT}}" for cell in row) for row in para.rows)
        return f".TS\n{ruled} tab(@);\n{' '.join([f'lw({wide:.0f}p)'] * count)}.\n{rows}\n.TE\n"
    size = made.size * para.size
    spans = "".join(_roff_span(span) for span in para.spans)
    before = f".br\n.ne 2v\n.sp {max(para.before, 0.0) * size:.1f}p\n" if para.heading or para.before else ".br\n"
    sized = f".ps {size:.1f}\n.vs {size * LEADING:.1f}p\n" if para.size != 1 else ""
    back = f".br\n.ps {made.size}\n.vs {made.size * LEADING:.1f}p\n" if para.size != 1 else ".br\n"
    shape = ".ce\n" if para.centred else ".na\n" if para.heading else ".in 12p\n.ti -12p\n" if para.item else ".in 16p\n.ti -16p\n" if para.hanging else ""
    after = ".in 0\n" if para.item or para.hanging else ".ad\n" if para.heading else ""
    if para.item:
        spans = spans.replace("\\[bu]", "\\h'2p'\\[bu]\\h'4p'", 1)
    return f"{before}{sized}{shape}\\&{spans}\n{back}{after}.sp {para.after * made.size:.1f}p\n"


def _roff_span(span: Span) -> str:
    if span.icon:
        return "\\f[ZD]\\N'43'\\fP"
    face = "BI" if span.bold and span.italic else "B" if span.bold else "I" if span.italic else "R"
    text = f"\\f[{face}]{_roff(span.text)}\\f[R]"
    if span.colour:
        return f"\\m[{span.colour[1:]}]{text}\\m[]"
    return text


# -- reportlab


def reportlab(made: Sheet, folder: Path, face: str = "") -> bytes:
    """Platypus with the fonts that every viewer has, or with ``face``."""
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, NextPageTemplate, PageTemplate, Paragraph, Table

    wide, high = made.paper
    font = face or ("Times-Roman" if "Serif" in made.style["font"] else "Helvetica")
    inner = wide - 2 * MARGIN
    column = (inner - (made.columns - 1) * GAP) / made.columns

    def drawn(canvas: Any, document: Any) -> None:
        if made.style["running"] != "none":
            canvas.setFont(font, 7)
            canvas.drawCentredString(wide / 2, 28, f"{made.foot} – {document.page}")

    def frames(top: float) -> list[Any]:
        return [Frame(MARGIN + at * (column + GAP), MARGIN, column, high - MARGIN - top, 0, 0, 0, 0) for at in range(made.columns)]

    def flowing(para: Para) -> Any:
        if para.rows:
            cell = ParagraphStyle("cell", fontName=font, fontSize=made.size * 0.9, leading=made.size * 1.1)
            grid = [("GRID", (0, 0), (-1, -1), 0.5, "black")] if made.style["table"] == "ruled" else []
            return Table([[Paragraph(html.escape(text), cell) for text in row] for row in para.rows], style=grid)
        size = made.size * para.size
        look = ParagraphStyle(
            "p", fontName=font, fontSize=size, leading=size * LEADING, spaceBefore=para.before * size, spaceAfter=para.after * size,
            alignment=1 if para.centred else 4 if made.style["align"] == "justify" and not para.heading else 0, keepWithNext=bool(para.heading),
            backColor="#14365c" if para.band else None, leftIndent=14 if para.item or para.hanging else 0,
            firstLineIndent=-14 if para.hanging else 0, bulletIndent=4)  # fmt: skip
        text = "".join(_rl_span(span) for span in para.spans)
        if para.item:
            return Paragraph(text.replace("•", "", 1), look, bulletText="•")
        return Paragraph(text, look)

    out = io.BytesIO()
    height = 4.5 * made.size * 2
    document = BaseDocTemplate(out, pagesize=(wide, high), title=made.title, invariant=1)
    first = [Frame(MARGIN, high - MARGIN - height, inner, height, 0, 0, 0, 0), *frames(MARGIN + height)]
    document.addPageTemplates([PageTemplate("first", first, onPage=drawn), PageTemplate("later", frames(MARGIN), onPage=drawn)])
    document.build([NextPageTemplate("later"), *map(flowing, made.front), FrameBreak(), *map(flowing, made.body)])
    return out.getvalue()


def _rl_span(span: Span) -> str:
    if span.icon:
        return '<font name="ZapfDingbats">+</font>'
    text = html.escape(span.text.replace("\u202f", "\u00a0").replace("\ue001", ICON), quote=False)
    text = f"<b>{text}</b>" if span.bold else text
    text = f"<i>{text}</i>" if span.italic else text
    return f'<font color="{span.colour}">{text}</font>' if span.colour else text


def reportlab_ttf(made: Sheet, folder: Path) -> bytes:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    for cut in ("", "Bold", "It", "BoldIt"):
        pdfmetrics.registerFont(TTFont(f"Set{cut}", str(retypeset._font_file(f"SourceSans-{cut}"))))
    pdfmetrics.registerFontFamily("Set", normal="Set", bold="SetBold", italic="SetIt", boldItalic="SetBoldIt")
    return reportlab(made, folder, "Set")


# -- fpdf2


def fpdf(made: Sheet, folder: Path) -> bytes:
    from fpdf import FPDF, FontFace

    class Page(FPDF):
        def footer(self) -> None:
            if made.style["running"] != "none":
                self.set_y(-36)
                self.set_font("F", "", 7)
                self.cell(0, 10, f"{made.foot} – {self.page_no()}", align="C")

    document = Page(unit="pt", format=made.paper)
    for style, cut in (("", ""), ("B", "Bold"), ("I", "It"), ("BI", "BoldIt")):
        kind = "Serif" if "Serif" in made.style["font"] else "Sans"
        document.add_font("F", style, str(retypeset._font_file(f"Source{kind}-{cut}")))
    retypeset.typesetter().symbols(folder / "symbols.ttf")
    document.add_font("D", "", str(folder / "symbols.ttf"))
    document.set_margins(MARGIN, MARGIN)
    document.set_auto_page_break(True, MARGIN)
    document.add_page()
    align = "JUSTIFY" if made.style["align"] == "justify" else "LEFT"
    for paras, columns in ((made.front, 1), (made.body, made.columns)):
        with document.text_columns(ncols=columns, gutter=GAP, text_align=align, line_height=LEADING) as flow:
            for para in paras:
                if para.rows:
                    continue
                size = made.size * para.size
                look = {"top_margin": para.before * size, "bottom_margin": para.after * size, "text_align": "CENTER" if para.centred else "LEFT" if para.heading else align}
                if para.item:
                    look |= {"indent": 8, "bullet_string": "•"}
                with flow.paragraph(**look) as held:
                    for span in para.spans:
                        document.set_font("D" if span.icon else "F", "" if span.icon else "B" * span.bold + "I" * span.italic, size)
                        red, green, blue = (int((span.colour or "#000000")[at : at + 2], 16) for at in (1, 3, 5))
                        if para.band:
                            red, green, blue = 20, 54, 92
                        document.set_text_color(red, green, blue)
                        text = "\ue001" if span.icon else span.text
                        held.write(text.replace("•", "", 1) if para.item else text)
    document.set_text_color(0, 0, 0)
    for para in made.body:
        if para.rows:
            document.set_font("F", "", made.size)
            with document.table([], headings_style=FontFace(emphasis="BOLD")) as table:
                for row in para.rows:
                    held = table.row()
                    for cell in row:
                        held.cell(cell)
    return bytes(document.output())


PRODUCERS: dict[str, Callable[[Sheet, Path], bytes]] = {
    "chromium": chromium, "wkhtmltopdf": wkhtmltopdf, "libreoffice": libreoffice, "docx": docx, "typst": typst, "latex": latex,
    "latex_times": latex_times, "latex_bitmap": latex_bitmap, "groff": groff, "reportlab": reportlab, "reportlab_ttf": reportlab_ttf, "fpdf": fpdf,
}  # fmt: skip


# ---------------------------------------------------------------- passes over a finished file


def _saved(pdf: bytes, change: Callable[[Any], None] | None = None, **options: Any) -> bytes:
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf)) as opened:
        if change:
            change(opened)
        out = io.BytesIO()
        opened.save(out, **options)
        return out.getvalue()


def linearized(pdf: bytes) -> bytes:
    return _saved(pdf, linearize=True)


def object_streams(pdf: bytes) -> bytes:
    import pikepdf

    return _saved(pdf, object_stream_mode=pikepdf.ObjectStreamMode.generate, recompress_flate=True)


def encrypted(pdf: bytes) -> bytes:
    """Nobody may copy or print, everybody may read."""
    import pikepdf

    may = pikepdf.Permissions(extract=False, modify_other=False, print_lowres=False)
    return _saved(pdf, encryption=pikepdf.Encryption(owner="secret", user="", R=6, allow=may))


def ghostscript(pdf: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "in.pdf").write_bytes(pdf)
        run("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook", "-sOutputFile=out.pdf", "in.pdf", folder=Path(folder))
        return Path(folder, "out.pdf").read_bytes()


def printed(pdf: bytes) -> bytes:
    """Through PostScript, as a printer driver does."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "in.pdf").write_bytes(pdf)
        run("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=ps2write", "-sOutputFile=out.ps", "in.pdf", folder=Path(folder))
        run("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-sOutputFile=out.pdf", "out.ps", folder=Path(folder))
        return Path(folder, "out.pdf").read_bytes()


def cropped(pdf: bytes) -> bytes:
    """Printer's marks cut off: the page is larger than what is shown, and does not begin at 0, 0."""

    def change(opened: Any) -> None:
        for page in opened.pages:
            x0, y0, x1, y1 = (float(each) for each in page.MediaBox)
            page.MediaBox = [x0 - 40, y0 - 50, x1 + 40, y1 + 50]
            page.CropBox = [x0, y0, x1, y1]

    return _saved(pdf, change)


def upside_down(pdf: bytes) -> bytes:
    """Drawn upside down and turned back by the page's mark."""
    import pikepdf

    def change(opened: Any) -> None:
        for page in opened.pages:
            _, _, x1, y1 = (float(each) for each in page.MediaBox)
            page.contents_add(pikepdf.Stream(opened, f"q -1 0 0 -1 {x1} {y1} cm".encode()), prepend=True)
            page.contents_add(pikepdf.Stream(opened, b"Q"))
            page.Rotate = 180

    return _saved(pdf, change)


def no_unicode(pdf: bytes) -> bytes:
    """The tables that say what glyphs mean are gone."""

    def change(opened: Any) -> None:
        for held in opened.objects:
            with contextlib.suppress(Exception):
                if held.get("/Type") == "/Font" and "/ToUnicode" in held:
                    del held["/ToUnicode"]

    return _saved(pdf, change)


def unnamed_fonts(pdf: bytes) -> bytes:
    """Fonts with names that say nothing: F1, F2 …"""
    import pikepdf

    def change(opened: Any) -> None:
        names: dict[str, str] = {}
        for held in opened.objects:
            for key in ("/BaseFont", "/FontName"):
                with contextlib.suppress(Exception):
                    old = str(held[key])
                    held[key] = pikepdf.Name(names.setdefault(old, f"/AAAAAA+Font{len(names)}"))

    return _saved(pdf, change)


def scanned(pdf: bytes, per: str = "line") -> bytes:
    """Each page a picture, with the text of it invented above, as OCR programs write it."""
    import pypdfium2
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfbase.pdfmetrics import stringWidth
    from reportlab.pdfgen import canvas

    out = io.BytesIO()
    made = canvas.Canvas(out, invariant=1)
    with pypdfium2.PdfDocument(pdf) as opened:
        for page in opened:
            wide, high = page.get_size()
            made.setPageSize((wide, high))
            made.drawImage(ImageReader(page.render(scale=1.2).to_pil().convert("L")), 0, 0, wide, high)
            for text, x0, y0, x1, y1 in _recognised(page.get_textpage(), per):
                size = max(4.0, (y1 - y0) * 0.95)
                text = text.encode("cp1252", "replace").decode("cp1252")
                drawn = made.beginText(x0, y0 + 0.2 * size)
                drawn.setTextRenderMode(3)
                drawn.setFont("Helvetica", size)
                drawn.setHorizScale(100 * (x1 - x0) / max(1.0, stringWidth(text, "Helvetica", size)))
                drawn.textOut(text)
                made.drawText(drawn)
            made.showPage()
    made.save()
    return out.getvalue()


def scanned_words(pdf: bytes) -> bytes:
    return scanned(pdf, "word")


def _recognised(page: Any, per: str) -> Iterator[tuple[str, float, float, float, float]]:
    """Lines (or words) with the boxes that an OCR engine would give them."""
    import pypdfium2.raw as raw

    line: list[tuple[str, float, float, float, float]] = []
    for at in range(page.count_chars()):
        letter = chr(raw.FPDFText_GetUnicode(page, at))
        letter = "-" if letter in "\x02\ufffe" else letter
        left, bottom, right, top = page.get_charbox(at, loose=True)
        box = (letter, left, bottom, right, top)
        ends = letter in "\r\n" or (line and (abs(bottom - line[-1][2]) > 3 or left - line[-1][3] > 9 or (per == "word" and letter == " ")))
        if ends and line:
            yield _joined(line)
            line = []
        if letter.strip() or (line and letter == " "):
            line.append(box)
    if line:
        yield _joined(line)


def _joined(line: list[tuple[str, float, float, float, float]]) -> tuple[str, float, float, float, float]:
    text = "".join(each[0] for each in line).rstrip()
    return text, line[0][1], min(e[2] for e in line), line[-1][3], max(e[4] for e in line)


PASSES: dict[str, Callable[[bytes], bytes]] = {
    "linearized": linearized, "object_streams": object_streams, "encrypted": encrypted, "ghostscript": ghostscript, "printed": printed,
    "cropped": cropped, "upside_down": upside_down, "no_unicode": no_unicode, "unnamed_fonts": unnamed_fonts, "scanned": scanned, "scanned_words": scanned_words,
}  # fmt: skip


# ---------------------------------------------------------------- figures


def typeset(known: Truth, style: Style, by: str, then: str = "") -> Made:
    """The truth set by another program; where its pages end is not known."""
    blocks = retypeset.restyled(known, style)
    with tempfile.TemporaryDirectory() as folder:
        pdf = PRODUCERS[by](sheet(known, style, blocks), Path(folder))
    for block in blocks:
        block.pop("page", None)
    gold = [{key: value for key, value in block.items() if key != "page"} for block in retypeset._with_intro(blocks, known, style)]
    return Made(pdf=PASSES[then](pdf) if then else pdf, blocks=gold)


# What the simple paragraphs here cannot show.
PLAIN = {"boxes": "none", "extra": "none", "draw": "runs", "running": "foot"}
NOT_HERE = {"question": ("cell", "boxed", "coloured", "bare coloured"), "subject": ("small caps", "underlined"), "section": ("ruled", "spanning"), "change": ("highlight", "words"),
            "lead": ("coloured line", "underlined line"), "term": ("cell", "item"), "quotes": ("italics",), "table": ("zebra", "lines between")}  # fmt: skip


def by_chance(seed: int, by: str) -> Style:
    chosen = dict(retypeset.by_chance(seed).chosen)
    for option, plain in {**PLAIN, "space": "0.5em" if chosen["space"] == "indent" else chosen["space"]}.items():
        chosen[option] = plain
    for option, choices in NOT_HERE.items():
        if chosen[option] in choices:
            chosen[option] = retypeset.OPTIONS[option][0]
    if by == "wkhtmltopdf":
        chosen |= {"columns": "1"}
    if chosen["columns"] == "3" and chosen["page"] in ("A5",):
        chosen["columns"] = "2"
    if by == "fpdf":
        chosen |= {"question": "colon" if chosen["question"] == "hanging" else chosen["question"], "section": "large" if chosen["section"] == "band" else chosen["section"]}
    if by == "groff":
        chosen |= {"section": "large" if chosen["section"] == "band" else chosen["section"]}
    return Style(chosen=tuple(chosen.items()))


def main(arguments: Sequence[str]) -> None:
    parser = retypeset.options(__doc__)
    parser.add_argument("--by", nargs="*", default=list(PRODUCERS))
    parser.add_argument("--then", nargs="*", default=[""])
    parser.add_argument("--compare", action="store_true", help="set the low ones with WeasyPrint, too")
    given = parser.parse_args(arguments)
    for path in given.truths:
        known = retypeset.truth(path, given.most, given.start)
        for by in given.by:
            chosen = tuple(tuple(each.split("=", 1)) for each in given.style)
            styles = [by_chance(seed + sum(map(ord, known.name + by)), by) for seed in range(given.seed, given.seed + given.count)] or [Style(chosen=chosen)]  # type: ignore[arg-type]
            for at, style in enumerate(styles):
                for then in given.then:
                    _report(known, style, by, then, f"{by}-{then or 'as-is'}-{given.seed + at}", given)


def _report(known: Truth, style: Style, by: str, then: str, name: str, given: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep / known.name / name if given.keep else Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            made = typeset(known, style, by, then)
            result = retypeset.figures(made, folder, given.show)
        except Exception as error:
            print(f"-----  {known.name}  {by} {then}  {style}  {type(error).__name__}: {str(error)[-300:]}", flush=True)
            return
        ours = 1.0
        if given.compare and retypeset.mean(result) < 0.995:
            ours = retypeset.mean(retypeset.figures(retypeset.typeset(known, style), Path(scratch)))
    low = " ".join(f"{key}={value:.2f}" for key, value in result.items() if value < 0.99)
    print(f"{retypeset.mean(result):.3f} ({ours:.3f})  {known.name}  {by} {then} {name}  {low}", flush=True)
    (folder / "style.txt").write_text(str(style))


if __name__ == "__main__":
    main(sys.argv[1:])
