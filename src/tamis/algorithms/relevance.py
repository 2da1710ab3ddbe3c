"""Columns ranked by their part in the leading components, or in the affinity of rows: four methods.

`relpca`: rank columns by the variance that the leading principal components reproduce of each.

Peluffo et al.: with eigenvalues `lam_i` and eigenvectors `v_i` of the Gram matrix, the relevance of
the columns is `eta = sum_i lam_i v_i * v_i` over the first p components: the squared length of each
column in the rank-p approximation of the table. Its sum is the variance explained by the
components. Variances are relative to their mean over the columns, so that the scores do not depend
on the unit of the table.

With all components `eta` is the variance of each column, which is the same for all standardised
columns; so p, by the 95% rule unless given, is always below the rank, and a larger p is refused
where all columns have the same variance. The paper uses p for the components and for the columns
kept; here `components` is the first, and the share of the summed relevance decides the second.

`relpca-first`: rank columns by their squared loading on the first principal component.

The case p = 1 of `relpca` (Peluffo et al.): `eta = lam_1 v_1 * v_1`, which needs one eigenvector
only. Where the two largest eigenvalues are equal, the first component, and with it the ranking, is
arbitrary; a warning says so.

`q-alpha-approx`: column weights by squared inner products with all other columns, in one step.

Peluffo et al., after Wolf & Bileschi: the affinity `A = sum_j alpha_j f_j f_j'` of the weighted
columns has `tr(AA) = alpha' H alpha` with `H_kl = (f_k' f_l)^2`, so the unit vector of weights that
maximises it is the leading eigenvector of `H`. All entries of `H` are non-negative, and so are the
weights. The paper writes rows where columns are meant. Scores are the weights; their squares, which
sum to 1, are the shares that decide how many columns are kept.

Redundancy is rewarded: copies of a column raise each other's weight. Combine it with a method that
removes redundancy, or use it to find columns that belong together.

`q-alpha`: column weights that concentrate the affinity of the rows in few eigenvectors.

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

import warnings
from collections.abc import Sequence
from typing import Unpack

import numpy as np
from scipy.linalg.lapack import dpotrf

from tamis.algorithms.orders import measure_order, order_of, put_included_first
from tamis.algorithms.path import Goal, Path, count_enough, head_size
from tamis.errors import TamisError, spell
from tamis.numerics.eigen import find_leading_vector
from tamis.numerics.threads import scipy_on_one_thread
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import RANK_TOL, ROUNDING, TIE
from tamis.statistics.gram import Gram

# The 95% rule of Peluffo et al. asks for "approximately" 95% of a sum of shares. Read as "ceil" it
# is the smallest head that reaches 95%, the usual convention; read as "floor", the largest head
# that does not exceed it, it gives the numbers of columns and components in the paper.
RELEVANT_SHARE = 0.95

_FIRST_COMPONENTS = 16


def rank_by_relevance(
    gram: Gram,
    relevance: Floats,
    k: int,
    threshold: float | None,
    rule: str,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    squared: bool = False,
) -> Path:
    """Rank all columns, those to include first, then the most relevant; cut at the goal.

    `threshold` is the share of the summed relevance, or of its squares, that the kept head holds.
    """
    order = put_included_first(order_of(relevance), include)
    retained = measure_ranking(gram, order)
    if threshold is not None:
        parts = relevance[order] ** (2 if squared else 1)
        size = head_size(parts / parts.sum(), threshold, rule)
    else:
        size = min(k, count_enough(retained, retain))
    return Path(order, retained, relevance, size=max(size, len(include), 1))


def count_leading(gram: Gram, rule: str) -> int:
    """Count the principal components that hold 95% of the variance by the rule."""
    most, total = gram.rank_bound, gram.diagonal().sum()
    asked = most if gram.decomposable else _FIRST_COMPONENTS
    while True:
        values = gram.eigenvalues(min(asked, most))
        found = head_size(values / total, RELEVANT_SHARE, rule)
        if found < len(values) or asked >= most:
            return found
        asked *= 2


def measure_ranking(gram: Gram, order: Indices) -> Floats:
    """Give the share of variance that the first 1, 2, ... columns of any order reproduce."""
    d = len(order)
    gains = _regular_gains(gram, order) if gram.rank_bound == d else None
    if gains is not None:
        return np.minimum(np.cumsum(gains) / gram.diagonal().sum(), 1.0)
    head = min(d, 2 * gram.rank_bound)
    while True:
        found = measure_order(gram, order[:head])
        if head == d or found[-1] >= 1.0 - RANK_TOL:
            return np.concatenate([found, np.full(d - head, found[-1])])
        head = min(2 * head, d)


def _regular_gains(gram: Gram, order: Indices) -> Floats | None:
    """Give what each column adds to those before it, or None when the matrix is near singular."""
    moved = gram.block(order, order)
    sizes = np.diagonal(moved).copy()
    with scipy_on_one_thread():
        # Symmetric, so the transpose, which is in Fortran order, is no other matrix and no copy.
        factor, failed = dpotrf(moved.T, lower=0, overwrite_a=1)
    nonzero = np.diagonal(factor) ** 2 > RANK_TOL * sizes
    return None if failed or not nonzero.all() else np.einsum("ij,ij->i", factor, factor)


def rank_by_components(
    gram: Gram,
    k: int,
    *,
    threshold: float | None = None,
    rule: str = "ceil",
    components: int | None = None,
    **goal: Unpack[Goal],
) -> Path:
    """Rank the columns by their part in the leading components; scores are `eta`."""
    relevance = component_relevance(gram, components=components, rule=rule)
    return rank_by_relevance(gram, relevance, k, threshold, rule, **goal)


def component_relevance(gram: Gram, *, components: int | None = None, rule: str = "ceil") -> Floats:
    """Give `eta`, the squared length of every column as reproduced by the leading components.

    Without `components` as many are used as explain 95% of the variance by the rule, but fewer than
    the rank.
    """
    sizes = gram.diagonal()
    count = count_leading(gram, rule) if components is None else components
    found = _rebuilt(gram, count)
    if count == 1 or found.sum() < (1.0 - RANK_TOL) * sizes.sum():
        return found
    if components is None:
        return _rebuilt(gram, count - 1)
    if sizes.max() - sizes.min() <= TIE * sizes.max():
        raise TamisError(
            f"{spell('components', components)}: so many components reproduce the full table, in "
            "which every scaled column counts the same; give fewer, or leave the columns unscaled."
        )
    return found


def _rebuilt(gram: Gram, components: int) -> Floats:
    values, V = gram.find_leading(min(components, gram.rank_bound))
    return np.asarray(V**2 @ values)


_GAP = 1e-6  # between the two largest, of the largest: below it they are called equally strong


def rank_by_first_component(
    gram: Gram, k: int, *, threshold: float | None = None, rule: str = "ceil", **goal: Unpack[Goal]
) -> Path:
    """Rank the columns by their squared weights in the first component; scores are `eta`."""
    return rank_by_relevance(gram, first_component_relevance(gram), k, threshold, rule, **goal)


def first_component_relevance(gram: Gram) -> Floats:
    """Give `lam_1 v_1 * v_1`; warn where a second component is as large as the first."""
    values, V = gram.find_leading(min(2, gram.rank_bound))
    if len(values) > 1 and values[0] - values[1] < _GAP * values[0]:
        warnings.warn(
            "The two largest components are equally strong, so which is the first is arbitrary "
            "and so is the ranking by it: use relpca with components=2 or more.",
            stacklevel=2,
        )
    return np.asarray(values[0] * V[:, 0] ** 2)


def rank_by_common_variance(
    gram: Gram, k: int, *, threshold: float | None = None, rule: str = "ceil", **goal: Unpack[Goal]
) -> Path:
    """Rank the columns by the leading eigenvector of the squared Gram entries."""
    weights = common_weights(gram)
    return rank_by_relevance(gram, weights, k, threshold, rule, squared=True, **goal)


def common_weights(gram: Gram) -> Floats:
    """Give the unit vector `alpha` of weights, none negative."""
    # Equal weights as start: what is symmetric in the table stays so in the weights.
    return np.abs(find_leading_vector(gram.squared_dot(), np.ones(gram.diagonal().size)))


_STILL = 1e-6  # the rounds end when the unit weights move less
_UNSIGNED = 1e-8  # of unit weights: their squares, which count, are rounding


def rank_by_coherence(
    gram: Gram,
    k: int,
    *,
    threshold: float | None = None,
    rule: str = "ceil",
    clusters: int | None = None,
    mode: str = "power",
    rounds: int = 4,
    random_state: int | None = None,
    **goal: Unpack[Goal],
) -> Path:
    """Rank the columns by the size of their weights."""
    weights = np.abs(
        coherent_weights(
            gram, clusters=clusters, mode=mode, rounds=rounds, random_state=random_state, rule=rule
        )
    )
    return rank_by_relevance(gram, weights, k, threshold, rule, squared=True, **goal)


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
    F = np.zeros((0, d))
    if mode == "exact":  # rows with `F'F = G`: the table but for a rotation of its rows
        values, V = gram.decomposition()
        F = np.sqrt(values)[:, None] * V.T
    # Equal weights may be orthogonal to the answer; a little of everything is not.
    alpha = 1.0 + 0.01 * np.random.default_rng(0).standard_normal(d)
    for step in track("rounds", range(rounds), rounds):
        before, alpha = alpha, turn_positive(find_leading_vector(gram.hadamard_dot(P), alpha))
        if step + 1 == rounds or np.linalg.norm(alpha - before) < _STILL:
            break
        if mode == "exact":
            affinity, Q = np.linalg.eigh((F * alpha) @ F.T)
            P = F.T @ Q[:, np.argsort(-np.abs(affinity), kind="stable")[:k]]
        else:  # Q becomes an orthonormal basis of AQ = X (alpha o P)
            P = _sample_range(gram, alpha[:, None] * P)
    return alpha


def turn_positive(weights: Floats) -> Floats:
    """Turn weights so that their sum is positive; take tiny negative ones for 0."""
    total = weights.sum()
    if abs(total) < TIE:
        total = weights[np.abs(weights).argmax()]
    weights = weights * (-1.0 if total < 0 else 1.0)
    weights[(weights < 0) & (weights > -_UNSIGNED)] = 0.0
    return np.asarray(weights)


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
