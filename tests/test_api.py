"""What other programs stand on: every documented call, as often as one likes, in any process, typed."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import typing
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import pipeline
from pipeline.records import Document, Span, Text

ROOT = Path(__file__).parent.parent
FAQ = [ROOT / f"sources/brumes-d-argance/argance-faq-1.{number}.pdf" for number in (1, 2)]
RULEBOOK, ERRATA = (ROOT / f"sources/vessmark/vessmark-{name}.pdf" for name in ("rules", "errata-1.0"))
CALLS = ("compare", "consolidate", "merge", "read", "render")


@pytest.fixture(scope="module")
def releases() -> list[Document]:
    return [pipeline.read(path) for path in FAQ]


def test_every_call_works_twice(releases: list[Document], tmp_path: Path) -> None:
    for turn in range(2):
        assert pipeline.read(str(FAQ[0])) == releases[0]
        book = pipeline.merge(releases)
        assert book.rulings
        assert pipeline.compare(*releases).changes
        assert pipeline.consolidate(pipeline.read(RULEBOOK), [pipeline.read(ERRATA)]).amendments
        made = pipeline.render(book, "web", tmp_path / f"{turn}.html")
        assert made.read_text(encoding="utf-8").startswith("<!")


def test_the_function_is_there_whichever_module_was_loaded_first() -> None:
    from pipeline.render import PRODUCTS  # the module of the same name

    assert inspect.isfunction(pipeline.render) and "web" in PRODUCTS


def test_documents_come_back_from_a_pool(releases: list[Document]) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(pipeline.read, FAQ)) == releases


def test_records_can_be_copied_and_sent(releases: list[Document]) -> None:
    styled = Text((Span(text="Roll "), Span(text="two", bold=True)), level=1)
    book = pipeline.merge(releases)
    changes = pipeline.compare(*releases)
    for record in (styled, *releases, book, changes):
        for again in (pickle.loads(pickle.dumps(record)), copy.deepcopy(record), copy.copy(record)):
            assert again == record
    copied = copy.deepcopy(styled)
    assert (copied.spans, copied.level) == (styled.spans, 1)
    as_fields = dataclasses.asdict(releases[0])
    assert as_fields["entries"][0]["id"] == releases[0].entries[0].id


def test_the_package_shows_what_it_offers() -> None:
    shown = dir(pipeline)
    assert {*CALLS, "Document", "Book", "Changes", "RubricatorError", "__version__"} <= set(shown)
    assert all(getattr(pipeline, name) is not None for name in shown)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pipeline.nothing


@pytest.mark.parametrize("name", CALLS)
def test_every_call_is_typed_and_told(name: str) -> None:
    call = getattr(pipeline, name)
    assert call.__doc__
    hints = typing.get_type_hints(call)
    assert {*inspect.signature(call).parameters, "return"} == hints.keys()
    manual = (ROOT / "docs" / "how-to" / "developer.md").read_text(encoding="utf-8")
    assert f"rubricator.{name}(" in manual
