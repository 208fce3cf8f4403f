"""names: the register, players' lists in all their forms, and just the rulings that a person marks."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from pipeline import flow
from pipeline.cli import main
from pipeline.errors import SourceError
from pipeline.handout import words_of
from pipeline.names import Name, Origin, Register, Tier, asked, choose, matches, read_list, register, told
from pipeline.names.name_forms import key
from pipeline.names.player_rulings import Mine, mine, names_of
from pipeline.records import QA, AnyEntry, Book, Definition, Erratum, Prose, Rule
from pipeline.text import fold, rich
from pipeline.vocab import languages, vocabulary

LISTS = ROOT / "tests" / "lists"
TRUTH: dict[str, dict[str, Any]] = tomllib.loads((LISTS / "truth.toml").read_text("utf-8"))
TOO_MANY = 20  # at most one ruling in so many that nobody marked


def qa(question: str, answer: str = "No.", subject: str | None = None, section: str = "Cards", **more: Any) -> QA:
    return QA(id=fold(question)[:20], question=rich(question), answer=(rich(answer),), language="en", source="a.pdf", page=1,
              subject=rich(subject) if subject else None, section=(section,), **more)  # fmt: skip


def term(name: str, body: str, *aliases: str, language: str = "en") -> Definition:
    return Definition(id=f"d-{name}", term=rich(name), body=(rich(body),), aliases=aliases, language=language, page=1)


def erratum(target: str, language: str = "en") -> Erratum:
    return Erratum(id=f"e-{target}", target=rich(target), pages=(3,), language=language, page=1)


def found(*entries: AnyEntry, language: str = "en") -> dict[str, Name]:
    return {name.name: name for name in register(entries, language).names}


def lines(text: str, of: Register) -> list[str]:
    return list(told(matches(asked(text, of.language), of)))


# ---------------------------------------------------------------- the register


def test_a_name_has_all_that_is_about_it_and_all_that_names_it() -> None:
    names = found(
        qa("Can the Glass Heron fly?", subject="Glass Heron (#7)"), term("Molt", "A bird drops its feathers."),
        qa("Does a Glass Heron molt?", section="General"), erratum("Birds, Glass Heron"),
    )  # fmt: skip
    heron = names["Glass Heron"]
    assert (heron.own, heron.named, heron.numbers) == ((0, 3), (2,), ("7",))
    assert (names["Molt"].defined, names["Molt"].named) == ((1,), (2,))


def test_an_inverted_target_is_found_under_both_names_and_pieces_of_text_under_none() -> None:
    names = found(erratum("Stratagems, Deepest Shadow"), erratum("Iron Ferry, Grapple Ability"), erratum("Tide Bell – Effect Section"))
    assert set(names) == {"Deepest Shadow", "Iron Ferry", "Grapple", "Tide Bell"}


def test_both_names_of_a_double_subject_count() -> None:
    names = found(qa("Do both count?", subject="Ebb (#347) / Long Flow (#373)"))
    assert {name: held.numbers for name, held in names.items()} == {"Ebb": ("347",), "Long Flow": ("373",)}


@pytest.mark.parametrize(("language", "one", "many"), [
    ("en", "Fairy Boat", "fairy boats"), ("fr", "Canal noyé", "Canaux noyés"), ("de", "Zahnrad", "Zahnräder"),
    ("es", "Nave veloz", "Naves veloces"), ("it", "Barca rossa", "Barche rosse"), ("pl", "Kamień", "Kamienie"),
])  # fmt: skip
def test_forms_of_a_name_are_one(language: str, one: str, many: str) -> None:
    assert key(one, language) == key(many, language)


@pytest.mark.parametrize("code", languages())
def test_every_language_has_the_words_of_names(code: str) -> None:
    held = vocabulary(code).names
    assert all((held.endings, held.small, held.kinds, held.places, held.heads, held.columns, held.points))


def test_capitals_quotations_and_numbers_make_names_and_common_words_do_not() -> None:
    names = found(
        qa("May the Ash Wardens cross?", "Each Warden may. When Ash Wardens cross, ‘Hold the Line’ ends.", section="General"),
        qa("Is the Ragged king (#58) a captain?", "If it is crowned. Then roll.", section="General"),
    )  # fmt: skip
    assert {"Ash Wardens", "Ragged king", "Hold the Line"} <= set(names)
    assert not {"Each", "When", "If", "Then", "May"} & set(names)
    assert names["Ragged king"].numbers == ("58",)


def test_a_part_stands_for_its_name_only_where_nothing_else_is_called_so() -> None:
    alone = found(qa("Can I?", subject="Clockwork Parrot"), qa("Is the Parrot wound?"))
    assert alone["Clockwork Parrot"].named == (1,)
    two = found(qa("Can I?", subject="Clockwork Parrot"), qa("May I?", subject="Paper Parrot"), qa("Is the Parrot wound?"))
    assert two["Clockwork Parrot"].named == two["Paper Parrot"].named == ()


def test_a_term_that_is_also_a_common_word_needs_its_capital() -> None:
    pas = term("Pas", "Un pas vaut 25 mm.", language="fr")
    other = QA(id="q", question=rich("Ne peut-il pas courir ?"), answer=(rich("Non."),), language="fr", page=1)
    assert register((pas, other), "fr").names[0].named == ()


def test_where_every_noun_has_a_capital_it_makes_no_name() -> None:
    entry = QA(id="q", question=rich("Darf eine Figur auf dem Dach stehen?"), answer=(rich("Nein, eine Figur nicht."),), language="de", page=1)
    assert register((entry, entry), "de").names == ()


def test_credits_and_the_game_itself_are_no_names() -> None:
    credits = Prose(id="p", text=rich("Glass Heron © 2026 Marta Lindqvist Press"), language="en", page=1, subject=rich("Glass Heron"))
    names = register((qa("Can it fly in Tidemarch?", "In Tidemarch it can. Tidemarch birds do.", subject="Glass Heron"),
                      qa("Who won Tidemarch?"), credits), "en", game="Tidemarch").names  # fmt: skip
    assert [(name.name, name.places) for name in names] == [("Glass Heron", (0,))]


# ---------------------------------------------------------------- lists

FLEET = register((
    qa("Can it fly?", subject="Glass Heron (#7)"), qa("Is it loud?", subject="Tide Bell"), qa("Is it wet?", subject="Iron Ferry"),
    qa("Is it dry?", subject="Iron Lantern"), term("Molt", "It drops feathers.", "Mue"),
    qa("Does the tar kettle smoke?", section="General"), Rule(id="r", title=rich("Rowing"), body=(rich("Row."),), language="en", page=1),
), "en")  # fmt: skip


@pytest.mark.parametrize("written", [
    "Glass Heron", "glass herons", "GLASS HERON", "Heron, Glass", "4 Glass Heron", "2x Glass Heron", "x2 Glass Heron", "Glass Heron x2",
    "4 Glass Heron (TID) 146", "  • 1x Glass Heron", "Glass Heron (120 points)", "Glass Heron [3 PL, 55pts]: oars, lamp", "HQ1: Glass Heron (80)",
    "Glass Heron ........ 18 pts", "Glass Heron – 18", "#7", "3 no. 7", "Glas Heron", "Glass Hreon", "the Glass Heron card", "Heron",
])  # fmt: skip
def test_a_line_means_its_name_however_it_is_written(written: str) -> None:
    [match] = matches(asked(written, "en"), FLEET)
    assert [name.name for name in match.names] == ["Glass Heron"], match


def test_each_line_says_what_it_matched_and_what_did_not_is_listed_with_the_nearest() -> None:
    said = lines("Glass Herons\nTide Bel\nIron\nMue\nTar kettle\nGlass Herring\nZeppelin", FLEET)
    assert said == [
        "  Glass Herons → Glass Heron (1 ruling)", "  Tide Bel → Tide Bell (1 ruling): spelled otherwise",
        "  Iron → could be Iron Ferry, Iron Lantern: write it whole", "  Mue → Molt (1 ruling): its name in another language",
        "  Tar kettle → tar kettle (1 ruling): in their words".replace("tar k", "Tar k"),
        "  Glass Herring → nothing; the nearest is Glass Heron", "  Zeppelin → nothing; no name is like it",
    ]  # fmt: skip


@pytest.mark.parametrize("text", [
    "Deck\n4 Glass Heron\n2 Tide Bell\n\n// Sideboard\n1 Iron Ferry\n",
    "++ Fleet [90 pts] ++\n+ HQ +\nGlass Heron (40 pts)\n  • 1x Tide Bell\nIron Ferry\nTOTAL: 90 pts\n",
    "qty;name;cost\n4;Glass Heron;12\n1;Tide Bell;3\n1;Iron Ferry;9\n", "Glass Heron, 2 Tide Bells, Iron Ferry",
    "4,Glass Heron\n1,\"Tide Bell\"\n1,Iron Ferry\n",
])  # fmt: skip
def test_headings_totals_and_heads_of_columns_are_no_names(text: str) -> None:
    held = matches(asked(text, "en"), FLEET)
    assert {name.name for match in held for name in match.names} == {"Glass Heron", "Tide Bell", "Iron Ferry"}
    assert all(match.names for match in held)


def test_a_word_of_the_game_over_counted_cards_is_a_heading() -> None:
    assert [match.asked.whole for match in matches(asked("Rowing\n2 Glass Heron\n1 Tide Bell", "en"), FLEET)] == ["Glass Heron", "Tide Bell"]
    assert [match.asked.whole for match in matches(asked("Rowing\nGlass Heron", "en"), FLEET)] == ["Rowing", "Glass Heron"]


def test_a_faction_alone_means_all_of_it_and_beside_its_units_only_its_own() -> None:
    of = register((qa("Can it fly?", subject="Glass Heron", section="Sisters of Salt"), qa("Is it loud?", subject="Tide Bell", section="Sisters of Salt"),
                   qa("How many sisters?", section="Sisters of Salt")), "en")  # fmt: skip

    def tiers(text: str) -> tuple[Tier, ...]:
        return choose(of, [name for match in matches(asked(text, "en"), of) for name in match.names]).tiers

    assert tiers("Sisters of Salt") == (Tier.OF, Tier.OF, Tier.OF)
    assert tiers("Sisters of Salt\nTide Bell")[1:] == (Tier.OF, Tier.OF) and tiers("Sisters of Salt\nTide Bell")[0] is Tier.OUT


@pytest.mark.parametrize(("content", "says"), [
    (b"", "is an empty list"), (b" \n\n", "is an empty list"), (b"\x00\x01\x02Heron", "is no text"), (b"%PDF-1.7 heron", "is no text"),
    (b"Name\n" * 10_000, "has 10,000 lines"), (b"x" * 1_000_001, "is larger than"),
])  # fmt: skip
def test_what_is_no_list_costs_one_line(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=says) as raised:
        read_list(path)
    assert "\n" not in str(raised.value) and str(path) in str(raised.value) and raised.value.hint


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_list_is_read_in_the_usual_encodings(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "liste.txt"
    path.write_bytes("Mère Éclusière\r\n".encode(encoding))
    assert read_list(path).strip() == "Mère Éclusière"


def test_a_list_of_another_game_costs_one_line() -> None:
    with pytest.raises(SourceError, match="none of its 2 lines names anything here"):
        mine(FLEET, "Zeppelin\nBroccoli", Path("other.txt"))


# ---------------------------------------------------------------- what a person marks, in the sample games


@cache
def sample(name: str) -> tuple[Book, Register]:
    book, _ = flow.open_book(ROOT / "sources" / name)
    return book, names_of(book)


def _marked(book: Book, words: list[str]) -> set[int]:
    """The rulings that a person marked, each named by words that only it holds."""
    held = [[place for place, ruling in enumerate(book.rulings)
             if any(fold(each) in fold(words_of(entry)) for entry in (ruling.entry, *ruling.variants))] for each in words]  # fmt: skip
    assert all(len(places) == 1 for places in held), dict(zip(words, held, strict=True))
    return {place for [place] in held}


def _list(name: str) -> tuple[Book, Mine]:
    book, of = sample(TRUTH[name]["book"])
    return book, mine(of, read_list(LISTS / name), LISTS / name)


@pytest.mark.parametrize("name", TRUTH)
def test_a_list_gives_just_the_rulings_that_a_person_marks(name: str) -> None:
    book, of = _list(name)
    given = {place for place, tier in enumerate(of.chosen.tiers) if tier >= Tier.NAMING}
    marked = _marked(book, TRUTH[name]["rulings"])
    assert len(of.names) == TRUTH[name]["names"]
    assert marked <= given, [words_of(book.rulings[place].entry) for place in marked - given]
    assert len(given - marked) * TOO_MANY <= len(given), [words_of(book.rulings[place].entry) for place in given - marked]


def test_the_lists_are_long_enough_to_tell() -> None:
    assert sum(held["names"] for held in TRUTH.values()) >= 60
    assert {Path(name).suffix for name in TRUTH} == {".txt", ".csv"}


def test_what_the_names_lead_to_is_one_step_and_no_more() -> None:
    book, of = _list("passeurs.txt")
    led = {place for place, tier in enumerate(of.chosen.tiers) if tier is Tier.LED}
    assert led == _marked(book, TRUTH["passeurs.txt"]["led"])
    assert all(of.chosen.by[place] for place in led)


def test_rulings_of_other_names_are_out_and_the_general_ones_are_told_apart() -> None:
    book, of = _list("passeurs.txt")
    tiers = {str(ruling.entry.subject): tier for ruling, tier in zip(book.rulings, of.chosen.tiers, strict=True) if ruling.entry.subject}
    assert tiers["Sergent Vantelle (n° 31)"] is Tier.OUT
    measured = next(place for place, ruling in enumerate(book.rulings) if "mesurer" in words_of(ruling.entry) and isinstance(ruling.entry, QA))
    assert of.chosen.tiers[measured] is Tier.GENERAL


# ---------------------------------------------------------------- commands


def test_export_keeps_to_a_list_and_says_what_it_matched(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    listed = tmp_path / "mine.txt"
    listed.write_text("2x Spare Moons\nclockwork parot\nAirship\n", "utf-8")
    assert main(["export", str(ROOT / "sources/brass-orrery/orrery-faq.pdf"), "--for", str(listed), "--format", "md"]) == 0
    said = capsys.readouterr()
    assert "Spare Moon" in said.out and "Clockwork Parrot" in said.out and "Borrowed Gravity" not in said.out
    assert "2x Spare Moons → Spare Moon (2 rulings)" in said.err and "Airship → nothing" in said.err
    assert "1 line matched nothing" in said.err


@pytest.mark.parametrize(("content", "says"), [(b"", "empty list"), (b"\x00\xff", "no text"), (b"Zeppelin\n", "another game")])
def test_a_list_that_is_none_costs_one_line_and_code_3(content: bytes, says: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    listed = tmp_path / "mine.txt"
    listed.write_bytes(content)
    assert main(["export", str(ROOT / "sources/brass-orrery/orrery-faq.pdf"), "--for", str(listed)]) == 3
    said = capsys.readouterr()
    assert says in said.err and len(said.err.splitlines()) == 1 and not said.out


def test_a_sheet_of_a_list_keeps_its_pages(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    import pypdfium2

    args = ["render", str(ROOT / "sources/brass-orrery"), "--for", str(LISTS / "orrery.csv"), "--pages", "1", "-o", str(tmp_path)]
    assert main(args) == 0
    pdf = tmp_path / "brass-orrery" / "for-orrery" / "orrery.pdf"
    with pypdfium2.PdfDocument(pdf) as made:
        assert len(made) == 1
        assert tuple(round(side / 72 * 25.4) for side in made[0].get_size()) == (148, 210)
        text = made[0].get_textpage().get_text_bounded()
    assert "On your list" in text and "Borrowed Gravity" in text and "13 names" in text.replace("\xa0", " ")
    assert "left out" in capsys.readouterr().err


def test_pages_without_a_list_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(ROOT / "sources/brass-orrery"), "--pages", "1"]) == 2
    assert "--pages is for the sheet of a list" in capsys.readouterr().err


def test_names_know_where_they_come_from() -> None:
    assert [name.origin for name in FLEET.names] == [Origin.SUBJECT] * 4 + [Origin.TERM, Origin.TITLE]
