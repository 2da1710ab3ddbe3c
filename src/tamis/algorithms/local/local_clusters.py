"""Local clusters as evidence of a selection, and the columns that they make worth keeping."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.algorithms.by_score import best_in_order, order_of
from tamis.algorithms.local.picture import Picture, picture_of
from tamis.algorithms.path import Path
from tamis.numerics.types import Floats, Indices
from tamis.statistics.row_table import RowTable


@dataclass(frozen=True, eq=False)
class Cluster:
    """Some rows, and the columns in which they are alike.

    Attributes
    ----------
    rows, columns
        Positions, among the rows and the columns analysed.
    quality
        How alike they are: smaller is better; `Clusters.quality` says what it is.
    errors
        Of every column of the table: its mean squared deviation, in these rows, from what the
        cluster says of it.
    """

    rows: Indices
    columns: Indices
    quality: float
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
        """Order the clusters, the largest first, and draw them."""
        ordered = sorted(
            map(_best_first, clusters), key=lambda one: -one.rows.size * len(one.columns)
        )
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
            "picture": self.picture.facts(names),
        }


def _best_first(one: Cluster) -> Cluster:
    """Order the columns of a cluster, those it describes best first."""
    return replace(one, columns=one.columns[order_of(one.errors[one.columns], smallest=True)])


def path_of(
    table: RowTable,
    found: Clusters,
    k: int | None,
    *,
    retain: float,
    include: Sequence[int],
) -> Path:
    """Rank the columns by what the clusters that use them describe; by default keep these.

    The score of a column is summed over the clusters that use it: the share of the rows in the
    cluster, times the share of the column's variance that the cluster accounts for there.
    """
    fits, used = _fits(table, found.clusters)
    scores = (fits * used).sum(axis=0)
    taken = used.sum(axis=0) > 0
    order = _used_first(scores, fits.sum(axis=0), taken)
    most = max(len({*np.flatnonzero(taken), *include}), 1) if k is None else k
    path = best_in_order(table.gram, order, scores, most, retain=retain, include=include)
    return replace(path, evidence=found)


def _fits(table: RowTable, clusters: Sequence[Cluster]) -> tuple[Floats, Floats]:
    """Give what every cluster describes of every column, and 1 where it uses the column."""
    d = table.rows.shape[1]
    fits, used = np.zeros((len(clusters), d)), np.zeros((len(clusters), d))
    variances = np.square(table.rows).mean(axis=0)
    for i, one in enumerate(clusters):
        share = one.rows.size / len(table.rows)
        fits[i] = share * np.clip(1 - one.errors / variances, 0, None)
        used[i, one.columns] = 1
    return fits, used


def _used_first(scores: Floats, all_fits: Floats, used: NDArray[np.bool_]) -> Indices:
    """Rank the columns that clusters use by score, then the others by what clusters describe."""
    first, then = order_of(scores), order_of(all_fits)
    return np.concatenate([first[used[first]], then[~used[then]]])
