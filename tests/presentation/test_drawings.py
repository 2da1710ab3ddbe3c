"""A picture is described once, and all who draw it draw the same."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from tests.reports import Report

from tamis.facts.selection_answer import HeldOutFacts
from tamis.presentation.charts.curve import curve_chart
from tamis.presentation.drawings.curve_drawing import describe_curve
from tamis.presentation.plots.selection import curve_plot


def _heights(svg: str, kind: str) -> list[float]:
    """Read the shares of a line back from its points; the box is in the drawing."""
    box = re.search(r'data-box="([^"]*)"', svg)
    line = re.search(rf'<polyline class="{kind}" points="([^"]*)"', svg)
    assert box is not None
    assert line is not None
    _, top, _, floor = map(float, box[1].split())
    return [(floor - float(p.split(",")[1])) / (floor - top) for p in line[1].split()]


def test_the_svg_and_the_plot_of_a_curve_show_the_same_lines(
    make_summary: Callable[..., Report],
) -> None:
    pytest.importorskip("matplotlib")
    held = HeldOutFacts((0.2, 0.3, 0.25), (0.1, 0.2, 0.3), 4)
    report = make_summary(12, 3, held_out=held)
    drawing = describe_curve(report.facts, report.explorer.curve)
    svg = curve_chart(drawing)
    ceiling, kept, share, chance = curve_plot(drawing).get_lines()
    for kind, line in (("ceiling", ceiling), ("kept", kept), ("held", share), ("chance", chance)):
        np.testing.assert_allclose(_heights(svg, kind), line.get_ydata(), atol=1e-3)


def test_the_band_reaches_two_standard_errors_and_no_farther_than_the_curve(
    make_summary: Callable[..., Report],
) -> None:
    held = HeldOutFacts((0.2, 0.3, 0.25, 0.4), (0.1, 0.2, 0.3, 0.1), 4)
    report = make_summary(3, 2, m=3, held_out=held)
    band = describe_curve(report.facts).held_out
    assert band is not None
    assert band.share == (0.2, 0.3, 0.25)
    np.testing.assert_allclose(band.low, [0.1, 0.1, -0.05])
    np.testing.assert_allclose(band.high, [0.3, 0.5, 0.55])
    assert not band.falls_below
