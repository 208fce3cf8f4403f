"""The manual is true: its reference names everything, its tutorial runs, every picture and link is there."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs import hooks
from pipeline import config, event, findings
from pipeline.cli.completion import commands
from pipeline.render import PRODUCTS
from tests.test_readme import checkout  # noqa: F401

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))


def test_the_reference_names_every_command_key_field_and_code() -> None:
    pages = hooks.pages()
    for name, made in commands().items():
        assert f"## rubricator {name}\n" in pages["commands"]
        for action in made._actions:
            assert action.dest in ("help", "quiet", "debug") or all(f"`{flag}`" in pages["commands"] for flag in action.option_strings)
    for record in (config.BookSettings, config.Correction, event.Event, event.HandoutSettings, event.LayerRuling):
        for field in dataclasses.fields(record):
            assert not field.metadata.get("key", True) or f"| `{field.name}` |" in pages["settings"], field.name
    assert all(f"| `{code}` |" in pages["codes"] for code in findings.CODES)
    assert "| `verdict_flipped` |" in pages["json"] or "verdict_flipped" in pages["json"]


def test_every_product_has_a_picture() -> None:
    told = (ROOT / "docs/products.md").read_text(encoding="utf-8")
    for product in set(PRODUCTS) - {"booklet-print", "dossier-print", "zine-print"}:
        assert f"\n## {product}\n" in told and f"pictures/{product}.png" in told


@pytest.mark.parametrize("path", PAGES, ids=[path.stem for path in PAGES])
def test_every_link_and_picture_is_there(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text(encoding="utf-8")):
        made = target.startswith(("https://", "../reference/", "reference/"))
        assert made or (path.parent / target).is_file(), target
        if "reference/" in target:
            assert Path(target).stem in hooks.pages()


def test_every_piece_of_settings_is_right(tmp_path: Path) -> None:
    [block] = re.findall(r"^```toml\n(.*?)^```", (ROOT / "docs/how-to/mend.md").read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "overrides.toml").write_text(block, encoding="utf-8")
    assert config.load_overrides(tmp_path)


def shown(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    for block in re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        yield from (line for line in block.splitlines() if line != "make")


@pytest.mark.slow
def test_the_tutorial_runs(checkout: Path) -> None:  # noqa: F811
    if not (ROOT / ".venv/bin/rubricator").exists():
        pytest.skip("rubricator is not installed in .venv")
    walk(checkout, ROOT / "docs/tutorial.md")
    for made in ("tutorial/argance-faq-1.2/booklet-print.pdf", "tides-of-argance/changes", "tides-of-argance/winter-cup/web.html"):
        assert (checkout / "output" / made).exists(), made


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((ROOT / "docs/how-to").glob("*.md")), ids=lambda path: path.stem)
def test_every_how_to_runs(checkout: Path, path: Path) -> None:  # noqa: F811
    if not (ROOT / ".venv/bin/rubricator").exists():
        pytest.skip("rubricator is not installed in .venv")
    walk(checkout, path)


def walk(checkout: Path, path: Path) -> None:  # noqa: F811
    """Every command that a page shows, as somebody types it who has done what the README says."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "PYTEST"))}
    clean |= {"HOME": str(checkout.parent), "PYTHONPATH": str(checkout), "PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"}
    for command in shown(path):
        done = subprocess.run(["sh", "-c", command], cwd=checkout, env=clean, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}\n{done.stderr}"


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("material") is None:
        pytest.skip("mkdocs is not installed: make manual does")
    clean = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "reference/commands.html").is_file()
