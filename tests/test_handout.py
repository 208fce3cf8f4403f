"""What goes on the table: freeze dates, layers, choice and the page budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ConfigError
from pipeline.event import Choice, Event, ExtraBlock, HandoutSettings, Layer, LayerRuling
from pipeline.handout import CAUTION, Gap, Handout, add_layers, fit, importance, in_force, prepare, report, words_of
from pipeline.penalties import decided
from pipeline.records import QA, Book, Citation, Definition, Document, Erratum, Prose, Rule, Ruling, Since, Table
from pipeline.text import rich


def question(number: int, words: str = "Peut-on grimper ?", answer: str = "Oui.", **more: object) -> Ruling:
    entry = QA(id=f"q{number}", section=("Mouvement",), subject=rich(f"Éclaireur {number}"), page=number, source="faq.pdf",
               question=rich(f"{words} ({number})"), answer=(rich(answer),))  # fmt: skip
    return Ruling(entry=entry, code=f"MVT-{number}", citations=(Citation(source="faq.pdf", page=number),), **more)  # type: ignore[arg-type]


def book(*rulings: Ruling) -> Book:
    return Book(name="brumes", title="Brumes", language="fr", rulings=rulings)


def document(date: str | None, language: str = "fr") -> Document:
    return Document(source=f"{date}.pdf", sha256="0", pages=1, date=date, language=language)


# ---------------------------------------------------------------- freeze


def test_the_freeze_picks_the_releases_that_count() -> None:
    kept, findings = in_force([document("2026-03"), document("2026-09-15"), document("2026-11"), document(None)],
                              Event(name="x", freeze="2026-09-30"))  # fmt: skip
    assert [each.date for each in kept] == ["2026-03", "2026-09-15", None]
    assert [(finding.code, finding.source) for finding in findings] == [
        ("after-freeze", "2026-11.pdf"),
        ("no-date", "None.pdf"),
    ]


def test_a_month_that_holds_the_freeze_counts_and_is_said() -> None:
    kept, findings = in_force([document("2026-09")], Event(name="x", freeze="2026-09-29"))
    assert len(kept) == 1 and findings[0].code == "near-freeze"
    assert in_force([document("2026-09")], Event(name="x", freeze="2026-09-30"))[1] == ()


def test_a_freeze_before_everything_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"event\.toml: freeze: no source is left"):
        in_force([document("2026-09")], Event(name="x", freeze="2020-01-01"))


def test_languages_choose_sources() -> None:
    kept, _ = in_force([document("2026", "fr"), document("2026", "de")], Event(name="x", languages=("de",)))
    assert [each.language for each in kept] == ["de"]


def test_a_document_that_nothing_compares_is_new_to_the_sheet_and_no_more() -> None:
    young, old = document("2026-07"), document("2026-01")
    held = replace(book(question(1)), documents=(young, old), alone=(young.source, old.source))
    for last, wanted in (("2026-06-06", [young]), (None, [])):
        made = prepare(held, Event(name="x", last_event=last), HandoutSettings())
        assert list(made.new_here) == wanted
    assert not prepare(replace(held, alone=()), Event(name="x", last_event="2026-06-06"), HandoutSettings()).new_here


# ---------------------------------------------------------------- layers


def layer(by: str, *rulings: LayerRuling, date: str | None = None) -> Layer:
    return Layer(by=by, date=date, rulings=rulings)


@pytest.mark.parametrize("named", ["MVT-2", "q2", "grimper ? (2)"])
def test_an_override_shows_both_and_keeps_the_code(named: str) -> None:
    said = LayerRuling(question="Grimper ?", answer=("Non.",), overrides=named)
    made = add_layers(book(question(1), question(2)), [layer("Ligue", said)])
    ruling = made.rulings[1]
    assert (ruling.code, ruling.layer, str(ruling.entry.answer[0])) == ("MVT-2", "Ligue", "Non.")  # type: ignore[union-attr]
    assert [entry.id for entry in ruling.overrides] == ["q2"]
    assert ruling.entry.subject == "Éclaireur 2"
    assert len(made.rulings) == 2 and not made.findings


def test_a_later_layer_overrides_an_earlier_one() -> None:
    same = "Peut-on grimper ? (1)"
    made = add_layers(book(question(1)), [layer("Ligue", LayerRuling(question=same, answer=("Non.",))),
                                          layer("Coupe", LayerRuling(question=same, answer=("Une fois.",)))])  # fmt: skip
    [ruling] = made.rulings
    assert ruling.layer == "Coupe"
    assert [str(entry.answer[0]) for entry in ruling.overrides] == ["Non.", "Oui."]  # type: ignore[union-attr]


def test_an_override_that_fits_nothing_is_reported_and_still_printed() -> None:
    made = add_layers(book(question(1)), [layer("Ligue", LayerRuling(text=("Rien.",), overrides="XYZ-9"))])
    assert [finding.code for finding in made.findings] == ["layer-fits-nothing"]
    assert len(made.rulings) == 2


def test_a_layer_that_contradicts_a_newer_release_is_reported() -> None:
    changed = question(1, since=Since.CHANGED, since_date="2026-09")
    said = LayerRuling(question="?", answer=("Non.",), overrides="MVT-1")
    old = add_layers(book(changed), [layer("Ligue", said, date="2026-05-01")])
    new = add_layers(book(changed), [layer("Ligue", said, date="2026-10-01")])
    assert [finding.code for finding in old.findings] == ["layer-older"]
    assert not new.findings


def test_codes_of_layers_stay_when_rulings_are_added() -> None:
    one, two = LayerRuling(text=("Un.",)), LayerRuling(text=("Deux.",))
    before = {str(r.entry.text): r.code for r in add_layers(book(), [layer("Ligue du Nord", one)]).rulings}  # type: ignore[union-attr]
    after = {str(r.entry.text): r.code for r in add_layers(book(), [layer("Ligue du Nord", two, one)]).rulings}  # type: ignore[union-attr]
    assert after["Un."] == before["Un."] and before["Un."].startswith("LDN-")


# ---------------------------------------------------------------- choice


def chosen(event: Event, *rulings: Ruling, **settings: object) -> list[str]:
    return [r.code for r in prepare(book(*rulings), event, HandoutSettings(**settings)).book.rulings]  # type: ignore[arg-type]


def test_what_goes_in_and_what_stays_out() -> None:
    rulings = question(1, "Tirer ?"), question(2), question(3, since=Since.ADDED)
    assert chosen(Event(name="x"), *rulings) == ["MVT-1", "MVT-2", "MVT-3"]
    assert chosen(Event(name="x", select=Choice(words=("TIRER",))), *rulings) == ["MVT-1"]
    assert chosen(Event(name="x", leave_out=Choice(subjects=("eclaireur 2",))), *rulings) == ["MVT-1", "MVT-3"]
    assert chosen(Event(name="x", leave_out=Choice(kinds=("qa",)), first=("MVT-2",)), *rulings) == ["MVT-2"]
    assert chosen(Event(name="x"), *rulings, changed_only=True) == ["MVT-3"]


def test_an_unknown_section_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"event\.toml: select\.sections – did you mean 'Mouvement'|Mouvement"):
        chosen(Event(name="x", select=Choice(sections=("Mouvment",))), question(1))


def test_what_fits_nothing_is_said() -> None:
    event = Event(name="x", first=("MVT-1", "MVT-99"), select=Choice(words=("grimper", "nager"), factions=("eclaireur",)))
    said = [str(finding.message) for finding in prepare(book(question(1)), event, HandoutSettings()).findings]
    assert said == ["first: no ruling of this book fits “MVT-99”", "select.words: no ruling of this book fits “nager”"]
    with pytest.raises(ConfigError, match=r"event\.toml: select: chooses no ruling"):
        chosen(Event(name="x", select=Choice(words=("nager",))), question(1))


def test_words_of_another_source_name_the_ruling_that_it_was_merged_into() -> None:
    other = question(2, words="Grimper est-il permis ?").entry
    said = LayerRuling(question="Et grimper ?", answer=("Non.",), overrides="Grimper est-il permis")
    merged = book(question(1, variants=(other,)))
    assert prepare(merged, Event(name="x", first=("Grimper est-il permis",)), HandoutSettings()).findings == ()
    assert len(add_layers(merged, [Layer(by="Ligue", rulings=(said,))]).rulings) == 1


def test_a_table_of_the_sources_is_a_block() -> None:
    table = Table(
        id="t", title=rich("Parties organisées"), rows=((rich("Points"), rich("Durée")), (rich("500"), rich("1 h")))
    )
    event = Event(name="x", blocks=(ExtraBlock(title="Formats", table="parties organisées"),))
    made = prepare(book(Ruling(entry=table)), event, HandoutSettings())
    assert made.blocks[0].rows == (("Points", "Durée"), ("500", "1 h"))
    with pytest.raises(ConfigError, match=r"event\.toml: blocks 1\.table"):
        prepare(book(), event, HandoutSettings())


# ---------------------------------------------------------------- the budget


def printer(letters_a_page: float, tries: list[Handout]) -> object:
    """A stand-in for printing: a page carries so many letters at 8 points."""

    def measure(handout: Handout) -> float:
        tries.append(handout)
        letters = sum(len(words_of(r.entry)) + 50 for r in handout.book.rulings) + 300
        return letters / (letters_a_page * (8 / handout.type_size) ** 2)

    return measure


@given(st.integers(1, 250), st.integers(1, 6), st.floats(2000, 12000))
def test_the_budget_is_kept_within_four_tries(count: int, pages: int, letters: float) -> None:
    handout = prepare(book(*(question(n, "Peut-on grimper sur un toit ? " * 4) for n in range(count))), Event(name="x"),
                      HandoutSettings(pages=pages))  # fmt: skip
    tries: list[Handout] = []
    made = fit(handout, printer(letters, tries))  # type: ignore[arg-type]
    assert len(tries) <= len(CAUTION)
    assert printer(letters, [])(made) <= pages  # type: ignore[operator]
    assert {r.code for r in made.book.rulings} | {r.code for r in made.left_out} == {
        r.code for r in handout.book.rulings
    }
    assert not made.left_out or made.type_size == 7.5


def test_what_was_once_too_long_is_not_tried_again() -> None:
    """Pages that jump: nothing lies between four and six."""
    tries: list[tuple[int, float]] = []

    def jumping(plan: Handout) -> float:
        kept = len(plan.book.rulings)
        tries.append((kept, 3.6 if kept < 60 else 6.3))
        return tries[-1][1]

    rulings = [question(n, "Peut-on grimper sur un toit ? " * 30) for n in range(200)]
    fit(prepare(book(*rulings), Event(name="x"), HandoutSettings(pages=5)), jumping)
    long = [kept for kept, pages in tries if pages > 5]
    assert long and long == sorted(set(long), reverse=True), tries


def test_what_matters_least_is_left_out_and_said() -> None:
    rulings = [question(n, "Peut-on grimper sur un toit ? " * 5) for n in range(200)]
    rulings[150] = question(150, since=Since.CHANGED)
    rulings[160] = question(160, layer="Coupe")
    made = fit(prepare(book(*rulings), Event(name="x"), HandoutSettings(pages=1)), printer(6000, []))  # type: ignore[arg-type]
    kept = {ruling.code for ruling in made.book.rulings}
    assert {"MVT-150", "MVT-160"} <= kept
    said = report(made, 1, made.event.path)
    assert f"{len(made.left_out)} left out" in said and all(ruling.code in said for ruling in made.left_out)


def test_running_text_does_not_stay_without_its_ruling() -> None:
    """The caption of a diagram stood alone on a zine: the rule that it belongs to was left out."""
    captions = [Ruling(entry=Prose(id=f"p{n}", text=rich("Vue de côté"), source="faq.pdf", page=1), code="") for n in range(3)]
    rulings = [captions[0], question(1), captions[1], question(2, "Peut-on grimper sur un toit ? " * 900), captions[2]]
    zine = Handout(event=Event(name="x"), settings=HandoutSettings(form="zine", pages=2), name="zine", book=book(*rulings), columns=1)
    made = fit(zine, printer(6000, []))  # type: ignore[arg-type]
    assert [ruling.entry.id for ruling in made.book.rulings] == ["p0", "q1", "p1"]
    assert [ruling.entry.id for ruling in made.left_out] == ["q2", "p2"]


@pytest.mark.parametrize(("filled", "fills"), [(1.9, True), (2.1, False)])
def test_small_rulings_fill_the_gaps_if_all_still_fits(filled: float, fills: bool) -> None:
    """Each goes behind the ruling that it follows, as far as there is room."""
    rulings = [question(n, "Peut-on grimper sur un toit ? " * (60 if n % 3 else 4)) for n in range(60)]
    whole, found = prepare(book(*rulings), Event(name="x"), HandoutSettings(pages=2)), list[Handout]()

    def gaps(plan: Handout) -> tuple[list[Gap], Callable[[Ruling], float]]:
        found.append(plan)
        behind = found[0].book.rulings[-1].entry.id
        return [Gap(ids=frozenset({behind}), room=25.0 if len(found) == 1 else 0.0)], lambda ruling: 10.0 if len(words_of(ruling.entry)) < 300 else 99.0

    def measure(plan: Handout) -> float:
        return filled if found else 1.95

    made = fit(whole, measure, gaps)
    more = [ruling for ruling in made.book.rulings if ruling not in found[0].book.rulings]
    assert len(more) == (2 if fills else 0) and all(len(words_of(ruling.entry)) < 300 for ruling in more)
    places = [rulings.index(ruling) for ruling in made.book.rulings]
    left = [rulings.index(ruling) for ruling in made.left_out]
    assert places == sorted(places) and sorted(places + left) == list(range(60))


def test_what_two_push_out_together_fills_the_last_page_alone() -> None:
    """A large zine ended in one line on its last page: both rulings that had room for one alone were put back."""
    rulings = [question(n, "Peut-on grimper sur un toit ? " * 30) for n in range(60)]
    whole, first = prepare(book(*rulings), Event(name="x"), HandoutSettings(pages=2)), list[int]()

    def gaps(plan: Handout) -> tuple[list[Gap], Callable[[Ruling], float]]:
        first.append(len(plan.book.rulings))
        room = 200.0 if len(plan.book.rulings) == first[0] else 20.0
        return [Gap(ids=frozenset({plan.book.rulings[-1].entry.id}), room=room)], lambda ruling: 50.0

    def measure(plan: Handout) -> float:
        return 1.95 if not first or len(plan.book.rulings) <= first[0] + 1 else 2.3

    made = fit(whole, measure, gaps)
    assert len(made.book.rulings) == first[0] + 1 and len(made.book.rulings) + len(made.left_out) == 60


def test_a_decision_table_says_what_a_penalty_can_become_and_matters_most() -> None:
    names = ("Retard", "Oubli", "Triche", "Insulte", "Lenteur", "Marque")
    penalties = ("Avertissement", "Avertissement", "Exclusion", "Match perdu", "Avertissement", "Match perdu")
    common = {"source": "guide.pdf", "language": "fr", "section": ("3. Fautes",)}
    rules = [Rule(id=f"r{n}", number=f"3.{n}", title=rich(f"Faute — {name}"), body=(rich(penalties[n]), rich("Aggravation : s’il revient, la sanction est Match perdu. Voir 9.")
             if n < 2 else rich("Rien de plus.")), **common) for n, name in enumerate(names)]  # fmt: skip
    rows = (("Faute", "Sanction"), *zip(names, penalties, strict=True))
    table = Table(id="t", rows=tuple(tuple(map(rich, row)) for row in rows), header_rows=1, **common)
    held = book(*(Ruling(entry=each, code=f"F-{each.id}") for each in (*rules, table)))
    made = prepare(held, Event(name="x"), HandoutSettings())
    first = made.book.rulings[0].entry
    assert isinstance(first, Table) and first.section == ("Faute → Sanction → Aggravation",)
    assert [tuple(map(str, row)) for row in first.rows[:4]] == [("Faute", "Sanction", "Aggravation"), ("3.0 Retard", "Avertissement", "Match perdu"),
                                                             ("3.1 Oubli", "Avertissement", "Match perdu"), ("3.2 Triche", "Exclusion", "")]  # fmt: skip
    assert importance(made.book.rulings[0], made.event) > importance(question(1, since=Since.CHANGED), made.event)
    assert decided(book(*(Ruling(entry=each) for each in rules))).rulings[0].entry == rules[0], "none where the source has none"


def test_rules_weigh_as_much_as_definitions_and_what_takes_a_quarter_of_the_room_goes_last() -> None:
    common = {"source": "rules.pdf", "language": "fr", "section": ("Jeu",)}
    words = " ".join(["La barque attend la marée au bord du quai."] * 8)
    long = Rule(id="long", title=rich("Marée"), body=tuple(rich(words) for _ in range(4)), **common)
    rules = [Rule(id=f"rule{n}", title=rich(f"Action {n}"), body=(rich(words),), **common) for n in range(6)]
    terms = [Definition(id=f"term{n}", term=rich(f"Terme {n}"), body=(rich(words),), **common) for n in range(30)]
    held = book(*(Ruling(entry=each, code=each.id, see_also=("rule1",) if each is long else ()) for each in (long, *rules, *terms)))
    made = prepare(held, Event(name="x"), HandoutSettings(form="zine", pages=2))
    chosen = fit(made, lambda plan: sum(len(words_of(each.entry)) for each in plan.book.rulings) / 1800)
    kept = [ruling.entry.id for ruling in chosen.book.rulings]
    assert kept[:6] == [f"rule{n}" for n in range(6)] and chosen.left_out[0].entry.id == "long"


def test_text_goes_with_the_rule_that_it_follows_however_often_it_is_met() -> None:
    common = {"source": "rules.pdf", "language": "fr", "section": ("Jeu",)}
    long = Rule(id="long", title=rich("Marée"), body=(rich("La barque attend. " * 300),), **common)
    label, rule = Prose(id="label", text=rich("Barque amarrée"), **common), Rule(id="r", title=rich("Rame"), body=(rich("On rame."),), **common)
    places = tuple(Citation(source="rules.pdf", page=page) for page in (1, 2))
    held = book(Ruling(entry=rule, code="r"), Ruling(entry=long, code="long"), Ruling(entry=label, citations=places))
    made = prepare(held, Event(name="x", select=Choice(sections=("Jeu",))), HandoutSettings(form="zine", pages=1))
    chosen = fit(made, lambda plan: sum(len(words_of(each.entry)) for each in plan.book.rulings) / 1800)
    assert [ruling.entry.id for ruling in chosen.book.rulings] == ["r"]


def test_an_impossible_budget_is_one_line() -> None:
    own = [question(n, "Exception " * 40, layer="Coupe") for n in range(200)]
    with pytest.raises(ConfigError, match=r"event\.toml: table\.pages: does not fit into 1 page\b"):
        fit(prepare(book(*own), Event(name="x"), HandoutSettings(pages=1)), printer(6000, []))  # type: ignore[arg-type]


def test_words_of_an_erratum_are_all_there() -> None:
    from pipeline.records import Change, Operation

    change = Change(operation=Operation.REPLACE, instruction=rich("Remplacez"), old=rich("a"), new=(rich("b"),))
    assert words_of(Erratum(id="e", target=rich("Tir"), changes=(change,))).split() == ["Tir", "Remplacez", "a", "b"]
