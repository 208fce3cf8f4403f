"""Records survive the way through JSON; anything else is refused; a file is whole or not there."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import store
from pipeline.errors import OutputError
from pipeline.records import (
    QA,
    Change,
    Citation,
    Definition,
    Document,
    Erratum,
    Finding,
    Kind,
    Operation,
    Prose,
    Rule,
    Ruling,
    Span,
    Table,
    Text,
)
from pipeline.text import rich

# ---------------------------------------------------------------- records <-> JSON

words = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
spans = st.builds(
    Span,
    text=words.filter(bool),
    bold=st.booleans(),
    italic=st.booleans(),
    colour=st.none() | st.just("#ec008c"),
    link=st.none() | st.just("https://example.org"),
    icon=st.none() | st.just("Pictos:E003"),
    changed=st.booleans(),
)
texts = st.builds(lambda parts, level: Text(tuple(parts), level), st.lists(spans, max_size=3), st.integers(0, 2))
many = st.lists(texts, max_size=2).map(tuple)
common = {"id": words, "section": st.lists(words, max_size=2).map(tuple), "subject": st.none() | texts}
changes = st.builds(Change, operation=st.sampled_from(Operation), instruction=texts, old=st.none() | texts, new=many)
entries = st.one_of(
    st.builds(QA, kind=st.just(Kind.QA), question=texts, answer=many, **common),
    st.builds(
        Erratum, kind=st.just(Kind.ERRATUM), target=texts, changes=st.lists(changes, max_size=2).map(tuple), **common
    ),
    st.builds(Definition, kind=st.just(Kind.DEFINITION), term=texts, aliases=st.just(("x",)), body=many, **common),
    st.builds(Rule, kind=st.just(Kind.RULE), number=st.none() | words, title=texts, body=many, **common),
    st.builds(
        Table, kind=st.just(Kind.TABLE), title=st.none() | texts, rows=st.lists(many, max_size=2).map(tuple), **common
    ),
    st.builds(Prose, kind=st.just(Kind.TEXT), text=texts, unread=st.booleans(), **common),
)
documents = st.builds(
    Document,
    source=words,
    sha256=words,
    pages=st.integers(0, 9),
    title=st.none() | words,
    change_colours=st.just((("#ec008c", "new"),)),
    entries=st.lists(entries, max_size=4).map(tuple),
    findings=st.lists(
        st.builds(Finding, code=words, message=words, page=st.none() | st.integers(1, 9)), max_size=2
    ).map(tuple),
)


def styled(document: Document) -> list[object]:
    """Equality of texts is equality of strings: this looks at their style too."""
    return [
        [getattr(held, "spans", held) for held in (getattr(entry, name) for name in entry.__dataclass_fields__)]
        for entry in document.entries
    ]


@given(documents)
def test_a_document_survives_the_way_through_json(document: Document) -> None:
    back = store.unpack(Document, store.pack(document))
    assert back == document
    assert styled(back) == styled(document)
    assert [type(entry) for entry in back.entries] == [type(entry) for entry in document.entries]


def test_a_ruling_survives_with_all_its_parts() -> None:
    entry = QA(id="q", question=rich("Why", Span(text="?", bold=True)), answer=(rich("So."),))
    ruling = Ruling(entry=entry, citations=(Citation(source="a.pdf", page=3),), variants=(entry,), disputed=(entry,))
    assert store.unpack(Ruling, store.pack(ruling)) == ruling


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "null",
        "[]",
        "3",
        '{"schema": 0, "record": {}}',
        json.dumps({"schema": store.SCHEMA}),
        json.dumps({"schema": store.SCHEMA, "record": []}),
        json.dumps({"schema": store.SCHEMA, "record": {"source": 1, "sha256": "", "pages": 1}}),
        json.dumps({"schema": store.SCHEMA, "record": {"source": "a", "sha256": "", "pages": True}}),
        json.dumps({"schema": store.SCHEMA, "record": {"source": "a", "sha256": "", "pages": 1, "more": 1}}),
        json.dumps(
            {"schema": store.SCHEMA, "record": {"source": "a", "sha256": "", "pages": 1, "entries": [{"is": "Path"}]}}
        ),
        json.dumps(
            {"schema": store.SCHEMA, "record": {"source": "a", "sha256": "", "pages": 1, "entries": [{"is": "Span"}]}}
        ),
        json.dumps({"schema": store.SCHEMA, "record": {"source": "a", "sha256": "", "pages": 1, "entries": "abc"}}),
    ],
)
def test_what_is_no_record_is_a_value_error(damaged: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (any of its kinds)
        store.unpack(Document, damaged)


# ---------------------------------------------------------------- files


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    target = tmp_path / "new" / "out.html"
    store.write(target, "one")
    store.write(target, "zwei – ö")
    assert target.read_text(encoding="utf-8") == "zwei – ö"
    assert [path.name for path in target.parent.iterdir()] == ["out.html"]


def test_a_file_gets_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    store.write(tmp_path / "ours", "x")
    (tmp_path / "theirs").write_text("x")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_a_failing_block_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    target = store.write(tmp_path / "out", "old")
    with contextlib.suppress(KeyError), store.replacing(target) as temporary:
        temporary.write_text("half")
        raise KeyError
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", ["folder", "fifo", "nul\0", "x" * 256, "file/below"])
def test_what_cannot_be_written_is_an_output_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "file").touch()
    with pytest.raises(OutputError) as raised:
        store.write(tmp_path / name, "x")
    assert raised.value.exit_code == 5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fifo", "file", "folder"]


def test_a_source_cannot_be_written_over(tmp_path: Path) -> None:
    source = tmp_path / "faq.pdf"
    source.write_text("the publisher's")
    (tmp_path / "link.pdf").symlink_to(source)
    os.link(source, tmp_path / "hard.pdf")
    store.protect(source)
    for name in ("faq.pdf", "link.pdf", "hard.pdf", "../" + tmp_path.name + "/faq.pdf"):
        with pytest.raises(OutputError, match="source itself"):
            store.write(tmp_path / name, "ours")
    assert source.read_text() == "the publisher's"


def test_what_a_killed_writer_left_is_swept_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    (tmp_path / ".rubricator-dead.part").write_text("half")
    (tmp_path / ".rubricator-notes.txt").write_text("somebody's")
    with store.replacing(tmp_path / "slow") as temporary:
        store.write(tmp_path / "quick", "x")
        assert temporary.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".rubricator-notes.txt", "quick", "slow"]


def test_only_one_process_at_a_time_is_in_a_locked_folder(tmp_path: Path) -> None:
    """The first one is in there until all others have said that they wait: no clock decides."""
    program = (
        "import sys; from pathlib import Path; from pipeline import store\n"
        "with store.locked(Path(sys.argv[1]), lambda line: print(line, flush=True)):\n"
        "    with open(Path(sys.argv[1] + '-log'), 'a') as log:\n"
        "        log.write('in '); log.flush(); print('in', flush=True); sys.stdin.readline(); log.write('out '); log.flush()\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]

    def start() -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        return process, process.stdout.readline()

    running = [start() for _ in range(4)]
    assert running[0][1] == "in\n"
    assert all("another run is at work there; waiting for it" in said for _, said in running[1:])
    for process, _ in running:
        assert process.stdin is not None
        process.stdin.write("go on\n")
        process.stdin.close()
    assert [process.wait() for process, _ in running] == [0] * 4
    assert not list(tmp_path.parent.glob(f"{store._TEMPORARY}*.lock")), "a lock is left when nobody holds it"
    assert tmp_path.with_name(f"{tmp_path.name}-log").read_text() == "in out " * 4


def test_a_lock_goes_with_its_process(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from pipeline import store\n"
        "with store.locked(Path(sys.argv[1]), print):\n    print('in', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        holder.kill()
    waited: list[str] = []
    with store.locked(tmp_path, waited.append):
        assert not waited


def test_a_name_is_shown_without_what_a_terminal_would_obey() -> None:
    assert store.printable("a\x1b[31m\nb\udcff\u202ec") == "a�[31m�b��c"
    assert store.printable("éa\u0301 b") == "éá b"


def test_the_number_of_a_source_that_is_gone_protects_no_other_file(tmp_path: Path) -> None:
    source, other = tmp_path / "source.pdf", tmp_path / "other.txt"
    source.write_text("a source")
    store.protect(source)
    source.rename(other)  # the same number under another name, as after a file was removed and another written
    assert store.write(other, "written").read_text() == "written"
