"""What all tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import settings

from tests import faces

ROOT = Path(__file__).parent.parent

# Tests that were started in the background ignore Ctrl-C, and so would every command that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

if not faces.missing():
    faces.use()

settings.register_profile("house", deadline=None)  # a busy machine is no failure
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write the goldens anew instead of comparing")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of test documents beside the checkout; what needs it is skipped where it is absent."""
    folder = ROOT.parent / "shared"
    if not (folder / "corpus").is_dir():
        pytest.skip("the shared corpus is not beside this checkout")
    return folder


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """True when goldens are to be written anew."""
    return bool(request.config.getoption("--accept"))
