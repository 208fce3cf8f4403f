"""How the cost of merging and comparing grows with the number of entries."""

from __future__ import annotations

import statistics
import time

from bench.entries import release
from bench.measure import Row

COUNTS = (300, 1000, 2000, 5000, 20000)


def _seconds(work: object, times: int) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()  # type: ignore[operator]
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def merging(counts: tuple[int, ...] = COUNTS) -> list[Row]:
    """dedup of one release of so many entries."""
    from pipeline import merge

    merge([release(50)])
    return _growth([(count, _seconds(lambda count=count: merge([release(count)]), 3 if count <= 2000 else 1)
                     - _seconds(lambda count=count: release(count), 1)) for count in counts])  # fmt: skip


def comparing(counts: tuple[int, ...] = COUNTS) -> list[Row]:
    """diff of two releases of so many entries, a tenth of them changed."""
    from pipeline import compare

    rows = []
    for count in counts:
        old, new = release(count), release(count, version="1.1", changed=0.1)
        rows.append((count, _seconds(lambda old=old, new=new: compare(old, new), 3 if count <= 2000 else 1)))
    return _growth(rows)


def _growth(taken: list[tuple[int, float]]) -> list[Row]:
    per = taken[0][1] / taken[0][0]
    return [Row(name=f"{count:,} entries", seconds=seconds, ratio=seconds / count / per, note="cost an entry")
            for count, seconds in taken]  # fmt: skip
