"""Every record that flows through the pipeline: frozen, without behaviour.

The order is the order of the work: what extract finds on a page, what structure makes of it,
what classify calls it, what dedup merges, what diff tells apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Self

# ---------------------------------------------------------------- text


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A run of text in one style. An icon is a span whose text is ``[name]`` or ``[icon]``."""

    text: str
    bold: bool = False
    italic: bool = False
    colour: str | None = None  # "#ec008c"; None is the colour of body text
    highlight: str | None = None  # colour of a rectangle drawn behind it
    struck: bool = False
    underlined: bool = False
    icon: str | None = None  # "font:code" of a glyph that is a picture, e.g. "WHSymbols:E003"
    link: str | None = None  # http, https or mailto
    changed: bool = False  # in the publisher's colour for changes; set by classify


class Text(str):
    """A string that remembers its style: ``str`` in every way, with the spans it is made of.

    Make one with ``pipeline.text.rich``; cut and join with the helpers there (methods of ``str`` give plain strings).
    """

    __slots__ = ("level", "spans")

    spans: tuple[Span, ...]
    level: int  # depth of a nested list item, else 0

    def __new__(cls, spans: tuple[Span, ...] = (), level: int = 0) -> Text:
        text = str.__new__(cls, spans[0].text if len(spans) == 1 else "".join([span.text for span in spans]))
        text.spans = spans
        text.level = level
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.spans, self.level)


EMPTY = Text()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something a person should look at; not fatal. Codes are words with hyphens, stable and documented."""

    code: str
    message: str
    page: int | None = None
    source: str | None = None


# ---------------------------------------------------------------- extract: what is drawn on a page


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle in points, measured from the top left of the page as it is shown."""

    x0: float
    top: float
    x1: float
    bottom: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Text drawn in one go, in one style."""

    text: str
    x0: float  # its box, as in ``Box``: a document has thousands of these
    top: float
    x1: float
    bottom: float
    baseline: float  # of writing that runs up or down: where it stands from the left
    font: str
    size: float
    bold: bool = False
    italic: bool = False
    colour: str = "#000000"
    icon: str | None = None
    link: str | None = None
    angle: int = 0  # quarter turns clockwise of the writing, as shown; 4: aslant


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A ruling line or a filled or stroked rectangle."""

    box: Box
    fill: str | None = None
    stroke: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledTable:
    """A table with ruling lines, as pdfplumber finds it: the boxes of its cells, row by row."""

    box: Box
    cells: tuple[tuple[Box | None, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    number: int  # 1-based
    width: float
    height: float
    runs: tuple[Run, ...]
    shapes: tuple[Shape, ...] = ()
    tables: tuple[RuledTable, ...] = ()
    hidden: tuple[Run, ...] = ()  # drawn, but a reader cannot see it
    figures: tuple[Box, ...] = ()  # pictures and drawings


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """A line of the outline that the file brings along; it may be wrong or partial."""

    title: str
    depth: int  # 0 is outermost
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Icon:
    """What stands for a word and is no letter, with the way it looks."""

    glyph: str  # as a span names it: "WHSymbols:E003", "drawn:3f2a90bc"
    picture: str  # PNG in base64


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """A PDF as it is drawn, before anything is understood."""

    source: str
    sha256: str
    pages: tuple[Page, ...]
    title: str | None = None  # from the PDF's own metadata; often wrong
    author: str | None = None
    created: str | None = None  # ISO date of the metadata
    bookmarks: tuple[Bookmark, ...] = ()
    tags: tuple[Bookmark, ...] = ()  # the titles that its tags name (H1 to H6); these may be wrong, too
    icons: tuple[Icon, ...] = ()  # each once, in the order in which they come
    findings: tuple[Finding, ...] = ()


# ---------------------------------------------------------------- structure: what a person sees


class Label(str):
    """A word of a closed list, which is named by an attribute of its class: ``Role.HEADING`` is "heading".

    No ``StrEnum``: in Python 3.11 to name a member of one costs as much as a regular expression, and what a block is
    gets asked fifty times a block.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        for name in cls.__annotations__:
            setattr(cls, name, str.__new__(cls, name.lower()))

    def __new__(cls, value: str) -> Self:
        return getattr(cls, value.upper())  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),)


class Role(Label):
    __slots__ = ()

    HEADING: ClassVar[Role]
    PARAGRAPH: ClassVar[Role]
    ITEM: ClassVar[Role]  # of a list
    TABLE: ClassVar[Role]
    NOTE: ClassVar[Role]  # at the foot of a page; it follows the block that has its mark
    LABEL: ClassVar[Role]  # written sideways, or in a drawing: no part of the text around it
    FURNITURE: ClassVar[Role]  # running head, footer, page number


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A heading, paragraph, list item or table, joined over lines, columns and pages, in reading order."""

    role: Role
    text: Text  # without the list marker; for a table its cells, row by row
    page: int
    addresses: tuple[str, ...]  # "p3.c2.l14": page, column, line; one for each printed line in it
    breaks: tuple[int, ...] = ()  # offset in text at which each printed line after the first begins
    level: int = 0  # heading: 1 is outermost; item: depth, from 0
    marker: str = ""  # item: its printed bullet or number
    rows: tuple[tuple[Text, ...], ...] = ()  # table
    header_rows: int = 0
    size: float = 0.0  # most common type size
    bold: bool = False  # nearly all of it
    italic: bool = False
    colour: str = "#000000"  # most common
    centred: bool = False
    indent: float = 0.0  # from the left edge of its column, in points
    gap: float = 0.0  # white space above it, in lines
    box: Box | None = None  # of its first part
    region: int = 0  # the same number: inside the same drawn box or sidebar; 0: not boxed
    bar: bool = False  # a stroke runs down beside it in the margin
    apart: bool = False  # in a box in the margin, or across the columns
    fill: str | None = None  # the colour behind the lines of its box, where that is low
    badge: int = 0  # where the words begin that stand far off at the right of a line; 0: there are none


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """How two pieces of text were joined or mended: kept so that a person can check it."""

    address: str
    how: str  # "hyphen-removed", "hyphen-kept", "space", "spaced-letters", "split-word"
    text: str  # the result


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """A document in reading order."""

    source: str
    sha256: str
    pages: int
    language: str
    blocks: tuple[Block, ...]
    furniture: tuple[Block, ...] = ()
    columns: tuple[int, ...] = ()  # found on each page
    body_size: float = 0.0
    body_colour: str = "#000000"
    joins: tuple[Join, ...] = ()
    words: int = 0  # in the text layer
    hidden: int = 0  # words that are drawn but cannot be seen; not among the others
    title: str | None = None
    author: str | None = None
    created: str | None = None
    bookmarks: tuple[Bookmark, ...] = ()
    tags: tuple[Bookmark, ...] = ()
    icons: tuple[Icon, ...] = ()
    findings: tuple[Finding, ...] = ()


# ---------------------------------------------------------------- classify: what it is


class Kind(StrEnum):
    QA = "qa"
    ERRATUM = "erratum"
    DEFINITION = "definition"
    RULE = "rule"
    TABLE = "table"
    TEXT = "text"


class Operation(StrEnum):
    REPLACE = "replace"
    INSERT = "insert"
    DELETE = "delete"
    CLARIFY = "clarify"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What every kind of entry has. The fields are those of ``export``."""

    id: str
    kind: Kind
    section: tuple[str, ...] = ()
    subject: Text | None = None
    language: str = ""
    page: int = 0
    changed: bool = False
    changed_text: tuple[str, ...] = ()
    source: str = ""
    unread: bool = False
    see: tuple[str, ...] = ()  # what its text refers to: "VII-A-4", "p. 12"
    struck: tuple[str, ...] = ()  # words that the publisher struck out: they are in no other field
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QA(Entry):
    kind: Kind = Kind.QA
    question: Text = EMPTY
    answer: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One amendment of an erratum."""

    operation: Operation
    instruction: Text = EMPTY
    old: Text | None = None
    new: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum(Entry):
    kind: Kind = Kind.ERRATUM
    pages: tuple[int, ...] = ()
    target: Text = EMPTY
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition(Entry):
    kind: Kind = Kind.DEFINITION
    term: Text = EMPTY
    aliases: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    body: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Entry):
    kind: Kind = Kind.RULE
    number: str | None = None
    title: Text = EMPTY
    body: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Entry):
    kind: Kind = Kind.TABLE
    title: Text | None = None
    rows: tuple[tuple[Text, ...], ...] = ()
    header_rows: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose(Entry):
    kind: Kind = Kind.TEXT
    text: Text = EMPTY
    heading: bool = False  # a heading with nothing under it


AnyEntry = QA | Erratum | Definition | Rule | Table | Prose


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading of the document: it is no entry, but its words are accounted for."""

    text: Text
    level: int
    page: int
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What became of one structural override in a document."""

    what: str  # "heading 2": its table in overrides.toml, and its number there
    text: str  # the words it names
    found: int = 0  # places that it was applied to
    ambiguous: bool = False  # several places fit, and it is meant for one
    near: str = ""  # where nothing fits: the nearest text


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why an entry is what it is said to be, and stands where it stands."""

    address: str  # of its first line
    convention: str  # "numbered rule", "marked question", "term"
    score: float | None = None  # what speaks for its head; two is enough
    margin: float | None = None  # how much more speaks against the next best place
    other: str | None = None  # the head of that place; empty: the top of the document
    unsure: bool = False  # the margin is less than the least evidence weighs


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A source, read. ``entries`` are the records that ``export`` prints."""

    source: str
    sha256: str
    pages: int
    title: str | None = None
    game: str | None = None
    version: str | None = None
    date: str | None = None  # ISO, as exact as printed: "2019-06"
    language: str | None = None
    publisher: str | None = None
    change_colours: tuple[tuple[str, str], ...] = ()  # (colour, what it means)
    entries: tuple[AnyEntry, ...] = ()
    headings: tuple[Heading, ...] = ()
    furniture: tuple[Heading, ...] = ()
    words: int = 0  # in the text layer
    hidden: int = 0  # words that are drawn but cannot be seen; not among the others
    joins: int = 0
    columns: tuple[int, ...] = ()
    icons: tuple[Icon, ...] = ()  # each once, with its picture
    findings: tuple[Finding, ...] = ()
    reasons: tuple[Reason, ...] = ()  # of entries, by their first lines
    replays: tuple[Replay, ...] = ()  # what overrides.toml says about its structure


# ---------------------------------------------------------------- dedup: one ruling, all its citations


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    source: str
    page: int
    section: tuple[str, ...] = ()
    subject: str | None = None


class Since(StrEnum):
    """What happened to a ruling between the last release of its source and this one."""

    ADDED = "added"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What stands below a ruling: who changed it, and what it said before."""

    head: Text
    body: Text = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One ruling: the chosen wording, every place where it stands, the other wordings."""

    entry: AnyEntry
    code: str = ""  # "GEN-12": to call it across the hall; the same in every product and build
    citations: tuple[Citation, ...] = ()
    variants: tuple[AnyEntry, ...] = ()  # other wordings of the same ruling
    conflict: bool = False
    disputed: tuple[AnyEntry, ...] = ()  # answers of other sources that disagree, newest first
    see_also: tuple[str, ...] = ()  # ids of rulings that it names or that name it
    since: Since | None = None
    since_date: str | None = None
    original: AnyEntry | None = None  # before a correction of overrides.toml
    layer: str = ""  # "" is the publisher; else who says so
    overrides: tuple[AnyEntry, ...] = ()  # what a later layer put aside, shown with it
    notes: tuple[Note, ...] = ()  # errata that changed it, or that speak of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """How an entry was changed by a release of its document."""

    entry: str  # its id, as it now is
    date: str | None  # of the release
    words: tuple[tuple[str, str], ...]  # ("=", "-" or "+", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What is printed: the rulings of a folder of sources, in order."""

    name: str
    title: str
    game: str | None = None
    language: str = "en"
    date: str | None = None  # of the newest source
    documents: tuple[Document, ...] = ()  # every source that counts, without its entries
    superseded: tuple[Document, ...] = ()  # older releases, without their entries
    alone: tuple[str, ...] = ()  # sources with no older release here: what changed in them only their own marks tell
    rulings: tuple[Ruling, ...] = ()
    near: tuple[tuple[str, str], ...] = ()  # ids of rulings that are alike but not the same
    notice: tuple[str, ...] = ()  # what the first page must say
    past: tuple[Past, ...] = ()  # what earlier releases said, for products that tell it; oldest first
    findings: tuple[Finding, ...] = ()


# ---------------------------------------------------------------- diff: release x release


class Fate(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One entry that is not the same in two releases. The fields are those of ``diff --format json``."""

    change: Fate
    kind: Kind
    old: AnyEntry | None = None
    new: AnyEntry | None = None
    moved: bool = False
    words: tuple[tuple[str, str], ...] = ()  # ("=", "-" or "+", text)
    verdict_flipped: bool = False
    numbers_changed: tuple[tuple[str, str], ...] = ()
    marked: bool | None = None  # by the publisher; None: the release has no change colour
    spelling_only: bool = False
    about_document: bool = False  # its history of revisions and the like: no ruling
    olds: tuple[AnyEntry, ...] = ()  # where several entries became one, or one several: all of them, in order
    news: tuple[AnyEntry, ...] = ()
    places: tuple[int, ...] = ()  # of ``news``, as ``place``
    place: int = 0  # among the entries once the changes are made; for a removed entry among the old ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What changed between two releases, the most important first."""

    old: Document
    new: Document
    changes: tuple[Difference, ...] = ()
    renumbered: tuple[tuple[str, str], ...] = ()
    left_over: tuple[AnyEntry, ...] = ()
    carried: tuple[tuple[int, int], ...] = ()  # (old place, new place): went with its heading, or with all others
    findings: tuple[Finding, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What happened to an entry when a release came out."""

    release: int  # its place among the releases, from 0
    change: Fate
    difference: Difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """One entry over all releases: when it came, changed, moved and went."""

    entry: AnyEntry  # as it was last printed
    first: int  # the release it stands in first
    last: int  # ... and last
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The lives of all entries over many releases of one document, the oldest release first."""

    releases: tuple[Document, ...]
    lives: tuple[Life, ...] = ()
    findings: tuple[Finding, ...] = ()


# ---------------------------------------------------------------- apply: the rulebook as it now reads


class Grade(StrEnum):
    A = "A"  # the place and the old text are certain
    B = "B"  # the place is certain, the text inferred: shown both ways
    C = "C"  # not applied


class Outcome(StrEnum):
    """What became of an amendment."""

    APPLIED = "applied"
    PRESENT = "present"  # the rulebook reads so already
    SUPERSEDED = "superseded"  # a later one amends the same words as they were printed
    REFUSED = "refused"  # in doubt, nothing is changed


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Paragraphs of an entry, and those in their place. Taken back in the opposite order, edits leave no trace."""

    entry: int  # its place among the entries of the rulebook
    field: str  # "body", "answer", "text", "rows" …
    at: int  # the first paragraph; of a table the first cell
    row: int = -1  # of a table
    old: tuple[Text, ...] = ()
    new: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """One change of an erratum, and what became of it."""

    source: str  # the document of errata
    erratum: str  # id of the entry in it
    page: int  # in that document
    change: Change
    version: str | None = None
    date: str | None = None
    pages: tuple[int, ...] = ()  # of the rulebook, as printed
    target: Text = EMPTY
    grade: Grade = Grade.C
    outcome: Outcome = Outcome.REFUSED
    reason: str = ""  # why it is not A and applied: a word with hyphens, see templates/apply/
    about: str = ""  # what the reason is about
    passage: int | None = None  # the entry of the rulebook that it speaks of
    sheet: int | None = None  # the page of the rulebook's PDF
    edits: tuple[Edit, ...] = ()
    seen: tuple[Edit, ...] = ()  # where the rulebook reads so already: the words that taking it out would take
    nearly: tuple[tuple[str, str], ...] = ()  # ("=", "-" or "+", text): quoted - against printed +


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidation:
    """A rulebook with its errata in: what it was, what it is, and every amendment in order of release."""

    rulebook: Document
    text: Document
    errata: tuple[Document, ...] = ()  # that count, without their entries, oldest first
    amendments: tuple[Amendment, ...] = ()
    later: tuple[Document, ...] = ()  # after the day that was asked for
    as_of: str | None = None
    numbers: tuple[int, ...] = ()  # printed on each page of the rulebook's PDF; empty where it prints none
    findings: tuple[Finding, ...] = ()
