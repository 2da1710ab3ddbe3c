import numpy as np
import pytest

from tamis import registry
from tamis.algorithms.path import NO_GOAL


def reproduced(R):
    return (R**2).sum(axis=0) / np.where(np.diagonal(R) > 0, np.diagonal(R), 1.0)


def related(R):
    return (R**2).sum(axis=0)


def variance_left(R):
    return np.diagonal(R).copy()


def near_the_leading_component(R):
    vector = np.linalg.eigh(R)[1][:, -1]
    return np.abs(R @ vector) / np.sqrt(np.where(np.diagonal(R) > 0, np.diagonal(R), 1.0))


SCORES = {
    "sfs": reproduced,
    "principal-variables": related,
    "pivoted-qr": variance_left,
    "pfs": near_the_leading_component,
}


def by_definition(X, k, score):
    """Take columns on the table itself: every column of it keeps all its digits."""
    left, taken = X - X.mean(axis=0), []
    for _ in range(k):
        scores = score(left.T @ left)
        scores[taken] = -1.0
        taken.append(int(np.argmax(scores)))
        q = left[:, taken[-1]] / np.linalg.norm(left[:, taken[-1]])
        for _ in range(2):
            left = left - np.outer(q, q @ left)
        left[:, taken] = 0.0
    return taken


@pytest.mark.parametrize("method", SCORES)
@pytest.mark.parametrize("form", ["dense", "rows", "sparse"])
@pytest.mark.parametrize("units", [(1e7, 0.5, 0.1), (1e9, 1.0, 1e-6)])
def test_small_columns_are_chosen_well_beside_huge_ones(gram_of, method, form, units):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((60, 8) if form == "dense" else (9, 14))
        X[:, 1] += X[:, 0]
        X[:, 3] += 0.5 * X[:, 2]
        X *= rng.choice(units, X.shape[1]) * rng.uniform(0.5, 2, X.shape[1])
        path = registry.get(method).load_kernel()(gram_of(X, form, scale=False), 7, retain=NO_GOAL)
        assert path.indices.tolist() == by_definition(X, 7, SCORES[method])
