"""Reading: ours from PDF to entries, each stage of it, and readers that only give text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from bench.measure import Row, Work, table, table_apart, with_memory


def plain(path: Path) -> Work:
    """pypdfium2's text of every page: the least that any reader must do."""
    import pypdfium2

    def work() -> int:
        with pypdfium2.PdfDocument(path) as pdf:
            return sum(len(page.get_textpage().get_text_range()) for page in pdf)

    return work


def ours(path: Path) -> Work:
    from pipeline import read

    return lambda: read(path)


def stages(path: Path) -> dict[str, Work]:
    from pipeline.classify import classify
    from pipeline.extract import extract
    from pipeline.structure import structure

    drawn = extract(path)
    ordered = structure(drawn)
    return {
        "extract": lambda: extract(path),
        "structure": lambda: structure(drawn),
        "classify": lambda: classify(ordered),
    }


def oxide(path: Path) -> Work:
    from pdf_oxide import PdfDocument

    def work() -> int:
        pdf = PdfDocument(str(path))
        return sum(len(pdf.extract_text(number)) for number in range(pdf.page_count()))

    return work


def miner(path: Path) -> Work:
    from pdfminer.high_level import extract_text

    return lambda: extract_text(str(path))


def plumber(path: Path) -> Work:
    import pdfplumber

    def work() -> int:
        with pdfplumber.open(path) as pdf:
            return sum(len(page.extract_words()) for page in pdf.pages)

    return work


PEERS: dict[str, Callable[[Path], Work]] = {
    "pypdfium2, plain text": plain,
    "rubricator, entries": ours,
    "pdf-oxide, text": oxide,
    "pdfminer, text with layout": miner,
    "pdfplumber, words": plumber,
}


def run(path: Path, times: int = 5) -> tuple[list[Row], list[Row]]:
    """Against the peers, and stage by stage."""
    makers: dict[str, Callable[[Path], Work]] = {}
    for name, make in PEERS.items():
        try:
            make(path)
        except ImportError:
            continue  # a peer that is not installed is not measured
        makers[name] = make
    first = {"pypdfium2, plain text": plain(path)}
    calls = {name: f"from pathlib import Path; from bench import reading; reading.{PEERS[name].__name__}(Path({str(path)!r}))()"
             for name in makers}  # fmt: skip
    return _compared(with_memory(table_apart(makers, path, times), calls)), table({**first, **stages(path)}, times)


def kinds(paths: Sequence[Path], times: int = 5) -> list[Row]:
    """Documents of other kinds, the ratio of each to its own plain text, in one process."""
    made = []
    for path in paths:
        text, read = table({"text": plain(path), "read": ours(path)}, times)
        made.append(Row(name=path.stem, seconds=read.seconds, ratio=read.seconds / text.seconds))
    return made


def _compared(rows: list[Row]) -> list[Row]:
    """What only gives text, against us, who give entries."""
    ours = next(row.seconds for row in rows if "rubricator" in row.name)
    return [row if "rubricator" in row.name else replace(row, note=f"{row.seconds / ours:.2f} times ours") for row in rows]
