"""The change sheet of rule documents: each change under its rule, beside what the publisher says of it."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pipeline import flow
from pipeline.cli import main
from pipeline.diff import change_formats, diff
from pipeline.diff.announcements import announced
from pipeline.diff.change_sheet import clusters, moves, sheet
from pipeline.diff.inline_lists import listed
from pipeline.diff.release_headings import stamp
from pipeline.diff.rule_paths import head
from pipeline.impose import page_count
from pipeline.records import Definition, Document, Heading, Prose, Rule, Table
from pipeline.render.words import words as strings
from pipeline.text import rich
from tests.conftest import ROOT

FOUL = "3. Fouls"


def rule(number: str, title: str, *body: str, section: tuple[str, ...] = (FOUL,)) -> Rule:
    return Rule(id=f"r{number}", language="en", section=section, number=number, title=rich(title),
                body=tuple(map(rich, body)), page=2)  # fmt: skip


def text(said: str, *section: str) -> Prose:
    return Prose(id=said, language="en", section=section, text=rich(said), page=9)


def release(date: str, *entries: object) -> Document:
    return Document(source=f"{date}.pdf", sha256="0" * 64, pages=9, language="en", title="Ferry Rules", date=date,
                    entries=entries)  # type: ignore[arg-type]  # fmt: skip


KEPT = [rule(f"1.{n}", f"Deck part {n}", f"Part {n} of the deck is swept before every crossing by its own crew.") for n in range(6)]
OLD = release(
    "2026-03-01", *KEPT,
    rule("3.1", "Foul — Late Boarding", "Warning", "A passenger who boards after the bell waits for the next ferry."),
    rule("3.2", "Foul — Loose Ropes", "A rope that is not coiled within 2 minutes is thrown overboard by the mate."),
    rule("3.3", "Foul — Whistling", "Whistling on deck calls the wind, and the whole crew has to row until noon."),
    text("3.1: The bell is rung twice.", "1 March 2026"), text("3.2: Ropes are counted.", "1 December 2025"),
)  # fmt: skip
NEW = release(
    "2026-09-01", *KEPT,
    rule("3.1", "Foul — Late Boarding", "Game Loss", "A passenger who boards after the bell waits for the next ferry."),
    rule("3.2", "Foul — Loose Ropes", "A rope that is not coiled within 5 minutes is thrown overboard by the mate."),
    rule("3.3", "Foul — Whistling", "Whistling on deck calls the wind, and the whole crew has to row until dusk."),
    text("3.1: Late passengers now lose the game.", "1 September 2026"),
    text("Loose ropes have more time.", "1 September 2026"),
    text("2.9: The anchor is heavier.", "1 September 2026"),
    text("3.1: The bell is rung twice.", "1 March 2026"), text("3.2: Ropes are counted.", "1 December 2025"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("heading", "language", "said"),
    [("July 12, 2019", "en", "2019-07-12"), ("12. Juli 2019", "de", "2019-07-12"), ("juin 2019", "fr", "2019-06"),
     ("2019-07-12", "en", "2019-07-12"), ("Version 1.3", "en", "1.3"), ("v2.0.1", "en", "2.0.1"), ("3.2", "en", ""),
     ("July crossings of 2019 boats", "en", ""), ("4. Fouls", "en", "")],
)  # fmt: skip
def test_a_heading_says_a_release_or_something_else(heading: str, language: str, said: str) -> None:
    assert stamp(heading, language) == said


def test_the_list_of_changes_is_no_change_and_stands_beside_the_changes() -> None:
    changes = diff(OLD, NEW)
    told = {parts.head.number: parts for parts in sheet(changes).groups[0][1]}
    assert [*told] == ["3.1", "3.2", "3.3"]
    assert told["3.1"].announced == ("Late passengers now lose the game.",)
    assert told["3.2"].announced == ("Loose ropes have more time.",)
    assert [each.unannounced for each in told.values()] == [False, False, True]
    assert announced(changes).unfound == ("2.9: The anchor is heavier.",)


def test_headline_groups_and_map_are_of_one_set() -> None:
    told = sheet(diff(OLD, NEW))
    assert (told.added, told.changed, told.removed, told.unannounced) == (0, 3, 0, 1)
    assert sum(len(some) for _, some in told.groups) == len(told.marks) == 3


def test_a_summary_says_values_and_numbers() -> None:
    told = [(each.what, each.old, each.new) for each in sheet(diff(OLD, NEW)).highlights]
    assert told == [("value", "Warning", "Game Loss"), ("number", "2", "5")]


def test_years_versions_and_hashes_are_no_summary() -> None:
    old = [rule("9.1", "Imprint", f"Printed by the harbour press in 2025 as v1.{n}, sum 3f9a01b{n}.") for n in (0,)]
    new = [rule("9.1", "Imprint", f"Printed by the harbour press in 2026 as v1.{n}, sum 3f9a01b{n}.") for n in (1,)]
    assert sheet(diff(release("2025", *KEPT, *old), release("2026", *KEPT, *new))).highlights == ()


def test_a_part_of_a_rule_is_named_by_the_rule() -> None:
    inside = Definition(id="d", language="en", section=(FOUL, "3.4. Foul — Fishing"), term=rich("Remedy"), body=(rich("None."),))
    assert (head(inside).path, head(inside).number, head(inside).title) == ((FOUL,), "3.4", "Foul — Fishing")
    assert head(inside).part == "Remedy"
    later = replace(inside, body=(rich("The net is cut."),))
    [(_, [shown])] = sheet(diff(release("2025", *KEPT, inside), release("2026", *KEPT, later))).groups
    assert [row.what for row in shown.rows] == ["body"]  # its name is said once


def test_changes_of_one_rule_stand_under_one_heading() -> None:
    def made(word: str) -> list[Prose]:
        where = (FOUL, "3.4. Foul — Fishing", "Remedy")
        return [text(f"The first net is {word} by the mate before the ferry lands.", *where),
                text(f"The second line is {word} by the captain after the ferry has landed.", *where)]  # fmt: skip

    [(_, some)] = sheet(diff(release("2025", *KEPT, *made("cut")), release("2026", *KEPT, *made("kept")))).groups
    [cluster] = clusters(some)
    assert len(cluster.shown) == 2 and (cluster.head.number, cluster.shown[0].head.part) == ("3.4", "Remedy")


def test_small_edits_are_a_redline_and_a_new_text_stands_beside_the_old() -> None:
    shown = sheet(diff(OLD, NEW)).groups[0][1]
    assert not any(row.beside for each in shown for row in each.rows)


def test_a_line_that_is_read_apart_from_its_rule_did_not_go() -> None:
    heading = "3.1. Foul — Late Boarding"
    apart = [rule("3.1", "Foul — Late Boarding", "A passenger who is late waits."), text("Warning", FOUL, heading)]
    within = rule("3.1", "Foul — Late Boarding", "Warning", "A passenger who is late sits and waits.")
    [told] = diff(release("2025", *KEPT, *apart), release("2026", *KEPT, within)).changes
    assert [word for word in told.words if word[0] != "="] == [("+", "sits and ")]


def test_several_rules_that_are_one_table_now_neither_came_nor_went() -> None:
    said = [f"Sailor number {n} hoists the {n}th sail as soon as the wind has turned." for n in range(3)]
    before = [rule(f"2.{n}", "", text) for n, text in enumerate(said)]
    table = Table(id="t", language="en", section=(FOUL,), rows=tuple((rich(f"2.{n}"), rich(text)) for n, text in enumerate(said)))
    [told] = diff(release("2025", *KEPT[:3], *before, *KEPT[3:]), release("2026", *KEPT[:3], table, *KEPT[3:])).changes
    assert (told.change, len(told.olds), len(told.news)) == ("changed", 3, 1)


def test_a_table_that_sums_up_announced_rules_is_no_silent_change() -> None:
    def summed_up(loss: str) -> Table:
        rows = (("Foul", "Penalty"), ("Late Boarding", loss), ("Whistling", "Rowing"), ("Loose Ropes", "None"))
        return Table(id="t", language="en", section=("Appendix",), rows=tuple(tuple(map(rich, row)) for row in rows))

    old, new = (replace(each, entries=(*each.entries[:9], summed_up(loss), *each.entries[9:]))
                for each, loss in ((OLD, "Warning"), (NEW, "Game Loss")))  # fmt: skip
    told = sheet(diff(old, new))
    [table] = [each for _, some in told.groups for each in some if isinstance(each.entry, Table)]
    assert not table.unannounced
    assert [each.name for each in told.highlights if each.what == "value"] == ["3.1 Foul — Late Boarding"]


def test_a_list_says_what_came_and_what_went() -> None:
    old = "Banned on deck: anchors, bells, candles, drums, eels, flutes, gulls."
    new = "Banned on deck: anchors, bells, candles, dice, drums, flutes, gulls, hats."
    assert listed(old, new) == (("=", "Banned on deck: […] "), ("+", "+\xa0dice, hats"), ("=", " "), ("-", "−\xa0eels"))
    assert listed(old, "Banned on deck: anything that floats, rings, or burns.") == ()
    assert listed("A ferry, a boat, a raft.", "A ferry, a boat, a log.") == ()
    was, now = (rule("5.1", "Bans", text) for text in (old, new))
    [(_, [shown])] = sheet(diff(release("2025", *KEPT, was), release("2026", *KEPT, now))).groups
    assert shown.rows[-1].line[1] == ("+", "+\xa0dice, hats")


def test_a_line_of_the_list_that_was_read_as_a_rule_is_no_rule() -> None:
    heading = Heading(text=rich("1 September 2026"), level=1, page=9, addresses=("p9.c1.l1",))
    read = replace(rule("1.1", "", "Deck parts are swept twice.", section=("1. Deck",)), addresses=("p9.c1.l2",))
    new = replace(NEW, headings=(heading,), entries=(*NEW.entries[:9], read, *NEW.entries[12:]))
    told = sheet(diff(OLD, new))
    assert (told.added, told.changed) == (0, 3) and told.unfound == ("1.1: Deck parts are swept twice.",)
    alone = replace(text("1 September 2026"), heading=True, addresses=heading.addresses)  # nothing was read under it
    new = replace(NEW, entries=(*NEW.entries[:9], alone, read, *NEW.entries[12:]))
    told = sheet(diff(OLD, new))
    assert (told.added, told.changed) == (0, 3) and told.unfound == ("1.1: Deck parts are swept twice.",)


@pytest.mark.parametrize(("apart", "counts"), [(0, 0), (2, 0), (None, 1)])
def test_contents_are_told_by_the_pages_of_what_they_list(apart: int | None, counts: int) -> None:
    """A table whose numbers are those of the pages is no table of points; one that names the same is."""
    def listed(shift: int) -> Table:
        numbers = [n * n * 7 % 11 if apart is None else n + apart for n in range(1, 6)]
        rows = tuple((rich(f"Deck part {n}"), rich(f"({number + shift})")) for n, number in enumerate(numbers))
        return Table(id="t", language="en", rows=rows, header_rows=0)

    paged = [replace(each, page=n + 1) for n, each in enumerate(KEPT)]
    moved = [replace(each, page=n + 2) for n, each in enumerate(KEPT)]
    told = diff(release("2025", listed(0), *paged), release("2026", listed(1), *moved)).changes
    assert len(told) == counts


def test_many_that_moved_the_same_way_are_one_line() -> None:
    some = [text(f"Rope number {n} hangs on the {n}th hook of the aft wall.", "Aft") for n in range(5)]
    went = [replace(each, section=("Bow",)) for each in some]
    bow = text("The bow is painted red in spring, and again before winter.", "Bow")
    aft = text("The aft is painted blue in spring, and never in any winter.", "Aft")
    told = sheet(diff(release("2025", aft, *some, bow, *KEPT), release("2026", aft, bow, *KEPT, *went)))
    [(_, moved)] = told.groups
    [(was, now, entries)], alone = moves(moved)
    assert (was, now, len(entries), alone) == ("Aft", "Bow", 5, ())


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_text_and_markdown_say_what_is_announced(form: str) -> None:
    made = getattr(change_formats, form)(diff(OLD, NEW), strings("en")["changes"])
    assert "3.1 Foul — Late Boarding" in made and "Late passengers now lose the game." in made
    assert "not announced" in made and "Announced by the publisher, but not found" in made


def test_json_says_what_is_announced() -> None:
    made = change_formats.fields(diff(OLD, NEW))
    assert made["announced_not_found"] == ["2.9: The anchor is heavier."]
    said = {each["new"]["number"]: each["announced"] for each in made["changes"] if each["kind"] == "rule"}
    assert said == {"3.1": ["3.1: Late passengers now lose the game."], "3.2": ["Loose ropes have more time."], "3.3": []}


def test_the_sheet_is_printed(tmp_path: Path) -> None:
    from pipeline.render import render_template

    context = {"sheets": [sheet(diff(OLD, NEW))], "title": "", "since": "", "paper": False, "show": change_formats, "faces": ""}
    made = render_template("changes.html.j2", context, tmp_path / "sheet.html", language="en").read_text()
    assert made.count("3. Fouls") == 1 and "Late passengers now lose the game." in made
    assert "Not in the publisher&#39;s own list of changes: 1" in made


# ---------------------------------------------------------------- real releases, where they are at hand


@pytest.mark.shared
@pytest.mark.slow
def test_every_change_of_a_penalty_guide_names_its_infraction_and_what_was_announced(shared: Path, tmp_path: Path) -> None:
    old, new = (shared / f"real/releases/ipg-2019-{day}.pdf" for day in ("05-03", "07-12"))
    if not old.is_file():
        pytest.skip("these releases are not beside this checkout")
    changes = flow.compare(flow.read(old), flow.read(new))
    told = sheet(changes)
    rules = [rule for _, group in told.groups for rule in group]
    assert len(rules) == 10 and all(re.fullmatch(r"\d\.\d", rule.head.number) and " — " in str(rule.head.title) for rule in rules)
    assert sum(len(rule.announced) for rule in rules) == 10
    assert (announced(changes).unfound, told.unannounced) == ((), 0)
    assert main(["diff", str(old), str(new), "-o", str(tmp_path / "sheet.pdf"), "-q"]) == 0
    assert page_count((tmp_path / "sheet.pdf").read_bytes()) <= 3


UNTOLD = 0.03  # of the words that came or went in all
WORDY = 1.15  # words that a difference says, to those that the shortest one would
IPG = [f"releases/ipg-{day}" for day in ("2018-10-05", "2019-01-21", "2019-05-03", "2019-07-12")]
PAIRS = [*pairwise(IPG), ("releases/86challenge_rules_2024-12-18", "marks/86challenge_2025"), ("releases/onstage_rules_2025", "marks/rcj_onstage_2026")]


def _rubricator(folder: Path) -> str:
    made = folder / "rubricator"
    made.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m pipeline.cli "$@"\n')
    made.chmod(0o755)
    return str(made)


@pytest.mark.shared
@pytest.mark.slow
def test_a_difference_says_hardly_more_words_than_the_shortest(shared: Path, tmp_path: Path) -> None:
    script = shared / "real/diff_words.py"
    if not script.is_file() or not shutil.which("pdftotext"):
        pytest.skip("the script or poppler is missing")
    (tmp_path / "pairs").write_text("\n".join(" ".join(f"{shared}/real/{name}.pdf" for name in pair) for pair in PAIRS))
    done = subprocess.run([sys.executable, script, _rubricator(tmp_path), "--list", tmp_path / "pairs"], capture_output=True, text=True, check=True)
    said = [int(made) / int(shortest) for made, shortest in re.findall(r"said (\d+) / shortest (\d+)", done.stdout)]
    assert len(said) == len(PAIRS) and max(said) <= WORDY, done.stdout


def _unstruck(path: str) -> str:
    """The text of a PDF, by a reader that is not ours, without the letters that are struck out in it."""
    import pdfplumber

    said = []
    with pdfplumber.open(path) as pdf:
        for page in pdf.pages:
            strokes = [(each["x0"], each["x1"], (each["top"] + each["bottom"]) / 2)
                       for each in (*page.rects, *page.lines) if each["bottom"] - each["top"] < 2]  # fmt: skip

            def stays(each: dict[str, Any], strokes: list[tuple[float, float, float]] = strokes) -> bool:
                middle, high = (each["x0"] + each["x1"]) / 2, each["bottom"] - each["top"]
                band = each["top"] + 0.35 * high, each["top"] + 0.75 * high
                return each["object_type"] != "char" or not any(x0 <= middle <= x1 and band[0] < y < band[1] for x0, x1, y in strokes)

            said.append(page.filter(stays).extract_text())
    return "\f".join(said)


@pytest.mark.shared
@pytest.mark.slow
def test_words_that_a_release_strikes_out_went_and_are_all_told(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stand in the new PDF all the same: who counts them there finds that we tell too much."""
    if not (shared / "real/diff_words.py").is_file():
        pytest.skip("the script is missing")
    monkeypatch.syspath_prepend(shared / "real")
    script = importlib.import_module("diff_words")
    monkeypatch.setattr(script, "text", _unstruck)
    old, new = (f"{shared}/real/{name}.pdf" for name in ("releases/f1_2026_sporting_v1", "marks/f1_2026_sporting"))
    told, _ = script.one(_rubricator(tmp_path), old, new)
    assert told["err"] <= UNTOLD * told["size"] and told["said"] <= WORDY * told["short"], told
