"""`jolliffe-i`: the largest loading on the leading component of the columns not yet taken.

Cui and Dy, who compare with it, leave open what is removed between two picks; here it is the picked
column alone. Redundancy with the columns already taken is ignored.

`jolliffe-ni`: one column for each leading component, by largest loading (Jolliffe's B4).

Components are taken in order of their eigenvalues; a column already taken is skipped in favour of
the next largest loading. Redundancy between the columns taken is ignored.

`jolliffe-b3`: the columns with the smallest loadings on all the small components together.

Jolliffe (1972): to keep k of d columns, square and add up the loadings of every column on the d - k
smallest components; the d - k columns with the largest sums are removed. The loadings of a column
on all components have squares that add up to 1, so those kept have the largest sums over the k
leading components. A set for one k need not contain the set for a smaller one.

A table of rank r has only r components of its own: for more columns than that, the sums go over
these r. Redundancy between the columns kept is ignored: two copies have the same sums.
"""

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from tamis.algorithms.forward.pfs import is_settled
from tamis.algorithms.greedy import all_usable, search
from tamis.algorithms.limits import LimitedGoal, no_limits
from tamis.algorithms.orders import find_smallest, order_by_gain, order_of, put_included_first
from tamis.algorithms.path import Goal, Path
from tamis.algorithms.residual import Residual
from tamis.numerics.leading import LeadingVector, Ritz
from tamis.numerics.types import Floats, Mask
from tamis.statistics.gram import Gram


def iterated_loadings(gram: Gram, k: int, **goal: Unpack[LimitedGoal]) -> Path:
    """Take `k` columns by largest loading, a new component after each."""
    limits = goal.get("limits") or no_limits(len(gram.diagonal()))
    return search(Residual(gram, k), k, _Loadings(gram, limits.price), usable=all_usable, **goal)


class _Loadings:
    """Score the live columns by the leading eigenvector of their own Gram matrix.

    Of a table held by its rows the N x N kernel is searched, which loses the outer product of every
    removed column.
    """

    def __init__(self, gram: Gram, price: Floats) -> None:
        self._gram, self._samples, self._price = gram, gram.samples, price
        self._live = gram.diagonal()
        samples = gram.samples
        self._diagonal = gram.diagonal() if samples is None else samples.kernel_diagonal()
        self._removed = np.zeros((0, self._diagonal.size))  # columns, as vectors of samples
        self._followed = 0
        self._leading = LeadingVector(self._dot, self._diagonal)

    def __call__(self, residual: Residual, offered: Mask) -> Floats:
        for j in residual.taken[self._followed :]:
            self._remove(int(j))
            self._live[j] = 0.0
        self._followed = residual.size
        weight = offered / self._price
        found = self._leading.search(
            self._diagonal,
            lambda ritz: is_settled(
                lambda: self._weigh(ritz) * weight, ritz.error * float(weight.max())
            ),
        )
        return np.where(offered, self._weigh(found), 0.0)

    def _dot(self, u: Floats) -> Floats:
        """Multiply the matrix that is searched with a vector."""
        if self._samples is not None:
            return self._samples.kernel_dot(u) - (self._removed @ u) @ self._removed
        live = self._live > 0
        return np.where(live, self._gram.dot(np.where(live, u, 0.0)), 0.0)

    def _remove(self, j: int) -> None:
        """Take a column out of that matrix."""
        if self._samples is not None:
            column = self._samples.sample(j)
            self._leading.subtract(column)
            self._removed = np.vstack([self._removed, column])
            self._diagonal = np.maximum(self._diagonal - column**2, 0.0)
            return
        unit = np.zeros(self._live.size)
        unit[j] = 1.0
        self._leading.project(unit, self._dot(unit))
        self._diagonal[j] = 0.0

    def _weigh(self, ritz: Ritz) -> Floats:
        """Give the sizes of the loadings of the live columns."""
        sizes = np.abs(ritz.vector)
        if self._samples is not None:
            sizes = np.abs(self._samples.transposed_dot(ritz.vector)) / np.sqrt(ritz.value)
        return np.where(self._live > 0, sizes, 0.0)


def one_pass_loadings(gram: Gram, k: int, **goal: Unpack[Goal]) -> Path:
    """Take for each of the first `k` components the open column that loads most on it."""
    loadings = np.abs(gram.find_leading(k)[1]).T

    def load(residual: Residual, _: Mask) -> Floats:
        # More columns than components (rank-deficient tables): the last component serves the rest.
        return loadings[min(residual.size, len(loadings) - 1)]

    return search(Residual(gram, k), k, load, usable=all_usable, **goal)


def summed_loadings(
    gram: Gram, k: int, *, retain: float = 1.0, include: Sequence[int] = ()
) -> Path:
    """Take the `k` columns with the largest squared loadings on the `k` leading components."""
    loadings = gram.find_leading(k)[1]

    def find(size: int) -> Path:
        scores = np.square(loadings[:, :size]).sum(axis=1)
        chosen = put_included_first(order_of(scores), include)[:size]
        return order_by_gain(gram, chosen, scores, include=include)

    return find_smallest(find, min(k, len(loadings)), retain, least=max(1, len(include)))
