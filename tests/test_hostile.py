"""Files made to break readers: each ends in a document or in one line and its exit code, and the next goes on."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import guard
from pipeline.errors import RubricatorError
from pipeline.records import Document
from tests import fuzz, hostile

ROOT = Path(__file__).parent.parent
LIMIT = 1 << 30
GOOD = "A quiet page.\nIt is read after all the others, and it holds enough words to be a document of its own."

pytestmark = pytest.mark.hostile


QUICK = replace(guard.READING, seconds=8.0)  # what hangs is to be stopped, sooner than for a reader who waits for a book


def read(paths: list[Path], limits: guard.Limits = guard.READING) -> dict[str, Document | RubricatorError]:
    return {path.stem: outcome for path, outcome in guard.read_all(paths, jobs=2, cache=None, limits=limits)}


def unclean(outcomes: dict[str, Document | RubricatorError]) -> dict[str, str]:
    return {name: why for name, outcome in outcomes.items() if (why := fuzz.unclean(outcome))}


@pytest.fixture(scope="module")
def killers(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return hostile.write(tmp_path_factory.mktemp("killers"), hostile.killers())


def test_killers_end_in_one_line_and_the_next_file_goes_on(killers: list[Path], tmp_path: Path) -> None:
    good = hostile.write(tmp_path, {f"good-{number}": hostile.words(GOOD) for number in range(len(killers))})
    mixed = [path for pair in zip(killers, good, strict=True) for path in pair]
    outcomes = read(mixed, QUICK)
    assert not unclean(outcomes)
    assert all(isinstance(outcomes[path.stem], Document) for path in good)
    for path in killers:
        outcome = outcomes[path.stem]
        assert isinstance(outcome, RubricatorError), path
        assert outcome.exit_code == 3
        assert "time" in str(outcome) or "memory" in str(outcome) or "took longer" in str(outcome)


@pytest.mark.parametrize("name", ["laughs", "rescan"])
def test_without_the_guard_the_same_files_take_everything_down(killers: list[Path], tmp_path: Path, name: str) -> None:
    """If this fails, a reader has learnt to defend itself and the test above proves nothing: find a worse file."""
    [good] = hostile.write(tmp_path, {"good": hostile.words(GOOD)})
    [killer] = [path for path in killers if path.stem == name]
    program = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({4 * LIMIT}, {4 * LIMIT}))\n"  # this machine is not to suffer
        "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "import pipeline\n"
        "from pipeline.errors import RubricatorError\n"
        "for path in sys.argv[1:]:\n"
        "    try: print('read', pipeline.read(path).pages, flush=True)\n"
        "    except RubricatorError as error: print('refused', error, flush=True)\n"
    )
    command = [sys.executable, "-c", program, str(killer), str(good)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            said = process.communicate(timeout=6)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[0]
    assert process.returncode < 0  # aborted, or it would still be at it
    assert said == ""  # neither the killer nor the good file after it


@pytest.fixture(scope="module")
def oddities(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document | RubricatorError]:
    return read(hostile.write(tmp_path_factory.mktemp("oddities"), hostile.oddities()))


def test_oddities_end_cleanly(oddities: dict[str, Document | RubricatorError]) -> None:
    outcomes = oddities
    assert not unclean(outcomes)
    assert "2,000 is the most" in str(outcomes["pages-many"])
    for name in ("pages-none", "header-only", "cut-at-tenth", "parentheses"):
        assert isinstance(outcomes[name], RubricatorError), name


def test_a_loss_is_never_silent(oddities: dict[str, Document | RubricatorError]) -> None:
    for name in ("pages-loop", "many-words", "long-word", "cut-near-end"):
        outcome = oddities[name]
        assert isinstance(outcome, RubricatorError) or outcome.findings, name


def test_a_damaged_file_is_repaired_before_it_is_given_up(tmp_path: Path) -> None:
    whole = hostile.words(GOOD)
    damaged = whole[: whole.index(b"xref")].replace(b"<</Type/Catalog", b"<< /Type /Catalog")
    [path] = hostile.write(tmp_path, {"damaged": damaged})
    before = path.read_bytes()
    outcome = read([path])["damaged"]
    assert isinstance(outcome, Document)
    assert outcome.words >= 10
    assert path.read_bytes() == before


def test_an_honest_book_of_350_pages_passes(tmp_path: Path) -> None:
    lines = [f"{number}. A rule that is printed on a page of its own." for number in range(350)]
    kids = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(350))
    objects = [hostile.CATALOG, b"<</Type/Pages/Kids[%s]/Count 350>>" % kids, hostile.FONT]
    for number, line in enumerate(lines):
        held = hostile.PAGE.replace(b"4 0 R", b"%d 0 R" % (5 + 2 * number)).replace(b"5 0 R>>", b"3 0 R>>", 1) % b""
        objects += [held.replace(b"/F1 5 0 R", b"/F1 3 0 R"), hostile.stream(hostile.LINE % line.encode())]
    [path] = hostile.write(tmp_path, {"book": hostile.pdf(*objects)})
    outcome = read([path])["book"]
    assert isinstance(outcome, Document), outcome
    assert outcome.pages == 350


# ---------------------------------------------------------------- the 111


READ_ALL = """
import pickle, re, resource, sys
from pathlib import Path
from pipeline import guard
read = {path.stem: outcome for path, outcome in guard.read_all(sorted(Path(sys.argv[1]).glob("*.pdf")), jobs=2, cache=None)}
guard.dismiss()
own = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]  # maxrss outlives exec
sizes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10, int(own) << 10
Path(sys.argv[2]).write_bytes(pickle.dumps((read, *sizes)))
"""


@pytest.fixture(scope="module")
def synthetic(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Document | RubricatorError], int, int]:
    """What comes of each, and the bytes that the largest child and their parent took; read once, where nothing else is."""
    folder, told = tmp_path_factory.mktemp("synthetic"), tmp_path_factory.mktemp("told") / "outcomes"
    subprocess.run([sys.executable, str(shared / "hostile" / "make_synthetic.py"), str(folder)], check=True, capture_output=True)
    subprocess.run([sys.executable, "-c", READ_ALL, str(folder), str(told)], check=True, cwd=ROOT)
    return pickle.loads(told.read_bytes())  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.shared
def test_all_synthetic_files_end_cleanly(synthetic: tuple[dict[str, Document | RubricatorError], int, int]) -> None:
    outcomes, _, _ = synthetic
    assert len(outcomes) == 111
    assert not unclean(outcomes)
    assert [outcomes[name].exit_code for name in ("enc_user_aes256", "enc_user_rc4")] == [8, 8]  # type: ignore[union-attr]
    assert outcomes["image_only"].exit_code == 4  # type: ignore[union-attr]
    for name in ("enc_owner_only_aes256", "injection_text", "rotations", "truncated_99pct", "bomb_image_1GP"):
        assert isinstance(outcomes[name], Document), (name, outcomes[name])


@pytest.mark.slow
@pytest.mark.shared
def test_no_child_is_larger_than_its_limit(synthetic: tuple[dict[str, Document | RubricatorError], int, int]) -> None:
    _, child, parent = synthetic
    assert child <= LIMIT
    assert parent < 300 << 20


# ---------------------------------------------------------------- mutations


@pytest.mark.slow
def test_a_thousand_mutations_end_cleanly() -> None:
    """In one reader after the other; what does not end well there is judged by how it ends under guard. They are the
    first of the ten thousand of ``make fuzz``."""
    found = {}
    for number, content, outcome, _ in fuzz.run(list(fuzz.suspects(1_000))):
        if why := fuzz.unclean(outcome):
            fuzz.KEPT.mkdir(parents=True, exist_ok=True)
            (fuzz.KEPT / f"mutation-{number}.pdf").write_bytes(content)
            found[number] = why
    assert not found


def test_what_does_not_end_well_is_suspected(tmp_path: Path) -> None:
    [good] = hostile.write(tmp_path, {"good": hostile.words(GOOD)})
    row = [tmp_path / "gone.pdf", good]
    done = subprocess.run([sys.executable, "-m", "tests.fuzz", "--in-a-row", *map(str, row)], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["badly", "well"]


def test_mutations_that_once_failed_end_cleanly() -> None:
    assert not unclean(read(sorted(fuzz.KEPT.glob("*.pdf"))))


def test_mutations_are_the_same_each_time() -> None:
    seed = hostile.words(GOOD)
    assert [fuzz.mutate(seed, number) for number in range(20)] == [fuzz.mutate(seed, number) for number in range(20)]
    assert len({fuzz.mutate(seed, number) for number in range(200)}) > 150
