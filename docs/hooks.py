"""The reference of the manual, made from the code: MkDocs calls ``on_files``, and the pages cannot grow stale."""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).parent.parent
sys.path.insert(0, str(HOUSE))


def on_files(files: Any, config: Any) -> Any:
    """Every page of the reference as a file of the site."""
    from mkdocs.structure.files import File

    for name, text in pages().items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def pages() -> dict[str, str]:
    """The reference by the names of its pages."""
    return {name: "\n".join(lines) + "\n" for name, lines in
            (("commands", _commands()), ("settings", _settings()), ("json", _json()), ("codes", _codes()))}  # fmt: skip


def _cell(text: object) -> str:
    return " ".join(str(text).split()).replace("|", "\\|").replace("<", "&lt;")


def _commands() -> Iterator[str]:
    from pipeline.cli import completion

    yield from ("# Commands", "", "Every command takes `--quiet` (`-q`), `--debug` and `--help`.", "")
    for name, made in completion.commands().items():
        yield from (f"## rubricator {name}", "", _cell(made.description or ""), "", "| argument | means |", "|---|---|")
        for action in made._actions:
            if action.help in (None, argparse.SUPPRESS) or action.dest in ("help", "quiet", "debug"):
                continue
            called = ", ".join(f"`{flag}`" for flag in action.option_strings) or f"`{action.metavar or action.dest}`"
            taken = f" {action.metavar}" if action.option_strings and action.metavar else ""
            chosen = f" ({', '.join(map(str, action.choices))})" if action.choices else ""
            yield f"| {called}{_cell(taken)} | {_cell((action.help or '').replace('%%', '%'))}{_cell(chosen)} |"
        example = (made.epilog or "").removeprefix("example: ")
        yield from ("", "```sh", example, "```", "")


def _settings() -> Iterator[str]:
    """The words of the README, and the type and default of each key from its record."""
    from pipeline import config, event

    records = {"book.toml": (config.BookSettings, config.DocumentSettings),
               "overrides.toml": (config.Merge, config.Correction, config.Hide, config.Match),
               "event.toml": (event.Event, event.HandoutSettings, event.Choice, event.ExtraBlock, event.Layer,
                              event.LayerRuling)}  # fmt: skip
    readme = (HOUSE / "README.md").read_text(encoding="utf-8")
    yield from ("# Files of a book", "")
    for file, held in records.items():
        [told] = re.findall(rf"^## {re.escape(file)}\n(.*?)(?=^## |\Z)", readme, flags=re.MULTILINE | re.DOTALL)
        yield from (f"## {file}", told.strip(), "")
        for record in held:
            yield from (f"### {_cell(record.__doc__ or record.__name__)}", "", "| key | type | default |", "|---|---|---|")
            hints = typing.get_type_hints(record)
            for field in dataclasses.fields(record):  # type: ignore[arg-type]
                if field.metadata.get("key", True):
                    yield f"| `{field.name}` | {_cell(_type(hints[field.name]))} | {_cell(_default(field))} |"
            yield ""


def _type(hint: Any) -> str:
    """A type as a person writes it into TOML."""
    import types

    origin, args = typing.get_origin(hint), [arg for arg in typing.get_args(hint) if arg is not type(None)]
    if origin is typing.Literal:
        return " · ".join(map(str, args))
    if origin in (typing.Union, types.UnionType):
        return " or ".join(map(_type, args))
    if origin is tuple:
        return f"list of {_type(args[0])}"
    if origin is not None:
        return f"table of {_type(args[-1])}"
    return {str: "text", int: "number", float: "number", bool: "true or false"}.get(hint, f"table ({hint.__name__})")


def _default(field: dataclasses.Field[Any]) -> str:
    if field.default in (dataclasses.MISSING, None, (), "") or dataclasses.is_dataclass(field.default):
        return ""
    held = field.default
    return ", ".join(map(str, held)) if isinstance(held, tuple) else str(held).lower() if isinstance(held, bool) else str(held)


def _json() -> Iterator[str]:
    from pipeline.schema import schemas

    known = schemas()
    yield from ("# JSON", "", "`rubricator schema NAME` prints the JSON Schema of each; these are its fields. More may come with",
                "any release; a field that goes or changes its meaning raises the version.", "")  # fmt: skip
    for name, schema in known.items():
        yield from (f"## {name}", "", f"{_cell(schema['title'])}, version {schema['version']}", "")
        for each in schema.get("oneOf", [schema.get("items", schema)]):
            kind = each.get("properties", {}).get("kind", {}).get("const")
            yield from ([f"### {name}: {kind}", ""] if kind else [])
            yield from ("| field | type | always there |", "|---|---|---|")
            for field, held in each.get("properties", {}).items():
                there = "yes" if field in each.get("required", ()) else "where it says something"
                yield f"| `{field}` | {_cell(_shape(held))} | {there} |"
            yield ""


def _shape(schema: dict[str, Any]) -> str:
    if "const" in schema:
        return f"“{schema['const']}”"
    if "enum" in schema:
        return " · ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(_shape(each) for each in schema["anyOf"])
    if "oneOf" in schema:
        return "an entry"
    if schema.get("type") == "array":
        return f"list of {_shape(schema['items'])}" if isinstance(schema.get("items"), dict) else "a pair"
    if schema.get("type") == "object" and "properties" in schema:
        return "{" + ", ".join(schema["properties"]) + "}"
    return str(schema.get("type", "anything"))


def _codes() -> Iterator[str]:
    from pipeline import errors, findings

    yield from ("# Findings and exit codes", "", "A finding is something that a person should look at; `check` lists them.", "")
    yield from ("| code | means |", "|---|---|", *(f"| `{code}` | {_cell(told)} |" for code, told in findings.CODES.items()))
    yield from ("", "## Exit codes", "", "| code | means |", "|---|---|", "| 0 | done |", "| 1 | a bug: please report it |")
    for code, error in sorted(errors.BY_EXIT_CODE.items()):
        yield f"| {code} | {_cell(error.__doc__ or '')} |"
    yield f"| {errors.DIFFERENCES_FOUND} | differences found (`diff --exit-code`) |"
    yield f"| {errors.FINDINGS_FOUND} | findings under `--strict` |"
    yield f"| {errors.INTERRUPTED} | interrupted |"
    yield f"| {errors.TERMINATED} | terminated, or the terminal was closed |"
