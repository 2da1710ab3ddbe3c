"""What is known exactly of a Gram matrix that is too large to hold: a pass reads some columns more.

Beside columns, the passes follow two things. `basis` has a few orthonormal vectors `Q` that span
most of the matrix, and `image` is `GQ`. What is outside of them, `E = (I - QQ')G(I - QQ')`, has no
eigenvalue above `norm_outside`. That is found by power iteration from random vectors, one step in
each pass: a normal vector has a part along the first eigenvector whose square is below `_SMALL`
with a chance of 0.42; that all of `_PROBES` have, with one below 1e-9. So it is an upper bound but
for that chance, and the more passes the nearer it comes.
"""

from collections.abc import Callable

import numpy as np

from tamis.numerics.types import Floats, Indices

Multiply = Callable[[Indices, Floats], tuple[Floats, Floats]]

_MAX_PANEL_BYTES = 1 << 29
_PROBES = 24
_SMALL = 0.3
_FIRST_VECTORS = 1  # seed, not that of the basis: what is outside of it must not depend on them


class KnownColumns:
    """Columns of `G` read so far, and what bounds the others.

    `multiply` makes a pass: it takes positions of columns and vectors, and gives these columns of
    `G`, as rows, and the products of `G` with the vectors, as columns. `columns` are positions of
    the columns read, in this order, and `panel` has a row for each.
    """

    def __init__(self, multiply: Multiply, width: int) -> None:
        self._multiply, self.width = multiply, width
        self.columns: Indices = np.zeros(0, dtype=np.intp)
        self.panel: Floats = np.zeros((0, width))
        self.basis: Floats | None = None
        self.image: Floats = np.zeros((width, 0))
        self.norm_outside = np.inf
        self._probes: Floats = np.zeros((width, 0))
        self._growth, self._steps = np.zeros(_PROBES), 0

    @property
    def room(self) -> int:
        """How many more columns fit."""
        return max(_MAX_PANEL_BYTES // (8 * self.width) - len(self.columns), 0)

    def read(self, columns: Indices, basis: Floats | None = None) -> None:
        """Read columns in one pass; there is none if all have been read before.

        The `basis` that is given first stays: it is what later passes go on from.
        """
        fresh, vectors = np.setdiff1d(columns, self.columns), self._probes
        if self.basis is None and basis is not None:
            self.basis = basis
            first = np.random.default_rng(_FIRST_VECTORS).normal(size=(self.width, _PROBES))
            vectors = np.hstack([basis, self._project(first)])
        elif not len(fresh):
            return
        rows, products = self._multiply(fresh, vectors)
        self.columns = np.concatenate([self.columns, fresh])
        self.panel = np.concatenate([self.panel, rows]) if len(self.panel) else rows
        if products.shape[1] > _PROBES:
            self.image = products[:, :-_PROBES].copy()
        if self.basis is not None:
            self._iterate(products[:, -_PROBES:])

    def find_column(self, j: int) -> Floats:
        """Give one of the columns read."""
        return np.asarray(self.panel[np.flatnonzero(self.columns == j)[0]])

    def _project(self, vectors: Floats) -> Floats:
        """Take off what the basis spans, twice for rounding."""
        assert self.basis is not None
        for _ in range(2):
            vectors = vectors - self.basis @ (self.basis.T @ vectors)
        return vectors

    def _iterate(self, products: Floats) -> None:
        """Make a step of the power iteration, and bound the largest eigenvalue by it."""
        probes = self._project(products)
        lengths = np.maximum(np.linalg.norm(probes, axis=0), np.finfo(float).tiny)
        # The probes are kept at length 1; the logarithms add up to that of ||E^m v||.
        self._growth, self._steps = self._growth + np.log(lengths), self._steps + 1
        self._probes = probes / lengths
        found = np.exp((self._growth.max() - 0.5 * np.log(_SMALL)) / self._steps)
        self.norm_outside = min(self.norm_outside, float(found))
