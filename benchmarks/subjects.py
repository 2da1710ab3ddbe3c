"""What is timed: each subject takes a table and k, and gives the kept columns."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

import tamis
from tamis import registry

Subject = Callable[[Any, int], Any]


def find(name: str) -> Subject:
    """Give the subject of this name; `tamis ID` and `dense ID` run a registered method."""
    first, _, method = name.partition(" ")
    if first == "tamis":
        return partial(_tamis, method)
    if first == "tamis-usual":
        return partial(_usual, method)
    return partial(_dense, method) if first == "dense" else _OTHERS[name]


def _tamis(method: str, X: Any, k: int) -> Any:
    y = _thirds(X) if registry.get(method).supervised else None
    return tamis.select(X, k=k, method=method, y=y).indices


def _thirds(X: Any) -> Any:
    """Label the rows by thirds of the column that varies most."""
    column = X[:, X.std(axis=0).argmax()]
    return np.digitize(column, np.quantile(column, [0.33, 0.67]))


def _usual(method: str, X: Any, k: int) -> Any:  # noqa: ARG001 - the usual threshold decides
    return tamis.select(X, method=method).indices


def _dense(method: str, X: Any, k: int) -> Any:
    return _tamis(method, X.toarray() if scipy.sparse.issparse(X) else X, k)


def _gram(X: Any, k: int) -> Any:  # noqa: ARG001 - references share the signature
    return X.T @ X


def _svd(X: Any, k: int) -> Any:  # noqa: ARG001 - references share the signature
    return scipy.linalg.svd(X, full_matrices=False)


_matrices: dict[tuple[int, ...], Any] = {}


def _eigh(X: Any, k: int) -> Any:  # noqa: ARG001 - references share the signature
    """Decompose the correlation matrix; making it is paid by the first, slower run."""
    if X.shape not in _matrices:
        _matrices[X.shape] = np.corrcoef(X, rowvar=False)
    return scipy.linalg.eigh(_matrices[X.shape])


def _corrcoef(X: Any, k: int) -> Any:  # noqa: ARG001 - references share the signature
    np.corrcoef(X, rowvar=False)
    return np.arange(1)


def _textbook(X: Any, k: int) -> Any:
    """Eliminate as Yen et al. print it: equations and error vectors, one column at a time."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    V = scipy.linalg.eigh(Z.T @ Z)[1]
    W, E = V.T.copy(), Z @ V
    rows, columns = np.ones(len(W), dtype=bool), np.ones(len(W), dtype=bool)
    for _ in range(len(W) - k):
        i = int(np.argmin(np.where(rows, np.square(E).sum(axis=0), np.inf)))
        j = int(np.argmax(np.where(columns, np.abs(W[i]), -1.0)))
        rows[i] = columns[j] = False
        c = np.where(rows, W[:, j] / W[i, j], 0.0)
        E -= np.outer(E[:, i], c)
        W -= np.outer(c, W[i])
    return np.flatnonzero(columns)


def _feature_engine(X: Any, k: int) -> Any:  # noqa: ARG001 - the threshold decides
    import pandas as pd
    from feature_engine.selection import DropCorrelatedFeatures

    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    search = DropCorrelatedFeatures(threshold=0.9).fit(frame)
    gone = set(search.features_to_drop_)
    return np.array([j for j in range(X.shape[1]) if f"x{j}" not in gone])


def _fastcan(X: Any, k: int) -> Any:
    """Follow fastcan's guide to unsupervised use: the targets are principal component scores.

    `y = X` is no choice: the targets are orthonormalised first, so every column would score 1.
    The eta-cosine form needs more rows than columns and targets; it is the faster of the two, with
    the same picks.
    """
    from fastcan import FastCan
    from sklearn.decomposition import PCA

    scores = PCA(n_components=k, random_state=0).fit_transform(X)
    return FastCan(n_features_to_select=k, eta=True, verbose=0).fit(X, scores).indices_


def _skmatter(X: Any, k: int) -> Any:
    from skmatter.feature_selection import CUR

    return CUR(n_to_select=k, recompute_every=1).fit(X).selected_idx_


def _linselect(X: Any, k: int) -> Any:
    """Take `k` forward steps; `FwdSelect` would go on through all columns."""
    from linselect import GenSelect

    search = GenSelect()
    search.position(X)
    search.search(protocol=(1, 0), steps=k)
    return np.flatnonzero(search.s)


_OTHERS: dict[str, Subject] = {
    "gram": _gram,
    "svd": _svd,
    "eigh": _eigh,
    "corrcoef": _corrcoef,
    "textbook ufs": _textbook,
    "feature-engine": _feature_engine,
    "fastcan": _fastcan,
    "skmatter": _skmatter,
    "linselect": _linselect,
}
