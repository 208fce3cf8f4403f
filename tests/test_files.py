"""Names, full disks, kills: what is on the disk afterwards is the old file or the new one, whole."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import guard
from pipeline.errors import RubricatorError
from pipeline.records import Document
from tests import durable, hostile

ROOT = Path(__file__).parent.parent
OLD, NEW = b"old " * 5_000, b"new " * 50_000

# Writes NEW to each path given, through the store.
ATOMIC = """
import sys; from pathlib import Path; from pipeline import store
for path in sys.argv[1:]: store.write(Path(path), b"new " * 50_000)
"""
# The control: what a program does that has not thought about it.
NAIVE = """
import os, sys; from pathlib import Path
for path in sys.argv[1:]:
    with open(path, "wb", buffering=0) as out:
        for _ in range(20): out.write(b"new " * 2_500)
        os.fsync(out.fileno())
"""

needs_strace = pytest.mark.skipif(
    not shutil.which("strace") or subprocess.run(["strace", "true"], capture_output=True).returncode != 0,
    reason="strace cannot trace here",
)


needs_namespaces = pytest.mark.skipif(not durable.own_disk(), reason="this kernel gives no user namespace")


def prepared(folder: Path, count: int = 2) -> list[Path]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    paths = [folder / f"{number}.html" for number in range(count)]
    for path in paths:
        path.write_bytes(OLD)
    return paths


# ---------------------------------------------------------------- killed at any moment


def killed_at(call: str, number: int, program: str, paths: list[Path]) -> bool:
    """Run the program and kill it at the n-th such call on our files; False when it got through."""
    inject = f"inject={call}:signal=SIGKILL:when={number}"
    quiet = ["strace", "-f", "-qq", "-o", os.devnull, "-e", f"trace={call}", "-e", inject]
    done = subprocess.run([*quiet, sys.executable, "-c", program, *map(str, paths)], capture_output=True)
    return done.returncode != 0


def whole(paths: list[Path]) -> bool:
    return all(path.read_bytes() in (OLD, NEW) for path in paths)


@needs_strace
@pytest.mark.parametrize("call", ["write", "fsync", "rename,renameat,renameat2", "fchmod,chmod,fchmodat", "openat"])
def test_a_kill_at_any_call_leaves_the_old_file_or_the_new_one(tmp_path: Path, call: str) -> None:
    folder = tmp_path / "out"
    calls = range(1, 40) if call != "openat" else range(2, 300, 60)
    for number in calls:
        paths = prepared(folder)
        killed = killed_at(call, number, ATOMIC, paths)
        assert whole(paths), f"{call} {number}"
        if not killed:
            break
        subprocess.run([sys.executable, "-c", ATOMIC, *map(str, paths)], check=True)
        assert sorted(path.name for path in folder.iterdir()) == ["0.html", "1.html"]
        assert all(path.read_bytes() == NEW for path in paths)


@needs_strace
def test_the_kills_would_be_noticed(tmp_path: Path) -> None:
    spoiled = 0
    for number in range(1, 12, 3):
        paths = prepared(tmp_path / "out")
        killed_at("write", number, NAIVE, paths)
        spoiled += not whole(paths)
    assert spoiled


@needs_strace
@pytest.mark.parametrize("call", ["write", "fsync", "rename,renameat,renameat2"])
@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "EROFS"])
def test_a_failing_call_keeps_what_was_there(tmp_path: Path, call: str, error: str) -> None:
    program = ATOMIC.replace("for path", "from pipeline.errors import OutputError\nfor path").replace(
        "store.write(Path(path), ", "exec('try: store.write(Path(path), x)\\nexcept OutputError as e: sys.exit(e.exit_code)', {**globals(), 'x': "
    ).replace("50_000)", "50_000})")  # fmt: skip
    [path] = prepared(tmp_path / "out", 1)
    inject = f"inject={call}:error={error}:when=1+"
    done = subprocess.run(
        ["strace", "-f", "-qq", "-o", os.devnull, "-P", str(path.parent), "-P", str(path), "-e", f"trace={call}",
         "-e", inject, sys.executable, "-c", program, str(path)], capture_output=True, text=True,
    )  # fmt: skip
    assert path.read_bytes() in (OLD, NEW)
    assert done.returncode in (0, 5), done.stderr
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@needs_strace
def test_a_power_cut_meets_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    """The content is on the disk before it gets its name, and the name, and that of a new folder, before we go on."""
    told = tmp_path / "told"
    calls = "fsync,rename,renameat,renameat2,mkdir,mkdirat,chmod,fchmodat"
    command = ["strace", "-f", "-qq", "-y", "-o", str(told), "-e", f"trace={calls}", sys.executable, "-c", ATOMIC]
    subprocess.run([*command, str(tmp_path / "new" / "deep" / "page.html")], check=True, capture_output=True)
    steps = []
    for line in told.read_text(encoding="utf-8").splitlines():
        if str(tmp_path) in line:
            call = re.search(r"\b(fsync|rename|mkdir|chmod|fchmodat)", line)
            place = "file" if ".part" in line else "folder"
            steps.append(f"{call[1] if call else line} {place}")
    assert steps == ["mkdir folder", "fsync folder", "mkdir folder", "fsync folder", "chmod file", "fsync file", "rename file", "fsync folder"]


ENDS = {
    "a thread that nobody waits for": """
def work():
    while True:
        try: store.write(path, b"new "); begun.set()
        except store.OutputError: return  # what it wrote was taken away
threading.Thread(target=work, daemon=True).start()
begun.wait()
""",
    "interrupted while it is removed": """
remove = Path.unlink
def interrupted(self, missing_ok=False):
    Path.unlink = remove
    raise KeyboardInterrupt
Path.unlink = interrupted
try: store.write(path, b"new ")
except KeyboardInterrupt: assert list(path.parent.glob("*.part")) or path.exists()
""",
    "interrupted before it is known": """
create = os.open
def interrupted(*given):
    handle = create(*given)
    if str(given[0]).endswith(".part"): raise KeyboardInterrupt
    return handle
os.open = interrupted
try: store.write(path, b"new ")
except KeyboardInterrupt: assert list(path.parent.glob("*.part"))
""",
    "a lock": """
def work():
    with store.locked(path.parent / "book", print): begun.set(); time.sleep(600)
threading.Thread(target=work, daemon=True).start()
begun.wait()
""",
}


@pytest.mark.parametrize("how", ENDS)
def test_whatever_ends_a_process_its_temporary_files_go_with_it(tmp_path: Path, how: str) -> None:
    head = "import os, sys, threading, time; from pathlib import Path; from pipeline import store\n"
    program = f"{head}path, begun = Path(sys.argv[1]), threading.Event()\n{ENDS[how]}"
    [path] = prepared(tmp_path / "out", 1)
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() in (OLD, b"new ")


# ---------------------------------------------------------------- full disk, read-only folder

TRY = """
import resource, sys; from pathlib import Path; from pipeline import store; from pipeline.errors import OutputError
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
if sys.argv[2] != "0": resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try: store.write(Path(sys.argv[1]), b"new " * 50_000)
except OutputError as error: print(error); sys.exit(error.exit_code)
"""


def test_a_full_disk_keeps_what_was_there(tmp_path: Path) -> None:
    [path] = prepared(tmp_path / "out", 1)
    done = subprocess.run([sys.executable, "-c", TRY, str(path), "65536"], capture_output=True, text=True)
    assert done.returncode == 5
    assert len(done.stdout.splitlines()) == 1
    assert path.read_bytes() == OLD
    assert list(path.parent.iterdir()) == [path]


@needs_namespaces
def test_a_really_full_disk_keeps_what_was_there(tmp_path: Path) -> None:
    [path] = prepared(tmp_path / "out", 1)
    (tmp_path / "try.py").write_text(TRY)
    script = (
        'mount -t tmpfs -o size=128k none "$1" && head -c 20000 /dev/zero > "$1/0.html" && "$2" "$3" "$1/0.html" 0;'
        ' code=$?; ls -A "$1"; wc -c < "$1/0.html"; exit $code'
    )
    command = ["unshare", "-rm", "sh", "-c", script, "sh", str(path.parent), sys.executable, str(tmp_path / "try.py")]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 5, done.stderr
    assert "No space left" in done.stdout
    assert done.stdout.splitlines()[1:] == ["0.html", "20000"]


@needs_namespaces
def test_a_read_only_folder_is_an_output_error(tmp_path: Path) -> None:
    [path] = prepared(tmp_path / "out", 1)
    (tmp_path / "try.py").write_text(TRY)
    script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && "$2" "$3" "$1/0.html" 0'
    command = ["unshare", "-rm", "sh", "-c", script, "sh", str(path.parent), sys.executable, str(tmp_path / "try.py")]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 5, done.stderr
    assert "Read-only" in done.stdout
    assert path.read_bytes() == OLD


# ---------------------------------------------------------------- names

NAMES = [
    "with space", "accentué", "e\u0301a\u0301 decomposed", "日本語", "🎲 dice", "new\nline", "-leading-dash", "--help", "%2e%2e",
    "CON", "quote'\"", "semi;colon&amp", "$(touch x)", "tab\there", "esc\x1b[31m", "x" * 251, "é" * 125, "..hidden", ".hidden",
]  # fmt: skip


def test_every_name_is_read_and_shown_in_one_line(tmp_path: Path) -> None:
    text = "A name is only a name.\nWhatever it is, the page below it can be read by anybody."
    paths = hostile.write(tmp_path, {name: hostile.words(text) for name in NAMES})
    raw = os.fsdecode(os.fsencode(tmp_path) + b"/not-utf8-\xff\xfe.pdf")
    Path(raw).write_bytes(hostile.words(text))
    outcomes = list(guard.read_all([*paths, Path(raw)], cache=tmp_path / "cache"))
    assert len(outcomes) == len(NAMES) + 1
    for path, outcome in outcomes:
        assert isinstance(outcome, Document), (path, outcome)
        outcome.source.encode("utf-8")
        assert outcome.source.isprintable()
    assert len({outcome.source for _, outcome in outcomes if isinstance(outcome, Document)}) == len(outcomes)


def test_two_sources_of_one_name_are_two_documents(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        text = f"The document in folder {folder}.\nIt has a name that another one has too, and other words."
        hostile.write(tmp_path / folder, {"faq": hostile.words(text)})
    paths = [tmp_path / "one" / "faq.pdf", tmp_path / "two" / "faq.pdf"]
    one, two = (outcome for _, outcome in guard.read_all(paths, cache=tmp_path / "cache"))
    assert isinstance(one, Document)
    assert isinstance(two, Document)
    assert one.sha256 != two.sha256
    again = [outcome for _, outcome in guard.read_all(paths, cache=tmp_path / "cache")]
    assert again == [one, two]


def test_an_error_about_a_strange_name_is_one_line(tmp_path: Path) -> None:
    for name in NAMES:
        [(_, outcome)] = guard.read_all([tmp_path / f"{name}.pdf"], cache=None)
        assert isinstance(outcome, RubricatorError)
        assert len(str(outcome).splitlines()) == 1
        assert "\x1b" not in str(outcome)


def test_reading_changes_nothing_beside_the_source(tmp_path: Path) -> None:
    paths = hostile.write(tmp_path, {**{"good": hostile.words("Some words.")}, "cut": hostile.words("x")[:-60]})
    before = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
    list(guard.read_all(paths, cache=None))
    assert {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in tmp_path.iterdir()} == before
