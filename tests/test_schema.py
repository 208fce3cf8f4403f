"""The schemas hold of all that is written: for the samples, and for the real documents where they are at hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pipeline import findings
from pipeline.cli import main
from pipeline.schema import VERSION, schemas

ROOT = Path(__file__).parent.parent
BOOKS = sorted(path.name for path in (ROOT / "sources").iterdir() if path.is_dir())
PAIRS = [("brumes-d-argance/argance-faq-1.1", "brumes-d-argance/argance-faq-1.2"), ("vessmark/vessmark-errata-1.0", "vessmark/vessmark-errata-1.1")]


def closed(schema: Any) -> Any:
    """The schema with no room for fields that it does not know: ours are all in it."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(each) for name, each in schema.items()}
    return made if "properties" not in made or "additionalProperties" in made else made | {"additionalProperties": False}


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    strict = closed(schemas()[name])
    jsonschema.Draft202012Validator.check_schema(strict)
    return jsonschema.Draft202012Validator(strict)


def said(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    main([*command, "--quiet"])
    return capsys.readouterr().out


def outputs(capsys: pytest.CaptureFixture[str], folder: Path) -> Iterator[tuple[str, Any]]:
    for name, command in (("export", "export"), ("dedup", "dedup")):
        yield from ((name, json.loads(line)) for line in said(capsys, command, str(folder)).splitlines())
        yield f"{name}-json", json.loads(said(capsys, command, str(folder), "--format", "json"))
    yield "check", json.loads(said(capsys, "check", str(folder), "--format", "json"))


@pytest.mark.parametrize("book", BOOKS)
def test_every_output_of_the_samples_fits(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    check = {name: validator(name) for name in schemas()}
    met = set()
    for name, value in outputs(capsys, ROOT / "sources" / book):
        check[name].validate(value)
        met.add(name)
    assert met == check.keys() - {"diff"}


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_every_difference_of_the_samples_fits(old: str, new: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "diff", *(str(ROOT / f"sources/{name}.pdf") for name in (old, new)), "--format", "json"))
    validator("diff").validate(told)
    assert told["changes"]


@pytest.mark.shared
@pytest.mark.slow
def test_every_export_of_the_corpus_fits(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check = {name: validator(name) for name in ("export", "check")}
    lines = said(capsys, "export", str(shared / "corpus")).splitlines()
    for line in lines:
        check["export"].validate(json.loads(line))
    assert len(lines) > 100


@pytest.mark.shared
@pytest.mark.slow
def test_every_output_of_real_publications_fits(real_book: tuple[Path, ...], capsys: pytest.CaptureFixture[str]) -> None:
    check = {name: validator(name) for name in ("export", "dedup", "check")}
    for command in ("export", "dedup"):
        lines = said(capsys, command, *map(str, real_book)).splitlines()
        assert len(lines) > len(real_book)
        for line in lines:
            check[command].validate(json.loads(line))
    check["check"].validate(json.loads(said(capsys, "check", *map(str, real_book), "--format", "json")))


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [("releases/ipg-2019-05-03", "releases/ipg-2019-07-12"), ("nut_faq_2.8.2", "nut_faq_2.8.3"),
                                          ("faction_pack_world_eaters_2026-06-10", "faction_pack_world_eaters_2026-07-22")])  # fmt: skip
def test_every_difference_of_real_publications_fits(shared: Path, old: str, new: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "diff", *(str(shared / f"real/{name}.pdf") for name in (old, new)), "--format", "json"))
    validator("diff").validate(told)
    assert told["changes"]


def test_a_wrong_value_does_not_fit() -> None:
    entry = {"id": "a", "kind": "text", "section": [], "subject": None, "language": "en", "page": "1", "changed": False,
             "changed_text": [], "source": "a.pdf", "text": "x"}  # fmt: skip
    check = validator("export")
    assert not check.is_valid(entry) and check.is_valid(entry | {"page": 1})
    assert not check.is_valid(entry | {"page": 1, "kind": "qa"})


def test_the_command_gives_them_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "schema").split() == list(schemas())
    assert json.loads(said(capsys, "schema", "diff"))["$id"] == f"urn:rubricator:schema:diff:{VERSION}"
    assert main(["schema", "-o", str(tmp_path), "-q"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.schema.json" for name in schemas()}
    assert main(["schema", "exprot"]) == 2
    assert "did you mean 'export'?" in capsys.readouterr().err


def test_every_code_of_a_finding_is_explained() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "pipeline").rglob("*.py") if path.name != "findings.py")
    used = set(re.findall(r'code="([a-z]+(?:-[a-z]+)*)"|(?:_finding|report)\(\s*"([a-z]+(?:-[a-z]+)*)"', source))
    codes = {one or other for one, other in used}
    assert codes - findings.CODES.keys() == set()
    for code in findings.CODES:
        assert f'"{code}"' in source, f"{code} is found no more"
