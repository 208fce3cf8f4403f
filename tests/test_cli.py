"""What every command has: --quiet, --debug, --help with an example, one line for an error, and its exit code."""

from __future__ import annotations

import argparse
import contextlib
import os
import pty
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline import cli, errors
from pipeline.cli import main, parser

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "sources/brass-orrery/orrery-faq.pdf"
PROMISED = ("build", "export", "dedup", "desk", "diff", "history", "since", "follow", "render", "handout", "new-book", "new-event",
            "new-language", "new-layer", "check", "doctor", "apply", "schema", "serve", "completion")  # fmt: skip
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


@pytest.mark.parametrize(("typed", "hint"), [("biuld", "did you mean 'build'?"), ("xyzzy", "known are apply, build,")])
def test_a_mistyped_command_is_one_line_with_the_nearest(
    typed: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([typed, "--quiet"])
    said = capsys.readouterr().err
    assert said.startswith(f"rubricator: there is no command '{typed}' – {hint}") and said.count("\n") == 1


@pytest.mark.parametrize(("typed", "says"), [
    (["export", "x.pdf", "--fromat", "csv"], "rubricator: export has no option --fromat – did you mean '--format'?\n"),
    (["diff", "a.pdf", "b.pdf", "c.pdf"], "one argument too many: c.pdf\n"),
])  # fmt: skip
def test_an_argument_that_is_not_known_is_named(
    typed: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(typed)
    assert capsys.readouterr().err.endswith(says)


@pytest.mark.parametrize(("typed", "says"), [(["help"], "COMMAND"), (["help", "diff"], "OLD NEW")])
def test_help_is_also_a_word(typed: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(typed)
    assert says in capsys.readouterr().out


def test_who_says_nothing_sees_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([])
    said = capsys.readouterr().err
    assert all(f"\n    {name}" in said for name in PROMISED)


@pytest.mark.parametrize("name", ["build", "render", "handout", "export"])
def test_no_work_is_done_by_no_process(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([name, "x", "--jobs", "0"])
    assert "'0' is not a number of jobs" in capsys.readouterr().err


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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("name", ["export", "check", "dedup"])
def test_no_room_behind_standard_output_is_code_5(name: str) -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "pipeline.cli", name, str(SOURCE), "--quiet"]
        said = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert said.returncode == 5
    assert "No space left on device" in said.stderr and said.stderr.count("\n") == 1


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


@pytest.mark.parametrize("name", ["export", "dedup", "check"])
def test_every_source_that_fails_is_said(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "letter.pdf").write_bytes(b"PK\x03\x04")
    assert main([name, str(tmp_path / "absent.pdf"), str(tmp_path / "letter.pdf"), str(SOURCE), "--quiet"]) == 3
    said = capsys.readouterr()
    assert "absent.pdf: there is no such file" in said.err
    assert "letter.pdf: is not a PDF – save or print it as PDF first" in said.err
    assert said.out


@pytest.mark.parametrize(("name", "suffix", "begins"), [
    ("export", "csv", "\ufeffsource,page,kind"), ("export", "md", "# "), ("export", "json", "["), ("export", "jsonl", '{"kind": "document"'),
    ("export", "out", '{"kind": "document"'), ("dedup", "json", '{\n "rulings"'), ("dedup", "jsonl", '{"id"'),
])  # fmt: skip
def test_a_file_holds_what_its_suffix_says(name: str, suffix: str, begins: str, tmp_path: Path) -> None:
    out = tmp_path / f"made.{suffix}"
    assert main([name, str(SOURCE), "-o", str(out), "--quiet"]) == 0
    assert out.read_text("utf-8").startswith(begins)


@pytest.mark.parametrize(
    ("name", "suffix"), [("export", "html"), ("export", "pdf"), ("export", "xlsx"), ("diff", "docx"), ("dedup", "html"), ("diff", "csv"), ("history", "md")]
)
def test_a_suffix_that_promises_another_format_is_refused(
    name: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"made.{suffix}"
    assert main([name, str(SOURCE), *([str(SOURCE)] if name in ("diff", "history") else []), "-o", str(out)]) == 2
    said = capsys.readouterr().err
    assert f"cannot be written as {suffix} – choose one of " in said and said.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("name", ["build", "render", "handout"])
def test_several_files_are_not_written_under_the_name_of_one(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ROOT / "sources/brumes-d-argance" / ("event.toml" if name == "handout" else "")
    assert main([name, str(given), "-o", str(tmp_path / "x.pdf")]) == 2
    assert f"several are written – name a folder, for example {tmp_path / 'x'}" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_spreadsheet_knows_the_letters_of_a_csv_and_a_pipe_gets_no_mark(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(SOURCE), "--format", "csv", "-o", f"{tmp_path}/", "--quiet"]) == 0
    assert (tmp_path / f"{SOURCE.name}.csv").read_bytes().startswith(b"\xef\xbb\xbfsource,")
    assert main(["export", str(SOURCE), "--format", "csv", "--quiet"]) == 0
    assert capsys.readouterr().out.startswith("source,")


def test_a_csv_has_semicolons_where_they_are_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = tmp_path / f"{SOURCE.name}.csv"
    for more, between in (([], b","), (["--semicolons"], b";"), ([], b",")):
        assert main(["export", str(SOURCE), "--format", "csv", "-o", f"{tmp_path}/", "--quiet", *more]) == 0
        assert written.read_bytes().startswith(b"\xef\xbb\xbfsource" + between)
    assert main(["export", str(SOURCE), "--semicolons"]) == 2
    assert "--semicolons is for CSV" in capsys.readouterr().err


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


def test_a_closed_standard_output_is_code_5() -> None:
    for command in (f"export {SOURCE}", "doctor"):
        line = f"{sys.executable} -m pipeline.cli {command} >&-"
        said = subprocess.run(["sh", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
        assert said.returncode == 5
        assert said.stderr.startswith("rubricator: standard output is closed") and said.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_pdf_comes_in_on_standard_input(name: str) -> None:
    for line in (f"cat {SOURCE} | {sys.executable} -m pipeline.cli export {name} -q", f"{sys.executable} -m pipeline.cli export {name} -q < {SOURCE}"):
        said = subprocess.run(["sh", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
        assert said.returncode == 0 and '"source": "stdin.pdf"' in said.stdout, said.stderr


def test_a_password_opens_what_is_locked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import pikepdf

    with pikepdf.open(SOURCE) as pdf:
        pdf.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(user="sesame", owner="owner"))
    locked = str(tmp_path / "locked.pdf")
    assert main(["export", locked, "-q"]) == 8
    assert "--password" in capsys.readouterr().err
    assert main(["export", locked, "-q", "--password", "Sesame"]) == 8
    assert capsys.readouterr().err == f"rubricator: {locked}: this password does not open it – look for a slip; capitals count\n"
    assert main(["export", locked, "-q", "--password", "sesame"]) == 0
    opened = capsys.readouterr().out.splitlines()
    (tmp_path / "open.pdf").write_bytes(SOURCE.read_bytes())
    assert main(["export", str(tmp_path / "open.pdf"), "-q"]) == 0
    plain = capsys.readouterr().out.replace("open.pdf", "locked.pdf").splitlines()
    assert opened[1:] == plain[1:] and len(opened) > 10


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs signals of Unix")
def test_a_lost_terminal_leaves_no_lock(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from pipeline import cli, doctor, store\n"
        "def examine():\n"
        "    with store.locked(Path(sys.argv[1]), print): print('in', flush=True); time.sleep(60)\n"
        "doctor.examine = examine; sys.exit(cli.main(['doctor']))\n"
    )
    place = tmp_path / "book"
    with subprocess.Popen([sys.executable, "-c", program, str(place)], cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"in\n"
        process.send_signal(signal.SIGHUP)
        assert process.wait() == 129
    assert not list(tmp_path.iterdir())
