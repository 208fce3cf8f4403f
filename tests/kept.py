"""PDFs that test documents were set as before, kept by all that they are set from: setting takes twenty times as long as
reading. RUBRICATOR_SET names another folder than ~/.cache/rubricator-tests; ``off``: none."""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path


def _home() -> Path | None:
    named = os.environ.get("RUBRICATOR_SET")
    if named:
        return None if named == "off" else Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "rubricator-tests"


@cache
def _program(name: str) -> str:
    """A program that sets, with its version and that of what it sets with."""
    if name != "weasyprint":
        return subprocess.run([name, "--version"], capture_output=True, text=True, check=True).stdout
    from importlib.metadata import version

    from weasyprint.text.ffi import harfbuzz_subset, pango

    return f"{version('weasyprint')} {pango.pango_version()} {bool(harfbuzz_subset)}"


def pdf(by: str, made_from: bytes, faces: str, make: Callable[[], bytes]) -> bytes:
    """What ``make`` gives, or gave when the same program had the same page and the same fonts."""
    home = _home()
    if home is None:
        return make()
    key = hashlib.sha256("\0".join((_program(by), faces)).encode() + b"\0" + made_from).hexdigest()
    place = home / f"{key}.pdf"
    with contextlib.suppress(OSError):
        return place.read_bytes()
    made = make()
    with contextlib.suppress(OSError):  # a home that nobody may write to
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=home, delete=False) as part:
            part.write(made)
        os.replace(part.name, place)
    return made
