"""All columns of an array in the order of a registered method, as the experiments need them."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

import tamis
from tamis.errors import TamisError
from tamis_papers.laboratory.numbers import Floats, Indices


def order_columns(
    X: Floats,
    method: str,
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
    >>> order_columns(X, "principal-variables")
    array([0, 3, 1, 2])
    """
    every = np.arange(X.shape[1])
    varying = np.flatnonzero((X[:1] != X).any(axis=0))
    if len(varying) < 2:  # nothing to choose from
        return np.concatenate([varying, np.setdiff1d(every, varying)])[:k]
    select = partial(tamis.select, X, method=method, scale=scale, options=options)
    found = select(k or 1)
    if k is None and not found.nested:
        raise TamisError(
            f"Method {method!r} finds a set for each number of columns, not an order: choose a "
            "method that adds or removes columns one by one, such as sfs or ufs."
        )
    constant = read_positions(found.constant)
    # A method that removes ranks all columns whatever it keeps; one that adds is asked for all.
    if k is None and len(found.ranking) < len(every) - len(constant):
        found = select(len(every) - len(constant))
    reached = read_positions(found.ranking)
    rest = np.setdiff1d(every, np.concatenate([reached, constant]))
    return np.concatenate([reached, rest, constant])[:k]


def read_positions(names: Iterable[str]) -> Indices:
    """Give the positions of columns of an array, which are called x0, x1, ..."""
    return np.array([int(name.removeprefix("x")) for name in names], dtype=np.intp)
