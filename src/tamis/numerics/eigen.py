"""Eigenpairs of symmetric matrices: the leading ones, or all that are not zero."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from tamis.errors import TamisError
from tamis.numerics.threads import every_thread, is_machine_busy, small_products_on_one_thread
from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.rules.tolerances import ACCEPTED, EPS, EXACT, RANK_TOL, TIE

_MANY = 100  # columns of a matrix whose decomposition is worth all threads
_GLANCE = 1e-6  # the error of the value is its square
_PER_RESTART = 10  # a restart takes about as many products; as many as columns equal a full solve


def find_leading_values(matrix: Floats, k: int) -> Floats:
    """Give the `k` largest eigenvalues, largest first."""
    d, k = len(matrix), min(k, len(matrix))
    if _few(d, k):
        return iterate_leading(matrix.__matmul__, d, k, matrix)[0]
    with _decomposition_threads(d):
        values = scipy.linalg.eigvalsh(matrix, driver="evd", check_finite=False)[::-1]
    return np.maximum(values[:k], 0.0)


def find_leading_pairs(matrix: Floats, k: int) -> tuple[Floats, Floats]:
    """Give the eigenvalues with their eigenvectors as columns."""
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
            basis = vectors[:, start:end].copy()
            left = basis.copy()
            for place in range(end - 1, start - 1, -1):  # the most peaked first
                direction = most_peaked(left)
                vectors[:, place] = basis @ direction
                left -= np.outer(left @ direction, direction)
    return vectors


def _apart(values: Floats) -> NDArray[np.bool_]:
    """Mark which ascending eigenvalues a solver's error cannot have taken for the next one."""
    error = 10 * len(values) * EPS * np.abs(values).max(initial=0.0)
    return np.asarray(np.diff(values) > error)


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
    dot: Callable[[Floats], Floats], d: int, k: int, matrix: Floats | None = None
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
            # What was missed takes its place, and the smallest is dropped.
            missed = _lanczos(dot, vectors, 1, EXACT, None)
            values = np.append(values, missed[0])
            order = np.argsort(-values, kind="stable")[:-1]
            values, vectors = values[order], np.column_stack([vectors, missed[1]])[:, order]
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


# The leading eigenvector of a matrix that is only multiplied with vectors, from a given start.
#
# Unlike a solver with a random start, it keeps symmetry: what is symmetric in the start and in the
# matrix is so in the vector.
_MAX_LANCZOS_STEPS = 32
_MAX_LANCZOS_RESTARTS = 30


def find_leading_vector(dot: Callable[[Floats], Floats], start: Floats) -> Floats:
    """Find the leading eigenvector of a matrix without negative eigenvalues, by Lanczos steps.

    Where the largest eigenvalue is repeated, it is the part of `start` in its eigenspace.

    Examples
    --------
    >>> found = find_leading_vector(np.diag([3.0, 3.0, 1.0]).dot, np.array([4.0, 3.0, 5.0]))
    >>> np.abs(found).round(6)
    array([0.8, 0.6, 0. ])
    """
    v = start / np.linalg.norm(start)
    for _ in range(_MAX_LANCZOS_RESTARTS):
        v, done = _run_lanczos(dot, v)
        if done:
            break
    return v


def _run_lanczos(dot: Callable[[Floats], Floats], v: Floats) -> tuple[Floats, bool]:
    """Search the space of a few products; say whether the vector found is good enough."""
    most = min(_MAX_LANCZOS_STEPS, v.size)
    basis, T = np.zeros((most, v.size)), np.zeros((most, most))
    weights = np.ones(1)
    for m in range(most):
        basis[m] = v
        w = dot(v)
        T[m, m] = w @ v
        w = take_off(w, basis[: m + 1])
        beta = float(np.linalg.norm(w))
        values, vectors = np.linalg.eigh(T[: m + 1, : m + 1])
        weights = vectors[:, -1]
        if beta * abs(weights[-1]) <= EXACT * values[-1]:
            return weights @ basis[: m + 1], True
        if m + 1 < most:
            T[m, m + 1] = T[m + 1, m] = beta
            v = w / beta
    found = weights @ basis
    return found / np.linalg.norm(found), most == found.size


def take_off(vector: Floats, basis: Floats) -> Floats:
    """Take off what the rows of an orthonormal `basis` span; once leaves its rounding."""
    for _ in range(2):
        vector = vector - (basis @ vector) @ basis
    return vector


_CHECKED_EVERY = 10  # steps: a look at the tridiagonal matrix costs less than one of them
_MAX_STEPS_PER_VALUE = 8
_MIN_STEPS = 60
_RESIDUAL_SHARE = 0.1  # of the slack


def bound_leading_values(dot: Callable[[Floats], Floats], d: int, k: int, slack: float) -> Floats:
    """Give `k` numbers that the largest eigenvalues do not exceed, largest first.

    Together they are at most `slack` larger than eigenvalues of the matrix, or wider where the
    steps run out. Such a search can miss eigenvalues: copies of a repeated one, and some among many
    that are close. So what it found is taken off, and no number is given below the largest that is
    left. Where that costs too much, what was missed is added, and the rest is searched again.

    Examples
    --------
    >>> values = np.array([5.0, 3.0, 3.0, 1.0])
    >>> bound_leading_values(lambda v: values * v, 4, 3, slack=1e-9).round(6).tolist()
    [5.0, 3.0, 3.0]
    """
    k, half = min(k, d), slack / 2
    bounds, vectors = _bound_ritz(dot, np.zeros((0, d)), k, half)
    while len(vectors) < d:
        missed, direction = _bound_ritz(dot, vectors, 1, half / k)
        raised = np.maximum(bounds, missed)
        if len(bounds) == k and (raised - bounds).sum() <= half:
            bounds = raised
            break
        bounds = np.sort(np.append(bounds, missed))[::-1][:k]
        vectors = np.vstack([vectors, direction])
    return np.sort(np.maximum(bounds, 0.0))[::-1]


def _bound_ritz(
    dot: Callable[[Floats], Floats], known: Floats, k: int, slack: float
) -> tuple[Floats, Floats]:
    """Take Lanczos steps, orthogonal to the `known` vectors, until the bounds are close enough.

    With a basis Q of m vectors, Q'AQ is tridiagonal, and a Ritz vector Qs has a residual of length
    b |s_m|, b being the length of what the last step left: an eigenvalue lies within it. Where
    eigenvalues are close it need not be the one of the same rank, so the residuals may use up a
    tenth of the slack only, and the rest of it is added.
    """
    first, d = known.shape
    room = min(d - first, max(_MIN_STEPS, _MAX_STEPS_PER_VALUE * k))
    # The known vectors stand in front: taken off apart, they come back, larger with every step.
    basis, diagonal, beside = np.empty((first + room, d)), np.empty(room), np.empty(room)
    basis[:first] = known
    start = np.random.default_rng(first).standard_normal((1, d))[0]
    left = take_off(start, known)
    for step in range(room):
        vector = basis[first + step] = left / np.linalg.norm(left)
        product = dot(vector)
        diagonal[step] = product @ vector
        left = take_off(product, basis[: first + step + 1])
        beside[step] = length = float(np.linalg.norm(left))
        ended = length <= EPS * d * np.abs(diagonal[: step + 1]).max() or step + 1 == room
        if ended or (step + 1 > k and (step + 1) % _CHECKED_EVERY == 0):
            values, weights = scipy.linalg.eigh_tridiagonal(diagonal[: step + 1], beside[:step])
            errors = length * np.abs(weights[-1, ::-1][:k])
            if ended or errors.sum() <= _RESIDUAL_SHARE * slack:
                break
    vectors = weights[:, ::-1][:, :k].T @ basis[first : first + step + 1]
    return values[::-1][:k] + errors + (1.0 - _RESIDUAL_SHARE) * slack / k, vectors


# Leading eigenpairs of a symmetric matrix that is only multiplied with blocks of vectors.
#
# Block Krylov steps with restarts: the residuals of the best vectors so far join the basis, which
# is cut back to the best when it has grown. A product with a block costs little more than one with
# a vector where the matrix is computed anew for each product. A pair is accepted when its residual
# is below `ACCEPTED` times the largest eigenvalue.
_GUARD = 10
_GROWN = 4
_MAX_SUBSPACE_STEPS = 200


def find_leading_subspace(dot: Callable[[Floats], Floats], n: int, k: int) -> tuple[Floats, Floats]:
    """Give the `k` largest eigenvalues, largest first, and eigenvectors as columns.

    Examples
    --------
    >>> matrix = np.diag(np.arange(50.0))
    >>> find_leading_subspace(matrix.__matmul__, 50, 2)[0].round(9).tolist()
    [49.0, 48.0]
    """
    k = min(k, n)
    search = _SubspaceSearch(dot, n, k)
    for _ in track("components found", search.steps(), k, size=lambda fresh: fresh):
        pass
    return search.values[:k], search.vectors[:, :k]


class _SubspaceSearch:
    """An orthonormal basis `V` with its products, and the best pairs in its span."""

    def __init__(self, dot: Callable[[Floats], Floats], n: int, k: int) -> None:
        self.dot, self.n, self.k = dot, n, k
        self.width = min(k + _GUARD, n)
        self.V = np.linalg.qr(np.random.default_rng(0).standard_normal((n, self.width)))[0]
        self.KV = dot(self.V)
        self.found = 0

    def steps(self) -> Iterator[int]:
        """Enlarge the basis until all pairs are found; yield how many more are, each time."""
        for _ in range(_MAX_SUBSPACE_STEPS):
            residual = self._best()
            sizes = np.linalg.norm(residual, axis=0)
            open_ = sizes > ACCEPTED * max(abs(self.values[0]), np.finfo(np.float64).tiny)
            if self.V.shape[1] == self.n:
                open_[:] = False
            count = int(np.argmax(open_[: self.k])) if open_[: self.k].any() else self.k
            yield max(count - self.found, 0)
            self.found = max(count, self.found)
            if count == self.k:
                return
            fresh = (residual[:, open_] / sizes[open_])[:, : self.n - self.V.shape[1]]
            for _ in range(2):  # made orthogonal to the basis twice
                fresh = np.linalg.qr(fresh - self.V @ (self.V.T @ fresh))[0]
            self.V = np.hstack([self.V, fresh])
            self.KV = np.hstack([self.KV, self.dot(fresh)])
        raise TamisError(
            f"The {self.k:,} leading components are too close to the next ones to be separated: "
            "ask for fewer or for more."
        )

    def _best(self) -> Floats:
        """Find the best pairs in the span of the basis, and give their residuals."""
        T = self.V.T @ self.KV
        values, Y = all_pairs((T + T.T) / 2)
        room = _GROWN * self.width
        if self.V.shape[1] + self.width > room:
            kept = Y[:, ::-1][:, : 2 * self.width]
            self.V, self.KV = self.V @ kept, self.KV @ kept
            values, Y = values[::-1][: 2 * self.width][::-1], np.eye(kept.shape[1])[:, ::-1]
        best = Y[:, ::-1][:, : self.width]
        self.values, self.vectors = values[::-1][: self.width], self.V @ best
        return self.KV @ best - self.vectors * self.values


_VARIANCE_ROUNDING = 1e-9  # of a variance: far above what rounding does, far below what matters
_VANISHED = 1e-100  # products that may be left of a column whose squares have vanished


def is_scatter(matrix: Floats) -> bool:
    """Check that no eigenvalue is negative, each column measured in its own unit.

    Examples
    --------
    >>> is_scatter(np.array([[4.0, 2.0], [2.0, 1.0]])), is_scatter(np.array([[1.0, 2], [2, 1]]))
    (True, False)
    """
    variances = np.diagonal(matrix)
    if (variances < 0).any():
        return False
    length = np.sqrt(variances)
    inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
    if (np.abs(matrix[length == 0]) > _VANISHED).any():
        return False
    scaled = matrix * inverse * inverse[:, None]
    if not (np.abs(scaled) <= 1 + _VARIANCE_ROUNDING).all():
        return False
    np.fill_diagonal(scaled, 1.0 + _VARIANCE_ROUNDING * len(scaled))
    try:
        scipy.linalg.cholesky(scaled, lower=True, overwrite_a=True, check_finite=False)
    except scipy.linalg.LinAlgError:
        return False
    return True


def make_definite(matrix: Floats) -> Floats:
    """Give a positive definite matrix of correlations near a symmetric one with ones as diagonal.

    Tiny eigenvalues and negative ones are raised, and the columns brought back to length 1. A
    matrix that needs none of this is given back as it is.

    Examples
    --------
    >>> apart = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
    >>> make_definite(apart).round(3)
    array([[ 1. ,  0.5, -0.5],
           [ 0.5,  1. ,  0.5],
           [-0.5,  0.5,  1. ]])
    """
    if not len(matrix):
        return matrix
    values, vectors = np.linalg.eigh(matrix)
    if values[0] >= RANK_TOL:
        return matrix
    raised = (vectors * np.maximum(values, RANK_TOL)) @ vectors.T
    length = 1.0 / np.sqrt(np.diagonal(raised))
    found = (raised + raised.T) / 2.0 * length * length[:, None]
    np.fill_diagonal(found, 1.0)
    return np.asarray(found)
