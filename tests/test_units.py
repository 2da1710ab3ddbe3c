"""The unit of a table changes nothing: picks and shares are those of the table as it was."""

import numpy as np
import pytest
import scipy.sparse

import tamis
from tamis import registry
from tests.kinds import OF_COLUMNS

pytestmark = pytest.mark.slow

FACTORS = (1e-200, 1e-100, 1e-60, 1e-6, 1e3, 1e40, 1e80)
EXTREMES = (1e-200, 1e80)


def factor_table(n, d):
    rng = np.random.default_rng(3)
    hidden = rng.gamma(1.0, 1.0, (n, 4)) @ rng.gamma(0.5, 1.0, (4, d))
    return (hidden + 0.2 * rng.gamma(2.0, 0.5, (n, d))) * rng.uniform(0.5, 4.0, d)


def sparse(X):
    return scipy.sparse.csr_array(np.maximum(X - 2.0, 0.0))


TABLES = {
    "tall": (factor_table(60, 9), FACTORS),
    "wide": (factor_table(9, 20), EXTREMES),
    "sparse": (sparse(factor_table(60, 9)), EXTREMES),
    "sparse wide": (sparse(factor_table(9, 20)), EXTREMES),
}


def settings(method):
    """Leave the columns as they are; of the kernels only the linear one knows no unit."""
    unscaled = {} if method.scale is None else {"scale": False}
    own = {"kernel": "linear"} if has_kernel(method) else {}
    # Held-out rows, which decide on shrinkage, follow from the values, and so from their unit.
    own |= {"shrink": 0.1} if method.has("shrink") else {}
    return unscaled | ({"options": own} if own else {})


def has_kernel(method):
    return "kernel" in {option.name for option in method.options}


def by_id(purpose):
    methods = OF_COLUMNS if purpose == "selection" else registry.methods(purpose)
    return pytest.mark.parametrize("method", methods, ids=lambda method: method.id)


@by_id("selection")
@pytest.mark.parametrize("table", TABLES)
def test_a_selection_does_not_depend_on_the_unit(method, table):
    X, factors = TABLES[table]
    plain = tamis.select(X, 4, method=method.id, **settings(method))
    for factor in factors:
        found = tamis.select(X * factor, 4, method=method.id, **settings(method))
        assert found.indices.tolist() == plain.indices.tolist(), factor
        np.testing.assert_allclose(found.curve.retained, plain.curve.retained, atol=1e-9)
        np.testing.assert_allclose(found.curve.bound, plain.curve.bound, atol=1e-9)
        np.testing.assert_allclose(found.scores, plain.scores, rtol=1e-6, atol=1e-9)


@by_id("extraction")
@pytest.mark.parametrize("table", TABLES)
def test_an_extraction_does_not_depend_on_the_unit(method, table):
    X, factors = TABLES[table]
    given = settings(method)
    if method.needs == "labelled rows":
        given["y"] = np.arange(X.shape[0]) % 2
    plain = tamis.extract(X, method=method.id, **given)
    for factor in factors:
        if has_kernel(method) and factor < 1e-150:
            continue  # a kernel is a product of two rows: 0 in this unit
        found = tamis.extract(X * factor, method=method.id, **given)
        assert found.k == plain.k, factor
        np.testing.assert_allclose(found.shares, plain.shares, atol=1e-9)


@pytest.mark.parametrize("method", ["pca", "wpca", "gdfe", "lsa", "nmf"])
def test_scores_and_eigenvalues_come_in_the_unit_of_the_table(method):
    X = factor_table(60, 9)
    given = settings(registry.get(method, "extraction"))
    plain = tamis.extract(X, 3, method=method, **given)
    found = tamis.extract(1e3 * X, 3, method=method, **given)
    np.testing.assert_allclose(found.transform(1e3 * X), 1e3 * plain.transform(X), rtol=1e-5)
    if plain.values is not None:
        power = 3 if method == "lsa" else 6  # singular values, or variances
        np.testing.assert_allclose(found.values, 10.0**power * plain.values, rtol=1e-9)


@pytest.mark.parametrize("form", ["tall", "wide", "sparse", "sparse wide"])
def test_a_tiny_column_beside_large_ones_is_no_constant(form):
    X = TABLES[form][0] @ np.diag([1e-200, *np.ones(TABLES[form][0].shape[1] - 1)])
    X = scipy.sparse.csr_array(X) if "sparse" in form else X
    expected = tamis.select(TABLES[form][0], 4, method="sfs", scale=True)
    scaled = tamis.select(X, 4, method="sfs", scale=True)
    assert scaled.constant == expected.constant
    assert scaled.indices.tolist() == expected.indices.tolist()
    plain = tamis.select(X, 4, method="sfs", scale=False)
    assert plain.constant == expected.constant
    assert "too small beside the largest column" in plain.skipped["x0"]
    assert tamis.extract(X, 2, scale=False).constant == expected.constant


@pytest.mark.parametrize("method", ["kernel-pca", "kda"])
def test_a_kernel_that_vanishes_or_overflows_is_named(method):
    X, y = factor_table(20, 3), np.arange(20) % 2
    for factor, kernel in ((1e-200, "linear"), (1e80, "poly")):
        with pytest.raises(tamis.TamisError, match="kernel"):
            tamis.extract(
                X * factor, 1, method=method, y=y, scale=False, options={"kernel": kernel}
            )
