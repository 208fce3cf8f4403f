"""event.toml, layers and judges' logs: what is read, and the one line that says what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import ConfigError
from pipeline.event import Layer, LayerRuling, layer_toml, load_event, load_layer, load_log

EVENT = """
name = "Coupe des Brumes"
date = 2026-11-28
freeze = "2026-10-31"
last_event = "2026-03"
layers = ["ligue.toml"]
url = "https://example.org/brumes"
[select]
kinds = ["qa"]
[[blocks]]
title = "Horaires"
rows = [["9 h", "Accueil"]]
[[handouts]]
form = "table"
pages = 2
[[handouts]]
form = "table"
audience = "judges"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "event.toml").write_text(EVENT, "utf-8")
    (tmp_path / "ligue.toml").write_text('by = "Ligue"\n[[rulings]]\ntext = ["Oui."]\n', "utf-8")
    return tmp_path


def test_an_event_is_read_with_the_folder_of_its_book(folder: Path) -> None:
    event, book = load_event(folder / "event.toml")
    assert (event.name, event.date, book) == ("Coupe des Brumes", "2026-11-28", folder)
    assert [(handout.form, handout.audience, handout.pages) for handout in event.handouts] == [
        ("table", "players", 2),
        ("table", "judges", None),
        ("web", "players", None),  # what the code on the paper leads to
    ]


def test_an_event_in_events_belongs_to_the_folder_above(folder: Path) -> None:
    (folder / "events").mkdir()
    (folder / "events" / "b.toml").write_text('name = "B"\nlayers = ["ligue.toml"]\n', "utf-8")
    assert load_event(folder / "events" / "b.toml")[1] == folder


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ('date = "28/11/2026"', 'event.toml: date: "28/11/2026" is not a date'),
        ('date = "2026-02-30"', "a day that does not exist"),
        ('freeze = "2026-12-24"', "event.toml: freeze: 2026-12-24 is after date"),
        ('nam = "x"', "event.toml: nam: unknown key – did you mean 'name'?"),
        ('layers = ["../x.toml"]', "event.toml: layers 1"),
        ('layers = ["none.toml"]', "not in this folder"),
        ('url = "javascript:alert(1)"', "event.toml: url"),
        ('name = " "', "event.toml: name: is missing"),
        ("[[handouts]]\nform = 'zine'\npages = 3", "a zine has 8 pages"),
        ("[[handouts]]\nform = 'poster'", '"poster"'),
    ],
)
def test_a_mistake_names_file_and_key(folder: Path, change: str, says: str) -> None:
    key = change.split("=")[0].strip()
    kept = [line for line in EVENT.split("[select]")[0].splitlines() if not line.startswith(f"{key} ")]
    (folder / "event.toml").write_text("\n".join([*kept, change]) + "\n", "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_event(folder / "event.toml")
    assert says.replace('"poster"', "'poster'") in str(caught.value)
    assert caught.value.exit_code == 7


def test_two_events_of_one_name(folder: Path) -> None:
    (folder / "events").mkdir()
    (folder / "events" / "b.toml").write_text('name = "Coupe  des brumes"\n', "utf-8")
    with pytest.raises(ConfigError, match=r"b\.toml: name: .* also the name in .*event\.toml"):
        load_event(folder / "events" / "b.toml")


MARKDOWN = """by: Arbitres du Nord
date: 2026-09-20

# Précisions

## Mouvement

### Éclaireur (n° 4)

Q: Peut-il grimper
deux fois ?
A: Non.

- Une seule fois par tour.

overrides: peut-il grimper

## Divers

Les dés tombés ne comptent pas.
"""


def test_a_layer_in_markdown(tmp_path: Path) -> None:
    (tmp_path / "nord.md").write_text(MARKDOWN, "utf-8")
    layer = load_layer(tmp_path / "nord.md")
    assert (layer.by, layer.date) == ("Arbitres du Nord", "2026-09-20")
    assert layer.rulings == (
        LayerRuling(
            question="Peut-il grimper deux fois ?", answer=("Non.", "• Une seule fois par tour."), section="Mouvement",
            subject="Éclaireur (n° 4)", overrides="peut-il grimper",
        ),
        LayerRuling(text=("Les dés tombés ne comptent pas.",), section="Divers"),
    )  # fmt: skip


WORDS = """by: Judges of the North

## Dice

**Question:** May a die be rolled twice?

**Answer:** No.

Frage 2: Und dreimal?
Antwort: Nein.

| Result | Effect |
| --- | --- |
| 1 | The boat sinks. |

Ruling stands for the day.
"""


def test_a_layer_with_whole_words_and_a_table(tmp_path: Path) -> None:
    (tmp_path / "north.md").write_text(WORDS, "utf-8")
    layer = load_layer(tmp_path / "north.md")
    assert layer.rulings == (
        LayerRuling(question="May a die be rolled twice?", answer=("No.",), section="Dice"),
        LayerRuling(question="Und dreimal?", answer=("Nein.",), section="Dice"),
        LayerRuling(rows=(("Result", "Effect"), ("1", "The boat sinks.")), section="Dice"),
        LayerRuling(text=("Ruling stands for the day.",), section="Dice"),
    )
    (tmp_path / "north.toml").write_text(layer_toml(layer.by, None, layer.rulings), "utf-8")
    assert load_layer(tmp_path / "north.toml").rulings == layer.rulings


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("Q: Oui ?\nA: Oui.", "by: is missing"),
        ("by: X\ndate: hier\n\nText.", "date:"),
        ("by: X\n\nQ: Rien ?", "says nothing"),
    ],
)
def test_an_unreadable_layer_is_one_line(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "bad.md").write_text(content, "utf-8")
    with pytest.raises(ConfigError, match=says):
        load_layer(tmp_path / "bad.md")
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe by")
    with pytest.raises(ConfigError, match="UTF-8"):
        load_layer(tmp_path / "bad.md")


def test_a_log_becomes_a_layer(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(
        'no;time;table;subject;question;ruling;judge;overrides\n1;10:30;4;Éclaireur;"Peut-il ""sauter"" ?";Non.;A.;GEN-12\n2;;;;;;;\n',
        "utf-8",
    )
    rulings = load_log(log)
    assert [(r.question, r.answer, r.subject, r.overrides) for r in rulings] == [
        ('Peut-il "sauter" ?', ("Non.",), "Éclaireur", "GEN-12")
    ]
    (tmp_path / "next.toml").write_text(layer_toml("Arbitres", "2026-11-28", rulings), "utf-8")
    assert load_layer(tmp_path / "next.toml") == Layer(
        path=tmp_path / "next.toml", by="Arbitres", date="2026-11-28", rulings=rulings
    )
    log.write_text("question,answer\nPeut-il sauter ?,Non.\n", "utf-8")
    assert [ruling.answer for ruling in load_log(log)] == [("Non.",)], "as a layer calls it"
    log.write_text("a,b\n", "utf-8")
    with pytest.raises(ConfigError, match='no column "question"'):
        load_log(log)
