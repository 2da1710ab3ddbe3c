import numpy as np
import pytest
from sklearn.datasets import load_wine

import tamis
from tamis.evaluation import cluster_agreement, neighbourhood_agreement
from tamis_papers.laboratory.order import order_columns
from tamis_papers.laboratory.protocol import Table
from tamis_papers.protocols.preservation import (
    choose_sets,
    compare_clusters,
    compare_neighbours,
    cut_columns,
    keep_similar,
    stack_rows,
)


@pytest.fixture(scope="module")
def codes():
    return cut_columns(load_wine().data)


def test_bins_hold_as_many_rows_and_a_value_on_an_edge_goes_below():
    X = np.column_stack([np.arange(1.0, 12.0), np.full(11, 3.0), np.repeat([0.0, 7.0], [9, 2])])
    codes = cut_columns(X, 5)
    # The inner quantiles of 1..11 are 3, 5, 7 and 9; the constant column is omitted.
    assert codes[:, 0].tolist() == [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    # All four quantiles of the third are 0: the bins between stay empty.
    assert codes[:, 1].tolist() == [0] * 9 + [4] * 2
    assert codes.shape == (11, 2)


def test_order_alone_decides_the_codes(codes):
    X = load_wine().data
    np.testing.assert_array_equal(cut_columns(8.0 * X), codes)
    assert codes.min() == 0
    assert codes.max() == 9


def test_a_column_of_mostly_zeros_keeps_the_numbers_of_its_quantiles():
    column = np.concatenate([np.zeros(70), np.arange(1.0, 31.0)])[:, None]
    codes = cut_columns(column)
    assert np.unique(codes).tolist() == [0, 7, 8, 9]
    assert np.unique(codes, return_counts=True)[1].tolist() == [70, 10, 10, 10]


@pytest.mark.parametrize("method", ["greedy-fs", "mcfs"])
def test_sets_go_up_to_half_of_the_columns(codes, method):
    sets = choose_sets(codes, method)
    assert [len(set(kept.tolist())) for kept in sets] == [1, 2, 3, 4, 5, 6]
    np.testing.assert_array_equal(sets[3], order_columns(codes, method, k=4))


def test_fsfs_is_called_with_the_columns_that_shall_go_and_its_set_taken_as_it_comes(codes):
    every = codes.shape[1]
    for size, kept in enumerate(choose_sets(codes, "fsfs"), 1):
        options = {"neighbours": every - size}
        found = tamis.select(codes, every, method="fsfs", options=options)
        assert [f"x{j}" for j in kept] == found.names
        assert 1 <= len(kept) <= size + 1
    assert len(keep_similar(codes, 1)) == 1


def test_a_table_of_two_archives_has_the_rows_of_both():
    one, other = (Table("a", np.full((n, 2), n)) for n in (2, 3))
    assert stack_rows([one, other]).tolist() == [[2, 2]] * 2 + [[3, 3]] * 3


def test_every_figure_is_that_of_its_function_for_every_set(codes):
    sets = [np.array([6]), np.array([6, 0, 9])]
    near = compare_neighbours(codes, sets, [3, 10])
    rand = compare_clusters(codes, sets, clusters=3, seeds=[0, 4])
    for position, kept in enumerate(sets):
        expected = neighbourhood_agreement(
            codes, codes[:, kept], neighbours=[3, 10], include_self=True
        )
        assert {k: curve[position] for k, curve in near.items()} == expected
        for run, seed in zip(rand, [0, 4], strict=True):
            agreed = cluster_agreement(codes, codes[:, kept], clusters=3, random_state=seed)
            assert run[position] == agreed.agreement
    everything = [np.arange(codes.shape[1])]
    assert compare_neighbours(codes, everything, [5]) == {5: [1.0]}
    assert compare_clusters(codes, everything, clusters=3, seeds=[1]) == [[1.0]]
