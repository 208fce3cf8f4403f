"""Every PDF is read, and every page printed, in a child process that can be killed.

A child has its own process group, time, memory and an empty network, is locked in (``sandbox``), and hands back JSON
that is checked like anything from outside. A crash, abort, hang or exhausted memory is one SourceError; the next file
goes on.
"""

from __future__ import annotations

import atexit
import base64
import binascii
import contextlib
import hashlib
import json
import os
import selectors
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipeline import language, store, vocab
from pipeline.config import Mends
from pipeline.errors import BY_EXIT_CODE, RubricatorError, SourceError
from pipeline.records import Document, Finding
from pipeline.tasks import FULL, HEAD, PRELOAD, READ

FILE_SIZE = 100 << 20  # the largest rulebook known to us has 60 MB
HEADER = 1024  # readers accept junk before "%PDF-", but not more than this
# What a child may see of our environment. Not CMAP_PATH, no proxies, no PYTHON*, nothing secret.
ENVIRONMENT = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SOURCE_DATE_EPOCH", "XDG_CACHE_HOME",
               "XDG_DATA_DIRS", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
               "DYLD_FALLBACK_LIBRARY_PATH", "WEASYPRINT_DLL_DIRECTORIES", "SYSTEMROOT")  # fmt: skip
PAGE_OF_PRINT = 5_000  # characters of HTML on a printed page, roughly: the time to print grows with them
AHEAD = 16  # sources a job may be ahead of the slowest: what waits to be handed on is held in memory
UNLINKED = 127  # how the dynamic linker ends a process when it finds no memory to load what aborting needs
SAID = 500  # characters of an error that a child tells: a person is to read it
MOST_GRANTED = 20  # times its own time: with so many others at work, a person would rather be told
STARTING = 120.0  # seconds for a child to be there: on a busy machine imports take their time
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from pipeline import worker; worker.main(*sys.argv[2:])"

Progress = Callable[[str], None]
Outcome = Document | RubricatorError
Mended = Callable[[Path], Mends | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a child may use up. Time grows with pages, so that an honest book of 350 pages passes."""

    memory: int = 1 << 30
    seconds: float = 20.0
    seconds_a_page: float = 0.25
    seconds_at_most: float = 120.0
    answer: int = 64 << 20  # bytes of JSON; a document of 2,000 pages has 10 MB

    def time(self, pages: int = 0) -> float:
        return min(self.seconds + self.seconds_a_page * pages, self.seconds_at_most)


READING = Limits()
# 5,000 questions took 26 s and 400 MB to print; on a machine that is busy with other things, ten times that.
PRINTING = Limits(memory=3 << 30, seconds=240.0, seconds_at_most=600.0, answer=512 << 20)

# ---------------------------------------------------------------- what commands call


def read(path: Path, *, cache: Path | None = store.CACHE, mends: Mended = lambda folder: None) -> Document:
    """Read one PDF in a guarded child; raises a RubricatorError that says what is wrong with it."""
    [(_, outcome)] = read_all([path], jobs=1, cache=cache, mends=mends)
    if isinstance(outcome, RubricatorError):
        raise outcome
    return outcome


def read_all(
    paths: Iterable[Path],
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    cache: Path | None = store.CACHE,
    limits: Limits = READING,
    mends: Mended = lambda folder: None,
) -> Iterator[tuple[Path, Outcome]]:
    """Read many PDFs side by side; each with its document or its error, in the order given.

    ``progress(line)`` is called after each one. What was read before, by the same code and with
    the same content, comes from ``cache``. ``mends`` tells what a person said of the sources in a folder.
    """
    sources = [Path(path) for path in paths]
    waiting = deque(range(len(sources)))
    done: dict[int, Outcome] = {}  # but not handed on yet
    busy: dict[_Child, tuple[int, str, str]] = {}
    answers: list[_Told] = []  # but not understood yet: first the children get their next source
    handed = 0
    at_once = jobs or _processors()
    try:
        while handed < len(sources):
            while waiting and len(busy) < at_once and waiting[0] - handed < AHEAD * at_once:
                number = waiting.popleft()
                _begin(sources[number], number, done, busy, cache, limits, mends)
                if number in done and progress:
                    progress(_line(handed + len(done), sources, number))
            for each in answers:
                done[each.number] = _outcome(each, sources[each.number], cache)
                if progress:
                    progress(_line(handed + len(done), sources, each.number))
            answers.clear()
            while handed in done:
                asked = time.monotonic()
                outcome = done.pop(handed)
                handed += 1
                yield sources[handed - 1], outcome
                for child in busy:  # what the caller does with a document is not the time of the others
                    child.deadline += time.monotonic() - asked
            for child in _wait(list(busy)):
                answers.append(_told(child, sources, *busy.pop(child)))
    finally:
        for child in busy:
            child.stop()


def run(target: str, request: dict[str, Any], *, limits: Limits = PRINTING, where: str = "") -> Any:
    """Call a function of ``tasks.PRELOAD`` ("module:function") with JSON arguments in a guarded child.

    Its result comes back: bytes as bytes, anything else as JSON makes it. ``where`` names it in an error.
    """
    if target not in PRELOAD:
        raise ValueError(f"{target} may not be called")
    child = _hire()
    child.ask(target, request, limits)
    try:
        while not _wait([child]):
            pass
    except BaseException:
        child.stop()
        raise
    answer = child.result(where)
    if isinstance(answer, RubricatorError):
        raise answer
    return answer


# ---------------------------------------------------------------- one source


def _line(done: int, sources: list[Path], number: int) -> str:
    return f"read {done} of {len(sources)}: {store.printable(sources[number].name)}"


def _begin(
    path: Path,
    number: int,
    done: dict[int, Outcome],
    busy: dict[_Child, tuple[int, str, str]],
    cache: Path | None,
    limits: Limits,
    mends: Mended,
) -> None:
    """Start on a source, unless it is no source or was read before."""
    try:
        digest = look(path)
        own_mends = mends(path.parent)
    except RubricatorError as error:
        done[number] = error
        return
    store.protect(path)
    packed = json.dumps(store.to_json(own_mends), ensure_ascii=False) if own_mends else ""
    kept = store.recall(cache, digest, path.name, packed)
    if kept is not None:
        done[number] = kept
        return
    child = _hire()
    asked = {"path": os.path.abspath(path), "sha256": digest, "mends": json.loads(packed) if packed else None}
    child.ask(READ, asked, limits)
    busy[child] = (number, digest, packed)


def look(path: Path) -> str:
    """The hash of a file that may be a PDF; a SourceError at once for anything that cannot be one."""
    where = store.printable(str(path))
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        hint = "download it first: only files are read" if ":/" in where else ""
        raise SourceError("there is no such file", where=where, hint=hint) from None
    except (OSError, ValueError) as error:
        raise SourceError(f"cannot be opened ({getattr(error, 'strerror', None) or error})", where=where) from None
    try:
        _be_ordinary(os.fstat(handle), where)
        return _fingerprint(handle, where)
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror})", where=where) from None
    finally:
        os.close(handle)


def _be_ordinary(status: os.stat_result, where: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise SourceError("is a folder, not a PDF", where=where)
    if not stat.S_ISREG(status.st_mode):
        raise SourceError("is no ordinary file", where=where)
    if status.st_size == 0:
        raise SourceError("is empty", where=where, hint="download it again")
    if status.st_size > FILE_SIZE:
        raise SourceError(f"is larger than {FILE_SIZE >> 20} MB", where=where, hint="split it into parts")


def _fingerprint(handle: int, where: str) -> str:
    piece = os.read(handle, 1 << 20)
    if b"%PDF-" not in piece[:HEADER]:
        raise SourceError("is not a PDF", where=where, hint="save or print it as PDF first")
    digest = hashlib.sha256()
    while piece:
        digest.update(piece)
        piece = os.read(handle, 1 << 20)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What a child said of a source."""

    number: int
    digest: str
    mends: str
    answer: Any
    findings: list[Any]
    whole: bool  # it came to its end


def _told(child: _Child, sources: list[Path], number: int, digest: str, mends: str) -> _Told:
    """What a child said of a source; the child is free again afterwards."""
    answer = child.result(store.printable(str(sources[number])))
    return _Told(number=number, digest=digest, mends=mends, answer=answer, findings=child.findings,
                 whole=child.ended == 0)  # fmt: skip


def _outcome(answered: _Told, path: Path, cache: Path | None) -> Outcome:
    if isinstance(answered.answer, RubricatorError):
        return answered.answer
    try:
        document = store.from_json(Document, answered.answer)
        later = tuple(store.from_json(Finding, finding) for finding in answered.findings)
        document = replace(document, findings=(*document.findings, *later)) if later else document
        store.be_of(document, answered.digest, path.name)
    except (ValueError, RecursionError):
        return _garbage(store.printable(str(path)))
    if answered.whole:
        findings = [*answered.answer.get("findings", ()), *answered.findings]
        store.keep(cache, answered.digest, path.name, {**answered.answer, "findings": findings}, answered.mends)
    return document


# ---------------------------------------------------------------- children


class _Idle(threading.local):
    """Children with nothing to do, each for the thread that started it: they die with it, as the kernel sees it."""

    def __init__(self) -> None:
        self.children: list[_Child] = []


_idle = _Idle()
_alive: set[_Child] = set()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _hire() -> _Child:
    """A child that has nothing to do, or a new one."""
    while _idle.children:
        child = _idle.children.pop()
        if child.process.poll() is None:
            return child
        child.stop()
    return _Child()


@atexit.register
def dismiss() -> None:
    """End every child; called on the way out."""
    for child in list(_alive):
        child.stop()
    _idle.children.clear()


@dataclass(eq=False, slots=True)
class _Child:
    """A child process group that answers one request after another."""

    process: subprocess.Popen[bytes] = field(init=False)
    requests: socket.socket = field(init=False)
    scratch: store.Scratch = field(init=False)
    answers: int | None = None  # the pipe of the request: from the fork that serves it, and from nobody else
    limits: Limits = READING
    since: float = 0.0
    deadline: float = 0.0
    granted: float = 0.0  # seconds behind it: others had the processor
    begun: bool = False
    said: int = 0  # bytes
    heard: bytearray = field(default_factory=bytearray)
    controlled: bytearray = field(default_factory=bytearray)
    answer: Any = None
    error: dict[str, Any] | None = None
    findings: list[Any] = field(default_factory=list)
    ended: int | None = None
    why: str = ""  # it was stopped by us

    def __post_init__(self) -> None:
        self.scratch = store.Scratch()
        environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
        vocab.check_added()
        environment["RUBRICATOR_LANGUAGES"] = str(language.added() or "off")
        house = str(Path(__file__).resolve().parent.parent)
        self.requests, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-I", "-c", BOOT, house, str(os.getpid()), self.scratch.path],
                stdin=theirs.fileno(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env={**environment, "TMPDIR": self.scratch.path}, start_new_session=True,
            )  # fmt: skip
        _alive.add(self)

    def ask(self, target: str, arguments: dict[str, Any], limits: Limits) -> None:
        """Hand it a request; the clock starts when it has begun."""
        self.limits, self.heard, self.said, self.begun = limits, bytearray(), 0, False
        self.answer, self.error, self.findings, self.ended, self.why = None, None, [], None, ""
        request = {
            "target": target,
            "memory": limits.memory,
            "seconds": round(limits.seconds_at_most) + 30,
            "given": [str(path) for path in (arguments.get("path"), *arguments.get("pictures", {}).values()) if path],
            "with": arguments,
        }
        packed = json.dumps(request).encode("ascii")
        self.since, self.granted = time.monotonic(), 0.0
        self.deadline = self.since + STARTING
        self.limits = replace(limits, seconds=limits.time(pages=len(packed) // PAGE_OF_PRINT))
        self.answers, theirs = os.pipe()
        os.set_blocking(self.answers, False)
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it died before: listen() will find out
                socket.send_fds(self.requests, [HEAD.pack(len(packed))], [theirs])
                self.requests.sendall(packed)
        finally:
            os.close(theirs)

    def pipes(self) -> list[int]:
        """Where it may say something."""
        assert self.process.stdout is not None
        return [self.process.stdout.fileno(), *([self.answers] if self.answers is not None else [])]

    def listen(self, pipe: int) -> None:
        """Take in what was said there; a child that says too much or nothing more has ended."""
        if pipe == self.answers:
            self._take_in()
            return
        chunk = os.read(pipe, 1 << 16)
        *lines, rest = (self.controlled + chunk).split(b"\n")
        self.controlled = bytearray(rest)
        for line in lines:
            self._control(json.loads(line))
        if not chunk:
            self.ended = self.process.wait() or -signal.SIGKILL
        if self.ended is not None:
            self._take_in(to_the_end=True)

    def _control(self, message: dict[str, int]) -> None:
        """The child itself says when the work began and how it ended."""
        if "begun" in message:
            self.since = time.monotonic()
            self.deadline = self.since + self.limits.time()
            self.begun = True
        self.ended = message.get("ended", self.ended)

    def _take_in(self, *, to_the_end: bool = False) -> None:
        """What the fork says, as much as there is now."""
        while self.answers is not None and not self.why:
            try:
                chunk = os.read(self.answers, 1 << 20)
            except BlockingIOError:
                if not to_the_end:
                    return
                chunk = b""  # somebody else still holds the pipe: it is heard no more
            if not chunk:
                self._close()
                return
            self.said += len(chunk)
            if self.said > self.limits.answer:
                self.give_up("gave an answer that is too long")
                return
            self.heard += chunk
            if b"\n" in chunk:
                *lines, rest = self.heard.split(b"\n")
                self.heard = bytearray(rest)
                for line in lines:
                    self._heed(bytes(line))
            if not to_the_end:
                return

    def _heed(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = store.loaded(line)
            self.answer = message.get("answer", self.answer)
            self.error = message.get("error", self.error)
            self.findings = message.get("findings", self.findings)
            if "pages" in message:
                self.deadline = self.since + self.limits.time(int(message["pages"]))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            self.error = {"message": "was answered with nonsense"}

    def is_late(self) -> bool:
        """Whether its time is over. What it stood in line for a processor on a busy machine is not its own time."""
        if self.ended is not None or time.monotonic() <= self.deadline + self.granted:
            return False
        self.granted = min(_in_line(self.process.pid), MOST_GRANTED * (self.deadline - self.since))
        return time.monotonic() > self.deadline + self.granted

    def _close(self) -> None:
        if self.answers is not None:
            os.close(self.answers)
            self.answers = None

    def give_up(self, why: str) -> None:
        """Kill the whole group; the next request gets a fresh child."""
        self.why = why
        self.stop()
        self.ended = -signal.SIGKILL

    def stop(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._close()
        self.requests.close()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.scratch.remove()
        _alive.discard(self)

    def result(self, where: str) -> Any:
        """What came of the request; the child is free again, or gone."""
        self._close()
        if self in _alive and self.process.poll() is None and not self.why:
            _idle.children.append(self)
        else:
            self.stop()
        if self.error is not None:
            return _as_error(self.error, where)
        if self.answer is None:
            return SourceError(self.why or _how_it_died(self.ended or 0), where=where)
        if self.ended != 0:
            late = Finding(code="second-reader-failed", message="a second reader gave up on it")
            self.findings = [store.to_json(late)]
        try:
            answer = self.answer
            return base64.b64decode(answer["base64"], validate=True) if "base64" in answer else answer["json"]
        except (KeyError, TypeError, binascii.Error):
            return _garbage(where)


def _garbage(where: str) -> SourceError:
    return SourceError("was answered with nonsense", where=where, hint="the file is damaged")


def _as_error(answer: Any, where: str) -> RubricatorError:
    """The error that a child told; its class comes from the exit code, and what a terminal obeys is left out."""
    try:
        kind = BY_EXIT_CODE.get(answer.get("exit_code", 3), RubricatorError)
        texts = {key: store.printable(str(answer.get(key) or ""))[:SAID] for key in ("message", "where", "hint")}
        error = kind(texts["message"], where=where or texts["where"], hint=texts["hint"])
        if answer.get("trace"):
            error.add_note("\n".join(map(store.printable, str(answer["trace"]).splitlines())))
        return error
    except (AttributeError, KeyError, TypeError):
        return _garbage(where)


def _how_it_died(code: int) -> str:
    if code in (FULL, UNLINKED):
        return "used up its memory"
    if code >= 0:
        return "stopped without an answer"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    if -code in (signal.SIGABRT, signal.SIGKILL, signal.SIGTRAP):  # a trap is how GLib ends
        return f"used up its memory or crashed ({name})"
    if -code == signal.SIGXCPU:
        return "used up its time"
    return f"crashed ({name})"


def _wait(children: list[_Child]) -> list[_Child]:
    """Listen until at least one child has ended; those that have. A child over its time is killed."""
    with selectors.DefaultSelector() as selector:
        for child in children:
            for pipe in child.pipes():
                selector.register(pipe, selectors.EVENT_READ, child)
        while children and not any(child.ended is not None for child in children):
            soonest = min(child.deadline + child.granted for child in children)
            for key, _ in selector.select(max(0.0, soonest - time.monotonic())):
                _listen(key, selector)
            for child in children:
                if child.is_late():
                    child.give_up(f"took longer than {child.deadline - child.since:.0f} seconds")
    return [child for child in children if child.ended is not None]


def _in_line(process: int) -> float:
    """Seconds that the fork of a child waited for a processor; 0 where the kernel does not say."""
    try:
        forks = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()
        waits = [Path(f"/proc/{fork}/schedstat").read_text(encoding="ascii").split() for fork in forks]
        return sum(int(waited) for _, waited, _ in waits) / 1e9
    except (OSError, ValueError):
        return 0.0


def _listen(key: selectors.SelectorKey, selector: selectors.BaseSelector) -> None:
    child: _Child = key.data
    if key.fd not in child.pipes():  # it was closed by what was heard a moment ago
        return
    child.listen(key.fd)
    if child.ended is None and key.fd not in child.pipes():
        selector.unregister(key.fd)
