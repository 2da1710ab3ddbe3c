"""`kernel-pca`: principal components in the feature space of a kernel.

Kernel methods have no column weights (loadings), and scores cannot be mapped back to rows. Up to
2,048 rows the full kernel matrix is decomposed; beyond, only the leading components are computed,
by products of the kernel with blocks of vectors. The kernel matrix is held in memory up to 11,585
rows (1 GB) and recomputed for each product beyond, up to 32,768 rows. Beyond 2,048 rows a `retain`
that needs more than 256 components is refused, by a bound on their number, before the search.
"""

from typing import Any

import numpy as np

from tamis.algorithms.extraction.class_scatter import CentredRows
from tamis.algorithms.extraction.kernels import (
    CentredKernel,
    Kernel,
    KernelProjection,
    find_kernel,
    kernel_projection,
)
from tamis.algorithms.projection import find_leading_until, short_of
from tamis.errors import TamisError, spell_name
from tamis.numerics.eigen import all_pairs, find_leading_pairs, find_leading_subspace
from tamis.numerics.tolerances import NEGLIGIBLE
from tamis.numerics.types import Floats

_MAX_HELD_ROWS = 11_585  # 1 GB
_SMALL_ROWS = 2048
_MAX_KERNEL_ROWS = 32_768
_MOST_COMPONENTS = 256
_FIRST_KERNEL_PAIRS = 32


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
    """Find the `k` leading components of the centred kernel, or as many as explain the share.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> found = kernel_components(X, 1, kernel="linear", scale=False)
    >>> np.round(found.project(X), 6).ravel().tolist()
    [5.0, 0.0, -5.0]
    """
    table = CentredRows.of(rows, scale)
    n, d = table.rows.shape
    _check_rows(n)
    function = find_kernel(kernel, gamma=gamma, degree=degree, coef0=coef0, width=d)
    centred = CentredKernel(table.rows, function, _MAX_HELD_ROWS)
    small = centred.held is not None and n <= _SMALL_ROWS
    least = 1 if small or k is not None else centred.least_components(share)

    def find(size: int) -> tuple[Floats, Floats]:
        if small:
            return _decompose_kernel(centred, size, k is None)
        if k is None:
            _check_size(size, share, n)
        return find_leading_subspace(centred.dot, n, size)

    values, vectors = find_leading_until(
        find,
        k,
        most=n - 1,
        total=centred.trace,
        share=share,
        rule=rule,
        first=n - 1 if small else max(_FIRST_KERNEL_PAIRS, least),
        floor=NEGLIGIBLE,
    )
    named = kernel if isinstance(kernel, str) else "given"
    note = f"{named} kernel, " + ("held" if centred.held is not None else "computed block by block")
    return kernel_projection(
        table,
        centred,
        vectors / np.sqrt(values),
        values,
        values / centred.trace,
        note + short_of(k, len(values), "other eigenvalues are zero, or below 1e-12 of the first"),
    )


def _decompose_kernel(centred: CentredKernel, size: int, whole: bool) -> tuple[Floats, Floats]:
    assert centred.held is not None
    if not whole:
        return find_leading_pairs(centred.held, size)
    values, vectors = all_pairs(centred.held)
    return values[::-1], vectors[:, ::-1]


def _check_rows(n: int) -> None:
    if n > _MAX_KERNEL_ROWS:
        raise TamisError(
            f"kernel-pca compares all rows with each other, and there are {n:,}: give at most "
            f"{_MAX_KERNEL_ROWS:,} rows, for instance a random sample, or use 'pca'."
        )


def _check_size(size: int, share: float, n: int) -> None:
    if size > _MOST_COMPONENTS:
        raise TamisError(
            f"More than {_MOST_COMPONENTS} components are needed to hold {share:.0%} of the "
            f"variance of this kernel on {n:,} rows: give {spell_name('k')} or a smaller "
            f"{spell_name('retain')}, or at most {_SMALL_ROWS:,} rows."
        )
