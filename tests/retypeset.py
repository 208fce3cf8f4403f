"""Sets a text with a known truth again in many other ways, and says how much of it is read back.

Publishers mark questions, head errata and lay out pages in ways that no sample of ours has. A truth (a gold file, or a
text in tests/texts) is set in a style drawn by chance from OPTIONS, or in the plain style with one option changed, so
that what breaks is known by its name.

Run it: python -m tests.retypeset TRUTH... [--each OPTION...] [--seed N] [--count K] [--keep FOLDER] [--show N]
"""

from __future__ import annotations

import argparse
import html
import importlib.util
import io
import json
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TEXTS = HERE / "texts"
TRUTHS = HERE / "samples" / "truth"
SHARED = HERE.parent.parent / "shared"
Block = dict[str, Any]
ON, OFF = "\ue100", "\ue101"  # around words that are printed in the colour for changes

# The first of each is the plain style.
OPTIONS: dict[str, tuple[str, ...]] = {
    "page": ("A4", "Letter", "A5", "A4 landscape"),
    "columns": ("2", "1", "3"),
    "align": ("justify", "left"),
    "font": ("Source Serif", "Source Sans", "Liberation Serif", "Liberation Sans", "Liberation Sans Narrow",
             "DejaVu Sans Condensed", "DejaVu Serif Condensed"),
    "size": ("9pt", "7.5pt", "11pt"),
    "space": ("0.5em", "0", "indent"),
    "question": ("colon", "dot", "number)", "dash", "number :", "word", "word number", "boxed", "coloured", "cell",
                 "hanging", "bold all", "bare bold", "bare italic", "bare coloured", "numbered bold", "numbered plain",
                 "heading", "run in", "same line", "arrow", "verdict", "unstopped"),
    "subject": ("bold", "coloured", "small caps", "centred", "italic", "underlined", "capitals"),
    "section": ("large", "capitals", "band", "numbered", "ruled", "spanning", "centred", "coloured"),
    "running": ("foot", "none", "mirrored", "chapter", "head and foot", "side"),
    "change": ("magenta", "blue", "red", "green", "silent blue", "silent red", "highlight", "words", "bar", "none"),
    "head": ("Page 1 – X", "p. 1, X", "• Page 1 – X", "Page 1 : X", "(p. 1) X", "X (p. 1)", "P.1 X", "Page 1. X",
             "Page 1 X", "X, page 1", "*Page 1 – X"),
    "lead": ("bold line", "plain line", "bold run in", "plain run in", "coloured line", "underlined line"),
    "quotes": ("own", "“ ”", "« »", "' '", "„ “", '" "', "italics"),
    "boxes": ("none", "new", "indented"),
    "term": ("dash", "colon", "capitals", "stop", "nothing", "own line", "cell", "em dash", "plain colon", "item", "equals"),
    "rule": ("dot", "dash", "nothing", "decimal", "decimal run in", "article", "paragraph sign", "word", "plain decimal"),
    "table": ("ruled", "unruled", "zebra", "lines between"),
    "extra": ("none", "cover", "contents", "drop cap", "watermark", "sidebar", "rotated", "sideways", "background"),
    "draw": ("runs", "words", "letters"),
}  # fmt: skip
# Rare, or hard to tell even for a person: not drawn by chance.
RARE = {"question": {"verdict", "bare coloured", "unstopped"}, "head": {"(p. 1) X", "X, page 1", "P.1 X"}, "extra": {"sideways"},
        "term": {"stop", "nothing", "own line", "cell", "plain colon", "equals"}, "lead": {"underlined line"}}  # fmt: skip
LETTERS = {"fr": ("Q", "R"), "en": ("Q", "A"), "de": ("F", "A"), "es": ("P", "R"), "it": ("D", "R")}
WORDS = {"fr": ("Question", "Réponse"), "en": ("Question", "Answer"), "de": ("Frage", "Antwort"),
         "es": ("Pregunta", "Respuesta"), "it": ("Domanda", "Risposta")}  # fmt: skip
PAGE = {"fr": ("Page", "Pages", "et"), "en": ("Page", "Pages", "and"), "de": ("Seite", "Seiten", "und"),
        "es": ("Página", "Páginas", "y"), "it": ("Pagina", "Pagine", "e")}  # fmt: skip
SHORT = {"fr": "p.", "en": "p.", "de": "S.", "es": "pág.", "it": "p."}
ARTICLE = {"fr": "Article", "en": "Article", "de": "Artikel", "es": "Artículo", "it": "Articolo"}
RULE = {"fr": "Règle", "en": "Rule", "de": "Regel", "es": "Regla", "it": "Regola"}
ENTRIES = ("qa", "erratum", "definition", "rule", "table")
KINDS = {
    "qa": ("FAQ", "FAQ"),
    "erratum": ("Errata", "Errata"),
    "definition": ("Quick reference", "Mémo"),
    "rule": ("Rules", "Règles"),
}
COLOURS = {"magenta": "#d6007e", "blue": "#0050b4", "red": "#c80000", "green": "#008a3e"}
NAMES = {"fr": {"magenta": "magenta", "blue": "bleu", "red": "rouge", "green": "vert"},
         "en": {"magenta": "magenta", "blue": "blue", "red": "red", "green": "green"},
         "de": {"magenta": "Magenta", "blue": "Blau", "red": "Rot", "green": "Grün"},
         "es": {"magenta": "magenta", "blue": "azul", "red": "rojo", "green": "verde"},
         "it": {"magenta": "magenta", "blue": "blu", "red": "rosso", "green": "verde"}}  # fmt: skip
ANNOUNCED = {"fr": "Les changements depuis la version précédente apparaissent en {}.",
             "en": "Changes since the previous version are shown in {}.",
             "de": "Änderungen gegenüber der vorigen Fassung sind in {} gedruckt.",
             "es": "Los cambios respecto a la versión anterior aparecen en {}.",
             "it": "Le modifiche rispetto alla versione precedente sono indicate in {}."}  # fmt: skip
HIGHLIGHTED = {"fr": "Les changements depuis la version précédente sont surlignés en jaune.",
               "en": "Changes since the previous version are highlighted in yellow.",
               "de": "Änderungen gegenüber der vorigen Fassung sind gelb markiert.",
               "es": "Los cambios respecto a la versión anterior aparecen resaltados en amarillo.",
               "it": "Le modifiche rispetto alla versione precedente sono evidenziate in giallo."}  # fmt: skip
ABOUT = {"fr": "Ce document répond aux questions des joueurs et corrige ce qui fut mal imprimé.",
         "en": "This document answers the questions of players and corrects what was misprinted.",
         "de": "Dieses Dokument beantwortet die Fragen der Spieler und berichtigt, was falsch gedruckt wurde.",
         "es": "Este documento responde a las preguntas de los jugadores y corrige lo que se imprimió mal.",
         "it": "Questo documento risponde alle domande dei giocatori e corregge ciò che fu stampato male."}  # fmt: skip
BESIDE = {"fr": ("Bon à savoir", "Les jetons perdus se remplacent par des boutons, pourvu qu’ils soient ronds."),
          "en": ("Good to know", "Lost tokens may be replaced by buttons, provided that they are round."),
          "de": ("Gut zu wissen", "Verlorene Marker lassen sich durch Knöpfe ersetzen, sofern sie rund sind."),
          "es": ("Conviene saber", "Las fichas perdidas se sustituyen por botones, siempre que sean redondos."),
          "it": ("Buono a sapersi", "I segnalini perduti si sostituiscono con bottoni, purché siano rotondi.")}  # fmt: skip


# ---------------------------------------------------------------- styles


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """One choice for each option."""

    chosen: tuple[tuple[str, str], ...] = ()

    def __getitem__(self, option: str) -> str:
        return dict(self.chosen).get(option, OPTIONS[option][0])

    def __str__(self) -> str:
        return ", ".join(f"{option}={choice}" for option, choice in self.chosen) or "plain"


def one_by_one(options: Sequence[str] = ()) -> Iterator[Style]:
    """The plain style, then every style that differs from it in one choice."""
    yield Style()
    for option in options or OPTIONS:
        yield from (Style(chosen=((option, choice),)) for choice in OPTIONS[option][1:])


def by_chance(seed: int) -> Style:
    """A style drawn by chance; the same seed gives the same."""
    draw = random.Random(seed)
    draw.random()
    usual = {
        option: [each for each in choices if each not in RARE.get(option, ())] for option, choices in OPTIONS.items()
    }
    chosen = {option: draw.choice(choices) for option, choices in usual.items()}
    if chosen["draw"] != "runs":  # the other program draws no rectangles, and has other condensed fonts
        chosen |= {"font": "Source Sans" if "Condensed" in chosen["font"] else chosen["font"], "section": "large" if chosen["section"] == "band" else chosen["section"], "change": "red", "boxes": "none",
                   "table": "unruled", "question": "colon" if chosen["question"] == "boxed" else chosen["question"]}  # fmt: skip
    return Style(chosen=tuple(chosen.items()))


# ---------------------------------------------------------------- truths


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    name: str
    language: str
    title: str
    game: str
    blocks: tuple[Block, ...]


def typesetter() -> Any:
    """The module that makes the samples: its format of texts and its symbol font."""
    if "typeset" not in sys.modules:
        spec = importlib.util.spec_from_file_location("typeset", HERE / "samples" / "typeset.py")
        assert spec
        assert spec.loader
        sys.modules["typeset"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["typeset"])
    return sys.modules["typeset"]


def truth(path: Path, most: int = 45, start: int = 0) -> Truth:
    """A gold file or a text of tests/texts; at most so many of its entries."""
    made = _gold(path) if path.suffix == ".json" else _text(path)
    kept: list[Block] = []
    for block in made.blocks[start:]:
        if len(kept) == most:
            break
        if block["kind"] in SHAPES and not _goes_back(kept[-1] if kept else None, block):
            kept.append(_only_known(block))
    return Truth(name=made.name, language=made.language, title=made.title, game=made.game, blocks=tuple(kept))


def _gold(path: Path) -> Truth:
    gold = json.loads(path.read_text(encoding="utf-8"))
    blocks = gold.get("blocks") or gold["entries"]
    name = path.name.removesuffix(".gold.json")
    language = gold.get("language") or ("en" if path.parent.name == "real" else "fr")
    first = next(at for at, block in enumerate(blocks) if block["kind"] not in ("title", "text", "section", "subject"))
    kind = max(KINDS, key=lambda kind: sum(block["kind"] == kind for block in blocks))
    return Truth(name=name, language=language, title=gold.get("title") or KINDS[kind][language == "fr"],
                 game=gold.get("game") or "Lanternes", blocks=tuple(blocks[first:]))  # fmt: skip


def _text(path: Path) -> Truth:
    typeset = typesetter()
    top, _, rest = path.read_text(encoding="utf-8").partition("\n---\n")
    facts = dict(line.split(": ", 1) for line in top.splitlines())
    parts = typeset.parse(rest.splitlines(), facts["language"])
    blocks = tuple(typeset.block_of(part) for part in parts if part.kind != "heading")
    return Truth(name=path.stem, language=facts["language"], title=facts["title"], game=facts["game"], blocks=blocks)


def _goes_back(before: Block | None, block: Block) -> bool:
    """After a subject, an entry of its section without one cannot be shown by headings."""
    if before is None or block.get("section") is None:
        return False
    here, above = list(block["section"]), list(before.get("section") or [])
    shorter = len(here) < len(above) and above[: len(here)] == here
    return shorter or (here == above and bool(before.get("subject")) and not block.get("subject"))


def _only_known(block: Block) -> Block:
    """A copy; an erratum without its changes told apart has its body as one change."""
    made: Block = json.loads(json.dumps(block))
    made.pop("n", None)
    if made["kind"] == "erratum" and "changes" not in made:
        first, *rest = made["body"]
        made["changes"] = [
            {"operation": made.get("operation", "clarify"), "instruction": first, "old": None, "new": rest}
        ]
        made["rough"] = True
    return made


# ---------------------------------------------------------------- what a style does to the truth


def restyled(known: Truth, style: Style) -> list[Block]:
    """The truth of the document as this style sets it."""
    blocks = [json.loads(json.dumps(block)) for block in known.blocks]
    for at, block in enumerate(blocks):
        if style["change"] in ("none", "bar"):
            block.pop("changed", None)
        if style["quotes"] not in ("own", "italics") and block["kind"] == "erratum":
            block["changes"] = _requoted(block["changes"], style["quotes"])
            block["body"] = _requoted(block.get("body"), style["quotes"])
        if block["kind"] == "rule" and block.get("number"):
            block["number"] = number(blocks, at, style)
        if block["kind"] == "definition" and style["term"] in (
            "nothing",
            "own line",
            "cell",
            "stop",
            "plain colon",
            "equals",
        ):
            block["ref"], block["aliases"] = None, []
        if block["kind"] == "definition" and style["term"] == "capitals":
            block["term"] = block["term"].upper()
    if style["question"] in ("verdict", "numbered plain"):
        pass
    if style["section"] == "capitals":
        for block in blocks:
            block["section"] = [title.upper() for title in block.get("section") or []]
    return blocks


def _requoted(value: Any, marks: str) -> Any:
    if isinstance(value, dict):
        return {key: _requoted(each, marks) for key, each in value.items()}
    if isinstance(value, list):
        return [_requoted(each, marks) for each in value]
    if not isinstance(value, str):
        return value
    opening, closing = marks.split(" ")
    space = "\u00a0" if opening == "«" else ""
    return re.sub(
        r"«\s*(.*?)\s*»|“(.*?)”|„(.*?)“", lambda m: f"{opening}{space}{m[1] or m[2] or m[3]}{space}{closing}", value
    )


def number(blocks: list[Block], at: int, style: Style) -> str:
    """Rules numbered in another way: V-A-1 as 5.1.1, or one after the other."""
    printed = str(blocks[at].get("number") or "")
    if style["rule"] in ("article", "word"):
        return str(sum(1 for block in blocks[: at + 1] if block["kind"] == "rule"))
    if style["rule"] == "paragraph sign":
        return "§ " + str(sum(1 for block in blocks[: at + 1] if block["kind"] == "rule"))
    if style["rule"] in ("decimal", "decimal run in", "plain decimal"):
        return ".".join(_counted(part, first=n == 0) for n, part in enumerate(re.split(r"[-.]", printed)))
    return printed


def _counted(part: str, *, first: bool) -> str:
    if first and re.fullmatch(r"[IVX]+", part):
        values = {"I": 1, "V": 5, "X": 10}
        digits = [values[letter] for letter in part]
        return str(sum(-d if d < max(digits[n:]) else d for n, d in enumerate(digits)))
    return str(ord(part) - ord("A") + 1) if re.fullmatch(r"[A-Z]", part) else part


# ---------------------------------------------------------------- markup


def inline(text: str) -> str:
    text = html.escape(text.replace("⟦icon⟧", "[icon]"), quote=False)
    text = text.replace(ON, "<span class=word>").replace(OFF, "</span>")
    return text.replace("[icon]", "<i class=icon>\ue001</i>")


def flow(paragraphs: Sequence[str], kind: str = "para") -> str:
    made = ""
    for text in paragraphs:
        listed = re.match(r"[•▪] ", text)
        shown = f"<span class=bullet>•</span> {inline(text[2:])}" if listed else inline(text)
        made += f'<p class="{"item" if listed else kind}">{shown}</p>'
    return made


def changed(block: Block, style: Style) -> str:
    """The class of an entry that is printed in the colour for changes; single words have their own."""
    return " new" if block.get("changed") is True and style["change"] not in ("none", "bar") else ""


def asked(block: Block, style: Style, language: str, count: int) -> str:
    """A question and its answer, marked in one of many ways."""
    question, (first, *rest) = inline(block["question"]), block["answer"] or [""]
    answer, rest, form = inline(first), flow(rest), style["question"]
    q, a = LETTERS[language]
    space = "\u00a0" if language == "fr" else ""
    marks = {"colon": (f"{q}{space}:", f"{a}{space}:"), "dot": (f"{q}.", f"{a}."), "number)": (f"{q}{count})", f"{a}{count})"),
             "dash": (f"{q} –", f"{a} –"), "number :": (f"{q}{count}{space}:", f"{a}{count}{space}:"),
             "word": tuple(f"{w}{space}:" for w in WORDS[language]),
             "word number": (f"{WORDS[language][0]} {count} –", f"{WORDS[language][1]} –"),
             "coloured": (f"{q}{space}:", f"{a}{space}:"), "hanging": (f"{q}:", f"{a}:"), "bold all": (f"{q}{space}:", f"{a}{space}:"),
             "same line": (f"{q}:", f"{a}:")}  # fmt: skip
    if form in ("boxed", "cell", "unstopped"):
        return f"<div class=row><b class=mark>{q}</b><p class=q>{question}</p></div><div class=row><b class=mark>{a}</b><p class=a>{answer}</p></div>{rest}" if form == "cell" else \
            f"<p class=q><b class=mark>{q}</b> {question}</p><p class=a><b class=mark>{a}</b> {answer}</p>{rest}"  # fmt: skip
    if form == "same line":
        return f"<p class=q><b>{marks[form][0]}</b> {question} <b>{marks[form][1]}</b> {answer}</p>{rest}"
    if form in marks:
        before, after = marks[form]
        return f"<p class=q><b class=mark>{before}</b> {question}</p><p class=a><b class=mark>{after}</b> {answer}</p>{rest}"
    if form == "heading":
        return f"<h4 class=q>{question}</h4><p class=a>{answer}</p>{rest}"
    if form == "run in":
        return f"<p class=q><b>{question}</b> {answer}</p>{rest}"
    number = {"numbered bold": f"{count}. ", "numbered plain": f"{count}. "}.get(form, "")
    arrow = "→ " if form == "arrow" else ""
    return f"<p class=q>{number}{question}</p><p class=a>{arrow}{answer}</p>{rest}"


def corrected(block: Block, style: Style, language: str, count: int) -> str:
    """A head with its page, and the changes."""
    head = inline(_head(block, style["head"], language))
    body = "".join(_change(change, style) for change in block["changes"])
    lead = style["lead"]
    if lead.endswith("run in"):
        opened = f"<b>{head}</b>" if lead.startswith("bold") else head
        stop = "" if head.endswith((":", ".")) else " –" if "(" in style["head"] else "."
        if not body.startswith("<p"):
            return f"<p>{opened}{stop}</p>{body}"
        return re.sub(r"^<p class=\"?\w+\"?>", lambda m: f"{m[0]}{opened}{stop} ", body, count=1)
    return f"<p class=head>{head}</p>{body}"


def _head(block: Block, form: str, language: str) -> str:
    one, many, link = PAGE[language]
    pages, target = block.get("pages") or [], block.get("target") or ""
    if not pages:
        return target or "Errata"
    listed = f" {link} ".join([", ".join(map(str, pages[:-1])), str(pages[-1])]) if len(pages) > 1 else str(pages[0])
    long, short = f"{one if len(pages) == 1 else many} {listed}", f"{SHORT[language]} {listed}"
    colon = "\u00a0:" if language == "fr" else ":"
    forms = {"Page 1 – X": f"{long} – {target}", "p. 1, X": f"{short}, {target}", "• Page 1 – X": f"• {long} – {target}",
             "Page 1 : X": f"{long}{colon} {target}", "(p. 1) X": f"({short}) {target}", "X (p. 1)": f"{target} ({short})",
             "P.1 X": f"{SHORT[language].capitalize()}{listed} {target}", "Page 1. X": f"{long}. {target}",
             "Page 1 X": f"{long} {target}", "X, page 1": f"{target}, {long.lower() if language != 'de' else long}",
             "*Page 1 – X": f"*{long} – {target}"}  # fmt: skip
    return forms[form].strip(" –,:") if not target else forms[form]


def _change(change: Block, style: Style) -> str:
    told, new = change["instruction"], change["new"]
    outside = [text for text in new if _letters(text) not in _letters(told)]
    made = flow([told]) if told else ""
    shown = flow(outside, "quoted")
    return made + (f"<div class=box>{shown}</div>" if outside and style["boxes"] != "none" else shown)


def _letters(text: str) -> str:
    return re.sub(r"\s+", "", text)


def defined(block: Block, style: Style, language: str, count: int) -> str:
    term, form = inline(re.sub(r"\s*\([\"“«][^)]*\)", "", block["term"])), style["term"]
    names = "".join(f" (“{inline(name)}”)" for name in block.get("aliases") or [])
    refs = f" [{block['ref']}]" if re.search(r"\d", block.get("ref") or "") else ""
    first, *rest = list(block["body"]) or [""]
    body = inline(first)
    if form == "own line":
        return f"<p class=head>{term}</p><p>{body}</p>{flow(rest)}"
    if form == "cell":
        return f"<div class=row><b class=mark>{term}</b><p>{body}</p></div>{flow(rest)}"
    if form == "plain colon":
        return f"<p>{term}: {body}</p>{flow(rest)}"
    stop = {"dash": f"</b>{names}{refs} –", "em dash": f"</b>{names}{refs} —", "colon": f"</b>{names}{refs}:", "capitals": f"</b>{names}{refs} –",
            "stop": ".</b>", "nothing": "</b>", "item": f"</b>{names}{refs}:", "equals": "</b> ="}[form]  # fmt: skip
    bullet = "<span class=bullet>•</span> " if form == "item" else ""
    return f"<p>{bullet}<b>{term}{stop} {body}</p>{flow(rest)}"


def numbered(block: Block, style: Style, language: str, count: int) -> str:
    number, title, form = block.get("number") or "", inline(block.get("title") or ""), style["rule"]
    label = {"dot": f"{number}. {title}", "dash": f"{number} – {title}", "article": f"{ARTICLE[language]} {number} – {title}",
             "paragraph sign": f"{number} {title}", "word": f"{RULE[language]} {number}{' :' if language == 'fr' else ':'} {title}",
             "decimal run in": f"{number} {title}."}.get(form, f"{number} {title}")  # fmt: skip
    depth = min(len(re.split(r"[-.]", number)), 3)
    if form == "plain decimal":
        first, *rest = block["body"] or [""]
        return (
            f"<p>{number} {inline(first)}</p>{flow(rest)}"
            if not title
            else f"<p class=head>{number} {title}</p>{flow(block['body'])}"
        )
    if form == "decimal run in" and block["body"]:
        first, *rest = block["body"]
        return f"<p><b>{label}</b> {inline(first)}</p>{flow(rest)}"
    return f'<p class="head d{depth}">{label}</p>{flow(block["body"])}'


def ruled(block: Block, style: Style, language: str, count: int) -> str:
    first, *rest = block["rows"]
    top = "".join(f"<th>{inline(cell)}</th>" for cell in first)
    body = "".join("<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>" for row in rest)
    title = f"<h4>{inline(block['title'])}</h4>" if block.get("title") else ""
    return f"<div class=table>{title}<table><tr>{top}</tr>{body}</table></div>"


def prose(block: Block, style: Style, language: str, count: int) -> str:
    return flow([block["text"]])


SHAPES = {"qa": asked, "erratum": corrected, "definition": defined, "rule": numbered, "table": ruled, "text": prose}


# ---------------------------------------------------------------- the page


def document(known: Truth, blocks: list[Block], style: Style) -> str:
    language = known.language
    intro = _intro(blocks, style, language)
    body, above, count = "", ([], None), 0
    for at, block in enumerate(blocks):
        heads, above = _headings(block, above, style)
        count += block["kind"] == "qa"
        shape = SHAPES[block["kind"]](block, style, language, count)
        if changed(block, style) and style["change"] == "highlight":
            shape = re.sub(r"(<p[^>]*>)(.*?)(</p>)", r"\1<mark>\2</mark>\3", shape)
        body += f'{heads}<section id=a{at} class="{block["kind"]}{changed(block, style)}">{shape}</section>'
        if style["extra"] == "sidebar" and at == len(blocks) // 3:
            body += "<aside><h6>{}</h6><p>{}</p></aside>".format(*BESIDE[language])
    mark = "<div class=watermark>DRAFT</div>" if style["extra"] == "watermark" else ""
    front = f"<header><p class=game>{known.game}</p><p class=title>{known.title}</p><p class=version>Version 1.2</p></header>"
    contents = _contents(blocks) if style["extra"] == "contents" else ""
    return (f'<html lang="{language}"><head><title>{known.game}</title><style>{css(known, style)}</style></head><body>'
            f"{mark}{front}{contents}<main>{intro}{body}</main></body></html>")  # fmt: skip


def _intro(blocks: list[Block], style: Style, language: str) -> str:
    """A sentence about the document, and one about its colour; both are in the truth."""
    told = [ABOUT[language]]
    if any(block.get("changed") for block in blocks):
        if style["change"] in COLOURS:
            told.append(ANNOUNCED[language].format(NAMES[language][style["change"]]))
        elif style["change"] == "words":
            told.append(ANNOUNCED[language].format(NAMES[language]["magenta"]))
        elif style["change"] == "highlight":
            told.append(HIGHLIGHTED[language])
    first = told[0]
    if style["extra"] == "drop cap":
        return f"<p class=intro><span class=drop>{first[0]}</span>{first[1:]}</p>" + flow(told[1:])
    return flow(told)


def _headings(
    block: Block, above: tuple[list[str], str | None], style: Style
) -> tuple[str, tuple[list[str], str | None]]:
    """The headings between the entry above and this one."""
    section, subject = list(block.get("section") or []), block.get("subject")
    made = ""
    same = 0
    while same < min(len(section), len(above[0])) and section[same] == above[0][same]:
        same += 1
    for depth in range(same, len(section)):
        title = section[depth].upper() if style["section"] == "capitals" else section[depth]
        made += f"<h{min(depth + 1, 3)}>{inline(title)}</h{min(depth + 1, 3)}>"
    if subject and (subject != above[1] or section != above[0]):
        shown = subject.upper() if style["subject"] == "capitals" else subject
        made += f"<h5>{inline(shown)}</h5>"
    return made, (section, subject)


def _contents(blocks: list[Block]) -> str:
    titles = list(dict.fromkeys(" ".join((block.get("section") or [""])[-1:]) for block in blocks))
    lines = "".join(
        f"<p class=toc><span>{inline(title)}</span><span>{at + 2}</span></p>"
        for at, title in enumerate(titles)
        if title
    )
    return f"<nav>{lines}</nav>"


FONTS = {"Source Serif": "SourceSerif", "Source Sans": "SourceSans"}


def css(known: Truth, style: Style) -> str:
    """The style sheet of a style: the rules of each choice, one after the other."""
    size, font, change = style["size"], FONTS.get(style["font"], style["font"]), style["change"]
    narrow = style["columns"] == "3" or (style["page"] == "A5" and style["columns"] == "2")
    colour = COLOURS.get(change.removeprefix("silent "), COLOURS["magenta"])
    new = "" if change == "highlight" else f"color:{colour}"
    justify = "text-align:justify;hyphens:auto" if style["align"] == "justify" else "text-align:left"
    rules = [
        FACES, _running(known, style), f"@page{{size:{style['page']};margin:{'14mm' if narrow else '20mm 18mm'}}}",
        f"body{{font:{size}/1.28 '{font}';{justify};margin:0;orphans:2;widows:2}} p{{margin:0 0 {SPACES[style['space']]}}}",
        f"main{{columns:{style['columns']};column-gap:{'5mm' if narrow else '8mm'};column-fill:auto}}",
        "header{text-align:left} .game{font-size:2em;font-weight:bold} .title{font-size:1.5em} .version{font-style:italic}",
        "h1,h2,h3,h4,h5,h6{margin:.8em 0 .3em;text-align:left;break-after:avoid;line-height:1.15}",
        "h1{font-size:1.6em} h2{font-size:1.3em} h3{font-size:1.15em} h4{font-size:1.05em} h5,h6{font-size:1em}",
        ".icon{font-family:Symbols;font-style:normal} .item{margin-left:1.2em;text-indent:-.8em} .bullet{display:inline-block;width:.8em;text-indent:0}",
        f"section.new{{{new}}}" if change != "words" else f".new .a,.new p:last-child{{{new}}}",
        ".table{break-inside:avoid} table{border-collapse:collapse;text-align:left;hyphens:manual;margin-bottom:.6em} td,th{padding:2px 5px;vertical-align:top}",
        ".head{font-weight:bold;break-after:avoid;text-align:left;margin:.5em 0 .2em} .d1{font-size:1.4em}.d2{font-size:1.2em}",
        "" if change in ("none", "bar") else f".word{{{'background:#ffee55' if change == 'highlight' else new}}}",
        *(RULES.get((option, style[option]), "") for option in OPTIONS),
    ]  # fmt: skip
    if style["space"] == "indent":
        rules.append(".qa{margin-top:.4em} p.para{text-indent:1em}")
    return "\n".join(rules)


SPACES = {"0.5em": ".5em", "0": "0", "indent": "0"}
FACES = "".join(
    f"@font-face{{font-family:Source{name};src:url($FONTS_{name}/Source{name}Pro-{cut}.ttf);font-weight:{weight};font-style:{slant}}}"
    for name in ("Serif", "Sans")
    for cut, weight, slant in (("Regular", 400, "normal"), ("It", 400, "italic"), ("Bold", 700, "normal"), ("BoldIt", 700, "italic"))
) + "@font-face{font-family:Symbols;src:url($SYMBOLS/symbols.ttf)}"  # fmt: skip
RULES = {
    ("question", "boxed"): ".mark{background:#222;color:#fff;padding:0 .3em}",
    ("question", "coloured"): ".mark{color:#a33200}",
    ("question", "cell"): ".row{display:flex} .row .mark{flex:0 0 1.6em;color:#a33200} .row p{flex:1}",
    ("question", "hanging"): ".q,.a{margin-left:1.6em;text-indent:-1.6em} .mark{display:inline-block;width:1.6em;text-indent:0}",
    ("question", "bold all"): ".q{font-weight:bold}",
    ("question", "bare bold"): ".q{font-weight:bold}",
    ("question", "arrow"): ".q{font-weight:bold}",
    ("question", "bare italic"): ".q{font-style:italic}",
    ("question", "bare coloured"): ".q{color:#1d4e89}",
    ("question", "numbered bold"): ".q{font-weight:bold}",
    ("subject", "bold"): "h5{font-weight:bold}",
    ("subject", "coloured"): "h5{color:#1d6b2f;font-weight:bold;font-size:1.1em}",
    ("subject", "small caps"): "h5{font-variant:small-caps;font-size:1.1em}",
    ("subject", "centred"): "h5{text-align:center}",
    ("subject", "italic"): "h5{font-style:italic}",
    ("subject", "underlined"): "h5{text-decoration:underline}",
    ("section", "band"): "h1,h2,h3{background:#14365c;color:#fff;padding:2px 6px}",
    ("section", "ruled"): "h1,h2{border-bottom:1px solid #000;border-top:1px solid #000}",
    ("section", "spanning"): "h1{column-span:all;text-align:center}",
    ("section", "centred"): "h1,h2{text-align:center;color:#7a1010}",
    ("section", "coloured"): "h1,h2,h3{color:#0b5345;font-weight:normal}",
    ("lead", "plain line"): ".erratum .head{font-weight:normal}",
    ("lead", "coloured line"): ".erratum .head{font-weight:normal;color:#7a1010}",
    ("lead", "underlined line"): ".erratum .head{font-weight:normal;text-decoration:underline}",
    ("quotes", "italics"): ".quoted{font-style:italic}",
    ("boxes", "new"): ".box{border:.6pt solid #444;padding:2mm;margin:1mm 0}",
    ("boxes", "indented"): ".box{margin-left:1.5em}",
    ("term", "cell"): ".definition .row{display:flex} .definition .mark{flex:0 0 28%} .definition .row p{flex:1}",
    ("term", "item"): ".definition p{margin-left:1.2em;text-indent:-.8em}",
    ("rule", "plain decimal"): ".rule .head{font-size:1em}",
    ("table", "ruled"): "td,th{border:.5pt solid #000}",
    ("table", "zebra"): "tr:nth-child(even) td{background:#e8e8e8} th{background:#14365c;color:#fff}",
    ("table", "lines between"): "tr{border-bottom:.5pt solid #000}",
    ("extra", "cover"): "header{break-after:page;padding-top:80mm;text-align:center}",
    ("extra", "contents"): "nav{break-after:page} .toc{display:flex} .toc span:first-child{flex:1} .toc span:first-child::after{content:leader('.')}",
    ("extra", "drop cap"): ".drop{float:left;font-size:3.1em;line-height:.85;padding-right:2pt}",
    ("extra", "watermark"): ".watermark{position:fixed;top:90mm;left:20mm;font-size:70pt;color:#ddd;transform:rotate(-40deg)}",
    ("extra", "sidebar"): "aside{border:1px solid #14365c;background:#eef;padding:2mm;margin:2mm 0;font-size:.95em}",
    ("extra", "background"): "@page{background:#f4ecd8}",
    ("change", "bar"): "section.new{border-left:2pt solid red}",
}  # fmt: skip


def _running(known: Truth, style: Style) -> str:
    """What repeats on the pages."""
    number, name, kind = "counter(page)", f'"{known.game} – {known.title}"', style["running"]
    small = "font-size:7pt;color:#444"
    if kind == "none":
        return ""
    if kind == "foot":
        return f"@page{{@bottom-center{{content:{name} ' – ' {number};{small}}}}}"
    if kind == "head and foot":
        return f"@page{{@top-center{{content:{name};{small}}}@bottom-center{{content:{number};{small}}}}}"
    if kind == "chapter":
        return f"h1{{string-set:chapter content()}}@page{{@top-right{{content:string(chapter);{small}}}@bottom-right{{content:{number};{small}}}}}"
    if kind == "side":
        return f"@page{{@left-middle{{content:{name};transform:rotate(-90deg);white-space:nowrap;{small}}}@bottom-right{{content:{number} ' / ' counter(pages);{small}}}}}"
    return (f"@page:left{{@bottom-left{{content:{number};{small}}}@bottom-right{{content:{name};{small}}}}}"
            f"@page:right{{@bottom-right{{content:{number};{small}}}@bottom-left{{content:'Version 1.2';{small}}}}}")  # fmt: skip


# ---------------------------------------------------------------- making


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A PDF and what a person reads in it."""

    pdf: bytes
    blocks: list[Block]


def typeset(known: Truth, style: Style) -> Made:
    """The truth set in a style."""
    import font_source_sans_pro
    import font_source_serif_pro
    from weasyprint import HTML
    from weasyprint.text.fonts import FontConfiguration

    blocks = restyled(known, style)
    with tempfile.TemporaryDirectory() as folder:
        typesetter().symbols(Path(folder, "symbols.ttf"))
        page = document(known, blocks, style)
        for name, place in (("$FONTS_Serif", Path(font_source_serif_pro.__file__).parent / "files"),
                            ("$FONTS_Sans", Path(font_source_sans_pro.__file__).parent / "files"),
                            ("$SYMBOLS", Path(folder))):  # fmt: skip
            page = page.replace(name, place.as_uri())
        made = HTML(string=page).render(font_config=FontConfiguration())
        for number, sheet in enumerate(made.pages, 1):
            for anchor in sheet.anchors:
                blocks[int(anchor[1:])].setdefault("printed", number)
        pdf: bytes = made.write_pdf(pdf_identifier=known.name.encode())
    for block in blocks:
        block["page"] = block.pop("printed")
    return Made(pdf=redrawn(pdf, style), blocks=_with_intro(blocks, known, style))


def _with_intro(blocks: list[Block], known: Truth, style: Style) -> list[Block]:
    told = re.findall(r"<p[^>]*>(.*?)</p>", _intro(blocks, style, known.language))
    told = ["Version 1.2", *told]
    texts = [
        {"kind": "text", "section": [], "text": html.unescape(re.sub(r"<[^>]+>", "", text)), "page": 1} for text in told
    ]
    if style["subject"] == "capitals":
        blocks = [{**block, "subject": block["subject"].upper()} if block.get("subject") else block for block in blocks]
    return texts + blocks


def redrawn(pdf: bytes, style: Style) -> bytes:
    """The same page turned, or drawn by another program: one text object a word or a letter, in any order."""
    if style["draw"] != "runs":
        pdf = _scattered(pdf, letters=style["draw"] == "letters")
    if style["extra"] not in ("rotated", "sideways"):
        return pdf
    import pikepdf

    with pikepdf.open(io.BytesIO(pdf)) as opened:
        for page in opened.pages:
            _turn(opened, page, shown=style["extra"] == "sideways")
        out = io.BytesIO()
        opened.save(out)
        return out.getvalue()


def _scattered(pdf: bytes, *, letters: bool) -> bytes:
    import pypdfium2
    from reportlab.pdfgen import canvas

    out = io.BytesIO()
    drawing = canvas.Canvas(out, invariant=1)
    draw = random.Random(len(pdf))
    with pypdfium2.PdfDocument(pdf) as opened:
        for page in opened:
            drawing.setPageSize(page.get_size())
            pieces = list(_pieces(page.get_textpage(), letters=letters))
            draw.shuffle(pieces)
            for text, x, y, font, size, colour in pieces:
                drawing.setFont(_registered(font), size)
                drawing.setFillColorRGB(*colour)
                drawing.drawString(x, y, text)
            drawing.showPage()
    drawing.save()
    return out.getvalue()


Piece = tuple[str, float, float, str, float, tuple[float, ...]]


def _pieces(page: Any, *, letters: bool) -> Iterator[Piece]:
    """Words (or letters) with their places and styles."""
    held: Piece | None = None
    for piece in _characters(page):
        if (
            held
            and piece[0].strip()
            and piece[3:] == held[3:]
            and piece[2] == held[2]
            and (not letters or piece[1] == held[1])
        ):
            held = (held[0] + piece[0], *held[1:])
            continue
        if held:
            yield held
        held = piece if piece[0].strip() else None
    if held:
        yield held


def _characters(page: Any) -> Iterator[Piece]:
    import ctypes

    import pypdfium2.raw as raw

    x, y = ctypes.c_double(), ctypes.c_double()
    colour = [ctypes.c_uint() for _ in range(4)]
    name = ctypes.create_string_buffer(200)
    for at in range(page.count_chars()):
        letter = chr(raw.FPDFText_GetUnicode(page, at))
        letter = "-" if letter in "\x02\ufffe\u2010" else letter
        raw.FPDFText_GetCharOrigin(page, at, x, y)
        raw.FPDFText_GetFontInfo(page, at, name, 200, None)
        raw.FPDFText_GetFillColor(page, at, *colour)
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(page, at, matrix)
        if abs(matrix.b) > 0.01:
            continue  # a watermark is left out
        size = round(raw.FPDFText_GetFontSize(page, at) * abs(matrix.d or 1), 2)
        yield letter, x.value, y.value, name.value.decode(), size, tuple(part.value / 255 for part in colour[:3])


def _registered(name: str) -> str:
    """A font of that name, found again in the packages or on the system, and made known to the other program."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    name = name.partition("+")[2] or name
    if name not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(name, str(_font_file(name))))
    return name


@cache
def _symbols() -> Path:
    """The font of the icons, made once."""
    path = Path(tempfile.mkdtemp(), "symbols.ttf")
    typesetter().symbols(path)
    return path


def _font_file(name: str) -> Path:
    import subprocess

    import font_source_sans_pro
    import font_source_serif_pro

    if "Symbol" in name:
        return _symbols()
    for family, package in (("Sans", font_source_sans_pro), ("Serif", font_source_serif_pro)):
        if name.startswith((family, f"Source{family}")):
            cut = ("Bold" if "Bold" in name else "") + ("It" if "It" in name else "") or "Regular"
            return Path(package.__file__).parent / "files" / f"Source{family}Pro-{cut}.ttf"
    style = [each.lower() for each in ("Bold", "Italic") if each in name]
    family = re.sub(r"-(Bold|Italic|Oblique|Small|Caps|Regular|Condensed)\b", "", name).replace("-", " ")
    known = ["fc-match", "-f", "%{file}", ":".join([family, *style])]
    return Path(subprocess.run(known, capture_output=True, text=True, check=True).stdout)


def _turn(opened: Any, page: Any, *, shown: bool) -> None:
    """The page drawn sideways; unless ``shown``, with the mark that tells a viewer to turn it back."""
    wide, high = (float(page.MediaBox[n]) for n in (2, 3))
    page.MediaBox = [0, 0, high, wide]
    page.contents_add(opened.make_stream(f"q 0 1 -1 0 {high} 0 cm".encode()), prepend=True)
    page.contents_add(opened.make_stream(b"Q"))
    if not shown:
        page.Rotate = 90


# ---------------------------------------------------------------- figures


def scorer() -> Any | None:
    """The project's shared scorer, when it is there."""
    path = SHARED / "corpus" / "score.py"
    if not path.exists():
        return None
    sys.path.insert(0, str(path.parent))
    import score

    return score


def figures(made: Made, folder: Path, show: int = 0) -> dict[str, float]:
    """What the shared scorer says of the reading of a PDF."""
    from pipeline import export
    from pipeline import flow as stages

    pdf, gold, got = folder / "set.pdf", folder / "set.gold.json", folder / "set.jsonl"
    pdf.write_bytes(made.pdf)
    gold.write_text(json.dumps({"blocks": made.blocks}, ensure_ascii=False), encoding="utf-8")
    got.write_text(export.jsonl([stages.read(pdf)]), encoding="utf-8")
    score = scorer()
    assert score, "the shared scorer is not there"
    result: dict[str, float] = score.score(gold, got, show)
    return result


def words(value: Any) -> str:
    """Letters and digits of a value and of all that is in it."""
    if isinstance(value, (list, tuple)):
        return "".join(words(each) for each in value)
    from pipeline.text import fold

    plain = re.sub(r"\[icon \d+\]", "", str(value or "").replace("‐", "-"))
    return re.sub(r"[\W_]|icon", "", fold(plain))


def essence(entry: dict[str, Any]) -> tuple[str, ...]:
    """What a reader must be told by an entry, whatever it looks like."""
    kind = entry["kind"]
    where = words(entry.get("section") or []), words(entry.get("subject"))
    if kind == "qa":
        return kind, *where, words(entry["question"]), words(entry["answer"])
    if kind == "erratum":
        told = "".join(sorted(words([c["operation"], c["instruction"]]) for c in entry["changes"]))
        return kind, words(entry["target"]), words(entry.get("pages")), told
    if kind == "definition":
        return kind, words(entry["term"]), words(entry["body"])
    if kind == "rule":
        return kind, words(entry["number"]), words(entry["title"]), words(entry["body"])
    return kind, words(entry["rows"])


def agreement(made: Made, folder: Path) -> float:
    """Of all entries written or read, the share that was both."""
    from pipeline import export
    from pipeline import flow as stages

    path = folder / "set.pdf"
    path.write_bytes(made.pdf)
    read = [export.entry_fields(entry) for entry in stages.read(path).entries]
    written = sorted(essence(block) for block in made.blocks if block["kind"] in ENTRIES)
    found = sorted(essence(entry) for entry in read if entry["kind"] in ENTRIES)
    both = 0
    for each in written:
        if each in found:
            found.remove(each)
            both += 1
    return 2 * both / (len(written) + both + len(found)) if written else 1.0


def mean(result: dict[str, float]) -> float:
    return sum(result.values()) / len(result)


def options(about: str | None) -> argparse.ArgumentParser:
    """What may be asked of every tool that sets a truth again."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0] if about else "")
    parser.add_argument("truths", nargs="+", type=Path)
    parser.add_argument("--style", nargs="*", default=[], help="option=choice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--most", type=int, default=45)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--show", type=int, default=0)
    return parser


def main(arguments: Sequence[str]) -> None:
    parser = options(__doc__)
    parser.add_argument("--each", nargs="*", help="one option changed at a time (all options when none is named)")
    asked_for = parser.parse_args(arguments)
    styles = list(one_by_one(asked_for.each)) if asked_for.each is not None else []
    styles += [by_chance(seed) for seed in range(asked_for.seed, asked_for.seed + asked_for.count)]
    if asked_for.style or not styles:
        styles.append(Style(chosen=tuple(tuple(each.split("=", 1)) for each in asked_for.style)))  # type: ignore[misc]
    for path in asked_for.truths:
        known = truth(path, asked_for.most, asked_for.start)
        for at, style in enumerate(styles):
            _report(known, style, at, asked_for)


def _report(known: Truth, style: Style, at: int, asked_for: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if asked_for.keep:
            folder = asked_for.keep / known.name / (re.sub(r"[^\w=]+", "-", str(style))[:60] + f"-{at}")
            folder.mkdir(parents=True, exist_ok=True)
        result = figures(typeset(known, style), folder, asked_for.show)
    low = " ".join(f"{name}={value:.2f}" for name, value in result.items() if value < 0.99)
    print(f"{mean(result):.3f}  {known.name}  {style}  {low}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
