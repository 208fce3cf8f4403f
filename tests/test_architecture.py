"""The laws of the house. What does not keep one yet is listed beside it, and that list can only become shorter: a line
that is no longer needed fails its test, too."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

from pipeline import config, records
from pipeline.records import AnyEntry, Kind

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "pipeline"
FILES = sorted(HOUSE.rglob("*.py"))

# A stage is a verb in flow.py, from record to record; all else is a helper, or puts stages together.
STAGES = {
    "extract", "structure", "mend", "classify", "dedup", "diff", "apply", "follow", "handout", "render", "impose"
}  # fmt: skip
STAGE_KNOWS = {  # today, and should not
    ("mend", "classify"),  # ids of entries, and how blocks are cut and joined: to become helpers
    ("render", "handout"),
    ("render", "impose"),
}

# The part of the house by which a library comes in. An import of any other is against the law.
DOORS = {
    "distributed": "cluster", "fontTools": "render", "jinja2": "render", "langdetect": "language", "pdfminer": "cross_check",
    "pdfplumber": "extract", "pikepdf": "pdf_objects", "PIL": "picture", "pydyf": "render", "pypdf": "impose",
    "pypdfium2": "extract", "rapidfuzz": "fuzzy", "segno": "qr", "snowballstemmer": "dedup", "tinyhtml5": "render",
    "tomlkit": "desk", "weasyprint": "render",
}  # fmt: skip
BY_ANOTHER_DOOR = {
    ("weasyprint", "doctor"),  # that looks whether it is there
    ("PIL", "extract"),  # pictures of icons
    ("PIL", "render"),  # the cover of an EPUB
}

# Names of distributions that are not those of what is imported.
IMPORTED_AS = {
    "pillow": "PIL", "pdfminer-six": "pdfminer", "fonttools": "fontTools",
    "font-source-serif-pro": "font_source_serif_pro", "font-source-sans-pro": "font_source_sans_pro",
}  # fmt: skip

CALLED_BY_LIBRARIES = {
    "allow_reuse_address", "daemon_threads", "dismiss", "do_GET", "do_HEAD", "do_POST", "do_PUT", "emit", "fetch",
    "handle_error", "log_message", "protocol_version", "server_version", "sys_version", "timeout", "_fields_",
}  # fmt: skip

SAME_CLASS = {
    "Block",
    "Column",
    "Look",
    "Note",
    "Part",
    "Piece",
    "Shape",
}  # one word, several things

FOREIGN = {"layout/furniture.py", "render/titles.py"}  # words of languages that belong into the vocabulary
OWN_BULLETS = {"extract/__init__.py", "layout/columns.py", "layout/lines.py", "layout/tables.py"}

NO_LANGUAGE = {  # what looks like words of a language and is none
    "extract/engine.py": "pieces of the names of fonts",
    "paths.py": "names of devices of Windows",
    "render/fonts.py": "units, and kinds of signs",
    "render/paper.py": "elements of HTML",
    "sandbox.py": "folders",
    "structure/paragraphs.py": "kinds of signs",
}


# ---------------------------------------------------------------- what is imported


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module(path): path for path in FILES}


def part(name: str) -> str:
    """The part of the house that a module belongs to: a stage, or a helper."""
    return [*name.split("."), ""][1]


@cache
def imports(path: Path) -> frozenset[str]:
    """Everything that a file imports, also inside its functions; not what only types need."""
    found: set[str] = set()
    waiting: list[ast.AST] = [tree(path)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports say where from"
            whole = {each.name: f"{node.module}.{each.name}" for each in node.names}
            found |= {full if full in MODULES else str(node.module) for full in whole.values()}
    return frozenset(found)


@cache
def graph() -> dict[str, frozenset[str]]:
    return {name: imports(path) & MODULES.keys() - {name} for name, path in MODULES.items()}


def test_a_stage_imports_no_stage() -> None:
    found = {(part(name), part(other)) for name, others in graph().items() for other in others}
    assert {(one, other) for one, other in found if {one, other} <= STAGES and one != other} == STAGE_KNOWS


def test_flow_tells_every_stage() -> None:
    told = set(re.findall(r"\b[a-z]+\b", ast.get_docstring(tree(HOUSE / "flow.py")) or ""))
    assert told >= STAGES


def test_helpers_of_all_do_not_know_stages() -> None:
    pure = {"errors", "records", "text", "vocab", "config", "language", "quick", "fuzzy", "anchors", "store", "fields"}
    found = {(name, other) for name, others in graph().items() for other in others if part(name) in pure}
    assert not {(name, other) for name, other in found if part(other) in {*STAGES, "flow", "cli", "desk", "guard"}}


def test_a_library_comes_in_by_one_door() -> None:
    used = {(each.split(".")[0], part(name)) for name, path in MODULES.items() for each in imports(path)}
    outside = {(name, by) for name, by in used if name not in sys.stdlib_module_names and name != "pipeline"}
    assert {name for name, _ in outside} == DOORS.keys()
    assert {(name, by) for name, by in outside if by != DOORS[name]} == BY_ANOTHER_DOOR


def test_no_import_goes_in_a_circle() -> None:
    assert [*circles(graph())] == []


def circles(held: dict[str, frozenset[str]]) -> Iterator[tuple[str, ...]]:
    """Groups of modules each of which leads to all others of its group."""
    reached = {name: reach(name, held) for name in held}
    seen: set[str] = set()
    for name in held:
        group = {other for other in reached[name] if name in reached[other]}
        if name not in seen and group:
            seen |= group
            yield tuple(sorted(group))


def reach(start: str, held: dict[str, frozenset[str]]) -> set[str]:
    """The modules that one leads to."""
    found: set[str] = set()
    waiting = [*held[start]]
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += held[name]
    return found


def test_a_circle_would_be_seen() -> None:
    held = {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("a"), "d": frozenset("a")}
    assert [*circles(held)] == [("a", "b", "c")]


def test_what_is_installed_for_users_is_imported_and_the_other_way_round() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {re.split(r"[<>=~!\[]", need)[0].lower().replace(".", "-") for need in project["dependencies"]}
    names = {IMPORTED_AS.get(each, each.replace("-", "_")) for each in asked}
    code = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
    assert {name for name in names if name not in DOORS and not re.search(rf"\b{name}\b", code)} == set()
    assert DOORS.keys() - names - {"distributed"} == set()  # that is an extra


# ---------------------------------------------------------------- names


def definitions(path: Path) -> Iterator[str]:
    """Functions, classes, methods, constants and fields."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.Module | ast.ClassDef):
            for line in node.body:
                targets = line.targets if isinstance(line, ast.Assign) else [getattr(line, "target", None)]
                yield from (each.id for target in targets if target is not None
                            for each in ast.walk(target) if isinstance(each, ast.Name))  # fmt: skip


def uses(path: Path) -> Iterator[str]:
    """The names that a file says, and the words of its strings: some are looked up by their name."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.keyword | ast.alias):
            yield from filter(None, (node.arg if isinstance(node, ast.keyword) else node.name,))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
            yield from re.findall(r"\w+", node.value)


def test_no_name_is_dead() -> None:
    """Used only by a test is dead, too."""
    used = {name for path in (*FILES, *(ROOT / "docs").glob("*.py")) for name in uses(path)}
    for path in (ROOT / "templates").rglob("*"):
        if path.suffix in (".j2", ".js", ".html"):
            used.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    dead = {f"{path.relative_to(HOUSE)}: {name}" for path in FILES for name in definitions(path)
            if not name.startswith("__") and name not in used and name not in CALLED_BY_LIBRARIES}  # fmt: skip
    assert dead == set()


def test_a_file_says_what_it_holds_without_its_folder() -> None:
    """A command has the name of its stage."""
    said = [path for path in FILES if path.stem not in ("__init__", "__main__") and part(module(path)) != "cli"]
    counts = Counter(path.stem for path in said)
    assert [name for name, times in counts.items() if times > 1] == []


def test_a_class_is_called_like_no_other() -> None:
    counts = Counter(node.name for path in FILES for node in tree(path).body
                     if isinstance(node, ast.ClassDef) and not node.name.startswith("_"))  # fmt: skip
    assert {name for name, times in counts.items() if times > 1} == SAME_CLASS


def test_a_variable_says_what_it_holds() -> None:
    """Not that something was found or made: what."""
    nameless = {"found", "made", "held", "told", "said"}
    functions = [(path, each) for path in FILES for each in ast.walk(tree(path)) if isinstance(each, ast.FunctionDef)]
    found = {(str(path.relative_to(HOUSE)), function.name) for path, function in functions for node in ast.walk(function)
             if (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in nameless)
             or (isinstance(node, ast.arg) and node.arg in nameless)}  # fmt: skip
    assert found == set()


def test_no_function_is_too_complex() -> None:
    """Ruff counts, in ``make lint``; here, that it is asked to, and that no function is let off."""
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    assert "C90" in lint["select"] and lint["mccabe"]["max-complexity"] <= 20
    assert not {"C90", "C901"} & {*lint["ignore"], *(code for codes in lint["per-file-ignores"].values() for code in codes)}
    assert [path for path in FILES if re.search(r"noqa(?!: *(?!C90)[A-Z]+\d)", path.read_text(encoding="utf-8"))] == []


# ---------------------------------------------------------------- languages are data


@cache
def words_of_languages() -> dict[str, set[str]]:
    """Every word of the vocabularies but the English ones, with its languages."""
    found: dict[str, set[str]] = {}
    english: set[str] = set()
    for path in HOUSE.rglob("*.toml"):
        for word in said(tomllib.loads(path.read_text(encoding="utf-8"))):
            if path.stem == "en":
                english.add(word)
            elif len(path.stem) == 2:
                found.setdefault(word, set()).add(path.stem)
    for path in FILES:  # what we write in English
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                english.update(said(re.sub(r'"[^"]*"|“[^”]*”', " ", ast.get_docstring(node) or "")))
    codes = {path.stem for path in (HOUSE / "vocabulary").glob("*.toml")}
    return {word: names for word, names in found.items() if word not in english | codes}


def said(held: object) -> Iterator[str]:
    if isinstance(held, str):
        yield from re.findall(r"[^\W\d_]{2,}", re.sub(r"\\[a-zA-Z]|[Aa]-[Zz]|[A-Z]-[A-Z]", " ", held).lower())
    elif isinstance(held, dict):
        yield from (word for name, each in held.items() if name != "examples" for word in said(each))
    elif isinstance(held, list):
        yield from (word for each in held for word in said(each))


def groups(path: Path) -> Iterator[set[str]]:
    """The words of each string that chooses among some, and of each collection of strings."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "|" in node.value:
            yield set(said(node.value))
        elif isinstance(node, ast.Set | ast.Tuple | ast.List):
            texts = [each.value for each in node.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            yield {word for text in texts for word in said(text)}


def test_another_language_touches_no_python() -> None:
    known = words_of_languages()
    found = {str(path.relative_to(HOUSE)) for path in FILES for group in groups(path) if len(group & known.keys()) > 1}
    assert found == FOREIGN | NO_LANGUAGE.keys()
    assert known["oder"] >= {"de"} and "seite" in known  # it would be seen


def test_bullets_are_one_set() -> None:
    found = {str(path.relative_to(HOUSE)) for path in FILES for node in ast.walk(tree(path))
             if isinstance(node, ast.Constant) and isinstance(node.value, str) and len({*"•●○▪▫■□◦‣"} & {*node.value}) > 3}  # fmt: skip
    assert found == {"text.py"} | OWN_BULLETS


# ---------------------------------------------------------------- kinds of entries


def test_kinds_are_told_apart_in_one_place() -> None:
    """What asks for one or two kinds may; what goes through most of them derives from the fields of an entry."""
    kinds = {each.__name__ for each in get_args(AnyEntry)} | {kind.name for kind in Kind}
    found = set()
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Match):
                cases = " ".join(ast.unparse(case.pattern) for case in node.cases)
                if len(set(re.findall(r"\w+", cases)) & kinds) > len(Kind) // 2:
                    found.add(str(path.relative_to(HOUSE)))
    assert found == {"fields.py", "dedup/__init__.py", "render/cards.py"}  # what a ruling decides; what is a card


def test_a_table_by_kinds_has_them_all() -> None:
    """mypy does not see that one is missing."""
    for path in FILES:
        for node in ast.walk(tree(path)):
            keys = {ast.unparse(key) for key in node.keys if key} if isinstance(node, ast.Dict) else set()
            if len(named := {key for key in keys if key.startswith("Kind.")}) > len(Kind) // 2:
                assert named == {f"Kind.{kind.name}" for kind in Kind}, path
    assert set(get_args(config.KindName)) == {*Kind}


def test_every_kind_has_a_form_a_name_and_a_place() -> None:
    """Where templates, scripts and strings go through kinds, nothing else would say that one is missing."""
    templates = ROOT / "templates"
    for name in ("macros.html.j2", "web.html.j2"):  # the last kind is the one that is not asked for
        asked = set(re.findall(r'kind == "(\w+)"', (templates / name).read_text(encoding="utf-8")))
        assert asked | {"text"} == {*Kind}, name
    for name, line in (("web/page.js", r"const ranks = (.*);"), ("desk/read.js", r"const KINDS = (.*);")):
        match = re.search(line, (templates / name).read_text(encoding="utf-8"))
        assert match and {kind for kind in Kind if f'"{kind}"' in match[1]} == {*Kind}, name
    for path in (templates / "strings").glob("*.toml"):
        assert tomllib.loads(path.read_text(encoding="utf-8"))["web"].keys() >= {*Kind}, path


# ---------------------------------------------------------------- templates

LINE = 160  # characters: what is longer than this decides, and that belongs into Python


def test_a_template_sets_and_decides_little() -> None:
    lines = [(path.relative_to(ROOT), number, line) for path in (ROOT / "templates").rglob("*.j2")
             for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)]  # fmt: skip
    assert [f"{path}:{number}" for path, number, line in lines if len(line) > LINE] == []
    # What is asked in one breath, or computed from what is asked: three conditions or more have a name in Python.
    asked = [(path, number, re.sub(r'"[^"]*"', "", line)) for path, number, line in lines]
    assert [f"{path}:{number}" for path, number, line in asked
            if any(len(re.findall(r"\b(?:and|or)\b", tag)) > 2 for tag in re.findall(r"\{%.*?%\}", line))] == []  # fmt: skip


# ---------------------------------------------------------------- docs/architecture.md


def test_what_the_architecture_names_is_there() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    names = {each.__name__ for each in vars(records).values() if isinstance(each, type)}
    for code in re.findall(r"`([^`\n]+)`", page.split("```", 2)[2]):
        path, _, function = code.partition(": ")
        if re.fullmatch(r"[A-Z]\w+", code):
            assert code in names, code
        elif "." in path or "/" in path:
            assert any((folder / path).exists() for folder in (HOUSE, ROOT, ROOT / "templates")), code
        assert not function or function in definitions(HOUSE / path), code


def test_the_architecture_shows_every_stage() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    picture = page.split("```")[1]
    assert {stage for stage in STAGES if stage not in picture} == {"follow"}  # that files what was downloaded
    assert len(page.splitlines()) < 120  # one page
