"""`missing="covariance"`: every observed value is used, and the answer stays within its bounds."""

import numpy as np
import pytest
import scipy.sparse

import tamis
from tamis.errors import TamisError


@pytest.fixture
def whole():
    rng = np.random.default_rng(5)
    return rng.normal(size=(400, 4)) @ rng.normal(size=(4, 12)) + 0.3 * rng.normal(size=(400, 12))


def punched(X, share, seed=0):
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X)


@pytest.mark.parametrize("scale", [True, False])
def test_without_missing_values_the_answer_is_the_usual_one(whole, scale):
    found = tamis.select(whole, 4, missing="covariance", scale=scale)
    expected = tamis.select(whole, 4, scale=scale)
    assert found.names == expected.names
    np.testing.assert_allclose(found.curve.retained, expected.curve.retained, atol=1e-9)
    assert found.missing.shares == {}


def test_a_table_in_which_every_row_has_a_gap_gets_an_answer_within_its_bounds(whole):
    X = whole.copy()
    X[np.arange(400), np.arange(400) % 12] = np.nan
    with pytest.raises(TamisError, match="All 400 rows have missing values"):
        tamis.select(X, 4, missing="drop")
    found = tamis.select(X, 4, missing="covariance")
    assert 0 < found.retained <= found.bound <= 1
    assert found.names == tamis.select(whole, 4).names
    assert (found.missing.rows_complete, found.missing.used) == (0, 400)
    assert found.missing.observed == pytest.approx(11 / 12)
    assert found.missing.fewest_common == 332


def test_shares_are_those_of_the_whole_table_where_filling_makes_them_too_small(whole):
    X = punched(whole, 0.3)
    found, filled = (tamis.select(X, 4, missing=how) for how in ("covariance", "mean"))
    true = tamis.score(whole, found.names).retained
    assert abs(found.retained - true) < 0.03
    assert filled.retained < tamis.score(whole, filled.names).retained - 0.1


def test_batches_and_infinite_values_change_nothing(whole, tmp_path):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    X = punched(whole, 0.2)
    table = pa.table({f"x{j}": X[:, j] for j in range(12)})
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=30)
    expected = tamis.select(X, 4, missing="covariance")
    marked = np.where(np.isnan(X), np.inf, X)
    for data in (tmp_path / "t.parquet", marked):
        found = tamis.select(data, 4, missing="covariance")
        assert found.names == expected.names
        np.testing.assert_allclose(found.curve.retained, expected.curve.retained, atol=1e-12)
    assert found.missing.infinite == np.isnan(X).sum()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"held_out": True}, "held-out rows"),
        ({"options": {"kind": "spearman"}, "method": "correlation"}, "ranks"),
        ({"method": "laplacian"}, "not for method"),
        ({"method": "representatives"}, "not for method"),
        ({"checkpoint": "a.tamis"}, "checkpoint"),
    ],
)
def test_what_it_cannot_do_is_refused_in_one_sentence(whole, asked, said):
    k = {} if asked.get("method") == "correlation" else {"k": 3}
    with pytest.raises(TamisError, match=said):
        tamis.select(punched(whole, 0.1), missing="covariance", **k, **asked)


def test_sparse_tables_and_rows_read_later_are_refused(whole):
    with pytest.raises(TamisError, match="dense"):
        tamis.select(scipy.sparse.csr_array(whole), 3, missing="covariance")
    X = punched(whole, 0.1)
    found = tamis.select(X, 3, missing="covariance")
    with pytest.raises(TamisError, match="keeps no rows"):
        _ = found.held_out
