"""A ruling -> what its form says beside its text: classes, codes, sources, references, and what its page is called."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.records import QA, AnyEntry, Definition, Erratum, Kind, Prose, Rule, Table
from pipeline.render.editions import Printed, Reference
from pipeline.render.look import Look
from pipeline.render.paragraph_forms import listed
from pipeline.render.text_forms import lines, printable


def classes(each: Printed, look: Look, leads: bool, kept: Mapping[str, bool]) -> str:
    """The classes of an entry; ``kept``: the anchors of what stays on one page, and whether it leads to the next."""
    entry = each.entry
    named = {
        "disputed": each.ruling.conflict,
        "on": isinstance(entry, Prose) and not each.cited,
        "item": isinstance(entry, Prose) and listed(entry.text),
        "leads": leads,
        "held": kept.get(each.anchor),
        "whole": each.anchor in kept,
        "changed ruled": each.ruling.since and look.product != "booklet",
    }
    return " ".join((str(entry.kind), *(name for name, is_so in named.items() if is_so)))


def lines_kept(each: Printed, look: Look) -> int:
    """Lines that stay together where question and answer are one paragraph: the question, and one of the answer."""
    if not look.runs_on or not isinstance(each.entry, QA):
        return 0
    return lines(f"{each.ruling.code} {each.entry.question}", look.measure, look.asked) + 1


def source_line(each: Printed, look: Look) -> str:
    """The code, where it stands at the end, and the sources: glued where no line may end."""
    cited = ", ".join(printable(one).replace(" ", "\u00a0") for one in each.cited)
    return "\u00a0".join(part for part in (_code_at_end(each, look), cited) if part)


def _code_at_end(each: Printed, look: Look) -> str:
    entry = each.entry
    begins = (isinstance(entry, Erratum) and entry.pages) or _has_number(each)  # the code stands there
    hangs = look.hang and (isinstance(entry, QA) or each.bare)
    return each.ruling.code if hangs or (look.runs_on and not begins) else ""


def _has_number(each: Printed) -> bool:
    return isinstance(each.entry, Rule) and bool(each.entry.number) and not each.headed


def reference_name(one: Reference, look: Look) -> str:
    """What a reference says: the name; with the codes where pages have no numbers, or it is but that of a section."""
    codes = one.codes if not look.paged or not one.told else ()
    return " ".join((printable(one.name), *codes))


def page_name(each: Printed, page: str) -> str:
    """What a page is called by that begins with an entry: the page that an erratum corrects (``page``: "p. {n}"), a
    rule's number and title, a term."""
    entry = each.entry
    if isinstance(entry, Erratum) and entry.pages:
        return page.format(n=entry.pages[0])
    if isinstance(entry, Rule) and _has_number(each):
        return f"{entry.number} {entry.title}"
    return str(entry.term) if isinstance(entry, Definition) else ""


def decision(entry: AnyEntry) -> str:
    """What an entry decides, as plain words: for sources that say another thing."""
    if isinstance(entry, QA):
        return printable(" ".join(entry.answer))
    if isinstance(entry, Erratum):
        return "".join(f"{printable(' '.join(change.new) or change.instruction)} " for change in entry.changes)
    if isinstance(entry, Prose):
        return printable(entry.text)
    return str(entry.title or "") if isinstance(entry, Table) else printable(" ".join(entry.body))


def is_dated_before(each: Printed, before: Printed | None) -> bool:
    """Whether the paragraph before says already when this one changed."""
    if before is None or not each.entry.kind == before.entry.kind == Kind.TEXT:
        return False
    return each.ruling.since_date == before.ruling.since_date and bool(before.ruling.since)
