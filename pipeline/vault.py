"""A book -> a folder of Markdown notes that link to each other: for Obsidian, MkDocs, Hugo, and for machines that read.

    index.md            the book: its sections, names and sources
    rulings/CODE.md     one ruling: what is known of it as front matter, then its text
    sections/NAME.md    the rulings under a heading
    names/NAME.md       the rulings about a card, a unit, a term
    llms.txt            the same index as plain links

Links are relative and end in .md, which all of these follow. Notes of an earlier export that nobody edited are replaced
or removed; a file that is not ours is never written over.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import store
from pipeline.errors import OutputError
from pipeline.export import cited, entry_lines, heading_and_body, plain
from pipeline.records import AnyEntry, Book, Definition, Erratum, Kind, Rule, Ruling
from pipeline.text import file_name

MANIFEST = ".rubricator-vault.json"  # what we wrote, by its hash
TITLE = 90  # letters of a ruling's title: a longer question is cut at a word
LINE = 160  # letters of a line in llms.txt


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteGroup:
    """Rulings that one note lists: those of a section, or of a name."""

    path: str
    title: str
    rulings: tuple[Ruling, ...]


def notes(book: Book, say: Mapping[str, str]) -> dict[str, str]:
    """Every file of the vault by its path; ``say``: the words that we print."""
    paths = _paths(book.rulings)
    sections = _grouped("sections", ((each.entry.section, each) for each in book.rulings if each.entry.section))
    names = _grouped("names", (((name,), each) for each in book.rulings for name in _names(each.entry)))
    by_path = {"index.md": _index(book, sections, names, say)}
    of: dict[str, list[NoteGroup]] = {}
    for group in (*sections, *names):
        for ruling in group.rulings:
            of.setdefault(ruling.entry.id, []).append(group)
    known = {ruling.entry.id: ruling for ruling in book.rulings}
    for ruling in book.rulings:
        by_path[paths[ruling.entry.id]] = _note(ruling, of.get(ruling.entry.id, ()), known, paths, say)
    for group in (*sections, *names):
        by_path[group.path] = _listing(group, paths)
    return by_path | {"llms.txt": _for_machines(book, paths)}


def write(by_path: Mapping[str, str], folder: Path) -> list[Path]:
    """All notes, whole; what an earlier export left and nobody edited is removed."""
    known = _written(folder)
    for name in by_path:
        if name not in known and (folder / name).exists():
            raise OutputError("is there already, and is none of our notes", where=str(folder / name),
                              hint="name another folder")  # fmt: skip
    for name, digest in known.items():
        stale = folder / name
        if name not in by_path and stale.is_file() and _hash(stale.read_bytes()) == digest:
            stale.unlink()
    written = [store.write(store.within(folder, name), text, swept=True) for name, text in by_path.items()]
    store.write(folder / MANIFEST, json.dumps({name: _hash(text.encode()) for name, text in by_path.items()}, indent=1))
    return written


def _written(folder: Path) -> dict[str, str]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {name: str(digest) for name, digest in manifest.items() if ".." not in Path(name).parts}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# ---------------------------------------------------------------- names of files


def _paths(rulings: Iterable[Ruling]) -> dict[str, str]:
    """The path of each ruling's note, by the id of its entry: its code, which stays the same from build to build."""
    taken: set[str] = set()
    return {each.entry.id: _free("rulings", each.code or each.entry.id, taken) for each in rulings}


def _free(folder: str, name: str, taken: set[str]) -> str:
    """A path that no other note has, also where capitals do not count."""
    base = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name).strip("-") or "note"
    path, number = f"{folder}/{base}.md", 1
    while path.lower() in taken:
        number += 1
        path = f"{folder}/{base}-{number}.md"
    taken.add(path.lower())
    return path


def _grouped(folder: str, placed: Iterable[tuple[Sequence[str], Ruling]]) -> list[NoteGroup]:
    by_section: dict[tuple[str, ...], list[Ruling]] = {}
    for path, ruling in placed:
        by_section.setdefault(tuple(path), []).append(ruling)
    taken: set[str] = set()
    return [NoteGroup(path=_free(folder, file_name(" ".join(path)), taken), title=" › ".join(path),
                      rulings=tuple(rulings))
            for path, rulings in by_section.items()]  # fmt: skip


def _names(entry: AnyEntry) -> list[str]:
    """What a person looks an entry up by."""
    names = [str(entry.subject)] if entry.subject else []
    match entry:
        case Definition():
            names += [str(entry.term), *entry.aliases]
        case Rule():
            names += [str(entry.title)] if entry.title else []
        case Erratum():
            names += [str(entry.target)] if entry.target and not entry.subject else []
    return list(dict.fromkeys(name for name in names if name.strip() and len(name) <= TITLE))


# ---------------------------------------------------------------- notes


def _title(ruling: Ruling) -> str:
    heading, body = heading_and_body(ruling.entry)
    title = " ".join((heading or (body[0] if body else "") or ruling.code).split())
    return title if len(title) <= TITLE else title[:TITLE].rpartition(" ")[0] + " …"


def _note(
    ruling: Ruling, groups: Sequence[NoteGroup], known: Mapping[str, Ruling], paths: Mapping[str, str],
    say: Mapping[str, str],
) -> str:  # fmt: skip
    entry = ruling.entry
    title, body = plain(_title(ruling)), entry_lines(entry)
    body = body[2:] if body[0].startswith(f"**{title}**") else body  # it is said once
    lines = [*_front(_facts(ruling)), f"# {title}", "", *body]
    for heading, others in ((say["conflict"], ruling.disputed), (say["variants"], ruling.variants)):
        for place, other in enumerate(others):
            lines += [*([f"## {plain(heading)}", ""] if place == 0 else []), *entry_lines(other),
                      f"*{plain(f'{other.source}, p. {other.page}')}*", ""]  # fmt: skip
    see = [known[each] for each in ruling.see_also if each in known and each != entry.id]
    if see:
        links = [f"- [{plain(_title(each))}]({paths[each.entry.id].removeprefix('rulings/')})" for each in see]
        lines += [f"## {plain(say['see_also'])}", "", *links, ""]
    lines += [f"*{plain(', '.join(map(cited, ruling.citations)) or ruling.layer or entry.source)}*", ""]
    lines += [" · ".join(f"[{plain(group.title)}](../{group.path})" for group in groups)]
    return "\n".join(lines).rstrip() + "\n"


def _front(facts: Mapping[str, Any]) -> list[str]:
    """The front matter: its values are JSON, which is YAML."""
    return ["---", *(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items()), "---", ""]


def _facts(ruling: Ruling) -> dict[str, Any]:
    entry = ruling.entry
    chapter = file_name(entry.section[0]) if entry.section else ""
    facts: dict[str, Any] = {
        "title": _title(ruling), "id": entry.id, "code": ruling.code, "kind": str(entry.kind),
        "section": list(entry.section), "subject": None if entry.subject is None else str(entry.subject),
        "language": entry.language, "source": entry.source, "page": entry.page,
        "citations": [cited(each) for each in ruling.citations], "conflict": ruling.conflict,
        "changed": bool(entry.changed or ruling.since), "since": ruling.since_date,
        "tags": [tag for tag in (str(entry.kind), chapter) if tag],
    }  # fmt: skip
    return facts | ({"layer": ruling.layer} if ruling.layer else {})


def _listing(group: NoteGroup, paths: Mapping[str, str]) -> str:
    links = [f"- [{plain(_title(each))}](../{paths[each.entry.id]})" for each in group.rulings]
    return "\n".join([*_front({"title": group.title}), f"# {plain(group.title)}", "", *links]) + "\n"


def _index(book: Book, sections: Sequence[NoteGroup], names: Sequence[NoteGroup], say: Mapping[str, str]) -> str:
    lines = [*_front({"title": book.title}), f"# {plain(book.title)}", "", plain(say["unofficial"]), ""]
    ordered = sorted(names, key=lambda each: file_name(each.title))
    for title, groups in ((say["contents"], sections), (say["names"], ordered)):
        if groups:
            links = [f"- [{plain(each.title)}]({each.path}) ({len(each.rulings)})" for each in groups]
            lines += [f"## {plain(title)}", "", *links, ""]
    loose = [each for each in book.rulings if not each.entry.section]
    paths = _paths(book.rulings)
    if loose:
        lines += [*(f"- [{plain(_title(each))}]({paths[each.entry.id]})" for each in loose), ""]
    sources = [f"- {plain(each.title or each.source)} ({plain(each.source)})" for each in book.documents]
    return "\n".join([*lines, f"## {plain(say['sources'])}", "", *sources]) + "\n"


def _for_machines(book: Book, paths: Mapping[str, str]) -> str:
    """The index as https://llmstxt.org has it: a title, a line about it, and links with what is behind them."""
    counted = sum(each.entry.kind is not Kind.TEXT for each in book.rulings)
    known = ", ".join(each.source for each in book.documents)
    about = f"> {counted} rulings of {plain(book.game or book.title)}, from {plain(known)}."
    lines = [f"# {plain(book.title)}", "", about]
    above: tuple[str, ...] | None = None
    for ruling in book.rulings:
        if ruling.entry.section[:1] != above:
            above = ruling.entry.section[:1]
            lines += ["", f"## {plain(above[0] if above else book.title)}", ""]
        body = " ".join(" ".join(heading_and_body(ruling.entry)[1]).split())
        lines.append(f"- [{plain(_title(ruling))}]({paths[ruling.entry.id]}): {plain(body[:LINE])}")
    return "\n".join(lines) + "\n"
