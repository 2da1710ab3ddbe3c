"""`nmf`: non-negative components whose weighted sum approximates each row.

The factorisation is scikit-learn's. Each component is scaled to a sum of 1, so a score is the
amount of the component in the row; components are ordered by their total amount, and shares are
shares of this total. Solutions of different sizes are not nested: without `k`, the size that
explains the share `retain` of the sum of squares is searched, starting from the bound given by the
singular values.
"""

from collections.abc import Callable
from dataclasses import field
from functools import cache, partial
from typing import Any

import numpy as np
import scipy.sparse

from tamis.algorithms.extraction.lsa import latent_directions
from tamis.algorithms.factorise import SOLVER_OF_LOSS, factorise, quietly
from tamis.algorithms.projection import Projection
from tamis.errors import TamisError
from tamis.numerics.types import Floats
from tamis.rules.tolerances import TIE
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class FactorProjection(Projection):
    """Non-negative amounts of fixed components, computed for every row."""

    parts: Floats
    unit: float = field(repr=False)
    rounds: int = field(repr=False)
    loss: str = field(repr=False)
    max_iter: int = field(repr=False)

    @property
    def loadings(self) -> Floats:
        """Weight of every column in every component (k x d); each row sums to 1."""
        return self.parts

    @property
    def reversible(self) -> bool:
        """Whether `rebuild` can turn scores back into rows."""
        return True

    def project(self, rows: Any) -> Floats:
        """Give the amounts of the components that approximate these rows best."""
        from sklearn.decomposition import non_negative_factorization

        with quietly():
            scores, _, _ = non_negative_factorization(
                _nonnegative(rows) / self.unit,
                H=self.parts,
                n_components=self.size,
                update_H=False,
                solver=SOLVER_OF_LOSS[self.loss],
                beta_loss=self.loss,
                max_iter=self.max_iter,
                random_state=0,
            )
        return np.asarray(scores) * self.unit

    def rebuild(self, scores: Any) -> Floats:
        """Turn scores back into rows."""
        return np.asarray(scores, dtype=np.float64) @ self.parts


def nonnegative_parts(
    rows: Any,
    k: int | None = None,
    *,
    share: float = 0.95,
    rule: str = "ceil",
    loss: str = "frobenius",
    max_iter: int = 1000,
    random_state: int = 0,
) -> FactorProjection:
    """Find `k` non-negative components whose weighted sums approximate the rows.

    Examples
    --------
    >>> found = nonnegative_parts(np.outer([1.0, 2.0, 3.0], [1.0, 3.0]), 1)
    >>> np.round(found.parts, 6).tolist()
    [[0.25, 0.75]]
    """
    X = _nonnegative(rows)
    unit = float(X.mean())
    if not unit > 0:
        raise TamisError("All values are 0: there are no components to compute.")
    X = X / unit  # the search stops by absolute differences
    fit = cache(partial(factorise, X, loss=loss, max_iter=max_iter, random_state=random_state))
    size = _search_size(X, fit, share, rule) if k is None else min(k, *X.shape)
    scores, parts, rounds = fit(size)
    sums = parts.sum(axis=1)
    amounts = scores.sum(axis=0) * sums
    order = np.argsort(-amounts, kind="stable")
    order = order[amounts[order] > 0]
    parts = parts[order] / sums[order, None]
    amounts = amounts[order]
    converged = "" if rounds < max_iter else ", not converged"
    note = f"{loss} loss, {rounds} iterations{converged}"
    shares = amounts / amounts.sum()
    return FactorProjection(None, shares, note, parts, unit, rounds, loss, max_iter)


def _search_size(
    X: Any, fit: Callable[[int], tuple[Floats, Floats, int]], share: float, rule: str
) -> int:
    """Search the size that reaches the share (ceil), or the last that does not pass it."""
    total = float(X.multiply(X).sum() if scipy.sparse.issparse(X) else np.vdot(X, X))

    def explain(size: int) -> float:
        scores, parts, _ = fit(size)
        # |X - WH|^2 = |X|^2 - 2 <XH', W> + <W'W, HH'>: the table of errors is never made.
        cross = float(np.vdot(np.asarray(X @ parts.T), scores))
        square = float(np.vdot(scores.T @ scores, parts @ parts.T))
        return (2 * cross - square) / total

    most = min(X.shape)
    low = min(latent_directions(X, share=share).size, most)
    high = low
    while high < most and explain(high) < share - TIE:
        low, high = high + 1, min(2 * high, most)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if explain(middle) >= share - TIE else (middle + 1, high)
    if rule == "ceil" or explain(high) <= share + TIE:
        return high
    return max(1, high - 1)


def _nonnegative(rows: Any) -> Any:
    if scipy.sparse.issparse(rows):
        X = scipy.sparse.csr_array(rows, dtype=np.float64)
        least = X.data.min() if X.nnz else 0.0
    else:
        X = np.asarray(rows, dtype=np.float64)
        least = X.min()
    if least < 0:
        raise TamisError(
            f"Negative values in data passed to nmf (the smallest is {least:g}): it needs values "
            "of 0 or more; shift them, or use 'pca'."
        )
    return X
