"""The bare search takes the columns that the full one takes."""

import numpy as np
import pytest

from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.forward.plain_search import search_part, search_plain
from tamis.algorithms.forward.sfs import greedy_reconstruction
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.grouped import GroupedGram, Groups


def make_gram(seed: int, *, copies: bool = False) -> DenseGram:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((80, 6)) @ rng.standard_normal((6, 20)) * 3
    X += rng.standard_normal(X.shape)
    if copies:
        X = np.concatenate([X[:, :8], X[:, :8], X[:, :4] + X[:, 4:8]], axis=1)
    X -= X.mean(axis=0)
    return DenseGram(X.T @ X)


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_picks_are_those_of_the_full_loop(seed, copies):
    gram = make_gram(seed, copies=copies)
    wanted = greedy_reconstruction(gram, 20, retain=np.inf).indices
    assert search_plain(gram, 20).tolist() == wanted.tolist()
    assert len(wanted) == (8 if copies else 20)


def test_norms_are_computed_again_once_little_is_left():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 12)) * 10.0 ** -np.arange(12)
    X = X - X.mean(axis=0)
    gram = DenseGram(X.T @ X)
    wanted = greedy_reconstruction(gram, 12, retain=np.inf).indices
    assert search_plain(gram, 12).tolist() == wanted.tolist()


def test_parts_are_searched_as_the_default_searches_them():
    gram = make_gram(3)
    assert search_part(gram, 6, 0.0).tolist() == take_groups(gram, 6, shrink=0.0).indices.tolist()
    rows = np.random.default_rng(2).standard_normal((10, 30))
    few = RowGram(rows - rows.mean(axis=0))
    assert search_part(few, 4, 1.0).tolist() == take_groups(few, 4, shrink=1.0).indices.tolist()


def test_what_needs_more_than_gains_of_single_columns_is_left_to_the_full_loop():
    gram = make_gram(4)
    grouped = GroupedGram(gram, Groups(np.array([2, *[1] * 18])))
    assert search_part(grouped, 3, 0.0) is None
    assert search_part(gram, 3, "auto") is None
    assert search_part(gram, 3, 0.3) is None
