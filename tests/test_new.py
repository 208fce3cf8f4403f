"""new-book, new-event, new-layer: what they write can be used at once, and every key is in it."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from pathlib import Path

import pytest

from pipeline.blank import BOOK, EVENT
from pipeline.cli import main
from pipeline.config import BookSettings, load_book, read_toml
from pipeline.event import Event, HandoutSettings, load_event, load_layer


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def all_on(written: str) -> str:
    """The file with every line switched on that is off."""
    return re.sub(r"^# (?=\[|\w+ = |\")", "", written, flags=re.MULTILINE)


def keys(record: type) -> set[str]:
    return {field.name for field in dataclasses.fields(record) if field.metadata.get("key", True)}


def test_a_new_book_can_be_loaded(here: Path) -> None:
    assert main(["new-book", "L'Été du \"Sel\" \\ 2\n"]) == 0
    folder = here / "sources/l-ete-du-sel-2"
    assert load_book(folder).title == 'L\'Été du "Sel" \\ 2'
    assert load_book(folder).products == BookSettings().products


def test_it_says_what_to_do_next_here(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-book", "My game"]) == 0
    assert "run rubricator build my-game" in capsys.readouterr().err
    (here / "Makefile").touch()
    assert main(["new-book", "Other"]) == 0
    assert "and run make\n" in capsys.readouterr().err


def test_every_line_that_is_off_works_when_it_is_on(here: Path) -> None:
    for name in ("faq-1.pdf", "faq-2.pdf", "errata.pdf", "rules.pdf", "hammer.svg", "logo.svg"):
        (here / name).touch()
    (here / "templates").mkdir()
    path = here / "book.toml"
    path.write_text(all_on(BOOK.format(title="X", quoted='"X"')))
    assert keys(BookSettings) == set(tomllib.loads(path.read_text()))
    read_toml(path, BookSettings)


@pytest.mark.parametrize(("title", "folder"), [("Моя игра", "moya-igra"), ("Θαλασσινή Μάχη", "thalassini-machi"), ("Щит і меч", "shchit-i-mech")])
def test_a_book_in_other_letters(here: Path, title: str, folder: str) -> None:
    assert main(["new-book", title]) == 0
    assert tomllib.loads((here / f"sources/{folder}/book.toml").read_text("utf-8"))["title"] == title


def test_every_line_of_an_event_works_when_it_is_on(here: Path) -> None:
    (here / "layers").mkdir()
    (here / "layers/exceptions.toml").write_text('by = "us"\n[[rulings]]\ntext = ["No."]\n')
    path = here / "event.toml"
    path.write_text(all_on(EVENT.format(title="X", quoted='"X"', date='date = "2026-12-30"')))
    assert keys(Event) == set(tomllib.loads(path.read_text()))
    event, _ = load_event(path)
    assert [handout.form for handout in event.handouts] == ["table", "pocket", "web"]
    for key in keys(HandoutSettings):
        assert re.search(rf"\b{key}\b", EVENT), key


def test_a_second_event_goes_beside_the_first(here: Path) -> None:
    main(["new-book", "Game"])
    assert main(["new-event", "Spring Cup", "--date", "2026-03-01"]) == 0
    assert main(["new-event", "Winter Cup"]) == 0
    first, second = here / "sources/game/event.toml", here / "sources/game/events/winter-cup.toml"
    assert (load_event(first)[0].date, load_event(second)[0].name) == ("2026-03-01", "Winter Cup")


def test_two_events_of_one_name_are_refused_at_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["new-book", "Game"])
    assert [main(["new-event", "Spring Cup"]), main(["new-event", "spring  cup"])] == [0, 5]
    assert "event.toml: is an event of this name" in capsys.readouterr().err
    assert not (here / "sources/game/events").exists()


def test_nothing_is_written_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["new-book", "Game"])
    mine = here / "sources/game/book.toml"
    mine.write_text("title = 'mine'\n")
    assert main(["new-book", "Game"]) == 5
    assert mine.read_text() == "title = 'mine'\n"
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["new-book", "???"], "no letters"),
        (["new-event", "Cup", "--date", "tomorrow"], "--date"),
        (["new-event", "Cup", "--date", "2026-02-30"], "does not exist"),
    ],
)
def test_wrong_arguments_are_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    (here / "sources/game").mkdir(parents=True)
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1


def test_an_event_asks_for_its_book_when_there_are_several(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["new-book", "One"])
    main(["new-book", "Two"])
    assert main(["new-event", "Cup"]) == 2
    assert "one, two" in capsys.readouterr().err
    assert main(["new-event", "Cup", "--book", "two"]) == 0


@pytest.mark.parametrize("heads", [
    "subject,question,ruling", "Sujet;Question;Décision", "Thema;Frage;Entscheidung", "Тема\tВопрос\tРешение",
])  # fmt: skip
def test_a_log_becomes_a_layer_under_the_heads_that_we_print(here: Path, heads: str) -> None:
    between = re.sub(r"\w", "", heads)[0]
    Path("log.csv").write_text(f"{heads}\n{between.join(('Bridge', 'May it be raised?', 'Yes.'))}\n", encoding="utf-8")
    assert main(["new-layer", "log.csv", "--by", "Judges", "--date", "2026-12-12", "-o", "layer.toml"]) == 0
    layer = load_layer(Path("layer.toml"))
    assert (layer.by, layer.date, len(layer.rulings)) == ("Judges", "2026-12-12", 1)
