"""Local clusters as evidence of a selection, and the columns that they make worth keeping."""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import groupby
from typing import Any, Unpack

import numpy as np

from tamis.algorithms.orders import best_in_order, order_of
from tamis.algorithms.path import Goal, Path
from tamis.numerics.types import Floats, Indices
from tamis.statistics.rows import RowTable
from tamis.values import dataclass

_ACROSS, _DOWN = 160, 96  # most bins of rows and of columns
_FULL = 2.0  # standard deviations that have the full colour

Part = tuple[Indices, Indices]


# The values of cells in hundredths of the full colour (-100 to 100), the rows and the columns of
# every bin, and for every cluster the rectangles it fills, as first and last bin (exclusive) across
# and down.
Picture = tuple[Indices, list[Indices], list[Indices], list[list[list[int]]]]


def picture_of(rows: Floats, clusters: Sequence[Part]) -> Picture:
    """Order the rows (across) and columns (down) by their clusters, and average them in bins."""
    across = _bins([part[0] for part in clusters], rows.shape[0], _ACROSS)
    down = _bins([part[1] for part in clusters], rows.shape[1], _DOWN)
    spread = np.sqrt(np.square(rows).mean(axis=0))
    means = np.stack([rows[members].mean(axis=0) for members in across]) / spread
    cells = np.stack([means[:, members].mean(axis=1) for members in down])
    values = np.clip(np.rint(100 / _FULL * cells), -100, 100).astype(np.intp)
    frames = [
        [
            [x[0], x[-1] + 1, y[0], y[-1] + 1]
            for y in _runs(down, part[1])
            for x in _runs(across, part[0])
        ]
        for part in clusters
    ]
    return values, across, down, frames


def _bins(groups: Sequence[Indices], size: int, most: int) -> list[Indices]:
    """Sort the members by the groups they are in and cut them into bins, none across groups.

    >>> [b.tolist() for b in _bins([np.array([1, 3]), np.array([3, 4])], 6, 9)]
    [[1], [3], [4], [0], [2], [5]]
    """
    member = np.zeros((len(groups), size), dtype=bool)
    for i, group in enumerate(groups):
        member[i, group] = True
    # By the first group, then by the others; members of none come last.
    first = np.where(member.any(axis=0), member.argmax(axis=0), len(member)) if len(member) else 0
    order = np.lexsort((*member[::-1], np.broadcast_to(first, size)))
    pattern = member[:, order]
    starts = np.flatnonzero(np.r_[True, (pattern[:, 1:] != pattern[:, :-1]).any(axis=0)])
    runs = np.split(order, starts[1:])
    others = runs.pop() if len(groups) and not pattern[:, -1].any() and size > most else None
    room = most if others is None else most - most // 4  # members of no group share the rest
    each = max(1, sum(map(len, runs)) // room)
    while sum(-(-len(run) // each) for run in runs) > max(room, len(runs)):
        each += 1
    bins = [part for run in runs for part in np.array_split(run, -(-len(run) // each))]
    if others is not None:
        share = min(max(most // 4, len(bins)), most - len(bins), len(others))
        bins += np.array_split(others, max(share, 1))
    return bins


def _runs(bins: Sequence[Indices], members: Indices) -> Iterator[list[int]]:
    """List the runs of neighbouring bins that hold members of a cluster."""
    places = np.flatnonzero(np.isin([each[0] for each in bins], members))
    for _, run in groupby(enumerate(places.tolist()), lambda pair: pair[1] - pair[0]):
        yield [place for _, place in run]


@dataclass(frozen=True, eq=False)
class Cluster:
    """Some rows, and the columns in which they are alike, by position."""

    rows: Indices
    columns: Indices
    quality: float  # how alike they are: smaller is better; `Clusters.quality` says what it is
    # Of every column of the table: its mean squared deviation, in these rows, from what the cluster
    # says of it.
    errors: Floats = field(repr=False)


@dataclass(frozen=True, eq=False)
class Clusters:
    """Local clusters of a table of `n_rows` rows, with a picture of them."""

    clusters: tuple[Cluster, ...]
    quality: str
    n_rows: int
    picture: Picture = field(repr=False)

    kind = "clusters"

    @classmethod
    def of(cls, table: RowTable, clusters: Sequence[Cluster], quality: str) -> "Clusters":
        """Order clusters by size, and columns by how well they are described; draw them."""
        best_first = [
            replace(one, columns=one.columns[order_of(one.errors[one.columns], smallest=True)])
            for one in clusters
        ]
        ordered = sorted(best_first, key=lambda one: -one.rows.size * len(one.columns))
        parts = [(one.rows, one.columns) for one in ordered]
        picture = picture_of(table.rows, parts)
        return cls(tuple(ordered), quality, len(table.rows), picture)

    @property
    def labels(self) -> Indices:
        """The first cluster of every row; -1 for rows in none."""
        labels = np.full(self.n_rows, -1, dtype=np.intp)
        for i in reversed(range(len(self.clusters))):
            labels[self.clusters[i].rows] = i
        return labels

    def facts(self, names: Sequence[str]) -> dict[str, Any]:
        """Give all of it as plain values, columns by name."""
        used = {int(j) for one in self.clusters for j in one.columns}
        values, across, down, frames = self.picture
        return {
            "kind": self.kind,
            "quality": self.quality,
            "clusters": [
                {
                    "rows": one.rows.tolist(),
                    "columns": [names[j] for j in one.columns],
                    "quality": one.quality,
                }
                for one in self.clusters
            ],
            "rows": self.n_rows,
            "unassigned": int((self.labels < 0).sum()),
            "unused": len(names) - len(used),
            "picture": {
                "values": values.tolist(),
                "columns": [
                    names[bin_[0]] if len(bin_) == 1 else f"{len(bin_)} columns" for bin_ in down
                ],
                "frames": frames,
                "full": _FULL,
                "rows_each": max(map(len, across)),
                "columns_each": max(map(len, down)),
            },
        }


def path_of(table: RowTable, found: Clusters, k: int | None, **goal: Unpack[Goal]) -> Path:
    """Rank the columns by what the clusters that use them describe; by default keep these.

    The score of a column is summed over the clusters that use it: the share of the rows in the
    cluster, times the share of the column's variance that the cluster accounts for there.
    """
    d = table.rows.shape[1]
    # What every cluster describes of every column, and 1 where it uses the column.
    fits, used = np.zeros((len(found.clusters), d)), np.zeros((len(found.clusters), d))
    variances = np.square(table.rows).mean(axis=0)
    for i, one in enumerate(found.clusters):
        share = one.rows.size / len(table.rows)
        fits[i] = share * np.clip(1 - one.errors / variances, 0, None)
        used[i, one.columns] = 1
    scores, taken = (fits * used).sum(axis=0), np.asarray(used.any(axis=0))
    first, then = order_of(scores), order_of(fits.sum(axis=0))
    order = np.concatenate([first[taken[first]], then[~taken[then]]])
    most = max(len({*np.flatnonzero(taken), *goal.get("include", ())}), 1) if k is None else k
    return replace(best_in_order(table.gram, order, scores, most, **goal), evidence=found)
