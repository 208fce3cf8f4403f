"""Write the bill of materials: every package that Rubricator brings, with version, licence and hashes, as CycloneDX.

usage: .ci/bom.py OUT.json   (``make bom`` calls it; the same packages give the same bytes)
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import uuid
from importlib import metadata
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).parent.parent
LOCKED = re.compile(r"^([\w.-]+)==([^\s\\]+)((?: \\\n +--hash=sha256:[0-9a-f]{64})*)", re.MULTILINE)


def locked(lock: Path) -> dict[str, tuple[str, list[str]]]:
    """Name -> version and the hashes of its files, of a lock file."""
    found = LOCKED.findall(lock.read_text(encoding="utf-8"))
    return {name: (version, re.findall(r"sha256:([0-9a-f]{64})", hashes)) for name, version, hashes in found}


def licence(package: str) -> str:
    """What a package says of its licence: an expression, words, or the names of its classifiers."""
    told = metadata.metadata(package)
    classifiers = [each.split(" :: ")[-1] for each in told.get_all("Classifier") or () if each.startswith("License ::")]
    words = (told.get("License") or "").splitlines()
    return told.get("License-Expression") or " OR ".join(classifiers) or (words[0] if words else "")


def component(name: str, version: str, hashes: list[str]) -> dict[str, Any]:
    purl = f"pkg:pypi/{name}@{version}"
    digests = [[{"alg": "SHA-256", "content": each}] for each in hashes]
    return {
        "type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
        "licenses": [{"license": {"name": licence(name)}}],
        "externalReferences": [{"type": "distribution", "url": purl, "hashes": each} for each in digests],
    }  # fmt: skip


def bill() -> dict[str, Any]:
    """The bill, of what requirements.lock names."""
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    held = locked(HOUSE / "requirements.lock")
    components = [component(name, *held[name]) for name in sorted(held)]
    own = {"type": "application", "bom-ref": "rubricator", "name": project["name"], "version": project["version"],
           "licenses": [{"license": {"id": project["license"]}}]}  # fmt: skip
    needs = [{"ref": "rubricator", "dependsOn": [each["bom-ref"] for each in components]}]
    named = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(components, sort_keys=True))
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "serialNumber": f"urn:uuid:{named}", "version": 1,
            "metadata": {"component": own}, "components": components, "dependencies": needs}  # fmt: skip


if __name__ == "__main__":
    out = Path(sys.argv[1])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8")
    print(out)
