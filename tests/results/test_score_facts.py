import numpy as np
import pytest

from tamis.facts.extraction_answer import STEPS
from tamis.results.extraction_facts import axis_of


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1.0, 37.0, 1e7, 1e20])
@pytest.mark.parametrize("shift", [0.0, -3.0, 1000.0])
def test_an_axis_holds_its_values_and_has_a_few_round_ticks(scale, shift):
    values = scale * (np.linspace(-1, 2, 50) + shift)
    axis = axis_of(values)
    steps = axis.steps(values)
    assert 0 <= steps.min() < steps.max() <= STEPS
    assert 2 <= len(axis.ticks) <= 8
    places = [place for place, _ in axis.ticks]
    assert places == sorted(places)
    assert 0 <= places[0] < places[-1] <= STEPS
    assert len({text for _, text in axis.ticks}) == len(places)


def test_values_that_are_all_alike_have_an_axis():
    for value in (0.0, 5.0, -2e9):
        axis = axis_of(np.full(3, value))
        assert axis.steps(np.full(3, value)).tolist() == [STEPS // 2] * 3


def test_ticks_lie_where_they_say():
    axis = axis_of(np.array([-1.0, 3.0]))
    span = axis.high - axis.low
    for place, text in axis.ticks:
        value = float(text.replace("\N{MINUS SIGN}", "-"))
        assert place == pytest.approx((value - axis.low) / span * STEPS, abs=0.5)
