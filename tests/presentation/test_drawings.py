"""A picture is described once, and all who draw it draw the same."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.reports import Report

from tamis.facts.explorer import MapFacts
from tamis.facts.selection_answer import HeldOutFacts
from tamis.presentation.charts.curve import curve_chart
from tamis.presentation.charts.fate import fate_chart
from tamis.presentation.charts.small import line_chart
from tamis.presentation.drawings.criterion_drawing import CriterionDrawing, MethodLine
from tamis.presentation.drawings.curve_drawing import describe_curve
from tamis.presentation.drawings.fate_drawing import FateDrawing
from tamis.presentation.drawings.map_drawing import describe_map
from tamis.presentation.plots.others import criterion_plot
from tamis.presentation.plots.selection import curve_plot, fate_plot


def _axes() -> Any:
    """Give axes on a figure that pyplot does not keep open."""
    return pytest.importorskip("matplotlib.figure").Figure().add_subplot()


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
    held = HeldOutFacts((0.2, 0.3, 0.25), (0.1, 0.2, 0.3), 4)
    report = make_summary(12, 3, held_out=held)
    drawing = describe_curve(report.facts, report.explorer.curve)
    svg = curve_chart(drawing)
    ceiling, kept, share, chance = curve_plot(drawing, _axes()).get_lines()
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


def test_the_svg_and_the_plot_of_fates_put_every_column_at_the_same_place() -> None:
    shares = (0.02, 0.5, 0.97, 1.0, 0.3)
    drawing = FateDrawing((400.0, 402.0, 410.0, 420.0, 500.0), shares, (3,), (0.95, 0.1))
    assert drawing.kinds == ["lost", "partly", "safe", "kept", "partly"]
    assert drawing.ticks[0] == (0.0, "400")
    assert drawing.ticks[-1] == (1.0, "500")
    svg = fate_chart(drawing)
    dots = [float(x) for x in re.findall(r'<circle class="\w+" cx="([\d.]+)"', svg)]
    first, last = dots[0], dots[-1]
    np.testing.assert_allclose(
        [(x - first) / (last - first) for x in dots], drawing.across, atol=1e-3
    )
    points = np.concatenate([one.get_offsets() for one in fate_plot(drawing, _axes()).collections])
    expected = zip(drawing.places, shares, strict=True)
    assert sorted(map(tuple, points.tolist())) == sorted(expected)


def test_the_map_after_has_the_marked_columns_alone() -> None:
    found = MapFacts((4, 2, 7), ("a", "b", "c"), ((100, 1, 2), (1, 100, 3), (2, 3, 100)), (), True)
    before = describe_map(found, {4, 7}, "before")
    after = before.pick_marked("after")
    assert before.marked == (True, False, True)
    assert (after.names, after.about) == (("a", "c"), "after")
    assert after.values == ((100, 2), (2, 100))


def test_the_svg_and_the_plot_of_a_criterion_have_a_line_for_each_method_measured() -> None:
    lines = (
        MethodLine("sfs", True, (0.5, None, 0.9)),
        MethodLine("pfa", False, (None, None, None)),
    )
    drawing = CriterionDrawing("share", "share", (2, 3, 5), lines, in_percent=True)
    svg = line_chart(drawing, {"sfs": "c0", "pfa": "c1"})
    (drawn,) = criterion_plot(drawing, _axes()).get_lines()
    assert drawn.get_xydata().tolist() == [[2.0, 0.5], [5.0, 0.9]]
    assert drawn.get_label() == "sfs"
    assert drawing.about in svg
