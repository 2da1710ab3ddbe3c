"""Non-negative factorisations of one table, for several numbers of parts (scikit-learn)."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import scipy.sparse

from tamis.numerics.types import Floats

SOLVER_OF_LOSS = {"frobenius": "cd", "kullback-leibler": "mu"}


class FactorSearch:
    """Factorisations of one table, each made once."""

    def __init__(self, X: Any, loss: str, max_iter: int, random_state: int) -> None:
        self.X, self._loss, self._max_iter, self._seed = X, loss, max_iter, random_state
        self._known: dict[int, tuple[Floats, Floats, int]] = {}

    def fit_size(self, size: int) -> tuple[Floats, Floats, int]:
        """Give amounts, components and the number of rounds for this many components."""
        if size not in self._known:
            self._known[size] = self._fit(size)
        return self._known[size]

    def _fit(self, size: int) -> tuple[Floats, Floats, int]:
        from sklearn.decomposition import NMF

        model = NMF(
            size,
            init="nndsvda",
            solver=SOLVER_OF_LOSS[self._loss],
            beta_loss=self._loss,
            max_iter=self._max_iter,
            random_state=self._seed,
        )
        with quietly():
            scores = model.fit_transform(self.X)
        return scores, np.asarray(model.components_), int(model.n_iter_)

    def fit(self, size: int) -> float:
        """Give the share of the squares that this many components explain."""
        scores, parts, _ = self.fit_size(size)
        # |X - WH|^2 = |X|^2 - 2 <XH', W> + <W'W, HH'>: the table of errors is never made.
        cross = float(np.vdot(np.asarray(self.X @ parts.T), scores))
        square = float(np.vdot(scores.T @ scores, parts @ parts.T))
        return (2 * cross - square) / self._total

    @property
    def _total(self) -> float:
        X = self.X
        return float(X.multiply(X).sum() if scipy.sparse.issparse(X) else np.vdot(X, X))


@contextmanager
def quietly() -> Iterator[None]:
    """Silence the warnings of a search that ends early (see the note) or starts at the answer."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield
