"""Arguments -> one call in flow -> exit code. Owns stdout, stderr and progress.

Each module here is a command or two: ``add`` declares its arguments, ``run`` does it and returns the exit code.
Nothing heavy is imported before a command runs.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline import __version__
from pipeline.errors import INTERRUPTED, TERMINATED, RubricatorError

if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

COMMANDS = ("build", "export", "dedup", "diff", "history", "render", "handout", "new", "check", "doctor")


class _Terminated(BaseException):
    """SIGTERM, as an exception, so that temporary files are swept on the way out."""


def parser() -> argparse.ArgumentParser:
    """The whole command line; a command may be missing while its module is."""
    top = argparse.ArgumentParser(
        prog="rubricator",
        description="Rules, FAQ and errata of games: from PDFs to quick references, handouts and change sheets.",
        epilog="example: rubricator export faq.pdf --format md -o faq.md",
    )  # fmt: skip
    top.add_argument("--version", action="version", version=f"rubricator {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f"pipeline.cli.{name}").add(commands)
    return top


def command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, about: str, example: str
) -> argparse.ArgumentParser:
    """Declare a command with what every command has: --quiet, --debug, --help with an example."""
    made = commands.add_parser(
        name,
        help=about,
        description=about,
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,  # an example stays in one line, to be copied
    )
    made.add_argument("--quiet", action="store_true", help="no progress, no counts; errors only")
    made.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return made


def say(args: argparse.Namespace, message: str) -> None:
    """A line for the person at the terminal, on stderr, unless --quiet."""
    if not args.quiet:
        print(message, file=sys.stderr, flush=True)


def complain(error: RubricatorError) -> int:
    """One line on stderr; the exit code."""
    print(f"rubricator: {error}", file=sys.stderr, flush=True)
    return error.exit_code


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; every failure is one line on stderr and its exit code."""
    signal.signal(signal.SIGTERM, _terminate)
    _speak_utf8()
    args = parser().parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except RubricatorError as error:
        if args.debug:
            _trace()
        return complain(error)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except _Terminated:
        return TERMINATED
    except Exception as error:
        if args.debug:
            _trace()
        what = " ".join(f"{type(error).__name__}: {error}".split())
        print(f"rubricator: a bug: {what} – please report it; --debug shows where", file=sys.stderr)
        return 1


def _speak_utf8() -> None:
    """Files and pipes get UTF-8 whatever the locale; a terminal its own letters, others as their numbers."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def _trace() -> None:
    import traceback

    traceback.print_exc()


def _terminate(signum: int, frame: FrameType | None) -> NoReturn:
    raise _Terminated
