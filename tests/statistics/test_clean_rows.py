"""Means made in the pass that sums up a part: those of a pass of their own."""

import numpy as np
import pytest
import scipy.sparse

from tamis.registry.missing_policy import MissingPolicy
from tamis.statistics.linear import GramRows
from tamis.statistics.missing import CleanRows, learn_fills

NAMES = ["a", "b", "c"]


class NotesRows(GramRows):
    """Sums that count the batches that they are made of."""

    batches = 0

    def add(self, *_):
        self.batches += 1


def read(batches, policy=MissingPolicy.MEAN, learns=True):
    rows = CleanRows(NotesRows(3), NAMES, policy, learns=learns)
    for batch in batches:
        rows.add((batch, None))
    return rows


def test_means_are_those_of_all_rows_also_before_the_first_gap():
    X = np.random.default_rng(0).normal(size=(60, 3))
    X[25, 1] = X[50, 2] = np.nan
    batches = [X[:20], X[20:40], X[40:]]
    found = read(batches)
    expected = learn_fills(batches, NAMES, MissingPolicy.MEAN).values
    assert found.sums.batches == 1  # none after the first gap
    assert found.learnt.values == pytest.approx(expected, rel=1e-14)
    assert found.learnt.counts.tolist() == [60, 59, 59]
    assert found.learnt.rows == 60
    assert set(found.split()) == {("tally", ""), ("fill", "")}


def test_nothing_is_averaged_where_nothing_will_be_filled():
    rows = np.ones((4, 3))
    assert read([rows], MissingPolicy.ERROR).learnt is None
    assert read([rows], learns=False).learnt is None


def test_sparse_rows_are_not_counted():
    found = read([scipy.sparse.csr_array(np.eye(3)), np.ones((2, 3))])
    assert found.learnt.rows == 2
