"""Records made quickly are the same as those made slowly."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from pipeline.quick import new_block, quick, quick_replace, quickest
from pipeline.records import QA, Block, Box, Entry, Kind, Role, Text

BOX = {"x0": 1.0, "top": 2.0, "x1": 3.0, "bottom": 4.0}


def test_a_quick_record_equals_a_slow_one() -> None:
    made, known = quick(Box)(**BOX), Box(**BOX)
    assert type(made) is Box
    assert made == known and hash(made) == hash(known) and repr(made) == repr(known)


def test_the_quickest_takes_the_fields_in_their_order() -> None:
    assert quickest(Box)(1.0, 2.0, 3.0, 4.0) == Box(**BOX)
    with pytest.raises(TypeError, match="bottom"):
        quickest(Box)(1.0, 2.0, 3.0)


def test_a_quick_record_is_frozen() -> None:
    made = quick(Box)(**BOX)
    with pytest.raises(FrozenInstanceError):
        made.x0 = 5.0  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del made.x0
    assert made == Box(**BOX)


def test_what_is_not_given_is_as_usual() -> None:
    given = {"role": Role.PARAGRAPH, "text": Text(), "page": 1, "addresses": ("p1.c1.l1",)}
    assert new_block(**given) == Block(**given)


def test_a_field_without_a_usual_value_must_be_given() -> None:
    with pytest.raises(TypeError, match="bottom"):
        quick(Box)(x0=1.0, top=2.0, x1=3.0)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="colour"):
        quick(Box)(**BOX, colour="#000000")


def test_fields_are_named() -> None:
    with pytest.raises(TypeError):
        quick(Box)(1.0, 2.0, 3.0, 4.0)  # type: ignore[misc]


def test_a_quick_record_goes_through_pickle_copy_and_replace() -> None:
    made = quick(Box)(**BOX)
    assert pickle.loads(pickle.dumps(made)) == made
    assert copy.deepcopy(made) == made
    assert replace(made, x0=0.0) == Box(**{**BOX, "x0": 0.0})


def test_a_record_that_is_another_one_with_more() -> None:
    made = quick(QA)(id="a", answer=(Text(),))
    assert type(made) is QA and isinstance(made, Entry)
    assert made == QA(id="a", answer=(Text(),)) and made.kind is Kind.QA
    with pytest.raises(FrozenInstanceError):
        made.id = "b"  # type: ignore[misc]


def test_a_quick_copy_changes_only_what_it_is_given() -> None:
    old = QA(id="a", page=3, section=("General",))
    again = quick_replace(QA, "id", "page")
    assert again(old, id="b", page=4) == replace(old, id="b", page=4)
    assert old.id == "a"
    with pytest.raises(TypeError, match="page"):
        again(old, id="b")
