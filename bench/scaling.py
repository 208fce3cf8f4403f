"""How the cost of merging and comparing grows with the number of entries."""

from __future__ import annotations

import gc
import statistics
import time
from dataclasses import replace

from bench.entries import release
from bench.measure import Row, Work, growth, memory

COUNTS = (300, 1000, 2000, 5000, 20000)
OFTEN = 2000  # entries: up to this many it is done several times


def _seconds(work: Work, count: int) -> float:
    taken = []
    for _ in range(3 if count <= OFTEN else 1):
        gc.collect()
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def merging(counts: tuple[int, ...] = COUNTS) -> list[Row]:
    """dedup of one release of so many entries."""
    from pipeline import merge

    merge([release(50)])
    taken = []
    for count in counts:
        made = release(count)
        seconds = _seconds(lambda made=made: merge([made]), count)  # type: ignore[misc]
        call = f"from bench.entries import release; from pipeline import merge; merge([release({count})])"
        taken.append((count, seconds, memory(call)))
    return _times(growth(taken, "entries"))


def comparing(counts: tuple[int, ...] = COUNTS) -> list[Row]:
    """diff of two releases of so many entries, a tenth of them changed."""
    from pipeline import compare

    compare(release(50), release(50, version="1.1", changed=0.1))
    taken = []
    for count in counts:
        old, new = release(count), release(count, version="1.1", changed=0.1)
        seconds = _seconds(lambda old=old, new=new: compare(old, new), count)  # type: ignore[misc]
        call = ("from bench.entries import release; from pipeline import compare; "
                f"compare(release({count}), release({count}, version='1.1', changed=0.1))")  # fmt: skip
        taken.append((count, seconds, memory(call)))
    return _times(growth(taken, "entries"))


def _times(rows: list[Row]) -> list[Row]:
    """The largest against a tenth of it: ten times is linear."""
    tenth = next((row for row in rows if row.name == "2,000 entries"), None)
    if tenth is None or rows[-1].name != "20,000 entries":
        return rows
    return [*rows[:-1], replace(rows[-1], note=f"{rows[-1].seconds / tenth.seconds:.1f} times 2,000 entries")]
