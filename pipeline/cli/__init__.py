"""Arguments -> one call in flow -> exit code. Owns stdout, stderr and progress.

Each module here is a command or two: ``add`` declares its arguments, ``run`` does it and returns the exit code.
Nothing heavy is imported before a command runs.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import signal
import stat
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pipeline import __version__
from pipeline.cli.inputs import given
from pipeline.errors import (
    HUNG_UP,
    INTERRUPTED,
    TERMINATED,
    OutputError,
    RubricatorError,
    UsageError,
    fit,
    of_the_machine,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from types import FrameType
    from typing import NoReturn

COMMANDS = (
    "build", "export", "dedup", "diff", "history", "follow", "render", "handout", "apply", "new", "check", "desk",
    "doctor", "serve", "schema", "completion",
)  # fmt: skip
FORMATS = ("text", "json", "jsonl", "md", "csv", "html", "pdf")  # of all commands: the suffixes that promise one
OTHERS = ("doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "tsv", "xml", "yaml", "epub")  # not ours
SUFFIXES = {"txt": "text", "markdown": "md", "htm": "html"}
BY_SUFFIX = "default: by the suffix of OUT, else jsonl; json keeps bold, italic, icons and colours"

FOR = "a player's list (names, a deck, an army, a CSV; - for stdin): only what touches its names"


class _Terminated(BaseException):
    """SIGTERM, or the terminal is gone (SIGHUP), as an exception: temporary files are swept on the way out."""

    def __init__(self, code: int = TERMINATED) -> None:
        super().__init__(code)
        self.code = code


ENDS = {"SIGTERM": TERMINATED, "SIGHUP": HUNG_UP}  # signals that end a command, and its exit code


class _Version(argparse.Action):
    """Our version and those that decide what is read and printed: what a report of a mistake needs."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> NoReturn:
        import platform
        from importlib.metadata import PackageNotFoundError, version

        print(f"rubricator {__version__}")
        versions = [f"Python {platform.python_version()}"]
        for name in ("pypdfium2", "pdfplumber", "weasyprint"):
            try:
                versions.append(f"{name} {version(name)}")
            except PackageNotFoundError:
                versions.append(f"{name} is missing")
        print(", ".join(versions))
        parser.exit()


def parser() -> argparse.ArgumentParser:
    """The whole command line; a command may be missing while its module is."""
    top = argparse.ArgumentParser(
        prog="rubricator",
        description="Rules, FAQ and errata of games: from PDFs to quick references, handouts and change sheets.",
        epilog="example: rubricator build sources/brass-orrery/orrery-faq.pdf",
    )  # fmt: skip
    top.add_argument("--version", action=_Version, nargs=0, help="ours, and those of what reads and prints; then exit")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f"pipeline.cli.{name}").add(commands)
    return top


def command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, about: str, example: str
) -> argparse.ArgumentParser:
    """Declare a command with what every command has: --quiet, --debug, --help with an example."""
    subparser = commands.add_parser(
        name,
        help=about,
        description=about,
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,  # an example stays in one line, to be copied
    )
    subparser.add_argument("-q", "--quiet", action="store_true", help="no progress, no counts; errors only")
    subparser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return subparser


def password(subparser: argparse.ArgumentParser) -> None:
    """Declare what a command that reads PDFs has: a password to open them with."""
    subparser.add_argument("--password", metavar="WORD", help="that opens the PDFs; they are not changed")


def jobs(given: str) -> int:
    """The number after --jobs."""
    if not given.isdigit() or int(given) < 1:
        raise argparse.ArgumentTypeError(f"{given!r} is not a number of jobs")
    return int(given)


def chosen(given: str | None, output: Path | None, formats: Sequence[str]) -> str:
    """The format: as said, by the suffix of the file to write, else the first; never another than the suffix says."""
    suffix = output.suffix.lower().lstrip(".") if output else ""
    form = given or SUFFIXES.get(suffix, suffix)
    if form in formats:
        return form
    if form in (*FORMATS, *OTHERS):
        raise UsageError(f"cannot be written as {form}", where=str(output),
                         hint=f"choose one of {', '.join(formats)}, or say it with --format")  # fmt: skip
    return formats[0]


def folder_named(output: Path | None) -> None:
    """Refuse a folder with the name of a file: several files are written, and ``-o sheet.pdf`` expects one."""
    if output is not None and not output.is_dir() and output.suffix.lower().lstrip(".") in {*FORMATS, *SUFFIXES}:
        hint = f"name a folder, for example {output.with_suffix('')}"
        raise UsageError("is the name of a file, and several are written", where=str(output), hint=hint)


def list_named(listed: Path | None) -> None:
    """Refuse a file that is no list before anything is read; what comes in on stdin is looked at later."""
    if listed is not None and str(listed) != "-":
        from pipeline.names import read_list

        read_list(listed)


def steps(args: argparse.Namespace) -> Callable[[str], None]:
    """Tells a person at a terminal how far reading is; others want to hear only what came out."""
    return lambda line: say(args, line) if sys.stderr.isatty() else None


def say(args: argparse.Namespace, message: str) -> None:
    """A line for the person at the terminal, on stderr, unless --quiet."""
    if not args.quiet:
        print(fit(message), file=sys.stderr, flush=True)


def tell(text: str) -> None:
    """A result in words, on stdout: nothing in it that a terminal would obey."""
    print(fit(text), flush=True)


def complain(error: RubricatorError) -> int:
    """One line on stderr for it and for what failed with it, unless it was said before; the exit code."""
    for each in (error, *error.also):
        if not each.told:
            print(f"rubricator: {fit(str(each))}", file=sys.stderr, flush=True)
        each.told = True
    return error.exit_code


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; every failure is one line on stderr and its exit code."""
    _heed_signals()
    _open_standard_streams()
    _speak_utf8()
    args = _arguments(argv)
    try:
        with given(args) as ready:
            code: int = ready.run(ready)
        sys.stdout.flush()
        return code
    except RubricatorError as error:
        if args.debug:
            _trace()
        return complain(error)
    except BrokenPipeError as error:
        _give_up_stdout()
        return error.__context__.code if isinstance(error.__context__, _Terminated) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except _Terminated as ended:
        return ended.code
    except Exception as error:
        if args.debug:
            _trace()
        if known := of_the_machine(error):
            _give_up_stdout()
            return complain(known)
        what = fit(" ".join(f"{type(error).__name__}: {error}".split()))
        print(f"rubricator: a bug: {what} – please report it; --debug shows where", file=sys.stderr)
        return 1


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for; who asks for nothing sees what there is, who mistypes a command the nearest one."""
    main_parser = parser()
    given = sys.argv[1:] if argv is None else argv
    if not given:
        main_parser.print_help(sys.stderr)
        main_parser.exit(UsageError.exit_code)
    if given[0] == "help":
        given = [*given[1:], "--help"]
    [known] = [action.choices for action in main_parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not given[0].startswith("-") and given[0] not in known:
        _mistyped(f"there is no command {given[0]!r}", given[0], known)
    args, unknown = main_parser.parse_known_args(given)
    if unknown and unknown[0].startswith("-"):
        options = [flag for action in known[args.command]._actions for flag in action.option_strings]
        _mistyped(f"{args.command} has no option {unknown[0]}", unknown[0], options)
    if unknown:
        known[args.command].error(f"one argument too many: {unknown[0]}")
    return args


def _mistyped(what: str, word: str, known: Iterable[str]) -> NoReturn:
    """One line with the nearest word, and the code for wrong arguments."""
    from pipeline.config import nearest

    sys.exit(complain(UsageError(what, hint=nearest(word, known))))


def _give_up_stdout() -> None:
    """What is still to be written goes nowhere: nobody reads it, or there is no room."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Closed(io.TextIOBase):
    """Standard output that whoever started us has closed: it is an error only if something is to be written there."""

    @property
    def buffer(self) -> _Closed:
        return self

    def write(self, text: object) -> int:
        raise OutputError("standard output is closed", hint="name a file with -o")


def _open_standard_streams() -> None:
    """Nothing of ours becomes standard input or output by chance, because those were closed."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(handle, True)
    os.close(handle)
    sys.stdout = sys.stdout or _Closed()
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _speak_utf8() -> None:
    """Files and pipes get UTF-8 whatever the locale; a terminal its own letters, others as their numbers."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def _trace() -> None:
    import traceback

    traceback.print_exc()


def _heed_signals() -> None:
    for name in ENDS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(number, _terminate)


def _terminate(signum: int, frame: FrameType | None) -> NoReturn:
    """End once: a second signal does not disturb the sweeping. Where the terminal is gone, nothing is said to it."""
    for name in ENDS:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    name = signal.Signals(signum).name
    if name == "SIGHUP":
        for handle in (1, 2):
            with contextlib.suppress(OSError):
                if stat.S_ISCHR(os.fstat(handle).st_mode):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), handle)
    raise _Terminated(ENDS[name])
