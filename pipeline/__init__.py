"""Rubricator: rules, FAQ and errata of games, from PDFs to quick references, handouts and change sheets.

``read`` a PDF, ``merge`` documents into a book, ``compare`` two releases, ``consolidate`` a rulebook with its errata,
``render`` a product: the same work as the commands, in this process and without the guard, for sources that you trust.
What goes wrong is a ``RubricatorError`` with an ``exit_code`` and a ``hint``.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.errors import RubricatorError
    from pipeline.flow import compare, consolidate, merge, read, render
    from pipeline.records import Book, Changes, Consolidation, Document, Finding, Ruling

__version__ = "0.1.0"
__all__ = [
    "Book", "Changes", "Consolidation", "Document", "Finding", "RubricatorError", "Ruling", "__version__", "compare",
    "consolidate", "merge", "read", "render",
]  # fmt: skip
_HOMES = {"RubricatorError": "errors", **dict.fromkeys(("compare", "consolidate", "merge", "read", "render"), "flow")}


class _Package(ModuleType):
    """The package as other programs see it: ``render`` is the function, also once the module of that name is loaded."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in __all__ or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """Load what is asked for on first use, so that importing the package costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES.get(name, 'records')}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
