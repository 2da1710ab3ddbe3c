from typing import Any, Literal

import pytest

from tamis.errors import TamisError
from tamis.registry import Option


def test_a_choice_is_given_back_as_itself_and_true_is_not_one():
    option = Option("refine", "choice", False, "Swap.", choices=(False, True, "exact"))
    assert option.check("exact") == "exact"
    assert option.check(True) is True
    with pytest.raises(TamisError, match="refine=1: give"):
        option.check(1)


def test_none_is_taken_only_where_it_is_the_default():
    assert Option("k", "size", None, "How many.").check(None) is None
    with pytest.raises(TamisError, match="bins=None"):
        Option("bins", "integer", 10, "Bins.", least=2).check(None)


def test_the_smallest_integer_is_refused_with_what_to_give():
    option = Option("bins", "integer", 10, "Bins.", least=2)
    assert option.check(2) == 2
    with pytest.raises(TamisError, match="at least 2"):
        option.check(1)


def test_annotation_type_and_flags_follow_from_the_declaration():
    option = Option("norm_kind", "choice", None, "Norm.", choices=("l1", "l2"), short="n")
    assert option.annotation == Literal["l1", "l2", None]
    assert option.type == '"l1" or "l2" or None'
    assert option.flags == ("-n", "--norm-kind")
    assert Option("y", "labels", None, "Labels.", flag="target").flags == ("--target",)
    assert Option("y", "labels", None, "Labels.").annotation is Any


def test_the_text_of_a_door_takes_the_place_of_the_usual_one():
    option = Option("k", "size", None, "Usual.", texts=(("score", "Other."),))
    assert (option.text_at("score"), option.text_at("select")) == ("Other.", "Usual.")
