"""The backward loop against its definition: regress, remove the column predicted best, repeat."""

import numpy as np

from tamis.algorithms.backward.elimination import eliminate
from tamis.algorithms.limits import Limits
from tamis.statistics.gram import DenseGram


def equations(X):
    """Give the principal components as equations, with their squared errors."""
    values, V = DenseGram(X.T @ X).decomposition()
    return V.T.copy(), values


def definition(W, values):
    """Remove by the equation of smallest error and substitute it in all others, one by one."""
    W, M, open_ = W.copy(), np.diag(values), list(range(len(values)))
    removed, errors = [], []
    while len(open_) > 1:
        i = min(open_, key=lambda row: (M[row, row], row))
        free = [j for j in range(len(values)) if j not in removed]
        j = max(free, key=lambda column: abs(W[i, column]))
        removed.append(j)
        errors.append(M[i, i])
        open_.remove(i)
        for row in open_:
            c = W[row, j] / W[i, j]
            W[row] -= c * W[i]
            M[row] -= c * M[i]
            M[:, row] -= c * M[:, i]
    return removed, errors


def test_the_panels_remove_what_the_definition_removes():
    X = np.random.default_rng(0).normal(size=(60, 9)) @ np.random.default_rng(1).normal(size=(9, 9))
    W, values = equations(X)
    removed, errors = definition(W, values)
    found = eliminate(W.copy(), values, Limits.fixing(len(values), []))
    assert found.columns.tolist() == removed
    np.testing.assert_allclose(found.errors, errors, rtol=1e-8)


def test_fixed_columns_are_never_removed():
    X = np.random.default_rng(2).normal(size=(30, 6))
    X[:, 5] = X[:, 0] + X[:, 1] + 1e-4 * X[:, 5]
    found = eliminate(*equations(X), Limits.fixing(X.shape[1], [0, 5]))
    assert not {0, 5} & set(found.columns.tolist())
    assert len(found.columns) == 4
