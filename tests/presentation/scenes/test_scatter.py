import re

import numpy as np
import pytest

from tamis.facts.extraction_answer import HISTOGRAM_BARS
from tamis.presentation.scenes.rows import score_plot, spread_plot
from tamis.results.extraction_facts import axis_of, histograms


def test_names_in_a_drawing_are_escaped():
    at, places, ticks = [0, 600], [0, 0], [(0, "0")]
    assert "<b>" not in score_plot((at, at), places, [], (ticks, ticks), ("<b>", "<b>"))
    assert "<b>" not in spread_plot([[1] * HISTOGRAM_BARS], ticks, [("<b>", 2, "c0")], "<b>")


def test_the_bars_of_a_histogram_are_as_high_as_their_bins_are_full():
    values = np.array([0.0] * 10 + [1.0] * 5)
    axis = axis_of(values)
    counts = histograms(axis.steps(values), np.zeros(15, dtype=int), 1)
    assert sum(counts[0]) == 15
    svg = spread_plot(counts, axis.ticks, [("", 15, "c0")], "PC1")
    (path,) = re.findall(r'class="mark c0" d="(.*?)"', svg)
    tops = sorted({float(top) for top in re.findall(r"V([\d.]+)", path)})
    assert len(tops) == 3  # ten, five and no rows
    assert tops[2] - tops[0] == pytest.approx(2 * (tops[2] - tops[1]), abs=0.2)
