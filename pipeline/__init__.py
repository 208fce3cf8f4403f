"""Rubricator: rules, FAQ and errata of games, from PDFs to quick references, handouts and change sheets.

``read`` a PDF, ``merge`` documents into a book, ``compare`` two releases, ``consolidate`` a rulebook with its errata,
``render`` a product: the same work as the commands, in this process and without the guard, for sources that you trust.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.flow import compare, consolidate, merge, read, render

__version__ = "0.1.0"
__all__ = ["__version__", "compare", "consolidate", "merge", "read", "render"]


def __getattr__(name: str) -> Any:
    """Load the pipeline on first use, so that importing the package costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'pipeline' has no attribute {name!r}")
    from pipeline import flow

    return getattr(flow, name)
