"""Seeded mutations of our own sample PDFs: each must end in a document or in one line.

``python -m tests.fuzz 10000`` (``make fuzz``) runs many and keeps each failure in tests/cases/fuzz, where the
tests read it again for ever. ``--in-a-row FILE...`` reads them without a guard, until one takes the reader down.
"""

from __future__ import annotations

import hashlib
import io
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pikepdf

from pipeline import guard, worker
from pipeline.errors import RubricatorError
from pipeline.records import Document
from tests.hostile import CODES

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "tests" / "cases" / "fuzz"
BATCH = 100
ENOUGH = 20  # failures: mend these first
NUMBERS = (b"0", b"-1", b"1", b"65535", b"2147483647", b"-2147483648", b"1e30", b"0.00001", b"99999999999999999999")
TOKENS = (b"null", b"<<", b">>", b"[", b"]", b"(", b")", b"<", b"/X", b"endobj", b"endstream", b"BT", b"ET", b"q", b"Tj",
          b"/Parent 2 0 R", b"%", b"\0", b"\xff\xfe", b"Do", b"Tf", b"cm", b"true")  # fmt: skip


def seeds() -> list[bytes]:
    """The first pages of each sample, as they are and unpacked, so that the content is hit as well."""
    made = []
    for path in sorted((ROOT / "sources").glob("*/*.pdf")):
        for unpacked in (False, True):
            with pikepdf.open(path) as opened:
                del opened.pages[1 if unpacked else 2 :]
                held = io.BytesIO()
                opened.save(held, qdf=unpacked, deterministic_id=True, object_stream_mode=_streams(unpacked))
                made.append(held.getvalue())
    return made


def _streams(unpacked: bool) -> pikepdf.ObjectStreamMode:
    return pikepdf.ObjectStreamMode.disable if unpacked else pikepdf.ObjectStreamMode.preserve


def mutate(content: bytes, seed: int) -> bytes:
    """The content with one to twenty wounds; the same seed gives the same ones."""
    chance = random.Random(seed)
    made = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 5, 20))):
        chance.choice((_flip, _flip, _number, _number, _token, _cut, _double, _swap))(made, chance)
    if chance.random() < 0.05:
        del made[chance.randrange(1, len(made)) :]
    return b"%PDF-1.7\n" + bytes(made[9:])  # what has no header is refused before it is read


def _flip(made: bytearray, chance: random.Random) -> None:
    made[chance.randrange(len(made))] = chance.randrange(256)


def _number(made: bytearray, chance: random.Random) -> None:
    found = list(re.finditer(rb"-?\d+(?:\.\d+)?", made[: 1 << 20]))
    if found:
        hit = chance.choice(found)
        made[hit.start() : hit.end()] = chance.choice(NUMBERS)


def _token(made: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(made))
    made[at : at + chance.choice((0, 0, 2, 6))] = b" " + chance.choice(TOKENS) + b" "


def _cut(made: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(made))
    del made[at : at + chance.choice((1, 4, 64, 1024))]
    if len(made) < 64:
        made += b" " * 64


def _double(made: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(made))
    made[at:at] = made[at : at + chance.choice((4, 64, 1024))] * chance.choice((1, 1, 10))


def _swap(made: bytearray, chance: random.Random) -> None:
    one, other = sorted(chance.randrange(len(made) - 8) for _ in range(2))
    made[one : one + 8], made[other : other + 8] = made[other : other + 8], made[one : one + 8]


def unclean(outcome: Document | RubricatorError) -> str:
    """Why this is no clean end; nothing when it is one."""
    if isinstance(outcome, Document):
        return ""
    line = str(outcome)
    if outcome.exit_code not in CODES or len(line.splitlines()) != 1 or "Traceback" in line:
        return "\n".join([line, *getattr(outcome, "__notes__", ())])
    return ""


def run(numbers: Sequence[int]) -> Iterator[tuple[int, bytes, Document | RubricatorError, float]]:
    """Read these mutations; each with its number, its content, what came of it, and the seconds since the last."""
    grown = seeds()
    with tempfile.TemporaryDirectory(prefix="rubricator-fuzz-") as folder:
        for start in range(0, len(numbers), BATCH):
            made = {Path(folder) / f"{n}.pdf": mutate(grown[n % len(grown)], n) for n in numbers[start : start + BATCH]}
            for path, content in made.items():
                path.write_bytes(content)
            since = time.monotonic()
            for path, outcome in guard.read_all(made, cache=None):
                yield int(path.stem), made[path], outcome, time.monotonic() - since
                since = time.monotonic()
                path.unlink()


def suspects(count: int) -> Iterator[int]:
    """Mutations that did not end well in a reader that reads one after the other, as our API does: half of the cost of a
    guarded reading is its fork. Only a guarded one says whether they end cleanly."""
    grown = seeds()
    with tempfile.TemporaryDirectory(prefix="rubricator-fuzz-") as folder:
        left = [Path(folder) / f"{number}.pdf" for number in range(count)]
        for path in left:
            path.write_bytes(mutate(grown[int(path.stem) % len(grown)], int(path.stem)))
        while left:
            row = left[: 5 * BATCH]
            done = subprocess.run([sys.executable, "-m", "tests.fuzz", "--in-a-row", *map(str, row)], cwd=ROOT,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # fmt: skip
            ends = done.stdout.splitlines()[: len(row)]
            yield from (int(path.stem) for path, end in zip(row, ends, strict=False) if end != "well")
            if len(ends) < len(row):  # this one took it down
                yield int(row[len(ends)].stem)
            left = left[len(ends) + (len(ends) < len(row)) :]


def in_a_row(paths: list[Path]) -> None:
    """Read each as a guarded child would; a line for each says how it ended."""
    resource.setrlimit(resource.RLIMIT_AS, (2 * guard.READING.memory,) * 2)
    for path in paths:
        spent = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (spent + round(guard.READING.seconds), resource.RLIM_INFINITY))
        try:
            worker.read(path, hashlib.sha256(path.read_bytes()).hexdigest(), lambda **message: None)
            end = "well"
        except RubricatorError as error:
            end = "badly" if unclean(error) else "well"
        except Exception:
            end = "badly"
        print(end, flush=True)


def main(count: int) -> int:
    ends: Counter[str] = Counter()
    failures, slowest = 0, 0.0
    for number, content, outcome, seconds in run(range(count)):
        slowest = max(slowest, seconds)
        ends["read" if isinstance(outcome, Document) else f"exit {outcome.exit_code}"] += 1
        if why := unclean(outcome):
            failures += 1
            KEPT.mkdir(parents=True, exist_ok=True)
            (KEPT / f"mutation-{number}.pdf").write_bytes(content)
            print(f"mutation {number}: {why}", file=sys.stderr)
            if failures == ENOUGH:
                break
        if number % 500 == 499:
            print(f"{number + 1} of {count}: {dict(ends)}, slowest {slowest:.1f} s", file=sys.stderr, flush=True)
    print(f"{count} mutations: {dict(ends)}; {failures} unclean; slowest {slowest:.1f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in-a-row"]:
        in_a_row([Path(name) for name in sys.argv[2:]])
        sys.exit()
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
