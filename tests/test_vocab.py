"""vocabulary: every file is whole, and each of its examples is told rightly by its own words."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from typing import Any

import pytest

from pipeline import vocab
from pipeline.classify import colours, errata, identity, rules, signs
from pipeline.classify.grammar import grammar
from pipeline.errors import ConfigError
from pipeline.language import common, months
from pipeline.records import Block, Role
from pipeline.text import flat, rich

EXAMPLES = [(code, example) for code in vocab.languages() for example in vocab.vocabulary(code).examples]


def test_every_language_can_be_told() -> None:
    assert {"fr", "en", "de", "es", "it", "nl", "pt", "pl", "cs", "sv", "da", "nb", "fi", "hu", "ro", "ca", "ru", "uk", "sk", "hr", "sl", "bg", "tr", "gl", "lt", "lv", "et", "is"} <= set(vocab.languages())
    assert all(common(code).words for code in vocab.languages())


@pytest.mark.parametrize("code", vocab.languages())
def test_phrases_are_no_regular_expressions(code: str) -> None:
    text = (resources.files("pipeline") / "vocabulary" / f"{code}.toml").read_text("utf-8")
    assert not re.search(r"\\[bdsw]|\(\?|\[\^|\.\*|\.\+", text)


@pytest.mark.parametrize("code", vocab.languages())
def test_a_missing_or_unknown_key_is_an_error(code: str) -> None:
    table = tomllib.loads((resources.files("pipeline") / "vocabulary" / f"{code}.toml").read_text("utf-8"))
    with pytest.raises(ConfigError):
        vocab.parse(code, {**table, "answer": {"letters": ["A"]}})
    with pytest.raises(ConfigError):
        vocab.parse(code, {**table, "page": {**table["page"], "sheets": ["x"]}})


def test_an_unknown_language_reads_as_english() -> None:
    assert vocab.vocabulary("xx").language == "en"


@pytest.mark.parametrize(("code", "example"), EXAMPLES, ids=lambda held: held if isinstance(held, str) else None)
def test_example(code: str, example: dict[str, Any]) -> None:
    words = grammar(code)
    if "question" in example:
        assert words.question.match(example["question"])
        assert not words.answer.match(example["question"])
    if "answer" in example:
        assert words.answer.match(example["answer"])
    if "instruction" in example:
        assert errata.operation_of(example["instruction"], words) == example["operation"]
    if "head" in example:
        head = errata.page_head(example["head"], words)
        assert head
        assert (list(head.pages), example["head"][head.target :]) == (example["pages"], example["target"])
    if "see" in example:
        assert list(rules.references((rich(example["see"]),), words)) == example["refers"]
    if "date" in example:
        assert identity.find_date(example["date"], words) == example["iso"]
        assert identity.find_version(example["date"], words) == example["version"]
    if "colours" in example:
        block = Block(role=Role.PARAGRAPH, text=rich(example["colours"]), page=1, addresses=())
        assert [name for name, _, _ in colours.announced(block, words)] == example["names"]
    if "signs" in example:
        assert signs.announced(rich(example["signs"]), words) == example["marks"]


@pytest.mark.parametrize("code", vocab.languages())
def test_every_month_is_read_in_its_language(code: str) -> None:
    assert len(set(months(code).values())) == 12
    for month, at in months(code).items():
        assert identity.find_date(f"{month} 2024", grammar(code)) == f"2024-{at:02d}"


@pytest.mark.parametrize("code", vocab.languages())
def test_verbs_of_one_operation_are_not_those_of_another(code: str) -> None:
    held = vocab.vocabulary(code).errata
    lists = [{flat(verb) for verb in verbs} for verbs in (held.replace, held.insert, held.delete)]
    assert not (lists[0] & lists[1] or lists[1] & lists[2] or lists[0] & lists[2])


@pytest.mark.parametrize(("phrase", "text", "told"), [("*karten", "Ereigniskarten", True), ("karte*", "Kartenfragen", True), ("karten", "Ereigniskarten", False), ("*karten", "Kartenfragen", False)])  # fmt: skip
def test_a_star_stands_for_any_ending_or_beginning(phrase: str, text: str, told: bool) -> None:
    assert bool(re.search(vocab.alternatives((phrase,)), flat(text))) is told
