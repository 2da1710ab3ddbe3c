"""Important columns by the leading components of their mutual information: four methods.

Mutual information is as in the paper, not corrected for chance: a column with many distinct values
seems to share information with every other, and is preferred for it (`representatives` takes off
what chance gives).

`naive-fs`: the columns with the highest VIMICA score.

The VIMICA score of a column is its weight in the leading components of the matrix of normalised
mutual information between all columns (numbers in bins, categories as they are). The columns with
the highest scores are kept. Redundant columns all score high: `greedy-fs` and `rspfs` avoid that.

The paper takes the components that explain "more than 90%"; with repeated eigenvalues the scores
depend on the basis that the solver returns. Negative eigenvalues, which the paper does not mention,
are ignored.

`greedy-fs`: important columns that share little information with those already taken.

The first column is the most important one (VIMICA score, see `naive-fs`). Each further one
maximises its importance divided by its mean normalised mutual information with the columns taken. A
column that shares no information with them is preferred to all others; among several such columns,
importance decides.

`naive-rspfs`: the columns that recursive spectral partitioning splits off first.

The columns are the nodes of a graph, with their normalised mutual information as edge weights. The
graph is cut in two by the signs of its Fiedler vector, and each part again, down to single columns
(see `rspfs`). The leaves nearest to the root are kept. Many leaves are equally deep: importance
(VIMICA score, see `naive-fs`) decides between them, or with `tie_break="index"` their order in the
table.

`rspfs`: recursive spectral partitioning, important columns of distant branches.

The columns are the nodes of a graph, with their normalised mutual information as edge weights. The
graph is cut in two by the signs of its Fiedler vector, and each part again, down to single columns.
The first column taken is the most important one (VIMICA score, see `naive-fs`); each further one
maximises the product of its importance and its mean distance in the tree, counted in edges, to
those taken.

The paper's formula divides by the distance although its text asks for distant columns: we follow
the text, `distance="divide"` gives the formula. Our copy of the paper lacks the definition of the
graph Laplacian; the unnormalised one, rebuilt for every part, fits the reported results.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Unpack

import numpy as np

from tamis.algorithms.greedy import UnsharedInformation, all_usable, search
from tamis.algorithms.information.tree import spectral_tree
from tamis.algorithms.limits import LimitedGoal, no_limits
from tamis.algorithms.orders import order_of
from tamis.algorithms.path import Goal, Path
from tamis.numerics.eigen import decompose
from tamis.numerics.types import Floats, Indices, Mask
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.statistics.shared_information import Information


def score_importance(information: Information, mi_threshold: float = 0.9) -> Floats:
    """Score every column by the components that explain more than `mi_threshold` of the spectrum.

    These are the VIMICA scores of the paper: each leading component of the matrix gives out its
    eigenvalue to the columns in proportion to the size of their entries. Negative eigenvalues,
    which such a matrix may have, are ignored. Components with equal eigenvalues are chosen by a
    rule (`eigen.fix_repeated`), not by the solver.

    Examples
    --------
    >>> M = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> score_importance(Information(M)).round(12)
    array([1., 1., 1.])
    """
    values, vectors = decompose(information.matrix)
    values, vectors = values[::-1], vectors[:, ::-1]
    positive = np.maximum(values, 0.0)
    shares = np.cumsum(positive) / positive.sum()
    # The share must be above the threshold, except where that is 1.
    count = min(int(np.searchsorted(shares, mi_threshold, side="right")) + 1, len(values))
    parts = np.abs(vectors[:, :count])
    return np.asarray((parts / parts.sum(axis=0)) @ positive[:count])


def take_informative(
    information: Information,
    k: int,
    scores: Floats,
    *,
    relate: Callable[[int], Floats | Indices] | None = None,
    weigh: Callable[[Floats, Floats], Floats] = np.divide,
    **goal: Unpack[LimitedGoal],
) -> Path:
    """Take the columns of highest score, weighed with how they relate to those taken.

    `relate` gives how a taken column relates to all; the score is weighed with the mean over the
    taken ones. The share explained is the mean, over all columns, of the mutual information with
    the most informative column taken: 1 for a taken column itself.
    """
    limits = goal.get("limits") or no_limits(len(scores))
    summed, followed = np.zeros(len(scores)), 0

    def prefer(state: UnsharedInformation, _: Mask) -> Floats:
        nonlocal followed
        if relate is None or not state.size:
            return scores
        for j in state.taken[followed:].tolist():
            summed[...] += relate(j)
        followed = state.size
        return weigh(scores, np.maximum(summed / followed, NEGLIGIBLE))

    path = search(UnsharedInformation(information, k), k, prefer, usable=all_usable, **goal)
    return replace(path, scores=scores, stopped=path.stopped if limits.any else "")


def most_important(
    information: Information, k: int, *, mi_threshold: float = 0.9, **goal: Unpack[Goal]
) -> Path:
    """Take the columns with the highest importance.

    Examples
    --------
    >>> rows = [[1, 0.8, 0.1, 0.2], [0.8, 1, 0.1, 0.2], [0.1, 0.1, 1, 0.3], [0.2, 0.2, 0.3, 1]]
    >>> most_important(Information(np.array(rows)), 4).indices
    array([3, 2, 0, 1])
    """
    return take_informative(information, k, score_importance(information, mi_threshold), **goal)


def important_and_new(
    information: Information, k: int, *, mi_threshold: float = 0.9, **goal: Unpack[LimitedGoal]
) -> Path:
    """Take at each step the column with the highest importance relative to its redundancy.

    Examples
    --------
    >>> rows = [[1, 0.8, 0.1, 0.2], [0.8, 1, 0.1, 0.2], [0.1, 0.1, 1, 0.3], [0.2, 0.2, 0.3, 1]]
    >>> important_and_new(Information(np.array(rows)), 4).indices
    array([3, 0, 2, 1])
    """
    scores = score_importance(information, mi_threshold)
    relate = information.matrix.__getitem__
    return take_informative(information, k, scores, relate=relate, **goal)


def first_split_off(
    information: Information,
    k: int,
    *,
    mi_threshold: float = 0.9,
    laplacian: str = "unnormalized",
    split: str = "sign",
    tie_break: str = "score",
    **goal: Unpack[LimitedGoal],
) -> Path:
    """Take the leaves of the spectral tree that lie nearest to its root."""
    tree = spectral_tree(information.matrix, laplacian=laplacian, split=split)
    scores = score_importance(information, mi_threshold)
    positions = order_of(scores) if tie_break == "score" else np.arange(len(scores))
    nearness = np.empty(len(scores))
    # The sort is stable: of equally deep leaves the one with the better position comes first.
    nearness[positions[np.argsort(tree.depth[positions], kind="stable")]] = np.arange(
        len(scores), 0, -1
    )
    return replace(take_informative(information, k, nearness, **goal), scores=scores, tree=tree)


def important_and_distant(
    information: Information,
    k: int,
    *,
    mi_threshold: float = 0.9,
    laplacian: str = "unnormalized",
    split: str = "sign",
    distance: str = "multiply",
    **goal: Unpack[LimitedGoal],
) -> Path:
    """Take at each step the column with the largest importance times distance from those taken.

    Examples
    --------
    >>> rows = [[1, 0.8, 0.1, 0.2], [0.8, 1, 0.1, 0.2], [0.1, 0.1, 1, 0.3], [0.2, 0.2, 0.3, 1]]
    >>> important_and_distant(Information(np.array(rows)), 4).indices
    array([3, 0, 2, 1])
    """
    tree = spectral_tree(information.matrix, laplacian=laplacian, split=split)
    scores = score_importance(information, mi_threshold)
    # A mean distance is 0 only for the column taken itself.
    weigh = np.multiply if distance == "multiply" else np.divide
    found = take_informative(information, k, scores, relate=tree.distances, weigh=weigh, **goal)
    return replace(found, tree=tree)
