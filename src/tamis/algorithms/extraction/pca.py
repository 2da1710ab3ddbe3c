"""`pca`: the orthogonal directions of largest variance.

Only the Gram matrix of the columns is needed, so a table of any length is read once and never held
in memory. With `scale=False` the eigenvalues are those of the covariance matrix (divided by N - 1),
with `scale=True` those of the correlation matrix. Components with eigenvalue zero are dropped: with
more columns than rows there are at most N - 1.
"""

import numpy as np

from tamis.algorithms.projection import (
    LinearProjection,
    find_leading_until,
    short_of,
    spread_out,
)
from tamis.errors import TamisError
from tamis.numerics.eigen import fix_signs
from tamis.numerics.types import Floats
from tamis.statistics.column_spread import compute_level
from tamis.statistics.gram import Gram
from tamis.statistics.summary import Summary


def principal_components(
    summary: Summary,
    k: int | None = None,
    *,
    share: float = 0.95,
    rule: str = "ceil",
    scale: bool = False,
) -> LinearProjection:
    """Compute the `k` leading principal components, or as many as explain the share.

    `scale` says how the summary was collected.

    Examples
    --------
    >>> from tamis.statistics.linear import summary_of_moments
    >>> from tamis.statistics.moments import Moments
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> found = principal_components(summary_of_moments(Moments.from_batch(X), scale=False))
    >>> found.components, found.values
    (array([[0.6, 0.8]]), array([25.]))
    """
    factor = check_summary(summary, scale)
    total = float(summary.gram.diagonal().sum())
    values, vectors = eigenpairs(summary.gram, k, total=total, share=share, rule=rule)
    components = spread_out(vectors.T, summary.varying, len(summary.mean))
    source = "correlation" if scale else "covariance"
    return LinearProjection(
        values if scale else variances(values, summary),
        values / total,
        f"eigenvectors of the {source} matrix, {summary.gram.form}"
        + short_of(k, len(values), "other eigenvalues are zero, or below 1e-10 of the first"),
        summary.mean,
        factor,
        components,
        components,
    )


def check_summary(summary: Summary, scale: bool) -> Floats:
    """Give the scale of the columns; refuse a summary that was collected with another."""
    if summary.n_rows < 2:
        raise TamisError("One row has no variance: at least 2 are needed.")
    if not len(summary.varying):
        raise TamisError("All columns are constant: there are no components to compute.")
    squares = np.square(summary.std[summary.varying] / compute_level(summary.std))
    expected = np.ones_like(squares) if scale else squares
    if not np.allclose(summary.gram.diagonal(), expected, rtol=1e-6, atol=0.0):
        raise TamisError(f"The summary was collected with scale={not scale}: collect it again.")
    return np.where(summary.std > 0, summary.std, 1.0) if scale else np.ones_like(summary.std)


def variances(values: Floats, summary: Summary) -> Floats:
    """Turn eigenvalues of an unscaled Gram matrix into variances in the unit of the table."""
    return np.asarray(values * (summary.length / np.sqrt(summary.n_rows - 1)) ** 2)


def eigenpairs(
    gram: Gram, k: int | None, *, total: float, share: float, rule: str
) -> tuple[Floats, Floats]:
    """Give leading eigenvalues and eigenvectors as columns, largest entry positive."""
    d, at_once = len(gram.diagonal()), gram.decomposable

    def find(size: int) -> tuple[Floats, Floats]:
        if k is None and at_once:
            values, vectors = gram.decomposition()
            return values[::-1], fix_signs(vectors[:, ::-1])
        return gram.find_leading(size)

    first = d if at_once else 32
    return find_leading_until(find, k, most=d, total=total, share=share, rule=rule, first=first)
