"""Strange surroundings: no home, no temporary folder, few open files, little memory, closed streams, hang-ups."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import hostile
from tests.conftest import ROOT

TEXT = "Q: May the lantern pass the ferry?\nA: Yes, when the bell has rung for the third time.\nQ: And the salt?\nA: No."
RUBRICATOR = [sys.executable, "-m", "pipeline.cli"]
BARE = {"PYTHONPATH": str(ROOT), "RUBRICATOR_CACHE": "off"}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "tmp").mkdir()
    return hostile.write(tmp_path, {"faq": hostile.words(TEXT)})[0]


def run(script: str, source: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A line of shell in the folder of the source, with nothing in its environment but this."""
    command = script.replace("rubricator", " ".join(RUBRICATOR))
    return subprocess.run(["sh", "-c", command], cwd=source.parent, env=BARE | environment, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("script", "environment"),
    [
        ("rubricator export faq.pdf", {}),
        ("rubricator export faq.pdf", {"HOME": "/proc/none", "RUBRICATOR_CACHE": ""}),
        ("rubricator export faq.pdf", {"TMPDIR": "/nonexistent", "LC_ALL": "C", "LANG": "C"}),
        ("ulimit -n 64; rubricator export faq.pdf --jobs 8", {}),
        ("ulimit -v 600000; rubricator export faq.pdf", {}),
        ("umask 077; rubricator export faq.pdf", {}),
        ("mkdir gone; cd gone; rmdir ../gone; rubricator export ../faq.pdf || cd .. && rubricator export faq.pdf", {}),
        ("rubricator export faq.pdf <&- 2>&-", {}),
    ],
)  # fmt: skip
def test_it_reads_all_the_same(source: Path, script: str, environment: dict[str, str]) -> None:
    done = run(script, source, **environment)
    assert done.returncode == 0, done.stderr
    assert "third time" in done.stdout


@pytest.fixture
def without_pango() -> str:
    """A line of shell after which there is no Pango, for this shell and what it starts."""
    script = "import weasyprint; print(*{line.split()[-1] for line in open('/proc/self/maps') if 'libpango' in line or 'harfbuzz-subset' in line})"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout.split()
    hidden = "; ".join(f"mount --bind /dev/null {path}" for path in found)
    if not found or subprocess.run(["unshare", "-rm", "sh", "-c", hidden], capture_output=True).returncode:
        pytest.skip("no library can be hidden here")
    return hidden


@pytest.mark.parametrize(
    ("script", "code", "says"),
    [
        ("rubricator build faq.pdf -q", 6, "rubricator: printing needs Pango, and it cannot be loaded – sudo apt-get install libpango-1.0-0"),
        ("rubricator build faq.pdf other.pdf sources/one -q", 6, "printing needs Pango"),
        ("rubricator doctor >&2", 6, "MISSING Pango: printing needs it, and it cannot be loaded – sudo apt-get install libpango-1.0-0"),
        ("rubricator export faq.pdf -q", 0, ""),
    ],
)
def test_without_pango_one_line_says_so_and_the_rest_works(source: Path, without_pango: str, script: str, code: int, says: str) -> None:
    for name in ("other.pdf", "sources/one/a.pdf"):
        (source.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (source.parent / name).write_bytes(source.read_bytes())
    inside = f"{without_pango}; {script.replace('rubricator', ' '.join(RUBRICATOR))}"
    done = run(f"unshare -rm sh -c '{inside}'", source, PATH=os.environ["PATH"])
    assert (done.returncode, says in done.stderr) == (code, True), done.stderr
    if "build" in script:
        assert len(done.stderr.splitlines()) == 1
        places = {path.parent.name for path in (source.parent / "output").rglob("web.html")}  # which needs none
        assert places == ({"faq", "one"} if "sources" in script else {"faq"})
    elif "doctor" in script:
        assert "a bug" not in done.stderr and "-----" not in done.stderr


@pytest.mark.parametrize(
    ("script", "code", "says"),
    [
        ("ulimit -n 8; rubricator export faq.pdf", 6, "no more open files"),
        ("rubricator export faq.pdf >&-", 5, "standard output is closed"),
        ("rubricator export faq.pdf >/dev/full", 5, "No space left"),
        (f"rubricator export faq.pdf -o {'/'.join(['y' * 200] * 30)}/out.csv", 5, "File name too long"),
        (f"rubricator export faq.pdf -o {'y' * 300}/out.csv", 5, "File name too long"),
    ],
)
def test_or_says_in_a_line_what_is_wrong(source: Path, script: str, code: int, says: str) -> None:
    done = run(script, source)
    assert done.returncode == code, done.stderr
    assert says in done.stderr and len(done.stderr.splitlines()) == 1


def test_files_for_nobody_else_stay_so(source: Path) -> None:
    run("umask 077; rubricator export faq.pdf -o made/faq.csv", source)
    assert (source.parent / "made" / "faq.csv").stat().st_mode & 0o077 == 0
    cached = source.parent / "cache"
    run("umask 000; rubricator export faq.pdf", source, RUBRICATOR_CACHE=str(cached))
    assert cached.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in cached.iterdir())


# ---------------------------------------------------------------- ends

STAY = (
    "import sys; sys.path.insert(0, sys.argv[1])\n"
    "from pipeline import store, worker\n"
    "def read(path, sha256, tell):\n    tell(pages=1)\n    import time; time.sleep(600)\n"
    "worker.read = read; worker.PRELOAD[worker.READ] = (); worker._practise = lambda: None; worker.main(*sys.argv[2:])\n"
)
COMMAND = (
    "import sys; from pipeline import cli, guard\n"
    f"guard.BOOT = {STAY!r}\n"
    "sys.exit(cli.main(['export', 'faq.pdf', '-o', 'out/']))\n"
)


def has_begun(folder: Path, process: int) -> bool:
    """The child has its fork, and the lock is there."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        forks = [Path(f"/proc/{child}/task/{child}/children").read_text().split() for child in children]
    except OSError:
        return False
    return any(forks) and bool(list(folder.glob(".rubricator-*.lock")))


def left(folder: Path) -> list[str]:
    found = [path for path in folder.rglob("*") if path.name.endswith((".part", ".lock")) or path.name.startswith("rubricator-")]
    return sorted(path.name for path in found)


@pytest.mark.parametrize(
    ("sent", "code"), [([signal.SIGHUP], 129), ([signal.SIGTERM], 143), ([signal.SIGHUP, signal.SIGTERM, signal.SIGHUP], 129)]
)
def test_a_command_that_is_ended_leaves_nothing(source: Path, sent: list[signal.Signals], code: int) -> None:
    environment = os.environ | BARE | {"TMPDIR": str(source.parent / "tmp")}
    with subprocess.Popen([sys.executable, "-c", COMMAND], cwd=source.parent, env=environment, stderr=subprocess.PIPE) as process:
        while not has_begun(source.parent, process.pid) and process.poll() is None:
            time.sleep(0.02)
        for each in sent:
            process.send_signal(each)
    assert process.returncode == code
    assert left(source.parent) == []


def test_a_terminal_that_is_closed_ends_it_cleanly(source: Path) -> None:
    environment = os.environ | BARE | {"TMPDIR": str(source.parent / "tmp")}
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(source.parent)
        os.execve(sys.executable, [sys.executable, "-c", COMMAND], environment)
    while not has_begun(source.parent, child):
        time.sleep(0.02)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 129
    assert left(source.parent) == []


def test_who_was_told_to_ignore_a_hang_up_goes_on(source: Path) -> None:
    script = "trap '' HUP; rubricator export faq.pdf -o out.csv & sleep 0.3; kill -HUP $!; wait $!"
    assert run(script, source).returncode == 0
    assert (source.parent / "out.csv").exists()


def test_what_a_kill_left_is_swept_by_the_next(source: Path) -> None:
    environment = os.environ | BARE | {"TMPDIR": str(source.parent / "tmp")}
    with subprocess.Popen([sys.executable, "-c", COMMAND], cwd=source.parent, env=environment) as process:
        while not has_begun(source.parent, process.pid) and process.poll() is None:
            time.sleep(0.02)
        process.kill()
    assert left(source.parent), "it had no chance"
    assert run("rubricator export faq.pdf -o out/", source, TMPDIR=str(source.parent / "tmp")).returncode == 0
    assert left(source.parent) == []


def test_a_clock_that_jumps_changes_no_deadline() -> None:
    """Time is measured where nobody can set it; a grep is enough."""
    for name in ("guard", "worker", "archive", "store"):
        held = (ROOT / "pipeline" / f"{name}.py").read_text(encoding="utf-8")
        assert "time.time()" not in held and "datetime.now" not in held, name
