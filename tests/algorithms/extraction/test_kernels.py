import numpy as np
import pytest
from scipy.spatial.distance import cdist

from tamis.algorithms.extraction import kernels
from tamis.algorithms.extraction.kernels import measure_row_distances


@pytest.mark.parametrize("many", [0.0, 1.0])
@pytest.mark.parametrize("cells", [1, 1 << 18])
def test_distances_keep_their_digits_wherever_the_rows_lie(monkeypatch, many, cells):
    """Both ways of computing near pairs again, for rows in clumps that are far apart."""
    monkeypatch.setattr(kernels, "_MAX_NEAR_SHARE", many)
    monkeypatch.setattr("tamis.numerics.row_chunks.BLOCK_BYTES", 8 * cells)
    rng = np.random.default_rng(0)
    clumps = np.repeat(rng.standard_normal((4, 3)) * 1e4, 10, axis=0)
    rows = clumps + 1e-3 * rng.standard_normal((40, 3))
    np.testing.assert_allclose(
        measure_row_distances(rows[:15], rows), cdist(rows[:15], rows, "sqeuclidean"), rtol=1e-10
    )


@pytest.mark.parametrize("many", [0.0, 1.0])
def test_copies_and_rows_apart_by_rounding_only_coincide(monkeypatch, many):
    monkeypatch.setattr(kernels, "_MAX_NEAR_SHARE", many)
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((30, 8)) * 1e4
    found = measure_row_distances(rows, np.concatenate([rows, rows * (1 + 4e-16)]))
    assert not np.diagonal(found).any()
    assert not np.diagonal(found[:, 30:]).any()
    assert np.count_nonzero(found) == found.size - 60
    assert measure_row_distances(rows, rows + 1e-8).min() > 0


def test_origin_and_empty_sets_have_distances_too():
    nothing = np.zeros((2, 3))
    assert not measure_row_distances(nothing, nothing).any()
    assert measure_row_distances(nothing, np.ones((1, 3))).tolist() == [[3.0], [3.0]]
    assert measure_row_distances(nothing[:0], nothing).shape == (0, 2)
