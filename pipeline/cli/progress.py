"""How far a long command is: a bar on a terminal, elsewhere a line every so often, with --quiet nothing."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from types import TracebackType

from pipeline import cli
from pipeline.errors import RubricatorError, counted

EVERY = 15.0  # seconds between two lines where there is no terminal
FRESH = 0.1  # seconds between two pictures of the bar
WIDTH = 24  # of the bar, in letters
CLEAR = "\r\x1b[K"


class Progress:
    """Counts what is over and shows it on stderr; stdout is never touched."""

    def __init__(self, args: argparse.Namespace, of: int) -> None:
        self.code = 0  # of the first failure
        self.read = self.skipped = self.failed = 0
        self._args, self._of = args, of
        self._bar = not args.quiet and of > 1 and sys.stderr.isatty()
        self._began = time.monotonic()
        self._shown = self._began - FRESH if self._bar else self._began  # a bar is there from the first file on

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._wipe()
        if kind is not None and issubclass(kind, BaseException) and not issubclass(kind, Exception):
            done = self.read + self.skipped + self.failed
            cli.say(self._args, f"stopped after {done} of {self._of}; the same command goes on from there")

    def over(self, name: str, outcome: object) -> None:
        """A source is over: a document, an error, or None when it was done before."""
        if isinstance(outcome, RubricatorError):
            self.failed += 1
            self.code = self.code or outcome.exit_code
            self._wipe()
            cli.complain(outcome)
        elif outcome is None:
            self.skipped += 1
        else:
            self.read += 1
        self._show(name)

    def summary(self, entries: int) -> str:
        """All of it in one line."""
        parts = [f"{counted(entries, 'entry', 'entries')} from {self.read:,} of {counted(self._of, 'file')}"]
        parts += [f"{self.skipped:,} done before"] if self.skipped else []
        parts += [f"{self.failed:,} failed"] if self.failed else []
        return ", ".join(parts)

    def _show(self, name: str) -> None:
        now, done = time.monotonic(), self.read + self.skipped + self.failed
        if now - self._shown < (FRESH if self._bar else EVERY) or self._args.quiet:
            return
        self._shown = now
        if self._bar:
            sys.stderr.write(CLEAR + self._line(name, done, now)[: shutil.get_terminal_size().columns - 1])
            sys.stderr.flush()
        else:
            cli.say(self._args, f"{done:,} of {self._of:,}, {self._left(done, now)}")

    def _line(self, name: str, done: int, now: float) -> str:
        full = WIDTH * done // max(self._of, 1)
        return f"{'█' * full}{'░' * (WIDTH - full)} {done:,} of {self._of:,}, {self._left(done, now)}  {name}"

    def _left(self, done: int, now: float) -> str:
        """How much longer it will take, from what was read so far."""
        worked = self.read + self.failed
        seconds = round((now - self._began) / max(worked, 1) * (self._of - done))
        return f"{seconds // 60}:{seconds % 60:02d} left"

    def _wipe(self) -> None:
        if self._bar:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
