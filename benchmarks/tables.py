"""Make the tables and keep them as files that load without any passing copy."""

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

_FACTORS = 300


def factors(rows: int, columns: int) -> Any:
    """Mix latent factors of falling strength, add noise, standardise."""
    rng = np.random.default_rng(0)
    strengths = 1.0 / np.sqrt(np.arange(1, _FACTORS + 1))
    loadings = rng.standard_normal((_FACTORS, columns))
    X = (rng.standard_normal((rows, _FACTORS)) * strengths) @ loadings
    X += 0.5 * rng.standard_normal(X.shape)
    X -= X.mean(axis=0)
    X /= X.std(axis=0)
    return X


def groups(rows: int, columns: int) -> Any:
    """Draw groups of five columns that correlate at about 0.96."""
    rng = np.random.default_rng(3)
    X = np.repeat(rng.standard_normal((rows, columns // 5)), 5, axis=1)
    return X + 0.2 * rng.standard_normal(X.shape)


def white(rows: int, columns: int) -> Any:
    """Draw independent columns: the flattest spectrum there is."""
    return np.random.default_rng(1).standard_normal((rows, columns))


def npz(path: str) -> Any:
    """Read the table `X` of a stored archive as float64."""
    with np.load(path) as archive:
        return archive["X"].astype(np.float64)


def sparse_npz(path: str) -> Any:
    """Read the table `X` of a stored archive as CSR."""
    return scipy.sparse.csr_array(npz(path))


def counts(rows: int, columns: int) -> Any:
    """Draw a sparse table of small counts, 1% filled."""
    rng = np.random.default_rng(2)
    X = scipy.sparse.random_array((rows, columns), density=0.01, format="csr", rng=rng)
    X.data = np.ceil(4 * X.data)
    return X


def digits() -> Any:
    """Load scikit-learn's digits."""
    from sklearn.datasets import load_digits

    return load_digits().data


def wine() -> Any:
    """Load scikit-learn's wine."""
    from sklearn.datasets import load_wine

    return load_wine().data


MAKERS = {
    make.__name__: make for make in (factors, groups, white, npz, sparse_npz, counts, digits, wine)
}


def save(X: Any, path: Path) -> Path:
    """Write a table; the suffix tells sparse from dense."""
    if scipy.sparse.issparse(X):
        path = path.with_suffix(".npz")
        scipy.sparse.save_npz(path, X, compressed=False)
    else:
        path = path.with_suffix(".npy")
        np.save(path, X)
    return path


def load(path: Path) -> Any:
    """Read a table that `save` wrote."""
    return scipy.sparse.load_npz(path) if path.suffix == ".npz" else np.load(path)
