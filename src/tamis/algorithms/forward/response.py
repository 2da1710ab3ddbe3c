"""`forward-regression`: the columns that explain a response best, one at a time (tamis).

Orthogonal forward regression. Each step adds the column that raises R² of the response most: with
R what the kept columns leave of all columns and of the response y, `|R_yj|^2 / R_jj`. Of classes it
is the mean squared canonical correlation with their indicators that is raised; a category is added
as the group of its own indicators. R² after each step is that of a regression on the kept columns,
fitted anew; the search takes one Gram matrix and no fit. Several responses, numbers and classes,
count the same: it is the mean of their R² that is raised.

Without a number of columns the search ends by a rule of ours: a column is added only while it
explains more of what is left than one of as many unrelated columns would, by a chi-square test at
0.05 divided by the number of columns. The first column is always kept.

Numbers are taken as a response to predict, integers of up to 20 values as classes; `task` says
otherwise. The share on held-out rows is that of the response, too.

`mrmr`: columns that say much about a response and little about each other (Ding and Peng).

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
from typing import Unpack

import numpy as np
from scipy.special import chdtrc

from tamis.algorithms.forward.forward import take_by_importance
from tamis.algorithms.greedy import search
from tamis.algorithms.limits import LimitedGoal, Limits, no_limits
from tamis.algorithms.path import Path
from tamis.algorithms.residual import Residual
from tamis.numerics.types import Floats, Mask
from tamis.rules.tolerances import RANK_TOL
from tamis.statistics.summary import Summary

TEST_LEVEL = 0.05  # of the tests, over all columns
MIN_REDUNDANCY = 1e-3  # of a quotient: a column related to none is not infinitely good

_NO_MORE = "the kept columns explain the response completely, or all others are forbidden"
_UNRELATED = "no other column explains more of the response than unrelated ones would"


def regress_forward(
    table: Summary,
    k: int | None,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    limits: Limits | None = None,
    together: bool | None = None,
) -> Path:
    """Take `k` columns, each the one that explains most of what is left of the response.

    With `together` the groups of the limits are taken whole, and `k` counts them.

    Examples
    --------
    The response is the last column. Once the second is taken, the first adds little.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.summary import as_summary
    >>> G = np.array([[1, 0.9, 0, 0.8], [0.9, 1, 0, 0.9], [0, 0, 1, 0.3], [0.8, 0.9, 0.3, 1]])
    >>> regress_forward(replace(as_summary(DenseGram(G)), n_rows=100, responses=1), 2)
    Path(indices=array([1, 2]), retained=array([0.81, 0.9 ]))
    """
    within = (limits or no_limits(table.columns)).widen(table.width)
    path = take_by_importance(
        table,
        k,
        table.importance,
        retain=retain,
        include=include,
        limits=within,
        usable=mark_related if k is None else None,
        together=bool(together),
    )
    stopped = _UNRELATED if k is None else path.stopped if within.any else _NO_MORE
    return replace(path, scores=path.scores[: table.columns], stopped=stopped)


def mark_related(table: Summary, residual: Residual) -> Mask:
    """Mark the columns that explain more of the rest than one of as many unrelated ones would."""
    freedom = np.maximum(table.groups.sizes - 1, 1)  # of a category, and of classes
    of_responses = int(freedom[table.columns :].sum())
    if not residual.size:
        return np.ones(len(freedom), dtype=bool)
    left = max(residual.unexplained, np.finfo(float).tiny)
    rows = max(table.n_rows - len(residual.rows) - 1, 0)
    statistic = rows * of_responses * residual.gains() / left
    return np.asarray(chdtrc(freedom * of_responses, statistic) * table.columns < TEST_LEVEL)


def weigh_redundancy(
    table: Summary,
    k: int | None,
    *,
    scheme: str = "quotient",
    relevance: str = "F",
    **goal: Unpack[LimitedGoal],
) -> Path:
    """Take `k` columns by relevance and redundancy."""
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
    goal["limits"] = within = (goal.get("limits") or no_limits(last)).widen(last + 1)
    most = last if k is None else k

    def usable(residual: Residual) -> Mask:
        return allowed if residual.size else np.ones_like(allowed)

    state = Residual(table, most, importance=table.importance)
    path = search(state, most, score, usable=usable, **goal)
    stopped = path.stopped if within.any else _UNRELATED
    return replace(path, scores=path.scores[:last], importance=table.importance, stopped=stopped)


def explain_alone(statistic: Summary, group: int) -> Floats:
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


def f_statistics(table: Summary, explained: Floats) -> Floats:
    """Give the F statistic of every column with the response, or of classes with it."""
    freedom = max(int(table.groups.sizes[table.columns]) - 1, 1)
    rest = max(table.n_rows - freedom - 1, 1)
    return np.asarray(rest / freedom * explained / np.maximum(1.0 - explained, RANK_TOL))


def mark_relevant(table: Summary, explained: Floats) -> Mask:
    """Mark the columns that are related to the response, by a chi-square test over all of them."""
    freedom = np.maximum(table.groups.sizes - 1, 1)
    statistic = table.n_rows * np.minimum(freedom, freedom[-1]) * explained
    return np.asarray(chdtrc(freedom * freedom[-1], statistic) * table.columns < TEST_LEVEL)
