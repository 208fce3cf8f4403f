"""Pure geometry: lines from runs, columns, furniture, tables without rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.layout import lay_out
from pipeline.layout.lines import fragments, into_lines, spell
from pipeline.records import Box, Extract, Page, Run, Shape
from pipeline.structure import structure

WIDTH, HEIGHT = 600.0, 800.0


def run(x: float, y: float, text: str, size: float = 10.0, width: float | None = None) -> Run:
    wide = width if width is not None else 0.5 * size * len(text)
    edges = {"x0": x, "top": y - 0.7 * size, "x1": x + wide, "bottom": y + 0.2 * size}
    return Run(text=text, **edges, baseline=y, font="Test", size=size)


def page(*runs: Run, number: int = 1) -> Page:
    return Page(number=number, width=WIDTH, height=HEIGHT, runs=runs)


def read(*pages: Page) -> list[str]:
    return [line.text for laid in lay_out(pages) for strip in laid.strips for line in strip.lines]


def test_spaces_come_from_gaps() -> None:
    assert spell([run(0, 10, "deux"), run(23, 10, "mots")]) == "deux mots"
    assert spell([run(0, 10, "un"), run(10.4, 10, "seul")]) == "unseul"
    assert spell([run(0, 10, "par "), run(20, 10, "lui")]) == "par lui"


def test_a_superscript_stays_in_its_line() -> None:
    [line] = into_lines(fragments([run(0, 100, "le 1"), run(20.5, 96, "er", size=6), run(30, 100, "tour")]))
    assert line.text == "le 1er tour"
    [line] = into_lines(fragments([run(0, 100, "la 1", size=12), run(25.1, 96, "re", size=7.8)]))
    assert line.text == "la 1re"


def test_a_small_subtitle_under_a_large_title_is_a_line_of_its_own() -> None:
    lines = into_lines(fragments([run(0, 100, "GRAND TITRE", size=36), run(0, 116, "un petit sous-titre", size=9)]))
    assert [line.text for line in lines] == ["GRAND TITRE", "un petit sous-titre"]


def test_one_wide_line_in_a_column_does_not_join_the_columns() -> None:
    left = [run(40, 100 + 12 * n, f"gauche {n} et la suite de sa phrase ici") for n in range(10)]
    right = [run(310, 106 + 12 * n, f"droite {n} et la suite de sa phrase ici") for n in range(10)]
    left[4] = run(40, 148, "gauche 4 dont un mot dépasse", width=266)
    text = read(page(*left, *right))
    assert text == [r.text for r in left] + [r.text for r in right]


def test_four_columns() -> None:
    runs = [run(30 + 140 * c, 100 + 12 * n, f"colonne {c} ligne {n} vv") for c in range(4) for n in range(8)]
    assert read(page(*runs)) == [r.text for r in runs]


def test_letters_before_questions_in_narrow_columns_are_neither_a_column_nor_a_table() -> None:
    """Two columns and three, every question of three lines; the letters hang, an em or a little less before them."""
    for columns in (2, 3):
        runs, said = [], []
        for column in range(columns):
            for at in range(10):
                x, y, letter = 30 + 170 * column, 100 + 40 * at, "QR"[at % 2]
                words = [f"mot {column}{at} et la suite", "de la phrase de trois", "lignes." if at % 2 else "lignes ?"]
                runs += [run(x, y, letter, width=7 - at % 2)]
                runs += [run(x + 16.2, y + 12 * line, text, width=140) for line, text in enumerate(words)]
                said += [f"{letter} {words[0]}", *words[1:]]
        assert read(page(*runs)) == said


def test_a_heading_level_with_the_last_words_of_the_column_before_begins_its_own() -> None:
    left = [run(40, 100 + 12 * n, f"gauche {n} et la suite de sa phrase ici", width=250) for n in range(12)]
    right = [run(304, 100 + 12 * n, f"droite {n} et la suite de sa phrase ici", width=250) for n in range(12)]
    right[6] = run(304, 173, "Extensions", size=16)
    assert read(page(*left, *right)) == [r.text for r in left] + [r.text for r in right]


def test_a_short_answer_at_the_foot_of_several_pages_is_no_footer() -> None:
    who = ["la barque", "ce phare", "un quai", "cette nuit", "le gué", "ma lampe"]
    asked = [f"{one} {does} avant l’aube" for one in who for does in ("passe", "brûle", "monte", "cède", "dort", "gèle")]
    all_said = [line for at, text in enumerate(asked, 1) for line in (f"Q{at} : {text} ?", f"R{at} : Non.")]
    said = [all_said[18 * number : 18 * number + 18] for number in range(4)]
    pages = [
        page(*(run(50, 100 + 30 * at, text) for at, text in enumerate(lines)), run(280, 760, f"Brumes {number}", size=8), number=number)
        for number, lines in enumerate(said, 1)
    ]  # fmt: skip
    assert read(*pages) == [line for lines in said for line in lines]


def stretched(x: float, y: float, text: str, width: float) -> list[Run]:
    """The words of a line, each by itself, spread until they fill the width."""
    words = text.split()
    gap = (width - 5 * sum(map(len, words))) / (len(words) - 1)
    made = [run(x, y, words[0])]
    for word in words[1:]:
        made.append(run(made[-1].x1 + gap, y, word))
    return made


def test_justified_lines_with_stretched_spaces_stay_in_their_column() -> None:
    told = ["la brume se lève enfin sur le", "lac et les barques s’en vont", "vers Argance, lentement,", "sans que nul ne parle des",
            "cloches englouties, ni de ceux", "qui les sonnaient : passeurs", "disparus autrefois au", "fond du lac, pleurés de leurs",
            "mères, loin de tout rivage et", "de toute lumière, à jamais ou"]  # fmt: skip
    runs = [each for x in (40, 210, 380) for n, text in enumerate(told) for each in stretched(x, 100 + 12 * n, text, 160)]
    assert read(page(*runs)) == told * 3


def test_a_foot_with_its_page_number_is_furniture_however_near_it_stands() -> None:
    pages = [
        page(*(run(40, 100 + 12 * n, f"ligne {n} de la page {number}") for n in range(50)),
             run(250, 700, f"Brumes – {number}", size=8), number=number)
        for number in (1, 2, 3)
    ]  # fmt: skip
    assert not [text for text in read(*pages) if "Brumes" in text]


def test_the_number_of_a_large_heading_of_two_lines_stays_in_its_line() -> None:
    above, below = ([run(40, y + 12 * n, "a line of running text as wide as all of the page " * 2) for n in range(9)] for y in (100, 300))
    head = [run(40, 240, "8", 14), run(62, 240, "I have a bell that rings whenever I do not", 14), run(62, 258, "want it", 14)]
    assert read(page(*above, *head, *below))[9:11] == ["8 I have a bell that rings whenever I do not", "want it"]


def test_numbers_in_the_margin_count_though_some_are_missing() -> None:
    text = [run(80, 100 + 12 * n, "a line of a rule that is as long as others") for n in range(36)]
    numbers = [run(320, 100 + 48 * at, str(n)) for at, n in enumerate((1, 2, 4, 5, 8, 9))]
    assert read(page(*text, *numbers))[0:9:4] == [f"{n} a line of a rule that is as long as others" for n in (1, 2, 4)]


def test_three_columns_of_text_are_no_table() -> None:
    columns = (
        ((58.6, 150, "combattant situé dans un banc"), (72.2, 148, "de brume peut toutefois voir et"), (85.8, 122, "être vu à 2 pas ou moins."), (102.2, 142, "Q: Deux combattants dans le"), (115.8, 122, "même banc de brume se"), (129.4, 136, "voient-ils toujours ? R: Non."), (143.0, 139, "La limite de 2 pas s’applique"), (156.6, 140, "aussi à l’intérieur d’un même")),
        ((58.6, 101, "l’adversaire possède"), (72.2, 146, "strictement plus de jetons que"), (85.8, 25, "vous."), (102.2, 121, "Q: Combien d’actions un"), (115.8, 133, "combattant peut-il effectuer"), (129.4, 124, "durant son activation ? R:"), (143.0, 144, "Deux actions différentes. Une"), (156.6, 145, "même action ne peut pas être")),
        ((58.6, 91, "dessus l’épaule de"), (72.2, 58, "l’adversaire."), (88.6, 134, "Q: Le sel répandu par deux"), (102.2, 145, "combattants forme-t-il un seul"), (115.8, 137, "cercle ? R: Seulement si les"), (129.4, 147, "deux cercles se recouvrent au"), (143.0, 145, "moins en partie. Deux cercles"), (156.6, 146, "tangents restent deux cercles.")),
    )  # fmt: skip
    runs = [run(51 + 171 * at, y, text, size=11, width=wide) for at, lines in enumerate(columns) for y, wide, text in lines]
    assert read(page(*runs)) == [each.text for each in runs]


def test_page_numbers_and_running_heads_are_furniture() -> None:
    pages = [
        page(
            run(40, 30, "Chapitre des règles"),
            *(run(40, 100 + 12 * line, f"page {n} ligne {line} du texte") for line in range(20)),
            run(290, 780, str(n)),
            number=n,
        )
        for n in range(1, 5)
    ]
    for laid in lay_out(pages):
        assert [line.text for line in laid.furniture] == ["Chapitre des règles", str(laid.page)]


def test_a_number_in_the_text_is_no_page_number() -> None:
    pages = [page(*(run(40, 300 + 12 * line, f"{n}{line}") for line in range(8)), number=n) for n in range(1, 4)]
    assert not any(laid.furniture for laid in lay_out(pages))


# ---------------------------------------------------------------- laws

words = st.text("abcdefgh", min_size=1, max_size=8)
runs = st.builds(
    run, st.floats(0, WIDTH - 60), st.floats(20, HEIGHT - 20), words, st.sampled_from([6.0, 9.0, 10.0, 14.0, 30.0])
)


@settings(max_examples=150, deadline=None)
@given(st.lists(runs, min_size=1, max_size=60))
def test_every_run_is_in_exactly_one_line_and_every_address_is_unique(drawn: list[Run]) -> None:
    laid = lay_out([page(*drawn)])
    lines = [line for made in laid for line in [*made.furniture, *(held for s in made.strips for held in s.lines)]]
    assert sorted(r.text for line in lines for r in line.runs) == sorted(r.text for r in drawn)
    assert len({line.address for line in lines}) == len(lines)


@settings(max_examples=60, deadline=None)
@given(st.lists(runs, min_size=2, max_size=40, unique_by=lambda r: (r.x0, r.baseline)), st.randoms())
def test_the_order_of_drawing_does_not_matter(drawn: list[Run], chance: object) -> None:
    mixed = list(drawn)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert read(page(*drawn)) == read(page(*mixed))


def two_columns(top: float = 100.0, rows: int = 10) -> tuple[list[Run], list[Run]]:
    left = [run(40, top + 12 * n, f"gauche {n} et la suite de sa phrase ici", width=240) for n in range(rows)]
    right = [run(310, top + 12 * n, f"droite {n} et la suite de sa phrase ici", width=240) for n in range(rows)]
    return left, right


def begins(*pages: Page) -> list[str]:
    return [" ".join(line.split()[:2]) for line in read(*pages)]


def test_what_is_raised_over_something_lowered_is_in_the_same_line() -> None:
    words = [run(0, 100, "pose x"), run(30, 96, "eval", size=6, width=12), run(30, 103, "i", size=6, width=3)]
    [line] = into_lines(fragments([*words, run(48, 100, "ici")]))
    assert line.text == "pose xieval ici"
    [line] = into_lines(fragments([run(0, 100, "la f"), run(18.5, 102, "t", size=7, width=4), run(26, 100, "suit")]))
    assert line.text == "la ft suit"


def test_a_mark_between_stretched_spaces_is_in_its_line() -> None:
    [line] = into_lines(fragments([run(0, 100, "Nacional"), run(46.5, 95, "2", size=6.5), run(56, 100, "y")]))
    assert line.text == "Nacional 2 y"


def test_a_head_at_the_top_right_is_not_the_first_line_of_the_second_column() -> None:
    left, right = two_columns()
    head = [run(40, 50, "Journal 4:34"), run(430, 50, "http://example.org/4/34", width=120)]
    foot = [run(480, 260, "Page 3 of 7", width=70)]
    assert begins(page(*left, *right, *head, *foot)) == [
        "Journal 4:34", *(f"gauche {n}" for n in range(10)), *(f"droite {n}" for n in range(10)), "Page 3",
    ]  # fmt: skip


def test_a_page_number_in_the_gutter_leaves_it_a_gutter() -> None:
    left, right = two_columns()
    foot = [run(60, 260, "Revue"), run(283, 260, "0250", width=20), run(500, 260, "2006", width=50)]
    assert begins(page(*left, *right, *foot))[:11] == [*(f"gauche {n}" for n in range(10)), "droite 0"]


def test_a_line_drawn_across_all_columns_parts_them_and_its_heading_governs_both() -> None:
    left, right = two_columns(100, 5)
    more = [run(each.x0, each.baseline + 120, each.text.replace(" et", " bas et"), width=240) for each in (*left, *right)]
    heading = run(40, 195, "Une partie", size=11)
    drawn = Shape(box=Box(x0=40, top=199, x1=550, bottom=199.5), fill="#000000")
    made = page(*left, *right, heading, *more)
    ruled = Page(number=1, width=WIDTH, height=HEIGHT, runs=made.runs, shapes=(drawn,))
    order = [f"{side} {n}" for side in ("gauche", "droite") for n in range(5)]
    assert begins(ruled) == [*order, "Une partie", *order]


def test_names_in_the_middle_under_a_title_are_of_no_column() -> None:
    left, right = two_columns(160)
    title = run(150, 60, "Un titre sur toute la page", size=20)
    names = [run(190, 90, "Anne Aubert", width=60), run(265, 90, "Bela Bem", width=50), run(340, 90, "Cleo Cid", width=60)]
    assert begins(page(title, *names, *left, *right))[:3] == ["Un titre", "Anne Aubert", "gauche 0"]


def note(y: float, text: str) -> Run:
    return run(40, y, text, size=8, width=500)


def test_a_footnote_has_all_its_paragraphs_and_goes_on_overleaf() -> None:
    text = [run(40, 100 + 12 * n, f"ligne {n} du texte qui court sur la page", width=500) for n in range(20)]
    mark = run(541, 96, "1", size=6, width=3)
    foot = [note(600, "1 Une note qui commence."), note(625, "Un second alinéa de la note,")]
    more = [note(625, "la fin de la note.")]
    first, second = lay_out([page(*text, mark, *foot), page(*text, *more, number=2)])
    assert [[line.text for line in strip.lines] for strip in first.strips if strip.mark] == [[each.text for each in foot]]
    assert [[line.text for line in strip.lines] for strip in second.strips if strip.mark] == [["la fin de la note."]]


def test_page_numbers_at_one_height_are_furniture_however_near_and_however_deep() -> None:
    near = [page(*two_columns(500, 15)[0], run(300, 680, str(n)), number=n) for n in range(1, 5)]
    assert [[line.text for line in laid.furniture] for laid in lay_out(near)] == [[str(n)] for n in range(1, 5)]


def test_a_paragraph_at_the_outer_edge_with_white_across_all_columns_ends_the_lists_above_it() -> None:
    def listed(top: float, name: str) -> list[Run]:
        return [run(x, top + 12 * n, f"• {name}{x} {n}", width=100) for x in (80, 330) for n in range(6)]

    text = [run(40, 80, "Sont permis :", width=90), run(40, 190, "Sont interdits :", width=100)]
    made = begins(page(*text, *listed(100, "a"), *listed(210, "b")))
    order = [f"• {name}{x}" for name in "ab" for x in (80, 330) for _ in range(6)]
    assert made == ["Sont permis", *order[:12], "Sont interdits", *order[12:]]


def _names(x: float, y: float, *lines: str) -> list[Run]:
    return [run(x, y + 12 * at, line) for at, line in enumerate(lines)]


def test_names_with_their_houses_are_read_row_by_row_one_after_the_other() -> None:
    cells = [
        _names(100, 80, "Aude Marnier", "House of Reeds"), _names(380, 80, "Colin Dray", "House of Salt"),
        _names(100, 130, "Ebba Friis", "House of Ash"), _names(380, 130, "Gero Hals", "House of Tin"),
    ]  # fmt: skip
    text = [run(40, 180 + 12 * n, f"line {n} of a text that runs over the whole of the page, as it does", width=500)
            for n in range(6)]  # fmt: skip
    drawn = [r for cell in cells for r in cell]
    assert read(page(*text, *drawn[::-1])) == [r.text for r in (*drawn, *text)]


def test_signatures_far_apart_are_read_across() -> None:
    text = [run(40, 60 + 12 * n, f"line {n} of a text that runs over the whole of the page, as it does", width=500)
            for n in range(6)]  # fmt: skip
    signed = [run(250, 160, "Hanna Orm"), run(40, 200, "Ivo Pell"), run(400, 200, "Jutta R."),
              run(40, 240, "Karel Stig"), run(400, 240, "Lena Toft"), run(250, 280, "Mads Uhl")]  # fmt: skip
    assert read(page(*text, *signed[::-1])) == [r.text for r in (*text, *signed)]


def test_two_columns_of_items_far_apart_are_still_read_down() -> None:
    left = [run(40, 100 + 30 * n, f"• left {n}") for n in range(5)]
    right = [run(320, 100 + 30 * n, f"• right {n}") for n in range(5)]
    assert read(page(*left, *right)) == [r.text for r in (*left, *right)]


def test_a_shade_behind_every_other_paragraph_is_no_box() -> None:
    items = [run(40, 100 + 24 * n, f"{n + 1}. The item number {n + 1} of one list, as long as the others.", width=300)
             for n in range(5)]  # fmt: skip
    shades = tuple(Shape(box=Box(x0=36, top=87 + 24 * n, x1=345, bottom=108 + 24 * n), fill="#d1d2d4") for n in (1, 3))
    drawn = Page(number=1, width=WIDTH, height=HEIGHT, runs=tuple(items), shapes=shades)
    [laid] = lay_out([drawn])
    assert [strip.region for strip in laid.strips] == [0]
    assert read(drawn) == [r.text for r in items]


def test_a_lone_shade_behind_a_paragraph_is_a_box() -> None:
    items = [run(40, 100 + 24 * n, f"The paragraph number {n + 1} of a text, as long as others.", width=300)
             for n in range(5)]  # fmt: skip
    shade = Shape(box=Box(x0=36, top=111, x1=345, bottom=132), fill="#d1d2d4")
    [laid] = lay_out([Page(number=1, width=WIDTH, height=HEIGHT, runs=tuple(items), shapes=(shade,))])
    assert any(strip.region for strip in laid.strips)


def test_a_large_number_beside_a_heading_and_its_text_joins_the_heading_alone() -> None:
    number = run(20, 110, "1", size=24)
    lines = [run(50, 100, "THE FIRST PHASE", size=14), run(50, 111, "All pieces are made ready again,", size=8),
             run(50, 121, "whoever holds the lamp begins.", size=8)]  # fmt: skip
    assert read(page(number, *lines)) == [f"1 {lines[0].text}", lines[1].text, lines[2].text]


def _text(number: int, first: float = 120, lines: int = 30) -> list[Run]:
    return [run(40, first + 12 * n, f"line {n} of page {number} with words of its own, as each has") for n in range(lines)]


def test_running_heads_that_change_by_chapter_are_furniture() -> None:
    heads = ["Chapter 1 Of Boats", "Chapter 1 Of Boats", "Chapter 2 Of Nets", "Chapter 2 Of Nets", "Chapter 3 Of Bait"]
    laid = lay_out([page(run(40, 60, head), *_text(at), number=at) for at, head in enumerate(heads, 1)])
    assert [[line.text for line in each.furniture] for each in laid] == [[head] for head in heads]


def test_headings_that_the_contents_list_are_no_running_heads_where_they_begin_a_page() -> None:
    titles = ["1. Of Boats", "1.1. Of Oars", "2. Of Nets", "3. Of Bait", "3.1. Of Hooks"]
    contents = [run(40, 100 + 14 * at, f"{title} . . . . . . . . {at + 2}") for at, title in enumerate(titles)]
    pages = [page(run(40, 60, title, size=14), *_text(at, 90), number=at) for at, title in enumerate(titles, 2)]
    laid = lay_out([page(*contents), *pages])
    assert [line.text for each in laid for line in each.furniture] == []


def test_the_ending_of_an_ordinal_is_no_word() -> None:
    runs = [run(0, 100, "au 41", size=8), run(21.6, 97.3, "e", size=4.7), run(27, 100, "siècle", size=8)]
    [line] = into_lines(fragments(runs))
    assert line.text == "au 41e siècle"


def test_an_f_in_italics_reaches_over_the_space_behind_it() -> None:
    one, two = (replace(run(x, 100, text), italic=True) for x, text in ((0, "effectif"), (40.6, "pour")))
    assert spell([one, two]) == "effectif pour"
    assert spell([replace(one, text="ef"), replace(two, x0=39.0, text="fet")]) == "effet"


def test_a_number_that_is_cut_beside_a_one_is_one_number() -> None:
    assert spell([run(0, 10, "B1", width=9), run(10.4, 10, ".6.9")]) == "B1.6.9"
    assert spell([run(0, 10, "201", width=14), run(15.9, 10, "2")]) == "2012"
    assert spell([run(0, 10, "in 201", width=24), run(27, 10, "2 gulls")]) == "in 201 2 gulls"


def text_of(extract: Page) -> list[tuple[str, str]]:
    made = structure(Extract(source="case.pdf", sha256="0" * 64, pages=(extract,)))
    return [(block.role, str(block.text)) for block in made.blocks]


def test_what_is_written_sideways_cuts_no_text_and_is_no_heading() -> None:
    left = [run(40, 100 + 12 * n, "the gull flies on over piers and sand", width=250) for n in range(10)]
    right = [run(310, 100 + 12 * n, "and it does not come back this year", width=250) for n in range(10)]
    axis = Run(
        text="GULLS", x0=180, top=300, x1=194, bottom=340, baseline=194, font="Test-Bold", size=14, bold=True, angle=3
    )
    told = text_of(page(*left, *right, run(200, 330, "0.5", size=7), axis))
    assert ("label", "GULLS") in told
    assert len([text for role, text in told if text.startswith("the gull flies")]) == 1
    assert next(text for _, text in told if text.startswith("the gull")).endswith("this year")


def test_words_in_a_drawing_with_a_frame_are_labels() -> None:
    above = [run(40, 100 + 12 * n, "A gull flies over two piers, and nobody calls it back today.") for n in range(6)]
    words = [run(60, 260, "Active gull"), run(250, 300, "Pier"), run(120, 380, "Target gull")]
    below = [run(40, 470 + 12 * n, "The tide goes out when the last of the gulls has come home.") for n in range(6)]
    frame = Shape(box=Box(x0=40, top=220, x1=340, bottom=420), stroke="#000000")
    lines = [Shape(box=Box(x0=80 + 9 * n, top=280, x1=81 + 9 * n, bottom=360), fill="#00ff00") for n in range(3)]
    ring = Box(x0=100, top=290, x1=130, bottom=320)
    drawn = replace(page(*above, *words, *below), shapes=(frame, *lines), figures=(ring,))
    assert {text for role, text in text_of(drawn) if role == "label"} == {"Active gull", "Pier", "Target gull"}
    assert not [role for role, _ in text_of(replace(drawn, figures=())) if role == "label"]


def test_the_one_line_in_a_box_with_a_picture_is_its_label_and_heads_nothing() -> None:
    above = [run(40, 100 + 12 * n, "A gull flies over two piers, and nobody calls it back today.") for n in range(6)]
    line = replace(run(80, 250, "These are the gulls that are caught, and those that are not:"), bold=True)
    below = [run(40, 470 + 12 * n, "The tide goes out when the last of the gulls has come home.") for n in range(6)]
    box = Shape(box=Box(x0=40, top=220, x1=500, bottom=440), fill="#ffc0c0")
    drawn = replace(page(*above, line, *below), shapes=(box,), figures=(Box(x0=80, top=270, x1=400, bottom=420),))
    assert [role for role, text in text_of(drawn) if text == line.text] == ["label"]
    assert [role for role, text in text_of(replace(drawn, figures=())) if text == line.text] != ["label"]


def test_words_over_pictures_that_stand_together_are_labels_without_a_frame() -> None:
    above = [run(40, 100 + 12 * n, "A gull flies over two piers, and nobody calls it back today.") for n in range(6)]
    words = [run(60, 260, "Active gull"), run(250, 300, "Pier", size=12), run(120, 380, "Target gull")]
    below = [run(40, 470 + 12 * n, "The tide goes out when the last of the gulls has come home.") for n in range(6)]
    pictures = (Box(x0=50, top=230, x1=200, bottom=400), Box(x0=205, top=240, x1=330, bottom=390))
    drawn = replace(page(*above, *words, *below), figures=pictures)
    assert {text for role, text in text_of(drawn) if role == "label"} == {"Active gull", "Pier", "Target gull"}
    behind = replace(drawn, figures=(Box(x0=100, top=60, x1=330, bottom=400),))  # lines run over its side
    ruled = [Shape(box=Box(x0=60, top=250 + 9 * n, x1=300, bottom=251 + 9 * n), fill="#000000") for n in range(9)]
    for other in (behind, replace(drawn, shapes=tuple(ruled)), replace(drawn, figures=())):
        assert not [role for role, _ in text_of(other) if role == "label"]


def test_words_on_the_picture_of_a_card_are_its_labels_though_it_stands_in_a_box_with_a_sentence() -> None:
    above = [run(40, 100 + 12 * n, "A gull flies over two piers, and nobody calls it back today.") for n in range(6)]
    saying = [run(60, 236, "Lay the cards of the harbour in a row", size=9), run(60, 247, "above the gulls.", size=9)]
    words = [run(60 + 80 * column, 270 + 10 * n, text, size=4) for column in range(3) for n, text in enumerate(("Gull", "0", "2"))]
    below = [run(40, 470 + 12 * n, "The tide goes out when the last of the gulls has come home.") for n in range(6)]
    cards = tuple(Box(x0=50 + 80 * n, top=260, x1=110 + 80 * n, bottom=340) for n in range(3))
    box = Shape(box=Box(x0=40, top=220, x1=500, bottom=360), fill="#c0e0f0")
    told = text_of(replace(page(*above, *saying, *words, *below), shapes=(box,), figures=cards))
    assert [role for role, text in told if text.startswith("Lay the cards")] == ["paragraph"]
    assert " ".join(text for role, text in told if role == "label") == "Gull 0 2 Gull 0 2 Gull 0 2"
    assert {role for role, _ in told} == {"paragraph", "label"}


def test_a_disc_in_a_heading_makes_it_no_label_of_the_drawing_above() -> None:
    above = [run(40, 100 + 12 * n, "A gull flies over two piers, and nobody calls it back today.") for n in range(6)]
    words = [run(60, 260, "Active gull"), run(250, 300, "Pier"), run(120, 380, "Target gull")]
    heading = replace(run(60, 415, "STEP 2 : CATCH"), bold=True)
    below = [run(40, 430 + 12 * n, "The tide goes out when the last of the gulls has come home.") for n in range(6)]
    pictures = (Box(x0=50, top=230, x1=330, bottom=400), Box(x0=84, top=405, x1=96, bottom=417))
    told = text_of(replace(page(*above, *words, heading, *below), figures=pictures))
    assert {text for role, text in told if role == "label"} == {"Active gull", "Pier", "Target gull"}


def test_words_in_small_type_among_many_lines_are_labels_of_a_diagram() -> None:
    above = [run(40, 100 + 12 * n, "A gull flies over two piers, and nobody calls it back today.") for n in range(6)]
    places = [(60, 260, "Halted"), (250, 270, "from any state"), (130, 330, "Stop"), (201, 380, "Run")]
    below = [run(40, 470 + 12 * n, "The tide goes out when the last of the gulls has come home.") for n in range(6)]
    boxes = [Box(x0=50 + 20 * n, top=240 + 9 * n, x1=80 + 20 * n, bottom=270 + 9 * n) for n in range(14)]
    arrow = Box(x0=90, top=280, x1=300, bottom=390)

    def drawn(*words: Run) -> Page:
        shapes = tuple(Shape(box=box, stroke="#000000") for box in boxes)
        return replace(page(*above, *words, *below), shapes=shapes, figures=(arrow,))

    told = text_of(drawn(*(run(x, y, text, size=6) for x, y, text in places)))
    labels = " ".join([text for role, text in told if role == "label"])
    assert sorted(labels.split()) == sorted(" ".join([text for _, _, text in places]).split())
    lined_up = text_of(drawn(*(run(60, y, text, size=6) for _, y, text in places)))
    assert not [role for role, _ in lined_up if role == "label"]


def test_rows_of_a_few_words_that_fill_a_frame_are_a_table_and_none_is_torn_by_it() -> None:
    logo = run(10, 172, "FAUNA", size=18, width=70)
    above = [run(100, 140 + 12 * n, "A gull flies over two piers, and nobody calls it back today.") for n in range(4)]
    rows = (("Name", "Range", "Damage"), ("Beak", "Close", "6"), ("Cry", "5", "4"))
    cells = [run(40 + 110 * c, 215 + 25 * r, text) for r, row in enumerate(rows) for c, text in enumerate(row)]
    frame = Shape(box=Box(x0=19, top=195, x1=380, bottom=290), fill="#231f20")
    told = text_of(replace(page(logo, *above, *cells), shapes=(frame,)))
    assert [text for role, text in told if role == "table"] == ["Name Range Damage Beak Close 6 Cry 5 4"]
    assert any(text.endswith("calls it back today.") for role, text in told if role != "table")


def test_a_column_that_runs_on_is_no_card_under_a_name() -> None:
    def bold(x: float, y: float, text: str) -> Run:
        return replace(run(x, y, text, size=11), bold=True, font="Test-Bold")

    left = [bold(40, 100, "CANCEL"), *(run(40, 115 + 11 * n, "a die is taken away by its player", 9) for n in range(5))]
    left += [
        bold(40, 190, "CARDS"),
        *(run(40, 205 + 11 * n, "a card is played as it is printed", 9) for n in range(20)),
    ]
    right = [
        bold(310, 100, "CLOAK"),
        *(run(310, 115 + 11 * n, "a ship that is cloaked has no arms", 9) for n in range(30)),
    ]
    assert read(page(*left, *right)) == [each.text for each in (*left, *right)]


def test_shades_behind_items_in_bold_and_in_plain_letters_are_no_boxes() -> None:
    def item(at: int, *, bold: bool) -> list[Run]:
        number = replace(run(40, 100 + 40 * at, f"{at}.", width=8), font="Head-Bold", bold=True)
        words = [run(52, 100 + 40 * at + 12 * n, "each player rolls dice", width=220) for n in range(2)]
        return [number, *(replace(each, bold=bold, font="Bold" if bold else "Test") for each in words)]

    runs = [each for at in range(1, 6) for each in item(at, bold=at == 2)]
    shades = tuple(
        Shape(box=Box(x0=38, top=90 + 40 * at, x1=290, bottom=118 + 40 * at), fill="#d1d2d4") for at in (2, 4)
    )
    strips = lay_out([replace(page(*runs), shapes=shades)])[0].strips
    assert [strip.region for strip in strips] == [0]


def test_numbers_with_a_letter_in_the_margin_stand_before_their_text() -> None:
    runs = []
    for at in range(1, 8):
        runs += [
            run(40, 100 + 30 * at, f"B1.11.{at}", size=9),
            run(100, 100 + 30 * at, "Protests are made in writing and paid for."),
        ]
    assert read(page(*runs))[0] == "B1.11.1 Protests are made in writing and paid for."
    assert not any(strip.table for strip in lay_out([page(*runs)])[0].strips)


def test_a_few_lines_that_stand_beside_each_other_but_off_level_are_columns() -> None:
    text = [run(40, 100 + 12 * n, "The wolves run on over the ice and the snow of the north.") for n in range(8)]
    left, head, tail = run(50, 306, "Keywords: wolf, ice"), run(320, 301, "Faction keywords:"), run(320, 311, "North")
    box = Shape(box=Box(x0=40, top=285, x1=560, bottom=325), fill="#c0c0c0")
    told = read(replace(page(*text, head, left, tail), shapes=(box,)))
    assert told[-3:] == [left.text, head.text, tail.text]


def test_bold_words_of_two_lines_at_the_side_stand_before_their_text() -> None:
    told: list[Run] = []
    for at, words in enumerate((("Attack",), ("First", "player"), ("Guard",), ("Hidden", "gull"), ("Jam",))):
        y = 100 + 50 * at
        told += [replace(run(40, y + 12 * n, word), bold=True, font="Test-Bold") for n, word in enumerate(words)]
        told += [run(140, y + 12 * n, "the gull flies over two piers and back", width=400) for n in range(2)]
        told.append(run(140, y + 24, "before the tide goes out."))
    assert read(page(*told)) == [each.text for each in told]


def test_a_shape_that_lines_run_over_is_no_box() -> None:
    lines = [run(60, 100 + 14 * n, f"line {n} of a text that runs over what is drawn behind it", width=480) for n in range(20)]
    short = [run(200, 400 + 14 * n, f"{n}. a step inside the shape", width=200) for n in range(6)]
    mark = Shape(box=Box(x0=150, top=150, x1=450, bottom=520), fill="#eaeaea")
    text = read(replace(page(*lines, *short), shapes=(mark,)))
    assert text == [each.text for each in (*lines, *short)]


def test_a_chapter_in_large_type_at_the_top_of_its_page_is_no_running_head() -> None:
    pages = [
        page(run(60, 80, f"Chapter {number}", size=20),
             *(run(60, 130 + 14 * n, f"line {n} of the chapter on page {number}", width=400) for n in range(20)), number=number)
        for number in (1, 2, 3, 4)
    ]  # fmt: skip
    assert [text for text in read(*pages) if text.startswith("Chapter")] == [f"Chapter {n}" for n in (1, 2, 3, 4)]


def test_notes_in_the_margin_stand_behind_the_paragraph_beside_them() -> None:
    text = [run(200, 100 + 12 * n, f"A gull flies over {n} piers, and nobody calls it back to the harbour.") for n in range(20)]
    pages = {120: ("See the tide,", "page 120."), 220: ("See the tide,", "and so on,", "page 220.")}
    notes = [run(40, y + 8 * n, words, size=7) for y, said in pages.items() for n, words in enumerate(said)]
    told = text_of(page(*text, *notes))
    beside = [(told[at - 1][1].split(" piers")[0], words) for at, (role, words) in enumerate(told) if role == "label"]
    assert beside == [("A gull flies over 2", "See the tide, page 120."), ("A gull flies over 10", "See the tide, and so on, page 220.")]
    assert " ".join(words for role, words in told if role != "label").count("gull") == 20


def test_a_letter_in_a_font_of_its_own_before_many_lines_is_a_bullet_and_a_star_stays_one() -> None:
    def markers(sign: str) -> set[str]:
        runs = []
        for n in range(6):
            runs += [replace(run(40, 100 + 14 * n, sign, width=6), font="Signs")]
            runs.append(run(49, 100 + 14 * n, f"A gull flies over {n} piers, and nobody calls it back to the harbour."))
        made = structure(Extract(source="case.pdf", sha256="0" * 64, pages=(page(*runs),)))
        return {block.marker for block in made.blocks}

    assert markers("n") == {"•"}
    assert markers("=") == {"•"}
    assert markers("*") == {"*"}


def test_a_bullet_in_larger_type_makes_no_line_larger() -> None:
    runs = []
    for n in range(4):
        runs += [replace(run(40, 100 + 28 * n, "Æ", size=12, width=9), font="Signs")]
        runs += [run(53, 100 + 28 * n, f"A gull flies over {n} piers and is", size=9), run(53, 112 + 28 * n, "not called back.", size=9)]
    assert text_of(page(*runs)) == [("item", f"A gull flies over {n} piers and is not called back.") for n in range(4)]


def test_a_narrow_gutter_beside_a_larger_heading_is_one() -> None:
    left = [run(72, 100 + 12 * row, "The keeper of the tower lights his lamp.", width=220) for row in range(8)]
    right = [run(302, 118 + 12 * row, "The bell of the harbour rings in the fog.", width=220) for row in range(7)]
    text = read(page(*left, run(302, 100, "1.4 The harbour", size=12), *right))
    assert "1.4 The harbour" in text
    assert not any("lamp. 1.4" in line for line in text)


def test_a_box_as_wide_as_its_column_is_read_in_its_order_and_goes_on_in_the_next() -> None:
    def shade(x: float, bottom: float) -> Shape:
        return Shape(box=Box(x0=x, top=80, x1=x + 250, bottom=bottom), fill="#eadfd9")

    first = [run(55, 100 + 14 * n, "the keeper of the tower lights a lamp for all", width=220) for n in range(40)]
    second = [run(325, 100 + 14 * n, "the ships that come home before the night falls", width=220) for n in range(5)]
    below = [run(325, 230 + 14 * n, "The bell of the harbour rings in the fog again.", width=220) for n in range(20)]
    drawn = replace(page(*first, *second, *below), shapes=(shade(40, 670), shade(310, 170)))
    [laid] = lay_out([drawn])
    assert read(drawn) == [each.text for each in (*first, *second, *below)]
    assert [strip.region > 0 for strip in laid.strips] == [True, True, False]
    assert laid.strips[0].region == laid.strips[1].region
    other = replace(drawn, shapes=(shade(40, 670), replace(shade(310, 170), fill="#d0e0f0")))
    assert len({strip.region for strip in lay_out([other])[0].strips}) == 3


def test_a_bold_line_straight_above_a_text_over_all_columns_is_its_title() -> None:
    left = [run(40, 100 + 12 * n, f"left {n} and the rest of the sentence here") for n in range(6)]
    right = [run(310, 100 + 12 * n, f"right {n} and the rest of the sentence here") for n in range(6)]
    head = replace(run(40, 186, "Death"), bold=True)
    wide = [run(40, 202 + 12 * n, f"wide {n} and what is told of it over all of the page, word by word", width=500) for n in range(4)]
    assert read(page(*left, *right, head, *wide)) == [r.text for r in (*left, *right, head, *wide)]


def test_a_row_in_the_middle_by_chance_stays_in_its_columns() -> None:
    left = [run(40 if n % 3 else 52, 100 + 12 * n, f"left {n} and the rest of the sentence", width=220) for n in range(12)]
    right = [run(310 if n % 3 else 322, 100 + 12 * n, f"right {n} and the rest of it here", width=220) for n in range(12)]
    left[6] = run(52, 172, "is destroyed.", width=60)
    right[6] = run(322, 172, "A ship can have more than one token", width=196)
    assert read(page(*left, *right)) == [r.text for r in (*left, *right)]


def board(squares: str) -> Page:
    """A board of eight by eight squares between two texts, its rows and columns named, with a few men on it."""
    said = [run(50, 80 + 14 * n, f"The keeper moves stone {n} over the mole.", width=300) for n in range(5)]
    said += [run(50, 480 + 14 * n, f"The bell calls player {n} to the harbour.", width=300) for n in range(5)]
    men = [run(158 + 24 * x, 247 + 24 * y, man, width=6) for x, y, man in ((0, 0, "R"), (2, 3, "B"), (3, 3, "W"), (5, 2, "K"))]
    names = [run(159 + 24 * n, 224, "abcdefgh"[n], size=8, width=4) for n in range(8)]
    names += [run(138, 246 + 24 * n, str(n + 1), size=8, width=4) for n in range(8)]
    shades = {"all": lambda x, y: True, "dark": lambda x, y: (x + y) % 2 == 1}[squares]
    boxes = [Box(x0=150 + 24 * x, top=230 + 24 * y, x1=174 + 24 * x, bottom=254 + 24 * y) for x in range(8) for y in range(8) if shades(x, y)]
    return replace(page(*said, *men, *names), shapes=tuple(Shape(box=box, fill="#999999") for box in boxes))


@pytest.mark.parametrize("squares", ["all", "dark"])
def test_a_board_is_no_table_and_its_signs_are_in_no_text(squares: str) -> None:
    told = text_of(board(squares))
    assert {role for role, _ in told} == {"paragraph", "label"}
    assert sorted("".join(words for role, words in told if role == "label").replace(" ", "")) == sorted("abcdefgh12345678RBWK")


def test_squares_with_words_in_them_are_a_table() -> None:
    cells = [run(153 + 24 * x, 247 + 24 * y, "wall", size=7, width=16) for x in range(8) for y in range(8)]
    drawn = board("all")
    assert all(role != "label" for role, _ in text_of(replace(drawn, runs=(*drawn.runs[:10], *cells))))


@pytest.mark.parametrize("marks", ["ABCDEF", "123456"])
def test_a_list_of_short_items_in_two_columns_is_read_down(marks: str) -> None:
    items = [f"{mark}. Lay a {what} on the mole." for mark, what in zip(marks, ("stone", "rope", "bell", "lamp", "net", "flag"), strict=True)]
    drawn = [run(50 + 260 * (n // 3), 150 + 18 * (n % 3), item) for n, item in enumerate(items)]
    around = [run(50, y + 14 * n, f"The keeper of the tower takes {n} stones back.", width=480) for y in (80, 230) for n in range(3)]
    assert [words for role, words in text_of(page(*drawn, *around)) if role == "item"] == [item[3:] for item in items]


def test_a_line_between_two_lists_in_columns_governs_both() -> None:
    left = ["a. The keeper.", "b. The ringer.", "They may also name:", "e. A pilot.", "f. A porter."]
    right = ["c. The gull.", "d. The bell.", "", "g. A smith.", "h. A cook."]
    drawn = [run(x, 150 + 18 * n, item) for x, column in ((50, left), (310, right)) for n, item in enumerate(column) if item]
    around = [run(50, y + 14 * n, f"The keeper of the tower takes {n} stones back.", width=480) for y in (80, 260) for n in range(3)]
    told = [words for _, words in text_of(page(*drawn, *around)) if not words.startswith("The keeper of")]
    assert told == ["The keeper.", "The ringer.", "The gull.", "The bell.", "They may also name:", "A pilot.", "A porter.", "A smith.", "A cook."]


def test_small_capitals_are_one_word_with_their_capital() -> None:
    assert spell([run(0, 10, "D", size=9.5, width=6.7), run(7.9, 10, "EFINITIONS", size=7.1)]) == "DEFINITIONS"
    assert spell([run(0, 10, "A", size=9.5, width=6.7), run(9.4, 10, "LAMP", size=7.1)]) == "A LAMP"


def test_numbers_that_count_the_lines_are_furniture() -> None:
    words = [run(60, 100 + 14 * n, f"line {n} of a draft that is numbered line by line") for n in range(12)]
    numbers = [run(25, 100 + 14 * n, str(98 + n)) for n in range(12)]
    [laid] = lay_out([page(*words, *numbers)])
    assert [line.text for strip in laid.strips for line in strip.lines] == [r.text for r in words]
    assert sorted(line.text for line in laid.furniture) == sorted(r.text for r in numbers)
