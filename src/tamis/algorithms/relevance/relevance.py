"""What the relevance methods share: ranking by relevance, the 95% rule, a leading eigenvector.

The 95% rule of Peluffo et al. asks for "approximately" 95% of a sum of shares. Read as "ceil" it is
the smallest head that reaches 95%, the usual convention; read as "floor", the largest head that
does not exceed it, it gives the numbers of columns and components in the paper.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrf

from tamis.algorithms.by_score import included_first, order_of
from tamis.algorithms.pairs import Pairs, retained_in
from tamis.algorithms.path import Path, enough, head_size
from tamis.numerics.eigen import RANK_TOL
from tamis.numerics.threads import scipy_on_one_thread
from tamis.numerics.ties import TIE
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import DenseGram, Gram, RowGram, SparseGram

SHARE = 0.95

_CONVERGED = 1e-13
_STEPS = 32
_RESTARTS = 30
_FIRST = 16


def ranked_by(
    gram: Gram,
    relevance: Floats,
    k: int,
    *,
    retain: float,
    include: Sequence[int],
    threshold: float | None,
    rule: str,
    squared: bool = False,
) -> Path:
    """Rank all columns, those to include first, then the most relevant; cut at the goal.

    `threshold` is the share of the summed relevance, or of its squares, that the kept head holds.
    """
    order = included_first(order_of(relevance), include)
    retained = retained_by(gram, order)
    if threshold is not None:
        parts = relevance[order] ** (2 if squared else 1)
        size = head_size(parts / parts.sum(), threshold, rule)
    else:
        size = min(k, enough(retained, retain))
    return Path(order, retained, relevance, size=max(size, len(include), 1))


def leading_components(gram: Gram, rule: str, share: float = SHARE) -> int:
    """Count the principal components that explain `share` of the variance by the rule."""
    most, total = rank_bound(gram), gram.diagonal().sum()
    asked = _FIRST if getattr(gram, "kernel", gram) is None else most
    while True:
        values = gram.eigenvalues(min(asked, most))
        found = head_size(values / total, share, rule)
        if found < len(values) or asked >= most:
            return found
        asked *= 2


def rank_bound(gram: Gram) -> int:
    """Give the largest rank that a matrix of this shape can have."""
    held = isinstance(gram, RowGram | SparseGram)
    rows: Any = gram.rows.shape[0] - 1 if held else np.inf  # type: ignore[attr-defined]  # as held
    return max(1, int(min(gram.diagonal().size, rows)))


def leading_vector(dot: Callable[[Floats], Floats], start: Floats) -> Floats:
    """Find the leading eigenvector of a matrix without negative eigenvalues, by Lanczos steps.

    Where the largest eigenvalue is repeated, it is the part of `start` in its eigenspace.

    Examples
    --------
    >>> found = leading_vector(np.diag([3.0, 3.0, 1.0]).dot, np.array([4.0, 3.0, 5.0]))
    >>> np.abs(found).round(6)
    array([0.8, 0.6, 0. ])
    """
    v = start / np.linalg.norm(start)
    for _ in range(_RESTARTS):
        v, done = _lanczos(dot, v)
        if done:
            break
    return v


def oriented(weights: Floats) -> Floats:
    """Turn weights so that their sum is positive; set tiny negative ones to 0."""
    total = weights.sum()
    if abs(total) < TIE:
        total = weights[np.abs(weights).argmax()]
    weights = weights * (-1.0 if total < 0 else 1.0)
    weights[(weights < 0) & (weights > -1e-8)] = 0.0
    return np.asarray(weights)


def retained_by(gram: Gram, order: Indices) -> Floats:
    """Give the share of variance that the first 1, 2, ... columns of any order reproduce."""
    sizes = gram.diagonal()
    gains = _regular_gains(gram.matrix, order) if isinstance(gram, DenseGram) else None
    if gains is not None:
        return np.minimum(np.cumsum(gains) / sizes.sum(), 1.0)
    pairs, d = Pairs(gram), len(order)
    head = min(d, d if isinstance(gram, DenseGram) else 2 * rank_bound(gram))
    while True:
        found = retained_in(pairs, order[:head])
        if head == d or found[-1] >= 1.0 - RANK_TOL:
            return np.concatenate([found, np.full(d - head, found[-1])])
        head = min(2 * head, d)


def _regular_gains(matrix: Floats, order: Indices) -> Floats | None:
    """Give what each column adds to those before it, or None when the matrix is near singular."""
    moved = matrix.take(order, axis=0).take(order, axis=1)
    with scipy_on_one_thread():
        # Symmetric, so the transpose, which is in Fortran order, is no other matrix and no copy.
        factor, failed = dpotrf(moved.T, lower=0, overwrite_a=1)
    nonzero = np.diagonal(factor) ** 2 > RANK_TOL * np.diagonal(matrix)[order]
    return None if failed or not nonzero.all() else np.einsum("ij,ij->i", factor, factor)


def _lanczos(dot: Callable[[Floats], Floats], v: Floats) -> tuple[Floats, bool]:
    """Search the space of a few products; say whether the vector found is good enough."""
    most = min(_STEPS, v.size)
    basis, T = np.zeros((most, v.size)), np.zeros((most, most))
    weights = np.ones(1)
    for m in range(most):
        basis[m] = v
        w = dot(v)
        T[m, m] = w @ v
        for _ in range(2):  # once is not enough to keep the basis orthogonal
            w = w - (basis[: m + 1] @ w) @ basis[: m + 1]
        beta = float(np.linalg.norm(w))
        values, vectors = np.linalg.eigh(T[: m + 1, : m + 1])
        weights = vectors[:, -1]
        if beta * abs(weights[-1]) <= _CONVERGED * values[-1]:
            return weights @ basis[: m + 1], True
        if m + 1 < most:
            T[m, m + 1] = T[m + 1, m] = beta
            v = w / beta
    found = weights @ basis
    return found / np.linalg.norm(found), most == found.size
