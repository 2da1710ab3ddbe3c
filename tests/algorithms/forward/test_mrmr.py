"""mRMR against its definition: scikit-learn's F statistics and a loop over pairs."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.feature_selection import f_classif, f_regression

import tamis
from tamis.algorithms.forward.response import weigh_redundancy
from tamis.statistics.gram import DenseGram
from tamis.statistics.summary import as_summary


def slow_picks(X, relevance, k, scheme):
    """Choose as the definition says, with a loop over the kept columns."""
    r = np.abs(np.corrcoef(X, rowvar=False))
    kept = [int(np.argmax(relevance))]
    while len(kept) < k:
        scores = np.full(X.shape[1], -np.inf)
        for j in set(range(X.shape[1])) - set(kept):
            redundancy = np.mean([r[j, s] for s in kept])
            scores[j] = (
                relevance[j] - redundancy
                if scheme == "difference"
                else relevance[j] / max(redundancy, 1e-3)
            )
        kept.append(int(np.argmax(scores)))
    return kept


@pytest.mark.parametrize("scheme", ["quotient", "difference"])
@pytest.mark.parametrize("classes", [0, 2, 3])
def test_picks_are_those_of_the_definition(classes, scheme):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(90, 4)) @ rng.normal(size=(4, 15)) + rng.normal(size=(90, 15))
        y = X[:, :5].sum(axis=1) + rng.normal(size=90)
        if classes:
            y = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
        F = (f_classif if classes else f_regression)(X, y)[0]
        found = tamis.select(X, 6, method="mrmr", y=y, options={"scheme": scheme}, held_out=False)
        assert found.indices.tolist() == slow_picks(X, F, 6, scheme)


def test_scores_are_the_f_statistics_at_first():
    X, y = load_iris(return_X_y=True)
    found = tamis.select(X, 1, method="mrmr", y=y, held_out=False)
    np.testing.assert_allclose(found.scores, f_classif(X, y)[0])


def test_squared_correlations_are_a_relevance_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3)) @ rng.normal(size=(3, 12)) + rng.normal(size=(80, 12))
    y = X[:, 0] + X[:, 1] + rng.normal(size=80)
    squares = np.square(np.corrcoef(np.column_stack([X, y]), rowvar=False)[-1, :-1])
    own = {"scheme": "difference", "relevance": "correlation"}
    found = tamis.select(X, 5, method="mrmr", y=y, options=own, held_out=False)
    assert found.indices.tolist() == slow_picks(X, squares, 5, "difference")


def test_a_copy_is_passed_over():
    G = np.array([[1, 1, 0, 0.8], [1, 1, 0, 0.8], [0, 0, 1, 0.3], [0.8, 0.8, 0.3, 1]])
    table = replace(as_summary(DenseGram(G)), n_rows=100, responses=1)
    own = {"scheme": "difference", "relevance": "correlation"}
    assert weigh_redundancy(table, 3, **own).indices.tolist() == [0, 2, 1]


def test_a_category_stands_beside_numbers():
    rng = np.random.default_rng(1)
    kind = rng.choice(["a", "b", "c"], 300)
    frame = pd.DataFrame({"x": rng.normal(size=300), "kind": kind, "z": rng.normal(size=300)})
    y = 3.0 * (kind == "b") + frame["x"] + 0.1 * rng.normal(size=300)
    assert tamis.select(frame, 2, method="mrmr", y=y.to_numpy()).names == ["kind", "x"]


def test_without_a_number_unrelated_columns_are_not_kept():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 20))
    y = X[:, 4] + X[:, 9] + 0.5 * rng.normal(size=300)
    assert sorted(tamis.select(X, method="mrmr", y=y).indices.tolist()) == [4, 9]
