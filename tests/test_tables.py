"""Tables of all looks, in one, two and three columns, between questions: every cell in its place, nothing else in it."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline import flow
from pipeline.records import QA, Document, Table
from tests.pdfs import Paper

weasyprint = pytest.importorskip("weasyprint")

Rows = list[list[str]]

ASKED = [
    ("Can a pilot light two lanterns on one day?", "No. A pilot lights one lantern a day, unless a card says so."),
    ("When a ship sinks, what becomes of its cargo?", "It goes to the bottom of the harbour and is out of the game."),
    ("Does fog put out a signal that was lit before it came?", "Yes. Fog puts out every signal that it reaches."),
    ("May I trade with a player who has passed?", "No, whoever has passed takes no part in trades until tomorrow."),
    ("How many anchors may a barge carry?", "Three, or four when it was rebuilt in the dry dock."),
    ("Is the tide moved before or after repairs?", "After repairs. The tide marker is the last to move."),
]
SHORT = [["Ship", "Speed", "Hold"], ["Barge", "2", "8"], ["Cutter", "5", "3"], ["Tug", "3", "1"]]
EMPTY = [["Weather", "Sea", "Port"], ["Calm", "+1", "–"], ["Fog", "", "-1"], ["Storm", "-2", ""], ["Ice", "-1", "-1"]]
PROFILE = [
    ["Unit", "M", "WS", "BS", "S", "T", "W", "A", "Ld", "Sv"],
    ["Harbour Guard", "6", "3+", "4+", "3", "3", "1", "2", "7", "4+"],
    ["Storm Caller", "5", "4+", "3+", "3", "4", "4", "3", "8", "5+"],
    ["Iron Gull", "12", "4+", "–", "5", "6", "8", "4", "6", "3+"],
]
WRAPPED = [
    ["Card", "Old wording", "New wording"],
    ["Lantern Keeper", "Choose a ship in your harbour; it may move twice on this day.",
     "Choose a ship in your harbour; it may move twice on this day, but it cannot trade."],
    ["Fog Bank", "Place the fog marker on any tower.",
     "Place the fog marker on a tower that is not lit. It stays there until the tide turns or the tower is rebuilt."],
    ["Dry Dock", "Repair one ship.", "Repair one ship or two barges, and move the tide marker back by one step."],
]  # fmt: skip
TERMS = [
    ["Term", "Meaning"],
    ["Anchor", "A token that keeps a ship from moving while the tide is turning, whatever the wind may do to it."],
    ["Beacon", "A tower that is lit."],
    ["Cargo", "Every token in the hold of a ship; lanterns are not counted, since they hang at the mast."],
    ["Drift", "What a ship without anchor does at night."],
]
SPANNED = [["", "Movement", "", "Combat", ""], ["Ship", "Calm", "Storm", "Near", "Far"],
           ["Barge", "2", "1", "4", "0"], ["Cutter", "5", "3", "2", "2"], ["Tug", "3", "3", "1", "0"]]  # fmt: skip
LONG = [["Card", "Ship", "Cost", "Effect"]] + [
    [f"{name} {ship.lower()}", ship, str(3 + len(name) % 4), f"Draws {len(ship)} cards for the {name.lower()}"]
    for name in ("Gull", "Lamp", "Mast", "Reef", "Rope", "Sail", "Tide", "Wave", "Wind", "Yard", "Keel", "Helm", "Bell")
    for ship in ("Barge", "Cutter", "Tug", "Raft")
]

LOOKS = {
    "white": "",
    "rules across": "tr{border-bottom:.5pt solid} thead tr{border-top:1.2pt solid}",
    "rules around the header": "thead tr{border-top:1pt solid;border-bottom:1pt solid}",
    "stripes": "tbody tr:nth-child(odd) td{background:#e4e4e4}",
    "stripes and a dark header": "tbody tr:nth-child(odd) td{background:#e4e4e4} th{background:#14365c;color:#fff}",
    "grid": "td,th{border:.5pt solid}",
}
PAGE = """@page{size:A4;margin:18mm} body{font:9.5pt/1.3 'Liberation Serif';margin:0} p{margin:0 0 1.6mm}
h1{font-size:20pt} h2{font-size:14pt;margin:4mm 0 2mm} h3{font-size:10.5pt;margin:2mm 0 1mm}
table{border-collapse:collapse;margin:1mm 0 3mm;width:100%} td,th{padding:.6mm 1.5mm;text-align:left;vertical-align:top}
"""


def markup(rows: Rows) -> str:
    first, *rest = ("".join(f"<c>{html.escape(cell)}</c>" for cell in row) for row in rows)
    head = first.replace("<c>", "<th>").replace("</c>", "</th>")
    body = "".join(f"<tr>{row}</tr>" for row in rest).replace("<c>", "<td>").replace("</c>", "</td>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def asked(questions: list[tuple[str, str]]) -> str:
    return "".join(f"<p><b>Q:</b> {question}</p><p><b>A:</b> {answer}</p>" for question, answer in questions)


def read(folder: Path, body: str, style: str) -> Document:
    path = folder / "set.pdf"
    whole = f"<html lang=en><style>{PAGE}{style}</style><h1>Harbour of Glass – FAQ</h1>{body}</html>"
    weasyprint.HTML(string=whole).write_pdf(path)
    return flow.read(path)


def check(made: Document, rows: Rows) -> None:
    [table] = [entry for entry in made.entries if isinstance(entry, Table)]
    assert [[str(cell) for cell in row] for row in table.rows] == rows
    assert str(table.title) == "All of them"
    told = [(entry.question, *entry.answer) for entry in made.entries if isinstance(entry, QA)]
    assert told == ASKED
    assert len(made.entries) == len(ASKED) + 1


@pytest.mark.parametrize(
    ("look", "columns", "rows"),
    [
        ("white", 1, SHORT), ("white", 1, WRAPPED), ("white", 2, WRAPPED), ("white", 2, TERMS), ("white", 3, PROFILE),
        ("rules across", 1, EMPTY), ("rules across", 2, WRAPPED), ("rules around the header", 1, PROFILE),
        ("rules around the header", 2, TERMS), ("stripes", 1, TERMS), ("stripes", 3, SHORT), ("stripes", 2, EMPTY),
        ("stripes and a dark header", 2, PROFILE), ("stripes and a dark header", 3, WRAPPED), ("grid", 3, PROFILE),
    ],
)  # fmt: skip
def test_a_table_of_any_look_between_questions(look: str, columns: int, rows: Rows, tmp_path: Path) -> None:
    small = "td,th{font-size:7pt;padding:.4mm}" if rows is PROFILE and columns == 3 else ""
    body = (f"<main><h2>Ships</h2>{asked(ASKED[:3])}<h3>All of them</h3>{markup(rows)}"
            f"<h2>Fog</h2>{asked(ASKED[3:])}</main>")  # fmt: skip
    style = f"main{{columns:{columns};column-gap:7mm;column-fill:auto}}" if columns > 1 else ""
    check(read(tmp_path, body, style + LOOKS[look] + small), rows)


@pytest.mark.parametrize(("look", "rows"), [("white", PROFILE), ("white", WRAPPED), ("stripes", WRAPPED)])
def test_a_table_over_the_whole_page_between_two_columns(look: str, rows: Rows, tmp_path: Path) -> None:
    body = (f"<div><h2>Ships</h2>{asked(ASKED[:3])}</div><h3>All of them</h3>{markup(rows)}"
            f"<div><h2>Fog</h2>{asked(ASKED[3:])}</div>")  # fmt: skip
    check(read(tmp_path, body, "div{columns:2;column-gap:7mm}" + LOOKS[look]), rows)


@pytest.mark.parametrize("look", ["white", "rules across", "grid"])
def test_a_header_that_spans_columns_stands_in_the_first_of_them(look: str, tmp_path: Path) -> None:
    spanned = "<tr><th></th><th colspan=2>Movement</th><th colspan=2>Combat</th></tr>"
    table = markup(SPANNED[1:]).replace("<thead>", f"<thead>{spanned}")
    body = f"<h2>Ships</h2>{asked(ASKED[:3])}<h3>All of them</h3>{table}<h2>Fog</h2>{asked(ASKED[3:])}"
    check(read(tmp_path, body, LOOKS[look] + "td,th{text-align:center}"), SPANNED)


@pytest.mark.parametrize(("look", "repeated"), [("white", True), ("stripes", False), ("grid", False)])
def test_a_table_over_several_pages_is_one(look: str, repeated: bool, tmp_path: Path) -> None:
    again = "" if repeated else "thead{display:table-row-group}"
    body = f"<h2>Ships</h2>{asked(ASKED[:3])}<h3>All of them</h3>{markup(LONG)}<h2>Fog</h2>{asked(ASKED[3:])}"
    check(read(tmp_path, body, f"@page{{size:A5}}{LOOKS[look]}{again}"), LONG)


@pytest.mark.parametrize(
    ("look", "columns", "rows"),
    [("white", 1, SHORT), ("white", 1, TERMS), ("rules across", 2, WRAPPED), ("stripes and a dark header", 1, PROFILE), ("grid", 1, SHORT),
     ("grid", 2, TERMS)],
)  # fmt: skip
def test_a_header_alone_at_the_foot_of_a_page_or_column_heads_its_table(look: str, columns: int, rows: Rows, tmp_path: Path) -> None:
    table = markup(rows).replace("<thead>", "<tbody class=head>").replace("</thead>", "</tbody>")
    body = f"<main><h2>Ships</h2>{asked(ASKED[:3])}<h3>All of them</h3>{table}<h2>Fog</h2>{asked(ASKED[3:])}</main>"
    style = LOOKS[look].replace("thead", ".head").replace("tbody tr", "tbody:not(.head) tr")
    flow = "main{columns:2;column-fill:auto;height:230mm} .head{break-after:column}" if columns > 1 else ".head{break-after:page}"
    check(read(tmp_path, body, style + flow), rows)


NAMES = ["Ada Fenwick", "Bram Oster", "Cleo Marsh", "Dirk Hale", "Edda Vane", "Finn Larch", "Greta Moor", "Hugo Pike", "Ilse Tarn", "Jory Wick",
         "Kaja Reed"]  # fmt: skip
THINGS = ["Sword", "Shield", "Bow", "Lantern", "Rope", "Torch", "Map", "Flask", "Cloak", "Dagger", "Ring", "Key", "Horn", "Mirror"]
PLACES = [f"{thing}, {12 + 3 * at}" for at, thing in enumerate(sorted(THINGS))]


@pytest.mark.parametrize(
    ("items", "columns", "mark"),
    [(NAMES, 2, ""), (NAMES, 3, ""), (THINGS, 3, ""), (THINGS, 4, ""), (PLACES, 3, ""), (THINGS, 2, "• "), (NAMES, 3, "• ")],
)
def test_a_list_in_columns_is_read_down_and_is_no_table(items: list[str], columns: int, mark: str, tmp_path: Path) -> None:
    told = "".join(f"<p>{mark}{item}</p>" for item in items)
    body = f"<h2>Ships</h2>{asked(ASKED[:3])}<h2>Thanks</h2><div>{told}</div><h2>Fog</h2>{asked(ASKED[3:])}"
    made = read(tmp_path, body, f"div{{columns:{columns};column-gap:7mm}} div p{{margin:0}}")
    assert not [entry for entry in made.entries if isinstance(entry, Table)]
    said = [line for entry in made.entries if not isinstance(entry, QA) for line in (getattr(entry, "body", None) or (entry.text,))]
    assert [str(line) for line in said] == [f"{mark}{item}" for item in items]


def test_text_in_columns_under_headings_side_by_side_is_no_table(tmp_path: Path) -> None:
    parts = "".join(f"<div><h2>{name}</h2>{asked(ASKED)}</div>" for name in ("Ships", "Fog", "Trade"))
    made = read(tmp_path, f"<main>{parts}</main>", "@page{size:A4 landscape} main{display:flex;gap:7mm} div{flex:1}")
    assert not [entry for entry in made.entries if isinstance(entry, Table)]
    assert [entry.question for entry in made.entries if isinstance(entry, QA)] == 3 * [asked for asked, _ in ASKED]


@pytest.mark.parametrize("look", ["rules across", "stripes", "grid"])
@pytest.mark.parametrize("marks", ["•", "123"])
def test_a_list_in_a_cell_keeps_its_items_apart(look: str, marks: str, tmp_path: Path) -> None:
    signs = ["•"] * 3 if marks == "•" else ["1.", "2.", "3."]
    told = ["the captain may look at the top card of the deck of tides and put it back", "the mate rests", "all lanterns go out"]
    items = [f"{sign} {text}" for sign, text in zip(signs, told, strict=True)]
    rows = [["Bell", "What happens"], ["First", "\n".join(items)], ["Second", "Nothing happens."], ["Last", "\n".join(items[:2])],
            ["None", "Go home."]]  # fmt: skip
    body = f"<h2>Ships</h2>{asked(ASKED[:3])}<h3>All of them</h3>{markup(rows)}<h2>Fog</h2>{asked(ASKED[3:])}"
    check(read(tmp_path, body.replace("\n", "<br>"), LOOKS[look] + "table{width:70mm}"), rows)


# ---------------------------------------------------------------- what is drawn, and what is not

LEFT, TOP, WIDE, HIGH = 60.0, 140.0, 110.0, 18.0  # points: where made tables begin, and their cells
FLEET = [["Ship", "Speed", "Hold", "Crew"], ["Barge", "2", "8", "3"], ["Cutter", "5", "3", "4"], ["Tug", "3", "1", "2"]]


def sheet(rows: Rows, high: Sequence[int] = (), heads: Sequence[int] = (0,)) -> Paper:
    """The texts of a table with nothing drawn, between two paragraphs; ``high`` are its rows, and ``heads`` are bold."""
    paper = Paper()
    paper.text(LEFT, 60, "Harbour of Glass – Rules", size=20, bold=True)
    paper.text(LEFT, 90, "All ships are listed here, with what they can do on a day without any wind from the sea.")
    y = TOP
    for number, row in enumerate(rows):
        for at, cell in enumerate(row):
            for line, text in enumerate(cell.split("\n")):
                paper.text(LEFT + at * WIDE + 6, y + 12 + line * 11, text, bold=number in heads)
        y += HIGH * (high[number] if high else 1)
    paper.text(LEFT, y + 60, "No ship leaves the harbour before the bell was rung, and none comes back after it.")
    return paper


def across(paper: Paper, *at: float, x0: float = 0, x1: float = 4) -> None:
    """Rules under so many rows."""
    for row in at:
        paper.rule(LEFT + x0 * WIDE, TOP + row * HIGH, LEFT + x1 * WIDE, TOP + row * HIGH)


def down(paper: Paper, *at: float, top: float = 0, bottom: float = 4) -> None:
    """Rules behind so many columns."""
    for column in at:
        paper.rule(LEFT + column * WIDE, TOP + top * HIGH, LEFT + column * WIDE, TOP + bottom * HIGH)


def tables(paper: Paper, folder: Path) -> list[Rows]:
    made = flow.read(paper.save(folder / "made.pdf"))
    return [[[str(cell) for cell in row] for row in e.rows] for e in made.entries if isinstance(e, Table)]


def test_shading_inside_a_cell_draws_no_column_and_no_row(tmp_path: Path) -> None:
    rows = [["Ship", "Speed on\na calm day", "Hold", "Crew"], *FLEET[1:]]
    paper = sheet(rows, [2, 1, 1, 1])
    for at in range(4):  # as a word processor shades: a strip for each line, and one beside the text at both sides
        for line in range(2 if at == 1 else 1):
            x, y = LEFT + at * WIDE, TOP + line * HIGH
            paper.box(x + 5, y + 1, x + WIDE - 5, y + HIGH, fill="#dddddd")
            paper.box(x, y + 1, x + 5, y + HIGH, fill="#dddddd")
            paper.box(x + WIDE - 5, y + 1, x + WIDE, y + HIGH, fill="#dddddd")
    across(paper, 0, 2, 3, 4, 5)
    down(paper, 0, 1, 2, 3, 4, bottom=5)
    assert tables(paper, tmp_path) == [[["Ship", "Speed on a calm day", "Hold", "Crew"], *FLEET[1:]]]


@pytest.mark.parametrize("is_open", ["at its sides", "above and below", "on all sides"])
def test_a_table_that_is_open_reaches_as_far_as_its_rules(is_open: str, tmp_path: Path) -> None:
    paper = sheet(FLEET)
    across(paper, *((1, 2, 3) if is_open != "at its sides" else range(5)))
    down(paper, *((1, 2, 3) if is_open != "above and below" else range(5)))
    assert tables(paper, tmp_path) == [FLEET]


def test_cells_that_only_the_header_has_rules_between_are_cells_in_every_row(tmp_path: Path) -> None:
    paper = sheet([["Ship", "", "Hold", "Crew"], *FLEET[1:3], ["All ships of the harbour together", "", "12", "9"]])
    across(paper, *range(5))
    down(paper, 0, 4)
    down(paper, 1, 2, 3, bottom=1)
    [[_, *rows]] = tables(paper, tmp_path)
    assert rows == [*FLEET[1:3], ["All ships of the harbour together", "", "12", "9"]]


def test_lines_between_two_rules_that_are_read_across_are_rows(tmp_path: Path) -> None:
    rows = [["Name of\nthe ship", "Speed\nin knots", "Hold", "Crew"], *FLEET[1:], ["Raft with\nthree oars", "1", "2", "2"]]
    paper = sheet(rows, [2, 1, 1, 1, 2])
    across(paper, 0, 2, 7)
    down(paper, *range(5), bottom=7)
    [[header, *rest]] = tables(paper, tmp_path)
    assert header == ["Name of the ship", "Speed in knots", "Hold", "Crew"]
    assert rest[:3] == FLEET[1:]


def test_lines_of_running_text_in_cells_are_no_rows(tmp_path: Path) -> None:
    told = ["A barge carries all\nthat is heavy, and is\nslow in every wind", "It stays in port when\nthe fog comes, until\nthe tide has turned"]
    rows = [["Barge", *told, "3"], ["Cutter", "Is fast", "Goes out", "4"]]
    paper = sheet([["Ship", "What it does", "When it stays", "Crew"], *rows], [1, 2, 1])
    across(paper, 0, 1, 3, 4)
    down(paper, *range(5))
    [[_, *rest]] = tables(paper, tmp_path)
    assert rest == [[cell.replace("\n", " ") for cell in row] for row in rows]


def test_lists_side_by_side_in_cells_are_read_down(tmp_path: Path) -> None:
    rows = [["Ship", "Carries", "Needs", "Crew"], ["Barge", "• coal\n• corn\n• salt", "• wind\n• rope\n• sail", "3"], FLEET[2]]
    paper = sheet(rows, [1, 2, 1])
    across(paper, 0, 1, 3, 4)
    down(paper, *range(5))
    assert tables(paper, tmp_path) == [rows]


def test_white_that_runs_down_between_two_rules_divides_a_table(tmp_path: Path) -> None:
    paper = sheet(FLEET)
    across(paper, 0, 1, 4)
    down(paper, 0, 1, 4)
    assert tables(paper, tmp_path) == [FLEET]


def test_columns_without_text_are_none(tmp_path: Path) -> None:
    paper = sheet([[row[0], "", *row[2:]] for row in FLEET])
    across(paper, *range(5))
    down(paper, 0, 1, 1.04, 2, 3, 4)  # the second rule is drawn twice
    assert tables(paper, tmp_path) == [[[row[0], *row[2:]] for row in FLEET]]


def test_rows_below_the_last_rule_stand_in_the_table(tmp_path: Path) -> None:
    paper = sheet(FLEET[:3])
    for at, cell in enumerate(FLEET[3]):
        paper.text(LEFT + at * WIDE + 20, TOP + 3 * HIGH + 12, cell)
    across(paper, 0, 1, 2, 3)
    down(paper, *range(5), bottom=3)
    assert tables(paper, tmp_path) == [FLEET]


def test_tables_under_each_other_with_headers_of_their_own_stay_apart(tmp_path: Path) -> None:
    second = [["Boat", "Speed", "Hold", "Crew"], ["Raft", "1", "2", "2"], ["Skiff", "4", "1", "1"]]
    paper = sheet([*FLEET, *second], heads=(0, 4))
    across(paper, *range(8))
    down(paper, *range(5), bottom=7)
    assert tables(paper, tmp_path) == [FLEET, second]


def test_cells_at_the_left_and_the_right_of_a_column_are_in_one(tmp_path: Path) -> None:
    rows = [["Ship", "Points", "Crew"], ["Barge", "2", "3"], ["Cutter", "5", "4"], ["Tug", "3", "2"], ["Raft", "1", "1"]]
    paper = Paper()
    paper.text(LEFT, 60, "Harbour of Glass – Rules", size=20, bold=True)
    for number, row in enumerate(rows):
        for x, cell in zip((LEFT, 240.0 if number else 200.0, 380.0), row, strict=True):
            paper.text(x, TOP + number * HIGH, cell, bold=not number)
    paper.rule(LEFT, TOP + 5, 420, TOP + 5)
    paper.rule(LEFT, TOP + 5 * HIGH - 12, 420, TOP + 5 * HIGH - 12)
    assert tables(paper, tmp_path) == [rows]


def test_names_of_groups_stand_in_a_first_column_without_a_head(tmp_path: Path) -> None:
    rows = [["", "Calm", "Storm", "Ice"], ["Old", "", "", ""], ["Barge", "2", "1", "0"], ["Tug", "3", "3", "1"], ["New", "", "", ""],
            ["Cutter", "5", "3", "2"], ["Raft", "1", "0", "0"]]  # fmt: skip
    paper = sheet(rows)
    across(paper, 0, 1, 7)
    assert tables(paper, tmp_path) == [rows]


def test_a_line_over_several_columns_inside_a_table_joins_none_of_them(tmp_path: Path) -> None:
    span = ["", "In the harbour, on stormy days", "", "Old"]
    rows = [*FLEET, span, *FLEET[1:], ["Raft", "1", "2", "2"]]
    paper = sheet(rows)
    across(paper, 0, 1, 9)
    assert tables(paper, tmp_path) == [rows]


def charges(rows: Rows, *heads: int) -> Paper:
    """Two columns with a bar over each of ``heads``, rules between any two rows, and a shade on every other row."""
    paper = Paper()
    paper.text(LEFT, 60, "Harbour of Glass – Rules", size=20, bold=True)
    paper.text(LEFT, 90, "All charges of the harbour are listed here, with what a captain pays for each of them on a day.")
    y = TOP
    for number, (first, text) in enumerate(rows):
        lines = text.split("\n")
        bottom = y + HIGH + 11 * (len(lines) - 1)
        if number in heads and number:
            paper.text(LEFT + 160, y + 14, "Charges at sea", size=12, bold=True)
            y, bottom = y + 24, bottom + 24
        paper.text(LEFT + 14, y + 12, first, bold=number in heads)
        for line, words in enumerate(lines):
            paper.text(LEFT + 60, y + 12 + line * 11, words, bold=number in heads)
        if number % 2 == 0:
            paper.box(LEFT, y, LEFT + 4 * WIDE, bottom, fill="#cccccc" if number in heads else "#eeeeee")
        for end in (y, bottom):
            paper.rule(LEFT, end, LEFT + 4 * WIDE, end)
        y = bottom
    paper.text(LEFT, y + 60, "No ship leaves the harbour before the bell was rung, and none comes back after it.")
    return paper


CHARGES = [["Coins", "Charges"], ["0.5", "A second lantern at the mast, lit on any day but the first one of the year"],
           ["0.5", "A crew that sleeps aboard"], ["1", "An anchor that is dropped in the fairway"],
           ["1.5", "A cargo that was not declared before the bell\nwas rung, whatever it is"],
           ["2.5", "A pilot of another harbour, unless he came with the ship that he guides"]]  # fmt: skip


def test_a_number_in_the_first_cell_between_rules_under_a_header_counts_no_rule(tmp_path: Path) -> None:
    assert tables(charges(CHARGES, 0), tmp_path) == [[[first, text.replace("\n", " ")] for first, text in CHARGES]]


def test_a_header_and_one_row_between_rules_are_a_table_and_the_next_header_begins_another(tmp_path: Path) -> None:
    small = [CHARGES[0], CHARGES[5]]
    assert tables(charges([*small, *small], 0, 2), tmp_path) == [small, small]


def test_numbered_rules_between_rules_are_no_table_without_a_header(tmp_path: Path) -> None:
    rows = [[f"1.{number}", text.replace("\n", " ")] for number, (_, text) in enumerate(CHARGES[1:], 1)]
    assert tables(charges(rows), tmp_path) == []


def test_a_header_that_is_drawn_apart_stands_in_the_table_below_it(tmp_path: Path) -> None:
    rows = [["", "Speed on\na calm day", "Hold", "Crew"], *FLEET[1:]]
    paper = sheet(rows, [2, 1, 1, 1])
    for at in (1, 2, 3):  # as a word processor shades: the cell, and each of its lines once more
        x = LEFT + at * WIDE
        paper.box(x, TOP, x + WIDE, TOP + 2 * HIGH - 4, fill="#dddddd")
        for line in range(2 if at == 1 else 1):
            paper.box(x + 5, TOP + line * 15, x + WIDE - 5, TOP + (line + 1) * 15, fill="#dddddd")
    across(paper, 0, x0=1)
    across(paper, 2, 3, 4, 5)
    down(paper, 1, 2, 3, 4, bottom=2 - 4 / HIGH)
    down(paper, 0, 1, 2, 3, 4, top=2, bottom=5)
    assert tables(paper, tmp_path) == [[["", "Speed on a calm day", "Hold", "Crew"], *FLEET[1:]]]


TABBED = [["North", "South", "8:40"], ["", "Gull", "8:25"], ["Reef", "", "8:10"], ["Bell", "Lamp", "8:00"]]


@pytest.mark.parametrize("rows", [TABBED, [row[::2] for row in TABBED[2:]] * 3, [["a.", *TABBED[0][:2]], ["b.", *TABBED[3][:2]], ["c.", "Fog", "Ice"]]])
def test_short_words_at_tabs_without_header_and_rules_are_text(rows: Rows, tmp_path: Path) -> None:
    assert tables(sheet(rows, heads=()), tmp_path) == []


def test_rows_without_header_and_rules_are_a_table_where_every_cell_is_full(tmp_path: Path) -> None:
    assert tables(sheet(FLEET[1:], heads=()), tmp_path) == [FLEET[1:]]


def test_contents_in_three_columns_are_no_table(tmp_path: Path) -> None:
    assert tables(sheet([["B1", "Ships", "3"], ["B2", "Fog", "3"], ["B3", "Tide", "12"]], heads=()), tmp_path) == []


def test_a_list_in_two_columns_under_one_head_is_one_cell(tmp_path: Path) -> None:
    paper = charges([["Coins", "Ships"], ["0", "• Barge\n• Cutter\n• Tug"], ["1", "• Raft\n• Galley"], ["2", "Any other ship"]], 0)
    for y, ship in ((18, "• Punt"), (29, "• Yawl"), (40, "• Brig"), (58, "• Sloop"), (69, "• Ketch")):
        paper.text(LEFT + 240, TOP + y + 12, ship)
    [rows] = tables(paper, tmp_path)
    assert [(row[0], len(row)) for row in rows] == [("Coins", 2), ("0", 2), ("1", 2), ("2", 2)]
    assert sorted(rows[2][1].replace("•", "").split()) == ["Galley", "Ketch", "Raft", "Sloop"]


def test_columns_that_nearly_touch_are_parted_where_every_row_begins_at_one_edge(tmp_path: Path) -> None:
    rows = [["Ship", "Speed", "Hold"], ["Barge", "2", "8"], ["Cutter", "5", "3"]]
    paper = sheet(rows)
    for number, (figure, text) in enumerate([("Cr", "Carries"), ("2/4", "Salt and oil"), ("4/5", "Letters and lamps")]):
        paper.text(LEFT + 3 * WIDE + 6, TOP + number * HIGH + 12, figure, bold=not number)
        paper.text(LEFT + 3 * WIDE + 22, TOP + number * HIGH + 12, text, bold=not number)
    more = [["Cr", "Carries"], ["2/4", "Salt and oil"], ["4/5", "Letters and lamps"]]
    assert tables(paper, tmp_path) == [[[*row, *cells] for row, cells in zip(rows, more, strict=True)]]
