"""The chart of scores with the accuracy over them."""

from xml.etree import ElementTree

import numpy as np
import pytest

from tamis.algorithms.ranking import Ranking
from tamis.presentation.scenes.evidence import count_drawn, ranking_chart


def facts(scores, kept, **given):
    scores = np.array(scores)
    order = np.argsort(-scores, kind="stable")
    names = [f"column <{j}>" for j in range(len(scores))]
    return Ranking(order, scores, kept, **given).facts(names)


def parsed(evidence, width=720):
    return ElementTree.fromstring(ranking_chart(evidence, width))


def heights(chart):
    return [float(bar.attrib["height"]) for bar in chart.iter("rect")]


@pytest.mark.parametrize("width", [720, 340])
def test_bars_are_as_high_as_the_scores_and_the_kept_ones_are_marked(width):
    chart = parsed(facts([2.0, 1.0, 0.5, 0.0], 2), width)
    found = heights(chart)
    assert found[1] == pytest.approx(found[0] / 2, abs=0.2)
    assert found[3] == 0
    groups = [group.attrib["class"] for group in chart.findall("g")]
    assert groups == ["kept", "kept", "other", "other"]
    assert "2 kept" in "".join(chart.itertext())
    assert not chart.findall(".//polyline")


def test_the_accuracy_is_a_line_over_the_bars_with_the_chosen_number_in_bold():
    accuracy = np.array([np.nan, 0.6, 0.9, 0.85])
    evidence = facts([4.0, 3.0, 2.0, 1.0], 3, accuracy=accuracy, learner="knn")
    chart = parsed(evidence)
    (line,) = chart.iter("polyline")
    points = [tuple(map(float, pair.split(","))) for pair in line.attrib["points"].split()]
    middles = [float(r.attrib["x"]) + float(r.attrib["width"]) / 2 for r in chart.iter("rect")]
    assert [x for x, _ in points] == pytest.approx(middles[1:], abs=0.2)
    assert points[1][1] < points[2][1] < points[0][1]
    assert [dot.attrib["r"] for dot in chart.iter("circle")] == ["3", "5", "3"]
    assert "accuracy 90.0% in cross-validation" in chart.attrib["aria-label"]


def test_negative_scores_hang_below_zero_and_missing_ones_have_no_bar():
    chart = parsed(facts([1.0, -0.5, np.nan], 1, spread=np.array([0.1, 0.1, 0.1])))
    assert len(heights(chart)) == 2
    tops = [float(bar.attrib["y"]) for bar in chart.iter("rect")]
    assert tops[1] == pytest.approx(tops[0] + heights(chart)[0], abs=0.2)


def test_columns_without_room_are_counted_and_equal_scores_can_be_drawn():
    chart = parsed(facts(np.zeros(60), 1), 340)
    assert len(heights(chart)) == count_drawn(60, 340) < 60
    assert f"and {60 - count_drawn(60, 340)} more" in "".join(chart.itertext())
