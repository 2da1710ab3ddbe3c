"""A summary by the numbers of a database: the picks of the table, and every fault one sentence."""

import numpy as np
import pytest

import tamis


@pytest.fixture
def X():
    rng = np.random.default_rng(3)
    return rng.normal(size=(80, 3)) @ rng.normal(size=(3, 9)) + 0.2 * rng.normal(size=(80, 9)) + 5.0


def test_covariances_and_means_give_the_picks_of_the_table(X):
    covariance = np.cov(X.T, bias=True)
    made = tamis.summary(covariance, n=80, means=X.mean(axis=0))
    expected = tamis.summarise(X)
    assert made.n_rows == 80
    np.testing.assert_allclose(made.mean, expected.mean)
    np.testing.assert_allclose(made.std, expected.std)
    for method in ("sfs", "pfs", "jolliffe-b3"):
        found = tamis.select(made, k=3, method=method)
        assert found.names == tamis.select(X, k=3, method=method).names
    assert found.retained == pytest.approx(tamis.select(X, k=3, method=method).retained)


def test_a_triangle_is_the_matrix_and_merges_with_a_summary(X):
    triangle = np.cov(X[:50].T, bias=True)[np.triu_indices(9)]
    made = tamis.summary(list(triangle), n=50, means=X[:50].mean(axis=0))
    both = made + tamis.summarise(X[50:])
    np.testing.assert_allclose(both.std, X.std(axis=0))


def test_a_frame_gives_the_names(X):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abcdefghi"))
    made = tamis.summary(frame.cov(ddof=0), n=80)
    assert made.names == list("abcdefghi")
    assert tamis.select(made, k=3, method="sfs").names == tamis.select(frame, 3, method="sfs").names


def test_a_query_of_duckdb_gives_the_picks(X):
    duckdb, pandas = pytest.importorskip("duckdb"), pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=[f"c {j}" for j in range(9)])
    frame.loc[3, "c 4"] = np.nan
    names = [f'"c {j}"' for j in range(9)]
    pairs = [f"covar_pop({x}, {y})" for i, x in enumerate(names) for y in names[i:]]
    means = ", ".join(f"avg({x})" for x in names)
    where = " AND ".join(f"{x} IS NOT NULL" for x in names)
    query = f"SELECT count(*), {means}, {', '.join(pairs)} FROM frame WHERE {where}"
    n, *sums = duckdb.sql(query).fetchall()[0]
    assert n == 79
    made = tamis.summary(sums[9:], n=n, names=list(frame), means=sums[:9])
    for method in ("sfs", "forward"):
        options = {"outliers": "keep", "shrink": 0.0} if method == "forward" else {}
        asked = {"k": 4, "method": method, "missing": "drop", "options": options}
        assert tamis.select(made, k=4, method=method).names == tamis.select(frame, **asked).names


FAULTS = {
    "no rows": ({"n": 1}, "n=1: give the number of rows"),
    "no number": ({"n": "many"}, "n='many': give the number of rows"),
    "names": ({"names": ["a"]}, "names has 1 names, and covariance has 2 columns"),
    "twice": ({"names": ["a", "a"]}, "'a'"),
    "means": ({"means": [1.0]}, "means has 1 values"),
    "odd means": ({"means": ["x", "y"]}, "means has values that are no numbers"),
    "not square": ({"covariance": np.ones((2, 3))}, "2 rows and 3 columns"),
    "no triangle": ({"covariance": [1.0, 2.0]}, "no upper triangle"),
    "two values": ({"covariance": [[1.0, 0.5], [0.2, 1.0]]}, "'x0' and 'x1' have two values"),
    "no table": ({"covariance": [[1.0, 2.0], [2.0, 1.0]]}, "cannot be that of any table"),
    "no finite": ({"covariance": [[1.0, np.nan], [np.nan, 1.0]]}, "cannot be that of any table"),
    "negative": ({"covariance": [[-1.0, 0.0], [0.0, 1.0]]}, "cannot be that of any table"),
}


@pytest.mark.parametrize(("asked", "said"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_is_one_sentence(asked, said):
    given = {"covariance": [[1.0, 0.5], [0.5, 1.0]], "n": 10} | asked
    with pytest.raises(tamis.TamisError, match=said) as refusal:
        tamis.summary(**given)
    assert str(refusal.value).endswith(".")
