"""All columns of an array in the order of a registered method, as the experiments need them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.run.request import Request
from tamis.run.selection import select_columns
from tamis.sources.arrays import ArraySource


def column_order(
    X: Floats,
    method_id: str,
    *,
    k: int | None = None,
    scale: bool | None = None,
    options: Mapping[str, Any] | None = None,
) -> Indices:
    """Give every column, best first, or only the best `k`.

    Columns that a method does not reach (it stops when the taken ones reproduce the rest) follow
    in input order, constant ones last. A method that finds a set for each number of columns has no
    order: it can only be run for a given `k`.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0, 7.0, 1.0], [1.0, 2.0, 7.0, 0.0], [2.0, 4.0, 7.0, 1.0]])
    >>> column_order(X, "principal-variables")
    array([0, 3, 1, 2])
    """
    every = np.arange(X.shape[1])
    if not (X[:1] != X).any():
        return every[:k]
    request = Request.of(method_id, k=k or 1, scale=scale, options=options, least=1)
    found = select_columns(request, ArraySource(X))
    path, varying = found.path, found.used
    # A method that removes ranks all columns whatever it keeps; one that adds is asked for all.
    if k is None and path.nested and len(path.indices) < len(varying):
        path = found.search(len(varying))
    if k is None and not path.nested:
        raise TamisError(
            f"Method {method_id!r} finds a set for each number of columns, not an order: choose a "
            "method that adds or removes columns one by one, such as sfs or ufs."
        )
    reached = varying[path.indices]
    rest = np.setdiff1d(varying, reached)
    still = np.setdiff1d(every, varying)
    return np.concatenate([reached, rest, still])[:k]
