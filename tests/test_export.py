"""export: the promised fields in four formats, and the command."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from blocks import structure
from hypothesis import given
from hypothesis import strategies as st

from pipeline import cli
from pipeline.classify import classify
from pipeline.export import COLUMNS, as_csv, as_json, defused, jsonl, markdown
from pipeline.records import Document

ROOT = Path(__file__).parent.parent
CASES = Path(__file__).parent / "cases" / "classify"
SAMPLE = ROOT / "sources" / "brass-orrery" / "orrery-faq.pdf"
COMMON = {"id", "kind", "section", "subject", "language", "page", "changed", "changed_text", "source"}
OWN = {
    "qa": {"question", "answer"}, "erratum": {"pages", "target", "changes"}, "rule": {"number", "title", "body"},
    "definition": {"term", "aliases", "refs", "body"}, "table": {"title", "rows"}, "text": {"text"},
}  # fmt: skip


def documents() -> list[Document]:
    return [classify(structure(path.read_text("utf-8"), f"{path.stem}.pdf")) for path in sorted(CASES.glob("*.md"))]


def test_jsonl_has_the_promised_fields_of_every_kind() -> None:
    lines = [json.loads(line) for line in jsonl(documents()).splitlines()]
    assert {line["kind"] for line in lines} == {"document", *OWN}
    for line in lines:
        if line["kind"] == "document":
            assert {"source", "sha256", "pages", "title", "game", "version", "date", "language", "publisher",
                    "change_colours"} <= set(line)  # fmt: skip
        else:
            assert COMMON | OWN[line["kind"]] <= set(line)


def test_json_keeps_the_style_and_says_the_same_words() -> None:
    for plain, styled in zip(documents(), json.loads(as_json(documents())), strict=True):
        for one, other in zip(plain.entries, styled["entries"], strict=True):
            if other["kind"] == "qa":
                assert "".join(span["text"] for span in other["question"]) == one.question
    coloured = [span for document in json.loads(as_json(documents())) for entry in document["entries"]
                if entry["kind"] == "qa" for span in entry["question"] if span.get("changed")]  # fmt: skip
    assert {span["colour"] for span in coloured} == {"#ec008c"}


def test_markdown_can_be_read() -> None:
    page = markdown([classify(structure((CASES / "en-glossary.md").read_text("utf-8")))])
    assert page.startswith("# The Brass Orrery: Reference\n")
    assert "## Glossary" in page
    assert "- never scores twice;" in page
    assert "| Planet | Mass |\n| --- | --- |\n| Vulcan | 3 |" in page


def test_markdown_of_a_hostile_text_stays_text() -> None:
    page = markdown([classify(structure("lang: en\nA <script>alert(1)</script> [link](javascript:x) # x"))])
    assert "<script" not in page.replace("\\<", "")
    assert "\\[link\\]" in page


def test_csv_has_one_row_an_entry() -> None:
    made = documents()
    rows = list(csv.reader(io.StringIO(as_csv(made))))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 1 + sum(len(each.entries) for each in made)


@given(st.text(max_size=12))
def test_no_cell_is_a_formula(cell: str) -> None:
    made = defused(cell)
    assert made.endswith(cell)
    number = cell.lstrip("+-").replace(".", "").replace(",", "").isdecimal()
    assert number or not made.lstrip().startswith(("=", "+", "-", "@")) or made.startswith("'")


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "-2+3", " =1", "＝1"])
def test_formulas_are_defused(cell: str) -> None:
    assert defused(cell) == "'" + cell


# ---------------------------------------------------------------- the command


def test_command_writes_jsonl_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["export", str(SAMPLE)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["kind"] == "document"
    assert lines[0]["source"] == SAMPLE.name
    assert len(lines) > 10


def test_command_writes_a_file_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "faq.md"
    assert cli.main(["export", str(SAMPLE), "--format", "md", "-o", str(out)]) == 0
    assert out.read_text("utf-8").startswith("# ")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "1 of 1 file" in captured.err


def test_command_goes_through_a_folder_and_past_a_bad_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "good.pdf").write_bytes(SAMPLE.read_bytes())
    (tmp_path / "bad.pdf").write_bytes(b"not a PDF")
    assert cli.main(["export", str(tmp_path), "--jobs", "1"]) == 3
    captured = capsys.readouterr()
    assert json.loads(captured.out.splitlines()[0])["source"] == "good.pdf"
    assert "bad.pdf" in captured.err


def test_command_refuses_an_empty_folder_and_a_wrong_number(tmp_path: Path) -> None:
    assert cli.main(["export", str(tmp_path)]) == 3
    with pytest.raises(SystemExit, match="2"):
        cli.main(["export", str(SAMPLE), "--jobs", "0"])


def test_corrections_are_exported_unless_as_is_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "book"
    book.mkdir()
    (book / "faq.pdf").write_bytes((ROOT / "sources/brass-orrery/orrery-faq.pdf").read_bytes())
    (book / "overrides.toml").write_text('[[correct]]\nentry = "Do modifiers apply before or after"\nfind = "first"\nput = "at once"\n')
    (book / "book.toml").write_text('documents."faq.pdf".version = "9.9"\n')

    def said(*more: str) -> str:
        assert cli.main(["export", str(book / "faq.pdf"), "-q", *more]) == 0
        return capsys.readouterr().out

    assert '"version": "9.9"' in said() and "at once, then apply" in said()
    assert '"version": "2.1"' in said("--as-is") and "first, then apply" in said("--as-is")
    out = tmp_path / "out"
    for word in ("at once", "right away"):
        (book / "overrides.toml").write_text(f'[[correct]]\nentry = "Do modifiers apply before or after"\nfind = "first"\nput = "{word}"\n')
        assert cli.main(["export", str(book), "-q", "-o", f"{out}/"]) == 0
        assert word in (out / "faq.pdf.jsonl").read_text("utf-8")  # what was done before is done anew


@pytest.mark.parametrize("form", ["csv", "md"])
def test_rulings_are_written_for_people(form: str, tmp_path: Path) -> None:
    out = tmp_path / f"rulings.{form}"
    assert cli.main(["dedup", str(ROOT / "sources/brumes-d-argance"), "-q", "-o", str(out)]) == 0
    held = out.read_text("utf-8-sig")
    assert "PRI-48" in held and "argance-faq-1.2.pdf, p. 1" in held and "argance-faq-1.1.pdf, p. 1" in held
    if form == "csv":
        rows = list(csv.reader(io.StringIO(held)))
        assert rows[0][0] == "code" and {len(row) for row in rows} == {len(rows[0])} and len(rows) > 180
    else:
        assert held.startswith("# Brumes d’Argance") and "\n## Règles générales\n" in held
