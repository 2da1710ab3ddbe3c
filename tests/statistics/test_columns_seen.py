"""What a first pass sees: the same in parts, in whatever order, as in one table."""

import numpy as np
import pytest
from tests.engines import FrameInParts

from tamis.sources.frames import FrameSource
from tamis.statistics import encoding
from tamis.statistics.encoding import see_columns

pandas = pytest.importorskip("pandas")


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.normal(size=(3000, 4)), columns=list("abcd"))
    frame.insert(2, "t", rng.choice(["x", "y", None], 3000))
    return frame


@pytest.mark.parametrize("cuts", [[], [1000], [0, 1, 2999]], ids=str)
def test_parts_show_what_the_table_shows(frame, cuts, monkeypatch):
    monkeypatch.setattr(encoding, "_STRIP_CELLS", 3 * 2048)  # the sample comes in two strips
    found = see_columns(FrameInParts(frame, cuts), range(5), sampled=True)
    expected = see_columns(FrameSource(frame), range(5), sampled=True)
    assert (found.n_rows, found.numeric) == (3000, (0, 1, 3, 4))
    assert (found.counts, found.absent) == (expected.counts, expected.absent)
    assert len(found.sample.rows) == 2048
    np.testing.assert_array_equal(found.sample.rows, expected.sample.rows)
    np.testing.assert_allclose(found.sample.variance, expected.sample.variance, rtol=1e-12)


def test_sparse_parts_are_left_alone():
    da, sparse = pytest.importorskip("dask.array"), pytest.importorskip("scipy.sparse")
    from tamis.sources.dask import open_dask

    X = da.from_array(np.eye(6), chunks=(3, 6)).map_blocks(sparse.csr_matrix)
    assert see_columns(open_dask(X), range(6), sampled=True).sparse
