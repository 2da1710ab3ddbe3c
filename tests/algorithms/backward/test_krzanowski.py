import numpy as np
import pytest

import tamis
from tamis.algorithms.backward import components
from tamis.algorithms.backward.components import (
    procrustes_without_each,
    remove_by_procrustes,
)
from tamis.errors import TamisError


def scores_on_components(Z, k):
    left, sizes, _ = np.linalg.svd(Z, full_matrices=False)
    scores = left[:, :k] * sizes[:k]
    return np.pad(scores, ((0, 0), (0, k - scores.shape[1])))


def procrustes(Z, columns, k):
    """Rotate the scores on the kept columns onto those on all: what is left is M^2."""
    whole, part = scores_on_components(Z, k), scores_on_components(Z[:, columns], k)
    left, _, right = np.linalg.svd(part.T @ whole)
    return np.square(whole - part @ (left @ right)).sum()


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def eliminate_by_hand(Z, k):
    live, order, change = list(range(Z.shape[1])), [], []
    while len(live) > 1:
        values = [procrustes(Z, [i for i in live if i != j], k) for j in live]
        best = int(np.argmin(values))
        order.append(live.pop(best))
        change.append(values[best])
    return order, change


def add_by_hand(Z, k, count):
    taken, change = [], []
    for _ in range(count):
        free = [j for j in range(Z.shape[1]) if j not in taken]
        values = [procrustes(Z, [*taken, j], k) for j in free]
        best = int(np.argmin(values))
        taken.append(free[best])
        change.append(values[best])
    return taken, change


def test_known_criterion_and_first_removal_on_iris(real, gram_of):
    Z = standardised(real("iris"))
    known = {(0, 1, 2): 18.4535, (0, 1, 3): 16.397, (1, 2, 3): 24.553, (0, 2, 3): 100.05}
    for columns, value in {**known, (1, 2): 75.823, (0, 1, 2, 3): 0.0}.items():
        assert procrustes(Z, list(columns), 2) == pytest.approx(value, rel=1e-4, abs=1e-9)
    R = Z.T @ Z / 150
    values, Q = np.linalg.eigh(R)
    leading = values[:-3:-1]
    weights = Q[:, :-3:-1] * leading
    fast = procrustes_without_each(values, Q, weights, leading.sum(), np.ones(4, dtype=bool))
    assert 150 * fast[[3, 2, 0, 1]] == pytest.approx(list(known.values()), rel=1e-4)
    path = remove_by_procrustes(gram_of(real("iris")), 3, components=2)
    assert path.removals.columns[0] == 2
    assert 150 * path.scores[2] == pytest.approx(16.397, rel=1e-4)


@pytest.mark.parametrize("components", [1, 2, 5, 12])
@pytest.mark.parametrize("name", ["iris", "wine"])
def test_order_and_criterion_equal_the_definition(real, gram_of, name, components):
    X = real(name)
    order, change = eliminate_by_hand(standardised(X), min(components, X.shape[1]))
    path = remove_by_procrustes(gram_of(X), 1, components=components)
    assert path.removals.columns.tolist() == order
    assert path.scores[order] * len(X) == pytest.approx(change, abs=1e-8)


def test_a_longer_elimination_equals_the_definition(correlated, gram_of):
    X = correlated(120, 30, factors=8, noise=1.0)
    order, change = eliminate_by_hand(standardised(X), 6)
    path = remove_by_procrustes(gram_of(X), 1, components=6)
    assert path.removals.columns.tolist() == order
    assert path.scores[order] * len(X) == pytest.approx(change)


@pytest.mark.parametrize("components", [1, 2, 5])
@pytest.mark.parametrize("name", ["iris", "wine"])
def test_forward_order_and_criterion_equal_the_definition(real, gram_of, name, components):
    X = real(name)
    k = min(components, X.shape[1])
    order, change = add_by_hand(standardised(X), k, X.shape[1])
    path = remove_by_procrustes(
        gram_of(X), X.shape[1], components=components, direction="forward", retain=np.inf
    )
    assert path.indices.tolist() == order
    assert path.scores[order] * len(X) == pytest.approx(change, abs=1e-8)


def test_forward_on_a_wide_table_of_every_form_equals_the_definition(correlated, gram_of):
    X = correlated(25, 60, factors=10)
    order, _ = add_by_hand(standardised(X), 4, 6)
    for form in ("dense", "rows", "sparse"):
        path = remove_by_procrustes(gram_of(X, form), 6, components=4, direction="forward")
        assert path.indices.tolist() == order


def test_forward_takes_included_columns_first_and_no_copies(real, gram_of):
    X = real("iris")
    gram = gram_of(np.column_stack([X, 2 * X[:, 0] + 1]))
    path = remove_by_procrustes(gram, 5, direction="forward", include=[4])
    assert path.indices[0] == 4
    assert 0 not in path.indices


def test_unscaled_columns_work_too(real, gram_of):
    X = real("wine")
    order, _ = eliminate_by_hand(X - X.mean(axis=0), 2)
    path = remove_by_procrustes(gram_of(X, scale=False), 1, components=2)
    assert path.removals.columns.tolist() == order


def test_components_carry_80_percent_when_not_given(real, gram_of):
    gram = gram_of(real("wine"))
    shares = np.cumsum(gram.eigenvalues(13)) / 13
    count = int(np.argmax(shares >= 0.8)) + 1
    plain, told = remove_by_procrustes(gram, 1), remove_by_procrustes(gram, 1, components=count)
    assert plain.indices.tolist() == told.indices.tolist()


def test_equations_are_the_regressions_on_the_columns_still_there(real, gram_of, matrix_of):
    R = matrix_of(real("wine"))
    removals = remove_by_procrustes(gram_of(real("wine")), 1).removals
    first, second = removals.columns[:2]
    others = np.setdiff1d(np.arange(13), [first, second])
    weights = np.linalg.solve(R[np.ix_(others, others)], R[others, second])
    assert removals.errors[1] == pytest.approx(1 - weights @ R[others, second])
    expected = dict(zip(others, weights, strict=True))
    for place, weight in zip(removals.positions[1], removals.weights[1], strict=True):
        assert weight == pytest.approx(expected[place])


@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
def test_dependent_columns_go_first_and_included_ones_stay(correlated, gram_of, form):
    X = correlated(25, 60, factors=10)
    path = remove_by_procrustes(gram_of(X, form), 5, include=[3, 8])
    assert path.removals.errors[:36].tolist() == [0.0] * 36
    assert path.indices[:2].tolist() == [3, 8]
    other = remove_by_procrustes(gram_of(X, "rows"), 5, include=[3, 8])
    assert path.indices.tolist() == other.indices.tolist()


def test_equal_eigenvalues_and_orthogonal_columns_are_no_trouble(dense):
    path = remove_by_procrustes(dense(np.eye(6)), 2, components=3)
    assert sorted(path.indices.tolist()) == list(range(6))
    assert np.isfinite(path.scores).all()


def test_too_much_work_is_refused_with_advice(real, monkeypatch):
    monkeypatch.setattr(components, "_MOST_SECONDS", 0.0)
    with pytest.raises(TamisError, match="fast method such as 'ufs', or ask for fewer components"):
        tamis.select(real("iris"), method="krzanowski")
    with pytest.raises(TamisError, match="hours to add 2 of 4 columns one by one: keep fewer"):
        tamis.select(real("iris"), k=2, method="krzanowski", options={"direction": "forward"})


def test_the_estimate_of_the_time_follows_columns_and_components():
    assert components._estimate_seconds(13, 5) < 0.01
    assert 30 < components._estimate_seconds(617, 31) < 600
    assert 30 < components._estimate_seconds(260, 151) < 600
    assert components._estimate_seconds(2000, 600) > 3600
