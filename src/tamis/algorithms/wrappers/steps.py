"""A search from set to set: all sets that differ by one column, then on from the best of them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from tamis.algorithms.wrappers.evaluator import Evaluator, ExhaustedError
from tamis.algorithms.wrappers.job import Level, Scope, SearchResult
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
        if not _goes_on(scope, current, adding, accepts(level.scores[place], score)):
            levels.append(level)
            break
        taken, score = level.columns[place], level.scores[place]
        levels.append(replace(level, taken=taken))
        current = current ^ {taken}
    order, size = _order(scope, current, levels, gains, adding)
    evidence = {
        "kind": "search_tree",
        "adding": adding,
        "start": opening,
        "start_size": len(start),
        "levels": tuple(levels),
    }
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


def _goes_on(scope: Scope, current: Columns, adding: bool, accepted: bool) -> bool:
    """Say whether to take the best neighbour; with `k`, until there are so many."""
    if scope.k is not None:
        return len(current) != scope.k
    return accepted or (adding and not current)


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
