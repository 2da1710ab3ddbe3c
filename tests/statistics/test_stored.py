"""Summaries that travel: merging follows the laws, whatever the order of rows and columns."""

from dataclasses import replace

import numpy as np
import pytest

import tamis
from tamis.statistics.linear import GramRows
from tamis.statistics.merging import add_blocks, as_arrays, merge_summaries
from tamis.statistics.moments import Moments

NAMES = ["a", "b", "c", "d"]


@pytest.fixture
def parts():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 4)) * [1, 100, 1e-3, 5] + [0, 1e6, 3, 0]
    frames = [pandas.DataFrame(part, columns=NAMES) for part in np.split(X, [10, 11, 60])]
    return X, [tamis.summarise(frame) for frame in frames]


def _close(a, b):
    assert a.n_rows == b.n_rows
    np.testing.assert_allclose(a.mean, b.mean, rtol=1e-14)
    size = np.sqrt(np.diagonal(add_blocks(b.stored).scatter))
    np.testing.assert_allclose(
        add_blocks(a.stored).scatter / size / size[:, None],
        add_blocks(b.stored).scatter / size / size[:, None],
        atol=1e-12,
    )


def test_the_sum_of_parts_is_the_summary_of_all_rows(parts):
    X, (a, b, c, d) = parts
    _close(a + b + c + d, tamis.summarise(X))


def test_merging_commutes_and_associates(parts):
    _, (a, b, c, _) = parts
    _close(a + b, b + a)
    _close((a + b) + c, a + (b + c))


def test_columns_in_another_order_are_matched_by_name(parts):
    pandas = pytest.importorskip("pandas")
    X, (a, *_) = parts
    order = [2, 0, 3, 1]
    moved = tamis.summarise(pandas.DataFrame(X[:, order], columns=[NAMES[j] for j in order]))
    both = a + moved
    assert both.names == NAMES
    _close(both, a + tamis.summarise(pandas.DataFrame(X, columns=NAMES)))


def test_other_columns_are_refused_and_listed(parts):
    pandas = pytest.importorskip("pandas")
    X, (a, *_) = parts
    other = tamis.summarise(pandas.DataFrame(X, columns=["a", "b", "y", "z"]))
    with pytest.raises(tamis.TamisError, match=r"has 'c', 'd'; only .* has 'y', 'z'"):
        a + other


def test_blocks_are_kept_apart_or_merged_where_their_numbers_differ(parts):
    _, (a, b, *_) = parts
    two = replace(a.stored, blocks=(a.stored.blocks[0], b.stored.blocks[0]), rows=11)
    assert len(merge_summaries(two, two).blocks) == 2
    assert len(merge_summaries(two, b.stored).blocks) == 1
    assert merge_summaries(two, b.stored).used == 12


def test_batches_of_any_size_are_merged(parts):
    X, _ = parts
    rows, seen = GramRows(4), []
    for batch in np.array_split(X, 30):
        rows.add(batch)
        seen.append(rows.moments.count)
    assert seen == [3 * i for i in range(1, 31)]
    np.testing.assert_allclose(rows.moments.scatter, Moments.from_batch(X).scatter, rtol=1e-12)
    assert as_arrays(Moments.from_batch(X)).rest.shape == (4,)


@pytest.mark.parametrize(
    ("treatments", "done"),
    [(("error",), "error"), (("mean",), "mean"), (("mean", "mean"), "part means"),
     (("drop", "error"), "drop"), (("mean", "drop"), "mixed")],
)  # fmt: skip
def test_what_was_done_about_missing_values_is_known(numbers, treatments, done):
    X = numbers.copy()
    X[3, 2] = np.nan
    made = [tamis.summarise(numbers if one == "error" else X, missing=one) for one in treatments]
    both = made[0] if len(made) == 1 else made[0] + made[1]
    found = tamis.select(both, k=2)
    assert found.missing.done == both.missing.done == done
    said = found.to_dict()["missing"]["sentence"]
    assert bool(said) == (done != "error")
