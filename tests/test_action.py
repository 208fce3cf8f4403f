"""What clubs and publishers put into their own repositories: the change sheet of a commit, and a hook."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FAQ = ROOT / "sources/brumes-d-argance"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A club's repository with one release in it."""
    if shutil.which("git") is None or not (ROOT / ".venv/bin/rubricator").exists():
        pytest.skip("needs git and .venv")
    git(tmp_path, "init", "-q")
    shutil.copy(FAQ / "argance-faq-1.1.pdf", tmp_path / "notre faq.pdf")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], cwd=folder, env=clean, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")


def changes(folder: Path, base: str = "HEAD") -> subprocess.CompletedProcess[str]:
    path = f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"
    return subprocess.run(["sh", str(ROOT / ".ci/changes"), base, "out.md"], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)


def test_a_commit_that_changes_a_pdf_ends_with_9_and_says_how(repository: Path) -> None:
    assert changes(repository).returncode == 0 and not (repository / "out.md").read_text()
    shutil.copy(FAQ / "argance-faq-1.2.pdf", repository / "notre faq.pdf")
    shutil.copy(FAQ / "argance-memo.pdf", repository / "memo.pdf")
    git(repository, "add", "-A")
    done = changes(repository)
    assert done.returncode == 9, done.stderr
    said = (repository / "out.md").read_text("utf-8")
    assert said.startswith("## memo.pdf\n\nnew\n") and "## notre faq.pdf" in said and len(said) > 1000
    git(repository, "mv", "notre faq.pdf", "faq.pdf")
    commit(repository)
    assert changes(repository).returncode == 0
    assert changes(repository, "HEAD~1").returncode == 9


def test_a_pdf_that_cannot_be_read_is_its_own_code(repository: Path) -> None:
    (repository / "notre faq.pdf").write_bytes(b"%PDF-1.7\nno more of it")
    done = changes(repository)
    assert done.returncode == 3 and "notre faq.pdf" in done.stderr


def test_the_files_name_what_is_there() -> None:
    action = (ROOT / "action.yml").read_text("utf-8")
    for path in re.findall(r"GITHUB_ACTION_PATH/([\w./]+)", action):
        assert (ROOT / path).exists(), path
    assert "composite" in action and "pr comment" in action
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    assert hooks.count("- id: ") == hooks.count("  entry: rubricator check --strict") == 1
