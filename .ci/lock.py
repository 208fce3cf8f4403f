"""Write requirements*.lock: every package that pyproject.toml asks for, and theirs, as .venv has them, with the hashes
of the files that the index has of each, for every system: what is another file is not installed.

To raise versions: ``.venv/bin/pip install --upgrade NAME``, ``make test``, ``make lock``. ``--without-hashes`` asks no
index.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
import urllib.request
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HOUSE = Path(__file__).parent.parent
INDEX = os.environ.get("PIP_INDEX_URL") or "https://pypi.org/simple"
FILE = re.compile(r'href="[^"]*/([^"/#]+)#sha256=([0-9a-f]{64})"')
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


def hashes(package: str, version: str) -> list[str]:
    """The hashes of all files of a release, on whatever system they are for."""
    with urllib.request.urlopen(f"{INDEX}/{package}/", timeout=60) as page:  # noqa: S310
        found = FILE.findall(page.read().decode("utf-8"))
    stem = f"{re.sub('-', '[-_.]', package)}-{re.escape(version)}"
    ours = re.compile(rf"{stem}(?:-.*\.whl|\.tar\.gz|\.zip)", re.IGNORECASE)
    return sorted({digest for name, digest in found if ours.fullmatch(name)})


def write(name: str, head: str, packages: dict[str, str], *, hashed: bool) -> None:
    lines = []
    for package, version in sorted(packages.items()):
        held = hashes(package, version) if hashed else []
        if hashed and not held:
            sys.exit(f"{package} {version} is not in the index: raise it to a release that is")
        parts = [f"{package}=={version}", *(f"--hash=sha256:{digest}" for digest in held)]
        lines.append(" \\\n    ".join(parts) + "\n")
    (HOUSE / name).write_text(head + "".join(lines), encoding="utf-8")


def main() -> None:
    hashed = "--without-hashes" not in sys.argv
    settings = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    more = project["optional-dependencies"]
    run = closure([*project["dependencies"], *settings["build-system"]["requires"], EDITABLE])
    dev = closure([*more["dev"], *more["cluster"]])
    bench = closure(more["bench"])
    write("requirements.lock", HEAD, run, hashed=hashed)
    write("requirements-dev.lock", HEAD, {name: dev[name] for name in dev.keys() - run.keys()}, hashed=hashed)
    write(
        "requirements-bench.lock",
        PEERS,
        {name: bench[name] for name in bench.keys() - run.keys() - dev.keys()},
        hashed=hashed,
    )


if __name__ == "__main__":
    main()
