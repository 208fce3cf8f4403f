"""The folder ``pipeline/`` as the package ``rubricator``: under its own name in the wheel, by a bridge from a checkout.

``pipeline`` is a name that others have on the index, too; so nothing of that name is installed. In the wheel every
module calls its neighbours ``rubricator``. An editable install stays the checkout, where they are called
``pipeline``: there ``rubricator.x`` is the very module ``pipeline.x``, not a copy.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

NAME = re.compile(r'(?<![\w.-])pipeline(?=["/]|\.[\w{]|\s+import\b)')  # as a module or a path; the plain word stays
LINK = re.compile(r"(!?)\[[^\]]*\]\((?!\w+:|#)")  # to a picture or a page of ours
BRIDGE = '''\
"""A checkout under the name of its package: ``rubricator.x`` is the module ``pipeline.x``, not a copy."""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys

CHECKOUT = {checkout!r}


def _inside(name):
    return "pipeline" + name.removeprefix("rubricator")


class _Bridge(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if not name.startswith("rubricator.") or (found := importlib.util.find_spec(_inside(name))) is None:
            return None
        package = found.submodule_search_locations is not None
        return importlib.machinery.ModuleSpec(name, self, origin=found.origin, is_package=package)

    def create_module(self, spec):
        module = importlib.import_module(_inside(spec.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = module.__spec__.loader_state  # it stays the module that it was

    def get_code(self, name):  # for python -m
        return importlib.util.find_spec(_inside(name)).loader.get_code(_inside(name))


def _loaded():
    """Our folder, whatever else on the path has its name."""
    if (known := sys.modules.get("pipeline")) is None:
        folder = CHECKOUT + "/pipeline"
        spec = importlib.util.spec_from_file_location(
            "pipeline", folder + "/__init__.py", submodule_search_locations=[folder]
        )
        known = sys.modules["pipeline"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(known)
    elif "consolidate" not in dir(known):
        raise ImportError(f"another package called pipeline is loaded ({{known.__file__}}): install the wheel beside it")
    return known


sys.meta_path.insert(0, _Bridge())  # before the one that finds files: it would load a second copy
sys.modules[__name__] = _loaded()
'''
STUB = "from pipeline import *\nfrom pipeline import __all__ as __all__, __version__ as __version__\n"


def renamed(source: str) -> str:
    """A module of ours as it is installed."""
    return NAME.sub("rubricator", source)


class CustomMetadataHook(MetadataHookInterface):  # type: ignore[misc]
    """The README as the index shows it. A checkout does not know where it will be found: RUBRICATOR_URL says it."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if home := os.environ.get("RUBRICATOR_URL", "").rstrip("/"):
            text = LINK.sub(lambda link: f"{link[0]}{home}/{'raw' if link[1] else 'blob'}/HEAD/", text)
            metadata["urls"] = {
                "Homepage": home,
                "Documentation": f"{home}/blob/HEAD/docs/index.md",
                "Changelog": f"{home}/blob/HEAD/CHANGELOG.md",
                "Issues": f"{home}/issues",
            }
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class CustomBuildHook(BuildHookInterface):  # type: ignore[misc, type-arg]
    """Gives hatchling what to put under ``rubricator/``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        self.made = tempfile.TemporaryDirectory()
        made = Path(self.made.name)
        if version == "editable":
            (made / "__init__.py").write_text(BRIDGE.format(checkout=str(root)), encoding="utf-8")
            (made / "__init__.pyi").write_text(STUB, encoding="utf-8")
            (made / "py.typed").touch()
            build_data["force_include_editable"][str(made)] = "rubricator"
            return
        self._add_shared(made, build_data)
        for path in sorted((root / "pipeline").rglob("*")):
            if not path.is_file() or "__pycache__" in path.parts or path.name.startswith("."):
                continue
            target = Path("rubricator", path.relative_to(root / "pipeline"))
            if path.suffix == ".py":
                copy = made / target
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
                path = copy
            build_data["force_include"][str(path)] = target.as_posix()

    def _add_shared(self, made: Path, build_data: dict[str, Any]) -> None:
        """The manual page and what shells complete by, as the parser tells them: it needs none of our packages."""
        sys.path.insert(0, self.root)
        try:
            from pipeline.cli import completion
        finally:
            sys.path.remove(self.root)
        shared = {"man": "share/man/man1/rubricator.1", "bash": "share/bash-completion/completions/rubricator",
                  "fish": "share/fish/vendor_completions.d/rubricator.fish"}  # fmt: skip
        for name, target in shared.items():
            (made / f"{name}.shared").write_text(getattr(completion, name)(), encoding="utf-8")
            build_data["shared_data"][str(made / f"{name}.shared")] = target

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self.target_name == "wheel":
            self.made.cleanup()
