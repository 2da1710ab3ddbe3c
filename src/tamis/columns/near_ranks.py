"""Columns of ranks that follow another column, of all rows or within a year, a country, a class."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tamis.columns.relation import Relation
from tamis.numerics.types import Floats

__all__ = ["find_near_ranks"]

MAX_NEAR_DISTANCE = 0.02  # mean distance to the ranks of a column, as a share of the largest
MAX_EXACT_DISTANCE = 0.005  # to call them the ranks, though a few were taken otherwise
MIN_RANKED_ROWS = 30
MIN_AGREEMENT = 0.9  # correlation with ranks of all rows, to look within what they were taken
_ROWS_PER_GROUP = 8
_EVEN = (0.35, 0.65)  # mean of ranks as a share of the largest; counts have most values low
_MAX_TRIED = 5  # columns that are ranked
_MAX_GROUPINGS = 100  # columns within whose values ranks are tried


def find_near_ranks(values: Floats, names: Sequence[str]) -> list[Relation]:
    """Find columns of ranks that agree with those of another column.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score, year = rng.normal(size=80), np.repeat([2020.0, 2021.0], 40)
    >>> place = np.concatenate([(-part).argsort().argsort() + 1.0 for part in score.reshape(2, 40)])
    >>> found = find_near_ranks(np.column_stack([year, score, place]), ["year", "score", "place"])
    >>> found[0].parts, found[0].within, found[0].nearly
    ({'score': -1.0}, 'year', False)
    """
    found = []
    ranked = [j for j in range(values.shape[1]) if _holds_ranks(values[:, j])]
    for j in ranked:
        rows = np.isfinite(values[:, j])
        known = np.flatnonzero(np.isfinite(values[rows]).all(axis=0)).tolist()
        others = [i for i in known if i not in ranked]
        relation = _match_ranks(values[rows], j, others, names)
        if relation is not None:
            found.append(relation)
    return found


def _holds_ranks(column: Floats) -> bool:
    """Whether numbers may be ranks: integers or halves from 1 (or 0), no more than there are rows.

    >>> _holds_ranks(np.arange(1.0, 41.0)), _holds_ranks(np.arange(40.0) ** 2)
    (True, False)
    """
    known = column[np.isfinite(column)]
    if len(known) < MIN_RANKED_ROWS or known.min() not in (0.0, 1.0, 1.5):
        return False
    halves = bool((2 * known == np.rint(2 * known)).all())
    even = known.max() <= len(known) and _EVEN[0] <= known.mean() / known.max() <= _EVEN[1]
    return halves and bool(even) and len(np.unique(known)) >= MIN_RANKED_ROWS / 2


def _match_ranks(
    values: Floats, target: int, groupings: Sequence[int], names: Sequence[str]
) -> Relation | None:
    """Find the column whose ranks agree most with these, among those that correlate most."""
    others = list(groupings)
    if not others:
        return None
    alike = np.abs(_correlate(values[:, others], values[:, target]))
    others = [others[i] for i in np.argsort(-alike, kind="stable")[:_MAX_TRIED].tolist()]
    ranks = np.column_stack([rank_evenly(values[:, i]) for i in others])
    agreement = _correlate(ranks, values[:, target])
    best = int(np.argmax(np.abs(agreement)))
    if abs(agreement[best]) < MIN_AGREEMENT:
        return None
    sign = float(np.sign(agreement[best]))
    ranked = sign * values[:, others[best]]
    found = Relation(names[target], "rank", {names[others[best]]: sign}, rows=len(values))
    apart = _measure_distance(rank_evenly(ranked), values[:, target])
    if apart <= MAX_EXACT_DISTANCE:
        return found
    within = _look_within(values, target, ranked, groupings)
    if within is not None:
        return replace(found, within=names[within])
    return replace(found, nearly=True) if apart <= MAX_NEAR_DISTANCE else None


def _measure_distance(ranks: Floats, given: Floats) -> float:
    return float(np.abs(ranks - given).mean() / ranks.max())


def _look_within(
    values: Floats, target: int, ranked: Floats, groupings: Sequence[int]
) -> int | None:
    """Find the column within whose values the ranks were taken, if there is one."""
    counted = [(len(np.unique(values[:, i])), i) for i in groupings]
    few = sorted(one for one in counted if 1 < one[0] <= len(values) / _ROWS_PER_GROUP)
    for _, i in few[:_MAX_GROUPINGS]:
        inside = _rank_within(ranked, values[:, i])
        if _measure_distance(inside, values[:, target]) <= MAX_EXACT_DISTANCE:
            return i
    return None


def _rank_within(column: Floats, grouping: Floats) -> Floats:
    """Rank values among those of the same group.

    >>> _rank_within(np.array([5.0, 1.0, 2.0, 9.0]), np.array([0.0, 1.0, 0.0, 1.0])).tolist()
    [2.0, 1.0, 1.0, 2.0]
    """
    _, group, counts = np.unique(grouping, return_inverse=True, return_counts=True)
    different, places = np.unique(column, return_inverse=True)
    before = np.cumsum(counts) - counts
    keys = np.asarray(group * len(different) + places, dtype=np.float64)
    return rank_evenly(keys) - before[group]


def rank_evenly(column: Floats) -> Floats:
    """Rank values from 1; equal ones have the mean of their ranks.

    >>> rank_evenly(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, places, counts = np.unique(column, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[places])


def _correlate(columns: Floats, with_column: Floats) -> Floats:
    centred, other = columns - columns.mean(axis=0), with_column - with_column.mean()
    lengths = np.linalg.norm(centred, axis=0) * np.linalg.norm(other)
    products = other @ centred
    return np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
