"""Values replaced by their ranks, column by column; equal values share their mean rank."""

from typing import Any

import numpy as np
import scipy.sparse

from tamis.progress import track


def rank_columns(X: Any) -> Any:
    """Rank every column of a dense or sparse table.

    A sparse table stays sparse: its ranks are counted from that of zero, which moves each column
    by a constant only.

    Examples
    --------
    >>> rank_columns(np.array([[0.3], [0.1], [9.0], [0.3]])).ravel()
    array([2.5, 1. , 4. , 2.5])
    """
    from scipy.stats import rankdata

    if scipy.sparse.issparse(X):
        return _rank_sparse(X)
    table = np.empty(X.shape)
    for j in track("columns ranked", range(X.shape[1]), X.shape[1]):
        table[:, j] = rankdata(X[:, j])
    return table


def _rank_sparse(X: Any) -> Any:
    from scipy.stats import rankdata

    table = scipy.sparse.csc_array(X, dtype=np.float64, copy=True)
    table.sum_duplicates()
    table.eliminate_zeros()
    n, d = table.shape
    for j in track("columns ranked", range(d), d):
        cells = slice(table.indptr[j], table.indptr[j + 1])
        values = table.data[cells]
        empty = n - len(values)
        negative = values < 0
        # Counted from the zeros: below them -1, -2, ..., above them 1, 2, ..., with half the zeros.
        below = rankdata(values) - negative.sum() - (empty + 1) / 2
        above = below + empty
        table.data[cells] = np.where(negative, below, above) if empty else below
    return scipy.sparse.csr_array(table)
