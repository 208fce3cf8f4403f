"""classify: pages in five languages, written as text, and the entries that a person finds in them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from blocks import structure
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.classify import classify
from pipeline.export import document_fields, entry_fields
from pipeline.records import QA, Definition, Document, Erratum, Kind, Prose, Rule
from pipeline.text import rich

CASES = Path(__file__).parent / "cases" / "classify"
TAKEN = ("id", "language", "source", "page", "changed_text")  # the same everywhere, or tested by themselves


def told(document: Document) -> str:
    """A document as a person would note it down: one line for who it is, then its entries."""
    who = {name: value for name, value in document_fields(document).items() if value is not None}
    lines = [json.dumps({n: who[n] for n in who if n not in ("kind", "source", "sha256", "pages")}, ensure_ascii=False)]
    for entry in document.entries:
        fields = {n: v for n, v in entry_fields(entry).items() if n not in TAKEN and v not in (None, [], False)}
        lines += ["", f"{fields.pop('kind')}"]
        lines += [f"  {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    lines += [f"finding {found.code}: {found.message}" for found in document.findings]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("case", sorted(path.stem for path in CASES.glob("*.md")))
def test_case(case: str, accept: bool) -> None:
    made = told(classify(structure((CASES / f"{case}.md").read_text("utf-8"))))
    golden = CASES / f"{case}.txt"
    if accept:
        golden.write_text(made, "utf-8")
    assert made == golden.read_text("utf-8")


def entries(page: str) -> tuple[object, ...]:
    return classify(structure(page)).entries


@pytest.mark.parametrize(
    ("asked", "answered"),
    [("Q : ", "R : "), ("Q. ", "R. "), ("Q1) ", "R1) "), ("Q – ", "R – "), ("Question : ", "Réponse : "),
     ("QUESTION 4 : ", "RÉPONSE : "), ("**Q** ", "**R** "), ("(Q) ", "(R) "), ("Q: ", "A: "), ("Q12. ", "R12. ")],
)  # fmt: skip
def test_markers_of_every_sort(asked: str, answered: str) -> None:
    found = entries(
        f"lang: fr\n{asked}Le gué est-il libre ?\n\n{answered}Oui, à marée basse.\n\n{asked}Et la tour ?\n\n{answered}Non."
    )
    assert [(str(e.question), [str(a) for a in e.answer]) for e in found] == [
        ("Le gué est-il libre ?", ["Oui, à marée basse."]), ("Et la tour ?", ["Non."]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "answered"),
    [("## Question {}\n\n", "## Answer {}\n\n"), ("**Question {}**\n\n", "**Answer {}**\n\n"), ("Question {} ", "Answer {} "),
     ("## Question {}: ", "### Answer {}\n\n"), ("## Question No. {}\n\n", "## Answer No. {}\n\n"), ("**Q{}** ", "**A{}** "),
     ("{}Q. ", "{}A. "), ("{}. Q: ", "{}. A: "), ("### Question\n\n", "### Answer\n\n")],
)  # fmt: skip
def test_markers_with_a_number_or_in_a_line_of_their_own(asked: str, answered: str) -> None:
    told = [("May a ferry carry two bells?", "One only."), ("Can a toll be paid in salt?", "It can, at two for one coin.")]
    pairs = [f"{asked.format(n)}{q}\n\n{answered.format(n)}{a}" for n, (q, a) in enumerate(told, 1)]
    found = entries("lang: en\n" + "\n\n".join(pairs))
    assert [(str(e.question), [str(a) for a in e.answer]) for e in found] == [(q, [a]) for q, a in told]


def test_an_answer_is_cut_from_a_question_that_fills_its_line() -> None:
    """Both in one type, the question with a number: nothing but the printed line tells them apart."""
    page = structure("lang: en\n1. May a ferry cross?\n\nYes.\n\n2. Who is first?\n\nThe lowest.\n\n3. Does the tide stop?\n\nNever.")
    asked, answered = page.blocks[2:4]
    whole = replace(asked, text=rich(asked.text, " ", answered.text), breaks=(len(asked.text) + 1,),
                    addresses=asked.addresses + answered.addresses)  # fmt: skip
    joined = classify(replace(page, blocks=(*page.blocks[:2], whole, *page.blocks[4:]))).entries
    assert [(str(e.question), [*map(str, e.answer)]) for e in joined if isinstance(e, QA)] == [
        ("May a ferry cross?", ["Yes."]), ("Who is first?", ["The lowest."]), ("Does the tide stop?", ["Never."]),
    ]  # fmt: skip


def test_the_head_of_the_next_erratum_is_cut_from_what_is_quoted_before_it() -> None:
    found = entries(
        "lang: en\nPage 12 – The ford. Replace the first sentence by:\n\n“The ford is free at low tide.”\n"
        "Page 14 – The tower. Delete the last sentence.\n\nPage 20 – Bells. Change ‘two’ to ‘three’."
    )
    assert [(e.pages, str(e.target)) for e in found if isinstance(e, Erratum)] == [
        ((12,), "The ford"), ((14,), "The tower"), ((20,), "Bells"),
    ]  # fmt: skip


def test_a_heading_over_several_answers_is_a_question_though_it_goes_on_behind_its_question_mark() -> None:
    plain = "## 2 Who rings first?\n\nThe lowest lantern.\n\n## 3 Does the tide stop?\n\nIt does not."
    found = entries(f"lang: en\n## 1 May a bell float? I must know!\n\n### Answer 1\n\nIt may.\n\n### Answer 2\n\nAsk it.\n\n{plain}")
    assert [str(e.question) for e in found] == ["May a bell float? I must know!", "Who rings first?", "Does the tide stop?"]
    assert [str(a) for a in found[0].answer] == ["Answer 1", "It may.", "Answer 2", "Ask it."]


@pytest.mark.parametrize(
    ("language", "asked", "answered"),
    [("en", "Q", "A"), ("fr", "Q", "R"), ("de", "F", "A"), ("es", "P", "R"), ("it", "D", "R")],
)
def test_letters_of_each_language(language: str, asked: str, answered: str) -> None:
    found = entries(f"lang: {language}\n{asked}: Xxx xxx?\n\n{answered}: Yyy.")
    assert [(e.kind, str(e.question), [str(a) for a in e.answer]) for e in found] == [(Kind.QA, "Xxx xxx?", ["Yyy."])]


def test_letters_that_are_no_markers_are_left_alone() -> None:
    found = entries("lang: it\nD. Rossi ha vinto.\n\nP. 12 è bianca.\n\nR. Bianchi è secondo.")
    assert {e.kind for e in found} == {Kind.TEXT}


def test_question_and_answer_in_one_block_are_cut_at_the_printed_line() -> None:
    [found] = entries("lang: en\nQ: May I fly?\nA: No. Not even\nwith wings.")
    assert (str(found.question), [str(a) for a in found.answer]) == ("May I fly?", ["No. Not even with wings."])


@pytest.mark.parametrize(
    ("heading", "sections"),
    [("THE HARBOUR\nSmall boats", ["THE HARBOUR", "Small boats"]),
     ("BOATS THAT BRING BACK LOST\nSAILORS (such as the Grey Dray)", ["BOATS THAT BRING BACK LOST SAILORS (such as the Grey Dray)"])],
)  # fmt: skip
def test_capitals_over_other_words_are_a_heading_of_their_own(heading: str, sections: list[str]) -> None:
    document = classify(structure(f"lang: en\n## {heading}\n\nQ: May I fly?\n\nA: No."))
    assert [str(each.text) for each in document.headings] == sections


def test_a_question_without_an_answer_is_reported() -> None:
    document = classify(structure("lang: en\nQ: May I fly?\n\nQ: May I swim?\n\nA: Yes."))
    assert [found.code for found in document.findings] == ["question-without-answer"]
    assert [len(e.answer) for e in document.entries if isinstance(e, QA)] == [0, 1]


def test_page_references_above_questions_head_them_and_correct_nothing() -> None:
    found = entries("lang: en\n# FAQ\n\n## Page 45 – Prism\n\nQ: Does it shine?\n\nA: Yes.")
    assert [e.kind for e in found] == [Kind.QA]


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [("Change 3\" to 6\".", '3"', ['6"']), ("Replace “two” with “three”.", "“two”", ["“three”"]),
     ("‘Six’ should read ‘seven’.", "‘Six’", ["‘seven’"]), ("Read ‘four’ instead of ‘five’.", "‘five’", ["‘four’"]),
     ("Change S to '10'.", None, ["'10'"]), ("Add 'FRAME'.", None, ["'FRAME'"]), ("Delete ‘twice’.", "‘twice’", []),
     ("Delete this ability.", None, [])],
)  # fmt: skip
def test_old_and_new_inside_an_instruction(instruction: str, old: str | None, new: list[str]) -> None:
    [found] = entries(f"lang: en\n# Saltmarch Errata\n\n**Page 3 – Pier**\n\n{instruction}")
    [change] = found.changes
    assert (change.old, [str(part) for part in change.new]) == (old, new)
    assert str(change.instruction) == instruction


def test_an_anchor_is_no_new_text() -> None:
    [found] = entries("lang: en\n# Errata\n\n**Page 3 – Pier**\n\nAdd the following before ‘Fords’:\n\n‘Piers burn.’")
    assert [str(part) for part in found.changes[0].new] == ["‘Piers burn.’"]
    assert found.changes[0].old is None


def test_a_colour_that_the_document_does_not_speak_of_must_cover_sentences_and_be_rare() -> None:
    plain = "\n\n".join(f"Sentence number {n} says something in plain black ink." for n in range(12))
    red = "{#c00000|This sentence is printed in red from its first word to its last one.}"
    assert sum(e.changed for e in entries(f"lang: en\n{plain}\n\n{red}\n\nMore.\n\n{red}!")) == 2
    note = "{#c00000|Designer’s note: this was tried out, and games took an hour longer than before.}"
    assert not any(e.changed for e in entries(f"lang: en\n{plain}\n\n{note}\n\nMore.\n\n{note}"))
    words = "\n\n".join(f"The {{#c00000|Raider}} number {n} moves." for n in range(12))
    assert not any(e.changed for e in entries(f"lang: en\n{plain}\n\n{words}"))


def test_the_sample_word_is_no_change_and_may_have_another_shade() -> None:
    document = classify(structure((CASES / "en-updates.md").read_text("utf-8")))
    assert [str(e.target) for e in document.entries if isinstance(e, Erratum) and e.changed] == [
        "Storm Raider, Boarding ability"
    ]
    assert list(dict(document.change_colours)) == ["#a31418"]


@pytest.mark.parametrize("asked", ["NEW Q: May I fly?", "[New] Q: May I fly?", "Q: May I fly? (new)", "NEW\n\nQ: May I fly?"])
def test_a_word_beside_an_entry_says_that_it_is_new(asked: str) -> None:
    found = [e for e in entries(f"lang: en\n{asked}\n\nA: No.\n\nQ: New moons, too?\n\nA: Yes.") if isinstance(e, QA)]
    assert [(str(e.question), e.changed) for e in found] == [("May I fly?", True), ("New moons, too?", False)]


@pytest.mark.parametrize(("told", "changed"), [("New entries have an asterisk (*).", True), ("* is a star.", False)])
def test_a_sign_marks_what_is_new_where_the_document_says_so(told: str, changed: bool) -> None:
    found = entries(f"lang: en\n{told}\n\n# Errata\n\n***Page 3 – Pier**\n\nDelete ‘twice’.\n\n**Page 4 – Quay**\n\nDelete ‘once’.")
    assert [(str(e.target), e.changed) for e in found if isinstance(e, Erratum)] == [("Pier", changed), ("Quay", False)]


def test_rules_carry_what_they_refer_to() -> None:
    [first, *_] = [e for e in entries((CASES / "fr-rules.md").read_text("utf-8")) if isinstance(e, Rule) and e.see]
    assert (first.number, first.see) == ("II-A", ("III-B-2",))


# ---------------------------------------------------------------- laws

PIECES = [
    "# Titre", "## Section", "### Sujet (n° 3)", "Q : Une question ?", "R : Une réponse.", "Texte simple.", "- un point",
    "**Page 12 – Gué**", "Remplacez « un » par « deux ».", "**Terme** – Sa définition.", "**II-A-1. Règle.**",
    "| a | b |\n| c | d |", "**Vraiment ?**", "{#ec008c|Du texte en couleur.}", "1. un numéro", "La marée ......... 12",
]  # fmt: skip
pages = st.lists(st.sampled_from(PIECES), max_size=14).map(lambda parts: "lang: fr\n" + "\n\n".join(parts))


@settings(max_examples=150, deadline=None)
@given(pages)
def test_every_line_is_in_an_entry_a_heading_or_furniture(page: str) -> None:
    read = structure(page)
    document = classify(read)
    kept = [a for part in (*document.entries, *document.headings, *document.furniture) for a in part.addresses]
    assert set(kept) == {a for block in read.blocks for a in block.addresses}


@settings(max_examples=100, deadline=None)
@given(pages)
def test_ids_are_unique_and_the_same_every_time(page: str) -> None:
    ids = [entry.id for entry in classify(structure(page)).entries]
    assert len(set(ids)) == len(ids)
    assert ids == [entry.id for entry in classify(structure(page)).entries]


def test_an_id_stays_when_the_entry_moves_or_is_set_anew() -> None:
    one = "lang: fr\n## A\n\nQ : Le gué est-il « libre » ?\n\nR : Oui – toujours."
    other = "lang: fr\n## B\n\nTexte.\n\n## C\n\nQ : Le gué\nest-il “libre” ?\n\nR : Oui — toujours."
    assert {e.id for e in entries(one)} <= {e.id for e in entries(other)}


def test_identical_entries_are_numbered() -> None:
    found = entries("lang: fr\nQ : Oui ?\n\nR : Non.\n\nQ : Oui ?\n\nR : Non.")
    assert [e.id[-2:] for e in found] == ["-1", "-2"]


@pytest.mark.parametrize(
    ("asked", "answered"), [("J", "A"), ("S", "S"), ("Klausimas", "Atsakymas"), ("Spurning 1", "Svar 1")]
)
def test_markers_of_a_language_without_words_are_told_by_how_they_take_turns(asked: str, answered: str) -> None:
    pairs = [
        ("Vai laiva drīkst braukt naktī?", "Nē."),
        ("Kurš sāk?", "Jaunākais spēlētājs."),
        ("Cik kauliņu?", "Divi."),
    ]
    page = "lang: en\n# FAQ\n\n" + "\n\n".join(f"{asked}: {q}\n\n{answered}: {a}" for q, a in pairs)
    made = classify(structure(page)).entries
    assert [(str(e.question), [str(p) for p in e.answer]) for e in made if isinstance(e, QA)] == [
        (q, [a]) for q, a in pairs
    ]


def test_a_list_by_letters_that_asks_is_no_dialogue() -> None:
    page = "lang: en\n# Order\n\nA. Who begins?\n\nB. The youngest.\n\nA. Who ends?\n\nB. The oldest one of all."
    assert not [entry for entry in classify(structure(page)).entries if isinstance(entry, QA)]


@pytest.mark.parametrize(
    ("language", "head", "number"),
    [("fr", "Article 5 bis – Ententes", "5 bis"), ("it", "Art. 5-bis – Ententes", "5-bis"), ("de", "§ 4a Ententes", "§ 4a"),
     ("pt", "Artigo 5.º-A – Ententes", "5-A"), ("es", "Artículo 5 ter. Ententes", "5 ter"), ("en", "Rule 12.3 bis Ententes", "12.3 bis")],
)  # fmt: skip
def test_numbers_of_rules_that_were_put_in_later(language: str, head: str, number: str) -> None:
    found = entries(f"lang: {language}\n# Xxx\n\n## {head}\n\nXxx xxx.\n\n## {head.replace('5', '6').replace('12', '13')}\n\nYyy.")
    assert (found[0].number, str(found[0].title)) == (number, "Ententes")


def test_articles_are_counted_through_all_chapters() -> None:
    page = "lang: en\n# League\n\n## Chapter 1 – Teams\n\n**Article 1. Size.** Four players.\n\n**Article 2. Names.** Short ones.\n\n"
    found = entries(page + "## Chapter 2 – Games\n\n**Article 3. Time.** One hour.\n\n**Article 4. Place.** The pier.")
    assert [(e.number, str(e.title), e.section) for e in found] == [
        ("1", "Size", ("Chapter 1 – Teams",)), ("2", "Names", ("Chapter 1 – Teams",)),
        ("3", "Time", ("Chapter 2 – Games",)), ("4", "Place", ("Chapter 2 – Games",)),
    ]  # fmt: skip


def test_a_list_of_changes_that_names_sections_has_no_rules() -> None:
    page = "lang: en\n# Rules\n\n## 1.1 Teams\n\nFour players.\n\n## 1.2 Time\n\nOne hour.\n\n## Changes\n\n"
    listed = "Section 1.4: moved.\n\nSection 1.5: removed.\n\nSection 1.4: renamed.\n\nSection 1.6: added.\n\nSection 1.4: gone."
    assert [e.number for e in entries(page + listed) if isinstance(e, Rule) and e.number] == ["1.1", "1.2"]


def test_a_range_of_players_numbers_no_rule_but_a_habit_does() -> None:
    ranges = entries("lang: en\n# Set up\n\n2-4 players take three ships.\n\n5-6 players take two ships.")
    assert not [e for e in ranges if isinstance(e, Rule) and e.number]
    counted = "\n\n".join(f"**12-{n} Example.** The ball is dropped by player {n}." for n in range(1, 6))
    assert [e.number for e in entries(f"lang: en\n# Art. 12 Start\n\n{counted}")] == [f"12-{n}" for n in range(1, 6)]


@pytest.mark.parametrize(
    ("language", "header"),
    [("fr", "Article | Texte ancien | Texte nouveau"), ("de", "Fundstelle | Bisherige Fassung | Neue Fassung"),
     ("en", "Rule | Current wording | New wording"), ("it", "Articolo | Testo vigente | Testo modificato")],
)  # fmt: skip
def test_a_table_of_articles_with_old_and_new_text_is_errata(language: str, header: str) -> None:
    found = entries(f"lang: {language}\n# Xxx\n\n| {header} |\n| Art. 3.2 | A b c. | A b d. |\n| Art. 7 | E f. | E g. |")
    assert [(str(e.target), e.changes[0].old, [str(new) for new in e.changes[0].new]) for e in found] == [
        ("Art. 3.2", "A b c.", ["A b d."]), ("Art. 7", "E f.", ["E g."]),
    ]  # fmt: skip


def test_a_place_and_a_date_over_names_close_the_last_rule() -> None:
    page = "lang: en\n# League\n\n## Article 1 – Teams\n\nFour players.\n\n## Article 2 – Start\n\nFrom May, 2026 on.\n\n"
    found = entries(page + "Saltmarch, 14 March 2026\n\nThe president")
    assert [str(text) for text in found[1].body] == ["From May, 2026 on."]
    assert [e.kind for e in found[2:]] == [Kind.TEXT, Kind.TEXT]


def test_prose_under_an_introduction_is_no_rule() -> None:
    found = entries("lang: en\n# League\n\n## Introduction\n\nWelcome, all.\n\n## 1.1 Teams\n\nFour.\n\n## 1.2 Time\n\nOne hour.")
    assert [e.kind for e in found] == [Kind.TEXT, Kind.RULE, Kind.RULE]


def test_a_chapter_and_its_title_in_two_lines_are_one_heading() -> None:
    found = entries("lang: en\n# League\n\n## CHAPTER II\nOf teams\n\n### Article 3 – Size\n\nFour.\n\n### Article 4 – Names\n\nAny.")
    assert {e.section for e in found} == {("CHAPTER II Of teams",)}


def test_a_label_under_every_rule_is_no_term() -> None:
    rules = "\n\n".join(f"**1.{n} Case.** Player {n} is late.\n\n**Penalty:** Warning number {n}." for n in range(1, 8))
    assert {e.kind for e in entries(f"lang: en\n# Guide\n\n{rules}")} <= {Kind.TEXT, Kind.RULE}


@pytest.mark.parametrize(
    ("language", "heading", "amended"),
    [("en", "Amendments", ("In rule 7.2, the words “A” are replaced by “B”.", "Rule 12 is repealed.")),
     ("fr", "Modifications", ("À l’article 7, les mots « A » sont remplacés par « B ».", "L’article 9 est abrogé.")),
     ("de", "Änderungen", ("In § 4 wird das Wort „A“ durch das Wort „B“ ersetzt.", "§ 9 wird aufgehoben."))],
)  # fmt: skip
def test_each_sentence_of_a_list_that_amends_an_article_is_an_erratum(
    language: str, heading: str, amended: tuple[str, str]
) -> None:
    found = entries(f"lang: {language}\n# Xxx\n\n## {heading}\n\n- {amended[0]}\n- {amended[1]}")
    assert [(e.kind, e.changes[0].operation) for e in found] == [(Kind.ERRATUM, "replace"), (Kind.ERRATUM, "delete")]


@pytest.mark.parametrize(
    ("told", "title"),
    [("x", None), ("Untitled 3", None), ("Unbenannt", None), ("Microsoft Word - faq_v3.docx", None), ("rules_final_2", None),
     ("-Salt Roads v1.9 - Google Docs", "Salt Roads v1.9"), ("Salt Roads", "Salt Roads")],
)  # fmt: skip
def test_a_title_that_no_person_gave_is_none(told: str, title: str | None) -> None:
    page = structure("lang: en\nThe tide turns at the end of every round, and nobody may move a boat before it has.")
    assert classify(replace(page, title=told)).title == title


def test_what_is_printed_is_the_title_rather_than_what_the_file_tells() -> None:
    page = structure("lang: en\nSalt Roads FAQ\n\nThe tide turns at the end of every round, and nobody may move a boat.")
    assert classify(replace(page, title="A layout for four pages")).title == "Salt Roads FAQ"


@pytest.mark.parametrize(("language", "page", "title"), [
    ("en", "# UNIVERSAL RULES UPDATES", "UNIVERSAL RULES UPDATES"), ("en", "# CORE\n\n## RULES", "CORE RULES"),
    ("de", "# Offizielle FAQ", "Offizielle FAQ"), ("pl", "# Oficjalna errata", "Oficjalna errata"),
])  # fmt: skip
def test_what_rules_are_called_is_no_game(language: str, page: str, title: str) -> None:
    document = classify(structure(f"lang: {language}\n{page}\n\nA boat that is on the sand when the tide turns stays where it is."))
    assert (document.title, document.game, document.entries[0].section) == (title, None, ())


def test_a_game_is_named_without_what_its_rules_are_called() -> None:
    for title, game in (("Salt Roads community FAQ", "Salt Roads"), ("Salt Roads 40,000 official FAQ", "Salt Roads 40,000")):
        assert classify(structure(f"lang: en\n# {title}\n\nA boat on the sand stays where it is.")).game == game


def test_the_dates_of_rulings_are_not_that_of_the_document() -> None:
    rulings = "\n\n".join(f"2024-0{n}-11: A ruling about the ferry, and about the number {n}." for n in range(1, 5))
    assert classify(structure(f"lang: en\n# Salt Roads rulings\n\n{rulings}")).date is None
    assert classify(structure(f"lang: en\n# Salt Roads rulings\n\nAs of May 2025.\n\n{rulings}")).date == "2025-05"


@pytest.mark.parametrize(
    ("language", "said", "meaning"),
    [("en", "Changes in red", "Changes in red"), ("fr", "Modifications en rouge.", "Modifications en rouge"),
     ("de", "Änderungen sind rot", "Änderungen sind rot"), ("en", "Red: what is new.", "Red: what is new"),
     ("de", "Geänderte Regeln stehen in roter Schrift, alles andere gilt.", "Geänderte Regeln stehen in roter Schrift"),
     ("fr", "Lorsque des changements ont lieu, ils sont en rouge.", "Lorsque des changements ont lieu, ils sont en rouge"),
     ("nb", "Nye svar er markert med rødt.", "Nye svar er markert med rødt"),
     ("en", "New text is shown in blue and changes in red.", "changes in red")],
)  # fmt: skip
def test_what_a_colour_means_is_told_to_its_last_word(language: str, said: str, meaning: str) -> None:
    document = classify(structure(f"lang: {language}\n{said}\n\n{{#c00000|7.}}\n\n8."))
    assert dict(document.change_colours)["#c00000"] == meaning


def test_a_list_of_terms_goes_on_behind_a_box() -> None:
    page = structure(
        "lang: en\n# Glossary\n\n- **Adjacent** [p. 7]: Spaces that share an edge.\n- **Bail** [p. 16]: To remove a token.\n\n"
        "#### Good to know\n\nLost tokens may be replaced by buttons.\n\n"
        "- **Keel** [p. 9]: What counts damage.\n- **Moored** [p. 11]: At a pier."
    )
    boxed = [replace(block, region=1) if at in (3, 4) else block for at, block in enumerate(page.blocks)]
    read = classify(replace(page, blocks=tuple(boxed))).entries
    assert [str(entry.term) for entry in read if isinstance(entry, Definition) and entry.refs] == ["Adjacent", "Bail", "Keel", "Moored"]


@pytest.mark.parametrize(("text", "unread"), [("+1 A.", False), ("12 / 20", True), ("§§§ %%% ///", True), ("Oui.", False)])
def test_figures_with_a_letter_are_read_and_signs_alone_are_not(text: str, unread: bool) -> None:
    page = structure(f"lang: fr\n# Les bacs\n\nChaque bac gagne ce qui suit, et rien de plus.\n\n{text}")
    assert [entry.unread for entry in classify(page).entries if isinstance(entry, Prose)][-1] is unread


def test_what_is_struck_out_stands_beside_its_entry_and_in_no_text() -> None:
    from pipeline.classify.struck import apart
    from pipeline.records import Prose, Rule, Span
    from pipeline.text import rich

    text = rich("A team has ", Span(text="one (1)", struck=True), " two (2) cars", Span(text=" at most", struck=True), ".")
    gone = Prose(id="", text=rich(Span(text="Repealed.", struck=True)), addresses=("p1.c1.l2",))
    [made] = apart([Rule(id="", number="2", title=rich("Cars"), body=(text,), addresses=("p1.c1.l1",)), gone])
    assert isinstance(made, Rule)
    assert [str(part) for part in made.body] == ["A team has two (2) cars."]
    assert made.struck == ("one (1)", "at most", "Repealed.")
    assert made.addresses == ("p1.c1.l1", "p1.c1.l2")
    [glued] = apart([Prose(id="", text=rich("they deem", Span(text="s ", struck=True), "it necessary"))])
    assert isinstance(glued, Prose) and str(glued.text) == "they deem it necessary"


PLAIN = "\n\n".join(f"Sentence number {n} says something in plain black ink." for n in range(12))


def test_a_legend_may_say_at_length_what_a_colour_means() -> None:
    told = "Pink Text: Changes relative to the rules of Issue 3, approved by the whole council in autumn"
    document = classify(structure(f"lang: en\n{told}\n\n{PLAIN}\n\nA car has {{#ff00ff|two wheels}}."))
    assert list(dict(document.change_colours)) == ["#ff00ff"]


def test_a_colour_that_is_announced_and_not_used_is_another_and_a_person_is_told() -> None:
    red = "{#c00000|This sentence is printed in red from its first word to its last one.}"
    document = classify(structure(f"lang: en\nChanges are shown in blue.\n\n{PLAIN}\n\n{red}\n\nMore.\n\n{red}!"))
    assert list(dict(document.change_colours)) == ["#c00000"]
    assert [finding.code for finding in document.findings] == ["colour-differs"]


def test_links_in_the_colour_of_changes_are_none() -> None:
    from pipeline.classify.colours import ChangeColours, marked
    from pipeline.records import Span
    from pipeline.text import rich

    [block] = structure("lang: en\nSee it.").blocks
    link = Span(text="the site", colour="#c00000", link="https://example.org")
    marks = ChangeColours(colours=(("#c00000", ""),), painted=(0,))
    [alone] = marked([replace(block, text=rich("See ", link, "."))], marks)
    assert not any(span.changed for span in alone.text.spans)
    [new] = marked([replace(block, text=rich(Span(text="New: see ", colour="#c00000"), link))], marks)
    assert all(span.changed for span in new.text.spans)


def test_a_copyright_line_is_no_title_and_the_third_item_of_a_list_no_publisher() -> None:
    from pipeline.classify.identity import COPYRIGHT

    document = classify(structure("lang: en\n# © Copyright Grey Gull Games Limited\n\nA gull may fly over two piers a turn."))
    assert (document.title, document.publisher) == (None, "Grey Gull Games Limited")
    assert COPYRIGHT.search("(c) Players may pass") is None
    assert COPYRIGHT.search("(c) 2024 Grey Gull Games")


def test_a_heading_under_a_text_is_a_title_only_if_none_is_larger() -> None:
    told = "This sheet has the words of a page that was cut out of the middle of some longer text, as you can see here."
    document = classify(structure(f"lang: en\n{told}\n\n### Flying\n\nA gull flies.\n\n## Diving\n\nA gull dives."))
    assert document.title != "Flying"


def test_a_publisher_has_a_name_and_no_number() -> None:
    def publisher(*lines: str) -> str | None:
        return classify(structure("\n\n".join(("lang: en\n# Lamp Rules", *lines)))).publisher

    prose = "This copyright notice and this permission notice shall be in all copies of it."
    assert publisher(prose) is None
    assert publisher(prose, "© 2026 Grey Gull Federation Issue 2") == "Grey Gull Federation"
    assert publisher("Copyright Grey Gull Games Limited 2026. All rights reserved.") == "Grey Gull Games Limited"


def test_the_largest_heading_of_all_over_the_first_page_is_the_title_though_it_has_a_number() -> None:
    made = structure("lang: en\n# Section B: Sailing\n\n## 1. Boats\n\nA boat has two oars, and nobody rows alone.")
    large = (replace(made.blocks[0], size=18.0), *(replace(block, size=10.0) for block in made.blocks[1:]))
    assert classify(replace(made, blocks=large)).title == "Section B: Sailing"
