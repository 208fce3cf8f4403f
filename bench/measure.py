"""Taking times: medians of several rounds, the competitors taking turns so that a noisy minute hurts all alike."""

from __future__ import annotations

import gc
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Work = Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table of results."""

    name: str
    seconds: float
    ratio: float | None = None  # to the first of its table
    note: str = ""


def rounds(works: Mapping[str, Work], times: int = 5) -> dict[str, float]:
    """The median seconds of each, warm, in turns."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(times):
        for name, work in works.items():
            gc.collect()
            start = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - start)
    return {name: statistics.median(each) for name, each in taken.items()}


def table(works: Mapping[str, Work], times: int = 5, notes: Mapping[str, str] | None = None) -> list[Row]:
    """The median seconds of each and the ratio to the first."""
    medians = rounds(works, times)
    first = next(iter(medians.values()))
    return [Row(name=name, seconds=seconds, ratio=seconds / first, note=(notes or {}).get(name, ""))
            for name, seconds in medians.items()]  # fmt: skip


def command(*words: str, cwd: str | None = None) -> tuple[float, float]:
    """Seconds and peak megabytes (of the largest process) of a command."""
    code = (
        "import resource, subprocess, sys, time; start = time.perf_counter();"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE);"
        "print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, done.returncode);"
        "sys.stderr.buffer.write(done.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=cwd, check=True)
    seconds, megabytes, status = done.stdout.split()
    if status != "0":
        raise SystemExit(f"{' '.join(words)} failed: {done.stderr.strip()}")
    return float(seconds), float(megabytes)


def peak() -> float:
    """Peak megabytes of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
