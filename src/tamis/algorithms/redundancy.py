"""Relevance and redundancy together: the best-scoring columns that the kept ones do not explain.

Each step takes the column with the largest product of its relevance (`policies.relevance_of`) and
the share of it that the kept columns leave unexplained: the residual variance relative to its own
variance or, on mutual information, 1 less the largest normalised mutual information with a kept
column. Of equal products the first column is taken. A column explained to at least `redundant_at`
is never taken.

Importances in a learner are shared among columns that correlate: of four copies each may have a
quarter of what one would have, or one all of it. There the relevance of a column is the sum of the
importances of all columns, each times the share of it that the column explains (`pool`). As the
sharing also hides importance, the learner is trained a second time, on the columns that remain once
those explained by better ones are dropped; its scores decide.

A dropped column is then called *redundant* or *irrelevant*. It is irrelevant if its relevance is 0
or below `needed`: the threshold, where a threshold or the method itself decides what is relevant;
otherwise half of the lowest relevance of a kept column. It is redundant if its relevance suffices
and the kept columns explain at least `redundant_at` of it, or if by its score alone it would have
come before a kept column. What is left, columns of a middling score that are not explained, did
not score enough: irrelevant.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tamis.algorithms.by_score import best_by_score, order_of
from tamis.algorithms.greedy import State, search, start_left
from tamis.algorithms.limits import Limits
from tamis.algorithms.path import NO_GOAL, Path
from tamis.algorithms.policies import relevance_of
from tamis.algorithms.ranking import Ranking
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Indices, Mask
from tamis.statistics.gram import Gram
from tamis.statistics.shared_information import Information
from tamis.statistics.statistic import Statistic

_HALF = 0.5


@dataclass(frozen=True, eq=False)
class Weighing:
    """By what a dropped column is called irrelevant or redundant."""

    relevance: Floats
    needed: float
    lowest: float
    redundant_at: float

    def reason(self, j: int, explained: float) -> str:
        """Say why column `j` was dropped, of which the kept ones explain this share.

        >>> weighing = Weighing(np.array([0.2, 0.7, 0.7, 0.9]), 0.4, 0.8, 0.9)
        >>> [weighing.reason(j, share) for j, share in enumerate([0.95, 0.95, 0.3, 0.3])]
        ['irrelevant', 'redundant', 'irrelevant', 'redundant']
        """
        value = self.relevance[j] * (1.0 + TIE)
        if value == 0:
            return "irrelevant"
        explained_enough = explained >= self.redundant_at and value >= self.needed
        return "redundant" if explained_enough or value >= self.lowest else "irrelevant"


def take_scored(
    statistic: Statistic[Gram | Information],
    scores: Floats,
    k: int,
    *,
    retain: float = NO_GOAL,
    include: Sequence[int] = (),
    smallest: bool = False,
    among: Mask | None = None,
    limits: Limits | None = None,
) -> Path:
    """Take the columns with the best scores, copies or not; `among` are those to choose from."""
    worst = np.inf if smallest else -np.inf
    chosen = scores if among is None else np.where(among, scores, worst)
    known = statistic.explained
    if limits is None:
        path = best_by_score(known, chosen, k, retain=retain, include=include, smallest=smallest)
        return replace(path, scores=scores)
    worth = _order_by_worth(scores, limits, smallest=smallest)
    path = search(
        start_left(known, k),
        k,
        lambda *_: worth,
        limits,
        retain=retain,
        include=include,
        usable=lambda state: np.ones_like(state.free) if among is None else among,
    )
    return replace(path, scores=scores)


def _order_by_worth(scores: Floats, limits: Limits, *, smallest: bool) -> Floats:
    """Give numbers above 0 in the order of the scores; with prices the relevance itself."""
    if (limits.price != 1.0).any():
        return relevance_of(scores, smallest=smallest)
    none = np.inf if smallest else -np.inf
    order = order_of(np.where(np.isnan(scores), none, scores), smallest=smallest)
    worth = np.empty(len(scores))
    worth[order] = np.arange(len(scores), 0, -1)
    return worth


def take_unexplained(
    statistic: Statistic[Gram | Information],
    scores: Floats,
    k: int,
    *,
    retain: float = NO_GOAL,
    include: Sequence[int] = (),
    smallest: bool = False,
    among: Mask | None = None,
    redundant_at: float | None = None,
    shared: bool = False,
    limits: Limits | None = None,
) -> Path:
    """Take the best-scoring columns that the kept ones do not explain yet.

    `among` are the columns relevant enough to choose from, all by default; `shared` is whether
    columns that correlate share their scores. The path carries the `Weighing` that says why
    a column is dropped.

    Examples
    --------
    The second column is nearly a copy of the first, which scores best; the third scores least.

    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[1.0, 0.99, 0.0], [0.99, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> take_unexplained(gram, np.array([0.8, 0.7, 0.1]), 2).indices
    array([0, 2])
    """
    relevance = relevance_of(scores, smallest=smallest)
    known = statistic.explained
    relevance = pool(known, relevance) if shared else relevance
    most = _room(known, k, include)
    at = redundant_at if redundant_at is not None else known.redundant_at
    allowed = np.ones(len(scores), dtype=bool) if among is None else among

    def share(state: State) -> Floats:
        return state.left / state.start

    def usable(state: State) -> Mask:
        return np.asarray(allowed & state.free & (share(state) > 1.0 - at))

    within = Limits.of(len(scores)) if limits is None else limits
    path = search(
        start_left(known, most),
        most,
        lambda state, _: relevance * share(state),
        within,
        retain=retain,
        include=include,
        usable=usable,
    )
    others = "every other column" if among is None else "every other relevant column"
    stopped = f"the kept ones explain at least {at:.0%} of {others}"
    stopped += ", or the limits allow no more" if within.any else ""
    weighing = _weigh_chosen(relevance, path.indices[len(include) :], among, at)
    return replace(path, scores=scores, stopped=stopped, weighing=weighing)


def pool(known: Gram | Information, relevance: Floats) -> Floats:
    """Give every column the relevance of all columns, as far as it explains them.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.array([[4.0, 4.0, 0.0], [4.0, 4.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> pool(gram, np.array([0.2, 0.3, 0.4]))
    array([0.5, 0.5, 0.4])
    """
    return known.pooled(relevance)


def spread_out(path: Path, columns: Indices, width: int) -> Path:
    """Turn a path on some columns into one on all; the others have no score."""

    def spread(values: Floats) -> Floats:
        found = np.full(width, np.nan)
        found[columns] = values
        return found

    evidence = path.evidence
    if isinstance(evidence, Ranking):
        deviation = None if evidence.spread is None else spread(evidence.spread)
        evidence = replace(evidence, scores=spread(evidence.scores), spread=deviation)
    return replace(
        path, indices=columns[path.indices], scores=spread(path.scores), evidence=evidence
    )


def _weigh_chosen(relevance: Floats, chosen: Indices, among: Mask | None, at: float) -> Weighing:
    lowest = float(relevance[chosen].min(initial=np.inf))
    needed = _HALF * lowest if among is None else float(relevance[among].min(initial=np.inf))
    return Weighing(relevance, needed, lowest, at)


def _room(known: Gram | Information, k: int, include: Sequence[int]) -> int:
    """Give how many columns can be taken: no more than the rank, but all that must be."""
    return max(min(k, known.rank_bound + len(include)), len(include))
