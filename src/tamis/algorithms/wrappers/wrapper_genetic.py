"""`wrapper-genetic`: evolve sets of columns, those with which a learner scores better more often.

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

import numpy as np

from tamis.algorithms.wrappers import lots
from tamis.algorithms.wrappers.evaluator import Evaluator, ExhaustedError
from tamis.algorithms.wrappers.job import Point, Scope, SearchResult, make_wrapper
from tamis.algorithms.wrappers.search_checkpoint import Columns
from tamis.numerics.types import Floats

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
    only = lots.only_set(scope)
    points: list[Point] = []
    members = [only] if only else [lots.random_set(scope, rng) for _ in range(population)]
    best, watch = -np.inf, lots.Watch(scope, _MAX_IDLE_GENERATIONS, members[0])
    try:
        for _ in range(1 if only else generations):
            scores = np.array(evaluate.many(members))
            scores -= penalty * np.array([len(member) for member in members]) / scope.width
            members = [members[i] for i in _rank_members(members, scores)]
            best = max(best, float(scores.max()))
            points.append(Point(evaluate.evaluations, float(scores.mean()), best))
            if watch.sees_no_rise(members[0], best):
                break
            members = _next(members, scope, rng)
    except ExhaustedError:
        pass
    chosen = watch.chosen if scope.validate else lots.best_tried(evaluate, scope, penalty)[1]
    return lots.make_result(evaluate, scope, chosen, points, "mean of the generation")


def _rank_members(members: list[Columns], scores: Floats) -> list[int]:
    """Give the positions of the members, best first."""
    sizes = np.array([len(member) for member in members])
    return np.lexsort((sizes, -scores)).tolist()


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
        return _mutate_columns(_mix_of_size(first, second, rng), scope, rng)
    differ = np.array(sorted(first ^ second), dtype=np.intp)
    flips = differ[rng.random(len(differ)) < 0.5]
    return _mutate_columns(first ^ frozenset(flips.tolist()), scope, rng)


def _mutate_columns(columns: Columns, scope: Scope, rng: np.random.Generator) -> Columns:
    """Let each column join or leave with probability one over their number; never leave none."""
    if scope.k is not None:
        return _swap_columns(columns, scope, rng)
    free = np.array(scope.free)
    flips = free[rng.random(len(free)) < 1 / len(free)]
    return (columns ^ frozenset(flips.tolist())) or frozenset(rng.choice(free, 1).tolist())


def _mix_of_size(first: Columns, second: Columns, rng: np.random.Generator) -> Columns:
    """Take what both parents have, and as many as are still needed of what one of them has."""
    both = first & second
    others = rng.permutation(sorted(first ^ second))[: len(first) - len(both)]
    return both | frozenset(others.tolist())


def _swap_columns(columns: Columns, scope: Scope, rng: np.random.Generator) -> Columns:
    """Swap each column with probability one over their number."""
    inside = np.array(sorted(columns.difference(scope.include)))
    outside = np.array([j for j in scope.free if j not in columns])
    leave = inside[rng.random(len(inside)) < 1 / len(inside)][: len(outside)]
    join = rng.permutation(outside)[: len(leave)]
    return columns.difference(leave.tolist()) | frozenset(join.tolist())


select_genetic = make_wrapper(genetic_search)
