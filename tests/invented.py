"""Documents that were written without looking at the code: invented games, set as publishers set theirs.

Each file of tests/invented is a page of HTML with a layout of its own. What a person reads in it is written into the same
file as attributes, so that text and truth cannot drift apart:

    data-is="section" data-level="1"    a heading; the path of sections above every entry that follows (1 is outermost)
    data-is="subject"                   the card, unit or ability that the entries up to the next heading are about
    data-kind="qa"                      around an entry: qa, erratum, definition, rule, table, text
    data-as="question"                  around a field of it; several answers, bodies or new texts are its paragraphs
    data-change="replace"               around one amendment of an erratum, with instruction, old and new inside
    data-not                            printed, but no part of the field: markers, bullets, numbers of questions
    data-apart                          on a field that is printed elsewhere: a footnote is the last paragraph of the entry that has its mark
    data-changed                        on an entry: the publisher marked it, or part of it, as changed
    data-pages, data-aliases, data-refs, data-number on an entry: what is printed in another form (separated by "|")
    data-section, data-subject on an entry: what no heading says ("" for none)
    <html data-marked>                  what is read as changed must be just what data-changed says
    <html data-by="chromium">           set by Chromium, else by WeasyPrint

The table of all of them is tests/invented/README.md. Run it: python -m tests.invented [NAME...] [--show N] [--keep FOLDER] [--faces FAMILY...] [--type TIMES] [--paper TIMES]
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path

from tests import browser, faces, kept, retypeset
from tests.retypeset import Block, Made

FOLDER = Path(__file__).parent / "invented"
VOID = frozenset(["br", "hr", "img", "input", "meta", "link", "col", "wbr"])
BLOCKS = frozenset(["p", "div", "li", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "section", "article", "aside", "br"])
MANY = ("answer", "body", "new")
ROWS = frozenset(("tr", "td", "th", "table"))
PAPER = {"a3": (297.0, 420.0), "a4": (210.0, 297.0), "a5": (148.0, 210.0), "a6": (105.0, 148.0), "letter": (215.9, 279.4), "legal": (215.9, 355.6)}
TYPE = re.compile(r"(\bfont(?:-size)?\s*:[^;}\"]*?\b)(\d+(?:\.\d+)?)(?=pt\b|px\b|mm\b)")
SIZE = re.compile(r"(?<!-)\bsize\s*:\s*(\w+)(\s+landscape)?(?=\s*[;}])")


@dataclass(slots=True)
class _Element:
    tag: str
    given: dict[str, str]
    pieces: list[str] = field(default_factory=list)  # the text of a field
    rows: list[list[str]] = field(default_factory=list)


class _Reader(HTMLParser):
    """The truth of a page, from its attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.given: dict[str, str] = {}  # of <html>
        self.blocks: list[Block] = []
        self._open: list[_Element] = []
        self._path: list[tuple[int, str]] = []
        self._subject: str | None = None
        self._entry: Block | None = None
        self._change: Block | None = None
        self._apart: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.given = given
        if tag in BLOCKS:
            self._write(" ")
        if tag in VOID:
            return
        self._open.append(_Element(tag, given))
        if "data-kind" in given:
            self._begin(given)
        if "data-change" in given and self._entry is not None:
            self._change = {"operation": given["data-change"], "instruction": "", "old": None, "new": []}
            self._entry["changes"].append(self._change)
        if tag == "li":
            self._write("• ", within="data-as")
        if tag == "tr":
            self._in_table([])
        if tag in ("td", "th"):
            self._in_table("")

    def _begin(self, given: dict[str, str]) -> None:
        section, subject = given.get("data-section"), given.get("data-subject", self._subject)
        path = [text for _, text in self._path] if section is None else [each for each in section.split("|") if each]
        entry: Block = {"kind": given["data-kind"], "section": path, "subject": subject or None}
        entry |= {"changed": True} if "data-changed" in given else {}
        if entry["kind"] == "erratum":
            entry |= {"pages": [int(each) for each in _listed(given, "data-pages")], "target": "", "changes": []}
        if entry["kind"] == "definition":
            entry |= {"aliases": _listed(given, "data-aliases"), "ref": " ".join(_listed(given, "data-refs"))}
        if entry["kind"] == "rule":
            entry |= {"number": given.get("data-number") or None, "title": ""}
        if entry["kind"] == "table":
            entry["rows"] = []
        self._entry = entry
        self.blocks.append(entry)

    def _in_table(self, new: list[str] | str) -> None:
        if self._entry is not None and self._entry["kind"] == "table":
            rows = self._entry["rows"]
            if isinstance(new, list):
                rows.append(new)
            elif rows:
                rows[-1].append(new)

    def handle_data(self, data: str) -> None:
        if any("data-not" in element.given or element.tag in ("style", "script", "title") for element in self._open):
            return
        self._write(data)
        inside = [element.tag for element in self._open]
        if self._entry is not None and self._entry["kind"] == "table" and ROWS & set(inside) and self._entry["rows"]:
            row = self._entry["rows"][-1]
            if row and ("td" in inside or "th" in inside):
                row[-1] = _tidy(row[-1] + data, keep=True)

    def _write(self, text: str, within: str = "") -> None:
        apart = max((at for at, element in enumerate(self._open) if "data-apart" in element.given), default=0)
        for element in self._open[apart:]:
            if element.given.keys() & {"data-as", "data-is"} and (not within or within in element.given):
                element.pieces.append(text)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID or all(element.tag != tag for element in self._open):
            return
        while True:
            element = self._open.pop()
            self._end(element)
            if element.tag == tag:
                break
        if tag in BLOCKS:
            self._write(" ")

    def _end(self, element: _Element) -> None:
        text = _tidy("".join(element.pieces))
        if element.given.get("data-is") == "section":
            level = int(element.given.get("data-level", "1"))
            self._path = [(each, name) for each, name in self._path if each < level] + [(level, text)]
            self._subject = None
        elif element.given.get("data-is") == "subject":
            self._subject = text
        elif "data-apart" in element.given:
            self._apart.append((element.given["data-as"], text))
        elif "data-as" in element.given and self._entry is not None:
            self._put(element.given["data-as"], text)
        if "data-change" in element.given:
            self._change = None
        if "data-kind" in element.given:
            for name, text in self._apart:
                self._put(name, text)
            self._entry, self._apart = None, []

    def _put(self, name: str, text: str) -> None:
        home = self._change if self._change is not None and name in ("instruction", "old", "new") else self._entry
        assert home is not None
        if name in MANY:
            home.setdefault(name, []).append(text)
        else:
            home[name] = f"{home[name]} {text}" if home.get(name) else text


def _tidy(text: str, *, keep: bool = False) -> str:
    text = re.sub(r"\s+", " ", text.replace("\u00ad", ""))
    return text if keep else text.strip()


def _listed(given: dict[str, str], name: str) -> list[str]:
    return [each.strip() for each in given.get(name, "").split("|") if each.strip()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invented:
    name: str
    page: str
    by: str
    marked: bool
    blocks: list[Block]


def invented(path: Path) -> Invented:
    """A document and what a person reads in it."""
    page = path.read_text(encoding="utf-8")
    reader = _Reader()
    reader.feed(page)
    reader.close()
    for block in reader.blocks:
        if block["kind"] == "table":
            block["rows"] = [[cell.strip() for cell in row] for row in block["rows"]]
    by = reader.given.get("data-by", "weasyprint")
    marked = "data-marked" in reader.given
    return Invented(name=path.stem, page=page, by=by, marked=marked, blocks=reader.blocks)


def documents(names: Sequence[str] = ()) -> Iterator[Path]:
    for path in sorted(FOLDER.glob("*.html")):
        if not names or path.stem in names:
            yield path


def typeset(known: Invented, folder: Path) -> Made:
    """The document as a PDF; ``$SERIF`` and ``$SANS`` in it are the folders of our fonts, ``$SYMBOLS`` that of a symbol font."""
    import font_source_sans_pro
    import font_source_serif_pro

    retypeset.typesetter().symbols(folder / "symbols.ttf")
    made_from = f"{known.name}\0{known.page}\0".encode() + (folder / "symbols.ttf").read_bytes()
    page = known.page
    for name, place in (("$SERIF", Path(font_source_serif_pro.__file__).parent / "files"),
                        ("$SANS", Path(font_source_sans_pro.__file__).parent / "files"), ("$SYMBOLS", folder)):  # fmt: skip
        page = page.replace(name, place.as_uri())
    source = folder / f"{known.name}.html"
    source.write_text(page, encoding="utf-8")
    setter = _by_chromium if known.by == "chromium" else _by_weasyprint
    pdf = kept.pdf(known.by, made_from, faces.used(), lambda: setter(known.name, page, source))
    return Made(pdf=pdf, blocks=known.blocks)


def _by_chromium(name: str, page: str, source: Path) -> bytes:
    window = browser.printer()
    window.open(source)
    return window.pdf()


def _by_weasyprint(name: str, page: str, source: Path) -> bytes:
    from weasyprint import HTML

    made: bytes = HTML(string=page).write_pdf(pdf_identifier=name.encode())
    return made


def stressed(page: str, type_: float, paper: float) -> str:
    """The same page in type so much larger, on paper so much wider: its lines break elsewhere."""
    page = TYPE.sub(lambda found: f"{found[1]}{type_ * float(found[2]):.2f}", page)
    return SIZE.sub(lambda found: _wider(found, paper), page)


def _wider(found: re.Match[str], times: float) -> str:
    wide, high = PAPER.get(found[1].lower(), (0.0, 0.0))
    wide, high = (high, wide) if found[2] else (wide, high)
    return f"size: {times * wide:.1f}mm {high}mm" if wide else found[0]


def changed(entries: Iterable[Block]) -> list[str]:
    """What is marked as changed, by the question or target that it has."""
    return sorted(retypeset.words(each.get("question") or each.get("target")) for each in entries if each.get("changed"))


# ---------------------------------------------------------------- the index

INDEX = FOLDER / "README.md"
BATCHES = {
    "bl": "written blind: questions, errata and rules in thirteen languages, some with marked changes",
    "bm": "more of all kinds, the largest batch: errata, FAQ, rulebooks and regulations of boards and miniatures",
    "cb": "card and board games",
    "fd": "federations and leagues: regulations, decisions, changes",
    "kn": "kinds of documents and languages that the first ones had not: archives, infractions, glossaries",
    "ly": "layouts: cards in rows, notes in the margin, boxes, pictures across columns",
    "rg": "updates of a tournament's rules",
    "pq": "questions and errata on posters, leaflets, cards and in tables",
    "rt": "rules, lists of terms and tables",
    "wg": "wargames and miniatures: FAQ and errata",
}
SETTINGS = (
    (r"\bsize:[^;}]*landscape", "landscape"), (r"column-span:\s*all", "heads across columns"), (r"\bfloat:", "floats"),
    (r"position:\s*absolute", "placed freely"), (r"display:\s*(?:inline-)?(?:grid|flex)", "side by side"),
    (r"<table(?![^>]*data-kind)", "tables"), (r"data-apart", "footnotes"), (r"<svg|<img", "pictures"),
    (r"hyphens:\s*auto", "hyphens"), (r"text-transform:\s*uppercase", "capitals"), (r"<aside", "boxes"),
    (r"text-decoration:\s*line-through|<s>|<del", "struck words"), (r"background(?:-color)?:", "fills"),
    (r"text-indent:", "indented"), (r"list-style|<ol|<ul", "lists"), (r"\$SYMBOLS", "symbols"),
)  # fmt: skip


def shown(known: Invented) -> tuple[str, str]:
    """What stands in a document, and how it is set."""
    counts = Counter(block["kind"] for block in known.blocks)
    deep = max((len(block["section"]) for block in known.blocks), default=0)
    held = [f"{count} {kind}" for kind, count in counts.most_common()]
    held += [f"sections {deep} deep"] if deep else []
    held += ["subjects"] if any(block["subject"] for block in known.blocks) else []
    held += ["marked changes"] if known.marked else []
    columns = {int(found) for found in re.findall(r"\bcolumn(?:s|-count):\s*(\d)", known.page)}
    setting = [f"{max(columns)} columns"] if columns - {1} else ["1 column"]
    setting += [name for pattern, name in SETTINGS if re.search(pattern, known.page)]
    return ", ".join(held), ", ".join([*setting, *(["Chromium"] if known.by == "chromium" else [])])


def index() -> str:
    """The table of all documents."""
    lines = [
        "# Invented documents", "",
        "What each shows; made by `python -m tests.invented --index` from the documents themselves (tests/invented.py says",
        "what their attributes mean). The two letters before a name are the batch that a document came with (the first had none):", "",
        *(f"- `{batch}` {told}" for batch, told in BATCHES.items()), "",
        "| document | language | what stands in it | how it is set |", "|---|---|---|---|",
    ]  # fmt: skip
    for path in documents():
        known = invented(path)
        language = re.search(r"<html[^>]*\blang=\"?([\w-]+)", known.page)
        lines.append(f"| {known.name} | {language[1] if language else ''} | {' | '.join(shown(known))} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--faces", nargs="+", choices=faces.FOLDERS, default=tuple(faces.FOLDERS), help="the only fonts to set them in")
    parser.add_argument("--type", type=float, default=1.0, help="so many times as large")
    parser.add_argument("--paper", type=float, default=1.0, help="so many times as wide")
    parser.add_argument("--index", action="store_true", help="write the table of all documents anew")
    asked = parser.parse_args(arguments)
    if asked.index:
        INDEX.write_text(index(), encoding="utf-8")
        return
    faces.use(asked.faces)
    for path in documents(asked.names):
        known = invented(path)
        known = replace(known, page=stressed(known.page, asked.type, asked.paper))
        with tempfile.TemporaryDirectory() as scratch:
            folder = asked.keep / known.name if asked.keep else Path(scratch)
            folder.mkdir(parents=True, exist_ok=True)
            made = typeset(known, folder)
            agreed = retypeset.agreement(made, folder)
            result = retypeset.figures(made, folder, asked.show) if retypeset.scorer() else {}
        low = " ".join(f"{name}={value:.2f}" for name, value in result.items() if value < 0.99)
        print(f"{agreed:.3f}  {known.name}  {low}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
