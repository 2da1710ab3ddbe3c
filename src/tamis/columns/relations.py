"""Which columns others determine: copies, other units, logarithms, ranks, sums."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tamis.columns.broken_sums import find_broken_sums
from tamis.columns.near_ranks import find_near_ranks
from tamis.columns.relation import Relation
from tamis.columns.row_groups import group_by_rows
from tamis.columns.same_order import find_same_order
from tamis.columns.sums import find_sums
from tamis.numerics.types import Floats

__all__ = ["MIN_RELATED_ROWS", "find_relations"]

MIN_RELATED_ROWS = 8  # below, anything may be a coincidence


def find_relations(
    values: Floats, names: Sequence[str], *, sampled: bool = False
) -> tuple[Relation, ...]:
    """Find every column that others determine, each with the simplest way that was found.

    `values` are rows of the table, NaN where a value is missing, all of them or, if `sampled`,
    some. Sums are of columns that are no function of one other; ranks that differ in places, or
    were taken within groups, are known as such only where all rows are there.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(size=(2, 40)).round(2)
    >>> found = find_relations(np.column_stack([a, b, a, a + b]), ["a", "b", "again", "both"])
    >>> [(one.column, one.parts) for one in found]
    [('again', {'a': 1.0}), ('both', {'a': 1.0, 'b': 1.0})]
    """
    values = np.where(np.isfinite(values), values, np.nan)
    if len(values) < MIN_RELATED_ROWS:
        return ()
    with np.errstate(all="ignore"):  # columns too large to be squared or added have no relations
        return _find_all(values, names, sampled=sampled)


def _find_all(values: Floats, names: Sequence[str], *, sampled: bool) -> tuple[Relation, ...]:
    found = {one.column: one for one in find_same_order(values, names)}
    left = [j for j, name in enumerate(names) if name not in found]
    others = [names[j] for j in left]
    mirrored = _find_mirrored(found.values())
    rest = values.take(left, axis=1)  # row by row in memory, as rows are taken of it
    groups = list(group_by_rows(rest))
    exact = find_sums(groups, others)
    sums = [_add_up(one, mirrored) for one in (*exact, *find_broken_sums(groups, others))]
    ranks = [] if sampled else find_near_ranks(rest, others)
    for one in (*sums, *ranks):
        found.setdefault(one.column, one)
    place = {name: j for j, name in enumerate(names)}
    ordered = sorted(found.values(), key=lambda one: place[one.column])
    return tuple(replace(one, sampled=sampled) for one in ordered)


def _find_mirrored(relations: Iterable[Relation]) -> dict[str, tuple[str, float]]:
    """Give for columns that are there reversed, too, the reversed one and the sum of both."""
    found: dict[str, tuple[str, float]] = {}
    for one in relations:
        if one.form == "linear" and not one.rounded and list(one.parts.values()) == [-1.0]:
            found.setdefault(next(iter(one.parts)), (one.column, one.constant))
    return found


def _add_up(relation: Relation, mirrored: Mapping[str, tuple[str, float]]) -> Relation:
    """Write a sum with reversed items in the place of those taken off, where all of them are there.

    >>> total = Relation("total", "linear", {"a": 1.0, "b": -1.0}, 6.0)
    >>> _add_up(total, {"b": ("b reversed", 6.0)}).parts
    {'a': 1.0, 'b reversed': 1.0}
    """
    off = [name for name, weight in relation.parts.items() if weight < 0]
    if not off or not all(name in mirrored for name in off):
        return relation
    parts, constant = {}, relation.constant
    for name, weight in relation.parts.items():
        if weight < 0:
            name, both = mirrored[name]
            constant += weight * both
            weight = -weight
        parts[name] = weight
    return replace(relation, parts=parts, constant=constant)
