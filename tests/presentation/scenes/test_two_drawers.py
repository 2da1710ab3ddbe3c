"""A picture is described once, and all who draw it draw the same."""

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.reports import Report

from tamis.facts.selection_answer import CurveFacts, HeldOutFacts
from tamis.presentation.scenes.comparison import criterion_scene, line_chart
from tamis.presentation.scenes.curve import curve_chart, curve_scene
from tamis.presentation.scenes.fate import fate_chart, fate_scene
from tamis.presentation.scenes.figure import draw_figure


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
    scene = curve_scene(report.explorer.curve, report.facts.k, held)
    svg = curve_chart(scene, report.facts.k)
    chance, ceiling, share, kept = draw_figure(scene, _axes()).get_lines()
    for kind, line in (("ceiling", ceiling), ("kept", kept), ("held", share), ("chance", chance)):
        np.testing.assert_allclose(_heights(svg, kind), line.get_ydata(), atol=1e-3)


def test_the_band_reaches_two_standard_errors_and_no_farther_than_the_curve() -> None:
    held = HeldOutFacts((0.2, 0.3, 0.25, 0.4), (0.1, 0.2, 0.3, 0.1), 4)
    scene = curve_scene(CurveFacts((0.4, 0.6, 1.0), (0.5, 0.7, 1.0)), 2, held)
    assert scene.points_of("held") == [(1, 0.2), (2, 0.3), (3, 0.25)]
    (band,) = (mark for mark in scene.marks if mark.role == "band")
    np.testing.assert_allclose(
        [y for _, y in band.points], [0.3528, 0.6055, 0.7083, -0.2083, -0.0055, 0.0472], atol=1e-4
    )
    assert "worse than" not in curve_chart(scene, 2)


def test_the_svg_and_the_plot_of_fates_put_every_column_at_the_same_place() -> None:
    shares = (0.02, 0.5, 0.97, 1.0, 0.3)
    places = (400.0, 402.0, 410.0, 420.0, 500.0)
    drawers = ("lost", "partly", "safe", "safe", "partly")
    scene = fate_scene([f"{place:g}" for place in places], shares, (3,), drawers, places=places)
    assert [mark.role for mark in scene.marks] == ["lost", "partly", "safe", "kept", "partly"]
    svg = fate_chart(scene)
    ticks = re.findall(r">(\d+)</text>", svg.split('<g class="axis">')[1])
    assert (ticks[0], ticks[-1]) == ("400", "500")
    dots = [float(x) for x in re.findall(r'<circle class="\w+" cx="([\d.]+)"', svg)]
    first, last = dots[0], dots[-1]
    np.testing.assert_allclose(
        [(x - first) / (last - first) for x in dots], [0, 0.02, 0.1, 0.2, 1], atol=1e-3
    )
    drawn = draw_figure(scene, _axes()).collections
    points = np.concatenate([dots.get_offsets() for dots in drawn])
    expected = zip(places, shares, strict=True)
    assert sorted(map(tuple, points.tolist())) == sorted(expected)


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
