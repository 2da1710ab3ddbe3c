import re

import numpy as np
import pytest

from tamis.presentation.scatter import STEPS, axis_of, score_plot, spread_plot


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


def test_names_in_a_drawing_are_escaped():
    at, places = np.array([0, 600]), np.array([0, 0])
    axis = axis_of(np.array([0.0, 1.0]))
    assert "<b>" not in score_plot((at, at), places, [], (axis, axis), ("<b>", "<b>"))
    assert "<b>" not in spread_plot(np.array([0.0, 1.0]), places, [("<b>", 2, "c0")], "<b>")


def test_the_bars_of_a_histogram_are_as_high_as_their_bins_are_full():
    values = np.array([0.0] * 10 + [1.0] * 5)
    svg = spread_plot(values, np.zeros(15, dtype=int), [("", 15, "c0")], "pca0")
    (path,) = re.findall(r'class="mark c0" d="(.*?)"', svg)
    tops = sorted({float(top) for top in re.findall(r"V([\d.]+)", path)})
    assert len(tops) == 3  # ten, five and no rows
    assert tops[2] - tops[0] == pytest.approx(2 * (tops[2] - tops[1]), abs=0.2)
