"""Leading eigenpairs of a symmetric matrix that is only multiplied with blocks of vectors.

Block Krylov steps with restarts: the residuals of the best vectors so far join the basis, which is
cut back to the best when it has grown. A product with a block costs little more than one with a
vector where the matrix is computed anew for each product. A pair is accepted when its residual is
below `ACCEPTED` times the largest eigenvalue.
"""

from collections.abc import Callable, Iterator

import numpy as np

from tamis.errors import TamisError
from tamis.numerics.eigen import all_pairs
from tamis.numerics.tolerances import ACCEPTED
from tamis.numerics.types import Floats
from tamis.progress import track

_GUARD = 10
_GROWN = 4
_MAX_SUBSPACE_STEPS = 200


def find_leading_subspace(dot: Callable[[Floats], Floats], n: int, k: int) -> tuple[Floats, Floats]:
    """Give the `k` largest eigenvalues, largest first, and eigenvectors as columns.

    Examples
    --------
    >>> matrix = np.diag(np.arange(50.0))
    >>> find_leading_subspace(matrix.__matmul__, 50, 2)[0].round(9).tolist()
    [49.0, 48.0]
    """
    k = min(k, n)
    search = _SubspaceSearch(dot, n, k)
    for _ in track("components found", search.steps(), k, size=lambda fresh: fresh):
        pass
    return search.values[:k], search.vectors[:, :k]


class _SubspaceSearch:
    """An orthonormal basis `V` with its products, and the best pairs in its span."""

    def __init__(self, dot: Callable[[Floats], Floats], n: int, k: int) -> None:
        self.dot, self.n, self.k = dot, n, k
        self.width = min(k + _GUARD, n)
        self.V = np.linalg.qr(np.random.default_rng(0).standard_normal((n, self.width)))[0]
        self.KV = dot(self.V)
        self.found = 0

    def steps(self) -> Iterator[int]:
        """Enlarge the basis until all pairs are found; yield how many more are, each time."""
        for _ in range(_MAX_SUBSPACE_STEPS):
            residual = self._best()
            sizes = np.linalg.norm(residual, axis=0)
            open_ = sizes > ACCEPTED * max(abs(self.values[0]), np.finfo(np.float64).tiny)
            if self.V.shape[1] == self.n:
                open_[:] = False
            count = int(np.argmax(open_[: self.k])) if open_[: self.k].any() else self.k
            yield max(count - self.found, 0)
            self.found = max(count, self.found)
            if count == self.k:
                return
            self._grow(residual[:, open_] / sizes[open_])
        raise TamisError(
            f"The {self.k:,} leading components are too close to the next ones to be separated: "
            "ask for fewer or for more."
        )

    def _best(self) -> Floats:
        """Find the best pairs in the span of the basis, and give their residuals."""
        T = self.V.T @ self.KV
        values, Y = all_pairs((T + T.T) / 2)
        room = _GROWN * self.width
        if self.V.shape[1] + self.width > room:
            kept = Y[:, ::-1][:, : 2 * self.width]
            self.V, self.KV = self.V @ kept, self.KV @ kept
            values, Y = values[::-1][: 2 * self.width][::-1], np.eye(kept.shape[1])[:, ::-1]
        best = Y[:, ::-1][:, : self.width]
        self.values, self.vectors = values[::-1][: self.width], self.V @ best
        return self.KV @ best - self.vectors * self.values

    def _grow(self, fresh: Floats) -> None:
        """Join vectors to the basis, made orthogonal to it twice."""
        fresh = fresh[:, : self.n - self.V.shape[1]]
        for _ in range(2):
            fresh = np.linalg.qr(fresh - self.V @ (self.V.T @ fresh))[0]
        self.V = np.hstack([self.V, fresh])
        self.KV = np.hstack([self.KV, self.dot(fresh)])
