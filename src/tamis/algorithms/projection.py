"""What an extraction method returns: components, and the scores of rows on them."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import field
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.algorithms.path import head_size
from tamis.errors import TamisError
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats
from tamis.rules.tolerances import RANK_TOL
from tamis.values import dataclass

Pairs = tuple[Floats, Floats]

_FIRST_PAIRS = 32


@dataclass(frozen=True, eq=False)
class Projection(ABC):
    """Components, best first.

    Attributes
    ----------
    values
        Eigenvalue or singular value of each component, None where the method has none.
    shares
        Share of the method's own measure that each component explains.
    note
        How it was computed, in words.
    """

    values: Floats | None
    shares: Floats
    note: str

    @property
    def size(self) -> int:
        """Number of components."""
        return len(self.shares)

    @property
    def loadings(self) -> Floats | None:
        """Weight of every column in every component (k x d), None for a kernel method."""
        return None

    @property
    def reversible(self) -> bool:
        """Whether `rebuild` can turn scores back into rows."""
        return False

    @abstractmethod
    def project(self, rows: Any) -> Floats:
        """Give the scores of these rows, one column for each component."""

    def rebuild(self, scores: Any) -> Floats:  # noqa: ARG002  # the signature of those that can
        """Turn scores back into rows."""
        raise TamisError("Scores of this method cannot be turned back into rows: keep the rows.")


@dataclass(frozen=True, eq=False)
class LinearProjection(Projection):
    """Scores that are weighted sums: `(row - mean) / scale` times `components`.

    `back` holds one row of weights for each component, with which `rebuild` returns to the
    columns; it is None where there is no way back.
    """

    mean: Floats = field(repr=False)
    scale: Floats = field(repr=False)
    components: Floats
    back: Floats | None = field(repr=False, default=None)

    @property
    def loadings(self) -> Floats:
        """Weight of every column in every component (k x d)."""
        return self.components

    @property
    def reversible(self) -> bool:
        """Whether `rebuild` can turn scores back into rows."""
        return self.back is not None

    def project(self, rows: Any) -> Floats:
        """Give the scores of these rows, one column for each component."""
        weights = (self.components / self.scale).T
        if scipy.sparse.issparse(rows):
            return np.asarray(rows @ weights - self.mean @ weights, dtype=np.float64)
        rows = np.asarray(rows)
        scores = np.empty((len(rows), self.size))
        # Taking the mean off first, not its scores, keeps the digits of columns far from zero.
        for block in row_blocks(*rows.shape):
            scores[block] = (rows[block] - self.mean) @ weights
        return scores

    def rebuild(self, scores: Any) -> Floats:
        """Turn scores back into rows, as well as the kept components allow."""
        if self.back is None:
            return super().rebuild(scores)
        return np.asarray(scores, dtype=np.float64) @ (self.back * self.scale) + self.mean


def find_leading_until(
    find: Callable[[int], Pairs],
    k: int | None,
    *,
    most: int,
    total: float,
    share: float,
    rule: str,
    first: int = _FIRST_PAIRS,
    floor: float = RANK_TOL,
) -> Pairs:
    """Ask for `k` leading pairs, or for more and more until their values add up to the share.

    `find` gives values, largest first, and vectors as columns. Values at most `floor` times the
    largest are dropped.
    """
    size = min(first if k is None else k, most)
    while True:
        values, vectors = find(size)
        nonzero = int(np.count_nonzero(values > floor * values[0])) if len(values) else 0
        if nonzero == 0:
            raise TamisError("All eigenvalues are 0: there are no components to compute.")
        values, vectors = values[:nonzero], vectors[:, :nonzero]
        if k is not None:
            return values, vectors
        if size >= most or nonzero < size or values.sum() >= share * total:
            count = head_size(values / total, share, rule)
            return values[:count], vectors[:, :count]
        size = min(2 * size, most)


def count_chosen(values: Floats, k: int | None, share: float, rule: str) -> int:
    """Count the components to keep when all values are known."""
    if k is None:
        return head_size(values / values.sum(), share, rule)
    return min(k, len(values))


def short_of(k: int | None, found: int, why: str) -> str:
    """Say why there are fewer components than requested, or nothing."""
    return f"; {found} of {k} components exist: {why}" if k is not None and found < k else ""


def spread_out(components: Floats, positions: NDArray[np.intp], width: int) -> Floats:
    """Spread weights over all columns of the table; those without one weigh 0."""
    whole = np.zeros((len(components), width))
    whole[:, positions] = components
    return whole
