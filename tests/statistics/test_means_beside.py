"""Means made beside the sums of a part: those of a pass of their own."""

import numpy as np
import pytest
import scipy.sparse

from tamis.registry.missing_policy import MissingPolicy
from tamis.statistics.missing import RunningMeans, Tally, clean_batches, column_means
from tamis.statistics.tiles import MEANS, MeansBeside

NAMES = ["a", "b", "c"]


def read(batches, policy=MissingPolicy.MEAN, fill=None):
    tally = Tally(3)
    beside = MeansBeside(policy, fill, tally)
    passed = list(clean_batches(beside.watch(batches), NAMES, policy, tally))
    return passed, beside.give()


def test_means_are_those_of_all_rows_also_before_the_first_gap():
    X = np.random.default_rng(0).normal(size=(60, 3))
    X[25, 1] = X[50, 2] = np.nan
    batches = [X[:20], X[20:40], X[40:]]
    passed, given = read(batches)
    expected = column_means(batches, NAMES, MissingPolicy.MEAN)
    assert len(passed) == 1  # none after the first gap
    assert given[MEANS]["mean"] == pytest.approx(expected.values, rel=1e-14)
    assert given[MEANS]["counts"].tolist() == [60, 59, 59]
    assert int(given[MEANS]["rows"]) == 60


def test_nothing_is_averaged_where_nothing_will_be_filled():
    rows = np.ones((4, 3))
    assert read([rows], MissingPolicy.ERROR)[1] == {}
    assert read([rows], fill=RunningMeans(3))[1] == {}


def test_sparse_rows_are_not_counted():
    given = read([scipy.sparse.csr_array(np.eye(3)), np.ones((2, 3))])[1]
    assert int(given[MEANS]["rows"]) == 2
