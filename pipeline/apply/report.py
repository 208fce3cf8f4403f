"""What became of every amendment: as lines for a person, and as fields for a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from pipeline.errors import counted
from pipeline.records import Amendment, Consolidation, Edit, Outcome

Why = Callable[[Amendment], str]

WHAT = {
    Outcome.APPLIED: "applied",
    Outcome.PRESENT: "in the rulebook already",
    Outcome.SUPERSEDED: "superseded",
    Outcome.REFUSED: "not applied",
}


def summary(consolidation: Consolidation) -> str:
    """One line: how many are in, how many are not."""
    counts = Counter(each.outcome for each in consolidation.amendments)
    grades = Counter(str(each.grade) for each in consolidation.amendments)
    counted_outcomes = [f"{counts[outcome]} {WHAT[outcome]}" for outcome in Outcome if counts[outcome]]
    graded = ", ".join(f"{grades[grade]} {grade}" for grade in ("A", "B", "C"))
    return f"{counted(len(consolidation.amendments), 'amendment')}: {'; '.join(counted_outcomes)} ({graded})"


def lines(consolidation: Consolidation, why: Why) -> str:
    """The whole report."""
    report = [summary(consolidation)]
    report += [f"counts: {each.source}{_released(each.version, each.date)}" for each in consolidation.errata]
    report += [
        f"does not count, after {consolidation.as_of}: {each.source} ({each.date})" for each in consolidation.later
    ]
    report += [f"to look at: {finding.source}: {finding.message}" for finding in consolidation.findings]
    for each in consolidation.amendments:
        report += ["", *_lines(each, why)]
    return "\n".join(report)


def _released(version: str | None, date: str | None) -> str:
    release = ", ".join(part for part in (f"version {version}" if version else "", date or "") if part)
    return f" ({release})" if release else ""


def _lines(each: Amendment, why: Why) -> list[str]:
    place = f"p. {', '.join(map(str, each.pages))}" if each.pages else "no page"
    reason = f": {why(each)}" if each.reason else ""
    report = [
        f"{each.grade}  {place} · {each.target or '–'} · {WHAT[each.outcome]}{reason}  [{each.source}, p. {each.page}]"
    ]
    if each.change.instruction:
        report.append(f"     {each.change.instruction}")
    if each.outcome is not Outcome.APPLIED:
        return report
    for edit in each.edits:
        report += [f"   - {text}" for text in edit.old] + [f"   + {text}" for text in edit.new]
    if each.nearly:
        signs = {"=": "{}", "-": "[-{}-]", "+": "[+{}+]"}
        marked = " ".join(signs[sign].format(text) for sign, text in each.nearly)
        report.append(f"     quoted against printed: {marked}")
    return report


def fields(consolidation: Consolidation, why: Why) -> list[dict[str, Any]]:
    """Every amendment as JSON values."""
    return [
        {
            "grade": str(each.grade), "outcome": str(each.outcome), "reason": each.reason or None,
            "why": why(each) if each.reason else None, "source": each.source, "version": each.version,
            "date": each.date, "page": each.page, "erratum": each.erratum, "pages": list(each.pages),
            "target": str(each.target), "operation": str(each.change.operation),
            "instruction": str(each.change.instruction), "sheet": each.sheet,
            "entry": consolidation.rulebook.entries[each.passage].id if each.passage is not None else None,
            "edits": [_edit(consolidation, edit) for edit in each.edits],
        }
        for each in consolidation.amendments
    ]  # fmt: skip


def _edit(consolidation: Consolidation, edit: Edit) -> dict[str, Any]:
    return {
        "entry": consolidation.rulebook.entries[edit.entry].id, "field": edit.field, "at": edit.at,
        "row": edit.row if edit.row >= 0 else None, "old": list(map(str, edit.old)), "new": list(map(str, edit.new)),
    }  # fmt: skip
