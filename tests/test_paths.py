"""A folder of somebody else's names what is in it and nothing else: no value of any of its files leads out."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
import os
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pipeline import flow, paths, store
from pipeline.cli import main
from pipeline.config import BookSettings, Overrides, load_book, load_overrides
from pipeline.errors import RubricatorError
from pipeline.event import Event, Layer, load_event, load_layer
from pipeline.records import QA, Document
from pipeline.text import rich
from tests import hostile

SECRET = 'by = "nobody"\nname = "outside"\n[[rulings]]\ntext = ["told outside"]\n'

# Values that become a path or part of one: the file it stands in, and a text with its place.
VALUES = {
    "order": ("book.toml", "order = [{}]"),
    "rulebook": ("book.toml", "rulebook = {}"),
    "prefer": ("book.toml", "prefer = {}"),
    "releases": ("book.toml", "[releases]\nfaq = [{}]"),
    "release": ("book.toml", "[releases]\n{} = ['faq.pdf']"),
    "documents": ("book.toml", "[documents.{}]\ntitle = 'x'"),
    "language": ("book.toml", "language = {}"),
    "spoken": ("book.toml", "[documents.'faq.pdf']\nlanguage = {}\nversion = {}\ntitle = {}"),
    "picture": ("book.toml", "[icon_images]\nhammer = {}"),
    "pictured": ("book.toml", "[icon_images]\n{} = 'hammer.svg'"),
    "icons": ("book.toml", "[icons]\n'Runes:E003' = {}"),
    "products": ("book.toml", "products = [{}]"),
    "title": ("book.toml", "title = {}\ngame = {}"),
    "paper": ("book.toml", "paper = {}"),
    "theme": ("book.toml", "theme = {}"),
    "merge": ("overrides.toml", "[[merge]]\nentries = [{}, 'other']"),
    "hide": ("overrides.toml", "[[hide]]\nentry = {}"),
    "event": ("event.toml", "name = {}"),
    "layers": ("event.toml", "name = 'Cup'\nlayers = [{}]"),
    "handout": ("event.toml", "name = 'Cup'\n[[handouts]]\nname = {}"),
    "folded": ("event.toml", "name = 'Cup'\n[[handouts]]\nform = 'zine'\nname = {}"),
    "form": ("event.toml", "name = 'Cup'\n[[handouts]]\nform = {}"),
    "block": ("event.toml", "name = 'Cup'\n[[blocks]]\ntable = {}"),
    "by": ("layers/ours.toml", "by = {}\n[[rulings]]\ntext = ['x']\nsection = {}"),
    "logo": ("book.toml", "logo = {}"),
    "templates": ("book.toml", "templates = {}"),
}


def holes(hint: typing.Any) -> Iterator[tuple[str, str]]:
    """Every place for a text in a value of this type: its key, and the value with a hole there."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is str or origin is typing.Literal:
        yield "", "{}"
    elif origin in (typing.Union, types.UnionType):
        for each in inner:
            yield from holes(each)
    elif origin is tuple:
        yield from ((key, f"[{text}]") for key, text in holes(inner[0]))
    elif origin is Mapping:
        for key, text in holes(inner[1]):
            yield f"{key}.named", f"{{{{}} = {text}}}"
            yield key, f"{{'faq.pdf' = {text}}}"
    elif dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        for field in dataclasses.fields(hint):
            if field.metadata.get("key", True):
                yield from ((f".{field.name}{key}", f"{{{field.name} = {text}}}") for key, text in holes(hints[field.name]))


def every_key() -> dict[str, tuple[str, str]]:
    """Every key of every file that holds a text, as the records have them: one that is new is tried, too."""
    files = {"book.toml": BookSettings, "overrides.toml": Overrides, "event.toml": Event, "layers/ours.toml": Layer}
    found = {}
    for file, record in files.items():
        for key, text in holes(record):
            told = "name = 'Cup'\n" if file == "event.toml" and key != ".name" else ""
            found[f"{file}{key}"] = (file, told + text[1:-1])
    return found


EVERY = VALUES | every_key()
NAMING = ("handout", "folded", "event", "spoken", "logo", "picture", "templates", "layers")  # names of files: with every name
NAMES = [
    "../../../../escaped", "../escaped", "/tmp/escaped", "..", ".", "", " ", "a/../../escaped", "./../escaped", "..\\..\\escaped",
    "C:\\escaped", "C:escaped", "\\\\server\\share\\x", "~/escaped", "$HOME/escaped", "%2e%2e/escaped", "a\0b", "a\nb", "\x1b]0;x\x07",
    "out", "out/secret.toml", "out/x.pdf", "faraway.pdf", "faraway.toml", "faraway.svg", "round", "round.pdf", "CON", "nul.pdf",
    ".hidden", "-rf", "x" * 300, "é" * 150, "file:///etc/passwd", "http://127.0.0.1/x", "//etc/passwd", "/dev/zero", "/proc/self/environ",
    "\u202egpj.exe", "a/b", "faq.pdf/../../escaped", "..%2fescaped", "....//escaped", "/", "//", "\ud7ff", "name.", "name ",
]  # fmt: skip
hostile_names = st.sampled_from(NAMES) | st.text(st.sampled_from("./\\~:\0 ab%$-\n"), max_size=24)


class Watch:
    """What this process opens, makes, renames and lists while it is on."""

    on = False
    seen: ClassVar[list[str]] = []

    @classmethod
    def hook(cls, event: str, arguments: tuple[object, ...]) -> None:
        if cls.on and event in ("open", "os.mkdir", "os.rename", "os.link", "os.symlink", "os.remove", "os.listdir", "os.scandir"):
            count = 2 if event in ("os.rename", "os.link", "os.symlink") else 1
            cls.seen += [os.fsdecode(each) for each in arguments[:count] if isinstance(each, str | bytes | Path)]


sys.addaudithook(Watch.hook)


@contextlib.contextmanager
def watched() -> Iterator[list[str]]:
    Watch.seen, Watch.on = [], True
    try:
        yield Watch.seen
    finally:
        Watch.on = False


class House:
    """A house with a book that somebody sent, and what lies beside it."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.book, self.outside, self.output = top / "sources" / "book", top / "outside", top / "output"
        (self.book / "layers").mkdir(parents=True)
        self.outside.mkdir()
        self.output.mkdir()
        (self.book / "hammer.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
        for name in ("faq.pdf", "errata.pdf"):
            (self.book / name).write_bytes(hostile.words("Some words."))
        (self.outside / "secret.toml").write_text(SECRET)
        (self.outside / "x.pdf").write_bytes(hostile.words("Words outside."))
        (self.book / "out").symlink_to(self.outside)
        for suffix in ("pdf", "toml", "svg"):
            (self.book / f"faraway.{suffix}").symlink_to(self.outside / "x.pdf")
        (self.book / "faraway.pdf").unlink()  # a source that is a link is refused before anything else
        (self.book / "round").symlink_to("round")

    def write(self, key: str, name: str) -> None:
        for file in ("book.toml", "overrides.toml", "event.toml", "layers/ours.toml"):
            (self.book / file).unlink(missing_ok=True)
        file, text = EVERY[key]
        (self.book / file).write_text(text.replace("{}", json.dumps(name)), encoding="utf-8")

    def strays(self, seen: list[str]) -> list[str]:
        """Paths in this house that are neither in the book nor in the output, however they were reached."""
        real = [os.path.realpath(path) for path in seen if "\0" not in path]
        own = (str(self.book.resolve()), str(self.output.resolve()))
        return [path for path in real if not path.startswith(own) and not path.startswith(HARMLESS)]

    def outside_now(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in self.outside.iterdir()}


HARMLESS = (sys.prefix, sys.base_prefix, str(Path(__file__).parent.parent.resolve()), "/usr", "/lib", "/etc/fonts", "/etc/mime",
            "/dev/null", "/var/cache/fontconfig")  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("house"))


@settings(
    max_examples=300, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(st.sampled_from(sorted(EVERY)), hostile_names)
def test_no_value_of_any_file_leads_out_of_its_folder(house: House, key: str, name: str) -> None:
    assert not strays_of(house, key, name)


def test_every_key_is_tried_and_none_leads_out(house: House) -> None:
    assert {"book.toml.logo", "book.toml.icon_images.named", "event.toml.handouts.name", "event.toml.layers",
            "layers/ours.toml.rulings.subject", "overrides.toml.table.rows"} <= EVERY.keys()  # fmt: skip
    strays = [(key, name) for key in EVERY for name in FAR if strays_of(house, key, name)]
    assert not strays


FAR = ("../escaped", "/tmp/escaped", "out/secret.toml", "out", "faraway.svg")


def strays_of(house: House, key: str, name: str) -> list[str]:
    """What is reached outside when a book with this value is loaded."""
    house.write(key, name)
    with watched() as seen, contextlib.suppress(RubricatorError):
        load_book(house.book)
        load_overrides(house.book)
        if (house.book / "event.toml").exists():
            event, folder = load_event(house.book / "event.toml")
            for layer in event.layers:
                load_layer(folder / layer)
        if (house.book / "layers" / "ours.toml").exists():
            load_layer(house.book / "layers" / "ours.toml")
    return house.strays(seen)


@pytest.mark.parametrize("key", sorted(VALUES))
def test_what_is_made_of_a_hostile_book_stays_in_the_output(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Built and printed with every name, by stand-ins for the reader and the printer."""
    page = hostile.words("A page.")
    entries = tuple(
        QA(id=f"q{n}", question=rich(f"Why {n}?"), answer=(rich("So."),), language="en", page=1, section=("All",), source="faq.pdf")
        for n in range(3)
    )  # fmt: skip
    read = [Document(source=name, sha256=name, pages=1, title="FAQ", language="en", entries=entries) for name in ("faq.pdf",)]
    monkeypatch.setattr(flow, "documents", lambda sources, **_: ((Path(each.source), each) for each in read))
    monkeypatch.setattr(importlib.import_module("pipeline.render"), "_print_in_child", lambda html, pictures: page)
    monkeypatch.chdir(house.top)
    before = house.outside_now()
    for name in NAMES if key in NAMING else NAMES[:: len(VALUES) // 4]:
        house.write(key, name)
        with watched() as seen, contextlib.suppress(RubricatorError):
            if VALUES[key][0] == "event.toml":
                flow.handouts(house.book / "event.toml", None)
            else:
                flow.build(house.book, Path("output"))
        assert not house.strays(seen), (key, name)
    assert house.outside_now() == before
    assert sorted(path.name for path in house.top.iterdir()) == ["output", "outside", "sources"]
    assert not (house.top.parent / "escaped").exists() and not Path("/tmp/escaped.pdf").exists()


def test_the_watch_sees_what_leads_out(house: House) -> None:
    with watched() as seen:
        (house.book / "out" / "secret.toml").read_text()
    assert house.strays(seen)


def test_an_escaping_handout_is_one_line(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    house.write("handout", "../../../../escaped")
    assert main(["handout", str(house.book / "event.toml")]) == 7
    said = capsys.readouterr().err
    assert "event.toml: handouts 1.name" in said and "no name of a file" in said and len(said.splitlines()) == 1


def test_names_that_people_give_are_names(house: House) -> None:
    for name in ("Players", "judges 2", "feuille d’arbitre", "Über-Blatt (A4)", "v1.2", "日本語", "a-print"):
        assert paths.plain(name) == name


@pytest.mark.parametrize("names", [("Sheet", "sheet"), ("fold", "fold-print")])
def test_two_handouts_never_share_a_file(house: House, names: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    text = "name = 'Cup'\n" + "".join(f"[[handouts]]\nform = 'pocket'\nname = '{name}'\n" for name in names)
    (house.book / "event.toml").write_text(text)
    assert main(["handout", str(house.book / "event.toml")]) == 7
    assert "two handouts are called" in capsys.readouterr().err


# ---------------------------------------------------------------- links


def test_links_in_the_output_lead_no_writing_out_of_it(tmp_path: Path) -> None:
    outside, output = tmp_path / "outside", tmp_path / "output"
    outside.mkdir()
    output.mkdir()
    (output / "book").symlink_to(outside)
    (output / "page.html").symlink_to(outside / "page.html")
    (outside / "page.html").write_text("theirs")
    with pytest.raises(RubricatorError, match="leads out of") as told:
        store.within(output, "book", "booklet.pdf")
    assert told.value.exit_code == 5
    store.write(store.within(tmp_path, "output") / "page.html", "ours")
    assert (outside / "page.html").read_text() == "theirs", "a link is replaced, never written through"
    (tmp_path / "elsewhere").symlink_to(output)
    assert store.within(tmp_path / "elsewhere", "book2"), "the folder that a person names may be a link"


@pytest.mark.parametrize("command", [["build"], ["render", "book"]])
def test_a_book_that_is_a_link_out_of_sources_is_said(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "x.pdf").write_bytes(hostile.words("Private words."))
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "book").symlink_to(tmp_path / "private")
    monkeypatch.chdir(tmp_path)
    assert main(command) == 3
    assert "is a link that leads out of sources" in capsys.readouterr().err
    assert not (tmp_path / "output").exists()


def test_an_export_writes_through_no_link(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "deep" / "x.pdf").write_bytes(hostile.words("Some words that are read."))
    (tmp_path / "outside").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "deep").symlink_to(tmp_path / "outside")
    assert main(["export", str(tmp_path / "in"), "-o", f"{tmp_path / 'out'}/"]) == 5
    assert "leads out of" in capsys.readouterr().err
    assert not list((tmp_path / "outside").iterdir())
