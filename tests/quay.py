"""An invented FAQ in two releases with all that a reader may get wrong: for tests of mending."""

from __future__ import annotations

from pathlib import Path

from tests.pdfs import Paper, typeset

TITLE = "Lamplight Quay: questions and answers"
SPARE = [
    ("How long does a candle burn?", "Until the end of the round in which it was lit. A candle in a lantern burns one round more."),
    ("May two crews share a boat?", "No. Each boat belongs to the crew that rowed it last, even if nobody is left in it."),
    ("Does rain put out a torch?", "Yes, unless the bearer stands under an arch, a bridge or a roof that the map shows."),
    ("Can a bell be rung twice?", "No. A bell that was rung stays silent until the watch changes, whoever rings it."),
    ("Who moves first in the fog?", "The crew with the fewest lamps. If both have as many, the crew that moved last goes first."),
    ("Are dogs part of a crew?", "They move with it and are counted for nothing else; a dog never carries a lamp."),
]  # fmt: skip


def paragraphs(*, release: int) -> list[tuple[str, str]]:
    """The text of a release: the second one has a question more, another heading and other words here and there."""
    newer = release == 2
    made: list[tuple[str, str]] = [("title", TITLE), ("section", "Moving about")]
    if newer:
        made += [("question", "Q: May a crew stay where it is?"), ("answer", "A: Yes. It then counts as resting.")]
    made += [
        ("question", "Q: Can a lamplighter climb a wet ladder?"),
        ("answer", "A: Yes, but only one rung for each action that is left. Can a porter swim the canal? He can, "
                   "if he drops what he carries before he goes in."),
        ("question", "Q: Is a quay wall a wall?"),
        ("answer", "A: It is, for every rule that speaks of walls."),
        ("text", "Ropes and ladders"),
        ("question", "Q: May a rope be cut while somebody hangs on it?"),
        ("answer", "A: Yes. Whoever hangs on it falls and is wet."),
        ("question", "Q: How many may climb one ladder at the same time?"),
        ("answer", "A: Two, if the ladder stands against a wall, and one if it stands against anything"),
        ("answer", ""),
        ("heading", "else that the map shows."),
        ("section", "Fog and light"),
        ("question", "Q: How far does a lantern shine in thick fog?"),
        ("answer", f"A: {'Three' if newer else 'Four'} steps, and one step less for each crew that stands between."),
        ("text", "Proof copy of the harbour league"),
        ("question", "Q: May a lantern be lit from another lantern?"),
        ("answer", "A: Yes, at no cost, as long as both bearers agree."),
    ]  # fmt: skip
    for question, answer in SPARE:
        made += [("question", f"Q: {question}"), ("answer", f"A: {answer}")]
    made.append(("text", "Proof copy of the harbour league"))
    return [each for each in made if each[1]]


def write(path: Path, *, release: int = 1) -> Path:
    """A release as a PDF, with a table of prices at its end."""
    made: Paper = typeset(paragraphs(release=release), columns=2, footer="Lamplight Quay – page")
    made.page()
    made.text(45, 70, "Prices at the chandler", size=13, bold=True)
    rows = [("Ware", "Price", "Weight"), ("Tallow candle", "2", "1"), ("Storm lantern", "7", "3"), ("Rope of ten steps", "4", "2")]
    for number, row in enumerate(rows):
        top = 84 + 16 * number
        for column, cell in enumerate(row):
            x = (45, 165, 225)[column]
            made.text(x + 4, top + 11, cell, bold=number == 0)
    for x in (45, 165, 225, 285):
        made.rule(x, 84, x, 84 + 16 * len(rows))
    for number in range(len(rows) + 1):
        made.rule(45, 84 + 16 * number, 285, 84 + 16 * number)
    made.text(45, 200, "A price is paid before the ware is used.", size=9)
    return made.save(path)
