"""What we bring along: locked with hashes, under licences that go with ours, listed in a bill of materials."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import ROOT

LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-bench.lock")
# Licences that ask for the same of what uses them. Where a package gives a choice, one without is chosen.
FORBIDDEN = re.compile(r"\b(?:A?GPL|Affero|SSPL|(?<!Lesser )General Public License)", re.IGNORECASE)
CHOSEN = {"pyphen": "MPL 1.1"}
ONLY_TO_TEST = {"fpdf2": "LGPL"}  # not part of what is installed


@pytest.fixture(scope="module")
def bom() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bom", ROOT / ".ci" / "bom.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_locked_with_hashes(lock: str, bom: ModuleType) -> None:
    held = bom.locked(ROOT / lock)
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    assert len(held) == len([line for line in lines if "==" in line]) > 0
    assert all(hashes for _, hashes in held.values())


@pytest.mark.parametrize("lock", LOCKS[:2])
def test_no_licence_that_we_cannot_pass_on(lock: str, bom: ModuleType) -> None:
    for name in bom.locked(ROOT / lock):
        try:
            said = bom.licence(name)
        except metadata.PackageNotFoundError:
            continue  # for another system
        assert said, f"{name} says nothing of its licence"
        if name in CHOSEN:
            assert CHOSEN[name] in said
        elif name in ONLY_TO_TEST:
            assert ONLY_TO_TEST[name] in said and lock != "requirements.lock"
        else:
            assert not FORBIDDEN.search(said), f"{name}: {said}"


def test_a_licence_that_we_cannot_pass_on_is_noticed() -> None:
    for said in ("AGPL-3.0-only", "GNU General Public License v3 (GPLv3)", "GPL-2.0-or-later", "GNU Affero General Public License"):
        assert FORBIDDEN.search(said), said
    for said in ("MIT", "GNU Lesser General Public License v3", "LGPL-3.0-only", "BSD-3-Clause", "MPL-2.0"):
        assert not FORBIDDEN.search(said), said


def test_the_bill_of_materials_lists_all_and_is_the_same_each_time(tmp_path: Path, bom: ModuleType) -> None:
    made = []
    for number in range(2):
        out = tmp_path / f"{number}.json"
        subprocess.run([sys.executable, str(ROOT / ".ci" / "bom.py"), str(out)], check=True, capture_output=True)
        made.append(out.read_bytes())
    assert made[0] == made[1]
    bill = json.loads(made[0])
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    listed = {each["name"]: each for each in bill["components"]}
    assert listed.keys() == bom.locked(ROOT / "requirements.lock").keys()
    for name, each in listed.items():
        assert each["purl"] == f"pkg:pypi/{name}@{each['version']}"
        assert each["licenses"][0]["license"]["name"] and each["externalReferences"]
    assert set(bill["dependencies"][0]["dependsOn"]) == {each["bom-ref"] for each in bill["components"]}
