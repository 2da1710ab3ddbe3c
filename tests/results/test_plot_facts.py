"""Pictures of results: what is drawn is what the result says."""

import sys
from typing import Any

import numpy as np
import pytest

import tamis

pytest.importorskip("matplotlib", reason="matplotlib is not installed")
pd = pytest.importorskip("pandas")


@pytest.fixture
def found(numbers: np.ndarray) -> Any:
    return tamis.select(numbers, 3, held_out=True)


def _line(ax: Any, label: str) -> Any:
    (line,) = [line for line in ax.get_lines() if line.get_label().startswith(label)]
    return line.get_ydata()


def test_the_curve_has_its_ceiling_the_held_out_share_and_labels(found) -> None:
    ax = found.plot()
    np.testing.assert_allclose(_line(ax, "kept columns"), found.curve.retained)
    np.testing.assert_allclose(_line(ax, "PCA ceiling"), found.curve.bound)
    np.testing.assert_allclose(_line(ax, "on new rows"), found.held_out)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("columns kept", "share of the variance")


def test_chance_grows_with_the_number_of_columns_in_the_picture(found) -> None:
    expected = np.arange(1, found.k + 1) / (found.summary.n_rows - 1)
    np.testing.assert_allclose(_line(found.plot(), "by chance"), expected)
    assert found.to_dict()["curve"]["chance"] == pytest.approx(expected)


def test_axes_that_are_given_are_drawn_on(found) -> None:
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert found.plot("fate", ax=ax) is ax
    assert sum(len(group.get_offsets()) for group in ax.collections) == 7


def test_the_fate_of_columns_named_by_numbers_lies_along_their_axis(numbers) -> None:
    frame = pd.DataFrame(numbers, columns=[f"{400 + 2.5 * j}" for j in range(7)])
    ax = tamis.select(frame, 2).plot("fate")
    places = np.concatenate([group.get_offsets()[:, 0] for group in ax.collections])
    assert sorted(places) == [400 + 2.5 * j for j in range(7)]
    named = tamis.select(frame.set_axis([*"abcdefg"], axis=1), 2).plot("fate")
    assert [tick.get_text() for tick in named.get_xticklabels()] == [*"abcdefg"]


def test_the_map_has_a_tick_for_every_kept_column(found) -> None:
    ax = found.plot("map")
    assert sorted(tick.get_text() for tick in ax.get_yticklabels()) == sorted(found.names)
    (image,) = ax.get_images()
    np.testing.assert_allclose(np.diag(image.get_array()), 1)


def test_an_unknown_picture_is_refused_with_the_nearest(found) -> None:
    with pytest.raises(tamis.TamisError, match="no plot 'curv': did you mean 'curve'"):
        found.plot("curv")


def test_without_matplotlib_the_extra_is_named(found, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(tamis.TamisError, match=r"pip install 'tamis\[plot\]'"):
        found.plot()


def test_scores_loadings_and_comparisons_are_drawn(numbers) -> None:
    found = tamis.extract(numbers, 2, y=["u", "v"] * 30)
    ax = found.plot()
    assert sum(len(group.get_offsets()) for group in ax.collections) == 60
    assert ax.get_xlabel().startswith("PC1 (")
    bars = found.plot("loadings").patches
    assert sorted(bar.get_width() for bar in bars) == pytest.approx(sorted(found.components[0]))
    compared = tamis.compare(numbers, ["sfs", "pivoted-qr"], k=[2, 3], criteria=["share"])
    lines = compared.plot().get_lines()
    methods = [method["id"] for method in compared.to_dict()["methods"]]
    assert [line.get_label() for line in lines] == methods[::-1]  # the best on top


def test_one_component_has_no_scores_to_draw(numbers) -> None:
    with pytest.raises(tamis.TamisError, match="plot the loadings"):
        tamis.extract(numbers, 1).plot()


def test_the_fate_of_a_column_has_the_limits_of_the_report() -> None:
    rng = np.random.default_rng(3)
    a, b, noise = rng.normal(size=(3, 400))
    X = np.column_stack([a, a + 0.1 * b, a + b, noise])
    ax = tamis.select(X, 1, include=[0]).plot("fate")
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels[:4] == ["kept (1)", "safe to drop (1)", "partly lost (1)", "lost (1)"]


@pytest.mark.parametrize("kind", ["fate", "map"])
def test_long_names_leave_room_and_dollars_are_no_formula(numbers, kind, tmp_path) -> None:
    names = [f"$\\{'long question ' * 9}$ number {j}" for j in range(numbers.shape[1])]
    ax = tamis.select(pd.DataFrame(numbers, columns=names), 3).plot(kind)
    ax.figure.savefig(tmp_path / "a.png")
    axis = ax.xaxis if kind == "fate" else ax.yaxis
    labels = [text.get_text() for text in axis.get_ticklabels()]
    assert len(set(labels)) == len(labels) > 2
    assert max(map(len, labels)) == 24
