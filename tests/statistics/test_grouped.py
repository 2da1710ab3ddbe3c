"""Which columns of a matrix stand for each column of a table."""

import numpy as np

from tamis.statistics.gram import DenseGram
from tamis.statistics.grouped import Groups
from tamis.statistics.summary import as_summary


def test_members_owners_and_sums_follow_from_the_sizes():
    groups = Groups(np.array([2, 1, 3]))
    assert groups.starts.tolist() == [0, 2, 3]
    assert groups.owner.tolist() == [0, 0, 1, 2, 2, 2]
    assert groups.members([2, 0]).tolist() == [3, 4, 5, 0, 1]
    assert groups.members([]).tolist() == []
    assert groups.sum_up(np.arange(6.0)).tolist() == [1.0, 2.0, 12.0]
    assert not groups.single


def test_of_some_columns_groups_without_any_are_gone():
    kept, groups = Groups(np.array([2, 1, 3])).of_columns(np.array([1, 3, 5]))
    assert kept.tolist() == [0, 2]
    assert groups.sizes.tolist() == [1, 2]


def test_a_plain_matrix_is_one_of_single_columns():
    gram = DenseGram(np.eye(3))
    found = as_summary(gram)
    assert found.gram is gram
    assert found.groups.single
    assert as_summary(found) is found
    assert as_summary(gram, Groups(np.array([2, 1]))).diagonal().tolist() == [2.0, 1.0]
