"""Eigenpairs of symmetric matrices: the leading ones, or all that are not zero."""

from collections.abc import Callable

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RANK_TOL = 1e-10


def leading_values(matrix: Floats, k: int) -> Floats:
    """Give the `k` largest eigenvalues, largest first."""
    d, k = len(matrix), min(k, len(matrix))
    if d > 1000 and k * 20 < d:
        return iterated(matrix.__matmul__, d, k)[0]
    values = scipy.linalg.eigvalsh(matrix, subset_by_index=[d - k, d - 1], check_finite=False)
    return np.maximum(values[::-1], 0.0)


def leading_pairs(matrix: Floats, k: int) -> tuple[Floats, Floats]:
    """Give the same with their eigenvectors as columns."""
    d, k = len(matrix), min(k, len(matrix))
    if d > 1000 and k * 20 < d:
        return iterated(matrix.__matmul__, d, k)
    values, vectors = scipy.linalg.eigh(matrix, subset_by_index=[d - k, d - 1], check_finite=False)
    return np.maximum(values[::-1], 0.0), vectors[:, ::-1]


def decomposed(matrix: Floats) -> tuple[Floats, Floats]:
    """Give all eigenvalues that are not zero, smallest first, with their eigenvectors."""
    values, vectors = scipy.linalg.eigh(matrix, driver="evd", check_finite=False)
    sound = values > RANK_TOL * values[-1]
    return (values, vectors) if sound.all() else (values[sound], vectors[:, sound])


def iterated(dot: Callable[[Floats], Floats], d: int, k: int) -> tuple[Floats, Floats]:
    """Find leading eigenpairs by Lanczos steps from a fixed start."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    operator = LinearOperator((d, d), matvec=dot, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(d)
    values, vectors = eigsh(operator, k=min(k, d - 1), which="LA", v0=start)
    order = np.argsort(values)[::-1]
    return np.maximum(values[order], 0.0), vectors[:, order]


def lifted(vectors: Floats) -> Floats:
    """Scale the columns to length 1, largest entry positive."""
    lengths = np.linalg.norm(vectors, axis=0)
    return signed(vectors / np.where(lengths == 0, 1.0, lengths))


def signed(vectors: Floats) -> Floats:
    """Turn the columns so that their largest entry is positive."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)
