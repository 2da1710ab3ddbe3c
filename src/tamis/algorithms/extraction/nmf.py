"""`nmf`: non-negative components whose weighted sum approximates each row.

The factorisation is scikit-learn's. Each component is scaled to a sum of 1, so a score is the
amount of the component in the row; components are ordered by their total amount, and shares are
shares of this total. Solutions of different sizes are not nested: without `k`, the size that
explains the share `retain` of the sum of squares is searched, starting from the bound given by the
singular values.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse

from tamis.algorithms.extraction.lsa import latent_directions
from tamis.algorithms.projection import Projection, choose_size
from tamis.errors import TamisError, spelled
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats

LOSSES = ("frobenius", "kullback-leibler")


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

        with _quietly():
            scores, _, _ = non_negative_factorization(
                _nonnegative(rows) / self.unit,
                H=self.parts,
                n_components=self.size,
                update_H=False,
                solver=_SOLVERS[self.loss],
                beta_loss=self.loss,
                max_iter=self.max_iter,
                random_state=0,
            )
        return np.asarray(scores) * self.unit

    def rebuild(self, scores: Any) -> Floats:
        """Turn scores back into rows."""
        return np.asarray(scores, dtype=np.float64) @ self.parts


_SOLVERS = {"frobenius": "cd", "kullback-leibler": "mu"}


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
    if loss not in LOSSES:
        raise TamisError(f"{spelled('loss', loss)}: give 'frobenius' or 'kullback-leibler'.")
    X = _nonnegative(rows)
    unit = float(X.mean())
    if not unit > 0:
        raise TamisError("All values are 0: there are no components to compute.")
    X = X / unit  # the search stops by absolute differences
    search = _FactorSearch(X, loss, max_iter, random_state)
    size = search.size(share, rule) if k is None else min(k, *X.shape)
    scores, parts, rounds = search.fitted(size)
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


class _FactorSearch:
    """Factorisations of one table, each made once."""

    def __init__(self, X: Any, loss: str, max_iter: int, random_state: int) -> None:
        self._X, self._loss, self._max_iter, self._seed = X, loss, max_iter, random_state
        self._known: dict[int, tuple[Floats, Floats, int]] = {}

    def fitted(self, size: int) -> tuple[Floats, Floats, int]:
        """Give amounts, components and the number of rounds for this many components."""
        if size not in self._known:
            self._known[size] = self._fit(size)
        return self._known[size]

    def _fit(self, size: int) -> tuple[Floats, Floats, int]:
        from sklearn.decomposition import NMF

        model = NMF(
            size,
            init="nndsvda",
            solver=_SOLVERS[self._loss],
            beta_loss=self._loss,
            max_iter=self._max_iter,
            random_state=self._seed,
        )
        with _quietly():
            scores = model.fit_transform(self._X)
        return scores, np.asarray(model.components_), int(model.n_iter_)

    def fit(self, size: int) -> float:
        """Give the share of the squares that this many components explain."""
        scores, parts, _ = self.fitted(size)
        # |X - WH|^2 = |X|^2 - 2 <XH', W> + <W'W, HH'>: the table of errors is never made.
        cross = float(np.vdot(np.asarray(self._X @ parts.T), scores))
        square = float(np.vdot(scores.T @ scores, parts @ parts.T))
        return (2 * cross - square) / self._total

    @property
    def _total(self) -> float:
        X = self._X
        return float(X.multiply(X).sum() if scipy.sparse.issparse(X) else np.vdot(X, X))

    def size(self, share: float, rule: str) -> int:
        """Search the size that reaches the share (ceil), or the last that does not pass it."""
        choose_size(np.ones(1), share, rule)  # checks the rule
        most = min(self._X.shape)
        low = min(latent_directions(self._X, share=share).size, most)
        high = low
        while high < most and self.fit(high) < share - TIE:
            low, high = high + 1, min(2 * high, most)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.fit(middle) >= share - TIE else (middle + 1, high)
        if rule == "ceil" or self.fit(high) <= share + TIE:
            return high
        return max(1, high - 1)


@contextmanager
def _quietly() -> Iterator[None]:
    """Silence the warnings of a search that ends early (see the note) or starts at the answer."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


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
