"""A source that kills its reader costs only itself: failing stand-ins, and what cannot be a source."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import guard, store
from pipeline.errors import OutputError, RubricatorError, SourceError
from pipeline.records import Document

# A reader that does what the name of the file says, in the place of the real one.
STAND_IN = """
import json, os, signal, socket, sys, time
sys.path.append(sys.argv[1])
from pipeline import store, worker
from pipeline.errors import PasswordError
from pipeline.records import Document

def read(path, sha256, tell):
    what, _, more = path.stem.partition("-")
    tell(pages=1)
    words = len(path.read_bytes())
    if what == "signal": os.kill(os.getpid(), int(more))
    if what == "silent": return
    if what == "exit": os._exit(int(more))
    if what == "garbage": os.write(worker.ANSWERS, b"\\x00\\xffnonsense\\n" * 10)
    if what == "list": return tell(answer=[1, 2])
    if what == "wrong": return tell(answer={"json": {"source": 3, "pages": "many"}})
    if what == "extra": return tell(answer={"json": {"source": "x", "sha256": "", "pages": 1, "evil": 1}})
    if what == "long": tell(answer={"json": "x" * (4 << 20)})
    if what == "hang": time.sleep(60)
    if what == "family":
        if os.fork() == 0:
            (path.parent / "grandchild").write_text(str(os.getpid()))
            time.sleep(60)
        time.sleep(60)
    if what == "nap": time.sleep(4)
    if what == "spin":
        while True: pass
    if what == "memory": words = len(bytearray(int(more) << 20))
    if what == "deep": return read(path, sha256, lambda **_: None)
    if what == "bug": raise KeyError("a stage tripped")
    if what == "locked": raise PasswordError("needs a password")
    if what == "full": raise OSError(28, "No space left on device")
    if what == "slow": time.sleep(0.4)
    if what == "pid": words = os.getppid()
    if what == "prints": print("noise", flush=True); os.system("echo more noise")
    if what == "network":
        try: socket.create_connection(("127.0.0.1", int(more)), 1); words = 1
        except OSError: words = 0
    if what == "environment": return tell(error={"exit_code": 3, "message": json.dumps(sorted(os.environ))})
    if what == "closes": os.closerange(0, 3)
    document = Document(source=store.printable(path.name), sha256=sha256, pages=1, words=words)
    tell(answer={"json": store.to_json(document)})
    if what == "late": os.kill(os.getpid(), signal.SIGSEGV)
    tell(findings=[])

if os.environ.get("TZ") == "unlocked": worker.sandbox.confine = lambda *_: None
worker.read = read
worker.PRELOAD[worker.READ] = ()
worker._practise = lambda: None
worker.main(*sys.argv[2:])
"""

QUICK = replace(guard.READING, seconds=2.0, seconds_a_page=0.0, answer=1 << 20)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    guard.dismiss()
    monkeypatch.setattr(guard, "BOOT", STAND_IN)
    yield
    guard.dismiss()


def sources(folder: Path, *names: str) -> list[Path]:
    made = []
    for name in names:
        path = folder / f"{name}.pdf"
        path.write_bytes(b"%PDF-1.7\n" + name.encode("utf-8", "surrogateescape"))
        made.append(path)
    return made


def outcomes(paths: list[Path], **more: object) -> list[Document | RubricatorError]:
    return [each for _, each in guard.read_all(paths, cache=None, **{"jobs": 1, **more})]  # type: ignore[arg-type]


# ---------------------------------------------------------------- what a child does wrong


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("signal-9", "crashed (SIGKILL)"),
        ("signal-11", "crashed (SIGSEGV)"),
        ("signal-6", "crashed (SIGABRT)"),
        ("signal-4", "crashed (SIGILL)"),
        ("silent", "without an answer"),
        ("exit-0", "without an answer"),
        ("exit-3", "without an answer"),
        ("exit-127", "used up its memory"),
        ("garbage", "nonsense"),
        ("list", "nonsense"),
        ("wrong", "nonsense"),
        ("extra", "nonsense"),
        ("long", "too long"),
        ("hang", "took longer than 2 seconds"),
        ("spin", "took longer than 2 seconds"),
        ("memory-2000", "used up its memory"),
        ("deep", "nested too deeply"),
    ],
)
@pytest.mark.usefixtures("stand_in")
def test_a_child_that_fails_costs_only_its_own_file(tmp_path: Path, name: str, says: str) -> None:
    before, bad, after = outcomes(sources(tmp_path, "good-1", name, "good-2"), limits=QUICK)
    assert isinstance(before, Document)
    assert isinstance(after, Document)
    assert isinstance(bad, SourceError)
    assert bad.exit_code == 3
    assert says in str(bad)
    assert name in str(bad)
    assert len(str(bad).splitlines()) == 1


@pytest.mark.usefixtures("stand_in")
def test_an_error_keeps_its_class_and_a_bug_keeps_its_traceback(tmp_path: Path) -> None:
    locked, bug, full = outcomes(sources(tmp_path, "locked", "bug", "full"))
    assert isinstance(full, OutputError) and "No space left on device" in str(full), "a full disk is no bug"
    assert isinstance(locked, RubricatorError)
    assert isinstance(bug, RubricatorError)
    assert (locked.exit_code, bug.exit_code) == (8, 1)
    assert "KeyError" in str(bug)
    assert "Traceback" in bug.__notes__[0]


@pytest.mark.usefixtures("stand_in")
def test_the_memory_limit_is_what_stops_it(tmp_path: Path) -> None:
    [path] = sources(tmp_path, "memory-300")
    [stopped] = outcomes([path], limits=replace(guard.READING, memory=256 << 20))
    [let_through] = outcomes([path])
    assert isinstance(stopped, SourceError)
    assert isinstance(let_through, Document)


@pytest.mark.usefixtures("stand_in")
def test_what_it_stood_in_line_for_a_processor_is_not_its_own_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [nap] = sources(tmp_path, "nap")
    for waited, comes in ((0.0, False), (30.0, True), (1e9, True)):
        monkeypatch.setattr(guard, "_in_line", lambda process, waited=waited: waited)
        [made] = outcomes([nap], limits=QUICK)
        assert isinstance(made, Document) == comes, made
    [made] = outcomes(sources(tmp_path, "hang"), limits=replace(QUICK, seconds=0.2))  # nobody waits without end
    assert "took longer" in str(made)


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the kernel does not say who waits")
def test_who_stands_in_line_is_told_by_the_kernel() -> None:
    spin = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); os.fork(); exec('while True: pass')"
    with subprocess.Popen([sys.executable, "-c", spin], start_new_session=True) as crowded:
        due = time.monotonic() + 60
        while (told := guard._in_line(crowded.pid)) < 0.2 and time.monotonic() < due:
            time.sleep(0.1)
        os.killpg(crowded.pid, signal.SIGKILL)
    assert told >= 0.2 and guard._in_line(crowded.pid) == 0.0


@pytest.mark.usefixtures("stand_in")
def test_a_timeout_kills_the_whole_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "unlocked")  # or it had no family
    [bad] = outcomes(sources(tmp_path, "family"), limits=QUICK)
    assert "took longer" in str(bad)
    assert gone(int((tmp_path / "grandchild").read_text()))


@pytest.mark.usefixtures("stand_in")
def test_a_crash_after_the_answer_is_a_finding(tmp_path: Path) -> None:
    [late] = outcomes(sources(tmp_path, "late"))
    assert isinstance(late, Document)
    assert [finding.code for finding in late.findings] == ["second-reader-failed"]


@pytest.mark.usefixtures("stand_in")
def test_what_a_library_prints_does_not_spoil_the_answer(tmp_path: Path) -> None:
    assert all(isinstance(each, Document) for each in outcomes(sources(tmp_path, "prints", "closes", "good")))


@pytest.mark.usefixtures("stand_in")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives a process an empty network")
def test_a_child_has_no_network(tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), 1).close()  # the server is there
        [document] = outcomes(sources(tmp_path, f"network-{port}"))
    if subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode:
        pytest.skip("this kernel gives no user namespace")
    assert isinstance(document, Document)
    assert document.words == 0


@pytest.mark.usefixtures("stand_in")
def test_a_child_sees_nothing_of_our_environment_that_it_need_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CMAP_PATH", "https_proxy", "PYTHONPATH", "SECRET_TOKEN"):
        monkeypatch.setenv(name, "/nowhere")
    [told] = outcomes(sources(tmp_path, "environment"))
    for name in ("CMAP_PATH", "https_proxy", "PYTHONPATH", "SECRET_TOKEN"):
        assert name not in str(told)
    assert "PATH" in str(told)


# ---------------------------------------------------------------- many files


@pytest.mark.usefixtures("stand_in")
def test_the_order_is_the_order_given(tmp_path: Path) -> None:
    paths = sources(tmp_path, "slow-1", "good", "signal-11", "slow-2", "bug", "good-3")
    lines: list[str] = []
    for jobs in (1, 2, 4):
        read = list(guard.read_all(paths, jobs=jobs, cache=None, progress=lines.append))
        assert [path for path, _ in read] == paths
        assert [isinstance(each, Document) for _, each in read] == [True, True, False, True, False, True]
    assert len(lines) == 3 * len(paths)
    assert lines[len(paths) - 1].startswith("read 6 of 6")


@pytest.mark.usefixtures("stand_in")
def test_a_child_is_used_again_until_it_dies(tmp_path: Path) -> None:
    first, second = outcomes(sources(tmp_path, "pid-1", "pid-2"))
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert first.words == second.words
    os.kill(first.words, signal.SIGKILL)
    os.waitid(os.P_PID, first.words, os.WEXITED | os.WNOWAIT)
    [third] = outcomes(sources(tmp_path, "pid-3"))
    assert isinstance(third, Document)
    assert third.words != first.words


@pytest.mark.usefixtures("stand_in")
def test_the_time_of_a_slow_caller_is_not_the_time_of_the_next_file(tmp_path: Path) -> None:
    limits = replace(QUICK, seconds=2.0)
    read = []
    for _, each in guard.read_all(sources(tmp_path, "good", "slow-1", "slow-2"), jobs=2, cache=None, limits=limits):
        time.sleep(0 if read else 2.2)
        read.append(each)
    assert all(isinstance(each, Document) for each in read)


@pytest.mark.usefixtures("stand_in")
def test_a_caller_who_stops_early_leaves_no_child_at_work(tmp_path: Path) -> None:
    reading = guard.read_all(sources(tmp_path, "good", "hang"), jobs=2, cache=None)
    next(reading)
    reading.close()
    assert len(guard._alive) <= 1  # the one that had finished


def gone(process: int) -> bool:
    for _ in range(50):
        try:
            os.kill(process, 0)
            if "\nState:\tZ" in Path(f"/proc/{process}/status").read_text():
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.skipif(sys.platform != "linux", reason="children die with their parent on Linux only")
def test_children_die_with_the_command(tmp_path: Path, sent: signal.Signals) -> None:
    sources(tmp_path, "family")
    program = (
        "import sys; from pathlib import Path; from pipeline import guard\n"
        "guard.BOOT = sys.argv[2]\n"
        "list(guard.read_all([Path(sys.argv[1])], cache=None))\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "family.pdf"), STAND_IN]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=os.environ | {"TZ": "unlocked"}) as process:
        for _ in range(400):
            if (tmp_path / "grandchild").exists() and (tmp_path / "grandchild").read_text():
                break
            time.sleep(0.05)
        children = subprocess.run(
            ["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=True
        ).stdout.split()
        process.send_signal(sent)
    assert children
    assert all(gone(int(child)) for child in children)


# ---------------------------------------------------------------- what cannot be a source


def test_what_is_no_source_is_refused_at_once(tmp_path: Path) -> None:
    guard.dismiss()
    os.mkfifo(tmp_path / "fifo.pdf")
    (tmp_path / "empty.pdf").touch()
    (tmp_path / "picture.pdf").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(2000))
    (tmp_path / "dangling.pdf").symlink_to(tmp_path / "nowhere")
    (tmp_path / "loop.pdf").symlink_to(tmp_path / "loop.pdf")
    with open(tmp_path / "huge.pdf", "wb") as huge:
        huge.write(b"%PDF-1.7\n")
        huge.truncate(guard.FILE_SIZE + 1)
    expected = {
        tmp_path / "missing.pdf": "there is no such file",
        tmp_path / "dangling.pdf": "there is no such file",
        tmp_path / "loop.pdf": "cannot be opened",
        tmp_path: "is a folder",
        tmp_path / "fifo.pdf": "is no ordinary file",
        Path("/dev/zero"): "is no ordinary file",
        Path("/dev/stdin"): "",
        tmp_path / "empty.pdf": "is empty",
        tmp_path / "picture.pdf": "is not a PDF",
        tmp_path / "huge.pdf": "is larger than 100 MB",
        tmp_path / ("x" * 300): "cannot be opened",
        tmp_path / "nul\0.pdf": "cannot be opened",
    }
    for (path, outcome), says in zip(guard.read_all(expected, cache=None), expected.values(), strict=True):
        assert isinstance(outcome, SourceError), path
        assert says in str(outcome)
    assert not guard._alive, "no child was asked"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_a_source_error(tmp_path: Path) -> None:
    [path] = sources(tmp_path, "mine")
    path.chmod(0)
    with pytest.raises(SourceError, match="Permission denied"):
        guard.read(path)


def test_only_what_is_on_the_list_can_be_called() -> None:
    for target in ("os:system", "pipeline.store:write", "builtins:eval", ""):
        with pytest.raises(ValueError, match="may not be called"):
            guard.run(target, {})


# ---------------------------------------------------------------- what was read before


@pytest.mark.usefixtures("stand_in")
def test_what_was_read_before_is_not_read_again(tmp_path: Path) -> None:
    [path] = sources(tmp_path, "pid-1")
    cache = tmp_path / "cache"
    first = guard.read(path, cache=cache)
    guard.dismiss()
    assert guard.read(path, cache=cache) == first
    assert not guard._alive
    path.rename(tmp_path / "pid-2.pdf")
    assert guard.read(tmp_path / "pid-2.pdf", cache=cache).source == "pid-2.pdf"
    (tmp_path / "pid-2.pdf").write_bytes(b"%PDF-1.7\nother")
    assert guard.read(tmp_path / "pid-2.pdf", cache=cache).sha256 != first.sha256


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_cache_is_read_anew_and_mended(tmp_path: Path, damage: bytes) -> None:
    [path] = sources(tmp_path, "good")
    cache = tmp_path / "cache"
    first = guard.read(path, cache=cache)
    [kept] = cache.glob("*.json")
    whole = kept.read_bytes()
    kept.write_bytes(damage)
    assert guard.read(path, cache=cache) == first
    assert kept.read_bytes() == whole
    kept.write_bytes(whole[:-20])
    assert guard.read(path, cache=cache) == first


@pytest.mark.usefixtures("stand_in")
def test_other_code_reads_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [path] = sources(tmp_path, "pid-1")
    guard.read(path, cache=tmp_path / "cache")
    monkeypatch.setattr(store, "reading_code", lambda: "another")
    guard.dismiss()
    guard.read(path, cache=tmp_path / "cache")
    assert guard._alive
    assert len(list((tmp_path / "cache").glob("*.json"))) == 2


@pytest.mark.usefixtures("stand_in")
def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    [path] = sources(tmp_path, "good")
    assert guard.read(path, cache=tmp_path / "cache").pages == 1


@pytest.mark.usefixtures("stand_in")
def test_a_failure_is_not_remembered(tmp_path: Path) -> None:
    [path] = sources(tmp_path, "signal-11")
    [(_, outcome)] = guard.read_all([path], cache=tmp_path / "cache")
    assert isinstance(outcome, SourceError)
    assert not list(tmp_path.glob("cache/*"))


# ---------------------------------------------------------------- a cache where others write, too


def kept_one(tmp_path: Path) -> tuple[Path, Path]:
    """A source that was read, and what is kept of it."""
    [path] = sources(tmp_path, "pid-1")
    guard.read(path, cache=tmp_path / "cache")
    [kept] = (tmp_path / "cache").glob("*.json")
    return path, kept


def is_believed(tmp_path: Path, path: Path) -> bool:
    guard.dismiss()
    guard.read(path, cache=tmp_path / "cache")
    return not guard._alive


@pytest.mark.usefixtures("stand_in")
def test_what_nobody_else_can_have_written_is_believed(tmp_path: Path) -> None:
    path, kept = kept_one(tmp_path)
    assert is_believed(tmp_path, path)
    assert kept.stat().st_mode & 0o077 == 0 and kept.parent.stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("mode", [0o622, 0o620, 0o602])
def test_what_others_may_write_is_read_anew(tmp_path: Path, mode: int) -> None:
    path, kept = kept_one(tmp_path)
    kept.chmod(mode)
    assert not is_believed(tmp_path, path)


@pytest.mark.usefixtures("stand_in")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_another_user_kept_is_read_anew(tmp_path: Path) -> None:
    path, kept = kept_one(tmp_path)
    os.chown(kept, 12345, 12345)
    assert not is_believed(tmp_path, path)


@pytest.mark.usefixtures("stand_in")
def test_a_link_or_a_pipe_in_the_cache_is_nothing_kept(tmp_path: Path) -> None:
    path, kept = kept_one(tmp_path)
    kept.rename(tmp_path / "elsewhere.json")
    kept.symlink_to(tmp_path / "elsewhere.json")
    assert not is_believed(tmp_path, path)
    kept.unlink()
    os.mkfifo(kept)
    assert not is_believed(tmp_path, path)


@pytest.mark.usefixtures("stand_in")
def test_an_entry_under_the_name_of_another_is_read_anew(tmp_path: Path) -> None:
    """One of our own, whole and with its checksum, but of another source."""
    path, kept = kept_one(tmp_path)
    [other] = sources(tmp_path, "good-2")
    guard.read(other, cache=tmp_path / "cache")
    [wrong] = set((tmp_path / "cache").glob("*.json")) - {kept}
    kept.write_bytes(wrong.read_bytes())
    assert not is_believed(tmp_path, path)


@pytest.mark.usefixtures("stand_in")
def test_a_file_that_changes_while_it_is_read_is_not_kept_as_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BOOT", guard.BOOT.replace("worker.read = read", "read = worker.read"))
    [path] = sources(tmp_path, "good")
    look = guard.look

    def swapped(looked: Path) -> str:
        digest = look(looked)
        looked.write_bytes(b"%PDF-1.7\nanother")
        return digest

    monkeypatch.setattr(guard, "look", swapped)
    with pytest.raises(SourceError, match="changed while it was read"):
        guard.read(path, cache=tmp_path / "cache")
    assert not list((tmp_path / "cache").glob("*.json"))
