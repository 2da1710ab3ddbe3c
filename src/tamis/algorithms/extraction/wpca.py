"""`wpca`: principal components of columns weighted by their relevance.

The weights are normalised to length 1, the centred columns are multiplied by them, and the scores
are `Y = Xc W V` with `V` the leading eigenvectors of `W G W`. The paper calls `W` orthonormal; it
is not, but its length only rescales `Y`. Its second projection, which applies the weights twice, is
an option of `gdfe`: `omega="identity"` with `weights` and `twice`. Columns of weight 0 are ignored.
"""

import numpy as np
from numpy.typing import ArrayLike

from tamis import registry
from tamis.algorithms.extraction.pca import check_summary, eigenpairs, variances
from tamis.algorithms.projection import LinearProjection, short_of, spread_out
from tamis.errors import TamisError, spell
from tamis.numerics.eigen import fix_signs
from tamis.numerics.types import Floats, Indices
from tamis.statistics.gram import Gram
from tamis.statistics.summary import Summary

RELEVANCES = ("relpca", "relpca-first", "q-alpha", "q-alpha-approx")


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
        if weights not in RELEVANCES:
            raise TamisError(
                f"{spell('weights', weights)}: give {' or '.join(map(repr, RELEVANCES))}, or one "
                "number for each column."
            )
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
