"""Work that takes longer than a second: done by a thread of its own, asked for by its number."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from pipeline.errors import RubricatorError

KEPT = 30  # jobs that can still be asked for
LINES = 12  # of progress that are told


@dataclass(slots=True)
class Job:
    """One piece of work, and how far it is."""

    number: int
    what: str
    state: str = "waits"  # waits, runs, done, failed
    lines: list[str] = field(default_factory=list)
    result: Any = None
    error: str = ""

    def packed(self) -> dict[str, Any]:
        return {"job": self.number, "what": self.what, "state": self.state, "lines": self.lines[-LINES:],
                "result": self.result, "error": self.error}  # fmt: skip


class Jobs:
    """One after another, so that two builds of one book do not meet."""

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, "press")
        self._jobs: dict[int, Job] = {}
        self._lock = threading.Lock()

    def start(self, what: str, work: Callable[[Callable[[str], None]], Any]) -> Job:
        """Begin; ``work`` is given what it tells its progress to, and gives back what the page is told."""
        with self._lock:
            number = max(self._jobs, default=0) + 1
            job = self._jobs[number] = Job(number, what)
            for old in [each for each in self._jobs if each <= number - KEPT]:
                del self._jobs[old]
        self._worker.submit(self._run, job, work)
        return job

    def job(self, number: int) -> Job | None:
        return self._jobs.get(number)

    @staticmethod
    def _run(job: Job, work: Callable[[Callable[[str], None]], Any]) -> None:
        job.state = "runs"
        try:
            job.result = work(job.lines.append)
            job.state = "done"
        except RubricatorError as error:
            job.error, job.state = str(error), "failed"
        except Exception as error:
            traceback.print_exc()
            job.error, job.state = f"a bug: {type(error).__name__}: {error} – please report it", "failed"

    def close(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)
