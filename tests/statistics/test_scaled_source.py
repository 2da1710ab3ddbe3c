"""Rows written anew: counts as logarithms by row size, columns by the root of their deviation."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from tests.statistics.test_count_table import draw_counts

import tamis
from tamis.errors import TamisError
from tamis.registry.shared import Scale
from tamis.sources.arrays import ArraySource
from tamis.statistics.scaled_source import look_for_counts, rewrite_source


def log_counts(X):
    """Give the definition, slowly."""
    size = np.array([sum(row) for row in X])
    size = np.where(size > 0, size / size.mean(), 1.0)
    return np.log1p(X / size[:, None])


class InBatches(ArraySource):
    """An array in ten batches."""

    def batches(self, columns):
        for rows in np.array_split(np.arange(self.array.shape[0]), 10):
            yield self.array[rows][:, list(columns)]


def rewritten(data, scale, columns):
    """Read a table anew, as one dense array."""
    source = rewrite_source(InBatches(data), range(data.shape[1]), Scale.of(scale))
    parts = list(source.batches(columns))
    assert all(scipy.sparse.issparse(part) == scipy.sparse.issparse(data) for part in parts)
    return np.vstack([part.toarray() if scipy.sparse.issparse(part) else part for part in parts])


@pytest.mark.parametrize("form", [np.array, scipy.sparse.csr_array])
def test_counts_follow_the_definition_in_batches_dense_and_sparse(form):
    X = draw_counts(60, 30)
    X[7] = 0
    np.testing.assert_allclose(rewritten(form(X), "counts", [4, 2]), log_counts(X)[:, [4, 2]])


@pytest.mark.parametrize("form", [np.array, scipy.sparse.csr_array])
def test_pareto_divides_by_the_root_of_the_deviation(form):
    X = draw_counts(60, 30) * np.arange(1, 31)
    X[:, 3] = 0
    std = X.std(axis=0)
    expected = X / np.sqrt(np.where(std > 0, std, 1))
    np.testing.assert_allclose(rewritten(form(X), "pareto", range(30)), expected)


@pytest.mark.parametrize(("scale", "rewrite"), [("counts", log_counts), ("pareto", None)])
def test_a_selection_is_that_of_the_table_written_anew_by_hand(scale, rewrite):
    X = draw_counts(80, 40) * np.arange(1, 41) + np.eye(80, 40)
    by_hand = rewrite(X) if rewrite else X / np.sqrt(X.std(axis=0)).astype(np.float32)
    found = tamis.select(X, 5, scale=scale, options={"outliers": "keep"})
    expected = tamis.select(by_hand, 5, scale=False, options={"outliers": "keep"})
    assert found.names == expected.names
    assert found.retained == pytest.approx(expected.retained)
    assert found.held_out == pytest.approx(expected.held_out, abs=0.03)


def test_counts_are_known_and_said_with_what_undoes_it():
    X = draw_counts()
    found, asked = tamis.select(X, 5), tamis.select(X, 5, scale="counts")
    assert found.names == asked.names
    assert found.request.settings["scale"] == "counts"
    (said,) = found.to_dict()["doubts"]
    assert 'scale="standard"' in said
    standard = tamis.select(X, 5, scale="standard")
    assert standard.names == tamis.select(X, 5, scale=True).names != found.names
    assert not standard.to_dict()["doubts"]


def test_the_choice_is_the_same_for_rows_in_any_order_and_form():
    X = draw_counts()
    order = np.random.default_rng(1).permutation(len(X))
    names = tamis.select(X, 5).names
    for table in (X[order], scipy.sparse.csr_array(X), pd.DataFrame(X).add_prefix("x")):
        assert list(tamis.select(table, 5).indices) == [int(name[1:]) for name in names]


@pytest.mark.parametrize("gap", [False, True])
def test_text_beside_counts_is_no_obstacle(tmp_path, gap):
    X = draw_counts()
    table = pd.DataFrame(X).add_prefix("g").astype(object)
    if gap:
        table.iloc[3, 5] = None
    expected = tamis.select(table.astype(float), 5)
    table.insert(0, "cell", [f"AAC{i}-1" for i in range(len(X))])
    table.to_csv(tmp_path / "counts.csv", index=False)
    found = tamis.select(tmp_path / "counts.csv", 5)
    assert found.request.settings["scale"] == "counts"
    assert found.names == expected.names
    assert found.retained == pytest.approx(expected.retained)


def test_extreme_counts_are_not_drawn_in():
    X = draw_counts()
    X[0, 5] = 10_000
    found = tamis.select(X, 5)
    assert found.names == tamis.select(X, 5, options={"outliers": "keep"}).names


def test_other_tables_are_standardised_and_other_methods_do_not_look():
    X = np.random.default_rng(0).normal(size=(100, 120))
    assert look_for_counts(ArraySource(X), range(120)) is None
    assert tamis.select(X, 3).request.settings["scale"] == "auto"
    assert tamis.select(draw_counts(), 3, method="sfs").request.settings["scale"] is True


FRAME = pd.DataFrame({"a": [1.0, 2, -3, 4], "b": [2.0, 1, 1, 5], "c": ["x", "y", "x", "y"]})


@pytest.mark.parametrize(
    ("how", "facts"),
    [
        ({"scale": "counts", "exclude": ["c"]}, ["'a'", "below 0"]),
        ({"scale": "log"}, ["'pareto'"]),
    ],
)
def test_what_cannot_be_done_is_refused(how, facts):
    with pytest.raises(TamisError) as error:
        tamis.select(FRAME, 1, **how)
    assert all(fact in str(error.value) for fact in facts)


def test_components_and_summaries_take_the_plain_scales_only():
    X = draw_counts(50, 10)
    with pytest.raises(TamisError, match="new rows"):
        tamis.extract(X, 2, method="pca", scale="counts")
    same = tamis.extract(X, 2, method="pca", scale="standard").shares
    assert same == pytest.approx(tamis.extract(X, 2, method="pca", scale=True).shares)
    with pytest.raises(TamisError, match="without rows"):
        tamis.select(tamis.summarise(X), 2, scale="counts")


def test_the_estimator_takes_the_same_words():
    X = draw_counts(80, 120)
    found = tamis.selection.ForwardSelection(4).fit(X)
    assert found.ranking_.tolist() == tamis.select(X, 4).indices.tolist()
    plain = tamis.selection.ForwardSelection(4, scale="standard").fit(X)
    assert plain.ranking_.tolist() == tamis.select(X, 4, scale=True).indices.tolist()
