"""What every command has: --quiet, --debug, --help with an example, one line for an error, and its exit code."""

from __future__ import annotations

import argparse
import contextlib
import os
import pty
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline import cli, errors
from pipeline.cli import main, parser

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "sources/brass-orrery/orrery-faq.pdf"
PROMISED = ("build", "export", "dedup", "diff", "history", "since", "render", "handout", "new-book", "new-event",
            "new-layer", "check", "doctor")  # fmt: skip
QUICK = ("--help", "--version", "export --help")  # start without the heavy libraries
HEAVY = {"weasyprint", "jinja2", "pypdfium2", "pdfplumber", "langdetect", "PIL", "fontTools", "pikepdf"}


def commands() -> dict[str, argparse.ArgumentParser]:
    [choices] = [
        action.choices for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    ]
    return dict(choices)


def test_the_promised_commands_are_there_and_no_other() -> None:
    assert sorted(commands()) == sorted(PROMISED)


@pytest.mark.parametrize("name", PROMISED)
def test_every_command_has_what_every_command_has(name: str) -> None:
    made = commands()[name]
    flags = {flag for action in made._actions for flag in action.option_strings}
    assert {"--help", "--quiet", "--debug"} <= flags
    assert made.epilog and f"example: rubricator {name} " in made.epilog + " "
    assert made.epilog in made.format_help(), "the example is broken into lines"


@pytest.mark.parametrize("name", PROMISED)
def test_every_example_is_a_command_that_can_be_given(name: str) -> None:
    words = shlex.split((commands()[name].epilog or "").removeprefix("example: rubricator "))
    assert parser().parse_args(words).command == name


@pytest.mark.parametrize("name", PROMISED)
def test_every_argument_is_explained(name: str) -> None:
    unexplained = [action.dest for action in commands()[name]._actions if not action.help]
    assert not unexplained


@pytest.mark.parametrize(
    "arguments", [[], ["nothing"], ["diff", "one.pdf"], ["export", "x.pdf", "--format", "xml"]]
)
def test_wrong_arguments_are_code_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("arguments", QUICK)
def test_help_loads_nothing_heavy(arguments: str) -> None:
    code = ("import sys\nfrom pipeline.cli import main\n"
            "try: main(sys.argv[1:])\nexcept SystemExit: pass\nprint('loaded', *sys.modules)")  # fmt: skip
    said = subprocess.run(
        [sys.executable, "-c", code, *arguments.split()], capture_output=True, text=True, cwd=ROOT
    )
    loaded = {name.split(".")[0] for name in said.stdout.rpartition("loaded")[2].split()}
    assert loaded and not loaded & HEAVY


def stand_in(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let doctor fail in its own way."""

    def fail() -> None:
        raise error

    monkeypatch.setattr("pipeline.doctor.examine", fail)


@pytest.mark.parametrize("error", sorted(errors.BY_EXIT_CODE.values(), key=lambda each: each.exit_code))
def test_an_error_is_one_line_and_its_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: type[errors.RubricatorError]
) -> None:
    stand_in(monkeypatch, error("it\nbroke", where="here"))
    assert main(["doctor"]) == error.exit_code
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("rubricator: here: it broke") and said.err.count("\n") == 1


def test_debug_shows_where(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in(monkeypatch, errors.SourceError("it broke"))
    assert main(["doctor", "--debug"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_a_bug_is_one_line_that_asks_for_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(monkeypatch, ZeroDivisionError("a\nb"))
    assert main(["doctor"]) == 1
    assert (
        capsys.readouterr().err
        == "rubricator: a bug: ZeroDivisionError: a b – please report it; --debug shows where\n"
    )


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (cli._Terminated(), 143)])
def test_interruptions_are_silent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, code: int
) -> None:
    stand_in(monkeypatch, error)
    assert main(["doctor"]) == code
    assert capsys.readouterr() == ("", "")


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{shlex.quote(sys.executable)} -m pipeline.cli export {shlex.quote(str(SOURCE))} | head -c 10"
    said = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=ROOT, capture_output=True, text=True
    )
    assert (said.returncode, said.stderr.count("Traceback"), len(said.stdout)) == (0, 0, 10)


READING = [
    ["export", str(SOURCE)],
    ["dedup", str(SOURCE)],
    ["diff", str(SOURCE), str(SOURCE)],
    ["history", str(SOURCE), str(SOURCE)],
    ["check", str(SOURCE)],
]


@pytest.mark.parametrize("arguments", READING, ids=[arguments[0] for arguments in READING])
def test_quiet_leaves_stderr_empty(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*arguments, "--quiet"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("arguments", READING, ids=[arguments[0] for arguments in READING])
def test_a_missing_source_is_code_3_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    missing = [word if word == arguments[0] else "no-such.pdf" for word in arguments]
    assert main(missing) == 3
    said = capsys.readouterr().err
    assert "no-such.pdf" in said and said.count("rubricator: ") == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_pipes_get_utf8_whatever_the_locale(encoding: str) -> None:
    clean = {**os.environ, "PYTHONIOENCODING": encoding, "LC_ALL": "C"}
    command = [sys.executable, "-m", "pipeline.cli", "export", str(SOURCE)]
    said = subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, check=True)
    assert "’" in said.stdout.decode("utf-8")


def test_a_terminal_of_few_letters_is_no_bug() -> None:
    """Letters that it lacks are shown as their numbers."""
    clean = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pipeline.cli", "export", str(SOURCE), "--quiet"]
    with subprocess.Popen(command, cwd=ROOT, env=clean, stdout=theirs, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        said = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(ours, 65536):
                said += part
        os.close(ours)
    assert process.returncode == 0 and rb"\u2019" in said


def test_help_is_quick() -> None:
    times = []
    for _ in range(3):
        began = time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "pipeline.cli", "--help"], cwd=ROOT, capture_output=True, check=True
        )
        times.append(time.monotonic() - began)
    assert min(times) < 1.5, times
