"""Changes -> the promised JSON, text for a terminal, Markdown for a forum."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pipeline.diff.announcements import Announced, announced
from pipeline.diff.change_sheet import (
    ChangeSheet,
    Cluster,
    Highlight,
    SheetRow,
    ShownChange,
    clusters,
    moves,
    name_of,
    rows_of,
    sheet,
    short,
    shortened,
)
from pipeline.diff.redline import Word
from pipeline.export import document_fields, entry_fields
from pipeline.records import Changes, Difference, Document, Fate, History, Kind, Life, Step, Text
from pipeline.text import cut, plural, split_lines

__all__ = [
    "HIGHLIGHTS",
    "bbcode",
    "edits",
    "fields",
    "history_fields",
    "history_text",
    "lines",
    "markdown",
    "moves",
    "name_of",
    "page_place",
    "rows_of",
    "said_of",
    "shortened",
    "summary",
    "text",
    "told_briefly",
]

_LISTING = re.compile(r"^(\d*)([.)+-])(?=\s)")  # "1. " or "- " at the start of a line is a list to Markdown
BRIEF = 8  # changes that are told in a line each, on a page of releases or a card
BRIEFLY = 60  # letters of what went and of what came, in such a line
_LEAST = ("moves", "spellings")  # groups that are told last
_SIGNS = {Fate.ADDED: "+", Fate.REMOVED: "−", Fate.CHANGED: "±", Fate.MOVED: "›"}
_CLOSING = re.compile(r"[.,;)\]]")  # stands at the word before it
HIGHLIGHTS = 60  # in the summary of a sheet: about a page
Labels = Mapping[str, Any]  # the words that we print, of templates/strings

# ---------------------------------------------------------------- for the template: words with their style


def lines(text: str) -> Sequence[str]:
    """The lines of a text."""
    return split_lines(text) if isinstance(text, Text) else text.split("\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedWords:
    """Words that stayed, went or came, and the white after them, which is neither struck nor underlined."""

    sign: str
    text: str
    ends_line: bool = False
    spaced: bool = False


def edits(line: Sequence[Word]) -> list[EditedWords]:
    """A line of words as it is set; what went stands apart from what came in its place."""
    following = [*line[1:], ("", "")]
    return [_edit(sign, text, is_replaced=sign == "-" and after == "+" and not _CLOSING.match(came))
            for (sign, text), (after, came) in zip(line, following, strict=True)]  # fmt: skip


def _edit(sign: str, text: str, is_replaced: bool) -> EditedWords:
    if sign == "=":
        return EditedWords(sign=sign, text=text)
    end = len(text.rstrip())
    return EditedWords(
        sign=sign, text=cut(text, 0, end) if isinstance(text, Text) else text[:end],
        ends_line="\n" in str(text)[end:] and not is_replaced, spaced=end < len(text) or is_replaced,
    )  # fmt: skip


def page_place(difference: Difference) -> str:
    """The page of an entry in the new release, or in the old: both where they differ; "" where none is known."""
    old, new = (entry.page if entry else 0 for entry in (difference.old, difference.new))
    return f"{old} → {new}" if old and new and old != new else str(new or old or "")


# ---------------------------------------------------------------- JSON


def fields(changes: Changes) -> dict[str, Any]:
    """``diff --format json``."""
    notices = announced(changes)
    return {
        "old": document_fields(changes.old), "new": document_fields(changes.new),
        "changes": [{**_difference_fields(each), "announced": _announced(each, notices)} for each in changes.changes],
        "announced_not_found": list(notices.unfound),
        "renumbered": [list(pair) for pair in changes.renumbered],
        "left_over": [entry_fields(entry) for entry in changes.left_over],
        "findings": [{"code": finding.code, "message": finding.message} for finding in changes.findings],
    }  # fmt: skip


def _announced(each: Difference, announcements: Announced) -> list[str] | None:
    """What the publisher says of a change; nothing: it lists its changes without this one; null: it lists none."""
    return list(announcements.of(each)) if announcements.lines and not each.about_document else None


def _difference_fields(each: Difference) -> dict[str, Any]:
    return {
        "change": str(each.change), "moved": each.moved, "kind": str(each.kind),
        "old": None if each.old is None else entry_fields(each.old),
        "new": None if each.new is None else entry_fields(each.new),
        "words": [list(word) for word in each.words], "verdict_flipped": each.verdict_flipped,
        "numbers_changed": [list(pair) for pair in each.numbers_changed], "marked": each.marked,
        "spelling_only": each.spelling_only, "about_document": each.about_document, "place": each.place,
        "olds": [entry_fields(entry) for entry in each.olds], "news": [entry_fields(entry) for entry in each.news],
    }  # fmt: skip


def history_fields(past: History) -> dict[str, Any]:
    """``history --format json``."""
    return {
        "releases": [document_fields(each) for each in past.releases],
        "entries": [_life_fields(life) for life in past.lives],
    }


def _life_fields(life: Life) -> dict[str, Any]:
    return {"entry": entry_fields(life.entry), "first": life.first, "last": life.last,
            "steps": [_step_fields(step) for step in life.steps]}  # fmt: skip


def _step_fields(step: Step) -> dict[str, Any]:
    packed = _difference_fields(step.difference)
    return {"release": step.release, **{name: packed[name] for name in
            ("change", "moved", "words", "verdict_flipped", "numbers_changed", "marked")}}  # fmt: skip


# ---------------------------------------------------------------- pens: how insertions and deletions look


class Pen:
    """Plain text: [-gone-] {+come+}."""

    line_end = " / "  # of a paragraph: a text is told in one line

    def old(self, text: str) -> str:
        return f"[-{text}-]"

    def new(self, text: str) -> str:
        return f"{{+{text}+}}"

    def same(self, text: str) -> str:
        return text

    def loud(self, text: str) -> str:
        return text

    def faint(self, text: str) -> str:
        return text

    def line(self, words: Iterable[Word]) -> str:
        """Words with white space outside of the marks."""
        drawn, before = "", "="
        for sign, text in words:
            gap = " " if before == "-" and sign == "+" and not drawn[-1:].isspace() else ""
            drawn, before = drawn + gap + self._word(sign, text), sign
        return drawn.strip(" /\n")

    def _word(self, sign: str, text: str) -> str:
        bare = text.strip()
        if not bare:
            return self._gap(text)
        draw = {"=": self.same, "-": self.old, "+": self.new}[sign]
        before, after = text[: text.index(bare)], text[text.index(bare) + len(bare) :]
        lines = re.split(r"\s*\n\s*", bare)
        drawn = [draw(self.line_end.join(lines))] if self.line_end.strip() else [draw(line) for line in lines]
        return self._gap(before) + self.line_end.join(drawn) + self._gap(after)

    def _gap(self, space: str) -> str:
        """White space between words; where a paragraph ends, what stands for that."""
        return self.line_end if "\n" in space else space


class Colours(Pen):
    """For a terminal: red and struck, green, bold and underlined."""

    def old(self, text: str) -> str:
        return f"\x1b[31;9m{text}\x1b[0m"

    def new(self, text: str) -> str:
        return f"\x1b[32;1;4m{text}\x1b[0m"

    def loud(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m"

    def faint(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[0m"


class Markdown(Pen):
    """For a forum: ~~gone~~ **come**, in lines as they are printed."""

    line_end = "\n"

    def old(self, text: str) -> str:
        return f"~~{self.same(text)}~~"

    def new(self, text: str) -> str:
        return f"**{self.same(text)}**"

    def same(self, text: str) -> str:
        return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", text)

    def loud(self, text: str) -> str:
        return f"**{self.same(text)}**"

    def faint(self, text: str) -> str:
        return f"*{self.same(text)}*" if text else ""


# ---------------------------------------------------------------- text


def name_release(document: Document, labels: Labels) -> str:
    """A release in few words: its title, version and date."""
    if not document.source:
        return "–"
    parts = [
        document.title or document.source,
        f"{labels['version']} {document.version}" if document.version else "",
        document.date or "",
    ]
    return ", ".join(
        part for part in parts if (part and part.strip() not in (document.title or "")) or part == parts[0]
    )


def _counted(number: int, name: str, labels: Labels) -> str:
    """ "1 ajout", "3 ajouts"."""
    return f"{number} {plural(number, labels[name], labels['plural'])}"


def summary(report: ChangeSheet, labels: Labels) -> str:
    """The counts on one line."""
    flips = sum(each.what == "flip" for each in report.highlights)
    numbers = sum(len(each.pairs) for each in report.highlights if each.what == "number")
    counts = [(report.added, "added"), (report.changed, "changed"),
              (report.removed, "removed"), (report.moved, "moved"),
              (flips, "flip"), (numbers, "number"), (report.silent, "silent")]  # fmt: skip
    return " · ".join(_counted(n, name, labels) for n, name in counts if n or name in ("added", "changed", "removed"))


def told_briefly(report: ChangeSheet, most: int = BRIEF) -> list[str]:
    """The changes in a line each, the most important first: values that became others, then rules. Where there are
    more, those are kept of which the publisher speaks, or that changed most."""
    turns = [
        f"{', '.join(f'{old} → {new}' for old, new in each.pairs)} {each.context}".rstrip()
        + f" · {f'{each.subject} {each.name}'.strip()}"
        for each in report.highlights
    ]
    turns = list(dict.fromkeys(turns))
    highlighted = {each.anchor for each in report.highlights}
    others = [each for _, some in report.groups for each in some if each.anchor not in highlighted]
    ranked = sorted((each for each in others if each.group != "about"), key=_rank)
    by_name: dict[str, tuple[ShownChange, str]] = {}
    for each in ranked:
        by_name.setdefault(_briefly_named(each), (each, _in_a_line(each)))
    left = len(turns) + len(by_name) - most
    kept = list(by_name.values())[: max(0, most - len(turns) - (left > 0))]
    order = [each.anchor for each in others]
    told_rules = [line for each, line in sorted(kept, key=lambda one: (_rank(one[0])[0], order.index(one[0].anchor)))]
    return [*turns, *told_rules] if left <= 0 else [*[*turns, *told_rules][: most - 1], f"… + {left + 1}"]


def _rank(each: ShownChange) -> tuple[bool, bool, int]:
    """The last are spellings and moves; the first those that the publisher speaks of, then those with most words."""
    size = sum(len(text) for sign, text in each.difference.words if sign != "=")
    return each.group in _LEAST, not each.announced, -size


def _briefly_named(each: ShownChange) -> str:
    name = " ".join(part for part in (each.head.number, each.head.title) if part)
    in_text = each.entry.kind is Kind.TEXT and name  # the heading says more than how a paragraph begins
    return name if each.head.number or each.head.own or in_text else name_of(each.entry)


def _in_a_line(each: ShownChange) -> str:
    """What became of a rule: what the publisher says of it, else the words that came, or went."""
    sign, name = _SIGNS[each.difference.change], _briefly_named(each)
    if each.announced:
        return f"{sign} {name}: {each.announced[0]}"
    whole = each.head.title and each.head.own and each.difference.change is not Fate.CHANGED
    if each.difference.change is Fate.MOVED or whole:
        return f"{sign} {name}"
    runs = [list(run) for changed, run in groupby(each.difference.words, key=lambda word: word[0] != "=") if changed]
    largest = max(runs, key=lambda run: sum(len(text) for _, text in run), default=[])
    went, came = ("".join(text for mark, text in largest if mark == one) for one in "-+")
    edit = " → ".join(short(text.strip(" ,.;:"), BRIEFLY) for text in (went, came) if text.strip(" ,.;:"))
    return f"{sign} {name}: {edit}" if edit and edit not in name else f"{sign} {name}"


def text(changes: Changes, labels: Labels, *, colour: bool = False) -> str:
    """For the terminal."""
    report, pen = sheet(changes), Colours() if colour else Pen()
    lines = [
        pen.loud(f"{name_release(report.old, labels)}  →  {name_release(report.new, labels)}"),
        summary(report, labels),
    ]
    if is_empty(report):
        return "\n".join([*lines, labels["nothing"], ""])
    for group, some in report.groups:
        lines += ["", pen.loud(f"{labels[group]} ({len(some)})")]
        many, alone = moves(some) if group == "moves" else ([], some)
        lines += [f"  > {_many_moved(went, labels)} {was} → {now}" for was, now, went in many]
        for cluster in clusters(alone):
            lines += _cluster_lines(cluster, labels, pen, "  ")
    return "\n".join([*lines, *_tail(report, labels, pen), ""])


def is_empty(report: ChangeSheet) -> bool:
    """Whether there is no change to report."""
    also = report.renumbered or report.renamed or report.reordered or report.left_over or report.unfound
    return not (report.added or report.groups or also)


def _many_moved(went: Sequence[ShownChange], labels: Labels) -> str:
    return str(labels["many_moved"]).format(n=len(went))


def _cluster_lines(cluster: Cluster, labels: Labels, pen: Pen, indent: str) -> list[str]:
    """The path where it is another than before, the number and title, what the publisher says, then the changes."""
    lines = [f"{indent}{pen.faint(' › '.join(cluster.head.path))}"] if cluster.new_path and cluster.head.path else []
    name = " ".join(part for part in (cluster.head.number, cluster.head.title) if part)
    lines += [f"{indent}{pen.loud(name)}"] if name else []
    lines += [f"{indent}  {labels['announced']} {line}" for line in cluster.announced]
    for shown in cluster.shown:
        lines += _entry_lines(shown, labels, pen, indent)
    return lines


def _entry_lines(shown: ShownChange, labels: Labels, pen: Pen, indent: str) -> list[str]:
    sign = {Fate.ADDED: "+", Fate.REMOVED: "-", Fate.CHANGED: "~", Fate.MOVED: ">"}[shown.difference.change]
    where = " · ".join(part for part in (shown.head.part, _pages(shown, labels)) if part)
    lines = [f"{indent}{sign} {pen.faint(where)}{_tags(shown, labels)}"]
    for row in shown.rows:
        lines.append(f"{indent}  {pen.line(row.line)}")
    if shown.was:
        lines.append(f"{indent}  {pen.faint(labels['moved_from'] + ' ' + shown.was)}")
    return lines


def _pages(shown: ShownChange, labels: Labels) -> str:
    old, new = shown.difference.old, shown.difference.new
    numbers = [str(entry.page) for entry in (old, new) if entry is not None and entry.page]
    return _page(" → ".join(dict.fromkeys(numbers)), labels) if numbers else ""


def _page(number: object, labels: Labels) -> str:
    return str(labels["page"]).format(n=number)


def tags(shown: ShownChange, labels: Labels) -> list[str]:
    """What is remarkable about a change, in words."""
    difference = shown.difference
    spoken = [
        labels["flipped"] if difference.verdict_flipped else "",
        *(f"{old} → {new}" for old, new in shown.numbers),
        labels["also_moved"] if difference.moved and difference.change is Fate.CHANGED else "",
        labels["merged"] if shown.merged else "",
        labels["divided"] if shown.divided else "",
        labels["not_marked"] if shown.silent else "",
        labels["unannounced"] if shown.unannounced else "",
    ]
    return [each for each in spoken if each]


def _tags(shown: ShownChange, labels: Labels) -> str:
    spoken = tags(shown, labels)
    return f"  [{'; '.join(spoken)}]" if spoken else ""


def _tail(report: ChangeSheet, labels: Labels, pen: Pen) -> list[str]:
    lines: list[str] = []
    if report.renumbered:
        lines += ["", pen.loud(labels["renumbered"]), *(f"  {old} → {new}" for old, new in report.renumbered)]
    for name, messages in (("unfound", report.unfound), ("renamed", report.renamed), ("reordered", report.reordered)):
        if messages:
            lines += ["", pen.loud(labels[name]), *(f"  {message}" for message in messages)]
    if report.left_over:
        lines += ["", pen.loud(labels["left_over"])]
        lines += [
            f"  {subject + ' – ' if subject else ''}{name} ({_page(page, labels)})"
            for subject, name, page in report.left_over
        ]
    return lines


# ---------------------------------------------------------------- Markdown


def markdown(changes: Changes, labels: Labels) -> str:
    """For a forum post."""
    report, pen = sheet(changes), Markdown()
    title = f"## {pen.same(name_release(report.old, labels))} → {pen.same(name_release(report.new, labels))}"
    lines = [title, "", f"**{summary(report, labels)}**"]
    if is_empty(report):
        return "\n".join([*lines, "", labels["nothing"], ""])
    if report.highlights:
        lines += ["", *(_highlight_line(each, labels, pen) for each in report.highlights)]
    for group, some in report.groups:
        lines += ["", f"### {labels[group]} ({len(some)})"]
        many, alone = moves(some) if group == "moves" else ([], some)
        lines += [f"- {_many_moved(went, labels)} {pen.same(was)} → {pen.same(now)}" for was, now, went in many]
        for cluster in clusters(alone):
            lines += _markdown_cluster(cluster, labels, pen)
    return "\n".join([*lines, *_markdown_tail(report, labels, pen), ""])


def _highlight_line(highlight: Highlight, labels: Labels, pen: Pen) -> str:
    silent = f" ({labels['not_marked']})" if highlight.silent else ""
    what = f" {pen.same(highlight.context)}" if highlight.context else ""
    subject = f"{pen.loud(highlight.subject)} " if highlight.subject else ""
    turns = ", ".join(f"{pen.old(old)} → {pen.new(new)}" for old, new in highlight.pairs)
    return f"- {subject}{pen.same(highlight.name)} {turns}{what}{silent}"


def _markdown_cluster(cluster: Cluster, labels: Labels, pen: Pen) -> list[str]:
    name = " ".join(part for part in (cluster.head.number, cluster.head.title) if part)
    path = f" · {pen.same(' › '.join(cluster.head.path))}" if cluster.head.path and cluster.new_path else ""
    lines = ["", f"#### {pen.same(name)}{path}"] if name else []
    if cluster.announced:
        lines += ["", *(f"*{labels['announced']} {pen.same(line)}*  " for line in cluster.announced)]
    for shown in cluster.shown:
        lines += ["", *_markdown_entry(shown, labels, pen)]
    return lines


def _markdown_entry(shown: ShownChange, labels: Labels, pen: Pen) -> list[str]:
    head = " · ".join(part for part in (shown.head.part, _pages(shown, labels)) if part)
    parts = [f"**{pen.same(head)}**"] * bool(head) + [f"*{pen.same(each)}*" for each in tags(shown, labels)]
    lines = [f"{' · '.join(parts)}  "] * bool(parts)
    lines += [_markdown_row(row, pen) for row in shown.rows]
    return [*lines, *([pen.faint(f"{labels['moved_from']} {shown.was}")] if shown.was else [])]


def _markdown_row(row: SheetRow, pen: Pen) -> str:
    """A part as a quotation; a new or removed part is said by its heading, not by marking all of it."""
    signs = {sign for sign, _ in row.line}
    line = tuple(("=", text) for _, text in row.line) if len(signs) == 1 else row.line
    printed = [_LISTING.sub(r"\1\\\2", each) for each in pen.line(line).split("\n")]
    return "\n".join(f"> {each}  " for each in printed)


def _markdown_tail(report: ChangeSheet, labels: Labels, pen: Pen) -> list[str]:
    lines: list[str] = []
    if report.renumbered:
        lines += ["", f"### {labels['renumbered']}", "", f"| {labels['before']} | {labels['after']} |", "|---|---|"]
        lines += [f"| {old} | {new} |" for old, new in report.renumbered]
    for name, messages in (("unfound", report.unfound), ("renamed", report.renamed), ("reordered", report.reordered)):
        if messages:
            lines += ["", f"### {labels[name]}", "", *(f"- {pen.same(message)}" for message in messages)]
    if report.left_over:
        lines += ["", f"### {labels['left_over']}", ""]
        lines += [f"- {pen.same(f'{subject} – {name}' if subject else name)}" for subject, name, _ in report.left_over]
    return lines


# ---------------------------------------------------------------- BBCode


class BBCode(Pen):
    """For a forum that knows no Markdown: [s]gone[/s] [b]come[/b]."""

    line_end = "\n"

    def old(self, text: str) -> str:
        return f"[s]{self.same(text)}[/s]"

    def new(self, text: str) -> str:
        return f"[b]{self.same(text)}[/b]"

    def same(self, text: str) -> str:
        """A bracket of the text that a forum may take for a mark gets a space that nobody sees."""
        return re.sub(r"\[(?=/?\w)", "[\u200b", text)

    def loud(self, text: str) -> str:
        return f"[b]{self.same(text)}[/b]"

    def faint(self, text: str) -> str:
        return f"[i]{self.same(text)}[/i]" if text else ""


def bbcode(changes: Changes, labels: Labels) -> str:
    """For a forum that knows no Markdown."""
    report, pen = sheet(changes), BBCode()
    name = f"{name_release(report.old, labels)} → {name_release(report.new, labels)}"
    lines = [f"[size=150]{pen.loud(name)}[/size]", pen.loud(summary(report, labels))]
    if is_empty(report):
        return "\n".join([*lines, labels["nothing"], ""])
    for group, some in report.groups:
        lines += ["", f"[size=120]{pen.loud(f'{labels[group]} ({len(some)})')}[/size]"]
        many, alone = moves(some) if group == "moves" else ([], some)
        lines += [f"{_many_moved(went, labels)} {pen.same(was)} → {pen.same(now)}" for was, now, went in many]
        for cluster in clusters(alone):
            lines += _bbcode_cluster(cluster, labels, pen)
    return "\n".join([*lines, ""])


def _bbcode_cluster(cluster: Cluster, labels: Labels, pen: Pen) -> list[str]:
    name = " ".join(part for part in (cluster.head.number, cluster.head.title) if part)
    lines = ["", pen.loud(name)] if name else [""]
    lines += [pen.faint(f"{labels['announced']} {line}") for line in cluster.announced]
    for shown in cluster.shown:
        head = " · ".join(part for part in (shown.head.part, _pages(shown, labels), *tags(shown, labels)) if part)
        body = "\n".join(pen.line(row.line) for row in shown.rows)
        lines += [pen.faint(head), f"[quote]{body}[/quote]"]
    return lines


# ---------------------------------------------------------------- history


def history_text(past: History, labels: Labels, *, colour: bool = False, every: bool = False) -> str:
    """When each entry came, changed and went; those that never changed are only counted, unless ``every``."""
    pen = Colours() if colour else Pen()
    lines = [pen.loud(labels["releases"])]
    lines += [
        f"  {number}  {name_release(each, labels)} ({each.source})"
        for number, each in enumerate(past.releases, start=1)
    ]
    moving = [life for life in past.lives if life.steps or every]
    for life in moving:
        lines += ["", *_life_lines(life, past.releases, labels, pen)]
    still = len(past.lives) - len(moving)
    return "\n".join([*lines, *(["", _counted(still, "unchanged", labels)] if still else []), ""])


def _life_lines(life: Life, releases: Sequence[Document], labels: Labels, pen: Pen) -> list[str]:
    subject = f"{life.entry.subject} – " if life.entry.subject else ""
    lines = [pen.loud(subject + name_of(life.entry))]
    if not life.steps or life.steps[0].change is not Fate.ADDED:
        lines.append(f"  {when(releases[life.first])}  {labels['came']}")
    for step in life.steps:
        line = f"  {when(releases[step.release])}  {said_of(step, labels)}"
        words = shortened(tuple(word for word in step.difference.words)) if step.change is Fate.CHANGED else ()
        lines += [line, *([f"      {pen.line(words)}"] if words else [])]
    return lines


def said_of(step: Step, labels: Labels) -> str:
    """The kind of a change in a word or two: "added", "moved"."""
    word = {Fate.ADDED: labels["came"], Fate.REMOVED: labels["went"], Fate.CHANGED: labels["changed"][0],
            Fate.MOVED: labels["also_moved"]}[step.change]  # fmt: skip
    more = [labels["flipped"]] if step.difference.verdict_flipped else []
    if step.difference.marked is False and step.change in (Fate.ADDED, Fate.CHANGED):
        more.append(labels["not_marked"])
    return f"{word} ({', '.join(more)})" if more else str(word)


def when(release: Document) -> str:
    """How a release is called in a list: its date, else its version, else its file."""
    return release.date or release.version or release.source
