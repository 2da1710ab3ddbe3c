"""`jolliffe-i`: the largest loading on the leading component of the columns not yet taken.

Cui and Dy, who compare with it, leave open what is removed between two picks; here it is the picked
column alone. Redundancy with the columns already taken is ignored.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from tamis.algorithms.forward.pfs import is_settled
from tamis.algorithms.greedy import search
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.numerics.leading import LeadingVector, Ritz
from tamis.numerics.types import Floats, Mask
from tamis.statistics.gram import Gram, Samples


def iterated_loadings(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    limits: Limits | None = None,
) -> Path:
    """Take `k` columns by largest loading, a new component after each.

    Examples
    --------
    Columns 0 and 1 are copies; without conditioning both are taken before column 2.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[3.0, 3.0, 0.0], [3.0, 3.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> iterated_loadings(gram, k=3).indices
    array([0, 1, 2])
    """
    within = Limits.of(len(gram.diagonal())) if limits is None else limits
    score = (
        _ComponentsInColumns(gram, within.price)
        if gram.samples is None
        else _ComponentsInSamples(gram, gram.samples, within.price)
    )
    return search(
        Residual(gram, k),
        k,
        score,
        within,
        retain=retain,
        include=include,
        usable=lambda residual: np.ones_like(residual.free),
    )


class _Loadings(ABC):
    """Score the live columns by the leading eigenvector of their own Gram matrix."""

    def __init__(self, gram: Gram, diagonal: Floats, price: Floats) -> None:
        self._price = price
        self._live = gram.diagonal()
        self._diagonal = diagonal
        self._followed = 0
        self._leading = LeadingVector(self._dot, diagonal)

    def __call__(self, residual: Residual, offered: Mask) -> Floats:
        for j in residual.taken[self._followed :]:
            self._remove(int(j))
            self._live[j] = 0.0
        self._followed = residual.size
        weight = offered / self._price
        found = self._leading.search(
            self._diagonal,
            lambda ritz: is_settled(
                lambda: self._of_live(ritz) * weight, ritz.error * float(weight.max())
            ),
        )
        return np.where(offered, self._of_live(found), 0.0)

    def _of_live(self, ritz: Ritz) -> Floats:
        return np.where(self._live > 0, self._loadings(ritz), 0.0)

    @abstractmethod
    def _dot(self, u: Floats) -> Floats:
        """Multiply the matrix that is searched with a vector."""

    @abstractmethod
    def _remove(self, j: int) -> None:
        """Take a column out of that matrix."""

    @abstractmethod
    def _loadings(self, ritz: Ritz) -> Floats:
        """Give the sizes of the loadings of all columns."""


class _ComponentsInColumns(_Loadings):
    """Search the d x d matrix."""

    def __init__(self, gram: Gram, price: Floats) -> None:
        self._gram = gram
        super().__init__(gram, gram.diagonal(), price)

    def _dot(self, u: Floats) -> Floats:
        live = self._live > 0
        return np.where(live, self._gram.dot(np.where(live, u, 0.0)), 0.0)

    def _remove(self, j: int) -> None:
        unit = np.zeros(self._live.size)
        unit[j] = 1.0
        self._leading.project(unit, self._dot(unit))
        self._diagonal[j] = 0.0

    def _loadings(self, ritz: Ritz) -> Floats:
        return np.abs(ritz.vector)


class _ComponentsInSamples(_Loadings):
    """Search the N x N kernel, which loses the outer product of every removed column."""

    def __init__(self, gram: Gram, samples: Samples, price: Floats) -> None:
        self._samples = samples
        diagonal = samples.kernel_diagonal()
        self._removed = np.zeros((0, diagonal.size))
        super().__init__(gram, diagonal, price)

    def _dot(self, u: Floats) -> Floats:
        return self._samples.kernel_dot(u) - (self._removed @ u) @ self._removed

    def _remove(self, j: int) -> None:
        column = self._samples.sample(j)
        self._leading.subtract(column)
        self._removed = np.vstack([self._removed, column])
        self._diagonal = np.maximum(self._diagonal - column**2, 0.0)

    def _loadings(self, ritz: Ritz) -> Floats:
        return np.abs(self._samples.transposed_dot(ritz.vector)) / np.sqrt(ritz.value)
