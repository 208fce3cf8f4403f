"""What all tests share."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings

from tests import browser, faces

ROOT = Path(__file__).parent.parent

os.environ["RUBRICATOR_LANGUAGES"] = "off"  # what a person added to ours is nothing to our tests

# Tests that were started in the background ignore Ctrl-C, and so would every command that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

if not faces.missing():
    faces.use()

settings.register_profile("house", deadline=None)  # a busy machine is no failure
settings.load_profile("house")


# What takes longest is begun first, so that the end of a run is not one file alone on one core.
LONG = ("test_hostile.py", "test_walks.py", "test_invented.py", "test_render.py", "test_cross_check.py", "test_epub.py", "test_durable.py",
        "test_schema.py", "test_desk.py", "test_surroundings.py", "test_deterministic.py", "test_web.py", "test_reissued.py")  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))


Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
# What is said where it is not installed: by a command, by WeasyPrint, by the doctor.
PANGO = ("printing needs Pango", "cannot load library 'libpango", "MISSING Pango")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that prints is skipped where nothing can be printed; ``make test`` sees to it that it can."""
    return _skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _skipped((yield))


def _skipped(report: Report) -> Report:
    """The report, or that Pango is not there if it failed by that."""
    said = "\n".join((str(report.longrepr), *(text for _, text in report.sections)))
    if report.failed and any(each in said for each in PANGO):
        report.outcome = "skipped"
        report.longrepr = (report.nodeid, 0, "Skipped: Pango is not installed")
    return report


def pytest_unconfigure() -> None:
    browser.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write the goldens anew instead of comparing")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of test documents beside the checkout; what needs it is skipped where it is absent."""
    folder = ROOT.parent / "shared"
    if not (folder / "corpus").is_dir():
        pytest.skip("the shared corpus is not beside this checkout")
    return folder


REAL = ("real", "real/releases", "real/languages", "real/marks", "real/unmarked")  # never a folder below these


@pytest.fixture(params=REAL)
def real_book(request: pytest.FixtureRequest, shared: Path) -> tuple[Path, ...]:
    """Real publications that make a book together, where they are at hand: those in one folder, not in folders below."""
    found = tuple(sorted((shared / str(request.param)).glob("*.pdf")))
    if not found:
        pytest.skip(f"{request.param} is not beside this checkout")
    return found


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """True when goldens are to be written anew."""
    return bool(request.config.getoption("--accept"))
