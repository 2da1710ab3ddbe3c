import pickle

import numpy as np
import pyarrow as pa
import pytest

from tamis.columns.sketch import DistinctSketch, hash_numbers, hash_texts, unhash_numbers
from tamis.columns.tally import NumberTally


def test_counts_are_exact_up_to_the_room():
    values = np.random.default_rng(0).integers(0, 90, 5_000) / 7
    sketch = DistinctSketch(room=100)
    for part in np.array_split(values, 9):
        sketch.add_numbers(part)
    different, counts = np.unique(values, return_counts=True)
    order = np.argsort(sketch.values)
    assert sketch.whole
    assert sketch.values[order].tolist() == different.tolist()
    assert sketch.counts[order].tolist() == counts.tolist()


@pytest.mark.parametrize("step", [1.0, 0.001, 75.0, 1e-9])
def test_beyond_it_the_number_is_estimated_and_counts_of_the_sample_are_exact(step):
    rng = np.random.default_rng(1)
    values = rng.permutation(np.repeat(np.arange(40_000) * step, 3))
    sketch = DistinctSketch(room=1_000)
    for part in np.array_split(values, 30):
        sketch.add_numbers(part)
    assert not sketch.whole
    # The standard error of the estimate is 1 / sqrt(room): 3%.
    assert abs(sketch.distinct / 40_000 - 1) < 0.13
    assert set(sketch.counts.tolist()) == {3}


def test_order_and_batches_change_nothing():
    rng = np.random.default_rng(2)
    values = np.round(rng.normal(size=20_000), 4)
    found = []
    for parts in (1, 7, 60):
        tally = NumberTally(room=500)
        for part in np.array_split(rng.permutation(values), parts):
            tally.add(part)
        found.append((tally.lowest, tally.highest, tally.distinct, tally.sketch.values.tolist()))
    assert found[0] == found[1] == found[2]


def test_the_ends_are_those_of_all_values_with_their_counts():
    rng = np.random.default_rng(3)
    values = np.concatenate([np.round(rng.normal(size=9_000), 5), [-200.0] * 41, [99.0]])
    tally = NumberTally(room=300)
    for part in np.array_split(rng.permutation(values), 11):
        tally.add(part)
    different, counts = np.unique(values, return_counts=True)
    assert list(tally.lowest.items()) == list(zip(different, counts, strict=True))[:12]
    assert list(tally.highest.items()) == list(zip(different, counts, strict=True))[::-1][:12]


def test_texts_have_hashes_of_their_own():
    texts = ["", "a", "b", "ab", "ba", "é", "a" * 150, *(f"S{i:04d}" for i in range(3_000))]
    assert len(set(hash_texts(pa.array(texts)).tolist())) == len(texts)


def test_a_sketch_on_its_way_is_little_more_than_its_values():
    rng = np.random.default_rng(4)
    tally = NumberTally(room=1_000)
    for part in np.array_split(rng.permutation(np.repeat(rng.normal(size=20_000), 2)), 3):
        tally.add(part)
    sent = pickle.dumps(tally)
    assert len(sent) < 10 * 1_000 + 2_000  # eight bytes of a value, one of its count
    there = pickle.loads(sent)
    for name in ("values", "counts", "hashes"):
        mine, theirs = (getattr(one.sketch, name) for one in (there, tally))
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)
    assert (there.lowest, there.highest) == (tally.lowest, tally.highest)
    texts = DistinctSketch(room=2)
    texts.add_texts(pa.array(["a", "b", "c"]), np.array([1, 2, 3]))
    there = pickle.loads(pickle.dumps(texts))
    assert there.values.tolist() == texts.values.tolist()
    assert there.hashes.tolist() == texts.hashes.tolist()


def test_a_hash_gives_its_number_back():
    rng = np.random.default_rng(4)
    values = np.concatenate([rng.normal(size=500) * 10.0 ** rng.integers(-300, 300, 500), [0.0]])
    assert np.array_equal(unhash_numbers(hash_numbers(values)), values)
    assert not np.signbit(unhash_numbers(hash_numbers(np.array([-0.0]))))[0]


@pytest.mark.parametrize("different", [90, 700, 5_000])
def test_numbers_counted_at_once_or_with_their_counts_are_the_same(different):
    values = np.random.default_rng(5).integers(0, different, 9_000) / 8
    at_once, counted, piecewise = (NumberTally(room=300) for _ in range(3))
    at_once.add(values)
    counted.add(*np.unique(values, return_counts=True))
    for part in np.array_split(values, 40):
        piecewise.add(part)
    for other in (counted, piecewise):
        assert other.sketch.whole == at_once.sketch.whole == (different < 300)
        assert other.sketch.hashes.tolist() == at_once.sketch.hashes.tolist()
        assert other.sketch.counts.tolist() == at_once.sketch.counts.tolist()
        assert (other.lowest, other.highest) == (at_once.lowest, at_once.highest)
        assert (other.filled, other.zeros) == (at_once.filled, at_once.zeros)
