"""What a person sees who gives it too much: long and large PDFs, many pages, a book of twenty thousand rulings.

Only run when it is named (``python -m bench load``): the last rows take half an hour.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.entries import sentence
from bench.measure import ROOT, Row

PAGES = (2_000, 3_000)  # of one PDF: what is read, and what is not
SET = (250, 20)  # PDFs, and pages of each
LARGE = 200 << 20  # bytes
RULINGS = 20_000
PRODUCTS = ("sheet", "booklet")

PRINT = """
import sys, time, resource
from dataclasses import replace
from bench.entries import release
from pipeline import flow, guard
from pipeline.impose import page_count
from pipeline.render import print_guarded, products
book = replace(flow.merge([release({count})]), name="load", title="Load", language="fr")
html = products.Press(book, None, None, print_guarded).page({product!r})
pdf = print_guarded(html, {{}})
guard.dismiss()
print(page_count(pdf), len(html))
"""


def run(small: bool = False) -> list[Row]:
    """One row an attempt: the time, the largest process, and what is said in the end."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        shrunk = 40 if small else 1
        rows = [_export(f"one PDF of {pages:,} pages", [long_pdf(place / f"{pages}.pdf", pages)]) for pages in PAGES]
        count, each = SET[0] // shrunk, SET[1]
        many = [long_pdf(place / "set" / f"{n:03}.pdf", each, n) for n in range(count)]
        rows.append(_export(f"{count * each:,} pages in {count} PDFs", [many[0].parent]))
        rows.append(_export(f"one PDF of {LARGE >> 20} MB", [large_pdf(place / "large.pdf")]))
    return rows + [printed(product, RULINGS // (100 if small else 1)) for product in PRODUCTS]


def long_pdf(path: Path, pages: int, seed: int = 0) -> Path:
    """A PDF of so many pages, each with some questions and their answers."""
    from fpdf import FPDF

    path.parent.mkdir(exist_ok=True)
    made, chance = FPDF(), random.Random(seed)
    made.set_font("Helvetica", size=10)
    for number in range(pages):
        made.add_page()
        asked = [f"Q: May {sentence(chance, 12)} pass?\nA: Yes. {sentence(chance, 20).capitalize()}.\n" for _ in range(5)]
        made.multi_cell(0, 5, f"Chapter {number // 20}\n" + "\n".join(asked))
    path.write_bytes(bytes(made.output()))
    return path


def large_pdf(path: Path) -> Path:
    """A PDF that is large because of what is no text."""
    small = long_pdf(path, 1).read_bytes()
    with path.open("wb") as file:
        file.write(small)
        file.truncate(LARGE)
    return path


def _export(name: str, given: Sequence[Path]) -> Row:
    command = [sys.executable, "-m", "pipeline.cli", "export", *map(str, given)]
    command += ["-o", f"{given[0].parent}/out-{given[0].name}/"]
    seconds, megabytes, said = _measured(command)
    return Row(name=name, seconds=seconds, megabytes=megabytes, note=said.splitlines()[-1].replace(str(given[0].parent) + "/", "")[-150:])


def printed(product: str, count: int) -> Row:
    """A book of so many rulings, printed."""
    seconds, megabytes, said = _measured([sys.executable, "-c", PRINT.format(count=count, product=product)])
    pages, characters = said.split()[-2:]
    note = f"{int(pages):,} pages of {int(characters) / 1e6:.1f} million characters, in parts"
    return Row(name=f"a book of {count:,} rulings, {product}", seconds=seconds, megabytes=megabytes, note=note)


def _measured(command: list[str]) -> tuple[float, float, str]:
    """Seconds, megabytes of the largest process, and what was said."""
    environment = os.environ | {"RUBRICATOR_CACHE": "off", "PYTHONPATH": str(ROOT)}
    start = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment) as process:
        assert process.stdout is not None
        said = io.TextIOWrapper(process.stdout, encoding="utf-8").read()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    return time.perf_counter() - start, used.ru_maxrss / 1024, said or "-"
