import json

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.errors import TamisError


def mixed_table(rows=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3)) @ rng.normal(size=(3, 8)) + rng.normal(size=(rows, 8))
    X[0, 0] = 400.0  # an extreme value, which is drawn in
    X[rng.random(X.shape) < 0.02] = np.nan
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(8)])
    frame["colour"] = rng.choice(["red", "green", "blue", None], rows, p=[0.5, 0.3, 0.1, 0.1])
    return frame, rng.integers(0, 4, rows)


def repeat_rows(frame, weights):
    return frame.loc[np.repeat(np.arange(len(frame)), weights)].reset_index(drop=True)


def test_integer_weights_choose_what_repeated_rows_choose():
    frame, weights = mixed_table()
    found = tamis.select(frame, k=4, weights=weights)
    expected = tamis.select(repeat_rows(frame, weights), k=4)
    assert found.names == expected.names
    assert found.retained == pytest.approx(expected.retained, abs=1e-12)
    np.testing.assert_allclose(found.held_out, expected.held_out, atol=1e-12)
    assert found.to_dict()["clipped"] is not None


def test_only_how_other_weights_relate_matters():
    frame, weights = mixed_table()
    found, scaled = (tamis.select(frame, k=3, weights=w) for w in (weights / 7, weights * 0.3))
    assert found.names == scaled.names
    np.testing.assert_allclose(found.held_out, scaled.held_out, atol=1e-12)


def plant_series(rows=300, width=60, seed=0):
    """Give independent series, AR(0.95): nothing of one follows from the others."""
    rng = np.random.default_rng(seed)
    series = rng.normal(size=(rows, width))
    for i in range(1, rows):
        series[i] += 0.95 * series[i - 1]
    return series


def plant_groups(groups=12, each=10, width=60, seed=0):
    """Give groups of rows about centres of their own; nothing of a column follows from others."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(groups, width))
    names = np.repeat(np.arange(groups), each)
    return centres[names] + 0.3 * rng.normal(size=(groups * each, width)), names


def test_ordered_folds_show_that_series_explain_nothing_of_each_other():
    series = plant_series()
    assert tamis.select(series, k=10).held_out[-1] > 0.5
    assert tamis.select(series, k=10, ordered=True).held_out[-1] < 0


def test_groups_of_rows_are_held_out_together():
    X, names = plant_groups()
    assert tamis.select(X, k=8).held_out[-1] > 0.5
    assert tamis.select(X, k=8, row_groups=names).held_out[-1] < 0


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_roles_are_the_same_from_memory_and_files(suffix, tmp_path, monkeypatch):
    frame, weights = mixed_table()
    frame["visit"], frame["patient"] = weights, [f"p{i // 9}" for i in range(len(frame))]
    path = tmp_path / f"visits.{suffix}"
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    asked = {"weights": "visit", "row_groups": "patient"}
    here = tamis.select(frame, k=4, **asked)
    monkeypatch.setattr("tamis.statistics.mixed.batch_rows", lambda _: 17)
    there = tamis.select(path, k=4, **asked)
    assert here.names == there.names
    np.testing.assert_allclose(here.held_out, there.held_out, atol=1e-12)
    assert {"visit", "patient"} <= set(there.skipped)
    assert "row_groups='patient'" in json.dumps(there.to_dict()["repeat"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"ordered": True, "row_groups": "colour"}, "one of them"),
        ({"method": "representatives", "weights": "c0"}, "mutual information"),
        ({"method": "laplacian", "ordered": True}, "neighbours"),
        ({"method": "sfs", "missing": "covariance", "ordered": True}, "do not go together"),
        ({"row_groups": "colour"}, "no group"),
        ({"weights": "colour"}, "no number"),
        ({"weights": "colours"}, "did you mean 'colour'"),
        ({"row_groups": ["a"] * 200}, "one group"),
    ],
)
def test_what_cannot_be_done_is_refused(asked, said):
    frame, _ = mixed_table()
    with pytest.raises(TamisError, match=said):
        tamis.select(frame, k=2, **asked)


def test_a_summary_has_no_rows_to_group():
    frame, _ = mixed_table()
    with pytest.raises(TamisError, match="summary"):
        tamis.select(tamis.summarise(frame, blocks=True), k=2, ordered=True)


@pytest.mark.parametrize("scale", ["none", "pareto", "counts"])
def test_weights_count_wherever_a_table_is_written_anew(scale):
    rng = np.random.default_rng(6)
    rows, weights = rng.poisson(2.0, size=(90, 12)).astype(float), rng.integers(0, 4, 90)
    found = tamis.select(rows, k=3, scale=scale, weights=weights)
    expected = tamis.select(np.repeat(rows, weights, axis=0), k=3, scale=scale)
    assert found.names == expected.names
    np.testing.assert_allclose(found.held_out, expected.held_out, atol=1e-12)
