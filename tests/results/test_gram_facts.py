import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import tamis
from tamis.evaluation.measure import measure_of
from tamis.results.slider_facts import MOST, SOME, pack_gram

STEP = 1 / 32767  # of a rounded correlation


def matrix_of(packed):
    about, matrix = packed
    d = about["width"]
    lower = np.zeros((d, d))
    if not about["rounded"]:
        lower[np.tril_indices(d)] = np.frombuffer(matrix, dtype="<f8")
        return lower + np.tril(lower, -1).T
    lengths, planes = np.frombuffer(matrix[: 8 * d]), matrix[8 * d :]
    steps = np.frombuffer(planes, dtype=np.uint8).reshape(2, -1).T.copy().view("<i2")[:, 0]
    lower[np.tril_indices(d, -1)] = steps * STEP
    return (lower + lower.T + np.eye(d)) * np.outer(lengths, lengths)


def facts_of(X, k=3, **asked):
    found = tamis.select(X, k=k, **asked)
    measure = measure_of(found.summary.statistic)
    shares = measure.reproduction(found.path.kept).shares[-1]
    return found, pack_gram(measure, found.path.kept, shares, measure.ceiling(k))


@pytest.mark.parametrize("n", [200, 12])
def test_it_is_the_correlations_to_the_last_digit_in_every_form(n):
    X = np.random.default_rng(0).standard_normal((n, 30)) * 5 + 2
    _, dense = facts_of(X)
    _, sparse = facts_of(scipy.sparse.csr_array(X))
    expected = np.corrcoef(X, rowvar=False)
    for facts in (dense, sparse):
        assert facts[0]["columns"] is None
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
    columns = facts[0]["columns"]
    assert facts[0]["width"] == len(columns) == MOST
    assert list(columns) == sorted(columns)
    assert set(found.path.kept.tolist()) <= set(columns)
    shares = measure_of(found.summary.statistic).reproduction(found.path.kept).shares[-1]
    absent = np.setdiff1d(np.arange(len(shares)), columns)
    present = np.setdiff1d(columns, found.path.kept)
    assert shares[present].max() <= shares[absent].min()
    part = np.corrcoef(X[:, columns], rowvar=False)
    assert facts[0]["rounded"]
    np.testing.assert_allclose(matrix_of(facts), part, atol=0.501 * STEP)


def test_thirty_columns_take_four_kilobytes_and_five_hundred_a_quarter_of_a_million():
    _, facts = facts_of(np.random.default_rng(3).standard_normal((50, 30)))
    assert len(facts[1]) == 3720
    _, facts = facts_of(np.random.default_rng(3).standard_normal((600, 500)))
    assert len(facts[1]) == 253_500


def test_categories_come_as_groups_of_columns():
    table = pd.DataFrame(
        {"a": [1.0, 2, 3, 4, 5, 7] * 9, "b": list("xyzzyx") * 9, "c": [0.5, 1.5, 0.1] * 18}
    )
    found = tamis.select(table, k=2, categories=["b"])
    facts = pack_gram(found.measure, found.path.indices, np.zeros(3), found.measure.ceiling(3))
    assert (facts[0]["sizes"], facts[0]["width"], facts[0]["rows"]) == ([1, 3, 1], 5, 54)
    assert facts[0]["bound"] == pytest.approx(found.measure.ceiling(3).tolist())


def test_methods_on_information_have_none():
    X = np.random.default_rng(4).standard_normal((60, 5))
    assert facts_of(X, method="representatives")[1] is None


def test_a_very_wide_table_leaves_its_room_to_the_shares_of_all_columns() -> None:
    X = np.random.default_rng(2).standard_normal((20, 2_100))
    found = tamis.select(X, k=3, method="sfs")
    shares = found.measure.reproduction(found.path.indices).shares[-1]
    facts = pack_gram(found.measure, found.path.indices, shares, found.measure.ceiling(10))
    assert facts[0]["width"] == len(facts[0]["columns"]) == SOME
    assert set(found.path.indices.tolist()) <= set(facts[0]["columns"])
