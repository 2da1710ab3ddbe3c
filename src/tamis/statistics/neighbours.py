"""The graph of neighbouring rows, and the summary of a table that holds it.

This is the one summary that keeps the rows: they are read once, in any number of batches, and held
as float64 (a sparse table is made dense). What does not fit in memory is for a sample of the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.gram import Gram
from tamis.statistics.knn import measure_pair_distances, nearest_rows
from tamis.statistics.linear import TableSummary, summary_of_moments, summary_of_rows
from tamis.statistics.moments import Moments
from tamis.statistics.rows import collect_rows
from tamis.statistics.statistic import Statistic
from tamis.statistics.units import compute_level


@dataclass(frozen=True, eq=False)
class Neighbours(Statistic[Gram]):
    """The rows of a table and the graph that joins those near each other.

    `rows` are the varying columns, centred and of standard deviation 1, each or, unscaled, in the
    quadratic mean; `graph` is symmetric, with
    the weights of the edges; `gram` is the Gram matrix of the same columns.
    """

    rows: Floats
    graph: Any
    gram: Gram

    @property
    def explained(self) -> Gram:
        """What the columns explain of each other."""
        return self.gram


@dataclass(frozen=True, eq=False)
class NeighbourSummary(TableSummary):
    """All that the methods on neighbouring rows need to know of a table."""

    near: Neighbours

    @property
    def statistic(self) -> Neighbours:
        """What a method of this summary works on."""
        return self.near


def collect_neighbours(
    source: Source,
    columns: Sequence[int],
    *,
    scale: bool,
    missing: MissingPolicy = MissingPolicy.ERROR,
    neighbours: int = 5,
    weight: str = "heat",
    t: float | None = None,
    search: str = "auto",
    random_state: int = 0,
) -> NeighbourSummary:
    """Read the table once, hold its rows and join each to its nearest ones."""
    found = collect_rows(source, columns, missing=missing)
    table = found.values
    if scipy.sparse.issparse(table):
        table = table.toarray()
    table = table.astype(np.float64, copy=False)  # the same digits from any form of the table
    if len(table) >= len(columns):
        base = summary_of_moments(Moments.from_batch(table), scale)
    else:
        base = summary_of_rows(table, scale)
    rows = table[:, base.varying] if len(base.varying) < len(columns) else table
    rows = rows - base.mean[base.varying]
    unit = 1.0 if scale else compute_level(base.std)
    rows /= base.std[base.varying] if scale else unit
    width = None if t is None else t / unit / unit
    graph = neighbour_graph(
        rows, neighbours, weight=weight, t=width, search=search, random_state=random_state
    )
    near = Neighbours(rows, graph, base.gram)
    return NeighbourSummary(
        base.n_rows, base.mean, base.std, base.varying, base.gram, near, tally=found.tally
    )


def neighbour_graph(
    rows: Floats,
    neighbours: int = 5,
    *,
    weight: str = "heat",
    t: float | None = None,
    search: str = "auto",
    random_state: int = 0,
) -> Any:
    """Join every row to its nearest ones; two rows are joined if either is near the other.

    An edge weighs `exp(-distance^2 / t)`, where `t` is the mean squared distance over the edges
    unless given, or 1 with `weight="binary"`. Copies of a row are at distance 0 and weigh 1.

    Examples
    --------
    >>> neighbour_graph(np.array([[0.0], [1.0], [9.0]]), 1, weight="binary").toarray()
    array([[0., 1., 0.],
           [1., 0., 1.],
           [0., 1., 0.]])
    """
    n = len(rows)
    nearest = nearest_rows(rows, neighbours, search=search, random_state=random_state)
    here = np.repeat(np.arange(n), nearest.shape[1])
    there = nearest.ravel()
    pairs = np.unique(np.minimum(here, there) * n + np.maximum(here, there))
    low, high = np.divmod(pairs, n)
    weights = np.ones(len(pairs))
    if weight == "heat" and len(pairs):
        squares = measure_pair_distances(rows, low, high)
        width = float(squares.mean()) if t is None else t
        # A mean of 0 says that all edges join copies, which weigh 1.
        weights = np.exp(-squares / width) if width > 0 else weights
    both = (np.concatenate([low, high]), np.concatenate([high, low]))
    return scipy.sparse.csr_array((np.concatenate([weights, weights]), both), shape=(n, n))
