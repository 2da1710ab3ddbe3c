import numpy as np
import pandas
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.engines import FrameInParts
from tests.statistics.test_moments import assert_equal

from tamis.errors import TamisError
from tamis.sources.arrays import ArraySource
from tamis.sources.open import open_source
from tamis.statistics import read_blocks, row_hash
from tamis.statistics.moments import Moments
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.row_blocks import MomentBlocks, affordable_blocks
from tamis.statistics.row_hash import RowRules, number_hashes, number_rows, row_hashes

tables = arrays(
    np.float64,
    st.tuples(st.integers(0, 30), st.just(3)),
    elements=st.floats(-1e3, 1e3, allow_subnormal=False),
)


def assert_same_blocks(a: MomentBlocks, b: MomentBlocks) -> None:
    assert a.count.tolist() == b.count.tolist()
    for block in range(len(a.count)):
        assert_equal(a._block(block), b._block(block))


@settings(derandomize=True, deadline=None, max_examples=40)
@given(tables, tables, tables)
def test_merging_equals_one_pass_commutes_and_associates(a, b, c):
    x, y, z = map(MomentBlocks.from_batch, (a, b, c))
    whole = MomentBlocks.from_batch(np.concatenate([a, b, c]))
    assert_same_blocks(x.merge(y).merge(z), whole)
    assert_same_blocks(x.merge(y.merge(z)), whole)
    assert_same_blocks(x.merge(y), y.merge(x))


def test_an_empty_batch_changes_nothing():
    full = MomentBlocks.from_batch(np.arange(60.0).reshape(20, 3))
    empty = MomentBlocks.from_batch(np.zeros((0, 3)))
    assert_same_blocks(full.merge(empty), full)
    assert_same_blocks(empty.merge(full), full)
    assert empty.sum().count == 0


def test_the_sum_of_blocks_is_the_moments_of_their_rows():
    X = np.random.default_rng(0).standard_normal((400, 6)) + 1e6
    numbers, found = number_hashes(row_hashes(X)), MomentBlocks.from_batch(X)
    assert_equal(found.sum(), Moments.from_batch(X))
    for blocks in ([3], [0, 7, 19], range(10)):
        assert_equal(found.sum(list(blocks)), Moments.from_batch(X[np.isin(numbers, blocks)]))


def test_tiny_values_keep_their_digits_in_every_sum():
    X = np.random.default_rng(0).standard_normal((200, 3)) * [1e-200, 1.0, 1e-180]
    X[:150, 2] = 0.0
    half = MomentBlocks.from_batch(X).sum(range(10))
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
    merged = MomentBlocks.from_batch(X[:50]).merge(MomentBlocks.from_batch(X[50:], 10))
    assert_same_blocks(merged, MomentBlocks.from_batch(X, 10))


def spread_rows(X):
    """Count the rows that differ whose copies are in more than one block."""
    numbers, hashes = number_rows(X), row_hashes(X)
    return sum(len(np.unique(numbers[hashes == one])) > 1 for one in np.unique(hashes))


def test_blocks_depend_on_no_unit_zero_width_sign_or_order():
    X = np.random.default_rng(5).normal(size=(90, 7))
    X[[3, 50]] = X[4]  # copies of one unit
    numbers, units = number_rows(X), np.array([1e-9, 2.54, 100.0, 3.0, 1.0, 7.0, 1e8])
    others = (2.54 * X, X + 1000, X.astype(np.float32), X * units - units, -X, X[:, ::-1])
    for other in others:
        assert (number_rows(other) == numbers).all()
    order = np.random.default_rng(6).permutation(90)
    assert (number_rows(X[order], list("abcdefg")) == numbers[order]).all()
    assert len({*numbers[[3, 4, 50]]}) == 1


def test_copies_of_measured_units_stay_together_and_equal_codes_are_spread():
    rng = np.random.default_rng(7)
    assert spread_rows(np.repeat(rng.normal(size=(60, 5)), 3, axis=0)) == 0
    assert spread_rows(np.repeat(rng.integers(1, 6, (300, 20)), 2, axis=0)) == 0
    for X in (rng.integers(0, 2, (2000, 2)), rng.integers(0, 2, (2000, 2)) * 2.54):
        assert spread_rows(X) == 4
        each = np.zeros((4, 20), dtype=int)
        np.add.at(each, (np.unique(X, axis=0, return_inverse=True)[1].ravel(), number_rows(X)), 1)
        assert (np.ptp(each, axis=1) <= 1).all()
    assert spread_rows(rng.integers(0, 2, (300, 8))) > 50  # equal by chance


@pytest.mark.parametrize("cells", [1 << 21, 1000], ids=["small", "large"])
def test_codes_have_the_same_blocks_by_row_by_weight_in_batches_and_in_parts(cells, monkeypatch):
    monkeypatch.setattr(row_hash, "MOST_DEALT", cells)
    monkeypatch.setattr(read_blocks, "MOST_DEALT", cells)
    monkeypatch.setattr(read_blocks, "FEW_ROWS", 0)
    rng = np.random.default_rng(8)
    X = rng.integers(0, 3, (4000, 3)) * [1.0, 2.54, -3.0]
    distinct, counts = np.unique(X, axis=0, return_counts=True)
    names = [f"x{j}" for j in range(3)]
    frame = pandas.DataFrame(X, columns=names)
    parts = FrameInParts(frame, [10, 1500], gives_rows=cells > 1000)
    read = pa.Table.from_pandas(frame[::-1], preserve_index=False)
    streamed = open_source(lambda: read.to_reader(max_chunksize=37))
    wanted = {"scale": True}
    found = [
        collect_blocks(ArraySource(X), range(3), **wanted),
        collect_blocks(ArraySource(distinct), range(3), rules=RowRules(weights=counts), **wanted),
        collect_blocks(streamed, range(3), **wanted),
        collect_blocks(parts, range(3), **wanted),
    ]
    for one in found:
        assert one.blocks.count.sum() == 4000
        assert one.blocks.count.tolist() == found[0].blocks.count.tolist()
        np.testing.assert_allclose(one.blocks.mean, found[0].blocks.mean)
    assert np.ptp(found[0].blocks.count) < 30
