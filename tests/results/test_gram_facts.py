import base64

import numpy as np
import pytest
import scipy.sparse

import tamis
from tamis.evaluation.measure import measure_of
from tamis.results.gram_facts import MOST, SOME, gram_facts


def matrix_of(facts):
    d = facts.width
    lower = np.zeros((d, d))
    numbers = np.frombuffer(base64.b64decode(facts.triangle), dtype="<f8")
    lower[np.tril_indices(d)] = numbers
    return lower + np.tril(lower, -1).T


def facts_of(X, k=3, **asked):
    found = tamis.select(X, k=k, **asked)
    measure = measure_of(found.summary.statistic)
    shares = measure.reproduction(found.path.kept).shares[-1]
    return found, gram_facts(measure, found.path.kept, shares, k)


@pytest.mark.parametrize("n", [200, 12])
def test_it_is_the_correlations_to_the_last_digit_in_every_form(n):
    X = np.random.default_rng(0).standard_normal((n, 30)) * 5 + 2
    _, dense = facts_of(X)
    _, sparse = facts_of(scipy.sparse.csr_array(X))
    expected = np.corrcoef(X, rowvar=False)
    for facts in (dense, sparse):
        assert facts.columns is None
        np.testing.assert_allclose(matrix_of(facts), expected, atol=1e-14)


def test_a_summary_gives_the_same():
    X = np.random.default_rng(1).standard_normal((90, 8))
    _, of_rows = facts_of(X, method="sfs")
    _, of_summary = facts_of(tamis.summarise(X), method="sfs")
    np.testing.assert_allclose(matrix_of(of_summary), matrix_of(of_rows), atol=1e-14)


def test_of_many_columns_the_path_and_the_least_explained_are_given():
    X = np.random.default_rng(2).standard_normal((40, MOST + 100))
    X[:, 1::2] *= 1e-3
    X[:, 1::2] += X[:, ::2]  # every second column nearly a copy of the one before
    found, facts = facts_of(X, k=30)
    columns = facts.columns
    assert facts.width == len(columns) == MOST
    assert list(columns) == sorted(columns)
    assert set(found.path.kept.tolist()) <= set(columns)
    shares = measure_of(found.summary.statistic).reproduction(found.path.kept).shares[-1]
    absent = np.setdiff1d(np.arange(len(shares)), columns)
    present = np.setdiff1d(columns, found.path.kept)
    assert shares[present].max() <= shares[absent].min()
    part = np.corrcoef(X[:, columns], rowvar=False)
    np.testing.assert_allclose(matrix_of(facts), part, atol=1e-13)


def test_thirty_columns_take_five_kilobytes():
    _, facts = facts_of(np.random.default_rng(3).standard_normal((50, 30)))
    assert len(facts.triangle) == 4960


def test_methods_on_information_have_none():
    X = np.random.default_rng(4).standard_normal((60, 5))
    assert facts_of(X, method="representatives")[1] is None


def test_a_very_wide_table_leaves_its_room_to_the_shares_of_all_columns() -> None:
    X = np.random.default_rng(2).standard_normal((20, 2_100))
    found = tamis.select(X, k=3, method="sfs")
    shares = found.measure.reproduction(found.path.indices).shares[-1]
    facts = gram_facts(found.measure, found.path.indices, shares, 10)
    assert facts.width == len(facts.columns) == SOME
    assert set(found.path.indices.tolist()) <= set(facts.columns)
