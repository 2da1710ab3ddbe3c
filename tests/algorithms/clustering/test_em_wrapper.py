"""`em-wrapper`: known properties of its criteria, the definition, and planted clusters."""

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture
from tests.algorithms.clustering.planted import planted
from threadpoolctl import threadpool_limits

import tamis
from tamis.algorithms.clustering.em_wrapper import (
    Mixtures,
    _bic,
    fit_mixture,
    log_likelihood,
    scatter_trace,
)


def select(table, k=None, **options):
    return tamis.select(table, k, method="em-wrapper", options=options)


def standardised(table):
    return (table - table.mean(axis=0)) / table.std(axis=0)


@pytest.fixture
def rows():
    return standardised(planted(0, noise=3)[0])


@pytest.fixture
def shares():
    """Give random shares of 120 rows in 3 clusters."""
    return np.random.default_rng(1).dirichlet([0.5, 0.5, 0.5], 120)


def components(X, shares):
    """Give the weights, means and covariances of one M-step, component by component."""
    found = []
    for share in shares.T:
        mean = share @ X / share.sum()
        covariance = (share[:, None] * (X - mean)).T @ (X - mean) / share.sum()
        found.append((share.mean(), mean, covariance))
    return found


def test_the_trace_is_that_of_the_scatter_of_the_components(rows, shares):
    parts = components(rows, shares)
    middle = sum(weight * mean for weight, mean, _ in parts)
    within = sum(weight * covariance for weight, _, covariance in parts)
    between = sum(w * np.outer(mean - middle, mean - middle) for w, mean, _ in parts)
    expected = np.trace(np.linalg.inv(within) @ between)
    assert scatter_trace(rows, shares, np.zeros(5)) == pytest.approx(expected, rel=1e-10)


def test_the_likelihood_is_that_of_scipy(rows, shares):
    densities = [
        np.log(weight) + multivariate_normal(mean, covariance).logpdf(rows)
        for weight, mean, covariance in components(rows, shares)
    ]
    expected = logsumexp(densities, axis=0).sum()
    assert log_likelihood(rows, shares, np.zeros(5)) == pytest.approx(expected, rel=1e-10)


def test_the_trace_is_the_same_after_any_invertible_map(rows, shares):
    rng = np.random.default_rng(2)
    expected = scatter_trace(rows, shares, np.zeros(5))
    for _ in range(10):
        mapped = rows @ rng.standard_normal((5, 5)) + rng.standard_normal(5)
        assert scatter_trace(mapped, shares, np.zeros(5)) == pytest.approx(expected, rel=1e-8)


def test_the_trace_of_given_clusters_never_falls_when_a_column_joins(rows, shares):
    traces = [scatter_trace(rows[:, :q], shares, np.zeros(q)) for q in range(1, 6)]
    assert (np.diff(traces) >= -1e-12).all()


def test_mixtures_are_as_good_as_those_of_scikit_learn(rows):
    X = np.ascontiguousarray(rows[:, :2])
    ours = fit_mixture(X, k_max=6, n_init=5, ridge=np.full(2, 1e-6), random_state=0)
    theirs = [
        GaussianMixture(k, n_init=5, tol=1e-6, max_iter=500, random_state=0).fit(X).bic(X)
        for k in range(1, 5)
    ]
    assert ours.shape[1] == 1 + int(np.argmin(theirs)) == 3
    likelihood = log_likelihood(X, ours, np.full(2, 1e-6))
    assert _bic(likelihood, *X.shape, 3) == pytest.approx(min(theirs), rel=1e-4)
    assert ours.sum(axis=1) == pytest.approx(np.ones(len(X)))


def test_sets_are_compared_with_the_clusters_of_both(rows):
    small, large = (0,), (0, 1)
    for by_trace in (True, False):
        judge = Mixtures(rows, by_trace, 6, 3, 0.0, 0)
        one, two = judge.mixture(small), judge.mixture(large)
        ridge = judge._ridge
        measure = scatter_trace if by_trace else log_likelihood
        values = [
            [measure(rows[:, s], clusters, ridge[list(s)]) for s in (small, large)]
            for clusters in (one, two)
        ]
        join = np.prod if by_trace else np.sum
        expected = bool(join(values[1]) > join(values[0]))
        assert judge.prefers_larger(small, large) is expected is True
        assert not Mixtures(rows, by_trace, 6, 3, 1e6, 0).prefers_larger(small, large)


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("criterion", ["trace", "likelihood"])
@pytest.mark.parametrize("seed", range(3))
def test_exactly_the_planted_columns_are_kept(seed, criterion, direction):
    settings = {"criterion": criterion, "direction": direction}
    assert sorted(select(planted(seed, gap=4)[0], **settings).indices) == [0, 1]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_three_planted_columns_are_kept(seed):
    table, _ = planted(seed, ring=0, corners=3, gap=5, rows=150)
    assert sorted(select(table).indices) == [0, 1, 2]


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_number_is_met_exactly(direction):
    table, kinds = planted(1, noise=3, rows=90)
    for k in (1, 2, 4):
        found = select(table, k, direction=direction)
        evidence = found.to_dict()["evidence"]
        assert found.k == k
        assert evidence["tree"] is None
        assert (evidence["start"] is None) == (direction == "forward")
    found = select(table, 2, direction=direction)
    assert np.unique(np.stack([found.path.evidence.labels, kinds]), axis=1).shape[1] <= 5
    assert found.to_dict()["evidence"]["sizes"] == pytest.approx([30, 30, 30], abs=3)


def test_threads_do_not_matter():
    table, _ = planted(2, noise=3, rows=90)
    found = select(table)
    with threadpool_limits(1):
        again = select(table)
    assert again.indices.tolist() == found.indices.tolist()
    assert again.scores == pytest.approx(found.scores, rel=1e-9)


def test_repeated_values_make_no_clusters_of_their_own():
    rng = np.random.default_rng(0)
    table = rng.standard_normal((150, 3)).round(1)
    assert len(select(table, 1).to_dict()["evidence"]["sizes"]) == 1


def test_tables_of_few_rows_have_one_cluster():
    found = select(np.random.default_rng(0).standard_normal((4, 3)))
    assert found.k == 1
    assert found.to_dict()["evidence"]["sizes"] == [4]
