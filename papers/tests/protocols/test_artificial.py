from functools import partial

import numpy as np
import pytest

from tamis.errors import TamisError
from tamis_papers.protocols.artificial import (
    count_lost_dimensions,
    count_removed_base,
    generate_table,
)

small = partial(generate_table, n_samples=40, n_base=30, n_derived=30, n_groups=4)


def test_derived_columns_are_mixtures_of_their_own_group_plus_noise():
    made = small(3)
    base, derived = made.X[:, :30], made.X[:, 30:]
    clean = base @ made.mixing[:, 30:]
    np.testing.assert_allclose(clean.std(axis=0), 1)
    assert np.std(derived - clean) == pytest.approx(0.01, rel=0.1)
    foreign = made.groups[:30, None] != made.groups[30:]
    assert not made.mixing[:, 30:][foreign].any()
    assert made.mixing[:, 30:][~foreign].all()
    assert made.is_base.sum() == 30


def test_the_defaults_are_those_of_the_paper():
    made = generate_table(0)
    assert made.X.shape == (500, 1000)
    assert np.bincount(made.groups[500:]).tolist() == [50] * 10
    assert len(np.bincount(made.groups[:500])) == 10
    assert np.bincount(made.groups[:500]).min() >= 1


def test_a_seed_makes_the_same_table_again():
    np.testing.assert_array_equal(small(5).X, small(5).X)
    assert not np.array_equal(small(5).X, small(6).X)


def test_every_choice_can_be_changed():
    sizes = [3, 6, 9, 12]
    made = small(0, group_sizes=sizes, derived="proportional", weights="uniform", noise_std=0)
    assert np.bincount(made.groups[:30]).tolist() == sizes
    assert np.bincount(made.groups[30:]).tolist() == sizes
    np.testing.assert_allclose(made.X[:, 30:], made.X[:, :30] @ made.mixing[:, 30:])
    cut = np.bincount(small(0, group_sizes=sizes, derived="cuts").groups[30:])
    assert cut.sum() == 30
    assert len(set(cut.tolist())) > 1
    sparse = small(0, group_sizes=sizes, sparsity=0.99).mixing[:, 30:]
    assert (np.count_nonzero(sparse, axis=0) >= 1).all()
    assert np.count_nonzero(sparse) < 60


@pytest.mark.parametrize(
    ("choice", "advice"),
    [
        ({"group_sizes": [30, 1]}, "add up to 30"),
        ({"derived": "some"}, "give 'equal', 'proportional' or 'cuts'"),
        ({"weights": "cauchy"}, "give 'normal' or 'uniform'"),
    ],
)
def test_a_wrong_choice_is_refused_with_advice(choice, advice):
    with pytest.raises(TamisError, match=advice):
        small(0, **choice)


@pytest.mark.parametrize("seed", range(5))
def test_lost_dimensions_are_the_missing_rank_and_the_shortfall_of_every_group(seed):
    made = small(seed)
    kept = np.random.default_rng(seed).permutation(60)[:30]
    clean = made.X[:, :30] @ made.mixing[:, kept]
    assert count_lost_dimensions(made, kept) == 30 - np.linalg.matrix_rank(clean)
    shortfall = np.bincount(made.groups[:30]) - np.bincount(made.groups[kept], minlength=4)
    assert count_lost_dimensions(made, kept) == np.maximum(shortfall, 0).sum()


def test_sparse_mixtures_lose_more_than_their_number_tells():
    made = small(0, sparsity=0.99)
    kept = np.arange(30, 60)
    assert count_lost_dimensions(made, kept) == 30 - np.linalg.matrix_rank(made.mixing[:, kept])
    assert count_lost_dimensions(made, np.arange(30)) == 0


def test_a_removed_base_column_is_no_loss_when_a_mixture_stands_for_it():
    made = small(1)
    kept = [j for j in range(31) if j != np.flatnonzero(made.groups[:30] == made.groups[30])[0]]
    assert count_removed_base(made, kept) == 1
    assert count_lost_dimensions(made, kept) == 0
