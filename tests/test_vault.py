"""The vault: every ruling a note, every link leads somewhere, and what a person wrote is never written over."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pipeline.cli import main

ROOT = Path(__file__).parent.parent
BOOKS = sorted(path.name for path in (ROOT / "sources").iterdir() if path.is_dir())
LINK = re.compile(r"(?<!\\)\]\(([^)]+)\)")


def front(note: str) -> dict[str, object]:
    """The front matter, whose values are JSON."""
    _, head, _ = note.split("---\n", 2)
    return {name: json.loads(value) for name, _, value in (line.partition(": ") for line in head.splitlines())}


def broken(folder: Path) -> list[str]:
    """Every link of a note that leads nowhere."""
    lost = []
    for note in [*folder.rglob("*.md"), folder / "llms.txt"]:
        for target in LINK.findall(note.read_text(encoding="utf-8")):
            if not (note.parent / target).is_file():
                lost.append(f"{note.relative_to(folder)}: {target}")
    return lost


@pytest.mark.parametrize("book", BOOKS)
def test_every_ruling_is_a_note_and_every_link_leads_somewhere(book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(ROOT / "sources" / book), "--format", "vault", "-o", str(tmp_path), "-q"]) == 0
    assert main(["dedup", str(ROOT / "sources" / book), "-q"]) == 0
    rulings = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    notes = {fields["id"]: fields for path in (tmp_path / "rulings").iterdir() if (fields := front(path.read_text(encoding="utf-8")))}
    assert notes.keys() == {ruling["id"] for ruling in rulings}
    for ruling in rulings:
        assert [notes[ruling["id"]][name] for name in ("kind", "section", "page", "code")] == [ruling[name] for name in ("kind", "section", "page", "code")]
    assert not broken(tmp_path)
    index = (tmp_path / "index.md").read_text(encoding="utf-8")
    linked = set(LINK.findall(index))
    for path in (*(tmp_path / "sections").iterdir(), *(tmp_path / "names").iterdir()):
        assert f"{path.parent.name}/{path.name}" in linked
    machines = (tmp_path / "llms.txt").read_text(encoding="utf-8")
    assert len(LINK.findall(machines)) == len(rulings) and machines.startswith("# ")


@pytest.mark.shared
@pytest.mark.slow
def test_every_link_of_real_publications_leads_somewhere(real_book: tuple[Path, ...], tmp_path: Path) -> None:
    main(["export", *map(str, real_book), "--format", "vault", "-o", str(tmp_path), "-q"])
    assert (tmp_path / "index.md").is_file() and not broken(tmp_path)


def test_a_second_export_keeps_what_a_person_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["export", str(ROOT / "sources/brass-orrery"), "--format", "vault", "-o", str(tmp_path), "-q"]
    assert main(command) == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.md")}
    (tmp_path / "my notes.md").write_text("mine")
    edited, *_ = (tmp_path / "names").iterdir()
    assert main([*command[:1], str(ROOT / "sources/tannengrund"), *command[2:]]) == 0
    assert not broken(tmp_path) and (tmp_path / "my notes.md").read_text() == "mine"
    assert main(command) == 0
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.md") if path.name != "my notes.md"} == before
    (tmp_path / ".rubricator-vault.json").unlink()
    assert main(command) == 5
    assert "is none of our notes" in capsys.readouterr().err
    assert edited.exists()


def test_a_vault_needs_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(ROOT / "sources/brass-orrery")
    assert main(["export", source, "--format", "vault"]) == 2
    assert main(["export", source, "--format", "vault", "-o", str(tmp_path / "x.md")]) == 2
    assert "say where to write it with -o" in capsys.readouterr().err
