"""Words that a neighbour holds in the other release: said once, and only where they are others."""

from __future__ import annotations

from test_diff import PONT, SEL, TOUR, release, rule

from pipeline.diff import apply, diff
from pipeline.diff.redline import differences
from pipeline.records import Changes, Fate, Table
from pipeline.text import rich

GRID = "When the bell rings, every boat must leave the quay within two minutes and keep to its own lane."
ROPE = "A rope that was cut may be tied again, but only by the crew that owns it and never at night."
LAMP = "Lamps are lit before the tide turns, and whoever forgets it pays a coin to the harbour master."


def said(changes: Changes) -> str:
    return " ".join(text.strip() for told in changes.changes for sign, text in told.words if sign in "+-")


def test_rules_that_were_read_as_a_table_are_not_told_twice() -> None:
    rules = [rule("4.1", "", GRID), rule("4.2", "", ROPE), rule("4.3", "", LAMP)]
    rows = tuple((rich(number), rich(text)) for number, text in (("4.1", GRID), ("4.2", ROPE.replace("night", "dawn"))))
    more = (rich("4.4"), rich("Nobody may sell a boat that is not moored, and nobody may buy one that leaks or has no name."))
    old, new = release(PONT, *rules, SEL), release(PONT, Table(id="t", page=1, rows=(*rows, more)), rules[2], SEL)
    changes = diff(old, new)
    assert "every boat must leave" not in said(changes)
    assert "night" in said(changes)
    assert "dawn" in said(changes)
    assert "Nobody may sell" in said(changes)
    assert apply(old.entries, changes) == new.entries


def test_the_end_of_a_rule_that_stands_in_the_next_is_joined_to_it() -> None:
    old = release(PONT, rule("4.1", "", GRID, ROPE), rule("4.2", "", LAMP), SEL)
    new = release(PONT, rule("4.1", "", GRID.replace("two", "three")), rule("4.1a", "", ROPE), rule("4.2", "", LAMP), SEL)
    changes = diff(old, new)
    assert "rope" not in said(changes)
    assert [told.change for told in changes.changes] == [Fate.CHANGED]
    assert apply(old.entries, changes) == new.entries


def test_a_sentence_that_went_to_another_rule_is_told() -> None:
    """Both rules are there in both releases: it does matter under which it stands."""
    old = release(PONT, rule("4.1", "Quay", GRID, ROPE), TOUR, rule("7.2", "Night", LAMP), SEL)
    new = release(PONT, rule("4.1", "Quay", GRID), TOUR, rule("7.2", "Night", LAMP, ROPE), SEL)
    assert said(diff(old, new)).count("A rope that was cut") == 2


def test_a_clause_that_stayed_is_kept_however_much_came_around_it() -> None:
    old = "The captain of the very smallest boat that is moored rows first and the others wait on a northern quay until noon."
    new = "Whoever owns one green lantern with a wick in it rows first and the others wait behind our old lighthouse, all day long."
    kept = [text.strip() for sign, text in differences(old, new) if sign == "="]
    assert "rows first and the others wait" in kept


def test_a_compared_table_is_the_new_table() -> None:
    old = " | Fast | Slow\nBoat | 1 | 2\n | 3 | 4"
    new = " | Fast | Slow\nBoat | 1 | 5\n | 3 | 4\n | | 9"
    made = differences(old, new, "rows")
    assert "".join(text for sign, text in made if sign != "-") == new
