"""Print the papers' tables beside ours.

    python -m benchmarks.papers [structure] [relevance]

`structure` is the VIMICA / RSPFS note on sonar, `relevance` the two tables of Peluffo et al. The
data lie beside the project in ../shared/data; without them there is nothing to compare.
"""

import sys
from functools import partial
from typing import Any

import numpy as np

from benchmarks.plan import SHARED
from tamis.evaluation.protocols.order import column_order
from tamis.evaluation.protocols.preservation import averages, experiment
from tamis.evaluation.protocols.preservation_paper import beside_paper
from tamis.evaluation.protocols.relevance_table import as_text, relevance_table

_BINNED = ("greedy-fs", "naive-fs", "rspfs", "naive-rspfs")
_SETS = ("mcfs", "fsfs")
_TABLES = (
    "iris",
    "x80",
    "malaysia",
    "breast_w",
    "chromo",
    "satellite",
    "soybean",
    "twonorm",
)


def structure(name: str = "sonar") -> str:
    """Compare what half of the columns keep of neighbours and clusters."""
    X = _table(name)[0]
    width = {"binning": "width"}
    orders: dict[str, Any] = {m: column_order(X, m, options=width) for m in _BINNED}
    orders["laplacian"] = column_order(X, "laplacian")
    orders |= {m: partial(_columns, X, m) for m in _SETS}
    found = averages(experiment(X, orders, figures=["jaccard", "rand"]))
    return "\n".join(str(row) for row in beside_paper(name, found))


def relevance() -> str:
    """Compare K-means clusters of eight tables after selection and extraction."""
    return as_text(relevance_table({name: _table(name) for name in _TABLES}))


def _columns(X: Any, method: str, k: int) -> Any:
    return column_order(X, method, k=k)


def _table(name: str) -> tuple[Any, Any]:
    with np.load(SHARED / f"{name}.npz", allow_pickle=False) as archive:
        return archive["X"].astype(float), archive["y"]


if __name__ == "__main__":
    parts = {"structure": structure, "relevance": relevance}
    if not SHARED.exists():
        sys.exit("The data folder ../shared/data is not here: nothing to compare with.")
    for part in sys.argv[1:] or parts:
        print(f"{part}\n{parts[part]()}\n")
