"""completion: what a shell needs to complete our commands, and the manual page; both from the parser itself."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping

from pipeline.cli import command

SHELLS = ("bash", "zsh", "fish", "man")
BOOKS = ("build", "render", "serve", "since")  # commands that take the names of books


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare ``rubricator completion``."""
    own = command(commands, "completion", "a script that completes our commands in your shell; or the manual page",
                   "rubricator completion bash")  # fmt: skip
    own.add_argument("shell", choices=SHELLS, help="bash and zsh: eval it in your rc file; fish: source it")
    own.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """The script to stdout."""
    sys.stdout.write({"bash": bash, "zsh": zsh, "fish": fish, "man": man}[args.shell]())
    return 0


def commands() -> Mapping[str, argparse.ArgumentParser]:
    """Every command by its name."""
    from pipeline.cli import parser

    [subparsers] = [action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return dict(subparsers.choices)


def _options(subparser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    return (action for action in subparser._actions if action.option_strings and action.help != argparse.SUPPRESS)


def bash() -> str:
    """For bash: commands, their options, the choices of an option, books, files."""
    known = commands()
    cases, choices = [], []
    for name, subparser in known.items():
        flags = " ".join(flag for action in _options(subparser) for flag in action.option_strings)
        cases.append(f'    {name}) words="{flags}" ;;')
        for action in _options(subparser):
            if action.choices:
                when = "|".join(f'"{name} {flag}"' for flag in action.option_strings)
                choices.append(f'    {when}) words="{" ".join(map(str, action.choices))}" ;;')
    return f"""\
_rubricator() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=""
  if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W "{" ".join(known)}" -- "$current")); return; fi
  case "${{COMP_WORDS[1]}} $before" in
{chr(10).join(choices)}
  esac
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); return; fi
  case ${{COMP_WORDS[1]}} in
{chr(10).join(cases)}
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current"))
       case ${{COMP_WORDS[1]}} in
         {"|".join(BOOKS)}) COMPREPLY+=($(compgen -W "$(ls sources 2>/dev/null)" -- "$current")) ;;
       esac ;;
  esac
}}
complete -o filenames -F _rubricator rubricator
"""


def zsh() -> str:
    """For zsh, which takes the script of bash."""
    return "autoload -U +X bashcompinit && bashcompinit\n" + bash()


def fish() -> str:
    """For fish, with what each command and option does."""
    lines = []
    for name, subparser in commands().items():
        about = _quoted(subparser.description or "")
        lines.append(f"complete -c rubricator -n __fish_use_subcommand -f -a {name} -d {about}")
        for action in _options(subparser):
            names = " ".join(f"-l {f[2:]}" if f.startswith("--") else f"-s {f[1:]}" for f in action.option_strings)
            given = "" if action.nargs == 0 else " -r"
            chosen = f" -f -a {_quoted(' '.join(map(str, action.choices)))}" if action.choices else ""
            described = _quoted((action.help or "").replace("%%", "%"))
            here = f"'__fish_seen_subcommand_from {name}'"
            lines.append(f"complete -c rubricator -n {here} {names}{given}{chosen} -d {described}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


# ---------------------------------------------------------------- the manual page


def man() -> str:
    """rubricator(1)."""
    from pipeline import __version__
    from pipeline.cli import parser

    lines = [f'.TH RUBRICATOR 1 "" "rubricator {__version__}"', ".SH NAME",
             "rubricator \\- rules, FAQ and errata of games: from PDFs to quick references, handouts and change sheets",
             ".SH SYNOPSIS", ".B rubricator", ".I COMMAND", "[options]", ".SH DESCRIPTION",
             _roff(parser().description or ""), ".SH COMMANDS"]  # fmt: skip
    for name, subparser in commands().items():
        lines += [".SS", f".B rubricator {_roff(name)}", ".br", _roff(subparser.description or "")]
        for action in subparser._actions:
            called = ", ".join(action.option_strings) or str(action.metavar or action.dest)
            taken = f" {action.metavar}" if action.option_strings and action.metavar else ""
            if action.help and action.help != argparse.SUPPRESS:
                lines += [".TP", f".B {_roff(called + taken)}", _roff(action.help.replace("%%", "%"))]
        lines += [".PP", _roff(subparser.epilog or "")]
    return "\n".join(lines) + "\n"


def _roff(text: str) -> str:
    safe = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{safe}" if safe.startswith((".", "'")) else safe
