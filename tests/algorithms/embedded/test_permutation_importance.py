"""`permutation-importance`: known answers and the definition."""

import joblib
import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import tamis
from tamis.algorithms.embedded.tree_importance import (
    _MAX_SHUFFLED_CELLS,
    _groups,
    held_out_importance,
    out_of_bag_importance,
    rank_by_permutation,
)
from tamis.statistics.labels import Target
from tamis.statistics.rows import RowTable

BOTH = pytest.mark.parametrize("find", [held_out_importance, out_of_bag_importance])


def table_of(X, y, task="classification"):
    return RowTable(np.asarray(X), Target.of(y, task, what="y"), True)


def planted(seed=0, n=90):
    """Give a column of noise, a weak one, the labels themselves and a constant."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    weak = y + 1.5 * rng.standard_normal(n)
    return np.column_stack([rng.standard_normal(n), weak, y, np.full(n, 4.0)]), y


@BOTH
def test_the_labels_themselves_matter_most_and_a_constant_column_not_at_all(find):
    X, y = planted()
    scores, spread = find(table_of(X, y), trees=30, random_state=0)
    assert scores.argmax() == 2
    assert scores[3] == 0
    assert spread[3] == 0


@BOTH
def test_numbers_to_predict(find):
    X, _ = planted(1)
    scores, _ = find(table_of(X, X[:, 1], "regression"), trees=20, random_state=0)
    assert scores.argmax() == 1
    assert scores[3] == 0
    unit, _ = find(table_of(X, 1024 * X[:, 1], "regression"), trees=20, random_state=0)
    assert unit == pytest.approx(scores, abs=1e-9)


@BOTH
def test_copies_share_their_importance(find):
    X, y = planted()
    alone, _ = find(table_of(X, y), trees=30, random_state=0)
    shared, _ = find(table_of(np.column_stack([X, X[:, 2]]), y), trees=30, random_state=0)
    assert max(shared[2], shared[4]) < alone[2]


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_out_of_bag_follows_breimans_definition(task):
    X, y = planted(2, n=50)
    forest = {"classification": RandomForestClassifier, "regression": RandomForestRegressor}[task]
    forest = forest(n_estimators=7, random_state=3).fit(X, y)
    rng, found = np.random.default_rng(3), []
    for tree, sample in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        rows = [i for i in range(50) if i not in sample]
        order = rng.permutation(len(rows))
        drops = []
        for j in range(X.shape[1]):
            errors = []
            for moved in (range(len(rows)), order):
                test = X[rows].copy()
                test[:, j] = [X[rows[i], j] for i in moved]
                wrong = tree.predict(test) - y[rows]
                errors.append(np.mean(wrong**2 if task == "regression" else wrong != 0))
            drops.append(errors[1] - errors[0])
        found.append(drops)
    scores, error = out_of_bag_importance(table_of(X, y, task), trees=7, random_state=3)
    unit = np.var(y) if task == "regression" else 1.0
    assert scores == pytest.approx(np.mean(found, axis=0) / unit, abs=1e-12)
    assert error == pytest.approx(np.std(found, axis=0) / np.sqrt(7) / unit, abs=1e-12)


@pytest.mark.parametrize("oob", [False, True])
def test_the_answer_does_not_depend_on_the_number_of_jobs(oob):
    X, y = planted(4)
    given = {"retain": np.inf, "oob": oob, "trees": 12}
    expected = rank_by_permutation(table_of(X[:, :3], y), 3, **given).scores
    with joblib.parallel_config("threading", n_jobs=2):
        assert rank_by_permutation(table_of(X[:, :3], y), 3, **given).scores.tolist() == (
            expected.tolist()
        )


def test_the_method_decides_how_many_columns_are_clearly_of_use():
    X, y = planted(5)
    found = tamis.select(X, method="permutation-importance", y=y, options={"trees": 40})
    assert found.names[0] == "x2"
    assert "x0" not in found.names
    facts = found.to_dict()["evidence"]
    assert facts["bars"][0]["column"] == "x2"
    assert facts["kept"] == found.k


def test_a_class_with_a_single_row_cannot_be_held_out():
    X, y = planted()
    with pytest.raises(tamis.TamisError, match="has only one row"):
        tamis.select(X, method="permutation-importance", y=[9, *y[1:]])


@BOTH
@pytest.mark.parametrize("far", [lambda X: 1e8 + X, lambda X: 1e100 * X])
def test_columns_may_be_far_from_zero_or_large(find, far):
    X, y = planted(6)
    expected, _ = find(table_of(X, y), trees=10, random_state=0)
    found, _ = find(table_of(far(X), y), trees=10, random_state=0)
    assert found == pytest.approx(expected, abs=0.02)


def test_few_columns_of_a_wide_table_are_shuffled_together():
    groups = _groups(60_000, 150)
    assert max(map(len, groups)) * 150 * 60_000 <= 2 * _MAX_SHUFFLED_CELLS
    assert sum(map(len, groups)) == 60_000
    assert len(_groups(20, 1000)) <= 20
