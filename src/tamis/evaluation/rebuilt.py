"""Predictions in the terms of the table: numbers with standard errors, categories with a level."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tamis.evaluation.plan import Plan, Prediction
from tamis.numerics.types import Floats
from tamis.statistics.category_levels import MISSING_LEVEL, Levels
from tamis.statistics.mixed import MixedRows

__all__ = ["Rebuilt", "likely_levels", "rebuild"]


@dataclass(frozen=True, eq=False)
class Rebuilt:
    """One column of some rows, predicted.

    `values` are numbers or names of levels (None for a missing one), `errors` standard errors or,
    for a category, the probability of the level.
    """

    values: Any
    errors: Floats


def rebuild(plan: Plan, rows: MixedRows) -> tuple[dict[int, Rebuilt], int]:
    """Predict the dropped columns from rows of the kept ones, in table order.

    Also counts the rows with a missing or infinite value, which was taken as the mean.
    """
    encoded = plan.encoding.of_columns(plan.kept_in_order).encode(rows)
    found = plan.predict(encoded)
    made = {int(j): _rebuilt(plan, found, int(j)) for j in plan.dropped}
    return made, int((~np.isfinite(encoded)).any(axis=1).sum())


def _rebuilt(plan: Plan, found: Prediction, j: int) -> Rebuilt:
    start = plan.groups.starts[j]
    if j not in plan.encoding.levels:
        return Rebuilt(found.values[:, start], found.errors[:, start])
    own = found.values[:, start : start + plan.groups.sizes[j]]
    return likely_levels(plan.encoding.levels[j], own)


def likely_levels(levels: Levels, indicators: Floats) -> Rebuilt:
    """Give the most likely level of each row and its probability, from predicted indicators.

    Predictions below 0 count as 0, and all are divided by their sum.

    Examples
    --------
    >>> made = likely_levels(Levels(("a", "b", "c")), np.array([[0.6, 0.2, -0.1]]))
    >>> made.values, made.errors
    (['a'], array([0.75]))
    """
    if levels.width == 1:
        indicators = np.column_stack([indicators[:, 0], 1.0 - indicators[:, 0]])
    chances = np.clip(indicators, 0.0, 1.0)
    sums = chances.sum(axis=1, keepdims=True)
    chances = np.where(sums > 0, chances / np.where(sums > 0, sums, 1.0), 1.0 / chances.shape[1])
    best = chances.argmax(axis=1)
    names = [None if name == MISSING_LEVEL else name for name in levels.names]
    return Rebuilt([names[i] for i in best], chances[np.arange(len(best)), best])
