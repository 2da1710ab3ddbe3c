"""Random sums of rows: any batches and parts give the same ones, and their products are near."""

import numpy as np
import pytest
import scipy.sparse
from tests.statistics.test_tiles import InParts, WithParts

import tamis
from tamis import registry
from tamis.sources import summary_file
from tamis.sources.arrays import ArraySource
from tamis.statistics import linear, row_sketch
from tamis.statistics.row_sketch import RowSketch

LINEAR = [method.id for method in registry.methods("selection") if method.needs == "gram"]


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 8)) @ rng.normal(size=(8, 60)) + rng.normal(size=(3000, 60))
    return X * np.logspace(-3, 3, 60) + rng.normal(size=60) * 1e4


@pytest.fixture
def tight(monkeypatch):
    """Let 60 columns and 100 kB be too many, and take few sums."""
    monkeypatch.setattr(linear, "affordable_sums", lambda _: 512)
    for module in (linear, summary_file):
        monkeypatch.setattr(module, "MOST_COLUMNS", 50)
    monkeypatch.setattr(linear, "MAX_SCATTER_BYTES", 100_000)
    monkeypatch.setattr(row_sketch, "_STRIP", 25)


class InBatches(ArraySource):
    def __init__(self, X, count):
        super().__init__(X)
        self._count = count

    def batches(self, columns):
        yield from np.array_split(self.array[:, list(columns)], self._count)


def _sketch(X, cuts=(), part=0, n_sums=256):
    sketch = RowSketch.about(X[0], n_sums, part)
    for rows in np.split(X, list(cuts)):
        sketch.add(rows)
    return sketch


def test_each_row_is_in_one_sum_with_a_sign():
    X = np.diag(np.arange(1.0, 9.0))
    sketch = RowSketch.about(np.zeros(8), 4)
    sketch.add(X)
    assert np.array_equal(np.abs(sketch.sums).sum(axis=0), np.arange(1.0, 9.0))
    assert (np.count_nonzero(sketch.sums, axis=0) == 1).all()
    signs = np.where(sketch.sums != 0, np.sign(sketch.sums), 0).sum(axis=1)
    assert np.array_equal(sketch.signs, signs)


def test_batches_do_not_matter_and_sparse_rows_count_alike(X):
    whole = _sketch(X)
    for other in (_sketch(X, [1, 17, 2000]), _sketch(X, range(100, 3000, 100))):
        np.testing.assert_allclose(other.sums, whole.sums, rtol=0, atol=1e-9)
        assert np.array_equal(other.signs, whole.signs)
    sparse = RowSketch.about(X[0], 256)
    sparse.add(scipy.sparse.csr_array(X))
    np.testing.assert_allclose(sparse.sums, whole.sums, atol=1e-9)


def test_merging_commutes_associates_and_takes_any_reference(X):
    a, b, c = (_sketch(rows, part=i) for i, rows in enumerate(np.split(X, [700, 1500])))
    grams = [
        found.gram(scale=True)
        for found in (a.merge(b).merge(c), a.merge(b.merge(c)), c.merge(b).merge(a))
    ]
    for mean, std, varying, gram in grams:
        np.testing.assert_allclose(mean, X.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(std, X.std(axis=0), rtol=1e-9)
        assert len(varying) == 60
        np.testing.assert_allclose(gram.rows, grams[0][3].rows, atol=1e-7)


def test_the_products_are_those_of_the_rows_on_average(X):
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    exact = Z.T @ Z / len(Z)
    found = [_sketch(X, part=part).gram(scale=True)[3].block(slice(None)) for part in range(60)]
    # The deviation of one product is about sqrt((1 + r^2) / 256).
    assert np.abs(np.mean(found, axis=0) - exact).max() < 5 * np.sqrt(2 / 256 / 60)


def test_constant_and_cancelled_columns_are_kept_apart():
    X = np.zeros((2000, 3))
    X[:, 0], X[:, 1] = 7.0, np.arange(2000)
    places, signs = row_sketch._hash_rows(np.arange(2000), RowSketch.about(X[0], 256))
    other = np.flatnonzero((places == places[5]) & (signs == -signs[5]))[0]
    X[[5, other], 2] = 1.0
    _, std, varying, gram = _sketch(X).gram(scale=True)
    assert varying.tolist() == [1, 2]
    assert std[0] == 0
    np.testing.assert_allclose(gram.diagonal(), 1.0)


def _share(X, found, scale):
    """Regress all columns on the kept ones: what share of the variance is explained."""
    Z = X - X.mean(axis=0)
    Z = Z / X.std(axis=0) if scale else Z
    kept = Z[:, found.indices]
    left = Z - kept @ np.linalg.lstsq(kept, Z)[0]
    return 1 - np.square(left).sum() / np.square(Z).sum()


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("method", ["forward", "sfs", "pivoted-qr"])
def test_a_table_too_wide_and_too_long_is_estimated_and_says_so(X, scale, method):
    assert tamis.select(X, k=8, scale=scale).error is None
    answers = [
        tamis.select(WithParts(InBatches(X, count)), k=8, scale=scale, method=method)
        for count in (20, 300)
    ]
    for found in answers:
        assert found.error == 512**-0.5
        assert abs(found.retained - _share(X, found, scale)) < found.error
        assert found.names == answers[0].names
        assert found.to_dict()["sentence"].endswith(
            " These shares are estimated from a sketch of the rows, to within 4.4%."
        )


@pytest.mark.usefixtures("tight")
def test_parts_of_a_table_are_sketched_where_they_are(X):
    found = tamis.select(WithParts(InParts(np.array_split(X, 7))), k=8, method="sfs")
    assert abs(found.retained - _share(X, found, True)) < found.error
    Y = X.copy()
    Y[5, 3] = np.nan
    for data in (InParts(np.array_split(Y, 7)), InBatches(Y, 30)):
        with pytest.raises(tamis.TamisError, match="Column 'x3' has 1 missing value in 3000"):
            tamis.select(WithParts(data), k=8, method="sfs", missing="error")
        found = tamis.select(WithParts(data), k=8, method="sfs", missing="drop")
        assert found.missing.used == 2999


@pytest.mark.usefixtures("tight")
def test_rows_that_fit_are_not_estimated(X):
    assert tamis.select(WithParts(InBatches(X[:150], 10)), k=8).error is None


@pytest.mark.slow
@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize("method", LINEAR)
def test_every_linear_method_runs_on_a_sketch(X, method):
    found = tamis.select(WithParts(InBatches(X, 20)), k=5, method=method)
    assert 1 <= found.k <= 5
    assert 0 < found.retained <= found.bound <= 1 + 1e-9
