"""Completion: every command and option is offered, and the scripts are what their shells take."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from pipeline.cli import completion, main


def test_every_command_and_option_is_in_each() -> None:
    scripts = {"bash": completion.bash(), "zsh": completion.zsh(), "fish": completion.fish(), "man": completion.man()}
    for name, made in completion.commands().items():
        for shell, script in scripts.items():
            assert (name.replace("-", "\\-") if shell == "man" else name) in script, (shell, name)
            for action in made._actions:
                for flag in action.option_strings:
                    sought = flag.replace("-", "\\-") if shell == "man" else flag.lstrip("-") if shell == "fish" else flag
                    assert sought in script, (shell, name, flag)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_of_that_shell(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")
    script = getattr(completion, shell)()
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def completed(*words: str) -> list[str]:
    """What bash offers for the last of these words."""
    line = f'COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; _rubricator; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", completion.bash() + line], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_bash_completes() -> None:
    assert completed("rubricator", "ex") == ["export"]
    assert completed("rubricator", "export", "--as") == ["--as-is"]
    assert completed("rubricator", "export", "--format", "v") == ["vault"]
    assert "brass-orrery" in completed("rubricator", "build", "brass")


def test_the_manual_page_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "man"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(".TH RUBRICATOR 1")
    if shutil.which("man"):
        done = subprocess.run(["man", "--warnings", "-l", "-"], input=page, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"}, check=False)
        assert done.returncode == 0 and "rubricator export" in done.stdout


def test_the_version_says_what_matters(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("rubricator 0") and all(name in second for name in ("Python 3", "pypdfium2 ", "weasyprint "))
