"""`representatives`: the columns that together share most information with all columns.

Every column is represented by the kept column that explains most of it (a kept column represents
itself fully). What column y explains of a category x is (I - E) / (H - E): their mutual information
over the entropy of x, from both of which is taken what chance gives the pair. Random codes explain
nothing however many there are, and what determines a column explains all of it. A number cut into
bins has no entropy but that of its bins, and a share of that falls the finer they are: what y
explains of a number is (1 - exp(-2 (I - E))) / (1 - exp(-2 (H - E))), close to the squared
correlation of normal values that share as much information (Linfoot 1957). The bins are few because
each counts as a level: the more of them, the more a kept number seems to explain by jumps from bin
to bin that do not help to predict new rows. With `corrected=False` what is shared is the normalised
mutual information as it is. The share explained is the mean over all columns. It grows with every
column kept, and by less the more are kept already (it is monotone and submodular), so that taking
at each step the column that adds most reaches at least 1 - 1/e = 63% of what the best set of that
size explains, usually nearly all of it; `bound` is a proven ceiling for the table at hand. Two
columns that represent nothing but each other add equally much: of columns that tie, the one that
shares most with all columns is taken. What a column would add only shrinks, so gains are computed
again only for columns that could still be best.

The criterion is ours. `greedy-fs` and `rspfs`, which follow their paper, explain less by it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np

from tamis.algorithms.greedy import UnsharedInformation, search
from tamis.algorithms.limits import LimitedGoal, no_limits
from tamis.algorithms.path import Path
from tamis.numerics.types import Floats, Indices, Mask
from tamis.rules.tolerances import TIE
from tamis.statistics.shared_information import Information

_AT_ONCE = 16


def take_representatives(information: Information, k: int, **goal: Unpack[LimitedGoal]) -> Path:
    """Take at each step the column that adds most to the information explained.

    The score of a column is what it added when it was taken, or would have added at the last time
    it was considered, as a share of all information.
    """
    return take_among(information, np.arange(len(information.matrix)), k, **goal)


def take_among(
    information: Information, columns: Indices, k: int, **goal: Unpack[LimitedGoal]
) -> Path:
    """Take representatives of all columns from among some of them."""
    M, include = information.matrix, goal.get("include", ())
    within = goal.get("limits") or no_limits(len(M))
    among, totals = np.isin(np.arange(len(M)), columns), M.sum(axis=1)
    explained, gains = np.zeros(len(M)), totals.copy()

    def score(state: UnsharedInformation, offered: Mask) -> Floats:
        if state.size:
            np.maximum(explained, M[state.taken[-1]], out=explained)
        if state.size < len(include):
            pick = include[state.size]
            gains[pick] = _gains(M, explained, [pick])[0]
            return gains
        best = _largest(M, explained, gains, offered, within.price)
        return np.where(best, gains, -np.inf)

    state = UnsharedInformation(information, k)
    path = search(state, k, score, usable=lambda _: among, tie=lambda _: totals, **goal)
    stopped = path.stopped if within.any or within.barred.any() else ""
    return replace(path, scores=gains / len(M), stopped=stopped)


def _gains(M: Floats, explained: Floats, columns: Indices | Sequence[int]) -> Floats:
    """Give what each of these columns would add to what is explained of all columns."""
    return np.asarray(np.maximum(M[columns] - explained, 0.0).sum(axis=1))


def _largest(M: Floats, explained: Floats, gains: Floats, free: Mask, price: Floats) -> Mask:
    """Find the columns of the largest gain for their price.

    `gains` are bounds, renewed where it matters.
    """
    stale, best = free.copy(), -np.inf
    while True:
        worth = gains / price
        could = np.flatnonzero(stale & (worth >= best * (1.0 - TIE)))
        if not len(could):
            return free & ~stale & (worth >= best * (1.0 - TIE))
        renewed = could[np.argsort(-worth[could], kind="stable")[:_AT_ONCE]]
        gains[renewed] = _gains(M, explained, renewed)
        stale[renewed] = False
        best = float((gains / price)[free & ~stale].max())
