import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.statistics.test_moments import assert_equal

from tamis.errors import TamisError
from tamis.statistics.block_moments import BlockMoments, affordable_blocks
from tamis.statistics.moments import Moments
from tamis.statistics.row_hash import number_hashes, number_rows, row_hashes

tables = arrays(
    np.float64,
    st.tuples(st.integers(0, 30), st.just(3)),
    elements=st.floats(-1e3, 1e3, allow_subnormal=False),
)


def assert_same_blocks(a: BlockMoments, b: BlockMoments) -> None:
    assert a.count.tolist() == b.count.tolist()
    for block in range(len(a.count)):
        assert_equal(a._block(block), b._block(block))


@settings(derandomize=True, deadline=None, max_examples=40)
@given(tables, tables, tables)
def test_merging_equals_one_pass_commutes_and_associates(a, b, c):
    x, y, z = map(BlockMoments.from_batch, (a, b, c))
    whole = BlockMoments.from_batch(np.concatenate([a, b, c]))
    assert_same_blocks(x.merge(y).merge(z), whole)
    assert_same_blocks(x.merge(y.merge(z)), whole)
    assert_same_blocks(x.merge(y), y.merge(x))


def test_an_empty_batch_changes_nothing():
    full = BlockMoments.from_batch(np.arange(60.0).reshape(20, 3))
    empty = BlockMoments.from_batch(np.zeros((0, 3)))
    assert_same_blocks(full.merge(empty), full)
    assert_same_blocks(empty.merge(full), full)
    assert empty.sum().count == 0


def test_the_sum_of_blocks_is_the_moments_of_their_rows():
    X = np.random.default_rng(0).standard_normal((400, 6)) + 1e6
    numbers, found = number_hashes(row_hashes(X)), BlockMoments.from_batch(X)
    assert_equal(found.sum(), Moments.from_batch(X))
    for blocks in ([3], [0, 7, 19], range(10)):
        assert_equal(found.sum(list(blocks)), Moments.from_batch(X[np.isin(numbers, blocks)]))


def test_tiny_values_keep_their_digits_in_every_sum():
    X = np.random.default_rng(0).standard_normal((200, 3)) * [1e-200, 1.0, 1e-180]
    X[:150, 2] = 0.0
    half = BlockMoments.from_batch(X).sum(range(10))
    direct = Moments.from_batch(X[number_hashes(row_hashes(X)) < 10])
    np.testing.assert_allclose(half.std, direct.std, rtol=1e-12)


def test_a_block_depends_on_the_values_alone():
    X = np.random.default_rng(1).integers(-3, 4, (500, 4)).astype(np.float32)
    X[:3] = -0.0
    hashes = row_hashes(X)
    shuffled = np.random.default_rng(2).permutation(500)
    assert (row_hashes(X[shuffled]) == hashes[shuffled]).all()
    others = (X.astype(np.float64), X.astype(int), np.asfortranarray(X), scipy.sparse.csr_array(X))
    for same in others:
        assert (row_hashes(same) == hashes).all()
        assert (number_rows(same) == number_rows(X)).all()
    pieces = [row_hashes(part) for part in np.array_split(X, 50)]
    assert (np.concatenate(pieces) == hashes).all()


def test_missing_values_are_alike_and_copies_stay_together():
    other_nan = np.array([0x7FF8_0000_0000_0123], dtype=np.uint64).view(np.float64)[0]
    first, second = row_hashes(np.array([[np.nan, 1.0], [other_nan, 1.0]]))
    assert first == second


@pytest.mark.parametrize("kind", ["normal", "binary", "integers", "one column"])
def test_blocks_are_about_equally_large(kind):
    rng = np.random.default_rng(3)
    X = {
        "normal": rng.standard_normal((20_000, 5)),
        "binary": rng.integers(0, 2, (20_000, 40)),
        "integers": rng.integers(0, 1000, (20_000, 4)),
        "one column": np.arange(20_000.0)[:, None],
    }[kind]
    counts = np.bincount(number_hashes(row_hashes(X)), minlength=20)
    assert ((counts - 1000) ** 2 / 1000).sum() < 60  # chi-square with 19 degrees of freedom


def test_fewer_blocks_where_memory_is_short_or_the_other_side_has_fewer():
    assert [affordable_blocks(d) for d in (3000, 4000, 8000)] == [20, 10, 4]
    with pytest.raises(TamisError, match="analyse fewer columns"):
        affordable_blocks(20_000)
    X = np.random.default_rng(4).standard_normal((100, 3))
    merged = BlockMoments.from_batch(X[:50]).merge(BlockMoments.from_batch(X[50:], 10))
    assert_same_blocks(merged, BlockMoments.from_batch(X, 10))
