"""The registered methods of selection by what their answer follows from.

What holds of the columns (no order, no sign, no unit decides) is promised by methods that work on a
summary of the columns. Those that work on the rows, with or without labels, make other promises:
`test_row_contracts.py`.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from tamis import registry

OF_COLUMNS = [
    method
    for method in registry.methods("selection")
    if method.needs in ("gram", "information", "neighbours")
]
OF_ROWS = [method for method in registry.methods("selection") if method not in OF_COLUMNS]

# What a contract of every method asks is held by a short search as well as by a long one.
QUICK_OPTIONS: dict[str, dict[str, int]] = {
    "category-utility": {"n_init": 1},
    "em-wrapper": {"n_init": 1, "k_max": 3},
}


def sample_methods(methods: Sequence[str]) -> list[Any]:
    """Leave all but the first of each family of algorithms to `make nightly`."""
    seen, marked = set(), []
    for one in methods:
        family = registry.get(one).kernel.rpartition(".")[0]
        marked.append(pytest.param(one, marks=[pytest.mark.nightly] if family in seen else []))
        seen.add(family)
    return marked
