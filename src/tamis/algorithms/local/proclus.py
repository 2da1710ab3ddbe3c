"""`proclus`: projected clusters of Aggarwal et al.: medoids, each with the columns it is tight in.

Every cluster has columns of its own: those in which its rows lie close together, judged by the
mean absolute deviation from a central row. `dimensions` is their mean number; without it the
deviations of all clusters and columns are cut in two where the groups differ most, and the small
ones count. Use it where groups of rows are alike in some columns only, and these columns differ
from group to group: distances over all columns hide such groups.

The columns kept are the union of these sets, ranked by the rows they describe: summed over the
clusters that use the column, the share of the rows in the cluster times the share of the column's
variance that the cluster's mean explains there. Other columns follow, by the same figure over all
clusters. Rows far from all clusters belong to none.

Aggarwal et al. stop after one search and one reassignment; here columns, central values (medians)
and assignment are repeated until they settle, and the best of six searches counts. On six planted
clusters with 4 of 50 columns each, this raises the adjusted Rand index from 0.58 to 0.99 (mean of
ten tables). The number of clusters is up to you: try several and compare the pictures.
"""

from dataclasses import replace
from typing import Unpack

import numpy as np

from tamis.algorithms.local.bicluster import cut_gains
from tamis.algorithms.local.local_clusters import Cluster, Clusters, path_of
from tamis.algorithms.path import Goal, Path
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import TIE
from tamis.statistics.rows import RowTable
from tamis.values import dataclass

_SAMPLE, _CANDIDATES = 30, 3  # rows looked at and medoids tried, for each cluster (Aggarwal et al.)
_MIN_CLUSTER_COLUMNS = 2  # columns of a cluster (Aggarwal et al.)
_MIN_CLUSTER_SHARE = 0.1  # of the mean size: a cluster so small has a bad medoid (Aggarwal et al.)
_MAX_IDLE_TRIES = 20  # without gain, then the search ends
_SEARCHES = 6
_ROUNDS = 20  # of the refinement, which settles after a few
_SPREAD_WORDS = (
    "mean distance of its rows from its centre, over its columns, in standard deviations"
)


@dataclass(frozen=True, eq=False)
class Projected:
    """A cluster for every row, and for every cluster the columns that it uses and its centre.

    The smaller the objective, the better.
    """

    labels: Indices
    columns: list[Indices]
    centres: Floats
    objective: float


def find_projected_clusters(
    table: RowTable,
    k: int | None,
    *,
    n_clusters: int = 3,
    dimensions: int | None = None,
    random_state: int = 0,
    **goal: Unpack[Goal],
) -> Path:
    """Find projected clusters and keep the columns that they use."""
    rng = np.random.default_rng(random_state)
    found = proclus(table.rows, n_clusters, dimensions, rng)
    clusters = []
    for i, columns in enumerate(found.columns):
        members = np.flatnonzero(found.labels == i)
        if members.size:
            part = table.rows[members]
            errors = np.square(part - part.mean(axis=0)).mean(axis=0)
            spread = np.abs(part[:, columns] - found.centres[i, columns]).mean()
            clusters.append(Cluster(members, columns, float(spread), errors))
    return path_of(table, Clusters.of(table, clusters, _SPREAD_WORDS), k, **goal)


def proclus(
    rows: Floats, n_clusters: int, dimensions: int | None, rng: np.random.Generator
) -> Projected:
    """Cluster the rows, the best of several searches; a row that is far from all gets -1."""
    n, d = rows.shape
    count = max(1, min(n_clusters, n // 2))
    size = max(min(_MIN_CLUSTER_COLUMNS, d), min(dimensions or round(np.sqrt(d)), d))
    searches = track("searches for clusters", range(_SEARCHES), _SEARCHES)
    found = [
        refine(rows, climb(rows, count, size, rng), size if dimensions else None) for _ in searches
    ]
    best = found[first_best(-np.array([one.objective for one in found]))]
    if len(best.centres) < 2:
        return best
    # A row is far that is farther from every centre than the next centre is.
    between = measure_segmental(best.centres, best.centres, best.columns)
    np.fill_diagonal(between, np.inf)
    distances = measure_segmental(rows, best.centres, best.columns)
    far = (distances > between.min(axis=1)[:, None] * (1 + TIE)).all(axis=0)
    return replace(best, labels=np.where(far, -1, best.labels))


def climb(rows: Floats, count: int, size: int, rng: np.random.Generator) -> Projected:
    """Exchange bad medoids for other candidates as long as the clusters get tighter."""
    candidates = spread_out(rows, count, rng)
    distances = np.stack([np.abs(rows - rows[m]).mean(axis=1) for m in candidates])
    chosen = np.sort(rng.choice(len(candidates), min(count, len(candidates)), replace=False))
    best, best_medoids, tries = None, chosen, 0
    while best is None or tries < _MAX_IDLE_TRIES:
        found = assign_by_medoids(rows, candidates, chosen, distances, size)
        if best is None or found.objective < best.objective * (1 - TIE):
            best, best_medoids, tries = found, chosen, 0
        else:
            tries += 1
        others = np.setdiff1d(np.arange(len(candidates)), best_medoids)
        # The smallest cluster, and those with hardly any rows.
        sizes = np.bincount(best.labels, minlength=len(best_medoids))
        few = sizes < _MIN_CLUSTER_SHARE * len(best.labels) / len(best_medoids)
        few[int(np.argmin(sizes))] = True
        bad = np.flatnonzero(few)[: others.size]
        if not bad.size:
            break
        chosen = best_medoids.copy()
        chosen[bad] = rng.choice(others, bad.size, replace=False)
    return best


def spread_out(rows: Floats, count: int, rng: np.random.Generator) -> Indices:
    """Choose candidates for medoids among some random rows, each far from those before it."""
    n = len(rows)
    sample = np.sort(rng.choice(n, min(n, _SAMPLE * count), replace=False))
    taken = [int(rng.integers(sample.size))]
    nearest = np.abs(rows[sample] - rows[sample[taken[0]]]).mean(axis=1)
    while len(taken) < min(_CANDIDATES * count, sample.size):
        taken.append(first_best(nearest))
        distance = np.abs(rows[sample] - rows[sample[taken[-1]]]).mean(axis=1)
        nearest = np.minimum(nearest, distance)
    return sample[taken]


def assign_by_medoids(
    rows: Floats, candidates: Indices, chosen: Indices, distances: Floats, size: int
) -> Projected:
    """Give every medoid the columns its neighbourhood is tight in, and the rows nearest there."""
    medoids = candidates[chosen]
    between = distances[np.ix_(chosen, medoids)]
    np.fill_diagonal(between, np.inf)
    radius = between.min(axis=1)
    near = [distances[c] <= r for c, r in zip(chosen, radius, strict=True)]
    deviations = np.stack(
        [_mean(np.abs(rows[mask] - rows[m]), 0) for mask, m in zip(near, medoids, strict=True)]
    )
    return assign_rows(rows, rows[medoids], tight_columns(deviations, size))


def tight_columns(deviations: Floats, size: int) -> list[Indices]:
    """Choose the columns of smallest deviation, relative to the others of the same cluster.

    `size` is their mean number; every cluster has at least two.

    >>> [c.tolist() for c in tight_columns(np.array([[1, 9, 2, 9.0], [8, 1, 8, 1]]), 2)]
    [[0, 2], [1, 3]]
    """
    count, d = deviations.shape
    spread = deviations.std(axis=1, ddof=1, keepdims=True) if d > 1 else np.ones((count, 1))
    centred = deviations - deviations.mean(axis=1, keepdims=True)
    z = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0)
    order = np.argsort(z, axis=1, kind="stable")
    taken = np.zeros((count, d), dtype=bool)
    np.put_along_axis(taken, order[:, : min(_MIN_CLUSTER_COLUMNS, d)], True, axis=1)
    rest = np.argsort(np.where(taken, np.inf, z), axis=None, kind="stable")
    taken.flat[rest[: max(count * size - int(taken.sum()), 0)]] = True
    return [np.flatnonzero(row) for row in taken]


def columns_by_gap(deviations: Floats, usual: Floats) -> list[Indices]:
    """Cut all deviations, relative to those of all rows, in two groups; choose the small ones."""
    count, d = deviations.shape
    ratios = deviations / usual
    order = np.argsort(ratios, axis=None, kind="stable")
    taken = np.zeros((count, d), dtype=bool)
    if order.size > 1:
        taken.flat[order[: first_best(cut_gains(ratios.flat[order])) + 1]] = True
    least = np.argsort(ratios, axis=1, kind="stable")[:, : min(_MIN_CLUSTER_COLUMNS, d)]
    np.put_along_axis(taken, least, True, axis=1)
    return [np.flatnonzero(row) for row in taken]


def assign_rows(rows: Floats, centres: Floats, columns: list[Indices]) -> Projected:
    """Put every row to the centre that is nearest in the centre's own columns."""
    distances = measure_segmental(rows, centres, columns)
    labels = np.argmax(distances <= distances.min(axis=0) * (1 + TIE), axis=0)  # up to rounding
    spreads = [
        float(_mean(np.abs(part - _mean(part, 0)), None)) * len(part)
        for i, own in enumerate(columns)
        if len(part := rows[np.ix_(labels == i, own)])
    ]
    return Projected(labels, columns, centres, float(np.sum(spreads)) / len(rows))


def measure_segmental(rows: Floats, centres: Floats, columns: list[Indices]) -> Floats:
    """Give the mean absolute difference to every centre over the centre's own columns."""
    pairs = zip(centres, columns, strict=True)
    return np.stack([_mean(np.abs(rows[:, own] - centre[own]), 1) for centre, own in pairs])


def _mean(values: Floats, axis: int | None) -> Floats:
    """Average as `values.mean(axis)` does, which takes longer to begin than these to add up."""
    size = values.size if axis is None else values.shape[axis]
    return np.asarray(np.add.reduce(values, axis=axis) / size)


def refine(rows: Floats, start: Projected, size: int | None) -> Projected:
    """Find columns and centres again from the clusters themselves until nothing changes."""
    found, centres = start, start.centres.copy()
    usual = np.abs(rows - np.median(rows, axis=0)).mean(axis=0)
    for _ in range(_ROUNDS):
        deviations = np.tile(usual, (len(centres), 1))
        for i in range(len(centres)):
            part = rows[found.labels == i]
            if len(part):
                centres[i] = np.median(part, axis=0)
                deviations[i] = np.abs(part - centres[i]).mean(axis=0)
        own = columns_by_gap(deviations, usual) if size is None else tight_columns(deviations, size)
        last, found = found, assign_rows(rows, centres.copy(), own)
        pairs = zip(last.columns, found.columns, strict=True)
        if np.array_equal(last.labels, found.labels) and all(
            np.array_equal(a, b) for a, b in pairs
        ):
            break
    return replace(found, objective=-measure_tightness(rows, found, usual))


def measure_tightness(rows: Floats, found: Projected, usual: Floats) -> float:
    """Sum over rows and columns used how much nearer to the centre than usual they lie, squared.

    The objective of the search does not compare sets of columns of different sizes; this does. The
    square keeps columns that are hardly nearer from counting.
    """
    total = 0.0
    for i, own in enumerate(found.columns):
        part = rows[np.ix_(found.labels == i, own)]
        if len(part):
            ratio = np.abs(part - found.centres[i, own]).mean(axis=0) / usual[own]
            total += len(part) * float(np.square(np.clip(1 - ratio, 0, None)).sum())
    return total
