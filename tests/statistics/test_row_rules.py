import numpy as np
import pytest
import scipy.sparse

from tamis.errors import TamisError
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.search import N_BLOCKS
from tamis.sources.open import open_source
from tamis.statistics.moments import Moments
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.row_blocks import choose_folds, fold_choices, stretch_choices
from tamis.statistics.row_hash import (
    RowRules,
    number_groups,
    number_stretches,
    reduce_numbers,
    settle_weights,
)


def table(rows, width, missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    X = 50.0 + rng.normal(size=(rows, width)) @ rng.normal(size=(width, width))
    X[rng.random(X.shape) < missing] = np.nan
    return X, rng.integers(0, 4, rows)


@pytest.mark.parametrize("sparse", [False, True])
def test_integer_weights_are_repeated_rows(sparse):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 6)) * (rng.random((40, 6)) < 0.5) + [0, 0, 0, 0, 1e6, 9]
    weights = rng.integers(1, 5, 40)
    given = scipy.sparse.csr_array(X) if sparse else X
    found = Moments.from_batch(given, weights)
    expected = Moments.from_batch(np.repeat(X, weights, axis=0))
    assert found.count == expected.count
    np.testing.assert_allclose(found.mean + found.rest, expected.mean + expected.rest, rtol=1e-13)
    size = np.sqrt(np.outer(np.diagonal(expected.scatter), np.diagonal(expected.scatter)))
    assert (np.abs(found.scatter - expected.scatter) <= 1e-12 * size).all()


def test_weights_of_batches_merge():
    X, _ = table(30, 4)
    weights = np.random.default_rng(2).random(30)
    parts = [Moments.from_batch(X[rows], weights[rows]) for rows in (slice(11), slice(11, 30))]
    found, mean = parts[0].merge(parts[1]), np.average(X, axis=0, weights=weights)
    np.testing.assert_allclose(found.mean + found.rest, mean)
    slow = (X - mean).T @ ((X - mean) * weights[:, None])
    np.testing.assert_allclose(found.scatter, slow, atol=1e-10 * slow.max())


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize(
    ("rows", "width", "missing", "policy"),
    [
        (60, 5, 0.0, "auto"),
        (60, 5, 0.1, "auto"),
        (60, 5, 0.1, "drop"),
        (20, 80, 0.0, "auto"),
        (20, 80, 0.1, "auto"),
    ],
)
def test_blocks_with_weights_are_those_of_repeated_rows(rows, width, missing, policy, scale):
    X, weights = table(rows, width, missing)
    how = {"scale": scale, "missing": MissingPolicy(policy)}
    found = collect_blocks(open_source(X), range(width), **how, rules=RowRules(weights=weights))
    again = np.repeat(X, weights, axis=0)
    expected = collect_blocks(open_source(again), range(width), **how)
    assert found.n_rows == expected.n_rows
    assert found.blocks.count.tolist() == expected.blocks.count.tolist()
    every = slice(None)
    np.testing.assert_allclose(found.gram.block(every), expected.gram.block(every), atol=1e-12)
    choices = fold_choices(expected.blocks.count)
    for (known, others), (same, held) in zip(
        found.blocks.splits(choices), expected.blocks.splits(choices), strict=True
    ):
        np.testing.assert_allclose(known.gram.block(every), same.gram.block(every), atol=1e-12)
        np.testing.assert_allclose(others.diagonal(), held.diagonal(), rtol=1e-11, atol=1e-12)


def test_folds_of_ordered_rows_are_stretches_of_the_table():
    numbers = number_stretches(1003)
    assert np.bincount(numbers).max() - np.bincount(numbers).min() <= 1
    for n_blocks in (20, 10, 4):
        fewer = reduce_numbers(numbers, n_blocks, ordered=True)
        assert (np.diff(fewer) >= 0).all()
        choices = stretch_choices(np.bincount(fewer))
        assert ((choices == 0).sum(axis=0) == 1).all()  # every block is held out once
        for marks in choices:
            held = np.flatnonzero(marks == 0)
            assert held.tolist() == list(range(held[0], held[-1] + 1))


def test_what_lies_beside_a_stretch_is_not_learnt_from():
    walk = np.cumsum(np.random.default_rng(4).normal(size=(200, 3)), axis=0)
    rules = RowRules(number_stretches(200), ordered=True)
    blocks = collect_blocks(open_source(walk), range(3), scale=True, rules=rules).blocks
    choices = choose_folds(blocks)
    for marks, (known, held) in zip(choices, blocks.splits(choices), strict=True):
        row_marks = marks[number_stretches(200)]
        assert (known.n_rows, held.count) == ((row_marks == 1).sum(), (row_marks == 0).sum())
        np.testing.assert_allclose(known.mean, walk[row_marks == 1].mean(axis=0))


def test_a_group_is_in_one_block_wherever_its_rows_are():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 90, 700)
    names = [f"patient {j}" for j in range(90)]
    numbers = number_groups(codes, names)
    assert all(len(set(numbers[codes == j])) == 1 for j in range(90))
    order = rng.permutation(700)
    assert number_groups(codes[order], names).tolist() == numbers[order].tolist()
    sizes = np.bincount(numbers, minlength=N_BLOCKS)
    assert sizes.max() <= sizes.min() + np.bincount(codes).max()


def test_few_groups_are_in_blocks_of_their_own():
    assert sorted(set(number_groups(np.arange(12) % 4, list("abcd")).tolist())) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("wrong", "said"), [([1, -1], "row 2"), ([np.nan, 1], "row 1"), ([0, 0], "all weights are 0")]
)
def test_weights_that_are_none_are_refused(wrong, said):
    with pytest.raises(TamisError, match=said):
        settle_weights(np.array(wrong, dtype=float), "weights")


def test_rules_for_another_number_of_rows_are_refused():
    X, _ = table(60, 5)
    rules = RowRules(weights=np.ones(59))
    with pytest.raises(TamisError, match="60 rows"):
        collect_blocks(open_source(X), range(5), scale=True, rules=rules)
