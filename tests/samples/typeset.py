"""Makes the sample PDFs of sources/ and their truth from the texts beside this file; the same bytes every time.

A text begins with its title block (``key: value`` lines up to ``---``); then each line is one paragraph:

    # section   ## section inside it   ### subject (a card, a unit)
    X: prose    Q: question    R: answer    E: Page 14 – heading of an erratum    ! replace: its instruction
    D: term | names in another language | pages | body    N: number | title of a rule    T: title of a table    | cell | cell |
    - list item    > paragraph in a box    anything else goes on with the entry above it
    **bold** *italic* {icon} {+coloured as a change+} {o:old text} {n:new text};  Q+: E+: D+: colour the whole entry

Run it: python tests/samples/typeset.py [NAME...]
"""

from __future__ import annotations

import html
import json
import re
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SOURCES = HERE.parent.parent / "sources"
ICONS = {"dé": "\ue001", "bouclier": "\ue002", "épée": "\ue003", "hexagone": "\ue004", "sablier": "\ue005",
         "die": "\ue001", "shield": "\ue002", "sword": "\ue003", "hex": "\ue004", "hourglass": "\ue005",
         "würfel": "\ue001", "schild": "\ue002", "schwert": "\ue003", "sanduhr": "\ue005"}  # fmt: skip
KIND = {"Q": "qa", "E": "erratum", "D": "definition", "N": "rule", "T": "table", "X": "text"}
OPENING = re.compile(r"([QENDTX])(\+?): (.*)")
MARKERS = {"fr": ("Q :", "R :"), "en": ("Q:", "A:"), "de": ("F:", "A:")}


# ---------------------------------------------------------------- the text


@dataclass(kw_only=True)
class Part:
    """A heading or an entry: its opening line and the lines under it, still with their marks."""

    kind: str
    head: str
    lines: list[str] = field(default_factory=list)
    section: tuple[str, ...] = ()
    subject: str | None = None
    level: int = 0
    changed: bool = False
    page: int = 0

    @property
    def key(self) -> str:
        """What tells entries of two releases apart."""
        return clean(self.head)


@dataclass(kw_only=True)
class Sample:
    """One text: the facts of its title block and its parts in order."""

    name: str
    facts: dict[str, str]
    parts: list[Part]


def load(name: str) -> Sample:
    """The text of one sample; an older release is made from the newer one and what it said differently."""
    if (HERE / f"{name}.toml").exists():
        return older(name, tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8")))
    top, _, rest = (HERE / f"{name}.md").read_text(encoding="utf-8").partition("\n---\n")
    facts = dict(line.split(": ", 1) for line in top.splitlines())
    facts = {key: typography(fact, facts["language"]) for key, fact in facts.items()}
    return Sample(name=name, facts=facts, parts=parse(rest.splitlines(), facts["language"]))


def parse(lines: list[str], language: str) -> list[Part]:
    """Lines to parts, each with the headings that it stands under."""
    parts: list[Part] = []
    section: tuple[str, ...] = ()
    subject: str | None = None
    for line in (typography(line.strip(), language) for line in lines if line.strip()):
        if heading := re.fullmatch(r"(#+) (.*)", line):
            level, title = len(heading[1]), heading[2]
            if level < 3:
                section, subject = (*section[: level - 1], clean(title)), None
            else:
                subject = clean(title)
            parts.append(Part(kind="heading", head=title, level=level, section=section, subject=subject))
        elif opening := OPENING.fullmatch(line):
            parts.append(Part(kind=KIND[opening[1]], head=opening[3], section=section, subject=subject,
                              changed=bool(opening[2])))  # fmt: skip
        else:
            parts[-1].lines.append(line)
    return parts


def typography(line: str, language: str) -> str:
    """The spaces and apostrophes that a French compositor puts; elsewhere only the apostrophes."""
    line = re.sub(r"(?<=\w)'", "’", line)
    if language != "fr":
        return line
    line = re.sub(r"« ?", "«\u00a0", re.sub(r" ?»", "\u00a0»", line))
    line = re.sub(r" ([?!;])", "\u00a0\\1", line)
    line = re.sub(r"(n°|p\.|page|pages) (?=\d)", "\\1\u00a0", line)
    return re.sub(r" :(?=[\s*]|$)", "\u00a0:", re.sub(r"(\d) (pas|points?|dés?)\b", "\\1\u00a0\\2", line))


def older(name: str, edits: dict[str, Any]) -> Sample:
    """A release as it was before: what the newer one added is left out, and what it changed is put back."""
    base = load(edits["newer"])
    parts = [part for part in base.parts if not any(part.key.startswith(typo(k)) for k in edits["added"])]
    for part in parts:
        part.changed = part.changed and any(part.key.startswith(typo(k)) for k in edits["marked"])
        keep = any(part.key.startswith(typo(k)) for k in edits["marked"])
        part.lines = [line if keep else uncoloured(line) for line in part.lines]
        part.head = part.head if keep else uncoloured(part.head)
    for edit in edits["changed"]:
        part = next(p for p in parts if p.key.startswith(typo(edit["question"])))
        part.lines = [typo(line) for line in edit["answer"]]
        part.head = typo(edit["head"]) if "head" in edit else part.head
    for edit in edits["removed"]:
        at = next(i for i, p in enumerate(parts) if p.key.startswith(typo(edit["after"])))
        parts.insert(at + 1, Part(kind="qa", head=typo(edit["question"]), lines=[typo(a) for a in edit["answer"]],
                                  section=parts[at].section, subject=parts[at].subject))  # fmt: skip
    for edit in edits["moved"]:
        part = next(p for p in parts if p.key.startswith(typo(edit["question"])))
        parts.remove(part)
        at = next(i for i, p in enumerate(parts) if p.key.startswith(typo(edit["after"])))
        part.section, part.subject = parts[at].section, parts[at].subject
        parts.insert(at + 1, part)
    parts = [p for i, p in enumerate(parts) if not lonely(parts, i)]
    return Sample(name=name, facts={**base.facts, **edits["facts"]}, parts=parts)


def typo(text: str) -> str:
    return typography(text, "fr")


def lonely(parts: list[Part], at: int) -> bool:
    """A subject without an entry, because the entries were not there yet."""
    here, after = parts[at], parts[at + 1 : at + 2]
    return here.kind == "heading" and here.level == 3 and (not after or after[0].kind == "heading")


def uncoloured(text: str) -> str:
    return text.replace("{+", "").replace("+}", "")


def clean(text: str) -> str:
    """A line as a reader sees it: no marks, and an icon as ``[icon]``."""
    text = re.sub(r"\{[on]:(.*?)\}", r"\1", uncoloured(text))
    text = re.sub(r"\{(\w+)\}", lambda m: "[icon]" if m[1] in ICONS else m[0], text)
    return re.sub(r"\*+", "", text)


# ---------------------------------------------------------------- the truth


def truth_of(sample: Sample) -> dict[str, Any]:
    """The blocks as the gold files of the corpus have them."""
    return {"file": f"{sample.name}.pdf", **{k: sample.facts[k] for k in ("title", "game", "version", "date", "language", "imprint")},
            "blocks": [block_of(part) for part in sample.parts]}  # fmt: skip


def block_of(part: Part) -> dict[str, Any]:
    if part.kind == "heading":
        kind = "subject" if part.level == 3 else "section"
        return {"kind": kind, "title": clean(part.head), "level": part.level, "page": part.page}
    made: dict[str, Any] = {"kind": part.kind, "section": list(part.section), "subject": part.subject}
    made.update(OWN[part.kind](part))
    if part.changed or (part.kind != "text" and "{+" in part.head + "".join(part.lines)):
        made["changed"] = True
    return {**made, "page": part.page}


def paragraph(line: str) -> str:
    line = re.sub(r"^R: ", "", line)
    return clean(re.sub(r"^- ", "• ", line.removeprefix("> ")))


def qa(part: Part) -> dict[str, Any]:
    return {"question": clean(part.head), "answer": [paragraph(line) for line in part.lines]}


def erratum(part: Part) -> dict[str, Any]:
    numbers, target = re.split(r" – ", clean(part.head), maxsplit=1)
    changes: list[dict[str, Any]] = []
    for line in part.lines:
        if change := re.fullmatch(r"! (\w+): (.*)", line):
            changes.append(change_of(change[1], change[2]))
        elif not changes or changes[-1]["operation"] == "clarify":
            changes = changes or [change_of("clarify", "")]
            changes[-1]["new"].append(paragraph(line))
        else:
            changes[-1]["new"].append(paragraph(line))
    return {"pages": [int(n) for n in re.findall(r"\d+", numbers)], "target": target, "changes": changes}


def change_of(operation: str, instruction: str) -> dict[str, Any]:
    old, new = re.search(r"\{o:(.*?)\}", instruction), re.search(r"\{n:(.*?)\}", instruction)
    return {"operation": operation, "instruction": clean(instruction), "old": clean(old[1]) if old else None,
            "new": [clean(new[1])] if new else []}  # fmt: skip


def definition(part: Part) -> dict[str, Any]:
    term, names, pages, body = (cell.strip() for cell in part.head.split("|"))
    return {"term": clean(term), "aliases": [n for n in names.split(" / ") if n], "ref": pages,
            "body": [clean(body), *(paragraph(line) for line in part.lines)]}  # fmt: skip


def rule(part: Part) -> dict[str, Any]:
    number, title = part.head.split(" | ")
    return {"number": number, "title": clean(title), "body": [paragraph(line) for line in part.lines]}


def table(part: Part) -> dict[str, Any]:
    return {"title": clean(part.head), "rows": [[clean(cell) for cell in cells(line)] for line in part.lines]}


def prose(part: Part) -> dict[str, Any]:
    return {"text": clean(part.head)}


OWN = {"qa": qa, "erratum": erratum, "definition": definition, "rule": rule, "table": table, "text": prose}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("| ").split(" | ")]


def difference(old: Sample, new: Sample) -> list[dict[str, Any]]:
    """What a person who compares the two releases finds."""
    before = {part.key: part for part in old.parts if part.kind == "qa"}
    after = {part.key: part for part in new.parts if part.kind == "qa"}
    made: list[dict[str, Any]] = []
    for key, part in after.items():
        made += [verdict] if (verdict := fate(before.get(key), part)) else []
    return made + [{"change": "removed", "question": key} for key in before if key not in after]


def fate(old: Part | None, new: Part) -> dict[str, Any] | None:
    block = block_of(new)
    found = {"question": block["question"], "marked": bool(block.get("changed"))}
    if old is None:
        return {"change": "added", **found}
    was = block_of(old)
    if was["answer"] != block["answer"]:
        first = [answer[0].split(maxsplit=1)[0].strip(".,") for answer in (was["answer"], block["answer"])]
        return {"change": "changed", **found, "flip": set(first) == {"Oui", "Non"}}
    if was["section"] != block["section"]:
        return {"change": "moved", **found}
    return {"change": "left_over", "question": block["question"]} if block.get("changed") else None


# ---------------------------------------------------------------- the page


def inline(text: str) -> str:
    """Marks to HTML."""
    text = html.escape(text, quote=False)
    text = re.sub(r"\{[on]:(.*?)\}", r"\1", text.replace("{+", "<i class=new>").replace("+}", "</i>"))
    text = re.sub(r"\{(\w+)\}", lambda m: f"<i class=icon>{ICONS[m[1]]}</i>" if m[1] in ICONS else m[0], text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    return re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)


def page_of(sample: Sample) -> str:
    """The whole document as HTML."""
    facts = sample.facts
    style = (HERE / "common.css").read_text(encoding="utf-8") + (HERE / f"{facts['style']}.css").read_text(
        encoding="utf-8"
    )
    strings = f':root{{--left:"{facts["running"]}";--right:"{facts["title"]} – {facts["version"]}"}}'
    body = "".join(markup(part, at, facts["language"]) for at, part in enumerate(sample.parts))
    foot = f"<p class=imprint>{inline(facts['imprint'])}</p>"
    return (f'<html lang="{facts["language"]}"><head><title>{facts["game"]} – {facts["title"]}</title>'
            f'<meta name=author content="{facts["publisher"]}"><style>{style}{strings}</style></head><body>'
            f"<header><p class=game>{facts['game']}</p><p class=title>{facts['title']}</p>"
            f"<p class=version>{facts['version']}</p></header><main>{body}{foot}</main></body></html>")  # fmt: skip


def markup(part: Part, at: int, language: str) -> str:
    if part.kind == "heading":
        return f"<h{part.level} id=a{at}>{inline(part.head)}</h{part.level}>"
    shape = SHAPES.get(part.kind, opened)
    return f'<section id=a{at} class="{part.kind}{" new" if part.changed else ""}">{shape(part, language)}</section>'


def opened(part: Part, language: str) -> str:
    """Prose: one paragraph."""
    return f"<p>{inline(part.head)}</p>" + flow(part.lines)


def flow(lines: list[str]) -> str:
    """Paragraphs, list items and boxed paragraphs."""
    made = ""
    for line in lines:
        kind = {"- ": "item", "> ": "boxed", "! ": "instruction"}.get(line[:2], "para")
        line = re.sub(r"^(- |> |! \w+: )", "", line)
        made += f"<p class={kind}>{'<span class=bullet>•</span> ' if kind == 'item' else ''}{inline(line)}</p>"
    return re.sub(r"((?:<p class=boxed>.*?</p>)+)", r"<div class=box>\1</div>", made)


def asked(part: Part, language: str) -> str:
    q, a = MARKERS[language]
    first, *rest = part.lines
    first = inline(first.removeprefix("R: "))
    return f"<p class=q><b>{q}</b> {inline(part.head)}</p><p class=a><b>{a}</b> {first}</p>{flow(rest)}"


def corrected(part: Part, language: str) -> str:
    return f"<h4>{inline(part.head)}</h4>{flow(part.lines)}"


def defined(part: Part, language: str) -> str:
    term, names, pages, body = (cell.strip() for cell in part.head.split("|"))
    quotes = {"fr": "«\u00a0{}\u00a0»", "en": "“{}”", "de": "„{}“"}[language]
    names = f" ({', '.join(quotes.format(name) for name in names.split(' / '))})" if names else ""
    pages = f" <span class=ref>[{pages}]</span>" if pages else ""
    return f"<p><b class=term>{inline(term)}</b>{names}{pages} – {inline(body)}</p>{flow(part.lines)}"


def numbered(part: Part, language: str) -> str:
    number, title = part.head.split(" | ")
    depth = min(len(re.split(r"[-.]", number)), 3)
    return f"<h4 class=d{depth}>{number}. {inline(title)}</h4>{flow(part.lines)}"


def ruled(part: Part, language: str) -> str:
    head, *rest = (cells(line) for line in part.lines)
    top = "".join(f"<th>{inline(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>" for row in rest)
    return f"<h5>{inline(part.head)}</h5><table><tr>{top}</tr>{body}</table>"


SHAPES = {"qa": asked, "erratum": corrected, "definition": defined, "rule": numbered, "table": ruled}


# ---------------------------------------------------------------- the symbol font


_OUTER = [(100, 0), (900, 0), (900, 800), (100, 800)]
OUTLINES = {
    "die": [_OUTER, *([(x, y), (x, y + 140), (x + 140, y + 140), (x + 140, y)] for x, y in ((220, 540), (430, 330), (640, 120)))],
    "shield": [[(500, -60), (860, 260), (860, 800), (140, 800), (140, 260)], [(500, 60), (240, 300), (240, 700), (500, 700)]],
    "sword": [[(440, 260), (560, 260), (560, 760), (500, 860), (440, 760)], [(240, 180), (760, 180), (760, 250), (240, 250)],
              [(450, -60), (550, -60), (550, 180), (450, 180)]],
    "hex": [[(500, -60), (900, 170), (900, 630), (500, 860), (100, 630), (100, 170)],
            [(500, 60), (200, 230), (200, 570), (500, 740), (800, 570), (800, 230)]],
    "hourglass": [[(180, 0), (820, 0), (540, 400), (820, 800), (180, 800), (460, 400)]],
}  # fmt: skip


def picture(name: str) -> str:
    """The same picture as SVG, for the books that we print."""
    lines = "".join("M" + "L".join(f"{x} {800 - y}" for x, y in outline) + "Z" for outline in OUTLINES[name])
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="60 -80 880 960"><path fill-rule="evenodd" d="{lines}"/></svg>\n')  # fmt: skip


def symbols(path: Path) -> None:
    """Five pictures in the private-use area, drawn by hand."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    glyphs = {".notdef": TTGlyphPen(None).glyph()}
    for name, outlines in OUTLINES.items():
        pen = TTGlyphPen(None)
        for outline in outlines:
            pen.moveTo(outline[0])
            for point in outline[1:]:
                pen.lineTo(point)
            pen.closePath()
        glyphs[name] = pen.glyph()
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder(list(glyphs))
    font.setupCharacterMap({0xE001 + at: name for at, name in enumerate(OUTLINES)})
    font.setupGlyf(glyphs)
    font.setupHorizontalMetrics(dict.fromkeys(glyphs, (1000, 0)))
    font.setupHorizontalHeader(ascent=860, descent=-140)
    font.setupNameTable({"familyName": "HeronSymboles", "styleName": "Regular", "psName": "HeronSymboles"})
    font.setupOS2(sTypoAscender=860, sTypoDescender=-140, usWinAscent=860, usWinDescent=140)
    font.setupPost()
    font.setupHead(unitsPerEm=1000, created=0, modified=0)
    font.font.recalcTimestamp = False
    font.save(path)


# ---------------------------------------------------------------- making


def typeset(sample: Sample) -> bytes:
    """The PDF; notes on which page each part begins."""
    import font_source_sans_pro
    import font_source_serif_pro
    from weasyprint import HTML
    from weasyprint.text.fonts import FontConfiguration

    with tempfile.TemporaryDirectory() as folder:
        symbols(Path(folder, "symbols.ttf"))
        places = {"SERIF": Path(font_source_serif_pro.__file__).parent / "files",
                  "SANS": Path(font_source_sans_pro.__file__).parent / "files", "SYMBOLS": Path(folder)}  # fmt: skip
        text = page_of(sample)
        for name, place in places.items():
            text = text.replace(f"${name}", place.as_uri())
        made = HTML(string=text).render(font_config=FontConfiguration())
        for number, page in enumerate(made.pages, 1):
            for anchor in page.anchors:
                part = sample.parts[int(anchor[1:])]
                part.page = part.page or number
        pdf: bytes = made.write_pdf(pdf_identifier=sample.name.encode())
        return pdf


def names() -> list[str]:
    """Every sample, newer releases before the older ones made from them."""
    return sorted(path.stem for path in HERE.glob("*.md")) + sorted(path.stem for path in HERE.glob("*.toml"))


def dump(path: Path, value: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def made_with() -> dict[str, str]:
    """What decides the bytes besides the texts: another Pango breaks lines elsewhere, another zlib packs otherwise."""
    import zlib
    from importlib.metadata import version

    from weasyprint.text.ffi import ffi, pango

    packages = ("weasyprint", "pydyf", "fonttools", "pyphen", "font-source-serif-pro", "font-source-sans-pro")
    return {**{name: version(name) for name in packages}, "zlib": zlib.ZLIB_RUNTIME_VERSION,
            "pango": ffi.string(pango.pango_version_string()).decode() if hasattr(pango, "pango_version_string")
            else str(pango.pango_version())}  # fmt: skip


def main(chosen: list[str]) -> None:
    dump(HERE / "truth" / "made-with.json", made_with())
    for name in chosen or names():
        sample = load(name)
        pdf = typeset(sample)
        book = SOURCES / sample.facts["book"]
        book.mkdir(parents=True, exist_ok=True)
        (book / f"{name}.pdf").write_bytes(pdf)
        dump(HERE / "truth" / f"{name}.gold.json", truth_of(sample))
        print(f"{name}: {len(pdf) // 1024} KB")
    for name in OUTLINES:
        place = SOURCES / "brumes-d-argance" / "icons" / f"{name}.svg"
        place.parent.mkdir(exist_ok=True)
        place.write_text(picture(name), encoding="utf-8")
    for path in sorted(HERE.glob("*.toml")):
        newer = tomllib.loads(path.read_text(encoding="utf-8"))["newer"]
        dump(HERE / "truth" / f"{path.stem}.diff.json", difference(load(path.stem), load(newer)))


if __name__ == "__main__":
    main(sys.argv[1:])
