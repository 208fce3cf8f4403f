"""One competitor in a process of its own: warm, and with no heap but its own; it works whenever it is told to."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from bench.measure import timed


def main(module: str, maker: str, path: str) -> None:
    work = getattr(importlib.import_module(module), maker)(Path(path))
    for _ in sys.stdin:
        work()  # others had their turns: warm again
        print(timed(work), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
