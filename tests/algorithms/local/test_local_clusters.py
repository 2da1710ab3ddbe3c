"""Local clusters as a user meets them: results, estimators, pictures, terminal and report."""

import json

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.algorithms.local.local_clusters import picture_of
from tamis.selection import Biclustering, ProjectedClustering


@pytest.fixture(scope="module")
def table():
    """Give 90 rows: the first 50 alike in a, b and c, the last 40 in d and e."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.uniform(-2, 2, (90, 8)), columns=list("abcdefgh"))
    frame.loc[:49, ["a", "b", "c"]] = [1.0, -1.0, 0.5] + 0.1 * rng.standard_normal((50, 3))
    frame.loc[50:, ["d", "e"]] = [1.5, -1.5] + 0.1 * rng.standard_normal((40, 2))
    frame.insert(0, "same", 1.0)
    return frame


@pytest.fixture(scope="module")
def found(table):
    return tamis.select(table, method="proclus", options={"n_clusters": 2})


def test_clusters_are_named_and_the_largest_comes_first(found):
    first, second = found.clusters
    assert set(first.columns) == {"a", "b", "c"}
    assert set(second.columns) == {"d", "e"}
    assert set(range(50)) == set(first.rows.tolist())
    assert first.quality < 0.5
    assert tamis.select(np.eye(9)[:, :3], 2).clusters is None


def test_the_estimator_has_labels_and_masks_in_the_columns_of_its_input(table, found):
    fitted = ProjectedClustering(n_clusters=2).fit(table)
    assert fitted.columns_.shape == (2, 9)
    assert fitted.columns_[0].nonzero()[0].tolist() == [1, 2, 3]
    np.testing.assert_array_equal(fitted.labels_, found.path.evidence.labels)
    np.testing.assert_array_equal(fitted.rows_[0], fitted.labels_ == 0)
    assert "labels_" in ProjectedClustering.__doc__
    assert Biclustering().fit(table).rows_.shape[1] == 90


def test_facts_are_plain_and_small(found):
    facts = found.to_dict()["evidence"]
    assert json.loads(json.dumps(facts)) == facts
    assert facts["unused"] == 3
    assert [len(one["rows"]) for one in facts["clusters"]] == [len(c.rows) for c in found.clusters]


def test_the_terminal_names_rows_and_columns(found):
    text = str(found)
    assert "columns, best first" in text
    assert "in no cluster" in text


def test_the_report_draws_and_lists_the_clusters(found, tmp_path):
    page = found.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count('class="blocks"') == 2
    assert "Clusters and their columns" in page
    assert len(page) < 300_000


def test_a_picture_of_a_large_table_is_small_and_no_bin_crosses_a_cluster():
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((3000, 400))
    parts = [(np.arange(500, 900), np.arange(30)), (np.arange(800, 1500), np.arange(20, 90))]
    values, across, down, frames = picture_of(rows, parts)
    assert values.shape[0] <= 96
    assert values.shape[1] <= 160
    for bins, members in ((across, 0), (down, 1)):
        assert sorted(np.concatenate(bins).tolist()) == list(range((3000, 400)[members]))
        for one in bins:
            assert all(
                np.isin(one, part[members]).all() or not np.isin(one, part[members]).any()
                for part in parts
            )
    cells = np.zeros(values.shape)
    for start, end, top, low in frames[1]:
        cells[top:low, start:end] += 1
    inside = np.array(
        [[np.isin(r[0], parts[1][0]) and np.isin(c[0], parts[1][1]) for r in across] for c in down]
    )
    np.testing.assert_array_equal(cells, inside)


def test_cells_are_means_in_hundredths_of_two_standard_deviations():
    rows = np.array([[1.0, -3.0], [-1.0, 3.0]])
    values = picture_of(rows, [(np.array([1]), np.array([0, 1]))])[0]
    assert values.tolist() == [[-50, 50], [50, -50]]


@pytest.mark.parametrize("method", ["proclus", "bicluster", "nmf-parts"])
def test_tiny_tables_are_fine(method):
    rng = np.random.default_rng(2)
    for shape in ((2, 2), (2, 5), (3, 2), (4, 40)):
        assert 1 <= tamis.select(rng.standard_normal(shape), method=method).k <= shape[1]
    for algorithm in ("cheng-church", "hartigan"):
        tamis.select(
            rng.standard_normal((3, 4)), method="bicluster", options={"algorithm": algorithm}
        )
    copies = np.repeat(rng.standard_normal((20, 1)), 4, axis=1)
    assert tamis.select(copies, 2, method=method).k == 2
