"""What was read, what was not, and what needs an eye."""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import cli
from pipeline.errors import FINDINGS_FOUND, RubricatorError, counted

if TYPE_CHECKING:
    from pipeline.archive import ListedSource
    from pipeline.records import Book, Document, Finding, Text

ALIKE = ("near",)  # worth an eye, and nothing wrong: --strict lets them pass
SHOWN = 12  # findings of one kind that are listed; the rest are counted


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``check FILE… [--picture DIR] [--why [PAGE]] [--strict]``."""
    parser = cli.command(
        commands, "check", "what was read, what was not, what needs an eye",
        "rubricator check sources/brass-orrery --picture output/pictures",
    )  # fmt: skip
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="PDFs, or folders of them")
    parser.add_argument("--picture", type=Path, metavar="DIR", help="draw each page with what was understood, as PNG")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text; json for programs")
    parser.add_argument("--why", nargs="?", type=int, const=0, metavar="PAGE", help="why each entry is what it is")
    parser.add_argument("--strict", action="store_true", help="exit with 10 when anything needs an eye")
    cli.password(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check every file; the code is that of the first that failed, else 10 under --strict with findings."""
    from pipeline import archive, flow

    failed, to_look_at = 0, False
    read: list[tuple[Path, Document]] = []
    for source, outcome in archive.outcomes(
        archive.find(args.files), lambda paths: flow.documents(paths, jobs=None, progress=cli.steps(args))
    ):
        if isinstance(outcome, RubricatorError):
            cli.complain(outcome)
            failed = failed or outcome.exit_code
            continue
        read.append((source.path, outcome))
        findings = all_findings(outcome)
        to_look_at = to_look_at or bool(findings)
        if args.format == "text":
            cli.tell("\n".join(report(outcome, findings)))
        if args.why is not None and args.format == "text":
            cli.tell("\n".join(reasons(outcome, args.why)))
        if args.picture:
            _draw(source, args.picture, args)
    books = list(_books(args.files, read))
    to_look_at = to_look_at or any(finding.code not in ALIKE for book in books for finding in book.findings)
    if args.format == "json":
        print(json.dumps(fields([document for _, document in read], books), ensure_ascii=False, indent=1))
    else:
        cli.tell("\n".join(line for book in books for line in together(book)))
    return failed or (FINDINGS_FOUND if args.strict and to_look_at else 0)


def _books(named: list[Path], read: list[tuple[Path, Document]]) -> Iterator[Book]:
    """Each folder as its settings make a book of it, and the single files together."""
    from pipeline.config import load_book, load_overrides
    from pipeline.dedup import dedup

    folders = [path for path in named if path.is_dir()]
    inside = [path.parent for path, _ in read if any(path.is_relative_to(folder) for folder in folders)]
    for folder in dict.fromkeys(inside):
        together = [document for path, document in read if path.parent == folder]
        yield dedup(together, load_book(folder), load_overrides(folder))
    alone = [document for path, document in read if path.parent not in inside]
    if alone:
        yield dedup(alone)


def fields(documents: Iterable[Document], books: Iterable[Book]) -> dict[str, Any]:
    """All of it as the promised JSON."""
    from pipeline.export import document_fields, finding_fields
    from pipeline.records import Kind

    return {
        "documents": [
            document_fields(each) | {
                "entries": {str(kind): sum(entry.kind is kind for entry in each.entries) for kind in Kind},
                "words": each.words, "hidden": each.hidden,
                "findings": [finding_fields(finding) for finding in all_findings(each)],
            }
            for each in documents
        ],
        "books": [{"name": book.name, "rulings": len(book.rulings),
                   "findings": [finding_fields(finding) for finding in book.findings]} for book in books],
    }  # fmt: skip


def together(book: Book) -> list[str]:
    """What merging finds: conflicts, overrides that fit nothing, rulings that are alike and not the same."""
    from pipeline.records import Kind

    cited = sum(len(ruling.citations) for ruling in book.rulings)
    texts = sum(ruling.entry.kind is Kind.TEXT for ruling in book.rulings)
    older = len(book.superseded)
    rulings = counted(len(book.rulings) - texts, "ruling") + (f" and {counted(texts, 'text')}" if texts else "")
    return [
        f"{f'{book.name}, ' if book.name else ''}merged: {rulings} from {counted(cited, 'place')} "
        f"in {counted(len(book.documents), 'source')}" + (f", {counted(older, 'older release')}" if older else ""),
        *_listed(list(book.findings)),
    ]


def all_findings(document: Document) -> list[Finding]:
    """The findings of reading, and one for each entry that was not understood or that our fonts cannot print."""
    from pipeline.records import Finding
    from pipeline.render.editions import missing_glyphs

    unread = [
        Finding(code="unread", message=f"not understood: “{_excerpt(entry)}”", page=entry.page)
        for entry in document.entries
        if entry.unread
    ]
    findings = [*document.findings, *unread, *missing_glyphs(document.entries)]
    return sorted(findings, key=lambda finding: (finding.page or 0, finding.code))


def report(document: Document, findings: list[Finding]) -> list[str]:
    """What a person wants to know about one source."""
    columns = document.columns or (1,) * document.pages
    kinds: dict[str, int] = defaultdict(int)
    for entry in document.entries:
        kinds[entry.kind] += 1
    entries = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items(), key=lambda pair: -pair[1]))
    unread = sum(entry.unread for entry in document.entries)
    return [
        f"{document.source}: {counted(document.pages, 'page')}, {_columns(columns)}, "
        f"{counted(document.words, 'word')}, {document.language}",
        f"  read       {counted(len(document.entries), 'entry', 'entries')} ({entries or 'none'}), "
        f"{counted(len(document.headings), 'heading')}",
        f"  furniture  {counted(len(document.furniture), 'line')}: {_samples(document)}",
        f"  unread     {counted(unread, 'entry', 'entries')}",
        *_marks(document),
        f"  joins      {document.joins}   icons {_icons(document)}   hidden words {document.hidden}",
        *_unnamed(document),
        *_listed(findings),
    ]


def reasons(document: Document, page: int = 0) -> list[str]:
    """Each entry of a page (0: of all) with its convention, what speaks for its head, and the place that came second;
    ``?`` before those whose place is hardly better than that."""
    known = {reason.address: reason for reason in document.reasons}
    lines = ["  why"]
    for entry in document.entries:
        reason = known.get(entry.addresses[0]) if entry.addresses else None
        if (page and entry.page != page) or reason is None:
            continue
        parts = [f"{'?' if reason.unsure else ' '} p. {entry.page:<4} {reason.convention:18} {_excerpt(entry)}"]
        parts += [f"head {reason.score:g}"] if reason.score is not None else []
        parts += [f"under {' › '.join(entry.section) or 'nothing'}"]
        if reason.margin is not None:
            parts += [f"else under {reason.other or 'nothing'} (+{reason.margin:g})"]
        lines.append("  " + "; ".join(parts))
    return lines if len(lines) > 1 else ["  why        nothing was read there"]


def _columns(columns: tuple[int, ...]) -> str:
    """ "2 columns", or which pages have how many."""
    if len(set(columns)) == 1:
        return counted(columns[0], "column")
    by: dict[int, list[int]] = defaultdict(list)
    for page, count in enumerate(columns, 1):
        by[count].append(page)
    parts = (f"{counted(count, 'column')} on p. {_ranges(pages)}" for count, pages in sorted(by.items()))
    return ", ".join(parts)


def _ranges(pages: list[int]) -> str:
    """1, 2, 3, 7 -> "1-3, 7"."""
    parts: list[list[int]] = []
    for page in pages:
        if parts and parts[-1][-1] == page - 1:
            parts[-1].append(page)
        else:
            parts.append([page])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def _samples(document: Document) -> str:
    """A few of the running heads, each once."""
    seen = list(dict.fromkeys("".join(c for c in line.text if not c.isdigit()).strip() for line in document.furniture))
    shown = [text for text in seen if text][:3]
    return "; ".join(f"“{text}”" for text in shown) or ("page numbers" if document.furniture else "none")


def _icons(document: Document) -> int:
    return sum(
        1
        for entry in document.entries
        for name in entry.__dataclass_fields__
        for text in _texts(getattr(entry, name))
        for span in text.spans
        if span.icon
    )


def _marks(document: Document) -> list[str]:
    """How the publisher marks what is new, and on how many entries."""
    marked = sum(entry.changed for entry in document.entries)
    colours = ", ".join(f"{colour} (“{text}”)" if text else colour for colour, text in document.change_colours)
    if not marked and not colours:
        return []
    text = f"  new        {counted(marked, 'entry', 'entries')} marked by the publisher"
    return [f"{text}: {colours}" if colours else text]


def _unnamed(document: Document) -> list[str]:
    """The glyphs that book.toml may name, written as it names them."""
    from pipeline.icons import unnamed

    listed = ", ".join(f'"{icon}" ({count})' for icon, count in unnamed(document).most_common())
    return [f"  no name    {listed}: [icons] in book.toml gives them one"] if listed else []


def _texts(value: object) -> Iterator[Text]:
    from pipeline.records import Text

    if isinstance(value, Text):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)


def _excerpt(entry: object) -> str:
    fields = entry.__dataclass_fields__  # type: ignore[attr-defined]
    words = " ".join(text for name in fields for text in _texts(getattr(entry, name))).split()
    return " ".join(words[:10]) + (" …" if len(words) > 10 else "")


def _listed(findings: list[Finding]) -> list[str]:
    """Findings by page; long lists of one kind are cut short and counted."""
    if not findings:
        return ["  findings   none"]
    lines = [f"  findings   {len(findings)}"]
    shown: dict[str, int] = defaultdict(int)
    for finding in findings:
        shown[finding.code] += 1
        if shown[finding.code] <= SHOWN:
            where = f"p. {finding.page}" if finding.page else "-"
            lines.append(f"    {where:6} {finding.code}: {finding.message}")
    lines.extend(f"    and {count - SHOWN} more: {code}" for code, count in shown.items() if count > SHOWN)
    return lines


def _draw(source: ListedSource, folder: Path, args: argparse.Namespace) -> None:
    """One PNG a page; in folders as the sources are, so that no two have one name."""
    from pipeline import guard, store
    from pipeline.config import load_mends

    asked = {"path": os.path.abspath(source.path), "mends": store.to_json(load_mends(source.path.parent))}
    pages = guard.run("pipeline.worker:pictures", asked, where=source.path.name)
    for number, page in enumerate(pages, 1):
        name = f"{re.sub('[.]pdf$', '', source.name, flags=re.IGNORECASE)}-{number:03}.png"
        store.write(store.within(folder, name), base64.b64decode(page))
    cli.say(args, f"{counted(len(pages), 'picture')} in {folder}")
