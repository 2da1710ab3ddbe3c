"""What a relevance must satisfy (Peluffo et al.), over every method whose result holds scores.

A method that breaks an axiom by design says so in its registry entry (`exceptions`): then it must
break it on at least one table here, so that no exception outlives its reason.
"""

import numpy as np
import pytest

import tamis
from tamis import registry
from tamis.statistics.moments import Moments
from tests.kinds import OF_COLUMNS

SEEDS = range(4)
EQUAL = 1e-6


def build_table(seed):
    """Mix four causes into ten columns; the last two are copies of others, but for scale."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((80, 4)) @ rng.standard_normal((4, 10))
    X = (X + rng.uniform(0.3, 2) * rng.standard_normal(X.shape)) * rng.uniform(1, 9, 10)
    return np.column_stack([X, 3 * X[:, 2] + 5, -0.5 * X[:, 6] + 1])


def scores_of(method, X):
    scale = None if method.scale is None else True
    return tamis.select(X, k=8, method=method.id, scale=scale)


def is_nonnegative(method, seed):
    scores = scores_of(method, build_table(seed)).scores
    return bool((scores >= -1e-12 * np.abs(scores).max()).all())


def is_null_for_constants(method, seed):
    X = build_table(seed)
    X[:, 1] = 7.5
    found = scores_of(method, X)
    return 1 not in found.indices and not found.scores[1] > 0


def is_equal_for_copies(method, seed):
    scores = scores_of(method, build_table(seed)).scores
    margin = EQUAL * np.abs(scores).max()
    return bool(np.allclose(scores[[10, 11]], scores[[2, 6]], rtol=0, atol=margin))


AXIOMS = {
    "nonnegative": is_nonnegative,
    "null": is_null_for_constants,
    "copies": is_equal_for_copies,
}


@pytest.fixture(params=OF_COLUMNS, ids=lambda method: method.id)
def method(request):
    return request.param


def test_exceptions_are_names_of_axioms(method):
    assert set(method.exceptions) <= set(AXIOMS)


@pytest.mark.parametrize("axiom", AXIOMS)
def test_the_axiom_holds_unless_it_is_a_known_exception(method, axiom):
    holds = [AXIOMS[axiom](method, seed) for seed in SEEDS]
    if axiom in method.exceptions:
        assert not all(holds), f"{method.id} keeps {axiom!r}: take it out of its exceptions"
    else:
        assert all(holds)


@pytest.mark.parametrize("method_id", ["relpca", "q-alpha-approx"])
def test_copies_differ_on_columns_that_are_not_scaled(method_id):
    kernel = registry.get(method_id).load_kernel()
    scores = kernel(Moments.from_batch(build_table(0)).gram(scale=False), 4).scores
    assert scores[10] == pytest.approx(9 * scores[2])
