"""`q-alpha`: column weights that concentrate the affinity of the rows in few eigenvectors.

Wolf & Shashua, Wolf & Bileschi and Peluffo et al. search the unit weights `alpha` and the
orthonormal `Q` (N x k) with the largest `tr(Q'AAQ)` for the affinity `A = sum_j alpha_j f_j f_j'`.
For fixed `Q` the weights are the leading eigenvector of `Gq = G o (PP')` with `P = X'Q`; for fixed
weights `Q` holds the eigenvectors of `A` with the largest absolute eigenvalues ("exact"), or is one
step of the power method closer to them ("power", four rounds, as published). Scores are the
absolute weights `|alpha_j|`; their squares, which sum to 1, are the shares that decide how many
columns are kept. Small negative weights can occur and count by their absolute value.

Only `P` is needed, not `Q`, so the method works on the Gram matrix: `Q = XC` for some d x k
coefficients `C`, and `P = GC`. The papers start from a random `Q`; so does a `random_state`.
Without one the search starts from equal weights, that is from the leading principal components, and
the result does not depend on the order or the signs of the columns. In both cases it is a local
optimum, although Cunningham writes that it "will converge". The papers leave k open; without
`clusters` it is the number of components that explain 95% of the variance. When k reaches the rank,
the problem is that of `q-alpha-approx`.
"""

from collections.abc import Callable, Sequence

import numpy as np

from tamis.algorithms.path import Path
from tamis.algorithms.relevance.relevance_ranking import (
    count_leading,
    rank_by_relevance,
)
from tamis.numerics.eigen import find_leading_vector
from tamis.numerics.tolerances import ROUNDING, TIE
from tamis.numerics.types import Floats
from tamis.progress import track
from tamis.statistics.gram import Gram

_STILL = 1e-6  # the rounds end when the unit weights move less
_UNSIGNED = 1e-8  # of unit weights: their squares, which count, are rounding


def rank_by_coherence(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
    rule: str = "ceil",
    clusters: int | None = None,
    mode: str = "power",
    rounds: int = 4,
    random_state: int | None = None,
) -> Path:
    """Rank the columns by the size of their weights.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.0, 0.1], [0.0, 1.0, 0.6], [0.1, 0.6, 1.0]]))
    >>> rank_by_coherence(gram, 3, clusters=1).indices
    array([2, 1, 0])
    """
    weights = coherent_weights(
        gram,
        clusters=clusters,
        mode=mode,
        rounds=rounds,
        random_state=random_state,
        rule=rule,
    )
    return rank_by_relevance(
        gram,
        np.abs(weights),
        k,
        retain=retain,
        include=include,
        threshold=threshold,
        rule=rule,
        squared=True,
    )


def coherent_weights(
    gram: Gram,
    *,
    clusters: int | None = None,
    mode: str = "power",
    rounds: int = 4,
    random_state: int | None = None,
    rule: str = "ceil",
) -> Floats:
    """Give the unit vector `alpha` of weights, turned so that its sum is positive."""
    d = gram.diagonal().size
    k = min(clusters or count_leading(gram, rule), gram.rank_bound)
    rng = np.random.default_rng(random_state)
    start = gram.find_leading(k)[1] if random_state is None else rng.standard_normal((d, k))
    P = _sample_range(gram, start)
    renew = _exact_step(gram, k) if mode == "exact" else _power_step(gram)
    # Equal weights may be orthogonal to the answer; a little of everything is not.
    alpha = 1.0 + 0.01 * np.random.default_rng(0).standard_normal(d)
    for step in track("rounds", range(rounds), rounds):
        before, alpha = alpha, turn_positive(find_leading_vector(gram.hadamard_dot(P), alpha))
        if step + 1 == rounds or np.linalg.norm(alpha - before) < _STILL:
            break
        P = renew(alpha, P)
    return alpha


def turn_positive(weights: Floats) -> Floats:
    """Turn weights so that their sum is positive; take tiny negative ones for 0."""
    total = weights.sum()
    if abs(total) < TIE:
        total = weights[np.abs(weights).argmax()]
    weights = weights * (-1.0 if total < 0 else 1.0)
    weights[(weights < 0) & (weights > -_UNSIGNED)] = 0.0
    return np.asarray(weights)


def _power_step(gram: Gram) -> Callable[[Floats, Floats], Floats]:
    # Q becomes an orthonormal basis of AQ = X (alpha o P).
    return lambda alpha, P: _sample_range(gram, alpha[:, None] * P)


def _exact_step(gram: Gram, k: int) -> Callable[[Floats, Floats], Floats]:
    """Work on the rows `F` with `F'F = G`: the table but for a rotation of its rows."""
    values, V = gram.decomposition()
    F = np.sqrt(values)[:, None] * V.T

    def renew(alpha: Floats, P: Floats) -> Floats:  # noqa: ARG001  # the old P plays no part
        affinity, Q = np.linalg.eigh((F * alpha) @ F.T)
        largest = np.argsort(-np.abs(affinity), kind="stable")[:k]
        return F.T @ Q[:, largest]

    return renew


def _sample_range(gram: Gram, C: Floats) -> Floats:
    """Give `P = X'Q` for an orthonormal basis `Q` of `XC`, from `C'GC` and without the rows.

    The second round takes off the rounding of the first. Directions below 1e-7 of the largest are
    lost.
    """
    P = gram.dot(C)
    for _ in range(2):
        values, turn = np.linalg.eigh(C.T @ P)
        nonzero = values > ROUNDING * values[-1]
        turn = turn[:, nonzero] / np.sqrt(values[nonzero])
        C, P = C @ turn, P @ turn
    return P
