"""Tables of all looks, in one, two and three columns, between questions: every cell in its place, nothing else in it."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from pipeline import flow
from pipeline.records import QA, Document, Table

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
