"""How scores decide which columns to keep, and what a ranking was made from.

Cunningham names three policies for any score: the best m, all above a threshold (absolute, or
relative to the best score), and adding columns in order of their score as long as a learner gets
better in cross-validation.

Where redundant columns are dropped, each step takes the column with the largest product of its
relevance (`relevance_of`) and the share of it that the kept columns leave unexplained: the residual
variance relative to its own variance or, on mutual information, 1 less the largest normalised
mutual information with a kept column. Of equal products the first column is taken. A column
explained to at least `redundant_at` is never taken.

Importances in a learner are shared among columns that correlate: of four copies each may have a
quarter of what one would have, or one all of it. There the relevance of a column is the sum of
the importances of all columns, each times the share of it that the column explains (`pooled`). As
the sharing also hides importance, the learner is trained a second time, on the columns that
remain once those explained by better ones are dropped; its scores decide.

A dropped column is then called *redundant* or *irrelevant*. It is irrelevant if its relevance is
0 or below `needed`: the threshold, where a threshold or the method itself decides what is
relevant; otherwise half of the lowest relevance of a kept column. It is redundant if its
relevance suffices and the kept columns explain at least `redundant_at` of it, or if by its score
alone it would have come before a kept column. What is left, columns of a middling score that are
not explained, did not score enough: irrelevant.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Unpack

import numpy as np

from tamis.algorithms.greedy import State, all_usable, search, start_left
from tamis.algorithms.limits import LimitedGoal, Limits, no_limits
from tamis.algorithms.orders import best_by_score, order_of
from tamis.algorithms.path import Goal, Path
from tamis.errors import TamisError, spell
from tamis.numerics.types import Floats, Indices, Mask
from tamis.rules.tolerances import NEGLIGIBLE, TIE
from tamis.statistics.gram import Gram
from tamis.statistics.gram.protocol import Statistic
from tamis.statistics.shared_information import Information
from tamis.values import dataclass


@dataclass(frozen=True, eq=False)
class Ranking:
    """Every column with its score, best first, as evidence for the columns kept."""

    kind: ClassVar[str] = "ranking"

    order: Indices  # all columns, best first
    scores: Floats
    kept: int  # how many of the order
    spread: Floats | None = None  # standard deviation of every score over repetitions
    accuracy: Floats | None = None  # cross-validated, of a learner on the first 1, 2, ... columns
    metric: str = "accuracy"  # what that is, and who learns
    learner: str = ""
    why: str = ""  # how the number of columns was decided; empty where it was given
    beside: Any = None  # what else the method found, with a kind and facts of its own

    def facts(self, names: Sequence[str]) -> dict[str, Any]:
        """Give it as plain values, by name.

        >>> found = Ranking(np.array([1, 0]), np.array([0.25, np.inf]), 1)
        >>> found.facts(["a", "b"])["bars"][1]
        {'column': 'a', 'score': 0.25, 'spread': None}
        """
        return {
            "kind": self.kind,
            "bars": [
                {
                    "column": names[j],
                    "score": _finite(self.scores[j]),
                    "spread": None if self.spread is None else _finite(self.spread[j]),
                }
                for j in self.order
            ],
            "kept": self.kept,
            "accuracy": None if self.accuracy is None else [_finite(a) for a in self.accuracy],
            "metric": self.metric,
            "learner": self.learner,
            "why": self.why,
            "beside": None if self.beside is None else dict(self.beside.facts(names)),
        }


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def relevance_of(scores: Floats, *, smallest: bool = False) -> Floats:
    """Turn scores into relevance: at least 0, and the larger the better.

    Where large scores are best, it is the score, 0 for scores below 0; where small ones are, the
    distance from the worst finite score. A column without a score (NaN) has none. If that leaves 0
    for all columns, all are as relevant.

    Examples
    --------
    >>> relevance_of(np.array([0.5, -0.1, 2.0]))
    array([0.5, 0. , 2. ])
    >>> relevance_of(np.array([0.5, np.inf, 2.0]), smallest=True)
    array([1.5, 0. , 0. ])
    """
    finite = np.isfinite(scores)
    most = float(scores[finite].max(initial=0.0))
    found = np.where(finite, most - scores if smallest else np.maximum(scores, 0.0), 0.0)
    if not smallest:
        found[np.isposinf(scores)] = 2.0 * most + 1.0
    return found if (found > 0).any() else np.ones_like(found)


def find_reaching(
    scores: Floats, *, threshold: float | None, within: float | None, smallest: bool = False
) -> tuple[Mask, float]:
    """Mark the columns that reach a threshold or come within a share of the best; say what that is.

    The relative form asks for a relevance of at least `(1 - within)` times the largest: of scores
    where small is best, those that are no further from the best than `within` of the way to the
    worst.

    Examples
    --------
    >>> find_reaching(np.array([4.0, 2.0, 1.9]), threshold=None, within=0.5)
    (array([ True,  True, False]), 2.0)
    """
    if threshold is None:
        relevance = relevance_of(scores, smallest=smallest)
        least = (1.0 - (within or 0.0)) * relevance.max()
        worst = float(scores[np.isfinite(scores)].max(initial=0.0))
        return relevance >= least * (1.0 - TIE), float(worst - least if smallest else least)
    slack = TIE * abs(threshold)
    mask = scores <= threshold + slack if smallest else scores >= threshold - slack
    if not mask.any():
        best = float(np.nanmin(scores) if smallest else np.nanmax(scores))
        way = "least" if smallest else "most"
        raise TamisError(
            f"{spell('threshold', threshold)}: the best score is {best:.4g}, so that no column "
            f"would be kept; give at {way} that."
        )
    return mask, threshold


def find_improving_prefix(
    score: Callable[[int], float],
    most: int,
    *,
    least: int = 1,
    patience: int = 0,
    min_delta: float = 0.0,
) -> tuple[int, Floats]:
    """Give the prefix before the first step that does not improve, and the scores compared.

    `score` gives the score of the first m columns, for m from `least` to `most`. A step improves if
    it exceeds the best score so far by more than `min_delta`; after more than `patience` steps in a
    row that do not, the prefix with the best score is the answer.

    Examples
    --------
    >>> find_improving_prefix(lambda m: [0.5, 0.7, 0.6, 0.8][m - 1], 4)
    (2, array([0.5, 0.7, 0.6]))
    >>> find_improving_prefix(lambda m: [0.5, 0.7, 0.6, 0.8][m - 1], 4, patience=1)[0]
    4
    """
    found = [score(least)]
    best, size = found[0], least
    for m in range(least + 1, most + 1):
        found.append(score(m))
        if found[-1] > best + min_delta + NEGLIGIBLE:
            best, size = found[-1], m
        elif m - size > patience:
            break
    return size, np.array(found)


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
    smallest: bool = False,
    among: Mask | None = None,
    limits: Limits | None = None,
    **goal: Unpack[Goal],
) -> Path:
    """Take the columns with the best scores, copies or not; `among` are those to choose from."""
    worst = np.inf if smallest else -np.inf
    chosen = scores if among is None else np.where(among, scores, worst)
    known = statistic.explained
    if limits is None:
        path = best_by_score(known, chosen, k, smallest=smallest, **goal)
    else:
        worth = relevance_of(scores, smallest=smallest)
        if not limits.priced:  # numbers above 0 in the order of the scores
            none = np.inf if smallest else -np.inf
            order = order_of(np.where(np.isnan(scores), none, scores), smallest=smallest)
            worth[order] = np.arange(len(scores), 0, -1)
        usable = all_usable if among is None else lambda _: among
        path = search(start_left(known, k), k, lambda *_: worth, limits, usable=usable, **goal)
    return replace(path, scores=scores)


def take_unexplained(
    statistic: Statistic[Gram | Information],
    scores: Floats,
    k: int,
    *,
    smallest: bool = False,
    among: Mask | None = None,
    redundant_at: float | None = None,
    shared: bool = False,
    **goal: Unpack[LimitedGoal],
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
    known, include = statistic.explained, goal.get("include", ())
    relevance = known.pooled(relevance) if shared else relevance
    # No more than the rank, but all that must be taken.
    most = max(min(k, known.rank_bound + len(include)), len(include))
    at = redundant_at if redundant_at is not None else known.redundant_at
    allowed = np.ones(len(scores), dtype=bool) if among is None else among

    def share(state: State) -> Floats:
        return state.left / state.start

    def usable(state: State) -> Mask:
        return np.asarray(allowed & state.free & (share(state) > 1.0 - at))

    state = start_left(known, most)
    path = search(state, most, lambda state, _: relevance * share(state), usable=usable, **goal)
    limits = goal.get("limits") or no_limits(len(scores))
    others = "every other column" if among is None else "every other relevant column"
    stopped = f"the kept ones explain at least {at:.0%} of {others}"
    stopped += ", or the limits allow no more" if limits.any else ""
    lowest = float(relevance[path.indices[len(include) :]].min(initial=np.inf))
    needed = _HALF * lowest if among is None else float(relevance[among].min(initial=np.inf))
    weighing = Weighing(relevance, needed, lowest, at)
    return replace(path, scores=scores, stopped=stopped, weighing=weighing)


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
