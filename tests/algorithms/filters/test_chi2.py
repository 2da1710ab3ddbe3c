"""`chi2`: the worked example, SciPy as the definition, real tables in any batches."""

import numpy as np
import pytest
import scipy.stats
from tests.algorithms.filters.tables import CARD, crossed, table_of

import tamis
from tamis.algorithms.filters.independence import rank_by_chi2
from tamis.algorithms.path import NO_GOAL


def test_the_worked_example():
    path = rank_by_chi2(table_of(CARD), 1)
    assert path.scores == pytest.approx([50 / 3])
    assert path.evidence.p == pytest.approx([scipy.stats.chi2.sf(50 / 3, 1)])
    assert rank_by_chi2(table_of(CARD), 1, normalise=True).scores == pytest.approx([1 / 6])


def test_empty_levels_and_single_levels_add_nothing():
    empty = np.array([[30, 10], [0, 0], [20, 40]])
    single = np.array([[50, 50]])
    path = rank_by_chi2(table_of(empty, single), 2, normalise=True)
    assert path.scores == pytest.approx([1 / 6, 0])
    assert path.evidence.p[1] == 1


def test_scipy_agrees_on_random_tables():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 4, 200)
    blocks = [crossed(rng.integers(0, size, 200), classes) for size in (2, 3, 7)]
    found = rank_by_chi2(table_of(*blocks), 3).evidence
    for j, block in enumerate(blocks):
        expected = scipy.stats.chi2_contingency(block, correction=False)
        assert found.scores[j] == pytest.approx(expected.statistic, rel=1e-12)
        assert found.p[j] == pytest.approx(expected.pvalue, rel=1e-9)


def test_without_k_the_columns_below_a_twentieth_are_kept_and_at_least_one():
    many = np.full((30, 2), 1)
    many[:15, 0] = many[15:, 1] = 3  # chi-square 30 with 29 degrees of freedom
    weak = np.array([[30, 30], [30, 30]])
    strong = np.array([[35, 25], [25, 35]])
    clear = np.array([[40, 20], [20, 40]])
    path = rank_by_chi2(table_of(many, weak, strong, clear), None, retain=NO_GOAL)
    assert path.scores[0] == pytest.approx(30)
    assert path.indices.tolist() == [3]  # the first scores more, but has 30 values
    assert rank_by_chi2(table_of(weak, weak), None, retain=NO_GOAL).indices.tolist() == [0]


@pytest.mark.usefixtures("batches")
def test_scipy_agrees_on_real_tables_in_any_batches(labelled):
    X, y = labelled
    expected = [
        scipy.stats.chi2_contingency(crossed(column, y), correction=False).statistic
        for column in X.T
    ]
    found = tamis.select(X, 5, method="chi2", y=y).scores
    np.testing.assert_allclose(found, expected, rtol=1e-9)
