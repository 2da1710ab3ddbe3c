"""`pca`: the orthogonal directions of largest variance.

Only the Gram matrix of the columns is needed, so a table of any length is read once and never held
in memory. With `scale=False` the eigenvalues are those of the covariance matrix (divided by N - 1),
with `scale=True` those of the correlation matrix. Components with eigenvalue zero are dropped: with
more columns than rows there are at most N - 1.

`wpca`: principal components of columns weighted by their relevance.

The weights are normalised to length 1, the centred columns are multiplied by them, and the scores
are `Y = Xc W V` with `V` the leading eigenvectors of `W G W`. The paper calls `W` orthonormal; it
is not, but its length only rescales `Y`. Its second projection, which applies the weights twice, is
an option of `gdfe`: `omega="identity"` with `weights` and `twice`. Columns of weight 0 are ignored.
"""

import numpy as np
from numpy.typing import ArrayLike

from tamis import registry
from tamis.algorithms.projection import LinearProjection, find_leading_until, short_of, spread_out
from tamis.errors import TamisError
from tamis.numerics.eigen import fix_signs
from tamis.numerics.types import Floats, Indices
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


def weighted_components(
    summary: Summary,
    k: int | None = None,
    *,
    share: float = 0.95,
    rule: str = "ceil",
    scale: bool = False,
    weights: str | ArrayLike = "relpca",
) -> LinearProjection:
    """Compute the principal components of the weighted columns.

    `weights` is the id of a relevance method, or one number for each column of the table.

    Examples
    --------
    >>> from tamis.statistics.linear import summary_of_moments
    >>> from tamis.statistics.moments import Moments
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> summary = summary_of_moments(Moments.from_batch(X), scale=False)
    >>> weighted_components(summary, 1, weights=[3.0, 0.0]).components
    array([[1., 0.]])
    """
    factor = check_summary(summary, scale)
    named = weights if isinstance(weights, str) else "given"
    w = column_weights(summary.gram, summary.varying, len(summary.mean), weights, rule)
    used = np.flatnonzero(w)
    gram = summary.gram.weigh_columns(w)
    total = float(gram.diagonal().sum())
    values, vectors = eigenpairs(gram, k, total=total, share=share, rule=rule)
    directions = fix_signs(vectors * w[:, None]).T
    back = np.divide(directions, w**2, out=np.zeros_like(directions), where=w != 0)
    width = len(summary.mean)
    ignored = len(w) - len(used)
    return LinearProjection(
        values if scale else variances(values, summary),
        values / total,
        f"{named} weights, {gram.form}"
        + (f"; {ignored} columns of weight 0" if ignored else "")
        + short_of(k, len(values), "other eigenvalues are zero, or below 1e-10 of the first"),
        summary.mean,
        factor,
        spread_out(directions, summary.varying, width),
        spread_out(back, summary.varying, width),
    )


def column_weights(
    gram: Gram, varying: Indices, width: int, weights: str | ArrayLike, rule: str
) -> Floats:
    """Give one weight for each varying column, of length 1 together, none negative.

    `gram` is that of the varying columns, out of `width` in all.
    """
    if isinstance(weights, str):
        kernel = registry.get(weights).load_kernel()
        found = np.asarray(kernel(gram, len(varying), rule=rule).scores)
    else:
        given = np.asarray(weights, dtype=np.float64)
        if given.shape != (width,):
            raise TamisError(
                f"weights has the shape {given.shape} and the table {width} columns: give one "
                "number for each."
            )
        found = given[varying]
    length = float(np.linalg.norm(found))
    if not 0.0 < length < np.inf:
        raise TamisError("weights are all 0 or not finite on the columns that vary: give others.")
    return np.abs(found) / length
