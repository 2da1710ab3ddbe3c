"""Searches that draw lots, and what all sets that they tried say of each column.

`wrapper-annealing`: change a set of columns at random, accepting worse ones ever less often.

It starts with a random set. Each proposal adds or removes one column (with k: swaps two). A
set that scores no worse is taken; one that is worse by D is taken with probability exp(-D / T). The
temperature T starts so that a typical worsening, the mean of those around the first set, is
taken with probability 0.8; after as many proposals as there are columns it falls by 5%, until it
is a thousandth. The best set ever tried is kept; of sets with the same score, the smaller.

`temperature=0` never takes a worse set. The score of the best set is too optimistic; the
score on the rows set aside (`test_size`) is not. `early_stopping` sets a fifth of the other rows
aside for the search itself: it ends when its best set has not improved on them for 20 temperatures
(by then it has fallen to about a third), and keeps the last that did.

`wrapper-genetic`: evolve sets of columns, those with which a learner scores better more often.

A generation has `population` sets; the first ones are random and of all sizes. The next generation
has the best set so far and children. Each parent is the better of two sets drawn at random. With
probability 0.9 a child decides for each column, at random, to follow one parent or the other;
otherwise it is a copy of one. Then each column is added or removed with probability one over the
number of columns. A set that the generation already has is mutated again. The search ends after
`generations`, or after 10 without a better set. Of sets of the same score, the smallest wins.

With k, children have the columns that both parents have and draw the others from those that one
has, and mutation swaps columns: all sets have k columns.

Loughrey & Cunningham show that such searches overfit: the longer they run, the more optimistic is
the score of the best set. The score on the rows set aside (`test_size`) is not. `early_stopping`
sets a fifth of the other rows aside for the search itself: it ends when its best set has not
improved on them for 10 generations, and keeps the last that did. `penalty` makes every column cost
a part of the score.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import ceil, exp, log

import numpy as np

from tamis.algorithms.wrappers.evaluator import Evaluator, ExhaustedError
from tamis.algorithms.wrappers.job import Point, Scope, SearchResult, make_wrapper
from tamis.algorithms.wrappers.search_checkpoint import Columns
from tamis.numerics.types import Floats


def random_set(scope: Scope, rng: np.random.Generator) -> Columns:
    """Draw a set: of `k` columns or, without one, of any number, each as probable."""
    free, fixed = scope.free, len(scope.include)
    least = 0 if fixed else 1
    size = rng.integers(least, len(free) + 1) if scope.k is None else scope.k - fixed
    return frozenset([*scope.include, *rng.permutation(free)[:size].tolist()])


def only_set(scope: Scope) -> Columns | None:
    """Give the one set there is, if there is no choice."""
    sizes = (scope.width,) if scope.k is None else (scope.width, len(scope.include))
    if scope.k in sizes or not scope.free or scope.width == 1:
        return frozenset(scope.include if scope.k == len(scope.include) else range(scope.width))
    return None


def best_tried(evaluate: Evaluator, scope: Scope, penalty: float = 0.0) -> Columns:
    """Give the best of all sets tried: by its score less the penalty, then by fewer columns."""

    def merit(columns: Columns) -> tuple[float, int]:
        score = evaluate.scores[columns] - penalty * len(columns) / scope.width
        return score, -len(columns)

    # The first of equal ones.
    return max(evaluate.scores, key=merit, default=frozenset(scope.include) or frozenset([0]))


@dataclass
class Watch:
    """Follow the best set of a search, to end it when that has not improved for a while.

    With early stopping it must improve on rows that no fold has. `chosen` is the last that did.
    """

    scope: Scope
    patience: int
    chosen: Columns = frozenset()
    _top: float = -np.inf
    _waited: int = 0

    def sees_no_rise(self, columns: Columns, score: float) -> bool:
        """Note the best set at this point; say whether it is time to stop."""
        merit = self.scope.validate(sorted(columns)) if self.scope.validate else score
        if merit > self._top:
            self.chosen, self._top, self._waited = columns, merit, 0
        else:
            self._waited += 1
        return self._waited == self.patience


def main_effects(evaluate: Evaluator, width: int) -> Floats:
    """Compare for every column the mean score of the sets tried with it and without it.

    >>> with Evaluator(lambda columns: float(0 in columns)) as evaluate:
    ...     _ = evaluate.many([frozenset([0, 1]), frozenset([1]), frozenset([0])])
    >>> main_effects(evaluate, 2)
    array([ 1. , -0.5])
    """
    tried = np.zeros((len(evaluate.scores), width), dtype=bool)
    for row, columns in zip(tried, evaluate.scores, strict=True):
        row[list(columns)] = True
    scores = np.array(list(evaluate.scores.values()))
    counts = tried.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (scores @ tried) / counts - (scores @ ~tried) / (len(tried) - counts)


def make_result(
    evaluate: Evaluator, scope: Scope, columns: Columns, points: Sequence[Point], current: str
) -> SearchResult:
    """Put the columns of the best set in order, by what they do for the sets they were in."""
    effects = main_effects(evaluate, scope.width)
    known = np.where(np.isfinite(effects), effects, -np.inf)
    rest = sorted(columns.difference(scope.include), key=lambda j: (-known[j], j))
    evidence = {"kind": "search_course", "points": tuple(points), "current": current}
    order = [*scope.include, *rest]
    return SearchResult(
        order, len(order), np.where(np.isfinite(effects), effects, np.nan), evidence
    )


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
    watch = Watch(scope, _PATIENCE)
    only = only_set(scope)
    current, heat = only or random_set(scope, rng), temperature or 0.0
    with suppress(ExhaustedError):
        score = evaluate(current)
        points.append(Point(evaluate.evaluations, score, score))
        draws = rng.random((min(scope.width, _AROUND), 3))
        if temperature is None and not only:  # of which the first probability takes a usual loss
            around = evaluate.many([_neighbour(current, scope, draw) for draw in draws])
            changes = np.array(around) - evaluate(current)
            worse = -changes[changes < 0] if (changes < 0).any() else np.abs(changes)
            heat = float(worse.mean()) / -log(_TAKEN)
        for _ in range(0 if only else ceil(log(_COLD) / log(_COOLING))):
            draws = rng.random((scope.width, 3))
            current = _wander(evaluate, scope, current, heat, draws, points)
            if scope.validate and watch.sees_no_rise(best_tried(evaluate, scope), 0.0):
                break
            heat *= _COOLING
    best = watch.chosen or best_tried(evaluate, scope)
    return make_result(evaluate, scope, best, points, "current set")


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


_CROSSOVER = 0.9
_MAX_IDLE_GENERATIONS = 10  # generations without a better set
_MAX_MUTATION_TRIES = 5  # mutations of a set that the generation has already


def genetic_search(
    evaluate: Evaluator,
    scope: Scope,
    *,
    population: int = 50,
    generations: int = 50,
    penalty: float = 0.0,
    early_stopping: bool = False,  # noqa: ARG001 - says whether the scope can validate
) -> SearchResult:
    """Breed sets of columns and give the best that was ever tried.

    With early stopping: of the best sets of all generations the one that scores best on rows that
    were not used to evolve them, until that has not risen for some generations.
    """
    rng = np.random.default_rng([scope.random_state, 2])
    only = only_set(scope)
    points: list[Point] = []
    members = [only] if only else [random_set(scope, rng) for _ in range(population)]
    best, watch = -np.inf, Watch(scope, _MAX_IDLE_GENERATIONS, members[0])
    try:
        for _ in range(1 if only else generations):
            scores = np.array(evaluate.many(members))
            sizes = np.array([len(member) for member in members])
            scores -= penalty * sizes / scope.width
            members = [members[i] for i in np.lexsort((sizes, -scores)).tolist()]
            best = max(best, float(scores.max()))
            points.append(Point(evaluate.evaluations, float(scores.mean()), best))
            if watch.sees_no_rise(members[0], best):
                break
            members = _next(members, scope, rng)
    except ExhaustedError:
        pass
    chosen = watch.chosen if scope.validate else best_tried(evaluate, scope, penalty)
    return make_result(evaluate, scope, chosen, points, "mean of the generation")


def _next(ranked: list[Columns], scope: Scope, rng: np.random.Generator) -> list[Columns]:
    """Give the best and children of all, no two the same if a few mutations can help it."""
    members = dict.fromkeys(ranked[:1])
    twins: list[Columns] = []
    while len(members) + len(twins) < len(ranked):
        child = _child(ranked, scope, rng)
        for _ in range(_MAX_MUTATION_TRIES):
            if child not in members:
                break
            child = _mutate_columns(child, scope, rng)
        if child in members:
            twins.append(child)
        members[child] = None
    return [*members, *twins]


def _child(ranked: list[Columns], scope: Scope, rng: np.random.Generator) -> Columns:
    """Draw two parents and give a changed mix of them."""
    first, second = (ranked[i] for i in rng.integers(len(ranked), size=(2, 2)).min(axis=1))
    if rng.random() >= _CROSSOVER:
        return _mutate_columns(first, scope, rng)
    if scope.k is not None:
        # What both parents have, and as many as are still needed of what one of them has.
        both = first & second
        others = rng.permutation(sorted(first ^ second))[: len(first) - len(both)]
        return _mutate_columns(both | frozenset(others.tolist()), scope, rng)
    differ = np.array(sorted(first ^ second), dtype=np.intp)
    flips = differ[rng.random(len(differ)) < 0.5]
    return _mutate_columns(first ^ frozenset(flips.tolist()), scope, rng)


def _mutate_columns(columns: Columns, scope: Scope, rng: np.random.Generator) -> Columns:
    """Let each column join or leave with probability one over their number; never leave none.

    With `k` each is swapped for another with that probability.
    """
    if scope.k is not None:
        inside = np.array(sorted(columns.difference(scope.include)))
        outside = np.array([j for j in scope.free if j not in columns])
        leave = inside[rng.random(len(inside)) < 1 / len(inside)][: len(outside)]
        join = rng.permutation(outside)[: len(leave)]
        return columns.difference(leave.tolist()) | frozenset(join.tolist())
    free = np.array(scope.free)
    flips = free[rng.random(len(free)) < 1 / len(free)]
    return (columns ^ frozenset(flips.tolist())) or frozenset(rng.choice(free, 1).tolist())


select_genetic = make_wrapper(genetic_search)
