"""`kda`: linear discriminant analysis in the feature space of a kernel (Baudat & Anouar).

With `K = P Gamma P'` the centred kernel matrix of the rows, the discriminants are eigenvectors of
`D P' B P D`, where `B` averages within classes and `D^2 = Gamma / (Gamma + ridge)`. An eigenvalue
is the between-class share of the variance along its discriminant. A kernel of full rank separates
the training rows whatever their labels: every eigenvalue is then 1 and carries no information. In
that case, unless a ridge is given, 0.001 of the mean eigenvalue of the kernel is used as ridge, and
the note says so. By default all discriminants are kept, one fewer than there are classes.

The kernel matrix is held in memory and decomposed in full: time grows with the cube of the number
of rows, memory with its square, and more than 8,192 rows are refused.

Separation of the training rows proves nothing: with more columns than rows, or a kernel of full
rank, shuffled labels are separated just as well. The result therefore includes the cross-validated
accuracy (5 folds, nearest class mean) and says if the separation is overfitted.
"""

from typing import Any

import numpy as np
import scipy.linalg

from tamis.algorithms.extraction.class_scatter import SHRINK, CentredRows, ClassRows, no_direction
from tamis.algorithms.extraction.kernels import (
    CentredKernel,
    Kernel,
    KernelProjection,
    find_kernel,
    kernel_projection,
)
from tamis.algorithms.projection import count_chosen, short_of
from tamis.errors import TamisError
from tamis.numerics.eigen import all_pairs
from tamis.numerics.tolerances import RANK_TOL, TIE
from tamis.numerics.types import Floats

_MAX_KDA_ROWS = 8192


def kernel_discriminants(
    rows: Any,
    labels: Any,
    k: int | None = None,
    *,
    share: float = 1.0,
    rule: str = "ceil",
    scale: bool = True,
    kernel: str | Kernel = "rbf",
    gamma: float | None = None,
    degree: int = 3,
    coef0: float = 1.0,
    cut: float = 1e-8,
    ridge: float | None = None,
) -> KernelProjection:
    """Compute the discriminants in the feature space of the kernel.

    Kernel eigenvalues below `cut` times the largest are dropped; `ridge` is a multiple of their
    mean.

    Examples
    --------
    >>> X = np.array([[0.0, 1.0], [1.0, 0.0], [5.0, 5.5], [6.0, 5.0]])
    >>> found = kernel_discriminants(X, [0, 0, 1, 1], kernel="linear")
    >>> found.size, bool(found.values[0] > 0.9)
    (1, True)
    """
    table = CentredRows.of(rows, scale)
    n, d = table.rows.shape
    classes = ClassRows.of(labels, n)
    if n > _MAX_KDA_ROWS:
        raise TamisError(
            f"kda holds the kernel of all rows with each other, and there are {n:,}: give at most "
            f"{_MAX_KDA_ROWS:,} rows, or use 'lda'."
        )
    function = find_kernel(kernel, gamma=gamma, degree=degree, coef0=coef0, width=d)
    centred = CentredKernel(table.rows, function, _MAX_KDA_ROWS)
    assert centred.held is not None
    if (
        np.trace(classes.scatter_between(classes.scatter_between(centred.held).T))
        <= centred.rounding
    ):
        raise no_direction("another kernel")
    spectrum, vectors = all_pairs(centred.held, overwrite=True)
    first = int(np.count_nonzero(spectrum <= cut * spectrum[-1]))
    spectrum, vectors = spectrum[first:], vectors[:, first:]
    eps = (ridge or 0.0) * spectrum.sum() / n
    values, weights = _discriminants(spectrum, vectors, classes, eps)
    note = f"{kernel if isinstance(kernel, str) else 'given'} kernel of rank {len(spectrum)}"
    if ridge is None and values[-1] > 1 - TIE:
        eps = SHRINK * spectrum.sum() / n
        values, weights = _discriminants(spectrum, vectors, classes, eps)
        note += "; it separates all rows, so a ridge of 0.001 was added"
    size = count_chosen(values, k, share, rule)
    note += short_of(k, size, f"{classes.count} classes have no more discriminants")
    return kernel_projection(
        table, centred, weights[:, :size], values[:size], values[:size] / values.sum(), note
    )


def _discriminants(
    spectrum: Floats, vectors: Floats, classes: ClassRows, eps: float
) -> tuple[Floats, Floats]:
    """Give eigenvalues and weights of the rows, scaled to length 1 in the kernel space."""
    shrink = np.sqrt(spectrum / (spectrum + eps))
    # B = H H' with one column for each class, so P'BP is a product of few columns.
    H = classes.scatter_between(vectors) * shrink
    _, sizes, beta = scipy.linalg.svd(H, full_matrices=False, check_finite=False)
    values = np.minimum(sizes**2, 1.0)
    kept = min(int(np.count_nonzero(values > RANK_TOL * values[0])), classes.count - 1)
    alpha = vectors @ (beta[:kept].T * (shrink / spectrum)[:, None])
    lengths = np.linalg.norm(np.sqrt(spectrum)[:, None] * (vectors.T @ alpha), axis=0)
    return values[:kept], alpha / lengths
