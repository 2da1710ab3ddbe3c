"""Products of the exact Gram matrix, summed over rows: any batches and parts give the same."""

import numpy as np
import pytest
import scipy.sparse
from tests.statistics.test_row_sketch import InBatches

import tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.arrays import ArraySource
from tamis.statistics import gram_products
from tamis.statistics.gram import DenseGram, PanelGram, SketchGram
from tamis.statistics.gram_products import ProductSums, let_read_again
from tamis.statistics.linear import TableSummary


@pytest.fixture
def X():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 4)) @ rng.normal(size=(4, 30)) + rng.normal(size=(500, 30))
    X = X * np.logspace(-3, 3, 30) + rng.normal(size=30) * 1e4
    X[:, 11] = 5.0
    return X


def _summary(X):
    mean, std = X.mean(axis=0), X.std(axis=0)
    varying = np.flatnonzero(std)
    return TableSummary(len(X), mean, std, varying, SketchGram(np.ones((3, len(varying)))))


def _matrix(X, scale):
    Z = np.delete(X - X.mean(axis=0), 11, axis=1)
    Z = Z / Z.std(axis=0) if scale else Z / np.sqrt(np.square(X.std(axis=0)).sum() / 29)
    return Z.T @ Z / len(Z)


def _let(summary, source, scale, missing=MissingPolicy.ERROR):
    return let_read_again(summary, source, range(30), scale=scale, missing=missing)


def test_batches_parts_and_sparse_rows_give_the_same_sums(X, monkeypatch):
    vectors = np.random.default_rng(1).normal(size=(30, 5))
    mean, length = X.mean(axis=0), np.full(30, 2.0)
    Z = (X - mean) / length
    wanted = np.array([4, 0, 17])
    monkeypatch.setattr(gram_products, "_MULTIPLIED_BYTES", 8 * 30 * 70)
    for make in (np.asarray, scipy.sparse.csr_array):
        a, b = (ProductSums.start(mean, length, wanted, vectors) for _ in range(2))
        a.add(make(X[:123]))
        a.add(make(X[123:300]))
        b.add(make(X[300:]))
        columns, products = a.merge(b).products()
        np.testing.assert_allclose(columns, (Z.T @ Z)[wanted], rtol=1e-9, atol=1e-6)
        np.testing.assert_allclose(products, Z.T @ (Z @ vectors), rtol=1e-9, atol=1e-5)
        assert a.merge(b).count == 500


@pytest.mark.parametrize("scale", [True, False])
def test_a_sketch_reads_exact_columns_of_the_table(X, scale):
    gram = _let(_summary(X), InBatches(X, 7), scale).gram
    gram.known.read(np.array([28, 3]), np.eye(29)[:, :4])
    G = _matrix(X, scale)
    np.testing.assert_allclose(gram.known.panel, G[[3, 28]], rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(gram.known.image, G[:, :4], rtol=1e-7, atol=1e-9)


def test_missing_values_are_filled_or_dropped_as_in_the_first_pass(X):
    Y = X.copy()
    Y[5, 3] = Y[70, 8] = np.nan
    filled = np.where(np.isnan(Y), np.nanmean(Y, axis=0), Y)
    for policy, table in (("mean", filled), ("drop", np.delete(Y, [5, 70], axis=0))):
        summary = _let(_summary(table), InBatches(Y, 7), True, MissingPolicy(policy))
        summary.gram.known.read(np.array([3]))
        np.testing.assert_allclose(
            summary.gram.known.panel[0], _matrix(table, True)[3], rtol=1e-7, atol=1e-9
        )


def test_a_table_that_is_read_once_or_held_stays_as_it_is(X):
    source = InBatches(X, 7)
    held = _summary(X)
    held = TableSummary(held.n_rows, held.mean, held.std, held.varying, DenseGram(np.eye(29)))
    assert _let(held, source, True).gram is held.gram
    assert held.gram.keep_exact(np.array([1])) is held.gram
    source.info = source.info.__class__(**{**vars(source.info), "once": True})
    assert _let(_summary(X), source, True).gram.known is None


def test_a_table_that_has_changed_is_refused(X):
    summary = _let(_summary(X), ArraySource(X[:-1]), True)
    with pytest.raises(tamis.TamisError, match="had 500 rows when it was read first and has 499"):
        summary.gram.known.read(np.array([3]))


def test_what_is_kept_has_its_exact_columns_in_the_answer(X):
    gram = _let(_summary(X), InBatches(X, 7), True).gram
    assert gram.keep_exact(np.array([3])) is gram
    gram.known.read(np.array([3, 9, 20]))
    kept = gram.keep_exact(np.array([20, 3]))
    assert isinstance(kept, PanelGram)
    np.testing.assert_allclose(kept.column(20), _matrix(X, True)[20], rtol=1e-7, atol=1e-9)
    assert kept.exact.tolist() == [20, 3]
