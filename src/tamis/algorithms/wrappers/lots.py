"""What searches that draw lots share: random sets, and what all sets tried say of each column."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.algorithms.wrappers.evaluator import Evaluator
from tamis.algorithms.wrappers.job import Point, Scope, SearchResult
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


def is_better(first: tuple[float, Columns], second: tuple[float, Columns]) -> bool:
    """Say whether a set beats another: by its score or, at the same score, by fewer columns."""
    return (first[0], -len(first[1])) > (second[0], -len(second[1]))


def best_tried(evaluate: Evaluator, scope: Scope, penalty: float = 0.0) -> tuple[float, Columns]:
    """Give the best of all sets tried, the first of equal ones, with its score less the penalty."""
    best = (-np.inf, frozenset(scope.include) or frozenset([0]))
    for columns, score in evaluate.scores.items():
        tried = (score - penalty * len(columns) / scope.width, columns)
        if is_better(tried, best):
            best = tried
    return best


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
