"""The manual is true: its reference names everything, every picture and link is there; tests/test_walks.py runs its
commands."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs import hooks
from pipeline import config, event, findings
from pipeline.cli.completion import commands
from pipeline.render import PRODUCTS

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


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("material") is None:
        pytest.skip("mkdocs is not installed: make manual does")
    clean = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "reference/commands.html").is_file()
