"""The graph of neighbouring rows, and the summary of a table that holds it.

This is the one summary that keeps the rows: they are read once, in any number of batches, and held
as float64 (a sparse table is made dense). What does not fit in memory is for a sample of the rows.
"""

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.errors import TamisError, spell
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.tolerances import EPS, TIE
from tamis.sources.source import Source
from tamis.statistics.column_spread import compute_level
from tamis.statistics.gram import Gram
from tamis.statistics.gram.protocol import Statistic
from tamis.statistics.linear import summary_of_table
from tamis.statistics.rows import collect_rows
from tamis.statistics.summary import Summary
from tamis.values import dataclass


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
) -> Summary:
    """Read the table once, hold its rows and join each to its nearest ones."""
    found = collect_rows(source, columns, missing=missing)
    table = found.values
    if scipy.sparse.issparse(table):
        table = table.toarray()
    table = table.astype(np.float64, copy=False)  # the same digits from any form of the table
    base = summary_of_table(table, scale)
    rows = table[:, base.varying] if len(base.varying) < len(columns) else table
    rows = rows - base.mean[base.varying]
    unit = 1.0 if scale else compute_level(base.std)
    rows /= base.std[base.varying] if scale else unit
    width = None if t is None else t / unit / unit
    graph = neighbour_graph(
        rows, neighbours, weight=weight, t=width, search=search, random_state=random_state
    )
    return replace(base, table=Neighbours(rows, graph, base.gram), tally=found.tally)


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


# The nearest rows of every row: exact by a tree or by products, or approximate with PyNNDescent.
#
# All give, for every row, its `k` nearest other rows. Distances are compared with a margin of 1e-9
# (relative), and within it the smaller index is the nearer: neither the order of the columns nor
# rounding decides. A row is never its own neighbour; a copy of it may be.
EXACT_ROWS = 50_000

_TREE_COLUMNS = 6
_SPARE = 4
_DISTANCE_BYTES = 1 << 25  # larger blocks than elsewhere: each one sorts its candidates anew
_MAX_LAYERS = 64
_BEYOND_DISTANCE = 1e300  # beyond any distance, and still a number


def nearest_rows(rows: Floats, k: int, *, search: str = "auto", random_state: int = 0) -> Indices:
    """Give the `k` nearest other rows of every row, smallest index first.

    With `search="auto"` the search is exact up to 50,000 rows, and for any number of rows of at
    most 6 columns. Beyond, it is approximate when PyNNDescent is installed and exact, which may
    take long, when it is not.

    Examples
    --------
    >>> nearest_rows(np.array([[0.0], [1.0], [2.0], [9.0]]), 1).ravel()
    array([1, 0, 1, 2])
    """
    k = min(k, len(rows) - 1)
    if k < 1:
        return np.zeros((len(rows), 0), dtype=np.intp)
    many = len(rows) > EXACT_ROWS and rows.shape[1] > _TREE_COLUMNS
    if search == "approximate" or (search == "auto" and many and _descent() is not None):
        return _approximate(rows, k, random_state)
    return _exact(rows, k)


def measure_pair_distances(rows: Floats, left: Indices, right: Indices) -> Floats:
    """Give the squared distance of each pair of rows, from their differences.

    The same pair gives the same number in both directions, and copies give exactly 0.
    """
    found = np.empty(len(left))
    for part in row_blocks(len(left), 2 * rows.shape[1], room=_DISTANCE_BYTES):
        difference = rows[left[part]] - rows[right[part]]
        found[part] = np.einsum("ij,ij->i", difference, difference)
    return found


def _exact(rows: Floats, k: int) -> Indices:
    """Search all rows, but copies only as far as they can matter."""
    found = np.zeros((len(rows), k), dtype=np.intp)
    copies = _Copies(rows)
    # Of many copies the first k others are the nearest: no search finds better.
    crowded = copies.sizes > k
    for row in np.flatnonzero(crowded):
        first = copies.first(int(row), k + 1)
        found[row] = first[first != row][:k]
    # A copy with k + 1 others before it is nobody's neighbour.
    shown = np.flatnonzero(copies.positions <= k)
    wanted = np.flatnonzero(~crowded)
    if len(wanted) and 0 < rows.shape[1] <= _TREE_COLUMNS:
        found[wanted], sure = _by_tree(rows, wanted, shown, k)
        wanted = wanted[~sure]
    if len(wanted):
        found[wanted] = _search_blocks(rows, wanted, shown, k)
    return found


def _by_tree(
    rows: Floats, wanted: Indices, shown: Indices, k: int
) -> tuple[Indices, NDArray[np.bool_]]:
    """Search with a tree, which is fast in few columns; say for which rows that is certain.

    A few more rows than needed are asked for. Where the last of them is still as near as the
    `k`-th, others that tie may not have been seen.
    """
    from scipy.spatial import cKDTree

    count = min(k + 1 + _SPARE, len(shown))
    distances, positions = cKDTree(rows[shown]).query(rows[wanted], count)
    sure = distances[:, k] * (1 + TIE) < distances[:, -1]
    sure |= count == len(shown)
    here, there = np.repeat(np.arange(len(wanted)), count), shown[positions.ravel()]
    others = there != wanted[here]
    here, there = here[others], there[others]
    squares = measure_pair_distances(rows, wanted[here], there)
    return _closest(here, there, squares, len(wanted), k), sure


class _Copies:
    """Which rows are equal: for each row how many, and how many come before it."""

    def __init__(self, rows: Floats) -> None:
        n, d = rows.shape
        labels = np.zeros(n, dtype=np.intp)
        if d:
            # Adding 0.0 turns -0.0 into 0.0, so that equal numbers are equal bytes.
            as_bytes = np.ascontiguousarray(rows + 0.0).view(np.dtype((np.void, 8 * d))).ravel()
            labels = np.unique(as_bytes, return_inverse=True)[1].ravel()
        counts = np.bincount(labels)
        self._order = np.argsort(labels, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        self._labels = labels
        self.sizes = counts[labels]
        self.positions = np.empty(n, dtype=np.intp)
        self.positions[self._order] = np.arange(n) - self._starts[labels[self._order]]

    def first(self, row: int, count: int) -> Indices:
        """List the first rows equal to this one, itself among them."""
        start = self._starts[self._labels[row]]
        return self._order[start : start + min(count, int(self.sizes[row]))]


def _search_blocks(rows: Floats, wanted: Indices, shown: Indices, k: int) -> Indices:
    """Search the rows `shown` for the nearest of each row `wanted`, a block of rows at a time."""
    index = _RowIndex(rows, shown, k)
    found = np.empty((len(wanted), k), dtype=np.intp)
    blocks = row_blocks(len(wanted), index.width, room=_DISTANCE_BYTES)
    for block in track("rows compared", blocks, len(wanted), lambda s: s.stop - s.start):
        here, positions = index.candidates(wanted[block])
        there = shown[positions]
        distances = measure_pair_distances(rows, wanted[block][here], there)
        found[block] = _closest(here, there, distances, block.stop - block.start, k)
    return found


class _RowIndex:
    """Lower bounds of all distances from a block of rows, by one product of matrices.

    The squared distance less the squared length of the row itself is a product,
    `(-2 x, 1) . (y, |y|^2)`. Taking the rounding off `|y|^2` makes it a lower bound. The columns of
    the product are dealt into groups; the smallest bounds of `k` groups show how far the search has
    to go, without sorting.
    """

    def __init__(self, rows: Floats, shown: Indices, k: int) -> None:
        n, d = len(shown), rows.shape[1]
        self._rows, self._shown, self._k = rows, shown, k
        self._layers = max(1, min(_MAX_LAYERS, n // (4 * (k + 1))))
        self._groups = -(-n // self._layers)
        self.width = self._layers * self._groups
        squares = np.einsum("ij,ij->i", rows[shown], rows[shown])
        self._rounding = 4 * (d + 4) * EPS
        slack = np.zeros(self.width)
        slack[:n] = 2 * self._rounding * squares
        self._slack = slack.reshape(self._layers, self._groups).max(axis=0)
        self._right = np.zeros((d + 1, self.width))
        self._right[:d, :n] = rows[shown].T
        self._right[d] = _BEYOND_DISTANCE
        self._right[d, :n] = squares * (1 - self._rounding)
        self._place = np.full(len(rows), -1, dtype=np.intp)
        self._place[shown] = np.arange(n)

    def candidates(self, wanted: Indices) -> tuple[Indices, Indices]:
        """Give pairs (position in `wanted`, position in `shown`) that include all nearest rows."""
        mine = self._rows[wanted]
        left = np.column_stack([-2.0 * mine, np.ones(len(mine))])
        bounds = left @ self._right
        own = self._place[wanted]
        listed = np.flatnonzero(own >= 0)
        bounds[listed, own[listed]] = _BEYOND_DISTANCE
        least = bounds.reshape(len(mine), self._layers, self._groups).min(axis=1) + self._slack
        limit = np.partition(least, self._k - 1, axis=1)[:, self._k - 1]
        squares = np.einsum("ij,ij->i", mine, mine)
        # The margin for ties is relative to the distance, which is `limit + squares`.
        limit += 4 * self._rounding * squares + 2 * TIE * np.maximum(limit + squares, 0.0)
        cells = np.flatnonzero(bounds <= limit[:, None])
        return np.divmod(cells, self.width)


def _closest(here: Indices, there: Indices, distances: Floats, count: int, k: int) -> Indices:
    """Take for each of `count` rows the `k` nearest of its candidates, ties by index."""
    order = np.lexsort((distances, here))
    here, there, distances = here[order], there[order], distances[order]
    starts = np.searchsorted(here, np.arange(count))
    last = distances[starts + k - 1][here]
    sure = distances < last * (1 - TIE)
    tied = ~sure & (distances <= last * (1 + TIE))
    kept = sure | tied
    here, there, late = here[kept], there[kept], tied[kept]
    order = np.lexsort((there, late, here))
    starts = np.searchsorted(here[order], np.arange(count))
    chosen = there[order][starts[:, None] + np.arange(k)]
    return np.sort(chosen, axis=1)


def _approximate(rows: Floats, k: int, random_state: int) -> Indices:
    """Search with PyNNDescent; what it finds is compared again by exact distances."""
    descent = _descent()
    if descent is None:
        raise TamisError(
            f"{spell('search', 'approximate')} needs PyNNDescent: install tamis[neighbours], or "
            f"pass {spell('search', 'exact')}."
        )
    n = len(rows)
    wide = min(n, max(2 * k, k + 10) + 1)
    table = rows.astype(np.float32)
    index = descent(table, n_neighbors=wide, random_state=random_state, n_jobs=1)
    positions = np.asarray(index.neighbor_graph[0], dtype=np.intp)
    here = np.repeat(np.arange(n), positions.shape[1])
    there = positions.ravel()
    valid = (there >= 0) & (there != here)
    here, there = here[valid], there[valid]
    short = np.flatnonzero(np.bincount(here, minlength=n) < k)
    distances = measure_pair_distances(rows, here, there)
    if not len(short):
        return _closest(here, there, distances, n, k)
    found = np.empty((n, k), dtype=np.intp)
    found[short] = _search_blocks(rows, short, np.arange(n), k)
    full = np.setdiff1d(np.arange(n), short)
    mine = ~np.isin(here, short)
    again = np.searchsorted(full, here[mine])
    found[full] = _closest(again, there[mine], distances[mine], len(full), k)
    return found


def _descent() -> Any:
    try:
        return import_module("pynndescent").NNDescent
    except ImportError:
        return None
