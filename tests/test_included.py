"""Columns to include come first, in their order, whatever the method and what improves it."""

import numpy as np
import pytest

import tamis
from tamis import registry
from tests.kinds import QUICK_OPTIONS

METHODS = registry.methods("selection")
FIRST = ["x6", "x2"]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    hidden = rng.standard_normal((60, 4)) @ rng.standard_normal((4, 8))
    X = np.abs(hidden + rng.standard_normal((60, 8)))
    return X, (X[:, 0] > 1).astype(int)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_the_columns_to_include_come_first(method, table):
    X, y = table
    given = {"method": method.id, "include": FIRST, "y": y if method.supervised else None}
    given["options"] = QUICK_OPTIONS.get(method.id)
    asked = [{}]
    if method.refines:
        asked += [{"refine": True}]
        asked += [] if method.measure == "information" else [{"refine": "exact"}]
    if method.ranks:
        asked += [{"redundancy": "drop"}]
    for more in asked:
        found = tamis.select(X, 4, **given, **more)
        assert found.names[:2] == FIRST, more
        assert found.ranking[:2] == FIRST, more
