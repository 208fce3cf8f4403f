"""Who a document is: what its first page, its running heads and its file say together."""

from __future__ import annotations

from dataclasses import replace

from pipeline.classify import classify
from pipeline.records import Block, Document, Role, Text
from pipeline.text import rich
from tests.blocks import structure

PROSE = "A gull flies over two piers in a turn, and nobody may call it back before the tide has gone out again."


def headed(page: str, *heads: str, title: str | None = None) -> Document:
    """The document of a page, with a running head on each of several pages."""
    furniture = tuple(
        Block(role=Role.PARAGRAPH, text=rich(text), page=number, addresses=(f"p{number}.c0.l1",))
        for number, text in enumerate(heads, 1)
    )
    return classify(replace(structure(page), pages=max(1, len(heads)), furniture=furniture, title=title))


def test_a_number_that_changes_is_the_page_s_and_one_that_does_not_is_a_date_s() -> None:
    page = f"lang: en\n# Gull Rules 2026\n\n{PROSE}"
    assert headed(page, *(f"Rules as of December 26, 2025 Page {n} of 3" for n in (1, 2, 3))).date == "2025-12-26"
    assert headed(page, *(f"Gull 00 January 10, 2026 {n} of 3" for n in (1, 2, 3))).date == "2026-01-10"
    named = headed(f"lang: en\n{PROSE}", *["Gull rules.md 2026-02-12"] * 3)
    assert (named.title, named.date) == ("Gull rules", "2026-02-12")


def test_a_running_foot_dates_a_document_and_a_sentence_of_it_does_not() -> None:
    page = f"lang: en\n# Gull Rules\n\nAn appeal that was lodged before March 30, 2022 is heard by the old board. {PROSE}"
    assert headed(page, *(f"Changed on May 17, 2025 R1-{n}/3" for n in (1, 2, 3))).date == "2025-05-17"


def test_the_file_and_every_page_say_the_title_where_a_head_of_the_text_comes_first() -> None:
    page = f"lang: en\n# Principle\n\n{PROSE}\n\n## 1. Flying\n\n{PROSE}"
    assert headed(page, *["ANNEXES TO THE GULL RULES"] * 2, title="Annexes to the gull rules").title == (
        "ANNEXES TO THE GULL RULES"
    )


def test_versions() -> None:
    assert headed("lang: en\n# Gull Regulations\n\nVersion: Issue 2").version == "2"
    assert headed("lang: en\n# Gull Commander V3.0 Rulebook Errata 3.01").version == "3.01"
    assert headed("lang: en\n# Gull Cup\n\nCurrent version\n\n6.0.1").version == "6.0.1"
    told = "Cada gaviota vuela sobre dos muelles en su turno y nadie la llama (ver 1.10) antes de que baje la marea."
    assert headed(f"lang: es\n# Gaviotas\n\n{told}").version is None


def test_titles() -> None:
    long = "A Hands-on Comparison of Gulls for Pier Separation Using What Was Learnt from the Separation of Crows and Rooks"
    assert headed(f"lang: en\n# {long}\n\n{PROSE}").title == long
    assert headed(f"lang: en\n# Team Update 00\n\n{PROSE}").title == "Team Update 00"
    divided = headed(f"lang: en\n# SECTION 4\n\n## TYPES OF GULLS\n\n{PROSE}", *["SECTION 4 — TYPES OF GULLS"] * 3)
    assert (divided.title, divided.game) == ("SECTION 4 – TYPES OF GULLS", None)


def test_a_heading_in_the_box_that_a_page_begins_with_is_its_title() -> None:
    made = structure(f"lang: en\n### Lite Gulls\n\n{PROSE}\n\n### Flying\n\n{PROSE}\n\n# Diving\n\n{PROSE}\n\n{PROSE}")
    assert classify(made).title is None
    boxed = tuple(replace(block, region=1) for block in made.blocks[:2])
    assert classify(replace(made, blocks=boxed + made.blocks[2:])).title == "Lite Gulls"


def test_who_has_the_copyright() -> None:
    text: Text = rich("Copyright © 2012 by the International Gull Federation, Inc. All rights reserved.")
    made = structure("lang: en\n# Gull Rules\n\nhere")
    assert classify(replace(made, blocks=(made.blocks[0], replace(made.blocks[1], text=text)))).publisher == (
        "International Gull Federation, Inc"
    )


def test_running_lines_with_more_and_fewer_numbers_are_read_apart() -> None:
    lines = ["Gull Rules 2028 Issue 2 – 1", "Gull Rules 2028 Issue 2 – 2", "Gull Rules Issue – 3", "Gull Rules Issue – 4"]
    assert headed(f"lang: en\n# Gull Rules\n\n{PROSE}", *lines).title == "Gull Rules"


def test_a_title_of_the_file_that_its_text_has_no_words_of_is_of_another_document() -> None:
    page = "lang: en\n" + "\n\n".join([PROSE] * 6)
    assert headed(page, title="Over two piers: the gull").title == "Over two piers: the gull"
    assert headed(page, title="Lege ferenda es usado").title is None
