"""Commands that are killed, interrupted or refused by the disk at any point: nothing good is gone, and the next run makes
the same as if nothing had happened. ``python -m tests.durable COMMAND 200`` tries so many points; ``make fuzz`` does.
Where Linux lets us mount a small disk, every third try fills it up to some blocks and feigns nothing.

Each try is a fork of a process that has everything loaded; what it reads was read before, and a stand-in prints, so that
a try takes a fifth of a second. At a point of its work on files (opening, renaming, syncing, removing …), counted from
the first, it is killed, gets a signal, or the call fails as it does on a full or a broken disk.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import http.client
import importlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from pipeline import store
from pipeline.errors import OutputError

ROOT = Path(__file__).parent.parent
COMMANDS = {
    "build": ["build", "--quiet"],
    "handout": ["handout", "sources/ferry/event.toml", "--quiet"],
    "diff": ["diff", "sources/ferry/ferry-2026-03.pdf", "sources/ferry/ferry-2026-05.pdf", "-o", "output/changes.html"],
    "export": ["export", "sources", "-o", "output/", "--quiet", "--format", "csv"],
    "file": ["export", "sources", "-o", "output/all.jsonl", "--quiet"],
    "apply": ["apply", "rules/vessmark-rules.pdf", "rules/vessmark-errata-1.1.pdf", "--product", "web",
              "--product", "patch", "--quiet"],
    "follow": ["follow", "downloads", "--quiet"],
    "new": ["new-book", "A new one", "--quiet"],
    "desk": ["desk", "ferry", "--no-browser", "--quiet"],
}  # fmt: skip
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
ERRORS = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT)
POINTS = {"open", "os.rename", "os.remove", "os.chmod", "os.mkdir", "os.rmdir"}
FULL = -1_000  # no error that is feigned: the disk has no more than so many blocks
OWN_DISK = "RUBRICATOR_TESTS_OWN_DISK"
MORE = 1  # block more than what a command makes: it has old and new at once, and may do with that
DISK = 64 << 20  # bytes: all that a command reads and makes is a twentieth of it
LEFT = re.compile(r"(^|/)\.rubricator-[^/]*\.(part|lock)$")  # what a killed run may leave, until the next one
CODES = {0, 5}  # of a run that the disk disturbed: done all the same, or told


class Disturbance:
    """Counts the work on files under a folder; does its worst at one point of it."""

    house: ClassVar[str] = ""
    count: ClassVar[int] = 0
    point: ClassVar[int] = 0  # 0: never
    refused: ClassVar[int] = 0  # runs that a full disk ended
    worst: ClassVar[int] = 0  # a signal, or the negative of an error

    @classmethod
    def hook(cls, event: str, arguments: tuple[Any, ...]) -> None:
        if event in POINTS and cls.house and arguments and cls._is_ours(event, arguments):
            cls.reached()

    @classmethod
    def _is_ours(cls, event: str, arguments: tuple[Any, ...]) -> bool:
        path = os.path.abspath(os.fsdecode(arguments[0])) if isinstance(arguments[0], str | bytes | os.PathLike) else ""
        written = event != "open" or (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)
        return path.startswith(cls.house) and bool(written)

    @classmethod
    def reached(cls) -> None:
        cls.count += 1
        if cls.count == cls.point:
            if cls.worst > 0:
                os.kill(os.getpid(), cls.worst)
            else:
                raise OSError(-cls.worst, os.strerror(-cls.worst))


def _watch() -> None:
    sys.addaudithook(Disturbance.hook)
    fsync = os.fsync

    def watched(handle: int) -> None:
        Disturbance.reached()
        fsync(handle)

    os.fsync = watched


QUESTIONS = {
    "ferry": "ferry crosses the river before the bell has rung for the third time",
    "tower": "watchman counts the lamps along the wall when the night has begun",
}
EVENT = "name = 'Cup'\n[[handouts]]\nform = 'table'\n[[handouts]]\nform = 'pocket'\nname = 'judges'\n"


def release(path: Path, name: str, number: int) -> None:
    """A FAQ of some questions; each release changes one of them."""
    from tests.pdfs import Paper

    paper = Paper()
    paper.text(50, 60, f"The {name.title()} FAQ", size=20, bold=True)
    paper.text(50, 80, f"{('March', 'May', 'July')[number]} 2026", size=10)
    for n in range(8):
        more = f" and then {number + 2} more" if n == number else ""
        paper.text(50, 120 + 50 * n, f"Q: May player number {n} move when the {QUESTIONS[name]}?", size=10, bold=True)
        paper.text(50, 135 + 50 * n, f"A: Yes. The {QUESTIONS[name]}, {n} steps{more}.", size=10)
    paper.save(path)


def prepare(house: Path) -> None:
    """Books, one with two releases and an event, and a download."""
    shutil.copytree(ROOT / "sources" / "vessmark", house / "rules")
    for name in QUESTIONS:
        (house / "sources" / name).mkdir(parents=True)
        release(house / "sources" / name / f"{name}-2026-03.pdf", name, 0)
    release(house / "sources" / "ferry" / "ferry-2026-05.pdf", "ferry", 1)
    (house / "sources" / "ferry" / "event.toml").write_text(EVENT)
    (house / "downloads").mkdir()
    release(house / "downloads" / "new.pdf", "ferry", 2)


def snapshot(house: Path) -> dict[str, bytes]:
    return {
        path.relative_to(house).as_posix(): path.read_bytes() for path in house.rglob("*") if path.is_file() and "cache" not in path.parts
    }  # fmt: skip


def restore(house: Path, state: dict[str, bytes]) -> None:
    for path in sorted(house.rglob("*"), reverse=True):
        if "cache" not in path.relative_to(house).parts:
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    for name, content in state.items():
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        (house / name).write_bytes(content)


def stand_in(html: str, pictures: object) -> bytes:
    """A page that is another one for other HTML."""
    from tests import hostile

    return hostile.words(f"A page {hashlib.sha256(html.encode()).hexdigest()}.")


def run(arguments: list[str], house: Path, point: int = 0, worst: int = 0) -> tuple[int, str, int]:
    """A command in a fork: its exit code or the negative of its signal, what it said, and the points that it passed."""
    told, counted = house.parent / "stderr", house.parent / "count"
    child = os.fork()
    if child == 0:
        code = 99
        try:
            handle = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(handle, 2)
            browser = Browser(house) if arguments[0] == "desk" else None
            os.dup2(browser.writes if browser else os.open(os.devnull, os.O_WRONLY), 1)
            signal.signal(signal.SIGINT, signal.default_int_handler)  # started in the background, it would be ignored
            sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
            os.chdir(house)
            from pipeline import cli

            Disturbance.count, Disturbance.point, Disturbance.worst = 0, point, worst
            Disturbance.house = str(house)
            code = cli.main(arguments)
            _wait_for_threads()
            store.leave_nothing()  # as a process does at its end, too
            if browser and browser.code is not None:  # it closed the desk itself
                code = browser.code
            Disturbance.house = ""
            sys.stderr.flush()
            counted.write_text(str(Disturbance.count))
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(code)
    _, status = os.waitpid(child, 0)
    count = int(counted.read_text()) if counted.exists() else 0
    return os.waitstatus_to_exitcode(status), told.read_text(encoding="utf-8", errors="replace"), count


def _wait_for_threads() -> None:
    """As a process does before it ends, also for one of a pool that was interrupted while it started it."""
    importlib.import_module("concurrent.futures.thread")._python_exit()
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()


class Browser:
    """Somebody at the desk: hides an entry, says a title, fills in an event, drops a PDF in, prints, and closes it."""

    def __init__(self, house: Path) -> None:
        self.house = house
        self.reads, self.writes = os.pipe()
        self.code: int | None = None
        threading.Thread(target=self._sit, daemon=True).start()

    def _sit(self) -> None:
        try:
            with os.fdopen(self.reads) as desk:
                self.address = desk.readline().strip()
            self.code = self._work()
        except (OSError, http.client.HTTPException):  # the desk is closed, or cut off: its own exit code counts
            return
        except Exception:
            traceback.print_exc()
            self.code = 99
        os.kill(os.getpid(), signal.SIGINT)

    def _work(self) -> int:
        try:
            source = self.ask("api/source?book=ferry&source=ferry-2026-03.pdf")
            if not source["overrides"]:  # it is there when an earlier desk was closed behind it
                hidden = {"book": "ferry", "source": "ferry-2026-03.pdf", "act": "hide", "thing": source["things"][3]["key"]}
                self.ask("api/mend", hidden)
            self.ask("api/about", {"book": "ferry", "source": "ferry-2026-03.pdf", "key": "title", "value": "Ferry rules"})
            self.ask("api/seen", {"book": "ferry", "source": "ferry-2026-03.pdf", "keys": ["a", "b"]})
            values = self.ask("api/event?book=ferry&event=event.toml")["values"]
            self.ask("api/save-event", {"book": "ferry", "event": "event.toml", "values": values | {"place": "Pier"}})
            self.ask("upload?book=tower&name=dropped.pdf", (self.house / "downloads" / "new.pdf").read_bytes())
            job = self.ask("api/build", {"book": "ferry", "products": ["sheet", "web"]})
            while job["state"] in ("waits", "runs"):
                time.sleep(0.01)
                job = self.ask(f"api/job?job={job['job']}")
            return self._told(job["error"]) if job["error"] else 0
        except urllib.error.HTTPError as error:  # an OSError, too, but an answer
            return self._told(json.loads(error.read())["error"])

    @staticmethod
    def _told(error: str) -> int:
        """What the page shows; the disk's fault ends in the same words as on the terminal."""
        print(f"rubricator: {error}", file=sys.stderr, flush=True)
        return 1 if "a bug" in error else 5

    def ask(self, path: str, given: Any = None) -> Any:
        body = given if given is None or isinstance(given, bytes) else json.dumps(given).encode()
        method = "GET" if given is None else "PUT" if isinstance(given, bytes) else "POST"
        headers = {"Origin": self.address.rsplit("/", 2)[0], "Content-Type": "application/json"} if body is not None else {}
        request = urllib.request.Request(self.address + path, data=body, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.loads(answer.read())


def in_this_process(target: str, request: dict[str, Any], **rest: Any) -> Any:
    """What a guarded child is asked for, done here: starting one would take longer than a try."""
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)(**request)


def judged(before: dict[str, bytes], after: dict[str, bytes], now: dict[str, bytes]) -> str:
    """Why the state between is not made of what was there before and what is there after; "" when it is."""
    for name in {*before, *after, *now}:
        if LEFT.search(name) or name.endswith("manifest.jsonl"):
            continue
        if name not in now and name in before and name in after:
            return f"{name} is gone"
        if name in now and now[name] not in (before.get(name), after.get(name)):
            return f"{name} is neither old nor new"
    return ""


@contextlib.contextmanager
def small_disk(place: Path, full: bool) -> Iterator[None]:
    """A disk of its own there, where it is to become full; who calls us is in a namespace where we may do that."""
    if full:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(place)], check=True)
    try:
        yield
    finally:
        if full:
            subprocess.run(["umount", "--lazy", str(place)], check=True)


def blocks(place: Path) -> int:
    """How many are free on the disk of a folder."""
    return os.statvfs(place).f_bavail


@contextlib.contextmanager
def filled(house: Path, left: int) -> Iterator[None]:
    """Nearly no room on the disk: so many blocks."""
    ballast = house / "cache" / "ballast"
    ballast.parent.mkdir(exist_ok=True)
    with ballast.open("wb") as file:
        if (more := blocks(house) - left) > 0:
            os.posix_fallocate(file.fileno(), 0, more * os.statvfs(house).f_bsize)
    try:
        yield
    finally:
        ballast.unlink()


def fault(command: str, house: Path, before: dict[str, bytes], after: dict[str, bytes], point: int, worst: int) -> str:
    """One try; what was wrong with it."""
    restore(house, before)
    with filled(house, point) if worst == FULL else contextlib.nullcontext():
        code, said, _ = run(COMMANDS[command], house, 0 if worst == FULL else point, worst)
    Disturbance.refused += worst == FULL and code == OutputError.exit_code
    between = snapshot(house)
    if why := judged(before, after, between):
        return why
    if "Traceback" in said or "a bug" in said or code in (1, 99):
        return f"exit code {code}: {said[-2000:]}"
    if worst < 0 and (code not in CODES or len(said.splitlines()) > 3):
        return f"exit code {code}: {said}"
    if worst in SIGNALS[1:] and (left := [name for name in between if LEFT.search(name)]):
        return f"left behind: {left}"
    code, said, _ = run(COMMANDS[command], house)
    if command == "new" and "is there already" in said:  # it was whole before it was disturbed
        code = 0
    if code or snapshot(house) != after:
        now = snapshot(house)
        return f"the next run is another: {code} {said} {[name for name in {*now, *after} if now.get(name) != after.get(name)]}"
    return ""


def tries(command: str, count: int, *, full: bool = False, seed: int = 0, tell: Callable[[str], None] = print) -> list[str]:
    """So many disturbed runs of a command; what was wrong with each that was not well."""
    setattr(importlib.import_module("pipeline.render"), "_print_in_child", stand_in)  # noqa: B010
    setattr(importlib.import_module("pipeline.render.web"), "faces", lambda letters: "")  # noqa: B010
    setattr(importlib.import_module("pipeline.guard"), "run", in_this_process)  # noqa: B010
    store.reading_code()
    _watch()
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="rubricator-durable-") as folder, contextlib.ExitStack() as held:
        house = Path(folder, "house")
        house.mkdir()
        held.enter_context(small_disk(house, full))
        importlib.import_module("pipeline.guard").read_all.__kwdefaults__["cache"] = house.parent / "cache"
        prepare(house)
        _warm_up(command, house)
        before = _older(snapshot(house), command, house)
        restore(house, before)
        free = blocks(house)
        code, said, points = run(COMMANDS[command], house)
        if code:
            return [f"undisturbed: {code} {said}"]
        after = snapshot(house)
        room = free - blocks(house) + MORE
        chance = random.Random(f"{command} {seed}")
        ends: Counter[str] = Counter()
        for number in range(count):
            point, worst = chance.randint(1, points), chance.choice((*SIGNALS, *(-error for error in ERRORS)))
            if full and number % 3 == 2:
                point, worst = chance.randint(0, room), FULL
            name = signal.Signals(worst).name if worst > 0 else "full" if worst == FULL else errno.errorcode[-worst]
            ends[name] += 1
            if why := fault(command, house, before, after, point, worst):
                faults.append(f"{command}: {name} at {point} of {points}: {why}")
        tell(f"{command}: {count} tries at {points} points, {dict(ends)}: {Disturbance.refused} refused, {len(faults)} faults")
    return faults


def _warm_up(command: str, house: Path) -> None:
    """Once in this process: what is read, compiled and found once is there for every fork."""
    from pipeline import cli

    state, here = snapshot(house), Path.cwd()
    os.chdir(house)
    importlib.import_module("pipeline.desk")
    if command != "desk":  # it would leave threads, which a fork does not have
        with open(os.devnull, "w", encoding="utf-8") as nothing, contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing):
            cli.main(COMMANDS[command])
    os.chdir(here)
    restore(house, state)


def _older(sources: dict[str, bytes], command: str, house: Path) -> dict[str, bytes]:
    """What is there before: the sources, and an output of the same names and other content."""
    code, said, _ = run(COMMANDS[command], house)
    assert code == 0, f"{code} {said}"
    made = snapshot(house)
    old = {name: b"%PDF-1.4 of an older run" for name in made if name.startswith("output/") and name not in sources}
    return {**sources, **old}


def own_disk() -> list[str]:
    """What starts a command where it may mount a disk; nothing where that is not allowed."""
    command = ["unshare", "-rm"]
    allowed = shutil.which("unshare") and subprocess.run([*command, "true"], capture_output=True).returncode == 0
    return command if allowed else []


def main(arguments: list[str]) -> int:
    """Each command in a process of its own, with a disk of its own where it may have one."""
    names = [each for each in arguments if each in COMMANDS] or list(COMMANDS)
    count = next((int(each) for each in arguments if each.isdigit()), 200)
    if OWN_DISK in os.environ:
        faults = tries(names[0], count, full=os.environ[OWN_DISK] == "yes")
        print(*faults, sep="\n", end="\n" if faults else "", flush=True)
        return int(bool(faults))
    before = own_disk()
    known = os.environ | {OWN_DISK: "yes" if before else "no"}
    ends = [subprocess.run([*before, sys.executable, "-m", "tests.durable", each, str(count)], cwd=ROOT, env=known).returncode
            for each in names]  # fmt: skip
    return int(any(ends))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
