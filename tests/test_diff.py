"""diff: what changed between two releases, and what the publisher did not mark."""

from __future__ import annotations

import cProfile
import importlib.util
import io
import itertools
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import cli
from pipeline.diff import apply, change_formats, diff, entry_text, redline, verdicts
from pipeline.diff.assignment import assign, longest_rising
from pipeline.diff.change_sheet import sheet, shortened
from pipeline.export import entry_fields
from pipeline.records import (
    QA,
    AnyEntry,
    Change,
    Changes,
    Definition,
    Document,
    Erratum,
    Fate,
    Operation,
    Prose,
    Rule,
    Table,
)
from pipeline.render.words import words as strings
from pipeline.text import even, rich

ROOT = Path(__file__).parent.parent

# ---------------------------------------------------------------- making releases


def qa(question: str, *answer: str, section: str = "Général", subject: str | None = None, **more: object) -> QA:
    return QA(id=f"q-{question}", language="fr", section=(section,), subject=rich(subject) if subject else None,
              question=rich(question), answer=tuple(rich(part) for part in answer), **more)  # type: ignore[arg-type]  # fmt: skip


def rule(number: str, title: str, *body: str, section: str = "Tour", **more: object) -> Rule:
    return Rule(id=f"r-{number}-{title}", language="fr", section=(section,), number=number, title=rich(title),
                body=tuple(rich(part) for part in body), **more)  # type: ignore[arg-type]  # fmt: skip


def release(*entries: AnyEntry, **more: object) -> Document:
    return Document(source="faq.pdf", sha256="0" * 64, pages=4, language="fr", entries=entries, **more)  # type: ignore[arg-type]


PONT = qa("Un éclaireur peut-il passer le pont levé ?", "Non. Le pont doit être baissé.")
GUE = qa("Combien de pas coûte le gué ?", "Le gué coûte 2 pas, sauf en barque.")
TOUR = qa("Que vaut la tour en ruine ?", "Elle vaut un point si personne ne la conteste.")
SEL = qa("Où range-t-on les grains de sel ?", "Dans le bol commun, à la fin du tour.")
QUAI = qa("Une barque amarrée bloque-t-elle le quai ?", "Oui. Il faut la détacher.")
FIVE = (PONT, GUE, TOUR, SEL, QUAI)


def fates(changes: Changes) -> list[tuple[str, str]]:
    return [(str(each.change), entry_text.head(each.new or each.old)) for each in changes.changes]  # type: ignore[arg-type]


# ---------------------------------------------------------------- what is a change, and what is none


def test_a_release_is_no_change_of_itself() -> None:
    changes = diff(release(*FIVE), release(*FIVE))
    assert (changes.changes, changes.renumbered, changes.left_over, changes.findings) == ((), (), (), ())


def test_added_removed_and_changed_are_told_apart() -> None:
    dearer = qa("Combien de pas coûte le gué ?", "Le gué coûte 3 pas, sauf en barque.")
    changes = diff(release(PONT, GUE, TOUR), release(PONT, dearer, SEL))
    assert sorted(fates(changes)) == [
        ("added", "Où range-t-on les grains de sel ?"), ("changed", "Combien de pas coûte le gué ?"),
        ("removed", "Que vaut la tour en ruine ?"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "again",
    [
        qa("Combien de pas  coûte le gué ?", "Le gué coûte 2 pas,\nsauf en barque."),
        qa("Combien de pas coûte le gué\u202f?", "Le gué coûte 2 pas, sauf en barque.", page=3),
        qa("Combien de pas coûte le gué ?", "Le gué coûte 2 pas,", "sauf en barque."),
    ],
)
def test_re_typeset_text_is_no_change(again: QA) -> None:
    assert diff(release(PONT, GUE, TOUR), release(PONT, again, TOUR)).changes == ()


def test_text_that_was_only_cut_elsewhere_is_no_change() -> None:
    one = Prose(id="a", text=rich("La brume se lève. Les barques rentrent."))
    two = (Prose(id="b", text=rich("La brume se lève.")), Prose(id="c", text=rich("Les barques rentrent.")))
    assert diff(release(PONT, one, TOUR), release(PONT, *two, TOUR)).changes == ()


def test_a_name_that_several_go_by_does_not_tell_which_it_is() -> None:
    said = ("Le passeur attend la marée, puis il détache sa barque.", "La tour tombe quand ses deux lampes sont éteintes.",
            "Un grain de sel se jette par-dessus l’épaule gauche.")  # fmt: skip
    one, two, three = (rule(f"30-{at}", "Exemple", text) for at, text in enumerate(said, start=1))
    assert sorted(fates(diff(release(PONT, one, two), release(PONT, one, three)))) == [("added", "Exemple"), ("removed", "Exemple")]


def test_a_rule_without_a_name_that_lost_its_sentences_is_the_same() -> None:
    long = "Le passeur est au quai une heure avant la marée. Il vérifie les lampes, les cordes et les rames de chaque barque. Toute rame fendue reste à terre."
    changes = diff(release(PONT, rule("2", "", long), GUE), release(PONT, SEL, rule("3", "", long.split(". ")[0] + "."), GUE))
    assert [each.change for each in changes.changes] == [Fate.CHANGED, Fate.ADDED]


def test_an_insertion_before_an_entry_is_no_move_but_another_section_is() -> None:
    moved = replace(SEL, section=("Sel",))
    changes = diff(release(*FIVE), release(qa("Neuf ?", "Oui."), PONT, GUE, TOUR, moved, QUAI))
    assert fates(changes) == [("added", "Neuf ?"), ("moved", "Où range-t-on les grains de sel ?")]


def test_only_what_was_carried_forward_moved() -> None:
    changes = diff(release(*FIVE), release(QUAI, PONT, GUE, TOUR, SEL))
    assert fates(changes) == [("moved", "Une barque amarrée bloque-t-elle le quai ?")]


def test_an_entry_that_moved_and_changed_says_both() -> None:
    both = replace(QUAI, section=("Eau",), answer=(rich("Non. On passe par-dessus."),))
    [told] = diff(release(*FIVE), release(PONT, GUE, TOUR, SEL, both)).changes
    assert (told.change, told.moved, told.verdict_flipped) == (Fate.CHANGED, True, True)


def test_a_heading_that_was_renamed_moves_nothing() -> None:
    renamed = [replace(entry, section=("Questions générales",)) for entry in FIVE]
    changes = diff(release(*FIVE), release(*renamed))
    assert changes.changes == ()
    assert [finding.code for finding in changes.findings] == ["heading-renamed"]


def test_rules_that_were_only_renumbered_are_a_table() -> None:
    old = release(rule("1", "Marée", "On tire une carte."), rule("2", "Vent", "On lance un dé."))
    new = release(rule("1", "Brume", "On pose le jeton."), rule("2", "Marée", "On tire une carte."), rule("3", "Vent", "On lance un dé."))  # fmt: skip
    changes = diff(old, new)
    assert fates(changes) == [("added", "Brume")]
    assert changes.renumbered == (("1", "2"), ("2", "3"))


def test_a_document_tells_its_own_story_last() -> None:
    rows = [["Version", "Date", "Objet"], ["1.1", "2026-03-01", "Le gué"], ["1.2", "2026-09-01", "Le pont : 2 pas au lieu de 3"]]
    tables = [Table(id=f"t{n}", language="fr", rows=tuple(tuple(map(rich, row)) for row in rows[:n])) for n in (2, 3)]
    listed = Prose(id="h", language="fr", section=("Historique des révisions",), text=rich("Le gué coûte 3 pas au lieu de 2."))
    dearer = replace(GUE, answer=(rich("Le gué coûte 3 pas, sauf en barque."),))
    told = diff(release(tables[0], PONT, GUE), release(tables[1], listed, PONT, dearer)).changes
    assert [(each.about_document, each.numbers_changed) for each in told] == [(False, (("2", "3"),)), (True, ()), (True, ())]


def test_a_table_is_compared_cell_by_cell_and_its_rows_are_named() -> None:
    def points(*rows: str) -> Table:
        return Table(id="t", language="fr", title=rich("Coûts"), rows=tuple(tuple(map(rich, row.split())) for row in rows))

    old = release(points("Unité Avant Après", "Archer 140 150", "Héraut 80 80", "Lancier 12 11"), PONT)
    new = release(points("Unité Avant Après", "Archer 150 155", "Lancier 12 11", "Sapeur 7 7"), PONT)
    [told] = diff(old, new).changes
    assert told.numbers_changed == (("140", "150"), ("150", "155"))
    assert [text.strip() for sign, text in told.words if sign == "-"] == ["140", "150", "Héraut | 80 | 80"]
    assert [text.strip() for sign, text in told.words if sign == "+"] == ["150", "155", "Sapeur | 7 | 7"]
    [turn] = sheet(diff(old, new)).highlights
    assert (turn.name, turn.pairs) == ("Archer", (("140", "150"), ("150", "155")))
    assert "2 changed numbers" in change_formats.summary(sheet(diff(old, new)), strings("en")["changes"])


def test_a_list_that_goes_on_in_a_second_column_is_one_list() -> None:
    def sails(*rows: tuple[str, ...]) -> Table:
        return Table(id="t", language="fr", rows=tuple(tuple(map(rich, row)) for row in rows))

    head = ("Points", "Voiles", "")
    old = sails(head, ("1", "• Foc brun\n• Foc gris\n• Taillevent", ""), ("2", "• Grande voile", "• Misaine"))
    new = sails(head, ("1", "• Foc brun\n• Foc gris", "• Taillevent"), ("2", "• Grande voile", "• Misaine\n• Artimon"))
    [told] = diff(release(old, PONT), release(new, PONT)).changes
    assert [(sign, text.strip()) for sign, text in told.words if sign != "="] == [("+", "• Artimon")]
    columns = [sails(("Unité", "Jour", ""), ("Archer", *cells)) for cells in (("5", ""), ("", "5"))]
    assert diff(release(columns[0], PONT), release(columns[1], PONT)).changes  # a value in another column is another


def test_what_stands_on_the_other_side_of_a_table_is_the_same_text() -> None:
    table = Table(id="t", language="fr", section=("Tour",), rows=((rich("Voile"), rich("Prix")), (rich("Foc"), rich("3"))))
    note = "• Le foc est permis aux deux premières traversées et ne compte pas dans les points de voile."
    other = note.replace("deux", "trois")
    said = "Chaque voile que hisse une barque pendant une traversée de jour ou de nuit est de cette liste, et d’aucune autre du port :"
    before = (PONT, rule("3.1", "", said), table, Prose(id="n", language="fr", section=("Tour",), text=rich(note)), SEL)
    after = [(PONT, rule("3.1", "", said, text), table, SEL) for text in (other, note)]
    [told] = diff(release(*before), release(*after[0])).changes
    assert [(sign, text.strip()) for sign, text in told.words if sign != "="] == [("-", "deux"), ("+", "trois")]
    assert [each.change for each in diff(release(*before), release(*after[1])).changes] == [Fate.MOVED]


def test_the_title_page_and_the_legend_of_colours_are_about_the_document() -> None:
    def issue(number: str, day: str, *legend: AnyEntry, **more: object) -> Document:
        rows = (("Version :", f"Numéro {number}"), ("État :", "Approuvé"), ("Date :", day))
        return release(Table(id="t", language="fr", rows=tuple(tuple(map(rich, row)) for row in rows)), *legend, PONT,
                       replace(GUE, answer=(rich(f"Le gué coûte {number} pas, sauf en barque."),)), version=number, **more)  # fmt: skip

    def term(name: str, *body: str) -> Definition:
        return Definition(id=name, language="fr", section=("Convention",), term=rich(name), body=tuple(map(rich, body)))

    meaning = "Texte rose : Modifications depuis le numéro 2, approuvé le 3 mai 2026"
    plain = rule("", "Convention", "Texte noir : premier numéro du règlement de la brume, approuvé le 1 mars 2026.", "Texte rose : ---")
    terms = (term("Texte noir", "Premier numéro du règlement de la brume, approuvé le 1 mars 2026."), term(*meaning.split(" : ")))
    told = diff(issue("2", "01/03/2026", plain), issue("3", "03/05/2026", *terms, change_colours=(("#ff00ff", meaning),)))
    assert [each.about_document for each in told.changes] == [False] + [True] * (len(told.changes) - 1)
    assert len(told.changes) > 2 and told.changes[0].numbers_changed == (("2", "3"),)
    assert sheet(told).changed == 1 and sheet(told).silent == 1 and sheet(told).added == 0


def test_a_title_page_and_a_legend_that_are_read_as_rules_are_about_the_document() -> None:
    def issue(number: str, day: str, said: str, pace: int) -> Document:
        title = replace(rule("B", "Règlement", f"Version : numéro {number} État : approuvé Date : {day} Conseil : 4 mai"), section=())
        legend = replace(rule("", "Convention", "Texte noir : premier numéro.", f"Texte rose : {said}", "Texte bleu : ---"), section=())
        steps = replace(GUE, answer=(rich(f"Le gué coûte {pace} pas."),))
        return release(title, legend, PONT, steps, rule("1", "Encre", "Encre rouge : interdite.", f"Encre rose : {said}"),
                       version=number, date="-".join(reversed(day.split("/"))), change_colours=(("#ff00ff", f"Texte rose : {said}"),))  # fmt: skip

    told = diff(issue("2", "01/03/2026", "ce qui a changé depuis mars", 2), issue("3", "09/05/2026", "ce qui a changé depuis mai", 3))
    ruling = [str(each.new.section) for each in told.changes if each.new and not each.about_document]
    assert ruling == ["('Général',)", "('Tour',)"]  # not the title page and the legend, though the rule about ink
    assert told.changes[0].numbers_changed == (("2", "3"),)


def test_a_list_in_a_cell_is_compared_item_by_item_wherever_an_item_stands() -> None:
    """Set in columns, one new name moves all that stand behind it."""
    def sails(*lines: str) -> Document:
        rows = (("Points", "Voiles"), ("1", "\n".join(lines)), ("2", "Toute autre voile"))
        table = Table(id="t", language="fr", title=rich("Voiles"), rows=tuple(tuple(map(rich, row)) for row in rows))
        return release(table, PONT)

    old = sails("• Artimon B2 • Foc C7", "• Brigantine • Grande voile", "• Misaine")
    new = sails("• Artimon neuf B2 • Brigantine", "• Fortune D1 • Foc C7", "• Grande voile • Misaine")
    [told] = diff(old, new).changes
    assert [(sign, text.strip()) for sign, text in told.words if sign != "="] == [("+", "neuf"), ("+", "• Fortune D1")]
    assert told.numbers_changed == () and not [each for each in sheet(diff(old, new)).highlights if each.what == "number"]
    assert "".join(text for sign, text in told.words if sign != "-").count("•") == 6
    assert diff(old, sails("• Brigantine • Foc C7", "• Artimon B2 • Misaine", "• Grande voile")).changes == ()
    [gone] = diff(new, old).changes
    assert [(sign, text.strip()) for sign, text in gone.words if sign != "="] == [("-", "neuf"), ("-", "• Fortune D1")]


_CELLS = st.lists(st.sampled_from(["Artimon", "Foc", "Misaine", "Fortune", "Brigantine"]), min_size=2, max_size=7)


@given(_CELLS, _CELLS)
def test_the_words_of_a_list_in_a_cell_are_the_new_list_and_what_went(old: list[str], new: list[str]) -> None:
    was, now = (f"1 | {' '.join(f'• {name}' for name in names)}" for names in (old, new))
    told = redline.differences(was, now, entry_text.ROWS)
    assert "".join(text for sign, text in told if sign != "-") == now
    gone = " ".join(text for sign, text in told if sign == "-").replace("•", " ").split()
    assert sorted(gone) == sorted((Counter(old) - Counter(new)).elements())


@given(st.lists(st.tuples(st.sampled_from("=+-"), st.text("ab \n.:•", max_size=400)), max_size=6), st.booleans())
def test_what_is_cut_is_only_what_did_not_change(line: list[tuple[str, str]], rows: bool) -> None:
    cut = shortened(tuple(line), rows=rows)
    assert [(sign, str(text).strip()) for sign, text in cut if sign != "="] == [
        (sign, text.strip()) for sign, text in line if sign != "="
    ]
    assert [sign for sign, _ in cut] == [sign for sign, _ in line]


def test_only_the_lines_that_changed_are_shown_and_what_leads_to_them() -> None:
    body = ["Une barque est à quai si elle touche la jetée, de l’avant ou de l’arrière, et si aucune autre ne la touche.",
            "Exemples", "A. La barque touche la jetée de l’avant.", "B. La barque est amarrée.", "C. La jetée est tombée.",
            "Elle y reste jusqu’au matin, quoi que fasse la brume."]  # fmt: skip
    for at, shown in ((2, "[…] Exemples\n"), (3, "[…] B."), (0, "")):
        later = [line.replace("La barque", "Le bateau").replace("Une barque", "Un bateau") if n == at else line
                 for n, line in enumerate(body)]  # fmt: skip
        [(_, [change])] = sheet(diff(release(PONT, rule("1", "Quai", *body)), release(PONT, rule("1", "Quai", *later)))).groups
        [row] = change.rows
        assert "".join(text for _, text in row.line).startswith(shown)
        assert row.line[-1][1].endswith("[…]") and "matin" not in row.line[-1][1]


def test_a_small_heading_behind_a_cut_has_a_line_of_its_own() -> None:
    start = "La barque qui touche le quai reste au quai, " + "quoi que fasse la brume au-dessus des eaux, " * 6
    body = [start, "Elle part à l’aube, avec tout ce qui est à bord, et personne d’autre ne monte.", "Remède", "Le joueur attend."]
    later = [body[0].replace("La barque", "Le bateau"), *body[1:3], "Le joueur passe son tour."]
    [(_, [change])] = sheet(diff(release(PONT, rule("1", "Quai", *body)), release(PONT, rule("1", "Quai", *later)))).groups
    [row] = change.rows
    assert "[…]\nRemède\nLe joueur " in "".join(text for sign, text in row.line if sign != "-")


def test_of_a_table_the_header_and_the_rows_that_changed_are_shown() -> None:
    rows = [f"Port de la brume {n} | {n}0 grains de sel, payables à l’aube" for n in range(10)]
    tables = [Table(id="t", language="fr", rows=tuple(tuple(map(rich, row.split(" | "))) for row in ("Port | Prix", *some)))
              for some in (rows, [row.replace("70", "75") for row in rows])]  # fmt: skip
    [(_, [change])] = sheet(diff(*(release(table, PONT) for table in tables))).groups
    [row] = [row for row in change.rows if not row.same]
    assert "".join(text for sign, text in row.line if sign != "-").replace("\xa0", " ") == (
        "Port | Prix\n[…] Port de la brume 7 | 75 grains de sel, payables à l’aube […]"
    )


def test_the_map_is_drawn_by_pages() -> None:
    entries = [replace(qa(f"Que vaut la tour {n} ?", f"Elle vaut {n} points."), page=page) for n, page in enumerate((1, 1, 1, 1, 3, 4))]
    later = [*entries[:4], replace(entries[4], answer=(rich("Elle ne vaut plus rien du tout."),)), entries[5]]
    drawn = sheet(diff(release(*entries), release(*later)))
    assert [mark.at for mark in drawn.marks] == [500.0]
    assert drawn.pages == ((0.0, 1), (250.0, 2), (500.0, 3), (750.0, 4))


def test_a_path_does_not_begin_with_the_title_of_the_document() -> None:
    old, new = (
        release(PONT, replace(rule("1", "Gué", f"Le gué coûte {n} pas."), section=("Règlement", "Marche")), title="RÈGLEMENT")
        for n in (2, 3)
    )
    [(_, [shown])] = sheet(diff(old, new)).groups
    assert shown.head.path == ("Marche",)


def test_words_of_the_sentence_about_colours_are_no_change() -> None:
    texts = [f"Ce document répond aux joueurs. Les ajouts depuis la version 1.{n} sont en rouge. Merci à tous." for n in (1, 2)]
    old, new = (
        replace(release(Prose(id="p", language="fr", text=rich(text)), PONT), change_colours=(("#c80000", text[32:-16]),))
        for text in texts
    )
    assert diff(old, new).changes == ()


def test_hyphens_of_a_line_s_end_and_other_quotes_are_no_change() -> None:
    old = qa("Que dit la carte ?", "Elle dit “celui-ci passe”, et rien de plus.")
    new = qa("Que dit la carte ?", "Elle dit ‘ce-lui-ci passe’, et rien de plus.")
    assert diff(release(PONT, old), release(PONT, new)).changes == ()
    assert diff(release(qa("Sur combien ?", "Sur 2-3.")), release(qa("Sur combien ?", "Sur 23."))).changes


def test_capitals_and_lost_spaces_are_no_change() -> None:
    shout = replace(GUE, question=rich(GUE.question.upper()))
    assert diff(release(PONT, GUE, TOUR), release(PONT, shout, TOUR)).changes == ()
    close = replace(GUE, answer=(rich("Legué coûte 3 pas, sauf enbarque."),))
    [told] = diff(release(PONT, GUE, TOUR), release(PONT, close, TOUR)).changes
    assert [(sign, text.strip()) for sign, text in told.words if sign != "="] == [("-", "2"), ("+", "3")]
    card = replace(GUE, subject=rich("Phare (n° 3)"), answer=(rich("Aucun."),))
    [told] = diff(release(PONT, replace(GUE, subject=rich("Phare(n°3)")), TOUR), release(PONT, card, TOUR)).changes
    assert not told.moved


def test_another_term_is_another_definition() -> None:
    def definition(term: str, body: str) -> Definition:
        return Definition(id=term, language="fr", section=("Lexique",), term=rich(term), body=(rich(body),))

    old = definition("Lanterne de proue", "Jeton du premier joueur. Elle change de main à la marée.")
    new = definition("Lanterne", "Jeton qui permet d’activer un combattant.")
    assert {each.change for each in diff(release(*FIVE, old), release(*FIVE, new)).changes} == {Fate.ADDED, Fate.REMOVED}
    mended = definition("Lanternes de proue", "Jeton du premier joueur. Elle change de main à la marée.")
    [told] = diff(release(*FIVE, old), release(*FIVE, mended)).changes
    assert told.change is Fate.CHANGED


def test_entries_of_a_renamed_heading_do_not_move_though_others_left_it() -> None:
    old = [replace(entry, section=("Combat",)) for entry in FIVE]
    new = [replace(entry, section=("Attaque",)) for entry in FIVE[3:]]
    assert {each.change for each in diff(release(*old), release(*new)).changes} == {Fate.REMOVED}
    apart = [replace(PONT, section=("Eau",)), *(replace(entry, section=("Combat",)) for entry in FIVE[1:])]
    [moved] = diff(release(*apart), release(*(replace(entry, section=("Combat",)) for entry in FIVE))).changes
    assert moved.change is Fate.MOVED
    again = [replace(entry, section=("2. Combat",)) for entry in FIVE]
    changes = diff(release(*(replace(entry, section=("1. Combat",)) for entry in FIVE)), release(*again))
    assert (changes.changes, changes.findings) == ((), ())


def test_headings_in_another_order_move_nothing() -> None:
    def under(section: str, *entries: QA) -> list[QA]:
        return [replace(entry, section=(section,)) for entry in entries]

    water, land = under("Eau", GUE, QUAI), under("Terre", PONT, TOUR, SEL)
    changes = diff(release(*water, *land), release(*land, *water))
    assert (changes.changes, [finding.code for finding in changes.findings]) == ((), ["headings-reordered"])
    assert apply(release(*water, *land).entries, changes) == (*land, *water)
    many = [qa(f"Que vaut la lanterne {letter} ?", f"{letter} point.") for letter in "abcdefgh"]
    changes = diff(release(*many), release(*reversed(many)))  # sorted anew: it would be seven moves
    assert changes.changes == ()
    assert apply(tuple(many), changes) == tuple(reversed(many))


def test_a_chapter_that_was_divided_moves_nothing() -> None:
    old = [replace(entry, section=("Combat",)) for entry in FIVE]
    new = [*old[:3], *(replace(entry, section=("Combat", "De nuit")) for entry in old[3:])]
    assert diff(release(*old), release(*new)).changes == ()
    assert diff(release(*new), release(*old)).changes == ()
    bare = [replace(entry, section=()) for entry in FIVE]
    assert diff(release(*bare), release(*old)).changes == ()


def test_two_questions_that_became_one_are_one_change() -> None:
    both = qa("Que vaut la tour en ruine, et où range-t-on les grains de sel ?",
              "Elle vaut deux points si personne ne la conteste.", "Dans le bol commun, à la fin du tour.")  # fmt: skip
    old, new = release(*FIVE), release(PONT, GUE, both, QUAI)
    [told] = diff(old, new).changes
    assert (told.change, told.olds, told.news) == (Fate.CHANGED, (TOUR, SEL), (both,))
    assert apply(old.entries, diff(old, new)) == new.entries
    assert "merged]" in change_formats.text(diff(old, new), strings("en")["changes"])
    [back] = diff(new, old).changes
    assert (back.change, back.olds, back.news) == (Fate.CHANGED, (both,), (TOUR, SEL))
    assert apply(new.entries, diff(new, old)) == old.entries


def test_questions_that_were_only_put_together_show_no_word_as_changed() -> None:
    both = qa(f"{TOUR.question} {SEL.question}", f"{TOUR.answer[0]} {SEL.answer[0]}")
    [told] = diff(release(*FIVE), release(PONT, GUE, both, QUAI)).changes
    assert (told.olds, {sign for sign, _ in told.words}) == ((TOUR, SEL), {"="})


def test_references_follow_rules_that_have_another_number() -> None:
    wind = rule("2.1", "Vent", "On lance un dé, comme en 1.2 (voir p. 7).")
    old = release(rule("1.1", "Marée", "On tire une carte."), rule("1.2", "Brume", "On pose 2 jetons."), wind)
    new = release(rule("1.1", "Brume", "On pose 2 jetons."), rule("1.2", "Vent", "On lance un dé, comme en 1.1 (voir p. 7)."))
    changes = diff(old, new)
    assert fates(changes) == [("removed", "Marée")]
    assert changes.renumbered == (("1.2", "1.1"), ("2.1", "1.2"))
    paged = release(*old.entries[:2], rule("2.1", "Vent", "On lance un dé, comme en 1.2 (voir p. 9)."))
    [told] = diff(old, paged).changes
    assert (told.numbers_changed, told.spelling_only) == ((), True)


def test_a_question_that_was_read_as_a_heading_is_the_same_question() -> None:
    asked = "Combien de pas coûte le gué ?"
    headings = ("Général", f"4. {asked}", "Réponse 1")
    read = Prose(id="x", language="fr", section=headings, text=rich("Le gué coûte 3 pas, sauf en barque."))
    [told] = diff(release(PONT, GUE, TOUR), release(PONT, read, TOUR)).changes
    assert (told.change, told.moved, told.numbers_changed) == (Fate.CHANGED, False, (("2", "3"),))


def test_the_imprint_and_the_contents_are_no_news() -> None:
    old = release(Prose(id="a", language="fr", text=rich("Valable le 3 mars 2026")), PONT, date="2026-03-03")
    new = release(Prose(id="b", language="fr", text=rich("Valable le 28 juin 2027")), PONT, date="2027-06-28")
    assert diff(old, new).changes == ()
    old = release(Prose(id="a", text=rich("Version 1.1 – mars 2026")), PONT, version="1.1", date="2026-03")
    new = release(Prose(id="b", text=rich("Version 1.2 – septembre 2026")), PONT, version="1.2", date="2026-09")
    assert diff(old, new).changes == ()
    said = "Ce qui a changé est imprimé en rouge."
    old, new = release(rule("1", "Préface", "Bonjour."), PONT), release(rule("1", "Préface", "Bonjour.", said), PONT)
    assert diff(old, replace(new, change_colours=(("#c80000", said),))).changes == ()
    toc = [Prose(id=x, text=rich(f"Le gué ..... {x} Le sel ..... {x} La tour ..... {x}")) for x in "12"]
    assert diff(release(toc[0], PONT), release(toc[1], PONT)).changes == ()
    names = ("Gué", "Sel", "Tour", "Brume")
    lines = [Prose(id=x, text=rich(" ".join(f"{name} ({at + first})" for at, name in enumerate(names)))) for first, x in enumerate("ab")]
    rules = [[replace(rule("", name, "Rien."), page=at + first) for at, name in enumerate(names)] for first in (0, 1)]
    assert diff(release(lines[0], *rules[0]), release(lines[1], *rules[1])).changes == ()


# ---------------------------------------------------------------- the best assignment, not greedy luck


def test_the_best_assignment_is_not_the_first_best_pair() -> None:
    assert assign({0: {0: 0.9, 1: 0.8}, 1: {0: 0.8}}) == {0: 1, 1: 0}
    assert assign({0: {0: 0.95, 1: 0.06}, 1: {0: 0.06}}) == {0: 0}


@given(
    st.dictionaries(st.integers(0, 4), st.dictionaries(st.integers(0, 4), st.integers(1, 20).map(float)), max_size=5)
)
def test_no_other_assignment_gains_more(gains: dict[int, dict[int, float]]) -> None:
    made = assign(gains)
    assert len(set(made.values())) == len(made)
    assert sum(gains[i][j] for i, j in made.items()) == pytest.approx(_most(gains))


def _most(gains: dict[int, dict[int, float]]) -> float:
    lefts = list(gains)
    choices = [[*gains[left], None] for left in lefts]
    sums = [sum(gains[i][j] for i, j in zip(lefts, chosen, strict=True) if j is not None) for chosen in itertools.product(*choices)
            if len(used := [j for j in chosen if j is not None]) == len(set(used))]  # fmt: skip
    return max(sums, default=0.0)


@given(st.permutations(range(8)))
def test_what_kept_its_order_rises(places: list[int]) -> None:
    kept = [places[at] for at in sorted(longest_rising(places))]
    assert kept == sorted(kept)
    assert kept or not places


def test_look_alikes_go_to_their_own_partner() -> None:
    old = [qa(f"Le pion {name} peut-il passer le gué de nuit ?", "Oui.") for name in ("rouge", "vert", "bleu")]
    new = [replace(entry, answer=(rich("Non."),)) for entry in reversed(old)]
    changes = diff(release(*old), release(*new)).changes
    assert all(str(each.old.question) == str(each.new.question) for each in changes)  # type: ignore[union-attr]


def test_forced_pairs_win() -> None:
    other = qa("Peut-on franchir la chaussée quand elle est relevée ?", "Jamais.")
    assert {each.change for each in diff(release(PONT, GUE), release(GUE, other)).changes} == {Fate.ADDED, Fate.REMOVED}
    [told] = diff(release(PONT, GUE), release(other, GUE), forced=[(PONT.id, other.id)]).changes
    assert told.change is Fate.CHANGED
    [told] = diff(release(PONT, GUE), release(other, GUE), forced=[("pont levé", "chaussée")]).changes
    assert told.change is Fate.CHANGED


def test_a_question_about_another_card_is_another_question() -> None:
    old = qa("Puis-je la jouer deux fois ?", "Non.", subject="Passeuse de minuit")
    new = qa("Puis-je la jouer deux fois de suite ?", "Oui.", subject="Vent contraire")
    assert {each.change for each in diff(release(*FIVE, old), release(*FIVE, new)).changes} == {
        Fate.ADDED,
        Fate.REMOVED,
    }


# ---------------------------------------------------------------- what kind of change


def edits(old: str, new: str) -> list[tuple[str, str]]:
    return [(sign, text.strip()) for sign, text in redline.differences(old, new) if sign != "="]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Le gué coûte 2 pas.", "Le gué coûte 3 pas.", [("-", "2"), ("+", "3")]),
        ("Elle tient.", "Elle tient. Elle coule si on la charge.", [("+", "Elle coule si on la charge.")]),
        ("Un pion. Un dé. Un sac.", "Un pion. Un dé. Un bol. Un sac.", [("+", "Un bol.")]),
        ("Si la barque coule, on nage.", "Est-il vrai que si la barque coule, on nage.", [("+", "Est-il vrai que")]),
        ("Elle est de la Coupe en cours.", "Elle est de la\nCoupe en cours.", []),
        ("Posez le jeton rouge à gauche du bord.", "Rangez la carte bleue à droite de la pile.",
         [("-", "Posez le jeton rouge à gauche du bord"), ("+", "Rangez la carte bleue à droite de la pile")]),
    ],
)  # fmt: skip
def test_words_read_well(old: str, new: str, told: list[tuple[str, str]]) -> None:
    assert edits(old, new) == told


@pytest.mark.parametrize(("old", "new"), [
    ("12:30", "12:45"), ("12:30pm", "12:45pm"), ("12h30", "12h45"), ("2026-11-28", "2026-12-05"), ("28.11.2026", "29.11.2026"),
    ("2026-11-28T12:30", "2026-11-28T12:45"), ("1.5", "1.7"), (".5", ".75"), ("1.5cm", "1.6cm"), ("1,500", "1,750"),
    ("1 500", "1 750"), ("1’500", "1’750"), ("v1.5", "v1.6"), ("7.1a", "7.1b"), ("2x4", "2x5"), ("5th", "6th"), ("50 %", "60 %"),
])  # fmt: skip
def test_a_number_is_replaced_as_a_whole(old: str, new: str) -> None:
    assert edits(f"The bell rings at {old} and no later.", f"The bell rings at {new} and no later.") == [("-", old), ("+", new)]


@given(st.text(alphabet="abé 1.,'’-?\n", max_size=60), st.text(alphabet="abé 1.,'’-?\n", max_size=60))
def test_words_lose_nothing(old: str, new: str) -> None:
    told = redline.differences(old, new)
    assert _bare("".join(text for sign, text in told if sign != "-")) == _bare(new)
    assert _bare("".join(text for sign, text in told if sign != "+")).lower() == _bare(old).lower()


def _bare(text: str) -> str:
    return "".join(even(text).split())


@pytest.mark.parametrize(
    ("language", "old", "new", "flips"),
    [
        ("fr", "Oui. On passe.", "Non. On attend.", True),
        ("fr", "Non, jamais.", "Oui, toujours.", True),
        ("fr", "Oui. On passe.", "Oui. On ne passe pas de nuit.", False),
        ("fr", "Le passeur peut refuser un client.", "Le passeur ne peut pas refuser un client.", True),
        ("fr", "Vous pouvez jouer une carte.", "Vous ne pouvez jouer qu’une carte.", False),
        ("en", "A scout may cross the ford at night.", "A scout may not cross the ford at night.", True),
        ("en", "A scout can cross the ford at night.", "A scout cannot cross the ford at night.", True),
        ("en", "Old sails are only for the first two trips and do not count toward the points of sail.",
         "Old sails are only for the first two river trips and are ineligible for the points of sail.", False),
        ("en", "A show should use lamps in new ways not previously seen on any quay, while adding to the night.",
         "A show should use lamps in new, previously unseen ways, adding to the night.", False),
        ("en", "No models are placed.", "Models are placed in a ring, two steps apart, by the defender.", False),
        ("de", "Ja. Er darf.", "Nein. Er darf nicht.", True),
        ("de", "Ein Späher darf die Furt betreten.", "Ein Späher darf die Furt nicht betreten.", True),
        ("es", "Sí. Puede.", "No. No puede.", True),
        ("it", "Sì. Può.", "No. Non può.", True),
        ("xx", "Ja.", "Nein.", False),
        ("fr", "Un passeur peut traverser le gué.", "Un passeur ne peut plus traverser le gué.", True),
        ("fr", "Il est permis de relancer ce dé.", "Il est interdit de relancer ce dé.", True),
        ("fr", "Tout à fait.", "En aucun cas.", True),
        ("fr", "Les distances sont données en pas, et la brume fait deux pas.", "Les distances ne sont pas données en pas, et la brume fait deux pas.", True),
        ("fr", "Le gué coûte 2 pas.", "Le gué coûte 2 pas. Il se passe à pied.", False),
        ("fr", "Non, sauf de nuit.", "Non, sauf de jour.", False),
        ("fr", "Oui, si la lampe est allumée.", "Oui, si la lampe n’est pas allumée.", True),
        ("en", "They can.", "They can’t.", True),
        ("en", "It means the gate, not the bridge.", "It means gate 8, not the bridge.", False),
        ("en", "This counts as a move.", "This does not count as a move.", True),
        ("en", "It is legal to swap cards here.", "It is illegal to swap cards here.", True),
        ("en", "Yes.", "You may never do so.", True),
        ("en", "Only one die may be rolled.", "No more than one die may be rolled.", False),
        ("de", "Es ist möglich, die Karte zu tauschen.", "Es ist unmöglich, die Karte zu tauschen.", True),
        ("de", "Ja.", "Auf keinen Fall.", True),
        ("es", "Sí, puede.", "No puede.", True),
        ("es", "Está permitido cambiar cartas.", "Está prohibido cambiar cartas.", True),
        ("it", "Sì, può.", "Non può.", True),
        ("it", "È possibile scambiare le carte.", "È impossibile scambiare le carte.", True),
        ("pt", "Sim.", "Não.", True),
        ("pt", "Um batedor pode atravessar o vau.", "Um batedor não pode atravessar o vau.", True),
        ("nl", "Ja, altijd.", "Nee, nooit.", True),
        ("nl", "Een verkenner mag de voorde oversteken.", "Een verkenner mag de voorde niet oversteken.", True),
        ("pl", "Tak.", "Nie.", True),
        ("pl", "Zwiadowca może przejść przez bród.", "Zwiadowca nie może przejść przez bród.", True),
        ("cs", "Ano.", "Ne.", True),
        ("cs", "Průzkumník může přejít brod.", "Průzkumník nemůže přejít brod.", True),
        ("cs", "Tato karta se počítá do limitu.", "Tato karta se nepočítá do limitu.", True),
        ("cs", "Pravidlo se použije na lodě.", "Pravidlo se nepoužije na lodě.", True),
        ("sv", "Ja.", "Nej.", True),
        ("sv", "En spanare får korsa vadet.", "En spanare får inte korsa vadet.", True),
    ],
)
def test_flips(language: str, old: str, new: str, flips: bool) -> None:
    assert verdicts.flipped(old, new, verdicts.verdicts(language)) is flips


def test_a_question_that_was_turned_round_turns_its_answer() -> None:
    old = qa("Un éclaireur peut-il passer le pont de nuit ?", "Oui.")
    new = qa("Un éclaireur ne peut-il pas passer le pont de nuit ?", "Oui.")
    [told] = diff(release(*FIVE, old), release(*FIVE, new)).changes
    assert told.verdict_flipped


@pytest.mark.parametrize(
    ("old", "new", "pairs"),
    [
        ("Le gué coûte 2 pas.", "Le gué coûte 3 pas.", [("2", "3")]),
        ("Six au maximum.", "Quatre au maximum.", [("Six", "Quatre")]),
        ("Lancez 2D6, relancez sur 4+.", "Lancez 3D6, relancez sur 5+.", [("2D6", "3D6"), ("4+", "5+")]),
        ("Jusqu’au 3 juin.", "Jusqu’au 4 juin.", [("3", "4")]),
        ("Jusqu’au 3 juin.", "Jusqu’au 9 mai.", [("3 juin", "9 mai")]),
        ("Avant septembre 27, 2025.", "Avant mai 2, 2026.", [("septembre 27, 2025", "mai 2, 2026")]),
        ("Avant mai 2, 2025, puis 8 pas.", "Avant juin 4, 2025, puis 9 pas.", [("mai 2", "juin 4"), ("8", "9")]),
        ("On passe.", "On passe. Il reste 2 pas.", []),
        ("Lancez D3+1 dés.", "Lancez D3+2 dés.", [("D3+1", "D3+2")]),
        ("Lancez 2D6.", "Lancez D6.", [("2D6", "D6")]),
        ("Portée 6 ps, à 15 cm.", "Portée 8 ps, à 20 cm.", [("6", "8"), ("15", "20")]),
        ("Armée de 1 000 points.", "Armée de 2 000 points.", [("1 000", "2 000")]),
        ("Sur 2-3, on passe.", "Sur 2-4, on passe.", [("3", "4")]),
        ("Il vaut ½ point.", "Il vaut ¾ point.", [("½", "¾")]),
        ("On pose une barque.", "On pose deux barques.", [("une", "deux")]),
        ("Il avance de quinze cm.", "Il avance de vingt cm.", [("quinze", "vingt")]),
        ("Au premier tour.", "Au deuxième tour.", [("premier", "deuxième")]),
        ("Deux barques passent.", "2 barques passent.", []),
    ],
)
def test_numbers_are_paired(old: str, new: str, pairs: list[tuple[str, str]]) -> None:
    assert list(redline.numbers_changed(old, new, verdicts.verdicts("fr"))) == pairs


@pytest.mark.parametrize(
    ("said", "unit"),
    [("Il faut {} pas.", ["pas"]), ("La version v{}.3 est là.", []), ("Dès {}:30 heures.", [""]), ("Une armée de {} 500 points.", ["points"])],
)
def test_a_number_says_what_it_counts_an_hour_counts_nothing_and_a_version_is_none(said: str, unit: list[str]) -> None:
    [told] = [sheet(diff(release(*FIVE, qa("Combien ?", said.format(1))), release(*FIVE, qa("Combien ?", said.format(2)))))]
    assert [each.context for each in told.highlights if each.what == "number"] == unit


@pytest.mark.parametrize(
    ("old", "new", "only"),
    [
        ("Le passeur, refuse.", "Le passeur refuse !", True),
        ("Le gue coute deux pas.", "Le gué coûte deux pas.", True),
        ("Les barques amarées.", "Les barques amarrées.", True),
        ("Le gué coûte 2 pas.", "Le gué coûte 3 pas.", False),
        ("On peut passer.", "On ne peut passer.", False),
        ("Un allié.", "Un ennemi.", False),
    ],
)
def test_spelling(old: str, new: str, only: bool) -> None:
    assert redline.spelling_only(old, new) is only


def test_flips_and_numbers_come_first_and_spelling_last() -> None:
    new = (
        qa(str(PONT.question), "Non – le pont doit être baissé."),
        qa(str(GUE.question), "Le gué coûte 3 pas, sauf en barque."),
        qa(str(TOUR.question), "Elle vaut un point si personne ne la tient."),
        qa(str(QUAI.question), "Non. On l’enjambe."),
        qa("Et la nuit ?", "On dort."),
    )
    told = diff(release(*FIVE), release(*new)).changes
    assert [entry_text.head(each.new or each.old) for each in told] == [  # type: ignore[arg-type]
        str(QUAI.question), str(GUE.question), str(TOUR.question), "Et la nuit ?", str(SEL.question), str(PONT.question),
    ]  # fmt: skip
    assert told[-1].spelling_only


# ---------------------------------------------------------------- declared against real


def test_silent_marked_and_left_over() -> None:
    new = (
        replace(PONT, answer=(rich("Oui. Il saute."),), changed=True, changed_text=("Oui. Il saute.",)),
        replace(GUE, answer=(rich("Le gué coûte 4 pas, sauf en barque."),)),
        replace(TOUR, changed=True, changed_text=("un point",)),
        replace(
            SEL,
            answer=(rich("Dans le bol du passeur, à la fin du tour."),),
            changed=True,
            changed_text=("la fin du tour",),
        ),
        QUAI,
    )
    changes = diff(release(*FIVE), release(*new, change_colours=(("#ec008c", "nouveau"),)))
    marked = {entry_text.head(each.new): each.marked for each in changes.changes if each.new}
    assert marked == {str(PONT.question): True, str(GUE.question): False, str(SEL.question): False}
    assert [entry_text.head(entry) for entry in changes.left_over] == [str(TOUR.question)]


def test_a_mark_on_a_name_that_stayed_is_for_all_that_stands_under_it() -> None:
    dearer = replace(GUE, answer=(rich("Le gué coûte 4 pas, sauf en barque."),), changed=True, changed_text=(str(GUE.question),))
    [told] = diff(release(*FIVE), release(PONT, dearer, TOUR, SEL, QUAI)).changes
    assert told.marked is True


def test_without_a_change_colour_nothing_is_marked_or_silent() -> None:
    [told] = diff(release(*FIVE), release(*FIVE[1:])).changes
    assert told.marked is None


# ---------------------------------------------------------------- laws

_WORDS = ["gué", "pont", "barque", "sel", "tour", "quai", "nuit", "brume", "2", "3", "oui", "non", "peut", "pas"]
_TEXTS = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=7).map(" ".join)


@st.composite
def _entries(draw: st.DrawFn) -> AnyEntry:
    section = (draw(st.sampled_from(["A", "B"])),)
    head, body = rich(draw(_TEXTS)), rich(draw(_TEXTS))
    kind = draw(st.sampled_from(["qa", "rule", "definition", "erratum", "text"]))
    common = {"id": f"{kind}-{head}-{body}", "section": section, "language": "fr"}
    made: dict[str, AnyEntry] = {
        "qa": QA(question=head, answer=(body,), **common),
        "rule": Rule(number=draw(st.sampled_from(["1", "2", None])), title=head, body=(body,), **common),
        "definition": Definition(term=head, body=(body,), **common),
        "erratum": Erratum(target=head, changes=(Change(operation=Operation.REPLACE, instruction=body),), **common),
        "text": Prose(text=body, **common),
    }
    return made[kind]


_RELEASES = st.lists(_entries(), max_size=9).map(lambda entries: release(*entries))


def _said(entries: tuple[AnyEntry, ...]) -> list[tuple[object, str]]:
    return [(entry.section, entry_text.key(entry_text.whole(entry))) for entry in entries]


@given(_RELEASES)
def test_no_release_differs_from_itself(one: Document) -> None:
    changes = diff(one, one)
    assert (changes.changes, changes.renumbered, changes.left_over) == ((), (), ())


@settings(max_examples=200, deadline=None)
@given(_RELEASES, _RELEASES)
def test_the_changes_made_to_the_old_release_give_the_new_one(old: Document, new: Document) -> None:
    made = apply(old.entries, diff(old, new))
    assert "".join(text for _, text in _said(made)) == "".join(text for _, text in _said(new.entries))


@given(_RELEASES, _RELEASES)
def test_every_entry_is_in_at_most_one_change(old: Document, new: Document) -> None:
    changes = diff(old, new).changes
    for side, entries in ((0, old.entries), (1, new.entries)):
        told = [id(each) for change in changes if (each := (change.old, change.new)[side]) is not None]
        assert len(told) == len(set(told)) <= len(entries)


# ---------------------------------------------------------------- strangers


def test_what_is_no_release_of_it_is_said() -> None:
    other = [qa(f"Le dragon numéro {n} crache-t-il ?", "Rarement, et jamais à table.") for n in range(5)]
    assert "unrelated" in [finding.code for finding in diff(release(*FIVE), release(*other)).findings]
    english = replace(release(*FIVE), language="en")
    assert "unrelated" in [finding.code for finding in diff(release(*FIVE), english).findings]


# ---------------------------------------------------------------- how it is told


def _changes() -> Changes:
    new = (
        replace(PONT, answer=(rich("Oui. Il saute."),)),
        replace(GUE, answer=(rich("Le gué coûte 3 pas, sauf en barque."),), changed=True),
        TOUR, SEL, qa("Et <b>la nuit</b> ?", "On *dort*."),
    )  # fmt: skip
    return diff(release(*FIVE, date="2026-03", title="FAQ"), release(*new, date="2026-09", title="FAQ"))


def test_json_keeps_its_promise() -> None:
    made = json.loads(json.dumps(change_formats.fields(_changes())))
    assert set(made) >= {"old", "new", "changes", "renumbered", "left_over"}
    assert {frozenset(each) for each in made["changes"]} == {frozenset(
        ("change", "moved", "kind", "old", "new", "words", "verdict_flipped", "numbers_changed", "marked", "spelling_only", "about_document", "place", "olds", "news", "announced"))}  # fmt: skip
    flip = made["changes"][0]
    assert (flip["verdict_flipped"], flip["marked"], flip["new"]) == (
        True,
        False,
        entry_fields(_changes().changes[0].new),
    )  # type: ignore[arg-type]
    assert made["changes"][1]["numbers_changed"] == [["2", "3"]]


def test_text_for_the_terminal() -> None:
    plain = change_formats.text(_changes(), strings("en")["changes"])
    assert "\x1b" not in plain
    assert "1 added · 2 changed · 1 removed · 1 flipped verdict · 1 changed number · 2 changes not marked" in plain
    assert "[-2-] {+3+} pas" in plain
    assert "\x1b[32;1;4m3\x1b[0m" in change_formats.text(_changes(), strings("en")["changes"], colour=True)


def test_a_long_list_is_shown_where_it_changed() -> None:
    names = "anguille brume cloche digue écluse foc grain héron îlot jonc lac mât nasse"
    items = [f"• Carte {name}" for name in names.split()]
    old, new = rule("1", "Cartes interdites", *items), rule("1", "Cartes interdites", *items[:4], "• Carte dette", *items[4:])
    [(_, [shown])] = sheet(diff(release(PONT, old), release(PONT, new))).groups
    said = "".join(text for row in shown.rows for _, text in row.line)
    assert "cloche" in said and "dette" in said and "écluse" in said and said.count("[…]") == 1 and "héron" not in said


def test_a_text_for_a_forum_has_the_lines_of_the_rule() -> None:
    old = rule("1", "Quai", "1. La barque est amarrée.", "- Une seule, et de nuit.", "Elle y reste.")
    new = rule("1", "Quai", "1. La barque est vide.", "- Une seule, et de jour.", "Elle part.", "Elle revient.")
    changes, labels = diff(release(PONT, old), release(PONT, new)), strings("en")["changes"]
    lines = change_formats.markdown(changes, labels).split("\n")
    assert "> 1\\. La barque est ~~amarrée~~ **vide**.  " in lines and "> \\- Une seule, et de ~~nuit~~ **jour**.  " in lines
    assert "> **Elle revient.**  " in lines  # a mark does not go over the end of a line
    assert "[b]Elle revient.[/b][/quote]" in change_formats.bbcode(changes, labels).split("\n")
    assert "vide+}. / - Une seule" in change_formats.text(changes, labels)


def test_markdown_is_escaped() -> None:
    made = change_formats.markdown(_changes(), strings("fr")["changes"])
    assert r"Et \<b\>la nuit\</b\> ?" in made
    assert r"On \*dort\*." in made
    assert "~~2~~ **3** pas" in made
    assert "non signalé par l’éditeur" in made


@pytest.mark.parametrize("language", ["fr", "en", "de", "es", "it"])
def test_the_sheet_has_its_words_in_every_language(language: str, tmp_path: Path) -> None:
    from pipeline.render import render_template

    out = render_template("changes.html.j2", {"sheets": [sheet(_changes())], "title": "", "since": "", "paper": False, "show": change_formats, "faces": ""},
                          tmp_path / "sheet.html", language=language)  # fmt: skip
    made = out.read_text()
    assert strings(language)["changes"]["not_marked"] in made
    assert "<del>2</del> <ins>3</ins>" in made or ("<del>2</del>" in made and "<ins>3</ins>" in made)
    assert "<b>la nuit" not in made
    assert set(strings(language)["changes"]) == set(strings("en")["changes"])


def test_a_summary_of_many_changes_stays_one(tmp_path: Path) -> None:
    from pipeline.render import render_template

    old, new = ([qa(f"Combien de pas pour le gué numéro {n} ?", f"Le gué coûte {n + more} pas.") for n in range(70)] for more in (0, 100))
    context = {"sheets": [sheet(diff(release(*old), release(*new)))], "title": "", "since": "", "paper": False, "show": change_formats, "faces": ""}
    made = render_template("changes.html.j2", context, tmp_path / "sheet.html", language="fr").read_text()
    assert made.count('class="turn') == change_formats.HIGHLIGHTS and "<li>… + 10</li>" in made


def test_a_long_sheet_is_printed_in_parts_that_are_one_file() -> None:
    from pypdf import PdfReader

    from pipeline.render import long_print, page, paper

    old, new = ([qa(f"Combien de pas pour le gué numéro {n} ?", f"Le gué coûte {n + more} pas.") for n in range(60)] for more in (0, 100))
    context = {"sheets": [sheet(diff(release(*old), release(*new)))], "title": "", "since": "", "paper": True, "show": change_formats, "faces": ""}
    html = page.html("changes.html.j2", context, language="fr")
    held = long_print.parted(html, most=len(html) // 4)
    made = PdfReader(io.BytesIO(long_print.printed(held, paper.print_pdf)))
    texts = [each.extract_text() for each in made.pages]
    assert long_print.parted(html) == [html] and len(held) == 3
    assert [text.split()[-1] for text in texts] == [str(number) for number in range(1, len(texts) + 1)]
    assert all("faq.pdf" in text for text in texts) and all(f"numéro {n} " in " ".join(" ".join(texts).split()) for n in range(60))
    links = {str(link.get_object()["/Dest"]) for each in made.pages for link in each.get("/Annots", ())}
    assert links == {f"c{n}" for n in range(1, 61)} <= set(made.named_destinations)
    assert {each.page.idnum for each in made.named_destinations.values()} <= {each.indirect_reference.idnum for each in made.pages}
    [title, [group, below]] = made.outline
    assert (title.title, group.title, len(below)) == ("faq.pdf", "Nombres changés 60", 8)  # a heading is said once for eight
    keys = made.root_object["/StructTreeRoot"]["/ParentTree"]["/Nums"][::2]
    assert list(keys) == sorted(set(keys)) and {each["/StructParents"] for each in made.pages} <= set(keys)


# ---------------------------------------------------------------- the command, the samples, the corpus

SAMPLE = ROOT / "sources" / "brumes-d-argance"


def _score(shared: Path) -> object:
    spec = importlib.util.spec_from_file_location("score", shared / "corpus" / "score.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def _figures(shared: Path, old: Path, new: Path, truth: Path, tmp_path: Path) -> dict[str, float]:
    out = tmp_path / "diff.json"
    assert cli.main(["diff", str(old), str(new), "--quiet", "-o", str(out)]) == 0
    return _score(shared).score_diff(str(truth), str(out))  # type: ignore[attr-defined, no-any-return]


def test_the_corpus_pair(shared: Path, tmp_path: Path) -> None:
    corpus = shared / "corpus"
    figures = _figures(shared, corpus / "underworlds-fr-old.pdf", corpus / "underworlds-fr-new.pdf",
                       corpus / "underworlds-fr.diff.json", tmp_path)  # fmt: skip
    assert figures["diff_added"] == figures["diff_removed"] == 1.0
    assert min(figures.values()) >= 0.97, figures


def test_the_pair_of_a_real_publisher(shared: Path, tmp_path: Path) -> None:
    real = shared / "real"
    figures = _figures(shared, real / "faction_pack_world_eaters_2026-06-10.pdf", real / "faction_pack_world_eaters_2026-07-22.pdf",
                       real / "faction_pack_world_eaters.diff.json", tmp_path)  # fmt: skip
    assert min(figures.values()) == 1.0, figures


def test_our_own_pair(shared: Path, tmp_path: Path) -> None:
    truth = ROOT / "tests" / "samples" / "truth" / "argance-faq-1.1.diff.json"
    figures = _figures(shared, SAMPLE / "argance-faq-1.1.pdf", SAMPLE / "argance-faq-1.2.pdf", truth, tmp_path)
    assert min(figures.values()) == 1.0, figures


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = str(SAMPLE / "argance-faq-1.1.pdf"), str(SAMPLE / "argance-faq-1.2.pdf")
    assert cli.main(["diff", old, new]) == 0
    assert "verdict flipped" in capsys.readouterr().out
    assert cli.main(["diff", old, new, "--exit-code", "--quiet"]) == 9
    assert cli.main(["diff", old, old, "--exit-code", "--quiet"]) == 0
    assert cli.main(["diff", old, str(SAMPLE / "argance-memo.pdf"), "--quiet"]) == 2
    assert "not releases of one document" in capsys.readouterr().err
    assert cli.main(["diff", old, str(tmp_path / "none.pdf"), "--quiet"]) == 3


def reworded(count: int) -> tuple[Document, Document]:
    """Releases of so many entries, each of them in other words."""
    texts = [f"La figurine {n} du groupe {n % 17} avance de {n % 7} pas vers la case {n * 31 % 1009}" for n in range(count)]
    old = (qa(f"{text} ?", f"{text}, sauf en barque, et la brume {n % 13} la couvre.") for n, text in enumerate(texts))
    new = (qa(f"Est-il vrai que {text} ?", f"{text}, même en barque, et le sel {n % 11} la couvre.") for n, text in enumerate(texts))
    return release(*old), release(*new)


def test_twice_the_entries_take_about_twice_the_steps() -> None:
    """Steps are calls, not seconds: a busy machine is no failure."""
    steps = {}
    for count in (200, 400):
        profile = cProfile.Profile()
        changes = profile.runcall(diff, *reworded(count))
        assert len(changes.changes) == count
        steps[count] = sum(each.callcount for each in profile.getstats())
    assert steps[400] < 2.5 * steps[200]


def test_no_document_differs_from_itself(shared: Path) -> None:
    from pipeline import guard

    for path in sorted(shared.glob("*/*.pdf")):
        document = guard.read(path)
        changes = diff(document, document)
        assert (changes.changes, changes.renumbered, changes.left_over, changes.findings) == ((), (), (), ()), path.name


def test_releases_that_were_swapped_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    old, new = (str(ROOT / f"sources/brumes-d-argance/argance-faq-{version}.pdf") for version in ("1.1", "1.2"))
    assert cli.main(["diff", new, old, "--format", "json"]) == 0
    assert f"{new} (2026-09) is newer than {old} (2026-03): the older release comes first" in capsys.readouterr().err
    assert cli.main(["diff", old, new, "--format", "json"]) == 0
    assert "is newer than" not in capsys.readouterr().err
