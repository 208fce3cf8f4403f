"""Who stands under whom: numbers, looks, bookmarks and the contents page, weighed together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from blocks import structure

from pipeline.classify import classify
from pipeline.classify.grammar import grammar
from pipeline.classify.numbers import follows, is_under, read_number
from pipeline.records import QA, AnyEntry, Block, Bookmark, Box, Definition, Erratum, Prose, Role, Rule, Text
from pipeline.text import rich

SAYS = "Each of the four keepers takes one lantern from the tower and lights it."


def entries(page: str) -> tuple[AnyEntry, ...]:
    return classify(structure(f"lang: en\n{page}")).entries


def rules(page: str) -> list[tuple[str | None, str, tuple[str, ...]]]:
    return [(e.number, str(e.title), e.section) for e in entries(page) if isinstance(e, Rule)]


@pytest.mark.parametrize(
    ("text", "number", "rest"),
    [("2.1.3 Teams", "2.1.3", "Teams"), ("4.2 (a) For", "4.2 (a)", "For"), ("B1.10.2 Reports", "B1.10.2", "Reports"),
     ("A.5.11.d.i) If", "A.5.11.d.i", "If"), ("6.2.A.1 Size", "6.2.A.1", "Size"), ("R601 Power", "R601", "Power"),
     ("§ 4 Time", "§ 4", "Time"), ("Article 9 – Clocks", "9", "Clocks"), ("III. Turns", "III", "Turns"),
     ("12) Draws", "12", "Draws"), ("5 bis. Loans", "5 bis", "Loans"), ("12.3d Towers", "12.3d", "Towers")],
)  # fmt: skip
def test_a_number_is_read_whole(text: str, number: str, rest: str) -> None:
    found = read_number(text, grammar("en"))
    assert found is not None and (found.text, text[found.end :]) == (number, rest)


@pytest.mark.parametrize("text", ["A player rows.", "I row.", "12.05.2025 is a day.", "e.g. a boat", "No. It sinks."])
def test_what_only_looks_like_a_number_is_none(text: str) -> None:
    assert read_number(text, grammar("en")) is None


def test_numbers_follow_and_stand_under_each_other() -> None:
    words = grammar("en")
    one, two, under, later = (read_number(f"{text} x", words) for text in ("2.1", "2.2", "2.1 (a)", "2.1 bis"))
    assert one and two and under and later
    assert follows(one, two) and not follows(two, one)
    assert is_under(under, one) and not is_under(two, one)
    assert follows(one, later) and follows(later, two)


def test_labels_that_return_under_many_rules_are_parts_of_them() -> None:
    page = "".join(f"## 2.{n} Case {n}\n\n## Definition\n\n{SAYS}\n\n## Examples\n\n{SAYS}\n\n" for n in range(1, 5))
    found = [e for e in entries(page) if isinstance(e, Rule)]
    assert [(e.number, str(e.title)) for e in found] == [(f"2.{n}", f"Case {n}") for n in range(1, 5)]
    assert [str(part) for part in found[0].body] == ["Definition", SAYS, "Examples", SAYS]


def test_a_titled_parent_is_in_the_path_though_it_has_text_of_its_own() -> None:
    page = f"# Tower Rules\n\n## 1 Lanterns\n\n{SAYS}\n\n### 1.1 Oil\n\n{SAYS}\n\n### 1.2 Wicks\n\n{SAYS}"
    assert rules(page) == [
        ("1", "Lanterns", ()), ("1.1", "Oil", ("1 Lanterns",)), ("1.2", "Wicks", ("1 Lanterns",)),
    ]  # fmt: skip


def test_what_has_no_number_stands_under_the_number_that_others_go_on_behind() -> None:
    page = f"## 1.1 Oil\n\n{SAYS}\n\n## Cheap oil\n\n{SAYS}\n\n## 1.2 Wicks\n\n{SAYS}\n\n## 1.3 Glass\n\n{SAYS}"
    assert rules(page)[1] == (None, "Cheap oil", ("1.1 Oil",))
    assert rules(page)[2] == ("1.2", "Wicks", ())


def test_a_plain_line_with_a_number_is_a_title_where_text_stands_under_it() -> None:
    page = f"## 3 Reports\n\n3.1 Making a report\n\n{SAYS}\n\n3.2 {SAYS}\n\n3.3 Late reports\n\n{SAYS}"
    assert [(number, title) for number, title, _ in rules(page)] == [("3.1", "Making a report"), ("3.2", ""), ("3.3", "Late reports")]


def test_units_that_were_joined_are_cut_at_the_next_number() -> None:
    page = f"4.1) {SAYS}\n4.2) {SAYS}\n4.3) {SAYS}"
    assert [number for number, _, _ in rules(page)] == ["4.1", "4.2", "4.3"]


def test_a_list_of_changes_names_rules_and_is_none() -> None:
    headed = "".join(f"## 1.{n} Rule {n}\n\n{SAYS}\n\n" for n in range(1, 4))
    page = f"{headed}# Summary of changes\n\n1.1: The lamp is new.\n\n1.2: Clearer wording.\n\n1.3: Moved here."
    assert [number for number, _, _ in rules(page) if number] == ["1.1", "1.2", "1.3"]


def test_bookmarks_rank_heads_of_one_type() -> None:
    page = f"## Set up\n\n{SAYS}\n\n## Boats\n\n{SAYS}\n\n## Crews\n\n{SAYS}\n\n## Scoring\n\n{SAYS}"
    marks = [("Set up", 0), ("Boats", 1), ("Crews", 1), ("Scoring", 0)]
    made = replace(structure(f"lang: en\n{page}"), bookmarks=tuple(Bookmark(title=t, depth=d, page=1) for t, d in marks))
    assert [(str(e.title), e.section) for e in classify(made).entries if isinstance(e, Rule)] == [
        ("Set up", ()), ("Boats", ("Set up",)), ("Crews", ("Set up",)), ("Scoring", ()),
    ]  # fmt: skip


def test_lines_of_the_table_of_contents_are_no_heads() -> None:
    page = f"# Tower Rules\n\n## Contents\n\n**Boats 3**\n\n**Crews 4**\n\n## Boats\n\n{SAYS} {SAYS} {SAYS}\n\n## Crews\n\n{SAYS}"
    assert [title for _, title, _ in rules(page)] == ["Boats", "Crews"]


def test_a_heading_with_nothing_under_it_is_kept_where_it_stands() -> None:
    found = entries(f"# Tower Rules\n\n## Boats\n\n{SAYS}\n\n## Reserved\n\n## Crews\n\n{SAYS}")
    assert [str(e.text) for e in found if isinstance(e, Prose) and e.heading] == ["Reserved"]


def test_terms_are_a_list_and_labels_are_not() -> None:
    listed = entries(f"## Keywords\n\n**Swift:** {SAYS}\n\n**Heavy:** {SAYS}\n\n**Silent:** {SAYS}")
    assert [str(e.term) for e in listed if isinstance(e, Definition)] == ["Swift", "Heavy", "Silent"]
    card = "".join(f"## Ploy {n}\n\n**When:** {SAYS}\n\n**Target:** {SAYS}\n\n**Effect:** {SAYS}\n\n" for n in "ABCD")
    assert [e for e in entries(card) if isinstance(e, Definition)] == []


def test_lines_of_one_look_over_what_was_amended_are_what_the_amendments_speak_of() -> None:
    names = ("Lamp", "Bell", "Rope", "Boat", "Tide", "Crew")
    page = "# Team Update\n\n## Rules\n\n" + "".join(f"**{name} rule**\n\nThis rule has been updated to allow two.\n\n" for name in names)
    assert [str(e.target) for e in entries(page) if isinstance(e, Erratum)] == [f"{name} rule" for name in names]


def test_a_few_sentences_that_ask_make_no_questions_among_rules() -> None:
    headed = "".join(f"## Rule {name}\n\n{SAYS}\n\n" for name in ("one", "two", "three", "four"))
    assert [str(e.title) for e in entries(f"{headed}## Who begins?\n\n{SAYS}") if isinstance(e, Rule)][-1] == "Who begins?"


def test_titles_that_are_listed_in_advance_are_a_contents_page_without_pages_or_a_heading() -> None:
    names = ["Lighting the lamp", "Feeding the flame", "Watching the ships", "Ringing the bell", "Closing the tower"]
    page = "".join(f"{name}\n\n" for name in names)
    page += "".join(f"## {name}\n\n{SAYS}\n\n{SAYS}\n\n{SAYS}\n\n" for name in names)
    assert [title for _, title, _ in rules(page)] == names
    assert not [e for e in entries(page) if isinstance(e, Prose)]


def test_a_caption_is_no_heading_and_no_part_of_a_rule() -> None:
    page = f"# Tower Rules\n\n## Oil\n\n{SAYS}\n\n**Figure 2: The oil room**\n\n## Wicks\n\n{SAYS}"
    assert rules(page) == [(None, "Oil", ()), (None, "Wicks", ())]
    assert [str(e.text) for e in entries(page) if isinstance(e, Prose)] == ["Figure 2: The oil room"]


def test_a_word_and_a_number_alone_go_with_the_title_under_them() -> None:
    page = "".join(f"# Watch {n}\n\n# {name}\n\n## Keepers\n\n{SAYS}\n\n" for n, name in ((1, "Dusk"), (2, "Dawn")))
    assert [section for _, _, section in rules(page)] == [("Watch 1 Dusk",), ("Watch 2 Dawn",)]


def test_articles_do_not_stand_under_the_preamble_before_them() -> None:
    articles = "".join(f"## Article {n} {name}\n\n{SAYS}\n\n" for n, name in ((1, "Oil"), (2, "Wicks"), (3, "Glass")))
    page = f"# Preamble\n\n{SAYS}\n\n{articles}"
    assert rules(page)[-3:] == [("1", "Oil", ()), ("2", "Wicks", ()), ("3", "Glass", ())]


def test_a_sentence_that_begins_in_bold_has_no_title() -> None:
    page = f"1.1 **A keeper** lights the lamp at dusk.\n\n1.2 **Oil.** {SAYS}\n\n1.3 **A ship** may ring back."
    assert [title for _, title, _ in rules(page)] == ["", "Oil", ""]


def test_small_heads_in_few_of_the_numbered_units_are_parts_of_them() -> None:
    units = "".join(f"## {n} Room {n}\n\n{SAYS}\n\n" for n in range(2, 6))
    page = f"## 1 Room 1\n\n{SAYS}\n\n**The lower door**\n\n{SAYS}\n\n{units}"
    found = [e for e in entries(page) if isinstance(e, Rule)]
    assert [e.number for e in found] == ["1", "2", "3", "4", "5"]
    assert [str(part) for part in found[0].body] == [SAYS, "The lower door", SAYS]


def test_a_number_with_a_letter_stands_beside_the_number_that_it_came_after() -> None:
    page = "".join(f"## § {n} Rule\n\n{SAYS}\n\n" for n in ("1", "2", "2a", "3"))
    assert rules(page) == [(f"§ {n}", "Rule", ()) for n in ("1", "2", "2a", "3")]


def test_costs_that_return_behind_titles_are_no_part_of_them() -> None:
    page = "".join(f"**{name} {cost}AP**\n\n{SAYS}\n\n" for name, cost in (("Dash", 1), ("Guard", 2), ("Climb", 1)))
    assert [title for _, title, _ in rules(page)] == ["Dash", "Guard", "Climb"]


def test_the_file_calls_a_line_a_title_by_its_tags() -> None:
    read = structure(f"lang: en\n# Tower Rules\n\n**Oil**\n\n{SAYS}\n\n**Cheap oil**\n\n{SAYS}\n\n**Wicks**\n\n{SAYS}")
    titles = (("Oil", 0), ("Cheap oil", 1), ("Wicks", 0))
    tags = tuple(Bookmark(title=title, depth=depth, page=1) for title, depth in titles)
    found = [e for e in classify(replace(read, tags=tags)).entries if isinstance(e, Rule)]
    assert [(str(e.title), e.section) for e in found] == [("Oil", ()), ("Cheap oil", ("Oil",)), ("Wicks", ())]


def test_every_entry_says_why_it_stands_where_it_does() -> None:
    page = f"## 1 Oil\n\n{SAYS}\n\n### 1.1 Cheap oil\n\n{SAYS}\n\n### 1.2 Dear oil\n\n{SAYS}"
    read = classify(structure(f"lang: en\n{page}"))
    why = {reason.address: reason for reason in read.reasons}
    last = why[read.entries[-1].addresses[0]]
    assert (last.convention, last.other, last.unsure) == ("numbered rule", "1.1 Cheap oil", False)
    assert last.margin is not None and last.margin > 0


def test_numbers_with_letters_of_their_own_are_rules_where_they_count_on() -> None:
    page = "".join(f"## 7.{n} Part {n}\n\nG{n}01 **Stay out.** {SAYS}\n\nG{n}02 **Go in.** {SAYS}\n\n" for n in (1, 2))
    assert [(number, title) for number, title, _ in rules(page)] == [
        ("G101", "Stay out"), ("G102", "Go in"), ("G201", "Stay out"), ("G202", "Go in"),
    ]  # fmt: skip
    ages = "## 1 Ages\n\n" + "\n\n".join(f"U{age} of all clubs" for age in (8, 10, 12, 14))
    assert all(number != "U10" for number, _, _ in rules(ages))


def test_a_number_that_ends_with_zero_is_over_those_that_begin_with_its_first() -> None:
    page = f"## [2.0] PARTS\n\n### [2.1] Map\n\n{SAYS}\n\n### [2.2] Tiles\n\n{SAYS}\n\n## [3.0] PLAY\n\n### [3.1] Turns\n\n{SAYS}"
    assert [(number, above) for number, _, above in rules(page)] == [
        ("2.1", ("[2.0] PARTS",)), ("2.2", ("[2.0] PARTS",)), ("3.1", ("[3.0] PLAY",)),
    ]  # fmt: skip


def test_a_number_whose_items_end_its_sentence_has_no_title() -> None:
    page = f"# Tower Rules\n\n## 4 Stops\n\n4.1 {SAYS}\n\n4.2 Play must be stopped for\n\n4.2.1 a serious injury;\n\n4.2.2 a lost boat."
    assert rules(page)[-1] == ("4.2.2", "", ("4 Stops",))


def test_a_part_and_its_ordinal_go_with_the_title_under_them() -> None:
    page = f"# Tower Rules\n\n## PART ONE\n\n## The pack\n\n### Cards\n\n{SAYS}\n\n## PART TWO\n\n## The deal\n\n### Dealing\n\n{SAYS}"
    assert [above for _, _, above in rules(page)] == [("PART ONE The pack",), ("PART TWO The deal",)]


def test_a_lone_head_straight_under_the_title_is_a_line_of_the_cover() -> None:
    sections = "".join(f"### Part {name}\n\n{SAYS}\n\n" for name in ("of sails", "of oars", "of ropes", "of nets"))
    assert {above for _, _, above in rules(f"# Tower Rules\n\n## A game by the sea\n\n{sections}")} == {()}
    errata = "".join(f"### Boats {n} (p. {n})\n\nReplace “one boat” with “two boats”, wherever it stands.\n\n" for n in range(1, 5))
    made = [e.section for e in entries(f"# Tower Errata\n\n## Core book\n\n{errata}") if isinstance(e, Erratum)]
    assert set(made) == {("Core book",)}


TERMS = ("Ability", "Boat", "Cargo", "Dock", "Eel", "Ferry", "Gale", "Harbour", "Island")


def test_heads_in_the_order_of_the_alphabet_that_their_text_names_are_terms() -> None:
    page = "".join(f"## {term}\n\nThe {term.lower()} of a player is what the card says of it.\n\n" for term in TERMS)
    assert [str(e.term) for e in entries(page) if isinstance(e, Definition)] == list(TERMS)
    cards = "".join(f"## {term}\n\n{SAYS}\n\n" for term in TERMS)  # rulings on cards, in the same order
    assert not [e for e in entries(cards) if isinstance(e, Definition)]


def test_a_clause_in_bold_is_no_term() -> None:
    page = "".join(f"## Move {n}\n\n**When you rest,** roll a die and lose {n} oil.\n\n" for n in range(1, 7))
    assert [str(e.title) for e in entries(page) if isinstance(e, Rule)] == [f"Move {n}" for n in range(1, 7)]


def test_one_sentence_that_seems_to_amend_is_a_rule() -> None:
    page = f"## The tide\n\nWhen all have played, move the disc:\n\n{SAYS}\n\n## The shore\n\n{SAYS}\n\n## The dunes\n\n{SAYS}"
    assert not [e for e in entries(page) if isinstance(e, Erratum)]


def test_siblings_that_ask_are_questions_though_others_of_their_look_do_not() -> None:
    told = "".join(f"### Rule {n}\n\n{SAYS}\n\n" for n in "abcdef")
    asked = "".join(f"### May I row {n}?\n\nYes, you may.\n\n" for n in ("twice", "alone", "back"))
    found = entries(f"## Rules of play\n\n{told}## What people want to know\n\n{asked}")
    assert sum(isinstance(e, QA) for e in found) == 3


def test_short_lines_at_the_side_of_their_paragraphs_are_heads_with_their_numbers() -> None:
    names, blocks = ("The pack", "The backs", "The table", "The deal"), []
    for at, name in enumerate(names):
        top = 100.0 + 80 * at
        head = Block(role=Role.PARAGRAPH, text=rich(name), page=1, addresses=(f"p1.c1.l{at}",), size=8.0, italic=True,
                     box=Box(x0=40, top=top, x1=110, bottom=top + 8))  # fmt: skip
        text = Block(role=Role.ITEM, text=rich(SAYS), page=1, addresses=(f"p1.c2.l{at}",), size=10.0, marker=f"{at + 1}.",
                     box=Box(x0=150, top=top, x1=530, bottom=top + 40))  # fmt: skip
        blocks += [head, text]
    found = classify(replace(structure("lang: en\n"), blocks=tuple(blocks), body_size=10.0)).entries
    assert [(e.number, str(e.title)) for e in found if isinstance(e, Rule)] == [(str(at + 1), name) for at, name in enumerate(names)]


def test_lines_in_italics_with_white_above_and_none_below_are_heads() -> None:
    page = "".join(f"*{name}*\n\n{SAYS}\n\n{SAYS}\n\n" for name in ("Oil", "Wicks", "Glass"))
    made = structure(f"lang: en\n## Lanterns\n\n{SAYS}\n\n{page}")
    apart = tuple(replace(block, gap=1.0 if block.italic else 0.0) for block in made.blocks)
    told = [str(e.title) for e in classify(replace(made, blocks=apart)).entries if isinstance(e, Rule)]
    assert told == ["Oil", "Wicks", "Glass"]
    close = tuple(replace(block, gap=0.0) for block in made.blocks)
    assert not [e for e in classify(replace(made, blocks=close)).entries if isinstance(e, Rule) and e.title == "Oil"]


def test_heads_under_abilities_are_terms() -> None:
    page = f"# Tower Rules\n\n## Oil\n\n{SAYS}\n\n## Special rules\n\n{SAYS}\n\n" + "".join(
        f"### {name}\n\nA boat with {name.lower()} moves on.\n\n" for name in ("Swift", "Heavy", "Silent"))  # fmt: skip
    assert [str(e.term) for e in entries(page) if isinstance(e, Definition)] == ["Swift", "Heavy", "Silent"]
    other = page.replace("Special rules", "Boats of the guild")
    assert not [e for e in entries(other) if isinstance(e, Definition)]


def test_the_title_of_a_table_is_no_head() -> None:
    table = "| Boat | Oars |\n| Skiff | 2 |\n| Barge | 8 |"
    page = f"# Tower Rules\n\n## Boats\n\n{SAYS}\n\n**Table 1: Oars of a boat**\n\n{table}\n\n{SAYS}\n\n## Crews\n\n{SAYS}"
    assert [title for _, title, _ in rules(page)] == ["Boats", "Crews"]


def test_a_question_may_name_its_page_in_brackets_behind_it() -> None:
    page = "".join(f"**May a keeper row {how}? (p. {n})**\n\nYes, if the boat is {how} too.\n\n"
                   for n, how in enumerate(("twice", "alone", "back", "late"), 4))  # fmt: skip
    assert sum(isinstance(e, QA) for e in entries(f"# Questions\n\n{page}")) == 4


def test_rows_of_names_with_nothing_under_them_are_no_heads() -> None:
    names = ("Ada Brown", "Cid Dale", "Eve Frost", "Gus Hall", "Ida Jones", "Kim Lund")
    credits = "".join(f"## {name}\n\n" for name in names)
    page = f"# Tower Rules\n\n## Oil\n\n{SAYS}\n\n{credits}## Wicks\n\n{SAYS}\n\n## Glass\n\n{SAYS}"
    assert [(title, above) for _, title, above in rules(page)] == [("Oil", ()), ("Wicks", ()), ("Glass", ())]
    assert all(name in " ".join(str(e) for e in entries(page)) for name in names)


def test_a_number_in_small_letters_counts_where_it_is_the_next() -> None:
    page = f"## 4 Stops\n\n4.1 {SAYS}\n\n4.2 the bell is rung\n\n4.1 will be read again\n\n4.3 {SAYS}"
    assert [number for number, _, _ in rules(page)] == ["4.1", "4.2", "4.3"]


def test_a_line_under_each_title_of_a_look_is_no_head() -> None:
    cards = "".join(f"## {name}\n\n*{kind}*\n\n{SAYS}\n\n" for name, kind in
                    (("Lamp", "Tool"), ("Bell", "Sign"), ("Rope", "Tool"), ("Boat", "Craft"), ("Tide", "Event")))  # fmt: skip
    assert [title for _, title, _ in rules(f"# Tower Cards\n\n{cards}")] == ["Lamp", "Bell", "Rope", "Boat", "Tide"]


def test_bold_terms_that_fill_numbered_sections_are_definitions() -> None:
    listed = "".join(f"**{name} boat** A boat that is {name.lower()} moves on at the bell.\n\n"
                     for name in ("Swift", "Heavy", "Silent", "Broken", "Painted"))  # fmt: skip
    few = "**Long oar** An oar that is long counts twice.\n\n**Short oar** An oar that is short counts once.\n\n"
    page = f"## 1.1 Oil\n\n{SAYS}\n\n## 1.2 Boats\n\n{listed}## 1.3 Oars\n\n{few}## 1.4 Wicks\n\n{SAYS}"
    made = [e for e in entries(page) if isinstance(e, Definition)]
    assert [str(e.term) for e in made] == ["Swift boat", "Heavy boat", "Silent boat", "Broken boat", "Painted boat"]
    assert {e.section for e in made} == {("1.2 Boats",)}


def test_names_that_return_in_one_list_play_a_part_in_an_example() -> None:
    bids = "".join(f"**Keeper {n} bids:** He says {bid} lamps, and no more.\n\n"
                   for n, bid in ((1, 2), (2, 3), (2, 1), (3, 2), (3, 0)))  # fmt: skip
    page = f"## Bids\n\n{SAYS}\n\n{bids}## Oil\n\n{SAYS}"
    assert not [e for e in entries(page) if isinstance(e, Definition)]


def test_a_head_that_says_example_belongs_to_its_rule() -> None:
    page = f"# Tower Rules\n\n## Oil\n\n{SAYS}\n\n## Examples\n\n{SAYS}\n\n## Wicks\n\n{SAYS}"
    assert [title for _, title, _ in rules(page)] == ["Oil", "Wicks"]


def test_a_row_of_signs_is_no_head() -> None:
    page = f"# Tower Rules\n\n## Cards\n\n{SAYS}\n\n**A > K > Q > J > 10 > 9**\n\n{SAYS}\n\n## Oil\n\n{SAYS}"
    assert [title for _, title, _ in rules(page)] == ["Cards", "Oil"]


def test_a_heading_over_a_table_with_text_under_it_is_a_rule() -> None:
    table = "| Boat | Oars |\n| Skiff | 2 |\n| Barge | 8 |"
    page = "".join(f"## {name}\n\n{table}\n\n{SAYS}\n\n" for name in ("Sea", "Lake", "River"))
    made = entries(f"# Tower Rules\n\n{page}")
    assert [str(e.title) for e in made if isinstance(e, Rule)] == ["Sea", "Lake", "River"]
    assert [e.section for e in made if e.kind == "table"] == [("Sea",), ("Lake",), ("River",)]


def test_in_a_list_of_changes_each_item_is_one() -> None:
    changes = ("Page 4 – Replace “oil” with “lamp oil”.", "Page 5 – Replace “two” with “three”.",
               "Page 6 – Delete the last sentence.", "Page 8 – Replace “may” with “must”.",
               "Page 9 – Add “once per turn” to the end.", "All distances are now in paces.")  # fmt: skip
    page = "# Errata\n\n## Rules\n\n" + "\n".join(f"- {change}" for change in changes)
    made = entries(page)
    assert len([e for e in made if isinstance(e, Erratum)]) == len(changes)
    assert any("paces" in str(e) for e in made if isinstance(e, Erratum))


def _paged(page: str, *tops: str) -> tuple[AnyEntry, ...]:
    """The entries where each of these headings begins a page, in larger type."""
    made, number, blocks = structure(f"lang: en\n{page}"), 0, []
    for block in made.blocks:
        number += str(block.text) in tops
        large = {"size": 24.0} if str(block.text) in tops else {}
        blocks.append(replace(block, page=max(1, number), **large))
    return classify(replace(made, blocks=tuple(blocks))).entries


def test_the_title_of_the_first_of_several_parts_is_a_head_like_the_others() -> None:
    names = ("Lamp Run", "Tide Race", "Bell Hunt")
    page = "".join(f"# {name}\n\n## Setup\n\n{SAYS}\n\n## Turn\n\n{SAYS}\n\n" for name in names)
    told = [(str(e.title), e.section) for e in _paged(page, *names) if isinstance(e, Rule)]
    assert told == [(title, (name,)) for name in names for title in ("Setup", "Turn")]


def test_a_running_head_may_say_the_word_of_its_chapter() -> None:
    page = f"# Tower Rules\n\n## 1. Lamps\n\n{SAYS}\n\n2 CHAPTER 1. LAMPS\n\n{SAYS}\n\n## 2. Boats\n\n{SAYS}"
    made = structure(f"lang: en\n{page}")
    at = next(n for n, block in enumerate(made.blocks) if "CHAPTER" in block.text)
    paged = tuple(replace(block, page=2) if n >= at else block for n, block in enumerate(made.blocks))
    told = classify(replace(made, blocks=paged))
    assert [(e.number, str(e.title)) for e in told.entries if isinstance(e, Rule)] == [("1", "Lamps"), ("2", "Boats")]
    assert not any("CHAPTER" in str(e) for e in told.entries)


def test_terms_of_one_list_look_alike_whatever_stands_behind_them() -> None:
    page = ("## Definitions\n\n**Harbour**: The water between the two towers.\n\n"
            "**Keeper** (or “K”) is a player who holds a lantern.\n\n**Fog**: Weather in which no boat moves.\n\n"
            "**Night watch** means the last three rounds.\n\n")  # fmt: skip
    assert [str(e.term) for e in entries(page) if isinstance(e, Definition)] == [
        "Harbour", "Keeper", "Fog", "Night watch",
    ]  # fmt: skip


def test_letters_whose_figures_come_back_number_nothing() -> None:
    moves = "A8 rows to the quay and stops there.\n\nA9 waits until the bell rings.\n\nA8 lights a lantern.\n\n"
    page = f"# Tower Rules\n\n## Oil\n\n{SAYS}\n\n## Boats\n\n{moves}## Wicks\n\n{SAYS}"
    assert [(number, title) for number, title, _ in rules(page)] == [(None, "Oil"), (None, "Boats"), (None, "Wicks")]


def test_a_bold_title_may_stand_behind_a_number_in_plain_type() -> None:
    page = ("## 2 Teams\n\n2.1 **Team size**: Teams have two keepers.\n\n"
            "2.2 **Boats**: Teams have one boat.\n\n2.3 Bells ring.")  # fmt: skip
    assert [(number, title) for number, title, _ in rules(page) if "." in (number or "")] == [
        ("2.1", "Team size"), ("2.2", "Boats"), ("2.3", ""),
    ]  # fmt: skip


def test_slant_makes_no_head_where_all_is_slanted() -> None:
    page = "".join(f"## Case {n}\n\n*Keeper - 2 boats*\n\n*{SAYS} {SAYS} {SAYS}*\n\n" for n in range(1, 5))
    assert [title for _, title, _ in rules(f"# Tower Cases\n\n{page}")] == [f"Case {n}" for n in range(1, 5)]


def _set(page: str, **looks: dict[str, object]) -> list[tuple[str, tuple[str, ...]]]:
    """The rules where the headings of these words are set otherwise."""
    made = structure(f"lang: en\n{page}")
    blocks = [replace(block, **looks.get(str(block.text).split()[0].lower(), {})) for block in made.blocks]
    read = classify(replace(made, blocks=tuple(blocks))).entries
    return [(str(e.title), e.section) for e in read if isinstance(e, Rule)]


def test_capitals_in_the_middle_rank_over_heads_of_their_size_that_come_first() -> None:
    parts = "".join(f"### {name} scan\n\n{SAYS}\n\n" for name in ("Short", "Long", "Visual"))
    page = f"# Tower Trek\n\n### Arrival\n\n{SAYS}\n\n### ORDERS\n\n{parts}### SCORES\n\n{SAYS}"
    centred = {"centred": True}
    assert _set(page, orders=centred, scores=centred) == [
        ("Arrival", ()), ("Short scan", ("ORDERS",)), ("Long scan", ("ORDERS",)), ("Visual scan", ("ORDERS",)),
        ("SCORES", ()),
    ]  # fmt: skip


def test_chapters_of_a_flat_list_stand_beside_each_other_whatever_their_type() -> None:
    parts = "".join(f"### {name}\n\n#### {name} one\n\n{SAYS}\n\n#### {name} two\n\n{SAYS}\n\n"
                    for name in ("Oil", "Fog", "Sea"))  # fmt: skip
    made = structure(f"lang: en\n# Tower Rules\n\n## Keys\n\n{SAYS}\n\n{parts}")
    marks = tuple(Bookmark(title=title, depth=0) for title in ("Keys", "Oil", "Fog", "Sea"))
    read = classify(replace(made, bookmarks=marks)).entries
    assert {e.section for e in read if isinstance(e, Rule)} == {(), ("Oil",), ("Fog",), ("Sea",)}


def test_small_type_in_a_box_belongs_to_its_card() -> None:
    cards = "".join(f"## {name}\n\n{SAYS}\n\n“They talk of {name}.”\n\n" for name in ("Storm", "Rumour"))
    made = structure(f"lang: en\n# Tower Cards\n\n{SAYS}\n\n{cards}")
    region, blocks = 0, []
    for block in made.blocks:
        region += block.role is Role.HEADING
        small = {"size": 0.8 * block.size, "centred": True} if block.text.startswith("“") else {}
        blocks.append(replace(block, region=region, **small))
    read = classify(replace(made, blocks=tuple(blocks))).entries
    assert [(str(e.title), str(e.body[-1])) for e in read if isinstance(e, Rule)] == [
        ("Storm", "“They talk of Storm.”"), ("Rumour", "“They talk of Rumour.”"),
    ]  # fmt: skip


def test_a_lone_term_behind_a_text_is_a_remark() -> None:
    listed = "".join(f"## Deck {n}\n\n**Red card {n}:** It moves a boat.\n\n**Blue card {n}:** It lights a lamp.\n\n"
                     for n in range(3))  # fmt: skip
    turn = f"## Turn\n\n{SAYS} {SAYS}\n\n**At will:** You may throw one card away.\n\n"
    page = f"# Tower Cards\n\n{listed}{turn}## End\n\n{SAYS}"
    made = entries(page)
    assert "At will" not in [str(e.term) for e in made if isinstance(e, Definition)]
    assert any("throw one card away" in str(e.body[-1]) for e in made if isinstance(e, Rule) and str(e.title) == "Turn")


def test_a_first_page_without_text_is_a_cover() -> None:
    page = f"# Tower\n\n## In memory of the last keeper\n\n### Oil\n\n{SAYS} {SAYS} {SAYS}\n\n### Wicks\n\n{SAYS}"
    made = structure(f"lang: en\n{page}")
    blocks = [replace(block, page=1 if at < 2 else 2) for at, block in enumerate(made.blocks)]
    read = classify(replace(made, blocks=tuple(blocks), pages=2)).entries
    assert [(str(e.title), e.section) for e in read if isinstance(e, Rule)] == [("Oil", ()), ("Wicks", ())]


def test_numbers_say_which_look_stands_over_which_though_it_is_smaller() -> None:
    page = "".join(f"#### {n}. PART {n}\n\n### {n}.1 Oil\n\n{SAYS}\n\n### {n}.2 Wicks\n\n{SAYS}\n\n" for n in (1, 2, 3))
    assert {section for number, _, section in rules(page) if number == "3.2"} == {("3. PART 3",)}


def test_a_number_that_is_named_again_in_an_item_opens_nothing() -> None:
    chapters = "".join(f"# PART {n}. Watch {n}\n\n" + "".join(f"## Article {2 * n + k} Lamp {k}\n\n{SAYS}\n\n2. (a) {SAYS}\n\n"
                                                              for k in (1, 2)) for n in range(1, 5))  # fmt: skip
    assert {section for number, _, section in rules(chapters) if number == "9"} == {("PART 4. Watch 4",)}


def test_a_footnote_at_the_number_of_an_article_is_no_part_of_it() -> None:
    page = "".join(f"## Article {n}{mark} Lamp {name}\n\n{SAYS}\n\n" for n, mark, name in ((4, "", "A"), (5, "¹²", "B"), (6, "", "C")))
    assert [(number, title) for number, title, _ in rules(page)] == [("4", "Lamp A"), ("5", "Lamp B"), ("6", "Lamp C")]


def test_a_sentence_about_an_article_is_no_article() -> None:
    page = f"## Treaty\n\n{SAYS}\n\nArticle 11 of the treaty says so.\n\nArticle 12 of the treaty says more.\n\n## End\n\n{SAYS}"
    assert [(number, title) for number, title, _ in rules(page)] == [(None, "Treaty"), (None, "End")]


def test_an_article_may_be_called_amendments() -> None:
    names = ("Oil", "Wicks", "Glass", "Towers", "Amendments", "Ships")
    page = "".join(f"## Article {n} {name}\n\n{SAYS}\n\n" for n, name in enumerate(names, 1))
    assert [title for _, title, _ in rules(page)] == list(names)


def test_lines_with_a_colon_divide_the_numbers_that_go_on_behind_them() -> None:
    letters = iter("bcdefgh")
    listed = "".join(f"{name}:\n\nA.1.{next(letters)}) {SAYS}\n\nA.1.{next(letters)}) {SAYS}\n\n" for name in ("Oil", "Wick lamps", "Fog"))
    page = f"## A.1 Lamps\n\nA.1.a) {SAYS}\n\n{listed}"
    assert [section[1:] for _, _, section in rules(page)] == [
        (), ("Oil:",), ("Oil:",), ("Wick lamps:",), ("Wick lamps:",), ("Fog:",), ("Fog:",),
    ]  # fmt: skip


def test_a_bold_item_is_no_rule_where_plain_ones_are_numbered_alike() -> None:
    plain = "".join(f"## 5.{n} Case {n}\n\n{SAYS}\n\n1) A lamp.\n\n2) A bell.\n\n" for n in range(1, 5))
    page = f"{plain}## 5.5 Cheating\n\n{SAYS}\n\n**1) All games**\n\n{SAYS}\n\n**2) Boats**\n\n{SAYS}"
    assert [number for number, _, _ in rules(page)] == ["5.1", "5.2", "5.3", "5.4", "5.5"]


def test_lists_of_terms_may_follow_a_text_in_a_numbered_section() -> None:
    terms = "\n\n".join(f"**{name}** {name} is what a keeper needs. It never runs out." for name in
                        ("Patience", "Strength", "Wisdom", "Stealth", "Courage"))  # fmt: skip
    page = f"## 2.1 Lamps\n\n{SAYS}\n\n## 2.2 Skills\n\n{SAYS} {SAYS}\n\n{terms}\n\n## 2.3 Ships\n\n{SAYS}"
    assert [str(e.term) for e in entries(page) if isinstance(e, Definition)] == ["Patience", "Strength", "Wisdom", "Stealth", "Courage"]


def test_signs_alone_are_no_heading() -> None:
    made = structure(f"lang: en\n# Tower Rules\n\n## Oil\n\n{SAYS}\n\n**[icon]**\n\n{SAYS}\n\n## Wicks\n\n{SAYS}")
    signs = [replace(b, text=Text((replace(b.text.spans[0], icon="drop"),))) if b.text == "[icon]" else b for b in made.blocks]
    read = classify(replace(made, blocks=tuple(signs))).entries
    assert [str(e.title) for e in read if isinstance(e, Rule)] == ["Oil", "Wicks"]


def test_heads_read_as_a_column_are_put_beside_their_text() -> None:
    made = structure("lang: en\n" + "\n\n".join([*(f"**{name}:**" for name in ("Oil", "Wicks", "Fog"))] + [f"{SAYS} {SAYS}"] * 3))
    tops = (100.0, 160.0, 220.0)
    boxes = [Box(x0=40, top=top, x1=100, bottom=top + 9) for top in tops] + [Box(x0=140, top=top, x1=500, bottom=top + 40) for top in tops]
    blocks = tuple(replace(block, box=box) for block, box in zip(made.blocks, boxes, strict=True))
    read = classify(replace(made, blocks=blocks)).entries
    assert [(str(e.title), len(e.body)) for e in read if isinstance(e, Rule)] == [("Oil", 1), ("Wicks", 1), ("Fog", 1)]


def test_lines_of_a_cover_with_the_title_between_them_are_in_no_path() -> None:
    names = ("Oil", "Fog", "Sea")
    page = "# Watch of the North\n\n# Tower Rules\n\n# Case of the lost lamp\n\n" + "".join(f"## {name}\n\n{SAYS}\n\n" for name in names)
    assert rules(page) == [(None, name, ()) for name in names]


def test_a_document_that_sets_nothing_twice_alike_is_ranked_in_time() -> None:
    made = structure("lang: en\n" + "\n\n".join(f"## Case {n}\n\n{SAYS}" for n in range(300)))
    colours = ("#000000", "#aa0000", "#00aa00", "#0000aa", "#aaaa00")
    heads = [block for block in made.blocks if block.role is Role.HEADING]
    set_apart = {id(block): {"size": 11 + at % 40 / 2, "colour": colours[at % 5], "italic": at % 2 == 0} for at, block in enumerate(heads)}
    blocks = tuple(replace(block, **set_apart.get(id(block), {})) for block in made.blocks)
    read = classify(replace(made, blocks=blocks)).entries
    assert sum(isinstance(e, Rule) for e in read) > 290


def test_a_bold_number_over_longer_ones_is_a_chapter_though_items_are_numbered_alike() -> None:
    page = "".join(f"**{n}. Watch {n}**\n\n**{n}.1 Oil**\n\n{SAYS}\n\n1. A lamp.\n2. A bell.\n\n" for n in range(1, 5))
    assert [section for _, _, section in rules(page)] == [(f"{n}. Watch {n}",) for n in range(1, 5)]
