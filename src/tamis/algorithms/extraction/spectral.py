"""`spectral`: the embedding of Ng, Jordan and Weiss, in which clusters of any shape fall apart.

Two rows have the affinity `A = exp(-distance^2 / (2 sigma^2))`, a row none with itself. With the
degrees `D` (row sums of `A`), the scores are the eigenvectors of the largest eigenvalues of
`D^-1/2 A D^-1/2`, each row scaled to length 1. Rows of one cluster have nearly the same scores, so
K-means finds the clusters, as many as there are components: also rings and curves, which K-means
on the columns cannot find. `tamis.clustering.SpectralClusters` gives the cluster of each row.

Clusters without affinity between them have the eigenvalue 1 each, and those that touch nearly so.
Without a number of components, it is 2 to 10: the one after which the next eigenvalue lies most
times further from 1. A share is a part of the sum of the eigenvalues of the components computed.
`sigma` is by default the median distance of a row to its 5th nearest neighbour (`neighbours`).

New rows get the scores that the eigenvectors imply for them (Nystroem): means of the scores of the
rows near them. There are no loadings. All pairs of rows are compared; the affinities are held where
they take up to 1 GB, and computed block by block beyond, up to 32,768 rows.
"""

from dataclasses import field
from typing import Any

import numpy as np

from tamis.algorithms.cluster_count import MOST_CLUSTERS, kmeans
from tamis.algorithms.extraction.class_scatter import CentredRows
from tamis.algorithms.extraction.kernels import measure_row_distances
from tamis.algorithms.path import head_size
from tamis.algorithms.projection import Projection, short_of
from tamis.errors import TamisError, spell
from tamis.memory import get_budget
from tamis.numerics.eigen import find_leading_pairs, find_leading_subspace, fix_signs
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import EPS, RANK_TOL
from tamis.statistics.neighbours import measure_pair_distances, nearest_rows
from tamis.values import dataclass

_HELD_BYTES = 1 << 30
_MAX_DECOMPOSED_ROWS = 2048  # up to here one decomposition is quicker than many products
_MAX_ROWS = 32_768
_TOUCHING = 1e-6  # eigenvalues nearer to 1 belong to clusters that hardly touch


@dataclass(frozen=True, eq=False)
class SpectralProjection(Projection):
    """Scores of length 1 for every row, and the clusters of the rows fitted.

    `weights` are those of the affinities with the fitted rows, which are kept; `width` is sigma in
    the coordinates of `table.reduced`.
    """

    table: CentredRows = field(repr=False)
    width: float = field(repr=False)
    weights: Floats = field(repr=False)
    embedding: Floats = field(repr=False)
    labels: Indices = field(repr=False)

    def project(self, rows: Any) -> Floats:
        """Give the scores of these rows: fitted rows have those that they were fitted with."""
        fresh = self.table.treat_alike(rows) / self.table.unit
        fresh = fresh if self.table.basis is None else fresh @ self.table.basis
        # A row that was fitted comes back a little moved, where means are large beside the spread.
        far = self.table.mean[self.table.varying] / self.table.scale[self.table.varying]
        rounding = 4 * EPS * float(np.linalg.norm(far)) / self.table.unit
        known = (self.table.reduced, self.width, self.weights)
        return extend_scores(fresh, *known, fitted=self.embedding, rounding=rounding)


def spectral_components(
    rows: Any,
    k: int | None = None,
    *,
    share: float = 1.0,
    rule: str = "ceil",
    scale: bool = True,
    sigma: str | float = "median",
    neighbours: int = 5,
    random_state: int = 0,
) -> SpectralProjection:
    """Compute the spectral embedding of the rows, and their clusters."""
    table = CentredRows.of(rows, scale)
    if len(table.rows) > _MAX_ROWS:
        raise TamisError(
            f"spectral compares all rows with each other, and there are {len(table.rows):,}: give "
            f"at most {_MAX_ROWS:,} rows, for instance a random sample, or use 'lpp'."
        )
    Z = table.reduced
    width = find_width(Z, sigma if isinstance(sigma, str) else sigma / table.unit, neighbours)
    affinity = _Affinity(Z, width)
    most = min(len(Z), MOST_CLUSTERS + 1)
    values, vectors = affinity.find_leading(most if k is None else min(k, len(Z)))
    # An eigenvalue of 0 implies no scores for other rows.
    whole = int(np.argmin(np.append(np.abs(values) > RANK_TOL, False)))
    size = min(_clusters(values), whole) if k is None else whole
    positive = np.maximum(values[:size], 0.0)
    shares = positive / positive.sum()
    kept = size if k is not None else head_size(shares, share, rule)
    values, vectors = values[:kept], fix_signs(vectors[:, :kept])
    weights = vectors / values * affinity.roots[:, None]
    embedding = _unit_rows(vectors)
    far = np.flatnonzero(affinity.roots == 0)
    embedding[far] = extend_scores(Z[far], Z, width, weights)
    labels = kmeans(embedding, kept, random_state=random_state)[0]
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    labels = np.argsort(np.argsort(first))[codes].astype(np.intp)  # in the order of first rows
    counts = np.bincount(labels)
    listed = ", ".join(f"{count:,}" for count in counts)
    word = "cluster" if len(counts) == 1 else "clusters"
    note = f"sigma = {width * table.unit:.6g}; {len(counts)} {word} of {listed} rows"
    note += short_of(k, kept, "other eigenvalues are zero")
    return SpectralProjection(values, shares[:kept], note, table, width, weights, embedding, labels)


def find_width(Z: Floats, sigma: str | float, neighbours: int) -> float:
    """Give sigma: a number, or the median distance to a near neighbour, never 0.

    >>> find_width(np.array([[0.0], [1.0], [3.0], [7.0]]), "median", 1)
    1.5
    """
    if not isinstance(sigma, str):
        if not (np.isfinite(sigma) and sigma > 0):
            raise TamisError(f"{spell('sigma', sigma)}: give a number above 0.")
        return float(sigma)
    nearest = nearest_rows(Z, neighbours, search="exact")
    here = np.repeat(np.arange(len(Z)), nearest.shape[1])
    squares = measure_pair_distances(Z, here, nearest.ravel()).reshape(nearest.shape).max(axis=1)
    found = float(np.median(np.sqrt(squares)))
    if found > 0:
        return found
    apart = squares[squares > 0]  # most rows have so many copies; the others say what is near
    return float(np.sqrt(apart.min())) if len(apart) else 1.0


class _Affinity:
    """The matrix `D^-1/2 A D^-1/2`, held only if it fits the budget.

    `roots` are the diagonal of `D^-1/2`: 0 for rows so far from all others that no affinity is
    left.
    """

    def __init__(self, Z: Floats, width: float) -> None:
        self._rows, self._width, n = Z, width, len(Z)
        held = 8 * n * n <= min(_HELD_BYTES, get_budget())
        self._held = np.empty((n, n)) if held else None
        degrees = np.empty(n)
        for part in row_blocks(n, n):
            block = self._block(part)
            degrees[part] = block.sum(axis=1)
            if self._held is not None:
                self._held[part] = block
        roots = np.zeros(n)
        self.roots = np.divide(1.0, np.sqrt(degrees), out=roots, where=degrees > 0)
        if not self.roots.any():
            raise TamisError("No two rows are near each other: give a larger sigma.")
        if self._held is not None:
            self._held *= self.roots
            self._held *= self.roots[:, None]

    def _block(self, part: slice) -> Floats:
        block = measure_row_distances(self._rows[part], self._rows)
        block /= -2.0 * self._width * self._width
        np.exp(block, out=block)
        block[np.arange(len(block)), np.arange(part.start, part.stop)] = 0.0
        return block

    def find_leading(self, count: int) -> tuple[Floats, Floats]:
        """Give the largest eigenvalues, largest first, and their eigenvectors as columns.

        They are found with 1 added, which makes none negative.
        """
        n = len(self._rows)
        if self._held is not None and n <= _MAX_DECOMPOSED_ROWS:
            values, vectors = find_leading_pairs(self._held + np.eye(n), count)
        else:
            values, vectors = find_leading_subspace(self._shift_affinity, n, count)
        return values - 1.0, vectors

    def _shift_affinity(self, u: Floats) -> Floats:
        if self._held is not None:
            return self._held @ u + u
        out = u.copy()
        scaled = self.roots[:, None] * u
        for part in row_blocks(len(self._rows), len(self._rows)):
            out[part] += self.roots[part, None] * (self._block(part) @ scaled)
        return out


def extend_scores(
    fresh: Floats,
    known: Floats,
    width: float,
    weights: Floats,
    *,
    fitted: Floats | None = None,
    rounding: float = 0.0,
) -> Floats:
    """Give the scores of rows by their affinities with the known ones, but never with themselves.

    Rows that are known, but for `rounding`, have the scores that were `fitted`, where these are
    given. Only proportions count, so that distances are taken from the nearest row: no row is too
    far.
    """
    scores = np.zeros((len(fresh), weights.shape[1]))
    for part in row_blocks(len(fresh), len(known)):
        block = measure_row_distances(fresh[part], known)
        nearest = block.argmin(axis=1)
        rows = np.flatnonzero(block.min(axis=1) <= rounding * rounding)
        block[rows, nearest[rows]] = np.inf
        block -= block.min(axis=1, keepdims=True)
        block /= -2.0 * width * width
        scores[part] = _unit_rows(np.exp(block, out=block) @ weights)
        if fitted is not None:
            scores[part.start + rows] = fitted[nearest[rows]]
    return scores


def _unit_rows(scores: Floats) -> Floats:
    lengths = np.linalg.norm(scores, axis=1, keepdims=True)
    return np.divide(scores, lengths, out=np.zeros_like(scores), where=lengths > 0)


def _clusters(values: Floats) -> int:
    """Count the eigenvalues before the largest gap, at least 2 where there are as many.

    Long clusters have eigenvalues near 1 besides their first, so that it counts how many
    times further the next one lies from 1.

    >>> _clusters(np.array([1.0, 0.9999, 0.99, 0.98]))
    2
    """
    if len(values) < 3:
        return len(values)
    away = np.maximum(1.0 - values, _TOUCHING)
    return 2 + first_best(away[2:] / away[1:-1])
