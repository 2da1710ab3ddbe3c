"""What halves of the rows agree on is said of facts alone."""

from collections.abc import Callable
from typing import Any

import pytest

from tamis.facts.selection_answer import StabilityFacts
from tamis.presentation.prose.about_selection import agreement_sentence, interchangeable


def test_columns_that_halves_swap_are_one_of_several(make_summary: Callable[..., Any]) -> None:
    stand_ins = {
        "a": {"b": 0.5, "a": 0.3, "c": 0.15, "rare": 0.05},
        "always": {"always": 0.96, "z": 0.04},
        "alone": {"alone": 0.4},
    }
    found = StabilityFacts(0.2, 0.1, 0.3, 50, {}, {}, 0.93, stand_ins)
    facts = make_summary(9, 3).change(stability=found).facts
    [(often, columns)] = interchangeable(facts)
    assert often == pytest.approx(0.95)
    assert columns == [("b", "50%"), ("a", "30%"), ("c", "15%")]
    assert "93.0% of what these 3 explain" in agreement_sentence(facts)


def test_nothing_is_said_where_halves_were_not_compared(make_summary: Callable[..., Any]) -> None:
    facts = make_summary(9, 3).facts
    assert not agreement_sentence(facts)
    assert not list(interchangeable(facts))
