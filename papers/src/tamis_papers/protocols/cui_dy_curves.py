"""The error curves of Figure 1 of Cui and Dy, by table and method."""

from typing import Any

import numpy as np

import tamis
from tamis_papers.laboratory.protocol import Results, Table

__all__ = ["METHODS", "MOST", "PAPER", "TABLES", "curves_of", "key_of", "measure_errors"]

PAPER = "Cui & Dy"
METHODS = ("sfs", "pfs", "jolliffe-i", "jolliffe-ni", "pfa", "spca")
TABLES = ("faces", "mini_newsgroups", "leukemia_yeoh", "lung_gordon")
MOST = 50


def key_of(table: str, method: str) -> str:
    """Name the cell of one table and method."""
    return f"{table}/{method}"


def curves_of(results: Results, table: str) -> dict[str, list[float]]:
    """Give the error for 1, 2, ... columns of every method that was run on this table."""
    keys = {method: key_of(table, method) for method in METHODS}
    return {m: list(results[key]["error"]) for m, key in keys.items() if key in results}


def measure_errors(table: Table, *, method: str, most: int) -> dict[str, Any]:
    """Give the share of the sum of squares that 1, 2, ..., `most` columns do not reproduce.

    With what no set of so many columns can have less than: the leading principal components.
    """
    found = tamis.select(table.X, most, method=method, scale=False)
    shares, bound = found.curve.retained, found.curve.bound
    if not found.nested:
        each = [tamis.select(table.X, k, method=method, scale=False) for k in range(1, most)]
        shares = np.array([*(one.retained for one in each), found.retained])
    # A method that stops early has reproduced all there is.
    shares, bound = (np.pad(one, (0, most - len(one)), mode="edge") for one in (shares, bound))
    return {"error": (1.0 - shares).tolist(), "floor": (1.0 - bound).tolist()}
