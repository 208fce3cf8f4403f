"""Names from outside -> paths that cannot leave their folder. Whatever a file or a document names goes through here.

A folder may be somebody else's: a club's repository, an attachment. What stands in its files names what is in it, and
nothing else; what is written for it stays in the folder that the person at the keyboard named.
"""

from __future__ import annotations

import stat
from pathlib import Path, PurePosixPath, PureWindowsPath

LONGEST = 200  # bytes of a name, so that a suffix of ours still fits the 255 of every file system
FORBIDDEN = '/\\:*?"<>|'  # by one of the systems that a folder travels between
DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10)))
)  # on Windows, whatever the suffix


def inside(folder: Path, name: str, *, must_exist: bool = True) -> Path:
    """The path of ``name``, which cannot leave ``folder`` (by "..", "/" or a link) and is a regular file."""
    path = PurePosixPath(name)
    if (
        not name
        or "\0" in name
        or "\\" in name
        or path.is_absolute()
        or ".." in path.parts
        or PureWindowsPath(name).drive
    ):
        raise ValueError(f'"{name}" must be a file in this folder: no "/" in front, no ".."')
    full = folder / path
    if leaves(folder, full):
        raise ValueError(f'"{name}" is a link that leads out of this folder')
    try:
        if not stat.S_ISREG(full.stat().st_mode):
            raise ValueError(f'"{name}" is not a regular file')
    except OSError as error:
        if must_exist or not isinstance(error, FileNotFoundError):
            shown = name if len(name) <= LONGEST else f"{name[:40]}…"
            raise ValueError(f'"{shown}" is not in this folder') from None
    return full


def plain(name: str) -> str:
    """The name, if a file of it can be made in any folder on any system; a ValueError that says why not."""
    if not name.strip() or name != name.strip() or name.endswith("."):
        raise ValueError(f'"{name}" is no name of a file: it is empty, or has a space or a stop at its end')
    if any(letter in FORBIDDEN or not letter.isprintable() for letter in name):
        raise ValueError(f'"{name}" is no name of a file: leave out {" ".join(FORBIDDEN)} and what cannot be printed')
    if name.startswith((".", "-")) or name.split(".")[0].rstrip().casefold() in DEVICES:
        raise ValueError(f'"{name}" is no name of a file: not a stop or a dash in front, nor the name of a device')
    if len(name.encode("utf-8")) > LONGEST:
        raise ValueError(f'"{name[:40]}…" is too long for the name of a file')
    return name


def below(root: Path, *names: str) -> Path:
    """A folder or file in ``root``, itself there or not; a ValueError where a name, or a link on the way, leads out."""
    path = root.joinpath(*names)
    if any(not name or "\0" in name or PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts
           for name in names):  # fmt: skip
        raise ValueError(f"{path} is not in {root}")
    if leaves(root, path):
        raise ValueError(f"{path} is a link that leads out of {root}")
    return path


def leaves(folder: Path, path: Path) -> bool:
    """Whether a path in a folder leads out of it, by a link in the folder; the folder itself may be one."""
    try:
        return not path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links in a circle lead nowhere
        return True
