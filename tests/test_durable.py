"""Some of the points at which a command can be disturbed; ``make fuzz`` tries two hundred of each."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests import durable
from tests.conftest import ROOT

FEW = {"build": 3, "handout": 3, "apply": 3}


@pytest.mark.parametrize("command", durable.COMMANDS)
def test_whatever_happens_nothing_good_is_lost_and_the_next_run_is_whole(command: str) -> None:
    tries = [sys.executable, "-m", "tests.durable", command, str(FEW.get(command, 8))]
    done = subprocess.run(tries, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "'full': " in done.stdout or not durable.own_disk()


def test_a_loss_would_be_noticed() -> None:
    before, after = {"output/a": b"old", "output/b": b"old"}, {"output/a": b"new", "output/b": b"new"}
    assert not durable.judged(before, after, {"output/a": b"old", "output/b": b"new", "output/.rubricator-x.part": b"ne"})
    assert "neither old nor new" in durable.judged(before, after, {"output/a": b"ne", "output/b": b"new"})
    assert "is gone" in durable.judged(before, after, {"output/a": b"new"})
    assert "neither old nor new" in durable.judged(before, after, {**after, "output/c": b"stray"})
