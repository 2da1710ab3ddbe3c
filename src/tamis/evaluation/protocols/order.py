"""All columns of an array in the order of a registered method, as the experiments need them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tamis import registry
from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.run import find_path
from tamis.sources.arrays import ArraySource
from tamis.statistics.collect import summarise


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
    method = registry.get(method_id)
    own = registry.check_options(method, options or {})
    scaled = registry.check_shared(method, scale=scale, refine=False, missing="error")
    every = np.arange(X.shape[1])
    summary = summarise(method, ArraySource(X), every.tolist(), scale=scaled, options=own)
    varying = summary.varying
    if not len(varying):
        return every[:k]
    # A method that removes ranks all columns whatever it keeps; one that adds is asked for all.
    path = find_path(method, summary, min(k or 1, len(varying)), options=own)
    if k is None and path.nested and len(path.indices) < len(varying):
        path = find_path(method, summary, len(varying), options=own)
    if k is None and not path.nested:
        raise TamisError(
            f"Method {method_id!r} finds a set for each number of columns, not an order: choose a "
            "method that adds or removes columns one by one, such as sfs or ufs."
        )
    reached = varying[path.indices]
    rest = np.setdiff1d(varying, reached)
    still = np.setdiff1d(every, varying)
    return np.concatenate([reached, rest, still])[:k]
