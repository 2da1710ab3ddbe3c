"""A binary tree of columns by recursive spectral partition of their similarities."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamis.algorithms.information.fiedler import Laplacian, low_vectors, smallest_entry
from tamis.numerics.threads import scipy_on_one_thread
from tamis.numerics.tolerances import NEGLIGIBLE, TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track

_SMALL_PART_COLUMNS = 64


@dataclass(frozen=True, eq=False)
class SpectralTree:
    """A binary tree of the columns: leaves are columns, inner nodes the splits.

    Attributes
    ----------
    order
        The columns from left to right.
    starts, cuts, ends
        The splits, the root first: split i separates `order[starts[i]:cuts[i]]` from
        `order[cuts[i]:ends[i]]`.
    levels
        How deep each split lies; the root at 0.
    """

    order: Indices
    starts: Indices
    cuts: Indices
    ends: Indices
    levels: Indices

    @cached_property
    def depth(self) -> Indices:
        """Edges from the root to every column."""
        depth = np.zeros(len(self.order), dtype=np.intp)
        for start, end, level in zip(self.starts, self.ends, self.levels, strict=True):
            depth[self.order[start:end]] = level + 1
        return depth

    def distances(self, column: int) -> Indices:
        """Count the edges from one column to every column."""
        position, d = self._positions[column], len(self.order)
        above = (self.starts <= position) & (position < self.ends)
        # Splits above a column lie in each other: two columns part one level above as many as
        # cover both.
        begun = np.bincount(self.starts[above], minlength=d + 1)
        ended = np.bincount(self.ends[above], minlength=d + 1)
        met = np.empty(d, dtype=np.intp)
        met[self.order] = np.cumsum(begun - ended)[:d] - 1
        found = self.depth[column] + self.depth - 2 * met
        found[column] = 0
        return np.asarray(found)

    def nested(self, names: Sequence[str]) -> Any:
        """Give the tree as nested pairs of column names."""
        made: dict[tuple[int, int], Any] = {
            (i, i + 1): names[j] for i, j in enumerate(self.order.tolist())
        }
        # Backwards, the parts of a split are made before it.
        splits = np.column_stack([self.starts, self.cuts, self.ends])[::-1]
        for start, cut, end in splits.tolist():
            made[start, end] = [made[start, cut], made[cut, end]]
        return made[0, len(self.order)]

    @cached_property
    def _positions(self) -> Indices:
        positions = np.empty(len(self.order), dtype=np.intp)
        positions[self.order] = np.arange(len(self.order))
        return positions


def spectral_tree(
    similarity: Floats, *, laplacian: str = "unnormalized", split: str = "sign"
) -> SpectralTree:
    """Cut the graph of the columns in two, each part again, down to single columns.

    A part is cut by its Fiedler vector: by sign (0 goes left, the largest entry is positive) or
    at the median. A part that is not connected loses the component of its first column instead.
    Where the Fiedler vector is not unique, as in a part of equal similarities, it is the one
    nearest to the order of the columns.

    Examples
    --------
    >>> rows = [[1, 0.8, 0.1, 0.2], [0.8, 1, 0.1, 0.2], [0.1, 0.1, 1, 0.3], [0.2, 0.2, 0.3, 1]]
    >>> tree = spectral_tree(np.array(rows))
    >>> tree.order, tree.depth
    (array([2, 3, 0, 1]), array([2, 2, 2, 2]))
    """
    graph, d = _InformationGraph(similarity), len(similarity)
    splits: list[tuple[int, int, int, int]] = []
    open_parts: list[tuple[int, int, int, Floats | None]] = [(0, d, 0, None)] if d > 1 else []
    with scipy_on_one_thread():
        for _ in track("splits of the tree", range(d - 1), d - 1):
            start, end, level, guess = open_parts.pop()
            left, known = graph.part(start, end).choose_left(laplacian, split, guess)
            positions = graph.divide(start, end, left)
            cut = start + int(left.sum())
            splits.append((start, cut, end, level))
            for first, last in ((cut, end), (start, cut)):
                if last - first > 1:
                    here = positions[first - start : last - start]
                    guess = None if known is None else known[here]
                    open_parts.append((first, last, level + 1, guess))
    return SpectralTree(graph.order, *np.array(splits, dtype=np.intp).reshape(-1, 4).T)


class _InformationGraph:
    """The similarities in tree order, so that every part is a block of them."""

    def __init__(self, similarity: Floats) -> None:
        self.W = np.array(similarity, dtype=np.float64, order="C")
        np.fill_diagonal(self.W, 0.0)
        self.single = self.W.astype(np.float32)
        self.degree = self.W.sum(axis=0)
        self.order = np.arange(len(self.W))

    def part(self, start: int, end: int) -> "_Part":
        """Give the columns still together from one position to another."""
        here = slice(start, end)
        if end - start <= _SMALL_PART_COLUMNS:  # free of what the differences below have lost
            self.degree[here] = self.W[here, here].sum(axis=0)
        return _Part(
            self.W[here, here], self.order[here], self.degree[here], self.single[here, here]
        )

    def divide(self, start: int, end: int, left: NDArray[np.bool_]) -> Indices:
        """Bring the left side to the front, cut the edges between, and give the new order."""
        here, count = slice(start, end), int(left.sum())
        positions = _partition_positions(left, count)
        for matrix in (self.W, self.single):
            _rearrange(matrix[here, here], positions)
        self.order[here] = self.order[here][positions]
        between = self.W[start : start + count, start + count : end]
        self.degree[here] = self.degree[here][positions]
        self.degree[here] -= np.concatenate([between.sum(axis=1), between.sum(axis=0)])
        return positions


def _partition_positions(left: NDArray[np.bool_], count: int) -> Indices:
    """Bring the chosen positions to the front by as few exchanges as that takes."""
    positions = np.arange(len(left))
    strangers, guests = np.flatnonzero(~left[:count]), count + np.flatnonzero(left[count:])
    positions[strangers], positions[guests] = guests, strangers
    return positions


def _rearrange(block: NDArray[Any], positions: Indices) -> None:
    """Exchange rows and columns of a symmetric matrix, touching only those that move."""
    moved = np.flatnonzero(positions != np.arange(len(positions)))
    block[moved] = block[positions[moved]]
    block[:, moved] = block[:, positions[moved]]


@dataclass(frozen=True)
class _Part:
    """Columns still together: their similarities, numbers and degrees."""

    W: Floats
    columns: Indices
    degree: Floats
    single: NDArray[np.float32]

    def choose_left(
        self, laplacian: str, split: str, guess: Floats | None
    ) -> tuple[NDArray[np.bool_], Floats | None]:
        """Choose the columns that go left; give the vectors that helped, for the parts."""
        first = int(self.columns.argmin())
        if len(self.columns) == 2:
            return self.columns == self.columns[first], None
        if self.degree.min() <= NEGLIGIBLE:  # a column on its own
            return _component(self.W, first), None
        matrix = Laplacian.of(self.W, laplacian, self.degree, self.single)
        weight = 1 / np.sqrt(self.degree) if laplacian == "rw" else np.ones(len(self.degree))
        value, vectors = low_vectors(
            matrix,
            guess,
            room=partial(_room_at_median, weight=weight) if split == "median" else smallest_entry,
            order=self.columns.astype(np.float64),
        )
        if value <= TIE * float(self.degree.mean()):
            together = _component(self.W, first)
            if not together.all():
                return together, None
        return _cut(vectors[:, 0] * weight, self.columns, split), vectors


def _component(W: Floats, first: int) -> NDArray[np.bool_]:
    """Find the columns that paths of positive similarity lead to from one of them."""
    linked = W > NEGLIGIBLE
    reached = linked[first].copy()
    reached[first] = True
    while not reached.all():
        further = linked[reached].any(axis=0) | reached
        if np.array_equal(further, reached):
            break
        reached = further
    return reached


def _room_at_median(vector: Floats, weight: Floats) -> float:
    """Give how far every entry may be off before one times its weight changes sides."""
    scaled = vector * weight
    middle = np.argsort(scaled)[(len(scaled) - 1) // 2]
    if len(scaled) % 2:  # the entry in the middle is off as well
        room = np.abs(scaled - scaled[middle]) / (weight + weight[middle])
        return float(np.delete(room, middle).min())
    return float((np.abs(scaled - np.median(scaled)) / weight).min())


def _cut(vector: Floats, columns: Indices, split: str) -> NDArray[np.bool_]:
    """Split the entries by sign or at the median; at the largest gap if one side were empty."""
    size = np.abs(vector)
    largest = np.flatnonzero(size >= (1 - TIE) * size.max())
    if vector[largest[columns[largest].argmin()]] < 0:
        vector = -vector
    middle = float(np.median(vector)) if split == "median" else 0.0
    left = vector >= middle - TIE * size.max()
    if left.all() or not left.any():
        rising = np.sort(vector)
        gap = int(np.argmax(np.diff(rising)))
        left = vector > (rising[gap] + rising[gap + 1]) / 2
    if left.all() or not left.any():  # all entries are equal
        left = columns == columns.min()
    return np.asarray(left)
