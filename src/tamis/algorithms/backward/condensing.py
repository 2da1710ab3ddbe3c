"""`condensing`: cluster the columns by their angles and keep one representative of each cluster.

A stand-in, not a reproduction. Yen, Chen and Lin compare their method with the "feature condensing"
of Krizek, Kittler and Hlavac (2008), whose definition we could not obtain. They describe it so:
columns are clustered hierarchically with a distance in degrees, one column of each cluster is kept,
and only pairs of columns are compared. Here the distance is `arccos |r|` in degrees (0 for copies,
90 for uncorrelated columns) and the linkage is an option. On the artificial data of Yen, Chen and
Lin, single linkage comes closest to their figures.

The representative of a cluster is the column with the largest sum of squared correlations with the
others in it. Each merge removes the weaker of the two representatives, so the sets are nested: the
columns kept for fewer clusters are among those kept for more. Ties, as in every pair, are broken by
the sum over all columns, then by position. Exact copies are never kept together. The angles of all
pairs are held in memory.
"""

from collections.abc import Sequence

import numpy as np
from scipy.cluster import hierarchy

from tamis.algorithms.orders import Pairs, measure_order, prefer_by_score
from tamis.algorithms.path import COPIES, Path, best_first, count_enough
from tamis.errors import TamisError
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import RANK_TOL, TIE
from tamis.statistics.gram import Gram

_MAX_CONDENSED_COLUMNS = 20_000


def condense(
    gram: Gram,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    threshold: float | None = None,
    linkage: str = "average",
) -> Path:
    """Merge columns into clusters, nearest first; each merge removes one representative.

    `threshold` is the largest distance in degrees at which clusters are merged.
    """
    pairs = Pairs(gram)
    if pairs.count > _MAX_CONDENSED_COLUMNS:
        raise TamisError(
            f"Method 'condensing' holds the angles of all pairs of columns, too many for "
            f"{pairs.count:,} columns: choose at most {_MAX_CONDENSED_COLUMNS:,} before, "
            "for example with 'correlation'."
        )
    columns, keepers, heights = _merge(_angles(pairs), pairs.count, linkage, include)
    removals = prefer_by_score(pairs, columns, keepers)
    distinct = pairs.count - int(np.count_nonzero(heights == 0.0))
    order = best_first(removals, pairs.count, include)
    retained = measure_order(gram, order)
    size = max(min(k, distinct, count_enough(retained, retain)), len(include), 1)
    if threshold is not None:
        size = pairs.count - int(np.count_nonzero(heights <= threshold * (1 + TIE)))
    scores = np.full(pairs.count, heights.max(initial=0.0))
    scores[columns] = heights
    return Path(order, retained, scores, size=size, removals=removals, stopped=COPIES)


def _angles(pairs: Pairs) -> Floats:
    """Give the angle of every pair in degrees, in the order of SciPy's condensed matrices."""
    d = pairs.count
    angles = np.empty(d * (d - 1) // 2)
    end = 0
    for part in track("columns compared", pairs.parts(), d, lambda s: s.stop - s.start):
        block = np.abs(pairs.correlations(part, slice(part.start, d)))
        # The arccos turns a rounding error of 1e-16 near 1 into one of 1e-6 degrees: copies.
        block[block > 1.0 - RANK_TOL / 2] = 1.0
        # Rounded, so that pairs with equal angles are merged in their order on every processor.
        block = np.degrees(np.arccos(block)).round(9)
        for i, row in enumerate(block):
            start, end = end, end + row.size - i - 1
            angles[start:end] = row[i + 1 :]
    return angles


def _merge(
    angles: Floats, d: int, linkage: str, include: Sequence[int]
) -> tuple[Indices, Indices, Floats]:
    """Give the column that each merge removes, that in favour of which, and the height."""

    def add_up(j: int, others: Indices) -> float:
        """Add up squared correlations with other columns; the column itself is not counted."""
        low, high = np.minimum(j, others), np.maximum(j, others)
        position = d * low - low * (low + 1) // 2 + high - low - 1
        return float(np.square(np.cos(np.radians(angles[position[low < high]]))).sum())

    def sort_pair(left: int, right: int, union: Indices) -> tuple[int, int]:
        """Put the stronger one first."""
        first, second = min(left, right), max(left, right)
        if (first in forced) != (second in forced):
            return (first, second) if first in forced else (second, first)
        sums = [(add_up(j, union), float(totals[j])) for j in (first, second)]
        for one, other in zip(*sums, strict=True):
            if abs(one - other) > TIE * max(one, other):
                return (first, second) if one > other else (second, first)
        return first, second

    forced, totals = {int(j) for j in include}, [add_up(j, np.arange(d)) for j in range(d)]
    members: dict[int, Indices] = {j: np.array([j]) for j in range(d)}
    heads = {j: j for j in range(d)}
    removals: list[tuple[int, int, float]] = []
    merges = hierarchy.linkage(angles, method=linkage) if d > 1 else np.zeros((0, 4))
    for step, (a, b, height, _) in enumerate(track("clusters merged", merges, d - 1)):
        left, right = heads.pop(int(a)), heads.pop(int(b))
        union = np.concatenate([members.pop(int(a)), members.pop(int(b))])
        keeper, weaker = sort_pair(left, right, union)
        members[d + step], heads[d + step] = union, keeper
        if weaker not in forced:
            removals.append((weaker, keeper, height))
    columns, keepers, heights = np.array(removals, dtype=np.float64).reshape(-1, 3).T
    return columns.astype(np.intp), keepers.astype(np.intp), heights
