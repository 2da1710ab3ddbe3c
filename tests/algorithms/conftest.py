"""Tables for the method tests, as Gram matrices in every form."""

from collections.abc import Callable

import numpy as np
import pytest
import scipy.sparse

from tamis.statistics.gram import DenseGram, Gram
from tamis.statistics.linear import summary_of_rows
from tamis.statistics.moments import Moments


@pytest.fixture(scope="session")
def gram_of() -> Callable[..., Gram]:
    """Make a Gram matrix of a table in one of its three forms."""

    def make(X: np.ndarray, form: str = "dense", scale: bool = True) -> Gram:
        if form == "dense":
            return Moments.from_batch(X).gram(scale=scale)
        return summary_of_rows(scipy.sparse.csr_array(X) if form == "sparse" else X, scale).gram

    return make


@pytest.fixture(scope="session")
def matrix_of() -> Callable[..., np.ndarray]:
    """Write the Gram matrix out by its definition; its mean diagonal is 1."""

    def make(X: np.ndarray, scale: bool = True) -> np.ndarray:
        Z = X - X.mean(axis=0)
        Z = Z[:, Z.std(axis=0) > 1e-12 * np.abs(X.mean(axis=0))]
        return Z.T @ Z / (Z**2).sum(axis=0).mean() if not scale else np.corrcoef(Z, rowvar=False)

    return make


@pytest.fixture
def correlated() -> Callable[..., np.ndarray]:
    """Generate a table whose columns share a few hidden causes."""

    def make(n: int, d: int, *, factors: int = 4, noise: float = 0.5, seed: int = 0) -> np.ndarray:
        rng = np.random.default_rng(seed)
        hidden = rng.standard_normal((n, factors)) @ rng.standard_normal((factors, d))
        return (hidden + noise * rng.standard_normal((n, d))) * rng.uniform(0.1, 10, d)

    return make


@pytest.fixture
def dense() -> type[DenseGram]:
    return DenseGram


@pytest.fixture
def card() -> np.ndarray:
    """Give the small similarity matrix of the cards on mutual information."""
    rows = [[1, 0.8, 0.1, 0.2], [0.8, 1, 0.1, 0.2], [0.1, 0.1, 1, 0.3], [0.2, 0.2, 0.3, 1]]
    return np.array(rows)


@pytest.fixture
def caterpillar() -> Callable[..., np.ndarray]:
    """Make similarities whose tree loses one column at each split."""

    def make(d: int, seed: int = 0) -> np.ndarray:
        strength = np.random.default_rng(seed).permutation(np.linspace(0.2, 0.9, d))
        M = np.outer(strength, strength)
        np.fill_diagonal(M, 1.0)
        return M

    return make
