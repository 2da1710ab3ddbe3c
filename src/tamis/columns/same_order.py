"""Columns that order the rows alike: copies, other units, logarithms, anything that only rises."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log, log2
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln

from tamis.facts.shared_answer import RelationFacts, RelationForm
from tamis.numerics.tolerances import EPS, ROUNDING
from tamis.numerics.types import Floats

__all__ = [
    "CHANCE_BITS",
    "FINE_STEP",
    "Fit",
    "find_same_order",
    "find_step",
    "fit_linear",
    "holds_rounded",
]


COARSE_STEP = 0.05  # of a standard deviation: that rows have the same order is evidence by itself
MIN_ORDERED_ROWS = 30  # with fewer, columns that correlate highly may happen to agree
_COMPARED_ROWS = 64  # whose order shows that most columns differ
CHANCE_BITS = 20  # of evidence beyond what a choice among all columns takes


def find_same_order(values: Floats, names: Sequence[str]) -> list[RelationFacts]:
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


def _relate(values: Floats, names: Sequence[str], first: int, second: int) -> RelationFacts:
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
                return RelationFacts(
                    names[other], form, parts, fit.constant, fit.rounded, rows=rows
                )
    return _relate_ranks(values[known], names, pairs)


def _relate_ranks(
    values: Floats, names: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> RelationFacts:
    (first, second), _ = pairs
    x, y = values[:, first], values[:, second]
    ends = [int(np.argmin(x)), int(np.argmax(x))]
    sign = 1.0 if y[ends[1]] > y[ends[0]] else -1.0
    for one, other in pairs:
        if are_ranks_of(values[:, other], sign * values[:, one]):
            return RelationFacts(names[other], "rank", {names[one]: sign}, rows=len(x))
    return RelationFacts(names[second], "order", {names[first]: sign}, rows=len(x))


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


MAX_DECIMALS = 9
FINE_STEP = 2e-3  # of a standard deviation: a coarser last digit leaves room for coincidence
PLAIN_STEP = 2e-2  # the same of a plain sum or mean, which has no coefficients to choose
_SINGLE = float(np.finfo(np.float32).eps)
_SHORT = (0, 1, 2, 3, 4, 6, 9, 12)  # decimals and digits of a coefficient that somebody chose


class Fit(NamedTuple):
    """A linear equation that holds in all rows; `rounded` but for the last digit."""

    weights: tuple[float, ...]
    constant: float
    rounded: bool


def find_step(values: Floats) -> float:
    """Give the smallest difference that a column was written with, 0 where it has all digits.

    >>> find_step(np.array([1.25, 3.0])), find_step(np.array([1.0, 7.0]))
    (0.01, 1.0)
    >>> find_step(np.array([np.pi, np.e]))
    0.0
    """
    size = float(np.abs(values).max(initial=0.0))
    for decimals in range(MAX_DECIMALS + 1):
        step = 10.0**-decimals
        if step <= 1e4 * EPS * size:
            break
        if (np.abs(values - np.rint(values / step) * step) <= 8 * EPS * size).all():
            return step
    return 0.0


def fit_linear(parts: Floats, whole: Floats, fine: float = FINE_STEP) -> Fit | None:
    """Find the equation by which columns add up to another; None where there is none.

    The error that is allowed is that of adding up numbers of this size in float64, or in float32
    where all are such numbers. Where the sum has few decimals it is half a step of the last: the
    equation, rounded, then gives every row as it is written. The step must be `fine` beside the
    spread of the column.

    Examples
    --------
    >>> celsius = np.array([[0.0], [10.0], [25.0], [30.5]])
    >>> fit_linear(celsius, 1.8 * celsius[:, 0] + 32)
    Fit(weights=(1.8,), constant=32.0, rounded=False)
    >>> fit_linear(celsius, np.array([1.0, 2.0, 0.0, 1.0])) is None
    True
    """
    middle, centre = parts.mean(axis=0), float(whole.mean())
    centred, spread = parts - middle, float(whole.std())
    lengths = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    if spread == 0.0 or not lengths.all():
        return None
    found = np.linalg.lstsq(centred / lengths, whole - centre, rcond=None)[0] / lengths
    limit, step = _limit_rounding(parts, whole, found), find_step(whole)
    sizes = lengths / np.sqrt(len(whole)) / spread
    tried, rounded = _shorten(found, sizes), None
    if step and float(np.abs(whole - centre - centred @ found).max()) <= step:
        # Most units start at 0: without a constant the coefficients are found more sharply.
        through: Floats = np.linalg.lstsq(parts, whole, rcond=None)[0].astype(np.float64)
        tried = [*(_shorten(through, sizes) if through.all() else ()), *tried]
    for weights in tried:
        left = whole - parts @ weights
        constant = float(left.min() + left.max()) / 2  # the one of the smallest error
        coarse = step > max(fine, _choose_step(weights)) * spread
        allowed = 0.0 if coarse else _allow_rounding(whole, step)
        for shorter in _shorten_constant(constant, limit + allowed):
            error = float(np.abs(left - shorter).max())
            if error <= limit:
                return Fit(tuple(weights.tolist()), shorter, rounded=False)
            if rounded is None and error <= limit + allowed:
                rounded = Fit(tuple(weights.tolist()), shorter, rounded=True)
    return rounded


def holds_rounded(parts: Floats, whole: Floats, weights: Floats, constant: float) -> bool:
    """Whether an equation gives every row as it is written, but for rounding."""
    limit = _limit_rounding(parts, whole, weights) + _allow_rounding(whole, find_step(whole))
    return float(np.abs(whole - parts @ weights - constant).max()) <= limit


def _allow_rounding(whole: Floats, step: float) -> float:
    """Give half a step of the last digit, and what single precision took before that was written.

    Numbers of seven digits mostly come from there: its own rounding is of the size of their last.
    """
    size = float(np.abs(whole).max())
    return step / 2 + (size * _SINGLE / 2 if 0 < step <= 10 * size * _SINGLE else 0.0)


def _choose_step(weights: Floats) -> float:
    """Say how coarse the last digit may be: more so where no coefficient was chosen freely."""
    size = float(np.abs(weights[0]))
    plain = bool((np.abs(weights) == size).all()) and (1 / size).is_integer()
    return PLAIN_STEP if plain and len(weights) > 1 else FINE_STEP


def _shorten_constant(constant: float, limit: float) -> list[float]:
    """List constants near to one that was found, the shortest first."""
    tried = [0.0, *(float(f"{constant:.{digits}g}") for digits in (3, 6, 12)), constant]
    return [one for one in tried if abs(one - constant) <= limit]


def _limit_rounding(parts: Floats, whole: Floats, weights: Floats) -> float:
    """Bound the rounding of a sum of these numbers, each rounded itself when it was written."""
    size = float(np.abs(whole).max() + np.abs(parts).max(axis=0) @ np.abs(weights))
    single = all((one == one.astype(np.float32)).all() for one in (*parts.T, whole))
    whole_numbers = find_step(whole) == 1.0 and all(find_step(one) == 1.0 for one in parts.T)
    return size * (_SINGLE if single and not whole_numbers else ROUNDING)


def _shorten(weights: Floats, sizes: Floats) -> list[Floats]:
    """List coefficients that somebody may have chosen, the shortest first.

    They differ little from those found; whether the equation holds with them is checked.
    """
    found: list[Floats] = []
    equal = np.abs(weights).mean() * np.sign(weights)
    counts = np.sign(weights) / max(round(1 / np.abs(weights).mean()), 1)
    tried = [np.rint(weights), counts]
    tried += [np.round(weights, digits) for digits in _SHORT[1:]]
    tried += [np.array([float(f"{w:.{n}g}") for w in weights]) for n in _SHORT[1:]]
    for one in [*tried, equal, weights]:
        near = (np.abs(one - weights) * sizes <= 1e-3).all()
        if near and (one != 0.0).all() and not any((one == known).all() for known in found):
            found.append(one)
    return found
