"""Columns that order the rows alike: copies, other units, logarithms, anything that only rises."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log, log2
from typing import Any

import numpy as np
from scipy.special import gammaln

from tamis.columns.exactness import fit_linear
from tamis.columns.relation import Relation, RelationForm
from tamis.numerics.types import Floats

__all__ = ["CHANCE_BITS", "find_same_order"]

COARSE_STEP = 0.05  # of a standard deviation: that rows have the same order is evidence by itself
MIN_ORDERED_ROWS = 30  # with fewer, columns that correlate highly may happen to agree
_COMPARED_ROWS = 64  # whose order shows that most columns differ
CHANCE_BITS = 20  # of evidence beyond what a choice among all columns takes


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
    for j in _find_alike(values):
        order = _rank_densely(values[:, j])
        if order is not None and _is_telling(order, len(names)):
            groups.setdefault(order.tobytes(), []).append(j)
    found = [_relate(values, names, one[0], j) for one in groups.values() for j in one[1:]]
    return [one for one in found if one.form != "order" or one.rows >= MIN_ORDERED_ROWS]


def _find_alike(values: Floats) -> list[int]:
    """List the columns that may order the rows as another one does: only these are ranked.

    Such columns, or one of them reversed, have their extreme values in the same rows, and pairs of
    rows stand in the same order.
    """
    known = np.isfinite(values)
    ends = []
    for found in (
        np.where(known, values, np.inf).min(axis=0),
        np.where(known, values, -np.inf).max(axis=0),
    ):
        there = values == found
        ends.append(zip(there.argmax(axis=0).tolist(), there.sum(axis=0).tolist(), strict=True))
    rows = np.linspace(0, len(values) - 1, _COMPARED_ROWS).astype(np.intp)
    signs = np.sign(np.diff(values[rows], axis=0))
    first = np.where(np.isnan(signs), 0.0, signs)
    turned = signs * first[np.abs(first).argmax(axis=0), np.arange(values.shape[1])]
    pairs = np.nan_to_num(turned.T, nan=2.0).astype(np.int8)
    keys = [(*sorted(two), one.tobytes()) for *two, one in zip(*ends, pairs, strict=True)]
    times = Counter(keys)
    return [j for j, key in enumerate(keys) if times[key] > 1]


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
    orders = float(gammaln(counts.sum() + 1) - gammaln(counts + 1.0).sum())
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
            fit = fit_linear(source[:, None], y, COARSE_STEP)
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
        if are_ranks_of(values[:, other], sign * values[:, one]):
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


def are_ranks_of(ranks: Floats, values: Floats) -> bool:
    """Whether numbers are the ranks of values: from 1 or 0, equal ones by any of the usual rules.

    >>> values = np.array([3.0, 1.0, 7.0, 3.0])
    >>> are_ranks_of(np.array([2.0, 1.0, 4.0, 2.0]), values), are_ranks_of(values, values)
    (True, False)
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    rules = (last, last - counts + 1, last - (counts - 1) / 2, np.arange(1, len(counts) + 1))
    shift = ranks[np.argmin(values)] < 1
    return any(bool((ranks + shift == rule[places]).all()) for rule in rules)
