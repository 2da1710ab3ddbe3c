"""Shrunken regressions and their errors on held-out rows, against rows and fits."""

import numpy as np
import pytest

from tamis.algorithms.fold import Fold, choose_ridge
from tamis.rules.search import SHRINKAGES
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.grouped import Groups
from tamis.statistics.row_blocks import HeldOutRows
from tamis.statistics.summary import Summary


def fold_of(gram, held, n_rows, *, groups=None, importance=None):
    sizes = np.ones(len(gram.diagonal()), dtype=int) if groups is None else groups.sizes
    known = Summary(n_rows, np.arange(len(sizes)), gram, groups=Groups(sizes))
    return Fold(known, held, importance)


def standardised(seed, rows=30, columns=9):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3)) @ rng.normal(size=(3, columns)) + rng.normal(
        size=(rows, columns)
    )
    return (X - X.mean(axis=0)) / X.std(axis=0)


def gcv_by_rows(Z, S, n):
    """Choose by the definition: |Y - HY|^2 over what is left of the rows, 1.4 for a degree."""
    errors = []
    for shrink in SHRINKAGES:
        A = Z[:, S]
        H = A @ np.linalg.pinv(A.T @ A + shrink * n * np.eye(len(S))) @ A.T
        errors.append(((Z - H @ Z) ** 2).sum() / (n - 1.4 * np.trace(H) - 1) ** 2)
    return SHRINKAGES[int(np.argmin(errors))]


@pytest.mark.parametrize("seed", range(6))
def test_the_shrinkage_is_that_of_cross_validation_by_its_definition(seed):
    Z = standardised(seed, rows=14)
    S = np.array([4, 0, 7, 2])
    expected = gcv_by_rows(Z, S, len(Z))
    for gram in (DenseGram(Z.T @ Z / len(Z)), RowGram(Z / np.sqrt(len(Z)))):
        assert choose_ridge(gram, S, len(Z)) == expected


@pytest.mark.parametrize("shrink", [0.0, 0.1, 2.0])
def test_errors_are_those_of_regressions_applied_to_the_rows(shrink):
    Z, T = standardised(0), standardised(1)
    groups = Groups(np.array([1, 2, 1, 1, 3, 1]))
    held = HeldOutRows(len(T), RowGram(T), np.zeros(9), np.ones(9), np.zeros(9))
    kept = np.array([4, 0, 1])
    found = fold_of(DenseGram(Z.T @ Z / len(Z)), held, len(Z), groups=groups).errors(kept, shrink)
    before = np.zeros(9)
    for step in range(1, 4):
        S = groups.members(kept[:step])
        G = Z[:, S].T @ Z[:, S] / len(Z) + shrink * np.eye(len(S))
        left = T - T[:, S] @ np.linalg.solve(G, Z[:, S].T @ Z / len(Z))
        squares = (left**2).sum(axis=0)
        squares[S] = 0.0
        assert found.errors[step - 1] == pytest.approx(squares.sum())
        before = (T**2).sum(axis=0) if step == 1 else before
        assert found.own[step - 1] == pytest.approx(before[groups.members([kept[step - 1]])].sum())
        before = (left**2).sum(axis=0)


def test_a_group_whose_columns_depend_on_each_other_is_known_whole():
    Z, T = standardised(2), standardised(3)
    for X in (Z, T):
        X[:, 2] = X[:, 0] - X[:, 1]
    groups = Groups(np.array([3, *[1] * 6]))
    held = HeldOutRows(len(T), RowGram(T), np.zeros(9), np.ones(9), np.zeros(9))
    fold = fold_of(DenseGram(Z.T @ Z / len(Z)), held, len(Z), groups=groups)
    found = fold.errors(np.array([0]))
    left = T - T[:, :2] @ np.linalg.lstsq(Z[:, :2], Z, rcond=None)[0]
    assert found.errors[0] == pytest.approx((left[:, 3:] ** 2).sum())
    assert found.own[0] == pytest.approx((T[:, :3] ** 2).sum())


@pytest.mark.parametrize(("rows", "ends"), [(12, [1, 2, 3, 4, 5]), (100, [1, 2, 4, 4, 5])])
def test_chosen_for_every_doubling_it_is_that_of_as_many_columns(rows, ends):
    Z, T = standardised(4, rows=12), standardised(5)
    gram = DenseGram(Z.T @ Z / 12)
    held = HeldOutRows(len(T), RowGram(T), np.zeros(9), np.ones(9), np.zeros(9))
    fold = fold_of(gram, held, rows)
    kept = np.array([3, 1, 8, 0, 5])
    found = fold.errors(kept, None)
    for size, end in enumerate(ends, 1):
        ridge = choose_ridge(gram, kept[:end], rows)
        fixed = fold.errors(kept[:size], ridge)
        assert found.errors[size - 1] == pytest.approx(fixed.errors[size - 1])


def test_importance_weighs_the_errors_of_the_rows():
    Z, T = standardised(6), standardised(7)
    groups = Groups(np.array([1, 2, 1, 1, 3, 1]))
    importance = np.array([1.0, 0.0, 2.0, 0.0, 0.5, 3.0])
    held = HeldOutRows(len(T), RowGram(T), np.zeros(9), np.ones(9), np.zeros(9))
    kept, gram = np.array([4, 1]), DenseGram(Z.T @ Z / len(Z))
    fold = fold_of(gram, held, len(Z), groups=groups, importance=importance)
    found = fold.errors(kept, 0.2)
    S = groups.members(kept)
    G = Z[:, S].T @ Z[:, S] / len(Z) + 0.2 * np.eye(len(S))
    left = T - T[:, S] @ np.linalg.solve(G, Z[:, S].T @ Z / len(Z))
    left[:, S] = 0.0
    assert found.errors[-1] == pytest.approx(importance[groups.owner] @ (left**2).sum(axis=0))


def test_errors_by_products_of_rows_are_those_of_the_rows_themselves():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 5)) @ rng.standard_normal((5, 12)) + rng.standard_normal((60, 12))
    known, held = (part - X[:40].mean(axis=0) for part in (X[:40], X[40:]))
    gram = DenseGram(known.T @ known / 40)
    held_rows = HeldOutRows(
        20, DenseGram(held.T @ held / 40), np.zeros(12), np.ones(12), np.zeros(12)
    )
    for importance in (None, rng.random(12)):
        fold = fold_of(gram, held_rows, 40, importance=importance)
        rows = fold.keep_products(np.array([3, 0, 7, 9, 1]))
        by_products = rows.with_products([5])
        assert by_products.has_products
        assert by_products.choose_ridge() == rows.choose_ridge()
        for shrink in (0.0, 0.3):
            first, second = rows.errors(shrink), by_products.errors(shrink)
            np.testing.assert_allclose(first.errors, second.errors, rtol=1e-12)
            np.testing.assert_allclose(first.own, second.own, rtol=1e-12)


def test_nearly_dependent_columns_have_no_products():
    x = np.random.default_rng(4).standard_normal((50, 3))
    x[:, 1] = x[:, 0] + 1e-4 * x[:, 1]
    gram = DenseGram(x.T @ x)
    held_rows = HeldOutRows(50, gram, np.zeros(3), np.ones(3), np.zeros(3))
    rows = fold_of(gram, held_rows, 50).keep_products(np.array([0, 1, 2]))
    assert not rows.with_products([3]).has_products
    assert rows.with_products([1, 3]).head(1).has_products
