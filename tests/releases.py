"""Makes two releases of a text whose differences are known, and says how many of them the comparison finds.

A text with a known truth (a gold file, or one of tests/texts) loses entries, gains others, and is edited in ways that
publishers edit: a word, a number, a verdict, a row of a table, a heading, the order; some edits are printed in colour,
some are not, and some colour is left over. Both releases can be set in different styles (tests/retypeset.py) and read
back, or handed to the comparison as they are.

Run it: python -m tests.releases TRUTH... [--seed N] [--count K] [--print] [--styles] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipeline.diff import entry_text
from pipeline.records import (
    QA,
    AnyEntry,
    Change,
    Changes,
    Definition,
    Document,
    Erratum,
    Fate,
    Operation,
    Prose,
    Rule,
    Table,
    Text,
)  # fmt: skip
from pipeline.text import rich
from tests import retypeset
from tests.retypeset import OFF, ON, Block, Style, Truth

RESERVED = 4  # entries that only one of the releases has, on each side
EDITED = 9  # entries that are edited in one pair

# The words of this file are its own, not the vocabulary's: what the vocabulary lacks must show.
YES_NO = {"fr": ("Oui", "Non"), "en": ("Yes", "No"), "de": ("Ja", "Nein"), "es": ("Sí", "No"), "it": ("Sì", "No")}
TURNED = {
    "fr": (("peut", "ne peut pas"), ("doit", "ne doit pas"), ("peuvent", "ne peuvent pas"), ("sont", "ne sont pas")),
    "en": (("may", "may not"), ("can", "cannot"), ("must", "must not"), ("are", "are not"), ("is", "is not")),
    "de": (("darf", "darf nicht"), ("eine", "keine"), ("einen", "keinen"), ("ein", "kein"), ("wird", "wird nicht")),
    "es": (("puede", "no puede"), ("se", "no se"), ("debe", "no debe"), ("son", "no son")),
    "it": (("può", "non può"), ("si", "non si"), ("deve", "non deve"), ("sono", "non sono")),
}  # fmt: skip
MORE = {
    "fr": "Cela vaut aussi quand la partie se joue de nuit.", "en": "This also holds when the game is played at night.",
    "de": "Das gilt auch, wenn die Partie bei Nacht gespielt wird.", "es": "Esto vale también cuando se juega de noche.",
    "it": "Questo vale anche quando si gioca di notte.",
}  # fmt: skip
PREFACE = {
    "fr": "Lors d’une partie à deux, ", "en": "In a game for two, ", "de": "Im Spiel zu zweit: ",
    "es": "En una partida a dos, ", "it": "In una partita a due, ",
}  # fmt: skip
RENAMED = {"fr": "Autres précisions", "en": "Further remarks", "de": "Weitere Hinweise", "es": "Otras aclaraciones",
           "it": "Altre precisazioni"}  # fmt: skip
FURTHER = {
    "fr": "Supprimez la dernière phrase.", "en": "Delete the last sentence.", "de": "Streiche den letzten Satz.",
    "es": "Elimina la última frase.", "it": "Elimina l’ultima frase.",
}  # fmt: skip
NO_WORD = r"nicht|null|nient|nobody|nothing|neither|impossib|incapa|interdit|kein|cannot|never|jamais|aucun|nunca|ning|ness|sans|ohne|without|senza|weder|niemand|(?:zwei|drei|vier|f.nf|three|quatre|cinco|cuatro)$"
SEE_PAGE = {"fr": "voir p.", "en": "see p.", "de": "siehe S.", "es": "véase p.", "it": "vedi p."}
HEADS = {"qa": "question", "erratum": "target", "definition": "term", "rule": "title", "table": "title"}


@dataclass(slots=True)
class Pair:
    """Two releases and what is different."""

    language: str
    old: list[Block]
    new: list[Block]
    truth: list[dict[str, Any]] = field(default_factory=list)
    numbers: dict[str, tuple[str, str]] = field(default_factory=dict)  # head -> old and new number
    moved: list[str] = field(default_factory=list)
    paged: list[str] = field(default_factory=list)  # heads of entries in which a page reference changed
    reordered: bool = False  # a whole section: whether it moved or the others is nobody's to say
    rules: list[tuple[int, int]] = field(default_factory=list)  # the same rule in both, by its place


Edit = Callable[[random.Random, Pair, Block, Block], dict[str, Any] | None]


# ---------------------------------------------------------------- what is edited


def texts_of(block: Block) -> list[str]:
    """The paragraphs that an edit may touch: what an entry says, not what it is called by."""
    if block["kind"] == "table":
        return [cell for row in block["rows"] for cell in row]
    key = {"qa": "answer", "definition": "body", "rule": "body"}.get(block["kind"])
    if key:
        return list(block[key])
    return [text for change in block.get("changes", ()) for text in change["new"] or [change["instruction"]]]


def put(block: Block, old: str, new: str) -> bool:
    """Replace a text wherever the entry tells it: an erratum may quote it in its instruction."""
    before = json.dumps(block)

    def made(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(old, new)
        if isinstance(value, list):
            return [made(each) for each in value]
        return {key: made(each) for key, each in value.items()} if isinstance(value, dict) else value

    for key in ("answer", "body", "changes"):
        if key in block and block["kind"] != "table":
            block[key] = made(block[key])
    return json.dumps(block) != before


def a_word(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    """One word becomes another one of the document."""
    pool = sorted({word for block in pair.old for text in texts_of(block) for word in _long_words(text)})
    mine = [] if new["kind"] == "table" else [word for text in texts_of(new)[-1:] for word in _long_words(text)]
    if not mine or len(pool) < 3:
        return None
    gone = draw.choice(mine)
    come = draw.choice([word for word in pool if word[:2] != gone[:2]])
    return {"words": come} if _put_word(new, gone, come) else None


def _long_words(text: str) -> list[str]:
    return [word for word in re.findall(r"(?<![\w'’-])[a-zß-ÿ]{5,}(?![\w'’-])", text) if not re.match(NO_WORD, word)]


def _put_word(block: Block, gone: str, come: str) -> bool:
    for text in texts_of(block):
        if found := re.search(rf"(?<![\w'’-]){re.escape(gone)}(?![\w'’-])", text):
            return put(block, text, text[: found.start()] + come + text[found.end() :])
    return False


def a_number(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    held = [
        (text, found)
        for text in texts_of(new)
        if new["kind"] != "table"
        for found in re.finditer(r"(?<![\w.,/§-])\d{1,3}(?![\w.,/-])", text)
    ]
    if not held:
        return None
    text, found = draw.choice(held)
    more = str(int(found[0]) + draw.choice((1, 2, 10)))
    if not put(new, text, text[: found.start()] + more + text[found.end() :]):
        return None
    return {"numbers": (found[0], more), "words": more}


def a_verdict(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    """Yes becomes no, or no yes."""
    yes, no = YES_NO[pair.language]
    said = new.get("answer") or [""]
    for one, other in ((yes, no), (no, yes)):
        if re.match(rf"{one}\b[.,]", said[0]):
            new["answer"][0] = other + said[0][len(one) :]
            return {"flip": True, "words": other}
    return None


def a_negation(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    if any(re.match(rf"{word}\b", text) for word in YES_NO[pair.language] for text in (new.get("answer") or [""])[:1]):
        return None
    for text in texts_of(new):
        for plain, turned in TURNED[pair.language]:
            if (found := re.search(rf"\b{plain}\b", text)) and not re.search(NO_WORD + r"|\b(ne|not?|non)\b", text):
                put(new, text, text[: found.start()] + turned + text[found.end() :])
                return {"flip": True, "words": turned}
    return None


def a_sentence(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    said = texts_of(new)
    if not said or new["kind"] in ("erratum", "table") or said[-1].startswith("•"):
        return None
    put(new, said[-1], f"{said[-1]} {MORE[pair.language]}")
    return {"words": MORE[pair.language]}


def a_question(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    """A question is asked in other words."""
    if new["kind"] != "qa" or new["question"].startswith("¿"):
        return None
    asked = new["question"]
    start = asked[0].lower() if asked[1:2].islower() and pair.language != "de" else asked[0]
    new["question"] = PREFACE[pair.language] + start + asked[1:]
    return {"words": PREFACE[pair.language]}


def a_row(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    if new["kind"] != "table" or not new.get("title"):
        return None
    if draw.random() < 0.5:
        new["rows"].append([f"{cell} 7" for cell in new["rows"][-1]])
    else:
        new["rows"][-1][-1] = f"{new['rows'][-1][-1]} 9"
    return {}


def an_amendment(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    if new["kind"] != "erratum" or new.get("rough"):
        return None
    new["changes"].append({"operation": "delete", "instruction": FURTHER[pair.language], "old": None, "new": []})
    return {"words": FURTHER[pair.language]}


def an_alias(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    if new["kind"] != "definition":
        return None
    new["aliases"] = [*(new.get("aliases") or []), "Gloaming"]
    return {"words": "Gloaming"}


def two_paragraphs(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    """An answer is set in two paragraphs: no change."""
    for key in ("answer", "body"):
        for at, text in enumerate(new.get(key) or []):
            parts = re.split(r"(?<=[a-zß-ÿ]\.) (?=[A-ZÀ-Ö])", text, maxsplit=1)
            if len(parts) == 2 and new["kind"] in ("qa", "rule"):
                new[key][at : at + 1] = parts
                return {"same": True}
    return None


def typography(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    """Other quotes, dashes, spaces and ligatures: no change."""
    before = json.dumps(new)
    for text in [new.get("question") or "", *texts_of(new)]:
        made = text.replace(" ;", "\u00a0;").replace(" ?", "\u202f?").replace("’", "'").replace(" – ", " — ")
        made = made.replace("fi", "ﬁ").replace("...", "…")
        made = (
            re.sub(r"«\s?(.*?)\s?»", r"“\1”", made)
            if draw.random() < 0.5
            else re.sub(r"“(.*?)”", "«\u00a0\\1\u00a0»", made)
        )
        if text == new.get("question"):
            new["question"] = made
        elif made != text:
            put(new, text, made)
    return {"same": True} if json.dumps(new) != before else None


def elsewhere(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    """An entry is put behind others, or under another heading."""
    if new["kind"] not in ("qa", "erratum", "definition") or len(pair.new) < 12 or pair.moved:
        return None
    at = next(n for n, block in enumerate(pair.new) if block is new)
    to = (at + draw.randint(6, len(pair.new) - 6)) % len(pair.new)
    pair.new.pop(at)
    beside = pair.new[to - 1] if to else pair.new[0]
    if beside["kind"] != new["kind"]:
        pair.new.insert(at, new)
        return None
    pair.new.insert(to, new)
    new["section"], new["subject"] = beside.get("section"), beside.get("subject")
    return {"moved": True}


def a_misprint(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    """Two letters that stood in the wrong order are put right."""
    said = texts_of(old) if old["kind"] in ("qa", "definition", "rule") else []
    long = [word for text in said[-1:] for word in _long_words(text) if len(word) > 7 and word[3] != word[4]]
    if not long:
        return None
    right = draw.choice(long)
    return {"words": right} if _put_word(old, right, right[:3] + right[4] + right[3] + right[5:]) else None


def a_page(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    """The rulebook was set anew, and a reference follows: it is no number of the rules."""
    said = texts_of(new)
    if not said or new["kind"] not in ("qa", "rule") or said[-1].startswith("•") or said[-1] not in texts_of(old):
        return None
    page, was = draw.randint(20, 60), said[-1]
    for block, number in ((old, page), (new, page + draw.randint(1, 9))):
        put(block, was, f"{was} ({SEE_PAGE[pair.language]} {number})")
    pair.paged.append(_head(new))
    return {}


def two_in_one(draw: random.Random, pair: Pair, old: Block, new: Block) -> dict[str, Any] | None:
    """Two questions that follow each other are asked and answered as one."""
    at = next(n for n, block in enumerate(pair.new) if block is new)
    after = pair.new[at + 1] if at + 1 < len(pair.new) else {"kind": ""}
    known = {block["at"]: block for block in pair.old}
    same = all(new.get(key) == after.get(key) for key in ("kind", "section", "subject"))
    told = {each["key"] for each in pair.truth}
    if new["kind"] != "qa" or not same or known.get(after["at"]) != after or _head(after) in told or after.get("changed"):
        return None
    new["question"] = f"{new['question']} {after['question']}"
    new["answer"] = [*new["answer"], *after["answer"]]
    pair.new.pop(at + 1)
    return {}


EDITS: tuple[Edit, ...] = (
    a_word, a_number, a_verdict, a_negation, a_sentence, a_question, a_row, an_amendment, an_alias, two_paragraphs,
    typography, elsewhere, a_word, a_number, a_verdict, a_negation, a_misprint, a_page, two_in_one,
)  # fmt: skip


# ---------------------------------------------------------------- the pair


def pair_of(known: Truth, seed: int, edited: int = EDITED) -> Pair:
    """Two releases of a text; the same seed gives the same."""
    draw = random.Random(f"{known.name}{seed}")
    blocks = [_copy(block) for block in known.blocks]
    for block in blocks:
        block.pop("changed", None)
    spare = min(RESERVED, max(1, len(blocks) // 9))
    edited = min(edited, max(2, len(blocks) // 3))
    single = draw.sample(_by_themselves(blocks), k=min(2 * spare, len(_by_themselves(blocks))))
    added, removed = set(single[:spare]), set(single[spare:])
    old = [_copy(block) for at, block in enumerate(blocks) if at not in added]
    new = [_copy(block) for at, block in enumerate(blocks) if at not in removed]
    pair = Pair(language=known.language, old=old, new=new)
    for at in sorted(added):
        _tell(pair, "added", next(block for block in new if block["at"] == at), {}, draw)
    pair.truth += [
        {"change": "removed", "key": _head(blocks[at]), "kind": blocks[at]["kind"]} for at in sorted(removed)
    ]
    _edit(pair, {block["at"] for block in new} - added, edited, draw)
    _whole_sections(pair, draw)
    _renumber(pair)
    for block in [*pair.old, *pair.new]:
        block.pop("at")
    return pair


def _copy(block: Block) -> Block:
    made: Block = json.loads(json.dumps(block))
    return made


def _by_themselves(blocks: list[Block]) -> list[int]:
    """Entries with a name that no other has; each is given its place first."""
    heads = [_head(block) for block in blocks]
    for at, block in enumerate(blocks):
        block["at"] = at
    numbers = [str(block.get("number") or "-") for block in blocks]
    above = {
        at for at, number in enumerate(numbers) if any(re.match(rf"{re.escape(number)}[.-]", each) for each in numbers)
    }
    named = [
        at for at, block in enumerate(blocks) if block["kind"] in HEADS and heads[at] and heads.count(heads[at]) == 1
    ]
    return [at for at in named if at not in above]  # without its parent a rule would hang in the air


def _head(block: Block) -> str:
    return str(block.get(HEADS.get(block["kind"], "text")) or "")


def _edit(pair: Pair, places: set[int], edited: int, draw: random.Random) -> None:
    heads = [_head(block) for block in pair.new]
    olds = {block["at"]: block for block in pair.old}
    able = [block for block in pair.new if block["at"] in places and _head(block) and heads.count(_head(block)) == 1]
    draw.shuffle(able)
    done = 0
    for block in able:
        if done == edited or not any(block is each for each in pair.new):
            continue
        for edit in draw.sample(EDITS, k=len(EDITS)):
            told = edit(draw, pair, olds[block["at"]], block)
            if told is not None:
                _tell(pair, "changed", block, told, draw)
                done += 1
                break
    for block in [block for block in able if any(block is each for each in pair.new)][-2:]:
        if len(able) > 20 and block["kind"] in HEADS and not block.get("changed") and not any(_head(block) == x["key"] for x in pair.truth):
            block["changed"] = True
            pair.truth.append({"change": "left_over", "key": _head(block), "kind": block["kind"]})


def _tell(pair: Pair, change: str, block: Block, told: dict[str, Any], draw: random.Random) -> None:
    """Write it down, and colour it: wholly, in part, or not."""
    if told.get("same"):
        return
    if told.get("moved"):
        pair.moved.append(_head(block))
        return
    how = draw.choice(("whole", "whole", "words", "silent"))
    if how == "words" and (not told.get("words") or not _colour(block, told["words"])):
        how = "whole"
    if how != "silent":
        block["changed"] = True if how == "whole" else "words"
    if told.get("numbers"):
        pair.numbers[_head(block)] = told["numbers"]
    pair.truth.append({"change": change, "key": _head(block), "kind": block["kind"], "flip": bool(told.get("flip")),
                       "marked": how != "silent"})  # fmt: skip


def _colour(block: Block, words: str) -> bool:
    for text in texts_of(block):
        if found := re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text):
            return put(block, text, text[: found.start()] + ON + words + OFF + text[found.end() :])
    return False


def _whole_sections(pair: Pair, draw: random.Random) -> None:
    """A section gets another name, or goes to the end."""
    sections = list(dict.fromkeys(tuple(block.get("section") or ()) for block in pair.new))
    if len(sections) < 3:
        return
    chosen = draw.choice(sections[1:])
    if draw.random() < 0.5:
        for block in pair.new:
            if tuple(block.get("section") or ()) == chosen and chosen:
                block["section"] = [*chosen[:-1], RENAMED[pair.language]]
    elif draw.random() < 0.4 and len(chosen) == 1:
        inside = [block for block in pair.new if tuple(block.get("section") or ())[:1] == chosen]
        pair.new[:] = [block for block in pair.new if block not in inside] + inside
        pair.reordered = True


def _renumber(pair: Pair) -> None:
    """Rules are counted again where one came or went."""
    for release in (pair.old, pair.new):
        counts: dict[str, int] = {}
        renamed: dict[str, str] = {}
        for block in release:
            if block["kind"] != "rule" or not (number := block.get("number")) or not re.fullmatch(r"[\d.]+", number):
                continue
            parent, _, _ = number.rpartition(".")
            parent = renamed.get(parent, parent)
            counts[parent] = counts.get(parent, 0) + 1
            block["number"] = renamed[number] = f"{parent}.{counts[parent]}".lstrip(".")
    olds = {block["at"]: place for place, block in enumerate(pair.old) if block["kind"] == "rule"}
    pair.rules = [(olds[block["at"]], place) for place, block in enumerate(pair.new) if block["at"] in olds]


# ---------------------------------------------------------------- as they are, without a page


def documents(pair: Pair) -> tuple[Document, Document]:
    """Both releases as the reading would give them, were it never wrong."""
    made = [_document(pair, blocks, date) for blocks, date in ((pair.old, "2025-03"), (pair.new, "2026-03"))]
    return made[0], made[1]


def _document(pair: Pair, blocks: list[Block], date: str) -> Document:
    entries = tuple(entry(block, pair.language, at) for at, block in enumerate(blocks))
    return Document(source=f"{date}.pdf", sha256="0" * 64, pages=1, language=pair.language, date=date, entries=entries)


def entry(block: Block, language: str, at: int) -> AnyEntry:
    bare = _without_colour(block)
    subject = bare.get("subject")
    coloured = re.findall(f"{ON}(.*?){OFF}", json.dumps(block, ensure_ascii=False)) or (
        [*texts_of(block), _head(block), *(bare.get("aliases") or [])] if block.get("changed") else []
    )
    common: dict[str, Any] = {
        "id": f"e{at}", "section": tuple(bare.get("section") or ()), "subject": rich(subject) if subject else None,
        "language": language, "page": 1, "changed": bool(block.get("changed")), "changed_text": tuple(coloured),
    }  # fmt: skip
    match bare["kind"]:
        case "qa":
            return QA(question=rich(bare["question"]), answer=_rich(bare["answer"]), **common)
        case "erratum":
            changes = tuple(Change(operation=Operation(each["operation"]), instruction=rich(each["instruction"] or ""),
                                   old=rich(each["old"]) if each.get("old") else None, new=_rich(each["new"]))
                            for each in bare["changes"])  # fmt: skip
            return Erratum(
                pages=tuple(bare.get("pages") or ()), target=rich(bare.get("target") or ""), changes=changes, **common
            )
        case "definition":
            return Definition(
                term=rich(bare["term"]), aliases=tuple(bare.get("aliases") or ()), body=_rich(bare["body"]), **common
            )
        case "rule":
            return Rule(
                number=bare.get("number"), title=rich(bare.get("title") or ""), body=_rich(bare["body"]), **common
            )
        case "table":
            return Table(title=rich(bare.get("title") or ""), rows=tuple(_rich(row) for row in bare["rows"]), **common)
        case _:
            return Prose(text=rich(bare.get("text") or ""), **common)


def _rich(texts: Sequence[str]) -> tuple[Text, ...]:
    return tuple(rich(text) for text in texts)


def _without_colour(block: Block) -> Block:
    made: Block = json.loads(re.sub(f"{ON}|{OFF}", "", json.dumps(block, ensure_ascii=False)))
    return made


# ---------------------------------------------------------------- printed and read back


def printed(pair: Pair, known: Truth, styles: tuple[Style, Style], folder: Path) -> tuple[Document, Document]:
    """Both releases set and read."""
    from pipeline import flow

    made = []
    for name, blocks, style in (("old", pair.old, styles[0]), ("new", pair.new, styles[1])):
        path = folder / f"{name}.pdf"
        path.write_bytes(retypeset.typeset(replace(known, blocks=tuple(blocks)), style).pdf)
        made.append(flow.read(path))
    return made[0], made[1]


def styles(seed: int) -> tuple[Style, Style]:
    """Two releases of one publisher: the same marks, another page."""
    one, other = retypeset.by_chance(seed), retypeset.by_chance(seed + 1)
    page = (
        "page",
        "columns",
        "align",
        "font",
        "size",
        "space",
        "running",
        "section",
        "subject",
        "draw",
        "quotes",
        "table",
    )
    marks = random.Random(seed).choice(("magenta", "blue", "red", "green", "highlight"))
    one = Style(chosen=tuple({**dict(one.chosen), "change": marks if one["draw"] == "runs" else "red"}.items()))
    changed = {**dict(one.chosen), **{option: other[option] for option in page}}
    if changed["draw"] != "runs":
        changed |= {
            "question": one["question"] if one["question"] != "boxed" else "colon",
            "change": "red",
            "boxes": "none",
            "table": "unruled",
        }
        changed["font"] = "Source Sans" if "Condensed" in changed["font"] else changed["font"]
        changed["section"] = "large" if changed["section"] == "band" else changed["section"]
    return one, Style(chosen=tuple(changed.items()))


# ---------------------------------------------------------------- laws


def said(told: Changes, *, turned: bool = False) -> list[tuple[object, ...]]:
    """What a difference says, but for moves (of two that changed places either may have moved); ``turned`` from new
    to old."""
    made = []
    for each in told.changes:
        if each.change is not Fate.MOVED:
            sides = [letters(entry) if entry else "" for entry in (each.old, each.new)]
            numbers = [tuple(pair[::-1] if turned else pair) for pair in each.numbers_changed]
            made.append((*(sides[::-1] if turned else sides), each.verdict_flipped, tuple(numbers), each.spelling_only))
    return sorted(made)


def letters(*entries: AnyEntry) -> str:
    """The text of entries, however it is set."""
    return entry_text.key("\n".join(map(entry_text.whole, entries)))


# ---------------------------------------------------------------- figures


def figures(
    pair: Pair, old: Document, new: Document, styles: tuple[Style, Style] = (Style(), Style())
) -> tuple[dict[str, float], list[str]]:
    """What was found of the truth, each 0 to 1, and what was not, in words."""
    from pipeline.diff import change_formats, diff

    told = diff(old, new)
    fields = json.loads(json.dumps(change_formats.fields(told)))
    score = retypeset.scorer()
    assert score, "the shared scorer is not there"
    kinds = {block["kind"] for block in (*pair.old, *pair.new) if block["kind"] in HEADS}
    coloured = styles[1]["change"] not in ("none", "bar")
    truth = [x for x in pair.truth if coloured or x["change"] != "left_over"]
    if not coloured:
        truth = [{key: value for key, value in x.items() if key != "marked"} for x in truth]
    result, notes = _scored(score, truth, fields, kinds)
    result |= _numbers(pair, fields, score, notes)
    result["renumbered"] = _renumbered(pair, styles, fields, notes)
    if not pair.reordered:
        result["moved"] = _moved(pair, fields, score, notes)
    return result, notes


def _scored(
    score: Any, truth: list[dict[str, Any]], fields: dict[str, Any], kinds: set[str]
) -> tuple[dict[str, float], list[str]]:
    import contextlib
    import io

    extra = [c for c in fields["changes"] if c["kind"] not in {x["kind"] for x in truth} and c["kind"] in kinds]
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out):
        for name, value in (("truth", truth), ("got", fields)):
            Path(folder, name).write_text(json.dumps(value), encoding="utf-8")
        result: dict[str, float] = score.score_diff(Path(folder, "truth"), Path(folder, "got"), 99)
    result["others"] = float(not extra)
    return result, [line for line in out.getvalue().splitlines() if line.strip()] + [
        f"  extra {c['kind']}" for c in extra
    ]


def _numbers(pair: Pair, fields: dict[str, Any], score: Any, notes: list[str]) -> dict[str, float]:
    found = 0
    for head, numbers in pair.numbers.items():
        got = [c["numbers_changed"] for c in fields["changes"] if c["new"] and score.same(_named(c["new"]), head)]
        if any(list(numbers) in pairs for pairs in got):
            found += 1
        else:
            notes.append(f"  number {numbers} {got} {head[:90]}")
    for head in pair.paged:
        got = [c["numbers_changed"] for c in fields["changes"] if c["new"] and score.same(_named(c["new"]), head)]
        found += not any(got)
        notes += [f"  page {got} {head[:90]}"] if any(got) else []
    total = len(pair.numbers) + len(pair.paged)
    return {"numbers": found / total} if total else {}


def _named(entry: dict[str, Any]) -> str:
    return str(entry.get("question") or entry.get("target") or entry.get("title") or entry.get("term") or "")


def _renumbered(pair: Pair, styles: tuple[Style, Style], fields: dict[str, Any], notes: list[str]) -> float:
    """Numbers as each style prints them, of rules that say the same."""
    edited = {x["key"] for x in pair.truth}
    was, now = (
        [retypeset.number(blocks, at, style) for at in range(len(blocks))]
        for blocks, style in zip((pair.old, pair.new), styles, strict=True)
    )
    kept = [(was[i], now[j]) for i, j in pair.rules if _head(pair.new[j]) not in edited]
    want, have = sorted(each for each in kept if each[0] != each[1]), sorted(map(tuple, fields["renumbered"]))
    if want != have:
        notes.append(f"  renumbered {want} {have}")
    return float(want == have)


def _moved(pair: Pair, fields: dict[str, Any], score: Any, notes: list[str]) -> float:
    got = [_named(c["new"]) for c in fields["changes"] if c["moved"] and c["kind"] in HEADS]
    missed = [head for head in pair.moved if not any(score.same(head, each) for each in got)]
    extra = [each for each in got if not any(score.same(head, each) for head in pair.moved)]
    notes += [f"  unmoved {head[:90]}" for head in missed] + [f"  not moved {each[:90]}" for each in extra]
    return float(score.f1(len(pair.moved) - len(missed), len(missed), len(extra)))


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("truths", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--most", type=int, default=45)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--edited", type=int, default=EDITED)
    parser.add_argument("--print", action="store_true", help="set and read back, not as they are")
    parser.add_argument("--styles", action="store_true", help="in styles drawn by chance")
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args(arguments)
    for path in asked.truths:
        for seed in range(asked.seed, asked.seed + asked.count):
            _report(retypeset.truth(path, asked.most, asked.start), seed, asked)


def _report(known: Truth, seed: int, asked: argparse.Namespace) -> None:
    pair = pair_of(known, seed, asked.edited)
    chosen = styles(seed) if asked.styles else (Style(), Style())
    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.keep / f"{known.name}-{seed}" if asked.keep else Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        both = printed(pair, known, chosen, folder) if asked.print or asked.styles else documents(pair)
    result, notes = figures(pair, *both, chosen)
    low = " ".join(f"{name}={value:.2f}" for name, value in result.items() if value < 0.999)
    print(f"{min(result.values()):.3f}  {known.name} {seed}  {low}", flush=True)
    if notes:
        print("\n".join(notes), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
