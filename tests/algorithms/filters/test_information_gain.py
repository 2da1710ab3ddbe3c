"""`information-gain`: the worked example, scikit-learn as the definition, real tables."""

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import mutual_info_score
from tests.algorithms.filters.tables import CARD, crossed, table_of

import tamis
from tamis.algorithms.filters.independence import rank_by_gain


def test_the_worked_example():
    path = rank_by_gain(table_of(CARD), 1)
    assert path.scores == pytest.approx([0.12451125], abs=5e-9)


def test_the_gain_ratio_divides_by_the_entropy_of_the_column():
    ratio = rank_by_gain(table_of(CARD), 1, ratio=True).scores
    assert ratio == pytest.approx([0.12451125 / scipy.stats.entropy([0.4, 0.6], base=2)])
    assert rank_by_gain(table_of(np.array([[5, 5]])), 1, ratio=True).scores == [0]


def test_unrelated_columns_gain_exactly_nothing_and_copies_of_the_class_everything():
    unrelated = np.array([[10, 20], [20, 40], [30, 60]])
    copy = np.array([[60, 0], [0, 120]])
    path = rank_by_gain(table_of(unrelated, copy), 2)
    assert path.scores[0] == 0
    assert path.scores[1] == pytest.approx(scipy.stats.entropy([1, 2], base=2))


def test_scikit_learn_and_the_g_test_of_scipy_agree_on_random_tables():
    rng = np.random.default_rng(0)
    classes, columns = rng.integers(0, 4, 200), rng.integers(0, 5, (3, 200))
    blocks = [crossed(column, classes) for column in columns]
    found = rank_by_gain(table_of(*blocks), 3).evidence
    for j, block in enumerate(blocks):
        bits = mutual_info_score(columns[j], classes) * np.log2(np.e)
        assert found.scores[j] == pytest.approx(bits, rel=1e-10)
        expected = scipy.stats.chi2_contingency(block, correction=False, lambda_="log-likelihood")
        assert found.p[j] == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.usefixtures("batches")
def test_scikit_learn_agrees_on_real_tables_in_any_batches(labelled):
    X, y = labelled
    bits = np.array([mutual_info_score(column, y) for column in X.T]) * np.log2(np.e)
    found = tamis.select(X, 5, method="information-gain", y=y).scores
    np.testing.assert_allclose(found, bits, atol=1e-9)
