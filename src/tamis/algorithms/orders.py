"""From scores, orders and sets of columns to paths: what they explain, and where to cut."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Unpack

import numpy as np

from tamis.algorithms.greedy import by_gain, search
from tamis.algorithms.path import COPIES, NO_GOAL, Goal, Path, Removals, no_removals
from tamis.algorithms.residual import Residual
from tamis.numerics.rank import above_rounding
from tamis.numerics.row_chunks import row_blocks
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import NEGLIGIBLE, ROUNDING, TIE
from tamis.statistics.gram import Columns, Gram
from tamis.statistics.shared_information import Information, answer_by_kind, measure_shared

_PAIR_PANEL_COLUMNS = 32
_CACHE_BYTES = 1 << 22  # bytes: a block of correlations is gone over several times in the cache


class Pairs:
    """Products and correlations of any columns with any others; no d x d array is made.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> pairs = Pairs(DenseGram(np.array([[4.0, 1.0], [1.0, 1.0]])))
    >>> pairs.correlations(np.array([0]), np.array([0, 1]))
    array([[1. , 0.5]])
    """

    def __init__(self, gram: Gram) -> None:
        self.gram = gram
        self.sizes = gram.diagonal()
        self.count = self.sizes.size
        self._per_length = 1.0 / np.sqrt(self.sizes)

    def products(self, rows: Columns, columns: Columns = slice(None)) -> Floats:
        """Give a block of the Gram matrix; it may be a view."""
        return self.gram.block(rows, columns)

    def correlations(self, rows: Columns, columns: Columns = slice(None)) -> Floats:
        """Give a block of the correlation matrix, whatever the scale of the Gram matrix."""
        block = self.products(rows, columns) * self._per_length[columns]
        block *= self._per_length[rows][:, None]
        return block

    def parts(self) -> list[slice]:
        """Cut the columns into runs whose blocks with all columns take little memory."""
        return row_blocks(self.count, self.count, room=_CACHE_BYTES)


def prefer_by_score(pairs: Pairs, columns: Indices, keepers: Indices) -> Removals:
    """Note removed columns, each with the kept column that predicts it best.

    The equation is the regression on that column alone, in standard deviations.
    """
    found = no_removals(len(columns))
    found.columns[:] = columns
    found.positions[:, 0] = keepers
    for keeper in np.unique(keepers):
        mine = np.flatnonzero(keepers == keeper)
        found.weights[mine, 0] = pairs.correlations(np.array([keeper]), columns[mine])[0]
    found.errors[:] = np.maximum(1.0 - found.weights[:, 0] ** 2, 0.0)
    return found


def measure_order(gram: Gram, order: Indices) -> Floats:
    """Give the share of variance that the first 1, 2, ... columns of any order reproduce.

    A column that those before it reproduce adds nothing. The columns are made orthogonal in panels,
    so that nearly all the work is products of matrices.
    """
    most = min(len(order), gram.rank_bound)
    sizes = gram.diagonal()
    W, size = np.zeros((most, len(sizes))), 0
    taken, gains = np.zeros(most, dtype=np.intp), np.zeros(len(order))
    for first in range(0, len(order), _PAIR_PANEL_COLUMNS):
        if size == most:
            break
        panel = order[first : first + _PAIR_PANEL_COLUMNS]
        rows = gram.block(panel) - W[:size, panel].T @ W[:size]
        for i, j in enumerate(panel):
            known = (W[:size], taken[:size], sizes)
            if size < most and above_rounding(rows[i, j], j, *known):
                w = rows[i] / np.sqrt(rows[i, j])
                w[taken[:size]] = 0.0
                rows[i + 1 :] -= np.outer(w[panel[i + 1 :]], w)
                W[size], taken[size], gains[first + i] = w, j, w @ w
                size += 1
    return np.minimum(np.cumsum(gains) / sizes.sum(), 1.0)


def as_set(pairs: Pairs, kept: Indices, scores: Floats, removals: Removals) -> Path:
    """Make the path of a method that finds a set of columns without copies, best first."""
    retained, size = measure_order(pairs.gram, kept), len(kept)
    return Path(kept, retained, scores, False, size=size, removals=removals, stopped=COPIES)


def cut_at_share(
    retain: float,
    k: int,
    *,
    of_size: Callable[[int], Path],
    at: Callable[[int], Path],
    levels: int,
    least: int,
) -> Path:
    """Give the smallest set of at most `k` columns that reaches `retain`.

    For a method with a threshold: `at` gives its set at the levels 0 to `levels`, with mostly more
    columns at higher levels, `of_size` its set of a given size. Bisection of the level brackets the
    size; then the size is bisected.
    """
    best, few = of_size(k), least
    if retain >= 1.0 or best.share < retain:
        return best
    low, high = 0, levels
    while high - low > 1 and len(best.kept) - few > 1:
        middle = (low + high) // 2
        found = at(middle)
        if len(found.kept) >= len(best.kept):
            high = middle
        elif found.share >= retain:
            high, best = middle, found
        else:
            low, few = middle, max(few, len(found.kept))
    found = find_smallest(of_size, len(best.kept), retain, least=few)
    return found if found.share >= retain else best


def order_by_gain(
    gram: Gram,
    columns: Indices,
    scores: Floats,
    *,
    include: Sequence[int] = (),
    optimal: bool = False,
) -> Path:
    """Put a set of columns in the order in which each adds most, those to include first."""
    among = np.isin(np.arange(len(gram.diagonal())), columns)
    state, goal = Residual(gram, len(columns)), Goal(retain=NO_GOAL, include=include)
    path = search(state, len(columns), by_gain, usable=lambda _: among, **goal)
    return Path(path.indices, path.retained, scores, nested=False, optimal=optimal)


def find_smallest(find: Callable[[int], Path], k: int, retain: float, *, least: int = 1) -> Path:
    """Give the result for the smallest number of columns, at most `k`, that reaches `retain`.

    The number is found by bisection, which assumes that more columns reproduce more; a result that
    falls short at `k` is returned as it is.
    """
    best = find(k)
    if retain >= 1.0 or best.share < retain:
        return best
    low, high = least, len(best.kept)
    while low < high:
        middle = (low + high) // 2
        path = find(middle)
        if path.share >= retain:
            best, high = path, middle
        else:
            low = middle + 1
    return best


_FIRST_PREFIX_COLUMNS = 64


def best_by_score(
    gram: Gram | Information,
    scores: Floats,
    k: int,
    *,
    smallest: bool = False,
    **goal: Unpack[Goal],
) -> Path:
    """Take the columns of best score until there are `k` or they reach `retain`.

    The best score is the largest, or the smallest if `smallest`. What the columns reproduce is
    computed only as far as it is needed.

    Examples
    --------
    >>> from tamis.statistics.gram import DenseGram
    >>> gram = DenseGram(np.diag([1.0, 2.0, 5.0]))
    >>> best_by_score(gram, np.array([3.0, 1.0, 2.0]), 2)
    Path(indices=array([0, 2]), retained=array([0.125, 0.75 ]))
    """
    return best_in_order(gram, order_of(scores, smallest=smallest), scores, k, **goal)


def best_in_order(
    gram: Gram | Information,
    order: Indices,
    scores: Floats,
    k: int,
    *,
    retain: float = 1.0,
    include: Sequence[int] = (),
    nested: bool = True,
) -> Path:
    """Take columns in the given order, those of `include` first."""
    order = put_included_first(order, include)[: max(k, len(include))]
    size = len(order) if retain > 1.0 else max(_FIRST_PREFIX_COLUMNS, len(include))
    while True:
        head = order[:size]
        retained = answer_by_kind(
            gram, partial(measure_order, order=head), partial(measure_shared, order=head)
        )
        enough = np.flatnonzero(retained >= retain - NEGLIGIBLE)
        if len(enough) or size >= len(order):
            break
        size *= 2
    kept = max(int(enough[0]) + 1, len(include)) if len(enough) else len(retained)
    return Path(order[:kept], retained[:kept], scores, nested=nested)


def put_included_first(order: Indices, include: Sequence[int] | Indices) -> Indices:
    """Put the columns to include first.

    >>> put_included_first(np.array([3, 1, 0, 2]), [0])
    array([0, 3, 1, 2])
    """
    first = np.asarray(include, dtype=np.intp)
    return np.concatenate([first, order[~np.isin(order, first)]])


def order_of(scores: Floats, *, smallest: bool = False) -> Indices:
    """Rank the columns by score; scores within 1e-9 (relative) are equal and ranked by position.

    Examples
    --------
    >>> order_of(np.array([0.3, 0.7 - 1e-13, 0.7]))
    array([1, 2, 0])
    """
    best_first = np.argsort(scores if smallest else -scores, kind="stable")
    values = scores[best_first]
    noise = ROUNDING * float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    with np.errstate(invalid="ignore"):
        steps = np.abs(np.diff(values)) > TIE * np.abs(values[:-1]) + noise
    level = np.concatenate([[0], np.cumsum(steps)])
    return best_first[np.lexsort((best_first, level))]
