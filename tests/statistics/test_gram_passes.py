"""Exact columns of a matrix that is not held, read in passes, and a bound on what is outside."""

import numpy as np
import pytest

from tamis.statistics.gram import PanelGram, SketchGram
from tamis.statistics.gram.passes import KnownColumns


class Counted:
    """A matrix whose passes are counted."""

    def __init__(self, G):
        self.G, self.asked = G, []

    def __call__(self, columns, vectors):
        self.asked.append((columns.tolist(), vectors.shape[1]))
        return self.G[columns], self.G @ vectors


def _random_matrix(rng, kind, d=150):
    if kind == "identity":
        return np.eye(d)
    values = np.arange(1, d + 1) ** -1.0 if kind == "decay" else rng.random(d)
    basis = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return basis * values @ basis.T


def test_columns_are_read_once():
    G = _random_matrix(np.random.default_rng(0), "flat")
    passes = Counted(G)
    known = KnownColumns(passes, 150)
    known.read(np.array([9, 3]))
    known.read(np.array([3, 9]))
    known.read(np.array([3, 20]), np.eye(150)[:, :5])
    known.read(np.array([40]), np.eye(150)[:, 7:9])
    assert passes.asked == [([3, 9], 0), ([20], 29), ([40], 24)]
    assert known.columns.tolist() == [3, 9, 20, 40]
    assert np.array_equal(known.panel, G[[3, 9, 20, 40]])
    assert np.array_equal(known.find_column(9), G[9])
    np.testing.assert_allclose(known.image, G[:, :5])


@pytest.mark.parametrize("kind", ["identity", "decay", "flat"])
def test_the_norm_outside_is_bounded_from_the_first_pass_and_comes_nearer(kind):
    rng = np.random.default_rng(1)
    G = _random_matrix(rng, kind)
    basis = np.linalg.qr(rng.normal(size=(150, 10)))[0]
    P = np.eye(150) - basis @ basis.T
    largest = np.linalg.eigvalsh(P @ G @ P)[-1]
    known, found = KnownColumns(Counted(G), 150), []
    for j in range(6):
        known.read(np.array([j]), basis)
        found.append(known.norm_outside)
    assert min(found) >= largest
    assert found == sorted(found, reverse=True)
    assert found[0] > 2 * found[-1] or kind == "decay"
    assert found[-1] < 2 * largest


def test_nothing_outside_is_bounded_by_nothing():
    known = KnownColumns(Counted(np.diag([2.0, 1.0, 0.0])), 3)
    known.read(np.array([0]), np.eye(3)[:, :2])
    assert known.norm_outside < 1e-12


def test_room_is_what_fits():
    known = KnownColumns(Counted(np.eye(4)), 100_000)
    assert known.room == (1 << 29) // 800_000


def test_a_sketch_with_exact_columns_answers_with_these():
    rng = np.random.default_rng(0)
    rows, exact = rng.normal(size=(20, 6)), _random_matrix(rng, "flat", 6)
    gram, sketch = PanelGram(rows, np.array([4, 1]), exact[[4, 1]]), SketchGram(rows)
    assert np.array_equal(gram.column(4), exact[4])
    assert np.array_equal(gram.column(0), sketch.column(0))
    expected = sketch.block(slice(None)).copy()
    expected[[1, 4]], expected[:, [1, 4]] = exact[[1, 4]], exact[:, [1, 4]]
    np.testing.assert_allclose(gram.block(slice(None)), expected)
    some = np.array([1, 5, 0])
    np.testing.assert_allclose(gram.block(slice(2, 6), some), expected[2:6][:, some])
    assert gram.error == 20**-0.5
    assert gram.known is None
