"""`lsa`: truncated singular value decomposition of the table as it is, without centring.

For word counts and other sparse tables, which stay sparse. The scores of the training rows are
`U S`; Cunningham's formula for new documents gives coordinates of `U`, on another scale. `fold_in`
offers both and `project` the first. Components whose singular value is zero are dropped.
"""

from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

from tamis.algorithms.projection import LinearProjection, find_leading_until, short_of
from tamis.errors import TamisError
from tamis.numerics.eigen import fix_signs, iterate_leading, normalise_columns
from tamis.numerics.types import Floats
from tamis.rules.tolerances import RANK_TOL

_DENSE_CELLS = 1 << 24
_MIN_WIDTH_RATIO = 8


def latent_directions(
    rows: Any, k: int | None = None, *, share: float = 0.95, rule: str = "ceil"
) -> LinearProjection:
    """Find the `k` leading singular vectors, or as many as explain the share of the squares."""
    sparse = scipy.sparse.issparse(rows)
    X: Any = (scipy.sparse.csr_array if sparse else np.asarray)(rows, dtype=np.float64)
    unit = float(np.abs(X.data if sparse else X).max(initial=0.0))
    if unit == 0.0:
        raise TamisError("All values are 0: there are no components to compute.")
    X = X / unit  # its squares neither vanish nor overflow
    total = float(np.vdot(X.data, X.data) if sparse else np.vdot(X, X))
    squares, vectors, how = _decompose_rows(X, k, total, share, rule)
    components = fix_signs(vectors).T
    width = X.shape[1]
    return LinearProjection(
        unit * np.sqrt(squares),
        squares / total,
        f"{how} of the table as it is"
        + short_of(k, len(squares), "the rank of the table is no higher"),
        np.zeros(width),
        np.ones(width),
        components,
        components,
    )


def _decompose_rows(
    X: Any, k: int | None, total: float, share: float, rule: str
) -> tuple[Floats, Floats, str]:
    """Give squared singular values and right vectors, and say how they were found.

    Few of them are the pairs of `X'X`, by way of the smaller `XX'` where there are fewer rows.
    """
    most = min(X.shape)
    sparse = scipy.sparse.issparse(X)
    iterative = most > 100 and (k is None or k < most // _MIN_WIDTH_RATIO)
    iterative = iterative and (X.shape[0] * X.shape[1] > _DENSE_CELLS or (sparse and k is not None))

    def find(size: int) -> tuple[Floats, Floats]:
        if iterative and size < most // 2:
            n, d = X.shape
            if d <= n:
                return iterate_leading(lambda v: X.T @ (X @ v), d, size)
            squares, left = iterate_leading(lambda u: X @ (X.T @ u), n, size)
            return squares, normalise_columns(X.T @ left)
        whole = X.toarray() if sparse else X
        _, values, right = scipy.linalg.svd(whole, full_matrices=False, check_finite=False)
        return values[:size] ** 2, right[:size].T

    first = 32 if iterative else most
    squares, vectors = find_leading_until(
        find, k, most=most, total=total, share=share, rule=rule, first=first, floor=RANK_TOL**2
    )
    return squares, vectors, ("truncated" if iterative else "full") + " singular decomposition"
