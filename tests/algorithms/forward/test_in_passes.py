"""Picks proven by passes: the search on an exact matrix, of which only a few columns are read."""

import numpy as np
import pytest

from tamis.algorithms.forward import in_passes
from tamis.algorithms.forward.in_passes import OutsideBounds, measure_in_pass, take_in_passes
from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.algorithms.limits import Limits
from tamis.algorithms.residual import condition
from tamis.statistics.gram import DenseGram, KnownColumns, SketchGram

WIDTH, ROWS, SUMS = 400, 1500, 200


def _factors(rng, count):
    X = rng.normal(size=(ROWS, count)) @ rng.normal(size=(count, WIDTH))
    return X + rng.normal(size=X.shape) * max(1.0, count / 16) ** 0.5


def _decay(rng):
    basis = np.linalg.qr(rng.normal(size=(WIDTH, WIDTH)))[0]
    return rng.normal(size=(ROWS, WIDTH)) * np.arange(1, WIDTH + 1) ** -0.7 @ basis


def _groups(rng):
    """Twenty groups of columns, each of them a noisy copy of one that none of them is."""
    return np.repeat(rng.normal(size=(ROWS, 20)), 20, axis=1) + 0.3 * rng.normal(size=(ROWS, WIDTH))


TABLES = {
    "3 factors": lambda rng: _factors(rng, 3),
    "30 factors": lambda rng: _factors(rng, 30),
    "decay": _decay,
    "groups": _groups,
}


class Exact(KnownColumns):
    """Passes over a matrix that is there; they are counted, and so are the columns read."""

    def __init__(self, G):
        super().__init__(self.pass_over, len(G))
        self.G, self.passes = G, 0

    def pass_over(self, columns, vectors):
        self.passes += 1
        return self.G[columns], self.G @ vectors


def _make(table, seed=0, sums=SUMS):
    """Give the exact matrix of a table, and an estimate of it by few random sums of the rows."""
    rng = np.random.default_rng(seed)
    X = TABLES[table](rng)
    X = X - X.mean(axis=0)
    X /= np.linalg.norm(X, axis=0)
    rows = np.zeros((sums, WIDTH))
    np.add.at(rows, rng.integers(sums, size=ROWS), X * rng.choice([-1, 1], size=(ROWS, 1)))
    return X.T @ X, rows / np.linalg.norm(rows, axis=0)


@pytest.fixture(autouse=True)
def few_columns(monkeypatch):
    """Read so few columns and vectors that the table has many others."""
    monkeypatch.setattr(in_passes, "_MIN_RIVALS", 32)
    monkeypatch.setattr(in_passes, "_MIN_VECTORS", 40)


@pytest.mark.parametrize("table", TABLES)
def test_the_picks_are_those_of_the_exact_matrix_where_they_are_proven(table):
    for seed in range(3):
        G, rows = _make(table, seed)
        known = Exact(G)
        path = greedy_reconstruction(SketchGram(rows, known), 6)
        exact = greedy_reconstruction(DenseGram(G), 6)
        assert path.indices[: path.proven].tolist() == exact.indices[: path.proven].tolist()
        own = condition(DenseGram(G), path.indices).retained
        np.testing.assert_allclose(path.retained, own, rtol=1e-9)
        assert known.passes <= 6
        assert len(known.columns) < 0.7 * WIDTH


def test_all_picks_are_proven_where_a_few_factors_explain_the_columns():
    G, rows = _make("30 factors")
    estimate = greedy_reconstruction(SketchGram(rows), 8)
    path = greedy_reconstruction(SketchGram(rows, Exact(G)), 8)
    exact = greedy_reconstruction(DenseGram(G), 8)
    assert path.proven == 8
    assert path.indices.tolist() == exact.indices.tolist()
    assert estimate.indices.tolist() != exact.indices.tolist()
    assert estimate.proven is None
    np.testing.assert_allclose(path.scores[path.indices], exact.scores[path.indices], rtol=1e-9)


@pytest.mark.parametrize("table", TABLES)
def test_the_bounds_are_above_the_norms_at_every_step(table):
    G, rows = _make(table)
    known = Exact(G)
    basis = in_passes.find_basis(SketchGram(rows), 40)
    for columns in ([0], [1], [2]):  # each pass brings the bound on what is outside down
        known.read(np.array(columns), basis)
    P = np.eye(WIDTH) - basis @ basis.T
    assert known.norm_outside >= np.linalg.eigvalsh(P @ G @ P)[-1]
    bounds, residual = OutsideBounds(np.diagonal(G), known), condition(DenseGram(G), [], 6)
    for j in [5, 100, 101, 300, 17, None]:
        R = G - residual.rows.T @ residual.rows
        estimates, most = bounds.bound_norms()
        norms = np.square(R).sum(axis=0)
        assert (most >= norms * (1 - 1e-9)).all()
        free = np.setdiff1d(np.arange(WIDTH), residual.taken)
        assert np.median(most[free] / norms[free]) < 4
        assert np.median(np.abs(estimates[free] / norms[free] - 1)) < 0.3
        if j is not None:
            residual.take(j)
            bounds.follow(residual.rows[-1])


def test_the_bounds_are_exact_where_the_basis_has_the_first_eigenvectors():
    G = np.diag([4.0, 3.0, 1.0, 1.0])
    known = Exact(G)
    known.read(np.array([0]), np.eye(4)[:, :2])
    known.norm_outside = 1.0
    bounds = OutsideBounds(np.diagonal(G), known)
    np.testing.assert_allclose(bounds.bound_norms(), [[16.0, 9.0, 1.0, 1.0]] * 2, atol=1e-12)
    bounds.follow(np.array([2.0, 0.0, 0.0, 0.0]))
    np.testing.assert_allclose(bounds.bound_norms(), [[0.0, 9.0, 1.0, 1.0]] * 2, atol=1e-12)


def test_of_equal_columns_the_first_is_taken():
    G, rows = _make("groups")
    order = np.repeat(np.arange(0, WIDTH, 4), 4)  # four copies of every fourth column
    G, rows = G[np.ix_(order, order)], rows[:, order]
    path = greedy_reconstruction(SketchGram(rows, Exact(G)), 4)
    assert path.indices.tolist() == greedy_reconstruction(DenseGram(G), 4).indices.tolist()
    assert (path.indices % 4 == 0).all()


def test_included_forbidden_and_priced_columns_are_as_on_the_exact_matrix():
    G, rows = _make("30 factors", seed=1)
    first = greedy_reconstruction(DenseGram(G), 2).indices
    limits = Limits.of(WIDTH, forbid=[int(first[0])], costs={int(first[1]): 5.0})
    for how in ({"include": (7, 3)}, {"limits": limits}, {"retain": 0.3}):
        path = greedy_reconstruction(SketchGram(rows, Exact(G)), 40, **{"retain": 0.2, **how})
        exact = greedy_reconstruction(DenseGram(G), 40, **{"retain": 0.2, **how})
        assert path.indices.tolist() == exact.indices.tolist()
        assert path.proven == len(path.indices)
        assert path.stopped == exact.stopped


def test_what_is_not_proven_is_said(monkeypatch):
    monkeypatch.setattr(in_passes, "_MAX_READS", 1)
    G, rows = _make("30 factors")
    path = greedy_reconstruction(SketchGram(rows, Exact(G)), 8)
    assert path.proven < 8
    np.testing.assert_allclose(
        path.retained, condition(DenseGram(G), path.indices).retained, rtol=1e-9
    )


def test_columns_without_structure_are_not_proven():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, WIDTH))
    X = (X - X.mean(axis=0)) / X.std(axis=0) / ROWS**0.5
    known = Exact(X.T @ X)
    path = take_in_passes(DenseGram(X[:700].T @ X[:700]), known, 5)
    assert path.proven < 5
    assert known.passes == 6


def test_the_estimate_stands_where_limits_bind_or_there_is_no_room(monkeypatch):
    G, rows = _make("decay")
    known = Exact(G)
    budget = Limits.of(WIDTH, budget=3.0)
    assert greedy_reconstruction(SketchGram(rows, known), 8, limits=budget).proven is None
    monkeypatch.setattr(Exact, "room", 15)
    assert greedy_reconstruction(SketchGram(rows, known), 8).proven is None
    assert known.passes == 0


def test_a_given_path_is_measured_in_one_pass():
    G, rows = _make("decay")
    known = Exact(G)
    estimate = greedy_reconstruction(SketchGram(rows), 5)
    path = measure_in_pass(SketchGram(rows), estimate, known)
    own = condition(DenseGram(G), estimate.indices).retained
    np.testing.assert_allclose(path.retained, own, rtol=1e-12)
    assert (path.proven, known.passes) == (0, 1)
