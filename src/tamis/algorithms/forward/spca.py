"""`spca`: the columns of sparse principal components: one of `k` columns, or `k` of one column.

Cui and Dy name no solver; this is the truncated power iteration of Yuan and Zhang, started from the
leading component and, for small tables, from every single column. It collects columns that vary
together: redundancy is ignored by design.

They name the other extreme, too: k components with one non-zero loading each. What such components
are depends on how one follows the other. `loadings="single"` cuts each of the k leading components
of the table to its largest loading, or the next largest where that column is kept already: this is
`jolliffe-ni`, to which they say that it is similar. `loadings="deflated"` takes from the table what
each kept column explains before the next component: the best component of one column is then the
column of largest residual variance, and the method is `pivoted-qr`.
"""

from typing import Unpack

import numpy as np

from tamis.algorithms.forward.jolliffe import one_pass_loadings
from tamis.algorithms.forward.sfs import pivoted_columns
from tamis.algorithms.orders import find_smallest, order_by_gain
from tamis.algorithms.path import Goal, Path
from tamis.numerics.ties import first_best
from tamis.numerics.types import Floats, Mask
from tamis.rules.tolerances import NEGLIGIBLE
from tamis.statistics.gram import Gram

_MAX_START_COLUMNS = 200
_MAX_POWER_STEPS = 1000


def sparse_component(gram: Gram, k: int, *, loadings: str = "shared", **goal: Unpack[Goal]) -> Path:
    """Take the `k` columns whose best combination has the largest variance.

    `loadings` is "shared" for this; "single" and "deflated" take one column of each component.
    """
    if loadings != "shared":
        take = one_pass_loadings if loadings == "single" else pivoted_columns
        return take(gram, k, **goal)
    retain, include = goal.get("retain", 1.0), goal.get("include", ())
    start = gram.find_leading(1)[1][:, 0]
    forced = np.zeros(start.size, dtype=bool)
    forced[list(include)] = True

    def find(size: int) -> Path:
        starts = [start, *np.eye(start.size)] if start.size <= _MAX_START_COLUMNS else [start]
        found = [_iterate_truncated(gram, first, size, forced) for first in starts]
        vector = found[first_best(np.array([value for value, _ in found]))][1]
        chosen = np.flatnonzero(_support(vector, size, forced))
        return order_by_gain(gram, chosen, np.abs(vector), include=include)

    return find_smallest(find, min(k, start.size), retain, least=max(1, len(include)))


def _iterate_truncated(gram: Gram, start: Floats, size: int, forced: Mask) -> tuple[float, Floats]:
    """Multiply and cut to `size` entries until the variance stops growing."""
    vector, value = _truncate(start, size, forced), -np.inf
    for _ in range(_MAX_POWER_STEPS):
        image = gram.dot(vector)
        previous, value = value, float(vector @ image)
        if value <= previous * (1 + NEGLIGIBLE):
            break
        vector = _truncate(image, size, forced)
    return value, vector


def _support(vector: Floats, size: int, forced: Mask) -> Mask:
    weight = np.where(forced, np.inf, np.abs(vector))
    chosen = np.zeros(vector.size, dtype=bool)
    chosen[np.argsort(-weight, kind="stable")[:size]] = True
    return chosen


def _truncate(vector: Floats, size: int, forced: Mask) -> Floats:
    kept = np.where(_support(vector, size, forced), vector, 0.0)
    return kept / np.linalg.norm(kept)
