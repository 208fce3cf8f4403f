"""The files that a command is given: PDFs, ``-`` for what comes in on stdin, and those that a password opens."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pipeline.errors import SourceError

STDIN = (Path("-"), Path("/dev/stdin"))
PIECE = 1 << 20


@contextmanager
def given(args: argparse.Namespace) -> Iterator[argparse.Namespace]:
    """The arguments of a command that takes a password, with files that can be read in place of those that cannot."""
    password = getattr(args, "password", None)
    names = [name for name in ("files", "old", "new", "books") if hasattr(args, "password") and hasattr(args, name)]
    paths_of = {
        name: list(value) if isinstance(value := getattr(args, name), (list, tuple)) else [value] for name in names
    }
    meant = {name: [Path(each) for each in values] for name, values in paths_of.items()}
    if password is None and not any(path in STDIN for paths in meant.values() for path in paths):
        yield args
        return
    with opened([path for paths in meant.values() for path in paths], password) as files:
        following = iter(files)
        for name, paths in meant.items():
            opened_ones = [next(following) for _ in paths]
            kept = [str(path) for path in opened_ones] if name == "books" else opened_ones
            setattr(args, name, kept if isinstance(getattr(args, name), (list, tuple)) else kept[0])
        yield args


@contextmanager
def opened(paths: Sequence[Path], password: str | None = None) -> Iterator[list[Path]]:
    """The paths to read: what comes in on stdin, and what the password opened, as files that last as long as this."""
    with tempfile.TemporaryDirectory(prefix="rubricator-") as scratch:
        files = [_received(Path(scratch)) if path in STDIN else path for path in paths]
        if password is not None:
            files = [_unlocked(path, password, Path(scratch, str(number))) for number, path in enumerate(files)]
        yield files


def _received(scratch: Path) -> Path:
    """What comes in on stdin, as a file; as much as a PDF may have and a piece more, so that reading it says so."""
    from pipeline.guard import FILE_SIZE

    path = scratch / "stdin.pdf"
    if path.exists():
        return path
    if sys.stdin is None or sys.stdin.isatty():
        raise SourceError("nothing comes in on standard input", where="-", hint="pipe a PDF into it, or name a file")
    with path.open("wb") as file:
        while file.tell() <= FILE_SIZE and (piece := sys.stdin.buffer.read(PIECE)):
            file.write(piece)
    return path


def _unlocked(path: Path, password: str, folder: Path) -> Path:
    """A copy that is open, under the same name; a folder, or what is no PDF at all, as it is: reading says so."""
    from pipeline import guard

    if not path.is_file():
        return path
    guard.look(path)
    asked = {"path": str(path.resolve()), "password": password}
    content = guard.run("pipeline.unlock:unlocked", asked, where=str(path))
    folder.mkdir()
    copy = folder / path.name
    copy.write_bytes(content)
    return copy
