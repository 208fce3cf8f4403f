"""What printing needs, and whether it is on this machine."""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.errors import PANGO

OLDEST_PYTHON = (3, 11)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something on this machine: is it well, and what there is to say about it."""

    name: str
    well: bool
    says: str
    needed: bool = True


def examine() -> tuple[Part, ...]:
    """Every part, in the order in which it is needed."""
    return (_python(), *_packages(), _pango(), _cutter(), *_fonts(), _languages(), _guard(), _browser())


def _python() -> Part:
    here = ".".join(map(str, sys.version_info[:3]))
    well = sys.version_info >= OLDEST_PYTHON
    return Part(name="Python", well=well, says=here if well else f"{here} – 3.11 or newer is needed")


def _packages() -> Iterator[Part]:
    """The packages that this distribution asks for, each at its floor or above."""
    for wanted in importlib.metadata.requires("rubricator") or ():
        if "extra ==" in wanted:
            continue
        name, floor = re.match(r"([\w.-]+)\W*([\d.]*)", wanted).groups()  # type: ignore[union-attr]
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield Part(name=name, well=False, says="not installed – run make setup")
            continue
        well = _numbers(version) >= _numbers(floor)
        yield Part(
            name=name,
            well=well,
            says=version if well else f"{version} – {floor} or newer is needed: run make setup",
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _pango() -> Part:
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # where it is missing, WeasyPrint prints a page of advice
            from weasyprint.text.ffi import pango

        version = pango.pango_version()
    except (ImportError, OSError, AttributeError, KeyError):  # KeyError: a second try after one that failed
        return Part(name="Pango", well=False, says=f"printing needs it, and it cannot be loaded – {PANGO}")
    return Part(name="Pango", well=True, says=f"{version // 10000}.{version // 100 % 100}.{version % 100}")


def _cutter() -> Part:
    """What cuts fonts down to the letters that are used. Without it pages look the same, in other bytes."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            from weasyprint.text.ffi import harfbuzz_subset as cutter
    except (ImportError, OSError, AttributeError, KeyError):
        cutter = None
    if cutter:
        return Part(name="HarfBuzz-Subset", well=True, says="found")
    return Part(name="HarfBuzz-Subset", well=False, says="what is printed here has other bytes than elsewhere – sudo "
                "apt-get install libharfbuzz-subset0 (macOS: brew install harfbuzz)")  # fmt: skip


def _fonts() -> Iterator[Part]:
    for family in ("font_source_serif_pro", "font_source_sans_pro"):
        try:
            module = __import__(family)
        except ImportError:
            yield Part(name=family, well=False, says="not installed – run make setup")
            continue
        yield Part(
            name=family,
            well=True,
            says=f"{len(module.font_files)} files" if hasattr(module, "font_files") else "found",
        )


def _languages() -> Part:
    """The words that there are, and whether those that a person added can be read."""
    from pipeline import language, vocab
    from pipeline.errors import ConfigError

    try:
        extra = vocab.check_added()
    except ConfigError as error:
        return Part(name="Languages", well=False, says=str(error))
    beside = f"; {', '.join(extra)} from {language.added()}" if extra else ""
    return Part(name="Languages", well=True, says=f"{len(vocab.languages())}{beside}")


def _guard() -> Part:
    """Whether the process that reads a stranger's PDF is locked in, as far as it can be tried."""
    from pipeline import guard, sandbox
    from pipeline.errors import RubricatorError

    try:
        with tempfile.NamedTemporaryFile() as outside:
            open_to_it = guard.run("pipeline.sandbox:tried", {"outside": outside.name, "parent": os.getpid()})
    except (RubricatorError, OSError) as error:
        return Part(name="Guard", well=False, says=f"no child process could be started: {error}")
    if not open_to_it:
        says = f"who reads a PDF can do nothing but that (Landlock {sandbox.landlock()}, seccomp, no network)"
        return Part(name="Guard", well=True, says=says)
    says = (
        f"a PDF that takes its reader over could {', '.join(open_to_it)}: this system gives no lock against it – "
        "read only what you trust; SECURITY.md says what each lock needs"
    )
    return Part(name="Guard", well=False, needed=False, says=says)


def _browser() -> Part:
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    return Part(
        name="Chromium",
        well=browser is not None,
        needed=False,
        says=browser or "only tests of the web book use it",
    )
