"""`mrmr`: columns that say much about a response and little about each other (Ding and Peng).

Minimum redundancy, maximum relevance. The first column is the one of largest relevance V: the F
statistic with the response (of classes that of a one-way analysis of variance), or its squared
correlation, of classes the correlation ratio. Then each step adds the column with the largest
V / W (quotient) or V - W (difference), where W is the mean absolute correlation with the kept
columns. Correlations of a category are the roots of the mean squared canonical correlation.

Relevance is that of each column alone: unlike `forward-regression`, no regression on the kept
columns is involved, so a column that matters only beside another is not found. Differences compare
a correlation with F, which grows with the rows: there `relevance="correlation"` balances better.

All comes from one Gram matrix: a row of it for each column kept. Without a number of columns
those are kept that explain the response beyond chance, as for `forward-regression`, each alone.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import chdtrc

from tamis.algorithms.greedy import search
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Mask
from tamis.statistics.grouped import GroupedGram

MIN_REDUNDANCY = 1e-3  # of a quotient: a column related to none is not infinitely good
TEST_LEVEL = 0.05  # over all columns

_UNRELATED = "no other column explains more of the response than unrelated ones would"


def weigh_redundancy(
    table: GroupedGram,
    k: int | None,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    scheme: str = "quotient",
    relevance: str = "F",
    limits: Limits | None = None,
) -> Path:
    """Take `k` columns by relevance and redundancy.

    Examples
    --------
    The response is the last column. The second column is almost the first one.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.grouped import as_groups
    >>> G = np.array([[1, 0.9, 0, 0.8], [0.9, 1, 0, 0.7], [0, 0, 1, 0.3], [0.8, 0.7, 0.3, 1]])
    >>> weigh_redundancy(replace(as_groups(DenseGram(G)), n_rows=100, responses=1), 2).indices
    array([0, 2])
    """
    last = table.columns
    explained = explain_alone(table, last)
    worth = explained if relevance == "correlation" else f_statistics(table, explained)
    summed = np.zeros(len(explained))
    followed = 0

    def score(residual: Residual, _: Mask) -> Floats:
        nonlocal followed
        for j in residual.taken[followed:].tolist():
            summed[...] += np.sqrt(explain_alone(table, j))
        followed = residual.size
        if not residual.size:
            return worth
        redundancy = summed / residual.size
        if scheme == "difference":
            return np.asarray(worth - redundancy)
        return np.asarray(worth / np.maximum(redundancy, MIN_REDUNDANCY))

    allowed = mark_relevant(table, explained) if k is None else np.ones(last + 1, dtype=bool)
    within = (Limits.of(last) if limits is None else limits).widen(last + 1)
    path = search(
        Residual(table, last if k is None else k, importance=table.importance),
        last if k is None else k,
        score,
        within,
        retain=retain,
        include=include,
        usable=lambda residual: allowed if residual.size else np.ones_like(allowed),
    )
    stopped = path.stopped if within.any else _UNRELATED
    return replace(path, scores=path.scores[:last], importance=table.importance, stopped=stopped)


def explain_alone(statistic: GroupedGram, group: int) -> Floats:
    """Give the squared correlation of every group with one; of several columns the mean canonical.

    A group of several columns is explained, or explains, whichever has fewer.
    """
    gram, groups = statistic.gram, statistic.groups
    J = groups.members([group])
    rows = gram.block(J)
    values, vectors = np.linalg.eigh(rows[:, J])
    useful = values > RANK_TOL * max(float(values[-1]), 0.0)
    seen = np.square(vectors[:, useful].T @ rows) / values[useful, None]
    shares = groups.sum_up(seen.sum(axis=0)) / statistic.diagonal()
    return np.clip(shares, 0.0, 1.0)


def f_statistics(table: GroupedGram, explained: Floats) -> Floats:
    """Give the F statistic of every column with the response, or of classes with it."""
    freedom = max(int(table.groups.sizes[table.columns]) - 1, 1)
    assert table.n_rows is not None, "a response comes with its rows"
    rest = max(table.n_rows - freedom - 1, 1)
    return np.asarray(rest / freedom * explained / np.maximum(1.0 - explained, RANK_TOL))


def mark_relevant(table: GroupedGram, explained: Floats) -> Mask:
    """Mark the columns that are related to the response, by a chi-square test over all of them."""
    freedom = np.maximum(table.groups.sizes - 1, 1)
    statistic = table.n_rows * np.minimum(freedom, freedom[-1]) * explained
    return np.asarray(chdtrc(freedom * freedom[-1], statistic) * table.columns < TEST_LEVEL)
