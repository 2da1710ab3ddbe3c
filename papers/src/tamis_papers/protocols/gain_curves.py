"""The accuracy curves of Figure 7 of Cunningham, by classifier and draw of the folds."""

import statistics
from itertools import pairwise
from typing import Any

from tamis_papers.laboratory.numbers import NEGLIGIBLE
from tamis_papers.laboratory.protocol import Results

__all__ = [
    "DRAWS",
    "LEARNERS",
    "METHOD",
    "NINTH",
    "RANKED",
    "RANKS",
    "SIZE",
    "GainCurves",
    "average_stops",
    "count_improving",
    "count_stops",
    "gather_curves",
    "key_of",
]

LEARNERS = ("tree", "knn", "naive-bayes")
RANKED = {"in folds": True, "once": False}
SIZE, NINTH = 8, "saturation-mean"
METHOD = "information-gain"
DRAWS = range(5)
RANKS = "segment/ranks"  # the key of the cell with the ranks of the ninth column

GainCurves = dict[tuple[str, str], list[Any]]
"""By learner and ranking, the curve of every draw of the folds."""


def key_of(learner: str, ranked: str, draw: int) -> str:
    """Name the cell of a classifier, a way to rank and a draw of the folds."""
    return f"segment/{learner}/ranked {ranked}/{draw}"


def gather_curves(results: Results) -> GainCurves:
    """Gather the curves of all draws that were computed, by learner and ranking."""
    found = {}
    for learner in LEARNERS:
        for ranked in RANKED:
            keys = [key_of(learner, ranked, draw) for draw in DRAWS]
            draws = [results[key] for key in keys if key in results]
            if draws:
                found[learner, ranked] = draws
    return found


def count_improving(accuracy: list[float]) -> int:
    """Give the number of columns before the first that does not improve.

    >>> count_improving([0.5, 0.7, 0.6, 0.8])
    2
    """
    pairs = enumerate(pairwise(accuracy), 1)
    return next((m for m, (old, new) in pairs if new <= old + NEGLIGIBLE), len(accuracy))


def average_stops(values: list[int]) -> tuple[float, int, float | None]:
    """Give the mean, the printed number, and the deviation of several values."""
    return statistics.fmean(values), SIZE, statistics.stdev(values) if len(values) > 1 else None


def count_stops(draws: list[Any]) -> list[int]:
    """Give the number of columns kept in every draw."""
    return [count_improving(one["accuracy"]) for one in draws]
