"""Searches on the rows of a table take the columns that the search on its Gram matrix takes."""

import numpy as np
import pytest

from tamis.algorithms.forward.forward import take_by_importance, take_groups
from tamis.algorithms.greedy import can_join, search_together
from tamis.algorithms.residual import JointSearches, RowBasis, find_shrunk_norms
from tamis.rules.tolerances import RANK_TOL
from tamis.statistics.gram import DenseGram
from tamis.statistics.grouped import Groups
from tamis.statistics.linear import summary_of_rows
from tamis.statistics.summary import as_summary

SHRINKAGES = (0.0, 0.1, 1.0, 10.0)


def make_gram(rows=30, columns=80, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 6)) @ rng.normal(size=(6, columns))
    X += rng.normal(size=(rows, columns))
    X[:, 7] = -2 * X[:, 3]  # a copy is never taken beside what it copies
    return summary_of_rows(X, scale=True).gram


def leave(gram, taken, shrink):
    """Give what is left of the matrix, by its definition: `G - G_S (G_SS + s I)^-1 G_S'`."""
    G = gram.rows.T @ gram.rows
    inner = G[np.ix_(taken, taken)] + shrink * np.eye(len(taken))
    return G - G[:, taken] @ np.linalg.solve(inner, G[taken])


@pytest.mark.parametrize("seed", range(3))
def test_searches_together_take_what_each_alone_takes(seed):
    gram = make_gram(seed=seed)
    whole = DenseGram(gram.rows.T @ gram.rows)
    together = search_together(gram, 12, SHRINKAGES)
    for shrink, found in zip(SHRINKAGES, together, strict=True):
        assert found.tolist() == take_groups(whole, 12, shrink=shrink).indices.tolist()


def test_the_search_by_rows_explains_what_the_search_by_the_matrix_explains():
    gram = make_gram()
    whole = DenseGram(gram.rows.T @ gram.rows)
    for shrink in SHRINKAGES[1:]:
        by_rows = take_groups(gram, 10, shrink=shrink)
        by_matrix = take_by_importance(as_summary(whole), 10, shrink=shrink)
        assert by_rows.indices.tolist() == by_matrix.indices.tolist()
        np.testing.assert_allclose(by_rows.retained, by_matrix.retained, atol=1e-12)
        np.testing.assert_allclose(by_rows.scores, by_matrix.scores, atol=1e-12)


@pytest.mark.parametrize("shrink", SHRINKAGES)
def test_gains_are_those_of_the_definition_after_some_columns(shrink):
    gram, taken = make_gram(), [5, 40, 3]
    searches = JointSearches(gram, gram.samples, [shrink])
    for j in taken:
        searches.take([j])
    left = leave(gram, taken, shrink)
    free = np.setdiff1d(np.arange(80), [*taken, 7])
    expected = np.square(left).sum(axis=0)[free]
    own = np.diagonal(left)[free] + shrink
    np.testing.assert_allclose(searches.gains()[0, free], expected / own, rtol=1e-9)
    norms = find_shrunk_norms(gram.samples, np.array(taken), shrink)
    np.testing.assert_allclose(norms[free], expected, rtol=1e-9)


def test_only_tables_of_single_columns_held_by_rows_are_searched_by_them():
    gram = make_gram()
    assert can_join(gram)
    assert not can_join(DenseGram(gram.rows.T @ gram.rows))
    assert not can_join(as_summary(gram, Groups(np.array([2, *[1] * 78]))))


def test_gains_keep_their_digits_where_hardly_anything_is_left():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(40, 3)) @ rng.normal(size=(3, 60)) + 1e-4 * rng.normal(size=(40, 60))
    gram = summary_of_rows(X, scale=True).gram
    (found,) = search_together(gram, 8, [0.0])
    assert found.tolist() == take_groups(gram, 8, shrink=0).indices.tolist()


def test_a_table_of_low_rank_ends_all_searches_at_its_rank():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(25, 4)) @ rng.normal(size=(4, 60))
    gram = summary_of_rows(X, scale=True).gram
    assert [len(found) for found in search_together(gram, 10, SHRINKAGES)] == [4] * 4
    assert len(take_groups(gram, 10, shrink=0.3).indices) == 4


def test_no_more_columns_are_taken_than_rows_can_tell_apart():
    gram = make_gram(rows=12)
    assert [len(one) for one in search_together(gram, 20, (0.0, 3.0))] == [11, 11]


def test_a_basis_knows_what_it_reproduces():
    gram = make_gram()
    basis = RowBasis(gram.samples, gram.diagonal())
    assert basis.leaves(3)
    basis.add(3)
    assert not basis.leaves(7)
    expected = np.diagonal(leave(gram, [3], 0.0)) > RANK_TOL * gram.diagonal()
    np.testing.assert_array_equal(basis.find_free(), expected)
