"""event.toml, layers and judges' logs -> frozen records; a mistake is one line that names file and key."""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import io
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pipeline.config import NOT_A_KEY, Between, Day, FileName, KindName, Paper, read_toml
from pipeline.errors import ConfigError, fit
from pipeline.paths import inside, leaves
from pipeline.text import file_name, fold

LARGEST = 1_000_000  # bytes: a layer or log that is larger was not written by a person

Form = Literal["table", "pocket", "zine", "cards", "large", "web"]
Audience = Literal["players", "judges"]
FOLDED = ("pocket", "zine")  # forms that come as "NAME-print" too, ready to fold


# ---------------------------------------------------------------- the records


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which rulings: those that fit any of the words in any of the lists."""

    sections: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()  # a word of the section or of the subject
    kinds: tuple[KindName, ...] = ()
    words: tuple[str, ...] = ()  # anywhere in the ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoutSettings:
    """One thing to print for the event."""

    form: Form = "table"
    audience: Audience = "players"
    name: Annotated[str, FileName()] = ""  # of the file; default: form and audience
    pages: Annotated[int, Between(1, 400)] | None = None  # the budget; None: as many as it takes
    paper: Paper | None = None
    columns: Annotated[int, Between(1, 4)] | None = None  # default: as many as fit
    type_size: Annotated[float, Between(6.5, 24)] | None = None  # default: the largest that keeps the budget
    index: bool | None = None  # of subjects; default: for judges
    log: bool | None = None  # a page to log rulings on; default: for judges
    changed_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraBlock:
    """A timetable, house rules, or a table from the sources."""

    title: str = ""
    text: tuple[str, ...] = ()  # paragraphs; "• " begins a list item
    rows: tuple[tuple[str, ...], ...] = ()
    table: str | None = None  # words of the title of a table in the sources
    audience: Audience | None = None  # None: for all


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """event.toml: one tournament."""

    path: Path = field(default=Path("event.toml"), metadata=NOT_A_KEY)
    name: str = ""
    date: Day | None = None
    until: Day | None = None  # last day
    place: str | None = None
    organiser: str | None = None
    judges: tuple[str, ...] = ()
    contact: str | None = None
    system: str | None = None  # format, points
    freeze: Day | None = None  # releases after this day do not count
    last_event: Day | None = None  # what changed since comes first
    languages: tuple[str, ...] = ()  # of the sources that count; empty: all
    select: Choice = Choice()
    leave_out: Choice = Choice()
    first: tuple[str, ...] = ()  # codes, ids or words of rulings that judges are asked for most: they stay
    layers: tuple[str, ...] = ()  # relative to the book's folder, first to last
    blocks: tuple[ExtraBlock, ...] = ()
    handouts: tuple[HandoutSettings, ...] = ()
    url: str | None = None  # for the QR code


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerRuling:
    """What somebody other than the publisher says."""

    question: str = ""
    answer: tuple[str, ...] = ()
    text: tuple[str, ...] = ()  # a statement, when there is no question
    rows: tuple[tuple[str, ...], ...] = ()  # a table, the names of its columns first
    section: str = ""
    subject: str | None = None
    overrides: str | None = None  # id, code or words of the ruling that it puts aside


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Community clarifications, or the event's own exceptions."""

    path: Path = field(default=Path(), metadata=NOT_A_KEY)
    by: str = ""
    date: Day | None = None
    rulings: tuple[LayerRuling, ...] = ()


WEB = HandoutSettings(form="web")
DEFAULT_HANDOUTS = (HandoutSettings(form="table", pages=2), HandoutSettings(form="pocket", audience="judges"), WEB)

# ---------------------------------------------------------------- event.toml


def load_event(path: Path) -> tuple[Event, Path]:
    """An event and the folder of its book: beside event.toml, or above events/."""
    if not path.is_file():
        named = ", ".join(str(each) for each in event_files(path))
        raise ConfigError(
            "is a folder" if path.is_dir() else "there is no such event file",
            where=str(path),
            hint=f"name one of its events: {named}" if named else "make one with 'rubricator new-event NAME'",
        )
    folder = path.parent.parent if path.parent.name == "events" else path.parent
    event = read_toml(path, Event)
    if not event.name.strip():
        raise ConfigError("is missing", where=f"{path}: name", hint='write name = "…"')
    _check_days(path, event)
    _check_handouts(path, event)
    _check_layers(path, folder, event)
    _check_only_one(path, folder, event)
    return dataclasses.replace(event, path=path, handouts=_wanted(event)), folder


def _wanted(event: Event) -> tuple[HandoutSettings, ...]:
    """What is to be made: as listed, and what the code on the paper leads to. A phone must not contradict the sheet."""
    if not event.handouts:
        return DEFAULT_HANDOUTS
    there = event.url is None or any(each.form == "web" for each in event.handouts)
    return event.handouts if there else (*event.handouts, WEB)


def event_files(folder: Path) -> list[Path]:
    """The event files of a book; what is a link out of its folder is none of them."""
    paths = (folder / "event.toml", *sorted((folder / "events").glob("*.toml")))
    return [path for path in paths if path.is_file() and not leaves(folder, path)]


def _check_days(path: Path, event: Event) -> None:
    for early, late in (("freeze", "date"), ("last_event", "date"), ("date", "until")):
        low, high = getattr(event, early), getattr(event, late)
        if low and high and low > high:
            raise ConfigError(f"{low} is after {late} ({high})", where=f"{path}: {early}")
    if event.url is not None and not re.match(r"https?://\S+$", event.url):
        raise ConfigError(f'"{event.url}" is no web address', where=f"{path}: url", hint="begin with https://")


def _check_handouts(path: Path, event: Event) -> None:
    names: set[str] = set()
    for place, handout in enumerate(event.handouts, start=1):
        at = f"{path}: handouts {place}"
        if handout.form == "zine" and handout.pages not in (None, 8):
            raise ConfigError("a zine has 8 pages", where=f"{at}.pages", hint="leave pages out")
        if handout.form == "cards" and handout.pages == 1:
            raise ConfigError("a sheet of cards has two pages, front and back", where=f"{at}.pages", hint="say 2")
        if handout.form == "web" and handout.pages:
            raise ConfigError("a web book has no pages", where=f"{at}.pages", hint="leave pages out")
        name = handout_name(handout)
        files = {name.casefold(), *([f"{name}-print".casefold()] if handout.form in FOLDED else [])}
        if files & names:
            raise ConfigError(f'two handouts are called "{name}"', where=at, hint="give one of them a name")
        names |= files


def _check_layers(path: Path, folder: Path, event: Event) -> None:
    for place, name in enumerate(event.layers, start=1):
        try:
            inside(folder, name)
        except ValueError as error:
            raise ConfigError(str(error), where=f"{path}: layers {place}") from None


def _check_only_one(path: Path, folder: Path, event: Event) -> None:
    """Two events of one name would write the same files."""
    for other in called(event.name, folder):
        if other.resolve() != path.resolve():
            raise ConfigError(f'"{event.name}" is also the name in {other}', where=f"{path}: name", hint="rename one")


def called(name: str, folder: Path) -> list[Path]:
    """The event files of a book whose handouts go where those of this name go."""
    return [each for each in event_files(folder) if folder_name(_name_of(each)) == folder_name(name)]


def folder_name(name: str) -> str:
    """The folder of an event's handouts: its name in letters that every system takes."""
    return file_name(name) or f"event-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _name_of(path: Path) -> str:
    match = re.search(r"""^name\s*=\s*["'](.*?)["']\s*$""", _beginning(path), re.MULTILINE)
    return match[1] if match else ""


def _beginning(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(LARGEST).decode("utf-8", "replace")


def handout_name(handout: HandoutSettings) -> str:
    """The name of its file: given, or its form and audience."""
    return handout.name or (handout.form if handout.audience == "players" else f"{handout.form}-judges")


# ---------------------------------------------------------------- layers

_LETTERS = "QFPDRA"  # that announce a question or an answer in the languages that layers are mostly written in
_ROW = re.compile(r"\|.*\|")
_RULE = re.compile(r"[|:\s-]+")  # between the names of columns and the rows of a table
_OVERRIDES = re.compile(r"overrides\s*:\s*(.+)", re.IGNORECASE)


def load_layer(path: Path) -> Layer:
    """A layer from TOML or Markdown."""
    layer = read_toml(path, Layer) if path.suffix == ".toml" else _from_markdown(path)
    if not layer.by.strip():
        raise ConfigError("is missing", where=f"{path}: by", hint="say who says so")
    for place, ruling in enumerate(layer.rulings, start=1):
        if not (ruling.answer if ruling.question else ruling.text or ruling.rows):
            raise ConfigError(
                "says nothing", where=f"{path}: rulings {place}", hint="give question and answer, text or rows"
            )
    return dataclasses.replace(layer, path=path)


def _from_markdown(path: Path) -> Layer:
    """``by: …`` and ``date: …`` first; ``## section``, ``### subject``; ``Q: …`` and ``A: …``, or the words for them
    in any of our languages; tables; other paragraphs are statements; ``overrides: …`` under a ruling names what it
    puts aside."""
    head: dict[str, str] = {}
    rulings: list[LayerRuling] = []
    section, subject = "", None
    for paragraph in re.split(rf"\n\s*\n|\n(?=#|overrides:|{_marker()})", small_text(path)):
        line = " ".join(paragraph.split())
        if not rulings and not section and _head().match(line):
            head.update(_heads(paragraph))
        elif line.startswith("###"):
            subject = line.lstrip("# ")
        elif line.startswith("#"):
            section, subject = (line.lstrip("# ") if line.startswith("##") else section), None
        elif rows := _rows(paragraph):
            rulings.append(LayerRuling(rows=rows, section=section, subject=subject))
        elif line:
            _add_paragraph(rulings, line, section, subject, path)
    by = next((value for key, value in head.items() if key != "date"), "")
    date = head.get("date")
    if date is not None and not re.fullmatch(r"\d{4}(-\d\d){0,2}", date):
        raise ConfigError(f'"{date}" is not a date like "2026-07-22"', where=f"{path}: date")
    return Layer(by=by, date=date, rulings=tuple(rulings))


@cache
def _head() -> re.Pattern[str]:
    """A line that says who rules, in any of our languages, or since when."""
    from pipeline.language import common, languages

    words = sorted({word for code in languages() for word in common(code).by})
    return re.compile(rf"({'|'.join(map(re.escape, words))}|date)\s*:\s*(.+)", re.IGNORECASE)


@cache
def _marker() -> str:
    """A pattern of what announces a question or an answer: its letter, or the word of a language that we know."""
    from pipeline.vocab import languages, vocabulary

    spoken = [vocabulary(code) for code in languages()]
    words = {word for each in spoken for word in (*each.question.words, *each.answer.words)}
    longest = sorted(words, key=lambda word: (-len(word), word))
    return rf"\**(?:[{_LETTERS}]\s*[:.)]|(?i:{'|'.join(map(re.escape, longest))})(?:\s*\d+)?\s*:)\**"


def _marked(line: str) -> str | None:
    """A question or an answer without what announces it."""
    match = re.match(rf"{_marker()}\s*(.+)", line, re.DOTALL)
    return match[1] if match else None


def _rows(paragraph: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table, without the line under the names of its columns; none of what is no table."""
    lines = [line.strip() for line in paragraph.strip().splitlines()]
    if len(lines) < 2 or not all(map(_ROW.fullmatch, lines)):
        return ()
    return tuple(tuple(cell.strip() for cell in line[1:-1].split("|")) for line in lines if not _RULE.fullmatch(line))


def _heads(paragraph: str) -> Iterator[tuple[str, str]]:
    for line in paragraph.splitlines():
        if match := _head().match(line.strip()):
            yield match[1].lower(), match[2].strip()


def _add_paragraph(rulings: list[LayerRuling], line: str, section: str, subject: str | None, path: Path) -> None:
    line = re.sub(r"^[-*] ", "• ", line)
    open_question = bool(rulings) and bool(rulings[-1].question)
    if match := _OVERRIDES.match(line):
        if not rulings:
            raise ConfigError("stands before any ruling", where=f"{path}: overrides")
        rulings[-1] = dataclasses.replace(rulings[-1], overrides=match[1].strip())
    elif (marked := _marked(line)) and not (open_question and not rulings[-1].answer):
        rulings.append(LayerRuling(question=marked, section=section, subject=subject))
    elif open_question and (marked or line.startswith("• ") or not rulings[-1].answer):
        answer = marked or line
        rulings[-1] = dataclasses.replace(rulings[-1], answer=(*rulings[-1].answer, answer))
    else:
        rulings.append(LayerRuling(text=(line,), section=section, subject=subject))


def small_text(path: Path) -> str:
    """The text of a file that a person wrote: a regular one, UTF-8, not huge."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ConfigError("is not a regular file", where=str(path))
        if path.stat().st_size > LARGEST:
            raise ConfigError(f"is larger than {LARGEST:,} bytes", where=str(path))
        return fit(path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text", where=str(path), hint="save it as UTF-8") from None
    except OSError as error:
        raise ConfigError(f"cannot be read ({error.strerror})", where=str(path)) from None


# ---------------------------------------------------------------- the judges' log

LOG_OTHER = {"answer": "ruling"}  # as layers call it
LOG_COLUMNS = ("no", "time", "table", "subject", "question", "ruling", "judge", "overrides")


def load_log(path: Path, printed: Mapping[str, str] | None = None) -> tuple[LayerRuling, ...]:
    """A log of rulings, kept as CSV, as rulings of a layer. ``printed``: its columns by the heads of our log page."""
    text = small_text(path)
    first = text.split("\n", 1)[0]
    rows = csv.reader(io.StringIO(text), delimiter=max(",;\t", key=first.count))
    named = {**LOG_OTHER, **(printed or {})}
    heads = [named.get(fold(head), head.strip().lower()) for head in next(rows, [])]
    for wanted in ("question", "ruling"):
        if wanted not in heads:
            raise ConfigError(
                f'has no column "{wanted}"', where=str(path),
                hint=f"the first line names the columns, question and ruling at least, of {','.join(LOG_COLUMNS)}",
            )
    rulings = []
    for row in rows:
        cells = dict(zip(heads, map(str.strip, row), strict=False))
        if not any(cells.get(name) for name in ("subject", "question", "ruling")):
            continue  # a line of the page that stayed empty
        if not cells.get("question") or not cells.get("ruling"):
            raise ConfigError("a ruling needs its question and its ruling", where=f"{path}: line {rows.line_num}")
        rulings.append(
            LayerRuling(
                question=cells["question"],
                answer=(cells["ruling"],),
                subject=cells.get("subject") or None,
                overrides=cells.get("overrides") or None,
            )
        )
    return tuple(rulings)


def layer_toml(by: str, date: str | None, rulings: tuple[LayerRuling, ...]) -> str:
    """A layer as the TOML that ``load_layer`` reads."""
    lines = [f"by = {_quoted(by)}"] + ([f"date = {_quoted(date)}"] if date else [])
    for ruling in rulings:
        lines += ["", "[[rulings]]"]
        for key in ("section", "subject", "question", "answer", "text", "rows", "overrides"):
            if value := getattr(ruling, key):
                lines.append(f"{key} = {_quoted(value)}")
    return "\n".join(lines) + "\n"


def _quoted(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_quoted, value)) + "]"
    escaped = "".join(
        f"\\u{ord(c):04X}" if ord(c) < 32 or ord(c) == 127 else c
        for c in value.replace("\\", "\\\\").replace('"', '\\"')
    )
    return f'"{escaped}"'
