"""Tables for the method tests: real ones when `../shared` is there, generated ones always."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_digits, load_iris, load_wine

from tamis.statistics.collect import summary_of_rows
from tamis.statistics.gram import DenseGram, Gram
from tamis.statistics.moments import Moments

SHARED = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture(scope="session")
def real() -> Callable[[str], np.ndarray]:
    """Load a table: scikit-learn's own, or one that lies beside the project."""

    def load(name: str) -> np.ndarray:
        own = {"iris": load_iris, "wine": load_wine, "digits": load_digits}
        if name in own:
            return own[name]().data
        path = SHARED / f"{name}.npz"
        if not path.exists():
            pytest.skip(f"{name}: the data folder ../shared/data is not here")
        with np.load(path, allow_pickle=False) as archive:
            return archive["X"].astype(float)

    return load


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
    """Write the Gram matrix out by its definition."""

    def make(X: np.ndarray, scale: bool = True) -> np.ndarray:
        Z = X - X.mean(axis=0)
        Z = Z[:, Z.std(axis=0) > 1e-12 * np.abs(X.mean(axis=0))]
        return Z.T @ Z if not scale else np.corrcoef(Z, rowvar=False)

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
