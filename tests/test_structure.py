"""Reading order, paragraphs, headings, furniture and joins, on pages made from text."""

from __future__ import annotations

import copy
import pickle
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pdfs import Paper, typeset

from pipeline.extract import extract
from pipeline.records import Extract, Page, Role, Run, Structure
from pipeline.structure import structure

FAQ = [
    ("title", "Les Brumes du Nord – questions et réponses"),
    ("text", "Ce document répond aux questions des joueurs. Il remplace la version précédente et sera mis à jour."),
    ("section", "GÉNÉRALITÉS"),
    *(
        part
        for number in range(12)
        for part in (
            ("heading", f"Lanterne vagabonde {number}"),
            ("question", f"Q : Une figurine engagée au corps-à-corps peut-elle allumer la lanterne au tour {number}, "
                         "c’est-à-dire avant que le brouillard ne se lève complètement sur la lande silencieuse ?"),
            ("answer", "R : Non."),
            ("question", "Q : Combien de pions brume peut-on poser simultanément sur une même tuile, lorsque plusieurs "
                         "joueurs contrôlent celle-ci ?"),
            ("answer", f"R : Jusqu’à {number + 2} pions, extraordinairement davantage si la carte Tempête surnaturelle "
                       "est en jeu. Chaque joueur retire ensuite un pion de son choix."),
            ("item", "le premier pion est posé sur la tuile centrale ;"),
            ("item", "les suivants sont posés sur les tuiles adjacentes, en commençant par celle du joueur actif."),
        )
    ),
]  # fmt: skip


def read(paper: Paper, path: Path, **options: object) -> Structure:
    return structure(extract(paper.save(path / "case.pdf", **options)))  # type: ignore[arg-type]


def told(made: Structure) -> list[tuple[str, int, str, str]]:
    return [(block.role, block.level, block.marker, str(block.text)) for block in made.blocks]


def lines(made: Structure) -> list[str]:
    return [str(block.text) for block in made.blocks]


@pytest.fixture(scope="module")
def one_column(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, int, str, str]]:
    return told(read(typeset(FAQ, columns=1, footer="Brumes, FAQ"), tmp_path_factory.mktemp("one")))


def test_every_paragraph_is_one_block(one_column: list[tuple[str, int, str, str]]) -> None:
    assert [text for *_, text in one_column] == [text for _, text in FAQ]
    roles = {"title": "heading", "section": "heading", "heading": "heading", "item": "item"}
    assert [role for role, *_ in one_column] == [roles.get(style, "paragraph") for style, _ in FAQ]


def test_headings_have_levels_by_their_type(one_column: list[tuple[str, int, str, str]]) -> None:
    levels = [level for role, level, *_ in one_column if role == "heading"]
    assert levels[:3] == [1, 2, 3]
    assert set(levels[2:]) == {3}


@pytest.mark.parametrize("language", [None, "fr"])
@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("scale", [1.0, 1.25])
def test_columns_and_hyphens_change_nothing(
    columns: int, language: str | None, scale: float, tmp_path: Path, one_column: list[tuple[str, int, str, str]]
) -> None:
    made = read(typeset(FAQ, columns=columns, language=language, footer="Brumes, FAQ", scale=scale), tmp_path)
    assert told(made) == one_column
    assert made.columns[0] == columns


def test_hyphens_are_removed_and_recorded(tmp_path: Path) -> None:
    made = read(typeset(FAQ, columns=3, language="fr", scale=1.25), tmp_path)
    how = {join.how for join in made.joins}
    assert how == {"hyphen-removed", "hyphen-kept"}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_the_drawing_order_changes_nothing(columns: int, seed: int, tmp_path: Path) -> None:
    paper = typeset(FAQ, columns=columns, language="fr", footer="Brumes, FAQ")
    assert read(paper, tmp_path, shuffle=seed) == _same_source(read(paper, tmp_path), tmp_path, paper, seed)


def _same_source(made: Structure, path: Path, paper: Paper, seed: int) -> Structure:
    """The files differ, so their hashes do."""
    from dataclasses import replace

    return replace(made, sha256=extract(paper.save(path / "case.pdf", shuffle=seed)).sha256)


def test_furniture_is_kept_apart_and_mirrored_heads_are_known(tmp_path: Path) -> None:
    made = read(typeset(FAQ * 3, columns=2, footer="Brumes, FAQ"), tmp_path)
    assert made.pages > 3
    assert [str(block.text) for block in made.furniture] == [f"Brumes, FAQ {n}" for n in range(1, made.pages + 1)]
    assert not any("Brumes, FAQ" in text for text in lines(made))


# ---------------------------------------------------------------- layouts

LEFT = [f"Colonne de gauche, ligne numéro {n} du texte courant." for n in range(8)]
RIGHT = [f"Colonne de droite, ligne numéro {n} du texte courant." for n in range(8)]


def columns_of(paper: Paper, top: float, left: list[str], right: list[str]) -> float:
    for number, (a, b) in enumerate(zip(left, right, strict=True)):
        paper.text(45, top + 11 * number, a)
        paper.text(310, top + 11 * number, b)
    return top + 11 * len(left)


def in_order(made: Structure, *pieces: str) -> None:
    text = " ".join(lines(made))
    places = [text.find(piece) for piece in pieces]
    assert -1 not in places, [piece for piece, at in zip(pieces, places, strict=True) if at < 0]
    assert places == sorted(places), text


def test_a_title_over_both_columns_in_the_middle_cuts_them(tmp_path: Path) -> None:
    paper = Paper()
    below = columns_of(paper, 80, LEFT[:4], RIGHT[:4])
    paper.text(45, below + 20, "Un intertitre qui va d’un bord à l’autre de la page entière", size=16, bold=True)
    columns_of(paper, below + 45, LEFT[4:], RIGHT[4:])
    in_order(read(paper, tmp_path), LEFT[3], RIGHT[0], RIGHT[3], "intertitre", LEFT[4], LEFT[7], RIGHT[4])


@pytest.mark.parametrize("x", [45, 430])
def test_a_large_heading_that_leaves_the_other_column_white_governs_both(x: float, tmp_path: Path) -> None:
    paper = Paper()
    below = columns_of(paper, 80, LEFT[:4], RIGHT[:4])
    paper.text(x, below + 30, "Équipement", size=18, bold=True)
    columns_of(paper, below + 60, LEFT[4:], RIGHT[4:])
    in_order(read(paper, tmp_path), LEFT[3], RIGHT[3], "Équipement", LEFT[4], LEFT[7], RIGHT[4])


def test_a_full_width_bar_with_a_short_heading_governs_both(tmp_path: Path) -> None:
    paper = Paper()
    below = columns_of(paper, 80, LEFT[:4], RIGHT[:4])
    paper.box(40, below + 5, 555, below + 23, fill="#334455")
    paper.text(480, below + 18, "Scénarios", size=10, bold=True, colour="#ffffff")
    columns_of(paper, below + 40, LEFT[4:], RIGHT[4:])
    in_order(read(paper, tmp_path), LEFT[3], RIGHT[3], "Scénarios", LEFT[4], LEFT[7], RIGHT[4])


def test_the_number_of_columns_may_change_on_a_page(tmp_path: Path) -> None:
    paper = Paper()
    below = columns_of(paper, 80, LEFT[:6], RIGHT[:6])
    paper.text(45, below + 24, "Trois colonnes commencent sous ce titre qui les couvre toutes", size=14, bold=True)
    for column, x in enumerate((45, 220, 395)):
        for number in range(6):
            paper.text(x, below + 50 + 11 * number, f"Tierce {column}, ligne {number} de son texte.")
    made = read(paper, tmp_path)
    in_order(
        made,
        RIGHT[5],
        "Trois colonnes",
        "Tierce 0, ligne 5",
        "Tierce 1, ligne 0",
        "Tierce 1, ligne 5",
        "Tierce 2, ligne 0",
    )
    assert made.columns == (3,)


def test_columns_off_each_others_baseline(tmp_path: Path) -> None:
    paper = Paper()
    for number, (a, b) in enumerate(zip(LEFT, RIGHT, strict=True)):
        paper.text(45, 80 + 11 * number, a)
        paper.text(310, 85.5 + 11 * number, b)
    in_order(read(paper, tmp_path), *LEFT, *RIGHT)


def test_a_short_last_column(tmp_path: Path) -> None:
    paper = Paper()
    for number, line in enumerate(LEFT):
        paper.text(45, 80 + 11 * number, line)
    paper.text(310, 80, "La fin du texte est ici.")
    in_order(read(paper, tmp_path), *LEFT, "La fin du texte")


def test_a_boxed_sidebar_is_read_as_one(tmp_path: Path) -> None:
    paper = Paper()
    paper.box(310, 75, 540, 140, stroke="#000000")
    for number in range(4):
        paper.text(318, 92 + 11 * number, f"Encadré, ligne {number}.")
    for number in range(12):
        paper.text(45, 85 + 11 * number, f"Texte courant de gauche, ligne numéro {number} de douze.")
    for number in range(6):
        paper.text(310, 160 + 11 * number, f"Texte courant de droite, ligne numéro {number} de six.")
    made = read(paper, tmp_path)
    in_order(made, "gauche, ligne numéro 11", "Encadré, ligne 0", "Encadré, ligne 3", "droite, ligne numéro 0")
    assert {block.region > 0 for block in made.blocks if "Encadré" in block.text} == {True}


def test_labels_are_read_across(tmp_path: Path) -> None:
    paper = Paper()
    for number in range(9):
        paper.text(45, 80 + 14 * number, f"Q{number} :")
        paper.text(75, 80 + 14 * number, f"La question numéro {number} tient sur une ligne.")
    in_order(
        read(paper, tmp_path), "Q0 : La question numéro 0", "Q1 : La question numéro 1", "Q8 : La question numéro 8"
    )


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_rotated_page_reads_as_it_is_shown(rotate: int, tmp_path: Path) -> None:
    paper = Paper(width=842, height=595) if rotate != 180 else Paper()
    turns = {90: 270, 180: 180, 270: 90}[rotate]
    paper.rotations[0] = rotate
    start = {90: (60, 560), 180: (540, 780), 270: (780, 40)}[rotate]
    step = {90: (11, 0), 180: (0, -11), 270: (-11, 0)}[rotate]
    for number in range(5):
        paper.text(
            start[0] + step[0] * number, start[1] + step[1] * number, f"Ligne {number} de la page tournée.", turn=turns
        )
    in_order(read(paper, tmp_path), *(f"Ligne {n} de la page tournée." for n in range(5)))


def test_a_drop_cap_belongs_to_its_word(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(45, 102, "L", size=32, bold=True)
    paper.text(68, 82, "es joueurs préparent la partie ensemble, puis chacun")
    paper.text(68, 93, "choisit une bande et déploie ses figurines sur le")
    paper.text(68, 104, "plateau de jeu commun.")
    paper.text(45, 115, "Le premier joueur commence alors son tour de jeu.")
    in_order(read(paper, tmp_path), "Les joueurs préparent", "choisit une bande", "plateau de jeu", "Le premier joueur")


def test_letters_drawn_one_by_one_make_words(tmp_path: Path) -> None:
    paper = Paper()
    for number in range(4):
        paper.letters(45, 80 + 12 * number, f"La ligne {number} est dessinée lettre par lettre, voilà 11 ou 171.")
    in_order(
        read(paper, tmp_path), *(f"La ligne {n} est dessinée lettre par lettre, voilà 11 ou 171." for n in range(4))
    )


def test_a_word_that_is_cut_at_its_second_hyphen_is_whole_though_its_letters_are_drawn_one_by_one(tmp_path: Path) -> None:
    paper = Paper()
    paper.letters(50, 100, "The ferry rings at the end-of-")
    paper.letters(50, 111, "tide bell, and once more at dawn.")
    paper.text(50, 140, "The end-of-tide bell is the last one.")
    assert lines(read(paper, tmp_path))[0] == "The ferry rings at the end-of-tide bell, and once more at dawn."


def test_letter_spaced_headings_are_mended(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(45, 70, "ARMÉES ET BANDES", size=14, bold=True, spacing=5)
    paper.text(45, 95, "Les armées et les bandes se préparent avant la partie, selon le scénario choisi.")
    assert str(read(paper, tmp_path).blocks[0].text) == "ARMÉES ET BANDES"


def test_stray_spaces_are_mended_only_when_sure(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(45, 80, "Ces effets affectent la cible. Ils affectent aussi ses alliés, quand il est engagé.")
    paper.text(45, 110, "Les bonus affec tent toute la bande, car i l est chef. Le dé montre 1 2 ou 3.")
    made = read(paper, tmp_path)
    assert "affectent toute la bande, car il est chef. Le dé montre 1 2 ou 3." in " ".join(lines(made))
    assert {"affectent", "il"} <= {join.text for join in made.joins if join.how == "split-word"}


def test_unruled_tables_have_rows_and_cells(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(45, 60, "Voici les armes que chaque bande peut prendre avant la partie, selon son rang.")
    rows = [("Arme", "Portée", "Force", "Coût"), ("Arc long", "24 ps", "4", "12"), ("Fronde", "12 ps", "3", "6"),
            ("Épieu", "2 ps", "5", "9"), ("Hache", "1 ps", "6", "15")]  # fmt: skip
    for number, row in enumerate(rows):
        for x, cell in zip((60, 180, 300, 400), row, strict=True):
            paper.text(x, 90 + 14 * number, cell)
    paper.text(45, 180, "Une figurine ne porte qu’une seule de ces armes, sauf mention contraire sur sa carte.")
    [table] = [block for block in read(paper, tmp_path).blocks if block.role is Role.TABLE]
    assert [tuple(map(str, row)) for row in table.rows] == rows


def test_ruled_tables_have_rows_and_cells(tmp_path: Path) -> None:
    paper = Paper()
    rows = [("Terrain", "Effet"), ("Forêt dense", "Le mouvement est divisé par deux et la vue est"), ("Ruines", "Abri")]
    for number, row in enumerate(rows):
        for x, cell in zip((60, 180), row, strict=True):
            paper.text(x + 4, 92 + 30 * number, cell)
    paper.text(184, 92 + 41, "bloquée au-delà de trois pas.")
    for y in (80, 110, 140, 170):
        paper.rule(60, y, 500, y)
    for x in (60, 180, 500):
        paper.rule(x, 80, x, 170)
    [table] = [block for block in read(paper, tmp_path).blocks if block.role is Role.TABLE]
    assert [tuple(map(str, row)) for row in table.rows] == [
        rows[0], ("Forêt dense", "Le mouvement est divisé par deux et la vue est bloquée au-delà de trois pas."), rows[2]
    ]  # fmt: skip


@pytest.mark.parametrize("more", ["", "Lame rouillée", "Sauvegarde"])
def test_names_over_figures_are_a_profile_though_each_stands_in_a_box(more: str, tmp_path: Path) -> None:
    """Not where a row has a name before it: that is one of a larger table."""
    paper = Paper()
    paper.text(50, 60, "Le Passeur", size=14, bold=True)
    for at, (name, figure) in enumerate((("M", '14"'), ("E", "11"), ("SV", "3+"), ("PV", "18"), ("CD", "6+"))):
        x = 70 + 34 * at
        paper.text(x + 8, 86, name, size=7, bold=True)
        paper.box(x, 90, x + 24, 114, fill="#e9e9ea", stroke="#531415")
        paper.text(x + 4, 107, figure, size=13, bold=True)
    paper.text(70 + (120 if more == "Sauvegarde" else -66), 107 + (30 if more == "Sauvegarde" else 0), more, size=8)
    for line in range(8):
        paper.text(50, 170 + 11 * line, "Chaque fois que cette barque dérive, elle peut heurter un pieu et perdre un point.")
    tables = [block.rows for block in read(paper, tmp_path).blocks if block.role is Role.TABLE]
    known = [[tuple(map(str, row)) for row in rows] for rows in tables if len(rows) == 2 and len(rows[0]) == 5]
    assert known == ([] if more == "Lame rouillée" else [[("M", "E", "SV", "PV", "CD"), ('14"', "11", "3+", "18", "6+")]])


def test_nested_lists_have_depth_and_markers(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(45, 80, "Chaque joueur fait dans cet ordre tout ce qui suit, sans rien oublier en chemin :")
    for y, x, mark, words in ((94, 50, "•", "préparer sa bande ;"), (108, 70, "–", "choisir un chef ;"),
                              (122, 70, "–", "choisir une arme ;"), (136, 50, "•", "déployer sa bande.")):  # fmt: skip
        paper.text(x, y, mark)
        paper.text(x + 12, y, words)
    made = [(b.marker, b.level, str(b.text)) for b in read(paper, tmp_path).blocks if b.role is Role.ITEM]
    assert made == [("•", 0, "préparer sa bande ;"), ("–", 1, "choisir un chef ;"),
                    ("–", 1, "choisir une arme ;"), ("•", 0, "déployer sa bande.")]  # fmt: skip


def test_style_of_words_is_kept(tmp_path: Path) -> None:
    paper = Paper()
    x = paper.text(45, 80, "Le mot ")
    x = paper.text(x, 80, "Charge", bold=True, colour="#ec008c")
    x = paper.text(x, 80, " est nouveau, ")
    end = paper.text(x, 80, "ancien")
    paper.rule(x, 77.5, end, 77.5)
    paper.text(end, 80, " est rayé.")
    paper.text(45, 92, "Le reste du texte est en noir, comme presque tout ce document de règles.")
    block = read(paper, tmp_path).blocks[0]
    assert [(s.text.strip(), s.bold, s.colour, s.struck) for s in block.text.spans if s.bold or s.struck] == [
        ("Charge", True, "#ec008c", False), ("ancien", False, None, True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "Die Figur darf sich nicht bewegen, wenn sie im Nahkampf ist. Die Kampf- und Bewegungswerte werden für "
               "jede Einheit auf der Karte angegeben und können von Ausrüstung verändert werden."),
        ("es", "La miniatura no puede moverse cuando está trabada en combate. Los valores de la unidad se indican en su "
               "carta y pueden ser modificados por el equipo que lleva consigo."),
        ("it", "La miniatura non può muoversi quando è impegnata in combattimento. I valori della unità sono indicati "
               "sulla carta e possono essere modificati dalle armi che porta con sé."),
        ("en", "The model cannot move when it is engaged in combat. The values of the unit are given on its card and can "
               "be changed by the equipment that it carries with it."),
    ],
)  # fmt: skip
def test_other_languages_are_told_and_joined(language: str, words: str, tmp_path: Path) -> None:
    made = read(typeset([("text", words)] * 3, columns=3, language=language), tmp_path)
    assert made.language == language
    assert lines(made) == [words] * 3


def test_the_short_last_line_of_a_title_over_all_columns_stays_with_it(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(45, 60, "Un titre si long qu’il va d’un bord de la page à l’autre et", size=20, bold=True)
    paper.text(45, 83, "continue ici", size=20, bold=True)
    columns_of(paper, 110, LEFT, RIGHT)
    made = read(paper, tmp_path)
    assert lines(made)[0] == "Un titre si long qu’il va d’un bord de la page à l’autre et continue ici"
    in_order(made, *LEFT, *RIGHT)


def test_a_list_set_in_two_columns_is_read_down(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(
        45, 80, "Les cartes suivantes sont interdites en tournoi, sans exception, dans tous les formats de jeu :"
    )
    for number in range(7):
        for x, side in ((60, "gauche"), (310, "droite")):
            paper.text(x, 100 + 14 * number, "•")
            paper.text(x + 18, 100 + 14 * number, f"Carte {side} {number}")
    made = [str(block.text) for block in read(paper, tmp_path).blocks if block.role is Role.ITEM]
    assert made == [f"Carte {side} {n}" for side in ("gauche", "droite") for n in range(7)]


def test_the_title_of_a_table_over_all_columns_goes_before_it(tmp_path: Path) -> None:
    paper = Paper()
    below = columns_of(paper, 80, LEFT, RIGHT)
    paper.text(45, below + 22, "Tableau des tournois", bold=True)
    rows = [("Format", "Points", "Durée"), ("Court", "500", "1 heure"), ("Long", "1000", "2 heures")]
    for number, row in enumerate(rows):
        for x, cell in zip((45, 220, 400), row, strict=True):
            paper.text(x + 4, below + 42 + 18 * number, cell)
    for number in range(4):
        paper.rule(45, below + 30 + 18 * number, 550, below + 30 + 18 * number)
    for x in (45, 220, 400, 550):
        paper.rule(x, below + 30, x, below + 84)
    made = read(paper, tmp_path)
    in_order(made, *LEFT, *RIGHT, "Tableau des tournois", "Format")
    assert made.blocks[-1].role is Role.TABLE


def test_a_table_that_goes_on_over_the_page_is_one(tmp_path: Path) -> None:
    paper = Paper()
    for page in range(2):
        if page:
            paper.page()
        rows = [("Version", "Changement"), *((f"1.{page}{n}", f"Le changement numéro {page}{n}") for n in range(4))]
        for number, row in enumerate(rows):
            for x, cell in zip((45, 220), row, strict=True):
                paper.text(x + 4, 92 + 18 * number, cell)
        for number in range(len(rows) + 1):
            paper.rule(45, 80 + 18 * number, 550, 80 + 18 * number)
        for x in (45, 220, 550):
            paper.rule(x, 80, x, 80 + 18 * len(rows))
    [table] = [block for block in read(paper, tmp_path).blocks if block.role is Role.TABLE]
    assert [str(row[0]) for row in table.rows] == ["Version", *(f"1.{page}{n}" for page in range(2) for n in range(4))]


def test_small_type_in_the_margin_of_a_short_document_is_furniture(tmp_path: Path) -> None:
    paper = typeset(FAQ[:60], columns=2, foot=400)
    assert len(paper.pages) >= 2
    for number, page in enumerate(paper.pages[1:], 2):
        drawn = Paper()
        drawn.text(45 if number % 2 else 430, 30, "Brumes du Nord" if number % 2 else "FAQ, version 2", size=7)
        page.extend(drawn.pages[0])
    made = read(paper, tmp_path)
    assert {str(block.text) for block in made.furniture} <= {"Brumes du Nord", "FAQ, version 2"}
    assert len(made.furniture) == made.pages - 1


def test_in_justified_text_a_line_that_is_not_full_ends_its_paragraph(tmp_path: Path) -> None:
    paper = Paper()
    full = "Une ligne bien pleine de mots qui va d’un bord jusqu’à l’autre"
    wide = paper.text(50, 100, full) - 50
    for number in range(1, 8):
        paper.text(50, 100 + 11 * number, full)
    paper.text(50, 188, "Une dernière ligne qui finit un rien avant le bord droit.")
    assert paper.text(50, 199, "Commençons autre chose ici, sans blanc ni retrait pour le dire.") > 40 + wide
    assert lines(read(paper, tmp_path))[-1].startswith("Commençons")


def test_a_role_is_itself_however_it_was_come_by() -> None:
    assert copy.deepcopy(Role.ITEM) is Role("item") is pickle.loads(pickle.dumps(Role.ITEM)) is Role.ITEM
    assert Role.ITEM == "item" and len({Role.ITEM, Role.TABLE, Role.HEADING, Role.PARAGRAPH, Role.FURNITURE}) == 5
    with pytest.raises(AttributeError):
        Role("chapter")


def test_words_that_text_is_printed_over_are_a_watermark(tmp_path: Path) -> None:
    paper = typeset(FAQ[:24], columns=2)
    paper.text(60, 300, "BROUILLON", size=80, colour="#e8e8e8")
    made = read(paper, tmp_path)
    assert told(made) == told(read(typeset(FAQ[:24], columns=2), tmp_path))
    assert [str(block.text) for block in made.furniture] == ["BROUILLON"]


def test_a_running_head_may_name_the_section_of_its_page_in_the_type_of_the_text(tmp_path: Path) -> None:
    paper = Paper()
    for name in ("Navires", "Brumes", "Phares", "Marées"):
        if name != "Navires":
            paper.page()
        paper.text(45, 40, name)
        paper.text(45, 70, name, size=14, bold=True)
        for number in range(6):
            paper.text(45, 90 + 11 * number, f"{name} : ligne {number} d’un texte qui parle de tout autre chose.")
    made = read(paper, tmp_path)
    assert [str(block.text) for block in made.furniture] == ["Navires", "Brumes", "Phares", "Marées"]
    assert [str(block.text) for block in made.blocks if block.role is Role.HEADING] == [
        "Navires", "Brumes", "Phares", "Marées"
    ]  # fmt: skip


def test_a_note_that_begins_with_the_number_of_its_page_is_no_furniture(tmp_path: Path) -> None:
    paper = typeset(FAQ[:12], columns=1)
    paper.text(45, 800, "1. Sauf le grand phare, qui ne s’éteint jamais.", size=7)
    assert "Sauf le grand phare, qui ne s’éteint jamais." in lines(read(paper, tmp_path))[-1]


def test_raised_letters_may_be_nearly_as_large_as_the_others(tmp_path: Path) -> None:
    paper = Paper()
    end = paper.text(45, 100, "Le 1", size=9.5)
    end = paper.text(end, 95.5, "er", size=9)
    paper.text(end, 100, " joueur rejoue au tour suivant, s’il le veut bien.", size=9.5)
    assert lines(read(paper, tmp_path)) == ["Le 1er joueur rejoue au tour suivant, s’il le veut bien."]


def test_a_lone_heading_in_the_middle_of_a_page_is_no_column(tmp_path: Path) -> None:
    paper = Paper()
    for at in range(6):
        paper.text(40, 60 + 12 * at, f"Une ligne qui remplit la première des deux colonnes, numéro {at}.", size=9)
    paper.text(330, 150, "Glossaire", size=14, bold=True)
    for at in range(6):
        paper.text(40, 180 + 12 * at, f"Une autre ligne de la même colonne, sous le titre, numéro {at}.", size=9)
    found = lines(read(paper, tmp_path))
    assert "Glossaire" in found[1:-1]


def noted(*, columns: int = 1, mark: str = "1", raised: bool = True) -> Paper:
    """A page with a mark in its first paragraph, more paragraphs, and the note at its foot."""
    paper = Paper()
    end = paper.text(45, 80, "Le phare s’éteint à minuit", size=9)
    end = paper.text(end, 76.5 if raised else 80, mark, size=5.5 if raised else 9)
    paper.text(end, 80, ", sauf en hiver.", size=9)
    for at in range(8):
        paper.text(45, 100 + 24 * at, f"Le paragraphe {at} parle d’autre chose.", size=9)
        if columns == 2:
            paper.text(320, 80 + 24 * at, f"La deuxième colonne aussi, numéro {at}.", size=9)
    end = paper.text(45, 760, mark, size=7.5)
    paper.text(end + 4, 760, "Heure de Port-Brume, et dans les colonies celle du fort", size=7.5)
    paper.text(45, 769, "le plus proche.", size=7.5)
    return paper


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize(("mark", "raised"), [("1", True), ("12", True), ("*", False), ("†", True)])
def test_a_footnote_follows_the_paragraph_that_has_its_mark(
    columns: int, mark: str, raised: bool, tmp_path: Path
) -> None:
    made = read(noted(columns=columns, mark=mark, raised=raised), tmp_path)
    assert made.blocks[0].text.startswith("Le phare s’éteint à minuit")
    assert made.blocks[1].role is Role.NOTE
    assert made.blocks[1].text.endswith("Heure de Port-Brume, et dans les colonies celle du fort le plus proche.")
    assert sum(block.role is Role.NOTE for block in made.blocks) == 1


def test_small_print_whose_mark_nothing_has_is_no_footnote(tmp_path: Path) -> None:
    paper = typeset(FAQ[:12], columns=1)
    paper.text(45, 800, "7 Sauf le grand phare, qui ne s’éteint jamais.", size=7)
    assert not [block for block in read(paper, tmp_path).blocks if block.role is Role.NOTE]


def test_a_raised_figure_is_no_part_of_a_number(tmp_path: Path) -> None:
    paper = Paper()
    end = paper.text(45, 100, "Depuis 2026")
    end = paper.text(end, 96.5, "1", size=5.5)
    paper.text(end, 100, ", le phare est fermé le dimanche.")
    assert lines(read(paper, tmp_path)) == ["Depuis 2026¹, le phare est fermé le dimanche."]


@pytest.mark.parametrize(("upper", "lower", "sign"), [("1", "2", "½"), ("3", "4", "¾"), ("12", "100", "¹²⁄₁₀₀")])
def test_a_fraction_is_one_sign(upper: str, lower: str, sign: str, tmp_path: Path) -> None:
    paper = Paper()
    end = paper.text(45, 100, "La barque avance de ")
    paper.text(end + 1.25 * (len(lower) - len(upper)), 96.5, upper, size=5)
    end = paper.text(end, 102, lower, size=5)
    paper.text(end + 2, 100, "case, pas plus.")
    assert lines(read(paper, tmp_path)) == [f"La barque avance de {sign} case, pas plus."]


def test_a_sentence_left_of_a_bullet_is_under_the_list(tmp_path: Path) -> None:
    paper = Paper()
    said = ((40, "Le joueur peut :"), (44, "• déplacer le chef de sa bande ;"), (44, "• rallumer une lampe."), (40, "Il passe ensuite la main."))
    for at, (x, words) in enumerate(said):
        paper.text(x, 80 + 12 * at, words, size=10)
    assert lines(read(paper, tmp_path))[-2:] == ["rallumer une lampe.", "Il passe ensuite la main."]


def _in_two_columns(paper: Paper) -> None:
    for at in range(24):
        paper.text(45, 60 + 13 * at, "La barque quitte le quai avant l’aube, et", size=10)
        paper.text(310, 60 + 13 * at, "le passeur ne revient qu’à la marée haute", size=10)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (["La tour", "Que vaut la tour ?"], [(310, "Elle vaut un point.")]),
        (["Qui gagne ?", "Dans cet ordre :"], [(322, "• le plus de sel ;"), (322, "• le moins de brume ;"), (322, "• le sort.")]),
    ],
)
def test_the_few_lines_of_a_last_page_stand_in_its_columns(left: list[str], right: list[tuple[float, str]], tmp_path: Path) -> None:
    paper = Paper()
    _in_two_columns(paper)
    paper.page()
    for at, words in enumerate(left):
        paper.text(45, 74 + 13 * at, words, size=10, bold=not at)
    for at, (x, words) in enumerate(right):
        paper.text(x, 60 + 14 * bool(len(right) > 1) + 13 * at, words, size=10)
    said = " ".join(lines(read(paper, tmp_path)))
    assert said.endswith(" ".join([*left, *(words.removeprefix("• ") for _, words in right)]))


@pytest.mark.parametrize(
    ("foot", "top"),
    [
        ("Une aptitude qui donne une relance (celle", "Du Passeur) agit-elle avant les autres ?"),
        ("Que faut-il payer quand on passe le bac et", "Que la marée monte encore avant la nuit ?"),
    ],
)
def test_a_question_in_bold_goes_on_in_the_next_column_in_capitals_too(foot: str, top: str, tmp_path: Path) -> None:
    paper = Paper()
    _in_two_columns(paper)
    paper.text(310, 372, foot, size=10, bold=True)
    paper.page()
    paper.text(45, 60, top, size=10, bold=True)
    paper.text(45, 73, "Oui, et sans rien payer de plus au passeur.", size=10)
    assert f"{foot} {top}" in lines(read(paper, tmp_path))


def test_a_title_that_sticks_out_of_its_column_ends_no_line(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(45, 50, "Le phare du soir", size=22, bold=True)
    for at in range(6):
        paper.text(53, 80 + 26 * at, "Le gardien monte à la lanterne", size=10)
        paper.text(45, 93 + 26 * at, "et compte les barques du soir.", size=10)
    assert lines(read(paper, tmp_path))[1:] == 6 * ["Le gardien monte à la lanterne et compte les barques du soir."]


def test_the_last_row_of_a_table_alone_on_the_next_page_is_no_running_head(tmp_path: Path) -> None:
    paper = Paper()
    cells = (("Mèche", "Prix", "Brûle"), ("Jonc", "rien", "un soir"), ("Lin", "1 sou", "deux soirs"), ("Coton", "2 sous", "trois soirs"))
    for at in range(30):
        paper.text(45, 60 + 13 * at, "Chaque joueur choisit une mèche dans la rangée et en paie le prix au cirier du quartier.", size=10)
    for at, row in enumerate((*cells, ("Dorée", "5 sous", "tout l’hiver"))):
        if at == len(cells):
            paper.page()
        for x, cell in zip((45, 120, 180), row, strict=True):
            paper.text(x, 740 + 11 * at if at < len(cells) else 52, cell, size=8)
    for at in range(20):
        paper.text(45, 90 + 13 * at, "Les bougies finies se vendent au marché, et leur couleur décide de la place de chacune.", size=10)
    made = read(paper, tmp_path)
    assert not made.furniture
    assert "Dorée" in " ".join(lines(made))


def test_the_page_of_a_book_counts_no_items(tmp_path: Path) -> None:
    paper = Paper()
    for at, page in enumerate(("p. 12, Les bacs", "S. 26, Die Fähren", "a. 3 bacs", "b. 4 bacs")):
        paper.text(45, 80 + 30 * at, page, size=10)
    assert [block.marker for block in read(paper, tmp_path).blocks] == ["", "", "a.", "b."]


def test_what_follows_a_text_that_went_on_in_the_next_column_is_none_of_it(tmp_path: Path) -> None:
    paper = Paper()
    _in_two_columns(paper)
    paper.text(310, 377, "Page 12 Les bacs et les ponts de la ville", size=10)
    paper.text(310, 394, "Remplacez la première phrase par :", size=10)
    said = lines(read(paper, tmp_path))
    assert said[-2:] == ["Page 12 Les bacs et les ponts de la ville", "Remplacez la première phrase par :"]


@pytest.mark.parametrize("quoted", ["« {}. »", "„{}.“", "»{}.«", "“{}.”"])
def test_a_sentence_ends_with_the_quotation_marks_of_any_language(quoted: str, tmp_path: Path) -> None:
    paper = Paper()
    _in_two_columns(paper)
    paper.text(310, 372, quoted.format("Un bac vide ne compte pas à la marée"), size=10)
    paper.page()
    paper.text(45, 60, "Les joueurs qui passent perdent leur tour", size=10)
    assert lines(read(paper, tmp_path))[-1] == "Les joueurs qui passent perdent leur tour"


def test_questions_in_bold_beside_short_answers_are_read_across(tmp_path: Path) -> None:
    paper = Paper()
    asked = (("Un éclaireur peut-il passer le pont", "Oui, mais à ses risques."), ("levé quand la brume est là ?", ""),
             ("Combien de pas lui coûte le gué", "Deux, et trois de nuit. Il les paie tous avant d’avoir"), ("quand il porte une lampe ?", "fait le premier."),
             ("Que vaut la tour ?", "Un point."))  # fmt: skip
    for at, (question, answer) in enumerate(asked):
        y = 80 + 13 * at + 6 * (at // 2)
        paper.text(45, y, question, size=10, bold=True)
        if answer:
            paper.text(232, y, answer, size=10)
    said = lines(read(paper, tmp_path))
    assert said[:2] == ["Un éclaireur peut-il passer le pont levé quand la brume est là ?", "Oui, mais à ses risques."]


@pytest.mark.parametrize("x", [24, 560])
def test_numbers_in_the_margin_count_paragraphs(x: float, tmp_path: Path) -> None:
    paper = Paper()
    for number in range(1, 7):
        y = 60 + 60 * number
        paper.text(x, y - 1, str(number), size=7)
        paper.text(45, y, f"Le gardien numéro {number} allume sa lampe au coucher du soleil, et la", size=9)
        paper.text(45, y + 11, "surveille jusqu’au matin.", size=9)
        paper.text(45, y + 26, "Il ne dort pas.", size=9)
    made = [(block.marker, str(block.text)) for block in read(paper, tmp_path).blocks]
    assert made[:3] == [
        ("1", "Le gardien numéro 1 allume sa lampe au coucher du soleil, et la surveille jusqu’au matin."),
        ("", "Il ne dort pas."),
        ("2", "Le gardien numéro 2 allume sa lampe au coucher du soleil, et la surveille jusqu’au matin."),
    ]


def test_numbers_of_lines_count_nothing(tmp_path: Path) -> None:
    paper = Paper()
    for number in range(1, 25):
        paper.text(24, 60 + 11 * number, str(number), size=6)
        paper.text(45, 60 + 11 * number, f"Une ligne d’un procès-verbal qui en compte beaucoup, la {number}e,", size=9)
    assert not [block for block in read(paper, tmp_path).blocks if block.marker]


def test_headings_over_short_lines_are_no_second_column(tmp_path: Path) -> None:
    paper = Paper()
    for y, words in ((60, "CHAPITRE III"), (73, "Discipline"), (92, "Article 7"), (105, "Fautes")):
        paper.text(290 - 2.4 * len(words), y, words, size=11, bold=True)
    for at, words in enumerate(("1 – Sont des fautes :", "a) le retard ;", "b) le bruit ;", "c) le vol.")):
        paper.text(45, 125 + 13 * at, words, size=9)
    paper.text(45, 180, "2 – Chaque faute coûte un point, et la troisième d’une partie coûte la partie entière.", size=9)
    assert lines(read(paper, tmp_path))[:2] == ["CHAPITRE III Discipline", "Article 7 Fautes"]


def test_letters_slanted_by_hand_make_words(tmp_path: Path) -> None:
    paper = Paper()
    for at, words in enumerate(("A lamp that was put out by hand", "is lit again at no cost, in the next", "phase of the lamp.")):
        paper.letters(72, 100 + 14 * at, words, size=10, family="sans", slant=18)
    assert lines(read(paper, tmp_path)) == [
        "A lamp that was put out by hand is lit again at no cost, in the next phase of the lamp."
    ]


def test_text_beside_white_is_as_wide_as_its_own_lines(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(50, 60, "These rules are for all who row on the lake of Sable, whatever the boat, and for all who look on from the shore.")
    told_narrow = (
        "Rowing", "Whoever rows alone may take the oar of the", "Warden and keep it until the next bell, unless",
        "12 others ask for it at the same time, and in", "a voice that can be heard on the shore of the", "lake.",
        "Landing", "A boat that lands upon the reeds is held by", "the reeds until its crew has sung all verses of", "the song.",
    )  # fmt: skip
    for at, words in enumerate(told_narrow):
        paper.text(50, 90 + 12 * at, words, bold=len(words) < 9 and words != "lake.")
    assert lines(read(paper, tmp_path))[1:] == [
        "Rowing",
        " ".join(told_narrow[1:6]),
        "Landing",
        " ".join(told_narrow[7:]),
    ]


def test_a_band_of_colour_heads_larger_headings_and_the_cost_beside_a_name_is_part_of_it(tmp_path: Path) -> None:
    paper = Paper()
    paper.text(50, 60, "FERRY BELLS", size=24, bold=True)
    for at, (name, cost, below) in enumerate([("RULES", "", "Slow tide"), ("GIFTS", "", "Warm lamp"), ("CALL THE TIDE", "1CP", ""), ("RING TWICE", "2CP", "")]):
        y = 100 + 90 * at
        paper.box(50, y - 12, 260, y + 4, fill="#202020")
        paper.text(56, y, name, size=10, bold=True, colour="#ffffff")
        paper.text(270, y, cost or " ", size=12, bold=True)
        paper.text(50, y + 22, below or " ", size=12, bold=True)
        for line in range(3):
            paper.text(50, y + 36 + 11 * line, "The ferry waits at the pier until the bell has rung for all.")
    heads = [(block.level, str(block.text)) for block in read(paper, tmp_path).blocks if block.role is Role.HEADING]
    assert heads == [(1, "FERRY BELLS"), (2, "RULES"), (3, "Slow tide"), (2, "GIFTS"), (3, "Warm lamp"), (2, "CALL THE TIDE 1CP"),
                     (2, "RING TWICE 2CP")]  # fmt: skip


@pytest.mark.parametrize(
    ("drawn", "said"),
    [("<S>CARRE<D>", "Scarred"), ("<B>ELL OF THE <D>EEP", "Bell of the Deep"), ("<B>ELLS AND TIDES", "Bells and tides"),
     ("<D>EEP<C>ORE <R>ULES", "DeepCore Rules"), ("<T>HE 3 <B>ELLS", "The 3 Bells")],
)  # fmt: skip
def test_capitals_in_smaller_type_are_small_letters_to_a_reader(drawn: str, said: str, tmp_path: Path) -> None:
    paper, x = Paper(), 50.0
    for at, piece in enumerate(re.split("[<>]", drawn)):
        x = paper.text(x, 60, piece, size=18 if at % 2 else 14.4, bold=True) if piece else x
    for line in range(9):
        paper.text(50, 90 + 11 * line, "The ferry waits at the pier until the bell has rung for all.")
    assert lines(read(paper, tmp_path))[0] == said


def test_lines_that_begin_with_a_picture_are_items(tmp_path: Path) -> None:
    told = ["One bell that the ferryman controls is rung on this day.", "Until the next day this ferry may ring one bell again.",
            "No bell is rung while the ferry is in the fog of its foe."]  # fmt: skip
    paper = Paper()
    for at, sentence in enumerate(told):
        paper.text(50, 100 + 11 * at, "\u2741", family="ZapfDingbats")
        paper.text(62, 100 + 11 * at, sentence)
    assert lines(read(paper, tmp_path)) == [f"[icon] {sentence}" for sentence in told]


def test_fills_of_some_rows_are_no_cells_of_all(tmp_path: Path) -> None:
    rows = [["", "A", "HT", "D", "WR"], ["Salt bomb", "4", "4+", "2/4", "Range 6, Fog 2"], ["Rope bomb", "4", "4+", "4/5", "Range 6, Knot 1"]]
    edges, paper = [50, 130, 160, 190, 220, 340], Paper()
    for at, row in enumerate(rows):
        for (x0, x1), text in zip(pairwise(edges), row, strict=True):
            if at != 1:
                paper.box(x0, 100 + 10 * at, x1, 110 + 10 * at, fill="#cccccc" if at == 0 else "#e4e4e4")
            paper.text(x0 + 4, 107.5 + 10 * at, text or " ", bold=at == 0, size=8)
    paper.box(222, 110.8, 300, 119.2, fill="#ffffff")
    for x0, y0, x1, y1 in ((50, 300, 340, 300), (50, 340, 340, 340), (50, 300, 50, 340), (340, 300, 340, 340)):
        paper.rule(x0, y0, x1, y1)
    for at in range(9):
        paper.text(50, 150 + 11 * at, "The ferry waits at the pier until the bell has rung for all.")
    [table] = [block for block in read(paper, tmp_path).blocks if block.role is Role.TABLE]
    assert [[str(cell) for cell in row] for row in table.rows] == rows


def test_sentences_of_one_line_each_are_paragraphs_the_longest_too(tmp_path: Path) -> None:
    paper = Paper()
    said = ["1. May a ferry cross the fog?", "Yes, at a cost of one oar.", "2. If two ferries land at one pier, who is first?",
            "The one with fewer lamps.", "3. How often is the vane turned in one turn of the game?", "Once.",
            "4. Is the keeper one of the crew?", "No."]  # fmt: skip
    for at, words in enumerate(said):
        paper.text(50, 80 + 12 * at, words)
    assert lines(read(paper, tmp_path)) == [words.split(". ", 1)[-1] for words in said]


@pytest.mark.parametrize("word", ["środka", "если", "њива", "ενός", "železné", "őrzött", "öppna"])
def test_a_sentence_goes_on_in_small_letters_of_any_alphabet(word: str) -> None:
    """The line before is short, as beside a picture; what follows it with a capital is a new paragraph."""
    for first, blocks in ((word, 1), (word.capitalize(), 2)):
        words = ["Xx xx xxxx xx xxxxxx xxxxx xxxx", "Xx xx xxxx", f"{first} xxxxxx xxxxx xx xxxxx xxxxx"]
        runs = [Run(text=text, x0=50, top=90 + 12 * at, x1=50 + 5 * len(text), bottom=100 + 12 * at,
                    baseline=98 + 12 * at, font="Serif", size=10) for at, text in enumerate(words)]  # fmt: skip
        page = Page(number=1, width=595, height=842, runs=tuple(runs))
        assert len(structure(Extract(source="", sha256="", pages=(page,))).blocks) == blocks


def test_a_paragraph_goes_on_behind_a_figure_and_its_caption(tmp_path: Path) -> None:
    paper = Paper()
    for number in range(12):
        paper.text(45, 80 + 11 * number, f"Ligne {number} du texte courant, qui va au bord et ne finit")
    paper.text(310, 80, "axe des x", size=7)
    paper.text(310, 100, "Figure 2: une légende en petit", size=8)
    for number in range(10):
        paper.text(310, 124 + 11 * number, f"pas à la ligne {number} du texte courant, qui va au bord et")
    made = read(paper, tmp_path)
    [text] = [str(block.text) for block in made.blocks if "Ligne 0" in block.text]
    assert "ne finit pas à la ligne 0" in text
    assert not any("Figure 2" in str(block.text) for block in made.blocks if "Ligne 0" in block.text)


def test_a_number_under_a_footnote_mark_is_shown_in_pictures(tmp_path: Path) -> None:
    from pipeline.worker import pictures

    paper = Paper()
    end = 0.0
    for number in range(20):
        end = paper.text(45, 80 + 12 * number, f"Ligne {number} du texte qui court sur toute la page.", size=10)
    paper.text(end, 80 + 12 * 19 - 4, "1", size=6)
    paper.text(45, 600, "1 Une note au pied de la page.", size=7.5)
    assert any(block.role == "note" for block in read(paper, tmp_path).blocks)
    assert len(pictures(str(tmp_path / "case.pdf"))) == 1


def test_a_thick_stroke_behind_words_is_a_highlight(tmp_path: Path) -> None:
    paper = Paper()
    start = paper.text(50, 100, "Each player draws ")
    end = paper.text(start, 100, "four tiles")

    def pen(board: Any) -> None:
        board.setStrokeColor("#ffee55")
        board.setLineWidth(11)
        board.line(start - 1, paper.height - 97, end + 1, paper.height - 97)

    paper.pages[-1].insert(0, pen)
    paper.text(50, 114, "and puts two of them back into the bag.")
    [block] = structure(extract(paper.save(tmp_path / "pen.pdf"))).blocks
    assert [(s.text.strip(), s.highlight) for s in block.text.spans if s.highlight] == [("four tiles", "#ffee55")]


def test_lines_of_a_page_set_wider_than_the_others_are_one_paragraph(tmp_path: Path) -> None:
    """Text at 10 points on many pages says nothing about a text at 13 on one."""
    words = "the lamp is lit when the last of the bells has rung, and it is put out at the end of turn"
    paper = Paper()
    for page in range(4):
        for line in range(50):
            paper.text(50, 80 + 10 * line, f"{words} {50 * page + line}", size=9)
        paper.page()
    paper.text(50, 60, "Of the lamp", size=16, bold=True)
    for line in range(12):
        paper.text(50, 80 + 13 * line, f"{words if line else words.capitalize()} {line}", size=9)
    made = read(paper, tmp_path)
    assert [len(block.addresses) for block in made.blocks if block.page == 5] == [1, 12]
