"""Taking times: medians of several rounds, the competitors taking turns so that a noisy minute hurts all alike."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

Work = Callable[[], object]
ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table of results."""

    name: str
    seconds: float
    ratio: float | None = None  # to the first of its table
    megabytes: float | None = None  # at most, of the largest process
    note: str = ""


def rounds(works: Mapping[str, Work], times: int = 5) -> dict[str, float]:
    """The median seconds of each, warm, in turns."""
    for work in works.values():
        work()
    return _in_turns({name: partial(timed, work) for name, work in works.items()}, times)


def timed(work: Work) -> float:
    """The seconds that it takes."""
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _in_turns(works: Mapping[str, Callable[[], float]], times: int) -> dict[str, float]:
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(times):
        for name, work in works.items():
            taken[name].append(work())
    return {name: statistics.median(each) for name, each in taken.items()}


@contextmanager
def apart(maker: Callable[[Path], Work], path: Path) -> Iterator[Callable[[], float]]:
    """A work in a process of its own, started apart: each call does it, warm, and gives the seconds.

    Readers leave heaps of very different sizes behind, and the next one in the same process would pay for them.
    """
    words = [sys.executable, "-m", "bench.turns", maker.__module__, maker.__name__, str(path)]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        asked, told = process.stdin, process.stdout
        assert asked is not None and told is not None

        def work() -> float:
            print(file=asked, flush=True)
            return float(told.readline())

        yield work
        asked.close()


def table(works: Mapping[str, Work], times: int = 5, notes: Mapping[str, str] | None = None) -> list[Row]:
    """The median seconds of each and the ratio to the first."""
    return _rows(rounds(works, times), notes)


def table_apart(makers: Mapping[str, Callable[[Path], Work]], path: Path, times: int = 5) -> list[Row]:
    """The same of works on one file, each in a process of its own."""
    with ExitStack() as open_:
        works = {name: open_.enter_context(apart(maker, path)) for name, maker in makers.items()}
        return _rows(_in_turns(works, times))


def _rows(medians: Mapping[str, float], notes: Mapping[str, str] | None = None) -> list[Row]:
    first = next(iter(medians.values()))
    return [Row(name=name, seconds=seconds, ratio=seconds / first, note=(notes or {}).get(name, ""))
            for name, seconds in medians.items()]  # fmt: skip


def growth(taken: Sequence[tuple[int, float, float | None]], unit: str) -> list[Row]:
    """Seconds by size; the ratio is the cost of one, against the cost of one of the smallest."""
    count, seconds, _ = taken[0]
    return [Row(name=f"{each:,} {unit}", seconds=took, ratio=took / each / (seconds / count), megabytes=held)
            for each, took, held in taken]  # fmt: skip


def with_memory(rows: Sequence[Row], calls: Mapping[str, str]) -> list[Row]:
    """The rows with the peak memory of a process that does the same."""
    return [replace(row, megabytes=memory(calls[row.name])) if row.name in calls else row for row in rows]


def command(*words: str, cwd: str | None = None, env: Mapping[str, str] | None = None) -> tuple[float, float]:
    """Seconds and peak megabytes (of the largest process) of a command."""
    code = (
        "import resource, subprocess, sys, time; start = time.perf_counter();"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE);"
        "print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, done.returncode);"
        "sys.stderr.buffer.write(done.stderr)"
    )
    given = {**os.environ, **(env or {})}
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=cwd, check=True, env=given
    )
    seconds, megabytes, status = done.stdout.split()
    if status != "0":
        raise SystemExit(f"{' '.join(words)} failed: {done.stderr.strip()}")
    return float(seconds), float(megabytes)


def memory(call: str) -> float:
    """Peak megabytes of a Python process of its own that does this."""
    return command(sys.executable, "-c", call, cwd=str(ROOT))[1]
