"""Documents in five languages: each case is the page as a publisher would set it and, beside it, what a person reads in it.

A case begins with ``key: value`` lines up to ``---``: language, css, and what the document is (title, version, date …).
Then each line is one printed paragraph; what stands behind " | " is the truth that the print does not spell out:

    = title   =- line of the title page   # section   ## section in it   ### subject (a card, a unit)
    X: prose    I: imprint, in small print
    Q: marker | question      A: marker | answer     (A> in the same paragraph)     the lines under it go on with the answer
    E: head | pages | target  (E> its first change stands in the same paragraph)
    ! replace: an instruction with its {o:old} and {n:new} text      ? a statement without an amending verb
    D: head | term | names in another language | references | body
    N: head | number | title  (N> its body stands in the same paragraph)
    T: title   then   | a | b |   rows
    B: page | old | new       rows of errata in a table; the first of them is its header
    - list item   **bold** *italic* {+printed in the colour of changes+} {~the sample of that colour~}
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.export import document_fields, entry_fields
from pipeline.records import Document
from pipeline.text import even

CASES = Path(__file__).parent / "cases" / "languages"
OPENING = re.compile(r"([QADNETXBI])([:>]) ?(.*)")
KINDS = {"Q": "qa", "E": "erratum", "D": "definition", "N": "rule", "T": "table", "X": "text"}
FACTS = ("title", "game", "version", "date", "language", "publisher")
BASE = """
@page { size: A4; margin: 20mm }
body { font: 9.5pt/1.35 "DejaVu Serif", serif; margin: 0 } main { column-gap: 8mm; text-align: left }
p { margin: 0 0 1.6mm } h1 { font-size: 22pt; margin: 0 0 3mm } h2 { font-size: 15pt; margin: 5mm 0 2mm }
h3 { font-size: 12.5pt; margin: 4mm 0 2mm } h4 { font-size: 10.5pt; margin: 3mm 0 1.2mm } h1, h2, h3, h4 { line-height: 1.2 }
.item { margin-left: 5mm; text-indent: -4mm } .change { color: #c0151c } .front { margin: 0 0 2mm }
.imprint { font-size: 7pt; margin-top: 6mm }
table { border-collapse: collapse; margin: 2mm 0 } td, th { border: .6pt solid #444; padding: 1mm 2mm; text-align: left }
"""


@dataclass(kw_only=True)
class Case:
    """One document: what it is, its printed paragraphs as HTML, its entries."""

    facts: dict[str, str]
    shown: list[str] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)


def load(name: str) -> Case:
    """The case of that name."""
    top, _, rest = (CASES / f"{name}.md").read_text("utf-8").partition("\n---\n")
    case = Case(facts=dict(line.split(": ", 1) for line in top.splitlines() if line.strip()))
    walk = _Walk(case=case)
    for line in rest.splitlines():
        if line.strip():
            walk.take(line.rstrip())
    return case


@dataclass(kw_only=True)
class _Walk:
    """Through the lines of a case: where it stands, and whether the next paragraph goes on in the same print."""

    case: Case
    section: tuple[str, ...] = ()
    subject: str | None = None
    run_in: bool = False
    titled: dict[str, str] = field(default_factory=dict)  # the heads of numbered rules

    def take(self, line: str) -> None:
        if found := re.fullmatch(r"(=-?|#+) (.*)", line):
            self.heading(found[1], found[2])
        elif found := OPENING.fullmatch(line):
            getattr(self, "take_" + found[1].lower())(found[3], found[2] == ">")
        elif line[0] in "!?":
            self.change(line)
        elif line.startswith("|"):
            self.row(line)
        else:
            self.more(line)

    def show(self, text: str, kind: str = "") -> None:
        if self.run_in:
            self.case.shown[-1] = self.case.shown[-1].removesuffix("</p>") + f" {inline(text)}</p>"
        else:
            self.case.shown.append(f'<p class="{kind}">{inline(text)}</p>')
        self.run_in = False

    def heading(self, sign: str, text: str) -> None:
        if sign == "=-":
            self.show(text, "front")
            return
        level = {"=": 1}.get(sign, len(sign) + 1)
        self.case.shown.append(f"<h{level}>{inline(text)}</h{level}>")
        if sign == "###":
            self.subject = clean(text)
        elif sign != "=":
            self.section, self.subject = (*self.section[: level - 2], clean(text)), None

    def open(self, kind: str, print_: str, **fields: Any) -> None:
        made = {"kind": kind, "section": list(self.section), "subject": self.subject, "changed": "{+" in print_}
        self.case.entries.append({**made, **fields})

    def last(self) -> dict[str, Any]:
        return self.case.entries[-1]

    def take_x(self, text: str, _: bool) -> None:
        self.open("text", text, text=clean(text))
        self.show(text)

    def take_i(self, text: str, _: bool) -> None:
        self.open("text", text, text=clean(text))
        self.show(text, "imprint")

    def take_q(self, text: str, _: bool) -> None:
        marker, question = cells(text, 2)
        self.open("qa", question, question=clean(question), answer=[])
        self.show(f"{marker} {question}".strip(), "q")

    def take_a(self, text: str, run_in: bool) -> None:
        marker, answer = cells(text, 2)
        self.last()["answer"].append(clean(answer))
        self.last()["changed"] |= "{+" in answer
        self.run_in = run_in
        self.show(f"{marker} {answer}".strip(), "a")

    def take_e(self, text: str, run_in: bool) -> None:
        head, pages, target = cells(text, 3)
        self.open("erratum", head, pages=[int(n) for n in pages.split()], target=clean(target), changes=[])
        if head:
            self.show(head, "e")
        self.run_in = run_in

    def change(self, line: str) -> None:
        operation, text = ("clarify", line[2:]) if line[0] == "?" else line[2:].split(": ", 1)
        quoted = {sign: re.findall(rf"\{{{sign}:(.*?)\}}", text) for sign in "on"}
        made = {"operation": operation, "instruction": clean(text) if operation != "clarify" else "",
                "old": clean(quoted["o"][0]) if quoted["o"] else None, "new": [clean(new) for new in quoted["n"]]}  # fmt: skip
        if operation == "clarify":
            made["new"] = [clean(text)]
        self.last()["changes"].append(made)
        self.last()["changed"] |= "{+" in text
        self.show(text, "change-line")

    def take_d(self, text: str, _: bool) -> None:
        head, term, aliases, refs, body = cells(text, 5)
        self.open("definition", head + body, term=clean(term), aliases=listed(aliases), refs=listed(refs),
                  body=[clean(body)] if body else [])  # fmt: skip
        self.show(f"{head} {body}".strip(), "d")

    def take_n(self, text: str, run_in: bool) -> None:
        head, number, title = cells(text, 3)
        self.open("rule", head, number=number or None, title=clean(title), body=[])
        over = self.titled.get(number.rpartition(".")[0])  # a titled number is in the path of those under it
        self.last()["section"] += [over] if over else []
        self.titled[number] = clean(head) if title else ""
        self.case.shown.append(f"<p class=n>{inline(head)}</p>" if run_in else f"<h4>{inline(head)}</h4>")
        self.run_in = run_in

    def take_t(self, text: str, _: bool) -> None:
        self.open("table", text, title=clean(text) or None, rows=[])
        if text:
            self.case.shown.append(f"<h4>{inline(text)}</h4>")

    def row(self, line: str) -> None:
        held = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if "rows" in self.last():
            self.last()["rows"].append([clean(cell) for cell in held])
        else:
            self.body().append(" | ".join(clean(cell) for cell in held))
        self.table_row(held)

    def take_b(self, text: str, _: bool) -> None:
        page, old, new = cells(text, 3)
        if any(letter.isdigit() for letter in page):
            change = {"operation": "replace", "instruction": "", "old": clean(old), "new": [clean(new)]}
            self.open("erratum", new, pages=[int(n) for n in re.findall(r"\d+", page)], target="", changes=[change])
        self.table_row([page, old, new])

    def table_row(self, held: list[str]) -> None:
        shown = self.case.shown
        first = not shown[-1].endswith("</table>")
        sign = "th" if first else "td"
        row = "<tr>" + "".join(f"<{sign}>{inline(cell)}</{sign}>" for cell in held) + "</tr>"
        if first:
            shown.append(f"<table>{row}</table>")
        else:
            shown[-1] = shown[-1].removesuffix("</table>") + row + "</table>"

    def body(self) -> list[str]:
        """The paragraphs that a line without a sign goes on with."""
        last = self.last()
        held: list[str] = (
            last["changes"][-1]["new"] if "changes" in last else last["answer" if "answer" in last else "body"]
        )
        return held

    def more(self, line: str) -> None:
        item = line.startswith("- ")
        self.body().append(clean("• " + line[2:] if item else line))
        self.last()["changed"] |= "{+" in line
        self.show("• " + line[2:] if item else line, "item" if item else "more")


def cells(text: str, count: int) -> list[str]:
    found = [cell.strip() for cell in f" {text}".split(" |", count - 1)]
    return [""] * (count - len(found)) + found if count == 2 else found + [""] * (count - len(found))


def listed(text: str) -> list[str]:
    return [one.strip() for one in text.split(";") if one.strip()]


def clean(text: str) -> str:
    """A line as a reader sees it."""
    text = re.sub(r"\{[on]:(.*?)\}", r"\1", text.replace("{+", "").replace("+}", ""))
    text = text.replace("{~", "").replace("~}", "")
    return re.sub(r"\*+", "", text).strip()


def inline(text: str) -> str:
    """Marks to HTML."""
    text = html.escape(text, quote=False).replace("{~", "{+").replace("~}", "+}")
    text = re.sub(r"\{[on]:(.*?)\}", r"\1", text.replace("{+", "<span class=change>").replace("+}", "</span>"))
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)


def typeset(case: Case, path: Path) -> Path:
    """The case as a PDF."""
    fronts = next((at for at, part in enumerate(case.shown) if "<h1" not in part and "front" not in part), 0)
    top, rest = "".join(case.shown[:fronts]), "".join(case.shown[fronts:])
    page = (f'<html lang="{case.facts["language"]}"><style>{BASE}{case.facts.get("css", "")}</style><body>'
            f"<header>{top}</header><main>{rest}</main></body></html>")  # fmt: skip
    _engine()(string=page).write_pdf(path, pdf_identifier=b"case")
    return path


@cache
def _engine() -> Any:
    from weasyprint import HTML

    return HTML


# ---------------------------------------------------------------- what was read, against what is there


def misses(case: Case, document: Document) -> list[str]:
    """Everything that was read otherwise than a person does; nothing when all is right."""
    who = document_fields(document)
    wrong = [f"{name}: {who[name]!r} for {case.facts[name]!r}" for name in FACTS
             if name in case.facts and (who[name] or "-") != case.facts[name]]  # fmt: skip
    read = [_even(entry_fields(entry)) for entry in document.entries]
    true = [_even(entry) for entry in case.entries]
    prose = {entry["text"] for entry in true if entry["kind"] == "text"}
    read = [entry for entry in read if entry["kind"] != "text" or entry["text"] in prose or not _is_front(entry, case)]
    for at, (told, found) in enumerate(_pairs(true, read)):
        wrong += _compare(at, told, found)
    return wrong


def _is_front(entry: dict[str, Any], case: Case) -> bool:
    return any(
        "front" in part and entry["text"] in _even(clean(re.sub(r"<[^>]+>", "", html.unescape(part))))
        for part in case.shown
    )


def _pairs(true: list[dict[str, Any]], read: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    """Entries that belong together: by their first words, in order."""
    left, pairs = list(read), []
    for told in true:
        found = next((entry for entry in left if _name(entry) == _name(told)), None)
        if found is not None:
            left.remove(found)
        pairs.append((told, found))
    return pairs + [(None, entry) for entry in left]


def _name(entry: dict[str, Any]) -> tuple[Any, ...]:
    kind = entry["kind"]
    if kind == "erratum":
        first = entry["changes"][0] if entry["changes"] else {"instruction": "", "new": []}
        return kind, entry["pages"], entry["target"], first["instruction"] or first["new"][:1]
    key = {"qa": "question", "definition": "term", "rule": "number", "table": "rows", "text": "text"}[kind]
    return kind, entry[key], entry.get("title")


def _compare(at: int, told: dict[str, Any] | None, found: dict[str, Any] | None) -> list[str]:
    if told is None or found is None:
        shown = {
            k: v
            for k, v in (told or found or {}).items()
            if v and k not in ("id", "language", "source", "page", "changed_text")
        }
        return [f"{at} {'missing' if found is None else 'not there'}: {shown}"]
    return [f"{at} {name}: {found.get(name)!r}\n    for {value!r}  ({_name(told)[1]})" for name, value in told.items()
            if found.get(name) != value]  # fmt: skip


QUOTES = " \"'‚."


def _even(held: Any, name: str = "") -> Any:
    """Quotation marks, dashes and white space are the compositor's; a quoted text counts without its marks."""
    if isinstance(held, str):
        text = even(held).removeprefix("§ " if name == "number" else "\0")
        return text.strip(QUOTES) if name in ("old", "new", "target") else text
    if isinstance(held, (list, tuple)):
        return [_even(each, name) for each in held]
    if isinstance(held, dict):
        return {key: _even(value, key) for key, value in held.items()}
    return held


# ---------------------------------------------------------------- single sentences

SENTENCES = Path(__file__).parent / "cases" / "sentences"


def sentences(language: str) -> list[tuple[str, str]]:
    """(operation, sentence) for each line of a language's file."""
    lines = (SENTENCES / f"{language}.txt").read_text("utf-8").splitlines()
    return [(line.split(": ", 1)[0], line.split(": ", 1)[1]) for line in lines if line.strip()]


def sentence_misses(language: str, operation: str, text: str) -> str:
    """What is wrong with one sentence under a page head; nothing when it is read as a person does."""
    from blocks import structure

    from pipeline.classify import classify

    follow = "\n\n„Der neue Text.“" if text.rstrip().endswith(":") else ""
    page = f"lang: {language}\n# Errata\n\n**p. 3 – Test**\n\n{clean(text)}{follow}"
    entries = [entry_fields(entry) for entry in classify(structure(page.replace("p. 3", PAGE[language]))).entries]
    changes = _even([entry.get("changes") for entry in entries])
    quoted = {sign: [clean(one) for one in re.findall(rf"\{{{sign}:(.*?)\}}", text)] for sign in "on"}
    new = ["Der neue Text"] if follow else quoted["n"]
    said = clean(text)
    told = {"operation": operation, "instruction": said, "old": (quoted["o"] or [None])[0], "new": new}
    if operation == "clarify":
        told.update(instruction="", new=[said])
    return "" if changes == [[_even(told)]] else str(changes)


PAGE = {"de": "S. 3", "en": "Page 3", "fr": "Page 3", "es": "Página 3", "it": "Pagina 3", "pt": "Página 3",
        "nl": "Pagina 3", "pl": "Strona 3", "cs": "Strana 3", "sv": "Sida 3", "da": "Side 3", "ca": "Pàgina 3",
        "hu": "Oldal 3", "ro": "Pagina 3", "ru": "Страница 3", "el": "Σελίδα 3"}  # fmt: skip
