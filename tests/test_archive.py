"""Archives: which files are meant, what is streamed, what is skipped, what goes to a cluster."""

from __future__ import annotations

import errno
import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pipeline import archive, cli, guard
from pipeline.archive import ListedSource, Outcome
from pipeline.errors import NoTextError, RubricatorError, SourceError
from pipeline.export import WRITERS, stream
from pipeline.records import QA, Document
from pipeline.text import rich

SAMPLES = sorted((Path(__file__).parent.parent / "sources").glob("*/*.pdf"))
SMALLEST = min(SAMPLES, key=lambda path: path.stat().st_size)
RUBRICATOR = [sys.executable, "-m", "pipeline.cli"]


def document(name: str, answers: int = 2) -> Document:
    entries = tuple(
        QA(id=f"q{n}", section=("Règles",), language="fr", page=1, source=name, question=rich(f"Et {name}, {n} ?"),
           answer=(rich("Oui."), rich("• non", "\n", "peut-être")))
        for n in range(answers)
    )  # fmt: skip
    return Document(source=name, sha256="0" * 64, pages=1, title=name, language="fr", entries=entries)


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"%PDF-1.7 " + name.encode())


class Reader:
    """Reads by name alone and remembers what it was asked for."""

    def __init__(self, **fails: RubricatorError) -> None:
        self.asked: list[str] = []
        self._fails = fails

    def __call__(self, paths: list[Path]) -> Iterator[tuple[Path, Outcome]]:
        for path in paths:
            self.asked.append(path.name)
            made: Outcome = self._fails.get(path.stem) or document(path.name)
            if isinstance(made, Document):
                made = Document(
                    **{n: getattr(made, n) for n in made.__slots__} | {"sha256": guard.look(path)}  # type: ignore[arg-type]
                )
            yield path, made


def nobody(source: ListedSource, outcome: Outcome | None) -> None:
    """Heeds nothing."""


# ---------------------------------------------------------------- which are meant


def test_a_folder_is_gone_through_whole_and_in_order(tmp_path: Path) -> None:
    put(tmp_path, "b.PDF", "a.pdf", "deep/er/c.Pdf", "notes.txt", "pdf", ".hidden.pdf", ".git/d.pdf")
    assert [source.name for source in archive.find([tmp_path])] == ["a.pdf", "b.PDF", "deep/er/c.Pdf"]


def test_links_that_lead_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    put(inside, "a.pdf")
    put(outside, "secret.pdf", "sub/more.pdf")
    (inside / "latest.pdf").symlink_to("a.pdf")
    (inside / "leak.pdf").symlink_to(outside / "secret.pdf")
    (inside / "loop.pdf").symlink_to("loop.pdf")
    (inside / "folder").symlink_to(outside / "sub")
    (inside / "round").symlink_to(inside)
    assert [s.name for s in archive.find([inside]) if s.name != "loop.pdf"] == ["a.pdf", "latest.pdf"]
    (tmp_path / "named").symlink_to(inside)  # what is named is meant, link or not
    assert "a.pdf" in [source.name for source in archive.find([tmp_path / "named"])]


def test_every_output_has_its_own_name(tmp_path: Path) -> None:
    put(tmp_path, "x/faq.pdf", "y/faq.pdf", "z/x/faq.pdf")
    names = [source.name for source in archive.find([tmp_path / "x", tmp_path / "y", tmp_path / "z/x"])]
    assert names == ["x/faq.pdf", "y/faq.pdf", "x/faq.pdf-2"]


def test_a_folder_without_any_costs_only_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    out = tmp_path / "all.jsonl"
    assert cli.main(["export", str(tmp_path / "empty"), str(SAMPLES[0]), "-o", str(out)]) == 3
    assert "there is no PDF in this folder" in capsys.readouterr().err
    assert json.loads(out.read_text("utf-8").splitlines()[0])["source"] == SAMPLES[0].name


def test_a_folder_that_is_closed_to_us_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.pdf", "closed/b.pdf")
    look = os.scandir

    def scandir(path: str) -> object:
        if Path(path).name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return look(path)

    monkeypatch.setattr(os, "scandir", scandir)
    fine, closed = archive.find([tmp_path])
    assert fine.name == "a.pdf" and str(closed.error) == f"{tmp_path / 'closed'}: cannot be read (Permission denied)"


def test_a_mistake_in_one_book_toml_costs_only_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("good", "wrong"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.pdf").write_bytes(SAMPLES[0].read_bytes())
    (tmp_path / "wrong/book.toml").write_text("titel = 'x'\n")
    assert cli.main(["export", str(tmp_path), "--quiet"]) == 7
    said = capsys.readouterr()
    assert json.loads(said.out.splitlines()[0])["source"] == "good.pdf"
    assert "wrong/book.toml: titel" in said.err and "did you mean 'title'?" in said.err


# ---------------------------------------------------------------- streaming


@pytest.mark.parametrize("form", sorted(WRITERS))
@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_stream_is_what_the_writer_writes(form: str, count: int) -> None:
    documents = [document(f"{n}.pdf", n) for n in range(count)]
    assert "".join(stream(form, documents)) == WRITERS[form](documents)


def test_many_documents_need_the_memory_of_a_few(tmp_path: Path) -> None:
    def read(paths: Iterable[Path]) -> Iterator[tuple[Path, Outcome]]:
        return ((path, document(path.name, 20)) for path in paths)

    def most(count: int) -> int:
        sources = [ListedSource(path=tmp_path / f"{n}.pdf", name=f"{n}.pdf") for n in range(count)]
        tracemalloc.start()
        archive.into_file(archive.documents(sources, read, nobody), "jsonl", tmp_path / "all.jsonl")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    few, many = most(10), most(300)
    assert many < few + 500_000  # the list of sources; 300 documents are 6 MB
    assert len((tmp_path / "all.jsonl").read_text("utf-8").splitlines()) == 6_300


def test_nothing_read_writes_nothing(tmp_path: Path) -> None:
    put(tmp_path, "a.pdf")
    reader = Reader(a=NoTextError("a scan"))
    archive.into_file(archive.documents(archive.find([tmp_path]), reader, nobody), "json", tmp_path / "all.json")
    assert not (tmp_path / "all.json").exists()
    out = io.StringIO()
    archive.into_stream(archive.documents(archive.find([tmp_path]), reader, nobody), "json", out)
    assert out.getvalue() == ""


def test_an_output_is_never_one_of_the_sources(tmp_path: Path) -> None:
    put(tmp_path, "a.pdf", "b.pdf")
    with pytest.raises(RubricatorError, match="is the source itself"):
        archive.into_file(archive.documents(archive.find([tmp_path]), Reader(), nobody), "md", tmp_path / "b.pdf")
    assert (tmp_path / "b.pdf").read_bytes() == b"%PDF-1.7 b.pdf"


def test_the_first_failure_is_the_code_and_the_others_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.pdf").write_bytes(b"no")
    (tmp_path / "a.pdf").write_bytes(SAMPLES[0].read_bytes())
    (tmp_path / "c.pdf").write_bytes(SAMPLES[1].read_bytes())
    assert cli.main(["export", str(tmp_path)]) == SourceError.exit_code
    said = capsys.readouterr()
    sources = [fields["source"] for line in said.out.splitlines() if (fields := json.loads(line))["kind"] == "document"]
    assert sources == ["a.pdf", "c.pdf"]
    assert "b.pdf: is not a PDF" in said.err and "2 of 3 files, 1 failed" in said.err


# ---------------------------------------------------------------- going on


def outputs(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*.md"))}


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    put(tmp_path / "in", "a.pdf", "b.pdf", "sub/c.pdf")
    sources, out, first = archive.find([tmp_path / "in"]), tmp_path / "out", Reader(b=NoTextError("a scan"))
    archive.into_folder(sources, "md", out, first, nobody)
    assert sorted(outputs(out)) == ["a.pdf.md", "sub/c.pdf.md"]
    again, told = Reader(), []
    archive.into_folder(sources, "md", out, again, lambda source, outcome: told.append((source.name, outcome is None)))
    assert again.asked == ["b.pdf"]  # a failure is tried again
    assert sorted(told) == [("a.pdf", True), ("b.pdf", False), ("sub/c.pdf", True)]
    listed = [json.loads(line) for line in (out / archive.MANIFEST).read_text().splitlines()]
    assert [(made["source"], made["entries"]) for made in listed] == [("a.pdf", 2), ("b.pdf", 2), ("sub/c.pdf", 2)]


@pytest.mark.parametrize("what", ["source", "output", "code", "torn", "format"])
def test_what_changed_is_done_again(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "in", "a.pdf", "b.pdf")
    out, form = tmp_path / "out", "md"
    archive.into_folder(archive.find([tmp_path / "in"]), form, out, Reader(), nobody)
    whole = outputs(out)
    if what == "source":
        (tmp_path / "in" / "b.pdf").write_bytes(b"%PDF-1.7 another")
    elif what == "output":
        (out / "b.pdf.md").unlink()
    elif what == "code":
        monkeypatch.setattr(archive, "_code", lambda: "another")
    elif what == "torn":
        text = (out / archive.MANIFEST).read_text()
        (out / archive.MANIFEST).write_text(text[:-20])
    else:
        form = "csv"
    again = Reader()
    archive.into_folder(archive.find([tmp_path / "in"]), form, out, again, nobody)
    assert again.asked == (["a.pdf", "b.pdf"] if what in ("code", "format") else ["b.pdf"])
    assert outputs(out) == whole


def test_two_archives_share_a_folder_and_keep_what_they_have(tmp_path: Path) -> None:
    put(tmp_path, "x/a.pdf", "y/b.pdf")
    for name in ("x", "y", "x"):
        reader = Reader()
        archive.into_folder(archive.find([tmp_path / name]), "md", tmp_path / "out", reader, nobody)
    assert reader.asked == []


@pytest.mark.parametrize(
    ("sent", "into"), [(signal.SIGINT, "out/"), (signal.SIGKILL, "out/"), (signal.SIGTERM, "all.jsonl")]
)
def test_an_interrupted_export_goes_on(tmp_path: Path, sent: signal.Signals, into: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number:02}.pdf").write_bytes(SMALLEST.read_bytes() + b"\n%% %d\n" % number)
    cache = tmp_path / "cache"
    command = [*RUBRICATOR, "export", str(folder), "-o", f"{tmp_path}/{into}", "--jobs", "1"]
    environment = os.environ | {"RUBRICATOR_CACHE": str(cache)}
    manifest = tmp_path / "out" / archive.MANIFEST

    def has_begun() -> bool:
        """Two are read and, where each has a file, one is written: that may take longer than reading the second."""
        written = into != "out/" or (manifest.exists() and manifest.stat().st_size > 0)
        return written and len(list(cache.glob("*.json"))) >= 2

    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        while not has_begun() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(sent)
        assert process.stderr is not None
        said = process.stderr.read()
    if sent != signal.SIGKILL:
        assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[sent]
        assert "the same command goes on from there" in said
    assert not (tmp_path / "all.jsonl").exists()
    before = {path: path.stat().st_mtime_ns for path in cache.glob("*.json")}
    assert 2 <= len(before) < 8
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "of 8 files" in done.stderr and ("done before" in done.stderr) == (into == "out/")
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())  # not read again
    made = (
        list((tmp_path / "out").glob("*.jsonl"))
        if into == "out/"
        else (tmp_path / into).read_text("utf-8").split('"kind": "document"')
    )
    assert len(made) == 9  # with the manifest, or what stands before the first
    assert not list(tmp_path.rglob("*.part"))


# ---------------------------------------------------------------- what a person sees


def shown(*arguments: str) -> tuple[str, str]:
    """stdout, and what a terminal shows as stderr."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*RUBRICATOR, *arguments], stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        assert process.stdout is not None
        out, seen = process.stdout.read().decode(), b""
        with suppress(OSError):  # the end of a terminal
            while piece := os.read(ours, 4096):
                seen += piece
    os.close(ours)
    return out, seen.decode()


def test_a_bar_for_people_only(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.pdf").write_bytes(SMALLEST.read_bytes() + b"\n%% %d\n" % number)
    out, seen = shown("export", str(tmp_path))
    assert " of 4, 0:0" in seen and "█" in seen and "█" not in out
    assert seen.splitlines()[-1].endswith("from 4 of 4 files")
    assert shown("export", str(tmp_path), "--quiet")[1] == ""
    piped = subprocess.run([*RUBRICATOR, "export", str(tmp_path)], capture_output=True, text=True, check=True)
    assert piped.stdout == out and piped.stderr == ""


# ---------------------------------------------------------------- on a cluster


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a scheduler with two worker processes of two threads."""
    distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_reads_what_one_machine_reads(tmp_path: Path, scheduler: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.pdf").write_bytes(SAMPLES[number % len(SAMPLES)].read_bytes() + b"\n%% %d\n" % number)
    (folder / "5a.pdf").write_bytes(b"%PDF-1.7 not really")
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    assert cli.main(["export", str(folder), "-o", str(here), "--quiet"]) == 3
    assert cli.main(["export", str(folder), "-o", str(there), "--quiet", "--scheduler", scheduler]) == 3
    assert there.read_bytes() == here.read_bytes()


def test_a_cluster_tells_the_same_errors(tmp_path: Path, scheduler: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.pdf").write_bytes(b"no")
    said = []
    for more in ([], ["--scheduler", scheduler]):
        assert cli.main(["export", str(tmp_path / "a.pdf"), str(tmp_path / "b.pdf"), *more]) == 3
        said.append(capsys.readouterr().err)
    assert said[0] == said[1] and "there is no such file" in said[0]


@pytest.mark.parametrize(
    ("address", "code", "says"), [("tcp://127.0.0.1:1", 6, "no scheduler answers"), ("foo://x", 2, "is no address"), ("x", 2, "is no address")]
)  # fmt: skip
def test_a_cluster_that_is_not_there_is_one_line(
    address: str, code: int, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    monkeypatch.setattr("pipeline.cluster.PATIENCE", 1)
    assert cli.main(["export", str(SAMPLES[0]), "--scheduler", address]) == code
    told = capsys.readouterr().err
    assert says in told and len(told.splitlines()) == 1 + (code == 0)


def test_a_missing_cluster_extra_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert cli.main(["export", str(SAMPLES[0]), "--scheduler", "tcp://127.0.0.1:8786"]) == 6
    assert "Dask is not installed – install it: pip install 'rubricator[cluster]'" in capsys.readouterr().err
