import numpy as np
import pytest

from tamis.algorithms.backward.vif import remove_inflated


def invert_each_time(R):
    live, order, inflation = list(range(len(R))), [], []
    while len(live) > 1:
        values = np.diagonal(np.linalg.inv(R[np.ix_(live, live)]))
        worst = int(np.flatnonzero(values >= values.max() * (1 - 1e-9))[-1])
        inflation.append(values[worst])
        order.append(live.pop(worst))
    return order, inflation


@pytest.mark.parametrize("name", ["iris", "wine", "sonar", "breast_w"])
def test_order_and_inflation_equal_inverting_each_time(real, gram_of, matrix_of, name):
    X = real(name)
    order, inflation = invert_each_time(matrix_of(X))
    for scale in (True, False):
        removals = remove_inflated(gram_of(X, scale=scale), 1).removals
        assert removals.columns.tolist() == order
        assert 1 / removals.errors == pytest.approx(inflation)


def test_panels_larger_than_one_give_the_same_order(correlated, gram_of, matrix_of):
    X = correlated(900, 250, factors=30, noise=1.0)
    order, _ = invert_each_time(matrix_of(X))
    assert remove_inflated(gram_of(X), 1).removals.columns.tolist() == order


def test_equations_are_the_regressions_on_all_others(real, gram_of, matrix_of):
    X, R = real("iris"), matrix_of(real("iris"))
    removals = remove_inflated(gram_of(X), 1).removals
    j, others = removals.columns[0], [0, 1, 3]
    weights = np.linalg.solve(R[np.ix_(others, others)], R[others, j])
    found = dict(zip(removals.positions[0], removals.weights[0], strict=True))
    assert [found[p] for p in others] == pytest.approx(weights)


def test_nothing_above_the_threshold_stays(real, gram_of, matrix_of):
    X = real("digits")
    path = remove_inflated(gram_of(X), 64, threshold=5.0)
    R = matrix_of(X)
    left = np.linalg.inv(R[np.ix_(path.kept, path.kept)])
    assert np.diagonal(left).max() <= 5.0
    assert len(path.kept) < len(R)


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_singular_tables_lose_their_dependent_columns_first(correlated, gram_of, form):
    X = correlated(25, 60, factors=10)
    path = remove_inflated(gram_of(X, form), 5)
    assert path.removals.errors[:36].tolist() == [0.0] * 36
    assert (path.removals.errors[36:] > 0).all()
    other = remove_inflated(gram_of(X, "rows"), 5)
    assert path.removals.columns.tolist() == other.removals.columns.tolist()


def test_the_rule_for_dependence_is_the_limit_of_a_vanishing_ridge(correlated, matrix_of, gram_of):
    X = correlated(12, 20, factors=6)
    ridge = np.diagonal(np.linalg.inv(matrix_of(X) + 1e-9 * np.eye(20)))
    assert remove_inflated(gram_of(X, "rows"), 5).removals.columns[0] == ridge.argmax()
