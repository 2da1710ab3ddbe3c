"""Non-negative factorisations of a table (scikit-learn)."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tamis.numerics.types import Floats

SOLVER_OF_LOSS = {"frobenius": "cd", "kullback-leibler": "mu"}


def factorise(
    X: Any, size: int, *, loss: str, max_iter: int, random_state: int
) -> tuple[Floats, Floats, int]:
    """Give amounts, components and the number of rounds for this many components."""
    from sklearn.decomposition import NMF

    model = NMF(
        size,
        init="nndsvda",
        solver=SOLVER_OF_LOSS[loss],
        beta_loss=loss,
        max_iter=max_iter,
        random_state=random_state,
    )
    with quietly():
        scores = model.fit_transform(X)
    return scores, np.asarray(model.components_), int(model.n_iter_)


@contextmanager
def quietly() -> Iterator[None]:
    """Silence the warnings of a search that ends early (see the note) or starts at the answer."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield
