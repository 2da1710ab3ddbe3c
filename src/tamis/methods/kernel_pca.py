"""`kernel-pca`: principal components in the space of a kernel.

Its scores bend with the data; there are no loadings and there is no way back to rows. The kernel of
all rows with each other is held up to 8,192 rows; beyond, leading components are found by Lanczos
steps that compute it block by block each time, which is slow but small.
"""

from typing import Any

import numpy as np
import scipy.linalg

from tamis.methods.kernels import (
    CentredKernel,
    Kernel,
    KernelProjection,
    find_kernel,
    kernel_projection,
)
from tamis.methods.projection import Floats, leading_until, short_of
from tamis.methods.scatter import CentredRows
from tamis.statistics.eigen import iterated, leading_pairs

_HELD_ROWS = 8192
_FLOOR = 1e-12


def kernel_components(
    rows: Any,
    k: int | None = None,
    *,
    share: float = 0.95,
    rule: str = "ceil",
    scale: bool = True,
    kernel: str | Kernel = "rbf",
    gamma: float | None = None,
    degree: int = 3,
    coef0: float = 1.0,
) -> KernelProjection:
    """Find the `k` leading components of the centred kernel, or as many as hold the share.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> found = kernel_components(X, 1, kernel="linear", scale=False)
    >>> np.round(found.project(X), 6).ravel().tolist()
    [5.0, 0.0, -5.0]
    """
    table = CentredRows.of(rows, scale)
    n, d = table.rows.shape
    function = find_kernel(kernel, gamma=gamma, degree=degree, coef0=coef0, width=d)
    centred = CentredKernel(table.rows, function, _HELD_ROWS)
    matrix = centred.held

    def find(size: int) -> tuple[Floats, Floats]:
        if matrix is None:
            return iterated(centred.dot, n, size)
        if k is not None:
            return leading_pairs(matrix, size)
        values, vectors = scipy.linalg.eigh(matrix, driver="evd", check_finite=False)
        return values[::-1], vectors[:, ::-1]

    values, vectors = leading_until(
        find,
        k,
        most=n - 1,
        total=centred.trace,
        share=share,
        rule=rule,
        first=32 if matrix is None else n - 1,
        floor=_FLOOR,
    )
    named = kernel if isinstance(kernel, str) else "given"
    note = f"{named} kernel, " + ("held" if matrix is not None else "computed block by block")
    return kernel_projection(
        table,
        centred,
        vectors / np.sqrt(values),
        values,
        values / centred.trace,
        note + short_of(k, len(values), "other eigenvalues are zero, or below 1e-12 of the first"),
    )
