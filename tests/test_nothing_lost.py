"""The whole command under attack: hostile sources, Ctrl-C, kills, two at once, no network."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import hostile
from tests.test_files import needs_namespaces, needs_strace

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-m", "pipeline.cli"]
TEXT = "FAQ\nVersion 1.0\n\nQ: May a unit move twice in one turn?\nA: No, it may move once in a turn.\n"
TEXT += "\nQ: Is the answer above the last word?\nA: Yes, it is the last word on moving."


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "RUBRICATOR_CACHE": str(folder / "cache"), "SOURCE_DATE_EPOCH": "1700000000"}


def run(folder: Path, *arguments: str, before: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    command = [*before, *COMMAND, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment(folder))


def book(folder: Path, *products: str) -> Path:
    made = folder / "sources" / "one"
    made.mkdir(parents=True)
    hostile.write(made, {"faq": hostile.words(TEXT)})
    (made / "book.toml").write_text(f"title = 'One'\nlanguage = 'en'\nproducts = {list(products)!r}\n")
    return made


def files(folder: Path) -> dict[str, bytes]:
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".lock"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_one_bad_source_is_one_line_and_the_others_are_exported(tmp_path: Path) -> None:
    made = {
        "a-good": hostile.words(TEXT),
        "b-laughs": hostile.laughs(),
        "c-cut": b"%PDF-1.7\nhalf",
        "d-good": hostile.words(TEXT),
    }
    names = [path.name for path in hostile.write(tmp_path, made)]
    done = run(tmp_path, "export", *names, "--quiet")
    assert done.returncode == 3
    assert [line.split(":")[1].strip() for line in done.stderr.splitlines()] == ["b-laughs.pdf", "c-cut.pdf"]
    assert "Traceback" not in done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["source"] for line in lines if line["kind"] == "document"] == ["a-good.pdf", "d-good.pdf"]


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_command_leaves_nothing(tmp_path: Path, sent: signal.Signals, code: int) -> None:
    hostile.write(tmp_path, {"rescan": hostile.rescan()})
    command = [*COMMAND, "export", "rescan.pdf", "-o", "out.jsonl"]
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with subprocess.Popen(command, cwd=tmp_path, env={**environment(tmp_path), "TMPDIR": str(scratch)}) as process:
        children: list[str] = []
        while not children and process.poll() is None:
            children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(sent)
    assert process.returncode == code
    assert children
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rescan.pdf", "scratch"]
    assert not list(scratch.iterdir())


def test_an_output_is_never_its_own_source(tmp_path: Path) -> None:
    [path] = hostile.write(tmp_path, {"faq": hostile.words(TEXT)})
    before = path.read_bytes()
    done = run(tmp_path, "export", "faq.pdf", "-o", "faq.pdf")
    assert done.returncode == 5
    assert "the source itself" in done.stderr
    assert path.read_bytes() == before


@needs_strace
def test_a_build_killed_at_any_file_is_whole_and_the_next_is_the_same(tmp_path: Path) -> None:
    book(tmp_path, "web")
    assert run(tmp_path, "build", "sources/one").returncode == 0
    good = files(tmp_path / "output")
    assert good
    kills = 0
    for call in ("fsync", "rename,renameat,renameat2"):
        for number in (1, 2, 3):
            shutil.rmtree(tmp_path / "output")
            inject = (
                "strace",
                "-qq",
                "-o",
                os.devnull,
                "-e",
                f"trace={call}",
                "-e",
                f"inject={call}:signal=SIGKILL:when={number}",
            )
            killed = run(tmp_path, "build", "sources/one", before=inject)
            left = {name: held for name, held in files(tmp_path / "output").items() if not name.endswith(".part")}
            assert all(good[name] == held for name, held in left.items())
            if killed.returncode == 0:
                break
            kills += 1
            assert run(tmp_path, "build", "sources/one").returncode == 0
            assert files(tmp_path / "output") == good
    assert kills >= 2


@needs_namespaces
def test_a_build_without_network_makes_the_same_files(tmp_path: Path) -> None:
    book(tmp_path, "web", "sheet")
    assert run(tmp_path, "build", "sources/one").returncode == 0
    online = files(tmp_path / "output")
    shutil.rmtree(tmp_path / "output")
    shutil.rmtree(tmp_path / "cache")
    offline = run(tmp_path, "build", "sources/one", before=("unshare", "-rn"))
    assert offline.returncode == 0, offline.stderr
    assert files(tmp_path / "output") == online
    assert any(name.endswith(".pdf") for name in online)


def test_two_builds_at_once_do_not_spoil_each_other(tmp_path: Path) -> None:
    book(tmp_path, "web")
    command = [*COMMAND, "build", "sources/one", "--quiet"]
    running = [subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path)) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    together = files(tmp_path / "output")
    shutil.rmtree(tmp_path / "output")
    assert run(tmp_path, "build", "sources/one").returncode == 0
    assert files(tmp_path / "output") == together
