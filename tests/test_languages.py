"""Whole documents in five languages, set and read: every entry, target, old and new text as a person reads it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from languages import CASES, SENTENCES, load, misses, sentence_misses, sentences, typeset

import pipeline
from pipeline.classify.colours import announced
from pipeline.classify.grammar import grammar
from pipeline.classify.identity import find_date, find_version
from pipeline.language import detect
from pipeline.records import Block, Role
from pipeline.text import rich


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*.md")))
def test_document(name: str, tmp_path: Path) -> None:
    case = load(name)
    document = pipeline.read(typeset(case, tmp_path / f"{name}.pdf"))
    assert not misses(case, document)


@pytest.mark.parametrize("language", sorted(path.stem for path in SENTENCES.glob("*.txt")))
def test_sentences_that_amend_and_sentences_that_only_tell(language: str) -> None:
    wrong = {text: found for operation, text in sentences(language)
             if (found := sentence_misses(language, operation, text))}  # fmt: skip
    assert not wrong


@pytest.mark.parametrize("line", (CASES / "dates.txt").read_text("utf-8").splitlines())
def test_dates_and_versions(line: str) -> None:
    language, text, date, version = (cell.strip() for cell in line.split("|"))
    words = grammar(language)
    assert (find_date(text, words) or "-", find_version(text, words) or "-") == (date, version)


@pytest.mark.parametrize("line", (CASES / "colours.txt").read_text("utf-8").splitlines())
def test_colours_that_are_announced(line: str) -> None:
    language, text, names = (cell.strip() for cell in line.split("|"))
    block = Block(role=Role.PARAGRAPH, text=rich(text), page=1, addresses=())
    assert [name for name, _, _ in announced(block, grammar(language))] == names.split()


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*-faq-errata.md")))
def test_fifty_words_tell_the_language(name: str) -> None:
    case = load(name)
    words = " ".join(re.sub(r"<[^>]+>", "", part) for part in case.shown).split()
    told = [detect(" ".join(words[at : at + 50])) for at in range(0, len(words) - 30, 25)]
    assert set(told) == {case.facts["language"]}
