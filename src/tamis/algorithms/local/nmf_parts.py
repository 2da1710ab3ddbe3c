"""`nmf-parts`: parts of a non-negative factorisation, each with its columns and its rows.

Every row is written as a sum of non-negative parts (Lee and Seung), with the factorisation of
`nmf`. A part that weighs heavily in some columns only, and is present in some rows only, is a local
cluster: Cunningham lists it with biclusters and projected clusters. A row may hold several parts,
so that clusters overlap.

The columns of a part are those of large weight, its rows those with a large amount of it: both are
cut in two where the groups differ most, and if the larger do not weigh at least twice as much as
the smaller, in the mean, all of them count. The columns kept are those of all parts, ranked by the
rows they describe: summed over the parts that use the column, the share of the rows in the part
times the share of the column's variance that the part accounts for there, up to a level of the
column. Other columns follow, by the same figure over all parts.

Every column is counted from its smallest value, so that negative values are taken too, and a
constant added to a column changes nothing. Columns keep their unit, so that those of large values
count most: `scale=True` divides them by their standard deviations, which lifts columns of noise
above those that are 0 in most rows. The number of parts is up to you: try several and compare the
pictures.
"""

from typing import Unpack

import numpy as np

from tamis.algorithms.factorise import factorise
from tamis.algorithms.local.bicluster import cut_gains
from tamis.algorithms.local.local_clusters import Cluster, Clusters, path_of
from tamis.algorithms.path import Goal, Path
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.statistics.rows import RowTable

_MAX_ITERATIONS = 1000
_HEAVIER = 2.0  # times the mean of the others: less is no group of its own
_ERROR_TEXT = (
    "mean squared error of the part in its rows and columns, of the mean variance of a column"
)


def local_parts(
    table: RowTable,
    k: int | None,
    *,
    n_clusters: int = 3,
    random_state: int = 0,
    **goal: Unpack[Goal],
) -> Path:
    """Find non-negative parts and keep the columns that weigh heavily in one."""
    values = table.rows - table.rows.min(axis=0)
    amounts, parts, _ = factorise(
        values,
        min(n_clusters, *values.shape),
        loss="frobenius",
        max_iter=_MAX_ITERATIONS,
        random_state=random_state,
    )
    clusters = [
        _part(values, amount, weights)
        for amount, weights in zip(amounts.T, parts, strict=True)
        if amount.any() and weights.any()
    ]
    return path_of(table, Clusters.of(table, clusters, _ERROR_TEXT), k, **goal)


def _part(values: Floats, amounts: Floats, weights: Floats) -> Cluster:
    """Choose the rows and columns of a part, and measure what it leaves of every column there."""
    rows, columns = heavy(amounts), heavy(weights)
    left = values[rows] - np.outer(amounts[rows], weights)
    errors = left.var(axis=0)
    return Cluster(rows, columns, float(errors[columns].mean()), errors)


def heavy(weights: Floats) -> Indices:
    """Give the places of the large weights, cut where the two groups differ most; all if alike.

    >>> heavy(np.array([0.0, 5.0, 1.0, 6.0])), heavy(np.array([3.0, 4.0]))
    (array([1, 3]), array([0, 1]))
    """
    if len(weights) < 2:
        return np.arange(len(weights))
    order = np.argsort(-weights, kind="stable")
    ordered = weights[order]
    cut = 1 + first_best(cut_gains(ordered))
    apart = ordered[:cut].mean() >= _HEAVIER * ordered[cut:].mean()
    return np.sort(order[:cut]) if apart else np.arange(len(weights))
