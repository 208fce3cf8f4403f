"""Whole builds: from nothing, again, after one change; and archives of many PDFs with one job and two."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from bench.measure import Row, command

ROOT = Path(__file__).parent.parent
RUBRICATOR = str(Path(sys.executable).parent / "rubricator")


def builds() -> list[Row]:
    """``make`` in a copy of the checkout with twenty books."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "rubricator"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "output", "__pycache__", ".*_cache"))
        os.symlink(ROOT / ".venv", copy / ".venv")
        (copy / "output").mkdir()
        _twenty_books(copy)
        rows = []
        for name, touched in (("from nothing", None), ("again, nothing changed", None), ("after one changed PDF", "book-07")):
            if touched:
                pdf = next((copy / "sources" / touched).glob("*.pdf"))
                pdf.write_bytes(pdf.read_bytes() + b"\n%\n")
            seconds, megabytes = command("make", "-C", str(copy))
            rows.append(Row(name=f"make, 20 books, {name}", seconds=seconds, note=f"{megabytes:.0f} MB"))
        return [Row(name=row.name, seconds=row.seconds, ratio=row.seconds / rows[0].seconds, note=row.note) for row in rows]


def _twenty_books(copy: Path) -> None:
    sample = min((copy / "sources").glob("*/*.pdf"), key=lambda path: path.stat().st_size).read_bytes()
    shutil.rmtree(copy / "sources")
    for number in range(20):
        folder = copy / "sources" / f"book-{number:02d}"
        folder.mkdir(parents=True)
        (folder / "faq.pdf").write_bytes(sample + f"\n% {number}\n".encode())
        (folder / "book.toml").write_text('products = ["sheet"]\n', "utf-8")


def archive(count: int = 1000) -> list[Row]:
    """export of a folder of PDFs, one job and two, nothing remembered from before."""
    samples = sorted(path.read_bytes() for path in (ROOT / "sources").glob("*/*.pdf"))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            (Path(folder) / f"{number:04d}.pdf").write_bytes(samples[number % len(samples)] + f"\n% {number}\n".encode())
        rows = []
        for jobs in ("1", "2"):
            with tempfile.TemporaryDirectory() as cwd:
                seconds, megabytes = command(RUBRICATOR, "export", folder, "--jobs", jobs, "--quiet", "-o", "all.jsonl", cwd=cwd)
            rows.append(Row(name=f"export of {count:,} PDFs, {jobs} job(s)", seconds=seconds, note=f"{megabytes:.0f} MB"))
    return [Row(name=row.name, seconds=row.seconds, ratio=rows[0].seconds / row.seconds, note=row.note + "; ratio: times as fast")
            for row in rows]  # fmt: skip


def start() -> list[Row]:
    """How long the smallest thing takes."""
    command(RUBRICATOR, "--help")
    return [Row(name="rubricator --help", seconds=min(command(RUBRICATOR, "--help")[0] for _ in range(5)))]
