"""Columns that order the rows alike: copies, other units, logarithms, anything that only rises."""

from collections.abc import Iterator, Sequence
from math import lgamma, log, log2
from typing import Any

import numpy as np

from tamis.columns.exactness import fit_linear
from tamis.columns.relation import Relation, RelationForm
from tamis.numerics.types import Floats

__all__ = ["CHANCE_BITS", "are_ranks", "find_same_order"]

CHANCE_BITS = 20  # of evidence beyond what a choice among all columns takes
MIN_RANKS = 8  # different ones
_UNEVEN = 0.05  # of the largest rank, that one may be off an even spread


def find_same_order(values: Floats, names: Sequence[str]) -> list[Relation]:
    """Find columns that are functions of an earlier one which only rise or only fall.

    Missing values are NaN, and must be missing in both.

    Examples
    --------
    >>> celsius = np.random.default_rng(0).normal(20, 5, 60).round(1)
    >>> table = np.column_stack([celsius, 1.8 * celsius + 32])
    >>> find_same_order(table, ["C", "F"])[0].parts
    {'C': 1.8}
    """
    groups: dict[bytes, list[int]] = {}
    for j in range(values.shape[1]):
        order = _rank_densely(values[:, j])
        if order is not None and _is_telling(order, len(names)):
            groups.setdefault(order.tobytes(), []).append(j)
    return [_relate(values, names, one[0], j) for one in groups.values() for j in one[1:]]


def _rank_densely(column: Floats) -> Any:
    """Give the place of every value among the different ones, -1 where missing, from either end.

    Which end that is follows from the first row that is not in the middle.
    """
    known = np.isfinite(column)
    different, places = np.unique(column[known], return_inverse=True)
    if len(different) < 2:
        return None
    top = len(different) - 1
    aside = places[2 * places != top]
    if 2 * aside[0] > top:
        places = top - places
    ranks = np.full(len(column), -1, dtype=np.int32)
    ranks[known] = places
    return ranks


def _is_telling(ranks: Any, width: int) -> bool:
    """Whether so many columns would hardly agree in this order by chance.

    There are n! / (c1! c2! ...) orders with these ties; all pairs of columns are compared.
    """
    counts = np.bincount(ranks[ranks >= 0])
    orders = lgamma(counts.sum() + 1) - sum(lgamma(count + 1) for count in counts.tolist())
    return orders / log(2) > 2 * log2(width) + CHANCE_BITS


def _relate(values: Floats, names: Sequence[str], first: int, second: int) -> Relation:
    """Say how two columns of the same order are related.

    The earlier one is the original, unless the other direction has a name: it is then a logarithm,
    or has the ranks.
    """
    known = np.isfinite(values[:, first])
    pairs = ((first, second), (second, first))
    for one, other in pairs:
        x, y = values[known, one], values[known, other]
        for form, source in _transform(x):
            if form == "linear" and one != first:
                continue
            fit = fit_linear(source[:, None], y)
            if fit is not None:
                parts = {names[one]: fit.weights[0]}
                rows = int(known.sum())
                return Relation(names[other], form, parts, fit.constant, fit.rounded, rows=rows)
    return _relate_ranks(values[known], names, pairs)


def _relate_ranks(
    values: Floats, names: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> Relation:
    (first, second), _ = pairs
    x, y = values[:, first], values[:, second]
    ends = [int(np.argmin(x)), int(np.argmax(x))]
    sign = 1.0 if y[ends[1]] > y[ends[0]] else -1.0
    for one, other in pairs:
        if are_ranks(values[:, other]) and not are_ranks(values[:, one]):
            return Relation(names[other], "rank", {names[one]: sign}, rows=len(x))
    return Relation(names[second], "order", {names[first]: sign}, rows=len(x))


def _transform(x: Floats) -> Iterator[tuple[RelationForm, Floats]]:
    yield "linear", x
    if x.min() > 0:
        yield "log", np.log(x)
        yield "reciprocal", 1.0 / x
    if x.min() >= 0:
        yield "root", np.sqrt(x)
    if x.min() > -1:
        yield "log1p", np.log1p(x)


def are_ranks(values: Floats, uneven: float = _UNEVEN) -> bool:
    """Whether numbers may be ranks: integers or halves from 1 (or 0), spread evenly.

    >>> are_ranks(np.arange(1.0, 40.0)), are_ranks(np.arange(40.0) ** 2)
    (True, False)
    """
    halves = bool((2 * values == np.rint(2 * values)).all())
    if not halves or len(np.unique(values)) < MIN_RANKS or values.min() < 0:
        return False
    ordered = np.sort(values)
    even = np.linspace(ordered[0], ordered[-1], len(values))
    starts = ordered[0] <= max(2.0, 4 * ordered[-1] / len(values))
    return starts and bool(np.abs(ordered - even).max() <= uneven * ordered[-1])
