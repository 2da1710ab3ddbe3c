import numpy as np
import pyarrow as pa
import pytest

from tamis.errors import TamisError
from tamis.registry.missing_policy import MissingPolicy
from tamis.statistics.coding import LevelsRead, usual_bins
from tamis.statistics.mixed import MixedRows


def rows(numbers, texts):
    numbers = np.array(numbers, dtype=float)[:, None]
    return MixedRows((0,), numbers, (1,), (pa.array(texts, pa.string()),))


def learn_coding(batches, missing, bins, binning="depth"):
    read = LevelsRead(["n", "t"], MissingPolicy(missing))
    for some in batches:
        read.add(some)
    found = read.settle()
    return found.make_coding(usual_bins(bins, found.n_rows), binning)


TABLE = rows(range(20), ["b", "a"] * 10)


def test_numbers_get_bins_of_as_many_rows_and_texts_codes_in_order():
    coding = learn_coding([TABLE], "error", 4)
    codes = coding.encode(TABLE)
    assert np.bincount(codes[:, 0]).tolist() == [5, 5, 5, 5]
    assert codes[:2, 1].tolist() == [1, 0]
    assert coding.sizes == (4, 2)
    assert coding.dtype == np.uint8


def test_where_a_batch_ends_does_not_matter():
    halves = [
        rows(range(7), ["b", "a", "b", "a", "b", "a", "b"]),
        rows(range(7, 20), [*"ab" * 6, "a"]),
    ]
    whole = learn_coding([TABLE], "error", 4)
    parted = learn_coding(halves, "error", 4)
    assert np.array_equal(whole.edges[0], parted.edges[0])
    assert whole.levels == parted.levels


def test_missing_values_are_refused_or_the_last_code_of_their_column():
    lacking = rows([np.nan, *range(19)], [None, *"ab" * 9, "a"])
    with pytest.raises(TamisError, match="missing"):
        learn_coding([lacking], "error", 4)
    coding = learn_coding([lacking], "category", 3)
    assert coding.encode(lacking)[0].tolist() == [3, 2]
    assert coding.sizes == (4, 3)


def test_with_auto_a_missing_number_is_coded_as_the_mean():
    lacking = rows([np.nan, *range(19)], ["a"] * 20)
    coding = learn_coding([lacking], "auto", 3, "width")
    assert coding.encode(lacking)[0, 0] == coding.encode(lacking)[10, 0]  # the mean is 9


def test_few_rows_have_few_bins():
    assert [usual_bins(10, n) for n in (4, 20, 49, 1000)] == [2, 4, 9, 10]
