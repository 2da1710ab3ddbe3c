"""A picture is described once, and all who draw it draw the same."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.reports import Report

from tamis.facts.explorer import MapFacts
from tamis.facts.selection_answer import HeldOutFacts
from tamis.presentation.scenes.comparison import criterion_scene, line_chart
from tamis.presentation.scenes.curve import curve_chart, curve_scene, describe_curve
from tamis.presentation.scenes.fate import FateDrawing, fate_chart, fate_scene
from tamis.presentation.scenes.figure import draw_figure
from tamis.presentation.scenes.similarity import describe_map


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
    chance, ceiling, share, kept = draw_figure(curve_scene(drawing), _axes()).get_lines()
    for kind, line in (("ceiling", ceiling), ("kept", kept), ("held", share), ("chance", chance)):
        np.testing.assert_allclose(_heights(svg, kind), line.get_ydata(), atol=1e-3)


def test_the_band_reaches_two_standard_errors_and_no_farther_than_the_curve(
    make_summary: Callable[..., Report],
) -> None:
    held = HeldOutFacts((0.2, 0.3, 0.25, 0.4), (0.1, 0.2, 0.3, 0.1), 4)
    report = make_summary(3, 2, m=3, held_out=held)
    band = describe_curve(report.facts)
    assert band.held == (0.2, 0.3, 0.25)
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
    drawn = draw_figure(fate_scene(drawing), _axes()).collections
    points = np.concatenate([dots.get_offsets() for dots in drawn])
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
    methods = [SimpleNamespace(id="sfs", best=True), SimpleNamespace(id="pfa", best=False)]
    values = {"sfs": (0.5, None, 0.9), "pfa": (None, None, None)}
    facts: Any = SimpleNamespace(
        criteria=[SimpleNamespace(id="share", name="share", unit="share")],
        figures={"share": {name: SimpleNamespace(values=v) for name, v in values.items()}},
        sizes=(2, 3, 5),
        methods=methods,
    )
    scene = criterion_scene(facts, "share")
    svg = line_chart(facts, "share", {"sfs": "c0", "pfa": "c1"})
    (drawn,) = draw_figure(scene, _axes()).get_lines()
    assert drawn.get_xydata().tolist() == [[2.0, 0.5], [5.0, 0.9]]
    assert svg.count("<polyline") == svg.count("<title>sfs</title>") == 1
    assert scene.about in svg
