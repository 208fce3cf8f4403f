"""What the guarded child runs: one source or one page of print after another, each in a fork of its own.

The child is started once (imports are what costs), closes the network, and then forks for every request. The
fork gets the limits, is locked in (``sandbox``), does the work and dies; so a file that takes its reader down, leaks,
or changes a library's state costs only itself. Nothing is pickled: requests and answers are lines of JSON.

A request comes with a pipe of its own, and the fork has no other: whatever a reader that was taken over says, it says
about its own file, and not a word after its end. Only this process says when a fork began and how it ended.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import importlib
import json
import os
import shutil
import socket
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from pipeline import sandbox, store
from pipeline.errors import NoTextError, RubricatorError, SourceError, of_the_machine
from pipeline.records import Document, Extract, Finding, Page, Run, Structure
from pipeline.tasks import FULL, HEAD, PRELOAD, READ, REREAD, WRITE

# Imported while the first source is being read by the fork: the second one then finds them.
OFTEN = ("fr", "en", "de", "es", "it")  # most documents; any other costs its fork a twentieth of a second
LATER = ("pikepdf", "pdfplumber", "pdfminer.high_level")

PAGES = 2_000  # an army book has 350; a longer file is hardly a rulebook, and the time limit grows with pages
CHARACTERS_A_PAGE = 200_000  # a dense page holds 8,000
OPEN_FILES = 256
FILE_SIZE = 64 << 20  # of what a child may write: fonts, for Pango; a pipe has no size

ANSWERS = 3  # the only pipe of a fork

Tell = Callable[..., None]

# ---------------------------------------------------------------- the loop


def main(parent: str, scratch: str) -> NoReturn:
    """Answer requests from the socket that is our stdin until it is closed."""
    sandbox.enter(scratch)
    sandbox.die_with(int(parent))
    control = os.dup(1)
    os.dup2(2, 1)  # a library that prints must not spoil the answers
    requests = socket.socket(fileno=os.dup(0))
    while (received := _request(requests)) is not None:
        request, answers = received
        _load(PRELOAD[request["target"]])
        if request["target"] in WRITE and not any(map(os.path.isdir, sandbox.font_caches())):
            _list_fonts()
        here = os.getpid()
        _say(control, {"begun": True})
        try:
            child = os.fork()
        except OSError:  # the machine has no memory left for it
            os.close(answers)
            _say(control, {"ended": FULL})
            continue
        if child == 0:
            _serve(request, answers, scratch, here)
        os.close(answers)
        if request["target"] in (READ, REREAD):
            _practise()
        _, status = os.waitpid(child, 0)
        _empty(scratch)
        _say(control, {"ended": os.waitstatus_to_exitcode(status)})
    os._exit(0)


def _request(requests: socket.socket) -> tuple[dict[str, Any], int] | None:
    """The next request, and the pipe that its answers go to; None when there is nobody to ask."""
    head, handles, _, _ = socket.recv_fds(requests, HEAD.size, 1)
    if len(head) < HEAD.size or not handles:
        return None
    [left] = HEAD.unpack(head)
    pieces = []
    while left:
        piece = requests.recv(min(left, 1 << 20))
        if not piece:
            return None
        pieces.append(piece)
        left -= len(piece)
    return json.loads(b"".join(pieces)), handles[0]


def _empty(scratch: str) -> None:
    """Delete what the last request left in the scratch folder."""
    for name in os.listdir(scratch):
        path = os.path.join(scratch, name)
        with contextlib.suppress(OSError):
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)


def _load(modules: tuple[str, ...]) -> None:
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception:  # the fork meets it again and tells
            return


@cache
def _list_fonts() -> None:
    """Have a list of the machine's fonts written: forks may not, and would look through all of them each time."""
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            importlib.import_module("weasyprint.text.fonts").FontConfiguration()
        os._exit(0)
    os.waitpid(child, 0)


@cache
def _practise() -> None:
    """Understand a page of each of the commonest languages, so that every later fork starts with warm caches.

    Loading words and patterns costs five times as much as reading a page with them.
    """
    from pipeline import flow, language

    _load(LATER)
    for spoken in OFTEN:
        words = sorted(language.common(spoken).words)[:80]
        lines = [" ".join(words[at : at + 10]) for at in range(0, len(words), 10)]
        with contextlib.suppress(Exception):  # a page that cannot be understood warms nothing, and harms nothing
            flow.understand(Extract(source="", sha256="", pages=(_page(lines),)))


def _page(lines: list[str]) -> Page:
    runs = []
    for number, line in enumerate(lines):
        top = 100.0 + 14 * number
        runs.append(
            Run(text=line, x0=70, top=top, x1=400, bottom=top + 10, baseline=top + 8, font="Serif", size=10)
        )
    return Page(number=1, width=595, height=842, runs=tuple(runs))


def _serve(request: dict[str, Any], answers: int, scratch: str, parent: int) -> NoReturn:
    """In the fork: limit, work, tell, die. Leaves by _exit, so that nothing of the parent runs twice."""
    code = 1
    try:
        sandbox.die_with(parent)
        os.dup2(2, 0)
        os.dup2(answers, ANSWERS)
        os.closerange(ANSWERS + 1, OPEN_FILES)  # neither requests nor what only the parent may say
        _limit(request["memory"], request["seconds"])
        sandbox.confine(request["given"], [scratch] if request["target"] in WRITE else [])

        def tell(**message: Any) -> None:
            _say(ANSWERS, message)

        _work(request, tell)
        code = 0
    except Exception:  # of a work that tells its errors: there was no memory left to tell this one
        code = FULL
    finally:
        os._exit(code)


def _work(request: dict[str, Any], tell: Tell) -> None:
    try:
        if request["target"] == READ:
            given = request["with"]
            extra = {"mends": given["mends"]} if given.get("mends") else {}
            read(Path(given["path"]), given["sha256"], tell, **extra)
        else:
            module, _, name = request["target"].partition(":")
            tell(answer=_packed(getattr(importlib.import_module(module), name)(**request["with"])))
    except MemoryError:
        tell(error={"exit_code": SourceError.exit_code, "message": "used up its memory"})
    except RecursionError:
        tell(error={"exit_code": SourceError.exit_code, "message": "is nested too deeply to be read"})
    except Exception as error:
        if known := error if isinstance(error, RubricatorError) else of_the_machine(error):
            failure = {"exit_code": known.exit_code, "message": known.message, "where": known.where, "hint": known.hint}
            tell(error=failure)
            return
        what = f"a bug: {type(error).__name__}: {error}"
        hint = "please report it; --debug shows where"
        tell(
            error={
                "exit_code": 1,
                "message": what[:500],
                "hint": hint,
                "trace": traceback.format_exc()[-8000:],
            }
        )


def _packed(result: Any) -> Any:
    return {"base64": base64.b64encode(result).decode("ascii")} if isinstance(result, bytes) else {"json": result}


def _say(pipe: int, message: dict[str, Any]) -> None:
    rest = memoryview(json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n")
    while rest:
        rest = rest[os.write(pipe, rest) :]


# ---------------------------------------------------------------- reading


def read(path: Path, sha256: str, tell: Tell, mends: Any = None) -> None:
    """Tell a source's pages first (they set the time), then the document, then what a second engine found."""
    from pipeline.config import Mends
    from pipeline.extract.opened import count_pages
    from pipeline.flow import understand

    content = _content(path, sha256)
    pages = count_pages(content)
    if pages > PAGES:
        hint = "split it into parts"
        raise SourceError(f"has {pages:,} pages, and {PAGES:,} is the most that is read", hint=hint)
    tell(pages=pages)
    drawn = _drawn(path, content, sha256, pages)
    tell(pages=len(drawn.pages))
    document = understand(drawn, store.from_json(Mends, mends) if mends else None)
    tell(answer={"json": store.to_json(document)})
    tell(findings=[store.to_json(finding) for finding in _second_opinion(content, drawn, document)])


def laid_out(path: str, sha256: str) -> Any:
    """The blocks of a source before anything is understood, as JSON, and the sizes of its pages: what the desk reads
    again from."""
    from pipeline.structure import structure

    source = Path(path)
    drawn = _drawn(source, _content(source, sha256), sha256, 1)
    sizes = [[page.width, page.height] for page in drawn.pages]
    return {"structure": store.to_json(structure(drawn)), "sizes": sizes}


def reread(structure: Any, mends: Any) -> Any:
    """The document of these blocks as a person said they are, and the blocks as they were shaped: JSON for JSON."""
    from pipeline.config import Mends
    from pipeline.flow import reread as again
    from pipeline.mend.shape import shape

    blocks = store.from_json(Structure, structure)
    own_mends = store.from_json(Mends, mends) if mends else None
    shaped = store.to_json(shape(blocks, own_mends).structure) if own_mends else None
    return {"document": store.to_json(again(blocks, own_mends)), "structure": shaped}


def pictures(path: str, mends: Any = None) -> list[str]:
    """Every page of a PDF as PNG in base64, with what was understood drawn over it; as a person said it is."""
    from pipeline.config import Mends
    from pipeline.extract import extract
    from pipeline.flow import reread as again
    from pipeline.mend.shape import shape
    from pipeline.picture import draw
    from pipeline.structure import structure

    source = Path(path)
    blocks = structure(extract(source))
    own_mends = store.from_json(Mends, mends) if mends else None
    shaped = shape(blocks, own_mends).structure if own_mends else blocks
    return [base64.b64encode(page).decode("ascii") for page in draw(source, shaped, again(blocks, own_mends))]


def _content(path: Path, sha256: str) -> bytes:
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise SourceError("changed while it was read", hint="try again when it is whole")
    return content


def _drawn(path: Path, content: bytes, sha256: str, pages: int) -> Extract:
    from pipeline.extract import extract

    try:
        drawn = extract(path, content)  # mends a damaged file in a copy
    except NoTextError:
        if pages:
            raise
        raise SourceError("is damaged, and no text could be saved", hint="download it again") from None
    _within_budget(drawn)
    return replace(drawn, source=store.printable(path.name), sha256=sha256)


def _second_opinion(content: bytes, drawn: Extract, document: Document) -> list[Finding]:
    """What the second reader finds; if it fails, that is a finding, not an error."""
    from pipeline import cross_check

    try:
        return cross_check.cross_check(content, drawn, document)
    except Exception as error:
        message = f"a second reader gave up on it ({type(error).__name__})"
        return [Finding(code="second-reader-failed", message=message, source=drawn.source)]


def _within_budget(extract: Extract) -> None:
    for page in extract.pages:
        characters = sum(len(run.text) for run in page.runs)
        if characters > CHARACTERS_A_PAGE:
            raise SourceError(f"holds more text than a rulebook can (page {page.number})", hint="is it a rulebook?")


# ---------------------------------------------------------------- limits


def _limit(memory: int, seconds: int) -> None:
    try:
        import resource
    except ImportError:  # Windows: the wall clock is all there is
        return
    for name, most in (
        ("AS", memory),
        ("CPU", seconds),
        ("CORE", 0),
        ("FSIZE", FILE_SIZE),
        ("NOFILE", OPEN_FILES),
    ):
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is None:
            continue
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):  # macOS refuses some
            continue
