"""A binary tree of columns by recursive spectral partition of their similarities."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, spotrf

from tamis.numerics.threads import scipy_on_one_thread
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import NEGLIGIBLE, RANK_TOL, TIE
from tamis.values import dataclass

_SMALL_PART_COLUMNS = 64


@dataclass(frozen=True, eq=False)
class SpectralTree:
    """A binary tree of the columns: leaves are columns, inner nodes the splits, the root first."""

    order: Indices  # the columns from left to right
    # Split i separates `order[starts[i]:cuts[i]]` from `order[cuts[i]:ends[i]]`.
    starts: Indices
    cuts: Indices
    ends: Indices
    levels: Indices  # how deep each split lies; the root at 0

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
            left, known = graph.choose_left(start, end, laplacian, split, guess)
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

    def choose_left(
        self, start: int, end: int, laplacian: str, split: str, guess: Floats | None
    ) -> tuple[NDArray[np.bool_], Floats | None]:
        """Choose of the columns between two positions those that go left.

        With them come the vectors that helped, for the parts.
        """
        here = slice(start, end)
        W, columns, degree = self.W[here, here], self.order[here], self.degree[here]
        if end - start <= _SMALL_PART_COLUMNS:  # free of what the differences below have lost
            degree[:] = W.sum(axis=0)
        first = int(columns.argmin())
        if len(columns) == 2:
            return columns == columns[first], None
        if degree.min() <= NEGLIGIBLE:  # a column on its own
            return _component(W, first), None
        matrix = Laplacian.of(W, laplacian, degree, self.single[here, here])
        weight = 1 / np.sqrt(degree) if laplacian == "rw" else np.ones(len(degree))
        value, vectors = low_vectors(
            matrix,
            guess,
            room=partial(_room_at_median, weight=weight) if split == "median" else smallest_entry,
            order=columns.astype(np.float64),
        )
        if value <= TIE * float(degree.mean()):
            together = _component(W, first)
            if not together.all():
                return together, None
        return _cut(vectors[:, 0] * weight, columns, split), vectors

    def divide(self, start: int, end: int, left: NDArray[np.bool_]) -> Indices:
        """Bring the left side to the front, cut the edges between, and give the new order."""
        here, count = slice(start, end), int(left.sum())
        # As few exchanges as it takes; rows and columns that stay are not touched.
        positions = np.arange(len(left))
        leaving, coming = np.flatnonzero(~left[:count]), count + np.flatnonzero(left[count:])
        positions[leaving], positions[coming] = coming, leaving
        moved = np.concatenate([leaving, coming])
        for matrix in (self.W, self.single):
            block: NDArray[Any] = matrix[here, here]
            block[moved] = block[positions[moved]]
            block[:, moved] = block[:, positions[moved]]
        self.order[here] = self.order[here][positions]
        between = self.W[start : start + count, start + count : end]
        self.degree[here] = self.degree[here][positions]
        self.degree[here] -= np.concatenate([between.sum(axis=1), between.sum(axis=0)])
        return positions


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


# The Fiedler vector of a dense graph, which shows the best cut in two.
#
# Only one eigenvector is needed at each split of a tree, and of it only which entries lie above 0
# or above the median. Small graphs are solved in full. For larger ones a search space is grown
# from that of the parent, by Davidson's method: the diagonal of a Laplacian matrix outweighs the
# rest, so dividing a residual by it points the right way. The search ends once the cut can no
# longer change. This is proven: with the null vector and the vector found moved up the spectrum, a
# Cholesky factor exists only if all other eigenvalues lie above the shift, which is half of the
# gap to the next one. Where the proof fails the graph is solved in full.
_MAX_DENSE_NODES = 96
_MAX_FIEDLER_STEPS = 16
_LOW = 6
_GROWTH = 2
_ODD = 2
_MARGIN = 3
_SINGLE_ROUNDING = 2.5e-7  # twice the rounding of single precision
_MIN_LEFT_OF_UNIT = 1e-6  # what is left of a unit vector that brings no direction of its own

Room = Callable[[Floats], float]


def smallest_entry(vector: Floats) -> float:
    """Give how far every entry may be off before a sign changes."""
    return float(np.abs(vector).min())


@dataclass(frozen=True, eq=False)
class Laplacian:
    """The matrix diag(a) - W, and its null vector z of length 1; `single` is W in float32."""

    a: Floats
    W: Floats
    z: Floats
    single: NDArray[np.float32]

    @classmethod
    def of(
        cls,
        W: Floats,
        kind: str,
        degree: Floats | None = None,
        single: NDArray[np.float32] | None = None,
    ) -> "Laplacian":
        """Build the plain matrix, or the one normalised by the degrees (`sym` and `rw`)."""
        n, degree = len(W), W.sum(axis=0) if degree is None else degree
        if kind == "unnormalized":
            single = W.astype(np.float32) if single is None else single
            return cls(degree, W, np.full(n, 1 / np.sqrt(n)), single)
        root = np.sqrt(degree)
        scaled = W / root / root[:, None]
        return cls(np.ones(n), scaled, root / np.linalg.norm(root), scaled.astype(np.float32))

    def dot(self, vectors: Floats) -> Floats:
        """Multiply with some vectors at once."""
        return np.asarray(self.a[:, None] * vectors - self.W @ vectors)


def low_vectors(
    matrix: Laplacian,
    guess: Floats | None = None,
    *,
    room: Room = smallest_entry,
    order: Floats | None = None,
) -> tuple[float, Floats]:
    """Give the lowest eigenvalue after the 0, and vectors of which the first is its own.

    `room` gives how far every entry of it may be off without changing the cut. The other vectors
    are as good as the search left them; on a part of the graph they are a good guess. Where the
    eigenvalue is repeated, the vector of its space is taken that is nearest to `order`, a rising
    sequence.
    """
    n = len(matrix.a)
    order = np.arange(n, dtype=np.float64) if order is None else order
    if n <= _MAX_DENSE_NODES:
        return _solve_dense(matrix, order)
    if guess is None:
        # Where W is nearly of rank one, eigenvectors are 1 / (a - eigenvalue).
        guess = 1 / (matrix.a[:, None] - matrix.a.min() * np.array([0.9, 0.99, 0.999]))
    # Symmetries of the graph hide vectors from a start that shares them: two without any.
    odd = np.random.default_rng(0).standard_normal((n, _ODD))
    space = _Space(matrix)
    space.grow(np.column_stack([guess, odd]))
    for _ in range(_MAX_FIEDLER_STEPS):
        values, found, left = space.lowest()
        residual, gap = float(np.linalg.norm(left[:, 0])), float(values[1] - values[0])
        # The error of the vector is at most the residual over half of the gap, once that is proven.
        if _MARGIN * residual < gap * room(found[:, 0]):
            sure = _is_proven(matrix, found[:, 0], float(values[0]) + gap / 2, gap)
            return (float(values[0]), found) if sure else _solve_dense(matrix, order)
        # Divide by the diagonal less the eigenvalue, away from 0.
        under = matrix.a[:, None] - values[:_GROWTH]
        least = 1e-3 * float(np.abs(under).mean())
        if not space.grow(left[:, :_GROWTH] / np.where(np.abs(under) < least, least, under)):
            break
    return _solve_dense(matrix, order)


class _Space:
    """Orthonormal vectors, the null vector first, and what the matrix makes of them."""

    def __init__(self, matrix: Laplacian) -> None:
        room = 1 + _ODD + _LOW + _GROWTH * _MAX_FIEDLER_STEPS
        self.matrix, self.size = matrix, 1
        self.basis = np.empty((len(matrix.a), room), order="F")
        self.images = np.empty_like(self.basis)
        self.basis[:, 0] = matrix.z

    def grow(self, vectors: Floats) -> int:
        """Add what is new in these vectors, and give how much that is."""
        known = self.basis[:, : self.size]
        vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=0), 1e-300)
        vectors = vectors - known @ (known.T @ vectors)
        width = 0
        while vectors.shape[1] != width:  # once more where some were dropped: they were noise
            width = vectors.shape[1]
            vectors = vectors - known @ (known.T @ vectors)
            vectors, R = np.linalg.qr(vectors)
            vectors = vectors[:, np.abs(np.diagonal(R)) > _MIN_LEFT_OF_UNIT]
        fresh = slice(self.size, self.size + vectors.shape[1])
        self.basis[:, fresh] = vectors
        self.images[:, fresh] = self.matrix.dot(vectors)
        self.size = fresh.stop
        return vectors.shape[1]

    def lowest(self) -> tuple[Floats, Floats, Floats]:
        """Give the lowest values that the space knows, their vectors and the residuals."""
        basis, images = self.basis[:, 1 : self.size], self.images[:, 1 : self.size]
        values, mixtures = np.linalg.eigh(basis.T @ images)
        values, mixtures = values[:_LOW], mixtures[:, :_LOW]
        found = basis @ mixtures
        return values, found, images @ mixtures - found * values


def _solve_dense(matrix: Laplacian, order: Floats) -> tuple[float, Floats]:
    values, vectors = np.linalg.eigh(np.diag(matrix.a) - matrix.W)
    low = np.asarray(vectors[:, 1 : 1 + _LOW])
    copies = int(np.count_nonzero(values[1:] <= values[1] + RANK_TOL * float(matrix.a.max())))
    if copies > 1:
        low = np.column_stack([_nearest(vectors[:, 1 : 1 + copies], order), low[:, 1:]])
    return float(values[1]), low


def _nearest(space: Floats, order: Floats) -> Floats:
    """Give the vector of a space nearest to the order, or to a single column if that is none."""
    part = space @ ((order - order.mean()) @ space)
    if np.linalg.norm(part) <= _MIN_LEFT_OF_UNIT * np.linalg.norm(order - order.mean()):
        part = space @ space[first_best(np.einsum("ij,ij->i", space, space))]
    return np.asarray(part / np.linalg.norm(part))


def _is_proven(matrix: Laplacian, vector: Floats, shift: float, gap: float) -> bool:
    """Check that every eigenvalue but those of z and of the vector lies above the shift.

    Single precision serves where the gap is far above its rounding.
    """
    up = float(matrix.a.max()) + abs(shift)
    single = gap > _SINGLE_ROUNDING * len(matrix.a) * up
    kind: Any = np.float32 if single else np.float64
    pair = np.column_stack([matrix.z, vector]).astype(kind)
    moved = (up * pair) @ pair.T
    moved -= matrix.single if single else matrix.W
    moved.flat[:: len(moved) + 1] += (matrix.a - shift).astype(kind)
    factorise = spotrf if single else dpotrf
    failed = factorise(moved.T, lower=1, clean=0, overwrite_a=1)[1]  # symmetric: no copy is made
    return not failed
