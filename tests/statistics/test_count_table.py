"""Tables of sparse counts are known by all of their values, whatever their order."""

import numpy as np
import pytest
import scipy.sparse

from tamis.rules.kinds import MIN_COUNT_COLUMNS
from tamis.statistics.scaled_source import CountEvidence, CountSearch


def draw_counts(n=200, d=150, seed=0):
    """Give counts of which most are 0."""
    rng = np.random.default_rng(seed)
    rates = rng.gamma(0.5, 0.3, d) * rng.gamma(4.0, 0.25, (n, 1))
    return rng.poisson(rates).astype(np.float64)


def find_counts(batches):
    """Search a table for sparse counts."""
    search = CountSearch(None)
    for i, rows in enumerate(batches):
        if not i:
            search.evidence = CountEvidence.of_rows(rows[:0])
        search.add(rows)
    found = search.evidence
    return found if found is not None and found.are_counts else None


def test_sparse_counts_are_known_in_any_order_batch_and_form():
    X = draw_counts()
    whole = find_counts([X])
    order = np.random.default_rng(1).permutation(len(X))
    parts = find_counts(np.array_split(X[order], 7))
    sparse = find_counts(map(scipy.sparse.csr_array, np.array_split(X, 3)))
    assert whole.zero_share == parts.zero_share == sparse.zero_share
    for name in ("largest", "fractions", "known"):
        values = [getattr(found, name).tolist() for found in (whole, parts, sparse)]
        assert values[0] == values[1] == values[2]


def test_missing_values_are_not_counted():
    X = draw_counts()
    X[3, :40] = np.nan
    dense, sparse = (CountEvidence.of_rows(form(X)) for form in (np.array, scipy.sparse.csr_array))
    for found in (dense, sparse):
        assert found.are_counts
        assert found.known[:40].tolist() == [199] * 40
        assert found.zeros.sum() == (X == 0).sum()


def with_value(value):
    """Give counts with another value in the last row."""
    X = draw_counts()
    X[-1, 2] = value
    return X


MARKS = np.random.default_rng(2).random((200, 150)) < 0.1
DUMMIES = np.hstack([MARKS, np.random.default_rng(3).integers(18, 90, (200, 6))])


@pytest.mark.parametrize(
    "table",
    [
        with_value(0.5),
        with_value(-1),
        with_value(np.inf),
        draw_counts(d=MIN_COUNT_COLUMNS - 1),
        draw_counts() + 1,
        MARKS,
        DUMMIES,
        np.random.default_rng(4).integers(0, 5, (200, 150)),
        np.random.default_rng(5).poisson(20.0, (200, 150)),
    ],
    ids=["share", "below", "infinite", "narrow", "positive", "marks", "dummies", "codes", "deep"],
)
def test_other_tables_are_none(table):
    assert find_counts([table.astype(np.float64)]) is None
    assert find_counts([scipy.sparse.csr_array(table.astype(np.float64))]) is None


def make_logs(X):
    """Write counts as logarithms of their share of a row."""
    return np.log1p(1e4 * X / np.maximum(X.sum(axis=1, keepdims=True), 1.0))


def with_money(X):
    """Put amounts of money in one column beside others."""
    return np.column_stack([X, np.random.default_rng(6).lognormal(10.0, 1.0, len(X))])


DEEP = np.random.default_rng(7).negative_binomial(0.2, 0.02, (200, 30)).astype(np.float64)


@pytest.mark.parametrize(
    ("table", "doubtful"),
    [
        (draw_counts(d=40), True),
        (make_logs(draw_counts(d=40)), True),
        (DEEP, True),
        (draw_counts(d=19), False),
        (with_money(make_logs(draw_counts(d=40))), False),
        (make_logs(draw_counts(d=40)) - 0.1, False),
        (draw_counts(d=40) + 1, False),
        (MARKS[:, :40], False),
        (np.random.default_rng(8).integers(0, 2, (200, 40)) * 3, False),
    ],
    ids=["counts", "logs", "deep", "narrow", "units", "below", "positive", "marks", "codes"],
)
def test_two_scales_are_tried_where_most_values_are_zeros_in_one_unit(table, doubtful):
    for form in (np.array, scipy.sparse.csr_array):
        found = CountEvidence.of_rows(form(table.astype(np.float64)))
        assert (found is not None and found.leave_doubt) is doubtful
