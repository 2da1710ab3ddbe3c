"""Neither the order of the columns nor their signs decide what is kept."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis import registry
from tests.kinds import OF_COLUMNS

pytestmark = pytest.mark.slow

METHODS = [method.id for method in OF_COLUMNS]


def real_numbers(rng):
    hidden = rng.standard_normal((113, 5)) @ rng.standard_normal((5, 14))
    return hidden + 0.5 * rng.standard_normal((113, 14)) * rng.uniform(1, 2, 14)


def counts(rng):
    """Give counts as of words or cells: many zeros, many equal values."""
    means = np.exp(rng.standard_normal((151, 3)) @ rng.standard_normal((3, 16)))
    return rng.poisson(np.minimum(means, 60)).astype(float)


def decimals(rng):
    return (real_numbers(rng) + 5).round(1)


def wide(rng):
    return real_numbers(rng)[:60].reshape(20, 42)


# Twenty rows fill four bins of five: many pairs of columns share exactly the same information.
TIES = {("rspfs", "wide"), ("naive-rspfs", "wide")}

TABLES = {kind.__name__: kind for kind in (real_numbers, counts, decimals, wide)}


@pytest.fixture(
    params=[(m, t) for m in METHODS for t in TABLES if (m, t) not in TIES], ids="-".join
)
def case(request):
    method, kind = request.param
    return method, TABLES[kind](np.random.default_rng(7))


def chosen(table, method):
    """Choose five columns; held-out rows, which decide on shrinkage, follow from the values."""
    fixed = {"shrink": 0.1} if registry.get(method).has("shrink") else {}
    return tamis.select(table, k=5, method=method, options=fixed)


def picks(table, method):
    """Give the kept columns, in order where the method has one that no tie decides."""
    found = chosen(table, method)
    # The last two columns that a method of removal keeps predict each other equally well.
    ordered = found.path.removals is None
    return found.indices.tolist() if ordered else sorted(found.indices.tolist())


def test_permuting_the_columns_permutes_the_answer(case):
    method, table = case
    plain = picks(table, method)
    for seed in range(2):
        order = np.random.default_rng(seed).permutation(table.shape[1])
        moved = chosen(table[:, order], method)
        found = [int(order[j]) for j in moved.indices]
        assert (found if moved.path.removals is None else sorted(found)) == plain


def test_negating_columns_changes_nothing(case):
    method, table = case
    signs = np.where(np.random.default_rng(0).random(table.shape[1]) < 0.5, -1.0, 1.0)
    assert picks(table * signs, method) == picks(table, method)


def test_the_default_does_not_hang_on_the_order_of_named_columns():
    frame = pd.DataFrame(wide(np.random.default_rng(1))).add_prefix("c")
    frame["kind"] = np.random.default_rng(2).choice(["a", "b", "c"], len(frame))
    plain = tamis.select(frame, k=4)
    moved = tamis.select(frame[frame.columns[::-1]], k=4)
    assert moved.names == plain.names
    np.testing.assert_allclose(moved.held_out, plain.held_out, atol=1e-9)
