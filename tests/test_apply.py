"""Errata applied: the right passage, the right grade, reversible; and nothing where there is a doubt."""

from __future__ import annotations

import io
import json
import random
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import flow, pdf_notes
from pipeline.apply import apply, misfits, undo
from pipeline.apply.instructions import apart
from pipeline.apply.page_numbers import paging
from pipeline.apply.quote_search import unquoted, unquoted_all
from pipeline.cli import main
from pipeline.records import (
    Change,
    Consolidation,
    Document,
    Erratum,
    Grade,
    Heading,
    Operation,
    Outcome,
    Page,
    Prose,
    Rule,
    Run,
    Table,
)
from pipeline.render import consolidated, words
from pipeline.text import fold, rich
from tests import hostile

ROOT = Path(__file__).parent.parent
VESSMARK = ROOT / "sources/vessmark"
RULES, OLDER, NEWER = (VESSMARK / f"vessmark-{name}.pdf" for name in ("rules", "errata-1.0", "errata-1.1"))
TRUTH = tomllib.loads((ROOT / "tests/samples/truth/vessmark.amendments.toml").read_text(encoding="utf-8"))


@cache
def read(path: Path) -> Document:
    return flow.read(path)


@cache
def vessmark() -> Consolidation:
    return flow.consolidate(read(RULES), [read(NEWER), read(OLDER)])


# ---------------------------------------------------------------- books made of words


def rule(title: str, *body: str, page: int = 1, number: str | None = None) -> Rule:
    return Rule(id=fold(title), number=number, title=rich(title), body=tuple(map(rich, body)), page=page, source="r.pdf")


def rulebook(*entries: Any, language: str = "en", first: int = 1) -> Document:
    pages = max(entry.page for entry in entries)
    numbers = tuple(Heading(text=rich(str(first + page)), level=0, page=page + 1) for page in range(max(pages, 3)))
    return Document(source="r.pdf", sha256="r", pages=max(pages, 3), language=language, entries=tuple(entries),
                    furniture=numbers, title="Rules")  # fmt: skip


def erratum(
    instruction: str, *new: str, target: str = "Ford", pages: Sequence[int] = (1,), old: str | None = None,
    operation: Operation = Operation.REPLACE, name: str = "e",
) -> Erratum:  # fmt: skip
    change = Change(operation=operation, instruction=rich(instruction), old=rich(old) if old else None,
                    new=tuple(map(rich, new)))  # fmt: skip
    return Erratum(id=name, pages=tuple(pages), target=rich(target), changes=(change,), page=1, source="e.pdf")


def errata(*entries: Erratum, language: str = "en", date: str | None = "2026-01", source: str = "e.pdf") -> Document:
    return Document(source=source, sha256=source, pages=1, language=language, date=date, entries=entries)


FORD = rule("Ford", "A boat may cross here. It pays one coin. The toll is due at once.", "Nobody crosses in fog.",
            "• First wait.", "• Then row.", number="1.1")  # fmt: skip
TOWER = rule("Tower", "A tower sees 6 steps. It never sleeps.", number="1.2")
BOOK = rulebook(FORD, TOWER)


def text_of(made: Consolidation, n: int = 0) -> list[str]:
    return [str(text) for text in made.text.entries[n].body]  # type: ignore[union-attr]


def one(book: Document, *entries: Erratum, language: str = "en") -> Consolidation:
    made = apply(book, [errata(*entries, language=language)])
    assert undo(made) == book
    return made


# ---------------------------------------------------------------- the sample game


def test_the_sample_game_carries_the_right_grades() -> None:
    got = [f"{each.grade} {each.outcome} {each.target}" for each in vessmark().amendments]
    assert got == TRUTH["verdicts"]


def test_the_sample_game_reads_as_it_should() -> None:
    made = vessmark()
    rules = {entry.number: entry for entry in made.text.entries if isinstance(entry, Rule)}
    before = {entry.number: entry for entry in made.rulebook.entries if isinstance(entry, Rule)}
    for number, body in TRUTH["rules"].items():
        assert [str(text) for text in rules[number].body] == body, number
    for number in set(rules) - set(TRUTH["rules"]):
        assert rules[number] == before[number], number
    [boats] = [entry for entry in made.text.entries if isinstance(entry, Table)]
    assert [str(cell) for cell in boats.rows[3]] == ["Cutter", "6", "2", "2", "8"]
    assert [str(cell) for cell in boats.rows[4]] == ["Barge", "2", "6", "2", "11"]


def test_taking_them_out_gives_the_original() -> None:
    assert undo(vessmark()) == read(RULES)


def test_later_errata_do_not_count() -> None:
    assert len(apply(read(RULES), [read(NEWER), read(OLDER)], "2026").errata) == 2
    assert len(apply(read(RULES), [read(NEWER), read(OLDER)], "2025").errata) == 1
    made = apply(read(RULES), [read(NEWER), read(OLDER)], "2025-12")
    assert [each.source for each in made.errata] == ["vessmark-errata-1.0.pdf"]
    assert [each.source for each in made.later] == ["vessmark-errata-1.1.pdf"]
    assert "up to 5 steps" in " ".join(map(str, made.text.entries[6].body))  # type: ignore[union-attr]
    assert all(made.as_of == "2025-12" and "1.1" in line for line in consolidated.notice(made, "en") if "As of" in line)


# ---------------------------------------------------------------- kinds of instructions

CASES = [
    # (operation, instruction, old, new, grade, the text that results)
    ("replace", "Replace “one coin” with “two coins”.", "“one coin”", ["“two coins”"], "A", "It pays two coins."),
    ("replace", "Replace “It pays one coin.” with “It pays two coins.”", "“It pays one coin.”", ["“It pays two coins.”"], "A", "here. It pays two coins. The"),
    ("replace", "Change the second sentence to read:", None, ["It pays nothing."], "B", "here. It pays nothing. The"),
    ("replace", "Change the last sentence of the first paragraph to:", None, ["Pay later."], "B", "coin. Pay later."),
    ("replace", "Change the penultimate sentence of the first paragraph to:", None, ["It pays nothing."], "B", "here. It pays nothing. The"),
    ("replace", "Replace the second paragraph with:", None, ["All cross in fog."], "B", "All cross in fog."),
    ("replace", "Amend 2nd paragraph to:", None, ["All cross in fog."], "B", "All cross in fog."),
    ("replace", "Replace the second bullet with:", None, ["• Then swim."], "B", "• Then swim."),
    ("replace", "Replace the first two words with:", None, ["Any raft"], "B", "Any raft may cross"),
    ("insert", "Add the following sentence to the end of the second paragraph:", None, ["Not even ducks."], "B", "fog. Not even ducks."),
    ("insert", "Add the following paragraph after the second paragraph:", None, ["Ducks do."], "B", "Ducks do."),
    ("insert", "Add the following bullet to the end of the list:", None, ["• Rest."], "B", "• Rest."),
    ("insert", "Insert “dry” before “boat may”.", None, ["“dry”"], "A", "A dry boat may"),
    ("delete", "Delete “at once”.", "“at once”", [], "A", "The toll is due."),
    ("delete", "Delete the second sentence.", None, [], "B", "here. The toll"),
    ("delete", "Delete the last bullet.", None, [], "B", "• First wait."),
]  # fmt: skip


@pytest.mark.parametrize(("operation", "instruction", "old", "new", "grade", "reads"), CASES)
def test_an_instruction_is_followed(
    operation: str, instruction: str, old: str | None, new: list[str], grade: str, reads: str
) -> None:
    made = one(BOOK, erratum(instruction, *new, old=old, operation=Operation(operation)))
    [amendment] = made.amendments
    assert (amendment.grade, amendment.outcome) == (grade, Outcome.APPLIED), amendment.reason
    assert reads in "\n".join(text_of(made))
    assert made.text.entries[1] == TOWER


LANGUAGES = [
    ("fr", "Remplacez la deuxième phrase par :", "replace"), ("fr", "Supprimez la dernière phrase du premier paragraphe.", "delete"),
    ("fr", "Ajoutez la phrase suivante à la fin du deuxième paragraphe :", "insert"), ("fr", "Remplacez la seconde puce par :", "replace"),
    ("fr", "Ajoutez à la fin de la liste :", "insert"), ("fr", "Ajoutez le paragraphe suivant à la fin de cette section :", "insert"),
    ("de", "Ersetze den zweiten Satz durch:", "replace"), ("de", "Streiche den letzten Satz des ersten Absatzes.", "delete"),
    ("de", "Füge am Ende des zweiten Absatzes folgenden Satz hinzu:", "insert"), ("de", "Ersetzen Sie den zweiten Absatz durch:", "replace"),
    ("es", "Sustituye la segunda frase por:", "replace"), ("es", "Elimina la última frase del primer párrafo.", "delete"),
    ("es", "Añade la siguiente frase al final del segundo párrafo:", "insert"),
    ("it", "Sostituite la seconda frase con:", "replace"), ("it", "Eliminate l’ultima frase del primo paragrafo.", "delete"),
    ("it", "Aggiungete la frase seguente alla fine del secondo paragrafo:", "insert"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "instruction", "operation"), LANGUAGES)
def test_five_languages_are_understood(language: str, instruction: str, operation: str) -> None:
    new = () if operation == "delete" else ("Neuf mots nouveaux viennent ici.",)
    made = one(replace(BOOK, language=language), erratum(instruction, *new, operation=Operation(operation)), language=language)
    [amendment] = made.amendments
    assert (amendment.grade, amendment.outcome) == (Grade.B, Outcome.APPLIED), (amendment.reason, amendment.about)


def test_another_language_follows_quotations_only() -> None:
    book = replace(BOOK, language="pl")
    quoted = erratum("Zamień „one coin” na „two coins”.", "„two coins”", old="„one coin”")
    counted = erratum("Zamień drugie zdanie na:", "Nic.", name="f")
    made = one(book, quoted, counted, language="pl")
    assert [(each.grade, each.reason) for each in made.amendments] == [("A", ""), ("C", "language")]


def test_a_value_is_changed_where_row_and_column_meet() -> None:
    boats = Table(id="t", title=rich("Boats"), page=2, source="r.pdf", rows=tuple(
        tuple(map(rich, row)) for row in (("Boat", "M", "Cost"), ("Skiff", "10”", "4"), ("Barge", "6”", "9"))))  # fmt: skip
    book = rulebook(FORD, boats)

    def tried(instruction: str, *new: str, old: str | None = None) -> Any:
        made = one(book, erratum(instruction, *new, target="Boats", pages=(2,), old=old))
        return made.amendments[0], [[str(cell) for cell in row] for row in made.text.entries[1].rows]  # type: ignore[union-attr]

    amendment, rows = tried("Change M of the Barge to 8”.", "8”")
    assert (amendment.grade, rows[2]) == (Grade.B, ["Barge", "8”", "9"])
    amendment, rows = tried("Change the Cost of the Barge from 9 to 8.", "8", old="9")
    assert (amendment.grade, rows[2]) == (Grade.A, ["Barge", "6”", "8"])
    amendment, rows = tried("The Skiff should have Cost 4.")
    assert (amendment.grade, amendment.outcome) == (Grade.A, Outcome.PRESENT)
    amendment, rows = tried("Change the Cost of the Skiff from 9 to 8.", "8", old="9")  # it is the Barge's
    assert amendment.outcome is Outcome.REFUSED


def test_every_instance_on_the_page() -> None:
    made = one(BOOK, erratum("Replace all instances of “coin” with “penny”.", "“penny”", old="“coin”"),
               erratum("Replace “cross” with “wade” throughout.", "“wade”", old="“cross”", name="f"))  # fmt: skip
    assert "one penny" in text_of(made)[0] and "may wade" in text_of(made)[0]
    assert "crosses" in text_of(made)[1]  # another word


def test_the_rulebook_may_say_so_already() -> None:
    made = one(BOOK, erratum("Add the following paragraph to the end of this rule:", "Nobody crosses in fog.",
                             operation=Operation.INSERT))  # fmt: skip
    assert made.text == BOOK
    assert made.amendments[0].outcome is Outcome.PRESENT
    made = one(BOOK, erratum("Replace “two coins” with “pays one coin”.", "“pays one coin”", old="“two coins”"))
    assert (made.text, made.amendments[0].outcome) == (BOOK, Outcome.PRESENT)


# ---------------------------------------------------------------- in doubt, nothing

DOUBTS = [
    (erratum("Replace “three coins” with “two coins”.", "“two coins”", old="“three coins”"), "old-text-not-found"),
    (erratum("Replace “It” with “This”.", "“This”", old="“it”", target="Tower"), ""),
    (erratum("Replace the fifth sentence with:", "No."), "no-such-piece"),
    (erratum("Replace the third paragraph with:", "No."), "which-one"),
    (erratum("Replace with:", "No."), "which-one"),
    (erratum("Change the first sentence to read:", "No.", target="Bridge"), "no-such-heading"),
    (erratum("Change the first sentence to read:", "No.", pages=(3,)), "other-page"),
    (erratum("Change the first sentence to read:", "No.", pages=(40,)), "no-such-page"),
    (erratum("Change the first sentence to read:", "No.", pages=(), target=""), "no-place"),
    (erratum("Replace the diagram with:", "No."), "picture"),
    (erratum("In the pocket edition, replace the first sentence with:", "No."), "conditional"),
    (erratum("Replace “coin” with “penny” except for barges.", "“penny”", old="“coin”"), "conditional"),
    (erratum("Replace the first sentence of the frobnication with:", "No."), "not-understood"),
    (erratum("Replace “coin” with “penny” and “toll” with “fee”.", "“penny”", old="“coin”"), "more-is-quoted"),
    (erratum("", "A toll is a fee.", operation=Operation.CLARIFY), "clarifies"),
    (erratum("Add the following:", "More.", operation=Operation.INSERT), "not-understood"),
    (erratum("Delete this.", operation=Operation.DELETE), "not-understood"),
    (erratum("Replace the second sentence with:"), "no-new-text"),
    (erratum("Replace “A boat must cross here” by something.", "“A boat must cross here”", target="Tower"), "not-understood"),
    (erratum("Add the following section before “Nobody”:", "No.", operation=Operation.INSERT), "not-understood"),
    (erratum("Replace “pays one coin” with “[…] two coins […]”.", "“[…] two coins […]”", old="“pays one coin”"), "not-understood"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "reason"), DOUBTS, ids=[f"{n}-{why}" for n, (_, why) in enumerate(DOUBTS)])
def test_an_erratum_that_does_not_fit_changes_nothing(wrong: Erratum, reason: str) -> None:
    made = one(BOOK, wrong)
    [amendment] = made.amendments
    if reason:
        assert (made.text, amendment.grade, amendment.reason) == (BOOK, Grade.C, reason)
    assert amendment.reason in {"", *consolidated.words_of("en")["reasons"]}


def test_a_rule_with_parts_has_no_clear_end() -> None:
    book = rulebook(rule("Boats", "Boats float.", number="2"), rule("Skiffs", "They are small.", number="2.1"))
    made = one(book, erratum("Add the following paragraph to the end of this section:", "They sink, too.", target="Boats",
                             operation=Operation.INSERT))  # fmt: skip
    assert (made.text, made.amendments[0].reason) == (book, "has-parts")


def test_two_headings_of_one_name_are_a_doubt() -> None:
    book = rulebook(rule("Ford", "A boat may pass. It pays."), rule("Ford", "A cart may pass. It waits."))
    made = one(book, erratum("Change the second sentence to read:", "No."))
    assert (made.text, made.amendments[0].reason) == (book, "which-place")
    made = one(book, erratum("Replace “a cart may pass” with “a cart must stop”.", "“a cart must stop”", old="“a cart may pass”"))
    assert made.amendments[0].grade is Grade.B


def test_numbers_are_never_nearly_the_same() -> None:
    old = "a tower with a bright lamp sees 7 steps on a clear night"
    book = rulebook(rule("Tower", "A tower with a bright lamp sees 6 steps on a clear night."))
    made = one(book, erratum(f"Replace “{old}” with “It sees nothing”.", "“It sees nothing”", old=old, target="Tower"))
    assert (made.text, made.amendments[0].reason) == (book, "old-text-not-found")
    near = old.replace("7", "6").replace("bright", "splendid")
    made = one(book, erratum(f"Replace “{near}” with “It sees nothing”.", "“It sees nothing”", old=near, target="Tower"))
    assert (made.amendments[0].grade, made.amendments[0].reason) == (Grade.B, "nearly")
    assert ("-", "splendid") in made.amendments[0].nearly and ("+", "bright") in made.amendments[0].nearly


def test_the_same_words_once_on_each_page() -> None:
    setups = [rule("Setting up", f"Stand 6 steps from the edge of map {n}.", page=n) for n in (1, 2, 3)]
    book = rulebook(*setups)
    change = erratum("Replace “6 steps” with “5 steps”.", "“5 steps”", old="“6 steps”", target="Setting up", pages=(1, 3))
    made = one(book, change)
    assert [text_of(made, n)[0][6:13] for n in range(3)] == ["5 steps", "6 steps", "5 steps"]
    assert made.amendments[0].grade is Grade.A


def test_a_paragraph_that_was_cut_is_not_counted() -> None:
    book = rulebook(rule("Ford", "A boat may cross", "Here it pays one coin.", "Nobody crosses in fog."))
    made = one(book, erratum("Replace the third paragraph with:", "All do."))
    assert (made.text, made.amendments[0].reason) == (book, "broken-paragraphs")
    book = rulebook(rule("Ford", "A boat may cross here.", "It pays one coin and, if the tide is out of reach for it, a"))
    made = one(book, erratum("Add the following paragraph to the end of this rule:", "Now.", operation=Operation.INSERT))
    assert (made.text, made.amendments[0].reason) == (book, "no-bounds")


# ---------------------------------------------------------------- several releases


def releases(*made: tuple[str, str, str]) -> list[Document]:
    return [
        errata(erratum(f"Replace “{old}” with “{new}”.", f"“{new}”", old=f"“{old}”"), date=date, source=f"{date}.pdf")
        for date, old, new in made
    ]


def test_a_later_erratum_goes_on_from_an_earlier_one() -> None:
    made = apply(BOOK, releases(("2026-02", "two coins", "three coins"), ("2026-01", "one coin", "two coins")))
    assert "three coins" in text_of(made)[0]
    assert undo(made) == BOOK


def test_a_later_erratum_may_undo_an_earlier_one() -> None:
    made = apply(BOOK, releases(("2026-01", "one coin", "two coins"), ("2026-02", "two coins", "one coin")))
    assert made.text == BOOK
    assert undo(made) == BOOK


def test_a_later_erratum_may_take_the_place_of_an_earlier_one() -> None:
    made = apply(BOOK, releases(("2026-01", "one coin", "two coins"), ("2026-02", "one coin", "three coins")))
    assert "pays three coins" in text_of(made)[0]
    assert [each.outcome for each in made.amendments] == [Outcome.SUPERSEDED, Outcome.APPLIED]
    assert undo(made) == BOOK


def test_what_is_counted_is_counted_as_it_was_printed() -> None:
    inserted = erratum("Add the following paragraph after the first paragraph:", "Ducks are boats.", operation=Operation.INSERT)
    counted = erratum("Replace the second paragraph with:", "All cross in fog.", name="f")
    made = one(BOOK, inserted, counted)
    assert "Ducks are boats." in text_of(made) and "All cross in fog." not in text_of(made)
    assert made.amendments[1].reason == "counted-otherwise"


def test_the_same_erratum_twice_counts_once() -> None:
    again = erratum("Add the following paragraph to the end of this rule:", "Pay.", target="Tower", operation=Operation.INSERT)
    made = apply(BOOK, [errata(again, source="a.pdf"), errata(again, source="b.pdf", date="2026-02")])
    assert text_of(made, 1).count("Pay.") == 1
    assert made.amendments[1].reason == "repeated"


def test_a_later_printing_is_not_amended_twice() -> None:
    told = [erratum("Replace “two coins” with “pays one coin”.", "“pays one coin”", old="“two coins”", name="a"),
            erratum("Change the first sentence to read:", "A tower sees 6 steps.", target="Tower", name="b")]  # fmt: skip
    counted = erratum("Delete the last sentence of the first paragraph.", operation=Operation.DELETE, name="c")
    made = one(BOOK, *told, counted)
    assert made.text == BOOK
    assert [each.reason for each in made.amendments] == ["says-so", "says-so", "later-printing"]


# ---------------------------------------------------------------- properties

NAMES = ("Ford", "Tower", "Quay", "Mill", "Weir", "Loft")
WORDS = ("boat", "crew", "lantern", "crate", "fog", "tide", "rope", "bell", "coin", "step")


@st.composite
def books(draw: st.DrawFn) -> tuple[Document, list[Erratum]]:
    """A rulebook and errata, at most one for each rule; some fit, some do not."""
    seed = random.Random(draw(st.integers(0, 10_000)))
    rules, corrections = [], []
    for n, name in enumerate(NAMES):
        said = [" ".join(seed.choice(WORDS) for _ in range(seed.randint(4, 9))).capitalize() + "." for _ in range(6)]
        rules.append(rule(name, f"{said[0]} {said[1]}", f"{said[2]} {said[3]}", said[4], page=1 + n // 2))
        told = f"{name} says so now."
        held = seed.choice((said[0], said[2], "Something that nobody wrote in any book."))
        corrections.append(seed.choice((
            erratum(f"Replace “{held}” with “{told}”", f"“{told}”", old=f"“{held}”", target=name, pages=(1 + n // 2,), name=name),
            erratum("Replace the second paragraph with:", told, target=name, pages=(1 + n // 2,), name=name),
            erratum("Delete the first sentence.", target=name, operation=Operation.DELETE, pages=(1 + n // 2,), name=name),
            erratum("Add the following paragraph to the end of this rule:", told, target=name, pages=(1 + n // 2,),
                    operation=Operation.INSERT, name=name),
            erratum("Replace the ninth paragraph with:", told, target=name, pages=(1 + n // 2,), name=name),
        )))  # fmt: skip
    return rulebook(*rules), corrections


@given(books())
@settings(max_examples=60)
def test_apply_then_undo_is_the_identity(made: tuple[Document, list[Erratum]]) -> None:
    book, corrections = made
    result = apply(book, [errata(*corrections)])
    assert undo(result) == book
    assert len(result.amendments) == len(corrections)
    for each in result.amendments:
        if each.outcome is not Outcome.APPLIED:
            assert not each.edits
            assert each.passage is None or result.text.entries[each.passage] == book.entries[each.passage]


@given(books(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_order_of_independent_errata_does_not_matter(made: tuple[Document, list[Erratum]], shuffled: Any) -> None:
    book, corrections = made
    other = list(corrections)
    shuffled.shuffle(other)
    assert apply(book, [errata(*corrections)]).text == apply(book, [errata(*other)]).text


# ---------------------------------------------------------------- pages


def paged(texts: dict[int, Sequence[str]], pages: int) -> Document:
    furniture = tuple(Heading(text=rich(text), level=0, page=page) for page, held in texts.items() for text in held)
    return Document(source="r.pdf", sha256="r", pages=pages, furniture=furniture)


def test_printed_pages_are_found() -> None:
    extract = paging(paged({n: (f"Rules · {n + 40}",) for n in range(2, 9)}, 9))
    assert (extract.known, extract.sheet(43), extract.sheet(49), extract.sheet(50)) == (True, 3, 9, None)
    front = paging(paged({n: (str(n - 4), "Vessmark 2025") for n in range(6, 30)}, 40))
    assert front.sheet(12) == 16
    double = paging(paged({n: (str(2 * n - 2), str(2 * n - 1)) for n in range(2, 9)}, 9))
    assert (double.a_sheet, double.sheet(2), double.sheet(3), double.sheet(9)) == (2, 2, 2, 5)
    none = paging(paged(dict.fromkeys(range(1, 9), ("Vessmark 2025",)), 9))
    assert not none.known


def test_without_numbers_the_heading_must_do() -> None:
    book = replace(BOOK, furniture=())
    made = one(book, erratum("Change the second sentence to read:", "It pays nothing.", pages=(77,)))
    assert made.amendments[0].outcome is Outcome.APPLIED
    made = one(book, erratum("Replace “one coin” with “two coins”.", "“two coins”", old="“one coin”", target=""))
    assert made.amendments[0].reason == "pages-not-known"


@pytest.mark.parametrize("target", ["1.2", "Rule 1.2", "1.2 Tower", "Section 1.2: Tower", "1.2. Tower", "TOWER"])
def test_a_target_may_be_a_number(target: str) -> None:
    made = one(BOOK, erratum("Replace “6 steps” with “8 steps”.", "“8 steps”", old="“6 steps”", target=target))
    assert (made.amendments[0].grade, "8 steps" in text_of(made, 1)[0]) == (Grade.A, True)
    made = one(BOOK, erratum("Replace “6 steps” with “8 steps”.", "“8 steps”", old="“6 steps”", target="Rule 1.1"))
    assert made.text == BOOK


def test_a_target_may_name_the_piece() -> None:
    made = one(BOOK, erratum("Replace with:", "All cross in fog.", target="Ford, second paragraph"))
    assert text_of(made)[1] == "All cross in fog."


# ---------------------------------------------------------------- the wrong book


def test_another_rulebook_is_refused() -> None:
    strange = [erratum("Delete this rule.", target=name, pages=(1,), operation=Operation.DELETE) for name in ("Dragon", "Elf", "Orc")]
    assert "another game" in misfits(BOOK, [errata(*strange)])["e.pdf"]
    assert "language" in misfits(BOOK, [errata(erratum("x"), language="fr")])["e.pdf"]
    assert "no errata" in misfits(BOOK, [errata()])["e.pdf"]


def test_another_edition_is_refused() -> None:
    entries = (entry for entry in read(RULES).entries if isinstance(entry, Rule))
    shifted = rulebook(*(replace(entry, page=entry.page + 4, addresses=()) for entry in entries), first=7)
    assert "another edition" in misfits(shifted, [read(OLDER)])["vessmark-errata-1.0.pdf"]
    moved = [erratum("Delete the first sentence.", target=n, pages=(3,), operation=Operation.DELETE) for n in NAMES]
    book = rulebook(*(rule(name, "It is here. It stays.", page=1) for name in NAMES))
    assert "another edition" in misfits(book, [errata(*moved)])["e.pdf"]


@pytest.mark.parametrize(
    ("rules", "code", "said"),
    [
        (ROOT / "sources/brass-orrery/orrery-faq.pdf", 2, "another game or edition"),
        (ROOT / "sources/tannengrund/tannengrund-faq.pdf", 2, "another language"),
        (ROOT / "sources/vessmark/missing.pdf", 3, "no such file"),
        (ROOT / "README.md", 3, "not a PDF"),
    ],
)
def test_bad_input_is_one_line(rules: Path, code: int, said: str, tmp_path: Path, capfd: Any) -> None:
    out = tmp_path / "out"
    assert main(["apply", str(rules), str(OLDER), "-o", str(out)]) == code
    told = capfd.readouterr().err.strip()
    assert said in told and len(told.splitlines()) == 1
    assert not out.exists()


def test_a_scan_is_one_line(tmp_path: Path, capfd: Any) -> None:
    [scan] = hostile.write(tmp_path, {"scan": hostile.page(b"0 0 200 200 re f")})
    assert main(["apply", str(scan), str(OLDER)]) in (3, 4)
    assert len(capfd.readouterr().err.strip().splitlines()) == 1


def test_a_source_is_never_written_over(capfd: Any) -> None:
    before = RULES.read_bytes()
    assert main(["apply", str(RULES), str(OLDER), "--annotate", str(RULES)]) == 2
    assert main(["apply", str(RULES), str(RULES)]) == 2
    assert main(["apply", str(RULES), str(OLDER), "--as-of", "soon"]) == 2
    assert RULES.read_bytes() == before


# ---------------------------------------------------------------- what is printed


def test_nothing_is_hidden() -> None:
    made = vessmark()
    book = consolidated.book(made, "vessmark")
    changed = [ruling for ruling in book.rulings if ruling.since]
    assert len(changed) == len({edit.entry for each in made.amendments for edit in each.edits})
    assert all(ruling.notes and ruling.original for ruling in changed)
    told = " ".join(str(note.head) + str(note.body) for ruling in book.rulings for note in ruling.notes)
    assert len(made.amendments) == sum(len(ruling.notes) for ruling in book.rulings)
    for old in ("The Watch never enters a boat.", "The dice of a tarred boat may be rolled again once.", "up to 4", "warm"):
        assert old in told
    assert "17 of 25" in book.notice[0] and "(6 A, 11 B)" in book.notice[0] and "7" in book.notice[2]
    assert len(book.rulings) == len(made.text.entries) + 1  # Smugglers


def test_the_patch_sheet_has_the_changed_rules_only() -> None:
    patch = consolidated.book(vessmark(), "vessmark", changed_only=True)
    numbers = {ruling.entry.number for ruling in patch.rulings if isinstance(ruling.entry, Rule)}
    assert set(TRUTH["rules"]) <= numbers
    assert not {"4.1", "4.5"} & numbers
    assert [str(ruling.entry.target) for ruling in patch.rulings if isinstance(ruling.entry, Erratum)] == ["Fog", "Fog", "Warehouses", "Smugglers"]


def test_every_word_is_there_in_every_language() -> None:
    folder = words.home() / "apply"
    english = consolidated.words_of("en")
    for path in folder.glob("*.toml"):
        held = consolidated.words_of(path.stem)
        assert set(held) == set(english) and set(held["reasons"]) == set(english["reasons"]), path.stem
        for ours, theirs in ((held, english), (held["reasons"], english["reasons"])):
            for name, said in theirs.items():
                assert set(re.findall(r"\{\w+\}", str(ours[name]))) >= set(re.findall(r"\{\w+\}", said if isinstance(said, str) else "")), name
    keys = [set(tomllib.loads(path.read_text(encoding="utf-8"))) for path in (ROOT / "pipeline/apply/words").glob("*.toml")]
    assert len(keys) == 5 and all(held == keys[0] for held in keys)


def test_the_marks_around_a_text_are_no_text() -> None:
    assert unquoted(rich("« Il passe. »")) == "Il passe."
    assert unquoted(rich("“A” and “B”")) == "“A” and “B”"
    assert unquoted(rich("“Move 6” on.”")) == "Move 6” on."
    assert unquoted_all([rich("‘It is the crew's.'")]) == ("It is the crew's.",)
    assert unquoted_all([rich("“Never closed. It’s odd.")]) == ("Never closed. It’s odd.",)
    assert unquoted_all([rich("• Never opened. »")]) == ("• Never opened.",)
    assert unquoted_all([rich("Move 6”")]) == ("Move 6”",)
    assert unquoted_all([rich("« Old. »"), rich("Par « new. »")]) == ("« Old. »", "Par « new. »")
    assert unquoted_all([rich("“One."), rich("Two.”")]) == ("One.", "Two.")
    assert apart("Change ‘the crew’s boat’ to ‘a boat’.")[1] == ["the crew’s boat", "a boat"]


# ---------------------------------------------------------------- files


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample rulebook that has a link and bookmarks of its own, with the errata on it."""
    import pikepdf

    folder = tmp_path_factory.mktemp("annotated")
    with pikepdf.open(RULES) as pdf:
        link = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Link, Rect=[10, 10, 60, 20],
                                  A=pikepdf.Dictionary(S=pikepdf.Name.URI, URI=pikepdf.String("https://example.org/")))  # fmt: skip
        pdf.pages[0].obj["/Annots"] = pikepdf.Array([pdf.make_indirect(link)])
        with pdf.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem("The Round", 0))
        pdf.save(folder / "rules.pdf")
    code = main(["apply", str(folder / "rules.pdf"), str(OLDER), str(NEWER), "--annotate", str(folder / "out.pdf"), "--quiet"])
    assert code == 0
    return folder


def test_the_pages_stay_as_they_were(annotated: Path) -> None:
    import pikepdf

    with pikepdf.open(annotated / "rules.pdf") as before, pikepdf.open(annotated / "out.pdf") as after:
        assert len(before.pages) == len(after.pages)
        for one_page, other in zip(before.pages, after.pages, strict=True):
            assert one_page.Contents.read_bytes() == other.Contents.read_bytes()
        first = after.pages[0].obj.Annots[0]
        assert (str(first.Subtype), str(first.A.URI)) == ("/Link", "https://example.org/")
        with after.open_outline() as outline:
            titles = [item.title for item in outline.root]
            assert "The Round" in titles and titles[-1] == "Errata (25)"
            assert len(outline.root[-1].children) == 25


def test_every_note_is_on_its_passage(annotated: Path) -> None:
    import pikepdf
    import pypdfium2

    found: dict[str, list[str]] = {}
    document = pypdfium2.PdfDocument(annotated / "out.pdf")
    with pikepdf.open(annotated / "out.pdf") as pdf:
        kinds = [str(each.Subtype) for page in pdf.pages for each in page.obj.get("/Annots", [])]
        assert kinds.count("/Text") == kinds.count("/Square") >= 25
        for number, page in enumerate(pdf.pages):
            text = document[number].get_textpage()
            for each in page.obj.get("/Annots", []):
                if str(each.Subtype) != "/Highlight":
                    continue
                quads = [float(value) for value in each.QuadPoints]
                for at in range(0, len(quads), 8):
                    xs, ys = quads[at : at + 8 : 2], quads[at + 1 : at + 8 : 2]
                    held = text.get_text_bounded(min(xs) - 1, min(ys) + 2, max(xs) + 1, max(ys) - 2)
                    found.setdefault(str(each.Subj), []).append(" ".join(held.split()))
    said = {title: " ".join(held) for title, held in found.items()}
    assert "The Watch never enters a boat" in said["B · p. 10 · The Watch"]
    assert "up to 4" in said["A · p. 9 · Row"]
    assert "9" in said["A · p. 11 · Boats"] and "3" in said["B · p. 11 · Boats"]
    assert "coins" in said["A · p. 11 · Selling"]
    assert "Fog" in said["C · p. 10 · Fog"]
    assert "Falling" not in said["B · p. 10 · Falling into the Water"]
    fallen = said["B · p. 10 · Falling into the Water"].replace("\x02", "")  # pdfium's sign for a hyphen at the end of a line
    assert "harbour keeps" in fallen.replace("har bour", "harbour")


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_page_has_its_marks_in_place(turn: int) -> None:
    import pikepdf

    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(300, 400))
    pdf.pages[0].obj.Rotate = turn
    wide, high = (300, 400) if turn % 180 == 0 else (400, 300)
    place = pdf_notes._Place(pdf.pages[0])
    corners = [place.point(x, y) for x, y in ((0, 0), (wide, 0), (0, high), (wide, high))]
    assert {(round(x), round(y)) for x, y in corners} == {(0, 0), (300, 0), (0, 400), (300, 400)}
    start = {0: (0, 400), 90: (0, 0), 180: (300, 0), 270: (300, 400)}[turn]
    assert corners[0] == start


def test_a_passage_over_two_columns_is_found() -> None:
    def line(text: str, x: float, y: float) -> Run:
        return Run(text=text, x0=x, top=y, x1=x + 5 * len(text), bottom=y + 9, baseline=y + 7, font="f", size=9)

    page = Page(number=1, width=300, height=200, runs=(
        line("Something else ends. The crew", 10, 20), line("must not row in fog, nor haul", 170, 20),
        line("may row by day. At night it", 10, 32), line("a crate. Another rule begins.", 170, 32)))  # fmt: skip
    text = "The crew may row by day. At night it must not row in fog, nor haul a crate."
    spots = pdf_notes.spots(text, 0, len(text), pdf_notes.segments(page))
    assert [(round(spot.box.x0) > 160, spot.box.top) for spot in spots] == [(False, 20), (False, 32), (True, 20), (True, 32)]
    assert pdf_notes.spots("Nothing of this is printed anywhere here.", 0, 10, pdf_notes.segments(page)) == []


def test_the_report_lists_every_erratum(capsys: Any) -> None:
    assert main(["apply", str(RULES), str(OLDER), str(NEWER), "--report"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("25 amendments: 17 applied; 1 in the rulebook already; 1 superseded; 6 not applied (7 A, 11 B, 7 C)")
    assert len(re.findall(r"^[ABC]  p\.", told, flags=re.MULTILINE)) == 25
    assert "   - • Roll two dice and add the Grip of your crew.\n   + • Roll two dice and add the Grip of your boat." in told


def test_the_text_goes_to_files(tmp_path: Path) -> None:
    common = ["apply", str(RULES), str(OLDER), str(NEWER), "--quiet", "-o"]
    assert main([*common, str(tmp_path / "a.json")]) == 0
    held = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert [each["grade"] for each in held["amendments"]] == [line[0] for line in TRUTH["verdicts"]]
    assert {entry["number"]: entry["body"] for entry in held["entries"] if entry.get("number") == "4.7"} == {"4.7": TRUTH["rules"]["4.7"]}
    assert main([*common, str(tmp_path / "a.md")]) == 0
    assert "as many steps as its card says" in (tmp_path / "a.md").read_text(encoding="utf-8")
    assert main([*common, str(tmp_path / "a.docx")]) == 2
    assert main([*common, str(tmp_path / "a.pdf"), "--product", "web"]) == 2
    assert main([*common, str(tmp_path / "a.html"), "--product", "slips"]) == 2
    assert main([*common, str(tmp_path / "a.pdf"), "--product", "patch", "--product", "slips"]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "a.md"]
    assert main([*common, str(tmp_path / "v1.1"), "--product", "slips"]) == 0
    assert [path.name for path in (tmp_path / "v1.1").iterdir()] == ["slips.pdf"]


@pytest.mark.slow
def test_the_products_are_printed(tmp_path: Path) -> None:
    import pypdf

    assert main(["apply", str(RULES), str(OLDER), str(NEWER), "--quiet", "-o", str(tmp_path / "out")]) == 0
    made = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert made == ["booklet-print.pdf", "booklet.pdf", "patch.pdf", "reader.pdf", "slips.pdf", "web.html"]
    cover = pypdf.PdfReader(tmp_path / "out/booklet.pdf").pages[0].extract_text()
    assert "17 of 25" in " ".join(cover.split()) and "NOT in this text: 7" in " ".join(cover.split())
    page = (tmp_path / "out/web.html").read_text(encoding="utf-8")
    assert "<details class=\"more\"><summary><b>A</b> Errata 1.0, p.\u00a01" in page.replace("p. 1", "p.\u00a01")
    slips = "".join(each.extract_text() for each in pypdf.PdfReader(io.BytesIO((tmp_path / "out/slips.pdf").read_bytes())).pages)
    assert "All crews of yours" in " ".join(slips.split()) and "never enters" not in slips


def test_a_book_names_its_rulebook_or_it_is_found() -> None:
    from pipeline.config import BookSettings, load_book

    found = [read(path) for path in (RULES, OLDER, NEWER)]
    named = flow.as_amended(found, load_book(VESSMARK))
    guessed = flow.as_amended(found, BookSettings())
    assert named == guessed == vessmark()
    argance = [read(path) for path in sorted((ROOT / "sources/brumes-d-argance").glob("*.pdf"))]
    assert flow.as_amended(argance, BookSettings()) is None


def test_diff_and_history_know_the_text(capsys: Any) -> None:
    assert main(["diff", str(OLDER), str(NEWER), "--rulebook", str(RULES), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sorted(each["new"]["number"] for each in told["changes"]) == ["2.2", "3.1", "3.2", "4.2", "4.6", "4.7"]
    assert main(["history", str(OLDER), str(NEWER), "--rulebook", str(RULES), "--entry", "as its card says"]) == 0
    assert "2025-09  changed" in (said := capsys.readouterr().out) and "2026-02  changed" in said
    assert main(["since", "2025-12", str(VESSMARK)]) == 0
    assert "as many steps as its card says" in capsys.readouterr().out


def test_a_text_that_stays_is_not_touched() -> None:
    prose = Prose(id="p", text=rich("Only words."), page=1, source="r.pdf")
    made = one(rulebook(FORD, prose), erratum("Replace “Only words” with “Few words”.", "“Few words”", old="“Only words”", target=""))
    assert made.amendments[0].outcome is Outcome.APPLIED
    assert str(made.text.entries[1].text) == "Few words."  # type: ignore[union-attr]
    assert made.text.entries[0] == FORD


# ---------------------------------------------------------------- a real pair


@pytest.mark.shared
def test_the_real_pair(shared: Path) -> None:
    book, fixes = shared / "real/apply/dzc_rulebook_3.01.pdf", shared / "real/marks/dzc_errata_301.pdf"
    if not book.exists():
        pytest.skip("the shared folder has no rulebook")
    made = flow.consolidate(read(book), [read(fixes)])
    named = [each for each in made.amendments if each.pages]
    assert sum(each.grade is not Grade.C for each in named) >= 0.8 * len(named)
    assert made.text == made.rulebook  # the digital edition has them all: whatever is put in now is wrong
