"""Eigenpairs of symmetric matrices: the leading ones, or all that are not zero."""

import itertools
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.threads import (
    every_thread,
    is_machine_busy,
    small_products_on_one_thread,
)
from tamis.numerics.tolerances import EPS, EXACT, RANK_TOL, TIE
from tamis.numerics.types import Floats

_MANY = 100  # columns of a matrix whose decomposition is worth all threads
_GLANCE = 1e-6  # the error of the value is its square
_PER_RESTART = 10  # a restart takes about as many products; as many as columns equal a full solve


def find_leading_values(matrix: Floats, k: int) -> Floats:
    """Give the `k` largest eigenvalues, largest first."""
    d, k = len(matrix), min(k, len(matrix))
    if _few(d, k):
        return iterate_leading(matrix.__matmul__, d, k, matrix)[0]
    return np.maximum(_all_values(matrix)[:k], 0.0)


def find_leading_pairs(matrix: Floats, k: int) -> tuple[Floats, Floats]:
    """Give the same with their eigenvectors as columns."""
    d, k = len(matrix), min(k, len(matrix))
    if _few(d, k):
        return iterate_leading(matrix.__matmul__, d, k, matrix)
    more = min(k + 1, d)
    try:
        with _decomposition_threads(d):
            values, vectors = scipy.linalg.eigh(
                matrix, subset_by_index=[d - more, d - 1], check_finite=False
            )
    except scipy.linalg.LinAlgError:
        return _solve_dense(matrix, k)
    # Where eigenvalues repeat, the driver for a few of them may also find too few.
    if len(values) < more or (more > k and not _apart(values)[0]):
        return _solve_dense(matrix, k)
    return _take_leading(values, fix_repeated(values, vectors), k)


def _few(d: int, k: int) -> bool:
    """Check whether products with the matrix are cheaper than its decomposition."""
    return d > 1000 and k * 20 < d


def _decomposition_threads(d: int) -> AbstractContextManager[None]:
    """Choose the threads for a matrix of this size: a small one is as quick with any."""
    if d <= _MANY:
        return nullcontext()
    return small_products_on_one_thread(0) if is_machine_busy() else every_thread()


def _all_values(matrix: Floats) -> Floats:
    with _decomposition_threads(len(matrix)):
        return scipy.linalg.eigvalsh(matrix, driver="evd", check_finite=False)[::-1]


def _solve_dense(matrix: Floats, k: int) -> tuple[Floats, Floats]:
    """Decompose the whole matrix, which also finds every copy of a repeated eigenvalue."""
    values, vectors = all_pairs(matrix)
    return _take_leading(values, fix_repeated(values, vectors), k)


def all_pairs(matrix: Floats, *, overwrite: bool = False) -> tuple[Floats, Floats]:
    """Give all eigenvalues, smallest first, and eigenvectors as columns, as LAPACK finds them."""
    if overwrite:
        # The transpose is the same matrix in the order LAPACK writes into, so no copy is made.
        matrix = matrix.T
    with _decomposition_threads(len(matrix)):
        found: tuple[Floats, Floats] = scipy.linalg.eigh(
            matrix, driver="evd", overwrite_a=overwrite, check_finite=False
        )
    return found


def _take_leading(values: Floats, vectors: Floats, k: int) -> tuple[Floats, Floats]:
    """Turn the order round, largest first, and take the first `k`."""
    return np.maximum(values[::-1][:k], 0.0), vectors[:, ::-1][:, :k]


def fix_repeated(values: Floats, vectors: Floats) -> Floats:
    """Choose the eigenvectors of repeated eigenvalues by a rule, where solvers return any basis.

    Of all unit vectors with the same eigenvalue the first is the one with the largest entry, in
    the first place where there are several; the next is the same among those orthogonal to it.
    `values` are in ascending order, so the first stands last.

    Examples
    --------
    >>> turned = np.array([[0.8, 0.6, 0.0], [0.6, -0.8, 0.0], [0.0, 0.0, 1.0]])
    >>> np.abs(fix_repeated(np.array([1.0, 1.0, 3.0]), turned)).round(12).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    apart = _apart(values)
    if apart.all():
        return vectors
    vectors = vectors.copy()
    starts = np.concatenate([[0], np.flatnonzero(apart) + 1, [len(values)]])
    for start, end in itertools.pairwise(starts.tolist()):
        # Vectors of the eigenvalue 0 say nothing about the table.
        if end - start > 1 and values[end - 1] > RANK_TOL * values[-1]:
            vectors[:, start:end] = _pivot_basis(vectors[:, start:end])[:, ::-1]
    return vectors


def _apart(values: Floats) -> NDArray[np.bool_]:
    """Mark which ascending eigenvalues a solver's error cannot have taken for the next one."""
    error = 10 * len(values) * EPS * np.abs(values).max(initial=0.0)
    return np.asarray(np.diff(values) > error)


def _pivot_basis(basis: Floats) -> Floats:
    """Give the basis of the same space whose vectors, one after the other, are the most peaked."""
    left, found = basis.copy(), np.empty_like(basis)
    for i in range(basis.shape[1]):
        direction = most_peaked(left)
        found[:, i] = basis @ direction
        left -= np.outer(left @ direction, direction)
    return found


def most_peaked(basis: Floats) -> Floats:
    """Give the weights of the vector of a space that has the largest entry, first of equal ones."""
    lengths = np.einsum("ij,ij->i", basis, basis)
    j = int(np.flatnonzero(lengths >= (1 - TIE) * lengths.max())[0])
    return np.asarray(basis[j] / np.sqrt(lengths[j]))


def decompose(matrix: Floats) -> tuple[Floats, Floats]:
    """Give all eigenvalues that are not zero, smallest first, with their eigenvectors."""
    values, vectors = all_pairs(matrix)
    vectors = fix_repeated(values, vectors)
    sound = values > RANK_TOL * values[-1]
    return (values, vectors) if sound.all() else (values[sound], vectors[:, sound])


def iterate_leading(
    dot: Callable[[Floats], Floats],
    d: int,
    k: int,
    matrix: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Find leading eigenpairs by Lanczos steps from a fixed start.

    Such a search sees one copy of a repeated eigenvalue, the others through rounding only. So what
    it found is taken off, and nothing larger may be left. If something is, or the search does not
    end, the whole `matrix` is decomposed where it is given; elsewhere what was missed is added.
    """
    from scipy.sparse.linalg import ArpackError

    k = min(k, d - 1)
    restarts = None if matrix is None else 1 + d // _PER_RESTART
    try:
        values, vectors = _lanczos(dot, np.zeros((d, 0)), k, EXACT, restarts)
        while True:
            largest = _lanczos(dot, vectors, 1, _GLANCE, restarts)[0][0]
            if largest <= values[-1] + _GLANCE**2 * values[0]:
                return np.maximum(values, 0.0), vectors
            if matrix is not None:
                return _solve_dense(matrix, k)
            values, vectors = _insert_pair(
                (values, vectors), _lanczos(dot, vectors, 1, EXACT, None)
            )
    except ArpackError as failure:
        if matrix is not None:
            return _solve_dense(matrix, k)
        raise TamisError(
            f"The search for the {k} largest of {d:,} eigenvalues did not end: ask for fewer, or "
            "use a sample of the rows."
        ) from failure


def _lanczos(
    dot: Callable[[Floats], Floats], known: Floats, k: int, accuracy: float, restarts: int | None
) -> tuple[Floats, Floats]:
    """Find the leading pairs of the matrix without the `known` eigenvectors."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    def off(v: Floats) -> Floats:
        return v - known @ (v @ known) if known.size else v

    d = len(known)
    operator = LinearOperator((d, d), matvec=lambda v: off(dot(off(v.ravel()))), dtype=np.float64)
    start = off(np.random.default_rng(known.shape[1]).standard_normal(d))
    values, vectors = eigsh(operator, k, which="LA", v0=start, tol=accuracy, maxiter=restarts)
    order = np.argsort(values)[::-1]
    return values[order], vectors[:, order]


def _insert_pair(
    found: tuple[Floats, Floats], missed: tuple[Floats, Floats]
) -> tuple[Floats, Floats]:
    """Put the missed pair in its place and drop the smallest."""
    values, vectors = np.append(found[0], missed[0]), np.column_stack([found[1], missed[1]])
    order = np.argsort(-values, kind="stable")[:-1]
    return values[order], vectors[:, order]


def normalise_columns(vectors: Floats) -> Floats:
    """Scale the columns to length 1, largest entry positive."""
    lengths = np.linalg.norm(vectors, axis=0)
    return fix_signs(vectors / np.where(lengths == 0, 1.0, lengths))


def fix_signs(vectors: Floats) -> Floats:
    """Turn the columns so that their largest entry, the first of equal ones, is positive."""
    sizes = np.abs(vectors)
    largest = (sizes >= (1 - TIE) * sizes.max(axis=0)).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)
