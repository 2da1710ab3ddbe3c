"""`wrapper-annealing`: change a set of columns at random, accepting worse ones ever less often.

It starts with a random set. Each proposal adds or removes one column (with k: swaps two). A
set that scores no worse is taken; one that is worse by D is taken with probability exp(-D / T). The
temperature T starts so that a typical worsening, the mean of those around the first set, is
taken with probability 0.8; after as many proposals as there are columns it falls by 5%, until it
is a thousandth. The best set ever tried is kept; of sets with the same score, the smaller.

`temperature=0` never takes a worse set. The score of the best set is too optimistic; the
score on the rows set aside (`test_size`) is not. `early_stopping` sets a fifth of the other rows
aside for the search itself: it ends when its best set has not improved on them for 20 temperatures
(by then it has fallen to about a third), and keeps the last that did.
"""

from contextlib import suppress
from math import ceil, exp, log

import numpy as np

from tamis.algorithms.wrappers import lots
from tamis.algorithms.wrappers.evaluator import Evaluator, ExhaustedError
from tamis.algorithms.wrappers.job import Point, Scope, SearchResult, make_wrapper
from tamis.algorithms.wrappers.search_checkpoint import Columns
from tamis.numerics.types import Floats

_TAKEN = 0.8  # of typical worsenings, at first
_COOLING = 0.95
_COLD = 1e-3  # of the first temperature
_AROUND = 30  # sets around the first at most, to learn what a typical worsening is
_PATIENCE = 20  # temperatures without a better set
_N_PROPOSALS = 8  # proposals that are scored at a time if several processes work


def annealing_search(
    evaluate: Evaluator,
    scope: Scope,
    *,
    temperature: float | None = None,
    early_stopping: bool = False,  # noqa: ARG001 - says whether the scope can validate
) -> SearchResult:
    """Wander from set to set while it cools, and give the best that was ever tried.

    With early stopping: of the best sets at all temperatures the one that scores best on rows that
    were not used to find them, until that has not risen for some temperatures.
    """
    rng = np.random.default_rng([scope.random_state, 3])
    points: list[Point] = []
    watch = lots.Watch(scope, _PATIENCE)
    with suppress(ExhaustedError):
        _anneal(evaluate, scope, temperature, rng, points, watch)
    best = watch.chosen or lots.best_tried(evaluate, scope)[1]
    return lots.make_result(evaluate, scope, best, points, "current set")


def _anneal(
    evaluate: Evaluator,
    scope: Scope,
    temperature: float | None,
    rng: np.random.Generator,
    points: list[Point],
    watch: lots.Watch,
) -> None:
    """Follow the schedule, noting every proposal."""
    only = lots.only_set(scope)
    current = only or lots.random_set(scope, rng)
    score = evaluate(current)
    points.append(Point(evaluate.evaluations, score, score))
    if only:
        return
    draws = rng.random((min(scope.width, _AROUND), 3))
    heat = _first_heat(evaluate, scope, current, draws) if temperature is None else temperature
    for _ in range(ceil(log(_COLD) / log(_COOLING))):
        draws = rng.random((scope.width, 3))
        current = _wander(evaluate, scope, current, heat, draws, points)
        if scope.validate and watch.sees_no_rise(lots.best_tried(evaluate, scope)[1], 0.0):
            return
        heat *= _COOLING


def _wander(
    evaluate: Evaluator,
    scope: Scope,
    current: Columns,
    heat: float,
    draws: Floats,
    points: list[Point],
) -> Columns:
    """Make one proposal for each draw at this temperature; give the set where that ends."""
    score, best = points[-1].current, points[-1].best
    for step, draw in enumerate(draws):
        if step % _N_PROPOSALS == 0:
            ahead = draws[step : step + _N_PROPOSALS]
            evaluate.prepare([_neighbour(current, scope, one) for one in ahead])
        proposal = _neighbour(current, scope, draw)
        new = evaluate(proposal)
        if new >= score or (heat > 0 and draw[2] < exp((new - score) / heat)):
            current, score = proposal, new
        best = max(best, new)
        points.append(Point(evaluate.evaluations, score, best))
    return current


def _first_heat(evaluate: Evaluator, scope: Scope, current: Columns, draws: Floats) -> float:
    """Give the temperature at which a typical worsening is taken with the first probability."""
    around = evaluate.many([_neighbour(current, scope, draw) for draw in draws])
    changes = np.array(around) - evaluate(current)
    worse = -changes[changes < 0] if (changes < 0).any() else np.abs(changes)
    return float(worse.mean()) / -log(_TAKEN)


def _neighbour(columns: Columns, scope: Scope, draw: Floats) -> Columns:
    """Add or remove the column drawn or, with `k`, swap two; a set of one column is left alone."""
    if scope.k is not None:
        inside = sorted(columns.difference(scope.include))
        outside = [j for j in scope.free if j not in columns]
        return columns ^ {inside[int(draw[0] * len(inside))], outside[int(draw[1] * len(outside))]}
    free = scope.free
    changed = columns ^ {free[int(draw[0] * len(free))]}
    return changed or columns


select_annealing = make_wrapper(annealing_search)
