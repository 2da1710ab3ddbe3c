import re
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from tamis.facts.explorer import Drawer, MapFacts
from tamis.presentation.scenes.fate import FATE_BINS, fate_chart, fate_scene
from tamis.presentation.scenes.trees import cluster_chart
from tamis.rules.pictures import MAX_DOTS


def _chart(
    shares: list[float],
    kept: tuple[int, ...] = (),
    drawers: Sequence[Drawer] | None = None,
    **more: int,
) -> ElementTree.Element:
    names = list(map(str, range(len(shares))))
    scene = fate_scene(names, shares, kept, drawers or ["partly"] * len(names), about="all & one")
    return ElementTree.fromstring(fate_chart(scene, **more))


def test_every_column_has_a_dot_at_its_share_in_the_colour_of_its_drawer() -> None:
    chart = _chart([0.0, 0.5, 0.96, 1.0], (3,), ["lost", "partly", "safe", "safe"])
    dots = chart.findall("./g[@class='dots']/circle")
    assert [dot.get("class") for dot in dots] == ["lost", "partly", "safe", "kept"]
    heights = [float(dot.get("cy") or 0) for dot in dots]
    assert heights == sorted(heights, reverse=True)
    left, top, right, floor = map(float, (chart.get("data-box") or "").split())
    assert heights[0] == floor
    assert heights[-1] == top
    assert all(left <= float(dot.get("cx") or 0) <= right for dot in dots)
    assert chart.get("aria-label") == "all & one"


def test_the_histogram_counts_the_dropped_columns_of_each_drawer() -> None:
    chart = _chart(
        [0.02, 0.02, 0.52, 0.97, 0.98, 1.0], (5,), ["lost", "lost", *["partly"] * 2, *["safe"] * 2]
    )
    bars = chart.findall("./g[@class='counts']/rect")
    assert [bar.get("class") for bar in bars] == ["lost", "partly", "safe", "partly"]
    x, y, width, height = (
        [float(bar.get(name) or 0) for bar in bars] for name in ("x", "y", "width", "height")
    )
    assert width == [2 * width[1], *width[1:2] * 3]
    assert x[:3] == [x[0]] * 3
    assert x[3] == x[2] + width[2]
    assert y[2] == y[3]
    bins = [round((y[0] - one) / (height[0] + 1)) for one in y]
    assert bins == [0, 10, FATE_BINS - 1, FATE_BINS - 1]


@pytest.mark.parametrize(
    ("drawers", "rows"), [(["partly"] * 2, "new rows"), (["dropped"] * 2, "these rows")]
)
def test_the_axis_says_of_which_rows_the_shares_are(drawers: list[Drawer], rows: str) -> None:
    scene = fate_scene(["a", "b"], [0.0, 0.9], (), drawers)
    assert scene.titles[1] == f"share explained on {rows}"


@pytest.mark.parametrize("width", [720, 340])
def test_many_columns_become_an_image_and_only_kept_ones_a_tick(width: int) -> None:
    chart = _chart([0.5] * (MAX_DOTS + 1), kept=(0, 9), width=width)
    assert chart.find("./g[@class='dots']") is None
    image = chart.find("./image")
    assert image is not None
    assert (image.get("href") or "").startswith("data:image/png;base64,")
    ticks = chart.find("./path[@class='ticks']")
    assert ticks is not None
    assert len(re.findall("M", ticks.get("d") or "")) == 2


def test_groups_join_at_their_similarity_on_the_axis() -> None:
    found = MapFacts(
        columns=(4, 2, 7),
        names=("a", "b & c", "d"),
        values=(),
        merges=((0, 1, 0.9), (3, 2, 0.2)),
        complete=True,
    )
    chart = ElementTree.fromstring(cluster_chart(found, {2}))
    texts = {t.text: float(t.get("x") or 0) for t in chart.findall("text")}
    branches = chart.find("./path[@class='branches']")
    assert branches is not None
    xs = sorted({float(x) for x in re.findall(r"M([\d.]+) [\d.]+V", branches.get("d") or "")})
    low, high = texts["0"], texts["1"]
    assert [round((x - low) / (high - low), 2) for x in xs] == [0.2, 0.9]
    kept = chart.findall("./g[@class='row kept']")
    assert [(row.get("data-column"), row.find("text").text) for row in kept] == [("2", "b & c")]
