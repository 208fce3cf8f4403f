"""Whole builds: from nothing, again, after one change; and archives of many PDFs with one job and two."""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from bench.measure import Row, command

ROOT = Path(__file__).parent.parent
RUBRICATOR = str(Path(sys.executable).parent / "rubricator")


def samples() -> list[Row]:
    """The books of sources/, every product, from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        copy = _copy(Path(folder))
        seconds, megabytes = command("make", "-C", str(copy), *SET_UP, env=_forgetful(Path(folder)))
        return [Row(name="make, the books of sources/", seconds=seconds, megabytes=megabytes, note="largest process")]


def builds(count: int = 20) -> list[Row]:
    """``make`` in a copy of the checkout with twenty books."""
    with tempfile.TemporaryDirectory() as folder:
        copy, env = _copy(Path(folder)), _forgetful(Path(folder))
        _books(copy, count)
        rows: list[Row] = []
        for name in ("from nothing", "again, nothing changed"):
            seconds, megabytes = command("make", "-C", str(copy), *SET_UP, env=env)
            ratio = seconds / rows[0].seconds if rows else 1.0
            rows.append(Row(name=f"make, {count} books, {name}", seconds=seconds, ratio=ratio, megabytes=megabytes))
        pdf, taken = next((copy / "sources" / "book-01").glob("*.pdf")), []
        for _ in range(3):  # so short that a noisy moment would tell
            pdf.write_bytes(pdf.read_bytes() + b"\n%\n")
            taken.append(command("make", "-C", str(copy), *SET_UP, env=env))
        seconds, megabytes = sorted(taken)[1]
        ratio = seconds / rows[0].seconds
        note = f"{count * ratio:.2f} times the share of one book"
        rows.append(Row(name=f"make, {count} books, after one changed PDF", seconds=seconds, ratio=ratio,
                        megabytes=megabytes, note=note))  # fmt: skip
        return rows


# The environment is the checkout's own, and ready: a copy must never install itself into it.
SET_UP = ("-o", ".venv/.ready")


def _copy(folder: Path) -> Path:
    copy = folder / "rubricator"
    left_out = shutil.ignore_patterns(".git", ".venv", "output", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, copy, ignore=left_out)
    os.symlink(ROOT / ".venv", copy / ".venv")
    (copy / "output").mkdir()
    return copy


def _forgetful(folder: Path) -> dict[str, str]:
    """Nothing is remembered from before."""
    return {"RUBRICATOR_CACHE": str(folder / "cache"), "MAKEFLAGS": "", "MAKELEVEL": ""}


def _books(copy: Path, count: int) -> None:
    sample = min((copy / "sources").glob("*/*.pdf"), key=lambda path: path.stat().st_size).read_bytes()
    shutil.rmtree(copy / "sources")
    for number in range(count):
        folder = copy / "sources" / f"book-{number:02d}"
        folder.mkdir(parents=True)
        (folder / "faq.pdf").write_bytes(sample + f"\n% {number}\n".encode())
        (folder / "book.toml").write_text('products = ["sheet"]\n', "utf-8")


def archive(count: int = 1000) -> list[Row]:
    """export of a folder of PDFs, one job and two, nothing remembered from before; and once more when all is done."""
    samples = sorted(path.read_bytes() for path in (ROOT / "sources").glob("*/*.pdf"))
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held, "in")
        folder.mkdir()
        for number in range(count):
            (folder / f"{number:04d}.pdf").write_bytes(samples[number % len(samples)] + f"\n% {number}\n".encode())
        rows: list[Row] = []
        for name, jobs, out in (("one job", 1, "a"), ("two jobs", 2, "b"), ("two jobs, all done before", 2, "b")):
            words = (RUBRICATOR, "export", str(folder), "--jobs", str(jobs), "--quiet", "-o", f"{held}/{out}/")
            seconds, megabytes = command(*words, env={"RUBRICATOR_CACHE": f"{held}/cache-{out}"})
            faster = rows[0].seconds / seconds if rows else 1.0
            note = f"{faster:.2f} times as fast as one job; {1000 * seconds / count:.1f} ms a PDF"
            rows.append(Row(name=f"export of {count:,} PDFs, {name}", seconds=seconds, megabytes=megabytes, note=note))
    return rows


def start() -> list[Row]:
    """How long the smallest thing takes."""
    command(RUBRICATOR, "--help")
    taken = [command(RUBRICATOR, "--help") for _ in range(9)]
    return [Row(name="rubricator --help", seconds=statistics.median(seconds for seconds, _ in taken), megabytes=taken[0][1])]
