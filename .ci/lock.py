"""Write requirements*.lock: every package that pyproject.toml asks for, and theirs, as .venv has them.

To raise versions: ``.venv/bin/pip install --upgrade NAME``, ``make test``, ``make lock``.
"""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HOUSE = Path(__file__).parent.parent
HEAD = "# Exact versions, so that every machine prints the same; `make lock` writes them anew.\n"
PEERS = "# The peers that bench/ measures against; nobody else needs them.\n"
EDITABLE = "editables"  # hatchling needs it to install a checkout, and does not say so


def closure(wanted: list[str]) -> dict[str, str]:
    """The packages that these requirements bring, with the versions that are installed."""
    found: dict[str, str] = {}
    waiting = [Requirement(each) for each in wanted]
    done: set[tuple[str, str]] = set()  # a package and the extra of it that was asked for
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        for extra in {"", *requirement.extras} - {extra for package, extra in done if package == name}:
            done.add((name, extra))
            there = metadata.distribution(name)
            found[name] = there.version
            needed = [Requirement(each) for each in there.requires or ()]
            waiting += [
                each for each in needed if each.marker is None or each.marker.evaluate({"extra": extra})
            ]
    return found


def write(name: str, head: str, packages: dict[str, str]) -> None:
    lines = [f"{package}=={version}\n" for package, version in sorted(packages.items())]
    (HOUSE / name).write_text(head + "".join(lines), encoding="utf-8")


def main() -> None:
    settings = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    more = project["optional-dependencies"]
    run = closure([*project["dependencies"], *settings["build-system"]["requires"], EDITABLE])
    dev = closure([*more["dev"], *more["cluster"]])
    bench = closure(more["bench"])
    docs = closure(more["docs"])
    write("requirements.lock", HEAD, run)
    write("requirements-dev.lock", HEAD, {name: dev[name] for name in dev.keys() - run.keys()})
    write("requirements-docs.lock", HEAD, {name: docs[name] for name in docs.keys() - run.keys()})
    write(
        "requirements-bench.lock",
        PEERS,
        {name: bench[name] for name in bench.keys() - run.keys() - dev.keys()},
    )


if __name__ == "__main__":
    main()
