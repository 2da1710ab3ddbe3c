"""`odds-ratio`: how much the odds of a class change with one value of a column.

For two values and two classes it is n(1,+) n(2,-) / (n(2,+) n(1,-)). Value 1 is the later of the
two in order (True, "yes", above the median), the positive class the later of the two in order. A
column with more than two values has each value compared with all others, and with more than two
classes each class is compared with the rest; the largest counts. So a column with many values has
more chances: the p-value allows for that, the score does not.

Numbers are cut at the median (`bins=2`). Of a 2 x 2 table with an empty cell the ratio would be 0
or infinite: `smoothing="zero"` then adds 0.5 to all four cells, `"always"` adds it to every table,
`"cell"` to empty cells only; `constant` is what is added.

The score is the absolute value of the natural logarithm of the ratio, so that both directions
count. With `direction="positive"` it is the ratio itself (the value makes the class more likely),
with `"negative"` its inverse (the value makes it less likely).

P-values are Wald's, from the standard error of the logarithm, times the number of comparisons of
the column (Bonferroni). Without `k`, the columns with an adjusted p-value (Benjamini & Hochberg)
below 0.05 are kept, at least one.
"""

from typing import NamedTuple, Unpack

import numpy as np
from scipy.special import erfc

from tamis.algorithms.filters.independence import Significance, best_related
from tamis.algorithms.path import Goal, Path
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import TIE
from tamis.statistics.class_table import ClassCounts, ClassTable

_SIGNS = {"positive": 1.0, "negative": -1.0}
_WHAT = {
    "both": "log odds ratio, either direction",
    "positive": "odds ratio",
    "negative": "inverse odds ratio",
}


def rank_by_odds(
    table: ClassTable,
    k: int | None,
    *,
    direction: str = "both",
    smoothing: str = "zero",
    constant: float = 0.5,
    **goal: Unpack[Goal],
) -> Path:
    """Rank the columns by the largest odds ratio of one of their values and a class."""
    found = compare(table.counts, direction, smoothing, constant)
    scores = found.log_odds if direction == "both" else np.exp(found.log_odds)
    notes = tuple(_note(table, found, j) for j in range(table.counts.count))
    test = "Wald's test, times the comparisons of the column"
    evidence = Significance(scores, found.p, _WHAT[direction], test, notes)
    return best_related(table, evidence, k, **goal)


class Comparisons(NamedTuple):
    """The largest log odds ratio of every column in the direction, its p-value and where it is.

    `levels` and `classes` are the value and the class of the largest, `ratios` the odds ratio
    there; level -1 for a column with one value.
    """

    log_odds: Floats
    p: Floats
    levels: Indices
    classes: Indices
    ratios: Floats


def compare(
    counts: ClassCounts, direction: str = "both", smoothing: str = "zero", constant: float = 0.5
) -> Comparisons:
    """Compare every value with the others and every class with the rest.

    Examples
    --------
    >>> counts = ClassCounts(np.array([[30, 10], [20, 40]]), np.array([0]))
    >>> np.exp(compare(counts).log_odds).round(12)
    array([6.])
    """
    log_odds, error = _log_odds(counts, smoothing, constant)
    signed = np.abs(log_odds) if direction == "both" else _SIGNS[direction] * log_odds
    p = erfc(signed / error / np.sqrt(2)) / (1 if direction == "both" else 2)
    # Of two classes the first is the second upside down.
    classes = np.arange(signed.shape[1]) if signed.shape[1] > 2 else np.array([1])
    # Levels to compare with the others: of two the second, none of one.
    there, places = counts.by_level > 0, np.arange(len(counts.table))
    last = np.maximum.reduceat(np.where(there, places, -1), counts.starts)
    occupied, last = (np.repeat(values, counts.sizes) for values in (counts.occupied, last))
    usable = (there & ((occupied > 2) | ((occupied == 2) & (places == last))))[:, None]
    signed = np.where(usable, signed[:, classes], -np.inf)
    p = np.where(usable, p[:, classes], np.inf)
    best = np.maximum.reduceat(signed.max(axis=1), counts.starts)
    tried = counts.sum_levels(usable[:, 0].astype(float)) * len(classes)
    smallest = np.minimum.reduceat(p.min(axis=1), counts.starts)
    found = np.isfinite(best)
    levels, own = np.zeros((2, len(best)), dtype=np.intp)  # of the best: within the column; class
    for j, part in enumerate(np.split(signed, counts.starts[1:])):
        near = part >= best[j] - TIE * abs(best[j])
        levels[j], own[j] = np.unravel_index(int(near.argmax()), near.shape)
    ratios = np.exp(log_odds[counts.starts + levels, classes[own]])
    return Comparisons(
        np.where(found, best, 0.0),
        np.minimum(np.where(found, smallest, 1.0) * np.maximum(tried, 1), 1.0),
        np.where(found, levels, -1),
        classes[own],
        ratios,
    )


def _log_odds(counts: ClassCounts, smoothing: str, constant: float) -> tuple[Floats, Floats]:
    """Give the logarithm of the ratio of every value and class, and its standard error."""
    here = counts.table.astype(float)
    by_level, by_class = counts.by_level[:, None], counts.by_class
    n = by_class.sum()
    cells = np.stack([here, by_level - here, by_class - here, n - by_level - by_class + here])
    empty = cells == 0
    if smoothing == "zero":
        empty = np.broadcast_to(empty.any(axis=0), cells.shape)
    cells = cells + constant * (True if smoothing == "always" else empty)
    logs = np.log(cells)
    error = np.sqrt((1.0 / cells).sum(axis=0))
    return np.asarray(logs[0] + logs[3] - logs[1] - logs[2]), error


def _note(table: ClassTable, found: Comparisons, column: int) -> str:
    """Say how the odds of which class change with which value."""
    level = int(found.levels[column])
    if level < 0:
        return ""
    names = table.levels[column] if table.levels else ()
    value = names[level] if level < len(names) else "missing" if names else f"value {level + 1}"
    kind = table.target.names[int(found.classes[column])]
    return f"{value}: odds of {kind} x {found.ratios[column]:.3g}"
