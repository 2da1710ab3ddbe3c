"""Searches from set to set: all sets that differ by one column, then on from the best of them.

`wrapper-forward`: add the column with which a learner scores best, one at a time.

The score of a set of columns is that of the learner in cross-validation, with the same splits for
every set; without columns it is that of the most frequent class, or of the mean. Columns are added
while the best of them raises the score by more than `tol`, or until there are k; at least one is
kept. Of columns that score the same the first one is taken.

The score of the kept set is too optimistic, because it is the best of many sets that were tried.
So a part of the rows (`test_size`) is set aside before the search, and the learner is tested on
them once, at the end.

`wrapper-backward`: remove the column without which a learner scores best, one at a time.

It starts with all columns, so it sees every column beside all others; Cunningham calls it more
effective than forward selection for that. It ends when every removal lowers the score, or at k
columns. Cunningham removes only what raises the score; by default we also remove what leaves it as
it is (`accept_ties`), so that the smaller of two sets of equal score is kept. Of columns whose
removal scores the same the last one is removed.

A kept column's score is how much the score of the set falls without it. The score of the best of
many sets is too optimistic: how good the kept columns are is measured on rows that the search has
not seen (`test_size`).
"""

from collections.abc import Callable
from dataclasses import replace
from operator import ge, gt

import numpy as np

from tamis.algorithms.wrappers.evaluator import Evaluator, ExhaustedError
from tamis.algorithms.wrappers.job import Level, Scope, SearchResult, make_wrapper
from tamis.algorithms.wrappers.search_checkpoint import Columns
from tamis.numerics.ties import first_best, last_best
from tamis.numerics.types import Floats

Accept = Callable[[float, float], bool]


def walk(evaluate: Evaluator, scope: Scope, accepts: Accept, *, adding: bool) -> SearchResult:
    """Add or remove one column at a time while `accepts(new score, old score)`, or until `k`.

    The score of a column is by how much it raised the score of the set: when it was added or
    removed, or at the last step that tried it.
    """
    start = frozenset(scope.include if adding else range(scope.width))
    current, score = start, evaluate(start)
    opening, levels = score, list[Level]()
    gains = np.full(scope.width, np.nan)
    while not evaluate.stopped:
        level = _level(evaluate, current, scope, adding)
        if level is None:
            break
        rise = np.array(level.scores) - score
        gains[list(level.columns)] = rise if adding else -rise
        place = (first_best if adding else last_best)(np.array(level.scores))
        if scope.k is None:
            goes_on = accepts(level.scores[place], score) or (adding and not current)
        else:
            goes_on = len(current) != scope.k
        if not goes_on:
            levels.append(level)
            break
        taken, score = level.columns[place], level.scores[place]
        levels.append(replace(level, taken=taken))
        current = current ^ {taken}
    order, size = _order(scope, current, levels, gains, adding)
    evidence = {"kind": "search_tree", "adding": adding, "start": opening}
    evidence |= {"start_size": len(start), "levels": tuple(levels)}
    return SearchResult(order, size, gains, evidence)


def _level(evaluate: Evaluator, current: Columns, scope: Scope, adding: bool) -> Level | None:
    """Try all neighbours, or as many as the budget allows; None if there are none to try."""
    free = [j for j in scope.free if (j in current) != adding]
    if len(current) == (scope.k if adding else 1):
        return None
    sets = {j: current ^ {j} for j in free}
    try:
        evaluate.many(list(sets.values()))
    except ExhaustedError:
        sets = {j: tried for j, tried in sets.items() if tried in evaluate.scores}
    scores = tuple(evaluate.scores[tried] for tried in sets.values())
    return Level(current, tuple(sets), scores, None) if sets else None


def _order(
    scope: Scope, current: Columns, levels: list[Level], gains: Floats, adding: bool
) -> tuple[list[int], int]:
    """Put the columns in order, best first, and say how many to keep: at least one."""
    moved = [level.taken for level in levels if level.taken is not None]
    if adding:
        order = [*scope.include, *moved] or [0]
        return order, len(order)
    known = np.where(np.isnan(gains), -np.inf, gains)
    rest = sorted(current.difference(scope.include), key=lambda j: (-known[j], j))
    size = len(current) if scope.k is None else min(len(current), scope.k)
    return [*scope.include, *rest, *moved[::-1]], size


def forward_search(evaluate: Evaluator, scope: Scope, *, tol: float = 0.0) -> SearchResult:
    """Add the best column while the score rises by more than `tol`."""
    return walk(evaluate, scope, lambda new, old: new - old > tol, adding=True)


select_forward = make_wrapper(forward_search)


def backward_search(evaluate: Evaluator, scope: Scope, *, accept_ties: bool = True) -> SearchResult:
    """Remove the column that is missed least while the score does not fall."""
    return walk(evaluate, scope, ge if accept_ties else gt, adding=False)


select_backward = make_wrapper(backward_search)
