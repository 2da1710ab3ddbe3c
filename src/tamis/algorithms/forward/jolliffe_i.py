"""`jolliffe-i`: the largest loading on the leading component of the columns not yet taken.

Cui and Dy, who compare with it, leave open what is removed between two picks; here it is the picked
column alone. Redundancy with the columns already taken is ignored.
"""

from collections.abc import Sequence

import numpy as np

from tamis.algorithms.forward.loop import take_forward
from tamis.algorithms.forward.pfs import settled
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.numerics.leading import LeadingVector, Ritz
from tamis.numerics.types import Floats
from tamis.statistics.gram import Gram, SampleGram


def iterated_loadings(
    gram: Gram, k: int, *, retain: float = 1.0, include: Sequence[int] = ()
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
    return take_forward(gram, k, _Loadings(gram), retain=retain, include=include, redundant=True)


class _Loadings:
    """Score the live columns by the leading eigenvector of their own Gram matrix."""

    def __init__(self, gram: Gram) -> None:
        self._gram = gram
        self._live = gram.diagonal()
        self._followed = 0
        if isinstance(gram, SampleGram):
            self._diagonal = gram.kernel_diagonal()
        else:
            self._diagonal = self._live.copy()
        self._removed = np.zeros((0, self._diagonal.size))
        self._leading = LeadingVector(self._dot, self._diagonal)

    def __call__(self, residual: Residual) -> Floats:
        for j in residual.taken[self._followed :]:
            self._remove(int(j))
        self._followed = residual.size
        found = self._leading.search(
            self._diagonal,
            lambda ritz: settled(lambda: self._loadings(ritz), ritz.error),
        )
        return self._loadings(found)

    def _loadings(self, ritz: Ritz) -> Floats:
        if isinstance(self._gram, SampleGram):
            scores = np.abs(self._gram.transposed_dot(ritz.vector)) / np.sqrt(ritz.value)
        else:
            scores = np.abs(ritz.vector)
        return np.where(self._live > 0, scores, 0.0)

    def _dot(self, u: Floats) -> Floats:
        if isinstance(self._gram, SampleGram):
            return self._gram.kernel_dot(u) - (self._removed @ u) @ self._removed
        live = self._live > 0
        return np.where(live, self._gram.dot(np.where(live, u, 0.0)), 0.0)

    def _remove(self, j: int) -> None:
        if isinstance(self._gram, SampleGram):
            # The kernel of the live columns loses the outer product of the removed one.
            column = self._gram.sample(j)
            self._leading.subtract(column)
            self._removed = np.vstack([self._removed, column])
            self._diagonal = np.maximum(self._diagonal - column**2, 0.0)
        else:
            unit = np.zeros(self._live.size)
            unit[j] = 1.0
            self._leading.project(unit, self._dot(unit))
            self._diagonal[j] = 0.0
        self._live[j] = 0.0
