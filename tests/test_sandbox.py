"""A reader that a PDF has taken over: hostile code where the PDF engine would be. Whatever it tries, it reads only what
it was given, and says only what is heard of its own file. Each act is also tried without the guard, where it succeeds.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import doctor, guard, sandbox, store
from pipeline.errors import RubricatorError, SourceError
from pipeline.records import Document

if not (sandbox.landlock() and sandbox.seccomp()):
    pytest.skip("this kernel has no Landlock or no seccomp: doctor says so", allow_module_level=True)

# The act is the name of the file, its argument stands in the file. One word in the document: it succeeded.
TAKEN_OVER = """
import ctypes, fcntl, json, mmap, os, signal, socket, subprocess, sys, threading, time
sys.path.append(sys.argv[1])
from pathlib import Path
from pipeline import store, worker
from pipeline.records import QA, Document
from pipeline.text import rich

libc = ctypes.CDLL(None, use_errno=True)
def called(result):
    if result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def unix(address):
    with socket.socket(socket.AF_UNIX) as made: made.connect(address)
def owned(process):
    ours, theirs = os.pipe()
    fcntl.fcntl(ours, fcntl.F_SETOWN, process)
def forked():
    if os.fork() == 0: os._exit(0)
    os.wait()
def forged(**more):
    document = Document(source="forged.pdf", sha256="f" * 64, pages=9, words=1)
    return json.dumps({"answer": {"json": store.to_json(document)}, **more}).encode() + b"\\n"
def everywhere(text):
    for handle in range(256):
        try: os.write(handle, text)
        except OSError: pass

ACTS = {
    "read": lambda x: Path(x).read_bytes(),
    "list": lambda x: os.listdir(x),
    "environment": lambda x: Path(f"/proc/{x}/environ").read_bytes(),
    "memory": lambda x: open(f"/proc/{x}/mem", "rb").close(),
    "handles": lambda x: open(f"/proc/{x}/fd/1", "wb").close(),
    "write": lambda x: Path(x).write_bytes(b"x"),
    "append": lambda x: open(x, "ab").close(),
    "truncate": lambda x: os.truncate(x, 0),
    "remove": lambda x: os.unlink(x),
    "rename": lambda x: os.rename(x, x + "-taken"),
    "link": lambda x: os.link(x, x + "-linked"),
    "symlink": lambda x: os.symlink("/", x + "-pointed"),
    "folder": lambda x: os.mkdir(x + "-made"),
    "device": lambda x: os.mknod(x + "-fifo", 0o10600),
    "mode": lambda x: os.chmod(x, 0o777),
    "owner": lambda x: os.chown(x, -1, -1),
    "times": lambda x: os.utime(x, (0, 0)),
    "attribute": lambda x: os.setxattr(x, "user.x", b"x"),
    "scratch": lambda x: Path(os.environ["TMPDIR"], "x").write_bytes(b"x"),
    "tcp": lambda x: socket.create_connection(("127.0.0.1", int(x)), 2).close(),
    "udp": lambda x: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", int(x))),
    "unix": unix,
    "abstract": lambda x: unix("\\0" + x),
    "fork": lambda x: forked(),
    "spawn": lambda x: subprocess.run(["/bin/true"], check=True),
    "exec": lambda x: os.execv("/bin/true", ["true"]) if x == "now" else called(-1 if libc.execve(b"/bin/none", None, None) and ctypes.get_errno() == 1 else 0),
    "ring": lambda x: called(libc.syscall(425, 4, ctypes.create_string_buffer(256))),
    "signal": lambda x: os.kill(int(x), 0),
    "group": lambda x: os.killpg(int(x), 0),
    "owned": lambda x: owned(int(x)),
    "session": lambda x: called(libc.syscall(109 if os.uname().machine == "x86_64" else 154, 0, 0)),
    "orphan": lambda x: called(libc.prctl(1, 0, 0, 0, 0)),
    "trace": lambda x: called(libc.ptrace(16, int(x), 0, 0)),
    "namespace": lambda x: os.unshare(0x10000000) if hasattr(os, "unshare") else called(libc.unshare(0x20000)),
    "shared": lambda x: called(libc.shmget(0, 4096, 0o1600)),
    "priority": lambda x: os.setpriority(os.PRIO_PROCESS, int(x), 10),
    "limits": lambda x: __import__("resource").prlimit(int(x), 3),
    "thread": lambda x: threading.Thread(target=lambda: None).start(),
}

def read(path, sha256, tell):
    act, argument = path.stem.partition("-")[0], path.read_bytes().partition(b"\\n")[2].decode()
    tell(pages=1)
    words = 0
    if act == "flood":
        while True: os.write(3, b'{"pages": 1}\\n' * 1000)
    if act == "river":
        while True: os.write(3, b"x" * 65536)
    if act == "forge":
        everywhere(forged(begun=True, ended=0, job=2))
        tell(answer={"json": {"source": "forged.pdf", "sha256": "f" * 64, "pages": 9}})
        time.sleep(0.3)
        everywhere(forged(ended=0))
        os._exit(0)
    if act == "again":
        for _ in range(100): everywhere(b'{"begun": true}\\n'); time.sleep(0.1)
    if act == "stay": time.sleep(60)
    if act in ACTS:
        try: ACTS[act](argument); words = 1
        except (OSError, subprocess.SubprocessError): words = 0
    text = "\\x1b]0;owned\\x07 \\u202e \\ud800 end" if act == "terminal" else "quiet"
    entries = (QA(id="q", question=rich("Why?"), answer=(rich(text),), source="stranger.pdf" if act == "other" else path.name),)
    tell(answer={"json": store.to_json(Document(source=path.name, sha256=sha256, pages=1, words=words, entries=entries))})
    if act == "fail": tell(error={"message": "\\x1b[2J" + "x" * 10_000, "hint": "\\x1b]0;x\\x07", "trace": "\\x1b[2J\\ntrace"})
    tell(findings=[])

if os.environ.get("TZ") == "unlocked":
    worker.sandbox.confine = lambda *_: None
    worker.sandbox.enter = lambda *_: None
worker.read = read
worker.PRELOAD[worker.READ] = ()
worker._practise = lambda: None
worker.main(*sys.argv[2:])
"""


@pytest.fixture(params=["locked in", "without the guard"])
def locked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[bool]:
    held: bool = request.param == "locked in"
    guard.dismiss()
    monkeypatch.setattr(guard, "BOOT", TAKEN_OVER)
    if not held:
        monkeypatch.setenv("TZ", "unlocked")
    yield held
    guard.dismiss()


@pytest.fixture
def taken_over(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    guard.dismiss()
    monkeypatch.setattr(guard, "BOOT", TAKEN_OVER)
    yield
    guard.dismiss()


def source(folder: Path, act: str, argument: object = "") -> Path:
    path = folder / f"{act}.pdf"
    path.write_bytes(f"%PDF-1.7\n{argument}".encode())
    return path


def outcome(path: Path, **more: object) -> Document | RubricatorError:
    [(_, made)] = guard.read_all([path], jobs=1, cache=None, **more)  # type: ignore[arg-type]
    return made


def succeeds(folder: Path, act: str, argument: object = "") -> bool:
    made = outcome(source(folder, act, argument))
    assert isinstance(made, Document), made
    return bool(made.words)


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Somebody's home: a secret, and a folder for sources."""
    (tmp_path / "given").mkdir()
    (tmp_path / "secret").write_text("a secret")
    (tmp_path / "given" / "another.pdf").write_bytes(b"%PDF-1.7\nthe next source")
    return tmp_path


# ---------------------------------------------------------------- files

LOOKING = ["read", "list", "environment", "memory"]
WRITING = ["write", "append", "truncate", "remove", "rename", "link", "symlink", "folder", "device", "mode", "owner", "times",
           "attribute"]  # fmt: skip


@pytest.mark.parametrize("act", LOOKING)
def test_it_reads_nothing_but_what_it_was_given(house: Path, locked: bool, act: str) -> None:
    arguments = {"read": house / "secret", "list": house, "environment": os.getpid(), "memory": os.getpid()}
    assert succeeds(house / "given", act, arguments[act]) == (not locked)
    if act == "read":
        assert succeeds(house / "given", act, house / "given" / "another.pdf") == (not locked), "not even the next source"
        assert succeeds(house / "given", act, house / "given" / "read.pdf"), "its own it reads"


@pytest.mark.parametrize("act", WRITING)
def test_it_writes_and_changes_nothing(house: Path, locked: bool, act: str) -> None:
    try:
        if act == "attribute":
            os.setxattr(house / "secret", "user.y", b"y")
    except OSError:
        pytest.skip("this file system has no attributes")
    before = sorted(path.name for path in house.iterdir()), os.stat(house / "secret")
    assert succeeds(house / "given", act, house / "secret") == (not locked)
    if locked:
        assert (house / "secret").read_text() == "a secret"
        assert (sorted(path.name for path in house.iterdir()), os.stat(house / "secret").st_mtime) == (before[0], before[1].st_mtime)


def test_it_spoils_neither_its_source_nor_our_code_nor_fills_a_disk(house: Path, taken_over: None) -> None:
    own = house / "given" / "write.pdf"
    assert not succeeds(house / "given", "write", own)
    assert not succeeds(house / "given", "write", Path(guard.__file__).parent / "evil.py")
    assert not succeeds(house / "given", "write", Path(sys.prefix) / "evil.py")
    assert not succeeds(house / "given", "scratch"), "to read, no temporary files are needed"


FILL = """
import sys; sys.path.append(sys.argv[1])
import os
from pathlib import Path
from pipeline import worker

def fill(html, pictures):
    written, stopped = 0, ""
    try:
        for number in range(100):
            with open(Path(os.environ["TMPDIR"], str(number)), "wb") as file:
                for _ in range(50): written += file.write(bytes(1 << 20))
    except OSError as error: stopped = os.strerror(error.errno)
    return {"written": written, "stopped": stopped}

class Evil: print_pdf = staticmethod(fill)
worker.importlib.import_module = lambda name: Evil
worker.main(*sys.argv[2:])
"""


def test_a_printer_that_was_taken_over_fills_only_its_own_small_room(monkeypatch: pytest.MonkeyPatch) -> None:
    guard.dismiss()
    monkeypatch.setattr(guard, "BOOT", FILL)
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        pytest.skip("this kernel gives no namespaces: doctor says so")
    for _ in range(2):  # what one left is gone before the next
        told = guard.run("pipeline.render:print_pdf", {"html": "", "pictures": {}})
        assert told["stopped"] and 100 << 20 < told["written"] <= 128 << 20
    [child] = guard._alive
    assert os.listdir(child.scratch.path) == [], "it was never on the disk"
    guard.dismiss()
    assert not os.path.exists(child.scratch.path)


# ---------------------------------------------------------------- network


@pytest.mark.parametrize("act", ["tcp", "udp"])
def test_it_reaches_nobody(house: Path, locked: bool, act: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert succeeds(house / "given", act, server.getsockname()[1]) == (not locked)


@pytest.mark.parametrize("act", ["unix", "abstract"])
def test_it_reaches_no_program_on_this_machine(house: Path, locked: bool, act: str) -> None:
    """A socket in a folder, as of a container engine, is in no network that could be closed."""
    name = f"{house.name}-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(house / "s") if act == "unix" else f"\0{name}")
        server.listen()
        assert succeeds(house / "given", act, house / "s" if act == "unix" else name) == (not locked)


# ---------------------------------------------------------------- processes


@pytest.mark.parametrize("act", ["fork", "spawn", "exec", "session", "orphan", "shared", "namespace", "ring"])
def test_it_starts_nothing_and_leaves_no_group(house: Path, locked: bool, act: str) -> None:
    if not locked and act in ("ring", "namespace", "exec"):
        pytest.skip("not everywhere allowed anyway")
    assert succeeds(house / "given", act) == (not locked)


@pytest.mark.parametrize("act", ["signal", "group", "owned", "trace", "priority", "limits", "handles"])
def test_it_touches_no_other_process(house: Path, locked: bool, act: str) -> None:
    if not locked and act == "trace":
        pytest.skip("not everywhere allowed anyway")
    with subprocess.Popen(["sleep", "60"], stdout=subprocess.PIPE, start_new_session=True) as other:
        try:
            assert succeeds(house / "given", act, other.pid) == (not locked)
        finally:
            other.kill()


def test_threads_are_allowed(house: Path, taken_over: None) -> None:
    assert succeeds(house / "given", "thread"), "Pango looks for fonts in one"


def test_it_does_not_outlive_us(house: Path) -> None:
    source(house / "given", "stay")
    program = (
        "import sys; from pathlib import Path; from pipeline import guard\n"
        "guard.BOOT = sys.argv[2]\nlist(guard.read_all([Path(sys.argv[1])], cache=None))\n"
    )
    command = [sys.executable, "-c", program, str(house / "given" / "stay.pdf"), TAKEN_OVER]
    with subprocess.Popen(command, start_new_session=True) as process:
        family = wait_for(lambda: family_of(process.pid) if len(family_of(process.pid)) == 2 else None)
        process.kill()
    assert wait_for(lambda: not any(Path(f"/proc/{each}").exists() for each in family))


def family_of(process: int) -> list[int]:
    """Children and theirs."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            found += [int(child), *family_of(int(child))]
    return found


def wait_for(told: object) -> list[int]:
    for _ in range(600):
        if made := told():  # type: ignore[operator]
            return made  # type: ignore[no-any-return]
        time.sleep(0.05)
    raise AssertionError("it never came")


# ---------------------------------------------------------------- what it says


@pytest.mark.parametrize("act", ["flood", "river"])
def test_who_says_too_much_is_heard_no_more(house: Path, taken_over: None, act: str) -> None:
    limits = replace(guard.READING, answer=1 << 20)
    made = outcome(source(house / "given", act), limits=limits)
    assert isinstance(made, SourceError) and "too long" in str(made)


def test_nobody_speaks_for_another_file(house: Path, taken_over: None) -> None:
    """Forged answers and ends, on every pipe it can find, for its own request and for the next."""
    paths = [source(house / "given", name) for name in ("forge", "quiet-1", "forge-2", "quiet-2")]
    bad, good, worse, better = (made for _, made in guard.read_all(paths, jobs=1, cache=None))
    assert all(isinstance(each, SourceError) and "nonsense" in str(each) for each in (bad, worse))
    assert isinstance(good, Document) and isinstance(better, Document)
    assert (good.source, better.source) == ("quiet-1.pdf", "quiet-2.pdf") and good.words == better.words == 0


def test_nobody_gives_himself_more_time(house: Path, taken_over: None) -> None:
    made = outcome(source(house / "given", "again"), limits=replace(guard.READING, seconds=2.0, seconds_a_page=0.0))
    assert "took longer than 2 seconds" in str(made)


def test_an_entry_of_another_file_is_nonsense(house: Path, taken_over: None) -> None:
    assert "nonsense" in str(outcome(source(house / "given", "other")))


def test_what_a_terminal_obeys_is_replaced(house: Path, taken_over: None) -> None:
    made = outcome(source(house / "given", "terminal"))
    assert isinstance(made, Document)
    packed = store.pack(made)
    assert "end" in packed and "\ufffd" in packed
    packed.encode("utf-8")
    assert not [letter for letter in ("\\u001b", "\\u0007", "\u202e") if letter in packed]
    failed = outcome(source(house / "given", "fail"))
    assert isinstance(failed, RubricatorError)
    assert "\x1b" not in str(failed) + "".join(failed.__notes__) and len(str(failed)) < 1500


# ---------------------------------------------------------------- what holds here


def test_doctor_says_what_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        pytest.skip("this kernel gives no namespaces: doctor says so")
    [part] = [part for part in doctor.examine() if part.name == "Guard"]
    assert part.well and "nothing but" in part.says
    guard.dismiss()
    monkeypatch.setattr(guard, "BOOT", TAKEN_OVER)
    monkeypatch.setenv("TZ", "unlocked")
    [part] = [part for part in doctor.examine() if part.name == "Guard"]
    guard.dismiss()
    assert not part.well and not part.needed
    assert "read files" in part.says and "use the network" in part.says and "start programs" in part.says


def test_a_kernel_without_locks_still_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that the kernel is asked for fails: a document is read all the same."""
    boot = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pipeline import sandbox, worker\n"
        "class None_:\n    def __getattr__(self, name): return lambda *_: -1\n"
        "sandbox._libc = None_\nworker.main(*sys.argv[2:])"
    )
    from tests import hostile

    guard.dismiss()
    monkeypatch.setattr(guard, "BOOT", boot)
    [path] = hostile.write(tmp_path, {"plain": hostile.words("Some words that are read without any lock.")})
    made = outcome(path)
    guard.dismiss()
    assert isinstance(made, Document) and made.words > 5


def test_what_is_in_the_filter_is_what_the_kernel_calls_so() -> None:
    """The numbers of calls, against the headers of this machine, where they are installed."""
    headers = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if not headers.exists():
        pytest.skip("no headers of the kernel here")
    numbers = dict(line.split()[1:3] for line in headers.read_text().splitlines() if line.startswith("#define __NR_"))
    refused = {number for group in sandbox._MACHINES["x86_64"][2].values() for number in group}
    for name in ("fork", "vfork", "execve", "socket", "kill", "ptrace", "setsid", "mount", "chmod", "io_uring_setup", "bpf"):
        assert int(numbers[f"__NR_{name}"]) in refused, name
    for name in ("read", "write", "openat", "mmap", "brk", "futex", "exit_group", "rt_sigreturn", "getrandom", "close"):
        assert int(numbers[f"__NR_{name}"]) not in refused, name


def test_words_that_a_person_added_may_be_read_and_no_folder_of_a_relative_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for named, readable in ((str(tmp_path), True), ("off", False), ("", False)):
        monkeypatch.setenv("RUBRICATOR_LANGUAGES", named)
        sandbox.own.cache_clear()
        assert (named in sandbox.own()) == readable
        assert all(os.path.isabs(path) for path in sandbox.own())
    sandbox.own.cache_clear()
