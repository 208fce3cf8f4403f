"""What a change sheet says first, and how its words look."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_diff import GUE, PONT, SEL, TOUR, qa, release, rule

from pipeline.diff import change_formats, diff
from pipeline.diff.change_sheet import moves, sheet
from pipeline.diff.summary_values import telling
from pipeline.records import QA, Span
from pipeline.text import rich


@pytest.mark.parametrize(("pairs", "said"), [
    ((("four", "two"), ("4", "2")), (("four", "two"),)), ((("1", "1st"),), ()), ((("58.9", "B5.14.4"),), ()),
    ((("1", "Iss01"),), ()), ((("D6", "2D6"),), (("D6", "2D6"),)), ((("T4", "T5"),), (("T4", "T5"),)),
    ((("2025", "2026"),), ()), ((("2", "3"),), (("2", "3"),)),
])  # fmt: skip
def test_a_summary_says_what_counts_and_says_it_once(
    pairs: tuple[tuple[str, str], ...], said: tuple[tuple[str, str], ...]
) -> None:
    assert telling(pairs, "en") == said


def test_what_is_banned_now_is_in_the_summary() -> None:
    names = ["Anguille", "Brume", "Cloche", "Digue", "Écluse", "Foc", "Grain"]
    old, new = (rule("3", "Bannis", f"Cartes bannies : {', '.join(some)}") for some in (names, [*names[:6], "Héron", "Îlot"]))
    number = replace(GUE, answer=(rich("Le gué coûte 3 pas, sauf en barque."),))
    told = sheet(diff(release(PONT, GUE, old), release(PONT, number, new)))
    assert [(each.what, each.old, each.new) for each in told.highlights] == [
        ("list", "Grain", "Héron, Îlot"), ("number", "2", "3")]  # fmt: skip


def test_an_item_of_a_list_in_other_words_is_no_value() -> None:
    old, new = (rule("7", "Affiche", "L’affiche dit :", f"• {item}", "• les prix") for item in ("résumé", "résumé court"))
    assert sheet(diff(release(PONT, old), release(PONT, new))).highlights == ()


def test_a_flip_is_told_by_the_words_that_turn_it() -> None:
    old = rule("3", "", "Un veilleur blessé peut encore ramer vers la rive et le capitaine peut le remplacer à la barre.")
    new = rule("3", "", "Un veilleur fatigué peut encore ramer vers la rive et le capitaine ne peut pas le remplacer à la barre.")
    [flip] = sheet(diff(release(PONT, old), release(PONT, new))).highlights
    assert flip.what == "flip"
    assert (flip.old, flip.new) == ("capitaine", "capitaine ne")  # not "blessé", which went first


def test_what_moved_with_its_headings_is_one_line() -> None:
    names = ("Récifs", "Récifs", "Balises", "Phares")
    old, new = (
        release(*(replace(each, section=(chapter, name)) for each, name in zip((PONT, GUE, TOUR, SEL), names, strict=True)))
        for chapter in ("Rivage", "Annexe")
    )
    stays = [qa(f"Que fait la balise {n} ?", f"Elle éclaire le chenal {n}.", section="Rivage") for n in "abcd"]
    far = [qa(f"Que dit la cloche {n} ?", f"Elle sonne à la marée {n}.", section="Annexe") for n in "efgh"]
    both = [replace(each, entries=(*stays, *each.entries, *far)) for each in (old, new)]
    groups = dict(sheet(diff(*both)).groups)
    many, alone = moves(groups["moves"])
    assert [(was, now, len(went)) for was, now, went in many] == [("Rivage", "Annexe", 4)]
    assert alone == ()


def test_bold_and_icons_stay_in_a_redline(tmp_path: Path) -> None:
    from pipeline.render import render_template

    def ruling(cost: str) -> QA:
        icon = Span(text="[rame]", icon="Signs:E001")
        answer = rich("Payez ", Span(text="toujours", bold=True), f" {cost} ", icon, " avant de passer le gué à pied.")
        return replace(GUE, answer=(answer,))

    told = sheet(diff(release(PONT, ruling("deux")), release(PONT, ruling("trois"))))
    out = render_template("changes.html.j2", {"sheets": [told], "title": "", "since": "", "paper": False, "show": change_formats, "faces": ""},
                          tmp_path / "sheet.html", language="fr")  # fmt: skip
    made = out.read_text()
    assert "<b>toujours</b>" in made
    assert '<span class="icon">[rame]</span>' in made
    assert "<ins>trois</ins>" in made


def test_struck_words_are_the_publishers_mark() -> None:
    old = rule("3", "Gué", "Le passeur attend sur la rive et le veilleur garde la barque, de jour comme de nuit.")
    new = rule("3", "Gué", "Le passeur attend sur la rive et le veilleur garde la barque.", struck=("de jour comme de nuit",))
    [told] = diff(release(PONT, old), release(PONT, new)).changes
    assert told.marked is True
    [silent] = diff(release(PONT, old, SEL), release(PONT, replace(new, struck=()), replace(SEL, struck=("bol",)))).changes
    assert silent.marked is False
    removed = diff(release(PONT, SEL), release(replace(PONT, struck=(f"{SEL.question} {SEL.answer[0]}",)))).changes
    assert [each.marked for each in removed] == [True]
